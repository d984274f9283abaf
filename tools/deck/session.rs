//! What commands act on: the SOLFEC objects of a deck with their models, and the objects that belong to none of them
//! (shapes, solvers). One method, [`Domain::apply`], takes every operation: recording stops there.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use solfec::load::Series;
use solfec::material::{BulkMaterial, SurfaceMaterial};
use solfec::model::{BodyRow, FunctionRow, Model, Op, ShapeRow, SolverSettings, GEOMETRIC_EPSILON};
use solfec::shape::{Geometry, Shape};
use solfec::simulation::Simulation;

use super::bound::{self, Bound, Rows};
use super::commands::{Export, SeriesRows};
use super::engine::{Engine, Going, Opening, Outcome, Start};
use super::fault::Fault;
use super::now::Now;
use super::stored::{self, Stored};
use super::value::{Handle, Value};
use crate::cli::{CliError, Exit};

/// What the command line tells a deck.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Arguments after `--`.
    pub args: Vec<String>,
    /// Sub-directory of all outputs (`-s`).
    pub subdir: Option<String>,
    /// Legacy switches, stored in every model.
    pub compat: Vec<String>,
    /// Models may be recorded that need functions of their deck.
    pub allow_live: bool,
    /// Results are read although the deck makes another model.
    pub force_read: bool,
}

/// What becomes of functions in a model that is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recording {
    /// Those of CALLBACK and of solvers that fail are left out.
    pub drop_callbacks: bool,
    /// Those of PUT_SPRING become tables of so many points.
    pub tabulate_springs: Option<u32>,
}

/// A spring whose function is to become a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tabulate {
    /// The SOLFEC object and the row of the constraint.
    pub domain: usize,
    pub row: usize,
    pub function: u32,
    pub points: u32,
}

/// A line of a deck.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u32,
}

impl Place {
    /// Moves to a line.
    pub fn at(&mut self, file: &str, line: u32) {
        if *self.file != *file {
            self.file = file.into();
        }
        self.line = line;
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A CONVEX (one or several polyhedra), MESH or SPHERE of the deck.
pub struct ShapeSlot {
    pub parts: Vec<Shape>,
    /// Where it was given away.
    pub emptied: Option<Place>,
    /// Belongs to a body: `body.mesh`.
    pub view: bool,
    /// Coordinates were changed by hand and have to be checked again.
    pub edited: bool,
}

/// What the deck has deleted: ids of bodies, rows of constraints.
#[derive(Default)]
pub struct Deleted {
    pub bodies: BTreeSet<u64>,
    pub constraints: BTreeSet<u32>,
}

/// One SOLFEC object.
pub struct Domain {
    pub model: Model,
    /// Materials as they are now; the tables of the model are as they were at the start.
    pub bulk: Vec<BulkMaterial>,
    pub surface: Vec<SurfaceMaterial>,
    pub cleanup: bool,
    pub deleted: Deleted,
    /// Rows of the series of the model.
    pub series_rows: SeriesRows,
    /// Whether operations are performed.
    live: bool,
    /// READ mode: what is read.
    pub stored: Option<Box<Stored>>,
    /// Results that go on, until the state of their checkpoint has come back.
    pub(super) going: Option<Box<Going>>,
    /// How far the deck has been bound to stored results.
    bound: Bound,
    /// The object goes on where an earlier process left it.
    pub restarted: bool,
    /// Results that SOLFEC_EXPORT writes.
    pub exports: Vec<Export>,
    /// Operations to be handed to the engine.
    pub(super) pending: Vec<Op>,
    /// Operations have been handed on since the engine was given the model.
    grown: bool,
    /// Rows of the library by a hash of their content, or by the next free number after it, as far as they have been entered.
    library: HashMap<u64, u32>,
    entered: usize,
}

impl Domain {
    pub fn new(model: Model) -> Domain {
        Domain {
            bulk: model.bulk.clone(),
            surface: model.surface.clone(),
            model,
            cleanup: false,
            deleted: Deleted::default(),
            series_rows: SeriesRows::default(),
            live: false,
            stored: None,
            going: None,
            bound: Bound::default(),
            restarted: false,
            exports: Vec::new(),
            pending: Vec::new(),
            grown: false,
            library: HashMap::new(),
            entered: 0,
        }
    }

    /// Takes an operation. In READ mode it changes what the deck has made at most.
    pub fn apply(&mut self, op: Op) -> Result<(), Fault> {
        if self.reads() {
            let _ = self.note(op);
            return Ok(());
        }
        self.note(op)
    }

    fn note(&mut self, op: Op) -> Result<(), Fault> {
        match &op {
            Op::SurfaceMaterial { row, material } => match self.surface.get_mut(*row as usize) {
                Some(old) => *old = material.clone(),
                None => self.surface.push(material.clone()),
            },
            Op::BulkMaterial { row, young, poisson } => {
                if let Some(material) = self.bulk.get_mut(*row as usize) {
                    (material.young, material.poisson) = (*young, *poisson);
                }
            }
            _ => {}
        }
        if self.live && self.model.started() && !matches!(op, Op::Run { .. }) {
            self.pending.push(op.clone());
        }
        Ok(self.model.record(op)?)
    }

    /// Whether the object is in READ mode.
    pub fn reads(&self) -> bool {
        self.stored.is_some()
    }

    /// Whether state is known only to a run.
    pub fn has_run(&self) -> bool {
        self.model.started()
    }

    /// Rows for shapes of a new body; equal geometries are stored once.
    pub fn place(&mut self, shapes: &[Shape]) -> std::ops::Range<u32> {
        let first = self.model.shapes.len() as u32;
        for shape in shapes {
            let geometry = self.library_row(&shape.geometry);
            self.model.shapes.push(ShapeRow { geometry, rotation: shape.rotation, shift: shape.shift });
        }
        first..self.model.shapes.len() as u32
    }

    /// Moves the tables of the deck to what the results held after so many operations.
    fn jump(&mut self, stored: &Stored, program: usize, series: &[Series]) -> Result<(), Fault> {
        self.become_model(bound::prefix(&self.model, stored, program)?, series);
        Ok(())
    }

    /// `series`: those of the session.
    fn become_model(&mut self, model: Model, series: &[Series]) {
        self.model = model;
        self.series_rows.find_again(&self.model.series, series);
        (self.library, self.entered) = (HashMap::new(), 0);
        let ops: Vec<&Op> = self.model.program.iter().collect();
        self.surface = stored::surface(&self.model, &ops);
        self.bulk.clone_from(&self.model.bulk);
        self.deleted = Deleted::default();
        for op in &self.model.program {
            match op {
                Op::BulkMaterial { row, young, poisson } => {
                    if let Some(material) = self.bulk.get_mut(*row as usize) {
                        (material.young, material.poisson) = (*young, *poisson);
                    }
                }
                Op::DeleteBody { body } => {
                    self.deleted.bodies.insert(*body);
                }
                Op::DeleteConstraint { row } => {
                    self.deleted.constraints.insert(*row);
                }
                _ => {}
            }
        }
        let on_deleted = |id: &u64| self.deleted.bodies.contains(id);
        let rows = (0..).zip(&self.model.constraints);
        let gone = rows.filter(|(_, row)| on_deleted(&row.master) || row.slave.as_ref().is_some_and(on_deleted));
        let gone: Vec<u32> = gone.map(|(row, _)| row).collect();
        self.deleted.constraints.extend(gone);
        (self.bound.rows, self.bound.program) = (Rows::of(&self.model), self.model.program.len());
    }

    fn library_row(&mut self, geometry: &Arc<Geometry>) -> u32 {
        while self.entered < self.model.library.len() {
            let known = Arc::clone(&self.model.library[self.entered]);
            if let Err(free) = self.find(&known) {
                self.library.insert(free, self.entered as u32);
            }
            self.entered += 1;
        }
        let free = match self.find(geometry) {
            Ok(row) => return row,
            Err(free) => free,
        };
        let row = self.model.library.len() as u32;
        self.model.library.push(Arc::clone(geometry));
        self.library.insert(free, row);
        self.entered += 1;
        row
    }

    /// The model that a body belongs to: those that only callbacks made are in the results.
    pub fn model_of(&self, body: &BodyRow) -> &Model {
        match (self.model.body_row(body.id), &self.stored) {
            (None, Some(stored)) => &stored.model,
            _ => &self.model,
        }
    }

    /// Row of a geometry in the library, or the number under which to enter it.
    fn find(&self, geometry: &Arc<Geometry>) -> Result<u32, u64> {
        let mut hash = fingerprint(geometry);
        while let Some(&row) = self.library.get(&hash) {
            let known = &self.model.library[row as usize];
            if Arc::ptr_eq(known, geometry) || **known == **geometry {
                return Ok(row);
            }
            hash = hash.wrapping_add(1);
        }
        Err(hash)
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
        let stored = self.stored.as_deref().and_then(|stored| Some(&stored.model.bodies[of(&stored.model)?]));
        stored.ok_or_else(|| Fault::wrong_type("body does not exist in this SOLFEC object"))
    }
}

/// Hash of the coordinates.
fn fingerprint(geometry: &Geometry) -> u64 {
    let mut hash = DefaultHasher::new();
    let mut point = |p: &solfec::math::Vec3| p.iter().for_each(|x| hash.write_u64(x.to_bits()));
    match geometry {
        Geometry::Convex(c) => c.vertices.iter().for_each(&mut point),
        Geometry::Mesh(m) => m.nodes.iter().for_each(&mut point),
        Geometry::Sphere(s) => {
            point(&s.center);
            hash.write_u64(s.radius.to_bits());
        }
    }
    hash.finish()
}

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
    pub shapes: Vec<ShapeSlot>,
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
    engine: Option<Box<dyn Engine>>,
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

/// What a RUN of results that go on is.
enum Passed {
    /// It was over at the checkpoint.
    Over,
    /// It was in progress there, or has become longer.
    Here,
    /// It comes after.
    Never,
}

/// Classes of objects that belong to a SOLFEC object: the first number of their handles is its number.
const BELONGING: [&str; 5] = ["SOLFEC", "BODY", "CONSTRAINT", "BULK_MATERIAL", "SURFACE_MATERIAL"];

/// Whether a RUN is longer than the stored one.
fn longer(run: &Op, stored: &Stored, number: u32) -> bool {
    let known = stored.run_op(number).map(|at| &stored.program[at].0);
    match (run, known) {
        (Op::Run { duration: now, .. }, Some(Op::Run { duration: then, .. })) => now > then,
        _ => false,
    }
}

impl Session {
    pub fn new(environment: Environment) -> Session {
        Session {
            environment,
            recording: Recording::default(),
            domains: Vec::new(),
            shapes: Vec::new(),
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
            self.compare(domain, true)?;
            let series = std::mem::take(&mut self.series);
            let of = self.domain(domain)?;
            let mut jumped = Ok(());
            if let Some(stored) = of.stored.take() {
                of.bound.runs += 1;
                jumped = of.jump(&stored, stored.run_end(of.bound.runs), &series);
                // who is there is what the frame says
                of.deleted = Deleted::default();
                of.stored = Some(stored);
            }
            self.series = series;
            return jumped;
        }
        let k = domain.key[0] as usize;
        let run = Op::Run { duration, solver: settings.clone() };
        let resume = match self.domain(domain)?.going.is_some() {
            true => match self.pass(domain, run)? {
                Passed::Over => return Ok(()),
                Passed::Here => true,
                Passed::Never => false,
            },
            false => {
                self.domain(domain)?.apply(run)?;
                false
            }
        };
        if self.live {
            let solver = solver.map(|handle| handle.key[0] as usize);
            self.start = Some(Start { domain: k, settings, duration, solver, resume });
        }
        Ok(())
    }

    /// A RUN of results that go on.
    fn pass(&mut self, domain: Handle, run: Op) -> Result<Passed, Fault> {
        let k = domain.key[0] as usize;
        let of = self.domain(domain)?;
        let Some(mut going) = of.going.take() else { return Ok(Passed::Never) };
        if going.runs == 0 {
            // no checkpoint: everything begins again
            of.live = true;
            of.apply(run)?;
            return Ok(Passed::Never);
        }
        of.apply(run.clone())?;
        let number = of.bound.runs + 1;
        bound::pair_functions(&of.model, &going.stored, &mut of.bound, number);
        of.going = Some(going);
        self.compare(domain, true)?;
        let of = self.domain(domain)?;
        let Some(taken) = of.going.take() else { return Ok(Passed::Never) };
        going = taken;
        of.bound.runs = number;
        let last = number == going.runs;
        let longer = last && going.done && longer(&run, &going.stored, number);
        let end = if last { going.program } else { going.stored.run_end(number) };
        let mut model = bound::prefix(&of.model, &going.stored, end)?;
        let mut program: Vec<Op> = going.stored.program[..end].iter().map(|(op, _)| op.clone()).collect();
        bound::rename(&mut model, &mut program, &of.model.functions, &of.bound)?;
        let series = std::mem::take(&mut self.series);
        let of = self.domain(domain)?;
        of.become_model(model, &series);
        self.series = series;
        let of = self.domain(domain)?;
        if last {
            going.renamed = program;
        }
        if let Some(frame) = going.stored.last_of_run(number) {
            going.stored.show(frame)?;
        }
        of.live = last;
        of.going = Some(going);
        if last && (longer || !self.over(k)) {
            self.restore(k)?;
            return Ok(Passed::Here);
        }
        Ok(Passed::Over)
    }

    /// Whether all that was done at the checkpoint has been passed, and was over.
    fn over(&self, k: usize) -> bool {
        let domain = &self.domains[k];
        domain.going.as_ref().is_some_and(|going| going.done && domain.bound.runs == going.runs)
    }

    /// The state of the checkpoint comes back.
    fn restore(&mut self, k: usize) -> Result<(), Fault> {
        let (Some(domain), Some(engine)) = (self.domains.get_mut(k), &mut self.engine) else { return Ok(()) };
        let Some(going) = domain.going.take() else { return Ok(()) };
        domain.live = true;
        engine.restore(k, &domain.model, &going.renamed)
    }

    /// The state of the checkpoint comes back once the deck does more than what was over by then.
    pub(super) fn awaken(&mut self, of: Handle) -> Result<(), Fault> {
        let k = of.key[0] as usize;
        match BELONGING.contains(&of.class) && k < self.domains.len() && self.over(k) {
            true => self.restore(k),
            false => Ok(()),
        }
    }

    /// Compares what the deck has made since the last time with what is stored; at a RUN their numbers too.
    fn compare(&mut self, of: Handle, at_run: bool) -> Result<(), Fault> {
        let force = self.environment.force_read;
        let domain = self.domain(of)?;
        let strictly = domain.going.is_some();
        let stored = match (&domain.stored, &domain.going) {
            (Some(stored), _) => stored,
            (None, Some(going)) => &going.stored,
            (None, None) => return Ok(()),
        };
        let run = domain.bound.runs + 1;
        let wanted = stored.run_op(run).filter(|_| at_run).map(|at| Rows::after(stored, at));
        let (from, model) = (domain.bound.rows, &domain.model);
        let values = || bound::value_difference(model, &stored.model, from).filter(|_| strictly);
        let found = bound::difference(model, &stored.model, from, wanted, strictly).or_else(values);
        let directory = stored.results.dir().display().to_string();
        domain.bound.rows = Rows::of(&domain.model);
        let Some(text) = found else { return Ok(()) };
        let place = if at_run { format!("at RUN {run}: ") } else { String::new() };
        let text = format!("the deck does not make the model of the results in {directory}: {place}{text}");
        if force && !strictly {
            self.warn("read", &text);
            return Ok(());
        }
        let remedy = match strictly {
            true => "run with -w instead of -c to begin again",
            false => "run with -w to replace the results, or read them all the same with --force-read",
        };
        Err(Fault::value(format!("{text}; {remedy}")))
    }

    /// What an object in READ mode reads, bound to what the deck has made so far; `None` in WRITE mode.
    pub fn reading(&mut self, of: Handle) -> Result<Option<&mut Stored>, Fault> {
        if !self.domain(of)?.reads() {
            return Ok(None);
        }
        self.compare(of, false)?;
        Ok(self.domain(of)?.stored.as_deref_mut())
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
        if let Some(stored) = domain.stored.as_deref() {
            return Ok(Now::stored(domain, stored));
        }
        if let Some(going) = &domain.going {
            return Ok(Now::going(domain, &going.stored, domain.bound.rows));
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
        self.grow()?;
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
        match self.live && self.engine.is_none() {
            true => Err(Fault::runtime("a step is being made; call this in a CALLBACK instead")),
            false => Ok(()),
        }
    }

    /// Hands on to the engine what a command has done.
    pub(super) fn perform(&mut self) -> Result<(), Fault> {
        self.open()?;
        for k in 0..self.domains.len() {
            if self.domains[k].pending.is_empty() {
                continue;
            }
            if self.over(k) {
                self.restore(k)?;
            }
            let (domain, Some(engine)) = (&mut self.domains[k], &mut self.engine) else { continue };
            domain.grown = true;
            for op in std::mem::take(&mut domain.pending) {
                engine.apply(k, &domain.model, &op)?;
            }
        }
        if self.engine.is_some() {
            std::mem::take(&mut self.released).into_iter().try_for_each(|k| self.give_back(k))?;
        }
        Ok(())
    }

    /// Hands models on that have grown: before steps are made, and before results are completed.
    pub(super) fn grow(&mut self) -> Result<(), Fault> {
        let Some(engine) = &mut self.engine else { return Ok(()) };
        for (k, domain) in self.domains.iter_mut().enumerate() {
            if std::mem::take(&mut domain.grown) {
                engine.grow(k, &domain.model)?;
            }
        }
        Ok(())
    }

    /// Opens new SOLFEC objects. One that cannot be opened has not been made.
    fn open(&mut self) -> Result<(), Fault> {
        if self.opened < self.domains.len() {
            self.grow()?;
        }
        let Some(engine) = &mut self.engine else { return Ok(()) };
        while let Some(domain) = self.domains.get_mut(self.opened) {
            match engine.open(self.opened, &domain.model) {
                Ok(Opening::Write) => domain.live = true,
                Ok(Opening::Read(stored)) => domain.stored = Some(stored),
                Ok(Opening::Continue(going)) => {
                    domain.restarted = going.runs > 0;
                    domain.going = Some(going);
                }
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
        let model = &mut self.domains[start.domain].model;
        if start.resume {
            // The deck may ask for a longer RUN than the one that is stored.
            let run = model.program.iter_mut().rev().find(|op| matches!(op, Op::Run { .. }));
            if let Some(Op::Run { duration, .. }) = run {
                *duration = start.duration;
            }
        }
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
        let grown = self.grow().map_err(|fault| CliError::bad_input(fault.text));
        self.engine.as_mut().map_or(Ok(()), |engine| engine.finish(exit)).and(grown)
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

    pub fn new_shape(&mut self, class: &'static str, parts: Vec<Shape>) -> Handle {
        self.shapes.push(ShapeSlot { parts, emptied: None, view: false, edited: false });
        Handle { class, key: [self.shapes.len() as u64 - 1, 0] }
    }

    /// A shape that still holds something.
    pub fn shape(&mut self, handle: Handle) -> Result<&mut ShapeSlot, Fault> {
        let slot = self.shapes.get_mut(handle.key[0] as usize);
        let slot = slot.ok_or_else(|| Fault::wrong_type("shape does not exist"))?;
        match &slot.emptied {
            None => Ok(slot),
            Some(place) => Err(Fault::wrong_type(format!(
                "shape was given away at {place} and is empty; pass a COPY if you need it twice"
            ))),
        }
    }

    /// A shape that may be changed.
    pub fn own_shape(&mut self, handle: Handle) -> Result<&mut ShapeSlot, Fault> {
        let slot = self.shape(handle)?;
        if slot.view {
            return Err(Fault::runtime(
                "mesh belongs to a body and cannot be changed; change the mesh before BODY, or use a COPY",
            ));
        }
        Ok(slot)
    }

    /// All parts of several shapes in order; each shape may be named once.
    pub fn parts(&mut self, handles: &[Handle]) -> Result<Vec<Shape>, Fault> {
        let mut parts = Vec::new();
        for (at, handle) in handles.iter().enumerate() {
            if handles[..at].contains(handle) {
                return Err(Fault::value(format!(
                    "shape {at} of the list is there twice; pass a COPY if you need it twice"
                )));
            }
            parts.extend(self.shape(*handle)?.parts.iter().cloned());
        }
        Ok(parts)
    }

    /// Marks shapes as given away here.
    pub fn empty(&mut self, handles: &[Handle]) -> Result<(), Fault> {
        let place = self.place.clone();
        for handle in handles {
            let slot = self.shape(*handle)?;
            slot.parts = Vec::new();
            slot.emptied = Some(place.clone());
        }
        Ok(())
    }
}
