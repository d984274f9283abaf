//! The objects of a deck: SOLFEC objects with their models, and what belongs to none of them (shapes, solvers, series).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use solfec::load::Series;
use solfec::model::{FunctionRow, Solver, GEOMETRIC_EPSILON};

use super::domain::Domain;
use super::engine::{Reader, Start};
use super::environment::{Environment, Recording};
use super::fault::Fault;
use super::place::Place;
use super::sampling::Sampling;
use super::shapes::Shapes;
use super::snapshots::Sampler;
use super::tabulate::Tabulate;
use super::value::{Handle, Value};

/// A remark for the user, with a short stable name of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub kind: &'static str,
    pub text: String,
}

/// All objects of a deck, and where the deck is.
pub struct Objects {
    pub environment: Environment,
    pub recording: Recording,
    pub domains: Vec<Domain>,
    pub shapes: Shapes,
    pub solvers: Vec<Solver>,
    pub series: Vec<Series>,
    /// Functions that the deck handed over.
    pub functions: Vec<FunctionRow>,
    pub epsilon: f64,
    pub warnings: bool,
    /// The deck itself.
    pub deck: PathBuf,
    /// Where its relative paths begin.
    pub(super) folder: PathBuf,
    /// Directories that were made for its SOLFEC objects, outer ones first.
    made: Vec<PathBuf>,
    /// Files that commands have read.
    pub inputs: Vec<String>,
    /// Where the deck is.
    pub place: Place,
    /// The command or member at work.
    pub command: String,
    pub remarks: Vec<Remark>,
    /// Bodies, by their keys, of which a point outside has been told.
    pub told_outside: BTreeSet<[u64; 2]>,
    /// The first construct that cannot be recorded.
    pub needs_live: Option<String>,
    /// Results that every SOLFEC object reads; then nothing runs.
    pub(super) reader: Option<Box<dyn Reader>>,
    /// Runs are performed.
    runs: bool,
    /// The run that the command at work has asked for.
    pub(super) start: Option<Start>,
    /// Calls of COROTATED_DISPLACEMENTS.
    pub samplers: Vec<Sampler>,
    /// The spring that the command at work has left for the host.
    pub(super) tabulate: Option<Tabulate>,
    /// The body that the command at work has left for the host.
    pub(super) sampling: Option<Sampling>,
    /// SOLFEC objects the engine knows.
    pub(super) opened: usize,
    /// SOLFEC objects to be given back.
    pub(super) released: Vec<usize>,
    /// Objects that are there when the deck begins, by the names of their variables.
    pub(super) predefined: Vec<(&'static str, Handle)>,
}

impl Objects {
    /// Runs are recorded.
    pub fn new(environment: Environment) -> Objects {
        Objects {
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
            folder: PathBuf::new(),
            made: Vec::new(),
            inputs: Vec::new(),
            place: Place::default(),
            command: String::new(),
            remarks: Vec::new(),
            told_outside: BTreeSet::new(),
            needs_live: None,
            reader: None,
            runs: false,
            start: None,
            samplers: Vec::new(),
            tabulate: None,
            sampling: None,
            opened: 0,
            released: Vec::new(),
            predefined: Vec::new(),
        }
    }

    /// Runs are performed.
    pub fn that_run(environment: Environment) -> Objects {
        Objects { runs: true, ..Objects::new(environment) }
    }

    /// Nothing runs: all SOLFEC objects read the same results.
    pub fn that_read(environment: Environment, reader: Box<dyn Reader>) -> Objects {
        Objects { reader: Some(reader), ..Objects::new(environment) }
    }

    /// Makes the directory that a SOLFEC object names: decks write into it, before the first RUN, and also where their
    /// results go elsewhere. One that cannot be made is missed by whoever writes there.
    pub fn make_directory(&mut self, path: &str) {
        let directory = self.folder.join(path);
        let absent = |place: &&Path| !place.as_os_str().is_empty() && !place.exists();
        let mut absent: Vec<PathBuf> = directory.ancestors().take_while(absent).map(Path::to_path_buf).collect();
        if std::fs::create_dir_all(&directory).is_ok() {
            absent.reverse();
            self.made.append(&mut absent);
        }
    }

    /// Where a file is that the deck names: relative paths begin at the folder of the deck.
    pub fn beside_the_deck(&self, path: &Path) -> PathBuf {
        match self.deck.parent() {
            Some(folder) if !path.is_absolute() => self.folder.join(folder).join(path),
            Some(_) | None => self.folder.join(path),
        }
    }

    /// The deck has ended: directories to which nothing was written go.
    pub(super) fn tidy(&mut self) {
        for directory in self.made.drain(..).rev() {
            // What is not empty stays.
            let _ = std::fs::remove_dir(directory);
        }
    }

    /// Whether the deck can ask for state: runs are performed, or results are read.
    pub fn is_live(&self) -> bool {
        self.runs || self.reader.is_some()
    }

    /// No handle of the deck refers to this object or to anything of it any more: what is kept for it is given back, as
    /// soon as no step is being made.
    pub fn release(&mut self, domain: usize) {
        self.released.push(domain);
    }

    /// How messages call a function of the deck.
    pub fn function_name(&self, function: u32) -> String {
        self.functions
            .iter()
            .find(|row| row.function == function)
            .map_or(format!("number {function}"), |row| row.name.clone())
    }

    /// The deck's handle of a solver object.
    pub fn solver_handle(&self, solver: usize) -> Value {
        let class = self.solvers.get(solver).map_or("AUTO_SOLVER", |solver| solver.settings.name());
        Value::Handle(Handle { class, key: [solver as u64, 0] })
    }

    /// What the next shape will be called, and the next body of each SOLFEC object that makes bodies.
    pub(super) fn next_numbers(&self) -> impl Iterator<Item = (Option<usize>, u64)> + '_ {
        let written = self.domains.iter().enumerate().filter(|(_, domain)| !domain.reads());
        let bodies = written.map(|(k, domain)| (Some(k), domain.model.bodies.len() as u64 + 1));
        std::iter::once((None, self.shapes.len() as u64)).chain(bodies)
    }

    /// Warns at the present line, unless WARNINGS is 'OFF'.
    pub fn warn(&mut self, kind: &'static str, text: &str) {
        if self.warnings {
            let text = format!("{}: {}: {text}", self.place, self.command);
            self.remarks.push(Remark { kind, text });
        }
    }

    /// Says what the present command did; nothing is wrong with it.
    pub fn note(&mut self, text: &str) {
        let text = format!("{}: {text}", self.command);
        self.remarks.push(Remark { kind: "note", text });
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
