//! Abaqus input files, written: flat if there is one part without a name, else parts and one instance of each.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write as _;

use solfec::meshdata::{self, FaceKey};

use super::abaqus_deck::{face_name, id_of_set, surface_number};
use super::{MeshFile, Part, Set, SetKind, Style, Written};
use crate::error::{Error, Result};

/// Entries of a data line of a set.
const ACROSS: usize = 16;

pub(super) fn write(file: &MeshFile, _: Style) -> Result<Written> {
    let mut out = Written::default();
    out.bytes.extend_from_slice(b"*HEADING\nwritten by sf-mesh\n");
    let parts: Vec<Part> = file.parts.iter().map(|part| numbered(part.explicit(), &mut out.remarks)).collect();
    let flat = matches!(&parts[..], [only] if only.name.is_empty());
    let name = |k: usize, part: &Part| if part.name.is_empty() { format!("PART-{}", k + 1) } else { part.name.clone() };
    for (k, part) in parts.iter().enumerate() {
        if part.mesh.elements.is_empty() {
            return Err(Error::Format(
                "an Abaqus file cannot hold a surface without elements here; write .stl, .obj or .vtu instead".into(),
            ));
        }
        if !flat {
            line(&mut out.bytes, format_args!("*PART, NAME=\"{}\"", name(k, part)));
        }
        write_part(part, &mut out)?;
        if !flat {
            line(&mut out.bytes, format_args!("*END PART"));
        }
    }
    if !flat {
        line(&mut out.bytes, format_args!("*ASSEMBLY, NAME=ASSEMBLY"));
        for (k, part) in parts.iter().enumerate() {
            let name = name(k, part);
            line(&mut out.bytes, format_args!("*INSTANCE, NAME=\"{name}\", PART=\"{name}\"\n*END INSTANCE"));
        }
        line(&mut out.bytes, format_args!("*END ASSEMBLY"));
    }
    Ok(out)
}

/// The part without sets whose names would give other ids when the file is read, and with all faces listed whose id 0
/// sets would change.
fn numbered(mut part: Part, remarks: &mut Vec<String>) -> Part {
    let is_number = |set: &Set| id_of_set(set.kind, &set.name).is_some();
    let lost: Vec<&str> = part.sets.iter().filter(|set| is_number(set)).map(|set| set.name.as_str()).collect();
    if !lost.is_empty() {
        remarks.push(format!(
            "inp takes sets of these names for volume and surface ids: {} left out; give them other names",
            lost.join(", ")
        ));
    }
    part.sets.retain(|set| !is_number(set));
    if part.sets.iter().any(|set| set.kind == SetKind::Nodes && surface_number(&set.name).is_some()) {
        let listed: HashSet<FaceKey> =
            part.mesh.faces.iter().filter_map(|(nodes, _)| meshdata::face_key(nodes)).collect();
        let outer = meshdata::outer_faces(&part.mesh).into_iter().map(|face| (face.nodes, 0));
        let missing = outer.filter(|(nodes, _)| meshdata::face_key(nodes).is_some_and(|key| !listed.contains(&key)));
        let missing: Vec<(Vec<u32>, i32)> = missing.collect();
        part.mesh.faces.extend(missing);
    }
    part
}

/// Memory takes every line.
fn line(out: &mut Vec<u8>, text: std::fmt::Arguments) {
    let _ = writeln!(out, "{text}");
}

fn write_part(part: &Part, out: &mut Written) -> Result<()> {
    let mesh = &part.mesh;
    line(&mut out.bytes, format_args!("*NODE"));
    for (n, x) in (1..).zip(&mesh.nodes) {
        line(&mut out.bytes, format_args!("{n}, {:?}, {:?}, {:?}", x.x, x.y, x.z));
    }
    let mut row = 1;
    for run in mesh.elements.chunk_by(|a, b| a.nodes().len() == b.nodes().len()) {
        line(&mut out.bytes, format_args!("*ELEMENT, TYPE=C3D{}", run[0].nodes().len()));
        for element in run {
            let _ = write!(out.bytes, "{row}");
            for n in element.nodes() {
                let _ = write!(out.bytes, ", {}", n + 1);
            }
            out.bytes.push(b'\n');
            row += 1;
        }
    }
    let mut volumes: BTreeMap<i32, Vec<u32>> = BTreeMap::new();
    for (e, element) in (0..).zip(&mesh.elements).filter(|(_, element)| element.volid != 0) {
        volumes.entry(element.volid).or_default().push(e);
    }
    for (volid, rows) in &volumes {
        line(&mut out.bytes, format_args!("*ELSET, ELSET=VOLUME_{volid}"));
        list(&mut out.bytes, rows);
    }
    for set in part.sets.iter().filter(|set| !set.rows.is_empty()) {
        match set.kind {
            SetKind::Nodes => line(&mut out.bytes, format_args!("*NSET, NSET=\"{}\"", set.name)),
            SetKind::Elements => line(&mut out.bytes, format_args!("*ELSET, ELSET=\"{}\"", set.name)),
            SetKind::Faces => continue,
        }
        list(&mut out.bytes, &set.rows);
    }
    write_surfaces(part, out);
    Ok(())
}

/// Labels, from 1.
fn list(out: &mut Vec<u8>, rows: &[u32]) {
    for across in rows.chunks(ACROSS) {
        let labels: Vec<String> = across.iter().map(|row| (row + 1).to_string()).collect();
        line(out, format_args!("{}", labels.join(", ")));
    }
}

fn write_surfaces(part: &Part, out: &mut Written) {
    let mesh = &part.mesh;
    let wanted: HashSet<FaceKey> = mesh.faces.iter().filter_map(|(nodes, _)| meshdata::face_key(nodes)).collect();
    let mut owners: HashMap<FaceKey, (u32, usize)> = HashMap::new();
    for (e, element) in (0..).zip(&mesh.elements).filter(|_| !wanted.is_empty()) {
        for (local, table) in (0..).zip(meshdata::face_table(element)) {
            let nodes: Vec<u32> = table.iter().map(|&i| element.nodes()[usize::from(i)]).collect();
            if let Some(key) = meshdata::face_key(&nodes).filter(|key| wanted.contains(key)) {
                owners.entry(key).or_insert((e, face_name(element, local)));
            }
        }
    }
    let owner = |row: u32| meshdata::face_key(&mesh.faces[row as usize].0).and_then(|key| owners.get(&key));
    let lost = (0..mesh.faces.len() as u32).filter(|&row| owner(row).is_none()).count();
    if lost > 0 {
        out.remarks.push(format!("inp holds faces of elements only: {lost} other faces are left out"));
    }
    let mut surfaces: BTreeMap<i32, Vec<u32>> = BTreeMap::new();
    // Without a surface of its own a face has the id 0, unless a set gives it another.
    let zero = part.sets.iter().any(|set| set.kind == SetKind::Faces || surface_number(&set.name).is_some());
    for (row, face) in (0..).zip(&mesh.faces).filter(|(_, face)| face.1 != 0 || zero) {
        surfaces.entry(face.1).or_default().push(row);
    }
    let mut write = |name: &str, rows: &[u32]| {
        line(&mut out.bytes, format_args!("*SURFACE, NAME=\"{name}\", TYPE=ELEMENT"));
        for (e, face) in rows.iter().filter_map(|&row| owner(row)) {
            line(&mut out.bytes, format_args!("{}, S{face}", e + 1));
        }
    };
    for (surfid, rows) in &surfaces {
        write(&format!("SURFACE_{surfid}"), rows);
    }
    for set in part.sets.iter().filter(|set| set.kind == SetKind::Faces && !set.rows.is_empty()) {
        write(&set.name, &set.rows);
    }
}
