//! COPY, TRANSLATE, ROTATE, SCALE, MASS_CENTER.

use solfec::math::Vec3;
use solfec::shape::{rotation_about, Shape};

use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&COPY, &TRANSLATE, &ROTATE, &SCALE, &MASS_CENTER];

const MOVED: Arg = Arg::new("shape", Kind::ShapesOrPoint, "what is changed in place, or a point");

static COPY: Command = Command {
    name: "COPY",
    chapter: Chapter::Geometry,
    args: &[Arg::new("shape", Kind::Shapes, "what is copied")],
    returns: "a copy; of a sequence a list in the same order",
    modes: Modes::Both,
    doc: "Copies shapes. Copies share their geometry until one of them is scaled or edited.",
    run: copy,
};

static TRANSLATE: Command = Command {
    name: "TRANSLATE",
    chapter: Chapter::Geometry,
    args: &[MOVED, Arg::new("vector", Kind::Vector(3), "displacement").unit("m")],
    returns: "the same object; of a list a new list of the same objects, of a point a new tuple",
    modes: Modes::Both,
    doc: "Moves shapes.",
    run: translate,
};

static ROTATE: Command = Command {
    name: "ROTATE",
    chapter: Chapter::Geometry,
    args: &[
        MOVED,
        Arg::new("point", Kind::Vector(3), "point of the axis").unit("m"),
        Arg::new("vector", Kind::Vector(3), "direction of the axis, of any length"),
        Arg::new("angle", Kind::NUMBER, "angle, right-handed").unit("degree"),
    ],
    returns: "the same object; of a list a new list of the same objects, of a point a new tuple",
    modes: Modes::Both,
    doc: "Rotates shapes about an axis.",
    run: rotate,
};

static SCALE: Command = Command {
    name: "SCALE",
    chapter: Chapter::Geometry,
    args: &[MOVED, Arg::new("coefs", Kind::Vector(3), "factors along x, y, z, not zero; equal for spheres")],
    returns: "the same object; of a list a new list of the same objects, of a point a new tuple",
    modes: Modes::Both,
    doc: "Multiplies coordinates about the origin.",
    run: scale,
};

static MASS_CENTER: Command = Command {
    name: "MASS_CENTER",
    chapter: Chapter::Geometry,
    args: &[Arg::new("shape", Kind::Anything, "a shape, a sequence of shapes, or a BODY")],
    returns: "the tuple (x, y, z)",
    modes: Modes::Both,
    doc: "Current mass centre, for uniform density. Overlaps count twice.",
    run: mass_center,
};

fn copy(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let mut copies = Vec::new();
    for handle in args.handles("shape") {
        let slot = session.shapes.get(handle)?;
        let (parts, solid) = (slot.parts.clone(), slot.solid);
        let copy = session.shapes.add(handle.class, parts);
        session.shapes.get(copy)?.solid = solid;
        copies.push(Value::Handle(copy));
    }
    match (args.get("shape"), copies.pop()) {
        (Value::Handle(_), Some(one)) => Ok(one),
        (_, last) => {
            copies.extend(last);
            Ok(Value::List(copies))
        }
    }
}

/// Applies a change to the named shapes, all of them or, when one fails, none; or to the point.
fn change(
    session: &mut Session,
    args: &Args,
    of_shape: impl Fn(&mut Shape) -> Result<(), Fault>,
    of_point: impl Fn(&Vec3) -> Result<Vec3, Fault>,
) -> Result<Value, Fault> {
    if let Value::Reals(point) = args.get("shape") {
        let moved = of_point(&Vec3::from_column_slice(point))?;
        return Ok(Value::tuple(moved.iter().copied()));
    }
    let handles = args.handles("shape");
    let mut changed = Vec::new();
    for handle in &handles {
        let slot = session.shapes.own(*handle)?;
        let mut parts = slot.parts.clone();
        parts.iter_mut().try_for_each(&of_shape)?;
        // What has changed a shape has a meaning for points, too.
        changed.push((parts, slot.solid.map(|solid| solid.mapped(|x| of_point(x).unwrap_or(*x)))));
    }
    for (handle, (parts, solid)) in handles.iter().zip(changed) {
        let slot = session.shapes.own(*handle)?;
        (slot.parts, slot.solid) = (parts, solid);
    }
    Ok(args.get("shape").clone())
}

fn translate(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let vector = args.vec3("vector")?;
    let shape = |shape: &mut Shape| {
        shape.translate(&vector);
        Ok(())
    };
    change(session, args, shape, |x| Ok(x + vector))
}

fn rotate(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (point, axis, angle) = (args.vec3("point")?, args.vec3("vector")?, args.real("angle")?);
    change(
        session,
        args,
        |shape| Ok(shape.rotate(&point, &axis, angle)?),
        |x| Ok(point + rotation_about(&axis, angle)? * (x - point)),
    )
}

fn scale(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let factors = args.vec3("coefs")?;
    change(session, args, |shape| Ok(shape.scale(&factors)?), |x| Ok(x.component_mul(&factors)))
}

fn mass_center(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    if let Some(body) = args.maybe_handle("shape").filter(|h| h.class == "BODY") {
        let center = session.now(body, "the mass centre of a body")?.center(body.key[1])?;
        return Ok(Value::tuple(center));
    }
    let handles = args.handles("shape");
    if handles.is_empty() {
        let what = args.get("shape").describe();
        return Err(Fault::wrong_type(format!("shape: is {what}; give a shape, a sequence of shapes, or a BODY")));
    }
    session.shapes.parts(&handles)?;
    let center = session.shapes.integrals(&handles)?.center;
    Ok(Value::tuple(center.iter().copied()))
}
