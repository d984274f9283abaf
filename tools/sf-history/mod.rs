//! sf-history: quantities over time from results, as CSV, TSV, JSON, for numpy, as HDF5 or a plot
//! (docs/histories.md). The deck command HISTORY asks the same [`sample::Source`] for the same [`item::Item`]s.

mod against;
mod args;
mod axis;
mod derive;
mod follow;
mod hdf5_table;
pub mod item;
mod list;
mod mechanics;
pub mod names;
mod parse;
mod pdf;
mod pdf_font;
pub mod plot;
mod quantity;
pub mod request;
mod resultant;
pub mod sample;
mod selection;
mod steps;
mod table;
pub mod text;
pub mod unit;

use std::collections::BTreeMap;
use std::path::Path;

use solfec::model::Model;
use solfec_formats::failed_write;
use solfec_formats::results::Results;

use crate::cli::{
    beyond_frames, npy, npz, open_results, parse, refuse_binary_to_terminal, require_sound, write_stdout, CliError,
    Exit, Product, Temporary, TimeSpec, Warnings,
};
use args::{Args, Format};
use plot::{picture, Chart, Picture};
use sample::Source;
use selection::Selection;
use table::{Column, Look, Table};

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
    in_order(&args)?;
    args.format = args.format_of_output()?;
    if args.stats_only && args.format.is_some_and(|format| format != Format::Json) {
        return Err(CliError::usage("--stats-only: statistics are JSON; use --format json or a FILE.json"));
    }
    args.wanted = args.requests.as_ref().map_or(Ok(Vec::new()), |path| request::read(path))?;
    for text in &args.items {
        args.wanted.push(text.parse().map_err(CliError::usage)?);
    }
    if let Some(text) = &args.x {
        let x: item::Item = text.parse().map_err(|e| CliError::usage(format!("--x {e}")))?;
        if !args.wanted.iter().any(|item| item.title == x.title) {
            args.wanted.push(x);
        }
    }
    distinct_titles(&args)?;
    let mut warnings = Warnings::new(TOOL);
    if args.follow {
        return follow::run(&args, &mut warnings);
    }
    if args.verify {
        require_sound(&args.results)?;
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
        let (shown, chart) = drawing(&args, &results, &table)?;
        file.put(&picture(&shown, &chart, kind)?)?;
        file.finish()?;
    }
    let mut product = Product::open(args.output.as_deref(), args.force)?;
    product.put(&rendered(&args, &table)?)?;
    product.finish()
}

/// Refuses results that are given where items belong.
fn in_order(args: &Args) -> Result<(), CliError> {
    let there = |text: &&String| Path::new(text).exists() && text.parse::<item::Item>().is_err();
    match args.items.iter().find(there) {
        Some(path) if !args.results.exists() => {
            let text = format!("the results come first: sf-history {path} {} ...", args.results.display());
            Err(CliError::usage(text))
        }
        _ => Ok(()),
    }
}

/// What a plot shows, and how.
fn drawing(args: &Args, results: &Results, table: &Table) -> Result<(Table, Chart), CliError> {
    let domains = results.domains();
    let name = args.results.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let title = if args.all_domains { name } else { domains[args.domain].clone() };
    let mut shown = if args.all_domains { table.apart(domains) } else { table.clone() };
    if let Some(path) = &args.against {
        shown = against::beside(&shown, path)?;
    }
    let x = args.x.as_ref().and_then(|text| text.parse::<item::Item>().ok()).map(|item| item.title);
    let curves = shown.columns.iter_mut().filter(|c| !c.axis.is_empty() && !c.beside && Some(&c.name) != x.as_ref());
    for (column, name) in curves.zip(&args.legend) {
        column.name.clone_from(name);
    }
    let log = args.log.as_deref().map_or([false; 2], |axes| [axes.contains('x'), axes.contains('y')]);
    Ok((shown, Chart { title: args.title.clone().unwrap_or(title), x, log }))
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
    let titles: Vec<&str> = args.wanted.iter().map(|i| i.title.as_str()).collect();
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
    let bodies = !args.per_step && args.wanted.iter().any(item::Item::needs_model);
    let models: Vec<Model> = if bodies { results.model()?.domains } else { Vec::new() };
    let selection = Selection::new(args);
    let domains = if args.all_domains { 0..results.domains().len() } else { args.domain..args.domain + 1 };
    let mut table = Table::default();
    let mut doubts: Vec<String> = args.time.iter().filter_map(TimeSpec::doubt).collect();
    let mut unmatched: Option<BTreeMap<String, String>> = None;
    for k in domains {
        if args.per_step {
            table.append(steps::table(results, k, &args.wanted, &selection, args.all_domains)?);
            continue;
        }
        let frames = results.frames(k)?;
        let h = frames.h.last().copied().unwrap_or(0.0);
        doubts.append(&mut beyond_frames(&frames.time, h, args.time.as_ref()));
        let taken = selection.of(&frames.time, h);
        let mut source = Source::new(results, k, models.get(k), taken)?;
        source.recovered = args.recovered;
        table.append(source.table(&args.wanted, args.all_domains)?);
        doubts.append(&mut source.warnings);
        // An error if it is so in all domains.
        unmatched.get_or_insert_with(|| source.unmatched.clone()).retain(|key, _| source.unmatched.contains_key(key));
    }
    let nobody: Vec<String> = unmatched.unwrap_or_default().into_values().collect();
    if !nobody.is_empty() {
        return Err(CliError::bad_input(nobody.join("; ")));
    }
    doubts.extend(table.columns.iter().filter_map(infinite));
    Ok((table, doubts))
}

/// Infinite values come from a division by zero in an item: results that are not finite end a run.
fn infinite(column: &Column) -> Option<String> {
    let count = column.values.iter().filter(|x| x.is_infinite()).count();
    let of = column.values.len();
    (count > 0).then(|| format!("{}: {count} of {of} values are infinite: a division by zero", column.name))
}

fn look(args: &Args) -> Look {
    Look { units: args.units, digits: args.precision, nan: args.nan.clone() }
}

fn table_error(error: csv::Error) -> CliError {
    CliError::new(Exit::Internal, format!("table: {error}"))
}

fn rendered(args: &Args, table: &Table) -> Result<Vec<u8>, CliError> {
    let format = if args.common.json || args.stats_only { Format::Json } else { args.format.unwrap_or(Format::Csv) };
    if matches!(format, Format::Npz | Format::H5) && args.output.is_none() {
        refuse_binary_to_terminal()?;
    }
    match format {
        Format::Csv => table.text(b',', &look(args)).map_err(table_error),
        Format::Tsv => table.text(b'\t', &look(args)).map_err(table_error),
        Format::Json => Ok(format!("{}\n", table.json(args.stats_only, args.precision)).into_bytes()),
        Format::Npz => npz(&arrays(table)).ok_or_else(|| {
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
    written.map_err(|e| failed_write(&path.display().to_string(), &e))?;
    bytes.map_err(|e| CliError::file(&path, "read", &e))
}

fn show_list(args: &Args, results: &Results) -> Result<(), CliError> {
    let models = results.model()?.domains;
    let text = if args.common.json || args.format == Some(Format::Json) {
        format!("{}\n", list::document(results, &models)?)
    } else {
        list::text(results, &models)?
    };
    write_stdout(text.as_bytes())
}

/// The columns as arrays of numpy.
fn arrays(table: &Table) -> Vec<(&str, Vec<u8>)> {
    table.columns.iter().map(|column| (column.name.as_str(), npy(&column.values))).collect()
}
