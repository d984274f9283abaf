//! sf-modal: modes of bodies of finite elements, and bases of reduced bodies. [`table`] prints, [`shapes`] writes mode shapes
//! for ParaView, [`pod`] makes a base from results, [`register`] puts one into a model.

mod args;
pub mod input;
mod pod;
mod register;
mod shapes;
mod table;

use std::path::Path;

use solfec::body::Pencil;
use solfec::math::Vec3;
use solfec::modal::{modes, Modes, Wanted};
use solfec::model::Base;
use solfec_formats::modes::{material_hash, mesh_hash, read, write, Kept};

use crate::cli::{parse, write_stdout, CliError, Exit, Part};
pub use args::Of;
use args::{Args, Command, RigidModes};

const TOOL: &str = "sf-modal";
/// Rigid motions of a body.
const RIGID: usize = 6;

/// The command line of the tool.
pub fn command() -> clap::Command {
    <args::Args as clap::CommandFactory>::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    let args: Args = parse(TOOL)?;
    let common = match &args.command {
        Some(Command::Pod(pod)) => &pod.common,
        Some(Command::Register(register)) => &register.common,
        None => &args.common,
    };
    common.apply();
    common.start_threads()?;
    match &args.command {
        Some(Command::Pod(pod)) => pod::run(pod),
        Some(Command::Register(register)) => register::run(register),
        None => find(&args.modes, args.common.json),
    }
}

fn find(args: &args::Modes, json: bool) -> Result<(), CliError> {
    let path = args.of.model.as_deref().ok_or_else(|| CliError::usage("no model given"))?;
    let model = input::domain(&mut input::read(path)?, args.of.domain, path)?;
    let rows = input::bodies(&model, args.of.body.as_deref())?;
    let one = args.output.as_ref().or(args.check.as_ref()).or(args.xdmf.as_ref());
    if let Some(file) = one.filter(|_| rows.len() > 1) {
        let text = format!("{}: is for one body and the model has {}; choose with --body", file.display(), rows.len());
        return Err(CliError::usage(text));
    }
    let mut told = Vec::new();
    for row in rows {
        let pencil = input::pencil(&model, row, &args.of)?;
        if let Some(file) = &args.check {
            return check(file, &pencil);
        }
        let found = found(args, &pencil)?;
        if let Some(target) = &args.xdmf {
            shapes::write(target, &model, row, &pencil, &found, (args.scale, args.force))?;
        }
        if let Some(file) = &args.output {
            let vectors = found.vectors.iter().flatten().flat_map(|x| [x.x, x.y, x.z]).collect();
            let base = Base::new("", found.values.clone(), vectors)?;
            keep(file, base, found.residuals.clone(), Some(&pencil), args.tol, args.force)?;
        }
        told.push(table::of(&model.bodies[row], &pencil, &found));
    }
    let text = match (json, args.csv) {
        (true, _) => table::json(&told),
        (false, true) => table::csv(&told),
        (false, false) => table::text(&told),
    };
    write_stdout(text.as_bytes())
}

/// The modes that are asked for.
fn found(args: &args::Modes, pencil: &Pencil) -> Result<Modes, CliError> {
    let number = args.number as usize;
    let first = |count: usize| modes(pencil, &Wanted { count, tolerance: args.tol, restarts: args.max_iter as usize });
    match args.rigid {
        RigidModes::Analytic => Ok(first(number)?),
        RigidModes::None => {
            require(pencil, number, RIGID)?;
            let mut found = first(number + RIGID)?;
            let mut rigid = found.values.iter().filter(|value| **value == 0.0).count();
            // A mesh in pieces has more than six.
            while found.values.len() < number + rigid {
                require(pencil, number, rigid)?;
                found = first(number + rigid)?;
                rigid = found.values.iter().filter(|value| **value == 0.0).count();
            }
            let elastic = |k: &usize| found.values[*k] != 0.0;
            let kept: Vec<usize> = (0..found.values.len()).filter(elastic).take(number).collect();
            Ok(Modes {
                values: kept.iter().map(|k| found.values[*k]).collect(),
                residuals: kept.iter().map(|k| found.residuals[*k]).collect(),
                vectors: kept.iter().map(|k| std::mem::take(&mut found.vectors[*k])).collect(),
                restarts: found.restarts,
            })
        }
    }
}

/// Whether a body has so many modes beside its rigid ones.
fn require(pencil: &Pencil, number: usize, rigid: usize) -> Result<(), CliError> {
    let unknowns = 3 * pencil.mass.iter().filter(|mass| **mass > 0.0).count();
    let most = unknowns.saturating_sub(rigid);
    if number <= most {
        return Ok(());
    }
    let name = pencil.name();
    let text = format!("{name}: {number} modes beside {rigid} rigid ones are wanted; give a number from 1 to {most}");
    Err(CliError::bad_input(text))
}

/// Whether a file holds the modes of a body.
fn check(file: &Path, pencil: &Pencil) -> Result<(), CliError> {
    let kept = read(file)?;
    let no = |text: String| Err(CliError::new(Exit::No, text));
    match kept.fits(pencil) {
        Some(true) => Ok(()),
        Some(false) if kept.mesh_hash.is_empty() || kept.mesh_hash != mesh_hash(pencil) => {
            no(format!("{}: was made from another mesh than that of {}", file.display(), pencil.name()))
        }
        Some(false) => no(format!("{}: was made from another material than that of {}", file.display(), pencil.name())),
        None => no(format!("{}: does not say from which mesh and material it was made", file.display())),
    }
}

/// Writes a base, of a body if one is given.
fn keep(
    file: &Path,
    base: Base,
    residuals: Vec<f64>,
    of: Option<&Pencil>,
    abstol: f64,
    force: bool,
) -> Result<(), CliError> {
    let hash = |of_what: fn(&Pencil) -> String| of.map(of_what).unwrap_or_default();
    let kept = Kept { base, residuals, mesh_hash: hash(mesh_hash), material_hash: hash(material_hash), abstol };
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| CliError::file(folder, "make", &e))?;
    }
    let part = Part::create(file, force)?;
    write(part.part(), &kept)?;
    part.commit()
}

/// The nodes of a field as numbers.
fn flat(x: &[Vec3]) -> impl Iterator<Item = f64> + '_ {
    x.iter().flat_map(|x| [x.x, x.y, x.z])
}
