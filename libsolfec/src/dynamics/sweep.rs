//! The sweep over bodies in packed forms: that of a sequential order, with the same bits for any number of threads.
//!
//! Pairs of a level share no body, so constraints of four pairs of rigid bodies are solved side by side, each with the
//! operations that it would see alone.

use std::cmp::Reverse;
use std::ops::Range;

use super::levels::Levels;
use super::packed::{Attach, Pointers};
use super::shares::{Shares, Work};
use super::visits::{PackedRow, Shared, Task, Visits};
use super::{BlockKernel, Sweep};
use crate::ids::{BodyId, Slot};
use crate::math::{Mat3, Vec3};

/// Most rows of a task, but for those of its last pairs, and tasks of a level that has no more rows than these;
/// properties of the data, never of the number of threads.
const TASK: u32 = 64;
const TASKS: u32 = 8;

/// Whose the visits of a schedule are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Of an earlier step, and this step has none yet.
    #[default]
    Old,
    /// Of an earlier step, to be replaced before the first sweep.
    Due,
    Loaded,
}

/// Rows by pairs of bodies, in the order of the sequential sweep.
#[derive(Debug, Default)]
struct Pairs {
    /// Dynamic bodies of each pair.
    slots: Vec<[Slot; 2]>,
    /// Whether they are in rigid form, and all rows contacts.
    side_by_side: Vec<bool>,
    /// `start[k] .. start[k + 1]` of `members` are the rows of pair `k`.
    start: Vec<u32>,
    members: Vec<u32>,
}

impl Pairs {
    /// The rows of a pair.
    fn rows(&self, pair: u32) -> &[u32] {
        &self.members[self.start[pair as usize] as usize..self.start[pair as usize + 1] as usize]
    }

    fn rows_of_all(&self, pairs: &[u32]) -> u32 {
        pairs.iter().map(|pair| self.rows(*pair).len() as u32).sum()
    }
}

/// Rows in sweep order, cut into tasks of whole pairs; tasks of one level share no body.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pairs: Pairs,
    /// Number of rows of the operator, of which these may be some.
    total: usize,
    levels: Levels,
    /// The order of a sweep by four rows side by side, then by single ones, and how many fours there are.
    order: Vec<u32>,
    fours: usize,
    singles: Vec<u32>,
    visits: Visits,
    visits_are: State,
    /// Whether some numbers of threads share the tasks.
    shareable: bool,
    tasks: Vec<Task>,
    /// `level_start[k] .. level_start[k + 1]` are the tasks of level `k`.
    level_start: Vec<u32>,
    partial: Vec<Sweep>,
    shares: Shares,
    /// For how many threads the shares are, 0 when they are not those of the tasks, and the number of bodies.
    shared_by: usize,
    bodies: usize,
}

/// The tasks of a schedule, to be dealt out.
struct Tasks<'a> {
    levels: &'a Levels,
    slots: &'a [[Slot; 2]],
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
        self.tasks[task as usize].rows()
    }

    fn slots(&self, task: u32) -> impl Iterator<Item = Slot> {
        self.levels.pairs(&self.tasks[task as usize].pairs).iter().flat_map(|&pair| self.slots[pair as usize])
    }
}

impl Schedule {
    /// Number of levels of pairs, before narrow ones were merged.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Rows in the order of their places: first those that are swept by four side by side, [`Schedule::fours`] of these.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    pub fn fours(&self) -> usize {
        self.fours
    }

    /// Nothing is swept before the next `permit`.
    pub fn clear(&mut self) {
        self.visits_are = State::Old;
    }

    /// The rows of a new step are complete.
    pub fn permit(&mut self) {
        self.visits_are = State::Due;
    }

    /// Copies what sweeps read into their order, at the first call of a step that has been permitted; `condensed`: some
    /// bodies are in condensed form.
    pub fn load(&mut self, links: &[PackedRow], diagonal: &[Mat3], condensed: bool) {
        if self.visits_are != State::Due {
            return;
        }
        self.visits.load((&self.order, self.fours), links, diagonal);
        self.visits_are = State::Loaded;
        for task in &mut self.tasks {
            task.tiled = condensed && self.visits.have_points(&task.singles);
        }
    }

    /// Clusters `rows`, some of `total`, into pairs and sorts these into levels of the sequential sweep, which goes by
    /// (key of the pair, row); `row(i)` is the key of row `i`, its dynamic bodies, of `bodies`, which gives their forms, and
    /// whether it is a contact. Kernels know the rows by places from `first` on, and fours by numbers from `first_four` on.
    pub fn build(
        &mut self,
        (rows, total): (impl Iterator<Item = u32>, usize),
        (first, first_four): (usize, usize),
        row: impl Fn(usize) -> ([BodyId; 2], [Slot; 2], bool),
        bodies: &[Attach],
    ) {
        self.total = total;
        self.visits.begin(first, first_four);
        let Pairs { slots: slots_of, side_by_side, start, members } = &mut self.pairs;
        members.clear();
        members.extend(rows);
        members.sort_unstable_by_key(|&i| (row(i as usize).0, i));
        let distinct = members.windows(2).all(|pair| pair[0] != pair[1]);
        assert!(distinct && members.iter().all(|&i| (i as usize) < total), "rows of a part of a sweep");
        let in_rigid_form = |slot: &Slot| *slot == Slot::NONE || matches!(bodies[slot.index()], Attach::Rigid(_));
        slots_of.clear();
        side_by_side.clear();
        start.clear();
        let mut last = None;
        for (at, &i) in (0..).zip(&*members) {
            let (key, slots, contact) = row(i as usize);
            if last != Some(key) {
                last = Some(key);
                slots_of.push(slots);
                side_by_side.push(slots.iter().all(in_rigid_form));
                start.push(at);
            }
            assert_eq!(slots_of.last(), Some(&slots), "pair {key:?} names more than two bodies");
            if let Some(side_by_side) = side_by_side.last_mut() {
                *side_by_side &= contact;
            }
        }
        start.push(members.len() as u32);
        self.levels.find(slots_of, bodies.len());
        self.bodies = bodies.len();
        self.arrange();
    }

    /// Cuts levels into tasks, narrow ones of which no two threads would share any only where fours begin.
    fn arrange(&mut self) {
        self.order.clear();
        self.singles.clear();
        self.tasks.clear();
        self.level_start.clear();
        self.shareable = Shares::worthwhile(2, self.pairs.members.len(), usize::MAX, self.levels.len()) > 1;
        let mut first = 0;
        for level in 0..self.levels.len() {
            self.level_start.push(self.tasks.len() as u32);
            // Pairs side by side have about the same number of rows.
            let pairs = &self.pairs;
            let by_rows = |pair: u32| (!pairs.side_by_side[pair as usize], Reverse(pairs.rows(pair).len()), pair);
            self.levels.sort_level(level, by_rows);
            let pairs = self.levels.level(level);
            let end = first + pairs.len() as u32;
            let most = self.pairs.rows_of_all(pairs).div_ceil(TASKS).min(TASK);
            let least = if self.shareable { most } else { u32::MAX };
            while first < end {
                let next = self.cut(first..end, least);
                self.add_task(first..next);
                first = next;
            }
        }
        self.level_start.push(self.tasks.len() as u32);
        self.fours = self.order.len() / 4;
        self.order.extend_from_slice(&self.singles);
        self.partial.clear();
        self.partial.resize(self.tasks.len(), Sweep::default());
        self.shared_by = 0;
    }

    /// Where the first of these pairs end that have so many rows together, or all of them, by steps of four.
    fn cut(&self, pairs: Range<u32>, least: u32) -> u32 {
        let mut rows = 0;
        for (end, four) in (pairs.start..).step_by(4).zip(self.levels.pairs(&pairs).chunks(4)) {
            rows += self.pairs.rows_of_all(four);
            if rows >= least {
                return end + four.len() as u32;
            }
        }
        pairs.end
    }

    /// The task of these pairs, by their place in the order of levels: contacts of four in rigid form side by side as long
    /// as each of the four has one, then all others, pair by pair.
    fn add_task(&mut self, places: Range<u32>) {
        let Schedule { pairs, levels, order, singles, tasks, .. } = self;
        let (four, single) = (order.len() as u32 / 4, singles.len() as u32);
        for of_four in levels.pairs(&places).chunks(4) {
            let together = of_four.len() == 4 && of_four.iter().all(|pair| pairs.side_by_side[*pair as usize]);
            let least = of_four.iter().map(|pair| pairs.rows(*pair).len()).min().unwrap_or(0);
            let common = if together { least } else { 0 };
            for k in 0..common {
                order.extend(of_four.iter().map(|pair| pairs.rows(*pair)[k]));
            }
            singles.extend(of_four.iter().flat_map(|pair| &pairs.rows(*pair)[common..]));
        }
        let (fours, single) = (four..order.len() as u32 / 4, single..singles.len() as u32);
        match tasks.last_mut() {
            Some(last) if fours.is_empty() && !self.shareable => {
                (last.singles.end, last.pairs.end) = (single.end, places.end);
            }
            _ => tasks.push(Task { fours, singles: single, pairs: places, tiled: false }),
        }
    }

    /// Deals the tasks out to threads; whether that is worth while.
    fn share(&mut self, threads: usize) -> bool {
        if !self.shareable {
            return false;
        }
        let shares = Shares::worthwhile(threads, self.order.len(), self.tasks.len(), self.levels.len());
        if shares > 1 && shares != self.shared_by {
            let Schedule { levels, pairs: Pairs { slots, .. }, tasks, level_start, .. } = self;
            self.shares.deal(&Tasks { levels, slots, tasks, level_start }, self.bodies, shares);
            self.shared_by = shares;
        }
        shares > 1
    }

    /// One sweep over all tasks; the account is summed in the order of tasks, whatever thread ran them.
    pub fn run<K: BlockKernel>(&mut self, bodies: Pointers<'_>, r: &mut [Vec3], kernel: &K) -> Sweep {
        assert!(self.visits_are == State::Loaded && r.len() == self.total && self.visits.rows() == self.order.len());
        let parallel = self.share(rayon::current_num_threads());
        let shared = Shared::new(&self.visits, bodies, r, &mut self.partial, !parallel);
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

#[cfg(test)]
mod tests {
    use super::super::packed::Packed;
    use super::*;
    use crate::body::{Inertia, Twist};

    impl Schedule {
        /// All rows in one task, in the sequential order.
        fn serialise(&mut self) {
            self.order.clone_from(&self.pairs.members);
            self.fours = 0;
            self.tasks =
                vec![Task { fours: 0..0, singles: 0..self.pairs.members.len() as u32, pairs: 0..0, tiled: false }];
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

    /// Some rows are left alone, as bilateral sweeps leave contacts.
    struct Step {
        order: Vec<u32>,
    }

    impl BlockKernel for Step {
        fn skips(&self, place: usize) -> bool {
            self.order[place] % 11 == 5
        }

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
        let row = |i: usize| (slots[i].map(|slot| BodyId(u64::from(slot.0))), slots[i], i % 7 != 3);
        schedule.build((0..links.len() as u32, links.len()), (0, 0), row, packed.attachments());
        if serial {
            schedule.serialise();
        }
        schedule.permit();
        schedule.load(&links, &vec![Mat3::from_diagonal_element(4.0); links.len()], false);
        let mut r = vec![Vec3::zeros(); links.len()];
        let step = Step { order: schedule.order().to_vec() };
        assert!(serial || pairs < 900 || 4 * schedule.fours() > links.len() / 8, "{} fours", schedule.fours());
        let mut sweep = Sweep::default();
        for _ in 0..4 {
            sweep = schedule.run(packed.pointers(), &mut r, &step);
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
                assert_eq!(shares > 1, threads > 1 && pairs >= 6000, "{shares} shares");
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
        let forms: Vec<Attach> = (0..50).map(Attach::Rigid).collect();
        let built = |schedule: &mut Schedule, slots: &[[Slot; 2]], bodies: usize| {
            let row = |i: usize| (slots[i].map(|slot: Slot| BodyId(u64::from(slot.0))), slots[i], true);
            schedule.build((0..slots.len() as u32, slots.len()), (0, 0), row, &forms[..bodies]);
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
