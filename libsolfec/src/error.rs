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

/// A number for a message, with four digits: `-0.5`, `1.179e-7`.
pub fn short(x: f64) -> String {
    let rounded = format!("{x:.3e}").parse().unwrap_or(x);
    if (1e-3..1e6).contains(&x.abs()) || x == 0.0 {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

impl Error {
    /// An [`Error::Input`] with this text.
    pub fn input(text: impl Into<String>) -> Self {
        Error::Input(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_messages_are_short() {
        for (x, text) in [(-1.000_000_2, "-1"), (0.117_851, "0.1179"), (0.0, "0"), (1e-6, "1e-6"), (2.5e7, "2.5e7")] {
            assert_eq!(short(x), text);
        }
        assert_eq!([short(f64::NAN), short(f64::INFINITY)], ["NaN", "inf"]);
    }
}
