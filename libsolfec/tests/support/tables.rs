//! Tables of numbers to compare with.

use crate::data::sets;

/// The tables of this name, our own first; rows without the head, what is no number is NaN.
pub fn tables(name: &str) -> Vec<Vec<Vec<f64>>> {
    let number = |cell: &str| cell.parse().unwrap_or(f64::NAN);
    let read = |path| -> Vec<Vec<f64>> {
        let text = std::fs::read_to_string(path).expect("a table");
        text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect()
    };
    sets(&format!("reference/{name}")).iter().map(read).collect()
}
