//! Flexible GMRES (Saad 1993). On the right, as preconditioner, the diagonal blocks, and the prescribed velocities of a
//! body as one block.

use super::prescribed::Prescribed;
use super::product::{rows, Product};
use super::rows::Row;
use crate::dynamics::Delassus;
use crate::math::Vec3;

/// Directions kept before the iteration starts anew.
const RESTART: usize = 20;

/// The system `(∇C + δI) x = −C`.
pub struct System<'a, D> {
    pub op: &'a mut D,
    pub product: &'a mut Product,
    pub rows: &'a [Row],
    pub prescribed: &'a mut Prescribed,
    pub delta: f64,
}

impl<D: Delassus> System<'_, D> {
    /// `out = (∇C + δI) x`.
    fn apply(&mut self, x: &[Vec3], scratch: &mut [Vec3], out: &mut [Vec3]) {
        self.product.apply(self.op, x, scratch);
        rows(out, |i| self.rows[i].apply(&scratch[i], &x[i], self.delta));
    }

    fn dot(&self, a: &[Vec3], b: &[Vec3]) -> f64 {
        let [sum] = self.op.sum(|i| [a[i].dot(&b[i])]);
        sum
    }

    fn norm(&self, a: &[Vec3]) -> f64 {
        self.dot(a, a).sqrt()
    }
}

/// Memory of the iteration: orthonormal directions, their preconditioned images, and the rest.
#[derive(Debug, Default)]
pub struct Basis {
    directions: Vec<Vec<Vec3>>,
    search: Vec<Vec<Vec3>>,
    residual: Vec<Vec3>,
    scratch: Vec<Vec3>,
    /// The guess and its image, both over the length of the image.
    guess: Vec<Vec3>,
    image: Vec<Vec3>,
    guessed: bool,
}

impl Basis {
    fn resize(&mut self, n: usize) {
        self.directions.resize_with(RESTART + 1, Vec::new);
        self.search.resize_with(RESTART, Vec::new);
        let vectors = self.directions.iter_mut().chain(&mut self.search);
        let others = [&mut self.residual, &mut self.scratch, &mut self.guess, &mut self.image];
        vectors.chain(others).for_each(|v| v.resize(n, Vec3::zeros()));
    }
}

/// Lowers the residual of `system` from the guess `x` to `epsilon |C|`, in at least one and at most `limit` iterations.
/// The guess is scaled by the factor that leaves the least residual, so that it is never worse than zero.
pub fn solve<D: Delassus>(system: &mut System<D>, basis: &mut Basis, x: &mut [Vec3], epsilon: f64, limit: u32) {
    basis.resize(x.len());
    let matrix_rows = system.rows;
    rows(&mut basis.residual, |i| -matrix_rows[i].residual);
    let tolerance = epsilon * system.norm(&basis.residual);
    scale_guess(system, basis, x);
    let mut spent = 0;
    while spent < limit {
        let (used, left) = cycle(system, basis, x, tolerance, limit - spent);
        spent += used;
        if left <= tolerance || used == 0 || spent == limit {
            return;
        }
        system.apply(x, &mut basis.scratch, &mut basis.directions[0]);
        let image = &basis.directions[0];
        rows(&mut basis.residual, |i| -matrix_rows[i].residual - image[i]);
    }
}

/// `x ← α x` with the least `|b − α A x|`, and the residual that leaves. The guess stays in the search space: all
/// further directions are kept clear of it.
fn scale_guess<D: Delassus>(system: &mut System<D>, basis: &mut Basis, x: &mut [Vec3]) {
    let Basis { residual, scratch, guess, image, guessed, .. } = basis;
    *guessed = false;
    if system.op.all(x.iter().all(|x| *x == Vec3::zeros())) {
        return;
    }
    system.apply(x, scratch, image);
    let length = system.norm(image);
    if !length.is_normal() {
        x.fill(Vec3::zeros());
        return;
    }
    *guessed = true;
    rows(guess, |i| x[i] / length);
    image.iter_mut().for_each(|image| *image /= length);
    let share = system.dot(residual, image);
    rows(x, |i| guess[i] * share);
    subtract(residual, image, share);
}

/// `a ← a − share b`.
fn subtract(a: &mut [Vec3], b: &[Vec3], share: f64) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a -= b * share);
}

/// At most [`RESTART`] iterations from the residual in `basis`; how many they were, and the residual norm they leave.
fn cycle<D: Delassus>(
    system: &mut System<D>,
    basis: &mut Basis,
    x: &mut [Vec3],
    tolerance: f64,
    limit: u32,
) -> (u32, f64) {
    let Basis { directions, search, residual, scratch, guess, image, guessed } = basis;
    let norm = system.norm(residual);
    if norm == 0.0 || !norm.is_finite() {
        return (0, norm);
    }
    rows(&mut directions[0], |i| residual[i] / norm);
    let mut triangle = [[0.0; RESTART]; RESTART];
    let mut right = [0.0; RESTART + 1];
    let mut turns = [(1.0, 0.0); RESTART];
    right[0] = norm;
    let mut k = 0;
    while k < RESTART && (k as u32) < limit && (k == 0 || right[k].abs() > tolerance) {
        let (old, new) = directions.split_at_mut(k + 1);
        let (direction, matrix_rows) = (&old[k], system.rows);
        rows(&mut search[k], |i| matrix_rows[i].solve_block(&direction[i]));
        system.prescribed.solve(matrix_rows, system.delta, direction, &mut search[k]);
        let next = &mut new[0];
        system.apply(&search[k], scratch, next);
        if *guessed {
            let share = system.dot(image, next);
            subtract(next, image, share);
            subtract(&mut search[k], guess, share);
        }
        let mut column = [0.0; RESTART + 1];
        for (j, v) in old.iter().enumerate() {
            let share = system.dot(v, next);
            column[j] = share;
            subtract(next, v, share);
        }
        let size = system.norm(next);
        if !size.is_finite() {
            break;
        }
        for (j, &(c, s)) in turns[..k].iter().enumerate() {
            (column[j], column[j + 1]) = (c * column[j] + s * column[j + 1], c * column[j + 1] - s * column[j]);
        }
        let length = column[k].hypot(size);
        if length == 0.0 {
            break;
        }
        let (c, s) = (column[k] / length, size / length);
        turns[k] = (c, s);
        (right[k + 1], right[k]) = (-s * right[k], c * right[k]);
        column[k] = length;
        for (row, entry) in triangle.iter_mut().zip(&column[..=k]) {
            row[k] = *entry;
        }
        k += 1;
        if size <= f64::EPSILON * length {
            break;
        }
        next.iter_mut().for_each(|next| *next /= size);
    }
    for i in (0..k).rev() {
        let known: f64 = (i + 1..k).map(|j| triangle[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / triangle[i][i];
    }
    for (share, search) in right[..k].iter().zip(search.iter()) {
        subtract(x, search, -share);
    }
    (k as u32, right[k].abs())
}
