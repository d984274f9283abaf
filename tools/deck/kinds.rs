//! What arguments may be: ranges, kinds, defaults.

use super::value::{real_text, Value};

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
    /// A number in a range, a FIELD or its label: [`Value::Real`], [`Value::Handle`], [`Value::Text`].
    Field(Range),
    /// A function, or the numbers of a table in any nesting: [`Value::Function`] or [`Value::Reals`].
    FieldValues,
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
    /// Arguments of the function of the same command: they stay in Python, the command sees None. The function gets
    /// them before those of the program, or after if `last`.
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
    "CORRECTED_SWEEPS_SOLVER",
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
            Kind::Integer { min, max } if *max < 100 => format!("an integer from {min} to {max}"),
            Kind::Integer { min, .. } if *min == 1 => "a positive integer".into(),
            Kind::Integer { min, .. } if *min == 0 => "an integer >= 0".into(),
            Kind::Integer { min, max } if *min > 0 => format!("an integer from {min} to {max}"),
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
            Kind::Field(range) => format!("{}, or a FIELD or its label", range.describe()),
            Kind::FieldValues => "a function, or the values of a table".into(),
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
    pub fn takes_function(&self) -> bool {
        matches!(self, Kind::Load | Kind::Law | Kind::FieldValues | Kind::Function)
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
