//! Gmsh's MSH files, written: version 4.1 and 2.2, ASCII and binary, little endian. Ids become physical groups, and an
//! entity for each; a set that is exactly the cells of one id gives the group its name. Polygons become triangles.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;

use solfec::meshdata;

use super::elements::{number_of, GMSH};
use super::{MeshFile, Part, SetKind, Style, Written};
use crate::error::{Error, Result};
use crate::meshes::{joined, Encoding};

const TRIANGLE: i64 = 2;
const QUADRILATERAL: i64 = 3;

/// A cell to be written: dimension, id, type, nodes from 0.
struct Cell {
    dimension: i64,
    id: i32,
    kind: i64,
    nodes: Vec<u32>,
}

struct Prepared {
    part: Part,
    cells: Vec<Cell>,
    names: BTreeMap<(i64, i32), String>,
    /// Dimension and id of each entity; their tags count from 1 in each dimension.
    entities: BTreeMap<(i64, i32), i64>,
    remarks: Vec<String>,
    binary: bool,
}

fn prepare(file: &MeshFile, style: Style) -> Result<Prepared> {
    let part = file.together();
    let mut remarks: Vec<String> = joined(file, "msh").into_iter().collect();
    let mut cells = Vec::new();
    for element in &part.mesh.elements {
        let Some(kind) = number_of(GMSH, element) else {
            return Err(Error::Format(format!(
                "an element of {} nodes cannot be written as msh",
                element.nodes().len()
            )));
        };
        cells.push(Cell { dimension: 3, id: element.volid, kind, nodes: element.nodes().to_vec() });
    }
    for (nodes, id) in &part.mesh.faces {
        match nodes[..] {
            [_, _, _] => cells.push(Cell { dimension: 2, id: *id, kind: TRIANGLE, nodes: nodes.clone() }),
            [_, _, _, _] => cells.push(Cell { dimension: 2, id: *id, kind: QUADRILATERAL, nodes: nodes.clone() }),
            [_, ..] => cells.extend(meshdata::triangulate(nodes, &part.mesh.nodes).into_iter().map(|t| Cell {
                dimension: 2,
                id: *id,
                kind: TRIANGLE,
                nodes: t.to_vec(),
            })),
            [] => {}
        }
    }
    cells.sort_by_key(|cell| cell.dimension);
    let (names, lost) = group_names(&part);
    if lost > 0 {
        remarks.push(format!("msh has sets of one id only: {lost} others are left out"));
    }
    let mut entities = BTreeMap::new();
    for cell in &cells {
        let next = entities.keys().filter(|key: &&(i64, i32)| key.0 == cell.dimension).count() as i64 + 1;
        entities.entry((cell.dimension, cell.id)).or_insert(next);
    }
    Ok(Prepared { part, cells, names, entities, remarks, binary: style.encoding == Encoding::Binary })
}

/// Names of ids, and how many sets are none.
fn group_names(part: &Part) -> (BTreeMap<(i64, i32), String>, usize) {
    let mut names = BTreeMap::new();
    let mut lost = 0;
    for set in &part.sets {
        let (dimension, ids): (i64, Vec<i32>) = match set.kind {
            SetKind::Nodes => {
                lost += 1;
                continue;
            }
            SetKind::Elements => (3, part.mesh.elements.iter().map(|element| element.volid).collect()),
            SetKind::Faces => (2, part.mesh.faces.iter().map(|face| face.1).collect()),
        };
        let of: BTreeSet<i32> = set.rows.iter().map(|&row| ids[row as usize]).collect();
        match of.first() {
            Some(&id) if of.len() == 1 && id != 0 && ids.iter().filter(|&&i| i == id).count() == set.rows.len() => {
                names.entry((dimension, id)).or_insert(set.name.clone());
            }
            _ => lost += 1,
        }
    }
    (names, lost)
}

/// Numbers as words or raw bytes.
struct Sink {
    bytes: Vec<u8>,
    binary: bool,
}

impl Sink {
    fn line(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }

    fn int(&mut self, x: i64) {
        match self.binary {
            true => self.bytes.extend_from_slice(&(x as i32).to_le_bytes()),
            false => drop(write!(self.bytes, "{x} ")),
        }
    }

    fn size(&mut self, x: i64) {
        match self.binary {
            true => self.bytes.extend_from_slice(&x.to_le_bytes()),
            false => self.int(x),
        }
    }

    fn real(&mut self, x: f64) {
        match self.binary {
            true => self.bytes.extend_from_slice(&x.to_le_bytes()),
            false => drop(write!(self.bytes, "{x:?} ")),
        }
    }

    /// The end of a line of an ASCII file.
    fn end(&mut self) {
        if !self.binary {
            self.bytes.pop();
            self.bytes.push(b'\n');
        }
    }

    /// Before the mark of a section's end.
    fn close(&mut self, section: &str) {
        if self.binary {
            self.bytes.push(b'\n');
        }
        self.line(section);
    }

    fn head(&mut self, version: &str, prepared: &Prepared) {
        self.line("$MeshFormat");
        self.line(&format!("{version} {} 8", i32::from(self.binary)));
        if self.binary {
            self.int(1);
            self.bytes.push(b'\n');
        }
        self.line("$EndMeshFormat");
        if !prepared.names.is_empty() {
            self.line("$PhysicalNames");
            self.line(&prepared.names.len().to_string());
            for ((dimension, id), name) in &prepared.names {
                self.line(&format!("{dimension} {id} \"{name}\""));
            }
            self.line("$EndPhysicalNames");
        }
    }
}

pub(super) fn write_2(file: &MeshFile, style: Style) -> Result<Written> {
    let prepared = prepare(file, style)?;
    let mut out = Sink { bytes: Vec::new(), binary: prepared.binary };
    out.head("2.2", &prepared);
    out.line("$Nodes");
    out.line(&prepared.part.mesh.nodes.len().to_string());
    for (n, x) in (1..).zip(&prepared.part.mesh.nodes) {
        out.int(n);
        x.iter().for_each(|&x| out.real(x));
        out.end();
    }
    out.close("$EndNodes");
    out.line("$Elements");
    out.line(&prepared.cells.len().to_string());
    let mut number = 1;
    for run in prepared.cells.chunk_by(|a, b| (a.dimension, a.id, a.kind) == (b.dimension, b.id, b.kind)) {
        if out.binary {
            [run[0].kind, run.len() as i64, 2].into_iter().for_each(|x| out.int(x));
        }
        for cell in run {
            out.int(number);
            if !out.binary {
                out.int(cell.kind);
                out.int(2);
            }
            out.int(cell.id.into());
            out.int(prepared.entities[&(cell.dimension, cell.id)]);
            cell.nodes.iter().for_each(|&n| out.int(i64::from(n) + 1));
            out.end();
            number += 1;
        }
    }
    out.close("$EndElements");
    Ok(Written { bytes: out.bytes, remarks: prepared.remarks, ..Written::default() })
}

pub(super) fn write_4(file: &MeshFile, style: Style) -> Result<Written> {
    let prepared = prepare(file, style)?;
    let nodes = &prepared.part.mesh.nodes;
    let mut out = Sink { bytes: Vec::new(), binary: prepared.binary };
    out.head("4.1", &prepared);
    out.line("$Entities");
    for dimension in 0..4 {
        out.size(prepared.entities.keys().filter(|key| key.0 == dimension).count() as i64);
    }
    out.end();
    // All nodes lie in the box of every entity, which is allowed to be too large.
    let first = nodes.first().copied().unwrap_or_default();
    let (low, high) = nodes.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    for (&(_, id), &tag) in &prepared.entities {
        out.int(tag);
        low.iter().chain(&high).for_each(|&x| out.real(x));
        out.size(i64::from(id != 0));
        if id != 0 {
            out.int(id.into());
        }
        out.size(0);
        out.end();
    }
    out.close("$EndEntities");
    let Some((&(dimension, _), &tag)) = prepared.entities.last_key_value() else {
        return Err(Error::Format("there are no cells to be written as msh".into()));
    };
    out.line("$Nodes");
    [1, nodes.len() as i64, 1, nodes.len() as i64].into_iter().for_each(|x| out.size(x));
    out.end();
    [dimension, tag, 0].into_iter().for_each(|x| out.int(x));
    out.size(nodes.len() as i64);
    out.end();
    for n in 1..=nodes.len() as i64 {
        out.size(n);
        out.end();
    }
    for x in nodes {
        x.iter().for_each(|&x| out.real(x));
        out.end();
    }
    out.close("$EndNodes");
    elements_4(&mut out, &prepared);
    Ok(Written { bytes: out.bytes, remarks: prepared.remarks, ..Written::default() })
}

fn elements_4(out: &mut Sink, prepared: &Prepared) {
    let runs = || prepared.cells.chunk_by(|a, b| (a.dimension, a.id, a.kind) == (b.dimension, b.id, b.kind));
    let total = prepared.cells.len() as i64;
    out.line("$Elements");
    [runs().count() as i64, total, 1, total].into_iter().for_each(|x| out.size(x));
    out.end();
    let mut number = 1;
    for run in runs() {
        let tag = prepared.entities[&(run[0].dimension, run[0].id)];
        [run[0].dimension, tag, run[0].kind].into_iter().for_each(|x| out.int(x));
        out.size(run.len() as i64);
        out.end();
        for cell in run {
            out.size(number);
            cell.nodes.iter().for_each(|&n| out.size(i64::from(n) + 1));
            out.end();
            number += 1;
        }
    }
    out.close("$EndElements");
}
