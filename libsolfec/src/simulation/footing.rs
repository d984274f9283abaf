//! Bodies that rest on one contact point of a flat face, about which they can tip.

use serde::{Deserialize, Serialize};

use super::{Simulation, Warning, WarningKind};
use crate::contact::{Contact, Side};
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;
use crate::Result;

/// A contact bears a body if its normal has at least this cosine with the vertical.
const BEARS: f64 = 0.5;

/// What bears a body: contact points below it, whether one of them is of two flat faces, and whether a user constraint
/// holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Bearing {
    points: u32,
    face: bool,
    held: bool,
}

impl Bearing {
    fn add(&mut self, other: &Bearing) {
        self.points += other.points;
        self.face |= other.face;
        self.held |= other.held;
    }
}

impl Simulation {
    /// Warnings of bodies that were borne by one contact point in the last step, a point of a face, and by no user
    /// constraint, nor `held` otherwise, where CONTACT_POINTS could give more; `gravity` is what pulls them [m/s²].
    pub fn one_point_warnings(&self, gravity: &Vec3, held: impl Fn(BodyId) -> bool) -> Vec<Warning> {
        self.on_one_point(&self.bearings(gravity), held).into_iter().map(|index| self.one_point(index)).collect()
    }

    /// These bodies, in order of ids.
    fn on_one_point(&self, bearings: &[Bearing], held: impl Fn(BodyId) -> bool) -> Vec<BodyIndex> {
        let by_id = self.bodies.by_id().iter().map(|(_, index)| *index);
        let rests = |&index: &BodyIndex| {
            let one = bearings[index.index()] == Bearing { points: 1, face: true, held: false };
            one && !self.bodies.is_obstacle(index) && !held(self.bodies.id(index))
        };
        by_id.filter(rests).collect()
    }

    /// What bears each body here, copies too, by the contacts and constraints of this rank; nothing without gravity and
    /// where there are several points.
    fn bearings(&self, gravity: &Vec3) -> Vec<Bearing> {
        let mut bearings = vec![Bearing::default(); self.bodies.len()];
        let Some(down) = gravity.try_normalize(0.0).filter(|_| self.settings.contact_points == 1) else {
            return bearings;
        };
        for c in &self.contacts {
            let rise = -c.base.column(2).dot(&down);
            for (body, rise) in [(c.master.body, rise), (c.slave.body, -rise)] {
                if rise >= BEARS {
                    bearings[body.index()].add(&Bearing { points: 1, face: self.is_of_faces(c), held: false });
                }
            }
        }
        for constraint in &self.constraints {
            let ends = [Some(constraint.master.body()), constraint.slave.map(|slave| slave.body())];
            ends.into_iter().flatten().for_each(|body| bearings[body.index()].held = true);
        }
        bearings
    }

    /// Adds to the bearings of own bodies what the contacts and constraints of other ranks bear of them. Collective.
    fn share_bearings(&self, bearings: &mut [Bearing]) -> Result<()> {
        if self.alone() {
            return Ok(());
        }
        let indices = self.bodies.by_id().iter().map(|(id, index)| (*id, *index));
        let copies = indices.filter(|(_, index)| !self.ranks.owns(*index));
        let of_copies = copies.map(|(id, index)| (id.0, bearings[index.index()]));
        let own: Vec<(u64, Bearing)> = of_copies.filter(|(_, bearing)| *bearing != Bearing::default()).collect();
        for (id, bearing) in self.of_all(&own)? {
            if let Some(index) = self.bodies.index(BodyId(id)).filter(|index| self.ranks.owns(*index)) {
                bearings[index.index()].add(&bearing);
            }
        }
        Ok(())
    }

    /// The same at the end of a run, counted; nothing if there were such warnings before. Those of all ranks, on the
    /// first of them. Collective.
    ///
    /// # Errors
    /// A message that is garbled.
    pub fn warn_of_footing(&mut self) -> Result<Vec<Warning>> {
        let mut bearings = self.bearings(&self.present_gravity());
        self.share_bearings(&mut bearings)?;
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.begin();
        // A restart may come between the last step and this.
        warnings.at(self.clock.now());
        if !warnings.have(WarningKind::OnePoint) {
            let resting = self.on_one_point(&bearings, |_| false);
            for index in resting.into_iter().filter(|index| self.ranks.owns(*index)) {
                warnings.note(WarningKind::OnePoint, self.bodies.id(index).0, 0.0, || self.one_point(index).text);
            }
        }
        let shared = self.share_warnings(&mut warnings);
        let told = std::mem::take(&mut warnings.fresh);
        self.warnings = warnings;
        shared.map(|()| told)
    }

    fn one_point(&self, index: BodyIndex) -> Warning {
        let name = self.name(index);
        let text = format!("{name} rests on one contact point: it can tip; use CONTACT_POINTS(solfec, 4)");
        Warning { kind: WarningKind::OnePoint, text }
    }

    fn is_of_faces(&self, c: &Contact) -> bool {
        let flat = |s: &Side| self.objects.kind(s.body, s.object).has_plane_faces();
        c.area > 0.0 && flat(&c.master) && flat(&c.slave)
    }

    /// Gravity at the present time [m/s²].
    pub fn present_gravity(&self) -> Vec3 {
        let component = |row: u32| self.series.get(row as usize).map_or(0.0, |s| s.at(self.clock.now()));
        self.settings.gravity.map_or(Vec3::zeros(), |rows| Vec3::from(rows.map(component)))
    }
}
