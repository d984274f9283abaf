//! Pressure on faces of elements: `∫ Nₐ n dA` over the faces of the reference configuration (a dead load), or over those of
//! the present one with their normals (a follower), and the derivative of the latter by the places of the nodes.
//!
//! A bilinear face has `n dA = ∂x/∂r × ∂x/∂s dr ds`, so that the force of node a changes with the place of node b by
//! `∫ Nₐ (∂N_b/∂s [∂x/∂r]× − ∂N_b/∂r [∂x/∂s]×) dr ds` (Hibbitt 1979). Only the symmetric part is kept, which over a closed
//! surface, or one with fixed edges, is all.

use super::body::FiniteBody;
use crate::load::SurfaceLoad;
use crate::math::{skew, Mat3, Vec3};
use crate::shape::square_points;

impl FiniteBody {
    /// Adds a pressure [Pa] on faces, positive outwards: on those of the reference configuration, or as a follower on the
    /// present ones.
    pub fn add_pressure(&mut self, surface: &SurfaceLoad, pressure: f64) {
        let stiff = surface.follower && self.linear.is_none() && self.factor().is_some();
        for face in &surface.faces {
            let at = |k: usize| if surface.follower { self.state.x[face.nodes[k] as usize] } else { face.corners[k] };
            match *face.nodes.as_slice() {
                [a, b, c] => {
                    let (nodes, x) = ([a, b, c], [0, 1, 2].map(at));
                    let weights = self.grid.face_weights(&nodes);
                    push(&mut self.force, &nodes, weights.map(|weight| area(&x) * weight), pressure);
                    if stiff {
                        let blocks = triangle_derivatives(&x, &weights);
                        stiffen(&mut self.load_stiffness, &nodes, &blocks, pressure);
                    }
                }
                [a, b, c, d] => {
                    let (nodes, x) = ([a, b, c, d], [0, 1, 2, 3].map(at));
                    push(&mut self.force, &nodes, nodal_areas(&x), pressure);
                    if stiff {
                        stiffen(&mut self.load_stiffness, &nodes, &derivatives(&x), pressure);
                    }
                }
                // Faces of elements have three or four corners.
                _ => {}
            }
        }
    }
}

/// Adds a pressure on areas of nodes to the forces.
fn push<const N: usize>(force: &mut [Vec3], nodes: &[u32; N], areas: [Vec3; N], pressure: f64) {
    nodes.iter().zip(areas).for_each(|(node, area)| force[*node as usize] += area * pressure);
}

/// Appends the symmetric part of the blocks of a face, times the pressure, lower triangle.
fn stiffen<const N: usize>(all: &mut Vec<(u32, u32, Mat3)>, nodes: &[u32; N], blocks: &[[Mat3; N]; N], pressure: f64) {
    for (a, b) in (0..N).flat_map(|a| (0..N).map(move |b| (a, b))).filter(|&(a, b)| nodes[a] >= nodes[b]) {
        all.push((nodes[a], nodes[b], (blocks[a][b] + blocks[b][a].transpose()) * (0.5 * pressure)));
    }
}

/// `∫ Nₐ n dA` of a bilinear face.
fn nodal_areas(corners: &[Vec3; 4]) -> [Vec3; 4] {
    let mut areas = [Vec3::zeros(); 4];
    for point in points(corners) {
        let normal = point.along_r.cross(&point.along_s);
        areas.iter_mut().zip(point.values).for_each(|(area, value)| *area += normal * value);
    }
    areas
}

/// Vector area of a triangle.
fn area(corners: &[Vec3; 3]) -> Vec3 {
    let [a, b, c] = corners;
    (b - a).cross(&(c - a)) * 0.5
}

/// Derivatives of the nodal areas of a bilinear face, the block of nodes a and b in row a and column b.
fn derivatives(corners: &[Vec3; 4]) -> [[Mat3; 4]; 4] {
    let mut blocks = [[Mat3::zeros(); 4]; 4];
    for point in points(corners) {
        let (across_r, across_s) = (skew(&point.along_r), skew(&point.along_s));
        for (a, row) in blocks.iter_mut().enumerate() {
            for (b, block) in row.iter_mut().enumerate() {
                *block += (across_r * point.slope_s[b] - across_s * point.slope_r[b]) * point.values[a];
            }
        }
    }
    blocks
}

/// The same of a triangle whose nodes take these parts of its area.
fn triangle_derivatives(corners: &[Vec3; 3], weights: &[f64; 3]) -> [[Mat3; 3]; 3] {
    let of = |b: usize| skew(&(corners[(b + 2) % 3] - corners[(b + 1) % 3])) * 0.5;
    weights.map(|weight| [of(0) * weight, of(1) * weight, of(2) * weight])
}

/// A point of integration of a face.
struct Point {
    values: [f64; 4],
    slope_r: [f64; 4],
    slope_s: [f64; 4],
    along_r: Vec3,
    along_s: Vec3,
}

fn points(corners: &[Vec3; 4]) -> impl Iterator<Item = Point> + '_ {
    let gauss = 1.0 / 3f64.sqrt();
    let places = [[-gauss, -gauss], [gauss, -gauss], [gauss, gauss], [-gauss, gauss]];
    let along = |slope: &[f64; 4]| corners.iter().zip(slope).map(|(x, slope)| x * *slope).sum::<Vec3>();
    square_points().into_iter().zip(places).map(move |(values, [r, s])| {
        let slope_r = [s - 1.0, 1.0 - s, 1.0 + s, -1.0 - s].map(|x| 0.25 * x);
        let slope_s = [r - 1.0, -1.0 - r, 1.0 + r, 1.0 - r].map(|x| 0.25 * x);
        Point { values, along_r: along(&slope_r), along_s: along(&slope_s), slope_r, slope_s }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [[f64; 3]; 4] = [[0.0, 0.1, 0.0], [1.0, -0.1, 0.2], [1.2, 0.9, -0.1], [0.1, 1.1, 0.3]];

    /// Central differences with this step.
    const STEP: f64 = 1e-6;

    fn differences<const N: usize>(x: [Vec3; N], of: impl Fn(&[Vec3; N]) -> [Vec3; N], found: [[Mat3; N]; N]) {
        for b in 0..N {
            for axis in 0..3 {
                let moved = |step: f64| {
                    let mut x = x;
                    x[b][axis] += step;
                    of(&x)
                };
                let (up, down) = (moved(STEP), moved(-STEP));
                for a in 0..N {
                    let expected = (up[a] - down[a]) / (2.0 * STEP);
                    assert!((found[a][b].column(axis) - expected).norm() < 1e-9, "node {a} by node {b}, axis {axis}");
                }
            }
        }
    }

    #[test]
    fn derivatives_of_nodal_areas_are_those_of_differences() {
        let x = FACE.map(Vec3::from);
        differences(x, nodal_areas, derivatives(&x));
        let (x, weights) = ([x[0], x[1], x[2]], [0.5, 0.5, 0.0]);
        differences(x, |x| weights.map(|w| area(x) * w), triangle_derivatives(&x, &weights));
    }

    /// A parallelogram: its area in equal parts.
    #[test]
    fn parallelograms_give_equal_parts() {
        let (a, b) = (Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.5, 3.0, 0.0));
        for part in nodal_areas(&[Vec3::zeros(), a, a + b, b]) {
            assert!((part - Vec3::new(0.0, 0.0, 1.5)).norm() < 1e-14);
        }
    }
}
