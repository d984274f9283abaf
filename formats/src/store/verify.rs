//! Checksums of datasets: CRC-32 of their numbers, little-endian, row after row, as an attribute beside them.

use crc32fast::Hasher;
use hdf5::types::{FloatSize, IntSize, TypeDescriptor};
use hdf5::Dataset;

use super::{In, Stored, CHUNK_BYTES};
use crate::error::Result;

/// Name of the attribute.
pub(super) const CHECKSUM: &str = "crc32";

/// Groups of ours are not nested deeper; a link may put a group into itself.
const DEEPEST: usize = 8;

/// Gives numbers as bytes, piece by piece.
pub(super) fn in_bytes<S: Stored>(numbers: &[S], mut take: impl FnMut(&[u8])) {
    let mut bytes = Vec::with_capacity(CHUNK_BYTES.min(std::mem::size_of_val(numbers)));
    for part in numbers.chunks(CHUNK_BYTES / 8) {
        bytes.clear();
        part.iter().for_each(|x| x.push_bytes(&mut bytes));
        take(&bytes);
    }
}

impl In {
    /// Datasets under `base` whose numbers do not give their checksum, as messages; those without one are not looked
    /// at.
    pub fn damages(&self, base: &str) -> Result<Vec<String>> {
        let mut found = Vec::new();
        if base.matches('/').count() > DEEPEST {
            found.push(format!("{}: {base}: damaged: groups lie in one another without end", self.name));
            return Ok(found);
        }
        for member in self.members(base)? {
            let path = format!("{base}/{member}");
            let Ok(set) = self.file.dataset(&path) else {
                found.append(&mut self.damages(&path)?);
                continue;
            };
            let Ok(sum) = set.attr(CHECKSUM).and_then(|a| a.read_scalar::<u32>()) else { continue };
            let place = format!("{}: {path}", self.name);
            match checksum(&set) {
                Err(e) => found.push(format!("{place}: damaged or unreadable ({e})")),
                Ok(None) => found.push(format!("{place}: damaged: numbers of a type that none of these files has")),
                Ok(Some(other)) if other != sum => {
                    found.push(format!("{place}: damaged: its numbers do not give their checksum"));
                }
                Ok(Some(_)) => {}
            }
        }
        Ok(found)
    }
}

/// Of a dataset of one of the types that these formats have.
fn checksum(set: &Dataset) -> hdf5::Result<Option<u32>> {
    fn of<S: Stored>(set: &Dataset) -> hdf5::Result<Option<u32>> {
        let mut sum = Hasher::new();
        in_bytes(&set.read_raw::<S>()?, |bytes| sum.update(bytes));
        Ok(Some(sum.finalize()))
    }
    match set.dtype()?.to_descriptor()? {
        TypeDescriptor::Float(FloatSize::U4) => of::<f32>(set),
        TypeDescriptor::Float(FloatSize::U8) => of::<f64>(set),
        TypeDescriptor::Unsigned(IntSize::U1) => of::<u8>(set),
        TypeDescriptor::Unsigned(IntSize::U4) => of::<u32>(set),
        TypeDescriptor::Unsigned(IntSize::U8) => of::<u64>(set),
        TypeDescriptor::Integer(IntSize::U2) => of::<i16>(set),
        TypeDescriptor::Integer(IntSize::U4) => of::<i32>(set),
        TypeDescriptor::Integer(IntSize::U8) => of::<i64>(set),
        _ => Ok(None),
    }
}
