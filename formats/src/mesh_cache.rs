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

/// Reads a mesh that has this `key`; `None` if it has another one.
///
/// # Errors
/// The file is no such file, or it is damaged.
pub fn read(path: &Path, key: &str) -> Result<Option<Tetrahedra>> {
    let file = In::open(path, FORMAT, MAJOR)?;
    if file.text_attribute("", "key")?.as_deref() != Some(key) {
        return Ok(None);
    }
    if let Some(damage) = file.damages(AT)?.first() {
        return Err(Error::format(&file.name, damage.clone()));
    }
    let (mut nodes, mut elements, mut faces) = (NodeRows::default(), ElementRows::default(), FaceRows::default());
    file.get_table(AT, &mut nodes)?;
    file.get_table(AT, &mut elements)?;
    file.get_table(AT, &mut faces)?;
    Ok(Some(Tetrahedra {
        nodes: nodes.node.into_iter().map(Vec3::from).collect(),
        elements: elements.conn,
        faces: faces.conn.into_iter().zip(faces.surfid).collect(),
        regions: elements.region,
    }))
}

/// Whether a file says that it is a mesh cache; others are never written over.
pub fn is_one(path: &Path) -> bool {
    let file = In::foreign(path, "a mesh cache");
    file.and_then(|file| file.text_attribute("", "format")).is_ok_and(|format| format.as_deref() == Some(FORMAT))
}
