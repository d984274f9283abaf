//! User constraints (docs/theory.md 8).

use solfec::ids::CatalogueRow;
use solfec::math::{Mat3, Vec3};
use solfec::model::{Analysis, BodyKind, ConstraintRow, Joint, Prescribed, SpringAxis, SpringLaw};
use solfec::query::described_point;

use super::bodies::BODY_ARG;
use super::functions::{self, Spring};
use super::loads::{direction, warn_outside};
use super::series::{series_row, three_rows};
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::tabulate::Tabulate;
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[
    &FIX_POINT,
    &FIX_DIRECTION,
    &SET_DISPLACEMENT,
    &SET_VELOCITY,
    &SET_ACCELERATION,
    &SET_DISPLACEMENT3,
    &SET_VELOCITY3,
    &SET_ACCELERATION3,
    &PUT_RIGID_LINK,
    &PUT_SPRING,
];

const RETURNS: &str = "a CONSTRAINT";
const POINT: Arg = Arg::new(
    "point",
    Kind::Vector(3),
    "point in the reference configuration; outside of the mesh of finite elements as in FORCE",
)
.unit("m");
const POINT1: Arg = Arg::new("point1", Kind::Vector(3), "point of body1 in the reference configuration").unit("m");
const POINT2: Arg = Arg::new("point2", Kind::Vector(3), "point of body2 in the reference configuration").unit("m");
const DIRECTION: Arg = Arg::new("direction", Kind::Vector(3), "direction in space; its length does not matter");
const BASE: Arg = Arg::new("base", Kind::Vector(9), "three orthogonal unit vectors, one after another");
const THREE: Arg = Arg::new("tms", Kind::ThreeSeries, "series along the three vectors");
const STRENGTH: Arg = Arg::new("strength", Kind::STRENGTH, "largest reaction").unit("N");

static FIX_POINT: Command = Command {
    name: "FIX_POINT",
    chapter: Chapter::Constraints,
    args: &[BODY_ARG, POINT, STRENGTH.or(Default::Number(f64::INFINITY))],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Holds a point of a body. It breaks at the end of a step in which the reaction exceeds the strength.",
    run: |session, args| {
        let joint = Joint::FixPoint { strength: args.real("strength")? };
        one_body(session, args, joint)
    },
};

static FIX_DIRECTION: Command = Command {
    name: "FIX_DIRECTION",
    chapter: Chapter::Constraints,
    args: &[
        BODY_ARG,
        POINT,
        DIRECTION,
        Arg::new("body2", Kind::Object(&["BODY"]), "another body").or(Default::Absent("none")),
        POINT2.or(Default::Absent("none")),
    ],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Holds a point of a body along a direction fixed in space, or point2 of body2 along a direction that moves \
          with body.",
    run: fix_direction,
};

static SET_DISPLACEMENT: Command = Command {
    name: "SET_DISPLACEMENT",
    chapter: Chapter::Constraints,
    args: &[BODY_ARG, POINT, DIRECTION, Arg::new("tms", Kind::Object(&["TIME_SERIES"]), "displacement").unit("m")],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Prescribes the displacement of a point along a direction fixed in space.",
    run: |session, args| drive(session, args, Prescribed::Displacement, "tms"),
};

static SET_VELOCITY: Command = Command {
    name: "SET_VELOCITY",
    chapter: Chapter::Constraints,
    args: &[BODY_ARG, POINT, DIRECTION, Arg::new("value", Kind::Series, "velocity").unit("m/s")],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Prescribes the velocity of a point along a direction fixed in space.",
    run: |session, args| drive(session, args, Prescribed::Velocity, "value"),
};

static SET_ACCELERATION: Command = Command {
    name: "SET_ACCELERATION",
    chapter: Chapter::Constraints,
    args: &[BODY_ARG, POINT, DIRECTION, Arg::new("tms", Kind::Object(&["TIME_SERIES"]), "acceleration").unit("m/s2")],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Prescribes the acceleration of a point along a direction fixed in space, from rest at the first time of the \
        series. An obstacle that is driven beside its mass centre may turn; drive a shaking table at body.center.",
    run: |session, args| drive(session, args, Prescribed::Acceleration, "tms"),
};

static SET_DISPLACEMENT3: Command = Command {
    name: "SET_DISPLACEMENT3",
    chapter: Chapter::Constraints,
    args: &[BODY_ARG, POINT, BASE, THREE.unit("m")],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Prescribes the displacement of a point along three directions.",
    run: |session, args| drive3(session, args, Prescribed::Displacement),
};

static SET_VELOCITY3: Command = Command {
    name: "SET_VELOCITY3",
    chapter: Chapter::Constraints,
    args: &[BODY_ARG, POINT, BASE, THREE.unit("m/s")],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Prescribes the velocity of a point along three directions.",
    run: |session, args| drive3(session, args, Prescribed::Velocity),
};

static SET_ACCELERATION3: Command = Command {
    name: "SET_ACCELERATION3",
    chapter: Chapter::Constraints,
    args: &[BODY_ARG, POINT, BASE, THREE.unit("m/s2")],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Prescribes the acceleration of a point along three directions.",
    run: |session, args| drive3(session, args, Prescribed::Acceleration),
};

static PUT_RIGID_LINK: Command = Command {
    name: "PUT_RIGID_LINK",
    chapter: Chapter::Constraints,
    args: &[
        Arg::new("body1", Kind::ObjectOrNone("BODY"), "body; None: point1 is fixed in space"),
        Arg::new("body2", Kind::ObjectOrNone("BODY"), "body; None: point2 is fixed in space"),
        POINT1,
        POINT2,
        STRENGTH.or(Default::Number(f64::INFINITY)),
    ],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "Keeps the distance between two points constant. It breaks at the end of a step in which the tension \
          exceeds the strength. Coincident points are glued together, and the strength then limits the whole \
          reaction.",
    run: rigid_link,
};

static PUT_SPRING: Command = Command {
    name: "PUT_SPRING",
    chapter: Chapter::Constraints,
    args: &[
        Arg::new("body1", Kind::Object(&["BODY"]), "body"),
        POINT1,
        Arg::new("body2", Kind::Object(&["BODY"]), "another body"),
        POINT2,
        Arg::new(
            "function",
            Kind::Law,
            "force of (stroke, velocity), positive pushes apart; (k, c) is -k stroke - c \
            velocity",
        )
        .unit("N"),
        Arg::new("limits", Kind::Limits, "least and largest stroke").unit("m"),
        DIRECTION.or(Default::Absent("from point1 to point2, updated in every step")),
        Arg::new(
            "update",
            Kind::Choice(&["FIXED", "CONV1", "CONV2"]),
            "whether the direction is fixed or moves with \
            body1 or body2",
        )
        .or(Default::Absent("'FIXED'")),
    ],
    returns: RETURNS,
    modes: Modes::Both,
    doc: "A spring between two points. Its stroke is their distance along the direction from body1 to body2, minus \
          the initial one.",
    run: spring,
};

fn fix_direction(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    let joint = Joint::FixDirection { direction: direction(args, "direction")? };
    let point = args.vec3("point")?;
    match (args.maybe_handle("body2"), args.given("point2")) {
        (None, false) => add(session, body, None, joint, [point; 2]),
        (Some(other), true) => {
            check_pair(session, body, other, ["body", "body2"])?;
            add(session, body, Some(other), joint, [point, args.vec3("point2")?])
        }
        _ => Err(Fault::value("body2 and point2 belong together; give both or none")),
    }
}

fn drive(session: &mut Session, args: &Args, what: Prescribed, value: &str) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    check_driven(session, body, what)?;
    let direction = direction(args, "direction")?;
    let series = series_row(session, body, args.get(value))?;
    one_body(session, args, Joint::Drive { what, direction, series })
}

fn drive3(session: &mut Session, args: &Args, what: Prescribed) -> Result<Value, Fault> {
    let body = args.handle("body")?;
    check_driven(session, body, what)?;
    let base = orthonormal(&Mat3::from_column_slice(&args.array::<9>("base")?))?;
    let series = three_rows(session, body, args.get("tms"))?;
    one_body(session, args, Joint::Drive3 { what, base, series })
}

fn rigid_link(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let strength = args.real("strength")?;
    let (point1, point2) = (args.vec3("point1")?, args.vec3("point2")?);
    let (master, slave, first, second) = match (args.maybe_handle("body1"), args.maybe_handle("body2")) {
        (Some(one), Some(two)) => {
            check_pair(session, one, two, ["body1", "body2"])?;
            (one, Some(two), point1, point2)
        }
        (Some(one), None) => (one, None, point1, point2),
        (None, Some(two)) => (two, None, point2, point1),
        (None, None) => return Err(Fault::value("body1 and body2 are both None; give at least one body")),
    };
    let from = place(session, master, &first)?;
    let to = match slave {
        Some(slave) => place(session, slave, &second)?,
        None => second,
    };
    // Once bodies have moved the core decides at their real places, so that recorded and live runs agree.
    let moved = session.domain(master)?.has_run();
    match (!moved && (to - from).norm() <= session.epsilon, slave) {
        (false, _) => add(session, master, slave, Joint::RigidLink { strength }, [first, second]),
        (true, Some(_)) => add(session, master, slave, Joint::FixPoint { strength }, [first, second]),
        (true, None) => add(session, master, None, Joint::FixPoint { strength }, [first; 2]),
    }
}

fn spring(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (one, two) = (args.handle("body1")?, args.handle("body2")?);
    check_pair(session, one, two, ["body1", "body2"])?;
    let axis = match (args.given("direction"), args.maybe_text("update")) {
        (false, None) => SpringAxis::Follow,
        (false, Some(_)) => return Err(Fault::value("update: needs a direction; give both or none")),
        (true, Some("CONV1")) => SpringAxis::Master(direction(args, "direction")?),
        (true, Some("CONV2")) => SpringAxis::Slave(direction(args, "direction")?),
        (true, _) => SpringAxis::Fixed(direction(args, "direction")?),
    };
    let limits = args.array("limits")?;
    let points = [args.vec3("point1")?, args.vec3("point2")?];
    let law = match args.get("function") {
        Value::Reals(pair) if pair.len() == 2 => SpringLaw::Linear { stiffness: pair[0], damping: pair[1] },
        series @ Value::Handle(_) => SpringLaw::Table { series: series_row(session, one, series)? },
        function => match functions::spring_law(session, one, function, limits)? {
            Spring::Law(law) => law,
            Spring::Tabulated { function, points: count } => {
                warn_outside(session, one, &points[0])?;
                warn_outside(session, two, &points[1])?;
                let (bodies, line) = ([one, two], session.place.line);
                session.tabulate = Some(Tabulate { bodies, points, axis, limits, line, function, count });
                return Ok(Value::None);
            }
        },
    };
    add(session, one, Some(two), Joint::Spring { law, axis, limits }, points)
}

/// A constraint of the arguments `body` and `point`.
fn one_body(session: &mut Session, args: &Args, joint: Joint) -> Result<Value, Fault> {
    let point = args.vec3("point")?;
    add(session, args.handle("body")?, None, joint, [point; 2])
}

fn add(
    session: &mut Session,
    master: Handle,
    slave: Option<Handle>,
    joint: Joint,
    points: [Vec3; 2],
) -> Result<Value, Fault> {
    warn_outside(session, master, &points[0])?;
    if let Some(slave) = slave {
        warn_outside(session, slave, &points[1])?;
    }
    let line = session.place.line;
    let domain = session.domain(master)?;
    let row = domain.model.constraints.len() as u64;
    let slave = slave.map(|body| body.key[1]);
    domain.apply(domain.model.new_constraint(ConstraintRow { joint, master: master.key[1], slave, points, line }))?;
    Ok(Value::Handle(Handle { class: "CONSTRAINT", key: [master.key[0], row] }))
}

/// Two bodies of one constraint.
fn check_pair(session: &mut Session, one: Handle, two: Handle, names: [&str; 2]) -> Result<(), Fault> {
    let [first, second] = names;
    if one.key[0] != two.key[0] {
        let text = format!("{second}: belongs to another SOLFEC object; give two bodies of one object");
        return Err(Fault::value(text));
    }
    if one == two {
        return Err(Fault::value(format!("{second}: is the same body as {first}; give two different bodies")));
    }
    let domain = session.domain(one)?;
    let obstacle = |body: Handle| Ok::<_, Fault>(domain.body(body)?.kind == BodyKind::Obstacle);
    if obstacle(one)? && obstacle(two)? {
        return Err(Fault::value(format!("{first} and {second} are both OBSTACLE; one must be able to yield")));
    }
    Ok(())
}

/// Obstacles of a quasi-static analysis have no velocity.
fn check_driven(session: &mut Session, body: Handle, what: Prescribed) -> Result<(), Fault> {
    let domain = session.domain(body)?;
    let obstacle = domain.body(body)?.kind == BodyKind::Obstacle;
    if obstacle && domain.model.analysis == Analysis::QuasiStatic && what != Prescribed::Displacement {
        return Err(Fault::value(
            "body: is an OBSTACLE of a quasi-static analysis; use a RIGID body, or SET_DISPLACEMENT",
        ));
    }
    Ok(())
}

/// Largest |EᵀE − I| of a base given by hand (docs/conventions.md 2).
const ORTHONORMAL: f64 = 1e-6;

/// The base made exactly orthonormal.
fn orthonormal(base: &Mat3) -> Result<Mat3, Fault> {
    let off = (base.transpose() * base - Mat3::identity()).amax();
    if off > ORTHONORMAL {
        return Err(Fault::value(format!("base: |EᵀE - I| is {off:.1e}; give three orthogonal unit vectors")));
    }
    let [a, b, c] = [0, 1, 2].map(|k| base.column(k).into_owned());
    let t1 = a.normalize();
    let t2 = (b - t1 * t1.dot(&b)).normalize();
    let n = (c - t1 * t1.dot(&c) - t2 * t2.dot(&c)).normalize();
    Ok(Mat3::from_columns(&[t1, t2, n]))
}

/// Where a reference point of a body is now. While a model is recorded, nothing moves after the first RUN.
pub(super) fn place(session: &mut Session, body: Handle, point: &Vec3) -> Result<Vec3, Fault> {
    if session.is_live() {
        if let Some(place) = session.now(body, "the place of a point")?.point(body.key[1], point)? {
            return Ok(place);
        }
    }
    let domain = session.domain(body)?;
    let model = domain.model_of(domain.body(body)?);
    let row = model.body_row(body.key[1]).map_or(CatalogueRow::NONE, |row| CatalogueRow(row as u32));
    Ok(described_point(model, row, point)?)
}
