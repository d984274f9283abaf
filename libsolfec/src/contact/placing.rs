//! Placement of the convex parts of bodies where the bodies are now.

use std::ops::Range;

use super::kinematics::Kinematics;
use super::narrow::round_off;
use super::parts::{span, Parts};
use super::tree::Tree;
use crate::ids::BodyIndex;
use crate::math::Vec3;
use crate::shape::Bounds;

/// Bodies with fewer parts in all than this are placed by one thread.
const GRAIN: usize = 256;

/// Placement of a range of bodies: their parts of the placed columns.
pub(super) struct Job<'a> {
    pub first: usize,
    pub bodies: &'a dyn Kinematics,
    pub part_start: &'a [u32],
    pub parts: &'a Parts,
    pub epsilon: f64,
    pub vertices: &'a mut [Vec3],
    pub normals: &'a mut [Vec3],
    pub boxes: &'a mut [Bounds],
    pub body_boxes: &'a mut [Bounds],
    pub trees: &'a mut [Option<Box<Tree>>],
}

impl Job<'_> {
    pub fn run(self) {
        let n = self.body_boxes.len();
        if n < 2 || self.boxes.len() < GRAIN {
            self.serial();
            return;
        }
        let (left, right) = self.halves(n / 2);
        rayon::join(|| left.run(), || right.run());
    }

    fn halves(self, n: usize) -> (Self, Self) {
        let start = |body: usize| self.part_start[self.first + body] as usize;
        let (a0, a1) = (start(0), start(n));
        let count = |offset: &[u32]| (offset[a1] - offset[a0]) as usize;
        let (v0, v1) = self.vertices.split_at_mut(count(&self.parts.vertex_start));
        let (n0, n1) = self.normals.split_at_mut(count(&self.parts.normal_start));
        let (b0, b1) = self.boxes.split_at_mut(a1 - a0);
        let (c0, c1) = self.body_boxes.split_at_mut(n);
        let (t0, t1) = self.trees.split_at_mut(n);
        let left = Job { first: self.first, vertices: v0, normals: n0, boxes: b0, body_boxes: c0, trees: t0, ..self };
        let right = Job {
            first: left.first + n,
            bodies: left.bodies,
            part_start: left.part_start,
            parts: left.parts,
            epsilon: left.epsilon,
            vertices: v1,
            normals: n1,
            boxes: b1,
            body_boxes: c1,
            trees: t1,
        };
        (left, right)
    }

    fn serial(self) {
        let (mut v, mut n, mut b) = (0, 0, 0);
        for k in 0..self.body_boxes.len() {
            let body = BodyIndex((self.first + k) as u32);
            let parts = span(self.part_start, self.first + k);
            let vertices = across(&self.parts.vertex_start, &parts);
            let normals = across(&self.parts.normal_start, &parts);
            let placed = &mut self.vertices[v..v + vertices.len()];
            let reference = &self.parts.reference_vertices[vertices.clone()];
            self.bodies.place(body, reference, &self.parts.nodes[vertices.clone()], placed);
            let turned = &mut self.normals[n..n + normals.len()];
            if !turned.is_empty()
                && !self.bodies.turn_normals(body, &self.parts.reference_normals[normals.clone()], turned)
            {
                self.parts.normals_of_faces(parts.clone(), placed, turned);
            }
            let own = &mut self.boxes[b..b + parts.len()];
            for (bounds, part) in own.iter_mut().zip(parts.clone()) {
                let of_part = span(&self.parts.vertex_start, part);
                let corners = &placed[of_part.start - vertices.start..of_part.end - vertices.start];
                *bounds = with_round_off(self.parts.form[part].bounds(corners, self.epsilon), self.epsilon);
            }
            self.body_boxes[k] = own.iter().copied().reduce(|sum, x| sum.union(&x)).unwrap_or_default();
            if let Some(tree) = &mut self.trees[k] {
                tree.refit(own);
            }
            (v, n, b) = (v + vertices.len(), n + normals.len(), b + parts.len());
        }
    }
}

/// A box with a margin of `epsilon`, enlarged if that is less than the round-off of what lies at its sides.
fn with_round_off(bounds: Bounds, epsilon: f64) -> Bounds {
    let margin = round_off(bounds.low.amax().max(bounds.high.amax()), &Vec3::zeros());
    if margin > epsilon {
        bounds.enlarged(margin)
    } else {
        bounds
    }
}

/// The rows of some parts in a column with offsets.
fn across(start: &[u32], parts: &Range<usize>) -> Range<usize> {
    start[parts.start] as usize..start[parts.end] as usize
}
