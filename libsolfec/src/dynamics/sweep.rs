//! The sweep over bodies in packed forms: that of a sequential order, with the same bits for any number of threads.

use std::ops::Range;

use super::levels::Levels;
use super::packed::{fetch, Attach, Pointers};
use super::shares::{Shares, Work};
use super::{BlockKernel, Sweep, GRAIN};
use crate::ids::{BodyId, Slot};
use crate::math::{each, Mat3, Vec3};

/// Most rows of a task, but for those of its last pair, and tasks of a level that has no more rows than these; properties
/// of the data, never of the number of threads.
const TASK: u32 = 64;
const TASKS: u32 = 8;

/// Most constraints of bodies in condensed form between two updates of all their points; see `condensed`.
const TILE: usize = 32;

/// A constraint as the sweep reads it; ends are master and slave.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PackedRow {
    pub base: Mat3,
    pub drift: Vec3,
    pub arms: [Vec3; 2],
    pub ends: [Attach; 2],
}

/// What a sweep needs of a constraint, in the order of the sweep.
#[derive(Debug, Clone, Copy, Default)]
struct Visit {
    link: PackedRow,
    diagonal: Mat3,
    row: u32,
}

/// What the visits of a schedule are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Visits {
    /// Of an earlier step, and this step has none yet.
    #[default]
    Old,
    /// Of an earlier step, to be replaced before the first sweep.
    Due,
    Loaded,
}

/// Rows in sweep order, cut into tasks of whole pairs; tasks of one level share no body.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    /// Dynamic bodies of each pair; pairs are in the order of the sequential sweep.
    pairs: Vec<[Slot; 2]>,
    /// Number of rows of the operator, of which these may be some, and place of the first of them in its order.
    total: usize,
    first: usize,
    /// `pair_start[k] .. pair_start[k + 1]` of `members` are the rows of pair `k`.
    pair_start: Vec<u32>,
    members: Vec<u32>,
    levels: Levels,
    order: Vec<u32>,
    visits: Vec<Visit>,
    visits_are: Visits,
    tasks: Vec<Task>,
    /// `level_start[k] .. level_start[k + 1]` are the tasks of level `k`.
    level_start: Vec<u32>,
    partial: Vec<Sweep>,
    shares: Shares,
    /// For how many threads the shares are, 0 when they are not those of the tasks, and the number of bodies.
    shared_by: usize,
    bodies: usize,
}

/// Each visit prefetches the data of the visit this many places ahead.
const AHEAD: usize = 4;

/// Visits that one thread makes.
#[derive(Debug, Clone)]
struct Task {
    places: Range<u32>,
    /// Its pairs, by their place in the order of levels.
    pairs: Range<u32>,
    /// Whether some are of bodies in condensed form.
    tiled: bool,
}

/// The tasks of a schedule, to be dealt out.
struct Tasks<'a> {
    levels: &'a Levels,
    pairs: &'a [[Slot; 2]],
    tasks: &'a [Task],
    level_start: &'a [u32],
}

impl Work for Tasks<'_> {
    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn tasks(&self, level: usize) -> Range<u32> {
        self.level_start[level]..self.level_start[level + 1]
    }

    fn rows(&self, task: u32) -> usize {
        self.tasks[task as usize].places.len()
    }

    fn slots(&self, task: u32) -> impl Iterator<Item = Slot> {
        self.levels.pairs(&self.tasks[task as usize].pairs).iter().flat_map(|&pair| self.pairs[pair as usize])
    }
}

impl Schedule {
    /// Number of levels of pairs, before narrow ones were merged.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Rows in the order of a sweep.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Nothing is swept before the next `permit`.
    pub fn clear(&mut self) {
        self.visits_are = Visits::Old;
    }

    /// The rows of a new step are complete.
    pub fn permit(&mut self) {
        self.visits_are = Visits::Due;
    }

    /// Copies what sweeps read into their order, at the first call of a step that has been permitted; `condensed`: some
    /// bodies are in condensed form.
    pub fn load(&mut self, links: &[PackedRow], diagonal: &[Mat3], condensed: bool) {
        if self.visits_are != Visits::Due {
            return;
        }
        let order = &self.order;
        self.visits.resize(order.len(), Visit::default());
        each(&mut self.visits, GRAIN, |place, visit| {
            visit.row = order[place];
            visit.link = links[visit.row as usize];
            visit.diagonal = diagonal[visit.row as usize];
        });
        self.visits_are = Visits::Loaded;
        let at_points = |visit: &Visit| visit.link.ends.iter().any(|end| matches!(end, Attach::Condensed(_)));
        for task in &mut self.tasks {
            let visits = &self.visits[task.places.start as usize..task.places.end as usize];
            task.tiled = condensed && visits.iter().any(at_points);
        }
    }

    /// Clusters `rows`, some of `total`, into pairs and sorts these into levels of the sequential sweep, which goes by
    /// (key of the pair, row); `slots(i)` are the dynamic bodies of row `i`, of `bodies` in all. Kernels know the rows by
    /// places from `first` on.
    pub fn build(
        &mut self,
        (rows, total, first): (impl Iterator<Item = u32>, usize, usize),
        key: impl Fn(usize) -> [BodyId; 2],
        slots: impl Fn(usize) -> [Slot; 2],
        bodies: usize,
    ) {
        (self.total, self.first) = (total, first);
        self.members.clear();
        self.members.extend(rows);
        self.members.sort_unstable_by_key(|&i| (key(i as usize), i));
        let distinct = self.members.windows(2).all(|pair| pair[0] != pair[1]);
        assert!(distinct && self.members.iter().all(|&i| (i as usize) < total), "rows of a part of a sweep");
        self.pairs.clear();
        self.pair_start.clear();
        let mut last = None;
        for (at, &i) in (0..).zip(&self.members) {
            let (key, slots) = (key(i as usize), slots(i as usize));
            if last != Some(key) {
                last = Some(key);
                self.pairs.push(slots);
                self.pair_start.push(at);
            }
            assert_eq!(self.pairs.last(), Some(&slots), "pair {key:?} names more than two bodies");
        }
        self.pair_start.push(self.members.len() as u32);
        self.levels.find(&self.pairs, bodies);
        self.bodies = bodies;
        self.arrange();
    }

    /// Cuts levels into tasks; all levels are one task where no two threads would share them.
    fn arrange(&mut self) {
        self.order.clear();
        self.tasks.clear();
        self.level_start.clear();
        let shareable = Shares::worthwhile(2, self.members.len(), usize::MAX, self.levels.len()) > 1;
        let mut pairs = 0;
        for level in 0..self.levels.len() {
            self.level_start.push(self.tasks.len() as u32);
            let of_level = self.levels.level(level);
            let rows = |pair: u32| self.pair_start[pair as usize] as usize..self.pair_start[pair as usize + 1] as usize;
            let all: u32 = of_level.iter().map(|pair| rows(*pair).len() as u32).sum();
            let least = if shareable { all.div_ceil(TASKS).min(TASK) } else { u32::MAX };
            let mut start = (self.order.len() as u32, pairs);
            for &pair in of_level {
                self.order.extend_from_slice(&self.members[rows(pair)]);
                pairs += 1;
                let end = self.order.len() as u32;
                if end - start.0 >= least {
                    self.tasks.push(Task { places: start.0..end, pairs: start.1..pairs, tiled: false });
                    start = (end, pairs);
                }
            }
            if shareable && start.1 < pairs {
                let end = self.order.len() as u32;
                self.tasks.push(Task { places: start.0..end, pairs: start.1..pairs, tiled: false });
            }
        }
        if !shareable {
            self.tasks.push(Task { places: 0..self.order.len() as u32, pairs: 0..pairs, tiled: false });
        }
        self.level_start.push(self.tasks.len() as u32);
        self.partial.clear();
        self.partial.resize(self.tasks.len(), Sweep::default());
        self.shared_by = 0;
    }

    /// Deals the tasks out to threads; whether that is worth while.
    fn share(&mut self, threads: usize) -> bool {
        let shares = Shares::worthwhile(threads, self.order.len(), self.tasks.len(), self.levels.len());
        if shares > 1 && shares != self.shared_by {
            let Schedule { levels, pairs, tasks, level_start, .. } = self;
            self.shares.deal(&Tasks { levels, pairs, tasks, level_start }, self.bodies, shares);
            self.shared_by = shares;
        }
        shares > 1
    }

    /// One sweep over all tasks; the account is summed in the order of tasks, whatever thread ran them.
    pub fn run<K: BlockKernel>(&mut self, bodies: Pointers<'_>, r: &mut [Vec3], kernel: &K) -> Sweep {
        assert!(self.visits_are == Visits::Loaded && r.len() == self.total && self.order.len() == self.visits.len());
        let parallel = self.share(rayon::current_num_threads());
        let partial = self.partial.as_mut_ptr();
        let (visits, first) = (&self.visits, self.first);
        let shared = Shared { visits, first, bodies, r: r.as_mut_ptr(), partial, alone: !parallel };
        let tasks = &self.tasks;
        // SAFETY: see `Shared`.
        let work = |task: u32| unsafe { shared.work(task as usize, &tasks[task as usize], kernel) };
        if parallel {
            self.shares.run(&work);
        } else {
            (0..tasks.len() as u32).for_each(work);
        }
        let mut sum = Sweep::default();
        self.partial.iter().for_each(|part| sum.add(part));
        sum
    }
}

/// Bodies, reactions and accounts as tasks see them.
///
/// Proof that concurrent tasks do not race. `run` holds `&mut` to the bodies, to `r` and to the accounts for the whole
/// sweep, so nobody outside reads or writes them. Tasks consist of whole pairs of one level; each row is in exactly one
/// pair (`members` are distinct, which `build` asserts, and cut by `pair_start`), so entries of `r` are disjoint, and each task has an account of
/// its own. All rows of a pair attach only to its slots: `build` asserts it row by row. `Levels::find` gives two pairs
/// that share a slot different levels: the later one takes at least the number in `next` of that slot, which the earlier
/// one has raised above its own level. Hence the bodies of two tasks of a level are disjoint. Of two tasks of different
/// levels that share a slot, the later one begins after the earlier one: either both are of one share, which is worked
/// through in the order of levels by one thread, or the later one waits, or one before it in its share has waited, until
/// the share of the last task on that slot before it has passed its level (`Shares::add` looks at each slot), and so on
/// back to the earlier one; the store with `Release` after a turn and the load with `Acquire` before the other order the
/// accesses. The tasks that a body in condensed form starts to update its points are joined before the next visit.
/// `visits` and the tables of inverses and ends are only read. All indices are in range: `fill` takes those of bodies
/// from the columns it has just filled, and calls `clear` first and `permit` last so that a fill that did not end cannot
/// be swept; those of rows are below the number of rows of the operator, which `build` asserts and `run` compares with
/// the columns, and there are as many accounts as tasks. A schedule that is kept from an earlier step was made for the same keys, slots and number
/// of bodies, which the operator compares; what `build` has checked of them holds.
struct Shared<'a> {
    visits: &'a [Visit],
    first: usize,
    bodies: Pointers<'a>,
    r: *mut Vec3,
    partial: *mut Sweep,
    /// Whether there is one thread, so that a body in condensed form may take others to update its points.
    alone: bool,
}

// SAFETY: see the proof above; the pointees are plain numbers.
unsafe impl Sync for Shared<'_> {}

impl Shared<'_> {
    /// # Safety
    /// No other thread may touch the bodies, the reactions and the account of this task during the call.
    unsafe fn work<K: BlockKernel>(&self, number: usize, task: &Task, kernel: &K) {
        let places = task.places.clone();
        let account = if task.tiled {
            unsafe { self.sweep_tiles(places, kernel) }
        } else {
            unsafe { self.sweep(places, kernel) }
        };
        unsafe { *self.partial.add(number) = account };
    }

    /// # Safety
    /// No other thread may touch the bodies and reactions of the visits at `places` during the call.
    unsafe fn sweep<K: BlockKernel>(&self, places: Range<u32>, kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        unsafe { self.visit_all::<K, false>(places, kernel, &mut sweep) };
        sweep
    }

    /// The same where bodies are in condensed form: tile by tile.
    ///
    /// # Safety
    /// As `sweep`.
    unsafe fn sweep_tiles<K: BlockKernel>(&self, places: Range<u32>, kernel: &K) -> Sweep {
        let mut sweep = Sweep::default();
        let mut left = places;
        while !left.is_empty() {
            let run;
            (run, left) = self.split_run(left);
            let visits = &self.visits[run.start as usize..run.end as usize];
            let tile = self.bodies.tile(visits.iter().flat_map(|visit| visit.link.ends));
            unsafe { self.bodies.open(&tile) };
            unsafe { self.visit_all::<K, true>(run, kernel, &mut sweep) };
            unsafe { self.bodies.flush(&tile, self.alone) };
        }
        sweep
    }

    /// The next visits of one pair of bodies, at most as many as a tile has, and those that are left.
    fn split_run(&self, places: Range<u32>) -> (Range<u32>, Range<u32>) {
        let pair = |place: u32| self.visits[place as usize].link.ends.map(|end| self.bodies.condensed_body(end));
        let belongs = |place: &u32| pair(*place) == pair(places.start);
        let length = places.clone().take(TILE).take_while(belongs).count() as u32;
        (places.start..places.start + length, places.start + length..places.end)
    }

    /// # Safety
    /// As `sweep`.
    #[inline(always)]
    unsafe fn visit_all<K: BlockKernel, const TILED: bool>(&self, places: Range<u32>, kernel: &K, sweep: &mut Sweep) {
        for place in places {
            self.fetch_ahead(place as usize);
            unsafe { self.visit::<K, TILED>(place as usize, kernel, sweep) };
        }
    }

    #[inline(always)]
    fn fetch_ahead(&self, place: usize) {
        if let Some(later) = self.visits.get(place + AHEAD) {
            later.link.ends.iter().for_each(|end| self.bodies.fetch(*end));
            fetch(self.r.wrapping_add(later.row as usize));
        }
    }

    /// # Safety
    /// As `sweep`.
    #[inline(always)]
    unsafe fn visit<K: BlockKernel, const TILED: bool>(&self, place: usize, kernel: &K, sweep: &mut Sweep) {
        if kernel.skips(self.first + place) {
            return;
        }
        let Visit { link, diagonal: w, row } = &self.visits[place];
        let r = unsafe { &mut *self.r.add(*row as usize) };
        let point = |k: usize| unsafe { self.bodies.point::<TILED>(link.ends[k], &link.arms[k]) };
        let (master, slave) = (point(0), point(1));
        // A guess may have what the law does not admit.
        let scalar = kernel.is_scalar(self.first + place) && r.x == 0.0 && r.y == 0.0;
        let b = if scalar {
            let u = link.base.column(2).dot(&(master - slave)) + link.drift.z;
            Vec3::new(0.0, 0.0, u - w.m33 * r.z)
        } else {
            link.base.tr_mul(&(master - slave)) + link.drift - w * *r
        };
        let (new, solved) = kernel.solve(self.first + place, w, &b, r);
        let change = new - *r;
        sweep.count(r, &new, solved);
        *r = new;
        if change != Vec3::zeros() {
            let force = if scalar { link.base.column(2) * change.z } else { link.base * change };
            unsafe { self.bodies.push::<TILED>(link.ends[0], &link.arms[0], &force) };
            unsafe { self.bodies.push::<TILED>(link.ends[1], &link.arms[1], &-force) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::packed::Packed;
    use super::*;
    use crate::body::{Inertia, Twist};

    impl Schedule {
        /// All rows in one task, in the sequential order.
        fn serialise(&mut self) {
            self.order.clone_from(&self.members);
            self.tasks = vec![Task { places: 0..self.members.len() as u32, pairs: 0..0, tiled: false }];
            self.partial = vec![Sweep::default()];
        }
    }

    /// Numbers in (-1, 1) (a linear congruence).
    struct Random(u64);

    impl Random {
        fn number(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn below(&mut self, n: usize) -> usize {
            (0.5 * (1.0 + self.number()) * n as f64) as usize % n
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::from_fn(|_, _| self.number())
        }
    }

    struct Step;

    impl BlockKernel for Step {
        fn solve(&self, _place: usize, w: &Mat3, b: &Vec3, r: &Vec3) -> (Vec3, bool) {
            let new = r - 0.3 / w.trace() * (b + w * r);
            (Vec3::new(new.x, new.y, new.z.max(0.0)), true)
        }
    }

    /// Rigid bodies, rows and their pairs: those of a random graph, of which some ends are on a support.
    fn system(bodies: usize, pairs: usize, random: &mut Random) -> (Packed, Vec<PackedRow>, Vec<[Slot; 2]>) {
        let mut packed = Packed::default();
        for _ in 0..bodies {
            let free = Twist { linear: random.vector(), angular: random.vector() };
            let inverse_inertia = Mat3::from_diagonal_element(2.0 + random.number());
            packed.push(1.0, &Inertia::Rigid { inverse_mass: 1.0, inverse_inertia, free, previous: free });
        }
        let (mut links, mut slots) = (Vec::new(), Vec::new());
        for _ in 0..pairs {
            let (a, b) = (random.below(bodies), random.below(bodies + bodies / 8));
            if a == b {
                continue;
            }
            let slot = |k: usize| if k < bodies { Slot(k as u32) } else { Slot::NONE };
            let ends = [a, b].map(|k| if k < bodies { packed.attach(slot(k)) } else { Attach::None });
            for _ in 0..1 + random.below(4) {
                let arms = [random.vector(), random.vector()];
                links.push(PackedRow { base: Mat3::identity(), drift: Vec3::zeros(), arms, ends });
                slots.push([slot(a.min(b)), slot(a.max(b))]);
            }
        }
        (packed, links, slots)
    }

    /// Reactions after some sweeps, the account of the last one and the number of shares.
    fn swept(seed: u64, bodies: usize, pairs: usize, serial: bool) -> (Vec<Vec3>, Sweep, usize) {
        let (mut packed, links, slots) = system(bodies, pairs, &mut Random(seed));
        let mut schedule = Schedule::default();
        let key = |i: usize| slots[i].map(|slot| BodyId(u64::from(slot.0)));
        schedule.build((0..links.len() as u32, links.len(), 0), key, |i| slots[i], bodies);
        if serial {
            schedule.serialise();
        }
        schedule.permit();
        schedule.load(&links, &vec![Mat3::from_diagonal_element(4.0); links.len()], false);
        let mut r = vec![Vec3::zeros(); links.len()];
        let mut sweep = Sweep::default();
        for _ in 0..4 {
            sweep = schedule.run(packed.pointers(), &mut r, &Step);
        }
        (r, sweep, schedule.shared_by)
    }

    #[test]
    fn levels_give_the_bits_of_the_sequential_sweep_on_any_number_of_threads() {
        for (seed, bodies, pairs) in [(1, 2, 3), (2, 50, 20), (3, 300, 900), (4, 3000, 6000), (5, 4000, 30_000)] {
            let (expected, account, _) = swept(seed, bodies, pairs, true);
            let mut accounts = Vec::new();
            for threads in [1, 2, 4] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                let (r, sweep, shares) = pool.install(|| swept(seed, bodies, pairs, false));
                assert!(r == expected, "{pairs} pairs on {threads} threads differ from the sequential sweep");
                assert_eq!(shares == threads, threads > 1 && pairs >= 900, "{shares} shares");
                assert!((sweep.change - account.change).abs() <= 1e-12 * account.change);
                accounts.push(sweep);
            }
            assert!(accounts.iter().all(|sweep| *sweep == accounts[0]));
        }
    }

    /// Threads that wait for a share which nobody can take claim it.
    #[test]
    fn sweeps_that_keep_all_threads_busy_end() {
        let sizes = (9, 3000, 9000);
        let (expected, ..) = swept(sizes.0, sizes.1, sizes.2, true);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
        let again = || assert!(swept(sizes.0, sizes.1, sizes.2, false).0 == expected);
        for _ in 0..10 {
            pool.install(|| rayon::join(again, again));
            pool.scope(|scope| (0..5).for_each(|_| scope.spawn(|_| again())));
        }
    }

    #[test]
    fn a_schedule_of_other_rows_before_leaves_no_trace() {
        let built = |schedule: &mut Schedule, slots: &[[Slot; 2]], bodies: usize| {
            let key = |i: usize| slots[i].map(|slot: Slot| BodyId(u64::from(slot.0)));
            schedule.build((0..slots.len() as u32, slots.len(), 0), key, |i| slots[i], bodies);
            (schedule.order.clone(), schedule.levels.len(), schedule.partial.len())
        };
        let (_, _, slots) = system(40, 60, &mut Random(7));
        let half = &slots[..slots.len() / 2];
        let mut kept = Schedule::default();
        for (slots, bodies) in [(&slots[..], 40), (&slots[..], 40), (half, 40), (half, 50), (&[][..], 0), (half, 40)] {
            assert_eq!(built(&mut kept, slots, bodies), built(&mut Schedule::default(), slots, bodies));
        }
    }
}
