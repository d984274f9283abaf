//! Restart: a simulation restored from its state goes on bit for bit, whatever it is made of and however it is solved.

mod messages;
mod models;
mod same;
mod scenes;
