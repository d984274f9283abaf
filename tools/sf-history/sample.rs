//! Columns of a history, read from the results: only the rows that are needed, each once.

use std::collections::BTreeMap;

use solfec::math::Vec3;
use solfec::model::Model;
use solfec::query::{flow_of_pseudo, flow_of_rigid, Flow};
use solfec_formats::results::{BodyHistory, FrameTable, Results, Timing};

use super::item::{Field, Item, Quantity};
use super::table::{Column, Table};
use crate::cli::{select_bodies, select_frames, BodyRule, CliError, TimeSpec};

/// What `--time` and `--every` say.
#[derive(Debug, Clone)]
pub struct Selection {
    pub time: Option<TimeSpec>,
    pub every: usize,
}

impl Selection {
    fn of(&self, times: &[f64], h: f64) -> Vec<usize> {
        select_frames(times, h, self.time.as_ref(), self.every)
    }
}

/// One domain of results, with what was read of it so far.
pub struct Source<'a> {
    results: &'a Results,
    domain: usize,
    frames: &'a FrameTable,
    model: Option<&'a Model>,
    energies: BTreeMap<Option<String>, Vec<[f64; 6]>>,
    histories: BTreeMap<u32, BodyHistory>,
    timing: Option<Timing>,
    /// Births and deaths in each frame.
    changes: Option<Vec<[f64; 2]>>,
}

impl<'a> Source<'a> {
    /// `model` may be missing when no item names a body.
    pub fn new(results: &'a Results, domain: usize, model: Option<&'a Model>) -> Result<Self, CliError> {
        Ok(Source {
            results,
            domain,
            frames: results.frames(domain)?,
            model,
            energies: BTreeMap::new(),
            histories: BTreeMap::new(),
            timing: None,
            changes: None,
        })
    }

    /// A row for each frame of the selection.
    pub fn per_frame(&mut self, items: &[Item], selection: &Selection, with_run: bool) -> Result<Table, CliError> {
        let h = self.frames.h.last().copied().unwrap_or(0.0);
        let taken = selection.of(&self.frames.time, h);
        let mut columns = Vec::new();
        if with_run {
            let run = taken.iter().map(|&k| f64::from(self.frames.run[k])).collect();
            columns.push(plain("domain", "1", vec![self.domain as f64; taken.len()]));
            columns.push(plain("run", "1", run));
        }
        columns.push(plain("time", "s", taken.iter().map(|&k| self.frames.time[k]).collect()));
        for item in items {
            let all = self.column(item)?;
            columns.push(titled(item, taken.iter().map(|&k| all[k]).collect()));
        }
        Ok(Table { columns })
    }

    /// A row for each time step of the selection.
    pub fn per_step(&mut self, items: &[Item], selection: &Selection) -> Result<Table, CliError> {
        let steps = self.results.steps(self.domain)?;
        let times: Vec<f64> = steps.iter().map(|s| s.time).collect();
        let taken = selection.of(&times, steps.last().map_or(0.0, |s| s.h));
        let mut columns = vec![plain("time", "s", taken.iter().map(|&k| times[k]).collect())];
        for item in items {
            let phase = match &item.quantity {
                Quantity::Timer(name) => self.timing()?.name.iter().position(|n| n == name),
                _ => None,
            };
            let seconds = &self.timing()?.step;
            let value = |k: usize| -> Option<f64> {
                let s = &steps[k];
                Some(match &item.quantity {
                    Quantity::Bodies => s.bodies as f64,
                    Quantity::Constraints => s.constraints as f64,
                    Quantity::Step => s.h,
                    Quantity::Iterations => f64::from(s.iterations),
                    Quantity::Merit => s.merit,
                    Quantity::SolverError => s.error,
                    Quantity::Timer(_) => phase.and_then(|p| seconds.get(k)?.get(p).copied()).unwrap_or(0.0),
                    Quantity::Absent => f64::NAN,
                    _ => return None,
                })
            };
            let values: Option<Vec<f64>> = taken.iter().map(|&k| value(k)).collect();
            let values = values.ok_or_else(|| {
                CliError::usage(format!("{}: has a value in frames only; leave out --per-step", item.title))
            })?;
            columns.push(titled(item, values));
        }
        Ok(Table { columns })
    }

    /// Values of an item in all frames.
    fn column(&mut self, item: &Item) -> Result<Vec<f64>, CliError> {
        let t = self.frames;
        let of_frames = |value: &dyn Fn(usize) -> f64| (0..t.len()).map(value).collect();
        Ok(match &item.quantity {
            Quantity::Energy { column, bodies } => {
                let energies = self.energies(bodies.as_ref())?;
                energies.iter().map(|e| e[*column]).collect()
            }
            Quantity::Point { field, axis, body, reference } => {
                self.point(body, *field, *axis, &(*reference).into())?
            }
            Quantity::Bodies => of_frames(&|k| t.bodies(k) as f64),
            Quantity::Constraints => of_frames(&|k| t.constraints(k) as f64),
            Quantity::Step => t.h.clone(),
            Quantity::Iterations => t.iterations.clone(),
            Quantity::Merit => t.merit.clone(),
            Quantity::SolverError => t.error.clone(),
            Quantity::Births => self.changes()?.iter().map(|c| c[0]).collect(),
            Quantity::Deaths => self.changes()?.iter().map(|c| c[1]).collect(),
            Quantity::Timer(name) => {
                let timing = self.timing()?;
                // A timer that was never used shows 0 (commands-and-results.md D.3).
                let phase = timing.name.iter().position(|n| n == name);
                let seconds = |k: usize| phase.and_then(|p| timing.frame.get(k)?.get(p).copied());
                (0..t.len()).map(|k| seconds(k).unwrap_or(0.0)).collect()
            }
            Quantity::Absent => vec![f64::NAN; t.len()],
        })
    }

    fn model(&self) -> Result<&'a Model, CliError> {
        self.model
            .ok_or_else(|| CliError::bad_input(format!("domain {} is not in the model of the results", self.domain)))
    }

    fn energies(&mut self, bodies: Option<&(String, BodyRule)>) -> Result<&[[f64; 6]], CliError> {
        let key = bodies.map(|b| b.0.clone());
        if !self.energies.contains_key(&key) {
            let rows = match bodies {
                Some(rule) => Some(self.rows(rule)?),
                None => None,
            };
            let read = self.results.energies(self.domain, rows.as_deref())?;
            self.energies.insert(key.clone(), read);
        }
        Ok(&self.energies[&key])
    }

    /// Catalogue rows of the bodies that a rule names.
    fn rows(&self, rule: &(String, BodyRule)) -> Result<Vec<u32>, CliError> {
        let chosen = select_bodies(self.model()?, std::slice::from_ref(rule)).map_err(CliError::bad_input)?;
        Ok((0..chosen.len() as u32).filter(|&row| chosen[row as usize]).collect())
    }

    fn point(
        &mut self,
        rule: &(String, BodyRule),
        field: Field,
        axis: usize,
        reference: &Vec3,
    ) -> Result<Vec<f64>, CliError> {
        let model = self.model()?;
        let rows = self.rows(rule)?;
        let &[row] = rows.as_slice() else {
            let ids: Vec<String> = rows.iter().take(5).map(|&r| model.bodies[r as usize].id.to_string()).collect();
            return Err(CliError::bad_input(format!(
                "'{}' names {} bodies (ids {}, ...); name one as id:N",
                rule.0,
                rows.len(),
                ids.join(", ")
            )));
        };
        let x0 = model.bodies[row as usize].chars.center;
        let frames = self.frames.len();
        let history = self.history(row)?;
        let value = |flow: Flow| match field {
            Field::Coordinate => flow.point(reference)[axis],
            Field::Displacement => flow.point(reference)[axis] - reference[axis],
            Field::Velocity => flow.velocity(reference)[axis],
        };
        let flow = |i: usize| match history.rigid.body.is_empty() {
            false => flow_of_rigid(&history.rigid, i, x0),
            true => flow_of_pseudo(&history.pseudo, i, x0),
        };
        // NaN where the body is not there (commands-and-results.md D.3).
        let mut values = vec![f64::NAN; frames];
        for (i, &k) in history.frames.iter().enumerate() {
            values[k] = value(flow(i));
        }
        Ok(values)
    }

    fn history(&mut self, row: u32) -> Result<&BodyHistory, CliError> {
        if !self.histories.contains_key(&row) {
            let read = self.results.body_history(self.domain, row)?;
            self.histories.insert(row, read);
        }
        Ok(&self.histories[&row])
    }

    fn timing(&mut self) -> Result<&Timing, CliError> {
        match &mut self.timing {
            Some(timing) => Ok(timing),
            empty => Ok(empty.insert(self.results.timing(self.domain)?)),
        }
    }

    /// Bodies of the first frame were not born in it: they were there from the start.
    fn changes(&mut self) -> Result<&[[f64; 2]], CliError> {
        match &mut self.changes {
            Some(changes) => Ok(changes),
            empty => {
                let catalogue = self.results.catalogue(self.domain)?;
                let mut changes = vec![[0.0; 2]; self.frames.len()];
                for (which, column) in [&catalogue.born_frame, &catalogue.dead_frame].into_iter().enumerate() {
                    for &index in column {
                        let place = self.frames.index.iter().position(|&i| i as i64 == index);
                        if let Some(k) = place.filter(|&k| k > 0) {
                            changes[k][which] += 1.0;
                        }
                    }
                }
                Ok(empty.insert(changes))
            }
        }
    }
}

fn plain(name: &str, unit: &str, values: Vec<f64>) -> Column {
    Column { name: name.into(), unit: unit.into(), axis: "", values, beside: false }
}

fn titled(item: &Item, values: Vec<f64>) -> Column {
    Column { name: item.title.clone(), unit: item.unit().into(), axis: item.axis_name(), values, beside: false }
}
