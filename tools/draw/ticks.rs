//! Ticks of axes and their texts.

use std::ops::Range;

use crate::cli::number;

/// Ticks of an axis: multiples of 1, 2 or 5 times a power of ten, all written in one notation.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    pub values: Vec<f64>,
    /// Distance of two ticks.
    step: f64,
    notation: Notation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    /// Digits after the point.
    Fixed(usize),
    Powers,
    /// Values are logarithms of base ten.
    Logarithmic,
}

impl Ticks {
    /// About `count` ticks; `counts` are whole numbers.
    pub fn linear(axis: &Range<f64>, count: usize, counts: bool) -> Ticks {
        let (step, exponent) = nice_step((axis.end - axis.start) / count as f64);
        let (step, exponent) = if counts && step < 1.0 { (1.0, 0) } else { (step, exponent) };
        let largest = axis.start.abs().max(axis.end.abs());
        let plain = exponent >= -4 && largest < 1e6;
        let notation = if plain { Notation::Fixed(usize::try_from(-exponent).unwrap_or(0)) } else { Notation::Powers };
        Ticks { values: multiples(axis, step), step, notation }
    }

    /// Powers of ten; of a short axis also what is between them.
    pub fn logarithmic(axis: &Range<f64>, count: usize) -> Ticks {
        let decades = axis.end - axis.start;
        let step = if decades < 2.0 { nice_step(decades / count as f64).0 } else { (decades / count as f64).ceil() };
        Ticks { values: multiples(axis, step), step, notation: Notation::Logarithmic }
    }

    /// Text of a tick.
    pub fn text(&self, x: f64) -> String {
        let x = if x.abs() < 1e-6 * self.step && self.notation != Notation::Logarithmic { 0.0 } else { x };
        let text = match self.notation {
            Notation::Fixed(digits) => format!("{x:.digits$}"),
            Notation::Powers if x == 0.0 => "0".into(),
            Notation::Powers => powers(x, 5),
            Notation::Logarithmic if (x - x.round()).abs() < 1e-9 => power_of_ten(x.round()),
            Notation::Logarithmic => powers(10f64.powf(x), 2),
        };
        text.replace('-', "\u{2212}")
    }
}

/// `10^x` for a whole `x`.
fn power_of_ten(x: f64) -> String {
    if (-3.0..=4.0).contains(&x) {
        number(format!("1e{x}").parse().unwrap_or(f64::NAN))
    } else {
        format!("1e{x}")
    }
}

/// With so many significant digits at most.
fn powers(x: f64, digits: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", digits - 1).parse().unwrap_or(x);
    format!("{rounded:e}")
}

/// The smallest of 1, 2, 5 times a power of ten that is not much below `least`, and the power.
fn nice_step(least: f64) -> (f64, i32) {
    let least = if least > 0.0 && least.is_finite() { least } else { 1.0 };
    let power = least.log10().floor() as i32;
    let steps = [(1, power), (2, power), (5, power), (1, power + 1)];
    let value = |(mantissa, power): (i32, i32)| format!("{mantissa}e{power}").parse::<f64>().unwrap_or(1.0);
    let found = steps.into_iter().find(|&s| value(s) >= 0.8 * least).unwrap_or(steps[3]);
    (value(found), found.1)
}

fn multiples(axis: &Range<f64>, step: f64) -> Vec<f64> {
    let (first, last) = ((axis.start / step).ceil(), (axis.end / step).floor());
    let count = if last - first < 100.0 { (last - first).max(-1.0) as i64 + 1 } else { 0 };
    (0..count).map(|k| (first + k as f64) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &Ticks) -> Vec<String> {
        ticks.values.iter().map(|&x| ticks.text(x).replace('\u{2212}', "-")).collect()
    }

    #[test]
    fn ticks_have_one_notation() {
        let linear = |a: f64, b: f64| texts(&Ticks::linear(&(a..b), 5, false));
        assert_eq!(linear(-0.0011, 0.0003), ["-0.0010", "-0.0005", "0.0000"]);
        assert_eq!(linear(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(linear(4.39e-32, 5.41e-32), ["4.4e-32", "4.6e-32", "4.8e-32", "5e-32", "5.2e-32", "5.4e-32"]);
        assert_eq!(linear(0.0, 2e9), ["0", "5e8", "1e9", "1.5e9", "2e9"]);
        assert_eq!(linear(0.0, 2400.0), ["0", "500", "1000", "1500", "2000"]);
    }

    #[test]
    fn counts_have_whole_ticks_and_logarithms_powers() {
        assert_eq!(texts(&Ticks::linear(&(-0.1..2.1), 7, true)), ["0", "1", "2"]);
        assert_eq!(texts(&Ticks::logarithmic(&(-7.5..-2.5), 5)), ["1e-7", "1e-6", "1e-5", "1e-4", "0.001"]);
        assert_eq!(texts(&Ticks::logarithmic(&(-0.2..0.5), 4)), ["6.3e-1", "1", "1.6e0", "2.5e0"]);
    }
}
