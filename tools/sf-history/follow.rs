//! `--follow`: rows are added as frames of a running job are committed, until the job is over.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use serde_json::Value;
use solfec_formats::results;

use super::args::{Args, Format};
use super::{check_domain, report_doubts, table};
use crate::cli::{open_results, CliError, Exit, TimeSpec, Warnings};

/// How often the directory is looked at. Frames are committed every 2 s, later every 2 % of the elapsed time: few
/// tables are made anew however long the job.
const LOOK: Duration = Duration::from_millis(250);

/// Results without `state.json` are over when they have not changed for so long.
const QUIET: Duration = Duration::from_secs(3);

/// Follows the job.
pub fn run(args: &Args, warnings: &mut Warnings) -> Result<(), CliError> {
    let delimiter = match args.format.unwrap_or(Format::Csv) {
        Format::Csv if !args.common.json => b',',
        Format::Tsv => b'\t',
        Format::Csv | Format::Json | Format::Npz | Format::H5 => {
            return Err(CliError::usage("--follow: rows are added as text; use --format csv or tsv"))
        }
    };
    if matches!(args.time, Some(TimeSpec::Last | TimeSpec::At(_))) {
        return Err(CliError::usage("--follow: which frame is nearest is not known yet; give a span T0:T1"));
    }
    // The master in a directory stands for it; a packed file does not grow.
    let of_file = || args.results.parent().map(Path::to_path_buf).unwrap_or_default();
    let directory = if args.results.is_file() { of_file() } else { args.results.clone() };
    let still = args.results == Path::new("-") || args.results.is_file() && !results::exists(&directory);
    if !still && !results::exists(&directory) && !args.common.quiet {
        let _ = writeln!(std::io::stderr(), "sf-history: note: waiting for results in {}", directory.display());
    }
    let (mut shown, mut seen) = (0, None);
    loop {
        // Asked before the frames are read, so that none is missed.
        let over = still || is_over(&directory);
        if still || results::exists(&directory) {
            let results = open_results(&args.results)?;
            check_domain(args, &results)?;
            let count = results.frames(args.domain)?.len();
            let steps = if args.per_step { results.steps(args.domain)?.len() } else { 0 };
            if seen != Some((count, steps)) {
                seen = Some((count, steps));
                let (table, doubts) = table(args, &results)?;
                let text = table.text(delimiter, &super::look(args)).map_err(super::table_error)?;
                let lines: Vec<&[u8]> = text.split_inclusive(|b| *b == b'\n').collect();
                write(lines.get(shown..).unwrap_or_default())?;
                shown = lines.len().max(shown);
                if over {
                    report_doubts(args, doubts, warnings)?;
                }
            }
        }
        if over {
            return Ok(());
        }
        wait()?;
    }
}

fn write(lines: &[&[u8]]) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    let all = lines.iter().try_for_each(|line| out.write_all(line)).and_then(|()| out.flush());
    all.map_err(|e| CliError::stdout(&e))
}

/// Waits a little; quietly ends when the reader of our output has gone.
fn wait() -> Result<(), CliError> {
    let out = std::io::stdout();
    let mut watched = [PollFd::new(&out, PollFlags::empty())];
    let pause = Timespec { tv_sec: 0, tv_nsec: LOOK.subsec_nanos().into() };
    match poll(&mut watched, Some(&pause)) {
        Ok(n) if n > 0 && watched[0].revents().contains(PollFlags::ERR) => Err(CliError::quiet(Exit::Success)),
        Ok(n) if n > 0 => {
            std::thread::sleep(LOOK);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Whether the job has ended: `state.json` says so, or the record of the run in the results is complete.
fn is_over(directory: &Path) -> bool {
    if let Some(state) = std::fs::read(directory.join("state.json")).ok().and_then(|b| serde_json::from_slice(&b).ok())
    {
        return state_is_over(&state);
    }
    // Without it: the record of the run is there, and nothing has changed for a while.
    let (Ok(results), Ok(changed)) = (results::Reader::open(directory), std::fs::metadata(directory)) else {
        return false;
    };
    let age = changed.modified().ok().and_then(|at| at.elapsed().ok()).unwrap_or_default();
    let of_run = |text: &String| serde_json::from_str::<Value>(text).is_ok_and(|run| run["tool"] == "sf-run");
    age > QUIET && results.provenance().is_ok_and(|p| p.runs.last().is_some_and(of_run))
}

fn state_is_over(state: &Value) -> bool {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let pid = state["pid"].as_i64().and_then(|pid| i32::try_from(pid).ok()).and_then(rustix::process::Pid::from_raw);
    // A job of this machine that was killed did not say so.
    let gone = pid.is_some_and(|pid| {
        state["host"] == host.trim() && rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH)
    });
    state["status"] != "running" || gone
}
