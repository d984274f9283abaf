//! GRAVITY, FORCE, TORQUE, PRESSURE (docs/theory.md 12).

use solfec::material::ANY;
use solfec::math::{unit_along, Vec3};
use solfec::model::{BodyKind, FunctionKind, LoadKind, LoadRow, Op};
use solfec::query::{distance_from, holds};

use super::bodies::BODY_ARG;
use super::domain::SOLFEC_ARG;
use super::functions;
use super::series::{series_row, three_rows};
use crate::cli::{number, rounded};
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&GRAVITY, &FORCE, &TORQUE, &PRESSURE];

const SPATIAL: Arg = Arg::new(
    "kind",
    Kind::Choice(&["SPATIAL", "CONVECTED"]),
    "'SPATIAL': the direction is fixed in space; 'CONVECTED': it moves with the body",
);

static GRAVITY: Command = Command {
    name: "GRAVITY",
    chapter: Chapter::Loads,
    args: &[SOLFEC_ARG, Arg::new("vector", Kind::ThreeValues, "acceleration of gravity").unit("m/s2")],
    returns: "None",
    modes: Modes::Both,
    doc: "Gravity of all bodies except obstacles; may be called again.",
    run: |session, args| {
        let solfec = args.handle("solfec")?;
        let series = three_rows(session, solfec, args.get("vector"))?;
        session.domain(solfec)?.apply(Op::Gravity { series })?;
        Ok(Value::None)
    },
};

static FORCE: Command = Command {
    name: "FORCE",
    chapter: Chapter::Loads,
    args: &[
        BODY_ARG,
        SPATIAL,
        Arg::new("point", Kind::Vector(3), "point of application in the reference configuration").unit("m"),
        Arg::new("direction", Kind::Vector(3), "direction of the force; its length does not matter"),
        Arg::new("value", Kind::Load, "magnitude of the force, or a function of (data..., q, u, time, step)").unit("N"),
        Arg::new("data", Kind::Data { last: false }, "first arguments of the function").or(Default::Absent("none")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "A force at a point of a body. A point outside of a body of finite elements is carried by its nearest \
          element, as far as that goes on, with a warning if it is farther than a thousandth of the size of \
          the body. A function is called once per step with the configuration q at t+h/2, the velocity u at t, \
          the time t+h/2 and the step h. It returns 9 numbers for RIGID bodies (spatial force, spatial torque, \
          referential torque), else one number for each entry of u; kind, point and direction are then \
          ignored.",
    run: force,
};

static TORQUE: Command = Command {
    name: "TORQUE",
    chapter: Chapter::Loads,
    args: &[
        BODY_ARG,
        SPATIAL,
        Arg::new("direction", Kind::Vector(3), "axis of the torque; its length does not matter"),
        Arg::new("value", Kind::Series, "magnitude of the torque").unit("N m"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "A torque on a rigid body.",
    run: torque,
};

static PRESSURE: Command = Command {
    name: "PRESSURE",
    chapter: Chapter::Loads,
    args: &[
        BODY_ARG,
        Arg::new("surfid", Kind::ID, "surface id"),
        Arg::new("value", Kind::Series, "force per area; positive along the outward normal").unit("Pa"),
        Arg::new(
            "follower",
            Kind::Choice(&["ON", "OFF"]),
            "on finite elements: on their present faces, along the present normals; not in Solfec-1.0",
        )
        .or(Default::Text("OFF")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Pressure on a surface of a body that is one MESH. It follows the motion of rigid and pseudo-rigid bodies, \
          whose faces and normals are those of now; on finite elements it is a dead load, that of the reference \
          configuration, unless follower is 'ON'.",
    run: pressure,
};

fn force(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    check_body(session, body)?;
    let convected = args.text("kind")? == "CONVECTED";
    let kind = match args.get("value") {
        function @ Value::Function { .. } => {
            LoadKind::Function { function: functions::take_for(session, body, function, FunctionKind::Force)? }
        }
        value => {
            let point = args.vec3("point")?;
            warn_outside(session, body, &point)?;
            let direction = direction(args, "direction")?;
            LoadKind::Force { convected, point, direction, value: series_row(session, body, value)? }
        }
    };
    add(session, body, kind)
}

fn torque(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    if session.domain(body)?.body(body)?.kind != BodyKind::Rigid {
        return Err(Fault::value("body: is not RIGID; use FORCE for other kinds"));
    }
    let convected = args.text("kind")? == "CONVECTED";
    let direction = direction(args, "direction")?;
    let value = series_row(session, body, args.get("value"))?;
    add(session, body, LoadKind::Torque { convected, direction, value })
}

fn pressure(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    check_body(session, body)?;
    let surface = args.id("surfid")?;
    check_surface(session, body, surface)?;
    let value = series_row(session, body, args.get("value"))?;
    let follower = args.text("follower")? == "ON";
    add(session, body, LoadKind::Pressure { surface, value, follower })
}

/// A unit vector along an argument.
pub fn direction(args: &Args, name: &str) -> Result<Vec3, Fault> {
    unit_along(&args.vec3(name)?)
        .ok_or_else(|| Fault::value(format!("{name}: is (0, 0, 0); give a vector that is not zero")))
}

/// Warns of a point that acts on a body of finite elements from outside of its mesh.
pub fn warn_outside(session: &mut Session, body: Handle, point: &Vec3) -> Result<(), Fault> {
    let domain = session.domain(body)?;
    let row = domain.body(body)?;
    let model = domain.model_of(row);
    if domain.reads() || row.kind.moves_all_places() || holds(model, row, point) {
        return Ok(());
    }
    let [x, y, z] = [point.x, point.y, point.z].map(number);
    let text = format!(
        "the point ({x}, {y}, {z}) is {} m outside of the mesh of {} and carried by its nearest element, as far as \
         that goes on; give a point of the reference configuration in the mesh",
        number(rounded(distance_from(model, row, point), 3)),
        row.title()
    );
    session.warn("point", &text);
    Ok(())
}

fn check_body(session: &mut Session, body: Handle) -> Result<(), Fault> {
    if session.domain(body)?.body(body)?.kind == BodyKind::Obstacle {
        return Err(Fault::value("body: is an OBSTACLE, which takes no loads; give another body"));
    }
    Ok(())
}

/// Pressure needs one mesh with such a surface.
fn check_surface(session: &mut Session, body: Handle, surface: i32) -> Result<(), Fault> {
    let domain = session.domain(body)?;
    let shapes: Vec<_> = domain.model.shapes_of(domain.body(body)?).collect();
    let single = Fault::value("body: is not a single MESH; pressure acts on such bodies only");
    let [shape] = &shapes[..] else { return Err(single) };
    let Some(mesh) = shape.geometry.mesh() else { return Err(single) };
    if surface == ANY || mesh.boundary.iter().any(|face| face.surfid == surface) {
        return Ok(());
    }
    let known = shape.geometry.surfaces();
    let shown: Vec<String> = known.iter().take(8).map(i32::to_string).collect();
    let more = if known.len() > 8 { ", ..." } else { "" };
    Err(Fault::value(format!("surfid: no face has the id {surface}; its ids are {}{more}", shown.join(", "))))
}

fn add(session: &mut Session, body: Handle, kind: LoadKind) -> Result<Value, Fault> {
    let line = session.place.line;
    let domain = session.domain(body)?;
    domain.apply(domain.model.new_load(LoadRow { kind, body: body.key[1], line }))?;
    Ok(Value::None)
}
