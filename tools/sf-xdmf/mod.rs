//! sf-xdmf: files for ParaView from results (commands-and-results.md F.2, G.5).

mod args;
mod contacts;
mod export;
mod family;
mod grid;
mod heavy;
mod links;
mod markup;

use std::path::{Path, PathBuf};

use serde_json::json;
use solfec::model::Model;
use solfec::query::{initial_frame, Frame};
use solfec_formats::model;

use crate::cli::{
    check_hdf5_file, open_results, parse, read_hdf5_stdin, select_bodies, select_frames, write_stdout, CliError, Exit,
    Progress, StepInfo,
};
use args::Args;
use export::{strictly_ascending, Export, Plan, Written};
use family::{Context, Part};
use grid::contents;
use links::Links;

const TOOL: &str = "sf-xdmf";

/// The command line of the tool.
pub fn command() -> clap::Command {
    <args::Args as clap::CommandFactory>::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    let args: Args = parse(TOOL)?;
    args.common.apply();
    args.common.start_threads()?;
    let written = match (&args.initial, &args.results) {
        (Some(model), _) => export_initial(&args, model)?,
        (None, Some(results)) => export_results(&args, results)?,
        (None, None) => return Err(CliError::usage("no results; give the directory of a run, or --initial MODEL")),
    };
    report(&args, &written)
}

fn export_initial(args: &Args, path: &Path) -> Result<Vec<Written>, CliError> {
    let file = if path == Path::new("-") {
        model::from_bytes(read_hdf5_stdin()?, "standard input")?
    } else {
        check_hdf5_file(path)?;
        model::read_file(path)?
    };
    let model = domain(&file.domains, args.domain, path)?;
    let chosen = chosen(args, model)?;
    let frame = initial_frame(model)?;
    let mut parts = parts(args, model, &chosen);
    parts.retain(|&p| p != Part::Contacts);
    let mut export = Export::open(&plan(args, model, parts)?, context(args, model, &chosen))?;
    export.add(&frame, None)?;
    export.finish()
}

fn export_results(args: &Args, path: &Path) -> Result<Vec<Written>, CliError> {
    let results = open_results(path)?;
    let models = results.model()?.domains;
    let model = domain(&models, args.domain, path)?;
    let chosen = chosen(args, model)?;
    let table = results.frames(args.domain)?;
    let h = table.h.last().copied().unwrap_or(0.0);
    let taken = select_frames(&table.time, h, args.time.as_ref(), args.every as usize);
    let links = if args.copy { None } else { Links::of(path, args.domain) };
    let plan = plan(args, model, parts(args, model, &chosen))?;
    let mut export = Export::open(&plan, context(args, model, &chosen))?;
    let taken = strictly_ascending(&taken, &table.time);
    let end = |k: Option<&usize>| k.map_or(0.0, |&k| table.time[k]);
    let (first, last) = (end(taken.first()), end(taken.last()));
    let mut progress = Progress::new(TOOL, &args.common, first, last);
    for k in taken {
        let frame = results.read_frame(args.domain, k)?;
        export.add(&frame, links.as_ref().and_then(|l| l.rows(table, k)).as_ref())?;
        progress.step(&step_info(&frame));
    }
    let written = export.finish()?;
    progress.finish("ok", last, Exit::Success.code());
    Ok(written)
}

fn step_info(frame: &Frame) -> StepInfo {
    StepInfo {
        step: frame.step_count,
        time: frame.time,
        h: frame.h,
        contacts: frame.constraints.id.len() as u64,
        iterations: frame.statistics.iterations as u32,
        merit: frame.statistics.merit,
    }
}

fn domain<'a>(domains: &'a [Model], k: usize, path: &Path) -> Result<&'a Model, CliError> {
    domains.get(k).ok_or_else(|| {
        CliError::usage(format!("--domain {k}: {} holds {} of them, numbered from 0", path.display(), domains.len()))
    })
}

fn chosen(args: &Args, model: &Model) -> Result<Vec<bool>, CliError> {
    if args.subset.is_empty() {
        return Ok(vec![true; model.bodies.len()]);
    }
    select_bodies(model, &args.subset).map_err(|e| CliError::bad_input(format!("--subset: {e}")))
}

fn context<'a>(args: &'a Args, model: &'a Model, chosen: &'a [bool]) -> Context<'a> {
    Context { model, chosen, wanted: &args.attr }
}

/// The families asked for, or those that the chosen bodies can have.
fn parts(args: &Args, model: &Model, chosen: &[bool]) -> Vec<Part> {
    if !args.parts.is_empty() {
        return Part::ALL.into_iter().filter(|p| args.parts.contains(p)).collect();
    }
    let rows = (0..model.bodies.len() as u32).filter(|&row| chosen[row as usize]);
    let (mut solid, mut round) = (false, false);
    for (s, r) in rows.map(|row| contents(model, row)) {
        solid |= s;
        round |= r;
    }
    let occurs = |part| match part {
        Part::Bodies => solid,
        Part::Points => round,
        Part::Contacts => true,
    };
    Part::ALL.into_iter().filter(|&p| occurs(p)).collect()
}

/// `-o NAME.xmf` names the files, `-o DIR` the folder of files named after the model.
fn plan(args: &Args, model: &Model, parts: Vec<Part>) -> Result<Plan, CliError> {
    if args.output == Path::new("-") {
        return Err(CliError::usage("-o -: several files cannot go to standard output; give a folder or FILE.xmf"));
    }
    let base: PathBuf = if args.output.extension().is_some_and(|e| e == "xmf") {
        args.output.with_extension("")
    } else {
        args.output.join(&model.name)
    };
    let folder = base.parent().unwrap_or(Path::new(""));
    if folder.exists() && !folder.is_dir() {
        let text = format!("{}: is not a folder; give a folder or FILE.xmf", folder.display());
        return Err(CliError::new(Exit::Io, text));
    }
    Ok(Plan { base, parts, single: args.single, force: args.force })
}

/// What was written: JSON on standard output, or lines for people.
fn report(args: &Args, written: &[Written]) -> Result<(), CliError> {
    if args.common.json {
        let files: Vec<_> =
            written.iter().map(|w| json!({"path": w.path, "parts": w.parts, "steps": w.steps})).collect();
        return write_stdout(format!("{}\n", json!({"schema": "sf-xdmf/1", "files": files})).as_bytes());
    }
    if !args.common.quiet {
        for w in written {
            let parts: Vec<String> = w.parts.iter().zip(&w.steps).map(|(p, n)| format!("{p}: {n} steps")).collect();
            eprintln!("{TOOL}: wrote {} ({})", w.path.display(), parts.join(", "));
        }
        if written.is_empty() {
            eprintln!("{TOOL}: nothing to write: no chosen body in the chosen frames");
        }
    }
    Ok(())
}
