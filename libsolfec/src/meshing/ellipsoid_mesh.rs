//! Meshes of tetrahedra in ellipsoids.
//!
//! The surface is an icosahedron with halved edges, projected on the ellipsoid; edges whose middle is too far from the
//! surface along the radius are halved again. Inside are shells similar to the surface, as thick as its triangles are
//! wide, and in the innermost one tetrahedra about the centre.

use std::collections::BTreeMap;

use crate::math::Vec3;
use crate::shape::{icosahedron, Element, ElementKind, Ellipsoid, Mesh, RawElement, RawMesh};
use crate::{Error, Result};

/// Each halving of edges divides their distance from the surface by four.
const MOST_LEVELS: usize = 12;
/// Triangles of the surface at most.
const MOST_TRIANGLES: usize = 100_000;
/// Size of the innermost shell, relative to the ellipsoid.
const CORE: f64 = 0.3;

/// A mesh of tetrahedra in an ellipsoid with half axes of `radii` [m] along the coordinate axes about `center` [m]. No
/// middle of a boundary edge is farther from the ellipsoid than `error` [m] along the radius.
///
/// # Errors
/// Numbers that are not finite or not positive, an error that takes more than twelve halvings.
pub fn ellipsoid_mesh(center: Vec3, radii: Vec3, error: f64, volid: i32, surfid: i32) -> Result<Mesh> {
    Ellipsoid::new(center, radii, volid, surfid)?;
    if !(error > 0.0 && error.is_finite()) {
        return Err(Error::input(format!("error of the mesh is {error}: give a positive length")));
    }
    let mut surface = Surface::new(radii);
    let mut levels = 0;
    while surface.refine(error) {
        levels += 1;
        let triangles = surface.triangles.len();
        if levels == MOST_LEVELS || triangles > MOST_TRIANGLES {
            return Err(Error::input(format!(
                "error {error:e} is not reached after {levels} halvings with {triangles} triangles: give a greater error"
            )));
        }
    }
    surface.fill(center, volid, surfid)
}

/// Triangles on an ellipsoid about the origin.
struct Surface {
    radii: Vec3,
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Surface {
    fn new(radii: Vec3) -> Surface {
        let sphere = icosahedron().halved();
        // Radially onto the ellipsoid: the direction stays.
        let points = sphere.points.iter().map(|u| onto(&radii, u)).collect();
        Surface { radii, points, triangles: sphere.triangles }
    }

    /// Halves the edges whose middle is too far inside; false if there are none.
    fn refine(&mut self, error: f64) -> bool {
        let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for corners in &self.triangles {
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                let edge = [a.min(b), a.max(b)];
                let middle = 0.5 * (self.points[a as usize] + self.points[b as usize]);
                let on = onto(&self.radii, &middle);
                if (on - middle).norm() > error && !middles.contains_key(&edge) {
                    middles.insert(edge, self.points.len() as u32);
                    self.points.push(on);
                }
            }
        }
        let old = std::mem::take(&mut self.triangles);
        for corners in old {
            let middle = |k: usize| {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                middles.get(&[a.min(b), a.max(b)]).copied()
            };
            self.triangles.extend(divided(corners, [middle(0), middle(1), middle(2)]));
        }
        !middles.is_empty()
    }

    /// The mesh inside.
    fn fill(&self, center: Vec3, volid: i32, surfid: i32) -> Result<Mesh> {
        let scales = scales(self.triangles.len());
        let count = self.points.len() as u32;
        let mut nodes: Vec<Vec3> = Vec::new();
        scales.iter().for_each(|scale| nodes.extend(self.points.iter().map(|x| center + x * *scale)));
        nodes.push(center);
        let mut elements = Vec::new();
        for shell in 1..scales.len() as u32 {
            for corners in &self.triangles {
                let [a, b, c] = corners.map(|p| p + shell * count);
                let [d, e, f] = corners.map(|p| p + (shell - 1) * count);
                let wedge = Element { kind: ElementKind::Wedge, nodes: [a, b, c, d, e, f, 0, 0], volid };
                for four in wedge.tetrahedra() {
                    elements.push(RawElement::new(&four.map(|local| wedge.nodes[usize::from(local)]), volid)?);
                }
            }
        }
        let inner = (scales.len() as u32 - 1) * count;
        for [a, b, c] in &self.triangles {
            elements.push(RawElement::new(&[inner + a, inner + c, inner + b, nodes.len() as u32 - 1], volid)?);
        }
        let raw = RawMesh { nodes, elements, surfid, faces: Vec::new() };
        Ok(raw.mesh()?.0)
    }
}

/// Sizes of the shells from the surface inward: each as much smaller as its triangles are wide.
fn scales(triangles: usize) -> Vec<f64> {
    // Side of an equilateral triangle with this share of the unit sphere.
    let width = (16.0 * std::f64::consts::PI / (3f64.sqrt() * triangles as f64)).sqrt();
    let mut scales = vec![1.0];
    let mut next = 1.0 - width;
    while next >= CORE {
        scales.push(next);
        next *= 1.0 - width;
    }
    scales
}

/// Where the ray from the origin through `x` meets the ellipsoid.
fn onto(radii: &Vec3, x: &Vec3) -> Vec3 {
    x / x.component_div(radii).norm()
}

/// A triangle with the middles of some sides (of corners 0 and 1, 1 and 2, 2 and 0): two, three or four triangles.
fn divided([a, b, c]: [u32; 3], middles: [Option<u32>; 3]) -> Vec<[u32; 3]> {
    match middles {
        [None, None, None] => vec![[a, b, c]],
        [Some(m), None, None] => vec![[a, m, c], [m, b, c]],
        [None, Some(_), None] => divided([b, c, a], [middles[1], None, None]),
        [None, None, Some(_)] => divided([c, a, b], [middles[2], None, None]),
        // The corner between the two middles is cut off; of the rest the diagonal from the smaller number.
        [Some(m), Some(n), None] => {
            let rest = if a < c { [[a, m, n], [a, n, c]] } else { [[a, m, c], [m, n, c]] };
            vec![[m, b, n], rest[0], rest[1]]
        }
        [None, Some(_), Some(_)] => divided([b, c, a], [middles[1], middles[2], None]),
        [Some(_), None, Some(_)] => divided([c, a, b], [middles[2], middles[0], None]),
        [Some(m), Some(n), Some(o)] => vec![[a, m, o], [m, b, n], [o, n, c], [m, n, o]],
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn a_coarse_ball_is_an_icosahedron_with_halved_edges() {
        let mesh = ellipsoid_mesh(Vec3::new(1.0, 2.0, 3.0), Vec3::repeat(1.0), 0.05, 4, 5).unwrap();
        assert_eq!(mesh.boundary.len(), 80);
        assert_eq!(mesh.nodes_on_surface(5).len(), 42);
        let integrals = mesh.integrals();
        assert!((3.6..4.19).contains(&integrals.volume), "{}", integrals.volume);
        assert!((integrals.center - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-14);
        assert!(mesh.elements.iter().all(|e| e.kind == ElementKind::Tet && e.volid == 4));
    }

    /// Middles of boundary edges are as near as wanted, and the volume goes to 4/3 π abc.
    #[test]
    fn volume_and_distance_converge() {
        let radii = Vec3::new(1.0, 2.0, 0.5);
        let exact = 4.0 / 3.0 * PI * radii.product();
        let mut last = f64::INFINITY;
        for error in [0.1, 0.03, 0.008] {
            let mesh = ellipsoid_mesh(Vec3::zeros(), radii, error, 1, 1).unwrap();
            for face in &mesh.boundary {
                let corners: Vec<Vec3> = mesh.elements[face.element as usize]
                    .face(face.local.into())
                    .map(|n| mesh.nodes[n as usize])
                    .collect();
                for k in 0..3 {
                    let middle = 0.5 * (corners[k] + corners[(k + 1) % 3]);
                    assert!((onto(&radii, &middle) - middle).norm() <= error);
                    assert!((onto(&radii, &corners[k]) - corners[k]).norm() < 1e-14);
                }
            }
            let missing = 1.0 - mesh.integrals().volume / exact;
            assert!(missing > 0.0 && missing < 0.5 * last, "{error}: {missing}");
            last = missing;
        }
        assert!(last < 0.02, "{last}");
    }

    #[test]
    fn errors_without_end_are_refused() {
        let message = ellipsoid_mesh(Vec3::zeros(), Vec3::repeat(1.0), 0.0, 1, 1).unwrap_err().to_string();
        assert!(message.contains("error of the mesh is 0"), "{message}");
        let message = ellipsoid_mesh(Vec3::zeros(), Vec3::repeat(1.0), 1e-9, 1, 1).unwrap_err().to_string();
        assert!(message.contains("is not reached after"), "{message}");
        assert!(ellipsoid_mesh(Vec3::zeros(), Vec3::new(1.0, -1.0, 1.0), 0.1, 1, 1).is_err());
    }
}
