//! Broad phase: pairs of bodies, then pairs of their parts, whose boxes share a point.

use rayon::prelude::*;

use super::objects::Objects;
use super::rules::Exclusions;
use super::tree::{Task, Tree};
use crate::ids::{BodyIndex, ObjectIndex};
use crate::shape::Bounds;

/// Rounds of cutting the search into pieces for threads: some 3⁶ pieces, fewer when most of them are empty.
const ROUNDS: u32 = 6;

/// Bodies of which all pairs are looked at: no tree is worth its making.
const FEW: usize = 16;

/// Fewer bodies are searched by one thread.
const GRAIN: usize = 1024;

/// Memory of the search for body pairs.
#[derive(Debug, Default)]
pub struct BodyPairs {
    tree: Tree,
    tasks: Vec<Task>,
    found: Vec<Vec<[u32; 2]>>,
    /// Pairs of places in the order of ids.
    ranks: Vec<[u32; 2]>,
    pairs: Vec<[BodyIndex; 2]>,
}

impl BodyPairs {
    /// Pairs of bodies whose boxes share a point, the smaller id first, in the order of ids; pairs of obstacles and
    /// excluded pairs are left out. Bodies with self-contact give `[i, i]`. The same for any number of threads.
    pub fn find(&mut self, objects: &Objects, excluded: &Exclusions) -> &[[BodyIndex; 2]] {
        let boxes = objects.body_boxes();
        self.ranks.clear();
        if boxes.len() <= FEW {
            each_pair(boxes, &mut |i, j| meet(objects, excluded, [i, j], &mut self.ranks));
        } else {
            self.search(objects, excluded);
        }
        let bodies = (0..objects.bodies() as u32).map(BodyIndex);
        let with_itself = bodies.filter(|&i| objects.has_selfcontact(i) && !objects.is_obstacle(i));
        self.ranks.extend(with_itself.map(|i| [objects.rank(i); 2]));
        self.ranks.par_sort_unstable();
        self.pairs.clear();
        self.pairs.extend(self.ranks.iter().map(|pair| pair.map(|rank| objects.at_rank(rank))));
        &self.pairs
    }

    /// Finds the pairs in a tree of all boxes.
    fn search(&mut self, objects: &Objects, excluded: &Exclusions) {
        let boxes = objects.body_boxes();
        self.tree.build(boxes);
        let rounds = if boxes.len() < GRAIN { 0 } else { ROUNDS };
        self.tree.tasks(rounds, &mut self.tasks);
        let (tree, tasks) = (&self.tree, &self.tasks);
        self.found.resize_with(tasks.len().max(self.found.len()), Vec::new);
        self.found[..tasks.len()].par_iter_mut().zip(tasks).for_each(|(found, task)| {
            found.clear();
            tree.run(*task, boxes, |i, j| meet(objects, excluded, [i, j], found));
        });
        for found in &self.found[..tasks.len()] {
            self.ranks.extend_from_slice(found);
        }
    }
}

/// Adds the places in the order of ids of two bodies whose boxes share a point, unless they cannot touch.
fn meet(objects: &Objects, excluded: &Exclusions, bodies: [u32; 2], ranks: &mut Vec<[u32; 2]>) {
    let [i, j] = bodies.map(BodyIndex);
    if may_touch(objects, excluded, i, j) {
        let (a, b) = (objects.rank(i), objects.rank(j));
        ranks.push([a.min(b), a.max(b)]);
    }
}

/// Whether contact between two bodies is possible at all.
pub fn may_touch(objects: &Objects, excluded: &Exclusions, i: BodyIndex, j: BodyIndex) -> bool {
    let moving = !objects.is_obstacle(i) || !objects.is_obstacle(j);
    moving && !excluded.bodies(objects.id(i), objects.id(j))
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
