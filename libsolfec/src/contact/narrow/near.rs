//! What of two solids can matter to their overlap: which faces can bound it, and whose planes can cut these. What is left
//! out lies beyond a plane or a box by more than rounding can reach.

use super::extent::{greater, lesser};
use super::fours::{in_columns, in_fours, Four};
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
    /// Of a solid with many faces, those but the nearest whose planes can cut what of the other lies below that one,
    /// ascending.
    pub cutting: Vec<usize>,
    /// Their planes: normals and offsets of four, the last one repeated to fill up.
    pub planes: Vec<(Four, [f64; 4])>,
    /// Normals of the faces that a face of the other can coincide with.
    pub normals: Vec<Four>,
    /// Heights of the vertices over the nearest plane of the other.
    heights: Vec<f64>,
    /// For each face: is it not wholly above that plane.
    below: Vec<bool>,
    list: Vec<Vec3>,
}

/// Finds what is near of the slave and of the master; false if that proves that they do not overlap.
pub(super) fn find(pair: &Pair, [s, m]: &mut [Near; 2]) -> bool {
    let (slave, master) = (&pair.slave, &pair.master);
    let limit = 2.0 * pair.tiny;
    (s.nearest, m.nearest) = (slave.nearest, master.nearest);
    let all = slave.faces() <= FEW && master.faces() <= FEW;
    let of_slave = s.mark(slave, master, m.nearest, limit, all);
    let of_master = m.mark(master, slave, s.nearest, limit, all);
    s.faces.clear();
    s.faces.extend((0..slave.faces()).filter(|&f| s.below[f] || coincide(pair, f, m.nearest)));
    m.faces.clear();
    m.faces.extend((0..master.faces()).filter(|&g| m.below[g]));
    if all {
        in_fours(master.view.normals, &mut m.normals);
        return true;
    }
    // Coinciding faces may lie `same` apart.
    let margin = pair.same + limit;
    let common = of_slave.common(&of_master, margin);
    s.find_cutting(slave, &of_master, margin);
    m.find_cutting(master, &of_slave, margin);
    s.faces.retain(|&f| common.reached_by(slave, f));
    m.faces.retain(|&g| common.reached_by(master, g));
    !common.is_empty()
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
        heights.extend(part.vertices.iter().map(|x| other.height(plane, x)));
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

    /// Finds the planes that can cut what of the other solid lies in `span`, which is all that lies below the nearest
    /// one. With few faces, all can.
    fn find_cutting(&mut self, part: &Operand, span: &Span, margin: f64) {
        if part.faces() <= FEW {
            in_fours(part.view.normals, &mut self.normals);
            return;
        }
        let Near { nearest, cutting, planes, normals, list, .. } = self;
        cutting.clear();
        list.clear();
        for g in 0..part.faces() {
            let top = span.top(part, g);
            if top > -margin || g == *nearest {
                list.push(*part.normal(g));
            }
            if top > 0.0 && g != *nearest {
                cutting.push(g);
            }
        }
        in_fours(list, normals);
        planes.clear();
        planes.extend(cutting.chunks(4).map(|of| {
            let face = |k: usize| of[k.min(of.len() - 1)];
            let four = [0, 1, 2, 3].map(face);
            (in_columns(&four.map(|g| *part.normal(g))), four.map(|g| part.offset[g]))
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

    /// Greatest height over the plane of a face.
    #[inline(always)]
    fn top(&self, part: &Operand, face: usize) -> f64 {
        let (low, high) = (Vec3::from(self.low), Vec3::from(self.high));
        part.height(face, &(0.5 * (low + high))) + part.normal(face).abs().dot(&(0.5 * (high - low)))
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
