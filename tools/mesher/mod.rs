//! Meshers of tetrahedra, which are programs of their own: TetGen (Si 2015), or Gmsh (Geuzaine and Remacle 2009) where
//! only that is installed. Each gets files in a temporary folder and leaves files there; nothing of these is believed.

mod gmsh;
mod numbers;
mod tetgen;

use std::path::Path;
use std::process::{Command, Stdio};

use solfec::meshing::{Skin, Tetrahedra};

use crate::cli::{CliError, Exit, Temporary};

/// What is filled with tetrahedra.
pub enum Source<'a> {
    Skin(&'a Skin),
    /// A file with a surface that TetGen reads. Faces that have no marker in it get the surface id.
    File {
        path: &'a Path,
        surfid: i32,
    },
}

/// Bounds that the mesher is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    /// Greatest volume of a tetrahedron [m³].
    pub volume: Option<f64>,
    /// Greatest ratio of the radius of the circumscribed sphere to the shortest edge.
    pub quality: Option<f64>,
}

/// Relative difference of the volume of the tetrahedra from that of the surface at which they do not fill it.
const FILLED: f64 = 1e-6;

/// Fills a surface with tetrahedra. The second value holds warnings.
///
/// # Errors
/// No mesher is installed, a surface that is not closed or that meets itself, files that cannot be written.
pub fn tetrahedra(source: &Source, bounds: &Bounds) -> Result<(Tetrahedra, Vec<String>), CliError> {
    let folder = Temporary::new("sf-mesher")?;
    let (found, warnings) = if installed("tetgen", "-h") {
        (tetgen::run(&folder, source, bounds)?, Vec::new())
    } else if installed("gmsh", "--version") {
        gmsh::run(&folder, source, bounds)?
    } else {
        let text = "no mesher of tetrahedra is installed; install TetGen (on Debian: sudo apt-get install tetgen)";
        return Err(CliError::new(Exit::Io, text));
    };
    if let Source::Skin(skin) = source {
        check_volume(skin, &found)?;
    }
    Ok((found, warnings))
}

fn installed(program: &str, question: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(question).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// What a mesher makes of a surface that meets itself is often something, but not its inside.
fn check_volume(skin: &Skin, found: &Tetrahedra) -> Result<(), CliError> {
    let at = |n: u32| found.nodes.get(n as usize);
    let volume_of = |four: &[u32; 4]| {
        let [a, b, c, d] = four.map(at);
        let (a, b, c, d) = (a?, b?, c?, d?);
        Some(((b - a).cross(&(c - a)).dot(&(d - a)) / 6.0).abs())
    };
    let filled: f64 = found.elements.iter().filter_map(volume_of).sum();
    let wanted = skin.volume();
    if (filled - wanted).abs() <= FILLED * wanted.abs() {
        return Ok(());
    }
    Err(CliError::bad_input(format!(
        "the tetrahedra have a volume of {filled:e}, but the surface encloses {wanted:e}: the surface must be closed and \
         must not meet itself"
    )))
}

/// Runs a mesher in `folder`; what it said is part of the error.
fn run(folder: &Temporary, program: &str, args: &[&str]) -> Result<(), CliError> {
    let mut command = Command::new(program);
    let output = command.args(args).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| CliError::new(Exit::Io, format!("{program}: cannot be run: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(3)..].join("; ");
    Err(CliError::bad_input(format!("mesh generation has failed: {program} says: {last}")))
}

fn read(folder: &Temporary, name: &str, program: &str) -> Result<String, CliError> {
    std::fs::read_to_string(folder.path(name)).map_err(|error| {
        CliError::bad_input(format!("mesh generation has failed: {program} left no file {name} ({error})"))
    })
}

fn write(folder: &Temporary, name: &str, text: &str) -> Result<(), CliError> {
    let path = folder.path(name);
    std::fs::write(&path, text).map_err(|error| CliError::file(&path, "write", &error))
}
