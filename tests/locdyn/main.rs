//! Local dynamics: FCLIB files and sf-locdyn-compare.

mod cli;
mod compare;
#[path = "../support/data.rs"]
mod data;
mod files;
mod python;
mod real;
mod sample;
#[path = "../support/skip.rs"]
mod skip;
mod solve;
