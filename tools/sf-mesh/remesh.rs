//! Meshes and convex surfaces made from others: rough-hex, convex, tet.

use clap::Args;
use solfec::meshdata::{join, sound_surface};
use solfec::meshing::{enclosing_block, Skin};
use solfec::shape::{RawMesh, Shape};
use solfec_formats::meshes::{MeshFile, Part};

use super::bodies::surface_of;
use super::combine::shape;
use super::files::{checked, named, tell, tell_lost_sets, welded, Input, Output};
use super::verb::Verb;
use crate::cli::{non_negative, CliError, Common};
use crate::mesher::{tetrahedra, Bounds, Source};

#[derive(Debug, Args)]
pub struct RoughHex {
    #[command(flatten)]
    input: Input,
    /// Elements along the axes of the least, the middle and the greatest second moment
    #[arg(short = 'n', long = "elements", value_names = ["I", "J", "K"], num_args = 3, required = true)]
    counts: Vec<usize>,
    /// Relative widths of the elements along the first axis, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    dx: Vec<f64>,
    /// Relative widths along the second axis
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    dy: Vec<f64>,
    /// Relative widths along the third axis
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    dz: Vec<f64>,
    /// The margin is ten times this, or a millionth of the size if that is more [m]
    #[arg(long, value_name = "D", default_value_t = solfec::model::GEOMETRIC_EPSILON, value_parser = non_negative)]
    epsilon: f64,
    #[command(flatten)]
    output: Output,
}

impl Verb for RoughHex {
    const NAME: &'static str = "rough-hex";
    const ABOUT: &'static str =
        "Make a block of hexahedra around meshes and convex surfaces, along their axes of inertia; its ids are 2147483647";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let file = self.input.read(common)?;
        let shapes =
            file.parts.iter().map(|part| shape(part, self.epsilon)).collect::<Result<Vec<Shape>, CliError>>()?;
        let counts = [self.counts[0], self.counts[1], self.counts[2]];
        let spacing = [&self.dx, &self.dy, &self.dz].map(|list| (!list.is_empty()).then_some(&list[..]));
        self.output.write_mesh(&enclosing_block(&shapes, counts, spacing, self.epsilon)?, common)
    }
}

#[derive(Debug, Args)]
pub struct Elements {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
}

impl Verb for Elements {
    const NAME: &'static str = "convex";
    const ABOUT: &'static str =
        "Make a closed convex surface of each element, for CONVEX_FILE of decks; faces between elements \
                                 get the surface id -2147483647, which takes no part in contact";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mut parts = Vec::new();
        let file = self.input.read(common)?;
        tell_lost_sets(file.parts.iter().flat_map(|part| &part.sets));
        for part in &file.parts {
            let polyhedra = checked(part)?.polyhedra()?;
            let prefix = if part.name.is_empty() { String::new() } else { format!("{}-", part.name) };
            let one = |(e, convex)| Part { name: format!("{prefix}{e}"), mesh: surface_of(convex), sets: Vec::new() };
            parts.extend(polyhedra.iter().enumerate().map(one));
        }
        self.output.write(&MeshFile::of(parts), common)
    }
}

#[derive(Debug, Args)]
pub struct Fill {
    #[command(flatten)]
    input: Input,
    /// Greatest volume of an element [m3]
    #[arg(long, value_name = "V", value_parser = positive)]
    volume: Option<f64>,
    /// Greatest ratio of the radius of the sphere through the corners to the shortest edge: above 1
    #[arg(long, value_name = "Q", value_parser = above_one)]
    quality: Option<f64>,
    /// Volume id of what is inside a surface; elements of a mesh keep theirs
    #[arg(long, value_name = "ID", default_value_t = 1, allow_negative_numbers = true)]
    volid: i32,
    #[command(flatten)]
    output: Output,
}

impl Verb for Fill {
    const NAME: &'static str = "tet";
    const ABOUT: &'static str =
        "Fill closed surfaces, or the boundary of meshes, with tetrahedra; calls TetGen, or Gmsh where only that is installed";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mut file = self.input.read(common)?;
        tell_lost_sets(file.parts.iter().flat_map(|part| &part.sets));
        let bounds = Bounds { volume: self.volume, quality: self.quality };
        for part in &mut file.parts {
            let (within, skin) = match part.mesh.elements.is_empty() {
                true => (None, closed_skin(part)?),
                false => checked(part).map(|mesh| (Some(mesh.clone()), Skin::of(&mesh)))?,
            };
            let found = tetrahedra(&Source::Skin(&skin), &bounds);
            let (mut found, warnings) = found.map_err(|e| CliError::new(e.code, named(part, &e.text)))?;
            let texts: Vec<String> = warnings.iter().map(|text| named(part, text)).collect();
            tell(&texts, common);
            found.regions.clear();
            part.mesh = RawMesh::from(&found.mesh(within.as_ref(), self.volid, part.mesh.surfid)?);
            part.sets.clear();
        }
        self.output.write(&file, common)
    }
}

/// The triangles of a surface, which must be closed and seen from outside.
fn closed_skin(part: &Part) -> Result<Skin, CliError> {
    let mut surface = RawMesh::default();
    join(&mut surface, &part.surface());
    let (surface, _) = welded(surface)?;
    sound_surface(&surface).map_err(|error| CliError::bad_input(named(part, &error.to_string())))?;
    Ok(Skin::of_surface(&surface))
}

fn positive(text: &str) -> Result<f64, String> {
    number_above(text, 0.0)
}

fn above_one(text: &str) -> Result<f64, String> {
    number_above(text, 1.0)
}

fn number_above(text: &str, least: f64) -> Result<f64, String> {
    let given = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x > least);
    given.ok_or_else(|| format!("give a number above {least}"))
}
