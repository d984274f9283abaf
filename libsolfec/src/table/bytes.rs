//! Tables as bytes, for messages: for each column the number of rows, then its numbers, least significant byte first.

use std::ops::Range;

use super::{Flat, FlatMut, Table};

/// Appends a table.
pub fn put_table(table: &dyn Table, out: &mut Vec<u8>) {
    put_rows(table, 0..usize::MAX, out);
}

/// Appends these rows of a table, as far as its columns have them, as a table.
pub fn put_rows(table: &dyn Table, rows: Range<usize>, out: &mut Vec<u8>) {
    for (column, values) in table.columns().iter().zip(table.values()) {
        let [start, end] = [rows.start, rows.end].map(|row| row.min(values.rows()));
        out.extend((end.saturating_sub(start) as u64).to_le_bytes());
        let part = start * column.width..end.max(start) * column.width;
        match values.flat() {
            Flat::U8(numbers) => out.extend(&numbers[part]),
            Flat::U32(numbers) => numbers[part].iter().for_each(|x| out.extend(x.to_le_bytes())),
            Flat::U64(numbers) => numbers[part].iter().for_each(|x| out.extend(x.to_le_bytes())),
            Flat::I16(numbers) => numbers[part].iter().for_each(|x| out.extend(x.to_le_bytes())),
            Flat::I32(numbers) => numbers[part].iter().for_each(|x| out.extend(x.to_le_bytes())),
            Flat::I64(numbers) => numbers[part].iter().for_each(|x| out.extend(x.to_le_bytes())),
            Flat::F64(numbers) => numbers[part].iter().for_each(|x| out.extend(x.to_le_bytes())),
            Flat::Text(texts) => {
                for text in &texts[part] {
                    out.extend((text.len() as u64).to_le_bytes());
                    out.extend(text.as_bytes());
                }
            }
        }
    }
}

/// Fills a table from the beginning of `bytes`, which are shortened by it; `None` if they are too short.
pub fn take_table(table: &mut dyn Table, bytes: &mut &[u8]) -> Option<()> {
    for values in table.values_mut() {
        let rows = length(bytes)?;
        // Each row has a byte at least, so that no garbled number of rows takes all memory.
        if rows > bytes.len() {
            return None;
        }
        match values.resize(rows) {
            FlatMut::U8(numbers) => fill(numbers, bytes, u8::from_le_bytes)?,
            FlatMut::U32(numbers) => fill(numbers, bytes, u32::from_le_bytes)?,
            FlatMut::U64(numbers) => fill(numbers, bytes, u64::from_le_bytes)?,
            FlatMut::I16(numbers) => fill(numbers, bytes, i16::from_le_bytes)?,
            FlatMut::I32(numbers) => fill(numbers, bytes, i32::from_le_bytes)?,
            FlatMut::I64(numbers) => fill(numbers, bytes, i64::from_le_bytes)?,
            FlatMut::F64(numbers) => fill(numbers, bytes, f64::from_le_bytes)?,
            FlatMut::Text(texts) => {
                for text in texts {
                    let size = length(bytes)?;
                    let (own, rest) = bytes.split_at_checked(size)?;
                    *text = String::from_utf8(own.to_vec()).ok()?;
                    *bytes = rest;
                }
            }
        }
    }
    Some(())
}

fn length(bytes: &mut &[u8]) -> Option<usize> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    *bytes = rest;
    usize::try_from(u64::from_le_bytes(*length)).ok()
}

fn fill<T, const N: usize>(numbers: &mut [T], bytes: &mut &[u8], decode: fn([u8; N]) -> T) -> Option<()> {
    for number in numbers {
        let (own, rest) = bytes.split_first_chunk::<N>()?;
        *number = decode(*own);
        *bytes = rest;
    }
    Some(())
}
