//! The pencil as one symmetric operator `B = M^-½ K M^-½` on `y = M^½ x`, and `C = (I + s B)⁻¹`. Nodes without mass stay
//! zero.

use nalgebra::DVector;

use crate::body::{Pencil, Shifted};
use crate::math::Vec3;
use crate::{Error, Result};

/// Shifts that are tried, as multiples of a bound of the eigenvalues: the smallest for which the matrix is positive
/// definite is the best. At the reference configuration that is the first, and with the last it is anywhere.
const SHIFTS: [f64; 6] = [1e-8, 1e-6, 1e-4, 1e-2, 1e-1, 2.0];
/// The shift where the least eigenvalue is known, as a multiple of that.
const BEYOND: f64 = 2.0;

pub struct Scaled<'a> {
    shifted: Shifted<'a>,
    /// `1/s` [1/s²]
    shift: f64,
    /// Square roots of the masses.
    root: Vec<f64>,
    /// A bound of the eigenvalues [1/s²].
    pub bound: f64,
}

impl<'a> Scaled<'a> {
    /// # Errors
    /// A stiffness that is not finite, a factor that does not fit into memory.
    pub fn new(pencil: &'a Pencil) -> Result<Scaled<'a>> {
        let bound = pencil.bound();
        let root = pencil.mass.iter().map(|mass| mass.sqrt()).collect();
        for shift in SHIFTS {
            let shift = shift * bound;
            if let Some(shifted) = pencil.shifted(1.0 / shift)? {
                return Ok(Scaled { shifted, shift, root, bound });
            }
        }
        Err(Error::Solver(format!(
            "{}: its stiffness is not finite; check its configuration and its material",
            pencil.name()
        )))
    }

    /// Whether the shift is larger than at the reference configuration. The smallest eigenvalues of `B` lie close
    /// together in `C` where it is much larger than they are.
    pub fn is_coarse(&self) -> bool {
        self.shift > SHIFTS[0] * self.bound
    }

    /// Takes a smaller shift, by the least eigenvalue of `B`.
    ///
    /// # Errors
    /// A factor that does not fit into memory.
    pub fn sharpen(&mut self, least: f64) -> Result<()> {
        let shift = (BEYOND * -least).max(SHIFTS[0] * self.bound);
        if shift < self.shift {
            if let Some(shifted) = self.shifted.pencil().shifted(1.0 / shift)? {
                (self.shifted, self.shift) = (shifted, shift);
            }
        }
        Ok(())
    }

    /// Unknowns, those of nodes without mass included.
    pub fn len(&self) -> usize {
        3 * self.root.len()
    }

    /// Unknowns with mass.
    pub fn rank(&self) -> usize {
        3 * self.root.iter().filter(|root| **root > 0.0).count()
    }

    /// `M^½ x`.
    pub fn scale(&self, x: &[Vec3]) -> DVector<f64> {
        let numbers = x.iter().zip(&self.root).flat_map(|(x, root)| [x.x * root, x.y * root, x.z * root]);
        DVector::from_iterator(self.len(), numbers)
    }

    /// `M^-½ y`.
    pub fn unscale(&self, y: &DVector<f64>) -> Vec<Vec3> {
        let divide = |(y, root): (&[f64], &f64)| {
            if *root > 0.0 {
                Vec3::from_column_slice(y) / *root
            } else {
                Vec3::zeros()
            }
        };
        y.as_slice().chunks_exact(3).zip(&self.root).map(divide).collect()
    }

    /// `B y`.
    pub fn apply(&self, y: &DVector<f64>) -> DVector<f64> {
        let mut product = self.shifted.pencil().product(&self.unscale(y));
        product
            .iter_mut()
            .zip(&self.root)
            .for_each(|(x, root)| *x = if *root > 0.0 { *x / *root } else { Vec3::zeros() });
        DVector::from_iterator(self.len(), product.iter().flat_map(|x| [x.x, x.y, x.z]))
    }

    /// `C y`.
    pub fn invert(&mut self, y: &DVector<f64>) -> DVector<f64> {
        let chunks = y.as_slice().chunks_exact(3).zip(&self.root);
        let mut x: Vec<Vec3> = chunks.map(|(y, root)| Vec3::from_column_slice(y) * *root).collect();
        self.shifted.solve(&mut x);
        self.scale(&x)
    }
}
