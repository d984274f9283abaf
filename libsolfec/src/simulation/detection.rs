//! Contact detection in a step: shapes move to the bodies, contacts are renewed and numbered.

use std::sync::OnceLock;

use super::warnings::Warnings;
use super::{Simulation, WarningKind};
use crate::comm;
use crate::contact::{Contact, Homes, Lookup, Penetration, Rules, Statistics};
use crate::ids::BodyId;
use crate::{Error, Result};

impl Simulation {
    /// Moves the shapes and renews the contacts; on error those of the last step stay.
    pub(super) fn detect(&mut self, warnings: &mut Warnings) -> Result<Statistics> {
        let placed = self.objects.place(&self.bodies, self.settings.epsilon);
        let placed = placed.map_err(|error| self.not_placed(error));
        comm::agree(&*self.comm, placed)?;
        let work = &mut self.work;
        let rules = Rules {
            bonding: self.steps == 0,
            bearing_stay: self.stepping.closing > 0.0,
            compat_sparsify: work.compat_sparsify,
            homes: Homes { of_body: &self.ranks.home, own: self.ranks.number() },
            ..Rules::new(&self.settings, &self.exclusions, &self.surface)
        };
        let found = work.detector.detect(&self.objects, &self.bodies, &self.contacts, &rules);
        if let Err(error) = self.check_penetration(found.penetration.as_ref()) {
            self.work.detector.recycle(found.contacts);
            return Err(error);
        }
        self.work.detector.recycle(std::mem::replace(&mut self.contacts, found.contacts));
        self.number_contacts()?;
        self.contact_rows = OnceLock::new();
        let Statistics { failures, fallbacks, .. } = found.statistics;
        if failures > 0 {
            warnings.note(WarningKind::Geometry, 0, failures as f64, || {
                let lost = failures - fallbacks;
                format!(
                    "{failures} contact pairs could not be resolved: {fallbacks} are as in the step before, {lost} left out"
                )
            });
        }
        for [p, q] in found.ambiguous {
            let about = u64::from(p as u32) << 32 | u64::from(q as u32);
            warnings.note(WarningKind::SurfaceMaterial, about, 0.0, || {
                format!("surfaces {p} and {q} both have a material with any surface; that of {p} is used")
            });
        }
        Ok(found.statistics)
    }

    /// A surface material that has come holds for the contacts that there are, too; bonds keep the one of their
    /// strength.
    pub(super) fn look_up_materials(&mut self) {
        let mut lookup = Lookup::default();
        for contact in self.contacts.iter_mut().filter(|contact| contact.cohesion == 0.0) {
            contact.material = lookup.row(&self.surface, [contact.master.surf, contact.slave.surf]);
        }
        self.contact_rows = OnceLock::new();
    }

    /// New contacts get ids, which no contact or constraint of any process has had: by their processes, or by their
    /// keys where ids must not depend on these.
    fn number_contacts(&mut self) -> Result<()> {
        let fresh = |contact: &&Contact| contact.id == 0;
        let places = if self.work.reproducible {
            let keys = self.contacts.iter().filter(fresh).map(|contact| (false, Some(contact.key), 0));
            self.places_among_all(&keys.collect::<Vec<_>>())?
        } else {
            Vec::new()
        };
        let [before, all] = comm::count(&*self.comm, self.contacts.iter().filter(fresh).count());
        let first = self.next_constraint;
        for (i, contact) in self.contacts.iter_mut().filter(|contact| contact.id == 0).enumerate() {
            contact.id = first + places.get(i).map_or((before + i) as u64, |place| u64::from(*place));
        }
        self.next_constraint += all as u64;
        Ok(())
    }

    /// On all processes the error of the deepest penetration of all, if there is one.
    fn check_penetration(&self, own: Option<&Penetration>) -> Result<()> {
        let deepest = comm::leads(&*self.comm, own.map_or(f64::NEG_INFINITY, |penetration| -penetration.gap));
        let outcome = own.filter(|_| deepest).map_or(Ok(()), |penetration| Err(self.penetration(penetration)));
        comm::agree(&*self.comm, outcome)
    }

    fn penetration(&self, deepest: &Penetration) -> Error {
        let (p, [a, b]) = (deepest.point, deepest.key.bodies);
        let advice = if self.steps == 0 { "move the bodies apart" } else { "try a smaller step" };
        let name = |id: u64| self.bodies.index(BodyId(id)).map_or(format!("body {id}"), |index| self.name(index));
        Error::Penetration(format!(
            "unphysical penetration: {} and {} overlap by {:.6e} m at ({:.6e}, {:.6e}, {:.6e}), time {:.6e} s; \
             the bound of UNPHYSICAL_PENETRATION is {:.6e} m; {advice}",
            name(a.0),
            name(b.0),
            -deepest.gap,
            p.x,
            p.y,
            p.z,
            self.clock.now(),
            self.settings.penetration_depth
        ))
    }
}
