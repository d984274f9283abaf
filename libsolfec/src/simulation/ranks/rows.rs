//! Local dynamics of all ranks as those of one.

use serde::{Deserialize, Serialize};

use super::super::Simulation;
use crate::constraint::Constraint;
use crate::contact::ContactKey;
use crate::math::Vec3;
use crate::solver::{LocalDynamics, LocalRow};
use crate::Result;

/// Where a row stands among those of all ranks: contacts come first, by their keys, then constraints by their rows.
pub(in crate::simulation) type Place = (bool, Option<ContactKey>, u32);

/// A row of one rank, with what stands in vectors.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    row: LocalRow,
    place: Place,
    free: Vec3,
    previous: Vec3,
    u: Vec3,
    r: Vec3,
    merit: f64,
}

impl Simulation {
    /// Places of the rows of this rank.
    pub(in crate::simulation) fn row_places(&self) -> Vec<Place> {
        let contacts = self.contacts.iter().map(|contact| (false, Some(contact.key), 0));
        let constraints = self.work.active.iter().map(|&k| place_of_constraint(&self.constraints[k as usize]));
        contacts.chain(constraints).collect()
    }

    /// Brings the rows of all ranks together, in the order that they have on one; `own` are those of this rank, with
    /// the matrix of all in the order of ranks. Collective.
    pub(in crate::simulation) fn bring_together(&self, own: LocalDynamics) -> Result<LocalDynamics> {
        if self.alone() {
            return Ok(own);
        }
        let entries: Vec<Entry> = (own.rows.into_iter().zip(self.row_places()).enumerate())
            .map(|(i, (row, place))| Entry {
                row,
                place,
                free: own.free[i],
                previous: own.previous[i],
                u: own.u[i],
                r: own.r[i],
                merit: own.merit[i],
            })
            .collect();
        let all = self.of_all(&entries)?;
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by_key(|i| all[*i as usize].place);
        let vectors = |of: fn(&Entry) -> Vec3| order.iter().map(|i| of(&all[*i as usize])).collect::<Vec<Vec3>>();
        Ok(LocalDynamics {
            w: own.w.reordered(&order),
            free: vectors(|entry| entry.free),
            previous: vectors(|entry| entry.previous),
            u: vectors(|entry| entry.u),
            r: vectors(|entry| entry.r),
            merit: order.iter().map(|i| all[*i as usize].merit).collect(),
            rows: order.iter().map(|i| all[*i as usize].row.clone()).collect(),
            h: own.h,
            time: own.time,
            analysis: own.analysis,
            energy: own.energy,
        })
    }
}

pub(in crate::simulation) fn place_of_constraint(constraint: &Constraint) -> Place {
    (true, None, constraint.row)
}
