//! Texts of variable length in and out of datasets. The library converts them, and clears a buffer of 1 MB for each
//! reading or writing, however few there are (HDF5 1.10, H5Pset_buffer): here the buffer is as large as the texts need.

use hdf5::types::VarLenUnicode;
use hdf5::{h5check, Container, Dataset, Datatype};
use hdf5_sys::h5d::{H5Dread, H5Dwrite};
use hdf5_sys::h5i::hid_t;
use hdf5_sys::h5p::{H5Pclose, H5Pcreate, H5Pset_buffer, H5P_CLS_DATASET_XFER};
use hdf5_sys::h5s::H5S_ALL;

/// Bytes of an entry: a length, an address and an index in the file, a pointer in memory.
const ENTRY_BYTES: usize = 32;
/// The library's own size.
const LARGEST: usize = 1 << 20;

/// Writes all texts of a dataset.
pub(super) fn write(set: &Dataset, texts: &[VarLenUnicode]) -> hdf5::Result<()> {
    if set.size() != texts.len() {
        return Err(format!("{} texts for {} entries", texts.len(), set.size()).into());
    }
    let kind = Datatype::from_type::<VarLenUnicode>()?;
    transfer(texts.len(), |list| {
        // Safety: the identifiers are those of live objects; the buffer holds as many texts of this type as the
        // dataset has, which was compared, and is only read.
        unsafe { H5Dwrite(set.id(), kind.id(), H5S_ALL, H5S_ALL, list, texts.as_ptr().cast()) }
    })
}

/// Reads all texts of a dataset.
pub(super) fn read(set: &Container) -> hdf5::Result<Vec<VarLenUnicode>> {
    let count = set.size();
    let kind = Datatype::from_type::<VarLenUnicode>()?;
    let mut texts = Vec::<VarLenUnicode>::with_capacity(count);
    transfer(count, |list| {
        // Safety: the identifiers are those of live objects; the buffer has room for as many pointers to texts as the
        // dataset has entries.
        unsafe { H5Dread(set.id(), kind.id(), H5S_ALL, H5S_ALL, list, texts.as_mut_ptr().cast()) }
    })?;
    // Safety: the library has filled all of them: each is null or a text of its own, which the type takes over.
    unsafe { texts.set_len(count) };
    Ok(texts)
}

/// Runs a transfer of `count` entries with a buffer of its size.
fn transfer(count: usize, run: impl FnOnce(hid_t) -> i32) -> hdf5::Result<()> {
    let bytes = (count * ENTRY_BYTES).clamp(ENTRY_BYTES, LARGEST);
    hdf5::sync::sync(|| {
        // Safety: the list is created, used and closed here; null buffers leave their allocation to the library.
        let list = h5check(unsafe { H5Pcreate(*H5P_CLS_DATASET_XFER) })?;
        let ready = h5check(unsafe { H5Pset_buffer(list, bytes, std::ptr::null_mut(), std::ptr::null_mut()) });
        let done = ready.and_then(|_| h5check(run(list)));
        unsafe { H5Pclose(list) };
        done.map(|_| ())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_however_many_there_are() {
        let file = hdf5::File::with_options()
            .with_fapl(|p| p.core_filebacked(false))
            .create(crate::image::fresh_name())
            .unwrap();
        // More than the buffer of the library holds, one, and texts that are empty or long.
        for count in [1, 3, 100_000] {
            let text = |k: usize| if k % 7 == 3 { String::new() } else { "é".repeat(k % 50) };
            let texts: Vec<VarLenUnicode> = (0..count).map(|k| text(k).parse().unwrap()).collect();
            let set = file.new_dataset::<VarLenUnicode>().shape(count).create(format!("n{count}").as_str()).unwrap();
            write(&set, &texts).unwrap();
            assert_eq!(read(&set).unwrap(), texts);
            assert!(write(&set, &texts[1..]).is_err());
        }
    }
}
