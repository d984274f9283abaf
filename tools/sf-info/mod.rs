//! sf-info: tells what a file or a results directory is and holds, and verifies it. [`facts`] gathers, [`model`],
//! [`results`] and [`others`] know one kind of file each, [`condition`] says whether a run is over.

mod condition;
mod facts;
mod model;
mod others;
mod results;

use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use solfec_formats::{kind_of, Kind};

use crate::cli::{parse, verify, write_stdout, CliError, Common, Exit, EXIT_CODES, VERSION};
use facts::Facts;

const TOOL: &str = "sf-info";

const EXAMPLES: &str = "Examples:\n  sf-info out/arch\n  sf-info --json arch.sfm.h5 | jq .domains[0].bodies\n\n";

/// Tells what files are and hold, and verifies them: models, results, checkpoints, FCLIB files, XDMF files.
#[derive(Debug, Parser)]
#[command(name = TOOL, version = VERSION, after_long_help = format!("{EXAMPLES}{EXIT_CODES}"))]
struct Options {
    /// Model, results (directory, master, segment or packed), checkpoint, FCLIB file, XDMF file
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    /// Do not read the whole file to verify it
    #[arg(long)]
    no_check: bool,
    #[command(flatten)]
    common: Common,
}

/// The command line of the tool.
pub fn command() -> clap::Command {
    <Options as clap::CommandFactory>::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    let options: Options = parse(TOOL)?;
    options.common.apply();
    options.common.threads()?;
    let mut sound = Ok(());
    for path in &options.files {
        let problems = tell(path, &options)?;
        if let Some(first) = problems.first() {
            sound = Err(CliError::new(Exit::No, first));
        }
    }
    sound
}

/// Writes what is known of a file; the problems found in it.
fn tell(path: &Path, options: &Options) -> Result<Vec<String>, CliError> {
    let xdmf = others::is_xdmf(path);
    if !xdmf {
        others::require_hdf5(path)?;
    }
    let gathered = if xdmf { others::xdmf(path) } else { gather(path) };
    let verified = !xdmf && !options.no_check;
    let problems = match verified {
        true => verify(path)?,
        false => Vec::new(),
    };
    // What is damaged cannot tell much about itself, but it can say where.
    let mut facts = match gathered {
        Ok(facts) => facts,
        Err(error) if problems.is_empty() => return Err(error),
        Err(_) => Facts::named("damaged file", path),
    };
    if verified {
        facts.add("check", if problems.is_empty() { json!("ok") } else { json!(problems) });
    }
    let text = match options.common.json {
        true => format!("{}\n", facts.json("sf-info/1")),
        false => facts.text(),
    };
    write_stdout(text.as_bytes())?;
    Ok(problems)
}

/// The facts about a file or directory of these formats.
fn gather(path: &Path) -> Result<Facts, CliError> {
    match kind_of(path)? {
        Kind::Model => model::facts(path),
        Kind::Results => results::facts(path),
        Kind::Segment => others::segment(path),
        Kind::Checkpoint => others::checkpoint(path),
        Kind::Mesh => others::mesh(path),
        Kind::LocalDynamics => others::local_dynamics(path),
    }
}

/// One line about a file that is whole: `model, 2 bodies`.
///
/// # Errors
/// It cannot be read.
pub fn summary(path: &Path) -> Result<String, CliError> {
    gather(path).map(|facts| facts.title)
}
