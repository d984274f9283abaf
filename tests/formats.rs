//! Model files and results: round trips, files of strangers, damage, other programs.

#[path = "formats/sample.rs"]
mod sample;

#[path = "formats/checkpoint.rs"]
mod checkpoint;

#[path = "formats/reopen.rs"]
mod reopen;

#[path = "formats/model.rs"]
mod model;

#[path = "formats/fields.rs"]
mod fields;

#[path = "formats/packed.rs"]
mod packed;

#[path = "formats/results.rs"]
mod results;

#[path = "formats/modes.rs"]
mod modes;

#[path = "formats/nodal.rs"]
mod nodal;

#[path = "formats/ranks.rs"]
mod ranks;

#[path = "formats/pages.rs"]
mod pages;

#[path = "formats/strangers.rs"]
mod strangers;
