//! Which row of one file is which of another: same kind, same pair of bodies, nearest points.

use std::collections::BTreeMap;

use solfec::math::Mat3;

use super::side::{Place, Side};

/// Six digits are wrong by at most this part of the number.
const ROUNDED: f64 = 5e-6;

/// A pair of rows: `a = turn b` for vectors in their bases.
#[derive(Debug, Clone)]
pub struct Pair {
    pub a: usize,
    pub b: usize,
    pub turn: Mat3,
    /// Master and slave are exchanged.
    pub swapped: bool,
}

/// Pairs in the order of the first file, and the rows of both that have no partner.
#[derive(Debug, Clone, Default)]
pub struct Matching {
    pub pairs: Vec<Pair>,
    pub left: [Vec<usize>; 2],
}

type Group<'a> = [Vec<usize>; 2];

/// Matches rows whose points are within `tolerance` [m], more where digits are missing.
pub fn rows(a: &Side, b: &Side, tolerance: f64) -> Matching {
    let (Some(of_a), Some(of_b)) = (&a.places, &b.places) else {
        return by_order(a.rows, b.rows);
    };
    let mut groups: BTreeMap<(u8, u64, Option<u64>), Group> = BTreeMap::new();
    for (side, places) in [of_a, of_b].into_iter().enumerate() {
        for (k, place) in places.iter().enumerate() {
            groups.entry(key(place)).or_default()[side].push(k);
        }
    }
    let reach = |x: &Place, y: &Place| {
        let size = if a.rounded || b.rounded { x.point.amax().max(y.point.amax()) } else { 0.0 };
        tolerance + 2.0 * ROUNDED * size
    };
    let mut matching = Matching::default();
    for group in groups.values() {
        let mut near = Vec::new();
        for &i in &group[0] {
            for &j in &group[1] {
                let (x, y) = (&of_a[i], &of_b[j]);
                let (distance, reach) = ((x.point - y.point).norm(), reach(x, y));
                if distance <= reach {
                    // Of points as near as this the one with the same normal is meant.
                    near.push((distance / reach.max(f64::MIN_POSITIVE) + misalignment(x, y), i, j));
                }
            }
        }
        near.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
        let mut taken: [Vec<usize>; 2] = Default::default();
        for (_, i, j) in near {
            if !taken[0].contains(&i) && !taken[1].contains(&j) {
                taken[0].push(i);
                taken[1].push(j);
                let (turn, swapped) = turn(&of_a[i], &of_b[j]);
                matching.pairs.push(Pair { a: i, b: j, turn, swapped });
            }
        }
        for side in 0..2 {
            matching.left[side].extend(group[side].iter().filter(|k| !taken[side].contains(k)));
        }
    }
    matching.pairs.sort_by_key(|p| p.a);
    matching.left.iter_mut().for_each(|left| left.sort_unstable());
    matching
}

fn by_order(a: usize, b: usize) -> Matching {
    let n = a.min(b);
    let pair = |k| Pair { a: k, b: k, turn: Mat3::identity(), swapped: false };
    Matching { pairs: (0..n).map(pair).collect(), left: [(n..a).collect(), (n..b).collect()] }
}

/// Kind and bodies, whichever is the master.
fn key(place: &Place) -> (u8, u64, Option<u64>) {
    match place.slave {
        Some(slave) => (place.kind, place.master.min(slave), Some(place.master.max(slave))),
        None => (place.kind, place.master, None),
    }
}

/// 1 when the slave of one is the master of the other, with −1; of self-contact the normals tell.
fn sign(a: &Place, b: &Place) -> f64 {
    let turned = match a.slave {
        Some(slave) if slave == a.master => a.base.column(2).dot(&b.base.column(2)) < 0.0,
        _ => a.master != b.master,
    };
    if turned {
        -1.0
    } else {
        1.0
    }
}

/// 0 for equal normals, up to 2.
fn misalignment(a: &Place, b: &Place) -> f64 {
    1.0 - sign(a, b) * a.base.column(2).dot(&b.base.column(2))
}

fn turn(a: &Place, b: &Place) -> (Mat3, bool) {
    let sign = sign(a, b);
    (a.base.transpose() * b.base * sign, sign < 0.0)
}

/// Distance of the bases: of their normals where the tangents are free to turn, else (FIXPNT, VELODIR3) of all columns.
pub fn base_distance(a: &Place, b: &Place) -> f64 {
    match a.kind {
        1 | 4 => (a.base - b.base).norm(),
        _ => (a.base.column(2) - b.base.column(2) * sign(a, b)).norm(),
    }
}
