//! Bodies that move as a test says, without dynamics.

use std::ops::{Deref, DerefMut};

use solfec::body::{MaterialPoint, Motion};
use solfec::contact::Kinematics;
use solfec::ids::{BodyIndex, ObjectIndex};
use solfec::math::Vec3;

/// The motion of each body.
#[derive(Default)]
pub struct Motions(pub Vec<Motion>);

impl Deref for Motions {
    type Target = Vec<Motion>;

    fn deref(&self) -> &Vec<Motion> {
        &self.0
    }
}

impl DerefMut for Motions {
    fn deref_mut(&mut self) -> &mut Vec<Motion> {
        &mut self.0
    }
}

impl Kinematics for Motions {
    fn check_place(&self, body: BodyIndex) -> Result<(), String> {
        self[body.index()].check()
    }

    fn place(&self, body: BodyIndex, reference: &[Vec3], _nodes: &[u32], out: &mut [Vec3]) {
        self[body.index()].place(reference, out);
    }

    fn turn_normals(&self, body: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        self[body.index()].turn_normals(reference, out);
        true
    }

    fn point(&self, point: &MaterialPoint) -> Vec3 {
        self[point.body.index()].point(&point.reference)
    }

    fn reference(&self, body: BodyIndex, _object: ObjectIndex, _element: u32, here: &Vec3) -> Option<Vec3> {
        self[body.index()].reference(here)
    }
}
