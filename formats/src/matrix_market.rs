//! Matrices as text in the MatrixMarket exchange format (Boisvert, Pozo and Remington 1996).

use std::io::{self, Write};

use solfec::body::Pencil;

/// What of a symmetric matrix is written, and what the header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The lower triangle under a header `symmetric`.
    Symmetric,
    /// All entries under a header `general`.
    General,
    /// As Solfec-1.0: the lower triangle under a header `general`, 15 digits.
    LowerUnderGeneral,
}

/// A matrix by its entries of a triangle.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    pub size: usize,
    /// Row, column and value, row ≥ column, column by column; rows and columns from 0.
    pub lower: Vec<(usize, usize, f64)>,
}

/// The lumped mass: three equal entries for each node.
pub fn mass(pencil: &Pencil) -> Matrix {
    let entry = |k: usize| (k, k, pencil.mass[k / 3]);
    Matrix { size: 3 * pencil.nodes(), lower: (0..3 * pencil.nodes()).map(entry).collect() }
}

/// The stiffness; row and column of an entry are 3 node + axis.
pub fn stiffness(pencil: &Pencil) -> Matrix {
    let mut lower = Vec::new();
    for (row, column, block) in pencil.blocks() {
        for axis in 0..3 {
            let first = if row == column { axis } else { 0 };
            lower.extend((first..3).map(|i| (3 * row + i, 3 * column + axis, block[(i, axis)])));
        }
    }
    lower.sort_by_key(|entry| (entry.1, entry.0));
    Matrix { size: 3 * pencil.nodes(), lower }
}

impl Matrix {
    /// Rows, columns (from 0) and values as a form writes them, column by column.
    pub fn entries(&self, form: Form) -> Vec<(usize, usize, f64)> {
        let mut all = self.lower.clone();
        if form == Form::General {
            all.extend(self.lower.iter().filter(|(i, j, _)| i != j).map(|(i, j, x)| (*j, *i, *x)));
            all.sort_by_key(|entry| (entry.1, entry.0));
        }
        all
    }

    /// Writes the matrix, rows and columns from 1, 17 significant digits.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let entries = self.entries(form);
        let (kind, digits) = match form {
            Form::Symmetric => ("symmetric", 16),
            Form::General => ("general", 16),
            Form::LowerUnderGeneral => ("general", 14),
        };
        writeln!(out, "%%MatrixMarket matrix coordinate real {kind}")?;
        writeln!(out, "{} {} {}", self.size, self.size, entries.len())?;
        for (i, j, x) in entries {
            writeln!(out, "{} {} {x:.digits$e}", i + 1, j + 1)?;
        }
        Ok(())
    }
}
