//! A convex polyhedron cut by a plane: its face loops are clipped (Sutherland and Hodgman 1974), the cut is a new face.

use std::collections::BTreeMap;

use super::{Plane, Split};
use crate::math::Vec3;
use crate::shape::{area_vector, Convex, Face, Loop};
use crate::Result;

/// What a plane makes of a polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub enum Parts {
    Below,
    Above,
    /// The part below and the part above.
    Both([Convex; 2]),
}

/// Parts thinner than this multiple of epsilon go with the other part.
const THIN: f64 = 2.0;

/// What the plane of a split makes of a polyhedron. New faces get the surface ids of the split, the others keep theirs.
///
/// # Errors
/// Parts that are no polyhedra in the arithmetic of this machine.
pub fn halves(convex: &Convex, split: &Split) -> Result<Parts> {
    let heights: Vec<f64> = convex.vertices.iter().map(|x| split.plane.height(x)).collect();
    let (low, high) = heights.iter().fold((0.0_f64, 0.0_f64), |(low, high), h| (low.min(*h), high.max(*h)));
    let thin = THIN * split.epsilon;
    if -low <= thin || high <= thin {
        return Ok(if center(convex, &split.plane) < 0.0 { Parts::Below } else { Parts::Above });
    }
    // Half of epsilon, so that the cut, with what counts as on the plane, is plane to epsilon.
    let side = |h: &f64| if h.abs() <= 0.5 * split.epsilon { 0 } else { h.signum() as i8 };
    let sides: Vec<i8> = heights.iter().map(side).collect();
    let clip = Clip::new(convex, &heights, sides);
    Ok(Parts::Both([clip.part(-1, split)?, clip.part(1, split)?]))
}

/// Height of the centre of volume.
fn center(convex: &Convex, plane: &Plane) -> f64 {
    plane.height(&convex.integrals().center)
}

/// A polyhedron with the points where its edges meet the plane.
struct Clip<'a> {
    convex: &'a Convex,
    sides: Vec<i8>,
    points: Vec<Vec3>,
    on_edge: BTreeMap<[u32; 2], u32>,
}

impl<'a> Clip<'a> {
    fn new(convex: &'a Convex, heights: &[f64], sides: Vec<i8>) -> Clip<'a> {
        let mut points = convex.vertices.clone();
        let mut on_edge = BTreeMap::new();
        for face in &convex.faces {
            for [a, b] in around(&face.nodes).filter(|[a, b]| a < b) {
                if sides[a as usize] * sides[b as usize] < 0 {
                    let [p, q] = [a, b].map(|v| convex.vertices[v as usize]);
                    let [h, k] = [a, b].map(|v| heights[v as usize]);
                    on_edge.insert([a, b], points.len() as u32);
                    points.push(p + (q - p) * (h / (h - k)));
                }
            }
        }
        Clip { convex, sides, points, on_edge }
    }

    /// 0 of new points.
    fn side(&self, v: u32) -> i8 {
        self.sides.get(v as usize).copied().unwrap_or(0)
    }

    /// The part on one side.
    fn part(&self, side: i8, split: &Split) -> Result<Convex> {
        let mut faces = Vec::new();
        let mut rim: BTreeMap<u32, u32> = BTreeMap::new();
        for face in &self.convex.faces {
            let mut nodes = Loop::new();
            for [a, b] in around(&face.nodes) {
                if self.side(a) != -side {
                    nodes.push(a);
                }
                nodes.extend(self.on_edge.get(&[a.min(b), a.max(b)]).copied());
            }
            if nodes.iter().all(|v| self.side(*v) == 0) || nodes.len() < 3 {
                continue;
            }
            // The cut runs against the sides of the faces that it meets.
            let on = around(&nodes).filter(|ends| ends.iter().all(|v| self.side(*v) == 0));
            rim.extend(on.map(|[a, b]| (b, a)));
            faces.push(Face { nodes, surfid: face.surfid });
        }
        let surfid = split.surfids[usize::from(side > 0)];
        let cut = Face { nodes: chain(&rim), surfid };
        if cut.nodes.len() >= 3 {
            faces.push(cut);
        }
        self.checked(faces, split)
    }

    /// A polyhedron of these faces; where round-off has spoiled them, the hull of their vertices.
    fn checked(&self, mut faces: Vec<Face>, split: &Split) -> Result<Convex> {
        let mut number = vec![u32::MAX; self.points.len()];
        let mut vertices = Vec::new();
        for v in faces.iter_mut().flat_map(|face| &mut face.nodes) {
            let new = &mut number[*v as usize];
            if *new == u32::MAX {
                *new = vertices.len() as u32;
                vertices.push(self.points[*v as usize]);
            }
            *v = *new;
        }
        let volid = self.convex.volid;
        let made = Convex::new(vertices.clone(), faces.clone(), volid, split.epsilon);
        made.map(|(convex, _)| convex).or_else(|_| relabelled(&vertices, &faces, volid))
    }
}

/// The hull of the vertices, with the surface ids of the faces that look the same way.
fn relabelled(vertices: &[Vec3], faces: &[Face], volid: i32) -> Result<Convex> {
    let normal = |of: &[Vec3], face: &Face| {
        area_vector(face.nodes.iter().map(|v| of[*v as usize])).try_normalize(0.0).unwrap_or_else(Vec3::zeros)
    };
    let old: Vec<Vec3> = faces.iter().map(|face| normal(vertices, face)).collect();
    let mut hull = Convex::hull(vertices, volid, 0)?;
    for f in 0..hull.faces.len() {
        let new = normal(&hull.vertices, &hull.faces[f]);
        let nearest = (0..old.len()).max_by(|a, b| new.dot(&old[*a]).total_cmp(&new.dot(&old[*b])));
        hull.faces[f].surfid = nearest.map_or(0, |f| faces[f].surfid);
    }
    Ok(hull)
}

/// The sides of a loop.
fn around(nodes: &[u32]) -> impl Iterator<Item = [u32; 2]> + '_ {
    (0..nodes.len()).map(|k| [nodes[k], nodes[(k + 1) % nodes.len()]])
}

/// The loop that follows `next` from its least node.
fn chain(next: &BTreeMap<u32, u32>) -> Loop {
    let mut nodes = Loop::new();
    let Some((&start, _)) = next.first_key_value() else { return nodes };
    let mut at = start;
    while nodes.len() < next.len() {
        nodes.push(at);
        match next.get(&at) {
            Some(after) if *after != start => at = *after,
            Some(_) | None => break,
        }
    }
    nodes
}
