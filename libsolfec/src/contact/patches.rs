//! Flat patches: faces of neighbouring elements on one plane that meet faces of the other body, taken as one face.

use super::narrow::{Corner, SharedFace};
use super::objects::Placed;
use super::Contact;
use crate::ids::{BodyIndex, ObjectIndex};
use crate::math::Vec3;

/// Faces whose normals have at least this cosine are one plane: 0.8 mrad.
const ONE_PLANE: f64 = 1.0 - 3e-7;

/// What a pair of objects shares.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Row of the contact of the pair.
    pub row: usize,
    /// Objects of the pair in key order.
    pub pair: [ObjectIndex; 2],
    pub normal: Vec3,
    pub surf: [i32; 2],
    pub slave_second: bool,
    /// Contact area, as contacts have it [m²].
    pub area: f64,
    /// None: an edge, a vertex or a curved surface, whose contact is one point.
    pub face: Option<SharedFace>,
    /// Rows of the corners.
    pub corners: [usize; 2],
}

impl Piece {
    /// Of the contact in this row, with the corners in these rows.
    pub fn of(row: usize, contact: &Contact, face: Option<SharedFace>, corners: [usize; 2]) -> Piece {
        Piece {
            row,
            pair: contact.key.objects,
            normal: contact.base.column(2).into_owned(),
            surf: [contact.master.surf, contact.slave.surf],
            slave_second: contact.slave_second,
            area: contact.area,
            face,
            corners,
        }
    }

    /// Its corners among all.
    pub fn corners<'a>(&self, all: &'a [Corner]) -> &'a [Corner] {
        &all[self.corners[0]..self.corners[1]]
    }
}

/// Pieces by patch.
#[derive(Debug, Default)]
pub struct Patches {
    /// Pieces, those of one patch after another.
    pub order: Vec<usize>,
    /// Offsets into `order`, one more than patches.
    pub start: Vec<usize>,
    taken: Vec<bool>,
}

impl Patches {
    /// Gathers `pieces`, which are in the order of their pairs; a patch grows from its first piece over neighbours on
    /// the plane of that.
    pub fn gather(&mut self, objects: &Placed<'_>, bodies: [BodyIndex; 2], pieces: &[Piece]) {
        self.order.clear();
        self.start.clear();
        self.taken.clear();
        self.taken.resize(pieces.len(), false);
        for first in 0..pieces.len() {
            if self.taken[first] {
                continue;
            }
            self.start.push(self.order.len());
            self.take(first);
            let mut next = self.order.len() - 1;
            while next < self.order.len() {
                let from = self.order[next];
                next += 1;
                if let Some(plane) = &pieces[first].face {
                    self.spread(objects, bodies, pieces, from, &pieces[first], plane);
                }
            }
        }
        self.start.push(self.order.len());
    }

    /// Patches as ranges of pieces.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.start.windows(2).map(|ends| &self.order[ends[0]..ends[1]])
    }

    fn take(&mut self, piece: usize) {
        self.taken[piece] = true;
        self.order.push(piece);
    }

    /// Takes the neighbours of a piece that lie on the plane of the first.
    fn spread(
        &mut self,
        objects: &Placed<'_>,
        bodies: [BodyIndex; 2],
        pieces: &[Piece],
        from: usize,
        first: &Piece,
        plane: &SharedFace,
    ) {
        let near = |k: usize| {
            let own = pieces[from].pair[k];
            std::iter::once(own).chain(objects.adjacent(bodies[k], own).iter().copied())
        };
        let on_plane = |piece: &Piece| {
            piece.surf == first.surf
                && piece.slave_second == first.slave_second
                && piece.normal.dot(&first.normal) >= ONE_PLANE
                && piece
                    .face
                    .as_ref()
                    .is_some_and(|f| first.normal.dot(&(f.center - plane.center)).abs() <= plane.touch)
        };
        for a in near(0) {
            let row = pieces.partition_point(|p| p.pair[0] < a);
            let of_a = &pieces[row..];
            let of_a = &of_a[..of_a.partition_point(|p| p.pair[0] == a)];
            let before = self.order.len();
            // One large face may meet thousands of small ones: it is asked for the few that are near.
            for b in near(1) {
                let k = of_a.partition_point(|p| p.pair[1] < b);
                for (k, piece) in (row + k..).zip(&of_a[k..]).take_while(|(_, piece)| piece.pair[1] == b) {
                    if !self.taken[k] && on_plane(piece) {
                        self.take(k);
                    }
                }
            }
            self.order[before..].sort_unstable();
        }
    }
}
