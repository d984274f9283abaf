//! A binary tree of boxes: perfectly balanced, split at medians along the longest axis, stored in heap order without
//! pointers. Any number of huge boxes among tiny ones costs no more than the overlaps they really have.

use rayon::prelude::*;

use crate::shape::Bounds;

/// Boxes of a leaf, at most; measured best between 4 and 8 on bricks.
const LEAF: usize = 4;
/// Subtrees and node levels smaller than this are not worth a thread.
const GRAIN: usize = 4096;

/// A tree over the boxes `0 .. n` of a list that the caller keeps. Nodes `2k+1`, `2k+2` are the children of node `k`.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Number of levels above the leaves.
    depth: u32,
    order: Vec<u32>,
    bounds: Vec<Bounds>,
    keys: Vec<(Center, u32)>,
}

type Center = [f64; 3];

impl Tree {
    /// Builds the tree anew; keeps its memory.
    pub fn build(&mut self, boxes: &[Bounds]) {
        let n = boxes.len();
        self.depth = n.div_ceil(LEAF).next_power_of_two().trailing_zeros();
        self.keys.clear();
        self.keys.extend(boxes.iter().zip(0..).map(|(b, i)| (b.center().into(), i)));
        if n > 0 {
            split(&mut self.keys, n, 0, 0, self.depth);
        }
        self.order.clear();
        self.order.extend(self.keys.iter().map(|k| k.1));
        self.refit(boxes);
    }

    /// Gives back the memory that only `build` needs.
    pub fn settle(mut self) -> Self {
        self.keys = Vec::new();
        self
    }

    /// Brings the boxes of the nodes in line with `boxes`, which have moved.
    pub fn refit(&mut self, boxes: &[Bounds]) {
        let leaves = 1usize << self.depth;
        self.bounds.resize(2 * leaves - 1, Bounds::default());
        let order = &self.order;
        let n = order.len();
        let (_, bottom) = self.bounds.split_at_mut(leaves - 1);
        each(bottom, |l, b| {
            *b = order[l * n / leaves..(l + 1) * n / leaves]
                .iter()
                .fold(Bounds::default(), |sum, &i| sum.union(&boxes[i as usize]));
        });
        for level in (0..self.depth).rev() {
            let first = (1usize << level) - 1;
            let (upper, lower) = self.bounds.split_at_mut(2 * first + 1);
            each(&mut upper[first..], |k, b| *b = lower[2 * k].union(&lower[2 * k + 1]));
        }
    }

    fn items(&self, node: usize) -> Option<&[u32]> {
        let leaves = 1usize << self.depth;
        let l = (node + 1).checked_sub(leaves)?;
        let n = self.order.len();
        Some(&self.order[l * n / leaves..(l + 1) * n / leaves])
    }

    /// Calls `meet(i, j)` for each pair of boxes of this tree (`a == b`: below the node, each unordered pair once) or
    /// of a node of this tree and one of `other` that share a point. No order is promised.
    fn pairs(
        &self,
        boxes: &[Bounds],
        a: usize,
        other: &Tree,
        others: &[Bounds],
        b: usize,
        meet: &mut impl FnMut(u32, u32),
    ) {
        if !self.bounds[a].meets(&other.bounds[b]) {
            return;
        }
        match (self.items(a), other.items(b)) {
            (Some(left), Some(right)) => {
                for &i in left {
                    for &j in right {
                        if boxes[i as usize].meets(&others[j as usize]) {
                            meet(i, j);
                        }
                    }
                }
            }
            (None, right) if right.is_some() || size(&self.bounds[a]) >= size(&other.bounds[b]) => {
                self.pairs(boxes, 2 * a + 1, other, others, b, meet);
                self.pairs(boxes, 2 * a + 2, other, others, b, meet);
            }
            _ => {
                self.pairs(boxes, a, other, others, 2 * b + 1, meet);
                self.pairs(boxes, a, other, others, 2 * b + 2, meet);
            }
        }
    }

    /// Calls `meet(i, j)`, i < j, for each pair of boxes below `node` that share a point.
    fn self_pairs(&self, boxes: &[Bounds], node: usize, meet: &mut impl FnMut(u32, u32)) {
        if let Some(items) = self.items(node) {
            for (k, &i) in items.iter().enumerate() {
                for &j in &items[k + 1..] {
                    if boxes[i as usize].meets(&boxes[j as usize]) {
                        meet(i.min(j), i.max(j));
                    }
                }
            }
            return;
        }
        let (l, r) = (2 * node + 1, 2 * node + 2);
        self.self_pairs(boxes, l, meet);
        self.self_pairs(boxes, r, meet);
        self.pairs(boxes, l, self, boxes, r, &mut |i, j| meet(i.min(j), i.max(j)));
    }

    /// Each pair (i of this list, j of the other list) of boxes that share a point.
    pub fn each_pair_with(&self, boxes: &[Bounds], other: &Tree, others: &[Bounds], mut meet: impl FnMut(u32, u32)) {
        if !boxes.is_empty() && !others.is_empty() {
            self.pairs(boxes, 0, other, others, 0, &mut meet);
        }
    }

    /// Each box that shares a point with `probe`.
    pub fn each_meeting(&self, boxes: &[Bounds], probe: &Bounds, mut meet: impl FnMut(u32)) {
        let mut stack = [0usize; 64];
        let mut top = usize::from(!boxes.is_empty());
        while top > 0 {
            top -= 1;
            let node = stack[top];
            if !self.bounds[node].meets(probe) {
                continue;
            }
            if let Some(items) = self.items(node) {
                for &i in items {
                    if boxes[i as usize].meets(probe) {
                        meet(i);
                    }
                }
            } else {
                stack[top] = 2 * node + 2;
                stack[top + 1] = 2 * node + 1;
                top += 2;
            }
        }
    }

    /// Each pair i < j of boxes that share a point, in no promised order.
    pub fn each_pair(&self, boxes: &[Bounds], mut meet: impl FnMut(u32, u32)) {
        if !boxes.is_empty() {
            self.self_pairs(boxes, 0, &mut meet);
        }
    }

    /// Pieces of the search of [`Tree::each_pair`] that may run at the same time, at most 3 to the power of `rounds`; a
    /// function of the tree alone.
    pub fn tasks(&self, rounds: u32, tasks: &mut Vec<Task>) {
        tasks.clear();
        if self.order.is_empty() {
            return;
        }
        tasks.push(Task { a: 0, b: 0 });
        for _ in 0..rounds {
            let whole = tasks.len();
            for k in 0..whole {
                let parts = self.parts(tasks[k]).into_iter().flatten();
                tasks.extend(parts.filter(|t| self.bounds[t.a].meets(&self.bounds[t.b])));
            }
            tasks.drain(..whole);
        }
    }

    fn parts(&self, Task { a, b }: Task) -> [Option<Task>; 3] {
        if self.items(a).is_some() || self.items(b).is_some() {
            return [Some(Task { a, b }), None, None];
        }
        let task = |a, b| Some(Task { a, b });
        if a == b {
            let (l, r) = (2 * a + 1, 2 * a + 2);
            [task(l, l), task(r, r), task(l, r)]
        } else if size(&self.bounds[a]) >= size(&self.bounds[b]) {
            [task(2 * a + 1, b), task(2 * a + 2, b), None]
        } else {
            [task(a, 2 * b + 1), task(a, 2 * b + 2), None]
        }
    }

    /// Runs one of the `tasks`.
    pub fn run(&self, task: Task, boxes: &[Bounds], mut meet: impl FnMut(u32, u32)) {
        if task.a == task.b {
            self.self_pairs(boxes, task.a, &mut meet);
        } else {
            self.pairs(boxes, task.a, self, boxes, task.b, &mut |i, j| meet(i.min(j), i.max(j)));
        }
    }
}

/// A piece of the search for pairs: below node `a` and node `b`, or among what is below `a == b`.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    a: usize,
    b: usize,
}

fn size(b: &Bounds) -> f64 {
    (b.high - b.low).norm_squared()
}

/// Arranges the keys of node (`level`, `place`) of `n` items so that each half of the node has its items.
fn split(keys: &mut [(Center, u32)], n: usize, level: u32, place: usize, depth: u32) {
    if level == depth {
        return;
    }
    let first = (place * n) >> level;
    let middle = (((2 * place + 1) * n) >> (level + 1)) - first;
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for (c, _) in keys.iter() {
        for k in 0..3 {
            low[k] = low[k].min(c[k]);
            high[k] = high[k].max(c[k]);
        }
    }
    let extent = |k: usize| high[k] - low[k];
    let mut axis = 0;
    for k in 1..3 {
        if extent(k) > extent(axis) {
            axis = k;
        }
    }
    if middle > 0 && middle < keys.len() {
        keys.select_nth_unstable_by(middle, |p, q| p.0[axis].total_cmp(&q.0[axis]).then(p.1.cmp(&q.1)));
    }
    let large = keys.len() > GRAIN;
    let (left, right) = keys.split_at_mut(middle);
    let (go_left, go_right) = (
        |k: &mut _| split(k, n, level + 1, 2 * place, depth),
        |k: &mut _| split(k, n, level + 1, 2 * place + 1, depth),
    );
    if large {
        rayon::join(|| go_left(left), || go_right(right));
    } else {
        go_left(left);
        go_right(right);
    }
}

/// `f(k, item k)` for all items, on several threads when there are many.
fn each(items: &mut [Bounds], f: impl Fn(usize, &mut Bounds) + Sync + Send) {
    if items.len() > GRAIN {
        items.par_iter_mut().enumerate().for_each(|(k, b)| f(k, b));
    } else {
        items.iter_mut().enumerate().for_each(|(k, b)| f(k, b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    /// Deterministic numbers in [0, 1).
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut s = seed;
        move || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// Boxes of very different sizes: each hundredth is as large as everything.
    fn mixed(n: usize, seed: u64) -> Vec<Bounds> {
        let mut x = numbers(seed);
        (0..n)
            .map(|i| {
                let at = Vec3::new(x(), x(), x());
                let half = if i % 100 == 7 { 1.0 } else { 0.03 * x() };
                Bounds::around(&[at], half)
            })
            .collect()
    }

    fn brute(boxes: &[Bounds]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for i in 0..boxes.len() {
            for j in i + 1..boxes.len() {
                if boxes[i].meets(&boxes[j]) {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
        pairs
    }

    #[test]
    fn finds_what_brute_force_finds() {
        for n in [0, 1, 2, 3, 4, 5, 9, 100, 777] {
            let boxes = mixed(n, n as u64 + 1);
            let mut tree = Tree::default();
            tree.build(&boxes);
            let mut found = Vec::new();
            tree.each_pair(&boxes, |i, j| found.push((i, j)));
            found.sort_unstable();
            assert_eq!(found, brute(&boxes), "{n} boxes");

            let mut found = Vec::new();
            let mut tasks = Vec::new();
            tree.tasks(4, &mut tasks);
            for t in tasks {
                tree.run(t, &boxes, |i, j| found.push((i, j)));
            }
            found.sort_unstable();
            assert_eq!(found, brute(&boxes), "{n} boxes in pieces");
        }
    }

    #[test]
    fn two_trees_and_a_probe_find_what_brute_force_finds() {
        let (p, q) = (mixed(300, 5), mixed(41, 6));
        let (mut tp, mut tq) = (Tree::default(), Tree::default());
        tp.build(&p);
        tq.build(&q);
        let mut found = Vec::new();
        tp.each_pair_with(&p, &tq, &q, |i, j| found.push((i, j)));
        let mut probed = Vec::new();
        for (j, b) in q.iter().enumerate() {
            tp.each_meeting(&p, b, |i| probed.push((i, j as u32)));
        }
        let mut expected = Vec::new();
        for (i, a) in p.iter().enumerate() {
            for (j, b) in q.iter().enumerate() {
                if a.meets(b) {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        found.sort_unstable();
        probed.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(probed, expected);
    }
}
