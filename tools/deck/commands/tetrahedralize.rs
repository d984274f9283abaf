//! TETRAHEDRALIZE: a mesh of tetrahedra by an installed mesher, kept in a file.

use std::path::Path;

use sha2::{Digest, Sha256};
use solfec::meshing::{Skin, Tetrahedra};
use solfec::shape::{Mesh, Shape};
use solfec_formats::mesh_cache;

use super::meshes::placed_mesh;
use crate::cli::{CliError, Exit};
use crate::deck::args::Args;
use crate::deck::fault::{Fault, FaultKind};
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;
use crate::mesher::{tetrahedra, Bounds, Source};

/// Keywords that decks of older versions pass.
const STALE: [&str; 3] = ["min_angle", "max_angle", "ref_length"];

const fn stale(name: &'static str) -> Arg {
    Arg::new(name, Kind::Anything, "ignored, with a warning").or(Default::Absent("nothing"))
}

pub const COMMANDS: &[&Command] = &[&TETRAHEDRALIZE];

static TETRAHEDRALIZE: Command = Command {
    name: "TETRAHEDRALIZE",
    chapter: Chapter::Geometry,
    args: &[
        Arg::new(
            "shape",
            Kind::Anything,
            "MESH, kept, or the path of a file with a surface that TetGen reads: .stl, .ply, .off, .poly, .smesh, .mesh",
        ),
        Arg::new("path", Kind::Text, "file that keeps the mesh (docs/formats/mesh-cache.md)"),
        Arg::new("volume", Kind::POSITIVE, "greatest volume of an element").unit("m3").or(Default::Absent("no bound")),
        Arg::new("quality", Kind::Number(ABOVE_ONE), "greatest ratio of the radius of the sphere through the corners \
                  to the shortest edge")
            .or(Default::Absent("no bound")),
        Arg::new("volid", Kind::ID, "volume id where nothing is inherited").or(Default::Absent("0")),
        Arg::new("surfid", Kind::ID, "surface id where nothing is inherited")
            .alias(&["surid"])
            .or(Default::Absent("0; 1 for files without markers of faces")),
        stale(STALE[0]),
        stale(STALE[1]),
        stale(STALE[2]),
    ],
    returns: "a MESH of tetrahedra",
    modes: Modes::Both,
    doc: "Fills the surface of a mesh, or of a file, with tetrahedra. Calls TetGen, or Gmsh where only that is installed. \
          Surface ids come from the faces of the mesh, or markers of the file, volume ids from the elements of the mesh, or \
          regions of the file if these have other numbers than 1. A mesh that the file keeps is used again if it was made from the same surface and bounds.",
    run,
};

const ABOVE_ONE: crate::deck::table::Range = crate::deck::table::Range { min: 1.0, max: f64::MAX, above: true };

/// What is asked for.
enum Wanted<'a> {
    Inside(&'a Mesh, Skin),
    File { path: &'a str, bytes: Vec<u8> },
}

fn run(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    for name in STALE.iter().filter(|name| args.given(name)) {
        session.warn("deck", &format!("{name}: is a keyword of an older version and ignored; use volume and quality"));
    }
    let placed = args.maybe_handle("shape").filter(|handle| handle.class == "MESH");
    let placed = placed.map(|handle| placed_mesh(session, handle)).transpose()?;
    let wanted = match (&placed, args.maybe_text("shape")) {
        (Some(mesh), _) => Wanted::Inside(mesh, Skin::of(mesh)),
        (None, Some(path)) => {
            let bytes = std::fs::read(path).map_err(|e| system(CliError::file(Path::new(path), "read", &e)))?;
            session.inputs.push(path.into());
            Wanted::File { path, bytes }
        }
        (None, None) => {
            let what = args.get("shape").describe();
            return Err(Fault::wrong_type(format!("shape: is {what}; give a MESH or the path of a file")));
        }
    };
    let bounds = Bounds { volume: args.maybe_real("volume"), quality: args.maybe_real("quality") };
    let (volid, surfid) = (args.maybe_int("volid"), args.maybe_int("surfid"));
    let surfid = surfid.map(crate::deck::args::narrow).transpose()?;
    let volid = volid.map_or(Ok(0), crate::deck::args::narrow)?;
    let found = kept_or_made(session, &wanted, bounds, surfid, Path::new(args.text("path")?))?;
    let within = match &wanted {
        Wanted::Inside(mesh, _) => Some(*mesh),
        Wanted::File { .. } => None,
    };
    let found = regions_or(found, volid);
    let mesh = found.mesh(within, volid, surfid.unwrap_or(0))?;
    Ok(Value::Handle(session.shapes.add("MESH", vec![Shape::new(mesh)])))
}

/// A file without regions is one region, which the mesher gives the number 1, or 0: then there are none.
fn regions_or(mut found: Tetrahedra, volid: i32) -> Tetrahedra {
    if found.regions.iter().all(|region| [0, 1].contains(region)) {
        found.regions = vec![volid; found.elements.len()];
    }
    found
}

fn kept_or_made(
    session: &mut Session,
    wanted: &Wanted,
    bounds: Bounds,
    surfid: Option<i32>,
    path: &Path,
) -> Result<Tetrahedra, Fault> {
    let key = key(wanted, bounds, surfid);
    let name = path.display();
    if path.exists() {
        if !mesh_cache::is_one(path) {
            return Err(Fault::value(format!(
                "path: '{name}' is there and holds no mesh of TETRAHEDRALIZE, or half of one; remove it or give another path"
            )));
        }
        match mesh_cache::read(path, &key) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {
                session.warn("mesh", &format!("{name}: was made from another shape or other bounds: made again"))
            }
            Err(error) => session.warn("mesh", &format!("{error}: made again")),
        }
    }
    let source = match wanted {
        Wanted::Inside(_, skin) => Source::Skin(skin),
        Wanted::File { path, .. } => Source::File { path: Path::new(*path), surfid: surfid.unwrap_or(1) },
    };
    let (found, warnings) = tetrahedra(&source, &bounds).map_err(system)?;
    warnings.iter().for_each(|text| session.warn("mesh", text));
    let written = mesh_cache::write(path, &key, &found);
    written.map_err(|error| Fault::new(FaultKind::System, error.to_string()))?;
    Ok(found)
}

/// SHA-256 of what the mesh depends on.
fn key(wanted: &Wanted, bounds: Bounds, surfid: Option<i32>) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{} {:?} {:?}", mesh_cache::VERSION, bounds.volume, bounds.quality));
    match wanted {
        Wanted::Inside(_, skin) => hash.update(format!("{skin:?}")),
        Wanted::File { path, bytes } => {
            let kind = Path::new(path).extension().unwrap_or_default();
            hash.update(format!("{kind:?} {surfid:?} "));
            hash.update(bytes);
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn system(error: CliError) -> Fault {
    let kind = if error.code == Exit::Io { FaultKind::System } else { FaultKind::Value };
    Fault::new(kind, error.text)
}
