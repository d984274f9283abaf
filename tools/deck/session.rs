//! What commands act on: the SOLFEC objects of a deck with their models, and the objects that belong to none of them
//! (shapes, solvers). What a deck with stored results does again is in `replay`.

use std::path::PathBuf;

use solfec::load::Series;
use solfec::model::{FunctionRow, Model, Op, SolverSettings, GEOMETRIC_EPSILON};
use solfec::simulation::Simulation;

use super::domain::{Domain, Mode};
use super::engine::{Engine, Opening, Outcome, Start};
use super::environment::{Environment, Recording};
use super::fault::Fault;
use super::matching::Matched;
use super::now::Now;
use super::place::Place;
use super::shapes::Shapes;
use super::stored::Stored;
use super::tabulate::Tabulate;
use super::value::{Handle, Value};
use crate::cli::{CliError, Exit};

/// A remark for the user, with a short stable name of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub kind: &'static str,
    pub text: String,
}

pub struct Session {
    pub environment: Environment,
    pub recording: Recording,
    pub domains: Vec<Domain>,
    pub shapes: Shapes,
    pub solvers: Vec<SolverSettings>,
    pub series: Vec<Series>,
    /// Functions that the deck handed over.
    pub functions: Vec<FunctionRow>,
    pub epsilon: f64,
    pub warnings: bool,
    /// The deck itself.
    pub deck: PathBuf,
    /// Files that commands have read.
    pub inputs: Vec<String>,
    /// Where the deck is.
    pub place: Place,
    /// The command or member at work.
    pub command: String,
    pub remarks: Vec<Remark>,
    /// The first construct that cannot be recorded.
    pub needs_live: Option<String>,
    /// Who performs runs; `None`: they are recorded.
    pub(super) engine: Option<Box<dyn Engine>>,
    live: bool,
    /// The run that the command at work has asked for.
    pub(super) start: Option<Start>,
    /// The spring that the command at work has left for the host.
    pub(super) tabulate: Option<Tabulate>,
    /// SOLFEC objects the engine knows.
    opened: usize,
    /// SOLFEC objects to be given back.
    released: Vec<usize>,
    /// Objects that are there when the deck begins, by the names of their variables.
    pub(super) predefined: Vec<(&'static str, Handle)>,
}

/// What becomes of a RUN of results that go on.
pub(super) enum Replayed {
    /// It was over at the checkpoint.
    Skipped,
    /// It was in progress there, or has become longer.
    Resumed,
    /// It comes after.
    New,
}

impl Session {
    pub fn new(environment: Environment) -> Session {
        Session {
            environment,
            recording: Recording::default(),
            domains: Vec::new(),
            shapes: Shapes::default(),
            solvers: Vec::new(),
            series: Vec::new(),
            functions: Vec::new(),
            epsilon: GEOMETRIC_EPSILON,
            warnings: true,
            deck: PathBuf::new(),
            inputs: Vec::new(),
            place: Place::default(),
            command: String::new(),
            remarks: Vec::new(),
            needs_live: None,
            engine: None,
            live: false,
            start: None,
            tabulate: None,
            opened: 0,
            released: Vec::new(),
            predefined: Vec::new(),
        }
    }

    /// A session whose runs are performed.
    pub fn with_engine(environment: Environment, engine: Box<dyn Engine>) -> Session {
        Session { engine: Some(engine), live: true, ..Session::new(environment) }
    }

    /// Gives the deck a SOLFEC object in a variable of this name, with a model of its own.
    ///
    /// # Errors
    /// The engine cannot open it.
    pub fn predefine(&mut self, name: &'static str, model: Model) -> Result<(), Fault> {
        let handle = Handle { class: "SOLFEC", key: [self.domains.len() as u64, 0] };
        self.domains.push(Domain::new(model));
        self.predefined.push((name, handle));
        self.perform()
    }

    /// Whether runs are performed.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Records a RUN; a live session performs it once the command returns. A RUN that was over at the checkpoint of results that
    /// go on, and any RUN in READ mode, only moves the tables of the deck to its end.
    pub fn run(
        &mut self,
        domain: Handle,
        settings: SolverSettings,
        solver: Option<Handle>,
        duration: f64,
    ) -> Result<(), Fault> {
        if self.live && self.engine.is_none() {
            return Err(Fault::runtime("cannot be called from a function that gives values to a run"));
        }
        if !self.predefined.is_empty() {
            return Err(Fault::runtime("results are read and nothing runs; use sf-run"));
        }
        if self.domain(domain)?.reads() {
            return self.read_run(domain);
        }
        let k = domain.key[0] as usize;
        let run = Op::Run { duration, solver: settings.clone() };
        let mut resume = false;
        if self.domain(domain)?.continuation().is_some() {
            match self.replay_run(domain, run, duration)? {
                Replayed::Skipped => return Ok(()),
                Replayed::Resumed => resume = true,
                Replayed::New => {}
            }
        } else {
            self.domain(domain)?.apply(run)?;
        }
        if self.live {
            let solver = solver.map(|handle| handle.key[0] as usize);
            self.start = Some(Start { domain: k, settings, duration, solver, resume });
        }
        Ok(())
    }

    /// What an object in READ mode reads, matched with what the deck has made so far; `None` in WRITE mode.
    pub fn reading(&mut self, of: Handle) -> Result<Option<&mut Stored>, Fault> {
        if !self.domain(of)?.reads() {
            return Ok(None);
        }
        self.compare(of, false)?;
        Ok(self.domain(of)?.stored_mut())
    }

    /// The present state of an object. `what` is the thing asked for.
    ///
    /// # Errors
    /// The model is only recorded, or a run is in the middle of a step.
    pub fn now(&mut self, of: Handle, what: &str) -> Result<Now<'_>, Fault> {
        self.awaken(of)?;
        let Session { domains, engine, live, .. } = self;
        let missing = || Fault::wrong_type("SOLFEC object does not exist");
        let k = of.key[0] as usize;
        let domain = domains.get(k).ok_or_else(missing)?;
        match &domain.mode {
            Mode::Reads { stored, .. } => return Ok(Now::stored(domain, stored)),
            Mode::Continues { from, matched } => return Ok(Now::going(domain, &from.stored, matched.rows)),
            Mode::Records | Mode::Runs { .. } => {}
        }
        if !domain.has_run() {
            return Ok(Now::described(domain));
        }
        if !*live {
            return Err(Fault::live(format!("{what} after RUN needs live execution")));
        }
        let busy = || Fault::runtime(format!("{what} is not known within a step; use the arguments of the function"));
        let simulation = engine.as_mut().ok_or_else(busy)?.simulation(k);
        Ok(simulation.map_or(Now::described(domain), |simulation| Now::running(domain, simulation)))
    }

    /// Seconds spent in a phase of the time step since the last frame; `None` for unknown phases, and before the first RUN.
    pub fn seconds(&mut self, of: Handle, phase: &str) -> Result<Option<f64>, Fault> {
        self.awaken(of)?;
        if !self.domain(of)?.has_run() {
            return Ok(None);
        }
        if !self.live {
            return Err(Fault::live("the timing after RUN needs live execution"));
        }
        let busy = || Fault::runtime("is not known within a step");
        Ok(self.engine.as_mut().ok_or_else(busy)?.seconds(of.key[0] as usize, phase))
    }

    /// No handle of the deck refers to this object or to anything of it any more: what is kept for it is given back, as soon as
    /// no step is being made.
    pub fn release(&mut self, domain: usize) {
        self.released.push(domain);
    }

    fn give_back(&mut self, k: usize) -> Result<(), Fault> {
        let (Some(domain), Some(engine)) = (self.domains.get_mut(k), &mut self.engine) else { return Ok(()) };
        let cleanup = domain.cleanup && !domain.reads();
        let name = Model::new(domain.model.analysis, domain.model.step, domain.model.output_path.clone());
        *domain = Domain::new(name);
        engine.release(k, cleanup)
    }

    /// How messages call a function of the deck.
    pub fn function_name(&self, function: u32) -> String {
        self.functions
            .iter()
            .find(|row| row.function == function)
            .map_or(format!("number {function}"), |row| row.name.clone())
    }

    /// The simulation of an object that has run; `None` before. `what` is the thing asked for.
    ///
    /// # Errors
    /// The model is only recorded, or a run is in the middle of a step.
    pub fn simulation(&mut self, of: Handle, what: &str) -> Result<Option<&mut Simulation>, Fault> {
        if !self.domain(of)?.has_run() {
            return Ok(None);
        }
        if !self.live {
            return Err(Fault::live(format!("{what} after RUN needs live execution")));
        }
        let busy = || Fault::runtime(format!("{what} is not known within a step; use the arguments of the function"));
        Ok(self.engine.as_mut().ok_or_else(busy)?.simulation(of.key[0] as usize))
    }

    /// The deck's handle of a solver object.
    pub fn solver_handle(&self, solver: usize) -> Value {
        let class = self.solvers.get(solver).map_or("AUTO_SOLVER", SolverSettings::name);
        Value::Handle(Handle { class, key: [solver as u64, 0] })
    }

    /// What the solves with a solver object left behind; `None` while models are recorded and nothing has run.
    pub fn outcome(&mut self, solver: Handle) -> Result<Option<&mut Outcome>, Fault> {
        if !self.live {
            let run = self.domains.iter().any(|d| d.has_run());
            return if run { Err(Fault::live("the outcome of a solve needs live execution")) } else { Ok(None) };
        }
        let busy = || Fault::runtime("is not known within a step");
        Ok(Some(self.engine.as_mut().ok_or_else(busy)?.outcome(solver.key[0] as usize)))
    }

    /// Nothing can be changed or asked while a step is being made, that is in functions that give values to it.
    pub(super) fn refuse_within_step(&self) -> Result<(), Fault> {
        if self.live && self.engine.is_none() {
            return Err(Fault::runtime("a step is being made; call this in a CALLBACK instead"));
        }
        Ok(())
    }

    /// Hands on to the engine what a command has done.
    pub(super) fn perform(&mut self) -> Result<(), Fault> {
        self.open()?;
        let Some(engine) = &mut self.engine else { return Ok(()) };
        for (k, domain) in self.domains.iter_mut().enumerate() {
            std::mem::take(&mut domain.pending).into_iter().try_for_each(|op| engine.apply(k, op))?;
        }
        std::mem::take(&mut self.released).into_iter().try_for_each(|k| self.give_back(k))
    }

    /// Opens new SOLFEC objects. One that cannot be opened has not been made.
    fn open(&mut self) -> Result<(), Fault> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        while let Some(domain) = self.domains.get_mut(self.opened) {
            match engine.open(self.opened, &domain.model) {
                Ok(Opening::Write) => domain.mode = Mode::Runs { restarted: false },
                Ok(Opening::Read(stored)) => domain.mode = Mode::Reads { stored, matched: Matched::default() },
                Ok(Opening::Continue(from)) => domain.mode = Mode::Continues { from, matched: Matched::default() },
                Err(fault) => {
                    self.domains.truncate(self.opened);
                    return Err(fault);
                }
            }
            self.opened += 1;
        }
        Ok(())
    }

    /// Begins a run.
    pub(super) fn begin(&mut self, start: &Start) -> Result<(), Fault> {
        let model = &self.domains[start.domain].model;
        self.engine.as_mut().map_or(Ok(()), |engine| engine.begin(model, start))
    }

    /// What the next shape will be called, and the next body of each SOLFEC object that makes bodies.
    pub(super) fn next_numbers(&self) -> impl Iterator<Item = (Option<usize>, u64)> + '_ {
        let written = self.domains.iter().enumerate().filter(|(_, domain)| !domain.reads());
        let bodies = written.map(|(k, domain)| (Some(k), domain.model.bodies.len() as u64 + 1));
        std::iter::once((None, self.shapes.len() as u64)).chain(bodies)
    }

    /// The deck has ended: results are completed.
    pub fn finish(&mut self, exit: Exit) -> Result<(), CliError> {
        for k in 0..self.domains.len() {
            let domain = &self.domains[k];
            if domain.cleanup && !domain.has_run() {
                let _ = self.give_back(k);
            }
        }
        self.engine.as_mut().map_or(Ok(()), |engine| engine.finish(exit))
    }

    /// Takes the engine away while a run is within a step, and puts it back.
    pub(super) fn engine(&mut self) -> &mut Option<Box<dyn Engine>> {
        &mut self.engine
    }

    /// Warns at the present line, unless WARNINGS is 'OFF'.
    pub fn warn(&mut self, kind: &'static str, text: &str) {
        if self.warnings {
            let text = format!("{}: {}: {text}", self.place, self.command);
            self.remarks.push(Remark { kind, text });
        }
    }

    /// The SOLFEC object of a handle of it, or of a body or material in it.
    pub fn domain(&mut self, handle: Handle) -> Result<&mut Domain, Fault> {
        let domain = self.domains.get_mut(handle.key[0] as usize);
        domain.ok_or_else(|| Fault::wrong_type("SOLFEC object does not exist"))
    }

    /// Refuses the handle of a deleted body.
    pub fn check_alive(&mut self, handle: Handle) -> Result<(), Fault> {
        if handle.class == "BODY" {
            self.domain(handle)?.body(handle)?;
        }
        Ok(())
    }
}
