use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::sample;
use solfec::body::GeneralBody;
use solfec::domain::{Cuts, PlaneColumns};
use solfec::frame::{Event, EventKind, SolverStatistics, WarningRows};
use solfec::ids::CatalogueRow;
use solfec::math::{Mat3, Vec3};
use solfec::model::*;
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::*;
use solfec_formats::checkpoint::{latest, read, write, Checkpoint};

/// `N` numbers for each of `n` rows, among them those that texts and careless code lose.
fn numbers<const N: usize>(n: usize, salt: f64) -> Vec<[f64; N]> {
    let odd = [-0.0, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, 1.0 / 3.0];
    let number = |k: usize| if k % 7 == 3 { odd[k / 7 % odd.len()] } else { (k as f64 + salt).sin() };
    (0..n).map(|row| std::array::from_fn(|i| number(row * N + i))).collect()
}

fn column(n: usize, salt: f64) -> Vec<f64> {
    numbers::<1>(n, salt).into_iter().map(|[x]| x).collect()
}

fn state(contacts: usize) -> State {
    let (n, p, c, t) = (3, 2, contacts, 4);
    State {
        clock: Clock { reference: 0.1 + 0.2, steps: 41, h: 1.0 / 3.0, now: 0.7, legacy: false },
        last_h: 1e-3,
        longest_h: 2e-3,
        warned_step: 5e-4,
        output: Schedule { reference: 0.1, interval: 0.3, next: u64::MAX, next_legacy: 0.4 },
        callback: Some(Schedule { reference: -0.0, interval: 0.0, next: 0, next_legacy: f64::INFINITY }),
        steps: 420,
        frames: 7,
        frame_step: None,
        runs: 2,
        next_constraint: u64::MAX - 1,
        memory: solfec::solver::Memory::of([120.0, 40.5, 0.0, 2.0, 5.0, 16.0, 1e-2, 1000.0, 12.0]),
        cuts: Cuts::of(3, &PlaneColumns { axis: (0..8).map(|k| k % 3).collect(), at: column(8, 0.15) }),
        statistics: SolverStatistics { iterations: 12.0, merit: f64::NAN, error: 1e-9 },
        rigid: RigidColumns {
            id: vec![1, 2, 1 << 40],
            x: numbers(n, 0.1),
            rot: numbers(n, 0.2),
            v: numbers(n, 0.3),
            omega: numbers(n, 0.4),
            work: numbers(n, 0.5),
        },
        pseudo: PseudoColumns {
            id: vec![3, 4],
            x: numbers(p, 0.6),
            f: numbers(p, 0.7),
            v: numbers(p, 0.8),
            fdot: numbers(p, 0.9),
            work: numbers(p, 1.0),
        },
        general: general(),
        contacts: ContactColumns {
            bodies: (0..c as u64).map(|k| [1 + k / 9, 1 << 40]).collect(),
            objects: (0..c as u32).map(|k| [k % 9, u32::MAX]).collect(),
            feature: (0..c as u32).map(|k| k % 2).collect(),
            id: (0..c as u64).collect(),
            slave: (0..c).map(|k| (k % 2) as u8).collect(),
            master_point: numbers(c, 1.1),
            slave_point: numbers(c, 1.2),
            master_reference: numbers(c, 1.3),
            slave_reference: numbers(c, 1.4),
            surf: (0..c as i32).map(|k| [-k, i32::MAX]).collect(),
            base: numbers(c, 1.5),
            gap: column(c, 1.6),
            area: column(c, 1.7),
            points: (0..c as u32).map(|k| 1 + k % 4).collect(),
            material: (0..c as u32).collect(),
            cohesion: column(c, 1.8),
            r: numbers(c, 1.9),
            u: numbers(c, 2.0),
            v: numbers(c, 2.1),
            merit: column(c, 2.2),
            stale: (0..c).map(|k| u8::from(k % 3 == 0)).collect(),
        },
        constraints: ConstraintColumns {
            row: vec![0, 1, 5, 9],
            id: vec![1, 2, 77, 1 << 60],
            kind: vec![1, 5, 6, 3],
            born: column(t, 2.3),
            master_point: numbers(t, 2.4),
            slave_point: numbers(t, 2.5),
            master_reference: numbers(t, 2.6),
            slave_reference: numbers(t, 2.7),
            base: numbers(t, 2.8),
            origin: numbers(t, 2.9),
            lag: numbers(t, 3.05),
            correction: numbers(t, 3.0),
            moved: numbers(t, 3.1),
            fresh: vec![1, 0, 0, 1],
            r: numbers(t, 3.2),
            u: numbers(t, 3.3),
            v: numbers(t, 3.4),
            merit: column(t, 3.5),
            prescribed: numbers(t, 3.6),
            memory: numbers(t, 3.7),
        },
        events: vec![
            Event { time: 0.25, kind: EventKind::LinkBroken, body: CatalogueRow(1), parent: CatalogueRow::NONE },
            Event { time: 0.5, kind: EventKind::Born, body: CatalogueRow(2), parent: CatalogueRow(0) },
        ],
        warnings: WarningRows {
            kind: vec!["solver".into(), "spring".into()],
            count: vec![3, 1 << 40],
            time: vec![0.1, 0.2],
            worst: vec![1.0 / 3.0, -0.0],
            worst_time: vec![0.3, 0.2],
            text: vec!["body 1 'Å'".into(), String::new()],
        },
    }
}

/// Bodies with different numbers of unknowns and velocities, one without any.
fn general() -> General {
    let mut all = General::default();
    for (id, unknowns, velocities) in
        [(5, &[0.1, 0.2, 0.3][..], &[1.0 / 3.0][..]), (6, &[], &[]), (9, &[-0.0], &[1e-300])]
    {
        all.push(GeneralBody { id, unknowns, velocities, work: [id as f64; 4] });
    }
    all
}

fn checkpoint(steps: u64) -> Checkpoint {
    Checkpoint {
        domain: 1,
        runs: 2,
        run_end: 0.1 + 0.7,
        done: true,
        program: 5,
        frames: vec![11, 7],
        steps: vec![100, steps],
        state: state(5),
    }
}

/// All numbers in full: equal texts are equal bits, NaN included.
fn shown(checkpoint: &Checkpoint) -> String {
    format!("{checkpoint:?}")
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir.join("checkpoints"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_state_comes_back_bit_for_bit() {
    let dir = sample::folder("checkpoint-round");
    let bare = Checkpoint {
        state: State {
            callback: None,
            frame_step: Some(419),
            rigid: RigidColumns::default(),
            pseudo: PseudoColumns::default(),
            general: General::default(),
            contacts: ContactColumns::default(),
            constraints: ConstraintColumns::default(),
            events: Vec::new(),
            warnings: WarningRows::default(),
            ..state(0)
        },
        ..checkpoint(320)
    };
    let many = Checkpoint { state: state(20_000), ..checkpoint(320) };
    for checkpoint in [checkpoint(320), bare, many] {
        let path = write(&dir, &checkpoint, 1).unwrap();
        assert!(path.ends_with("checkpoints/c000420.h5"), "{}", path.display());
        assert_eq!(shown(&read(&path).unwrap()), shown(&checkpoint));
        let (found, told) = latest(&dir).unwrap();
        assert_eq!((shown(&found.unwrap()), told), (shown(&checkpoint), Vec::new()));
    }
}

#[test]
fn the_newest_few_are_kept() {
    let dir = sample::folder("checkpoint-keep");
    let (none, told) = latest(&dir).unwrap();
    assert!(none.is_none() && told.is_empty());
    for steps in [5, 20, 1_000_000, 1_000_100] {
        write(&dir, &checkpoint(steps), 2).unwrap();
    }
    assert_eq!(names(&dir), ["c1000100.h5", "c1000200.h5"]);
    write(&dir, &checkpoint(1_000_200), 0).unwrap();
    assert_eq!(names(&dir), ["c1000300.h5"]);
    // After a fall back to an older one, a newer one that is damaged does not push others out.
    write(&dir, &checkpoint(7), 2).unwrap();
    assert_eq!(names(&dir), ["c000107.h5", "c1000300.h5"]);
}

#[test]
fn a_damaged_checkpoint_is_told_and_the_one_before_is_used() {
    let dir = sample::folder("checkpoint-damage");
    write(&dir, &checkpoint(10), 9).unwrap();
    let newest = write(&dir, &checkpoint(20), 9).unwrap();
    std::fs::write(dir.join("checkpoints/c000130.h5.part"), "half").unwrap();
    let bytes = std::fs::read(&newest).unwrap();
    let model = dir.join("m.sfm.h5");
    solfec_formats::model::write_file(&model, &sample::file()).unwrap();
    let falls_back = |what: &str, content: &[u8], expected: &str| {
        std::fs::write(&newest, content).unwrap();
        let (found, told) = latest(&dir).unwrap();
        assert_eq!(shown(&found.unwrap()), shown(&checkpoint(10)), "{what}");
        let [message] = &told[..] else { panic!("{what}: {told:?}") };
        assert!(message.contains("c000120.h5") && message.contains(expected), "{what}: {message}");
        assert!(message.contains("the checkpoint before is used"), "{message}");
    };
    for part in 1..20 {
        falls_back("cut", &bytes[..bytes.len() * part / 20], "damaged or cut short");
    }
    falls_back("empty", b"", "c000120.h5");
    falls_back("text", b"not even HDF5, but long enough to be looked at", "not an HDF5 file");
    falls_back("model", &std::fs::read(&model).unwrap(), "'solfec-checkpoint' is wanted");
    std::fs::remove_file(&newest).unwrap();
    let (found, told) = latest(&dir).unwrap();
    assert_eq!((found.unwrap().steps, told), (vec![100, 10], Vec::new()));
}

/// Whatever byte of a file changes, it is refused; of most the HDF5 library would take no notice, and some kill it.
#[test]
fn no_changed_byte_is_believed() {
    let dir = sample::folder("checkpoint-bytes");
    let path = write(&dir, &checkpoint(20), 1).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mut seed = 1u64;
    for place in (0..bytes.len()).step_by(bytes.len() / 1000).chain(bytes.len() - 80..bytes.len()) {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (seed >> 60 & 7);
        std::fs::write(&path, &changed).unwrap();
        assert!(read(&path).is_err(), "byte {place}");
    }
}

/// A cube of spheres that touch, `side` along an edge.
fn packing(side: usize) -> Model {
    let mut model = Model::new(Analysis::Dynamic, 1e-4, "out/packing");
    model.bulk.push(solfec::material::BulkMaterial {
        label: String::new(),
        young: 1e9,
        poisson: 0.25,
        density: 1000.0,
        tensile: f64::INFINITY,
        fracene: f64::INFINITY,
        varying: Default::default(),
    });
    model.surface[0].spring = 1e5;
    let sphere = Shape::new(Geometry::Sphere(Sphere::new(Vec3::zeros(), 0.5, 1, 1).unwrap()));
    let chars = characteristics(std::slice::from_ref(&sphere), 1000.0, BodyKind::Rigid).unwrap();
    model.library.push(Arc::clone(&sphere.geometry));
    for k in 0..side * side * side {
        let center = Vec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64) * 0.9999;
        model.shapes.push(ShapeRow { geometry: 0, rotation: Mat3::identity(), shift: center });
        model.bodies.push(BodyRow {
            id: k as u64 + 1,
            label: String::new(),
            kind: BodyKind::Rigid,
            form: Formulation::TotalLagrangian,
            base: None,
            enhanced: false,
            quadratic: false,
            samples: None,
            scheme: Scheme::Default,
            material: 0,
            volumes: Vec::new(),
            shapes: k as u32..k as u32 + 1,
            chars: Characteristics { center, ..chars },
            damping: 0.0,
            selfcontact: false,
            disable_rotation: false,
            conf: Vec::new(),
            velo: Vec::new(),
            line: 0,
        });
    }
    model
}

/// 1e5 spheres with 3e5 contacts are written, read and restored.
#[test]
fn a_hundred_thousand_spheres() {
    let dir = sample::folder("checkpoint-large");
    let model = packing(47);
    let mut simulation = Simulation::new(&model).unwrap();
    let solver = SolverSettings::Penalty(Penalty { variant: PenaltyVariant::Implicit });
    simulation.step(&solver).unwrap();
    let begun = Instant::now();
    let checkpoint = Checkpoint {
        domain: 0,
        runs: 1,
        run_end: 1.0,
        done: false,
        program: 1,
        frames: vec![1],
        steps: vec![1],
        state: simulation.state(),
    };
    let taken = begun.elapsed();
    assert!(checkpoint.state.contacts.id.len() > 300_000);
    let path = write(&dir, &checkpoint, 1).unwrap();
    let written = begun.elapsed();
    let found = read(&path).unwrap();
    let back = begun.elapsed();
    let restored = Simulation::restore(&model, &[], &found.state).unwrap();
    let whole = begun.elapsed();
    assert_eq!(found, checkpoint);
    assert_eq!(restored.state(), checkpoint.state);
    let megabytes = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    println!(
        "{} spheres, {} contacts: {megabytes:.1} MB; taken in {taken:.2?}, written in {:.2?}, read in {:.2?}, restored in {:.2?}",
        model.bodies.len(),
        checkpoint.state.contacts.id.len(),
        written - taken,
        back - written,
        whole - back,
    );
    assert!(megabytes < 200.0, "{megabytes} MB");
}

/// A checkpoint of 420 steps in this directory.
pub fn stored(dir: &Path) {
    write(dir, &checkpoint(320), 1).unwrap();
}
