//! What results record beside frames: the step log, clock readings, RUNs, warnings, operations.

use solfec::frame::{StepRow, StepRows, WarningRows};
use solfec::model::StoredOp;
use solfec::table::Table;

use super::reader::Results;
use super::scan::base;
use super::segment;
use super::stored::RunRow;
use super::tables::{BaseRows, ProgramRows, RunRows};
use crate::error::{Error, Result};
use crate::model;

/// Clock readings [s].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timing {
    /// Names of the phases.
    pub name: Vec<String>,
    /// For each frame the seconds in each phase since the previous frame.
    pub frame: Vec<Vec<f64>>,
    /// For each step the seconds in each phase, then the wall clock.
    pub step: Vec<Vec<f64>>,
}

impl Results {
    /// The step log; every rank has the same.
    pub fn steps(&self, domain: usize) -> Result<Vec<StepRow>> {
        self.check(domain)?;
        let mut all = StepRows::default();
        for part in &self.parts()[0] {
            all.append(&mut segment::read_steps(&part.file, &base(domain))?);
        }
        Ok((0..all.rows()).map(|i| all.row(i)).collect())
    }

    /// Steps made before the first one of the step log: packed results with some frames begin it with the step that
    /// ends at the first of them.
    pub fn steps_before(&self, domain: usize) -> Result<u64> {
        let table = self.frames(domain)?;
        let (Some(&count), Some(&time), Some(&h)) = (table.step_count.first(), table.time.first(), table.h.first())
        else {
            return Ok(0);
        };
        for part in &self.parts()[0] {
            let log: Vec<f64> = part.file.get(&base(domain), "steps/time")?;
            if let Some(first) = log.first() {
                // A frame and the step that ends there have the same time up to rounding.
                let same = (first - time).abs() <= 1e-6 * h;
                return Ok(if same { count.saturating_sub(1) } else { 0 });
            }
        }
        Ok(0)
    }

    /// Clock readings of the first rank.
    pub fn timing(&self, domain: usize) -> Result<Timing> {
        let frame = self.seconds(domain, "frame")?;
        let step = self.seconds(domain, "step")?;
        let rows = |(width, flat): &(usize, Vec<f64>)| match width {
            0 => Vec::new(),
            width => flat.chunks_exact(*width).map(<[f64]>::to_vec).collect(),
        };
        Ok(Timing { name: self.phases(domain)?, frame: rows(&frame), step: rows(&step) })
    }

    /// Names of the phases of a time step that were timed.
    pub fn phases(&self, domain: usize) -> Result<Vec<String>> {
        self.check(domain)?;
        self.master().text(&format!("/timing/{domain}"), "name")
    }

    /// Clock readings of frames (`table` "frame": seconds in each phase since the previous one) or of steps ("step":
    /// seconds in each phase, then the wall clock), row by row, and the numbers in a row.
    pub fn seconds(&self, domain: usize, table: &str) -> Result<(usize, Vec<f64>)> {
        let at = format!("/timing/{domain}");
        let width = self.phases(domain)?.len() + usize::from(table == "step");
        let mut all = Vec::new();
        for part in self.parts()[0].iter().filter(|_| width > 0) {
            all.append(&mut part.file.read_flat(&at, table, width, None)?);
        }
        Ok((width, all))
    }

    /// The RUNs so far, as of the last commit.
    pub fn runs(&self, domain: usize) -> Result<Vec<RunRow>> {
        self.check(domain)?;
        let mut rows = RunRows::default();
        self.master().get_table(&base(domain), &mut rows)?;
        Ok(rows.runs())
    }

    /// Warnings of the run, as of the last commit; none of results written before there was this table.
    pub fn warnings(&self, domain: usize) -> Result<WarningRows> {
        self.check(domain)?;
        let mut rows = WarningRows::default();
        if self.master().has(&base(domain), "warnings") {
            self.master().get_table(&base(domain), &mut rows)?;
        }
        Ok(rows)
    }

    /// Bodies, constraints and loads of the model before the first RUN. The model file may be newer than the program,
    /// so that its tables do not say.
    pub fn base(&self, domain: usize) -> Result<[u64; 3]> {
        self.check(domain)?;
        let mut rows = BaseRows::default();
        self.master().get_table(&base(domain), &mut rows)?;
        let wrong = |rows: Vec<u64>| self.wrong(format!("program/base has {} rows, but 3 are wanted", rows.len()));
        rows.rows.try_into().map_err(wrong)
    }

    /// Operations that acted, and the time steps done by then.
    pub fn program(&self, domain: usize) -> Result<Vec<(StoredOp, u64)>> {
        let parse = |(i, (text, step)): (usize, (String, u64))| {
            let place = self.master().at(&base(domain), "program/steps");
            let op = model::program::parse(&text).map_err(|e| Error::format(&place, format!("row {i}: {e}")))?;
            Ok((op, step))
        };
        self.program_texts(domain)?.into_iter().enumerate().map(parse).collect()
    }

    /// The same as JSON.
    pub(super) fn program_texts(&self, domain: usize) -> Result<Vec<(String, u64)>> {
        self.check(domain)?;
        let mut program = ProgramRows::default();
        self.master().get_table(&base(domain), &mut program)?;
        Ok(program.steps.into_iter().zip(program.at_step).collect())
    }
}
