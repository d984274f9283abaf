//! sf-info: tells what a file or a results directory is and holds, and verifies it. [`facts`] gathers, [`model`],
//! [`results`] and [`others`] know one kind of file each, [`condition`] says whether a run is over.

mod condition;
mod facts;
mod model;
mod others;
mod results;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use solfec_formats::{check_file, kind_of, Kind};

use crate::cli::{
    is_reading_child, parse, read_in_child, require_exists, write_stdout, CliError, Common, Exit, Outcome, EXIT_CODES,
    VERSION,
};
use facts::Facts;

const TOOL: &str = "sf-info";

const EXAMPLES: &str = "Examples:\n  sf-info out/arch\n  sf-info --json arch.sfm.h5 | jq .domains[0].bodies\n\n";

/// Tells what files are and hold, and verifies them: models, results, checkpoints, meshes, FCLIB files, XDMF
/// files.
#[derive(Debug, Parser)]
#[command(name = TOOL, version = VERSION, after_long_help = format!("{EXAMPLES}{EXIT_CODES}"))]
struct Options {
    /// Model, results (directory, master, segment or packed), checkpoint, mesh, mesh of TETRAHEDRALIZE, FCLIB file, XDMF file
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
    let look = if is_reading_child() { tell } else { tell_by_child };
    let mut sound = Ok(());
    for path in &options.files {
        if let Some(damage) = look(path, &options)? {
            sound = Err(damage);
        }
    }
    sound
}

/// As [`tell`], by a process of its own, which a damaged file may crash.
fn tell_by_child(path: &Path, options: &Options) -> Result<Option<CliError>, CliError> {
    require_exists(path)?;
    let flags = [("--json", options.common.json), ("--no-check", options.no_check)];
    let args: Vec<&str> = flags.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    match read_in_child(TOOL, &args, path)? {
        Outcome::Ended { code, stdout, stderr } => {
            write_stdout(&stdout)?;
            let _ = std::io::stderr().write_all(&stderr);
            match code {
                0 => Ok(None),
                1 => Ok(Some(CliError::quiet(Exit::No))),
                3 => Err(CliError::quiet(Exit::BadInput)),
                4 => Err(CliError::quiet(Exit::Io)),
                71 => Err(CliError::quiet(Exit::Memory)),
                _ => Err(CliError::quiet(Exit::Internal)),
            }
        }
        Outcome::Killed(text) => {
            let mut facts = Facts::named("damaged file", path);
            facts.add("check", json!([text]));
            show(&facts, options)?;
            Ok(Some(CliError::new(Exit::No, text)))
        }
    }
}

/// Writes what is known of a file; the damage found in it.
fn tell(path: &Path, options: &Options) -> Result<Option<CliError>, CliError> {
    let xdmf = others::is_xdmf(path);
    if !xdmf {
        others::require_hdf5(path)?;
    }
    let gathered = if xdmf { others::xdmf(path) } else { gather(path) };
    let verified = !xdmf && !options.no_check;
    let problems = match verified {
        true => check_file(path)?,
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
    show(&facts, options)?;
    Ok(problems.first().map(|first| CliError::new(Exit::No, first)))
}

fn show(facts: &Facts, options: &Options) -> Result<(), CliError> {
    let text = match options.common.json {
        true => format!("{}\n", facts.json("sf-info/1")),
        false => facts.text(),
    };
    write_stdout(text.as_bytes())
}

/// The facts about a file or directory of these formats.
fn gather(path: &Path) -> Result<Facts, CliError> {
    match kind_of(path)? {
        Kind::Model => model::facts(path),
        Kind::Results => results::facts(path),
        Kind::Segment => others::segment(path),
        Kind::Checkpoint => others::checkpoint(path),
        Kind::Mesh => others::mesh(path),
        Kind::Modes => others::modes(path),
        Kind::MeshCache => others::mesh_cache(path),
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
