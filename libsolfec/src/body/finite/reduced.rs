//! Reduced bodies: the co-rotational formulation confined to a base, `v = R Φ u` (docs/theory.md 3).
//!
//! The equations of motion are projected onto R Φ (Galerkin): the inverse of the implicit operator is
//! `R Φ A_r⁻¹ Φᵀ Rᵀ` with `A_r = Φᵀ M Φ + s Φᵀ K Φ`. A field x of the nodes has the reduced coordinates
//! `Π x = (Φᵀ M Φ)⁻¹ Φᵀ M x`: the nearest in the norm of kinetic energy, so that projections keep the momentum.

use std::sync::Arc;

use nalgebra::{Cholesky, DMatrix, DMatrixView, DVector, Dyn};

use super::pencil::Pencil;
use super::rigid::rigid_modes;
use super::weights::Weights;
use crate::body::NewBody;
use crate::math::{Mat3, Vec3};
use crate::model::{Base, Formulation};
use crate::shape::Shape;
use crate::{Error, Result};

/// Largest error of orthonormality and of rigid motions in a base.
const TOLERANCE: f64 = 1e-8;
/// Largest error of eigenvalues, as a part of the largest of the base: what old solvers reached.
const EIGENVALUE: f64 = 1e-6;
/// Vectors whose normalised products have an eigenvalue below this are dependent.
const DEPENDENT: f64 = 1e-10;
/// Rigid motions of a body.
const RIGID: usize = 6;

pub struct Reduced {
    base: Arc<Base>,
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
    /// Of the mass.
    projector: Cholesky<f64, Dyn>,
    /// Of `A_r`, and the multiple of the stiffness that is in it.
    factor: Cholesky<f64, Dyn>,
    scale: f64,
    /// Forces conjugate to the reduced velocities in this step.
    pub force: Vec<f64>,
}

impl Reduced {
    /// # Errors
    /// A base of another mesh; vectors that are dependent or without rigid motions; modes that are not M-orthonormal,
    /// do not begin with the rigid ones, or are those of another material.
    pub fn new(form: Formulation, base: &Arc<Base>, of: &Pencil) -> Result<Reduced> {
        let name = of.name();
        let (nodes, found) = (of.nodes(), base.vectors.len());
        if found != 3 * nodes * base.count() {
            return Err(Error::input(format!(
                "{name}: its base has vectors of {} numbers, but its mesh has {nodes} nodes; give vectors of {} numbers",
                found / base.count(),
                3 * nodes
            )));
        }
        let phi = matrix(base);
        let images = DMatrix::from_fn(3 * nodes, base.count(), |i, k| phi[(i, k)] * of.mass[i / 3]);
        let mut mass = phi.tr_mul(&images);
        let mut stiffness = stiffness(base, of);
        check_independent(name, &mass)?;
        match form {
            Formulation::Modal => {
                check_modes(name, base, of, &mass, &stiffness)?;
                mass = DMatrix::identity(base.count(), base.count());
                let value = |k: usize| if k < RIGID { 0.0 } else { base.values[k] };
                stiffness = DMatrix::from_diagonal(&DVector::from_fn(base.count(), |k, _| value(k)));
            }
            Formulation::Reduced | Formulation::TotalLagrangian | Formulation::Corotational => {}
        }
        let singular = || Error::input(format!("{name}: the vectors of its base are dependent; orthonormalise them"));
        let projector = mass.clone().cholesky().ok_or_else(singular)?;
        let reduced = Reduced {
            base: Arc::clone(base),
            mass,
            stiffness,
            factor: projector.clone(),
            projector,
            scale: 0.0,
            force: Vec::new(),
        };
        reduced.check_rigid(name, of)?;
        Ok(reduced)
    }

    /// Number of reduced coordinates.
    pub fn count(&self) -> usize {
        self.base.count()
    }

    /// The material has changed: the stiffness is that of the base in it.
    pub fn set_stiffness(&mut self, of: &Pencil) {
        self.stiffness = stiffness(&self.base, of);
        self.scale = f64::NAN;
    }

    /// The factor of `A_r = Φᵀ M Φ + scale Φᵀ K Φ`.
    pub fn prepare(&mut self, scale: f64) {
        if self.scale == scale {
            return;
        }
        // The stiffness is positive semidefinite.
        if let Some(factor) = (&self.mass + &self.stiffness * scale).cholesky() {
            (self.factor, self.scale) = (factor, scale);
        }
    }

    /// Replaces impulses in the turned frame by changes of velocity, `Φ A_r⁻¹ Φᵀ x`.
    pub fn accelerate(&self, x: &mut [Vec3]) {
        let mut change = self.gather(x);
        self.factor.solve_mut(&mut change);
        self.lift(change.as_slice(), x);
    }

    /// `L⁻¹ Φᵀ` of the unit forces at a point.
    pub fn half_solve(&self, weights: &Weights) -> Vec<[f64; 3]> {
        let phi = matrix(&self.base);
        let mut rows = DMatrix::zeros(self.count(), 3);
        for (node, weight) in weights.entries() {
            for axis in 0..3 {
                rows.column_mut(axis).axpy(weight, &phi.row(3 * node + axis).transpose(), 1.0);
            }
        }
        self.factor.l_dirty().solve_lower_triangular_mut(&mut rows);
        rows.row_iter().map(|row| [row[0], row[1], row[2]]).collect()
    }

    /// `Φᵀ x`
    pub fn gather(&self, x: &[Vec3]) -> DVector<f64> {
        DVector::from_fn(self.count(), |k, _| {
            let vector = self.base.vector(k).chunks_exact(3);
            vector.zip(x).map(|(v, x)| v[0] * x.x + v[1] * x.y + v[2] * x.z).sum()
        })
    }

    /// `x = Φ u`
    pub fn lift(&self, u: &[f64], x: &mut [Vec3]) {
        x.fill(Vec3::zeros());
        for (k, u) in u.iter().enumerate() {
            let vector = self.base.vector(k).chunks_exact(3);
            x.iter_mut().zip(vector).for_each(|(x, v)| *x += Vec3::new(v[0], v[1], v[2]) * *u);
        }
    }

    /// `Π x`: reduced coordinates of a field, given the masses of the nodes [kg].
    pub fn coordinates(&self, x: &[Vec3], mass: &[f64]) -> DVector<f64> {
        let momenta: Vec<Vec3> = x.iter().zip(mass).map(|(x, mass)| x * *mass).collect();
        self.projector.solve(&self.gather(&momenta))
    }

    /// Replaces a field by the nearest in the base.
    pub fn project(&self, x: &mut [Vec3], mass: &[f64]) {
        let coordinates = self.coordinates(x, mass);
        self.lift(coordinates.as_slice(), x);
    }

    /// Nodal forces [N] in the turned frame that have these generalised forces: `M Φ (Φᵀ M Φ)⁻¹ f`.
    pub fn nodal(&self, force: &[f64], mass: &[f64]) -> Vec<Vec3> {
        let mut nodal = vec![Vec3::zeros(); mass.len()];
        self.lift(self.projector.solve(&DVector::from_column_slice(force)).as_slice(), &mut nodal);
        nodal.iter_mut().zip(mass).for_each(|(force, mass)| *force *= *mass);
        nodal
    }

    fn check_rigid(&self, name: &str, of: &Pencil) -> Result<()> {
        for (k, rigid) in rigid_modes(&of.reference, &of.mass).into_iter().enumerate() {
            let mut left = rigid.clone();
            self.project(&mut left, &of.mass);
            let error = norm(rigid.iter().zip(&left).map(|(a, b)| a - b), &of.mass);
            if error > TOLERANCE {
                let what = ["translation along x", "translation along y", "translation along z"];
                let what = what.get(k).copied().unwrap_or("a rotation");
                return Err(Error::input(format!(
                    "{name}: its base does not contain the rigid motions ({what} is missed by {error:.1e}); add \
                     RIGID_DISPLACEMENTS of a body of this mesh to the base"
                )));
            }
        }
        Ok(())
    }
}

/// Whether a shape is a mesh with several volume ids.
pub fn has_several_volumes(shapes: &[Shape]) -> bool {
    let [shape] = shapes else { return false };
    let elements = shape.geometry.mesh().map_or(&[][..], |mesh| &mesh.elements);
    elements.windows(2).any(|pair| pair[0].volid != pair[1].volid)
}

/// What is wrong with the modes of a body is often that they are those of other materials of its parts.
pub fn with_materials(new: &NewBody<'_>, error: Error) -> Error {
    if new.row.form != Formulation::Modal || !has_several_volumes(new.shapes) {
        return error;
    }
    let title = new.row.title();
    Error::input(format!(
        "{error}; {title} has several volume ids: its parts need the materials, by APPLY_BULKMAT, of the body that \
         MODAL_ANALYSIS was made of"
    ))
}

/// `aᵀ b` of two half-solves: the response at one point to unit forces at the other.
pub fn product(a: &[[f64; 3]], b: &[[f64; 3]]) -> Mat3 {
    let sum = |i: usize, j: usize| a.iter().zip(b).map(|(a, b)| a[i] * b[j]).sum();
    Mat3::from_fn(sum)
}

/// The vectors as columns.
fn matrix(base: &Base) -> DMatrixView<'_, f64> {
    DMatrixView::from_slice(&base.vectors, 3 * base.nodes(), base.count())
}

/// `Φᵀ K Φ`
fn stiffness(base: &Base, of: &Pencil) -> DMatrix<f64> {
    let phi = matrix(base);
    let mut images = DMatrix::zeros(phi.nrows(), phi.ncols());
    for k in 0..base.count() {
        let vector: Vec<Vec3> = base.vector(k).chunks_exact(3).map(Vec3::from_column_slice).collect();
        let product = of.product(&vector);
        images.column_mut(k).iter_mut().zip(product.iter().flat_map(|x| x.iter())).for_each(|(to, x)| *to = *x);
    }
    let product = phi.tr_mul(&images);
    (&product + product.transpose()) * 0.5
}

/// `√(Σ m x²)`
fn norm(x: impl Iterator<Item = Vec3>, mass: &[f64]) -> f64 {
    x.zip(mass).map(|(x, mass)| x.norm_squared() * mass).sum::<f64>().sqrt()
}

fn check_independent(name: &str, mass: &DMatrix<f64>) -> Result<()> {
    let size = |k: usize| mass[(k, k)].sqrt();
    let normal = DMatrix::from_fn(mass.nrows(), mass.ncols(), |i, j| mass[(i, j)] / (size(i) * size(j)));
    let least = if normal.iter().all(|x| x.is_finite()) { normal.symmetric_eigenvalues().min() } else { 0.0 };
    if least > DEPENDENT {
        return Ok(());
    }
    Err(Error::input(format!(
        "{name}: the vectors of its base are dependent (least eigenvalue {least:.1e} of their products); leave out \
         vectors that others contain"
    )))
}

fn check_modes(name: &str, base: &Base, of: &Pencil, mass: &DMatrix<f64>, stiffness: &DMatrix<f64>) -> Result<()> {
    let n = base.count();
    let error = (mass - DMatrix::identity(n, n)).amax();
    if error > TOLERANCE {
        return Err(Error::input(format!(
            "{name}: the modes of its base are not M-orthonormal (error {error:.1e}); use those of MODAL_ANALYSIS, or \
             form 'BC-RO'"
        )));
    }
    let first = rigid_modes(&of.reference, &of.mass).map(|rigid| {
        let momenta: Vec<Vec3> = rigid.iter().zip(&of.mass).map(|(x, mass)| x * *mass).collect();
        let share = |k: usize| {
            let vector = base.vector(k).chunks_exact(3).map(Vec3::from_column_slice);
            vector.zip(&momenta).map(|(v, x)| v.dot(x)).sum::<f64>().powi(2)
        };
        1.0 - (0..RIGID.min(n)).map(share).sum::<f64>()
    });
    // The square of what the first six miss.
    if first.into_iter().any(|missed| missed > TOLERANCE) {
        return Err(Error::input(format!(
            "{name}: the first six modes of its base are not the rigid ones; keep the first six of MODAL_ANALYSIS in front"
        )));
    }
    let value = |k: usize| if k < RIGID { 0.0 } else { base.values[k] };
    let largest = (0..n).map(value).fold(0.0, |a: f64, b| a.max(b.abs())).max(f64::MIN_POSITIVE);
    let error = (stiffness - DMatrix::from_diagonal(&DVector::from_fn(n, |k, _| value(k)))).amax() / largest;
    if n > RIGID && error > EIGENVALUE {
        return Err(Error::input(format!(
            "{name}: the eigenvalues of its base are not those of its material (error {error:.1e} of the largest); \
             repeat MODAL_ANALYSIS with this material, or use form 'BC-RO'"
        )));
    }
    Ok(())
}
