//! A history as a table, and its text forms: CSV, TSV, JSON.

use serde_json::{json, Map, Value};

use super::item::Item;
use crate::cli::{cell, json_number, number, rounded};

/// One column; `values` are as long as those of the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: String,
    pub unit: String,
    /// What an axis that shows it is called.
    pub axis: &'static str,
    pub values: Vec<f64>,
    /// A curve to compare the column before with; plots draw it dashed, in a darker shade.
    pub beside: bool,
    /// Whether the values are counts.
    pub counts: bool,
}

impl Column {
    /// One that plots do not draw.
    pub fn plain(name: &str, unit: &str, values: Vec<f64>) -> Self {
        Column { name: name.into(), unit: unit.into(), axis: "", values, beside: false, counts: false }
    }

    /// That of an item.
    pub fn of(item: &Item, values: Vec<f64>) -> Self {
        let (unit, axis) = (item.unit().to_string(), item.expr.axis_name());
        Column { name: item.title.clone(), unit, axis, values, beside: false, counts: item.expr.counts() }
    }
}

/// How a table is written as text.
#[derive(Debug, Clone)]
pub struct Look {
    /// A second row, of units.
    pub units: bool,
    /// Significant digits; as many as read back exactly without it.
    pub digits: Option<u32>,
    pub nan: String,
}

/// Columns of equal length, `time` among the first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    pub columns: Vec<Column>,
}

/// The number with so many significant digits.
fn to_digits(x: f64, digits: Option<u32>) -> f64 {
    digits.map_or(x, |digits| rounded(x, digits))
}

impl Table {
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    /// The column called `time`.
    pub fn time(&self) -> &[f64] {
        let column = self.columns.iter().find(|c| c.name == "time");
        column.map_or(&[], |c| &c.values)
    }

    /// Rows of `other`, whose columns are the same, come after ours.
    pub fn append(&mut self, other: Table) {
        if self.columns.is_empty() {
            *self = other;
            return;
        }
        for (mine, theirs) in self.columns.iter_mut().zip(other.columns) {
            mine.values.extend(theirs.values);
        }
    }

    /// For a plot of several domains: each column once for each of them, named by it, with NaN in the rows of the
    /// others.
    pub fn apart(&self, domains: &[String]) -> Table {
        let Some(domain) = self.columns.iter().find(|c| c.name == "domain") else { return self.clone() };
        // The axis tells what a lone column is.
        let lone = self.columns.iter().filter(|c| !c.axis.is_empty()).count() == 1;
        let of = |column: &Column, k: usize| Column {
            name: if lone { domains[k].clone() } else { format!("{}: {}", domains[k], column.name) },
            values: domain
                .values
                .iter()
                .zip(&column.values)
                .map(|(&d, &v)| if d == k as f64 { v } else { f64::NAN })
                .collect(),
            ..column.clone()
        };
        let mut columns: Vec<Column> = self.columns.iter().filter(|c| c.axis.is_empty()).cloned().collect();
        for k in 0..domains.len() {
            columns.extend(self.columns.iter().filter(|c| !c.axis.is_empty()).map(|c| of(c, k)));
        }
        Table { columns }
    }

    /// Header, optional row of units, then one line for each row.
    pub fn text(&self, delimiter: u8, look: &Look) -> Result<Vec<u8>, csv::Error> {
        let mut out = Vec::new();
        {
            let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(&mut out);
            writer.write_record(self.columns.iter().map(|c| cell(&c.name).into_owned()))?;
            if look.units {
                let first = |i: usize| if i == 0 { "# " } else { "" };
                let row = self.columns.iter().enumerate();
                writer.write_record(row.map(|(i, c)| format!("{}{}", first(i), c.unit)))?;
            }
            for row in 0..self.rows() {
                writer.write_record(self.columns.iter().map(|c| match c.values[row] {
                    x if x.is_nan() => look.nan.clone(),
                    x => number(to_digits(x, look.digits)),
                }))?;
            }
            writer.flush()?;
        }
        Ok(out)
    }

    /// The JSON document; `data` is a list of rows, left out with `stats_only`.
    pub fn json(&self, stats_only: bool, digits: Option<u32>) -> Value {
        let columns: Vec<Value> = self.columns.iter().map(|c| json!({"name": c.name, "unit": c.unit})).collect();
        let mut stats = Map::new();
        for column in self.columns.iter().filter(|c| !c.axis.is_empty()) {
            stats.insert(column.name.clone(), statistics(self.time(), &column.values, digits));
        }
        let mut document = json!({"schema": "sf-history/1", "columns": columns, "rows": self.rows(), "stats": stats});
        if !stats_only {
            let row = |r: usize| -> Value {
                self.columns.iter().map(|c| json_number(to_digits(c.values[r], digits))).collect()
            };
            document["data"] = (0..self.rows()).map(row).collect();
        }
        document
    }
}

/// Extremes with their times, and the last value; NaN values do not count as extremes.
fn statistics(time: &[f64], values: &[f64], digits: Option<u32>) -> Value {
    let shown = |x: f64| json_number(to_digits(x, digits));
    let extreme = |better: fn(f64, f64) -> bool| {
        let mut best: Option<usize> = None;
        for (i, &x) in values.iter().enumerate() {
            if !x.is_nan() && best.is_none_or(|b| better(x, values[b])) {
                best = Some(i);
            }
        }
        let at = |column: &[f64]| shown(best.and_then(|b| column.get(b).copied()).unwrap_or(f64::NAN));
        (at(values), at(time))
    };
    let (min, t_min) = extreme(|x, best| x < best);
    let (max, t_max) = extreme(|x, best| x > best);
    let last = shown(values.last().copied().unwrap_or(f64::NAN));
    json!({"min": min, "max": max, "t_min": t_min, "t_max": t_max, "last": last})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let column = |name: &str, unit: &str, axis, values: &[f64]| Column {
            name: name.into(),
            unit: unit.into(),
            axis,
            values: values.into(),
            beside: false,
            counts: false,
        };
        Table {
            columns: vec![
                column("time", "s", "", &[0.0, 0.1, 0.2]),
                column("a,b", "J", "energy", &[f64::NAN, -1.5e-9, 1e22]),
            ],
        }
    }

    #[test]
    fn csv_is_exact() {
        let text = |look: Look| String::from_utf8(table().text(b',', &look).unwrap()).unwrap();
        let exact = text(Look { units: true, digits: None, nan: "NaN".into() });
        assert_eq!(exact, "time,\"a,b\"\n# s,J\n0,NaN\n0.1,-1.5e-9\n0.2,1e22\n");
        let short = text(Look { units: false, digits: Some(1), nan: String::new() });
        assert_eq!(short, "time,\"a,b\"\n0,\n0.1,-1e-9\n0.2,1e22\n");
    }

    #[test]
    fn statistics_skip_nan() {
        let json = table().json(false, None);
        let s = &json["stats"]["a,b"];
        assert_eq!((&s["min"], &s["t_min"]), (&json!(-1.5e-9), &json!(0.1)));
        assert_eq!((&s["max"], &s["t_max"], &s["last"]), (&json!(1e22), &json!(0.2), &json!(1e22)));
        assert_eq!(json["data"][0], json!([0.0, "nan"]));
        assert_eq!(json["rows"], 3);
        assert!(json["stats"].get("time").is_none());
        assert!(table().json(true, None).get("data").is_none());
    }
}
