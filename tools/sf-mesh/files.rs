//! Meshes in and out of the verbs: a file or standard input, a file or standard output, formats by name or ending.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use solfec::meshdata::weld;
use solfec::shape::{Mesh, RawMesh};
use solfec_formats::meshes::{self, Encoding, Format, MeshFile, Part, Set, Style};

use super::TOOL;
use crate::cli::{
    did_you_mean, non_negative, refuse_binary_to_terminal, require_exists, CliError, Common, Product, Warnings,
};

/// The mesh that a verb takes.
#[derive(Debug, Clone, Args)]
pub struct Input {
    /// Mesh file, model, or directory of results; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
    #[command(flatten)]
    pub how: How,
}

/// How files are read.
#[derive(Debug, Clone, Args)]
pub struct How {
    /// Format of the input [default: by its ending, else by its first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub from: Option<Format>,
    /// Take this part of the file only
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
    /// Of results: the frame nearest to this time [s] [default: the last]
    #[arg(long, value_name = "T", value_parser = non_negative)]
    pub time: Option<f64>,
}

/// Where the product of a verb goes.
#[derive(Debug, Clone, Args)]
pub struct Output {
    /// File to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Format to write: h5, inp, msh, msh2, vtu, vtk, stl, obj, ply, mesh, vol, ele, poly, smesh [default: by the
    /// ending, else h5]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub format: Option<Format>,
    /// Numbers as ascii, base64 (vtu) or binary, in formats that have the choice
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Numbers::Binary, hide_possible_values = true)]
    pub encoding: Numbers,
    /// Compress (vtu)
    #[arg(long)]
    pub zlib: bool,
    /// Overwrite an existing file
    #[arg(short, long)]
    pub force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Numbers {
    Ascii,
    Base64,
    Binary,
}

fn format(name: &str) -> Result<Format, String> {
    Format::named(name).ok_or_else(|| format!("unknown format; known are {}", Format::names().join(", ")))
}

/// Reads a file, or standard input, and takes the part that was asked for.
///
/// # Errors
/// As [`meshes::read`]; no part of this name.
pub fn read(file: &Path, how: &How, common: &Common) -> Result<MeshFile, CliError> {
    let (mut found, remarks) = match file == Path::new("-") {
        true => meshes::read_bytes(&stdin()?, "standard input", how.from)?,
        false => {
            require_exists(file)?;
            if super::bodies::has_bodies(file) {
                (super::bodies::read(file, how.time)?, Vec::new())
            } else if file.is_dir() {
                return Err(CliError::bad_input(format!(
                    "{}: is a directory without results; give a mesh file",
                    file.display()
                )));
            } else {
                meshes::read(file, how.from)?
            }
        }
    };
    tell(&remarks, common);
    if let Some(name) = &how.part {
        let names: Vec<String> = found.parts.iter().map(|part| part.name.clone()).collect();
        found.parts.retain(|part| part.name == *name);
        found.solid = None;
        if found.parts.is_empty() {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            let near = did_you_mean(name, known.iter().copied());
            let list =
                if known.iter().all(|name| name.is_empty()) { "none has a name".into() } else { known.join(", ") };
            let text = format!("{}: no part '{name}'{near}; parts: {list}", file.display());
            return Err(CliError::bad_input(text));
        }
    }
    Ok(found)
}

fn stdin() -> Result<Vec<u8>, CliError> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Err(CliError::usage("standard input is a terminal; give a file or use a pipe"));
    }
    let mut bytes = Vec::new();
    stdin.lock().read_to_end(&mut bytes).map_err(|e| CliError::file(Path::new("standard input"), "read", &e))?;
    match bytes.is_empty() {
        true => Err(CliError::bad_input(
            "standard input is empty: the command before the pipe failed or wrote nothing (see its message above); use \
             'set -o pipefail'",
        )),
        false => Ok(bytes),
    }
}

/// Remarks of formats, as warnings.
pub fn tell(remarks: &[String], _: &Common) {
    let mut warnings = Warnings::new(TOOL);
    remarks.iter().for_each(|text| warnings.warn("format", text));
    warnings.summary();
}

impl Input {
    /// The parts, without what is said of the solid that they stand for, which may change.
    pub fn read(&self, common: &Common) -> Result<MeshFile, CliError> {
        Ok(MeshFile { solid: None, ..self.read_all(common)? })
    }

    pub fn read_all(&self, common: &Common) -> Result<MeshFile, CliError> {
        read(&self.file, &self.how, common)
    }
}

impl Output {
    /// Writes what a verb made.
    ///
    /// # Errors
    /// The format cannot hold it, the file exists or cannot be written.
    pub fn write(&self, file: &MeshFile, common: &Common) -> Result<(), CliError> {
        let to_stdout = self.output == Path::new("-");
        let by_ending = if to_stdout { Some(Format::Hdf5) } else { Format::of_path(&self.output) };
        let Some(format) = self.format.or(by_ending) else {
            let known = Format::names().join(", ");
            let text = format!("{}: the ending tells no format; use --format, one of {known}", self.output.display());
            return Err(CliError::usage(text));
        };
        let encoding = match self.encoding {
            Numbers::Ascii => Encoding::Ascii,
            Numbers::Base64 => Encoding::Base64,
            Numbers::Binary => Encoding::Binary,
        };
        let written = meshes::write(file, format, Style { encoding, zlib: self.zlib })
            .map_err(|error| CliError::from(error).at(self.output.display()))?;
        tell(&written.remarks, common);
        if to_stdout && std::str::from_utf8(&written.bytes[..written.bytes.len().min(1000)]).is_err() {
            refuse_binary_to_terminal()?;
        }
        if to_stdout && !written.beside.is_empty() {
            let text = format!("{} is several files and cannot go through a pipe; use -o FILE", format.name());
            return Err(CliError::usage(text));
        }
        let mut products = vec![(self.output.clone(), &written.bytes)];
        products.extend(written.beside.iter().map(|(ending, bytes)| (self.output.with_extension(ending), bytes)));
        let mut open = Vec::new();
        for (path, bytes) in &products {
            let mut product = Product::open(Some(path), self.force)?;
            product.put(bytes)?;
            open.push(product);
        }
        open.into_iter().try_for_each(Product::finish)
    }

    /// Writes one mesh without a name.
    pub fn write_mesh(&self, mesh: &Mesh, common: &Common) -> Result<(), CliError> {
        self.write(&MeshFile::one(RawMesh::from(mesh)), common)
    }
}

/// Tells which named sets a verb leaves out.
pub fn tell_lost_sets<'a>(sets: impl Iterator<Item = &'a Set>) {
    let names: BTreeSet<&str> = sets.map(|set| set.name.as_str()).collect();
    if !names.is_empty() {
        let names: Vec<&str> = names.into_iter().collect();
        Warnings::new(TOOL).warn("sets", &format!("named sets are left out: {}", names.join(", ")));
    }
}

/// The checked mesh of a part.
pub fn checked(part: &Part) -> Result<Mesh, CliError> {
    if part.mesh.elements.is_empty() {
        let text = "is a surface without elements; a mesh is needed here ('sf-mesh tet' makes one)";
        return Err(CliError::bad_input(named(part, text)));
    }
    let made = part.mesh.clone().mesh();
    Ok(made.map_err(|error| CliError::bad_input(named(part, &error.to_string())))?.0)
}

/// A text about a part.
pub fn named(part: &Part, text: &str) -> String {
    match part.name.as_str() {
        "" => text.to_string(),
        name => format!("part {name}: {text}"),
    }
}

/// Nodes closer than this part of the diagonal are one.
const WELD: f64 = 1e-9;

/// A surface whose triangles share their corners, and the diagonal of its box [m].
pub fn welded(mut surface: RawMesh) -> Result<(RawMesh, f64), CliError> {
    let Some(&first) = surface.nodes.first() else { return Err(CliError::bad_input("has no nodes")) };
    let (low, high) = surface.nodes.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    let diagonal = (high - low).norm();
    weld(&mut surface, WELD * diagonal);
    Ok((surface, diagonal))
}
