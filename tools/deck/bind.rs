//! Arguments of a call: matched to the table by position and by name, checked, and given to the command in one form.

use super::args::{integer, real, Args};
use super::fault::{Fault, FaultKind};
use super::kinds::{Arg, Default, Kind, SOLVERS};
use super::value::Value;

/// Classes of shapes.
pub const SHAPES: [&str; 4] = ["CONVEX", "MESH", "SPHERE", "ELLIP"];

/// Matches a call with `args` of the table.
pub fn bind(args: &'static [Arg], positional: Vec<Value>, named: Vec<(String, Value)>) -> Result<Args, Fault> {
    if positional.len() > args.len() {
        return Err(Fault::wrong_type(format!(
            "{} arguments given, at most {} taken: {}",
            positional.len(),
            args.len(),
            names(args)
        )));
    }
    let mut values: Vec<Option<Value>> = positional.into_iter().map(Some).collect();
    values.resize_with(args.len(), || None);
    for (name, value) in named {
        let spelled = |a: &Arg| a.name == name || a.aliases.contains(&name.as_str());
        let row = args
            .iter()
            .position(spelled)
            .ok_or_else(|| Fault::wrong_type(format!("unknown argument '{name}'; arguments are {}", names(args))))?;
        if values[row].replace(value).is_some() {
            return Err(Fault::wrong_type(format!("argument '{}' given twice", args[row].name)));
        }
    }
    let values = args.iter().zip(values).map(|(arg, value)| one(arg, value));
    Ok(Args { names: args, values: values.collect::<Result<_, _>>()? })
}

fn names(args: &[Arg]) -> String {
    if args.is_empty() {
        return "none".into();
    }
    args.iter().map(|a| a.name).collect::<Vec<_>>().join(", ")
}

fn one(arg: &Arg, value: Option<Value>) -> Result<Value, Fault> {
    match (value, &arg.default) {
        (None, Default::Required) => {
            Err(Fault::wrong_type(format!("argument '{}' is missing; give {}", arg.name, arg.kind.describe())))
        }
        (None, default) => Ok(default.value()),
        (Some(Value::None), default) if !matches!(default, Default::Required) => Ok(default.value()),
        (Some(value), _) => check(&arg.kind, value).map_err(|fault| fault.about(arg.name)),
    }
}

/// `value` in the form of `kind`.
pub fn check(kind: &Kind, value: Value) -> Result<Value, Fault> {
    let expected = |value: &Value| Fault::wrong_type(format!("is {}; give {}", value.describe(), kind.describe()));
    match kind {
        Kind::Number(range) => {
            let x = real(&value).ok_or_else(|| expected(&value))?;
            if range.holds(x) {
                Ok(Value::Real(x))
            } else {
                Err(Fault::new(FaultKind::Value, expected(&value).text))
            }
        }
        Kind::Integer { min, max } => {
            let i = integer(&value).ok_or_else(|| expected(&value))?;
            if (*min..=*max).contains(&i) {
                Ok(Value::Int(i))
            } else {
                Err(Fault::new(FaultKind::Value, expected(&value).text))
            }
        }
        Kind::Switch => match &value {
            Value::Bool(on) => Ok(Value::Bool(*on)),
            Value::Text(t) if t == "ON" => Ok(Value::Bool(true)),
            Value::Text(t) if t == "OFF" => Ok(Value::Bool(false)),
            Value::Text(_) => Err(Fault::new(FaultKind::Value, expected(&value).text)),
            _ => Err(expected(&value)),
        },
        Kind::Text => match value {
            Value::Text(_) => Ok(value),
            _ => Err(expected(&value)),
        },
        Kind::Choice(words) => match &value {
            Value::Text(t) if words.contains(&t.as_str()) => Ok(value),
            Value::Bool(on) if words.contains(&"ON") && words.contains(&"OFF") => Ok(Value::on_off(*on)),
            Value::Text(_) => Err(Fault::value(format!("is {}; give one of {}", value.describe(), kind.describe()))),
            _ => Err(expected(&value)),
        },
        Kind::Vector(n) => {
            let numbers = reals(&value)?;
            if numbers.len() == *n {
                Ok(Value::Reals(numbers))
            } else {
                let one = if numbers.len() == 1 { "number" } else { "numbers" };
                Err(Fault::wrong_type(format!("has {} {one}; give {n}", numbers.len())))
            }
        }
        Kind::Numbers => Ok(Value::Reals(reals(&value)?)),
        Kind::Integers => Ok(Value::Ints(integers(&value)?)),
        Kind::Object(classes) => match value {
            Value::Handle(h) if classes.contains(&h.class) => Ok(value),
            _ => Err(expected(&value)),
        },
        Kind::Labelled(class) => match &value {
            Value::Handle(h) if h.class == *class => Ok(value),
            Value::Text(_) => Ok(value),
            _ => Err(expected(&value)),
        },
        Kind::Shapes => shapes(value).map_err(|value| foreign_item(&value, kind).unwrap_or_else(|| expected(&value))),
        Kind::ShapesOrPoint => shapes(value).or_else(|value| match reals(&value) {
            Ok(point) if point.len() == 3 => Ok(Value::Reals(point)),
            Err(fault) if matches!(value, Value::Reals(_) | Value::Tuple(_)) => Err(fault),
            _ => Err(foreign_item(&value, kind).unwrap_or_else(|| expected(&value))),
        }),
        Kind::ObjectOrNone(class) => match value {
            Value::None => Ok(value),
            Value::Handle(h) if h.class == *class => Ok(value),
            _ => Err(expected(&value)),
        },
        Kind::Series | Kind::Load => match &value {
            Value::Handle(h) if h.class == "TIME_SERIES" => Ok(value),
            Value::Function { .. } if matches!(kind, Kind::Load) => Ok(value),
            other => match real(other) {
                Some(x) if x.is_finite() => Ok(Value::Real(x)),
                Some(_) => Err(Fault::new(FaultKind::Value, expected(&value).text)),
                None => Err(expected(&value)),
            },
        },
        Kind::Field(range) => match value {
            Value::Handle(h) if h.class == "FIELD" => Ok(value),
            Value::Text(_) => Ok(value),
            other => check(&Kind::Number(*range), other).map_err(|fault| match &fault.kind {
                FaultKind::Type => Fault { text: fault.text + ", or a FIELD or its label", ..fault },
                _ => fault,
            }),
        },
        Kind::FieldValues => match &value {
            Value::Function { .. } => Ok(value),
            Value::List(_) | Value::Tuple(_) | Value::Reals(_) | Value::Ints(_) => Ok(Value::Reals(reals(&value)?)),
            _ => Err(expected(&value)),
        },
        Kind::Law => match &value {
            Value::Handle(h) if h.class == "TIME_SERIES" => Ok(value),
            Value::Function { .. } => Ok(value),
            Value::List(_) | Value::Tuple(_) | Value::Reals(_) | Value::Ints(_) => match reals(&value)? {
                pair if pair.len() == 2 && pair.iter().all(|x| *x >= 0.0) => Ok(Value::Reals(pair)),
                pair if pair.len() == 2 => Err(Fault::value("stiffness and damping are not both >= 0")),
                _ => Err(expected(&value)),
            },
            _ => Err(expected(&value)),
        },
        Kind::ThreeValues | Kind::ThreeSeries => three(kind, &value),
        Kind::Points => match &value {
            Value::File { .. } | Value::List(_) | Value::Tuple(_) | Value::Reals(_) | Value::Ints(_) => Ok(value),
            _ => Err(expected(&value)),
        },
        Kind::Limits => match numbers(&value)?.as_slice() {
            [low, high] if *low <= 0.0 && *high >= 0.0 => Ok(Value::Reals(vec![*low, *high])),
            [low, high] => {
                let (low, high) = (super::value::real_text(*low), super::value::real_text(*high));
                Err(Fault::value(format!("is ({low}, {high}); give {}", kind.describe())))
            }
            _ => Err(expected(&value)),
        },
        Kind::PositiveOrAuto => match &value {
            Value::Text(t) if t == "AUTO" => Ok(value),
            Value::Text(_) => Err(Fault::new(FaultKind::Value, expected(&value).text)),
            _ => check(&Kind::POSITIVE, value.clone()).map_err(|fault| Fault { text: expected(&value).text, ..fault }),
        },
        Kind::Function => match value {
            Value::Function { .. } => Ok(value),
            _ => Err(expected(&value)),
        },
        Kind::Solver => match &value {
            Value::Handle(h) if SOLVERS.contains(&h.class) => Ok(value),
            Value::Text(t) if t == "AUTO" => Ok(value),
            Value::Text(_) => Err(Fault::new(FaultKind::Value, expected(&value).text)),
            _ => Err(expected(&value)),
        },
        Kind::Data { .. } => Ok(Value::None),
        Kind::Times => times(&value).ok_or_else(|| expected(&value)),
        Kind::Subset => match value {
            Value::None | Value::Bool(_) | Value::Real(_) | Value::Other(_) => Err(expected(&value)),
            value => Ok(value),
        },
        Kind::Anything => Ok(value),
    }
}

/// A time, times, or two times of a span.
fn times(value: &Value) -> Option<Value> {
    let finite = |v: &Value| real(v).filter(|x| x.is_finite());
    match value {
        Value::Tuple(ends) if ends.len() == 2 => {
            Some(Value::Tuple(vec![Value::Real(finite(&ends[0])?), Value::Real(finite(&ends[1])?)]))
        }
        Value::Tuple(_) => None,
        Value::List(_) | Value::Reals(_) | Value::Ints(_) => {
            reals(value).ok().filter(|times| !times.is_empty()).map(Value::Reals)
        }
        one => finite(one).map(Value::Real),
    }
}

/// Three numbers or series, or three series.
fn three(kind: &Kind, value: &Value) -> Result<Value, Fault> {
    let items: Vec<Value> = match value {
        Value::List(items) | Value::Tuple(items) => items.clone(),
        Value::Reals(items) => items.iter().map(|x| Value::Real(*x)).collect(),
        Value::Ints(items) => items.iter().map(|i| Value::Int(*i)).collect(),
        _ => return Err(Fault::wrong_type(format!("is {}; give {}", value.describe(), kind.describe()))),
    };
    if items.len() != 3 {
        return Err(Fault::wrong_type(format!("has {} items; give {}", items.len(), kind.describe())));
    }
    let one = if matches!(kind, Kind::ThreeSeries) { Kind::Object(&["TIME_SERIES"]) } else { Kind::Series };
    let item =
        |(at, item)| check(&one, item).map_err(|fault| Fault { text: format!("item {at} {}", fault.text), ..fault });
    items.into_iter().enumerate().map(item).collect::<Result<_, _>>().map(Value::List)
}

/// One shape, or a list of shapes; gives other values back.
fn shapes(value: Value) -> Result<Value, Value> {
    let shape = |v: &Value| matches!(v, Value::Handle(h) if SHAPES.contains(&h.class));
    match value {
        Value::List(items) if items.iter().all(shape) && !items.is_empty() => Ok(Value::List(items)),
        value if shape(&value) => Ok(value),
        value => Err(value),
    }
}

/// Of a list of shapes: the first item that is none.
fn foreign_item(value: &Value, kind: &Kind) -> Option<Fault> {
    let Value::List(items) = value else { return None };
    let shape = |v: &Value| matches!(v, Value::Handle(h) if SHAPES.contains(&h.class));
    let at = items.iter().position(|v| !shape(v))?;
    Some(Fault::wrong_type(format!("item {at} is {}; give {}", items[at].describe(), kind.describe())))
}

fn numbers(value: &Value) -> Result<Vec<f64>, Fault> {
    let mut numbers = Vec::new();
    flatten(value, &mut numbers, &|v| real(v), "a number")?;
    Ok(numbers)
}

fn reals(value: &Value) -> Result<Vec<f64>, Fault> {
    let numbers = numbers(value)?;
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(numbers),
        Some(at) => {
            Err(Fault::value(format!("number {at} is {}; give finite numbers", super::value::real_text(numbers[at]))))
        }
    }
}

fn integers(value: &Value) -> Result<Vec<i64>, Fault> {
    let mut numbers = Vec::new();
    flatten(value, &mut numbers, &|v| integer(v), "an integer")?;
    Ok(numbers)
}

/// Appends the numbers of any nesting of sequences. A sequence given alone is expected: a bare number is one too.
fn flatten<T>(value: &Value, into: &mut Vec<T>, take: &dyn Fn(&Value) -> Option<T>, what: &str) -> Result<(), Fault> {
    match value {
        Value::List(items) | Value::Tuple(items) => items.iter().try_for_each(|v| flatten(v, into, take, what)),
        Value::Reals(numbers) => numbers.iter().try_for_each(|x| flatten(&Value::Real(*x), into, take, what)),
        Value::Ints(numbers) => numbers.iter().try_for_each(|i| flatten(&Value::Int(*i), into, take, what)),
        other => {
            let at = into.len();
            into.push(
                take(other)
                    .ok_or_else(|| Fault::wrong_type(format!("item {at} is {}; give {what}", other.describe())))?,
            );
            Ok(())
        }
    }
}
