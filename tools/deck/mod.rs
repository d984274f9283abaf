//! The Python front-end: a deck runs in a Python of its own and its commands act on a [`Session`].
//!
//! [`table`] says what a deck can call, [`commands`] what then happens, [`session`] on what. The rest is transport:
//! `host` starts and serves the child, `frame` and `value` are its protocol (docs/decks.md), `prelude.py` and
//! `python2.py` the other end. A command sees checked arguments and the session, and nothing of Python.

pub mod bind;
pub mod bound;
pub mod commands;
mod deferred;
mod differences;
mod dispatch;
pub mod engine;
pub mod fault;
mod frame;
mod host;
pub mod now;
pub mod reference;
pub mod session;
pub mod stored;
pub mod table;
mod value;

pub use fault::{Fault, FaultKind};
pub use host::{convert, run, Deck, Ended, Python2};
pub use session::{Environment, Recording, Session};
pub use table::Language;
pub use value::{Handle, Value};
