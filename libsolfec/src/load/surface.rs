//! Integrals over a surface of a mesh: all that pressure on a body with an affine motion needs.

use crate::material::ANY;
use crate::math::{Mat3, Vec3};
use crate::shape::{BoundaryFace, Mesh, Shape};

/// Integrals over reference faces, with outward normals `N` and arms `A` from the mass centre. Under `x = x_c + F A`
/// the vector area of every face becomes `cof F · N dA` (Nanson), so these say the resultant and moment of current
/// faces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceIntegrals {
    /// `∫ N dA` [m²].
    pub area: Vec3,
    /// `∫ N ⊗ A dA` [m³].
    pub moment: Mat3,
}

/// A surface on which pressure acts.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceLoad {
    /// What bodies in affine motion need of it.
    pub integrals: SurfaceIntegrals,
    pub faces: Vec<LoadedFace>,
    /// Whether it acts on the present surface of a body of finite elements, not on that of the reference configuration;
    /// on others it always does.
    pub follower: bool,
}

/// A face of a mesh on which pressure acts.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedFace {
    pub element: u32,
    /// Nodes counter-clockwise seen from outside, and where they are in the reference configuration [m].
    pub nodes: Vec<u32>,
    pub corners: Vec<Vec3>,
}

impl SurfaceLoad {
    /// The boundary faces of `mesh` with surface id `surfid` ([`ANY`]: all), placed as `shape`; moments are about
    /// `center`. `None` if no face has the id.
    pub fn new(mesh: &Mesh, shape: &Shape, surfid: i32, center: &Vec3, follower: bool) -> Option<Self> {
        let integrals = SurfaceIntegrals::new(mesh, shape, surfid, center)?;
        let loaded = |face: &BoundaryFace| {
            let nodes: Vec<u32> = mesh.elements[face.element as usize].face(face.local as usize).collect();
            LoadedFace { element: face.element, nodes, corners: corners(mesh, shape, face, &Vec3::zeros()) }
        };
        let faces = mesh.boundary.iter().filter(|face| surfid == ANY || face.surfid == surfid).map(loaded).collect();
        Some(SurfaceLoad { integrals, faces, follower })
    }
}

impl SurfaceIntegrals {
    /// Over the boundary faces of `mesh` with surface id `surfid` ([`ANY`]: all), placed as `shape`, about `center`.
    /// Quadrilaterals are bilinear, as in the mass integrals. `None` if no face has the id.
    pub fn new(mesh: &Mesh, shape: &Shape, surfid: i32, center: &Vec3) -> Option<Self> {
        let mut sum = SurfaceIntegrals { area: Vec3::zeros(), moment: Mat3::zeros() };
        let mut found = false;
        for face in mesh.boundary.iter().filter(|face| surfid == ANY || face.surfid == surfid) {
            found = true;
            match *corners(mesh, shape, face, center).as_slice() {
                [a, b, c] => sum.add((b - a).cross(&(c - a)) * 0.5, (a + b + c) / 3.0),
                [a, b, c, d] => sum.add_bilinear(&[a, b, c, d]),
                _ => unreachable!("faces of elements have three or four corners"),
            }
        }
        found.then_some(sum)
    }

    /// `∫ A × N dA`: the torque of a unit pressure about the centre, referential [m³].
    pub fn torque(&self) -> Vec3 {
        let g = &self.moment;
        Vec3::new(g[(2, 1)] - g[(1, 2)], g[(0, 2)] - g[(2, 0)], g[(1, 0)] - g[(0, 1)])
    }

    fn add(&mut self, area: Vec3, arm: Vec3) {
        self.area += area;
        self.moment += area * arm.transpose();
    }

    /// Two Gauss points in each direction: the integrand `N ⊗ A dA` is quadratic in each.
    fn add_bilinear(&mut self, [a, b, c, d]: &[Vec3; 4]) {
        let gauss = 1.0 / 3f64.sqrt();
        for (xi, eta) in [(-gauss, -gauss), (gauss, -gauss), (gauss, gauss), (-gauss, gauss)] {
            let (p, q) = ((1.0 - xi, 1.0 + xi), (1.0 - eta, 1.0 + eta));
            let arm = (a * p.0 * q.0 + b * p.1 * q.0 + c * p.1 * q.1 + d * p.0 * q.1) * 0.25;
            let along_xi = ((b - a) * q.0 + (c - d) * q.1) * 0.25;
            let along_eta = ((d - a) * p.0 + (c - b) * p.1) * 0.25;
            self.add(along_xi.cross(&along_eta), arm);
        }
    }
}

/// Corners of a face, counter-clockwise from outside, relative to `center`.
fn corners(mesh: &Mesh, shape: &Shape, face: &BoundaryFace, center: &Vec3) -> Vec<Vec3> {
    let nodes = mesh.elements[face.element as usize].face(face.local as usize);
    nodes.map(|n| shape.rotation * mesh.nodes[n as usize] + shape.shift - center).collect()
}
