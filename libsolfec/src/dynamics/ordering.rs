//! Orders of elimination with little fill: of minimum degree (Amestoy, Davis and Duff 1996), and for large graphs by
//! nested dissection (George 1973).
//!
//! In nested dissection a graph is cut in two by a level of a breadth-first search from a vertex far out; the cut comes
//! last in the order, the parts before it, each in the same way, and small parts in an order of minimum degree.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::amd;
use faer::sparse::SymbolicSparseColMatRef;

/// Vertices under which a part is not cut.
const SMALL: usize = 128;
/// Shares of the vertices between which a cut may lie.
const BALANCE: [f64; 2] = [0.3, 0.7];
/// A vertex of no level.
const NONE: u32 = u32::MAX;

/// Vertices in an order of minimum degree.
pub fn minimum_degree(row_offset: &[usize], column: &[u32]) -> Vec<u32> {
    let n = row_offset.len().saturating_sub(1);
    let offset: Vec<u32> = row_offset.iter().map(|&o| o as u32).collect();
    let natural = || (0..n as u32).collect();
    if n == 0 {
        return natural();
    }
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &offset, None, column);
    let Ok(mut memory) = MemBuffer::try_new(amd::order_scratch::<u32>(n, column.len())) else { return natural() };
    let (mut order, mut place) = (vec![0; n], vec![0; n]);
    let stack = MemStack::new(&mut memory);
    match amd::order(&mut order, &mut place, pattern, amd::Control::default(), stack) {
        Ok(_) => order,
        Err(_) => natural(),
    }
}

/// Vertices in an order by nested dissection.
pub fn nested_dissection(row_offset: &[usize], column: &[u32]) -> Vec<u32> {
    let n = row_offset.len().saturating_sub(1);
    let mut cut = Dissection { row_offset, column, part: vec![0; n], level: vec![NONE; n], parts: 1 };
    let mut order = Vec::with_capacity(n);
    // Parts yet to be ordered, and cuts to be written after those; the last one first.
    let mut stack = vec![Work::Part((0..n as u32).collect())];
    while let Some(work) = stack.pop() {
        match work {
            Work::Cut(vertices) => order.extend(vertices),
            Work::Part(vertices) if vertices.len() <= SMALL => order.extend(cut.small(&vertices)),
            Work::Part(vertices) => {
                let [first, second, between] = cut.split(&vertices);
                if first.is_empty() && second.is_empty() {
                    order.extend(cut.small(&between));
                    continue;
                }
                stack.push(Work::Cut(between));
                stack.extend([second, first].into_iter().filter(|part| !part.is_empty()).map(Work::Part));
            }
        }
    }
    order
}

enum Work {
    Part(Vec<u32>),
    Cut(Vec<u32>),
}

struct Dissection<'a> {
    row_offset: &'a [usize],
    column: &'a [u32],
    /// The part of each vertex, and the number of parts.
    part: Vec<u32>,
    level: Vec<u32>,
    parts: u32,
}

impl Dissection<'_> {
    fn neighbours(&self, i: u32) -> impl Iterator<Item = u32> + '_ {
        let (i, own) = (i as usize, self.part[i as usize]);
        self.column[self.row_offset[i]..self.row_offset[i + 1]]
            .iter()
            .copied()
            .filter(move |&j| self.part[j as usize] == own)
    }

    /// Vertices of the part of `start` that can be reached from it, nearest first, with their levels.
    fn search(&mut self, start: u32) -> Vec<u32> {
        self.level[start as usize] = 0;
        let mut found = vec![start];
        let mut next = 0;
        while next < found.len() {
            let i = found[next];
            next += 1;
            let after = self.level[i as usize] + 1;
            let fresh: Vec<u32> = self.neighbours(i).filter(|&j| self.level[j as usize] == NONE).collect();
            for j in fresh {
                self.level[j as usize] = after;
                found.push(j);
            }
        }
        found
    }

    fn forget(&mut self, vertices: &[u32]) {
        vertices.iter().for_each(|&i| self.level[i as usize] = NONE);
    }

    /// Two parts and what lies between them. A graph that is not connected is cut by nothing.
    fn split(&mut self, vertices: &[u32]) -> [Vec<u32>; 3] {
        let mut found = self.search(vertices[0]);
        if found.len() == vertices.len() {
            // From a vertex far out, then from one far from that.
            for _ in 0..2 {
                let far = found[found.len() - 1];
                self.forget(&found);
                found = self.search(far);
            }
        }
        let levels = found.last().map_or(0, |&last| self.level[last as usize] as usize + 1);
        let mut count = vec![0; levels + 1];
        found.iter().for_each(|&i| count[self.level[i as usize] as usize + 1] += 1);
        (0..levels).for_each(|k| count[k + 1] += count[k]);
        let share = |k: usize| (count[k] as f64 + count[k + 1] as f64) / (2 * found.len()) as f64;
        let inside = |k: &usize| (BALANCE[0]..=BALANCE[1]).contains(&share(*k));
        let cut = (1..levels.saturating_sub(1)).filter(inside).min_by_key(|&k| count[k + 1] - count[k]);
        let mut out = [Vec::new(), Vec::new(), Vec::new()];
        if found.len() < vertices.len() {
            let level = &self.level;
            let (reached, others) = vertices.iter().partition(|&&i| level[i as usize] != NONE);
            (out[0], out[1]) = (reached, others);
        } else if let Some(cut) = cut {
            for &i in &found {
                let level = self.level[i as usize] as usize;
                // Of the level in the middle, those that touch the next one.
                let touches = level == cut && self.neighbours(i).any(|j| self.level[j as usize] as usize > cut);
                let side = if touches { 2 } else { usize::from(level > cut) };
                out[side].push(i);
            }
        } else {
            out[2] = found.clone();
        }
        self.forget(&found);
        for vertices in &out {
            vertices.iter().for_each(|&i| self.part[i as usize] = self.parts);
            self.parts += 1;
        }
        out
    }

    /// These, in an order of minimum degree.
    fn small(&mut self, vertices: &[u32]) -> Vec<u32> {
        (0..).zip(vertices).for_each(|(k, &i)| self.level[i as usize] = k);
        let mut offset = vec![0];
        let mut column = Vec::new();
        for &i in vertices {
            let first = column.len();
            column.extend(self.neighbours(i).map(|j| self.level[j as usize]).filter(|&j| j != NONE));
            column[first..].sort_unstable();
            offset.push(column.len());
        }
        self.forget(vertices);
        minimum_degree(&offset, &column).into_iter().map(|k| vertices[k as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two grids of unequal size: all vertices once.
    #[test]
    fn every_vertex_comes_once() {
        let (a, b) = (40, 30);
        let mut offset = vec![0];
        let mut column = Vec::new();
        for (first, side) in [(0, a), (a * a, b)] {
            for k in 0..side * side {
                let (i, j) = (k / side, k % side);
                let near = |x: usize, y: usize| x.abs_diff(i) <= 1 && y.abs_diff(j) <= 1;
                let all = (0..side * side).filter(|&l| near(l / side, l % side));
                column.extend(all.map(|l| (first + l) as u32));
                offset.push(column.len());
            }
        }
        let mut order = nested_dissection(&offset, &column);
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..(a * a + b * b) as u32));
        assert!(nested_dissection(&[0], &[]).is_empty());
    }
}
