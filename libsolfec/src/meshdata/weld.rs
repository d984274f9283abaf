//! Points that are the same point: each goes to the first one within a tolerance, found in a grid of cells.

use std::collections::HashMap;

use crate::math::Vec3;
use crate::shape::{RawElement, RawMesh};

/// Edge of a cell in multiples of the tolerance: few points have neighbours in another cell.
const CELL: f64 = 16.0;

/// The distinct points, in the order of their first occurrence, and the number among them of each point. Points closer
/// than `tolerance` [m] to an earlier distinct point are that point; with tolerance 0 equal ones are. Coordinates are
/// finite.
pub fn welded_points(points: &[Vec3], tolerance: f64) -> (Vec<Vec3>, Vec<u32>) {
    let cell = if tolerance > 0.0 { CELL * tolerance } else { 0.0 };
    let mut grid: HashMap<[i64; 3], Vec<u32>> = HashMap::with_capacity(points.len() / 2);
    let mut distinct: Vec<Vec3> = Vec::new();
    let mut numbers = Vec::with_capacity(points.len());
    for x in points {
        let found = cells_around(x, tolerance, cell).find_map(|key| {
            let close = |&&k: &&u32| (distinct[k as usize] - x).norm() <= tolerance;
            grid.get(&key).and_then(|list| list.iter().find(close)).copied()
        });
        numbers.push(found.unwrap_or_else(|| {
            let number = distinct.len() as u32;
            distinct.push(*x);
            grid.entry(cell_of(x, cell)).or_default().push(number);
            number
        }));
    }
    (distinct, numbers)
}

fn cell_of(x: &Vec3, cell: f64) -> [i64; 3] {
    let number = |x: f64| if cell > 0.0 { (x / cell).floor() as i64 } else { (x + 0.0).to_bits() as i64 };
    [number(x.x), number(x.y), number(x.z)]
}

/// Cells that a point within the tolerance may lie in, each once.
fn cells_around(x: &Vec3, tolerance: f64, cell: f64) -> impl Iterator<Item = [i64; 3]> {
    let arm = Vec3::repeat(tolerance);
    let (low, high) = (cell_of(&(x - arm), cell), cell_of(&(x + arm), cell));
    let pair = move |i: usize| std::iter::once(low[i]).chain((high[i] != low[i]).then_some(high[i]));
    pair(0).flat_map(move |a| pair(1).flat_map(move |b| pair(2).map(move |c| [a, b, c])))
}

/// Merges nodes of a mesh that are closer than `tolerance` [m]; elements and faces follow, and faces of elements that
/// now meet are faces no more.
pub fn weld(mesh: &mut RawMesh, tolerance: f64) -> Welded {
    let (nodes, numbers) = welded_points(&mesh.nodes, tolerance);
    let gone = mesh.nodes.len() - nodes.len();
    mesh.nodes = nodes;
    let inner = if mesh.elements.is_empty() { vec![false; mesh.faces.len()] } else { inner_faces(mesh, &numbers) };
    let mut left = 0..;
    let faces: Vec<Option<u32>> = inner.iter().map(|inner| if *inner { None } else { left.next() }).collect();
    let mut stays = inner.iter().map(|inner| !inner);
    mesh.faces.retain(|_| stays.next() == Some(true));
    renumber(mesh, &numbers);
    Welded { gone, nodes: numbers, faces }
}

/// What became of the nodes and faces of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Welded {
    /// How many nodes went.
    pub gone: usize,
    /// The new number of each node.
    pub nodes: Vec<u32>,
    /// The new row of each face; none of those that are inside now.
    pub faces: Vec<Option<u32>>,
}

/// Faces of different nodes that get the same ones.
fn inner_faces(mesh: &RawMesh, numbers: &[u32]) -> Vec<bool> {
    let sorted = |mut nodes: Vec<u32>| {
        nodes.sort_unstable();
        nodes
    };
    let welded = |nodes: &[u32]| sorted(nodes.iter().map(|&n| numbers.get(n as usize).copied().unwrap_or(n)).collect());
    // The nodes of the first face, and whether there is another one.
    let mut met: HashMap<Vec<u32>, (Vec<u32>, bool)> = HashMap::with_capacity(mesh.faces.len());
    for (nodes, _) in &mesh.faces {
        let old = sorted(nodes.clone());
        let first = met.entry(welded(nodes)).or_insert_with(|| (old.clone(), false));
        first.1 |= first.0 != old;
    }
    mesh.faces.iter().map(|(nodes, _)| met.get(&welded(nodes)).is_some_and(|first| first.1)).collect()
}

/// Gives node `n` the number `numbers[n]` in elements and faces; numbers out of range stay.
pub(super) fn renumber(mesh: &mut RawMesh, numbers: &[u32]) {
    let new = |n: u32| numbers.get(n as usize).copied().unwrap_or(n);
    for element in &mut mesh.elements {
        let nodes: Vec<u32> = element.nodes().iter().map(|&n| new(n)).collect();
        if let Ok(renumbered) = RawElement::new(&nodes, element.volid) {
            *element = renumbered;
        }
    }
    mesh.faces.iter_mut().flat_map(|(nodes, _)| nodes).for_each(|n| *n = new(*n));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_points_become_the_first_of_them() {
        let points = [0.0, 1.0, 1e-9, 1.0 + 1e-9, -1e-9, 2.0].map(|x| Vec3::new(x, x, x));
        let (distinct, numbers) = welded_points(&points, 1e-6);
        assert_eq!(numbers, [0, 1, 0, 1, 0, 2]);
        assert_eq!(distinct[1], points[1]);
    }

    #[test]
    fn without_tolerance_only_equal_points_are_the_same() {
        let points = [0.0, -0.0, 1.0, 1.0 + f64::EPSILON].map(|x| Vec3::new(x, 0.0, 0.0));
        assert_eq!(welded_points(&points, 0.0).1, [0, 0, 1, 2]);
    }
}
