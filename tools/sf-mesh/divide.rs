//! Meshes in two: split.

use clap::Args;
use solfec::meshing::{split_mesh, Plane, Split};
use solfec::shape::{Mesh, RawMesh};
use solfec_formats::meshes::{MeshFile, Part};

use super::files::{checked, Input, Output};
use super::generate::points;
use super::verb::Verb;
use crate::cli::{non_negative, CliError, Common};

#[derive(Debug, Args)]
pub struct Halve {
    #[command(flatten)]
    input: Input,
    /// Point of the plane and its normal: six numbers
    #[arg(long, value_name = "X", num_args = 6, required = true, allow_negative_numbers = true)]
    plane: Vec<f64>,
    /// Surface ids of the new faces that look along the normal, and against it
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
    const ABOUT: &'static str = "Split meshes by a plane into parts BELOW and ABOVE";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let given = points(&self.plane);
        let split = Split {
            plane: Plane::new(given[0], given[1])?,
            surfids: [self.surfids[0], self.surfids[1]],
            epsilon: self.epsilon,
            near: self.topoadj.then_some(given[0]),
            remesh: !self.no_remesh,
        };
        let mut parts = Vec::new();
        for part in &self.input.read(common)?.parts {
            let halves = split_mesh(&checked(part)?, &split)?;
            let prefix = if part.name.is_empty() { String::new() } else { format!("{}-", part.name) };
            let mut put = |side: &str, meshes: &[Mesh]| {
                for (k, mesh) in meshes.iter().enumerate() {
                    let number = if meshes.len() > 1 { format!("-{}", k + 1) } else { String::new() };
                    let name = format!("{prefix}{side}{number}");
                    parts.push(Part { name, mesh: RawMesh::from(mesh), sets: Vec::new() });
                }
            };
            put("BELOW", &halves.below);
            put("ABOVE", &halves.above);
        }
        self.output.write(&MeshFile { parts }, common)
    }
}
