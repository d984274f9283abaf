//! Decks of Solfec 1.0 beside the repository: those for which all is here run ten steps, the others stop at what is not. Without these decks nothing is tested.

use std::path::Path;
use tools_testing::size::large;

use solfec_testing::skip::not_here;

use super::common::*;

/// Decks that run. The last ones are large and run with SF_LARGE=1.
const RUN: [&str; 71] = [
    "inp/articulated_pendulum.py",
    "inp/balls.py",
    "inp/bar-drop.py",
    "inp/bend.py",
    "inp/body-impact.py",
    "inp/body-rotate.py",
    "inp/boxdrop.py",
    "inp/cohesion.py",
    "inp/compacted-ellipsoids.py",
    "inp/cylsec.py",
    "inp/domino-parallel.py",
    "inp/domino.py",
    "inp/elements.py",
    "inp/ellip.py",
    "inp/fedomino.py",
    "inp/flexbend.py",
    "inp/inplane.py",
    "inp/links.py",
    "inp/mbfcp/two_fuel_bricks.py",
    "inp/newton-cradle.py",
    "inp/pinned-fem-box.py",
    "inp/prbpinbar.py",
    "inp/ro.py",
    "inp/selfcontact.py",
    "inp/shockabs.py",
    "inp/sphere-in-pipe.py",
    "inp/splits.py",
    "inp/stlpart.py",
    "inp/sweep.py",
    "inp/tetgen.py",
    "inp/tetpart.py",
    "inp/torrent.py",
    "inp/tutorial/ball-impact.py",
    "inp/tutorial/three-basic-geometric-objects.py",
    "inp/wire.py",
    "tests/BM01/BM01_force.py",
    "tests/BM01/BM01_pressure.py",
    "tests/BM21/BM21_springs.py",
    "timed/arch.py",
    "timed/domino.py",
    "timed/ellipsoids.py",
    "timed/newton-cradle.py",
    "timed/rocks.py",
    "timed/torrent-flat.py",
    "timed/torrent.py",
    // Large ones.
    "inp/16-bars.py",
    "inp/amt.py",
    "inp/amtball.py",
    "inp/beam.py",
    "inp/bininp.py",
    "inp/bridge.py",
    "inp/cores/simple-quarter.py",
    "inp/fuel-brick-drop.py",
    "inp/fuel-brick-flex.py",
    "inp/hopper.py",
    "inp/joli-feng.py",
    "inp/largeslip.py",
    "inp/rocks.py",
    "inp/rotating-bar.py",
    "inp/twobarimp.py",
    "tests/BM03/BM03_hexa.py",
    "tests/BM05/BM05_hexa.py",
    "tests/BM09/BM09_hexa.py",
    "tests/BM11/BM11_all.py",
    "tests/BM13/BM13_coarse.py",
    "tests/BM17/BM17_tetra.py",
    "tests/BM19/BM19_mixed.py",
    "tests/BM23/BM23_hexa.py",
    "timed/bridge.py",
    "timed/cubes10.py",
    "timed/hopper.py",
];
const LARGE: usize = 26;

/// Decks that want more, and the word that their message has.
const WANT: [(&str, &str); 3] = [
    ("inp/brick-crack.py", "SIMPLIFIED_CRACK: is a command of Solfec 1.0"),
    ("inp/crack.py", "SIMPLIFIED_CRACK: is a command of Solfec 1.0"),
    ("inp/cores/simple-small.py", "SIMPLIFIED_CRACK: is a command of Solfec 1.0"),
];

/// Files that are in neither list, and why.
const OTHERS: [(&str, &str); 16] = [
    ("inp/cores/inc/simple_core_base.py", "part of other decks"),
    ("inp/cubes.py", "ten steps of its finite elements take minutes in a build for tests"),
    ("inp/fratest.py", "a mesh that is not here"),
    ("inp/impacting-bar.py", "imports scipy"),
    ("inp/modal.py", "has a test of its own"),
    ("inp/mesh/netgenread.py", "part of other decks"),
    ("inp/tetcrush.py", "ten steps of its finite elements take minutes in a build for tests"),
    ("scripts/abaqusreader/__init__.py", "part of other decks"),
    ("scripts/abaqusreader/abaqusinp.py", "part of other decks"),
    ("scripts/abaqusreader/example.py", "reads a file that its user gives"),
    ("scripts/abaqusreader/tests/tests.py", "part of other decks"),
    ("scripts/acc_sweep.py", "part of other decks"),
    ("tests/BM03/BM03_tetra.py", "as BM03_hexa.py"),
    ("tests/BM07/BM07_hexa.py", "ten steps of its finite elements take minutes in a build for tests"),
    ("tests/BM13/BM13_fine.py", "as BM13_coarse.py"),
    ("tests/BM15/BM15_mixed.py", "ten steps of its finite elements take minutes in a build for tests"),
];

#[test]
fn every_deck_is_in_one_list() {
    let Some(folder) = decks() else { return };
    let found = done(&folder, "find . -name '*.py' | cut -c3-");
    let listed: Vec<&str> = RUN.into_iter().chain(WANT.map(|deck| deck.0)).chain(OTHERS.map(|deck| deck.0)).collect();
    for deck in found.lines() {
        let times = listed.iter().filter(|name| **name == deck).count();
        assert_eq!(times, 1, "{deck} is listed {times} times");
    }
    for (deck, why) in OTHERS {
        assert!(folder.path(deck).exists() && !why.is_empty(), "{deck}");
    }
    assert_eq!(found.lines().count(), listed.len());
}

/// A copy of the decks in a folder of its own.
pub fn decks() -> Option<Scratch> {
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
fn decks_run_ten_steps() {
    let Some(folder) = decks() else { return };
    let count = if large() { RUN.len() } else { RUN.len() - LARGE };
    for deck in &RUN[..count] {
        done(&folder, &format!("rm -rf results trace.csv; {}", ten_steps(deck)));
        let steps = folder.read("trace.csv").lines().count() - 1;
        assert!(steps >= 10, "{deck}: {steps} steps");
    }
}

/// A deck without a RUN: it prints the modes of a body.
#[test]
fn a_deck_of_modes_prints_them() {
    let Some(folder) = decks() else { return };
    let printed = done(&folder, "sf-run -q --python2 always inp/modal.py");
    let values: Vec<f64> = printed
        .rsplit('[')
        .next()
        .unwrap_or_default()
        .trim_end_matches("]\n")
        .split(", ")
        .map(|x| x.parse().expect("a value"))
        .collect();
    assert_eq!((values.len(), &values[..6]), (20, &[0.0; 6][..]));
    assert!(
        values[6] > 0.0 && (values[7] / values[6] - 1.0).abs() < 1e-6,
        "the first two modes bend alike: {values:?}"
    );
}

#[test]
fn the_other_decks_say_what_they_want() {
    let Some(folder) = decks() else { return };
    for (deck, word) in WANT {
        let told = fails(&folder, &ten_steps(deck), 3);
        assert!(told.contains(word), "{deck}: {told}");
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
