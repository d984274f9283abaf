//! Problems of FCLIB and our own: in our hands Siconos does what its own figures say, and it finds the velocities of
//! our Gauss–Seidel.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::*;
use tools_testing::data::sets;

use solfec::model::{BlockSolver, GaussSeidel};
use solfec::solver::{gauss_seidel, siconos_error, Status};
use solfec_formats::fclib;

/// The problems of this folder, by name.
fn problems() -> BTreeMap<String, PathBuf> {
    let inside = |folder: &PathBuf| std::fs::read_dir(folder).expect("a folder of problems");
    let paths =
        sets("fclib/local").iter().flat_map(inside).map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>();
    let stem = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths.into_iter().map(|path| (stem(&path), path)).collect()
}

/// Exit code and iterations of each problem by NSGS at 1e-4, as Siconos counts them.
fn baseline(text: &str) -> BTreeMap<&str, (bool, u32)> {
    let mut figures = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        if let [name, "NSGS", "0.0001", ..] = cells[..] {
            figures.insert(name, (cells[9] == "0", cells[10].parse().expect("a number of iterations")));
        }
    }
    figures
}

fn problem_of(file: &fclib::Problem) -> ContactProblem {
    let r = vec![Vec3::zeros(); file.q.len()];
    ContactProblem { w: file.w.clone(), q: file.q.clone(), friction: file.mu.clone(), r }
}

/// Solves a problem; Siconos must have solved it if `solved`, and must measure its error as we do.
fn iterations(siconos: &mut Running, name: &str, path: &Path, solved: bool) -> u32 {
    let file = fclib::read(path).expect("a good file");
    let solution = siconos.solve(&problem_of(&file)).expect("solved");
    assert_eq!(solution.converged, solved, "{name}");
    let mut u = file.q.clone();
    let error = siconos_error(&mut file.operator().expect("a good problem"), &file.mu, &solution.r, &mut u).relative;
    assert!(error <= 1e-4 || !solved, "{name}: {error:e}");
    let close = (error - solution.error).abs() <= 1e-6 * error + 1e-15;
    assert!(close, "{name}: Siconos says {:e}, it is {error:e}", solution.error);
    solution.iterations
}

#[test]
fn the_figures_of_siconos() {
    let Some(mut siconos) = start(Settings { max_iterations: 10000, ..Settings::default() }) else { return };
    let problems = problems();
    for name in OURS {
        iterations(&mut siconos, name, &problems[name], true);
    }
    for figures in sets("fclib/baseline.csv") {
        let text = std::fs::read_to_string(figures).expect("the baseline is readable");
        let mut met = 0;
        for (name, (solved, wanted)) in baseline(&text) {
            let Some(path) = problems.get(name) else { continue };
            met += 1;
            let found = iterations(&mut siconos, name, path, solved);
            assert!(found.abs_diff(wanted) <= 1 + wanted / 100, "{name}: {found} iterations, not {wanted}");
        }
        assert!(met > 40, "only {met} problems");
    }
}

/// Our own problems.
const OURS: [&str; 6] = ["Balls-condensed", "Column", "SlidingCube", "Stack-condensed", "StickingCube", "Wedge"];

/// Problems whose W is symmetric, which both solvers bring to 1e-10.
const SYMMETRIC: [&str; 8] = [
    "Box_Stacks-i0035-31-0-condensed",
    "Box_Stacks-i0122-82-5-condensed",
    "Confeti-ex03-Fc3D-SBM",
    "FC3D_Example1",
    "GFC3D_TwoRods1-condensed",
    "LMGC_100_PR_PerioBox-i00361-60-03000",
    "NESpheres_10_1",
    "NESpheres_30_1",
];

#[test]
fn velocities_of_our_gauss_seidel() {
    let Some(mut siconos) = start(Settings { tolerance: 1e-10, max_iterations: 10000, ..Settings::default() }) else {
        return;
    };
    let problems = problems();
    for (name, path) in SYMMETRIC.iter().chain(&OURS).filter_map(|name| problems.get_key_value(*name)) {
        let file = fclib::read(path).expect("a good file");
        let mut op = file.operator().expect("a good problem");
        let (_, theirs, report) = solve(&mut op, &file.laws(), &mut siconos);
        assert_eq!(report.status, Status::Converged, "{name}");

        let n = file.q.len();
        let (mut r, mut ours, mut merit) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
        let unknowns = Unknowns { r: &mut r, u: &mut ours, merit: &mut merit };
        let fine = GaussSeidel { diagsolver: BlockSolver::Enumerative, ..GaussSeidel::new(1e-12, 10000) };
        gauss_seidel(&mut Workspace::new(), &mut op, &file.laws(), &fine, STEP, unknowns);
        let miss = ours.iter().zip(&theirs).map(|(u, v)| (u - v).norm_squared()).sum::<f64>().sqrt();
        let size = file.q.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        assert!(miss <= 1e-8 * size, "{name}: velocities differ by {:e}", miss / size);
    }
}

/// Two of the files are in SI units, with reactions of thousands beside velocities of thousandths. As they are, Siconos
/// takes its first iterate for a solution; a step is passed on in a scale of its own.
#[test]
fn large_reactions_do_not_hide_errors() {
    let Some(mut siconos) = start(Settings::default()) else { return };
    let problems = problems();
    for name in ["Confeti-ex03-Fc3D-SBM", "LMGC_100_PR_PerioBox-i00361-60-03000"] {
        let Some(path) = problems.get(name) else { continue };
        let file = fclib::read(path).expect("a good file");
        let (mut op, mut u) = (file.operator().expect("a good problem"), file.q.clone());
        let as_it_is = siconos.solve(&problem_of(&file)).expect("solved");
        let raw = siconos_error(&mut op, &file.mu, &as_it_is.r, &mut u).over_q;
        let (r, _, report) = solve(&mut op, &file.laws(), &mut siconos);
        let scaled = siconos_error(&mut op, &file.mu, &r, &mut u).over_q;
        assert!(as_it_is.converged && raw > 0.2, "{name}: {raw:e}");
        assert!(report.status == Status::Converged && scaled < 1e-3, "{name}: {scaled:e}");
    }
}
