//! Outputs: standard output with late errors seen, and files written under another name and renamed when whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{CliError, Exit};

/// A file that is written as `NAME.part` and takes its name on [`Part::commit`]; dropped before, it leaves nothing.
/// For writers that open the path themselves (HDF5); text goes through [`Product`].
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    part: PathBuf,
    committed: bool,
}

impl Part {
    /// Reserves `path`. Errors (code 4): it exists and `force` is false, its folder does not exist.
    pub fn create(path: &Path, force: bool) -> Result<Self, CliError> {
        if path.is_dir() {
            return Err(CliError::new(Exit::Io, format!("{}: is a directory; give a file name", path.display())));
        }
        if path.exists() && !force {
            return Err(CliError::exists(format!("{}: exists; use --force to overwrite it", path.display())));
        }
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.exists()) {
            let text =
                format!("{}: cannot write: folder {} does not exist; make it first", path.display(), folder.display());
            return Err(CliError::new(Exit::Io, text));
        }
        let mut part = path.as_os_str().to_os_string();
        part.push(".part");
        Ok(Part { path: path.into(), part: part.into(), committed: false })
    }

    /// Where to write.
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// Syncs the written file and gives it its name.
    pub fn commit(mut self) -> Result<(), CliError> {
        let sync = || OpenOptions::new().write(true).open(&self.part)?.sync_all();
        sync().map_err(|e| CliError::file(&self.path, "write", &e))?;
        fs::rename(&self.part, &self.path).map_err(|e| CliError::file(&self.path, "write", &e))?;
        self.committed = true;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.committed {
            let _ = fs::remove_file(&self.part);
        }
    }
}

enum Target {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A pipe or device given by name: nothing to rename.
    Device(PathBuf, BufWriter<File>),
    File(Part, BufWriter<File>),
}

/// The product of a tool as text or bytes: standard output (`-` or no name) or a file written whole.
pub struct Product(Target);

impl Product {
    /// Opens standard output (`None` or `-`) or a file.
    pub fn open(path: Option<&Path>, force: bool) -> Result<Self, CliError> {
        let path = match path {
            None => return Ok(Self::stdout()),
            Some(p) if p == Path::new("-") => return Ok(Self::stdout()),
            Some(p) => p,
        };
        let fail = |e: io::Error| CliError::file(path, "write", &e);
        if fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
            let file = OpenOptions::new().write(true).open(path).map_err(fail)?;
            return Ok(Product(Target::Device(path.into(), BufWriter::new(file))));
        }
        let part = Part::create(path, force)?;
        let file = solfec_formats::fresh(part.part()).map_err(fail)?;
        Ok(Product(Target::File(part, BufWriter::new(file))))
    }

    fn stdout() -> Self {
        Product(Target::Stdout(BufWriter::new(io::stdout().lock())))
    }

    /// Writes bytes; the error carries its exit code, quiet for a closed pipe.
    pub fn put(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        if matches!(self.0, Target::Stdout(_)) {
            STDOUT_USED.store(true, Ordering::Relaxed);
        }
        match &mut self.0 {
            Target::Stdout(w) => w.write_all(bytes).map_err(|e| CliError::stdout(&e)),
            Target::Device(path, w) => w.write_all(bytes).map_err(|e| CliError::file(path, "write", &e)),
            Target::File(part, w) => w.write_all(bytes).map_err(|e| CliError::file(&part.path, "write", &e)),
        }
    }

    /// Flushes, checks, and gives a file its name. Without this call nothing is left of a file.
    pub fn finish(self) -> Result<(), CliError> {
        match self.0 {
            Target::Stdout(mut w) => w.flush().and_then(|()| w.get_mut().flush()).map_err(|e| CliError::stdout(&e)),
            Target::Device(path, mut w) => w.flush().map_err(|e| CliError::file(&path, "write", &e)),
            Target::File(part, mut w) => {
                w.flush().map_err(|e| CliError::file(&part.path, "write", &e))?;
                drop(w);
                part.commit()
            }
        }
    }
}

static STDOUT_USED: AtomicBool = AtomicBool::new(false);

/// Whether a product is, at least in part, on standard output.
pub(super) fn stdout_used() -> bool {
    STDOUT_USED.load(Ordering::Relaxed)
}

/// Writes all of `bytes` to standard output and flushes.
pub fn write_stdout(bytes: &[u8]) -> Result<(), CliError> {
    let mut product = Product::stdout();
    product.put(bytes)?;
    product.finish()
}

/// Usage error when standard output, about to receive binary, is a terminal.
pub fn refuse_binary_to_terminal() -> Result<(), CliError> {
    if io::stdout().is_terminal() {
        return Err(CliError::usage("standard output is a terminal; use -o FILE"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("sf-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_file_appears_only_when_finished() {
        let folder = folder("finished");
        let path = folder.join("a.csv");
        let mut product = Product::open(Some(&path), false).unwrap();
        product.put(b"time\n").unwrap();
        assert!(!path.exists());
        product.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"time\n");
        let refused = Product::open(Some(&path), false).err().unwrap();
        assert_eq!(refused.code, Exit::Io);
        assert!(refused.text.ends_with("exists; use --force to overwrite it"));
        drop(Product::open(Some(&path), true).unwrap());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no .part is left");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_missing_folder_is_named() {
        let error = Product::open(Some(Path::new("/nonexistent/a/t.csv")), false).err().unwrap();
        assert_eq!(error.code, Exit::Io);
        assert_eq!(
            error.text,
            "/nonexistent/a/t.csv: cannot write: folder /nonexistent/a does not exist; make it first"
        );
    }

    #[test]
    fn a_full_device_is_an_error() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            solfec_testing::skip::skipped("no /dev/full");
            return;
        }
        let mut product = Product::open(Some(full), false).unwrap();
        product.put(b"x").unwrap();
        let error = product.finish().unwrap_err();
        assert_eq!(error.code, Exit::Io);
        assert_eq!(error.text, "/dev/full: cannot write: no space left on device");
    }
}
