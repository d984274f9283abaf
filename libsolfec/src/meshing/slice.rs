//! A tetrahedron, hexahedron or wedge cut by a plane: what its two parts are.
//!
//! Nodes are below the plane (−1), on it (0) or above (1). A part of a tetrahedron is a tetrahedron, a pyramid or a
//! wedge; two tetrahedra that share a face cut it alike.

use std::cmp::Ordering;

use crate::shape::{Element, ElementKind};

/// A corner of a part: an old corner, or the point of the edge between two.
pub type Corner = [u8; 2];

/// A part: on which side it is, and its corners in the order of the element with as many nodes.
pub type Part = (i8, Vec<Corner>);

/// Even permutations of the corners of a tetrahedron, by their first.
const EVEN: [[u8; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];

/// Families of edges that make parts of the same kind: edges from one face of the element to the opposite one.
const HEX_FAMILIES: [[[u8; 2]; 4]; 3] =
    [[[0, 1], [3, 2], [7, 6], [4, 5]], [[0, 3], [4, 7], [5, 6], [1, 2]], [[0, 4], [1, 5], [2, 6], [3, 7]]];
const WEDGE_FAMILY: [[u8; 2]; 3] = [[0, 3], [1, 4], [2, 5]];

/// Parts of a tetrahedron that has corners on both sides.
pub fn tetrahedron(sides: [i8; 4]) -> Vec<Part> {
    let count = |side: i8| sides.iter().filter(|s| **s == side).count();
    let corners_of = |side: i8| (0..4u8).filter(move |i| sides[usize::from(*i)] == side);
    match count(-1).cmp(&count(1)) {
        // Two and two, or one and one with two on the plane.
        Ordering::Equal => {
            let first = corners_of(-1).next().unwrap_or(0);
            if count(0) == 2 {
                let last = corners_of(1).next().unwrap_or(0);
                let [i, j, k, l] = turned(first, last, 3);
                return vec![(-1, vec![[i, i], [j, j], [k, k], [i, l]]), (1, vec![[i, l], [j, j], [k, k], [l, l]])];
            }
            let second = corners_of(-1).nth(1).unwrap_or(0);
            let [i, j, k, l] = turned(first, second, 1);
            vec![
                (-1, vec![[i, i], [i, k], [i, l], [j, j], [j, k], [j, l]]),
                (1, vec![[k, k], [k, i], [k, j], [l, l], [l, i], [l, j]]),
            ]
        }
        Ordering::Less => lone(-1, &sides),
        Ordering::Greater => lone(1, &sides),
    }
}

/// Parts of a tetrahedron with one corner on `side`, more on the other, and at most one on the plane.
fn lone(side: i8, sides: &[i8; 4]) -> Vec<Part> {
    let find = |wanted: i8| (0..4u8).find(|i| sides[usize::from(*i)] == wanted);
    let first = find(side).unwrap_or(0);
    match find(0) {
        Some(on) => {
            let [i, z, k, l] = turned(first, on, 1);
            vec![(side, vec![[i, i], [z, z], [i, k], [i, l]]), (-side, vec![[i, k], [k, k], [l, l], [i, l], [z, z]])]
        }
        None => {
            let [i, j, k, l] = EVEN[usize::from(first)];
            vec![
                (side, vec![[i, i], [i, j], [i, k], [i, l]]),
                (-side, vec![[i, j], [i, k], [i, l], [j, j], [k, k], [l, l]]),
            ]
        }
    }
}

/// The even permutation that begins with `first` and has `other` at `place`.
fn turned(first: u8, other: u8, place: usize) -> [u8; 4] {
    let mut all = EVEN[usize::from(first)];
    while all[place] != other && all[1..].contains(&other) {
        all[1..].rotate_left(1);
    }
    all
}

/// Parts of an element of the same kind, when the plane cuts the edges between two opposite faces and no others.
pub fn alike(element: &Element, sides: &[i8]) -> Option<Vec<Part>> {
    match element.kind {
        ElementKind::Hex => HEX_FAMILIES.iter().find_map(|family| across(family, sides)),
        ElementKind::Wedge => across(&WEDGE_FAMILY, sides),
        ElementKind::Tet | ElementKind::Pyramid => None,
    }
}

fn across(edges: &[[u8; 2]], sides: &[i8]) -> Option<Vec<Part>> {
    let side = sides[usize::from(edges[0][0])];
    let cut = |[a, b]: &[u8; 2]| side != 0 && sides[usize::from(*a)] == side && sides[usize::from(*b)] == -side;
    if !edges.iter().all(cut) {
        return None;
    }
    let from = |row: fn(&[u8; 2]) -> Corner| edges.iter().map(row);
    let near = from(|e| [e[0], e[0]]).chain(from(|e| *e)).collect();
    let far = from(|e| *e).chain(from(|e| [e[1], e[1]])).collect();
    Some(vec![(side, near), (-side, far)])
}
