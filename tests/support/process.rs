//! Processes of tests: the tools of this build, beside tests of the same process that write HDF5.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

/// HDF5 locks files it writes and lets children inherit them: no process may start while another test writes.
pub static WRITING: Mutex<()> = Mutex::new(());

/// Starts a process when no test writes results.
pub fn spawn(command: &mut Command) -> Child {
    let _nobody_writes = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    command.spawn().unwrap()
}

/// Runs a process to its end; what is not set otherwise is captured.
pub fn output(command: &mut Command) -> Output {
    spawn(command.stdout(Stdio::piped()).stderr(Stdio::piped())).wait_with_output().unwrap()
}

/// Runs a tool of this build.
pub fn tool(name: &str, args: &[&str]) -> Output {
    output(Command::new(binary(name)).args(args).stdin(Stdio::null()))
}

/// The folder of the tools that cargo has built with this test: the test itself is in `deps` of it.
pub fn bin() -> PathBuf {
    let test = std::env::current_exe().expect("the test is a file");
    test.parent().and_then(Path::parent).expect("a test lies in deps of a folder").into()
}

/// The path of a tool of this build.
pub fn binary(name: &str) -> String {
    let path = bin().join(name);
    assert!(path.is_file(), "no binary {}", path.display());
    path.display().to_string()
}

/// What a process wrote to standard output, which must be text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a process wrote to standard error, which must be text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
