//! The problems, and what Siconos did with them.

use std::error::Error;
use std::path::Path;

use solfec::dynamics::{Assembled, BlockSparse};
use solfec::math::{Mat3, Vec3};
use solfec::solver::Law;

use crate::{Curve, TOLERANCES};
use solfec_testing::scene::{stack, wall, Scene};

/// Contacts with Coulomb's law.
pub struct Problem {
    pub name: String,
    pub op: Assembled,
    pub laws: Vec<Law>,
    pub friction: Vec<f64>,
}

impl Problem {
    fn new(name: String, op: Assembled, friction: Vec<f64>) -> Self {
        let law = |&friction: &f64| Law::Coulomb { friction, restitution: 0.0, cohesion: 0.0, closing: 0.0 };
        Problem { name, op, laws: friction.iter().map(law).collect(), friction }
    }
}

/// All local problems of the folder, by name.
pub fn real(folder: &Path) -> Result<Vec<Problem>, Box<dyn Error>> {
    let mut problems = Vec::new();
    for entry in folder.join("local").read_dir()? {
        let path = entry?.path();
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let problem = solfec_formats::fclib::read(&path)?;
        problems.push(Problem::new(name, problem.operator()?, problem.mu));
    }
    problems.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(problems)
}

/// A generated set, used if there are no files.
pub fn generated() -> Result<Vec<Problem>, Box<dyn Error>> {
    let mut problems = Vec::new();
    for (contacts, columns) in [(5, 30), (30, 60), (100, 200), (100, 400)] {
        problems.push(random(contacts, columns, 0.5)?);
    }
    for height in [3, 10, 20, 40] {
        problems.push(of_scene(format!("stack-9-to-1-{height}"), &stack(height), 0.5));
    }
    for (length, rows) in [(2, 3), (4, 8), (8, 12)] {
        problems.push(of_scene(format!("wall-{length}x{rows}"), &wall(length, rows), 0.7));
    }
    for links in [10, 100, 1000] {
        problems.push(of_scene(format!("chain-{links}"), &chain(links), 0.3));
    }
    Ok(problems)
}

fn of_scene(name: String, scene: &Scene, friction: f64) -> Problem {
    Problem::new(name, scene.problem(), vec![friction; scene.points.len()])
}

/// A pile of particles; the uppermost is a hundred times as heavy and moves.
fn chain(links: usize) -> Scene {
    let mut scene = Scene::default();
    for k in 0..links {
        let place = Vec3::new(0.0, 0.0, k as f64);
        let body = scene.body(if k + 1 == links { 100.0 } else { 1.0 }, 0.0, place);
        scene.point(body, body.checked_sub(1), place, Vec3::z());
    }
    scene.bodies[links - 1].velocity = Vec3::new(1.0, 0.0, -1.0);
    scene
}

/// `W = H Hᵀ` with a random `H` of `columns` columns; the bodies approach each other.
fn random(contacts: usize, columns: usize, friction: f64) -> Result<Problem, Box<dyn Error>> {
    let mut seed = 7_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut vectors = |n: usize| -> Vec<Vec3> { (0..n).map(|_| Vec3::new(next(), next(), next())).collect() };
    let h: Vec<Vec<Vec3>> = (0..contacts).map(|_| vectors(columns)).collect();
    let block = |i: usize, j: usize| h[i].iter().zip(&h[j]).map(|(a, b)| a * b.transpose()).sum::<Mat3>();
    let rows: Vec<Vec<(u32, Mat3)>> =
        (0..contacts).map(|i| (i..contacts).map(|j| (j as u32, block(i, j))).collect()).collect();
    let free = vectors(contacts).iter().map(|v| v - Vec3::new(0.0, 0.0, 0.5)).collect();
    let op = Assembled::new(BlockSparse::from_upper(&rows), free, vec![Vec3::zeros(); contacts])?;
    Ok(Problem::new(format!("random-{contacts}-{columns}"), op, vec![friction; contacts]))
}

/// Times of Siconos for each tolerance: every setting that was run on all problems.
pub fn baseline(folder: &Path, problems: &[Problem]) -> Result<[Vec<Curve>; 2], Box<dyn Error>> {
    let mut out = [Vec::<Curve>::new(), Vec::new()];
    let mut runs = [Vec::new(), Vec::new()];
    for file in ["baseline.csv", "baseline_siconosrun.csv"] {
        let mut reader = csv::Reader::from_path(folder.join(file))?;
        let header = reader.headers()?.clone();
        let column = |name: &str| header.iter().position(|h| h == name).ok_or(format!("{file}: no column {name}"));
        let [problem, solver, tolerance] = [column("problem")?, column("solver")?, column("tol")?];
        let [time, status] = [column("cpu_s")?, column("status")?];
        for record in reader.records() {
            let record = record?;
            let Some(row) = problems.iter().position(|p| p.name == record[problem]) else { continue };
            let tolerance: f64 = record[tolerance].parse()?;
            let Some(goal) = TOLERANCES.iter().position(|t| *t == tolerance) else { continue };
            let curves = &mut out[goal];
            let at = curves.iter().position(|c| c.name == record[solver]).unwrap_or_else(|| {
                curves.push(Curve { name: record[solver].into(), ours: false, times: vec![None; problems.len()] });
                runs[goal].push(0);
                curves.len() - 1
            });
            runs[goal][at] += 1;
            if &record[status] == "solved" {
                curves[at].times[row] = Some(record[time].parse()?);
            }
        }
    }
    for (curves, runs) in out.iter_mut().zip(runs) {
        let mut whole = runs.iter().map(|n| *n == problems.len());
        curves.retain(|_| whole.next() == Some(true));
    }
    Ok(out)
}
