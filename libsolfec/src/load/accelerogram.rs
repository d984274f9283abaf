//! Records of strong ground motion as time series of acceleration: the .AT2 files of the PEER Strong Motion Database
//! (Pacific Earthquake Engineering Research Center), and text of two columns.

use super::Series;
use crate::{Error, Result};

/// Standard gravity [m/s²], the unit of .AT2 files.
const G: f64 = 9.806_65;
/// Lines of an .AT2 file before the numbers.
const HEADER: usize = 4;

impl Series {
    /// The accelerations of a record, multiplied by `scale`. A text whose fourth line names `NPTS` and `DT` is an .AT2
    /// file: so many values in units of g, one every DT from time 0; they become m/s². Any other text has a time [s] and an
    /// acceleration in each line, in units of its own; lines before the first pair are a heading.
    ///
    /// # Errors
    /// Each names its line, from 1: no numbers where they should be, another number of values than NPTS, times that do
    /// not increase.
    pub fn accelerogram(text: &str, scale: f64) -> Result<Series> {
        if !scale.is_finite() {
            return Err(Error::input(format!("scale is {scale}: give a finite number")));
        }
        let head = text.lines().nth(HEADER - 1).unwrap_or_default();
        if head.to_uppercase().contains("NPTS") {
            return peer(text, head, scale);
        }
        let is_pair = |line: &str| {
            let mut words = line.split([',', ' ', '\t']).filter(|word| !word.is_empty());
            let number = |word: Option<&str>| word.is_some_and(|word| word.parse::<f64>().is_ok());
            number(words.next()) && number(words.next())
        };
        // Lines keep their numbers.
        let mut heading = true;
        let body = text.lines().map(|line| {
            heading = heading && !is_pair(line.trim());
            if heading {
                ""
            } else {
                line
            }
        });
        let body = body.collect::<Vec<&str>>().join("\n");
        let plain = |error: Error| Error::input(error.to_string().replacen("TIME_SERIES: ", "", 1));
        let read = Series::parse(&body).map_err(plain)?;
        if read.times().len() < 2 {
            return Err(Error::input("there is one pair of time and acceleration; give at least two"));
        }
        let values = read.values().iter().map(|a| a * scale).collect();
        Series::new("", read.times().to_vec(), values).map_err(plain)
    }
}

fn peer(text: &str, head: &str, scale: f64) -> Result<Series> {
    let (count, step) = count_and_step(head).ok_or_else(|| {
        Error::input(format!("line {HEADER} is '{}': give a line as 'NPTS= 4000, DT= .0050 SEC'", head.trim()))
    })?;
    let mut values = Vec::new();
    for (number, line) in (1..).zip(text.lines()).skip(HEADER) {
        for word in line.split_whitespace() {
            let value: f64 = word.parse().ok().filter(|a: &f64| a.is_finite()).ok_or_else(|| {
                Error::input(format!("line {number} has '{word}': give finite accelerations in units of g"))
            })?;
            values.push(value * G * scale);
        }
    }
    if values.len() != count {
        return Err(Error::input(format!(
            "the file has {} values, but NPTS is {count}: it is not whole",
            values.len()
        )));
    }
    let times = (0..count).map(|k| k as f64 * step).collect();
    Series::new("", times, values)
}

/// `NPTS= 4000, DT= .0050 SEC`, or, in older files, `4000 0.0050 NPTS, DT`.
fn count_and_step(head: &str) -> Option<(usize, f64)> {
    let numbers: Vec<f64> =
        head.split(|c: char| c.is_whitespace() || "=,".contains(c)).filter_map(|word| word.parse().ok()).collect();
    let [count, step] = numbers[..] else { return None };
    (count >= 2.0 && count.fract() == 0.0 && step > 0.0 && step.is_finite()).then_some((count as usize, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TITLE: &str =
        "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere, 1/1/2000\nACCELERATION TIME SERIES IN UNITS OF G\n";

    #[test]
    fn peer_records_become_metres_per_square_second() {
        for head in ["NPTS=   5, DT=   .0050 SEC,", "  5    0.0050    NPTS, DT"] {
            let text = format!("{TITLE}{head}\n  .1000000E-00  -.2 .3\n 0 1e-1\n");
            let series = Series::accelerogram(&text, 2.0).unwrap();
            assert_eq!(series.times(), [0.0, 0.005, 0.01, 0.015, 0.02]);
            let exact = [0.1, -0.2, 0.3, 0.0, 0.1].map(|a| a * G * 2.0);
            assert_eq!(series.values(), exact);
        }
    }

    #[test]
    fn two_columns_are_read_after_a_heading() {
        let series = Series::accelerogram("El Centro\ntime acc\n0.0, 1\n# note\n0.02, -3\n", 0.5).unwrap();
        assert_eq!((series.times(), series.values()), (&[0.0, 0.02][..], &[0.5, -1.5][..]));
    }

    #[test]
    fn broken_records_name_the_line() {
        for (text, word) in [
            (format!("{TITLE}NPTS= 3, DT= .01 SEC\n 1 2\n"), "has 2 values, but NPTS is 3"),
            (format!("{TITLE}NPTS= 3, DT= x\n 1 2 3\n"), "line 4 is 'NPTS= 3, DT= x'"),
            (format!("{TITLE}NPTS= 2, DT= .01\n 1 nan\n"), "line 5 has 'nan'"),
            ("a\n0 1\n1 2 3\n".into(), "line 3 is '1 2 3'"),
            ("0 1\n0 2\n".into(), "line 2"),
            ("nothing".into(), "points"),
            ("0 1\n".into(), "give at least two"),
        ] {
            let error = Series::accelerogram(&text, 1.0).unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
