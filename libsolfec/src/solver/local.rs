//! The local dynamics of one step as plain data, in our order of components (T1, T2, N): what dumps hold.

use serde::{Deserialize, Serialize};

use crate::dynamics::BlockSparse;
use crate::math::{Mat3, Vec3};
use crate::model::Analysis;
use crate::solver::Law;
use crate::{Error, Result};

/// One constraint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LocalRow {
    pub id: u64,
    /// Number of the kind, 0: a contact (docs/conventions.md 8).
    pub kind: u8,
    /// Ids of master and slave bodies.
    pub master: u64,
    pub slave: Option<u64>,
    /// Spatial, at the middle of the step; on the master where there are two.
    pub point: Vec3,
    /// Columns t1, t2, n.
    pub base: Mat3,
    pub law: Law,
    /// For messages: labels of bodies and deck line; may be empty.
    pub name: String,
}

/// `U = B + W R` and the laws of one step, with its solution. Vectors have an entry for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalDynamics {
    /// Step [s].
    pub h: f64,
    /// End of the step [s].
    pub time: f64,
    pub analysis: Analysis,
    /// Kinetic energy of all bodies [J], in quasi-statics the one that is stored in them: a scale of the merit.
    pub energy: f64,
    pub rows: Vec<LocalRow>,
    /// `W` [m/s/N].
    pub w: BlockSparse,
    /// `B` [m/s].
    pub free: Vec<Vec3>,
    /// `V` at the start of the step [m/s].
    pub previous: Vec<Vec3>,
    /// `U` [m/s] and `R` [N] after the solve.
    pub u: Vec<Vec3>,
    pub r: Vec<Vec3>,
    /// Parts of the merit, dimensionless.
    pub merit: Vec<f64>,
}

impl LocalDynamics {
    /// Checks that vectors have equal lengths and that `W` is well formed. Anyone can make such data, or a file with
    /// it.
    pub fn check(&self) -> Result<()> {
        let n = self.rows.len();
        let lengths = [self.free.len(), self.previous.len(), self.u.len(), self.r.len(), self.merit.len()];
        if lengths.iter().any(|&l| l != n) {
            let text = format!("local dynamics: {n} rows, but B, V, U, R and merit have {lengths:?} entries");
            return Err(Error::input(text));
        }
        let w = &self.w;
        let stored = w.column.len();
        let ends = w.row_offset.len() == n + 1 && w.row_offset[0] == 0 && w.row_offset[n] == stored;
        if !ends || w.block.len() != stored || w.row_offset.windows(2).any(|o| o[0] > o[1]) {
            return Err(Error::input(format!("local dynamics: the offsets of W do not describe {n} rows")));
        }
        let good = |i: usize| {
            let columns = &w.column[w.row_offset[i]..w.row_offset[i + 1]];
            columns.windows(2).all(|c| c[0] < c[1]) && columns.iter().all(|&c| (c as usize) < n)
        };
        match (0..n).find(|&i| !good(i) || w.get(i, i).is_none()) {
            Some(i) => Err(Error::input(format!(
                "local dynamics: block row {i} of W must have ascending columns less than {n} and its diagonal block"
            ))),
            None => Ok(()),
        }
    }
}
