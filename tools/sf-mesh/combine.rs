//! Several files together: merge, overlap.

use std::path::PathBuf;

use clap::Args;
use solfec::contact::overlapping;
use solfec::meshdata::weld;
use solfec::shape::{Convex, Face, Geometry, Shape};
use solfec_formats::meshes::{MeshFile, Part, SetKind};

use super::files::{checked, read, How, Output};
use super::verb::Verb;
use crate::cli::{non_negative, CliError, Common};

#[derive(Debug, Args)]
pub struct Merge {
    /// Mesh files; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    how: How,
    /// Make one part of all, and one node of nodes closer than this [m]
    #[arg(long, value_name = "D", value_parser = non_negative)]
    weld: Option<f64>,
    #[command(flatten)]
    output: Output,
}

impl Verb for Merge {
    const NAME: &'static str = "merge";
    const ABOUT: &'static str = "Put the parts of several files into one, and weld them if wanted";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mut all = MeshFile::default();
        for file in &self.files {
            all.parts.extend(read(file, &self.how, common)?.parts);
        }
        if let Some(tolerance) = self.weld {
            let mut part = all.together();
            let welded = weld(&mut part.mesh, tolerance);
            for set in &mut part.sets {
                let new = |row: u32| match set.kind {
                    SetKind::Nodes => welded.nodes.get(row as usize).copied(),
                    SetKind::Faces => welded.faces.get(row as usize).copied().flatten(),
                    SetKind::Elements => Some(row),
                };
                set.rows = set.rows.iter().filter_map(|row| new(*row)).collect();
                set.rows.sort_unstable();
                set.rows.dedup();
            }
            all = MeshFile::of(vec![part]);
        }
        self.output.write(&all, common)
    }
}

#[derive(Debug, Args)]
pub struct Overlap {
    /// Parts to choose from; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// Meshes and convex surfaces to compare with
    #[arg(long, value_name = "FILE", required = true)]
    obstacles: PathBuf,
    /// Choose the parts that do not overlap
    #[arg(long)]
    not: bool,
    /// Greatest gap, not positive; 0: touching parts too [m]
    #[arg(long, value_name = "D", default_value_t = 0.0, allow_negative_numbers = true)]
    gap: f64,
    /// Points closer than this are the same [m]
    #[arg(long, value_name = "D", default_value_t = solfec::model::GEOMETRIC_EPSILON, value_parser = non_negative)]
    epsilon: f64,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    output: Output,
}

impl Verb for Overlap {
    const NAME: &'static str = "overlap";
    const ABOUT: &'static str = "Choose the parts that touch or overlap others, or those that do not";

    fn run(self, common: &Common) -> Result<(), CliError> {
        if self.gap > 0.0 {
            return Err(CliError::usage(format!("--gap {}: give a number that is not positive", self.gap)));
        }
        let obstacles = read(&self.obstacles, &self.how, common)?;
        let file = read(&self.file, &self.how, common)?;
        let shape = |part: &Part| shape(part, self.epsilon);
        let obstacles = obstacles.parts.iter().map(shape).collect::<Result<Vec<Shape>, CliError>>()?;
        let groups =
            file.parts.iter().map(|part| Ok(vec![shape(part)?])).collect::<Result<Vec<Vec<Shape>>, CliError>>()?;
        let found = overlapping(&obstacles, &groups, self.gap, self.epsilon)?;
        let chosen = file.parts.into_iter().zip(found).filter(|(_, found)| *found != self.not);
        let parts: Vec<Part> = chosen.map(|(part, _)| part).collect();
        if parts.is_empty() {
            return Err(CliError::new(crate::cli::Exit::No, "no part is chosen, nothing is written"));
        }
        self.output.write(&MeshFile::of(parts), common)
    }
}

/// The mesh of a part, or the polyhedron of a closed convex surface.
pub fn shape(part: &Part, epsilon: f64) -> Result<Shape, CliError> {
    if !part.mesh.elements.is_empty() {
        return Ok(Shape::new(checked(part)?));
    }
    let faces =
        part.mesh.faces.iter().map(|(nodes, surfid)| Face { nodes: nodes[..].into(), surfid: *surfid }).collect();
    let (convex, _) = Convex::new(part.mesh.nodes.clone(), faces, 0, epsilon).map_err(|e| {
        CliError::bad_input(format!("part '{}' is no convex surface: {e}; 'sf-mesh hull' makes one", part.name))
    })?;
    Ok(Shape::new(Geometry::from(convex)))
}
