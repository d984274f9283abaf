//! The contact of two convex parts: roles, the kernel of their pair, balls in dents, internal edges.

use super::edges::on_boundary;
use super::narrow::{self, Corner, FaceWorkspace, GeometryError, Object, SharedFace, Workspace};
use super::objects::{Objects, Part, Placed};
use super::rules::Rules;
use super::{Contact, ManifoldPoint};
use crate::ids::{BodyIndex, ObjectIndex};
use crate::math::Vec3;

/// Slave and master of a new contact of two parts in key order (docs/conventions.md 4).
pub fn roles(objects: &Objects, first: Part, second: Part) -> (Part, Part) {
    if narrow::first_is_slave(&object(objects, first), &object(objects, second)) {
        (first, second)
    } else {
        (second, first)
    }
}

/// The contact of two parts, with the area that the rules ask for; none when they are farther apart than epsilon.
pub fn contact_point(
    objects: &Placed<'_>,
    slave: Part,
    master: Part,
    rules: &Rules,
    workspace: &mut Workspace,
) -> Result<Option<ManifoldPoint>, GeometryError> {
    let (a, b) = (object(objects, slave), object(objects, master));
    let Some((point, foot)) = narrow::collide(&a, &b, rules.epsilon, workspace)? else {
        return Ok(None);
    };
    if let Some(point) = dented(objects, slave, &a, &b, rules) {
        return Ok(Some(point));
    }
    if foot.is_some_and(|foot| !on_boundary(objects, slave, &foot, &point.normal, rules.epsilon)) {
        return Ok(None);
    }
    let area = if rules.sparsify.projected { point.projected } else { point.area };
    Ok(Some(ManifoldPoint { area, ..point }))
}

/// The contact of a face of a body that deforms and a ball.
fn dented(objects: &Placed<'_>, slave: Part, a: &Object, b: &Object, rules: &Rules) -> Option<ManifoldPoint> {
    match (a, b) {
        (Object::Solid(solid), Object::Ball(ball)) if objects.bodies.deforms(slave.0) => {
            narrow::dent(solid, ball, rules.epsilon)
        }
        (Object::Solid(_) | Object::Ball(_) | Object::Curved(_), _) => None,
    }
}

/// Unit vector along the shortest way from slave to master; none if they touch.
pub fn way(objects: &Objects, slave: Part, master: Part) -> Option<Vec3> {
    narrow::way(&object(objects, slave), &object(objects, master))
}

/// Upper bound of the contact area of two parts.
pub fn bound(objects: &Objects, first: Part, second: Part, epsilon: f64) -> f64 {
    narrow::bound(&object(objects, first), &object(objects, second), epsilon)
}

fn object(objects: &Objects, Part(body, object): Part) -> Object<'_> {
    objects.object(body, object)
}

/// What the faces of two parts in contact share; see [`narrow::shared_face`].
pub fn shared_face(
    objects: &Objects,
    contact: &Contact,
    epsilon: f64,
    workspace: &mut FaceWorkspace,
    corners: &mut Vec<Corner>,
) -> Option<SharedFace> {
    let [slave, master] = [&contact.slave, &contact.master].map(|side| objects.object(side.body, side.object));
    let (Object::Solid(slave), Object::Solid(master)) = (slave, master) else { return None };
    let normal: Vec3 = contact.base.column(2).into_owned();
    narrow::shared_face(&slave, &master, &normal, epsilon, workspace, corners)
}

/// Whether both objects have plane faces, so that their contact has an area.
pub fn is_flat(objects: &Objects, bodies: [BodyIndex; 2], pair: [ObjectIndex; 2]) -> bool {
    (0..2).all(|k| objects.kind(bodies[k], pair[k]).has_plane_faces())
}
