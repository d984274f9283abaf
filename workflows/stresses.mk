# What workflows share that compare stresses in a body of finite elements with a closed form. A workflow defines NAME, its
# folder, BODY, what is in the picture, ITEMS_OF_PLOT, quantities that exact.py has too, and ITEMS, those of the table.
include ../common.mk

all: $(OUT)/stresses.csv $(OUT)/stresses.png $(OUT)/$(BODY).png $(OUT)/viz/.done
	@echo "$(NAME) wrote:"
	@echo "  table     $(CURDIR)/$(OUT)/stresses.csv"
	@echo "  plot      $(CURDIR)/$(OUT)/stresses.png"
	@echo "  picture   $(CURDIR)/$(OUT)/$(BODY).png"
	@echo "  ParaView  $(CURDIR)/$(OUT)/viz/"
	@$(EXACT) $(OUT)/stresses.csv

$(OUT)/results/.done: deck.py
	$(BIN)/sf-build deck.py | $(BIN)/sf-run -w -o $(OUT)/results -
	@touch $@

$(OUT)/stresses.csv: $(OUT)/results/.done
	$(BIN)/sf-history $(OUT)/results --recovered $(ITEMS) > $@

$(OUT)/exact.csv: exact.py
	@mkdir -p $(OUT)
	$(EXACT) > $@

$(OUT)/stresses.png: $(OUT)/results/.done $(OUT)/exact.csv
	$(BIN)/sf-history $(OUT)/results --recovered $(ITEMS_OF_PLOT) --against $(OUT)/exact.csv --plot $@ -f -o /dev/null

$(OUT)/$(BODY).png: $(OUT)/results/.done
	$(BIN)/sf-mesh view $(OUT)/results -o $@ -f $(VIEW)

$(OUT)/viz/.done: $(OUT)/results/.done
	$(BIN)/sf-xdmf $(OUT)/results --attr DISP,STRESS,MISES,ERROR -f -o $(OUT)/viz
	@touch $@

# docs/pictures/$(NAME).png
picture: $(OUT)/stresses.png
	cp $< ../../docs/pictures/$(NAME).png
.PHONY: picture
