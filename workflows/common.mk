# Shared by all workflows. A workflow defines its products and how each is made.
# The tools: those built here, else those installed.
BUILT := $(abspath ../../target/release)
FOUND := $(patsubst %/,%,$(dir $(shell command -v sf-run)))
BIN ?= $(if $(wildcard $(BUILT)/sf-run),$(BUILT),$(FOUND))
OUT := out
# exact.py writes the exact curves, or compares a table with them. It needs only python3.
EXACT := PYTHONPATH=.. PYTHONDONTWRITEBYTECODE=1 python3 exact.py
# A picture of bodies, as sf-mesh draws it.
VIEW := --by part --no-legend --size 900 500
# 'make' alone makes everything; without this line it would be the first target below.
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
SHELL := /bin/bash -o pipefail

clean:
	rm -rf $(OUT)
.PHONY: all clean
