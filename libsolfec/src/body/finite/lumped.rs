//! The motion of a body of finite elements as a whole, from the masses, places and velocities of its nodes
//! (docs/theory.md 3): mass centre, momentum, mean twist and mean rotation.

use super::corotation::Corotation;
use super::matter::{grid_of, matter};
use super::twist::{mean, mean_twist};
use crate::body::{name_of, NewBody, Twist};
use crate::math::{Mat3, Vec3};
use crate::model::{BodyRow, Model};
use crate::shape::Shape;
use crate::Result;

/// Masses of nodes [kg] and mean deformation of a body as it is described.
pub struct Lumped {
    mass: Vec<f64>,
    corotation: Corotation,
}

impl Lumped {
    /// # Errors
    /// A shape that is not one mesh, a mesh of which no body can be made.
    pub fn of(model: &Model, row: &BodyRow) -> Result<Lumped> {
        let name = name_of(row);
        let shapes: Vec<Shape> = model.all_shapes_of(row).collect();
        let new = NewBody { name: &name, row, bulk: &model.bulk, shapes: &shapes };
        let grid = grid_of(&new)?;
        let density = matter(&new, &grid)?.density;
        Ok(Lumped { mass: grid.lumped(&name, |e| density[e])?, corotation: Corotation::new(&grid) })
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.mass.len()
    }

    /// Of all nodes together [kg].
    pub fn mass(&self) -> f64 {
        self.mass.iter().sum()
    }

    /// Mass centre [m] when the nodes are at `x` [m].
    pub fn center(&self, x: &[Vec3]) -> Vec3 {
        mean(&self.mass, x)
    }

    /// Mean rotation; `None` if the body as a whole is turned inside out.
    pub fn rotation(&self, x: &[Vec3]) -> Option<Mat3> {
        self.corotation.rotation(x)
    }

    /// See [`mean_twist`].
    pub fn twist(&self, x: &[Vec3], v: &[Vec3]) -> Twist {
        mean_twist(&self.mass, x, v)
    }

    /// Momentum [kg m/s] and angular momentum about the origin [kg m²/s].
    pub fn momentum(&self, x: &[Vec3], v: &[Vec3]) -> (Vec3, Vec3) {
        let momenta = || self.mass.iter().zip(v).map(|(mass, v)| v * *mass);
        (momenta().sum(), x.iter().zip(momenta()).map(|(x, momentum)| x.cross(&momentum)).sum())
    }
}
