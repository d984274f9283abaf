//! Rows of numbers in the text files of meshers.

use solfec::math::Vec3;

use crate::cli::CliError;

/// The numbers of a text, in order, without comments that begin with `#`.
pub struct Numbers<'a> {
    words: Box<dyn Iterator<Item = &'a str> + 'a>,
    name: &'a str,
}

impl<'a> Numbers<'a> {
    /// `name` is that of the file, for messages.
    pub fn new(text: &'a str, name: &'a str) -> Numbers<'a> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        Numbers { words: Box::new(lines.flat_map(str::split_whitespace)), name }
    }

    pub fn next<T: std::str::FromStr>(&mut self) -> Result<T, CliError> {
        let word = self.words.next();
        word.and_then(|word| word.parse().ok()).ok_or_else(|| {
            let found = word.map_or("its end".into(), |word| format!("'{word}'"));
            CliError::bad_input(format!(
                "mesh generation has failed: {} of the mesher has {found} for a number",
                self.name
            ))
        })
    }

    pub fn point(&mut self) -> Result<Vec3, CliError> {
        Ok(Vec3::new(self.next()?, self.next()?, self.next()?))
    }

    pub fn some<T: std::str::FromStr + Copy + Default, const N: usize>(&mut self) -> Result<[T; N], CliError> {
        let mut all = [T::default(); N];
        for one in &mut all {
            *one = self.next()?;
        }
        Ok(all)
    }
}
