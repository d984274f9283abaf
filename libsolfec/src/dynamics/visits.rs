//! The visits of a sweep: one constraint, or four of different pairs of bodies side by side.

use std::ops::Range;

use super::packed::{fetch, fetch_item, Attach, Pointers, RigidSweep};
use super::{BlockKernel, Sweep, GRAIN};
use crate::math::{each, Mat3, Number, Vec3, Wide, WideMat, WideVec};

/// Most constraints of bodies in condensed form between two updates of all their points; see `condensed`.
const TILE: usize = 32;

/// Each visit asks for the bodies and reactions of the visit so many places ahead, a visit of four for those of the one
/// so many fours ahead, and for its numbers so many fours ahead.
const AHEAD: usize = 4;
const FOURS_AHEAD: usize = 3;
const NUMBERS_AHEAD: usize = 2;

/// A constraint as the sweep reads it; ends are master and slave.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PackedRow {
    pub base: Mat3,
    pub drift: Vec3,
    pub arms: [Vec3; 2],
    pub ends: [Attach; 2],
}

/// What a sweep needs of a constraint.
#[derive(Debug, Clone, Copy, Default)]
struct Visit {
    link: PackedRow,
    diagonal: Mat3,
    row: u32,
}

/// Numbers of four constraints side by side.
#[derive(Debug, Clone, Copy, Default)]
struct Four {
    base: WideMat,
    drift: WideVec,
    arms: [WideVec; 2],
    diagonal: WideMat,
}

/// Ends and rows of four constraints, apart from their numbers, as they are read ahead.
#[derive(Debug, Clone, Copy, Default)]
struct FourEnds {
    ends: [[Attach; 4]; 2],
    rows: [u32; 4],
}

impl Four {
    fn gather(rows: &[u32; 4], links: &[PackedRow], diagonal: &[Mat3]) -> Four {
        let (links, diagonal) = (rows.map(|row| &links[row as usize]), rows.map(|row| &diagonal[row as usize]));
        Four {
            base: WideMat::gather(links.map(|link| &link.base)),
            drift: WideVec::gather(links.map(|link| &link.drift)),
            arms: [0, 1].map(|side| WideVec::gather(links.map(|link| &link.arms[side]))),
            diagonal: WideMat::gather(diagonal),
        }
    }

    /// The visit of one of them.
    fn single(&self, k: usize, at: &FourEnds) -> Visit {
        let link = PackedRow {
            base: self.base.item(k),
            drift: self.drift.item(k),
            arms: [0, 1].map(|side| self.arms[side].item(k)),
            ends: [0, 1].map(|side| at.ends[side][k]),
        };
        Visit { link, diagonal: self.diagonal.item(k), row: at.rows[k] }
    }
}

impl FourEnds {
    fn of(rows: &[u32; 4], links: &[PackedRow]) -> FourEnds {
        let links = rows.map(|row| &links[row as usize]);
        let ends = [0, 1].map(|side| links.map(|link| link.ends[side]));
        let rigid = |end: &Attach| matches!(end, Attach::Rigid(_) | Attach::None);
        assert!(ends.iter().flatten().all(rigid), "constraints side by side are of bodies in rigid form");
        FourEnds { ends, rows: *rows }
    }
}

/// What a sweep reads of its constraints: by four side by side first, then one by one.
#[derive(Debug, Default)]
pub(super) struct Visits {
    /// Place of the first constraint and number of the first four, as kernels know them.
    first: usize,
    first_four: usize,
    fours: Vec<Four>,
    ends: Vec<FourEnds>,
    singles: Vec<Visit>,
}

/// Visits that one thread makes: those of four, then those of one.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub fours: Range<u32>,
    pub singles: Range<u32>,
    /// Its pairs, by their place in the order of levels.
    pub pairs: Range<u32>,
    /// Whether some are of bodies in condensed form.
    pub tiled: bool,
}

impl Task {
    pub fn rows(&self) -> usize {
        4 * self.fours.len() + self.singles.len()
    }
}

impl Visits {
    pub fn begin(&mut self, first: usize, first_four: usize) {
        (self.first, self.first_four) = (first, first_four);
    }

    pub fn rows(&self) -> usize {
        4 * self.fours.len() + self.singles.len()
    }

    /// Copies what is read of the rows of an order: so many fours, and single ones.
    pub fn load(&mut self, (order, fours): (&[u32], usize), links: &[PackedRow], diagonal: &[Mat3]) {
        let (together, singles) = order.split_at(4 * fours);
        let (together, _) = together.as_chunks::<4>();
        self.fours.resize(fours, Four::default());
        each(&mut self.fours, GRAIN, |k, four| *four = Four::gather(&together[k], links, diagonal));
        self.ends.resize(fours, FourEnds::default());
        each(&mut self.ends, GRAIN, |k, ends| *ends = FourEnds::of(&together[k], links));
        self.singles.resize(singles.len(), Visit::default());
        each(&mut self.singles, GRAIN, |k, visit| {
            visit.row = singles[k];
            visit.link = links[visit.row as usize];
            visit.diagonal = diagonal[visit.row as usize];
        });
    }

    /// Whether some of these single constraints are at points of bodies in condensed form.
    pub fn have_points(&self, singles: &Range<u32>) -> bool {
        let at_point = |end: &Attach| matches!(end, Attach::Condensed(_));
        self.singles[singles.start as usize..singles.end as usize]
            .iter()
            .any(|visit| visit.link.ends.iter().any(at_point))
    }
}

/// Bodies, reactions and accounts as tasks see them.
///
/// Proof that concurrent tasks do not race. `run` holds `&mut` to the bodies, to `r` and to the accounts for the
/// whole sweep, so nobody outside reads or writes them. Tasks consist of whole pairs of one level; each row is in
/// exactly one pair (`members` are distinct, which `build` asserts, and cut by `pair_start`), so entries of `r` are
/// disjoint, and each task has an account of its own. All rows of a pair attach only to its slots: `build` asserts it
/// row by row. `Levels::find` gives two pairs that share a slot different levels: the later one takes at least the
/// number in `next` of that slot, which the earlier one has raised above its own level. Hence the bodies of two tasks
/// of a level are disjoint. Of two tasks of different levels that share a slot, the later one begins after the
/// earlier one: either both are of one share, which is worked through in the order of levels by one thread, or the
/// later one waits, or one before it in its share has waited, until the share of the last task on that slot before it
/// has passed its level (`Shares::add` looks at each slot), and so on back to the earlier one; the store with
/// `Release` after a turn and the load with `Acquire` before the other order the accesses. Constraints side by side
/// are of different pairs of one task, so that their bodies differ, and one thread reads all of them before it writes
/// any. The tasks that a body in condensed form starts to update its points are joined before the next visit.
/// `visits` and the tables of inverses and ends are only read. All indices are in range: `fill` takes those of bodies
/// from the columns it has just filled, and calls `clear` first and `permit` last so that a fill that did not end
/// cannot be swept; those of rows are below the number of rows of the operator, which `build` asserts and `run`
/// compares with the columns, and there are as many accounts as tasks. A schedule that is kept from an earlier step
/// was made for the same keys, slots and number of bodies, which the operator compares; what `build` has checked of
/// them holds.
pub(super) struct Shared<'a> {
    visits: &'a Visits,
    bodies: Pointers<'a>,
    r: *mut Vec3,
    partial: *mut Sweep,
    /// Whether there is one thread, so that a body in condensed form may take others to update its points.
    alone: bool,
}

// SAFETY: see the proof above; the pointees are plain numbers.
unsafe impl Sync for Shared<'_> {}

impl<'a> Shared<'a> {
    /// `alone`: there is one thread.
    pub fn new(
        visits: &'a Visits,
        bodies: Pointers<'a>,
        r: &mut [Vec3],
        partial: &mut [Sweep],
        alone: bool,
    ) -> Shared<'a> {
        Shared { visits, bodies, r: r.as_mut_ptr(), partial: partial.as_mut_ptr(), alone }
    }

    /// # Safety
    /// No other thread may touch the bodies, the reactions and the account of this task during the call.
    pub unsafe fn work<K: BlockKernel>(&self, number: usize, task: &Task, kernel: &K) {
        let mut sweep = Sweep::default();
        for four in task.fours.clone() {
            unsafe { self.visit_four(four as usize, kernel, &mut sweep) };
        }
        let singles = task.singles.start as usize..task.singles.end as usize;
        if task.tiled {
            unsafe { self.visit_tiles(singles, kernel, &mut sweep) };
        } else {
            unsafe { self.visit_all::<K, false>(singles, kernel, &mut sweep) };
        }
        unsafe { *self.partial.add(number) = sweep };
    }

    /// Where bodies are in condensed form: tile by tile.
    ///
    /// # Safety
    /// As `work`.
    unsafe fn visit_tiles<K: BlockKernel>(&self, singles: Range<usize>, kernel: &K, sweep: &mut Sweep) {
        let mut left = singles;
        while !left.is_empty() {
            let run;
            (run, left) = self.split_run(left);
            let tile = self.bodies.tile(self.visits.singles[run.clone()].iter().flat_map(|visit| visit.link.ends));
            unsafe { self.bodies.open(&tile) };
            unsafe { self.visit_all::<K, true>(run, kernel, sweep) };
            unsafe { self.bodies.flush(&tile, self.alone) };
        }
    }

    /// The next visits of one pair of bodies, at most as many as a tile has, and those that are left.
    fn split_run(&self, singles: Range<usize>) -> (Range<usize>, Range<usize>) {
        let pair = |k: usize| self.visits.singles[k].link.ends.map(|end| self.bodies.condensed_body(end));
        let belongs = |k: &usize| pair(*k) == pair(singles.start);
        let length = singles.clone().take(TILE).take_while(belongs).count();
        (singles.start..singles.start + length, singles.start + length..singles.end)
    }

    /// # Safety
    /// As `work`.
    #[inline(always)]
    unsafe fn visit_all<K: BlockKernel, const TILED: bool>(
        &self,
        singles: Range<usize>,
        kernel: &K,
        sweep: &mut Sweep,
    ) {
        let first = self.visits.first + 4 * self.visits.fours.len();
        for k in singles {
            if let Some(later) = self.visits.singles.get(k + AHEAD) {
                later.link.ends.iter().for_each(|end| self.bodies.fetch(*end));
                fetch(self.r.wrapping_add(later.row as usize));
            }
            unsafe { self.visit::<K, TILED>(first + k, &self.visits.singles[k], kernel, sweep) };
        }
    }

    /// # Safety
    /// As `work`.
    #[inline(always)]
    unsafe fn visit<K: BlockKernel, const TILED: bool>(
        &self,
        place: usize,
        visit: &Visit,
        kernel: &K,
        sweep: &mut Sweep,
    ) {
        if kernel.skips(place) {
            return;
        }
        let Visit { link, diagonal: w, row } = visit;
        let r = unsafe { &mut *self.r.add(*row as usize) };
        let point = |k: usize| unsafe { self.bodies.point::<TILED>(link.ends[k], &link.arms[k]) };
        let (master, slave) = (point(0), point(1));
        // A guess may have what the law does not admit.
        let scalar = kernel.is_scalar(place) && r.x == 0.0 && r.y == 0.0;
        let b = if scalar {
            let u = link.base.column(2).dot(&(master - slave)) + link.drift.z;
            Vec3::new(0.0, 0.0, u - w.m33 * r.z)
        } else {
            link.base.tr_mul(&(master - slave)) + link.drift - w * *r
        };
        let (new, solved) = kernel.solve(place, w, &b, r);
        let change = new - *r;
        sweep.count(r, &new, solved);
        *r = new;
        if change != Vec3::zeros() {
            let force = if scalar { link.base.column(2) * change.z } else { link.base * change };
            unsafe { self.bodies.push::<TILED>(link.ends[0], &link.arms[0], &force) };
            unsafe { self.bodies.push::<TILED>(link.ends[1], &link.arms[1], &-force) };
        }
    }

    /// # Safety
    /// As `work`.
    #[cold]
    #[inline(never)]
    unsafe fn visit_in_turn<K: BlockKernel>(&self, number: usize, kernel: &K, sweep: &mut Sweep) {
        let (four, ends) = (&self.visits.fours[number], &self.visits.ends[number]);
        for k in 0..4 {
            let visit = four.single(k, ends);
            unsafe { self.visit::<K, false>(self.visits.first + 4 * number + k, &visit, kernel, sweep) };
        }
    }

    #[inline(always)]
    fn fetch_four(&self, number: usize) {
        if let Some(later) = self.visits.ends.get(number + FOURS_AHEAD) {
            later.ends.iter().flatten().for_each(|end| self.bodies.fetch(*end));
            later.rows.iter().for_each(|row| fetch(self.r.wrapping_add(*row as usize)));
        }
        fetch_item(self.visits.fours.as_ptr().wrapping_add(number + NUMBERS_AHEAD));
    }

    /// `visit` of four constraints side by side.
    ///
    /// # Safety
    /// As `work`.
    #[inline(always)]
    unsafe fn visit_four<K: BlockKernel>(&self, number: usize, kernel: &K, sweep: &mut Sweep) {
        self.fetch_four(number);
        kernel.fetch_four(self.visits.first_four + number + NUMBERS_AHEAD);
        let place = self.visits.first + 4 * number;
        if (place..place + 4).any(|place| kernel.skips(place)) {
            return unsafe { self.visit_in_turn(number, kernel, sweep) };
        }
        let Four { base, drift, arms, diagonal } = &self.visits.fours[number];
        let FourEnds { ends, rows } = &self.visits.ends[number];
        let r = rows.map(|row| unsafe { self.r.add(row as usize) });
        let old = WideVec::gather(r.map(|r| unsafe { &*r }));
        // What stands for the body of an end without one, and takes its pushes.
        let mut none = RigidSweep::AT_REST;
        let none = &raw mut none;
        let bodies = ends.each_ref().map(|ends| self.bodies.four(ends, none));
        let points = |side: usize| unsafe { bodies[side].points(&arms[side]) };
        let b = base.tr_mul(&(points(0) - points(1))) + *drift - diagonal * old;
        let (new, solved) = kernel.solve_four(self.visits.first_four + number, place, diagonal, &b, &old);
        sweep.count_four(&old, &new, solved);
        for (r, new) in r.into_iter().zip(new.items()) {
            unsafe { *r = new };
        }
        let change = new - old;
        let still = change.is_zero();
        if !(<Wide as Number>::any(!still)) {
            return;
        }
        let force = base * change;
        unsafe { bodies[0].push(&arms[0], &force, still) };
        unsafe { bodies[1].push(&arms[1], &-force, still) };
    }
}
