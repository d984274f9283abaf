//! What the binaries are made of: common manners of the command line, and one module for each tool.

pub mod cli;
