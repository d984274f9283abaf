//! Our own format: parts, sets and all ids in one HDF5 file, which also goes through pipes.

use std::path::Path;

use solfec::math::{Mat3, Vec3};
use solfec::meshing::Tetrahedra;
use solfec::shape::{Integrals, RawElement, RawMesh};

use super::{MeshFile, Part, Set, SetKind, Style, Written};
use crate::error::{Error, Result};
use crate::image;
use crate::mesh_cache;
use crate::schema::{concat, count, Column};
use crate::store::{In, Out};

/// Root attribute `format`.
pub const FORMAT: &str = "solfec-mesh";
/// Root attribute `format_version`: readers accept any minor version of their major one.
pub const VERSION: &str = "1.0";
const MAJOR: u32 = 1;
/// gzip level of large columns.
const COMPRESSION: u8 = 1;

solfec::table! {
    /// Parts: their names, and where their rows are.
    struct PartRows("parts", "p") {
        name: String = "parts/name", "", "name, empty if there is none";
        surfid: i32 = "parts/surfid", "1", "surface id of the boundary faces not listed";
        nodes: u64 = "parts/nodes", "1", "number of its nodes; parts lie one after another";
        elements: u64 = "parts/elements", "1", "number of its elements";
        faces: u64 = "parts/faces", "1", "number of its listed faces";
        sets: u64 = "parts/sets", "1", "number of its sets";
    }
}

solfec::table! {
    /// Nodes.
    struct NodeRows("nodes", "nodes") {
        node: [f64; 3] = "nodes", "m", "coordinates";
    }
}

solfec::table! {
    /// Elements.
    struct ElementRows("elements", "elements") {
        kind: u8 = "elements/type", "1", "number of nodes".names(r#"{"TET": 4, "PYRAMID": 5, "WEDGE": 6, "HEX": 8}"#);
        volid: i32 = "elements/volid", "1", "volume id";
    }
}

solfec::table! {
    /// Nodes of elements.
    struct ElementNodes("node numbers of elements", "en") {
        node: u32 = "elements/nodes", "1", "node numbers of one element after another, from 0 within the part";
    }
}

solfec::table! {
    /// Faces: of elements, with their surface id, or the polygons of a surface.
    struct FaceRows("faces", "faces") {
        count: u32 = "faces/count", "1", "number of corners";
        surfid: i32 = "faces/surfid", "1", "surface id";
    }
}

solfec::table! {
    /// Corners of faces.
    struct FaceNodes("corners of faces", "fn") {
        node: u32 = "faces/nodes", "1", "node numbers of one face after another, from 0 within the part";
    }
}

solfec::table! {
    /// Named sets.
    struct SetRows("sets", "sets") {
        kind: u8 = "sets/kind", "1", "what is in it".names(r#"{"NODES": 0, "ELEMENTS": 1, "FACES": 2}"#);
        name: String = "sets/name", "", "name";
        count: u64 = "sets/count", "1", "number of its rows";
    }
}

solfec::table! {
    /// Members of sets.
    struct SetMembers("members of sets", "members") {
        row: u32 = "sets/rows", "1", "rows of one set after another, ascending, from 0 within the part";
    }
}

solfec::table! {
    /// The solid that all parts together stand for.
    struct SolidRows("solids", "1") {
        volume: f64 = "solid/volume", "m3", "volume of the solid that all parts stand for; absent: that of the parts" .optional();
        center: [f64; 3] = "solid/center", "m", "its centre" .optional();
        euler: [f64; 9] = "solid/euler", "m5", "its centred second moments, column by column" .optional();
    }
}

const TABLES: [&[Column]; 9] = [
    PartRows::COLUMNS,
    NodeRows::COLUMNS,
    ElementRows::COLUMNS,
    ElementNodes::COLUMNS,
    FaceRows::COLUMNS,
    FaceNodes::COLUMNS,
    SetRows::COLUMNS,
    SetMembers::COLUMNS,
    SolidRows::COLUMNS,
];

/// The columns of the file.
pub const COLUMNS: &[Column] = &concat::<{ count(&TABLES) }>(&TABLES);

pub(super) fn write(file: &MeshFile, _: Style) -> Result<Written> {
    let mut out = Out::memory(COLUMNS, COMPRESSION)?;
    out.set_text("/", "format", FORMAT)?;
    out.set_text("/", "format_version", VERSION)?;
    let parts = &file.parts;
    let sets = || parts.iter().flat_map(|part| &part.sets);
    let faces = || parts.iter().flat_map(|part| &part.mesh.faces);
    let elements = || parts.iter().flat_map(|part| &part.mesh.elements);
    let counted = |count: fn(&Part) -> usize| parts.iter().map(|part| count(part) as u64).collect();
    out.put_table(
        "/",
        &PartRows {
            name: parts.iter().map(|part| part.name.clone()).collect(),
            surfid: parts.iter().map(|part| part.mesh.surfid).collect(),
            nodes: counted(|part| part.mesh.nodes.len()),
            elements: counted(|part| part.mesh.elements.len()),
            faces: counted(|part| part.mesh.faces.len()),
            sets: counted(|part| part.sets.len()),
        },
    )?;
    out.put_table("/", &NodeRows { node: parts.iter().flat_map(|p| &p.mesh.nodes).map(|x| (*x).into()).collect() })?;
    let kind = elements().map(|e| e.nodes().len() as u8).collect();
    out.put_table("/", &ElementRows { kind, volid: elements().map(|e| e.volid).collect() })?;
    out.put_table("/", &ElementNodes { node: elements().flat_map(|e| e.nodes().to_vec()).collect() })?;
    let count = faces().map(|face| face.0.len() as u32).collect();
    out.put_table("/", &FaceRows { count, surfid: faces().map(|face| face.1).collect() })?;
    out.put_table("/", &FaceNodes { node: faces().flat_map(|face| face.0.iter().copied()).collect() })?;
    out.put_table(
        "/",
        &SetRows {
            kind: sets().map(|set| set.kind as u8).collect(),
            name: sets().map(|set| set.name.clone()).collect(),
            count: sets().map(|set| set.rows.len() as u64).collect(),
        },
    )?;
    out.put_table("/", &SetMembers { row: sets().flat_map(|set| set.rows.iter().copied()).collect() })?;
    if let Some(solid) = &file.solid {
        let mut euler = [0.0; 9];
        euler.copy_from_slice(solid.euler.as_slice());
        let rows = SolidRows { volume: vec![solid.volume], center: vec![solid.center.into()], euler: vec![euler] };
        out.put_table("/", &rows)?;
    }
    let bytes = image::bytes(&out.file).map_err(|e| Error::Io(format!("cannot take the image of a mesh: {e}")))?;
    Ok(Written { bytes, ..Written::default() })
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let from = In::foreign_memory(bytes.to_vec(), name, "a mesh")?;
    if from.text_attribute("", "format")?.as_deref() == Some(mesh_cache::FORMAT) {
        return Ok((MeshFile::of(vec![kept(mesh_cache::content(&from)?.mesh)]), Vec::new()));
    }
    from.require_format(FORMAT)?;
    from.require_version(MAJOR)?;
    if let Some(damage) = from.damages("")?.first() {
        return Err(Error::Format(damage.clone()));
    }
    let mut parts = PartRows::default();
    from.get_table("/", &mut parts)?;
    let mut nodes = NodeRows::default();
    from.get_table("/", &mut nodes)?;
    if let Some(row) = nodes.node.iter().position(|x| x.iter().any(|x| !x.is_finite())) {
        return Err(Error::format(&from.at("", "nodes"), format!("row {row}: coordinates are not finite")));
    }
    let mut elements = ElementRows::default();
    from.get_table("/", &mut elements)?;
    let mut of_elements = ElementNodes::default();
    from.get_table("/", &mut of_elements)?;
    let mut faces = FaceRows::default();
    from.get_table("/", &mut faces)?;
    let mut of_faces = FaceNodes::default();
    from.get_table("/", &mut of_faces)?;
    let mut sets = SetRows::default();
    from.get_table("/", &mut sets)?;
    let mut members = SetMembers::default();
    from.get_table("/", &mut members)?;

    let mut solids = SolidRows::default();
    if from.has("", "solid/volume") {
        from.get_table("/", &mut solids)?;
    }
    let mut rows = Rows { name, nodes: &nodes.node, elements: 0, faces: 0, sets: 0 };
    let (mut element_nodes, mut face_nodes, mut set_rows) =
        (&of_elements.node[..], &of_faces.node[..], &members.row[..]);
    let mut file = MeshFile::default();
    for i in 0..parts.name.len() {
        let mut part = Part { name: parts.name[i].clone(), ..Part::default() };
        part.mesh = RawMesh { surfid: parts.surfid[i], ..RawMesh::default() };
        part.mesh.nodes =
            split(&mut rows.nodes, parts.nodes[i], name, "nodes")?.iter().map(|&x| Vec3::from(x)).collect();
        let of = rows.range(|rows| &mut rows.elements, parts.elements[i], elements.kind.len(), "elements/type")?;
        for e in of {
            let numbers = split(&mut element_nodes, elements.kind[e].into(), name, "elements/nodes")?;
            let element = RawElement::new(numbers, elements.volid[e]);
            part.mesh.elements.push(element.map_err(|e| Error::format(name, e.to_string()))?);
        }
        for f in rows.range(|rows| &mut rows.faces, parts.faces[i], faces.count.len(), "faces/count")? {
            let numbers = split(&mut face_nodes, faces.count[f].into(), name, "faces/nodes")?;
            part.mesh.faces.push((numbers.to_vec(), faces.surfid[f]));
        }
        part.check_numbers(name)?;
        for s in rows.range(|rows| &mut rows.sets, parts.sets[i], sets.kind.len(), "sets/kind")? {
            let members = split(&mut set_rows, sets.count[s], name, "sets/rows")?;
            part.sets.push(set(&part.mesh, sets.kind[s], &sets.name[s], members, name)?);
        }
        file.parts.push(part);
    }
    file.solid = solid(&solids, name)?;
    Ok((file, Vec::new()))
}

/// What stands in the file of the solid.
fn solid(rows: &SolidRows, name: &str) -> Result<Option<Integrals>> {
    let (Some(&volume), Some(&center), Some(euler)) = (rows.volume.first(), rows.center.first(), rows.euler.first())
    else {
        return Ok(None);
    };
    if !(volume > 0.0 && center.iter().chain(euler).chain([&volume]).all(|x| x.is_finite())) {
        return Err(Error::format(&format!("{name}: /solid"), "a positive volume and finite numbers are wanted"));
    }
    Ok(Some(Integrals { volume, center: Vec3::from(center), euler: Mat3::from_column_slice(euler) }))
}

/// The tetrahedra that TETRAHEDRALIZE of a deck keeps: regions are volume ids.
fn kept(mesh: Tetrahedra) -> Part {
    let regions = mesh.regions.into_iter().chain(std::iter::repeat(0));
    let element = |(four, region): ([u32; 4], i32)| RawElement::new(&four, region).ok();
    let elements = mesh.elements.into_iter().zip(regions).filter_map(element).collect();
    let faces = mesh.faces.into_iter().map(|(nodes, surfid)| (nodes.to_vec(), surfid)).collect();
    let mesh = RawMesh { nodes: mesh.nodes, elements, surfid: 0, faces };
    Part { mesh, ..Part::default() }
}

/// Rows that parts have not taken yet.
struct Rows<'a> {
    name: &'a str,
    nodes: &'a [[f64; 3]],
    elements: usize,
    faces: usize,
    sets: usize,
}

impl Rows<'_> {
    /// The next `count` rows of a table of `all`.
    fn range(
        &mut self,
        taken: fn(&mut Self) -> &mut usize,
        count: u64,
        all: usize,
        path: &str,
    ) -> Result<std::ops::Range<usize>> {
        let name = self.name;
        let from = taken(self);
        let end = usize::try_from(count).ok().and_then(|count| from.checked_add(count)).filter(|&end| end <= all);
        let Some(end) = end else {
            return Err(Error::format(&format!("{name}: /{path}"), format!("{all} rows, but the parts have more")));
        };
        let range = *from..end;
        *from = end;
        Ok(range)
    }
}

fn split<'a, T>(rest: &mut &'a [T], count: u64, name: &str, path: &str) -> Result<&'a [T]> {
    let split = usize::try_from(count).ok().and_then(|count| rest.split_at_checked(count));
    let Some((found, left)) = split else {
        let text = format!("{} rows are left, but {count} are wanted; the columns disagree", rest.len());
        return Err(Error::format(&format!("{name}: /{path}"), text));
    };
    *rest = left;
    Ok(found)
}

fn set(mesh: &RawMesh, kind: u8, name: &str, rows: &[u32], file: &str) -> Result<Set> {
    let (kind, all) = match kind {
        0 => (SetKind::Nodes, mesh.nodes.len()),
        1 => (SetKind::Elements, mesh.elements.len()),
        2 => (SetKind::Faces, mesh.faces.len()),
        other => return Err(Error::format(&format!("{file}: /sets/kind"), format!("{other}; 0, 1 or 2 is expected"))),
    };
    match rows.iter().find(|&&row| row as usize >= all) {
        Some(row) => Err(Error::format(&format!("{file}: /sets/rows"), format!("row {row} of {all} in set '{name}'"))),
        None => Ok(Set { kind, name: name.into(), rows: rows.to_vec() }),
    }
}
