//! `state.json` and `STATE` beside the results: how far a run is, for programs and for people (docs/formats/status.md).
//! They are a courtesy: what cannot be written is not, and the run goes on.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::cli::{number, resident_kb, utc, Pace};
use serde_json::{json, Value};
use solfec::simulation::{Distribution, Spread, StepReport};
use solfec_formats::replace;
use solfec_formats::results::Lock;

use super::ranks::Ranks;
use super::timers::{timers, TIMERS};

/// What the files tell.
#[derive(Debug, Clone)]
pub struct Status {
    /// Number of processes, and whether this is the one that writes.
    ranks: usize,
    first: bool,
    directory: PathBuf,
    interval: Duration,
    written: Instant,
    started: SystemTime,
    clock: Instant,
    /// Time at which this process began, the present time, and the end of the program or of the present RUN [s].
    t0: f64,
    t: f64,
    t_end: f64,
    pace: Pace,
    bodies: usize,
    constraints: usize,
    sparsified: usize,
    distribution: Option<Distribution>,
    /// Seconds of each phase.
    seconds: [f64; TIMERS.len()],
    frames: u64,
    /// Simulated time of the last checkpoint, and when it was written.
    checkpoint: Option<(f64, SystemTime)>,
    /// What the job did, once it is over.
    pub summary: Option<Value>,
}

impl Status {
    pub fn new(directory: &Path, interval: Duration, ranks: &Ranks) -> Status {
        let status = Status {
            ranks: ranks.count(),
            first: ranks.first(),
            directory: directory.into(),
            interval,
            written: Instant::now(),
            started: SystemTime::now(),
            clock: Instant::now(),
            t0: 0.0,
            t: 0.0,
            t_end: 0.0,
            pace: Pace::begin(Duration::ZERO, 0.0),
            bodies: 0,
            constraints: 0,
            sparsified: 0,
            distribution: None,
            seconds: [0.0; TIMERS.len()],
            frames: 0,
            checkpoint: None,
            summary: None,
        };
        status.write("running");
        status
    }

    /// The run of a domain begins or goes on at `t`.
    pub fn begin(&mut self, t: f64, t_end: f64) {
        if self.t_end == 0.0 || t < self.t {
            self.t0 = t;
        }
        (self.t, self.t_end) = (t, t_end);
        self.pace = Pace::begin(self.clock.elapsed(), t);
    }

    /// A step was made by `now`: the files are written if it is time to.
    pub fn step(&mut self, report: &StepReport, now: Instant) {
        self.t = report.time;
        self.pace.reach(now - self.clock, report.time);
        (self.bodies, self.constraints, self.sparsified) = (report.bodies, report.constraints, report.sparsified);
        self.distribution = report.distribution;
        for (sum, seconds) in self.seconds.iter_mut().zip(timers(&report.phases)) {
            *sum += seconds;
        }
        if now - self.written >= self.interval {
            self.written = now;
            self.write("running");
        }
    }

    pub fn frame(&mut self) {
        self.frames += 1;
    }

    pub fn checkpoint(&mut self, t: f64) {
        self.checkpoint = Some((t, SystemTime::now()));
    }

    /// Simulated time reached [s].
    pub fn time(&self) -> f64 {
        self.t
    }

    /// Writes both files; `status` is `running`, `done`, `stopped` or `failed`.
    pub fn write(&self, status: &str) {
        if !self.first {
            return;
        }
        let _ = replace(&self.directory.join("state.json"), format!("{:#}\n", self.json(status)).as_bytes());
        let _ = replace(&self.directory.join("STATE"), self.text(status).as_bytes());
    }

    fn percent(&self) -> f64 {
        if self.t_end > 0.0 {
            (100.0 * self.t / self.t_end).clamp(0.0, 100.0)
        } else {
            0.0
        }
    }

    /// Time left at the speed of late [s].
    fn eta(&self) -> Option<f64> {
        self.pace.left(self.clock.elapsed(), self.t, self.t_end).map(|left| left.as_secs_f64())
    }

    /// Phases with their part of all timed seconds [%].
    fn phases(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        let all: f64 = self.seconds.iter().sum();
        let part = move |seconds: f64| if all > 0.0 { 100.0 * seconds / all } else { 0.0 };
        TIMERS.into_iter().zip(self.seconds.map(part))
    }

    fn json(&self, status: &str) -> Value {
        let phases: serde_json::Map<_, _> = self.phases().map(|(name, part)| (name.into(), part.into())).collect();
        json!({
            "version": 1,
            "host": host(),
            "pid": std::process::id(),
            "np": self.ranks,
            "status": status,
            "t": self.t,
            "t0": self.t0,
            "t_end": self.t_end,
            "percent": self.percent(),
            "eta_s": self.eta(),
            "started": utc(self.started),
            "elapsed_s": self.clock.elapsed().as_secs_f64(),
            "phase_percent": phases,
            "counts": self.counts_json(),
            "rss_mb": {"max": resident_kb().map(|kb| kb as f64 / 1024.0)},
            "frames": self.frames,
            "summary": self.summary,
            "last_checkpoint": self.checkpoint.map(|(t, at)| json!({"t": t, "at": utc(at)})),
        })
    }

    /// Counts by key and title; those of one process, or also what only several have.
    fn counts(&self) -> Vec<(&'static str, &'static str, Spread)> {
        let Some(of) = self.distribution else {
            let one = |n: usize| Spread { sum: n as f64, least: n as f64, largest: n as f64 };
            return vec![
                ("bodies", "BODIES", one(self.bodies)),
                ("constraints", "CONSTRAINTS", one(self.constraints)),
                ("sparsified", "SPARSIFIED", one(self.sparsified)),
            ];
        };
        let mega = |Spread { sum, least, largest }: Spread| {
            let [sum, least, largest] = [sum, least, largest].map(|bytes| 1e-6 * bytes);
            Spread { sum, least, largest }
        };
        vec![
            ("bodies", "BODIES", of.bodies),
            ("boxes", "BOXES", of.boxes),
            ("constraints", "CONSTRAINTS", of.constraints),
            ("external", "EXTERNAL", of.external),
            ("sparsified", "SPARSIFIED", of.sparsified),
            ("sent_mb", "MB SENT", mega(of.sent)),
            ("weight", "DOM WEIGHT", of.weight),
        ]
    }

    fn counts_json(&self) -> Value {
        let numbers = |spread: &Spread| {
            let Spread { sum, least, largest } = *spread;
            json!({"sum": plain(sum), "min": plain(least), "avg": plain(sum / self.ranks as f64), "max": plain(largest)})
        };
        let counts = self.counts();
        counts
            .iter()
            .map(|(key, _, spread)| ((*key).to_string(), numbers(spread)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    fn spread_text(&self, spread: &Spread) -> String {
        let Spread { sum, least, largest } = *spread;
        if self.ranks == 1 {
            return number(sum);
        }
        let [sum, least, largest] = [sum, least, largest].map(millionths);
        format!("SUM {sum} MIN {least} AVG {} MAX {largest}", short(spread.sum / self.ranks as f64))
    }

    /// In the manner of the original, for `watch cat STATE`.
    fn text(&self, status: &str) -> String {
        let end = self.eta().and_then(|s| Duration::try_from_secs_f64(s).ok()).map(|left| SystemTime::now() + left);
        let mut text = format!(
            "{}  {status}\nESTIMATED END: {}\nTIME: {} OF {} ({:.1}%)\n",
            utc(SystemTime::now()),
            end.map_or_else(|| "?".into(), utc),
            as_part_of(self.t, self.t_end),
            number(self.t_end),
            self.percent(),
        );
        for (_, title, spread) in self.counts() {
            text += &format!("{title}: {}\n", self.spread_text(&spread));
        }
        for (name, part) in self.phases() {
            text += &format!("{name}: {part:.1}%\n");
        }
        text
    }
}

/// A number that is whole without a point.
fn plain(x: f64) -> Value {
    if x.fract() == 0.0 && x.abs() < 9e15 {
        json!(x as i64)
    } else {
        json!(x)
    }
}

/// A mean to a tenth, below one to a millionth.
fn short(mean: f64) -> String {
    if mean < 1.0 {
        return millionths(mean);
    }
    number((10.0 * mean).round() / 10.0)
}

/// Megabytes to the byte.
fn millionths(x: f64) -> String {
    number((1e6 * x).round() / 1e6)
}

/// A time with as many digits after the point as show a hundred-thousandth of the whole.
pub fn as_part_of(t: f64, whole: f64) -> String {
    let digits = 5.0 - whole.abs().log10().floor();
    format!("{t:.0$}", if digits.is_finite() { digits.clamp(0.0, 17.0) as usize } else { 6 })
}

/// Results that are finished have files that say so: their process may have been killed just before its end.
pub fn tell_done(directory: &Path) {
    // This takes away the lock of that process.
    let Ok(_lock) = Lock::take(directory) else { return };
    for part in ["state.json.part", "STATE.part"] {
        let _ = std::fs::remove_file(directory.join(part));
    }
    let path = directory.join("state.json");
    let told = std::fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let Some(mut told) = told.filter(|told| told["status"] == "running") else { return };
    told["status"] = "done".into();
    let _ = replace(&path, format!("{told:#}\n").as_bytes());
    let path = directory.join("STATE");
    let Ok(text) = std::fs::read_to_string(&path) else { return };
    let _ = replace(&path, text.replacen("  running\n", "  done\n", 1).as_bytes());
}

fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::as_part_of;

    #[test]
    fn times_have_the_digits_that_matter() {
        assert_eq!(as_part_of(7.020000000000001e-1, 3.0), "0.70200");
        assert_eq!(as_part_of(2.1721e-4, 5e-4), "0.000217210");
        assert_eq!(as_part_of(1234.5, 40000.0), "1234.5");
        assert_eq!(as_part_of(0.0, 0.0), "0.000000");
    }
}
