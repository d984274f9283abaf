//! The original's mechanism cases as decks, through the real tools, against exact solutions and, when the reference
//! data are present, against the results of Solfec-1.0.

use super::common::*;
use tools_testing::data::sets;

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

fn deck(name: &str) -> String {
    format!("'{REPOSITORY}/tests/decks/mechanisms/{name}.py'")
}

pub fn workflow(name: &str) -> String {
    format!("'{REPOSITORY}/workflows/{name}'")
}

/// The tables to compare with: our own, and that of Solfec-1.0.
fn reference(path: &str) -> Vec<Table> {
    let read = |path| Table::parse(&std::fs::read_to_string(path).expect("reference data is readable"));
    sets(&format!("reference/{path}.csv")).into_iter().map(read).collect()
}

/// Linear interpolation of a column in time.
pub fn at(times: &[f64], values: &[f64], t: f64) -> f64 {
    let k = times.partition_point(|&s| s < t).clamp(1, times.len() - 1);
    let w = (t - times[k - 1]) / (times[k] - times[k - 1]);
    values[k - 1] + w * (values[k] - values[k - 1])
}

pub fn last(values: &[f64]) -> f64 {
    *values.last().expect("rows")
}

#[track_caller]
pub fn near(what: &str, value: f64, wanted: f64, tolerance: f64) {
    assert!((value - wanted).abs() <= tolerance, "{what} is {value}, not {wanted} within {tolerance:e}");
}

/// Exact curves of a workflow.
pub fn exact(folder: &Scratch, name: &str, arguments: &str) -> Table {
    let place = workflow(name);
    Table::parse(&done(folder, &format!("PYTHONPATH={} python3 -B {place}/exact.py {arguments}", workflow(""))))
}

/// A throw with drag by a function: the velocity decays by 1 - h in each step, which is of
/// the first order in h; so the exact place is met within v h / 2 = 2.5e-3 m, the place of the original to round-off.
#[test]
fn projectile() {
    let folder = Scratch::new();
    done(&folder, &format!("sf-run -q -o out {}/deck.py", workflow("projectile")));
    let point = "@label:BALL(0,0,0)";
    let ours = Table::parse(&done(&folder, &format!("sf-history out 'x=CX{point}' 'z=CZ{point}' 'v=VX{point}'")));
    let step: f64 = 1.976 / 1024.0;
    let (x, z) = (last(&ours.column("x")), last(&ours.column("z")));
    near("velocity at the end", last(&ours.column("v")), 2.54 * (1.0 - step).powi(1024), 1e-12);
    let exact = exact(&folder, "projectile", "");
    near("place at the end", x, last(&exact.column("x")), 2.54 * step / 2.0);
    near("height at the end", z, last(&exact.column("z")), (12.7 + 9.81) * step / 2.0);
    for theirs in reference("projectile/projectile-final") {
        near("place of the original", x, theirs.column("x")[0], 1e-10);
        near("height of the original", z, theirs.column("z")[0], 1e-10);
    }
}

/// The same as it was written for the original, in Python 2: printed numbers and integer division are those of Python
/// 2.
#[test]
fn projectile_of_python2() {
    let folder = Scratch::new();
    let told = done(&folder, &format!("sf-run -q -o out {}", deck("projectile_python2")));
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "steps 1024");
    let inches: f64 = lines[1].strip_prefix("inches ").and_then(|x| x.parse().ok()).expect("a number");
    // 86.138 inches exactly, within the first order of the step: 100 inches/s h / 2 = 0.097.
    near("place at the end in inches", inches, 86.138, 0.097);
}

/// A large swing, stopped by a callback when it is over: period by the elliptic integral within 1e-3.
#[test]
fn math_pendulum() {
    let folder = Scratch::new();
    let told = Table::parse(&done(&folder, &format!("sf-run -q -o out {}", deck("math_pendulum"))));
    let (half, period, stopped) = (told.column("half")[0], told.column("period")[0], told.column("stopped")[0]);
    near("period", period, 2.3606812, 1e-3);
    near("half of the period", half, 2.3606812 / 2.0, 5e-4);
    assert!((period..period + 1e-3 + 1e-9).contains(&stopped), "stopped at {stopped} after a swing of {period} s");
    let ours = Table::parse(&done(&folder, "sf-history out KINETIC 'z=CZ@label:BALL(1,0,1)'"));
    near("the last frame", last(&ours.column("time")), stopped, 1e-9);
    near("kinetic energy at the end", told.column("kinetic")[0], last(&ours.column("KINETIC")), 1e-15);
    let (t, k) = (ours.column("time"), ours.column("KINETIC"));
    for (z, k) in ours.column("z").into_iter().zip(&k) {
        // m g (z - 1) + kinetic stays 0 within (h theta')^2 g = 2e-4 J, as the link ends its steps on the circle.
        near("energy", k + std::f64::consts::PI.powi(2) * (z - 1.0), 0.0, 2e-4);
    }
    for theirs in reference("math-pendulum/math-pendulum") {
        for (time, kinetic) in theirs.column("time").into_iter().zip(theirs.column("kinetic")) {
            if t.iter().any(|s| (s - time).abs() < 1e-6) {
                near(&format!("kinetic energy at {time}"), at(&t, &k, time), kinetic, 1e-3);
            }
        }
    }
}

/// Two pendulums and a wall: from impact to impact as a fine integration has it, energies as the original.
#[test]
fn double_pendulum() {
    let folder = Scratch::new();
    let place = workflow("double-pendulum");
    done(&folder, &format!("sf-build {place}/deck.py -- wall | sf-run -q -o out -"));
    let (upper, lower) =
        ("label:UPPER(0.8660254037844386,0,1.5)", "label:LOWER(1.4538106560769117,0,0.6909830056250525)");
    let items = format!("'upper_x=CX@{upper}' 'lower_x=CX@{lower}' 'upper_z=CZ@{upper}' 'lower_z=CZ@{lower}'");
    let ours = Table::parse(&done(&folder, &format!("sf-history out {items} KINETIC CONTACT")));
    let exact = exact(&folder, "double-pendulum", "wall");
    let (t, times) = (ours.column("time"), exact.column("time"));
    near("the last frame", last(&t), 2.5, 1e-9);
    for name in ["upper_x", "lower_x", "upper_z", "lower_z"] {
        let (values, wanted) = (ours.column(name), exact.column(name));
        for (time, value) in t.iter().zip(values) {
            // An impact happens up to a step too late or early, at up to 5 m/s: 5e-3 m, before later ones add theirs.
            near(&format!("{name} at {time}"), value, at(&times, &wanted, *time), 1e-2);
        }
    }
    for ball in ["upper", "lower"] {
        let (x, z) = (ours.column(&format!("{ball}_x")), ours.column(&format!("{ball}_z")));
        assert!(x.iter().all(|&x| x > -5e-3), "{ball}: deeper in the wall than a step at 5 m/s");
        if ball == "upper" {
            // Links have their length at mid-steps: at the ends of steps h²/8 of the centripetal acceleration is
            // missing, which is less than 25 m/s² at 5 m/s.
            let bend = 1e-6 / 8.0 * 25.0;
            for (x, z) in x.iter().zip(&z) {
                near("length of the upper link", x.hypot(z - 2.0), 1.0, bend);
            }
        }
    }
    for theirs in reference("double-pendulum/double-pendulum") {
        let work = at(&theirs.column("time"), &theirs.column("contact_work"), 2.5);
        near("work of the impacts", last(&ours.column("CONTACT")), work, 0.01 * work.abs());
    }
}

/// A bar on two points of an axis: rate of turning when its centre passes below. Its moment of inertia about the axis
/// is m (1.01/12 + 1/16), which gives 2.11565; the slender bar of 2.121 has m (1/12 + 1/16).
#[test]
fn pinned_bar() {
    let folder = Scratch::new();
    let told = Table::parse(&done(&folder, &format!("sf-run -q -o out {}", deck("pinned_bar"))));
    let (times, x, rate) = (told.column("time"), told.column("x"), told.column("rate"));
    let n = x.len();
    assert!(x[n - 2] >= 0.0 && x[n - 1] < 0.0, "the run ends when the centre has passed");
    let w = x[n - 2] / (x[n - 2] - x[n - 1]);
    let passed = times[n - 2] + w * (times[n - 1] - times[n - 2]);
    let exact = (2.0 * 9.8 * 0.25 * (1.0 - 30f64.to_radians().cos()) / (1.01 / 12.0 + 0.0625)).sqrt();
    // Second order in h: (h w)^2 = 4e-6; the two points hold the axis within the tolerance of the solver.
    near("rate of turning", rate[n - 2] + w * (rate[n - 1] - rate[n - 2]), exact, 1e-4);
    for theirs in reference("pinned-bar/pinned-bar-bodies") {
        let (t, x) = (theirs.column("time"), theirs.column("x"));
        let k = x.iter().position(|&x| x < 0.0).expect("it passes");
        near("time of passing", passed, t[k - 1] + x[k - 1] / (x[k - 1] - x[k]) * (t[k] - t[k - 1]), 1e-4);
    }
}

/// Stick and slip of a driven block: exact slips, and the five figures of the benchmark.
#[test]
fn block_sliding() {
    let folder = Scratch::new();
    done(&folder, &format!("sf-run -q -o out {}", deck("block_sliding")));
    let point = "@label:BLOCK(3,0,0.05)";
    let ours = Table::parse(&done(&folder, &format!("sf-history out 'x=CX{point}' 'z=CZ{point}' 'v=VX{point}'")));
    let (t, x, v) = (ours.column("time"), ours.column("x"), ours.column("v"));
    let exact = exact(&folder, "sliding-block", "driven");
    let (times, wanted) = (exact.column("time"), exact.column("x"));
    for (time, x) in t.iter().zip(&x) {
        // Slips of 1.3e-2 m; a slip begins and ends within a step, at up to 0.06 m/s: 6e-5 m.
        near(&format!("place at {time}"), *x, at(&times, &wanted, *time), 6e-5);
    }
    for (time, place) in [(2.0, 3.00435), (5.0, 2.99129), (8.0, 3.00442)] {
        near(&format!("place of the benchmark at {time}"), at(&t, &x, time), place, 1e-4);
    }
    for (time, speed) in [(0.15, 0.01837), (3.15, -0.02122)] {
        near(&format!("speed of the benchmark at {time}"), at(&t, &v, time), speed, 3e-4);
    }
    near("height at the end", last(&ours.column("z")), 0.05, 1e-6);
}

/// A fast top whose weight is a function: energy drifts up with RIG_POS, down with RIG_NEG, not with RIG_IMP; nutation
/// and spin.
#[test]
fn heavy_symmetrical_top() {
    let folder = Scratch::new();
    // Energy after 10 s with steps of 9 ms less that of the start.
    for (scheme, step, drift) in [
        ("RIG_POS", "9e-3", 7.4e-4),
        ("RIG_NEG", "9e-3", -9.3e-4),
        ("RIG_IMP", "9e-3", -1.5e-4),
        ("RIG_IMP", "1e-3", -1.7e-6),
    ] {
        let line = format!("sf-run -q -w -o out {} -- {scheme} {step}", deck("heavy_symmetrical_top"));
        let told = Table::parse(&done(&folder, &line));
        let case = format!("{scheme} with {step}");
        // The figures have two digits.
        near(&format!("{case}: drift"), last(&told.column("energy")) - 1269.975005208, drift, 0.1 * drift.abs());
        for (axis, spin) in told.column("axis").into_iter().zip(told.column("spin")) {
            // Energy that drifts lets the axis, under a weight of 20, leave the range by so much.
            let (low, high, more) = (0.9985124255, 0.9987502604, drift.abs() / 20.0 + 1e-6);
            assert!((low - more..high + more).contains(&axis), "{case}: axis {axis} leaves the range of nutation");
            near(&format!("{case}: spin"), spin, 50.0, 1e-4);
        }
        let ours = Table::parse(&done(&folder, "sf-history out KINETIC"));
        let name = format!(
            "heavy-symmetrical-top/heavy-symmetrical-top-{}-{:.3}",
            scheme.to_lowercase(),
            step.parse::<f64>().expect("a step")
        );
        for theirs in reference(&name) {
            let (t, k) = (ours.column("time"), ours.column("KINETIC"));
            let largest = theirs.column("kinetic").into_iter().fold(0.0, f64::max);
            let ours = t.iter().zip(&k).map(|(_, &k)| k).fold(0.0, f64::max);
            // Nutation moves 4.8e-3 J between kinetic and potential energy; the frames do not fall on the same
            // instants.
            near(&format!("{case}: largest kinetic energy"), ours, largest, 5e-4);
        }
    }
}
