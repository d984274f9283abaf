//! Taking the state of a simulation, and going on from it bit for bit.

use std::sync::Arc;

use super::ranks::Homes;
use super::state::{ConstraintColumns, ContactColumns, State};
use super::{Clock, Simulation};
use crate::body::{BodyColumns, Kind};
use crate::comm::{self, Alone, Communicator};
use crate::constraint::Constraint;
use crate::contact::{Contact, Side};
use crate::frame::EventKind;
use crate::ids::{BodyId, BodyIndex};
use crate::math::{columns, Mat3, Vec3};
use crate::model::{constraint_kind, Joint, Model, StoredOp};
use crate::{Error, Result};

impl Simulation {
    /// The state between two steps, when nothing is due; see [`super::Run::at_rest`].
    pub fn state(&self) -> State {
        let BodyColumns { rigid, pseudo, general } = self.bodies.columns();
        State {
            clock: Clock { legacy: false, ..self.clock },
            last_h: self.last_h,
            longest_h: self.longest_h,
            warned_step: self.work.warned_step,
            output: self.output,
            callback: self.callback.map(|(_, schedule)| schedule),
            steps: self.steps,
            frames: self.frames,
            frame_step: self.frame_step,
            runs: self.runs,
            next_constraint: self.next_constraint,
            statistics: self.statistics,
            memory: self.work.solver.memory,
            cuts: self.ranks.cuts().cloned(),
            rigid,
            pseudo,
            general,
            contacts: contact_columns(&self.contacts),
            constraints: constraint_columns(&self.constraints),
            events: self.events.clone(),
            warnings: self.warnings().clone(),
        }
    }

    /// The simulation as [`Simulation::state`] left it: its steps are bit for bit those of the simulation that went on.
    /// `program` holds the operations of the model that had acted by then, in order. What they set (settings,
    /// materials, schemes, callbacks, insertions) is had by replaying them; then the columns of `state` overwrite
    /// what moves.
    ///
    /// # Errors
    /// Operations that cannot act, and bodies, constraints or contacts of the state that model and program do not give:
    /// the model is another one.
    pub fn restore(model: &Model, program: &[StoredOp], state: &State) -> Result<Simulation> {
        Self::restore_on_rank(model, program, state, crate::body::kinds(), Arc::new(Alone))
    }

    /// The part of a simulation that belongs to this rank, of bodies of these formulations. The first rank has the
    /// model ([`Simulation::on_rank`]) and the whole state, which any number of ranks may have left
    /// ([`Simulation::whole_state`]); of the others its [`State::head`] is enough. All have the same program.
    /// Collective.
    ///
    /// # Errors
    /// As [`Simulation::restore`], the same on all ranks.
    pub fn restore_on_rank(
        model: &Model,
        program: &[StoredOp],
        state: &State,
        kinds: Vec<Box<dyn Kind>>,
        comm: Arc<dyn Communicator>,
    ) -> Result<Simulation> {
        comm::agree(&*comm, state.check())?;
        let mut simulation = Simulation::on_rank(model, kinds, comm)?;
        for op in program {
            simulation.play(model, op)?;
        }
        if simulation.alone() {
            simulation.take(state, Homes::new(), 1.0)?;
        } else {
            let (part, homes) = simulation.part_of(state)?;
            simulation.take(&part, homes, 1.0)?;
            simulation.ranks.go_on(state.cuts.as_ref());
        }
        if state.steps > 0 {
            simulation.work.newcomers.clear();
        }
        Ok(simulation)
    }

    /// Overwrites what moves, of the bodies and constraints of this rank; `homes` are the owners of the bodies of its
    /// contacts, `fraction` the part of a step that is made next. An error is the same on all ranks. Collective.
    pub(super) fn take(&mut self, state: &State, homes: Homes, fraction: f64) -> Result<()> {
        let bodies = bodies_of(state);
        let taken = self.keep_bodies(&bodies).and_then(|()| self.take_bodies(&bodies));
        comm::agree(&*self.comm, taken)?;
        self.clock = Clock { legacy: self.clock.legacy, ..state.clock };
        self.copy_again(homes, fraction * self.clock.h())?;
        let taken = self.take_rows(state);
        comm::agree(&*self.comm, taken)
    }

    /// Overwrites constraints, contacts and what is no row.
    fn take_rows(&mut self, state: &State) -> Result<()> {
        self.take_constraints(&state.constraints)?;
        self.contacts = self.contacts_of(&state.contacts)?;
        self.contacts_changed();
        let rows = self.rows;
        if let Some(event) = state.events.iter().find(|e| e.body.0 >= rows) {
            let text = format!("state: an event of body row {}, but the model has {rows} bodies", event.body);
            return Err(Error::input(text));
        }
        self.events.clone_from(&state.events);
        self.callback = match (self.callback, state.callback) {
            (Some((function, _)), Some(schedule)) => Some((function, schedule)),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                return Err(Error::input("state: its CALLBACK is not that of the program; it belongs to another model"))
            }
        };
        (self.last_h, self.output, self.work.warned_step) = (state.last_h, state.output, state.warned_step);
        self.longest_h = known(state.longest_h, state.last_h);
        (self.steps, self.frames, self.frame_step) = (state.steps, state.frames, state.frame_step);
        (self.runs, self.next_constraint, self.statistics) = (state.runs, state.next_constraint, state.statistics);
        self.work.solver.memory = state.memory;
        self.work.stale = true;
        self.warnings.restore(&state.warnings)
    }

    /// Removes the bodies that were gone.
    fn keep_bodies(&mut self, columns: &BodyColumns) -> Result<()> {
        let mut keep = vec![false; self.bodies.len()];
        for id in columns.ids() {
            if let Some(body) = self.body_of_state(id)? {
                keep[body.index()] = true;
            }
        }
        let gone: Vec<BodyIndex> = self.bodies.own().map(|(_, i)| i).filter(|i| !keep[i.index()]).collect();
        self.remove(&gone, EventKind::Deleted);
        Ok(())
    }

    /// `None`: another rank has it.
    fn body_of_state(&self, id: u64) -> Result<Option<BodyIndex>> {
        let found = self.bodies.index(BodyId(id));
        if found.is_none() && self.alone() {
            let text = format!("state: body {id} is not in the model at that time; the state belongs to another model");
            return Err(Error::input(text));
        }
        Ok(found)
    }

    fn take_bodies(&mut self, columns: &BodyColumns) -> Result<()> {
        let wrong = |id| Error::input(format!("state: body {id} is of another kind than in the model"));
        self.bodies.restore(columns).map_err(wrong)
    }

    /// Constraints that are not in the state have broken, or gone with a body.
    fn take_constraints(&mut self, all: &ConstraintColumns) -> Result<()> {
        let there = std::mem::take(&mut self.constraints);
        let mut there = there.into_iter().peekable();
        let mut kept = Vec::with_capacity(all.row.len());
        for (k, &row) in all.row.iter().enumerate() {
            while there.next_if(|constraint| constraint.row < row).is_some() {}
            let Some(constraint) = there.next_if(|constraint| constraint.row == row) else {
                if !self.alone() {
                    continue;
                }
                let text =
                    format!("state: constraint row {row} is not in the model at that time; is it another model?");
                return Err(Error::input(text));
            };
            let mut constraint = constraint_of(constraint, all, k)?;
            constraint.find_bends(&self.bodies);
            kept.push(constraint);
        }
        self.constraints = kept;
        Ok(())
    }

    fn contacts_of(&self, all: &ContactColumns) -> Result<Vec<Contact>> {
        if (1..all.id.len()).any(|k| all.key(k - 1) >= all.key(k)) {
            return Err(Error::input("state: contacts are not in the order of their keys"));
        }
        (0..all.id.len()).map(|k| self.contact_of(all, k)).collect()
    }

    fn contact_of(&self, all: &ContactColumns, k: usize) -> Result<Contact> {
        let key = all.key(k);
        let wrong = |what: String| {
            let [a, b] = key.bodies;
            Err(Error::input(format!("state: contact {} between bodies {a} and {b}: {what}", all.id[k])))
        };
        let mut bodies = [BodyIndex(0); 2];
        for (side, index) in bodies.iter_mut().enumerate() {
            let Some(body) = self.objects.index(key.bodies[side]) else {
                return wrong(format!("body {} is not there", key.bodies[side]));
            };
            if key.objects[side].index() >= self.objects.parts_of(body) {
                return wrong(format!("body {} has no object {}", key.bodies[side], key.objects[side]));
            }
            *index = body;
        }
        if all.material[k] as usize >= self.surface.len() {
            return wrong(format!("there is no surface material of row {}", all.material[k]));
        }
        let slave = usize::from(all.slave[k] != 0);
        let side = |of: usize, point: [f64; 3], reference: [f64; 3], surf: i32| Side {
            body: bodies[of],
            object: key.objects[of],
            element: self.objects.element(bodies[of], key.objects[of]),
            point: point.into(),
            reference: reference.into(),
            surf,
        };
        Ok(Contact {
            key,
            id: all.id[k],
            master: side(1 - slave, all.master_point[k], all.master_reference[k], all.surf[k][0]),
            slave: side(slave, all.slave_point[k], all.slave_reference[k], all.surf[k][1]),
            slave_second: slave == 1,
            base: Mat3::from_column_slice(&all.base[k]),
            gap: all.gap[k],
            area: all.area[k],
            points: all.points[k].max(1),
            stale: all.stale[k] != 0,
            material: all.material[k],
            cohesion: all.cohesion[k],
            r: all.r[k].into(),
            u: all.u[k].into(),
            v: all.v[k].into(),
            merit: all.merit[k],
        })
    }
}

fn bodies_of(state: &State) -> BodyColumns {
    BodyColumns { rigid: state.rigid.clone(), pseudo: state.pseudo.clone(), general: state.general.clone() }
}

fn contact_columns(contacts: &[Contact]) -> ContactColumns {
    let mut all = ContactColumns::default();
    for c in contacts {
        all.bodies.push(c.key.bodies.map(|id| id.0));
        all.objects.push(c.key.objects.map(|object| object.0));
        all.feature.push(c.key.feature);
        all.id.push(c.id);
        all.slave.push(u8::from(c.slave_second));
        all.master_point.push(c.master.point.into());
        all.slave_point.push(c.slave.point.into());
        all.master_reference.push(c.master.reference.into());
        all.slave_reference.push(c.slave.reference.into());
        all.surf.push([c.master.surf, c.slave.surf]);
        all.base.push(columns(&c.base));
        all.gap.push(c.gap);
        all.area.push(c.area);
        all.points.push(c.points);
        all.material.push(c.material);
        all.cohesion.push(c.cohesion);
        all.r.push(c.r.into());
        all.u.push(c.u.into());
        all.v.push(c.v.into());
        all.merit.push(c.merit);
        all.stale.push(c.stale.into());
    }
    all
}

fn constraint_columns(constraints: &[Constraint]) -> ConstraintColumns {
    let mut all = ConstraintColumns::default();
    for constraint in constraints {
        let still = [Vec3::zeros(); 2];
        let [point, reference] = constraint.slave.map_or(still, |slave| [slave.point, slave.at.reference]);
        all.row.push(constraint.row);
        all.id.push(constraint.id);
        all.kind.push(constraint.kind());
        all.born.push(constraint.born);
        all.master_point.push(constraint.master.point.into());
        all.slave_point.push(point.into());
        all.master_reference.push(constraint.master.at.reference.into());
        all.slave_reference.push(reference.into());
        all.base.push(columns(&constraint.base));
        all.origin.push(constraint.origin.into());
        all.moved.push(constraint.moved.into());
        all.correction.push(constraint.correction.into());
        all.lag.push(constraint.lag.into());
        all.fresh.push(constraint.fresh.into());
        all.r.push(constraint.r.into());
        all.u.push(constraint.u.into());
        all.v.push(constraint.v.into());
        all.merit.push(constraint.merit);
        all.prescribed.push(constraint.prescribed.into());
        all.memory.push(constraint.memory.into());
    }
    all
}

/// A number that states of earlier versions do not have: NaN.
fn known(found: f64, otherwise: f64) -> f64 {
    if found.is_nan() {
        otherwise
    } else {
        found
    }
}

/// The constraint of the model with what it remembered. A link and the point that it may become are told apart by the
/// state.
fn constraint_of(mut constraint: Constraint, all: &ConstraintColumns, k: usize) -> Result<Constraint> {
    constraint.joint = match (constraint.joint, all.kind[k]) {
        (Joint::RigidLink { strength }, constraint_kind::FIXPNT) => Joint::FixPoint { strength },
        (Joint::FixPoint { strength }, constraint_kind::RIGLNK) => Joint::RigidLink { strength },
        (joint, _) => joint,
    };
    if constraint.kind() != all.kind[k] {
        let text = format!("state: constraint row {} is of another kind than in the model", constraint.row);
        return Err(Error::input(text));
    }
    (constraint.master.point, constraint.master.at.reference) =
        (all.master_point[k].into(), all.master_reference[k].into());
    if let Some(slave) = &mut constraint.slave {
        (slave.point, slave.at.reference) = (all.slave_point[k].into(), all.slave_reference[k].into());
    }
    Ok(Constraint {
        id: all.id[k],
        born: all.born[k],
        base: Mat3::from_column_slice(&all.base[k]),
        origin: all.origin[k].into(),
        moved: all.moved[k].into(),
        correction: all.correction[k].into(),
        lag: all.lag[k].map(|x| known(x, 0.0)).into(),
        fresh: all.fresh[k] != 0,
        r: all.r[k].into(),
        u: all.u[k].into(),
        v: all.v[k].into(),
        merit: all.merit[k],
        prescribed: all.prescribed[k].into(),
        memory: all.memory[k].into(),
        ..constraint
    })
}
