//! Serves the Python of a deck: performs its calls, runs what they ask for, and calls its functions.

use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::net::UnixStream;

use serde_json::{json, Value as Json};

use solfec::load::{Call as UserCall, UserFunctions};
use solfec::math::Vec3;

use super::beside::Beside;
use super::engine::{Pause, Start};
use super::fault::{Fault, FaultKind};
use super::frame::{self, Frame};
use super::making;
use super::sampling::Sampling;
use super::service::{error, Service, Told};
use super::session::Session;
use super::snapshots::{deliver, OfRun};
use super::table::Language;
use super::tabulate::Tabulate;
use super::value::{decode, encode, Value};

/// Our end of the socket.
pub struct Line {
    input: BufReader<UnixStream>,
    output: BufWriter<UnixStream>,
    beside: Beside,
}

/// Why a call cannot be completed.
enum Failure {
    /// There is nobody at the other end any more.
    Lost(io::Error),
    /// The deck is told.
    Fault(Fault),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Lost(error)
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl Line {
    /// To the process at the other end.
    pub fn new(input: UnixStream, output: UnixStream, process: u32) -> Line {
        Line { input: BufReader::new(input), output: BufWriter::new(output), beside: Beside::new(process) }
    }

    /// Sends the sources of the other end, and what it starts with.
    pub fn begin(&mut self, sources: &[&str], start: &Json) -> io::Result<()> {
        for source in sources {
            write!(self.output, "{}\n{source}", source.len())?;
        }
        frame::write(&mut self.output, frame::START, start, &[])
    }

    /// Answers calls until the deck ends.
    pub fn serve(
        &mut self,
        language: &Language,
        session: &mut Session,
        hear: &mut dyn FnMut(&str, &str),
    ) -> io::Result<Json> {
        let mut to = Service { language, session, hear, told: &mut Told::default() };
        loop {
            let Frame { kind, json, raw } = frame::read(&mut self.input)?;
            match kind {
                frame::END => return Ok(json),
                frame::CALL => self.call(&mut to, &json, &raw)?,
                frame::LATER => to.call_later(&json, &raw),
                other => return Err(unknown(other)),
            }
        }
    }

    /// Performs one call of the deck and answers it. If one that was put off has failed, that is the answer.
    fn call(&mut self, to: &mut Service, json: &Json, raw: &[u8]) -> io::Result<()> {
        if let Some(error) = to.told.late.take() {
            self.send_numbers(to)?;
            return frame::write(&mut self.output, frame::ERROR, &error, &[]);
        }
        let answer = match self.complete(to, json, raw) {
            Ok(value) => Ok(value),
            Err(Failure::Fault(fault)) => Err(fault),
            Err(Failure::Lost(error)) => return Err(error),
        };
        self.send_numbers(to)?;
        self.answer(to.session, answer)
    }

    /// Performs one call, and what it has left to be done here.
    fn complete(&mut self, to: &mut Service, json: &Json, raw: &[u8]) -> Result<Value, Failure> {
        let mut answer = to.perform(json, raw)?;
        if let Some(start) = to.session.start.take() {
            let (place, command) = (to.session.place.clone(), to.session.command.clone());
            let ran = self.run(to, &start);
            (to.session.place, to.session.command) = (place, command);
            to.pass_remarks();
            ran?;
            answer = deliver(&mut to.session.samplers);
        }
        if let Some(spring) = to.session.tabulate.take() {
            answer = self.tabulate(to, spring)?;
        }
        if let Some(body) = to.session.sampling.take() {
            answer = self.sample(to, body)?;
        }
        Ok(answer)
    }

    /// Inserts a spring with a table of its function, force over stroke.
    fn tabulate(&mut self, to: &mut Service, spring: Tabulate) -> Result<Value, Failure> {
        let strokes = spring.strokes();
        let mut forces = Vec::with_capacity(strokes.len());
        for &stroke in &strokes {
            let mut force = [0.0; 2];
            for (rate, force) in [0.0, 1.0].into_iter().zip(&mut force) {
                let answer = self.ask(to, spring.function, &[Value::Real(stroke), Value::Real(rate)])?;
                let Some([one]) = numbers(&answer).as_deref().and_then(|all| <[f64; 1]>::try_from(all).ok()) else {
                    let text = format!("function: returned {}; return a number", answer.describe());
                    return Err(Fault::wrong_type(text).into());
                };
                *force = one;
            }
            if force[0] != force[1] {
                let text = "function: depends on the velocity, which a table cannot hold; it needs live execution";
                return Err(Fault::live(text).into());
            }
            forces.push(force[0]);
        }
        let domain = to.session.domain(spring.bodies[0])?;
        Ok(spring.insert(domain, strokes, forces)?)
    }

    /// Inserts a body of a material that varies by functions.
    fn sample(&mut self, to: &mut Service, mut body: Sampling) -> Result<Value, Failure> {
        for (quantity, function) in std::mem::take(&mut body.calls) {
            let answer = self.ask_places(to, function, &body.sites.places, 0.0)?;
            body.take(quantity, to.session.function_name(function), numbers(&answer), wrong_of(&answer))?;
        }
        Ok(making::insert_sampled(to.session, body)?)
    }

    /// Sends what the next objects will be called, where the deck does not know.
    fn send_numbers(&mut self, to: &mut Service) -> io::Result<()> {
        let numbers: Vec<(Option<usize>, u64)> = to.session.next_numbers().collect();
        if to.told.numbers != numbers {
            let new: Vec<_> = numbers.iter().filter(|entry| !to.told.numbers.contains(entry)).collect();
            frame::hold(&mut self.output, frame::NEXT, &json!(new), &[])?;
            to.told.numbers = numbers;
        }
        Ok(())
    }

    /// Performs a RUN: the engine goes on by itself, and comes back when a function of the deck is due.
    fn run(&mut self, to: &mut Service, start: &Start) -> Result<(), Failure> {
        to.session.begin(start)?;
        let domain = start.domain;
        loop {
            let (function, solver) = match self.advance(to, domain)? {
                Pause::Callback(function) => (function, None),
                Pause::SolverFailed(function) => (function, Some(start.object)),
                Pause::Done => return Ok(()),
            };
            let args: Vec<Value> = solver.flatten().map(|k| to.session.solver_handle(k)).into_iter().collect();
            let answer = self.ask(to, function, &args);
            let (_, Some(engine)) = to.session.split() else { return Ok(()) };
            if answer.is_err() {
                // What cannot be stored now comes up at the end of the deck; what became of the function comes first.
                let _ = engine.abandon(domain);
            }
            match (solver, is_zero(&answer?)) {
                (None, true) => engine.stop(domain)?,
                (Some(_), false) => engine.go_on(domain)?,
                (None, false) | (Some(_), true) => {}
            }
        }
    }

    /// Makes steps until the deck is needed.
    fn advance(&mut self, to: &mut Service, domain: usize) -> Result<Pause, Failure> {
        let (objects, Some(engine)) = to.session.split() else { return Ok(Pause::Done) };
        let mut samplers = std::mem::take(&mut objects.samplers);
        let model = (!samplers.is_empty()).then(|| objects.domains[domain].model.clone());
        let mut session = Session::new(objects, None);
        let within = Service { language: to.language, session: &mut session, hear: &mut *to.hear, told: &mut *to.told };
        let mut functions = StepFunctions { line: self, to: within, failure: None };
        let mut samples = OfRun::new(&mut samplers, domain, model.as_ref());
        let pause = engine.advance(domain, &mut functions, &mut samples);
        let failure = functions.failure;
        self.beside.leave();
        samplers.append(&mut to.session.samplers);
        to.session.samplers = samplers;
        match (failure, pause) {
            (Some(Failure::Lost(error)), _) => Err(error.into()),
            (Some(Failure::Fault(fault)), Err(_)) | (None, Err(fault)) => Err(fault.into()),
            (_, Ok(pause)) => Ok(pause),
        }
    }

    /// Calls a function of the deck and serves what it calls meanwhile.
    fn ask(&mut self, to: &mut Service, function: u32, args: &[Value]) -> Result<Value, Failure> {
        self.send_numbers(to)?; // a run that goes on from a checkpoint has made the bodies of earlier calls
        let mut raw = Vec::new();
        let args: Vec<Json> = args.iter().map(|value| encode(value, &mut raw)).collect();
        frame::write(&mut self.output, frame::CALLBACK, &json!({"fn": function, "args": args}), &raw)?;
        self.returned(to)
    }

    /// Calls functions of springs in one batch, each with its stroke and rate. What they returned, in order.
    fn ask_springs(&mut self, to: &mut Service, springs: &[(u32, [f64; 2])]) -> Result<Value, Failure> {
        self.send_numbers(to)?;
        let words = springs.iter().flat_map(|(function, [stroke, rate])| {
            [u64::from(*function).to_le_bytes(), stroke.to_le_bytes(), rate.to_le_bytes()]
        });
        let words: Vec<[u8; 8]> = words.collect();
        frame::write(&mut self.output, frame::SPRINGS, &Json::Null, words.as_flattened())?;
        self.returned(to)
    }

    /// Calls the function of a field at places [m], at one time [s]. What it returned, in order.
    fn ask_places(&mut self, to: &mut Service, function: u32, places: &[Vec3], time: f64) -> Result<Value, Failure> {
        self.send_numbers(to)?;
        let words: Vec<[u8; 8]> = places.iter().flat_map(|x| [x.x, x.y, x.z]).map(f64::to_le_bytes).collect();
        let call = json!({"fn": function, "t": time});
        frame::write(&mut self.output, frame::PLACES, &call, words.as_flattened())?;
        self.returned(to)
    }

    /// What functions of the deck that have been called return; calls of their own are served.
    fn returned(&mut self, to: &mut Service) -> Result<Value, Failure> {
        loop {
            let Frame { kind, json, raw } = frame::read(&mut self.input)?;
            match kind {
                frame::CALL => self.call(to, &json, &raw)?,
                frame::LATER => to.call_later(&json, &raw),
                frame::RETURNED => {
                    let class = |name: &str| to.language.class(name).map(|c| c.name);
                    let foreign = || Fault::runtime("a function of the deck returned what is not of the protocol");
                    return Ok(decode(&json, &raw, &class).ok_or_else(foreign)?);
                }
                frame::FORCES => {
                    let words = raw.chunks_exact(8).map(|word| word.try_into().unwrap_or_default());
                    return Ok(Value::Reals(words.map(f64::from_le_bytes).collect()));
                }
                frame::RAISED => {
                    return Err(Fault::raised(json["text"].as_str().unwrap_or("raised an exception")).into())
                }
                other => return Err(unknown(other).into()),
            }
        }
    }

    fn answer(&mut self, session: &mut Session, answer: Result<Value, Fault>) -> io::Result<()> {
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

fn unknown(kind: u8) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("frame of unknown kind {kind}"))
}

/// Whether a callback said 0; None and everything else says go on (docs/decks.md).
fn is_zero(answer: &Value) -> bool {
    matches!(answer, Value::Int(0) | Value::Bool(false)) || matches!(answer, Value::Real(x) if *x == 0.0)
}

/// The functions of a deck that give values to a step.
struct StepFunctions<'l, 'a, 's> {
    line: &'l mut Line,
    to: Service<'a, 's>,
    /// Why a function gave no values.
    failure: Option<Failure>,
}

impl UserFunctions for StepFunctions<'_, '_, '_> {
    fn values(&mut self, calls: &[UserCall]) -> solfec::Result<Vec<Vec<f64>>> {
        let springs: Vec<(u32, [f64; 2])> = calls.iter().filter_map(spring).collect();
        if springs.len() == calls.len() {
            return self.springs(&springs);
        }
        calls.iter().map(|call| self.value(call)).collect()
    }
}

/// What functions of a command return.
struct Wanted {
    command: &'static str,
    what: &'static str,
}

const OF_SPRING: Wanted = Wanted { command: "PUT_SPRING", what: "a number" };
const OF_FORCE: Wanted = Wanted { command: "FORCE", what: "a tuple of numbers" };
const OF_FIELD: Wanted = Wanted { command: "FIELD", what: "a number" };

/// Function and arguments of a spring.
fn spring(call: &UserCall) -> Option<(u32, [f64; 2])> {
    match call {
        UserCall::Spring { function, stroke, rate } => Some((*function, [*stroke, *rate])),
        UserCall::Force { .. } | UserCall::Field { .. } => None,
    }
}

impl StepFunctions<'_, '_, '_> {
    fn value(&mut self, call: &UserCall) -> solfec::Result<Vec<f64>> {
        let (function, args, wanted) = match call {
            UserCall::Force { function, body: _, q, u, time, step } => {
                let tuple = |numbers: &[f64]| Value::tuple(numbers.iter().copied());
                (*function, vec![tuple(q), tuple(u), Value::Real(*time), Value::Real(*step)], OF_FORCE)
            }
            UserCall::Spring { function, stroke, rate } => {
                (*function, vec![Value::Real(*stroke), Value::Real(*rate)], OF_SPRING)
            }
            UserCall::Field { function, places, time } => {
                return match self.line.ask_places(&mut self.to, *function, places, *time) {
                    Ok(values) => numbers(&values).ok_or_else(|| self.refused(*function, wrong_of(&values), &OF_FIELD)),
                    Err(failure) => Err(self.failed(failure)),
                };
            }
        };
        match self.line.ask(&mut self.to, function, &args) {
            Ok(value) => self.checked(function, &value, &wanted),
            Err(failure) => Err(self.failed(failure)),
        }
    }

    /// All springs of a moment in one exchange.
    fn springs(&mut self, springs: &[(u32, [f64; 2])]) -> solfec::Result<Vec<Vec<f64>>> {
        let start = self.line.beside.begin();
        let answers = self.line.ask_springs(&mut self.to, springs);
        self.line.beside.end(start);
        let answers = match answers {
            Ok(answers) => answers,
            Err(failure) => return Err(self.failed(failure)),
        };
        if let Some(all) = numbers(&answers).filter(|all| all.len() == springs.len()) {
            return Ok(all.into_iter().map(|x| vec![x]).collect());
        }
        match &answers {
            Value::List(values) if values.len() == springs.len() => springs
                .iter()
                .zip(values)
                .map(|(&(function, _), value)| self.checked(function, value, &OF_SPRING))
                .collect(),
            other => Err(self.failed(Failure::Fault(Fault::runtime(format!(
                "{} functions returned {}, which is not of the protocol",
                springs.len(),
                other.describe()
            ))))),
        }
    }

    /// The numbers that a function returned.
    fn checked(&mut self, function: u32, value: &Value, wanted: &Wanted) -> solfec::Result<Vec<f64>> {
        numbers(value).ok_or_else(|| self.refused(function, value, wanted))
    }

    /// Says that a function returned something else than it should.
    fn refused(&mut self, function: u32, value: &Value, Wanted { command, what }: &Wanted) -> solfec::Error {
        let name = self.to.session.function_name(function);
        let text = format!("function {name} of {command} returned {}; return {what}", value.describe());
        self.failed(Failure::Fault(Fault::wrong_type(text)))
    }

    /// Keeps why a function gave no values, for the deck; the step is told in words.
    fn failed(&mut self, failure: Failure) -> solfec::Error {
        let text = match &failure {
            Failure::Fault(fault) => fault.text.clone(),
            Failure::Lost(_) => "the deck has gone".into(),
        };
        self.failure = Some(failure);
        solfec::Error::input(text)
    }
}

/// Of the answers at many places the first that is no number.
fn wrong_of(answers: &Value) -> &Value {
    match answers {
        Value::List(items) => items.iter().find(|item| one(item).is_none()).unwrap_or(answers),
        other => other,
    }
}

fn one(value: &Value) -> Option<f64> {
    match value {
        Value::Real(x) => Some(*x),
        Value::Int(i) => Some(*i as f64),
        _ => None,
    }
}

/// The numbers of a value: one, or a sequence.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Reals(x) => Some(x.clone()),
        Value::Ints(x) => Some(x.iter().map(|&i| i as f64).collect()),
        Value::List(items) | Value::Tuple(items) => items.iter().map(one).collect(),
        single => one(single).map(|x| vec![x]),
    }
}
