//! Command line of sf-xdmf.

use std::path::PathBuf;

use clap::Parser;

use super::context::Wanted;
use super::export::Format;
use super::family::Part;
use crate::cli::{BodyRule, CliError, Common, TimeSpec, EXIT_CODES, VERSION};

/// Files for ParaView from results.
///
/// Writes one .xmf for each family that occurs: NAME_bodies.xmf (elements, and the faces of polyhedra), NAME_points.xmf
/// (spheres as points with a radius, and display points), NAME_contacts.xmf (contact points with reactions),
/// NAME_edges.xmf (rigid links and springs as lines), each beside its NAME_....xmf.h5; and NAME_labels.csv.
/// Open them with "XDMF Reader" or "Xdmf3 Reader S". ParaView 5.12 and later read .vtkhdf as well.
#[derive(Debug, Parser)]
#[command(name = "sf-xdmf", version = VERSION, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"), verbatim_doc_comment)]
pub struct Args {
    /// Results: the directory of a run, or its NAME.sfr.h5
    #[arg(required_unless_present = "initial", conflicts_with = "initial")]
    pub results: Option<PathBuf>,
    /// Show the bodies of a model file ('-': standard input) in their initial places, without running
    #[arg(long, value_name = "MODEL")]
    pub initial: Option<PathBuf>,
    /// Directory, or FILE.xmf or FILE.vtkhdf for names that begin with FILE
    #[arg(short, long, value_name = "DIR|FILE.xmf")]
    pub output: PathBuf,
    /// Verify the checksums of the results or the model before reading; damage is an error (code 3)
    #[arg(long)]
    pub verify: bool,
    /// Overwrite files that exist
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    pub force: bool,
    /// Frames [s]: T, T1,T2,... (nearest), T0:T1, first, last [default: all]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, conflicts_with = "initial")]
    pub time: Option<TimeSpec>,
    /// Every N-th of these frames
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..),
          conflicts_with = "initial")]
    pub every: u32,
    /// Only these bodies (repeatable): BOX* (shell pattern of the whole label), label:NAME, re:^FB1, id:1-10,
    /// box:x0,y0,z0,x1,y1,z1, kind:RIGID, material:stone, surf:3
    #[arg(long, value_name = "RULE", value_parser = rule)]
    pub subset: Vec<(String, BodyRule)>,
    /// Arrays in addition to the identities: DISP, VELO, STRESS, REAC, RELV, GAP, ENERGY, MISES, ERROR
    /// (estimated error of the stresses of each element) [default: DISP,VELO,REAC,RELV,GAP]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values = ["DISP", "VELO", "REAC", "RELV", "GAP"],
          hide_default_value = true, value_parser = wanted)]
    pub attr: Vec<Wanted>,
    /// STRESS and MISES recovered from the centres of elements, in place of those of the elements themselves
    #[arg(long)]
    pub recovered: bool,
    /// Families: bodies, points, contacts, edges [default: those that occur]
    #[arg(long, value_name = "PARTS", value_delimiter = ',', hide_possible_values = true)]
    pub parts: Vec<Part>,
    /// Format of the files: xdmf, or vtkhdf (ParaView 5.12 and later) [default: by the ending of FILE, else xdmf]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<Format>,
    /// All families in one file (XDMF)
    #[arg(long)]
    pub single: bool,
    /// Copy contact data instead of linking to the results
    #[arg(long)]
    pub copy: bool,
    /// Rewrite the files while the job runs, until it ends; wait for results
    #[arg(long, conflicts_with = "initial")]
    pub follow: bool,
    /// Number of the SOLFEC object in the deck, from 0
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub domain: usize,
    #[command(flatten)]
    pub common: Common,
}

impl Args {
    /// Refuses names of other kinds of files, which would become directories.
    pub fn check_output(&self) -> Result<(), CliError> {
        let ending = self.output.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("vtk" | "vtu" | "pvd" | "h5" | "xdmf" | "hdf5") if !self.output.is_dir() => {
                Err(CliError::usage(format!(
                    "-o {}: no such files are written; give a directory, FILE.xmf or FILE.vtkhdf",
                    self.output.display()
                )))
            }
            _ => Ok(()),
        }
    }

    /// As asked for, else as the name of the output ends.
    pub fn format(&self) -> Format {
        let ends = |format: &Format| self.output.extension().is_some_and(|e| e == format.extension());
        self.format.or([Format::Xdmf, Format::Vtkhdf].into_iter().find(ends)).unwrap_or(Format::Xdmf)
    }
}

const EXAMPLES: &str = "Examples:\n  \
    sf-xdmf out/arch -o viz\n  \
    sf-xdmf out/arch -o viz/keystone.xmf --subset 'KEY*' --time 0:1 --every 10";

fn rule(text: &str) -> Result<(String, BodyRule), String> {
    Ok((text.into(), text.parse()?))
}

fn wanted(name: &str) -> Result<Wanted, String> {
    let known = Wanted::ALL.map(|(name, _)| name).join(", ");
    Wanted::named(name).ok_or_else(|| format!("no such array; use {known}"))
}
