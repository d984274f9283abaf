//! HISTORY: the items of sf-history, asked for by a deck.

use std::io::Write;

use solfec::query::span;

use super::domain::SOLFEC_ARG;
use crate::cli::{turned, BodyRule, CliError, Exit};
use crate::deck::args::Args;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::stored::{fault, Stored};
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};
use crate::history::item::{Expr, Item, Who};
use crate::history::names::{quantity, Target};
use crate::history::sample::Source;

pub const COMMANDS: &[&Command] = &[&HISTORY];

static HISTORY: Command = Command {
    name: "HISTORY",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("list", Kind::Anything, "an item, or a list of items"),
        Arg::new("t0", Kind::NUMBER, "start of the span of time").unit("s"),
        Arg::new("t1", Kind::NUMBER, "its end, which is included").unit("s"),
        Arg::new(
            "skip",
            Kind::Integer { min: 1, max: i64::MAX },
            "every skip-th frame is \
            taken",
        )
        .or(Default::Number(1.0)),
        Arg::new("progress", Kind::Switch, "'ON': a percentage is printed on standard error").or(Default::Text("OFF")),
        Arg::new(
            "on",
            Kind::Choice(&["master", "bodies"]),
            "bodies to which reactions and relative velocities \
                                                             refer: the masters of constraints, or the named bodies, \
                                                             so that what acts between these cancels",
        )
        .or(Default::Text("master")),
    ],
    returns: "READ: (times, values, ...), lists of equal length, a list of values for each item; WRITE: None",
    modes: Modes::Both,
    doc: "Quantities over time, in all frames from t0 to t1, or in the nearest one if there is none between. Items: \
          (body or 'label', (x,y,z), e), e = CX CY CZ DX DY DZ VX VY VZ SX SY SZ SXY SXZ SYZ MISES at a reference \
          point; (object, e), e = KINETIC INTERNAL EXTERNAL CONTACT FRICTION DISSIPATED, object = the SOLFEC object, \
          a body, a list of bodies; (object, e) or (object, direction or None, (surf1,surf2) or None, e), e = GAP R \
          RX RY RZ U UX UY UZ of constraints, CR CRX CRY CRZ CU CUX CUY CUZ of contacts alone; 'TIMINT' 'CONUPD' \
          'CONDET' 'LOCDYN' 'CONSOL' 'PARBAL' and the timers of the solvers; 'STEP' 'WALL' 'MERIT' 'ERROR' 'BODS' \
          'CONS' 'NEWBODS' 'DELBODS' 'ITERS' 'GSITERS' 'NTITERS'; any text that sf-history takes, as \
          'sum(KINETIC,INTERNAL)'. docs/histories.md describes each of them. The current frame is unchanged.",
    run: history,
};

fn history(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    if !session.is_live() {
        return Err(Fault::live("needs live execution and cannot be recorded"));
    }
    if !session.domain(solfec)?.reads() {
        return Ok(Value::None);
    }
    let on_bodies = args.text("on")? == "bodies";
    let items = items(solfec, args.get("list"), on_bodies).map_err(|text| Fault::value(text).about("list"))?;
    let (t0, t1, skip) = (args.real("t0")?, args.real("t1")?, args.int("skip")? as usize);
    let Some(stored) = session.reading(solfec)? else { return Ok(Value::None) };
    let (columns, mut doubts) = columns(stored, &items, (t0, t1, skip), args.maybe_on("progress") == Some(true))?;
    doubts.extend(turned(t0, t1));
    for doubt in doubts {
        session.warn("history", &doubt);
    }
    Ok(Value::Tuple(columns.into_iter().map(Value::Reals).collect()))
}

type Columns = Vec<Vec<f64>>;

/// Times and the values of items, and what is doubtful about them.
fn columns(
    stored: &mut Stored,
    items: &[Item],
    (t0, t1, skip): (f64, f64, usize),
    progress: bool,
) -> Result<(Columns, Vec<String>), Fault> {
    stored.wake()?;
    let frames = stored.results.frames(stored.domain).map_err(fault)?;
    let h = frames.h.last().copied().unwrap_or(0.0);
    let taken: Vec<usize> = span(&frames.time, t0, t1, h).step_by(skip).collect();
    let mut source = Source::new(&stored.results, stored.domain, Some(&stored.model), taken).map_err(as_fault)?;
    let mut columns = vec![source.times()];
    for (done, item) in items.iter().enumerate() {
        if progress {
            let _ = write!(std::io::stderr(), "\rHISTORY {:3} %", 100 * done / items.len());
        }
        columns.push(source.values(&item.expr).map_err(as_fault)?);
    }
    if progress {
        let _ = writeln!(std::io::stderr(), "\rHISTORY 100 %");
    }
    if let Some(nobody) = source.unmatched.into_values().next() {
        return Err(Fault::value(nobody).about("list"));
    }
    Ok((columns, source.warnings))
}

fn as_fault(error: CliError) -> Fault {
    let kind = if error.code == Exit::Io { FaultKind::System } else { FaultKind::Value };
    Fault::new(kind, error.text)
}

/// The items of the argument: one, or a list of them.
fn items(solfec: Handle, list: &Value, on_bodies: bool) -> Result<Vec<Item>, String> {
    if is_item(list) {
        return Ok(vec![item(solfec, list, on_bodies)?]);
    }
    let Value::List(list) = list else { return Err(format!("is {}; give items", list.describe())) };
    let one = |(at, value)| item(solfec, value, on_bodies).map_err(|text| format!("item {at}: {text}"));
    list.iter().enumerate().map(one).collect()
}

/// Lists and tuples come alike: an item is a text, or begins with an object or a label before a point, and ends with a
/// text.
fn is_item(value: &Value) -> bool {
    let parts = match value {
        Value::Text(_) => return true,
        Value::List(parts) => parts,
        _ => return false,
    };
    let ends_well = parts.len() >= 2 && matches!(parts.last(), Some(Value::Text(_)));
    let label = |first: &Value| matches!(first, Value::Text(_)) && parts.len() == 3 && point(&parts[1]).is_some();
    let bodies = |first: &Value| matches!(first, Value::List(bodies) if bodies.iter().all(|b| handle(b).is_some()));
    ends_well && parts.first().is_some_and(|first| handle(first).is_some() || label(first) || bodies(first))
}

fn handle(value: &Value) -> Option<Handle> {
    match value {
        Value::Handle(handle) if ["SOLFEC", "BODY"].contains(&handle.class) => Some(*handle),
        _ => None,
    }
}

fn item(solfec: Handle, value: &Value, on_bodies: bool) -> Result<Item, String> {
    const FORMS: &str = "give (object, e), (body, point, e), (object, direction, surfaces, e) or a text";
    let parts = match value {
        Value::Text(text) => {
            let mut item: Item = text.parse()?;
            if on_bodies {
                item.expr.on_bodies();
            }
            return Ok(item);
        }
        Value::List(parts) => parts,
        other => return Err(format!("is {}; {FORMS}", other.describe())),
    };
    let (target, name) = match parts.as_slice() {
        [object, Value::Text(name)] => (Target { bodies: Some(who(solfec, object)?), ..Target::default() }, name),
        [body, at, Value::Text(name)] => {
            let reference = Some(point(at).ok_or_else(|| format!("point: is {}; give (x, y, z)", at.describe()))?);
            (Target { bodies: Some(who(solfec, body)?), reference, ..Target::default() }, name)
        }
        [object, direction, pair, Value::Text(name)] => {
            let direction = match direction {
                Value::None => None,
                d => Some(point(d).ok_or_else(|| format!("direction: is {}; give (x, y, z) or None", d.describe()))?),
            };
            let pair = match pair {
                Value::None => None,
                p => Some(surfaces(p).ok_or_else(|| format!("surfaces: is {}; give (s1, s2) or None", p.describe()))?),
            };
            (Target { bodies: Some(who(solfec, object)?), direction, pair, ..Target::default() }, name)
        }
        _ => return Err(format!("is {}; {FORMS}", value.describe())),
    };
    let at_point = target.reference.is_some();
    let of_constraints = matches!(name.trim_start_matches('C').get(..1), Some("R" | "U"));
    let made = quantity(name, Target { on_bodies: on_bodies && of_constraints, ..target })?;
    if at_point && !matches!(made, crate::history::item::Quantity::Point { .. }) {
        return Err(format!("{name}: has no point; give (object, '{name}')"));
    }
    Item::titled(name, Expr::Of(made))
}

/// Bodies by handle or label; the SOLFEC object means all.
fn who(solfec: Handle, object: &Value) -> Result<Who, String> {
    let foreign = |h: &Handle| h.key[0] != solfec.key[0];
    match object {
        Value::Text(label) => Ok(Who::Rules(vec![(format!("label:{label}"), BodyRule::Label(label.clone()))])),
        Value::Handle(h) if foreign(h) => Err("belongs to another SOLFEC object".into()),
        Value::Handle(h) if h.class == "SOLFEC" => Ok(Who::All),
        Value::Handle(h) if h.class == "BODY" => Ok(ids(vec![h.key[1]])),
        Value::List(bodies) => {
            let id = |body: &Value| match handle(body) {
                Some(h) if foreign(&h) => Err("belongs to another SOLFEC object".to_string()),
                Some(h) if h.class == "BODY" => Ok(h.key[1]),
                _ => Err(format!("object: holds {}; give bodies", body.describe())),
            };
            Ok(ids(bodies.iter().map(id).collect::<Result<_, _>>()?))
        }
        other => {
            Err(format!("object: is {}; give a body, a label, a list of bodies or the SOLFEC object", other.describe()))
        }
    }
}

/// Rules for bodies by id, one for each run of neighbours.
fn ids(mut ids: Vec<u64>) -> Who {
    ids.sort_unstable();
    ids.dedup();
    let runs = ids.chunk_by(|a, b| a + 1 == *b);
    let rule = |run: &[u64]| {
        let (first, last) = (run[0], run[run.len() - 1]);
        let text = if first == last { format!("id:{first}") } else { format!("id:{first}-{last}") };
        (text, BodyRule::Ids(first, last))
    };
    Who::Rules(runs.map(rule).collect())
}

fn point(value: &Value) -> Option<[f64; 3]> {
    let number = |value: &Value| match value {
        Value::Real(x) if x.is_finite() => Some(*x),
        Value::Int(i) => Some(*i as f64),
        _ => None,
    };
    match value {
        Value::List(items) => items.iter().map(number).collect::<Option<Vec<f64>>>()?.try_into().ok(),
        Value::Reals(items) => items.as_slice().try_into().ok(),
        Value::Ints(items) => <[i64; 3]>::try_from(items.as_slice()).ok().map(|p| p.map(|i| i as f64)),
        _ => None,
    }
}

fn surfaces(value: &Value) -> Option<[i32; 2]> {
    let id = |value: &Value| match value {
        Value::Int(i) => i32::try_from(*i).ok(),
        _ => None,
    };
    let Value::List(items) = value else { return None };
    items.iter().map(id).collect::<Option<Vec<i32>>>()?.try_into().ok()
}
