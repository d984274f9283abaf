//! Temporary folders that nobody else can foresee or open.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::CliError;

/// Names that are tried.
const TRIES: u32 = 100;

/// A folder in the place for temporary files; it goes with the value.
#[derive(Debug)]
pub struct PrivateFolder(PathBuf);

impl PrivateFolder {
    /// A new folder for this user alone. One that is there already, whoever made it, is never used.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn new(tool: &str) -> Result<PrivateFolder, CliError> {
        let place = std::env::temp_dir();
        let mut last = place.clone();
        let mut failure = None;
        for k in 0..TRIES {
            let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_nanos());
            last = place.join(format!("{tool}-{}-{clock:x}-{k}", std::process::id()));
            match std::fs::DirBuilder::new().mode(0o700).create(&last) {
                Ok(()) => return Ok(PrivateFolder(last)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => failure = Some(error),
                Err(error) => return Err(CliError::file(&last, "make the folder", &error)),
            }
        }
        let failure = failure.unwrap_or_else(|| std::io::ErrorKind::AlreadyExists.into());
        Err(CliError::file(&last, "make the folder", &failure))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::PrivateFolder;

    #[test]
    fn it_is_for_its_user_alone_and_goes() {
        let folder = PrivateFolder::new("sf-test").unwrap();
        let path = folder.path().to_path_buf();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert_ne!(PrivateFolder::new("sf-test").unwrap().path(), path);
        drop(folder);
        assert!(!path.exists());
    }
}
