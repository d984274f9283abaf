//! PLY, ASCII and binary of either byte order: vertices and polygons; a property `surfid` of faces holds surface ids.

use std::io::Write as _;
use std::path::Path;

use solfec::math::Vec3;

use super::surfaces::surfaces;
use super::text::{raw_f32, raw_f64, raw_i16, raw_i32, raw_i8, raw_u16, raw_u32, shown, words, Endian, Text};
use super::{joined, Encoding, MeshFile, Part, Style, Written};
use crate::error::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn named(name: &[u8]) -> Option<Kind> {
        Some(match name {
            b"char" | b"int8" => Kind::I8,
            b"uchar" | b"uint8" => Kind::U8,
            b"short" | b"int16" => Kind::I16,
            b"ushort" | b"uint16" => Kind::U16,
            b"int" | b"int32" => Kind::I32,
            b"uint" | b"uint32" => Kind::U32,
            b"float" | b"float32" => Kind::F32,
            b"double" | b"float64" => Kind::F64,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::F64 => 8,
        }
    }
}

/// A property: one number, or a list with a count before it.
struct Property {
    name: String,
    count: Option<Kind>,
    kind: Kind,
}

struct Element {
    name: String,
    rows: u64,
    properties: Vec<Property>,
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let mut text = Text::new(bytes, name);
    if text.line().map(<[u8]>::trim_ascii) != Some(b"ply") {
        return Err(text.fail("the word ply is expected in the first line"));
    }
    let (endian, elements) = header(&mut text)?;
    let mut part = Part::default();
    for element in &elements {
        let least = if endian.is_some() { smallest(element) } else { 2 };
        let rows = text.room(element.rows, least.max(1), &format!("rows of {}", element.name))?;
        for row in 0..rows {
            let mut values = Values::default();
            for property in &element.properties {
                take(&mut text, endian, property, &mut values)?;
            }
            match element.name.as_str() {
                "vertex" => part.mesh.nodes.push(values.point(&text, endian, row)?),
                "face" => part.mesh.faces.push((values.list.clone(), values.surfid)),
                _ => {}
            }
        }
    }
    let count = part.mesh.nodes.len();
    for (row, (nodes, _)) in part.mesh.faces.iter().enumerate() {
        if nodes.len() < 3 {
            return Err(text.fail(format!("face {row} has {} corners; at least three are expected", nodes.len())));
        }
        if let Some(n) = nodes.iter().find(|&&n| n as usize >= count) {
            return Err(text.fail(format!("face {row} names vertex {n} (from 0), but there are {count}")));
        }
    }
    Ok((MeshFile::of(vec![part]), Vec::new()))
}

/// Byte order, none for ASCII, and what follows.
fn header(text: &mut Text) -> Result<(Option<Endian>, Vec<Element>)> {
    let mut endian = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        let line = text.wanted_line("end_header")?;
        let fields: Vec<&[u8]> = words(line).collect();
        let kind = |at: usize| {
            let name = fields.get(at).copied().unwrap_or_default();
            Kind::named(name).ok_or_else(|| text.fail(format!("{} is no type of numbers", shown(name))))
        };
        match fields[..] {
            [b"format", b"ascii", _] => endian = None,
            [b"format", b"binary_little_endian", _] => endian = Some(Endian::Little),
            [b"format", b"binary_big_endian", _] => endian = Some(Endian::Big),
            [b"comment" | b"obj_info", ..] | [] => {}
            [b"element", name, rows] => {
                let rows = text.integer(rows, "the number of rows")?;
                let rows = u64::try_from(rows).map_err(|_| text.fail(format!("{rows} rows of an element")))?;
                let name = String::from_utf8_lossy(name).into_owned();
                elements.push(Element { name, rows, properties: Vec::new() });
            }
            [b"property", ..] => {
                let name = String::from_utf8_lossy(fields.last().copied().unwrap_or_default()).into_owned();
                let property = match fields.get(1) {
                    Some(&b"list") => Property { name, count: Some(kind(2)?), kind: kind(3)? },
                    _ => Property { name, count: None, kind: kind(1)? },
                };
                match elements.last_mut() {
                    Some(element) => element.properties.push(property),
                    None => return Err(text.fail("a property before any element")),
                }
            }
            [b"end_header"] => return Ok((endian, elements)),
            _ => return Err(text.fail(format!("{} is no line of a PLY header", shown(line)))),
        }
    }
}

fn smallest(element: &Element) -> usize {
    element.properties.iter().map(|p| p.count.unwrap_or(p.kind).size()).sum()
}

/// What is wanted of a row.
#[derive(Default)]
struct Values {
    place: [f64; 3],
    list: Vec<u32>,
    surfid: i32,
}

impl Values {
    fn point(&self, text: &Text, endian: Option<Endian>, row: usize) -> Result<Vec3> {
        match self.place.iter().all(|x| x.is_finite()) {
            true => Ok(Vec3::from(self.place)),
            false if endian.is_some() => Err(text.fail_at(format!("vertex {row}: a coordinate is not finite"))),
            false => Err(text.fail(format!("vertex {row}: a coordinate is not finite"))),
        }
    }
}

fn number(text: &mut Text, endian: Option<Endian>, kind: Kind) -> Result<f64> {
    let Some(endian) = endian else {
        let word = text.wanted_word("a number")?;
        return text.real(word, "a property");
    };
    let raw = text.raw(kind.size(), "a property")?;
    Ok(match kind {
        Kind::I8 => raw_i8(raw, endian)[0].into(),
        Kind::U8 => raw[0].into(),
        Kind::I16 => raw_i16(raw, endian)[0].into(),
        Kind::U16 => raw_u16(raw, endian)[0].into(),
        Kind::I32 => raw_i32(raw, endian)[0].into(),
        Kind::U32 => raw_u32(raw, endian)[0].into(),
        Kind::F32 => raw_f32(raw, endian)[0].into(),
        Kind::F64 => raw_f64(raw, endian)[0],
    })
}

fn take(text: &mut Text, endian: Option<Endian>, property: &Property, values: &mut Values) -> Result<()> {
    let whole = |x: f64, text: &Text| match x.fract() == 0.0 && x >= 0.0 && x <= f64::from(u32::MAX) {
        true => Ok(x as u32),
        false => Err(text.fail(format!("{x} stands where a number of a vertex is expected"))),
    };
    let Some(count) = property.count else {
        let x = number(text, endian, property.kind)?;
        match property.name.as_str() {
            "x" => values.place[0] = x,
            "y" => values.place[1] = x,
            "z" => values.place[2] = x,
            "surfid" => values.surfid = x as i32,
            _ => {}
        }
        return Ok(());
    };
    let count = number(text, endian, count)?;
    let count = whole(count, text)?;
    let count =
        text.room(count.into(), if endian.is_some() { property.kind.size() } else { 2 }, "corners of a face")?;
    let corners = property.name == "vertex_indices" || property.name == "vertex_index";
    for _ in 0..count {
        let x = number(text, endian, property.kind)?;
        if corners {
            values.list.push(whole(x, text)?);
        }
    }
    Ok(())
}

pub(super) fn write(file: &MeshFile, style: Style) -> Result<Written> {
    let (all, mut remarks) = surfaces(file, "ply")?;
    remarks.extend(joined(file, "ply"));
    let sets: usize = file.parts.iter().map(|part| part.sets.len()).sum();
    if sets > 0 {
        remarks.push(format!("ply has no named sets: {sets} are left out"));
    }
    let nodes: usize = all.iter().map(|(_, mesh)| mesh.nodes.len()).sum();
    let faces: usize = all.iter().map(|(_, mesh)| mesh.faces.len()).sum();
    let ids = all.iter().any(|(_, mesh)| mesh.faces.iter().any(|face| face.1 != 0));
    let binary = style.encoding == Encoding::Binary;
    let mut out = Vec::new();
    let format = if binary { "binary_little_endian" } else { "ascii" };
    let _ = writeln!(
        out,
        "ply\nformat {format} 1.0\ncomment written by sf-mesh\nelement vertex {nodes}\nproperty double x\nproperty double \
         y\nproperty double z\nelement face {faces}\nproperty list uint uint vertex_indices{}\nend_header",
        if ids { "\nproperty int surfid" } else { "" }
    );
    for x in all.iter().flat_map(|(_, mesh)| &mesh.nodes) {
        match binary {
            true => x.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
            false => drop(writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z)),
        }
    }
    let mut first = 0;
    for (_, mesh) in &all {
        for (nodes, surfid) in &mesh.faces {
            let corners = nodes.iter().map(|n| n + first);
            if binary {
                out.extend_from_slice(&(nodes.len() as u32).to_le_bytes());
                corners.for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
                out.extend_from_slice(&surfid.to_le_bytes()[..if ids { 4 } else { 0 }]);
            } else {
                let corners: Vec<String> = corners.map(|n| n.to_string()).collect();
                let id = if ids { format!(" {surfid}") } else { String::new() };
                let _ = writeln!(out, "{} {}{id}", nodes.len(), corners.join(" "));
            }
        }
        first += mesh.nodes.len() as u32;
    }
    Ok(Written { bytes: out, remarks, ..Written::default() })
}
