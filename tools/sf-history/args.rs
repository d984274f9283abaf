//! Command line of sf-history.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use super::item::Item;
use crate::cli::{Common, TimeSpec, EXIT_CODES, VERSION};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Csv,
    Tsv,
    Json,
}

/// Quantities over time from results, as CSV on standard output.
///
/// ITEM is NAME=ITEM or one of: KINETIC INTERNAL EXTERNAL CONTACT FRICTION DISSIPATED [J], of all bodies or of some,
/// as KINETIC@BOX*; CX CY CZ DX DY DZ [m] VX VY VZ [m/s] of a body point, as DZ@label:BOX(x,y,z) or DZ@id:12(x,y,z)
/// in reference coordinates; BODS CONS NEWBODS DELBODS; STEP [s]; ITERS MERIT ERROR of the solver;
/// TIMINT CONUPD CONDET LOCDYN CONSOL [s] spent since the last frame. Quote items for the shell.
#[derive(Debug, Parser)]
#[command(name = "sf-history", version = VERSION, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"), verbatim_doc_comment)]
pub struct Args {
    /// Results: the directory of a run, or its NAME.sfr.h5
    pub results: PathBuf,
    /// What to show
    #[arg(value_name = "ITEM", required_unless_present = "list")]
    pub items: Vec<Item>,
    /// Frames [s]: T, T1,T2,... (nearest), T0:T1, first, last [default: all]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub time: Option<TimeSpec>,
    /// Every N-th of these frames
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// A row for each time step instead of each frame (for BODS CONS STEP ITERS MERIT ERROR and the times spent)
    #[arg(long)]
    pub per_step: bool,
    /// Number of the SOLFEC object in the deck, from 0
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub domain: usize,
    /// All SOLFEC objects of the deck, with first columns domain and run
    #[arg(long, conflicts_with_all = ["domain", "per_step"])]
    pub all_domains: bool,
    /// Form of the table: csv, tsv, json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Csv, hide_possible_values = true)]
    pub format: Format,
    /// A second row, of units
    #[arg(long)]
    pub units: bool,
    /// Leave the data out of JSON, keep the statistics
    #[arg(long)]
    pub stats_only: bool,
    /// Write the table to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(short, long)]
    pub force: bool,
    /// Also draw the columns over time; FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Draw the columns of a CSV file, named as items are and with times first, beside them in the plot
    #[arg(long, value_name = "FILE", requires = "plot")]
    pub against: Option<PathBuf>,
    /// Show what the results hold: bodies, labels, items
    #[arg(long, conflicts_with_all = ["items", "plot", "output"])]
    pub list: bool,
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "Examples:\n  \
    sf-history out/ball KINETIC EXTERNAL --plot energy.svg > energy.csv\n  \
    sf-history out/ball 'top=DZ@label:BALL(0,0,1)' --time 0:0.5 --every 10";
