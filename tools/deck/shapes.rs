//! Shapes of a deck: they belong to no SOLFEC object, and a body takes its own away.

use solfec::shape::{Integrals, Shape};

use super::fault::Fault;
use super::place::Place;
use super::value::Handle;

/// A CONVEX (one or several polyhedra), MESH, SPHERE or ELLIP of the deck.
pub struct ShapeSlot {
    pub parts: Vec<Shape>,
    /// Of the solid that the parts stand for, where it is not exactly they.
    pub solid: Option<Integrals>,
    /// Where it was given away.
    pub emptied: Option<Place>,
    /// Belongs to a body (`body.mesh`), where it is now; here it is in the reference configuration.
    pub view_of: Option<Box<Shape>>,
    /// Coordinates were changed by hand and have to be checked again.
    pub edited: bool,
}

/// All shapes that a deck has made; the first number of a handle is the place of its shape.
#[derive(Default)]
pub struct Shapes(Vec<ShapeSlot>);

impl Shapes {
    /// How many there have been.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn add(&mut self, class: &'static str, parts: Vec<Shape>) -> Handle {
        self.0.push(ShapeSlot { parts, solid: None, emptied: None, view_of: None, edited: false });
        Handle { class, key: [self.0.len() as u64 - 1, 0] }
    }

    /// A shape that still holds something.
    pub fn get(&mut self, handle: Handle) -> Result<&mut ShapeSlot, Fault> {
        let slot = self.0.get_mut(handle.key[0] as usize);
        let slot = slot.ok_or_else(|| Fault::wrong_type("shape does not exist"))?;
        match &slot.emptied {
            None => Ok(slot),
            Some(place) => Err(Fault::wrong_type(format!(
                "shape was given away at {place} and is empty; pass a COPY if you need it twice"
            ))),
        }
    }

    /// A shape that may be changed.
    pub fn own(&mut self, handle: Handle) -> Result<&mut ShapeSlot, Fault> {
        let slot = self.get(handle)?;
        if slot.view_of.is_some() {
            return Err(Fault::runtime(
                "mesh belongs to a body and cannot be changed; change the mesh before BODY, or use a COPY",
            ));
        }
        Ok(slot)
    }

    /// The first part of a shape in the reference configuration: of what belongs to no body, where it is.
    pub fn reference(&mut self, handle: Handle) -> Result<&Shape, Fault> {
        let slot = self.get(handle)?;
        let first = slot.view_of.as_deref().or(slot.parts.first());
        first.ok_or_else(|| Fault::value("shape is empty"))
    }

    /// All parts of several shapes in order; each shape may be named once.
    pub fn parts(&mut self, handles: &[Handle]) -> Result<Vec<Shape>, Fault> {
        let mut parts = Vec::new();
        for (at, handle) in handles.iter().enumerate() {
            if handles[..at].contains(handle) {
                return Err(Fault::value(format!(
                    "shape {at} of the list is there twice; pass a COPY if you need it twice"
                )));
            }
            parts.extend(self.get(*handle)?.parts.iter().cloned());
        }
        Ok(parts)
    }

    /// Integrals over several shapes together, or over the solids that they stand for.
    pub fn integrals(&mut self, handles: &[Handle]) -> Result<Integrals, Fault> {
        let mut all = Vec::new();
        for handle in handles {
            let slot = self.get(*handle)?;
            match slot.solid {
                Some(solid) => all.push(solid),
                None => all.extend(slot.parts.iter().map(Shape::integrals)),
            }
        }
        Ok(Integrals::together(&all))
    }

    /// Marks shapes as given away at a place.
    pub fn empty(&mut self, handles: &[Handle], place: &Place) -> Result<(), Fault> {
        for handle in handles {
            let slot = self.get(*handle)?;
            slot.parts = Vec::new();
            slot.solid = None;
            slot.emptied = Some(place.clone());
        }
        Ok(())
    }
}
