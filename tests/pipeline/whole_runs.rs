//! Commands whose effect passes through several tools.

use super::common::*;
use tools_testing::size::large;

/// h = 0.01, frames and callbacks every 0.05; the callback prints its time.
const SCHEDULE: &str = "
import sys
solfec = SOLFEC('DYNAMIC', 0.01, 'out/schedule')
bulk = BULK_MATERIAL(solfec, density=1)
BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), bulk)
def callback():
    print('%.6g' % solfec.time, end=' ', file=sys.stderr)
    return 1
OUTPUT(solfec, 0.05)
CALLBACK(solfec, 0.05, (), callback)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), float(sys.argv[1]))
";

/// Times of the callbacks and of the frames, and the number of steps, of RUN(`duration`).
fn schedule(folder: &Scratch, compat: &str, duration: &str) -> (String, String, u64) {
    let told = done(folder, &format!("sf-run -q -w --json {compat} deck.py -- {duration} 2> callbacks"));
    let report: serde_json::Value = serde_json::from_str(&told).expect("a JSON document");
    let callbacks = std::fs::read_to_string(folder.path("callbacks")).expect("what the deck printed");
    let frames = Table::parse(&done(folder, "sf-history out/schedule KINETIC"));
    let times: Vec<String> = frames.column("time").iter().map(|t| format!("{}", (t * 1e9).round() / 1e9)).collect();
    (callbacks.trim().into(), times.join(" "), report["domains"][0]["steps"].as_u64().expect("a number of steps"))
}

#[test]
fn schedules_of_frames_and_callbacks() {
    let folder = Scratch::new();
    folder.write("deck.py", SCHEDULE);
    let (callbacks, frames, steps) = schedule(&folder, "--compat schedule", "0.2");
    assert_eq!(callbacks, "0.01 0.05 0.11 0.16 0.2");
    assert_eq!((frames.as_str(), steps), ("0 0.05 0.11 0.16 0.2", 20));
    let (callbacks, frames, steps) = schedule(&folder, "", "0.2");
    assert_eq!(callbacks, "0.01 0.05 0.1 0.15 0.2");
    assert_eq!((frames.as_str(), steps), ("0 0.05 0.1 0.15 0.2", 20));
    assert_eq!(schedule(&folder, "--compat schedule", "0.1").2, 11);
    assert_eq!(schedule(&folder, "", "0.1").2, 10);
}

/// SEEK takes the nearest frame, FORWARD and BACKWARD clamp, a fresh object loads its first frame.
#[test]
fn frames_are_selected_by_time() {
    let folder = Scratch::new();
    folder.write("deck.py", SCHEDULE);
    let reading = "
def at(): return round(solfec.time, 9)
def seek(t, **how): SEEK(solfec, t, **how); return at()
print(solfec.mode, at())
FORWARD(solfec, 3); print(at())
FORWARD(solfec, 1); print(at())
print([round(t, 9) for t in DURATION(solfec)], at())
print([seek(t) for t in (0.099, 0.024, 0.026, 0.051, 0.12, -1, 9)])
print([seek(t, mode='floor') for t in (0.099, 0.11, 0.2, -1, 9)])
print([seek(t, mode='ceil') for t in (0.051, 0.11, 0.2, -1, 9)])
FORWARD(solfec, 99); print(at())
BACKWARD(solfec, 2); print(at())
BACKWARD(solfec, 99); print(at())
";
    let deck = format!("{SCHEDULE}if solfec.mode == 'READ':\n  exec({reading:?})\n");
    folder.write("deck.py", &deck);
    done(&folder, "sf-run -q --compat schedule deck.py -- 0.2");
    let expected = "READ 0.0
0.0
0.05
[0.0, 0.2] 0.05
[0.11, 0.0, 0.05, 0.05, 0.11, 0.0, 0.2]
[0.05, 0.11, 0.2, 0.0, 0.2]
[0.11, 0.11, 0.2, 0.0, 0.2]
0.2
0.11
0.0
";
    assert_eq!(done(&folder, "sf-run -q --compat schedule deck.py -- 0.2"), expected);
}

/// The same path opened twice in one process, and many objects: the second is in READ mode, no descriptor is lost.
#[test]
fn the_same_path_twice_is_read() {
    let folder = Scratch::new();
    folder.write("deck.py", AGAIN);
    assert_eq!(done(&folder, "sf-run -q deck.py"), "WRITE READ\n");
    assert_eq!(done(&folder, "sf-run -q deck.py"), "READ READ\n");
    assert_eq!(done(&folder, "sf-run -q -w deck.py"), "WRITE READ\n");
    let many = "
import os
count = lambda: len(os.listdir('/proc/%d/fd' % os.getppid()))
modes = set()
for i in range(COUNT):
    modes.add(f('out/many%d' % i))
    if i == 10: before = count()
print(modes, count() - before)
";
    let many = many.replace("COUNT", if large() { "300" } else { "60" });
    folder.write("many.py", &format!("{AGAIN}{many}"));
    assert_eq!(done(&folder, "sf-run -q many.py"), "WRITE READ\n{'WRITE'} 0\n".replace("WRITE READ", "READ READ"));
}

/// One function that builds and runs, called twice.
const AGAIN: &str = "
def f(path):
    s = SOLFEC('DYNAMIC', 1E-2, path)
    m = BULK_MATERIAL(s)
    ball = BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), m)
    INITIAL_VELOCITY(ball, (1, 0, 0), (0, 0, 0))
    RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.05)
    if s.mode == 'READ': SEEK(s, 1)
    assert abs(DISPLACEMENT(ball, (0, 0, 0))[0] - 0.05) < 1E-12, s.mode
    return s.mode
print(f('out/again'), f('out/again'))
";
#[test]
fn exit_codes_of_runs() {
    let folder = Scratch::new();
    folder.write("ball.py", super::BALL);
    folder.write("other.py", &super::BALL.replace("0.6), 0.5", "0.6), 0.4"));
    folder.write("raise.py", "raise ValueError('no')\n");
    folder.write("exit.py", "import sys\nsys.exit(3)\n");
    folder.write("diverge.py", &super::BALL.replace("1E-6, 100)", "1E-14, 1, failure='EXIT')"));
    folder.write("callback.py", &super::BALL.replace("RUN(", "CALLBACK(solfec, 1, (), lambda: 1)\nRUN("));
    done(&folder, "sf-build ball.py -o m.h5; sf-run -q m.h5 -o r --steps 250 --dump-locdyn 250:a.h5");
    done(&folder, "sf-build other.py -o n.h5; sf-run -q n.h5 -o n --steps 250 --dump-locdyn 250:b.h5");
    done(&folder, "mkdir -p stop; touch stop/STOP");
    for (line, code) in [
        ("sf-run raise.py", 3),
        ("sf-build raise.py", 3),
        ("sf-run exit.py", 3),
        ("sf-run nothing.py", 4),
        ("sf-run m.h5 -o r", 4),
        ("sf-run -q m.h5 -o stop", 5),
        ("sf-run diverge.py", 6),
        ("sf-build callback.py", 7),
        ("sf-locdyn-compare a.h5 b.h5", 1),
    ] {
        fails(&folder, line, code);
    }
}

/// Continuation at 0.2 with frames every 0.05: no burst of frames, warm contacts.
#[test]
fn a_continued_run_writes_no_extra_frames() {
    let folder = Scratch::new();
    let deck = super::BALL
        .replace("0.6), 0.5", "0.5001), 0.5")
        .replace("0.01)\nRUN", "0.05)\nRUN")
        .replace("0.3)\n", "0.2)\n");
    folder.write(
        "deck.py",
        &deck.replace("friction=0.2)", "friction=0.3)").replace("'DYNAMIC', 1E-3", "'DYNAMIC', 0.01"),
    );
    done(&folder, "sf-build deck.py -o m.h5; sf-run -q m.h5 -o out/r; sf-run -q m.h5 -c --until 0.4 -o out/r");
    done(&folder, "sf-run -q m.h5 --until 0.4 -o whole/r");
    let times = Table::parse(&done(&folder, "sf-history out/r KINETIC")).column("time");
    let times: Vec<f64> = times.iter().map(|t| (t * 1e9).round() / 1e9).collect();
    assert_eq!(times, [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]);
    // Every step and its iterations are those of the uninterrupted run.
    same(&folder, "whole/r", "out/r");
}

/// Kills while frames are written: a prefix can be read, and `-c` ends with the results of an uninterrupted run.
#[test]
fn kills_leave_a_prefix_and_runs_go_on() {
    let folder = Scratch::new();
    folder
        .write("long.py", &super::LONG.replace("1000.0)", "2.0)").replace("OUTPUT(solfec, 0.01)", "OUTPUT(solfec, 0)"));
    done(&folder, "sf-build long.py -o m.h5; sf-run -q m.h5 -o whole/long");
    let whole = Table::parse(&done(&folder, "sf-history whole/long KINETIC MERIT"));
    let kills = if large() { 100 } else { 10 };
    for k in 0..kills {
        let args = ["m.h5", "-q", "-c", "--checkpoint-every", "0.02s", "-o", "killed/long"];
        let mut child = start(&folder, "sf-run", &args);
        std::thread::sleep(std::time::Duration::from_millis(20 + 37 * (k * 7 % 10)));
        let _ = child.kill();
        let _ = child.wait();
        if !folder.path("killed/long/long.sfr.h5").exists() {
            continue;
        }
        let output = shell(&folder, "sf-history killed/long KINETIC MERIT");
        if !output.status.success() {
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(told.contains("no frames"), "{told}");
            continue;
        }
        let prefix = Table::parse(&String::from_utf8_lossy(&output.stdout));
        assert!(prefix.rows.len() <= whole.rows.len());
        for (a, b) in prefix.rows.iter().flatten().zip(whole.rows.iter().flatten()) {
            assert!(a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()), "{a} is not {b}");
        }
    }
    done(&folder, "sf-run -q m.h5 -c -o killed/long");
    same(&folder, "whole/long", "killed/long");
    // What is damaged is never replaced without -w.
    done(&folder, "head -c 100 killed/long/long.sfr.h5 > cut; cp cut killed/long/long.sfr.h5");
    fails(&folder, "sf-run -q m.h5 -c -o killed/long", 4);
    fails(&folder, "sf-run -q m.h5 -o killed/long", 4);
    // With it their model, which is whole, runs again.
    done(&folder, "sf-run -q -w killed/long");
    same(&folder, "whole/long", "killed/long");
}

/// OUT of `--pack` may stand anywhere, or be given by `-o`; the clock readings of the steps stay.
#[test]
fn packed_results_go_where_they_are_told() {
    let folder = Scratch::new();
    folder.write("ball.py", &super::BALL.replace(", 0.3)", ", 0.1)"));
    done(&folder, "sf-run -q ball.py");
    for line in [
        "sf-run --pack out/ball a.h5",
        "sf-run --pack out/ball --time 0.05: b.h5",
        "sf-run --pack out/ball -o c.h5",
        "sf-run d.h5 --pack out/ball",
    ] {
        assert_eq!(done(&folder, line), "", "{line}");
    }
    for file in ["a.h5", "b.h5", "c.h5", "d.h5"] {
        done(&folder, &format!("sf-run --check-file {file}"));
    }
    let told = done(&folder, "sf-run --pack out/ball --frames 0,0.1 --json e.h5");
    let told: serde_json::Value = serde_json::from_str(&told).expect("one document");
    let bodies = &told["domains"][0]["bodies"];
    assert!(bodies.as_u64() > Some(0));
    let domain = serde_json::json!({"name": "ball", "frames": 2, "bodies": bodies});
    assert_eq!(told, serde_json::json!({"schema": "sf-run-pack/1", "file": "e.h5", "domains": [domain]}));
    let told = fails(&folder, "sf-run --pack out/ball -o x.h5 y.h5", 2);
    assert!(told.contains("give one OUT"), "{told}");
    fails(&folder, "sf-run --pack out/ball --json", 2);
    assert!(!folder.path("x.h5").exists() && !folder.path("y.h5").exists());
    let times = |results: &str| Table::parse(&done(&folder, &format!("sf-history -q {results} WALL STEP"))).rows;
    let (all, some) = (times("out/ball"), times("b.h5"));
    assert!(some.len() < all.len() && some.iter().flatten().all(|x| x.is_finite()));
    assert_eq!(some[..], all[all.len() - some.len()..]);
    // Of some bodies only: the others are in no frame, which is no zero.
    done(&folder, "sf-run --pack out/ball --subset id:2 s.h5 && sf-history -q s.h5 KINETIC@id:2");
    let told = fails(&folder, "sf-history s.h5 KINETIC@id:1", 3);
    assert!(told.contains("'id:1' is in no frame of these results"), "{told}");
}

/// Those of I.3 that need a run; the others are in tests/deck/commands.rs under the same name.
#[test]
fn facts_of_commands_in_a_run() {
    let folder = Scratch::new();
    let start = super::BALL.replace(", 0.3)\n", ", 0.02)\n").replace("out/ball", "out/first");
    folder.write("first.py", &start);
    done(&folder, "sf-run -q first.py");
    // -s acts on the output, not on the path of INITIALIZE_STATE; one text in a list is enough.
    let states = "INITIALIZE_STATE(solfec, 'out/first', 0.02, ['BALL'])\nRUN(";
    folder.write("second.py", &start.replace("out/first", "out/second").replace("RUN(", states));
    done(&folder, "sf-run -q -s sub second.py");
    assert!(folder.path("out/second/sub/sub.sfr.h5").exists() || folder.path("out/second/sub/second.sfr.h5").exists());
    // A directory as input overrides the paths of the deck.
    done(&folder, "cp -r out/first moved && mv moved/first.py moved/moved.py && mv out/first gone");
    let tail = "print(solfec.mode, round(DURATION(solfec)[1], 6))\n";
    std::fs::write(folder.path("moved/moved.py"), format!("{start}{tail}")).expect("a deck");
    let told = done(&folder, "sf-run -q --python moved");
    assert_eq!(told, "READ 0.02\n");
    assert!(!folder.path("out/first").exists());
    let timing = "
for kind in ('TIMINT', 'NONSENSE'):
    try: print(type(TIMING(solfec, kind)).__name__)
    except ValueError as e: print('refused')
";
    folder.write("timing.py", &format!("{start}{timing}"));
    assert_eq!(done(&folder, "sf-run -q -w timing.py"), "float\nrefused\n");
    // The text form of local dynamics (F.4) with another reaction.
    let row = |r: &str| {
        let (base, w) = ("[1, 0, 0, 0, 1, 0, 0, 0, 1]", "[2, 0, 0, 0, 2, 0, 0, 0, 2]");
        format!("CONTACT (1, 2, 3) (1, 2) {base} {w} (0, 0, -1) (0, 0, -1) (0, 0, 0) (0, 0, {r})\n")
    };
    for (name, r) in [("a.txt", "0.5"), ("same.txt", "0.5"), ("b.txt", "0.6")] {
        folder.write(name, &row(r));
    }
    done(&folder, "sf-locdyn-compare a.txt same.txt");
    fails(&folder, "sf-locdyn-compare a.txt b.txt", 1);
}
