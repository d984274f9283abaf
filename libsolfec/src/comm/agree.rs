//! One outcome for all ranks of what may fail on some.

use super::{any, gather, Communicator};
use crate::{Error, Result};

/// The kinds of errors by their number in a message.
const KINDS: [fn(String) -> Error; 4] = [Error::Input, Error::Solver, Error::Penetration, Error::NotFinite];

/// The outcome of this rank if no rank has an error, else the error of the first rank that has one.
///
/// # Errors
/// The same on all ranks.
pub fn agree<T>(comm: &dyn Communicator, own: Result<T>) -> Result<T> {
    if comm.size() == 1 || !any(comm, own.is_err()) {
        return own;
    }
    let message = own.as_ref().err().map(encoded).unwrap_or_default();
    let mut first = None;
    gather(comm, &message, |_, bytes| first = first.take().or_else(|| decoded(bytes)));
    match first {
        Some(error) => Err(error),
        None => own,
    }
}

fn encoded(error: &Error) -> Vec<u8> {
    let (kind, text) = match error {
        Error::Input(text) => (0, text),
        Error::Solver(text) => (1, text),
        Error::Penetration(text) => (2, text),
        Error::NotFinite(text) => (3, text),
    };
    [&[kind], text.as_bytes()].concat()
}

fn decoded(bytes: &[u8]) -> Option<Error> {
    let (kind, text) = bytes.split_first()?;
    let error = KINDS.get(usize::from(*kind))?;
    Some(error(String::from_utf8_lossy(text).into_owned()))
}
