//! The contacts of one body pair: existing ones renewed, new ones made, sparsified and given what ended ones leave.

use std::collections::BinaryHeap;

use super::broad::part_pairs;
use super::candidates::{box_bound, Candidate, Waiting, Walk};
use super::faces::Faces;
use super::inherit::Inheritance;
use super::kernel;
use super::narrow::Workspace;
use super::objects::{Part, Placed};
use super::record::{bonded, bonded_corner, carried, made, opened, parted};
use super::rules::{Lookup, Rules};
use super::sparsify::KeptContacts;
use super::{Contact, ContactKey, ManifoldPoint, Statistics};
use crate::ids::{BodyIndex, ObjectIndex};
use crate::model::Sparsify;

/// The contacts of a batch of body pairs, worked through by one thread, and the memory this needs, which is kept
/// between steps.
#[derive(Default)]
pub struct Batch {
    narrow: Workspace,
    lookup: Lookup,
    kept: KeptContacts,
    inheritance: Inheritance,
    faces: Faces,
    /// Contacts of the pair at hand that stay whatever the kernel says.
    lasting: Vec<Contact>,
    pairs: Vec<[ObjectIndex; 2]>,
    candidates: Vec<Candidate>,
    /// Computed contacts that wait until no larger one can come.
    waiting: BinaryHeap<Waiting>,
    drafts: Vec<Contact>,
    /// Contacts of the pair at hand, and their rows in key order.
    own: Vec<Contact>,
    order: Vec<([ObjectIndex; 2], u32)>,
    /// Contacts of all pairs so far, in key order.
    pub contacts: Vec<Contact>,
    pub statistics: Statistics,
}

impl Batch {
    /// Forgets the last step.
    pub fn clear(&mut self) {
        self.contacts.clear();
        self.lookup.clear();
        self.statistics = Statistics::default();
    }

    /// Surface pairs of an ambiguous material, ascending.
    pub fn ambiguous(&self) -> &[[i32; 2]] {
        &self.lookup.ambiguous
    }

    /// Appends the contacts of `bodies` (the smaller id first) in key order, given the `previous` ones. With `shortcut`
    /// the kernel is spared where a bound of the area proves that its contact would be dropped.
    pub fn pair(
        &mut self,
        objects: &Placed<'_>,
        rules: &Rules,
        bodies: [BodyIndex; 2],
        previous: &[Contact],
        shortcut: bool,
    ) {
        self.pairs.clear();
        part_pairs(objects, bodies, &mut self.pairs);
        if rules.excluded.has_parts() {
            self.pairs.retain(|&parts| !rules.excluded.parts(objects.objects, bodies, parts));
        }
        self.statistics.pairs_tested += self.pairs.len();
        self.own.clear();
        if rules.points > 1 && !rules.compat_sparsify {
            self.pair_of_faces(objects, rules, bodies, previous, shortcut);
            return;
        }
        if let (&[pair], [old]) = (&self.pairs[..], previous) {
            if pair == old.key.objects {
                // There is nothing to make, and nothing to inherit.
                let renewed = self.renew(objects, rules, bodies, old, true);
                self.contacts.extend(renewed);
                return;
            }
        }
        self.renew_all(objects, rules, bodies, previous);
        if rules.compat_sparsify {
            self.make_all(objects, rules, bodies);
        } else {
            self.make_lasting(objects, rules, bodies, shortcut);
        }
        let start = self.contacts.len();
        if self.own.len() > 1 {
            self.order.clear();
            self.order.extend((0..).zip(&self.own).map(|(row, c)| (c.key.objects, row)));
            self.order.sort_unstable();
            self.contacts.extend(self.order.iter().map(|&(_, row)| self.own[row as usize]));
        } else {
            self.contacts.append(&mut self.own);
        }
        if !rules.compat_sparsify {
            self.inheritance.pass(objects, previous, &mut self.contacts[start..]);
        }
    }

    /// Renews existing contacts; what is left of the pairs of objects become candidates.
    fn renew_all(&mut self, objects: &Placed<'_>, rules: &Rules, bodies: [BodyIndex; 2], previous: &[Contact]) {
        self.candidates.clear();
        let pairs = std::mem::take(&mut self.pairs);
        let mut walk = Walk::new(&pairs);
        for old in previous {
            let near = walk.pass(old.key.objects, &mut self.candidates);
            let renewed = self.renew(objects, rules, bodies, old, near);
            self.own.extend(renewed);
        }
        walk.end(&mut self.candidates);
        self.pairs = pairs;
    }

    /// An existing contact as it is now, or none.
    fn renew(
        &mut self,
        objects: &Placed<'_>,
        rules: &Rules,
        bodies: [BodyIndex; 2],
        old: &Contact,
        near: bool,
    ) -> Option<Contact> {
        let (slave, master) = sides(bodies, old);
        let hit = if near { kernel::contact_point(objects, slave, master, rules, &mut self.narrow) } else { Ok(None) };
        let contact = match hit {
            Ok(Some(hit)) if old.cohesion > 0.0 => bonded(objects, slave, master, old, &hit),
            Ok(Some(hit)) => self.renew_plain(objects, rules, slave, master, old, &hit),
            Ok(None) if old.cohesion > 0.0 => parted(objects, slave, master, old),
            Ok(None) if rules.bearing_stay => opened(objects, slave, master, old)?,
            Ok(None) => return None,
            Err(_) => {
                self.statistics.failures += 1;
                if old.stale && old.cohesion == 0.0 {
                    return None;
                }
                self.statistics.fallbacks += 1;
                Contact { stale: true, ..carried(objects, slave, master, old) }
            }
        };
        let surf = [contact.master.surf, contact.slave.surf];
        let excluded =
            rules.excluded.surfaces(surf) || rules.excluded.parts(objects.objects, bodies, contact.key.objects);
        (!excluded).then_some(contact)
    }

    fn renew_plain(
        &mut self,
        objects: &Placed<'_>,
        rules: &Rules,
        slave: Part,
        master: Part,
        old: &Contact,
        hit: &ManifoldPoint,
    ) -> Contact {
        let mut new = made(objects, old.key, slave, master, hit);
        new.id = old.id;
        new.r = new.base.tr_mul(&(old.base * old.r));
        if hit.surf == [old.master.surf, old.slave.surf] {
            new.material = old.material;
        } else {
            self.give_material(rules, &mut new);
        }
        new
    }

    /// The contacts of a body pair where faces may have several points.
    fn pair_of_faces(
        &mut self,
        objects: &Placed<'_>,
        rules: &Rules,
        bodies: [BodyIndex; 2],
        previous: &[Contact],
        shortcut: bool,
    ) {
        self.renew_pairs(objects, rules, bodies, previous);
        // Sparsification is of patches: all pieces of a patch count.
        let sparsify = Sparsify { threshold: 0.0, minarea: 0.0, ..rules.sparsify };
        self.make_lasting(objects, &Rules { sparsify, ..*rules }, bodies, shortcut);
        let mut faces = std::mem::take(&mut self.faces);
        self.statistics.sparsified += faces.spread(objects, rules, bodies, previous, &self.own, &mut self.lasting);
        for (new, partner) in faces.fresh.iter_mut().zip(&faces.partner) {
            let surf = |c: &Contact| [c.master.surf, c.slave.surf];
            match partner.map(|j| &previous[j]).filter(|old| surf(old) == surf(new)) {
                Some(old) => new.material = old.material,
                None => self.give_material(rules, new),
            }
        }
        let start = self.contacts.len();
        self.contacts.extend_from_slice(&faces.fresh);
        self.contacts.append(&mut self.lasting);
        self.contacts[start..].sort_unstable_by_key(|c| c.key);
        self.faces = faces;
        self.inheritance.pass(objects, previous, &mut self.contacts[start..]);
    }

    /// One contact for each pair of objects that had some and still touches; cohesive ones, and those that cannot be
    /// computed in this step, last. What is left of the pairs of objects become candidates.
    fn renew_pairs(&mut self, objects: &Placed<'_>, rules: &Rules, bodies: [BodyIndex; 2], previous: &[Contact]) {
        self.candidates.clear();
        self.lasting.clear();
        let pairs = std::mem::take(&mut self.pairs);
        let mut walk = Walk::new(&pairs);
        for of_pair in previous.chunk_by(|a, b| a.key.objects == b.key.objects) {
            let near = walk.pass(of_pair[0].key.objects, &mut self.candidates);
            self.renew_pair(objects, rules, bodies, of_pair, near);
        }
        walk.end(&mut self.candidates);
        self.pairs = pairs;
    }

    fn renew_pair(
        &mut self,
        objects: &Placed<'_>,
        rules: &Rules,
        bodies: [BodyIndex; 2],
        of_pair: &[Contact],
        near: bool,
    ) {
        let key = of_pair[0].key;
        let (slave, master) = sides(bodies, &of_pair[0]);
        let hit = if near { kernel::contact_point(objects, slave, master, rules, &mut self.narrow) } else { Ok(None) };
        self.statistics.failures += usize::from(hit.is_err());
        let excluded = |c: &Contact| {
            rules.excluded.surfaces([c.master.surf, c.slave.surf])
                || rules.excluded.parts(objects.objects, bodies, c.key.objects)
        };
        for old in of_pair {
            let lasting = match &hit {
                Ok(Some(hit)) if old.cohesion > 0.0 => Some(bonded_corner(objects, slave, master, old, hit)),
                Ok(None) if old.cohesion > 0.0 => Some(parted(objects, slave, master, old)),
                Ok(None) if rules.bearing_stay => opened(objects, slave, master, old),
                Err(_) if !old.stale || old.cohesion > 0.0 => {
                    self.statistics.fallbacks += usize::from(old.key == key);
                    Some(Contact { stale: true, ..carried(objects, slave, master, old) })
                }
                Ok(_) | Err(_) => None,
            };
            self.lasting.extend(lasting.filter(|c| !excluded(c)));
        }
        if let Ok(Some(hit)) = hit {
            let single = made(objects, ContactKey { feature: 0, ..key }, slave, master, &hit);
            self.own.extend(Some(single).filter(|c| !excluded(c)));
        }
    }

    /// All contacts of the candidates.
    fn make_all(&mut self, objects: &Placed<'_>, rules: &Rules, bodies: [BodyIndex; 2]) {
        for k in 0..self.candidates.len() {
            let made = self.make(objects, rules, bodies, self.candidates[k].pair);
            self.own.extend(made);
        }
    }

    /// The contacts of the candidates that survive sparsification. A computed contact is decided upon when its area
    /// exceeds the bounds of all candidates to come, hence in descending (area, key) order as if all were known.
    fn make_lasting(&mut self, objects: &Placed<'_>, rules: &Rules, bodies: [BodyIndex; 2], shortcut: bool) {
        if self.candidates.is_empty() {
            return;
        }
        self.kept.begin(objects, bodies);
        for c in &self.own {
            let area = kernel::is_flat(objects, bodies, c.key.objects).then_some(c.area);
            self.kept.keep(c.key.objects, area, c.master.point);
        }
        // A candidate alone can only be dropped by the least area.
        let contested = self.candidates.len() > 1 || !self.kept.is_empty();
        let shortcut = shortcut && (contested || rules.sparsify.minarea > 0.0);
        if shortcut {
            self.order_by_bound(objects, rules, bodies);
        }
        self.drafts.clear();
        for k in 0..self.candidates.len() {
            let Candidate { pair, bound } = self.candidates[k];
            if shortcut {
                self.decide(objects, rules, bodies, bound);
                if self.kept.outweigh(objects, &rules.sparsify, pair, bound) {
                    self.statistics.spared += 1;
                    continue;
                }
            }
            if let Some(contact) = self.make(objects, rules, bodies, pair) {
                self.waiting.push(Waiting { area: contact.area, pair, draft: self.drafts.len() as u32 });
                self.drafts.push(contact);
            }
        }
        self.decide(objects, rules, bodies, f64::NEG_INFINITY);
    }

    /// Bounds the candidates and puts them in descending order of the bound; those without area come last as they are.
    /// A first bound, by boxes, removes those that the least area or the contacts there are already rule out.
    fn order_by_bound(&mut self, objects: &Placed<'_>, rules: &Rules, bodies: [BodyIndex; 2]) {
        let decidable = !self.kept.is_empty() || rules.sparsify.minarea > 0.0;
        let (mut positive, mut left) = (0, 0);
        for k in 0..self.candidates.len() {
            let mut c = self.candidates[k];
            if kernel::is_flat(objects, bodies, c.pair) {
                let by_boxes = box_bound(objects, bodies, c.pair);
                if decidable && self.kept.outweigh(objects, &rules.sparsify, c.pair, by_boxes) {
                    self.statistics.spared += 1;
                    continue;
                }
                let [first, second] = [0, 1].map(|k| Part(bodies[k], c.pair[k]));
                c.bound = kernel::bound(objects, first, second, rules.epsilon);
            }
            self.candidates[left] = c;
            if c.bound > 0.0 {
                self.candidates.swap(positive, left);
                positive += 1;
            }
            left += 1;
        }
        self.candidates.truncate(left);
        self.candidates[..positive].sort_unstable_by(|a, b| b.bound.total_cmp(&a.bound).then(a.pair.cmp(&b.pair)));
    }

    /// Keeps or drops the waiting contacts of more than this area, the largest first.
    fn decide(&mut self, objects: &Placed<'_>, rules: &Rules, bodies: [BodyIndex; 2], area: f64) {
        while self.waiting.peek().is_some_and(|w| w.area > area) {
            let Some(w) = self.waiting.pop() else { return };
            let flat = kernel::is_flat(objects, bodies, w.pair);
            let rule = &rules.sparsify;
            let contact = &self.drafts[w.draft as usize];
            let point = contact.master.point;
            if flat && self.kept.outweigh(objects, rule, w.pair, w.area) || self.kept.stand_at(&point, rule.mindist) {
                self.statistics.sparsified += 1;
            } else {
                self.own.push(*contact);
                self.kept.keep(w.pair, flat.then_some(w.area), point);
            }
        }
    }

    /// A new contact, if the objects touch.
    fn make(
        &mut self,
        objects: &Placed<'_>,
        rules: &Rules,
        bodies: [BodyIndex; 2],
        pair: [ObjectIndex; 2],
    ) -> Option<Contact> {
        let (slave, master) = kernel::roles(objects, Part(bodies[0], pair[0]), Part(bodies[1], pair[1]));
        let hit = match kernel::contact_point(objects, slave, master, rules, &mut self.narrow) {
            Ok(hit) => hit?,
            Err(_) => {
                self.statistics.failures += 1;
                return None;
            }
        };
        if rules.excluded.surfaces(hit.surf) {
            return None;
        }
        let key = ContactKey { bodies: bodies.map(|b| objects.id(b)), objects: pair, feature: 0 };
        let mut contact = made(objects, key, slave, master, &hit);
        self.give_material(rules, &mut contact);
        Some(contact)
    }

    /// Looks the material of the surfaces up; bonds when the time is 0.
    fn give_material(&mut self, rules: &Rules, contact: &mut Contact) {
        let surf = [contact.master.surf, contact.slave.surf];
        contact.material = self.lookup.row(rules.materials, surf);
        let cohesion = rules.materials.get(contact.material as usize).map_or(0.0, |m| m.cohesion);
        contact.cohesion = if rules.bonding { cohesion * contact.area } else { 0.0 };
    }
}

/// Slave and master of an existing contact.
fn sides(bodies: [BodyIndex; 2], of: &Contact) -> (Part, Part) {
    let [first, second] = [0, 1].map(|k| Part(bodies[k], of.key.objects[k]));
    if of.slave_second {
        (second, first)
    } else {
        (first, second)
    }
}
