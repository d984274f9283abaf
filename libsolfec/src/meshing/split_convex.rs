//! Collections of convex polyhedra split by a plane.

use std::collections::BTreeSet;

use super::halves::{halves, Parts};
use super::interfaces::{opened, Opened};
use super::{Halves, Split};
use crate::contact::touching;
use crate::math::{Components, Vec3};
use crate::shape::Convex;
use crate::Result;

/// The parts of a collection below and above the plane; polyhedra of one part touch each other. Faces of polyhedra that
/// lie on the plane stay as they are. `None` if the collection has parts on both sides, but [`Split::near`] is not on
/// the cut.
///
/// # Errors
/// Polyhedra that cannot be cut in the arithmetic of this machine.
pub fn split_convexes(collection: &[Convex], split: &Split) -> Result<Option<Halves<Vec<Convex>>>> {
    let parts = collection.iter().map(|convex| halves(convex, split)).collect::<Result<Vec<Parts>>>()?;
    let pieces = Pieces::new(collection, parts);
    let Some(point) = split.near else { return Ok(Some(pieces.apart(split.epsilon))) };
    Ok(pieces.notched(collection, split, &point))
}

/// Polyhedra after the cut.
#[derive(Default)]
struct Pieces {
    polyhedra: Vec<Convex>,
    sides: Vec<i8>,
    /// Which one of the collection each is, or is a part of.
    origin: Vec<usize>,
}

impl Pieces {
    fn new(collection: &[Convex], parts: Vec<Parts>) -> Pieces {
        let mut pieces = Pieces::default();
        for (k, (whole, part)) in collection.iter().zip(parts).enumerate() {
            match part {
                Parts::Below => pieces.push(k, -1, whole.clone()),
                Parts::Above => pieces.push(k, 1, whole.clone()),
                Parts::Both([low, high]) => {
                    pieces.push(k, -1, low);
                    pieces.push(k, 1, high);
                }
            }
        }
        pieces
    }

    fn push(&mut self, origin: usize, side: i8, convex: Convex) {
        self.polyhedra.push(convex);
        self.sides.push(side);
        self.origin.push(origin);
    }

    /// What is below the plane, and what is above.
    fn apart(self, epsilon: f64) -> Halves<Vec<Convex>> {
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for (convex, side) in self.polyhedra.into_iter().zip(self.sides) {
            if side < 0 { &mut below } else { &mut above }.push(convex);
        }
        let cut = !below.is_empty() && !above.is_empty();
        let [below, above] = [below, above].map(|side| groups(side, epsilon, &BTreeSet::new()));
        Halves { below, above, cut }
    }

    /// The collection opened where the cut hangs together with the point.
    fn notched(self, collection: &[Convex], split: &Split, point: &Vec3) -> Option<Halves<Vec<Convex>>> {
        let neighbours = touching(&self.polyhedra, split.epsilon);
        let pairs = match opened(&self.polyhedra, &self.sides, &neighbours, split, point) {
            Opened::All => return Some(self.apart(split.epsilon)),
            Opened::Nothing => return None,
            Opened::Part(pairs) => pairs,
        };
        // Polyhedra that are cut elsewhere stay whole.
        let mut is_divided = vec![false; collection.len()];
        pairs.iter().flatten().for_each(|p| is_divided[self.origin[*p as usize]] = true);
        let mut number = vec![u32::MAX; self.polyhedra.len()];
        let mut all: Vec<Convex> = Vec::new();
        let mut last = None;
        for (p, (convex, &k)) in self.polyhedra.into_iter().zip(&self.origin).enumerate() {
            if is_divided[k] || last != Some(k) {
                number[p] = all.len() as u32;
                all.push(if is_divided[k] { convex } else { collection[k].clone() });
            }
            last = Some(k);
        }
        let apart = pairs.iter().map(|pair| ordered(pair.map(|p| number[p as usize]))).collect();
        Some(Halves { below: groups(all, split.epsilon, &apart), above: Vec::new(), cut: true })
    }
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// Collections of polyhedra that touch, except these pairs, in the order of their first ones.
fn groups(collection: Vec<Convex>, epsilon: f64, apart: &BTreeSet<[u32; 2]>) -> Vec<Vec<Convex>> {
    let mut sets = Components::new(collection.len());
    for (k, neighbours) in (0..).zip(touching(&collection, epsilon)) {
        let hangs = |n: &u32| !apart.contains(&ordered([k, *n]));
        neighbours.into_iter().filter(hangs).for_each(|n| sets.join(k, n));
    }
    let (number, count) = sets.numbers();
    let mut groups = vec![Vec::new(); count];
    for (convex, group) in collection.into_iter().zip(number) {
        groups[group as usize].push(convex);
    }
    groups
}
