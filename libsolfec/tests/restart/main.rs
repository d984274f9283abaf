//! Restart: a simulation restored from its state goes on bit for bit, whatever it is made of and however it is solved.

#[path = "../common/mod.rs"]
#[allow(dead_code, unused_imports)]
mod common;
mod messages;
mod models;
#[path = "../common/run.rs"]
#[allow(dead_code, unused_imports)]
mod run;
mod same;
mod scenes;
