//! Why the HDF5 library could not write. Its own text speaks of buffers and addresses; what counts is the reason of the
//! system and how much could not be stored.

use std::io;

use crate::error::Error;

/// The error of a write of `place`, a file or a dataset in it.
pub fn failed_write(place: &str, error: &hdf5::Error) -> Error {
    let text = error.to_string();
    match number_after(&text, "errno = ").and_then(|n| i32::try_from(n).ok()) {
        Some(errno) => {
            let bytes = number_after(&text, "total write size = ");
            let what = bytes.map_or("write".to_string(), |n| format!("write {n} bytes"));
            Error::of_system(place, &what, &io::Error::from_raw_os_error(errno))
        }
        None => Error::Io(format!("{place}: cannot write: {text}")),
    }
}

/// The number that follows `key`.
fn number_after(text: &str, key: &str) -> Option<u64> {
    let rest = &text[text.find(key)? + key.len()..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_the_system_is_told_without_addresses() {
        let text = "H5Fflush(): unable to flush: file write failed: time = Mon, filename = 'a.h5.part', file descriptor = 6, \
                    errno = 28, error message = 'No space left on device', buf = 0x55574378d1e0, total write size = 2041, \
                    bytes this sub-write = 2041, bytes actually written = 18446744073709551615, offset = 0";
        let error = failed_write("a.h5", &hdf5::Error::from(text));
        assert!(matches!(error, Error::Full(_)));
        assert_eq!(error.to_string(), "a.h5: cannot write 2041 bytes: no space left on device; make room on the disk");
        let error = failed_write("a.h5: /x", &hdf5::Error::from("no such thing"));
        assert_eq!(error, Error::Io("a.h5: /x: cannot write: no such thing".into()));
    }
}
