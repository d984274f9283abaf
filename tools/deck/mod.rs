//! The Python front-end: a deck runs in a Python of its own and its commands act on a [`Session`].
//!
//! [`table`] says what a deck can call, [`commands`] what then happens, [`session`] on what; [`engine`] performs runs,
//! and [`domain::Mode`] says what a SOLFEC object does with operations. The rest is transport: `process` starts the
//! child, `host` serves it, `frame` and `value` are its protocol (docs/decks.md), `prelude.py` and `python2.py` the
//! other end. A command sees checked arguments and the session, and nothing of Python.

pub mod args;
mod beside;
pub mod bind;
pub mod commands;
pub mod continuation;
mod deferred;
mod differences;
mod dispatch;
pub mod domain;
pub mod engine;
pub mod environment;
pub mod export;
pub mod fault;
mod frame;
mod host;
pub mod kinds;
mod known_functions;
mod making;
pub mod matching;
pub mod now;
mod now_constraints;
pub mod objects;
pub mod place;
mod process;
pub mod query;
pub mod reference;
mod replay;
mod sampling;
pub mod script;
pub mod series_rows;
mod service;
pub mod session;
pub mod shapes;
pub mod snapshots;
pub mod stored;
pub mod table;
pub mod tabulate;
mod value;
mod values;

pub use environment::{Environment, Recording};
pub use fault::{Fault, FaultKind};
pub use objects::Objects;
pub use process::{convert, run, Deck, Ended, Python2};
pub use session::Session;
pub use table::Language;
pub use value::{Handle, Value};
pub use values::model_difference;
