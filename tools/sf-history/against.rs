//! Curves of a CSV file drawn into a plot beside those of the results: an exact solution, a measurement.

use std::path::Path;

use solfec::load::Series;

use super::table::{Column, Table};
use crate::cli::{cell, CliError};

/// `table` with the columns of the file at `path` that have names of its own, each after its namesake and called
/// `name (file)`. The file has a header, times in its first column, and is interpolated between them; before its first
/// and after its last time there is nothing to draw. The differences, ours minus theirs, come last.
pub fn beside(table: &Table, path: &Path) -> Result<Table, CliError> {
    let wrong = |what: String| CliError::bad_input(format!("{}: {what}", path.display()));
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_path(path).map_err(|e| match e.kind() {
        csv::ErrorKind::Io(io) => CliError::file(path, "read", io),
        _ => wrong(e.to_string()),
    })?;
    let names: Vec<String> = reader.headers().map_err(|e| wrong(e.to_string()))?.iter().map(String::from).collect();
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|e| wrong(e.to_string()))?;
        for (k, text) in record.iter().enumerate() {
            let value = text.trim().parse().map_err(|_| wrong(format!("row {row}: '{text}' is not a number")))?;
            columns[k].push(value);
        }
    }
    let Some((times, values)) = columns.split_first().filter(|(times, _)| times.len() > 1) else {
        return Err(wrong("holds no curve; give a header and at least two rows, times first".into()));
    };
    let file = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut out = Table::default();
    let mut differences = Vec::new();
    for column in &table.columns {
        out.columns.push(column.clone());
        if let Some(k) = names[1..].iter().position(|name| *name == cell(&column.name)) {
            let series = Series::new("", times.to_vec(), values[k].clone())?;
            let (first, last) = (times[0], times[times.len() - 1]);
            let within = |&t: &f64| if (first..=last).contains(&t) { series.at(t) } else { f64::NAN };
            let values: Vec<f64> = table.time().iter().map(within).collect();
            let difference = column.values.iter().zip(&values).map(|(ours, theirs)| ours - theirs).collect();
            differences.push(Column { values: difference, axis: "difference", ..column.clone() });
            out.columns.push(Column {
                name: format!("{} ({file})", column.name),
                values,
                beside: true,
                ..column.clone()
            });
        }
    }
    if out.columns.len() == table.columns.len() {
        let wanted: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
        return Err(wrong(format!("no column has the name of an item of the plot ({})", wanted.join(", "))));
    }
    out.columns.append(&mut differences);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, values: &[f64]) -> Column {
        Column {
            name: name.into(),
            unit: "m".into(),
            axis: "coordinate",
            values: values.into(),
            beside: false,
            counts: false,
        }
    }

    fn beside_text(text: &str) -> Result<Table, CliError> {
        let path = std::env::temp_dir().join(format!("sf-against-{}.csv", std::process::id()));
        std::fs::write(&path, text).expect("a temporary file");
        let table = Table { columns: vec![column("time", &[0.0, 1.0, 2.0]), column("x", &[5.0, 6.0, 7.0])] };
        beside(&table, &path)
    }

    /// Interpolated at the times of the table; nothing outside; wrong files are errors. One test, because it writes one
    /// file.
    #[test]
    fn curves_of_a_file() {
        let table = beside_text("time,y,x\n0,9,1\n1.5,9,4\n").expect("curves");
        let drawn = &table.columns[2];
        assert!(drawn.name.starts_with("x (sf-against") && drawn.beside && drawn.unit == "m");
        assert!(drawn.values[..2] == [1.0, 3.0] && drawn.values[2].is_nan(), "{:?}", drawn.values);
        assert_eq!(drawn.values.len(), 3);
        let difference = &table.columns[3];
        assert!(difference.axis == "difference" && difference.values[..2] == [4.0, 3.0], "{difference:?}");
        for (text, expected) in [
            ("time,y\n0,1\n1,2\n", "no column has the name"),
            ("time,x\n0,1\n", "holds no curve"),
            ("time,x\n0,one\n1,2\n", "'one' is not a number"),
            ("time,x\n1,1\n0,2\n", "times must increase"),
        ] {
            let message = beside_text(text).expect_err(expected).text;
            assert!(message.contains(expected), "{message}");
        }
    }
}
