//! Warm start: reactions of contacts that end in this step pass to new contacts of the same body pair nearby, so that
//! they survive when objects slide across borders of elements (docs/theory.md 4).

use super::matching::Matching;
use super::objects::Objects;
use super::skew::skew_place;
use super::Contact;
use crate::ids::{BodyIndex, ObjectIndex};

/// Memory of [`Inheritance::pass`].
#[derive(Debug, Default)]
pub struct Inheritance {
    born: Vec<u32>,
    /// Ended contacts by their place along the skew direction.
    ended: Vec<(f64, u32)>,
    matching: Matching,
}

impl Inheritance {
    /// Gives reactions of `previous` contacts that are no longer there to new ones in `contacts`. Both lists hold one
    /// body pair in key order; bodies may have changed their dense index. Nearest pairs first, ties by key; each ended
    /// contact once; only closer than half the box diagonal of the smaller object of the new contact.
    pub fn pass(&mut self, objects: &Objects, previous: &[Contact], contacts: &mut [Contact]) {
        self.compare(previous, contacts);
        if self.born.is_empty() || self.ended.is_empty() {
            return;
        }
        self.ended.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &i in &self.born {
            let c = &contacts[i as usize];
            let reach = 0.5 * smaller_diagonal(objects, c);
            let at = skew_place(&c.master.point);
            let first = self.ended.partition_point(|e| e.0 < at - reach);
            for &(place, j) in &self.ended[first..] {
                if place > at + reach {
                    break;
                }
                let distance = (previous[j as usize].master.point - c.master.point).norm();
                if distance < reach {
                    self.matching.offers.push((distance, i, j));
                }
            }
        }
        self.matching.hand_out([contacts.len(), previous.len()], |i, j| {
            let (old, new) = (&previous[j], &mut contacts[i]);
            let on_master = old.base * old.r;
            let turned = slave_is_second_body(old) != slave_is_second_body(new);
            new.r = new.base.tr_mul(&if turned { -on_master } else { on_master });
        });
    }

    /// Finds the rows of new and of ended contacts.
    fn compare(&mut self, previous: &[Contact], contacts: &[Contact]) {
        self.born.clear();
        self.ended.clear();
        let mut p = 0;
        let end = |p: usize, ended: &mut Vec<(f64, u32)>| {
            ended.push((skew_place(&previous[p].master.point), p as u32));
        };
        for (i, c) in contacts.iter().enumerate() {
            while p < previous.len() && previous[p].key < c.key {
                end(p, &mut self.ended);
                p += 1;
            }
            if p < previous.len() && previous[p].key == c.key {
                p += 1;
            } else {
                self.born.push(i as u32);
            }
        }
        while p < previous.len() {
            end(p, &mut self.ended);
            p += 1;
        }
    }
}

/// Whether the slave is the second body of the key; self-contact counts as not.
fn slave_is_second_body(c: &Contact) -> bool {
    c.slave_second && c.key.bodies[0] != c.key.bodies[1]
}

/// Box diagonal of the smaller of the two objects of a contact [m].
pub fn smaller_diagonal(objects: &Objects, c: &Contact) -> f64 {
    let diagonal = |body: BodyIndex, object: ObjectIndex| objects.part_boxes(body)[object.index()].diagonal();
    diagonal(c.master.body, c.master.object).min(diagonal(c.slave.body, c.slave.object))
}
