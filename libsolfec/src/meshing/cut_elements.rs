//! The elements of a mesh cut by a plane, so that the mesh stays conforming.
//!
//! An element with nodes on both sides becomes two of its kind where the plane cuts the edges between two opposite
//! faces (hexahedra, wedges) and its neighbours allow it, otherwise tetrahedra along the diagonals from smallest node
//! numbers (docs/architecture.md, contact of deforming bodies; where there are cracks, [`cracks`]), which are cut into
//! tetrahedra, pyramids and wedges. Elements beside those whose quadrilateral face has become two triangles are divided
//! into pyramids and tetrahedra about their middle. All others stay.

use std::collections::{BTreeMap, BTreeSet};

use super::cracks;
use super::slice::{alike, tetrahedron, Corner, Part};
use crate::math::Vec3;
use crate::shape::{face_key, Element, ElementKind, FaceKey, Mesh, RawElement, RawMesh};
use crate::{Error, Result};

/// A mesh without elements that cross the plane, and for each element the side it is on.
pub struct Cut {
    pub mesh: Mesh,
    pub sides: Vec<i8>,
}

/// Whether an element with nodes on these sides is cut.
pub fn crosses(sides: &[i8]) -> bool {
    sides.contains(&-1) && sides.contains(&1)
}

/// Cuts the elements of `mesh`, whose nodes have these `heights` [m] over the plane and are on these `sides` of it.
///
/// # Errors
/// Parts of warped elements that are inverted, cracks that would close.
pub fn cut_elements(mesh: &Mesh, heights: &[f64], sides: &[i8]) -> Result<Cut> {
    let plans = plans(mesh, sides);
    let mut work = Work::new(mesh, heights, sides);
    let divided = |e: usize| matches!(plans[e], Plan::Tetrahedra);
    for (element, _) in mesh.elements.iter().enumerate().filter(|(e, _)| divided(*e)).map(|(e, x)| (x, e)) {
        let quadrilaterals = element.kind.faces().iter().enumerate().filter(|(_, face)| face.len() == 4);
        work.halved.extend(quadrilaterals.map(|(f, _)| face_key(element.face(f))));
    }
    for (e, plan) in plans.into_iter().enumerate() {
        let element = mesh.elements[e];
        match plan {
            Plan::Whole => work.whole(e, element.nodes()),
            Plan::Alike(parts) => work.parts(e, element.nodes(), &parts),
            Plan::Tetrahedra => {
                for corners in work.ordered(&element).tetrahedra() {
                    work.tetrahedron(e, corners.map(|local| element.nodes[usize::from(local)]));
                }
            }
        }
    }
    let Work { raw, element_sides, .. } = work;
    cracks::check_open(&raw.faces)?;
    let mesh = raw.mesh().map_err(|error| {
        Error::input(format!(
            "a part of an element that the plane cuts is inverted, because the mesh is warped there ({error}): move \
             the plane, or mesh with better shaped elements"
        ))
    })?;
    Ok(Cut { mesh: mesh.0, sides: element_sides })
}

/// What becomes of an element.
enum Plan {
    Whole,
    /// Two elements of its kind.
    Alike(Vec<Part>),
    Tetrahedra,
}

/// Elements that could become two of their kind do not where a neighbour cuts a common face otherwise.
fn plans(mesh: &Mesh, sides: &[i8]) -> Vec<Plan> {
    let of = |element: &Element| element.nodes().iter().map(|n| sides[*n as usize]).collect::<Vec<i8>>();
    let mut plans: Vec<Plan> = Vec::with_capacity(mesh.elements.len());
    for element in &mesh.elements {
        let sides = of(element);
        plans.push(match (crosses(&sides), alike(element, &sides)) {
            (false, _) => Plan::Whole,
            (true, Some(parts)) => Plan::Alike(parts),
            (true, None) => Plan::Tetrahedra,
        });
    }
    let mut neighbours = vec![Vec::new(); mesh.elements.len()];
    for [(e, f), (other, _)] in mesh.shared_faces() {
        let face: Vec<i8> = mesh.elements[e as usize].face(f.into()).map(|n| sides[n as usize]).collect();
        if crosses(&face) {
            neighbours[e as usize].push(other as usize);
            neighbours[other as usize].push(e as usize);
        }
    }
    let mut open: Vec<usize> = (0..plans.len()).filter(|e| matches!(plans[*e], Plan::Tetrahedra)).collect();
    while let Some(e) = open.pop() {
        for &next in &neighbours[e] {
            if matches!(plans[next], Plan::Alike(_)) {
                plans[next] = Plan::Tetrahedra;
                open.push(next);
            }
        }
    }
    plans
}

/// The mesh in the making.
struct Work<'a> {
    old: &'a Mesh,
    heights: &'a [f64],
    sides: &'a [i8],
    /// Diagonals begin at the first node of a face in this order.
    order: Vec<u32>,
    raw: RawMesh,
    element_sides: Vec<i8>,
    /// New nodes on edges, by the ends of these.
    on_edge: BTreeMap<[u32; 2], u32>,
    /// The edge that each node is on; the node twice if it is an old one, nothing of nodes amid an element.
    origin: Vec<Option<[u32; 2]>>,
    /// Quadrilateral faces of old elements that are two triangles now.
    halved: BTreeSet<FaceKey>,
    /// Of each old element, its boundary faces: nodes and surface ids.
    skin: BTreeMap<u32, Vec<(Vec<u32>, i32)>>,
}

impl<'a> Work<'a> {
    fn new(old: &'a Mesh, heights: &'a [f64], sides: &'a [i8]) -> Work<'a> {
        let mut skin: BTreeMap<u32, Vec<(Vec<u32>, i32)>> = BTreeMap::new();
        for face in &old.boundary {
            let nodes = old.elements[face.element as usize].face(face.local.into()).collect();
            skin.entry(face.element).or_default().push((nodes, face.surfid));
        }
        Work {
            old,
            heights,
            sides,
            order: cracks::order(old),
            raw: RawMesh { nodes: old.nodes.clone(), ..RawMesh::default() },
            element_sides: Vec::new(),
            on_edge: BTreeMap::new(),
            origin: (0..old.nodes.len() as u32).map(|n| Some([n, n])).collect(),
            halved: BTreeSet::new(),
            skin,
        }
    }

    /// An element of the old mesh with its nodes' places in the order in place of their numbers.
    fn ordered(&self, element: &Element) -> Element {
        let mut places = *element;
        let count = element.kind.count();
        places.nodes[..count].iter_mut().for_each(|n| *n = self.order[*n as usize]);
        places
    }

    /// The node of a corner of a part: an old node, or where an edge meets the plane.
    fn node(&mut self, nodes: &[u32], corner: Corner) -> u32 {
        let [a, b] = corner.map(|i| nodes[usize::from(i)]);
        if a == b {
            return a;
        }
        let edge = [a.min(b), a.max(b)];
        let next = self.raw.nodes.len() as u32;
        let number = *self.on_edge.entry(edge).or_insert(next);
        if number == next {
            let [p, q] = edge.map(|n| self.old.nodes[n as usize]);
            let [h, k] = edge.map(|n| self.heights[n as usize]);
            self.raw.nodes.push(p + (q - p) * (h / (h - k)));
            self.origin.push(Some(edge));
        }
        number
    }

    fn parts(&mut self, e: usize, nodes: &[u32], parts: &[Part]) {
        for (side, corners) in parts {
            let numbers: Vec<u32> = corners.iter().map(|corner| self.node(nodes, *corner)).collect();
            self.plain(e, *side, &numbers);
        }
    }

    /// An element that the plane does not cut.
    fn whole(&mut self, e: usize, nodes: &[u32]) {
        let side = self.side_of(nodes);
        self.plain(e, side, nodes);
    }

    fn tetrahedron(&mut self, e: usize, nodes: [u32; 4]) {
        let sides = nodes.map(|n| self.sides[n as usize]);
        if !crosses(&sides) {
            let side = self.side_of(&nodes);
            return self.put(e, side, &nodes);
        }
        for (side, corners) in tetrahedron(sides) {
            let numbers: Vec<u32> = corners.iter().map(|corner| self.node(&nodes, *corner)).collect();
            self.put(e, side, &numbers);
        }
    }

    /// The side of nodes that are not on both: that of the first off the plane, or of their mean.
    fn side_of(&self, nodes: &[u32]) -> i8 {
        let off = nodes.iter().map(|n| self.sides[*n as usize]).find(|side| *side != 0);
        let mean: f64 = nodes.iter().map(|n| self.heights[*n as usize]).sum();
        off.unwrap_or(if mean < 0.0 { -1 } else { 1 })
    }

    /// An element as it is, or, if a quadrilateral face of it has become triangles, in pieces about its middle.
    fn plain(&mut self, e: usize, side: i8, nodes: &[u32]) {
        let Some(kind) = ElementKind::from_count(nodes.len()) else { return };
        let around = |face: &[u8]| face.iter().map(|i| nodes[usize::from(*i)]).collect::<Vec<u32>>();
        let loops: Vec<Vec<u32>> = kind.faces().iter().map(|face| around(face)).collect();
        let is_halved: Vec<bool> =
            loops.iter().map(|face| self.halved.contains(&face_key(face.iter().copied()))).collect();
        if !is_halved.contains(&true) {
            return self.put(e, side, nodes);
        }
        let middle = self.raw.nodes.len() as u32;
        let sum: Vec3 = nodes.iter().map(|n| self.raw.nodes[*n as usize]).sum();
        self.raw.nodes.push(sum / nodes.len() as f64);
        self.origin.push(None);
        for (mut face, halved) in loops.into_iter().zip(is_halved) {
            // The loops run outward; an apex inside sees them the other way round.
            face.reverse();
            if halved {
                let first = (0..face.len()).min_by_key(|k| self.order.get(face[*k] as usize)).unwrap_or(0);
                face.rotate_left(first);
                for k in 2..face.len() {
                    self.put(e, side, &[face[0], face[k - 1], face[k], middle]);
                }
            } else {
                face.push(middle);
                self.put(e, side, &face);
            }
        }
    }

    fn put(&mut self, e: usize, side: i8, nodes: &[u32]) {
        let old = &self.old.elements[e];
        let (Ok(element), Some(kind)) = (RawElement::new(nodes, old.volid), ElementKind::from_count(nodes.len()))
        else {
            return;
        };
        self.raw.elements.push(element);
        self.element_sides.push(side);
        let Some(skin) = self.skin.get(&(e as u32)) else { return };
        let origin = &self.origin;
        for face in kind.faces() {
            let face: Vec<u32> = face.iter().map(|i| nodes[usize::from(*i)]).collect();
            let lies_on = |outer: &[u32]| {
                let on = |n: &u32| origin[*n as usize].is_some_and(|ends| ends.iter().all(|end| outer.contains(end)));
                face.iter().all(on)
            };
            if let Some((_, surfid)) = skin.iter().find(|(outer, _)| lies_on(outer)) {
                self.raw.faces.push((face, *surfid));
            }
        }
    }
}
