//! What ranks tell one another so that each of them has the problem of all: rows, inertias, and how bodies in condensed
//! form answer at the points of the rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::body::{AffineInverse, AffineRate, Axes, Condensed, Inertia, MaterialPoint, Twist};
use crate::dynamics::{BodyOperator, End, Row};
use crate::ids::{BodyId, BodyIndex, ObjectIndex, Slot};
use crate::math::{Mat3, Vec3};

/// What a rank tells.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Told {
    pub rows: Vec<ToldRow>,
    pub bodies: Vec<(BodyId, ToldBody)>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct ToldRow {
    /// Among the rows of all ranks.
    pub place: u32,
    pub pair: [BodyId; 2],
    pub contact: bool,
    pub base: Mat3,
    pub ends: [ToldEnd; 2],
    /// At t+h and at t.
    pub drifts: [Vec3; 2],
}

/// An end, with the body it is on where that moves.
#[derive(Debug, Serialize, Deserialize)]
pub enum ToldEnd {
    None,
    Fixed,
    Arm(BodyId, Vec3),
    Point(BodyId),
}

impl ToldEnd {
    pub fn of(end: Option<&End>, id: impl Fn(Slot) -> BodyId) -> ToldEnd {
        match end {
            None => ToldEnd::None,
            Some(End::Fixed) => ToldEnd::Fixed,
            Some(End::Body { slot, arm }) => ToldEnd::Arm(id(*slot), *arm),
            Some(End::Point { slot, .. }) => ToldEnd::Point(id(*slot)),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub enum ToldBody {
    Rigid { inverse_mass: f64, inverse_inertia: Mat3, free: Twist, previous: Twist },
    Affine { inverse_mass: f64, inverse: AffineInverse, free: AffineRate, previous: AffineRate },
    Condensed(Points),
}

/// A body in condensed form at the points of the rows of all ranks, in their order.
#[derive(Debug, Serialize, Deserialize)]
pub struct Points {
    pub free: Vec<Vec3>,
    pub previous: Vec<Vec3>,
    /// By rows of blocks; symmetric [1/kg].
    pub blocks: Vec<Mat3>,
}

impl ToldBody {
    /// None for a body in condensed form.
    pub fn of(inertia: &Inertia<'_>) -> Option<ToldBody> {
        match *inertia {
            Inertia::Rigid { inverse_mass, inverse_inertia, free, previous } => {
                Some(ToldBody::Rigid { inverse_mass, inverse_inertia, free, previous })
            }
            Inertia::Affine { inverse_mass, inverse, free, previous } => {
                Some(ToldBody::Affine { inverse_mass, inverse: inverse.clone(), free, previous })
            }
            Inertia::Condensed(_) => None,
        }
    }

    fn inertia(&self) -> Inertia<'_> {
        match self {
            ToldBody::Rigid { inverse_mass, inverse_inertia, free, previous } => Inertia::Rigid {
                inverse_mass: *inverse_mass,
                inverse_inertia: *inverse_inertia,
                free: *free,
                previous: *previous,
            },
            ToldBody::Affine { inverse_mass, inverse, free, previous } => {
                Inertia::Affine { inverse_mass: *inverse_mass, inverse, free: *free, previous: *previous }
            }
            ToldBody::Condensed(points) => Inertia::Condensed(points),
        }
    }
}

/// Points are known by their numbers, which stand where others have elements.
impl Condensed for Points {
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        out.iter_mut().zip(points).for_each(|(out, point)| *out = self.free[point.element as usize]);
    }

    fn previous(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        out.iter_mut().zip(points).for_each(|(out, point)| *out = self.previous[point.element as usize]);
    }

    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]) {
        let n = self.free.len();
        for (row, a) in out.chunks_exact_mut(points.len().max(1)).zip(points) {
            row.iter_mut()
                .zip(points)
                .for_each(|(out, b)| *out = self.blocks[a.element as usize * n + b.element as usize]);
        }
    }
}

/// Fills the operator of all rows with what all ranks have told.
pub fn fill(operator: &mut BodyOperator, h: f64, mut told: Told) {
    told.bodies.sort_by_key(|(id, _)| *id);
    told.rows.sort_by_key(|row| row.place);
    let slots: BTreeMap<BodyId, Slot> = told.bodies.iter().map(|(id, _)| *id).zip((0..).map(Slot)).collect();
    let mut points: BTreeMap<BodyId, u32> = BTreeMap::new();
    let mut end = |end: &ToldEnd| match end {
        ToldEnd::None => None,
        ToldEnd::Fixed => Some(End::Fixed),
        ToldEnd::Arm(id, arm) => Some(slots.get(id).map_or(End::Fixed, |slot| End::Body { slot: *slot, arm: *arm })),
        ToldEnd::Point(id) => Some(slots.get(id).map_or(End::Fixed, |slot| {
            let next = points.entry(*id).or_default();
            let (body, object, reference) = (BodyIndex(u32::MAX), ObjectIndex::NONE, Vec3::zeros());
            let point = MaterialPoint { body, object, element: *next, reference };
            *next += 1;
            End::Point { slot: *slot, point, axes: Axes::All }
        })),
    };
    let row = |row: &ToldRow| Row {
        pair: row.pair,
        contact: row.contact,
        base: row.base,
        master: end(&row.ends[0]).unwrap_or_default(),
        slave: end(&row.ends[1]),
        drift: row.drifts[0],
        drift_before: row.drifts[1],
    };
    let rows: Vec<Row> = told.rows.iter().map(row).collect();
    operator.fill(h, told.bodies.iter().map(|(_, body)| body.inertia()), &rows);
}
