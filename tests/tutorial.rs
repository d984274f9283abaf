//! docs/tutorial.md works: its decks are saved under their names, and its commands run in their order.

use std::path::Path;
use std::process::{Command, Stdio};

use tools_testing::scratch::Scratch;

/// Decks and command lines of the page in their order.
enum Part {
    Deck(String, String),
    Line(String),
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut name = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some((_, rest)) = line.split_once("ave this as `") {
            name = rest.split('`').next().map(str::to_string);
        } else if line == "```python" {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if let Some(name) = name.take() {
                parts.push(Part::Deck(name, body.join("\n") + "\n"));
            }
        } else if let Some(command) = line.strip_prefix("    ").filter(|command| told_to_run(command)) {
            parts.push(Part::Line(command.into()));
        }
    }
    parts
}

/// Commands of the tools, and the script that makes a curve to compare with.
fn told_to_run(command: &str) -> bool {
    command.starts_with("sf-") || command.starts_with("python3 exact.py")
}

#[test]
fn its_commands_run() {
    let folder = Scratch::new();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let tools = Path::new(env!("CARGO_BIN_EXE_sf-run")).parent().expect("a tool lies in a folder");
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    let mut told = String::new();
    let mut lines = 0;
    for part in parts(&page) {
        let line = match part {
            Part::Deck(name, text) => {
                folder.write(&name, &text);
                continue;
            }
            Part::Line(line) => line,
        };
        let mut shell = Command::new("bash");
        shell.args(["-o", "pipefail", "-c", &line]).current_dir(&folder).env("PATH", &path).stdin(Stdio::null());
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            shell.env("SF_PYTHON", python);
        }
        let output = shell.output().expect("bash runs");
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
        told += &String::from_utf8_lossy(&output.stdout);
        lines += 1;
    }
    assert!(lines >= 12, "{lines} commands");
    // Half a second of free fall from 5 m, and a whole one; 101 frames.
    assert!(told.contains("at 0.5 the ball is at 3.75"), "{told}");
    assert!(told.contains("101 frames, the last at height 0.0"), "{told}");
    for product in ["ball.csv", "ball.png", "pendulum.csv", "viz", "ball-packed.h5"] {
        assert!(folder.path(product).exists(), "{product}");
    }
}
