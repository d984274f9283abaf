//! Broad phase: pairs of bodies, then pairs of their parts, whose boxes share a point.

use super::near::{may_touch, NearPairs};
use super::objects::Objects;
use super::rules::Exclusions;
use crate::ids::{BodyIndex, ObjectIndex};
use crate::shape::Bounds;

/// Bodies of which all pairs are looked at: no list is worth its making.
const FEW: usize = 16;

/// Memory of the search for body pairs.
#[derive(Debug, Default)]
pub struct BodyPairs {
    near: NearPairs,
    pairs: Vec<[BodyIndex; 2]>,
}

impl BodyPairs {
    /// Pairs of bodies that [meet](Objects::meet), the smaller id first, in the order of ids; pairs of obstacles and
    /// excluded pairs are left out. Bodies with self-contact give `[i, i]`. The same for any number of threads.
    pub fn find(&mut self, objects: &Objects, excluded: &Exclusions) -> &[[BodyIndex; 2]] {
        self.pairs.clear();
        let boxes = objects.body_boxes();
        let few = boxes.len() <= FEW;
        if few {
            each_pair(boxes, &mut |i, j| self.pairs.extend(pair(objects, excluded, [i, j])));
        } else {
            self.near.find(objects, excluded, &mut self.pairs);
        }
        let bodies = (0..objects.bodies() as u32).map(BodyIndex);
        let with_itself = bodies.filter(|&i| objects.has_selfcontact(i) && !objects.is_obstacle(i));
        let others = self.pairs.len();
        self.pairs.extend(with_itself.map(|i| [i, i]));
        if few || self.pairs.len() > others {
            self.pairs.sort_unstable_by_key(|pair| pair.map(|body| objects.rank(body)));
        }
        &self.pairs
    }
}

/// Two bodies that may touch, the smaller id first.
fn pair(objects: &Objects, excluded: &Exclusions, bodies: [u32; 2]) -> Option<[BodyIndex; 2]> {
    let [i, j] = bodies.map(BodyIndex);
    let ordered = if objects.rank(i) < objects.rank(j) { [i, j] } else { [j, i] };
    (may_touch(objects, excluded, i, j) && objects.meet(ordered)).then_some(ordered)
}

/// Appends the pairs of parts of two bodies whose boxes share a point, ascending; for one body with itself those
/// that are not adjacent.
pub fn part_pairs(objects: &Objects, [i, j]: [BodyIndex; 2], pairs: &mut Vec<[ObjectIndex; 2]>) {
    let start = pairs.len();
    let mut meet = |a: u32, b: u32| pairs.push([ObjectIndex(a), ObjectIndex(b)]);
    if i == j {
        self_pairs(objects, i, &mut meet);
    } else {
        let (left, right) = (objects.part_boxes(i), objects.part_boxes(j));
        if let ([a], [b]) = (left, right) {
            pairs.extend(a.meets(b).then_some([ObjectIndex(0); 2]));
            return;
        }
        match (objects.tree(i), objects.tree(j)) {
            (Some(p), Some(q)) => p.each_pair_with(left, q, right, meet),
            (Some(p), None) => {
                for (b, probe) in (0..).zip(right) {
                    p.each_meeting(left, probe, |a| meet(a, b));
                }
            }
            (None, Some(q)) => {
                for (a, probe) in (0..).zip(left) {
                    q.each_meeting(right, probe, |b| meet(a, b));
                }
            }
            (None, None) => {
                // parts of the first outside the box of the second body have no partners
                let beyond = objects.bounds(j);
                for (a, probe) in (0..).zip(left).filter(|(_, b)| b.meets(beyond)) {
                    let meeting = (0..).zip(right).filter(|(_, b)| b.meets(probe));
                    meeting.for_each(|(b, _)| meet(a, b));
                }
            }
        }
    }
    pairs[start..].sort_unstable();
}

fn self_pairs(objects: &Objects, body: BodyIndex, meet: &mut impl FnMut(u32, u32)) {
    let boxes = objects.part_boxes(body);
    let mut meet = |a: u32, b: u32| {
        if objects.adjacent(body, ObjectIndex(a)).binary_search(&ObjectIndex(b)).is_err() {
            meet(a, b);
        }
    };
    match objects.tree(body) {
        Some(tree) => tree.each_pair(boxes, meet),
        None => each_pair(boxes, &mut meet),
    }
}

fn each_pair(boxes: &[Bounds], meet: &mut impl FnMut(u32, u32)) {
    for (a, p) in (0..).zip(boxes) {
        for (b, q) in (a + 1..).zip(&boxes[a as usize + 1..]) {
            if p.meets(q) {
                meet(a, b);
            }
        }
    }
}
