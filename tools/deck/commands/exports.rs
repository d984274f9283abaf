//! Visualisation: XDMF_EXPORT, DISPLAY_POINT, RENDER, and the rules that select frames and bodies in exports.

use std::path::Path;

use solfec::math::Vec3;
use solfec::model::{Definition, DisplayPoint, Model, Op};
use solfec::query::{initial_frame, nearest, span};

use super::bodies::BODY_ARG;
use super::domain::SOLFEC_ARG;
use crate::cli::{select_bodies, turned, BodyRule, CliError, Exit};
use crate::deck::args::Args;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};
use crate::xdmf::{export_frames, export_geometry, Context, Part, Plan, Wanted};

pub const COMMANDS: &[&Command] = &[&XDMF_EXPORT, &DISPLAY_POINT, &RENDER];

static XDMF_EXPORT: Command = Command {
    name: "XDMF_EXPORT",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new(
            "time",
            Kind::Times,
            "READ: the frame nearest to a time, those of a list, or all of a span, ends \
                                       included",
        )
        .unit("s"),
        Arg::new("path", Kind::Text, "folder of the files, which are named after its last component"),
        Arg::new("subset", Kind::Subset, "bodies; rules of 'Subsets' in docs/paraview.md").or(Default::Absent("all")),
        Arg::new(
            "attributes",
            Kind::Anything,
            "list of 'DISP', 'VELO', 'STRESS', 'REAC', 'RELV', 'GAP', 'ENERGY', 'MISES', 'ERROR'",
        )
        .or(Default::Absent("['DISP', 'VELO', 'REAC', 'GAP']")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Writes files for ParaView, as sf-xdmf --copy does, and replaces existing ones. WRITE: the present state of \
          the bodies, without contacts; the time is ignored. READ: stored frames; the current frame is unchanged.",
    run: xdmf_export,
};

static DISPLAY_POINT: Command = Command {
    name: "DISPLAY_POINT",
    chapter: Chapter::Bodies,
    args: &[
        BODY_ARG,
        Arg::new("point", Kind::Vector(3), "point of the reference configuration, anywhere in the shape").unit("m"),
        Arg::new("label", Kind::Text, "label").or(Default::Absent("none")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Marks a point of the body for visualisation; listed by body.display_points. The results contain the points \
          made before the last RUN began.",
    run: display_point,
};

static RENDER: Command = Command {
    name: "RENDER",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, Arg::new("object", Kind::Anything, "bodies").or(Default::Absent("all"))],
    returns: "None",
    modes: Modes::Both,
    doc: "Controlled the viewer of Solfec 1.0; does nothing.",
    run: |_, _| Ok(Value::None),
};

fn display_point(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (body, point) = (args.handle("body")?, Vec3::from(args.array::<3>("point")?));
    let label = args.maybe_text("label").unwrap_or_default().to_string();
    let epsilon = session.epsilon;
    let domain = session.domain(body)?;
    let row = domain.body(body)?;
    if !domain.model.shapes_of(row).any(|shape| shape.contains(&point, epsilon)) {
        return Err(Fault::value(
            "point: is outside of the body; give a point of the reference configuration in its shape",
        ));
    }
    domain.apply(Op::Define(Definition::DisplayPoint(DisplayPoint { body: body.key[1], point, label })))?;
    Ok(Value::None)
}

/// `body.display_points`.
pub fn display_points(session: &mut Session, body: Handle) -> Result<Value, Fault> {
    let id = body.key[1];
    let points = &session.domain(body)?.model.display_points;
    let points: Vec<DisplayPoint> = points.iter().filter(|p| p.body == id).cloned().collect();
    let now = session.now(body, "the place of a point")?;
    let mut shown = Vec::with_capacity(points.len());
    for DisplayPoint { point, label, .. } in points {
        let gone = || Fault::runtime("body is not in the current frame");
        let place = now.point(id, &point)?.ok_or_else(gone)?;
        shown.push(Value::Tuple(vec![Value::Text(label), Value::tuple(place.iter().copied())]));
    }
    Ok(Value::List(shown))
}

fn xdmf_export(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    if !session.is_live() {
        session.warn("export", "is not part of a model: use sf-xdmf on the results");
        return Ok(Value::None);
    }
    let solfec = args.handle("solfec")?;
    let path = args.text("path")?;
    let wanted = attributes(args.get("attributes"))?;
    let name = Path::new(path).file_name();
    let name =
        name.ok_or_else(|| Fault::value(format!("path: '{path}' has no last component to name the files after")))?;
    let base = Path::new(path).join(name);
    if session.reading(solfec)?.is_none() {
        session.now(solfec, "the state")?;
        // A run that goes on is shown by its frames until it is there again.
        let past = session.domain(solfec)?.continuation().and_then(|from| from.stored.frame().cloned());
        let frame = match (past, session.frame(solfec)?) {
            (Some(frame), _) => frame,
            (None, Some(frame)) => frame,
            (None, None) => initial_frame(&session.domain(solfec)?.model, solfec::body::kinds())?,
        };
        let model = &session.domain(solfec)?.model;
        let chosen = subset(model, args.get("subset"))?;
        let plan = plan(base, model, &chosen)?;
        export_geometry(&frame, plan, Context::new(model, &chosen, &wanted)).map_err(fault)?;
        return Ok(Value::None);
    }
    let domain = session.domain(solfec)?;
    let Some(stored) = domain.stored() else { return Ok(Value::None) };
    // The deck that reads may have points of its own.
    let mut model = stored.model.clone();
    if !domain.model.display_points.is_empty() {
        model.display_points = domain.model.display_points.clone();
    }
    let chosen = subset(&model, args.get("subset"))?;
    let table = stored.results.frames(stored.domain).map_err(crate::deck::stored::fault)?;
    let frames = frames(&table.time, table.h.last().copied().unwrap_or(0.0), args.get("time"));
    let doubt = ends(args.get("time")).and_then(|(t0, t1)| turned(t0, t1));
    let plan = plan(base, &model, &chosen)?;
    let context = Context::new(&model, &chosen, &wanted);
    export_frames((&*stored.results, stored.domain), &frames, &plan, context, None, &mut |_| {}).map_err(fault)?;
    doubt.into_iter().for_each(|doubt| session.warn("export", &doubt));
    Ok(Value::None)
}

fn plan(base: std::path::PathBuf, model: &Model, chosen: &[bool]) -> Result<Plan, Fault> {
    let plan = Plan::new(base, Part::of(model, chosen)).map_err(fault)?;
    Ok(Plan { force: true, ..plan })
}

fn attributes(value: &Value) -> Result<Vec<Wanted>, Fault> {
    let items = match value {
        Value::None => return Ok(vec![Wanted::Disp, Wanted::Velo, Wanted::Reac, Wanted::Gap]),
        Value::List(items) | Value::Tuple(items) => items,
        other => return Err(Fault::wrong_type(format!("attributes: is {}; give a list of names", other.describe()))),
    };
    let known = || Wanted::ALL.map(|(name, _)| format!("'{name}'")).join(", ");
    let one = |item: &Value| match item {
        Value::Text(name) => Wanted::named(name)
            .ok_or_else(|| Fault::value(format!("attributes: '{name}' is no attribute; give some of {}", known()))),
        other => Err(Fault::wrong_type(format!("attributes: holds {}; give names", other.describe()))),
    };
    items.iter().map(one).collect()
}

/// The ends of a span.
fn ends(time: &Value) -> Option<(f64, f64)> {
    match time {
        Value::Tuple(ends) => match ends[..] {
            [Value::Real(t0), Value::Real(t1)] => Some((t0, t1)),
            _ => None,
        },
        _ => None,
    }
}

/// Positions of the frames that a checked [`Kind::Times`] names, ascending, each once (docs/conventions.md 10).
pub fn frames(times: &[f64], h: f64, value: &Value) -> Vec<usize> {
    let mut taken: Vec<usize> = match value {
        Value::Real(t) => nearest(times, *t, h).into_iter().collect(),
        Value::Reals(wanted) => wanted.iter().filter_map(|&t| nearest(times, t, h)).collect(),
        other => ends(other).map_or(Vec::new(), |(t0, t1)| span(times, t0, t1, h).collect()),
    };
    taken.sort_unstable();
    taken.dedup();
    taken
}

/// For each body of the model whether a [`Kind::Subset`] names it: a text (basic regular expression, or a rule of
/// sf-xdmf --subset), a BODY, an id, the tuple of a box around bodies as they were created, or a list of these.
pub fn subset(model: &Model, value: &Value) -> Result<Vec<bool>, Fault> {
    let rules = match value {
        Value::None => return Ok(vec![true; model.bodies.len()]),
        Value::List(items) => items.iter().map(rule).collect::<Result<Vec<_>, _>>()?,
        one => vec![rule(one)?],
    };
    if rules.is_empty() {
        return Err(Fault::value("subset: is an empty list; name some bodies"));
    }
    select_bodies(model, &rules).map_err(|text| Fault::value(format!("subset: {text}")))
}

fn rule(item: &Value) -> Result<(String, BodyRule), Fault> {
    let wrong = |text: String| Fault::value(format!("subset: {text}"));
    Ok(match item {
        Value::Text(text) => (text.clone(), BodyRule::subset(text).map_err(wrong)?),
        Value::Handle(body) if body.class == "BODY" => (format!("body {}", body.key[1]), ids(body.key[1])),
        Value::Int(id) if *id > 0 => (format!("id {id}"), ids(*id as u64)),
        Value::Tuple(items) => {
            let numbers: Option<Vec<f64>> = items.iter().map(number).collect();
            match numbers.and_then(|n| <[f64; 6]>::try_from(n).ok()) {
                Some(b) if (0..3).all(|i| b[i] <= b[i + 3]) => (format!("box {b:?}"), BodyRule::Bounds(b)),
                _ => return Err(wrong("is a tuple, but not (x0, y0, z0, x1, y1, z1) with ascending bounds".into())),
            }
        }
        other => return Err(wrong(format!("is {}; give {}", other.describe(), Kind::Subset.describe()))),
    })
}

fn ids(id: u64) -> BodyRule {
    BodyRule::Ids(id, id)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Real(x) if x.is_finite() => Some(*x),
        Value::Int(i) => Some(*i as f64),
        _ => None,
    }
}

/// An error of an export as the deck sees it.
fn fault(error: CliError) -> Fault {
    let kind = if error.code == Exit::Io { FaultKind::System } else { FaultKind::Runtime };
    Fault::new(kind, error.text)
}
