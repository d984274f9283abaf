//! Points of bodies in condensed form on which rows of several ranks act. Each of these ranks knows the points of the
//! others, so that its copy of the body answers to forces at all of them; these forces are what ranks exchange.

use super::plan::{Neighbour, Plan};
use crate::body::{Axes, MaterialPoint, PointForce};
use crate::comm::{self, Communicator};
use crate::dynamics::Row;
use crate::ids::{BodyIndex, ObjectIndex, Slot};
use crate::math::Vec3;

/// Tag of messages.
const POINTS: u32 = 23;

/// Numbers of a point under way: row among those of all ranks, end, element, axis or 3 for all, place.
const POINT: usize = 7;
const ALL_AXES: u8 = 3;

/// A point of a body where these axes matter.
type OfBody = (Slot, MaterialPoint, Axes);

/// An end of a row of this rank, or a point of another one by its number.
#[derive(Debug, Clone, Copy)]
enum Place {
    Own { row: u32, end: u32 },
    Other(usize),
}

/// A point of another rank.
#[derive(Debug)]
struct Other {
    rank: usize,
    /// Row among those of all ranks, and its end.
    row: usize,
    end: usize,
    /// What its reaction is now [N].
    force: Vec3,
}

/// Shared bodies in condensed form in a step.
#[derive(Debug, Default)]
pub struct Points {
    /// In order of slots, and where their points end.
    bodies: Vec<(Slot, usize)>,
    /// Points of each body in order of ranks and rows, the same on all ranks that share it.
    places: Vec<Place>,
    others: Vec<Other>,
    of_others: Vec<OfBody>,
}

impl Points {
    /// Tells the ranks that share bodies about the points of this one; `first`: rows of the ranks before. Collective
    /// among neighbours.
    pub fn find(
        &mut self,
        comm: &dyn Communicator,
        (plan, first): (&Plan, usize),
        condensed: impl Fn(Slot) -> bool,
        rows: &[Row],
    ) {
        self.bodies.clear();
        self.places.clear();
        self.others.clear();
        self.of_others.clear();
        self.bodies.extend(plan.slots().filter(|slot| condensed(*slot)).map(|slot| (slot, 0)));
        if self.bodies.is_empty() {
            return;
        }
        self.bodies.sort_unstable();
        let own: Vec<(u32, u32, OfBody)> = points_of(rows).filter(|(.., point)| self.has(point.0)).collect();
        let mut numbers = Vec::new();
        for neighbour in plan.neighbours().iter().filter(|neighbour| self.any_of(neighbour)) {
            numbers.clear();
            for slot in neighbour.common.iter().filter(|slot| self.has(**slot)) {
                let of_body = own.iter().filter(|(.., point)| point.0 == *slot);
                numbers.push(of_body.clone().count() as f64);
                for (row, end, (_, point, axes)) in of_body {
                    let axis = if let Axes::One(axis) = axes { *axis } else { ALL_AXES };
                    numbers.extend([(first + *row as usize) as f64, f64::from(*end)]);
                    numbers.extend([f64::from(point.element), f64::from(axis)]);
                    numbers.extend(point.reference.iter());
                }
            }
            comm::send_numbers(comm, neighbour.rank, POINTS, &numbers);
        }
        let mut heard: Vec<(Other, OfBody)> = Vec::new();
        for neighbour in plan.neighbours().iter().filter(|neighbour| self.any_of(neighbour)) {
            numbers.clear();
            comm::receive_numbers(comm, neighbour.rank, POINTS, &mut numbers);
            let mut rest = &numbers[..];
            for slot in neighbour.common.iter().filter(|slot| self.has(**slot)) {
                let (count, points) = rest.split_first().unwrap_or((&0.0, &[]));
                let (points, later) = points.split_at((POINT * *count as usize).min(points.len()));
                heard.extend(points.chunks_exact(POINT).map(|n| read(*slot, neighbour.rank, n)));
                rest = later;
            }
        }
        self.order(comm.rank(), &own, heard);
    }

    /// Brings the points of each body into the order of ranks.
    fn order(&mut self, rank: usize, own: &[(u32, u32, OfBody)], mut heard: Vec<(Other, OfBody)>) {
        heard.sort_by_key(|(other, point)| (point.0, other.rank));
        let keys: Vec<(Slot, usize)> = heard.iter().map(|(other, point)| (point.0, other.rank)).collect();
        for (other, point) in heard {
            self.others.push(other);
            self.of_others.push(point);
        }
        for (slot, end) in &mut self.bodies {
            let [first, here, last] =
                [0, rank, usize::MAX].map(|rank| keys.partition_point(|key| *key < (*slot, rank)));
            self.places.extend((first..here).map(Place::Other));
            let ends = own.iter().filter(|(.., point)| point.0 == *slot);
            self.places.extend(ends.map(|(row, end, _)| Place::Own { row: *row, end: *end }));
            self.places.extend((here..last).map(Place::Other));
            *end = self.places.len();
        }
    }

    /// Whether a body is one of these.
    pub fn has(&self, slot: Slot) -> bool {
        self.find_body(slot).is_ok()
    }

    fn find_body(&self, slot: Slot) -> Result<usize, usize> {
        self.bodies.binary_search_by_key(&slot, |(of, _)| *of)
    }

    fn any_of(&self, neighbour: &Neighbour) -> bool {
        neighbour.common.iter().any(|slot| self.has(*slot))
    }

    /// Points of other ranks, as the operator of bodies takes them.
    pub fn of_others(&self) -> &[OfBody] {
        &self.of_others
    }

    /// Rows of these points, counted over all ranks, and which ends they are.
    pub fn rows_of_others(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.others.iter().map(|other| (other.row, other.end))
    }

    /// Number of the point of another rank that is an end of a row, counted over all ranks.
    pub fn number_of(&self, row: usize, end: usize) -> Option<usize> {
        self.others.iter().position(|other| (other.row, other.end) == (row, end))
    }

    fn places(&self, slot: Slot) -> &[Place] {
        let Ok(k) = self.find_body(slot) else { return &[] };
        let start = k.checked_sub(1).map_or(0, |before| self.bodies[before].1);
        &self.places[start..self.bodies[k].1]
    }

    /// How many numbers the forces at all points of a body are.
    pub fn width(&self, slot: Slot) -> usize {
        3 * self.places(slot).len()
    }

    /// Appends the forces at all points of a body; `own` are those of this rank, by row and end.
    pub fn put_all(&self, slot: Slot, own: impl Fn(u32, u32) -> Vec3, out: &mut Vec<f64>) {
        for place in self.places(slot) {
            let force = match place {
                Place::Own { row, end } => own(*row, *end),
                Place::Other(k) => self.others[*k].force,
            };
            out.extend(force.iter());
        }
    }

    /// Takes over what [`Points::put_all`] of another rank has appended; calls `change` with what has changed at points
    /// of other ranks.
    pub fn take_all(&mut self, slot: Slot, numbers: &[f64], mut change: impl FnMut(usize, Vec3)) {
        for at in 0..self.places(slot).len() {
            let Place::Other(k) = self.places(slot)[at] else { continue };
            let force = Vec3::from_column_slice(&numbers[3 * at..3 * at + 3]);
            if force != self.others[k].force {
                change(k, force - self.others[k].force);
                self.others[k].force = force;
            }
        }
    }

    /// Appends the forces at the points of this rank.
    pub fn put_own(&self, slot: Slot, own: impl Fn(u32, u32) -> Vec3, out: &mut Vec<f64>) {
        for place in self.places(slot) {
            if let Place::Own { row, end } = place {
                out.extend(own(*row, *end).iter());
            }
        }
    }

    /// Takes what [`Points::put_own`] of another rank has appended to the beginning of `numbers`; returns the rest.
    pub fn take_from<'a>(&mut self, slot: Slot, rank: usize, mut numbers: &'a [f64]) -> &'a [f64] {
        for at in 0..self.places(slot).len() {
            let Place::Other(k) = self.places(slot)[at] else { continue };
            if let (true, Some((force, rest))) = (self.others[k].rank == rank, numbers.split_first_chunk::<3>()) {
                self.others[k].force = Vec3::from(*force);
                numbers = rest;
            }
        }
        numbers
    }

    /// Forces at points of other ranks on each body.
    pub fn forces(&self) -> impl Iterator<Item = (Slot, impl Iterator<Item = (usize, Vec3)> + '_)> + '_ {
        let number = |place: &Place| if let Place::Other(k) = place { Some(*k) } else { None };
        self.bodies.iter().map(move |(slot, _)| {
            let others = self.places(*slot).iter().filter_map(number);
            (*slot, others.map(|k| (k, self.others[k].force)))
        })
    }

    /// The same as bodies take them.
    pub fn point_forces(&self) -> impl Iterator<Item = (Slot, PointForce)> + '_ {
        use crate::body::Attachment::Point;
        let of = self.of_others.iter().zip(&self.others);
        of.map(|((slot, point, _), other)| (*slot, PointForce { at: Point(*point), force: other.force }))
    }
}

/// Ends of rows on bodies in condensed form.
fn points_of(rows: &[Row]) -> impl Iterator<Item = (u32, u32, OfBody)> + '_ {
    use crate::dynamics::End;
    let ends = (0..).zip(rows).flat_map(|(row, of)| {
        let ends = [Some(&of.master), of.slave.as_ref()];
        (0..).zip(ends).map(move |(end, at)| (row, end, at))
    });
    ends.filter_map(|(row, end, at)| match at {
        Some(End::Point { slot, point, axes }) => Some((row, end, (*slot, *point, *axes))),
        Some(End::Fixed | End::Body { .. }) | None => None,
    })
}

/// A point of another rank; which part of the body's shape it lies on does not matter for how the body answers.
fn read(slot: Slot, rank: usize, n: &[f64]) -> (Other, OfBody) {
    let (body, object) = (BodyIndex(u32::MAX), ObjectIndex::NONE);
    let point = MaterialPoint { body, object, element: n[2] as u32, reference: Vec3::from_column_slice(&n[4..]) };
    let axes = if n[3] == f64::from(ALL_AXES) { Axes::All } else { Axes::One(n[3] as u8) };
    (Other { rank, row: n[0] as usize, end: n[1] as usize, force: Vec3::zeros() }, (slot, point, axes))
}
