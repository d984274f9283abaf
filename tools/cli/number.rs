//! Numbers as text.

/// Shortest text that reads back to the same number; integers without a point; `NaN`, `inf`, `-inf`.
pub fn number(x: f64) -> String {
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(integer) => integer.into(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_read_back() {
        for x in [0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, 123456789.0, -0.0] {
            assert_eq!(number(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!(number(42.0), "42");
    }
}
