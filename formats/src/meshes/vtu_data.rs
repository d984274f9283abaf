//! The numbers of a VTK XML file: data arrays inline as text or base64, or appended raw or as base64, compressed by zlib
//! or not ("VTK File Formats", and vtkXMLDataParser for what the text leaves open).

use std::io::Read as _;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use flate2::read::ZlibDecoder;

use super::text::{
    raw_f32, raw_f64, raw_i16, raw_i32, raw_i64, raw_i8, raw_u16, raw_u32, raw_u64, shown, words, Endian,
};
use crate::error::{Error, Result};

/// zlib makes nothing more than about a thousand times smaller: what claims more is damaged.
const MOST_INFLATED: usize = 1100;

/// What the head of a file says about all of its arrays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub endian: Endian,
    /// Bytes of a number of the headers of blocks.
    pub header: usize,
    pub zlib: bool,
}

/// Numbers of an array.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Numbers {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
}

/// Bytes, raw or as base64.
enum Bytes<'a> {
    Raw(&'a [u8]),
    Base64(&'a [u8]),
}

impl Bytes<'_> {
    /// `count` bytes from byte `from` of one stream of base64, or of the raw bytes.
    fn get(&self, from: usize, count: usize) -> Result<Vec<u8>, String> {
        let end = from.checked_add(count).ok_or("a size is too large")?;
        match self {
            Bytes::Raw(bytes) => match bytes.get(from..end) {
                Some(found) => Ok(found.to_vec()),
                None => Err(format!("{} bytes are there, but {end} are wanted; the file is cut off", bytes.len())),
            },
            Bytes::Base64(text) => {
                let (first, last) = (from / 3, end.div_ceil(3));
                let Some(chars) = last.checked_mul(4).and_then(|last| text.get(4 * first..last)) else {
                    return Err(format!("{} letters of base64 are there, but {last} times 4 are wanted", text.len()));
                };
                let bytes = STANDARD.decode(chars).map_err(|e| format!("is not base64: {e}"))?;
                let found = bytes.get(from - 3 * first..end - 3 * first);
                found.map(<[u8]>::to_vec).ok_or_else(|| "base64 ends too early".into())
            }
        }
    }

    /// What is behind the first `count` bytes when these are encoded by themselves.
    fn behind(&self, count: usize) -> Result<Bytes<'_>, String> {
        let (rest, at) = match self {
            Bytes::Raw(bytes) => (*bytes, count),
            Bytes::Base64(text) => (*text, count.div_ceil(3).saturating_mul(4)),
        };
        let rest = rest.get(at..).ok_or("the header is cut off")?;
        Ok(match self {
            Bytes::Raw(_) => Bytes::Raw(rest),
            Bytes::Base64(_) => Bytes::Base64(rest),
        })
    }
}

impl Manner {
    fn sizes(&self, bytes: &[u8]) -> Vec<u64> {
        match self.header {
            8 => raw_u64(bytes, self.endian),
            _ => raw_u32(bytes, self.endian).into_iter().map(u64::from).collect(),
        }
    }

    /// The content of an array behind its header.
    fn content(&self, bytes: &Bytes) -> Result<Vec<u8>, String> {
        let size = |n: u64| usize::try_from(n).map_err(|_| format!("a block of {n} bytes is too large"));
        if !self.zlib {
            let count = size(self.sizes(&bytes.get(0, self.header)?)[0])?;
            return bytes.get(self.header, count);
        }
        let head = self.sizes(&bytes.get(0, 3 * self.header)?);
        let (blocks, each, last) = (size(head[0])?, size(head[1])?, size(head[2])?);
        let header = blocks.checked_add(3).and_then(|n| n.checked_mul(self.header)).ok_or("too many blocks")?;
        let sizes = self.sizes(&bytes.get(0, header)?.split_off(3 * self.header));
        let data = bytes.behind(header)?;
        let (mut content, mut at) = (Vec::new(), 0);
        for (k, packed) in sizes.into_iter().enumerate() {
            let packed = data.get(at, size(packed)?)?;
            at += packed.len();
            let full = if k + 1 == blocks && last > 0 { last } else { each };
            if full > packed.len().saturating_mul(MOST_INFLATED) {
                return Err(format!("block {k} claims {full} bytes in {}", packed.len()));
            }
            let before = content.len();
            let mut inflated = ZlibDecoder::new(&packed[..]).take(full as u64 + 1);
            inflated.read_to_end(&mut content).map_err(|e| format!("block {k} cannot be inflated: {e}"))?;
            if content.len() - before != full {
                return Err(format!("block {k} has {} bytes, but {full} are said", content.len() - before));
            }
        }
        Ok(content)
    }

    /// Raw bytes at an offset of the appended data.
    pub fn appended(&self, kind: &str, bytes: &[u8], base64: bool) -> Result<Numbers, String> {
        let bytes = if base64 { Bytes::Base64(bytes) } else { Bytes::Raw(bytes) };
        numbers(kind, &self.content(&bytes)?, self.endian)
    }

    /// Base64 inline.
    pub fn inline(&self, kind: &str, text: &[u8]) -> Result<Numbers, String> {
        let letters: Vec<u8> = text.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
        if letters.is_empty() {
            return numbers(kind, &[], self.endian);
        }
        numbers(kind, &self.content(&Bytes::Base64(&letters))?, self.endian)
    }
}

/// Numbers of a type from their bytes.
fn numbers(kind: &str, bytes: &[u8], endian: Endian) -> Result<Numbers, String> {
    macro_rules! wide {
        ($raw:ident) => {
            Numbers::Integers($raw(bytes, endian).into_iter().map(i64::from).collect())
        };
    }
    Ok(match kind {
        "Int8" => wide!(raw_i8),
        "UInt8" => Numbers::Integers(bytes.iter().map(|&b| b.into()).collect()),
        "Int16" => wide!(raw_i16),
        "UInt16" => wide!(raw_u16),
        "Int32" => wide!(raw_i32),
        "UInt32" => wide!(raw_u32),
        "Int64" => wide!(raw_i64),
        "UInt64" => {
            let all = raw_u64(bytes, endian).into_iter().map(i64::try_from).collect::<Result<_, _>>();
            Numbers::Integers(all.map_err(|_| "an integer is too large")?)
        }
        "Float32" => Numbers::Reals(raw_f32(bytes, endian).into_iter().map(f64::from).collect()),
        "Float64" => Numbers::Reals(raw_f64(bytes, endian)),
        // Strings are bytes that end with zero.
        "String" => Numbers::Integers(bytes.iter().map(|&b| b.into()).collect()),
        other => return Err(format!("unknown type {other}; Int8 to UInt64, Float32 and Float64 are known")),
    })
}

/// Numbers as words.
pub(super) fn ascii(kind: &str, text: &[u8]) -> Result<Numbers, String> {
    fn all<T: std::str::FromStr>(text: &[u8], what: &str) -> Result<Vec<T>, String> {
        let number = |word: &[u8]| std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        words(text).map(|w| number(w).ok_or_else(|| format!("{} stands where {what} is expected", shown(w)))).collect()
    }
    match kind {
        "Float32" | "Float64" => Ok(Numbers::Reals(all(text, "a number")?)),
        _ => Ok(Numbers::Integers(all(text, "an integer")?)),
    }
}

impl Numbers {
    pub fn len(&self) -> usize {
        match self {
            Numbers::Integers(all) => all.len(),
            Numbers::Reals(all) => all.len(),
        }
    }

    pub fn reals(self) -> Vec<f64> {
        match self {
            Numbers::Integers(all) => all.into_iter().map(|x| x as f64).collect(),
            Numbers::Reals(all) => all,
        }
    }

    /// # Errors
    /// A number is no integer; `place` names the array.
    pub fn integers(self, place: &str) -> Result<Vec<i64>> {
        match self {
            Numbers::Integers(all) => Ok(all),
            Numbers::Reals(all) => match all.iter().find(|x| x.fract() != 0.0 || x.abs() > 2f64.powi(53)) {
                Some(x) => Err(Error::format(place, format!("{x} stands where an integer is expected"))),
                None => Ok(all.into_iter().map(|x| x as i64).collect()),
            },
        }
    }
}
