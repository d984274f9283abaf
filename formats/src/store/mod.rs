//! Columns in and out of HDF5 files: checked sizes, types and names; chunks, filters, attributes; files that appear whole.

mod input;
mod output;

use hdf5::{File, H5Type, Hyperslab, Selection, SliceOrIndex};

pub(crate) use input::In;
pub(crate) use output::{amend, create, Out};

/// Bytes of a chunk; smaller datasets are stored in one piece. A history of one body reads one chunk per frame.
const CHUNK_BYTES: usize = 64 << 10;

/// A number that is stored as it is.
pub(crate) trait Scalar: H5Type + Copy + Default {
    const INTEGER: bool;
    fn from_wide(x: i64) -> Option<Self>;
    fn push_bytes(self, out: &mut Vec<u8>);
}

macro_rules! scalar {
    ($($t:ty),*) => {$(
        impl Scalar for $t {
            const INTEGER: bool = true;
            fn from_wide(x: i64) -> Option<Self> {
                Self::try_from(x).ok()
            }
            fn push_bytes(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
        impl Cell for $t {
            type Of = $t;
            const WIDTH: usize = 1;
            fn flat(rows: &[Self]) -> &[$t] {
                rows
            }
            fn rows(flat: Vec<$t>) -> Vec<Self> {
                flat
            }
        }
    )*};
}

impl Scalar for f64 {
    const INTEGER: bool = false;
    fn from_wide(x: i64) -> Option<Self> {
        Some(x as f64)
    }
    fn push_bytes(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
}

impl Cell for f64 {
    type Of = f64;
    const WIDTH: usize = 1;
    fn flat(rows: &[Self]) -> &[f64] {
        rows
    }
    fn rows(flat: Vec<f64>) -> Vec<Self> {
        flat
    }
}

/// What a row of a column is: a number or an array of numbers.
pub(crate) trait Cell: Copy {
    type Of: Scalar;
    const WIDTH: usize;
    fn flat(rows: &[Self]) -> &[Self::Of];
    fn rows(flat: Vec<Self::Of>) -> Vec<Self>;
}

scalar!(u8, u32, u64, i16, i32, i64);

impl<T: Scalar, const N: usize> Cell for [T; N] {
    type Of = T;
    const WIDTH: usize = N;
    fn flat(rows: &[Self]) -> &[T] {
        rows.as_flattened()
    }
    fn rows(flat: Vec<T>) -> Vec<Self> {
        flat.as_chunks::<N>().0.to_vec()
    }
}

/// Rows `start, start + step, …`, `count` of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows {
    pub start: usize,
    pub step: usize,
    pub count: usize,
}

impl From<std::ops::Range<usize>> for Rows {
    fn from(r: std::ops::Range<usize>) -> Self {
        Rows { start: r.start, step: 1, count: r.end.saturating_sub(r.start) }
    }
}

fn selection(rows: Rows, width: usize) -> Selection {
    let slice = SliceOrIndex::SliceCount { start: rows.start, step: rows.step, count: rows.count, block: 1 };
    if width == 1 {
        Selection::Hyperslab(Hyperslab::from(vec![slice]))
    } else {
        Selection::Hyperslab(Hyperslab::from(vec![slice, SliceOrIndex::from(0..width)]))
    }
}

fn shape(rows: usize, width: usize) -> Vec<usize> {
    match width {
        1 => vec![rows],
        w => vec![rows, w],
    }
}

/// Nothing here needs locks: files appear whole and never change. A lock would outlive its file in the children of the
/// process, which inherit the descriptor, and keep readers out.
///
/// A process cannot open one file in both ways, so all who open files of ours beside us use this.
pub fn options() -> hdf5::FileBuilder {
    let mut options = File::with_options();
    options.with_fapl(|p| p.file_locking(false));
    options
}
