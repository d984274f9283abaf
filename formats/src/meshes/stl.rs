//! STL, ASCII and binary. Each solid is a part; corners that are the same up to single precision become one node.

use std::io::Write as _;
use std::path::Path;

use solfec::math::Vec3;
use solfec::meshdata::{triangulate, welded_points};
use solfec::shape::RawMesh;

use super::surfaces::surfaces;
use super::text::{raw_f32, raw_u32, shown, words, Endian, Text};
use super::{Encoding, MeshFile, Part, Style, Written};
use crate::error::{Error, Result};

/// Corners closer than this part of the diagonal of their box are the same: the precision of the numbers.
const WELD: f64 = 2.0 * f32::EPSILON as f64;
/// Bytes before the number of triangles, and of a triangle.
const HEAD: usize = 80;
const TRIANGLE: usize = 50;

pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"solid") || is_binary(bytes)
}

/// Whether the length is that of so many triangles.
fn is_binary(bytes: &[u8]) -> bool {
    let count = bytes.get(HEAD..HEAD + 4).map(|count| raw_u32(count, Endian::Little)[0] as usize);
    count.is_some_and(|count| count.checked_mul(TRIANGLE).is_some_and(|n| n + HEAD + 4 == bytes.len()))
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let solids = match is_binary(bytes) || !bytes.trim_ascii_start().starts_with(b"solid") {
        true => vec![(String::new(), binary(bytes, name)?)],
        false => ascii(bytes, name)?,
    };
    let several = solids.len() > 1;
    let is_cut = !is_binary(bytes) && !ends(bytes);
    let mut file = MeshFile::default();
    let mut dropped = 0;
    for (name, corners) in solids {
        let first = corners.first().copied().unwrap_or_default();
        let (low, high) = corners.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
        let (nodes, numbers) = welded_points(&corners, WELD * (high - low).norm());
        let all = numbers.chunks_exact(3);
        let good = |t: &&[u32]| t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
        let faces: Vec<(Vec<u32>, i32)> = all.clone().filter(good).map(|t| (t.to_vec(), 0)).collect();
        dropped += all.len() - faces.len();
        let mesh = RawMesh { nodes, faces, ..RawMesh::default() };
        file.parts.push(Part { name: if several { name } else { String::new() }, mesh, sets: Vec::new() });
    }
    if file.parts.iter().all(|part| part.mesh.faces.is_empty()) && dropped > 0 {
        return Err(Error::format(
            name,
            format!(
                "two corners of each of its {dropped} triangles are the same, within the \
            precision of STL; make it again"
            ),
        ));
    }
    let remark = (dropped > 0).then(|| format!("{dropped} triangles with two equal corners are left out"));
    let cut = is_cut.then(|| "the file does not end with endsolid: it may be cut off".to_string());
    Ok((file, remark.into_iter().chain(cut).collect()))
}

/// Whether the last line of an ASCII file is that of a solid.
fn ends(bytes: &[u8]) -> bool {
    let last = bytes.trim_ascii_end().rsplit(|&b| b == b'\n').next().unwrap_or_default().trim_ascii();
    last.len() >= 8 && last[..8].eq_ignore_ascii_case(b"endsolid")
}

fn binary(bytes: &[u8], name: &str) -> Result<Vec<Vec3>> {
    let fail = |at: usize, text: String| Error::format(&format!("{name}: byte {at}"), text);
    let Some(count) = bytes.get(HEAD..HEAD + 4).map(|count| raw_u32(count, Endian::Little)[0]) else {
        return Err(fail(bytes.len(), "the file ends in the header; an STL file is expected".into()));
    };
    let rest = &bytes[HEAD + 4..];
    if rest.len() / TRIANGLE < count as usize {
        let text =
            format!("says that {count} triangles follow, but there are {}; the file is cut off", rest.len() / TRIANGLE);
        return Err(fail(HEAD, text));
    }
    let mut corners = Vec::with_capacity(3 * count as usize);
    for (t, triangle) in rest.chunks_exact(TRIANGLE).take(count as usize).enumerate() {
        let x = raw_f32(&triangle[12..48], Endian::Little);
        if x.iter().any(|x| !x.is_finite()) {
            return Err(fail(HEAD + 4 + t * TRIANGLE, format!("triangle {t} has a coordinate that is not finite")));
        }
        corners.extend(x.chunks_exact(3).map(|x| Vec3::new(x[0].into(), x[1].into(), x[2].into())));
    }
    Ok(corners)
}

/// Names and corners of solids, three for each triangle.
fn ascii(bytes: &[u8], name: &str) -> Result<Vec<(String, Vec<Vec3>)>> {
    let mut text = Text::new(bytes, name);
    let mut solids: Vec<(String, Vec<Vec3>)> = Vec::new();
    while let Some(line) = text.line() {
        let mut fields = words(line);
        let keyword = fields.next().unwrap_or_default().to_ascii_lowercase();
        match keyword.as_slice() {
            b"solid" => {
                let name = line.trim_ascii().get(5..).unwrap_or_default();
                solids.push((String::from_utf8_lossy(name).trim().to_string(), Vec::new()));
            }
            b"vertex" => {
                let x = text.point(&mut fields)?;
                match solids.last_mut() {
                    Some((_, corners)) => corners.push(x),
                    None => return Err(text.fail("a vertex before 'solid'")),
                }
            }
            b"endfacet" | b"endsolid" => {
                if let Some((_, corners)) = solids.last().filter(|(_, corners)| corners.len() % 3 != 0) {
                    let n = corners.len();
                    return Err(text.fail(format!("{n} vertices by the end of a facet, which is no multiple of three")));
                }
            }
            b"" | b"facet" | b"outer" | b"endloop" => {}
            other => {
                return Err(text.fail(format!("{} is no keyword of STL; vertex or facet is expected", shown(other))))
            }
        }
    }
    if solids.last().is_some_and(|(_, corners)| corners.len() % 3 != 0) {
        return Err(text.fail("the file ends within a facet; it is cut off"));
    }
    Ok(solids)
}

pub(super) fn write(file: &MeshFile, style: Style) -> Result<Written> {
    let (all, mut remarks) = surfaces(file, "stl")?;
    if all.iter().any(|(_, mesh)| mesh.faces.iter().any(|face| face.1 != 0)) {
        remarks.push("stl has no surface ids: they are left out".into());
    }
    let mut bytes = Vec::new();
    if style.encoding == Encoding::Ascii {
        for (name, mesh) in &all {
            let _ = writeln!(bytes, "solid {name}");
            for (normal, corners) in facets(mesh) {
                let _ = writeln!(bytes, "facet normal {:?} {:?} {:?}\nouter loop", normal.x, normal.y, normal.z);
                for x in corners {
                    let _ = writeln!(bytes, "vertex {:?} {:?} {:?}", x.x, x.y, x.z);
                }
                bytes.extend_from_slice(b"endloop\nendfacet\n");
            }
            let _ = writeln!(bytes, "endsolid {name}");
        }
        return Ok(Written { bytes, remarks, ..Written::default() });
    }
    if all.len() > 1 {
        remarks.push(format!("binary stl has no solids: the {} parts are written as one", all.len()));
    }
    bytes.extend_from_slice(&[b' '; HEAD]);
    bytes[..18].copy_from_slice(b"written by sf-mesh");
    let facets: Vec<(Vec3, [Vec3; 3])> = all.iter().flat_map(|(_, mesh)| facets(mesh)).collect();
    bytes.extend_from_slice(&(facets.len() as u32).to_le_bytes());
    for (normal, corners) in facets {
        for x in std::iter::once(normal).chain(corners) {
            x.iter().for_each(|&x| bytes.extend_from_slice(&(x as f32).to_le_bytes()));
        }
        bytes.extend_from_slice(&[0, 0]);
    }
    Ok(Written { bytes, remarks, ..Written::default() })
}

/// Normals and corners of triangles.
fn facets(mesh: &RawMesh) -> Vec<(Vec3, [Vec3; 3])> {
    let facet = |t: [u32; 3]| {
        let x = t.map(|n| mesh.nodes[n as usize]);
        let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
        (normal.try_normalize(0.0).unwrap_or_default(), x)
    };
    mesh.faces.iter().flat_map(|(nodes, _)| triangulate(nodes, &mesh.nodes)).map(facet).collect()
}
