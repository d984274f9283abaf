//! sf-history: quantities over time from results, as CSV, TSV, JSON, for numpy, as HDF5 or a plot
//! (docs/histories.md). The deck command HISTORY asks the same [`sample::Source`] for the same [`item::Item`]s.

mod against;
mod args;
mod axis;
mod follow;
mod hdf5_table;
pub mod item;
mod list;
pub mod names;
mod npz;
pub mod plot;
pub mod raster;
mod request;
mod resultant;
pub mod sample;
mod selection;
mod steps;
mod table;
pub mod text;

use std::path::Path;

use solfec::model::Model;
use solfec_formats::results::Results;

use crate::cli::{
    open_results, parse, refuse_binary_to_terminal, write_stdout, CliError, Exit, Product, Temporary, Warnings,
};
use args::{Args, Format};
use plot::{picture, Picture};
use sample::Source;
use selection::Selection;
use table::{Look, Table};

const TOOL: &str = "sf-history";

/// The command line of the tool.
pub fn command() -> clap::Command {
    <args::Args as clap::CommandFactory>::command()
}

/// Runs a Python script (first) with its arguments on a domain of results.
pub type Script = fn(&Path, &[String], Results, usize, &mut Warnings) -> Result<(), CliError>;

/// The tool. `script` performs `--script`.
pub fn run(script: Script) -> Result<(), CliError> {
    let mut args: Args = parse(TOOL)?;
    args.common.apply();
    args.common.start_threads()?;
    let kind = args.plot.as_deref().map(Picture::of).transpose()?;
    if let Some(path) = &args.requests {
        let mut items = request::read(path)?;
        items.append(&mut args.items);
        args.items = items;
    }
    distinct_titles(&args)?;
    let mut warnings = Warnings::new(TOOL);
    if args.follow {
        return follow::run(&args, &mut warnings);
    }
    let results = open_results(&args.results)?;
    if args.list {
        return show_list(&args, &results);
    }
    check_domain(&args, &results)?;
    if let Some(path) = &args.script {
        return script(path, &args.script_args, results, args.domain, &mut warnings);
    }
    let (table, doubts) = table(&args, &results)?;
    report_doubts(&args, doubts, &mut warnings)?;
    if let (Some(path), Some(kind)) = (&args.plot, kind) {
        let mut file = Product::open(Some(path), args.force)?;
        let domains = results.domains();
        let name = args.results.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let title = if args.all_domains { name } else { domains[args.domain].clone() };
        let shown = if args.all_domains { table.apart(domains) } else { table.clone() };
        let shown = args.against.as_ref().map_or(Ok(shown.clone()), |path| against::beside(&shown, path))?;
        file.put(&picture(&shown, &title, kind)?)?;
        file.finish()?;
    }
    let mut product = Product::open(args.output.as_deref(), args.force)?;
    product.put(&rendered(&args, &table)?)?;
    product.finish()
}

fn check_domain(args: &Args, results: &Results) -> Result<(), CliError> {
    if args.domain < results.domains().len() {
        return Ok(());
    }
    Err(CliError::usage(format!(
        "--domain {}: {} holds {} of them, numbered from 0",
        args.domain,
        args.results.display(),
        results.domains().len()
    )))
}

/// Columns are known by their titles, in JSON and for whoever reads the table by name.
fn distinct_titles(args: &Args) -> Result<(), CliError> {
    let titles: Vec<&str> = args.items.iter().map(|i| i.title.as_str()).collect();
    let taken = |at: usize| titles[at] == "time" || titles[..at].contains(&titles[at]);
    match (0..titles.len()).find(|&at| taken(at)) {
        Some(at) => Err(CliError::usage(format!("{0}: two columns have this name; write OTHER=ITEM", titles[at]))),
        None => Ok(()),
    }
}

/// Warns of doubts; they are an error with `--strict`.
fn report_doubts(args: &Args, doubts: Vec<String>, warnings: &mut Warnings) -> Result<(), CliError> {
    if args.strict && !doubts.is_empty() {
        return Err(CliError::bad_input(doubts.join("; ")));
    }
    for doubt in doubts {
        warnings.warn("doubt", &doubt);
    }
    warnings.summary();
    Ok(())
}

/// The table, and what is doubtful about it.
fn table(args: &Args, results: &Results) -> Result<(Table, Vec<String>), CliError> {
    let bodies = !args.per_step && args.items.iter().any(item::Item::names_bodies);
    let models: Vec<Model> = if bodies { results.model()?.domains } else { Vec::new() };
    let selection = Selection::new(args);
    let domains = if args.all_domains { 0..results.domains().len() } else { args.domain..args.domain + 1 };
    let mut table = Table::default();
    let mut doubts = Vec::new();
    for k in domains {
        if args.per_step {
            table.append(steps::table(results, k, &args.items, &selection, args.all_domains)?);
            continue;
        }
        let frames = results.frames(k)?;
        let taken = selection.of(&frames.time, frames.h.last().copied().unwrap_or(0.0));
        let mut source = Source::new(results, k, models.get(k), taken)?;
        table.append(source.table(&args.items, args.all_domains)?);
        doubts.append(&mut source.warnings);
    }
    Ok((table, doubts))
}

fn look(args: &Args) -> Look {
    Look { units: args.units, digits: args.precision, nan: args.nan.clone() }
}

fn table_error(error: csv::Error) -> CliError {
    CliError::new(Exit::Internal, format!("table: {error}"))
}

fn rendered(args: &Args, table: &Table) -> Result<Vec<u8>, CliError> {
    let format = if args.common.json { Format::Json } else { args.format };
    if matches!(format, Format::Npz | Format::H5) && args.output.is_none() {
        refuse_binary_to_terminal()?;
    }
    match format {
        Format::Csv => table.text(b',', &look(args)).map_err(table_error),
        Format::Tsv => table.text(b'\t', &look(args)).map_err(table_error),
        Format::Json => Ok(format!("{}\n", table.json(args.stats_only, args.precision)).into_bytes()),
        Format::Npz => npz::npz(table).ok_or_else(|| {
            CliError::usage("--format npz: the table is longer than 4 GB; use --format h5 or fewer items")
        }),
        Format::H5 => hdf5_bytes(table),
    }
}

/// The library writes files: one that goes away again.
fn hdf5_bytes(table: &Table) -> Result<Vec<u8>, CliError> {
    let folder = Temporary::new("sf-history")?;
    let path = folder.path("table.h5");
    let written = hdf5_table::write(&path, table);
    let bytes = std::fs::read(&path);
    written.map_err(|e| CliError::new(Exit::Io, format!("{}: cannot write: {e}", path.display())))?;
    bytes.map_err(|e| CliError::file(&path, "read", &e))
}

fn show_list(args: &Args, results: &Results) -> Result<(), CliError> {
    let models = results.model()?.domains;
    let text = if args.common.json || args.format == Format::Json {
        format!("{}\n", list::document(results, &models)?)
    } else {
        list::text(results, &models)?
    };
    write_stdout(text.as_bytes())
}
