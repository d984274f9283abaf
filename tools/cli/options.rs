//! Options that mean the same in every tool.

use clap::{ArgAction, Args, ValueEnum};

use super::messages::forbid_color;
use super::{count, CliError};

/// Legacy switches in use; the other names are reserved and refused.
pub const COMPAT: [&str; 6] = ["schedule", "mesh_order", "sparsify", "constraint_drift", "prescribed", "mm_header"];

/// End of every tool's `--help`, after its examples.
pub const EXIT_CODES: &str =
    "Exit codes: 0 success, 1 a check or comparison failed, 2 usage, 3 bad input, 4 cannot read or write, \
     5 stopped on request, 6 numerical failure, 7 deck needs sf-run, 70 internal error, 71 out of memory, 128+n signal n";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// A line rewritten in place on a terminal, otherwise at most one plain line a minute.
    Auto,
    /// A line rewritten in place.
    Bar,
    /// Plain lines, at most one a minute.
    Plain,
    /// JSON lines.
    Json,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Never,
}

/// Flatten into a tool's arguments: `#[command(flatten)] common: Common`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// No progress and no summary; warnings and errors are still printed
    #[arg(short, long)]
    pub quiet: bool,
    /// More detail on standard error (repeatable)
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
    /// Number of threads [default: $SF_THREADS, else all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
    /// The report as one JSON document on standard output; progress as JSON lines on standard error
    #[arg(long)]
    pub json: bool,
    /// How to show progress on standard error
    #[arg(long, value_enum, default_value_t = ProgressMode::Auto, value_name = "MODE", hide_possible_values = true,
          help = "Progress on standard error: auto, bar, plain, json, none")]
    pub progress: ProgressMode,
    /// Colour of messages: auto, never (also $NO_COLOR)
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN", hide_possible_values = true)]
    pub color: Color,
    /// Legacy switches: schedule, mesh_order, sparsify, constraint_drift, prescribed, mm_header
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = compat_name)]
    pub compat: Vec<String>,
}

fn threads(text: &str) -> Result<usize, String> {
    count(text).and_then(|n| n.try_into().map_err(|_| "give a smaller number".into()))
}

fn compat_name(name: &str) -> Result<String, String> {
    if COMPAT.contains(&name) {
        Ok(name.into())
    } else {
        Err(format!("unknown switch; known are {}", COMPAT.join(", ")))
    }
}

impl Common {
    /// Puts process-wide choices (colour) in force; call it once after parsing.
    pub fn apply(&self) {
        if self.color == Color::Never {
            forbid_color();
        }
    }

    /// Threads asked for: the flag, else `SF_THREADS`, else all cores.
    pub fn threads(&self) -> Result<usize, CliError> {
        let from_env = std::env::var("SF_THREADS").ok();
        let wanted = match (self.threads, &from_env) {
            (Some(n), _) => n,
            (None, Some(text)) => text.trim().parse().map_err(|_| {
                CliError::usage(format!("SF_THREADS: '{text}' is not a number of threads; use 1 or more"))
            })?,
            (None, None) => std::thread::available_parallelism().map_or(1, |n| n.get()),
        };
        if wanted == 0 {
            return Err(CliError::usage("--threads must be at least 1"));
        }
        Ok(wanted)
    }

    /// Sets the size of the global thread pool, of which the calling thread is one: it never waits for another to wake
    /// up. Call it once.
    pub fn start_threads(&self) -> Result<usize, CliError> {
        let threads = self.threads()?;
        pool(threads).build_global().map_err(no_threads)?;
        Ok(threads)
    }

    /// A pool of which the calling thread is one, for what this thread does while it holds the pool.
    pub fn own_threads(&self) -> Result<(usize, rayon::ThreadPool), CliError> {
        let threads = self.threads()?;
        Ok((threads, pool(threads).build().map_err(no_threads)?))
    }
}

fn pool(threads: usize) -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread()
}

fn no_threads(error: rayon::ThreadPoolBuildError) -> CliError {
    CliError::new(super::Exit::Internal, format!("threads: {error}"))
}
