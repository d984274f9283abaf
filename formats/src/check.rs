//! Whether a file of ours is what its page says: everything in it is read, and results are compared with their columns.

use std::path::Path;

use solfec::frame::NO_BODY;

use crate::error::{Error, Result};
use crate::results::{self, Results, COLUMNS, MASTER, TIMING};
use crate::schema::Column;
use crate::store::In;
use crate::{checkpoint, fclib, mesh_cache, meshes, model, modes};

/// What is wrong with a model, results (a directory, a master, a segment, a packed file), a checkpoint, a mesh,
/// a cache of meshes or an FCLIB problem; empty: nothing.
///
/// # Errors
/// The file does not exist, cannot be read, or is no HDF5 file.
pub fn check_file(path: &Path) -> Result<Vec<String>> {
    Ok(match kind_of(path)? {
        Kind::Model => outcome(model::read_file(path).and_then(|_| In::foreign(path, "a model")?.damages("/domains"))),
        Kind::Results => outcome(Results::open(path).and_then(|results| check_results(&results))),
        Kind::Segment => outcome(check_segment(&In::foreign(path, "a file of Solfec tools")?)),
        Kind::Checkpoint => outcome(checkpoint::read(path).map(|_| Vec::new())),
        Kind::Mesh => outcome(meshes::read(path, None).map(|_| Vec::new())),
        Kind::Modes => outcome(modes::read(path).map(|_| Vec::new())),
        Kind::MeshCache => outcome(mesh_cache::read_any(path).map(|_| Vec::new())),
        Kind::LocalDynamics => outcome(fclib::read(path).and_then(|_| In::foreign(path, "a problem")?.damages(""))),
    })
}

/// Kinds of files that these formats are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Model,
    /// A directory of results, its master, or packed results.
    Results,
    Segment,
    Checkpoint,
    Mesh,
    /// Tetrahedra that TETRAHEDRALIZE keeps.
    MeshCache,
    /// Modes of a body, or another reduced base.
    Modes,
    /// In FCLIB form, known by its groups.
    LocalDynamics,
}

/// What a file or directory claims to be.
///
/// # Errors
/// It cannot be opened, or is of no format known here.
pub fn kind_of(path: &Path) -> Result<Kind> {
    if path.is_dir() {
        return Ok(Kind::Results);
    }
    let file = In::foreign(path, "a file of Solfec tools")?;
    Ok(match file.text_attribute("", "format")?.as_deref() {
        Some(model::FORMAT) => Kind::Model,
        Some(results::FORMAT) if file.has("", "domains/0/catalogue/id") => Kind::Results,
        Some(results::FORMAT) => Kind::Segment,
        Some(checkpoint::FORMAT) => Kind::Checkpoint,
        Some(meshes::FORMAT) => Kind::Mesh,
        Some(mesh_cache::FORMAT) => Kind::MeshCache,
        Some(modes::FORMAT) => Kind::Modes,
        _ if FCLIB.iter().any(|group| file.has("", group)) => Kind::LocalDynamics,
        _ => {
            let text = "an HDF5 file of another program: it is no model, mesh or results, and no FCLIB problem";
            return Err(Error::format(&file.name, text));
        }
    })
}

/// Groups of problems of FCLIB.
const FCLIB: [&str; 3] = ["fclib_local", "fclib_global", "fclib_global_rolling"];

/// The error of a reader as the only problem found.
fn outcome(found: Result<Vec<String>>) -> Vec<String> {
    found.unwrap_or_else(|error| vec![error.to_string()])
}

fn check_segment(file: &In) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for k in file.members("/domains")? {
        columns(file, &format!("/domains/{k}"), COLUMNS, &mut problems);
        columns(file, &format!("/timing/{k}"), TIMING, &mut problems);
    }
    for folder in ["/domains", "/timing"] {
        problems.append(&mut file.damages(folder)?);
    }
    Ok(problems)
}

fn check_results(results: &Results) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let file = results.model()?;
    if file.domains.len() != results.domains().len() {
        let (n, m) = (results.domains().len(), file.domains.len());
        problems.push(format!("{}: {n} domains of results, {m} of the model", results.name()));
    }
    results.provenance()?;
    for file in results.files() {
        for folder in ["/domains", "/timing"] {
            problems.append(&mut file.damages(folder)?);
        }
    }
    for k in 0..results.domains().len() {
        let master = results.master();
        let at = format!("/domains/{k}");
        let listed =
            |c: &&Column| !results.is_packed() || !(c.path.starts_with("segments/") || c.path == "frames/segment");
        let of_master: Vec<Column> = MASTER.iter().filter(listed).copied().collect();
        columns(master, &at, COLUMNS, &mut problems);
        columns(master, &at, &of_master, &mut problems);
        columns(master, &format!("/timing/{k}"), TIMING, &mut problems);
        domain(results, k, &mut problems)?;
    }
    Ok(problems)
}

/// Reads everything of a domain.
fn domain(results: &Results, k: usize, problems: &mut Vec<String>) -> Result<()> {
    let mut say = |text: String| problems.push(format!("{}: /domains/{k}: {text}", results.name()));
    let bodies = results.catalogue(k)?.id.len() as u32;
    results.program(k)?;
    results.steps(k)?;
    results.timing(k)?;
    let times = results.frame_times(k)?;
    if let Some(i) = times.windows(2).position(|t| t[0] > t[1]) {
        say(format!("frame {}: time {} comes before that of the frame before it", i + 1, times[i + 1]));
    }
    for i in 0..times.len() {
        let frame = results.read_frame(k, i)?;
        let c = &frame.constraints;
        let ends = c.master.iter().chain(c.slave.iter().filter(|&&b| b != NO_BODY)).copied();
        if let Some(row) = frame.bodies().chain(ends).find(|&b| b >= bodies) {
            say(format!("frame {i}: body row {row}, but the catalogue has {bodies}"));
        }
        let finite = |rows: &[[f64; 3]]| rows.iter().flatten().all(|x| x.is_finite());
        if ![&frame.rigid.x, &frame.pseudo.x, &frame.nodes.x, &c.r].into_iter().all(|rows| finite(rows)) {
            say(format!("frame {i}: numbers that are not finite"));
        }
    }
    Ok(())
}

/// Columns that are missing or of the wrong width, and tables whose columns differ in length.
fn columns(file: &In, base: &str, columns: &[Column], problems: &mut Vec<String>) {
    let mut lengths: Vec<(&str, usize, &str)> = Vec::new();
    for c in columns {
        if !file.has(base, c.path) {
            if !c.optional {
                problems.push(format!("{}: missing dataset", file.at(base, c.path)));
            }
            continue;
        }
        let shape = match file.shape(base, c.path) {
            Ok(shape) => shape,
            Err(error) => {
                problems.push(error.to_string());
                continue;
            }
        };
        let wide = shape.get(1).copied().unwrap_or(1);
        if shape.is_empty() || shape.len() > 2 || (c.width > 0 && wide != c.width) {
            problems.push(format!(
                "{}: shape {shape:?}, but {} numbers in a row are wanted",
                file.at(base, c.path),
                c.width
            ));
            continue;
        }
        match lengths.iter().find(|(rows, _, _)| *rows == c.rows) {
            Some((_, n, of)) if *n != shape[0] => {
                problems.push(format!("{}: {} rows, but {of} has {n}", file.at(base, c.path), shape[0]));
            }
            Some(_) => {}
            None => lengths.push((c.rows, shape[0], c.path)),
        }
    }
}
