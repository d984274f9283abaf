//! Meshes: element tables, checks, boundary.

use super::convex::check_finite;
use super::geometry::{Cell, CellForm, GeometryKind, Primitive, Size};
use super::inside::below_all;
use super::loops::diameter;
use super::{BoundaryFace, ConvexPart, Element, ElementKind, Geometry, Integrals, Mesh, VOLUME_FLOOR};
use crate::error::short;
use crate::math::Vec3;
use crate::{Error, Result};

/// Corner Jacobians under minus this multiple of the cube of the diameter mean an inverted element; above it,
/// round-off.
const INVERSION: f64 = 1e-12;

/// Node set of a face, ascending; triangles end with `u32::MAX`.
pub type FaceKey = [u32; 4];

impl ElementKind {
    /// The kind with this number of nodes.
    pub fn from_count(count: usize) -> Option<ElementKind> {
        [ElementKind::Tet, ElementKind::Pyramid, ElementKind::Wedge, ElementKind::Hex]
            .into_iter()
            .find(|kind| kind.count() == count)
    }

    /// Number of nodes.
    pub fn count(self) -> usize {
        self as usize
    }

    pub fn name(self) -> &'static str {
        match self {
            ElementKind::Tet => "tetrahedron",
            ElementKind::Pyramid => "pyramid",
            ElementKind::Wedge => "wedge",
            ElementKind::Hex => "hexahedron",
        }
    }

    /// Face table: local node numbers, counter-clockwise from outside.
    pub fn faces(self) -> &'static [&'static [u8]] {
        match self {
            ElementKind::Tet => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]],
            ElementKind::Pyramid => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
            ElementKind::Wedge => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
            ElementKind::Hex => {
                &[&[0, 3, 2, 1], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[0, 4, 7, 3], &[4, 5, 6, 7]]
            }
        }
    }

    /// Corners where three edges meet, with the ends of these edges in right-handed order.
    pub(crate) fn corners(self) -> &'static [[u8; 4]] {
        match self {
            ElementKind::Tet => &[[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [3, 0, 2, 1]],
            ElementKind::Pyramid => &[[0, 1, 3, 4], [1, 2, 0, 4], [2, 3, 1, 4], [3, 0, 2, 4]],
            ElementKind::Wedge => &[[0, 1, 2, 3], [1, 2, 0, 4], [2, 0, 1, 5], [3, 5, 4, 0], [4, 3, 5, 1], [5, 4, 3, 2]],
            ElementKind::Hex => &[
                [0, 1, 3, 4],
                [1, 2, 0, 5],
                [2, 3, 1, 6],
                [3, 0, 2, 7],
                [4, 7, 5, 0],
                [5, 4, 6, 1],
                [6, 5, 7, 2],
                [7, 6, 4, 3],
            ],
        }
    }

    /// Order of the nodes that makes the mirror image of an element positive again.
    pub(crate) fn mirrored(self) -> &'static [usize] {
        match self {
            ElementKind::Tet => &[0, 2, 1, 3],
            ElementKind::Pyramid => &[0, 3, 2, 1, 4],
            ElementKind::Wedge => &[3, 4, 5, 0, 1, 2],
            ElementKind::Hex => &[4, 5, 6, 7, 0, 1, 2, 3],
        }
    }
}

impl Element {
    /// An element of the kind that has this many nodes: 4, 5, 6 or 8.
    pub fn new(nodes: &[u32], volid: i32) -> Result<Element> {
        let Some(kind) = ElementKind::from_count(nodes.len()) else {
            return Err(Element::wrong_count(nodes.len()));
        };
        let mut all = [0; 8];
        all[..nodes.len()].copy_from_slice(nodes);
        Ok(Element { kind, nodes: all, volid })
    }

    /// Of an element that no kind has so many nodes for.
    pub(super) fn wrong_count(nodes: usize) -> Error {
        let second_order = if nodes == 10 { ", not one of second order" } else { "" };
        Error::input(format!(
            "element has {nodes} nodes: use 4 (tetrahedron{second_order}), 5 (pyramid), 6 (wedge) or 8 (hexahedron)"
        ))
    }

    /// The nodes in use.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.kind.count()]
    }

    /// Node numbers around face `local`, counter-clockwise from outside.
    pub fn face(&self, local: usize) -> impl ExactSizeIterator<Item = u32> + Clone + '_ {
        self.kind.faces()[local].iter().map(|&i| self.nodes[i as usize])
    }
}

impl Mesh {
    /// A mesh of `nodes` [m] and `elements`; a boundary face gets the surface id of the first entry of `faces` with the
    /// same nodes in any order, else `gid`. Errors: coordinates not finite, node numbers out of range or repeated,
    /// inverted, empty or equal elements, a face of three elements. The second value holds the warnings.
    pub fn new(
        nodes: Vec<Vec3>,
        elements: Vec<Element>,
        gid: i32,
        faces: &[(Vec<u32>, i32)],
    ) -> Result<(Mesh, Vec<String>)> {
        check_tables(&nodes, &elements, faces)?;
        check_finite("node", &nodes)?;
        check_duplicates(&elements)?;
        check_elements(&elements, &nodes)?;
        let mut boundary = boundary(&elements)?;
        let mut surfids: Vec<(FaceKey, i32)> = faces.iter().map(|(n, id)| (face_key(n.iter().copied()), *id)).collect();
        surfids.sort_by_key(|entry| entry.0);
        for face in &mut boundary {
            let key = face_key(elements[face.element as usize].face(face.local as usize));
            let row = surfids.partition_point(|entry| entry.0 < key);
            face.surfid = surfids.get(row).filter(|e| e.0 == key).map_or(gid, |e| e.1);
        }
        let warnings = [
            unused_nodes(nodes.len(), &elements),
            mismatches(&elements, &boundary),
            unknown_faces(&elements, &boundary, faces),
        ];
        Ok((Mesh { nodes, elements, boundary }, warnings.into_iter().flatten().collect()))
    }

    /// Whether no element is empty or inverted, where the nodes are now.
    pub(super) fn check_elements(&self) -> Result<()> {
        check_elements(&self.elements, &self.nodes)
    }

    /// Nodes of the boundary faces with surface id `surfid`, ascending.
    pub fn nodes_on_surface(&self, surfid: i32) -> Vec<u32> {
        let of = |face: &BoundaryFace| self.elements[face.element as usize].face(face.local as usize);
        let chosen = self.boundary.iter().filter(|face| face.surfid == surfid);
        let mut nodes: Vec<u32> = chosen.flat_map(of).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Faces that two elements share, as (element, row of its face table) of both, the smaller element first;
    /// ascending.
    pub fn shared_faces(&self) -> Vec<[(u32, u8); 2]> {
        let of = |element: &Element| 0..element.kind.faces().len();
        let mut all: Vec<(FaceKey, u32, u8)> = Vec::new();
        for (e, element) in (0..).zip(&self.elements) {
            all.extend(of(element).map(|f| (face_key(element.face(f)), e, f as u8)));
        }
        all.sort_unstable();
        let pairs = all.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() == 2);
        let mut shared: Vec<[(u32, u8); 2]> = pairs.map(|run| [(run[0].1, run[0].2), (run[1].1, run[1].2)]).collect();
        shared.sort_unstable();
        shared
    }

    /// Faces that two elements share, as node numbers: each once, counter-clockwise seen from outside of the element of
    /// the smaller number; ascending by that element and its face.
    pub fn inner_faces(&self) -> Vec<Vec<u32>> {
        let nodes = |(e, f): (u32, u8)| self.elements[e as usize].face(f.into()).collect();
        self.shared_faces().into_iter().map(|[first, _]| nodes(first)).collect()
    }

    /// Renumbers the elements of a mirrored mesh so that they are positive; boundary faces keep nodes and surface ids.
    pub(super) fn turn_inside_out(&mut self) {
        let old = self.elements.clone();
        for element in &mut self.elements {
            let nodes = element.nodes;
            for (new, &from) in element.kind.mirrored().iter().enumerate() {
                element.nodes[new] = nodes[from];
            }
        }
        for face in &mut self.boundary {
            let (was, is) = (&old[face.element as usize], &self.elements[face.element as usize]);
            let wanted = face_key(was.face(face.local as usize));
            if let Some(local) = (0..is.kind.faces().len()).find(|&f| face_key(is.face(f)) == wanted) {
                face.local = local as u8;
            }
        }
        self.boundary.sort_unstable_by_key(|f| (f.element, f.local));
    }
}

impl Primitive for Mesh {
    fn kind(&self) -> GeometryKind {
        GeometryKind::Mesh
    }

    fn points(&self) -> &[Vec3] {
        &self.nodes
    }

    fn surfaces(&self, take: &mut dyn FnMut(i32)) {
        self.boundary.iter().for_each(|face| take(face.surfid));
    }

    fn integrals(&self) -> Integrals {
        self.integrals()
    }

    fn contains(&self, x: &Vec3, tolerance: f64) -> bool {
        let holds = |element: &Element| element.kind.holds(&element.gather(|n| self.nodes[n as usize]), x, tolerance);
        let is_below = |element: &Element| {
            let corners = |face: usize| element.face(face).map(|n| self.nodes[n as usize]);
            below_all((0..element.kind.faces().len()).map(corners), x, tolerance)
        };
        // The faces of all elements take long.
        self.elements.iter().any(holds) || self.elements.iter().any(is_below)
    }

    fn parts(&self) -> Vec<ConvexPart> {
        self.solids().into_iter().map(ConvexPart::Solid).collect()
    }

    fn cells(&self) -> Vec<Cell<'_>> {
        let mut cells = Vec::with_capacity(self.elements.len());
        for (element, surfid) in self.elements.iter().zip(element_surfaces(self)) {
            let form = CellForm::Element(element.kind);
            cells.push(Cell { form, nodes: element.nodes(), volid: element.volid, surfid });
        }
        cells
    }

    fn scaled(&self, place: &dyn Fn(&Vec3) -> Vec3, factors: &Vec3) -> Result<Geometry> {
        let mut mesh = Mesh { nodes: self.nodes.iter().map(place).collect(), ..self.clone() };
        if factors.product() < 0.0 {
            mesh.turn_inside_out();
        }
        Ok(Geometry::Mesh(mesh))
    }

    fn bytes(&self) -> usize {
        24 * self.nodes.len() + 100 * self.elements.len() + 12 * self.boundary.len()
    }

    fn sizes(&self) -> Vec<(&'static str, Size)> {
        vec![("nodes", Size::Count(self.nodes.len())), ("elements", Size::Count(self.elements.len()))]
    }
}

/// The surface id of the boundary faces of each element, when it has such faces and they agree.
fn element_surfaces(mesh: &Mesh) -> Vec<Option<i32>> {
    let mut surfaces = vec![None; mesh.elements.len()];
    for faces in mesh.boundary.chunk_by(|a, b| a.element == b.element) {
        let first = faces[0];
        let agree = faces.iter().all(|face| face.surfid == first.surfid);
        surfaces[first.element as usize] = agree.then_some(first.surfid);
    }
    surfaces
}

/// The node set of a face of three or four nodes.
pub fn face_key(nodes: impl Iterator<Item = u32>) -> FaceKey {
    let mut key = [u32::MAX; 4];
    key.iter_mut().zip(nodes).for_each(|(k, n)| *k = n);
    key.sort_unstable();
    key
}

fn check_tables(nodes: &[Vec3], elements: &[Element], faces: &[(Vec<u32>, i32)]) -> Result<()> {
    if nodes.len() < 4 {
        return Err(Error::input(format!("mesh has {} nodes: give at least 4", nodes.len())));
    }
    if elements.is_empty() {
        return Err(Error::input("mesh has no elements: give at least one"));
    }
    for (e, element) in elements.iter().enumerate() {
        check_numbers("element", e, element.nodes(), nodes.len())?;
    }
    for (f, (numbers, _)) in faces.iter().enumerate() {
        if !(3..=4).contains(&numbers.len()) {
            return Err(Error::input(format!("face {f} of the surface ids has {} nodes: use 3 or 4", numbers.len())));
        }
        check_numbers("face of the surface ids", f, numbers, nodes.len())?;
    }
    Ok(())
}

fn check_numbers(what: &str, row: usize, numbers: &[u32], count: usize) -> Result<()> {
    for (i, &n) in numbers.iter().enumerate() {
        if n as usize >= count {
            return Err(Error::input(format!(
                "{what} {row} names node {n} at position {i}, but there are {count} nodes: use numbers from 0 to {}",
                count - 1
            )));
        }
        if numbers[..i].contains(&n) {
            return Err(Error::input(format!("{what} {row} names node {n} twice: name each node once")));
        }
    }
    Ok(())
}

fn check_duplicates(elements: &[Element]) -> Result<()> {
    let mut sets: Vec<([u32; 8], usize)> = elements
        .iter()
        .enumerate()
        .map(|(e, element)| {
            let mut set = [u32::MAX; 8];
            set[..element.kind.count()].copy_from_slice(element.nodes());
            set.sort_unstable();
            (set, e)
        })
        .collect();
    sets.sort_unstable();
    match sets.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        None => Ok(()),
        Some(pair) => Err(Error::input(format!(
            "elements {} and {} have the same nodes {:?}: remove one",
            pair[0].1,
            pair[1].1,
            elements[pair[0].1].nodes()
        ))),
    }
}

fn check_elements(elements: &[Element], nodes: &[Vec3]) -> Result<()> {
    elements.iter().enumerate().try_for_each(|(e, element)| check_element(e, element, nodes))
}

/// The element is neither empty nor inverted, as a whole or at a corner.
fn check_element(row: usize, element: &Element, nodes: &[Vec3]) -> Result<()> {
    let mut x = [Vec3::zeros(); 8];
    x.iter_mut().zip(element.nodes()).for_each(|(x, &n)| *x = nodes[n as usize]);
    let size = diameter(&x[..element.kind.count()]).powi(3);
    let volume = element.volume(nodes);
    let name = element.kind.name();
    if volume <= VOLUME_FLOOR * size {
        return Err(Error::input(format!(
            "element {row} ({name}) has volume {}, it is inverted or flat: list its nodes so that its faces are \
             counter-clockwise from outside",
            short(volume)
        )));
    }
    for &[at, a, b, c] in element.kind.corners() {
        let arm = |i: u8| x[i as usize] - x[at as usize];
        let jacobian = arm(a).dot(&arm(b).cross(&arm(c)));
        if jacobian < -INVERSION * size {
            return Err(Error::input(format!(
                "element {row} ({name}) is inverted at its node {} (Jacobian {}): list its nodes in the documented \
                 order, or mesh with better shaped elements",
                element.nodes[at as usize],
                short(jacobian)
            )));
        }
    }
    Ok(())
}

/// Faces of one element only, in order, with surface id 0.
fn boundary(elements: &[Element]) -> Result<Vec<BoundaryFace>> {
    let mut all: Vec<(FaceKey, u32, u8)> = Vec::new();
    for (e, element) in elements.iter().enumerate() {
        let faces = 0..element.kind.faces().len();
        all.extend(faces.map(|f| (face_key(element.face(f)), e as u32, f as u8)));
    }
    all.sort_unstable();
    let mut boundary = Vec::new();
    for run in all.chunk_by(|a, b| a.0 == b.0) {
        match *run {
            [(_, element, local)] => boundary.push(BoundaryFace { element, local, surfid: 0 }),
            [_, _] => {}
            [(key, a, _), (_, b, _), (_, c, _), ..] => {
                let nodes: Vec<u32> = key.into_iter().filter(|&n| n != u32::MAX).collect();
                return Err(Error::input(format!(
                    "non-manifold face of nodes {nodes:?}: it belongs to elements {a}, {b} and {c}; a face joins at most two"
                )));
            }
            [] => {}
        }
    }
    boundary.sort_unstable_by_key(|f| (f.element, f.local));
    Ok(boundary)
}

/// Faces that are given surface ids and that no element has.
fn unknown_faces(elements: &[Element], boundary: &[BoundaryFace], faces: &[(Vec<u32>, i32)]) -> Option<String> {
    let key = |element: &Element, face: usize| face_key(element.face(face));
    let key_of = |face: &(Vec<u32>, i32)| face_key(face.0.iter().copied());
    let mut outer: Vec<FaceKey> =
        boundary.iter().map(|face| key(&elements[face.element as usize], face.local as usize)).collect();
    outer.sort_unstable();
    let mut inner = faces.iter().filter(|face| outer.binary_search(&key_of(face)).is_err()).peekable();
    inner.peek()?;
    let all: std::collections::BTreeSet<FaceKey> =
        elements.iter().flat_map(|e| (0..e.kind.faces().len()).map(move |f| key(e, f))).collect();
    let mut unknown = inner.filter(|face| !all.contains(&key_of(face)));
    let (nodes, id) = unknown.next()?;
    Some(format!(
        "{} of {} given faces are faces of no element, and their surface ids are lost; the first has nodes \
         {nodes:?} and id {id}",
        1 + unknown.count(),
        faces.len()
    ))
}

fn unused_nodes(count: usize, elements: &[Element]) -> Option<String> {
    let mut used = vec![false; count];
    for &n in elements.iter().flat_map(Element::nodes) {
        used[n as usize] = true;
    }
    let lost = used.iter().filter(|&&u| !u).count();
    let first = used.iter().position(|&u| !u)?;
    Some(format!("{lost} nodes belong to no element (the first is node {first}): they are kept"))
}

/// Counts quadrilateral boundary faces whose corners also carry a triangular one.
fn mismatches(elements: &[Element], boundary: &[BoundaryFace]) -> Option<String> {
    let keys = boundary.iter().map(|f| face_key(elements[f.element as usize].face(f.local as usize)));
    let (triangles, quads): (Vec<FaceKey>, Vec<FaceKey>) = keys.partition(|k| k[3] == u32::MAX);
    let triangles: std::collections::BTreeSet<FaceKey> = triangles.into_iter().collect();
    let meets = |quad: &&FaceKey| {
        (0..4).any(|skip| triangles.contains(&face_key((0..4).filter(|&i| i != skip).map(|i| quad[i]))))
    };
    let count = quads.iter().filter(meets).count();
    (count > 0).then(|| {
        format!(
            "{count} quadrilateral faces meet triangular faces: both stay on the boundary; join them with pyramids or \
             split the quadrilaterals alike"
        )
    })
}
