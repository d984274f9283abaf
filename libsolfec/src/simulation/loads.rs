//! Loads in a step: forces at material points, torques and pressures, evaluated at one time and given to the bodies.

use super::Simulation;
use crate::body::Bodies;
use crate::comm;
use crate::ids::{BodyId, BodyIndex};
use crate::load::{Call, Series, SurfaceLoad, UserFunctions};
use crate::math::{unit_along, Vec3};
use crate::model::{Insertion, LoadKind, LoadRow};
use crate::shape::Shape;
use crate::{Error, Result};

/// A load that acts; it goes with its body.
#[derive(Debug)]
pub(super) struct Applied {
    pub body: BodyId,
    /// How messages call it: "FORCE (deck line 12)".
    title: String,
    action: Action,
}

/// What a load does; directions are unit vectors, `value` a row of the series.
#[derive(Debug)]
enum Action {
    Force { convected: bool, point: Vec3, direction: Vec3, value: u32 },
    Torque { convected: bool, direction: Vec3, value: u32 },
    Pressure { surfid: i32, surface: SurfaceLoad, value: u32 },
    Function { function: u32, name: String },
}

impl Simulation {
    /// New loads.
    ///
    /// # Errors
    /// A body that does not exist or is an obstacle; a direction without length; TORQUE on a body
    /// that is not rigid; PRESSURE on a body that is not one mesh or has no such surface; rows that do not exist.
    pub(super) fn insert_loads(&mut self, rows: &Insertion<LoadRow>) -> Result<()> {
        let mut here: Vec<f64> =
            rows.rows.iter().map(|load| f64::from(self.bodies.index(BodyId(load.body)).is_some())).collect();
        let own = here.clone();
        comm::largest_each(&*self.comm, &mut here);
        // What names a body that does not exist is refused.
        let known = rows.rows.iter().zip(own.iter().zip(&here)).filter(|(_, (own, here))| own == here);
        self.add_loads(known.map(|(load, _)| load))
    }

    /// Loads of bodies that are here.
    pub(super) fn add_loads<'a>(&mut self, rows: impl Iterator<Item = &'a LoadRow>) -> Result<()> {
        for load in rows {
            let title = title(load);
            let action = self.action(load).map_err(|why| Error::input(format!("{title}: {why}")))?;
            self.loads.push(Applied { body: BodyId(load.body), title, action });
            self.note_load(load);
        }
        Ok(())
    }

    /// What a load does, or what is wrong with it.
    fn action(&self, load: &LoadRow) -> Result<Action, String> {
        let index = self.bodies.index(BodyId(load.body));
        let index = index.ok_or_else(|| format!("body {} does not exist (any more)", load.body))?;
        let name = self.name(index);
        if self.bodies.is_obstacle(index) {
            return Err(format!("{name} is an obstacle, which takes no loads"));
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
            LoadKind::Torque { .. } if !self.bodies.takes_torque(index) => {
                Err(format!("{name} is not rigid; use FORCE"))
            }
            LoadKind::Torque { convected, direction, value: row } => {
                Ok(Action::Torque { convected, direction: unit(&direction)?, value: value(row)? })
            }
            LoadKind::Pressure { surface: surfid, value: row, follower } => {
                let center = self.bodies.center(index);
                let shapes = &self.info[index.index()].shapes;
                let surface = surface_of(shapes, surfid, &center, follower).map_err(|why| format!("{name} {why}"))?;
                Ok(Action::Pressure { surfid, surface, value: value(row)? })
            }
            LoadKind::Function { function } => match self.functions.iter().find(|f| f.function == function) {
                Some(found) => Ok(Action::Function { function, name: found.name.clone() }),
                None => Err(format!("function {function} is not among those that the model names")),
            },
        }
    }

    /// The mass centre of a body has changed, about which the moments of pressures are.
    pub(super) fn renew_pressures(&mut self, index: BodyIndex) -> Result<()> {
        let (id, center) = (self.bodies.id(index), self.bodies.center(index));
        let shapes = &self.info[index.index()].shapes;
        for load in self.loads.iter_mut().filter(|load| load.body == id) {
            if let Action::Pressure { surfid, surface, .. } = &mut load.action {
                let renewed = surface_of(shapes, *surfid, &center, surface.follower);
                *surface = renewed.map_err(|why| Error::input(format!("{}: {why}", load.title)))?;
            }
        }
        Ok(())
    }

    /// Whether a step must call user functions for loads.
    pub(super) fn loads_call_functions(&self) -> bool {
        self.loads.iter().any(|load| matches!(load.action, Action::Function { .. }))
    }

    /// Evaluates all loads for the step of length `h` that has begun, at the configuration of detection, and adds them
    /// to the bodies.
    pub(super) fn evaluate_loads(&mut self, h: f64, functions: &mut dyn UserFunctions) -> Result<()> {
        let time = self.time_of_loads(h);
        for load in &self.loads {
            if let Some(body) = self.bodies.index(load.body) {
                load.action.add_to(&mut self.bodies, body, time, &self.series);
            }
        }
        if self.functions.is_empty() {
            return Ok(());
        }
        self.add_functions(h, time, functions)
    }

    /// Adds the loads of user functions, called in one batch, the latest created first. Collective.
    fn add_functions(&mut self, h: f64, time: f64, functions: &mut dyn UserFunctions) -> Result<()> {
        let mut calls = Vec::new();
        let mut loads = Vec::new();
        for load in self.loads.iter().rev() {
            let Action::Function { function, .. } = load.action else { continue };
            let Some(body) = self.bodies.index(load.body) else { continue };
            let (q, u) = (self.bodies.configuration(body), self.bodies.velocity(body));
            calls.push(Call::Force { function, body: load.body, q, u, time, step: h });
            loads.push((load, body));
        }
        let answers = self.call(&calls, functions)?;
        if answers.len() != calls.len() {
            let text = format!("FORCE: {} calls of functions have {} answers", calls.len(), answers.len());
            return Err(Error::input(text));
        }
        for ((load, body), numbers) in loads.into_iter().zip(&answers) {
            let wrong = |why| Error::input(format!("{} on {}: {why}", load.title, self.name(body)));
            load.check_numbers(numbers, self.bodies.generalised_forces(body), time).map_err(wrong)?;
            self.bodies.add_generalised(body, numbers);
        }
        Ok(())
    }
}

impl Applied {
    /// What is wrong with the answer of a function that must return so many numbers.
    fn check_numbers(&self, numbers: &[f64], (needed, what): (usize, &str), time: f64) -> Result<(), String> {
        let Action::Function { name, .. } = &self.action else { return Ok(()) };
        if numbers.len() != needed {
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
    /// Adds the load at time `time` to the body.
    fn add_to(&self, bodies: &mut Bodies, body: BodyIndex, time: f64, series: &[Series]) {
        let at = |row: u32| series[row as usize].at(time);
        match self {
            Action::Force { convected, point, direction, value } => {
                let point = bodies.locate(body, point);
                let direction = if *convected { bodies.carry(&point, direction) } else { *direction };
                bodies.add_force(&point, &(direction * at(*value)));
            }
            Action::Torque { convected, direction, value } => {
                bodies.add_torque(body, &(direction * at(*value)), *convected);
            }
            Action::Pressure { surface, value, .. } => bodies.add_pressure(body, surface, at(*value)),
            Action::Function { .. } => {}
        }
    }
}

/// The surface of a body that is a single mesh, or what is wrong.
fn surface_of(shapes: &[Shape], surfid: i32, center: &Vec3, follower: bool) -> Result<SurfaceLoad, String> {
    let [shape] = shapes else {
        return Err(format!("is made of {} shapes; pressure needs a single MESH", shapes.len()));
    };
    let Some(mesh) = shape.geometry.mesh() else {
        return Err("is not a MESH, which pressure needs".into());
    };
    SurfaceLoad::new(mesh, shape, surfid, center, follower).ok_or_else(|| {
        let known = shape.geometry.surfaces();
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
    unit_along(direction).ok_or_else(|| {
        let d = direction.as_slice();
        format!("direction is ({}, {}, {}); it must be finite and not zero", d[0], d[1], d[2])
    })
}
