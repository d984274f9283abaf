//! Modes of a body, or another reduced base, in a file. docs/formats/modes.md is its page.

use std::path::Path;

use sha2::{Digest, Sha256};
use solfec::body::Pencil;
use solfec::model::Base;
use solfec::table::{column, Column, Kind};

use crate::error::{Error, Result};
use crate::store::{create, In};

/// Root attribute `format`.
pub const FORMAT: &str = "solfec-modes";
/// Root attribute `format_version`: readers accept any minor version of their major one.
pub const VERSION: &str = "2.0";
const MAJOR: u32 = 2;

/// All columns.
pub const COLUMNS: &[Column] = &[
    column("values", Kind::F64, ("n", 1), "1/s2", "eigenvalues, ascending; those of rigid modes are 0"),
    column(
        "vectors",
        Kind::F64,
        ("n, m", 0),
        "1",
        "a vector in each row: three displacements for each node of the mesh; those of modes have the unit kg^-1/2",
    ),
    column("residuals", Kind::F64, ("n", 1), "1", "relative residuals of modes; 0 for an eigenvalue of 0").optional(),
];

/// What a file of modes holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    pub base: Base,
    /// Empty if there are none.
    pub residuals: Vec<f64>,
    /// Of what they were made; empty in files of Solfec-1.0 and of bases from elsewhere.
    pub mesh_hash: String,
    pub material_hash: String,
    /// Tolerance of the residuals; NaN where there is none.
    pub abstol: f64,
}

impl Kept {
    /// Whether they belong to this body; `None` if the file does not say.
    pub fn fits(&self, pencil: &Pencil) -> Option<bool> {
        if self.mesh_hash.is_empty() {
            return (self.base.nodes() != pencil.nodes()).then_some(false);
        }
        Some(self.mesh_hash == mesh_hash(pencil) && self.material_hash == material_hash(pencil))
    }
}

/// SHA-256 of the places of the nodes and of the pairs of nodes that share an element.
pub fn mesh_hash(pencil: &Pencil) -> String {
    let mut hash = Sha256::new();
    for x in pencil.reference.iter().chain(&pencil.places).flat_map(|x| x.iter()) {
        hash.update(x.to_le_bytes());
    }
    for (row, column, _) in pencil.blocks() {
        hash.update((row as u32).to_le_bytes());
        hash.update((column as u32).to_le_bytes());
    }
    crate::store::hex(&hash.finalize())
}

/// SHA-256 of the masses of the nodes and of the stiffness.
pub fn material_hash(pencil: &Pencil) -> String {
    let mut hash = Sha256::new();
    for x in pencil.mass.iter().chain(pencil.blocks().flat_map(|(_, _, block)| block.iter())) {
        hash.update(x.to_le_bytes());
    }
    crate::store::hex(&hash.finalize())
}

/// Writes modes; the directory is made if it is missing.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, kept: &Kept) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make the directory", &e))
    })?;
    let (n, rows) = (kept.base.count(), 3 * kept.base.nodes());
    create(path, COLUMNS, 1, |out| {
        for (key, text) in [
            ("format", FORMAT),
            ("format_version", VERSION),
            ("label", kept.base.label.as_str()),
            ("mesh_hash", kept.mesh_hash.as_str()),
            ("material_hash", kept.material_hash.as_str()),
        ] {
            out.set_text("", key, text)?;
        }
        if kept.abstol.is_finite() {
            out.set_numbers("", "abstol", &[kept.abstol])?;
        }
        let put = |name: &str, width: usize, numbers: &[f64]| {
            let mut numbers = Some(numbers.to_vec());
            out.put_pieces("", name, (n, width), || Ok(numbers.take()))
        };
        put("values", 1, &kept.base.values)?;
        put("vectors", rows, &kept.base.vectors)?;
        if !kept.residuals.is_empty() {
            put("residuals", 1, &kept.residuals)?;
        }
        Ok(())
    })
}

/// Reads modes, also those that MODAL_ANALYSIS of Solfec-1.0 kept.
///
/// # Errors
/// The file is no such file, or it is damaged.
pub fn read(path: &Path) -> Result<Kept> {
    let file = In::foreign(path, "a file of modes")?;
    if is_old(&file) {
        return read_old(&file);
    }
    file.require_format(FORMAT)?;
    file.require_version(MAJOR)?;
    if let Some(damage) = file.damages("")?.first() {
        return Err(Error::Format(damage.clone()));
    }
    let values = file.get::<f64>("", "values")?;
    let width = file.shape("", "vectors")?.get(1).copied().unwrap_or(1);
    let vectors = file.read_flat::<f64>("", "vectors", width, None)?;
    let text = |key| Ok::<_, Error>(file.text_attribute("", key)?.unwrap_or_default());
    Ok(Kept {
        base: base(&file, text("label")?, values, vectors)?,
        residuals: file.get_if::<f64>("", "residuals")?.unwrap_or_default(),
        mesh_hash: text("mesh_hash")?,
        material_hash: text("material_hash")?,
        abstol: file.numbers::<1>("", "abstol")?.map_or(f64::NAN, |[x]| x),
    })
}

/// Whether a file holds modes; others are never written over.
pub fn is_one(path: &Path) -> bool {
    let Ok(file) = In::foreign(path, "a file of modes") else { return false };
    is_old(&file) || file.text_attribute("", "format").is_ok_and(|format| format.as_deref() == Some(FORMAT))
}

/// Solfec-1.0 packs two integers, the rows and the number of modes, and then values and vectors into one column.
fn is_old(file: &In) -> bool {
    file.has("", "i") && file.has("", "d") && !file.has("", "values")
}

fn read_old(file: &In) -> Result<Kept> {
    let (sizes, numbers) = (file.get::<i64>("", "i")?, file.get::<f64>("", "d")?);
    let fits =
        |rows: i64, n: i64| rows > 0 && n > 0 && numbers.len() as i64 == n.saturating_mul(rows.saturating_add(1));
    let [rows, n] = *sizes.as_slice() else {
        return Err(Error::format(&file.at("", "i"), "two numbers are wanted: rows and modes"));
    };
    if !fits(rows, n) {
        let text = format!("{} numbers, but {n} values and vectors of {rows} numbers are wanted", numbers.len());
        return Err(Error::format(&file.at("", "d"), text));
    }
    let (values, vectors) = numbers.split_at(n as usize);
    Ok(Kept {
        base: base(file, String::new(), values.to_vec(), vectors.to_vec())?,
        residuals: Vec::new(),
        mesh_hash: String::new(),
        material_hash: String::new(),
        abstol: f64::NAN,
    })
}

fn base(file: &In, label: String, values: Vec<f64>, vectors: Vec<f64>) -> Result<Base> {
    Base::new(label, values, vectors).map_err(|e| Error::format(&file.name, e.to_string()))
}
