//! Exit codes and the error that carries one.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// Why a tool ended. The numbers are the contract with shells and Makefiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    Success,
    /// A negative answer: different, or a check found problems.
    No,
    Usage,
    /// Deck or model invalid, foreign or truncated input.
    BadInput,
    /// File missing, existing, damaged, not readable, not writable.
    Io,
    /// Stopped early on request.
    Stopped,
    /// Solver failure, unphysical penetration, NaN.
    Numerical,
    /// The deck needs live execution.
    NeedsLive,
    /// A caught panic.
    Internal,
    /// Memory that was asked for is not to be had.
    Memory,
    /// Checkpointed for requeue.
    Requeue,
    /// Ended by this signal after an orderly flush.
    Signal(u8),
    /// A code that is passed through: of `sys.exit(n)` in a deck, of a launcher.
    Passed(u8),
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::No => 1,
            Exit::Usage => 2,
            Exit::BadInput => 3,
            Exit::Io => 4,
            Exit::Stopped => 5,
            Exit::Numerical => 6,
            Exit::NeedsLive => 7,
            Exit::Internal => 70,
            Exit::Memory => 71,
            Exit::Requeue => 75,
            Exit::Signal(n) => 128u8.saturating_add(n),
            Exit::Passed(n) => n,
        }
    }

    /// What `--json` calls an error that has no better name.
    fn name(self) -> &'static str {
        match self {
            Exit::Success => "E_NONE",
            Exit::No => "E_NO",
            Exit::Usage => "E_USAGE",
            Exit::BadInput => "E_INPUT",
            Exit::Io => "E_IO",
            Exit::Stopped => "E_STOPPED",
            Exit::Numerical => "E_NUMERICAL",
            Exit::NeedsLive => "E_NEEDS_LIVE",
            Exit::Internal => "E_INTERNAL",
            Exit::Memory => "E_MEMORY",
            Exit::Requeue => "E_REQUEUE",
            Exit::Signal(_) => "E_SIGNAL",
            Exit::Passed(_) => "E_DECK_EXIT",
        }
    }
}

/// An error as a tool reports it: its exit code and one line of text. An empty text prints nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliError {
    pub code: Exit,
    /// Stable name for programs, as `E_IO_EXISTS` (docs/formats/status.md).
    pub name: &'static str,
    pub text: String,
}

impl CliError {
    pub fn new(code: Exit, text: impl Into<String>) -> Self {
        CliError { code, name: code.name(), text: text.into() }
    }

    /// The same with another name for programs.
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Something is there that must not be replaced.
    pub fn exists(text: impl Into<String>) -> Self {
        Self::new(Exit::Io, text).named("E_IO_EXISTS")
    }

    pub fn usage(text: impl Into<String>) -> Self {
        Self::new(Exit::Usage, text)
    }

    pub fn bad_input(text: impl Into<String>) -> Self {
        Self::new(Exit::BadInput, text)
    }

    /// Ends with `code` and says nothing: help was printed, the reader of the pipe has left.
    pub fn quiet(code: Exit) -> Self {
        Self::new(code, "")
    }

    /// A failed operation on a file: `path: cannot <action>: <reason of the system>`.
    pub fn file(path: &Path, action: &str, error: &io::Error) -> Self {
        Self::new(Exit::Io, format!("{}: cannot {action}: {}", path.display(), reason(error)))
    }

    /// A failed write to standard output. A reader that closed the pipe early is no error.
    pub fn stdout(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::quiet(Exit::Success);
        }
        Self::new(Exit::Io, format!("standard output: cannot write: {}", reason(error)))
    }

    /// Puts `place: ` before the text.
    pub fn at(mut self, place: impl std::fmt::Display) -> Self {
        if !self.text.is_empty() {
            self.text = format!("{place}: {}", self.text);
        }
        self
    }
}

/// The system's reason without Rust's `(os error n)`.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

impl From<solfec::Error> for CliError {
    fn from(error: solfec::Error) -> Self {
        let (code, name) = match error {
            solfec::Error::Input(_) => (Exit::BadInput, "E_INPUT"),
            solfec::Error::Solver(_) => (Exit::Numerical, "E_SOLVER_DIVERGED"),
            solfec::Error::Penetration(_) => (Exit::Numerical, "E_PENETRATION"),
            solfec::Error::NotFinite(_) => (Exit::Numerical, "E_NOT_FINITE"),
        };
        CliError::new(code, error.to_string()).named(name)
    }
}

impl From<solfec_formats::Error> for CliError {
    fn from(error: solfec_formats::Error) -> Self {
        let (code, name) = match error {
            solfec_formats::Error::Io(_) => (Exit::Io, "E_IO"),
            solfec_formats::Error::Full(_) => (Exit::Io, "E_IO_FULL"),
            solfec_formats::Error::Format(_) => (Exit::BadInput, "E_FORMAT"),
        };
        CliError::new(code, error.to_string()).named(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_table_of_the_manual() {
        let codes = [
            (Exit::Success, 0),
            (Exit::No, 1),
            (Exit::Usage, 2),
            (Exit::BadInput, 3),
            (Exit::Io, 4),
            (Exit::Stopped, 5),
            (Exit::Numerical, 6),
            (Exit::NeedsLive, 7),
            (Exit::Internal, 70),
            (Exit::Memory, 71),
            (Exit::Requeue, 75),
            (Exit::Signal(2), 130),
            (Exit::Passed(42), 42),
        ];
        for (exit, code) in codes {
            assert_eq!(exit.code(), code);
        }
    }

    #[test]
    fn broken_pipe_is_a_quiet_success() {
        let error = CliError::stdout(&io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(error, CliError::quiet(Exit::Success));
    }

    #[test]
    fn the_system_reason_has_no_number() {
        let error = CliError::stdout(&io::Error::from_raw_os_error(28));
        assert_eq!(error.text, "standard output: cannot write: no space left on device");
        assert_eq!(error.code, Exit::Io);
    }
}
