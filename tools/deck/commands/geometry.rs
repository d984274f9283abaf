//! Geometric objects: CONVEX, HULL, MESH, HEX, SPHERE.

use solfec::math::Vec3;
use solfec::shape::{Convex, Face, Integrals, Mesh, RawElement, RawMesh, Shape, Sphere};

use crate::deck::args::{narrow, Args};
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&CONVEX, &HULL, &MESH, &HEX, &SPHERE];

const VOLID: Arg = Arg::new("volid", Kind::ID, "volume id");
const SURFID: Arg = Arg::new("surfid", Kind::ID, "surface id");
const COLLECTION: Arg = Arg::new(
    "convex",
    Kind::Object(&["CONVEX"]),
    "collection to which the new polyhedron is added, as its first \
                                                   one; emptied",
)
.or(Default::Absent("a collection of its own"));

static CONVEX: Command = Command {
    name: "CONVEX",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("vertices", Kind::Numbers, "coordinates x, y, z of at least 4 vertices").unit("m"),
        Arg::new(
            "faces",
            Kind::Integers,
            "records n, v1 ... vn, surface id; vertices counter-clockwise seen from outside",
        ),
        VOLID,
        COLLECTION,
    ],
    returns: "a CONVEX",
    modes: Modes::Both,
    doc: "A convex polyhedron: closed, planar faces, positive volume.",
    run: convex,
};

static HULL: Command = Command {
    name: "HULL",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("points", Kind::Numbers, "coordinates x, y, z of at least 4 points").unit("m"),
        VOLID,
        SURFID,
        COLLECTION,
    ],
    returns: "a CONVEX",
    modes: Modes::Both,
    doc: "The convex hull of points; coplanar facets are one face.",
    run: hull,
};

static MESH: Command = Command {
    name: "MESH",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("nodes", Kind::Numbers, "coordinates x, y, z of at least 4 nodes").unit("m"),
        Arg::new(
            "elements",
            Kind::Integers,
            "records n, n1 ... nn, volume id; n is 4 (tetrahedron), 5 (pyramid), 6 (wedge) or 8 (hexahedron)",
        ),
        Arg::new(
            "surfids",
            Kind::Integers,
            "surface id of all faces; then, for faces with a different one: n, n1 ... nn, surface id",
        )
        .alias(&["surfid"]),
    ],
    returns: "a MESH",
    modes: Modes::Both,
    doc: "A mesh of first-order elements.",
    run: mesh,
};

const SPACING: Arg =
    Arg::new("dx", Kind::Numbers, "relative widths along the first direction").or(Default::Absent("equal"));

static HEX: Command = Command {
    name: "HEX",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("nodes", Kind::Numbers, "coordinates of 8 corners: bottom four, then top four").unit("m"),
        Arg::new("i", Kind::COUNT, "elements along the first direction"),
        Arg::new("j", Kind::COUNT, "elements along the second direction"),
        Arg::new("k", Kind::COUNT, "elements along the third direction"),
        VOLID,
        Arg::new("surfids", Kind::Integers, "surface ids of the sides bottom, x-, y+, x+, y-, top").alias(&["surids"]),
        SPACING,
        Arg { name: "dy", doc: "relative widths along the second direction", ..SPACING },
        Arg { name: "dz", doc: "relative widths along the third direction", ..SPACING },
    ],
    returns: "a MESH",
    modes: Modes::Both,
    doc: "A block of hexahedra, the trilinear image of a grid.",
    run: hex,
};

static SPHERE: Command = Command {
    name: "SPHERE",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("center", Kind::Vector(3), "center").unit("m"),
        Arg::new("radius", Kind::POSITIVE, "radius").unit("m"),
        VOLID,
        SURFID,
    ],
    returns: "a SPHERE",
    modes: Modes::Both,
    doc: "A ball.",
    run: sphere,
};

fn convex(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let vertices = points(args, "vertices")?;
    let faces: Vec<Face> = records(args.ints("faces"), "faces", "face", &[])?
        .into_iter()
        .map(|(nodes, surfid)| Face { nodes: nodes[..].into(), surfid })
        .collect();
    let (convex, warnings) = Convex::new(vertices, faces, args.id("volid")?, session.epsilon)?;
    for text in warnings {
        session.warn("geometry", &text);
    }
    collect(session, args, convex)
}

fn hull(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let points = points(args, "points")?;
    let convex = Convex::hull(&points, args.id("volid")?, args.id("surfid")?);
    // the original raises RuntimeError here, decks catch it
    let convex = convex.map_err(|error| Fault::new(FaultKind::Runtime, error.to_string()))?;
    collect(session, args, convex)
}

/// Puts a new polyhedron in front of the collection that was given.
fn collect(session: &mut Session, args: &Args, convex: Convex) -> Result<Value, Fault> {
    let mut parts = vec![Shape::new(convex)];
    let mut solid = None;
    if let Some(old) = args.maybe_handle("convex") {
        let slot = session.shapes.own(old)?;
        solid = slot.solid.map(|solid| Integrals::together(&[parts[0].integrals(), solid]));
        parts.extend(slot.parts.iter().cloned());
        let place = session.place.clone();
        session.shapes.empty(&[old], &place)?;
    }
    let made = session.shapes.add("CONVEX", parts);
    session.shapes.get(made)?.solid = solid;
    Ok(Value::Handle(made))
}

fn mesh(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let nodes = points(args, "nodes")?;
    let element = |(e, (nodes, volid)): (usize, &(Vec<u32>, i32))| {
        RawElement::new(nodes, *volid).map_err(|x| Fault::from(x).about(&format!("element {e}")))
    };
    let elements = records(args.ints("elements"), "elements", "element", &[4, 5, 6, 8, 10])?;
    let elements = elements.iter().enumerate().map(element).collect::<Result<Vec<RawElement>, Fault>>()?;
    let (surfid, faces) = match args.ints("surfids") {
        [gid, faces @ ..] => (narrow(*gid)?, records(faces, "surfids", "face", &[])?),
        [] => return Err(Fault::value("surfids: is empty; give the surface id of all faces")),
    };
    let raw = RawMesh { nodes, elements, surfid, faces };
    let (mesh, warnings) = raw.mesh()?;
    for text in warnings {
        session.warn("geometry", &text);
    }
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

fn hex(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let corners: [Vec3; 8] = points(args, "nodes")?
        .try_into()
        .map_err(|points: Vec<Vec3>| Fault::value(format!("nodes: has {} points; give the 8 corners", points.len())))?;
    let counts = [args.count("i")?, args.count("j")?, args.count("k")?].map(|n| n as usize);
    let ids = args.ints("surfids");
    let six: [i64; 6] = ids
        .get(..6)
        .and_then(|six| six.try_into().ok())
        .ok_or_else(|| Fault::value(format!("surfids: has {} ids; give 6: bottom, x-, y+, x+, y-, top", ids.len())))?;
    let mut surfids = [0; 6];
    for (id, given) in surfids.iter_mut().zip(six) {
        *id = narrow(given)?;
    }
    let spacing = ["dx", "dy", "dz"].map(|name| args.given(name).then(|| args.reals(name)));
    let mesh = Mesh::hex(&corners, counts, args.id("volid")?, &surfids, spacing)?;
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

fn sphere(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let sphere = Sphere::new(args.vec3("center")?, args.real("radius")?, args.id("volid")?, args.id("surfid")?)?;
    let shape = Shape::new(sphere);
    Ok(Value::Handle(session.shapes.add("SPHERE", vec![shape])))
}

fn points(args: &Args, name: &str) -> Result<Vec<Vec3>, Fault> {
    let numbers = args.reals(name);
    if !numbers.len().is_multiple_of(3) {
        return Err(Fault::value(format!(
            "{name}: has {} numbers, not a multiple of 3; give x, y, z of every point",
            numbers.len()
        )));
    }
    Ok(numbers.chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])).collect())
}

/// Records `n, i1 ... in, id` as pairs of indices and id; `n` is one of `counts`, or any from 3 on.
fn records(numbers: &[i64], name: &str, what: &str, counts: &[usize]) -> Result<Vec<(Vec<u32>, i32)>, Fault> {
    let mut found = Vec::new();
    let mut rest = numbers;
    while let [count, tail @ ..] = rest {
        let wrong = |text: String| Fault::value(format!("{name}: {what} {}: {text}", found.len()));
        let count = usize::try_from(*count).ok().filter(|n| *n >= 3);
        let count = count.ok_or_else(|| wrong(format!("number of points is {}; give at least 3", rest[0])))?;
        if !(counts.is_empty() || counts.contains(&count)) {
            let listed: Vec<String> = counts.iter().map(usize::to_string).collect();
            return Err(wrong(format!("has {count} nodes; give {}", listed.join(", "))));
        }
        let (Some(indices), Some(id)) = (tail.get(..count), tail.get(count)) else {
            return Err(wrong(format!("is cut off; give {count} indices and an id")));
        };
        let index = |i: &i64| u32::try_from(*i).map_err(|_| wrong(format!("index {i} is out of range; count from 0")));
        let indices = indices.iter().map(index).collect::<Result<Vec<u32>, Fault>>()?;
        found.push((indices, narrow(*id)?));
        rest = &tail[count + 1..];
    }
    Ok(found)
}
