//! The problem of all ranks on each of them, in an order and with bits that do not depend on their number: for runs that
//! can be repeated anywhere. One rank takes the same way.

use super::whole::End;
use super::RankOperator;
use crate::body::PointForce;
use crate::dynamics::operator::PointPlaces;
use crate::dynamics::{Assembled, BlockSparse, Delassus};
use crate::ids::Slot;
use crate::math::Vec3;
use crate::Result;

/// What is known of the rows of all ranks in a step.
#[derive(Debug)]
pub struct Together {
    /// Place of each row of this rank among those of all.
    place: Vec<u32>,
    /// Ends of rows of all ranks on bodies of this one and on copies, in order of slots and places.
    ends: Vec<(Slot, End)>,
    matrix: BlockSparse,
}

impl RankOperator {
    /// After the rows were filled: `place` of those of this rank among those of all. Collective.
    pub(super) fn bring_together(&mut self, place: Vec<u32>) {
        let of_all = self.places_of_all(&place);
        let known = self.known_ends(|row| of_all[row]);
        let matrix = self.assemble_from(&known);
        let mut ends: Vec<(Slot, End)> = Vec::new();
        for (slot, of_body) in known {
            ends.extend(of_body.into_iter().map(|end| (slot, end)));
        }
        self.together = Some(Together { place, ends, matrix });
    }

    /// Places of the rows of all ranks, in the order of ranks. Collective.
    fn places_of_all(&self, own: &[u32]) -> Vec<u32> {
        let mut all = Vec::with_capacity(self.rows);
        let own: Vec<f64> = own.iter().map(|place| f64::from(*place)).collect();
        self.each_of_all(1, &own, |place| all.push(place[0] as u32));
        all
    }

    /// Where points of bodies in condensed form stand among those of all ranks. Collective.
    pub(super) fn places_of_points(&self, own: &[u32]) -> PointPlaces {
        let of_all = self.places_of_all(own);
        PointPlaces {
            own: own.to_vec(),
            others: self.points.rows_of_others().map(|(row, end)| (of_all[row], end)).collect(),
        }
    }

    /// The problem of all ranks, rows by their places.
    ///
    /// # Errors
    /// Rows have not been brought together, or not all of them act on bodies that move.
    pub fn problem(&self) -> Result<Assembled> {
        let matrix = self.together.as_ref().map_or_else(BlockSparse::default, |together| together.matrix.clone());
        let vectors = |own: &[Vec3]| self.by_place(|i| own[i].into()).into_iter().map(Vec3::from).collect();
        Assembled::new(matrix, vectors(self.free()), vectors(self.previous()))
    }

    /// Place of each row of this rank.
    pub fn places(&self) -> &[u32] {
        self.together.as_ref().map_or(&[], |together| &together.place)
    }

    /// Numbers of the rows of all ranks, by their places. Collective.
    pub fn by_place<const N: usize>(&self, own: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
        let places = self.places();
        let mut found = vec![[0.0; N]; self.rows];
        let with_place: Vec<f64> =
            (0..self.len()).flat_map(|i| std::iter::once(f64::from(places[i])).chain(own(i))).collect();
        self.each_of_all(N + 1, &with_place, |numbers| found[numbers[0] as usize].copy_from_slice(&numbers[1..]));
        found
    }

    /// Forces of the reactions of all ranks on bodies of this one and on copies, in order of slots and places.
    pub(super) fn exchange_together(&mut self, r: &[Vec3]) {
        let of_all = self.by_place(|i| r[i].into());
        let Some(Together { ends, .. }) = &self.together else { return };
        for (slot, end) in ends {
            let at = self.own.packed().attachment(end.attach, &end.arm);
            let force = end.sign * (end.base * Vec3::from(of_all[end.row as usize]));
            self.others.push((*slot, PointForce { at, force }));
        }
    }
}
