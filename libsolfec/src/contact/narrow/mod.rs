//! Narrow phase: the contact of two placed objects as a pure function of their current geometry. No memory between
//! calls, no broad phase, no bodies.
//!
//! Every kernel works in a frame centred on the pair. The geometric epsilon decides what is physical (touch or not,
//! which planes coincide); bounds of round-off decide the rest, so results scale with the size of the objects.

mod ball;
mod bound;
mod clip;
mod disc;
mod ellipsoid;
mod epa;
mod extent;
mod faces;
mod fours;
mod general;
mod gjk;
mod near;
mod normal;
mod overlap;
mod pair;
mod pairs;
mod polygon;
mod support;
mod touch;
mod workspace;

pub use ball::{balls, center_is_smaller, dent, solid_ball, Ball, Feature};
pub use bound::area_bound;
pub(super) use clip::{area_and_moment, cut, perimeter};
pub use faces::{shared_face, Corner, FaceWorkspace, Hull, SharedFace};
pub use general::{convex, Foot};
pub use gjk::distance;
pub(super) use pair::round_off;
pub use pairs::{bound, collide, first_is_slave, way, CurvedView, Object};
pub use support::Support;
pub use workspace::Workspace;

use crate::contact::ManifoldPoint;
use crate::shape::SolidView;
use pair::Pair;

/// Curved contacts have no area of their own; files and decks read this.
const CURVED_AREA: f64 = 1.0;

/// Why a kernel has no answer. The caller counts these and keeps the previous contact for one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GeometryError {
    #[error("a vertex, centre or radius of a contact pair is not finite; the motion has diverged: use a smaller step")]
    NotFinite,
    #[error("the contact of a pair could not be computed: a degenerate solid (zero normal or flat); check its shape")]
    Degenerate,
}

/// Contact of two convex solids, or none when they are farther apart than `epsilon`.
/// An area of zero marks contact at an edge or a vertex.
pub fn solids(
    slave: &SolidView,
    master: &SolidView,
    epsilon: f64,
    ws: &mut Workspace,
) -> Result<Option<ManifoldPoint>, GeometryError> {
    let (places, scratch) = ws.split();
    let Some(pair) = Pair::place(slave, master, epsilon, places)? else {
        return Ok(None);
    };
    let hit = if pair.deepest() >= -pair.eps { touch::touch(&pair, scratch) } else { overlap::overlap(&pair, scratch) };
    match hit.map(|h| pair.to_space(h)) {
        Some(h) if !is_finite(&h) => Err(GeometryError::Degenerate),
        other => Ok(other),
    }
}

fn is_finite(h: &ManifoldPoint) -> bool {
    let sum = h.slave_point.sum() + h.master_point.sum() + h.normal.sum() + h.gap + h.area;
    sum.is_finite()
}
