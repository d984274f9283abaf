//! Netgen's files: `.vol` (`mesh3d` and sections) and the neutral format (`.mesh`: points, volume elements, surface
//! elements, each with its count). Netgen lists nodes of elements in the other direction; whichever is positive is taken.

use std::io::Write as _;
use std::path::Path;

use solfec::meshdata;
use solfec::shape::RawElement;

use super::text::{shown, words, Text};
use super::{joined, without_sets, MeshFile, Part, Style, Written};
use crate::error::{Error, Result};

/// Netgen's order of the nodes of a tetrahedron, pyramid, wedge and hexahedron.
const ORDERS: [&[usize]; 4] = [&[0, 2, 1, 3], &[0, 3, 2, 1, 4], &[0, 2, 1, 3, 5, 4], &[0, 3, 2, 1, 4, 7, 6, 5]];

pub(super) fn begins_vol(bytes: &[u8]) -> bool {
    Text::new(bytes, "").content().is_some_and(|line| line == b"mesh3d")
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let mut text = Text::new(bytes, name);
    let first = text.wanted("mesh3d, or the number of points")?;
    let (mut part, cells) = match first {
        b"mesh3d" => vol(&mut text)?,
        word if word.iter().all(u8::is_ascii_digit) => neutral(&mut text, word)?,
        word if word.starts_with(b"MeshVersionFormatted") => {
            return Err(text.fail("is a mesh of Medit, which is not read; save it as .msh (Gmsh) or .vtk"));
        }
        word => return Err(text.fail(format!("{} stands where mesh3d or a number of points is expected", shown(word)))),
    };
    part.check_numbers(name)?;
    let nodes = std::mem::take(&mut part.mesh.nodes);
    for element in &mut part.mesh.elements {
        let natural = reordered(element);
        *element = meshdata::positive(&natural, &nodes);
    }
    part.mesh.nodes = nodes;
    let mut file = MeshFile::of(vec![part]);
    let remarks = super::corners_only(&mut file, super::SecondOrder { cells, curved: 0 });
    Ok((file, remarks))
}

/// From Netgen's order to ours, and back.
fn reordered(element: &RawElement) -> RawElement {
    let Some(order) = ORDERS.iter().find(|order| order.len() == element.nodes().len()) else { return *element };
    let nodes: Vec<u32> = order.iter().map(|&i| element.nodes()[i]).collect();
    RawElement::new(&nodes, element.volid).unwrap_or(*element)
}

fn corners_of(nodes: usize) -> Option<usize> {
    match nodes {
        4 | 10 => Some(4),
        5 | 13 => Some(5),
        6 | 15 => Some(6),
        8 | 20 => Some(8),
        _ => None,
    }
}

/// Numbers from 1 as rows from 0.
fn rows(words: &mut dyn Iterator<Item = &[u8]>, count: usize, text: &Text) -> Result<Vec<u32>> {
    let mut rows = Vec::with_capacity(count);
    for _ in 0..count {
        let word =
            words.next().ok_or_else(|| text.fail(format!("{} nodes are listed instead of {count}", rows.len())))?;
        let number = text.integer(word, "the number of a point")?;
        let row = number.checked_sub(1).and_then(|row| u32::try_from(row).ok());
        rows.push(row.ok_or_else(|| text.fail(format!("point {number}; they count from 1")))?);
    }
    Ok(rows)
}

fn element(part: &mut Part, mut nodes: Vec<u32>, volid: i32, text: &Text) -> Result<usize> {
    let count = nodes.len();
    let Some(corners) = corners_of(count) else {
        return Err(text.fail(format!("a volume element of {count} nodes; 4, 5, 6, 8 are expected, or second order")));
    };
    nodes.truncate(corners);
    part.mesh.elements.push(RawElement::new(&nodes, volid).map_err(|e| text.fail(e.to_string()))?);
    Ok(usize::from(count > corners))
}

fn face(part: &mut Part, mut nodes: Vec<u32>, surfid: i32, text: &Text) -> Result<usize> {
    let count = nodes.len();
    let corners = match count {
        3 | 6 => 3,
        4 | 8 => 4,
        _ => return Err(text.fail(format!("a surface element of {count} nodes; 3 or 4 are expected"))),
    };
    nodes.truncate(corners);
    part.mesh.faces.push((nodes, surfid));
    Ok(usize::from(count > corners))
}

fn vol(text: &mut Text) -> Result<(Part, usize)> {
    let mut part = Part::default();
    let mut second = 0;
    while let Some(line) = text.content() {
        let section = line;
        match section {
            b"points" => {
                let line = text.wanted("the number of points")?;
                for _ in 0..text.count(line, 5, "points")? {
                    let line = text.wanted("a point")?;
                    part.mesh.nodes.push(text.point(&mut words(line))?);
                }
            }
            b"volumeelements" => {
                let line = text.wanted("the number of volume elements")?;
                for _ in 0..text.count(line, 5, "volume elements")? {
                    let mut fields = words(text.wanted("a volume element")?);
                    let volid = text.id(fields.next().unwrap_or_default(), "the domain")?;
                    let count = text.count(fields.next().unwrap_or_default(), 0, "nodes of an element")?;
                    let nodes = rows(&mut fields, count.min(21), text)?;
                    second += element(&mut part, nodes, volid, text)?;
                }
            }
            b"surfaceelements" | b"surfaceelementsgi" | b"surfaceelementsuv" => {
                let line = text.wanted("the number of surface elements")?;
                for _ in 0..text.count(line, 5, "surface elements")? {
                    // Surface, boundary condition, domain inside, domain outside, number of nodes.
                    let mut fields = words(text.wanted("a surface element")?);
                    fields.next();
                    let surfid = text.id(fields.next().unwrap_or_default(), "the boundary condition")?;
                    fields.next();
                    fields.next();
                    let count = text.count(fields.next().unwrap_or_default(), 0, "nodes of an element")?;
                    let nodes = rows(&mut fields, count.min(9), text)?;
                    second += face(&mut part, nodes, surfid, text)?;
                }
            }
            b"endmesh" => break,
            // Edges, colours, names and what follows them.
            _ => {}
        }
    }
    Ok((part, second))
}

fn neutral(text: &mut Text, first: &[u8]) -> Result<(Part, usize)> {
    let mut part = Part::default();
    let mut second = 0;
    for _ in 0..text.count(first, 5, "points")? {
        let line = text.wanted("a point")?;
        part.mesh.nodes.push(text.point(&mut words(line))?);
    }
    let line = text.wanted("the number of volume elements")?;
    for _ in 0..text.count(line, 5, "volume elements")? {
        let mut fields = words(text.wanted("a volume element")?);
        let volid = text.id(fields.next().unwrap_or_default(), "the domain")?;
        let rest: Vec<&[u8]> = fields.collect();
        let nodes = rows(&mut rest.iter().copied(), rest.len(), text)?;
        second += element(&mut part, nodes, volid, text)?;
    }
    // A mesh of volume elements alone ends here.
    let Some(line) = text.content() else { return Ok((part, second)) };
    for _ in 0..text.count(line, 5, "surface elements")? {
        let mut fields = words(text.wanted("a surface element")?);
        let surfid = text.id(fields.next().unwrap_or_default(), "the boundary condition")?;
        let rest: Vec<&[u8]> = fields.collect();
        let nodes = rows(&mut rest.iter().copied(), rest.len(), text)?;
        second += face(&mut part, nodes, surfid, text)?;
    }
    Ok((part, second))
}

/// The cells of all parts, triangles for polygons of more than four corners.
fn prepared(file: &MeshFile, format: &str) -> Result<(Part, Vec<String>)> {
    let mut part = file.together();
    let mut remarks: Vec<String> = joined(file, format).into_iter().collect();
    remarks.extend(without_sets(&part, format));
    let polygons = std::mem::take(&mut part.mesh.faces);
    for (nodes, id) in polygons {
        match nodes.len() {
            3 | 4 => part.mesh.faces.push((nodes, id)),
            _ => {
                let triangles = meshdata::triangulate(&nodes, &part.mesh.nodes);
                part.mesh.faces.extend(triangles.into_iter().map(|t| (t.to_vec(), id)));
            }
        }
    }
    match part.mesh.elements.iter().find(|e| !ORDERS.iter().any(|order| order.len() == e.nodes().len())) {
        Some(e) => Err(Error::Format(format!("an element of {} nodes cannot be written as {format}", e.nodes().len()))),
        None => Ok((part, remarks)),
    }
}

fn list(nodes: &[u32]) -> String {
    nodes.iter().map(|n| (n + 1).to_string()).collect::<Vec<_>>().join(" ")
}

pub(super) fn write_vol(file: &MeshFile, _: Style) -> Result<Written> {
    let (part, remarks) = prepared(file, "vol")?;
    let mesh = &part.mesh;
    let mut out = Vec::new();
    let _ = writeln!(
        out,
        "# written by sf-mesh\nmesh3d\ndimension\n3\ngeomtype\n0\n\nsurfaceelements\n{}",
        mesh.faces.len()
    );
    for (nodes, id) in &mesh.faces {
        let _ = writeln!(out, "1 {id} 1 0 {} {}", nodes.len(), list(nodes));
    }
    let _ = writeln!(out, "\nvolumeelements\n{}", mesh.elements.len());
    for element in mesh.elements.iter().map(reordered) {
        let _ = writeln!(out, "{} {} {}", element.volid, element.nodes().len(), list(element.nodes()));
    }
    let _ = writeln!(out, "\npoints\n{}", mesh.nodes.len());
    for x in &mesh.nodes {
        let _ = writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z);
    }
    let _ = writeln!(out, "\nendmesh");
    Ok(Written { bytes: out, remarks, ..Written::default() })
}

pub(super) fn write_neutral(file: &MeshFile, _: Style) -> Result<Written> {
    let (part, remarks) = prepared(file, "mesh")?;
    let mesh = &part.mesh;
    let mut out = Vec::new();
    let _ = writeln!(out, "{}", mesh.nodes.len());
    for x in &mesh.nodes {
        let _ = writeln!(out, "{:?} {:?} {:?}", x.x, x.y, x.z);
    }
    let _ = writeln!(out, "{}", mesh.elements.len());
    for element in mesh.elements.iter().map(reordered) {
        let _ = writeln!(out, "{} {}", element.volid, list(element.nodes()));
    }
    let _ = writeln!(out, "{}", mesh.faces.len());
    for (nodes, id) in &mesh.faces {
        let _ = writeln!(out, "{id} {}", list(nodes));
    }
    Ok(Written { bytes: out, remarks, ..Written::default() })
}
