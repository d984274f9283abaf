//! A cheap upper bound of the contact area of two solids, to reject edges and corners before clipping.

use super::extent::{bounds, lowest, top};
use super::pair::coincidence;
use super::touch::EDGE_WIDTH;
use crate::math::Vec3;
use crate::shape::SolidView;

/// Solids with more faces in all are bounded by their boxes.
const MANY: usize = 48;
/// Two normals with a greater cosine hardly bound an area.
const PARALLEL: f64 = 0.99;
/// The third normal must stand out of the plane of the first two by this much (a determinant).
const FLAT: f64 = 0.05;
/// Round-off of a width, in units of the coordinates.
const ROUNDOFF: f64 = 256.0 * f64::EPSILON;

/// Upper bound of the area that [`super::solids`] returns; zero when it returns none, or a contact of zero area.
///
/// The overlap lies in a slab along each face normal, as thick as that face plane penetrates. Three slabs make a
/// parallelepiped, whose half surface is the bound; two thin slabs make an edge.
pub fn area_bound(slave: &SolidView, master: &SolidView, epsilon: f64) -> f64 {
    let count = slave.normals.len() + master.normals.len();
    if count > MANY {
        return box_bound(slave, master, epsilon);
    }
    let mut width = [0.0; MANY];
    let mut reach = 0.0_f64;
    // As the kernel chooses its reference: the deepest skin plane when that touches, else the deepest of all.
    let (mut thinnest, mut thinnest_skin) = (0, None);
    let mut k = 0;
    for (solid, other) in [(slave, master), (master, slave)] {
        for (f, n) in solid.normals.iter().enumerate() {
            let top = top(n, solid.topology.face(f), solid.vertices);
            let separation = lowest(n, other.vertices) - top;
            reach = reach.max(top.abs());
            if separation > epsilon + ROUNDOFF * top.abs() {
                return 0.0;
            }
            width[k] = -separation;
            if width[k] < width[thinnest] {
                thinnest = k;
            }
            if f < solid.topology.skin && thinnest_skin.is_none_or(|t: usize| width[k] < width[t]) {
                thinnest_skin = Some(k);
            }
            k += 1;
        }
    }
    let touch = epsilon.max(ROUNDOFF * reach);
    let touching = width[thinnest] <= touch;
    let thinnest = match thinnest_skin {
        Some(skin) if width[skin] <= touch => skin,
        _ => thinnest,
    };
    let normal = |k: usize| slave.normals.get(k).unwrap_or_else(|| &master.normals[k - slave.normals.len()]);
    let n1 = *normal(thinnest);
    // Touching faces may lie epsilon apart, and side walls of a touch count with its depth, at most epsilon.
    let slack = |k: usize| width[k].max(0.0) + 2.0 * epsilon * normal(k).dot(&n1).abs() + ROUNDOFF * reach;
    let w1 = width[thinnest].max(0.0) + 2.0 * epsilon + ROUNDOFF * reach;
    let Some((w2, n2)) = least(&width[..count], &slack, &normal, |n| n.dot(&n1).abs() < PARALLEL) else {
        return box_bound(slave, master, epsilon);
    };
    let across = n1.cross(&n2);
    // The contact polygon lies within epsilon of one plane and within `w2` along another: no wider than this.
    if touching && is_edge((epsilon + w2) / across.norm(), slave, master, epsilon) {
        return 0.0;
    }
    let Some((w3, n3)) = least(&width[..count], &slack, &normal, |n| n.dot(&across).abs() > FLAT) else {
        return box_bound(slave, master, epsilon);
    };
    (w1 * w2 + w2 * w3 + w3 * w1) / n3.dot(&across).abs()
}

/// The thinnest slab whose normal passes.
fn least<'a>(
    width: &[f64],
    slack: &impl Fn(usize) -> f64,
    normal: &impl Fn(usize) -> &'a Vec3,
    passes: impl Fn(&Vec3) -> bool,
) -> Option<(f64, Vec3)> {
    let mut best: Option<(f64, Vec3)> = None;
    for (k, &bare) in width.iter().enumerate() {
        if best.is_some_and(|(b, _)| bare >= b) {
            continue;
        }
        let w = slack(k);
        if best.is_none_or(|(b, _)| w < b) && passes(normal(k)) {
            best = Some((w, *normal(k)));
        }
    }
    best
}

/// Whether a touching polygon not wider than `width` counts as an edge, by the rule of the kernel.
fn is_edge(width: f64, slave: &SolidView, master: &SolidView, epsilon: f64) -> bool {
    if width > EDGE_WIDTH * epsilon {
        return false;
    }
    let ((a, b), (c, d)) = (bounds(slave.vertices), bounds(master.vertices));
    width <= EDGE_WIDTH * coincidence(epsilon, (b.sup(&d) - a.inf(&c)).norm())
}

/// Half the surface of the intersection of both boxes.
fn box_bound(slave: &SolidView, master: &SolidView, epsilon: f64) -> f64 {
    let ((a, b), (c, d)) = (bounds(slave.vertices), bounds(master.vertices));
    let w = (b.inf(&d) - a.sup(&c)).add_scalar(2.0 * epsilon);
    if w.min() < 0.0 {
        0.0
    } else {
        w.x * w.y + w.y * w.z + w.z * w.x
    }
}
