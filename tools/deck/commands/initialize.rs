//! INITIALIZE_STATE: bodies take the state they have in a frame of other results. RIGID_TO_FEM: so do bodies of finite
//! elements that were rigid there.

use std::collections::HashMap;
use std::path::Path;

use solfec::body::reduced_state;
use solfec::math::Vec3;
use solfec::model::{BodyKind, BodyRow, Model, Op};
use solfec::query::{nearest, BodyView, Point, ShownBodies, TIME_TOLERANCE};
use solfec_formats::results::Reader;

use super::domain::{same_directory, SOLFEC_ARG};
use super::exports::subset;
use crate::deck::args::Args;
use crate::deck::domain::Mode;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::stored::{fault, Stored};
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&INITIALIZE_STATE, &RIGID_TO_FEM];

static INITIALIZE_STATE: Command = Command {
    name: "INITIALIZE_STATE",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, PATH, TIME, SUBSET],
    returns: "None",
    modes: Modes::Both,
    doc: "Gives bodies the configuration, velocity and energies that they have in other results, in the frame \
          nearest to a time. Bodies are matched by id, with a subset by label; bodies that are not found keep their \
          state. Time, constraints and forces do not change, and contacts begin without reactions. READ: gives a \
          warning.",
    run: |session, args| initialize(session, args, Rigid::StaysRigid),
};

static RIGID_TO_FEM: Command = Command {
    name: "RIGID_TO_FEM",
    chapter: Chapter::Control,
    args: &[PATH, TIME, SOLFEC_ARG, SUBSET],
    returns: "None",
    modes: Modes::Both,
    doc: "As INITIALIZE_STATE, but bodies of finite elements may be of kind RIGID in the other results: their nodes \
          then get the places and velocities of that rigid motion, so that they are turned, spin and have no stress. \
          Points that are given later are points of the reference configuration, as ever. READ: gives a warning.",
    run: |session, args| initialize(session, args, Rigid::CarriesNodes),
};

const PATH: Arg = Arg::new("path", Kind::Text, "directory of results, or packed results; -s has no effect on it");
const TIME: Arg = Arg::new("time", Kind::NOT_NEGATIVE, "time of a frame").unit("s");
const SUBSET: Arg = Arg::new("subset", Kind::Subset, "bodies that take part; rules of 'Subsets' in docs/paraview.md")
    .or(Default::Absent("all"));

/// What becomes of a body that is rigid in the other results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rigid {
    StaysRigid,
    /// Nodes of finite elements move as its points.
    CarriesNodes,
}

fn initialize(session: &mut Session, args: &Args, rigid: Rigid) -> Result<Value, Fault> {
    let (solfec, path, time) = (args.handle("solfec")?, args.text("path")?.to_string(), args.real("time")?);
    if let Mode::Reads { matched, .. } = &mut session.domain(solfec)?.mode {
        matched.states_elsewhere = true;
        session.warn("ignored", "does nothing in READ mode");
        return Ok(Value::None);
    }
    let recorded = |d: &crate::deck::domain::Domain| d.has_run() && same_directory(&d.model.output_path, &path);
    if !session.is_live() && session.domains.iter().any(recorded) {
        let text = format!("path: '{path}' is written by a RUN of this deck; reading it needs live execution");
        return Err(Fault::live(text));
    }
    let results = Reader::open(Path::new(&path)).map_err(fault)?;
    let wanted = if results.domains().len() > solfec.key[0] as usize { solfec.key[0] as usize } else { 0 };
    let stored = Stored::open(Path::new(&path), wanted)?;
    let times = stored.results.frame_times(wanted).map_err(fault)?;
    let k = nearest(times, time, stored.model.step)
        .ok_or_else(|| Fault::runtime(format!("path: '{path}' has no frames")))?;
    if (times[k] - time).abs() > TIME_TOLERANCE * stored.model.step {
        session.note(&format!("the frame nearest to {time} s is at {} s", times[k]));
    }
    let frame = stored.results.read_frame(wanted, k).map_err(fault)?;
    let views: HashMap<u32, BodyView> =
        ShownBodies::of(&stored.model, &frame).all().map(|view| (view.row().0, view)).collect();
    let by_label = args.given("subset");
    let domain = session.domain(solfec)?;
    let chosen = subset(&domain.model, args.get("subset"))?;
    let mut ops = Vec::new();
    for (body, _) in domain.model.bodies.iter().zip(chosen).filter(|(_, chosen)| *chosen) {
        let found = find(&stored.model.bodies, body, by_label && !body.label.is_empty());
        let Some(view) = found.and_then(|row| views.get(&(row as u32))) else { continue };
        if domain.deleted.bodies.contains(&body.id) {
            continue;
        }
        let carried =
            rigid == Rigid::CarriesNodes && (body.kind, view.body().kind) == (BodyKind::FiniteElement, BodyKind::Rigid);
        let state = if carried {
            carried_nodes(&domain.model, body, view)?
        } else {
            check(body, view.body().kind, &path)?;
            view.state_about(&domain.as_described(body).chars.center)
        };
        ops.extend(operations(body.id, state, view.energies()));
    }
    if ops.is_empty() {
        session.warn("ignored", &format!("no body of this SOLFEC object is in that frame of '{path}'"));
    }
    ops.into_iter().try_for_each(|op| session.domain(solfec)?.apply(op))?;
    session.inputs.push(stored.results.name().into());
    Ok(Value::None)
}

/// Row of the stored body that is this one: by id, or by label (of several the one with the same id, else the last).
fn find(stored: &[BodyRow], body: &BodyRow, by_label: bool) -> Option<usize> {
    let same = stored.binary_search_by_key(&body.id, |b| b.id).ok();
    if by_label {
        same.filter(|&row| stored[row].label == body.label)
            .or_else(|| stored.iter().rposition(|b| b.label == body.label))
    } else {
        same
    }
}

/// `conf` and `velo` (docs/conventions.md 5) of a body of finite elements whose nodes move as points of a rigid body.
fn carried_nodes(model: &Model, body: &BodyRow, view: &BodyView) -> Result<(Vec<f64>, Vec<f64>), Fault> {
    let points: Vec<Point> = model.carriers_of(body).flat_map(|shape| shape.vertices()).map(Point::new).collect();
    let v = points.iter().map(|point| view.velocity(point));
    if body.form.is_reduced() {
        let x = points.iter().map(|point| view.place(point)).collect();
        return Ok(reduced_state(model, body, x, v.collect())?);
    }
    let u = points.iter().map(|point| view.displacement(point));
    Ok((flat(u), flat(v)))
}

fn flat(vectors: impl Iterator<Item = Vec3>) -> Vec<f64> {
    vectors.flat_map(|x| [x.x, x.y, x.z]).collect()
}

/// RIGID and OBSTACLE may stand for each other.
fn check(body: &BodyRow, found: BodyKind, path: &str) -> Result<(), Fault> {
    let solid = |kind: BodyKind| matches!(kind, BodyKind::Rigid | BodyKind::Obstacle);
    if body.kind == found || (solid(body.kind) && solid(found)) {
        return Ok(());
    }
    let label = if body.label.is_empty() { String::new() } else { format!(" '{}'", body.label) };
    Err(Fault::runtime(format!(
        "body {}{label} is {}, but {} in '{path}'; leave it out with subset",
        body.id,
        body.kind.name(),
        found.name()
    )))
}

fn operations(body: u64, (conf, velo): (Vec<f64>, Vec<f64>), energies: [f64; 6]) -> impl Iterator<Item = Op> {
    let moved = [Op::SetConfiguration { body, conf }, Op::SetVelocity { body, velo }];
    let worked = (energies != [0.0; 6]).then_some(Op::SetEnergies { body, energies });
    moved.into_iter().chain(worked)
}
