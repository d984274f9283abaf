//! Collections of convex polyhedra split by a plane.

use super::halves::{halves, Parts};
use super::plane::distance_to_polygon;
use super::split_mesh::REACH;
use super::{Halves, Split};
use crate::contact::touching;
use crate::math::{Components, Vec3};
use crate::shape::{Convex, Face};
use crate::{Error, Result};

/// The parts of a collection below and above the plane; polyhedra of one part touch each other. Faces of polyhedra that
/// lie on the plane stay as they are.
///
/// # Errors
/// Polyhedra that cannot be cut in the arithmetic of this machine, no part of the cut near the point.
pub fn split_convexes(collection: &[Convex], split: &Split) -> Result<Halves<Vec<Convex>>> {
    let parts = collection.iter().map(|convex| halves(convex, split)).collect::<Result<Vec<Parts>>>()?;
    if let Some(point) = split.near {
        if let Some(opened) = near(collection, &parts, split, &point)? {
            return Ok(Halves { below: groups(opened, split.epsilon), above: Vec::new() });
        }
    }
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for (whole, part) in collection.iter().zip(parts) {
        match part {
            Parts::Below => below.push(whole.clone()),
            Parts::Above => above.push(whole.clone()),
            Parts::Both([low, high]) => {
                below.push(low);
                above.push(high);
            }
        }
    }
    Ok(Halves { below: groups(below, split.epsilon), above: groups(above, split.epsilon) })
}

/// The collection with only those polyhedra cut that hang together with the point; `None` if these are all that the
/// plane cuts.
fn near(collection: &[Convex], parts: &[Parts], split: &Split, point: &Vec3) -> Result<Option<Vec<Convex>>> {
    let neighbours = touching(collection, split.epsilon);
    let is_cut = |k: usize| matches!(parts[k], Parts::Both(_));
    let cut: Vec<usize> = (0..parts.len()).filter(|k| is_cut(*k)).collect();
    let mut sets = Components::new(parts.len());
    for &k in &cut {
        neighbours[k].iter().filter(|n| is_cut(**n as usize)).for_each(|n| sets.join(k as u32, *n));
    }
    let reach = REACH * split.epsilon;
    let on_the_plane = |x: &Vec3| split.plane.height(x).abs() <= split.epsilon;
    let on_the_point = |k: &usize| match &parts[*k] {
        Parts::Both([low, _]) => {
            let mut faces = low.faces.iter().map(|face| corners(low, face));
            faces.any(|face| face.iter().all(on_the_plane) && distance_to_polygon(&face, point) <= reach)
        }
        Parts::Below | Parts::Above => false,
    };
    if cut.is_empty() {
        return Ok(None);
    }
    let Some(first) = cut.iter().copied().find(on_the_point) else {
        let (x, y, z) = (point.x, point.y, point.z);
        let epsilon = split.epsilon;
        return Err(Error::input(format!(
            "point ({x}, {y}, {z}) is farther from the cut than {REACH} times epsilon = {epsilon:e}: give a point of the cut, \
             or let topoadj be 'OFF'"
        )));
    };
    let root = sets.root(first as u32);
    if cut.iter().all(|k| sets.root(*k as u32) == root) {
        return Ok(None);
    }
    let mut all = Vec::with_capacity(parts.len() + cut.len());
    for (k, (whole, part)) in collection.iter().zip(parts).enumerate() {
        match part {
            Parts::Both(two) if sets.root(k as u32) == root => all.extend(two.iter().cloned()),
            Parts::Both(_) | Parts::Below | Parts::Above => all.push(whole.clone()),
        }
    }
    Ok(Some(all))
}

fn corners(convex: &Convex, face: &Face) -> Vec<Vec3> {
    face.nodes.iter().map(|v| convex.vertices[*v as usize]).collect()
}

/// Collections of polyhedra that touch, in the order of their first ones.
fn groups(collection: Vec<Convex>, epsilon: f64) -> Vec<Vec<Convex>> {
    let mut sets = Components::new(collection.len());
    for (k, neighbours) in (0..).zip(touching(&collection, epsilon)) {
        neighbours.into_iter().for_each(|n| sets.join(k, n));
    }
    let (number, count) = sets.numbers();
    let mut groups = vec![Vec::new(); count];
    for (convex, group) in collection.into_iter().zip(number) {
        groups[group as usize].push(convex);
    }
    groups
}
