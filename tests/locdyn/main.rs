//! Local dynamics: FCLIB files and sf-locdyn-compare.

mod files;
mod real;
mod sample;
