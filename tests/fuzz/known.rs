//! Checkpoints whose changed content has the hash that belongs to it, so that readers see the content.

use std::path::Path;

use hdf5::types::{IntSize, TypeDescriptor, VarLenUnicode};
use hdf5::File;
use sha2::{Digest, Sha256};
use solfec_formats::checkpoint::COLUMNS;

/// Computes the hash again (docs/formats/checkpoint.md), where the content still allows it.
pub fn sign(path: &Path) {
    let signed = solfec_formats::open_options().open_rw(path).and_then(|file| {
        let hash = content(&file)?;
        file.delete_attr("content_sha256")?;
        let text: VarLenUnicode = hash.parse().map_err(|_| "no text")?;
        file.new_attr::<VarLenUnicode>().create("content_sha256")?.write_scalar(&text)?;
        file.close()
    });
    // What cannot be read any more has no hash.
    drop(signed);
}

fn content(file: &File) -> hdf5::Result<String> {
    let mut hash = Sha256::new();
    for column in COLUMNS {
        let set = file.dataset(column.path)?;
        hash.update(format!("/{}\0{}\0", column.path, set.shape().first().copied().unwrap_or(0)));
        macro_rules! numbers {
            ($($kind:pat => $type:ty),*) => {
                match set.dtype()?.to_descriptor()? {
                    $($kind => set.read_raw::<$type>()?.iter().for_each(|x| hash.update(x.to_le_bytes())),)*
                    _ => set.read_raw::<VarLenUnicode>()?.iter().for_each(|text| {
                        hash.update(text.as_bytes());
                        hash.update([0]);
                    }),
                }
            };
        }
        numbers!(TypeDescriptor::Unsigned(IntSize::U1) => u8, TypeDescriptor::Unsigned(IntSize::U4) => u32,
            TypeDescriptor::Unsigned(IntSize::U8) => u64, TypeDescriptor::Integer(IntSize::U2) => i16,
            TypeDescriptor::Integer(IntSize::U4) => i32, TypeDescriptor::Integer(IntSize::U8) => i64,
            TypeDescriptor::Float(_) => f64);
    }
    Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
}
