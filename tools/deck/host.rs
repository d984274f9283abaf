//! Runs a deck: starts its Python as a child process and serves its calls until it ends.

use std::io::{BufReader, BufWriter, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use serde_json::{json, Value as Json};

use super::dispatch::dispatch;
use super::fault::{Fault, FaultKind};
use super::frame::{self, Frame};
use super::session::Session;
use super::table::Language;
use super::value::encode;
use crate::cli::{CliError, Exit};

const BOOTSTRAP: &str = include_str!("bootstrap.py");
const PYTHON2: &str = include_str!("python2.py");
const PRELUDE: &str = include_str!("prelude.py");

/// Status of the bootstrap when Python is older than 3.8.
const OLD_PYTHON: i32 = 97;

/// Environment variables of an MPI job: a deck that imports mpi4py must not try to join it.
const MPI_VARIABLES: [&str; 3] = ["OMPI_", "PMI_", "PMIX_"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Python2 {
    /// When the deck does not compile as Python 3
    Auto,
    Always,
    Never,
}

/// How to run a deck.
#[derive(Debug, Clone)]
pub struct Deck {
    pub path: PathBuf,
    /// Folder to run in; the current one if absent.
    pub root: Option<PathBuf>,
    pub python2: Python2,
    /// Predefined variables, as text.
    pub set: Vec<(String, String)>,
    /// Standard output is taken: what the deck prints goes to standard error.
    pub stdout_taken: bool,
}

/// How a deck ended well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Files it read, itself first.
    pub inputs: Vec<String>,
}

/// Runs the deck on `session`; `hear` is told of remarks as they come. Errors carry the exit code of
/// commands-and-results.md G.0: 3 exceptions, 4 files and Python missing, 6 solver errors, 7 needs live execution, the
/// deck's own for `sys.exit(n)`.
pub fn run(
    deck: &Deck,
    language: &Language,
    session: &mut Session,
    hear: &mut dyn FnMut(&str, &str),
) -> Result<Ended, CliError> {
    let end = talk(deck, language, session, hear, false)?;
    if let Some(text) = &session.needs_live {
        return Err(CliError::new(Exit::NeedsLive, text.clone()));
    }
    if let Some(text) = end["text"].as_str() {
        return Err(CliError::new(exit_of(&end["family"]), text));
    }
    match end["status"].as_u64() {
        Some(0) => Ok(Ended { inputs: texts(&end["inputs"]) }),
        status => Err(CliError::quiet(Exit::Deck(status.unwrap_or(1) as u8))),
    }
}

/// The deck as Python 3 source.
pub fn convert(deck: &Deck) -> Result<String, CliError> {
    let language = Language { commands: Vec::new(), classes: Vec::new(), refusals: Vec::new() };
    let mut session = Session::new(Default::default());
    let end = talk(deck, &language, &mut session, &mut |_, _| (), true)?;
    let text = end["text"].as_str().unwrap_or_default();
    match end["family"].is_null() {
        true => Ok(text.into()),
        false => Err(CliError::bad_input(text)),
    }
}

fn texts(json: &Json) -> Vec<String> {
    let items = json.as_array().map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect()
}

/// Exit code of an exception by the types it belongs to.
fn exit_of(family: &Json) -> Exit {
    let family = texts(family);
    let is = |name: &str| family.iter().any(|f| f == name);
    if is("SolverError") || is("PenetrationError") {
        Exit::Numerical
    } else if is("OSError") {
        Exit::Io
    } else {
        Exit::BadInput
    }
}

/// The header of the last frame of the deck.
fn talk(
    deck: &Deck,
    language: &Language,
    session: &mut Session,
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
        Some(_) => std::path::absolute(&deck.path).map_err(failed)?,
        None => deck.path.clone(),
    };
    let mut child = spawn(&python, &theirs, deck)?;
    drop(theirs);
    let reader = ours.try_clone().map_err(failed)?;
    let mut line = Line { input: BufReader::new(reader), output: BufWriter::new(ours) };
    let start = json!({
        "deck": path, "argv": session.environment.args, "table": language.json(), "set": deck.set,
        "python2": match deck.python2 { Python2::Auto => "auto", Python2::Always => "always", Python2::Never => "never" },
        "convert": convert,
    });
    let end = line.begin(&start).and_then(|()| line.serve(language, session, hear));
    if end.is_err() {
        drop(line); // the child sees the end of its stream
    }
    let status = child.wait().map_err(failed)?;
    end.map_err(|error| lost(&error, &python, status, session))
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
    if deck.stdout_taken {
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
fn lost(error: &std::io::Error, python: &str, status: ExitStatus, session: &Session) -> CliError {
    let place = &session.place;
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

/// Our end of the socket.
struct Line {
    input: BufReader<UnixStream>,
    output: BufWriter<UnixStream>,
}

impl Line {
    fn begin(&mut self, start: &Json) -> std::io::Result<()> {
        for source in [PYTHON2, PRELUDE] {
            write!(self.output, "{}\n{source}", source.len())?;
        }
        frame::write(&mut self.output, frame::START, start, &[])
    }

    /// Answers calls until the deck ends.
    fn serve(
        &mut self,
        language: &Language,
        session: &mut Session,
        hear: &mut dyn FnMut(&str, &str),
    ) -> std::io::Result<Json> {
        loop {
            let Frame { kind, json, raw } = frame::read(&mut self.input)?;
            match kind {
                frame::END => return Ok(json),
                frame::CALL => {
                    let answer = dispatch(language, session, &json, &raw);
                    for remark in session.remarks.drain(..) {
                        hear(remark.kind, &remark.text);
                    }
                    self.answer(session, answer)?;
                }
                other => {
                    let text = format!("frame of unknown kind {other}");
                    return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, text));
                }
            }
        }
    }

    fn answer(&mut self, session: &mut Session, answer: Result<super::Value, Fault>) -> std::io::Result<()> {
        match answer {
            Ok(value) => {
                let mut raw = Vec::new();
                let json = encode(&value, &mut raw);
                frame::write(&mut self.output, frame::RESULT, &json, &raw)
            }
            Err(fault) => {
                let text = format!("{}: {}: {}", session.place, session.command, fault.text);
                if fault.kind == FaultKind::Live {
                    session.needs_live.get_or_insert(text.clone());
                }
                let error = json!({"type": fault.kind.exception(), "text": text});
                frame::write(&mut self.output, frame::ERROR, &error, &[])
            }
        }
    }
}
