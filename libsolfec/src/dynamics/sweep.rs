//! The coloured sweep over bodies in packed forms: the same bits for any number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::packed::{Attach, Pointers, Tile};
use super::{BlockKernel, Colouring, Pair, Sweep, GRAIN, TAIL};
use crate::ids::{BodyId, Slot};
use crate::math::{Mat3, Vec3};

/// Colours with fewer pair blocks are swept serially.
const LEAST_PARALLEL: usize = 256;

/// Pair blocks of one task of a parallel colour; a property of the data, never of the number of threads.
const TASK: usize = 128;

/// Most constraints of bodies in condensed form between two updates of all their points; see `condensed`.
const TILE: usize = 64;

/// A constraint as the sweep reads it; ends are master and slave.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedRow {
    pub base: Mat3,
    pub drift: Vec3,
    pub arms: [Vec3; 2],
    pub ends: [Attach; 2],
}

/// What a sweep needs of a constraint, in the order of the sweep.
#[derive(Debug, Clone, Copy)]
struct Visit {
    link: PackedRow,
    diagonal: Mat3,
    row: u32,
}

/// Rows in sweep order, cut into tasks; tasks of a parallel stage share no body.
#[derive(Debug, Clone, Default)]
pub(super) struct Schedule {
    pairs: Vec<Pair>,
    /// `block_start[k] .. block_start[k + 1]` of `members` are the rows of pair `k`.
    block_start: Vec<u32>,
    members: Vec<u32>,
    by_colour: Vec<u32>,
    order: Vec<u32>,
    visits: Vec<Visit>,
    tasks: Vec<Task>,
    stages: Vec<Stage>,
    partial: Vec<Sweep>,
    colours: usize,
}

/// Visits that one thread makes.
#[derive(Debug, Clone)]
struct Task {
    places: Range<u32>,
    /// Whether some are of bodies in condensed form.
    tiled: bool,
}

#[derive(Debug, Clone)]
struct Stage {
    tasks: Range<usize>,
    parallel: bool,
}

impl Schedule {
    /// Number of colours before small ones were merged, the overflow not counted.
    pub fn colours(&self) -> usize {
        self.colours
    }

    /// Rows in the order of a forward sweep.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Forgets the order: nothing is swept before the next `load`.
    pub fn clear(&mut self) {
        self.order.clear();
        self.visits.clear();
    }

    /// Copies what sweeps read into their order; `condensed`: some bodies are in condensed form.
    pub fn load(&mut self, links: &[PackedRow], diagonal: &[Mat3], condensed: bool) {
        let visit = |&row: &u32| Visit { link: links[row as usize], diagonal: diagonal[row as usize], row };
        self.order.par_iter().with_min_len(GRAIN).map(visit).collect_into_vec(&mut self.visits);
        let at_points = |visit: &Visit| visit.link.ends.iter().any(|end| matches!(end, Attach::Condensed(_)));
        for task in &mut self.tasks {
            let visits = &self.visits[task.places.start as usize..task.places.end as usize];
            task.tiled = condensed && visits.iter().any(at_points);
        }
    }

    /// Clusters `rows` into pair blocks, colours them and orders them by (colour, key); `slots(i)` are the dynamic
    /// bodies of row `i`.
    pub fn build(
        &mut self,
        rows: usize,
        key: impl Fn(usize) -> [BodyId; 2],
        slots: impl Fn(usize) -> [Slot; 2],
        colouring: &mut Colouring,
        bodies: usize,
    ) {
        self.members.clear();
        self.members.extend(0..rows as u32);
        self.members.sort_unstable_by_key(|&i| (key(i as usize), i));
        self.pairs.clear();
        self.block_start.clear();
        for (at, &i) in self.members.iter().enumerate() {
            let key = key(i as usize);
            if self.pairs.last().is_none_or(|pair| pair.key != key) {
                self.pairs.push(Pair { key, slots: slots(i as usize) });
                self.block_start.push(at as u32);
            }
            let pair = self.pairs.last().map(|pair| pair.slots);
            assert_eq!(pair, Some(slots(i as usize)), "pair {key:?} names more than two bodies");
        }
        self.block_start.push(rows as u32);
        let colours = colouring.colour(&self.pairs, bodies);
        self.colours = colours.iter().filter(|&&c| c != TAIL).max().map_or(0, |&c| c as usize + 1);
        self.arrange(colours);
    }

    fn arrange(&mut self, colours: &[u8]) {
        let mut count = [0; TAIL as usize + 1];
        for &c in colours {
            count[c as usize] += 1;
        }
        let serial = |c: u8| c == TAIL || count[c as usize] < LEAST_PARALLEL;
        // Places of colours: those swept in parallel, then the serial ones.
        let mut place = [0; TAIL as usize + 1];
        let mut next = 0;
        for c in (0..=TAIL).filter(|&c| !serial(c)).chain((0..=TAIL).filter(|&c| serial(c))) {
            place[c as usize] = next;
            next += count[c as usize];
        }
        self.by_colour.resize(colours.len(), 0);
        for (k, &c) in (0..).zip(colours) {
            self.by_colour[place[c as usize]] = k;
            place[c as usize] += 1;
        }
        self.order.clear();
        self.tasks.clear();
        self.stages.clear();
        let blocks = std::mem::take(&mut self.by_colour);
        let same = |a: &u32, b: &u32| {
            let (a, b) = (colours[*a as usize], colours[*b as usize]);
            a == b || (serial(a) && serial(b))
        };
        for stage in blocks.chunk_by(same) {
            let parallel = !serial(colours[stage[0] as usize]);
            let first = self.tasks.len();
            for task in stage.chunks(if parallel { TASK } else { stage.len() }) {
                let start = self.order.len() as u32;
                for &k in task {
                    let k = k as usize;
                    let rows = self.block_start[k] as usize..self.block_start[k + 1] as usize;
                    self.order.extend_from_slice(&self.members[rows]);
                }
                self.tasks.push(Task { places: start..self.order.len() as u32, tiled: false });
            }
            self.stages.push(Stage { tasks: first..self.tasks.len(), parallel });
        }
        self.by_colour = blocks;
        self.partial.clear();
        self.partial.resize(self.tasks.len(), Sweep::default());
    }

    /// One sweep over all tasks; the account is summed in the order of tasks, whatever thread ran them.
    pub fn run<K: BlockKernel>(&mut self, bodies: Pointers<'_>, r: &mut [Vec3], kernel: &K, backward: bool) -> Sweep {
        assert!(r.len() == self.order.len() && r.len() == self.visits.len());
        let threads = rayon::current_num_threads();
        let shared = Shared { visits: &self.visits, bodies, r: r.as_mut_ptr() };
        let tasks = &self.tasks;
        let work = |(out, task): (&mut Sweep, &Task)| {
            // SAFETY: see `Shared`.
            *out = if task.tiled {
                unsafe { shared.sweep_tiles(task.places.clone(), kernel, backward) }
            } else {
                unsafe { shared.sweep(task.places.clone(), kernel, backward) }
            };
        };
        let mut stage = |stage: &Stage| {
            let out = &mut self.partial[stage.tasks.clone()];
            let tasks = &tasks[stage.tasks.clone()];
            if stage.parallel && threads > 1 {
                out.par_iter_mut().zip(tasks).for_each(work);
            } else {
                out.iter_mut().zip(tasks).for_each(work);
            }
        };
        if backward {
            self.stages.iter().rev().for_each(&mut stage);
        } else {
            self.stages.iter().for_each(&mut stage);
        }
        let mut sum = Sweep::default();
        self.partial.iter().for_each(|part| sum.add(part));
        sum
    }
}

/// Bodies and reactions as tasks of one colour see them.
///
/// Proof that concurrent tasks do not race. `run` holds `&mut` to the bodies and to `r` for the whole sweep, so nobody
/// outside reads or writes them. Stages follow one another (`for_each` joins all tasks). Tasks of a parallel stage
/// consist of whole pair blocks of one colour below `TAIL`; each row is in exactly one block (`members` is a
/// permutation cut by `block_start`), so entries of `r` are disjoint. All rows of a block attach only to the slots of
/// its pair: `build` asserts it row by row. `Colouring::greedy` gives two blocks that share a slot different colours:
/// the later one excludes the bit that the earlier one set in `used` of that slot. Hence the bodies that two tasks of a
/// stage touch are disjoint as well; the tasks that a body in condensed form starts to update its points are joined
/// before the next visit. `visits` and the tables of inverses and ends are only read. All indices are in range: `fill`
/// takes those of bodies from the columns it has just filled, and clears the schedule first so that a fill that did not
/// end cannot be swept; those of rows are a permutation of `0 .. order.len()`, which `run` compares with the columns.
struct Shared<'a> {
    visits: &'a [Visit],
    bodies: Pointers<'a>,
    r: *mut Vec3,
}

// SAFETY: see the proof above; the pointees are plain numbers.
unsafe impl Sync for Shared<'_> {}

impl Shared<'_> {
    /// # Safety
    /// No other thread may touch the bodies and reactions of the visits at `places` during the call.
    unsafe fn sweep<K: BlockKernel>(&self, places: Range<u32>, kernel: &K, backward: bool) -> Sweep {
        let mut sweep = Sweep::default();
        unsafe { self.visit_all::<K, false>(places, kernel, backward, &mut sweep, &Tile::NONE) };
        sweep
    }

    /// The same where bodies are in condensed form: tile by tile, with bits that do not depend on the tiles.
    ///
    /// # Safety
    /// As `sweep`.
    unsafe fn sweep_tiles<K: BlockKernel>(&self, places: Range<u32>, kernel: &K, backward: bool) -> Sweep {
        let mut sweep = Sweep::default();
        let mut left = places;
        while !left.is_empty() {
            let run;
            (run, left) = self.split_run(left, backward);
            let visits = &self.visits[run.start as usize..run.end as usize];
            let tile = self.bodies.tile(visits.iter().flat_map(|visit| visit.link.ends));
            unsafe { self.visit_all::<K, true>(run, kernel, backward, &mut sweep, &tile) };
            unsafe { self.bodies.flush(&tile) };
        }
        sweep
    }

    /// The next visits of one pair of bodies, at most as many as a tile has, and those that are left.
    fn split_run(&self, places: Range<u32>, backward: bool) -> (Range<u32>, Range<u32>) {
        let pair = |place: u32| self.visits[place as usize].link.ends.map(|end| self.bodies.condensed_body(end));
        let first = if backward { places.end - 1 } else { places.start };
        let belongs = |place: &u32| pair(*place) == pair(first);
        if backward {
            let length = places.clone().rev().take(TILE).take_while(belongs).count() as u32;
            (places.end - length..places.end, places.start..places.end - length)
        } else {
            let length = places.clone().take(TILE).take_while(belongs).count() as u32;
            (places.start..places.start + length, places.start + length..places.end)
        }
    }

    /// # Safety
    /// As `sweep`.
    #[inline(always)]
    unsafe fn visit_all<K: BlockKernel, const TILED: bool>(
        &self,
        places: Range<u32>,
        kernel: &K,
        backward: bool,
        sweep: &mut Sweep,
        tile: &Tile,
    ) {
        if backward {
            for place in places.rev() {
                unsafe { self.visit::<K, TILED>(place as usize, kernel, sweep, tile) };
            }
        } else {
            for place in places {
                unsafe { self.visit::<K, TILED>(place as usize, kernel, sweep, tile) };
            }
        }
    }

    /// # Safety
    /// As `sweep`.
    #[inline(always)]
    unsafe fn visit<K: BlockKernel, const TILED: bool>(
        &self,
        place: usize,
        kernel: &K,
        sweep: &mut Sweep,
        tile: &Tile,
    ) {
        if kernel.skips(place) {
            return;
        }
        let Visit { link, diagonal: w, row } = &self.visits[place];
        let r = unsafe { &mut *self.r.add(*row as usize) };
        let [master, slave] = [0, 1].map(|k| unsafe { self.bodies.point::<TILED>(link.ends[k], &link.arms[k]) });
        let u = link.base.tr_mul(&(master - slave)) + link.drift;
        let (new, solved) = kernel.solve(place, w, &(u - w * *r), r);
        let change = new - *r;
        sweep.count(r, &new, solved);
        *r = new;
        if change != Vec3::zeros() {
            let force = link.base * change;
            unsafe { self.bodies.push::<TILED>(link.ends[0], &link.arms[0], &force, tile) };
            unsafe { self.bodies.push::<TILED>(link.ends[1], &link.arms[1], &-force, tile) };
        }
    }
}
