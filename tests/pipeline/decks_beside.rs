//! Decks of Solfec 1.0 beside the repository: those that need no finite elements run ten steps, the others stop at the
//! command that is not here. Without these decks nothing is tested.

use std::path::Path;

use solfec_testing::skip::not_here;

use super::common::*;

/// Decks that run. The last ones are
/// large and run with SF_LARGE=1.
const RUN: [&str; 29] = [
    "inp/articulated_pendulum.py",
    "inp/balls.py",
    "inp/compacted-ellipsoids.py",
    "inp/cylsec.py",
    "inp/domino-parallel.py",
    "inp/domino.py",
    "inp/ellip.py",
    "inp/inplane.py",
    "inp/links.py",
    "inp/mbfcp/two_fuel_bricks.py",
    "inp/newton-cradle.py",
    "inp/prbpinbar.py",
    "inp/shockabs.py",
    "inp/sphere-in-pipe.py",
    "inp/tetpart.py",
    "inp/tutorial/ball-impact.py",
    "inp/tutorial/three-basic-geometric-objects.py",
    "tests/BM21/BM21_springs.py",
    "timed/arch.py",
    "timed/domino.py",
    "timed/newton-cradle.py",
    "timed/torrent-flat.py",
    "timed/torrent.py",
    // Large ones.
    "inp/bridge.py",
    "inp/cores/simple-quarter.py",
    "inp/hopper.py",
    "inp/rocks.py",
    "timed/bridge.py",
    "timed/cubes10.py",
];
const LARGE: usize = 6;

/// Decks that want more, and the word that their message has.
const WANT: [(&str, &str); 6] = [
    ("inp/beam.py", "kind 'FINITE_ELEMENT' is not in this version"),
    ("inp/splits.py", "kind 'FINITE_ELEMENT' is not in this version"),
    ("inp/tetgen.py", "kind 'FINITE_ELEMENT' is not in this version"),
    ("inp/stlpart.py", "kind 'FINITE_ELEMENT' is not in this version"),
    ("tests/BM15/BM15_mixed.py", "kind 'FINITE_ELEMENT' is not in this version"),
    ("inp/cores/simple-small.py", "SIMPLIFIED_CRACK: is a command of Solfec 1.0"),
];

/// A copy of the decks in a folder of its own.
fn decks() -> Option<Scratch> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/decks");
    if !beside.is_dir() {
        not_here(&format!("no {}", beside.display()));
        return None;
    }
    let folder = Scratch::new();
    done(&folder, &format!("cp -rL {}/. . && chmod -R u+w .", beside.display()));
    Some(folder)
}

fn ten_steps(deck: &str) -> String {
    format!("sf-run -q --steps 10 -f -o results --python2 always --trace-steps trace.csv {deck}")
}

#[test]
fn decks_without_finite_elements_run_ten_steps() {
    let Some(folder) = decks() else { return };
    let count = if std::env::var_os("SF_LARGE").is_some() { RUN.len() } else { RUN.len() - LARGE };
    for deck in &RUN[..count] {
        done(&folder, &format!("rm -rf results trace.csv; {}", ten_steps(deck)));
        let steps = folder.read("trace.csv").lines().count() - 1;
        assert!(steps >= 10, "{deck}: {steps} steps");
    }
}

/// A mesh that is split, filled with tetrahedra, or made of several kinds of elements is no obstacle any more: what
/// stops these decks is the kind of their bodies.
#[test]
fn the_other_decks_say_what_they_want() {
    let Some(folder) = decks() else { return };
    for (deck, word) in WANT {
        let told = fails(&folder, &ten_steps(deck), 3);
        assert!(told.contains(word), "{deck}: {told}");
    }
}

/// Decks of finite elements whose shapes are split or filled, with rigid bodies in their place.
#[test]
fn split_and_filled_shapes_run_as_rigid_bodies() {
    let Some(folder) = decks() else { return };
    for deck in ["inp/splits.py", "inp/tetgen.py", "inp/stlpart.py", "inp/bend.py", "inp/elements.py"] {
        let rigid = "sed -i \"s/'FINITE_ELEMENT'/'RIGID'/; s/, form = 'BC'//\"";
        done(&folder, &format!("rm -rf results trace.csv; {rigid} {deck} && {}", ten_steps(deck)));
        assert!(folder.read("trace.csv").lines().count() > 10, "{deck}");
    }
}

/// A prism of cross-section 44 and length 4; a hinge of 450 triangles, whose volume is the sum over them. TetGen takes
/// facets as plane that are so to 1e-8 of the size.
#[test]
fn surfaces_in_files_have_the_volume_that_they_enclose() {
    let Some(folder) = decks() else { return };
    folder.write(
        "volumes.py",
        "s = SOLFEC('DYNAMIC', 1, 'out/volumes'); m = BULK_MATERIAL(s)\n\
         for name in ('foot.poly', 'hinge.stl'):\n  \
         t = TETRAHEDRALIZE('inp/mesh/' + name, 'out/' + name + '.h5')\n  print(BODY(s, 'RIGID', t, m).volume)\n",
    );
    let printed = done(&folder, "sf-build --check volumes.py");
    let volumes: Vec<f64> = printed.lines().map(|line| line.parse().expect("a volume")).collect();
    for (volume, exact) in volumes.iter().zip([176.0, 309.178_575]) {
        assert!((volume / exact - 1.0).abs() < 1e-7, "{volume}, not {exact}");
    }
    assert_eq!(volumes.len(), 2);
}
