//! Gmsh: the surface as a mesh of discrete surfaces, one for each marker, and a volume inside. Formats: Gmsh reference
//! manual, MSH file format version 2.

use std::collections::BTreeSet;
use std::fmt::Write;

use solfec::meshing::{Skin, Tetrahedra};

use super::numbers::Numbers;
use super::{read, run as call, write, Bounds, Source};
use crate::cli::{CliError, Exit, Temporary};

const PROGRAM: &str = "gmsh";
/// Types of elements in the format: their numbers and nodes.
const TRIANGLE: usize = 2;
const TETRAHEDRON: usize = 4;
const NODES: [(usize, usize); 4] = [(1, 2), (TRIANGLE, 3), (TETRAHEDRON, 4), (15, 1)];

pub fn run(folder: &Temporary, source: &Source, bounds: &Bounds) -> Result<(Tetrahedra, Vec<String>), CliError> {
    let Source::Skin(skin) = source else {
        let text = "surfaces in files need TetGen, and only Gmsh is installed (on Debian: sudo apt-get install tetgen)";
        return Err(CliError::new(Exit::Io, text));
    };
    let markers = markers(skin);
    write(folder, "skin.msh", &surface(skin, &markers))?;
    write(folder, "volume.geo", &instructions(&markers))?;
    call(folder, PROGRAM, &["volume.geo", "-3", "-format", "msh2", "-o", "volume.msh", "-v", "1", "-nt", "1"])?;
    let text = read(folder, "volume.msh", PROGRAM)?;
    let warning = "Gmsh keeps the surface as it is and cannot bound volume or quality; install TetGen if bounds matter";
    let bounded = bounds.volume.is_some() || bounds.quality.is_some();
    let warnings = bounded.then(|| warning.to_string()).into_iter().collect();
    let found = parse(&text, skin)?;
    if found.elements.is_empty() {
        let text = "Gmsh has made no tetrahedra: it fills one solid, and none that stands in a cavity; install TetGen \
                    (on Debian: sudo apt-get install tetgen), or mesh the solids one by one";
        return Err(CliError::bad_input(text));
    }
    Ok((found, warnings))
}

/// Markers of the triangles. Walls of cavities have markers beyond those of the surface ids: Gmsh fills what is
/// enclosed by all surfaces of the volume, and so would fill a cavity whose wall belongs to a surface of the outside.
fn markers(skin: &Skin) -> Vec<u32> {
    let mut markers: Vec<u32> = skin.triangles.iter().map(|(_, marker)| *marker).collect();
    let walls = skin.cavities().into_iter().flat_map(|cavity| cavity.wall);
    walls.for_each(|t| markers[t] += skin.surfids.len() as u32);
    markers
}

fn surface(skin: &Skin, markers: &[u32]) -> String {
    let mut text = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", skin.points.len());
    for (n, x) in (1..).zip(&skin.points) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{n} {:?} {:?} {:?}", x.x, x.y, x.z);
    }
    let _ = writeln!(text, "$EndNodes\n$Elements\n{}", skin.triangles.len());
    for (n, ((corners, _), marker)) in (1..).zip(skin.triangles.iter().zip(markers)) {
        let [a, b, c] = corners.map(|corner| corner + 1);
        let _ = writeln!(text, "{n} {TRIANGLE} 2 {marker} {marker} {a} {b} {c}");
    }
    text + "$EndElements\n"
}

fn instructions(markers: &[u32]) -> String {
    let markers: BTreeSet<u32> = markers.iter().copied().collect();
    let markers: Vec<String> = markers.iter().map(u32::to_string).collect();
    format!(
        "Merge \"skin.msh\";\nSurface Loop(1) = {{{}}};\nVolume(1) = {{1}};\nMesh.SaveAll = 1;\n",
        markers.join(", ")
    )
}

/// Nodes, tetrahedra, and triangles with the number of their discrete surface.
fn parse(text: &str, skin: &Skin) -> Result<Tetrahedra, CliError> {
    let wrong = |what: &str| CliError::bad_input(format!("mesh generation has failed: volume.msh of {PROGRAM} {what}"));
    let section = |name: &str| {
        let begin = text.split_once(&format!("${name}\n")).map(|(_, rest)| rest);
        begin.and_then(|rest| rest.split_once(&format!("$End{name}"))).map(|(inside, _)| inside)
    };
    let (Some(nodes), Some(elements)) = (section("Nodes"), section("Elements")) else {
        return Err(wrong("lacks nodes or elements"));
    };
    let mut found = Tetrahedra::default();
    let mut numbers = Numbers::new(nodes, "volume.msh");
    let mut row = std::collections::BTreeMap::new();
    for n in 0..numbers.next::<u32>()? {
        row.insert(numbers.next::<u32>()?, n);
        found.nodes.push(numbers.point()?);
    }
    let known = |n: u32| row.get(&n).copied().ok_or_else(|| wrong(&format!("names node {n}, which it has not")));
    let mut numbers = Numbers::new(elements, "volume.msh");
    for _ in 0..numbers.next::<u32>()? {
        let [_, kind, tags] = numbers.some::<usize, 3>()?;
        let tags = (0..tags).map(|_| numbers.next::<i64>()).collect::<Result<Vec<i64>, CliError>>()?;
        let count = NODES.iter().find(|(number, _)| *number == kind).map(|(_, count)| *count);
        let count = count.ok_or_else(|| wrong(&format!("has an element of type {kind}")))?;
        let nodes = (0..count).map(|_| numbers.next().and_then(known)).collect::<Result<Vec<u32>, CliError>>()?;
        match nodes[..] {
            [a, b, c, d] => found.elements.push([a, b, c, d]),
            [a, b, c] => {
                let marker = tags.get(1).and_then(|tag| usize::try_from(tag - 1).ok());
                let surfid = marker.and_then(|row| skin.surfids.get(row % skin.surfids.len().max(1))).copied();
                found.faces.extend(surfid.map(|id| ([a, b, c], id)));
            }
            _ => {}
        }
    }
    Ok(found)
}
