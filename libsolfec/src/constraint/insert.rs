//! From a row of the model to a live constraint.

use super::{command, Constraint, End, SpringMemory};
use crate::body::Bodies;
use crate::ids::BodyId;
use crate::math::{orthogonality_defect, polar_rotation, unit_along, Mat3, Vec3};
use crate::model::{ConstraintRow, Joint, Prescribed, SpringAxis, SpringLaw};
use crate::stepping::Stepping;
use crate::{Error, Result};

/// Defect of `EᵀE − I` above which a given base is refused.
const BASE_DEFECT: f64 = 1e-6;

/// What a new constraint is checked against.
pub struct Catalogue<'a> {
    pub bodies: &'a Bodies,
    pub stepping: Stepping,
    /// Number of series, and separation below which the points of a link are one [m].
    pub series: usize,
    pub epsilon: f64,
    /// Present time [s].
    pub time: f64,
    /// Nothing has run yet: springs count their stroke from the reference configuration, wherever the bodies begin.
    pub first: bool,
}

impl Constraint {
    /// The constraint of this row of the model, where its bodies are now.
    ///
    /// # Errors
    /// Bodies that are not there, directions of length zero, bases that are not orthonormal, links that hold nothing,
    /// limits that the spring is outside of; each says which constraint it is and what to do.
    pub fn new(row: u32, id: u64, of: &ConstraintRow, catalogue: &Catalogue) -> Result<Constraint> {
        build(row, id, of, catalogue).map_err(|text| {
            let place = if of.line > 0 { format!(" (deck line {})", of.line) } else { String::new() };
            Error::input(format!("{}{place}: {text}", command(&of.joint, of.slave.is_some())))
        })
    }

    /// A body of it has been put elsewhere: measures from there, and from this time [s], as if made now. Springs go on
    /// with the stroke they have.
    pub fn resettle(&mut self, bodies: &Bodies, epsilon: f64, time: f64) {
        self.fresh = true;
        if !matches!(self.joint, Joint::Spring { .. }) {
            (self.origin, self.correction, self.lag) = Default::default();
            self.settle(bodies, epsilon);
            self.born = time;
        }
    }

    /// A link that is made now [s] keeps the length that it has where it is first measured: the points of a turning
    /// link are further apart there, and with that length a steady turn has the length of now at the ends of all
    /// steps. Follows [`Constraint::place`].
    pub fn take_length(&mut self, now: f64) {
        if self.fresh && self.born == now && matches!(self.joint, Joint::RigidLink { .. }) {
            self.origin.z += std::mem::replace(&mut self.moved.z, 0.0);
        }
    }

    /// A spring has no stroke in the reference configuration, wherever its bodies are put before the first step.
    fn measure_from_reference(&mut self, bodies: &Bodies) {
        self.origin = self.measure_in_reference(bodies);
        self.place(bodies);
    }

    /// Starts to measure from here; a link without length glues its points, and points that are apart are linked.
    fn settle(&mut self, bodies: &Bodies, epsilon: f64) {
        self.find_kind(bodies);
        self.place(bodies);
        let length = self.moved.norm();
        match self.joint {
            Joint::RigidLink { strength } if length < epsilon => self.joint = Joint::FixPoint { strength },
            Joint::FixPoint { strength } if self.slave.is_some() && length >= epsilon => {
                self.joint = Joint::RigidLink { strength };
            }
            Joint::FixPoint { .. }
            | Joint::FixDirection { .. }
            | Joint::Drive { .. }
            | Joint::Drive3 { .. }
            | Joint::RigidLink { .. }
            | Joint::Spring { .. } => {}
        }
        self.find_kind(bodies);
        self.place(bodies);
        self.origin = std::mem::replace(&mut self.moved, Vec3::zeros());
    }
}

fn build(row: u32, id: u64, of: &ConstraintRow, catalogue: &Catalogue) -> Result<Constraint, String> {
    let bodies = catalogue.bodies;
    let end = |id: u64, given: Vec3| {
        let body = bodies.index(BodyId(id)).ok_or(format!("body {id} does not exist (any more)"))?;
        let at = bodies.locate(body, &given);
        Ok::<End, String>(End { given: at, point: given, at })
    };
    if !of.points.iter().flatten().all(|x| x.is_finite()) {
        return Err("a point is not finite".into());
    }
    let mut constraint = Constraint {
        row,
        id,
        joint: checked(&of.joint, catalogue.series)?,
        line: of.line,
        master: end(of.master, of.points[0])?,
        slave: of.slave.map(|id| end(id, of.points[1])).transpose()?,
        anchor: None,
        born: catalogue.time,
        base: Mat3::identity(),
        origin: Vec3::zeros(),
        moved: Vec3::zeros(),
        correction: Vec3::zeros(),
        lag: Vec3::zeros(),
        aim: Vec3::zeros(),
        bends: true,
        fresh: true,
        r: Vec3::zeros(),
        u: Vec3::zeros(),
        v: Vec3::zeros(),
        merit: 0.0,
        prescribed: Vec3::zeros(),
        memory: SpringMemory::NONE,
    };
    if constraint.slave.is_none() && matches!(of.joint, Joint::RigidLink { .. }) {
        constraint.anchor = Some(of.points[1]);
    }
    check_ends(&constraint, catalogue)?;
    constraint.settle(bodies, catalogue.epsilon);
    if catalogue.first && matches!(constraint.joint, Joint::Spring { .. }) {
        constraint.measure_from_reference(bodies);
    }
    Ok(constraint)
}

/// What its ends can be.
fn check_ends(constraint: &Constraint, catalogue: &Catalogue) -> Result<(), String> {
    let obstacle = |end: &End| catalogue.bodies.is_obstacle(end.body());
    let name = |end: &End| catalogue.bodies.name(end.body()).to_string();
    match (&constraint.joint, &constraint.slave) {
        (_, Some(slave)) if slave.body() == constraint.master.body() => {
            Err(format!("both ends are on {}; join two bodies", name(slave)))
        }
        (_, Some(slave)) if obstacle(slave) && obstacle(&constraint.master) => Err(format!(
            "{} and {} are both obstacles, which no constraint between them moves",
            name(&constraint.master),
            name(slave)
        )),
        (Joint::Drive { .. } | Joint::Drive3 { .. }, Some(_)) => Err("it has one body, not two".into()),
        (Joint::Spring { .. }, None) => Err("it needs two bodies; use an obstacle for a place in space".into()),
        (Joint::Drive { what, .. } | Joint::Drive3 { what, .. }, None)
            if *what != Prescribed::Displacement && !catalogue.stepping.inertial && obstacle(&constraint.master) =>
        {
            Err(format!(
                "{} is an obstacle in a quasi-static analysis; use SET_DISPLACEMENT, or a RIGID body",
                name(&constraint.master)
            ))
        }
        (
            Joint::FixPoint { .. }
            | Joint::FixDirection { .. }
            | Joint::Drive { .. }
            | Joint::Drive3 { .. }
            | Joint::RigidLink { .. }
            | Joint::Spring { .. },
            _,
        ) => Ok(()),
    }
}

/// The joint with unit directions and an orthonormal base.
fn checked(joint: &Joint, series: usize) -> Result<Joint, String> {
    let unit = |direction: &Vec3| {
        unit_along(direction).ok_or(format!(
            "direction ({}, {}, {}) has no length; give a vector that is not zero",
            direction.x, direction.y, direction.z
        ))
    };
    let known = |row: u32| {
        if (row as usize) < series {
            Ok(row)
        } else {
            Err(format!("series row {row} does not exist"))
        }
    };
    let bearable = |strength: f64| {
        if strength >= 0.0 {
            Ok(strength)
        } else {
            Err(format!("strength is {strength}, it must not be negative"))
        }
    };
    Ok(match *joint {
        Joint::FixPoint { strength } => Joint::FixPoint { strength: bearable(strength)? },
        Joint::RigidLink { strength } => Joint::RigidLink { strength: bearable(strength)? },
        Joint::FixDirection { direction } => Joint::FixDirection { direction: unit(&direction)? },
        Joint::Drive { what, direction, series } => {
            Joint::Drive { what, direction: unit(&direction)?, series: known(series)? }
        }
        Joint::Drive3 { what, base, series } => Joint::Drive3 {
            what,
            base: orthonormal(&base)?,
            series: [known(series[0])?, known(series[1])?, known(series[2])?],
        },
        Joint::Spring { law, axis, limits } => {
            if let SpringLaw::Table { series } = law {
                known(series)?;
            }
            let [least, most] = limits;
            if !(least <= 0.0 && most >= 0.0) {
                return Err(format!("limits ({least}, {most}) of the stroke; give smin ≤ 0 ≤ smax"));
            }
            let axis = match axis {
                SpringAxis::Follow => SpringAxis::Follow,
                SpringAxis::Fixed(axis) => SpringAxis::Fixed(unit(&axis)?),
                SpringAxis::Master(axis) => SpringAxis::Master(unit(&axis)?),
                SpringAxis::Slave(axis) => SpringAxis::Slave(unit(&axis)?),
            };
            Joint::Spring { law, axis, limits }
        }
    })
}

/// The orthonormal base nearest to a given one; left-handed ones are as good.
fn orthonormal(base: &Mat3) -> Result<Mat3, String> {
    let defect = orthogonality_defect(base);
    let handed = if base.determinant() < 0.0 { -1.0 } else { 1.0 };
    match polar_rotation(&(base * handed)) {
        Some(rotation) if defect <= BASE_DEFECT => Ok(rotation * handed),
        _ => Err(format!(
            "the base is not orthonormal (|EᵀE − I| = {defect:.3e}); its nine numbers are three unit vectors, column by column"
        )),
    }
}
