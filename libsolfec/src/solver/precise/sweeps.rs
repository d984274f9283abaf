//! Accelerated Gauss–Seidel sweeps with a forecast of the sweeps that are left to do.

use super::stopping::{over, Patience};
use super::Goal;
use crate::dynamics::Delassus;
use crate::math::Vec3;
use crate::model::BlockSolver;
use crate::solver::anderson::Anderson;
use crate::solver::contact::Method;
use crate::solver::gauss_seidel::GROWTH;
use crate::solver::kernel::{Item, Items, Kernel};
use crate::solver::merit::Measure;
use crate::solver::Unknowns;

/// The exact block solver is the first fall-back.
const METHOD: Method = Method { solver: BlockSolver::SemismoothNewton, epsilon: 1e-12, limit: 100 };

/// Sweeps from a guess, and the best iterate so far.
pub struct Sweeps<'a> {
    goal: Goal,
    measure: Measure<'a>,
    items: Items,
    pub count: u32,
    /// Sweeps that others made.
    pub more: u32,
    /// Of the best iterate, over the tolerance.
    pub best_value: f64,
    pub best: Vec<Vec3>,
    /// Sweeps and value at each measurement.
    history: Vec<(u32, f64)>,
}

impl<'a> Sweeps<'a> {
    pub fn new<D: Delassus>(op: &D, goal: Goal, measure: Measure<'a>) -> Self {
        let mut items = Items::default();
        items.arrange(op, |row| {
            let (block, v) = (measure.blocks[row], op.previous()[row].z);
            Item { form: measure.laws[row].form_at(&op.diagonal()[row], &block, v), block, v }
        });
        let best = vec![Vec3::zeros(); op.len()];
        Sweeps { goal, measure, items, count: 0, more: 0, best_value: f64::INFINITY, best, history: Vec::new() }
    }

    /// Sweeps from `unknowns.r` until the goal is reached, the last `patience` sweeps did not halve the measure, or
    /// `stop` says so, which is asked after each measurement with the number of active blocks of the last sweep.
    /// Measures at the start, then at growing distances, and where the change of reactions in a sweep promises the goal:
    /// both are energies, and their ratio changes slowly.
    pub fn run<D: Delassus>(
        &mut self,
        op: &mut D,
        unknowns: &mut Unknowns,
        patience: u32,
        mut stop: impl FnMut(&mut Self, &mut D, usize) -> bool,
    ) {
        let kernel_items = std::mem::take(&mut self.items);
        let kernel = Kernel::new(&kernel_items, METHOD, self.measure.conditions);
        let mut patience = Patience::new(f64::INFINITY, patience);
        let (mut next, mut active) = (self.count, 0);
        let (mut change, mut ratio) = (f64::NAN, f64::NAN);
        op.start(unknowns.r);
        let mut anderson = Anderson::<3>::default();
        anderson.begin(unknowns.r, GROWTH);
        loop {
            if self.count == next || ratio * change <= 1.0 {
                let value = self.evaluate(op, unknowns);
                let stalled = patience.ends(value, self.count) || !value.is_finite();
                if self.best_value <= 1.0 || stalled || stop(self, op, active) {
                    break;
                }
                next = (self.count + 1).max(self.count + self.count / 4);
                ratio = value / change;
            }
            if anderson.replace(self.measure.laws, unknowns.r) {
                op.start(unknowns.r);
            }
            active = op.sweep(unknowns.r, &kernel).active;
            self.count += 1;
            change = anderson.take_in(op, self.measure.blocks, unknowns.r);
        }
        self.items = kernel_items;
    }

    fn evaluate<D: Delassus>(&mut self, op: &mut D, unknowns: &mut Unknowns) -> f64 {
        let Unknowns { r, u, merit: parts } = unknowns;
        op.apply(r, u);
        let value = over(self.goal.measure(op, &self.measure, r, u, parts), self.goal.tolerance());
        if value < self.best_value {
            self.best_value = value;
            self.best.copy_from_slice(r);
        }
        self.history.push((self.count, value));
        value
    }

    /// Sweeps to go if the measure falls as it did over the last half of the sweeps.
    pub fn left(&self) -> f64 {
        let Some(&(now, value)) = self.history.last() else { return f64::INFINITY };
        let half = self.history.iter().rev().find(|(count, _)| 2 * count <= now);
        let rate = half.map_or(0.0, |(then, before)| (before / value).ln() / f64::from(now - then));
        if rate > 0.0 {
            value.ln() / rate
        } else {
            f64::INFINITY
        }
    }
}
