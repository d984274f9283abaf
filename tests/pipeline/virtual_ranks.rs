//! Processes that are threads of one, `--virtual N`.

use super::common::*;
use super::ranks::{can_run, pile_anywhere};
use super::LONG;

/// The log of all steps.
fn steps(folder: &Scratch, results: &str) -> String {
    done(folder, &format!("sf-history {results} BODS CONS ITERS MERIT --per-step"))
}

#[test]
fn they_have_the_bits_of_real_ones() {
    let folder = pile_anywhere();
    let table = |how: &str, input: &str| {
        done(&folder, &format!("sf-run {how} -q -w {input} -o out"));
        (steps(&folder, "out"), done(&folder, "sf-history out KINETIC GSCOLORS GSBOT 'DZ@id:9' 'VX@id:40'"))
    };
    done(&folder, "sf-build pile.py -o pile.h5");
    if can_run() {
        for input in ["pile.h5", "pile.py"] {
            assert_eq!(table("--virtual 3", input), table("-np 3", input), "{input}");
        }
    }
}

#[test]
fn they_stop_go_on_and_tell_what_is_wrong_once() {
    let folder = pile_anywhere();
    done(&folder, "sf-build pile.py -o pile.h5 && sf-run --virtual 5 -q pile.h5 -o through");
    done(&folder, "sf-run --virtual 5 -q pile.h5 -o out --steps 40 && sf-run --virtual 5 -q -c pile.h5 -o out");
    assert_eq!(steps(&folder, "through"), steps(&folder, "out"));
    let places =
        |results: &str| done(&folder, &format!("sf-history {results} KINETIC 'DZ@id:9' 'VX@id:40' 'ROTY@id:17'"));
    assert_eq!(places("through"), places("out"));
    let none = shell(&folder, "sf-run --virtual 0 pile.h5 -o none");
    assert!(none.status.code() == Some(2) && !folder.path("none").exists(), "{none:?}");
    let told = shell(&folder, "sf-run --virtual 3 pile.h5 -o out");
    let text = String::from_utf8_lossy(&told.stderr);
    assert_eq!((told.status.code(), text.matches("error").count()), (Some(4), 1), "{text}");
    folder.write("wrong.py", &(LONG.to_owned() + "\nRUN(nothing)\n"));
    let told = shell(&folder, "sf-run --virtual 3 wrong.py -w -o out --steps 2");
    let text = String::from_utf8_lossy(&told.stderr);
    assert_eq!((told.status.code(), text.matches("sf-run: error").count()), (Some(3), 1), "{text}");
}

/// Two objects; after its first RUN each gets a ball more, a spring between two, and another velocity.
const GROWING: &str = "
def ball(solfec, x, z, material):
    return BODY(solfec, 'RIGID', SPHERE((x, 0, z), 0.5, 1, 1), material)

for k in range(2):
    solfec = SOLFEC('DYNAMIC', 1E-3, 'out/%d' % k)
    SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.3)
    material = BULK_MATERIAL(solfec, 'KIRCHHOFF', young=1E9, poisson=0.3, density=1E3)
    floor = HULL([c for x in (-1, 9) for y in (-1, 1) for z in (-1, 0) for c in (x, y, z)], 1, 1)
    BODY(solfec, 'OBSTACLE', floor, material)
    balls = [ball(solfec, x, 0.5, material) for x in range(8)]
    GRAVITY(solfec, (0, 0, -10))
    OUTPUT(solfec, 0.01)
    solver = GAUSS_SEIDEL_SOLVER(1, 1000, meritval=1E-20)
    RUN(solfec, solver, 0.03)
    later = ball(solfec, 3.3, 1.6, material)
    PUT_SPRING(later, (3.3, 0, 1.6), balls[0], (0, 0, 0.5), (1E4, 0), (-10, 10))
    FORCE(balls[7], 'SPATIAL', (7, 0, 0.5), (1, 0, 0), 1E3)
    INITIAL_VELOCITY(balls[6], (0.5, 0, 0), (0, 0, 0))
    RUN(solfec, solver, 0.03 + 0.01 * k)
";

#[test]
fn what_a_program_inserts_comes_to_its_process() {
    let folder = Scratch::new();
    folder.write("deck.py", GROWING);
    done(&folder, "sf-build deck.py -o m.h5 && sf-run -q -w m.h5 && mv out one");
    let last = |of: &str| {
        let command = format!("sf-history {of} BODS KINETIC CONTACT EXTERNAL 'DX@id:10' 'DX@id:8' 'VX@id:7'");
        Table::parse(&done(&folder, &command)).rows
    };
    let agree = |what: &str| {
        for k in 0..2 {
            let [one, many] = [format!("one/{k}"), format!("out/{k}")].map(|of| last(&of));
            assert!(one.len() == many.len() && one.last().is_some_and(|row| row[1] == 10.0), "{what}: {one:?}");
            let numbers = one.iter().flatten().zip(many.iter().flatten());
            for (a, b) in numbers.filter(|(a, _)| a.is_finite()) {
                assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs()), "{what}, {k}: {a} {b}");
            }
        }
    };
    for input in ["m.h5", "deck.py"] {
        done(&folder, &format!("sf-run --virtual 3 -q -w {input}"));
        agree(input);
        // Before and after the second RUN of the first object begins.
        for steps in [20, 45] {
            done(&folder, &format!("rm -r out && sf-run --virtual 4 -q --steps {steps} {input}"));
            done(&folder, &format!("sf-run --virtual 2 -q -c {input}"));
            agree(&format!("{input} after {steps}"));
        }
    }
}

/// Bodies, contacts and sweeps of the first two steps of a workflow that takes hours, on eight processes.
fn beginning(workflow: &str, duration: f64) -> Vec<[f64; 3]> {
    let folder = Scratch::new();
    let deck = format!("{}/workflows/{workflow}/deck.py", env!("CARGO_MANIFEST_DIR"));
    done(&folder, &format!("sf-build --set duration={duration} '{deck}' -o model.h5"));
    done(&folder, "sf-run --virtual 8 -q model.h5 -o out");
    Table::parse(&steps(&folder, "out")).rows.iter().map(|row| [row[1], row[2], row[3]]).collect()
}

#[test]
fn a_bridge_of_10030_bodies_is_backfilled_on_eight() {
    let steps = beginning("bridge-backfilling", 0.002);
    assert_eq!(steps.len(), 2);
    for [bodies, contacts, sweeps] in steps {
        assert_eq!((bodies, contacts), (10030.0, 3069.0));
        assert!(sweeps <= 200.0, "{sweeps}");
    }
}

/// In each of twelve layers 169 hollow bricks stand on twelve faces, 144 small ones and 104 keys on one; on the floor
/// small bricks on four slabs, and keys on two.
#[test]
fn a_core_of_5177_bodies_stands_on_eight() {
    let steps = beginning("simplified-core", 0.0002);
    let expected = f64::from(12 * (12 * 169 + 144 + 104) + 3 * 144 + 104);
    assert_eq!(steps.len(), 2);
    for [bodies, contacts, sweeps] in steps {
        assert_eq!((bodies, contacts), (5177.0, expected));
        assert!(sweeps < 200.0, "{sweeps}");
    }
}
