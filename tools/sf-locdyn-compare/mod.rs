//! sf-locdyn-compare: compares the local dynamics of runs, and solves local problems in FCLIB form.

mod args;
mod difference;
mod input;
mod matching;
pub mod method;
mod report;
mod side;
mod solve;
mod text;

use crate::cli::{parse, require_sound, write_stdout, CliError, Exit};
use args::{Args, Command, Compare};
use input::Input;
use report::Comparison;
use side::Side;

const TOOL: &str = "sf-locdyn-compare";

/// The command line of the tool.
pub fn command() -> clap::Command {
    <args::Args as clap::CommandFactory>::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    let args: Args = parse(TOOL)?;
    let common = match &args.command {
        Some(Command::Solve(solve)) => &solve.common,
        None => &args.common,
    };
    common.apply();
    common.start_threads()?;
    match &args.command {
        Some(Command::Solve(solve)) => solve::run(solve),
        None => compare(&args.compare, common.json),
    }
}

fn compare(args: &Compare, json: bool) -> Result<(), CliError> {
    if args.files.iter().filter(|f| f.as_os_str() == "-").count() > 1 {
        return Err(CliError::usage("standard input ('-') can be read once only; give the other files by name"));
    }
    if args.files.iter().any(|f| f.as_os_str() == "solve" && !f.exists()) {
        return Err(CliError::usage("options come after the word 'solve'; see 'sf-locdyn-compare solve --help'"));
    }
    if args.verify {
        args.files.iter().try_for_each(|file| require_sound(file))?;
    }
    let inputs = args.files.iter().map(|f| Input::open(f)).collect::<Result<Vec<_>, _>>()?;
    let (first, others) = inputs.split_first().ok_or_else(|| CliError::usage("no files given"))?;
    let plain = |a: &Input, b: &Input| a.is_plain() || b.is_plain();
    let one = |other: &Input| -> Result<Comparison, CliError> {
        let by_order = plain(first, other);
        let sides: [Side; 2] = [first.side(by_order)?, other.side(by_order)?];
        Ok(report::comparison(args, sides))
    };
    let comparisons = others.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    let text = match json {
        true => format!("{}\n", report::document(&args.files[0], &comparisons)),
        false => comparisons.iter().map(report::text).collect::<Vec<_>>().join("\n"),
    };
    write_stdout(text.as_bytes())?;
    if comparisons.iter().all(|c| c.same()) {
        Ok(())
    } else {
        Err(CliError::quiet(Exit::No))
    }
}
