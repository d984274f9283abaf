//! Meshes opened along faces between elements.
//!
//! The elements at a node form a fan, linked through the faces that they share. Faces that are opened divide the fan;
//! each part of it but the one of the smallest element gets a copy of the node. So a crack ends where its front is, and
//! branches where faces meet.

use std::collections::BTreeMap;

use super::extract::pieces;
use crate::math::Components;
use crate::shape::{face_key, FaceKey, Mesh, RawMesh};
use crate::Result;

/// A face to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Around the face; counter-clockwise against its normal.
    pub nodes: Vec<u32>,
    /// Of the side whose outward normal is that of the face, and of the other side.
    pub surfids: [i32; 2],
}

/// The mesh opened along those of the `faces` that two elements share, in one piece or not; `None` if there is no such
/// face. Copies of nodes come last, in the order of the nodes that they copy. Of equal faces the first counts.
///
/// # Errors
/// A mesh that is not valid in itself.
pub fn open(mesh: &Mesh, faces: &[Opening]) -> Result<Option<Mesh>> {
    let mut wanted: BTreeMap<FaceKey, &Opening> = BTreeMap::new();
    for face in faces {
        wanted.entry(face_key(face.nodes.iter().copied())).or_insert(face);
    }
    let around = |(e, f): (u32, u8)| mesh.elements[e as usize].face(f.into());
    let (mut closed, mut opened) = (Vec::new(), Vec::new());
    for sides in mesh.shared_faces() {
        match wanted.get(&face_key(around(sides[0]))) {
            Some(opening) => opened.push((sides, *opening)),
            None => closed.push(sides),
        }
    }
    if opened.is_empty() {
        return Ok(None);
    }
    let opened_sides: Vec<[(u32, u8); 2]> = opened.iter().map(|(sides, _)| *sides).collect();
    let fans = Fans::new(mesh);
    let mut apart = fans.linked(mesh, &closed);
    let mut together = fans.linked(mesh, &[closed, opened_sides].concat());
    let copy_of = fans.copies(mesh, &mut apart, &mut together);
    let mut raw = fans.with_copies(mesh, &copy_of);
    for face in &mesh.boundary {
        raw.add_face(mesh, (face.element, face.local), face.surfid);
    }
    for (sides, opening) in opened {
        for side in sides {
            let loop_ = around(side).collect::<Vec<u32>>();
            let row = usize::from(!runs_along(&loop_, &opening.nodes));
            raw.add_face(mesh, side, opening.surfids[row]);
        }
    }
    Ok(Some(raw.mesh.mesh()?.0))
}

/// The same along all faces that two elements share and whose nodes are all among `nodes`; both sides get `surfid`.
///
/// # Errors
/// A mesh that is not valid in itself.
pub fn open_all(mesh: &Mesh, nodes: &[u32], surfid: i32) -> Result<Option<Mesh>> {
    let mut among = vec![false; mesh.nodes.len()];
    nodes.iter().map(|n| *n as usize).filter(|n| *n < mesh.nodes.len()).for_each(|n| among[n] = true);
    let chosen = mesh.inner_faces().into_iter().filter(|face| face.iter().all(|n| among[*n as usize]));
    let faces: Vec<Opening> = chosen.map(|nodes| Opening { nodes, surfids: [surfid; 2] }).collect();
    open(mesh, &faces)
}

/// The meshes that a mesh falls into when it is opened along `faces`; none if no two elements share one of them.
///
/// # Errors
/// A mesh that is not valid in itself.
pub fn separate(mesh: &Mesh, faces: &[Opening]) -> Result<Vec<Mesh>> {
    Ok(open(mesh, faces)?.map_or_else(Vec::new, |opened| pieces(&opened)))
}

/// Whether the nodes of a face, given in any order, turn the way its loop does.
fn runs_along(loop_: &[u32], given: &[u32]) -> bool {
    let place = |n: u32| loop_.iter().position(|m| *m == n).unwrap_or(0);
    let [a, b, c] = [0, 1, 2].map(|k| place(given[k]));
    let after = |i: usize| (i + loop_.len() - a) % loop_.len();
    after(b) < after(c)
}

/// Corners of elements, numbered through: the members of fans.
struct Fans {
    first: Vec<u32>,
}

/// A mesh in the making, with new node numbers at the corners of elements.
struct Renumbered {
    mesh: RawMesh,
    corners: Vec<Vec<u32>>,
}

impl Fans {
    fn new(mesh: &Mesh) -> Fans {
        let mut next = 0;
        let first = mesh.elements.iter().map(|element| {
            next += element.kind.count() as u32;
            next - element.kind.count() as u32
        });
        Fans { first: first.collect() }
    }

    /// The corner of element `e` at node `n`.
    fn corner(&self, mesh: &Mesh, e: u32, n: u32) -> u32 {
        let local = mesh.elements[e as usize].nodes().iter().position(|m| *m == n).unwrap_or(0);
        self.first[e as usize] + local as u32
    }

    /// Corners linked through faces.
    fn linked(&self, mesh: &Mesh, faces: &[[(u32, u8); 2]]) -> Components {
        let count: usize = mesh.elements.iter().map(|e| e.kind.count()).sum();
        let mut sets = Components::new(count);
        for [(e, f), (other, _)] in faces {
            for n in mesh.elements[*e as usize].face((*f).into()) {
                sets.join(self.corner(mesh, *e, n), self.corner(mesh, *other, n));
            }
        }
        sets
    }

    /// For each corner its node or the number of its copy. Where elements met in a node without a face before, they do
    /// so afterwards.
    fn copies(&self, mesh: &Mesh, apart: &mut Components, together: &mut Components) -> Vec<u32> {
        let nodes: Vec<u32> = mesh.elements.iter().flat_map(|e| e.nodes().iter().copied()).collect();
        // Parts of fans that get a copy: not the one with the first corner of the whole fan.
        let mut fresh: Vec<(u32, u32)> = (0..nodes.len() as u32)
            .filter(|&c| apart.root(c) == c && together.root(c) != c)
            .map(|c| (nodes[c as usize], c))
            .collect();
        fresh.sort_unstable();
        let number: BTreeMap<u32, u32> =
            fresh.iter().zip(mesh.nodes.len() as u32..).map(|((_, corner), number)| (*corner, number)).collect();
        let new = |c: u32, apart: &mut Components| number.get(&apart.root(c)).copied().unwrap_or(nodes[c as usize]);
        (0..nodes.len() as u32).map(|c| new(c, apart)).collect()
    }

    /// The mesh with `corners` for the nodes of its elements.
    fn with_copies(&self, mesh: &Mesh, corners: &[u32]) -> Renumbered {
        let mut raw = RawMesh { nodes: mesh.nodes.clone(), ..RawMesh::default() };
        let mut copies: Vec<(u32, u32)> = Vec::new();
        let mut all = Vec::with_capacity(mesh.elements.len());
        for (element, first) in mesh.elements.iter().zip(&self.first) {
            let mut new = *element;
            let numbers = &corners[*first as usize..][..element.kind.count()];
            new.nodes[..numbers.len()].copy_from_slice(numbers);
            let moved = numbers.iter().zip(element.nodes()).filter(|(new, old)| new != old);
            copies.extend(moved.map(|(new, old)| (*new, *old)));
            raw.elements.push(new.into());
            all.push(numbers.to_vec());
        }
        copies.sort_unstable();
        copies.dedup();
        raw.nodes.extend(copies.iter().map(|(_, old)| mesh.nodes[*old as usize]));
        Renumbered { mesh: raw, corners: all }
    }
}

impl Renumbered {
    /// Gives a face of the old mesh a surface id.
    fn add_face(&mut self, old: &Mesh, (e, f): (u32, u8), surfid: i32) {
        let corners = &self.corners[e as usize];
        let table = old.elements[e as usize].kind.faces()[usize::from(f)];
        let nodes = table.iter().map(|i| corners[usize::from(*i)]).collect();
        self.mesh.faces.push((nodes, surfid));
    }
}
