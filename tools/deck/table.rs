//! The language of decks as a table: one entry for each command and class. From it come the checks of arguments
//! ([`super::bind`]), `help()` in Python, and docs/commands.md. Adding a command is one registration.

use serde_json::{json, Value as Json};

use super::args::Args;
use super::deferred;
use super::fault::Fault;
pub use super::kinds::{Arg, Default, Kind, Range, SOLVERS};
use super::session::Session;
use super::value::{Handle, Value};

/// Chapters of the reference, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chapter {
    Geometry,
    Helpers,
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
    pub const ALL: [Chapter; 10] = [
        Chapter::Geometry,
        Chapter::Helpers,
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
            Chapter::Helpers => "Helpers that Solfec 1.0 does not have",
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

/// A command of Solfec 1.0 that is missing.
pub struct Absent {
    pub name: &'static str,
    pub signature: &'static str,
    pub doc: &'static str,
    /// The subject it belongs to.
    pub with: &'static str,
}

/// Everything a deck can call.
pub struct Language {
    pub commands: Vec<&'static Command>,
    pub classes: Vec<&'static Class>,
    /// Commands of Solfec 1.0 that are refused.
    pub absent: &'static [Absent],
}

impl Language {
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
        let absent = |a: &Absent| json!({"name": a.name, "doc": "Not in this version."});
        commands.extend(self.absent.iter().map(absent));
        let classes: Vec<Json> = self.classes.iter().map(|c| class_json(c)).collect();
        json!({"commands": commands, "classes": classes})
    }
}

/// Commands whose result fills lists that the deck has got, and commands that give such a list, by its number.
const FILLS: [&str; 2] = ["RUN", "FORWARD"];
const BEGINS: [&str; 1] = ["COROTATED_DISPLACEMENTS"];

/// Commands after which the deck waits for every answer: later ones may ask the function that it hands over.
const WAITS: [&str; 1] = ["FIELD"];

/// Commands that return None unless results are read: the deck is told when it uses that as a value.
const READS: [&str; 1] = ["HISTORY"];

/// A command; if it takes a function, the path of a file to read, or values in which a tuple means something else than
/// a list, where these are among the arguments.
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
    if FILLS.contains(&command.name) {
        json["fills"] = true.into();
    }
    if BEGINS.contains(&command.name) {
        json["begins"] = true.into();
    }
    if WAITS.contains(&command.name) {
        json["waits"] = true.into();
    }
    if READS.contains(&command.name) {
        json["reads"] = true.into();
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
    let method = |m: &Method| json!({"name": m.name, "doc": help(m.name, m.args, m.doc, m.returns)});
    let methods: Vec<Json> = class.methods.iter().map(method).collect();
    let within = deferred::WITHIN.contains(&class.name);
    json!({"name": class.name, "doc": class.doc, "within": within, "members": members, "methods": methods})
}

/// `NAME (a, b | c=1)`, required arguments before the bar.
pub fn signature(name: &str, args: &[Arg]) -> String {
    let required = |a: &&Arg| matches!(a.default, Default::Required);
    let optional = |a: &Arg| match a.default {
        Default::Absent(_) => a.name.to_string(),
        Default::Required | Default::Number(_) | Default::Text(_) => format!("{}={}", a.name, a.default.describe()),
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
