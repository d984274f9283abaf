//! Live decks that are killed and go on with `-c`: the results of an uninterrupted run, and nothing is called twice
//! that a checkpoint holds.

use std::collections::BTreeSet;
use std::process::Child;

use solfec_formats::checkpoint;

use super::common::*;
use super::BALL;

/// Two RUNs; a callback that makes bodies, a force and a spring law that remember nothing; bodies made and values read
/// after the first RUN. Every call of the callback adds its time to the file `calls`. The ends of both RUNs have no
/// frame of their own.
const DECK: &str = "
import math, time
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/live')
bulk = BULK_MATERIAL(solfec, density=1E3)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
cube = HEX(nodes, 1, 1, 1, 1, [1, 1, 1, 1, 1, 1])
BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(COPY(cube), (40, 9, 1)), (0, 0, -1)), bulk)
def brick(x): return BODY(solfec, 'RIGID', TRANSLATE(COPY(cube), (x, 1, 0.01)), bulk)
def note(file, text):
    with open(file, 'a') as f: f.write(text + '\\n')
one, two = brick(1), brick(3)
def push(q, u, time, step):
    return (3000 * math.sin(20 * time), 0, -50 * u[5], 0, 0, 0, 0, 0, 0)
FORCE(one, 'SPATIAL', (1, 1, 0), (0, 0, 0), push)
def law(stroke, velocity): return -2000 * stroke - 100 * velocity
PUT_SPRING(one, (2, 1.5, 0.5), two, (3, 1.5, 0.5), law, (-5, 5))
def grow():
    note('calls', '%.6f' % solfec.time)
    if solfec.nbod < 9: brick(2 * solfec.nbod)
    time.sleep(0.01)
    return 1
note('restarted', str(solfec.restarted))
CALLBACK(solfec, 0.02, (), grow)
OUTPUT(solfec, 0.03)
solver = GAUSS_SEIDEL_SOLVER(1E-8, 1000)
RUN(solfec, solver, 0.25)
note('between', '%.6f %d %.3f' % (solfec.time, solfec.nbod, DISPLACEMENT(one, (1, 1, 0))[2]))
late = brick(25)
assert late.id == 10, late.id
INITIAL_VELOCITY(late, (0, 1, 0), (0, 0, 0))
FORCE(late, 'SPATIAL', (25, 1, 0), (0, 1, 0), 9000)
RUN(solfec, solver, 0.25)
note('over', '%.6f %d %d %r' % (solfec.time, solfec.nbod, late.id, DISPLACEMENT(late, (25, 1, 0))))
time.sleep(float(NON_SOLFEC_ARGV()[0]))
";

/// A folder with the deck and the results of an uninterrupted run in `whole/live`; the times of its calls.
fn whole() -> (Scratch, Vec<String>) {
    let folder = Scratch::new();
    folder.write("deck.py", DECK);
    done(&folder, "sf-run -q deck.py -- 0 && mv out whole && mv over whole/over && mv between whole/between");
    let calls = lines(&folder, "calls");
    assert_eq!(calls.len(), 26, "{calls:?}");
    assert_eq!(lines(&folder, "restarted"), ["False"]);
    clean(&folder);
    (folder, calls)
}

fn lines(folder: &Scratch, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path(file)).unwrap_or_default();
    text.lines().map(String::from).collect()
}

fn clean(folder: &Scratch) {
    done(folder, "rm -rf out calls restarted between over");
}

/// Time of the newest checkpoint [s].
fn checkpointed(folder: &Scratch) -> Option<f64> {
    let (found, told) = checkpoint::latest(&folder.path("out/live")).expect("readable checkpoints");
    assert!(told.is_empty(), "{told:?}");
    found.map(|c| c.state.clock.now)
}

fn kill(mut child: Child) {
    child.kill().expect("the run is at work");
    child.wait().expect("it ends");
}

/// Goes on, and compares with the uninterrupted run.
fn goes_on(folder: &Scratch, whole: &[String]) {
    let from = checkpointed(folder);
    let before = lines(folder, "calls");
    done(folder, "sf-run -q -c deck.py -- 0");
    same(folder, "whole/live", "out/live");
    let after = lines(folder, "calls")[before.len()..].to_vec();
    let time = |text: &String| text.parse::<f64>().expect("a time");
    let expected: Vec<&String> = whole.iter().filter(|t| from.is_none_or(|from| time(t) > from + 1e-9)).collect();
    assert_eq!(after.iter().collect::<Vec<_>>(), expected, "calls after a checkpoint at {from:?}");
    let all: BTreeSet<&String> = before.iter().chain(&after).collect();
    assert_eq!(all, whole.iter().collect(), "every call was made");
    let restarted = if from.is_some() { "True" } else { "False" };
    assert_eq!(lines(folder, "restarted").last().map(String::as_str), Some(restarted));
    let last = |file: &str| lines(folder, file).pop().expect("a line");
    assert_eq!(last("over"), last("whole/over"), "from {from:?}");
    // A RUN that is not performed again shows its last stored frame, at 0.24 s.
    let passed = from.is_some_and(|from| from > 0.2495);
    let end = if passed { "0.240000 9" } else { "0.250000 9" };
    assert!(last("between").starts_with(end), "{}, from {from:?}", last("between"));
}

/// Kills in either RUN, after so many calls of the callback, and goes on once; all of them in one chain too.
#[test]
fn go_on_after_kills_in_either_run() {
    let (folder, calls) = whole();
    let args = |more: &'static str| ["-q", more, "--checkpoint-every", "0.03s", "deck.py", "--", "0"];
    let mut second = 0;
    for count in [1, 4, 11, 13, 16, 23] {
        clean(&folder);
        let child = start(&folder, "sf-run", &args("-w"));
        wait_until("calls", || lines(&folder, "calls").len() >= count);
        kill(child);
        second += checkpointed(&folder).is_some_and(|t| t > 0.2505) as usize;
        goes_on(&folder, &calls);
    }
    assert!(second > 0, "no checkpoint lay in the second RUN");
    clean(&folder);
    for count in [2, 6, 12, 15, 19] {
        let child = start(&folder, "sf-run", &args("-c"));
        let reached = || lines(&folder, "calls").iter().any(|t| *t >= calls[count]);
        wait_until("calls", reached);
        kill(child);
    }
    goes_on(&folder, &calls);
}

/// All RUNs are over and their last checkpoint is written, but not the frame of their end.
#[test]
fn go_on_between_the_last_checkpoint_and_the_final_frame() {
    let (folder, calls) = whole();
    let child = start(&folder, "sf-run", &["-q", "deck.py", "--", "100"]);
    wait_until("end", || !lines(&folder, "over").is_empty());
    kill(child);
    let last = |results: &str| {
        *Table::parse(&done(&folder, &format!("sf-history {results} KINETIC"))).column("time").last().expect("frames")
    };
    assert_eq!(last("whole/live"), 0.5);
    let shown = last("out/live");
    assert!(shown <= 0.5, "{shown}");
    assert!(checkpointed(&folder).is_some_and(|t| (t - 0.5).abs() < 1e-9));
    goes_on(&folder, &calls);
    assert_eq!(last("out/live"), 0.5);
}

/// The first thing that a callback does after the checkpoint is to make a body: its number is that of the results.
#[test]
fn a_callback_that_makes_bodies_goes_on() {
    let folder = Scratch::new();
    let grows = "
def grow(): BODY(solfec, 'RIGID', SPHERE((2, 0, 0.6), 0.1, 1, 1), bulk)
CALLBACK(solfec, 0.005, (), grow)
RUN(";
    folder.write("ball.py", &BALL.replace("0.3)", "0.03)").replace("RUN(", grows));
    done(&folder, "sf-run -q -o whole/ball ball.py");
    done(&folder, "sf-run -q --steps 8 ball.py");
    done(&folder, "sf-run -q -c ball.py");
    same(&folder, "whole/ball", "out/ball");
}
