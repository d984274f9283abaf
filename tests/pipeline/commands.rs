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
