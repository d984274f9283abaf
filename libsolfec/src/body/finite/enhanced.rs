//! Hexahedra with enhanced strains, which neither lock in bending nor where the material is nearly incompressible.
//!
//! Nine modes `M` are added to Green's strain: in the natural directions of the centre each normal strain is linear along
//! its own direction, and each shear along both of its own (Andelfinger and Ramm 1993; Klinkel and Wagner 1997). They are
//! scaled by `det J₀ / det J`, so that constant stress does no work on them and the patch test is passed (Simo and Rifai
//! 1990). The elasticity is linear in the strain, so the amplitudes `α` that make the energy least are found at once:
//!
//! ```text
//! α = −D⁻¹ ∫ Mᵀ C E dV,   D = ∫ Mᵀ C M dV,   S = C (E + M α)
//! ```
//!
//! and `D` belongs to the reference configuration. The energy is `½ ∫ E : S dV`. The stiffness is at most that of the
//! plain element, so that the bound of its frequencies holds.

use nalgebra::{SMatrix, SVector};

use super::grid::Grid;
use crate::body::kirchhoff::Kirchhoff;
use crate::math::{Mat3, Vec3};
use crate::shape::ElementKind;

/// Number of modes.
pub const MODES: usize = 9;
/// Points of integration of a hexahedron.
const POINTS: usize = 8;

type Amplitudes = SVector<f64, MODES>;

/// Pairs of natural directions of a mode, and the direction along which it grows.
const GROWTH: [([usize; 2], usize); MODES] = [
    ([0, 0], 0),
    ([1, 1], 1),
    ([2, 2], 2),
    ([0, 1], 0),
    ([0, 1], 1),
    ([1, 2], 1),
    ([1, 2], 2),
    ([0, 2], 0),
    ([0, 2], 2),
];

/// The modes of a hexahedron of one material.
#[derive(Debug, Clone)]
pub struct Enhanced {
    /// Strain of each mode where its natural coordinate is 1 and the volume is that of the centre.
    strain: [Mat3; MODES],
    /// `det J₀` [m³].
    center: f64,
    /// `det J₀ / det J` of the points.
    scale: [f64; POINTS],
    /// Natural coordinates of the points.
    natural: [Vec3; POINTS],
    inverse: SMatrix<f64, MODES, MODES>,
}

impl Enhanced {
    /// Of element `e` of a mesh; `None` of other elements than hexahedra.
    pub fn new(grid: &Grid, e: usize, law: &Kirchhoff) -> Option<Enhanced> {
        let element = &grid.mesh.elements[e];
        if element.kind != ElementKind::Hex {
            return None;
        }
        let corners = element.gather(|node| grid.mesh.nodes[node as usize]);
        let jacobian = |at: &Vec3| element.kind.jacobian(&corners, at);
        let (j0, rule) = (jacobian(&Vec3::zeros()), element.kind.quadrature());
        let (center, inverse) = (j0.determinant(), j0.try_inverse()?);
        let natural: [Vec3; POINTS] = std::array::from_fn(|q| rule[q].natural);
        let strain = GROWTH.map(|([a, b], _)| {
            let outer = inverse.row(a).transpose() * inverse.row(b);
            (outer + outer.transpose()) * 0.5
        });
        let scale = natural.map(|at| center / jacobian(&at).determinant());
        let mut of = Enhanced { strain, center, scale, natural, inverse: SMatrix::zeros() };
        let matrix = SMatrix::<f64, MODES, MODES>::from_fn(|k, l| {
            let sum: f64 = (0..POINTS).map(|q| of.growth(k, q) * of.growth(l, q) * of.scale[q]).sum();
            sum * center * of.strain[k].dot(&law.elastic(&of.strain[l]))
        });
        of.inverse = matrix.cholesky()?.inverse();
        Some(of)
    }

    fn growth(&self, mode: usize, q: usize) -> f64 {
        self.natural[q][GROWTH[mode].1]
    }

    /// `∫ Mᵀ S dV` of stresses at the points.
    fn work(&self, stress: &[Mat3; POINTS]) -> Amplitudes {
        let along = |k: usize| stress.iter().enumerate().map(|(q, s)| s * self.growth(k, q)).sum::<Mat3>();
        Amplitudes::from_fn(|k, _| self.center * self.strain[k].dot(&along(k)))
    }

    /// The strain `M α` at a point.
    fn mode(&self, q: usize, amplitude: &Amplitudes) -> Mat3 {
        (0..MODES).map(|k| self.strain[k] * (amplitude[k] * self.growth(k, q) * self.scale[q])).sum()
    }

    /// Second stresses of Green's strains at the points, or their changes from changes of strain.
    pub fn stress(&self, law: &Kirchhoff, strain: &[Mat3; POINTS]) -> [Mat3; POINTS] {
        let plain = strain.map(|e| law.elastic(&e));
        let amplitude = -(self.inverse * self.work(&plain));
        std::array::from_fn(|q| plain[q] + law.elastic(&self.mode(q, &amplitude)))
    }

    /// What the modes take away from the blocks of the tangent, `Lᵀ D⁻¹ L` with `L = ∫ Mᵀ C B dV`, at deformation
    /// gradients `f` of the points.
    pub fn soften(&self, law: &Kirchhoff, f: &[Mat3; POINTS], gradients: &[[Vec3; 8]; POINTS], out: &mut [Mat3; 64]) {
        let stress = self.strain.map(|strain| law.elastic(&strain));
        // Of each node: the work of the stress of each mode on its unit displacements, B_aᵀ C M = F C M ∂Nₐ.
        let rows: [SMatrix<f64, 3, MODES>; 8] = std::array::from_fn(|a| {
            let mut row = SMatrix::zeros();
            for (q, f) in f.iter().enumerate() {
                let gradient = gradients[q][a] * self.center;
                for (k, stress) in stress.iter().enumerate() {
                    let mut column = row.column_mut(k);
                    column += f * (stress * gradient) * self.growth(k, q);
                }
            }
            row
        });
        for (a, row) in rows.iter().enumerate() {
            let left = row * self.inverse;
            for (b, column) in rows.iter().enumerate() {
                out[a * 8 + b] -= left * column.transpose();
            }
        }
    }
}
