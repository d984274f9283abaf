//! What user constraints impose on single bodies outside of the solve: initial impulses, the motion of obstacles.

use super::bodies::{Bodies, Slot};
use super::{Resultant, Twist, EXTERNAL};
use crate::math::exp_map;

impl Bodies {
    /// Changes the velocity of body `i` by impulses [N s], with the inverse inertia of the last `free_velocity`. The kinetic
    /// energy that they bring is booked as external.
    pub fn kick(&mut self, i: usize, impulse: &Resultant) {
        match self.slot[i] {
            Slot::Rigid(k) => {
                let before = self.rigid.kinetic(k);
                let inertia = &self.rigid.inertia[k];
                let state = &mut self.rigid.state[k];
                state.v += impulse.force / inertia.mass;
                state.omega += inertia.inverse_action(&state.rot.tr_mul(&impulse.torque));
                self.rigid.work[k][EXTERNAL] += self.rigid.kinetic(k) - before;
            }
            Slot::Pseudo(k) => {
                let before = self.pseudo.kinetic(k);
                let (inertia, step) = (&self.pseudo.inertia[k], &self.pseudo.step[k]);
                let rate = &mut self.pseudo.state[k].rate;
                rate.v += impulse.force / inertia.mass;
                rate.fdot += step.inverse.apply(&impulse.moment);
                self.pseudo.work[k][EXTERNAL] += self.pseudo.kinetic(k) - before;
            }
        }
    }

    /// Adds a velocity to that of the obstacle `i`; other bodies are left alone.
    pub fn shift_velocity(&mut self, i: usize, change: &Twist) {
        let Slot::Rigid(k) = self.slot[i] else { return };
        if self.rigid.inertia[k].obstacle {
            let state = &mut self.rigid.state[k];
            state.v += change.linear;
            state.omega += state.rot.tr_mul(&change.angular);
        }
    }

    /// The obstacle `i` will have this velocity at the end of the step of length `h` [s], to which `drift` and
    /// `free_velocity` belong; other bodies are left alone.
    pub fn prescribe(&mut self, i: usize, h: f64, velocity: &Twist) {
        let Slot::Rigid(k) = self.slot[i] else { return };
        let inertia = &self.rigid.inertia[k];
        if !inertia.obstacle {
            return;
        }
        let (state, step) = (&self.rigid.state[k], &mut self.rigid.step[k]);
        step.free_v = velocity.linear;
        step.free_omega = state.rot.tr_mul(&velocity.angular);
        // The momentum from which every scheme of the second half turn finds this spin (bodies.md 1.4).
        step.momentum = exp_map(&(step.free_omega * (0.5 * h))) * (inertia.tensor * step.free_omega);
    }
}
