//! Place and velocity of the reference points of a body: `x(X) = x_c + F (X − X0)`, `v(X) = v_c + Ḟ (X − X0)`.

use crate::body::Motion;
use crate::frame::{Frame, PseudoRows, RigidRows};
use crate::math::{skew, Mat3, Vec3};
use crate::model::Model;

/// The affine motion of a body and its rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flow {
    pub motion: Motion,
    /// Velocity of the mass centre [m/s].
    pub v: Vec3,
    /// `Ḟ` [1/s]; `R skew(Ω)` of a rigid body.
    pub rate: Mat3,
}

impl Flow {
    /// Current place of the reference point [m].
    pub fn point(&self, reference: &Vec3) -> Vec3 {
        self.motion.point(reference)
    }

    /// Velocity of the reference point [m/s].
    pub fn velocity(&self, reference: &Vec3) -> Vec3 {
        self.v + self.rate * (reference - self.motion.x0)
    }
}

/// Flow of row `row` of rigid bodies and obstacles; `x0` is the reference mass centre.
pub fn flow_of_rigid(rows: &RigidRows, row: usize, x0: Vec3) -> Flow {
    let rotation = Mat3::from_column_slice(&rows.rot[row]);
    Flow {
        motion: Motion { f: rotation, x: rows.x[row].into(), x0 },
        v: rows.v[row].into(),
        rate: rotation * skew(&rows.omega[row].into()),
    }
}

/// Flow of row `row` of pseudo-rigid bodies.
pub fn flow_of_pseudo(rows: &PseudoRows, row: usize, x0: Vec3) -> Flow {
    Flow {
        motion: Motion { f: Mat3::from_row_slice(&rows.f[row]), x: rows.x[row].into(), x0 },
        v: rows.v[row].into(),
        rate: Mat3::from_row_slice(&rows.fdot[row]),
    }
}

/// Flow of a body (row of `model.bodies`), `None` when the frame does not hold it.
pub fn flow(model: &Model, frame: &Frame, body: u32) -> Option<Flow> {
    let x0 = model.bodies.get(body as usize)?.chars.center;
    let row_in = |column: &[u32]| column.iter().position(|&b| b == body);
    if let Some(row) = row_in(&frame.rigid.body) {
        return Some(flow_of_rigid(&frame.rigid, row, x0));
    }
    row_in(&frame.pseudo.body).map(|row| flow_of_pseudo(&frame.pseudo, row, x0))
}

/// Current coordinate [m] of a reference point.
pub fn coordinate(model: &Model, frame: &Frame, body: u32, reference: &Vec3) -> Option<Vec3> {
    flow(model, frame, body).map(|f| f.point(reference))
}

/// Displacement [m] of a reference point.
pub fn displacement(model: &Model, frame: &Frame, body: u32, reference: &Vec3) -> Option<Vec3> {
    flow(model, frame, body).map(|f| f.point(reference) - reference)
}

/// Velocity [m/s] of a reference point, spatial.
pub fn velocity(model: &Model, frame: &Frame, body: u32, reference: &Vec3) -> Option<Vec3> {
    flow(model, frame, body).map(|f| f.velocity(reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLERANCE: f64 = 1e-14;

    #[test]
    fn a_turning_body_carries_its_points() {
        // Quarter turn about z, turning at 2 rad/s about the same axis, centre moving along y.
        let rows = RigidRows {
            body: vec![0],
            x: vec![[5.0, 0.0, 0.0]],
            rot: vec![[0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]],
            v: vec![[0.0, 3.0, 0.0]],
            omega: vec![[0.0, 0.0, 2.0]],
            energy: vec![[0.0; 6]],
        };
        let flow = flow_of_rigid(&rows, 0, Vec3::new(1.0, 1.0, 1.0));
        let reference = Vec3::new(2.0, 1.0, 1.0);
        assert!((flow.point(&reference) - Vec3::new(5.0, 1.0, 0.0)).norm() < TOLERANCE);
        // v = v_c + ω × r with r = (0, 1, 0).
        assert!((flow.velocity(&reference) - Vec3::new(-2.0, 3.0, 0.0)).norm() < TOLERANCE);
    }

    #[test]
    fn pseudo_rigid_tensors_are_row_wise() {
        let rows = PseudoRows {
            body: vec![0],
            x: vec![[0.0; 3]],
            f: vec![[1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]],
            v: vec![[0.0; 3]],
            fdot: vec![[0.0, 0.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]],
            energy: vec![[0.0; 6]],
        };
        let flow = flow_of_pseudo(&rows, 0, Vec3::zeros());
        assert_eq!(flow.point(&Vec3::new(0.0, 2.0, 0.0)), Vec3::new(1.0, 2.0, 0.0));
        assert_eq!(flow.velocity(&Vec3::new(0.0, 0.0, 1.0)), Vec3::new(7.0, 0.0, 0.0));
    }
}
