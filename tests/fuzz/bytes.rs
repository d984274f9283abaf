//! Changes of bytes, whatever they mean.

use std::path::Path;

use super::random::Random;

/// Bytes in which the head of an HDF5 file and its first tables lie.
const HEAD: usize = 4096;

/// Changes the bytes of a file; what was done.
pub fn change(path: &Path, random: &mut Random) -> String {
    let mut bytes = std::fs::read(path).expect("the file is there");
    let told = change_bytes(&mut bytes, random);
    std::fs::write(path, bytes).expect("the file is written");
    told
}

fn change_bytes(bytes: &mut Vec<u8>, random: &mut Random) -> String {
    let size = bytes.len();
    match random.below(6) {
        0 => {
            let count = 1 + random.below(8);
            for _ in 0..count {
                flip(bytes, size, random);
            }
            format!("{count} bits flipped")
        }
        1 => {
            bytes.truncate(random.below(size));
            format!("cut to {} bytes", bytes.len())
        }
        2 => {
            let (start, end) = block(size, 512, random);
            bytes[start..end].fill(0);
            format!("zeros from {start} to {end}")
        }
        3 => {
            let (start, end) = block(size, 64, random);
            bytes[start..end].iter_mut().for_each(|b| *b = random.bits() as u8);
            format!("chance from {start} to {end}")
        }
        4 => {
            let count = 1 + random.below(4);
            for _ in 0..count {
                flip(bytes, size.min(HEAD), random);
            }
            format!("{count} bits of the head flipped")
        }
        _ => {
            let (start, end) = block(size, 256, random);
            let (from, _) = block(size - (end - start), 1, random);
            bytes.copy_within(from..from + (end - start), start);
            format!("bytes {start} to {end} as from {from}")
        }
    }
}

fn flip(bytes: &mut [u8], within: usize, random: &mut Random) {
    if let Some(byte) = bytes.get_mut(random.below(within)) {
        *byte ^= 1 << random.below(8);
    }
}

/// A range of at most `longest` bytes.
fn block(size: usize, longest: usize, random: &mut Random) -> (usize, usize) {
    let start = random.below(size);
    (start, (start + 1 + random.below(longest)).min(size))
}
