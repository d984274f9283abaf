//! A convex part that is known by its support function only touches every other kind of part.

use std::sync::Arc;

use super::*;
use solfec::shape::{Curved, CurvedForm};

/// An ellipsoid of a centre and the ends of its half axes.
#[derive(Debug)]
struct Ellipsoid;

impl CurvedForm for Ellipsoid {
    fn support(&self, points: &[Vec3], direction: &Vec3) -> Vec3 {
        let axes = Mat3::from_columns(&[points[1] - points[0], points[2] - points[0], points[3] - points[0]]);
        let along = axes.tr_mul(direction).try_normalize(0.0).unwrap_or_else(Vec3::x);
        points[0] + axes * along
    }

    fn center(&self, points: &[Vec3]) -> Vec3 {
        points[0]
    }

    fn surfid(&self) -> i32 {
        8
    }
}

fn ellipsoid(center: [f64; 3], half_axes: [f64; 3]) -> Vec<ConvexPart> {
    let center = Vec3::from(center);
    let end = |k: usize| center + Vec3::ith(k, half_axes[k]);
    vec![ConvexPart::Curved(Curved { form: Arc::new(Ellipsoid), points: vec![center, end(0), end(1), end(2)] })]
}

fn only(scene: &Scene) -> Contact {
    let found = detect(scene);
    assert_eq!((found.contacts.len(), found.statistics.failures), (1, 0));
    found.contacts[0]
}

#[test]
fn an_ellipsoid_sinks_into_a_block() {
    for (z, depth) in [(1.29, 0.01), (1.2, 0.1), (1.3 - 1e-5, 1e-5)] {
        let mut scene = Scene::new([cube([0.0; 3]), ellipsoid([0.4, 0.55, z], [0.5, 0.4, 0.3])]);
        let c = only(&scene);
        assert_near(c.gap, -depth, 1e-7);
        assert!((c.base.column(2) - Vec3::z()).norm() < 1e-3, "{}", c.base);
        assert!((c.master.point - Vec3::new(0.4, 0.55, 1.0 - 0.5 * depth)).norm() < 1e-3);
        assert_eq!([c.master.surf, c.slave.surf], [8, 6]);
        assert_eq!((c.slave.body, c.area), (BodyIndex(0), 1.0));
        scene.motions[1].x = Vec3::new(0.0, 0.0, depth + 2.0 * EPS);
        scene.place();
        assert!(detect(&scene).contacts.is_empty());
    }
}

/// With equal half axes it is a ball.
#[test]
fn a_round_ellipsoid_touches_as_a_ball_does() {
    let other = |part: Vec<ConvexPart>| only(&Scene::new([ball([0.0; 3], 1.0), part]));
    let center = [0.9, 1.1, 0.7];
    let (round, exact) = (other(ellipsoid(center, [0.6; 3])), other(ball(center, 0.6)));
    assert_near(round.gap, exact.gap, 1e-6);
    let turned = if round.slave.body == exact.slave.body { 1.0 } else { -1.0 };
    assert!((round.base.column(2) - exact.base.column(2) * turned).norm() < 2e-3);
    assert!((round.master.point - exact.master.point).norm() < 2e-3);
}

#[test]
fn two_ellipsoids_touch_along_their_axes() {
    for (x, depth) in [(0.95, 0.05), (0.8, 0.2)] {
        let scene = Scene::new([ellipsoid([0.0; 3], [0.5, 0.3, 0.2]), ellipsoid([x, 0.0, 0.0], [0.5, 0.2, 0.3])]);
        let c = only(&scene);
        assert_near(c.gap, -depth, 1e-6);
        assert!((c.base.column(2) - Vec3::x()).norm() < 2e-3);
        assert_eq!(c.slave.body, BodyIndex(0));
    }
}

/// It turns and stretches with the body.
#[test]
fn an_ellipsoid_follows_the_motion_of_its_body() {
    let mut scene = Scene::new([cube([0.0; 3]), ellipsoid([0.0; 3], [0.3, 0.3, 0.5])]);
    scene.motions[1].f = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 2.0));
    scene.motions[1].x = Vec3::new(0.5, 0.5, 1.95);
    scene.place();
    assert_near(only(&scene).gap, -0.05, 1e-7);
}

/// The ellipsoids of shapes, in contact with a ball and with the surfaces of a block.
#[test]
fn ellipsoids_of_shapes_touch_balls_and_blocks() {
    let of_shape = |center: [f64; 3]| {
        let made = solfec::shape::Ellipsoid::new(center.into(), Vec3::new(1.0, 2.0, 3.0), 0, 8).expect("an ellipsoid");
        Geometry::from(made).parts()
    };
    let c = only(&Scene::new([of_shape([0.0; 3]), ball([0.0, 0.0, 3.4], 0.5)]));
    assert_near(c.gap, -0.1, 1e-7);
    let away = if c.slave.body == BodyIndex(0) { 1.0 } else { -1.0 };
    assert!((c.base.column(2) - Vec3::z() * away).norm() < 1e-3, "{}", c.base);
    assert!((c.master.point - Vec3::new(0.0, 0.0, 2.95)).norm() < 2e-3, "{}", c.master.point);
    let c = only(&Scene::new([cube([0.0; 3]), of_shape([0.5, 0.5, 3.95])]));
    assert_near(c.gap, -0.05, 1e-7);
    assert!((c.base.column(2) - Vec3::z()).norm() < 1e-3);
    assert_eq!([c.master.surf, c.slave.surf], [8, 6]);
}
