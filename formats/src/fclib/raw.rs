//! A local problem as its file says it: normal first, numbers one after another.

use std::path::Path;

use super::tree::Tree;
use super::{global, Solution, Source, Sparse};
use crate::error::{Error, Result};
use crate::store::In;

/// `u = W r + q (+ V l)`, `Vᵀ r + R l + s = 0`, and Coulomb's law of each contact; components (N, T2, T1).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Raw {
    pub title: String,
    pub description: String,
    pub w: Sparse,
    pub q: Vec<f64>,
    /// Friction, one for each contact.
    pub mu: Vec<f64>,
    pub equality: Option<RawEquality>,
}

/// The equality part: `V` has a row for each component of `u` and a column for each multiplier.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawEquality {
    pub v: Sparse,
    pub r: Sparse,
    pub s: Vec<f64>,
}

impl Raw {
    /// Reads a local problem, or condenses a global one; see [`Source::raw`].
    pub fn read(path: &Path) -> Result<Raw> {
        Source::open(path)?.raw()
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.mu.len()
    }
}

pub(super) fn read(file: &In) -> Result<Raw> {
    if file.has("/fclib_local", "") {
        return local(&Tree::new(file, "/fclib_local"));
    }
    if file.has("/fclib_global", "") {
        return global::condensed(&Tree::new(file, "/fclib_global"));
    }
    if file.has("/fclib_global_rolling", "") {
        let text = "rolling friction is not solved here; give a problem without it";
        return Err(Error::format(&file.at("", "fclib_global_rolling"), text));
    }
    let text =
        "no group 'fclib_local' or 'fclib_global': not an FCLIB problem; sf-run --dump-locdyn and FCLIB write such \
                files";
    Err(Error::format(&file.name, text))
}

/// `/solution`, if it is there.
pub(super) fn solution(file: &In, raw: &Raw) -> Result<Option<Solution>> {
    let tree = Tree::new(file, "/solution");
    if !tree.has("r") || !tree.has("u") {
        return Ok(None);
    }
    let (n, p) = (raw.q.len(), raw.equality.as_ref().map_or(0, |e| e.s.len()));
    let l = if p > 0 && tree.has("l") { tree.vector("l", Some(p))? } else { vec![0.0; p] };
    Ok(Some(Solution { r: tree.vector("r", Some(n))?, u: tree.vector("u", Some(n))?, l }))
}

/// Title and description.
pub(super) fn info(tree: &Tree) -> (String, String) {
    (tree.text("info/title"), tree.text("info/description"))
}

/// Friction of each contact of `n` components; checks `spacedim`.
pub(super) fn friction(tree: &Tree, n: usize) -> Result<Vec<f64>> {
    match tree.integer("spacedim")? {
        3 => {}
        2 => {
            return Err(tree.wrong("spacedim", "a problem in two dimensions; only three are solved here"));
        }
        d => return Err(tree.wrong("spacedim", format!("{d}, but 3 is wanted"))),
    }
    if !n.is_multiple_of(3) {
        return Err(tree.wrong("vectors", format!("{n} components of contacts are not a multiple of 3")));
    }
    let mu = tree.vector("vectors/mu", Some(n / 3))?;
    match mu.iter().position(|&m| m < 0.0) {
        Some(k) => Err(tree.wrong("vectors/mu", format!("friction of contact {k} is {}; it must be >= 0", mu[k]))),
        None => Ok(mu),
    }
}

fn local(tree: &Tree) -> Result<Raw> {
    let q = tree.vector("vectors/q", None)?;
    let mu = friction(tree, q.len())?;
    let w = tree.matrix("W", q.len(), q.len())?;
    let parts = ["V", "R", "vectors/s"].map(|p| tree.has(p));
    let equality = match parts {
        [false, false, _] => None,
        [true, true, true] => {
            let s = tree.vector("vectors/s", None)?;
            let v = tree.matrix("V", q.len(), s.len())?;
            let r = tree.matrix("R", s.len(), s.len())?;
            Some(RawEquality { v, r, s })
        }
        _ => return Err(tree.wrong("V", "an equality part needs V, R and vectors/s; one of them is missing")),
    };
    let (title, description) = info(tree);
    Ok(Raw { title, description, w, q, mu, equality })
}
