//! Lists of nodes, faces and points: nodes-on-surface, faces-on-plane, integration-points.

use clap::Args;
use solfec::meshing::{surface_points, volume_points};
use solfec_formats::meshes::MeshFile;

use super::files::{checked, How};
use super::generate::points;
use super::verb::Verb;
use crate::cli::{non_negative, write_stdout, CliError, Common};

#[derive(Debug, Args)]
pub struct NodesOnSurface {
    /// Surface id
    #[arg(value_name = "ID", allow_negative_numbers = true)]
    surfid: i32,
    /// Mesh file; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: std::path::PathBuf,
    #[command(flatten)]
    how: How,
}

impl Verb for NodesOnSurface {
    const NAME: &'static str = "nodes-on-surface";
    const ABOUT: &'static str = "List the nodes of the boundary faces with a surface id, from 0, one in a line";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mesh = checked(&single(super::files::read(&self.file, &self.how, common)?)?)?;
        let nodes: String = mesh.nodes_on_surface(self.surfid).iter().map(|n| format!("{n}\n")).collect();
        write_stdout(nodes.as_bytes())
    }
}

#[derive(Debug, Args)]
pub struct FacesOnPlane {
    /// Point of the plane and its normal: six numbers
    #[arg(long, value_name = "X", num_args = 6, required = true, allow_negative_numbers = true)]
    plane: Vec<f64>,
    /// Greatest distance of a node from the plane [m]
    #[arg(long, value_name = "D", default_value_t = solfec::model::GEOMETRIC_EPSILON, value_parser = non_negative)]
    epsilon: f64,
    /// Mesh file; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: std::path::PathBuf,
    #[command(flatten)]
    how: How,
}

impl Verb for FacesOnPlane {
    const NAME: &'static str = "faces-on-plane";
    const ABOUT: &'static str =
        "List the faces between elements that lie in a plane, one in a line as node numbers from 0";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mesh = checked(&single(super::files::read(&self.file, &self.how, common)?)?)?;
        let given = points(&self.plane);
        let normal = given[1].try_normalize(0.0).ok_or_else(|| CliError::usage("--plane: the normal has no length"))?;
        let near = |n: &u32| (mesh.nodes[*n as usize] - given[0]).dot(&normal).abs() <= self.epsilon;
        let mut text = String::new();
        for face in mesh.inner_faces().into_iter().filter(|face| face.iter().all(near)) {
            let numbers: Vec<String> = face.iter().map(u32::to_string).collect();
            text += &format!("{}\n", numbers.join(" "));
        }
        write_stdout(text.as_bytes())
    }
}

#[derive(Debug, Args)]
pub struct IntegrationPoints {
    /// Points of boundary faces instead of those of elements
    #[arg(long)]
    surface: bool,
    /// Faces with this surface id only
    #[arg(long, value_name = "ID", requires = "surface", allow_negative_numbers = true)]
    surfid: Option<i32>,
    /// Elements with this volume id only
    #[arg(long, value_name = "ID", conflicts_with = "surface", allow_negative_numbers = true)]
    volid: Option<i32>,
    /// Mesh file; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: std::path::PathBuf,
    #[command(flatten)]
    how: How,
}

impl Verb for IntegrationPoints {
    const NAME: &'static str = "integration-points";
    const ABOUT: &'static str = "List the integration points of elements or boundary faces, x y z in a line";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mesh = checked(&single(super::files::read(&self.file, &self.how, common)?)?)?;
        let points = match self.surface {
            true => surface_points(&mesh, self.surfid),
            false => volume_points(&mesh, self.volid),
        };
        let text: String = points.iter().map(|x| format!("{:?} {:?} {:?}\n", x.x, x.y, x.z)).collect();
        write_stdout(text.as_bytes())
    }
}

/// The only part of a file.
fn single(file: MeshFile) -> Result<solfec_formats::meshes::Part, CliError> {
    let names: Vec<String> = file.parts.iter().map(|part| part.name.clone()).collect();
    match <[_; 1]>::try_from(file.parts) {
        Ok([part]) => Ok(part),
        Err(_) => Err(CliError::usage(format!(
            "the file has {} parts; choose one with --part: {}",
            names.len(),
            names.join(", ")
        ))),
    }
}
