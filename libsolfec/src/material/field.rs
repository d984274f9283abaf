//! Scalar fields over space and time that a material may vary by.

use crate::math::Vec3;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};

/// A field φ(X, t) of reference places [m] and time [s].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub label: String,
    pub values: FieldValues,
}

/// Where the values of a field come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FieldValues {
    /// A function of the deck, by its number: it is called in each step.
    Function {
        function: u32,
    },
    /// A function of the deck that does not depend on time: bodies have their values from when they were made.
    Steady,
    Table(FieldTable),
}

impl Field {
    /// Whether values may differ from those at time 0.
    pub fn changes(&self) -> bool {
        match &self.values {
            FieldValues::Function { .. } => true,
            FieldValues::Steady => false,
            FieldValues::Table(table) => table.axes()[TIME].len() > 1,
        }
    }
}

/// Axis of time among those of a table.
const TIME: usize = 3;

/// Values on a rectangular grid over x, y, z and t: linear in between along each axis, constant beyond its ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldTable {
    /// Ascending; one entry where the field does not depend on it.
    axes: [Vec<f64>; 4],
    /// The last axis runs fastest.
    values: Vec<f64>,
}

impl FieldTable {
    /// # Errors
    /// An axis that is empty or does not increase, another number of values than the grid has points, numbers that are
    /// not finite.
    pub fn new(axes: [Vec<f64>; 4], values: Vec<f64>) -> Result<FieldTable> {
        for (name, axis) in ["x", "y", "z", "t"].into_iter().zip(&axes) {
            if axis.is_empty() || !axis.iter().all(|x| x.is_finite()) || axis.windows(2).any(|w| w[0] >= w[1]) {
                return Err(Error::input(format!("axis {name} must hold finite numbers that increase")));
            }
        }
        let points: usize = axes.iter().map(Vec::len).product();
        if values.len() != points {
            let counts = axes.each_ref().map(Vec::len);
            return Err(Error::input(format!(
                "{} values, but the axes x, y, z, t have {counts:?} entries: give {points}, the last axis running fastest",
                values.len()
            )));
        }
        if let Some(k) = values.iter().position(|x| !x.is_finite()) {
            return Err(Error::input(format!("value {k} is {}; give finite numbers", values[k])));
        }
        Ok(FieldTable { axes, values })
    }

    /// x, y, z [m] and t [s].
    pub fn axes(&self) -> &[Vec<f64>; 4] {
        &self.axes
    }

    /// The last axis runs fastest.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value at a place and time.
    pub fn at(&self, place: &Vec3, time: f64) -> f64 {
        let at = [place.x, place.y, place.z, time];
        let near: [(usize, f64); 4] = std::array::from_fn(|k| interval(&self.axes[k], at[k]));
        // Corners of the cell around the point, those of weight zero left out.
        let mut sum = 0.0;
        for corner in 0..16 {
            let (mut row, mut weight) = (0, 1.0);
            for (k, (first, part)) in near.iter().enumerate() {
                let upper = (corner >> k) & 1;
                weight *= if upper == 1 { *part } else { 1.0 - part };
                row = row * self.axes[k].len() + (first + upper).min(self.axes[k].len() - 1);
            }
            if weight != 0.0 {
                sum += weight * self.values[row];
            }
        }
        sum
    }
}

/// The interval of an axis that holds `x`, and how far along it: 0 before the first and after the last entry.
fn interval(axis: &[f64], x: f64) -> (usize, f64) {
    let after = axis.partition_point(|&a| a <= x);
    match (after.checked_sub(1), axis.get(after)) {
        (None, _) => (0, 0.0),
        (Some(last), None) => (last, 0.0),
        (Some(k), Some(next)) => (k, (x - axis[k]) / (next - axis[k])),
    }
}

/// Rows of the fields (of [`crate::model::Model::fields`]) by which a bulk material varies; what has none is uniform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Varying {
    pub young: Option<u32>,
    pub poisson: Option<u32>,
    /// Its values at time 0 count.
    pub density: Option<u32>,
}

impl Varying {
    /// Of [`Quantity::ALL`].
    pub fn rows(&self) -> [Option<u32>; 3] {
        [self.young, self.poisson, self.density]
    }

    /// Whether a quantity varies.
    pub fn any(&self) -> bool {
        self.rows().iter().any(Option::is_some)
    }
}

/// What of a bulk material may vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    Young,
    Poisson,
    Density,
}

impl Quantity {
    pub const ALL: [Quantity; 3] = [Quantity::Young, Quantity::Poisson, Quantity::Density];

    /// The name in decks and messages.
    pub fn name(self) -> &'static str {
        match self {
            Quantity::Young => "young",
            Quantity::Poisson => "poisson",
            Quantity::Density => "density",
        }
    }

    /// Whether a body that deforms may have this value.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(self, value: f64) -> Result<(), String> {
        let (fits, wanted) = match self {
            Quantity::Young | Quantity::Density => (value > 0.0 && value.is_finite(), "a positive number"),
            Quantity::Poisson => (value > -1.0 && value < super::INCOMPRESSIBLE, "a number in (-1, 0.5)"),
        };
        if fits {
            return Ok(());
        }
        Err(format!("{} is {value}; give {wanted}", self.name()))
    }
}

/// Values of a material that varies at the points of integration of a body of finite elements, in the order of its
/// elements, at time 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Samples {
    /// [Pa]
    pub young: Vec<f64>,
    pub poisson: Vec<f64>,
    /// [kg/m³]
    pub density: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_linear_between_their_points_and_constant_beyond() {
        let axes = [vec![0.0, 2.0], vec![0.0], vec![1.0], vec![0.0, 1.0, 3.0]];
        let table = FieldTable::new(axes, vec![1.0, 2.0, 4.0, 3.0, 6.0, 12.0]).unwrap();
        let at = |x: f64, t: f64| table.at(&Vec3::new(x, 7.0, -7.0), t);
        assert_eq!([at(0.0, 0.0), at(1.0, 0.0), at(2.0, 0.5), at(2.0, 2.0)], [1.0, 2.0, 4.5, 9.0]);
        assert_eq!([at(-1.0, 9.0), at(5.0, -1.0), at(5.0, 9.0)], [4.0, 3.0, 12.0]);
    }

    #[test]
    fn wrong_tables_are_refused() {
        let axes = |x: Vec<f64>| [x, vec![0.0], vec![0.0], vec![0.0]];
        assert!(FieldTable::new(axes(vec![0.0, 0.0]), vec![1.0; 2]).is_err());
        assert!(FieldTable::new(axes(vec![]), vec![]).is_err());
        assert!(FieldTable::new(axes(vec![0.0, 1.0]), vec![1.0]).is_err());
        assert!(FieldTable::new(axes(vec![0.0, 1.0]), vec![1.0, f64::NAN]).is_err());
    }
}
