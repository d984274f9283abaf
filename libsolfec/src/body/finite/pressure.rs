//! Pressure on faces of elements: `∫ Nₐ n dA` over the faces of the reference configuration (a dead load), or over
//! those of the present one with their normals (a follower), and the derivative of the latter by the places of the
//! nodes.
//!
//! Only the symmetric part of that is kept, which over a closed surface, or one with fixed edges, is all (Hibbitt
//! 1979).

use super::body::FiniteBody;
use super::faces::{area, bilinear, derivatives, nodal_areas, triangle_derivatives};
use crate::load::SurfaceLoad;
use crate::math::{Mat3, Vec3};

impl FiniteBody {
    /// Adds a pressure [Pa] on faces, positive outwards: on those of the reference configuration, or as a follower on
    /// the present ones.
    pub fn add_pressure(&mut self, surface: &SurfaceLoad, pressure: f64) {
        let stiff = surface.follower && self.linear.is_none() && self.factor().is_some();
        let curved = surface.follower && !self.grid.groups().is_empty();
        let of_four = bilinear();
        for face in &surface.faces {
            let at = |k: usize| if surface.follower { self.state.x[face.nodes[k] as usize] } else { face.corners[k] };
            match *face.nodes.as_slice() {
                [a, b, c] if curved => {
                    // All are faces of the grid.
                    let Some((nodes, points)) = self.grid.curved(face.element, &[a, b, c]) else { continue };
                    let x = nodes.map(|node| self.state.x[node as usize]);
                    push(&mut self.force, &nodes, nodal_areas(&x, &points), pressure);
                    if stiff {
                        stiffen(&mut self.load_stiffness, &nodes, &derivatives(&x, &points), pressure);
                    }
                }
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
                    push(&mut self.force, &nodes, nodal_areas(&x, &of_four), pressure);
                    if stiff {
                        stiffen(&mut self.load_stiffness, &nodes, &derivatives(&x, &of_four), pressure);
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
