//! Arrays as .npz of numpy: a zip archive, nothing compressed, with one .npy file for each array.

/// Bytes a zip archive without extensions can address.
const LIMIT: usize = u32::MAX as usize;
/// Names are UTF-8.
const UTF8_NAMES: u16 = 1 << 11;
const VERSION: u16 = 20;
/// 1 January 1980: the same table gives the same bytes.
const DATE: u16 = 0x21;

/// An archive of arrays with their names. `None`: it would be too long (4 GB).
pub fn npz(arrays: &[(&str, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, data) in arrays {
        let name = format!("{name}.npy");
        if out.len() + data.len() > LIMIT - (1 << 20) {
            return None;
        }
        let (start, size, crc) = (out.len() as u32, data.len() as u32, crc32(data));
        let mut shared = Vec::new();
        for field in [VERSION, UTF8_NAMES, 0, 0, DATE] {
            shared.extend(field.to_le_bytes());
        }
        for field in [crc, size, size] {
            shared.extend(field.to_le_bytes());
        }
        shared.extend((name.len() as u16).to_le_bytes());
        shared.extend(0u16.to_le_bytes()); // extra fields
        out.extend(b"PK\x03\x04");
        out.extend(&shared);
        out.extend(name.as_bytes());
        out.extend(data);
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&shared);
        directory.extend([0; 10]); // comment, disk, attributes
        directory.extend(start.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, size, count) = (out.len() as u32, directory.len() as u32, arrays.len() as u16);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(size.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(0u16.to_le_bytes());
    Some(out)
}

/// Numbers as an array in the .npy format.
pub fn npy(values: &[f64]) -> Vec<u8> {
    array("<f8", &format!("({},)", values.len()), values.iter().flat_map(|x| x.to_le_bytes()))
}

/// Whole numbers.
pub fn npy_integers(values: &[i64]) -> Vec<u8> {
    array("<i8", &format!("({},)", values.len()), values.iter().flat_map(|x| x.to_le_bytes()))
}

/// A text, without dimension.
pub fn npy_text(text: &str) -> Vec<u8> {
    array(&format!("|S{}", text.len()), "()", text.bytes())
}

/// The .npy format, version 1.0: the data begin at a multiple of 64.
fn array(kind: &str, shape: &str, data: impl Iterator<Item = u8>) -> Vec<u8> {
    const HEAD: usize = 10;
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let length = (HEAD + text.len() + 1).next_multiple_of(64) - HEAD;
    text.extend(std::iter::repeat_n(' ', length - 1 - text.len()));
    text.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((length as u16).to_le_bytes());
    out.extend(text.as_bytes());
    out.extend(data);
    out
}

/// CRC-32 of zip archives (polynomial 0xEDB88320, reflected).
fn crc32(bytes: &[u8]) -> u32 {
    let table: [u32; 256] =
        std::array::from_fn(|k| (0..8).fold(k as u32, |c, _| if c & 1 == 1 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 }));
    !bytes.iter().fold(!0, |c: u32, &b| table[((c ^ u32::from(b)) & 0xFF) as usize] ^ (c >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_value_of_the_crc() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn data_begin_at_a_multiple_of_64() {
        let bytes = npy(&[1.0, 2.0]);
        assert_eq!(bytes.len() % 64, 16);
        assert_eq!(bytes[bytes.len() - 8..], 2.0f64.to_le_bytes());
    }
}
