//! Mass and stiffness of a body of finite elements: the pencil `K x = λ M x` of its free vibrations.

use super::corotation::Corotation;
use super::factor::{Factor, Room};
use super::stiffness::Stiffness;
use crate::math::{Mat3, Vec3};
use crate::Result;

/// Lumped mass and tangent stiffness of a free body.
pub struct Pencil {
    pub(super) name: String,
    /// Places of the nodes in the reference configuration [m].
    pub reference: Vec<Vec3>,
    /// Places of the nodes at which the stiffness is the tangent [m].
    pub places: Vec<Vec3>,
    /// Of each node [kg]; zero of nodes without an element.
    pub mass: Vec<f64>,
    /// The same, one where it is zero: nodes without an element have no stiffness either.
    pub(super) inertia: Vec<f64>,
    pub(super) stiffness: Stiffness,
    pub(super) corotation: Corotation,
}

/// Solves with `M + s K`.
pub struct Shifted<'a> {
    pencil: &'a Pencil,
    factor: Factor,
    room: Room,
}

impl Pencil {
    /// How messages call the body.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn nodes(&self) -> usize {
        self.mass.len()
    }

    /// Displacements of nodes at these places [m] in the frame that moves and turns with the body, without the mean
    /// translation; `None` if the body as a whole is turned inside out.
    pub fn corotated(&self, x: &[Vec3]) -> Option<Vec<Vec3>> {
        let rotation = self.corotation.rotation(x)?;
        Some(self.corotation.displacements(&self.reference, x, &rotation).collect())
    }

    /// `K x`.
    pub fn product(&self, x: &[Vec3]) -> Vec<Vec3> {
        let mut product = vec![Vec3::zeros(); x.len()];
        self.stiffness.add_product(x, 1.0, &mut product);
        product
    }

    /// Blocks of K in the lower triangle, column by column: row, column (nodes) and value [N/m].
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize, &Mat3)> + '_ {
        let pattern = &self.stiffness.pattern;
        let block = |k: usize, column| (pattern.row[k] as usize, column, &self.stiffness.block[k]);
        pattern.columns().flat_map(move |(column, range)| range.map(move |k| block(k, column)))
    }

    /// A bound of the eigenvalues [1/s²]: the largest row sum of the norms of the blocks of `M^-½ K M^-½` (Gershgorin).
    pub fn bound(&self) -> f64 {
        let mut sums = vec![0.0; self.nodes()];
        for (row, column, block) in self.blocks() {
            let size = block.norm() / (self.inertia[row] * self.inertia[column]).sqrt();
            sums[row] += size;
            if row != column {
                sums[column] += size;
            }
        }
        sums.into_iter().fold(0.0, f64::max)
    }

    /// The factor of `M + s K`; `None` if that is not positive definite.
    ///
    /// # Errors
    /// The factor would not fit into memory.
    pub fn shifted(&self, s: f64) -> Result<Option<Shifted<'_>>> {
        let (mut factor, mut room) = Factor::new(&self.name, &self.stiffness, &self.reference)?;
        let made = factor.make(&self.inertia, &self.stiffness, s, &mut room);
        Ok(made.then_some(Shifted { pencil: self, factor, room }))
    }
}

impl<'a> Shifted<'a> {
    /// Replaces `x` by `(M + s K)⁻¹ x`.
    pub fn solve(&mut self, x: &mut [Vec3]) {
        self.factor.solve(x, &mut self.room);
    }

    pub fn pencil(&self) -> &'a Pencil {
        self.pencil
    }
}
