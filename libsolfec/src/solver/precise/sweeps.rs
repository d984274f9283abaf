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

    /// Sweeps from `unknowns.r`, at least one, until the goal is reached, the last `patience` sweeps did not halve the
    /// measure, or `stop` says so, which is asked after each measurement with the number of active blocks of the last
    /// sweep. One sweep is made whatever the measure of the guess is: in short steps the last reactions are good enough
    /// step after step, and forces of springs that lag behind feed energy into the motion.
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
                let swept = self.count > 0 || op.rows() == 0;
                let ends = if self.best_value <= 1.0 { swept } else { stalled || stop(self, op, active) };
                if ends {
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
        if value < self.best_value || value <= 1.0 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Assembled, BlockSparse};
    use crate::math::Mat3;
    use crate::model::{Analysis, PenaltyVariant};
    use crate::solver::{Block, Conditions, Law};

    /// A column of bodies that must not move, which sweeps approach slowly: on a fixed grid of counts a quarter apart
    /// they would end at 0.28 of the goal.
    #[test]
    fn sweeps_end_where_the_goal_is_reached() {
        let n = 40_u32;
        let block = |k: f64| Mat3::from_diagonal(&Vec3::new(1.0, 1.1, 0.9)) * k;
        let row = |i: u32| [(i, block(2.0))].into_iter().chain((i + 1 < n).then(|| (i + 1, block(-1.0)))).collect();
        let w = BlockSparse::from_upper(&(0..n).map(row).collect::<Vec<_>>());
        let free: Vec<Vec3> = (0..n).map(|i| Vec3::new(f64::from(i).sin(), 0.3, f64::from(i).cos())).collect();
        let zeros = vec![Vec3::zeros(); n as usize];
        let mut op = Assembled::new(w, free, zeros.clone()).expect("an operator");
        let laws = vec![Law::Velocity3 { target: Vec3::zeros() }; n as usize];
        let blocks: Vec<Block> = op.diagonal().iter().map(Block::new).collect();
        let conditions = Conditions { h: 1e-3, analysis: Analysis::Dynamic, energy: 0.0 };
        let measure = Measure::new(&op, &laws, &blocks, conditions, PenaltyVariant::Implicit);
        let mut ends = Vec::new();
        for k in 0..30 {
            let goal = Goal::Merit(1e-6 * 0.7_f64.powi(k));
            let (mut r, mut u, mut parts) = (zeros.clone(), zeros.clone(), vec![0.0; n as usize]);
            let mut unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
            let mut sweeps = Sweeps::new(&op, goal, measure);
            sweeps.run(&mut op, &mut unknowns, 2000, |_, _, _| false);
            assert!(sweeps.best_value <= 1.0 && sweeps.count > 20, "{} after {}", sweeps.best_value, sweeps.count);
            ends.push(sweeps.best_value);
        }
        let mean = ends.iter().sum::<f64>() / ends.len() as f64;
        assert!(mean > 0.7, "solves end at {mean} of the goal");
    }
}
