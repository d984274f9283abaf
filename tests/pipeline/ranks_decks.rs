//! Live decks on several processes: one Python runs the deck, all processes make its steps.

use super::common::*;
use super::ranks::{assert_ends, assert_near, can_run};
use super::LONG;
use tools_testing::size::large;

/// Bricks that fall in two heaps, with what a deck may do besides: a force and a spring by functions, a callback that
/// changes the model between steps, operations between RUNs, questions.
const HEAPS: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/heaps')
bulk = BULK_MATERIAL(solfec, density=1E3)
SURFACE_MATERIAL(solfec, friction=0.5)
CONTACT_POINTS(solfec, 4)
GRAVITY(solfec, (0, 0, -10))
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
cube = HEX(nodes, 1, 1, 1, 1, [1, 1, 1, 1, 1, 1])
floor = BODY(solfec, 'OBSTACLE', TRANSLATE(SCALE(COPY(cube), (12, 3, 1)), (-1, -1, -1)), bulk, label='FLOOR')
bricks = []
for x in (0, 8):
    for k in range(3):
        bricks.append(BODY(solfec, 'RIGID', TRANSLATE(COPY(cube), (x + 0.1*k, 0.05*k, 1.01*k)), bulk))
def push(q, u, time, step):
    return (500 * time / 0.01, 0, 0, 0, 0, 0, 0, 0, 0)
FORCE(bricks[0], 'SPATIAL', (0.5, 0.5, 0.5), (0, 0, 0), push)
FORCE(bricks[4], 'SPATIAL', (0.5, 0.5, 0.5), (0, 0, 0), push)
def spring(stroke, rate):
    return -2e4 * stroke - 1e5 * stroke**3 - 10 * rate
PUT_SPRING(bricks[2], (0.7, 0.6, 2.5), bricks[5], (8.7, 0.6, 2.5), spring, (-1, 1))
late = []
def callback(text):
    if 0.045 < solfec.time < 0.055:
        late.append(BODY(solfec, 'RIGID', TRANSLATE(COPY(cube), (4, 0.2, 0)), bulk, label='LATE'))
        INITIAL_VELOCITY(late[0], (-2, 0, 1), (0, 0, 1))
    return 1
CALLBACK(solfec, 0.01, 'text', callback)
OUTPUT(solfec, 0.01)
solver = GAUSS_SEIDEL_SOLVER(1E-9, 1000)
def tell():
    for body in bricks + late:
        try:
            print('%.5f %.5f %.5f' % DISPLACEMENT(body, body.center), '%.4f %.4f %.4f' % VELOCITY(body, body.center))
        except TypeError:
            print('gone')
    print(' '.join('%.2f' % x for x in ENERGY(solfec)), '%.2f' % ENERGY(solfec, bricks[1])[0])
    print(len(solfec.bodies), len(solfec.constraints) > 3, '%.3f' % solfec.time, RANK(), NCPU() >= 1)
    print('%.0f' % sum(c.R[2] for c in solfec.constraints if c.kind == 'CONTACT'))
RUN(solfec, solver, 0.1)
tell()
DELETE(solfec, bricks[3])
INITIAL_VELOCITY(bricks[1], (0.5, 0, 1), (0, 0, 0.5))
FIX_POINT(bricks[4], (8.6, 0.55, 1.5))
RUN(solfec, solver, 0.08)
tell()
";

/// Numbers of processes that tests try.
const PROCESSES: [usize; 3] = [1, 2, 4];

/// Largest difference of positions [m] and velocities [m/s] between numbers of processes.
const AGREE: f64 = 1e-6;

/// Printed numbers may differ by so much, as they are rounded.
const ROUNDED: f64 = 1e-4;

/// Numbers in two texts differ by no more than 2e-4 of the largest of their line, and `rounded`; words not at all.
fn assert_told(one: &str, other: &str, rounded: f64, what: &str) {
    assert_eq!(one.lines().count(), other.lines().count(), "{what}:\n{one}\n{other}");
    for (a, b) in one.lines().zip(other.lines()) {
        let (words, others): (Vec<&str>, Vec<&str>) = (a.split(' ').collect(), b.split(' ').collect());
        assert_eq!(words.len(), others.len(), "{what}:\n{one}\n{other}");
        let numbers = |words: &[&str]| words.iter().map(|w| w.parse().ok()).collect::<Vec<Option<f64>>>();
        let (x, y) = (numbers(&words), numbers(&others));
        let scale = x.iter().flatten().fold(0.0, |a: f64, b| a.max(b.abs()));
        for (k, (x, y)) in x.into_iter().zip(y).enumerate() {
            match (x, y) {
                (Some(x), Some(y)) => assert!((x - y).abs() <= 2e-4 * scale + rounded, "{what}:\n{a}\n{b}"),
                _ => assert_eq!(words[k], others[k], "{what}:\n{one}\n{other}"),
            }
        }
    }
}

#[test]
fn a_live_deck_agrees_with_one_process() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    folder.write("deck.py", HEAPS);
    let told = done(&folder, "sf-run -q deck.py -o alone");
    let history = |results: &str| {
        Table::parse(&done(&folder, &format!("sf-history {results} DX@id:2 DZ@id:4 VX@id:6 VZ@id:7 KINETIC")))
    };
    for processes in PROCESSES {
        let results = format!("np{processes}");
        let of_many = done(&folder, &format!("sf-run -np {processes} -q deck.py -o {results}"));
        assert_told(&told, &of_many, ROUNDED, &results);
        assert_near(&history("alone"), &history(&results), AGREE, &results);
        assert!(done(&folder, &format!("sf-info {results}")).contains("check: ok"));
    }
}

#[test]
fn two_objects_of_a_deck_run_on_several_processes_and_are_read() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    let more = "
b = SOLFEC('DYNAMIC', 2E-3, 'out/b')
bulk = BULK_MATERIAL(b, density=1E3)
balls = [BODY(b, 'RIGID', SPHERE((2.0*i, 0, 0), 0.5, 1, 1), bulk) for i in range(5)]
GRAVITY(b, (0, 0, -10))
for ball in balls: INITIAL_VELOCITY(ball, (0, 1, 0), (0, 0, 0))
RUN(b, solver, 0.1)
RUN(solfec, solver, 0.02)
RUN(b, solver, 0.1)
print('%.6f %.6f' % (b.time, solfec.time), '%.6f %.6f %.6f' % DISPLACEMENT(balls[4], (8, 0, 0)))
again = SOLFEC('DYNAMIC', 2E-3, 'out/b')
print(again.mode, ['%.4f' % x for x in HISTORY(again, ['KINETIC'], 0, 1)[1]][-1])
";
    folder.write("deck.py", &format!("{HEAPS}{more}"));
    let told = done(&folder, "sf-run -q -w deck.py");
    for &processes in if large() { &PROCESSES[..] } else { &[3] } {
        let of_many = done(&folder, &format!("sf-run -np {processes} -q -w deck.py"));
        assert_told(&told, &of_many, ROUNDED, &format!("{processes} processes"));
    }
    // Results that are there are read by the first process alone.
    let read = "
a = SOLFEC('DYNAMIC', 2E-3, 'out/b')
SEEK(a, 0.2)
print(a.mode, '%.6f' % a.time, '%.3f' % HISTORY(a, ['KINETIC'], 0, 1)[1][-1])
";
    folder.write("read.py", read);
    let alone = done(&folder, "sf-run -q read.py");
    assert!(alone.starts_with("READ 0.2"), "{alone}");
    assert_eq!(done(&folder, "sf-run -np 3 -q read.py"), alone);
}

#[test]
fn energies_of_deterministic_runs_have_the_same_bits_on_any_number_of_processes() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    folder.write("deck.py", &format!("{HEAPS}print(*ENERGY(solfec), *ENERGY(solfec, [late[0]] + bricks[4:]))\n"));
    let told = |how: &str| done(&folder, &format!("sf-run -q -w --deterministic deck.py {how}"));
    let alone = told("");
    for processes in [2, 3] {
        assert_eq!(told(&format!("-np {processes}")).lines().last(), alone.lines().last(), "{processes} processes");
    }
}

#[test]
fn errors_of_a_deck_end_all_processes_once() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    let short = LONG.replace("1000.0)", "0.01)");
    for (name, more, code, text) in [
        ("plain", "print(1/0)", 3, "ZeroDivisionError"),
        (
            "callback",
            "def call(): raise ValueError('enough')\nCALLBACK(solfec, 0.005, (), call)\nRUN(solfec, \
          GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)",
            3,
            "enough",
        ),
        (
            "force",
            "def f(q, u, t, h): return (1, 2)\nFORCE(solfec.bodies[0], 'SPATIAL', (0,0,0), (0,0,0), f)\n\
          RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)",
            3,
            "it must return 9",
        ),
        ("exit", "import sys; sys.exit(42)", 42, ""),
        (
            "depth",
            "UNPHYSICAL_PENETRATION(solfec, 1E-12)\nRUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)",
            6,
            "unphysical penetration",
        ),
    ] {
        folder.write("deck.py", &format!("{short}{more}\n"));
        let alone = fails(&folder, &format!("sf-run -q deck.py -o {name}1"), code);
        let told = fails(&folder, &format!("sf-run -np 3 -q deck.py -o {name}3"), code);
        assert_eq!(told.matches("error:").count(), alone.matches("error:").count(), "{name}: {told}");
        assert!(told.contains(text), "{name}: {told}");
    }
    // An exception that the deck catches ends the RUN only.
    let caught = "
try:
    UNPHYSICAL_PENETRATION(solfec, 1E-12)
    RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
except Exception as error:
    print(type(error).__name__)
UNPHYSICAL_PENETRATION(solfec, 1)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.01)
print('%.3f' % solfec.time)
";
    folder.write("deck.py", &format!("{short}{caught}"));
    let alone = done(&folder, "sf-run -q deck.py -o caught1");
    // So that the depth is passed in the same step.
    assert_eq!(done(&folder, "sf-run -np 3 -q --deterministic deck.py -o caught3"), alone);
}

#[test]
fn a_live_deck_goes_on_with_other_numbers_of_processes() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    folder.write("deck.py", HEAPS);
    done(&folder, "sf-run -q deck.py -o alone");
    for (processes, steps) in [("-np 3", 30), ("-np 2", 90), ("", 120), ("-np 4", 1000)] {
        done(&folder, &format!("sf-run {processes} -q -c deck.py -o out --steps {steps}"));
    }
    let history = |results: &str| {
        Table::parse(&done(&folder, &format!("sf-history {results} DX@id:2 DZ@id:4 VX@id:6 VZ@id:7 KINETIC")))
    };
    assert_near(&history("alone"), &history("out"), AGREE, "3, 2, 1 and 4 processes");
}

#[test]
fn signals_end_a_live_deck_on_several_processes_orderly() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    folder.write("deck.py", LONG);
    assert_ends(&folder, "deck.py", &[("TERM", "-v", 143), ("USR1", "--requeue", 75)]);
}

/// Bodies of finite elements of several processes, whose nodes are looked at while they move.
#[test]
fn samples_of_bodies_of_all_processes_reach_the_deck() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    let deck = "
s = SOLFEC('DYNAMIC', 1E-3, 'out/s')
bulk = BULK_MATERIAL(s, young=1e6, poisson=0.25, density=1E3)
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
mesh = HEX(nodes, 2, 2, 2, 1, [1, 1, 1, 1, 1, 1])
GRAVITY(s, (0, 0, -10))
bodies = [BODY(s, 'FINITE_ELEMENT', TRANSLATE(COPY(mesh), (3.0*i, 0, 0)), bulk) for i in range(4)]
for i, body in enumerate(bodies):
    body.scheme = 'DEF_LIM'
    FIX_POINT(body, (3.0*i, 0, 0))
    INITIAL_VELOCITY(body, (0, 0, 0), (0, 0, 0.2 * i))
samples = COROTATED_DISPLACEMENTS(s, sampling=[0.005, 0.0095])
RUN(s, GAUSS_SEIDEL_SOLVER(1E-10, 1000), 0.01)
for sample in samples:
    print(' '.join('%.5e' % x for x in sample[:27]))
print(' '.join('%.5e' % x for x in STRESS(bodies[3], (9.2, 0.2, 0.2))))
";
    folder.write("deck.py", deck);
    let alone = done(&folder, "sf-run -q deck.py -o alone");
    assert_eq!(alone.lines().count(), 9);
    for processes in [2, 4] {
        let told = done(&folder, &format!("sf-run -np {processes} -q deck.py -o np{processes}"));
        assert_told(&alone, &told, 0.0, &format!("{processes} processes"));
    }
}

/// A process that alone cannot write ends the others, which wait for it.
#[test]
fn an_error_of_one_process_ends_all() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    let callback = "
import os
def call():
    for k in range(99):
        segment = 'out/segments/s%05d.r0001.h5' % k
        if not os.path.exists(segment): os.makedirs(segment + '/x')
CALLBACK(solfec, 0.05, (), call)
RUN(";
    folder.write("deck.py", &LONG.replace("\nRUN(", callback));
    let told = fails(&folder, "sf-run -np 3 -q deck.py -o out", 4);
    assert_eq!(told.matches("error:").count(), 1, "{told}");
    assert!(told.contains(".r0001.h5: cannot write"), "{told}");
}

#[test]
fn a_deck_dumps_the_local_dynamics_of_all_processes() {
    if !can_run() {
        return;
    }
    let folder = Scratch::new();
    let deck = LONG.replace("1000.0)", "0.01)");
    folder.write("deck.py", &format!("{deck}LOCDYN_DUMP(solfec, NON_SOLFEC_ARGV()[0])\n"));
    for processes in PROCESSES {
        done(
            &folder,
            &format!("sf-run -np {processes} -q --deterministic -o np{processes} deck.py -- np{processes}.hdf5"),
        );
    }
    for processes in &PROCESSES[1..] {
        done(&folder, &format!("sf-locdyn-compare --rtol 1e-12 np1.hdf5 np{processes}.hdf5"));
    }
}
