//! Shapes from mesh files of any format that sf-mesh reads: MESH_FILE, CONVEX_FILE.

use std::path::{Path, PathBuf};

use solfec::shape::{Convex, Face, RawMesh, Shape};
use solfec_formats::meshes::{self, MeshFile};

use crate::cli::did_you_mean;
use crate::deck::args::Args;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&MESH_FILE, &CONVEX_FILE];

const PATH: Arg =
    Arg::new("path", Kind::Text, "file of any format that sf-mesh reads; relative to the folder of the deck");
const PART: Arg = Arg::new("part", Kind::Text, "name of a part").or(Default::Absent("the whole file"));
const VOLID: Arg = Arg::new("volid", Kind::ID, "volume id of all elements").or(Default::Absent("as in the file"));
const SURFID: Arg =
    Arg::new("surfid", Kind::ID, "surface id of faces to which the file gives none").or(Default::Number(0.0));
const SCALE: Arg =
    Arg::new("scale", Kind::POSITIVE, "factor of all coordinates, such as 0.001 for a file in millimetres")
        .or(Default::Number(1.0));

static MESH_FILE: Command = Command {
    name: "MESH_FILE",
    chapter: Chapter::Geometry,
    args: &[PATH, PART, VOLID, SURFID, SCALE],
    returns: "a MESH",
    modes: Modes::Both,
    doc: "A mesh from a file: Abaqus, Gmsh, VTU, VTK, Netgen, TetGen, or one of sf-mesh. Elements of second order become \
          their corners. Solfec-1.0 has no such command.",
    run: mesh_file,
};

static CONVEX_FILE: Command = Command {
    name: "CONVEX_FILE",
    chapter: Chapter::Geometry,
    args: &[PATH, PART, VOLID, Arg { doc: "surface id of all faces", default: Default::Absent("as in the file"), ..SURFID }, SCALE],
    returns: "a CONVEX",
    modes: Modes::Both,
    doc: "A collection of polyhedra from a file in which each part is a closed convex surface, such as 'sf-mesh decompose' \
          and 'sf-mesh hull' write. Polyhedra of one body do not touch each other. Pieces that 'sf-mesh decompose' has made \
          have the volume, the mass centre and the inertia of the solid that they were made of. Solfec-1.0 has no such command.",
    run: convex_file,
};

fn mesh_file(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (path, MeshFile { parts, .. }) = content(session, args)?;
    let about = |text: String| Fault::value(format!("{}: {text}", path.display()));
    let mut mesh = RawMesh::default();
    for part in parts {
        solfec::meshdata::join(&mut mesh, &part.explicit().mesh);
    }
    if mesh.elements.is_empty() {
        let text = "has surfaces only; make convex parts of them by 'sf-mesh decompose' and take CONVEX_FILE";
        return Err(about(text.into()));
    }
    if args.given("volid") {
        let volid = args.id("volid")?;
        mesh.elements.iter_mut().for_each(|element| element.volid = volid);
    }
    mesh.surfid = args.id("surfid")?;
    mesh.faces.retain(|face| face.1 != 0);
    let (mesh, warnings) = mesh.mesh().map_err(|e| about(format!("{e} ('sf-mesh check' tells all)")))?;
    for text in warnings {
        session.warn("geometry", &format!("{}: {text}", path.display()));
    }
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

fn convex_file(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (path, MeshFile { parts, solid }) = content(session, args)?;
    let surfid = args.given("surfid").then(|| args.id("surfid")).transpose()?;
    let volid = args.given("volid").then(|| args.id("volid")).transpose()?.unwrap_or(0);
    let mut shapes = Vec::new();
    for part in parts {
        let name = if part.name.is_empty() { String::new() } else { format!("part '{}': ", part.name) };
        let about = |text: String| Fault::value(format!("{}: {name}{text}", path.display()));
        if !part.mesh.elements.is_empty() {
            return Err(about("is a mesh; take MESH_FILE".into()));
        }
        let face = |(nodes, id): &(Vec<u32>, i32)| Face { nodes: nodes[..].into(), surfid: surfid.unwrap_or(*id) };
        let faces = part.mesh.faces.iter().map(face).collect();
        let convex = Convex::new(part.mesh.nodes.clone(), faces, volid, session.epsilon);
        let (convex, _) = convex.map_err(|e| about(format!("{e}; 'sf-mesh decompose' makes convex parts")))?;
        shapes.push(Shape::new(convex));
    }
    let made = session.shapes.add("CONVEX", shapes);
    session.shapes.get(made)?.solid = solid;
    Ok(Value::Handle(made))
}

/// The parts that are asked for, to scale, and the path of the file.
fn content(session: &mut Session, args: &Args) -> Result<(PathBuf, MeshFile), Fault> {
    let given = Path::new(args.text("path")?);
    let path = session.beside_the_deck(given);
    let failed = |error: solfec_formats::Error| match error {
        solfec_formats::Error::Io(text) | solfec_formats::Error::Full(text) => Fault::new(FaultKind::System, text),
        solfec_formats::Error::Format(text) => Fault::value(text),
    };
    let (mut file, remarks) = meshes::read(&path, None).map_err(failed)?;
    session.inputs.push(path.display().to_string());
    for text in remarks {
        session.warn("geometry", &format!("{}: {text}", path.display()));
    }
    if let Some(name) = args.maybe_text("part") {
        let near = did_you_mean(name, file.parts.iter().map(|part| part.name.as_str()));
        file.parts.retain(|part| part.name == name);
        file.solid = None;
        if file.parts.is_empty() {
            return Err(Fault::value(format!("part: {} has no part '{name}'{near}", path.display())));
        }
    }
    let scale = args.real("scale")?;
    if scale != 1.0 {
        file.map(|x| x * scale, false);
    }
    Ok((path, file))
}
