//! Reading a file that may crash or hang the HDF5 library: a process of its own does it, within limits of time and
//! memory, and what becomes of that process is the answer.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{setrlimit, Resource, Rlimit};

use super::{CliError, Exit};

/// In the environment of the process that reads.
const MARK: &str = "SF_CHECK_CHILD";
/// It may take this long, and so many bytes in each second more.
const PATIENCE: Duration = Duration::from_secs(60);
const BYTES_PER_SECOND: u64 = 4 << 20;
/// It may have this much memory, and twice the size of its files [bytes].
const MEMORY: u64 = 4 << 30;
/// How often it is looked after.
const LOOK: Duration = Duration::from_millis(2);

/// Whether this is the process that reads; if so, it takes its limits.
pub fn is_reading_child() -> bool {
    let Some(limit) = std::env::var(MARK).ok().and_then(|text| text.parse::<u64>().ok()) else { return false };
    let of = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let _ = setrlimit(Resource::As, of(limit));
    let _ = setrlimit(Resource::Core, of(0));
    true
}

/// What became of the process.
#[derive(Debug)]
pub enum Outcome {
    Ended {
        code: i32,
        stdout: Vec<u8>,
        stderr: Vec<u8>,
    },
    /// It was killed by its file; what to say of that.
    Killed(String),
}

/// Runs `tool ARGS PATH` of these tools in a process that knows it is the reading one.
///
/// # Errors
/// The process cannot be started.
pub fn read_in_child(tool: &str, args: &[&str], path: &Path) -> Result<Outcome, CliError> {
    let size = size_of(path);
    let deadline = Instant::now() + PATIENCE + Duration::from_secs(size / BYTES_PER_SECOND);
    let failed = |e: std::io::Error| CliError::new(Exit::Internal, format!("cannot start a process that reads: {e}"));
    let program = std::env::current_exe().map_err(failed)?.with_file_name(tool);
    let mut child = Command::new(program)
        .env(MARK, (MEMORY + 2 * size).to_string())
        .args(args)
        // A name that begins with a hyphen is no option.
        .arg(if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
            Path::new(".").join(path)
        } else {
            path.into()
        })
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (said, told) = (collect(child.stdout.take()), collect(child.stderr.take()));
    wait(&mut child, deadline).map_err(failed)?;
    let status = child.wait().map_err(failed)?;
    let place = path.display();
    Ok(match (status.code(), status.signal()) {
        (Some(code), _) => {
            let bytes = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
            Outcome::Ended { code, stdout: bytes(said), stderr: bytes(told) }
        }
        (None, Some(SIGKILL | SIGXCPU)) => Outcome::Killed(format!(
            "{place}: damaged so that the HDF5 library does not end reading it; do not use it, in other programs neither"
        )),
        (None, signal) => Outcome::Killed(format!(
            "{place}: damaged so that the HDF5 library fails when it reads it (signal {}); do not use it, in other \
             programs neither",
            signal.unwrap_or(0)
        )),
    })
}

/// What a process is ended with that takes too long: by us, and by a limit of the user.
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;

/// Reads a pipe to its end while the process runs.
fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe that breaks has told what there was.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        bytes
    })
}

/// Until the process ends; at the deadline it is killed.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<()> {
    while child.try_wait()?.is_none() {
        if Instant::now() >= deadline {
            return child.kill();
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
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
        wait(&mut child, Instant::now() + Duration::from_millis(50)).unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(SIGKILL));
        let mut child = Command::new("true").spawn().unwrap();
        wait(&mut child, Instant::now() + Duration::from_secs(300)).unwrap();
        assert!(child.wait().unwrap().success());
    }
}
