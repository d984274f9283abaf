//! Runs a deck: starts its Python as a child process and serves its calls until it ends.

use std::io::{BufReader, BufWriter, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::Arc;

use serde_json::{json, Value as Json};

use solfec::load::{Call as UserCall, UserFunctions};

use super::deferred::WITHIN;
use super::dispatch::dispatch;
use super::engine::{Pause, Start};
use super::fault::{Fault, FaultKind};
use super::frame::{self, Frame};
use super::environment::Environment;
use super::session::Session;
use super::table::Language;
use super::tabulate::Tabulate;
use super::value::{decode, encode, Handle, Value};
use crate::cli::{Circumstances, CliError, Exit};

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
        let (exit, name) = exit_of(&end["family"]);
        return Err(CliError::new(exit, text).named(name));
    }
    match end["status"].as_u64() {
        Some(0) => {
            let mut inputs = texts(&end["inputs"]);
            inputs.append(&mut session.inputs);
            Ok(Ended { inputs, left: end["left"] == true })
        }
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
        Some(_) if deck.text.is_none() => std::path::absolute(&deck.path).map_err(failed)?,
        _ => deck.path.clone(),
    };
    session.deck.clone_from(&path);
    let mut child = spawn(&python, &theirs, deck)?;
    let tell = |id| deck.child.iter().for_each(|told| told.store(id, Ordering::SeqCst));
    tell(child.id());
    drop(theirs);
    let reader = ours.try_clone().map_err(failed)?;
    let mut line = Line { input: BufReader::new(reader), output: BufWriter::new(ours) };
    let object = |(name, h): &(&str, Handle)| json!([name, [h.class, h.key[0], h.key[1]]]);
    let objects: Vec<Json> = session.predefined.iter().map(object).collect();
    let start = json!({
        "deck": path, "text": deck.text, "argv": session.environment.args, "table": language.json(), "set": deck.set,
        "objects": objects, "python2": deck.python2.name(), "convert": convert, "watched": deck.child.is_some(),
    });
    let end = line.begin(&start).and_then(|()| {
        line.serve(&mut Served { language, session: &mut *session, hear, late: None, numbers: Vec::new() })
    });
    if end.is_err() {
        drop(line); // the child sees the end of its stream
    }
    let status = child.wait().map_err(failed)?;
    tell(0);
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
    fn serve(&mut self, to: &mut Served) -> std::io::Result<Json> {
        loop {
            let Frame { kind, json, raw } = frame::read(&mut self.input)?;
            match kind {
                frame::END => return Ok(json),
                frame::CALL => self.call(to, &json, &raw)?,
                frame::LATER => to.call_later(&json, &raw),
                other => return Err(unknown(other)),
            }
        }
    }

    /// Performs one call of the deck and answers it. If one that was put off has failed, that is the answer.
    fn call(&mut self, to: &mut Served, json: &Json, raw: &[u8]) -> std::io::Result<()> {
        if let Some(error) = to.late.take() {
            self.tell_numbers(to)?;
            return frame::write(&mut self.output, frame::ERROR, &error, &[]);
        }
        let mut answer = to.perform(json, raw);
        if let (Ok(_), Some(start)) = (&answer, to.session.start.take()) {
            let (place, command) = (to.session.place.clone(), to.session.command.clone());
            answer = self.run(to, &start)?.map(|()| Value::None);
            (to.session.place, to.session.command) = (place, command);
            to.tell();
        }
        if let (Ok(_), Some(spring)) = (&answer, to.session.tabulate.take()) {
            answer = self.tabulate(to, spring)?;
        }
        self.tell_numbers(to)?;
        self.answer(to.session, answer)
    }

    /// Inserts a spring with a table of its function, force over stroke.
    fn tabulate(&mut self, to: &mut Served, spring: Tabulate) -> std::io::Result<Result<Value, Fault>> {
        let strokes = spring.strokes();
        let mut forces = Vec::with_capacity(strokes.len());
        for &stroke in &strokes {
            let mut force = [0.0; 2];
            for (rate, force) in [0.0, 1.0].into_iter().zip(&mut force) {
                let answer = match self.ask(to, spring.function, &[Value::Real(stroke), Value::Real(rate)])? {
                    Ok(answer) => answer,
                    Err(fault) => return Ok(Err(fault)),
                };
                let Some([one]) = numbers(&answer).as_deref().and_then(|all| <[f64; 1]>::try_from(all).ok()) else {
                    let text = format!("function: returned {}; return a number", answer.describe());
                    return Ok(Err(Fault::wrong_type(text)));
                };
                *force = one;
            }
            if force[0] != force[1] {
                let text = "function: depends on the velocity, which a table cannot hold; it needs live execution";
                return Ok(Err(Fault::live(text)));
            }
            forces.push(force[0]);
        }
        let domain = to.session.domain(spring.bodies[0]);
        Ok(domain.and_then(|domain| spring.insert(domain, strokes, forces)))
    }

    /// Tells the deck what the next objects will be called, where it does not know.
    fn tell_numbers(&mut self, to: &mut Served) -> std::io::Result<()> {
        let numbers: Vec<(Option<usize>, u64)> = to.session.next_numbers().collect();
        if to.numbers != numbers {
            let new: Vec<_> = numbers.iter().filter(|entry| !to.numbers.contains(entry)).collect();
            frame::hold(&mut self.output, frame::NEXT, &json!(new), &[])?;
            to.numbers = numbers;
        }
        Ok(())
    }

    /// Performs a RUN: the engine goes on by itself, and comes back when a function of the deck is due.
    fn run(&mut self, to: &mut Served, start: &Start) -> std::io::Result<Result<(), Fault>> {
        if let Err(fault) = to.session.begin(start) {
            return Ok(Err(fault));
        }
        let domain = start.domain;
        loop {
            let Some(mut engine) = to.session.engine().take() else { return Ok(Ok(())) };
            let mut asked = Asked { line: &mut *self, to: &mut *to, fault: None, lost: None };
            let pause = engine.advance(domain, &mut asked);
            let Asked { fault, lost, .. } = asked;
            *to.session.engine() = Some(engine);
            if let Some(lost) = lost {
                return Err(lost);
            }
            let pause = match (pause, fault) {
                (Err(_), Some(fault)) | (Err(fault), None) => return Ok(Err(fault)),
                (Ok(pause), _) => pause,
            };
            let (Pause::Callback(function) | Pause::SolverFailed(function)) = pause else { return Ok(Ok(())) };
            let args: Vec<Value> = match pause {
                Pause::SolverFailed(_) => start.solver.map(|k| to.session.solver_handle(k)).into_iter().collect(),
                _ => Vec::new(),
            };
            let answer = match self.ask(to, function, &args)? {
                Ok(answer) => answer,
                Err(fault) => {
                    // What cannot be stored now is told at the end of the deck; the exception of the function comes first.
                    let _ = to.session.engine().as_mut().map(|engine| engine.abandon(domain));
                    return Ok(Err(fault));
                }
            };
            let Some(engine) = to.session.engine() else { return Ok(Ok(())) };
            match (pause, is_zero(&answer)) {
                (Pause::Callback(_), true) => engine.stop(domain),
                (Pause::SolverFailed(_), false) => engine.go_on(domain),
                _ => {}
            }
        }
    }

    /// Calls a function of the deck and serves what it calls meanwhile.
    fn ask(&mut self, to: &mut Served, function: u32, args: &[Value]) -> std::io::Result<Result<Value, Fault>> {
        let mut raw = Vec::new();
        let args: Vec<Json> = args.iter().map(|value| encode(value, &mut raw)).collect();
        frame::write(&mut self.output, frame::CALLBACK, &json!({"fn": function, "args": args}), &raw)?;
        loop {
            let Frame { kind, json, raw } = frame::read(&mut self.input)?;
            match kind {
                frame::CALL => self.call(to, &json, &raw)?,
                frame::LATER => to.call_later(&json, &raw),
                frame::RETURNED => {
                    let class = |name: &str| to.language.class(name).map(|c| c.name);
                    let foreign = || Fault::runtime("a function of the deck returned what is not of the protocol");
                    return Ok(decode(&json, &raw, &class).ok_or_else(foreign));
                }
                frame::RAISED => return Ok(Err(Fault::raised(json["text"].as_str().unwrap_or("raised an exception")))),
                other => return Err(unknown(other)),
            }
        }
    }

    fn answer(&mut self, session: &mut Session, answer: Result<Value, Fault>) -> std::io::Result<()> {
        match answer {
            Ok(value) => {
                let mut raw = Vec::new();
                let json = encode(&value, &mut raw);
                frame::write(&mut self.output, frame::RESULT, &json, &raw)
            }
            // The deck keeps the exception itself.
            Err(fault) if fault.kind == FaultKind::Raised => {
                frame::write(&mut self.output, frame::ERROR, &json!({"raised": true}), &[])
            }
            Err(fault) => frame::write(&mut self.output, frame::ERROR, &error(session, &fault), &[]),
        }
    }
}

/// A fault of the command at work as the deck is told.
fn error(session: &mut Session, fault: &Fault) -> Json {
    let text = format!("{}: {}: {}", session.place, session.command, fault.text);
    if fault.kind == FaultKind::Live {
        session.needs_live.get_or_insert(text.clone());
    }
    json!({"type": fault.kind.exception(), "text": text})
}

fn unknown(kind: u8) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, format!("frame of unknown kind {kind}"))
}

/// Whether a callback said 0; None and everything else says go on (commands-and-results.md C.2).
fn is_zero(answer: &Value) -> bool {
    matches!(answer, Value::Int(0) | Value::Bool(false)) || matches!(answer, Value::Real(x) if *x == 0.0)
}

/// Whom calls of a deck go to.
struct Served<'a> {
    language: &'a Language,
    session: &'a mut Session,
    hear: &'a mut dyn FnMut(&str, &str),
    /// The error of a call that was put off. The deck is told with its next call; until then nothing is performed.
    late: Option<Json>,
    /// What the deck believes that the next objects will be called.
    numbers: Vec<(Option<usize>, u64)>,
}

impl Served<'_> {
    fn perform(&mut self, json: &Json, raw: &[u8]) -> Result<Value, Fault> {
        let answer = dispatch(self.language, self.session, json, raw);
        self.tell();
        let answer = answer?;
        self.session.perform()?;
        Ok(answer)
    }

    /// Performs a call for which the deck does not wait; the last entry of it is what the deck calls the object it makes.
    fn call_later(&mut self, json: &Json, raw: &[u8]) {
        if let Some([class, first, second]) = json.get(6).and_then(Json::as_array).map(Vec::as_slice) {
            let (first, second) = (first.as_u64().unwrap_or(0), second.as_u64().unwrap_or(0));
            let within = class.as_str().is_some_and(|class| WITHIN.contains(&class));
            let (place, number) = if within { (Some(first as usize), second) } else { (None, first) };
            if let Some(known) = self.numbers.iter_mut().rev().find(|known| known.0 == place) {
                known.1 = number + 1;
            }
        }
        if self.late.is_some() {
            return;
        }
        let answer = self.perform(json, raw).and_then(|answer| match (answer, json.get(6)) {
            (Value::Handle(made), Some(believed @ Json::Array(_)))
                if json!([made.class, made.key[0], made.key[1]]) != *believed =>
            {
                Err(Fault::runtime(format!("made {made:?} instead of {believed}; please report it with the deck")))
            }
            _ => Ok(()),
        });
        self.late = answer.err().map(|fault| error(self.session, &fault));
    }

    fn tell(&mut self) {
        for remark in self.session.remarks.drain(..) {
            (self.hear)(remark.kind, &remark.text);
        }
    }
}

/// The deck as it is asked for values by a step.
struct Asked<'a, 'b> {
    line: &'a mut Line,
    to: &'a mut Served<'b>,
    /// Why a function gave no values, and why there was no answer at all.
    fault: Option<Fault>,
    lost: Option<std::io::Error>,
}

impl UserFunctions for Asked<'_, '_> {
    fn values(&mut self, calls: &[UserCall]) -> solfec::Result<Vec<Vec<f64>>> {
        calls.iter().map(|call| self.value(call)).collect()
    }
}

impl Asked<'_, '_> {
    fn value(&mut self, call: &UserCall) -> solfec::Result<Vec<f64>> {
        let (function, args) = match call {
            UserCall::Force { function, q, u, time, step } => {
                let tuple = |numbers: &[f64]| Value::tuple(numbers.iter().copied());
                (*function, vec![tuple(q), tuple(u), Value::Real(*time), Value::Real(*step)])
            }
            UserCall::Spring { function, stroke, rate } => (*function, vec![Value::Real(*stroke), Value::Real(*rate)]),
        };
        let fault = match self.line.ask(self.to, function, &args) {
            Ok(Ok(value)) => match numbers(&value) {
                Some(numbers) => return Ok(numbers),
                None => Fault::wrong_type(format!(
                    "function {} returned {}; return a tuple of numbers",
                    self.to.session.function_name(function),
                    value.describe()
                )),
            },
            Ok(Err(fault)) => fault,
            Err(lost) => {
                self.lost = Some(lost);
                Fault::runtime("the deck has gone")
            }
        };
        let text = fault.text.clone();
        self.fault = Some(fault);
        Err(solfec::Error::input(text))
    }
}

/// The numbers of a value: one, or a sequence.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    let one = |value: &Value| match value {
        Value::Real(x) => Some(*x),
        Value::Int(i) => Some(*i as f64),
        _ => None,
    };
    match value {
        Value::Reals(x) => Some(x.clone()),
        Value::Ints(x) => Some(x.iter().map(|&i| i as f64).collect()),
        Value::List(items) | Value::Tuple(items) => items.iter().map(one).collect(),
        single => one(single).map(|x| vec![x]),
    }
}
