//! All bodies there ever were, and the frames of their birth and death.

use solfec::model::Model;

use super::shape_class;
use crate::error::Result;
use crate::store::{In, Out};

/// Columns of equal length, one row for each body of the model, in its order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Catalogue {
    pub id: Vec<u64>,
    /// Empty if none.
    pub label: Vec<String>,
    /// Numbers of [`solfec::model::BodyKind`].
    pub kind: Vec<u8>,
    /// Index of the first frame with the body; −1: none yet.
    pub born_frame: Vec<i64>,
    /// Index of the first frame without it after that; −1: alive.
    pub dead_frame: Vec<i64>,
    /// Numbers of [`super::ShapeClass`].
    pub shape_class: Vec<u8>,
    /// Row of the body in the model.
    pub definition_row: Vec<i64>,
}

impl Catalogue {
    /// Adds the bodies of the model that are not there yet.
    pub(super) fn extend(&mut self, model: &Model) {
        for (row, body) in model.bodies.iter().enumerate().skip(self.id.len()) {
            self.id.push(body.id);
            self.label.push(body.label.clone());
            self.kind.push(body.kind as u8);
            self.born_frame.push(-1);
            self.dead_frame.push(-1);
            self.shape_class.push(shape_class(model, body) as u8);
            self.definition_row.push(row as i64);
        }
    }

    /// Notes who is there in frame `index`.
    pub(super) fn observe<'a>(&mut self, index: u64, bodies: impl Iterator<Item = &'a u32>) {
        let mut present = vec![false; self.id.len()];
        for &body in bodies {
            present[body as usize] = true;
        }
        for (row, here) in present.into_iter().enumerate() {
            let (born, dead) = (&mut self.born_frame[row], &mut self.dead_frame[row]);
            if here && *born < 0 {
                *born = index as i64;
            } else if !here && *born >= 0 && *dead < 0 {
                *dead = index as i64;
            }
        }
    }

    pub(super) fn write(&self, out: &mut Out, at: &str) -> Result<()> {
        out.put(at, "catalogue/id", &self.id)?;
        out.put_text(at, "catalogue/label", &self.label)?;
        out.put(at, "catalogue/kind", &self.kind)?;
        out.put(at, "catalogue/born_frame", &self.born_frame)?;
        out.put(at, "catalogue/dead_frame", &self.dead_frame)?;
        out.put(at, "catalogue/shape_class", &self.shape_class)?;
        out.put(at, "catalogue/definition_row", &self.definition_row)
    }

    pub(super) fn read(from: &In, at: &str) -> Result<Self> {
        let c = Catalogue {
            id: from.get(at, "catalogue/id")?,
            label: from.text(at, "catalogue/label")?,
            kind: from.get(at, "catalogue/kind")?,
            born_frame: from.get(at, "catalogue/born_frame")?,
            dead_frame: from.get(at, "catalogue/dead_frame")?,
            shape_class: from.get(at, "catalogue/shape_class")?,
            definition_row: from.get(at, "catalogue/definition_row")?,
        };
        let n = c.id.len();
        let lengths = [c.label.len(), c.kind.len(), c.born_frame.len(), c.dead_frame.len()];
        if lengths.iter().any(|&m| m != n) || c.shape_class.len() != n || c.definition_row.len() != n {
            return Err(crate::Error::format(&from.at(at, "catalogue"), "columns differ in length"));
        }
        Ok(c)
    }
}
