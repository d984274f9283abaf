//! One record for each tool that touched a file: what ran, when, with what, and how it ended
//! (`/provenance/runs` of the files). Clock readings are stored only here and in `/timing`.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::{Circumstances, Exit};

/// Commit of the build, when the build says it (`SF_GIT_HASH` in its environment).
const GIT_HASH: Option<&str> = option_env!("SF_GIT_HASH");

/// A provenance record under way; [`Record::json`] completes it.
#[derive(Debug, Clone)]
pub struct Record {
    tool: String,
    command: Vec<String>,
    threads: usize,
    started: SystemTime,
    clock: Instant,
    /// How a deck was run, if one was.
    pub deck: Option<Circumstances>,
}

#[derive(Serialize)]
struct Entry<'a> {
    schema: &'static str,
    tool: &'a str,
    version: &'static str,
    git: &'a str,
    command: &'a [String],
    hdf5: String,
    threads: usize,
    start: String,
    elapsed_s: f64,
    peak_memory_kb: Option<u64>,
    exit: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    deck: Option<&'a Circumstances>,
}

impl Record {
    /// Begins with the command line of this process.
    pub fn begin(tool: &str, threads: usize) -> Self {
        Record {
            tool: tool.into(),
            command: std::env::args().collect(),
            threads,
            started: SystemTime::now(),
            clock: Instant::now(),
            deck: None,
        }
    }

    /// The complete record as one JSON object.
    pub fn json(&self, exit: Exit) -> String {
        let entry = Entry {
            schema: "solfec-provenance/1",
            tool: &self.tool,
            version: env!("CARGO_PKG_VERSION"),
            git: GIT_HASH.unwrap_or("unknown"),
            command: &self.command,
            hdf5: hdf5_version(),
            threads: self.threads,
            start: utc(self.started),
            elapsed_s: self.clock.elapsed().as_secs_f64(),
            peak_memory_kb: memory_kb("VmHWM:"),
            exit: exit.code(),
            deck: self.deck.as_ref(),
        };
        serde_json::to_string(&entry).unwrap_or_default()
    }

    /// When the tool ended whose record this is.
    pub fn end(json: &str) -> Option<SystemTime> {
        let entry: serde_json::Value = serde_json::from_str(json).ok()?;
        let took = Duration::try_from_secs_f64(entry["elapsed_s"].as_f64()?).ok()?;
        Some(from_utc(entry["start"].as_str()?)? + took)
    }

    /// What `--version --verbose` prints.
    pub fn build_facts(tool: &str) -> String {
        format!(
            "{tool} {}\ngit: {}\nHDF5: {}\ntarget: {}-{}\n",
            super::VERSION,
            GIT_HASH.unwrap_or("unknown"),
            hdf5_version(),
            std::env::consts::ARCH,
            std::env::consts::OS
        )
    }
}

fn hdf5_version() -> String {
    let (major, minor, release) = hdf5::library_version();
    format!("{major}.{minor}.{release}")
}

/// Resident memory of this process.
pub fn resident_kb() -> Option<u64> {
    memory_kb("VmRSS:")
}

/// A line of Linux' `/proc/self/status`.
fn memory_kb(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// ISO 8601, seconds, UTC.
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (year, month, day) = civil(seconds / 86400);
    let (h, m, s) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{h:02}:{m:02}:{s:02}Z")
}

/// The inverse.
fn from_utc(text: &str) -> Option<SystemTime> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
    let [year, month, day] = [number(0, 4)?, number(5, 7)?, number(8, 10)?];
    let [h, m, s] = [number(11, 13)?, number(14, 16)?, number(17, 19)?];
    // Days count in years that begin in March, as in `civil`.
    let (year, shifted) = if month < 3 { (year.checked_sub(1)?, month + 9) } else { (year, month.checked_sub(3)?) };
    let days =
        (365 * year + year / 4 - year / 100 + year / 400 + (153 * shifted + 2) / 5 + day).checked_sub(719_469)?;
    Some(UNIX_EPOCH + Duration::from_secs(86_400 * days + 3600 * h + 60 * m + s))
}

/// Gregorian date of a day since 1970-01-01, counted in years that begin in March, so that leap days come last.
fn civil(day: u64) -> (u64, u64, u64) {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let at = |s| utc(UNIX_EPOCH + Duration::from_secs(s));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59Z");
        for seconds in [0, 951_782_400, 951_827_696, 1_735_689_599, 1_709_251_200, 4_102_444_800] {
            assert_eq!(from_utc(&at(seconds)), Some(UNIX_EPOCH + Duration::from_secs(seconds)));
        }
        assert_eq!([from_utc("yesterday"), from_utc("0000-00-00T00:00:00Z")], [None, None]);
    }

    #[test]
    fn a_record_is_one_json_object() {
        let text = Record::begin("sf-test", 2).json(Exit::Stopped);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["tool"], "sf-test");
        assert_eq!(value["exit"], 5);
        assert_eq!(value["threads"], 2);
        assert!(!text.contains('\n'));
    }
}
