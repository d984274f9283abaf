//! FCLIB files: what is written is read back bit for bit; what is broken is refused.

use std::path::Path;

use solfec::dynamics::{Assembled, BlockSparse, Delassus};
use solfec::math::{Mat3, Vec3};
use solfec::model::{Analysis, BlockSolver, GaussSeidel};
use solfec::solver::{gauss_seidel, Compliance, Conditions, Law, Unknowns, Workspace};
use solfec::solver::{LocalDynamics, LocalRow};
use solfec_formats::fclib::{export, read, write, write_problem, write_solution, Raw, Solution, Source};

use super::sample::chain;
use tools_testing::scratch::Scratch;

const RUNS: [&str; 1] = ["{}"];

fn runs() -> Vec<String> {
    RUNS.map(String::from).to_vec()
}

/// Solves a step with its own laws by Gauss–Seidel to roundoff.
pub fn solved(mut step: LocalDynamics) -> LocalDynamics {
    let mut op = Assembled::new(step.w.clone(), step.free.clone(), step.previous.clone()).unwrap();
    let laws: Vec<Law> = step.rows.iter().map(|row| row.law).collect();
    let mut settings = GaussSeidel::new(1e-15, 20000);
    settings.diagsolver = BlockSolver::Enumerative;
    let conditions = Conditions { h: step.h, analysis: step.analysis, energy: step.energy };
    step.r.fill(Vec3::zeros());
    let unknowns = Unknowns { r: &mut step.r, u: &mut step.u, merit: &mut step.merit };
    gauss_seidel(&mut Workspace::new(), &mut op, &laws, &settings, conditions, unknowns);
    step
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// A sliding contact, exported.
#[test]
fn a_slipping_contact_exported() {
    let block = Mat3::new(2.0, 0.2, 0.5, 0.2, 2.0, 0.1, 0.5, 0.1, 1.0);
    let law = Law::Coulomb { friction: 0.3, restitution: 0.0, cohesion: 0.0, closing: 0.0 };
    let step = solved(LocalDynamics {
        h: 1.0,
        time: 1.0,
        analysis: Analysis::Dynamic,
        energy: 0.0,
        rows: vec![LocalRow {
            id: 1,
            kind: 0,
            master: 2,
            slave: Some(1),
            point: Vec3::zeros(),
            base: Mat3::identity(),
            law,
            name: String::new(),
        }],
        w: BlockSparse { row_offset: vec![0, 1], column: vec![0], block: vec![block] },
        free: vec![Vec3::new(1.0, 0.5, -2.0)],
        previous: vec![Vec3::zeros()],
        u: vec![Vec3::zeros()],
        r: vec![Vec3::zeros()],
        merit: vec![0.0],
    });
    let scratch = Scratch::new();
    let path = scratch.path("acc.hdf5");
    write(&path, &step, &runs()).unwrap();
    let source = Source::open(&path).unwrap();
    let raw = source.raw().unwrap();
    assert_eq!(raw.q, [-2.0, 0.5, 1.0]);
    assert_eq!(raw.mu, [0.3]);
    assert_eq!(raw.w.value, [1.0, 0.1, 0.5, 0.1, 2.0, 0.2, 0.5, 0.2, 2.0]);
    let solution = source.solution(&raw).unwrap().unwrap();
    for (found, wanted) in solution.r.iter().zip([2.359976203502, -0.190876769720, -0.681777053061]) {
        assert!((found - wanted).abs() < 1e-12, "{:?}", solution.r);
    }
    assert!(raw.residual(&solution.r, &[]).err_siconos < 1e-15);
    // Round trip.
    assert_eq!(source.step().unwrap().unwrap(), step);
    let problem = source.problem(&raw).unwrap();
    assert_eq!((problem.w, problem.q), (step.w.clone(), step.free.clone()));
    let again = scratch.path("again.hdf5");
    write(&again, &source.step().unwrap().unwrap(), &runs()).unwrap();
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&path).unwrap());
}

#[test]
fn steps_go_round_bit_for_bit() {
    let scratch = Scratch::new();
    for (joints, name) in [(false, "a.h5"), (true, "b.h5")] {
        let step = chain(9, joints);
        let path = scratch.path(name);
        write(&path, &step, &runs()).unwrap();
        let source = Source::open(&path).unwrap();
        let found = source.step().unwrap().unwrap();
        assert_eq!(found, step);
        for (a, b) in [(&found.free, &step.free), (&found.r, &step.r), (&found.previous, &step.previous)] {
            assert!(a.iter().zip(b).all(|(a, b)| bits(a.as_slice()) == bits(b.as_slice())));
        }
        let (raw, solution) = export(&step).unwrap();
        let read = source.raw().unwrap();
        assert_eq!(read, raw);
        assert_eq!((bits(&read.w.value), bits(&read.q)), (bits(&raw.w.value), bits(&raw.q)));
        assert_eq!(source.solution(&raw).unwrap().unwrap(), solution);
        assert_eq!(raw.equality.is_some(), joints);
        // The same problem from a pipe.
        let piped = Source::memory(std::fs::read(&path).unwrap(), "standard input").unwrap();
        assert_eq!(piped.raw().unwrap(), raw);
    }
}

/// Restitution and cohesion in `q`, prescribed velocities as the equality part: the solution of the step solves the
/// file.
#[test]
fn a_solved_step_solves_its_file() {
    for joints in [false, true] {
        let step = solved(chain(9, joints));
        let (raw, solution) = export(&step).unwrap();
        let residual = raw.residual(&solution.r, &solution.l);
        assert!(residual.err_siconos < 1e-11, "{residual:?}");
        assert!(solution.r.iter().any(|r| *r != 0.0));
        // And the file, solved by itself, gives the velocities of the step.
        let scratch = Scratch::new();
        let path = scratch.path("step.h5");
        write(&path, &step, &runs()).unwrap();
        let problem = read(&path).unwrap();
        let mut op = problem.operator().unwrap();
        let laws = problem.laws();
        let zeros = vec![Vec3::zeros(); laws.len()];
        let (mut r, mut u, mut merit) = (zeros.clone(), zeros.clone(), vec![0.0; laws.len()]);
        let conditions = Conditions { h: 1.0, analysis: Analysis::Dynamic, energy: 0.0 };
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut merit };
        gauss_seidel(&mut Workspace::new(), &mut op, &laws, &GaussSeidel::new(1e-14, 20000), conditions, unknowns);
        assert_eq!(op.len(), step.rows.len());
        let found = problem.solution(&raw, &r);
        assert!(raw.residual(&found.r, &found.l).err_siconos < 1e-11);
        let miss = found.u.iter().zip(&solution.u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(miss < 1e-10, "{miss:e}");
    }
}

#[test]
fn what_is_not_linear_is_refused_by_name() {
    let scratch = Scratch::new();
    let path = scratch.path("no.h5");
    let spring = Compliance { gap: 0.0, spring: 1e6, dashpot: 0.0, hpow: 1.0, friction: 0.1, cohesion: 0.0 };
    let mut step = chain(4, false);
    step.rows[1].law = Law::SpringDashpot(spring);
    let text = write(&path, &step, &runs()).unwrap_err().to_string();
    for part in ["no.h5", "CONTACT 2", "bodies 3 and 2", "deck.py:2", "a spring and dashpot is no law of FCLIB"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!path.exists());
    step.rows.pop();
    let text = write(&path, &step, &runs()).unwrap_err().to_string();
    assert!(text.contains("2 rows"), "{text}");
}

#[test]
fn solutions_are_written_back() {
    let scratch = Scratch::new();
    let (from, to) = (scratch.path("from.h5"), scratch.path("to.h5"));
    let step = chain(5, true);
    write(&from, &step, &runs()).unwrap();
    let source = Source::open(&from).unwrap();
    let raw = source.raw().unwrap();
    let mut solution = source.solution(&raw).unwrap().unwrap();
    solution.r[0] = 0.1 + 0.2;
    write_solution(&from, &to, &solution).unwrap();
    let written = Source::open(&to).unwrap();
    assert_eq!(written.solution(&raw).unwrap().unwrap(), solution);
    let found = written.step().unwrap().unwrap();
    let (r, u, merit) = (step.r.clone(), step.u.clone(), step.merit.clone());
    assert_eq!(LocalDynamics { r, u, merit, ..found }, step, "the rest is kept");
    assert_ne!(source.solution(&raw).unwrap().unwrap(), solution, "the input is not touched");
    drop(source);
    write_solution(&from, &from, &solution).unwrap();
    assert_eq!(Source::open(&from).unwrap().solution(&raw).unwrap().unwrap(), solution);
    assert!(!scratch.path("from.h5.part").exists());
    let plain = scratch.path("plain.h5");
    write_problem(&plain, &raw, &solution).unwrap();
    let plain = Source::open(&plain).unwrap();
    assert_eq!((plain.raw().unwrap(), plain.step().unwrap()), (raw, None));
}

/// A solved step, from which `/solfec` of a copy with another solution differs as `/solution` does; with its own
/// solution the step is what it was.
#[test]
fn the_step_of_a_dump_tells_of_the_solution_that_is_written() {
    let scratch = Scratch::new();
    let (from, to) = (scratch.path("from.h5"), scratch.path("to.h5"));
    for joints in [false, true] {
        let step = solved(chain(9, joints));
        write(&from, &step, &runs()).unwrap();
        let (raw, mut solution) = export(&step).unwrap();
        let written = |solution: &Solution| {
            write_solution(&from, &to, solution).unwrap();
            Source::open(&to).unwrap().step().unwrap().unwrap()
        };
        let same = written(&solution);
        for (found, wanted) in same.r.iter().chain(&same.u).zip(step.r.iter().chain(&step.u)) {
            assert!((found - wanted).norm() < 1e-12, "{found} {wanted}");
        }
        assert!(same.merit.iter().all(|part| part.abs() < 1e-20), "{:?}", same.merit);
        solution.r[3] += 0.5;
        solution.u = raw.velocity(&solution.r, &solution.l);
        let other = written(&solution);
        let told = export(&other).unwrap().1;
        let pairs = [(&told.r, &solution.r), (&told.u, &solution.u), (&told.l, &solution.l)];
        for (found, wanted) in pairs.iter().flat_map(|(a, b)| a.iter().zip(b.iter())) {
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        let velocities = (0..other.rows.len()).map(|i| other.free[i] + other.w.row_product(i, &other.r));
        assert!(velocities.zip(&other.u).all(|(u, found)| (u - found).norm() < 1e-12));
        assert!(other.merit.iter().sum::<f64>() > 1e-6, "{:?}", other.merit);
    }
}

/// A small problem in a file that `change` has broken.
fn broken(scratch: &Scratch, change: impl FnOnce(&hdf5::File)) -> String {
    let path = scratch.path("broken.h5");
    write(&path, &chain(4, true), &runs()).unwrap();
    let file = solfec_formats::open_options().open_rw(&path).unwrap();
    change(&file);
    file.close().unwrap();
    message(&path)
}

fn message(path: &Path) -> String {
    let source = Source::open(path);
    let read = source.and_then(|s| s.raw().and_then(|raw| s.problem(&raw)));
    read.err().map(|e| e.to_string()).unwrap_or_default()
}

fn set<T: hdf5::H5Type>(file: &hdf5::File, path: &str, values: &[T]) {
    if file.link_exists(path) {
        file.unlink(path).unwrap();
    }
    file.new_dataset::<T>().shape(values.len()).create(path).unwrap().write_raw(values).unwrap();
}

fn get<T: hdf5::H5Type>(file: &hdf5::File, path: &str) -> Vec<T> {
    file.dataset(path).unwrap().read_raw().unwrap()
}

#[test]
fn malformed_files_are_refused_with_place_and_remedy() {
    type Change = Box<dyn FnOnce(&hdf5::File)>;
    let change = |path: &'static str, values: &'static [f64]| -> Change { Box::new(move |f| set(f, path, values)) };
    let int = |path: &'static str, values: &'static [i32]| -> Change { Box::new(move |f| set(f, path, values)) };
    let gone = |path: &'static str| -> Change { Box::new(move |f| f.unlink(path).unwrap()) };
    let entry = |path: &'static str, at: usize, value: i32| -> Change {
        Box::new(move |f| {
            let mut all = get::<i32>(f, path);
            all[at] = value;
            set(f, path, &all);
        })
    };
    let number = |path: &'static str, at: usize, value: f64| -> Change {
        Box::new(move |f| {
            let mut all = get::<f64>(f, path);
            all[at] = value;
            set(f, path, &all);
        })
    };
    let cases: Vec<(Change, &str)> = vec![
        (gone("fclib_local"), "not an FCLIB problem"),
        (gone("fclib_local/W"), "/fclib_local/W: missing matrix"),
        (gone("fclib_local/W/x"), "/fclib_local/W/x: missing dataset"),
        (gone("fclib_local/vectors/q"), "/fclib_local/vectors/q: missing dataset"),
        (gone("fclib_local/vectors/mu"), "/fclib_local/vectors/mu: missing dataset"),
        (gone("fclib_local/V"), "an equality part needs V, R and vectors/s"),
        (gone("fclib_local/vectors/s"), "an equality part needs V, R and vectors/s"),
        (int("fclib_local/spacedim", &[2]), "a problem in two dimensions; only three"),
        (int("fclib_local/spacedim", &[7]), "/fclib_local/spacedim: 7, but 3 is wanted"),
        (int("fclib_local/spacedim", &[3, 3]), "2 numbers, but one is wanted"),
        (int("fclib_local/W/nz", &[-3]), "/fclib_local/W/nz: -3, but -2, -1 or a count"),
        (int("fclib_local/W/nz", &[1000]), "nz is 1000, but i, p, x have"),
        (int("fclib_local/W/m", &[-9]), "-9 is no size"),
        (int("fclib_local/W/m", &[12]), "12 x 9, but 9 x 9 is wanted"),
        (entry("fclib_local/W/i", 5, 9), "/fclib_local/W/i: entry 5 is 9; an index from 0 less than 9"),
        (entry("fclib_local/W/i", 5, -1), "/fclib_local/W/i: entry 5 is -1"),
        (entry("fclib_local/W/p", 0, 1), "pointers must begin with 0 and never descend"),
        (entry("fclib_local/W/p", 3, 0), "pointers must begin with 0 and never descend"),
        (entry("fclib_local/W/p", 9, 10000), "pointers end at 10000"),
        (number("fclib_local/W/x", 3, f64::NAN), "/fclib_local/W/x: entry 3 is NaN"),
        (number("fclib_local/vectors/q", 1, f64::INFINITY), "/fclib_local/vectors/q: entry 1 is inf"),
        (number("fclib_local/vectors/mu", 2, -0.1), "friction of contact 2 is -0.1; it must be >= 0"),
        (number("fclib_local/vectors/mu", 2, f64::NAN), "/fclib_local/vectors/mu: entry 2 is NaN"),
        (change("fclib_local/vectors/mu", &[0.1]), "/fclib_local/vectors/mu: 1 numbers, but 3 are wanted"),
        (change("fclib_local/vectors/q", &[0.1, 0.2, 0.3, 0.4]), "not a multiple of 3"),
        (gone("solfec/kind"), "/solfec/kind: missing dataset"),
        (change("solfec/merit", &[0.1]), "B, V, U, R and merit have"),
    ];
    let scratch = Scratch::new();
    for (change, wanted) in cases {
        let text = broken(&scratch, change);
        assert!(text.contains(wanted) && text.contains("broken.h5"), "wanted '{wanted}', found '{text}'");
    }
}

/// The three ways to store a matrix hold the same problem.
#[test]
fn triplets_and_columns_are_read() {
    let scratch = Scratch::new();
    let path = scratch.path("same.h5");
    let step = chain(4, false);
    write(&path, &step, &runs()).unwrap();
    let raw = Raw::read(&path).unwrap();
    let entries: Vec<(usize, usize, f64)> = raw.w.entries().collect();
    let int = |n: usize| n as i32;
    let store = |nz: i32, p: Vec<i32>, i: Vec<i32>, x: Vec<f64>| {
        let file = solfec_formats::open_options().open_rw(&path).unwrap();
        set(&file, "fclib_local/W/nz", &[nz]);
        set(&file, "fclib_local/W/p", &p);
        set(&file, "fclib_local/W/i", &i);
        set(&file, "fclib_local/W/x", &x);
        file.close().unwrap();
    };
    // Triplets, backwards, the first entry in two halves.
    let mut triplets: Vec<(usize, usize, f64)> = entries.iter().rev().copied().collect();
    triplets[0].2 *= 0.5;
    triplets.push(triplets[0]);
    let column = |k: fn(&(usize, usize, f64)) -> usize| triplets.iter().map(|t| int(k(t))).collect::<Vec<_>>();
    store(int(triplets.len()), column(|t| t.1), column(|t| t.0), triplets.iter().map(|t| t.2).collect());
    assert_eq!(Raw::read(&path).unwrap(), raw);
    // Columns, rows in them backwards.
    let mut by_column = entries.clone();
    by_column.sort_by_key(|&(i, j, _)| (j, std::cmp::Reverse(i)));
    let p = (0..=9).map(|j| int(by_column.iter().filter(|t| t.1 < j).count())).collect();
    store(-1, p, by_column.iter().map(|t| int(t.0)).collect(), by_column.iter().map(|t| t.2).collect());
    assert_eq!(Raw::read(&path).unwrap(), raw);
}

/// Rows of an equality part that nothing answers to are refused by the solver, not by the reader.
#[test]
fn an_equality_part_needs_a_diagonal() {
    let (mut raw, _) = export(&chain(4, true)).unwrap();
    if let Some(e) = &mut raw.equality {
        e.r.value.fill(0.0);
    }
    let scratch = Scratch::new();
    let path = scratch.path("saddle.h5");
    write_problem(&path, &raw, &Solution { r: vec![0.0; 9], u: vec![0.0; 9], l: Vec::new() }).unwrap();
    let text = read(&path).unwrap().operator().unwrap_err().to_string();
    assert!(text.contains("not supported"), "{text}");
}
