//! Points of bodies in condensed form that constraints act on, and those of a pair of bodies together.

use std::ops::Range;

use crate::body::{Axes, MaterialPoint};

/// An end of a constraint at a point of a body in condensed form.
#[derive(Debug, Clone, Copy)]
pub struct CondensedEnd {
    pub body: u32,
    /// Its number among the points of the body.
    pub point: u32,
    pub at: MaterialPoint,
    /// Those that matter there.
    pub axes: Axes,
}

/// Points of at most two bodies in condensed form, on which constraints act that are swept one after another.
#[derive(Debug, Clone)]
pub struct Tile {
    pub parts: [Option<(u32, Range<usize>)>; 2],
}

impl Tile {
    /// No points.
    pub const NONE: Tile = Tile { parts: [None, None] };

    /// Takes the point of an end in.
    pub fn include(&mut self, end: &CondensedEnd) {
        let point = end.point as usize;
        for part in &mut self.parts {
            let (body, range) = part.get_or_insert((end.body, point..point + 1));
            if *body == end.body {
                *range = range.start.min(point)..range.end.max(point + 1);
                return;
            }
        }
    }
}
