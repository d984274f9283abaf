//! Command line of sf-history.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use super::item::Item;
use crate::cli::{CliError, Common, TimeSpec, EXIT_CODES, VERSION};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Csv,
    Tsv,
    Json,
    Npz,
    H5,
}

/// Quantities over time from results, as CSV on standard output.
///
/// ITEM is NAME=ITEM or one of: KINETIC INTERNAL EXTERNAL CONTACT FRICTION DISSIPATED POTENTIAL SPRING TOTAL BALANCE
/// [J], PX PY PZ [kg m/s] LX LY LZ [kg m2/s] of all bodies or of some, as KINETIC@BOX*; OMEGAX OMEGAY OMEGAZ [rad/s]
/// ROTX ROTY ROTZ [rad] of a body, as OMEGAZ@BOX; CX CY CZ DX DY DZ [m] VX VY VZ [m/s] SX SY SZ SXY SXZ SYZ MISES [Pa] of a body point, as
/// DZ@label:BOX(x,y,z) or DZ@id:12(x,y,z) in reference coordinates, of the mass centre as DZ@id:12; GAP [m], R CR [N],
/// U CU [m/s] of the constraints at bodies, as R[dir=0,0,1;pair=1,2;on=bodies]@BOX1,BOX2 or RZ@BOX1; BODS CONS NEWBODS
/// DELBODS; STEP WALL [s]; ITERS GSITERS NTITERS MERIT ERROR of the solver; TIMINT CONUPD CONDET LOCDYN CONSOL [s]
/// spent since the last frame; sum(ITEM,...) norm(ITEM,...) max(ITEM,...) min(ITEM,...) abs(ITEM) cumsum(ITEM)
/// diff(ITEM), and + - * / with numbers and brackets; max(VZ@BOX*) over bodies. Quote items for the shell.
#[derive(Debug, Parser)]
#[command(name = "sf-history", version = VERSION, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"), verbatim_doc_comment)]
pub struct Args {
    /// Results: the directory of a run, or its NAME.sfr.h5
    pub results: PathBuf,
    /// Verify the checksums of the results before reading; damage is an error (code 3)
    #[arg(long)]
    pub verify: bool,
    /// Quantities to show
    #[arg(value_name = "ITEM", required_unless_present_any = ["list", "requests", "script"])]
    pub items: Vec<String>,
    /// Those of the file and the command line.
    #[arg(skip)]
    pub wanted: Vec<Item>,
    /// More items, from FILE.toml, FILE.json or FILE.csv
    #[arg(short, long, value_name = "FILE")]
    pub requests: Option<PathBuf>,
    /// Frames [s]: T, T1,T2,... (nearest), T0:T1, first, last [default: all]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub time: Option<TimeSpec>,
    /// Every N-th of these frames
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Of these frames, those nearest to times DT apart [s]
    #[arg(long, value_name = "DT", value_parser = interval, conflicts_with = "every")]
    pub dt: Option<f64>,
    /// One row per time step instead of per frame (for BODS CONS STEP ITERS MERIT ERROR WALL and timers)
    #[arg(long)]
    pub per_step: bool,
    /// Number of the SOLFEC object in the deck, from 0
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub domain: usize,
    /// All SOLFEC objects of the deck, with first columns domain and run
    #[arg(long, conflicts_with = "domain")]
    pub all_domains: bool,
    /// Stresses recovered from the centres of elements, which are more accurate at nodes and surfaces, in place of those of
    /// the elements themselves
    #[arg(long, conflicts_with = "per_step")]
    pub recovered: bool,
    /// Format of the table: csv, tsv, json, npz (numpy), h5 [default: by the ending of FILE, else csv]
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<Format>,
    /// Add a second row with units
    #[arg(long)]
    pub units: bool,
    /// Significant digits, 17 at most [default: as many as needed to read back exactly]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=17))]
    pub precision: Option<u32>,
    /// Text for values that do not exist, in CSV and TSV
    #[arg(long, value_name = "TEXT", default_value = "NaN")]
    pub nan: String,
    /// Only the statistics of the columns, as JSON
    #[arg(long)]
    pub stats_only: bool,
    /// Treat warnings as errors: no such body, point outside, direction not of unit length
    #[arg(long)]
    pub strict: bool,
    /// Follow a running job until it ends
    #[arg(long, conflicts_with_all = ["output", "plot", "all_domains", "stats_only", "list", "script"])]
    pub follow: bool,
    /// Write the table to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    pub force: bool,
    /// Also draw the columns over time; FILE.svg, FILE.pdf or FILE.png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Plot over this item instead of time, as DX@TOP for force over displacement; it is also a column
    #[arg(long, value_name = "ITEM", requires = "plot", conflicts_with_all = ["all_domains", "against"])]
    pub x: Option<String>,
    /// Logarithmic axes of the plot: x, y or xy
    #[arg(long, value_name = "AXES", requires = "plot", value_parser = ["x", "y", "xy"], hide_possible_values = true)]
    pub log: Option<String>,
    /// Title of the plot [default: the name of the results]
    #[arg(long, value_name = "TEXT", requires = "plot")]
    pub title: Option<String>,
    /// Names of the curves, in their order [default: titles of the columns]
    #[arg(long, value_name = "NAMES", requires = "plot", value_delimiter = ',')]
    pub legend: Vec<String>,
    /// Also plot curves of a CSV file, and the differences: its first column is time,
    /// the others are named as the items
    #[arg(long, value_name = "FILE", requires = "plot")]
    pub against: Option<PathBuf>,
    /// Show what the results hold: bodies, labels, items
    #[arg(long, conflicts_with_all = ["items", "requests", "plot", "output"])]
    pub list: bool,
    /// Run a Python script with the reading commands of decks; the results are its object 'solfec'
    #[arg(long, value_name = "POST.py", conflicts_with_all = ["items", "requests", "plot", "output", "list", "all_domains"])]
    pub script: Option<PathBuf>,
    /// Arguments of the script, after --
    #[arg(last = true, value_name = "ARGS", requires = "script")]
    pub script_args: Vec<String>,
    #[command(flatten)]
    pub common: Common,
}

fn interval(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err("give a number > 0".into()),
    }
}

impl Args {
    /// The format asked for, else that of the name of the output.
    ///
    /// # Errors
    /// The name is that of a kind of file that is not written.
    pub fn format_of_output(&self) -> Result<Option<Format>, CliError> {
        let ending = self.output.as_ref().and_then(|path| path.extension()).map(|e| e.to_string_lossy().to_lowercase());
        let (None, Some(ending)) = (self.format, ending) else { return Ok(self.format) };
        Ok(Some(match ending.as_str() {
            "tsv" => Format::Tsv,
            "json" => Format::Json,
            "npz" => Format::Npz,
            "h5" | "hdf5" => Format::H5,
            "xlsx" | "xls" | "ods" | "mat" | "npy" | "parquet" | "svg" | "png" | "pdf" => {
                let text = "tables are csv, tsv, json, npz or h5, pictures are drawn with --plot";
                return Err(CliError::usage(format!(
                    "-o {}: {text}",
                    self.output.clone().unwrap_or_default().display()
                )));
            }
            _ => Format::Csv,
        }))
    }
}

const EXAMPLES: &str = "Examples:\n  \
    sf-history out/ball KINETIC EXTERNAL --plot energy.svg > energy.csv\n  \
    sf-history out/ball 'top=DZ@label:BALL(0,0,1)' --time 0:0.5 --every 10";
