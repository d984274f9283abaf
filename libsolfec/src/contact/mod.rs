//! Contact: broad phase, narrow phase, life cycle with warm start, sparsification.
//!
//! Detection is a pure function of placed objects and of the previous contacts; it keeps no memory of its own.
//! `n` is the outward normal of the slave and points from slave into master; `gap ≤ 0` (conventions.md 4).

pub mod narrow;

use crate::math::{Mat3, Vec3};

/// Persistent key: smaller body id, larger body id, object index in the first, object index in the second.
/// Compared as it stands, so that the contacts of a body pair are contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactKey {
    pub bodies: [u64; 2],
    pub objects: [u32; 2],
}

/// What a narrow-phase kernel finds for a pair (slave, master).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Points of the two bodies where reactions act; equal for polyhedra.
    pub slave_point: Vec3,
    pub master_point: Vec3,
    /// Unit outward normal of the slave.
    pub normal: Vec3,
    /// ≤ 0 [m].
    pub gap: f64,
    /// Half the surface of the overlap, or of the touching polygon [m²]; 1 with curved shapes.
    pub area: f64,
    /// Surface ids of (master, slave).
    pub surf: [i32; 2],
}

/// One end of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// Dense body index.
    pub body: u32,
    /// Object index within the body.
    pub object: u32,
    /// Spatial point at t+h/2.
    pub point: Vec3,
    /// The same point in the reference configuration of the body.
    pub reference: Vec3,
    /// Surface id.
    pub surf: i32,
}

/// A contact of the current step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    pub key: ContactKey,
    /// From 1, shared with user constraints, never reused; 0 until assigned.
    pub id: u64,
    pub master: Side,
    pub slave: Side,
    /// Columns t1 t2 n.
    pub base: Mat3,
    pub gap: f64,
    pub area: f64,
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
