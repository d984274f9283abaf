//! The order of elimination of a block-sparse matrix of symmetric pattern, and the fronts in which it is done.
//!
//! Rows go in an order of minimum degree or of nested dissection, sorted so that the rows of a subtree of the elimination
//! tree follow one another. Neighbours whose factors have nearly the same pattern form a front (a
//! supernode): a dense matrix, whose own rows are eliminated together. All of it depends on the pattern alone.

use super::ordering::{minimum_degree, nested_dissection};

/// Most blocks of each triangular factor.
pub const MOST_ENTRIES: usize = 10_000_000;

/// Rows from which on an order by nested dissection is tried too.
const LARGE: usize = 1000;

/// Blocks of zeros among those of a front, up to which it takes in its neighbour: products of small fronts are slower
/// than those with some zeros.
const MOST_ZEROS: f64 = 0.2;

/// A front without its numbers, in blocks.
#[derive(Debug, Clone, Default)]
pub struct Front {
    /// Own rows, by place in the order of elimination.
    pub first: u32,
    pub own: u32,
    /// Other rows, by place, ascending, and where the front that takes over has them.
    pub others: Vec<u32>,
    pub target: Vec<u32>,
    /// Number of fronts whose remainders this one takes over: those that were left last.
    pub children: u32,
}

impl Front {
    /// Number of rows.
    pub fn size(&self) -> usize {
        self.own as usize + self.others.len()
    }

    /// Where the front has the row of this place, which it has.
    pub fn position(&self, place: u32) -> usize {
        if place < self.first + self.own {
            (place - self.first) as usize
        } else {
            self.own as usize + self.others.partition_point(|&other| other < place)
        }
    }
}

/// Order and fronts.
#[derive(Debug, Clone)]
pub struct Elimination {
    /// Row of the matrix that is eliminated k-th, and its inverse.
    pub order: Vec<u32>,
    pub place: Vec<u32>,
    pub fronts: Vec<Front>,
}

impl Elimination {
    /// Of a matrix with these columns in each row; `None` when the factors would take gigabytes.
    pub fn new(row_offset: &[usize], column: &[u32]) -> Option<Self> {
        let (mut order, rows) = least_fill(row_offset, column)?;
        let sorted = postorder(&rows);
        let place = inverse(&sorted);
        order = sorted.iter().map(|&k| order[k as usize]).collect();
        let rows: Vec<Vec<u32>> = sorted
            .iter()
            .map(|&k| {
                let mut row: Vec<u32> = rows[k as usize].iter().map(|&j| place[j as usize]).collect();
                row.sort_unstable();
                row
            })
            .collect();
        Some(Elimination { place: inverse(&order), order, fronts: fronts(rows) })
    }

    /// The front that owns the row of each place.
    pub fn owners(&self) -> Vec<u32> {
        let own = |(at, front): (u32, &Front)| std::iter::repeat_n(at, front.own as usize);
        (0..).zip(&self.fronts).flat_map(own).collect()
    }
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    for (k, &i) in (0..).zip(order) {
        place[i as usize] = k;
    }
    place
}

/// The order of less work, and the rows of the upper factor.
fn least_fill(row_offset: &[usize], column: &[u32]) -> Option<(Vec<u32>, Vec<Vec<u32>>)> {
    let filled = |order: Vec<u32>| fill(row_offset, column, &inverse(&order)).map(|rows| (order, rows));
    let by_degree = filled(minimum_degree(row_offset, column));
    if row_offset.len() <= LARGE {
        return by_degree;
    }
    let work = |(_, rows): &(Vec<u32>, Vec<Vec<u32>>)| rows.iter().map(|row| row.len().pow(2)).sum::<usize>();
    let by_cuts = filled(nested_dissection(row_offset, column));
    [by_degree, by_cuts].into_iter().flatten().min_by_key(work)
}

/// Columns right of the diagonal of each row of the upper factor: those of the matrix and of the rows' children in the
/// elimination tree.
fn fill(row_offset: &[usize], column: &[u32], place: &[u32]) -> Option<Vec<Vec<u32>>> {
    let n = place.len();
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (i, &k) in place.iter().enumerate() {
        for &j in &column[row_offset[i]..row_offset[i + 1]] {
            let (a, b) = (k.min(place[j as usize]), k.max(place[j as usize]));
            if a != b {
                rows[a as usize].push(b);
            }
        }
    }
    let mut entries = 0;
    for k in 0..n {
        rows[k].sort_unstable();
        rows[k].dedup();
        entries += rows[k].len();
        if entries > MOST_ENTRIES {
            return None;
        }
        if let Some(&parent) = rows[k].first() {
            let inherited = rows[k][1..].to_vec();
            rows[parent as usize].extend(inherited);
        }
    }
    Some(rows)
}

/// Rows of the upper factor so that each follows all of its subtree of the elimination tree.
fn postorder(rows: &[Vec<u32>]) -> Vec<u32> {
    let n = rows.len();
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut stack = Vec::new();
    for k in (0..n as u32).rev() {
        match rows[k as usize].first() {
            Some(&parent) => children[parent as usize].push(k),
            None => stack.push(k),
        }
    }
    // Parents before their children, later children first; reversed that is a postorder.
    let mut order = Vec::with_capacity(n);
    stack.reverse();
    while let Some(k) = stack.pop() {
        order.push(k);
        stack.extend(children[k as usize].iter().rev());
    }
    order.reverse();
    order
}

/// Fronts of rows of the upper factor in postorder.
fn fronts(mut rows: Vec<Vec<u32>>) -> Vec<Front> {
    let mut fronts: Vec<Front> = Vec::new();
    let mut zeros = 0;
    for (k, row) in (0..).zip(&mut rows) {
        let others = std::mem::take(row);
        if let Some(last) = fronts.last_mut().filter(|last| last.others.first() == Some(&k)) {
            let own = last.own as usize;
            let more = zeros + own * (1 + others.len() - last.others.len());
            let all = (own + 1) * (own + 2) / 2 + (own + 1) * others.len();
            if more as f64 <= MOST_ZEROS * all as f64 {
                (last.own, last.others, zeros) = (last.own + 1, others, more);
                continue;
            }
        }
        zeros = 0;
        fronts.push(Front { first: k, own: 1, others, ..Front::default() });
    }
    let ends: Vec<u32> = fronts.iter().map(|front| front.first + front.own).collect();
    for s in 0..fronts.len() {
        if let Some(&first) = fronts[s].others.first() {
            let parent = ends.partition_point(|&end| end <= first);
            let target = fronts[s].others.iter().map(|&place| fronts[parent].position(place) as u32).collect();
            fronts[s].target = target;
            fronts[parent].children += 1;
        }
    }
    fronts
}
