//! A convex part that is known by its support function only touches every other kind of part.

use std::sync::Arc;

use super::*;
use solfec::shape::{Curved, CurvedForm};
use solfec_testing::problems::Random;

/// An ellipsoid of a centre and the ends of its half axes.
#[derive(Debug)]
struct Ellipsoid;

impl CurvedForm for Ellipsoid {
    fn support(&self, points: &[Vec3], direction: &Vec3) -> Vec3 {
        let axes = Mat3::from_columns(&[points[1] - points[0], points[2] - points[0], points[3] - points[0]]);
        let along = axes.tr_mul(direction).try_normalize(0.0).unwrap_or_else(Vec3::x);
        points[0] + axes * along
    }

    fn bend(&self, points: &[Vec3], direction: &Vec3) -> Mat3 {
        let axes = Mat3::from_columns(&[points[1] - points[0], points[2] - points[0], points[3] - points[0]]);
        let reach = axes.tr_mul(direction).norm();
        let farthest = axes * axes.tr_mul(direction) / reach;
        (axes * axes.transpose() - farthest * farthest.transpose()) / reach
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
        assert_near(c.gap, -depth, 1e-12);
        assert!((c.base.column(2) - Vec3::z()).norm() < 1e-9, "{}", c.base);
        assert!((c.master.point - Vec3::new(0.4, 0.55, 1.0 - 0.5 * depth)).norm() < 1e-9);
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
    assert_near(round.gap, exact.gap, 1e-12);
    let turned = if round.slave.body == exact.slave.body { 1.0 } else { -1.0 };
    assert!((round.base.column(2) - exact.base.column(2) * turned).norm() < 1e-9);
    assert!((round.master.point - exact.master.point).norm() < 1e-9);
}

#[test]
fn two_ellipsoids_touch_along_their_axes() {
    for (x, depth) in [(0.95, 0.05), (0.8, 0.2)] {
        let scene = Scene::new([ellipsoid([0.0; 3], [0.5, 0.3, 0.2]), ellipsoid([x, 0.0, 0.0], [0.5, 0.2, 0.3])]);
        let c = only(&scene);
        assert_near(c.gap, -depth, 1e-12);
        assert!((c.base.column(2) - Vec3::x()).norm() < 1e-9);
        assert_eq!(c.slave.body, BodyIndex(0));
    }
    // The smaller centre is slave, whichever was made first.
    let c = only(&Scene::new([ellipsoid([0.95, 0.0, 0.0], [0.5, 0.2, 0.3]), ellipsoid([0.0; 3], [0.5, 0.3, 0.2])]));
    assert_eq!(c.slave.body, BodyIndex(1));
    assert!((c.base.column(2) - Vec3::x()).norm() < 1e-9);
}

/// It turns and stretches with the body.
#[test]
fn an_ellipsoid_follows_the_motion_of_its_body() {
    let mut scene = Scene::new([cube([0.0; 3]), ellipsoid([0.0; 3], [0.3, 0.3, 0.5])]);
    scene.motions[1].f = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 2.0));
    scene.motions[1].x = Vec3::new(0.5, 0.5, 1.95);
    scene.place();
    assert_near(only(&scene).gap, -0.05, 1e-12);
}

/// The ellipsoids of shapes, in contact with a ball and with the surfaces of a block.
#[test]
fn an_ellipsoid_slides_over_elements() {
    for n in [1, 3] {
        let strip = brick([0.0; 3], [10.0, 1.0, 1.0], [10 * n, n, n], [0; 6]);
        for half_axes in [[0.5; 3], [0.8, 0.6, 0.5], [2.0, 1.0, 0.5]] {
            for step in 0..=100 {
                let center = [2.0 + 0.0611 * f64::from(step), 0.5, 1.499];
                let c = only(&Scene::new([strip.clone(), ellipsoid(center, half_axes)]));
                assert!((c.base.column(2) - Vec3::z()).norm() < 1e-9, "{n}, step {step}: {:?}", c.base.column(2));
                assert_near(c.gap, -0.001, 1e-9);
            }
        }
    }
}

/// As a ball does not: `cases::faces_inside_a_mesh_push_nothing`.
#[test]
fn faces_inside_a_mesh_push_no_ellipsoid() {
    let block = brick([0.0; 3], [3.0; 3], [3, 3, 3], [0; 6]);
    for center in [[1.5; 3], [1.3, 1.4, 1.6]] {
        let scene = Scene::new([block.clone(), ellipsoid(center, [0.8, 0.7, 0.75])]);
        assert!(detect(&scene).contacts.is_empty(), "{center:?}");
    }
}

#[test]
fn an_ellipsoid_deep_in_a_plate_touches_the_face_of_its_normal() {
    let plate = brick([-2.0, -2.0, -0.1], [2.0, 2.0, 0.0], [1, 1, 1], [1, 2, 3, 4, 5, 6]);
    for depth in [0.01, 0.08, 0.15] {
        let c = only(&Scene::new([plate.clone(), ellipsoid([0.0, 0.0, 0.5 - depth], [0.7, 0.6, 0.5])]));
        assert!((c.base.column(2) - Vec3::z()).norm() < 1e-9);
        assert_near(c.gap, -depth, 1e-9);
        assert_eq!(c.slave.surf, 6, "{depth}");
    }
}

#[test]
fn ellipsoids_of_shapes_touch_balls_and_blocks() {
    let of_shape = |center: [f64; 3]| {
        let made = solfec::shape::Ellipsoid::new(center.into(), Vec3::new(1.0, 2.0, 3.0), 0, 8).expect("an ellipsoid");
        Geometry::from(made).parts()
    };
    // The ball is slave, whichever was made first, and its normal points down into the ellipsoid.
    for [egg, sphere] in [[0, 1], [1, 0]] {
        let mut bodies = [of_shape([0.0; 3]), ball([0.0, 0.0, 3.4], 0.5)];
        bodies.swap(0, egg as usize);
        let c = only(&Scene::new(bodies));
        assert_eq!((c.slave.body, c.master.body), (BodyIndex(sphere), BodyIndex(egg)));
        assert_near(c.gap, -0.1, 1e-12);
        assert!((c.base.column(2) + Vec3::z()).norm() < 1e-9, "{}", c.base);
        assert!((c.master.point - Vec3::new(0.0, 0.0, 2.95)).norm() < 1e-9, "{}", c.master.point);
    }
    let c = only(&Scene::new([cube([0.0; 3]), of_shape([0.5, 0.5, 3.95])]));
    assert_near(c.gap, -0.05, 1e-12);
    assert!((c.base.column(2) - Vec3::z()).norm() < 1e-9);
    assert_eq!([c.master.surf, c.slave.surf], [8, 6]);
}

/// Something smooth or with corners, as its support function and as parts.
struct Solid {
    parts: Vec<ConvexPart>,
    corners: Vec<Vec3>,
    axes: Mat3,
    center: Vec3,
}

impl Solid {
    fn ellipsoid(center: Vec3, random: &mut Random) -> Solid {
        let radii = Vec3::from_fn(|_, _| 0.6 + 0.4 * random.number());
        let axes = turn(random) * Mat3::from_diagonal(&radii);
        let made = solfec::shape::Ellipsoid::with_axes(center, &axes, 0, 8).expect("an ellipsoid");
        Solid { parts: Geometry::from(made).parts(), corners: Vec::new(), axes, center }
    }

    fn ball(center: Vec3, radius: f64) -> Solid {
        Solid { parts: ball(center.into(), radius), corners: Vec::new(), axes: Mat3::identity() * radius, center }
    }

    fn hull(center: Vec3, random: &mut Random) -> Solid {
        let corners: Vec<Vec3> = (0..12).map(|_| center + random.vector()).collect();
        let hull = solfec::shape::Convex::hull(&corners, 0, 0).expect("a hull");
        Solid { parts: Geometry::Convex(hull).parts(), corners, axes: Mat3::zeros(), center }
    }

    fn support(&self, n: &Vec3) -> Vec3 {
        let farthest = self.corners.iter().max_by(|a, b| n.dot(a).total_cmp(&n.dot(b)));
        farthest.copied().unwrap_or_else(|| self.center + self.axes * self.axes.tr_mul(n).normalize())
    }
}

fn turn(random: &mut Random) -> Mat3 {
    *nalgebra::Rotation3::from_scaled_axis(random.vector() * 3.0).matrix()
}

/// The largest distance of supporting planes, without derivatives: many directions, then shorter and shorter changes of
/// the best ones.
fn distance(a: &Solid, b: &Solid) -> f64 {
    let value = |n: &Vec3| n.dot(&(b.support(&-n) - a.support(n)));
    let spiral = |k: usize| {
        let (z, angle) = (1.0 - (k as f64 + 0.5) / 250.0, 2.399_963_23 * k as f64);
        Vec3::new((1.0 - z * z).sqrt() * angle.cos(), (1.0 - z * z).sqrt() * angle.sin(), z)
    };
    let mut starts: Vec<Vec3> = (0..500).map(spiral).collect();
    starts.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let climb = |mut n: Vec3| {
        let mut length = 0.05;
        while length > 1e-11 {
            let a = n.cross(&Vec3::ith(n.iamin(), 1.0)).normalize();
            let b = n.cross(&a);
            let around = (0..16).map(|k| (k as f64 * std::f64::consts::PI / 8.0).sin_cos());
            let next = around.map(|(sine, cosine)| (n + (a * cosine + b * sine) * length).normalize());
            match next.max_by(|a, b| value(a).total_cmp(&value(b))).filter(|next| value(next) > value(&n)) {
                Some(next) => n = next,
                None => length *= 0.5,
            }
        }
        value(&n)
    };
    starts[..5].iter().map(|&n| climb(n)).fold(f64::NEG_INFINITY, f64::max)
}

/// Random ellipsoids against ellipsoids, balls and hulls of twelve points, from just apart to deep overlap: the overlap
/// is the least shift that parts them.
#[test]
fn overlaps_of_ellipsoids_are_the_least_shifts_that_part_them() {
    let random = &mut Random(7);
    let (mut apart, mut found) = (0, 0);
    for k in 0..150 {
        let mut first = Solid::ellipsoid(Vec3::zeros(), random);
        let way = random.vector().normalize();
        let other = |center: Vec3, random: &mut Random| match k % 3 {
            0 => Solid::ellipsoid(center, random),
            1 => Solid::ball(center, 0.5),
            _ => Solid::hull(center, random),
        };
        let shape = || Random(100 + k);
        let far = other(way * 5.0, &mut shape());
        // A shift along `way` that leaves an overlap between −0.01 and 0.2 along it, or somewhat less.
        let depth = 0.1 + 0.11 * random.number();
        let second = other(way * (5.0 - distance(&first, &far) - depth), &mut shape());
        let exact = distance(&first, &second);
        let scene = Scene::new([std::mem::take(&mut first.parts), second.parts.clone()]);
        let contacts = detect(&scene);
        assert_eq!(contacts.statistics.failures, 0);
        match contacts.contacts[..] {
            [] => {
                assert!(exact > 0.0, "case {k}: overlap {exact:e}, no contact");
                apart += 1;
            }
            [c] => {
                let normal: Vec3 = c.base.column(2).into();
                let turned = if c.slave.body == BodyIndex(0) { normal } else { -normal };
                let own = turned.dot(&(second.support(&-turned) - first.support(&turned)));
                assert!((c.gap - own).abs() < 1e-12, "case {k}: gap {:e} is not that of its normal, {own:e}", c.gap);
                assert!(c.gap > exact - 1e-9, "case {k}: {:e}, and a smaller overlap {exact:e}", c.gap);
                found += 1;
            }
            _ => panic!("case {k}: {} contacts", contacts.contacts.len()),
        }
    }
    assert!(apart > 5 && found > 100, "{apart} apart, {found} found");
}
