//! Elastic forces, tangents and energies of elements: `f = ∫ P ∂N dV` with `P = F S(E)` (docs/theory.md 3).

use super::grid::{gradient, Cell, Grid, NODES};
use super::laws::{Law, Laws};
use crate::math::{Mat3, Vec3};

/// Blocks of an element, of each pair of its nodes.
pub type Blocks = [Mat3; NODES * NODES];

/// Deformation at the points of integration of an element.
#[derive(Default)]
struct Points {
    /// Deformation gradients.
    f: Vec<Mat3>,
    /// Green's strains of the displacements.
    strain: Vec<Mat3>,
    /// Second Piola–Kirchhoff stresses [Pa].
    stress: Vec<Mat3>,
}

impl Points {
    /// Those of an element at displacements `u` [m] of its nodes.
    fn set(&mut self, cell: Cell<'_>, law: Law<'_>, u: &[Vec3]) {
        self.f.clear();
        self.f.extend(cell.points().map(|(_, gradients)| Mat3::identity() + gradient(u, &gradients)));
        self.strain.clear();
        self.strain.extend(self.f.iter().map(|f| (f.tr_mul(f) - Mat3::identity()) * 0.5));
        stresses(cell, law, &self.strain, &mut self.stress);
    }
}

/// Second stresses of Green's strains at the points of an element, or changes of one from changes of the other.
fn stresses(cell: Cell<'_>, law: Law<'_>, strain: &[Mat3], out: &mut Vec<Mat3>) {
    out.clear();
    out.extend(strain.iter().enumerate().map(|(q, strain)| law.at(q).elastic(strain)));
    if let Some(enhanced) = cell.enhanced {
        enhanced.relax(&law.mean, out);
    }
}

/// Adds the internal forces of the nodes of some elements at places `x` [m] to `force` [N], with a sign. Returns the
/// largest norm of the Green–Lagrange strain at a point of integration.
pub fn add_forces(
    grid: &Grid,
    laws: &Laws,
    elements: impl Iterator<Item = usize>,
    x: &[Vec3],
    sign: f64,
    force: &mut [Vec3],
) -> f64 {
    let (mut points, mut largest) = (Points::default(), 0f64);
    for (cell, law) in elements.map(|e| (grid.cell(e), laws.of(grid, e))) {
        points.set(cell, law, &displacements(grid, cell, x));
        for (q, (volume, gradients)) in cell.points().enumerate() {
            let p = points.f[q] * points.stress[q] * (sign * volume);
            cell.nodes.iter().zip(gradients).for_each(|(&node, g)| force[node as usize] += p * g);
        }
        largest = points.strain.iter().map(Mat3::norm_squared).fold(largest, f64::max);
    }
    largest.sqrt()
}

/// Adds `sign` times the forces of the stresses that belong to the strain rates of the velocities `v` to `force`, which
/// act at places `x`. The strain rates are those at places `x − back v`: zero where they turn without strain.
pub fn add_viscous(grid: &Grid, laws: &Laws, x: &[Vec3], (v, back): (&[Vec3], f64), sign: f64, force: &mut [Vec3]) {
    let (mut points, mut strain_rate, mut stress_rate) = (Points::default(), Vec::new(), Vec::new());
    for (e, cell) in grid.cells().enumerate() {
        let law = laws.of(grid, e);
        points.set(cell, law, &displacements(grid, cell, x));
        let velocity = cell.gather(|node| v[node]);
        strain_rate.clear();
        strain_rate.extend(cell.points().zip(&points.f).map(|((_, gradients), f)| {
            let rate = gradient(&velocity, &gradients);
            let product = (f - rate * back).tr_mul(&rate);
            (product + product.transpose()) * 0.5
        }));
        stresses(cell, law, &strain_rate, &mut stress_rate);
        for (q, (volume, gradients)) in cell.points().enumerate() {
            let p = points.f[q] * stress_rate[q] * (sign * volume);
            cell.nodes.iter().zip(gradients).for_each(|(&node, g)| force[node as usize] += p * g);
        }
    }
}

/// Whether a principal stretch at a point of integration is below `least`: `FᵀF − least²` is not positive.
pub fn is_crushed(grid: &Grid, x: &[Vec3], least: f64) -> bool {
    let below = |u: &[Vec3], gradients: &[Vec3]| {
        let f = Mat3::identity() + gradient(u, gradients);
        let c = f.tr_mul(&f) - Mat3::from_diagonal_element(least * least);
        c.m11 <= 0.0 || c.m11 * c.m22 <= c.m12 * c.m12 || c.determinant() <= 0.0
    };
    grid.cells().any(|cell| {
        let u = displacements(grid, cell, x);
        cell.points().any(|(_, gradients)| below(&u, &gradients))
    })
}

/// Stored energy `∫ ½ E : S dV` [J].
pub fn energy(grid: &Grid, laws: &Laws, x: &[Vec3]) -> f64 {
    let mut points = Points::default();
    let of = |(e, cell): (usize, Cell<'_>)| {
        points.set(cell, laws.of(grid, e), &displacements(grid, cell, x));
        let work = cell.points().zip(points.strain.iter().zip(&points.stress));
        work.map(|((volume, _), (strain, stress))| 0.5 * volume * strain.dot(stress)).sum::<f64>()
    };
    grid.cells().enumerate().map(of).sum()
}

/// How much of the stress there is in a tangent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geometric {
    pub share: f64,
    /// Only the positive semidefinite part of it.
    pub positive: bool,
}

impl Geometric {
    /// The derivative of the forces.
    pub const WHOLE: Geometric = Geometric { share: 1.0, positive: false };
}

/// Blocks of the tangent of an element at places `x` [N/m], row by row, `n` in a row:
/// `∫ (∂Nₐ·S ∂N_b) I + λ a ⊗ b + μ b ⊗ a + μ (∂Nₐ·∂N_b) F Fᵀ dV` with `a = F ∂Nₐ`, `b = F ∂N_b`.
pub fn tangent(grid: &Grid, law: Law<'_>, cell: Cell<'_>, x: &[Vec3], geometric: Geometric, out: &mut Blocks) {
    let n = cell.nodes.len();
    out[..n * n].fill(Mat3::zeros());
    let mut points = Points::default();
    points.set(cell, law, &displacements(grid, cell, x));
    for (q, (volume, gradients)) in cell.points().enumerate() {
        let f = points.f[q];
        let mut s = points.stress[q] * (geometric.share * volume);
        if geometric.positive {
            s = positive_part(&s);
        }
        let here = law.at(q);
        let left = f * f.transpose() * (here.mu * volume);
        let (lambda, mu) = (here.lambda * volume, here.mu * volume);
        let mut carried = [Vec3::zeros(); NODES];
        carried.iter_mut().zip(&gradients).for_each(|(carried, g)| *carried = f * g);
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
    if let Some(enhanced) = cell.enhanced {
        enhanced.soften(&law.mean, &points.f, cell.points().map(|(_, gradients)| gradients), out);
    }
}

fn displacements(grid: &Grid, cell: Cell<'_>, x: &[Vec3]) -> [Vec3; NODES] {
    cell.gather(|node| x[node] - grid.mesh.nodes[node])
}

/// The symmetric matrix without its negative eigenvalues.
fn positive_part(s: &Mat3) -> Mat3 {
    let eigen = s.symmetric_eigen();
    let values = eigen.eigenvalues.map(|value| value.max(0.0));
    eigen.eigenvectors * Mat3::from_diagonal(&values) * eigen.eigenvectors.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{ElementKind, Mesh};

    #[test]
    fn bodies_that_are_pulled_are_not_crushed() {
        let corners = ElementKind::Hex.corner_coordinates();
        let mesh = Mesh::hex(&corners, [1; 3], 1, &[1; 6], [None; 3]).expect("a mesh");
        let grid = Grid::new("a box", mesh).expect("a grid");
        for (stretches, crushed) in [([1.5, 1.0, 1.2], false), ([1.5, 0.66, 1.0], false), ([1.5, 1.0, 0.64], true)] {
            let x: Vec<Vec3> = grid.mesh.nodes.iter().map(|x| x.component_mul(&Vec3::from(stretches))).collect();
            assert_eq!(is_crushed(&grid, &x, 0.65), crushed, "{stretches:?}");
        }
    }
}
