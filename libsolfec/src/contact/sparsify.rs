//! Sparsification (docs/theory.md 5): among the contacts of one body pair, a new one is dropped when a kept
//! neighbour has a much larger area or stands on the same spot. Contacts are put before it in descending (area, key)
//! order, so that only kept contacts suppress others.

use std::collections::BTreeSet;

use super::objects::Objects;
use super::skew::skew_place;
use crate::ids::{BodyIndex, ObjectIndex};
use crate::math::Vec3;
use crate::model::Sparsify;

/// Kept contacts of a pair that are compared one by one; more are sorted.
const FEW: usize = 32;

/// The kept contacts of one body pair, as far as they decide about others.
#[derive(Debug, Default)]
pub struct KeptContacts {
    bodies: [BodyIndex; 2],
    sides: [Side; 2],
    points: Vec<Vec3>,
    /// Points by their place along the skew line, once there are more than a few.
    line: BTreeSet<(i64, u32)>,
}

/// One of the two bodies.
#[derive(Debug, Default)]
struct Side {
    /// The largest kept area on each object; at least as long as the body has objects.
    largest: Vec<f64>,
    /// Objects where it is not zero.
    touched: Vec<ObjectIndex>,
}

impl Side {
    fn begin(&mut self, objects: usize) {
        for o in self.touched.drain(..) {
            self.largest[o.index()] = 0.0;
        }
        if self.largest.len() < objects {
            self.largest.resize(objects, 0.0);
        }
    }

    fn raise(&mut self, object: ObjectIndex, area: f64) {
        let largest = &mut self.largest[object.index()];
        if area > *largest {
            if *largest == 0.0 {
                self.touched.push(object);
            }
            *largest = area;
        }
    }
}

impl KeptContacts {
    /// Starts with no contact between two bodies.
    pub fn begin(&mut self, objects: &Objects, bodies: [BodyIndex; 2]) {
        self.bodies = bodies;
        for (side, body) in self.sides.iter_mut().zip(bodies) {
            side.begin(objects.parts_of(body));
        }
        self.points.clear();
        self.line.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Keeps a contact. The areas of contacts with curved shapes (`area` None) are fictitious and suppress nothing.
    pub fn keep(&mut self, pair: [ObjectIndex; 2], area: Option<f64>, point: Vec3) {
        for (side, object) in self.sides.iter_mut().zip(pair) {
            side.raise(object, area.unwrap_or(0.0));
        }
        let row = self.points.len() as u32;
        self.points.push(point);
        if self.points.len() == FEW + 1 {
            self.line.extend(self.points.iter().zip(0..).map(|(x, i)| (ordered(skew_place(x)), i)));
        } else if self.points.len() > FEW {
            self.line.insert((ordered(skew_place(&point)), row));
        }
    }

    /// Whether a contact of this area [m²], or less, is too small beside the least area and the kept neighbours.
    pub fn outweigh(&self, objects: &Objects, rule: &Sparsify, pair: [ObjectIndex; 2], area: f64) -> bool {
        if area < rule.minarea {
            return true;
        }
        let weighs = |largest: f64| area < rule.threshold * largest || (area == 0.0 && largest > 0.0);
        (0..2).any(|k| {
            let largest = |o: ObjectIndex| self.sides[k].largest[o.index()];
            let mut near = objects.adjacent(self.bodies[k], pair[k]).iter();
            weighs(largest(pair[k])) || near.any(|&o| weighs(largest(o)))
        })
    }

    /// Whether a kept contact stands closer to `point` than `distance` [m].
    pub fn stand_at(&self, point: &Vec3, distance: f64) -> bool {
        let close = |x: &Vec3| (x - point).norm() < distance;
        if self.points.len() <= FEW {
            return self.points.iter().any(close);
        }
        let at = skew_place(point);
        self.line
            .range((ordered(at - distance), 0)..=(ordered(at + distance), u32::MAX))
            .any(|(_, i)| close(&self.points[*i as usize]))
    }
}

/// Integers in the order of finite numbers.
fn ordered(x: f64) -> i64 {
    let bits = (x + 0.0).to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_follow_the_order_of_numbers() {
        let numbers = [f64::MIN, -2.5, -1.0, -1e-300, 0.0, 1e-300, 1.0, 2.5, f64::MAX];
        assert!(numbers.windows(2).all(|w| ordered(w[0]) < ordered(w[1])));
        assert_eq!(ordered(-0.0), ordered(0.0));
    }
}
