//! Our solvers on real contact problems: the local problems of data/fclib in the reference data beside the checkout, or
//! a generated set if there is none. Share solved to 1e-4 and 1e-8 and time, compared with Siconos; the picture is
//! docs/pictures/solver-profiles.png.
//!
//!     cargo bench --bench fclib                 # all
//!     cargo bench --bench fclib -- Capsules     # problems with this name; draws nothing
//!     cargo bench --bench fclib -- generated    # the generated set

mod plot;
mod set;
mod table;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use rustix::time::{clock_gettime, ClockId};
use solfec::dynamics::Delassus;
use solfec::math::Vec3;
use solfec::solver::{siconos_error, Goal};
use solfec_testing::problems::STEP;
use solfec_tools::locdyn::method::Method;

use plot::Panel;
use set::Problem;

/// Bounds on `err_siconos`.
const TOLERANCES: [f64; 2] = [1e-4, 1e-8];
const SOLVERS: [&str; 6] = ["GAUSS_SEIDEL", "NEWTON", "INTERIOR_POINT", "PROXIMAL_NEWTON", "ADMM", "AUTO"];
/// Of Siconos: the fastest, and those that solve most at 1e-8 and at 1e-4.
const RIVALS: [&str; 3] = ["NSGS", "PROX", "ADMM-BAL"];
/// Problems with more contacts than this are large.
const LARGE: usize = 20;
/// Most iterations: what `sf-locdyn-compare solve` takes, and the baseline.
const ITERATIONS: u32 = 10_000;
/// A solve that takes more CPU time [s] has failed, as in the baseline.
const LIMIT: f64 = 60.0;
/// Solves shorter than this [s] are repeated five times, as in the baseline, and for at least as long.
const SHORT: f64 = 0.05;
const REPEATS: usize = 5;

/// One solver on one problem to one tolerance.
pub struct Solve {
    /// CPU time [s].
    pub time: f64,
    /// `err_siconos`, computed anew from the reactions.
    pub error: f64,
    /// Which method AUTO ended with.
    pub method: &'static str,
    pub solved: bool,
}

/// Times of one solver at one tolerance by problem; `None` where it failed.
#[derive(Clone)]
pub struct Curve {
    pub name: String,
    pub ours: bool,
    pub times: Vec<Option<f64>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    // One thread, so that its clock measures all work.
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(|| bench().map_err(|e| e.to_string()))?;
    Ok(())
}

fn bench() -> Result<(), Box<dyn Error>> {
    let pick = std::env::args().skip(1).find(|a| !a.starts_with('-'));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared/data/fclib");
    let own = !shared.is_dir() || pick.as_deref() == Some("generated");
    let mut problems = if own { set::generated()? } else { set::real(&shared)? };
    problems.retain(|p| own || pick.as_ref().is_none_or(|word| p.name.contains(word.as_str())));
    let solves = solve_all(&problems)?;
    let baseline = if own { [vec![], vec![]] } else { set::baseline(&shared, &problems)? };
    let curves = [0, 1].map(|goal| curves(&solves, goal));
    table::print(&problems, &solves, &curves, &baseline);
    if pick.is_none() && !own {
        let path = root.join("docs/pictures/solver-profiles.png");
        std::fs::write(&path, plot::profiles(&panels(&problems, &curves, &baseline))?)?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

/// All problems and the large ones, at both tolerances.
fn panels(problems: &[Problem], curves: &[Vec<Curve>; 2], baseline: &[Vec<Curve>; 2]) -> Vec<Panel> {
    let mut panels = Vec::new();
    for (least, what) in [(0, "problems".into()), (LARGE, format!("with more than {LARGE} contacts"))] {
        let of: Vec<usize> = (0..problems.len()).filter(|&p| problems[p].laws.len() > least).collect();
        for (goal, tolerance) in TOLERANCES.iter().enumerate() {
            let title = format!("{} {what}, err_siconos ≤ {tolerance:e}", of.len()).replace('-', "\u{2212}");
            let shown = curves[goal].iter().chain(baseline[goal].iter().filter(|c| RIVALS.contains(&c.name.as_str())));
            let part = |c: &Curve| Curve { times: of.iter().map(|&p| c.times[p]).collect(), ..c.clone() };
            panels.push(Panel { title, curves: shown.map(part).collect() });
        }
    }
    panels
}

/// By problem, solver and tolerance.
fn solve_all(problems: &[Problem]) -> Result<Vec<Vec<[Solve; 2]>>, Box<dyn Error>> {
    let mut all = Vec::new();
    for problem in problems {
        let mut row = Vec::new();
        for name in SOLVERS {
            let method = Method::of(name).map_err(|e| e.text)?;
            let [coarse, fine] = TOLERANCES.map(|tolerance| solve(problem, &method, tolerance));
            let (coarse, fine) = (coarse?, fine?);
            let time =
                |s: &Solve| format!("{:.2e} s, {:.1e}{}", s.time, s.error, if s.solved { "" } else { " FAILED" });
            eprintln!("{} {name}: {}; {}", problem.name, time(&coarse), time(&fine));
            row.push([coarse, fine]);
        }
        all.push(row);
    }
    Ok(all)
}

/// From zero to `tolerance`.
fn solve(problem: &Problem, method: &Method, tolerance: f64) -> Result<Solve, Box<dyn Error>> {
    let mut times = Vec::new();
    let start = Instant::now();
    loop {
        let mut op = problem.op.clone();
        let mut r = vec![Vec3::zeros(); op.len()];
        let before = cpu_time();
        let outcome = method
            .run(&mut op, &problem.laws, STEP, Goal::Siconos(tolerance), ITERATIONS, &mut r)
            .map_err(|e| e.text)?;
        times.push(cpu_time() - before);
        if times[0] >= SHORT || (times.len() >= REPEATS && start.elapsed().as_secs_f64() >= SHORT) {
            let mut u = r.clone();
            let error = siconos_error(&mut op, &problem.friction, &r, &mut u).relative;
            // The minimum of few samples, the 10th percentile of many: a thread clock occasionally fails to advance.
            times.sort_by(f64::total_cmp);
            let time = times[times.len() / 10];
            let solved = error <= tolerance && time <= LIMIT;
            return Ok(Solve { time, error, method: outcome.report.method, solved });
        }
    }
}

/// CPU time of this thread [s].
fn cpu_time() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

fn curves(solves: &[Vec<[Solve; 2]>], goal: usize) -> Vec<Curve> {
    let times = |k: usize| solves.iter().map(|row| Some(&row[k][goal]).filter(|s| s.solved).map(|s| s.time)).collect();
    SOLVERS.iter().enumerate().map(|(k, name)| Curve { name: (*name).into(), ours: true, times: times(k) }).collect()
}

/// The shortest time of any curve by problem.
pub fn fastest<'a>(curves: impl Iterator<Item = &'a Curve> + Clone) -> Vec<f64> {
    let problems = curves.clone().next().map_or(0, |c| c.times.len());
    let least = |p: usize| curves.clone().filter_map(|c| c.times[p]).fold(f64::INFINITY, f64::min);
    (0..problems).map(least).collect()
}
