//! Modes as a table: text, CSV or JSON.

use std::fmt::Write;

use serde_json::json;
use solfec::body::Pencil;
use solfec::math::Vec3;
use solfec::modal::{effective_mass, Modes};
use solfec::model::BodyRow;

use crate::cli::{json_number, number};

/// What is told of the modes of a body.
pub struct Told {
    id: u64,
    label: String,
    title: String,
    nodes: usize,
    /// Sum of the lumped masses, and the mass of the shape [kg].
    mass: [f64; 2],
    values: Vec<f64>,
    residuals: Vec<f64>,
    effective: Vec<Vec3>,
}

pub fn of(body: &BodyRow, pencil: &Pencil, modes: &Modes) -> Told {
    Told {
        id: body.id,
        label: body.label.clone(),
        title: body.title(),
        nodes: pencil.nodes(),
        mass: [pencil.mass.iter().sum(), body.chars.mass],
        values: modes.values.clone(),
        residuals: modes.residuals.clone(),
        effective: modes.vectors.iter().map(|x| effective_mass(x, &pencil.mass)).collect(),
    }
}

impl Told {
    /// Number, eigenvalue, frequency [Hz], residual and effective masses of each mode.
    fn rows(&self) -> impl Iterator<Item = (usize, [f64; 6])> + '_ {
        let row = |k: usize| {
            let (value, m) = (self.values[k], self.effective[k]);
            let frequency = value.abs().sqrt().copysign(value) / std::f64::consts::TAU;
            (k + 1, [value, frequency, self.residuals[k], m.x, m.y, m.z])
        };
        (0..self.values.len()).map(row)
    }
}

pub fn text(all: &[Told]) -> String {
    let mut text = String::new();
    for told in all {
        let [mass, whole] = told.mass;
        let _ = writeln!(text, "{}: {} nodes, mass {mass:.6} kg (shape: {whole:.6} kg)", told.title, told.nodes);
        let _ = writeln!(
            text,
            "{:>5} {:>16} {:>14} {:>9} {:>12} {:>12} {:>12}",
            "mode", "eigenvalue", "frequency_Hz", "residual", "mass_x", "mass_y", "mass_z"
        );
        for (k, [value, frequency, residual, x, y, z]) in told.rows() {
            let _ = writeln!(
                text,
                "{k:>5} {value:>16.9e} {frequency:>14.6} {residual:>9.1e} {x:>12.5e} {y:>12.5e} {z:>12.5e}"
            );
        }
    }
    text
}

pub fn csv(all: &[Told]) -> String {
    let mut text = String::from("body,mode,eigenvalue,frequency_Hz,residual,mass_x,mass_y,mass_z\n");
    for told in all {
        for (k, numbers) in told.rows() {
            let numbers = numbers.map(number).join(",");
            let _ = writeln!(text, "{},{k},{numbers}", told.id);
        }
    }
    text
}

pub fn json(all: &[Told]) -> String {
    let bodies: Vec<serde_json::Value> = all
        .iter()
        .map(|told| {
            let mode = |(k, [value, frequency, residual, x, y, z]): (usize, [f64; 6])| {
                let masses = [x, y, z].map(json_number);
                json!({"mode": k, "eigenvalue": json_number(value), "frequency_Hz": json_number(frequency),
                       "residual": json_number(residual), "effective_mass": masses})
            };
            json!({"body": told.id, "label": told.label, "nodes": told.nodes, "mass": told.mass[0],
                   "modes": told.rows().map(mode).collect::<Vec<_>>()})
        })
        .collect();
    format!("{}\n", json!({"schema": "sf-modal/1", "bodies": bodies}))
}
