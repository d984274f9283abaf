//! All bodies there ever were, and the frames of their birth and death.

use solfec::model::{BodyRow, Model, NewBody};

use super::canonical::class_of;
use super::{shape_class, ShapeClass};

solfec::table! {
    /// One row for each body of the model, in its order.
    pub struct Catalogue("catalogue", "B") {
        id: u64 = "catalogue/id", "1", "id of every body there ever was";
        label: String = "catalogue/label", "1", "label, '' if none";
        kind: u8 = "catalogue/kind", "1", "kind of body"
            .names(r#"{"OBSTACLE": 0, "RIGID": 1, "PSEUDO_RIGID": 2, "FINITE_ELEMENT": 3}"#);
        born_frame: i64 = "catalogue/born_frame", "1", "index of the first frame with the body, -1: not yet";
        dead_frame: i64 = "catalogue/dead_frame", "1", "index of the first frame without it, -1: alive";
        shape_class: u8 = "catalogue/shape_class", "1", "what the body is made of"
            .names(r#"{"SPHERE": 0, "MESH": 1, "CONVEX": 2, "SEVERAL": 3, "ELLIP": 4}"#);
        definition_row: i64 = "catalogue/definition_row", "1", "row of bodies/* in the model";
    }
}

impl Catalogue {
    /// Adds the bodies of the model that are not there yet.
    pub(super) fn extend(&mut self, model: &Model) {
        model.bodies.iter().skip(self.id.len()).for_each(|body| self.add(body, shape_class(model, body)));
    }

    /// Adds bodies that come next in the model.
    pub(super) fn add_new(&mut self, bodies: &[NewBody]) {
        bodies.iter().for_each(|new| self.add(&new.body, class_of(new.shapes.iter().map(|s| s.geometry.kind()))));
    }

    fn add(&mut self, body: &BodyRow, class: ShapeClass) {
        let row = self.id.len();
        self.id.push(body.id);
        self.label.push(body.label.clone());
        self.kind.push(body.kind as u8);
        self.born_frame.push(-1);
        self.dead_frame.push(-1);
        self.shape_class.push(class as u8);
        self.definition_row.push(row as i64);
    }

    /// Records who is there in frame `index`; every row must be in the catalogue.
    pub(super) fn observe(&mut self, index: u64, bodies: impl Iterator<Item = u32>) {
        let mut present = vec![false; self.id.len()];
        for body in bodies {
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

    /// Forgets births and deaths from frame `end` on.
    pub(super) fn forget(&mut self, end: i64) {
        for frame in self.born_frame.iter_mut().chain(&mut self.dead_frame) {
            if *frame >= end {
                *frame = -1;
            }
        }
    }
}
