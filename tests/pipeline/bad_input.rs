//! Bad input gives a message, a code, and loses nothing that was written.

use super::common::*;
use super::{BALL, LONG};

#[test]
fn the_model_is_missing_foreign_or_truncated() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    folder.write("text.h5", "this is no HDF5 file, but it is long enough to be read as one");
    let told = fails(&folder, "sf-run nothing.h5 -o out", 4);
    assert!(told.starts_with("sf-run: error: nothing.h5: "), "{told}");
    assert!(fails(&folder, "sf-run text.h5 -o out", 3).contains("text.h5"));
    done(&folder, "sf-build ball.py -o m.h5; head -c 3000 m.h5 > cut.h5");
    assert!(fails(&folder, "sf-run cut.h5 -o out", 3).contains("cut.h5"));
    assert!(fails(&folder, "head -c 3000 m.h5 | sf-run -o out -", 3).contains("standard input"));
    assert!(fails(&folder, "true | sf-run -o out -", 3).contains("standard input"));
    // The producer's failure shows through the pipe.
    assert_eq!(shell(&folder, "sf-build nothing.py | sf-run -o out -").status.code(), Some(3));
    assert!(!folder.path("out").exists(), "bad input must leave no results");
}

#[test]
fn existing_results_are_kept_unless_told() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py -o m.h5; sf-run m.h5 -o out --steps 10");
    assert!(fails(&folder, "sf-run m.h5 -o out --steps 20", 4).contains("-w"));
    assert_eq!(Table::parse(&done(&folder, "sf-history out KINETIC")).rows.len(), 2);
    done(&folder, "sf-run m.h5 -w -o out --steps 20");
    assert_eq!(Table::parse(&done(&folder, "sf-history out KINETIC")).rows.len(), 3);
    // Frames whose master is lost are not run over.
    done(&folder, "rm out/out.sfr.h5");
    let told = fails(&folder, "sf-run m.h5 -o out --steps 10", 4);
    assert!(told.contains("out: holds segments of results whose master, *.sfr.h5, is gone"), "{told}");
    done(&folder, "sf-run m.h5 -w -o out --steps 10");
}

#[test]
fn the_output_cannot_be_written() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    folder.write("file", "in the way");
    done(&folder, "sf-build ball.py -o m.h5");
    assert!(fails(&folder, "sf-run m.h5 -o file/out", 4).contains("file/out"));
    assert!(fails(&folder, "sf-run m.h5 -o /proc/out", 4).contains("/proc/out"));
}

/// A file system that is full: the message names the file, the code is 4, and frames stored before are still there.
#[test]
fn the_disk_is_full() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    // A limit of the file size stands in for a full disk: writes fail in the same way (EFBIG for ENOSPC).
    let told = fails(&folder, "trap '' XFSZ; ulimit -f 200; sf-run m.h5 -q -o out --steps 4000 --output-interval 0", 4);
    assert!(told.contains("out"), "{told}");
    let output = shell(&folder, "sf-history out KINETIC");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn lengths_are_finite_numbers() {
    let folder = Scratch::new();
    for option in ["--until nan", "--until inf", "--until -1", "--until abc", "--output-interval -1", "--steps -3"] {
        let told = fails(&folder, &format!("sf-run m.h5 -o out {option}"), 2);
        assert!(told.contains("number >= 0"), "{option}: {told}");
    }
    assert!(fails(&folder, "sf-run . -o out", 2).contains("give a model file"));
}

#[test]
fn what_is_no_deck() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py -o m.h5");
    assert!(fails(&folder, "sf-build m.h5", 3).contains("m.h5: is not a text file"));
    assert!(fails(&folder, "sf-build -", 2).contains("give a file"));
    assert!(fails(&folder, "SF_PYTHON=/bin/false sf-build ball.py", 3).contains("SF_PYTHON"));
}

/// A workflow is made by 'make' alone; nothing is removed by that.
#[test]
fn workflows_are_made_by_default() {
    let folder = Scratch::new();
    let workflows = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("workflows");
    let all = std::fs::read_to_string(workflows.join("Makefile")).expect("the list of workflows");
    for entry in std::fs::read_dir(&workflows).expect("workflows").flatten().filter(|e| e.path().is_dir()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(all.contains(&name), "workflows/Makefile does not make {name}");
        let place = entry.path().display().to_string();
        let plan = done(&folder, &format!("make -n -C {place} OUT=none BIN=bin"));
        let runs = ["sf-run", "sf-modal"].iter().any(|tool| plan.contains(tool));
        assert!(runs && !plan.contains("rm -rf"), "{name}: {plan}");
    }
}

#[test]
fn usage_errors() {
    let folder = Scratch::new();
    for line in ["sf-run --nonsense", "sf-run --steps many m.h5", "sf-run --compat nonsense m.h5"] {
        folder.write("deck.py", "");
        fails(&folder, line, 2);
    }
    assert!(done(&folder, "sf-run --help").contains("Exit codes"));
    assert!(done(&folder, "sf-run --version").contains("sf-run"));
}

/// Interpenetration beyond the bound: code 6, both labels, a frame with the contact is stored.
#[test]
fn unphysical_penetration() {
    let folder = Scratch::new();
    folder.write(
        "deep.py",
        &BALL.replace("0.6), 0.5", "0.3), 0.5").replace("OUTPUT", "UNPHYSICAL_PENETRATION(solfec, 0.1)\nOUTPUT"),
    );
    let told = fails(&folder, "sf-build deep.py | sf-run -o out -", 6);
    assert!(told.contains("BALL") && told.contains("FLOOR") && told.contains("move the bodies apart"), "{told}");
    assert_eq!(Table::parse(&done(&folder, "sf-history out CONS")).rows.len(), 1);
}

/// A solver told to EXIT when it does not converge ends the run with code 6.
#[test]
fn a_solver_that_fails() {
    let folder = Scratch::new();
    folder.write(
        "hard.py",
        &LONG.replace("GAUSS_SEIDEL_SOLVER(1E-8, 1000)", "GAUSS_SEIDEL_SOLVER(1E-12, 1, failure='EXIT')"),
    );
    let told = fails(&folder, "sf-build hard.py | sf-run -o out -", 6);
    assert!(told.contains("GAUSS_SEIDEL_SOLVER"), "{told}");
    done(&folder, "sf-history out KINETIC");
}

/// The command line may decide what a missed tolerance does, and `--json` tells how it ended.
#[test]
fn stop_on_nonconvergence() {
    let folder = Scratch::new();
    folder.write("hard.py", &LONG.replace("GAUSS_SEIDEL_SOLVER(1E-8, 1000)", "GAUSS_SEIDEL_SOLVER(1E-12, 1)"));
    done(&folder, "sf-build hard.py -o m.h5");
    let output = shell(&folder, "sf-run m.h5 -o out --on-nonconvergence stop --json");
    assert_eq!(output.status.code(), Some(6));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(document["schema"], "sf-run/1");
    assert_eq!(document["exit"], 6);
    assert_eq!(document["domains"][0]["steps"], 1);
    let told = fails(&folder, "sf-run m.h5 -w -o out --on-nonconvergence halve-step", 6);
    assert!(told.contains("repeated with a length of") && told.contains("did not converge"), "{told}");
    let told = fails(&folder, "sf-run m.h5 -w -o out --steps 5 --on-nonconvergence perhaps", 2);
    assert!(told.contains("perhaps"), "{told}");
    let output = shell(&folder, "sf-run m.h5 -w -o out --steps 5");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("5 of 5 steps missed the tolerance"));
}

/// A step whose state is not finite is made with half its length, and a run that goes on behind it is the run that was
/// not interrupted.
#[test]
fn a_run_with_halved_steps_goes_on() {
    let folder = Scratch::new();
    folder.write(
        "push.py",
        "
s = SOLFEC('DYNAMIC', 1E-3, 'out')
m = BULK_MATERIAL(s, density=1000)
SURFACE_MATERIAL(s, friction=0.3)
BODY(s, 'OBSTACLE', HULL([-9, -9, -1, 9, -9, -1, 9, 9, -1, -9, 9, -1, -9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0], 1, 1), m)
b = BODY(s, 'RIGID', SPHERE((0, 0, 0.5), 0.5, 1, 1), m)
FORCE(b, 'SPATIAL', (0, 0, 0.5), (1, 0, 0), TIME_SERIES([0, 0, 3.4E-3, 0, 3.5E-3, 1E300, 3.6E-3, 0, 1, 0]))
INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 3))
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0)
RUN(s, GAUSS_SEIDEL_SOLVER(1E-9, 1000), 0.01)
",
    );
    done(&folder, "sf-build push.py -o m.h5");
    let told = fails(&folder, "sf-run -w m.h5 -o ends", 6);
    assert!(told.contains("not finite"), "{told}");
    let run = "sf-run -q m.h5 --on-nonconvergence halve-step";
    done(&folder, &format!("{run} -o whole"));
    let times = Table::parse(&done(&folder, "sf-history whole KINETIC")).column("time");
    assert!(times.iter().any(|t| (t - 3.5e-3).abs() < 1e-12), "{times:?}");
    for steps in [3, 4] {
        done(&folder, &format!("{run} -o part{steps} --steps {steps}; {run} -c -o part{steps}"));
        same(&folder, "whole", &format!("part{steps}"));
    }
}

/// A warning is told once, counted every time, stored with the results and kept over a restart; `--strict` makes it an
/// error.
#[test]
fn warnings_are_counted_in_the_results() {
    let folder = Scratch::new();
    folder.write("hard.py", &LONG.replace("GAUSS_SEIDEL_SOLVER(1E-8, 1000)", "GAUSS_SEIDEL_SOLVER(1E-12, 1)"));
    done(&folder, "sf-build hard.py -o m.h5");
    let output = shell(&folder, "sf-run m.h5 -o out --steps 3");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.matches("did not converge").count() == 1, "{told}");
    assert!(told.contains("; allow more iterations, loosen the tolerance, or use 'AUTO'\n"), "{told}");
    assert!(told.contains("not shown: 2 more of 'solver'"), "{told}");
    let count = |folder: &Scratch| {
        let document: serde_json::Value =
            serde_json::from_str(&done(folder, "sf-history out --list --json")).expect("one JSON document");
        let warning = document["domains"][0]["warnings"][0].clone();
        assert!(
            warning["kind"] == "solver"
                && warning["text"].as_str().is_some_and(|text| text.contains("did not converge"))
        );
        warning["count"].as_u64()
    };
    assert_eq!(count(&folder), Some(3));
    done(&folder, "sf-run m.h5 -c -q -o out --steps 5");
    assert_eq!(count(&folder), Some(5));
    assert!(done(&folder, "sf-history out --list").contains("warning 'solver': 5 times, first at"));
    let told = fails(&folder, "sf-run m.h5 -w -o out --strict", 3);
    assert!(told.contains("did not converge") && told.contains("--strict"), "{told}");
    assert_eq!(count(&folder), Some(1));
}

/// Mistakes on the command line end with what to type instead, on one line.
#[test]
fn mistaken_options_are_answered() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    let np = fails(&folder, "sf-run -np 0 ball.py", 2);
    assert_eq!(np, "sf-run: error: -np: '0' is not a number of processes; give -np N, N from 1\n");
    let typo = fails(&folder, "sf-run --ouput x ball.py", 2);
    assert!(typo.ends_with("found; a similar argument exists: '--output'; see 'sf-run --help'\n"), "{typo}");
    assert!(fails(&folder, "sf-run --threads 0 ball.py", 2).contains("--threads must be at least 1"));
    assert!(fails(&folder, "true | sf-run", 3).contains("standard input is empty: the command before the pipe failed"));
}

/// What HISTORY returned in WRITE mode is explained where it is used; a model without friction is told by --check.
#[test]
fn what_decks_forget_is_told() {
    let folder = Scratch::new();
    folder.write("ball.py", &format!("{BALL}t, z = HISTORY(solfec, ['KINETIC'], 0, 1)\n"));
    let told = fails(&folder, "sf-run -q ball.py", 3);
    assert!(told.contains("HISTORY returned None because results are being written"), "{told}");
    folder.write("smooth.py", &BALL.replace("SURFACE_MATERIAL(", "0 and SURFACE_MATERIAL("));
    let checked = shell(&folder, "sf-build --check smooth.py");
    let text = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(
        checked.status.success() && text.contains("no SURFACE_MATERIAL is given: contacts have no friction"),
        "{text}"
    );
    folder.write("heavy.py", &BALL.replace("-10)", "-1e300)"));
    fails(&folder, "sf-run -q -w heavy.py", 6);
}

/// Every tool overwrites with -f and with -w, and chooses frames with --time.
#[test]
fn tools_share_their_words() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q ball.py -o m.h5; sf-run -q m.h5 -o r");
    for force in ["-f", "-w", "--force", "--overwrite"] {
        done(&folder, &format!("sf-build -q {force} ball.py -o m.h5; sf-run -q {force} m.h5 -o r"));
        done(&folder, &format!("sf-history -q {force} r KINETIC --time last -o t.csv"));
        done(&folder, &format!("sf-xdmf -q {force} r --time last -o viz"));
        done(&folder, &format!("sf-run -q {force} --pack r --time last packed.h5"));
    }
    done(&folder, "sf-run -q -w --pack r --frames last packed.h5");
}

/// Intervals so short that times do not differ by them, and a checkpoint with a step of no length, end nothing.
#[test]
fn intervals_that_cannot_advance_the_clock_are_refused() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q -o ball.sfm.h5 ball.py");
    let told = fails(&folder, "timeout 60 sf-run -q -o a --output-interval 1e-300 ball.sfm.h5", 3);
    assert!(told.contains("OUTPUT: interval 1e-300 s is below 1e-12 s"), "{told}");
    folder.write("short.py", &BALL.replace("OUTPUT(solfec, 0.01)", "OUTPUT(solfec, 1E-22)"));
    fails(&folder, "timeout 60 sf-run -q -o b short.py", 3);
    let callback = "def call(): return 1\nCALLBACK(solfec, 1E-300, (), call)\nRUN(";
    folder.write("call.py", &BALL.replace("RUN(", callback));
    let told = fails(&folder, "timeout 60 sf-run -q -o c call.py", 3);
    assert!(told.contains("CALLBACK: interval 1e-300 s"), "{told}");
}

/// A virtual dataset that is its own source overflows the stack of the HDF5 library; the check lives on.
#[test]
fn a_file_that_crashes_the_library_is_told() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q -o ball.sfm.h5 ball.py");
    let program = "
import h5py
with h5py.File('ball.sfm.h5', 'r+', libver=('earliest', 'v110')) as f:
    path = 'domains/0/bodies/id'
    found = f[path]; shape, kind = found.shape, found.dtype
    del f[path]
    layout = h5py.VirtualLayout(shape, kind)
    layout[...] = h5py.VirtualSource('.', path, shape)
    f.create_virtual_dataset(path, layout)
";
    if python(&folder, "h5py", program).is_some() {
        let told = fails(&folder, "sf-run --check-file ball.sfm.h5", 1);
        assert!(told.contains("ball.sfm.h5: damaged so that the HDF5 library fails when it reads it"), "{told}");
        assert!(done(&folder, "sf-run --check-file ball.sfm.h5 --json; true").contains("\"problems\""));
    }
}

/// Results of a stranger with links in the places of our files: what they point to stays as it is.
#[test]
fn nothing_is_written_through_links() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q -o ball.sfm.h5 ball.py; sf-run -q -o out ball.sfm.h5");
    let parts =
        ["STATE.part", "state.json.part", "out.sfr.h5.part", "out.sfm.h5.part", "segments/s00000.r0000.h5.part"];
    for name in parts {
        done(&folder, &format!("echo kept > precious; ln -s $PWD/precious out/{name}"));
        done(&folder, "sf-run -q -w -o out ball.sfm.h5");
        assert_eq!(folder.read("precious"), "kept\n", "{name}");
    }
    done(&folder, "ln -s $PWD/precious out/out.py; sf-run -q -w -o out ball.py");
    assert_eq!(folder.read("precious"), "kept\n");
    done(&folder, "rm -r out/segments; mkdir other; ln -s $PWD/other out/segments");
    let told = fails(&folder, "sf-run -q -w -o out ball.sfm.h5", 4);
    assert!(told.contains("out/segments: is a symbolic link"), "{told}");
    // The directory itself may be one.
    done(&folder, "mkdir real; ln -s real linked; sf-run -q -w -o linked ball.sfm.h5; sf-history linked KINETIC");
}

/// Labels with escapes and formulas are shown, and do nothing.
#[test]
fn labels_are_harmless() {
    let folder = Scratch::new();
    folder.write("ball.py", &BALL.replace("label='BALL'", "label='=1+1\\x1b[2J'"));
    done(&folder, "sf-run -q -o out ball.py; sf-xdmf -o x out");
    let list = done(&folder, "sf-history out --list");
    assert!(list.contains("label:=1+1\\u{1b}[2J"), "{list}");
    let table = done(&folder, "cat x/*_labels.csv");
    assert!(table.contains(",'=1+1"), "{table}");
}
