//! Transformations: scale, translate, rotate, bend.

use clap::Args;
use solfec::math::Vec3;
use solfec::shape::{rotation_about, RawMesh};

use super::files::{checked, Input, Output};
use super::generate::point;
use super::verb::Verb;
use crate::cli::{CliError, Common};

#[derive(Debug, Args)]
pub struct Scale {
    /// Factors of x, y and z; negative ones mirror
    #[arg(value_name = "F", num_args = 3, required = true, allow_negative_numbers = true)]
    factors: Vec<f64>,
    /// Mesh file; - is standard input
    #[arg(short, long = "input", value_name = "FILE", default_value = "-")]
    input: std::path::PathBuf,
    #[command(flatten)]
    how: super::files::How,
    #[command(flatten)]
    output: Output,
}

impl Verb for Scale {
    const NAME: &'static str = "scale";
    const ABOUT: &'static str = "Multiply all coordinates by factors about the origin";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let factors = point(&self.factors);
        if factors.iter().any(|f| *f == 0.0 || !f.is_finite()) {
            return Err(CliError::usage("give three finite factors other than zero"));
        }
        let mut file = super::files::read(&self.input, &self.how, common)?;
        file.map(|x| x.component_mul(&factors), factors.product() < 0.0);
        self.output.write(&file, common)
    }
}

#[derive(Debug, Args)]
pub struct Translate {
    /// Shift along x, y and z [m]
    #[arg(value_name = "D", num_args = 3, required = true, allow_negative_numbers = true)]
    shift: Vec<f64>,
    /// Mesh file; - is standard input
    #[arg(short, long = "input", value_name = "FILE", default_value = "-")]
    input: std::path::PathBuf,
    #[command(flatten)]
    how: super::files::How,
    #[command(flatten)]
    output: Output,
}

impl Verb for Translate {
    const NAME: &'static str = "translate";
    const ABOUT: &'static str = "Move all nodes";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let shift = point(&self.shift);
        if shift.iter().any(|d| !d.is_finite()) {
            return Err(CliError::usage("give three finite numbers"));
        }
        let mut file = super::files::read(&self.input, &self.how, common)?;
        file.map(|x| x + shift, false);
        self.output.write(&file, common)
    }
}

/// An axis and an angle.
#[derive(Debug, Args)]
struct Turn {
    /// Point of the axis [m]
    #[arg(long, value_name = "X", num_args = 3, default_values_t = [0.0; 3], allow_negative_numbers = true)]
    point: Vec<f64>,
    /// Direction of the axis, of any length
    #[arg(long, value_name = "X", num_args = 3, required = true, allow_negative_numbers = true)]
    axis: Vec<f64>,
    /// Angle, right-handed [degree]
    #[arg(long, value_name = "A", required = true, allow_negative_numbers = true)]
    angle: f64,
}

impl Turn {
    fn axis(&self) -> (Vec3, Vec3) {
        (point(&self.point), point(&self.axis))
    }
}

#[derive(Debug, Args)]
pub struct Rotate {
    #[command(flatten)]
    turn: Turn,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
}

impl Verb for Rotate {
    const NAME: &'static str = "rotate";
    const ABOUT: &'static str = "Turn about an axis";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let (from, axis) = self.turn.axis();
        let rotation = rotation_about(&axis, self.turn.angle)?;
        let mut file = self.input.read_all(common)?;
        file.map(|x| from + rotation * (x - from), false);
        self.output.write(&file, common)
    }
}

#[derive(Debug, Args)]
pub struct Bend {
    #[command(flatten)]
    turn: Turn,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
}

impl Verb for Bend {
    const NAME: &'static str = "bend";
    const ABOUT: &'static str = "Bend meshes about an axis beside them";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let (from, axis) = self.turn.axis();
        let mut file = self.input.read(common)?;
        for part in &mut file.parts {
            let bent = checked(part)?.bent(&from, &axis, self.turn.angle)?;
            part.mesh.nodes.clone_from(&RawMesh::from(&bent).nodes);
        }
        self.output.write(&file, common)
    }
}
