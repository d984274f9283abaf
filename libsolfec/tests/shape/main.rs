//! Shapes, generators, transformations and integrals: known values, properties, and messages for bad input.

mod cases;
mod closed_forms;
mod messages;
mod parts;
mod placement;
mod properties;

use solfec::math::{Mat3, Vec3};
use solfec::model::{characteristics, BodyKind, Characteristics};
use solfec::shape::*;

fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Corners of the box [0,a]×[0,b]×[0,c] in hexahedron order.
fn box_corners(a: f64, b: f64, c: f64) -> [Vec3; 8] {
    let bottom = [v(0., 0., 0.), v(a, 0., 0.), v(a, b, 0.), v(0., b, 0.)];
    std::array::from_fn(|i| bottom[i % 4] + v(0., 0., if i < 4 { 0. } else { c }))
}

fn cube() -> [Vec3; 8] {
    box_corners(1., 1., 1.)
}

fn block(i: usize, j: usize, k: usize) -> Mesh {
    Mesh::hex(&cube(), [i, j, k], 1, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap()
}

fn cube_faces() -> Vec<Face> {
    let face = |nodes: &&[u8]| Face { nodes: nodes.iter().map(|&n| u32::from(n)).collect(), surfid: 3 };
    ElementKind::Hex.faces().iter().map(face).collect()
}

fn tet() -> Mesh {
    let nodes = vec![v(0., 0., 0.), v(1., 0., 0.), v(0., 1., 0.), v(0., 0., 1.)];
    let element = Element::new(&[0, 1, 2, 3], 0).unwrap();
    Mesh::new(nodes, vec![element], 0, &[]).unwrap().0
}

fn solid(part: &ConvexPart) -> &Solid {
    match part {
        ConvexPart::Solid(s) => s,
        ConvexPart::Ball { .. } | ConvexPart::Curved(_) => panic!("a ball"),
    }
}

/// Pseudo-random numbers in [0, 1), the same on every run.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Greatest height of a vertex over a face plane.
fn bulge(s: &Solid) -> f64 {
    let t = &s.topology;
    let heights = (0..t.faces()).flat_map(|f| {
        let origin = s.vertices[t.face(f)[0] as usize];
        s.vertices.iter().map(move |x| s.normals[f].dot(&(x - origin)))
    });
    heights.fold(f64::NEG_INFINITY, f64::max)
}

#[track_caller]
fn assert_close(a: &Mat3, b: &Mat3, tolerance: f64) {
    assert!((a - b).amax() <= tolerance, "{a} is not {b} within {tolerance:e}");
}

#[track_caller]
fn assert_says<T: std::fmt::Debug>(result: solfec::Result<T>, words: &[&str]) {
    let text = result.unwrap_err().to_string();
    for word in words {
        assert!(text.contains(word), "'{text}' does not say '{word}'");
    }
}
