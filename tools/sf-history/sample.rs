//! Columns of a history, read from the results: only the rows and columns that are needed, each once.

use std::collections::BTreeMap;

use solfec::ids::CatalogueRow;
use solfec::math::Vec3;
use solfec::model::{Model, Op, SolverSettings, StoredOp};
use solfec::query::{materials, Point};
use solfec_formats::results::{BodyColumns, BodyHistory, FrameTable, Results};

use super::item::{AtConstraints, Expr, Field, Item, Measure, Quantity, Solver, Who};
use super::resultant::{resultants, Resultant};
use super::table::{Column, Table};
use crate::cli::{number, select_bodies, CliError};

/// One domain of results in some of its frames, with what was read of it so far.
pub struct Source<'a> {
    results: &'a Results,
    domain: usize,
    frames: &'a FrameTable,
    /// Positions of the frames taken, ascending.
    taken: Vec<usize>,
    model: Option<&'a Model>,
    energies: BTreeMap<String, Vec<[f64; 6]>>,
    motions: BTreeMap<(u32, BodyColumns), BodyHistory>,
    resultants: BTreeMap<String, Vec<Resultant>>,
    /// Operations that acted, and the steps done by then.
    program: Option<Vec<(StoredOp, u64)>>,
    /// Doubts about what was read, each once.
    pub warnings: Vec<String>,
}

impl<'a> Source<'a> {
    /// `taken`: positions of frames, ascending. The model may be missing when no item names a body.
    pub fn new(
        results: &'a Results,
        domain: usize,
        model: Option<&'a Model>,
        taken: Vec<usize>,
    ) -> Result<Self, CliError> {
        Ok(Source {
            results,
            domain,
            frames: results.frames(domain)?,
            taken,
            model,
            energies: BTreeMap::new(),
            motions: BTreeMap::new(),
            resultants: BTreeMap::new(),
            program: None,
            warnings: Vec::new(),
        })
    }

    /// Times of the frames taken [s].
    pub fn times(&self) -> Vec<f64> {
        self.taken.iter().map(|&k| self.frames.time[k]).collect()
    }

    /// A row for each frame taken.
    pub fn table(&mut self, items: &[Item], with_run: bool) -> Result<Table, CliError> {
        let mut columns = Vec::new();
        if with_run {
            let run = self.taken.iter().map(|&k| f64::from(self.frames.run[k])).collect();
            columns.push(Column::plain("domain", "1", vec![self.domain as f64; self.taken.len()]));
            columns.push(Column::plain("run", "1", run));
        }
        columns.push(Column::plain("time", "s", self.times()));
        for item in items {
            let values = self.values(&item.expr)?;
            columns.push(Column::of(item, values));
        }
        Ok(Table { columns })
    }

    /// Values in the frames taken.
    pub fn values(&mut self, expr: &Expr) -> Result<Vec<f64>, CliError> {
        derive(expr, &mut |quantity| self.quantity(quantity))
    }

    fn quantity(&mut self, quantity: &Quantity) -> Result<Vec<f64>, CliError> {
        let (t, taken) = (self.frames, self.taken.clone());
        let each = |value: &dyn Fn(usize) -> f64| taken.iter().map(|&k| value(k)).collect();
        Ok(match quantity {
            Quantity::Energy { column, bodies } => self.energies(bodies)?.iter().map(|e| e[*column]).collect(),
            Quantity::Point { field, body, reference } => self.point(body, *field, *reference)?,
            Quantity::AtConstraints(at) => self.at_constraints(at)?,
            Quantity::Bodies => each(&|k| t.bodies(k) as f64),
            Quantity::Constraints => each(&|k| t.constraints(k) as f64),
            Quantity::Step => each(&|k| t.h[k]),
            Quantity::Iterations(solver) => {
                let program = self.program()?;
                each(&|k| if solver.ran(program, t.step_count[k]) { t.iterations[k] } else { f64::NAN })
            }
            Quantity::Merit => each(&|k| t.merit[k]),
            Quantity::SolverError => each(&|k| t.error[k]),
            Quantity::Births => self.changes(|c| &c.born_frame)?,
            Quantity::Deaths => self.changes(|c| &c.dead_frame)?,
            Quantity::Timer(name) => {
                // A timer that was never used shows 0.
                let phase = self.results.phases(self.domain)?.iter().position(|n| n == name);
                let (width, seconds) = self.results.seconds(self.domain, "frame")?;
                let spent = |k: usize| phase.and_then(|p| seconds.get(k * width + p).copied()).unwrap_or(0.0);
                (0..taken.len()).map(|row| self.since_row_before(row).map(spent).sum()).collect()
            }
            Quantity::Wall => {
                let (width, seconds) = self.results.seconds(self.domain, "step")?;
                let before = self.results.steps_before(self.domain)?;
                let after = |steps: u64| {
                    let rows = steps.checked_sub(before)? as usize;
                    seconds.get((rows * width).checked_sub(1)?).copied()
                };
                each(&|k| if t.step_count[k] == 0 { 0.0 } else { after(t.step_count[k]).unwrap_or(f64::NAN) })
            }
            Quantity::Absent => vec![f64::NAN; taken.len()],
        })
    }

    fn model(&self) -> Result<&'a Model, CliError> {
        self.model
            .ok_or_else(|| CliError::bad_input(format!("domain {} is not in the model of the results", self.domain)))
    }

    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    fn program(&mut self) -> Result<&[(StoredOp, u64)], CliError> {
        match &mut self.program {
            Some(program) => Ok(program),
            empty => Ok(empty.insert(self.results.program(self.domain)?)),
        }
    }

    fn energies(&mut self, bodies: &Who) -> Result<&[[f64; 6]], CliError> {
        let key = bodies.key();
        if !self.energies.contains_key(&key) {
            let rows = self.rows(bodies)?;
            let read = self.results.energies_in(self.domain, rows.as_deref(), &self.taken)?;
            self.energies.insert(key.clone(), read);
        }
        Ok(&self.energies[&key])
    }

    /// Catalogue rows of bodies, ascending; `None`: all.
    fn rows(&mut self, bodies: &Who) -> Result<Option<Vec<u32>>, CliError> {
        let Who::Rules(rules) = bodies else { return Ok(None) };
        let model = self.model()?;
        let mut chosen = vec![false; model.bodies.len()];
        for rule in rules {
            match select_bodies(model, std::slice::from_ref(rule)) {
                Ok(some) => chosen.iter_mut().zip(some).for_each(|(all, one)| *all |= one),
                Err(nobody) => self.warn(nobody),
            }
        }
        Ok(Some((0..chosen.len() as u32).filter(|&row| chosen[row as usize]).collect()))
    }

    /// In each frame the body that was made last counts, of those with the label.
    fn point(&mut self, body: &Who, field: Field, reference: Option<[f64; 3]>) -> Result<Vec<f64>, CliError> {
        let model = self.model()?;
        let rows = self.rows(body)?.unwrap_or_else(|| (0..model.bodies.len() as u32).collect());
        let label = |row: &u32| &model.bodies[*row as usize].label;
        if rows.iter().any(|row| label(row) != label(&rows[0]) || label(row).is_empty()) && rows.len() > 1 {
            let ids: Vec<String> = rows.iter().take(5).map(|&r| model.bodies[r as usize].id.to_string()).collect();
            return Err(CliError::bad_input(format!(
                "'{}' names {} bodies (ids {}, ...); name one as id:N",
                body.key(),
                rows.len(),
                ids.join(", ")
            )));
        }
        if rows.len() > 1 {
            self.warn(format!("'{}' is the label of {} bodies; the latest of them is shown", body.key(), rows.len()));
        }
        // NaN where the body is not there.
        let mut values = vec![f64::NAN; self.taken.len()];
        for row in rows {
            self.point_of(row, field, reference, &mut values)?;
        }
        Ok(values)
    }

    fn point_of(
        &mut self,
        row: u32,
        field: Field,
        reference: Option<[f64; 3]>,
        values: &mut [f64],
    ) -> Result<(), CliError> {
        let model = self.model()?;
        let body = &model.bodies[row as usize];
        let reference = reference.map_or(body.chars.center, Vec3::from);
        let columns = if matches!(field, Field::Velocity(_)) { BodyColumns::Velocity } else { BodyColumns::Place };
        if matches!(field, Field::Stress(_) | Field::Mises) {
            self.program()?;
        }
        if !self.motions.contains_key(&(row, columns)) {
            let read = self.results.body_motion(self.domain, row, &self.taken, columns)?;
            self.motions.insert((row, columns), read);
        }
        let history = &self.motions[&(row, columns)];
        let program = self.program.as_deref().unwrap_or_default();
        let shown = history.shown(model);
        let mut point = Point::new(reference);
        for (&at, (_, place)) in history.frames.iter().zip(shown.rows()) {
            let Some(view) = shown.view(CatalogueRow(row), place) else { continue };
            point = view.pin(&point);
            let tensor = || {
                let bulk = materials(model, program, self.frames.step_count[self.taken[at]]);
                view.stress(&point, &bulk).unwrap_or([f64::NAN; 7])
            };
            values[at] = match field {
                Field::Coordinate(axis) => view.place(&point)[axis],
                Field::Displacement(axis) => view.displacement(&point)[axis],
                Field::Velocity(axis) => view.velocity(&point)[axis],
                Field::Stress(component) => tensor()[component],
                Field::Mises => tensor()[6],
            };
        }
        Ok(())
    }

    fn at_constraints(&mut self, at: &AtConstraints) -> Result<Vec<f64>, CliError> {
        if let Some((_, length)) = at.direction.filter(|(_, length)| (length - 1.0).abs() > UNIT_LENGTH) {
            self.warn(format!("a direction of length {} is taken with length 1", number(length)));
        }
        let key = format!(
            "{:?} {} {:?} {} {} {}",
            at.measure,
            at.contacts_only,
            at.pair,
            at.on_bodies,
            at.direction.is_some(),
            at.bodies.key()
        );
        if !self.resultants.contains_key(&key) {
            let rows = self.rows(&at.bodies)?;
            let read = resultants(self.results, self.domain, at, rows.as_deref(), &self.taken)?;
            self.resultants.insert(key.clone(), read);
        }
        let value = |r: &Resultant| {
            let component = match at.direction {
                Some((d, _)) => (0..3).map(|i| d[i] * r.vector[i]).sum(),
                None => r.normal,
            };
            match at.measure {
                Measure::Gap => r.gap,
                Measure::Reaction => component,
                Measure::Velocity => component / r.count as f64,
            }
        };
        Ok(self.resultants[&key].iter().map(value).collect())
    }

    /// Frames whose events and seconds a row shows: those skipped since the row before count; the first row is its own
    /// frame.
    fn since_row_before(&self, row: usize) -> std::ops::RangeInclusive<usize> {
        let first = row.checked_sub(1).map_or(self.taken[row], |before| self.taken[before] + 1);
        first..=self.taken[row]
    }

    /// How many bodies have an event in each row. Those of the first frame were not born in it: they were there from
    /// the start.
    fn changes(&self, event: impl Fn(&solfec_formats::results::Catalogue) -> &Vec<i64>) -> Result<Vec<f64>, CliError> {
        let catalogue = self.results.catalogue(self.domain)?;
        let mut counts = vec![0.0; self.taken.len()];
        for &index in event(&catalogue) {
            let place = u64::try_from(index).ok().and_then(|i| self.frames.index.binary_search(&i).ok());
            let Some(frame) = place.filter(|&k| k > 0) else { continue };
            let row = self.taken.partition_point(|&k| k < frame);
            if row < self.taken.len() && self.since_row_before(row).contains(&frame) {
                counts[row] += 1.0;
            }
        }
        Ok(counts)
    }
}

/// A direction of this length is not remarked upon.
const UNIT_LENGTH: f64 = 1e-9;

impl Who {
    /// The rules as text.
    pub fn key(&self) -> String {
        match self {
            Who::All => "all".into(),
            Who::Rules(rules) => rules.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(","),
        }
    }
}

impl Solver {
    /// Whether it solved the last of `steps` steps: the last RUN before them says so.
    pub fn ran(self, program: &[(StoredOp, u64)], steps: u64) -> bool {
        let before = program.iter().rev().filter(|(_, at)| *at < steps);
        let run =
            before.map(|(op, _)| op).find_map(|op| if let Op::Run { solver, .. } = op { Some(solver) } else { None });
        match self {
            Solver::Any => true,
            Solver::GaussSeidel => matches!(run, Some(SolverSettings::GaussSeidel(_))),
            Solver::Newton => matches!(run, Some(SolverSettings::Newton(_))),
        }
    }
}

/// The values of an expression from those of its quantities.
pub fn derive(
    expr: &Expr,
    quantity: &mut dyn FnMut(&Quantity) -> Result<Vec<f64>, CliError>,
) -> Result<Vec<f64>, CliError> {
    Ok(match expr {
        Expr::Of(of) => quantity(of)?,
        Expr::Sum(terms) => {
            let mut sum: Vec<f64> = Vec::new();
            for term in terms {
                let values = derive(term, quantity)?;
                if sum.is_empty() {
                    sum = values;
                } else {
                    sum.iter_mut().zip(values).for_each(|(s, x)| *s += x);
                }
            }
            sum
        }
        Expr::Abs(of) => derive(of, quantity)?.into_iter().map(f64::abs).collect(),
        Expr::Cumsum(of) => {
            let mut sum = 0.0;
            let add = |x: f64| {
                sum += if x.is_nan() { 0.0 } else { x };
                if x.is_nan() {
                    x
                } else {
                    sum
                }
            };
            derive(of, quantity)?.into_iter().map(add).collect()
        }
        Expr::Diff(of) => {
            let values = derive(of, quantity)?;
            (0..values.len()).map(|i| if i == 0 { f64::NAN } else { values[i] - values[i - 1] }).collect()
        }
    })
}
