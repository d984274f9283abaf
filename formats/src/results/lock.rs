//! One writer for each results directory. The file `lock` names the process that writes, and the system's lock on it
//! dies with that process, however it ends. Where the file system has no locks the file alone counts: it is taken over
//! once the process it names is gone for certain. Readers ignore both.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;
use serde_json::{json, Value};

use super::reader::Results;
use crate::error::{Error, Result};

/// Name of the file.
const NAME: &str = "lock";
/// Tries to lock a file that others make and remove meanwhile.
const TRIES: usize = 20;

/// So many times a lock that is held is tried again, after this time.
const LOOKS: usize = 4;
const LOOK: Duration = Duration::from_millis(10);

/// The process that writes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holder {
    pub host: String,
    pub pid: u32,
    /// When the process began [clock ticks since the boot], and the boot: a number of a process is used again.
    pub start: u64,
    pub boot: String,
}

impl Holder {
    fn this() -> Self {
        let pid = std::process::id();
        Holder { host: host(), pid, start: start_of(pid).unwrap_or(0), boot: boot() }
    }

    fn text(&self) -> String {
        json!({"host": self.host, "pid": self.pid, "start": self.start, "boot": self.boot}).to_string()
    }

    fn parse(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        Some(Holder {
            host: value["host"].as_str()?.into(),
            pid: value["pid"].as_u64()?.try_into().ok()?,
            start: value["start"].as_u64()?,
            boot: value["boot"].as_str()?.into(),
        })
    }

    /// Whether the process cannot be there any more. Of other hosts nobody knows.
    fn is_gone(&self) -> bool {
        let here = self.host == host() && !self.boot.is_empty() && !boot().is_empty();
        here && (self.boot != boot() || start_of(self.pid) != Some(self.start))
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "process {} on {}", self.pid, self.host.escape_debug())
    }
}

/// The right to write into a directory; it ends with the value or the process.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Takes the lock of the results in `dir`, which exists.
    ///
    /// # Errors
    /// Another process, or another writer of this one, has it: who.
    pub fn take(dir: &Path) -> Result<Lock> {
        Self::take_with(dir, File::try_lock)
    }

    fn take_with(dir: &Path, try_lock: fn(&File) -> std::result::Result<(), TryLockError>) -> Result<Lock> {
        let path = dir.join(NAME);
        let failed = |e: io::Error| Error::io(&path, "lock", &e);
        for tried in 1..=TRIES {
            let file = open(&path, true).map_err(failed)?;
            match try_lock(&file) {
                // Somebody may only be looking whether it is held.
                Err(TryLockError::WouldBlock) if tried < LOOKS => {
                    std::thread::sleep(LOOK);
                    continue;
                }
                Err(TryLockError::WouldBlock) => return Err(held(&path, read(&file))),
                Ok(()) => {}
                Err(TryLockError::Error(_)) => {
                    // No locks here.
                    match read(&file) {
                        Some(holder) if !holder.is_gone() => return Err(held(&path, Some(holder))),
                        // Only one of those who see that the process is gone can take its file away.
                        Some(holder) => take_away(&path, &holder).map_err(failed)?,
                        None => {}
                    }
                }
            }
            // Who had it before may have removed the file between our two calls.
            if is_at(&file, &path) {
                let mut lock = Lock { path: path.clone(), file };
                lock.sign().map_err(failed)?;
                return Ok(lock);
            }
        }
        Err(held(&path, None))
    }

    fn sign(&mut self) -> io::Result<()> {
        self.file.rewind()?;
        self.file.set_len(0)?;
        self.file.write_all(Holder::this().text().as_bytes())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still ours: whoever opens the same name later makes a new file.
        if is_at(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn open(path: &Path, make: bool) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW.bits() as i32;
    OpenOptions::new().read(true).write(make).create(make).truncate(false).custom_flags(flags).open(path)
}

/// Who signed the file.
fn read(mut file: &File) -> Option<Holder> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(1 << 12).read_to_string(&mut text).ok()?;
    Holder::parse(&text)
}

/// Whether the open file still has its name.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(named)) = (file.metadata(), std::fs::symlink_metadata(path)) else { return false };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

/// Removes the file that this process signed, and puts back one that somebody else has signed meanwhile.
fn take_away(path: &Path, signed: &Holder) -> io::Result<()> {
    let aside = path.with_file_name(format!("{NAME}.{}.part", std::process::id()));
    match std::fs::rename(path, &aside) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    }
    if open(&aside, false).ok().and_then(|file| read(&file)).as_ref() != Some(signed) {
        std::fs::hard_link(&aside, path)?;
    }
    std::fs::remove_file(&aside)
}

fn held(path: &Path, holder: Option<Holder>) -> Error {
    let dir = path.parent().unwrap_or(path).display();
    let who = holder.map_or_else(|| "another process".into(), |holder| holder.to_string());
    Error::Io(format!(
        "{dir}: {who} is writing here; wait for it, end it, or use -o for another directory (its file: {})",
        path.display()
    ))
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Number of this boot; empty where the system has none.
fn boot() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().into()
}

/// When a process began, the 22nd field of its status.
fn start_of(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    text.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// What a results directory is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// This process writes.
    Running(Holder),
    /// The process that wrote is gone and had no time to end: `sf-run -c` goes on.
    Interrupted,
    /// Ended before its time on request, or failed, with this exit code.
    Ended(u8),
    /// The last run was completed.
    Finished,
    /// Packed, exported or written by others: no run is recorded.
    Unknown,
}

/// What the results in `dir` are doing, by the lock and the record of the last run; `state.json` tells only what its
/// process believed when it wrote it.
///
/// # Errors
/// There are no results, or they cannot be read.
pub fn condition_of(dir: &Path) -> Result<Condition> {
    let path = dir.join(NAME);
    let held = match open(&path, false) {
        Ok(file) => {
            let holder = read(&file).unwrap_or_default();
            match file.try_lock_shared() {
                Err(TryLockError::WouldBlock) => return Ok(Condition::Running(holder)),
                Err(TryLockError::Error(_)) if !holder.is_gone() => return Ok(Condition::Running(holder)),
                Ok(()) | Err(TryLockError::Error(_)) => true,
            }
        }
        Err(_) => false,
    };
    let results = Results::open_partial(dir)?;
    if results.is_packed() {
        return Ok(Condition::Unknown);
    }
    if !results.is_complete()? {
        let untouched = (0..results.domains().len()).all(|k| results.runs(k).is_ok_and(|runs| runs.is_empty()));
        return Ok(if held || !untouched { Condition::Interrupted } else { Condition::Unknown });
    }
    let exit = |run: &String| serde_json::from_str::<Value>(run).ok()?["exit"].as_u64()?.try_into().ok();
    Ok(match results.provenance()?.runs.last().and_then(exit) {
        Some(0) => Condition::Finished,
        Some(code) => Condition::Ended(code),
        None => Condition::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("sf-lock-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn no_locks(_: &File) -> std::result::Result<(), TryLockError> {
        Err(TryLockError::Error(io::ErrorKind::Unsupported.into()))
    }

    #[test]
    fn one_writer_at_a_time_on_any_file_system() {
        for (name, try_lock) in [("locks", File::try_lock as fn(&File) -> _), ("none", no_locks)] {
            let dir = folder(name);
            let lock = Lock::take_with(&dir, try_lock).unwrap();
            let refused = Lock::take_with(&dir, try_lock).unwrap_err().to_string();
            assert!(refused.contains(&format!("process {} on ", std::process::id())), "{refused}");
            drop(lock);
            assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 0, "{name}: the file goes with the lock");
            drop(Lock::take_with(&dir, try_lock).unwrap());
            std::fs::remove_dir_all(dir).unwrap();
        }
    }

    #[test]
    fn the_file_of_a_process_that_is_gone_is_taken_over() {
        let dir = folder("gone");
        let path = dir.join(NAME);
        let this = Holder::this();
        let gone = [Holder { start: this.start + 1, ..this.clone() }, Holder { boot: "before".into(), ..this.clone() }];
        for holder in gone {
            for try_lock in [File::try_lock as fn(&File) -> _, no_locks] {
                std::fs::write(&path, holder.text()).unwrap();
                let lock = Lock::take_with(&dir, try_lock).unwrap();
                assert_eq!(read(&lock.file), Some(Holder::this()));
            }
        }
        // Without locks nobody knows whether a process of another machine is there.
        std::fs::write(&path, Holder { host: "elsewhere".into(), ..this }.text()).unwrap();
        let refused = Lock::take_with(&dir, no_locks).unwrap_err().to_string();
        assert!(refused.contains("on elsewhere"), "{refused}");
        std::fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn a_link_in_its_place_is_not_followed() {
        let dir = folder("link");
        let target = dir.join("precious");
        std::fs::write(&target, "kept").unwrap();
        std::os::unix::fs::symlink(&target, dir.join(NAME)).unwrap();
        assert!(Lock::take(&dir).is_err());
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "kept");
        std::fs::remove_dir_all(dir).unwrap();
    }
}
