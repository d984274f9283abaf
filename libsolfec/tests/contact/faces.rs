//! Several contact points of faces (docs/theory.md 4), and contact of what touches exactly.

use super::*;

fn several(points: u32) -> Said {
    let mut said = Said::default();
    said.settings.contact_points = points;
    said
}

fn sorted_points(contacts: &[Contact]) -> Vec<[f64; 3]> {
    let mut points: Vec<[f64; 3]> = contacts.iter().map(|c| c.master.point.into()).collect();
    points.sort_by(|a, b| a.partial_cmp(b).expect("finite points"));
    points
}

fn assert_points(contacts: &[Contact], expected: &[[f64; 3]], tolerance: f64) {
    let found = sorted_points(contacts);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for b in expected {
        let near = |a: &[f64; 3]| (Vec3::from(*a) - Vec3::from(*b)).norm() < tolerance;
        assert!(found.iter().any(near), "{found:?}, but {expected:?}");
    }
}

/// Areas sum to that of the polygon and have its centroid.
fn assert_shares(contacts: &[Contact], area: f64, center: [f64; 3]) {
    let sum: f64 = contacts.iter().map(|c| c.area).sum();
    assert_near(sum, area, 1e-9);
    let moment: Vec3 = contacts.iter().map(|c| c.master.point * c.area).sum();
    assert!((moment / sum - Vec3::from(center)).norm() < 1e-9, "centroid {:?}", moment / sum);
}

#[test]
fn cubes_share_the_corners_of_a_face() {
    let scene = Scene::new([cube([0.0; 3]), cube([0.4, 0.2, 1.0])]);
    let one = detect(&scene).contacts;
    assert_eq!(one.len(), 1);
    for number in 2..=4 {
        let found = several(number).detect(&scene, &[]).contacts;
        assert_eq!(found.len(), number as usize);
        assert_shares(&found, 0.48, [0.7, 0.6, 1.0]);
        assert_near(found.iter().map(|c| c.area).sum::<f64>(), one[0].area, 1e-9);
        for (k, c) in (0..).zip(&found) {
            assert_eq!((c.key.feature, c.points, c.gap, c.base), (k, number, 0.0, one[0].base));
        }
    }
    let four = several(4).detect(&scene, &[]).contacts;
    assert_points(&four, &[[0.4, 0.2, 1.0], [0.4, 1.0, 1.0], [1.0, 0.2, 1.0], [1.0, 1.0, 1.0]], 1e-12);
    assert!(four.iter().all(|c| (c.area - 0.12).abs() < 1e-12));
}

#[test]
fn each_corner_has_its_own_depth() {
    let mut scene = Scene::new([cube([0.0; 3]), cube([0.0, 0.0, 1.0])]);
    for angle in [1e-7, 1e-5, 1e-3, 0.1] {
        // tilted about the edge x = 0, y = 0 .. 1 of its base, which is 0.3 mm deep
        scene.motions[1] = Motion {
            f: rotation([0.0, 1.0, 0.0], -angle),
            x: Vec3::new(0.0, 0.0, 1.0 - 3e-4),
            x0: Vec3::new(0.0, 0.0, 1.0),
        };
        scene.place();
        let found = several(4).detect(&scene, &[]).contacts;
        let rise = f64::sin(angle);
        let count = if rise > 3.01e-4 { 2 } else { 4 };
        assert_eq!(found.len(), count, "angle {angle}: {found:?}");
        for c in &found {
            let gap = if c.master.point.x < 0.5 { -3e-4 } else { rise - 3e-4 };
            assert!((c.gap - gap).abs() < 1e-5, "angle {angle}: gap {} at {:?}", c.gap, c.master.point);
            assert_eq!(c.points, 4);
        }
    }
}

#[test]
fn an_edge_on_a_face_has_two_points() {
    let mut scene = Scene::new([brick([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1], [0; 6]), cube([0.0; 3])]);
    let quarter = std::f64::consts::FRAC_PI_4;
    for angle in [quarter, quarter - 0.1, quarter + 0.1] {
        for depth in [0.0, 1e-3] {
            let x = Vec3::new(0.0, 0.0, -depth);
            scene.motions[1] = Motion { f: rotation([0.0, 1.0, 0.0], -angle), x, x0: Vec3::zeros() };
            scene.place();
            let found = several(4).detect(&scene, &[]).contacts;
            assert_eq!(found.len(), 2, "angle {angle}, depth {depth}: {:?}", sorted_points(&found));
            assert_points(&found, &[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 2e-3);
            assert!(found.iter().all(|c| (c.gap + depth).abs() < 1e-2 * depth + 1e-12), "{found:?}");
        }
    }
}

#[test]
fn a_corner_on_a_face_has_one_point() {
    let mut scene = Scene::new([brick([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0], [1, 1, 1], [0; 6]), cube([0.0; 3])]);
    let upright = nalgebra::Rotation3::rotation_between(&Vec3::repeat(1.0), &Vec3::z()).expect("a rotation");
    scene.motions[1] = Motion { f: upright.into_inner(), x: Vec3::new(0.0, 0.0, -1e-3), x0: Vec3::zeros() };
    scene.place();
    let found = several(4).detect(&scene, &[]).contacts;
    assert_eq!(found.len(), 1, "{:?}", sorted_points(&found));
    assert!((found[0].gap + 1e-3).abs() < 1e-9);
}

#[test]
fn a_mesh_has_the_points_of_its_flat_patch() {
    for n in 1..=4 {
        let found = several(4).detect(&plates(n, 1.0, 0.0), &[]).contacts;
        assert_points(&found, &[[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]], 1e-9);
        assert_shares(&found, 1.0, [0.5, 0.5, 1.0]);
    }
    // small pieces at the rim count, whatever sparsification says of single contacts
    let mut said = several(4);
    said.settings.sparsify.threshold = 0.5;
    let found = said.detect(&plates(2, 2.0, 0.3), &[]).contacts;
    assert_points(&found, &[[0.3, 0.3, 1.0], [0.3, 2.0, 1.0], [2.0, 0.3, 1.0], [2.0, 2.0, 1.0]], 1e-9);
    assert_shares(&found, 1.7 * 1.7, [1.15, 1.15, 1.0]);
    // a least area is one of patches
    said.settings.sparsify.minarea = 2.0;
    assert_eq!(said.detect(&plates(2, 2.0, 0.3), &[]).contacts.len(), 4);
    said.settings.sparsify.minarea = 3.0;
    assert_eq!(said.detect(&plates(2, 2.0, 0.3), &[]).contacts.len(), 0);
}

#[test]
fn voussoirs_with_strips_meet_at_their_rims() {
    let scene = arch();
    let mut said = several(4);
    said.settings.epsilon = 1e-4;
    let found = said.detect(&scene, &[]).contacts;
    assert_eq!(found.len(), 28 * 4);
    for c in &found {
        let radius = Vec3::new(c.master.point.x, 0.0, c.master.point.z).norm();
        assert!((radius - 9.4525).abs().min((radius - 10.5475).abs()) < 1e-9, "radius {radius}");
        assert_near(c.area, 1.095 * 5.0 / 4.0, 1e-9);
    }
}

#[test]
fn patches_of_different_surfaces_stay_apart() {
    let lower = brick([0.0; 3], [2.0, 1.0, 1.0], [2, 1, 1], [0; 6]);
    let mut upper = brick([0.0, 0.0, 1.0], [2.0, 1.0, 2.0], [2, 1, 1], [0; 6]);
    if let ConvexPart::Solid(solid) = &mut upper[0] {
        let mut topology = (*solid.topology).clone();
        topology.surfid.iter_mut().for_each(|s| *s = 7);
        solid.topology = topology.into();
    }
    assert_eq!(several(4).detect(&Scene::new([lower, upper]), &[]).contacts.len(), 8);
}

#[test]
fn a_sliding_brick_keeps_its_points() {
    let floor = brick([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0], [1, 1, 1], [0; 6]);
    let mut scene = Scene::new([floor, cube([-0.5, -0.5, 0.0])]);
    let mut previous: Vec<Contact> = Vec::new();
    let mut detector = Detector::default();
    let said = several(4);
    for step in 0..40 {
        let s = f64::from(step);
        let x = Vec3::new(0.05 * s, 0.02 * s, -1e-9 * (s % 3.0));
        scene.motions[1] = Motion { f: rotation([0.0, 0.0, 1.0], 0.03 * s), x, x0: Vec3::zeros() };
        scene.place();
        let mut found = detector.detect(&scene.objects, &scene.motions, &previous, &said.rules()).contacts;
        assert_eq!(found.len(), 4, "step {step}");
        for (k, c) in found.iter_mut().enumerate() {
            if step == 0 {
                c.id = k as u64 + 1;
                c.r = Vec3::new(0.0, 0.0, 10.0 + k as f64);
            }
            let old = previous.get(k).unwrap_or(c);
            assert_eq!((c.id, c.key.feature), (old.id, k as u32), "step {step}");
            assert!((c.base * c.r - old.base * old.r).norm() < 1e-9, "step {step}");
            assert!((c.master.reference - old.master.reference).norm() < 1e-8, "step {step}");
        }
        previous = found;
    }
}

#[test]
fn bonds_break_point_by_point() {
    let mut said = several(4);
    said.materials = vec![SurfaceMaterial { cohesion: 100.0, ..SurfaceMaterial::default() }];
    said.bonding = true;
    let mut scene = Scene::new([cube([0.0; 3]), cube([0.0, 0.0, 1.0])]);
    let mut bonded = said.detect(&scene, &[]).contacts;
    assert!(bonded.iter().all(|c| (c.cohesion - 25.0).abs() < 1e-9));
    (0..).zip(&mut bonded).for_each(|(k, c)| c.id = k + 1);
    said.bonding = false;
    // two bonds are left; the block turns about the side x = 0 and these hold wherever they are
    bonded.iter_mut().filter(|c| c.master.point.y < 0.5).for_each(|c| c.cohesion = 0.0);
    let turned = |angle: f64| Motion {
        f: rotation([0.0, 1.0, 0.0], -angle),
        x: Vec3::new(0.0, 0.0, 1.0),
        x0: Vec3::new(0.0, 0.0, 1.0),
    };
    for (angle, count) in [(0.0, 4), (1e-3, 3), (0.0, 4)] {
        scene.motions[1] = turned(angle);
        scene.place();
        let found = said.detect(&scene, &bonded).contacts;
        assert_eq!(found.len(), count, "angle {angle}: {:?}", sorted_points(&found));
        let strong: Vec<&Contact> = found.iter().filter(|c| c.cohesion > 0.0).collect();
        assert_eq!(strong.len(), 2, "angle {angle}");
        for c in strong {
            let old = bonded.iter().find(|b| b.id == c.id).expect("the bond of before");
            assert_eq!((c.key, c.cohesion, c.area), (old.key, old.cohesion, old.area));
            let gap = if c.master.reference.x < 0.5 { 0.0 } else { f64::sin(angle) };
            assert!((c.gap - gap).abs() < 1e-5, "gap {}", c.gap);
        }
    }
}

#[test]
fn points_of_faces_do_not_depend_on_threads_or_shortcuts() {
    let scene = heap(3, 60);
    let said = several(4);
    let run = |threads: usize, shortcut: bool| {
        with_threads(threads, || {
            let mut detector = Detector::default();
            detector.shortcut = shortcut;
            let first = detector.detect(&scene.objects, &scene.motions, &[], &said.rules()).contacts;
            detector.detect(&scene.objects, &scene.motions, &first, &said.rules()).contacts
        })
    };
    let reference = run(1, true);
    assert!(reference.iter().any(|c| c.key.feature > 0));
    for (threads, shortcut) in [(2, true), (4, true), (1, false)] {
        assert_eq!(run(threads, shortcut), reference, "{threads} threads, shortcut {shortcut}");
    }
}

/// 4 × 4 × 4 balls that touch each other and a floor, with a geometric epsilon below round-off: 144 + 16 contacts.
#[test]
fn what_touches_exactly_is_in_contact_at_any_epsilon() {
    for (size, shift) in [(1.0, 0.0), (0.1, 0.0), (0.7, 123.4), (0.3, -1e3)] {
        let at = |k: i32| shift + size * f64::from(k);
        let high = [at(4), at(4), at(0)];
        let mut shapes = vec![brick([at(0), at(0), at(-1)], high, [1, 1, 1], [0; 6])];
        for k in 0..64 {
            let place = |k: i32| shift + size * (f64::from(k) + 0.5);
            shapes.push(ball([place(k % 4), place(k / 4 % 4), place(k / 16)], 0.5 * size));
        }
        let mut scene = Scene::empty();
        scene.add(true, false, &[shapes.remove(0)]);
        shapes.into_iter().for_each(|s| scene.add(false, false, &[s]));
        for epsilon in [1e-20, 1e-12] {
            scene.objects.place(&scene.motions, epsilon).expect("finite motions");
            let mut said = Said::default();
            said.settings.epsilon = epsilon;
            assert_eq!(said.detect(&scene, &[]).contacts.len(), 160, "size {size}, shift {shift}, epsilon {epsilon}");
        }
    }
}

/// The same with cubes: those above each other touch, and those side by side.
#[test]
fn cubes_that_touch_exactly_are_in_contact_at_any_epsilon() {
    let size = 0.1;
    let mut scene = Scene::empty();
    for k in 0..27 {
        let low = [k % 3, k / 3 % 3, k / 9].map(|k| size * f64::from(k));
        scene.add(false, false, &[brick(low, low.map(|x| x + size), [1, 1, 1], [0; 6])]);
    }
    scene.objects.place(&scene.motions, 1e-20).expect("finite motions");
    let mut said = Said::default();
    said.settings.epsilon = 1e-20;
    let d = said.detect(&scene, &[]);
    assert_eq!(d.contacts.iter().filter(|c| c.area > 0.5 * size * size).count(), 54);
}
