//! Convex parts of shapes that deform: the boundary elements of a mesh, and polyhedra, cut into tetrahedra, which stay
//! convex and have plane faces wherever their nodes go. An element is cut along the diagonals from its smallest node number, faces that
//! this node is not on along the diagonals from theirs, so that neighbours agree (Dompierre et al. 1999).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::loops::diameter;
use super::parts::normals;
use super::{
    BoundaryFace, Convex, ConvexPart, Element, ElementKind, Face, Geometry, Mesh, Solid, Topology, INNER_FACE,
    NO_ELEMENT, VOLUME_FLOOR,
};
use crate::math::Vec3;

impl Geometry {
    /// Convex parts of a deforming body, in the order of object indices: of a mesh, the tetrahedra of its boundary
    /// elements; of a polyhedron, tetrahedra with its vertices; round geometries give the parts that they give at rest.
    pub fn deforming_parts(&self) -> Vec<ConvexPart> {
        let solids = match self {
            Geometry::Mesh(mesh) => mesh.boundary_tetrahedra(),
            Geometry::Convex(convex) => convex.tetrahedra(),
            Geometry::Sphere(_) | Geometry::Ellipsoid(_) => return self.parts(),
        };
        solids.into_iter().map(ConvexPart::Solid).collect()
    }
}

impl Element {
    /// The tetrahedra of the element as local node numbers, of positive volume if the element has plane faces.
    pub fn tetrahedra(&self) -> Vec<[u8; 4]> {
        let number = |local: u8| self.nodes[local as usize];
        let apex = (0..self.kind.count() as u8).min_by_key(|&local| number(local)).unwrap_or(0);
        let opposite = self.kind.faces().iter().filter(|face| !face.contains(&apex));
        let mut cut = Vec::new();
        for face in opposite {
            let first = (0..face.len()).min_by_key(|&i| number(face[i])).unwrap_or(0);
            let corner = |k: usize| face[(first + k) % face.len()];
            cut.extend((2..face.len()).map(|k| [apex, corner(0), corner(k - 1), corner(k)]));
        }
        cut
    }
}

impl Mesh {
    fn boundary_tetrahedra(&self) -> Vec<Solid> {
        let mut topologies = BTreeMap::new();
        let mut solids = Vec::new();
        for skin in self.boundary.chunk_by(|a, b| a.element == b.element) {
            let element = &self.elements[skin[0].element as usize];
            for corners in element.tetrahedra() {
                let mesh_nodes = corners.map(|local| element.nodes[local as usize]);
                let vertices: Vec<Vec3> = mesh_nodes.iter().map(|&n| self.nodes[n as usize]).collect();
                let (loops, surfid) = skin_first(|face| on_skin(element.kind, face.map(|i| corners[i as usize]), skin));
                let normals = normals(&loops, &vertices);
                let outer = surfid.len();
                let ids = if surfid.is_empty() { vec![skin[0].surfid] } else { surfid };
                let topology = topologies
                    .entry((loops, outer, ids))
                    .or_insert_with_key(|(loops, outer, ids)| Arc::new(Topology::new(loops, *outer, ids)));
                let topology = Arc::clone(topology);
                solids.push(Solid {
                    topology,
                    vertices,
                    normals,
                    mesh_nodes: mesh_nodes.into(),
                    element: skin[0].element,
                });
            }
        }
        solids
    }
}

impl Convex {
    /// Tetrahedra from the first vertex of the first face to the triangles of the faces that it is not on.
    fn tetrahedra(&self) -> Vec<Solid> {
        let place = |&node: &u32| self.vertices[node as usize];
        let apex = self.faces[0].nodes[0];
        let least = VOLUME_FLOOR * diameter(&self.vertices).powi(3);
        let mut solids = Vec::new();
        for face in self.faces.iter().filter(|face| !face.nodes.contains(&apex)) {
            for k in 2..face.nodes.len() {
                let corners = [apex, face.nodes[0], face.nodes[k - 1], face.nodes[k]];
                let vertices: Vec<Vec3> = corners.iter().map(place).collect();
                let [a, b, c] = [1, 2, 3].map(|i| vertices[i] - vertices[0]);
                if a.cross(&b).dot(&c) <= least {
                    continue;
                }
                let on = |of: &&Face, side: &[u8; 3]| side.iter().all(|&i| of.nodes.contains(&corners[i as usize]));
                let surfid = |side: [u8; 3]| self.faces.iter().find(|of| on(of, &side)).map(|of| of.surfid);
                let (loops, ids) = skin_first(|side| surfid(side).filter(|&id| id != INNER_FACE));
                let outer = ids.len();
                let ids = if ids.is_empty() { vec![face.surfid] } else { ids };
                solids.push(Solid {
                    topology: Arc::new(Topology::new(&loops, outer, &ids)),
                    normals: normals(&loops, &vertices),
                    vertices,
                    mesh_nodes: Vec::new(),
                    element: NO_ELEMENT,
                });
            }
        }
        solids
    }
}

/// The surface id of the boundary face of an element on which these local nodes are.
fn on_skin(kind: ElementKind, nodes: [u8; 3], skin: &[BoundaryFace]) -> Option<i32> {
    let on = |of: &&BoundaryFace| nodes.iter().all(|node| kind.faces()[of.local as usize].contains(node));
    skin.iter().find(on).map(|of| of.surfid)
}

/// Faces of a tetrahedron, those on the boundary first, and the surface ids of these.
fn skin_first(surfid: impl Fn([u8; 3]) -> Option<i32>) -> (Vec<Vec<u32>>, Vec<i32>) {
    let (mut outer, mut inner, mut ids) = (Vec::new(), Vec::new(), Vec::new());
    for face in ElementKind::Tet.faces() {
        let nodes = face.iter().map(|&i| u32::from(i)).collect();
        match surfid([face[0], face[1], face[2]]) {
            Some(id) => {
                outer.push(nodes);
                ids.push(id);
            }
            None => inner.push(nodes),
        }
    }
    outer.append(&mut inner);
    (outer, ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [ElementKind; 4] = [ElementKind::Tet, ElementKind::Pyramid, ElementKind::Wedge, ElementKind::Hex];

    /// Deterministic numbers in [0, 1).
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut s = seed.wrapping_mul(2862933555777941757).wrapping_add(3037000493);
        move || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    fn corners(kind: ElementKind) -> Vec<Vec3> {
        let rows: &[[f64; 3]] = match kind {
            ElementKind::Tet => &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]],
            ElementKind::Pyramid => &[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]],
            ElementKind::Wedge => &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0., 1., 1.]],
            ElementKind::Hex => &[
                [0., 0., 0.],
                [1., 0., 0.],
                [1., 1., 0.],
                [0., 1., 0.],
                [0., 0., 1.],
                [1., 0., 1.],
                [1., 1., 1.],
                [0., 1., 1.],
            ],
        };
        rows.iter().map(|&x| Vec3::from(x)).collect()
    }

    /// An element whose nodes have numbers in a random order.
    fn shuffled(kind: ElementKind, next: &mut impl FnMut() -> f64) -> Element {
        let mut keys: Vec<(u64, u32)> = (0..kind.count() as u32).map(|n| ((next() * 1e9) as u64, n)).collect();
        keys.sort_unstable();
        let nodes: Vec<u32> = keys.iter().map(|key| key.1).collect();
        Element::new(&nodes, 0).unwrap()
    }

    fn volume(x: [Vec3; 4]) -> f64 {
        (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0
    }

    /// Places of the nodes of an element by their numbers.
    fn placed(element: &Element, corners: &[Vec3]) -> Vec<Vec3> {
        let mut nodes = vec![Vec3::zeros(); corners.len()];
        element.nodes().iter().zip(corners).for_each(|(&n, x)| nodes[n as usize] = *x);
        nodes
    }

    #[test]
    fn tetrahedra_of_elements_with_plane_faces_add_up_to_the_volume() {
        let mut next = numbers(1);
        for kind in KINDS {
            for _ in 0..50 {
                let f = crate::math::Mat3::from_fn(|i, j| f64::from(i == j) + 0.5 * next());
                let x: Vec<Vec3> = corners(kind).iter().map(|c| f * c).collect();
                let element = shuffled(kind, &mut next);
                let nodes = placed(&element, &x);
                let parts: Vec<f64> = element
                    .tetrahedra()
                    .iter()
                    .map(|t| volume(t.map(|local| nodes[element.nodes[local as usize] as usize])))
                    .collect();
                assert!(parts.iter().all(|v| v * f.determinant() > 0.0), "{kind:?} {parts:?}");
                let sum: f64 = parts.iter().sum();
                assert!((sum - element.volume(&nodes)).abs() < 1e-14 * (1.0 + sum.abs()), "{kind:?}");
            }
        }
    }

    /// Faces of the tetrahedra that are not shared by two of them are triangles of the element's faces, cut from the
    /// smallest node of each.
    #[test]
    fn neighbours_cut_a_common_face_alike() {
        let mut next = numbers(2);
        for kind in KINDS {
            for _ in 0..50 {
                let element = shuffled(kind, &mut next);
                let number = |local: u8| element.nodes[local as usize];
                let mut triangles: Vec<[u32; 3]> = Vec::new();
                for t in element.tetrahedra() {
                    for face in ElementKind::Tet.faces() {
                        let mut triangle = [0, 1, 2].map(|k| number(t[face[k] as usize]));
                        triangle.sort_unstable();
                        triangles.push(triangle);
                    }
                }
                triangles.sort_unstable();
                let outer: Vec<[u32; 3]> =
                    triangles.chunk_by(|a, b| a == b).filter(|run| run.len() == 1).map(|run| run[0]).collect();
                let mut expected = Vec::new();
                for face in kind.faces() {
                    let around: Vec<u32> = face.iter().map(|&local| number(local)).collect();
                    let first = (0..around.len()).min_by_key(|&i| around[i]).unwrap();
                    for k in 2..around.len() {
                        let at = |i: usize| around[(first + i) % around.len()];
                        let mut triangle = [at(0), at(k - 1), at(k)];
                        triangle.sort_unstable();
                        expected.push(triangle);
                    }
                }
                expected.sort_unstable();
                assert_eq!(outer, expected, "{kind:?}");
            }
        }
    }

    /// A hexahedron with warped faces becomes the body between the triangles of its faces: the volume of its tetrahedra
    /// is that of the closed surface of triangles.
    #[test]
    fn a_warped_hexahedron_becomes_a_piecewise_linear_body() {
        let mut next = numbers(3);
        for _ in 0..50 {
            let x: Vec<Vec3> =
                corners(ElementKind::Hex).iter().map(|c| c + Vec3::from_fn(|_, _| 0.2 * (next() - 0.5))).collect();
            let element = shuffled(ElementKind::Hex, &mut next);
            let nodes = placed(&element, &x);
            let at = |local: u8| nodes[element.nodes[local as usize] as usize];
            let sum: f64 = element.tetrahedra().iter().map(|t| volume(t.map(at))).sum();
            let mut surface = 0.0;
            for face in ElementKind::Hex.faces() {
                let first = (0..4).min_by_key(|&i| element.nodes[face[i] as usize]).unwrap();
                let corner = |k: usize| at(face[(first + k) % 4]);
                for k in [2, 3] {
                    surface += corner(0).dot(&corner(k - 1).cross(&corner(k))) / 6.0;
                }
            }
            assert!((sum - surface).abs() < 1e-13, "{sum} {surface}");
        }
    }

    #[test]
    fn parts_keep_element_nodes_and_surface_ids() {
        let x: [Vec3; 8] = corners(ElementKind::Hex).try_into().unwrap();
        let mesh = Mesh::hex(&x, [2, 1, 1], 0, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap();
        let parts = Geometry::from(mesh.clone()).deforming_parts();
        assert_eq!(parts.len(), 12);
        let mut areas: BTreeMap<i32, f64> = BTreeMap::new();
        for part in &parts {
            let ConvexPart::Solid(solid) = part else { panic!("a solid") };
            assert!(solid.mesh_nodes.iter().all(|n| mesh.elements[solid.element as usize].nodes().contains(n)));
            for f in 0..solid.topology.skin {
                let [a, b, c] = [0, 1, 2].map(|k| solid.vertices[solid.topology.face(f)[k] as usize]);
                *areas.entry(solid.topology.surfid[f]).or_default() += 0.5 * (b - a).cross(&(c - a)).norm();
            }
        }
        for id in 1..=6 {
            assert!((areas[&id] - 1.0).abs() < 1e-14, "surface {id}");
        }
    }
}
