//! What a command acts on: the objects of a deck, and the engine that runs them. What a deck with stored results does
//! again is in `replay`.

use std::ops::{Deref, DerefMut};

use solfec::frame::Frame;
use solfec::model::{Model, Op, Solver};
use solfec::solver::LocalDynamics;

use super::domain::{Domain, Mode};
use super::engine::{Engine, Opening, Outcome, Start};
use super::fault::Fault;
use super::matching::Matched;
use super::now::Now;
use super::objects::Objects;
use super::query::{Answer, Query};
use super::stored::Stored;
use super::value::Handle;
use crate::cli::{CliError, Exit};

/// What becomes of a RUN of results that go on.
pub(super) enum Replayed {
    /// It was over at the checkpoint.
    Skipped,
    /// It was in progress there, or has become longer.
    Resumed,
    /// It comes after.
    New,
}

/// The objects of a deck for the duration of a call, with the engine if it is free: it is not while a step is being
/// made.
pub struct Session<'a> {
    objects: &'a mut Objects,
    engine: Option<&'a mut Engine>,
}

impl Deref for Session<'_> {
    type Target = Objects;

    fn deref(&self) -> &Objects {
        self.objects
    }
}

impl DerefMut for Session<'_> {
    fn deref_mut(&mut self) -> &mut Objects {
        self.objects
    }
}

impl<'a> Session<'a> {
    pub fn new(objects: &'a mut Objects, engine: Option<&'a mut Engine>) -> Session<'a> {
        Session { objects, engine }
    }

    /// The objects, and the engine, apart.
    pub(super) fn split(&mut self) -> (&mut Objects, Option<&mut Engine>) {
        (self.objects, self.engine.as_deref_mut())
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

    /// Records a RUN; a live session performs it once the command returns. A RUN that was over at the checkpoint of
    /// results that go on, and any RUN in READ mode, only moves the tables of the deck to its end.
    pub fn run(&mut self, domain: Handle, solver: Solver, object: Option<Handle>, duration: f64) -> Result<(), Fault> {
        if self.reader.is_some() {
            return Err(Fault::runtime("results are read and nothing runs; use sf-run"));
        }
        if self.busy() {
            return Err(Fault::runtime("cannot be called from a function that gives values to a run"));
        }
        if self.domain(domain)?.reads() {
            return self.read_run(domain, solver, duration);
        }
        let k = domain.key[0] as usize;
        let run = Op::Run { duration, solver: solver.clone() };
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
        if self.is_live() {
            let object = object.map(|handle| handle.key[0] as usize);
            self.start = Some(Start { domain: k, solver, duration, object, resume });
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
        let Session { objects, engine } = self;
        let missing = || Fault::wrong_type("SOLFEC object does not exist");
        let k = of.key[0] as usize;
        let domain = objects.domains.get(k).ok_or_else(missing)?;
        match &domain.mode {
            Mode::Reads { stored, .. } => return Ok(Now::stored(domain, stored)),
            Mode::Continues { from, matched } => return Ok(Now::going(domain, &from.stored, matched.rows)),
            Mode::Records | Mode::Runs { .. } => {}
        }
        if !domain.has_run() {
            return Ok(Now::described(domain));
        }
        if !objects.is_live() {
            return Err(Fault::live(format!("{what} after RUN needs live execution")));
        }
        let busy = || Fault::runtime(format!("{what} is not known within a step; use the arguments of the function"));
        let engine = engine.as_deref().ok_or_else(busy)?;
        Ok(if engine.has_begun(k) { Now::running(domain, k, engine) } else { Now::described(domain) })
    }

    /// Who knows which bodies exist. While a model is recorded, its tables do: all bodies stay that the deck does not
    /// delete, unless EXTENTS were in force in a RUN.
    ///
    /// # Errors
    /// The model is only recorded, and bodies may have left; or a run is in the middle of a step.
    pub fn roster(&mut self, of: Handle) -> Result<Now<'_>, Fault> {
        if self.is_live() {
            return self.now(of, "the list of bodies");
        }
        let domain = self.domain(of)?;
        if domain.may_have_lost_bodies {
            return Err(Fault::live("who is left after a RUN with EXTENTS needs live execution"));
        }
        Ok(Now::described(domain))
    }

    /// Seconds spent in a phase of the time step since the last frame; `None` for unknown phases, and before the first
    /// RUN.
    pub fn seconds(&mut self, of: Handle, phase: &str) -> Result<Option<f64>, Fault> {
        self.awaken(of)?;
        if !self.domain(of)?.has_run() {
            return Ok(None);
        }
        if !self.is_live() {
            return Err(Fault::live("the timing after RUN needs live execution"));
        }
        let busy = || Fault::runtime("is not known within a step");
        let engine = self.engine.as_deref().ok_or_else(busy)?;
        match engine.ask(of.key[0] as usize, &Query::Seconds(phase.into()))? {
            Answer::Seconds(seconds) => Ok(seconds),
            other => Err(other.unexpected()),
        }
    }

    fn give_back(&mut self, k: usize) -> Result<(), Fault> {
        let Some(domain) = self.objects.domains.get_mut(k) else { return Ok(()) };
        let cleanup = domain.cleanup && !domain.reads();
        let name = Model::new(domain.model.analysis, domain.model.step, domain.model.output_path.clone());
        *domain = Domain::new(name);
        self.engine.as_mut().map_or(Ok(()), |engine| engine.release(k, cleanup))
    }

    /// The answer of an object that has run; `None` before. `what` is the thing asked for.
    ///
    /// # Errors
    /// The model is only recorded, or a run is in the middle of a step.
    fn ask(&mut self, of: Handle, query: &Query, what: &str) -> Result<Option<Answer>, Fault> {
        if !self.domain(of)?.has_run() {
            return Ok(None);
        }
        if !self.is_live() {
            return Err(Fault::live(format!("{what} after RUN needs live execution")));
        }
        let busy = || Fault::runtime(format!("{what} is not known within a step; use the arguments of the function"));
        let (k, engine) = (of.key[0] as usize, self.engine.as_deref().ok_or_else(busy)?);
        if !engine.has_begun(k) {
            return Ok(None);
        }
        engine.ask(k, query).map(Some)
    }

    /// What an object that has run shows; `None` before.
    ///
    /// # Errors
    /// The model is only recorded, or a run is in the middle of a step.
    pub fn frame(&mut self, of: Handle) -> Result<Option<Frame>, Fault> {
        match self.ask(of, &Query::Frame, "the state")? {
            None => Ok(None),
            Some(Answer::Frame(frame)) => Ok(Some(*frame)),
            Some(other) => Err(other.unexpected()),
        }
    }

    /// The local dynamics of the last step of an object; `None` before the first RUN.
    ///
    /// # Errors
    /// The model is only recorded, or a run is in the middle of a step.
    pub fn local_dynamics(&mut self, of: Handle) -> Result<Option<LocalDynamics>, Fault> {
        match self.ask(of, &Query::LocalDynamics, "the local dynamics")? {
            None => Ok(None),
            Some(Answer::LocalDynamics(step)) => Ok(Some(*step)),
            Some(other) => Err(other.unexpected()),
        }
    }

    /// What the solves with a solver object left behind; `None` while models are recorded and nothing has run.
    pub fn outcome(&mut self, solver: Handle) -> Result<Option<Outcome>, Fault> {
        let outcome = |engine: &mut Engine| engine.outcome(solver.key[0] as usize);
        Ok(self.solving()?.map(outcome))
    }

    /// Iterations of all solves with a solver object are recorded from now on.
    pub fn record_iterations(&mut self, solver: Handle) -> Result<(), Fault> {
        if let Some(engine) = self.solving()? {
            engine.record_iterations(solver.key[0] as usize);
        }
        Ok(())
    }

    /// Who solves; `None` where results are read, and while models are recorded and nothing has run.
    fn solving(&mut self) -> Result<Option<&mut Engine>, Fault> {
        if !self.is_live() && self.domains.iter().any(|d| d.has_run()) {
            return Err(Fault::live("the outcome of a solve needs live execution"));
        }
        if self.busy() {
            return Err(Fault::runtime("is not known within a step"));
        }
        Ok(self.engine.as_deref_mut())
    }

    /// A step is being made: the deck is asked for values, and the engine cannot be.
    fn busy(&self) -> bool {
        self.is_live() && self.reader.is_none() && self.engine.is_none()
    }

    /// Nothing can be changed or asked while a step is being made, that is in functions that give values to it.
    pub(super) fn refuse_within_step(&self) -> Result<(), Fault> {
        if self.busy() {
            return Err(Fault::runtime("a step is being made; call this in a CALLBACK instead"));
        }
        Ok(())
    }

    /// Hands on to the engine what a command has done.
    pub(super) fn perform(&mut self) -> Result<(), Fault> {
        self.open()?;
        if self.engine.is_none() && self.reader.is_none() {
            return Ok(());
        }
        let (objects, mut engine) = self.split();
        for (k, domain) in objects.domains.iter_mut().enumerate() {
            let pending = std::mem::take(&mut domain.pending);
            if let Some(engine) = &mut engine {
                pending.into_iter().try_for_each(|op| engine.apply(k, op))?;
            }
        }
        std::mem::take(&mut self.released).into_iter().try_for_each(|k| self.give_back(k))
    }

    /// Opens new SOLFEC objects. One that cannot be opened has not been made.
    fn open(&mut self) -> Result<(), Fault> {
        let Objects { domains, opened, reader, .. } = &mut *self.objects;
        while let Some(domain) = domains.get_mut(*opened) {
            let opening = match (&mut *reader, &mut self.engine) {
                (Some(reader), _) => reader.open().map(|stored| Opening::Read(Box::new(stored))),
                (None, Some(engine)) => engine.open(*opened, &domain.model),
                (None, None) => return Ok(()),
            };
            match opening {
                Ok(Opening::Write) => domain.mode = Mode::Runs { restarted: false },
                Ok(Opening::Read(stored)) => domain.mode = Mode::Reads { stored, matched: Matched::default() },
                Ok(Opening::Continue(from)) => domain.mode = Mode::Continues { from, matched: Matched::default() },
                Err(fault) => {
                    domains.truncate(*opened);
                    return Err(fault);
                }
            }
            *opened += 1;
        }
        Ok(())
    }

    /// Begins a run.
    pub(super) fn begin(&mut self, start: &Start) -> Result<(), Fault> {
        let model = &self.objects.domains[start.domain].model;
        self.engine.as_mut().map_or(Ok(()), |engine| engine.begin(model, start))
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
}
