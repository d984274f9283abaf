//! Bodies of a material that varies: where it is sampled, and what follows from the samples.

use super::matter::grid_of;
use crate::body::NewBody;
use crate::math::{Mat3, Vec3};
use crate::model::{BodyRow, Characteristics};
use crate::Result;

/// Points of integration of a body of finite elements in the reference configuration, in the order of its elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Sites {
    /// [m]
    pub places: Vec<Vec3>,
    /// [m³]
    volumes: Vec<f64>,
}

impl Sites {
    /// # Errors
    /// A shape that is not one mesh, a mesh of which no body can be made.
    pub fn of(new: &NewBody<'_>) -> Result<Sites> {
        let plain = BodyRow { samples: None, ..new.row.clone() };
        let grid = grid_of(&NewBody { row: &plain, ..*new })?;
        Ok(Sites { places: grid.places(), volumes: grid.volumes().to_vec() })
    }

    /// Mass properties for densities [kg/m³] at the points; `volume` [m³] is that of the shape.
    pub fn characteristics(&self, density: &[f64], volume: f64) -> Characteristics {
        let parts = || self.places.iter().zip(density.iter().zip(&self.volumes).map(|(density, part)| density * part));
        let mass: f64 = parts().map(|(_, part)| part).sum();
        let center = parts().map(|(x, part)| x * part).sum::<Vec3>() / mass;
        let arm = |x: &Vec3| (x - center) * (x - center).transpose();
        Characteristics { mass, volume, center, tensor: parts().map(|(x, part)| arm(x) * part).sum::<Mat3>() }
    }
}

/// What of a body is sampled while it moves.
#[derive(Debug, Clone)]
pub struct Sampled {
    pub places: Vec<Vec3>,
    /// As the laws of its elements are now: Young's modulus [Pa] and Poisson's ratio.
    pub young: Vec<f64>,
    pub poisson: Vec<f64>,
    /// They are no longer those of time 0.
    pub changed: bool,
}
