//! What commands act on: the SOLFEC objects of a deck with their models, and the objects that belong to none of them
//! (shapes, solvers). One method, [`Domain::apply`], takes every operation: recording stops there.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use solfec::load::Series;
use solfec::material::{BulkMaterial, SurfaceMaterial};
use solfec::model::{BodyRow, FunctionRow, Model, Op, ShapeRow, SolverSettings, GEOMETRIC_EPSILON};
use solfec::shape::{Geometry, Shape};
use solfec::simulation::Simulation;

use super::commands::SeriesRows;
use super::engine::{Engine, Opening, Outcome, Start};
use super::fault::Fault;
use super::stored::Stored;
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
    /// Operations to be handed to the engine.
    pub(super) pending: Vec<Op>,
    /// Rows of the library by a hash of their content, or by the next free number after it.
    library: HashMap<u64, u32>,
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
            pending: Vec::new(),
            library: HashMap::new(),
        }
    }

    /// Takes an operation.
    pub fn apply(&mut self, op: Op) -> Result<(), Fault> {
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

    fn library_row(&mut self, geometry: &Arc<Geometry>) -> u32 {
        let mut hash = fingerprint(geometry);
        while let Some(&row) = self.library.get(&hash) {
            let known = &self.model.library[row as usize];
            if Arc::ptr_eq(known, geometry) || **known == **geometry {
                return row;
            }
            hash = hash.wrapping_add(1);
        }
        let row = self.model.library.len() as u32;
        self.model.library.push(Arc::clone(geometry));
        self.library.insert(hash, row);
        row
    }

    pub fn body(&self, handle: Handle) -> Result<&BodyRow, Fault> {
        if self.deleted.bodies.contains(&handle.key[1]) {
            return Err(Fault::wrong_type("body was recently deleted"));
        }
        let row = self.model.body_row(handle.key[1]);
        let gone = || Fault::wrong_type("body does not exist in this SOLFEC object");
        row.map(|row| &self.model.bodies[row]).ok_or_else(gone)
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
    pub domains: Vec<Domain>,
    pub shapes: Vec<ShapeSlot>,
    pub solvers: Vec<SolverSettings>,
    pub series: Vec<Series>,
    /// Functions that the deck handed over.
    pub functions: Vec<FunctionRow>,
    pub epsilon: f64,
    pub warnings: bool,
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
    /// SOLFEC objects the engine knows.
    opened: usize,
}

impl Session {
    pub fn new(environment: Environment) -> Session {
        Session {
            environment,
            domains: Vec::new(),
            shapes: Vec::new(),
            solvers: Vec::new(),
            series: Vec::new(),
            functions: Vec::new(),
            epsilon: GEOMETRIC_EPSILON,
            warnings: true,
            place: Place::default(),
            command: String::new(),
            remarks: Vec::new(),
            needs_live: None,
            engine: None,
            live: false,
            start: None,
            opened: 0,
        }
    }

    /// A session whose runs are performed.
    pub fn with_engine(environment: Environment, engine: Box<dyn Engine>) -> Session {
        Session { engine: Some(engine), live: true, ..Session::new(environment) }
    }

    /// Whether runs are performed.
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// Records a RUN; a live session performs it once the command returns.
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
        self.domain(domain)?.apply(Op::Run { duration, solver: settings.clone() })?;
        if self.live {
            let solver = solver.map(|handle| handle.key[0] as usize);
            self.start = Some(Start { domain: domain.key[0] as usize, settings, duration, solver });
        }
        Ok(())
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
        let Some(engine) = &mut self.engine else { return Ok(()) };
        while self.opened < self.domains.len() {
            let domain = &mut self.domains[self.opened];
            self.opened += 1;
            match engine.open(self.opened - 1, &domain.model)? {
                Opening::Write => domain.live = true,
                Opening::Read(stored) => domain.stored = Some(stored),
            }
        }
        for (k, domain) in self.domains.iter_mut().enumerate() {
            for op in std::mem::take(&mut domain.pending) {
                engine.apply(k, &domain.model, &op)?;
            }
        }
        Ok(())
    }

    /// Begins a run.
    pub(super) fn begin(&mut self, start: &Start) -> Result<(), Fault> {
        let model = &self.domains[start.domain].model;
        self.engine.as_mut().map_or(Ok(()), |engine| engine.begin(model, start))
    }

    /// The deck has no more use for a SOLFEC object.
    pub fn release(&mut self, domain: usize) {
        if let Some(domain) = self.domains.get_mut(domain).filter(|_| self.live) {
            let Model { analysis, step, output_path, .. } = &domain.model;
            domain.model = Model::new(*analysis, *step, output_path.clone());
            (domain.library, domain.stored) = (HashMap::new(), None);
        }
    }

    /// What the next shape will be called, and the next body of each SOLFEC object that makes bodies.
    pub(super) fn next_numbers(&self) -> impl Iterator<Item = (Option<usize>, u64)> + '_ {
        let written = self.domains.iter().enumerate().filter(|(_, domain)| !domain.reads());
        let bodies = written.map(|(k, domain)| (Some(k), domain.model.bodies.len() as u64 + 1));
        std::iter::once((None, self.shapes.len() as u64)).chain(bodies)
    }

    /// The deck has ended: results are completed.
    pub fn finish(&mut self, exit: Exit) -> Result<(), CliError> {
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
