//! What contact sees of all bodies: their atoms, placed. Columns over atoms with offsets into columns of vertices and
//! normals; how faces hang together stays in the topology that equal shapes share.

use std::sync::Arc;

use super::adjacency::adjacency;
use super::bounds::Bounds;
use super::narrow::Ball;
use super::tree::Tree;
use crate::body::Motion;
use crate::ids::{BodyId, BodyIndex, ObjectIndex};
use crate::math::{Mat3, Vec3};
use crate::shape::{Atom, SolidView, Topology};
use crate::{Error, Result};

/// Bodies with more atoms than this have a tree of their own.
const TREE_ATOMS: usize = 16;
/// Bodies with fewer atoms in all than this are placed by one thread.
const GRAIN: usize = 256;
/// What the box of a body for EXTENTS has beyond that of contact, in epsilons.
const EXTENTS_MARGIN: f64 = 10.0;
/// Entrywise departure of `FᵀF` from one up to which a motion is a rotation: round-off of a product of rotations.
const ORTHONORMAL: f64 = 1e-12;

/// What an atom is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomKind {
    /// An element of a mesh.
    Element,
    /// A polyhedron of its own.
    Polyhedron,
    Ball,
}

/// Rows of atoms; a ball has its centre as its only vertex.
#[derive(Debug, Clone, Default)]
struct Atoms {
    kind: Vec<AtomKind>,
    /// None for balls.
    topology: Vec<Option<Arc<Topology>>>,
    /// 0 for solids.
    radius: Vec<f64>,
    /// Of balls.
    surfid: Vec<i32>,
    /// Offsets, one more than atoms.
    vertex_start: Vec<u32>,
    normal_start: Vec<u32>,
    adjacent_start: Vec<u32>,
    /// Object indices within the body, ascending, without the atom itself.
    adjacent: Vec<ObjectIndex>,
    reference_vertices: Vec<Vec3>,
    reference_normals: Vec<Vec3>,
}

/// Placed rows.
#[derive(Debug, Clone, Default)]
struct Placed {
    vertices: Vec<Vec3>,
    normals: Vec<Vec3>,
    boxes: Vec<Bounds>,
    body_boxes: Vec<Bounds>,
}

/// All contact-active atoms of all bodies. The row of a body is its [`BodyIndex`], in any order.
#[derive(Debug, Clone, Default)]
pub struct Objects {
    ids: Vec<BodyId>,
    /// Bodies in the order of their ids.
    by_id: Vec<BodyIndex>,
    /// Place of each body in `by_id`.
    rank: Vec<u32>,
    obstacle: Vec<bool>,
    selfcontact: Vec<bool>,
    motion: Vec<Motion>,
    /// `F⁻¹` of each body.
    inverse: Vec<Mat3>,
    /// Rows of atoms of each body; offsets, one more than bodies.
    atom_start: Vec<u32>,
    trees: Vec<Option<Box<Tree>>>,
    atoms: Atoms,
    placed: Placed,
}

/// A placed atom.
#[derive(Debug, Clone, Copy)]
pub enum Object<'a> {
    Solid(SolidView<'a>),
    Ball(Ball),
}

impl Objects {
    pub fn new() -> Self {
        let mut objects = Objects::default();
        objects.atom_start.push(0);
        objects.atoms.open();
        objects
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.ids.len()
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

    pub fn motion(&self, body: BodyIndex) -> &Motion {
        &self.motion[body.index()]
    }

    /// Number of atoms of a body.
    pub fn atoms_of(&self, body: BodyIndex) -> usize {
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

    pub(super) fn body_boxes(&self) -> &[Bounds] {
        &self.placed.body_boxes
    }

    /// Boxes of the atoms of a body, enlarged by the geometric epsilon on each side.
    pub fn atom_boxes(&self, body: BodyIndex) -> &[Bounds] {
        &self.placed.boxes[self.range(body)]
    }

    pub(super) fn tree(&self, body: BodyIndex) -> Option<&Tree> {
        self.trees[body.index()].as_deref()
    }

    pub fn kind(&self, body: BodyIndex, object: ObjectIndex) -> AtomKind {
        self.atoms.kind[self.atom(body, object)]
    }

    /// Atom `object` of a body where it is now.
    pub fn object(&self, body: BodyIndex, object: ObjectIndex) -> Object<'_> {
        let a = self.atom(body, object);
        let vertices = &self.placed.vertices[span(&self.atoms.vertex_start, a)];
        match &self.atoms.topology[a] {
            Some(topology) => Object::Solid(SolidView {
                topology,
                vertices,
                normals: &self.placed.normals[span(&self.atoms.normal_start, a)],
            }),
            None => {
                Object::Ball(Ball { center: vertices[0], radius: self.atoms.radius[a], surfid: self.atoms.surfid[a] })
            }
        }
    }

    /// Atoms of the same body that share a node (elements of one mesh) or touched when the body was made (polyhedra),
    /// ascending, without the atom itself.
    pub fn adjacent(&self, body: BodyIndex, object: ObjectIndex) -> &[ObjectIndex] {
        &self.atoms.adjacent[span(&self.atoms.adjacent_start, self.atom(body, object))]
    }

    /// Reference point of the spatial point `x` of a body.
    pub fn reference(&self, body: BodyIndex, x: &Vec3) -> Vec3 {
        let m = self.motion(body);
        m.x0 + self.inverse[body.index()] * (x - m.x)
    }

    /// Adds a body; its index is the number of bodies before. `shapes` holds the atoms of each of its shapes in order, placed in the reference
    /// configuration; the object index counts through them. `epsilon` [m] decides which polyhedra touch.
    /// Errors: a body with this id is there already.
    pub fn insert(
        &mut self,
        id: BodyId,
        obstacle: bool,
        selfcontact: bool,
        shapes: &[Vec<Atom>],
        epsilon: f64,
    ) -> Result<()> {
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
        self.motion.push(Motion { f: Mat3::identity(), x: Vec3::zeros(), x0: Vec3::zeros() });
        self.inverse.push(Mat3::identity());
        self.atoms.append(shapes, epsilon);
        self.atom_start.push(self.atoms.kind.len() as u32);
        let many = self.range(index).len() > TREE_ATOMS;
        let tree = many.then(|| {
            let boxes: Vec<Bounds> = self.range(index).map(|a| self.atoms.reference_bounds(a)).collect();
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
            kept.motion.push(self.motion[body]);
            kept.inverse.push(self.inverse[body]);
            kept.trees.push(self.trees[body].take());
            let range = self.range(BodyIndex(body as u32));
            range.clone().for_each(|a| kept.atoms.copy(&self.atoms, a));
            if placed {
                kept.placed.body_boxes.push(self.placed.body_boxes[body]);
                kept.placed.boxes.extend(&self.placed.boxes[range.clone()]);
                for a in range {
                    kept.placed.vertices.extend(&self.placed.vertices[span(&self.atoms.vertex_start, a)]);
                    kept.placed.normals.extend(&self.placed.normals[span(&self.atoms.normal_start, a)]);
                }
            }
            kept.atom_start.push(kept.atoms.kind.len() as u32);
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

    /// Moves everything to where `motions` (one for each body) say; boxes are enlarged by `epsilon` [m] on each side.
    pub fn place(&mut self, motions: &[Motion], epsilon: f64) -> Result<()> {
        for (m, id) in motions.iter().zip(&self.ids) {
            let finite = m.f.iter().chain(m.x.iter()).all(|c| c.is_finite());
            if !finite || m.f.determinant() <= 0.0 {
                return Err(Error::NotFinite(format!(
                    "body {id}: its configuration is not finite or turns it inside out (x = {}, {}, {}; det F = {}); \
                     reduce the time step",
                    m.x.x,
                    m.x.y,
                    m.x.z,
                    m.f.determinant()
                )));
            }
        }
        self.motion.clear();
        self.motion.extend_from_slice(motions);
        let p = &mut self.placed;
        p.vertices.resize(self.atoms.reference_vertices.len(), Vec3::zeros());
        p.normals.resize(self.atoms.reference_normals.len(), Vec3::zeros());
        p.boxes.resize(self.atoms.kind.len(), Bounds::default());
        p.body_boxes.resize(self.ids.len(), Bounds::default());
        Job {
            first: 0,
            motions,
            atom_start: &self.atom_start,
            atoms: &self.atoms,
            epsilon,
            vertices: &mut p.vertices,
            normals: &mut p.normals,
            boxes: &mut p.boxes,
            body_boxes: &mut p.body_boxes,
            inverse: &mut self.inverse,
            trees: &mut self.trees,
        }
        .run();
        Ok(())
    }

    fn range(&self, body: BodyIndex) -> std::ops::Range<usize> {
        span(&self.atom_start, body.index())
    }

    fn atom(&self, body: BodyIndex, object: ObjectIndex) -> usize {
        (self.atom_start[body.index()] + object.0) as usize
    }
}

fn span(start: &[u32], row: usize) -> std::ops::Range<usize> {
    start[row] as usize..start[row + 1] as usize
}

impl Atoms {
    fn open(&mut self) {
        self.vertex_start.push(0);
        self.normal_start.push(0);
        self.adjacent_start.push(0);
    }

    fn append(&mut self, shapes: &[Vec<Atom>], epsilon: f64) {
        for atom in shapes.iter().flatten() {
            match atom {
                Atom::Solid(s) => {
                    self.kind.push(if s.mesh_nodes.is_empty() { AtomKind::Polyhedron } else { AtomKind::Element });
                    self.topology.push(Some(Arc::clone(&s.topology)));
                    self.radius.push(0.0);
                    self.surfid.push(0);
                    self.reference_vertices.extend(&s.vertices);
                    self.reference_normals.extend(&s.normals);
                }
                Atom::Ball { center, radius, surfid } => {
                    self.kind.push(AtomKind::Ball);
                    self.topology.push(None);
                    self.radius.push(*radius);
                    self.surfid.push(*surfid);
                    self.reference_vertices.push(*center);
                }
            }
            self.close();
        }
        for neighbours in adjacency(shapes, epsilon) {
            self.adjacent.extend(neighbours.into_iter().map(ObjectIndex));
            self.adjacent_start.push(self.adjacent.len() as u32);
        }
    }

    fn close(&mut self) {
        self.vertex_start.push(self.reference_vertices.len() as u32);
        self.normal_start.push(self.reference_normals.len() as u32);
    }

    fn copy(&mut self, from: &Atoms, a: usize) {
        self.kind.push(from.kind[a]);
        self.topology.push(from.topology[a].clone());
        self.radius.push(from.radius[a]);
        self.surfid.push(from.surfid[a]);
        self.reference_vertices.extend(&from.reference_vertices[span(&from.vertex_start, a)]);
        self.reference_normals.extend(&from.reference_normals[span(&from.normal_start, a)]);
        self.close();
        self.adjacent.extend(&from.adjacent[span(&from.adjacent_start, a)]);
        self.adjacent_start.push(self.adjacent.len() as u32);
    }

    fn reference_bounds(&self, a: usize) -> Bounds {
        Bounds::around(&self.reference_vertices[span(&self.vertex_start, a)], self.radius[a])
    }
}

/// Placement of a range of bodies: their parts of the placed columns.
struct Job<'a> {
    first: usize,
    motions: &'a [Motion],
    atom_start: &'a [u32],
    atoms: &'a Atoms,
    epsilon: f64,
    vertices: &'a mut [Vec3],
    normals: &'a mut [Vec3],
    boxes: &'a mut [Bounds],
    body_boxes: &'a mut [Bounds],
    inverse: &'a mut [Mat3],
    trees: &'a mut [Option<Box<Tree>>],
}

impl Job<'_> {
    fn run(self) {
        let n = self.body_boxes.len();
        if n < 2 || self.boxes.len() < GRAIN {
            self.serial();
            return;
        }
        let (left, right) = self.halves(n / 2);
        rayon::join(|| left.run(), || right.run());
    }

    fn halves(self, n: usize) -> (Self, Self) {
        let start = |body: usize| self.atom_start[self.first + body] as usize;
        let (a0, a1) = (start(0), start(n));
        let count = |offset: &[u32]| (offset[a1] - offset[a0]) as usize;
        let (v0, v1) = self.vertices.split_at_mut(count(&self.atoms.vertex_start));
        let (n0, n1) = self.normals.split_at_mut(count(&self.atoms.normal_start));
        let (b0, b1) = self.boxes.split_at_mut(a1 - a0);
        let (c0, c1) = self.body_boxes.split_at_mut(n);
        let (i0, i1) = self.inverse.split_at_mut(n);
        let (t0, t1) = self.trees.split_at_mut(n);
        let left = Job {
            first: self.first,
            vertices: v0,
            normals: n0,
            boxes: b0,
            body_boxes: c0,
            inverse: i0,
            trees: t0,
            ..self
        };
        let right = Job {
            first: left.first + n,
            motions: left.motions,
            atom_start: left.atom_start,
            atoms: left.atoms,
            epsilon: left.epsilon,
            vertices: v1,
            normals: n1,
            boxes: b1,
            body_boxes: c1,
            inverse: i1,
            trees: t1,
        };
        (left, right)
    }

    fn serial(self) {
        let (mut v, mut n, mut b) = (0, 0, 0);
        for k in 0..self.body_boxes.len() {
            let motion = &self.motions[self.first + k];
            let (turn, inverse) = turn_of_normals(&motion.f);
            self.inverse[k] = inverse;
            let first = b;
            for a in span(self.atom_start, self.first + k) {
                let reference = span(&self.atoms.vertex_start, a);
                let vertices = &mut self.vertices[v..v + reference.len()];
                for (x, p) in vertices.iter_mut().zip(&self.atoms.reference_vertices[reference]) {
                    *x = motion.point(p);
                }
                v += vertices.len();
                for p in &self.atoms.reference_normals[span(&self.atoms.normal_start, a)] {
                    self.normals[n] = match &turn {
                        Turn::Rotation => motion.f * p,
                        Turn::Cofactor(c) => (c * p).normalize(),
                    };
                    n += 1;
                }
                self.boxes[b] = Bounds::around(vertices, self.atoms.radius[a] + self.epsilon);
                b += 1;
            }
            let own = &self.boxes[first..b];
            self.body_boxes[k] = own.iter().fold(Bounds::default(), |sum, x| sum.union(x));
            if let Some(tree) = &mut self.trees[k] {
                tree.refit(own);
            }
        }
    }
}

/// How normals turn: with a rotation, or with the cofactor of the deformation gradient.
enum Turn {
    Rotation,
    Cofactor(Mat3),
}

/// How normals turn, and `F⁻¹`, which a rotation has for free; `place` has made sure that it exists.
fn turn_of_normals(f: &Mat3) -> (Turn, Mat3) {
    if is_rotation(f) {
        return (Turn::Rotation, f.transpose());
    }
    let (a, b, c) = (f.column(0), f.column(1), f.column(2));
    let cofactor = Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]);
    (Turn::Cofactor(cofactor), f.try_inverse().unwrap_or_else(Mat3::identity))
}

fn is_rotation(f: &Mat3) -> bool {
    (f.transpose() * f - Mat3::identity()).amax() <= ORTHONORMAL
}
