//! Checking a file that may crash or hang the HDF5 library: a process of its own does it, within limits of time and
//! memory, and what becomes of that process is the answer.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{setrlimit, Resource, Rlimit};
use serde_json::Value;

use super::{CliError, Exit};

/// In the environment of the process that checks.
const MARK: &str = "SF_CHECK_CHILD";
/// It may take this long, and so many bytes in each second more.
const PATIENCE: Duration = Duration::from_secs(60);
const BYTES_PER_SECOND: u64 = 4 << 20;
/// It may have this much memory, and twice the size of its files [bytes].
const MEMORY: u64 = 4 << 30;
/// How often it is looked after.
const LOOK: Duration = Duration::from_millis(10);

/// Whether this is the process that checks; if so, it takes its limits.
pub fn is_checking_child() -> bool {
    let Some(limit) = std::env::var(MARK).ok().and_then(|text| text.parse::<u64>().ok()) else { return false };
    let of = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let _ = setrlimit(Resource::As, of(limit));
    let _ = setrlimit(Resource::Core, of(0));
    true
}

/// Problems of a file or results directory, as `sf-run --check-file` finds them in a process of its own; that a file
/// crashes or hangs the library is one.
///
/// # Errors
/// The file cannot be read, or is nothing that can be checked.
pub fn check_in_child(path: &Path) -> Result<Vec<String>, CliError> {
    check_within(path, PATIENCE)
}

fn check_within(path: &Path, patience: Duration) -> Result<Vec<String>, CliError> {
    let size = size_of(path);
    let deadline = Instant::now() + patience + Duration::from_secs(size / BYTES_PER_SECOND);
    let failed = |e: std::io::Error| CliError::new(Exit::Internal, format!("cannot start a process to check: {e}"));
    let tool = std::env::current_exe().map_err(failed)?.with_file_name("sf-run");
    let mut child = Command::new(tool)
        .env(MARK, (MEMORY + 2 * size).to_string())
        .args(["--json", "--check-file"])
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let mut pipe = child.stdout.take();
    let told = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = pipe.as_mut().map(|pipe| pipe.read_to_string(&mut text));
        text
    });
    let place = path.display();
    let Some(status) = wait(&mut child, deadline).map_err(failed)? else {
        return Ok(vec![format!("{place}: damaged so that the HDF5 library does not end reading it; do not use it")]);
    };
    let document: Value = serde_json::from_str(&told.join().unwrap_or_default()).unwrap_or_default();
    if let Some(signal) = status.signal() {
        let text = format!(
            "{place}: damaged so that the HDF5 library fails when it reads it (signal {signal}); do not use it, in other \
             programs neither"
        );
        return Ok(vec![text]);
    }
    answer(status, &document)
}

fn answer(status: ExitStatus, document: &Value) -> Result<Vec<String>, CliError> {
    if let Some(problems) = document["problems"].as_array() {
        return Ok(problems.iter().filter_map(|p| Some(p.as_str()?.to_string())).collect());
    }
    let code = match status.code() {
        Some(3) => Exit::BadInput,
        Some(4) => Exit::Io,
        _ => Exit::Internal,
    };
    let text = document["error"]["text"].as_str().unwrap_or("the process that checks gave no answer");
    Err(CliError::new(code, text))
}

/// The end of a process; none: it was killed at the deadline.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}

/// Bytes of a file, or of those in a results directory.
fn size_of(path: &Path) -> u64 {
    let folders = [path.to_path_buf(), path.join("segments")];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let inside: u64 = files.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum();
    inside + std::fs::metadata(path).map_or(0, |m| m.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_end_is_killed() {
        let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
        let ended = wait(&mut child, Instant::now() + Duration::from_millis(50)).unwrap();
        assert!(ended.is_none());
        let mut child = Command::new("true").spawn().unwrap();
        assert!(wait(&mut child, Instant::now() + Duration::from_secs(300)).unwrap().unwrap().success());
    }
}
