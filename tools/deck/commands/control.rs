//! Run control.

use solfec::model::{Auto, FunctionKind, Op, SolverSettings, CONTACT_POINTS as CONTACT_POINTS_LIMIT};

use super::domain::SOLFEC_ARG;
use super::functions;
use super::solver_objects::solver;
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[
    &RUN,
    &OUTPUT,
    &CALLBACK,
    &REGISTER_CALLBACK,
    &EXTENTS,
    &UNPHYSICAL_PENETRATION,
    &GEOMETRIC_EPSILON,
    &CONTACT_POINTS,
    &CONTACT_SPARSIFY,
    &CONTACT_EXCLUDE_BODIES,
    &CONTACT_EXCLUDE_SURFACES,
    &CONTACT_EXCLUDE_OBJECTS,
    &WARNINGS,
];

static RUN: Command = Command {
    name: "RUN",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("solver", Kind::Solver, "how the constraints are solved"),
        Arg::new("duration", Kind::POSITIVE, "time to advance").unit("s"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Runs the simulation. Later changes by the deck take effect from the end of this run. READ: does not run; \
          bodies that the deck makes afterwards correspond to those made after the stored run.",
    run: |session, args| {
        let (solfec, handle) = (args.handle("solfec")?, args.maybe_handle("solver"));
        let solver = match handle {
            Some(handle) => solver(session, handle)?.clone(),
            None => SolverSettings::Auto(Auto::default()).into(),
        };
        if let Some(function) = solver.callback {
            functions::enter(session, solfec, function)?;
        }
        let duration = args.real("duration")?;
        let step = session.domain(solfec)?.in_force.step;
        if duration < step {
            let text = format!(
                "duration {duration} s is less than the step of SOLFEC, {step} s: one step is made at most, unless \
                 it is lowered for stability"
            );
            session.warn("ignored", &text);
        }
        session.run(solfec, solver, handle, duration)?;
        Ok(Value::None)
    },
};

/// Level of compression of OUTPUT with compression 'ON'.
const GZIP: u8 = 1;

static OUTPUT: Command = Command {
    name: "OUTPUT",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("interval", Kind::NOT_NEGATIVE, "time between frames; 0: every step").unit("s"),
        Arg::new("compression", Kind::Choice(&["OFF", "ON", "FASTLZ"]), "compression of the results")
            .or(Default::Text("OFF")),
        Arg::new("precision", Kind::Choice(&["DOUBLE", "SINGLE"]), "of the numbers of bodies and constraints")
            .or(Default::Text("DOUBLE")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Stores a frame at each interval from now on. With 'SINGLE' results take half the room and numbers have seven digits: \
          enough for pictures, too few for displacements much smaller than coordinates. Computation and checkpoints are in \
          double precision in any case. READ: the interval is compared with that of the results at the next RUN.",
    run: |session, args| {
        let compress = if args.text("compression")? == "OFF" { 0 } else { GZIP };
        let single = args.text("precision")? == "SINGLE";
        let interval = args.real("interval")?;
        record(session, args, Op::Output { interval, compress, single })
    },
};

static CALLBACK: Command = Command {
    name: "CALLBACK",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("interval", Kind::POSITIVE, "time between calls").unit("s"),
        Arg::new(
            "data",
            Kind::Data { last: false },
            "arguments of the function: a tuple is unpacked, () means no argument, None is one argument",
        ),
        Arg::new("callback", Kind::Function, "function"),
    ],
    returns: "None",
    modes: Modes::WriteOnly,
    doc: "Calls a function during RUN: after the first step, then at each interval. RUN ends when it returns 0. \
          Another CALLBACK of the object takes its place.",
    run: |session, args| {
        let solfec = args.handle("solfec")?;
        let interval = args.real("interval")?;
        if functions::dropped(session, args.get("callback")) {
            return Ok(Value::None);
        }
        let function = functions::take_for(session, solfec, args.get("callback"), FunctionKind::Callback)?;
        session.domain(solfec)?.apply(Op::Callback { interval, function: Some(function) })?;
        Ok(Value::None)
    },
};

static REGISTER_CALLBACK: Command = Command {
    name: "REGISTER_CALLBACK",
    chapter: Chapter::Control,
    args: &[
        Arg::new("callback", Kind::Anything, "function"),
        Arg::new("data", Kind::Anything, "its arguments").or(Default::Absent("none")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Functions need no registration: does nothing.",
    run: |_, _| Ok(Value::None),
};

static EXTENTS: Command = Command {
    name: "EXTENTS",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, Arg::new("extents", Kind::Vector(6), "xmin, ymin, zmin, xmax, ymax, zmax").unit("m")],
    returns: "None",
    modes: Modes::WriteOnly,
    doc: "Removes bodies that are completely outside a box.",
    run: extents,
};

static UNPHYSICAL_PENETRATION: Command = Command {
    name: "UNPHYSICAL_PENETRATION",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, Arg::new("depth", Kind::POSITIVE, "depth of an overlap").unit("m")],
    returns: "None",
    modes: Modes::WriteOnly,
    doc: "Stops the run with PenetrationError when an overlap reaches this depth.",
    run: |session, args| {
        let depth = args.real("depth")?;
        record(session, args, Op::UnphysicalPenetration { depth })
    },
};

static GEOMETRIC_EPSILON: Command = Command {
    name: "GEOMETRIC_EPSILON",
    chapter: Chapter::Control,
    args: &[Arg::new("epsilon", Kind::POSITIVE, "distance below which points coincide").unit("m")],
    returns: "None",
    modes: Modes::Both,
    doc:
        "Geometric tolerance of all SOLFEC objects; 1e-6 by default. Contact points keep the smallest distance of the \
          time at which SOLFEC was called, as in Solfec-1.0; CONTACT_SPARSIFY sets it.",
    run: |session, args| {
        let value = args.real("epsilon")?;
        session.awaken_all()?;
        session.epsilon = value;
        let mut domains = session.domains.iter_mut();
        domains.try_for_each(|d| d.apply(Op::GeometricEpsilon { value }))?;
        Ok(Value::None)
    },
};

static CONTACT_POINTS: Command = Command {
    name: "CONTACT_POINTS",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new(
            "number",
            Kind::Integer { min: 1, max: CONTACT_POINTS_LIMIT as i64 },
            "most points of a pair of faces",
        ),
    ],
    returns: "None",
    modes: Modes::Both,
    doc:
        "Contact points where two plane faces meet: 1, as in Solfec-1.0 and by default, is amid the shared area, and a \
          brick of one convex part can tip about it; 4 are at the corners of the shared area, and bricks rest.",
    run: |session, args| {
        let number = args.count("number")?;
        record(session, args, Op::ContactPoints { number })
    },
};

/// Words of CONTACT_SPARSIFY(area=).
const AREAS: &[&str] = &["HALF_SURFACE", "PROJECTED"];

static CONTACT_SPARSIFY: Command = Command {
    name: "CONTACT_SPARSIFY",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("threshold", Kind::FRACTION, "fraction of a neighbour's area below which a contact is dropped")
            .or(Default::Number(0.01)),
        Arg::new("minarea", Kind::NOT_NEGATIVE, "smallest area of a contact").unit("m2").or(Default::Number(0.0)),
        Arg::new("mindist", Kind::NOT_NEGATIVE, "smallest distance of contact points")
            .unit("m")
            .or(Default::Absent("the present geometric epsilon")),
        Arg::new("area", Kind::Choice(AREAS), "area of contacts: half the surface of the overlap, or its projection")
            .or(Default::Text("HALF_SURFACE")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Drops small contacts beside large ones.",
    run: |session, args| {
        let mindist = args.maybe_real("mindist").unwrap_or(session.epsilon);
        let (threshold, minarea) = (args.real("threshold")?, args.real("minarea")?);
        let projected = args.text("area")? == "PROJECTED";
        let op = Op::ContactSparsify { threshold, minarea, mindist, projected };
        record(session, args, op)
    },
};

static CONTACT_EXCLUDE_BODIES: Command = Command {
    name: "CONTACT_EXCLUDE_BODIES",
    chapter: Chapter::Control,
    args: &[
        Arg::new("body1", Kind::Object(&["BODY"]), "body"),
        Arg::new("body2", Kind::Object(&["BODY"]), "body of the same SOLFEC object"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Two bodies never touch.",
    run: exclude_bodies,
};

static CONTACT_EXCLUDE_SURFACES: Command = Command {
    name: "CONTACT_EXCLUDE_SURFACES",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, Arg::new("surf1", Kind::ID, "surface id"), Arg::new("surf2", Kind::ID, "surface id")],
    returns: "None",
    modes: Modes::Both,
    doc: "Two surfaces never touch.",
    run: |session, args| {
        let surfaces = [args.id("surf1")?, args.id("surf2")?];
        record(session, args, Op::ContactExcludeSurfaces { surfaces })
    },
};

static CONTACT_EXCLUDE_OBJECTS: Command = Command {
    name: "CONTACT_EXCLUDE_OBJECTS",
    chapter: Chapter::Control,
    args: &[
        Arg::new("body1", Kind::Object(&["BODY"]), "body"),
        Arg::new("object1", Kind::ID, "number of a convex part of body1, from 0: parts that can touch, in the order of \
                  shapes and elements"),
        Arg::new("body2", Kind::Object(&["BODY"]), "body of the same SOLFEC object, or the same body"),
        Arg::new("object2", Kind::ID, "number of a convex part of body2"),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "Two convex parts of bodies never touch: a sphere, an ellipsoid, a polyhedron of a CONVEX, an element of a mesh \
          with a face on its boundary.",
    run: exclude_objects,
};

static WARNINGS: Command = Command {
    name: "WARNINGS",
    chapter: Chapter::Control,
    args: &[Arg::new("state", Kind::Switch, "whether commands warn")],
    returns: "None",
    modes: Modes::Both,
    doc: "Warnings of commands; 'ON' before the first call.",
    run: |session, args| {
        session.warnings = *args.get("state") == Value::Bool(true);
        Ok(Value::None)
    },
};

/// Records an operation of the argument `solfec`.
fn record(session: &mut Session, args: &Args, op: Op) -> Result<Value, Fault> {
    session.domain(args.handle("solfec")?)?.apply(op)?;
    Ok(Value::None)
}

fn extents(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let bounds: [f64; 6] = args.array("extents")?;
    if (0..3).any(|i| bounds[i] >= bounds[i + 3]) {
        return Err(Fault::value(
            "extents: a least coordinate is not below its largest; give xmin, ymin, zmin, xmax, ymax, zmax",
        ));
    }
    record(session, args, Op::Extents { bounds })
}

fn exclude_objects(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (one, two) = (args.handle("body1")?, args.handle("body2")?);
    if one.key[0] != two.key[0] {
        return Err(Fault::value("body2 belongs to another SOLFEC object; give two bodies of one object"));
    }
    let ends = [(one, "object1"), (two, "object2")];
    let mut objects = [0; 2];
    for (object, (body, name)) in objects.iter_mut().zip(ends) {
        let domain = session.domain(body)?;
        let rows = domain.body(body)?.shapes.clone();
        let shapes = &domain.model.shapes[rows.start as usize..rows.end as usize];
        let count: usize = shapes.iter().map(|row| domain.model.library[row.geometry as usize].part_count()).sum();
        let given = args.int(name)?;
        let known = u32::try_from(given).ok().filter(|&given| (given as usize) < count);
        *object = known.ok_or_else(|| {
            Fault::value(format!("{name}: is {given}, but body {} has the objects 0 to {}", body.key[1], count - 1))
        })?;
    }
    if one.key[1] == two.key[1] && objects[0] == objects[1] {
        return Err(Fault::value("object2: is object1 of the same body; give two objects"));
    }
    let bodies = [one.key[1], two.key[1]];
    session.domain(one)?.apply(Op::ContactExcludeObjects { bodies, objects })?;
    Ok(Value::None)
}

fn exclude_bodies(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (one, two) = (args.handle("body1")?, args.handle("body2")?);
    if one.key[0] != two.key[0] {
        return Err(Fault::value("body2 belongs to another SOLFEC object; give two bodies of one object"));
    }
    let bodies = [one.key[1].min(two.key[1]), one.key[1].max(two.key[1])];
    session.domain(one)?.apply(Op::ContactExcludeBodies { bodies })?;
    Ok(Value::None)
}
