//! Attributes of one text or number. Files hold hundreds of them: their types are made once for a file, and each takes
//! one call of the library to make, one to write and one to close.

use std::ffi::{c_void, CString};

use hdf5::types::VarLenUnicode;
use hdf5::{h5check, Dataspace, Datatype, Location};
use hdf5_sys::h5a::{H5Aclose, H5Acreate2, H5Aexists, H5Awrite};
use hdf5_sys::h5p::H5P_DEFAULT;

/// Types and extent of the attributes of a file.
#[derive(Clone)]
pub(super) struct Notes {
    text: Datatype,
    sum: Datatype,
    one: Dataspace,
}

impl Notes {
    pub fn new() -> hdf5::Result<Self> {
        Ok(Notes {
            text: Datatype::from_type::<VarLenUnicode>()?,
            sum: Datatype::from_type::<u32>()?,
            one: Dataspace::try_new(())?,
        })
    }

    /// A text attribute.
    pub fn put_text(&self, at: &Location, key: &str, text: &VarLenUnicode) -> hdf5::Result<()> {
        self.put(at, key, &self.text, std::ptr::from_ref(text).cast())
    }

    /// A checksum.
    pub fn put_sum(&self, at: &Location, key: &str, sum: u32) -> hdf5::Result<()> {
        self.put(at, key, &self.sum, std::ptr::from_ref(&sum).cast())
    }

    /// `value` is one of this `kind`.
    fn put(&self, at: &Location, key: &str, kind: &Datatype, value: *const c_void) -> hdf5::Result<()> {
        let key = CString::new(key).map_err(|_| hdf5::Error::from("the name of an attribute holds a zero byte"))?;
        let (at, kind, one) = (at.id(), kind.id(), self.one.id());
        hdf5::sync::sync(|| {
            // Safety: the identifiers are those of live objects, and the attribute is created, written and closed here;
            // `value` points to one value of the type it is written as.
            let new = h5check(unsafe { H5Acreate2(at, key.as_ptr(), kind, one, H5P_DEFAULT, H5P_DEFAULT) })?;
            let written = h5check(unsafe { H5Awrite(new, kind, value) });
            let closed = h5check(unsafe { H5Aclose(new) });
            written.and(closed).map(|_| ())
        })
    }
}

/// Whether something has an attribute. A list of the names of all would do, but when one of them is damaged the library
/// frees memory that it never had.
pub(super) fn has_attribute(at: &Location, key: &str) -> hdf5::Result<bool> {
    let key = CString::new(key).map_err(|_| hdf5::Error::from("the name of an attribute holds a zero byte"))?;
    // Safety: the identifier is that of a live object.
    let found = hdf5::sync::sync(|| h5check(unsafe { H5Aexists(at.id(), key.as_ptr()) }))?;
    Ok(found > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_come_back() {
        let file = hdf5::File::with_options()
            .with_fapl(|p| p.core_filebacked(false))
            .create(crate::image::fresh_name())
            .unwrap();
        let notes = Notes::new().unwrap();
        for text in ["", "m/s", "élan"] {
            let key = format!("of {}", text.len());
            notes.put_text(&file, &key, &text.parse().unwrap()).unwrap();
            assert_eq!(file.attr(&key).unwrap().read_scalar::<VarLenUnicode>().unwrap().as_str(), text);
        }
        notes.put_sum(&file, "crc32", u32::MAX).unwrap();
        assert_eq!(file.attr("crc32").unwrap().read_scalar::<u32>().unwrap(), u32::MAX);
        assert!(notes.put_sum(&file, "crc32", 0).is_err(), "it is there already");
    }

    /// Of a file with any of its parts overwritten by zeros, asking ends with an answer or an error. A list of all
    /// names ends the process on some of these.
    #[test]
    fn damaged_attributes_are_asked_for_in_safety() {
        let path = std::env::temp_dir().join(format!("notes-{}.h5", std::process::id()));
        let file = hdf5::File::create(&path).unwrap();
        let notes = Notes::new().unwrap();
        for key in 0..10 {
            let key = format!("of {key}");
            notes.put_text(&file, &key, &key.parse().unwrap()).unwrap();
        }
        file.close().unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut answered = 0;
        for at in (0..whole.len()).step_by(8) {
            let mut bytes = whole.clone();
            bytes[at..whole.len().min(at + 256)].fill(0);
            std::fs::write(&path, &bytes).unwrap();
            let Ok(file) = hdf5::File::open(&path) else { continue };
            answered += usize::from(["of 2", "none"].iter().all(|key| has_attribute(&file, key).is_ok()));
        }
        std::fs::remove_file(&path).unwrap();
        assert!(answered > 0);
    }
}
