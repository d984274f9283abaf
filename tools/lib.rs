//! What the binaries are made of: common manners of the command line, and one module for each tool.

pub mod cli;
#[path = "sf-history/mod.rs"]
pub mod history;
#[path = "sf-xdmf/mod.rs"]
pub mod xdmf;
