//! Several contact points where faces meet (CONTACT_POINTS, docs/theory.md 4): the extreme points of each flat patch
//! that two bodies share, persistent by feature.

use super::extreme::Extremes;
use super::inherit::smaller_diagonal;
use super::kernel;
use super::matching::{distance, Matching};
use super::narrow::{Corner, FaceWorkspace};
use super::objects::{Part, Placed};
use super::patches::{Patches, Piece};
use super::record::made;
use super::rules::Rules;
use super::sparsify::KeptContacts;
use super::{Contact, ContactKey, ManifoldPoint};
use crate::ids::BodyIndex;
use crate::math::Vec3;

/// A new point nearer than this part of the smaller object's diagonal to a lasting contact is the same point.
const SAME_PLACE: f64 = 0.01;

/// Working memory of [`Faces::spread`].
#[derive(Default)]
pub struct Faces {
    workspace: FaceWorkspace,
    corners: Vec<Corner>,
    pieces: Vec<Piece>,
    patches: Patches,
    /// Patches: whether new, area, number.
    ranking: Vec<(bool, f64, usize)>,
    /// Those that are kept.
    order: Vec<usize>,
    kept: KeptContacts,
    extremes: Extremes,
    /// Corners of a patch that touch, and the pieces that they belong to.
    touching: Vec<(Vec3, f64, usize)>,
    points: Vec<Vec3>,
    old: Vec<Vec3>,
    matching: Matching,
    /// The new points in key order; the id is 0 where nothing was before.
    pub fresh: Vec<Contact>,
    /// For each of them the row of the previous contact whose place it takes.
    pub partner: Vec<Option<usize>>,
}

impl Faces {
    /// The points of two bodies that have these contacts, `single`, one for each pair of objects; `lasting` contacts of
    /// the previous ones, cohesive or not computed, stay, and no new point comes where they are. Returns how many
    /// new contacts sparsification dropped.
    pub fn spread(
        &mut self,
        objects: &Placed<'_>,
        rules: &Rules,
        bodies: [BodyIndex; 2],
        previous: &[Contact],
        single: &[Contact],
        lasting: &mut [Contact],
    ) -> usize {
        self.find_pieces(objects, rules, single);
        self.patches.gather(objects, bodies, &self.pieces);
        let dropped = self.sparsify(objects, rules, bodies, previous);
        self.remember(objects, bodies, previous);
        self.fresh.clear();
        for patch in 0..self.order.len() {
            self.place(objects, rules, single, self.order[patch]);
        }
        self.yield_to(objects, lasting);
        self.fresh.sort_by_key(|c| c.key.objects);
        self.name(previous, lasting);
        dropped
    }

    fn find_pieces(&mut self, objects: &Placed<'_>, rules: &Rules, single: &[Contact]) {
        self.corners.clear();
        self.pieces.clear();
        for (row, c) in single.iter().enumerate() {
            let first = self.corners.len();
            let face = kernel::shared_face(objects, c, rules.epsilon, &mut self.workspace, &mut self.corners);
            self.pieces.push(Piece::of(row, c, face, [first, self.corners.len()]));
        }
        self.pieces.sort_unstable_by_key(|p| p.pair);
    }

    /// Puts the patches that are kept into `order`: as single contacts, old ones always, new ones where they are not
    /// too small beside larger neighbours.
    fn sparsify(&mut self, objects: &Placed<'_>, rules: &Rules, bodies: [BodyIndex; 2], previous: &[Contact]) -> usize {
        let pieces = &self.pieces;
        let is_old = |p: &Piece| previous.binary_search_by_key(&p.pair, |c| c.key.objects).is_ok();
        let patches = &mut self.ranking;
        patches.clear();
        for (k, patch) in self.patches.iter().enumerate() {
            let area: f64 = patch.iter().map(|&p| pieces[p].area).sum();
            patches.push((!patch.iter().any(|&p| is_old(&pieces[p])), area, k));
        }
        patches.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        self.kept.begin(objects, bodies);
        self.order.clear();
        for &(new, area, k) in &*patches {
            let patch = &self.patches.order[self.patches.start[k]..self.patches.start[k + 1]];
            let mut pairs = patch.iter().map(|&p| pieces[p].pair);
            let flat = patch.iter().all(|&p| kernel::is_flat(objects, bodies, pieces[p].pair));
            if new && flat && pairs.any(|pair| self.kept.outweigh(objects, &rules.sparsify, pair, area)) {
                continue;
            }
            for &p in patch {
                self.kept.keep(pieces[p].pair, flat.then_some(area), Vec3::zeros());
            }
            self.order.push(k);
        }
        patches.len() - self.order.len()
    }

    /// Where the previous contacts are now.
    fn remember(&mut self, objects: &Placed<'_>, bodies: [BodyIndex; 2], previous: &[Contact]) {
        self.old.clear();
        for c in previous {
            let mut at = c.slave.material();
            at.body = bodies[usize::from(c.slave_second)];
            self.old.push(objects.bodies.point(&at));
        }
    }

    /// Makes the contacts of a patch.
    fn place(&mut self, objects: &Placed<'_>, rules: &Rules, single: &[Contact], patch: usize) {
        let pieces = &self.patches.order[self.patches.start[patch]..self.patches.start[patch + 1]];
        let pieces = pieces.iter().map(|&p| &self.pieces[p]);
        self.touching.clear();
        self.points.clear();
        let (mut area, mut shared, mut moment) = (0.0, 0.0, Vec3::zeros());
        let (mut normal, mut same) = (Vec3::zeros(), 0.0);
        for piece in pieces.clone() {
            area += piece.area;
            let Some(face) = &piece.face else { continue };
            let corners = piece.corners(&self.corners);
            self.points.extend(corners.iter().map(|c| c.point));
            shared += face.area;
            moment += face.center * face.area;
            (normal, same) = (piece.normal, face.same);
            let touching = corners.iter().filter(|c| c.gap <= face.touch);
            self.touching.extend(touching.map(|c| (c.point, c.gap.min(0.0), piece.row)));
        }
        let Some(first) = pieces.clone().next() else { return };
        if self.touching.is_empty() {
            self.fresh.extend(pieces.map(|p| Contact { id: 0, ..single[p.row] }));
            return;
        }
        let flat = if shared > 0.0 { normal } else { first.normal };
        let points = self.extremes.count(&self.points, &flat, rules.points, same) as u32;
        let whole = self.touching.len() == self.points.len() && shared > 0.0;
        let center = whole.then(|| moment / shared);
        self.points.clear();
        self.points.extend(self.touching.iter().map(|(x, ..)| x));
        self.extremes.choose(&self.points, &flat, rules.points, center, &self.old, same);
        for extreme in &self.extremes.chosen {
            let ([a, b], s) = (extreme.corners.map(|k| self.touching[k]), extreme.along);
            let nearer = if s < 0.5 { a.2 } else { b.2 };
            let like = &single[nearer];
            let point = extreme.point(&self.points);
            let (slave, master) =
                (Part(like.slave.body, like.slave.object), Part(like.master.body, like.master.object));
            let hit = ManifoldPoint {
                slave_point: point,
                master_point: point,
                normal: like.base.column(2).into_owned(),
                gap: a.1 + s * (b.1 - a.1),
                area: extreme.share * area,
                projected: 0.0,
                surf: [like.master.surf, like.slave.surf],
            };
            self.fresh.push(Contact { points, ..made(objects, like.key, slave, master, &hit) });
        }
    }

    /// Removes new points whose place lasting contacts have, which take the gap there.
    fn yield_to(&mut self, objects: &Placed<'_>, lasting: &mut [Contact]) {
        if lasting.is_empty() {
            return;
        }
        for (i, new) in (0..).zip(&self.fresh) {
            let reach = SAME_PLACE * smaller_diagonal(objects, new);
            let near = (0..).zip(&*lasting).map(|(j, old)| (distance(new, old), i, j));
            self.matching.offers.extend(near.filter(|offer| offer.0 < reach));
        }
        let fresh = &self.fresh;
        let mut keep = vec![true; fresh.len()];
        self.matching.hand_out([keep.len(), lasting.len()], |i, j| {
            keep[i] = false;
            lasting[j].gap = fresh[i].gap;
        });
        let mut kept = keep.iter();
        self.fresh.retain(|_| kept.next().copied().unwrap_or(true));
    }

    /// Gives features: each new point takes that of the nearest old point of the same objects, and with it id and
    /// reaction; others take the least numbers that are free.
    fn name(&mut self, previous: &[Contact], lasting: &[Contact]) {
        for (i, new) in (0..).zip(&self.fresh) {
            let first = previous.partition_point(|c| c.key.objects < new.key.objects);
            let of_pair = previous[first..].iter().take_while(|c| c.key.objects == new.key.objects);
            for (j, old) in (first as u32..).zip(of_pair) {
                if !lasting.iter().any(|c| c.key == old.key) {
                    self.matching.offers.push((distance(new, old), i, j));
                }
            }
        }
        self.partner.clear();
        self.partner.resize(self.fresh.len(), None);
        let partner = &mut self.partner;
        self.matching.hand_out([self.fresh.len(), previous.len()], |i, j| partner[i] = Some(j));
        for i in 0..self.fresh.len() {
            if let Some(j) = self.partner[i] {
                take_over(&mut self.fresh[i], &previous[j]);
            }
        }
        for i in 0..self.fresh.len() {
            if self.partner[i].is_some() {
                continue;
            }
            let mut key = ContactKey { feature: 0, ..self.fresh[i].key };
            let named = |k: usize| k < i || self.partner[k].is_some();
            while lasting
                .iter()
                .chain((0..self.fresh.len()).filter(|&k| named(k)).map(|k| &self.fresh[k]))
                .any(|c| c.key == key)
            {
                key.feature += 1;
            }
            self.fresh[i].key = key;
        }
    }
}

/// Gives a new point what the old one of the same objects was.
fn take_over(new: &mut Contact, old: &Contact) {
    new.key.feature = old.key.feature;
    new.id = old.id;
    let on_master = old.base * old.r;
    let turned = new.slave_second != old.slave_second;
    new.r = new.base.tr_mul(&if turned { -on_master } else { on_master });
}
