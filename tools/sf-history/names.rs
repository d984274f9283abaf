//! Names of quantities, and what each takes: bodies, a point, a direction, a pair of surfaces.

use super::item::{
    AtConstraints, Derived, Field, Measure, Quantity, Solver, Who, ABSENT, CATALOGUE, ENERGIES, SETS, STRESSES, TIMERS,
};
use crate::cli::{did_you_mean, number};

const AXES: [&str; 3] = ["X", "Y", "Z"];

/// What belongs to the name of a quantity.
#[derive(Debug, Clone, Default)]
pub struct Target {
    pub bodies: Option<Who>,
    pub reference: Option<[f64; 3]>,
    pub direction: Option<[f64; 3]>,
    pub pair: Option<[i32; 2]>,
    pub on_bodies: bool,
}

/// Whether a name is that of a quantity at a point.
pub(super) fn is_point_item(name: &str) -> bool {
    field(name).is_some()
}

fn field(name: &str) -> Option<Field> {
    if name == "MISES" {
        return Some(Field::Mises);
    }
    if let Some(k) = STRESSES.iter().position(|s| *s == name) {
        return Some(Field::Stress(k));
    }
    let (of, axis) = axis(name)?;
    match of {
        "C" => Some(Field::Coordinate(axis)),
        "D" => Some(Field::Displacement(axis)),
        "V" => Some(Field::Velocity(axis)),
        "OMEGA" => Some(Field::Spin(axis)),
        "ROT" => Some(Field::Turn(axis)),
        _ => None,
    }
}

/// A name that ends with an axis: what is before it, and the number of the axis.
fn axis(name: &str) -> Option<(&str, usize)> {
    AXES.iter().enumerate().find_map(|(axis, letter)| Some((name.strip_suffix(letter)?, axis)))
}

/// An energy or a momentum of bodies.
fn of_bodies(name: &str, bodies: &Option<Who>) -> Option<Quantity> {
    let bodies = bodies.clone().unwrap_or(Who::All);
    if let Some(column) = ENERGIES.iter().position(|&e| e == name) {
        return Some(Quantity::Energy { column, bodies });
    }
    let what = match name {
        "POTENTIAL" => Derived::Potential,
        "SPRING" => Derived::Spring,
        "TOTAL" => Derived::Total,
        "BALANCE" => Derived::Balance,
        _ => {
            return match axis(name) {
                Some((of @ ("P" | "L"), axis)) => Some(Quantity::Momentum { axis, angular: of == "L", bodies }),
                _ => None,
            }
        }
    };
    Some(Quantity::Derived { what, bodies })
}

/// All names.
fn names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().flat_map(|(names, _)| names.split(' '))
}

/// Whether there is a quantity of this name.
pub(super) fn is_name(name: &str) -> bool {
    names().any(|n| n == name) || [&TIMERS[..], &ABSENT, &SETS].iter().any(|names| names.contains(&name))
}

/// `GAP`, `[C]R`, `[C]U`, with X, Y or Z behind a direction.
fn at_constraints(name: &str) -> Option<(Measure, bool, Option<usize>)> {
    if name == "GAP" {
        return Some((Measure::Gap, true, None));
    }
    let (contacts_only, rest) = match name.strip_prefix('C') {
        Some(rest) => (true, rest),
        None => (false, name),
    };
    let measure = match rest.get(..1)? {
        "R" => Measure::Reaction,
        "U" => Measure::Velocity,
        _ => return None,
    };
    match &rest[1..] {
        "" => Some((measure, contacts_only, None)),
        axis => AXES.iter().position(|&a| a == axis).map(|axis| (measure, contacts_only, Some(axis))),
    }
}

/// A quantity of the whole simulation.
pub(super) fn no_target(name: &str) -> Option<Quantity> {
    Some(match name {
        "BODS" => Quantity::Bodies,
        "CONS" => Quantity::Constraints,
        "STEP" => Quantity::Step,
        "WALL" => Quantity::Wall,
        "ITERS" => Quantity::Iterations(Solver::Any),
        "GSITERS" => Quantity::Iterations(Solver::GaussSeidel),
        "NTITERS" => Quantity::Iterations(Solver::Newton),
        "MERIT" => Quantity::Merit,
        "ERROR" => Quantity::SolverError,
        "NEWBODS" => Quantity::Births,
        "DELBODS" => Quantity::Deaths,
        _ if TIMERS.contains(&name) => Quantity::Timer(name.into()),
        _ if ABSENT.contains(&name) => Quantity::Absent,
        _ => return SETS.iter().position(|set| *set == name).map(Quantity::OfSweep),
    })
}

/// The quantity of a name and what belongs to it.
///
/// # Errors
/// There is no such name, or it takes other things.
pub fn quantity(name: &str, target: Target) -> Result<Quantity, String> {
    let Target { bodies, reference, direction, pair, on_bodies } = target;
    let options = direction.is_some() || pair.is_some() || on_bodies;
    if let Some((measure, contacts_only, axis)) = at_constraints(name) {
        // A gap is the same in any direction and for either side.
        let (direction, on_bodies) = match measure {
            Measure::Gap => (None, false),
            Measure::Reaction | Measure::Velocity => (direction, on_bodies),
        };
        let direction = match (axis, direction) {
            (Some(_), Some(_)) => {
                return Err(format!("{name}: has a direction already; write {}", &name[..name.len() - 1]))
            }
            (Some(axis), None) => Some((std::array::from_fn(|k| f64::from(u8::from(k == axis))), 1.0)),
            (None, given) => given.map(unit).transpose()?,
        };
        let bodies = bodies.unwrap_or(Who::All);
        return Ok(Quantity::AtConstraints(AtConstraints {
            measure,
            bodies,
            contacts_only,
            direction,
            pair,
            on_bodies,
        }));
    }
    if options {
        return Err(format!("{name}: takes no direction, surfaces or side; these belong to GAP, R, U, CR, CU"));
    }
    if let Some(quantity) = of_bodies(name, &bodies) {
        return Ok(quantity);
    }
    if let Some(field) = field(name) {
        if reference.is_some() && matches!(field, Field::Spin(_) | Field::Turn(_)) {
            return Err(format!("{name}: is that of the whole body; leave out the point"));
        }
        let body = bodies.ok_or_else(|| match field {
            Field::Spin(_) | Field::Turn(_) => format!("{name}: of which body? write {name}@BOX"),
            Field::Coordinate(_) | Field::Displacement(_) | Field::Velocity(_) | Field::Stress(_) | Field::Mises => {
                format!("{name}: of which point? write {name}@label:BOX(x,y,z)")
            }
        })?;
        return Ok(Quantity::Point { field, body, reference });
    }
    match (no_target(name), bodies) {
        (Some(quantity), None) => Ok(quantity),
        (Some(_), Some(_)) => Err(format!("{name}: belongs to the whole simulation; leave out the bodies")),
        (None, _) => Err(format!("{name}: no such item{}; see sf-history --list", did_you_mean(name, names()))),
    }
}

/// The direction with length 1, and its length.
fn unit(d: [f64; 3]) -> Result<([f64; 3], f64), String> {
    let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        return Ok((d.map(|x| x / length), length));
    }
    Err(format!("direction ({}, {}, {}) has no length", number(d[0]), number(d[1]), number(d[2])))
}
