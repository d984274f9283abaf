//! Constraints in the present state of a SOLFEC object: those of the model before the first RUN, of a running
//! simulation, or of a stored frame.

use solfec::frame::{Frame, NO_BODY, NO_ROW};
use solfec::math::{local_base, Mat3, Vec3};
use solfec::model::{constraint_kind, ConstraintRow, Joint, SpringAxis};

use super::fault::Fault;
use super::now::{Now, State};
use super::query::{Answer, Constraint, Query, CONTACT};
use super::stored::Stored;

impl Now<'_> {
    /// Second numbers of the handles of all constraints, or of those at one body, the latest first.
    pub fn constraints(&self, body: Option<u64>) -> Result<Vec<u64>, Fault> {
        let mut found: Vec<(u64, u64)> = match self.state {
            State::Described => return Ok(self.described_constraints(body)),
            State::Running(k, engine) => match engine.ask(k, &Query::Constraints(body))? {
                Answer::Constraints(found) => found,
                other => return Err(other.unexpected()),
            },
            State::Stored(stored, frame) => stored_constraints(stored, frame, body),
        };
        let mut latest = Vec::new();
        if let Some(since) = self.since {
            latest = self.described_constraints(body);
            latest.retain(|row| *row >= since.constraints as u64);
            found.retain(|(_, key)| matches!(self.constraint(*key), Ok(Some(_))));
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        latest.extend(found.into_iter().map(|(_, key)| key));
        Ok(latest)
    }

    fn described_constraints(&self, body: Option<u64>) -> Vec<u64> {
        let rows = self.domain.model.constraints.iter().enumerate().rev();
        let at = |row: &ConstraintRow| body.is_none_or(|id| row.master == id || row.slave == Some(id));
        let gone = |row: usize| self.domain.deleted.constraints.contains(&(row as u32));
        rows.filter(|(row, of)| !gone(*row) && at(of)).map(|(row, _)| row as u64).collect()
    }

    /// A constraint by the second number of its handle; `None` when there is no such (any more).
    pub fn constraint(&self, key: u64) -> Result<Option<Constraint>, Fault> {
        let contact = key & CONTACT != 0;
        let id = key & !CONTACT;
        if !contact && self.domain.deleted.constraints.contains(&(key as u32)) {
            return Ok(None);
        }
        Ok(match self.state {
            State::Described => match self.domain.model.constraints.get(key as usize) {
                Some(row) if !contact => Some(self.as_described(row)?),
                _ => None,
            },
            State::Running(k, engine) => match engine.ask(k, &Query::Constraint(key))? {
                Answer::Constraint(found) => found.map(|constraint| *constraint),
                other => return Err(other.unexpected()),
            },
            State::Stored(..) if !contact && self.since.is_some_and(|since| key >= since.constraints as u64) => {
                self.domain.model.constraints.get(key as usize).map(|row| self.as_described(row)).transpose()?
            }
            State::Stored(stored, frame) => {
                let row = if contact { stored.constraint(id) } else { stored.user_constraint(key as u32) };
                let found = row.and_then(|row| of_row(stored, frame, row));
                found.filter(|of| !self.gone(of.master) && !of.slave.is_some_and(|slave| self.gone(slave)))
            }
        })
    }

    /// A constraint that no RUN has seen yet.
    fn as_described(&self, row: &ConstraintRow) -> Result<Constraint, Fault> {
        let missing = || Fault::wrong_type("body was deleted or has left the extents");
        let place = |id: u64, point: &Vec3| self.point(id, point)?.ok_or_else(missing);
        let point = place(row.master, &row.points[0])?;
        let other = row.slave.map_or(Ok(row.points[1]), |slave| place(slave, &row.points[1]))?;
        let link = matches!(row.joint, Joint::RigidLink { .. });
        Ok(Constraint {
            kind: row.joint.number(),
            master: row.master,
            slave: row.slave,
            r: Vec3::zeros(),
            u: Vec3::zeros(),
            v: Vec3::zeros(),
            base: base(&row.joint, &(point - other)),
            point,
            other: link.then_some(other),
            area: 0.0,
            gap: 0.0,
            merit: 0.0,
            material: None,
            surfaces: None,
        })
    }
}

/// Local base (docs/conventions.md 2); `z` goes from slave to master.
fn base(joint: &Joint, z: &Vec3) -> Mat3 {
    match joint {
        Joint::FixPoint { .. } => Mat3::identity(),
        Joint::FixDirection { direction } | Joint::Drive { direction, .. } => local_base(direction),
        Joint::Drive3 { base, .. } => *base,
        Joint::Spring { axis: SpringAxis::Fixed(d) | SpringAxis::Master(d) | SpringAxis::Slave(d), .. } => {
            local_base(&-d)
        }
        Joint::RigidLink { .. } | Joint::Spring { axis: SpringAxis::Follow, .. } => {
            local_base(&z.try_normalize(0.0).unwrap_or(Vec3::z()))
        }
    }
}

fn stored_constraints(stored: &Stored, frame: &Frame, body: Option<u64>) -> Vec<(u64, u64)> {
    let rows = &frame.constraints;
    let wanted = body.map(|id| stored.model.body_row(id).map_or(NO_BODY, |row| row as u32));
    let at = |k: usize| wanted.is_none_or(|row| row != NO_BODY && (rows.master[k] == row || rows.slave[k] == row));
    let key = |k: usize| match rows.row[k] {
        NO_ROW => CONTACT | rows.id[k],
        row => u64::from(row),
    };
    (0..rows.id.len()).filter(|&k| at(k)).map(|k| (rows.id[k], key(k))).collect()
}

fn of_row(stored: &Stored, frame: &Frame, k: usize) -> Option<Constraint> {
    let rows = &frame.constraints;
    let id = |row: u32| stored.model.bodies.get(row as usize).map(|body| body.id);
    let point = Vec3::from(rows.point[k]);
    let [x, y, z, _] = rows.aux[k];
    let contact = rows.kind[k] == constraint_kind::CONTACT;
    let column = |of: &[[f64; 3]]| Vec3::from(of[k]);
    Some(Constraint {
        kind: rows.kind[k],
        master: id(rows.master[k])?,
        slave: if rows.slave[k] == NO_BODY { None } else { Some(id(rows.slave[k])?) },
        r: column(&rows.r),
        u: column(&rows.u),
        v: column(&rows.v),
        base: rows.base(k),
        point,
        // The first three auxiliary numbers of a link are x_m − x_s.
        other: (rows.kind[k] == constraint_kind::RIGLNK).then(|| point - Vec3::new(x, y, z)),
        area: rows.area[k],
        gap: rows.gap[k],
        merit: rows.merit[k],
        material: usize::try_from(rows.material[k]).ok().filter(|_| contact),
        surfaces: contact.then_some(rows.surf[k]),
    })
}
