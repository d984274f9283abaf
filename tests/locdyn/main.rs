//! Local dynamics: FCLIB files and sf-locdyn-compare.

mod cli;
mod compare;
mod files;
mod python;
mod real;
mod sample;
mod solve;
