//! A running simulation shows itself as a [`Frame`].

use super::Simulation;
use crate::math::Vec3;
use crate::model::BodyKind;
use crate::query::{ConstraintRows, Frame, PseudoRows, RigidRows};

/// Kind number of a contact (conventions.md 9).
const CONTACT: u8 = 0;

fn row3(v: &Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

impl Simulation {
    /// The present state as the next frame; events since the previous one go with it.
    pub fn take_frame(&mut self) -> Frame {
        let frame = Frame {
            index: self.frames,
            time: self.clock.now(),
            step_count: self.steps,
            h: self.last_h,
            statistics: self.statistics,
            run: self.runs.saturating_sub(1),
            rigid: self.rigid_rows(),
            pseudo: self.pseudo_rows(),
            constraints: self.constraint_rows(),
            events: std::mem::take(&mut self.events),
        };
        self.frames += 1;
        self.frame_step = Some(self.steps);
        frame
    }

    /// Rigid bodies and obstacles: balls first, then by id (the shape classes of commands-and-results.md E.4).
    fn rigid_rows(&self) -> RigidRows {
        let mut rows = RigidRows::default();
        for index in self.in_frame_order(|kind| kind != BodyKind::PseudoRigid) {
            let (configuration, velocity) = (self.bodies.configuration(index), self.bodies.velocity(index));
            rows.body.push(self.bodies.row(index) as u32);
            rows.rot.push(std::array::from_fn(|k| configuration[k]));
            rows.x.push(std::array::from_fn(|k| configuration[9 + k]));
            rows.omega.push(std::array::from_fn(|k| velocity[k]));
            rows.v.push(std::array::from_fn(|k| velocity[3 + k]));
            rows.energy.push(self.bodies.energies(index));
        }
        rows
    }

    fn pseudo_rows(&self) -> PseudoRows {
        let mut rows = PseudoRows::default();
        for index in self.in_frame_order(|kind| kind == BodyKind::PseudoRigid) {
            let (configuration, velocity) = (self.bodies.configuration(index), self.bodies.velocity(index));
            rows.body.push(self.bodies.row(index) as u32);
            rows.f.push(std::array::from_fn(|k| configuration[k]));
            rows.x.push(std::array::from_fn(|k| configuration[9 + k]));
            rows.fdot.push(std::array::from_fn(|k| velocity[k]));
            rows.v.push(std::array::from_fn(|k| velocity[9 + k]));
            rows.energy.push(self.bodies.energies(index));
        }
        rows
    }

    /// Dense indices of the bodies of these kinds in the row order of frames: (shape class, id).
    fn in_frame_order(&self, wanted: impl Fn(BodyKind) -> bool) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.bodies.len()).filter(|&i| wanted(self.bodies.kind(i))).collect();
        order.sort_by_key(|&i| (self.facts[self.bodies.row(i)].shape_class, self.bodies.id(i)));
        order
    }

    /// Contacts by (master id, slave id, id).
    fn constraint_rows(&self) -> ConstraintRows {
        let mut order: Vec<usize> = (0..self.contacts.len()).collect();
        order.sort_by_key(|&i| {
            let c = &self.contacts[i];
            (self.bodies.id(c.master.body as usize), self.bodies.id(c.slave.body as usize), c.id)
        });
        let mut rows = ConstraintRows::default();
        for i in order {
            let c = &self.contacts[i];
            let column = |k: usize| row3(&c.base.column(k).into_owned());
            rows.id.push(c.id);
            rows.kind.push(CONTACT);
            rows.master.push(self.bodies.row(c.master.body as usize) as u32);
            rows.slave.push(self.bodies.row(c.slave.body as usize) as u32);
            rows.point.push(row3(&c.master.point));
            rows.tangent1.push(column(0));
            rows.tangent2.push(column(1));
            rows.normal.push(column(2));
            rows.r.push(row3(&c.r));
            rows.u.push(row3(&c.u));
            rows.v.push(row3(&c.v));
            rows.force.push(row3(&(c.base * c.r)));
            rows.gap.push(c.gap);
            rows.area.push(c.area);
            rows.merit.push(c.merit);
            rows.material.push(c.material as i16);
            rows.surf.push([c.master.surf, c.slave.surf]);
            rows.state.push(u8::from(c.cohesion > 0.0));
            rows.aux.push([c.cohesion, 0.0, 0.0, 0.0]);
        }
        rows
    }
}
