//! What a comparison found, for people and as JSON.

use std::fmt::Write;
use std::path::Path;

use serde_json::{json, Value};
use solfec::model::constraint_kind;

use super::args::Compare;
use super::difference::{difference, Difference, Miss, Quantity, Tolerance};
use super::matching::{self, Matching};
use super::side::Side;
use super::text::point_text;

/// Least relative tolerance of numbers with six digits.
const ROUNDED: f64 = 2e-5;

/// One file compared with the first.
pub struct Comparison {
    sides: [Side; 2],
    matching: Matching,
    differences: Vec<Difference>,
    /// Why the files, or parts of them, cannot be compared.
    obstacles: Vec<String>,
    top: usize,
}

impl Comparison {
    pub fn same(&self) -> bool {
        self.obstacles.is_empty()
            && self.matching.left.iter().all(Vec::is_empty)
            && self.differences.iter().all(Difference::same)
    }
}

/// Compares what was asked for, or all that either file has.
pub fn comparison(args: &Compare, sides: [Side; 2]) -> Comparison {
    let mut obstacles = Vec::new();
    if sides[0].places.is_some() != sides[1].places.is_some() {
        obstacles.push("one file has points and bodies, the other an order only: rows cannot be matched".into());
    } else if sides.iter().any(|s| s.rows == 0) {
        obstacles.push("a file without rows: there is nothing to compare".into());
    }
    let matching =
        if obstacles.is_empty() { matching::rows(&sides[0], &sides[1], args.match_tol) } else { Matching::default() };
    let rounded = sides.iter().any(|s| s.rounded);
    let relative = if rounded { args.rtol.max(ROUNDED) } else { args.rtol };
    let tolerance = Tolerance { relative, absolute: args.atol };
    let mut differences = Vec::new();
    for quantity in Quantity::ALL {
        let asked = args.quantities.contains(&quantity);
        let found = sides.each_ref().map(|s| quantity.is_in(s));
        let wanted = match (args.quantities.is_empty(), quantity) {
            // Text dumps hold no friction.
            (true, Quantity::Friction) => found[0] && found[1],
            (true, _) => found[0] || found[1],
            (false, _) => asked,
        };
        if !wanted || !obstacles.is_empty() {
            continue;
        }
        if found == [true; 2] {
            differences.push(difference(quantity, &sides, &matching, tolerance));
        } else {
            obstacles.push(missing(quantity, &sides, found));
        }
    }
    if obstacles.is_empty() && matching.pairs.is_empty() {
        obstacles.push("no row of one file matches one of the other; try a larger --match-tol".into());
    }
    Comparison { sides, matching, differences, obstacles, top: args.top }
}

fn missing(quantity: Quantity, sides: &[Side; 2], found: [bool; 2]) -> String {
    let names: Vec<&str> = (0..2).filter(|&k| !found[k]).map(|k| sides[k].name.as_str()).collect();
    format!("{} is not in {}; leave it out with --quantities", quantity.name(), names.join(" and "))
}

/// The row of a file in words.
fn row_text(side: &Side, row: usize) -> String {
    let Some(place) = side.places.as_ref().and_then(|p| p.get(row)) else {
        return format!("row {row}");
    };
    let kind = constraint_kind::NAMES.get(usize::from(place.kind)).unwrap_or(&"constraint");
    let slave = place.slave.map_or("none".into(), |s| s.to_string());
    format!("{kind} ({}, {slave}) at {}", place.master, point_text(&place.point))
}

/// For people.
pub fn text(c: &Comparison) -> String {
    let mut out = String::new();
    let [a, b] = &c.sides;
    let verdict = if c.same() { "same" } else { "DIFFERENT" };
    let swapped = c.matching.pairs.iter().filter(|p| p.swapped).count();
    let count = c.matching.pairs.len();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{} {}: {verdict}; {} and {} rows, {count} matched", a.name, b.name, a.rows, b.rows);
    if swapped > 0 {
        let _ = writeln!(out, "  {swapped} with master and slave exchanged");
    }
    for obstacle in &c.obstacles {
        let _ = writeln!(out, "  not comparable: {obstacle}");
    }
    for (side, left) in c.sides.iter().zip(&c.matching.left).filter(|(_, left)| !left.is_empty()) {
        let _ = writeln!(out, "  {} rows of {} have no partner:", left.len(), side.name);
        for &row in left.iter().take(c.top) {
            let _ = writeln!(out, "    {}", row_text(side, row));
        }
    }
    if !c.differences.is_empty() {
        let _ = writeln!(out, "  quantity  max difference  rms difference  beyond tolerance");
    }
    for d in &c.differences {
        let beyond = d.misses.iter().filter(|m| !m.same()).count();
        let (name, count) = (d.quantity.name(), d.misses.len());
        let _ = writeln!(out, "  {name:<8}  {:>14.6e}  {:>14.6e}  {beyond} of {count}", d.max(), d.rms());
        for miss in d.worst(c.top) {
            let _ = writeln!(out, "    {}", miss_text(a, &miss));
        }
    }
    out
}

fn miss_text(side: &Side, miss: &Miss) -> String {
    let at = row_text(side, miss.row);
    let to = match miss.column {
        Some(column) if column != miss.row => format!(" => {}", row_text(side, column)),
        _ => String::new(),
    };
    format!("{:.6e} (allowed {:.1e}) {at}{to}", miss.size, miss.allowed)
}

/// As one JSON document.
pub fn document(first: &Path, comparisons: &[Comparison]) -> Value {
    let same = comparisons.iter().all(Comparison::same);
    let items: Vec<Value> = comparisons.iter().map(item).collect();
    json!({"schema": "sf-locdyn-compare/1", "first": first.display().to_string(), "same": same, "comparisons": items})
}

fn item(c: &Comparison) -> Value {
    let [a, b] = &c.sides;
    let quantities: Vec<Value> = c.differences.iter().map(|d| quantity(a, d, c.top)).collect();
    let left = |k: usize| -> Vec<Value> { c.matching.left[k].iter().map(|&row| row_value(&c.sides[k], row)).collect() };
    json!({
        "file": b.name, "same": c.same(), "rows": [a.rows, b.rows], "matched": c.matching.pairs.len(),
        "swapped": c.matching.pairs.iter().filter(|p| p.swapped).count(),
        "unmatched": [left(0), left(1)], "not_comparable": c.obstacles, "quantities": quantities,
    })
}

fn quantity(side: &Side, d: &Difference, top: usize) -> Value {
    let worst: Vec<Value> = d
        .worst(top)
        .iter()
        .map(|m| {
            let column = m.column.map(|column| row_value(side, column));
            json!({"difference": m.size, "allowed": m.allowed, "row": row_value(side, m.row), "column": column})
        })
        .collect();
    let beyond = d.misses.iter().filter(|m| !m.same()).count();
    json!({
        "name": d.quantity.name(), "same": d.same(), "max": d.max(), "rms": d.rms(), "count": d.misses.len(),
        "beyond": beyond, "worst": worst,
    })
}

fn row_value(side: &Side, row: usize) -> Value {
    match side.places.as_ref().and_then(|p| p.get(row)) {
        Some(p) => json!({
            "row": row, "kind": constraint_kind::NAMES.get(usize::from(p.kind)), "bodies": [Some(p.master), p.slave],
            "point": [p.point.x, p.point.y, p.point.z],
        }),
        None => json!({"row": row}),
    }
}
