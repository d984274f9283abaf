//! Numbers and strings of a dataset or attribute, whatever their HDF5 type.

use hdf5::types::{FixedAscii, FixedUnicode, TypeDescriptor, VarLenAscii, VarLenUnicode};
use hdf5::{Dataset, H5Type, Selection};

use super::Number;

/// Every `step`-th row.
pub(super) fn thin<S: Number>(all: Vec<S>, width: usize, step: usize) -> Vec<S> {
    match step {
        0 | 1 => all,
        step => all.chunks(width * step).flat_map(|c| &c[..width]).copied().collect(),
    }
}

/// All numbers, or those picked.
pub(super) fn read_numbers<T: H5Type>(set: &Dataset, pick: Option<Selection>) -> Result<Vec<T>, hdf5::Error> {
    match pick {
        None => set.read_raw::<T>(),
        Some(s) => Ok(set.read_slice::<T, _, ndarray::IxDyn>(s)?.into_raw_vec_and_offset().0),
    }
}

/// Strings of any HDF5 kind; `long` reads those of variable length.
pub(super) fn read_text(
    from: &hdf5::Container,
    long: fn(&hdf5::Container) -> hdf5::Result<Vec<VarLenUnicode>>,
) -> std::result::Result<Vec<String>, String> {
    let kind = from.dtype().and_then(|t| t.to_descriptor()).map_err(|e| format!("unknown element type ({e})"))?;
    let failed = |e: hdf5::Error| format!("damaged or unreadable ({e})");
    let utf8 = |b: &[u8]| String::from_utf8(b.to_vec()).map_err(|_| "text is not UTF-8".to_string());
    macro_rules! fixed {
        ($kind:ident, $n:expr, $($size:literal)*) => {
            match $n {
                $(n if n <= $size => {
                    let rows = from.read_raw::<$kind<$size>>().map_err(failed)?;
                    rows.iter().map(|s| utf8(s.as_bytes())).collect()
                })*
                n => Err(format!("strings of {n} bytes are too long; use variable length")),
            }
        };
    }
    match kind {
        TypeDescriptor::VarLenUnicode => {
            let rows = long(from).map_err(failed)?;
            rows.iter().map(|s| utf8(s.as_bytes())).collect()
        }
        TypeDescriptor::VarLenAscii => {
            let rows = from.read_raw::<VarLenAscii>().map_err(failed)?;
            rows.iter().map(|s| utf8(s.as_bytes())).collect()
        }
        TypeDescriptor::FixedUnicode(n) => fixed!(FixedUnicode, n, 8 16 32 64 256 1024 4096),
        TypeDescriptor::FixedAscii(n) => fixed!(FixedAscii, n, 8 16 32 64 256 1024 4096),
        other => Err(format!("text is wanted, not {other}")),
    }
}
