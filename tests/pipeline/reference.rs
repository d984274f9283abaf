//! The workflows against closed forms and against what Solfec-1.0 computed.

use super::common::*;
use tools_testing::data::sets;
use tools_testing::size::large;

fn workflow(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("workflows").join(name).join("deck.py");
    path.display().to_string()
}

/// The tables to compare with: our own, and that of Solfec-1.0.
fn reference(path: &str) -> Vec<Table> {
    let read = |path| Table::parse(&std::fs::read_to_string(path).expect("reference data is readable"));
    sets(&format!("reference/{path}")).into_iter().map(read).collect()
}

/// Linear interpolation of a column in time.
fn at(times: &[f64], values: &[f64], t: f64) -> f64 {
    let k = times.partition_point(|&s| s < t).clamp(1, times.len() - 1);
    let w = (t - times[k - 1]) / (times[k] - times[k - 1]);
    values[k - 1] + w * (values[k] - values[k - 1])
}

/// The three dashpots of the manual: kinetic energy over time as the original has it, while the same step is used.
#[test]
fn ball_impact() {
    let folder = Scratch::new();
    done(&folder, &format!("sf-build '{}' | sf-run -q -o out -", workflow("ball-impact")));
    for run in 1..=3 {
        let ours = Table::parse(&done(
            &folder,
            &format!("sf-history out --domain {} KINETIC 'CZ=CZ@label:BALL(0,0,1)'", run - 1),
        ));
        for theirs in reference(&format!("tutorial-ball-impact/sphere-impact-{run}.csv")) {
            let (t, k) = (ours.column("time"), ours.column("KINETIC"));
            let largest = k.iter().copied().fold(0.0, f64::max);
            for (time, kinetic) in theirs.column("time").into_iter().zip(theirs.column("kinetic")) {
                if time <= 2.0 {
                    let error = (at(&t, &k, time) - kinetic).abs() / largest;
                    assert!(error < 1e-6, "run {run}: kinetic energy at {time} differs by {error:e} of its maximum");
                }
            }
        }
    }
}

/// Before the sphere comes down the stack rests, and its energies are those of the original; the bricks stay put.
#[test]
fn three_basic_objects() {
    let folder = Scratch::new();
    done(&folder, &format!("sf-build '{}' | sf-run -q -o out -", workflow("three-basic-objects")));
    let items = "KINETIC BX=CX@label:BRICKS(0,0,1) BZ=CZ@label:BRICKS(0,0,1) SZ=CZ@label:BALL(0,0,5)";
    let items = items.split(' ').map(|i| format!("'{i}'")).collect::<Vec<_>>().join(" ");
    let ours = Table::parse(&done(&folder, &format!("sf-history out {items}")));
    let (t, z) = (ours.column("time"), ours.column("BZ"));
    assert!((t.last().expect("frames") - 1.0).abs() < 2e-3, "the run ends at 1 s");
    assert!((z.last().expect("frames") - 1.0).abs() < 1e-4, "the bricks rest at 1 m");
    assert!(ours.column("BX").last().expect("frames").abs() < 1e-2, "the bricks stay in place");
    for theirs in reference("tutorial-three-basic/three-basic-geometric-objects.csv") {
        let k = ours.column("KINETIC");
        for (time, kinetic) in theirs.column("time").into_iter().zip(theirs.column("kinetic")) {
            // The sphere touches the inclined top at 0.038 s; until then it falls freely.
            if (0.002..0.034).contains(&time) {
                let error = (at(&t, &k, time) / kinetic - 1.0).abs();
                assert!(error < 1e-3, "kinetic energy at {time} differs by {error:e}");
            }
        }
    }
}

/// The end of the collapse with reactions that have converged; tests/data/make.py says how it was made.
fn converged() -> Table {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("tests/data/reference/arch/arch-0.1094-converged.csv");
    Table::parse(&std::fs::read_to_string(path).expect("reference data is readable"))
}

/// With one contact point for a pair of elements the arch stands at a thickness ratio of 0.1095 and collapses at
/// 0.1094, as the original found.
#[test]
fn masonry_arch() {
    let folder = Scratch::new();
    // The solver of the original, whose errors are part of the comparison.
    let deck = std::fs::read_to_string(workflow("masonry-arch")).expect("the deck");
    assert!(deck.contains("'AUTO'"), "the deck names its solver");
    folder.write("arch.py", &deck.replace("'AUTO'", "GAUSS_SEIDEL_SOLVER(1E-4, 10000)"));
    for (ratio, stands) in [("0.1095", true), ("0.1094", false)] {
        done(&folder, &format!("sf-build --set points=1 arch.py -- {ratio} | sf-run -q -o out-{ratio} -"));
        let ours = Table::parse(&done(&folder, &format!("sf-history out-{ratio} KINETIC CONS")));
        let kinetic = *ours.column("KINETIC").last().expect("frames");
        if stands {
            assert!(kinetic < 1e-4, "ratio {ratio}: kinetic energy {kinetic:e} J at the end");
        } else {
            assert!(kinetic > 1e-3, "ratio {ratio}: kinetic energy {kinetic:e} J at the end");
            let growth = |table: &Table, kinetic: &str, from: f64| {
                let (t, k) = (table.column("time"), table.column(kinetic));
                at(&t, &k, 0.75) / at(&t, &k, from)
            };
            for theirs in reference("arch/arch-0.1094.csv") {
                // The hinges form a little later here, since the original swells contacts; the mechanism then is the
                // same.
                let ratio = growth(&ours, "KINETIC", 0.33) / growth(&theirs, "kinetic", 0.33);
                assert!((ratio - 1.0).abs() < 0.1, "the collapse grows {ratio} times as much as the original's");
            }
            // Errors of the reactions shake the arch until its hinges have formed; then the mechanism is the same.
            let ratio = growth(&ours, "KINETIC", 0.6) / growth(&converged(), "kinetic", 0.6);
            assert!((ratio - 1.0).abs() < 0.05, "the collapse grows {ratio} times as much as with converged reactions");
        }
    }
}

/// Contact points, normals, areas and gaps of the block stack at the first step, matched by place.
#[test]
fn block_stack_contacts() {
    let folder = Scratch::new();
    done(
        &folder,
        &format!(
            "sf-build --set points=1 '{}' | sf-run -q -o out/block-stack --output-interval 0 --steps 1 -",
            workflow("block-stack")
        ),
    );
    for theirs in reference("cubes-rigid-gs/cubes_4_RIGID-constraints-t0.001.csv") {
        let program = "
import h5py
with h5py.File('out/block-stack/block-stack.sfr.h5') as f:
    c = f['domains/0/con']
    print('px,py,pz,nx,ny,nz,area,gap')
    for i in range(len(c['gap'])):
        row = list(c['point'][i]) + list(c['normal'][i]) + [c['area'][i], c['gap'][i]]
        print(','.join(repr(float(x)) for x in row))
";
        let Some(text) = python(&folder, "h5py", program) else { return };
        let ours = Table::parse(&text);
        let names = ["px", "py", "pz", "nx", "ny", "nz", "area", "gap"];
        let rows = |table: &Table| -> Vec<Vec<f64>> {
            let columns: Vec<Vec<f64>> = names.iter().map(|n| table.column(n)).collect();
            (0..table.rows.len()).map(|i| columns.iter().map(|c| c[i]).collect()).collect()
        };
        let (ours, theirs) = (rows(&ours), rows(&theirs));
        assert_eq!(ours.len(), theirs.len(), "number of contacts");
        for expected in &theirs {
            let near = |row: &&Vec<f64>| (0..3).all(|k| (row[k] - expected[k]).abs() < 1e-5);
            let found = ours.iter().find(near).unwrap_or_else(|| panic!("no contact at {:?}", &expected[..3]));
            // The original swells overlaps by its epsilon of 1e-6 and names master and slave by chance.
            let along: f64 = (3..6).map(|k| found[k] * expected[k]).sum();
            assert!((along.abs() - 1.0).abs() < 1e-9, "normal at {:?}: {:?}", &expected[..3], &found[3..6]);
            assert!(
                (found[6] - expected[6]).abs() < 1e-5,
                "area at {:?}: {} for {}",
                &expected[..3],
                found[6],
                expected[6]
            );
            assert!(
                (found[7] - expected[7]).abs() < 1e-6,
                "gap at {:?}: {} for {}",
                &expected[..3],
                found[7],
                expected[7]
            );
        }
    }
}

/// Thirty steps of the bridge of Solfec-1.0, whose own sweeps are 41 and 43 a step; with SF_LARGE=1 only.
#[test]
fn the_bridge_needs_the_sweeps_of_a_sequential_order() {
    if !large() {
        return;
    }
    for path in sets("decks/inp/bridge.py") {
        let deck = std::fs::read_to_string(path).expect("the deck is readable");
        let short = deck.replace("RUN (solfec, gs, 10000 * step)", "RUN (solfec, gs, 30 * step)");
        assert_ne!(deck, short);
        for reverse in ["ON", "OFF"] {
            let folder = Scratch::new();
            folder.write("deck.py", &short.replace("gs.reverse = 'ON'", &format!("gs.reverse = '{reverse}'")));
            done(&folder, "sf-run -q -o out deck.py");
            let sweeps = Table::parse(&done(&folder, "sf-history out --per-step ITERS")).column("ITERS");
            let mean = sweeps.iter().sum::<f64>() / sweeps.len() as f64;
            assert!(sweeps.len() == 30 && mean <= 47.0, "reverse {reverse}: {mean} sweeps a step");
            let work = Table::parse(&done(&folder, "sf-history out CONTACT")).column("CONTACT");
            assert!(work.last().is_some_and(|work| work.abs() < 60.0), "reverse {reverse}: work of contacts {work:?}");
        }
    }
}
