//! TIME_SERIES with its members, and rows of series in models (docs/theory.md 12).

use solfec::load::Series;
use solfec::model::{Definition, Op};

use crate::deck::args::Args;
use crate::deck::bind::check;
use crate::deck::fault::Fault;
use crate::deck::objects::Objects;
use crate::deck::series_rows::Origin;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Default, Kind, Member, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&TIME_SERIES];
pub const CLASSES: &[&Class] = &[&CLASS];

static TIME_SERIES: Command = Command {
    name: "TIME_SERIES",
    chapter: Chapter::Loads,
    args: &[
        Arg::new("points", Kind::Points, "times and values; in a file one pair per line, comments begin with #"),
        Arg::new("label", Kind::Text, "label, of one series only").or(Default::Absent("none")),
        Arg::new("cache", Kind::Integer { min: 0, max: i64::MAX }, "ignored: all points are loaded")
            .or(Default::Number(0.0)),
    ],
    returns: "a TIME_SERIES",
    modes: Modes::Both,
    doc: "A function of time, linear between points and constant outside.",
    run: time_series,
};

static CLASS: Class = Class {
    name: "TIME_SERIES",
    chapter: Chapter::Loads,
    doc: "A function of time.",
    members: &[
        Member {
            name: "times",
            unit: "s",
            doc: "list of times",
            get: |session, object| Ok(Value::Reals(series(session, object)?.table().0)),
            set: None,
        },
        Member {
            name: "values",
            unit: "",
            doc: "list of values",
            get: |session, object| Ok(Value::Reals(series(session, object)?.table().1)),
            set: None,
        },
        Member {
            name: "derivative",
            unit: "",
            doc: "TIME_SERIES of the slopes, piecewise constant; zero outside the points",
            get: |session, object| {
                let original = prescribed(session);
                let of = series(session, object)?;
                let derivative = if original { of.original_derivative() } else { of.derivative() }.map_err(plain)?;
                Ok(add(session, derivative))
            },
            set: None,
        },
        Member {
            name: "integral",
            unit: "",
            doc: "TIME_SERIES of the exact integral from the first time",
            get: |session, object| {
                let original = prescribed(session);
                let of = series(session, object)?;
                let integral = if original { of.original_integral() } else { of.integral() }.map_err(plain)?;
                Ok(add(session, integral))
            },
            set: None,
        },
    ],
    methods: &[],
};

/// Whether derivatives and integrals are those of the original (`--compat prescribed`).
fn prescribed(session: &Session) -> bool {
    session.environment.compat.iter().any(|name| name == "prescribed")
}

/// A fault of the core without the name of the command, which is there already.
fn plain(error: solfec::Error) -> Fault {
    let text = error.to_string();
    Fault::runtime(text.strip_prefix("TIME_SERIES: ").unwrap_or(&text))
}

fn time_series(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let mut made = match args.get("points") {
        Value::File { path, text: Ok(text) } => Series::parse(text).map_err(|e| plain(e).about(path))?,
        Value::File { path, text: Err(why) } => {
            return Err(Fault::value(format!("cannot open file '{path}': {why}")));
        }
        points => of_points(points).map_err(|fault| fault.about("points"))?,
    };
    if let Some(label) = args.maybe_text("label") {
        if !label.is_empty() && session.series.iter().any(|s| s.label == label) {
            return Err(Fault::value(format!("label: another series has the label '{label}'; choose another label")));
        }
        made.label = label.into();
    }
    Ok(add(session, made))
}

/// `[t0, v0, t1, v1, …]` or `[[t0, v0], [t1, v1], …]`.
fn of_points(points: &Value) -> Result<Series, Fault> {
    let Value::Reals(numbers) = check(&Kind::Numbers, points.clone())? else {
        return Err(Fault::wrong_type("holds no numbers"));
    };
    if let Value::List(items) = points {
        let count = |item: &Value| match item {
            Value::List(v) | Value::Tuple(v) => Some(v.len()),
            Value::Reals(v) => Some(v.len()),
            Value::Ints(v) => Some(v.len()),
            _ => None,
        };
        if let Some((at, n)) =
            items.iter().map(count).enumerate().find_map(|(at, n)| Some((at, n.filter(|n| *n != 2)?)))
        {
            return Err(Fault::value(format!("item {at} has {n} numbers; give pairs of time and value")));
        }
    }
    if numbers.len() % 2 != 0 {
        return Err(Fault::value(format!("has {} numbers; give pairs of time and value", numbers.len())));
    }
    if numbers.len() < 4 {
        return Err(Fault::value(format!("has {} points; give at least two", numbers.len() / 2)));
    }
    let times = numbers.iter().step_by(2).copied().collect();
    let values = numbers.iter().skip(1).step_by(2).copied().collect();
    Series::new("", times, values).map_err(plain)
}

/// A new series of the deck.
pub fn add(session: &mut Session, series: Series) -> Value {
    session.series.push(series);
    Value::Handle(Handle { class: "TIME_SERIES", key: [session.series.len() as u64 - 1, 0] })
}

fn series(objects: &Objects, object: Handle) -> Result<&Series, Fault> {
    let series = objects.series.get(object.key[0] as usize);
    series.ok_or_else(|| Fault::wrong_type("time series does not exist"))
}

/// Row of a number or TIME_SERIES in the model of `of`.
pub fn series_row(session: &mut Session, of: Handle, value: &Value) -> Result<u32, Fault> {
    let (origin, series) = match value {
        Value::Handle(handle) => (Origin::Object(handle.key[0]), series(session, *handle)?.clone()),
        Value::Real(x) => (Origin::Constant(x.to_bits()), Series::constant(*x)),
        Value::Int(i) => (Origin::Constant((*i as f64).to_bits()), Series::constant(*i as f64)),
        other => return Err(Fault::wrong_type(format!("is {}; give a number or a TIME_SERIES", other.describe()))),
    };
    let domain = session.domain(of)?;
    if let Some(row) = domain.series_rows.row(&origin) {
        return Ok(row);
    }
    let row = domain.model.series.len() as u32;
    domain.apply(Op::Define(Definition::Series { row, series }))?;
    domain.series_rows.enter(origin, row);
    Ok(row)
}

/// Rows of the three entries of a [`Kind::ThreeSeries`] or [`Kind::ThreeValues`].
pub fn three_rows(session: &mut Session, of: Handle, values: &Value) -> Result<[u32; 3], Fault> {
    let mut rows = [0; 3];
    let Value::List(items) = values else { return Err(Fault::wrong_type("holds no three entries")) };
    for (row, item) in rows.iter_mut().zip(items) {
        *row = series_row(session, of, item)?;
    }
    Ok(rows)
}
