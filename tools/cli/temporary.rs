//! Folders for a while.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::CliError;

/// Names that are tried: one that is taken is another's.
const TRIES: usize = 100;

/// A folder of this process alone, under a name that nobody can foresee; it goes with the value.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// Makes `NAME-…` in the folder of the system.
    pub fn new(name: &str) -> Result<Self, CliError> {
        let base = std::env::temp_dir();
        for _ in 0..TRIES {
            let path = base.join(format!("{name}-{:016x}", RandomState::new().build_hasher().finish()));
            match std::fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Temporary(path)),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                Err(e) => return Err(CliError::file(&base, "make a folder", &e)),
            }
        }
        Err(CliError::file(&base, "make a folder", &ErrorKind::AlreadyExists.into()))
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl AsRef<Path> for Temporary {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_folders_go() {
        let (a, b) = (Temporary::new("sf-test").unwrap(), Temporary::new("sf-test").unwrap());
        assert_ne!(a.as_ref(), b.as_ref());
        let path = a.as_ref().to_path_buf();
        assert!(path.is_dir());
        drop(a);
        assert!(!path.exists());
    }
}
