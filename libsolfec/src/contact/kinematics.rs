//! What detection asks of bodies.

use crate::body::{Bodies, MaterialPoint};
use crate::ids::{BodyIndex, ObjectIndex};
use crate::math::Vec3;

/// Where bodies are. The methods are those of [`Bodies`] with the same names.
pub trait Kinematics: Sync {
    /// # Errors
    /// What is wrong with the configuration.
    fn check_place(&self, body: BodyIndex) -> Result<(), String>;

    /// Present places of vertices; `nodes` are their nodes in the meshes of the body or
    /// [`NO_NODE`](crate::body::NO_NODE).
    fn place(&self, body: BodyIndex, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]);

    /// Present unit normals of plane faces; false if the body deforms, so that they follow from the placed vertices.
    fn turn_normals(&self, body: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool;

    /// Whether the shape of the body does not stay affine.
    fn deforms(&self, body: BodyIndex) -> bool {
        !self.turn_normals(body, &[], &mut [])
    }

    /// Present place of a point.
    fn point(&self, point: &MaterialPoint) -> Vec3;

    /// Reference place of what is `here` now.
    fn reference(&self, body: BodyIndex, object: ObjectIndex, element: u32, here: &Vec3) -> Option<Vec3>;
}

impl Kinematics for Bodies {
    fn check_place(&self, body: BodyIndex) -> Result<(), String> {
        Bodies::check_place(self, body)
    }

    fn place(&self, body: BodyIndex, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]) {
        Bodies::place(self, body, reference, nodes, out);
    }

    fn turn_normals(&self, body: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        Bodies::turn_normals(self, body, reference, out)
    }

    fn point(&self, point: &MaterialPoint) -> Vec3 {
        Bodies::point(self, point)
    }

    fn reference(&self, body: BodyIndex, object: ObjectIndex, element: u32, here: &Vec3) -> Option<Vec3> {
        Bodies::reference(self, body, object, element, here)
    }
}
