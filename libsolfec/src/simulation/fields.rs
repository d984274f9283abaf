//! Fields by which materials vary, in a step: bodies receive their values at the time of loads, where these depend on it.

use super::Simulation;
use crate::ids::BodyIndex;
use crate::load::{Call, UserFunctions};
use crate::material::{FieldValues, Quantity};
use crate::math::Vec3;
use crate::{Error, Result};

/// Values that a body is to receive.
struct Wanted {
    body: BodyIndex,
    quantity: Quantity,
    /// Row of the field.
    field: usize,
}

impl Simulation {
    /// Whether a step must call user functions for fields.
    pub(super) fn fields_call_functions(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.values, FieldValues::Function { .. }))
    }

    /// Gives bodies the values of fields that depend on time, for the step of length `h` that has begun.
    pub(super) fn sample_fields(&mut self, h: f64, functions: &mut dyn UserFunctions) -> Result<()> {
        if !self.fields.iter().any(|field| field.changes()) {
            return Ok(());
        }
        let time = self.time_of_loads(h);
        let wanted = self.wanted();
        let values = self.values(&wanted, time, functions)?;
        for (wanted, values) in wanted.iter().zip(&values) {
            self.check_values(wanted, values, time)?;
        }
        for (Wanted { body, quantity, .. }, values) in wanted.into_iter().zip(values) {
            match quantity {
                Quantity::Young => self.bodies.sample(body, Some(&values), None),
                Quantity::Poisson => self.bodies.sample(body, None, Some(&values)),
                // Mass stays.
                Quantity::Density => {}
            }
        }
        Ok(())
    }

    /// By id of the bodies.
    fn wanted(&self) -> Vec<Wanted> {
        let mut all = Vec::new();
        for &(_, body) in self.bodies.by_id() {
            let Some(material) = self.bodies.sites(body).and_then(|(row, _)| self.bulk.get(row as usize)) else {
                continue;
            };
            let varying = [(Quantity::Young, material.varying.young), (Quantity::Poisson, material.varying.poisson)];
            for (quantity, field) in varying {
                let Some(field) = field.map(|row| row as usize) else { continue };
                if self.fields.get(field).is_some_and(|field| field.changes()) {
                    all.push(Wanted { body, quantity, field });
                }
            }
        }
        all
    }

    fn places(&self, wanted: &Wanted) -> &[Vec3] {
        self.bodies.sites(wanted.body).map_or(&[], |(_, places)| places)
    }

    /// Of each, a value at each place; functions are called in one batch. Collective.
    fn values(&self, all: &[Wanted], time: f64, functions: &mut dyn UserFunctions) -> Result<Vec<Vec<f64>>> {
        let mut calls = Vec::new();
        for wanted in all {
            if let FieldValues::Function { function } = self.fields[wanted.field].values {
                calls.push(Call::Field { function, places: self.places(wanted).to_vec(), time });
            }
        }
        let mut answers =
            if self.fields_call_functions() { self.call(&calls, functions)? } else { Vec::new() }.into_iter();
        let of = |wanted: &Wanted| match &self.fields[wanted.field].values {
            FieldValues::Function { .. } => answers.next().unwrap_or_default(),
            FieldValues::Table(table) => self.places(wanted).iter().map(|x| table.at(x, time)).collect(),
            FieldValues::Steady => Vec::new(),
        };
        Ok(all.iter().map(of).collect())
    }

    fn check_values(&self, wanted: &Wanted, values: &[f64], time: f64) -> Result<()> {
        let (places, name) = (self.places(wanted), self.name(wanted.body));
        let label = &self.fields[wanted.field].label;
        if values.len() != places.len() {
            let (n, points) = (values.len(), places.len());
            return Err(Error::input(format!("FIELD '{label}': {n} values for {points} points of {name}")));
        }
        for (value, x) in values.iter().zip(places) {
            wanted.quantity.check(*value).map_err(|text| {
                let at = format!("({}, {}, {}) at time {time:.6e} s", x.x, x.y, x.z);
                Error::input(format!("FIELD '{label}': {name}: {text} at {at}"))
            })?;
        }
        Ok(())
    }
}
