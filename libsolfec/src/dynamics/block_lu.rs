//! Sparse LU factors of matrices of 3×3 blocks with a symmetric pattern, front by front (the multifrontal method).
//!
//! The rows of a front are assembled from the matrix and from what its children in the tree of fronts have left; its
//! own rows are eliminated, with pivots among themselves, and the remainder is left to its parent. Pivots within fronts
//! are enough here: the matrices are positive definite up to the non-symmetry of friction, and line searches check the
//! steps made with them.

use pulp::{Arch, NullaryFnOnce};

use super::dense::Dense;
use super::elimination::{Elimination, Front};
use super::front::Parts;
use super::sparse::Pattern;
use crate::math::{Mat3, Vec3};

/// Where a block is among the numbers of the factors.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: usize,
    down: usize,
    right: usize,
}

/// Where the numbers of a front are. `own`: its diagonal block. `upper`: its own rows with the columns of others.
/// `lower`: the other rows with its own columns, transposed. All row by row.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    own: usize,
    upper: usize,
    lower: usize,
}

/// The factors of matrices of one pattern.
#[derive(Debug, Clone)]
pub(super) struct BlockLu {
    pattern: Pattern,
    elimination: Elimination,
    /// Of the entries of the pattern.
    entry: Vec<Place>,
    front: Vec<Numbers>,
    value: Vec<f64>,
    /// Inverse of each pivot, and the row that was exchanged with each row of the factors, within its front.
    inverse: Vec<f64>,
    exchange: Vec<u32>,
    /// Remainders that wait for their parents, the fronts that left them, and the remainder in the making.
    waiting: Vec<f64>,
    pending: Vec<u32>,
    remainder: Vec<f64>,
    y: Vec<f64>,
    others: Vec<f64>,
    dense: Dense,
    arch: Arch,
}

impl BlockLu {
    /// Order and pattern of the factors of matrices of this pattern; `None` when they would take gigabytes.
    pub fn new(pattern: &Pattern) -> Option<Self> {
        let elimination = Elimination::new(&pattern.row_offset, &pattern.column)?;
        let n = elimination.order.len();
        let (mut front, mut end) = (Vec::new(), 0);
        for f in &elimination.fronts {
            let (own, others) = (3 * f.own as usize, 3 * f.others.len());
            let upper = end + own * own;
            let lower = upper + own * others;
            front.push(Numbers { own: end, upper, lower });
            end = lower + own * others;
        }
        let most_others = elimination.fronts.iter().map(|f| 3 * f.others.len()).max().unwrap_or(0);
        let mut lu = BlockLu {
            pattern: pattern.clone(),
            entry: Vec::new(),
            front,
            value: vec![0.0; end],
            inverse: vec![0.0; 3 * n],
            exchange: vec![0; 3 * n],
            waiting: Vec::new(),
            pending: Vec::new(),
            remainder: vec![0.0; most_others * most_others],
            y: vec![0.0; 3 * n],
            others: vec![0.0; most_others],
            dense: Dense::default(),
            arch: Arch::new(),
            elimination,
        };
        lu.place_entries();
        Some(lu)
    }

    fn place_entries(&mut self) {
        let Elimination { place, fronts, .. } = &self.elimination;
        let owner = self.elimination.owners();
        for i in 0..place.len() {
            for &j in self.pattern.row(i) {
                let (a, b) = (place[i], place[j as usize]);
                let k = owner[a.min(b) as usize] as usize;
                let (front, at) = (&fronts[k], self.front[k]);
                let (row, column) = (front.position(a), front.position(b));
                let (own, others) = (front.own as usize, front.others.len());
                self.entry.push(if row < own && column < own {
                    Place { at: at.own + 3 * (row * 3 * own + column), down: 3 * own, right: 1 }
                } else if row < own {
                    Place { at: at.upper + 3 * (row * 3 * others + column - own), down: 3 * others, right: 1 }
                } else {
                    Place { at: at.lower + 3 * (column * 3 * others + row - own), down: 1, right: 3 * others }
                });
            }
        }
    }

    /// The pattern of the matrices.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Products of blocks that one factorisation takes.
    pub fn products(&self) -> usize {
        let degrees = |front: &Front| {
            let size = front.size();
            (0..front.own as usize).map(move |k| (size - k - 1) * (size - k + 1)).sum::<usize>()
        };
        self.elimination.fronts.iter().map(degrees).sum()
    }

    /// Begins a matrix: all zeros.
    pub fn clear(&mut self) {
        self.value.fill(0.0);
    }

    /// Adds `block` to the entry of this place in the pattern.
    #[inline(always)]
    pub fn add(&mut self, entry: usize, block: &Mat3) {
        self.add_rows(entry, block.transpose().as_slice(), 3);
    }

    /// Adds the first three numbers of the first three rows, which are so long, to the entry of this place.
    #[inline(always)]
    pub fn add_rows(&mut self, entry: usize, rows: &[f64], length: usize) {
        let Place { at, down, right } = self.entry[entry];
        let (a, b, c) = (&rows[..3], &rows[length..length + 3], &rows[2 * length..2 * length + 3]);
        if right == 1 {
            add_three(&mut self.value[at..at + 3], [a[0], a[1], a[2]]);
            add_three(&mut self.value[at + down..at + down + 3], [b[0], b[1], b[2]]);
            add_three(&mut self.value[at + 2 * down..at + 2 * down + 3], [c[0], c[1], c[2]]);
        } else {
            add_three(&mut self.value[at..at + 3], [a[0], b[0], c[0]]);
            add_three(&mut self.value[at + right..at + right + 3], [a[1], b[1], c[1]]);
            add_three(&mut self.value[at + 2 * right..at + 2 * right + 3], [a[2], b[2], c[2]]);
        }
    }

    /// Factors the matrix that was added up; false when it is singular.
    pub fn factor(&mut self) -> bool {
        self.waiting.clear();
        self.pending.clear();
        let (fronts, dense, arch) = (&self.elimination.fronts, &mut self.dense, self.arch);
        for (k, front) in fronts.iter().enumerate() {
            let (own, others) = (3 * front.own as usize, 3 * front.others.len());
            let numbers = &mut self.value[self.front[k].own..][..own * (own + 2 * others)];
            let (diagonal, upper) = numbers.split_at_mut(own * own);
            let (upper, lower) = upper.split_at_mut(own * others);
            let rest = &mut self.remainder[..others * others];
            rest.fill(0.0);
            for _ in 0..front.children {
                let Some(child) = self.pending.pop().map(|child| &fronts[child as usize]) else { break };
                let from = self.waiting.len() - 9 * child.others.len().pow(2);
                let (left, target) = (&self.waiting[from..], &child.target);
                arch.dispatch(TakeOver { left, target, front, diagonal, upper, lower, rest });
                self.waiting.truncate(from);
            }
            let first = 3 * front.first as usize;
            let (inverse, exchange) = (&mut self.inverse[first..][..own], &mut self.exchange[first..][..own]);
            let parts = Parts { diagonal, inverse, exchange, upper, lower, rest, others };
            if !parts.eliminate(dense, arch) {
                return false;
            }
            self.waiting.extend_from_slice(rest);
            self.pending.push(k as u32);
        }
        arch.dispatch(Finite(&self.value))
    }

    /// The solution for right side `b`, in place.
    pub fn solve(&mut self, b: &mut [Vec3]) {
        for (y, &i) in self.y.chunks_exact_mut(3).zip(&self.elimination.order) {
            y.copy_from_slice(b[i as usize].as_slice());
        }
        let arch = self.arch;
        arch.dispatch(Substitute(self));
        for (y, &i) in self.y.chunks_exact(3).zip(&self.elimination.order) {
            b[i as usize].copy_from_slice(y);
        }
    }

    /// The solution in the order of elimination, in place.
    #[inline(always)]
    fn substitute(&mut self) {
        let fronts = &self.elimination.fronts;
        for (front, at) in fronts.iter().zip(&self.front) {
            let (first, own) = (3 * front.first as usize, 3 * front.own as usize);
            let n = 3 * front.others.len();
            let y = &mut self.y[first..first + own];
            for (i, &other) in self.exchange[first..first + own].iter().enumerate() {
                y.swap(i, other as usize);
            }
            let diagonal = &self.value[at.own..][..own * own];
            let lower = &self.value[at.lower..][..own * n];
            match own {
                3 => forward::<3>(&mut self.y, first, diagonal, lower, &front.others),
                6 => forward::<6>(&mut self.y, first, diagonal, lower, &front.others),
                _ => {
                    for i in 1..own {
                        y[i] -= dot(&diagonal[i * own..][..i], &y[..i]);
                    }
                    let others = &mut self.others[..n];
                    others.fill(0.0);
                    for (p, y) in y.iter().enumerate() {
                        others.iter_mut().zip(&lower[p * n..][..n]).for_each(|(out, l)| *out += l * *y);
                    }
                    for (sum, &place) in others.chunks_exact(3).zip(&front.others) {
                        let out = &mut self.y[3 * place as usize..][..3];
                        (0..3).for_each(|k| out[k] -= sum[k]);
                    }
                }
            }
        }
        for (front, at) in fronts.iter().zip(&self.front).rev() {
            let (first, own) = (3 * front.first as usize, 3 * front.own as usize);
            let n = 3 * front.others.len();
            let others = &mut self.others[..n];
            for (out, &place) in others.chunks_exact_mut(3).zip(&front.others) {
                out.copy_from_slice(&self.y[3 * place as usize..][..3]);
            }
            let y = &mut self.y[first..first + own];
            for i in (0..own).rev() {
                let row = &self.value[at.own + i * own..][..own];
                let sum = dot(&row[i + 1..], &y[i + 1..]) + dot(&self.value[at.upper + i * n..][..n], others);
                y[i] = (y[i] - sum) * self.inverse[first + i];
            }
        }
    }
}

/// Elimination of the `OWN` rows of a front from `first` on, which are in their order: from themselves and from others.
#[inline(always)]
fn forward<const OWN: usize>(y: &mut [f64], first: usize, diagonal: &[f64], lower: &[f64], others: &[u32]) {
    let mut own = [0.0; OWN];
    own.copy_from_slice(&y[first..][..OWN]);
    for i in 1..OWN {
        own[i] -= (0..i).map(|p| diagonal[i * OWN + p] * own[p]).sum::<f64>();
    }
    y[first..][..OWN].copy_from_slice(&own);
    let n = 3 * others.len();
    for (k, &place) in others.iter().enumerate() {
        let mut sum = [0.0; 3];
        for (p, own) in own.iter().enumerate() {
            add_three(&mut sum, {
                let l = &lower[p * n + 3 * k..][..3];
                [l[0] * own, l[1] * own, l[2] * own]
            });
        }
        let out = &mut y[3 * place as usize..][..3];
        (0..3).for_each(|k| out[k] -= sum[k]);
    }
}

/// [`BlockLu::substitute`], with the registers of the machine.
struct Substitute<'a>(&'a mut BlockLu);

impl NullaryFnOnce for Substitute<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.0.substitute();
    }
}

#[inline(always)]
fn add_three(out: &mut [f64], x: [f64; 3]) {
    out[0] += x[0];
    out[1] += x[1];
    out[2] += x[2];
}

/// Whether all numbers are finite: zero times another number is not zero.
struct Finite<'a>(&'a [f64]);

impl NullaryFnOnce for Finite<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let mut sums = [0.0; 8];
        let chunks = self.0.chunks_exact(8);
        let tail = chunks.remainder().iter().all(|x| x.is_finite());
        for x in chunks {
            for k in 0..8 {
                sums[k] += 0.0 * x[k];
            }
        }
        tail && sums == [0.0; 8]
    }
}

/// What a child left, for the front that takes it over.
struct TakeOver<'a> {
    left: &'a [f64],
    target: &'a [u32],
    front: &'a Front,
    diagonal: &'a mut [f64],
    upper: &'a mut [f64],
    lower: &'a mut [f64],
    rest: &'a mut [f64],
}

impl NullaryFnOnce for TakeOver<'_> {
    type Output = ();

    /// Adds it. Numbers whose columns follow one another are added together.
    #[inline(always)]
    fn call(self) {
        let TakeOver { left, target, front, diagonal, upper, lower, rest } = self;
        let (own, n) = (3 * front.own as usize, 3 * front.others.len());
        let width = 3 * target.len();
        // Targets ascend: the own rows of the front are first.
        let split = target.partition_point(|&at| 3 * (at as usize) < own);
        let mut start = 0;
        while start < target.len() {
            let first = target[start] as usize;
            let follows = |(k, &at): &(usize, &u32)| at as usize == first + k && (start + k < split || start >= split);
            let length = target[start..].iter().enumerate().take_while(follows).count();
            let (from, to) = (3 * start, 3 * first);
            for (i, &row) in target.iter().enumerate() {
                for k in 0..3 {
                    let source = &left[(3 * i + k) * width + from..][..3 * length];
                    let row = 3 * row as usize + k;
                    if row >= own && to < own {
                        for (c, x) in source.iter().enumerate() {
                            lower[(to + c) * n + row - own] += x;
                        }
                        continue;
                    }
                    let out = match (row < own, to < own) {
                        (true, true) => &mut diagonal[row * own + to..],
                        (true, false) => &mut upper[row * n + to - own..],
                        _ => &mut rest[(row - own) * n + to - own..],
                    };
                    out[..3 * length].iter_mut().zip(source).for_each(|(out, x)| *out += x);
                }
            }
            start += length;
        }
    }
}

/// The scalar product, in eight interleaved sums.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    if a.len() < 8 {
        return a.iter().zip(b).map(|(x, y)| x * y).sum();
    }
    let mut sums = [0.0; 8];
    let (x, y) = (a.chunks_exact(8), b[..a.len()].chunks_exact(8));
    let tail: f64 = x.remainder().iter().zip(y.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in x.zip(y) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    let half: [f64; 4] = std::array::from_fn(|k| sums[k] + sums[k + 4]);
    (half[0] + half[1]) + (half[2] + half[3]) + tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::BlockSparse;

    /// A chain of blocks with two long-range couplings against the residual of the solution.
    #[test]
    fn solves_a_sparse_system() {
        let block = |k: f64| Mat3::new(0.3, 0.1 * k, -0.2, 0.0, 0.4, 0.1, 0.2, -0.1 * k, 0.5) * (0.1 * k).cos();
        let n = 12;
        let mut upper: Vec<Vec<(u32, Mat3)>> = (0..n).map(|i| vec![(i as u32, block(i as f64))]).collect();
        for (i, row) in upper.iter_mut().take(n - 1).enumerate() {
            row.push((i as u32 + 1, block(0.5 * i as f64)));
        }
        upper[0].push((7, block(3.0)));
        upper[2].push((11, block(2.0)));
        let w = BlockSparse::from_upper(&upper);
        let x: Vec<Mat3> = (0..n).map(|i| Mat3::identity() * (1.0 + 0.1 * i as f64)).collect();
        let y: Vec<Mat3> = (0..n).map(|i| Mat3::identity() * 2.0 + block(0.3 * i as f64)).collect();
        let b: Vec<Vec3> = (0..n).map(|i| Vec3::new(1.0, i as f64, -0.5 * i as f64)).collect();
        let pattern = Pattern { row_offset: w.row_offset.clone(), column: w.column.clone() };
        let mut lu = BlockLu::new(&pattern).unwrap();
        for i in 0..n {
            for (entry, (j, block)) in (w.row_offset[i]..).zip(w.row(i)) {
                lu.add(entry, &(x[i] * block));
                if j == i {
                    lu.add(entry, &y[i]);
                }
            }
        }
        assert!(lu.factor());
        let mut s = b.clone();
        lu.solve(&mut s);
        for i in 0..n {
            let left = x[i] * w.row_product(i, &s) + y[i] * s[i];
            assert!((left - b[i]).norm() < 1e-12, "row {i}: {left} {}", b[i]);
        }
    }
}
