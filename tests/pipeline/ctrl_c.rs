//! Ctrl-C in a terminal: the signal goes to every process of the foreground group.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use super::common::*;
use super::LONG;

/// Starts a line of bash as the leader of a process group of its own.
fn group(folder: &Scratch, line: &str) -> Child {
    let path = format!("{}:{}", bin().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", line]).current_dir(folder).env("PATH", path).process_group(0);
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("bash starts")
}

/// The signal to the whole group; it ends with a checkpoint, and what it wrote goes on.
fn interrupt(folder: &Scratch, line: &str, on: &str) {
    let child = group(folder, &format!("{line}; code=$?; exit $code"));
    wait_until("steps", || state(folder, "out/long", "/t") > 0.02);
    let told = Command::new("kill").args(["-INT", "--", &format!("-{}", child.id())]).status();
    assert!(told.expect("kill runs").success());
    let output = child.wait_with_output().expect("the group ends");
    let text = String::from_utf8_lossy(&output.stderr);
    use std::os::unix::process::ExitStatusExt;
    // bash, which has got the signal too, ends with it or with the code of the line.
    let code = output.status.code().or(output.status.signal().map(|signal| 128 + signal));
    assert_eq!(code, Some(130), "{line}: {text}");
    assert!(!text.contains("Traceback") && !text.contains("panicked"), "{text}");
    assert_eq!(state_text(folder, "out/long", "/status"), "stopped");
    let reached = state(folder, "out/long", "/last_checkpoint/t");
    assert!(reached > 0.0 && reached == state(folder, "out/long", "/t"), "{reached}");
    let table = Table::parse(&done(folder, "sf-history out/long KINETIC"));
    assert!((table.column("time").last().expect("frames") - reached).abs() < 1e-9);
    // A little more, and the same without interruption.
    let until = format!("{:.3}", reached + 0.05);
    done(folder, &format!("{on} -q -c --until {until}"));
    done(folder, &format!("{on} -q -o whole/long --until {until}"));
    let end = |results: &str| done(folder, &format!("sf-history {results} --time last KINETIC MERIT"));
    assert_eq!(end("out/long"), end("whole/long"));
}

#[test]
fn a_live_deck_of_a_group() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    interrupt(&folder, "sf-run -i 0.1 long.py", "sf-run long.py");
}

#[test]
fn a_pipe_of_a_group() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    interrupt(&folder, "sf-build long.py | tee m.h5 | sf-run -i 0.1", "sf-run m.h5");
}

/// A batch system sends SIGTERM to all processes; the deck's Python is asking something at every moment.
#[test]
fn a_group_is_terminated_while_callbacks_ask() {
    let folder = Scratch::new();
    let asks = "
one = list(solfec.bodies)[1]
CALLBACK(solfec, 1E-3, (), lambda: [one.velo[0] + one.mass for k in range(200)] and None)
RUN(";
    folder.write("long.py", &LONG.replace("range(4)", "range(1)").replace("RUN(", asks));
    for k in 0..6 {
        let name = if k % 2 == 0 { "TERM" } else { "INT" };
        let child = group(&folder, "sf-run -q -w long.py; code=$?; exit $code");
        wait_until("steps", || state(&folder, "out/long", "/t") > 0.01);
        let told = Command::new("kill").args([&format!("-{name}"), "--", &format!("-{}", child.id())]).status();
        assert!(told.expect("kill runs").success());
        let output = child.wait_with_output().expect("the group ends");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!text.contains("Traceback") && !text.contains("Error"), "{name}: {text}");
        wait_until("stop", || state_text(&folder, "out/long", "/status") == "stopped");
        assert!(state(&folder, "out/long", "/last_checkpoint/t") > 0.0);
        let _ = std::fs::remove_file(folder.path("out/long/state.json"));
    }
}
