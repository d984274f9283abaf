//! Columns of a history, read from the results: only the rows and columns that are needed, each once.

use std::collections::BTreeMap;

use solfec::ids::CatalogueRow;
use solfec::math::Vec3;
use solfec::model::{BodyRow, Model, Op, SolverSettings, StoredOp};
use solfec::query::{holds, materials, rotation_near, NodalMasses, Point};
use solfec_formats::results::{BodyColumns, BodyHistory, FrameTable, Results};

use super::derive::{derive, Values};
use super::item::{AtConstraints, Expr, Field, Item, Measure, Quantity, Solver, Who};
use super::resultant::{resultants, Resultant};
use super::steps::of_sweep;
use super::table::{Column, Table};
use crate::cli::{number, select_bodies, CliError};

/// One domain of results in some of its frames, with what was read of it so far.
pub struct Source<'a> {
    pub(super) results: &'a Results,
    pub(super) domain: usize,
    pub(super) frames: &'a FrameTable,
    /// Positions of the frames taken, ascending.
    pub(super) taken: Vec<usize>,
    model: Option<&'a Model>,
    energies: BTreeMap<String, Vec<[f64; 6]>>,
    motions: BTreeMap<(u32, BodyColumns), BodyHistory>,
    resultants: BTreeMap<String, Vec<Resultant>>,
    /// Operations that acted, and the steps done by then.
    program: Option<Vec<(StoredOp, u64)>>,
    /// The one body that this pattern stands for at present.
    bound: Option<(String, u32)>,
    /// Stresses at points of deforming bodies are the recovered ones.
    pub recovered: bool,
    /// Doubts about what was read, each once.
    pub warnings: Vec<String>,
    /// The first frame of each body, -1: none; read when an item first names bodies.
    born: Option<Vec<i64>>,
    /// Items that no body matches: their bodies as text, and what to say.
    pub unmatched: BTreeMap<String, String>,
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
            bound: None,
            recovered: false,
            warnings: Vec::new(),
            born: None,
            unmatched: BTreeMap::new(),
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
        derive(expr, self)
    }

    fn read(&mut self, quantity: &Quantity) -> Result<Vec<f64>, CliError> {
        let (t, taken) = (self.frames, self.taken.clone());
        let each = |value: &dyn Fn(usize) -> f64| taken.iter().map(|&k| value(k)).collect();
        Ok(match quantity {
            Quantity::Energy { column, bodies } => self.energies(bodies)?.iter().map(|e| e[*column]).collect(),
            Quantity::Derived { what, bodies } => self.derived(*what, bodies)?,
            Quantity::Momentum { axis, angular, bodies } => {
                let sums = self.momenta(bodies)?;
                sums.iter().map(|m| if *angular { m.angular[*axis] } else { m.linear[*axis] }).collect()
            }
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
            Quantity::OfSweep(which) => {
                let steps = self.results.steps(self.domain)?;
                let before = self.results.steps_before(self.domain)?;
                let row = |k: usize| Some(t.step_count[k].checked_sub(before)?.checked_sub(1)? as usize);
                each(&|k| row(k).and_then(|row| steps.get(row)).map_or(f64::NAN, |step| of_sweep(step, *which)))
            }
            Quantity::Absent => vec![f64::NAN; taken.len()],
        })
    }

    pub(super) fn model(&self) -> Result<&'a Model, CliError> {
        self.model
            .ok_or_else(|| CliError::bad_input(format!("domain {} is not in the model of the results", self.domain)))
    }

    pub(super) fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    pub(super) fn program(&mut self) -> Result<&[(StoredOp, u64)], CliError> {
        match &mut self.program {
            Some(program) => Ok(program),
            empty => Ok(empty.insert(self.results.program(self.domain)?)),
        }
    }

    pub(super) fn energies(&mut self, bodies: &Who) -> Result<&[[f64; 6]], CliError> {
        let key = self.key(bodies);
        if !self.energies.contains_key(&key) {
            let rows = self.rows(bodies)?;
            let read = self.results.energies_in(self.domain, rows.as_deref(), &self.taken)?;
            self.energies.insert(key.clone(), read);
        }
        Ok(&self.energies[&key])
    }

    /// Catalogue rows of bodies, ascending; `None`: all.
    pub(super) fn rows(&mut self, bodies: &Who) -> Result<Option<Vec<u32>>, CliError> {
        let Who::Rules(rules) = bodies else { return Ok(None) };
        if let Some((_, row)) = self.bound.iter().find(|(key, _)| *key == bodies.key()) {
            return Ok(Some(vec![*row]));
        }
        let model = self.model()?;
        let mut chosen = vec![false; model.bodies.len()];
        let mut doubts = Vec::new();
        for rule in rules {
            match select_bodies(model, std::slice::from_ref(rule)) {
                Ok(some) => chosen.iter_mut().zip(some).for_each(|(all, one)| *all |= one),
                Err(nobody) => doubts.push(nobody),
            }
        }
        let rows: Vec<u32> = (0..chosen.len() as u32).filter(|&row| chosen[row as usize]).collect();
        if doubts.len() == rules.len() {
            self.unmatched.insert(bodies.key(), doubts.join("; "));
        } else {
            doubts.into_iter().for_each(|nobody| self.warn(nobody));
            self.expect_some(bodies, &rows)?;
        }
        Ok(Some(rows))
    }

    /// Bodies that are in no frame, as packed results of some bodies do not have the others, match no item.
    fn expect_some(&mut self, bodies: &Who, rows: &[u32]) -> Result<(), CliError> {
        let born = match &mut self.born {
            Some(born) => born,
            empty => empty.insert(self.results.catalogue(self.domain)?.born_frame),
        };
        let shown = |row: &u32| born.get(*row as usize).is_some_and(|frame| *frame >= 0);
        if !self.taken.is_empty() && !rows.is_empty() && !rows.iter().any(shown) {
            let text = format!("'{}' is in no frame of these results; see sf-info", bodies.key());
            self.unmatched.insert(bodies.key(), text);
        }
        Ok(())
    }

    /// What is known of bodies is kept under this name.
    pub(super) fn key(&self, bodies: &Who) -> String {
        match &self.bound {
            Some((key, row)) if *key == bodies.key() => format!("row {row} of {key}"),
            _ => bodies.key(),
        }
    }

    /// In each frame the body that was made last counts, of those with the label.
    fn point(&mut self, body: &Who, field: Field, reference: Option<[f64; 3]>) -> Result<Vec<f64>, CliError> {
        let model = self.model()?;
        let rows = match &self.bound {
            Some((key, row)) if *key == body.key() => vec![*row],
            _ => self.rows(body)?.unwrap_or_else(|| (0..model.bodies.len() as u32).collect()),
        };
        let label = |row: &u32| &model.bodies[*row as usize].label;
        if rows.iter().any(|row| label(row) != label(&rows[0]) || label(row).is_empty()) && rows.len() > 1 {
            let ids: Vec<String> = rows.iter().take(5).map(|&r| model.bodies[r as usize].id.to_string()).collect();
            return Err(CliError::bad_input(format!(
                "'{}' names {} bodies (ids {}, ...); name one as id:N, or take max() or min() over them",
                body.key(),
                rows.len(),
                ids.join(", ")
            )));
        }
        if rows.len() > 1 {
            self.warn(format!("'{}' is the label of {} bodies; the latest of them is shown", body.key(), rows.len()));
        }
        // NaN where the body is not there, or has no such point.
        let mut values = vec![f64::NAN; self.taken.len()];
        for row in rows {
            let body = &model.bodies[row as usize];
            let doubt = reference.and_then(|reference| outside(model, body, &reference.into()));
            let known = doubt.is_none() || body.kind.moves_all_places();
            doubt.into_iter().for_each(|doubt| self.warn(doubt));
            if known {
                self.point_of(row, field, reference, &mut values)?;
            }
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
        let columns = match field {
            Field::Velocity(_) => BodyColumns::Velocity,
            Field::Spin(_) => BodyColumns::All,
            Field::Coordinate(_) | Field::Displacement(_) | Field::Stress(_) | Field::Mises | Field::Turn(_) => {
                BodyColumns::Place
            }
        };
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
        let recovered = self.recovered;
        let mut turned = Vec3::zeros();
        let mut masses = NodalMasses::default();
        for (&at, (_, place)) in history.frames.iter().zip(shown.rows()) {
            let Some(view) = shown.view(CatalogueRow(row), place) else { continue };
            point = view.pin(&point);
            let tensor = || {
                let bulk = materials(model, program, self.frames.step_count[self.taken[at]]);
                let found = if recovered {
                    view.recovered_stresses(&[point], &bulk).and_then(|found| found.first().copied())
                } else {
                    view.stress(&point, &bulk)
                };
                found.unwrap_or([f64::NAN; 7])
            };
            values[at] = match field {
                Field::Coordinate(axis) => view.place(&point)[axis],
                Field::Displacement(axis) => view.displacement(&point)[axis],
                Field::Velocity(axis) => view.velocity(&point)[axis],
                Field::Stress(component) => tensor()[component],
                Field::Mises => tensor()[6],
                Field::Spin(axis) => view.angular_velocity(&mut masses).map_or(f64::NAN, |spin| spin[axis]),
                Field::Turn(axis) => view.rotation(&mut masses).map_or(f64::NAN, |rotation| {
                    turned = rotation_near(&rotation, &turned);
                    turned[axis]
                }),
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
            self.key(&at.bodies)
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

impl Values for Source<'_> {
    fn rows(&self) -> usize {
        self.taken.len()
    }

    fn quantity(&mut self, quantity: &Quantity) -> Result<Vec<f64>, CliError> {
        self.read(quantity)
    }

    fn for_each_body(&mut self, expr: &Expr) -> Result<Vec<Vec<f64>>, CliError> {
        let Some((key, rows)) = self.pattern(expr)? else { return Ok(vec![derive(expr, self)?]) };
        let outer = self.bound.take();
        let mut all = Vec::new();
        for row in rows {
            self.bound = Some((key.clone(), row));
            all.push(derive(expr, self)?);
        }
        self.bound = outer;
        Ok(all)
    }
}

impl Source<'_> {
    /// The pattern in an expression that names several bodies, and their rows.
    fn pattern(&mut self, expr: &Expr) -> Result<Option<(String, Vec<u32>)>, CliError> {
        let mut found: Option<(String, Vec<u32>)> = None;
        for quantity in expr.quantities() {
            let at_point = matches!(quantity, Quantity::Point { .. });
            let Some(who) = quantity.bodies().filter(|who| at_point || matches!(who, Who::Rules(_))) else { continue };
            let key = who.key();
            if self.bound.iter().any(|(known, _)| *known == key) || found.iter().any(|(known, _)| *known == key) {
                continue;
            }
            let bodies = self.model()?.bodies.len() as u32;
            let rows = self.rows(who)?.unwrap_or_else(|| (0..bodies).collect());
            if rows.len() < 2 {
                continue;
            }
            if let Some((other, _)) = &found {
                return Err(CliError::bad_input(format!(
                    "'{other}' and '{key}' both name several bodies; use one pattern in an argument of max() or min()"
                )));
            }
            found = Some((key, rows));
        }
        Ok(found)
    }
}

/// What is said of a point that does not lie in its body.
pub fn outside(model: &Model, body: &BodyRow, reference: &Vec3) -> Option<String> {
    if holds(model, body, reference) {
        return None;
    }
    let then = if body.kind.moves_all_places() { "it is moved with the body" } else { "its values are NaN" };
    let [x, y, z] = <[f64; 3]>::from(*reference).map(number);
    Some(format!("the point ({x}, {y}, {z}) is outside {}; {then}", body.title()))
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
        let run = before.map(|(op, _)| op).find_map(|op| {
            if let Op::Run { solver, .. } = op {
                Some(&solver.settings)
            } else {
                None
            }
        });
        match self {
            Solver::Any => true,
            Solver::GaussSeidel => matches!(run, Some(SolverSettings::GaussSeidel(_))),
            Solver::Newton => matches!(run, Some(SolverSettings::Newton(_))),
        }
    }
}
