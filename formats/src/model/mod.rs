//! The model file `NAME.sfm.h5`: what the user described. docs/formats/model.md is its page.

mod bases;
mod bodies;
mod checked;
mod constraints;
mod display;
mod fields;
mod loads;
mod materials;
pub(crate) mod program;
pub(crate) mod provenance;
mod read;
mod rows;
mod settings;
mod shape_tables;
mod shapes;
mod volumes;
mod write;

use std::path::Path;

pub use bodies::body_hash;
pub(crate) use rows::offsets;
use solfec::model::Model;

use crate::error::Result;
use crate::schema::{concat, count, Column};
use crate::store::{self, In, Out};

/// Root attribute `format`.
pub const FORMAT: &str = "solfec-model";
/// Root attribute `format_version`: readers accept any minor version of their major one.
pub const VERSION: &str = "2.0";
const MAJOR: u32 = 2;
/// gzip level of large columns.
const COMPRESSION: u8 = 1;

const TABLES: [&[Column]; 48] = [
    materials::SeriesRows::COLUMNS,
    materials::SeriesOffsets::COLUMNS,
    materials::SeriesPoints::COLUMNS,
    fields::FieldRows::COLUMNS,
    fields::AxisOffsets::COLUMNS,
    fields::AxisRows::COLUMNS,
    fields::ValueOffsets::COLUMNS,
    fields::ValueRows::COLUMNS,
    materials::BulkRows::COLUMNS,
    fields::VaryingRows::COLUMNS,
    materials::SurfaceRows::COLUMNS,
    shape_tables::MeshOffsets::COLUMNS,
    shape_tables::MeshRows::COLUMNS,
    shape_tables::NodeRows::COLUMNS,
    shape_tables::ElementRows::COLUMNS,
    shape_tables::ConnOffsets::COLUMNS,
    shape_tables::ConnRows::COLUMNS,
    shape_tables::FaceRows::COLUMNS,
    shape_tables::ConvexOffsets::COLUMNS,
    shape_tables::ConvexRows::COLUMNS,
    shape_tables::VertexRows::COLUMNS,
    shape_tables::ConvexFaceRows::COLUMNS,
    shape_tables::FaceConnOffsets::COLUMNS,
    shape_tables::FaceConnRows::COLUMNS,
    shape_tables::SphereRows::COLUMNS,
    shape_tables::EllipsoidRows::COLUMNS,
    shape_tables::PlacedRows::COLUMNS,
    bases::BaseRows::COLUMNS,
    bases::BaseOffsets::COLUMNS,
    bases::ValueRows::COLUMNS,
    bases::VectorRows::COLUMNS,
    bodies::BodyRows::COLUMNS,
    bodies::ShapeOffsets::COLUMNS,
    bodies::StateOffsets::COLUMNS,
    bodies::ConfRows::COLUMNS,
    bodies::VeloRows::COLUMNS,
    volumes::VolumeRows::COLUMNS,
    fields::SampleOffsets::COLUMNS,
    fields::SampleRows::COLUMNS,
    constraints::UserRows::COLUMNS,
    loads::LoadRows::COLUMNS,
    loads::FunctionRows::COLUMNS,
    settings::GravityRows::COLUMNS,
    settings::ExcludedBodies::COLUMNS,
    settings::ExcludedSurfaces::COLUMNS,
    settings::ExcludedObjects::COLUMNS,
    display::DisplayRows::COLUMNS,
    program::OperationRows::COLUMNS,
];

/// The columns under `/domains/<k>`.
pub const COLUMNS: &[Column] = &concat::<{ count(&TABLES) }>(&TABLES);

const OF_PROVENANCE: [&[Column]; 3] =
    [provenance::DeckRows::COLUMNS, provenance::InputRows::COLUMNS, provenance::ToolRows::COLUMNS];

/// The columns under `/provenance`, in model files and in results.
pub const PROVENANCE: &[Column] = &concat::<{ count(&OF_PROVENANCE) }>(&OF_PROVENANCE);

/// Every column of the file.
static SCHEMA: &[Column] = {
    const ALL: [&[Column]; 2] = [COLUMNS, PROVENANCE];
    &concat::<{ count(&ALL) }>(&ALL)
};

/// A file that the deck opened.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Input {
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Hexadecimal.
    pub sha256: String,
}

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provenance {
    /// Text of the deck; empty if there was none.
    pub deck: String,
    pub inputs: Vec<Input>,
    /// One JSON object for each tool that touched the file, in order.
    pub runs: Vec<String>,
    /// The deck has functions: it cannot run without Python. Written as true also when a domain has functions.
    pub requires_live: bool,
}

/// The content of a model file: one [`Model`] for each SOLFEC object of the deck, in order of creation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelFile {
    pub domains: Vec<Model>,
    pub provenance: Provenance,
}

/// Writes the file; it appears whole or not at all (`NAME.part`, fsync, rename).
pub fn write_file(path: &Path, model: &ModelFile) -> Result<()> {
    store::create(path, SCHEMA, COMPRESSION, |out| write::file(out, model))
}

/// The file as bytes, for a pipe.
pub fn to_bytes(model: &ModelFile) -> Result<Vec<u8>> {
    let mut out = Out::memory(SCHEMA, COMPRESSION)?;
    write::file(&mut out, model)?;
    crate::image::bytes(&out.file).map_err(|e| crate::Error::Io(format!("cannot take the image of a model: {e}")))
}

/// Reads a file and checks everything in it. Missing optional columns are computed.
pub fn read_file(path: &Path) -> Result<ModelFile> {
    read::file(&In::open(path, FORMAT, MAJOR)?)
}

/// Reads the bytes of a file; `name` is for messages, as "(standard input)".
pub fn from_bytes(bytes: Vec<u8>, name: &str) -> Result<ModelFile> {
    read::file(&In::memory(bytes, name, FORMAT, MAJOR)?)
}

/// Writes the file inside of another one, as the group `top`.
pub(crate) fn write_within(out: &Out, top: &str, model: &ModelFile) -> Result<()> {
    write::file(&mut out.within(top, SCHEMA), model)
}

/// Reads a file that stands inside of another one.
pub(crate) fn read_within(from: &In, top: &str) -> Result<ModelFile> {
    read::file(&from.within(top, FORMAT, MAJOR)?)
}
