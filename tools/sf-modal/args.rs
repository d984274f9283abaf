//! Command line of sf-modal.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use solfec::model::Formulation;

use crate::cli::{non_negative, BodyRule, Common, EXIT_CODES, VERSION};

/// Modes of free vibration of the bodies of finite elements of a model.
///
/// Prints for each mode the eigenvalue, the frequency, the relative residual and the share of the body's mass that moves
/// along x, y and z.
#[derive(Debug, Parser)]
#[command(name = "sf-modal", version = VERSION, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
          args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub modes: Modes,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a base of displacements that results show (proper orthogonal decomposition)
    Pod(Pod),
    /// Put a base into a model
    Register(Register),
}

/// Which body of which model.
#[derive(Debug, clap::Args)]
pub struct Of {
    /// Model file, or a directory of results for its model; - is standard input
    #[arg(value_name = "MODEL", required = true)]
    pub model: Option<PathBuf>,
    /// Body, by its id or label [default: all of finite elements]
    #[arg(long, value_name = "LABEL|ID")]
    pub body: Option<String>,
    /// Take total Lagrangian bodies as they are in the frame of results nearest to a time [s]
    #[arg(long, value_name = "RESULTS:T")]
    pub at_frame: Option<String>,
    /// Number of the SOLFEC object in the deck, from 0
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub domain: usize,
}

/// What becomes of rigid modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RigidModes {
    Analytic,
    None,
}

#[derive(Debug, clap::Args)]
pub struct Modes {
    #[command(flatten)]
    pub of: Of,
    /// Number of modes, rigid ones included
    #[arg(short, long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    pub number: u32,
    /// The six rigid modes: analytic (exact, with eigenvalues of zero), or none (left out of the table and of files; then
    /// --number counts elastic modes)
    #[arg(long, value_name = "HOW", default_value = "analytic", hide_possible_values = true)]
    pub rigid: RigidModes,
    /// Largest relative residual of a mode
    #[arg(long, value_name = "X", default_value_t = 1e-11, value_parser = non_negative)]
    pub tol: f64,
    /// Largest number of restarts
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_iter: u32,
    /// Keep the modes of one body in a file (docs/formats/modes.md)
    #[arg(short, long, visible_alias = "base-out", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Table as comma-separated values
    #[arg(long)]
    pub csv: bool,
    /// Write mode shapes for ParaView, a step for each mode
    #[arg(long, value_name = "DIR|FILE.xmf")]
    pub xdmf: Option<PathBuf>,
    /// Largest displacement of a mode shape, as a part of the size of the body
    #[arg(long, value_name = "X", default_value_t = 0.1, value_parser = non_negative)]
    pub scale: f64,
    /// Only tell whether the modes in a file are those of the body (exit code 1: they are not)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "xdmf"])]
    pub check: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    pub force: bool,
}

/// Make a base from the co-rotated displacements of bodies in the frames of results: the six rigid modes, then the
/// directions in which the bodies deform most, M-orthonormal.
#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Pod {
    /// Results: the directory of a run, or its NAME.sfr.h5
    #[arg(long, value_name = "RESULTS", required = true)]
    pub from: PathBuf,
    /// Bodies of equal meshes, by the rules of sf-xdmf --subset (repeatable) [default: all of finite elements]
    #[arg(long, value_name = "RULE", value_parser = rule)]
    pub subset: Vec<(String, BodyRule)>,
    /// Number of vectors, six rigid ones included
    #[arg(short, long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(6..))]
    pub number: u32,
    /// File of the base (docs/formats/modes.md)
    #[arg(short, long, value_name = "FILE", required = true)]
    pub output: PathBuf,
    /// Number of the SOLFEC object in the deck, from 0
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub domain: usize,
    /// Overwrite a file that exists
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    pub force: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Put a base into a model under a label; with --body the body is confined to it.
#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Register {
    /// Model file; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// File of modes or of another base
    #[arg(value_name = "BASE")]
    pub base: PathBuf,
    /// Label of the base
    #[arg(long, value_name = "LABEL", required = true)]
    pub label: String,
    /// Confine a body to the base, by its id or label
    #[arg(long, value_name = "LABEL|ID")]
    pub body: Option<String>,
    /// Formulation of that body: BC-MODAL, BC-RO
    #[arg(long, value_name = "FORM", default_value = "BC-MODAL", value_parser = form, requires = "body")]
    pub form: Formulation,
    /// Model file with the base; - is standard output
    #[arg(short, long, value_name = "FILE", required = true)]
    pub output: PathBuf,
    /// Number of the SOLFEC object in the deck, from 0
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub domain: usize,
    /// Overwrite a file that exists
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    pub force: bool,
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "Examples:\n  \
    sf-modal -n 20 bar.sfm.h5\n  \
    sf-modal -n 45 --body BAR bar.sfm.h5 -o bar.modal.h5 --xdmf shapes\n  \
    sf-modal pod --from out/bar -n 12 -o bar.pod.h5\n  \
    sf-modal register bar.sfm.h5 bar.pod.h5 --label POD --body BAR --form BC-RO -o reduced.sfm.h5";

fn rule(text: &str) -> Result<(String, BodyRule), String> {
    Ok((text.into(), text.parse()?))
}

fn form(text: &str) -> Result<Formulation, String> {
    let reduced = Formulation::ALL.into_iter().filter(|form| form.is_reduced());
    reduced.into_iter().find(|form| form.name() == text).ok_or_else(|| "use BC-MODAL or BC-RO".into())
}
