//! Pairs of objects of a body pair that may come to have a contact.

use std::cmp::Ordering;

use super::objects::Placed;
use crate::ids::{BodyIndex, ObjectIndex};

/// A pair of objects without a contact, and an upper bound of the area [m²] of the one it may have.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub pair: [ObjectIndex; 2],
    pub bound: f64,
}

impl Candidate {
    fn unbounded(pair: &[ObjectIndex; 2]) -> Self {
        Candidate { pair: *pair, bound: f64::INFINITY }
    }
}

/// A walk over the pairs of objects of a body pair beside its existing contacts, both ascending.
pub struct Walk<'a> {
    /// What is left of the pairs.
    rest: &'a [[ObjectIndex; 2]],
}

impl<'a> Walk<'a> {
    pub fn new(pairs: &'a [[ObjectIndex; 2]]) -> Self {
        Walk { rest: pairs }
    }

    /// Goes to `pair`, which has a contact; pairs on the way become candidates. Whether its objects are near.
    pub fn pass(&mut self, pair: [ObjectIndex; 2], candidates: &mut Vec<Candidate>) -> bool {
        let (before, rest) = self.rest.split_at(self.rest.partition_point(|p| *p < pair));
        candidates.extend(before.iter().map(Candidate::unbounded));
        let near = rest.first() == Some(&pair);
        self.rest = &rest[usize::from(near)..];
        near
    }

    /// The pairs left become candidates.
    pub fn end(self, candidates: &mut Vec<Candidate>) {
        candidates.extend(self.rest.iter().map(Candidate::unbounded));
    }
}

/// A computed contact: row of the drafts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waiting {
    pub area: f64,
    pub pair: [ObjectIndex; 2],
    pub draft: u32,
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// The largest area first, then the lowest key.
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.area.total_cmp(&other.area).then(other.pair.cmp(&self.pair))
    }
}

/// Half the surface of the intersection of the boxes, which are larger than the solids by epsilon on each side: at
/// least the contact area.
pub fn box_bound(objects: &Placed<'_>, bodies: [BodyIndex; 2], pair: [ObjectIndex; 2]) -> f64 {
    let bounds = |k: usize| &objects.part_boxes(bodies[k])[pair[k].index()];
    let (a, b) = (bounds(0), bounds(1));
    let w = a.high.inf(&b.high) - a.low.sup(&b.low);
    w.x * w.y + w.y * w.z + w.z * w.x
}
