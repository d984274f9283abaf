//! TetGen: `tetgen -pzAQ` with a piecewise linear complex. Formats: TetGen 1.5 user's manual, section 5.

use std::fmt::Write;
use std::path::Path;

use solfec::meshing::{Skin, Tetrahedra};

use super::numbers::Numbers;
use super::{read, run as call, write, Bounds, Source};
use crate::cli::{CliError, Temporary};

const PROGRAM: &str = "tetgen";
/// Files that may have markers of faces.
const MARKED: [&str; 3] = ["poly", "smesh", "mesh"];

pub fn run(folder: &Temporary, source: &Source, bounds: &Bounds) -> Result<Tetrahedra, CliError> {
    let name = match source {
        Source::Skin(skin) => {
            write(folder, "skin.poly", &complex(skin))?;
            "skin.poly".to_string()
        }
        Source::File { path, .. } => copy(folder, path)?,
    };
    let mut switches = "-pzAQ".to_string();
    // Writing to a String cannot fail.
    let _ = bounds.quality.map_or(Ok(()), |ratio| write!(switches, "q{ratio:?}"));
    let _ = bounds.volume.map_or(Ok(()), |volume| write!(switches, "a{volume:?}"));
    call(folder, PROGRAM, &[&switches, &name])?;
    let stem = name.split('.').next().unwrap_or_default();
    let [nodes, elements, faces] = ["node", "ele", "face"].map(|kind| format!("{stem}.1.{kind}"));
    let (nodes, elements) = (read_nodes(folder, &nodes)?, read_elements(folder, &elements)?);
    let surfid = |marker: i32| match source {
        Source::Skin(skin) => usize::try_from(marker - 1).ok().and_then(|row| skin.surfids.get(row)).copied(),
        Source::File { path, surfid } => Some(if marker == 0 || !marked(path) { *surfid } else { marker }),
    };
    let faces = read_faces(folder, &faces)?.into_iter().filter_map(|(nodes, marker)| Some((nodes, surfid(marker)?)));
    let (elements, regions) = elements;
    Ok(Tetrahedra { nodes, elements, faces: faces.collect(), regions })
}

fn marked(path: &Path) -> bool {
    path.extension().is_some_and(|kind| MARKED.iter().any(|marked| kind.eq_ignore_ascii_case(marked)))
}

/// A copy in the folder, under a name without surprises; with the file of nodes that a `.poly` may refer to.
fn copy(folder: &Temporary, path: &Path) -> Result<String, CliError> {
    let kind = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = format!("surface.{kind}");
    let to = folder.path(&name);
    std::fs::copy(path, to).map_err(|error| CliError::file(path, "read", &error))?;
    let nodes = path.with_extension("node");
    if nodes.is_file() {
        std::fs::copy(&nodes, folder.path("surface.node")).map_err(|error| CliError::file(&nodes, "read", &error))?;
    }
    Ok(name)
}

/// The `.poly` file of a surface, with a point in each of its cavities.
fn complex(skin: &Skin) -> String {
    let mut text = format!("{} 3 0 0\n", skin.points.len());
    for (n, x) in skin.points.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{n} {:?} {:?} {:?}", x.x, x.y, x.z);
    }
    let _ = writeln!(text, "{} 1", skin.triangles.len());
    for ([a, b, c], marker) in &skin.triangles {
        let _ = writeln!(text, "1 0 {marker}\n3 {a} {b} {c}");
    }
    let holes = skin.cavities();
    let _ = writeln!(text, "{}", holes.len());
    for (k, hole) in holes.iter().enumerate() {
        let x = hole.point;
        let _ = writeln!(text, "{k} {:?} {:?} {:?}", x.x, x.y, x.z);
    }
    text + "0\n"
}

fn read_nodes(folder: &Temporary, name: &str) -> Result<Vec<solfec::math::Vec3>, CliError> {
    let text = read(folder, name, PROGRAM)?;
    let mut numbers = Numbers::new(&text, name);
    let [count, _, attributes, markers] = numbers.some::<usize, 4>()?;
    let mut nodes = Vec::new();
    for _ in 0..count {
        numbers.next::<u32>()?;
        nodes.push(numbers.point()?);
        (0..attributes + markers).try_for_each(|_| numbers.next::<f64>().map(drop))?;
    }
    Ok(nodes)
}

/// Corners, and numbers of regions.
fn read_elements(folder: &Temporary, name: &str) -> Result<(Vec<[u32; 4]>, Vec<i32>), CliError> {
    let text = read(folder, name, PROGRAM)?;
    let mut numbers = Numbers::new(&text, name);
    let [count, _, attributes] = numbers.some::<usize, 3>()?;
    let (mut elements, mut regions) = (Vec::new(), Vec::new());
    for _ in 0..count {
        numbers.next::<u32>()?;
        elements.push(numbers.some::<u32, 4>()?);
        for k in 0..attributes {
            let region = numbers.next::<f64>()?;
            regions.extend((k == 0).then_some(region as i32));
        }
    }
    Ok((elements, regions))
}

/// Corners and markers.
fn read_faces(folder: &Temporary, name: &str) -> Result<Vec<([u32; 3], i32)>, CliError> {
    let text = read(folder, name, PROGRAM)?;
    let mut numbers = Numbers::new(&text, name);
    let [count, markers] = numbers.some::<usize, 2>()?;
    let mut faces = Vec::new();
    for _ in 0..count {
        numbers.next::<u32>()?;
        let nodes = numbers.some::<u32, 3>()?;
        faces.push((nodes, if markers > 0 { numbers.next::<i32>()? } else { 0 }));
    }
    Ok(faces)
}
