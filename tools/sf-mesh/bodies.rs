//! The bodies of a model, or of a frame of results, as meshes and surfaces: a part for each shape of a body.

use std::path::Path;

use solfec::frame::Frame;
use solfec::meshdata::move_nodes;
use solfec::model::Model;
use solfec::query::{initial_frame, nearest, Point, ShownBodies};
use solfec::shape::{Convex, Ellipsoid, RawMesh, Shape};
use solfec_formats::meshes::{MeshFile, Part};
use solfec_formats::results::{self, Results};
use solfec_formats::{kind_of, model, Kind};

use crate::cli::CliError;

/// Whether a file or a directory holds bodies.
pub fn has_bodies(path: &Path) -> bool {
    if path.is_dir() {
        return results::exists(path);
    }
    let named = path.extension().is_some_and(|ending| ending == "h5");
    named && kind_of(path).is_ok_and(|kind| matches!(kind, Kind::Model | Kind::Results))
}

/// The bodies of the first SOLFEC object: of a model at the start, of results at the frame nearest to `time` [s], or
/// the last. Balls and ellipsoids become polyhedra of their volume.
///
/// # Errors
/// Damaged files, results without frames.
pub fn read(path: &Path, time: Option<f64>) -> Result<MeshFile, CliError> {
    let none = |what: &str| CliError::bad_input(format!("{}: has no {what}", path.display()));
    if kind_of(path)? == Kind::Model {
        let file = model::read_file(path)?;
        let model = file.domains.first().ok_or_else(|| none("SOLFEC object"))?;
        return parts(model, &initial_frame(model, solfec::body::kinds())?);
    }
    let results = Results::open(path)?;
    let file = results.model()?;
    let model = file.domains.first().ok_or_else(|| none("SOLFEC object"))?;
    let times = results.frame_times(0)?;
    let last = times.len().checked_sub(1).ok_or_else(|| none("frames"))?;
    let frame = time.and_then(|t| nearest(times, t, model.step)).unwrap_or(last);
    parts(model, &results.read_frame(0, frame)?)
}

fn parts(model: &Model, frame: &Frame) -> Result<MeshFile, CliError> {
    let mut bodies: Vec<_> = ShownBodies::of(model, frame).all().collect();
    bodies.sort_by_key(|view| view.row());
    let mut parts = Vec::new();
    for view in bodies {
        let body = view.body();
        let name = if body.label.is_empty() { format!("BODY-{}", body.id) } else { body.label.clone() };
        for shape in model.shapes_of(body) {
            let mut mesh = at_rest(&shape)?;
            move_nodes(&mut mesh, |x| view.place(&Point::new(*x)), false);
            parts.push(Part { name: name.clone(), mesh, sets: Vec::new() });
        }
    }
    Ok(MeshFile::of(parts))
}

/// A shape in the reference configuration of its body.
fn at_rest(shape: &Shape) -> Result<RawMesh, CliError> {
    let geometry = &shape.geometry;
    let ball = geometry.sphere().map(|b| Ellipsoid::new(b.center, [b.radius; 3].into(), b.volid, b.surfid));
    let mut mesh = if let Some(mesh) = geometry.mesh() {
        RawMesh::from(mesh)
    } else if let Some(convex) = geometry.convex() {
        surface_of(convex)
    } else if let Some(ball) = ball {
        surface_of(&ball?.polyhedron()?)
    } else if let Some(ellipsoid) = geometry.ellipsoid() {
        surface_of(&ellipsoid.polyhedron()?)
    } else {
        RawMesh::default()
    };
    move_nodes(&mut mesh, |x| shape.point(x), false);
    Ok(mesh)
}

/// A polyhedron as a surface.
pub fn surface_of(convex: &Convex) -> RawMesh {
    let faces = convex.faces.iter().map(|face| (face.nodes.to_vec(), face.surfid)).collect();
    RawMesh { nodes: convex.vertices.clone(), faces, ..RawMesh::default() }
}
