//! A sweep shared by threads. Tasks are dealt out level by level to *shares*; a share is worked through by one thread, and
//! before a task it waits for the other shares only as far as they have worked on the bodies of the task. So threads meet
//! where their parts of the bodies do, and not at the end of each level.
//!
//! Shares are claimed. A thread that waits for one that nobody has claimed, because the other threads are busy elsewhere,
//! claims it and goes on with both in the order of levels. The earliest task that is left can always be worked on.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::ids::Slot;

/// Most shares of a sweep.
const MOST: usize = 64;
/// Least rows of a share, and least rows of one in a level on average: a body that another share has changed comes from
/// another cache, which takes longer than a row.
const LEAST_ROWS: usize = 4096;
const LEAST_WIDTH: usize = 32;
/// How often a thread looks before it claims what it waits for, and then lets others run each time.
const PATIENCE: u32 = 1000;
/// The level of a share that has ended.
const ENDED: u32 = u32::MAX;

/// Tasks in a row of one level and share, and what they wait for: a range of `needs`.
#[derive(Debug, Clone)]
struct Turn {
    level: u32,
    tasks: Range<u32>,
    needs: Range<u32>,
}

/// A share while it is worked on; a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Progress {
    claimed: AtomicBool,
    /// Its tasks of the levels below have been worked on.
    level: AtomicU32,
}

/// What is dealt out: tasks in the order of levels.
pub(super) trait Work {
    /// Number of levels.
    fn levels(&self) -> usize;
    /// Tasks of a level.
    fn tasks(&self, level: usize) -> Range<u32>;
    /// Number of rows of a task.
    fn rows(&self, task: u32) -> usize;
    /// Bodies of a task; [`Slot::NONE`] is none.
    fn slots(&self, task: u32) -> impl Iterator<Item = Slot>;
}

/// The shares, with kept memory.
#[derive(Debug, Default)]
pub(super) struct Shares {
    turns: Vec<Vec<Turn>>,
    /// Share and level.
    needs: Vec<[u32; 2]>,
    progress: Vec<Progress>,
    /// By slot: the share that worked on it last, and the level.
    last: Vec<[u32; 2]>,
}

impl Shares {
    /// How many shares are worth while for so many threads.
    pub fn worthwhile(threads: usize, rows: usize, tasks: usize, levels: usize) -> usize {
        let levels = levels.max(1);
        let most = [MOST, rows / LEAST_ROWS, rows / (LEAST_WIDTH * levels), tasks.div_ceil(levels)];
        most.into_iter().fold(threads, usize::min).max(1)
    }

    /// Deals out the tasks of work on `bodies` to so many shares.
    pub fn deal(&mut self, work: &impl Work, bodies: usize, shares: usize) {
        self.turns.resize_with(shares, Vec::new);
        self.turns.iter_mut().for_each(Vec::clear);
        self.progress.resize_with(shares, Progress::default);
        self.needs.clear();
        self.last.clear();
        self.last.resize(bodies, [0; 2]);
        let mut known = [[0; MOST]; MOST];
        for level in 0..work.levels() {
            let tasks = work.tasks(level);
            let all: usize = tasks.clone().map(|task| work.rows(task)).sum();
            let (mut before, mut start) = (0, tasks.start);
            while start < tasks.end {
                let share = if tasks.len() < shares {
                    self.nearest(work, start)
                } else {
                    place(before, work.rows(start), all, shares)
                };
                let mut end = start;
                while end < tasks.end
                    && (end == start || tasks.len() >= shares && place(before, work.rows(end), all, shares) == share)
                {
                    before += work.rows(end);
                    end += 1;
                }
                self.add(work, share, level as u32, start..end, &mut known[share]);
                start = end;
            }
        }
    }

    /// The share that has worked on a body of the task.
    fn nearest(&self, work: &impl Work, task: u32) -> usize {
        let last = work.slots(task).filter(|slot| *slot != Slot::NONE).map(|slot| self.last[slot.index()]);
        last.max_by_key(|[_, level]| *level).map_or(0, |[share, _]| share as usize)
    }

    /// Adds a turn; `known` are the levels to which this share has waited for the others.
    fn add(&mut self, work: &impl Work, share: usize, level: u32, tasks: Range<u32>, known: &mut [u32; MOST]) {
        let first = self.needs.len() as u32;
        for slot in tasks.clone().flat_map(|task| work.slots(task)).filter(|slot| *slot != Slot::NONE) {
            let [other, above] = std::mem::replace(&mut self.last[slot.index()], [share as u32, level + 1]);
            if other as usize != share && above > known[other as usize] {
                known[other as usize] = above;
                self.needs.push([other, above]);
            }
        }
        let needs = first..self.needs.len() as u32;
        self.turns[share].push(Turn { level, tasks, needs });
    }

    /// Calls `task` for every task: after it has returned for all earlier tasks on the same bodies.
    pub fn run(&mut self, task: &(impl Fn(u32) + Sync)) {
        for (progress, turns) in self.progress.iter_mut().zip(&self.turns) {
            *progress.claimed.get_mut() = false;
            *progress.level.get_mut() = turns.first().map_or(ENDED, |turn| turn.level);
        }
        let shares = &*self;
        rayon::scope(|scope| {
            for share in 1..shares.turns.len() {
                scope.spawn(move |_| shares.work_on(share, task));
            }
            shares.work_on(0, task);
        });
    }

    fn claim(&self, share: usize) -> bool {
        !self.progress[share].claimed.swap(true, Ordering::Relaxed)
    }

    /// Claims a share and works on it, and on others that it has to claim.
    fn work_on(&self, share: usize, task: &(impl Fn(u32) + Sync)) {
        if !self.claim(share) {
            return;
        }
        let _guard = NoPanic;
        let mut own = [None; MOST];
        own[share] = Some(0_usize);
        while let Some((share, at)) = self.earliest(&own) {
            let turns = &self.turns[share];
            let turn = &turns[at];
            if let Some(unclaimed) = self.wait(turn) {
                own[unclaimed] = Some(0);
                continue;
            }
            turn.tasks.clone().for_each(task);
            own[share] = Some(at + 1);
            let next = turns.get(at + 1).map_or(ENDED, |turn| turn.level);
            self.progress[share].level.store(next, Ordering::Release);
        }
    }

    /// Of shares and their places, that whose turn is at the lowest level.
    fn earliest(&self, own: &[Option<usize>; MOST]) -> Option<(usize, usize)> {
        let turns = self.turns.iter().zip(own).enumerate();
        let left = turns.filter_map(|(share, (turns, at))| Some((turns.get((*at)?)?.level, share, (*at)?)));
        left.min().map(|(_, share, at)| (share, at))
    }

    /// Waits until a turn may begin, or until there is a share to claim for it, which is claimed then.
    fn wait(&self, turn: &Turn) -> Option<usize> {
        for [share, level] in &self.needs[turn.needs.start as usize..turn.needs.end as usize] {
            let mut looked = 0;
            while self.progress[*share as usize].level.load(Ordering::Acquire) < *level {
                looked += 1;
                if looked < PATIENCE {
                    std::hint::spin_loop();
                } else if self.claim(*share as usize) {
                    return Some(*share as usize);
                } else {
                    std::thread::yield_now();
                }
            }
        }
        None
    }
}

/// Where the middle of a task lies among the shares of a level.
fn place(before: usize, rows: usize, all: usize, shares: usize) -> usize {
    ((2 * before + rows) * shares / (2 * all).max(1)).min(shares - 1)
}

/// Other threads would wait for ever for one that has panicked.
struct NoPanic;

impl Drop for NoPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::abort();
        }
    }
}
