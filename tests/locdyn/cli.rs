//! The seven manners of every tool, here for sf-locdyn-compare.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use solfec_formats::fclib::write;

use super::sample::chain;
use tools_testing::scratch::Scratch;
use tools_testing::skip::skipped;

pub const TOOL: &str = env!("CARGO_BIN_EXE_sf-locdyn-compare");

pub fn tool(args: &[&str]) -> Output {
    Command::new(TOOL).args(args).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A dump of a step.
pub fn dump(scratch: &Scratch, name: &str, step: &solfec::solver::LocalDynamics) -> String {
    let path = scratch.path(name);
    write(&path, step, &[]).unwrap();
    path.to_str().unwrap().into()
}

#[test]
fn help_is_complete() {
    for args in [&["--help"][..], &["solve", "--help"]] {
        let help = tool(args);
        assert!(help.status.success() && help.stderr.is_empty());
        let text = stdout(&help);
        for part in ["Usage:", "Examples:", "Exit codes:", "--quiet", "--threads", "--json"] {
            assert!(text.contains(part), "{args:?} lacks '{part}'");
        }
        let examples = text.split("Examples:").nth(1).unwrap();
        assert_eq!(examples.matches("\n  sf-locdyn-compare ").count(), 2, "two examples");
    }
    assert!(stdout(&tool(&["-h"])).lines().count() <= 60, "-h fits a screen");
    let version = stdout(&tool(&["--version"]));
    assert!(version.starts_with(&format!("sf-locdyn-compare {}", env!("CARGO_PKG_VERSION"))), "{version}");
    assert!(stdout(&tool(&["--version", "--verbose"])).contains("HDF5: 1."));
}

#[test]
fn bad_options_exit_2() {
    let cases: [&[&str]; 12] = [
        &[],
        &["--no-such-option"],
        &["only-one.h5"],
        &["a", "b", "--rtol", "-1"],
        &["a", "b", "--quantities", "X"],
        &["a", "b", "--threads", "many"],
        &["-", "-"],
        &["solve"],
        &["solve", "a", "--tol", "nan"],
        &["solve", "a", "--solver", "MAGIC"],
        &["solve", "a", "--solver", "{\"kind\": \"NEWTON\", \"magic\": 1}"],
        &["solve", "a", "--solver", "{"],
    ];
    for args in cases {
        let output = tool(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stderr(&output));
        let text = stderr(&output);
        assert!(text.starts_with("sf-locdyn-compare: error: "), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(output.stdout.is_empty());
    }
}

/// Options that every tool has may stand before the word 'solve' as well.
#[test]
fn common_options_come_before_or_after_the_subcommand() {
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(4, false));
    for args in [&["-j1", "solve", "--help"][..], &["-q", "--threads", "1", "solve", "--help"]] {
        let text = stdout(&tool(args));
        assert!(text.contains("sf-locdyn-compare solve") && text.contains("--maxiter"), "{args:?}: {text}");
    }
    let output = tool(&["-q", "-j", "1", "--json", "solve", &path]);
    assert!(output.status.success() && stdout(&output).contains("sf-locdyn-compare-solve/1"), "{}", stderr(&output));
    let refused = tool(&["--rtol", "1", "solve", &path]);
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("options come after the word 'solve'"));
}

#[test]
fn missing_files_exit_4_with_their_name() {
    for args in [&["/nonexistent/a.h5", "/nonexistent/b.h5"][..], &["solve", "/nonexistent/a.h5"]] {
        let output = tool(args);
        assert_eq!(output.status.code(), Some(4));
        let wanted = "sf-locdyn-compare: error: /nonexistent/a.h5: cannot read: no such file or directory\n";
        assert_eq!(stderr(&output), wanted);
    }
}

#[test]
fn foreign_input_exits_3() {
    let scratch = Scratch::new();
    let file = |name: &str, bytes: &[u8]| {
        let path = scratch.path(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    let good = dump(&scratch, "good.h5", &chain(4, false));
    let whole = std::fs::read(&good).unwrap();
    let text = file("text.txt", b"CONTACT (1, 2, three)");
    let binary = file("binary", &[0xff, 0xfe, 0, 1]);
    let cut = file("cut.h5", &whole[..whole.len() / 2]);
    for bad in [&text, &binary, &cut] {
        let compared = tool(&[&good, bad]);
        assert_eq!(compared.status.code(), Some(3), "{bad}: {}", stderr(&compared));
        assert!(stderr(&compared).contains(bad.as_str()));
        let solved = tool(&["solve", bad]);
        assert_eq!(solved.status.code(), Some(3), "{bad}: {}", stderr(&solved));
        assert!(stderr(&solved).contains(bad.as_str()));
    }
    assert!(stderr(&tool(&[&good, &text])).contains("line 1: "));
}

#[test]
fn streams_go_round() {
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(6, true));
    let text = scratch.path("a.txt");
    std::fs::write(&text, super::sample::text(&chain(6, true))).unwrap();
    for file in [path.clone(), text.to_str().unwrap().to_string()] {
        let piped = Command::new(TOOL).args(["-", &path]).stdin(File::open(&file).unwrap()).output().unwrap();
        assert!(piped.status.success(), "{}{}", stdout(&piped), stderr(&piped));
    }
    let piped = Command::new(TOOL).args(["solve", "-"]).stdin(File::open(&path).unwrap()).output().unwrap();
    assert!(piped.status.success(), "{}{}", stdout(&piped), stderr(&piped));
    let empty = Command::new(TOOL).args(["solve", "-"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(empty.status.code(), Some(3));
    assert!(stderr(&empty).contains("standard input: no data"), "{}", stderr(&empty));
}

#[test]
fn full_devices_fail() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        skipped("no /dev/full");
        return;
    };
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(4, false));
    for args in [&[path.as_str(), &path][..], &["solve", &path]] {
        let output = Command::new(TOOL).args(args).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{args:?}");
        assert!(stderr(&output).contains("no space left on device"), "{}", stderr(&output));
    }
}

#[test]
fn an_early_reader_is_no_error() {
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(4, false));
    for args in [&[path.as_str(), &path][..], &["--help"]] {
        let mut child = Command::new(TOOL).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    }
}
