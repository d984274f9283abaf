//! APPLY_BULKMAT: parts of a body with a material of their own.

use solfec::body::{check_finite_body_in_making, name_of, NewBody};
use solfec::model::{BodyKind, BodyRow, Model, Op};
use solfec::shape::Shape;

use super::bodies::{material_row, BODY_ARG};
use super::domain::SOLFEC_ARG;
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::now::Now;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&APPLY_BULKMAT];

static APPLY_BULKMAT: Command = Command {
    name: "APPLY_BULKMAT",
    chapter: Chapter::Bodies,
    args: &[
        SOLFEC_ARG,
        BODY_ARG,
        Arg::new("volid", Kind::ID, "volume id of the parts of the shape"),
        Arg::new("material", Kind::Labelled("BULK_MATERIAL"), "bulk material of these parts"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Gives the parts of the shape of a body that have a volume id a bulk material of their own, before the first \
          RUN. Mass, centre and tensor of the body follow from all its parts anew, in place of what BODY_CHARS gave; \
          points stay where they are and keep their velocities. Elements of a FINITE_ELEMENT body have the stiffness, \
          too, and the base of form 'BC-MODAL' is that of MODAL_ANALYSIS of a body with the same parts; a PSEUDO_RIGID \
          body keeps the stiffness of its own material.",
    run: apply_bulkmat,
};

fn apply_bulkmat(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (solfec, handle) = (args.handle("solfec")?, args.handle("body")?);
    if handle.key[0] != solfec.key[0] {
        return Err(Fault::value("body belongs to another SOLFEC object"));
    }
    let material = material_row(session, solfec, args)?;
    let volid = args.id("volid")?;
    let id = handle.key[1];
    // Nodes keep their velocities where the mass centre moves about which a rigid motion is given.
    let domain = session.domain(handle)?;
    let body = domain.body(handle)?;
    let said = || domain.model.body_row(id).is_some_and(|row| domain.model.descriptions(row).next().is_some());
    let moves = body.kind == BodyKind::FiniteElement && !domain.has_run() && (!body.velo.is_empty() || said());
    let velo = if moves { Now::described(domain).velocity(id)? } else { Vec::new() };
    let domain = session.domain(handle)?;
    let Some(row) = domain.model.body_row(id) else { return Err(Fault::value("body does not exist")) };
    let before = domain.model.bodies[row].clone();
    let outcome = domain.model.set_material_of(id, volid, material);
    let outcome = outcome.map_err(Fault::from).and_then(|()| check(&domain.model, &domain.model.bodies[row], material));
    if outcome.is_err() {
        domain.model.bodies[row] = before;
    }
    if domain.reads() {
        return Ok(Value::None);
    }
    outcome?;
    if moves {
        domain.apply(Op::SetVelocity { body: id, velo })?;
    }
    Ok(Value::None)
}

/// What bodies that deform need of their materials and bases.
fn check(model: &Model, row: &BodyRow, material: u32) -> Result<(), Fault> {
    if row.kind.deforms() {
        model.bulk[material as usize].check_stiffness().map_err(Fault::value)?;
    }
    if row.reduced().is_some() {
        let shapes: Vec<Shape> = model.all_shapes_of(row).collect();
        check_finite_body_in_making(&NewBody { name: &name_of(row), row, bulk: &model.bulk, shapes: &shapes })?;
    }
    Ok(())
}
