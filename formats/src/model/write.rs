//! Model → columns.

use sha2::{Digest, Sha256};
use solfec::load::Reading;
use solfec::material::SurfaceModel;
use solfec::model::{Analysis, BodyRow, Model};
use solfec::shape::{BoundaryFace, Convex, Geometry, Mesh, Sphere};

use super::{ModelFile, Provenance, FORMAT, VERSION};
use crate::error::{Error, Result};
use crate::store::Out;

/// Numbers of `shapes/kind`.
pub(super) const MESH: u8 = 0;
pub(super) const CONVEX: u8 = 1;
pub(super) const SPHERE: u8 = 2;

pub(super) const SELFCONTACT: u8 = 1;
pub(super) const DISABLE_ROTATION: u8 = 4;

/// The whole file.
pub(crate) fn file(out: &mut Out, model: &ModelFile) -> Result<()> {
    out.group("/domains")?;
    for (k, domain) in model.domains.iter().enumerate() {
        write_domain(out, &format!("/domains/{k}"), domain)?;
    }
    let hash = out.content_hash();
    let root = out.group("")?;
    for (key, value) in [
        ("format", FORMAT),
        ("format_version", VERSION),
        ("generator", concat!("Solfec tools ", env!("CARGO_PKG_VERSION"))),
        ("unit_system", "SI"),
        ("content_hash", &hash),
    ] {
        out.attribute(&root, key, value)?;
    }
    let requires_live = model.provenance.requires_live || model.domains.iter().any(Model::requires_live);
    root.new_attr::<u8>()
        .create("requires_live")
        .and_then(|a| a.write_scalar(&u8::from(requires_live)))
        .map_err(|e| Error::Io(format!("cannot write attribute requires_live: {e}")))?;
    provenance(out, &model.provenance)
}

/// `/provenance`, in model files and in results.
pub(crate) fn provenance(out: &mut Out, p: &Provenance) -> Result<()> {
    out.put_text("", "provenance/deck", &[&p.deck])?;
    out.put_text("", "provenance/runs", &p.runs)?;
    let of = |f: fn(&super::Input) -> &str| p.inputs.iter().map(f).collect::<Vec<_>>();
    out.put_text("", "provenance/inputs/path", &of(|i| &i.path))?;
    let sizes: Vec<u64> = p.inputs.iter().map(|i| i.size).collect();
    out.put("", "provenance/inputs/size", &sizes)?;
    out.put_text("", "provenance/inputs/sha256", &of(|i| &i.sha256))
}

fn write_domain(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let analysis = match m.analysis {
        Analysis::Dynamic => "DYNAMIC",
        Analysis::QuasiStatic => "QUASI_STATIC",
    };
    for (key, value) in [
        ("name", m.name.as_str()),
        ("analysis", analysis),
        ("output_path", &m.output_path),
        ("verbose", &m.verbose),
        ("compat", &m.compat.join(",")),
    ] {
        out.set_text(at, key, value)?;
    }
    let s = &m.settings;
    out.set_numbers(at, "step", &[m.step])?;
    out.set_numbers(at, "geometric_epsilon", &[s.epsilon])?;
    out.set_numbers(at, "penetration_depth", &[s.penetration_depth])?;
    out.set_numbers(at, "step_recovery", &[f64::from(u8::from(s.step_recovery))])?;
    let sparsify = [s.sparsify.threshold, s.sparsify.minarea, s.sparsify.mindist];
    out.set_numbers(at, "sparsify", &sparsify)?;
    out.set_numbers(at, "projected_area", &[f64::from(u8::from(s.sparsify.projected))])?;
    if let Some(extents) = &s.extents {
        out.set_numbers(at, "extents", extents)?;
    }
    if let Some(gravity) = s.gravity {
        out.put(at, "gravity", &gravity.map(i64::from))?;
    }
    out.put(at, "contact_exclude/bodies", &s.excluded_bodies)?;
    out.put(at, "contact_exclude/surfaces", &s.excluded_surfaces)?;
    series(out, at, m)?;
    materials(out, at, m)?;
    shapes(out, at, m)?;
    bodies(out, at, &m.bodies)?;
    super::constraints::write(out, at, &m.constraints)?;
    super::loads::write(out, at, m)?;
    super::display::write(out, at, &m.display_points)?;
    let steps = m.program.iter().map(op_text).collect::<Result<Vec<_>>>()?;
    out.put_text(at, "program/steps", &steps)
}

/// An operation as a row of `program/steps`.
pub(crate) fn op_text(op: &solfec::model::StoredOp) -> Result<String> {
    serde_json::to_string(op).map_err(|e| Error::Format(format!("operation {op:?} cannot be written: {e}")))
}

fn series(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let labels: Vec<&str> = m.series.iter().map(|s| s.label.as_str()).collect();
    out.put_text(at, "timeseries/label", &labels)?;
    out.put(at, "timeseries/offset", &offsets(m.series.iter().map(|s| s.times().len())))?;
    out.put(at, "timeseries/t", &collect(&m.series, |s| s.times()))?;
    out.put(at, "timeseries/v", &collect(&m.series, |s| s.values()))?;
    if m.series.iter().any(|s| s.reading() != Reading::Value) {
        out.put(at, "timeseries/reading", &column(&m.series, |s| s.reading() as u8))?;
    }
    Ok(())
}

fn materials(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let labels: Vec<&str> = m.bulk.iter().map(|b| b.label.as_str()).collect();
    out.put_text(at, "materials/bulk/label", &labels)?;
    out.put_text(at, "materials/bulk/model", &vec!["KIRCHHOFF"; m.bulk.len()])?;
    out.put(at, "materials/bulk/young", &column(&m.bulk, |b| b.young))?;
    out.put(at, "materials/bulk/poisson", &column(&m.bulk, |b| b.poisson))?;
    out.put(at, "materials/bulk/density", &column(&m.bulk, |b| b.density))?;
    out.put(at, "materials/bulk/tensile", &column(&m.bulk, |b| b.tensile))?;
    out.put(at, "materials/bulk/fracene", &column(&m.bulk, |b| b.fracene))?;

    let labels: Vec<&str> = m.surface.iter().map(|s| s.label.as_str()).collect();
    let laws = column(&m.surface, |s| match s.model {
        SurfaceModel::SignoriniCoulomb => "SIGNORINI_COULOMB",
        SurfaceModel::SpringDashpot => "SPRING_DASHPOT",
    });
    out.put_text(at, "materials/surface/label", &labels)?;
    out.put_text(at, "materials/surface/model", &laws)?;
    out.put(at, "materials/surface/surf1", &column(&m.surface, |s| s.surf[0]))?;
    out.put(at, "materials/surface/surf2", &column(&m.surface, |s| s.surf[1]))?;
    out.put(at, "materials/surface/friction", &column(&m.surface, |s| s.friction))?;
    out.put(at, "materials/surface/cohesion", &column(&m.surface, |s| s.cohesion))?;
    out.put(at, "materials/surface/restitution", &column(&m.surface, |s| s.restitution))?;
    out.put(at, "materials/surface/spring", &column(&m.surface, |s| s.spring))?;
    out.put(at, "materials/surface/dashpot", &column(&m.surface, |s| s.dashpot))?;
    out.put(at, "materials/surface/hpow", &column(&m.surface, |s| s.hpow))
}

fn shapes(out: &mut Out, at: &str, m: &Model) -> Result<()> {
    let (mut meshes, mut convexes, mut balls) = (Vec::new(), Vec::new(), Vec::new());
    let mut place = Vec::with_capacity(m.library.len());
    for geometry in &m.library {
        place.push(match geometry.as_ref() {
            Geometry::Mesh(mesh) => (MESH, push(&mut meshes, mesh)),
            Geometry::Convex(convex) => (CONVEX, push(&mut convexes, convex)),
            Geometry::Sphere(ball) => (SPHERE, push(&mut balls, ball)),
        });
    }
    if !meshes.is_empty() {
        write_meshes(out, at, &meshes)?;
    }
    if !convexes.is_empty() {
        write_convex(out, at, &convexes)?;
    }
    if !balls.is_empty() {
        write_spheres(out, at, &balls)?;
    }
    out.put(at, "shapes/kind", &column(&m.shapes, |s| place[s.geometry as usize].0))?;
    out.put(at, "shapes/index", &column(&m.shapes, |s| place[s.geometry as usize].1))?;
    let transforms = column(&m.shapes, |s| {
        let mut t = [0.0; 12];
        t[..9].copy_from_slice(s.rotation.as_slice());
        t[9..].copy_from_slice(s.shift.as_slice());
        t
    });
    let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    if transforms.iter().any(|t| *t != identity) {
        out.put(at, "shapes/transform", &transforms)?;
    }
    Ok(())
}

fn write_meshes(out: &mut Out, at: &str, meshes: &[&Mesh]) -> Result<()> {
    let elements = || meshes.iter().flat_map(|m| &m.elements);
    out.put(at, "meshes/node_offset", &offsets(meshes.iter().map(|m| m.nodes.len())))?;
    out.put(at, "meshes/elem_offset", &offsets(meshes.iter().map(|m| m.elements.len())))?;
    out.put(at, "meshes/face_offset", &offsets(meshes.iter().map(|m| m.boundary.len())))?;
    let nodes: Vec<[f64; 3]> = meshes.iter().flat_map(|m| &m.nodes).map(|&x| x.into()).collect();
    out.put(at, "meshes/nodes", &nodes)?;
    let types: Vec<u8> = elements().map(|e| e.kind as u8).collect();
    out.put(at, "meshes/elem_type", &types)?;
    let volids: Vec<i32> = elements().map(|e| e.volid).collect();
    out.put(at, "meshes/elem_volid", &volids)?;
    out.put(at, "meshes/conn_offset", &offsets(types.iter().map(|&t| t as usize)))?;
    let conn: Vec<i32> = elements().flat_map(|e| e.nodes[..e.kind as usize].iter().map(|&n| n as i32)).collect();
    out.put(at, "meshes/conn", &conn)?;
    let face = |m: &Mesh, f: &BoundaryFace| {
        let mut nodes = [-1; 4];
        let of = m.elements[f.element as usize].face(f.local as usize);
        nodes.iter_mut().zip(of).for_each(|(to, n)| *to = n as i32);
        nodes
    };
    let faces: Vec<[i32; 4]> = meshes.iter().flat_map(|m| m.boundary.iter().map(|f| face(m, f))).collect();
    out.put(at, "meshes/face_conn", &faces)?;
    let surfids: Vec<i32> = meshes.iter().flat_map(|m| &m.boundary).map(|f| f.surfid).collect();
    out.put(at, "meshes/face_surfid", &surfids)
}

fn write_convex(out: &mut Out, at: &str, convexes: &[&Convex]) -> Result<()> {
    let faces = || convexes.iter().flat_map(|c| &c.faces);
    out.put(at, "convex/vert_offset", &offsets(convexes.iter().map(|c| c.vertices.len())))?;
    out.put(at, "convex/face_offset", &offsets(convexes.iter().map(|c| c.faces.len())))?;
    let verts: Vec<[f64; 3]> = convexes.iter().flat_map(|c| &c.vertices).map(|&x| x.into()).collect();
    out.put(at, "convex/verts", &verts)?;
    out.put(at, "convex/face_conn_offset", &offsets(faces().map(|f| f.nodes.len())))?;
    let conn: Vec<i32> = faces().flat_map(|f| f.nodes.iter().map(|&n| n as i32)).collect();
    out.put(at, "convex/face_conn", &conn)?;
    let surfids: Vec<i32> = faces().map(|f| f.surfid).collect();
    out.put(at, "convex/face_surfid", &surfids)?;
    out.put(at, "convex/volid", &column(convexes, |c| c.volid))
}

fn write_spheres(out: &mut Out, at: &str, balls: &[&Sphere]) -> Result<()> {
    out.put(at, "spheres/center", &column(balls, |b| <[f64; 3]>::from(b.center)))?;
    out.put(at, "spheres/radius", &column(balls, |b| b.radius))?;
    out.put(at, "spheres/volid", &column(balls, |b| b.volid))?;
    out.put(at, "spheres/surfid", &column(balls, |b| b.surfid))
}

fn bodies(out: &mut Out, at: &str, bodies: &[BodyRow]) -> Result<()> {
    out.put(at, "bodies/id", &column(bodies, |b| b.id))?;
    let labels: Vec<&str> = bodies.iter().map(|b| b.label.as_str()).collect();
    out.put_text(at, "bodies/label", &labels)?;
    out.put(at, "bodies/kind", &column(bodies, |b| b.kind as u8))?;
    out.put(at, "bodies/scheme", &column(bodies, |b| b.scheme as u8))?;
    let flags =
        column(bodies, |b| SELFCONTACT * u8::from(b.selfcontact) + DISABLE_ROTATION * u8::from(b.disable_rotation));
    out.put(at, "bodies/flags", &flags)?;
    let mut shape_offset: Vec<u64> = bodies.iter().map(|b| b.shapes.start.into()).collect();
    shape_offset.push(bodies.last().map_or(0, |b| b.shapes.end.into()));
    if let Some((b, _)) = bodies.iter().zip(&shape_offset[1..]).find(|(b, &next)| u64::from(b.shapes.end) != next) {
        let text = format!("body {}: its shapes {:?} do not follow those of the body before", b.id, b.shapes);
        return Err(Error::Format(text));
    }
    out.put(at, "bodies/shape_offset", &shape_offset)?;
    out.put(at, "bodies/material", &column(bodies, |b| i64::from(b.material)))?;
    out.put(at, "bodies/damping", &column(bodies, |b| b.damping))?;
    out.put(at, "bodies/mass", &column(bodies, |b| b.chars.mass))?;
    out.put(at, "bodies/volume", &column(bodies, |b| b.chars.volume))?;
    out.put(at, "bodies/center", &column(bodies, |b| <[f64; 3]>::from(b.chars.center)))?;
    out.put(at, "bodies/tensor", &column(bodies, tensor))?;
    out.put(at, "bodies/conf_offset", &offsets(bodies.iter().map(|b| b.conf.len())))?;
    out.put(at, "bodies/conf", &collect(bodies, |b| &b.conf))?;
    out.put(at, "bodies/velo_offset", &offsets(bodies.iter().map(|b| b.velo.len())))?;
    out.put(at, "bodies/velo", &collect(bodies, |b| &b.velo))?;
    out.put(at, "bodies/hash", &column(bodies, body_hash))?;
    out.put(at, "bodies/source_line", &column(bodies, |b| b.line))
}

fn tensor(b: &BodyRow) -> [f64; 9] {
    std::array::from_fn(|i| b.chars.tensor.as_slice()[i])
}

/// First 128 bits of the SHA-256 of what identifies a body; little-endian throughout.
pub fn body_hash(b: &BodyRow) -> [u64; 2] {
    let mut bytes = Vec::with_capacity(160);
    bytes.extend_from_slice(&b.id.to_le_bytes());
    bytes.extend_from_slice(&(b.label.len() as u64).to_le_bytes());
    bytes.extend_from_slice(b.label.as_bytes());
    bytes.push(b.kind as u8);
    let numbers = [b.chars.mass, b.chars.volume].into_iter().chain(b.chars.center.iter().copied());
    for x in numbers.chain(tensor(b)) {
        bytes.extend_from_slice(&x.to_le_bytes());
    }
    let digest = Sha256::digest(&bytes);
    let word = |k: usize| (0..8).fold(0u64, |w, i| w << 8 | u64::from(digest[8 * k + i]));
    [word(0), word(1)]
}

fn push<'a, T>(to: &mut Vec<&'a T>, item: &'a T) -> i64 {
    to.push(item);
    to.len() as i64 - 1
}

pub(super) fn column<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

fn collect<'a, R, T: Copy + 'a>(rows: &'a [R], of: impl Fn(&'a R) -> &'a [T]) -> Vec<T> {
    rows.iter().flat_map(|r| of(r).iter().copied()).collect()
}

/// `0, n0, n0 + n1, …`
pub(crate) fn offsets(counts: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut sum = 0;
    let mut all = vec![0];
    all.extend(counts.map(|n| {
        sum += n as u64;
        sum
    }));
    all
}
