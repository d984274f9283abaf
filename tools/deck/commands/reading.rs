//! Moving through stored frames, and questions about the present state.

use solfec::math::Vec3;
use solfec::query::{nearest, BodyView, Point, TIME_TOLERANCE};

use super::bodies::BODY_ARG;
use super::domain::SOLFEC_ARG;
use crate::deck::args::Args;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::snapshots::{deliver, sample_frame};
use crate::deck::stored::Stored;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] =
    &[&SEEK, &FORWARD, &BACKWARD, &DURATION, &DISPLACEMENT, &VELOCITY, &STRESS, &ENERGY, &TIMING, &LOCDYN_DUMP];

const POINT: Arg = Arg::new("point", Kind::Vector(3), "point of the reference configuration").unit("m");
const STEPS: Arg = Arg::new("steps", Kind::COUNT, "number of frames");

static SEEK: Command = Command {
    name: "SEEK",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("time", Kind::NUMBER, "time of a frame").unit("s"),
        Arg::new(
            "mode",
            Kind::Choice(&["nearest", "floor", "ceil"]),
            "the nearest frame (of two, the earlier), the last one not after the time, or the first one not before \
             it",
        )
        .or(Default::Text("nearest")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "READ: loads the frame nearest to a time. WRITE: does nothing.",
    run: |session, args| {
        let (time, mode) = (args.real("time")?, args.text("mode")?);
        let Some(stored) = session.reading(args.handle("solfec")?)? else { return Ok(Value::None) };
        let frame = frame_of(stored, time, mode)?;
        stored.show(frame).map(|()| Value::None)
    },
};

static FORWARD: Command = Command {
    name: "FORWARD",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        STEPS,
        Arg::new("corotated_displacements", Kind::Choice(&["TRUE", "FALSE"]), "sample co-rotated displacements")
            .or(Default::Text("FALSE")),
    ],
    returns: "None",
    modes: Modes::Both,
    doc: "READ: moves forward by some frames, at most to the last; as the first reading command it only loads the \
          first frame. WRITE: does nothing.",
    run: |session, args| {
        let sampling = args.text("corotated_displacements")? == "TRUE" && !session.samplers.is_empty();
        if !sampling {
            return go(session, args, |now, steps, last| now.saturating_add(steps).min(last));
        }
        let solfec = args.handle("solfec")?;
        let mut samplers = std::mem::take(&mut session.samplers);
        let outcome = visit(session, args, &mut |stored| {
            if let Some(frame) = stored.frame() {
                sample_frame(&mut samplers, solfec.key[0] as usize, &stored.model, frame);
            }
        });
        session.samplers = samplers;
        outcome.map(|()| deliver(&mut session.samplers))
    },
};

static BACKWARD: Command = Command {
    name: "BACKWARD",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, STEPS],
    returns: "None",
    modes: Modes::Both,
    doc: "READ: moves back by some frames, at most to the first; as the first reading command it only loads that \
         frame. WRITE: does nothing.",
    run: |session, args| go(session, args, |now, steps, _| now.saturating_sub(steps)),
};

static DURATION: Command = Command {
    name: "DURATION",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG],
    returns: "WRITE: the current time; READ: the tuple (time of the first frame, time of the last frame)",
    modes: Modes::Both,
    doc: "Time reached by a simulation. READ: loads the first frame if none is loaded.",
    run: |session, args| {
        let solfec = args.handle("solfec")?;
        if let Some(stored) = session.reading(solfec)? {
            stored.wake()?;
            let times = stored.times()?;
            return Ok(Value::tuple([times[0], times[times.len() - 1]]));
        }
        Ok(Value::Real(session.now(solfec, "the time")?.time()?))
    },
};

static DISPLACEMENT: Command = Command {
    name: "DISPLACEMENT",
    chapter: Chapter::Control,
    args: &[BODY_ARG, POINT],
    returns: "(dx, dy, dz)",
    modes: Modes::Both,
    doc: "Displacement of a point of a body from its reference position. NaN with a warning at a point outside of a \
          body of finite elements. READ: NaN when the body is not in the frame.",
    run: |session, args| at_point(session, args, |body, x| body.displacement(x)),
};

static VELOCITY: Command = Command {
    name: "VELOCITY",
    chapter: Chapter::Control,
    args: &[BODY_ARG, POINT],
    returns: "(vx, vy, vz)",
    modes: Modes::Both,
    doc:
        "Velocity of a point of a body. NaN with a warning at a point outside of a body of finite elements. READ: NaN \
          when the body is not in the frame.",
    run: |session, args| at_point(session, args, |body, x| body.velocity(x)),
};

static STRESS: Command = Command {
    name: "STRESS",
    chapter: Chapter::Control,
    args: &[BODY_ARG, POINT],
    returns: "(sx, sy, sz, sxy, sxz, syz, mises)",
    modes: Modes::Both,
    doc: "Cauchy stress at a point of a body, in spatial axes, and the von Mises stress [Pa]; zero for RIGID and \
          OBSTACLE. NaN with a warning at a point outside of a body of finite elements. READ: NaN when the body is not \
          in the frame.",
    run: |session, args| {
        let (body, x) = (args.handle("body")?, args.vec3("point")?);
        if is_unknown(session, body, &x)? {
            return Ok(Value::tuple([f64::NAN; 7]));
        }
        let stress = session.now(body, "the stress of a body")?.stress(body.key[1], &Point::new(x))?;
        Ok(Value::tuple(stress.unwrap_or([f64::NAN; 7])))
    },
};

static ENERGY: Command = Command {
    name: "ENERGY",
    chapter: Chapter::Control,
    args: &[
        Arg { kind: Kind::Object(&["SOLFEC", "BODY"]), ..SOLFEC_ARG },
        Arg::new("object", Kind::Anything, "a body of it, a list of its bodies, or itself")
            .or(Default::Absent("all bodies")),
    ],
    returns: "(kinetic, internal, external, contact, friction), a named tuple with the additional attribute \
              dissipated",
    modes: Modes::Both,
    doc: "Energies of bodies. 'external' is the work of all loads and reactions; 'contact' and 'friction' are parts \
         of it, but for contacts with moving obstacles, where they are the work of the relative motion. \
         Bodies that do not exist add nothing.",
    run: energy,
};

/// Names of phases whose time is kept; the last two have none in a run of one rank without caches.
const PHASES: [&str; 6] = ["TIMINT", "CONDET", "LOCDYN", "CONSOL", "CONUPD", "PARBAL"];

static TIMING: Command = Command {
    name: "TIMING",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new(
            "kind",
            Kind::Choice(&PHASES),
            "time integration, contact detection, local dynamics, constraint solution; contact update and parallel \
             balancing are parts of others and are 0",
        ),
    ],
    returns: "seconds",
    modes: Modes::Both,
    doc: "Wall-clock time spent in a phase since the last frame. READ: between the previous frame and this one.",
    run: timing,
};

static LOCDYN_DUMP: Command = Command {
    name: "LOCDYN_DUMP",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, Arg::new("path", Kind::Text, "file to write")],
    returns: "None",
    modes: Modes::WriteOnly,
    doc: "Writes the local dynamics of the last step in FCLIB form, for sf-locdyn-compare and other programs (the \
        original \
          wrote text).",
    run: |session, args| {
        if !session.is_live() {
            return Err(Fault::live("needs live execution"));
        }
        let path = std::path::PathBuf::from(args.text("path")?);
        let Some(step) = session.local_dynamics(args.handle("solfec")?)? else {
            return Err(Fault::runtime("there are no local dynamics before the first RUN"));
        };
        solfec_formats::fclib::write(&path, &step, &[]).map_err(|error| match error {
            solfec_formats::Error::Io(text) | solfec_formats::Error::Full(text) => Fault::new(FaultKind::System, text),
            solfec_formats::Error::Format(text) => Fault::value(text),
        })?;
        Ok(Value::None)
    },
};

/// Position of the frame that a time names.
fn frame_of(stored: &Stored, time: f64, mode: &str) -> Result<usize, Fault> {
    let times = stored.times()?;
    let last = times.len() - 1;
    let slack = TIME_TOLERANCE * stored.model.step;
    Ok(match mode {
        "floor" => times.partition_point(|&t| t <= time + slack).saturating_sub(1),
        "ceil" => times.partition_point(|&t| t < time - slack).min(last),
        _ => nearest(times, time, stored.model.step).unwrap_or(0),
    })
}

/// Moves by frames, from the present one.
fn go(session: &mut Session, args: &Args, to: impl Fn(usize, usize, usize) -> usize) -> Result<Value, Fault> {
    let steps = args.count("steps")? as usize;
    let Some(stored) = session.reading(args.handle("solfec")?)? else { return Ok(Value::None) };
    if stored.wake()? {
        return Ok(Value::None);
    }
    let last = stored.times()?.len() - 1;
    let now = stored.current.as_ref().map_or(0, |(now, _)| *now);
    stored.show(to(now, steps, last)).map(|()| Value::None)
}

/// Moves forward frame by frame.
fn visit(session: &mut Session, args: &Args, see: &mut dyn FnMut(&Stored)) -> Result<(), Fault> {
    for _ in 0..args.count("steps")? {
        let Some(stored) = session.reading(args.handle("solfec")?)? else { return Ok(()) };
        if !stored.wake()? {
            let last = stored.times()?.len() - 1;
            let now = stored.current.as_ref().map_or(0, |(now, _)| *now);
            if now == last {
                return Ok(());
            }
            stored.show(now + 1)?;
            see(stored);
        } else {
            // The first reading command only loads the first frame.
            see(stored);
            return Ok(());
        }
    }
    Ok(())
}

fn at_point(session: &mut Session, args: &Args, ask: impl Fn(&BodyView, &Point) -> Vec3) -> Result<Value, Fault> {
    let (body, x) = (args.handle("body")?, args.vec3("point")?);
    if is_unknown(session, body, &x)? {
        return Ok(Value::tuple([f64::NAN; 3]));
    }
    let vector = session.now(body, "the motion of a body")?.body(body.key[1], |view| ask(view, &Point::new(x)))?;
    Ok(Value::tuple(vector.unwrap_or(Vec3::repeat(f64::NAN)).iter().copied()))
}

/// Whether nothing is known at a reference point because the mesh of the body ends before it; said once for each body.
fn is_unknown(session: &mut Session, body: Handle, x: &Vec3) -> Result<bool, Fault> {
    let Some(text) = session.now(body, "a point of a body")?.outside(body.key[1], x)? else { return Ok(false) };
    if session.told_outside.insert(body.key) {
        session.warn("point", &text);
    }
    Ok(true)
}

fn energy(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    if solfec.class == "BODY" {
        return Err(Fault::wrong_type("solfec: is a BODY; name its SOLFEC object first: ENERGY (solfec, body)"));
    }
    let bodies = match args.get("object") {
        Value::Handle(body) if body.class == "BODY" => Some(vec![body_of(solfec, args.get("object"))?]),
        Value::List(items) => {
            Some(items.iter().map(|item| body_of(solfec, item)).collect::<Result<Vec<u64>, Fault>>()?)
        }
        Value::None => None,
        Value::Handle(other) if other.class == "SOLFEC" => None,
        other => return Err(Fault::wrong_type(format!("object: is {}; give bodies", other.describe()))),
    };
    let energies = session.now(solfec, "the energies")?.energies(bodies.as_deref())?;
    let names = &["kinetic", "internal", "external", "contact", "friction"];
    Ok(Value::Named { names, items: energies[..5].to_vec(), more: ("dissipated", energies[5]) })
}

/// Id of a body of this SOLFEC object.
fn body_of(solfec: Handle, value: &Value) -> Result<u64, Fault> {
    match value {
        Value::Handle(body) if body.class == "BODY" && body.key[0] == solfec.key[0] => Ok(body.key[1]),
        Value::Handle(body) if body.class == "BODY" => {
            Err(Fault::value("object: a body belongs to another SOLFEC object; name its own"))
        }
        other => Err(Fault::wrong_type(format!("object: holds {}; give bodies", other.describe()))),
    }
}

fn timing(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (solfec, kind) = (args.handle("solfec")?, args.text("kind")?);
    if !session.domain(solfec)?.reads() {
        return Ok(Value::Real(session.seconds(solfec, kind)?.unwrap_or(0.0)));
    }
    let Some(stored) = session.reading(solfec)? else { return Ok(Value::Real(0.0)) };
    let Some(frame) = stored.current.as_ref().map(|(k, _)| *k) else { return Ok(Value::Real(0.0)) };
    let timing = stored.timing()?;
    let phase = timing.name.iter().position(|name| name == kind);
    let seconds = phase.and_then(|phase| timing.frame.get(frame)?.get(phase));
    Ok(Value::Real(seconds.copied().unwrap_or(0.0)))
}
