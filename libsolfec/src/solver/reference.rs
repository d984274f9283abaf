//! A reference for small problems (up to some hundred constraints): dense, slow, precise. All other solvers are tested
//! against it, so it shares no iteration, no block solver and no residual with any of them.
//!
//! Two methods take turns. Douglas–Rachford splitting of `U = B + W R` and of the laws comes from anywhere into the
//! neighbourhood of a solution: its two steps are a linear solve with `W + D` and, as `D` is diagonal, the laws in
//! closed form. There, Newton's method on the equations of Alart and Curnier, kept regular in redundant directions by a
//! proximal term, goes on to roundoff.

use nalgebra::{DMatrix, DVector, Dyn, Matrix2, Vector2};

use super::Law;
use crate::dynamics::WholeMatrix;
use crate::math::{Mat3, Vec3};
use crate::{Error, Result};

/// Rounds of the two methods, and the steps of each in a round.
const ROUNDS: u32 = 40;
const SPLITTINGS: u32 = 500;
const NEWTONS: u32 = 30;

/// The proximal term relative to the size of a diagonal block.
const PROXIMAL: f64 = 1e-7;

/// What the reference solver found.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    pub r: Vec<Vec3>,
    /// `B + W R`.
    pub u: Vec<Vec3>,
    /// Largest distance of a constraint from its law [m/s].
    pub residual: f64,
}

/// Solves `C(U, R) = 0` until no constraint is farther from its law than `tolerance` of the largest velocity among
/// those of the data and `W_αα R_α`, which rounding is relative to.
///
/// # Errors
/// A spring-dashpot contact, whose law is no relation of `U` and `R` alone; problems it cannot solve to the tolerance.
pub fn reference<D: WholeMatrix>(op: &D, laws: &[Law], tolerance: f64) -> Result<Reference> {
    let problem = Problem::new(op, laws)?;
    let mut r = DVector::zeros(problem.free.len());
    let mut splitting = Splitting::new(&problem)?;
    let mut best = (f64::INFINITY, r.clone());
    for _ in 0..ROUNDS {
        splitting.advance(&problem, &mut r);
        let found = problem.newton(&r, tolerance);
        let residual = problem.residual(&found);
        if residual < best.0 {
            best = (residual, found);
        }
        if best.0 <= tolerance * problem.speed(&best.1) {
            break;
        }
    }
    let (residual, r) = best;
    if residual > tolerance * problem.speed(&r) {
        return Err(Error::input(format!("reference solver: residual {residual:.3e} m/s is the least it came to")));
    }
    let u = problem.velocity(&r);
    let blocks = |x: &DVector<f64>| (0..laws.len()).map(|i| at(x, i)).collect();
    Ok(Reference { r: blocks(&r), u: blocks(&u), residual })
}

/// The dense problem.
struct Problem<'a> {
    laws: &'a [Law],
    w: DMatrix<f64>,
    free: DVector<f64>,
    /// What is added to the normal velocity in the law of a contact.
    bounce: Vec<f64>,
    /// A velocity over a force for each constraint: a third of the trace of its block, 1 for a block of zeros.
    scale: Vec<f64>,
    /// Largest velocity of the data.
    given: f64,
}

impl<'a> Problem<'a> {
    fn new<D: WholeMatrix>(op: &D, laws: &'a [Law]) -> Result<Self> {
        let n = op.len();
        let sparse = op.assemble();
        let mut w = DMatrix::zeros(3 * n, 3 * n);
        for i in 0..n {
            sparse.row(i).for_each(|(j, block)| w.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(block));
        }
        let mut bounce = Vec::new();
        let mut given = 0.0_f64;
        for (law, (v, b)) in laws.iter().zip(op.previous().iter().zip(op.free())) {
            let (shift, aim) = match law {
                Law::Coulomb { restitution, closing, .. } => (restitution * v.z.min(0.0) + closing, 0.0),
                Law::Velocity3 { target } => (0.0, target.norm()),
                Law::Velocity { target } => (0.0, target.abs()),
                Law::Link(link) => (0.0, (link.distance - link.length).abs() / link.reach),
                Law::Spring(_) => (0.0, 0.0),
                Law::SpringDashpot(_) => {
                    return Err(Error::input("reference solver: spring-dashpot contacts are not for it"));
                }
            };
            bounce.push(shift);
            given = given.max(b.norm()).max(shift.abs()).max(aim);
        }
        let scale = |w: &Mat3| if w.trace() > 0.0 { w.trace() / 3.0 } else { 1.0 };
        let scale = op.diagonal().iter().map(scale).collect();
        let free = DVector::from_iterator(3 * n, op.free().iter().flat_map(|b| [b.x, b.y, b.z]));
        Ok(Problem { laws, w, free, bounce, scale, given })
    }

    fn velocity(&self, r: &DVector<f64>) -> DVector<f64> {
        &self.free + &self.w * r
    }

    /// The velocity that rounding is relative to.
    fn speed(&self, r: &DVector<f64>) -> f64 {
        (0..self.laws.len()).map(|i| self.scale[i] * at(r, i).norm()).fold(self.given, f64::max)
    }

    /// Largest distance of a constraint from its law.
    fn residual(&self, r: &DVector<f64>) -> f64 {
        let u = self.velocity(r);
        let violation = |i: usize| self.equation(i, &at(&u, i), &at(r, i)).0.norm();
        (0..self.laws.len()).map(violation).fold(0.0, |a, b| if a >= b { a } else { b })
    }

    /// The law of constraint `i` as an equation in velocities, with its derivatives by `U` and by `R`.
    fn equation(&self, i: usize, u: &Vec3, r: &Vec3) -> (Vec3, Mat3, Mat3) {
        let scale = self.scale[i];
        // No tangential reaction, and one equation for the normal ones.
        let scalar = |value: f64, by_u: Vec3, by_r: f64| {
            let by_u = Mat3::from_rows(&[Vec3::zeros().transpose(), Vec3::zeros().transpose(), by_u.transpose()]);
            let by_r = Mat3::from_diagonal(&Vec3::new(scale, scale, by_r));
            (Vec3::new(scale * r.x, scale * r.y, value), by_u, by_r)
        };
        match &self.laws[i] {
            &Law::Coulomb { friction, cohesion, .. } => {
                let dashed = Vec3::new(u.x, u.y, u.z + self.bounce[i]);
                let shifted = Vec3::new(r.x, r.y, r.z + cohesion);
                alart_curnier(&dashed, &shifted, friction, scale)
            }
            Law::Velocity3 { target } => (u - target, Mat3::identity(), Mat3::zeros()),
            Law::Velocity { target } => scalar(u.z - target, Vec3::z(), 0.0),
            Law::Link(link) => {
                // (|z + h'U|² − d²) / 2dh'
                let end = Vec3::new(link.reach * u.x, link.reach * u.y, link.distance + link.reach * u.z);
                let excess = (end.norm() - link.length) * (end.norm() + link.length);
                scalar(excess / (2.0 * link.length * link.reach), end / link.length, 0.0)
            }
            Law::Spring(spring) => {
                let aim = u.z + scale * (spring.force(u.z) - r.z);
                let held = if aim < spring.lower {
                    Some(spring.lower)
                } else {
                    Some(spring.upper).filter(|&upper| aim > upper)
                };
                match held {
                    Some(stop) => scalar(u.z - stop, Vec3::z(), 0.0),
                    None => scalar(u.z - aim, Vec3::z() * (-scale * spring.slope), scale),
                }
            }
            Law::SpringDashpot(_) => (Vec3::zeros(), Mat3::zeros(), Mat3::identity()),
        }
    }

    /// Proximal Newton steps from `start`, as long as they come nearer.
    fn newton(&self, start: &DVector<f64>, tolerance: f64) -> DVector<f64> {
        let mut r = start.clone();
        let mut size = self.norm(&r);
        for _ in 0..NEWTONS {
            let Some(step) = self.newton_step(&r) else { break };
            let shorter = (0..12).map(|k| &r + &step * 0.5_f64.powi(k));
            let better = shorter.map(|r| (self.norm(&r), r)).find(|(norm, _)| *norm < size);
            let Some(better) = better else { break };
            (size, r) = better;
            if size <= 0.01 * tolerance * self.speed(&r) {
                break;
            }
        }
        r
    }

    /// Norm of all equations.
    fn norm(&self, r: &DVector<f64>) -> f64 {
        let u = self.velocity(r);
        (0..self.laws.len()).map(|i| self.equation(i, &at(&u, i), &at(r, i)).0.norm_squared()).sum::<f64>().sqrt()
    }

    fn newton_step(&self, r: &DVector<f64>) -> Option<DVector<f64>> {
        let u = self.velocity(r);
        let mut jacobian = DMatrix::zeros(r.len(), r.len());
        let mut right = DVector::zeros(r.len());
        for i in 0..self.laws.len() {
            let (c, by_u, by_r) = self.equation(i, &at(&u, i), &at(r, i));
            let rows = self.w.rows(3 * i, 3);
            jacobian.rows_mut(3 * i, 3).copy_from(&(by_u * rows));
            let mut diagonal = jacobian.fixed_view_mut::<3, 3>(3 * i, 3 * i);
            diagonal += by_r + by_u * (PROXIMAL * self.scale[i]);
            right.fixed_rows_mut::<3>(3 * i).copy_from(&-c);
        }
        jacobian.lu().solve(&right).filter(|step| step.iter().all(|x| x.is_finite()))
    }

    /// The law of constraint `i` at `U = D (R − y)`, `D = d I`: the reaction.
    fn resolvent(&self, i: usize, d: f64, y: &Vec3) -> Vec3 {
        match &self.laws[i] {
            &Law::Coulomb { friction, cohesion, .. } => {
                let shift = Vec3::new(0.0, 0.0, cohesion);
                let stick = y + shift - Vec3::new(0.0, 0.0, self.bounce[i] / d);
                let normal = stick.z.max(0.0);
                let size = stick.xy().norm();
                let share = if size > friction * normal { friction * normal / size } else { 1.0 };
                Vec3::new(share * stick.x, share * stick.y, normal) - shift
            }
            Law::Velocity3 { target } => y + target / d,
            Law::Velocity { target } => Vec3::new(0.0, 0.0, y.z + target / d),
            Law::Link(link) => {
                let way = y.xy() * (d * link.reach);
                let height = (link.length * link.length - way.norm_squared()).max(0.0).sqrt();
                Vec3::new(0.0, 0.0, y.z + (height - link.distance) / (link.reach * d))
            }
            Law::Spring(spring) => {
                // R = force(d (R − y)), U = d (R − y) between the stops.
                let u = d * (spring.force(0.0) - y.z) / (1.0 - spring.slope * d);
                Vec3::new(0.0, 0.0, y.z + u.max(spring.lower).min(spring.upper) / d)
            }
            Law::SpringDashpot(_) => *y,
        }
    }
}

/// The equations of a contact with their derivatives: `λR_N = max(0, λR_N − U_N)`, and `λR_T` the point nearest to
/// `λR_T − U_T` in the disk of radius `μ max(0, λR_N − U_N)`.
fn alart_curnier(u: &Vec3, r: &Vec3, mu: f64, lambda: f64) -> (Vec3, Mat3, Mat3) {
    let aim = lambda * r - u;
    let closed = aim.z > 0.0;
    let bound = mu * aim.z.max(0.0);
    let tangent = aim.xy();
    let size = tangent.norm();
    // Derivatives of the projected aim by the aim.
    let (nearest, by_tangent, by_normal) = if size <= bound && bound > 0.0 {
        (tangent, Matrix2::identity(), Vector2::zeros())
    } else if bound > 0.0 {
        let t = tangent / size;
        (bound * t, (Matrix2::identity() - t * t.transpose()) * (bound / size), mu * t)
    } else {
        (Vector2::zeros(), Matrix2::zeros(), Vector2::zeros())
    };
    let normal = if closed { 1.0 } else { 0.0 };
    let projected = Vec3::new(nearest.x, nearest.y, aim.z.max(0.0));
    let slope = Mat3::new(
        by_tangent.m11,
        by_tangent.m12,
        by_normal.x * normal,
        by_tangent.m21,
        by_tangent.m22,
        by_normal.y * normal,
        0.0,
        0.0,
        normal,
    );
    (lambda * r - projected, slope, lambda * (Mat3::identity() - slope))
}

/// Douglas–Rachford splitting: `R = (W + D)⁻¹ (D v − B)`, `Z` the laws at `U = D (Z − (2R − v))`, `v ← v + Z − R`.
struct Splitting {
    d: DVector<f64>,
    factor: nalgebra::Cholesky<f64, Dyn>,
    v: DVector<f64>,
}

impl Splitting {
    fn new(problem: &Problem) -> Result<Self> {
        let d = DVector::from_fn(problem.free.len(), |k, _| problem.scale[k / 3]);
        let factor = nalgebra::Cholesky::new(&problem.w + DMatrix::from_diagonal(&d))
            .ok_or_else(|| Error::input("reference solver: W is not positive semidefinite"))?;
        Ok(Splitting { v: DVector::zeros(d.len()), d, factor })
    }

    /// Goes on, and leaves in `r` reactions that the laws admit.
    fn advance(&mut self, problem: &Problem, r: &mut DVector<f64>) {
        for _ in 0..SPLITTINGS {
            let x = self.factor.solve(&(self.d.component_mul(&self.v) - &problem.free));
            let y = 2.0 * &x - &self.v;
            for i in 0..problem.laws.len() {
                let z = problem.resolvent(i, self.d[3 * i], &at(&y, i));
                r.fixed_rows_mut::<3>(3 * i).copy_from(&z);
            }
            self.v += &*r - x;
        }
    }
}

fn at(x: &DVector<f64>, i: usize) -> Vec3 {
    x.fixed_rows::<3>(3 * i).into()
}
