//! Command line of sf-locdyn-compare.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use super::difference::Quantity;
use crate::cli::{non_negative, Common, EXIT_CODES, VERSION};

/// Compares dumps of local dynamics: rows are matched by geometry, values compared within tolerances.
///
/// Files are dumps of sf-run --dump-locdyn, FCLIB problems of other codes (compared in their order), or text dumps of
/// Solfec-1.0; all are compared with the first one.
#[derive(Debug, Parser)]
#[command(name = "sf-locdyn-compare", version = VERSION, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
          args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub compare: Compare,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve an FCLIB problem or a dump and measure the error
    Solve(Solve),
}

#[derive(Debug, clap::Args)]
pub struct Compare {
    /// Dumps, compared with the first one; - is standard input
    #[arg(value_name = "FILE", required = true, num_args = 2..)]
    pub files: Vec<PathBuf>,
    /// Verify the checksums of the dumps before reading; damage is an error (code 3)
    #[arg(long)]
    pub verify: bool,
    /// Relative tolerance
    #[arg(long, value_name = "X", default_value_t = 1e-6, value_parser = non_negative)]
    pub rtol: f64,
    /// Absolute tolerance, in the unit of each quantity
    #[arg(long, value_name = "X", default_value_t = 1e-12, value_parser = non_negative)]
    pub atol: f64,
    /// Largest distance of the points of matching rows [m]
    #[arg(long, value_name = "X", default_value_t = 1e-6, value_parser = non_negative)]
    pub match_tol: f64,
    /// Quantities to compare: W B V U R base mu [default: those in the files]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub quantities: Vec<Quantity>,
    /// Number of rows to show of each quantity that differs, and of rows without a partner
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
}

/// Solve an FCLIB problem or a dump and compute the error from the numbers of the file.
#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Solve {
    /// FCLIB problem (local or global) or dump; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// AUTO, GAUSS_SEIDEL, NEWTON, INTERIOR_POINT, PROXIMAL_NEWTON, CORRECTED_SWEEPS, ADMM, SICONOS, or a JSON
    /// object as in model files, which is run once with these settings
    #[arg(long, value_name = "NAME|JSON", default_value = super::method::DEFAULT)]
    pub solver: String,
    /// Error to reach
    #[arg(long, value_name = "X", default_value_t = 1e-6, value_parser = non_negative)]
    pub tol: f64,
    /// Largest number of iterations
    #[arg(long, value_name = "N", default_value_t = 10000, value_parser = clap::value_parser!(u32).range(1..))]
    pub maxiter: u32,
    /// Measure for --tol: siconos (the error of FCLIB and Siconos) or merit (the merit function)
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Measure::Siconos, hide_possible_values = true)]
    pub measure: Measure,
    /// Write the problem with this solution as an FCLIB file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Verify the checksums of the problem before reading; damage is an error (code 3)
    #[arg(long)]
    pub verify: bool,
    /// Overwrite a file that exists
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    pub force: bool,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Measure {
    Siconos,
    Merit,
}

const EXAMPLES: &str = "Examples:\n  \
    sf-locdyn-compare --rtol 1e-9 ld1.h5 ld2.h5 ld4.h5\n  \
    sf-locdyn-compare solve problem.hdf5 --solver GAUSS_SEIDEL --tol 1e-8 -o solved.hdf5";
