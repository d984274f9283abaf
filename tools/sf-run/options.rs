//! The command line of sf-run.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::{
    assignment, count, non_negative, some_wall_time, wall_time, BodyRule, Common, TimeSpec, EXIT_CODES, VERSION,
};
use crate::deck::Python2;
use clap::{Parser, ValueEnum};
use solfec::simulation::OnFailure;

const EXAMPLES: &str = "Examples:\n  \
    sf-run -o out/arch arch.sfm.h5\n  \
    sf-build arch.py | sf-run -w -o out/arch -\n  \
    sf-run -c --max-wall 23h -o out/arch arch.sfm.h5\n  \
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
    HalveStep,
}

impl From<OnNonconvergence> for OnFailure {
    fn from(action: OnNonconvergence) -> OnFailure {
        match action {
            OnNonconvergence::Warn => OnFailure::Warn,
            OnNonconvergence::Stop => OnFailure::Stop,
            OnNonconvergence::HalveStep => OnFailure::HalveStep,
        }
    }
}

/// Runs a model or a deck: advances the bodies, solves contact, stores frames that can be read while the run goes on.
#[derive(Debug, Clone, Parser)]
#[command(name = "sf-run", version = VERSION, after_long_help = format!("{EXAMPLES}{EXIT_CODES}"))]
pub struct Options {
    /// Model file of sf-build, a deck (.py), or a results directory; - or nothing: a model from standard input. With
    /// --pack: OUT
    #[arg(value_name = "MODEL|DECK|DIR")]
    pub model: Option<PathBuf>,

    /// Arguments of the deck: NON_SOLFEC_ARGV() and sys.argv
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,

    /// Directory of the results; - packs them to standard output [default: the model's own output path; ./sf-out for a
    /// model without one]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Sub-directory of every results directory
    #[arg(short = 's', long, value_name = "SUB")]
    pub subdir: Option<PathBuf>,

    /// Replace existing results
    #[arg(short = 'w', long, visible_alias = "force", visible_short_alias = 'f')]
    pub overwrite: bool,

    /// Continue from the last checkpoint
    #[arg(short = 'c', long = "continue", conflicts_with = "overwrite")]
    pub go_on: bool,

    /// Read results with the deck, write nothing (decks only)
    #[arg(long, conflicts_with_all = ["overwrite", "go_on"])]
    pub read: bool,

    /// Update STATE and state.json every SEC seconds
    #[arg(short = 'i', long, value_name = "SEC", default_value = "1", value_parser = wall_time, hide_default_value = true,
          help = "Seconds between updates of STATE and state.json [default: 1]")]
    pub interval: Duration,

    /// Read results although the deck makes another model (with a warning that names the first difference)
    #[arg(long)]
    pub force_read: bool,

    /// Stop after N steps in all
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count)]
    pub steps: Option<u64>,

    /// Stop at time T [s]; beyond the recorded end the last run is extended
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = non_negative)]
    pub until: Option<f64>,

    /// Run for T more seconds of simulated time: --until the time at which this job begins plus T
    #[arg(long, value_name = "T", conflicts_with = "until", allow_hyphen_values = true, value_parser = non_negative)]
    pub duration: Option<f64>,

    /// Store a frame every DT seconds, instead of the interval of the model (0: every step)
    #[arg(long, value_name = "DT", allow_hyphen_values = true, value_parser = non_negative)]
    pub output_interval: Option<f64>,

    /// Do not store the state at the end of the last run unless a frame is due then
    #[arg(long)]
    pub no_final_frame: bool,

    /// gzip level of large columns, 0 to 9 [default: as set by OUTPUT, else 0]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=9))]
    pub compress: Option<u8>,

    /// Store numbers of bodies and constraints in single precision, in half the room [default: as set by OUTPUT]
    #[arg(long)]
    pub single: bool,

    /// Write a checkpoint every T of wall-clock time (90s, 10m, 1h) and at the end of each RUN [default: every 2 s to
    /// 10 min, depending on their cost]
    #[arg(long, value_name = "T", value_parser = some_wall_time)]
    pub checkpoint_every: Option<Duration>,

    /// Keep the newest N checkpoints
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub keep: usize,

    /// End after T of wall-clock time with a checkpoint and code 5
    #[arg(long, value_name = "T", value_parser = wall_time)]
    pub max_wall: Option<Duration>,

    /// On SIGUSR1 and SIGTERM: write a checkpoint and end with code 75, so that a scheduler queues the job again
    #[arg(long)]
    pub requeue: bool,

    /// Code 5 when a callback has ended a RUN
    #[arg(long)]
    pub strict_stop: bool,

    /// End with code 3 at the first warning of a step
    #[arg(long)]
    pub strict: bool,

    /// Results have the same bits on any number of processes, each of which then solves the whole problem
    #[arg(long)]
    pub deterministic: bool,

    /// Run as -np N would, to the same bits, but as threads of this process and without MPI: for trials, not for speed
    #[arg(long = "virtual", value_name = "N", value_parser = count)]
    pub virtual_processes: Option<u64>,

    /// Set a solver parameter in all RUNs whose solver has it (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set_param: Vec<(String, String)>,

    /// Write a line of CSV for every step
    #[arg(long, value_name = "FILE")]
    pub trace_steps: Option<PathBuf>,

    /// Let a step that was lowered for stability grow back
    #[arg(long)]
    pub step_recovery: bool,

    /// When a solve misses its tolerance: warn and continue, stop with code 6, or repeat the step with half its
    /// length, four times at most [default: as in the deck]
    #[arg(long, value_enum, value_name = "ACTION")]
    pub on_nonconvergence: Option<OnNonconvergence>,

    /// Write the local dynamics of step STEP (from 1) to FILE in FCLIB form (repeatable)
    #[arg(long, value_name = "STEP:FILE", value_parser = dump)]
    pub dump_locdyn: Vec<(u64, PathBuf)>,

    /// Verify the checksums of the model, and of the results that -c goes on with, before reading; damage is an error
    /// (code 3)
    #[arg(long)]
    pub verify: bool,

    /// Run the deck that a model or a results directory contains: Python code that can do whatever you can do
    #[arg(long)]
    pub python: bool,

    /// Refuse all decks, also one that is named
    #[arg(long, conflicts_with = "python")]
    pub no_python: bool,

    /// Define a variable of the deck: a Python literal, otherwise a string (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,

    /// Convert Python 2 decks: auto (when only Python 2 can be meant), always, never [default: auto; with --python as
    /// it was recorded]
    #[arg(long, value_enum, value_name = "WHEN", hide_possible_values = true)]
    pub python2: Option<Python2>,

    /// Run the deck in this directory
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Results go to standard output.
    #[arg(skip)]
    pub stdout_taken: bool,

    /// The input was a results directory, which replaces the output path of every SOLFEC object.
    #[arg(skip)]
    pub input_directory: bool,

    /// Write the results in DIR (or packed results) as one file, and stop: sf-run --pack DIR [OPTIONS] OUT, or -o OUT
    /// (nothing or -: standard output)
    #[arg(long, value_name = "DIR")]
    pub pack: Option<PathBuf>,

    /// Frames to pack: T, T0:T1, T1,T2,..., first or last [default: all, with the whole step log]
    #[arg(long, alias = "frames", value_name = "TIME", requires = "pack", allow_hyphen_values = true)]
    pub time: Option<TimeSpec>,

    /// Bodies to pack, with the constraints among them (repeatable); rules as for sf-xdmf
    #[arg(long, value_name = "RULE", requires = "pack", value_parser = rule)]
    pub subset: Vec<(String, BodyRule)>,

    /// Largest packed results on standard output [bytes; K, M, G]
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    pub max_stdout: u64,

    /// Check a model, results, checkpoint or FCLIB file and report problems; code 1 if there are any
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "pack"])]
    pub check_file: Option<PathBuf>,

    #[command(flatten)]
    pub common: Common,
}

impl Options {
    /// The directory that `-o` and `-s` name.
    pub fn directory(&self) -> Option<PathBuf> {
        self.output.clone().map(|output| self.in_subdir(output))
    }

    /// `-s SUB` of a directory.
    pub fn in_subdir(&self, directory: PathBuf) -> PathBuf {
        match &self.subdir {
            Some(sub) => directory.join(sub),
            None => directory,
        }
    }

    /// The end that `--until` or `--duration` asks for, in a job that begins at `now`.
    pub fn until_from(&self, now: f64) -> Option<f64> {
        self.until.or(self.duration.map(|duration| now + duration))
    }
}

/// A rule with its text.
fn rule(text: &str) -> Result<(String, BodyRule), String> {
    Ok((text.into(), text.parse()?))
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
