//! Rows of contacts: from a hit of the narrow phase, or from the row of the step before.

use super::kernel;
use super::objects::{Part, Placed};
use super::{Contact, ContactKey, ManifoldPoint, Side};
use crate::body::MaterialPoint;
use crate::math::{local_base, Mat3, Vec3};

/// Least cosine of the angle by which the normal of a contact turns in a step while its objects face each other.
const LEAST_TURN: f64 = 0.9;

/// A contact with the geometry of a hit and nothing else.
pub fn made(objects: &Placed<'_>, key: ContactKey, slave: Part, master: Part, hit: &ManifoldPoint) -> Contact {
    let side = |Part(body, object): Part, point: Vec3, surf: i32| Side {
        body,
        object,
        point,
        element: objects.element(body, object),
        reference: objects.reference(body, object, &point),
        surf,
    };
    Contact {
        key,
        id: 0,
        master: side(master, hit.master_point, hit.surf[0]),
        slave: side(slave, hit.slave_point, hit.surf[1]),
        slave_second: (objects.id(slave.0), slave.1) > (objects.id(master.0), master.1),
        base: local_base(&hit.normal),
        gap: hit.gap,
        area: hit.area,
        points: 1,
        material: 0,
        cohesion: 0.0,
        r: Vec3::zeros(),
        u: Vec3::zeros(),
        v: Vec3::zeros(),
        merit: 0.0,
        stale: false,
    }
}

/// The old contact with its material points where the bodies are now.
pub fn carried(objects: &Placed<'_>, slave: Part, master: Part, old: &Contact) -> Contact {
    let side = |Part(body, object): Part, old: &Side| Side {
        body,
        object,
        point: objects.bodies.point(&MaterialPoint { body, ..old.material() }),
        ..*old
    };
    Contact {
        master: side(master, &old.master),
        slave: side(slave, &old.slave),
        u: Vec3::zeros(),
        v: Vec3::zeros(),
        merit: 0.0,
        stale: false,
        ..*old
    }
}

/// A cohesive contact keeps its material points and its material.
pub fn bonded(objects: &Placed<'_>, slave: Part, master: Part, old: &Contact, hit: &ManifoldPoint) -> Contact {
    let mut new = carried(objects, slave, master, old);
    rebase(&mut new, hit.normal);
    new.gap = hit.gap;
    new.area = hit.area;
    new.master.surf = hit.surf[0];
    new.slave.surf = hit.surf[1];
    new
}

/// The same for one of several points: its area is its own, and its gap where it has parted.
pub fn bonded_corner(objects: &Placed<'_>, slave: Part, master: Part, old: &Contact, hit: &ManifoldPoint) -> Contact {
    let new = bonded(objects, slave, master, old, hit);
    let parted = new.base.column(2).dot(&(new.master.point - new.slave.point));
    Contact { gap: if parted > 0.0 { parted } else { hit.gap }, area: old.area, ..new }
}

/// A cohesive contact of objects that have parted: its normal is the direction of the shortest way between them.
pub fn parted(objects: &Placed<'_>, slave: Part, master: Part, old: &Contact) -> Contact {
    let mut new = carried(objects, slave, master, old);
    if let Some(n) = kernel::way(objects, slave, master) {
        rebase(&mut new, n);
    }
    new.gap = new.base.column(2).dot(&(new.master.point - new.slave.point));
    new
}

/// A contact that bore a force in the step before, of objects that have parted since, with the points that it had: faces of
/// elements warp, and their triangles leave the contact while its points stay in it. None if it bore nothing, or the
/// objects have slid past each other.
pub fn opened(objects: &Placed<'_>, slave: Part, master: Part, old: &Contact) -> Option<Contact> {
    let new = parted(objects, slave, master, old);
    let turned = old.base.column(2).dot(&new.base.column(2));
    (old.r.z > 0.0 && turned > LEAST_TURN).then_some(new)
}

/// Gives the contact a new normal; the reaction stays what it is in space.
fn rebase(contact: &mut Contact, n: Vec3) {
    let base: Mat3 = local_base(&n);
    contact.r = base.tr_mul(&(contact.base * contact.r));
    contact.base = base;
}
