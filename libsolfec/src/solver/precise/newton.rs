//! Semismooth Newton with a line search inside a proximal point loop.
//!
//! Every outer step solves the problem with `u + α D (r − r_k)` in place of `u`, `D` the scales of the rows. For large
//! `α` the rows decouple and the Newton iteration converges from anywhere near; as `α → 0` the steps tend to those of
//! Newton's method for the problem itself. `α` falls after easy steps and grows after failed ones.

use super::{all_finite, Local, Outcome, Patience, StoppingCriterion};
use crate::dynamics::Delassus;
use crate::math::{Mat3, Vec3};

/// `ρ` of the contact map times the scale of the row.
const MAP: f64 = 3.0;
/// Newton steps of one proximal step, and among how many residuals the line search looks for the largest.
const STEPS: usize = 30;
const MEMORY: usize = 5;
/// Least step of the line search, and growth of the residual with which the best step is taken if none is good.
const LEAST_STEP: f64 = 1e-3;
const GROWTH: f64 = 2.0;
/// Proximal weight of the second start.
const STICK_ALPHA: f64 = 1e-6;
/// Bounds of α.
const LEAST_ALPHA: f64 = 1e-10;
const LARGEST_ALPHA: f64 = 1e3;

/// Reactions under which all contacts stick and joints hold, with a proximal term: where friction is not monotone the
/// iteration may need to start there.
pub fn stick<D: Delassus>(op: &mut D, local: &Local) -> Option<Vec<Vec3>> {
    let identity = vec![Mat3::identity(); local.len()];
    let proximal: Vec<Mat3> = local.scale.iter().map(|s| Mat3::from_diagonal_element(STICK_ALPHA * s)).collect();
    let mut r: Vec<Vec3> = local.q.iter().map(|q| -q).collect();
    if !op.factor(&identity, &proximal) {
        return None;
    }
    op.solve(&mut r);
    op.all(all_finite(&r)).then_some(r)
}

/// A state of the iteration: `u = q + W r + α D (r − centre)`.
#[derive(Default)]
struct State {
    r: Vec<Vec3>,
    u: Vec<Vec3>,
}

struct Newton<'a, D> {
    op: &'a mut D,
    local: &'a Local,
    alpha: f64,
    centre: Vec<Vec3>,
    at: State,
    trial: State,
    step: State,
    f: Vec<Vec3>,
    x: Vec<Mat3>,
    y: Vec<Mat3>,
    /// `u` without the proximal term.
    plain: Vec<Vec3>,
}

/// Improves `r` until the goal is reached, within `limit` factorisations, of which the last `patience` must have
/// halved the measure. One step is made from a guess that is good enough: forces of springs must not lag behind.
pub fn proximal_newton<D: Delassus>(
    op: &mut D,
    local: &Local,
    criterion: &mut StoppingCriterion,
    r: &[Vec3],
    alpha: f64,
    limit: u32,
    patience: u32,
) -> Outcome {
    let n = local.len();
    let zeros = || vec![Vec3::zeros(); n];
    let state = || State { r: zeros(), u: zeros() };
    let mut newton = Newton {
        op,
        local,
        alpha,
        centre: r.to_vec(),
        at: state(),
        trial: state(),
        step: state(),
        f: zeros(),
        x: vec![Mat3::zeros(); n],
        y: vec![Mat3::zeros(); n],
        plain: zeros(),
    };
    let mut outcome = Outcome::default();
    let mut patience = Patience::new(f64::INFINITY, patience);
    while outcome.iterations < limit && newton.alpha <= LARGEST_ALPHA {
        newton.start();
        let reached = criterion.reached(newton.op, local, &newton.at.r, &newton.at.u);
        if reached && outcome.iterations > 0 {
            break;
        }
        let before = newton.residual();
        let budget = STEPS.min((limit - outcome.iterations) as usize);
        let tolerance = 0.1 * newton.alpha.min(1.0) * before;
        let end = newton.solve(criterion, tolerance, budget, |value, steps| {
            patience.ends(value, outcome.iterations + steps as u32)
        });
        outcome.iterations += end.steps as u32;
        // Without a step nothing can get better: the equations are met to the last digit, the stopping criterion wants
        // more.
        if end.stop || end.steps == 0 {
            break;
        }
        let after = newton.plain_residual();
        if end.solved || after < before {
            newton.centre.copy_from_slice(&newton.at.r);
        }
        newton.alpha = match (end.solved, end.steps) {
            (true, 0..=6) => (0.1 * newton.alpha).max(LEAST_ALPHA),
            (true, 0..=12) => (0.3 * newton.alpha).max(LEAST_ALPHA),
            (true, _) => newton.alpha,
            (false, _) => 10.0 * newton.alpha,
        };
    }
    outcome
}

/// How the iteration inside one proximal step ended.
struct End {
    steps: usize,
    solved: bool,
    /// The goal is reached, or there is no progress.
    stop: bool,
}

impl<D: Delassus> Newton<'_, D> {
    /// Goes to the centre.
    fn start(&mut self) {
        self.at.r.copy_from_slice(&self.centre);
        self.local.velocities(self.op, &self.at.r, &mut self.at.u);
    }

    /// Newton steps until the residual is at most `tolerance`, the goal is reached, or `stalled` with the best value so
    /// far; goes to the best iterate.
    fn solve(
        &mut self,
        criterion: &mut StoppingCriterion,
        tolerance: f64,
        limit: usize,
        mut stalled: impl FnMut(f64, usize) -> bool,
    ) -> End {
        let mut residuals = [0.0; MEMORY];
        let mut best = (f64::INFINITY, self.at.r.clone());
        let mut end = End { steps: 0, solved: false, stop: false };
        loop {
            let residual = self.linearise();
            if residual < best.0 {
                best.0 = residual;
                best.1.copy_from_slice(&self.at.r);
            }
            if residual <= tolerance {
                end.solved = true;
                break;
            }
            if end.steps == limit {
                break;
            }
            residuals[end.steps % MEMORY] = residual;
            let largest = residuals.iter().copied().fold(0.0, f64::max);
            end.steps += 1;
            if !self.direction() || !self.search(residual, largest) {
                break;
            }
            self.unshift();
            let reached = criterion.reached(self.op, self.local, &self.at.r, &self.plain);
            if reached || stalled(criterion.last_value, end.steps) {
                end.stop = true;
                break;
            }
        }
        self.at.r.copy_from_slice(&best.1);
        end
    }

    /// Residual and derivatives at the present state; the norm of the residual.
    fn linearise(&mut self) -> f64 {
        let local = self.local;
        for i in 0..local.len() {
            let scale = local.scale[i];
            let row = local.linearise(i, &self.at.u[i], &self.at.r[i], MAP / scale);
            self.f[i] = row.f;
            self.x[i] = row.x;
            self.y[i] = row.y + row.x * (self.alpha * scale);
        }
        local.force_norm(self.op, &self.f)
    }

    /// The Newton step; false if there is none.
    fn direction(&mut self) -> bool {
        let local = self.local;
        if !self.op.factor(&self.x, &self.y) {
            return false;
        }
        for (step, f) in self.step.r.iter_mut().zip(&self.f) {
            *step = -f;
        }
        self.op.solve(&mut self.step.r);
        let State { r, u } = &mut self.step;
        self.op.product(r, u);
        for i in 0..local.len() {
            u[i] += self.alpha * local.scale[i] * r[i];
        }
        self.op.all(all_finite(r))
    }

    /// Halves the step until the residual falls below the `largest` of the last ones; false if it never does.
    fn search(&mut self, residual: f64, largest: f64) -> bool {
        let (mut length, mut best) = (1.0, (f64::INFINITY, 0.0));
        while length > LEAST_STEP {
            let found = self.try_step(length);
            if found <= (1.0 - 1e-4 * length) * largest {
                std::mem::swap(&mut self.at, &mut self.trial);
                return true;
            }
            if found < best.0 {
                best = (found, length);
            }
            length *= 0.5;
        }
        if best.0 < GROWTH * residual {
            self.try_step(best.1);
            std::mem::swap(&mut self.at, &mut self.trial);
            return true;
        }
        false
    }

    /// The residual at a step of this length.
    fn try_step(&mut self, length: f64) -> f64 {
        for i in 0..self.local.len() {
            self.trial.r[i] = self.at.r[i] + length * self.step.r[i];
            self.trial.u[i] = self.at.u[i] + length * self.step.u[i];
        }
        residual(self.op, self.local, &self.trial.u, &self.trial.r, &mut self.f)
    }

    fn residual(&mut self) -> f64 {
        residual(self.op, self.local, &self.at.u, &self.at.r, &mut self.f)
    }

    /// Residual of the problem without the proximal term.
    fn plain_residual(&mut self) -> f64 {
        self.local.velocities(self.op, &self.at.r, &mut self.plain);
        residual(self.op, self.local, &self.plain, &self.at.r, &mut self.f)
    }

    fn unshift(&mut self) {
        for i in 0..self.local.len() {
            let shift = self.alpha * self.local.scale[i] * (self.at.r[i] - self.centre[i]);
            self.plain[i] = self.at.u[i] - shift;
        }
    }
}

/// Norm of the residual of all rows.
pub fn residual<D: Delassus>(op: &D, local: &Local, u: &[Vec3], r: &[Vec3], f: &mut [Vec3]) -> f64 {
    for i in 0..local.len() {
        f[i] = local.residual(i, &u[i], &r[i], MAP / local.scale[i]);
    }
    local.force_norm(op, f)
}
