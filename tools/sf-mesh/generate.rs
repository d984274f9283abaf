//! Generators: hex, pipe, hull.

use clap::Args;
use solfec::math::Vec3;
use solfec::meshing::ellipsoid_mesh;
use solfec::shape::{Convex, Mesh, Pipe};
use solfec_formats::meshes::MeshFile;

use super::bodies::surface_of;
use super::files::{tell_lost_sets, Input, Output};
use super::verb::Verb;
use crate::cli::{CliError, Common};

/// Triples of numbers as points.
pub fn points(numbers: &[f64]) -> Vec<Vec3> {
    numbers.chunks_exact(3).map(|x| Vec3::new(x[0], x[1], x[2])).collect()
}

/// One point of exactly three numbers, as clap has made sure.
pub fn point(numbers: &[f64]) -> Vec3 {
    points(numbers).first().copied().unwrap_or_default()
}

/// As many ids as wanted, or one for all.
fn ids<const N: usize>(given: &[i32], what: &str) -> Result<[i32; N], CliError> {
    match given {
        [one] => Ok([*one; N]),
        _ => given
            .try_into()
            .map_err(|_| CliError::usage(format!("--surfids: {} ids given; give one, or {N}: {what}", given.len()))),
    }
}

#[derive(Debug, Args)]
pub struct Hex {
    /// Two opposite corners of a box with sides along the axes [m]
    #[arg(
        long = "box",
        value_name = "X",
        num_args = 6,
        allow_negative_numbers = true,
        required_unless_present = "nodes"
    )]
    corners: Vec<f64>,
    /// Text file with eight corners, bottom four and top four: 24 numbers [m]
    #[arg(long, value_name = "FILE", conflicts_with = "corners")]
    nodes: Option<std::path::PathBuf>,
    /// Elements along the three directions
    #[arg(short = 'n', long = "elements", value_names = ["I", "J", "K"], num_args = 3, required = true)]
    counts: Vec<usize>,
    /// Relative widths of the elements along the first direction, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    dx: Vec<f64>,
    /// Relative widths along the second direction
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    dy: Vec<f64>,
    /// Relative widths along the third direction
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    dz: Vec<f64>,
    /// Volume id
    #[arg(long, value_name = "ID", default_value_t = 1, allow_negative_numbers = true)]
    volid: i32,
    /// Surface ids of bottom, x-, y+, x+, y-, top; or one for all
    #[arg(long, value_name = "ID", num_args = 1..=6, default_values_t = [1, 2, 3, 4, 5, 6], allow_negative_numbers = true)]
    surfids: Vec<i32>,
    #[command(flatten)]
    output: Output,
}

impl Verb for Hex {
    const NAME: &'static str = "hex";
    const ABOUT: &'static str = "Make a block of hexahedra";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let given = match self.corners[..] {
            [a, b, c, x, y, z] => {
                let corner = |i: usize, j: usize, k: usize| [[a, x][i], [b, y][j], [c, z][k]];
                let level = |k: usize| [corner(0, 0, k), corner(1, 0, k), corner(1, 1, k), corner(0, 1, k)];
                [level(0), level(1)].concat().concat()
            }
            _ => self.nodes.as_deref().map_or(Ok(Vec::new()), numbers)?,
        };
        let corners: [Vec3; 8] = points(&given).try_into().map_err(|_| {
            CliError::bad_input("--nodes: the file does not have 24 numbers; give x, y, z of eight corners")
        })?;
        let counts = [self.counts[0], self.counts[1], self.counts[2]];
        let surfids = ids(&self.surfids, "bottom, x-, y+, x+, y-, top")?;
        let spacing = [&self.dx, &self.dy, &self.dz].map(|list| (!list.is_empty()).then_some(&list[..]));
        self.output.write_mesh(&Mesh::hex(&corners, counts, self.volid, &surfids, spacing)?, common)
    }
}

/// The numbers of a text file.
pub fn numbers(path: &std::path::Path) -> Result<Vec<f64>, CliError> {
    let text = std::fs::read_to_string(path).map_err(|e| CliError::file(path, "read", &e))?;
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let number = |word: &str| word.parse::<f64>().ok().filter(|x| x.is_finite());
    let wrong = |word: &str| CliError::bad_input(format!("{}: '{word}' is no finite number", path.display()));
    words.map(|word| number(word).ok_or_else(|| wrong(word))).collect()
}

#[derive(Debug, Args)]
pub struct PipeVerb {
    /// Centre of the first end [m]
    #[arg(long, value_name = "X", num_args = 3, default_values_t = [0.0; 3], allow_negative_numbers = true)]
    point: Vec<f64>,
    /// Way from there to the centre of the other end [m]
    #[arg(long, value_name = "X", num_args = 3, required = true, allow_negative_numbers = true)]
    length: Vec<f64>,
    /// Inner radius [m]
    #[arg(long, value_name = "R")]
    inner: f64,
    /// Thickness of the wall [m]
    #[arg(long, value_name = "T")]
    wall: f64,
    /// Elements along the axis, around it, and through the wall
    #[arg(short = 'n', long = "elements", value_names = ["ALONG", "AROUND", "THROUGH"], num_args = 3, required = true)]
    counts: Vec<usize>,
    /// Volume id
    #[arg(long, value_name = "ID", default_value_t = 1, allow_negative_numbers = true)]
    volid: i32,
    /// Surface ids of the first end, the other end, the inside, the outside; or one for all
    #[arg(long, value_name = "ID", num_args = 1..=4, default_values_t = [1, 2, 3, 4], allow_negative_numbers = true)]
    surfids: Vec<i32>,
    #[command(flatten)]
    output: Output,
}

impl Verb for PipeVerb {
    const NAME: &'static str = "pipe";
    const ABOUT: &'static str = "Make a straight pipe of hexahedra";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let pipe = Pipe {
            point: point(&self.point),
            direction: point(&self.length),
            inner_radius: self.inner,
            thickness: self.wall,
            counts: [self.counts[0], self.counts[1], self.counts[2]],
        };
        let surfids = ids(&self.surfids, "first end, other end, inside, outside")?;
        self.output.write_mesh(&Mesh::pipe(&pipe, self.volid, &surfids)?, common)
    }
}

#[derive(Debug, Args)]
pub struct Ellipsoid {
    /// Centre [m]
    #[arg(long, value_name = "X", num_args = 3, default_values_t = [0.0; 3], allow_negative_numbers = true)]
    center: Vec<f64>,
    /// Half axes along x, y and z [m]
    #[arg(long, value_name = "R", num_args = 3, required = true)]
    radii: Vec<f64>,
    /// Greatest distance, along the radius, of the middle of an edge from the ellipsoid [m]
    #[arg(long, value_name = "D", required = true)]
    error: f64,
    /// Volume id
    #[arg(long, value_name = "ID", default_value_t = 1, allow_negative_numbers = true)]
    volid: i32,
    /// Surface id
    #[arg(long, value_name = "ID", default_value_t = 1, allow_negative_numbers = true)]
    surfid: i32,
    #[command(flatten)]
    output: Output,
}

impl Verb for Ellipsoid {
    const NAME: &'static str = "ellip";
    const ABOUT: &'static str = "Make an ellipsoid, or a sphere, of tetrahedra";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let (center, radii) = (point(&self.center), point(&self.radii));
        self.output.write_mesh(&ellipsoid_mesh(center, radii, self.error, self.volid, self.surfid)?, common)
    }
}

#[derive(Debug, Args)]
pub struct Hull {
    #[command(flatten)]
    input: Input,
    /// Surface id [default: that of the first face of a part, else 0]
    #[arg(long, value_name = "ID", allow_negative_numbers = true)]
    surfid: Option<i32>,
    #[command(flatten)]
    output: Output,
}

impl Verb for Hull {
    const NAME: &'static str = "hull";
    const ABOUT: &'static str = "Make the convex hull of the nodes of each part, as a closed surface";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mut file: MeshFile = self.input.read(common)?;
        tell_lost_sets(file.parts.iter().flat_map(|part| &part.sets));
        for part in &mut file.parts {
            let first = part.mesh.faces.first().map_or(part.mesh.surfid, |face| face.1);
            part.mesh = surface_of(&Convex::hull(&part.mesh.nodes, 0, self.surfid.unwrap_or(first))?);
            part.sets.clear();
        }
        self.output.write(&file, common)
    }
}
