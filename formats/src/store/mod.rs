//! Columns in and out of HDF5 files: checked sizes, types and names; chunks, filters, attributes; files that appear
//! whole.

mod fault;
mod input;
mod notes;
mod output;
mod plain;
mod raw;
mod seal;
mod texts;
mod verify;
mod whole;

use hdf5::types::OwnedDynValue;
use hdf5::{File, H5Type, Hyperslab, Selection, SliceOrIndex};
use solfec::table::Scalar;

pub use fault::failed_write;
pub(crate) use input::In;
pub(crate) use output::{hex, Out};
pub(crate) use whole::{also_named, amend, create, create_sealed, own_folder};
pub use whole::{fresh, replace};

/// Bytes of a chunk; smaller datasets are stored in one piece. A history of one body reads one chunk per frame.
const CHUNK_BYTES: usize = 64 << 10;

/// A number that HDF5 stores as it is.
pub(crate) trait Stored: H5Type + Copy {
    const INTEGER: bool;
    fn push_bytes(self, out: &mut Vec<u8>);
}

/// A number of a column.
pub(crate) trait Number: Stored + Scalar + Into<OwnedDynValue> {
    /// What a virtual dataset shows where its source is missing: NaN, or the largest number.
    const MISSING: Self;
    fn from_wide(x: i64) -> Option<Self>;
    /// The nearest in single precision.
    fn single(self) -> f32;
}

macro_rules! stored {
    ($integer:literal: $($t:ty),*) => {$(
        impl Stored for $t {
            const INTEGER: bool = $integer;
            fn push_bytes(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

macro_rules! integers {
    ($($t:ty),*) => {
        stored!(true: $($t),*);
        $(impl Number for $t {
            const MISSING: Self = Self::MAX;
            fn from_wide(x: i64) -> Option<Self> {
                Self::try_from(x).ok()
            }
            fn single(self) -> f32 {
                self as f32
            }
        })*
    };
}

integers!(u8, u32, u64, i16, i32, i64);
stored!(false: f32, f64);

impl Number for f64 {
    const MISSING: Self = f64::NAN;
    fn from_wide(x: i64) -> Option<Self> {
        Some(x as f64)
    }
    fn single(self) -> f32 {
        self as f32
    }
}

/// Evaluates `$do` with `$type` standing for the type of the numbers of a [`Kind`](crate::schema::Kind).
macro_rules! of_kind {
    ($kind:expr, $type:ident => $do:expr, text => $text:expr) => {
        match $kind {
            crate::schema::Kind::U8 => {
                type $type = u8;
                $do
            }
            crate::schema::Kind::U32 => {
                type $type = u32;
                $do
            }
            crate::schema::Kind::U64 => {
                type $type = u64;
                $do
            }
            crate::schema::Kind::I16 => {
                type $type = i16;
                $do
            }
            crate::schema::Kind::I32 => {
                type $type = i32;
                $do
            }
            crate::schema::Kind::I64 => {
                type $type = i64;
                $do
            }
            crate::schema::Kind::F64 => {
                type $type = f64;
                $do
            }
            crate::schema::Kind::Text => $text,
        }
    };
}

/// Evaluates `$do` with `$numbers` standing for the numbers of a `Flat` or `FlatMut`.
macro_rules! of_flat {
    ($flat:expr, $enum:ident, $numbers:ident => $do:expr, text $texts:ident => $text:expr) => {
        match $flat {
            $enum::U8($numbers) => $do,
            $enum::U32($numbers) => $do,
            $enum::U64($numbers) => $do,
            $enum::I16($numbers) => $do,
            $enum::I32($numbers) => $do,
            $enum::I64($numbers) => $do,
            $enum::F64($numbers) => $do,
            $enum::Text($texts) => $text,
        }
    };
}

pub(crate) use {of_flat, of_kind};

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

#[cfg(test)]
mod tests {
    use solfec::table::Table;

    use super::*;

    solfec::table! {
        /// A table that exists here only.
        struct Trees("trees", "w") row Tree {
            place: [f64; 3] = "tree/place", "m", "where it stands" .frame("spatial");
            rings: u32 = "tree/rings", "1", "years that it has lived";
            name: String = "tree/name", "1", "its name";
        }
    }

    fn wood() -> Trees {
        let mut wood = Trees::default();
        for (k, name) in ["oak", "ash", "elm", "yew"].into_iter().enumerate() {
            wood.push(Tree { place: [k as f64; 3], rings: k as u32, name: name.into() });
        }
        wood
    }

    fn stored() -> In {
        let mut out = Out::memory(Trees::COLUMNS, 0).unwrap();
        out.put_table("/wood", &wood()).unwrap();
        let bytes = crate::image::bytes(&out.file).unwrap();
        In::foreign_memory(bytes, "(memory)", "a wood").unwrap()
    }

    /// A definition is all that a table needs.
    #[test]
    fn a_new_table_is_written_read_and_reordered() {
        let file = stored();
        let mut all = Trees::default();
        file.get_table("/wood", &mut all).unwrap();
        assert_eq!(all, wood());
        all.reorder(&[3, 1]);
        assert_eq!((all.name[0].as_str(), all.rings[1], all.place[0]), ("yew", 1, [3.0; 3]));
        let page = crate::schema::page(Trees::COLUMNS);
        assert!(page.contains("| `tree/place` | f64 | [w, 3] | m | where it stands; frame: spatial |\n"), "{page}");
    }

    #[test]
    fn some_rows_and_some_columns_are_read() {
        let file = stored();
        let every_other = Rows { start: 1, step: 2, count: 2 };
        let mut some = Trees::default();
        file.get_table_rows("/wood", &mut some, every_other, Some(&["rings", "name"])).unwrap();
        assert_eq!((some.rings, some.name), (vec![1, 3], vec!["ash".to_string(), "yew".into()]));
        assert_eq!(some.place, [[0.0; 3]; 2]);
        let mut some = Trees::default();
        file.get_columns("/wood", &mut some, every_other, &["rings"]).unwrap();
        assert_eq!((some.rings, some.place.len()), (vec![1, 3], 0));
    }

    #[test]
    fn tables_with_columns_of_other_lengths_are_refused() {
        let mut out = Out::memory(Trees::COLUMNS, 0).unwrap();
        out.put_table("/wood", &Trees { rings: vec![1], ..wood() }).unwrap();
        let file = In::foreign_memory(crate::image::bytes(&out.file).unwrap(), "(memory)", "a wood").unwrap();
        let message = file.get_table("/wood", &mut Trees::default()).unwrap_err().to_string();
        assert!(message.contains("columns of trees differ in length: tree/place has 4, tree/rings has 1"), "{message}");
    }
}
