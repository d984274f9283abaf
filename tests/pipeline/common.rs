//! Running the real tools in a folder of its own.

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub use tools_testing::process::bin;
use tools_testing::python::python_with;
pub use tools_testing::scratch::Scratch;

/// A command in `folder` with the tools on its path and the interpreter of the tests.
pub fn shell(folder: &Scratch, line: &str) -> Output {
    let path = format!("{}:{}", bin().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", line]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    command.output().expect("bash runs")
}

/// The same, which must succeed; its standard output.
pub fn done(folder: &Scratch, line: &str) -> String {
    let output = shell(folder, line);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}\nended with {}:\n{told}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// The same, which must fail with this code; its standard error.
pub fn fails(folder: &Scratch, line: &str, code: i32) -> String {
    let output = shell(folder, line);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{line}\nsaid:\n{told}");
    assert!(!told.contains("panicked"), "{line}\npanicked:\n{told}");
    told
}

/// The signal that ended a command, if one did.
pub fn fails_by_signal(folder: &Scratch, line: &str) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&shell(folder, line).status)
}

/// Starts a tool in `folder`, which goes on by itself.
pub fn start(folder: &Scratch, tool: &str, args: &[&str]) -> std::process::Child {
    let mut command = Command::new(bin().join(tool));
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    command.spawn().expect("the tool starts")
}

/// Waits until `there` says so; only a hang takes longer than this waits.
pub fn wait_until(what: &str, mut there: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !there() {
        assert!(began.elapsed() < std::time::Duration::from_secs(300), "no {what} after five minutes");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// The number at a pointer of `state.json`, as `/t`; 0 while it is not there.
pub fn state(folder: &Scratch, results: &str, pointer: &str) -> f64 {
    let text = std::fs::read_to_string(folder.path(results).join("state.json")).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    json.pointer(pointer).and_then(serde_json::Value::as_f64).unwrap_or(0.0)
}

/// The text at a pointer of `state.json`.
pub fn state_text(folder: &Scratch, results: &str, pointer: &str) -> String {
    let text = std::fs::read_to_string(folder.path(results).join("state.json")).expect("state.json");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    json.pointer(pointer).and_then(serde_json::Value::as_str).unwrap_or_default().into()
}

/// The masters of two results directories hold the same numbers.
pub fn same(folder: &Scratch, one: &str, other: &str) {
    let master = |dir: &str| {
        let files = std::fs::read_dir(folder.path(dir)).expect("results").flatten().map(|e| e.path());
        files.into_iter().find(|p| p.to_string_lossy().ends_with(".sfr.h5")).expect("a master")
    };
    let (one, other) = (master(one), master(other));
    if let Some(what) = tools_testing::same::same_results(&one, &other) {
        panic!("{} and {} differ in {what}", one.display(), other.display());
    }
}

/// Runs a Python program with the interpreter of the tests; `None` and a loud line when it lacks a module.
pub fn python(folder: &Scratch, needs: &str, program: &str) -> Option<String> {
    let interpreter = python_with(needs)?;
    let mut child = Command::new(&interpreter)
        .arg("-")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the interpreter starts");
    child.stdin.take().expect("a pipe").write_all(program.as_bytes()).expect("the program is taken");
    let output = child.wait_with_output().expect("the interpreter ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// A table of numbers with a header row; what is no number becomes NaN.
pub struct Table {
    pub names: Vec<String>,
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    pub fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let names = lines.next().expect("a header").split(',').map(str::to_string).collect();
        let number = |cell: &str| cell.parse().unwrap_or(f64::NAN);
        let rows = lines.map(|line| line.split(',').map(number).collect()).collect();
        Table { names, rows }
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let k =
            self.names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no column {name} in {:?}", self.names));
        self.rows.iter().map(|r| r[k]).collect()
    }
}
