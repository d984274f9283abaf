//! Curves of a CSV file drawn into a plot beside those of the results: an exact solution, a measurement.

use std::path::Path;

use solfec::load::Series;

use super::table::{Column, Table};
use crate::cli::CliError;

/// `table` with the columns of the file at `path` that have names of its own, each after its namesake and called
/// `name (file)`. The file has a header, times in its first column, and is interpolated between them.
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
    for column in &table.columns {
        out.columns.push(column.clone());
        if let Some(k) = names[1..].iter().position(|name| *name == column.name) {
            let series = Series::new("", times.to_vec(), values[k].clone())?;
            let values = table.time().iter().map(|&t| series.at(t)).collect();
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
    Ok(out)
}
