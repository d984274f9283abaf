//! Detection: all contacts of the placed objects, as a pure function of them, of the previous contacts and of the
//! rules.

use rayon::prelude::*;

use super::batch::Batch;
use super::broad::BodyPairs;
use super::compat;
use super::inherit::Inheritance;
use super::kinematics::Kinematics;
use super::near::may_touch;
use super::objects::{Objects, Placed};
use super::rules::Rules;
use super::{Contact, ContactKey, Detection, Statistics};
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;

/// Pieces of work for each thread: some pairs cost more than others.
const BATCHES_PER_THREAD: usize = 8;

/// Working memory of [`Detector::detect`]; nothing in it outlives a step but its capacity.
pub struct Detector {
    bodies: BodyPairs,
    groups: Vec<Group>,
    batches: Vec<Batch>,
    spare: Vec<Contact>,
    /// Whether a bound of the area may spare the kernel; it changes time, never results.
    pub shortcut: bool,
}

impl Default for Detector {
    fn default() -> Self {
        Detector {
            bodies: BodyPairs::default(),
            groups: Vec::new(),
            batches: Vec::new(),
            spare: Vec::new(),
            shortcut: true,
        }
    }
}

/// A body pair, the smaller id first, and its range of the previous contacts.
#[derive(Debug, Clone)]
struct Group {
    bodies: [BodyIndex; 2],
    previous: std::ops::Range<usize>,
}

/// A contact deeper than UNPHYSICAL_PENETRATION allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    pub key: ContactKey,
    pub point: Vec3,
    /// [m], negative.
    pub gap: f64,
}

impl Detector {
    /// The contacts of this step in key order; `objects` have been placed where `bodies` are. `previous` are those of
    /// the last step, in key order; contacts with bodies that no longer exist, or of excluded pairs, end. New
    /// contacts have id 0. The same for any number of threads.
    pub fn detect(
        &mut self,
        objects: &Objects,
        bodies: &dyn Kinematics,
        previous: &[Contact],
        rules: &Rules,
    ) -> Detection {
        self.group(objects, previous, rules);
        let threads = rayon::current_num_threads();
        let batches = if threads > 1 { BATCHES_PER_THREAD * threads } else { 1 };
        let share = self.groups.len().div_ceil(batches).max(1);
        let used = self.groups.len().div_ceil(share);
        self.batches.resize_with(self.batches.len().max(used), Batch::default);
        let shortcut = self.shortcut;
        let batches = &mut self.batches[..used];
        let mut memory = std::mem::take(&mut self.spare);
        if let [batch] = &mut *batches {
            // Its contacts are the result as they are.
            std::mem::swap(&mut batch.contacts, &mut memory);
        }
        batches.par_iter_mut().zip(self.groups.par_chunks(share)).for_each(|(batch, groups)| {
            batch.clear();
            for g in groups {
                batch.pair(&Placed { objects, bodies }, rules, g.bodies, &previous[g.previous.clone()], shortcut);
            }
        });
        gather(batches, objects, previous, rules, memory)
    }

    /// Takes contacts that nobody needs any more; the next detection uses their memory.
    pub fn recycle(&mut self, contacts: Vec<Contact>) {
        self.spare = contacts;
    }

    /// Gives back the memory of contacts that are no longer needed.
    pub fn make_room(&mut self) {
        self.spare = Vec::new();
        self.batches.iter_mut().for_each(|batch| batch.contacts = Vec::new());
    }

    /// Merges the body pairs whose boxes meet with those of contacts that may stay wherever their bodies are.
    fn group(&mut self, objects: &Objects, previous: &[Contact], rules: &Rules) {
        self.groups.clear();
        let near = self.bodies.find(objects, rules.excluded).iter().copied();
        let mut near = near.filter(|pair| rules.homes.own(objects, *pair)).peekable();
        let mut start = 0;
        for of_pair in previous.chunk_by(|a, b| a.key.bodies == b.key.bodies) {
            let range = start..start + of_pair.len();
            start = range.end;
            let Some([i, j]) = bodies(objects, &of_pair[0]) else { continue };
            let key = of_pair[0].key.bodies;
            while let Some(bodies) = near.next_if(|&p| p.map(|body| objects.id(body)) < key) {
                self.groups.push(Group { bodies, previous: 0..0 });
            }
            let meet = near.next_if_eq(&[i, j]).is_some();
            let lasts = |c: &Contact| c.cohesion > 0.0 || (rules.bearing_stay && c.r.z > 0.0);
            let last = || may_touch(objects, rules.excluded, i, j) && of_pair.iter().any(lasts);
            if meet || last() {
                self.groups.push(Group { bodies: [i, j], previous: range });
            }
        }
        self.groups.extend(near.map(|bodies| Group { bodies, previous: 0..0 }));
    }
}

/// The bodies of a contact of the last step, in the order of its key; mostly they are where they were.
fn bodies(objects: &Objects, contact: &Contact) -> Option<[BodyIndex; 2]> {
    let index = |id: BodyId, last: BodyIndex| if objects.holds(last, id) { Some(last) } else { objects.index(id) };
    let (mut first, mut second) = (contact.slave.body, contact.master.body);
    if contact.slave_second {
        (first, second) = (second, first);
    }
    Some([index(contact.key.bodies[0], first)?, index(contact.key.bodies[1], second)?])
}

fn gather(
    batches: &mut [Batch],
    objects: &Objects,
    previous: &[Contact],
    rules: &Rules,
    memory: Vec<Contact>,
) -> Detection {
    let mut contacts = memory;
    join(batches, &mut contacts);
    let mut statistics = Statistics::default();
    let mut ambiguous = Vec::new();
    for batch in batches {
        statistics.add(&batch.statistics);
        ambiguous.extend_from_slice(batch.ambiguous());
    }
    ambiguous.sort_unstable();
    ambiguous.dedup();
    if rules.compat_sparsify {
        statistics.sparsified += compat::sparsify(objects, previous, &mut contacts, &rules.sparsify);
        inherit(objects, previous, &mut contacts);
    }
    let penetration = deepest(&contacts, rules.penetration_depth);
    Detection { contacts, statistics, ambiguous, penetration }
}

/// The contacts of all batches in a row; what `contacts` holds is overwritten.
fn join(batches: &mut [Batch], contacts: &mut Vec<Contact>) {
    if let [batch] = batches {
        return std::mem::swap(&mut batch.contacts, contacts);
    }
    match batches.iter().find_map(|l| l.contacts.first()) {
        Some(filler) => contacts.resize(count(batches), *filler),
        None => contacts.clear(),
    }
    copy(batches, contacts);
}

fn count(batches: &[Batch]) -> usize {
    batches.iter().map(|l| l.contacts.len()).sum()
}

fn copy(batches: &[Batch], contacts: &mut [Contact]) {
    match batches {
        [] => {}
        [batch] => contacts.copy_from_slice(&batch.contacts),
        _ => {
            let (first, second) = batches.split_at(batches.len() / 2);
            let (own, rest) = contacts.split_at_mut(count(first));
            rayon::join(|| copy(first, own), || copy(second, rest));
        }
    }
}

/// Inheritance over all body pairs.
fn inherit(objects: &Objects, previous: &[Contact], contacts: &mut [Contact]) {
    let mut inheritance = Inheritance::default();
    for own in contacts.chunk_by_mut(|a, b| a.key.bodies == b.key.bodies) {
        let bodies = own[0].key.bodies;
        let first = previous.partition_point(|p| p.key.bodies < bodies);
        let end = previous.partition_point(|p| p.key.bodies <= bodies);
        inheritance.pass(objects, &previous[first..end], own);
    }
}

/// The deepest contact that is not cohesive, if it is as deep as `depth` [m].
fn deepest(contacts: &[Contact], depth: f64) -> Option<Penetration> {
    if depth == f64::INFINITY {
        return None;
    }
    let deep = contacts.iter().filter(|c| c.cohesion == 0.0 && c.gap <= -depth);
    deep.min_by(|a, b| a.gap.total_cmp(&b.gap)).map(|c| Penetration { key: c.key, point: c.master.point, gap: c.gap })
}
