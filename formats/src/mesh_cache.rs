//! Meshes of tetrahedra that were costly to make, kept with a key of what they were made from. docs/formats/mesh-cache.md
//! is their page.

use std::path::Path;

use solfec::math::Vec3;
use solfec::meshing::Tetrahedra;

use crate::error::{Error, Result};
use crate::schema::{concat, count, Column};
use crate::store::{create, In};

/// Root attribute `format`.
pub const FORMAT: &str = "solfec-mesh-cache";
/// Root attribute `format_version`: readers accept any minor version of their major one.
pub const VERSION: &str = "2.0";
const MAJOR: u32 = 2;
/// Group of the datasets.
const AT: &str = "/mesh";

solfec::table! {
    /// Nodes.
    struct NodeRows("nodes", "nodes") {
        node: [f64; 3] = "nodes", "m", "coordinates" .frame("reference");
    }
}

solfec::table! {
    /// Elements.
    struct ElementRows("elements", "elements") {
        conn: [u32; 4] = "tetrahedra/conn", "1", "node numbers, from 0";
        region: i32 = "tetrahedra/region", "1", "number of the region that the mesher found the element in; 0: none";
    }
}

solfec::table! {
    /// Boundary faces.
    struct FaceRows("boundary faces", "faces") {
        conn: [u32; 3] = "faces/conn", "1", "node numbers of a boundary face, from 0";
        surfid: i32 = "faces/surfid", "1", "its surface id";
    }
}

const LISTS: &[&[Column]] = &[NodeRows::COLUMNS, ElementRows::COLUMNS, FaceRows::COLUMNS];
const ALL: [Column; count(LISTS)] = concat(LISTS);
/// All columns.
pub const COLUMNS: &[Column] = &ALL;

/// Writes a mesh with the `key` of what it was made from.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, key: &str, mesh: &Tetrahedra) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make the directory", &e))
    })?;
    let regions = if mesh.regions.is_empty() { vec![0; mesh.elements.len()] } else { mesh.regions.clone() };
    create(path, COLUMNS, 1, |out| {
        out.set_text("", "format", FORMAT)?;
        out.set_text("", "format_version", VERSION)?;
        out.set_text("", "key", key)?;
        out.put_table(AT, &NodeRows { node: mesh.nodes.iter().map(|x| (*x).into()).collect() })?;
        out.put_table(AT, &ElementRows { conn: mesh.elements.clone(), region: regions })?;
        let (conn, surfid) = mesh.faces.iter().copied().unzip();
        out.put_table(AT, &FaceRows { conn, surfid })
    })
}

/// A mesh and the key of what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub key: String,
    pub mesh: Tetrahedra,
}

/// Reads a mesh that has this `key`; `None` if it has another one.
///
/// # Errors
/// The file is no such file, or it is damaged.
pub fn read(path: &Path, key: &str) -> Result<Option<Tetrahedra>> {
    let file = In::open(path, FORMAT, MAJOR)?;
    if file.text_attribute("", "key")?.as_deref() != Some(key) {
        return Ok(None);
    }
    Ok(Some(content(&file)?.mesh))
}

/// Reads whatever mesh is in a file.
///
/// # Errors
/// The file is no such file, or it is damaged.
pub fn read_any(path: &Path) -> Result<Kept> {
    content(&In::open(path, FORMAT, MAJOR)?)
}

/// As [`read_any`], of a file that is open.
pub(crate) fn content(file: &In) -> Result<Kept> {
    file.require_version(MAJOR)?;
    if let Some(damage) = file.damages(AT)?.first() {
        return Err(Error::Format(damage.clone()));
    }
    let (mut nodes, mut elements, mut faces) = (NodeRows::default(), ElementRows::default(), FaceRows::default());
    file.get_table(AT, &mut nodes)?;
    file.get_table(AT, &mut elements)?;
    file.get_table(AT, &mut faces)?;
    let count = nodes.node.len();
    let numbers = elements.conn.iter().flatten().chain(faces.conn.iter().flatten());
    if let Some(node) = numbers.into_iter().find(|&&n| n as usize >= count) {
        return Err(Error::format(&file.at(AT, "nodes"), format!("{count} rows, but node {node} is named")));
    }
    if let Some(row) = nodes.node.iter().position(|x| x.iter().any(|x| !x.is_finite())) {
        return Err(Error::format(&file.at(AT, "nodes"), format!("row {row}: coordinates are not finite")));
    }
    let mesh = Tetrahedra {
        nodes: nodes.node.into_iter().map(Vec3::from).collect(),
        elements: elements.conn,
        faces: faces.conn.into_iter().zip(faces.surfid).collect(),
        regions: elements.region,
    };
    Ok(Kept { key: file.text_attribute("", "key")?.unwrap_or_default(), mesh })
}

/// Whether a file says that it is a mesh cache; others are never written over.
pub fn is_one(path: &Path) -> bool {
    let file = In::foreign(path, "a mesh cache");
    file.and_then(|file| file.text_attribute("", "format")).is_ok_and(|format| format.as_deref() == Some(FORMAT))
}
