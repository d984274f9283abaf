//! `--time` and `--every`: which frames of the results a tool takes (docs/conventions.md 10).

use solfec::query::{nearest, span};

use super::number::number as in_file;

/// Value of `--time`.
#[derive(Debug, Clone, PartialEq)]
pub enum TimeSpec {
    First,
    Last,
    /// The frames nearest to these times.
    At(Vec<f64>),
    /// All frames between two times, both included.
    Span(f64, f64),
}

impl std::str::FromStr for TimeSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => return Ok(TimeSpec::First),
            "last" => return Ok(TimeSpec::Last),
            _ => {}
        }
        if let Some((a, b)) = text.split_once(':') {
            return Ok(TimeSpec::Span(bound(a, f64::NEG_INFINITY)?, bound(b, f64::INFINITY)?));
        }
        text.split(',').map(number).collect::<Result<_, _>>().map(TimeSpec::At)
    }
}

impl TimeSpec {
    /// What is doubtful about it.
    pub fn doubt(&self) -> Option<String> {
        match self {
            &TimeSpec::Span(a, b) => turned(a, b).map(|text| format!("--time: {text}")),
            TimeSpec::First | TimeSpec::Last | TimeSpec::At(_) => None,
        }
    }
}

fn bound(text: &str, open: f64) -> Result<f64, String> {
    if text.is_empty() {
        Ok(open)
    } else {
        number(text)
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.trim()
        .parse()
        .ok()
        .filter(|t: &f64| !t.is_nan())
        .ok_or_else(|| format!("'{text}' is not a time; write T, T0:T1, T1,T2,..., first or last"))
}

/// Indices of the frames taken, ascending, each once: those of `spec` (all without it), of these every `every`-th.
pub fn select_frames(times: &[f64], h: f64, spec: Option<&TimeSpec>, every: usize) -> Vec<usize> {
    let mut taken: Vec<usize> = match spec {
        None => (0..times.len()).collect(),
        Some(TimeSpec::First) => (0..times.len().min(1)).collect(),
        Some(TimeSpec::Last) => (times.len().saturating_sub(1)..times.len()).collect(),
        Some(TimeSpec::At(wanted)) => wanted.iter().filter_map(|&t| nearest(times, t, h)).collect(),
        Some(&TimeSpec::Span(t0, t1)) => span(times, t0, t1, h).collect(),
    };
    taken.sort_unstable();
    taken.dedup();
    taken.into_iter().step_by(every.max(1)).collect()
}

/// What is said of a span whose end comes first.
pub fn turned(t0: f64, t1: f64) -> Option<String> {
    let [a, b] = [t0, t1].map(in_file);
    (t0 > t1).then(|| format!("the span from {a} to {b} s ends before it begins: taken as that from {b} to {a} s"))
}

/// What is said of times outside the frames, for which the nearest one is taken.
pub fn beyond_frames(times: &[f64], h: f64, spec: Option<&TimeSpec>) -> Vec<String> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else { return Vec::new() };
    let note = |text: String, end: f64| format!("--time {text}: the nearest frame is at {} s", in_file(end));
    let outside = |from: f64, to: f64, text: String| match () {
        () if from > last + h => Some(note(text, last)),
        () if to < first - h => Some(note(text, first)),
        () => None,
    };
    match spec {
        Some(TimeSpec::At(wanted)) => wanted.iter().filter_map(|&t| outside(t, t, in_file(t))).collect(),
        Some(&TimeSpec::Span(a, b)) => {
            outside(a.min(b), a.max(b), format!("{}:{}", in_file(a), in_file(b))).into_iter().collect()
        }
        Some(TimeSpec::First | TimeSpec::Last) | None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_are_noted() {
        let note = |spec: &str| beyond_frames(&[0.0, 1.0, 2.0], 0.01, spec.parse().ok().as_ref());
        assert_eq!(note("99"), ["--time 99: the nearest frame is at 2 s"]);
        assert_eq!(note("3:4"), ["--time 3:4: the nearest frame is at 2 s"]);
        assert_eq!(note("4:3"), ["--time 4:3: the nearest frame is at 2 s"]);
        assert!(note("1:9").is_empty() && note("2.005").is_empty() && note("last").is_empty());
    }

    #[test]
    fn a_span_that_ends_before_it_begins_is_noted() {
        let doubt = |spec: &str| spec.parse::<TimeSpec>().ok().and_then(|spec| spec.doubt());
        let told = "--time: the span from 2 to 1 s ends before it begins: taken as that from 1 to 2 s";
        assert_eq!(doubt("2:1").as_deref(), Some(told));
        assert!(doubt("1:2").is_none() && doubt("1:1").is_none() && doubt("1:").is_none() && doubt("2,1").is_none());
    }

    #[test]
    fn times_are_read() {
        assert_eq!("0.5".parse(), Ok(TimeSpec::At(vec![0.5])));
        assert_eq!("0.5,1".parse(), Ok(TimeSpec::At(vec![0.5, 1.0])));
        assert_eq!("0:1e-3".parse(), Ok(TimeSpec::Span(0.0, 1e-3)));
        assert_eq!(":2".parse(), Ok(TimeSpec::Span(f64::NEG_INFINITY, 2.0)));
        assert!("soon".parse::<TimeSpec>().is_err());
        assert!("nan".parse::<TimeSpec>().is_err());
    }

    #[test]
    fn frames_are_selected() {
        let times = [0.0, 0.1, 0.2, 0.3, 0.4];
        let take = |spec: &str, every| select_frames(&times, 0.01, spec.parse().ok().as_ref(), every);
        assert_eq!(take("first", 1), [0]);
        assert_eq!(take("last", 1), [4]);
        assert_eq!(take("0.1:0.3", 1), [1, 2, 3]);
        assert_eq!(take("0.3:0.1", 1), [1, 2, 3]);
        assert_eq!(take("0:0.4", 2), [0, 2, 4]);
        assert_eq!(take("0.31,0.09,0.3", 1), [1, 3]);
        assert_eq!(take(":", 1), [0, 1, 2, 3, 4]);
        assert!(select_frames(&[], 0.01, None, 1).is_empty());
    }
}
