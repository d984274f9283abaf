//! TetGen's files (its manual, "File formats"): tetrahedra in `.ele` with their points in `.node` and boundary
//! triangles in `.face` beside it; polygons in `.poly` and `.smesh`. Regions are volume ids, boundary markers surface
//! ids. Indices begin with that of the first point, 0 or 1.

use std::io::Write as _;
use std::path::Path;

use solfec::math::Vec3;
use solfec::meshdata;
use solfec::shape::RawElement;

use super::surfaces::surfaces;
use super::text::{words, Text};
use super::{joined, without_sets, MeshFile, Part, Style, Written};
use crate::error::{Error, Result};

/// Points with the index of the first.
struct Points {
    nodes: Vec<Vec3>,
    first: i64,
}

impl Points {
    /// From a list, which may be empty: it is then in a `.node` file.
    fn read(text: &mut Text) -> Result<Points> {
        let fields: Vec<&[u8]> = words(text.wanted("the number of points")?).collect();
        let count = text.count(fields[0], 5, "points")?;
        if fields.get(1).is_some_and(|&dimension| dimension != b"3") {
            return Err(text.fail("the points are not in three dimensions"));
        }
        let mut points = Points { nodes: Vec::with_capacity(count), first: 0 };
        for row in 0..count {
            let mut fields = words(text.wanted("a point")?);
            let index = text.integer(fields.next().unwrap_or_default(), "the index of a point")?;
            if row == 0 {
                points.first = index;
            }
            if index != points.first.wrapping_add(row as i64) || !(0..=1).contains(&points.first) {
                return Err(text.fail(format!("index {index} of a point; they count from 0 or 1 without a gap")));
            }
            points.nodes.push(text.point(&mut fields)?);
        }
        Ok(points)
    }

    fn beside(path: &Path, what: &str) -> Result<Points> {
        if path.as_os_str().is_empty() {
            let text =
                format!("{what} needs its .node file beside it and cannot come through a pipe; give a file name");
            return Err(Error::format("standard input", text));
        }
        let path = path.with_extension("node");
        let bytes = std::fs::read(&path).map_err(|e| Error::io(&path, "read", &e))?;
        Points::read(&mut Text::new(&bytes, &path.display().to_string()))
    }

    /// Rows of `count` indices.
    fn rows(&self, fields: &mut dyn Iterator<Item = &[u8]>, count: usize, text: &Text) -> Result<Vec<u32>> {
        let mut rows = Vec::with_capacity(count.min(16));
        for _ in 0..count {
            let index = text.integer(fields.next().unwrap_or_default(), "the index of a point")?;
            let row = index.checked_sub(self.first).and_then(|row| u32::try_from(row).ok());
            let row = row.filter(|&row| (row as usize) < self.nodes.len());
            rows.push(row.ok_or_else(|| {
                let (first, n) = (self.first, self.nodes.len() as i64);
                text.fail(format!("point {index} is not there; they count from {first} to {}", first + n - 1))
            })?);
        }
        Ok(rows)
    }
}

pub(super) fn read(bytes: &[u8], name: &str, path: &Path) -> Result<(MeshFile, Vec<String>)> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if ending == "node" {
        let beside = path.with_extension("ele");
        let bytes = std::fs::read(&beside).map_err(|e| Error::io(&beside, "read", &e))?;
        return read(&bytes, &beside.display().to_string(), &beside);
    }
    let points = Points::beside(path, "an .ele file")?;
    let mut text = Text::new(bytes, name);
    let fields: Vec<&[u8]> = words(text.wanted("the number of tetrahedra")?).collect();
    let count = text.count(fields[0], 9, "tetrahedra")?;
    let nodes = fields.get(1).map_or(Ok(4), |word| text.integer(word, "the number of nodes of a tetrahedron"))?;
    if nodes != 4 && nodes != 10 {
        return Err(text.fail(format!("tetrahedra of {nodes} nodes; 4 or 10 are expected")));
    }
    let region = fields.get(2).is_some_and(|&attributes| attributes != b"0");
    let mut part = Part::default();
    for _ in 0..count {
        let mut fields = words(text.wanted("a tetrahedron")?);
        fields.next();
        let rows = points.rows(&mut fields, nodes as usize, &text)?;
        let volid = match (region, fields.next()) {
            (true, Some(word)) => text.real(word, "the region")? as i32,
            (true, None) => return Err(text.fail("the region of a tetrahedron is missing")),
            (false, _) => 0,
        };
        let element = RawElement::new(&rows[..4], volid).map_err(|e| text.fail(e.to_string()))?;
        part.mesh.elements.push(meshdata::positive(&element, &points.nodes));
    }
    let faces = path.with_extension("face");
    if faces.exists() {
        let bytes = std::fs::read(&faces).map_err(|e| Error::io(&faces, "read", &e))?;
        read_faces(&bytes, &faces.display().to_string(), &points, &mut part)?;
    }
    part.mesh.nodes = points.nodes;
    let second_order = if nodes == 10 { count } else { 0 };
    let mut file = MeshFile::of(vec![part]);
    let remarks = super::corners_only(&mut file, super::SecondOrder { cells: second_order, curved: 0 });
    Ok((file, remarks))
}

fn read_faces(bytes: &[u8], name: &str, points: &Points, part: &mut Part) -> Result<()> {
    let mut text = Text::new(bytes, name);
    let fields: Vec<&[u8]> = words(text.wanted("the number of faces")?).collect();
    let marked = fields.get(1).is_some_and(|&markers| markers != b"0");
    for _ in 0..text.count(fields[0], 7, "faces")? {
        let mut fields = words(text.wanted("a face")?);
        fields.next();
        let rows = points.rows(&mut fields, 3, &text)?;
        let surfid = match fields.next().filter(|_| marked) {
            Some(word) => text.id(word, "the marker of a face")?,
            None => 0,
        };
        part.mesh.faces.push((rows, surfid));
    }
    Ok(())
}

pub(super) fn read_poly(bytes: &[u8], name: &str, path: &Path) -> Result<(MeshFile, Vec<String>)> {
    read_facets(bytes, name, path, Facets::Poly)
}

pub(super) fn read_smesh(bytes: &[u8], name: &str, path: &Path) -> Result<(MeshFile, Vec<String>)> {
    read_facets(bytes, name, path, Facets::Smesh)
}

/// How a facet is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Facets {
    /// A line with the numbers of polygons and holes and the marker, and a line for each of these.
    Poly,
    /// One line: a polygon, its marker behind the corners.
    Smesh,
}

impl Facets {
    fn ending(self) -> &'static str {
        match self {
            Facets::Poly => "poly",
            Facets::Smesh => "smesh",
        }
    }
}

fn read_facets(bytes: &[u8], name: &str, path: &Path, facets: Facets) -> Result<(MeshFile, Vec<String>)> {
    let mut text = Text::new(bytes, name);
    let mut points = Points::read(&mut text)?;
    if points.nodes.is_empty() {
        points = Points::beside(path, &format!("a .{} file without points", facets.ending()))?;
    }
    let fields: Vec<&[u8]> = words(text.wanted("the number of facets")?).collect();
    let marked = fields.get(1).is_some_and(|&markers| markers != b"0");
    let mut part = Part::default();
    for facet in 0..text.count(fields[0], 3, "facets")? {
        let head: Vec<&[u8]> = words(text.wanted("a facet")?).collect();
        let mut surfid = 0;
        if facets == Facets::Smesh {
            let count = text.count(head[0], 0, "corners")?;
            let nodes = corners(&mut text, &points, count, &head[1..])?;
            surfid = head.get(1 + count).filter(|_| marked).map_or(Ok(0), |word| text.id(word, "a marker"))?;
            polygon(&mut part, nodes, surfid);
            continue;
        }
        let polygons = text.count(head[0], 3, "polygons")?;
        if head.get(1).is_some_and(|&holes| holes != b"0") {
            let text = text.fail(format!(
                "facet {facet} has holes, and a polygon here has none; TETRAHEDRALIZE takes the file as it is, or mesh \
                 it by 'tetgen -p' and read the .ele file"
            ));
            return Err(text);
        }
        if let Some(word) = head.get(2).filter(|_| marked) {
            surfid = text.id(word, "a boundary marker")?;
        }
        for _ in 0..polygons {
            let line: Vec<&[u8]> = words(text.wanted("a polygon")?).collect();
            let count = text.count(line[0], 0, "corners")?;
            let nodes = corners(&mut text, &points, count, &line[1..])?;
            polygon(&mut part, nodes, surfid);
        }
    }
    part.mesh.nodes = points.nodes;
    // Facets of TetGen have no side that is outside.
    meshdata::orient(&mut part.mesh);
    let holes = holes(&mut text)?;
    let hollows = meshdata::hollow(&mut part.mesh, &holes);
    let astray = hollows.iter().zip(1..).find(|(found, _)| !**found);
    if let Some((_, number)) = astray {
        return Err(text.fail(format!(
            "the point of hole {number} lies in no closed shell inside another one; what it cuts out has no surface here"
        )));
    }
    let regions =
        text.content().map_or(Ok(0), |line| text.count(words(line).next().unwrap_or_default(), 5, "regions"))?;
    let remark = (regions > 0).then(|| {
        format!(
            "{regions} regions are left out: a surface has no volume ids; TETRAHEDRALIZE and 'tetgen -pA' keep them"
        )
    });
    Ok((MeshFile::of(vec![part]), remark.into_iter().collect()))
}

/// Points in the cavities; the list may be missing.
fn holes(text: &mut Text) -> Result<Vec<Vec3>> {
    let Some(line) = text.content() else { return Ok(Vec::new()) };
    let mut points = Vec::new();
    for _ in 0..text.count(words(line).next().unwrap_or_default(), 5, "holes")? {
        let mut fields = words(text.wanted("the point of a hole")?);
        fields.next();
        points.push(text.point(&mut fields)?);
    }
    Ok(points)
}

/// Segments and points of facets do not bound anything.
fn polygon(part: &mut Part, nodes: Vec<u32>, surfid: i32) {
    if nodes.len() > 2 {
        part.mesh.faces.push((nodes, surfid));
    }
}

/// Corners, which may go on in the next lines.
fn corners(text: &mut Text, points: &Points, count: usize, line: &[&[u8]]) -> Result<Vec<u32>> {
    let mut fields: Vec<&[u8]> = line.to_vec();
    while fields.len() < count {
        fields.extend(words(text.wanted("the rest of a polygon")?));
    }
    points.rows(&mut fields.into_iter(), count, text)
}

pub(super) fn write(file: &MeshFile, _: Style) -> Result<Written> {
    let part = file.together();
    let mut remarks: Vec<String> = joined(file, "ele").into_iter().chain(without_sets(&part, "ele")).collect();
    if part.mesh.elements.is_empty() {
        return Err(Error::Format("has no tetrahedra; write a surface as .poly, or mesh it first".into()));
    }
    if let Some(element) = part.mesh.elements.iter().find(|element| element.nodes().len() != 4) {
        let text = format!("has elements of {} nodes, but TetGen's files hold tetrahedra only", element.nodes().len());
        return Err(Error::Format(text));
    }
    let mut ele = Vec::new();
    let _ = writeln!(ele, "{} 4 1", part.mesh.elements.len());
    for (e, element) in (1..).zip(&part.mesh.elements) {
        let nodes: Vec<String> = element.nodes().iter().map(|n| (n + 1).to_string()).collect();
        let _ = writeln!(ele, "{e} {} {}", nodes.join(" "), element.volid);
    }
    let mut node = Vec::new();
    put_points(&mut node, &part.mesh.nodes);
    let (three, other): (Vec<_>, Vec<_>) = part.mesh.faces.iter().partition(|face| face.0.len() == 3);
    if !other.is_empty() {
        remarks.push(format!("ele holds triangles only: {} other faces are left out", other.len()));
    }
    let mut face = Vec::new();
    let _ = writeln!(face, "{} 1", three.len());
    for (f, (nodes, surfid)) in (1..).zip(three) {
        let _ = writeln!(face, "{f} {} {} {} {surfid}", nodes[0] + 1, nodes[1] + 1, nodes[2] + 1);
    }
    Ok(Written { bytes: ele, beside: vec![("node", node), ("face", face)], remarks })
}

fn put_points(out: &mut Vec<u8>, nodes: &[Vec3]) {
    let _ = writeln!(out, "{} 3 0 0", nodes.len());
    for (n, x) in (1..).zip(nodes) {
        let _ = writeln!(out, "{n} {:?} {:?} {:?}", x.x, x.y, x.z);
    }
}

/// Polygons with plane corners stay whole; TetGen wants plane facets.
pub(super) fn write_poly(file: &MeshFile, _: Style) -> Result<Written> {
    write_facets(file, Facets::Poly)
}

pub(super) fn write_smesh(file: &MeshFile, _: Style) -> Result<Written> {
    write_facets(file, Facets::Smesh)
}

fn write_facets(file: &MeshFile, how: Facets) -> Result<Written> {
    let (all, mut remarks) = surfaces(file, how.ending())?;
    remarks.extend(joined(file, how.ending()));
    let mut out = Vec::new();
    let nodes: Vec<Vec3> = all.iter().flat_map(|(_, mesh)| mesh.nodes.iter().copied()).collect();
    put_points(&mut out, &nodes);
    let mut facets: Vec<(Vec<u32>, i32)> = Vec::new();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    let mut first = 0;
    for (_, mesh) in &all {
        for (polygon, surfid) in &mesh.faces {
            let pieces = meshdata::triangulate(polygon, &mesh.nodes);
            triangles.extend(pieces.iter().map(|t| t.map(|n| n + first)));
            let whole = polygon.len() == 3 || is_plane(polygon, &mesh.nodes);
            let pieces = if whole { vec![polygon.clone()] } else { pieces.iter().map(|t| t.to_vec()).collect() };
            facets.extend(pieces.into_iter().map(|p| (p.into_iter().map(|n| n + first + 1).collect(), *surfid)));
        }
        first += mesh.nodes.len() as u32;
    }
    let _ = writeln!(out, "{} 1", facets.len());
    for (nodes, surfid) in facets {
        let list: Vec<String> = nodes.iter().map(u32::to_string).collect();
        let (count, list) = (nodes.len(), list.join(" "));
        let _ = match how {
            Facets::Poly => writeln!(out, "1 0 {surfid}\n{count} {list}"),
            Facets::Smesh => writeln!(out, "{count} {list} {surfid}"),
        };
    }
    // Facets have no outside: without a point in it a cavity would be filled.
    put_holes(&mut out, &meshdata::cavities(&nodes, &triangles));
    Ok(Written { bytes: out, remarks, ..Written::default() })
}

/// Points of holes, and no regions.
fn put_holes(out: &mut Vec<u8>, holes: &[meshdata::Cavity]) {
    let _ = writeln!(out, "{}", holes.len());
    for (k, hole) in (1..).zip(holes) {
        let x = hole.point;
        let _ = writeln!(out, "{k} {:?} {:?} {:?}", x.x, x.y, x.z);
    }
    out.extend_from_slice(b"0\n");
}

/// Distance from the plane in multiples of the size of a polygon that is round-off.
const FLAT: f64 = 1e-12;

fn is_plane(polygon: &[u32], nodes: &[Vec3]) -> bool {
    let x: Vec<Vec3> = polygon.iter().map(|&n| nodes[n as usize]).collect();
    let normal: Vec3 = (1..x.len() - 1).map(|i| (x[i] - x[0]).cross(&(x[i + 1] - x[0]))).sum();
    let size = x.iter().map(|y| (y - x[0]).norm()).fold(0.0, f64::max);
    normal.try_normalize(0.0).is_some_and(|n| x.iter().all(|y| (y - x[0]).dot(&n).abs() <= FLAT * size))
}
