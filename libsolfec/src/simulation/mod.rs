//! The State of a run and its time step. Phases read some columns and write
//! others; what the user must know is returned as a [`Moment`], never called.
//!
//! [`Simulation::apply`] is the only way to change a simulation, between steps; [`Run`] is the only way to advance it.

mod attach;
mod change;
mod clock;
mod consistent;
mod corrections;
mod detection;
mod doubts;
mod dump;
mod failure;
mod fields;
mod finite;
mod footing;
mod halving;
mod joints;
mod kinematic;
mod lag;
mod loads;
mod local;
mod ranks;
mod report;
mod restore;
mod run;
mod show;
mod solution;
mod springs;
mod state;
mod step;
mod warnings;
mod workspace;

pub use clock::{Clock, Schedule};
pub use halving::OnFailure;
pub use ranks::{Distribution, Spread};
pub use report::{Phases, StepReport};
pub use run::{Moment, Run};
pub use state::{ConstraintColumns, ContactColumns, General, PseudoColumns, RigidColumns, State};
pub use warnings::{Warning, WarningKind};

use std::sync::{Arc, OnceLock};

use crate::body::{Bodies, Kind};
use crate::comm::{Alone, Communicator, Counted};
use crate::constraint::Constraint;
use crate::contact::{Contact, Exclusions, Objects};
use crate::frame::{Event, SolverStatistics, WarningRows};
use crate::ids::BodyIndex;
use crate::load::{Call, NoFunctions, Series, UserFunctions};
use crate::material::{BulkMaterial, Field, SurfaceMaterial};
use crate::model::{title, Analysis, FunctionRow, Model, Settings};
use crate::shape::Shape;
use crate::solver::{External, NoExternal};
use crate::stepping::Stepping;
use crate::Result;

/// Contacts or constraints under which a loop is not worth splitting among threads.
const GRAIN: usize = 1024;

/// What messages and loads want to know of a body.
#[derive(Debug, Clone)]
struct BodyInfo {
    label: String,
    line: u32,
    shapes: Vec<Shape>,
}

/// A running simulation.
pub struct Simulation {
    /// Whatever decides the course of the simulation goes through its collectives.
    comm: Arc<dyn Communicator>,
    ranks: ranks::Ranks,
    analysis: Analysis,
    stepping: Stepping,
    clock: Clock,
    /// Step asked for [s]; the effective one may be lower.
    wanted_step: f64,
    /// Step that made the present state [s]; that of the clock before the first.
    last_h: f64,
    longest_h: f64,
    output: Schedule,
    /// The user function called now and then.
    callback: Option<(u32, Schedule)>,
    settings: Settings,
    on_failure: OnFailure,
    exclusions: Exclusions,
    series: Vec<Series>,
    /// Functions that loads may call.
    functions: Vec<FunctionRow>,
    fields: Vec<Field>,
    bulk: Vec<BulkMaterial>,
    surface: Vec<SurfaceMaterial>,
    bodies: Bodies,
    objects: Objects,
    /// In key order.
    contacts: Vec<Contact>,
    /// Ids and rows of the contacts, ascending; made when a contact is first asked for by its id.
    contact_rows: OnceLock<Vec<(u64, u32)>>,
    /// In order of creation.
    loads: Vec<loads::Applied>,
    /// User constraints in order of their rows.
    constraints: Vec<Constraint>,
    /// By dense index.
    info: Vec<BodyInfo>,
    /// Rows of the model's table of bodies that have been inserted, on any rank.
    rows: u32,
    work: workspace::Workspace,
    warnings: warnings::Warnings,
    next_constraint: u64,
    steps: u64,
    frames: u64,
    /// Step count of the last frame taken.
    frame_step: Option<u64>,
    runs: u32,
    events: Vec<Event>,
    statistics: SolverStatistics,
    /// Counts what `comm` sends.
    counted: Arc<Counted>,
}

impl Simulation {
    /// The simulation at time 0: all body rows of the model that no INSERT_BODIES names, and its settings.
    ///
    /// # Errors
    /// A body that cannot be simulated (mass, tensor), named by its label.
    pub fn new(model: &Model) -> Result<Self> {
        Self::with_kinds(model, crate::body::kinds())
    }

    /// The same with other formulations of bodies than the standard ones.
    ///
    /// # Errors
    /// As [`Simulation::new`], and a body of a kind that is not among `kinds`.
    pub fn with_kinds(model: &Model, kinds: Vec<Box<dyn Kind>>) -> Result<Self> {
        Self::on_rank(model, kinds, Arc::new(Alone))
    }

    /// The part of a simulation that belongs to this rank. The first rank has the model and deals out its rows; of the
    /// others the head of it is enough. Everything that changes or advances a simulation is collective: it must be
    /// called by all ranks in the same order.
    ///
    /// # Errors
    /// As [`Simulation::with_kinds`], the same on all ranks.
    pub fn on_rank(model: &Model, kinds: Vec<Box<dyn Kind>>, comm: Arc<dyn Communicator>) -> Result<Self> {
        let stepping = Stepping::of(model.analysis);
        let legacy = model.compat.iter().any(|name| name == "schedule");
        let ranks = ranks::Ranks::new(&*comm, model);
        let size = comm.size();
        let counted = Arc::new(Counted::new(comm));
        let comm: Arc<dyn Communicator> = Arc::clone(&counted) as Arc<dyn Communicator>;
        let mut simulation = Simulation {
            work: workspace::Workspace::new(model, &comm),
            comm,
            ranks,
            analysis: model.analysis,
            stepping,
            clock: Clock::new(model.step, legacy),
            wanted_step: model.step,
            last_h: model.step,
            longest_h: 0.0,
            output: Schedule::new(0.0, 0.0),
            callback: None,
            settings: model.settings.clone(),
            on_failure: OnFailure::default(),
            exclusions: change::exclusions(&model.settings),
            series: model.series.clone(),
            functions: model.functions.clone(),
            fields: model.fields.clone(),
            bulk: model.bulk.clone(),
            surface: model.surface.clone(),
            bodies: Bodies::with_kinds(stepping, kinds),
            objects: Objects::new(),
            contacts: Vec::new(),
            contact_rows: OnceLock::new(),
            loads: Vec::new(),
            constraints: Vec::new(),
            info: Vec::new(),
            rows: 0,
            warnings: warnings::Warnings::shared_by(size),
            next_constraint: 1,
            steps: 0,
            frames: 0,
            frame_step: None,
            runs: 0,
            events: Vec::new(),
            statistics: SolverStatistics { iterations: f64::NAN, merit: f64::NAN, error: f64::NAN },
            counted,
        };
        simulation.insert_first(model)?;
        Ok(simulation)
    }

    /// Present time [s].
    pub fn time(&self) -> f64 {
        self.clock.now()
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Bodies that exist now.
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Step in force [s]; it may be lower than the one asked for.
    pub fn step_length(&self) -> f64 {
        self.clock.h()
    }

    /// What the solver keeps of the last solve: histories.
    pub fn solver(&self) -> &crate::solver::Workspace {
        &self.work.solver
    }

    /// Warnings so far, a row for each kind.
    pub fn warnings(&self) -> &WarningRows {
        self.warnings.rows()
    }

    /// Contacts of the last step, in key order.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The contact with this id.
    pub fn contact(&self, id: u64) -> Option<&Contact> {
        let rows = self.contact_rows.get_or_init(|| {
            let mut rows: Vec<(u64, u32)> = self.contacts.iter().map(|contact| contact.id).zip(0..).collect();
            rows.sort_unstable();
            rows
        });
        let at = rows.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.contacts[rows[at].1 as usize])
    }

    /// To be called whenever rows of contacts come, go or move.
    fn contacts_changed(&mut self) {
        self.contact_rows = OnceLock::new();
    }

    /// Whether the present state has been taken as a frame.
    pub fn shown(&self) -> bool {
        self.frame_step == Some(self.steps)
    }

    /// Counts a run; true when frame 0 is due before its first step.
    fn begin_run(&mut self) -> bool {
        self.runs += 1;
        self.frames == 0
    }

    fn output_due(&mut self) -> bool {
        self.output.due(&self.clock)
    }

    /// The user function that is due now.
    fn callback_due(&mut self) -> Option<u32> {
        let (function, schedule) = self.callback.as_mut()?;
        schedule.due(&self.clock).then_some(*function)
    }

    /// `body 12 'BRICK' (deck line 41)` of a dense body index, for messages.
    fn name(&self, index: BodyIndex) -> String {
        let BodyInfo { label, line, .. } = &self.info[index.index()];
        title(self.bodies.id(index).0, label, *line)
    }
}

/// What a run needs from outside of the library.
pub trait Outside: UserFunctions {
    /// The solver behind SICONOS_SOLVER.
    fn external(&mut self) -> &mut dyn External;
}

/// Nothing from outside: neither user functions nor foreign solvers.
#[derive(Default)]
pub struct Nothing(NoExternal);

impl UserFunctions for Nothing {
    fn values(&mut self, calls: &[Call]) -> Result<Vec<Vec<f64>>> {
        NoFunctions.values(calls)
    }
}

impl Outside for Nothing {
    fn external(&mut self) -> &mut dyn External {
        &mut self.0
    }
}
