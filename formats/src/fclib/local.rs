//! Reading the problem of a file: a local one as it is, a global one condensed.

use super::tree::Tree;
use super::{global, Raw, RawEquality, Solution};
use crate::error::{Error, Result};
use crate::store::In;

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
        "no group 'fclib_local' or 'fclib_global': not an FCLIB problem; sf-run --dump-locdyn and FCLIB write them";
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

fn local(tree: &Tree) -> Result<Raw> {
    let q = tree.vector("vectors/q", None)?;
    let mu = tree.friction(q.len())?;
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
    let (title, description) = tree.info();
    Ok(Raw { title, description, w, q, mu, equality })
}
