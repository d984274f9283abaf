//! The problem of all ranks on each of them, in an order and with bits that do not depend on their number: for methods that
//! factorise, and for runs that can be repeated anywhere. One rank takes the same way.

use std::collections::BTreeMap;

use super::replica::{self, Points, Told, ToldBody, ToldEnd, ToldRow};
use super::whole::End;
use super::RankOperator;
use crate::body::{Inertia, PointForce};
use crate::comm;
use crate::dynamics::operator::PointPlaces;
use crate::dynamics::{BodyOperator, Delassus, Row};
use crate::ids::{BodyId, Slot};
use crate::math::{Mat3, Vec3};
use crate::{Error, Result};

/// What is known of the rows of all ranks in a step.
#[derive(Debug)]
pub struct Together {
    /// Place of each row of this rank among those of all.
    place: Vec<u32>,
    /// Ends of rows of all ranks on bodies of this one and on copies, in order of slots and places.
    ends: Vec<(Slot, End)>,
}

impl RankOperator {
    /// After the rows were filled: `place` of those of this rank among those of all. Collective.
    ///
    /// # Errors
    /// Messages between ranks are garbled.
    pub(super) fn bring_together(
        &mut self,
        h: f64,
        bodies: &[Inertia<'_>],
        rows: &[Row],
        place: Vec<u32>,
    ) -> Result<()> {
        let of_all = self.places_of_all(&place);
        let known = self.known_ends(|row| of_all[row]);
        let own = Told { rows: self.told_rows(rows, &place), bodies: self.told_bodies(h, bodies, &known) };
        let garbled = |error: postcard::Error| Error::input(format!("a message between ranks is garbled ({error})"));
        let bytes = comm::agree(&*self.comm, postcard::to_stdvec(&own).map_err(garbled))?;
        let (mut all, mut heard) = (Told::default(), Ok(()));
        comm::gather(&*self.comm, &bytes, |_, bytes| match postcard::from_bytes::<Told>(bytes) {
            Ok(told) => {
                all.rows.extend(told.rows);
                all.bodies.extend(told.bodies);
            }
            Err(error) => heard = Err(garbled(error)),
        });
        heard?;
        replica::fill(&mut self.of_all, h, all);
        let ends = known.into_iter().flat_map(|(slot, ends)| ends.into_iter().map(move |end| (slot, end))).collect();
        self.together = Some(Together { place, ends });
        Ok(())
    }

    fn told_rows(&self, rows: &[Row], place: &[u32]) -> Vec<ToldRow> {
        let id = |slot: Slot| self.name(slot);
        let told = |(row, place): (&Row, &u32)| ToldRow {
            place: *place,
            pair: row.pair,
            contact: row.contact,
            base: row.base,
            ends: [ToldEnd::of(Some(&row.master), id), ToldEnd::of(row.slave.as_ref(), id)],
            drifts: [row.drift, row.drift_before],
        };
        rows.iter().zip(place).map(told).collect()
    }

    /// Bodies of this rank on which rows of any act.
    fn told_bodies(&self, h: f64, bodies: &[Inertia<'_>], known: &BTreeMap<Slot, Vec<End>>) -> Vec<(BodyId, ToldBody)> {
        let own = known.iter().filter(|(slot, _)| self.owns(**slot));
        let told = |(slot, ends): (&Slot, &Vec<End>)| {
            let body = ToldBody::of(&bodies[slot.index()]);
            (self.name(*slot), body.unwrap_or_else(|| ToldBody::Condensed(self.points_of(h, ends))))
        };
        own.map(told).collect()
    }

    /// How a body in condensed form answers at its ends.
    fn points_of(&self, h: f64, ends: &[End]) -> Points {
        let (packed, n) = (self.own.packed(), ends.len());
        let mut blocks = vec![Mat3::zeros(); n * n];
        for (i, a) in ends.iter().enumerate() {
            for (j, b) in ends.iter().enumerate().skip(i) {
                let block = packed.coupling(a.attach, b.attach, &a.arm, &b.arm).unwrap_or_default() / h;
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                (blocks[j * n + i], blocks[i * n + j]) = (block.transpose(), block);
            }
        }
        let free = ends.iter().map(|end| packed.point(end.attach, &end.arm)).collect();
        let previous = ends.iter().map(|end| packed.previous(end.attach, &end.arm)).collect();
        Points { free, previous, blocks }
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

    /// The problem of all ranks, rows by their places; none unless it was brought together.
    pub fn problem(&mut self) -> Option<&mut BodyOperator> {
        self.together.as_ref().map(|_| &mut self.of_all)
    }

    /// Whether there is the problem of all ranks.
    pub fn is_together(&self) -> bool {
        self.together.is_some()
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
