//! A cursor over the bytes of a mesh file: lines, words and raw numbers, with errors that name the line or the byte.

use solfec::math::Vec3;

use crate::error::{Error, Result};

/// The most bytes of a word that an error shows.
const SHOWN: usize = 40;

/// A file under way, and what it is called in messages.
#[derive(Debug, Clone)]
pub(super) struct Text<'a> {
    pub name: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Number of the line that was read last, from 1.
    line: usize,
    /// Whether the cursor is where a line begins that does not count yet.
    fresh: bool,
}

/// Order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

impl<'a> Text<'a> {
    pub fn new(bytes: &'a [u8], name: &'a str) -> Text<'a> {
        Text { name, bytes, at: 0, line: 0, fresh: true }
    }

    /// An error at the line that was read last.
    pub fn fail(&self, text: impl AsRef<str>) -> Error {
        Error::format(&format!("{}:{}", self.name, self.line.max(1)), text)
    }

    /// An error at the byte where the cursor is.
    pub fn fail_at(&self, text: impl AsRef<str>) -> Error {
        Error::format(&format!("{}: byte {}", self.name, self.at), text)
    }

    /// Bytes that have not been read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next line without its end.
    pub fn line(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at += (end + 1).min(rest.len());
        self.line += usize::from(self.fresh);
        self.fresh = true;
        Some(rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]))
    }

    /// The next line that has more than blanks and a comment behind `#`.
    pub fn content(&mut self) -> Option<&'a [u8]> {
        loop {
            let line = self.line()?;
            let line = line.split(|&b| b == b'#').next().unwrap_or_default().trim_ascii();
            if !line.is_empty() {
                return Some(line);
            }
        }
    }

    /// The next line, blank or not.
    pub fn wanted_line(&mut self, what: &str) -> Result<&'a [u8]> {
        self.line().ok_or_else(|| self.ends(what))
    }

    /// The next line of content.
    pub fn wanted(&mut self, what: &str) -> Result<&'a [u8]> {
        self.content().ok_or_else(|| self.ends(what))
    }

    fn ends(&self, what: &str) -> Error {
        self.fail(format!("the file ends here, but {what} should follow; it is cut off, or a count is wrong"))
    }

    /// The next word, over ends of lines.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        self.line += usize::from(std::mem::take(&mut self.fresh));
        while let Some(b) = self.bytes.get(self.at).filter(|b| b.is_ascii_whitespace()) {
            self.line += usize::from(*b == b'\n');
            self.at += 1;
        }
        let rest = self.rest();
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }

    pub fn wanted_word(&mut self, what: &str) -> Result<&'a [u8]> {
        self.word().ok_or_else(|| self.ends(what))
    }

    /// Goes behind the end of the line, or stays there.
    pub fn end_line(&mut self) {
        let rest = self.rest();
        let end = rest.iter().position(|&b| b == b'\n').map_or(rest.len(), |end| end + 1);
        self.fresh |= end > 0;
        self.at += end;
    }

    /// So many raw bytes.
    pub fn raw(&mut self, count: usize, what: &str) -> Result<&'a [u8]> {
        let rest = self.rest();
        let Some(found) = rest.get(..count) else {
            let text = format!("{} bytes follow, but {what} needs {count}; the file is cut off", rest.len());
            return Err(self.fail_at(text));
        };
        self.at += count;
        Ok(found)
    }

    /// Goes behind the next occurrence of `mark`.
    pub fn skip_behind(&mut self, mark: &str) -> Result<()> {
        let rest = self.rest();
        match rest.windows(mark.len()).position(|window| window == mark.as_bytes()) {
            Some(found) => {
                self.line += rest[..found].iter().filter(|&&b| b == b'\n').count() + usize::from(self.fresh);
                self.fresh = false;
                self.at += found + mark.len();
                Ok(())
            }
            None => Err(self.ends(mark)),
        }
    }

    /// `count` as a size in memory, if so many entries of at least `least` bytes can follow.
    pub fn room(&self, count: u64, least: usize, what: &str) -> Result<usize> {
        let rest = self.rest().len();
        match usize::try_from(count).ok().filter(|count| count.checked_mul(least).is_some_and(|need| need <= rest + 1))
        {
            Some(count) => Ok(count),
            None => {
                Err(self.fail(format!("says that {count} {what} follow, but only {rest} bytes do; correct the count")))
            }
        }
    }

    /// A count of entries that follow, each of at least `least` bytes.
    pub fn count(&self, word: &[u8], least: usize, what: &str) -> Result<usize> {
        let number = self.integer(word, &format!("the number of {what}"))?;
        let number = u64::try_from(number).map_err(|_| self.fail(format!("the number of {what} is {number}")))?;
        self.room(number, least, what)
    }

    pub fn integer(&self, word: &[u8], what: &str) -> Result<i64> {
        let number = std::str::from_utf8(word).ok().and_then(|word| word.trim().parse().ok());
        number.ok_or_else(|| self.fail(format!("{} stands for {what}; an integer is expected", shown(word))))
    }

    /// A number that fits 32 bits, as ids do.
    pub fn id(&self, word: &[u8], what: &str) -> Result<i32> {
        let wide = self.integer(word, what)?;
        i32::try_from(wide).map_err(|_| self.fail(format!("{what} is {wide}; ids fit in 32 bits")))
    }

    /// A finite number; Fortran's `1.0D+3` is one too.
    pub fn real(&self, word: &[u8], what: &str) -> Result<f64> {
        let text = std::str::from_utf8(word).unwrap_or_default().trim();
        let number = text.parse::<f64>().or_else(|e| match text.contains(['d', 'D']) {
            true => text.replace(['d', 'D'], "e").parse(),
            false => Err(e),
        });
        match number {
            Ok(number) if number.is_finite() => Ok(number),
            Ok(_) | Err(_) => Err(self.fail(format!("{} stands for {what}; a finite number is expected", shown(word)))),
        }
    }

    /// Three coordinates from words.
    pub fn point(&self, words: &mut dyn Iterator<Item = &'a [u8]>) -> Result<Vec3> {
        let mut x = Vec3::zeros();
        for (x, axis) in x.iter_mut().zip(["x", "y", "z"]) {
            let word = words.next().ok_or_else(|| self.fail(format!("the coordinate {axis} is missing")))?;
            *x = self.real(word, axis)?;
        }
        Ok(x)
    }
}

/// Words of a line between blanks.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Bytes of a file as an error shows them.
pub(super) fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(SHOWN)]);
    let dots = if word.len() > SHOWN { "..." } else { "" };
    format!("'{}{dots}'", text.trim().escape_debug())
}

macro_rules! raw_numbers {
    ($($name:ident: $type:ty;)*) => {$(
        pub(super) fn $name(bytes: &[u8], endian: Endian) -> Vec<$type> {
            let number = |b: &[u8]| {
                let mut all = [0; size_of::<$type>()];
                all.copy_from_slice(b);
                match endian {
                    Endian::Little => <$type>::from_le_bytes(all),
                    Endian::Big => <$type>::from_be_bytes(all),
                }
            };
            bytes.chunks_exact(size_of::<$type>()).map(number).collect()
        }
    )*};
}

raw_numbers! {
    raw_i8: i8;
    raw_u16: u16;
    raw_i16: i16;
    raw_u32: u32;
    raw_i32: i32;
    raw_u64: u64;
    raw_i64: i64;
    raw_f32: f32;
    raw_f64: f64;
}
