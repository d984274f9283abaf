//! COROTATED_DISPLACEMENTS.

use solfec::body::Pencil;
use solfec::model::BodyKind;

use super::domain::SOLFEC_ARG;
use super::exports::subset;
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::snapshots::{Instants, Sampler};
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&COROTATED_DISPLACEMENTS];

static COROTATED_DISPLACEMENTS: Command = Command {
    name: "COROTATED_DISPLACEMENTS",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("subset", Kind::Subset, "bodies of equal meshes; rules of 'Subsets' in docs/paraview.md")
            .or(Default::Absent("all of finite elements")),
        Arg::new("sampling", Kind::Anything, "list of times, or an interval; 0: every step")
            .unit("s")
            .or(Default::Absent("the interval of OUTPUT")),
    ],
    returns: "a list, empty at first: each sample adds for each body a list of three displacements for each node",
    modes: Modes::Both,
    doc: "Samples displacements in the frame that moves and turns with each body, for sf-modal pod or a program of the deck. The \
          list is filled at the end of each RUN: at the first step that ends at or after each time, at multiples of the \
          interval. READ: by FORWARD with corotated_displacements='TRUE', for each frame on the way.",
    run: corotated_displacements,
};

fn corotated_displacements(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    if !session.is_live() {
        return Err(Fault::live("samples are taken by a run"));
    }
    let solfec = args.handle("solfec")?;
    let instants = instants(args)?;
    let all = !args.given("subset");
    let model = &session.domain(solfec)?.model;
    let chosen = subset(model, args.get("subset"))?;
    let mut bodies: Vec<(u64, Pencil)> = Vec::new();
    for (body, _) in model.bodies.iter().zip(chosen).filter(|(_, chosen)| *chosen) {
        if body.kind != BodyKind::FiniteElement {
            if all {
                continue;
            }
            return Err(Fault::value(format!("subset: {} is not of finite elements", body.title())));
        }
        let pencil = Pencil::of(model, body.id, &[])?;
        if let Some((_, first)) = bodies.first().filter(|(_, first)| first.nodes() != pencil.nodes()) {
            return Err(Fault::value(format!(
                "subset: {} has {} nodes and {} has {}; choose bodies of equal meshes",
                body.title(),
                pencil.nodes(),
                first.name(),
                first.nodes()
            )));
        }
        bodies.push((body.id, pencil));
    }
    if bodies.is_empty() {
        return Err(Fault::value("subset: there is no body of finite elements; call this after BODY"));
    }
    session.samplers.push(Sampler::new(solfec.key[0] as usize, bodies, instants));
    Ok(Value::Int(session.samplers.len() as i64 - 1))
}

fn instants(args: &Args) -> Result<Instants, Fault> {
    let wrong = || {
        let what = args.get("sampling").describe();
        Fault::wrong_type(format!("sampling: is {what}; give a list of times, or an interval"))
    };
    let mut listed = match args.get("sampling") {
        Value::None => return Ok(Instants::Output),
        Value::Real(x) if *x >= 0.0 && x.is_finite() => return Ok(Instants::Every(*x)),
        Value::Int(x) if *x >= 0 => return Ok(Instants::Every(*x as f64)),
        Value::List(items) | Value::Tuple(items) if items.is_empty() => return Err(wrong()),
        list => {
            match crate::deck::bind::check(&Kind::Numbers, list.clone()).map_err(|fault| fault.about("sampling"))? {
                Value::Reals(times) => times,
                _ => return Err(wrong()),
            }
        }
    };
    listed.sort_by(f64::total_cmp);
    Ok(Instants::Listed(listed))
}
