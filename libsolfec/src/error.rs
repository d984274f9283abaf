//! One error type for the mechanics. A message names the offending object, its value and the remedy; the tool that
//! prints it adds its own name and the place in the deck.

/// What went wrong, by kind; the kinds decide exit codes and Python exceptions.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The input is wrong: a value out of range, an inconsistent table.
    #[error("{0}")]
    Input(String),
    /// A numerical method failed and was asked not to go on.
    #[error("{0}")]
    Solver(String),
    /// Bodies overlap deeper than UNPHYSICAL_PENETRATION allows.
    #[error("{0}")]
    Penetration(String),
    /// The state is no longer finite.
    #[error("{0}")]
    NotFinite(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An [`Error::Input`] with this text.
    pub fn input(text: impl Into<String>) -> Self {
        Error::Input(text.into())
    }
}
