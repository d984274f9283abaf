//! Series: their edges, derived series, tables of a million points, what is refused.

use super::*;
use solfec::load::Reading;

fn series(times: &[f64], values: &[f64]) -> Series {
    Series::new("", times.to_vec(), values.to_vec()).expect("a series")
}

#[test]
fn outside_of_the_table() {
    let s = series(&[1.0, 2.0, 4.0], &[3.0, 5.0, -1.0]);
    let (slope, area) = (s.derivative().expect("slopes"), s.integral().expect("areas"));
    for t in [-1e300, 0.0, 1.0 - 1e-15] {
        assert_eq!([s.at(t), slope.at(t), area.at(t)], [3.0, 0.0, 0.0], "before, at {t}");
    }
    // Right-continuous, zero from the last time on; the integral goes on with the last value.
    assert_eq!([1.0, 1.5, 2.0, 3.0, 4.0, 5.0].map(|t| slope.at(t)), [2.0, 2.0, -3.0, -3.0, 0.0, 0.0]);
    assert_eq!([1.0, 1.5, 2.0, 3.0, 4.0, 6.0].map(|t| area.at(t)), [0.0, 1.75, 4.0, 7.5, 8.0, 6.0]);
    let constant = Series::constant(7.0);
    assert_eq!([-1.0, 0.0, 1e9].map(|t| constant.at(t)), [7.0; 3]);
}

#[test]
fn derived_series_share_the_points_and_undo_each_other() {
    let s = series(&[0.0, 1.0, 3.0], &[2.0, 4.0, 3.0]);
    let integral = s.integral().expect("an integral");
    assert_eq!((integral.reading(), integral.times(), integral.values()), (Reading::Integral, s.times(), s.values()));
    assert_eq!(integral.derivative().expect("the series"), s);
    let back = s.derivative().and_then(|d| d.integral()).expect("a primitive of the slope");
    assert_eq!((back.times(), back.values()), (s.times(), &[0.0, 2.0, 1.0][..]));
    // As a model file stores it.
    let stored = series(s.times(), s.values()).read_as(Reading::Derivative).expect("slopes");
    assert_eq!(stored, s.derivative().expect("slopes"));
}

/// The integral of every reading against sums of its values.
#[test]
fn integrals_of_all_readings() {
    let s = series(&[0.5, 1.0, 3.0, 3.5], &[2.0, -4.0, 3.0, 1.0]);
    for reading in [Reading::Value, Reading::Derivative, Reading::Integral] {
        let f = s.clone().read_as(reading).expect("a series");
        let mut sum = 0.0;
        let n = 40_000;
        let d = 4.0 / f64::from(n);
        for k in 0..n {
            let middle = 0.5 + (f64::from(k) + 0.5) * d;
            sum += f.at(middle) * d;
            assert_near(f.integral_at(middle + 0.5 * d), sum, 1e-7, "integral");
        }
        assert_eq!(f.integral_at(0.3), 0.0, "before the table");
    }
}

/// `--compat prescribed`: slopes go on outside, areas do not; what a deck sees of them.
#[test]
fn the_forms_of_the_original() {
    let s = series(&[0.0, 1.0, 2.0], &[1.0, 3.0, 2.0]);
    let shown = (vec![0.0, 1.0 - 1e-10, 1.0, 2.0 - 1e-10], vec![2.0, 2.0, -1.0, -1.0]);
    assert_eq!(s.derivative().expect("slopes").table(), shown);
    let slope = s.original_derivative().expect("slopes");
    assert_eq!([-5.0, 0.5, 1.0, 1.5, 9.0].map(|t| slope.at(t)), [2.0, 2.0, -1.0, -1.0, -1.0]);
    let area = s.original_integral().expect("areas");
    assert_eq!([-5.0, 0.5, 1.0, 1.5, 2.0, 9.0].map(|t| area.at(t)), [0.0, 1.0, 2.0, 3.25, 4.5, 4.5]);
    assert_eq!(Series::constant(3.0).derivative().expect("zero").table(), (vec![0.0], vec![0.0]));
}

/// A million points: an evaluation must not walk through them.
#[test]
fn a_huge_table_is_searched() {
    let n = 1_000_000;
    let times: Vec<f64> = (0..n).map(|k| f64::from(k) * 1e-3).collect();
    let values: Vec<f64> = times.iter().map(|t| 3.0 * t - 1.0).collect();
    let s = Series::new("long", times, values).expect("a series");
    let integral = s.integral().expect("an integral");
    for k in 0..300_000 {
        let t = (f64::from(k) * 0.618_033_988_7).fract() * 999.0;
        assert_near(s.at(t), 3.0 * t - 1.0, 1e-9, "value");
        assert_near(integral.at(t), 1.5 * t * t - t, 1e-5, "integral");
    }
}

#[test]
fn wrong_points_are_told() {
    let error = |times: &[f64], values: &[f64]| {
        Series::new("", times.to_vec(), values.to_vec()).expect_err("a wrong table").to_string()
    };
    assert!(error(&[], &[]).contains("no points"));
    assert!(error(&[0.0, 1.0], &[0.0]).contains("2 times but 1 values"));
    assert!(error(&[0.0, f64::NAN], &[0.0, 1.0]).contains("point 1 is (NaN, 1)"));
    assert!(error(&[0.0, 1.0], &[f64::INFINITY, 1.0]).contains("point 0"));
    assert!(error(&[0.0, 2.0, 2.0], &[0.0; 3]).contains("time 2 of point 2 does not come after 2"));
    assert!(error(&[0.0, 1e-300], &[-1e10, 1e10]).contains("slope before point 1"));
    let constant = Series::constant(1.0).integral().expect_err("a constant").to_string();
    assert!(constant.contains("constant has no integral"), "{constant}");
    let large = series(&[0.0, 1e200], &[1e200, 1e200]).integral().expect_err("too large").to_string();
    assert!(large.contains("too large"), "{large}");
    let s = series(&[0.0, 1.0], &[0.0, 1.0]);
    assert!(s.derivative().and_then(|d| d.derivative()).is_err());
    assert!(s.integral().and_then(|d| d.integral()).is_err());
    assert!(Series::constant(1.0).read_as(Reading::Integral).is_err());
}

#[test]
fn wrong_texts_are_told_with_their_line() {
    let error = |text: &str| Series::parse(text).expect_err("a wrong text").to_string();
    assert!(error("").contains("no points"));
    assert!(error("# only\n\n  # comments\n").contains("no points"));
    assert!(error("0 1\n\n# x\n1 2\n0.5 3\n").contains("time 0.5 of line 5 does not come after 1"));
    assert!(error("0 1\n1 nan\n").contains("line 2 is (1, NaN)"));
    assert!(error("0 1\n1 two\n").contains("line 2 is '1 two'; give two numbers"));
    for text in ["0", "0,", "0,,1", "0 1 2", "0;1", ", 1"] {
        assert!(error(&format!("-1 0\n{text}\n")).contains("line 2 is"), "{text}");
    }
    assert_eq!(Series::parse("3 4").expect("a constant").at(100.0), 4.0);
}

proptest::proptest! {
    /// No text makes it panic, and what is printed is read back to the last bit.
    #[test]
    fn any_text_is_answered(text in "[-0-9eE., #\t\n\u{a0}x]{0,60}", steps in proptest::collection::vec((1e-9..1e9, -1e9..1e9), 1..20)) {
        let _ = Series::parse(&text);
        let mut time = -1.0;
        let lines: Vec<String> = steps.iter().map(|(step, value)| { time += step; format!(" {time:e},{value}") }).collect();
        let series = Series::parse(&lines.join("\n")).expect("a series");
        let values: Vec<f64> = steps.iter().map(|s| s.1).collect();
        proptest::prop_assert_eq!(series.values(), &values[..]);
        proptest::prop_assert_eq!(series.times().last(), Some(&time));
    }
}
