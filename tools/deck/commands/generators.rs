//! Shapes that are generated or chosen: PIPE, ELLIP, BEND, OVERLAPPING.

use solfec::contact::overlapping;
use solfec::shape::{Ellipsoid, Mesh, Pipe, Shape};

use crate::deck::args::{narrow, Args};
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&PIPE, &ELLIP, &BEND, &OVERLAPPING];

const VOLID: Arg = Arg::new("volid", Kind::ID, "volume id");

static PIPE: Command = Command {
    name: "PIPE",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("pnt", Kind::Vector(3), "centre of the first end").unit("m"),
        Arg::new("dir", Kind::Vector(3), "way from there to the centre of the other end").unit("m"),
        Arg::new("rin", Kind::POSITIVE, "inner radius").unit("m"),
        Arg::new("thi", Kind::POSITIVE, "thickness of the wall").unit("m"),
        Arg::new("ndir", Kind::COUNT, "elements along the axis").alias(&["ndri"]),
        Arg::new("nrad", Kind::COUNT, "elements around the axis, at least 3"),
        Arg::new("nthi", Kind::COUNT, "elements through the thickness"),
        VOLID,
        Arg::new("surfids", Kind::Integers, "surface ids of the first end, the other end, the inside, the outside")
            .alias(&["surids"]),
    ],
    returns: "a MESH",
    modes: Modes::Both,
    doc: "A straight pipe of hexahedra; nodes lie on circles, faces are their chords.",
    run: pipe,
};

static ELLIP: Command = Command {
    name: "ELLIP",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("center", Kind::Vector(3), "center").unit("m"),
        Arg::new("radii", Kind::Vector(3), "half axes along x, y, z, positive").unit("m"),
        VOLID,
        Arg::new("surfid", Kind::ID, "surface id"),
    ],
    returns: "an ELLIP",
    modes: Modes::Both,
    doc: "An ellipsoid; ROTATE turns its half axes.",
    run: ellip,
};

static BEND: Command = Command {
    name: "BEND",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("shape", Kind::Object(&["MESH"]), "mesh that is changed in place"),
        Arg::new("point", Kind::Vector(3), "point of the axis, which lies beside the mesh").unit("m"),
        Arg::new("direction", Kind::Vector(3), "direction of the axis, of any length"),
        Arg::new("angle", Kind::POSITIVE, "angle of the bend").unit("degree"),
    ],
    returns: "the same MESH",
    modes: Modes::Both,
    doc: "Bends a mesh about an axis. What lies beyond the angle goes straight on; lengths at the node nearest to the \
          axis are kept.",
    run: bend,
};

static OVERLAPPING: Command = Command {
    name: "OVERLAPPING",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("obstacles", Kind::Shapes, "shapes to compare with, kept"),
        Arg::new("shapes", Kind::Shapes, "shapes to choose from; emptied"),
        Arg::new("not", Kind::Choice(&["NOT"]), "'NOT': the shapes that do not overlap")
            .or(Default::Absent("those that do")),
        Arg::new("gap", Kind::NUMBER, "greatest gap, not positive; 0: touching shapes too")
            .unit("m")
            .or(Default::Number(0.0)),
    ],
    returns: "the chosen shapes in their order: a list, a bare shape if there is one, None if there is none",
    modes: Modes::Both,
    doc: "Chooses shapes that touch or overlap others; a shape wholly inside of another overlaps it. A CONVEX with \
          several polyhedra is one shape. The gap is that of two convex parts, such as elements of meshes; a part \
          inside of a mesh is as deep as it lies below the boundary.",
    run: overlapping_shapes,
};

fn pipe(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let pipe = Pipe {
        point: args.vec3("pnt")?,
        direction: args.vec3("dir")?,
        inner_radius: args.real("rin")?,
        thickness: args.real("thi")?,
        counts: [args.count("ndir")?, args.count("nrad")?, args.count("nthi")?].map(|n| n as usize),
    };
    let given = args.ints("surfids");
    let Some(four) = given.get(..4) else {
        let count = given.len();
        return Err(Fault::value(format!("surfids: has {count} ids; give 4: both ends, inside, outside")));
    };
    let mut surfids = [0; 4];
    for (id, given) in surfids.iter_mut().zip(four) {
        *id = narrow(*given)?;
    }
    let mesh = Mesh::pipe(&pipe, args.id("volid")?, &surfids)?;
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

fn ellip(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let ellipsoid = Ellipsoid::new(args.vec3("center")?, args.vec3("radii")?, args.id("volid")?, args.id("surfid")?)?;
    Ok(Value::Handle(session.shapes.add("ELLIP", vec![Shape::new(ellipsoid)])))
}

fn bend(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let handle = args.handle("shape")?;
    let (point, direction, angle) = (args.vec3("point")?, args.vec3("direction")?, args.real("angle")?);
    let slot = session.shapes.own(handle)?;
    let shape = slot.parts.first_mut().ok_or_else(|| Fault::value("shape is empty"))?;
    let mesh = shape.geometry.mesh().ok_or_else(|| Fault::wrong_type("shape: is no MESH; only meshes can be bent"))?;
    let placed = Mesh { nodes: shape.vertices(), ..mesh.clone() };
    *shape = Shape::new(placed.bent(&point, &direction, angle)?);
    Ok(Value::Handle(handle))
}

fn overlapping_shapes(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (obstacles, handles) = (args.handles("obstacles"), args.handles("shapes"));
    let gap = args.real("gap")?;
    if gap > 0.0 {
        return Err(Fault::value(format!("gap: is {gap}; give a number that is not positive")));
    }
    if let Some(both) = handles.iter().find(|handle| obstacles.contains(handle)) {
        return Err(Fault::value(format!("shapes: a {} is among the obstacles too; pass a COPY", both.class)));
    }
    let obstacles = session.shapes.parts(&obstacles)?;
    session.shapes.parts(&handles)?;
    let (mut groups, mut solids) = (Vec::with_capacity(handles.len()), Vec::new());
    for handle in &handles {
        let slot = session.shapes.own(*handle)?;
        groups.push(slot.parts.clone());
        solids.push(slot.solid);
    }
    let found = overlapping(&obstacles, &groups, gap, session.epsilon)?;
    let wanted = !args.given("not");
    let place = session.place.clone();
    session.shapes.empty(&handles, &place)?;
    let mut chosen = Vec::new();
    for (((old, parts), solid), found) in handles.iter().zip(groups).zip(solids).zip(found) {
        if found == wanted {
            let handle = session.shapes.add(old.class, parts);
            session.shapes.get(handle)?.solid = solid;
            chosen.push(Value::Handle(handle));
        }
    }
    Ok(match chosen.pop() {
        None => Value::None,
        Some(one) if chosen.is_empty() => one,
        Some(last) => {
            chosen.push(last);
            Value::List(chosen)
        }
    })
}
