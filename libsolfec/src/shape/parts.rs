//! Convex parts of polyhedra and of meshes, whose boundary elements become convex solids.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hull::hull_loops;
use super::loops::{area_vector, diameter, edges, middle, round_off};
use super::{
    BoundaryFace, Convex, ConvexPart, Element, Face, Geometry, Loop, Mesh, Shape, Solid, Topology, AREA_FLOOR,
    INNER_FACE, NO_ELEMENT,
};
use crate::math::{Mat3, Vec3};
use crate::{Error, Result};

/// Convex parts of the shapes of a body, in the order of object indices and placed in the reference configuration;
/// those of [`Geometry::deforming_parts`] where the body deforms. Nodes and elements count through all meshes of the
/// body.
pub fn placed_parts(shapes: &[Shape], deforms: bool) -> Vec<Vec<ConvexPart>> {
    placed(shapes, if deforms { Geometry::deforming_parts } else { Geometry::parts })
}

/// Convex parts that fill the shapes, placed likewise: those inside that nothing can touch, too.
pub fn filling_parts(shapes: &[Shape]) -> Vec<Vec<ConvexPart>> {
    placed(shapes, Geometry::filling_parts)
}

fn placed(shapes: &[Shape], parts_of: fn(&Geometry) -> Vec<ConvexPart>) -> Vec<Vec<ConvexPart>> {
    let (mut nodes, mut elements) = (0, 0);
    let mut all = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let geometry = &shape.geometry;
        let own = parts_of(geometry).into_iter();
        let mut parts: Vec<ConvexPart> = own.map(|part| part.placed(&shape.rotation, &shape.shift)).collect();
        parts.iter_mut().for_each(|part| part.count_from(nodes, elements));
        if let Some(mesh) = geometry.mesh() {
            nodes += mesh.nodes.len() as u32;
            elements += mesh.elements.len() as u32;
        }
        all.push(parts);
    }
    all
}

impl Geometry {
    /// Convex parts that fill it: the polyhedron, all elements of a mesh, the ball.
    fn filling_parts(&self) -> Vec<ConvexPart> {
        match self {
            Geometry::Mesh(mesh) => mesh.all_solids().into_iter().map(ConvexPart::Solid).collect(),
            Geometry::Convex(convex) => vec![ConvexPart::Solid(convex.solid())],
            Geometry::Sphere(_) | Geometry::Ellipsoid(_) => self.parts(),
        }
    }
}

impl ConvexPart {
    /// This part after the motion `X = rotation · x + shift`.
    pub fn placed(mut self, rotation: &Mat3, shift: &Vec3) -> ConvexPart {
        match &mut self {
            ConvexPart::Solid(s) => {
                s.vertices.iter_mut().for_each(|x| *x = rotation * *x + shift);
                s.normals.iter_mut().for_each(|n| *n = rotation * *n);
            }
            ConvexPart::Ball { center, .. } => *center = rotation * *center + shift,
            ConvexPart::Curved(curved) => curved.points.iter_mut().for_each(|x| *x = rotation * *x + shift),
        }
        self
    }

    /// Adds to the numbers of nodes and elements.
    fn count_from(&mut self, nodes: u32, elements: u32) {
        match self {
            ConvexPart::Solid(s) if s.element != NO_ELEMENT => {
                s.mesh_nodes.iter_mut().for_each(|node| *node += nodes);
                s.element += elements;
            }
            ConvexPart::Solid(_) | ConvexPart::Ball { .. } | ConvexPart::Curved(_) => {}
        }
    }
}

impl Topology {
    /// From closed loops, the `skin` faces first, with one surface id for each skin face, or one id of a solid that has
    /// none. At most 65535 loop entries.
    pub(super) fn new<L: AsRef<[u32]>>(loops: &[L], skin: usize, surfid: &[i32]) -> Topology {
        let loops = || loops.iter().map(L::as_ref);
        let mut face_start = Vec::with_capacity(loops().len() + 1);
        let mut face_nodes = Vec::with_capacity(loops().map(<[u32]>::len).sum());
        face_start.push(0);
        for nodes in loops() {
            face_nodes.extend(nodes.iter().map(|&v| v as u16));
            face_start.push(face_nodes.len() as u16);
        }
        Topology { face_start, face_nodes, skin, surfid: surfid.to_vec(), edges: edges(loops()) }
    }
}

impl Solid {
    /// The same solid, of whose skin only the faces stay that are `open`; the others count as faces inside a mesh.
    pub fn with_skin(&self, open: impl Fn(usize) -> bool) -> Solid {
        let t = &self.topology;
        let (skin, inner): (Vec<usize>, Vec<usize>) = (0..t.faces()).partition(|&f| f < t.skin && open(f));
        let order: Vec<usize> = skin.iter().chain(&inner).copied().collect();
        let loops: Vec<Vec<u32>> = order.iter().map(|&f| t.face(f).iter().map(|&v| u32::from(v)).collect()).collect();
        let surfid: Vec<i32> = if skin.is_empty() {
            t.surfid.iter().take(1).copied().collect()
        } else {
            skin.iter().map(|&f| t.surfid[f]).collect()
        };
        Solid {
            topology: Arc::new(Topology::new(&loops, skin.len(), &surfid)),
            normals: order.iter().map(|&f| self.normals[f]).collect(),
            ..self.clone()
        }
    }
}

/// Of skin faces with these ids, first among the loops. A solid within a shape has none: where it is asked for all the
/// same, all of its faces can be touched.
fn topology<L: AsRef<[u32]>>(loops: &[L], surfid: &[i32]) -> Topology {
    if surfid.is_empty() {
        Topology::new(loops, loops.len(), &vec![INNER_FACE; loops.len()])
    } else {
        Topology::new(loops, surfid.len(), surfid)
    }
}

pub(super) fn normals<L: AsRef<[u32]>>(loops: &[L], x: &[Vec3]) -> Vec<Vec3> {
    let area = |nodes: &L| area_vector(nodes.as_ref().iter().map(|&v| x[v as usize]));
    loops.iter().map(|nodes| area(nodes).normalize()).collect()
}

impl Convex {
    /// The solid that contact sees.
    pub fn solid(&self) -> Solid {
        let (skin, inner): (Vec<&Face>, Vec<&Face>) = self.faces.iter().partition(|face| face.surfid != INNER_FACE);
        let loops: Vec<&[u32]> = skin.iter().chain(&inner).map(|face| &face.nodes[..]).collect();
        let surfid: Vec<i32> = skin.iter().map(|face| face.surfid).collect();
        Solid {
            topology: Arc::new(topology(&loops, &surfid)),
            normals: normals(&loops, &self.vertices),
            vertices: self.vertices.clone(),
            mesh_nodes: Vec::new(),
            element: NO_ELEMENT,
        }
    }
}

impl Mesh {
    /// A convex polyhedron for each element, in their order: faces on the boundary first, with their surface ids, then
    /// those that are shared, as [`INNER_FACE`]. Warped faces are folded outward.
    ///
    /// # Errors
    /// An element too warped to have a polyhedron.
    pub fn polyhedra(&self) -> Result<Vec<Convex>> {
        let mut polyhedra = Vec::with_capacity(self.elements.len());
        let mut skins = self.boundary.chunk_by(|a, b| a.element == b.element).peekable();
        for (e, element) in (0..).zip(&self.elements) {
            let skin = skins.next_if(|skin| skin[0].element == e).unwrap_or_default();
            let vertices: Vec<Vec3> = element.nodes().iter().map(|&n| self.nodes[n as usize]).collect();
            let (loops, mut ids) = skin_first(outline(element, &vertices), skin);
            ids.resize(loops.len(), INNER_FACE);
            let faces = loops.into_iter().zip(ids).map(|(nodes, surfid)| Face { nodes, surfid }).collect();
            let made = Convex::new(vertices, faces, element.volid, 0.0);
            polyhedra.push(made.map_err(|error| Error::input(format!("element {e}: {error}")))?.0);
        }
        Ok(polyhedra)
    }

    /// The elements on the boundary.
    pub(super) fn solids(&self) -> Vec<Solid> {
        let skins = self.boundary.chunk_by(|a, b| a.element == b.element);
        self.solids_of(skins.map(|skin| (skin[0].element, skin)))
    }

    fn all_solids(&self) -> Vec<Solid> {
        let mut skins = self.boundary.chunk_by(|a, b| a.element == b.element).peekable();
        let mut skin = |e: u32| skins.next_if(|skin| skin[0].element == e).unwrap_or_default();
        self.solids_of((0..self.elements.len() as u32).map(|e| (e, skin(e))))
    }

    /// Elements with their faces on the boundary.
    fn solids_of<'a>(&self, elements: impl Iterator<Item = (u32, &'a [BoundaryFace])>) -> Vec<Solid> {
        let mut topologies = BTreeMap::new();
        let solid = |(e, skin): (u32, &[BoundaryFace])| {
            let element = &self.elements[e as usize];
            let vertices: Vec<Vec3> = element.nodes().iter().map(|&n| self.nodes[n as usize]).collect();
            let (loops, surfid) = skin_first(outline(element, &vertices), skin);
            let normals = normals(&loops, &vertices);
            let topology = topologies
                .entry((loops, surfid))
                .or_insert_with_key(|(loops, surfid)| Arc::new(topology(loops, surfid)));
            let topology = Arc::clone(topology);
            Solid { topology, vertices, normals, mesh_nodes: element.nodes().to_vec(), element: e }
        };
        elements.map(solid).collect()
    }
}

/// A planar piece of face `local` of an element, in local node numbers.
struct Patch {
    local: u8,
    nodes: Loop,
}

/// Loops and surface ids of an element whose faces in `skin` are on the boundary.
fn skin_first(patches: Vec<Patch>, skin: &[BoundaryFace]) -> (Vec<Loop>, Vec<i32>) {
    let surfid = |patch: &Patch| skin.iter().find(|face| face.local == patch.local).map(|face| face.surfid);
    let (outer, inner): (Vec<Patch>, Vec<Patch>) = patches.into_iter().partition(|p| surfid(p).is_some());
    let ids = outer.iter().filter_map(surfid).collect();
    (outer.into_iter().chain(inner).map(|patch| patch.nodes).collect(), ids)
}

/// A convex polyhedron that contains the nodes `x` of an element: its faces, warped ones folded outward; the hull of
/// the nodes if that is not convex.
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
    if fourth < 0.0 {
        vec![patch(&[0, 1, 2]), patch(&[0, 2, 3])]
    } else {
        vec![patch(&[0, 1, 3]), patch(&[1, 2, 3])]
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
