//! A running simulation shows itself as a [`Frame`].

use super::Simulation;
use crate::constraint::Constraint;
use crate::contact::Contact;
use crate::frame::{ConstraintRows, Frame, FrameRow, NO_BODY, NO_ROW};
use crate::ids::{BodyId, BodyIndex};
use crate::math::{Mat3, Vec3};
use crate::model::constraint_kind;

impl Simulation {
    /// The present state as the next frame; events since the previous one go with it.
    pub fn take_frame(&mut self) -> Frame {
        self.work.make_room();
        let frame = self.view();
        self.events.clear();
        self.frames += 1;
        self.frame_step = Some(self.steps);
        frame
    }

    /// The present state as a frame that is only looked at.
    pub fn view(&self) -> Frame {
        let mut frame = self.instant();
        self.bodies.show(&mut frame);
        Frame { constraints: self.constraint_rows(), events: self.events.clone(), ..frame }
    }

    /// The present instant as a frame without rows.
    fn instant(&self) -> Frame {
        Frame::empty(FrameRow {
            index: self.frames,
            time: self.clock.now(),
            step_count: self.steps,
            h: self.last_h,
            run: self.runs.saturating_sub(1),
            iterations: self.statistics.iterations,
            merit: self.statistics.merit,
            error: self.statistics.error,
        })
    }

    /// One body as a frame that shows nothing else.
    pub fn view_body(&self, index: BodyIndex) -> Frame {
        let mut frame = self.instant();
        self.bodies.show_one(index, &mut frame);
        frame
    }

    /// Constraints by (kind, master id, slave id, id).
    fn constraint_rows(&self) -> ConstraintRows {
        let mut rows = ConstraintRows::default();
        let id = |body: BodyIndex| self.bodies.id(body);
        let mut order: Vec<usize> = (0..self.contacts.len()).collect();
        order.sort_by_key(|&i| {
            let c = &self.contacts[i];
            (id(c.master.body), id(c.slave.body), c.id)
        });
        for i in order {
            self.add_contact(&mut rows, &self.contacts[i]);
        }
        let mut constraints: Vec<&Constraint> = self.constraints.iter().collect();
        constraints.sort_by_key(|t| {
            (t.kind(), id(t.master.body()), t.slave.map_or(BodyId(0), |slave| id(slave.body())), t.id)
        });
        for constraint in constraints {
            self.add_constraint(&mut rows, constraint);
        }
        rows
    }

    fn add_contact(&self, rows: &mut ConstraintRows, c: &Contact) {
        rows.id.push(c.id);
        rows.kind.push(constraint_kind::CONTACT);
        rows.row.push(NO_ROW);
        rows.master.push(self.bodies.row(c.master.body).0);
        rows.slave.push(self.bodies.row(c.slave.body).0);
        rows.point.push(c.master.point.into());
        rows.user_tangents.push([0.0; 6]);
        add_local(rows, &c.base, [&c.r, &c.u, &c.v]);
        rows.gap.push(c.gap);
        rows.area.push(c.area);
        rows.merit.push(c.merit);
        rows.material.push(c.material as i16);
        rows.surf.push([c.master.surf, c.slave.surf]);
        rows.state.push(u8::from(c.cohesion > 0.0));
        rows.aux.push([c.cohesion, 0.0, 0.0, 0.0]);
    }

    fn add_constraint(&self, rows: &mut ConstraintRows, constraint: &Constraint) {
        rows.id.push(constraint.id);
        rows.kind.push(constraint.kind());
        rows.row.push(constraint.row);
        rows.master.push(self.bodies.row(constraint.master.body()).0);
        rows.slave.push(constraint.slave.map_or(NO_BODY, |slave| self.bodies.row(slave.body()).0));
        rows.point.push(constraint.master.point.into());
        rows.user_tangents.push(std::array::from_fn(|i| constraint.base.as_slice()[i]));
        add_local(rows, &constraint.base, [&constraint.r, &constraint.u, &constraint.v]);
        rows.gap.push(constraint.gap());
        rows.area.push(0.0);
        rows.merit.push(constraint.merit);
        rows.material.push(-1);
        rows.surf.push([0, 0]);
        rows.state.push(0);
        rows.aux.push(constraint.auxiliary());
    }
}

/// The normal of the base, and reaction and velocities (R, U, V) in it.
fn add_local(rows: &mut ConstraintRows, base: &Mat3, [r, u, v]: [&Vec3; 3]) {
    rows.normal.push(base.column(2).into_owned().into());
    rows.r.push((*r).into());
    rows.u.push((*u).into());
    rows.v.push((*v).into());
    rows.force.push((base * r).into());
}
