//! Checkpoints whose changed content has the seal that belongs to it, so that readers see the content.

use std::path::Path;

use sha2::{Digest, Sha256};

/// Bytes of a seal (docs/formats/checkpoint.md).
const SEAL: usize = 72;

/// Seals a file again.
pub fn seal(path: &Path) {
    let mut bytes = std::fs::read(path).expect("the file is there");
    if bytes.len() > SEAL && bytes[bytes.len() - SEAL..].starts_with(b"sha256 ") {
        bytes.truncate(bytes.len() - SEAL);
    }
    let digits: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    bytes.extend_from_slice(format!("sha256 {digits}\n").as_bytes());
    std::fs::write(path, bytes).expect("the file is written");
}
