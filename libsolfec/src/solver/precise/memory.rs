//! What AUTO and corrected sweeps remember from solve to solve: how a solve began and what it cost, and the proximal
//! weight with which corrections worked. Later solves depend on it, so it is part of the state of a simulation.

/// Solves between two trials of another opening than the best, at first and at most.
const FIRST_DISTANCE: f64 = 8.0;
const LARGEST_DISTANCE: f64 = 1024.0;
/// Share of a solve in the cost of the opening in use, which counts rare hard steps with their frequency, and in that
/// of one which is tried.
const IN_USE: f64 = 0.1;
const TRIED: f64 = 0.5;
/// Solves for which factors that were found to be dear count as dear without another look, and the change of the number
/// of constraints that ends this. To look takes an order of elimination.
const DEAR_FOR: f64 = 64.0;
const DEAR_CHANGE: f64 = 1.25;
/// Bounds of the weight that is carried over.
const LEAST_WEIGHT: f64 = 1e-4;
const LARGEST_WEIGHT: f64 = 1e-1;

/// How AUTO begins a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// Sweeps, as long as they promise to be the fastest.
    Sweeps,
    /// A few sweeps, and corrections at once.
    Corrections,
    /// The interior point method at once.
    Path,
}

const OPENINGS: [Opening; 3] = [Opening::Sweeps, Opening::Corrections, Opening::Path];

/// The memory of one simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Operations for each constraint of the last solves that began so, the older ones with less weight; 0: none.
    cost: [f64; 3],
    /// The opening that is tried next, solves since the last trial, and how many there are between two.
    next: f64,
    since: f64,
    distance: f64,
    /// Proximal weight with which corrections begin; 0: the standard one.
    weight: f64,
    /// Constraints when factors were found to be dear last, and the solves for which that holds.
    dear_rows: f64,
    dear_for: f64,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            cost: [0.0; 3],
            next: 1.0,
            since: 0.0,
            distance: FIRST_DISTANCE,
            weight: 0.0,
            dear_rows: 0.0,
            dear_for: 0.0,
        }
    }
}

impl Memory {
    /// It as numbers, for files.
    pub fn numbers(&self) -> [f64; 9] {
        let [a, b, c] = self.cost;
        [a, b, c, self.next, self.since, self.distance, self.weight, self.dear_rows, self.dear_for]
    }

    /// The memory of such numbers; a new one where they are no such.
    pub fn of(numbers: [f64; 9]) -> Self {
        let [a, b, c, next, since, distance, weight, dear_rows, dear_for] = numbers;
        let sane = numbers.iter().all(|x| x.is_finite() && *x >= 0.0) && next < 3.0 && distance >= 1.0;
        if sane {
            Memory { cost: [a, b, c], next, since, distance, weight, dear_rows, dear_for }
        } else {
            Memory::default()
        }
    }

    /// Whether the next solve begins with sweeps.
    pub fn begins_with_sweeps(&self) -> bool {
        self.opening() == Opening::Sweeps
    }

    /// How to begin: as it was cheapest, or, now and then, otherwise.
    pub(super) fn opening(&self) -> Opening {
        let best = self.best();
        if self.since < self.distance {
            return OPENINGS[best];
        }
        OPENINGS[self.trial(best)]
    }

    /// The opening that was cheapest; of untried ones, the first.
    fn best(&self) -> usize {
        let tried = |k: &usize| self.cost[*k] > 0.0;
        let cheaper = |a: &usize, b: &usize| self.cost[*a].total_cmp(&self.cost[*b]);
        (0..OPENINGS.len()).filter(tried).min_by(cheaper).unwrap_or(0)
    }

    fn trial(&self, best: usize) -> usize {
        let next = self.next as usize;
        if next == best {
            (next + 1) % OPENINGS.len()
        } else {
            next
        }
    }

    /// Takes in a solve: operations for each constraint, and whether sweeps alone did it, for which nothing else is
    /// tried.
    pub(super) fn record(&mut self, opening: Opening, cost: f64, swept: bool) {
        self.dear_for = (self.dear_for - 1.0).max(0.0);
        let (best, k) = (self.best(), opening as usize);
        let known = &mut self.cost[k];
        let share = if k == best { IN_USE } else { TRIED };
        *known = if *known > 0.0 { *known + share * (cost - *known) } else { cost.max(f64::MIN_POSITIVE) };
        if k == best {
            self.since += if swept { 0.0 } else { 1.0 };
            return;
        }
        self.since = 0.0;
        self.next = ((k + 1) % OPENINGS.len()) as f64;
        self.distance = if self.best() == k { FIRST_DISTANCE } else { (2.0 * self.distance).min(LARGEST_DISTANCE) };
    }

    /// An opening, which the problem no longer admits, is no longer known; the next trial is as far as after one.
    pub(super) fn forget(&mut self, opening: Opening) {
        self.cost[opening as usize] = 0.0;
        self.since = 0.0;
        self.next = ((opening as usize + 1) % OPENINGS.len()) as f64;
        self.distance = (2.0 * self.distance).min(LARGEST_DISTANCE);
    }

    /// Whether factors are dear, by `look` or, of a problem of about as many constraints as lately, by memory.
    pub(super) fn finds_dear(&mut self, constraints: usize, look: impl FnOnce() -> bool) -> bool {
        let n = constraints as f64;
        let alike = n <= DEAR_CHANGE * self.dear_rows && self.dear_rows <= DEAR_CHANGE * n;
        if self.dear_for > 0.0 && alike {
            return true;
        }
        let dear = look();
        (self.dear_rows, self.dear_for) = if dear { (n, DEAR_FOR) } else { (0.0, 0.0) };
        dear
    }

    /// Proximal weight for the first correction, if one is known.
    pub(super) fn weight(&self) -> Option<f64> {
        (self.weight > 0.0).then_some(self.weight)
    }

    /// Takes in the weight of the first correction that worked.
    pub(super) fn record_weight(&mut self, weight: Option<f64>) {
        if let Some(weight) = weight {
            self.weight = weight.clamp(LEAST_WEIGHT, LARGEST_WEIGHT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_opening_is_found_and_others_are_tried_ever_more_rarely() {
        let mut memory = Memory::default();
        let cost = |opening| match opening {
            Opening::Sweeps => 5.0,
            Opening::Corrections => 1.0,
            Opening::Path => 3.0,
        };
        let mut openings = Vec::new();
        for _ in 0..1000 {
            let opening = memory.opening();
            memory.record(opening, cost(opening), false);
            memory = Memory::of(memory.numbers());
            openings.push(opening);
        }
        let others = |part: &[Opening]| part.iter().filter(|opening| **opening != Opening::Corrections).count();
        assert!(others(&openings[..100]) <= 16, "{openings:?}");
        assert!((1..4).contains(&others(&openings[500..])), "{openings:?}");
    }

    #[test]
    fn an_opening_that_is_forgotten_is_not_tried_again_soon() {
        let mut memory = Memory::default();
        for opening in [Opening::Sweeps, Opening::Corrections, Opening::Corrections] {
            memory.record(opening, if opening == Opening::Sweeps { 5.0 } else { 1.0 }, false);
        }
        assert_eq!(memory.opening(), Opening::Corrections);
        memory.forget(Opening::Corrections);
        for _ in 0..2 * FIRST_DISTANCE as u32 {
            assert_eq!(memory.opening(), Opening::Sweeps);
            memory.record(Opening::Sweeps, 5.0, false);
        }
        assert_ne!(memory.opening(), Opening::Sweeps);
    }

    #[test]
    fn factors_that_are_dear_are_not_looked_at_in_each_solve() {
        let mut memory = Memory::default();
        let mut looks = |constraints, dear| {
            let mut looks = 0;
            for _ in 0..200 {
                let found = memory.finds_dear(constraints, || {
                    looks += 1;
                    dear
                });
                assert_eq!(found, dear);
                memory.record(Opening::Sweeps, 2.0, true);
                memory = Memory::of(memory.numbers());
            }
            looks
        };
        // Another number of constraints is another problem.
        assert_eq!((looks(1000, true), looks(2000, true), looks(100, false)), (4, 4, 200));
    }

    #[test]
    fn nothing_else_is_tried_where_sweeps_do_it() {
        let mut memory = Memory::default();
        for _ in 0..100 {
            assert_eq!(memory.opening(), Opening::Sweeps);
            memory.record(Opening::Sweeps, 2.0, true);
        }
    }
}
