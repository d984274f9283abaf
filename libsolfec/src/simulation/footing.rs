//! Bodies that rest on one contact point of a flat face, about which they can tip.

use super::{Simulation, Warning, WarningKind};
use crate::contact::{Contact, Side};
use crate::ids::{BodyId, BodyIndex};
use crate::math::Vec3;
use crate::Result;

/// A contact bears a body if its normal has at least this cosine with the vertical.
const BEARS: f64 = 0.5;

impl Simulation {
    /// Warnings of bodies that were borne by one contact point in the last step, a point of a face, and by no user
    /// constraint, nor `held` otherwise, where CONTACT_POINTS could give more; `gravity` is what pulls them [m/s²].
    pub fn one_point_warnings(&self, gravity: &Vec3, held: impl Fn(BodyId) -> bool) -> Vec<Warning> {
        self.on_one_point(gravity, held).into_iter().map(|index| self.one_point(index)).collect()
    }

    /// These bodies, in order of ids.
    fn on_one_point(&self, gravity: &Vec3, held: impl Fn(BodyId) -> bool) -> Vec<BodyIndex> {
        let Some(down) = gravity.try_normalize(0.0).filter(|_| self.settings.contact_points == 1) else {
            return Vec::new();
        };
        let mut bearing = vec![(0, false); self.bodies.len()];
        for c in &self.contacts {
            let rise = -c.base.column(2).dot(&down);
            for (body, rise) in [(c.master.body, rise), (c.slave.body, -rise)] {
                if rise >= BEARS {
                    let (count, face) = bearing[body.index()];
                    bearing[body.index()] = (count + 1, face || self.is_of_faces(c));
                }
            }
        }
        for constraint in &self.constraints {
            let ends = [Some(constraint.master.body()), constraint.slave.map(|slave| slave.body())];
            ends.into_iter().flatten().for_each(|body| bearing[body.index()] = (0, false));
        }
        let by_id = self.bodies.by_id().iter().map(|(_, index)| *index);
        let rests = |&index: &BodyIndex| {
            bearing[index.index()] == (1, true) && !self.bodies.is_obstacle(index) && !held(self.bodies.id(index))
        };
        by_id.filter(rests).collect()
    }

    /// The same at the end of a run, counted; nothing if there were such warnings before. Those of all ranks, on the
    /// first of them. Collective.
    ///
    /// # Errors
    /// A message that is garbled.
    pub fn warn_of_footing(&mut self) -> Result<Vec<Warning>> {
        let mut warnings = std::mem::take(&mut self.warnings);
        warnings.begin();
        if !warnings.have(WarningKind::OnePoint) {
            for index in self.on_one_point(&self.present_gravity(), |_| false) {
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
