//! `--compat sparsify`: the sparsification of Solfec-1.0 (docs/compatibility.md). A new contact is dropped for
//! its area only on behalf of its master's side, dropped contacts suppress others too, and contacts of any bodies that
//! stand on the same spot are compared, the older yielding to the younger.

use super::objects::Objects;
use super::parts::PartKind;
use super::{Contact, Side};
use crate::model::Sparsify;

/// Removes contacts from `contacts` (in key order) that are not among the `previous` ones; returns how many.
pub fn sparsify(objects: &Objects, previous: &[Contact], contacts: &mut Vec<Contact>, rule: &Sparsify) -> usize {
    let old: Vec<bool> = contacts.iter().map(|c| previous.binary_search_by_key(&c.key, |p| p.key).is_ok()).collect();
    let of_body = by_body(objects, contacts);
    let mut keep = old.clone();
    for (i, c) in contacts.iter().enumerate().filter(|(i, _)| !old[*i]) {
        let mut others = [c.master.body, c.slave.body]
            .into_iter()
            .flat_map(|b| &of_body[b.index()])
            .map(|&k| k as usize)
            .filter(|&k| k != i);
        keep[i] = c.area >= rule.minarea
            && !others.any(|k| {
                let other = &contacts[k];
                if c.area < rule.threshold * other.area {
                    c.key.bodies == other.key.bodies && adjacent(objects, &c.master, other)
                } else {
                    let apart = (c.master.point - other.master.point).amax();
                    apart < 2.0 * rule.mindist && (old[k] || i < k)
                }
            });
    }
    let before = contacts.len();
    let mut kept = keep.iter();
    contacts.retain(|_| kept.next().copied().unwrap_or(true));
    before - contacts.len()
}

fn by_body(objects: &Objects, contacts: &[Contact]) -> Vec<Vec<u32>> {
    let mut of_body = vec![Vec::new(); objects.bodies()];
    for (k, c) in (0..).zip(contacts) {
        of_body[c.master.body.index()].push(k);
        of_body[c.slave.body.index()].push(k);
    }
    of_body
}

/// Whether the object of `other` on the body of `master` is adjacent to that of `master`; elements are to themselves.
fn adjacent(objects: &Objects, master: &Side, other: &Contact) -> bool {
    let side = if other.master.body == master.body { &other.master } else { &other.slave };
    if side.object == master.object {
        return objects.kind(master.body, master.object) == PartKind::Element;
    }
    objects.adjacent(master.body, master.object).contains(&side.object)
}
