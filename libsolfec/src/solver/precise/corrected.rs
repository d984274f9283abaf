//! Gauss–Seidel sweeps with Newton corrections.
//!
//! Sweeps settle which contacts are open, stick or slide and damp all errors that are local; what they leave changes
//! little from one body to the next and is nearly free of changes of status, so one step of the semismooth Newton
//! method removes it. After every correction some sweeps repair what it has broken. It is the scheme of Gräser and
//! Kornhuber (2009) for obstacle problems, with a factorisation in place of their multigrid correction.
//!
//! The correction is a proximal step, as in [`super::newton`]: some Newton steps solve with `u + α D (r − r_k)` in
//! place of `u`. Where factorisations are dear it is one step, and sweeps do the rest. Where the steps come to an end
//! the next `α` is smaller, where they do not it is larger.

use super::memory::Memory;
use super::stopping::{over, Patience};
use super::{all_finite, interior, Goal, Local, StoppingCriterion};
use crate::dynamics::Delassus;
use crate::math::{Mat3, Vec3};
use crate::model::BlockSolver;
use crate::solver::contact::Method;
use crate::solver::kernel::{Item, Items, Kernel};
use crate::solver::merit::Measure;
use crate::solver::{cone, Law};

/// Block solves need few digits where corrections meet the rest, and more where sweeps do most of the work.
const METHOD: Method = Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-2, limit: 100 };
const DEAR_EPSILON: f64 = 1e-8;
/// `ρ` of the contact map times the scale of the row.
const MAP: f64 = 3.0;
/// Sweeps before the first correction.
const FIRST_SWEEPS: u32 = 5;
/// Factorisations from the guess, where they are cheap, those from an iterate of the interior point method, and those
/// that must halve the measure.
const FIRST_LIMIT: u32 = 20;
const LAST_LIMIT: u32 = 50;
const PATIENCE: u32 = 30;
/// Steps of the interior point method from whose best iterates corrections begin again, one after another; those around
/// a guess, and the factorisations from there.
const PATH_STEPS: [u32; 2] = [16, 28];
const AROUND_STEPS: u32 = 16;
const AROUND_LIMIT: u32 = 40;
/// Newton steps of a correction, at most; the fall of the residual that ends them, and the one that two steps must
/// achieve from the third on.
const MOST_STEPS: usize = 12;
const SOLVED: f64 = 0.1;
const FALL: f64 = 0.7;
/// Bounds of the proximal weight, its first value, and by how much it grows, and falls after a correction of few Newton
/// steps.
const LEAST_ALPHA: f64 = 1e-7;
const FIRST_ALPHA: f64 = 1e-2;
const LARGEST_ALPHA: f64 = 1.0;
const GROWTH: f64 = 4.0;
const SHRINKAGE: f64 = 6.0;
/// Factorisations are dear that cost more than so many sweeps: products of blocks for each constraint. None are where
/// reactions are hardly unique, as in walls, as sweeps get nowhere there. With dear ones a correction has one Newton
/// step, sweeps follow in any case, and the weight, its first and its largest value, changes by this.
const DEAR: f64 = 120.0;
const DEAR_PATIENCE: u32 = 6;
const DEAR_ALPHA: f64 = 1e-3;
const DEAR_LARGEST: f64 = 1e-1;
const DEAR_CHANGE: f64 = 10.0;
const MOST_SWEEPS: u32 = 40;
/// A measure that falls by this without a correction that came to an end: the weight need not grow.
const GOOD: f64 = 0.1;

/// An iterate in the reactions of the operator, its velocities and its measure over the tolerance.
#[derive(Debug, Default)]
struct Iterate {
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    value: f64,
}

impl Iterate {
    fn new(n: usize) -> Self {
        Iterate { r: vec![Vec3::zeros(); n], u: vec![Vec3::zeros(); n], value: f64::INFINITY }
    }
}

/// Proximal weight of the next correction, and sweeps after it.
#[derive(Debug, Clone, Copy)]
struct Next {
    alpha: f64,
    sweeps: u32,
}

/// What the sweeps and corrections did.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcome {
    /// The measure reached, over the tolerance.
    pub value: f64,
    pub factorisations: u32,
    pub sweeps: u32,
    /// Solved blocks that were active.
    pub active: u64,
    /// Proximal weight of the first correction that worked, or a smaller one to try if it worked at once.
    worked: Option<f64>,
}

struct Corrected<'a, D> {
    /// Factorisations cost much more than sweeps.
    dear: bool,
    op: &'a mut D,
    laws: &'a [Law],
    local: &'a Local,
    measure: &'a Measure<'a>,
    goal: Goal,
    kernel: Kernel<'a>,
    count: Outcome,
    best: Iterate,
    current: Iterate,
    trial: Iterate,
    /// That of the Newton steps of a correction.
    inner: Iterate,
    step: Vec<Vec3>,
    x: Vec<Mat3>,
    y: Vec<Mat3>,
    parts: Vec<f64>,
}

/// The problem: laws, the rows with restitution and cohesion shifted out, and what ends the solve.
pub type Problem<'a> = (&'a [Law], &'a Local, &'a Measure<'a>, Goal);

/// Where corrections begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Guess,
    /// Where sweeps got no further: several Newton steps for each correction then, whatever a factorisation costs.
    Swept,
    /// Around the guess on the path of the interior point method, whatever a factorisation costs: its first steps bring
    /// all contacts near to their status at once, and corrections add the digits for which the path is long.
    Path,
}

/// Improves the reactions `r` of the operator until `goal` is reached or no progress is made, with about `limit`
/// factorisations; `sweeps` are made after corrections that do not lower the measure. The first proximal weight is
/// that of `memory`. Where that leads nowhere soon, corrections begin again at iterates of the interior point method
/// from the middle of the cones.
pub fn corrected_sweeps<D: Delassus>(
    op: &mut D,
    problem: Problem,
    r: &mut [Vec3],
    start: Start,
    (limit, sweeps): (u32, u32),
    memory: &mut Memory,
) -> Outcome {
    let dear = start == Start::Guess && factors_are_dear(op);
    let mut total = match start {
        Start::Path => along_path(op, problem, r, Along { around: true, steps: AROUND_STEPS }, (AROUND_LIMIT, sweeps)),
        Start::Guess | Start::Swept => rounds(op, problem, r, (limit, sweeps), (Stage::First, dear), memory),
    };
    let limit = if start == Start::Path { limit + total.factorisations } else { limit };
    for steps in PATH_STEPS {
        if dear || total.value <= 1.0 || total.factorisations >= limit {
            break;
        }
        let mut found = r.to_vec();
        let left = limit - total.factorisations;
        let next = along_path(op, problem, &mut found, Along { around: false, steps }, (left, sweeps));
        if next.value < total.value {
            r.copy_from_slice(&found);
        }
        total = Outcome {
            value: next.value.min(total.value),
            factorisations: total.factorisations + next.factorisations,
            sweeps: total.sweeps + next.sweeps,
            active: total.active + next.active,
            worked: total.worked,
        };
    }
    total
}

/// Steps of the interior point method, around the reactions or from the middle of the cones.
#[derive(Debug, Clone, Copy)]
struct Along {
    around: bool,
    steps: u32,
}

/// Corrections from the best of so many steps of the interior point method, where they do not reach the goal
/// themselves, with about `limit` factorisations in all. The best reactions are left in `r`.
fn along_path<D: Delassus>(
    op: &mut D,
    problem: Problem,
    r: &mut [Vec3],
    Along { around, steps }: Along,
    (limit, sweeps): (u32, u32),
) -> Outcome {
    let (laws, local, measure, goal) = problem;
    let mut criterion = StoppingCriterion::new(*measure, goal);
    let guess = around.then(|| local.guess(laws, r));
    let path = interior::along_path(op, local, &mut criterion, guess.as_deref(), steps);
    local.restore(&criterion.best, r);
    let mut outcome = Outcome { value: criterion.best_value, ..Outcome::default() };
    if outcome.value > 1.0 {
        let left = limit.saturating_sub(path);
        outcome = rounds(op, problem, r, (left, sweeps), (Stage::Last, false), &mut Memory::default());
    }
    Outcome { factorisations: path + outcome.factorisations, ..outcome }
}

/// Whether a factorisation costs much more than what sweeps do.
pub fn factors_are_dear<D: Delassus>(op: &mut D) -> bool {
    let rows = op.rows() as f64;
    op.prepare_factors().is_none_or(|cost| !cost.redundant && cost.products > DEAR * rows)
}

/// Whether corrections begin from the guess, where others may yet do better, or from a better iterate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    First,
    Last,
}

/// Sweeps and corrections from `r`.
fn rounds<D: Delassus>(
    op: &mut D,
    (laws, local, measure, goal): Problem,
    r: &mut [Vec3],
    (limit, sweeps): (u32, u32),
    (stage, dear): (Stage, bool),
    memory: &mut Memory,
) -> Outcome {
    let n = laws.len();
    let mut items = Items::default();
    items.arrange(op, |row| {
        let (block, v) = (measure.blocks[row], op.previous()[row].z);
        Item { form: laws[row].form_at(&op.diagonal()[row], &block, v), block, v }
    });
    let method = if dear { Method { epsilon: DEAR_EPSILON, ..METHOD } } else { METHOD };
    let kernel = Kernel::new(&items, method, measure.conditions);
    let mut state = Corrected {
        dear,
        op,
        laws,
        local,
        measure,
        goal,
        kernel,
        count: Outcome::default(),
        best: Iterate::new(n),
        current: Iterate::new(n),
        trial: Iterate::new(n),
        inner: Iterate::new(n),
        step: vec![Vec3::zeros(); n],
        x: vec![Mat3::zeros(); n],
        y: vec![Mat3::zeros(); n],
        parts: vec![0.0; n],
    };
    for (i, (trial, r)) in state.trial.r.iter_mut().zip(&*r).enumerate() {
        *trial = laws[i].clip(r);
    }
    state.run(limit, sweeps, memory.weight(), stage);
    memory.record_weight(state.count.worked);
    r.copy_from_slice(&state.best.r);
    Outcome { value: state.best.value, ..state.count }
}

impl<D: Delassus> Corrected<'_, D> {
    fn run(&mut self, limit: u32, sweeps: u32, weight: Option<f64>, stage: Stage) {
        self.evaluate();
        if stage == Stage::First && self.op.rows() > 0 {
            // One sweep even from a guess that is good enough: forces of springs must not lag behind.
            self.sweep_on(if self.best.value <= 1.0 { 1 } else { FIRST_SWEEPS });
        }
        std::mem::swap(&mut self.current, &mut self.trial);
        let alpha = if self.dear { DEAR_ALPHA } else { weight.unwrap_or(FIRST_ALPHA) };
        let first = match stage {
            Stage::First if self.dear => limit,
            Stage::First => limit.min(FIRST_LIMIT),
            Stage::Last => limit.min(LAST_LIMIT),
        };
        self.run_rounds(first, Next { alpha, sweeps });
        if stage == Stage::Last && !self.dear && self.best.value > 1.0 && self.count.factorisations < limit {
            self.dear = true;
            self.trial.r.copy_from_slice(&self.best.r);
            self.evaluate();
            std::mem::swap(&mut self.current, &mut self.trial);
            self.run_rounds(limit, Next { alpha: DEAR_ALPHA, sweeps });
        }
    }

    /// Rounds from the current iterate until they make no progress.
    fn run_rounds(&mut self, limit: u32, mut next: Next) {
        let (least, first) = (next.sweeps, self.count.factorisations);
        let mut patience = Patience::new(self.best.value, if self.dear { DEAR_PATIENCE } else { PATIENCE });
        while self.best.value > 1.0
            && self.count.factorisations < limit
            && !patience.ends(self.best.value, self.count.factorisations - first)
        {
            next = if self.dear { self.round_of_sweeps(next, least) } else { self.round_of_steps(next) };
        }
    }

    /// A correction of several Newton steps, and sweeps if it does not lower the measure.
    fn round_of_steps(&mut self, Next { alpha, sweeps }: Next) -> Next {
        let before = self.current.value;
        let steps = self.correct(alpha, MOST_STEPS);
        let mut after = self.trial.value;
        let corrected = steps.is_some() && after < before;
        if !corrected {
            self.sweep(sweeps);
            after = after.min(self.trial.value);
        }
        if corrected && self.count.worked.is_none() {
            let at_once = steps.is_some_and(|steps| steps <= 4 && self.count.factorisations as usize == steps);
            self.count.worked = Some(if at_once { alpha / SHRINKAGE.sqrt() } else { alpha });
        }
        if self.trial.value < before {
            std::mem::swap(&mut self.current, &mut self.trial);
        }
        let alpha = match steps {
            Some(0..=2) if corrected => alpha / SHRINKAGE,
            Some(3..=4) if corrected => alpha / SHRINKAGE.sqrt(),
            Some(_) if corrected => alpha,
            Some(_) | None if after < GOOD * before => alpha,
            Some(_) | None => alpha * GROWTH,
        };
        Next { alpha: alpha.clamp(LEAST_ALPHA, LARGEST_ALPHA), sweeps }
    }

    /// A correction of one Newton step, and sweeps that repair the status of contacts.
    fn round_of_sweeps(&mut self, Next { alpha, sweeps }: Next, least: u32) -> Next {
        let before = self.current.value;
        self.correct(alpha, 1);
        self.sweep(sweeps);
        let after = self.trial.value;
        let next = if after <= 0.5 * before {
            Next { alpha: (alpha / DEAR_CHANGE).max(LEAST_ALPHA), sweeps: least }
        } else {
            let alpha = if alpha < DEAR_LARGEST { alpha * DEAR_CHANGE } else { DEAR_ALPHA };
            Next { alpha, sweeps: (2 * sweeps).min(MOST_SWEEPS) }
        };
        if after >= before {
            self.trial.r.copy_from_slice(&self.current.r);
            self.op.start(&self.trial.r);
            self.sweep(next.sweeps);
        }
        std::mem::swap(&mut self.current, &mut self.trial);
        next
    }

    /// Measures the trial reactions, which also tells the operator about them. Collective.
    fn evaluate(&mut self) {
        let Iterate { r, u, value } = &mut self.trial;
        self.op.apply(r, u);
        let measure = self.goal.measure(self.op, self.measure, r, u, &mut self.parts);
        *value = over(measure, self.goal.tolerance());
        if *value < self.best.value || *value <= 1.0 {
            self.best.value = *value;
            self.best.r.copy_from_slice(r);
        }
    }

    /// Sweeps from the trial reactions, which the operator knows, unless the goal is reached; measures.
    fn sweep(&mut self, sweeps: u32) {
        if self.best.value > 1.0 {
            self.sweep_on(sweeps);
        }
    }

    fn sweep_on(&mut self, sweeps: u32) {
        self.count.sweeps += sweeps;
        for _ in 0..sweeps {
            self.count.active += self.op.sweep(&mut self.trial.r, &self.kernel).active as u64;
        }
        self.evaluate();
    }

    /// The trial iterate is the current one after a proximal step, cut to the cones; the number of Newton steps that
    /// it took, if they came to an end.
    fn correct(&mut self, alpha: f64, most: usize) -> Option<usize> {
        let steps = self.proximal_step(alpha, most);
        if !self.op.all(all_finite(&self.inner.r)) {
            self.inner.r.copy_from_slice(&self.current.r);
        }
        for (i, r) in self.inner.r.iter().enumerate() {
            self.trial.r[i] = shorten(&self.laws[i], r);
        }
        self.evaluate();
        steps
    }

    /// At most so many Newton steps from the current iterate, which is the centre, to the proximal point.
    fn proximal_step(&mut self, alpha: f64, most: usize) -> Option<usize> {
        self.inner.r.copy_from_slice(&self.current.r);
        self.inner.u.copy_from_slice(&self.current.u);
        let mut residuals = [0.0; MOST_STEPS + 1];
        for k in 0..=most {
            if most == 1 && k == 1 {
                return None;
            }
            residuals[k] = self.linearise(alpha);
            if k > 0 && residuals[k] < SOLVED * residuals[0] {
                return Some(k);
            }
            if k == most || (k >= 3 && residuals[k] > FALL * residuals[k - 2]) {
                break;
            }
            self.count.factorisations += 1;
            if !self.op.factor(&self.x, &self.y) {
                break;
            }
            self.op.solve_roughly(&mut self.step);
            self.inner.r.iter_mut().zip(&self.step).for_each(|(r, step)| *r += step);
            self.op.apply(&self.inner.r, &mut self.inner.u);
        }
        None
    }

    /// The Newton system at the inner iterate; the norm of its residual.
    fn linearise(&mut self, alpha: f64) -> f64 {
        let local = self.local;
        for i in 0..local.len() {
            let (scale, at) = (local.scale[i], &self.inner);
            let r = at.r[i] + Vec3::new(0.0, 0.0, local.cohesion[i]);
            let moved = alpha * scale * (at.r[i] - self.current.r[i]);
            let u = at.u[i] + Vec3::new(0.0, 0.0, local.bounce[i]) + moved;
            let row = local.linearise(i, &u, &r, MAP / scale);
            self.step[i] = -row.f;
            self.x[i] = row.x;
            self.y[i] = row.y + row.x * (alpha * scale);
        }
        local.force_norm(self.op, &self.step)
    }
}

/// The reaction that the law admits and that has the normal part of `r`, if that is admissible.
fn shorten(law: &Law, r: &Vec3) -> Vec3 {
    let Law::Coulomb { friction, cohesion, .. } = *law else { return law.clip(r) };
    let normal = (r.z + cohesion).max(0.0);
    let (bound, size) = (friction * normal, cone::tangential(r));
    let scale = if size > bound { bound / size } else { 1.0 };
    Vec3::new(scale * r.x, scale * r.y, normal - cohesion)
}
