//! What contact sees of all bodies: their parts, placed. Columns over parts with offsets into columns of vertices and
//! normals.

use super::adjacency::adjacency;
use super::kinematics::Kinematics;
use super::narrow::{Ball, CurvedView, Object};
use super::parts::{span, Form, PartKind, Parts};
use super::placing::Job;
use super::tree::Tree;
use crate::ids::{BodyId, BodyIndex, ObjectIndex};
use crate::math::Vec3;
use crate::shape::{Bounds, ConvexPart, SolidView};
use crate::{Error, Result};

/// Bodies with more parts than this have a tree of their own.
const TREE_PARTS: usize = 16;
/// What the box of a body for EXTENTS has beyond that of contact, in epsilons.
const EXTENTS_MARGIN: f64 = 10.0;
/// What the size of a ball may lose when it is found as the difference of the sides of its box, in parts of it.
const BALL_MARGIN: f64 = 1e-6;

/// Placed rows.
#[derive(Debug, Clone, Default)]
struct PlacedColumns {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    boxes: Vec<Bounds>,
    body_boxes: Vec<Bounds>,
}

/// All contact-active parts of all bodies. The row of a body is its [`BodyIndex`], in any order.
#[derive(Debug, Clone, Default)]
pub struct Objects {
    ids: Vec<BodyId>,
    /// Bodies in the order of their ids.
    by_id: Vec<BodyIndex>,
    /// Place of each body in `by_id`.
    rank: Vec<u32>,
    obstacle: Vec<bool>,
    selfcontact: Vec<bool>,
    /// Whether a body is one ball.
    ball: Vec<bool>,
    /// Rows of parts of each body; offsets, one more than bodies.
    part_start: Vec<u32>,
    trees: Vec<Option<Box<Tree>>>,
    parts: Parts,
    placed: PlacedColumns,
}

/// A convex part of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part(pub BodyIndex, pub ObjectIndex);

impl Objects {
    pub fn new() -> Self {
        let mut objects = Objects::default();
        objects.part_start.push(0);
        objects.parts.open();
        objects
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.ids.len()
    }

    /// Ids of the bodies by index.
    pub(super) fn ids(&self) -> &[BodyId] {
        &self.ids
    }

    /// Id of a body.
    pub fn id(&self, body: BodyIndex) -> BodyId {
        self.ids[body.index()]
    }

    /// Whether this is the body with this id.
    pub(super) fn holds(&self, body: BodyIndex, id: BodyId) -> bool {
        self.ids.get(body.index()) == Some(&id)
    }

    /// The body with this id.
    pub fn index(&self, id: BodyId) -> Option<BodyIndex> {
        self.by_id.binary_search_by_key(&id, |&body| self.id(body)).ok().map(|rank| self.by_id[rank])
    }

    /// Place of a body in the order of ids.
    pub(super) fn rank(&self, body: BodyIndex) -> u32 {
        self.rank[body.index()]
    }

    /// The body at this place in the order of ids.
    pub(super) fn at_rank(&self, rank: u32) -> BodyIndex {
        self.by_id[rank as usize]
    }

    pub fn is_obstacle(&self, body: BodyIndex) -> bool {
        self.obstacle[body.index()]
    }

    pub fn has_selfcontact(&self, body: BodyIndex) -> bool {
        self.selfcontact[body.index()]
    }

    /// Whether a body touches itself from now on.
    pub fn set_selfcontact(&mut self, body: BodyIndex, on: bool) {
        self.selfcontact[body.index()] = on;
    }

    /// Number of parts of a body.
    pub fn parts_of(&self, body: BodyIndex) -> usize {
        self.range(body).len()
    }

    /// The box of a body, enlarged by the geometric epsilon on each side.
    pub fn bounds(&self, body: BodyIndex) -> &Bounds {
        &self.placed.body_boxes[body.index()]
    }

    /// Whether a body lies strictly outside `extents` (xmin ymin zmin xmax ymax zmax) along some axis, with a margin of
    /// 11 epsilon in all.
    pub fn outside(&self, body: BodyIndex, extents: &[f64; 6], epsilon: f64) -> bool {
        let b = self.bounds(body).enlarged(EXTENTS_MARGIN * epsilon);
        (0..3).any(|k| b.high[k] < extents[k] || b.low[k] > extents[k + 3])
    }

    /// Whether the bodies may share a point: their boxes do, and if both are single balls, so do the balls in the
    /// boxes.
    pub(super) fn meet(&self, [i, j]: [BodyIndex; 2]) -> bool {
        let [a, b] = [i, j].map(|body| &self.placed.body_boxes[body.index()]);
        a.meets(b) && !(self.ball[i.index()] && self.ball[j.index()] && balls_apart(a, b))
    }

    pub(super) fn body_boxes(&self) -> &[Bounds] {
        &self.placed.body_boxes
    }

    /// Boxes of the parts of a body, enlarged by the geometric epsilon on each side.
    pub fn part_boxes(&self, body: BodyIndex) -> &[Bounds] {
        &self.placed.boxes[self.range(body)]
    }

    pub(super) fn tree(&self, body: BodyIndex) -> Option<&Tree> {
        self.trees[body.index()].as_deref()
    }

    pub fn kind(&self, body: BodyIndex, object: ObjectIndex) -> PartKind {
        self.parts.kind[self.part(body, object)]
    }

    /// ConvexPart `object` of a body where it is now.
    pub fn object(&self, body: BodyIndex, object: ObjectIndex) -> Object<'_> {
        let a = self.part(body, object);
        let vertices = &self.placed.vertices[span(&self.parts.vertex_start, a)];
        match &self.parts.form[a] {
            Form::Solid(topology) => Object::Solid(SolidView {
                topology,
                vertices,
                normals: &self.placed.normals[span(&self.parts.normal_start, a)],
            }),
            &Form::Ball { radius, surfid } => Object::Ball(Ball { center: vertices[0], radius, surfid }),
            Form::Curved(form) => Object::Curved(CurvedView { form: form.as_ref(), points: vertices }),
        }
    }

    /// Atoms of the same body that share a node (elements of one mesh) or touched when the body was made (polyhedra),
    /// ascending, without the part itself.
    pub fn adjacent(&self, body: BodyIndex, object: ObjectIndex) -> &[ObjectIndex] {
        &self.parts.adjacent[span(&self.parts.adjacent_start, self.part(body, object))]
    }

    /// Element of the body's meshes that a part belongs to, or [`NO_ELEMENT`](crate::body::NO_ELEMENT).
    pub fn element(&self, body: BodyIndex, object: ObjectIndex) -> u32 {
        self.parts.element[self.part(body, object)]
    }

    /// Its number in decks, where pieces of an element or of a polyhedron count as one.
    pub fn number(&self, body: BodyIndex, object: ObjectIndex) -> u32 {
        self.parts.number[self.part(body, object)]
    }

    /// Adds a body; its index is the number of bodies before. `shapes` holds the parts of each of its shapes in order,
    /// placed in the reference configuration; the object index counts through them. `epsilon` [m] decides which
    /// polyhedra touch. Errors: a body with this id is there already.
    pub fn insert(
        &mut self,
        id: BodyId,
        obstacle: bool,
        selfcontact: bool,
        shapes: &[Vec<ConvexPart>],
        epsilon: f64,
    ) -> Result<()> {
        let adjacent = adjacency(shapes, epsilon);
        self.add(id, obstacle, selfcontact, |parts| parts.append(shapes, adjacent, epsilon))
    }

    /// Adds a body as [`insert`](Self::insert) does whose parts are not adjacent to each other, so that each has all of
    /// its skin.
    pub fn insert_apart(&mut self, id: BodyId, obstacle: bool, shapes: &[Vec<ConvexPart>]) -> Result<()> {
        let none = vec![Vec::new(); shapes.iter().map(Vec::len).sum()];
        self.add(id, obstacle, false, |parts| parts.append(shapes, none, 0.0))
    }

    fn add(&mut self, id: BodyId, obstacle: bool, selfcontact: bool, append: impl FnOnce(&mut Parts)) -> Result<()> {
        let index = BodyIndex(self.ids.len() as u32);
        let Err(rank) = self.by_id.binary_search_by_key(&id, |&body| self.id(body)) else {
            return Err(Error::input(format!("body {id}: inserted twice; the ids of bodies differ")));
        };
        self.by_id.insert(rank, index);
        self.rank.push(rank as u32);
        for &later in &self.by_id[rank + 1..] {
            self.rank[later.index()] += 1;
        }
        self.ids.push(id);
        self.obstacle.push(obstacle);
        self.selfcontact.push(selfcontact);
        append(&mut self.parts);
        self.part_start.push(self.parts.kind.len() as u32);
        self.ball.push(self.parts.kind[self.range(index)] == [PartKind::Ball]);
        let many = self.range(index).len() > TREE_PARTS;
        let tree = many.then(|| {
            let boxes: Vec<Bounds> = self.range(index).map(|a| self.parts.reference_bounds(a)).collect();
            let mut tree = Tree::default();
            tree.build(&boxes);
            Box::new(tree.settle())
        });
        self.trees.push(tree);
        Ok(())
    }

    /// Removes the bodies whose `keep` is false; the others keep their order.
    pub fn retain(&mut self, keep: &[bool]) {
        let mut kept = Objects::new();
        // bodies that have come since are not placed yet, and the next step places all
        let placed = self.placed.body_boxes.len() == self.ids.len();
        for body in (0..self.ids.len()).filter(|&b| keep[b]) {
            kept.ids.push(self.ids[body]);
            kept.obstacle.push(self.obstacle[body]);
            kept.selfcontact.push(self.selfcontact[body]);
            kept.ball.push(self.ball[body]);
            kept.trees.push(self.trees[body].take());
            let range = self.range(BodyIndex(body as u32));
            range.clone().for_each(|a| kept.parts.copy(&self.parts, a));
            if placed {
                kept.placed.body_boxes.push(self.placed.body_boxes[body]);
                kept.placed.boxes.extend(&self.placed.boxes[range.clone()]);
                for a in range {
                    kept.placed.vertices.extend(&self.placed.vertices[span(&self.parts.vertex_start, a)]);
                    kept.placed.normals.extend(&self.placed.normals[span(&self.parts.normal_start, a)]);
                }
            }
            kept.part_start.push(kept.parts.kind.len() as u32);
        }
        kept.order_ids();
        *self = kept;
    }

    /// Fills the columns that order bodies by id.
    fn order_ids(&mut self) {
        self.by_id = (0..self.ids.len() as u32).map(BodyIndex).collect();
        self.by_id.sort_unstable_by_key(|body| self.ids[body.index()]);
        self.rank = vec![0; self.ids.len()];
        for (rank, body) in (0..).zip(&self.by_id) {
            self.rank[body.index()] = rank;
        }
    }

    /// Moves everything to where the bodies are; boxes are enlarged by `epsilon` [m] on each side.
    ///
    /// # Errors
    /// A body whose configuration is not finite or is turned inside out.
    pub fn place(&mut self, bodies: &dyn Kinematics, epsilon: f64) -> Result<()> {
        for (body, id) in (0..).map(BodyIndex).zip(&self.ids) {
            bodies.check_place(body).map_err(|why| Error::NotFinite(format!("body {id}: {why}")))?;
        }
        let p = &mut self.placed;
        p.vertices.resize(self.parts.reference_vertices.len(), Vec3::zeros());
        p.normals.resize(self.parts.reference_normals.len(), Vec3::zeros());
        p.boxes.resize(self.parts.kind.len(), Bounds::default());
        p.body_boxes.resize(self.ids.len(), Bounds::default());
        Job {
            first: 0,
            bodies,
            part_start: &self.part_start,
            parts: &self.parts,
            epsilon,
            vertices: &mut p.vertices,
            normals: &mut p.normals,
            boxes: &mut p.boxes,
            body_boxes: &mut p.body_boxes,
            trees: &mut self.trees,
        }
        .run();
        Ok(())
    }

    fn range(&self, body: BodyIndex) -> std::ops::Range<usize> {
        span(&self.part_start, body.index())
    }

    fn part(&self, body: BodyIndex, object: ObjectIndex) -> usize {
        (self.part_start[body.index()] + object.0) as usize
    }
}

/// Whether the balls in two boxes are apart, by more than round-off.
fn balls_apart(a: &Bounds, b: &Bounds) -> bool {
    let reach = 0.5 * (1.0 + BALL_MARGIN) * (a.high.x - a.low.x + b.high.x - b.low.x);
    (a.center() - b.center()).norm_squared() > reach * reach
}

/// Placed objects together with the bodies that they belong to.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub objects: &'a Objects,
    pub bodies: &'a dyn Kinematics,
}

impl std::ops::Deref for Placed<'_> {
    type Target = Objects;

    fn deref(&self) -> &Objects {
        self.objects
    }
}

impl Placed<'_> {
    /// Reference place of a point on an object that is `here` now. A body that has none, which [`Objects::place`]
    /// excludes, would give the place itself.
    pub fn reference(&self, body: BodyIndex, object: ObjectIndex, here: &Vec3) -> Vec3 {
        let element = self.element(body, object);
        self.bodies.reference(body, object, element, here).unwrap_or(*here)
    }
}
