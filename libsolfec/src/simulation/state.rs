//! The dynamic state of a simulation as plain columns: what a checkpoint holds. Rows are known by persistent ids; it
//! holds nothing that follows from the model and its program, and everything else that decides the steps to come.

use super::{Clock, Schedule};
pub use crate::body::{General, PseudoColumns, RigidColumns};
use crate::contact::ContactKey;
use crate::domain::Cuts;
use crate::frame::{Event, SolverStatistics, WarningRows};
use crate::ids::{BodyId, ObjectIndex};
use crate::solver::Memory;
use crate::table::Table;
use crate::{Error, Result};

/// A simulation between two steps. Columns of a table have equal lengths; see [`super::Simulation::restore`].
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// `--compat schedule` is not part of it but of the model.
    pub clock: Clock,
    /// Step that made this state [s].
    pub last_h: f64,
    /// The longest step so far [s].
    pub longest_h: f64,
    /// Stable step of the last warning that the step is lowered [s]; infinite before one.
    pub warned_step: f64,
    pub output: Schedule,
    /// Of CALLBACK; its function is that of the program.
    pub callback: Option<Schedule>,
    pub steps: u64,
    pub frames: u64,
    /// Step count of the last frame taken.
    pub frame_step: Option<u64>,
    /// RUNs begun.
    pub runs: u32,
    /// Id of the next contact or user constraint.
    pub next_constraint: u64,
    pub statistics: SolverStatistics,
    /// What the solver has learnt.
    pub memory: Memory,
    /// How space is dealt out among several ranks; another number of ranks cuts it anew.
    pub cuts: Option<Cuts>,
    /// Rigid bodies and obstacles in order of id.
    pub rigid: RigidColumns,
    /// Pseudo-rigid bodies in order of id.
    pub pseudo: PseudoColumns,
    /// Bodies of other kinds in order of id.
    pub general: General,
    /// In key order.
    pub contacts: ContactColumns,
    /// User constraints in order of their rows.
    pub constraints: ConstraintColumns,
    /// Since the last frame.
    pub events: Vec<Event>,
    /// Counts of the warnings so far.
    pub warnings: WarningRows,
}

crate::table! {
    /// Contacts of the last step.
    pub struct ContactColumns("contacts", "c") {
        bodies: [u64; 2] = "contact/bodies", "1", "ids of the two bodies, the smaller first; rows ascend by (bodies, objects, feature)";
        objects: [u32; 2] = "contact/objects", "1", "object index in each of them";
        feature: u32 = "contact/feature", "1", "number of the contact point of the two objects";
        slave: u8 = "contact/slave", "1", "which of the two objects is the slave: 0 or 1";
        id: u64 = "contact/id", "1", "id of the constraint";
        master_point: [f64; 3] = "contact/master_point", "m", "point of the master" .frame("spatial") .level("t+h/2");
        slave_point: [f64; 3] = "contact/slave_point", "m", "point of the slave" .frame("spatial") .level("t+h/2");
        master_reference: [f64; 3] = "contact/master_reference", "m", "the point of the master on its body"
            .frame("reference");
        slave_reference: [f64; 3] = "contact/slave_reference", "m", "the point of the slave on its body"
            .frame("reference");
        surf: [i32; 2] = "contact/surf", "1", "surface ids of (master, slave)";
        base: [f64; 9] = "contact/base", "1", "local base, column-wise: t1, t2, n" .frame("spatial") .level("t+h/2");
        gap: f64 = "contact/gap", "m", "gap, negative is penetration" .level("t+h/2");
        area: f64 = "contact/area", "m2", "contact area" .level("t+h/2");
        points: u32 = "contact/points", "1", "number of points of the pair of faces that it belongs to";
        material: u32 = "contact/material", "1", "row of materials/surface";
        cohesion: f64 = "contact/cohesion", "N", "strength of the bond, 0: none";
        r: [f64; 3] = "contact/R", "N", "average reaction (T1, T2, N)" .frame("local") .level("[t, t+h]");
        u: [f64; 3] = "contact/U", "m/s", "relative velocity (T1, T2, N)" .frame("local") .level("t+h");
        v: [f64; 3] = "contact/V", "m/s", "relative velocity (T1, T2, N)" .frame("local") .level("t");
        merit: f64 = "contact/merit", "1", "part of the merit function";
        stale: u8 = "contact/stale", "1", "1: the geometry is that of the step before, moved along";
    }
}

impl ContactColumns {
    /// The key of row `k`.
    pub fn key(&self, k: usize) -> ContactKey {
        ContactKey {
            bodies: self.bodies[k].map(BodyId),
            objects: self.objects[k].map(ObjectIndex),
            feature: self.feature[k],
        }
    }
}

crate::table! {
    /// User constraints.
    pub struct ConstraintColumns("user constraints", "u") {
        row: u32 = "constraint/row", "1", "row of constraints/* of the model; rows ascend by it";
        id: u64 = "constraint/id", "1", "id of the constraint";
        kind: u8 = "constraint/kind", "1", "kind by now: a link of coincident points is a fixed point"
            .names(r#"{"FIXPNT": 1, "FIXDIR": 2, "VELODIR": 3, "VELODIR3": 4, "RIGLNK": 5, "SPRING": 6}"#);
        born: f64 = "constraint/born", "s", "when it began to measure";
        master_point: [f64; 3] = "constraint/master_point", "m", "where the reaction acts on the master"
            .frame("spatial") .level("t+h/2");
        slave_point: [f64; 3] = "constraint/slave_point", "m", "on the slave, 0 without one" .frame("spatial") .level("t+h/2");
        master_reference: [f64; 3] = "constraint/master_reference", "m", "the first as a point of its body" .frame("reference");
        slave_reference: [f64; 3] = "constraint/slave_reference", "m", "the second as a point of its body" .frame("reference");
        base: [f64; 9] = "constraint/base", "1", "local base, column-wise: t1, t2, n" .frame("spatial") .level("t+h/2");
        origin: [f64; 3] = "constraint/origin", "m", "vector from slave to master point when it was made" .frame("local");
        moved: [f64; 3] = "constraint/moved", "m", "its change since then" .frame("local") .level("t+h/2");
        correction: [f64; 3] = "constraint/correction", "m/s", "curvature of the last step, from which joints are corrected in the next"
            .frame("local") .level("[t+h/2, t+3h/2]");
        lag: [f64; 3] = "constraint/lag", "m", "by how much the measure is off, as steps have become shorter"
            .frame("local") .level("t+h/2") .optional();
        fresh: u8 = "constraint/fresh", "1", "1: the velocities of its bodies have not been projected onto it yet";
        r: [f64; 3] = "constraint/R", "N", "average reaction (T1, T2, N)" .frame("local") .level("[t, t+h]");
        u: [f64; 3] = "constraint/U", "m/s", "relative velocity (T1, T2, N)" .frame("local") .level("t+h");
        v: [f64; 3] = "constraint/V", "m/s", "relative velocity (T1, T2, N)" .frame("local") .level("t");
        merit: f64 = "constraint/merit", "1", "part of the merit function";
        prescribed: [f64; 3] = "constraint/prescribed", "m/s", "prescribed velocity, 0 where none is"
            .frame("local") .level("t+h");
        memory: [f64; 6] = "constraint/memory", "SI",
            "of a spring with a function: last stroke, rate and force, slopes by both, 1: these foretold a force, 0: not, -1: nothing is known";
    }
}

impl State {
    /// All of it but events and the rows of bodies, contacts and constraints: what is the same for all ranks.
    pub fn head(&self) -> State {
        State {
            clock: self.clock,
            last_h: self.last_h,
            longest_h: self.longest_h,
            warned_step: self.warned_step,
            output: self.output,
            callback: self.callback,
            steps: self.steps,
            frames: self.frames,
            frame_step: self.frame_step,
            runs: self.runs,
            next_constraint: self.next_constraint,
            statistics: self.statistics,
            memory: self.memory,
            cuts: self.cuts.clone(),
            rigid: RigidColumns::default(),
            pseudo: PseudoColumns::default(),
            general: General::default(),
            contacts: ContactColumns::default(),
            constraints: ConstraintColumns::default(),
            events: Vec::new(),
            warnings: self.warnings.clone(),
        }
    }

    /// Drops what is not in its head.
    pub fn drop_rows(&mut self) {
        (self.rigid, self.pseudo, self.general) = Default::default();
        (self.contacts, self.constraints, self.events) = Default::default();
    }

    /// Its tables but the events, in the order of files.
    pub fn tables(&self) -> [&dyn Table; 8] {
        let g = &self.general;
        [
            &self.rigid,
            &self.pseudo,
            &g.bodies,
            &g.unknowns,
            &g.velocities,
            &self.contacts,
            &self.constraints,
            &self.warnings,
        ]
    }

    /// The same tables, to be filled.
    pub fn tables_mut(&mut self) -> [&mut dyn Table; 8] {
        let g = &mut self.general;
        [
            &mut self.rigid,
            &mut self.pseudo,
            &mut g.bodies,
            &mut g.unknowns,
            &mut g.velocities,
            &mut self.contacts,
            &mut self.constraints,
            &mut self.warnings,
        ]
    }

    /// Whether columns of a table have equal lengths, and counts give what there is.
    pub(super) fn check(&self) -> Result<()> {
        for table in self.tables() {
            table.check().map_err(|text| Error::input(format!("state: {text}")))?;
        }
        let Clock { h, now, reference, .. } = self.clock;
        if !(h > 0.0 && h.is_finite() && now.is_finite() && reference.is_finite()) {
            return Err(Error::input(format!(
                "state: time {now:e} s and step {h:e} s: no step can be made from there"
            )));
        }
        Schedule::check_interval("OUTPUT", self.output.interval, h)?;
        if let Some(callback) = &self.callback {
            Schedule::check_interval("CALLBACK", callback.interval, h)?;
        }
        self.general.check()
    }
}
