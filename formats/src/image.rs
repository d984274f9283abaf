//! HDF5 files in memory: what travels through a pipe. Raw calls of the library are here and in `store/texts.rs`.

use std::ffi::CString;
use std::sync::atomic::{AtomicU64, Ordering};

use hdf5::File;
use hdf5_sys::h5f::{H5Fget_file_image, H5Fopen, H5F_ACC_RDONLY};
use hdf5_sys::h5p::{H5Pclose, H5Pcreate, H5Pset_fapl_core, H5Pset_file_image, H5P_CLS_FILE_ACCESS};

/// Growth of a file in memory [bytes].
const INCREMENT: usize = 1 << 20;

/// A name no other open file in memory has: the core driver tells files apart by name.
pub(crate) fn fresh_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("memory-{}.h5", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The bytes of an open file, flushed before.
pub(crate) fn bytes(file: &File) -> Result<Vec<u8>, hdf5::Error> {
    file.flush()?;
    hdf5::sync::sync(|| {
        // Safety: the identifier is that of an open file; a null buffer of size 0 asks for the size; the second call
        // writes at most `buffer.len()` bytes into a buffer of that length.
        let size = unsafe { H5Fget_file_image(file.id(), std::ptr::null_mut(), 0) };
        if size < 0 {
            return Err("the library gives no image of the file".into());
        }
        let mut buffer = vec![0u8; size as usize];
        let written = unsafe { H5Fget_file_image(file.id(), buffer.as_mut_ptr().cast(), buffer.len()) };
        if written != size {
            return Err("the image of the file changed while it was taken".into());
        }
        Ok(buffer)
    })
}

/// Opens an image for reading. The library copies the bytes.
pub(crate) fn open(image: &mut [u8]) -> Result<File, hdf5::Error> {
    let name = CString::new(fresh_name()).map_err(|_| "name with a zero byte")?;
    hdf5::sync::sync(|| {
        // Safety: the property list is created, used and closed here; the image is a live buffer of the given length
        // of which HDF5 makes its own copy in `H5Pset_file_image` (default callbacks); the identifier returned by
        // `H5Fopen` is owned by the `File` made from it and by nobody else.
        unsafe {
            let list = H5Pcreate(*H5P_CLS_FILE_ACCESS);
            if list < 0 {
                return Err("no property list".into());
            }
            let ready = H5Pset_fapl_core(list, INCREMENT, 0) >= 0
                && H5Pset_file_image(list, image.as_mut_ptr().cast(), image.len()) >= 0;
            let id = if ready { H5Fopen(name.as_ptr(), H5F_ACC_RDONLY, list) } else { -1 };
            H5Pclose(list);
            if id < 0 {
                return Err("not an HDF5 file, or cut short".into());
            }
            hdf5::from_id::<File>(id)
        }
    })
}
