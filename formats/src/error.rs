//! One error type for files. Every message names the file, where useful the dataset and the row, and the remedy.

use std::path::Path;

/// What went wrong with a file; the kind decides the exit code of a tool.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The file cannot be read or written (exit code 4).
    #[error("{0}")]
    Io(String),
    /// The file can be read, but it is not what it should be: foreign, damaged, inconsistent, too new (exit code 3).
    #[error("{0}")]
    Format(String),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn io(path: &Path, what: &str, cause: &std::io::Error) -> Self {
        let advice = match cause.kind() {
            std::io::ErrorKind::NotFound => "; check the name",
            std::io::ErrorKind::PermissionDenied => "; check the permissions",
            std::io::ErrorKind::StorageFull => "; make room on the disk",
            std::io::ErrorKind::NotADirectory => "; a file is in the way, give another name",
            _ => "",
        };
        let text = cause.to_string();
        let reason = text.split(" (os error").next().unwrap_or(&text).to_lowercase();
        Error::Io(format!("{}: cannot {what}: {reason}{advice}", path.display()))
    }

    pub(crate) fn format(place: &str, text: impl AsRef<str>) -> Self {
        Error::Format(format!("{place}: {}", text.as_ref()))
    }
}
