//! The mean rotation of a body: the rotation of the polar decomposition of its mean deformation gradient,
//! `F̄ = 1/V ∫ F dV = 1/V Σ xₐ ⊗ cₐ` with `cₐ = ∫ ∂Nₐ dV` (docs/theory.md 3). It needs no history.

use super::grid::Grid;
use crate::math::{polar_rotation, Mat3, Vec3};

/// Mean deformation of a mesh.
#[derive(Debug, Clone)]
pub struct Corotation {
    /// Of each node: `cₐ / V` [1/m].
    weight: Vec<Vec3>,
    /// Mean place of the nodes in the reference configuration [m].
    center: Vec3,
}

impl Corotation {
    pub fn new(grid: &Grid) -> Corotation {
        let mut weight = vec![Vec3::zeros(); grid.nodes()];
        let mut total = 0.0;
        for cell in grid.cells() {
            for (volume, gradients) in cell.points() {
                total += volume;
                cell.nodes.iter().zip(gradients).for_each(|(&node, g)| weight[node as usize] += g * volume);
            }
        }
        weight.iter_mut().for_each(|weight| *weight /= total);
        Corotation { weight, center: mean(&grid.mesh.nodes) }
    }

    /// Mean deformation gradient.
    pub fn deformation(&self, x: &[Vec3]) -> Mat3 {
        let center = mean(x);
        x.iter().zip(&self.weight).map(|(x, weight)| (x - center) * weight.transpose()).sum()
    }

    /// Mean rotation; `None` if the body as a whole is turned inside out.
    pub fn rotation(&self, x: &[Vec3]) -> Option<Mat3> {
        polar_rotation(&self.deformation(x))
    }

    /// Places of nodes whose displacements in the turned frame are these; their mean place stays that of `x`.
    pub fn place(&self, grid: &Grid, x: &mut [Vec3], rotation: &Mat3, displacements: &[Vec3]) {
        let center = mean(x);
        for ((x, reference), u) in x.iter_mut().zip(&grid.mesh.nodes).zip(displacements) {
            *x = center + rotation * (reference - self.center + u);
        }
    }

    /// Displacements in the frame that moves and turns with the body: `Rᵀ (x − x̄) − (X − X̄)`.
    pub fn displacements<'a>(
        &'a self,
        reference: &'a [Vec3],
        x: &'a [Vec3],
        rotation: &'a Mat3,
    ) -> impl Iterator<Item = Vec3> + 'a {
        let center = mean(x);
        x.iter().zip(reference).map(move |(x, reference)| rotation.tr_mul(&(x - center)) - (reference - self.center))
    }
}

fn mean(x: &[Vec3]) -> Vec3 {
    x.iter().sum::<Vec3>() / x.len() as f64
}
