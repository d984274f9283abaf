//! The Python of the tests: `$SF_TEST_PYTHON`, or python3.

use std::path::PathBuf;
use std::process::Command;

use crate::skip::skipped;

/// The interpreter, whatever it can import.
pub fn interpreter() -> PathBuf {
    std::env::var_os("SF_TEST_PYTHON").map_or_else(|| "python3".into(), PathBuf::from)
}

/// The interpreter, if it can import `module`. Without it the test is skipped; with SF_STRICT=1 it fails.
pub fn python_with(module: &str) -> Option<PathBuf> {
    let python = interpreter();
    let probe = Command::new(&python).args(["-c", &format!("import {module}")]).output();
    if probe.is_ok_and(|p| p.status.success()) {
        return Some(python);
    }
    skipped(&format!("{} cannot import {module}; set SF_TEST_PYTHON", python.display()));
    None
}
