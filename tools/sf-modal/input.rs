//! Models, the body that is asked for, and its pencil.

use std::path::Path;

use solfec::body::Pencil;
use solfec::math::Vec3;
use solfec::model::{BodyKind, BodyRow, Formulation, Model};
use solfec::query::{nearest, ShownBodies};
use solfec_formats::model::{from_bytes, read_file, ModelFile};
use solfec_formats::modes::{material_hash, mesh_hash};

use super::args::Of;
use super::TOOL;
use crate::cli::{check_hdf5_file, did_you_mean, open_results, read_hdf5_stdin, CliError, Warnings};

/// Times outside the frames by less than this part of their span are those of the ends.
const ROUNDED: f64 = 1e-9;

/// The content of a model file, or the model of results; `-` is standard input.
pub fn read(path: &Path) -> Result<ModelFile, CliError> {
    if path == Path::new("-") {
        return Ok(from_bytes(read_hdf5_stdin()?, "standard input")?);
    }
    if path.is_dir() {
        return Ok(open_results(path)?.model()?);
    }
    check_hdf5_file(path)?;
    Ok(read_file(path)?)
}

/// One SOLFEC object of a model file.
pub fn domain(file: &mut ModelFile, k: usize, path: &Path) -> Result<Model, CliError> {
    let (count, name) = (file.domains.len(), path.display());
    if k >= count {
        let text = format!("--domain {k}: {name} holds {count} of them, numbered from 0");
        return Err(CliError::usage(text));
    }
    Ok(file.domains.swap_remove(k))
}

/// Rows of the body of this id or label, or of all bodies of finite elements.
pub fn bodies(model: &Model, name: Option<&str>) -> Result<Vec<usize>, CliError> {
    let all = || model.bodies.iter().enumerate();
    let finite = |body: &BodyRow| body.kind == BodyKind::FiniteElement;
    let Some(name) = name else {
        let rows: Vec<usize> = all().filter(|(_, body)| finite(body)).map(|(row, _)| row).collect();
        return if rows.is_empty() {
            Err(CliError::bad_input("the model has no body of finite elements"))
        } else {
            Ok(rows)
        };
    };
    let id: Option<u64> = name.parse().ok();
    let found = all().find(|(_, body)| body.label == name).or_else(|| all().find(|(_, body)| Some(body.id) == id));
    match found {
        Some((row, body)) if finite(body) => Ok(vec![row]),
        Some((_, body)) => {
            let text = format!("--body {name}: {} is not of finite elements", body.title());
            Err(CliError::bad_input(text))
        }
        None => {
            let near = did_you_mean(name, model.bodies.iter().map(|body| body.label.as_str()));
            Err(CliError::bad_input(format!("--body {name}: no body has this label or id{near}")))
        }
    }
}

/// A body at its reference configuration, or where `--at-frame` shows it.
pub fn pencil(model: &Model, row: usize, of: &Of) -> Result<Pencil, CliError> {
    let body = &model.bodies[row];
    let mut displacements = Vec::new();
    if let Some(text) = of.at_frame.as_deref().filter(|_| body.form == Formulation::TotalLagrangian) {
        displacements = shown(text, of.domain, (model, row))?;
    }
    Ok(Pencil::of(model, body.id, &displacements)?)
}

/// Displacements of the nodes of a body of a model in the frame that `RESULTS:T` names.
fn shown(text: &str, domain: usize, (wanted, row): (&Model, usize)) -> Result<Vec<Vec3>, CliError> {
    let wrong = || CliError::usage(format!("--at-frame {text}: give RESULTS:T with a time in seconds"));
    let (path, time) = text.rsplit_once(':').ok_or_else(wrong)?;
    let time: f64 = time.trim().parse().ok().filter(|time: &f64| time.is_finite()).ok_or_else(wrong)?;
    let results = open_results(Path::new(path))?;
    let models = results.model()?.domains;
    let model = models.get(domain).ok_or_else(|| CliError::usage(format!("--domain {domain}: not in {path}")))?;
    if let Some(what) = difference(wanted, model, row)? {
        let title = wanted.bodies[row].title();
        let text = format!("--at-frame {text}: {title} has another {what} in these results; give the model of the run");
        return Err(CliError::bad_input(text));
    }
    let times = results.frame_times(domain)?;
    let frame = nearest(times, time, model.step);
    let frame = frame.ok_or_else(|| CliError::bad_input(format!("{path}: holds no frames")))?;
    let (first, last) = (times[0], times[times.len() - 1]);
    let slack = ROUNDED * (last - first);
    if time < first - slack || time > last + slack {
        Warnings::new(TOOL).warn("time", &format!("--at-frame {text}: the nearest frame is at {} s", times[frame]));
    }
    let frame = results.read_frame(domain, frame)?;
    let shown = ShownBodies::of(model, &frame);
    let view = shown.all().find(|view| view.row().index() == row);
    let view = view.ok_or_else(|| CliError::bad_input(format!("{path}: the body is not in the frame at {time} s")))?;
    Ok(view.configuration().chunks_exact(3).map(Vec3::from_column_slice).collect())
}

/// What a body of two models does not have in common.
fn difference(model: &Model, other: &Model, row: usize) -> Result<Option<&'static str>, CliError> {
    let Some(body) = other.bodies.get(row).filter(|body| body.kind == BodyKind::FiniteElement) else {
        return Ok(Some("kind"));
    };
    let (pencil, other) = (Pencil::of(model, model.bodies[row].id, &[])?, Pencil::of(other, body.id, &[])?);
    Ok(if mesh_hash(&pencil) != mesh_hash(&other) {
        Some("mesh")
    } else {
        (material_hash(&pencil) != material_hash(&other)).then_some("material")
    })
}
