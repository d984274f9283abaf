//! The language of decks as a table: one entry for each command and class. From it come the checks of arguments
//! ([`super::bind`]), `help()` in Python, and docs/commands.md. Adding a command is one registration.

use serde_json::{json, Value as Json};

use super::bind::Args;
use super::deferred;
use super::fault::Fault;
use super::session::Session;
use super::value::{real_text, Handle, Value};

/// Bounds of a number; NaN is always refused.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    pub min: f64,
    pub max: f64,
    /// The bound `min` itself is refused.
    pub above: bool,
}

const ANY: Range = Range { min: -f64::MAX, max: f64::MAX, above: false };
const NOT_NEGATIVE: Range = Range { min: 0.0, ..ANY };
const POSITIVE: Range = Range { above: true, ..NOT_NEGATIVE };

/// What an argument may be, and what it becomes.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A number in a range: [`Value::Real`].
    Number(Range),
    /// An integer, or a float without fraction: [`Value::Int`].
    Integer {
        min: i64,
        max: i64,
    },
    /// 'ON', 'OFF', True, False: [`Value::Bool`].
    Switch,
    Text,
    /// One of these words: [`Value::Text`].
    Choice(&'static [&'static str]),
    /// So many finite numbers: [`Value::Reals`].
    Vector(usize),
    /// Finite numbers in any nesting: [`Value::Reals`].
    Numbers,
    /// Integers in any nesting: [`Value::Ints`].
    Integers,
    /// An object of one of these classes: [`Value::Handle`].
    Object(&'static [&'static str]),
    /// One or several shapes: [`Value::Handle`], or [`Value::List`] of them.
    Shapes,
    /// As `Shapes`, or a point: [`Value::Reals`].
    ShapesOrPoint,
    /// An object of this class or its label: [`Value::Handle`] or [`Value::Text`].
    Labelled(&'static str),
    /// An object of this class, or None.
    ObjectOrNone(&'static str),
    /// A number or a TIME_SERIES: [`Value::Real`] or [`Value::Handle`].
    Series,
    /// As `Series`, or a function.
    Load,
    /// A function, a TIME_SERIES, or two numbers ≥ 0: [`Value::Function`], [`Value::Handle`], [`Value::Reals`].
    Law,
    /// Three numbers or TIME_SERIES, or three TIME_SERIES: [`Value::List`].
    ThreeValues,
    ThreeSeries,
    /// Times and values, or the path of a file with them: [`Value::File`].
    Points,
    /// Two numbers around zero that may be infinite: [`Value::Reals`].
    Limits,
    /// A positive number, or the word 'AUTO'.
    PositiveOrAuto,
    /// A function: [`Value::Function`].
    Function,
    /// Arguments of the function of the same command: they stay in Python, the command sees None. The function gets them
    /// before those of the program, or after if `last`.
    Data {
        last: bool,
    },
    /// A solver or the word 'AUTO'.
    Solver,
    /// A time, a list of times, or the tuple of a span: [`Value::Real`], [`Value::Reals`], [`Value::Tuple`].
    Times,
    /// Rules that name bodies: a text, a body, an id, the tuple of a box, or a list of these; tuples stay
    /// [`Value::Tuple`].
    Subset,
    /// As it comes.
    Anything,
}

/// Classes of solvers.
pub const SOLVERS: &[&str] = &[
    "GAUSS_SEIDEL_SOLVER",
    "PENALTY_SOLVER",
    "NEWTON_SOLVER",
    "SICONOS_SOLVER",
    "INTERIOR_POINT_SOLVER",
    "PROXIMAL_NEWTON_SOLVER",
    "ADMM_SOLVER",
    "AUTO_SOLVER",
];

impl Kind {
    pub const NUMBER: Kind = Kind::Number(ANY);
    pub const NOT_NEGATIVE: Kind = Kind::Number(NOT_NEGATIVE);
    pub const POSITIVE: Kind = Kind::Number(POSITIVE);
    /// Not negative, may be infinite.
    pub const STRENGTH: Kind = Kind::Number(Range { max: f64::INFINITY, ..NOT_NEGATIVE });
    pub const FRACTION: Kind = Kind::Number(Range { max: 1.0, ..NOT_NEGATIVE });
    pub const COUNT: Kind = Kind::Integer { min: 1, max: u32::MAX as i64 };
    /// Surface and volume ids.
    pub const ID: Kind = Kind::Integer { min: i32::MIN as i64, max: i32::MAX as i64 };

    /// For people: "a positive number".
    pub fn describe(&self) -> String {
        match self {
            Kind::Number(r) => r.describe(),
            Kind::Integer { min, .. } if *min == 1 => "a positive integer".into(),
            Kind::Integer { min, .. } if *min == 0 => "an integer >= 0".into(),
            Kind::Integer { .. } => "an integer".into(),
            Kind::Switch => "'ON' or 'OFF'".into(),
            Kind::Text => "a text".into(),
            Kind::Choice(words) => quoted(words),
            Kind::Vector(n) => format!("{n} numbers"),
            Kind::Numbers => "a sequence of numbers".into(),
            Kind::Integers => "a sequence of integers".into(),
            Kind::Object(classes) => format!("a {}", classes.join(" or ")),
            Kind::Shapes => "a shape or a sequence of shapes".into(),
            Kind::ShapesOrPoint => "a shape, a sequence of shapes, or a point".into(),
            Kind::Labelled(class) => format!("a {class} or its label"),
            Kind::ObjectOrNone(class) => format!("a {class} or None"),
            Kind::Series => "a number or a TIME_SERIES".into(),
            Kind::Load => "a number, a TIME_SERIES or a function".into(),
            Kind::Law => "a function, a TIME_SERIES of force over stroke, or (stiffness, damping)".into(),
            Kind::ThreeValues => "three numbers or TIME_SERIES".into(),
            Kind::ThreeSeries => "three TIME_SERIES".into(),
            Kind::Points => "[t0, v0, t1, v1, ...], [[t0, v0], ...] or the path of a file".into(),
            Kind::Limits => "(smin, smax) with smin <= 0 <= smax".into(),
            Kind::PositiveOrAuto => "a number > 0 or 'AUTO'".into(),
            Kind::Function => "a function".into(),
            Kind::Data { .. } => "a tuple of arguments, or one argument".into(),
            Kind::Solver => "a solver or 'AUTO'".into(),
            Kind::Times => "a time, a list of times, or a span (t0, t1)".into(),
            Kind::Subset => {
                "a label pattern, a BODY, an id, a box of six numbers in a tuple, or a list of these".into()
            }
            Kind::Anything => "anything".into(),
        }
    }

    /// Whether a callable of the deck may be given, as [`Value::Function`].
    fn takes_function(&self) -> bool {
        matches!(self, Kind::Load | Kind::Law | Kind::Function)
    }
}

/// Words as they are written in a deck.
fn quoted(words: &[&str]) -> String {
    words.iter().map(|w| format!("'{}'", w.escape_debug())).collect::<Vec<_>>().join(", ")
}

impl Range {
    pub fn holds(&self, x: f64) -> bool {
        (if self.above { x > self.min } else { x >= self.min }) && x <= self.max
    }

    pub fn describe(&self) -> String {
        let from = if self.above { ">" } else { ">=" };
        match (self.min > -f64::MAX, self.max < f64::MAX) {
            (true, true) => {
                let open = if self.above { '(' } else { '[' };
                format!("a number in {open}{}, {}]", real_text(self.min), real_text(self.max))
            }
            (true, false) => format!("a number {from} {}", real_text(self.min)),
            _ => "a finite number".into(),
        }
    }
}

/// What an argument is when it is not given.
#[derive(Debug, Clone, Copy)]
pub enum Default {
    Required,
    /// Nothing; the text says what then happens.
    Absent(&'static str),
    Number(f64),
    Text(&'static str),
}

impl Default {
    pub fn value(&self) -> Value {
        match self {
            Default::Required | Default::Absent(_) => Value::None,
            Default::Number(x) => Value::Real(*x),
            Default::Text(t) => Value::Text((*t).into()),
        }
    }

    pub fn describe(&self) -> String {
        match self {
            Default::Required => String::new(),
            Default::Absent(text) => (*text).into(),
            Default::Number(x) => real_text(*x),
            Default::Text(t) => format!("'{t}'"),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Arg {
    pub name: &'static str,
    /// Other spellings of the keyword.
    pub aliases: &'static [&'static str],
    pub kind: Kind,
    pub default: Default,
    /// SI unit; empty where there is none.
    pub unit: &'static str,
    pub doc: &'static str,
}

impl Arg {
    pub const fn new(name: &'static str, kind: Kind, doc: &'static str) -> Arg {
        Arg { name, aliases: &[], kind, default: Default::Required, unit: "", doc }
    }

    pub const fn or(mut self, default: Default) -> Arg {
        self.default = default;
        self
    }

    pub const fn unit(mut self, unit: &'static str) -> Arg {
        self.unit = unit;
        self
    }

    pub const fn alias(mut self, aliases: &'static [&'static str]) -> Arg {
        self.aliases = aliases;
        self
    }
}

/// Chapters of the reference, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chapter {
    Geometry,
    Domain,
    Materials,
    Bodies,
    Constraints,
    Loads,
    Solvers,
    Control,
    Environment,
}

impl Chapter {
    pub const ALL: [Chapter; 9] = [
        Chapter::Geometry,
        Chapter::Domain,
        Chapter::Materials,
        Chapter::Bodies,
        Chapter::Constraints,
        Chapter::Loads,
        Chapter::Solvers,
        Chapter::Control,
        Chapter::Environment,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Chapter::Geometry => "Geometric objects",
            Chapter::Domain => "SOLFEC",
            Chapter::Materials => "Materials",
            Chapter::Bodies => "Bodies",
            Chapter::Constraints => "Constraints",
            Chapter::Loads => "Loads",
            Chapter::Solvers => "Solvers",
            Chapter::Control => "Run control",
            Chapter::Environment => "The environment of a deck",
        }
    }
}

/// In which modes of its SOLFEC object a command acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modes {
    Both,
    /// READ: returns None and does nothing.
    WriteOnly,
}

pub type Run = fn(&mut Session, &Args) -> Result<Value, Fault>;

pub struct Command {
    pub name: &'static str,
    pub chapter: Chapter,
    pub args: &'static [Arg],
    /// What the call returns.
    pub returns: &'static str,
    pub modes: Modes,
    pub doc: &'static str,
    pub run: Run,
}

pub struct Member {
    pub name: &'static str,
    pub unit: &'static str,
    pub doc: &'static str,
    pub get: fn(&mut Session, Handle) -> Result<Value, Fault>,
    /// Kind of what may be assigned, and what then happens; `None`: read-only.
    pub set: Option<(Kind, Setter)>,
}

pub type Setter = fn(&mut Session, Handle, &Value) -> Result<(), Fault>;

pub struct Method {
    pub name: &'static str,
    pub args: &'static [Arg],
    pub returns: &'static str,
    pub doc: &'static str,
    pub run: fn(&mut Session, Handle, &Args) -> Result<Value, Fault>,
}

pub struct Class {
    pub name: &'static str,
    pub chapter: Chapter,
    pub doc: &'static str,
    pub members: &'static [Member],
    pub methods: &'static [Method],
}

/// A name of the original language that is refused with a reason.
pub struct Refusal {
    pub names: &'static [&'static str],
    pub fault: fn(&str) -> Fault,
}

/// Everything a deck can call.
pub struct Language {
    pub commands: Vec<&'static Command>,
    pub classes: Vec<&'static Class>,
    pub refusals: Vec<&'static Refusal>,
}

impl Language {
    pub fn standard() -> Language {
        super::commands::language()
    }

    /// The language with one command more.
    pub fn with(mut self, command: &'static Command) -> Language {
        self.commands.push(command);
        self
    }

    pub fn command(&self, name: &str) -> Option<&'static Command> {
        self.commands.iter().find(|c| c.name == name).copied()
    }

    pub fn class(&self, name: &str) -> Option<&'static Class> {
        self.classes.iter().find(|c| c.name == name).copied()
    }

    /// What the prelude needs to know.
    pub fn json(&self) -> Json {
        let mut commands: Vec<Json> = self.commands.iter().map(|c| command_json(c)).collect();
        let refused = self.refusals.iter().flat_map(|r| r.names);
        commands.extend(refused.map(|name| json!({"name": name, "doc": "Not in this version."})));
        let classes: Vec<Json> = self.classes.iter().map(|c| class_json(c)).collect();
        json!({"commands": commands, "classes": classes})
    }
}

/// A command; if it takes a function, the path of a file to read, or values in which a tuple means something else than a
/// list, where these are among the arguments.
fn command_json(command: &Command) -> Json {
    let mut json = json!({"name": command.name, "doc": help(command.name, command.args, command.doc, command.returns)});
    let find = |wanted: fn(&Kind) -> bool| {
        let at = command.args.iter().position(|arg| wanted(&arg.kind))?;
        let arg = &command.args[at];
        let names: Vec<&str> = std::iter::once(&arg.name).chain(arg.aliases).copied().collect();
        let (required, last) =
            (matches!(arg.default, Default::Required), matches!(arg.kind, Kind::Data { last: true }));
        Some(json!({"at": at, "names": names, "required": required, "last": last}))
    };
    if let Some(later) = deferred::json(command.name) {
        json["later"] = later;
    }
    if let Some(file) = find(|kind| matches!(kind, Kind::Points)) {
        json["file"] = file;
    }
    if let Some(function) = find(Kind::takes_function) {
        json["function"] = function;
        json["data"] = find(|kind| matches!(kind, Kind::Data { .. })).unwrap_or(Json::Null);
    }
    let tuples: Vec<Json> = [find(|kind| matches!(kind, Kind::Times)), find(|kind| matches!(kind, Kind::Subset))]
        .into_iter()
        .flatten()
        .collect();
    if !tuples.is_empty() {
        json["tuples"] = Json::Array(tuples);
    }
    json
}

fn class_json(class: &Class) -> Json {
    let members: Vec<Json> = class.members.iter().map(|m| json!({"name": m.name, "doc": m.doc})).collect();
    let methods: Vec<Json> =
        class.methods.iter().map(|m| json!({"name": m.name, "doc": help(m.name, m.args, m.doc, m.returns)})).collect();
    let within = deferred::WITHIN.contains(&class.name);
    json!({"name": class.name, "doc": class.doc, "within": within, "members": members, "methods": methods})
}

/// `NAME (a, b | c=1)`, required arguments before the bar.
pub fn signature(name: &str, args: &[Arg]) -> String {
    let required = |a: &&Arg| matches!(a.default, Default::Required);
    let optional = |a: &Arg| match a.default {
        Default::Absent(_) => a.name.to_string(),
        _ => format!("{}={}", a.name, a.default.describe()),
    };
    let first: Vec<&str> = args.iter().filter(required).map(|a| a.name).collect();
    let rest: Vec<String> = args.iter().filter(|a| !required(a)).map(optional).collect();
    let bar = match (first.is_empty(), rest.is_empty()) {
        (_, true) => "",
        (true, false) => "| ",
        (false, false) => " | ",
    };
    format!("{name} ({}{bar}{})", first.join(", "), rest.join(", "))
}

/// One argument in one line.
pub fn describe(arg: &Arg) -> String {
    let unit = if arg.unit.is_empty() { String::new() } else { format!(" [{}]", arg.unit) };
    let default = match arg.default {
        Default::Required => String::new(),
        other => format!("; default: {}", other.describe()),
    };
    let aliases = if arg.aliases.is_empty() { String::new() } else { format!("; also {}", arg.aliases.join(", ")) };
    format!("{}{unit}: {}{default}{aliases}", arg.doc, arg.kind.describe())
}

fn help(name: &str, args: &[Arg], doc: &str, returns: &str) -> String {
    let mut text = format!("{}\n\n{doc}\n", signature(name, args));
    for arg in args {
        text += &format!("\n  {}: {}", arg.name, describe(arg));
    }
    text + &format!("\n\nReturns {returns}.\n")
}
