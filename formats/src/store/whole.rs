//! Files that appear whole or not at all: written under another name, closed, fsynced, renamed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hdf5::file::LibraryVersion;
use hdf5::File;

use super::fault::failed_write;
use super::output::{create_options, Out, V110};
use super::{options, seal};
use crate::error::{Error, Result};
use crate::schema::Column;

/// Name of a file while it is being written.
pub(crate) fn part_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Makes the file `path` appear whole: written as `path.part`, closed, fsynced, renamed.
pub(crate) fn create(
    path: &Path,
    schema: &'static [Column],
    level: u8,
    fill: impl FnOnce(&mut Out) -> Result<()>,
) -> Result<()> {
    appear(path, |part| new_part(part, path, schema, level, fill))
}

/// The same for a file that ends with its seal ([`super::seal`]).
pub(crate) fn create_sealed(
    path: &Path,
    schema: &'static [Column],
    fill: impl FnOnce(&mut Out) -> Result<()>,
) -> Result<()> {
    appear(path, |part| {
        new_part(part, path, schema, 0, fill)?;
        seal::seal(part).map_err(|e| Error::io(path, "write", &e))
    })
}

/// Makes the file `to` appear whole as a copy of `from` with changes.
pub(crate) fn amend(
    from: &Path,
    to: &Path,
    schema: &'static [Column],
    change: impl FnOnce(&mut Out) -> Result<()>,
) -> Result<()> {
    appear(to, |part| {
        let mut from = std::fs::File::open(from).map_err(|e| Error::io(from, "read", &e))?;
        let copy = fresh(part).and_then(|mut part| io::copy(&mut from, &mut part));
        copy.map_err(|e| Error::io(to, "write", &e))?;
        fill_part(options().open_rw(part), to, schema, 0, change)
    })
}

/// Gives the file that `write` makes the name `path` once it is whole and on the disk.
fn appear(path: &Path, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let part = part_name(path);
    let settled = || {
        std::fs::File::open(&part)?.sync_all()?;
        std::fs::rename(&part, path)
    };
    let written = write(&part).and_then(|()| settled().map_err(|e| Error::io(path, "write", &e)));
    if written.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&part);
        return written;
    }
    sync_folder(path)
}

fn new_part(
    part: &Path,
    path: &Path,
    schema: &'static [Column],
    level: u8,
    fill: impl FnOnce(&mut Out) -> Result<()>,
) -> Result<()> {
    // HDF5 hides errno: let the system say why the file cannot be made.
    fresh(part).map_err(|e| Error::io(path, "write", &e))?;
    let file = create_options().with_fapl(|p| p.libver_bounds(LibraryVersion::V18, V110)).create(part);
    fill_part(file, path, schema, level, fill)
}

fn fill_part(
    file: hdf5::Result<File>,
    path: &Path,
    schema: &'static [Column],
    level: u8,
    fill: impl FnOnce(&mut Out) -> Result<()>,
) -> Result<()> {
    let failed = |e: hdf5::Error| failed_write(&path.display().to_string(), &e);
    let mut out = file.and_then(|file| Out::on(file, path.display().to_string(), schema, level)).map_err(failed)?;
    fill(&mut out)?;
    out.close().map_err(failed)
}

/// Makes an empty file that nobody else has open: what has its name is removed first, and a link is never followed.
pub fn fresh(path: &Path) -> io::Result<std::fs::File> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    std::fs::OpenOptions::new().write(true).create_new(true).open(path)
}

/// Makes the file appear whole with these bytes; a link in its place is replaced, not followed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = part_name(path);
    let written = fresh(&part).and_then(|mut file| file.write_all(bytes));
    let written = written.and_then(|()| std::fs::rename(&part, path));
    if written.is_err() {
        // The first error is the one to report.
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Makes a folder in `dir`. One that is there must be a folder itself: through a link files of others could be
/// written over.
pub(crate) fn own_folder(dir: &Path, name: &str) -> Result<PathBuf> {
    let folder = dir.join(name);
    std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, "make the directory", &e))?;
    if std::fs::symlink_metadata(&folder).is_ok_and(|m| m.is_symlink()) {
        let text = "is a symbolic link, and nothing is written through links of a results directory; remove it, or \
                    let the whole directory be a link";
        return Err(Error::Io(format!("{}: {text}", folder.display())));
    }
    Ok(folder)
}

/// Gives a file that is whole a second name, whatever had that name before.
pub(crate) fn also_named(path: &Path, other: &Path) -> Result<()> {
    let part = part_name(other);
    let copied = || {
        let mut copy = fresh(&part)?;
        io::copy(&mut std::fs::File::open(path)?, &mut copy)?;
        copy.sync_all()
    };
    // What a killed process left.
    let _ = std::fs::remove_file(&part);
    // Not every file system has links.
    let made = std::fs::hard_link(path, &part).or_else(|_| copied());
    made.and_then(|()| std::fs::rename(&part, other)).map_err(|e| Error::io(other, "write", &e))?;
    // A rename between two names of one file does nothing.
    let _ = std::fs::remove_file(&part);
    sync_folder(other)
}

/// Makes renames in the folder of `path` durable.
fn sync_folder(path: &Path) -> Result<()> {
    let folder = match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p,
        _ => Path::new("."),
    };
    std::fs::File::open(folder).and_then(|f| f.sync_all()).map_err(|e| Error::io(folder, "write", &e))
}
