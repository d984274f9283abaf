//! The datasets that we write: an FCLIB local problem with its solution, and beside it the step as we know it.

use crate::model::PROVENANCE;
use crate::schema::{column, Column, Kind::*};

/// The seven datasets of a matrix.
macro_rules! matrix {
    ($base:literal, $rows:literal, $columns:literal, $units:literal) => {
        [
            column(concat!($base, "/nzmax"), I32, ("1", 1), "1", "number of entries"),
            column(concat!($base, "/m"), I32, ("1", 1), "1", concat!("number of rows, ", $rows)),
            column(concat!($base, "/n"), I32, ("1", 1), "1", concat!("number of columns, ", $columns)),
            column(concat!($base, "/nz"), I32, ("1", 1), "1", "-2: compressed rows"),
            column(concat!($base, "/p"), I32, (concat!($rows, " + 1"), 1), "1", "row pointers into i and x"),
            column(concat!($base, "/i"), I32, ("nzmax", 1), "1", "columns, ascending in a row"),
            column(concat!($base, "/x"), F64, ("nzmax", 1), $units, "values"),
        ]
    };
}

const HEAD: [Column; 6] = [
    column("fclib_local/spacedim", I32, ("1", 1), "1", "3"),
    column("fclib_local/vectors/q", F64, ("3c", 1), "m/s", "velocity without reactions").frame("local, (N, T2, T1)"),
    column("fclib_local/vectors/mu", F64, ("c", 1), "1", "friction"),
    column(
        "fclib_local/vectors/s",
        F64,
        ("p", 1),
        "m/s",
        "equality part: u of constraints without reactions, minus what is asked",
    )
    .optional(),
    column("solution/r", F64, ("3c", 1), "N", "reactions: average forces over the step").frame("local, (N, T2, T1)"),
    column("solution/u", F64, ("3c", 1), "m/s", "W r + q + V l").frame("local, (N, T2, T1)"),
];

const MULTIPLIERS: [Column; 1] =
    [column("solution/l", F64, ("p", 1), "N", "reactions of the equality part").optional()];

/// A problem and its solution as FCLIB has them. Symbols: c contacts, p rows of the equality part.
pub const COLUMNS: &[Column] = &{
    let parts: [&[Column]; 5] = [
        &HEAD,
        &MULTIPLIERS,
        &matrix!("fclib_local/W", "3c", "3c", "m/s/N"),
        &matrix!("fclib_local/V", "3c", "p", "m/s/N"),
        &matrix!("fclib_local/R", "p", "p", "m/s/N"),
    ];
    let mut all = [HEAD[0]; 6 + 1 + 3 * 7];
    let (mut k, mut n) = (0, 0);
    while k < parts.len() {
        let mut i = 0;
        while i < parts[k].len() {
            all[n] = parts[k][i];
            n += 1;
            i += 1;
        }
        k += 1;
    }
    all
};

/// The step as we know it: every constraint, in our order of components. Symbols: n constraints, b blocks of W.
pub const STEP: &[Column] = &[
    column("solfec/id", U64, ("n", 1), "1", "id of the constraint"),
    column("solfec/kind", U8, ("n", 1), "1", "kind")
        .names(r#"{"CONTACT": 0, "FIXPNT": 1, "FIXDIR": 2, "VELODIR": 3, "VELODIR3": 4, "RIGLNK": 5, "SPRING": 6}"#),
    column("solfec/bodies", U64, ("n", 2), "1", "ids of master and slave; 0: none"),
    column("solfec/name", Text, ("n", 1), "1", "for messages: labels and deck line; may be empty"),
    column("solfec/point", F64, ("n", 3), "m", "point on the master").frame("spatial").level("t+h/2"),
    column("solfec/base", F64, ("n", 9), "1", "t1, t2, n one after another").frame("spatial").level("t+h/2"),
    column("solfec/law", U8, ("n", 1), "1", "law")
        .names(r#"{"COULOMB": 0, "VELOCITY3": 1, "VELOCITY": 2}"#),
    column(
        "solfec/law_data",
        F64,
        ("n", 4),
        "SI",
        "COULOMB: friction, restitution, cohesion [N], closing velocity [m/s]; VELOCITY3: prescribed U; VELOCITY: prescribed U_N; zeros after them",
    ),
    column("solfec/B", F64, ("n", 3), "m/s", "free velocity").frame("local, (T1, T2, N)").level("t+h"),
    column("solfec/V", F64, ("n", 3), "m/s", "relative velocity").frame("local, (T1, T2, N)").level("t"),
    column("solfec/U", F64, ("n", 3), "m/s", "relative velocity").frame("local, (T1, T2, N)").level("t+h"),
    column("solfec/R", F64, ("n", 3), "N", "reaction: average force over the step").frame("local, (T1, T2, N)"),
    column("solfec/merit", F64, ("n", 1), "1", "part of the merit"),
    column("solfec/W/row_offset", U64, ("n + 1", 1), "1", "blocks of row k are row_offset[k] .. row_offset[k+1]"),
    column("solfec/W/column", U32, ("b", 1), "1", "column of the block, ascending in a row"),
    column("solfec/W/block", F64, ("b", 9), "m/s/N", "the block, column by column").frame("local, (T1, T2, N)"),
];

/// Every column of the file.
pub(super) static SCHEMA: &[Column] = &{
    let mut all = [COLUMNS[0]; COLUMNS.len() + STEP.len() + PROVENANCE.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < COLUMNS.len() {
            COLUMNS[i]
        } else if i < COLUMNS.len() + STEP.len() {
            STEP[i - COLUMNS.len()]
        } else {
            PROVENANCE[i - COLUMNS.len() - STEP.len()]
        };
        i += 1;
    }
    all
};
