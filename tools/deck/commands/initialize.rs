//! INITIALIZE_STATE: bodies take the state they have in a frame of other results.

use std::collections::HashMap;
use std::path::Path;

use solfec::frame::Frame;
use solfec::model::{BodyKind, BodyRow, Op};
use solfec::query::{nearest, BodyView, ShownBodies};
use solfec_formats::results::Reader;

use super::domain::{same_directory, SOLFEC_ARG};
use super::exports::subset;
use crate::deck::args::Args;
use crate::deck::domain::Mode;
use crate::deck::fault::Fault;
use crate::deck::objects::Remark;
use crate::deck::session::Session;
use crate::deck::stored::{fault, Stored};
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&INITIALIZE_STATE];

static INITIALIZE_STATE: Command = Command {
    name: "INITIALIZE_STATE",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("path", Kind::Text, "directory of results, or packed results; -s has no effect on it"),
        Arg::new("time", Kind::NOT_NEGATIVE, "time of a frame").unit("s"),
        Arg::new("subset", Kind::Subset, "bodies that take part; rules of 'Subsets' in docs/paraview.md")
            .or(Default::Absent("all")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Gives bodies the configuration, velocity and energies that they have in other results, in the frame \
          nearest to a time. Bodies are matched by id, with a subset by label; bodies that are not found keep their \
          state. Time, constraints and forces do not change, and contacts begin without reactions. READ: gives a \
          warning.",
    run: initialize_state,
};

/// A body in a frame: kind, `conf` and `velo` in the layouts of docs/conventions.md 5, energies.
struct State {
    kind: BodyKind,
    conf: Vec<f64>,
    velo: Vec<f64>,
    energies: [f64; 6],
}

fn initialize_state(session: &mut Session, args: &Args) -> Result<Value, Fault> {
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
    let k = nearest(times, time).ok_or_else(|| Fault::runtime(format!("path: '{path}' has no frames")))?;
    if (times[k] - time).abs() > 1e-6 * stored.model.step {
        let text = format!("INITIALIZE_STATE: the frame nearest to {time} s is at {} s", times[k]);
        session.remarks.push(Remark { kind: "note", text });
    }
    let frame = stored.results.read_frame(wanted, k).map_err(fault)?;
    let states = states(&stored, &frame);
    let by_label = args.given("subset");
    let domain = session.domain(solfec)?;
    let chosen = subset(&domain.model, args.get("subset"))?;
    let mut ops = Vec::new();
    for (body, _) in domain.model.bodies.iter().zip(chosen).filter(|(_, chosen)| *chosen) {
        let found = find(&stored.model.bodies, body, by_label && !body.label.is_empty());
        let Some(state) = found.and_then(|row| states.get(&(row as u32))) else { continue };
        if !domain.deleted.bodies.contains(&body.id) {
            check(body, state, &path)?;
            ops.extend(operations(body.id, state));
        }
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

/// States by catalogue row.
fn states(stored: &Stored, frame: &Frame) -> HashMap<u32, State> {
    let state = |body: BodyView| State {
        kind: body.body().kind,
        conf: body.configuration(),
        velo: body.rates(),
        energies: body.energies(),
    };
    ShownBodies::of(&stored.model, frame).all().map(|body| (body.row().0, state(body))).collect()
}

/// RIGID and OBSTACLE may stand for each other.
fn check(body: &BodyRow, state: &State, path: &str) -> Result<(), Fault> {
    let solid = |kind: BodyKind| matches!(kind, BodyKind::Rigid | BodyKind::Obstacle);
    if body.kind == state.kind || (solid(body.kind) && solid(state.kind)) {
        return Ok(());
    }
    let label = if body.label.is_empty() { String::new() } else { format!(" '{}'", body.label) };
    Err(Fault::runtime(format!(
        "body {}{label} is {}, but {} in '{path}'; leave it out with subset",
        body.id,
        body.kind.name(),
        state.kind.name()
    )))
}

fn operations(body: u64, state: &State) -> impl Iterator<Item = Op> {
    let energies = state.energies;
    let moved =
        [Op::SetConfiguration { body, conf: state.conf.clone() }, Op::SetVelocity { body, velo: state.velo.clone() }];
    let worked = (energies != [0.0; 6]).then_some(Op::SetEnergies { body, energies });
    moved.into_iter().chain(worked)
}
