//! Elastic forces, tangents and energies of elements: `f = ∫ P ∂N dV` with `P = F S(E)` (docs/theory.md 3).

use super::grid::{gradient, Cell, Grid};
use crate::body::kirchhoff::Kirchhoff;
use crate::math::{Mat3, Vec3};

/// Adds the internal forces of the nodes of some elements at places `x` [m] to `force` [N], with a sign. Returns the
/// largest norm of the Green–Lagrange strain at a point of integration.
pub fn add_forces(
    grid: &Grid,
    laws: &[Kirchhoff],
    elements: impl Iterator<Item = usize>,
    x: &[Vec3],
    sign: f64,
    force: &mut [Vec3],
) -> f64 {
    let mut largest: f64 = 0.0;
    for (cell, law) in elements.map(|e| (grid.cell(e), &laws[e])) {
        let u = displacements(grid, cell, x);
        for (volume, gradients) in cell.points() {
            let f = Mat3::identity() + gradient(&u, gradients);
            let strain = (f.tr_mul(&f) - Mat3::identity()) * 0.5;
            largest = largest.max(strain.norm_squared());
            let p = f * law.elastic(&strain) * (sign * volume);
            cell.nodes.iter().zip(gradients).for_each(|(&node, g)| force[node as usize] += p * g);
        }
    }
    largest.sqrt()
}

/// Adds `sign` times the tangent stiffness at places `x` times the velocities or displacements `v` to `force`.
pub fn add_products(grid: &Grid, laws: &[Kirchhoff], x: &[Vec3], v: &[Vec3], sign: f64, force: &mut [Vec3]) {
    for (cell, law) in grid.cells().zip(laws) {
        let u = displacements(grid, cell, x);
        let rate = cell.gather(|node| v[node]);
        for (volume, gradients) in cell.points() {
            let f = Mat3::identity() + gradient(&u, gradients);
            let p = law.tangent_action(&f, &gradient(&rate, gradients)) * (sign * volume);
            cell.nodes.iter().zip(gradients).for_each(|(&node, g)| force[node as usize] += p * g);
        }
    }
}

/// Stored energy [J].
pub fn energy(grid: &Grid, laws: &[Kirchhoff], x: &[Vec3]) -> f64 {
    let of = |(cell, law): (Cell<'_>, &Kirchhoff)| {
        let u = displacements(grid, cell, x);
        let density =
            |(volume, gradients): (f64, &[Vec3])| volume * law.energy(&(Mat3::identity() + gradient(&u, gradients)));
        cell.points().map(density).sum::<f64>()
    };
    grid.cells().zip(laws).map(of).sum()
}

/// Blocks of the tangent of an element at places `x` [N/m], row by row, `n` in a row:
/// `∫ (∂Nₐ·S ∂N_b) I + λ a ⊗ b + μ b ⊗ a + μ (∂Nₐ·∂N_b) F Fᵀ dV` with `a = F ∂Nₐ`, `b = F ∂N_b`. With `positive` only the
/// positive semidefinite part of S is used.
pub fn tangent(grid: &Grid, law: &Kirchhoff, cell: Cell<'_>, x: &[Vec3], positive: bool, out: &mut [Mat3; 64]) {
    let n = cell.nodes.len();
    out[..n * n].fill(Mat3::zeros());
    let u = displacements(grid, cell, x);
    for (volume, gradients) in cell.points() {
        let f = Mat3::identity() + gradient(&u, gradients);
        let mut s = law.second_stress(&f) * volume;
        if positive {
            s = positive_part(&s);
        }
        let left = f * f.transpose() * (law.mu * volume);
        let (lambda, mu) = (law.lambda * volume, law.mu * volume);
        let mut carried = [Vec3::zeros(); 8];
        carried.iter_mut().zip(gradients).for_each(|(carried, g)| *carried = f * g);
        for a in 0..n {
            let stressed = s * gradients[a];
            for b in a..n {
                let geometric = stressed.dot(&gradients[b]);
                let outer = carried[a] * carried[b].transpose();
                let block = Mat3::from_diagonal_element(geometric)
                    + outer * lambda
                    + outer.transpose() * mu
                    + left * gradients[a].dot(&gradients[b]);
                out[a * n + b] += block;
            }
        }
    }
    for a in 0..n {
        for b in 0..a {
            out[a * n + b] = out[b * n + a].transpose();
        }
    }
}

fn displacements(grid: &Grid, cell: Cell<'_>, x: &[Vec3]) -> [Vec3; 8] {
    cell.gather(|node| x[node] - grid.mesh.nodes[node])
}

/// The symmetric matrix without its negative eigenvalues.
fn positive_part(s: &Mat3) -> Mat3 {
    let eigen = s.symmetric_eigen();
    let values = eigen.eigenvalues.map(|value| value.max(0.0));
    eigen.eigenvectors * Mat3::from_diagonal(&values) * eigen.eigenvectors.transpose()
}
