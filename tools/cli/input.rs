//! Inputs: files by name, and whole HDF5 images from standard input.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::Path;

use solfec_formats::results::{Reader, Results};

use super::CliError;

/// First bytes of every HDF5 file (HDF5 file format specification, superblock).
const HDF5_SIGNATURE: [u8; 8] = *b"\x89HDF\r\n\x1a\n";

/// Error 4 with the name when `path` does not exist or cannot be looked at.
pub fn require_exists(path: &Path) -> Result<(), CliError> {
    std::fs::metadata(path).map(|_| ()).map_err(|e| CliError::file(path, "read", &e))
}

/// Error 4 when the file cannot be read, 3 when it is not HDF5.
pub fn check_hdf5_file(path: &Path) -> Result<(), CliError> {
    let fail = |e: std::io::Error| CliError::file(path, "read", &e);
    let mut start = Vec::with_capacity(HDF5_SIGNATURE.len());
    File::open(path).map_err(fail)?.take(HDF5_SIGNATURE.len() as u64).read_to_end(&mut start).map_err(fail)?;
    check_hdf5_bytes(&start, &path.display().to_string())
}

/// Error 3 when `bytes` do not begin an HDF5 file; `name` says where they come from.
pub fn check_hdf5_bytes(bytes: &[u8], name: &str) -> Result<(), CliError> {
    if bytes.is_empty() {
        return Err(CliError::bad_input(format!("{name}: is empty; give an HDF5 file")));
    }
    if !bytes.starts_with(&HDF5_SIGNATURE) {
        return Err(CliError::bad_input(format!(
            "{name}: is not an HDF5 file; give a file made by sf-build or sf-run"
        )));
    }
    Ok(())
}

/// The whole of standard input, which must be an HDF5 image.
pub fn read_hdf5_stdin() -> Result<Vec<u8>, CliError> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err(CliError::usage("standard input is a terminal; give a file or use a pipe"));
    }
    let mut bytes = Vec::new();
    stdin.lock().read_to_end(&mut bytes).map_err(|e| CliError::file(Path::new("standard input"), "read", &e))?;
    if bytes.is_empty() {
        return Err(CliError::bad_input(
            "standard input is empty: the command before the pipe failed or wrote nothing (see its message above); use \
             'set -o pipefail'",
        ));
    }
    check_hdf5_bytes(&bytes, "standard input")?;
    Ok(bytes)
}

/// Opens the results directory `path`, the master in it, or packed results; `-` is standard input. Errors: missing or
/// unreadable (4), not results (3).
pub fn open_results(path: &Path) -> Result<Results, CliError> {
    if path == Path::new("-") {
        return Ok(Results::from_bytes(read_hdf5_stdin()?, "standard input")?);
    }
    require_exists(path)?;
    if path.is_file() {
        check_hdf5_file(path)?;
    }
    Ok(Reader::open(path)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Exit;

    #[test]
    fn foreign_bytes_are_bad_input() {
        for bytes in [&b""[..], b"hello world", b"\x89HD"] {
            let error = check_hdf5_bytes(bytes, "a.h5").unwrap_err();
            assert_eq!(error.code, Exit::BadInput);
            assert!(error.text.starts_with("a.h5: "), "{}", error.text);
        }
        assert!(check_hdf5_bytes(b"\x89HDF\r\n\x1a\n...", "a.h5").is_ok());
    }

    #[test]
    fn missing_file_is_named() {
        let error = check_hdf5_file(Path::new("/nonexistent/x.h5")).unwrap_err();
        assert_eq!(error.code, Exit::Io);
        assert_eq!(error.text, "/nonexistent/x.h5: cannot read: no such file or directory");
    }
}
