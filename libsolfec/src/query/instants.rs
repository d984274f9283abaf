//! Which frames a time or a span of times names (docs/conventions.md 10).

use std::ops::Range;

/// Tolerance of ties between frames and of the ends of spans, in steps (docs/conventions.md 10).
pub const TIME_TOLERANCE: f64 = 1e-6;

/// Index of the frame nearest to `t`, ties to the earlier: where the later one is nearer by no more than 1e-6 `h`, the
/// time step. `None` without frames. `times` ascend.
pub fn nearest(times: &[f64], t: f64, h: f64) -> Option<usize> {
    let after = times.partition_point(|&s| s < t);
    match (after.checked_sub(1), times.get(after)) {
        (None, None) => None,
        (None, Some(_)) => Some(after),
        (Some(before), None) => Some(before),
        (Some(before), Some(&next)) if t - times[before] <= next - t + TIME_TOLERANCE * h => Some(before),
        _ => Some(after),
    }
}

/// Frames with `t0 − 1e-6 h ≤ t ≤ t1 + 1e-6 h`, or the one nearest to the span if there is none. Either end may
/// come first.
pub fn span(times: &[f64], t0: f64, t1: f64, h: f64) -> Range<usize> {
    let (t0, t1) = (t0.min(t1), t0.max(t1));
    let slack = TIME_TOLERANCE * h;
    let first = times.partition_point(|&t| t < t0 - slack);
    let end = times.partition_point(|&t| t <= t1 + slack);
    if first < end {
        return first..end;
    }
    // The span lies between two frames, or outside all: `first` is the frame after it.
    let distance = |k: usize| (t0 - times[k]).max(times[k] - t1);
    let candidates = [first.checked_sub(1), (first < times.len()).then_some(first)];
    let best = candidates.into_iter().flatten().min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    best.map_or(0..0, |k| k..k + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of `--compat schedule`, which are not evenly spaced.
    const SCHEDULE: [f64; 5] = [0.0, 0.05, 0.11, 0.16, 0.20];

    #[test]
    fn seek_takes_the_nearest_frame() {
        for (t, frame) in [(0.099, 0.11), (0.024, 0.0), (0.026, 0.05), (0.08, 0.05), (-1.0, 0.0), (9.0, 0.20)] {
            assert_eq!(SCHEDULE[nearest(&SCHEDULE, t, 0.01).unwrap()], frame, "SEEK {t}");
        }
        assert_eq!(nearest(&[0.0, 1.0], 0.5, 0.01), Some(0), "a tie goes to the earlier frame");
        assert_eq!(nearest(&[], 0.0, 0.01), None);
    }

    /// 0.06 is nearer to 0.05 than 0.04 by round-off.
    #[test]
    fn ties_are_such_to_round_off() {
        let times: Vec<f64> = (0..6).map(|k| f64::from(k) * 0.02).collect();
        assert!(times[3] - 0.05 < 0.05 - times[2]);
        assert_eq!(nearest(&times, 0.05, 0.01), Some(2));
        assert_eq!(nearest(&times, 0.05 + 1e-8, 0.01), Some(3), "more than 1e-6 of a step is no tie");
        for k in 0..5 {
            let middle = 0.5 * (times[k] + times[k + 1]);
            assert_eq!(nearest(&times, middle, 0.01), Some(k), "{middle}");
        }
    }

    #[test]
    fn spans_hold_both_ends() {
        assert_eq!(span(&SCHEDULE, 0.05, 0.16, 0.01), 1..4);
        assert_eq!(span(&SCHEDULE, 0.05 + 1e-9, 0.16 - 1e-9, 0.01), 1..4);
        assert_eq!(span(&SCHEDULE, -1.0, 1.0, 0.01), 0..5);
        assert_eq!(span(&SCHEDULE, 0.16, 0.05, 0.01), 1..4, "a span that ends before it begins");
    }

    #[test]
    fn an_empty_span_is_the_nearest_frame() {
        assert_eq!(span(&SCHEDULE, 0.12, 0.13, 0.01), 2..3);
        assert_eq!(span(&SCHEDULE, 0.13, 0.15, 0.01), 3..4);
        assert_eq!(span(&SCHEDULE, 3.0, 4.0, 0.01), 4..5);
        assert_eq!(span(&SCHEDULE, -4.0, -3.0, 0.01), 0..1);
        assert_eq!(span(&[0.0], 0.5, 0.7, 0.01), 0..1);
        assert_eq!(span(&[], 0.0, 1.0, 0.01), 0..0);
    }
}
