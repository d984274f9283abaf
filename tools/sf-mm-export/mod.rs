//! sf-mm-export: lumped mass and stiffness of a body of finite elements as MatrixMarket files, .npz of SciPy or
//! HDF5.

use std::path::{Path, PathBuf};

use clap::Parser;
use solfec_formats::matrix_hdf5;
use solfec_formats::matrix_market::{mass, stiffness, Form, Matrix};

use crate::cli::{npy, npy_integers, npy_text, npz, parse, refuse_binary_to_terminal, CliError, Common, Part, Product};
use crate::cli::{EXIT_CODES, VERSION};
use crate::modal::input;
use crate::modal::Of;

const TOOL: &str = "sf-mm-export";

const EXAMPLES: &str = "Examples:\n  \
    sf-mm-export --body BAR -M M.mtx -K K.mtx bar.sfm.h5\n  \
    sf-build bar.py | sf-mm-export -K - - | head -2";

/// Lumped mass and tangent stiffness of a body of finite elements as sparse matrices.
///
/// Row 3 n + i + 1 is component i at node n. Files are MatrixMarket (coordinates from 1, 17 digits), the lower triangle
/// under a header 'symmetric'; files named .npz, or all with --npz, are those of scipy.sparse.load_npz; files named .h5, or
/// all with --h5, are of HDF5.
#[derive(Debug, Parser)]
#[command(name = TOOL, version = VERSION, after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
struct Args {
    #[command(flatten)]
    of: Of,
    /// File of the mass [kg]; - is standard output
    #[arg(short = 'M', long = "mass", value_name = "FILE")]
    mass: Option<PathBuf>,
    /// File of the stiffness [N/m]; - is standard output
    #[arg(short = 'K', long = "stiffness", value_name = "FILE", required_unless_present = "mass")]
    stiffness: Option<PathBuf>,
    /// The lower triangle under a header 'symmetric' (this is the default)
    #[arg(long, conflicts_with = "general")]
    symmetric: bool,
    /// All entries under a header 'general'
    #[arg(long)]
    general: bool,
    /// Files of scipy.sparse.load_npz, with all entries
    #[arg(long)]
    npz: bool,
    /// HDF5 files (docs/formats/matrices.md), with all entries; also of files named .h5
    #[arg(long, conflicts_with = "npz")]
    h5: bool,
    /// Overwrite files that exist
    #[arg(short, long, visible_alias = "overwrite", visible_short_alias = 'w')]
    force: bool,
    #[command(flatten)]
    common: Common,
}

/// The command line of the tool.
pub fn command() -> clap::Command {
    <Args as clap::CommandFactory>::command()
}

/// The tool.
pub fn run() -> Result<(), CliError> {
    let args: Args = parse(TOOL)?;
    args.common.apply();
    args.common.start_threads()?;
    let to_stdout = |file: &Option<PathBuf>| file.as_deref() == Some(Path::new("-"));
    if to_stdout(&args.mass) && to_stdout(&args.stiffness) {
        return Err(CliError::usage("standard output ('-') takes one matrix; give the other a file"));
    }
    let path = args.of.model.as_deref().ok_or_else(|| CliError::usage("no model given"))?;
    let model = input::domain(&mut input::read(path)?, args.of.domain, path)?;
    let rows = input::bodies(&model, args.of.body.as_deref())?;
    let [row] = rows.as_slice() else {
        let text = format!("the model has {} bodies of finite elements; choose with --body", rows.len());
        return Err(CliError::usage(text));
    };
    let pencil = input::pencil(&model, *row, &args.of)?;
    if let Some(file) = &args.mass {
        write(file, &mass(&pencil), &args)?;
    }
    if let Some(file) = &args.stiffness {
        write(file, &stiffness(&pencil), &args)?;
    }
    Ok(())
}

fn write(file: &Path, matrix: &Matrix, args: &Args) -> Result<(), CliError> {
    if args.h5 || file.extension().is_some_and(|ending| ending == "h5") {
        if file == Path::new("-") {
            return Err(CliError::usage("an HDF5 file of a matrix cannot go to standard output; name a file"));
        }
        let part = Part::create(file, args.force)?;
        matrix_hdf5::write(part.part(), matrix)?;
        return part.commit();
    }
    let binary = args.npz || file.extension().is_some_and(|ending| ending == "npz");
    if binary && file == Path::new("-") {
        refuse_binary_to_terminal()?;
    }
    let legacy = args.common.compat.iter().any(|name| name == "mm_header");
    let form = match (args.general || binary, legacy) {
        (true, _) => Form::General,
        (false, true) => Form::LowerUnderGeneral,
        (false, false) => Form::Symmetric,
    };
    let bytes = if binary { archive(matrix)? } else { text(matrix, form)? };
    let mut product = Product::open(Some(file), args.force)?;
    product.put(&bytes)?;
    product.finish()
}

fn text(matrix: &Matrix, form: Form) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    matrix.write(form, &mut bytes).map_err(|e| CliError::file(Path::new("the matrix"), "write", &e))?;
    Ok(bytes)
}

/// As scipy.sparse.save_npz writes a matrix by coordinates.
fn archive(matrix: &Matrix) -> Result<Vec<u8>, CliError> {
    let entries = matrix.entries(Form::General);
    let integers =
        |of: fn(&(usize, usize, f64)) -> usize| -> Vec<i64> { entries.iter().map(|e| of(e) as i64).collect() };
    let values: Vec<f64> = entries.iter().map(|entry| entry.2).collect();
    let arrays = [
        ("row", npy_integers(&integers(|entry| entry.0))),
        ("col", npy_integers(&integers(|entry| entry.1))),
        ("format", npy_text("coo")),
        ("shape", npy_integers(&[matrix.size as i64; 2])),
        ("data", npy(&values)),
    ];
    npz(&arrays).ok_or_else(|| CliError::usage("--npz: the matrix is longer than 4 GB; leave it out"))
}
