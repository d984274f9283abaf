//! Bodies of finite elements through the tools: known solutions of elasticity, and CalculiX.

mod calculix;
mod contact;
mod fields;
mod known;
mod pressed;
mod second_order;
mod stopped;

use std::process::{Command, Stdio};

use tools_testing::process::{bin, output, stderr, stdout};
use tools_testing::scratch::Scratch;

/// What a line of the shell prints.
fn told(folder: &Scratch, line: &str) -> String {
    let path = format!("{}:{}", bin().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(folder.path("")).env("PATH", path).stdin(Stdio::null());
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    let output = output(&mut command);
    assert!(output.status.success(), "{line}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// Builds and runs a deck into `out`.
fn solved(folder: &Scratch, deck: &str) {
    folder.write("deck.py", deck);
    told(folder, "sf-build -q -f -o model.h5 deck.py && sf-run -q -f -o out model.h5");
}

/// The last row of a table of histories without its time.
fn history(folder: &Scratch, results: &str, items: &[String]) -> Vec<f64> {
    let requests: String = items.iter().map(|item| format!(" '{item}'")).collect();
    let table = told(folder, &format!("sf-history -q {results} --time last{requests}"));
    let last = table.lines().last().expect("a row");
    last.split(',').skip(1).map(|word| word.parse().expect("a number")).collect()
}
