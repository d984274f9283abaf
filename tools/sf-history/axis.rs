//! Ranges of the axes of a plot, and the lines in it: thinned curves.

use std::ops::Range;

/// Points of a series above which it is thinned to its extremes.
const DENSE: usize = 4000;

/// Range of the finite values, widened by `margin` of its length; never empty.
pub fn range(values: impl Iterator<Item = f64>, margin: f64) -> Range<f64> {
    let (low, high) =
        values.filter(|x| x.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if low > high {
        return 0.0..1.0;
    }
    let length = high - low;
    if length <= f64::EPSILON * low.abs().max(high.abs()) {
        let half = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
        return low - half..low + half;
    }
    low - margin * length..high + margin * length
}

/// Unbroken runs of finite points, dense ones thinned to their extremes.
pub fn lines(x: &[f64], values: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let points: Vec<(f64, f64)> = x.iter().copied().zip(values.iter().copied()).collect();
    points.split(|p| !(p.0.is_finite() && p.1.is_finite())).filter(|run| !run.is_empty()).map(thin).collect()
}

/// Extremes of each of a thousand stretches, in order of time.
fn thin(run: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if run.len() <= DENSE {
        return run.into();
    }
    let mut kept = Vec::new();
    for stretch in run.chunks(run.len().div_ceil(DENSE / 4)) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let low = stretch.iter().min_by(by_value);
        let high = stretch.iter().max_by(by_value);
        let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).copied().collect();
        // In the order of the rows, also where x goes back.
        if low.zip(high).is_some_and(|(low, high)| std::ptr::from_ref(low) > std::ptr::from_ref(high)) {
            pair.reverse();
        }
        kept.extend(pair);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_break_lines_and_dense_series_keep_their_extremes() {
        let time: Vec<f64> = (0..100_000).map(f64::from).collect();
        let mut values: Vec<f64> = time.iter().map(|t| t.sin()).collect();
        values[55_555] = 7.0;
        values[10] = f64::NAN;
        let lines = lines(&time, &values);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].len() <= DENSE);
        assert!(lines[1].contains(&(55_555.0, 7.0)));
        assert!(lines[1].windows(2).all(|p| p[0].0 <= p[1].0));
    }
}
