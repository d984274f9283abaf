//! What convex polyhedra and the elements of a mesh have in common, as tetrahedra.
//!
//! An element is taken as its tetrahedra, and each of them is cut by the planes of the faces of a polyhedron. What is left
//! of a tetrahedron below a plane is a tetrahedron or a wedge, which is three tetrahedra again.

use crate::math::Vec3;
use crate::shape::{area_vector, Bounds, Convex, Face, Mesh};

/// Points nearer to a plane than this multiple of the size of the element lie on it.
const ON_THE_PLANE: f64 = 1e-12;
/// An element shares no volume with a polyhedron below this fraction of its own.
const NOTHING: f64 = 1e-9;

/// What one element and one polyhedron have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    pub element: u32,
    /// Row of the polyhedron.
    pub convex: u32,
    pub tetrahedra: Vec<[Vec3; 4]>,
    /// [m³]
    pub volume: f64,
}

/// Volume of a tetrahedron [m³].
pub fn tetrahedron_volume(t: &[Vec3; 4]) -> f64 {
    (t[1] - t[0]).cross(&(t[2] - t[0])).dot(&(t[3] - t[0])).abs() / 6.0
}

/// The tetrahedra of an element of a mesh.
pub fn element_tetrahedra(mesh: &Mesh, element: usize) -> Vec<[Vec3; 4]> {
    let of = &mesh.elements[element];
    let place = |local: u8| mesh.nodes[of.nodes[local as usize] as usize];
    of.tetrahedra().into_iter().map(|corners| corners.map(place)).collect()
}

/// The common parts of elements and polyhedra, by element, then by polyhedron; both in the same configuration.
pub fn overlay(mesh: &Mesh, polyhedra: &[Convex]) -> Vec<Common> {
    let planes: Vec<Vec<Plane>> = polyhedra.iter().map(planes).collect();
    let boxes: Vec<Bounds> = polyhedra.iter().map(|convex| Bounds::around(&convex.vertices, 0.0)).collect();
    let mut common = Vec::new();
    for element in 0..mesh.elements.len() {
        let whole = element_tetrahedra(mesh, element);
        let own = Bounds::around(whole.as_flattened(), 0.0);
        let volume: f64 = whole.iter().map(tetrahedron_volume).sum();
        let tolerance = ON_THE_PLANE * own.diagonal();
        for (convex, planes) in planes.iter().enumerate().filter(|(convex, _)| boxes[*convex].meets(&own)) {
            let mut tetrahedra = whole.clone();
            for plane in planes {
                tetrahedra = tetrahedra.iter().flat_map(|t| below(t, plane, tolerance)).collect();
            }
            let shared: f64 = tetrahedra.iter().map(tetrahedron_volume).sum();
            if shared > NOTHING * volume {
                let (element, convex) = (element as u32, convex as u32);
                common.push(Common { element, convex, tetrahedra, volume: shared });
            }
        }
    }
    common
}

/// Points x with `normal · x ≤ offset`.
struct Plane {
    normal: Vec3,
    offset: f64,
}

/// The planes of the faces; faces without an area bound nothing.
fn planes(convex: &Convex) -> Vec<Plane> {
    let of = |face: &Face| {
        let corners = face.nodes.iter().map(|&node| convex.vertices[node as usize]);
        let normal = area_vector(corners.clone()).try_normalize(0.0)?;
        let offset = corners.map(|x| normal.dot(&x)).sum::<f64>() / face.nodes.len() as f64;
        Some(Plane { normal, offset })
    };
    convex.faces.iter().filter_map(of).collect()
}

/// The part of a tetrahedron below a plane.
fn below(t: &[Vec3; 4], plane: &Plane, tolerance: f64) -> Vec<[Vec3; 4]> {
    let height = t.map(|x| plane.normal.dot(&x) - plane.offset);
    let (inside, outside): (Vec<usize>, Vec<usize>) = (0..4).partition(|&k| height[k] <= tolerance);
    let cut = |i: usize, o: usize| {
        let part = height[i].min(0.0) / (height[i].min(0.0) - height[o]);
        t[i] + (t[o] - t[i]) * part
    };
    match (inside.as_slice(), outside.as_slice()) {
        (_, []) => vec![*t],
        (&[a], &[b, c, d]) => vec![[t[a], cut(a, b), cut(a, c), cut(a, d)]],
        (&[a, b], &[c, d]) => wedge([t[a], cut(a, c), cut(a, d)], [t[b], cut(b, c), cut(b, d)]),
        (&[a, b, c], &[d]) => wedge([t[a], t[b], t[c]], [cut(a, d), cut(b, d), cut(c, d)]),
        _ => Vec::new(),
    }
}

/// The tetrahedra of a wedge between two triangles.
fn wedge([a, b, c]: [Vec3; 3], [d, e, f]: [Vec3; 3]) -> Vec<[Vec3; 4]> {
    vec![[a, b, c, d], [b, c, d, e], [c, d, e, f]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    fn cube(low: f64, high: f64) -> Convex {
        let at = |k: usize| Vec3::new([low, high][k & 1], [low, high][k >> 1 & 1], [low, high][k >> 2]);
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = faces.map(|nodes| Face { nodes: nodes.as_slice().into(), surfid: 1 }).to_vec();
        Convex { vertices: (0..8).map(at).collect(), faces, volid: 1 }
    }

    fn block(parts: usize) -> Mesh {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        Mesh::hex(&corners, [parts; 3], 1, &[1; 6], [None; 3]).unwrap()
    }

    #[test]
    fn common_parts_of_boxes_are_boxes() {
        for (low, high, count) in [(0.25, 0.75, 27), (0.1, 0.2, 1), (-0.5, 2.0, 27), (1.0 / 3.0, 2.0 / 3.0, 1)] {
            let common = overlay(&block(3), &[cube(low, high)]);
            let volume: f64 = common.iter().map(|part| part.volume).sum();
            let side = f64::min(high, 1.0) - f64::max(low, 0.0);
            assert!((volume - side.powi(3)).abs() < 1e-14, "{low} {high}: {volume}");
            assert_eq!(common.len(), count, "{low} {high}");
        }
        assert!(overlay(&block(2), &[cube(1.5, 2.0)]).is_empty());
    }

    /// First moments too: the tetrahedra cover the common part once.
    #[test]
    fn a_turned_box_is_covered_once() {
        let mut turned = Shape::new(cube(-0.2, 0.2));
        turned.rotation = crate::math::exp_map(&Vec3::new(0.4, 0.7, -0.3));
        turned.shift = Vec3::new(0.5, 0.45, 0.55);
        let placed = Convex { vertices: turned.vertices(), ..cube(-0.2, 0.2) };
        let common = overlay(&block(4), &[placed]);
        let volume: f64 = common.iter().map(|part| part.volume).sum();
        let middle = |t: &[Vec3; 4]| t.iter().sum::<Vec3>() * (0.25 * tetrahedron_volume(t));
        let moment: Vec3 = common.iter().flat_map(|part| &part.tetrahedra).map(middle).sum();
        assert!((volume - 0.064).abs() < 1e-14, "{volume}");
        assert!((moment / volume - turned.shift).norm() < 1e-13);
    }
}
