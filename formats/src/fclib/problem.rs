//! A local problem in our component order.

use solfec::dynamics::{Assembled, BlockSparse};
use solfec::math::{Mat3, Vec3};
use solfec::solver::Law;

use super::{triples, Raw, Sparse};

/// `U = W R + q (+ V l)`, `Vᵀ R + R l + s = 0`, and Coulomb's law of each contact; components (T1, T2, N).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problem {
    pub title: String,
    pub description: String,
    /// Rows as in the file; every row has a diagonal block, of zeros if the file has none.
    pub w: BlockSparse,
    pub q: Vec<Vec3>,
    pub mu: Vec<f64>,
    pub equality: Option<Equality>,
}

/// The equality part: `v` has three rows (T1, T2, N) for each contact.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Equality {
    pub v: Sparse,
    pub r: Sparse,
    pub s: Vec<f64>,
}

/// Place in the other order; its own inverse.
fn reversed(i: usize) -> usize {
    i - i % 3 + 2 - i % 3
}

impl Problem {
    pub fn new(raw: &Raw) -> Self {
        let equality = raw.equality.as_ref();
        Problem {
            title: raw.title.clone(),
            description: raw.description.clone(),
            w: blocks(&raw.w),
            q: triples(&raw.q),
            mu: raw.mu.clone(),
            equality: equality.map(|e| Equality { v: e.v.permuted(reversed, |j| j), r: e.r.clone(), s: e.s.clone() }),
        }
    }

    /// The operator of the contacts, without the equality part. Velocities of the start of the step are zero: what
    /// restitution asks for is in `q`.
    pub fn operator(&self) -> solfec::Result<Assembled> {
        Assembled::new(self.w.clone(), self.q.clone(), vec![Vec3::zeros(); self.q.len()])
    }

    /// Coulomb's law of each contact.
    pub fn laws(&self) -> Vec<Law> {
        let law = |&friction| Law::Coulomb { friction, restitution: 0.0, cohesion: 0.0, closing: 0.0 };
        self.mu.iter().map(law).collect()
    }
}

/// The blocks of a matrix of the file.
fn blocks(w: &Sparse) -> BlockSparse {
    let n = w.rows / 3;
    let mut out = BlockSparse { row_offset: vec![0], ..BlockSparse::default() };
    for a in 0..n {
        let mut columns: Vec<u32> = (3 * a..3 * a + 3).flat_map(|i| w.row(i)).map(|(j, _)| (j / 3) as u32).collect();
        columns.push(a as u32);
        columns.sort_unstable();
        columns.dedup();
        let start = out.column.len();
        out.block.resize(start + columns.len(), Mat3::zeros());
        for i in 0..3 {
            for (j, x) in w.row(3 * a + i) {
                // Every column of the row is in the list.
                if let Ok(at) = columns.binary_search(&((j / 3) as u32)) {
                    out.block[start + at][(2 - i, 2 - j % 3)] = x;
                }
            }
        }
        out.column.extend(columns);
        out.row_offset.push(out.column.len());
    }
    out
}
