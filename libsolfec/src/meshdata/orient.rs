//! Polygons of a surface turned so that all are seen from outside.

use std::collections::HashMap;

use super::measure::triangles;
use crate::math::Vec3;
use crate::shape::{Integrals, RawMesh};

/// Turns polygons of a surface so that neighbours across edges of two polygons agree, and every connected piece that
/// encloses a volume is seen from outside. Returns how many were turned. Surfaces where no choice agrees, such as a
/// Möbius strip, keep faults.
pub fn orient(mesh: &mut RawMesh) -> usize {
    let mut sides: HashMap<[u32; 2], Vec<(usize, bool)>> = HashMap::new();
    for (f, (nodes, _)) in mesh.faces.iter().enumerate() {
        for (i, &a) in nodes.iter().enumerate() {
            let b = nodes[(i + 1) % nodes.len()];
            sides.entry([a.min(b), a.max(b)]).or_default().push((f, a < b));
        }
    }
    // Across an edge of two polygons: the neighbour, and whether it runs along the edge in the same direction.
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); mesh.faces.len()];
    for pair in sides.values().filter(|pair| pair.len() == 2) {
        let (a, b) = (pair[0], pair[1]);
        neighbours[a.0].push((b.0, a.1 == b.1));
        neighbours[b.0].push((a.0, a.1 == b.1));
    }
    let mut turn: Vec<Option<bool>> = vec![None; mesh.faces.len()];
    for seed in 0..mesh.faces.len() {
        if turn[seed].is_some() {
            continue;
        }
        turn[seed] = Some(false);
        let mut piece = vec![seed];
        let mut at = 0;
        while let Some(&face) = piece.get(at) {
            let turned = turn[face] == Some(true);
            for &(next, same) in &neighbours[face] {
                if turn[next].is_none() {
                    turn[next] = Some(turned != same);
                    piece.push(next);
                }
            }
            at += 1;
        }
        if volume(mesh, &piece, &turn) < 0.0 {
            piece.iter().for_each(|&face| turn[face] = turn[face].map(|turned| !turned));
        }
    }
    for (face, _) in mesh.faces.iter_mut().zip(&turn).filter(|(_, turn)| **turn == Some(true)) {
        face.0.reverse();
    }
    turn.iter().filter(|turn| **turn == Some(true)).count()
}

/// Signed volume of polygons as they are turned.
fn volume(mesh: &RawMesh, piece: &[usize], turn: &[Option<bool>]) -> f64 {
    let corner = |n: u32| mesh.nodes.get(n as usize);
    let of_face = |&face: &usize| {
        let turned = turn[face] == Some(true);
        triangles(&mesh.faces[face].0).filter_map(move |[a, b, c]| {
            let [a, b, c] = [corner(a)?, corner(b)?, corner(c)?];
            Some(if turned { [a, c, b] } else { [a, b, c] })
        })
    };
    let all: Vec<[&Vec3; 3]> = piece.iter().flat_map(of_face).collect();
    Integrals::enclosed(all.into_iter()).volume
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshdata::{faults, seen_faces};
    use crate::shape::Mesh;

    #[test]
    fn turned_polygons_are_turned_back() {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let block = RawMesh::from(&Mesh::hex(&corners, [1, 1, 1], 4, &[1; 6], [None; 3]).unwrap());
        let mut surface = RawMesh { faces: seen_faces(&block), nodes: block.nodes, ..RawMesh::default() };
        for chosen in [vec![0], vec![1, 4], vec![0, 1, 2, 3, 4, 5]] {
            chosen.iter().for_each(|&face: &usize| surface.faces[face].0.reverse());
            assert_eq!(orient(&mut surface), chosen.len());
            assert_eq!(faults(&surface), []);
        }
    }
}
