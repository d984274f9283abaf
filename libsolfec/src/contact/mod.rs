//! Contact: broad phase, narrow phase, life cycle with warm start, sparsification.
//!
//! Detection is a pure function of placed objects and of the previous contacts; it keeps no memory of its own.
//! `n` is the outward normal of the slave and points from slave into master; `gap ≤ 0` (docs/conventions.md 4).

mod adjacency;
mod batch;
mod broad;
mod candidates;
mod compat;
mod covered;
mod detect;
mod edges;
mod extreme;
mod faces;
mod inherit;
mod kernel;
mod kinematics;
mod matching;
pub mod narrow;
mod near;
mod objects;
mod overlapping;
mod parts;
mod patches;
mod placing;
mod record;
mod rules;
mod skew;
mod sparsify;
mod tree;

pub use adjacency::touching;
pub use broad::BodyPairs;
pub use detect::{Detector, Penetration};
pub use kinematics::Kinematics;
pub use narrow::Object;
pub use objects::Objects;
pub(crate) use overlapping::boundary_triangles;
pub use overlapping::overlapping;
pub use parts::PartKind;
pub(crate) use rules::Lookup;
pub use rules::{Exclusions, Homes, Rules};

use crate::body::MaterialPoint;
use crate::ids::{BodyId, BodyIndex, ObjectIndex};
use crate::math::{Mat3, Vec3};
use serde::{Deserialize, Serialize};

/// Persistent key: smaller body id, larger body id, object index in the first, object index in the second, feature.
/// Keys are compared field by field, so the contacts of a body pair are contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContactKey {
    pub bodies: [BodyId; 2],
    pub objects: [ObjectIndex; 2],
    /// Number of the contact point among those of one pair of objects; 0 where a pair has one point.
    pub feature: u32,
}

/// A point of the contact manifold of a pair (slave, master), as a narrow-phase kernel finds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ManifoldPoint {
    /// Points of the two bodies where reactions act; equal for polyhedra.
    pub slave_point: Vec3,
    pub master_point: Vec3,
    /// Unit outward normal of the slave.
    pub normal: Vec3,
    /// ≤ 0 [m].
    pub gap: f64,
    /// Half the surface of the overlap, or of the touching polygon [m²]; 1 with curved shapes.
    pub area: f64,
    /// Area of the slave's surface in the overlap, projected along the normal [m²] (CONTACT_SPARSIFY
    /// area='PROJECTED').
    pub projected: f64,
    /// Surface ids of (master, slave).
    pub surf: [i32; 2],
}

/// One end of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Side {
    pub body: BodyIndex,
    pub object: ObjectIndex,
    /// Element of the body's meshes that the part belongs to, or [`NO_ELEMENT`](crate::body::NO_ELEMENT).
    pub element: u32,
    /// Spatial point at t+h/2.
    pub point: Vec3,
    /// The same point in the reference configuration of the body.
    pub reference: Vec3,
    /// Surface id.
    pub surf: i32,
}

impl Side {
    /// The material point.
    pub fn material(&self) -> MaterialPoint {
        let Side { body, object, element, reference, .. } = *self;
        MaterialPoint { body, object, element, reference }
    }
}

/// A contact of the current step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    pub key: ContactKey,
    /// From 1, shared with user constraints, never reused; 0 until assigned.
    pub id: u64,
    pub master: Side,
    pub slave: Side,
    /// Whether the slave is the second body of the key; in self-contact, the second object.
    pub slave_second: bool,
    /// Columns t1 t2 n.
    pub base: Mat3,
    pub gap: f64,
    pub area: f64,
    /// Number of points of its pair of faces; they share springs and dashpots.
    pub points: u32,
    /// Whether the kernel failed in this step, so that the geometry is that of the step before, moved along.
    pub stale: bool,
    /// Row of the surface material.
    pub material: u32,
    /// Cohesion strength [N], frozen at bonding; 0: not cohesive.
    pub cohesion: f64,
    /// Local components (T1, T2, N): average reaction [N], relative velocity at t+h and at t [m/s].
    pub r: Vec3,
    pub u: Vec3,
    pub v: Vec3,
    /// This contact's part of the merit function.
    pub merit: f64,
}

/// What a detection did, in numbers of pairs of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Whose boxes meet and that are not excluded.
    pub pairs_tested: usize,
    /// New pairs not computed, since a bound of their area proved that they would be dropped.
    pub spared: usize,
    /// New contacts that were dropped.
    pub sparsified: usize,
    /// Kernel failures.
    pub failures: usize,
    /// Failures for which the contact of the step before stands in.
    pub fallbacks: usize,
}

impl Statistics {
    fn add(&mut self, other: &Statistics) {
        self.pairs_tested += other.pairs_tested;
        self.spared += other.spared;
        self.sparsified += other.sparsified;
        self.failures += other.failures;
        self.fallbacks += other.fallbacks;
    }
}

/// The outcome of [`Detector::detect`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Detection {
    /// In key order.
    pub contacts: Vec<Contact>,
    pub statistics: Statistics,
    /// Surface pairs, ascending, for which the entries of either surface with any compete (material::lookup).
    pub ambiguous: Vec<[i32; 2]>,
    /// The deepest contact at or beyond the allowed depth.
    pub penetration: Option<Penetration>,
}
