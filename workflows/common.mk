# What the workflows share. A workflow sets DECK and the names of its products, and says how each is made.
BIN ?= $(abspath ../../target/release)
OUT := out
.DELETE_ON_ERROR:
SHELL := /bin/bash -o pipefail

clean:
	rm -rf $(OUT)
.PHONY: all clean
