//! Commands that Solfec 1.0 does not have: BOX, BRICK_WALL, BRICK_ARCH, PACKING, ACCELEROGRAM. docs/helpers.md is their
//! page.

use solfec::assembly::{arch, brick, packing, wall, Arch, Bond, Grain, Packing, Region, Wall};
use solfec::load::Series;
use solfec::shape::{Mesh, Shape};

use super::series::add;
use crate::cli::CliError;
use crate::deck::args::{narrow, Args};
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&BOX, &BRICK_WALL, &BRICK_ARCH, &PACKING, &ACCELEROGRAM];

const VOLID: Arg = Arg::new("volid", Kind::ID, "volume id");
const DIVISION: Arg = Arg::new("i", Kind::COUNT, "elements along the first side").or(Default::Number(1.0));

static BOX: Command = Command {
    name: "BOX",
    chapter: Chapter::Helpers,
    args: &[
        Arg::new("corner1", Kind::Vector(3), "a corner").unit("m"),
        Arg::new("corner2", Kind::Vector(3), "the opposite corner").unit("m"),
        VOLID,
        Arg::new("surfids", Kind::Integers, "one surface id, or those of the sides z-, x-, y+, x+, y-, z+, as of HEX"),
        Arg { doc: "elements along x", ..DIVISION },
        Arg { name: "j", doc: "elements along y", ..DIVISION },
        Arg { name: "k", doc: "elements along z", ..DIVISION },
    ],
    returns: "a MESH",
    modes: Modes::Both,
    doc: "A box along the axes, of hexahedra.",
    run: box_,
};

static BRICK_WALL: Command = Command {
    name: "BRICK_WALL",
    chapter: Chapter::Helpers,
    args: &[
        Arg::new("corner", Kind::Vector(3), "lowest corner of the wall, which runs along x and rises along z")
            .unit("m"),
        Arg::new("brick", Kind::Vector(3), "length, thickness and height of a brick").unit("m"),
        Arg::new("bricks", Kind::COUNT, "bricks in a course of whole ones"),
        Arg::new("courses", Kind::COUNT, "courses"),
        VOLID,
        Arg::new(
            "surfids",
            Kind::Integers,
            "one surface id, or those of the sides z-, x-, y+, x+, y-, z+ of each brick",
        ),
        Arg::new(
            "bond",
            Kind::Choice(&["RUNNING", "STACK"]),
            "'RUNNING': every other course begins and ends with half a \
                  brick; 'STACK': joint over joint",
        )
        .or(Default::Text("RUNNING")),
        Arg::new("joint", Kind::NOT_NEGATIVE, "space between bricks").unit("m").or(Default::Number(0.0)),
        Arg { doc: "elements of a brick along x", ..DIVISION },
        Arg { name: "j", doc: "elements of a brick along y", ..DIVISION },
        Arg { name: "k", doc: "elements of a brick along z", ..DIVISION },
    ],
    returns: "a list of MESH, course by course from below",
    modes: Modes::Both,
    doc: "The bricks of a wall.",
    run: brick_wall,
};

static BRICK_ARCH: Command = Command {
    name: "BRICK_ARCH",
    chapter: Chapter::Helpers,
    args: &[
        Arg::new("center", Kind::Vector(3), "centre of the circles, where the arch begins along y").unit("m"),
        Arg::new("radius", Kind::POSITIVE, "inner radius").unit("m"),
        Arg::new("thickness", Kind::POSITIVE, "thickness of the ring").unit("m"),
        Arg::new("depth", Kind::POSITIVE, "size along y").unit("m"),
        Arg::new("count", Kind::COUNT, "bricks"),
        VOLID,
        Arg::new("surfids", Kind::Integers, "one surface id, or those of the sides of each brick: first joint, inside, y+, \
                  outside, y-, second joint"),
        Arg::new("angle1", Kind::NUMBER, "where it begins, from x towards z").unit("degree").or(Default::Number(0.0)),
        Arg::new("angle2", Kind::NUMBER, "where it ends, at most a turn later").unit("degree").or(Default::Number(180.0)),
        Arg { doc: "elements of a brick through the thickness", ..DIVISION },
        Arg { name: "j", doc: "elements of a brick along y", ..DIVISION },
        Arg { name: "k", doc: "elements of a brick around", ..DIVISION },
    ],
    returns: "a list of MESH in the sense of the angle",
    modes: Modes::Both,
    doc: "The wedge-shaped bricks of an arch about an axis along y. Their corners lie on circles; neighbours share a joint.",
    run: brick_arch,
};

static PACKING: Command = Command {
    name: "PACKING",
    chapter: Chapter::Helpers,
    args: &[
        Arg::new("count", Kind::COUNT, "grains"),
        Arg::new("radii", Kind::Vector(2), "least and greatest radius; all between are alike").unit("m"),
        Arg::new("corner1", Kind::Vector(3), "a corner of the region").unit("m"),
        Arg::new("corner2", Kind::Vector(3), "the opposite corner").unit("m"),
        VOLID,
        Arg::new("surfid", Kind::ID, "surface id"),
        Arg::new("region", Kind::Choice(&["BOX", "CYLINDER"]), "'CYLINDER': the upright one in the middle of the box")
            .or(Default::Text("BOX")),
        Arg::new("shape", Kind::Choice(&["SPHERE", "HULL"]), "'HULL': convex stones, each inside a ball of its radius")
            .or(Default::Text("SPHERE")),
        Arg::new("points", Kind::Integer { min: 4, max: 1000 }, "points of a stone's hull").or(Default::Number(12.0)),
        Arg::new("gap", Kind::NOT_NEGATIVE, "least distance between grains and from the walls")
            .unit("m")
            .or(Default::Number(0.0)),
        Arg::new("seed", Kind::Integer { min: 0, max: i64::MAX }, "another one gives another packing")
            .or(Default::Number(1.0)),
    ],
    returns: "a list of SPHERE, or of CONVEX, the largest first",
    modes: Modes::Both,
    doc:
        "Grains in random places that do not overlap; the same on every machine. Balls of one size fill up to about a \
          third of the region.",
    run: pack,
};

static ACCELEROGRAM: Command = Command {
    name: "ACCELEROGRAM",
    chapter: Chapter::Helpers,
    args: &[
        Arg::new("path", Kind::Text, "file: PEER .AT2, or text with a time [s] and an acceleration in each line"),
        Arg::new("scale", Kind::NUMBER, "factor of the accelerations").or(Default::Number(1.0)),
        Arg::new("label", Kind::Text, "label of the series").or(Default::Absent("none")),
    ],
    returns: "a TIME_SERIES of acceleration",
    modes: Modes::Both,
    doc: "Reads a record of ground motion, for instance for SET_ACCELERATION. Values of .AT2 files are in units of g and \
          become m/s2; those of other files stay as they are.",
    run: accelerogram,
};

fn box_(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (one, other) = (args.vec3("corner1")?, args.vec3("corner2")?);
    let mesh = brick(&one, &other, divisions(args)?, args.id("volid")?, &surfids(args)?)?;
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

fn brick_wall(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let bricks = wall(&Wall {
        corner: args.vec3("corner")?,
        brick: args.vec3("brick")?,
        counts: [args.count("bricks")?, args.count("courses")?].map(|n| n as usize),
        bond: if args.text("bond")? == "STACK" { Bond::Stack } else { Bond::Running },
        joint: args.real("joint")?,
        divisions: divisions(args)?,
        volid: args.id("volid")?,
        surfids: surfids(args)?,
    })?;
    Ok(meshes(session, bricks))
}

fn brick_arch(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let bricks = arch(&Arch {
        center: args.vec3("center")?,
        radius: args.real("radius")?,
        thickness: args.real("thickness")?,
        depth: args.real("depth")?,
        count: args.count("count")? as usize,
        angles: [args.real("angle1")?, args.real("angle2")?],
        divisions: divisions(args)?,
        volid: args.id("volid")?,
        surfids: surfids(args)?,
    })?;
    Ok(meshes(session, bricks))
}

fn pack(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (one, other) = (args.vec3("corner1")?, args.vec3("corner2")?);
    let stones = args.text("shape")? == "HULL";
    let found = packing(&Packing {
        count: args.count("count")? as usize,
        radii: args.array("radii")?,
        low: one.inf(&other),
        high: one.sup(&other),
        region: if args.text("region")? == "CYLINDER" { Region::Cylinder } else { Region::Box },
        grain: if stones { Grain::Stone(args.int("points")? as usize) } else { Grain::Ball },
        gap: args.real("gap")?,
        seed: args.int("seed")? as u64,
        volid: args.id("volid")?,
        surfid: args.id("surfid")?,
    })?;
    let class = if stones { "CONVEX" } else { "SPHERE" };
    let handle = |shape: Shape| Value::Handle(session.shapes.add(class, vec![shape]));
    Ok(Value::List(found.into_iter().map(handle).collect()))
}

fn accelerogram(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let path = args.text("path")?;
    let text = std::fs::read_to_string(path).map_err(|error| {
        Fault::new(FaultKind::System, CliError::file(std::path::Path::new(path), "read", &error).text)
    })?;
    session.inputs.push(path.into());
    let mut series = Series::accelerogram(&text, args.real("scale")?).map_err(|e| Fault::from(e).about(path))?;
    series.label = args.maybe_text("label").unwrap_or_default().into();
    Ok(add(session, series))
}

fn divisions(args: &Args) -> Result<[usize; 3], Fault> {
    Ok([args.count("i")?, args.count("j")?, args.count("k")?].map(|n| n as usize))
}

/// One id for all six sides, or six.
fn surfids(args: &Args) -> Result<[i32; 6], Fault> {
    match args.ints("surfids") {
        [one] => Ok([narrow(*one)?; 6]),
        six @ [_, _, _, _, _, _] => {
            let mut ids = [0; 6];
            for (id, given) in ids.iter_mut().zip(six) {
                *id = narrow(*given)?;
            }
            Ok(ids)
        }
        other => Err(Fault::value(format!("surfids: has {} ids; give one or six", other.len()))),
    }
}

fn meshes(session: &mut Session, meshes: Vec<Mesh>) -> Value {
    let handle = |mesh: Mesh| Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)]));
    Value::List(meshes.into_iter().map(handle).collect())
}
