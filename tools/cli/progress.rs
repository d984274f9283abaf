//! Progress on standard error: a line rewritten at most five times a second on a terminal; elsewhere at most one plain
//! line a minute, the first after a minute unless plain lines were asked for; or JSON lines. `-v` adds lines for frames
//! and checkpoints, `-vv` one for each step.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use super::{json_number, number, Common, Pace, ProgressMode};

const TERMINAL_INTERVAL: Duration = Duration::from_millis(200);
const PLAIN_INTERVAL: Duration = Duration::from_secs(60);

/// What is told of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepInfo {
    pub step: u64,
    /// End of the step [s].
    pub time: f64,
    pub h: f64,
    pub contacts: u64,
    pub iterations: u32,
    pub merit: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Line,
    Plain {
        at_once: bool,
    },
    Json,
    /// The percentage of each RUN rewritten in place, as the original did for `verbose='%'`; with a line for each RUN.
    Percent {
        lines: bool,
    },
    Silent,
}

/// Reports the progress of runs, each from time `start` to `end`.
pub struct Progress {
    style: Style,
    tool: &'static str,
    /// Least time between JSON lines.
    interval: Duration,
    /// How often `-v` was given.
    verbose: u8,
    start: f64,
    end: f64,
    began: Instant,
    pace: Pace,
    /// Elapsed time of the last report.
    last: Option<Duration>,
    /// Length of the line on the terminal.
    shown: usize,
    /// The percentage shown.
    percent: Option<u8>,
}

impl Progress {
    pub fn new(tool: &'static str, common: &Common, start: f64, end: f64) -> Self {
        Progress { start, end, ..Self::of_runs(tool, common, "ON", TERMINAL_INTERVAL) }
    }

    /// Of several runs, see [`Progress::begin`]. `verbose` is that of the SOLFEC object, which a choice on the command
    /// line outdoes; JSON lines come at most once in `interval`.
    pub fn of_runs(tool: &'static str, common: &Common, verbose: &str, interval: Duration) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let style = match (common.quiet, common.json, common.progress) {
            (true, _, _) | (_, _, ProgressMode::None) => Style::Silent,
            (_, _, ProgressMode::Json) | (_, true, ProgressMode::Auto) => Style::Json,
            (_, _, ProgressMode::Bar) => Style::Line,
            (_, _, ProgressMode::Auto) if verbose == "OFF" => Style::Silent,
            (_, _, ProgressMode::Auto) if verbose.starts_with('%') => Style::Percent { lines: verbose.ends_with('\n') },
            (_, _, ProgressMode::Auto) if terminal => Style::Line,
            (_, _, ProgressMode::Auto) => Style::Plain { at_once: false },
            (_, _, ProgressMode::Plain) => Style::Plain { at_once: true },
        };
        Progress {
            style,
            tool,
            interval,
            verbose: if common.quiet || style == Style::Json { 0 } else { common.verbose },
            start: 0.0,
            end: 0.0,
            began: Instant::now(),
            pace: Pace::begin(Duration::ZERO, 0.0),
            last: None,
            shown: 0,
            percent: None,
        }
    }

    /// A run from time `start` to `end` begins.
    pub fn begin(&mut self, start: f64, end: f64) {
        (self.start, self.end, self.began, self.last, self.percent) = (start, end, Instant::now(), None, None);
        self.pace = Pace::begin(Duration::ZERO, start);
    }

    /// It is over; its percentage gets a line of its own if that is wanted.
    pub fn end(&mut self) {
        if self.style == (Style::Percent { lines: true }) && self.shown > 0 {
            print("\n");
            self.shown = 0;
        }
    }

    /// Tells of a step if it is time to; cheap otherwise.
    pub fn step(&mut self, info: &StepInfo) {
        if self.verbose > 1 {
            let now = self.began.elapsed();
            self.pace.reach(now, info.time);
            self.clear();
            return print(&format!("{}: {}, merit {:.1e}\n", self.tool, self.line(info, now), info.merit));
        }
        if self.style == Style::Silent {
            return;
        }
        if let Style::Percent { .. } = self.style {
            return self.percent(info.time);
        }
        let now = self.began.elapsed();
        self.pace.reach(now, info.time);
        let interval = if self.style == Style::Json { self.interval } else { TERMINAL_INTERVAL };
        if !due(self.style, self.last, now, interval) {
            return;
        }
        self.last = Some(now);
        match self.style {
            Style::Line => {
                let text = self.line(info, now);
                let blanks = self.shown.saturating_sub(text.len());
                self.shown = text.len();
                print(&format!("\r{text}{:blanks$}", ""));
            }
            Style::Plain { .. } => print(&format!("{}: {}\n", self.tool, self.line(info, now))),
            Style::Json => print(&format!("{}\n", step_json(info, now))),
            Style::Percent { .. } | Style::Silent => {}
        }
    }

    /// `step 561  time 0.561000 of 3 s  19 %  contacts 903  iterations 200  ETA 0:00:24`.
    fn line(&self, info: &StepInfo, now: Duration) -> String {
        let left = self.pace.left(now, info.time, self.end).map_or_else(|| "?".into(), clock);
        let part = (info.time - self.start) / (self.end - self.start);
        let percent = if part.is_finite() { 100.0 * part.clamp(0.0, 1.0) } else { 0.0 };
        format!(
            "step {}  time {:.6} of {} s  {percent:.0} %  contacts {}  iterations {}  ETA {left}",
            info.step,
            info.time,
            number(self.end),
            info.contacts,
            info.iterations
        )
    }

    /// At most a hundred times a run.
    fn percent(&mut self, time: f64) {
        let part = (time - self.start) / (self.end - self.start);
        let percent = (100.0 * part.clamp(0.0, 1.0)).round() as u8;
        if self.percent != Some(percent) {
            let text = format!("{percent:3}%");
            print(&format!("{}{text}", "\x08".repeat(self.shown)));
            (self.shown, self.percent) = (text.len(), Some(percent));
        }
    }

    /// Tells that a checkpoint is written (`-v` only).
    pub fn checkpoint(&mut self, time: f64) {
        self.detail(&format!("checkpoint at t={time:.6}"));
    }

    /// A line of `-v`.
    fn detail(&mut self, text: &str) {
        if self.verbose > 0 {
            self.clear();
            print(&format!("{}: {text}\n", self.tool));
        }
    }

    /// Tells that frame `index` is stored (JSON and `-v`).
    pub fn frame(&mut self, index: u64, time: f64) {
        self.detail(&format!("frame {index} at t={time:.6}"));
        if self.style == Style::Json {
            print(&format!("{}\n", serde_json::json!({"ev": "frame", "k": index, "t": time})));
        }
    }

    /// Tells of a warning (JSON only; people get the warning line itself).
    pub fn warning(&mut self, kind: &str, time: f64, text: &str) {
        if self.style == Style::Json {
            let code = format!("W_{}", kind.to_uppercase().replace(['-', ' '], "_"));
            let line = serde_json::json!({"ev": "warn", "code": code, "t": time, "text": text});
            print(&format!("{line}\n"));
        }
    }

    /// Clears the line, so that something else can be printed.
    pub fn clear(&mut self) {
        if self.shown > 0 {
            print(&format!("\r{:width$}\r", "", width = self.shown));
            self.shown = 0;
        }
    }

    /// Ends the report; `status` is `ok`, `stopped` or `failed`.
    pub fn finish(&mut self, status: &str, time: f64, exit: u8) {
        self.clear();
        if self.style == Style::Json {
            let end = serde_json::json!({"ev": "end", "status": status, "t": time, "exit": exit});
            print(&format!("{end}\n"));
        }
    }
}

/// Progress is a courtesy: a closed standard error does not stop the work.
fn print(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

fn due(style: Style, last: Option<Duration>, now: Duration, interval: Duration) -> bool {
    match (style, last) {
        (Style::Silent, _) => false,
        (Style::Plain { at_once }, None) => at_once || now >= PLAIN_INTERVAL,
        (Style::Plain { .. }, Some(last)) => now - last >= PLAIN_INTERVAL,
        (_, None) => true,
        (_, Some(last)) => now - last >= interval,
    }
}

/// `h:mm:ss`.
fn clock(d: Duration) -> String {
    let s = d.as_secs();
    format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

fn step_json(info: &StepInfo, now: Duration) -> serde_json::Value {
    serde_json::json!({"ev": "step", "t": info.time, "n": info.step, "h": info.h, "ncon": info.contacts,
        "iters": info.iterations, "merit": json_number(info.merit), "wall": now.as_secs_f64()})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_a_number_is_a_word() {
        let info = StepInfo { merit: f64::NAN, ..StepInfo::default() };
        assert_eq!(step_json(&info, Duration::ZERO)["merit"], "nan");
    }

    #[test]
    fn silence_in_a_pipe_for_a_minute() {
        let s = Duration::from_secs;
        let pipe = Style::Plain { at_once: false };
        assert!(!due(pipe, None, s(59), s(1)));
        assert!(due(pipe, None, s(60), s(1)));
        assert!(!due(pipe, Some(s(60)), s(119), s(1)));
        assert!(due(pipe, Some(s(60)), s(120), s(1)));
        assert!(due(Style::Plain { at_once: true }, None, s(0), s(1)));
    }

    #[test]
    fn five_lines_a_second_on_a_terminal() {
        let ms = Duration::from_millis;
        assert!(due(Style::Line, None, ms(0), ms(200)));
        assert!(!due(Style::Line, Some(ms(0)), ms(199), ms(200)));
        assert!(due(Style::Line, Some(ms(0)), ms(200), ms(200)));
    }

    #[test]
    fn time_left_is_a_clock() {
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }
}
