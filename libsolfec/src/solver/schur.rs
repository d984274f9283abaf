//! Elimination of prescribed velocities from `U = B + W R`: what is left are contacts (docs/theory.md, (10.5)).
//!
//! With the contacts c and the prescribed components b, `W_bb R_b + W_bc R_c + B_b = target` gives `R_b`, and so
//!
//! ```text
//! W = W_cc − W_cb W_bb⁺ W_bc        q = B_c + W_cb W_bb⁺ (target − B_b)
//! ```
//!
//! Constraints that do not feel each other are eliminated apart, so that W stays sparse. `W_bb⁺` is an inverse where
//! there is one, else a generalised inverse: redundant constraints share their reactions.

use std::collections::BTreeMap;

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use crate::dynamics::BlockSparse;
use crate::math::{Mat3, Vec3};

/// Least pivot, relative to the diagonal entry, and least eigenvalue of the matrix with unit diagonal that count as
/// regular.
const REGULAR: f64 = 1e-11;

/// What a constraint asks of the elimination.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Part {
    /// A contact: stays.
    Contact,
    /// All components of the velocity are prescribed [m/s].
    Velocity(Vec3),
    /// The normal component is prescribed [m/s]; there is no tangential reaction.
    NormalVelocity(f64),
}

impl Part {
    /// Prescribed components with their targets.
    fn targets(&self) -> impl Iterator<Item = (usize, f64)> {
        let (first, target) = match *self {
            Part::Contact => (3, Vec3::zeros()),
            Part::Velocity(target) => (0, target),
            Part::NormalVelocity(target) => (2, Vec3::new(0.0, 0.0, target)),
        };
        (first..3).map(move |k| (k, target[k]))
    }
}

/// Prescribed constraints that feel each other, solved for.
struct Island {
    /// Row and component of each unknown.
    unknowns: Vec<(usize, usize)>,
    /// The contacts that feel the island.
    contacts: Vec<usize>,
    /// `W_bb⁺ (target − B_b)`.
    free: DVector<f64>,
    /// `W_bb⁺ W_bc`, three columns for each contact.
    response: DMatrix<f64>,
}

/// The contacts that are left, and the way back.
pub struct Elimination {
    /// Rows of the contacts in the whole problem, ascending.
    pub contacts: Vec<usize>,
    /// `W` and `q` of the contacts.
    pub w: BlockSparse,
    pub q: Vec<Vec3>,
    islands: Vec<Island>,
}

impl Elimination {
    /// Reduces `w`, `free` to the rows that are contacts.
    pub fn new(w: &BlockSparse, free: &[Vec3], parts: &[Part]) -> Self {
        let contacts: Vec<usize> = (0..parts.len()).filter(|&i| parts[i] == Part::Contact).collect();
        if contacts.len() == parts.len() {
            return Elimination { contacts, w: w.clone(), q: free.to_vec(), islands: Vec::new() };
        }
        let islands: Vec<Island> = islands(w, parts).iter().map(|rows| Island::new(rows, w, free, parts)).collect();
        let mut place = vec![None; parts.len()];
        contacts.iter().enumerate().for_each(|(k, &i)| place[i] = Some(k as u32));
        let of_contacts = |i: &usize| w.row(*i).filter_map(|(j, block)| place[j].map(|j| (j, *block))).collect();
        let mut rows: Vec<BTreeMap<u32, Mat3>> = contacts.iter().map(of_contacts).collect();
        let mut q: Vec<Vec3> = contacts.iter().map(|&i| free[i]).collect();
        for island in &islands {
            for &i in &island.contacts {
                let Some(at) = place[i].map(|k| k as usize) else { continue };
                let coupling = island.coupling(w, i);
                q[at] += (&coupling * &island.free).fixed_rows::<3>(0);
                let change = coupling * &island.response;
                for (k, j) in island.contacts.iter().filter_map(|&j| place[j]).enumerate() {
                    *rows[at].entry(j).or_insert_with(Mat3::zeros) -= change.fixed_view::<3, 3>(0, 3 * k);
                }
            }
        }
        Elimination { contacts, w: compressed(&rows), q, islands }
    }

    /// The reactions of all constraints, given those of the contacts.
    pub fn reactions(&self, of_contacts: &[Vec3], r: &mut [Vec3]) {
        r.fill(Vec3::zeros());
        self.contacts.iter().zip(of_contacts).for_each(|(&i, reaction)| r[i] = *reaction);
        for island in &self.islands {
            let of_contacts = DVector::from_fn(3 * island.contacts.len(), |k, _| r[island.contacts[k / 3]][k % 3]);
            let reactions = &island.free - &island.response * of_contacts;
            island.unknowns.iter().zip(reactions.iter()).for_each(|(&(i, k), reaction)| r[i][k] = *reaction);
        }
    }
}

impl Island {
    fn new(rows: &[usize], w: &BlockSparse, free: &[Vec3], parts: &[Part]) -> Self {
        let targets = |&i: &usize| parts[i].targets().map(move |(k, target)| ((i, k), target - free[i][k]));
        let (unknowns, missing): (Vec<_>, Vec<f64>) = rows.iter().flat_map(targets).unzip();
        let neighbours = rows.iter().flat_map(|&i| w.row(i).map(|(j, _)| j));
        let mut contacts: Vec<usize> = neighbours.filter(|&j| parts[j] == Part::Contact).collect();
        contacts.sort_unstable();
        contacts.dedup();
        let entry = |(i, a): (usize, usize), (j, b): (usize, usize)| w.get(i, j).map_or(0.0, |block| block[(a, b)]);
        let n = unknowns.len();
        let matrix = DMatrix::from_fn(n, n, |i, j| entry(unknowns[i], unknowns[j]));
        let coupling = DMatrix::from_fn(n, 3 * contacts.len(), |i, j| entry(unknowns[i], (contacts[j / 3], j % 3)));
        let inverse = inverse(&matrix);
        Island { unknowns, contacts, free: &inverse * DVector::from_vec(missing), response: inverse * coupling }
    }

    /// `W_cb` of contact `c`.
    fn coupling(&self, w: &BlockSparse, c: usize) -> DMatrix<f64> {
        let entry = |a: usize, (j, b): (usize, usize)| w.get(c, j).map_or(0.0, |block| block[(a, b)]);
        DMatrix::from_fn(3, self.unknowns.len(), |a, j| entry(a, self.unknowns[j]))
    }
}

/// Groups of prescribed rows that W couples, each ascending.
fn islands(w: &BlockSparse, parts: &[Part]) -> Vec<Vec<usize>> {
    let mut seen: Vec<bool> = parts.iter().map(|part| *part == Part::Contact).collect();
    let mut islands = Vec::new();
    for first in 0..parts.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let mut rows = vec![first];
        let mut next = 0;
        while next < rows.len() {
            for (j, _) in w.row(rows[next]) {
                if !std::mem::replace(&mut seen[j], true) {
                    rows.push(j);
                }
            }
            next += 1;
        }
        rows.sort_unstable();
        islands.push(rows);
    }
    islands
}

/// A generalised inverse of the symmetric positive semi-definite `matrix`, scaled to a unit diagonal first, so that
/// light and heavy bodies are treated alike.
fn inverse(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let n = matrix.nrows();
    if !matrix.iter().all(|w| w.is_finite()) {
        return DMatrix::zeros(n, n);
    }
    let scale = matrix.diagonal().map(|w| if w > 0.0 { 1.0 / w.sqrt() } else { 0.0 });
    let scaled = |m: &DMatrix<f64>| DMatrix::from_fn(n, n, |i, j| scale[i] * m[(i, j)] * scale[j]);
    let unit = scaled(matrix);
    let regular = |c: &Cholesky<f64, Dyn>| c.l_dirty().diagonal().iter().all(|pivot| pivot * pivot > REGULAR);
    let inverse = match Cholesky::new(unit.clone()).filter(regular) {
        Some(cholesky) => cholesky.inverse(),
        None => {
            let mut eigen = unit.symmetric_eigen();
            eigen.eigenvalues.apply(|l| *l = if *l > REGULAR { 1.0 / *l } else { 0.0 });
            eigen.recompose()
        }
    };
    scaled(&inverse)
}

/// The matrix of these rows.
fn compressed(rows: &[BTreeMap<u32, Mat3>]) -> BlockSparse {
    let mut matrix = BlockSparse { row_offset: vec![0], ..BlockSparse::default() };
    for row in rows {
        matrix.column.extend(row.keys());
        matrix.block.extend(row.values());
        matrix.row_offset.push(matrix.column.len());
    }
    matrix
}
