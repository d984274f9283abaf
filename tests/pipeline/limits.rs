//! Limits of the system: no memory, no room, a terminal that goes away. A run ends with a message and its code, and
//! what it has stored before is whole.

use super::common::*;
use super::{BALL, LONG};

fn frames(folder: &Scratch, results: &str) -> usize {
    Table::parse(&done(folder, &format!("sf-history {results} KINETIC"))).rows.len()
}

/// 16e6 steps of output do not fit into 600 MB; the frames of the segments before stay.
#[test]
fn memory_that_is_not_to_be_had_ends_with_a_message() {
    let folder = Scratch::new();
    let spheres = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
bulk = BULK_MATERIAL(solfec, density=1E3)
for i in range(40000):
    BODY(solfec, 'RIGID', SPHERE((i, 0, 0), 0.4, 1, 1), bulk)
OUTPUT(solfec, 0.001)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 1.0)
";
    folder.write("many.py", spheres);
    done(&folder, "sf-build -q many.py -o m.h5");
    let told = fails(&folder, "ulimit -v 130000; sf-run -q -j 1 m.h5 -o out", 71);
    assert!(told.starts_with("sf-run: error: out of memory: "), "{told}");
    assert!(
        told.ends_with(" MB more are wanted; results stored so far are whole: with more memory, sf-run -c goes on\n")
    );
    assert_eq!(told.lines().count(), 1, "{told}");
}

/// The file, how much could not be written, and what to do, but no addresses; what was stored goes on when there is
/// room.
#[test]
fn a_full_disk_is_told_in_plain_words() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q ball.py -o m.h5; sf-run -q -o whole m.h5 --output-interval 0");
    // The limit of the size of a file stands in for a full disk, with the signal that comes with it.
    for limited in ["ulimit -f 120", "trap '' XFSZ; ulimit -f 120"] {
        let told = fails(&folder, &format!("{limited}; sf-run -q -w -o out m.h5 --output-interval 0"), 4);
        let expected = "sf-run: error: out/segments/s00000.r0000.h5: cannot write ";
        assert!(told.starts_with(expected) && told.contains(" bytes: file too large; raise the limit"), "{told}");
        assert!(told.ends_with("; results stored so far are whole: sf-run -c goes on\n"), "{told}");
        assert!(!told.contains("0x") && !told.contains("H5F") && !told.contains("errno"), "{told}");
        assert!(done(&folder, "sf-info out").contains("condition: failed"));
    }
    done(&folder, "sf-run -q -c -o out m.h5 --output-interval 0");
    same(&folder, "out", "whole");
    let json = shell(&folder, "ulimit -f 120; sf-run --json -w -o out m.h5 --output-interval 0");
    let text = String::from_utf8_lossy(&json.stdout).into_owned();
    assert!(text.contains("\"E_IO_FULL\""), "{text}");
}

/// A small file system that is really full, where one can be mounted.
#[test]
fn a_full_file_system_keeps_what_was_stored() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build -q long.py -o m.h5; mkdir disk");
    let script = "mount -t tmpfs -o size=4m none disk || exit 99
sf-run -q -o disk/out m.h5 --output-interval 0 --steps 50
sf-run -q -c -o disk/out m.h5 --output-interval 0 --checkpoint-every 1s; echo $? > code
sf-history disk/out KINETIC > table; sf-info disk/out > info; ls disk/out disk/out/segments > list
mount -o remount,size=200m disk && sf-run -q -c -o disk/out m.h5 --output-interval 0 --steps $(($(wc -l < table) + 20))
echo $? >> code; sf-history disk/out KINETIC > more";
    folder.write("full.sh", script);
    let output = shell(&folder, "unshare -rm bash full.sh");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if !folder.path("code").exists() {
        tools_testing::skip::not_here("no file system can be mounted here");
        return;
    }
    assert_eq!(folder.read("code"), "4\n0\n", "{told}");
    assert!(told.contains("no space left on device; make room on the disk"), "{told}");
    let (before, after) = (folder.read("table"), folder.read("more"));
    assert!(before.lines().count() > 10, "{before}");
    assert!(after.starts_with(&before), "what was stored has changed");
    assert!(!folder.read("list").contains(".part"), "{}", folder.read("list"));
}

/// The terminal goes away: as with SIGTERM there is a checkpoint, and the code is that of the signal; under nohup the
/// run goes on.
#[test]
fn a_lost_terminal_ends_with_a_checkpoint() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build -q long.py -o m.h5");
    let hang_up = |child: &std::process::Child| {
        let done = std::process::Command::new("kill").args(["-HUP", &child.id().to_string()]).status();
        assert!(done.expect("kill runs").success());
    };
    let child = start(&folder, "sf-run", &["m.h5", "-v", "-i", "0.1", "-o", "out"]);
    wait_until("steps", || state(&folder, "out", "/t") > 0.0);
    hang_up(&child);
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(129), "{told}");
    assert!(told.contains("stopped by signal 1") && told.contains("go on with -c"), "{told}");
    assert!(state(&folder, "out", "/last_checkpoint/t") > 0.0);
    assert!(frames(&folder, "out") > 0);
    let tool = bin().join("sf-run").display().to_string();
    let mut nohup = std::process::Command::new("nohup");
    nohup.args([tool.as_str(), "m.h5", "-q", "-i", "0.1", "-o", "other"]).current_dir(&*folder);
    let mut child =
        nohup.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().expect("nohup");
    wait_until("steps", || state(&folder, "other", "/t") > 0.0);
    hang_up(&child);
    let then = state(&folder, "other", "/t");
    wait_until("more steps", || state(&folder, "other", "/t") > then);
    child.kill().and_then(|()| child.wait()).expect("it is killed");
}

/// The other tools have nothing to keep, but say why they end.
#[test]
fn a_lost_terminal_ends_other_tools_with_a_message() {
    let folder = Scratch::new();
    folder.write("slow.py", "open('begun', 'w').close()\nimport time\ntime.sleep(5)\n");
    let child = start(&folder, "sf-build", &["slow.py", "-o", "m.h5"]);
    wait_until("the deck", || folder.join("begun").exists());
    let done = std::process::Command::new("kill").args(["-HUP", &child.id().to_string()]).status();
    assert!(done.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(129), "{told}");
    assert_eq!(told, "sf-build: error: the terminal hung up; unfinished files are not kept\n");
}

/// A checkpoint whose step has no length, and one whose output interval is too short for time to advance, are refused
/// although their hash is right; so is an interval of checkpoints that would leave no time for steps.
#[test]
fn intervals_of_no_length_are_refused() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q ball.py -o m.h5; sf-run -q m.h5 -o out --steps 20");
    let (sound, _) = solfec_formats::checkpoint::latest(&folder.path("out")).expect("checkpoints");
    let sound = sound.expect("a checkpoint");
    for (part, says) in [("step", "no step can be made from there"), ("interval", "OUTPUT: interval 1e-300 s is below")]
    {
        let mut broken = sound.clone();
        match part {
            "step" => broken.state.clock.h = 0.0,
            _ => broken.state.output.interval = 1e-300,
        }
        solfec_formats::checkpoint::write(&folder.path("out"), &broken, 1).expect("a checkpoint");
        let told = fails(&folder, "timeout 60 sf-run -q -c m.h5 -o out", 3);
        assert!(told.contains(says), "{told}");
    }
    for zero in ["0", "0s", "0h"] {
        let told = fails(&folder, &format!("sf-run -q -w m.h5 -o out --checkpoint-every {zero}"), 2);
        assert!(
            told.contains("--checkpoint-every <T>': 0 leaves no time for steps; give a time such as 90s"),
            "{told}"
        );
    }
}

/// Files of local dynamics with some bytes of a heap changed, on which HDF5 1.10 does not end or crashes: what is asked
/// whether a file is sound answers, and who verifies first does not touch them.
#[test]
fn files_that_hang_or_crash_the_library_are_told() {
    let folder = Scratch::new();
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/damaged");
    for name in ["endless.hdf5", "crash.hdf5"] {
        let file = data.join(name).display().to_string();
        // A limit of ours, so that the test need not wait for that of the tool.
        for (line, code) in [
            (format!("sf-run --check-file {file}"), 1),
            (format!("sf-info {file}"), 1),
            (format!("sf-info --no-check {file}; sf-info {file}"), 1),
            (format!("sf-locdyn-compare solve --verify {file}"), 3),
            (format!("sf-xdmf --verify --initial {file} -o x"), 3),
        ] {
            let told = fails(&folder, &format!("ulimit -t 2; {line}"), code);
            assert!(told.contains(&format!("{name}: damaged so that the HDF5 library")), "{line}: {told}");
        }
    }
}
