//! Broad phase: pairs of bodies, then pairs of their atoms, whose boxes share a point (geometry-and-contact.md 5).

use rayon::prelude::*;

use super::bounds::Bounds;
use super::objects::Objects;
use super::rules::Exclusions;
use super::tree::{Task, Tree};

/// Rounds of cutting the search into pieces for threads: some 3⁶ pieces, fewer when most of them are empty.
const ROUNDS: u32 = 6;

/// Memory of the search for body pairs.
#[derive(Debug, Default)]
pub struct BodyPairs {
    tree: Tree,
    tasks: Vec<Task>,
    found: Vec<Vec<[u32; 2]>>,
    pairs: Vec<[u32; 2]>,
}

impl BodyPairs {
    /// Rows `[i, j]`, i < j, of bodies whose boxes share a point, ascending; pairs of obstacles and excluded pairs are left
    /// out. Bodies with self-contact give `[i, i]`. The same for any number of threads.
    pub fn find(&mut self, objects: &Objects, excluded: &Exclusions) -> &[[u32; 2]] {
        let boxes = objects.body_boxes();
        self.tree.build(boxes);
        self.tree.tasks(ROUNDS, &mut self.tasks);
        let (tree, tasks) = (&self.tree, &self.tasks);
        self.found.resize_with(tasks.len().max(self.found.len()), Vec::new);
        self.found[..tasks.len()].par_iter_mut().zip(tasks).for_each(|(found, task)| {
            found.clear();
            tree.run(*task, boxes, |i, j| {
                if may_touch(objects, excluded, i, j) {
                    found.push([i, j]);
                }
            });
        });
        self.pairs.clear();
        for found in &self.found[..tasks.len()] {
            self.pairs.extend_from_slice(found);
        }
        let rows = 0..objects.bodies() as u32;
        self.pairs.extend(rows.filter(|&i| objects.has_selfcontact(i) && !objects.is_obstacle(i)).map(|i| [i, i]));
        self.pairs.par_sort_unstable();
        &self.pairs
    }
}

/// Whether contact between two bodies is possible at all.
pub fn may_touch(objects: &Objects, excluded: &Exclusions, i: u32, j: u32) -> bool {
    let moving = !objects.is_obstacle(i) || !objects.is_obstacle(j);
    moving && !excluded.bodies(objects.id(i), objects.id(j))
}

/// Appends the pairs of atoms of two bodies (rows) whose boxes share a point, ascending; for one body with itself those
/// that are not adjacent.
pub fn atom_pairs(objects: &Objects, [i, j]: [u32; 2], pairs: &mut Vec<[u32; 2]>) {
    let start = pairs.len();
    if i == j {
        self_pairs(objects, i, pairs);
    } else {
        let (left, right) = (objects.atom_boxes(i), objects.atom_boxes(j));
        match (objects.tree(i), objects.tree(j)) {
            (Some(p), Some(q)) => p.each_pair_with(left, q, right, |a, b| pairs.push([a, b])),
            (Some(p), None) => {
                for (b, probe) in (0..).zip(right) {
                    p.each_meeting(left, probe, |a| pairs.push([a, b]));
                }
            }
            (None, Some(q)) => {
                for (a, probe) in (0..).zip(left) {
                    q.each_meeting(right, probe, |b| pairs.push([a, b]));
                }
            }
            (None, None) => {
                // atoms of the first outside the box of the second body have no partners
                let beyond = objects.bounds(j);
                for (a, probe) in (0..).zip(left).filter(|(_, b)| b.meets(beyond)) {
                    let meeting = (0..).zip(right).filter(|(_, b)| b.meets(probe));
                    pairs.extend(meeting.map(|(b, _)| [a, b]));
                }
            }
        }
    }
    pairs[start..].sort_unstable();
}

fn self_pairs(objects: &Objects, body: u32, pairs: &mut Vec<[u32; 2]>) {
    let boxes = objects.atom_boxes(body);
    let mut meet = |a: u32, b: u32| {
        if objects.adjacent(body, a).binary_search(&b).is_err() {
            pairs.push([a, b]);
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
