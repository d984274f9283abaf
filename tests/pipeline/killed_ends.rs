//! Killed before each of the last calls that change files: the master can be read at once, and the run goes on to what
//! an uninterrupted one leaves. And one writer at a time.

use std::process::Command;

use tools_testing::size::large;
use tools_testing::skip::not_here;

use super::common::*;
use super::{BALL, LONG};

/// Calls before the end that are looked at: those that change folders, from before the first segments are merged, and
/// all that write.
const LAST: [(&str, usize); 2] = [("SHIM_NAMES=1", 30), ("", 20)];
/// A checkpoint at each step gives many segments, and the status is told at the ends only: the calls are the same
/// in each run.
const OPTIONS: &str = "-q -i 1000 --checkpoint-every 0.000001s";

/// Two RUNs of few steps.
fn model(folder: &Scratch) {
    let deck = BALL.replace("OUTPUT(solfec, 0.01)", "OUTPUT(solfec, 0.002)").replace("100), 0.3)", "100), 0.004)");
    let again = "RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.004)\n";
    folder.write("deck.py", &format!("{deck}{again}"));
    done(folder, "sf-build -q -o ball.sfm.h5 deck.py");
}

/// A library that kills its process; `None` and a loud line without a C compiler.
fn shim(folder: &Scratch) -> Option<()> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pipeline/killed_ends.c");
    let to = folder.path("shim.so");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(to).args([source, "-ldl"]).status();
    if !built.is_ok_and(|status| status.success()) {
        not_here("cc");
        return None;
    }
    Some(())
}

/// Calls that `line` makes; `set`: variables of the library.
fn calls(folder: &Scratch, line: &str, set: &str) -> usize {
    done(folder, &format!("env {set} SHIM_LOG=$PWD/calls LD_PRELOAD=$PWD/shim.so {line}"));
    folder.read("calls").trim().parse().unwrap()
}

/// Runs sf-run and kills it before call `k`: the signal that ended it.
fn kill(folder: &Scratch, line: &str, k: usize, set: &str) -> Option<i32> {
    fails_by_signal(folder, &format!("exec env {set} SHIM_K={k} LD_PRELOAD=$PWD/shim.so sf-run {line}"))
}

/// Every dataset of these masters is read by strangers, none has a hole.
fn readable(folder: &Scratch, names: &[String]) {
    let program = format!(
        "
import glob, h5py, numpy
def whole(name, item):
    if isinstance(item, h5py.Dataset):
        data = item[...]
        # One process has no numbers of several.
        absent = any(part in name for part in ('frame', 'solverstat', 'steps/gs'))
        if item.is_virtual and data.dtype.kind == 'f' and not absent:
            assert not numpy.isnan(data).any(), (path, name)
        if item.is_virtual and data.dtype.kind == 'u' and name.endswith('rigid/body'):
            assert (data < 2).all(), (path, name, data)
for name in {names:?}:
    path, = glob.glob(name + '/*.sfr.h5')
    with h5py.File(path, 'r') as f: f.visititems(whole)
"
    );
    python(folder, "h5py", &program);
}

fn files(folder: &Scratch, dir: &str) -> String {
    done(folder, &format!("cd {dir}; ls . segments checkpoints | grep -v '^{dir}'"))
}

#[test]
fn killed_before_each_of_the_last_calls() {
    let folder = Scratch::new();
    let Some(()) = shim(&folder) else { return };
    model(&folder);
    let mut names = Vec::new();
    for (set, last) in LAST {
        // Without the calls that remove an earlier reference.
        let count = || {
            done(&folder, "rm -rf reference");
            calls(&folder, &format!("sf-run {OPTIONS} -o reference ball.sfm.h5"), set)
        };
        let mut n = count();
        assert!(n > 2 * last, "{n} calls");
        // SF_LARGE=1: each of them.
        for before in (0..last).rev().step_by(if large() { 1 } else { 3 }) {
            names.push(format!("k{}", names.len()));
            let name = &names[names.len() - 1];
            let killed = |n: usize| kill(&folder, &format!("{OPTIONS} -o {name} ball.sfm.h5"), n - before, set);
            // Its state is told by the clock: a run that is slower than another makes more calls.
            let mut tries = 0;
            while killed(n) != Some(9) && tries < 5 {
                done(&folder, &format!("rm -r {name}"));
                (n, tries) = (count(), tries + 1);
            }
            assert!(tries < 5, "{name}: not killed {before} before the end of {n}");
        }
    }
    readable(&folder, &names);
    let left = files(&folder, "reference");
    for (i, name) in names.iter().enumerate() {
        // Every other one is killed once more while it goes on.
        if i % 2 == 0 {
            let _ = kill(&folder, &format!("{OPTIONS} -o {name} -c ball.sfm.h5"), 5 + i, LAST[0].0);
            readable(&folder, std::slice::from_ref(name));
        }
        done(&folder, &format!("sf-run {OPTIONS} -o {name} -c ball.sfm.h5"));
        same(&folder, "reference", name);
        assert_eq!(state_text(&folder, name, "/status"), "done", "{name}");
        assert_eq!(files(&folder, name), left, "{name}");
        done(&folder, &format!("sf-run --check-file {name}"));
    }
}

#[test]
fn one_process_writes_at_a_time() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build -q -o long.sfm.h5 long.py");
    let mut first = start(&folder, "sf-run", &["-q", "-o", "two", "long.sfm.h5"]);
    wait_until("frame", || state(&folder, "two", "/t") > 0.0);
    for option in ["-w", "-c"] {
        let told = fails(&folder, &format!("sf-run -q {option} -o two long.sfm.h5"), 4);
        assert!(told.contains(&format!("process {} on ", first.id())), "{option}: {told}");
    }
    done(&folder, "sf-history two KINETIC");
    first.kill().unwrap();
    first.wait().unwrap();
    // Nobody has to remove anything.
    assert!(folder.path("two/lock").exists());
    let note = shell(&folder, "sf-run -c -o two --steps 10 long.sfm.h5");
    assert!(note.status.success(), "{}", String::from_utf8_lossy(&note.stderr));
    assert!(!folder.path("two/lock").exists());
}
