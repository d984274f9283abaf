//! What is wrong with a mesh or a surface.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::edit::in_range;
use super::measure::{area, surface_integrals};
use super::outside::{face_key, face_table, outer_faces, FaceKey};
use super::quality::scaled_jacobian;
use crate::math::Vec3;
use crate::shape::{Element, Integrals, RawElement, RawMesh};
use crate::{Error, Result};

/// Volumes under this multiple of the cube of the longest edge are flat, areas likewise of its square.
const FLAT: f64 = 1e-14;
/// A scaled Jacobian under this is inverted; above it, round-off.
const INVERTED: f64 = -1e-12;

/// Rows of one kind that have the same fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A short stable name: `inverted`, `duplicate`.
    pub name: &'static str,
    /// What is listed, with the fault: "elements that are inverted at a corner or as a whole".
    pub text: &'static str,
    /// Elements, nodes, faces, or the first node of edges, ascending.
    pub rows: Vec<u32>,
}

/// Faults with which a surface has no inside.
const UNSOUND: [&str; 6] = ["open", "non-manifold", "orientation", "inside-out", "missing-node", "not-finite"];

/// Integrals over what a surface encloses.
///
/// # Errors
/// A mesh of elements; a surface that is not closed, or not seen from outside.
pub fn sound_surface(surface: &RawMesh) -> Result<Integrals> {
    if !surface.elements.is_empty() {
        return Err(Error::input("is a mesh of elements; take its boundary as a surface"));
    }
    if let Some(fault) = faults(surface).into_iter().find(|fault| UNSOUND.contains(&fault.name)) {
        return Err(Error::input(format!("the surface is not sound: {} {}", fault.rows.len(), fault.text)));
    }
    surface_integrals(surface).ok_or_else(|| Error::input("the surface encloses no volume"))
}

/// All faults of a mesh, or of a surface if there are no elements; empty: none.
pub fn faults(mesh: &RawMesh) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    let mut say = |name, text, mut rows: Vec<u32>| {
        rows.sort_unstable();
        rows.dedup();
        if !rows.is_empty() {
            found.push(Fault { name, text, rows });
        }
    };
    let nodes = &mesh.nodes;
    say("not-finite", "nodes with a coordinate that is not finite", rows(nodes, |x| x.iter().any(|x| !x.is_finite())));
    let polygons = &mesh.faces;
    say(
        "unknown",
        "elements with another number of nodes than 4, 5, 6 or 8",
        rows(&mesh.elements, |e| face_table(e).is_empty()),
    );
    say(
        "missing-node",
        "elements that name a node that is not there",
        rows(&mesh.elements, |e| !in_range(e, nodes.len())),
    );
    let missing = |face: &(Vec<u32>, i32)| face.0.len() < 3 || face.0.iter().any(|&n| n as usize >= nodes.len());
    say("missing-node", "faces with fewer than three nodes, or one that is not there", rows(polygons, missing));
    say("repeated-node", "elements that name a node twice", rows(&mesh.elements, |e| repeats(e.nodes())));
    say("repeated-node", "faces that name a node twice", rows(polygons, |face| repeats(&face.0)));
    let sound = |e: &&RawElement| !repeats(e.nodes()) && in_range(e, nodes.len());
    let shape = |e: &RawElement| if sound(&e) { shape_of(e, nodes) } else { Shape::Good };
    say(
        "inverted",
        "elements that are inverted, as a whole or at a corner",
        rows(&mesh.elements, |e| shape(e) == Shape::Inverted),
    );
    say("flat", "elements without volume", rows(&mesh.elements, |e| shape(e) == Shape::Flat));
    say(
        "duplicate",
        "elements with the same nodes as another",
        duplicates(mesh.elements.iter().map(RawElement::nodes)),
    );
    say("duplicate", "faces with the same nodes as another", duplicates(polygons.iter().map(|face| &face.0[..])));
    say("flat", "faces without area", rows(polygons, |face| !missing(face) && flat(&face.0, nodes)));
    say("dangling", "nodes of no element and no face", unused(mesh));
    if mesh.elements.is_empty() {
        let [open, many, against] = edges(polygons.iter().map(|face| &face.0[..]));
        say("open", "nodes at edges of one face only: the surface is not closed", open.clone());
        say("non-manifold", "nodes at edges of more than two faces", many.clone());
        say("orientation", "nodes at edges whose two faces do not agree which side is outside", against.clone());
        if open.is_empty() && many.is_empty() && against.is_empty() {
            let inside_out = surface_integrals(mesh).is_some_and(|integrals| integrals.volume < 0.0);
            say("inside-out", "face from which on all are seen from inside", if inside_out { vec![0] } else { vec![] });
        }
    } else {
        let outer = outer_faces(mesh);
        say("non-manifold", "elements with a face that two others have too", crowded(&mesh.elements));
        let [_, many, _] = edges(outer.iter().map(|face| &face.nodes[..]));
        say("non-manifold", "nodes at boundary edges of more than two boundary faces", many);
        say("mismatch", "nodes of quadrilateral boundary faces that meet triangular ones", mismatched(&outer));
        let boundary: HashSet<FaceKey> = outer.iter().filter_map(|face| face_key(&face.nodes)).collect();
        let off = |face: &(Vec<u32>, i32)| !face_key(&face.0).is_some_and(|key| boundary.contains(&key));
        say("dangling", "faces with surface ids that are not on the boundary", rows(polygons, off));
    }
    found
}

fn rows<T>(all: &[T], bad: impl Fn(&T) -> bool) -> Vec<u32> {
    (0..).zip(all).filter(|(_, item)| bad(item)).map(|(row, _)| row).collect()
}

fn repeats(nodes: &[u32]) -> bool {
    nodes.iter().enumerate().any(|(i, n)| nodes[..i].contains(n))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Good,
    Flat,
    Inverted,
}

fn shape_of(element: &RawElement, nodes: &[Vec3]) -> Shape {
    let Ok(first_order) = Element::new(element.nodes(), 0) else { return Shape::Good };
    let volume = first_order.volume(nodes);
    let x = |n: &u32| nodes[*n as usize];
    let size = element.nodes().iter().map(|n| (x(n) - x(&element.nodes()[0])).norm()).fold(0.0, f64::max);
    if volume.abs() <= FLAT * size.powi(3) {
        Shape::Flat
    } else if volume < 0.0 || scaled_jacobian(element, nodes).is_some_and(|quality| quality < INVERTED) {
        Shape::Inverted
    } else {
        Shape::Good
    }
}

fn flat(face: &[u32], nodes: &[Vec3]) -> bool {
    let x = |n: &u32| nodes[*n as usize];
    let size = face.iter().map(|n| (x(n) - x(&face[0])).norm()).fold(0.0, f64::max);
    area(face, nodes) <= FLAT * size * size
}

fn duplicates<'a>(all: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
    let mut sets: Vec<(Vec<u32>, u32)> = all.map(<[u32]>::to_vec).zip(0..).collect();
    sets.iter_mut().for_each(|(nodes, _)| nodes.sort_unstable());
    sets.sort_unstable();
    sets.chunk_by(|a, b| a.0 == b.0).flat_map(|run| run[1..].iter().map(|entry| entry.1)).collect()
}

fn unused(mesh: &RawMesh) -> Vec<u32> {
    let mut used = vec![false; mesh.nodes.len()];
    let of_elements = mesh.elements.iter().flat_map(RawElement::nodes);
    for &n in of_elements.chain(mesh.faces.iter().flat_map(|(nodes, _)| nodes)) {
        if let Some(used) = used.get_mut(n as usize) {
            *used = true;
        }
    }
    rows(&used, |&used| !used)
}

/// Elements with a face of three or more elements.
fn crowded(elements: &[RawElement]) -> Vec<u32> {
    let mut owners: BTreeMap<FaceKey, Vec<u32>> = BTreeMap::new();
    for (e, element) in (0..).zip(elements) {
        for table in face_table(element) {
            let nodes: Vec<u32> = table.iter().map(|&i| element.nodes()[usize::from(i)]).collect();
            if let Some(key) = face_key(&nodes) {
                owners.entry(key).or_default().push(e);
            }
        }
    }
    owners.into_values().filter(|of| of.len() > 2).flatten().collect()
}

/// First nodes of edges of polygons: those of one polygon only, of more than two, of two that run along it in the same
/// direction.
fn edges<'a>(polygons: impl Iterator<Item = &'a [u32]>) -> [Vec<u32>; 3] {
    let mut sides: HashMap<[u32; 2], [u32; 2]> = HashMap::new();
    for nodes in polygons {
        for (i, &a) in nodes.iter().enumerate() {
            let b = nodes[(i + 1) % nodes.len()];
            let (key, way) = if a < b { ([a, b], 0) } else { ([b, a], 1) };
            sides.entry(key).or_default()[way] += 1;
        }
    }
    let of = |bad: fn([u32; 2]) -> bool| {
        let mut found: Vec<u32> = sides.iter().filter(|(_, &count)| bad(count)).map(|(key, _)| key[0]).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    [of(|[a, b]| a + b == 1), of(|[a, b]| a + b > 2), of(|[a, b]| a + b == 2 && a != b)]
}

fn mismatched(outer: &[super::OuterFace]) -> Vec<u32> {
    let triangles: HashSet<FaceKey> =
        outer.iter().filter(|face| face.nodes.len() == 3).filter_map(|face| face_key(&face.nodes)).collect();
    let meets = |quad: &[u32]| {
        let without = |skip: usize| -> Vec<u32> { (0..4).filter(|&i| i != skip).map(|i| quad[i]).collect() };
        (0..4).any(|skip| face_key(&without(skip)).is_some_and(|key| triangles.contains(&key)))
    };
    outer.iter().filter(|face| face.nodes.len() == 4 && meets(&face.nodes)).map(|face| face.nodes[0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Mesh;

    fn block() -> RawMesh {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        RawMesh::from(&Mesh::hex(&corners, [2, 2, 2], 4, &[1; 6], [None; 3]).unwrap())
    }

    fn names(mesh: &RawMesh) -> Vec<&'static str> {
        faults(mesh).iter().map(|fault| fault.name).collect()
    }

    #[test]
    fn a_block_has_no_faults() {
        assert_eq!(faults(&block()), []);
    }

    #[test]
    fn every_fault_is_found_and_named() {
        let mut mesh = block();
        mesh.elements[3] = RawElement::new(&[0, 3, 2, 1, 4, 7, 6, 5].map(|i| mesh.elements[3].nodes()[i]), 4).unwrap();
        assert_eq!(names(&mesh), ["inverted"]);
        assert_eq!(faults(&mesh)[0].rows, [3]);

        let mut mesh = block();
        mesh.elements.push(mesh.elements[0]);
        assert_eq!(names(&mesh)[..2], ["duplicate", "non-manifold"]);

        let mut mesh = block();
        mesh.nodes.push(Vec3::zeros());
        assert_eq!(faults(&mesh)[0].rows, [27]);
        assert_eq!(names(&mesh), ["dangling"]);

        let mut mesh = block();
        mesh.nodes[26].x = f64::NAN;
        assert_eq!(names(&mesh)[0], "not-finite");

        let mut mesh = block();
        mesh.elements[0] = RawElement::new(&[0, 1, 99, 3], 0).unwrap();
        assert!(names(&mesh).contains(&"missing-node"));

        let mut mesh = block();
        mesh.faces[0].0 = vec![0, 1, 26];
        assert!(names(&mesh).contains(&"dangling"));

        // two blocks that share an edge only
        let mut mesh = block();
        mesh.elements = vec![mesh.elements[0], mesh.elements[3]];
        mesh.faces.clear();
        assert!(names(&mesh).contains(&"non-manifold"));
    }

    #[test]
    fn faults_of_surfaces_are_found() {
        let mut surface = block();
        surface.elements.clear();
        super::super::compact(&mut surface);
        assert_eq!(faults(&surface), []);
        let mut turned = surface.clone();
        turned.faces[0].0.reverse();
        assert_eq!(names(&turned), ["orientation"]);
        let mut open = surface.clone();
        open.faces.pop();
        assert_eq!(names(&open), ["open"]);
        super::super::mirror(&mut surface);
        assert_eq!(names(&surface), ["inside-out"]);
    }
}
