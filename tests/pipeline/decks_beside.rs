//! Decks of Solfec 1.0 beside the repository: those for which all is here run ten steps, the others stop at what is not. Without these decks nothing is tested.

use std::path::Path;

use solfec_testing::skip::not_here;

use super::common::*;

/// Decks that run. The last ones are large and run with SF_LARGE=1.
const RUN: [&str; 61] = [
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
    "inp/inplane.py",
    "inp/links.py",
    "inp/mbfcp/two_fuel_bricks.py",
    "inp/newton-cradle.py",
    "inp/pinned-fem-box.py",
    "inp/prbpinbar.py",
    "inp/selfcontact.py",
    "inp/shockabs.py",
    "inp/sphere-in-pipe.py",
    "inp/splits.py",
    "inp/stlpart.py",
    "inp/tetgen.py",
    "inp/tetpart.py",
    "inp/tutorial/ball-impact.py",
    "inp/tutorial/three-basic-geometric-objects.py",
    "inp/wire.py",
    "tests/BM01/BM01_force.py",
    "tests/BM01/BM01_pressure.py",
    "tests/BM21/BM21_springs.py",
    "timed/arch.py",
    "timed/domino.py",
    "timed/newton-cradle.py",
    "timed/torrent-flat.py",
    "timed/torrent.py",
    // Large ones.
    "inp/amt.py",
    "inp/amtball.py",
    "inp/beam.py",
    "inp/bridge.py",
    "inp/cores/simple-quarter.py",
    "inp/fuel-brick-drop.py",
    "inp/fuel-brick-flex.py",
    "inp/hopper.py",
    "inp/joli-feng.py",
    "inp/largeslip.py",
    "inp/rocks.py",
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
];
const LARGE: usize = 22;

/// Decks that want more, and the word that their message has.
const WANT: [(&str, &str); 4] = [
    ("inp/brick-crack.py", "SIMPLIFIED_CRACK: is a command of Solfec 1.0"),
    ("inp/modal.py", "MODAL_ANALYSIS: is a command of Solfec 1.0"),
    ("inp/crack.py", "SIMPLIFIED_CRACK: is a command of Solfec 1.0"),
    ("inp/cores/simple-small.py", "SIMPLIFIED_CRACK: is a command of Solfec 1.0"),
];

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
    let count = if std::env::var_os("SF_LARGE").is_some() { RUN.len() } else { RUN.len() - LARGE };
    for deck in &RUN[..count] {
        done(&folder, &format!("rm -rf results trace.csv; {}", ten_steps(deck)));
        let steps = folder.read("trace.csv").lines().count() - 1;
        assert!(steps >= 10, "{deck}: {steps} steps");
    }
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
