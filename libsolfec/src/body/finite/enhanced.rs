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

use crate::body::kirchhoff::Kirchhoff;
use crate::math::{Mat3, Vec3};
use crate::shape::{Element, ElementKind};

/// Number of modes.
pub const MODES: usize = 9;
/// Points of integration of a hexahedron.
const POINTS: usize = 8;

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

/// The modes of a hexahedron.
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
    /// `D` of the parts `tr(E) I` and `E` of the elasticity [m³].
    volumetric: SMatrix<f64, MODES, MODES>,
    isotropic: SMatrix<f64, MODES, MODES>,
}

impl Enhanced {
    /// Of an element of a mesh with these nodes; `None` of other elements than hexahedra.
    pub fn new(element: &Element, nodes: &[Vec3]) -> Option<Enhanced> {
        if element.kind != ElementKind::Hex {
            return None;
        }
        let corners = element.gather(|node| nodes[node as usize]);
        let jacobian = |at: &Vec3| element.kind.jacobian(&corners, at);
        let (j0, rule) = (jacobian(&Vec3::zeros()), element.kind.quadrature());
        let (center, inverse) = (j0.determinant(), j0.try_inverse()?);
        let natural: [Vec3; POINTS] = std::array::from_fn(|q| rule[q].natural);
        let strain = GROWTH.map(|([a, b], _)| {
            let outer = inverse.row(a).transpose() * inverse.row(b);
            (outer + outer.transpose()) * 0.5
        });
        let scale = natural.map(|at| center / jacobian(&at).determinant());
        let zero = SMatrix::zeros();
        let mut of = Enhanced { strain, center, scale, natural, volumetric: zero, isotropic: zero };
        let volume = |k: usize, l: usize| {
            (0..POINTS).map(|q| of.growth(k, q) * of.growth(l, q) * of.scale[q]).sum::<f64>() * center
        };
        let volumes = SMatrix::<f64, MODES, MODES>::from_fn(volume);
        of.volumetric = volumes.map_with_location(|k, l, v| v * strain[k].trace() * strain[l].trace());
        of.isotropic = volumes.map_with_location(|k, l, v| v * strain[k].dot(&strain[l]));
        Some(of)
    }

    /// Amplitudes of the modes under forces on them: `D⁻¹ f`.
    fn answer<const N: usize>(&self, law: &Kirchhoff, force: &SMatrix<f64, MODES, N>) -> SMatrix<f64, MODES, N> {
        let matrix = self.volumetric * law.lambda + self.isotropic * (2.0 * law.mu);
        matrix.cholesky().map_or(SMatrix::repeat(f64::NAN), |factor| factor.solve(force))
    }

    fn growth(&self, mode: usize, q: usize) -> f64 {
        self.natural[q][GROWTH[mode].1]
    }

    /// Amplitudes `α` at plain stresses `C E` of the points [Pa].
    fn amplitudes(&self, law: &Kirchhoff, plain: &[Mat3]) -> SVector<f64, MODES> {
        let along = |k: usize| plain.iter().enumerate().map(|(q, s)| s * self.growth(k, q)).sum::<Mat3>();
        let work = SVector::<f64, MODES>::from_fn(|k, _| self.center * self.strain[k].dot(&along(k)));
        -self.answer(law, &work)
    }

    /// The strain `M α` at a natural place with this determinant of the Jacobian, from plain stresses of the points.
    pub fn mode_at(&self, law: &Kirchhoff, plain: &[Mat3], natural: &Vec3, jacobian: f64) -> Mat3 {
        let amplitude = self.amplitudes(law, plain) * (self.center / jacobian);
        (0..MODES).map(|k| self.strain[k] * (amplitude[k] * natural[GROWTH[k].1])).sum()
    }

    /// Adds to stresses `C E` at the points, or to their changes, those of the modes.
    pub fn relax(&self, law: &Kirchhoff, stress: &mut [Mat3]) {
        let amplitude = self.amplitudes(law, stress);
        for (q, stress) in stress.iter_mut().enumerate() {
            let mode: Mat3 = (0..MODES).map(|k| self.strain[k] * (amplitude[k] * self.growth(k, q))).sum();
            *stress += law.elastic(&mode) * self.scale[q];
        }
    }

    /// Takes `Lᵀ D⁻¹ L` with `L = ∫ Mᵀ C B dV` away from the blocks of the tangent, at deformation gradients and
    /// gradients of the shape functions of the points.
    pub fn soften<'a>(
        &self,
        law: &Kirchhoff,
        f: &[Mat3],
        gradients: impl Iterator<Item = &'a [Vec3]>,
        out: &mut [Mat3; 64],
    ) {
        let stress = self.strain.map(|strain| law.elastic(&strain));
        // Of each node: the work of the stress of each mode on its unit displacements, (B_aᵀ C M)ᵀ.
        let mut rows = SMatrix::<f64, MODES, 24>::zeros();
        for (q, (f, gradients)) in f.iter().zip(gradients).enumerate() {
            for (a, gradient) in gradients.iter().enumerate() {
                for (k, stress) in stress.iter().enumerate() {
                    let force = f * (stress * gradient) * (self.center * self.growth(k, q));
                    (0..3).for_each(|axis| rows[(k, 3 * a + axis)] += force[axis]);
                }
            }
        }
        let less = rows.transpose() * self.answer(law, &rows);
        for (a, b) in (0..64).map(|k| (k / 8, k % 8)) {
            out[8 * a + b] -= less.fixed_view::<3, 3>(3 * a, 3 * b);
        }
    }
}
