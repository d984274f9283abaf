# What the workflows share. A workflow sets DECK and the names of its products, and says how each is made.
BIN ?= $(abspath ../../target/release)
OUT := out
# exact.py writes the exact curves, or tells the number that matters of a table. It needs no more than python3.
EXACT := PYTHONPATH=.. PYTHONDONTWRITEBYTECODE=1 python3 exact.py
# 'make' alone makes everything; without this line it would be the first target below.
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
SHELL := /bin/bash -o pipefail

clean:
	rm -rf $(OUT)
.PHONY: all clean
