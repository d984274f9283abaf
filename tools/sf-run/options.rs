//! The command line of sf-run (commands-and-results.md G.3).

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use solfec_tools::cli::{assignment, count, non_negative, BodyRule, Common, TimeSpec, EXIT_CODES, VERSION};
use solfec_tools::deck::Python2;

const EXAMPLES: &str = "Examples:\n  \
    sf-run -o out/arch arch.sfm.h5\n  \
    sf-build arch.py | sf-run -w -o out/arch -\n  \
    sf-run -w pendulum.py -- fine\n\n";

/// `STEP:FILE`.
fn dump(text: &str) -> Result<(u64, PathBuf), String> {
    let (step, file) = text.split_once(':').ok_or("give STEP:FILE")?;
    match step.parse() {
        Ok(step) if step > 0 && !file.is_empty() => Ok((step, file.into())),
        _ => Err(format!("'{text}': give STEP:FILE, with STEP from 1")),
    }
}

/// Actions of `--on-nonconvergence`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnNonconvergence {
    Warn,
    Stop,
}

/// Runs a model or a deck: advances the bodies, solves contact, stores frames that can be read while the run goes on.
#[derive(Debug, Clone, Parser)]
#[command(name = "sf-run", version = VERSION, after_long_help = format!("{EXAMPLES}{EXIT_CODES}"))]
pub struct Options {
    /// Model file of sf-build, or a deck (.py); - or nothing: a model from standard input
    #[arg(value_name = "MODEL|DECK")]
    pub model: Option<PathBuf>,

    /// Arguments of the deck: NON_SOLFEC_ARGV() and sys.argv
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,

    /// Directory of the results [default: the model's own output path; ./sf-out for a model without one]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Sub-directory of every results directory
    #[arg(short = 's', long, value_name = "SUB")]
    pub subdir: Option<PathBuf>,

    /// Replace existing results
    #[arg(short = 'w', long, visible_alias = "force", short_alias = 'f')]
    pub overwrite: bool,

    /// Read results although the deck makes another model (a warning tells what differs first)
    #[arg(long)]
    pub force_read: bool,

    /// Stop after N steps in all
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count)]
    pub steps: Option<u64>,

    /// Stop at time T [s]; beyond the recorded end the last run is extended
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = non_negative)]
    pub until: Option<f64>,

    /// Store a frame every DT seconds, whatever the model says (0: every step)
    #[arg(long, value_name = "DT", allow_hyphen_values = true, value_parser = non_negative)]
    pub output_interval: Option<f64>,

    /// Do not store the state at the end of the last run unless a frame is due then
    #[arg(long)]
    pub no_final_frame: bool,

    /// Let a step that was lowered for stability grow back
    #[arg(long)]
    pub step_recovery: bool,

    /// What to do when a solve misses its tolerance: warn and go on, or stop with code 6 [default: what the deck said]
    #[arg(long, value_enum, value_name = "ACTION")]
    pub on_nonconvergence: Option<OnNonconvergence>,

    /// Write the local dynamics of step STEP (from 1) to FILE in FCLIB form (repeatable)
    #[arg(long, value_name = "STEP:FILE", value_parser = dump)]
    pub dump_locdyn: Vec<(u64, PathBuf)>,

    /// A variable the deck finds defined: a Python literal, else a text (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,

    /// Convert Python 2 decks: auto (when it does not compile as Python 3), always, never
    #[arg(long, value_enum, default_value_t = Python2::Auto, value_name = "WHEN", hide_possible_values = true)]
    pub python2: Python2,

    /// Run the deck in this directory
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Write the results in DIR (or packed results) as one file OUT (nothing or -: standard output), and stop
    #[arg(long, value_names = ["DIR", "OUT"], num_args = 1..=2, conflicts_with = "model")]
    pub pack: Vec<PathBuf>,

    /// Frames to pack: T, T0:T1, T1,T2,..., first or last [default: all, with the whole step log]
    #[arg(long, value_name = "TIME", requires = "pack", allow_hyphen_values = true)]
    pub frames: Option<TimeSpec>,

    /// Bodies to pack, with the constraints among them (repeatable); rules as those of sf-xdmf
    #[arg(long, value_name = "RULE", requires = "pack", value_parser = rule)]
    pub subset: Vec<(String, BodyRule)>,

    /// Largest packed results on standard output [bytes; K, M, G]
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub max_stdout: u64,

    /// Check a model, results or FCLIB file and say what is wrong with it; code 1 if something is
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "pack"])]
    pub check_file: Option<PathBuf>,

    #[command(flatten)]
    pub common: Common,
}

/// A rule with its text.
fn rule(text: &str) -> Result<(String, BodyRule), String> {
    Ok((text.into(), BodyRule::subset(text)?))
}

/// Bytes, with K, M or G for powers of 1024.
fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.chars().last() {
        Some('K' | 'k') => (&text[..text.len() - 1], 1 << 10),
        Some('M' | 'm') => (&text[..text.len() - 1], 1 << 20),
        Some('G' | 'g') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    bytes.ok_or_else(|| format!("'{text}' is not a size; write bytes, or 500M, 2G"))
}
