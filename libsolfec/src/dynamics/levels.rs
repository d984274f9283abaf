//! Levels of a sequential order of body pairs: pairs of one level share no dynamic body, and pairs that share one stand
//! in levels that ascend in the sequential order. So a sweep level by level, with any order and any threads within a
//! level, solves every row with the numbers of the sequential sweep (Anderson and Saad 1989).

use std::ops::Range;

use crate::ids::Slot;

/// Levels with kept memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Levels {
    of_pair: Vec<u32>,
    /// By slot: the least level that its next pair may have.
    next: Vec<u32>,
    start: Vec<u32>,
    pairs: Vec<u32>,
}

impl Levels {
    /// Finds the levels of pairs with these dynamic bodies, on `bodies` of them, in their order.
    pub fn find(&mut self, pairs: &[[Slot; 2]], bodies: usize) {
        self.next.clear();
        self.next.resize(bodies, 0);
        self.of_pair.clear();
        let mut count = 0;
        for pair in pairs {
            let slots = pair.iter().filter(|slot| **slot != Slot::NONE);
            let level = slots.clone().map(|slot| self.next[slot.index()]).max().unwrap_or(0);
            slots.for_each(|slot| self.next[slot.index()] = level + 1);
            self.of_pair.push(level);
            count = count.max(level + 1);
        }
        self.sort(count as usize);
    }

    /// Lists the pairs by (level, place in the order).
    fn sort(&mut self, count: usize) {
        self.start.clear();
        self.start.resize(count + 2, 0);
        for &level in &self.of_pair {
            self.start[level as usize + 2] += 1;
        }
        for level in 2..self.start.len() {
            self.start[level] += self.start[level - 1];
        }
        self.pairs.resize(self.of_pair.len(), 0);
        for (pair, &level) in (0..).zip(&self.of_pair) {
            let at = &mut self.start[level as usize + 1];
            self.pairs[*at as usize] = pair;
            *at += 1;
        }
        self.start.pop();
    }

    /// Number of levels.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Pairs of a level, in their order until it is sorted.
    pub fn level(&self, level: usize) -> &[u32] {
        &self.pairs[self.start[level] as usize..self.start[level + 1] as usize]
    }

    /// Sorts the pairs of a level.
    pub fn sort_level<T: Ord>(&mut self, level: usize, key: impl Fn(u32) -> T) {
        self.pairs[self.start[level] as usize..self.start[level + 1] as usize].sort_unstable_by_key(|pair| key(*pair));
    }

    /// Pairs at these places in the order of levels.
    pub fn pairs(&self, places: &Range<u32>) -> &[u32] {
        &self.pairs[places.start as usize..places.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(pairs: &[(u32, u32)], bodies: usize) -> Vec<Vec<u32>> {
        let pairs: Vec<[Slot; 2]> = pairs.iter().map(|&(a, b)| [Slot(a), Slot(b)]).collect();
        let mut levels = Levels::default();
        // Memory of an earlier step leaves no trace.
        levels.find(&[[Slot(0), Slot(1)], [Slot(1), Slot(2)]], 3);
        levels.find(&pairs, bodies);
        (0..levels.len()).map(|level| levels.level(level).to_vec()).collect()
    }

    const FIXED: u32 = Slot::NONE.0;

    #[test]
    fn a_chain_in_order_has_a_level_for_each_pair_and_a_supported_body_none_to_wait_for() {
        assert_eq!(levels(&[(0, 1), (1, 2), (2, 3)], 4), [[0], [1], [2]]);
        assert_eq!(levels(&[(0, 1), (2, 3), (1, 2)], 4), [vec![0, 1], vec![2]]);
        assert_eq!(levels(&[(FIXED, 0), (FIXED, 1), (0, 1)], 2), [vec![0, 1], vec![2]]);
        assert!(levels(&[], 0).is_empty());
    }

    #[test]
    fn a_star_waits_for_its_hub_only_if_that_moves() {
        let star = |hub| (0..6).map(|i| (i, hub)).collect::<Vec<_>>();
        assert_eq!(levels(&star(6), 7).len(), 6);
        assert_eq!(levels(&star(FIXED), 6), [vec![0, 1, 2, 3, 4, 5]]);
    }
}
