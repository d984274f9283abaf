//! One SOLFEC object of a deck: its model, and what becomes of the operations on it.

use std::collections::{BTreeMap, BTreeSet};

use solfec::load::Series;
use solfec::material::ANY;
use solfec::model::{fold, BodyRow, Form, InForce, Model, Op};

use super::continuation::Continuation;
use super::export::Export;
use super::fault::Fault;
use super::matching::{Matched, Rows};
use super::series_rows::SeriesRows;
use super::stored::Stored;
use super::value::Handle;

/// What the deck has deleted: ids of bodies, rows of constraints.
#[derive(Default)]
pub struct Deleted {
    pub bodies: BTreeSet<u64>,
    pub constraints: BTreeSet<u32>,
}

/// What a SOLFEC object does with operations. The engine decides when the object is made.
pub enum Mode {
    /// They are recorded.
    Records,
    /// Those that follow the first RUN are performed, too.
    Runs {
        /// The object goes on where an earlier process left it.
        restarted: bool,
    },
    /// READ: results are read, and the deck makes their model again.
    Reads { stored: Box<Stored>, matched: Matched },
    /// Results go on: what the deck does up to their checkpoint has been done, until that state has come back.
    Continues { from: Box<Continuation>, matched: Matched },
}

/// One SOLFEC object.
pub struct Domain {
    pub model: Model,
    /// Settings and materials as they are now; the tables of the model are as they were at the start.
    pub in_force: InForce,
    /// Bodies as the deck has described them last, by id, where the table of the model does not hold that.
    described: BTreeMap<u64, BodyRow>,
    pub cleanup: bool,
    /// The deck has said what holds for surfaces without a material of their own, be it what holds anyway.
    pub states_default: bool,
    pub deleted: Deleted,
    /// EXTENTS were in force in a RUN: only who runs it knows which bodies have left.
    pub may_have_lost_bodies: bool,
    /// Rows of the series of the model.
    pub series_rows: SeriesRows,
    /// Functions of the deck behind fields, by rows of the fields.
    pub field_functions: BTreeMap<u32, u32>,
    pub mode: Mode,
    /// Results that SOLFEC_EXPORT writes.
    pub exports: Vec<Export>,
    /// Operations to be handed to the engine.
    pub(super) pending: Vec<Op>,
}

impl Domain {
    pub fn new(model: Model) -> Domain {
        Domain {
            in_force: InForce::at_start(&model),
            model,
            described: BTreeMap::new(),
            cleanup: false,
            states_default: false,
            deleted: Deleted::default(),
            may_have_lost_bodies: false,
            series_rows: SeriesRows::default(),
            field_functions: BTreeMap::new(),
            mode: Mode::Records,
            exports: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Takes an operation. In READ mode it changes what the deck has made at most.
    pub fn apply(&mut self, op: Op) -> Result<(), Fault> {
        let applied = self.record(op);
        if self.reads() {
            return Ok(());
        }
        applied
    }

    fn record(&mut self, op: Op) -> Result<(), Fault> {
        self.states_default |= matches!(&op, Op::SurfaceMaterial { material, .. } if material.surf == [ANY, ANY]);
        self.may_have_lost_bodies |= matches!(op, Op::Run { .. }) && self.in_force.settings.extents.is_some();
        match &op {
            Op::Define(definition) => self.in_force.conditions().define(definition),
            op => self.in_force.conditions().fold(op),
        };
        if self.performs() && self.model.started() && !matches!(op, Op::Run { .. }) {
            self.pending.push(op.clone());
        }
        let said = op.describes().map(|id| (id, op.clone()));
        self.model.apply(op)?;
        if let Some((id, op)) = said {
            self.note_description(id, &op)?;
        }
        Ok(())
    }

    /// Notes what the table of the model does not hold, because it is an operation of the program.
    fn note_description<F: Form>(&mut self, id: u64, op: &Op<F>) -> Result<(), Fault> {
        let Some(row) = self.model.body_row(id).map(|row| &self.model.bodies[row]) else { return Ok(()) };
        let mut body = self.as_described(row).clone();
        body.describe(op)?;
        if body == *row {
            self.described.remove(&id);
        } else {
            self.described.insert(id, body);
        }
        Ok(())
    }

    /// A body as the deck has described it last. Its row says what it was made with.
    pub fn described(&self, body: Handle) -> Result<&BodyRow, Fault> {
        Ok(self.as_described(self.body(body)?))
    }

    /// The same of a body by its row.
    pub fn as_described<'a>(&'a self, body: &'a BodyRow) -> &'a BodyRow {
        self.described.get(&body.id).unwrap_or(body)
    }

    fn performs(&self) -> bool {
        matches!(self.mode, Mode::Runs { .. })
    }

    /// Whether the object is in READ mode.
    pub fn reads(&self) -> bool {
        matches!(self.mode, Mode::Reads { .. })
    }

    /// Whether it goes on where an earlier process left it.
    pub fn restarted(&self) -> bool {
        match &self.mode {
            Mode::Records | Mode::Reads { .. } => false,
            Mode::Runs { restarted } => *restarted,
            Mode::Continues { from, .. } => from.runs > 0,
        }
    }

    /// What is read in READ mode.
    pub fn stored(&self) -> Option<&Stored> {
        match &self.mode {
            Mode::Reads { stored, .. } => Some(stored),
            Mode::Records | Mode::Runs { .. } | Mode::Continues { .. } => None,
        }
    }

    /// The same, to move through its frames.
    pub fn stored_mut(&mut self) -> Option<&mut Stored> {
        match &mut self.mode {
            Mode::Reads { stored, .. } => Some(stored),
            Mode::Records | Mode::Runs { .. } | Mode::Continues { .. } => None,
        }
    }

    /// What goes on, until the state of its checkpoint has come back.
    pub fn continuation(&self) -> Option<&Continuation> {
        match &self.mode {
            Mode::Continues { from, .. } => Some(from),
            Mode::Records | Mode::Runs { .. } | Mode::Reads { .. } => None,
        }
    }

    /// Whether state is known only to a run.
    pub fn has_run(&self) -> bool {
        self.model.started()
    }

    /// Moves the tables of the deck to those of `model`, of results. `series`: those of the session.
    ///
    /// # Errors
    /// An operation of the model that its bodies do not take.
    pub(super) fn become_model(&mut self, model: Model, series: &[Series]) -> Result<(), Fault> {
        self.model = model;
        self.series_rows.find_again(&self.model.series, series);
        self.in_force = fold(&self.model, &self.model.program);
        self.deleted = Deleted::default();
        self.described.clear();
        for op in self.model.program.clone() {
            if let Some(id) = op.describes() {
                self.note_description(id, &op)?;
            }
        }
        for op in &self.model.program {
            if let Op::DeleteBody { body } = op {
                self.deleted.bodies.insert(*body);
            } else if let Op::DeleteConstraint { row } = op {
                self.deleted.constraints.insert(*row);
            }
        }
        let on_deleted = |id: &u64| self.deleted.bodies.contains(id);
        let rows = (0..).zip(&self.model.constraints);
        let gone = rows.filter(|(_, row)| on_deleted(&row.master) || row.slave.as_ref().is_some_and(on_deleted));
        let gone: Vec<u32> = gone.map(|(row, _)| row).collect();
        self.deleted.constraints.extend(gone);
        if let Mode::Reads { matched, .. } | Mode::Continues { matched, .. } = &mut self.mode {
            (matched.rows, matched.program) = (Rows::of(&self.model), self.model.program.len());
        }
        Ok(())
    }

    /// The model that a body belongs to: those that only callbacks made are in the results.
    pub fn model_of(&self, body: &BodyRow) -> &Model {
        match (self.model.body_row(body.id), self.stored()) {
            (None, Some(stored)) => &stored.model,
            (Some(_), _) | (None, None) => &self.model,
        }
    }

    pub fn body(&self, handle: Handle) -> Result<&BodyRow, Fault> {
        if self.deleted.bodies.contains(&handle.key[1]) {
            return Err(Fault::wrong_type("body was recently deleted"));
        }
        let of = |model: &'_ Model| model.body_row(handle.key[1]);
        if let Some(row) = of(&self.model) {
            return Ok(&self.model.bodies[row]);
        }
        // Bodies that only callbacks made are in the results.
        let stored = self.stored().and_then(|stored| Some(&stored.model.bodies[of(&stored.model)?]));
        stored.ok_or_else(|| Fault::wrong_type("body does not exist in this SOLFEC object"))
    }
}
