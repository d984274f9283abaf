//! INITIALIZE_STATE: states of bodies from a frame of other results.

use super::*;
use solfec_formats::results::Results;
use tools_testing::same::content;

/// Two bodies under constant loads, far from each other.
const BODIES: &str = "\
m = BULK_MATERIAL(s, young=1e6, density=1000)
a = BODY(s, 'RIGID', HULL([0,0,0, 1,0,0, 0,2,0, 0,0,3, 1,1,1], 1, 1), m, label='A')
c = BODY(s, 'PSEUDO_RIGID', HEX([9,0,0, 10,0,0, 10,1,0, 9,1,0, 9,0,1, 10,0,1, 10,1,1, 9,1,1], 1, 1, 1, 1, [1,1,1,1,1,1]), m, label='C')
INITIAL_VELOCITY(a, (1, 2, 3), (3, -2, 1))
INITIAL_VELOCITY(c, (0, 1, 0), (0, 1, 2))
FORCE(a, 'SPATIAL', (0, 1, 0), (1, 1, 0), 500)
GRAVITY(s, (0, 0, -9.81))
";

fn done(folder: &Folder, args: &[&str]) -> String {
    let out = folder.sf_run(args);
    assert!(out.status.success(), "{args:?}: {}", text(&out.stderr));
    text(&out.stderr)
}

/// A folder with results `out/first` of one second and its packed form.
fn first() -> Folder {
    let folder = Folder::new();
    let run = "OUTPUT(s, 0.25)\nRUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 1.0)\n";
    folder.write("first.py", &format!("s = SOLFEC('DYNAMIC', 2**-8, 'out/first')\n{BODIES}{run}"));
    done(&folder, &["-q", "first.py"]);
    done(&folder, &["-q", "--pack", "out/first", "first.h5"]);
    folder
}

/// A deck that begins with what `commands` do.
fn second(folder: &Folder, commands: &str) {
    let run = "RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 1.0)\n";
    folder.write("second.py", &format!("s = SOLFEC('DYNAMIC', 2**-8, 'out/second')\n{BODIES}{commands}{run}"));
}

/// Write, initialise, go on: bit for bit the uninterrupted run, live and recorded.
#[test]
fn written_states_go_on_bit_for_bit() {
    let folder = first();
    let run = "RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 2.0)\n";
    folder.write("whole.py", &format!("s = SOLFEC('DYNAMIC', 2**-8, 'out/whole')\n{BODIES}{run}"));
    done(&folder, &["-q", "whole.py"]);
    let last = |name: &str| {
        let results = Results::open(&folder.path(name)).unwrap();
        let n = results.frames(0).unwrap().len();
        let frame = results.read_frame(0, n - 1).unwrap();
        (frame.rigid, frame.pseudo)
    };
    for source in ["out/first", "first.h5"] {
        second(&folder, &format!("OUTPUT(s, 1)\nINITIALIZE_STATE(s, '{source}', 1.0)\n"));
        done(&folder, &["-q", "-w", "second.py"]);
        assert_eq!(last("out/second"), last("out/whole"), "{source}");
    }
    let out = folder.build(&["-q", "-o", "m.h5", "second.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    done(&folder, &["-q", "-o", "out/recorded", "m.h5"]);
    assert_eq!(last("out/recorded"), last("out/whole"));
}

/// Works are known as soon as they are taken over.
#[test]
fn energies_are_taken_over_before_the_first_run() {
    let folder = first();
    let print = "print(*ENERGY(s), *ENERGY(s, a), *ENERGY(s, [a, c]), ENERGY(s, c).dissipated)\n";
    folder.write("read.py", &format!("s = SOLFEC('DYNAMIC', 2**-8, 'out/first')\n{BODIES}SEEK(s, 1.0)\n{print}"));
    second(&folder, &format!("INITIALIZE_STATE(s, 'out/first', 1.0)\n{print}"));
    let stored = folder.sf_run(&["-q", "--read", "read.py"]);
    let taken = folder.sf_run(&["-q", "second.py"]);
    assert!(stored.status.success() && taken.status.success(), "{} {}", text(&stored.stderr), text(&taken.stderr));
    let numbers = |out: &Output| -> Vec<f64> {
        text(&out.stdout).split_whitespace().map(|number| number.parse().unwrap()).collect()
    };
    let (stored, taken) = (numbers(&stored), numbers(&taken));
    assert!(stored.len() == 16 && stored[2].abs() > 100.0, "{stored:?}");
    for (one, other) in stored.iter().zip(&taken) {
        assert!((one - other).abs() <= 1e-9 * one.abs(), "{stored:?} {taken:?}");
    }
}

/// Labels choose: the others stay as the deck made them.
#[test]
fn labels_choose_the_bodies() {
    let folder = first();
    let start = |name: &str, k| Results::open(&folder.path(name)).unwrap().read_frame(0, k).unwrap();
    second(&folder, "INITIALIZE_STATE(s, 'out/first', 0.5, subset='^A$')\n");
    done(&folder, &["-q", "second.py"]);
    assert_eq!(start("out/second", 0).rigid, start("out/first", 2).rigid);
    assert_eq!(start("out/second", 0).pseudo, start("out/first", 0).pseudo);
    second(&folder, "INITIALIZE_STATE(s, 'out/first', 0.5, ['[CD]'])\n");
    done(&folder, &["-q", "-w", "second.py"]);
    assert_eq!(start("out/second", 0).rigid, start("out/first", 0).rigid);
    assert_eq!(start("out/second", 0).pseudo, start("out/first", 2).pseudo);
}

#[test]
fn the_nearest_frame_is_taken_and_told() {
    let folder = first();
    second(&folder, "INITIALIZE_STATE(s, 'out/first', 0.375)\n");
    let told = done(&folder, &["second.py"]);
    assert!(told.contains("is at 0.25 s"), "{told}");
    let x = |name: &str, k| Results::open(&folder.path(name)).unwrap().read_frame(0, k).unwrap().rigid.x;
    assert_eq!(x("out/second", 0), x("out/first", 1));
    let told = done(&folder, &["second.py"]);
    assert!(told.contains("does nothing in READ mode"), "{told}");
    assert!(content(&folder.path("first.h5")).contains_key("/model/domains/0/bodies/id"));
}

#[test]
fn what_cannot_be_is_named() {
    let folder = first();
    let fails = |commands: &str, code: i32, says: &str| {
        second(&folder, commands);
        let out = folder.sf_run(&["-q", "-w", "second.py"]);
        assert_eq!(out.status.code(), Some(code), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains(says), "{}", text(&out.stderr));
    };
    fails("INITIALIZE_STATE(s, 'out/none', 1)\n", 4, "out/none");
    fails("INITIALIZE_STATE(s, 'second.py', 1)\n", 4, "not an HDF5 file");
    fails("INITIALIZE_STATE(s, 'out/first', 1, subset='X')\n", 3, "'X' names no body");
    let other = BODIES.replace("'PSEUDO_RIGID'", "'RIGID'");
    folder.write(
        "other.py",
        &format!("s = SOLFEC('DYNAMIC', 2**-8, 'out/other')\n{other}INITIALIZE_STATE(s, 'out/first', 1)\n"),
    );
    let out = folder.sf_run(&["-q", "other.py"]);
    assert_eq!(out.status.code(), Some(3));
    assert!(text(&out.stderr).contains("body 2 'C' is RIGID, but PSEUDO_RIGID"), "{}", text(&out.stderr));
}

#[test]
fn results_of_the_deck_itself_need_live_execution() {
    let folder = Folder::new();
    let deck = format!(
        "s = SOLFEC('DYNAMIC', 2**-8, 'out/one')\n{BODIES}RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 0.25)\n\
         s = SOLFEC('DYNAMIC', 2**-8, 'out/two')\n{BODIES}INITIALIZE_STATE(s, './out/one/', 0.25)\n\
         RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 0.25)\n"
    );
    folder.write("deck.py", &deck);
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert_eq!(out.status.code(), Some(7), "{}", text(&out.stderr));
    done(&folder, &["-q", "deck.py"]);
    let frame = |name: &str, last: bool| {
        let results = Results::open(&folder.path(name)).unwrap();
        let k = if last { results.frames(0).unwrap().len() - 1 } else { 0 };
        results.read_frame(0, k).unwrap().rigid
    };
    assert_eq!(frame("out/one", true), frame("out/two", false));
}

/// BODY_CHARS has moved the mass centre in the other results, and here not at all, as there, or elsewhere: points of
/// the body are in the same places with the same velocities.
#[test]
fn a_body_is_where_it_was_when_a_mass_centre_was_moved() {
    let folder = Folder::new();
    let make = "m = BULK_MATERIAL(s)\na = BODY(s, 'RIGID', SPHERE((1, 2, 3), 1, 1, 1), m)\n\
                p = BODY(s, 'PSEUDO_RIGID', SPHERE((9, 2, 3), 1, 1, 1), m)\np.scheme = 'DEF_LIM'\n";
    let begin =
        "for b in (a, p): INITIAL_VELOCITY(b, (1, 2, 3), (3, -2, 1))\nsolver = GAUSS_SEIDEL_SOLVER(1e-6, 100)\n";
    let moved = |x: f64| {
        let given = format!("5, 1, (b.center[0] + {x}, 2.2, 2.9), [2, 0, 0, 0, 3, 0, 0, 0, 4]");
        format!("for b in (a, p): BODY_CHARS(b, {given})\n")
    };
    let show = "for b in (a, p):\n    point = (1 if b == a else 9, 2.3, 3.5)\n    \
                print(*[round(x, 8) for x in DISPLACEMENT(b, point) + VELOCITY(b, point)])\n";
    let ran = "RUN(s, solver, 0.25)\n";
    let first = format!("s = SOLFEC('DYNAMIC', 2**-8, 'out/first')\n{make}{begin}{ran}{}{ran}{show}", moved(0.1));
    folder.write("first.py", &first);
    let prints = |deck: &str| {
        let out = folder.sf_run(&["-q", "-w", deck]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let there = prints("first.py");
    for (k, here) in [String::new(), moved(0.1), moved(-0.2)].iter().enumerate() {
        let state = "INITIALIZE_STATE(s, 'out/first', 0.5)\n";
        folder.write("second.py", &format!("s = SOLFEC('DYNAMIC', 2**-8, 'out/second{k}')\n{make}{here}{state}{show}"));
        assert_eq!(prints("second.py"), there, "{here}");
    }
}
