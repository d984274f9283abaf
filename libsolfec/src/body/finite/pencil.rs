//! Mass and stiffness of a body of finite elements, outside of any simulation: the pencil `K x = λ M x` of its free
//! vibrations.

use super::body::FiniteBody;
use super::factor::Factor;
use super::stiffness::Stiffness;
use crate::body::{name_of, NewBody};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyKind, Formulation, Model};
use crate::shape::Shape;
use crate::stepping::Stepping;
use crate::{Error, Result};

/// Lumped mass and tangent stiffness of a free body.
pub struct Pencil {
    name: String,
    /// Places of the nodes in the reference configuration [m].
    pub reference: Vec<Vec3>,
    /// Places of the nodes at which the stiffness is the tangent [m].
    pub places: Vec<Vec3>,
    /// Of each node [kg]; zero of nodes without an element.
    pub mass: Vec<f64>,
    /// The same, one where it is zero: nodes without an element have no stiffness either.
    inertia: Vec<f64>,
    stiffness: Stiffness,
}

/// Solves with `M + s K`.
pub struct Shifted<'a> {
    pencil: &'a Pencil,
    factor: Factor,
}

impl Pencil {
    /// Of a body of a model as it is described; see [`Pencil::new`].
    ///
    /// # Errors
    /// As [`Pencil::new`], an unknown body.
    pub fn of(model: &Model, id: u64, displacements: &[Vec3]) -> Result<Pencil> {
        let row = model.body_row(id).map(|row| &model.bodies[row]);
        let row = row.ok_or_else(|| Error::input(format!("body {id} does not exist")))?;
        let name = name_of(row);
        if row.kind != BodyKind::FiniteElement {
            let text = "is not of finite elements; give a body of kind FINITE_ELEMENT";
            return Err(Error::input(format!("{name}: {text}")));
        }
        let shapes: Vec<Shape> = model.shapes_of(row).collect();
        let material = model.bulk.get(row.material as usize);
        Pencil::new(&NewBody { name: &name, row, material, shapes: &shapes }, displacements)
    }

    /// Of a body as it is described. The tangent of a total Lagrangian body is taken at these displacements of the nodes
    /// [m] (none: zero), that of any other at the reference configuration.
    ///
    /// # Errors
    /// A body that is not of finite elements or cannot be made, displacements of another mesh.
    pub fn new(new: &NewBody<'_>, displacements: &[Vec3]) -> Result<Pencil> {
        let body = FiniteBody::elastic(new, Stepping::DYNAMIC)?;
        let reference = body.grid.mesh.nodes.clone();
        let moved = match new.row.form {
            Formulation::TotalLagrangian => displacements,
            Formulation::Corotational => &[],
        };
        if !moved.is_empty() && moved.len() != reference.len() {
            let (name, n, nodes) = (new.name, moved.len(), reference.len());
            return Err(Error::input(format!("{name}: displacements of {n} nodes, but its mesh has {nodes}")));
        }
        let mut places = reference.clone();
        places.iter_mut().zip(moved).for_each(|(x, u)| *x += u);
        let stiffness = body.tangent(&places);
        Ok(Pencil { name: body.name, reference, places, inertia: body.inertia, mass: body.mass, stiffness })
    }

    /// How messages call the body.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn nodes(&self) -> usize {
        self.mass.len()
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
        let mut factor = Factor::new(&self.name, &self.stiffness)?;
        let made = factor.make(&self.inertia, &self.stiffness, s);
        Ok(made.then_some(Shifted { pencil: self, factor }))
    }
}

impl Shifted<'_> {
    /// Replaces `x` by `(M + s K)⁻¹ x`.
    pub fn solve(&mut self, x: &mut [Vec3]) {
        self.factor.solve(x);
    }

    pub fn pencil(&self) -> &Pencil {
        self.pencil
    }
}
