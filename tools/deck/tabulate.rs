//! Springs whose functions become tables in a recorded model.

use solfec::load::Series;
use solfec::math::Vec3;
use solfec::model::{ConstraintRow, Definition, Joint, Op, SpringAxis, SpringLaw};

use super::domain::Domain;
use super::fault::Fault;
use super::value::{Handle, Value};

/// A spring that a command has left for the host, which asks its function for forces.
#[derive(Debug, Clone, PartialEq)]
pub struct Tabulate {
    /// Master and slave.
    pub bodies: [Handle; 2],
    pub points: [Vec3; 2],
    pub axis: SpringAxis,
    /// Of the stroke [m]: finite.
    pub limits: [f64; 2],
    /// Line of the deck.
    pub line: u32,
    pub function: u32,
    /// Number of points of the table.
    pub count: u32,
}

impl Tabulate {
    /// Strokes between the limits [m].
    pub fn strokes(&self) -> Vec<f64> {
        let [least, largest] = self.limits;
        if least >= largest {
            return vec![least];
        }
        let last = self.count - 1;
        let stroke = |i| match i {
            0 => least,
            i if i == last => largest,
            i => least + f64::from(i) / f64::from(last) * (largest - least),
        };
        (0..self.count).map(stroke).collect()
    }

    /// Inserts the spring with forces [N] over its strokes.
    ///
    /// # Errors
    /// The points are not those of a series.
    pub fn insert(self, domain: &mut Domain, strokes: Vec<f64>, forces: Vec<f64>) -> Result<Value, Fault> {
        let series = domain.model.series.len() as u32;
        let table = Series::new("", strokes, forces)?;
        domain.apply(Op::Define(Definition::Series { row: series, series: table }))?;
        let [master, slave] = self.bodies;
        let joint = Joint::Spring { law: SpringLaw::Table { series }, axis: self.axis, limits: self.limits };
        let row = domain.model.constraints.len() as u64;
        domain.apply(domain.model.new_constraint(ConstraintRow {
            joint,
            master: master.key[1],
            slave: Some(slave.key[1]),
            points: self.points,
            line: self.line,
        }))?;
        Ok(Value::Handle(Handle { class: "CONSTRAINT", key: [master.key[0], row] }))
    }
}
