//! The tables of docs/benchmarks.md.

use crate::set::Problem;
use crate::{fastest, Curve, Solve, LARGE, SOLVERS, TOLERANCES};

/// AUTO is expected to be within this factor of the fastest of our methods.
const NEAR: f64 = 3.0;

/// `baseline` is empty without one.
pub fn print(problems: &[Problem], solves: &[Vec<[Solve; 2]>], curves: &[Vec<Curve>; 2], baseline: &[Vec<Curve>; 2]) {
    let large: Vec<usize> = (0..problems.len()).filter(|&p| problems[p].laws.len() > LARGE).collect();
    println!("{} problems, {} of them with more than {LARGE} contacts\n", problems.len(), large.len());
    summary(curves, baseline, &large);
    if !baseline[0].is_empty() {
        against_nsgs(problems, curves, baseline, &large);
    }
    auto(problems, solves, curves);
}

fn summary(curves: &[Vec<Curve>; 2], baseline: &[Vec<Curve>; 2], large: &[usize]) {
    println!(
        "| solver | solved at 1e-4 | at 1e-8 | median of the large at 1e-4 | at 1e-8 | longest at 1e-4 | at 1e-8 |"
    );
    println!("|---|---|---|---|---|---|---|");
    for set in [curves, baseline] {
        for coarse in &set[0] {
            let Some(fine) = set[1].iter().find(|c| c.name == coarse.name) else { continue };
            let cells = [coarse, fine].map(|c| {
                let mut times: Vec<f64> = c.times.iter().flatten().copied().collect();
                let solved = times.len();
                times.sort_by(f64::total_cmp);
                let worst = times.last().copied().unwrap_or(f64::INFINITY);
                [solved.to_string(), clock(median_of(c, large)), clock(worst)]
            });
            let name = if coarse.ours { coarse.name.clone() } else { format!("Siconos {}", coarse.name) };
            let [[a, b, c], [d, e, f]] = cells;
            println!("| {name} | {a} | {d} | {b} | {e} | {c} | {f} |");
        }
    }
    println!();
}

/// Median over the problems `of`; unsolved ones count as infinite.
fn median_of(curve: &Curve, of: &[usize]) -> f64 {
    median(of.iter().map(|&p| curve.times[p].unwrap_or(f64::INFINITY)).collect())
}

fn median(mut x: Vec<f64>) -> f64 {
    x.sort_by(f64::total_cmp);
    match (x.len(), x.len() / 2) {
        (0, _) => f64::NAN,
        (n, half) if n % 2 == 1 => x[half],
        (_, half) => (x[half - 1] + x[half]) / 2.0,
    }
}

/// The Gauss–Seidel methods of both programs.
fn against_nsgs(problems: &[Problem], curves: &[Vec<Curve>; 2], baseline: &[Vec<Curve>; 2], large: &[usize]) {
    println!("| problem | contacts | ours 1e-4 | NSGS | NSGS/ours | ours 1e-8 | NSGS | NSGS/ours |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut ratios = [vec![], vec![]];
    for &p in large {
        let mut line = format!("| {} | {} |", problems[p].name, problems[p].laws.len());
        for goal in [0, 1] {
            let ours = curves[goal].iter().find(|c| c.name == "GAUSS_SEIDEL").and_then(|c| c.times[p]);
            let theirs = baseline[goal].iter().find(|c| c.name == "NSGS").and_then(|c| c.times[p]);
            let ratio = ours.zip(theirs).map(|(a, b)| b / a);
            ratios[goal].extend(ratio);
            let text = |t: Option<f64>| t.map_or("failed".into(), clock);
            line +=
                &format!(" {} | {} | {} |", text(ours), text(theirs), ratio.map_or("".into(), |x| format!("{x:.1}")));
        }
        println!("{line}");
    }
    for (tolerance, ratios) in TOLERANCES.iter().zip(ratios) {
        let faster = ratios.iter().filter(|x| **x > 1.0).count();
        println!("\n{tolerance:e}: faster on {faster} of {}, median factor {:.2}", ratios.len(), median(ratios));
    }
    println!();
}

/// What AUTO did with each problem, and how far it is from the fastest of our methods.
fn auto(problems: &[Problem], solves: &[Vec<[Solve; 2]>], curves: &[Vec<Curve>; 2]) {
    println!("| problem | contacts | 1e-4: by | time | / fastest | 1e-8: by | time | / fastest |");
    println!("|---|---|---|---|---|---|---|---|");
    let least = [0, 1].map(|goal| fastest(curves[goal].iter()));
    let mut ratios = [vec![], vec![]];
    for (p, (problem, row)) in problems.iter().zip(solves).enumerate() {
        let mut line = format!("| {} | {} |", problem.name, problem.laws.len());
        for goal in [0, 1] {
            let Some(own) = SOLVERS.iter().position(|s| *s == "AUTO").map(|k| &row[k][goal]) else { continue };
            if own.solved {
                let ratio = own.time / least[goal][p];
                ratios[goal].push(ratio);
                line += &format!(" {} | {} | {ratio:.1} |", own.method, clock(own.time));
            } else {
                line += &format!(" failed: {:.1e} | {} | |", own.error, clock(own.time));
            }
        }
        println!("{line}");
    }
    for (tolerance, ratios) in TOLERANCES.iter().zip(ratios) {
        let near = ratios.iter().filter(|x| **x <= NEAR).count();
        let (all, worst) = (ratios.len(), ratios.iter().copied().fold(0.0, f64::max));
        let middle = median(ratios);
        println!(
            "\n{tolerance:e}: within {NEAR} of the fastest on {near} of {all}; median {middle:.2}, worst {worst:.1}"
        );
    }
}

/// A time with two significant digits in a suitable unit.
fn clock(t: f64) -> String {
    let digits = |x: f64| if x < 9.95 { format!("{x:.1}") } else { format!("{x:.0}") };
    match t {
        t if !t.is_finite() => "–".into(),
        t if t < 1e-3 => format!("{} µs", digits(1e6 * t)),
        t if t < 1.0 => format!("{} ms", digits(1e3 * t)),
        t => format!("{} s", digits(t)),
    }
}
