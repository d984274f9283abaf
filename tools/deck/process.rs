//! Runs a deck: starts its Python as a child process, which `host` serves until it ends.

use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use serde_json::{json, Value as Json};

use super::engine::Engine;
use super::environment::Environment;
use super::host::Line;
use super::objects::Objects;
use super::place::Place;
use super::session::Session;
use super::table::Language;
use super::value::Handle;
use crate::cli::{Circumstances, CliError, Exit};

const BOOTSTRAP: &str = include_str!("bootstrap.py");
const DIALECT: &str = include_str!("dialect.py");
const SYNTAX2: &str = include_str!("syntax2.py");
const PYTHON2: &str = include_str!("python2.py");
const PRELUDE: &str = include_str!("prelude.py");

/// Status of the bootstrap when Python is older than 3.8.
const OLD_PYTHON: i32 = 97;

/// Environment variables of an MPI job: a deck that imports mpi4py must not try to join it.
const MPI_VARIABLES: [&str; 4] = ["OMPI_", "PMI_", "PMIX_", "SLURM_STEP_NUM_TASKS"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Python2 {
    /// When the deck does not compile as Python 3, or has what only Python 2 means
    Auto,
    Always,
    Never,
}

/// How to run a deck.
#[derive(Debug, Clone)]
pub struct Deck {
    pub path: PathBuf,
    /// Its text, where that is not what the file holds: the path is then only a name.
    pub text: Option<String>,
    /// Folder to run in; the current one if absent.
    pub root: Option<PathBuf>,
    pub python2: Python2,
    /// Predefined variables, as text.
    pub set: Vec<(String, String)>,
    /// Standard output is taken: what the deck prints goes to standard error.
    pub stdout_taken: bool,
    /// What the deck prints goes nowhere.
    pub muted: bool,
    /// Number of its process while it runs, else 0, for one who ends it when a signal comes; without, SIGINT ends it.
    pub child: Option<Arc<AtomicU32>>,
}

impl Python2 {
    pub fn name(self) -> &'static str {
        match self {
            Python2::Auto => "auto",
            Python2::Always => "always",
            Python2::Never => "never",
        }
    }

    /// The inverse; foreign names are `auto`.
    pub fn named(name: &str) -> Python2 {
        [Python2::Always, Python2::Never].into_iter().find(|p| p.name() == name).unwrap_or(Python2::Auto)
    }
}

impl Deck {
    /// What is needed to run it again in the same way.
    pub fn circumstances(&self, environment: &Environment) -> Circumstances {
        Circumstances {
            path: self.path.clone(),
            folder: std::path::absolute(self.root.as_deref().unwrap_or(Path::new("."))).ok(),
            args: environment.args.clone(),
            set: self.set.clone(),
            subdir: environment.subdir.clone(),
            python2: Some(self.python2.name().into()),
            compat: environment.compat.clone(),
        }
    }
}

/// How a deck ended well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Files it read, itself first.
    pub inputs: Vec<String>,
    /// Before its last line, because the reader of its standard output left.
    pub left: bool,
}

/// Runs the deck on `objects`, its runs by `engine`; `hear` gets remarks as they come.
///
/// # Errors
/// With the exit code 3 for exceptions, 4 for files and Python missing, 6 for solver errors, 7 for decks that need live
/// execution, and the deck's own for `sys.exit(n)`.
pub fn run(
    deck: &Deck,
    language: &Language,
    objects: &mut Objects,
    engine: Option<&mut Engine>,
    hear: &mut dyn FnMut(&str, &str),
) -> Result<Ended, CliError> {
    objects.folder = deck.root.clone().unwrap_or_default();
    for name in unmentioned(deck) {
        hear("ignored", &format!("--set {name}: the deck does not mention '{name}'"));
    }
    let end = talk(deck, language, Session::new(objects, engine), hear, false);
    objects.tidy();
    let end = end?;
    if let Some(text) = &objects.needs_live {
        return Err(CliError::new(Exit::NeedsLive, text.clone()));
    }
    if let Some(text) = end["text"].as_str() {
        let (exit, name) = exit_of(&end["family"]);
        return Err(CliError::new(exit, text).named(name));
    }
    match end["status"].as_u64() {
        Some(0) => {
            let mut inputs = texts(&end["inputs"]);
            inputs.append(&mut objects.inputs);
            Ok(Ended { inputs, left: end["left"] == true })
        }
        status => Err(CliError::quiet(Exit::Passed(status.unwrap_or(1) as u8))),
    }
}

/// Variables that are defined for the deck and do not occur in it; a deck that runs other texts may have them there.
fn unmentioned(deck: &Deck) -> Vec<&str> {
    let file = || std::fs::read(&deck.path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let text = deck.text.clone().unwrap_or_else(|| file().unwrap_or_default());
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect::<Vec<_>>();
    words.sort_unstable();
    let has = |word: &str| words.binary_search(&word).is_ok();
    if ["exec", "execfile", "globals", "eval"].into_iter().any(has) {
        return Vec::new();
    }
    deck.set.iter().map(|(name, _)| name.as_str()).filter(|name| !has(name)).collect()
}

/// The deck as Python 3 source.
pub fn convert(deck: &Deck) -> Result<String, CliError> {
    let language = Language { commands: Vec::new(), classes: Vec::new(), absent: &[] };
    let mut objects = Objects::new(Default::default());
    let end = talk(deck, &language, Session::new(&mut objects, None), &mut |_, _| (), true)?;
    let text = end["text"].as_str().unwrap_or_default();
    if end["family"].is_null() {
        return Ok(text.into());
    }
    Err(CliError::bad_input(text))
}

fn texts(json: &Json) -> Vec<String> {
    let items = json.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect()
}

/// Exit code of an exception by the types it belongs to, and its name for programs.
fn exit_of(family: &Json) -> (Exit, &'static str) {
    let family = texts(family);
    let known = [
        ("PenetrationError", Exit::Numerical, "E_PENETRATION"),
        ("SolverError", Exit::Numerical, "E_SOLVER_DIVERGED"),
        ("OSError", Exit::Io, "E_IO"),
        ("TypeError", Exit::BadInput, "E_DECK_TYPE"),
        ("ValueError", Exit::BadInput, "E_DECK_VALUE"),
        ("RuntimeError", Exit::BadInput, "E_DECK_RUNTIME"),
    ];
    let found = known.into_iter().find(|(name, ..)| family.iter().any(|f| f == name));
    found.map_or((Exit::BadInput, "E_DECK"), |(_, exit, name)| (exit, name))
}

/// The header of the last frame of the deck.
fn talk(
    deck: &Deck,
    language: &Language,
    mut session: Session,
    hear: &mut dyn FnMut(&str, &str),
    convert: bool,
) -> Result<Json, CliError> {
    let python = std::env::var("SF_PYTHON").ok().filter(|p| !p.is_empty()).unwrap_or_else(|| "python3".into());
    let failed = |error: std::io::Error| CliError::new(Exit::Internal, format!("talking to {python}: {error}"));
    let (ours, theirs) = UnixStream::pair().map_err(failed)?;
    let theirs = OwnedFd::from(theirs);
    // the child inherits this descriptor; rustix clears close-on-exec
    rustix::io::fcntl_setfd(&theirs, rustix::io::FdFlags::empty()).map_err(|e| failed(e.into()))?;
    let path = match &deck.root {
        Some(_) if deck.text.is_none() => std::path::absolute(&deck.path).map_err(failed)?,
        _ => deck.path.clone(),
    };
    session.deck.clone_from(&path);
    let mut child = spawn(&python, &theirs, deck)?;
    let tell = |id| deck.child.iter().for_each(|told| told.store(id, Ordering::SeqCst));
    tell(child.id());
    drop(theirs);
    let reader = ours.try_clone().map_err(failed)?;
    let mut line = Line::new(reader, ours, child.id());
    let object = |(name, h): &(&str, Handle)| json!([name, [h.class, h.key[0], h.key[1]]]);
    let objects: Vec<Json> = session.predefined.iter().map(object).collect();
    let start = json!({
        "deck": path, "text": deck.text, "argv": session.environment.args, "table": language.json(), "set": deck.set,
        "objects": objects, "python2": deck.python2.name(), "convert": convert, "watched": deck.child.is_some(),
    });
    let end = line
        .begin(&[DIALECT, SYNTAX2, PYTHON2, PRELUDE], &start)
        .and_then(|()| line.serve(language, &mut session, hear));
    if end.is_err() {
        drop(line); // the child sees the end of its stream
    }
    let status = child.wait().map_err(failed)?;
    tell(0);
    end.map_err(|error| lost(&error, &python, status, &session.place))
}

fn spawn(python: &str, theirs: &OwnedFd, deck: &Deck) -> Result<Child, CliError> {
    let mut command = Command::new(python);
    command.args(["-c", BOOTSTRAP]).env("SF_DECK_FD", theirs.as_raw_fd().to_string());
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if MPI_VARIABLES.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    if deck.muted {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    } else if deck.stdout_taken {
        if let Ok(stderr) = std::io::stderr().as_fd().try_clone_to_owned() {
            command.stdout(Stdio::from(stderr));
        }
    }
    if let Some(root) = &deck.root {
        if !Path::new(root).is_dir() {
            return Err(CliError::new(
                Exit::Io,
                format!("{}: is not a directory; give --root a directory", root.display()),
            ));
        }
        command.current_dir(root);
    }
    command.spawn().map_err(|error| {
        CliError::new(
            Exit::Io,
            format!("{python}: cannot start: {error}; install Python 3.8 or later, or set SF_PYTHON"),
        )
    })
}

/// The child went away without its last frame.
fn lost(error: &std::io::Error, python: &str, status: ExitStatus, place: &Place) -> CliError {
    if status.code() == Some(OLD_PYTHON) && place.line == 0 {
        return CliError::bad_input(format!("{python}: is older than Python 3.8; set SF_PYTHON to a newer one"));
    }
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => format!("with status {code}"),
        (None, Some(signal)) => format!("by signal {signal}"),
        (None, None) => "for an unknown reason".into(),
    };
    let wherever = if place.line == 0 { "before its first command".into() } else { format!("after {place}") };
    let remedy = match status.code() {
        Some(_) if place.line == 0 => format!("; set SF_PYTHON if {python} is no Python of 3.8 or later"),
        _ => String::new(),
    };
    let detail = match error.kind() {
        std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::BrokenPipe | std::io::ErrorKind::ConnectionReset => {
            String::new()
        }
        _ => format!(" ({error})"),
    };
    CliError::bad_input(format!("the deck's Python ended {how} {wherever}{detail}{remedy}"))
}
