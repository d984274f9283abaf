//! Gmsh's MSH files of versions 2.2 and 4.1, ASCII and binary (the manual of Gmsh, "MSH file format").
//!
//! Ids are physical tags; in a file without physical groups, tags of entities, if there are several. Points and lines are
//! passed over, and so are sections other than nodes, elements, entities and names.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use solfec::math::Vec3;
use solfec::shape::{RawElement, RawMesh};

use super::elements::{cell_type, second_order, Cell, GMSH};
use super::labels::Labels;
use super::text::{raw_f64, raw_i32, raw_u64, shown, words, Endian, Text};
use super::{is_curved, MeshFile, Part, SecondOrder, SetKind};
use crate::error::{Error, Result};

/// Dimension and tag of an entity or physical group.
type Tag = (i64, i64);

/// Numbers as words or as raw bytes.
struct Source<'a> {
    text: Text<'a>,
    binary: Option<Endian>,
}

impl Source<'_> {
    fn fail(&self, what: impl AsRef<str>) -> Error {
        match self.binary {
            Some(_) => self.text.fail_at(what),
            None => self.text.fail(what),
        }
    }

    fn int(&mut self, what: &str) -> Result<i64> {
        match self.binary {
            Some(endian) => Ok(i64::from(raw_i32(self.text.raw(4, what)?, endian)[0])),
            None => {
                let word = self.text.wanted_word(what)?;
                self.text.integer(word, what)
            }
        }
    }

    /// A number of 8 bytes in binary files.
    fn size(&mut self, what: &str) -> Result<i64> {
        match self.binary {
            Some(endian) => {
                let wide = raw_u64(self.text.raw(8, what)?, endian)[0];
                i64::try_from(wide).map_err(|_| self.fail(format!("{wide} stands for {what}")))
            }
            None => self.int(what),
        }
    }

    fn real(&mut self, what: &str) -> Result<f64> {
        match self.binary {
            Some(endian) => {
                let x = raw_f64(self.text.raw(8, what)?, endian)[0];
                Some(x).filter(|x| x.is_finite()).ok_or_else(|| self.fail(format!("{what} is not finite")))
            }
            None => {
                let word = self.text.wanted_word(what)?;
                self.text.real(word, what)
            }
        }
    }

    /// A count of entries that need at least `least` bytes each in binary files, 2 in others.
    fn count(&mut self, wide: bool, least: usize, what: &str) -> Result<usize> {
        let about = format!("the number of {what}");
        let count = if wide { self.size(&about)? } else { self.int(&about)? };
        let count = u64::try_from(count).map_err(|_| self.fail(format!("the number of {what} is {count}")))?;
        self.text.room(count, if self.binary.is_some() { least } else { 2 }, what)
    }

    fn point(&mut self) -> Result<Vec3> {
        Ok(Vec3::new(self.real("x of a node")?, self.real("y of a node")?, self.real("z of a node")?))
    }
}

#[derive(Default)]
struct Found {
    labels: Vec<i64>,
    nodes: Vec<Vec3>,
    cells: Vec<RawCell>,
    /// Physical tags of entities.
    entities: HashMap<Tag, i64>,
    names: BTreeMap<Tag, String>,
    second_order: SecondOrder,
    /// Nodes of the tetrahedra of ten.
    tens: Vec<[i64; 10]>,
}

struct RawCell {
    cell: Cell,
    physical: i64,
    entity: i64,
    nodes: [i64; 8],
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let mut source = Source { text: Text::new(bytes, name), binary: None };
    let mut found = Found::default();
    let mut version = 0;
    while let Some(line) = source.text.line() {
        let line = line.trim_ascii();
        let section = String::from_utf8_lossy(line).into_owned();
        if line.is_empty() {
            continue;
        }
        if version == 0 && section != "$MeshFormat" {
            return Err(source.text.fail(format!("{} stands where $MeshFormat is expected", shown(line))));
        }
        match section.as_str() {
            "$MeshFormat" => version = format(&mut source)?,
            "$PhysicalNames" => names(&mut source.text, &mut found)?,
            "$Entities" if version == 4 => entities(&mut source, &mut found)?,
            "$Nodes" if version == 4 => nodes_4(&mut source, &mut found)?,
            "$Nodes" => nodes_2(&mut source, &mut found)?,
            "$Elements" if version == 4 => elements_4(&mut source, &mut found)?,
            "$Elements" => elements_2(&mut source, &mut found)?,
            other => match other.strip_prefix('$') {
                Some(name) => {
                    source.text.skip_behind(&format!("$End{name}"))?;
                    continue;
                }
                None => return Err(source.text.fail(format!("{} stands where a section is expected", shown(line)))),
            },
        }
        source.text.skip_behind(&format!("$End{}", &section[1..]))?;
    }
    let second_order = SecondOrder { curved: curved(&found), ..found.second_order };
    let mut file = MeshFile::of(vec![part(found, &source)?]);
    let remarks = super::corners_only(&mut file, second_order);
    Ok((file, remarks))
}

/// Corners of the edges of a tetrahedron in Gmsh's order.
const EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [0, 2], [0, 3], [2, 3], [1, 3]];

/// How many tetrahedra of ten nodes have curved edges.
fn curved(found: &Found) -> usize {
    if found.tens.is_empty() {
        return 0;
    }
    let place: HashMap<i64, Vec3> = found.labels.iter().copied().zip(found.nodes.iter().copied()).collect();
    let nodes = |ten: &[i64; 10]| ten.map(|tag| place.get(&tag).copied().unwrap_or(Vec3::repeat(f64::NAN)));
    found.tens.iter().filter(|ten| is_curved(&nodes(ten), &EDGES)).count()
}

/// The major version.
fn format(source: &mut Source) -> Result<i64> {
    let text = &mut source.text;
    let line = text.wanted("the version")?;
    let fields: Vec<&[u8]> = words(line).collect();
    let [version, kind, size] = fields[..] else {
        return Err(text.fail(format!("{} is no format; version, file type and data size are expected", shown(line))));
    };
    let (kind, size) = (text.integer(kind, "the file type")?, text.integer(size, "the data size")?);
    let version = match version {
        b"2" | b"2.0" | b"2.1" | b"2.2" => 2,
        b"4.1" => 4,
        other => {
            let text = text.fail(format!("version {} is not read; save as version 2.2 or 4.1", shown(other)));
            return Err(text);
        }
    };
    if kind == 1 {
        if size != 8 {
            return Err(text.fail(format!("data size {size} is not read; 8 is expected")));
        }
        let one = text.raw(4, "the number 1")?;
        let order = [Endian::Little, Endian::Big].into_iter().find(|&order| raw_i32(one, order)[0] == 1);
        source.binary = Some(order.ok_or_else(|| source.text.fail_at("the number 1 in four bytes is expected"))?);
    }
    Ok(version)
}

fn names(text: &mut Text, found: &mut Found) -> Result<()> {
    let line = text.wanted("the number of names")?;
    for _ in 0..text.count(line, 5, "names")? {
        let line = String::from_utf8_lossy(text.wanted("a name")?).into_owned();
        let mut fields = line.splitn(3, char::is_whitespace);
        let dimension = text.integer(fields.next().unwrap_or_default().as_bytes(), "a dimension")?;
        let tag = text.integer(fields.next().unwrap_or_default().as_bytes(), "a tag")?;
        let name = fields.next().unwrap_or_default().trim().trim_matches('"');
        found.names.insert((dimension, tag), name.to_string());
    }
    Ok(())
}

fn entities(source: &mut Source, found: &mut Found) -> Result<()> {
    let counts = [0; 4].map(|_: i32| source.count(true, 16, "entities"));
    for (dimension, count) in counts.into_iter().enumerate() {
        for _ in 0..count? {
            let tag = source.int("the tag of an entity")?;
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                source.real("a bound of an entity")?;
            }
            for k in 0..source.count(true, 4, "physical tags")? {
                let physical = source.int("a physical tag")?;
                if k == 0 {
                    found.entities.insert((dimension as i64, tag), physical);
                }
            }
            if dimension > 0 {
                for _ in 0..source.count(true, 4, "bounding entities")? {
                    source.int("a bounding entity")?;
                }
            }
        }
    }
    Ok(())
}

fn nodes_2(source: &mut Source, found: &mut Found) -> Result<()> {
    let line = source.text.wanted("the number of nodes")?;
    let least = if source.binary.is_some() { 28 } else { 8 };
    for _ in 0..source.text.count(line, least, "nodes")? {
        found.labels.push(source.int("the number of a node")?);
        found.nodes.push(source.point()?);
    }
    Ok(())
}

fn nodes_4(source: &mut Source, found: &mut Found) -> Result<()> {
    let blocks = source.count(true, 20, "blocks of nodes")?;
    for what in ["the number of nodes", "the least tag", "the greatest tag"] {
        source.size(what)?;
    }
    for _ in 0..blocks {
        let dimension = source.int("the dimension of an entity")?;
        source.int("the tag of an entity")?;
        let parametric = source.int("whether nodes are parametric")? != 0;
        let count = source.count(true, 32, "nodes")?;
        for _ in 0..count {
            found.labels.push(source.size("the tag of a node")?);
        }
        for _ in 0..count {
            found.nodes.push(source.point()?);
            for _ in 0..if parametric { dimension } else { 0 } {
                source.real("a parameter of a node")?;
            }
        }
    }
    Ok(())
}

fn kind(source: &Source, number: i64) -> Result<(usize, Cell)> {
    cell_type(GMSH, number).ok_or_else(|| {
        source.fail(format!("unknown element type {number}; of Gmsh's types those of first and second order are known"))
    })
}

fn cell(source: &mut Source, found: &mut Found, (nodes, cell): (usize, Cell), wide: bool, tags: Tag) -> Result<()> {
    let (mut corners, mut ten) = ([0; 8], [0; 10]);
    for k in 0..nodes {
        let node = if wide { source.size("a node of an element")? } else { source.int("a node of an element")? };
        if let Some(corner) = corners.get_mut(k) {
            *corner = node;
        }
        if let Some(place) = ten.get_mut(k) {
            *place = node;
        }
    }
    if cell == Cell::Element(4) && nodes == 10 {
        found.tens.push(ten);
    }
    found.second_order.cells += usize::from(second_order(nodes, cell));
    if cell != Cell::Nothing {
        found.cells.push(RawCell { cell, physical: tags.0, entity: tags.1, nodes: corners });
    }
    Ok(())
}

fn elements_2(source: &mut Source, found: &mut Found) -> Result<()> {
    let line = source.text.wanted("the number of elements")?;
    let total = source.text.count(line, 8, "elements")?;
    let mut read = 0;
    while read < total {
        // ASCII: number, type, number of tags. Binary: type, number of elements, number of tags.
        let (number, count) = match source.binary {
            None => {
                source.int("the number of an element")?;
                (source.int("the type of an element")?, 1)
            }
            Some(_) => (source.int("the type of elements")?, source.count(false, 4, "elements")?),
        };
        let kind = kind(source, number)?;
        let tags = source.count(false, 4, "tags")?;
        if count == 0 || read + count > total {
            return Err(source.fail(format!("a block of {count} elements, but {} of {total} are left", total - read)));
        }
        for _ in 0..count {
            if source.binary.is_some() {
                source.int("the number of an element")?;
            }
            let mut two = (0, 0);
            for k in 0..tags {
                let tag = source.int("a tag of an element")?;
                match k {
                    0 => two.0 = tag,
                    1 => two.1 = tag,
                    _ => {}
                }
            }
            cell(source, found, kind, false, two)?;
        }
        read += count;
    }
    Ok(())
}

fn elements_4(source: &mut Source, found: &mut Found) -> Result<()> {
    let blocks = source.count(true, 20, "blocks of elements")?;
    for what in ["the number of elements", "the least tag", "the greatest tag"] {
        source.size(what)?;
    }
    for _ in 0..blocks {
        let dimension = source.int("the dimension of an entity")?;
        let entity = source.int("the tag of an entity")?;
        let number = source.int("the type of elements")?;
        let kind = kind(source, number)?;
        let physical = found.entities.get(&(dimension, entity)).copied().unwrap_or(0);
        for _ in 0..source.count(true, 16, "elements")? {
            source.size("the tag of an element")?;
            cell(source, found, kind, true, (physical, entity))?;
        }
    }
    Ok(())
}

fn part(found: Found, source: &Source) -> Result<Part> {
    let labels = Labels::new(&found.labels, &source.text, "node")?;
    let mut part = Part { mesh: RawMesh { nodes: found.nodes, ..RawMesh::default() }, ..Part::default() };
    let dimension = |cell: Cell| match cell {
        Cell::Element(_) => 3,
        Cell::Face(_) => 2,
        Cell::Nothing => 0,
    };
    let grouped = found.cells.iter().any(|cell| cell.physical != 0);
    let entities: BTreeSet<Tag> = found.cells.iter().map(|cell| (dimension(cell.cell), cell.entity)).collect();
    let several = |of: i64| entities.iter().filter(|(dimension, _)| *dimension == of).count() > 1;
    let several = [false, false, several(2), several(3)];
    let mut members: BTreeMap<Tag, Vec<u32>> = BTreeMap::new();
    for raw in &found.cells {
        let of = dimension(raw.cell);
        let tag = if grouped || !several[of as usize] { raw.physical } else { raw.entity };
        let id = i32::try_from(tag).map_err(|_| source.fail(format!("the tag {tag} does not fit in 32 bits")))?;
        let (Cell::Element(corners) | Cell::Face(corners)) = raw.cell else { continue };
        let mut rows = [0; 8];
        for (row, &node) in rows.iter_mut().zip(&raw.nodes[..corners]) {
            let found = labels.row(node);
            *row = found.ok_or_else(|| source.fail(format!("an element names node {node}, which is not there")))?;
        }
        let at = match of {
            3 => {
                let element = RawElement::new(&rows[..corners], id).map_err(|e| source.fail(e.to_string()))?;
                part.mesh.elements.push(element);
                part.mesh.elements.len()
            }
            _ => {
                part.mesh.faces.push((rows[..corners].to_vec(), id));
                part.mesh.faces.len()
            }
        };
        if found.names.contains_key(&(of, tag)) {
            members.entry((of, tag)).or_default().push(at as u32 - 1);
        }
    }
    for (tag, rows) in members {
        let kind = if tag.0 == 3 { SetKind::Elements } else { SetKind::Faces };
        part.add_to_set(kind, &found.names[&tag], rows.into_iter());
    }
    Ok(part)
}
