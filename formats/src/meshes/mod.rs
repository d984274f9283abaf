//! Mesh files of other programs and of our own: one file for each format, all of which read into and write from a
//! [`MeshFile`].
//!
//! A part is a [`RawMesh`], about which nothing is known before [`RawMesh::mesh`] has checked it, with named sets of
//! its nodes, elements and faces. A surface is a part without elements, whose faces are polygons, counter-clockwise
//! seen from outside. Elements of second order are read as their corners. docs/formats/meshes.md says what each format
//! carries.

mod abaqus;
mod abaqus_deck;
mod abaqus_write;
mod elements;
mod gmsh;
mod gmsh_write;
mod hdf5;
mod labels;
mod netgen;
mod obj;
mod ply;
mod stl;
mod surfaces;
mod tetgen;
mod text;
mod vtk;
mod vtk_cells;
mod vtu;
mod vtu_data;
mod vtu_write;

use std::path::Path;

use solfec::math::Vec3;
use solfec::meshdata;
use solfec::shape::{Integrals, RawElement, RawMesh};

use crate::error::{Error, Result};

pub use hdf5::{COLUMNS, FORMAT, VERSION};

/// The content of a mesh file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeshFile {
    pub parts: Vec<Part>,
    /// Of the solid that all parts together stand for, where their own are not exactly those: convex pieces of a
    /// surface.
    pub solid: Option<Integrals>,
}

/// A mesh or a surface with its name and named sets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// Empty in files without names.
    pub name: String,
    pub mesh: RawMesh,
    pub sets: Vec<Set>,
}

/// A named list of rows of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set {
    pub kind: SetKind,
    pub name: String,
    /// Ascending rows of `mesh.nodes`, `mesh.elements` or `mesh.faces`.
    pub rows: Vec<u32>,
}

/// What is in a set; the discriminant is the number in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum SetKind {
    Nodes = 0,
    Elements = 1,
    Faces = 2,
}

/// Mesh file formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Our own.
    Hdf5,
    Abaqus,
    /// Version 4.1.
    Gmsh,
    /// Version 2.2.
    Gmsh2,
    Vtu,
    /// Legacy VTK.
    Vtk,
    Stl,
    Obj,
    Ply,
    /// Netgen's neutral format.
    NetgenNeutral,
    NetgenVol,
    /// Tetrahedra, with points and boundary triangles in files beside it.
    Tetgen,
    /// Polygons.
    TetgenPoly,
    /// Facets of one polygon each.
    TetgenSmesh,
}

/// How numbers stand in formats that have the choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Ascii,
    /// VTU only.
    Base64,
    /// Raw bytes; in VTU appended.
    Binary,
}

/// How to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub encoding: Encoding,
    /// Compressed by zlib (VTU; our own format always is).
    pub zlib: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { encoding: Encoding::Binary, zlib: false }
    }
}

/// A file with remarks about what is lost in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Written {
    pub bytes: Vec<u8>,
    /// Files that belong to it: their endings in place of that of the first, and their bytes.
    pub beside: Vec<(&'static str, Vec<u8>)>,
    pub remarks: Vec<String>,
}

type Read = fn(&[u8], &str, &Path) -> Result<(MeshFile, Vec<String>)>;
type Write = fn(&MeshFile, Style) -> Result<Written>;

struct Row {
    format: Format,
    /// As the option --format calls it.
    name: &'static str,
    endings: &'static [&'static str],
    read: Read,
    write: Write,
    /// Whether a file begins as one of this format.
    begins: fn(&[u8]) -> bool,
}

/// One line for each format; the first that a file begins like is taken.
static TABLE: &[Row] = &[
    Row {
        format: Format::Hdf5,
        name: "h5",
        endings: &["h5", "hdf5"],
        read: hdf5::read,
        write: hdf5::write,
        begins: |bytes| bytes.starts_with(b"\x89HDF\r\n\x1a\n"),
    },
    Row {
        format: Format::Abaqus,
        name: "inp",
        endings: &["inp"],
        read: abaqus::read,
        write: abaqus_write::write,
        begins: |bytes| bytes.starts_with(b"*"),
    },
    Row {
        format: Format::Gmsh,
        name: "msh",
        endings: &["msh"],
        read: gmsh::read,
        write: gmsh_write::write_4,
        begins: |bytes| bytes.starts_with(b"$"),
    },
    Row {
        format: Format::Gmsh2,
        name: "msh2",
        endings: &["msh2"],
        read: gmsh::read,
        write: gmsh_write::write_2,
        begins: |_| false,
    },
    Row {
        format: Format::Vtu,
        name: "vtu",
        endings: &["vtu"],
        read: vtu::read,
        write: vtu_write::write,
        begins: |bytes| bytes.starts_with(b"<"),
    },
    Row {
        format: Format::Vtk,
        name: "vtk",
        endings: &["vtk"],
        read: vtk::read,
        write: vtk::write,
        begins: |bytes| bytes.starts_with(b"# vtk"),
    },
    Row {
        format: Format::Ply,
        name: "ply",
        endings: &["ply"],
        read: ply::read,
        write: ply::write,
        begins: |bytes| bytes.starts_with(b"ply"),
    },
    Row {
        format: Format::Stl,
        name: "stl",
        endings: &["stl"],
        read: stl::read,
        write: stl::write,
        begins: stl::begins,
    },
    Row {
        format: Format::NetgenVol,
        name: "vol",
        endings: &["vol"],
        read: netgen::read,
        write: netgen::write_vol,
        begins: netgen::begins_vol,
    },
    Row {
        format: Format::NetgenNeutral,
        name: "mesh",
        endings: &["mesh"],
        read: netgen::read,
        write: netgen::write_neutral,
        begins: |_| false,
    },
    Row {
        format: Format::Tetgen,
        name: "ele",
        endings: &["ele", "node"],
        read: tetgen::read,
        write: tetgen::write,
        begins: |_| false,
    },
    Row {
        format: Format::TetgenPoly,
        name: "poly",
        endings: &["poly"],
        read: tetgen::read_poly,
        write: tetgen::write_poly,
        begins: |_| false,
    },
    Row {
        format: Format::TetgenSmesh,
        name: "smesh",
        endings: &["smesh"],
        read: tetgen::read_smesh,
        write: tetgen::write_smesh,
        begins: |_| false,
    },
    Row {
        format: Format::Obj,
        name: "obj",
        endings: &["obj"],
        read: obj::read,
        write: obj::write,
        begins: obj::begins,
    },
];

impl Format {
    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.format == self).unwrap_or(&TABLE[0])
    }

    /// As options call it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Names of all formats.
    pub fn names() -> Vec<&'static str> {
        TABLE.iter().map(|row| row.name).collect()
    }

    pub fn named(name: &str) -> Option<Format> {
        TABLE.iter().find(|row| row.name == name).map(|row| row.format)
    }

    /// By the ending of a file name.
    pub fn of_path(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        TABLE.iter().find(|row| row.endings.contains(&ending.as_str())).map(|row| row.format)
    }

    /// By how a file begins.
    pub fn of_bytes(bytes: &[u8]) -> Option<Format> {
        TABLE.iter().find(|row| (row.begins)(bytes)).map(|row| row.format)
    }
}

/// Reads a file; its format is the given one, or that of its ending, or of its first bytes. The second value holds
/// remarks about what was not taken over.
///
/// # Errors
/// The file cannot be read, is of no format known, or is not what its format asks for: the line or byte, what was
/// expected.
pub fn read(path: &Path, format: Option<Format>) -> Result<(MeshFile, Vec<String>)> {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, "read", &e))?;
    let name = path.display().to_string();
    let format = format.or_else(|| Format::of_path(path)).or_else(|| Format::of_bytes(&bytes));
    read_as(&bytes, &name, path, format)
}

/// Reads what came through a pipe; `name` is for messages.
///
/// # Errors
/// As [`read`]; formats of several files cannot come through a pipe.
pub fn read_bytes(bytes: &[u8], name: &str, format: Option<Format>) -> Result<(MeshFile, Vec<String>)> {
    read_as(bytes, name, Path::new(""), format.or_else(|| Format::of_bytes(bytes)))
}

fn read_as(bytes: &[u8], name: &str, path: &Path, format: Option<Format>) -> Result<(MeshFile, Vec<String>)> {
    if bytes.is_empty() {
        return Err(Error::format(name, "is empty; a mesh file is expected"));
    }
    let Some(format) = format else {
        let known = Format::names().join(", ");
        return Err(Error::format(
            name,
            format!("neither its ending nor its beginning tells its format; known are {known}"),
        ));
    };
    let (file, remarks) = (format.row().read)(bytes, name, path)?;
    if file.parts.iter().all(|part| part.mesh.elements.is_empty() && part.mesh.faces.is_empty()) {
        return Err(Error::format(name, "has no elements and no faces; a mesh or a surface is expected"));
    }
    Ok((file, remarks))
}

/// The bytes of a file.
///
/// # Errors
/// The format cannot hold what is there.
pub fn write(file: &MeshFile, format: Format, style: Style) -> Result<Written> {
    let mut written = (format.row().write)(file, style)?;
    written.remarks.extend(without_empty_sets(file, format));
    if file.solid.is_some() && format != Format::Hdf5 {
        written.remarks.push(format!("{}: the mass of the solid that the parts stand for is left out", format.name()));
    }
    Ok(written)
}

impl MeshFile {
    pub fn of(parts: Vec<Part>) -> MeshFile {
        MeshFile { parts, solid: None }
    }

    /// Moves all nodes by an affine map; `mirrors` tells whether it turns what it maps inside out.
    pub fn map(&mut self, map: impl Fn(&Vec3) -> Vec3, mirrors: bool) {
        self.parts.iter_mut().for_each(|part| meshdata::move_nodes(&mut part.mesh, &map, mirrors));
        self.solid = self.solid.map(|solid| solid.mapped(&map));
    }

    /// Of one mesh without a name.
    pub fn one(mesh: RawMesh) -> MeshFile {
        MeshFile::of(vec![Part { name: String::new(), mesh, sets: Vec::new() }])
    }

    /// All parts in one, side by side.
    pub fn together(&self) -> Part {
        let mut all = Part::default();
        if let [only] = &self.parts[..] {
            return only.explicit();
        }
        for part in &self.parts {
            let part = part.explicit();
            let first = |kind: SetKind, all: &RawMesh| match kind {
                SetKind::Nodes => all.nodes.len() as u32,
                SetKind::Elements => all.elements.len() as u32,
                SetKind::Faces => all.faces.len() as u32,
            };
            for set in part.sets {
                let from = first(set.kind, &all.mesh);
                all.add_to_set(set.kind, &set.name, set.rows.iter().map(|row| row + from));
            }
            meshdata::join(&mut all.mesh, &part.mesh);
        }
        all
    }
}

impl Part {
    /// The part with every boundary face listed that has a surface id other than 0.
    pub fn explicit(&self) -> Part {
        let mut part = self.clone();
        if part.mesh.surfid == 0 {
            return part;
        }
        let listed: std::collections::HashSet<meshdata::FaceKey> =
            part.mesh.faces.iter().filter_map(|(nodes, _)| meshdata::face_key(nodes)).collect();
        let missing = meshdata::outer_faces(&part.mesh).into_iter();
        let missing = missing.filter(|face| meshdata::face_key(&face.nodes).is_some_and(|key| !listed.contains(&key)));
        let missing: Vec<(Vec<u32>, i32)> = missing.map(|face| (face.nodes, self.mesh.surfid)).collect();
        part.mesh.faces.extend(missing);
        part.mesh.surfid = 0;
        part
    }

    /// The faces of the part as seen from outside, with their surface ids: its polygons, or the boundary of its
    /// elements.
    pub fn surface(&self) -> RawMesh {
        surfaces::surface(self)
    }

    /// Adds rows to the set of this kind and name.
    pub(crate) fn add_to_set(&mut self, kind: SetKind, name: &str, rows: impl Iterator<Item = u32>) {
        let at = self.sets.iter().position(|set| set.kind == kind && set.name == name).unwrap_or_else(|| {
            self.sets.push(Set { kind, name: name.into(), rows: Vec::new() });
            self.sets.len() - 1
        });
        let set = &mut self.sets[at].rows;
        set.extend(rows);
        set.sort_unstable();
        set.dedup();
    }

    /// # Errors
    /// An element names a node that is not there.
    fn check_numbers(&self, name: &str) -> Result<()> {
        let count = self.mesh.nodes.len();
        let of_elements = self.mesh.elements.iter().flat_map(RawElement::nodes);
        let of_faces = self.mesh.faces.iter().flat_map(|(nodes, _)| nodes);
        match of_elements.chain(of_faces).find(|&&n| n as usize >= count) {
            None => Ok(()),
            Some(n) => Err(Error::format(name, format!("a cell names node {n} (from 0), but there are {count} nodes"))),
        }
    }
}

/// The remark about parts that become one.
fn joined(file: &MeshFile, format: &str) -> Option<String> {
    let n = file.parts.len();
    (n > 1).then(|| format!("{format} has no parts: the {n} parts are written as one"))
}

/// The remark about sets that are lost.
fn without_sets(part: &Part, format: &str) -> Option<String> {
    let n = part.sets.len();
    (n > 0).then(|| format!("{format} has no named sets: {n} are left out"))
}

/// The remark about empty sets, which formats list by their members.
fn without_empty_sets(file: &MeshFile, format: Format) -> Option<String> {
    let lists = [Format::Abaqus, Format::Vtu, Format::Vtk].contains(&format);
    let empty = file.parts.iter().flat_map(|part| &part.sets).filter(|set| lists && set.rows.is_empty());
    let names: std::collections::BTreeSet<&str> = empty.map(|set| set.name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    (!names.is_empty()).then(|| format!("{} has no empty sets: {} left out", format.name(), names.join(", ")))
}

/// Cells of second order that a reader has met.
#[derive(Debug, Clone, Copy, Default)]
struct SecondOrder {
    cells: usize,
    /// Tetrahedra of ten nodes whose edges are not straight, where the reader looks at them.
    curved: usize,
}

impl SecondOrder {
    fn add(&mut self, other: SecondOrder) {
        self.cells += other.cells;
        self.curved += other.curved;
    }
}

/// A node is in the middle of an edge if it is not farther from there than this part of the length of the edge.
const STRAIGHT: f64 = 1e-6;

/// Whether a tetrahedron of ten nodes has a curved edge; `edges` are the corners of those on which the fifth to tenth
/// nodes lie.
fn is_curved(nodes: &[Vec3; 10], edges: &[[usize; 2]; 6]) -> bool {
    edges.iter().zip(&nodes[4..]).any(|(&[a, b], x)| {
        let (a, b) = (nodes[a], nodes[b]);
        (x - (a + b) * 0.5).norm() > STRAIGHT * (a - b).norm()
    })
}

/// Drops the nodes that only cells of second order had beside their corners, and tells of these cells.
fn corners_only(file: &mut MeshFile, SecondOrder { cells, curved }: SecondOrder) -> Vec<String> {
    if cells == 0 {
        return Vec::new();
    }
    for part in &mut file.parts {
        let kept = meshdata::compact(&mut part.mesh);
        for set in part.sets.iter_mut().filter(|set| set.kind == SetKind::Nodes) {
            set.rows = set.rows.iter().filter_map(|row| kept.binary_search(row).ok()).map(|row| row as u32).collect();
        }
    }
    let mut told = vec![format!("{cells} cells of second order are read as their corners")];
    if curved > 0 {
        told.push(format!("{curved} tetrahedra of ten nodes have curved edges, which become straight"));
    }
    told
}
