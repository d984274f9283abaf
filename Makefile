# One command does all set-up: `make demo` shows the pipeline, `make test` runs every test. `make help` lists the rest.
SHELL    := /bin/bash
.DEFAULT_GOAL := help
PREFIX   ?= /usr/local
TOOLS    := sf-build sf-run sf-info sf-history sf-xdmf sf-mesh sf-modal sf-mm-export sf-locdyn-compare
PYTHON   := $(CURDIR)/target/python/bin/python
RELEASE  := $(CURDIR)/target/release
MUJOCO   := $(CURDIR)/target/mujoco/bin/python
PLOTS    := $(CURDIR)/target/plots/bin/python
SERIAL   := $(wildcard /usr/lib/*/hdf5/serial)
# Debian installs several flavours of HDF5 side by side; the tools want the serial one whatever else is installed.
ifneq ($(SERIAL),)
export HDF5_DIR ?= $(firstword $(SERIAL))
endif
export PATH := $(HOME)/.cargo/bin:$(PATH)
PACKAGES := gcc libhdf5-dev pkg-config python3 python3-venv
# What several processes want; without it the tools are built all the same, and `sf-run -np` says what is missing.
MPI_PACKAGES := openmpi-bin libopenmpi-dev libclang-dev
# Looked for after the packages have been installed.
FEATURES = $(shell bash .ci/mpi)
# What only tests want: the real Siconos, to compare with; groff, to read the manual pages; valgrind, to count
# instructions; TetGen, for TETRAHEDRALIZE; CalculiX, an independent solver of finite elements.
TEST_PACKAGES := libsiconos-numerics7 groff-base valgrind tetgen calculix-ccx

.PHONY: help demo check test test-long long bench bench-record instructions install deps deps-test deps-paraview build clean man completions

help:            ## this list
	@sed -n 's/^\([a-z-]*\): .*## /\1\t/p' Makefile | awk -F '\t' '{printf "  make %-14s %s\n", $$1, $$2}'

deps:
	@cd "$(CURDIR)" && bash .ci/deps $(PACKAGES)
	@cd "$(CURDIR)" && bash .ci/deps --optional $(MPI_PACKAGES)

deps-test:
	@cd "$(CURDIR)" && bash .ci/deps $(PACKAGES) $(TEST_PACKAGES)
	@cd "$(CURDIR)" && bash .ci/deps --optional $(MPI_PACKAGES)

build: deps      ## the tools in release mode, in target/release
	cargo build --release --bins $(FEATURES)

demo: build      ## set up, build, run the tutorial, name the CSV, plot and ParaView files it wrote
	@$(MAKE) --no-print-directory -C workflows/ball-impact BIN=$(RELEASE) all
	@$(MAKE) --no-print-directory -C workflows/three-basic-objects BIN=$(RELEASE) all

test: deps-test $(PYTHON) ## set up and run every test that takes no longer than minutes
	SF_TEST_PYTHON=$(PYTHON) cargo test --workspace $(FEATURES) -- --test-threads 2

test-long: deps-test $(PYTHON) ## the same tests in full size: a million spheres, a hundred kills
	SF_LARGE=1 SF_TEST_PYTHON=$(PYTHON) cargo test --release --workspace $(FEATURES) -- --test-threads 2

long: deps build $(PLOTS) ## workflows that take hours; goes on where it was interrupted
	@$(MAKE) --no-print-directory -C workflows BIN=$(RELEASE) long

bench: deps build ## benchmarks; compare with docs/benchmarks.md
	cargo bench --workspace
	@if $(MAKE) --no-print-directory $(MUJOCO); then $(MUJOCO) benches/mujoco/compare.py $(RELEASE) target/bench-mujoco; \
	else echo "skipped: MuJoCo cannot be had from PyPI"; fi

bench-record: deps-test build $(PLOTS) ## a line a case into benches/record/history.csv, and its plot into docs/pictures
	$(PLOTS) benches/record/record.py $(RELEASE) benches/record/history.csv docs/pictures/history.png

check: deps      ## format, clippy, the arrows of docs/architecture.md, the tests that docs/validation.md names
	cargo fmt --all --check
	cargo clippy --workspace --all-targets $(FEATURES) -- -D warnings
	cargo test $(FEATURES) --test architecture --test validation_page

instructions: deps-test ## instructions of eight short cases, compared with their record
	.ci/instructions

install: SHARE = $(DESTDIR)$(PREFIX)/share
install: build   ## the tools into PREFIX/bin, manual pages and completions into PREFIX/share (default /usr/local)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -s $(TOOLS:%=$(RELEASE)/%) $(DESTDIR)$(PREFIX)/bin
	if [ -n "$(FEATURES)" ]; then install -s $(RELEASE)/sf-run-mpi $(DESTDIR)$(PREFIX)/bin; fi
	install tools/launcher/solfec $(DESTDIR)$(PREFIX)/bin
	ln -sf solfec $(DESTDIR)$(PREFIX)/bin/solfec-mpi
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 docs/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	for tool in $(TOOLS); do \
		install -m 644 docs/completions/$$tool.bash $(SHARE)/bash-completion/completions/$$tool && \
		install -m 644 docs/completions/_$$tool $(SHARE)/zsh/site-functions && \
		install -m 644 docs/completions/$$tool.fish $(SHARE)/fish/vendor_completions.d || exit 1; done

man:             ## manual pages into docs/man
	cargo run --quiet --example manual -- man docs/man

completions:     ## completions for bash, zsh and fish into docs/completions
	cargo run --quiet --example manual -- completions docs/completions

deps-paraview:   ## ParaView 5.11 and a virtual display, for the check of the exports with the real reader
	@cd "$(CURDIR)" && bash .ci/deps paraview python3-paraview xvfb xauth

clean:           ## remove everything built
	rm -rf target

# The interpreter of the format tests: a virtual environment with h5py and numpy.
$(PYTHON): .ci/python-requirements.txt
	python3 -m venv target/python
	target/python/bin/pip install --quiet --disable-pip-version-check -r .ci/python-requirements.txt
	touch $@

# The interpreter that draws the history of figures.
$(PLOTS): benches/record/requirements.txt
	python3 -m venv target/plots
	target/plots/bin/pip install --quiet --disable-pip-version-check -r benches/record/requirements.txt
	touch $@

# The interpreter of the comparison with MuJoCo.
$(MUJOCO): benches/mujoco/requirements.txt
	python3 -m venv target/mujoco
	target/mujoco/bin/pip install --quiet --disable-pip-version-check -r benches/mujoco/requirements.txt
	touch $@
