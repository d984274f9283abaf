//! sf-xdmf: files for ParaView from results (docs/paraview.md).

mod args;
mod contacts;
mod context;
mod edges;
mod export;
mod family;
mod follow;
mod grid;
mod heavy;
mod labels;
mod links;
mod markup;
mod names;
mod pair;
mod step;
mod vtkhdf;

use std::path::{Path, PathBuf};

use serde_json::json;
use solfec::frame::Frame;
use solfec::model::Model;
use solfec::query::initial_frame;
use solfec_formats::model;
use solfec_formats::results::Results;

use crate::cli::{
    beyond_frames, check_hdf5_file, counted, open_results, parse, read_hdf5_stdin, require_sound, select_bodies,
    select_frames, write_stdout, CliError, Exit, Progress, StepInfo, TimeSpec, Warnings,
};
use args::Args;
pub use context::{Context, Wanted};
pub use export::{export_frames, export_geometry, Export, Format, Plan, Written};
pub use family::Part;
use follow::follow;
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
    if args.single && args.format() == Format::Vtkhdf {
        return Err(CliError::usage("--single: a .vtkhdf holds one family; leave it out"));
    }
    args.check_output()?;
    if let Some(path) = args.initial.as_ref().or(args.results.as_ref()).filter(|_| args.verify) {
        require_sound(path)?;
    }
    let written = match (&args.initial, &args.results) {
        (Some(model), _) => export_initial(&args, model)?,
        (None, Some(results)) if args.follow => follow(results, &args, |force| export_results(&args, results, force))?,
        (None, Some(results)) => export_results(&args, results, args.force)?,
        (None, None) => return Err(CliError::usage("no results; give the directory of a run, or --initial MODEL")),
    };
    report(&args, &written)
}

fn export_initial(args: &Args, path: &Path) -> Result<Vec<Written>, CliError> {
    let file = if path == Path::new("-") {
        model::from_bytes(read_hdf5_stdin()?, "standard input")?
    } else {
        refuse_results(path)?;
        check_hdf5_file(path)?;
        model::read_file(path)?
    };
    let model = domain(&file.domains, args.domain, path)?;
    let chosen = chosen(args, model)?;
    let frame = initial_frame(model, solfec::body::kinds())?;
    export_geometry(
        &frame,
        plan(args, model, &chosen, args.force)?,
        Context { recovered: args.recovered, ..Context::new(model, &chosen, &args.attr) },
    )
}

/// Results hold their model too, but `--initial` means a model file.
fn refuse_results(path: &Path) -> Result<(), CliError> {
    let results = Results::open(path).is_ok();
    let text = format!("--initial: {} holds results; give a model file, or leave out --initial", path.display());
    if results {
        Err(CliError::usage(text))
    } else {
        Ok(())
    }
}

fn export_results(args: &Args, path: &Path, force: bool) -> Result<Vec<Written>, CliError> {
    let results = open_results(path)?;
    let models = results.model()?.domains;
    let model = domain(&models, args.domain, path)?;
    let chosen = chosen(args, model)?;
    let table = results.frames(args.domain)?;
    let h = table.h.last().copied().unwrap_or(0.0);
    let taken = select_frames(&table.time, h, args.time.as_ref(), args.every as usize);
    let turned = args.time.iter().filter_map(TimeSpec::doubt);
    for note in turned.chain(beyond_frames(&table.time, h, args.time.as_ref())) {
        Warnings::new(TOOL).warn("time", &note);
    }
    let links = if args.copy { None } else { Links::of(path, args.domain) };
    let end = |k: Option<&usize>| k.map_or(0.0, |&k| table.time[k]);
    let (first, last) = (end(taken.first()), end(taken.last()));
    let mut progress = Progress::new(TOOL, &args.common, first, last);
    let written = export_frames(
        (&results, args.domain),
        &taken,
        &plan(args, model, &chosen, force)?,
        Context { recovered: args.recovered, ..Context::new(model, &chosen, &args.attr) },
        links.as_ref(),
        &mut |frame| progress.step(&step_info(frame)),
    )?;
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

/// `-o NAME.xmf` names the files, `-o DIR` the folder of files named after the model.
fn plan(args: &Args, model: &Model, chosen: &[bool], force: bool) -> Result<Plan, CliError> {
    if args.output == Path::new("-") {
        return Err(CliError::usage("-o -: several files cannot go to standard output; give a folder or FILE.xmf"));
    }
    let format = args.format();
    let named = args.output.extension().is_some_and(|e| e == format.extension());
    let base: PathBuf = if named { args.output.with_extension("") } else { args.output.join(&model.name) };
    let parts = match args.parts.as_slice() {
        [] => Part::of(model, chosen),
        asked => Part::ALL.into_iter().filter(|p| asked.contains(p)).collect(),
    };
    Ok(Plan { format, single: args.single, force, ..Plan::new(base, parts)? })
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
            let parts: Vec<String> =
                w.parts.iter().zip(&w.steps).map(|(p, n)| format!("{p}: {}", counted(*n, "step", "steps"))).collect();
            let steps = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
            eprintln!("{TOOL}: wrote {}{steps}", w.path.display());
        }
        if written.is_empty() {
            eprintln!("{TOOL}: nothing to write: no chosen body in the chosen frames");
        }
    }
    Ok(())
}
