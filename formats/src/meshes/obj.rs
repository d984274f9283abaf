//! Wavefront OBJ: polygons. Objects (`o`) are parts, groups (`g`) are sets of faces; a group `SURFACE_<n>` gives the
//! surface id n, other groups are numbered from 1 in their order where there are several. Texture, normals, materials,
//! points and lines are passed over.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use solfec::math::Vec3;
use solfec::meshdata;
use solfec::shape::RawMesh;

use super::surfaces::{surface_number, surfaces};
use super::text::{shown, words, Text};
use super::{MeshFile, Part, SetKind, Style, Written};
use crate::error::Result;

/// Keywords without meaning for a surface.
const PASSED: &[&[u8]] =
    &[b"vt", b"vn", b"vp", b"s", b"mtllib", b"usemtl", b"l", b"p", b"mg", b"lod", b"usemap", b"maplib"];

/// A polygon with its object and group.
struct Face {
    object: usize,
    group: usize,
    nodes: Vec<u32>,
}

pub(super) fn begins(bytes: &[u8]) -> bool {
    let mut text = Text::new(bytes, "");
    let first = text.content().unwrap_or_default();
    let keyword = words(first).next().unwrap_or_default();
    [b"v".as_slice(), b"o", b"g", b"mtllib"].contains(&keyword)
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let mut text = Text::new(bytes, name);
    let mut nodes: Vec<Vec3> = Vec::new();
    let mut faces: Vec<Face> = Vec::new();
    let (mut objects, mut groups) = (vec![String::new()], vec![String::new()]);
    while let Some(line) = text.content() {
        let line = match line.strip_suffix(b"\\") {
            Some(head) => [head, text.wanted_line("the rest of the line")?].concat(),
            None => line.to_vec(),
        };
        let mut fields = words(&line);
        let rest = |fields: &mut dyn Iterator<Item = &[u8]>| {
            fields.map(|word| String::from_utf8_lossy(word).into_owned()).collect::<Vec<_>>().join(" ")
        };
        match fields.next().unwrap_or_default() {
            b"v" => {
                let mut x = Vec3::zeros();
                for x in x.iter_mut() {
                    *x = text.real(fields.next().unwrap_or_default(), "a coordinate")?;
                }
                nodes.push(x);
            }
            b"f" => {
                let corners = fields.map(|word| corner(word, nodes.len(), &text)).collect::<Result<Vec<u32>>>()?;
                if corners.len() < 3 {
                    return Err(text.fail(format!("a face of {} corners; at least three are expected", corners.len())));
                }
                faces.push(Face { object: objects.len() - 1, group: groups.len() - 1, nodes: corners });
            }
            b"o" => objects.push(rest(&mut fields)),
            b"g" => groups.push(rest(&mut fields)),
            keyword if PASSED.contains(&keyword) => {}
            other => {
                return Err(text.fail(format!("{} is no keyword of OBJ that is read; v or f is expected", shown(other))))
            }
        }
    }
    if let Some(n) = faces.iter().flat_map(|face| &face.nodes).find(|n| **n as usize >= nodes.len()) {
        return Err(text.fail(format!("a face names vertex {}, but there are {}", u64::from(*n) + 1, nodes.len())));
    }
    Ok((MeshFile::of(parts(nodes, faces, &objects, &groups)), Vec::new()))
}

/// `7`, `7/1`, `7//2`, `-1`; from 1, or back from the last vertex.
fn corner(word: &[u8], count: usize, text: &Text) -> Result<u32> {
    let number = text.integer(word.split(|&b| b == b'/').next().unwrap_or_default(), "a vertex")?;
    let row = if number > 0 { number.checked_sub(1) } else { number.checked_add(count as i64) };
    let row = row.filter(|_| number != 0).and_then(|row| u32::try_from(row).ok());
    row.ok_or_else(|| text.fail(format!("vertex {number} is not there; they count from 1, or back from the last")))
}

fn parts(nodes: Vec<Vec3>, faces: Vec<Face>, objects: &[String], groups: &[String]) -> Vec<Part> {
    let mut of: BTreeMap<usize, Vec<Face>> = BTreeMap::new();
    for face in faces {
        of.entry(face.object).or_default().push(face);
    }
    let several = of.len() > 1;
    let mut parts = Vec::new();
    for (object, faces) in of {
        let mut names: Vec<&str> = faces.iter().map(|face| groups[face.group].as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let mut order: Vec<&str> = Vec::new();
        for name in faces.iter().map(|face| groups[face.group].as_str()) {
            if !order.contains(&name) {
                order.push(name);
            }
        }
        let id = |name: &str| {
            let counted = || order.iter().position(|other| *other == name).filter(|_| order.len() > 1);
            surface_number(name).or_else(|| counted().map(|at| at as i32 + 1)).unwrap_or(0)
        };
        let name = if several || objects.len() > 1 { objects[object].clone() } else { String::new() };
        let mut part = Part { name, ..Part::default() };
        let mut sets: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (row, face) in (0..).zip(&faces) {
            let group = groups[face.group].as_str();
            part.mesh.faces.push((face.nodes.clone(), id(group)));
            if !group.is_empty() && surface_number(group).is_none() {
                sets.entry(group).or_default().push(row);
            }
        }
        part.mesh.nodes.clone_from(&nodes);
        if several {
            meshdata::compact(&mut part.mesh);
        }
        for (name, rows) in sets {
            part.add_to_set(SetKind::Faces, name, rows.into_iter());
        }
        parts.push(part);
    }
    parts
}

pub(super) fn write(file: &MeshFile, _: Style) -> Result<Written> {
    let (all, mut remarks) = surfaces(file, "obj")?;
    let sets: usize = file.parts.iter().map(|part| part.sets.len()).sum();
    if sets > 0 {
        remarks.push(format!("obj is written with groups of surface ids: {sets} named sets are left out"));
    }
    let mut bytes = b"# written by sf-mesh\n".to_vec();
    let mut first = 1;
    let named = all.len() > 1 || all.iter().any(|(name, _)| !name.is_empty());
    for (name, mesh) in &all {
        if named {
            let _ = writeln!(bytes, "o {name}");
        }
        for x in &mesh.nodes {
            let _ = writeln!(bytes, "v {:?} {:?} {:?}", x.x, x.y, x.z);
        }
        polygons(&mut bytes, mesh, first);
        first += mesh.nodes.len();
    }
    Ok(Written { bytes, remarks, ..Written::default() })
}

fn polygons(bytes: &mut Vec<u8>, mesh: &RawMesh, first: usize) {
    let ids = mesh.faces.iter().any(|face| face.1 != 0);
    for run in mesh.faces.chunk_by(|a, b| a.1 == b.1) {
        if ids {
            let _ = writeln!(bytes, "g SURFACE_{}", run[0].1);
        }
        for (nodes, _) in run {
            let corners: Vec<String> = nodes.iter().map(|&n| (n as usize + first).to_string()).collect();
            let _ = writeln!(bytes, "f {}", corners.join(" "));
        }
    }
}
