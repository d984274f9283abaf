//! Time series as text: one pair of time and value in a line, blanks or commas between them (docs/theory.md 12).

use super::series::{check, Series};
use crate::{Error, Result};

impl Series {
    /// The series of a text. Blank lines and lines whose first visible character is `#` are skipped.
    ///
    /// # Errors
    /// Each names its line, from 1: not two numbers, not finite, time that does not increase; and a text without
    /// points.
    pub fn parse(text: &str) -> Result<Series> {
        let (mut times, mut values, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (time, value) = pair(line).ok_or_else(|| wrong(number, line))?;
            times.push(time);
            values.push(value);
            lines.push(number);
        }
        check(&times, &values, |k| format!("line {}", lines[k]))?;
        Series::new("", times, values)
    }
}

/// The two numbers of a line; one comma may stand between them.
fn pair(line: &str) -> Option<(f64, f64)> {
    let split = line.find(|c: char| c == ',' || c.is_whitespace())?;
    let (first, rest) = line.split_at(split);
    let rest = rest.trim_start();
    let second = rest.strip_prefix(',').unwrap_or(rest).trim();
    Some((first.parse().ok()?, second.parse().ok()?))
}

fn wrong(number: usize, line: &str) -> Error {
    let shown: String = line.chars().take(40).collect();
    Error::input(format!("TIME_SERIES: line {number} is '{shown}'; give two numbers, the time and the value"))
}
