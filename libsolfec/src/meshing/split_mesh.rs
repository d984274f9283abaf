//! Meshes split by a plane.

use super::cut_elements::{crosses, cut_elements, Cut};
use super::extract::{extract, pieces};
use super::open::{separate, Opening};
use super::plane::distance_to_polygon;
use super::{Halves, Split, REACH};
use crate::math::{Components, Vec3};
use crate::shape::Mesh;
use crate::{Error, Result};

/// The parts of a mesh below and above the plane; each part hangs together by faces. A mesh that the plane does not
/// divide is on one side as a whole. Where the plane follows faces the elements stay; otherwise it cuts them
/// (`cut_elements`). Volume ids stay, and surface ids of what was outside before. `None` if the plane divides the mesh,
/// but [`Split::near`] is not on the cut.
///
/// # Errors
/// Elements that would have to be cut although `remesh` is off, elements too warped to be cut.
pub fn split_mesh(mesh: &Mesh, split: &Split) -> Result<Option<Halves<Mesh>>> {
    let heights: Vec<f64> = mesh.nodes.iter().map(|x| split.plane.height(x)).collect();
    let side = |h: &f64| if h.abs() <= split.epsilon { 0 } else { h.signum() as i8 };
    let sides: Vec<i8> = heights.iter().map(side).collect();
    if !split.remesh {
        let of = |e: &usize| mesh.elements[*e].nodes().iter().map(|n| sides[*n as usize]).collect::<Vec<i8>>();
        if let Some(e) = (0..mesh.elements.len()).find(|e| crosses(&of(e))) {
            return Err(Error::input(format!(
                "the plane cuts element {e} of the mesh: let remesh be 'ON', or move the plane to faces of elements"
            )));
        }
    }
    let cut = cut_elements(mesh, &heights, &sides)?;
    match split.near {
        Some(point) if cut.sides.contains(&-1) && cut.sides.contains(&1) => near(&cut, split, &point),
        _ => Ok(Some(halves(&cut, split))),
    }
}

fn halves(cut: &Cut, split: &Split) -> Halves<Mesh> {
    let part = |side: i8, surfid: i32| {
        let keep: Vec<bool> = cut.sides.iter().map(|s| *s == side).collect();
        if keep.contains(&true) {
            pieces(&extract(&cut.mesh, &keep, surfid))
        } else {
            Vec::new()
        }
    };
    let [below, above] = [part(-1, split.surfids[0]), part(1, split.surfids[1])];
    Halves { cut: !below.is_empty() && !above.is_empty(), below, above }
}

/// The mesh opened along the connected part of the cut that is near the point.
fn near(cut: &Cut, split: &Split, point: &Vec3) -> Result<Option<Halves<Mesh>>> {
    let sides_of = |[a, b]: &[(u32, u8); 2]| [cut.sides[a.0 as usize], cut.sides[b.0 as usize]];
    let faces = cut.mesh.shared_faces().into_iter().filter(|pair| sides_of(pair)[0] != sides_of(pair)[1]);
    // Seen from the element below, the outward normal is that of the plane.
    let below = |pair: [(u32, u8); 2]| if sides_of(&pair)[0] < 0 { pair[0] } else { pair[1] };
    let face = |(e, f): (u32, u8)| cut.mesh.elements[e as usize].face(f.into()).collect::<Vec<u32>>();
    let faces: Vec<Vec<u32>> = faces.map(|pair| face(below(pair))).collect();
    let (number, count) = connected(&faces);
    let corners = |face: &[u32]| face.iter().map(|n| cut.mesh.nodes[*n as usize]).collect::<Vec<Vec3>>();
    let reach = REACH * split.epsilon;
    let chosen = faces.iter().position(|face| distance_to_polygon(&corners(face), point) <= reach);
    let Some(chosen) = chosen.map(|f| number[f]) else { return Ok(None) };
    if count == 1 {
        return Ok(Some(halves(cut, split)));
    }
    let opened = faces.into_iter().zip(number).filter(|(_, part)| *part == chosen);
    let opened: Vec<Opening> = opened.map(|(nodes, _)| Opening { nodes, surfids: split.surfids }).collect();
    Ok(Some(Halves { below: separate(&cut.mesh, &opened)?, above: Vec::new(), cut: true }))
}

/// Parts of faces that hang together by edges: the number of the part of each, and how many there are.
fn connected(faces: &[Vec<u32>]) -> (Vec<u32>, usize) {
    let mut edges: Vec<([u32; 2], u32)> = Vec::new();
    for (f, face) in (0..).zip(faces) {
        for k in 0..face.len() {
            let (a, b) = (face[k], face[(k + 1) % face.len()]);
            edges.push(([a.min(b), a.max(b)], f));
        }
    }
    edges.sort_unstable();
    let mut sets = Components::new(faces.len());
    edges.windows(2).filter(|pair| pair[0].0 == pair[1].0).for_each(|pair| sets.join(pair[0].1, pair[1].1));
    sets.numbers()
}
