//! The lowest modes of a free body.

use nalgebra::DVector;

use super::krylov::{allowed, smallest, Pairs, Search, FLOOR};
use super::scaled::Scaled;
use crate::body::{rigid_modes, Pencil};
use crate::math::Vec3;
use crate::{Error, Result};

/// Tolerance and restarts of a search that only asks whether there is a smaller eigenvalue.
const PROBE: (f64, usize) = (1e-3, 20);
/// Eigenvalues that differ by less are one.
const EQUAL: f64 = 1e-6;
/// A field is a null vector of the stiffness if its residual is below this multiple of the bound of the eigenvalues.
const NULL: f64 = 1e-12;
/// An eigenvalue below this multiple of their bound is zero.
const ZERO: f64 = 10.0 * FLOOR;
/// Where the sign of a mode is taken: the first component that is nearly as large as the largest.
const LARGE: f64 = 1.0 - 1e-6;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// Number of modes, those with eigenvalue zero included.
    pub count: usize,
    /// Largest `|K x − λ M x| / |λ M x|` in the norm of `M⁻¹`, where rounding allows that.
    pub tolerance: f64,
    /// Largest number of restarts.
    pub restarts: usize,
}

/// Modes of a body, eigenvalues ascending. `xᵀ M x = 1` of each and 0 of two; the largest component is positive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Modes {
    /// Eigenvalues [1/s²]; those of rigid modes are exactly zero.
    pub values: Vec<f64>,
    /// Displacements of the nodes.
    pub vectors: Vec<Vec<Vec3>>,
    /// `|K x − λ M x| / |λ M x|` of each, 0 for a zero eigenvalue.
    pub residuals: Vec<f64>,
    pub restarts: usize,
}

/// The lowest modes of a free body. At the reference configuration the first six are rigid; where stresses make the
/// body unstable, modes with negative eigenvalues come before those that are known.
///
/// # Errors
/// No modes or more than there are unknowns are wanted; residuals that stay large; a stiffness that is not finite.
pub fn modes(pencil: &Pencil, wanted: &Wanted) -> Result<Modes> {
    let mut op = Scaled::new(pencil)?;
    let name = pencil.name();
    if wanted.count == 0 || wanted.count > op.rank() {
        let (count, rank) = (wanted.count, op.rank());
        return Err(Error::input(format!("{name}: {count} modes are wanted; give a number from 1 to {rank}")));
    }
    let rigid: Vec<Vec<Vec3>> = rigid_modes(&pencil.places, &pencil.mass).into_iter().collect();
    let scaled: Vec<DVector<f64>> = rigid.iter().map(|x| op.scale(x)).collect();
    // Away from the reference configuration loads keep rotations from being null vectors.
    let null = |y: &DVector<f64>| op.apply(y).norm() <= NULL * op.bound;
    let null = if scaled.iter().all(null) { 6 } else { 3 };
    let known = &scaled[..null];
    // Those that are wanted beside the known ones, or one at least, which tells whether there are negative eigenvalues.
    let all = wanted.count.min(op.rank().saturating_sub(null));
    let mut count = wanted.count.saturating_sub(null).max(1).min(all);
    if op.is_coarse() {
        count = all;
        let lowest = smallest(&mut op, known, Search { count: 1, tolerance: PROBE.0, restarts: PROBE.1 }, 1);
        if let Some(least) = lowest.values.first() {
            op.sharpen(*least)?;
        }
    }
    let search = |count: usize| Search { count, tolerance: wanted.tolerance, restarts: wanted.restarts };
    let mut found = complete(&mut op, known, search(count));
    if count < all && found.values.first().is_some_and(|least| *least < -ZERO * op.bound) {
        found = complete(&mut op, known, search(all));
    }
    if !found.converged {
        return Err(failed(&op, name, &found, wanted));
    }
    let mut modes = Modes { restarts: found.restarts, ..Modes::default() };
    for x in rigid.into_iter().take(null) {
        modes.push(0.0, with_sign(x), 0.0);
    }
    for ((value, y), residual) in found.values.iter().zip(&found.vectors).zip(&found.residuals) {
        let zero = value.abs() <= ZERO * op.bound;
        let (value, residual) = if zero { (0.0, 0.0) } else { (*value, residual / value.abs()) };
        modes.push(value, with_sign(op.unscale(y)), residual);
    }
    modes.keep_lowest(wanted.count);
    Ok(modes)
}

/// Share of each mode in the motion of the whole body along x, y, z: `(Σ m x·e)²` [kg]. Over all modes they sum to the
/// mass.
pub fn effective_mass(mode: &[Vec3], mass: &[f64]) -> Vec3 {
    let sum: Vec3 = mode.iter().zip(mass).map(|(x, mass)| x * *mass).sum();
    sum.component_mul(&sum)
}

impl Modes {
    fn push(&mut self, value: f64, vector: Vec<Vec3>, residual: f64) {
        self.values.push(value);
        self.vectors.push(vector);
        self.residuals.push(residual);
    }

    /// The lowest, ascending; equal values keep their order.
    fn keep_lowest(&mut self, count: usize) {
        let mut order: Vec<usize> = (0..self.values.len()).collect();
        order.sort_by(|a, b| self.values[*a].total_cmp(&self.values[*b]));
        order.truncate(count);
        self.values = order.iter().map(|k| self.values[*k]).collect();
        self.residuals = order.iter().map(|k| self.residuals[*k]).collect();
        self.vectors = order.iter().map(|k| std::mem::take(&mut self.vectors[*k])).collect();
    }
}

/// The smallest pairs without a gap: after a search others look for smaller values in what is left, so that values of
/// high multiplicity are all there.
fn complete(op: &mut Scaled<'_>, known: &[DVector<f64>], search: Search) -> Pairs {
    let mut found = smallest(op, known, search, 1);
    // A search that finds one more at a time ends when there are no others.
    for seed in (2..).take(op.rank()) {
        let last = found.values.last().copied();
        let Some(last) = last.filter(|_| found.converged && !found.exhausted && found.values.len() == search.count)
        else {
            return found;
        };
        let all: Vec<DVector<f64>> = known.iter().chain(&found.vectors).cloned().collect();
        let probe = Search { count: 1, tolerance: PROBE.0, restarts: PROBE.1 };
        let least = last - EQUAL * last.abs().max(ZERO * op.bound);
        let missed = |pairs: &Pairs| pairs.values.first().is_some_and(|value| *value < least);
        if !missed(&smallest(op, &all, probe, seed)) {
            return found;
        }
        let more = smallest(op, &all, Search { count: 1, ..search }, seed);
        found.restarts += more.restarts;
        if !more.converged {
            return Pairs { converged: false, ..more };
        }
        found.merge(more, search.count);
    }
    found
}

impl Pairs {
    /// Takes in other pairs and keeps the smallest `count`.
    fn merge(&mut self, more: Pairs, count: usize) {
        for ((value, vector), residual) in more.values.into_iter().zip(more.vectors).zip(more.residuals) {
            let at = self.values.partition_point(|other| *other <= value);
            self.values.insert(at, value);
            self.vectors.insert(at, vector);
            self.residuals.insert(at, residual);
        }
        self.values.truncate(count);
        self.vectors.truncate(count);
        self.residuals.truncate(count);
    }
}

fn failed(op: &Scaled<'_>, name: &str, found: &Pairs, wanted: &Wanted) -> Error {
    // Zero eigenvalues have no relative residual.
    let relative = |(value, residual): (&f64, &f64)| residual / value.abs().max(ZERO * op.bound);
    let large = |(value, residual): &(&f64, &f64)| **residual > allowed(op, **value, wanted.tolerance);
    let worst = found.values.iter().zip(&found.residuals).filter(large).map(relative).fold(0.0, f64::max);
    Error::Solver(format!(
        "{name}: the eigenvalue solver has not converged in {} restarts (relative residual {worst:.1e}, wanted {:.1e}); \
         allow more restarts or a larger tolerance, or ask for fewer modes",
        wanted.restarts, wanted.tolerance
    ))
}

/// The mode or its opposite: the first of its largest components is positive.
fn with_sign(mut x: Vec<Vec3>) -> Vec<Vec3> {
    let largest = x.iter().map(Vec3::amax).fold(0.0, f64::max);
    let first = x.iter().flat_map(|x| x.iter()).find(|component| component.abs() >= LARGE * largest);
    if first.is_some_and(|component| *component < 0.0) {
        x.iter_mut().for_each(|x| *x = -*x);
    }
    x
}
