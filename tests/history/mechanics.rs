//! Energies, momenta, rotations and computed items of decks that run, against closed forms.

use super::decks::Decks;
use super::*;

/// Mass 2 kg on a spring (k = 100 N/m) of which the axis is fixed, under gravity of 10 m/s²; released at rest.
const OSCILLATOR: &str = "
from math import pi
s = SOLFEC('DYNAMIC', 0.001, 'out/osc')
m = BULK_MATERIAL(s, density=2 / (4.0 / 3.0 * pi))
ball = BODY(s, 'RIGID', SPHERE((0, 0, 5), 1, 0, 0), m, label='BALL')
top = BODY(s, 'OBSTACLE', SPHERE((0, 0, 20), 1, 0, 0), m, label='TOP')
PUT_SPRING(ball, (0, 0, 5), top, (0, 0, 20), LAW, (-9, 9), (0, 0, 1))
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0.02)
RUN(s, GAUSS_SEIDEL_SOLVER(1E-12, 100), 0.5)
";

#[test]
fn a_spring_pendulum_keeps_its_total_energy() {
    for law in ["(100, 0)", "TIME_SERIES([-9, 900, 9, -900])"] {
        let folder = Decks::new();
        folder.run(&OSCILLATOR.replace("LAW", law), &[]);
        let c = folder
            .history("out/osc", &["DZ@BALL", "SPRING", "POTENTIAL@BALL", "TOTAL", "BALANCE", "PZ@BALL", "VZ@BALL"]);
        (0..c["time"].len()).for_each(|k| {
            let (fall, near) = (c["DZ@BALL"][k], |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{k}: {a} {b}"));
            near(c["SPRING"][k], 50.0 * fall * fall);
            near(c["POTENTIAL@BALL"][k], 20.0 * (5.0 + fall));
            near(c["TOTAL"][k], 100.0);
            near(c["BALANCE"][k], 100.0);
            near(c["PZ@BALL"][k], 2.0 * c["VZ@BALL"][k]);
        });
        assert!(c["SPRING"].iter().any(|e| *e > 5.0), "the spring is stretched");
    }
}

#[test]
fn the_energy_of_a_spring_with_a_function_is_not_known() {
    let folder = Decks::new();
    folder.run(&OSCILLATOR.replace("LAW", "lambda stroke, rate: -100 * stroke"), &[]);
    let done = folder.tool("sf-history", &["out/osc", "SPRING", "POTENTIAL"]);
    assert!(done.status.success() && stderr(&done).contains("its law is a function"), "{}", stderr(&done));
    assert!(columns(&stdout(&done))["SPRING"].iter().all(|e| e.is_nan()));
}

/// A block slides on a rough floor to rest: what friction takes from the total is in the balance.
#[test]
fn the_balance_of_a_sliding_block_is_constant() {
    let folder = Decks::new();
    folder.run(super::decks::SLIDE, &[]);
    let c = folder.history("out/slide", &["TOTAL", "BALANCE", "FRICTION"]);
    let (first, last) = (0, c["time"].len() - 1);
    assert!((c["TOTAL"][first] - c["TOTAL"][last] - 0.5).abs() < 1e-6, "{:?}", c["TOTAL"]);
    assert!(c["BALANCE"].iter().all(|e| (e - c["BALANCE"][first]).abs() < 1e-9), "{:?}", c["BALANCE"]);
}

/// A free block of unequal inertia tumbles: momenta are constant; another turns about its own axis, twice and more.
const TUMBLE: &str = "
box = lambda a, b, c: HULL([x for k in range(8) for x in (a*(k & 1), b*(k >> 1 & 1), c*(k >> 2))], 1, 1)
s = SOLFEC('DYNAMIC', 0.001, 'out/spin')
m = BULK_MATERIAL(s, density=1)
a = BODY(s, 'RIGID', box(1, 2, 3), m, label='A')
b = BODY(s, 'RIGID', TRANSLATE(box(1, 1, 1), (9, 0, 0)), m, label='B')
INITIAL_VELOCITY(a, (1, 2, 3), (0.5, 2, 1))
INITIAL_VELOCITY(b, (0, 0, 0), (0, 0, 20))
OUTPUT(s, 0.05)
RUN(s, GAUSS_SEIDEL_SOLVER(1E-9, 100), 1)
";

#[test]
fn momenta_and_turns_of_free_bodies() {
    let folder = Decks::new();
    folder.run(TUMBLE, &[]);
    let items = [
        "PX@A",
        "LX@A",
        "LY@A",
        "LZ@A",
        "OMEGAX@A",
        "OMEGAZ@B",
        "ROTZ@B",
        "PX",
        "n=norm(PX,PY,PZ)",
        "q=LZ-LZ@A - LZ@B",
    ];
    let c = folder.history("out/spin", &items);
    let constant = |name: &str, value: f64, tolerance: f64| {
        assert!(c[name].iter().all(|x| (x - value).abs() < tolerance), "{name}: {:?}", c[name]);
    };
    // Mass 6 at (0.5, 1, 1.5), J = 6/12 (13, 10, 5).
    constant("PX@A", 6.0, 1e-12);
    constant("PX", 6.0, 1e-12);
    constant("n", 6.0 * 14f64.sqrt(), 1e-12);
    // x × m v = 6 (1·3 − 1.5·2, 1.5·1 − 0.5·3, 0.5·2 − 1·1) = 0.
    constant("LX@A", 3.25, 1e-5);
    constant("LY@A", 10.0, 1e-5);
    constant("LZ@A", 2.5, 1e-5);
    constant("OMEGAZ@B", 20.0, 1e-9);
    constant("q", 0.0, 1e-12);
    assert!(c["OMEGAX@A"].iter().any(|w| (w - 0.5).abs() > 0.05), "the block tumbles");
    for (t, turned) in c["time"].iter().zip(&c["ROTZ@B"]) {
        assert!((turned - 20.0 * t).abs() < 1e-8, "{t}: {turned}");
    }
}

#[test]
fn computed_items() {
    let c = sampled(&[
        "2*BODS-1",
        "CONS/BODS",
        "m=max(CX@*)",
        "l=min(CX@B*)",
        "a=max(abs(VZ@B*))",
        "k=max(KINETIC@B*)",
        "b=max(BODS,5.5)",
        "x=CX@BOX(1.5,0.5,0) - CX@BOX",
        "CX@BOX",
        "CX@BALL",
        "CX@FLOOR",
        "CX@SOFT",
        "CX@id:5",
        "CX@LATE",
    ]);
    let t = times();
    close(&c["2*BODS-1"], &[9.0, 9.0, 11.0, 11.0, 11.0]);
    close(&c["CONS/BODS"], &[0.0, 0.2, 2.0 / 6.0, 0.0, 4.0 / 6.0]);
    let over =
        |names: &[&str], k: usize, best: fn(f64, f64) -> f64| names.iter().map(|n| c[*n][k]).fold(f64::NAN, best);
    (0..FRAMES).for_each(|k| {
        let all = ["CX@BOX", "CX@BALL", "CX@FLOOR", "CX@SOFT", "CX@id:5", "CX@LATE"];
        assert_eq!((c["m"][k], c["l"][k]), (over(&all, k, f64::max), over(&["CX@BOX", "CX@BALL"], k, f64::min)));
    });
    close(&c["a"], &t.iter().map(|t| GRAVITY * t).collect::<Vec<_>>());
    close(&c["k"], &t.iter().map(|t| 2.0 * t).collect::<Vec<_>>());
    close(&c["b"], &[5.5, 5.5, 6.0, 6.0, 6.0]);
    close(&c["x"], &t.iter().map(|t| t.cos()).collect::<Vec<_>>());
}

#[test]
fn an_item_that_matches_nothing_is_an_error() {
    for (item, code, says) in [
        ("CZ@BAL", 3, "'BAL' names no body of 'synthetic' (did you mean BALL?)"),
        ("CZ@5", 3, "'5' names no body of 'synthetic' (did you mean id:5?)"),
        ("KINETIC@id:99", 3, "'id:99' names no body"),
        ("KINETICS", 2, "KINETICS: no such item (did you mean KINETIC?)"),
        ("KINETIC+", 2, "character 9"),
    ] {
        let (_s, output) = history(&[item]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(says), "{told}");
        assert!(told.matches("no such item").count() < 2 && !told.contains("invalid value"), "said once: {told}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn times_and_points_outside_are_noted() {
    let (_s, output) = history(&["BODS", "--time", "99"]);
    assert!(stderr(&output).contains("--time 99: the nearest frame is at 0.4 s"), "{}", stderr(&output));
    let (_s, output) = history(&["CZ@BALL(3,0,9)"]);
    assert!(output.status.success());
    assert!(stderr(&output).contains("the point (3, 0, 9) is outside body 3 'BALL'"), "{}", stderr(&output));
    let (_s, output) = history(&["CZ@BALL(3,0,2)", "--time", "0.13"]);
    assert_eq!(stderr(&output), "");
}

/// A stiff cube of eight hexahedra that falls and spins: its nodes have 3/2 of the inertia m/6 of the cube.
const CUBE: &str = "
s = SOLFEC('DYNAMIC', 1E-4, 'out/cube')
m = BULK_MATERIAL(s, young=1E9, poisson=0.25, density=1000)
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
a = BODY(s, 'FINITE_ELEMENT', HEX(unit, 2, 2, 2, 1, [1]*6), m, label='A', form=FORM)
INITIAL_VELOCITY(a, (1, 0, 3), (0, 0, 2))
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0.01)
RUN(s, GAUSS_SEIDEL_SOLVER(1E-9, 100), 0.1)
";

#[test]
fn finite_elements_have_momenta_and_turns() {
    for form in ["'TL'", "'BC'"] {
        let folder = Decks::new();
        folder.run(&CUBE.replace("FORM", form), &[]);
        let items = ["PX", "PZ", "LZ@A", "OMEGAZ@A", "OMEGAX@A", "ROTZ@A", "POTENTIAL", "TOTAL"];
        let c = folder.history("out/cube", &items);
        for (k, t) in c["time"].iter().enumerate() {
            let near = |name: &str, value: f64, tolerance: f64| {
                assert!((c[name][k] - value).abs() < tolerance, "{form} {name} at {t}: {} {value}", c[name][k]);
            };
            near("PX", 1000.0, 1e-8);
            near("PZ", 1000.0 * (3.0 - 10.0 * t), 1e-8);
            // About the origin: x p_y − y p_x of the centre, and the spin.
            near("LZ@A", -500.0 + 2.0 * 1.5 * 1000.0 / 6.0, 1e-8);
            near("OMEGAZ@A", 2.0, 1e-4);
            near("OMEGAX@A", 0.0, 1e-9);
            near("ROTZ@A", 2.0 * t, 1e-5);
            near("POTENTIAL", 1e4 * (0.5 + 3.0 * t - 5.0 * t * t), 1e-8);
            near("TOTAL", c["TOTAL"][0], 1e-2);
        }
    }
}
