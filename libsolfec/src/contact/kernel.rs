//! The contact of two convex parts: roles, the kernel of their pair, internal edges.

use super::edges::on_boundary;
use super::narrow::{self, GeometryError, Object, Workspace};
use super::objects::{Objects, Part};
use super::rules::Rules;
use super::ManifoldPoint;
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
    objects: &Objects,
    slave: Part,
    master: Part,
    rules: &Rules,
    workspace: &mut Workspace,
) -> Result<Option<ManifoldPoint>, GeometryError> {
    let (a, b) = (object(objects, slave), object(objects, master));
    let Some((point, feature)) = narrow::collide(&a, &b, rules.epsilon, workspace)? else {
        return Ok(None);
    };
    if feature.is_some_and(|feature| !on_boundary(objects, slave, feature, &point, rules.epsilon)) {
        return Ok(None);
    }
    let area = if rules.sparsify.projected { point.projected } else { point.area };
    Ok(Some(ManifoldPoint { area, ..point }))
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
