//! What a user does on a good day, and what survives a kill.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tools_testing::size::large;

use super::common::*;
use super::{BALL, LONG};

/// Dumps every dataset but /timing and /provenance as a sorted list of path and digest.
const DIGEST: &str = "
import h5py, hashlib, sys, glob
name = glob.glob('RESULTS/*.sfr.h5')[0]
rows = []
with h5py.File(name) as f:
    def visit(group, path):
        for key in sorted(group):
            here = path + '/' + key
            if here in ('/timing', '/provenance', '/model'):
                continue
            item = group[key]
            if isinstance(item, h5py.Group):
                visit(item, here)
            else:
                value = item[()]
                data = value.tobytes() if value.dtype.kind != 'O' else repr(value.tolist()).encode()
                rows.append(here + ' ' + str(item.shape) + ' ' + hashlib.sha256(data).hexdigest())
    visit(f, '')
print('\\n'.join(rows))
";

fn digest(folder: &Scratch, results: &str) -> Option<String> {
    python(folder, "h5py", &DIGEST.replace("RESULTS", results))
}

/// From deck to table, plot and picture, through the pipe.
#[test]
fn from_deck_to_picture() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py | sf-run -o out/ball -");
    let table = Table::parse(&done(&folder, "sf-history out/ball 'z=CZ@label:BALL(0,0,0.6)' KINETIC CONS"));
    let (t, z) = (table.column("time"), table.column("z"));
    assert_eq!(t.len(), 31, "frames every 10 ms from 0 to 0.3 s");
    assert!((z[10] - (0.6 - 0.5 * 10.0 * 0.1f64.powi(2))).abs() < 1e-12, "free fall until 0.1 s");
    assert!((z[30] - 0.5).abs() < 2e-3, "at rest on the floor");
    assert_eq!(table.column("CONS")[30], 1.0);
    done(
        &folder,
        "sf-history out/ball KINETIC --plot k.png -o k.csv && sf-history out/ball KINETIC --plot k.svg -o k2.csv",
    );
    let png = std::fs::read(folder.path("k.png")).expect("the plot");
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert!(std::fs::read_to_string(folder.path("k.svg")).expect("the plot").contains("<svg"));
    done(&folder, "sf-xdmf out/ball -o viz");
    let files: Vec<_> =
        std::fs::read_dir(folder.path("viz")).expect("exports").flatten().map(|e| e.file_name()).collect();
    for part in ["_bodies.xmf", "_points.xmf", "_contacts.xmf"] {
        assert!(files.iter().any(|f| f.to_string_lossy().ends_with(part)), "no {part} in {files:?}");
    }
}

/// A silent run stays silent: nothing on standard error in a pipe.
#[test]
fn a_run_in_a_pipe_is_silent() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    let output = shell(&folder, "sf-build ball.py | sf-run -o out/ball -");
    assert!(output.status.success());
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.is_empty());
}

/// tee, a file, the pipe: the same results.
#[test]
fn a_file_and_a_pipe_give_the_same_results() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py | tee m.h5 | sf-run -o a/ball -; sf-run -o b/ball m.h5");
    let (Some(a), Some(b)) = (digest(&folder, "a/ball"), digest(&folder, "b/ball")) else { return };
    assert_eq!(a, b);
    // Packed results go through a pipe too.
    let direct = done(&folder, "sf-run -q m.h5 -o - | sf-history - KINETIC");
    assert_eq!(direct, done(&folder, "sf-history a/ball KINETIC"));
}

/// Every dataset is the same on 1, 2 and 4 threads and on a second run.
#[test]
fn threads_do_not_change_a_byte() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    let mut first = None;
    for (run, threads) in [1, 2, 4, 1].into_iter().enumerate() {
        done(&folder, &format!("sf-run m.h5 -o r{run}/long --threads {threads} --steps 60"));
        let Some(now) = digest(&folder, &format!("r{run}/long")) else { return };
        assert!(now.lines().count() > 20, "too few datasets:\n{now}");
        assert_eq!(first.get_or_insert(now.clone()), &now, "{threads} threads, run {run}");
    }
}

/// `--until` and `--steps` cut short, and `--until` extends.
#[test]
fn until_and_steps() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py -o m.h5; sf-run m.h5 -o a --until 0.05; sf-run m.h5 -o b --steps 7; sf-run m.h5 -o c --until 0.4");
    let end = |results: &str| {
        let table = Table::parse(&done(&folder, &format!("sf-history {results} KINETIC")));
        *table.column("time").last().expect("frames")
    };
    assert!((end("a") - 0.05).abs() < 1e-12);
    assert!((end("b") - 0.007).abs() < 1e-12, "the last state is always stored");
    assert!((end("c") - 0.4).abs() < 1e-12);
}

/// While a run goes on its frames can be read; after kill -9 exactly the committed ones are there, and their bytes are
/// those of an undisturbed run. Twice at different instants, twenty times with SF_LARGE=1.
#[test]
fn a_killed_run_keeps_what_was_committed() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5");
    let kills = if large() { 20 } else { 2 };
    let mut killed = Vec::new();
    for k in 0..kills {
        let mut child = Command::new(bin().join("sf-run"))
            .args(["m.h5", "-w", "-q", "-o", "killed"])
            .current_dir(&folder)
            .stdin(Stdio::null())
            .spawn()
            .expect("sf-run starts");
        let frames = wait_for_frames(&folder);
        // Anywhere in the two seconds between commits, and in a commit itself.
        std::thread::sleep(Duration::from_millis(107 * k % 2000));
        child.kill().expect("the run was at work");
        child.wait().expect("it ends");
        let table = Table::parse(&done(&folder, "sf-history killed KINETIC MERIT"));
        assert!(table.rows.len() >= frames, "frames were lost");
        killed.push(table);
    }
    let last = |table: &Table| table.column("time").last().copied().expect("frames");
    let until = killed.iter().map(last).fold(0.0, f64::max);
    done(&folder, &format!("sf-run m.h5 -q -o whole --until {until}"));
    let whole = Table::parse(&done(&folder, "sf-history whole KINETIC MERIT"));
    for table in killed {
        for (a, b) in table.rows.iter().flatten().zip(whole.rows.iter().flatten()) {
            assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), "{a} is not {b}");
        }
    }
}

/// Waits until the running job shows at least three frames; how many.
fn wait_for_frames(folder: &Scratch) -> usize {
    let began = Instant::now();
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let output = shell(folder, "sf-history killed KINETIC");
        let rows = String::from_utf8_lossy(&output.stdout).lines().count().saturating_sub(1);
        if output.status.success() && rows >= 3 {
            return rows;
        }
        assert!(began.elapsed() < Duration::from_secs(300), "no frames to read after five minutes");
    }
}
