//! Global problems `M v = H r + f (+ G l)`, `u = Hᵀ v + w`, `Gᵀ v + b = 0`, condensed to local ones:
//! `W = Hᵀ M⁻¹ H`, `q = Hᵀ M⁻¹ f + w`, `V = Hᵀ M⁻¹ G`, `R = Gᵀ M⁻¹ G`, `s = Gᵀ M⁻¹ f + b`.
//!
//! `M` falls into bodies: unknowns that it couples. Each body is factorised as a small dense matrix.

use nalgebra::DMatrix;

use super::tree::Tree;
use super::{Raw, RawEquality, Sparse};
use crate::error::Result;

/// Most unknowns of one body: its dense matrix takes 32 MB.
const BODY_LIMIT: usize = 2000;

/// The condensed problem.
pub(super) fn condensed(tree: &Tree) -> Result<Raw> {
    let f = tree.vector("vectors/f", None)?;
    let free = tree.vector("vectors/w", None)?;
    let mu = tree.friction(free.len())?;
    let m = tree.matrix("M", f.len(), f.len())?;
    let h = tree.matrix("H", f.len(), free.len())?;
    let (g, b) = if tree.has("G") {
        let b = tree.vector("vectors/b", None)?;
        (tree.matrix("G", f.len(), b.len())?, b)
    } else {
        (Sparse::new(f.len(), 0, Vec::new()), Vec::new())
    };
    let (n, p) = (free.len(), b.len());
    // Columns of [H G f]: contacts, multipliers, load.
    let load = n + p;
    let mut sums = Vec::new();
    for body in bodies(&m) {
        if body.len() > BODY_LIMIT {
            let text =
                format!("couples {} unknowns, more than {BODY_LIMIT}; condense the problem by yourself", body.len());
            return Err(tree.wrong("M", text));
        }
        let columns = Columns::gather(&body, &h, &g, &f, load);
        let place = |i: usize| body.binary_search(&i);
        let dense = DMatrix::from_fn(body.len(), body.len(), |_, _| 0.0);
        let dense = body.iter().enumerate().fold(dense, |mut dense, (row, &i)| {
            for (j, x) in m.row(i) {
                if let Ok(column) = place(j) {
                    dense[(row, column)] = x;
                }
            }
            dense
        });
        let solved = dense.lu().solve(&columns.value).filter(|x| x.iter().all(|x| x.is_finite()));
        let Some(solved) = solved else {
            let text = format!("the block of unknown {} is singular; a mass matrix must not be", body[0]);
            return Err(tree.wrong("M", text));
        };
        let product = columns.value.transpose() * solved;
        for (a, &i) in columns.name.iter().enumerate().filter(|(_, &i)| i != load) {
            sums.extend(columns.name.iter().enumerate().map(|(c, &j)| (i, j, product[(a, c)])));
        }
    }
    let all = Sparse::new(load, load + 1, sums);
    let part = |rows: std::ops::Range<usize>, columns: std::ops::Range<usize>| {
        let inside = all.entries().filter(|(i, j, _)| rows.contains(i) && columns.contains(j));
        let shifted = inside.map(|(i, j, x)| (i - rows.start, j - columns.start, x)).collect();
        Sparse::new(rows.len(), columns.len(), shifted)
    };
    let add = |mut to: Vec<f64>, rows| {
        part(rows, load..load + 1).add_product(&[1.0], &mut to);
        to
    };
    let (title, description) = tree.info();
    let equality =
        tree.has("G").then(|| RawEquality { v: part(0..n, n..load), r: part(n..load, n..load), s: add(b, n..load) });
    Ok(Raw { title, description, w: part(0..n, 0..n), q: add(free, 0..n), mu, equality })
}

/// The columns of `[H G f]` that a body meets, dense in its rows.
struct Columns {
    name: Vec<usize>,
    value: DMatrix<f64>,
}

impl Columns {
    fn gather(body: &[usize], h: &Sparse, g: &Sparse, f: &[f64], load: usize) -> Self {
        let row = |i: usize| h.row(i).chain(g.row(i).map(|(j, x)| (h.columns + j, x))).chain([(load, f[i])]);
        let mut name: Vec<usize> = body.iter().flat_map(|&i| row(i)).map(|(j, _)| j).collect();
        name.sort_unstable();
        name.dedup();
        let mut value = DMatrix::zeros(body.len(), name.len());
        for (k, &i) in body.iter().enumerate() {
            for (j, x) in row(i) {
                if let Ok(at) = name.binary_search(&j) {
                    value[(k, at)] = x;
                }
            }
        }
        Columns { name, value }
    }
}

/// Sets of unknowns that `m` couples, in order of their smallest, each ascending.
fn bodies(m: &Sparse) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..m.rows).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    for (i, j, _) in m.entries() {
        let (a, b) = (find(&mut root, i), find(&mut root, j));
        root[a.max(b)] = a.min(b);
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); m.rows];
    for i in 0..m.rows {
        let at = find(&mut root, i);
        sets[at].push(i);
    }
    sets.retain(|s| !s.is_empty());
    sets
}
