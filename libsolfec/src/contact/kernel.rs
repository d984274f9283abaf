//! The contact of two atoms: roles, the kernel of their kinds, and the shortest way between them.

use super::edges::on_boundary;
use super::narrow::{ball_is_slave, balls, distance, solid_ball, solids, GeometryError, Workspace};
use super::objects::{Object, Objects};
use super::rules::Rules;
use super::ManifoldPoint;
use crate::ids::{BodyIndex, ObjectIndex};
use crate::math::Vec3;

/// A convex part of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part(pub BodyIndex, pub ObjectIndex);

/// Slave and master of a new contact of two atoms in key order: a polyhedron before a ball, the lower key among
/// polyhedra, the lexicographically smaller centre among balls (docs/conventions.md 4).
pub fn roles(objects: &Objects, first: Part, second: Part) -> (Part, Part) {
    let keep = match (object(objects, first), object(objects, second)) {
        (Object::Solid(_), _) => true,
        (Object::Ball(_), Object::Solid(_)) => false,
        (Object::Ball(a), Object::Ball(b)) => ball_is_slave(&a.center, &b.center).unwrap_or(true),
    };
    if keep {
        (first, second)
    } else {
        (second, first)
    }
}

/// The contact of two atoms, with the area that the rules ask for; none when they are farther apart than epsilon.
pub fn hit(
    objects: &Objects,
    slave: Part,
    master: Part,
    rules: &Rules,
    workspace: &mut Workspace,
) -> Result<Option<ManifoldPoint>, GeometryError> {
    let found = bare_point(objects, slave, master, rules.epsilon, workspace)?;
    let area = |hit: &ManifoldPoint| if rules.sparsify.projected { hit.projected } else { hit.area };
    Ok(found.map(|hit| ManifoldPoint { area: area(&hit), ..hit }))
}

fn bare_point(
    objects: &Objects,
    slave: Part,
    master: Part,
    epsilon: f64,
    workspace: &mut Workspace,
) -> Result<Option<ManifoldPoint>, GeometryError> {
    match (object(objects, slave), object(objects, master)) {
        (Object::Solid(a), Object::Solid(b)) => solids(&a, &b, epsilon, workspace),
        (Object::Solid(a), Object::Ball(b)) => {
            let Some((hit, feature)) = solid_ball(&a, b.center, b.radius, b.surfid, epsilon)? else {
                return Ok(None);
            };
            Ok(on_boundary(objects, slave, feature, &hit, epsilon).then_some(hit))
        }
        (Object::Ball(a), Object::Ball(b)) => Ok(balls(&a, &b, epsilon)),
        (Object::Ball(_), Object::Solid(_)) => Ok(None),
    }
}

/// Unit vector along the shortest way from slave to master; none if they touch.
pub fn way(objects: &Objects, slave: Part, master: Part) -> Option<Vec3> {
    let between = match (object(objects, slave), object(objects, master)) {
        (Object::Solid(a), Object::Solid(b)) => {
            let (_, p, q) = distance(&a, &b);
            q - p
        }
        (Object::Ball(a), Object::Ball(b)) => b.center - a.center,
        (Object::Solid(a), Object::Ball(b)) => {
            let near = solid_ball(&a, b.center, b.radius, b.surfid, f64::INFINITY);
            return near.ok().flatten().map(|(hit, _)| hit.normal);
        }
        (Object::Ball(_), Object::Solid(_)) => return None,
    };
    between.try_normalize(0.0)
}

fn object(objects: &Objects, Part(body, object): Part) -> Object<'_> {
    objects.object(body, object)
}
