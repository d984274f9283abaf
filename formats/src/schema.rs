//! The definitions of columns as lists and as tables of the format pages.

pub use solfec::table::{column, Column, Kind};

/// How many columns these lists have together.
pub(crate) const fn count(lists: &[&[Column]]) -> usize {
    let (mut list, mut sum) = (0, 0);
    while list < lists.len() {
        sum += lists[list].len();
        list += 1;
    }
    sum
}

/// The columns of these lists, one list after another; `N` is their [`count`].
pub(crate) const fn concat<const N: usize>(lists: &[&[Column]]) -> [Column; N] {
    let mut all = [column("", Kind::U8, ("", 1), "", ""); N];
    let (mut list, mut row, mut i) = (0, 0, 0);
    while i < N {
        if row == lists[list].len() {
            (list, row) = (list + 1, 0);
        } else {
            all[i] = lists[list][row];
            (row, i) = (row + 1, i + 1);
        }
    }
    all
}

/// The line of the format page.
fn line(c: &Column) -> String {
    let shape = match c.width {
        1 => format!("[{}]", c.rows),
        w => format!("[{}, {w}]", c.rows),
    };
    let mut text = c.text.to_string();
    for (what, value) in [("frame", c.frame), ("time", c.level), ("values", c.names)] {
        if !value.is_empty() {
            text += &format!("; {what}: {value}");
        }
    }
    if c.optional {
        text += " (optional)";
    }
    format!("| `{}` | {} | {shape} | {} | {text} |", c.path, c.kind.name(), c.units)
}

/// The whole table of a format page.
pub fn page(columns: &[Column]) -> String {
    let mut out = String::from("| dataset | type | shape | unit | meaning |\n|---|---|---|---|---|\n");
    for c in columns {
        out += &line(c);
        out.push('\n');
    }
    out
}
