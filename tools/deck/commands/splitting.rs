//! Shapes in parts: SPLIT by a plane, MESH_SPLIT along faces.

use solfec::meshing::{open_all, pieces, separate, split_convexes, split_mesh, Halves, Opening, Plane, Split};
use solfec::shape::{Convex, Ellipsoid, Mesh, Shape};

use super::meshes::placed_mesh;
use crate::deck::args::{narrow, Args};
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&SPLIT, &MESH_SPLIT];

static SPLIT: Command = Command {
    name: "SPLIT",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("shape", Kind::Shapes, "what is split; emptied"),
        Arg::new("point", Kind::Vector(3), "point of the plane").unit("m"),
        Arg::new("normal", Kind::Vector(3), "normal of the plane, of any length"),
        Arg::new(
            "surfid",
            Kind::Integers,
            "surface ids of the new faces that look along the normal (below), and \
                  against it (above)",
        )
        .or(Default::Absent("(0, 0)")),
        Arg::new(
            "topoadj",
            Kind::Switch,
            "'ON': only the connected part of the cut that the point is on is opened, be \
                  it through polyhedra or along the faces where they touch",
        )
        .or(Default::Text("OFF")),
        Arg::new("remesh", Kind::Switch, "'OFF': a plane that does not follow the faces of elements is refused")
            .or(Default::Text("ON")),
    ],
    returns: "the tuple (below, above), below being against the normal: each a shape, a list of shapes, or None",
    modes: Modes::Both,
    doc:
        "Splits shapes by a plane. Parts of a mesh that hang together by faces, and parts of a CONVEX that touch, are \
          one shape. A SPHERE or ELLIP that is cut becomes a polyhedron of the same volume first. Elements that the \
          plane cuts become two of their kind, or tetrahedra, pyramids and wedges; volume ids and the surface ids of \
          old faces are kept. With topoadj='ON' what is not cut off all around is below: shapes of a list that the \
          point is not on stay whole, and it is an error if it is on the cut of none.",
    run: split,
};

static MESH_SPLIT: Command = Command {
    name: "MESH_SPLIT",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("mesh", Kind::Object(&["MESH"]), "mesh, kept"),
        Arg::new(
            "nodeset",
            Kind::Integers,
            "node numbers: faces between elements with all nodes among them are opened",
        )
        .or(Default::Absent("none")),
        Arg::new(
            "faceset",
            Kind::Anything,
            "sequence of faces, each a sequence of 3 or 4 node numbers; comes before nodeset",
        )
        .or(Default::Absent("none")),
        Arg::new(
            "surfid1",
            Kind::ID,
            "surface id of the side whose outward normal is that of the face; with nodeset, \
                  of both sides",
        )
        .or(Default::Number(0.0)),
        Arg::new("surfid2", Kind::ID, "surface id of the other side").or(Default::Number(0.0)),
    ],
    returns: "a list of MESH, None if no face between elements was among those given",
    modes: Modes::Both,
    doc: "Splits a mesh along faces between elements. Nodes are doubled where the elements about them are separated, \
          not at the front of a crack that ends inside; copies come last.",
    run: mesh_split,
};

fn split(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let plane = Plane::new(args.vec3("point")?, args.vec3("normal")?)?;
    let surfids = match args.ints("surfid") {
        [] => [0; 2],
        [one, two] => [narrow(*one)?, narrow(*two)?],
        other => return Err(Fault::value(format!("surfid: has {} numbers; give two surface ids", other.len()))),
    };
    let near = args.maybe_on("topoadj").unwrap_or(false).then(|| args.vec3("point")).transpose()?;
    let remesh = args.maybe_on("remesh").unwrap_or(true);
    let split = Split { plane, surfids, epsilon: session.epsilon, near, remesh };
    let handles = args.handles("shape");
    session.shapes.parts(&handles)?;
    let mut all = Halves { below: Vec::new(), above: Vec::new(), cut: false };
    let mut far = false;
    for handle in &handles {
        match halves(session, *handle, &split)? {
            Some(Halves { below, above, cut }) => {
                all.below.extend(below);
                all.above.extend(above);
                all.cut |= cut;
            }
            None => {
                far = true;
                all.below.push((handle.class, session.shapes.get(*handle)?.parts.clone()));
            }
        }
    }
    if far && !all.cut {
        return Err(split.far().into());
    }
    let place = session.place.clone();
    session.shapes.empty(&handles, &place)?;
    let mut given = |parts: Vec<Made>| {
        let mut handles: Vec<Value> =
            parts.into_iter().map(|(class, parts)| Value::Handle(session.shapes.add(class, parts))).collect();
        match handles.len() {
            0 => Value::None,
            1 => handles.remove(0),
            _ => Value::List(handles),
        }
    };
    Ok(Value::Tuple(vec![given(all.below), given(all.above)]))
}

/// A shape of the deck in the making: its class and parts.
type Made = (&'static str, Vec<Shape>);

/// `None` if the point of the split is not on the cut.
fn halves(session: &mut Session, handle: Handle, split: &Split) -> Result<Option<Halves<Made>>, Fault> {
    if handle.class == "MESH" {
        session.shapes.own(handle)?;
        let mesh = placed_mesh(session, handle)?;
        let made = |mesh: Mesh| -> Made { ("MESH", vec![Shape::new(mesh)]) };
        return Ok(split_mesh(&mesh, split)?.map(|halves| each(halves, made)));
    }
    let parts = session.shapes.own(handle)?.parts.clone();
    let curved = parts.iter().find_map(ellipsoid);
    let made = |group: Vec<Convex>| -> Made { ("CONVEX", group.into_iter().map(Shape::new).collect()) };
    let Some(curved) = curved.transpose()? else {
        let placed = |shape: &Shape| {
            let convex = shape.geometry.convex();
            convex.map(|convex| Convex { vertices: shape.vertices(), ..convex.clone() })
        };
        let collection: Vec<Convex> = parts.iter().filter_map(placed).collect();
        return Ok(split_convexes(&collection, split)?.map(|halves| each(halves, made)));
    };
    let height = split.plane.height(&curved.center());
    let reach = curved.half_axes().tr_mul(&split.plane.normal()).norm();
    if height.abs() >= reach - split.epsilon {
        let whole = vec![(handle.class, parts)];
        let (below, above) = if height < 0.0 { (whole, Vec::new()) } else { (Vec::new(), whole) };
        return Ok(Some(Halves { below, above, cut: false }));
    }
    Ok(split_convexes(&[curved.polyhedron()?], split)?.map(|halves| each(halves, made)))
}

/// A SPHERE or ELLIP where it is now.
fn ellipsoid(shape: &Shape) -> Option<Result<Ellipsoid, solfec::Error>> {
    if let Some(ball) = shape.geometry.sphere() {
        let radii = solfec::math::Vec3::repeat(ball.radius);
        return Some(Ellipsoid::new(shape.point(&ball.center), radii, ball.volid, ball.surfid));
    }
    let own = shape.geometry.ellipsoid()?;
    let axes = shape.rotation * own.half_axes();
    Some(Ellipsoid::with_axes(shape.point(&own.center()), &axes, own.volid, own.surfid))
}

fn each<T>(halves: Halves<T>, made: impl Fn(T) -> Made) -> Halves<Made> {
    let Halves { below, above, cut } = halves;
    Halves { below: below.into_iter().map(&made).collect(), above: above.into_iter().map(&made).collect(), cut }
}

fn mesh_split(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let mesh = placed_mesh(session, args.handle("mesh")?)?;
    let surfids = [narrow(args.int("surfid1")?)?, narrow(args.int("surfid2")?)?];
    let count = mesh.nodes.len();
    let parts = if args.given("faceset") {
        let faces = faces(args.get("faceset"), count).map_err(|fault| fault.about("faceset"))?;
        let openings: Vec<Opening> = faces.into_iter().map(|nodes| Opening { nodes, surfids }).collect();
        separate(&mesh, &openings)?
    } else if args.given("nodeset") {
        let nodes = nodes(args.ints("nodeset"), count).map_err(|fault| fault.about("nodeset"))?;
        open_all(&mesh, &nodes, surfids[0])?.map_or_else(Vec::new, |opened| pieces(&opened))
    } else {
        return Err(Fault::value("give a nodeset or a faceset"));
    };
    if parts.is_empty() {
        return Ok(Value::None);
    }
    let handle = |mesh: Mesh| Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)]));
    Ok(Value::List(parts.into_iter().map(handle).collect()))
}

fn nodes(numbers: &[i64], count: usize) -> Result<Vec<u32>, Fault> {
    let node = |n: &i64| {
        let found = u32::try_from(*n).ok().filter(|n| (*n as usize) < count);
        found.ok_or_else(|| Fault::value(format!("node {n} does not exist; there are 0 to {}", count - 1)))
    };
    numbers.iter().map(node).collect()
}

fn faces(value: &Value, count: usize) -> Result<Vec<Vec<u32>>, Fault> {
    let (Value::List(items) | Value::Tuple(items)) = value else {
        return Err(Fault::wrong_type(format!("is {}; give a sequence of faces", value.describe())));
    };
    let face = |(at, item): (usize, &Value)| {
        let about = |fault: Fault| fault.about(&format!("face {at}"));
        let checked = crate::deck::bind::check(&Kind::Integers, item.clone()).map_err(about)?;
        let Value::Ints(numbers) = checked else { return Err(about(Fault::wrong_type("is no sequence of nodes"))) };
        let found = nodes(&numbers, count).map_err(about)?;
        let mut once = found.clone();
        once.sort_unstable();
        once.dedup();
        if !(3..=4).contains(&found.len()) || once.len() < found.len() {
            return Err(about(Fault::value(format!("has nodes {found:?}; give 3 or 4 different ones"))));
        }
        Ok(found)
    };
    items.iter().enumerate().map(face).collect()
}
