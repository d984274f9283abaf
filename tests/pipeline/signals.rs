//! Signals: an orderly end with a checkpoint, checkpoints and frames on request.

use std::process::Child;

use super::common::*;
use super::LONG;

fn signal(child: &Child, name: &str) {
    let done = std::process::Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(done.expect("kill runs").success());
}

/// Starts a run and waits until it makes steps.
fn at_work(folder: &Scratch, args: &[&str], results: &str) -> Child {
    let child = start(folder, "sf-run", args);
    wait_until("steps", || state(folder, results, "/t") > 0.0);
    child
}

fn ends(child: Child, code: i32) -> (String, String) {
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_recorded_run_ends_orderly() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    for (name, more, code) in
        [("INT", "-v", 130), ("TERM", "-v", 143), ("TERM", "--requeue", 75), ("USR1", "--requeue", 75)]
    {
        let child = at_work(&folder, &["m.h5", "-w", "-i", "0.1", "-o", "out", more], "out");
        signal(&child, name);
        let (_, told) = ends(child, code);
        assert!(told.contains("go on with -c"), "{told}");
        assert_eq!(state_text(&folder, "out", "/status"), "stopped");
        let t = state(&folder, "out", "/last_checkpoint/t");
        assert!(t > 0.0 && t == state(&folder, "out", "/t"));
        let _ = std::fs::remove_file(folder.path("out/state.json"));
    }
}

#[test]
fn checkpoints_and_frames_on_request() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    let args = ["m.h5", "-q", "-i", "0.1", "--checkpoint-every", "1h", "--output-interval", "1000", "-o", "out"];
    let child = at_work(&folder, &args, "out");
    signal(&child, "USR1");
    wait_until("checkpoint", || state(&folder, "out", "/last_checkpoint/t") > 0.0);
    let frames = state(&folder, "out", "/frames");
    signal(&child, "USR2");
    wait_until("frame", || state(&folder, "out", "/frames") > frames);
    signal(&child, "INT");
    ends(child, 130);
}

/// The deck's Python ends too, and what it printed is not lost; its code after RUN does not go on.
#[test]
fn a_deck_ends_orderly() {
    let folder = Scratch::new();
    folder.write("long.py", &format!("print('before')\n{LONG}\nprint('after')\n"));
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let child = at_work(&folder, &["long.py", "-w", "-i", "0.1"], "out/long");
        signal(&child, name);
        let (said, told) = ends(child, code);
        assert_eq!(said, "before\n");
        assert!(!told.contains("Traceback") && told.contains("go on with -c"), "{told}");
        let _ = std::fs::remove_file(folder.path("out/long/state.json"));
    }
    // Between runs the deck's Python receives the signal.
    folder.write("sleep.py", "import time\nopen('ready', 'w').close()\ntime.sleep(100)\n");
    let child = start(&folder, "sf-run", &["sleep.py"]);
    wait_until("deck", || folder.path("ready").exists());
    signal(&child, "INT");
    let (_, told) = ends(child, 130);
    assert!(!told.contains("Traceback"), "{told}");
}

/// A signal that comes while a function of the deck is called waits for it, and nothing is lost.
#[test]
fn a_signal_within_a_callback_leaves_a_checkpoint() {
    let folder = Scratch::new();
    let slow = "import time\nCALLBACK(solfec, 0.001, (), lambda: time.sleep(0.2) or 1)\nRUN(";
    folder.write("long.py", &LONG.replace("RUN(", slow));
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let child = at_work(&folder, &["long.py", "-w", "-i", "0.1"], "out/long");
        signal(&child, name);
        let (_, told) = ends(child, code);
        assert!(told.contains("go on with -c"), "{told}");
        let t = state(&folder, "out/long", "/last_checkpoint/t");
        assert!(t > 0.0 && t == state(&folder, "out/long", "/t"), "checkpoint at {t}");
        assert!(done(&folder, "sf-info out/long").contains(&format!("runs: signal {}", code - 128)));
        let _ = std::fs::remove_file(folder.path("out/long/state.json"));
    }
}

/// A RUN whose deck is lost in a callback is not told to be done.
#[test]
fn a_python_that_dies_in_a_callback_fails_the_run() {
    let folder = Scratch::new();
    for end in ["os._exit(0)", "os.kill(os.getpid(), 9)"] {
        let dies = format!("import os\nCALLBACK(solfec, 0.01, (), lambda: {end})\nRUN(");
        folder.write("long.py", &LONG.replace("RUN(", &dies));
        let told = fails(&folder, "sf-run -q -w long.py", 3);
        assert!(told.contains("the deck's Python ended"), "{told}");
        let info = done(&folder, "sf-info out/long");
        assert!(info.contains("runs: failed") && info.contains("condition: failed"), "{info}");
    }
}

/// A deck that leaves within a callback, without an error, has not failed.
#[test]
fn an_exit_within_a_callback_is_no_failure() {
    let folder = Scratch::new();
    for (end, reason) in [("sys.exit(0)", "ended in a callback"), ("1/0", "failed")] {
        let ends = format!("import sys\nCALLBACK(solfec, 0.01, (), lambda: {end})\nRUN(");
        folder.write("long.py", &LONG.replace("RUN(", &ends));
        shell(&folder, "sf-run -q -w long.py");
        let info = done(&folder, "sf-info out/long");
        assert!(info.contains(&format!("runs: {reason}")), "{info}");
    }
}

/// A step that takes for ever does not hold up a second Ctrl-C.
#[test]
fn a_second_interrupt_ends_at_once() {
    let folder = Scratch::new();
    let text = LONG.replace(
        "RUN(",
        "import time\nCALLBACK(solfec, 0.002, (), lambda: (open('ready', 'w').close(), time.sleep(100)))\nRUN(",
    );
    folder.write("long.py", &text);
    let mut child = start(&folder, "sf-run", &["-q", "long.py"]);
    wait_until("callback", || folder.path("ready").exists());
    // Signals that come together are one; so as often as it takes.
    wait_until("end", || {
        signal(&child, "INT");
        child.try_wait().expect("its state").is_some()
    });
    ends(child, 130);
}

/// The Python of a deck whose sf-run has been killed does not pass over SIGTERM.
#[test]
fn a_python_that_is_left_alone_can_be_ended() {
    let folder = Scratch::new();
    folder.write("sleep.py", "import os, time\nopen('pid', 'w').write(str(os.getpid()) + '\\n')\ntime.sleep(300)\n");
    let mut child = start(&folder, "sf-run", &["sleep.py"]);
    let pid = || std::fs::read_to_string(folder.path("pid")).unwrap_or_default();
    wait_until("deck", || pid().ends_with('\n'));
    let python = pid().trim().to_string();
    let lives = || {
        let stat = std::fs::read_to_string(format!("/proc/{python}/stat")).unwrap_or_default();
        stat.contains("python") && !stat.contains(") Z")
    };
    let tell = |pid: &str| std::process::Command::new("kill").args(["-TERM", pid]).status().expect("kill runs");
    tell(&python);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(lives(), "the program decides");
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    tell(&python);
    wait_until("end", || !lives());
}
