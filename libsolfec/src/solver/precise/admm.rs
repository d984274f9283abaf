//! Alternating directions with the shift of De Saxcé inside the loop.
//!
//! `r` solves the linear system of all rows with contacts tied to `z` by the penalty `ρ D`, `z` is its projection on
//! the cones, `p` collects what is missing; `û` is `−ρ D p`, whose tangential part gives the shift `μ|û_T|` of the next
//! iteration. One factorisation serves many iterations; it is renewed when `ρ` is balanced. Now and then a few Newton
//! steps try to add the last digits.

use super::newton::proximal_newton;
use super::{all_finite, Kind, Local, Outcome, Patience, StoppingCriterion};
use crate::dynamics::Delassus;
use crate::math::{Mat3, Vec3};
use crate::solver::cone;

/// Iterations between measurements, and between changes of the penalty.
const MEASURE: u32 = 10;
const BALANCE: u32 = 50;
/// Imbalance of the residuals that changes the penalty, and the largest change.
const IMBALANCE: f64 = 3.0;
const LARGEST_CHANGE: f64 = 10.0;
/// Iterations between tries to finish with Newton's method, their factorisations, those that must halve the measure,
/// and the proximal weight.
const POLISH: u32 = 500;
const POLISH_LIMIT: u32 = 40;
const POLISH_PATIENCE: u32 = 4;
const POLISH_ALPHA: f64 = 1e-3;
/// Proximal weight of rows that are equations.
const EQUATION_ALPHA: f64 = 1e-9;

/// Penalty, over-relaxation and bound of iterations.
pub struct Options {
    pub rho: f64,
    pub relaxation: f64,
    pub limit: u32,
    /// Iterations that must halve the measure.
    pub patience: u32,
}

/// Improves `start` until the goal is reached. One iteration is made from a start that is good enough: forces of springs
/// must not lag behind.
pub fn admm<D: Delassus>(
    op: &mut D,
    local: &Local,
    criterion: &mut StoppingCriterion,
    start: &[Vec3],
    options: &Options,
) -> Outcome {
    let n = local.len();
    let zeros = || vec![Vec3::zeros(); n];
    let (mut r, mut z, mut u, mut step) = (start.to_vec(), start.to_vec(), zeros(), zeros());
    let (mut x, mut y) = (vec![Mat3::identity(); n], vec![Mat3::zeros(); n]);
    let mut rho = options.rho;
    let mut outcome = Outcome::default();
    local.velocities(op, &r, &mut u);
    let good = criterion.reached(op, local, &r, &u);
    // The dual of the start, so that a good start stays one.
    let mut p: Vec<Vec3> = (0..n).map(|i| shifted(local, i, &u[i]) / (-rho * local.scale[i])).collect();
    let mut fresh = false;
    let mut patience = Patience::new(f64::INFINITY, options.patience);
    while outcome.iterations < options.limit {
        if !fresh {
            for i in 0..n {
                (x[i], y[i]) = row(local, i, &u[i], &r[i], rho);
            }
            if !op.factor(&x, &y) {
                break;
            }
            fresh = true;
        }
        for i in 0..n {
            let stiff = rho * local.scale[i];
            step[i] = match local.kind[i] {
                Kind::Contact { friction } => {
                    let slip = stiff * cone::tangential(&p[i]);
                    -(u[i] + Vec3::new(0.0, 0.0, friction * slip) + stiff * (r[i] - z[i] + p[i]))
                }
                Kind::Equation { .. } => -local.residual(i, &u[i], &r[i], 1.0),
            };
        }
        op.solve(&mut step);
        let (mut primal, mut dual) = (0.0, 0.0);
        for i in 0..n {
            r[i] += step[i];
            let Kind::Contact { friction } = local.kind[i] else {
                z[i] = r[i];
                continue;
            };
            let relaxed = options.relaxation * r[i] + (1.0 - options.relaxation) * z[i];
            let projected = cone::project(&(relaxed + p[i]), friction);
            primal += local.scale[i] * (r[i] - projected).norm_squared();
            dual += local.scale[i] * (rho * (projected - z[i])).norm_squared();
            p[i] += relaxed - projected;
            z[i] = projected;
        }
        let [primal, dual] = op.total([primal, dual]);
        outcome.iterations += 1;
        if good || outcome.iterations % MEASURE == 0 {
            local.velocities(op, &z, &mut u);
            if criterion.reached(op, local, &z, &u) || patience.ends(criterion.last_value, outcome.iterations) {
                break;
            }
        }
        if outcome.iterations % POLISH == 0 {
            proximal_newton(op, local, criterion, &z, POLISH_ALPHA, POLISH_LIMIT, POLISH_PATIENCE);
            if criterion.best_value <= 1.0 {
                break;
            }
            fresh = false;
        }
        local.velocities(op, &r, &mut u);
        if !op.all(all_finite(&u)) {
            break;
        }
        if outcome.iterations % BALANCE == 0 {
            let ratio = (primal / dual).sqrt().sqrt();
            if ratio.is_finite() && (ratio > IMBALANCE || ratio * IMBALANCE < 1.0) {
                let change = ratio.clamp(1.0 / LARGEST_CHANGE, LARGEST_CHANGE);
                rho *= change;
                p.iter_mut().for_each(|p| *p /= change);
                fresh = false;
            }
        }
    }
    outcome
}

/// Row of the linear system.
fn row(local: &Local, i: usize, u: &Vec3, r: &Vec3, rho: f64) -> (Mat3, Mat3) {
    let scale = local.scale[i];
    match local.kind[i] {
        Kind::Contact { .. } => (Mat3::identity(), Mat3::from_diagonal_element(rho * scale)),
        Kind::Equation { .. } => {
            let linear = local.linearise(i, u, r, 1.0 / scale);
            (linear.x, linear.y + linear.x * (EQUATION_ALPHA * scale))
        }
    }
}

/// `û` of a contact projected on the dual cone, as a multiplier; 0 for equations.
fn shifted(local: &Local, i: usize, u: &Vec3) -> Vec3 {
    match local.kind[i] {
        Kind::Contact { friction } => {
            let hat = Vec3::new(u.x, u.y, u.z + friction * cone::tangential(u));
            hat + cone::project(&-hat, friction)
        }
        Kind::Equation { .. } => Vec3::zeros(),
    }
}
