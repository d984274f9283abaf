# What workflows share that compare runs on several numbers of processes. A workflow defines NAME, its folder, and MARKS
# and HIGHEST of histories.py. The processes are threads of one (sf-run --virtual), so that two cores do for 64 of them.
# A run that was interrupted goes on where it was.
include ../common.mk

PROCESSES := 8 16 32 64
# Settings of the deck, as in DECK="--set duration=0.1"; after a change, make clean.
DECK :=
# Seconds of simulated time for which one process goes on at the end, to measure what the model of the cost wants.
LATE := 0.02
FIRST := $(firstword $(PROCESSES))
MODEL := $(OUT)/model.sfm.h5
TABLES := $(PROCESSES:%=$(OUT)/%.csv)

all: $(OUT)/histories.png $(OUT)/cost.png
	@echo "$(NAME) wrote:"
	@echo "  tables    $(CURDIR)/$(OUT)/*.csv"
	@echo "  plots     $(CURDIR)/$(OUT)/histories.png, $(CURDIR)/$(OUT)/cost.png"

$(MODEL): deck.py
	@mkdir -p $(OUT)
	$(BIN)/sf-build $(DECK) deck.py -w -o $@

$(OUT)/%/.done: $(MODEL)
	$(BIN)/sf-run --virtual $* -c $< -o $(OUT)/$*
	@touch $@

$(OUT)/%.csv: $(OUT)/%/.done
	$(BIN)/sf-history $(OUT)/$* --per-step BODS CONS ITERS MERIT GSCOLORS GSBOT GSMID GSTOP GSINN > $@

# The last state of the first run goes on by one process, in a copy; the first row shows that state.
$(OUT)/one.csv: $(OUT)/$(FIRST)/.done
	copy=$$(mktemp -d) && cp -r $(OUT)/$(FIRST) $$copy && last=$$copy/$(FIRST) && \
	end=$$($(BIN)/sf-history $$last --per-step CONS | tail -1 | cut -d, -f1) && \
	$(BIN)/sf-run -j 1 -c $(MODEL) -o $$last --until $$(python3 -c "print($$end + $(LATE))") && \
	$(BIN)/sf-history $$last --per-step --time $$end:1e9 BODS CONS ITERS TIMINT CONDET LOCDYN CONSOL | sed 2d > $@; \
	status=$$?; rm -r $$copy; exit $$status

# Plots need a Python with matplotlib; 'make bench-record' at the top makes target/plots/bin/python.
PLOT_PYTHON ?= $(firstword $(wildcard ../../target/plots/bin/python) python3)
$(OUT)/histories.png: ../histories.py $(TABLES)
	$(PLOT_PYTHON) ../histories.py $(HIGHEST) $(MARKS) $@ $(TABLES)

$(OUT)/cost.png: ../cost.py $(OUT)/one.csv $(TABLES)
	$(PLOT_PYTHON) ../cost.py $@ $(OUT)/one.csv $(TABLES)

# docs/pictures/$(NAME).png and $(NAME)-cost.png
picture: $(OUT)/histories.png $(OUT)/cost.png
	cp $(OUT)/histories.png ../../docs/pictures/$(NAME).png
	cp $(OUT)/cost.png ../../docs/pictures/$(NAME)-cost.png
.PHONY: picture
.PRECIOUS: $(OUT)/%/.done $(OUT)/%.csv
