//! NEWTON_SOLVER: small problems, the matrix of all problems, and behaviour on failure.

mod behaviour;
mod iterations;
mod matrix;
mod prescribed;

use solfec::body::Inertia;
use solfec::dynamics::{BodyOperator, Delassus, End};
use solfec::math::{Mat3, Vec3};
use solfec::model::{LinearVariant, Newton};
use solfec::solver::{newton, Conditions, Law, Link, Report, Unknowns, Workspace};
use solfec_testing::problems::{body, coulomb, particle, row, translation, STEP};

struct Solution {
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    report: Report,
    merits: Vec<f64>,
    products: Vec<u32>,
}

fn solve_from<D: Delassus>(
    op: &mut D,
    laws: &[Law],
    settings: &Newton,
    conditions: Conditions,
    r: &[Vec3],
) -> Solution {
    let (mut r, mut u, mut parts) = (r.to_vec(), vec![Vec3::zeros(); r.len()], vec![0.0; r.len()]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let mut work = Workspace::new();
    let report = newton(&mut work, op, laws, settings, conditions, unknowns);
    let (merits, products) = (work.merit_history().to_vec(), work.product_history().to_vec());
    assert_eq!((merits.len(), products.len()), (report.iterations as usize, merits.len()));
    assert!(products.windows(2).all(|p| p[0] < p[1]));
    Solution { r, u, report, merits, products }
}

fn solve<D: Delassus>(op: &mut D, laws: &[Law], settings: &Newton) -> Solution {
    let start = vec![Vec3::zeros(); op.len()];
    solve_from(op, laws, settings, STEP, &start)
}

/// PQN1 with linear systems solved to roundoff, no fall-back.
fn exact(meritval: f64, delta: f64) -> Newton {
    Newton { meritval, delta, epsilon: 1e-14, linmaxiter: 200, gsflag: false, ..Newton::default() }
}

/// PQN2, no fall-back.
fn diagonal(meritval: f64, theta: f64) -> Newton {
    Newton { meritval, theta, linver: LinearVariant::Diag, gsflag: false, ..Newton::default() }
}

/// A block that slides on two contacts: front, rear.
fn sliding_block() -> BodyOperator {
    solfec_testing::problems::sliding_block().0
}

/// `masses` hanging one below the other on links of length 1, the first on a fixed point.
fn chain(masses: &[f64]) -> (BodyOperator, Vec<Law>) {
    let h = STEP.h;
    let bodies = masses.iter().map(|&m| particle(m, Vec3::new(0.0, 0.0, -10.0 * h)));
    let base = solfec::math::local_base(&-Vec3::z());
    let link = |i: usize| {
        let upper = if i == 0 { End::Fixed } else { body(i as u32 - 1, Vec3::zeros()) };
        row((i as u64, i as u64 + 1), base, body(i as u32, Vec3::zeros()), Some(upper))
    };
    let rows: Vec<_> = (0..masses.len()).map(link).collect();
    let mut op = BodyOperator::new();
    op.fill(h, bodies, &rows);
    let law = Law::Link(Link { length: 1.0, distance: 1.0, reach: 0.5 * h });
    (op, vec![law; masses.len()])
}
