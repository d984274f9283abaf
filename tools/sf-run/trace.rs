//! `--trace-steps`: one line of CSV for every step, while the run goes on.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::cli::{number, CliError};
use solfec::simulation::StepReport;

use super::timers::{timers, TIMERS};

/// Lines wait no longer than this.
const LATENCY: Duration = Duration::from_secs(1);

pub struct Trace {
    path: PathBuf,
    file: BufWriter<File>,
    flushed: Instant,
}

impl Trace {
    /// Opens the file; a job that goes on appends to it.
    pub fn open(path: &Path, append: bool) -> Result<Trace, CliError> {
        let fail = |e| CliError::file(path, "write", &e);
        let append = append && path.exists();
        let mut open = OpenOptions::new();
        open.create(true).write(true).append(append).truncate(!append);
        let file = BufWriter::new(open.open(path).map_err(fail)?);
        let mut trace = Trace { path: path.into(), file, flushed: Instant::now() };
        if !append {
            let head = "results,domain,step,time,h,bodies,contacts,constraints,iterations,merit,error";
            trace.line(&format!("{head},{}\n", TIMERS.join(",")))?;
        }
        Ok(trace)
    }

    /// A step of a domain of the results in `directory`.
    pub fn step(&mut self, directory: &Path, domain: usize, report: &StepReport) -> Result<(), CliError> {
        let mut line = format!("{},{domain},{}", quoted(&directory.display().to_string()), report.step);
        let counts = [report.bodies, report.contacts, report.constraints, report.solver.iterations as usize];
        let numbers = [report.time, report.h].into_iter().map(number);
        let numbers = numbers.chain(counts.iter().map(usize::to_string));
        let numbers = numbers.chain([report.solver.merit, report.solver.error].into_iter().map(number));
        for text in numbers.chain(timers(&report.phases).into_iter().map(number)) {
            line += ",";
            line += &text;
        }
        self.line(&(line + "\n"))?;
        if self.flushed.elapsed() >= LATENCY {
            self.flushed = Instant::now();
            self.file.flush().map_err(|e| CliError::file(&self.path, "write", &e))?;
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), CliError> {
        self.file.write_all(line.as_bytes()).map_err(|e| CliError::file(&self.path, "write", &e))
    }

    pub fn finish(&mut self) -> Result<(), CliError> {
        self.file.flush().map_err(|e| CliError::file(&self.path, "write", &e))
    }
}

/// A text as a field of CSV.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}
