//! Pairs of bodies that are near each other: a list that holds for several steps. Each body gets a box that is larger than
//! its own by what it moves in some steps (Verlet's list, Phys. Rev. 159, 1967, of boxes); while no body leaves its
//! larger box, every pair whose boxes meet is in the list, in the order in which it was sorted once. The list changes
//! time, never results.

use rayon::prelude::*;

use super::objects::Objects;
use super::rules::Exclusions;
use super::tree::{Task, Tree};
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;
use crate::shape::Bounds;

/// Steps for which a list should hold; a longer list holds longer and costs more in each step.
const STEPS: f64 = 12.0;
/// Least and largest margin, in diagonals of the body's box.
const MARGINS: [f64; 2] = [0.005, 0.15];
/// A list that holds for fewer steps is not worth its longer search: this many times boxes are not enlarged.
const FEWEST: u32 = 3;
const PAUSE: u32 = 20;

/// Rounds of cutting the search into pieces for threads: some 3⁶ pieces, fewer when most of them are empty.
const ROUNDS: u32 = 6;
/// Fewer bodies are searched by one thread.
const GRAIN: usize = 1024;
/// Pairs that a thread looks at in one go.
const CHUNK: usize = 8192;

/// The list, what it was made for, and memory.
#[derive(Debug, Default)]
pub struct NearPairs {
    bodies: Vec<BodyId>,
    excluded: Exclusions,
    /// Boxes that bodies must not leave.
    room: Vec<Bounds>,
    /// Where the middles of boxes were when the list was made.
    middles: Vec<Vec3>,
    /// Steps since then.
    age: u32,
    /// Lists still to be made of boxes that are not enlarged; whether the last one was of larger boxes.
    pause: u32,
    enlarged: bool,
    /// Pairs whose larger boxes meet, in order; the smaller id first.
    list: Vec<[BodyIndex; 2]>,
    tree: Tree,
    tasks: Vec<Task>,
    found: Vec<Vec<[u32; 2]>>,
    ranks: Vec<[u32; 2]>,
}

impl NearPairs {
    /// Appends the pairs of bodies that [meet](Objects::meet) and that may touch, the smaller id first, in the order of
    /// ids. The same for any number of threads.
    pub fn find(&mut self, objects: &Objects, excluded: &Exclusions, pairs: &mut Vec<[BodyIndex; 2]>) {
        self.age += 1;
        if !self.holds(objects, excluded) {
            self.enlarge(objects, excluded);
            self.search(objects, excluded);
            self.age = 0;
        }
        let meet = |pair: &[BodyIndex; 2]| objects.meet(*pair);
        if self.list.len() <= CHUNK {
            pairs.extend(self.list.iter().filter(|pair| meet(pair)));
            return;
        }
        let chunks = self.list.len().div_ceil(CHUNK);
        self.found.resize_with(chunks.max(self.found.len()), Vec::new);
        self.found[..chunks].par_iter_mut().zip(self.list.par_chunks(CHUNK)).for_each(|(found, list)| {
            found.clear();
            found.extend(list.iter().filter(|pair| meet(pair)).map(|pair| pair.map(|body| body.0)));
        });
        for found in &self.found[..chunks] {
            pairs.extend(found.iter().map(|pair| pair.map(BodyIndex)));
        }
    }

    /// Whether the list is one of these bodies, none of which has left its room.
    fn holds(&self, objects: &Objects, excluded: &Exclusions) -> bool {
        let inside =
            |own: &Bounds, room: &Bounds| (0..3).all(|k| room.low[k] <= own.low[k] && own.high[k] <= room.high[k]);
        self.bodies == objects.ids()
            && self.excluded.same_bodies(excluded)
            && objects.body_boxes().iter().zip(&self.room).all(|(own, room)| inside(own, room))
    }

    /// Gives each body the room that it needs for some steps if it moves as it has moved.
    fn enlarge(&mut self, objects: &Objects, excluded: &Exclusions) {
        let boxes = objects.body_boxes();
        let same = self.bodies == objects.ids();
        if same && self.enlarged && self.age < FEWEST {
            self.pause = PAUSE;
        }
        self.enlarged = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        let margin = |i: usize, own: &Bounds| {
            let size = own.diagonal();
            if !self.enlarged || !size.is_finite() {
                return 0.0;
            }
            let way = if same { (own.center() - self.middles[i]).norm() * STEPS / f64::from(self.age) } else { 0.0 };
            way.clamp(MARGINS[0] * size, MARGINS[1] * size)
        };
        let mut room = std::mem::take(&mut self.room);
        room.clear();
        room.extend(boxes.iter().enumerate().map(|(i, own)| own.enlarged(margin(i, own))));
        self.room = room;
        self.middles.clear();
        self.middles.extend(boxes.iter().map(Bounds::center));
        if !same {
            self.bodies.clear();
            self.bodies.extend_from_slice(objects.ids());
        }
        if !self.excluded.same_bodies(excluded) {
            self.excluded = excluded.clone();
        }
    }

    /// Makes the list by a tree of the larger boxes.
    fn search(&mut self, objects: &Objects, excluded: &Exclusions) {
        let boxes = &self.room;
        self.tree.build(boxes);
        let rounds = if boxes.len() < GRAIN { 0 } else { ROUNDS };
        self.tree.tasks(rounds, &mut self.tasks);
        let (tree, tasks) = (&self.tree, &self.tasks);
        self.found.resize_with(tasks.len().max(self.found.len()), Vec::new);
        self.found[..tasks.len()].par_iter_mut().zip(tasks).for_each(|(found, task)| {
            found.clear();
            tree.run(*task, boxes, |i, j| {
                if may_touch(objects, excluded, BodyIndex(i), BodyIndex(j)) {
                    let [a, b] = [i, j].map(|body| objects.rank(BodyIndex(body)));
                    found.push([a.min(b), a.max(b)]);
                }
            });
        });
        self.ranks.clear();
        self.found[..tasks.len()].iter().for_each(|found| self.ranks.extend_from_slice(found));
        self.ranks.par_sort_unstable();
        self.list.clear();
        self.list.extend(self.ranks.iter().map(|pair| pair.map(|rank| objects.at_rank(rank))));
    }
}

/// Whether contact between two bodies is possible at all.
pub fn may_touch(objects: &Objects, excluded: &Exclusions, i: BodyIndex, j: BodyIndex) -> bool {
    let moving = !objects.is_obstacle(i) || !objects.is_obstacle(j);
    moving && !excluded.bodies(objects.id(i), objects.id(j))
}
