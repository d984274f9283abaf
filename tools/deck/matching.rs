//! A deck matched with stored results: it makes its model again, and what it has made is compared with what is stored,
//! by order. A RUN that is not performed again moves the tables of the deck to what the results held at its end, so
//! that what its callbacks made keeps its ids.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::ops::Range;

use solfec::model::{BodyRow, ConstraintRow, Joint, LoadKind, LoadRow, Model, Op, SpringLaw, StoredOp};

use super::fault::Fault;
use super::stored::Stored;

/// Numbers of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rows {
    pub bodies: usize,
    pub constraints: usize,
    pub loads: usize,
}

impl Rows {
    pub fn of(model: &Model) -> Rows {
        Rows { bodies: model.bodies.len(), constraints: model.constraints.len(), loads: model.loads.len() }
    }

    /// What the results held after so many operations of their program.
    pub fn after(stored: &Stored, program: usize) -> Rows {
        let count = |all: usize, first: usize, of: fn(&StoredOp) -> Option<Range<u32>>| {
            let last = stored.program[..program].iter().rev().find_map(|(op, _)| of(op));
            last.map_or(first, |rows| rows.end as usize).min(all)
        };
        let all = Rows::of(&stored.model);
        let [bodies, constraints, loads] = stored.base;
        Rows {
            bodies: count(all.bodies, bodies, StoredOp::bodies),
            constraints: count(all.constraints, constraints, StoredOp::constraints),
            loads: count(all.loads, loads, StoredOp::loads),
        }
    }
}

/// How far a deck has been matched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matched {
    /// RUNs that were not performed again.
    pub runs: u32,
    /// Rows that have been compared, and operations of the deck's program.
    pub rows: Rows,
    pub program: usize,
    /// Initial states come from INITIALIZE_STATE, which does nothing while results are read: they are not compared.
    pub states_elsewhere: bool,
    /// Numbers of functions in this process by those in the results.
    pub functions: BTreeMap<u32, u32>,
}

/// How the rows that a deck has made since the last comparison differ from those of the results; `None`: not at all.
/// `wanted`: how many there must be at a RUN. `strictly`: that of constraints and loads too, which a deck that only
/// reads may leave out.
pub fn difference(deck: &Model, stored: &Model, from: Rows, wanted: Option<Rows>, strictly: bool) -> Option<String> {
    let bodies =
        deck.bodies.iter().enumerate().skip(from.bodies).find_map(|(row, body)| match stored.bodies.get(row) {
            Some(other) => body_difference(body, other),
            None => Some(format!("{} is not among the {} stored bodies", body.title(), stored.bodies.len())),
        });
    let place = |what: &str, row: usize, line: u32| format!("{what} {} (deck line {line})", row + 1);
    let constraints = || {
        deck.constraints.iter().enumerate().skip(from.constraints).find_map(|(row, made)| {
            let name = place("user constraint", row, made.line);
            match stored.constraints.get(row) {
                Some(other) => constraint_difference(made, other).map(|text| format!("{name} {text}")),
                None => Some(format!("{name} is not among the {} stored ones", stored.constraints.len())),
            }
        })
    };
    let loads = || {
        let mut rows = deck.loads.iter().enumerate().skip(from.loads).filter(|_| strictly);
        rows.find_map(|(row, made)| {
            let name = place("load", row, made.line);
            match stored.loads.get(row) {
                Some(other) => load_difference(made, other).map(|text| format!("{name} {text}")),
                None => Some(format!("{name} is not among the {} stored ones", stored.loads.len())),
            }
        })
    };
    let made = Rows::of(deck);
    let body_count = || {
        let wanted = wanted?.bodies;
        match deck.bodies.get(wanted) {
            Some(early) => Some(format!("{} was not there yet", early.title())),
            None if made.bodies < wanted => {
                Some(format!("{} is stored and has not been made", stored.bodies[made.bodies].title()))
            }
            None => None,
        }
    };
    let counts = || {
        let wanted = wanted.filter(|_| strictly)?;
        let of = [("user constraints", made.constraints, wanted.constraints), ("loads", made.loads, wanted.loads)];
        let (what, made, wanted) = of.into_iter().find(|(_, made, wanted)| made != wanted)?;
        Some(format!("the deck has made {made} {what} by now, and {wanted} are stored"))
    };
    bodies.or_else(body_count).or_else(constraints).or_else(loads).or_else(counts)
}

/// What the hash of a body covers, compared one after the other so that the message can say what differs.
pub fn body_difference(made: &BodyRow, stored: &BodyRow) -> Option<String> {
    let (a, b) = (&made.chars, &stored.chars);
    let what = if made.kind != stored.kind {
        format!("is {}, stored is {}", made.kind.name(), stored.kind.name())
    } else if made.label != stored.label {
        format!("has another label, stored is '{}'", stored.label)
    } else if a.mass != b.mass {
        format!("has mass {}, stored is {}", a.mass, b.mass)
    } else if a.volume != b.volume {
        format!("has volume {}, stored is {}", a.volume, b.volume)
    } else if a.center != b.center {
        let text = |c: &solfec::math::Vec3| format!("({}, {}, {})", c.x, c.y, c.z);
        format!("has centre {}, stored is {}", text(&a.center), text(&b.center))
    } else if a.tensor != b.tensor {
        "has another inertia than the stored one".into()
    } else if solfec_formats::model::body_hash(made) != solfec_formats::model::body_hash(stored) {
        format!("differs, stored is {}", stored.title())
    } else {
        return None;
    };
    Some(format!("{} {what}", made.title()))
}

fn constraint_difference(made: &ConstraintRow, stored: &ConstraintRow) -> Option<String> {
    // A link of coincident points is a fixed point.
    let same = |a: &Joint, b: &Joint| discriminant(a) == discriminant(b);
    if !same(&made.joint, &stored.joint) {
        return Some("is of another kind than the stored one".into());
    }
    let bodies = |row: &ConstraintRow| match row.slave {
        Some(slave) => format!("bodies {} and {slave}", row.master),
        None => format!("body {}", row.master),
    };
    (bodies(made) != bodies(stored)).then(|| format!("is on {}, the stored one on {}", bodies(made), bodies(stored)))
}

fn load_difference(made: &LoadRow, stored: &LoadRow) -> Option<String> {
    if discriminant(&made.kind) != discriminant(&stored.kind) {
        return Some("is of another kind than the stored one".into());
    }
    (made.body != stored.body).then(|| format!("is on body {}, the stored one on body {}", made.body, stored.body))
}

/// The model of the results as it was after so many operations; what belongs to the deck stays the deck's.
///
/// # Errors
/// The program names bodies that its model does not have.
pub fn prefix(deck: &Model, stored: &Stored, program: usize) -> Result<Model, Fault> {
    let rows = Rows::after(stored, program);
    let mut model = stored.model.clone();
    model.bodies.truncate(rows.bodies);
    model.constraints.truncate(rows.constraints);
    model.loads.truncate(rows.loads);
    model.shapes.truncate(model.bodies.last().map_or(0, |body| body.shapes.end as usize));
    let used = |rows: &mut dyn Iterator<Item = u32>| rows.map(|row| row as usize + 1).max().unwrap_or(0);
    let library = used(&mut model.shapes.iter().map(|shape| shape.geometry));
    model.library.truncate(library.max(deck.library.len()));
    let bulk = used(&mut model.bodies.iter().flat_map(BodyRow::materials));
    model.bulk.truncate(bulk.max(deck.bulk.len()));
    model.replay(stored.program[..program].iter().map(|(op, _)| op))?;
    // Everything that enters a series names it.
    let series = used(&mut series_of(&model).into_iter());
    model.series.truncate(series.max(deck.series.len()));
    model.display_points.truncate(deck.display_points.len());
    model.name.clone_from(&deck.name);
    model.output_path.clone_from(&deck.output_path);
    model.verbose.clone_from(&deck.verbose);
    Ok(model)
}

/// Rows of the series that a model names.
fn series_of(model: &Model) -> Vec<u32> {
    let mut rows: Vec<u32> = model.settings.gravity.into_iter().flatten().collect();
    rows.extend(model.constraints.iter().flat_map(|row| series_of_joint(&row.joint)));
    rows.extend(model.loads.iter().filter_map(|row| series_of_load(&row.kind)));
    let gravity = |op: &StoredOp| if let Op::Gravity { series } = op { Some(*series) } else { None };
    rows.extend(model.program.iter().filter_map(gravity).flatten());
    rows
}

fn series_of_joint(joint: &Joint) -> Vec<u32> {
    match joint {
        Joint::Drive { series, .. } | Joint::Spring { law: SpringLaw::Table { series }, .. } => vec![*series],
        Joint::Drive3 { series, .. } => series.to_vec(),
        Joint::FixPoint { .. }
        | Joint::FixDirection { .. }
        | Joint::RigidLink { .. }
        | Joint::Spring { law: SpringLaw::Linear { .. } | SpringLaw::Function { .. }, .. } => Vec::new(),
    }
}

fn series_of_load(kind: &LoadKind) -> Option<u32> {
    match kind {
        LoadKind::Force { value, .. } | LoadKind::Torque { value, .. } | LoadKind::Pressure { value, .. } => {
            Some(*value)
        }
        LoadKind::Function { .. } => None,
    }
}
