//! Meshes in parts: split, by a plane or along faces.

use std::path::{Path, PathBuf};

use clap::Args;
use solfec::meshing::{separate, split_mesh, Opening, Plane, Split};
use solfec::shape::{Mesh, RawMesh};
use solfec_formats::meshes::{MeshFile, Part};

use super::files::{checked, named, Input, Output};
use super::generate::points;
use super::verb::Verb;
use crate::cli::{non_negative, CliError, Common};

#[derive(Debug, Args)]
pub struct Halve {
    #[command(flatten)]
    input: Input,
    /// Point of the plane and its normal: six numbers
    #[arg(
        long,
        value_name = "X",
        num_args = 6,
        allow_negative_numbers = true,
        required_unless_present = "faces",
        conflicts_with = "faces"
    )]
    plane: Vec<f64>,
    /// Text file with faces between elements, 3 or 4 node numbers from 0 in a line, as faces-on-plane lists them: the
    /// mesh is opened along them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["topoadj", "no_remesh"])]
    faces: Option<PathBuf>,
    /// Surface ids of the new faces that look along the normal (of the plane; of the face, counter-clockwise), and against it
    #[arg(long, value_names = ["A", "B"], num_args = 2, default_values_t = [0, 0], allow_negative_numbers = true)]
    surfids: Vec<i32>,
    /// Open only the connected part of the cut that the point is on
    #[arg(long)]
    topoadj: bool,
    /// Refuse a plane that does not follow the faces of elements
    #[arg(long)]
    no_remesh: bool,
    /// Points nearer to the plane than this are on it [m]
    #[arg(long, value_name = "D", default_value_t = solfec::model::GEOMETRIC_EPSILON, value_parser = non_negative)]
    epsilon: f64,
    #[command(flatten)]
    output: Output,
}

impl Verb for Halve {
    const NAME: &'static str = "split";
    const ABOUT: &'static str =
        "Split meshes by a plane into parts BELOW and ABOVE, or open them along faces between elements";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let file = self.input.read(common)?;
        let parts = match &self.faces {
            Some(path) => self.opened(&file, path)?,
            None => self.halved(&file)?,
        };
        self.output.write(&MeshFile::of(parts), common)
    }
}

impl Halve {
    fn halved(&self, file: &MeshFile) -> Result<Vec<Part>, CliError> {
        let given = points(&self.plane);
        let split = Split {
            plane: Plane::new(given[0], given[1])?,
            surfids: [self.surfids[0], self.surfids[1]],
            epsilon: self.epsilon,
            near: self.topoadj.then_some(given[0]),
            remesh: !self.no_remesh,
        };
        let mut parts = Vec::new();
        for part in &file.parts {
            let halves = split_mesh(&checked(part)?, &split)?;
            parts.extend(numbered(part, "BELOW", &halves.below));
            parts.extend(numbered(part, "ABOVE", &halves.above));
        }
        Ok(parts)
    }

    fn opened(&self, file: &MeshFile, path: &Path) -> Result<Vec<Part>, CliError> {
        let surfids = [self.surfids[0], self.surfids[1]];
        let mut parts = Vec::new();
        for part in &file.parts {
            let mesh = checked(part)?;
            let faces: Vec<Opening> =
                faces(path, mesh.nodes.len())?.into_iter().map(|nodes| Opening { nodes, surfids }).collect();
            let pieces = separate(&mesh, &faces)?;
            if pieces.is_empty() {
                let text = format!("none of the faces in {} lies between two elements", path.display());
                return Err(CliError::bad_input(named(part, &text)));
            }
            parts.extend(numbered(part, "PIECE", &pieces));
        }
        Ok(parts)
    }
}

/// Meshes as parts that have the name of the part they are from, `what`, and a number if there are several.
fn numbered(part: &Part, what: &str, meshes: &[Mesh]) -> Vec<Part> {
    let prefix = if part.name.is_empty() { String::new() } else { format!("{}-", part.name) };
    let one = |(k, mesh): (usize, &Mesh)| {
        let number = if meshes.len() > 1 { format!("-{}", k + 1) } else { String::new() };
        Part { name: format!("{prefix}{what}{number}"), mesh: RawMesh::from(mesh), sets: Vec::new() }
    };
    meshes.iter().enumerate().map(one).collect()
}

/// The faces of a text file: a line each; what follows a # is passed over.
fn faces(path: &Path, count: usize) -> Result<Vec<Vec<u32>>, CliError> {
    let text = std::fs::read_to_string(path).map_err(|e| CliError::file(path, "read", &e))?;
    let mut faces = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let place = format!("{}:{line}", path.display());
        let wrong = |text: String| CliError::bad_input(format!("{place}: {text}"));
        let words = content.split('#').next().unwrap_or_default().split_whitespace();
        let node = |word: &str| {
            let found = word.parse::<u32>().ok().filter(|&n| (n as usize) < count);
            found.ok_or_else(|| wrong(format!("'{word}' is no node; there are 0 to {}", count.saturating_sub(1))))
        };
        let face = words.map(node).collect::<Result<Vec<u32>, CliError>>()?;
        let repeated = face.iter().enumerate().any(|(i, n)| face[..i].contains(n));
        match face.len() {
            0 => {}
            3 | 4 if !repeated => faces.push(face),
            n => return Err(wrong(format!("{n} nodes; a face has 3 or 4 different ones"))),
        }
    }
    Ok(faces)
}
