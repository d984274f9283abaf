//! A picture: view.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use solfec::meshdata::{outer_faces, seen_faces, triangulate};
use solfec_formats::meshes::{MeshFile, Part};

use super::files::Input;
use super::verb::Verb;
use crate::cli::{refuse_binary_to_terminal, CliError, Common, Product};
use crate::draw::{picture, Polygon, Scene, View};

#[derive(Debug, Args)]
pub struct Draw {
    #[command(flatten)]
    input: Input,
    /// PNG file to write; - is standard output
    #[arg(short, long, value_name = "FILE.png", default_value = "-")]
    output: PathBuf,
    /// Overwrite an existing file
    #[arg(short, long)]
    force: bool,
    /// Width and height in pixels
    #[arg(long, value_names = ["W", "H"], num_args = 2, default_values_t = [1200, 900])]
    size: Vec<u32>,
    /// Direction of the eye about z, from x [degree]
    #[arg(long, value_name = "A", default_value_t = -60.0, allow_negative_numbers = true)]
    azimuth: f64,
    /// Height of the eye above the horizon [degree]
    #[arg(long, value_name = "A", default_value_t = 25.0, allow_negative_numbers = true)]
    elevation: f64,
    /// Parallel rays instead of perspective
    #[arg(long)]
    orthographic: bool,
    /// Colours by surface id, volume id or part: surface, volume, part
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = By::Surface, hide_possible_values = true)]
    by: By,
    /// No edges of elements and polygons
    #[arg(long)]
    no_edges: bool,
    /// No axes with lengths
    #[arg(long)]
    no_axes: bool,
    /// No legend
    #[arg(long)]
    no_legend: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Surface,
    Volume,
    Part,
}

/// The most pixels of a side.
const LARGEST: u32 = 8000;

impl Verb for Draw {
    const NAME: &'static str = "view";
    const ABOUT: &'static str = "Draw a shaded picture as PNG";

    fn run(self, common: &Common) -> Result<(), CliError> {
        if self.size.iter().any(|n| !(100..=LARGEST).contains(n)) {
            return Err(CliError::usage(format!("--size: give two numbers from 100 to {LARGEST}")));
        }
        if !self.azimuth.is_finite() || !(-90.0..=90.0).contains(&self.elevation) {
            return Err(CliError::usage("--elevation: give an angle from -90 to 90 degrees, and a finite --azimuth"));
        }
        if let Some(other) = self.output.extension().filter(|ending| !ending.eq_ignore_ascii_case("png")) {
            let told = format!("-o: a picture is a PNG file, not .{}; name it FILE.png", other.to_string_lossy());
            return Err(CliError::usage(told));
        }
        let file = self.input.read(common)?;
        let view = View {
            size: [self.size[0] as usize, self.size[1] as usize],
            azimuth: self.azimuth,
            elevation: self.elevation,
            orthographic: self.orthographic,
            edges: !self.no_edges,
            axes: !self.no_axes,
            legend: !self.no_legend,
        };
        let bytes = picture(&scene(&file, self.by), &view)
            .map_err(|text| CliError::bad_input(format!("{}: {text}", self.input.file.display())))?;
        if self.output == std::path::Path::new("-") {
            refuse_binary_to_terminal()?;
        }
        let mut product = Product::open(Some(&self.output), self.force)?;
        product.put(&bytes)?;
        product.finish()
    }
}

/// The faces of all parts that are seen from outside, grouped for colours.
fn scene(file: &MeshFile, by: By) -> Scene {
    let mut scene = Scene::default();
    let mut names: BTreeMap<i64, String> = BTreeMap::new();
    let mut keyed: Vec<(Vec<u32>, i64)> = Vec::new();
    for (k, part) in file.parts.iter().enumerate() {
        // Parts of one name have one colour: shapes of a body.
        let same = file.parts.iter().position(|other| !part.name.is_empty() && other.name == part.name).unwrap_or(k);
        let first = scene.points.len() as u32;
        scene.points.extend_from_slice(&part.mesh.nodes);
        let faces = seen_faces(&part.explicit().mesh);
        for ((nodes, surfid), volid) in faces.into_iter().zip(volids(part)) {
            let (key, name) = match by {
                By::Surface => (i64::from(surfid), format!("surface {surfid}")),
                By::Volume => (i64::from(volid), format!("volume {volid}")),
                By::Part if part.name.is_empty() => (k as i64, format!("part {k}")),
                By::Part => (same as i64, part.name.clone()),
            };
            names.entry(key).or_insert(name);
            // Hollow polygons are drawn as triangles.
            let pieces = match triangulate(&nodes, &part.mesh.nodes) {
                triangles if nodes.len() > 4 && !is_fan(&triangles) => triangles.into_iter().map(Vec::from).collect(),
                _ => vec![nodes],
            };
            for piece in pieces {
                keyed.push((piece.into_iter().map(|n| n.saturating_add(first)).collect(), key));
            }
        }
    }
    let order: BTreeMap<i64, usize> = names.keys().enumerate().map(|(group, key)| (*key, group)).collect();
    scene.groups = names.into_values().collect();
    scene.polygons = keyed.into_iter().map(|(corners, key)| Polygon { corners, group: order[&key] }).collect();
    scene
}

/// Whether all triangles begin at one corner.
fn is_fan(triangles: &[[u32; 3]]) -> bool {
    triangles.iter().all(|t| t[0] == triangles[0][0])
}

/// Volume ids of the elements that the faces belong to; 0 for polygons.
fn volids(part: &Part) -> Vec<i32> {
    match part.mesh.elements.is_empty() {
        true => vec![0; part.mesh.faces.len()],
        false => outer_faces(&part.mesh).iter().map(|f| part.mesh.elements[f.element as usize].volid).collect(),
    }
}
