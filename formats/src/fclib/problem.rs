//! A local problem in our component order.

use solfec::dynamics::{Assembled, BlockSparse};
use solfec::math::{Mat3, Vec3};
use solfec::solver::Law;

use super::{numbers, triples, Raw, Solution, Sparse};

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
    /// How many rows make one constraint, 1 or 3, in order: they are solved together. Files of others do not say; 1
    /// then.
    pub groups: Vec<usize>,
}

impl Problem {
    /// `groups` is [`Equality::groups`]; what does not fit the equality part is not believed.
    pub fn new(raw: &Raw, groups: Option<Vec<usize>>) -> Self {
        let equality = raw.equality.as_ref().map(|e| {
            let rows = e.s.len();
            let fits = |g: &Vec<usize>| g.iter().all(|n| [1, 3].contains(n)) && g.iter().sum::<usize>() == rows;
            let groups = groups.filter(fits).unwrap_or_else(|| vec![1; rows]);
            Equality { v: e.v.permuted(reversed, |j| j), r: e.r.clone(), s: e.s.clone(), groups }
        });
        Problem {
            title: raw.title.clone(),
            description: raw.description.clone(),
            w: blocks(&raw.w, reversed),
            q: triples(&raw.q),
            mu: raw.mu.clone(),
            equality,
        }
    }

    /// The operator: a row for each contact, then one for each group of the equality part. Velocities of the start of
    /// the step are zero: what restitution asks for is in `q`. Fails when a row of the equality part has no `R` of
    /// its own.
    pub fn operator(&self) -> solfec::Result<Assembled> {
        let (w, q) = match &self.equality {
            None => (self.w.clone(), self.q.clone()),
            Some(equality) => self.augmented(equality)?,
        };
        let rows = q.len();
        Assembled::new(w, q, vec![Vec3::zeros(); rows])
    }

    /// Coulomb's law of each contact, then `U = 0` of the equality part.
    pub fn laws(&self) -> Vec<Law> {
        let contact = |&friction: &f64| Law::Coulomb { friction, restitution: 0.0, cohesion: 0.0, closing: 0.0 };
        let joint = |&rows: &usize| match rows {
            3 => Law::Velocity3 { target: Vec3::zeros() },
            _ => Law::Velocity { target: 0.0 },
        };
        let groups = self.equality.iter().flat_map(|e| &e.groups).map(joint);
        self.mu.iter().map(contact).chain(groups).collect()
    }

    /// The solution in the order of the file, of reactions of all rows of [`Problem::operator`].
    pub fn solution(&self, raw: &Raw, reactions: &[Vec3]) -> Solution {
        let contacts = self.mu.len().min(reactions.len());
        let r = numbers(&reactions[..contacts]);
        let groups = self.equality.iter().flat_map(|e| &e.groups);
        let multipliers = |(&rows, x): (&usize, &Vec3)| x.as_slice()[3 - rows..].to_vec();
        let l: Vec<f64> = groups.zip(&reactions[contacts..]).flat_map(multipliers).collect();
        let u = raw.velocity(&r, &l);
        Solution { r, u, l }
    }

    /// The inverse of [`Problem::solution`]; sizes must be those of the problem.
    pub fn reactions(&self, solution: &Solution) -> Vec<Vec3> {
        let mut out = triples(&solution.r);
        let contacts = out.len();
        if let Some(e) = &self.equality {
            out.resize(contacts + e.groups.len(), Vec3::zeros());
            for (&place, &l) in places(contacts, &e.groups).iter().zip(&solution.l) {
                out[place / 3][place % 3] = l;
            }
        }
        out
    }

    fn augmented(&self, e: &Equality) -> solfec::Result<(BlockSparse, Vec<Vec3>)> {
        let contacts = self.mu.len();
        let places = places(contacts, &e.groups);
        let mut q = self.q.clone();
        q.resize(contacts + e.groups.len(), Vec3::zeros());
        let mut entries = Vec::new();
        for a in 0..contacts {
            for (b, block) in self.w.row(a) {
                entries.extend((0..9).map(|k| (3 * a + k % 3, 3 * b + k / 3, block[(k % 3, k / 3)])));
            }
        }
        for (i, j, x) in e.v.entries() {
            entries.extend([(i, places[j], x), (places[j], i, x)]);
        }
        entries.extend(e.r.entries().map(|(i, j, x)| (places[i], places[j], x)));
        for (j, &place) in places.iter().enumerate() {
            q[place / 3][place % 3] = e.s[j];
            let own = e.r.row(j).find(|(i, _)| *i == j).map_or(0.0, |(_, x)| x);
            if own <= 0.0 {
                return Err(solfec::Error::input(format!(
                    "equality row {j} has no positive diagonal entry in R: such constraints are not supported; \
                     eliminate them, or give the problem with R = W of the constraints"
                )));
            }
            if e.groups[place / 3 - contacts] == 1 {
                // No law moves these components: any regular entry will do.
                entries.extend([(place - 1, place - 1, own), (place - 2, place - 2, own)]);
            }
        }
        let size = 3 * q.len();
        Ok((blocks(&Sparse::new(size, size, entries), |i| i), q))
    }
}

/// Component of the operator of each multiplier: T1, T2, N of a group of three, N of a single one.
fn places(contacts: usize, groups: &[usize]) -> Vec<usize> {
    let rows = groups.iter().enumerate();
    rows.flat_map(|(g, &n)| (3 - n..3).map(move |c| 3 * (contacts + g) + c)).collect()
}

/// Place in the other order; its own inverse.
fn reversed(i: usize) -> usize {
    i - i % 3 + 2 - i % 3
}

/// The blocks of a matrix whose component `i` is our `order(i)`, in the same triple.
fn blocks(w: &Sparse, order: impl Fn(usize) -> usize) -> BlockSparse {
    let n = w.rows / 3;
    let mut out = BlockSparse { row_offset: vec![0], ..BlockSparse::default() };
    for a in 0..n {
        let mut columns: Vec<u32> = (3 * a..3 * a + 3).flat_map(|i| w.row(i)).map(|(j, _)| (j / 3) as u32).collect();
        columns.push(a as u32);
        columns.sort_unstable();
        columns.dedup();
        let start = out.column.len();
        out.block.resize(start + columns.len(), Mat3::zeros());
        for i in 3 * a..3 * a + 3 {
            for (j, x) in w.row(i) {
                // Every column of the row is in the list.
                if let Ok(at) = columns.binary_search(&((j / 3) as u32)) {
                    out.block[start + at][(order(i) % 3, order(j) % 3)] = x;
                }
            }
        }
        out.column.extend(columns);
        out.row_offset.push(out.column.len());
    }
    out
}
