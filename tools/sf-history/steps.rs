//! `--per-step`: a row for each time step of the log.

use solfec_formats::results::Results;

use super::derive::{derive, Values};
use super::item::{Expr, Item, Quantity};
use super::selection::Selection;
use super::table::{Column, Table};
use crate::cli::CliError;
use solfec::frame::StepRow;
use solfec::model::Op;

/// The table of one domain.
pub fn table(
    results: &Results,
    domain: usize,
    items: &[Item],
    selection: &Selection,
    with_run: bool,
) -> Result<Table, CliError> {
    let steps = results.steps(domain)?;
    let times: Vec<f64> = steps.iter().map(|s| s.time).collect();
    let taken = selection.of(&times, steps.last().map_or(0.0, |s| s.h));
    let program = results.program(domain)?;
    let before = results.steps_before(domain)?;
    let mut columns = Vec::new();
    if with_run {
        let runs: Vec<u64> = program.iter().filter(|(op, _)| matches!(op, Op::Run { .. })).map(|(_, at)| *at).collect();
        let run = |k: usize| runs.iter().take_while(|at| **at <= before + k as u64).count().saturating_sub(1) as f64;
        columns.push(Column::plain("domain", "1", vec![domain as f64; taken.len()]));
        columns.push(Column::plain("run", "1", taken.iter().map(|&k| run(k)).collect()));
    }
    columns.push(Column::plain("time", "s", taken.iter().map(|&k| times[k]).collect()));
    let phases = results.phases(domain)?;
    let (width, seconds) = results.seconds(domain, "step")?;
    for item in items {
        let mut quantity = |quantity: &Quantity| {
            let clock = |column: Option<usize>, k: usize| column.and_then(|c| seconds.get(k * width + c).copied());
            let phase = if let Quantity::Timer(name) = quantity { phases.iter().position(|n| n == name) } else { None };
            let value = |k: usize| -> Option<f64> {
                let s = &steps[k];
                Some(match quantity {
                    Quantity::Bodies => s.bodies as f64,
                    Quantity::Constraints => s.constraints as f64,
                    Quantity::Step => s.h,
                    Quantity::Iterations(solver) if solver.ran(&program, before + k as u64 + 1) => {
                        f64::from(s.iterations)
                    }
                    Quantity::Iterations(_) | Quantity::Absent => f64::NAN,
                    Quantity::OfSweep(which) => of_sweep(s, *which),
                    Quantity::Merit => s.merit,
                    Quantity::SolverError => s.error,
                    Quantity::Timer(_) => clock(phase, k).unwrap_or(0.0),
                    Quantity::Wall => clock(width.checked_sub(1), k).unwrap_or(f64::NAN),
                    Quantity::Energy { .. }
                    | Quantity::Derived { .. }
                    | Quantity::Momentum { .. }
                    | Quantity::Point { .. }
                    | Quantity::AtConstraints(_)
                    | Quantity::Births
                    | Quantity::Deaths => return None,
                })
            };
            let values: Option<Vec<f64>> = taken.iter().map(|&k| value(k)).collect();
            values.ok_or_else(|| {
                CliError::usage(format!("{}: has a value in frames only; leave out --per-step", item.title))
            })
        };
        let values = derive(&item.expr, &mut Log { rows: taken.len(), quantity: &mut quantity })?;
        columns.push(Column::of(item, values));
    }
    Ok(Table { columns })
}

/// A number of the sweep of several ranks, in the order of [`SETS`](super::item::SETS).
pub fn of_sweep(step: &StepRow, which: usize) -> f64 {
    [step.colours, step.bottom, step.middle, step.top, step.inner][which]
}

type Read<'a> = &'a mut dyn FnMut(&Quantity) -> Result<Vec<f64>, CliError>;

/// The step log knows no bodies.
struct Log<'a> {
    rows: usize,
    quantity: Read<'a>,
}

impl Values for Log<'_> {
    fn rows(&self) -> usize {
        self.rows
    }

    fn quantity(&mut self, quantity: &Quantity) -> Result<Vec<f64>, CliError> {
        (self.quantity)(quantity)
    }

    fn for_each_body(&mut self, expr: &Expr) -> Result<Vec<Vec<f64>>, CliError> {
        Ok(vec![derive(expr, self)?])
    }
}
