//! Which shapes touch or overlap others, before there are bodies.

use super::broad::{part_pairs, BodyPairs};
use super::kinematics::Kinematics;
use super::narrow::{collide, first_is_slave, Workspace};
use super::objects::Objects;
use super::rules::Exclusions;
use crate::body::MaterialPoint;
use crate::ids::{BodyId, BodyIndex, ObjectIndex};
use crate::math::Vec3;
use crate::shape::{placed_parts, Shape};
use crate::{Error, Result};

/// Everything where it was described.
struct AtRest;

impl Kinematics for AtRest {
    fn check_place(&self, _: BodyIndex) -> Result<(), String> {
        Ok(())
    }

    fn place(&self, _: BodyIndex, reference: &[Vec3], _: &[u32], out: &mut [Vec3]) {
        out.copy_from_slice(reference);
    }

    fn turn_normals(&self, _: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        out.copy_from_slice(reference);
        true
    }

    fn point(&self, point: &MaterialPoint) -> Vec3 {
        point.reference
    }

    fn reference(&self, _: BodyIndex, _: ObjectIndex, _: u32, here: &Vec3) -> Option<Vec3> {
        Some(*here)
    }
}

/// Of each of the `groups` of shapes, whether a convex part of it is in contact with one of the `obstacles` by the gap
/// `most` [m] or less: touching shapes, nearer than `epsilon` [m], have the gap 0. Cost grows with the number of pairs
/// whose boxes meet.
///
/// # Errors
/// Shapes whose contact cannot be computed.
pub fn overlapping(obstacles: &[Shape], groups: &[Vec<Shape>], most: f64, epsilon: f64) -> Result<Vec<bool>> {
    let mut objects = Objects::new();
    // Pairs of obstacles are not looked for, so the groups are, and what they are compared with is none.
    objects.insert(BodyId(1), false, false, &placed_parts(obstacles, false), epsilon)?;
    for (id, group) in (2..).zip(groups) {
        objects.insert(BodyId(id), true, false, &placed_parts(group, false), epsilon)?;
    }
    objects.place(&AtRest, epsilon)?;
    let mut found = vec![false; groups.len()];
    let (mut pairs, mut workspace) = (Vec::new(), Workspace::default());
    for bodies in BodyPairs::default().find(&objects, &Exclusions::default()) {
        pairs.clear();
        part_pairs(&objects, *bodies, &mut pairs);
        let [i, j] = *bodies;
        for [a, b] in &pairs {
            let (a, b) = (objects.object(i, *a), objects.object(j, *b));
            let (slave, master) = if first_is_slave(&a, &b) { (a, b) } else { (b, a) };
            let contact = collide(&slave, &master, epsilon, &mut workspace)
                .map_err(|error| Error::input(format!("shape {}: {error}", j.index() - 1)))?;
            if contact.is_some_and(|(point, _)| point.gap <= most) {
                found[j.index() - 1] = true;
                break;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Convex, Ellipsoid, Sphere};

    #[test]
    fn touching_and_overlapping_shapes_are_found() {
        let corners: Vec<Vec3> = (0..8).map(|k| Vec3::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from))).collect();
        let cube = [Shape::new(Convex::hull(&corners, 1, 1).unwrap())];
        let ball = |z: f64| vec![Shape::new(Sphere::new(Vec3::new(0.5, 0.5, z), 0.5, 1, 1).unwrap())];
        let egg = Ellipsoid::new(Vec3::new(0.5, 0.5, 1.29), Vec3::new(0.5, 0.4, 0.3), 1, 1).unwrap();
        let mut groups = vec![ball(1.5), ball(1.49), ball(1.6)];
        assert_eq!(overlapping(&cube, &groups, 0.0, 1e-6).unwrap(), [true, true, false]);
        assert_eq!(overlapping(&cube, &groups, -0.005, 1e-6).unwrap(), [false, true, false]);
        groups.push([ball(3.0), vec![Shape::new(egg)]].concat());
        assert_eq!(overlapping(&cube, &groups, 0.0, 1e-6).unwrap(), [true, true, false, true]);
        assert!(overlapping(&cube, &[], 0.0, 1e-6).unwrap().is_empty());
        assert_eq!(overlapping(&[], &groups, 0.0, 1e-6).unwrap(), [false; 4]);
    }
}
