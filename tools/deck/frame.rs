//! Frames of the deck protocol: `u8 kind, u32 length of the JSON, u64 length of the raw numbers, JSON, raw`, all
//! little-endian (docs/decks.md).

use std::io::{self, Read, Write};

use serde_json::Value as Json;

/// Kinds of frames. The program calls a function of the deck with `CALLBACK`, functions of springs with `SPRINGS`, a field with `PLACES`;
/// `RETURNED`, `FORCES` or `RAISED` is the answer.
pub const CALL: u8 = 1;
pub const RESULT: u8 = 2;
pub const ERROR: u8 = 3;
pub const CALLBACK: u8 = 4;
pub const RETURNED: u8 = 5;
pub const RAISED: u8 = 6;
pub const START: u8 = 7;
pub const END: u8 = 8;
/// A call that is not answered unless it fails: then the answer of the next `CALL` tells.
pub const LATER: u8 = 9;
/// What the next objects will be called.
pub const NEXT: u8 = 10;
/// Springs of one moment: u64 number of the function, f64 stroke, f64 rate of each in the raw part.
pub const SPRINGS: u8 = 11;
/// Their forces as f64 in the raw part.
pub const FORCES: u8 = 12;
/// A function of places: its number `fn` and the time `t` in the header, f64 x, y, z of each place in the raw part. It is
/// answered as `SPRINGS`.
pub const PLACES: u8 = 13;

/// A JSON header longer than this is not ours.
const JSON_LIMIT: u32 = 1 << 30;
/// Parts up to this are read at once [bytes].
const SMALL: u64 = 1 << 16;

#[derive(Debug)]
pub struct Frame {
    pub kind: u8,
    pub json: Json,
    pub raw: Vec<u8>,
}

pub fn write(out: &mut impl Write, kind: u8, json: &Json, raw: &[u8]) -> io::Result<()> {
    hold(out, kind, json, raw)?;
    out.flush()
}

/// A frame that goes with the next one. Null is no text.
pub fn hold(out: &mut impl Write, kind: u8, json: &Json, raw: &[u8]) -> io::Result<()> {
    let text = if json.is_null() { Vec::new() } else { serde_json::to_vec(json)? };
    let length = u32::try_from(text.len()).map_err(|_| io::Error::other("frame header above 4 GiB"))?;
    out.write_all(&[kind])?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&(raw.len() as u64).to_le_bytes())?;
    out.write_all(&text)?;
    out.write_all(raw)
}

/// The next frame. `UnexpectedEof`: the other side has gone.
pub fn read(input: &mut impl Read) -> io::Result<Frame> {
    let mut head = [0; 13];
    input.read_exact(&mut head)?;
    let [kind, l0, l1, l2, l3, r @ ..] = head;
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    if length > JSON_LIMIT {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "frame header too long"));
    }
    let text = exactly(input, u64::from(length))?;
    let raw = exactly(input, u64::from_le_bytes(r))?;
    let json = if text.is_empty() { Json::Null } else { serde_json::from_slice(&text)? };
    Ok(Frame { kind, json, raw })
}

/// Reads as it comes, so that a false length cannot ask for more memory than there are bytes.
fn exactly(input: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    if length <= SMALL {
        let mut bytes = vec![0; length as usize];
        input.read_exact(&mut bytes)?;
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn frames_survive_a_round_trip() {
        let mut bytes = Vec::new();
        write(&mut bytes, RESULT, &json!([1, "é"]), &[1, 2, 3]).unwrap();
        let frame = read(&mut bytes.as_slice()).unwrap();
        assert_eq!((frame.kind, frame.raw.as_slice()), (RESULT, &[1u8, 2, 3][..]));
        assert_eq!(frame.json, json!([1, "é"]));
        let mut silent = Vec::new();
        write(&mut silent, FORCES, &Json::Null, &[7]).unwrap();
        let frame = read(&mut silent.as_slice()).unwrap();
        assert_eq!((silent.len(), frame.json, frame.raw), (14, Json::Null, vec![7]));
        let cut = &bytes[..bytes.len() - 1];
        let error = read(&mut &cut[..]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_false_length_is_an_error_and_not_an_allocation() {
        let mut bytes = vec![CALL];
        bytes.extend(2u32.to_le_bytes());
        bytes.extend(u64::MAX.to_le_bytes());
        bytes.extend(b"[]");
        assert!(read(&mut bytes.as_slice()).is_err());
    }
}
