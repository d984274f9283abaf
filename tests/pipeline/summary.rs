//! What sf-run and sf-build say at their end: on a terminal, with -v, in state.json; nothing in a pipe.

use super::common::*;
use super::BALL;

fn told(folder: &Scratch, line: &str) -> String {
    let output = shell(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The summary names results, times, accuracy, penetration, energies, and the next command.
#[test]
fn the_end_of_a_run_is_summarized() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py -o m.h5");
    assert_eq!(told(&folder, "sf-run m.h5 -o silent"), "", "silent in a pipe");
    assert_eq!(told(&folder, "sf-run -q -v m.h5 -o quiet"), "");
    let text = told(&folder, "sf-run -v m.h5 -o out/ball");
    for part in [
        "sf-run: frame 0 at t=0.000000\n",
        "sf-run: checkpoint at t=0.300000\n",
        "sf-run: note: out/ball: 300 steps to t=0.3 s in ",
        "contact detection ",
        "\n  accuracy: merit ",
        "0 of 300 steps missed the tolerance\n",
        "\n  energy: kinetic and internal changed by ",
        "\n  warnings: none\n",
        "\n  next: sf-history out/ball KINETIC   sf-xdmf out/ball -o viz   sf-info out/ball\n",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let state = folder.read("out/ball/state.json");
    let state: serde_json::Value = serde_json::from_str(&state).expect("JSON");
    assert_eq!(state["summary"]["steps"], 300);
    assert_eq!(state["summary"]["missed_steps"], 0);
    assert!(state["summary"]["energy_j"]["work"].as_f64().is_some_and(f64::is_finite), "{state}");
    assert!(state["summary"]["merit"]["worst"]["value"].as_f64().is_some(), "{state}");
    assert!(folder.read("out/ball/STATE").contains("\nTIME: 0.300000 OF 0.3 (100.0%)\n"));
}

/// -vv has a line for each step; --progress plain begins at once and says how far of what.
#[test]
fn progress_is_told_at_once_if_asked_for() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    let steps = told(&folder, "sf-run -vv ball.py");
    assert_eq!(steps.lines().filter(|line| line.starts_with("sf-run: step ")).count(), 300);
    let plain = told(&folder, "sf-run -w --progress plain ball.py");
    assert!(plain.starts_with("sf-run: step 1  time 0.001000 of 0.3 s  0 %  contacts "), "{plain}");
    assert_eq!(plain.lines().count(), 1);
}

/// A terminal is told without being asked.
#[test]
fn a_terminal_is_told() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    let bin = bin().display().to_string();
    let program = format!(
        "import os, pty, sys\nos.environ['PATH'] = {bin:?} + ':' + os.environ['PATH']\nsys.stdout.flush()\n\
         pty.spawn(['sf-build', 'ball.py', '-o', 'm.h5'])\npty.spawn(['sf-run', 'm.h5', '-o', 'r'])\n"
    );
    let Some(text) = python(&folder, "pty", &program) else { return };
    assert!(text.contains("sf-build: note: m.h5: wrote a model of 2 bodies; next: sf-run m.h5"), "{text}");
    assert!(text.contains(" of 0.3 s  ") && text.contains("sf-run: note: r: 300 steps to t=0.3 s in "), "{text}");
}
