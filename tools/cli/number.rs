//! Numbers as text.

use std::time::Duration;

/// Shortest text that reads back to the same number; integers without a point; `NaN`, `inf`, `-inf`.
pub fn number(x: f64) -> String {
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(integer) => integer.into(),
        None => text,
    }
}

/// The number nearest to `x` of so many significant digits, of which there are one at least.
pub fn rounded(x: f64, digits: u32) -> f64 {
    if x.is_finite() {
        format!("{x:.*e}", digits.max(1) as usize - 1).parse().unwrap_or(x)
    } else {
        x
    }
}

/// JSON number, or the strings "nan", "inf", "-inf".
pub fn json_number(x: f64) -> serde_json::Value {
    if x.is_finite() {
        x.into()
    } else {
        number(x).to_lowercase().into()
    }
}

/// Argument of an option: a finite number >= 0, such as a time or an interval [s].
pub fn non_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err("give a number >= 0".into()),
    }
}

/// Argument of an option: a whole number >= 0.
pub fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "give a whole number >= 0".into())
}

/// Argument of an option: a length of wall clock time such as `90s`, `10m`, `23h`, `1h30m`; without a unit seconds.
pub fn wall_time(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}': give a time such as 90s, 10m, 23h or 1h30m");
    let mut seconds = 0.0;
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let value: f64 = rest[..end].parse().map_err(|_| wrong())?;
        let (unit, after) = rest[end..].split_at(usize::from(end < rest.len()));
        seconds += value
            * match unit {
                "" | "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(wrong()),
            };
        rest = after;
    }
    if text.trim().is_empty() {
        return Err(wrong());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// `NAME=VALUE` of `--set`.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("give NAME=VALUE")?;
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(letter) || name.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("'{name}' is not a name"));
    }
    Ok((name.into(), value.into()))
}

/// The same, more than nothing.
pub fn some_wall_time(text: &str) -> Result<Duration, String> {
    match wall_time(text)? {
        Duration::ZERO => Err("0 leaves no time for steps; give a time such as 90s, 10m or 1h".into()),
        time => Ok(time),
    }
}

/// `1 body`, `2 bodies`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for x in [0.1 + 0.2, 1.0 / 3.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, 123456789.0, -0.0] {
            assert_eq!(number(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!(number(42.0), "42");
    }

    #[test]
    fn wall_times_have_units() {
        let s = Duration::from_secs;
        for (text, time) in [("90", s(90)), ("90s", s(90)), ("10m", s(600)), ("1h30m", s(5400)), ("1d", s(86400))] {
            assert_eq!(wall_time(text), Ok(time), "{text}");
        }
        assert_eq!(wall_time("0.5s"), Ok(Duration::from_millis(500)));
        for text in ["", "h", "-1s", "10x", "10ms", "nan", "inf"] {
            assert!(wall_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn arguments_are_finite_and_not_negative() {
        assert_eq!(non_negative("1e-3"), Ok(0.001));
        for text in ["nan", "inf", "-1", "abc", ""] {
            assert!(non_negative(text).is_err(), "{text}");
        }
        assert_eq!((count("3"), count("-3").is_err(), count("1.5").is_err()), (Ok(3), true, true));
    }
}
