//! Meshes made from other shapes: ROUGH_HEX, ELLIP_MESH, MESH2CONVEX.

use solfec::meshing::{ellipsoid_mesh, enclosing_block};
use solfec::shape::{Mesh, Shape};

use super::shape_members::recheck;
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&ROUGH_HEX, &ELLIP_MESH, &MESH2CONVEX];

const SPACING: Arg = Arg::new("dx", Kind::Numbers, "relative widths along the first axis").or(Default::Absent("equal"));

static ROUGH_HEX: Command = Command {
    name: "ROUGH_HEX",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("shape", Kind::Shapes, "CONVEX or sequence of CONVEX, kept"),
        Arg::new("i", Kind::COUNT, "elements along the axis of the least second moment"),
        Arg::new("j", Kind::COUNT, "elements along the middle axis"),
        Arg::new("k", Kind::COUNT, "elements along the axis of the greatest second moment"),
        SPACING,
        Arg { name: "dy", doc: "relative widths along the second axis", ..SPACING },
        Arg { name: "dz", doc: "relative widths along the third axis", ..SPACING },
    ],
    returns: "a MESH",
    modes: Modes::Both,
    doc: "A block of hexahedra around convex shapes, along their axes of inertia, with a margin of ten times the \
          geometric epsilon or more. Its volume and surface ids are 2147483647.",
    run: rough_hex,
};

static ELLIP_MESH: Command = Command {
    name: "ELLIP_MESH",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new("center", Kind::Vector(3), "center").unit("m"),
        Arg::new("radii", Kind::Vector(3), "half axes along x, y, z, positive").unit("m"),
        Arg::new(
            "error",
            Kind::POSITIVE,
            "greatest distance, along the radius, of the middle of an edge from the ellipsoid",
        )
        .unit("m"),
        Arg::new("volid", Kind::ID, "volume id"),
        Arg::new("surfid", Kind::ID, "surface id"),
    ],
    returns: "a MESH",
    modes: Modes::Both,
    doc: "A mesh of tetrahedra in an ellipsoid.",
    run: ellip_mesh,
};

static MESH2CONVEX: Command = Command {
    name: "MESH2CONVEX",
    chapter: Chapter::Geometry,
    args: &[Arg::new("mesh", Kind::Object(&["MESH"]), "mesh, kept")],
    returns: "a CONVEX",
    modes: Modes::Both,
    doc: "A collection of polyhedra, one for each element, with the volume and surface ids of the mesh. Faces between \
          elements take no part in contact. Warped faces are folded outward.",
    run: mesh2convex,
};

fn rough_hex(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let handles = args.handles("shape");
    if let Some(other) = handles.iter().find(|handle| handle.class != "CONVEX") {
        return Err(Fault::wrong_type(format!("shape: holds a {}; give a CONVEX or several", other.class)));
    }
    let parts = session.shapes.parts(&handles)?;
    let counts = [args.count("i")?, args.count("j")?, args.count("k")?].map(|n| n as usize);
    let spacing = ["dx", "dy", "dz"].map(|name| args.given(name).then(|| args.reals(name)));
    let mesh = enclosing_block(&parts, counts, spacing, session.epsilon)?;
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

fn ellip_mesh(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (center, radii) = (args.vec3("center")?, args.vec3("radii")?);
    let mesh = ellipsoid_mesh(center, radii, args.real("error")?, args.id("volid")?, args.id("surfid")?)?;
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

fn mesh2convex(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let mesh = placed_mesh(session, args.handle("mesh")?)?;
    let parts = mesh.polyhedra()?.into_iter().map(Shape::new).collect();
    Ok(Value::Handle(session.shapes.add("CONVEX", parts)))
}

/// A copy of a mesh of the deck, with the nodes where they are now.
pub fn placed_mesh(session: &mut Session, handle: Handle) -> Result<Mesh, Fault> {
    recheck(session, handle)?;
    let shape = session.shapes.get(handle)?.parts.first().ok_or_else(|| Fault::value("mesh is empty"))?;
    let mesh = shape.geometry.mesh().ok_or_else(|| Fault::wrong_type("is no MESH; give a MESH"))?;
    Ok(Mesh { nodes: shape.vertices(), ..mesh.clone() })
}
