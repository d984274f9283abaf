//! Hexahedra with enhanced strains, which neither lock in bending nor where the material is nearly incompressible.
//!
//! Twelve modes `M` are added to Green's strain: in the natural directions of the centre each normal strain is linear
//! along its own direction, and each shear along both of its own (Andelfinger and Ramm 1993; Klinkel and Wagner 1997);
//! changes of volume are bilinear in each pair of directions (Simo, Armero and Taylor 1993). They are scaled by `det J₀ / det J`, so that constant stress does no work on them and the patch test is passed (Simo and Rifai
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
use crate::meshdata::second_order::NODES;
use crate::shape::ElementKind;

/// Number of modes.
const MODES: usize = 12;
/// Those of a normal strain or a shear; the others are of the volume.
const NATURAL: usize = 9;
/// Points of integration of a hexahedron.
const POINTS: usize = 8;

/// Pairs of natural directions of a mode, and the direction along which it grows.
const GROWTH: [([usize; 2], usize); NATURAL] = [
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

/// How a mode grows with natural coordinates.
fn growth(mode: usize, at: &Vec3) -> f64 {
    match mode.checked_sub(NATURAL) {
        None => at[GROWTH[mode].1],
        Some(0) => at.y * at.z,
        Some(1) => at.x * at.z,
        Some(_) => at.x * at.y,
    }
}

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
    /// Of an element with these corners; `None` of other elements than hexahedra.
    pub fn new(kind: ElementKind, corners: &[Vec3; 8]) -> Option<Enhanced> {
        if kind != ElementKind::Hex {
            return None;
        }
        let jacobian = |at: &Vec3| kind.jacobian(corners, at);
        let (j0, rule) = (jacobian(&Vec3::zeros()), kind.quadrature());
        let (center, inverse) = (j0.determinant(), j0.try_inverse()?);
        let natural: [Vec3; POINTS] = std::array::from_fn(|q| rule[q].natural);
        let strain = std::array::from_fn(|mode| {
            let Some(([a, b], _)) = GROWTH.get(mode) else { return Mat3::identity() };
            let outer = inverse.row(*a).transpose() * inverse.row(*b);
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
        growth(mode, &self.natural[q])
    }

    /// Amplitudes `α` at plain stresses `C E` of the points [Pa].
    fn amplitudes(&self, law: &Kirchhoff, plain: &[Mat3]) -> SVector<f64, MODES> {
        let along = |k: usize| plain.iter().enumerate().map(|(q, s)| s * self.growth(k, q)).sum::<Mat3>();
        let work = SVector::<f64, MODES>::from_fn(|k, _| self.center * self.strain[k].dot(&along(k)));
        -self.answer(law, &work)
    }

    /// The strain `M α` at a natural place with this determinant of the Jacobian, from plain stresses of the points.
    fn mode_at(&self, law: &Kirchhoff, plain: &[Mat3], natural: &Vec3, jacobian: f64) -> Mat3 {
        let amplitude = self.amplitudes(law, plain) * (self.center / jacobian);
        (0..MODES).map(|k| self.strain[k] * (amplitude[k] * growth(k, natural))).sum()
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
    pub fn soften(
        &self,
        law: &Kirchhoff,
        f: &[Mat3],
        gradients: impl Iterator<Item = [Vec3; NODES]>,
        out: &mut [Mat3],
    ) {
        let stress = self.strain.map(|strain| law.elastic(&strain));
        // Of each node: the work of the stress of each mode on its unit displacements, (B_aᵀ C M)ᵀ.
        let mut rows = SMatrix::<f64, MODES, 24>::zeros();
        for (q, (f, gradients)) in f.iter().zip(gradients).enumerate() {
            for (a, gradient) in gradients.iter().take(8).enumerate() {
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

/// Deformation gradient and second stress [Pa] at a natural place of an element whose corners were at `then` and are at
/// `now`; `None` where the map of the reference configuration is singular.
pub fn element_stress(
    law: &Kirchhoff,
    (kind, enhanced): (ElementKind, bool),
    then: &[Vec3; 8],
    now: &[Vec3; 8],
    natural: &Vec3,
) -> Option<(Mat3, Mat3)> {
    let gradient = |at: &Vec3| Some(kind.jacobian(now, at) * kind.jacobian(then, at).try_inverse()?);
    let f = gradient(natural)?;
    let plain = law.second_stress(&f);
    let Some(modes) = Enhanced::new(kind, then).filter(|_| enhanced) else { return Some((f, plain)) };
    let points = modes.natural.map(|at| gradient(&at).map_or(Mat3::repeat(f64::NAN), |f| law.second_stress(&f)));
    let mode = modes.mode_at(law, &points, natural, kind.jacobian(then, natural).determinant());
    Some((f, plain + law.elastic(&mode)))
}

#[cfg(test)]
mod tests {
    use super::super::grid::Grid;
    use super::super::kernels::{add_forces, add_viscous, energy, tangent, Geometric};
    use super::super::laws::Laws;
    use super::*;
    use crate::shape::Mesh;

    /// A warped hexahedron with modes, and displaced places of its nodes.
    fn warped() -> (Grid, Laws, Vec<Vec3>) {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let corners = ElementKind::Hex.corner_coordinates().map(|x| x + Vec3::from_fn(|_, _| 0.4 * random()));
        let mesh = Mesh::hex(&corners, [1; 3], 1, &[1; 6], [None; 3]).expect("a mesh");
        let mut grid = Grid::new("a box", mesh).expect("a grid");
        grid.enhance();
        let x = grid.mesh.nodes.iter().map(|x| x + Vec3::from_fn(|_, _| 0.3 * random())).collect();
        (grid, vec![Kirchhoff::new(1.0, 0.3)].into(), x)
    }

    fn forces(grid: &Grid, laws: &Laws, x: &[Vec3]) -> Vec<Vec3> {
        let mut force = vec![Vec3::zeros(); x.len()];
        add_forces(grid, laws, 0..1, x, 1.0, &mut force);
        force
    }

    /// Central differences by every unknown.
    fn differences<T>(x: &[Vec3], of: impl Fn(&[Vec3]) -> T, difference: impl Fn(T, T) -> T) -> Vec<[T; 3]> {
        let step = 1e-5;
        let along = |node: usize, axis: usize| {
            let moved = |by: f64| {
                let mut x = x.to_vec();
                x[node][axis] += by;
                of(&x)
            };
            difference(moved(step), moved(-step))
        };
        (0..x.len()).map(|node| [0, 1, 2].map(|axis| along(node, axis))).collect()
    }

    #[test]
    fn forces_are_derivatives_of_the_energy() {
        let (grid, laws, x) = warped();
        let expected = differences(&x, |x| energy(&grid, &laws, x), |a, b| (a - b) / 2e-5);
        for (node, (force, expected)) in forces(&grid, &laws, &x).iter().zip(expected).enumerate() {
            let error = (force - Vec3::from(expected)).norm();
            assert!(error < 1e-9, "node {node}: {error:e}");
        }
    }

    #[test]
    fn tangents_are_derivatives_of_forces() {
        let (grid, laws, x) = warped();
        let mut blocks = [Mat3::zeros(); NODES * NODES];
        tangent(&grid, laws.of(&grid, 0), grid.cell(0), &x, Geometric::WHOLE, &mut blocks);
        let half = |a: Vec<Vec3>, b: Vec<Vec3>| a.iter().zip(&b).map(|(a, b)| (a - b) / 2e-5).collect();
        let columns = differences(&x, |x| forces(&grid, &laws, x), half);
        let nodes = grid.cell(0).nodes;
        for (a, b) in (0..64).map(|k| (k / 8, k % 8)) {
            for (axis, column) in columns[nodes[b] as usize].iter().enumerate() {
                let expected = column[nodes[a] as usize];
                let error = (blocks[8 * a + b].column(axis) - expected).norm();
                assert!(error < 1e-9, "block {a}, {b}: {error:e}");
            }
        }
    }

    /// They are those of the tangent without stress, and none where the velocity turns what is not strained.
    #[test]
    fn viscous_forces_are_those_of_strain_rates() {
        let (grid, laws, x) = warped();
        let mut blocks = [Mat3::zeros(); NODES * NODES];
        let unstressed = Geometric { share: 0.0, positive: false };
        tangent(&grid, laws.of(&grid, 0), grid.cell(0), &x, unstressed, &mut blocks);
        let nodes = grid.cell(0).nodes;
        let v: Vec<Vec3> = x.iter().map(|x| Vec3::new(x.y, -x.z, x.x * x.y)).collect();
        let mut product = vec![Vec3::zeros(); x.len()];
        add_viscous(&grid, &laws, &x, (&v, 0.0), 1.0, &mut product);
        for a in 0..8 {
            let expected: Vec3 = (0..8).map(|b| blocks[8 * a + b] * v[nodes[b] as usize]).sum();
            let error = (product[nodes[a] as usize] - expected).norm();
            assert!(error < 1e-13, "node {a}: {error:e}");
        }
        let (h, omega) = (1e-3, Vec3::new(3.0, -2.0, 5.0));
        let turning: Vec<Vec3> = grid.mesh.nodes.iter().map(|x| omega.cross(x)).collect();
        let later: Vec<Vec3> = grid.mesh.nodes.iter().zip(&turning).map(|(x, v)| x + v * h).collect();
        let mut force = vec![Vec3::zeros(); later.len()];
        add_viscous(&grid, &laws, &later, (&turning, h), 1.0, &mut force);
        let largest = force.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(largest < 1e-14, "{largest:e}");
    }

    #[test]
    fn constant_strains_have_no_modes() {
        let (grid, laws, _) = warped();
        let law = laws.elements()[0];
        let a = Mat3::new(1.1, 0.05, 0.0, -0.02, 0.95, 0.1, 0.03, 0.0, 1.02);
        let stress = law.second_stress(&a);
        let mut stresses = vec![stress; POINTS];
        grid.cell(0).enhanced.expect("modes").relax(&law, &mut stresses);
        stresses.iter().for_each(|found| assert!((found - stress).norm() < 1e-15, "{}", found - stress));
    }
}
