//! Files that end with the SHA-256 of all bytes before it. HDF5 itself does not look at what follows its last byte; and
//! it must not see what has changed on the disk, since a wrong size of a text in its heap kills the process.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::output::hex;

/// `sha256 `, 64 digits and a line break: `head -c -72 FILE | sha256sum` gives the digits.
const BYTES: u64 = 72;

/// Seals a file that is complete.
pub(super) fn seal(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).open(path)?;
    let seal = sum(&mut file)?;
    file.write_all(seal.as_bytes())
}

/// Whether the seal of a file is that of its bytes.
pub(super) fn is_sound(path: &Path) -> io::Result<bool> {
    let mut file = std::fs::File::open(path)?;
    let Some(length) = file.metadata()?.len().checked_sub(BYTES) else { return Ok(false) };
    let expected = sum(&mut (&mut file).take(length))?;
    let mut found = Vec::new();
    file.read_to_end(&mut found)?;
    Ok(found == expected.as_bytes())
}

/// The seal of these bytes.
fn sum(bytes: &mut impl Read) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(bytes, &mut hash)?;
    Ok(format!("sha256 {}\n", hex(&hash.finalize())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_changes_unseen() {
        let path = std::env::temp_dir().join(format!("seal-{}", std::process::id()));
        std::fs::write(&path, "two words").unwrap();
        assert!(!is_sound(&path).unwrap(), "not sealed yet");
        seal(&path).unwrap();
        assert!(is_sound(&path).unwrap());
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(whole.len() as u64, "two words".len() as u64 + BYTES);
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            std::fs::write(&path, changed).unwrap();
            assert!(!is_sound(&path).unwrap(), "byte {place}");
            std::fs::write(&path, &whole[..place]).unwrap();
            assert!(!is_sound(&path).unwrap(), "cut to {place}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
