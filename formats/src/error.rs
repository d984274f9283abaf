//! One error type for files. Every message names the file, where useful the dataset and the row, and the remedy.

use std::io::ErrorKind;
use std::path::Path;

/// What went wrong with a file; the kind decides the exit code of a tool.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The file cannot be read or written (exit code 4).
    #[error("{0}")]
    Io(String),
    /// There is no room for what is to be written (exit code 4); what was stored before is whole.
    #[error("{0}")]
    Full(String),
    /// The file can be read, but it is not what it should be: foreign, damaged, inconsistent, too new (exit code 3).
    #[error("{0}")]
    Format(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn io(path: &Path, what: &str, cause: &std::io::Error) -> Self {
        Self::of_system(&path.display().to_string(), what, cause)
    }

    /// The system refuses to do `what` with `place`.
    pub(crate) fn of_system(place: &str, what: &str, cause: &std::io::Error) -> Self {
        let text = cause.to_string();
        let reason = text.split(" (os error").next().unwrap_or(&text).to_lowercase();
        let full = |advice: &str| Error::Full(format!("{place}: cannot {what}: {reason}; {advice}"));
        let advice = match cause.kind() {
            ErrorKind::NotFound => "; check the name",
            ErrorKind::PermissionDenied => "; check the permissions",
            ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "; a file is in the way, give another name",
            ErrorKind::StorageFull => return full("make room on the disk"),
            ErrorKind::QuotaExceeded => return full("remove files, or ask for a larger quota"),
            ErrorKind::FileTooLarge => return full("raise the limit for the size of files (ulimit -f)"),
            _ => "",
        };
        Error::Io(format!("{place}: cannot {what}: {reason}{advice}"))
    }

    pub(crate) fn format(place: &str, text: impl AsRef<str>) -> Self {
        Error::Format(format!("{place}: {}", text.as_ref()))
    }
}
