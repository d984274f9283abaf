//! What of two solids can matter to their overlap: which faces can bound it, and whose planes can cut these. What is left
//! out lies beyond a plane or a box by more than rounding can reach.

use wide::f64x4;

use super::extent::{greater, lesser, most};
use super::fours::{in_columns, Four};
use super::pair::{Operand, Pair, FEW};
use crate::math::Vec3;

/// Planes can coincide only with at least this cosine between their normals.
pub(super) const ALMOST_PARALLEL: f64 = 0.99;

/// What of a solid is near another one.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// The face whose plane comes nearest to separating the other solid.
    pub nearest: usize,
    /// Faces that can bound the overlap, ascending.
    pub faces: Vec<usize>,
    /// Faces whose planes can cut what of the other lies below the nearest one, or can coincide with faces there,
    /// ascending.
    pub cutting: Vec<usize>,
    /// Their planes: normals and offsets of four, the last one repeated to fill up.
    pub planes: Vec<(Four, f64x4)>,
    /// Heights of the vertices over the nearest plane of the other.
    heights: Vec<f64>,
    /// For each face: is it not wholly above that plane.
    below: Vec<bool>,
}

/// Finds what is near of the slave and of the master; false if that proves that they do not overlap.
pub(super) fn find(pair: &Pair, [s, m]: &mut [Near; 2]) -> bool {
    let (slave, master) = (&pair.slave, &pair.master);
    let limit = 2.0 * pair.tiny;
    (s.nearest, m.nearest) = (nearest(slave), nearest(master));
    let all = slave.faces() <= FEW && master.faces() <= FEW;
    let of_slave = s.mark(slave, master, m.nearest, limit, all);
    let of_master = m.mark(master, slave, s.nearest, limit, all);
    s.faces.clear();
    s.faces.extend((0..slave.faces()).filter(|&f| s.below[f] || coincide(pair, f, m.nearest)));
    m.faces.clear();
    m.faces.extend((0..master.faces()).filter(|&g| m.below[g]));
    if all {
        m.set_cutting(master, |_| true);
        return true;
    }
    // Coinciding faces may lie `same` apart.
    let margin = pair.same + limit;
    let common = of_slave.common(&of_master, margin);
    let few = [slave, master].map(|part| part.faces() <= FEW);
    let nearest = [s.nearest, m.nearest];
    s.set_cutting(slave, |f| few[0] || f == nearest[0] || of_master.top(slave, f) > -margin);
    m.set_cutting(master, |g| few[1] || g == nearest[1] || of_slave.top(master, g) > -margin);
    s.faces.retain(|&f| common.reached_by(slave, f));
    m.faces.retain(|&g| common.reached_by(master, g));
    !common.is_empty()
}

/// The face of greatest separation.
fn nearest(part: &Operand) -> usize {
    let most = most(part.separation);
    part.separation.iter().position(|s| *s == most).unwrap_or(0)
}

/// Whether a slave and a master face lie on one plane, both solids on the same side of it.
#[inline(always)]
pub(super) fn coincide(pair: &Pair, face: usize, other: usize) -> bool {
    let (slave, master) = (&pair.slave, &pair.master);
    slave.normal(face).dot(master.normal(other)) >= ALMOST_PARALLEL
        && (master.loop_of(other).all(|x| slave.height(face, x).abs() <= pair.same)
            || slave.loop_of(face).all(|x| master.height(other, x).abs() <= pair.same))
}

impl Near {
    /// Marks the faces that come below a plane of the other solid, up to `limit` above it. Returns the box about what
    /// does, unless `all` of both is near.
    fn mark(&mut self, part: &Operand, other: &Operand, plane: usize, limit: f64, all: bool) -> Span {
        let Near { heights, below, .. } = self;
        heights.clear();
        let (n, offset) = (other.normal(plane), other.offset(plane));
        heights.extend(part.vertices.iter().map(|x| n.dot(x) - offset));
        below.clear();
        below.resize(part.faces(), false);
        let mut span = Span::EMPTY;
        for edge in &part.view.topology.edges {
            let [i, j] = edge.nodes.map(usize::from);
            let (ha, hb) = (heights[i], heights[j]);
            if ha > limit && hb > limit {
                continue;
            }
            edge.faces.iter().for_each(|&f| below[f as usize] = true);
            if all {
                continue;
            }
            let (a, b) = (part.vertices[i], part.vertices[j]);
            let crossing = || a + (b - a) * ((ha - limit) / (ha - hb));
            span.add(&if ha > limit { crossing() } else { a });
            span.add(&if hb > limit { crossing() } else { b });
        }
        span
    }

    /// Lists the faces whose planes can cut the other solid.
    fn set_cutting(&mut self, part: &Operand, can_cut: impl Fn(usize) -> bool) {
        let Near { cutting, planes, .. } = self;
        let mut count = 0;
        cutting.resize(part.faces(), 0);
        for g in 0..part.faces() {
            // Without a branch, which nothing could predict.
            cutting[count] = g;
            count += usize::from(can_cut(g));
        }
        cutting.truncate(count);
        planes.clear();
        planes.extend(cutting.chunks(4).map(|of| {
            let four = [0, 1, 2, 3].map(|k: usize| of[k.min(of.len() - 1)]);
            (in_columns(&four.map(|g| *part.normal(g))), f64x4::new(four.map(|g| part.offset(g))))
        }));
    }
}

/// An axis-parallel box.
#[derive(Debug, Clone, Copy)]
struct Span {
    low: [f64; 3],
    high: [f64; 3],
}

impl Span {
    const EMPTY: Span = Span { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    #[inline(always)]
    fn add(&mut self, x: &Vec3) {
        for k in 0..3 {
            self.low[k] = lesser(self.low[k], x[k]);
            self.high[k] = greater(self.high[k], x[k]);
        }
    }

    /// What both have in common, enlarged on each side.
    fn common(&self, other: &Span, margin: f64) -> Span {
        Span {
            low: [0, 1, 2].map(|k| greater(self.low[k], other.low[k]) - margin),
            high: [0, 1, 2].map(|k| lesser(self.high[k], other.high[k]) + margin),
        }
    }

    fn is_empty(&self) -> bool {
        (0..3).any(|k| self.low[k] > self.high[k])
    }

    /// Greatest height over the plane of a face through its first corner.
    #[inline(always)]
    fn top(&self, part: &Operand, face: usize) -> f64 {
        let (low, high) = (Vec3::from(self.low), Vec3::from(self.high));
        let n = part.normal(face);
        n.dot(&(0.5 * (low + high) - part.corner(face))) + n.abs().dot(&(0.5 * (high - low)))
    }

    /// Whether a face may have a point in the box.
    fn reached_by(&self, part: &Operand, face: usize) -> bool {
        if self.top(part, face) <= 0.0 {
            return false;
        }
        let mut own = Span::EMPTY;
        part.loop_of(face).for_each(|x| own.add(x));
        (0..3).all(|k| self.low[k] <= own.high[k] && own.low[k] <= self.high[k])
    }
}
