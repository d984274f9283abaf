//! Local dynamics: FCLIB files and sf-locdyn-compare.

mod real;
