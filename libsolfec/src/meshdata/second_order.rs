//! Straight tetrahedra of second order as groups of eight of first order: the ten nodes of a tetrahedron are its
//! corners and the middles of its edges, and each of its faces is four triangles. Geometry, contact and display work
//! with the eight; finite elements take them together.

use std::collections::BTreeMap;

use crate::math::Vec3;
use crate::shape::{BoundaryFace, Element, ElementKind, Mesh};
use crate::{Error, Result};

/// Tetrahedra of first order in one of second order.
pub const PARTS: usize = 8;
/// Nodes of a tetrahedron of second order: corners 0 to 3, then the middles of [`EDGES`].
pub const NODES: usize = 10;
/// Corners of each edge.
pub const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];

/// Places in an element of the six nodes of its faces, that opposite to each corner.
pub const OF_FACES: [[usize; 6]; 4] = [[1, 2, 3, 5, 8, 9], [0, 2, 3, 6, 7, 9], [0, 1, 3, 4, 7, 8], [0, 1, 2, 4, 5, 6]];

/// Nodes of the parts: one at each corner, then four around the diagonal from the middle of edge 1-2 to that of 0-3.
const OF_PARTS: [[usize; 4]; PARTS] =
    [[0, 4, 6, 7], [4, 1, 5, 8], [6, 5, 2, 9], [7, 8, 9, 3], [5, 7, 6, 4], [5, 7, 9, 6], [5, 7, 8, 9], [5, 7, 4, 8]];

/// A middle is on its edge if it is not farther from it than this, as a part of the length of the edge.
const STRAIGHT: f64 = 1e-9;

/// A mesh of tetrahedra with the middles of all edges as nodes behind its own: each of its tetrahedra becomes
/// [`PARTS`] in a row, each face four with its surface id.
///
/// # Errors
/// Elements of other kinds; an element that [`Mesh::new`] refuses.
pub fn second_order(mesh: &Mesh) -> Result<Mesh> {
    if let Some(e) = mesh.elements.iter().position(|element| element.kind != ElementKind::Tet) {
        let kind = mesh.elements[e].kind.name();
        let text = format!("element {e} is a {kind}, but order 2 is for meshes of tetrahedra; leave it 1, or split it");
        return Err(Error::input(text));
    }
    let mut nodes = mesh.nodes.clone();
    let mut middles = BTreeMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
            nodes.push((mesh.nodes[a as usize] + mesh.nodes[b as usize]) * 0.5);
            nodes.len() as u32 - 1
        })
    };
    let mut elements = Vec::with_capacity(PARTS * mesh.elements.len());
    for element in &mesh.elements {
        let corners = &element.nodes;
        let of_edges = EDGES.map(|[a, b]| middle(corners[a], corners[b]));
        let all: [u32; NODES] = std::array::from_fn(|k| if k < 4 { corners[k] } else { of_edges[k - 4] });
        for part in OF_PARTS {
            elements.push(Element::new(&part.map(|k| all[k]), element.volid)?);
        }
    }
    let mut faces = Vec::with_capacity(4 * mesh.boundary.len());
    for face @ BoundaryFace { surfid, .. } in &mesh.boundary {
        let corners: Vec<u32> = mesh.elements[face.element as usize].face(face.local as usize).collect();
        let [a, b, c] = [corners[0], corners[1], corners[2]];
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        for part in [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]] {
            faces.push((part.to_vec(), *surfid));
        }
    }
    Mesh::new(nodes, elements, 0, &faces).map(|(mesh, _)| mesh)
}

/// The ten nodes of each tetrahedron of second order of a mesh that [`second_order`] has made.
///
/// # Errors
/// The elements are not such groups, or a middle is not on its edge.
pub fn groups(mesh: &Mesh) -> Result<Vec<[u32; NODES]>> {
    if !mesh.elements.len().is_multiple_of(PARTS) {
        return Err(not_groups(mesh.elements.len() / PARTS));
    }
    mesh.elements.chunks_exact(PARTS).enumerate().map(|(k, parts)| group(mesh, k, parts)).collect()
}

/// The ten nodes of group `k` of such a mesh; `None` if there is no such group.
pub fn group_of(mesh: &Mesh, k: usize) -> Option<[u32; NODES]> {
    let parts = mesh.elements.get(k * PARTS..(k + 1) * PARTS)?;
    let mut all = [0; NODES];
    for (of, part) in OF_PARTS.iter().zip(parts) {
        of.iter().zip(part.nodes()).for_each(|(place, node)| all[*place] = *node);
    }
    Some(all)
}

fn group(mesh: &Mesh, k: usize, parts: &[Element]) -> Result<[u32; NODES]> {
    let mut all = [u32::MAX; NODES];
    for (of, part) in OF_PARTS.iter().zip(parts) {
        for (place, node) in of.iter().zip(part.nodes()) {
            if part.kind != ElementKind::Tet || (all[*place] != u32::MAX && all[*place] != *node) {
                return Err(not_groups(k));
            }
            all[*place] = *node;
        }
    }
    let x = |place: usize| mesh.nodes[all[place] as usize];
    for (place, [a, b]) in (4..).zip(EDGES) {
        let off = (x(place) - (x(a) + x(b)) * 0.5).norm();
        if off > STRAIGHT * (x(a) - x(b)).norm() {
            return Err(Error::input(format!(
                "node {} is {off:e} m beside the middle of its edge: tetrahedra of second order are straight; bend and \
                 move the mesh before the body is made of it",
                all[place]
            )));
        }
    }
    Ok(all)
}

fn not_groups(k: usize) -> Error {
    Error::input(format!("elements from {} on are not the eight parts of a tetrahedron of second order", k * PARTS))
}

/// Barycentric coordinates with respect to the corners of a group of a point with natural coordinates in one of its
/// parts.
pub fn in_group(part: usize, natural: &Vec3) -> [f64; 4] {
    let weights = ElementKind::Tet.shape_functions(natural);
    let mut found = [0.0; 4];
    for (weight, &place) in weights.iter().zip(&OF_PARTS[part]) {
        found.iter_mut().zip(barycentric(place)).for_each(|(found, l)| *found += l * weight);
    }
    found
}

/// Barycentric coordinates of a node of an element.
pub fn barycentric(place: usize) -> [f64; 4] {
    std::array::from_fn(|corner| match place.checked_sub(4) {
        None => f64::from(u8::from(corner == place)),
        Some(edge) => 0.5 * f64::from(u8::from(EDGES[edge].contains(&corner))),
    })
}

/// Values of the ten shape functions at barycentric coordinates: `L (2 L − 1)` of corners, `4 Lₐ L_b` of edges.
pub fn shape_functions(l: &[f64; 4]) -> [f64; NODES] {
    std::array::from_fn(|k| match k.checked_sub(4) {
        None => l[k] * (2.0 * l[k] - 1.0),
        Some(edge) => 4.0 * l[EDGES[edge][0]] * l[EDGES[edge][1]],
    })
}

/// Their gradients, given those of the barycentric coordinates [1/m].
pub fn shape_gradients(l: &[f64; 4], of_corners: &[Vec3; 4]) -> [Vec3; NODES] {
    std::array::from_fn(|k| match k.checked_sub(4) {
        None => of_corners[k] * (4.0 * l[k] - 1.0),
        Some(edge) => {
            let [a, b] = EDGES[edge];
            (of_corners[a] * l[b] + of_corners[b] * l[a]) * 4.0
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron of volume 1/6 with surface ids of its faces.
    fn one() -> Mesh {
        let nodes = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let faces = [([0, 2, 1], 5), ([0, 1, 3], 6), ([1, 2, 3], 7), ([2, 0, 3], 8)];
        let faces: Vec<(Vec<u32>, i32)> = faces.map(|(nodes, id)| (nodes.to_vec(), id)).to_vec();
        Mesh::new(nodes, vec![Element::new(&[0, 1, 2, 3], 3).unwrap()], 0, &faces).unwrap().0
    }

    #[test]
    fn eight_parts_fill_a_tetrahedron() {
        let fine = second_order(&one()).unwrap();
        assert_eq!((fine.nodes.len(), fine.elements.len(), fine.boundary.len()), (10, 8, 16));
        let volume = fine.integrals().volume;
        assert!((volume - 1.0 / 6.0).abs() < 1e-15, "{volume}");
        for id in 5..9 {
            assert_eq!(fine.boundary.iter().filter(|face| face.surfid == id).count(), 4);
        }
        assert!(fine.elements.iter().all(|element| element.volid == 3));
        assert_eq!(groups(&fine).unwrap(), [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    }

    #[test]
    fn points_of_parts_are_found_in_the_whole() {
        let fine = second_order(&one()).unwrap();
        let natural = Vec3::new(0.2, 0.3, 0.4);
        for (part, element) in fine.elements.iter().enumerate() {
            let weights = ElementKind::Tet.shape_functions(&natural);
            let x: Vec3 = element.nodes().iter().zip(weights).map(|(n, w)| fine.nodes[*n as usize] * w).sum();
            let l = in_group(part, &natural);
            let known = [1.0 - x.x - x.y - x.z, x.x, x.y, x.z];
            assert!(l.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-15), "{l:?}, not {known:?}");
            assert!((shape_functions(&l).iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn what_is_no_group_is_refused() {
        let fine = second_order(&one()).unwrap();
        let mut swapped = fine.clone();
        swapped.elements.swap(0, 1);
        assert!(groups(&swapped).is_err());
        let mut curved = fine.clone();
        curved.nodes[7].x += 1e-3;
        assert!(groups(&curved).is_err_and(|e| e.to_string().contains("node 7 is 1e-3 m beside the middle")));
        assert!(groups(&one()).is_err());
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let hex = Mesh::hex(&corners, [1; 3], 1, &[1; 6], [None; 3]).unwrap();
        assert!(second_order(&hex).is_err_and(|e| e.to_string().contains("element 0 is a hexahedron")));
    }
}
