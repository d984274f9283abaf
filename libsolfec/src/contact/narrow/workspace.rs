//! Buffers of the kernels of solids.

use super::near::Near;
use super::pair::Place;
use crate::math::Vec3;

/// Buffers of the narrow phase; they keep their capacity, nothing else survives a call.
#[derive(Debug, Default)]
pub struct Workspace {
    places: [Place; 2],
    scratch: Scratch,
}

impl Workspace {
    pub(super) fn split(&mut self) -> (&mut [Place; 2], &mut Scratch) {
        (&mut self.places, &mut self.scratch)
    }
}

/// Polygon buffers of clipping.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub polygon: Vec<Vec3>,
    pub spare: Vec<Vec3>,
    /// All vertices of the contact polygon or of the overlap.
    pub points: Vec<Vec3>,
    pub facets: Vec<Facet>,
    /// What is near of slave and master.
    pub near: [Near; 2],
    /// For each master face: does it coincide with a slave face.
    pub covered: Vec<bool>,
}

/// A facet of the overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// Outward of the overlap.
    pub normal: Vec3,
    pub area: f64,
    pub face: usize,
    pub owner: Owner,
}

/// Whose face a facet lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The skin of the slave.
    Slave,
    /// The skin of the master.
    Master,
    /// Coinciding faces of both, skin or not.
    Both,
    /// A face inside a mesh.
    Inside,
}
