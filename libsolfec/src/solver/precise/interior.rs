//! Primal–dual interior point method with Nesterov–Todd scaling and the shift of De Saxcé inside the linearisation.
//!
//! Unknowns are `r` and `û`, both strictly inside their cones, with `û = q + W r + μ|û_T| e_N`. In `x = (r_T, μ r_N)`
//! and `z = (û_T, û_N/μ)` both cones are Lorentz's, and solutions have `x ∘ z = 0`. Newton steps for `x ∘ z = σ e`,
//! predicted and corrected as by Mehrotra, follow the path `σ → 0`. Near its end, where rounding spoils interior
//! points, the semismooth Newton method takes over.

use super::lorentz::{self, Scaling};
use super::newton::{proximal_newton, residual, stick};
use super::{Kind, Local, Outcome, Patience, StoppingCriterion};
use crate::dynamics::Delassus;
use crate::math::{Mat3, Vec3};
use crate::solver::least;

/// Residual relative to that of `r = 0` at which Newton steps are tried first, and its fall after they failed.
const FIRST_TRY: f64 = 1e-5;
const NEXT_TRY: f64 = 0.1;
/// Factorisations of one try, and the proximal weight.
const TRY: u32 = 8;
const TRY_ALPHA: f64 = 1e-5;
/// Iterations that must have halved the residual.
const PATIENCE: u32 = 12;
/// Proximal weight of rows that are equations, for dependent ones.
const EQUATION_ALPHA: f64 = 1e-9;
/// Proximal weight of the Newton method after the path ended early.
const LAST_ALPHA: f64 = 1e-3;
/// Least factor by which a step aims to shrink the gap, and least step length.
const LEAST_SHRINK: f64 = 1e-6;
const LEAST_STEP: f64 = 1e-9;
/// Beyond this a step is cut to 1 in any case.
const LONGEST: f64 = 1.2;
/// Distance from the boundary, relative to that of the middle, which is too near.
const NEAR: f64 = 0.1;
/// Length under which a step is replaced by one to the middle of the cones, and how much of the gap that one keeps.
const SHORT: f64 = 0.1;
const CENTRING: f64 = 0.8;
/// Length under which a step, after another such step, lowers the share of the derivative of the shift `μ|û_T|` that
/// the linearisation takes in: by this factor, down to a least share. It grows by the other one after so many longer
/// steps.
const HINDERED: f64 = 0.15;
const LESS_SHIFT: f64 = 0.7;
const LEAST_SHIFT: f64 = 0.3;
const MORE_SHIFT: f64 = 1.3;
const FREE_STEPS: u32 = 8;

/// The gap at which a path begins that is given a guess, over the squared distance of the guess from its projection,
/// and its bounds relative to the gap of the middle of the cones.
const AROUND: f64 = 10.0;
const LEAST_GAP: f64 = 1e-12;
/// Measure over the tolerance below which such a path ends, as other methods are quicker there.
const NEARLY: f64 = 100.0;

/// Friction under which a contact counts as frictionless on the path.
const FRICTIONLESS: f64 = 1e-10;

/// A contact in the scaled space; rows that are equations have only `f`.
#[derive(Clone, Copy, Default)]
struct Row {
    contact: bool,
    frictionless: bool,
    /// `x = (r_T, μ r_N)`, `z = (û_T, û_N/μ)`; 1 for frictionless contacts.
    mu: f64,
    x: Vec3,
    z: Vec3,
    scaling: Scaling,
    /// Direction of `û_T`.
    t: Vec3,
    /// `q + W r + μ|û_T| e_N − û` of a contact, the residual of an equation.
    f: Vec3,
    dx: Vec3,
    dz: Vec3,
}

struct Path<'a, D> {
    local: &'a Local,
    op: &'a mut D,
    r: Vec<Vec3>,
    /// `û` of contacts.
    hat: Vec<Vec3>,
    /// `q + W r`.
    u: Vec<Vec3>,
    row: Vec<Row>,
    x: Vec<Mat3>,
    y: Vec<Mat3>,
    dr: Vec<Vec3>,
    /// Number of contacts, on all processes, and the gap `x·z` of each in the middle of the cones.
    contacts: f64,
    middle: f64,
    /// Share of the derivative of `μ|û_T|` in the linearisation, and steps until it may grow.
    share: f64,
    wait: u32,
    /// Whether the last step was short.
    hindered: bool,
}

/// Solves from the middle of the cones, within `limit` factorisations. `patience` is that of the Newton method after a
/// path that ended early. Zero is measured only if no reactions are needed: reactions that are small enough to reach
/// the goal would be missing in every step.
pub fn interior_point<D: Delassus>(
    op: &mut D,
    local: &Local,
    criterion: &mut StoppingCriterion,
    limit: u32,
    patience: u32,
) -> Outcome {
    let mut outcome = Outcome::default();
    let n = local.len();
    let mut f = vec![Vec3::zeros(); n];
    let zero = vec![Vec3::zeros(); n];
    let first = residual(op, local, &local.q, &zero, &mut f);
    if first == 0.0 {
        criterion.reached(op, local, &zero, &local.q);
        return outcome;
    }
    let mut best = (f64::INFINITY, zero);
    for second in [false, true] {
        let held = if second { stick(op, local) } else { None };
        let mut path = Path::new(op, local, held.as_deref());
        let (mut next_try, mut halved) = (FIRST_TRY * first, Patience::new(f64::INFINITY, PATIENCE));
        let start = outcome.iterations;
        while outcome.iterations < limit && path.advance() {
            outcome.iterations += 1;
            if criterion.reached(path.op, local, &path.r, &path.u) {
                return outcome;
            }
            let now = residual(path.op, local, &path.u, &path.r, &mut f);
            if now < next_try {
                next_try = NEXT_TRY * now;
                let budget = TRY.min(limit - outcome.iterations);
                outcome.iterations +=
                    proximal_newton(path.op, local, criterion, &path.r, TRY_ALPHA, budget, TRY).iterations;
                if criterion.best_value <= 1.0 {
                    return outcome;
                }
            }
            if now < best.0 {
                best.0 = now;
                best.1.copy_from_slice(&path.r);
            }
            if halved.ends(now, outcome.iterations - start) {
                break;
            }
        }
    }
    let left = limit - outcome.iterations;
    outcome.iterations += proximal_newton(op, local, criterion, &best.1, LAST_ALPHA, left, patience).iterations;
    outcome
}

/// Goes along the path, for so many steps or until the goal is reached, from the middle of the cones, or from points
/// around a guess until the goal is near. The steps made; the best iterate is that of `criterion`.
pub fn along_path<D: Delassus>(
    op: &mut D,
    local: &Local,
    criterion: &mut StoppingCriterion,
    guess: Option<&[Vec3]>,
    steps: u32,
) -> u32 {
    let mut path = Path::new(op, local, None);
    if let Some(guess) = guess {
        path.surround(guess);
    }
    let mut count = 0;
    while count < steps && path.advance() {
        count += 1;
        let reached = criterion.reached(path.op, local, &path.r, &path.u);
        if reached || guess.is_some() && criterion.best_value < NEARLY {
            break;
        }
    }
    count
}

impl<'a, D: Delassus> Path<'a, D> {
    fn new(op: &'a mut D, local: &'a Local, held: Option<&[Vec3]>) -> Self {
        let n = local.len();
        let zeros = || vec![Vec3::zeros(); n];
        let mut path = Path {
            local,
            op,
            r: zeros(),
            hat: zeros(),
            u: local.q.clone(),
            row: vec![Row::default(); n],
            x: vec![Mat3::zeros(); n],
            y: vec![Mat3::zeros(); n],
            dr: zeros(),
            contacts: 0.0,
            middle: 0.0,
            share: 1.0,
            wait: 0,
            hindered: false,
        };
        path.centre(held);
        path
    }

    /// The first point: all contacts alike, of the size of `q`, and not less than the forces that would hold them.
    fn centre(&mut self, held: Option<&[Vec3]>) {
        let local = self.local;
        let (mut size, mut scale) = (0.0, Vec::new());
        for (i, row) in self.row.iter_mut().enumerate() {
            let Kind::Contact { friction } = local.kind[i] else { continue };
            row.contact = true;
            row.frictionless = friction <= FRICTIONLESS;
            row.mu = if row.frictionless { 1.0 } else { friction };
            size += local.q[i].xy().norm_squared() + (local.q[i].z / row.mu).powi(2);
            scale.push(local.scale[i]);
        }
        let [size, contacts] = self.op.total([size, scale.len() as f64]);
        self.contacts = contacts;
        if contacts == 0.0 {
            return;
        }
        let middle = upper_median(self.op, &scale, contacts);
        let velocity = (size / contacts).sqrt().max(f64::MIN_POSITIVE.sqrt());
        let force = velocity / middle;
        self.middle = velocity * force;
        for (i, row) in self.row.iter().enumerate().filter(|(_, row)| row.contact) {
            let held = held.map_or(0.0, |r| r[i].norm());
            self.r[i].z = force.max(held) / row.mu;
            self.hat[i].z = velocity * row.mu;
        }
        local.velocities(self.op, &self.r, &mut self.u);
    }

    /// Begins around a guess in place of the middle: `x − z`, both as velocities, is that of the guess, and
    /// `x ∘ z = σ e` with a `σ` that allows for the distance from a solution.
    fn surround(&mut self, guess: &[Vec3]) {
        if self.contacts == 0.0 {
            return;
        }
        self.r.copy_from_slice(guess);
        self.local.velocities(self.op, &self.r, &mut self.u);
        let local = self.local;
        let contacts: Vec<usize> = (0..self.row.len()).filter(|&i| self.row[i].contact).collect();
        let apart = |&i: &usize| {
            let (x, z) = self.pair(i);
            (x - lorentz::split(&(x - z), 0.0).0).norm_squared() / local.scale[i]
        };
        let [squares] = self.op.total([contacts.iter().map(apart).sum()]);
        let gap = (AROUND * squares / self.contacts).max(LEAST_GAP * self.middle).min(self.middle);
        for &i in &contacts {
            let (scale, mu) = (local.scale[i], self.row[i].mu);
            let (x, z) = self.pair(i);
            let (x, z) = lorentz::split(&(x - z), scale * gap);
            self.r[i] = Vec3::new(x.x, x.y, x.z / mu) / scale;
            self.hat[i] = unscale(mu, &z);
        }
        local.velocities(self.op, &self.r, &mut self.u);
    }

    /// `x` and `z` of contact `i` at its reaction and velocity, which need not lie in the cones; `x` as a velocity.
    fn pair(&self, i: usize) -> (Vec3, Vec3) {
        let (row, scale, r, u) = (&self.row[i], self.local.scale[i], &self.r[i], &self.u[i]);
        if row.frictionless {
            return (Vec3::new(0.0, 0.0, scale * r.z), Vec3::new(0.0, 0.0, u.z));
        }
        let x = Vec3::new(r.x, r.y, row.mu * r.z) * scale;
        (x, Vec3::new(u.x, u.y, u.z / row.mu + u.xy().norm()))
    }

    /// One step along the path; false when there is none.
    fn advance(&mut self) -> bool {
        self.linearise();
        if !self.op.factor(&self.x, &self.y) {
            return false;
        }
        let gap = self.gap(0.0);
        if !self.solve(|Scaling { v, .. }, _, _| -lorentz::product(v, v)) {
            return false;
        }
        let mut length = self.longest_step().min(1.0);
        let mut recentre = false;
        if self.contacts > 0.0 {
            let shrink = (self.gap(length) / gap).clamp(0.0, 1.0).powi(3).max(LEAST_SHRINK);
            let middle = Vec3::new(0.0, 0.0, shrink * gap / self.contacts);
            let corrected = self.solve(|Scaling { v, s, inverse, .. }, dx, dz| {
                middle - lorentz::product(v, v) - lorentz::product(&(s * dx), &(inverse * dz))
            });
            if !corrected {
                return false;
            }
            length = ((0.9 + 0.09 * length) * self.longest_step()).min(1.0);
            if length < SHORT {
                let middle = Vec3::new(0.0, 0.0, CENTRING * gap / self.contacts);
                if !self.solve(|Scaling { v, .. }, _, _| middle - lorentz::product(v, v)) {
                    return false;
                }
                length = (0.9 * self.longest_step()).min(1.0);
            }
            recentre = length < SHORT;
        }
        for (i, row) in self.row.iter().enumerate() {
            self.r[i] += length * self.dr[i];
            if row.contact {
                self.hat[i] += length * unscale(row.mu, &row.dz);
            }
        }
        if recentre {
            self.recentre(gap / self.contacts);
        }
        self.local.velocities(self.op, &self.r, &mut self.u);
        self.weigh_shift(length);
        length > LEAST_STEP
    }

    /// With its whole derivative the shift makes the linear system indefinite where sliding lifts or wedges a contact,
    /// and steps become short; with none of it the iteration is that of convex problems with a shift that lags behind.
    /// One short step is not enough to tell: a share taken away then costs the fast end of the path.
    fn weigh_shift(&mut self, length: f64) {
        let before = std::mem::replace(&mut self.hindered, length < HINDERED);
        if before && self.hindered {
            (self.share, self.wait) = ((LESS_SHIFT * self.share).max(LEAST_SHIFT), FREE_STEPS);
        } else if self.wait > 1 {
            self.wait -= 1;
        } else {
            self.share = (MORE_SHIFT * self.share).min(1.0);
        }
    }

    /// Moves contacts that are too near to the boundary of their cones inside, where `x ∘ z` would be about `middle`.
    fn recentre(&mut self, middle: f64) {
        for (i, row) in self.row.iter().enumerate().filter(|(_, row)| row.contact) {
            let (r, hat) = (&mut self.r[i], &mut self.hat[i]);
            let (slip, hold) = (hat.xy().norm(), r.xy().norm());
            let (x, z) = (row.mu * r.z, hat.z / row.mu);
            let (least_x, least_z) = ((middle / (z + slip)).min(x), (middle / (x + hold)).min(z));
            if x - hold < NEAR * least_x {
                r.z += least_x / row.mu;
            }
            if z - slip < NEAR * least_z {
                hat.z += least_z * row.mu;
            }
        }
    }

    /// Residuals, scalings, and the rows of the linear system for `dr`.
    fn linearise(&mut self) {
        let local = self.local;
        for (i, row) in self.row.iter_mut().enumerate() {
            let (u, r, scale) = (&self.u[i], &self.r[i], local.scale[i]);
            if !row.contact {
                let linear = local.linearise(i, u, r, 1.0 / scale);
                row.f = linear.f;
                self.x[i] = linear.x;
                self.y[i] = linear.y + linear.x * (EQUATION_ALPHA * scale);
                continue;
            }
            let (mu, hat) = (row.mu, &self.hat[i]);
            let slip = hat.xy().norm();
            row.t = if slip > 0.0 { Vec3::new(hat.x / slip, hat.y / slip, 0.0) } else { Vec3::zeros() };
            row.f = u - hat;
            row.f.z += mu * slip;
            row.x = Vec3::new(r.x, r.y, mu * r.z);
            row.z = Vec3::new(hat.x, hat.y, hat.z / mu);
            row.scaling = Scaling::new(&row.x, &row.z);
            // S² in the unknowns `r`: its normal row and column times μ.
            let mut y = row.scaling.square;
            [y.m13, y.m23, y.m31, y.m32] = [y.m13, y.m23, y.m31, y.m32].map(|entry| mu * entry);
            y.m33 *= mu * mu;
            let mut x = Mat3::identity();
            if row.frictionless {
                row.f = Vec3::new(0.0, 0.0, row.f.z);
                x = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, 1.0));
                y = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, y.m33));
            } else {
                let friction = self.share * mu * (row.t.transpose() * y);
                y.set_row(2, &(y.row(2) - friction));
            }
            (self.x[i], self.y[i]) = (x, y);
        }
    }

    /// Steps that bring `x ∘ z` to `target` in the scaled space, which may depend on the last ones; false if they are
    /// not finite.
    fn solve(&mut self, target: impl Fn(&Scaling, &Vec3, &Vec3) -> Vec3) -> bool {
        for (i, row) in self.row.iter_mut().enumerate() {
            self.dr[i] = -row.f;
            if row.contact {
                let Scaling { s, v, of_v, .. } = &row.scaling;
                row.dz = s * lorentz::quotient(&target(&row.scaling, &row.dx, &row.dz), v, *of_v);
                let mut part = unscale(row.mu, &row.dz);
                if !row.frictionless {
                    part.z -= self.share * row.mu * row.t.dot(&part);
                }
                self.dr[i] += part;
            }
        }
        self.op.solve_roughly(&mut self.dr);
        for (row, dr) in self.row.iter_mut().zip(&self.dr).filter(|(row, _)| row.contact) {
            row.dx = Vec3::new(dr.x, dr.y, row.mu * dr.z);
            row.dz -= row.scaling.square * row.dx;
        }
        let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        self.op.all(self.dr.iter().all(finite) && self.row.iter().all(|row| finite(&row.dz)))
    }

    /// Σ x·z after a step of this length.
    fn gap(&self, length: f64) -> f64 {
        let contacts = self.row.iter().filter(|row| row.contact);
        let own = contacts.map(|row| (row.x + length * row.dx).dot(&(row.z + length * row.dz))).sum();
        let [sum] = self.op.total([own]);
        sum
    }

    /// The longest step that leaves all contacts in their cones, as far as one is of use.
    fn longest_step(&self) -> f64 {
        let contacts = self.row.iter().filter(|row| row.contact);
        let own = contacts.fold(LONGEST, |bound, Row { x, z, dx, dz, scaling, .. }| {
            let bound = lorentz::longest_step(x, dx, scaling.of_x, bound);
            lorentz::longest_step(z, dz, scaling.of_z, bound)
        });
        least(self.op, std::iter::once(own))
    }
}

/// The number that takes place `⌊count/2⌋`, counted from 0, among the `count` positive numbers of all processes:
/// bisection on the bits of the number, which are in its order.
fn upper_median<D: Delassus>(op: &D, own: &[f64], count: f64) -> f64 {
    let place = (0.5 * count).floor();
    let (mut low, mut high) = (0, f64::INFINITY.to_bits());
    while low < high {
        let middle = low + (high - low) / 2;
        let [up_to] = op.total([own.iter().filter(|x| x.to_bits() <= middle).count() as f64]);
        if up_to > place {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    f64::from_bits(low)
}

/// `û` of `z`.
fn unscale(mu: f64, z: &Vec3) -> Vec3 {
    Vec3::new(z.x, z.y, mu * z.z)
}
