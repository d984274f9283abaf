//! Diagonals that keep cracks open.
//!
//! Faces of a crack lie on each other in pairs. Where the crack ends at two sides of a pair, its faces have three nodes
//! in common: a diagonal that ends at two of them would make the same triangle of both, and the crack would close
//! there. So the diagonal has to end at the node that is not common, or at the one that is opposite to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::shape::{face_key, FaceKey, Mesh};
use crate::{Error, Result};

/// An order of the nodes of a mesh in which diagonals of faces that begin at their first node keep cracks open, as the
/// place of each node. Without cracks it is the order of the numbers.
pub(super) fn order(mesh: &Mesh) -> Vec<u32> {
    let count = mesh.nodes.len() as u32;
    let first = begun(&half_doubled(mesh));
    if first.is_empty() {
        return (0..count).collect();
    }
    let chosen: BTreeSet<u32> = first.iter().copied().collect();
    let all = first.into_iter().chain((0..count).filter(|n| !chosen.contains(n)));
    let mut place = vec![0; count as usize];
    (0..).zip(all).for_each(|(k, n)| place[n as usize] = k);
    place
}

/// Quadrilateral outer faces that have three nodes in common with another one, turned so that the fourth is the first.
fn half_doubled(mesh: &Mesh) -> Vec<[u32; 4]> {
    let mut corners: Vec<(FaceKey, [u32; 4])> = Vec::new();
    for face in &mesh.boundary {
        let nodes: Vec<u32> = mesh.elements[face.element as usize].face(face.local.into()).collect();
        if let [a, b, c, d] = nodes[..] {
            let turned = [[a, b, c, d], [b, c, d, a], [c, d, a, b], [d, a, b, c]];
            corners.extend(turned.map(|face| (face_key(face[1..].iter().copied()), face)));
        }
    }
    corners.sort_unstable();
    let runs = corners.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1);
    runs.flatten().map(|(_, face)| *face).collect()
}

/// Nodes in an order in which the first one of each face is its first or third corner, as far as there is such an
/// order: next is always a node that is the second or fourth corner of no face which has not got its first node yet.
fn begun(faces: &[[u32; 4]]) -> Vec<u32> {
    let mut beside: BTreeMap<u32, u32> = BTreeMap::new();
    let mut begins: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (f, [a, b, c, d]) in faces.iter().enumerate() {
        [b, d].iter().for_each(|n| *beside.entry(**n).or_default() += 1);
        [a, c].iter().for_each(|n| begins.entry(**n).or_default().push(f));
    }
    let free = |n: &u32, beside: &BTreeMap<u32, u32>| beside.get(n).is_none_or(|count| *count == 0);
    let mut ready: BTreeSet<u32> = begins.keys().copied().filter(|n| free(n, &beside)).collect();
    let mut has_begun = vec![false; faces.len()];
    let mut order = Vec::new();
    while let Some(n) = ready.pop_first() {
        order.push(n);
        for &f in begins.get(&n).into_iter().flatten() {
            if std::mem::replace(&mut has_begun[f], true) {
                continue;
            }
            for other in [faces[f][1], faces[f][3]] {
                beside.entry(other).and_modify(|count| *count -= 1);
                if free(&other, &beside) && begins.contains_key(&other) {
                    ready.insert(other);
                }
            }
        }
    }
    order
}

/// Refuses outer faces of a cut mesh that have become one.
///
/// # Errors
/// The same nodes twice.
pub(super) fn check_open(faces: &[(Vec<u32>, i32)]) -> Result<()> {
    let mut keys: Vec<FaceKey> = faces.iter().map(|(nodes, _)| face_key(nodes.iter().copied())).collect();
    keys.sort_unstable();
    let closed = keys.windows(2).filter(|pair| pair[0] == pair[1]).count();
    if closed == 0 {
        return Ok(());
    }
    Err(Error::input(format!(
        "the plane goes through elements at cracks that branch, and would close {closed} of their faces: move the \
         plane, or split first and open the cracks afterwards"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonals_begin_at_doubled_nodes() {
        assert_eq!(begun(&[[9, 1, 2, 3]]), [2, 9]);
        // 2 begins the second face only after the first has begun at 9.
        let faces = [[9, 2, 5, 3], [2, 6, 7, 8]];
        let order = begun(&faces);
        let place = |n: u32| order.iter().position(|m| *m == n).unwrap_or(usize::MAX);
        for [a, b, c, d] in faces {
            assert!(place(a).min(place(c)) < place(b).min(place(d)), "{order:?}");
        }
        assert!(begun(&[[1, 2, 3, 4], [2, 1, 4, 3]]).is_empty(), "each diagonal of two faces forbids the other's");
    }
}
