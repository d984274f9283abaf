//! `-c`: results that went on from a checkpoint equal those of an uninterrupted run, byte for byte.

use std::time::Duration;
use tools_testing::size::large;

use solfec_formats::results::Reader;

use super::common::*;
use super::{BALL, LONG};

/// Kills at any instant, then goes on. `SF_LARGE=1`: a hundred times.
#[test]
fn a_killed_run_goes_on() {
    let folder = Scratch::new();
    folder.write("long.py", &LONG.replace("1000.0)", "3.0)"));
    done(&folder, "sf-build long.py -o m.h5; sf-run -q m.h5 -o whole/long");
    let kills = if large() { 100 } else { 10 };
    let args = ["m.h5", "-q", "-c", "--checkpoint-every", "0.05s", "-o", "killed/long"];
    for k in 0..kills {
        let mut child = start(&folder, "sf-run", &args);
        std::thread::sleep(Duration::from_millis(10 + 61 * (k * 7 % 10)));
        let _ = child.kill();
        let _ = child.wait();
        if folder.path("killed/long/long.sfr.h5").exists() {
            done(&folder, "sf-history killed/long KINETIC");
        }
    }
    done(&folder, "sf-run m.h5 -q -c -o killed/long");
    same(&folder, "whole/long", "killed/long");
    // Nothing is left to do.
    let told = shell(&folder, "sf-run m.h5 -c -o killed/long");
    assert!(told.status.success() && String::from_utf8_lossy(&told.stderr).contains("nothing to do"));
}

/// Two RUNs with a change between them, and two domains in one directory.
#[test]
fn several_runs_and_domains() {
    let folder = Scratch::new();
    let two = BALL.replace("0.3)", "0.1)").replace("OUTPUT(solfec, 0.01)", "OUTPUT(solfec, 0.013)");
    let more = "
GRAVITY(solfec, (1, 0, -9))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
";
    let other = BALL.replace("out/ball", "out/other").replace("0.3)", "0.07)");
    folder.write("deck.py", &format!("{two}{more}{other}"));
    done(&folder, "sf-build deck.py -o m.h5; sf-run -q m.h5 -o whole/r");
    for (k, steps) in [50, 100, 130, 200].into_iter().enumerate() {
        done(&folder, &format!("sf-run -q m.h5 -o p{k}/r --steps {steps}; sf-run -q m.h5 -c -o p{k}/r"));
        same(&folder, "whole/r", &format!("p{k}/r"));
    }
    // Without a model: the one that is stored.
    done(&folder, "sf-run -q m.h5 -o s/r --steps 30; sf-run -q -c s/r");
    same(&folder, "whole/r", "s/r");
}

/// With 90 % done, going on makes the last tenth of the steps only.
#[test]
fn only_what_is_left_is_computed() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(
        &folder,
        "sf-build ball.py -o m.h5; sf-run -q m.h5 -o r --steps 270; sf-run -q m.h5 -c -o r --trace-steps t.csv",
    );
    let trace = Table::parse(&std::fs::read_to_string(folder.path("t.csv")).expect("the trace"));
    assert_eq!(trace.rows.len(), 30);
}

#[test]
fn another_model_is_refused() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    folder.write("other.py", &BALL.replace("0.6), 0.5", "0.7), 0.5"));
    done(&folder, "sf-build ball.py -o m.h5; sf-build other.py -o n.h5; sf-run -q m.h5 -o r --steps 30");
    let told = fails(&folder, "sf-run n.h5 -c -o r", 3);
    assert!(
        told.contains("'ball': body 2 'BALL' (deck line 8) has centre (0, 0, 0.7), stored is (0, 0, 0.6)"),
        "{told}"
    );
    // Results are meant by their directory.
    let told = fails(&folder, "sf-run -c -o r < /dev/null", 3);
    assert!(told.contains("to go on with results in DIR: sf-run -c DIR"), "{told}");
    // Nothing there: a plain start. No checkpoint: from the beginning, and that is said.
    done(&folder, "sf-run -q m.h5 -c -o fresh; sf-run -q m.h5 -o whole");
    done(&folder, "rm -r fresh/checkpoints");
    let told = shell(&folder, "sf-run m.h5 -c -o fresh");
    assert!(told.status.success() && String::from_utf8_lossy(&told.stderr).contains("no checkpoint"));
}

/// A live deck goes on: its callbacks before the checkpoint are not called again.
#[test]
fn a_deck_goes_on() {
    let folder = Scratch::new();
    let callback = "
def callback():
    print(round(solfec.time, 6), flush=True)
    return 1
CALLBACK(solfec, 0.05, (), callback)
RUN(";
    folder.write("ball.py", &BALL.replace("RUN(", callback));
    let whole = done(&folder, "sf-run -q ball.py && mv out whole");
    let begun = done(&folder, "sf-run -q ball.py --steps 120");
    let rest = done(&folder, "sf-run -q -c ball.py");
    assert_eq!(format!("{begun}{rest}"), whole);
    same(&folder, "whole/ball", "out/ball");
    let told = shell(&folder, "sf-run -c ball.py");
    assert!(
        told.status.success() && String::from_utf8_lossy(&told.stderr).contains("out/ball: is finished; nothing to do")
    );
    same(&folder, "whole/ball", "out/ball");
}

/// A deck that asks for a longer RUN than the one that is stored gets it, as if it had asked for it from the beginning.
#[test]
fn a_longer_run_of_a_deck() {
    let folder = Scratch::new();
    let deck = super::BALL.replace(", 0.3)\n", ", float(NON_SOLFEC_ARGV()[0]))\n");
    folder.write("deck.py", &deck);
    done(&folder, "sf-run -q -o whole/ball deck.py -- 0.4");
    done(&folder, "sf-run -q -o part/ball deck.py -- 0.2; sf-run -q -c -o part/ball deck.py -- 0.4");
    same(&folder, "whole/ball", "part/ball");
    let text = "sf-run -q -o cut/ball deck.py --steps 100 -- 0.2; sf-run -q -c -o cut/ball deck.py -- 0.4";
    done(&folder, text);
    same(&folder, "whole/ball", "cut/ball");
}

/// INITIALIZE_STATE does not move the length at which a spring has no force.
#[test]
fn springs_keep_their_length_when_a_state_is_put() {
    let folder = Scratch::new();
    let deck = "
from sys import argv
solfec = SOLFEC('DYNAMIC', 1E-3, argv[1])
bulk = BULK_MATERIAL(solfec, density=1E3)
wall = BODY(solfec, 'OBSTACLE', SPHERE((-2, 0, 0), 0.1, 1, 1), bulk)
ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 0.1, 1, 1), bulk, label='BALL')
PUT_SPRING(ball, (0, 0, 0), wall, (-2, 0, 0), (400.0, 0.0), (-1, 1), (1, 0, 0))
INITIAL_VELOCITY(ball, (1, 0, 0), (0, 0, 0))
if len(argv) > 3: INITIALIZE_STATE(solfec, argv[3], 0.1)
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 100), float(argv[2]))
print('%.9f %.9f' % (ball.conf[9], ball.velo[3]))
";
    folder.write("deck.py", deck);
    let whole = done(&folder, "sf-run -q deck.py -- out/whole 0.2");
    done(&folder, "sf-run -q deck.py -- out/first 0.1");
    assert_eq!(done(&folder, "sf-run -q deck.py -- out/second 0.1 out/first"), whole);
}

/// What was packed or exported has no state to go on from, and is not replaced.
#[test]
fn packed_and_exported_results_stay() {
    let folder = Scratch::new();
    folder.write("ball.py", &BALL.replace(", 0.3)", ", 0.05)"));
    folder.write(
        "export.py",
        &format!("{}SOLFEC_EXPORT(solfec, (0, 1), 'out/ball2')\n", BALL.replace(", 0.3)", ", 0.05)")),
    );
    done(&folder, "sf-run -q ball.py && sf-run -q export.py && sf-build ball.py -o m.h5");
    done(&folder, "mkdir packed && sf-run -q --pack out/ball packed/packed.sfr.h5 && cp ball.py packed/packed.py");
    for place in ["packed", "out/ball2"] {
        let bytes = || done(&folder, &format!("cat {place}/*.sfr.h5 | sha256sum"));
        let before = bytes();
        for line in [
            format!("sf-run m.h5 -c -o {place}"),
            format!("sf-run --python -c {place}"),
            format!("sf-run ball.py -c -o {place}"),
        ] {
            let told = fails(&folder, &line, 4);
            assert!(told.contains("which cannot go on"), "{line}: {told}");
            assert_eq!(bytes(), before, "{line}");
        }
        done(&folder, &format!("rm {place}/*.py"));
        fails(&folder, &format!("sf-run -c {place}"), 4);
        assert_eq!(bytes(), before);
    }
}

/// A deck is not extended beyond its RUNs, and that is said, whether it goes on or begins.
#[test]
fn the_end_of_a_deck_is_told() {
    let folder = Scratch::new();
    folder.write("ball.py", &BALL.replace("0.3)", "0.05)"));
    let told = |line: &str| {
        let output = shell(&folder, line);
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = "the RUNs of the deck end at t=0.050000, before the t=0.1";
    assert!(!told("sf-run ball.py --until 0.05").contains(text));
    for line in ["sf-run -c --duration 0.05 ball.py", "sf-run -c --until 0.1 ball.py", "sf-run -w --until 0.1 ball.py"]
    {
        let told = told(line);
        assert!(told.contains(text) && told.contains("a deck is not extended"), "{line}: {told}");
    }
    assert!(!told("sf-run -c ball.py").contains(text));
    assert!(!told("sf-run -w --until 0.02 ball.py").contains("not extended"));
}

/// The models that two results hold are equal.
fn same_models(folder: &Scratch, one: &str, other: &str) {
    let model = |dir: &str| Reader::open(&folder.path(dir)).and_then(|results| results.model()).expect("results");
    let (one, other) = (model(one), model(other));
    for (one, other) in one.domains.iter().zip(&other.domains) {
        assert_eq!(one.program, other.program);
        assert_eq!(one.series, other.series);
        assert_eq!(one.bodies, other.bodies);
        assert!(one == other, "the models differ");
    }
}

/// Stops a deck after so many steps, goes on, and compares with an uninterrupted run.
fn stops_and_goes_on(deck: &str, steps: &[u32]) {
    let folder = Scratch::new();
    folder.write("ball.py", deck);
    let whole = done(&folder, "sf-run -q ball.py && mv out whole");
    for k in steps {
        let begun = done(&folder, &format!("sf-run -q -w ball.py --steps {k}"));
        let rest = done(&folder, "sf-run -q -c ball.py");
        assert!(rest.trim_end().ends_with(whole.lines().last().unwrap_or_default()), "{k}: {begun}{rest}\n{whole}");
        same(&folder, "whole/ball", "out/ball");
        same_models(&folder, "whole/ball", "out/ball");
    }
}

/// Callbacks make loads of new values between those of the deck, whose series keep their rows.
#[test]
fn series_keep_their_rows() {
    let deck = BALL.replace("0.3)", "0.1)").replace(
        "RUN(",
        "
ball = BYLABEL(solfec, 'BODY', 'BALL')
tms = TIME_SERIES([0, 0, 1, 5])
def callback():
    k = int(round(solfec.time/1e-3))
    if k in (110, 120, 250): FORCE(ball, 'SPATIAL', (0, 0, 0.6), (1, 0, 0), 10.+k)
    if k in (130, 260): FORCE(ball, 'SPATIAL', (0, 0, 0.6), (1, 0, 0), tms)
    return 1
CALLBACK(solfec, 1e-3, (), callback)
RUN(",
    );
    let more = "
FORCE(ball, 'SPATIAL', (0, 0, 0.6), (0, 1, 0), 700.)
FORCE(ball, 'SPATIAL', (0, 0, 0.6), (0, 1, 0), 900.)
FORCE(ball, 'SPATIAL', (0, 0, 0.6), (0, 1, 0), TIME_SERIES([0, 0, 1, 5]))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
FORCE(ball, 'SPATIAL', (0, 0, 0.6), (0, 1, 0), 900.)
FORCE(ball, 'SPATIAL', (0, 0, 0.6), (0, 1, 0), tms)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
print(ball.velo)
";
    stops_and_goes_on(&format!("{deck}{more}"), &[50, 115, 180, 200, 230, 280]);
}

/// A kill between the writing of the model and of the master leaves a model that is newer than the program.
#[test]
fn a_model_newer_than_its_master() {
    let folder = Scratch::new();
    let callback = "
def callback():
    BODY(solfec, 'RIGID', SPHERE((3, 0, 3 + 100 * solfec.time), 0.4, 1, 1), bulk)
    return 1
CALLBACK(solfec, 0.1, (), callback)
RUN(";
    folder.write("ball.py", &BALL.replace("RUN(", callback));
    done(&folder, "sf-run -q ball.py && mv out whole");
    done(&folder, "sf-run -q ball.py --steps 50 && cp whole/ball/ball.sfm.h5 out/ball/");
    done(&folder, "sf-run -q -c ball.py");
    same(&folder, "whole/ball", "out/ball");
    same_models(&folder, "whole/ball", "out/ball");
}

/// What the deck makes and deletes between RUNs shows as in an uninterrupted run.
#[test]
fn changes_between_runs_show() {
    let deck = BALL.replace("0.3)", "0.1)").replace("label='BALL')", "label='BALL')\nw = BODY(solfec, 'RIGID', SPHERE((6, 0, 5), 0.5, 1, 1), bulk, label='w')\nx = BYLABEL(solfec, 'BODY', 'BALL')");
    let more = "
y = BODY(solfec, 'RIGID', SPHERE((9, 0, 5), 0.5, 1, 1), bulk, label='y')
INITIAL_VELOCITY(y, (0, 0, 1), (0, 0, 0))
a = [[z.id for z in solfec.bodies], y.center, y.velo, y.conf, BYLABEL(solfec, 'BODY', 'y').id]
a += [DISPLACEMENT(y, (9, 0, 5)), ENERGY(solfec, y), ENERGY(solfec), len(solfec.constraints)]
DELETE(solfec, w)
f = FIX_POINT(y, (9, 0, 5.5))
a += [[z.id for z in solfec.bodies], BYLABEL(solfec, 'BODY', 'w'), f.kind, f.point, [c.kind for c in solfec.constraints]]
a += [[c.kind for c in y.constraints], ENERGY(solfec)]
PUT_SPRING(solfec.bodies[0], (9, 0, 5), solfec.bodies[1], (0, 0, 0.6), TIME_SERIES([-1, -1e3, 1, 1e3]), (-1e4, 1e4))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
print(a)
";
    stops_and_goes_on(&format!("{deck}{more}"), &[50, 100, 150, 200]);
}

/// Callbacks make, push and delete bodies; the stored model has the program of an uninterrupted run.
#[test]
fn the_stored_model_is_that_of_one_run() {
    let deck = BALL.replace("0.3)", "0.1)").replace(
        "RUN(",
        "
def callback():
    k = int(round(solfec.time/1e-3))
    if k % 20 == 0:
        for x in (3, 6):
            made = BODY(solfec, 'RIGID', SPHERE((x, 0, 3 + k), 0.4, 1, 1), bulk)
            INITIAL_VELOCITY(made, (0, 0, -1), (0, 0, 0))
    if k == 50: DELETE(solfec, solfec.bodies[0])
    if k == 150: GRAVITY(solfec, (1, 0, -10))
    return 1
CALLBACK(solfec, 1e-2, (), callback)
RUN(",
    );
    let more = "
made = BODY(solfec, 'RIGID', SPHERE((9, 0, 5), 0.4, 1, 1), bulk)
INITIAL_VELOCITY(made, (0, 0, -1), (0, 0, 0))
BODY(solfec, 'RIGID', SPHERE((9, 3, 5), 0.4, 1, 1), bulk)
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
";
    stops_and_goes_on(&format!("{deck}{more}"), &[50, 75, 100, 130, 190]);
}

/// A deck with another load, gravity, step, velocity or material does not go on with results of the old one.
#[test]
fn changed_values_are_refused() {
    let folder = Scratch::new();
    let force = "FORCE(BYLABEL(solfec, 'BODY', 'BALL'), 'SPATIAL', (0, 0, 0.6), (1, 0, 0), 5)\nRUN(";
    let deck = BALL
        .replace("RUN(", &format!("INITIAL_VELOCITY(BYLABEL(solfec, 'BODY', 'BALL'), (0, 1, 0), (0, 0, 0))\n{force}"));
    folder.write("ball.py", &deck);
    done(&folder, "sf-run -q ball.py --steps 100");
    for (old, new, what) in [
        ("1, 0, 0), 5)", "1, 0, 0), 6)", "load 1 (deck line"),
        ("(0, 0, -10)", "(0, 0, -9)", "GRAVITY: z is -9, stored is -10"),
        ("1E-3, 'out", "2E-3, 'out", "the step is 0.002"),
        ("(0, 1, 0), (0, 0, 0))", "(0, 2, 0), (0, 0, 0))", "begins in another state"),
        (
            "friction=0.3",
            "friction=0.2",
            "SURFACE_MATERIAL 'DEFAULT' of all other surfaces: friction is 0.2, stored is 0.3",
        ),
    ] {
        assert!(deck.contains(old), "{old}");
        folder.write("ball.py", &deck.replace(old, new));
        let told = fails(&folder, "sf-run -q -c ball.py", 3);
        assert!(told.contains(what) && told.contains("-w instead of -c"), "{told}");
    }
    folder.write("ball.py", &deck);
    done(&folder, "sf-run -q -c ball.py");
}

/// Before the second RUN two constraints, loads and bodies are made, which the program of the model joins; the velocity
/// of a new body stands in its tables. A run of the deck has a row for each.
const JOINED: &str = "
a, b, c = [BODY(solfec, 'RIGID', SPHERE((3 * k, 9, 5), 0.5, 1, 1), bulk, label='ABC'[k]) for k in range(3)]
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.05)
FIX_POINT(a, (0, 9, 5))
FIX_POINT(b, (3, 9, 5))
FORCE(c, 'SPATIAL', (6, 9, 5), (1, 0, 0), 700)
FORCE(c, 'SPATIAL', (6, 9, 5), (0, 1, 0), 900)
d = BODY(solfec, 'RIGID', SPHERE((0, 6, 5), 0.5, 1, 1), bulk, label='D')
INITIAL_VELOCITY(d, (1, 2, 3), (0, 0, 0))
BODY(solfec, 'RIGID', SPHERE((3, 6, 5), 0.5, 1, 1), bulk, label='E')
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.05)
GRAVITY(solfec, (1, 0, 10))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.05)
";

/// The model of a deck goes on with results of the deck, and the deck with those of its model.
#[test]
fn a_model_and_its_deck_go_on_with_each_other() {
    let folder = Scratch::new();
    let deck = format!("{}{JOINED}", BALL.split("RUN(").next().unwrap_or_default());
    folder.write("ball.py", &deck);
    done(&folder, "sf-build -q ball.py -o m.h5; sf-run -q -o whole m.h5");
    let history = |place: &str| {
        let items = ["BALL", "A", "B", "C", "D", "E"].map(|body| format!("VX@{body} VY@{body} VZ@{body}"));
        done(&folder, &format!("sf-history -q {place} {} KINETIC EXTERNAL", items.join(" ")))
    };
    let whole = history("whole");
    for (k, steps) in [20, 50, 60, 100, 120, 150].into_iter().enumerate() {
        done(&folder, &format!("sf-run -q -o d{k} --steps {steps} ball.py; sf-run -q -c -o d{k} m.h5"));
        assert_eq!(history(&format!("d{k}")), whole, "the model after {steps} steps of the deck");
        done(&folder, &format!("sf-run -q -o m{k} --steps {steps} m.h5; sf-run -q -c -o m{k} ball.py"));
        assert_eq!(history(&format!("m{k}")), whole, "the deck after {steps} steps of the model");
    }
    done(&folder, "sf-run -q -o t --steps 55 ball.py; sf-run -q -c -o t --steps 110 m.h5; sf-run -q -c -o t ball.py");
    assert_eq!(history("t"), whole);
    let told = shell(&folder, "sf-run -c -o d0 m.h5");
    assert!(told.status.success() && String::from_utf8_lossy(&told.stderr).contains("nothing to do"));
}

/// Results go on with the legacy switches with which they began, be they of a deck or of a model.
#[test]
fn legacy_switches_stay() {
    let folder = Scratch::new();
    let moved = "
one = BODY(solfec, 'RIGID', SPHERE((0, 9, 0), 1, 1, 1), bulk)
SET_DISPLACEMENT(one, (0, 9, 0), (0, 0, 1), TIME_SERIES([0, 0, 0.1, 0.1, 0.2, 0.3, 0.3, 0.2]))
RUN(";
    folder.write("ball.py", &BALL.replace("RUN(", moved));
    done(&folder, "sf-run -q ball.py -o whole; sf-run -q --steps 150 ball.py -o part");
    done(&folder, "sf-run -q --compat prescribed,schedule --steps 150 ball.py -o old");
    for (line, ours, theirs) in [
        ("sf-run -q -c --compat prescribed ball.py -o part", "prescribed", "none"),
        ("sf-run -q -c ball.py -o old", "none", "prescribed,schedule"),
        ("sf-run -q -c --compat schedule ball.py -o old", "schedule", "prescribed,schedule"),
    ] {
        let told = fails(&folder, line, 3);
        let text =
            format!("legacy switches (--compat) are {ours}, stored are {theirs}; give the same ones; run with -w");
        assert!(told.contains(&text), "{line}: {told}");
    }
    done(&folder, "sf-build -q ball.py -o m.h5");
    assert!(fails(&folder, "sf-run -q -c m.h5 -o old", 3).contains("legacy switches (--compat) differ"));
    done(&folder, "sf-run -q -c ball.py -o part; sf-run -q -c --compat schedule,prescribed ball.py -o old");
    let last = |place: &str| done(&folder, &format!("sf-history -q {place} VZ@id:3 --time last"));
    assert_eq!(last("part"), last("whole"));
    assert_ne!(last("old"), last("whole"));
}

/// A brick rests on one contact point, which is told at the end of a RUN, at that time, though the process that tells
/// it has made no step.
#[test]
fn a_warning_after_a_restart_has_its_time() {
    let folder = Scratch::new();
    let deck = LONG.replace("2, 2, 2", "1, 1, 1").replace("range(4)", "range(1)").replace("range(3)", "range(1)");
    folder.write("long.py", &deck.replace("1000.0)", "0.03)"));
    done(&folder, "sf-run -q -o whole/long long.py");
    let warnings = |place: &str| Reader::open(&folder.path(place)).and_then(|r| r.warnings(0)).expect("results");
    let whole = warnings("whole/long");
    assert_eq!((whole.kind.as_slice(), whole.time.as_slice()), (&["one-point".to_string()][..], &[0.03][..]));
    done(&folder, "sf-run -q -o part/long --steps 30 long.py; sf-run -q -c -o part/long long.py");
    assert_eq!(warnings("part/long"), whole);
    same(&folder, "whole/long", "part/long");
}
