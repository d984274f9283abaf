//! sf-history: quantities over time from results, as CSV, TSV, JSON or a plot (commands-and-results.md D, G.4).

mod against;
mod args;
mod item;
mod list;
pub mod plot;
mod sample;
mod table;

use solfec::model::Model;
use solfec_formats::results::Results;

use crate::cli::{open_results, parse, write_stdout, CliError, Exit, Product};
use args::{Args, Format};
use item::{Item, Quantity};
use plot::{picture, Picture};
use sample::{Selection, Source};
use table::Table;

const TOOL: &str = "sf-history";

/// The command line of the tool.
pub fn command() -> clap::Command {
    <args::Args as clap::CommandFactory>::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    let args: Args = parse(TOOL)?;
    args.common.apply();
    args.common.start_threads()?;
    let kind = args.plot.as_deref().map(Picture::of).transpose()?;
    distinct_titles(&args)?;
    let results = open_results(&args.results)?;
    if args.list {
        return show_list(&args, &results);
    }
    if args.domain >= results.domains().len() {
        return Err(CliError::usage(format!(
            "--domain {}: {} holds {} of them, numbered from 0",
            args.domain,
            args.results.display(),
            results.domains().len()
        )));
    }
    let models = if args.items.iter().any(names_bodies) { results.model()?.domains } else { Vec::new() };
    let table = table(&args, &results, &models)?;
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

fn names_bodies(item: &Item) -> bool {
    matches!(item.quantity, Quantity::Point { .. } | Quantity::Energy { bodies: Some(_), .. })
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

fn table(args: &Args, results: &Results, models: &[Model]) -> Result<Table, CliError> {
    let selection = Selection { time: args.time.clone(), every: args.every as usize };
    let domains = match args.all_domains {
        true => 0..results.domains().len(),
        false => args.domain..args.domain + 1,
    };
    let mut table = Table::default();
    for k in domains {
        let mut source = Source::new(results, k, models.get(k))?;
        table.append(match args.per_step {
            true => source.per_step(&args.items, &selection)?,
            false => source.per_frame(&args.items, &selection, args.all_domains)?,
        });
    }
    Ok(table)
}

fn rendered(args: &Args, table: &Table) -> Result<Vec<u8>, CliError> {
    let format = if args.common.json { Format::Json } else { args.format };
    let text =
        |delimiter| table.text(delimiter, args.units).map_err(|e| CliError::new(Exit::Internal, format!("table: {e}")));
    match format {
        Format::Csv => text(b','),
        Format::Tsv => text(b'\t'),
        Format::Json => Ok(format!("{}\n", table.json(args.stats_only)).into_bytes()),
    }
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
