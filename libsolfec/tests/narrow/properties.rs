//! The kernels against brute force and under what must not change them: motion, numbering, order, size.

use nalgebra::{Rotation3, Unit};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::cases::{contact, hull, scaled};
use super::make::{cuboid, mapped, rotate, solid, translate};
use solfec::contact::narrow::{area_bound, distance, solid_ball, solids, Feature, Workspace};
use solfec::contact::ManifoldPoint;
use solfec::math::Vec3;
use solfec::shape::Solid;

const EPS: f64 = 1e-6;

/// Seeded, so that every run sees the same cases.
fn check<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config {
        cases,
        failure_persistence: None,
        // Shrunk hulls are flat.
        max_shrink_iters: 0,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    if let Err(e) = runner.run(&strategy, test) {
        panic!("{e}");
    }
}

fn vector(reach: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
}

fn direction() -> impl Strategy<Value = Vec3> {
    vector(1.0).prop_filter("a direction", |v| v.norm() > 0.1).prop_map(|v| v.normalize())
}

/// Hulls of points near the unit sphere: no needles, faces of all sizes.
fn random_hull() -> impl Strategy<Value = Solid> {
    let point = (direction(), 0.7..1.0).prop_map(|(d, r)| d * r);
    let thick = |s: &Solid| s.normals.iter().all(|n| width(s, n) > 0.3);
    prop::collection::vec(point, 6..12).prop_map(|p| hull(&p)).prop_filter("thick", thick)
}

fn width(s: &Solid, n: &Vec3) -> f64 {
    let heights = s.vertices.iter().map(|v| n.dot(v));
    heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min)
}

fn random_box() -> impl Strategy<Value = Solid> {
    prop::array::uniform3(0.2..1.0f64).prop_map(|h| cuboid([-h[0], -h[1], -h[2]], h))
}

fn random_pair() -> impl Strategy<Value = (Solid, Solid)> {
    let any = || prop_oneof![random_hull(), random_box()];
    (any(), any(), direction(), 0.0..3.0, vector(2.0))
        .prop_map(|(a, b, axis, angle, shift)| (a, translate(&rotate(&b, &axis, angle), &shift)))
}

fn height(s: &Solid, face: usize, x: &Vec3) -> f64 {
    s.normals[face].dot(&(x - s.vertices[s.topology.face(face)[0] as usize]))
}

fn inside(s: &Solid, x: &Vec3, tol: f64) -> bool {
    (0..s.topology.faces()).all(|f| height(s, f, x) <= tol)
}

/// Least penetration over all axes of separation, edges included; negative: apart.
fn penetration(a: &Solid, b: &Solid) -> f64 {
    let edge = |s: &Solid, k: usize| {
        let [p, q] = s.topology.edges[k].nodes;
        s.vertices[q as usize] - s.vertices[p as usize]
    };
    let mut axes: Vec<Vec3> = a.normals.iter().chain(&b.normals).copied().collect();
    for i in 0..a.topology.edges.len() {
        for j in 0..b.topology.edges.len() {
            axes.extend(edge(a, i).cross(&edge(b, j)).try_normalize(1e-9));
        }
    }
    let depth = |n: &Vec3| {
        let top = a.vertices.iter().map(|v| n.dot(v)).fold(f64::MIN, f64::max);
        top - b.vertices.iter().map(|v| n.dot(v)).fold(f64::MAX, f64::min)
    };
    axes.iter().map(|n| depth(n).min(depth(&-n))).fold(f64::MAX, f64::min)
}

fn point_segment(x: &Vec3, a: &Vec3, b: &Vec3) -> f64 {
    let e = b - a;
    let t = ((x - a).dot(&e) / e.norm_squared()).clamp(0.0, 1.0);
    (x - a - e * t).norm()
}

fn segments(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    let n = (b - a).cross(&(d - c));
    let square = n.norm_squared();
    let ends =
        point_segment(a, c, d).min(point_segment(b, c, d)).min(point_segment(c, a, b)).min(point_segment(d, a, b));
    let s = (c - a).cross(&(d - c)).dot(&n) / square;
    let t = (c - a).cross(&(b - a)).dot(&n) / square;
    if square > 1e-18 && (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        ends.min((c - a).dot(&n).abs() / square.sqrt())
    } else {
        ends
    }
}

fn feature_distance(a: &Solid, b: &Solid) -> f64 {
    let mut least = f64::MAX;
    for (s, other) in [(a, b), (b, a)] {
        for x in &s.vertices {
            least = least.min(point_distance(x, other));
        }
    }
    let ends = |s: &Solid, k: usize| s.topology.edges[k].nodes.map(|v| s.vertices[v as usize]);
    for i in 0..a.topology.edges.len() {
        for j in 0..b.topology.edges.len() {
            let ([p, q], [r, s]) = (ends(a, i), ends(b, j));
            least = least.min(segments(&p, &q, &r, &s));
        }
    }
    least
}

/// Distance of a point outside from the faces and edges of a solid.
fn point_distance(x: &Vec3, s: &Solid) -> f64 {
    let mut least = f64::MAX;
    for f in 0..s.topology.faces() {
        let h = height(s, f, x);
        if inside(s, &(x - s.normals[f] * h), 1e-12) {
            least = least.min(h.abs());
        }
    }
    for e in &s.topology.edges {
        let [p, q] = e.nodes.map(|v| s.vertices[v as usize]);
        least = least.min(point_segment(x, &p, &q));
    }
    least
}

#[test]
fn distance_is_that_of_the_nearest_features() {
    check(400, random_pair(), |(a, b)| {
        let (d, p, q) = distance(&a.view(), &b.view());
        if penetration(&a, &b) > 1e-9 {
            prop_assert_eq!(d, 0.0);
        } else {
            let exact = feature_distance(&a, &b);
            prop_assert!((d - exact).abs() <= 1e-12, "{} is not {}", d, exact);
            prop_assert!(((p - q).norm() - d).abs() <= 1e-12);
        }
        prop_assert!(inside(&a, &p, 1e-12) && inside(&b, &q, 1e-12));
        Ok(())
    });
}

/// Half surface and surface centroid of the overlap from its corners: vertices inside the other solid, and edges
/// through its faces; corners on one face plane are sorted by angle.
fn overlap_by_corners(a: &Solid, b: &Solid) -> (f64, Vec3) {
    let mut corners: Vec<Vec3> = Vec::new();
    for (s, other) in [(a, b), (b, a)] {
        corners.extend(s.vertices.iter().filter(|x| inside(other, x, 1e-12)));
        for e in &s.topology.edges {
            let [p, q] = e.nodes.map(|v| s.vertices[v as usize]);
            for f in 0..other.topology.faces() {
                let (hp, hq) = (height(other, f, &p), height(other, f, &q));
                if hp * hq < 0.0 {
                    let x = p + (q - p) * (hp / (hp - hq));
                    corners.extend(inside(other, &x, 1e-12).then_some(x));
                }
            }
        }
    }
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    for s in [a, b] {
        for f in 0..s.topology.faces() {
            let on: Vec<Vec3> = corners.iter().copied().filter(|x| height(s, f, x).abs() < 1e-11).collect();
            if on.len() < 3 {
                continue;
            }
            let n = s.normals[f];
            let middle = on.iter().sum::<Vec3>() / on.len() as f64;
            let e1 = (on[0] - middle).normalize();
            let e2 = n.cross(&e1);
            let angle = |x: &Vec3| (x - middle).dot(&e2).atan2((x - middle).dot(&e1));
            let mut ring = on.clone();
            ring.sort_by(|x, y| angle(x).total_cmp(&angle(y)));
            for k in 0..ring.len() {
                let (x, y) = (ring[k], ring[(k + 1) % ring.len()]);
                let part = 0.5 * n.dot(&(x - middle).cross(&(y - middle)));
                area += part;
                moment += (middle + x + y) * (part / 3.0);
            }
        }
    }
    (0.5 * area, moment / area)
}

#[test]
fn overlaps_have_the_surface_of_their_corners() {
    check(400, random_pair(), |(a, b)| {
        let depth = penetration(&a, &b);
        match contact(&a, &b, EPS) {
            Some(h) if depth > 1e-3 => {
                let (area, point) = overlap_by_corners(&a, &b);
                prop_assert!((h.area - area).abs() <= 1e-10, "{} is not {}", h.area, area);
                prop_assert!((h.slave_point - point).norm() <= 1e-9);
                prop_assert!((h.normal.norm() - 1.0).abs() <= 1e-12);
                prop_assert!(h.gap <= 0.0 && -h.gap <= depth_along(&a, &b, &h.normal) + 1e-12);
                prop_assert!(-h.gap >= depth - 1e-9, "gap {} of depth {}", h.gap, depth);
            }
            Some(_) => prop_assert!(depth > -EPS),
            None => prop_assert!(depth < 0.0 && distance(&a.view(), &b.view()).0 > EPS),
        }
        Ok(())
    });
}

/// Full penetration of two solids along `n`.
fn depth_along(a: &Solid, b: &Solid, n: &Vec3) -> f64 {
    let top = a.vertices.iter().map(|v| n.dot(v)).fold(f64::MIN, f64::max);
    top - b.vertices.iter().map(|v| n.dot(v)).fold(f64::MAX, f64::min)
}

/// Boxes on each other, flush or shifted, from apart by up to epsilon to well overlapping.
fn stacked() -> impl Strategy<Value = (Solid, Solid)> {
    let offset = prop_oneof![Just(0.0), -0.9..0.9, -1e-4..1e-4f64, -1.0..-0.99999f64, Just(1.0)];
    let height = prop_oneof![Just(0.0), -0.9e-6..0.9e-6f64, -1e-3..-1e-5f64];
    (offset.clone(), offset, height, 0.3..1.0, 0.0..0.5).prop_map(|(x, y, z, size, turn)| {
        let upper = cuboid([-0.5 * size, -0.5 * size, 0.0], [0.5 * size, 0.5 * size, size]);
        let place = Vec3::new(0.5 * (1.0 + size) * x, 0.5 * (1.0 + size) * y, z);
        let turn = if turn < 0.25 { 0.0 } else { turn };
        let lower = cuboid([-0.5, -0.5, -1.0], [0.5, 0.5, 0.0]);
        (lower, translate(&rotate(&upper, &Vec3::z(), turn), &place))
    })
}

fn any_contact() -> impl Strategy<Value = (Solid, Solid)> {
    prop_oneof![stacked(), random_pair()]
}

/// Equal to round-off; `size` is that of lengths, `far` bounds coordinates.
fn same(h: &Option<ManifoldPoint>, g: &Option<ManifoldPoint>, size: f64, far: f64) -> Result<(), TestCaseError> {
    let (Some(h), Some(g)) = (h, g) else {
        prop_assert_eq!(h.is_some(), g.is_some());
        return Ok(());
    };
    // Normals of overlaps 1e-5 thin turn with the round-off of their side walls.
    let tol = 1e-9 * size * far;
    prop_assert!((h.slave_point - g.slave_point).norm() <= tol, "{:?} {:?}", h, g);
    prop_assert!((h.master_point - g.master_point).norm() <= tol, "{:?} {:?}", h, g);
    prop_assert!((h.normal - g.normal).norm() <= 1e-8 * far, "{:?} {:?}", h, g);
    prop_assert!((h.gap - g.gap).abs() <= tol, "{:?} {:?}", h, g);
    prop_assert!((h.area - g.area).abs() <= tol * size, "{:?} {:?}", h, g);
    prop_assert_eq!(h.surf, g.surf, "{:?} {:?}", h, g);
    Ok(())
}

#[test]
fn swapping_the_solids_turns_the_normal_and_nothing_else() {
    check(600, any_contact(), |(a, b)| {
        let swapped =
            contact(&b, &a, EPS).map(|h| ManifoldPoint { normal: -h.normal, surf: [h.surf[1], h.surf[0]], ..h });
        same(&contact(&a, &b, EPS), &swapped, 1.0, 1.0)
    });
}

#[test]
fn a_rigid_motion_moves_the_contact() {
    let motion = (direction(), 0.0..3.0, vector(10.0));
    check(600, (any_contact(), motion), |((a, b), (axis, angle, shift))| {
        let r = Rotation3::from_axis_angle(&Unit::new_normalize(axis), angle);
        let go = |s: &Solid| mapped(s, |v| r * v + shift);
        let moved = contact(&a, &b, EPS).map(|h| ManifoldPoint {
            slave_point: r * h.slave_point + shift,
            master_point: r * h.master_point + shift,
            normal: r * h.normal,
            ..h
        });
        same(&contact(&go(&a), &go(&b), EPS), &moved, 1.0, 10.0)
    });
}

#[test]
fn the_size_of_the_world_does_not_matter() {
    check(400, any_contact(), |(a, b)| {
        let h = contact(&a, &b, EPS);
        for k in [1e-6, 1e6] {
            let large = h.map(|h| ManifoldPoint {
                slave_point: h.slave_point * k,
                master_point: h.master_point * k,
                gap: h.gap * k,
                area: h.area * k * k,
                ..h
            });
            same(&contact(&scaled(&a, k), &scaled(&b, k), EPS * k), &large, k, 1.0)?;
        }
        Ok(())
    });
}

/// Vertices and faces in another order, loops begun elsewhere; surface ids follow their faces.
fn renumbered(s: &Solid, by: usize) -> Solid {
    let t = &s.topology;
    let (nv, nf) = (s.vertices.len(), t.faces());
    let mut vertices = s.vertices.clone();
    vertices.rotate_right(by % nv);
    vertices.reverse();
    let number = |v: u16| (nv - 1 - (v as usize + by) % nv) as u16;
    let order: Vec<usize> = (0..nf).rev().map(|f| (f + by) % nf).collect();
    let faces: Vec<Vec<u16>> = order
        .iter()
        .map(|&f| {
            let mut l: Vec<u16> = t.face(f).iter().map(|&v| number(v)).collect();
            l.rotate_left(by % 3);
            l
        })
        .collect();
    let mut out = solid(vertices, &faces);
    let mut topology = (*out.topology).clone();
    topology.surfid = order.iter().map(|&f| t.surfid[f]).collect();
    out.topology = topology.into();
    out
}

#[test]
fn the_numbering_of_faces_and_vertices_does_not_matter() {
    check(600, (any_contact(), 0..7usize, 0..7usize), |((a, b), i, j)| {
        let h = contact(&a, &b, EPS);
        let g = contact(&renumbered(&a, i), &renumbered(&b, j), EPS);
        match (h, g) {
            // Edges belong to two surfaces: the lowest face number decides, as it should.
            (Some(h), Some(g)) if h.area == 0.0 => same(&Some(ManifoldPoint { surf: g.surf, ..h }), &Some(g), 1.0, 1.0),
            _ => same(&h, &g, 1.0, 1.0),
        }
    });
}

#[test]
fn the_bound_of_the_area_is_one() {
    check(2000, any_contact(), |(a, b)| {
        let bound = area_bound(&a.view(), &b.view(), EPS);
        let area = contact(&a, &b, EPS).map_or(0.0, |h| h.area);
        prop_assert!(area <= bound * (1.0 + 1e-12), "{} exceeds {}", area, bound);
        prop_assert!(bound.is_finite());
        Ok(())
    });
}

#[test]
fn the_bound_of_the_area_sees_edges_and_corners() {
    let a = cuboid([0.0; 3], [1.0; 3]);
    let tilted = |t: [f64; 3]| {
        let turn = |s: &Solid| rotate(s, &Vec3::new(1.0, 2.0, 3.0), 0.7);
        area_bound(&turn(&a).view(), &turn(&translate(&a, &Vec3::from(t))).view(), EPS)
    };
    assert_eq!(tilted([1.0, 0.0, 1.0]), 0.0);
    assert_eq!(tilted([1.0, 1.0, 1.0]), 0.0);
    assert_eq!(tilted([0.0, 0.0, 1.1]), 0.0);
    let full = tilted([0.3, 0.0, 1.0]);
    assert!((0.7..0.70001).contains(&full), "{full}");
    let strip = tilted([0.99, 0.0, 1.0]);
    assert!((0.01..0.01001).contains(&strip), "{strip}");
}

#[test]
fn balls_are_nearest_to_the_nearest_feature() {
    let strategy = (prop_oneof![random_hull(), random_box()], vector(2.0), 0.1..1.0);
    check(600, strategy, |(s, x, radius)| {
        let outside = !inside(&s, &x, 0.0);
        let found = solid_ball(&s.view(), x, radius, 7, EPS).map_err(|e| TestCaseError::fail(e.to_string()))?;
        if !outside {
            let (h, _) = found.ok_or_else(|| TestCaseError::fail("a centre inside is a contact"))?;
            let depth = (0..s.topology.faces()).map(|f| height(&s, f, &x)).fold(f64::MIN, f64::max);
            prop_assert!((h.gap - (depth - radius)).abs() <= 1e-12);
            return Ok(());
        }
        let exact = point_distance(&x, &s);
        prop_assert_eq!(found.is_some(), exact < radius + EPS);
        let Some((h, feature)) = found else { return Ok(()) };
        prop_assert!((h.gap - (exact - radius).min(0.0)).abs() <= 1e-12);
        prop_assert!((h.slave_point + h.normal * exact - x).norm() <= 1e-12);
        prop_assert!((h.master_point - (x - h.normal * radius)).norm() <= 1e-12);
        let touches = |f: usize| height(&s, f, &h.slave_point).abs() <= 1e-12;
        let named = match feature {
            Feature::Face(f) => touches(f as usize) && (h.normal - s.normals[f as usize]).norm() <= 1e-9 / exact,
            Feature::Edge(e) => s.topology.edges[e as usize].faces.iter().all(|&f| touches(f as usize)),
            Feature::Vertex(v) => h.slave_point == s.vertices[v as usize],
        };
        prop_assert!(named, "{:?}", feature);
        Ok(())
    });
}

#[test]
fn a_hull_of_128_vertices_and_a_used_workspace() {
    // A spiral of points on the unit sphere.
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let on_sphere = |k: usize| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / 128.0;
        let (r, phi) = ((1.0 - z * z).sqrt(), golden * k as f64);
        Vec3::new(r * phi.cos(), r * phi.sin(), z)
    };
    let sphere = hull(&(0..128).map(on_sphere).collect::<Vec<_>>());
    assert_eq!(sphere.vertices.len(), 128);
    let floor = cuboid([-2.0, -2.0, -2.0], [2.0, 2.0, -0.9]);
    let mut used = Workspace::default();
    let mut run = |a: &Solid, b: &Solid| solids(&a.view(), &b.view(), EPS, &mut used).expect("kernel");
    let first = run(&floor, &sphere);
    let h = first.expect("contact");
    // A cap of height 0.1 less the facets: π(2rh + (2rh − h²))/2 = 0.61.
    assert!((0.45..0.62).contains(&h.area), "{}", h.area);
    assert!(h.normal.z > 0.999, "{:?}", h.normal);
    assert!(h.gap < -0.05 && h.gap > -0.1, "{}", h.gap);
    let (area, point) = overlap_by_corners(&floor, &sphere);
    assert!((h.area - area).abs() < 1e-12 && (h.slave_point - point).norm() < 1e-12);
    let other = cuboid([0.0; 3], [1.0; 3]);
    run(&other, &translate(&other, &Vec3::new(0.3, 0.2, 0.9)));
    assert_eq!(run(&floor, &sphere), first);
    assert_eq!(contact(&floor, &sphere, EPS), first);
    let both = run(&sphere, &translate(&sphere, &Vec3::new(1.9, 0.1, 0.2))).expect("contact");
    assert!(both.normal.x > 0.98 && both.area > 0.0, "{both:?}");
}

/// An upright prism of 24 sides whose corners lie on a circle of radius 1.
fn prism(low: f64, high: f64) -> Solid {
    const SIDES: u16 = 24;
    let at = |k: u16, z: f64| {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(SIDES)).sin_cos();
        Vec3::new(cosine, sine, z)
    };
    let vertices = (0..SIDES).map(|k| at(k, low)).chain((0..SIDES).map(|k| at(k, high))).collect();
    let sides = (0..SIDES).map(|k| {
        let next = (k + 1) % SIDES;
        vec![k, next, next + SIDES, k + SIDES]
    });
    let ends = [(0..SIDES).rev().collect(), (SIDES..2 * SIDES).collect()];
    solid(vertices, &sides.chain(ends).collect::<Vec<_>>())
}

#[test]
fn coinciding_faces_of_solids_with_many_faces_count_once() {
    let tilt = |s: &Solid| rotate(s, &Vec3::new(1.0, 2.0, 3.0), 0.7);
    let touch = |a: &Solid, b: &Solid| contact(&tilt(a), &tilt(b), EPS).expect("contact");
    let up = tilt(&prism(0.0, 1.0)).normals[25];
    // One on the other, 0.1 deep: all sides coincide.
    let h = touch(&prism(0.0, 1.0), &prism(0.9, 2.0));
    let half = std::f64::consts::PI / 24.0;
    let (base, around) = (24.0 * half.sin() * half.cos(), 48.0 * half.sin());
    assert!((h.area - base - 0.05 * around).abs() < 1e-12 && (h.projected - base).abs() < 1e-12, "{h:?}");
    assert!((h.normal - up).norm() < 1e-12 && (h.gap + 0.1).abs() < 1e-12, "{h:?}");
    // Side by side: both ends coincide. From their corners these are counted twice, whatever the height.
    let beside = |height: f64| (prism(0.0, height), translate(&prism(0.0, height), &Vec3::new(1.7, 0.1, 0.0)));
    let twice = [1.0, 2.0].map(|height| overlap_by_corners(&beside(height).0, &beside(height).1).0);
    let (a, b) = beside(1.0);
    let h = touch(&a, &b);
    let end = twice[0] - 0.5 * twice[1];
    assert!(end > 0.1 && (h.area - (twice[0] - end)).abs() < 1e-12, "{h:?}");
    assert!(h.normal.dot(&up).abs() < 1e-12 && h.gap < -0.1, "{h:?}");
}
