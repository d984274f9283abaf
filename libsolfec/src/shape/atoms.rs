//! From geometries to the atoms of contact: polyhedra, boundary elements as convex solids, balls
//! (geometry-and-contact.md 1.1, end of 1.4).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hull::hull_loops;
use super::loops::{area_vector, diameter, edges, middle, round_off};
use super::{Atom, BoundaryFace, Convex, Element, Geometry, Mesh, Solid, Topology, AREA_FLOOR};
use crate::math::{Mat3, Vec3};

impl Geometry {
    /// Atoms that take part in contact, in the order of object indices, in the geometry's own frame: the polyhedron, the
    /// boundary elements of a mesh, the ball.
    pub fn atoms(&self) -> Vec<Atom> {
        match self {
            Geometry::Convex(c) => vec![Atom::Solid(c.solid())],
            Geometry::Mesh(m) => m.solids().into_iter().map(Atom::Solid).collect(),
            Geometry::Sphere(s) => vec![Atom::Ball { center: s.center, radius: s.radius, surfid: s.surfid }],
        }
    }
}

impl Atom {
    /// This atom after the motion `X = rotation · x + shift`.
    pub fn placed(&self, rotation: &Mat3, shift: &Vec3) -> Atom {
        match self {
            Atom::Solid(s) => Atom::Solid(Solid {
                topology: Arc::clone(&s.topology),
                vertices: s.vertices.iter().map(|x| rotation * x + shift).collect(),
                normals: s.normals.iter().map(|n| rotation * n).collect(),
                mesh_nodes: s.mesh_nodes.clone(),
            }),
            Atom::Ball { center, radius, surfid } => {
                Atom::Ball { center: rotation * center + shift, radius: *radius, surfid: *surfid }
            }
        }
    }
}

impl Topology {
    /// From closed loops, skin faces first, one surface id for each skin face. At most 65535 loop entries.
    fn new(loops: &[Vec<u32>], surfid: &[i32]) -> Topology {
        let mut face_start = vec![0];
        let mut face_nodes = Vec::new();
        for nodes in loops {
            face_nodes.extend(nodes.iter().map(|&v| v as u16));
            face_start.push(face_nodes.len() as u16);
        }
        Topology {
            face_start,
            face_nodes,
            skin: surfid.len(),
            surfid: surfid.to_vec(),
            edges: edges(loops.iter().map(Vec::as_slice)),
        }
    }
}

fn normals(loops: &[Vec<u32>], x: &[Vec3]) -> Vec<Vec3> {
    let area = |nodes: &Vec<u32>| area_vector(nodes.iter().map(|&v| x[v as usize]));
    loops.iter().map(|nodes| area(nodes).normalize()).collect()
}

impl Convex {
    fn solid(&self) -> Solid {
        let loops: Vec<Vec<u32>> = self.faces.iter().map(|f| f.nodes.clone()).collect();
        let surfid: Vec<i32> = self.faces.iter().map(|f| f.surfid).collect();
        Solid {
            topology: Arc::new(Topology::new(&loops, &surfid)),
            normals: normals(&loops, &self.vertices),
            vertices: self.vertices.clone(),
            mesh_nodes: Vec::new(),
        }
    }
}

impl Mesh {
    fn solids(&self) -> Vec<Solid> {
        let mut topologies = BTreeMap::new();
        self.boundary
            .chunk_by(|a, b| a.element == b.element)
            .map(|skin| {
                let element = &self.elements[skin[0].element as usize];
                let vertices: Vec<Vec3> = element.nodes().iter().map(|&n| self.nodes[n as usize]).collect();
                let (loops, surfid) = skin_first(outline(element, &vertices), skin);
                let normals = normals(&loops, &vertices);
                let topology = topologies
                    .entry((loops, surfid))
                    .or_insert_with_key(|(loops, surfid)| Arc::new(Topology::new(loops, surfid)));
                Solid { topology: Arc::clone(topology), vertices, normals, mesh_nodes: element.nodes().to_vec() }
            })
            .collect()
    }
}

/// A planar piece of face `local` of an element, in local node numbers.
struct Patch {
    local: u8,
    nodes: Vec<u32>,
}

/// Loops and surface ids of an element whose faces in `skin` are on the boundary.
fn skin_first(patches: Vec<Patch>, skin: &[BoundaryFace]) -> (Vec<Vec<u32>>, Vec<i32>) {
    let surfid = |patch: &Patch| skin.iter().find(|face| face.local == patch.local).map(|face| face.surfid);
    let (outer, inner): (Vec<Patch>, Vec<Patch>) = patches.into_iter().partition(|p| surfid(p).is_some());
    let ids = outer.iter().filter_map(surfid).collect();
    (outer.into_iter().chain(inner).map(|patch| patch.nodes).collect(), ids)
}

/// A convex polyhedron that contains the nodes `x` of an element: its faces, warped ones folded outward; the hull of the
/// nodes if that is not convex.
fn outline(element: &Element, x: &[Vec3]) -> Vec<Patch> {
    let tolerance = round_off(x);
    let faces = element.kind.faces();
    let folded: Vec<Patch> = (0..faces.len()).flat_map(|f| fold(f as u8, faces[f], x, tolerance)).collect();
    if contains_nodes(&folded, x, tolerance) {
        return folded;
    }
    match hull_loops(x) {
        Ok(loops) => loops.into_iter().map(|nodes| Patch { local: nearest_face(faces, &nodes), nodes }).collect(),
        Err(_) => folded,
    }
}

/// A face as one plane, or as two triangles along the diagonal that makes a ridge.
fn fold(local: u8, face: &[u8], x: &[Vec3], tolerance: f64) -> Vec<Patch> {
    let patch = |which: &[usize]| Patch { local, nodes: which.iter().map(|&i| u32::from(face[i])).collect() };
    if face.len() == 3 {
        return vec![patch(&[0, 1, 2])];
    }
    let corners = || face.iter().map(|&i| x[i as usize]);
    let (normal, center) = (area_vector(corners()).normalize(), middle(corners()));
    if corners().all(|p| normal.dot(&(p - center)).abs() <= tolerance) {
        return vec![patch(&[0, 1, 2, 3])];
    }
    let at = |i: usize| x[face[i] as usize];
    let fourth = (at(1) - at(0)).cross(&(at(2) - at(0))).dot(&(at(3) - at(0)));
    match fourth < 0.0 {
        true => vec![patch(&[0, 1, 2]), patch(&[0, 2, 3])],
        false => vec![patch(&[0, 1, 3]), patch(&[1, 2, 3])],
    }
}

/// Whether all patches have an area and no node is above any of them.
fn contains_nodes(patches: &[Patch], x: &[Vec3], tolerance: f64) -> bool {
    let least_area = AREA_FLOOR * diameter(x).powi(2);
    patches.iter().all(|patch| {
        let corners = || patch.nodes.iter().map(|&i| x[i as usize]);
        let area = area_vector(corners());
        let (normal, center) = (area.normalize(), middle(corners()));
        area.norm() > least_area && x.iter().all(|p| normal.dot(&(p - center)) <= tolerance)
    })
}

/// The face of the table that has most nodes in common with `nodes`; the first of equals.
fn nearest_face(faces: &[&[u8]], nodes: &[u32]) -> u8 {
    let common = |f: &usize| faces[*f].iter().filter(|&&i| nodes.contains(&u32::from(i))).count();
    let best = (0..faces.len()).rev().max_by_key(common).unwrap_or(0);
    best as u8
}
