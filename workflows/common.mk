# Shared by all workflows. A workflow defines its products and how each is made.
# The tools of this checkout if they are built, else those on the path.
BUILT := ../../target/release
FOUND := $(shell command -v sf-run)
BIN ?= $(abspath $(if $(wildcard $(BUILT)/sf-run),$(BUILT),$(if $(FOUND),$(dir $(FOUND)),$(BUILT))))
OUT := out
# exact.py writes the exact curves, or compares a table with them. It needs only python3.
EXACT := PYTHONPATH=.. PYTHONDONTWRITEBYTECODE=1 python3 exact.py
# 'make' alone makes everything; without this line it would be the first target below.
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
SHELL := /bin/bash -o pipefail

clean:
	rm -rf $(OUT)
.PHONY: all clean
