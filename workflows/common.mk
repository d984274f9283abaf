# What the workflows share. A workflow sets DECK and the names of its products, and says how each is made.
BIN ?= $(abspath ../../target/release)
OUT := out
# 'make' alone makes everything; without this line it would be the first target below.
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
SHELL := /bin/bash -o pipefail

clean:
	rm -rf $(OUT)
.PHONY: all clean
