//! Files that are compared: FCLIB problems, local dynamics of this project, and text dumps of Solfec-1.0.

use std::io::Read;
use std::path::Path;

use solfec::dynamics::Delassus;
use solfec::math::Vec3;
use solfec::solver::Law;
use solfec_formats::fclib::{triples, Source};

use super::side::{Place, Side};
use super::text;
use crate::cli::CliError;

/// First bytes of every HDF5 file.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

/// A file that was read.
pub enum Input {
    Hdf5 { name: String, source: Source, ours: bool },
    Text(Side),
}

impl Input {
    /// Opens a file or (`-`) standard input: HDF5 or the text of the original.
    pub fn open(path: &Path) -> Result<Self, CliError> {
        let mut bytes = Vec::new();
        if path == Path::new("-") {
            let name = "standard input";
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|e| CliError::file(Path::new(name), "read", &e))?;
            return if bytes.starts_with(HDF5) {
                Self::hdf5(name.into(), Source::memory(bytes, name)?)
            } else {
                Self::text(name.into(), bytes)
            };
        }
        let name = path.display().to_string();
        let fail = |e: std::io::Error| CliError::file(path, "read", &e);
        let mut file = std::fs::File::open(path).map_err(fail)?;
        file.by_ref().take(HDF5.len() as u64).read_to_end(&mut bytes).map_err(fail)?;
        if bytes == HDF5 {
            return Self::hdf5(name, Source::open(path)?);
        }
        file.read_to_end(&mut bytes).map_err(fail)?;
        Self::text(name, bytes)
    }

    fn hdf5(name: String, source: Source) -> Result<Self, CliError> {
        let ours = source.is_ours()?;
        Ok(Input::Hdf5 { name, source, ours })
    }

    fn text(name: String, bytes: Vec<u8>) -> Result<Self, CliError> {
        let wrong = |what: String| CliError::bad_input(format!("{name}: {what}"));
        let text = String::from_utf8(bytes)
            .map_err(|_| wrong("is neither an HDF5 file nor a text dump of local dynamics".into()))?;
        let side = text::parse(&text).map_err(wrong)?;
        Ok(Input::Text(Side { name, ..side }))
    }

    /// Whether rows have only their order: an FCLIB file that this project did not write.
    pub fn is_plain(&self) -> bool {
        matches!(self, Input::Hdf5 { ours: false, .. })
    }

    /// What is compared; `by_order`: as an FCLIB problem, even if the file holds more.
    pub fn side(&self, by_order: bool) -> Result<Side, CliError> {
        match self {
            Input::Text(side) => Ok(side.clone()),
            Input::Hdf5 { name, source, .. } => {
                let step = if by_order { None } else { source.step()? };
                let Some(step) = step else { return plain(name, source) };
                let place = |row: &solfec::solver::LocalRow| Place {
                    kind: row.kind,
                    master: row.master,
                    slave: row.slave,
                    point: row.point,
                    base: row.base,
                };
                let friction = |row: &solfec::solver::LocalRow| match row.law {
                    Law::Coulomb { friction, .. } => friction,
                    _ => 0.0,
                };
                let friction: Vec<f64> = step.rows.iter().map(friction).collect();
                Ok(Side {
                    name: name.clone(),
                    rows: step.rows.len(),
                    places: Some(step.rows.iter().map(place).collect()),
                    rounded: false,
                    w: step.w,
                    free: Some(step.free),
                    previous: Some(step.previous),
                    u: Some(step.u),
                    r: Some(step.r),
                    friction: Some(friction),
                })
            }
        }
    }
}

/// An FCLIB problem: contacts, then the groups of its equality part.
fn plain(name: &str, source: &Source) -> Result<Side, CliError> {
    let raw = source.raw()?;
    let problem = source.problem(&raw)?;
    let operator = problem.operator().map_err(|e| CliError::from(e).at(name))?;
    let rows = operator.len();
    let solution = source.solution(&raw)?;
    let velocities = |u: &[f64]| {
        let mut u = triples(u);
        u.resize(rows, Vec3::zeros());
        u
    };
    Ok(Side {
        name: name.into(),
        rows,
        places: None,
        rounded: false,
        w: operator.matrix().clone(),
        free: Some(operator.free().to_vec()),
        previous: None,
        u: solution.as_ref().map(|s| velocities(&s.u)),
        r: solution.as_ref().map(|s| problem.reactions(s)),
        friction: Some(raw.mu),
    })
}
