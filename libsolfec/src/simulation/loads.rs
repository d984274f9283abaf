//! Loads in a step: their values at mid-step, summed to one load for each body (bodies.md 1.3, 2.2, 7).

use super::Simulation;
use crate::body::{Load, Motion};
use crate::load::{Call, Series, SurfaceIntegrals, UserFunctions};
use crate::math::{from_rows, Mat3, Vec3, Vec9};
use crate::model::{velocity_size, Analysis, BodyKind, Insertion, LoadKind, LoadRow};
use crate::shape::{Geometry, Shape};
use crate::{Error, Result};

/// Numbers that a FORCE function returns for a rigid body: spatial force, spatial torque, referential torque.
const RIGID_NUMBERS: usize = 9;

/// A load that acts; it goes with its body.
#[derive(Debug)]
pub(super) struct Applied {
    /// Id of the body.
    pub body: u64,
    /// How messages call it: "FORCE (deck line 12)".
    title: String,
    action: Action,
}

/// What a load does; directions are unit vectors, `value` a row of the series.
#[derive(Debug)]
enum Action {
    Force { convected: bool, point: Vec3, direction: Vec3, value: u32 },
    Torque { convected: bool, direction: Vec3, value: u32 },
    Pressure { surface: SurfaceIntegrals, value: u32 },
    Function { function: u32, name: String },
}

impl Simulation {
    /// New loads.
    ///
    /// # Errors
    /// A body that does not exist or is an obstacle or finite-element body; a direction without length; TORQUE on a body
    /// that is not rigid; PRESSURE on a body that is not one mesh or has no such surface; rows that do not exist.
    pub(super) fn insert_loads(&mut self, rows: &Insertion<LoadRow>) -> Result<()> {
        for load in rows.rows.iter() {
            let title = title(load);
            let action = self.action(load).map_err(|why| Error::input(format!("{title}: {why}")))?;
            self.loads.push(Applied { body: load.body, title, action });
        }
        Ok(())
    }

    /// What a load does, or what is wrong with it.
    fn action(&self, load: &LoadRow) -> Result<Action, String> {
        let index = self.bodies.index(load.body);
        let index = index.ok_or_else(|| format!("body {} does not exist (any more)", load.body))?;
        let (name, kind) = (self.name(index), self.bodies.kind(index));
        match kind {
            BodyKind::Obstacle => return Err(format!("{name} is an obstacle, which takes no loads")),
            BodyKind::FiniteElement => {
                return Err(format!("{name} is a finite-element body, whose loads are not available"))
            }
            BodyKind::Rigid | BodyKind::PseudoRigid => {}
        }
        let value = |row: u32| match self.series.get(row as usize) {
            Some(_) => Ok(row),
            None => Err(format!("its value is row {row} of the time series, of which there are {}", self.series.len())),
        };
        match load.kind {
            LoadKind::Force { convected, point, direction, value: row } => {
                if !point.iter().all(|x| x.is_finite()) {
                    return Err(format!("the point {:?} on {name} is not finite", point.as_slice()));
                }
                Ok(Action::Force { convected, point, direction: unit(&direction)?, value: value(row)? })
            }
            LoadKind::Torque { .. } if kind != BodyKind::Rigid => Err(format!("{name} is not rigid; use FORCE")),
            LoadKind::Torque { convected, direction, value: row } => {
                Ok(Action::Torque { convected, direction: unit(&direction)?, value: value(row)? })
            }
            LoadKind::Pressure { surface, value: row } => {
                let center = self.bodies.motion(index).x0;
                let shapes = &self.facts[self.bodies.row(index)].shapes;
                let surface = surface_of(shapes, surface, &center).map_err(|why| format!("{name} {why}"))?;
                Ok(Action::Pressure { surface, value: value(row)? })
            }
            LoadKind::Function { function } => match self.functions.iter().find(|f| f.function == function) {
                Some(found) => Ok(Action::Function { function, name: found.name.clone() }),
                None => Err(format!("function {function} is not among those that the model names")),
            },
        }
    }

    /// Whether a step must call user functions for loads.
    pub(super) fn loads_call_functions(&self) -> bool {
        self.loads.iter().any(|load| matches!(load.action, Action::Function { .. }))
    }

    /// Evaluates all loads for the step of length `h` that has begun, at the configuration of mid-step, into
    /// `work.loads` (empty when there are none).
    pub(super) fn evaluate_loads(&mut self, h: f64, functions: &mut dyn UserFunctions) -> Result<()> {
        self.work.loads.clear();
        if self.loads.is_empty() {
            return Ok(());
        }
        self.work.loads.resize(self.bodies.len(), Load::zero());
        let time = self.time_of_loads(h);
        for load in &self.loads {
            let Some(index) = self.bodies.index(load.body) else { continue };
            let rigid = self.bodies.kind(index) == BodyKind::Rigid;
            let total = &mut self.work.loads[index];
            load.action.add_to(total, time, &self.series, &self.bodies.motion(index), rigid);
        }
        self.add_functions(h, time, functions)
    }

    /// t+h/2, in quasi-statics t+h.
    fn time_of_loads(&self, h: f64) -> f64 {
        let part = if self.analysis == Analysis::Dynamic { 0.5 } else { 1.0 };
        self.clock.now() + part * h
    }

    /// The loads that user functions say, called in one batch, the latest created first.
    fn add_functions(&mut self, h: f64, time: f64, functions: &mut dyn UserFunctions) -> Result<()> {
        let mut calls = Vec::new();
        let mut loads = Vec::new();
        for load in self.loads.iter().rev() {
            let Action::Function { function, .. } = load.action else { continue };
            let Some(index) = self.bodies.index(load.body) else { continue };
            let (q, u) = (self.bodies.configuration(index), self.bodies.velocity(index));
            calls.push(Call::Force { function, q, u, time, step: h });
            loads.push((load, index));
        }
        if calls.is_empty() {
            return Ok(());
        }
        let answers = functions.values(&calls)?;
        if answers.len() != calls.len() {
            let text = format!("FORCE: {} calls of functions have {} answers", calls.len(), answers.len());
            return Err(Error::input(text));
        }
        for ((load, index), numbers) in loads.into_iter().zip(&answers) {
            let kind = self.bodies.kind(index);
            let wrong = |why| Error::input(format!("{} on {}: {why}", load.title, self.name(index)));
            load.check_numbers(numbers, kind, time).map_err(wrong)?;
            add_numbers(&mut self.work.loads[index], numbers, kind);
        }
        Ok(())
    }
}

impl Applied {
    /// What is wrong with the answer of a function.
    fn check_numbers(&self, numbers: &[f64], kind: BodyKind, time: f64) -> Result<(), String> {
        let Action::Function { name, .. } = &self.action else { return Ok(()) };
        let needed = if kind == BodyKind::Rigid { RIGID_NUMBERS } else { velocity_size(kind) };
        if numbers.len() != needed {
            let what = match kind {
                BodyKind::Rigid => "spatial force, spatial torque, referential torque",
                _ => "one for each of its velocities",
            };
            return Err(format!(
                "function '{name}' returned {} numbers; it must return {needed}: {what}",
                numbers.len()
            ));
        }
        match numbers.iter().position(|x| !x.is_finite()) {
            Some(k) => {
                Err(format!("number {k} that function '{name}' returned at time {time:.6e} s is {}", numbers[k]))
            }
            None => Ok(()),
        }
    }
}

impl Action {
    /// Adds the load at time `time` to a rigid or pseudo-rigid body that is where `motion` says.
    fn add_to(&self, total: &mut Load, time: f64, series: &[Series], motion: &Motion, rigid: bool) {
        let at = |row: u32| series[row as usize].at(time);
        match *self {
            Action::Force { convected, point, direction, value } => {
                let force = if convected { motion.f * direction } else { direction } * at(value);
                let arm = point - motion.x0;
                total.force += force;
                if rigid {
                    total.torque += (motion.f * arm).cross(&force);
                } else {
                    total.moment += force * arm.transpose();
                }
            }
            Action::Torque { convected: true, direction, value } => total.convected_torque += direction * at(value),
            Action::Torque { convected: false, direction, value } => total.torque += direction * at(value),
            Action::Pressure { surface, value } if rigid => {
                total.force += motion.f * surface.area * at(value);
                total.convected_torque += surface.torque() * at(value);
            }
            Action::Pressure { surface, value } => {
                // cof F by its columns: the cross products of the columns of F.
                let [a, b, c] = [0, 1, 2].map(|k| motion.f.column(k).into_owned());
                let cofactor = Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]) * at(value);
                total.force += cofactor * surface.area;
                total.moment += cofactor * surface.moment;
            }
            Action::Function { .. } => {}
        }
    }
}

/// Adds what a function returned (conventions.md 6); the count is right.
fn add_numbers(total: &mut Load, numbers: &[f64], kind: BodyKind) {
    let vector = |k: usize| Vec3::from_column_slice(&numbers[k..k + 3]);
    if kind == BodyKind::Rigid {
        total.force += vector(0);
        total.torque += vector(3);
        total.convected_torque += vector(6);
    } else {
        total.moment += from_rows(&Vec9::from_column_slice(&numbers[..9]));
        total.force += vector(9);
    }
}

/// Integrals over a surface of a body that is a single mesh, or what is wrong.
fn surface_of(shapes: &[Shape], surfid: i32, center: &Vec3) -> Result<SurfaceIntegrals, String> {
    let [shape] = shapes else {
        return Err(format!("is made of {} shapes; pressure needs a single MESH", shapes.len()));
    };
    let Geometry::Mesh(mesh) = &*shape.geometry else {
        return Err("is not a MESH, which pressure needs".into());
    };
    SurfaceIntegrals::new(mesh, shape, surfid, center).ok_or_else(|| {
        let mut known: Vec<i32> = mesh.boundary.iter().map(|face| face.surfid).collect();
        known.sort_unstable();
        known.dedup();
        let shown: Vec<String> = known.iter().take(8).map(i32::to_string).collect();
        let more = if known.len() > 8 { ", …" } else { "" };
        format!("has no face with surface id {surfid}; its surface ids are {}{more}", shown.join(", "))
    })
}

fn title(load: &LoadRow) -> String {
    let command = match load.kind {
        LoadKind::Force { .. } | LoadKind::Function { .. } => "FORCE",
        LoadKind::Torque { .. } => "TORQUE",
        LoadKind::Pressure { .. } => "PRESSURE",
    };
    match load.line {
        0 => command.to_string(),
        line => format!("{command} (deck line {line})"),
    }
}

fn unit(direction: &Vec3) -> Result<Vec3, String> {
    let largest = direction.amax();
    if !(largest > 0.0 && direction.iter().all(|x| x.is_finite())) {
        let d = direction.as_slice();
        return Err(format!("direction is ({}, {}, {}); it must be finite and not zero", d[0], d[1], d[2]));
    }
    // First to size one, so that squares neither vanish nor overflow.
    Ok((direction / largest).normalize())
}
