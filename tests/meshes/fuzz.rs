//! Random changes of good files: every reader gives a mesh or an error, and never panics or hangs.

use std::time::Instant;
use tools_testing::size::large;

use solfec_formats::meshes::{read_bytes, write, Encoding, Format, MeshFile, Style};

use crate::sample::{file, part, surface};

/// Numbers of a fixed sequence (Marsaglia 2003, xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// What is put in place of a word.
const WORDS: [&[u8]; 12] = [
    b"-1",
    b"0",
    b"1",
    b"3",
    b"99",
    b"4294967296",
    b"-9223372036854775808",
    b"1e400",
    b"nan",
    b"x",
    b"",
    b"18446744073709551615",
];

/// One to four changes of bytes, words or lines.
fn changed(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(out.len());
        match random.below(6) {
            0 => out[at] = random.below(256) as u8,
            1 => out[at] ^= 1 << random.below(8),
            2 => out.truncate(at.max(1)),
            3 => drop(out.drain(at..(at + 1 + random.below(20)).min(out.len()))),
            4 => {
                let piece = out[at..(at + 1 + random.below(60)).min(out.len())].to_vec();
                let to = random.below(out.len());
                out.splice(to..to, piece);
            }
            _ => {
                let begin = out[..at].iter().rposition(|b| !b.is_ascii_graphic()).map_or(0, |i| i + 1);
                let end = out[at..].iter().position(|b| !b.is_ascii_graphic()).map_or(out.len(), |i| at + i);
                if end.saturating_sub(begin) < 30 {
                    out.splice(begin..end.max(begin), WORDS[random.below(WORDS.len())].iter().copied());
                }
            }
        }
        if out.is_empty() {
            out.push(b' ');
        }
    }
    out
}

/// Our own format is left to the HDF5 library, which is not ours to try.
#[test]
fn changed_bytes_never_panic() {
    let rounds = if large() { 20_000 } else { 300 };
    let encodings = [Encoding::Ascii, Encoding::Base64, Encoding::Binary];
    for name in Format::names().into_iter().filter(|name| !["h5", "ele"].contains(name)) {
        let format = Format::named(name).unwrap();
        for (k, encoding) in encodings.into_iter().enumerate() {
            for zlib in [false, true] {
                let style = Style { encoding, zlib };
                let sample = match ["stl", "obj", "ply", "poly", "smesh"].contains(&name) {
                    true => MeshFile::one(surface()),
                    false => file(part()),
                };
                let good = write(&sample, format, style).unwrap().bytes;
                let mut random = Random(1 + k as u64 + 7 * good.len() as u64);
                let clock = Instant::now();
                let mut accepted = 0;
                for _ in 0..rounds / 3 {
                    let bytes = changed(&good, &mut random);
                    if let Ok((found, _)) = read_bytes(&bytes, "fuzz", Some(format)) {
                        accepted += 1;
                        // What is accepted can be looked at and written without a panic.
                        found.parts.iter().for_each(|part| drop(solfec::meshdata::faults(&part.mesh)));
                        let _ = write(&found, Format::Vtu, Style::default());
                    }
                }
                let seconds = clock.elapsed().as_secs_f64();
                assert!(seconds < 0.1 * rounds as f64, "{name}: {seconds} s");
                assert!(accepted < rounds / 3, "{name}: every change is accepted");
            }
        }
    }
}

/// TetGen's files come in threes.
#[test]
fn changed_tetgen_files_never_panic() {
    let folder = tools_testing::scratch::Scratch::new();
    let written = write(&MeshFile::one(crate::sample::tetrahedra()), Format::Tetgen, Style::default()).unwrap();
    let mut random = Random(99);
    for _ in 0..300 {
        let which = random.below(3);
        for (k, (ending, bytes)) in
            [("ele", &written.bytes)].into_iter().chain(written.beside.iter().map(|(e, b)| (*e, b))).enumerate()
        {
            let bytes = if k == which { changed(bytes, &mut random) } else { bytes.clone() };
            std::fs::write(folder.path(&format!("a.{ending}")), bytes).unwrap();
        }
        let _ = solfec_formats::meshes::read(&folder.path("a.ele"), None);
    }
}
