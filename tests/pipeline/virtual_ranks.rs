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
    assert_eq!(beginning("bridge-backfilling", 0.002), [[10030.0, 3069.0, 200.0]; 2]);
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
