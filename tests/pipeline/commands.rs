//! Cases of commands-and-results.md I.2 that go through several tools.

use super::common::*;

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
fn schedule(folder: &Folder, compat: &str, duration: &str) -> (String, String, u64) {
    let told = done(folder, &format!("sf-run -q -w --json {compat} deck.py -- {duration} 2> callbacks"));
    let report: serde_json::Value = serde_json::from_str(&told).expect("a JSON document");
    let callbacks = std::fs::read_to_string(folder.path("callbacks")).expect("what the deck printed");
    let frames = Table::parse(&done(folder, "sf-history out/schedule KINETIC"));
    let times: Vec<String> = frames.column("time").iter().map(|t| format!("{}", (t * 1e9).round() / 1e9)).collect();
    (callbacks.trim().into(), times.join(" "), report["domains"][0]["steps"].as_u64().expect("a number of steps"))
}

#[test]
fn acc_i_2_3() {
    let folder = Folder::new("schedule");
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
fn acc_i_2_4() {
    let folder = Folder::new("selection");
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
fn acc_i_2_5() {
    let folder = Folder::new("again");
    folder.write("deck.py", AGAIN);
    assert_eq!(done(&folder, "sf-run -q deck.py"), "WRITE READ\n");
    assert_eq!(done(&folder, "sf-run -q deck.py"), "READ READ\n");
    assert_eq!(done(&folder, "sf-run -q -w deck.py"), "WRITE READ\n");
    let many = "
import os
count = lambda: len(os.listdir('/proc/%d/fd' % os.getppid()))
modes = set()
for i in range(300):
    modes.add(f('out/many%d' % i))
    if i == 10: before = count()
print(modes, count() - before)
";
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
