//! From one format to another: convert.

use clap::Args;

use super::files::{checked, Input, Output};
use super::verb::Verb;
use crate::cli::{CliError, Common};

#[derive(Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    input: Input,
    /// Refuse meshes that could not be computed with: inverted elements, faces of three elements
    #[arg(long)]
    validate: bool,
    #[command(flatten)]
    output: Output,
}

impl Verb for Convert {
    const NAME: &'static str = "convert";
    const ABOUT: &'static str = "Write a mesh in another format";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let file = self.input.read_all(common)?;
        if self.validate {
            file.parts
                .iter()
                .filter(|part| !part.mesh.elements.is_empty())
                .try_for_each(|part| checked(part).map(drop))?;
        }
        self.output.write(&file, common)
    }
}
