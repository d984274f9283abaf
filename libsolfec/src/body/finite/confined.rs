//! What a body of finite elements does to stay in its base. The state of the nodes stays the state of the body.
//!
//! In a step the mean of the velocities of t and t+h lies in the space R Φ of the configuration of detection, so what
//! keeps them there does no work: with the projection P onto that space, the velocity of t goes into the step as
//! `(2 P − 1) v`. A body that turns freely so keeps its spin and its size. At the end of the step the state is projected
//! onto `x = x̄ + R (X − X̄ + Φ q)`, `v = R Φ u`, which removes what is left of third order.

use super::body::{FiniteBody, State};
use crate::math::{Mat3, Vec3};

impl FiniteBody {
    /// Forces on reduced coordinates become forces on nodes.
    pub(super) fn add_reduced_forces(&mut self) {
        let Some(reduced) = self.reduced.as_ref().filter(|reduced| !reduced.force.is_empty()) else { return };
        let rotation = self.rotation();
        let nodal = reduced.nodal(&reduced.force, &self.mass);
        self.force.iter_mut().zip(nodal).for_each(|(force, nodal)| *force += rotation * nodal);
    }

    /// Velocities of t as they go into the step, with the rotation of the configuration of detection.
    pub(super) fn reflect(&self, v: &mut [Vec3]) {
        let (Some(reduced), rotation) = (&self.reduced, self.rotation()) else { return };
        let mut tangent: Vec<Vec3> = v.iter().map(|v| rotation.tr_mul(v)).collect();
        reduced.project(&mut tangent, &self.mass);
        v.iter_mut().zip(tangent).for_each(|(v, tangent)| *v = rotation * tangent * 2.0 - *v);
    }

    /// The state is again that of a reduced body after a motion by `after` [s] with the velocities of the state.
    pub(super) fn stay_reduced(&mut self, after: f64) {
        if self.reduced.is_none() {
            return;
        }
        let before = self.state.v.clone();
        self.project_velocities();
        let State { x, v } = &mut self.state;
        x.iter_mut().zip(v.iter().zip(&before)).for_each(|(x, (v, before))| *x += (v - before) * after);
        self.project_places();
    }

    /// Velocities become the nearest ones in the base.
    pub(super) fn project_velocities(&mut self) {
        let rotation = self.present_rotation();
        let Some(reduced) = &self.reduced else { return };
        let v = &mut self.state.v;
        v.iter_mut().for_each(|v| *v = rotation.tr_mul(v));
        reduced.project(v, &self.mass);
        v.iter_mut().for_each(|v| *v = rotation * *v);
    }

    fn project_places(&mut self) {
        let rotation = self.present_rotation();
        let (Some(reduced), Some(corotation)) = (&self.reduced, self.corotation()) else { return };
        let mut u: Vec<Vec3> = corotation.displacements(&self.grid.mesh.nodes, &self.state.x, &rotation).collect();
        reduced.project(&mut u, &self.mass);
        let mut x = self.state.x.clone();
        corotation.place(&self.grid, &mut x, &rotation, &u);
        self.state.x = x;
    }

    /// Reduced coordinates `q = Π (Rᵀ x − X)`, then the rotation R by columns; `None` of a body that is not reduced.
    pub fn reduced_configuration(&self) -> Option<Vec<f64>> {
        let reduced = self.reduced.as_ref()?;
        let rotation = self.present_rotation();
        let nodes = self.state.x.iter().zip(&self.grid.mesh.nodes);
        let u: Vec<Vec3> = nodes.map(|(x, reference)| rotation.tr_mul(x) - reference).collect();
        let mut numbers = reduced.coordinates(&u, &self.mass).as_slice().to_vec();
        numbers.extend(rotation.iter());
        Some(numbers)
    }

    /// `x = R (X + Φ q)`.
    pub fn set_reduced_configuration(&mut self, q: &[f64], rotation: &Mat3) {
        let Some(reduced) = &self.reduced else { return };
        reduced.lift(q, &mut self.state.x);
        let nodes = self.state.x.iter_mut().zip(&self.grid.mesh.nodes);
        nodes.for_each(|(x, reference)| *x = rotation * (reference + *x));
    }

    /// `u = Π Rᵀ v`; `None` of a body that is not reduced.
    pub fn reduced_velocity(&self) -> Option<Vec<f64>> {
        let reduced = self.reduced.as_ref()?;
        let rotation = self.present_rotation();
        let v: Vec<Vec3> = self.state.v.iter().map(|v| rotation.tr_mul(v)).collect();
        Some(reduced.coordinates(&v, &self.mass).as_slice().to_vec())
    }

    /// `v = R Φ u`.
    pub fn set_reduced_velocity(&mut self, u: &[f64]) {
        let rotation = self.present_rotation();
        let Some(reduced) = &self.reduced else { return };
        reduced.lift(u, &mut self.state.v);
        self.state.v.iter_mut().for_each(|v| *v = rotation * *v);
    }

    /// Mean rotation of the state.
    fn present_rotation(&self) -> Mat3 {
        let rotation = self.corotation().map(|corotation| corotation.rotation(&self.state.x));
        rotation.map_or(Mat3::identity(), |rotation| rotation.unwrap_or(Mat3::repeat(f64::NAN)))
    }
}
