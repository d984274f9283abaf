//! What the binaries are made of: common manners of the command line, and one module for each tool.

#[path = "sf-build/mod.rs"]
pub mod build;
pub mod cli;
pub mod deck;
pub mod draw;
#[path = "sf-history/mod.rs"]
pub mod history;
#[path = "sf-info/mod.rs"]
pub mod info;
#[path = "sf-locdyn-compare/mod.rs"]
pub mod locdyn;
#[path = "sf-mm-export/mod.rs"]
pub mod matrices;
#[path = "sf-mesh/mod.rs"]
pub mod mesh;
pub mod mesher;
#[path = "sf-modal/mod.rs"]
pub mod modal;
#[path = "sf-run/mod.rs"]
pub mod run;
pub mod siconos;
#[path = "sf-xdmf/mod.rs"]
pub mod xdmf;
