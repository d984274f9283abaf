//! The seven manners of every tool (docs: exit codes and streams), here for sf-history and sf-xdmf.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use tools_testing::process::*;
use tools_testing::scratch::Scratch;
use tools_testing::skip::skipped;
use tools_testing::synthetic::write_results;

const TOOLS: [&str; 2] = ["sf-history", "sf-xdmf"];

fn results(scratch: &Scratch) -> String {
    let dir = scratch.path("synthetic");
    write_results(&dir);
    dir.to_str().unwrap().into()
}

/// Arguments after the results that make the tool work and report on standard output.
fn report_args(tool: &str, scratch: &Scratch) -> Vec<String> {
    let out = scratch.path("viz").to_str().unwrap().to_string();
    match tool {
        "sf-history" => vec!["KINETIC".into()],
        _ => vec!["-o".into(), out, "--json".into()],
    }
}

#[test]
fn help_is_complete() {
    for name in TOOLS {
        let help = tool(name, &["--help"]);
        assert!(help.status.success());
        let text = stdout(&help);
        assert!(help.stderr.is_empty());
        for part in ["Usage:", "Examples:", "Exit codes:", "--quiet", "--threads", "--progress", "--json", "--compat"] {
            assert!(text.contains(part), "{name} --help lacks '{part}'");
        }
        let examples = text.split("Examples:").nth(1).unwrap();
        assert_eq!(examples.matches(&format!("\n  {name} ")).count(), 2, "two examples");
        assert!(stdout(&tool(name, &["-h"])).lines().count() <= 60, "-h fits a screen");
        let version = stdout(&tool(name, &["--version"]));
        assert!(version.starts_with(&format!("{name} {}", env!("CARGO_PKG_VERSION"))), "{version}");
        assert!(stdout(&tool(name, &["--version", "--verbose"])).contains("HDF5: 1."));
    }
}

#[test]
fn bad_options_exit_2() {
    for name in TOOLS {
        for args in [&["--no-such-option"][..], &[], &["x", "--threads", "many"], &["x", "--compat", "old"]] {
            let output = tool(name, args);
            assert_eq!(output.status.code(), Some(2), "{name} {args:?}");
            let text = stderr(&output);
            assert!(text.starts_with(&format!("{name}: error: ")), "{text}");
            assert_eq!(text.lines().count(), 1, "{text}");
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn missing_files_exit_4_with_their_name() {
    for (name, rest) in [("sf-history", vec!["KINETIC"]), ("sf-xdmf", vec!["-o", "/tmp/never"])] {
        let mut args = vec!["/nonexistent/out"];
        args.extend(rest);
        let output = tool(name, &args);
        assert_eq!(output.status.code(), Some(4));
        assert_eq!(
            stderr(&output),
            format!("{name}: error: /nonexistent/out: cannot read: no such file or directory\n")
        );
    }
}

#[test]
fn foreign_input_exits_3() {
    let scratch = Scratch::new();
    let text = scratch.path("text.sfr.h5");
    std::fs::write(&text, "hello").unwrap();
    let folder = scratch.path("empty");
    std::fs::create_dir(&folder).unwrap();
    for path in [&text, &folder] {
        let path = path.to_str().unwrap();
        let out = scratch.path("viz");
        for (name, rest) in [("sf-history", vec!["BODS"]), ("sf-xdmf", vec!["-o", out.to_str().unwrap()])] {
            let mut args = vec![path];
            args.extend(rest);
            let output = tool(name, &args);
            assert_eq!(output.status.code(), Some(3), "{name} {path}: {}", stderr(&output));
            assert!(stderr(&output).contains(path));
        }
    }
}

#[test]
fn unknown_items_and_bodies_name_the_remedy() {
    let scratch = Scratch::new();
    let results = results(&scratch);
    let unknown = tool("sf-history", &[&results, "KINETIK"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("--list"));
    let nobody = tool("sf-history", &[&results, "DZ@label:NOBODY(0,0,0)", "--strict"]);
    assert_eq!(nobody.status.code(), Some(3));
    assert!(stderr(&nobody).contains("names no body"));
    let many = tool("sf-history", &[&results, "DZ@*(0,0,0)"]);
    assert_eq!(many.status.code(), Some(3));
    assert!(stderr(&many).contains("name one as id:N"), "{}", stderr(&many));
}

#[test]
fn columns_have_names_of_their_own() {
    let scratch = Scratch::new();
    let results = results(&scratch);
    for items in [["KINETIC", "KINETIC"], ["a=BODS", "a=CONS"], ["BODS", "time=CONS"]] {
        let output = tool("sf-history", &[&results, items[0], items[1]]);
        assert_eq!(output.status.code(), Some(2), "{items:?}");
        assert!(stderr(&output).contains("write OTHER=ITEM"), "{}", stderr(&output));
    }
}

#[test]
fn exports_need_a_folder() {
    let scratch = Scratch::new();
    let results = results(&scratch);
    let stream = tool("sf-xdmf", &[&results, "-o", "-"]);
    assert_eq!(stream.status.code(), Some(2));
    assert!(stderr(&stream).contains("give a folder"), "{}", stderr(&stream));
    let file = scratch.path("file");
    std::fs::write(&file, "in the way").unwrap();
    let taken = tool("sf-xdmf", &[&results, "-o", file.to_str().unwrap()]);
    assert_eq!(taken.status.code(), Some(4));
    assert!(stderr(&taken).contains("is not a folder; give a folder"), "{}", stderr(&taken));
}

#[test]
fn streams_go_round() {
    let scratch = Scratch::new();
    let results = results(&scratch);
    // sf-history: standard output and -o hold the same bytes; an existing file is kept without --force.
    let shown = tool("sf-history", &[&results, "KINETIC", "CZ@BALL(3,0,2)", "--units"]);
    let file = scratch.path("h.csv");
    let file = file.to_str().unwrap();
    let args = [&results, "KINETIC", "CZ@BALL(3,0,2)", "--units", "-o", file];
    assert!(tool("sf-history", &args).status.success());
    assert_eq!(std::fs::read(file).unwrap(), shown.stdout);
    let refused = tool("sf-history", &args);
    assert_eq!(refused.status.code(), Some(4));
    assert!(stderr(&refused).contains("--force"));
    assert!(tool("sf-history", &[&args[..], &["--force"]].concat()).status.success());
    // sf-xdmf: a model from standard input and from its file give the same markup.
    let model = format!("{results}/synthetic.sfm.h5");
    let (a, b) = (scratch.path("a"), scratch.path("b"));
    let from_file = tool("sf-xdmf", &["--initial", &model, "-o", a.to_str().unwrap()]);
    assert!(from_file.status.success(), "{}", stderr(&from_file));
    let piped = output(
        Command::new(binary("sf-xdmf"))
            .args(["--initial", "-", "-o", b.to_str().unwrap()])
            .stdin(File::open(&model).unwrap()),
    );
    assert!(piped.status.success(), "{}", stderr(&piped));
    let markup = |d: &std::path::Path| std::fs::read(d.join("synthetic_bodies.xmf")).unwrap();
    assert_eq!(markup(&a), markup(&b));
}

#[test]
fn broken_streams_from_a_producer_exit_3() {
    for bytes in [&b""[..], b"Traceback (most recent call last):"] {
        let mut child = spawn(
            Command::new(binary("sf-xdmf"))
                .args(["--initial", "-", "-o", "/tmp/never"])
                .stdin(Stdio::piped())
                .stderr(Stdio::piped()),
        );
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert!(stderr(&output).contains("standard input"), "{}", stderr(&output));
    }
}

#[test]
fn full_devices_fail() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        skipped("no /dev/full");
        return;
    };
    let scratch = Scratch::new();
    let results = results(&scratch);
    for name in TOOLS {
        let child = spawn(
            Command::new(binary(name))
                .arg(&results)
                .args(report_args(name, &scratch))
                .stdout(full.try_clone().unwrap())
                .stderr(Stdio::piped()),
        );
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{name}");
        assert!(stderr(&output).contains("no space left on device"), "{}", stderr(&output));
    }
}

#[test]
fn an_early_reader_is_no_error() {
    let scratch = Scratch::new();
    let results = results(&scratch);
    for (name, args) in
        [("sf-history", vec![results.clone(), "STEP".into(), "--per-step".into()]), ("sf-xdmf", vec!["--help".into()])]
    {
        let mut child = spawn(Command::new(binary(name)).args(&args).stdout(Stdio::piped()).stderr(Stdio::piped()));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    }
}
