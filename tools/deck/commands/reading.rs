//! Questions about the present state (commands-and-results.md A.9).

use solfec::body::Energies;
use solfec::math::Vec3;
use solfec::simulation::Simulation;

use super::bodies::{running, BODY_ARG};
use super::domain::SOLFEC_ARG;
use crate::deck::bind::Args;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&DURATION, &DISPLACEMENT, &VELOCITY, &ENERGY, &LOCDYN_DUMP];

const POINT: Arg = Arg::new("point", Kind::Vector(3), "point of the reference configuration").unit("m");

static DURATION: Command = Command {
    name: "DURATION",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG],
    returns: "WRITE: the current time",
    modes: Modes::Both,
    doc: "How far a simulation has come.",
    run: |session, args| {
        let solfec = args.handle("solfec")?;
        Ok(Value::Real(session.simulation(solfec, "the time")?.map_or(0.0, |s| s.time())))
    },
};

static DISPLACEMENT: Command = Command {
    name: "DISPLACEMENT",
    chapter: Chapter::Control,
    args: &[BODY_ARG, POINT],
    returns: "(dx, dy, dz)",
    modes: Modes::Both,
    doc: "Displacement of a point of a body from its reference place.",
    run: |session, args| at_point(session, args, |simulation, index, x| simulation.flow(index).point(x) - x),
};

static VELOCITY: Command = Command {
    name: "VELOCITY",
    chapter: Chapter::Control,
    args: &[BODY_ARG, POINT],
    returns: "(vx, vy, vz)",
    modes: Modes::Both,
    doc: "Velocity of a point of a body.",
    run: |session, args| at_point(session, args, |simulation, index, x| simulation.flow(index).velocity(x)),
};

static ENERGY: Command = Command {
    name: "ENERGY",
    chapter: Chapter::Control,
    args: &[
        SOLFEC_ARG,
        Arg::new("object", Kind::Anything, "a body, a list of bodies, or the SOLFEC object")
            .or(Default::Absent("all bodies")),
    ],
    returns: "(kinetic, internal, external, contact, friction), a named tuple with the further attribute dissipated",
    modes: Modes::Both,
    doc:
        "Energies of bodies; external holds the work of all loads and reactions, contact and friction are parts of it.",
    run: energy,
};

static LOCDYN_DUMP: Command = Command {
    name: "LOCDYN_DUMP",
    chapter: Chapter::Control,
    args: &[SOLFEC_ARG, Arg::new("path", Kind::Text, "file to write")],
    returns: "None",
    modes: Modes::WriteOnly,
    doc: "Writes the local dynamics of the last step in FCLIB form, for sf-locdyn-compare and other programs (the original \
          wrote text).",
    run: |session, args| {
        if !session.is_live() {
            return Err(Fault::live("needs live execution"));
        }
        let path = std::path::PathBuf::from(args.text("path")?);
        let Some(simulation) = session.simulation(args.handle("solfec")?, "the local dynamics")? else {
            return Err(Fault::runtime("there are no local dynamics before the first RUN"));
        };
        let step = simulation.local_dynamics()?;
        solfec_formats::fclib::write(&path, &step, &[]).map_err(|error| match error {
            solfec_formats::Error::Io(text) => Fault::new(FaultKind::System, text),
            solfec_formats::Error::Format(text) => Fault::value(text),
        })?;
        Ok(Value::None)
    },
};

fn at_point(
    session: &mut Session,
    args: &Args,
    value: impl Fn(&Simulation, usize, &Vec3) -> Vec3,
) -> Result<Value, Fault> {
    let (body, point) = (args.handle("body")?, Vec3::from(args.array::<3>("point")?));
    let vector = match running(session, body, "the motion of a body")? {
        Some((simulation, index)) => value(simulation, index, &point),
        None => {
            let start = Simulation::new(&session.domain(body)?.model)?;
            let gone = || Fault::wrong_type("body was deleted");
            value(&start, start.bodies().index(body.key[1]).ok_or_else(gone)?, &point)
        }
    };
    Ok(Value::tuple(vector.iter().copied()))
}

fn energy(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let solfec = args.handle("solfec")?;
    let bodies = match args.get("object") {
        Value::Handle(body) if body.class == "BODY" => Some(vec![*body]),
        Value::List(items) => Some(items.iter().map(body_of).collect::<Result<Vec<Handle>, Fault>>()?),
        Value::None => None,
        Value::Handle(other) if other.class == "SOLFEC" => None,
        other => return Err(Fault::wrong_type(format!("object: is {}; give bodies", other.describe()))),
    };
    let start;
    let simulation: &Simulation = match session.simulation(solfec, "the energies")? {
        Some(simulation) => simulation,
        None => {
            start = Simulation::new(&session.domain(solfec)?.model)?;
            &start
        }
    };
    let set = simulation.bodies();
    let energies: Energies = match bodies {
        None => set.energy_total(),
        Some(bodies) => {
            let rows = bodies.iter().filter_map(|body| set.index(body.key[1])).map(|i| set.energies(i));
            rows.fold([0.0; 6], |sum, row| std::array::from_fn(|k| sum[k] + row[k]))
        }
    };
    let names = &["kinetic", "internal", "external", "contact", "friction"];
    Ok(Value::Named { names, items: energies[..5].to_vec(), more: ("dissipated", energies[5]) })
}

fn body_of(value: &Value) -> Result<Handle, Fault> {
    match value {
        Value::Handle(body) if body.class == "BODY" => Ok(*body),
        other => Err(Fault::wrong_type(format!("object: holds {}; give bodies", other.describe()))),
    }
}
