//! Cases and properties of detection and of the life of contacts.

use super::*;

#[test]
fn pairs_of_a_grid_of_cubes() {
    let n = 20;
    let at = |k: usize| [(k % n) as f64, (k / n % n) as f64, (k / n / n) as f64];
    let scene = Scene::new((0..n * n * n).map(|k| cube(at(k))));
    let mut pairs = BodyPairs::default();
    let found = pairs.find(&scene.objects, &Exclusions::default());
    assert_eq!(found.len(), 93556);
    let mut brute = Vec::new();
    for i in 0..(n * n * n) as u32 {
        for j in i + 1..(n * n * n) as u32 {
            let (i, j) = (BodyIndex(i), BodyIndex(j));
            if scene.objects.bounds(i).meets(scene.objects.bounds(j)) {
                brute.push([i, j]);
            }
        }
    }
    assert_eq!(found, brute);
}

#[test]
fn obstacles_never_pair() {
    let mut scene = Scene::empty();
    scene.add(true, false, &[cube([0.0; 3])]);
    scene.add(true, false, &[cube([0.5; 3])]);
    assert_eq!(detect(&scene.placed()).statistics.pairs_tested, 0);
}

fn block_with_selfcontact(on: bool) -> Detection {
    let mut scene = Scene::empty();
    scene.add(false, on, &[brick([0.0; 3], [4.0; 3], [4, 4, 4], [0; 6])]);
    detect(&scene.placed())
}

#[test]
fn a_mesh_does_not_touch_itself() {
    assert_eq!(block_with_selfcontact(false).statistics.pairs_tested, 0);
}

#[test]
fn neighbouring_elements_do_not_touch() {
    let d = block_with_selfcontact(true);
    assert_eq!(d.statistics.pairs_tested, 0);
    assert!(d.contacts.is_empty());
}

#[test]
fn self_contact_of_two_meshes() {
    let mut scene = Scene::empty();
    let upper = brick([0.5, 0.5, 1.9], [1.5, 1.5, 2.9], [1, 1, 1], [0; 6]);
    scene.add(false, true, &[brick([0.0; 3], [2.0, 2.0, 2.0], [2, 2, 2], [0; 6]), upper]);
    let d = detect(&scene.placed());
    assert_eq!(d.contacts.len(), 4);
    for c in &d.contacts {
        assert_eq!(c.key.bodies, [BodyId(1); 2]);
        // the free sides of the upper mesh tilt the normal a little (docs/theory.md 5)
        assert_near(c.gap, -0.1, 2e-3);
    }
}

#[test]
fn pairs_of_random_boxes() {
    let mut x = numbers(1);
    let scene = Scene::new((0..100_000).map(|k| {
        let radius = if k % 20_000 == 11 { 20.0 } else { 0.3 + 0.4 * x() };
        ball([50.0 * x(), 50.0 * x(), 50.0 * x()], radius)
    }));
    let find = || BodyPairs::default().find(&scene.objects, &Exclusions::default()).to_vec();
    let one = with_threads(1, find);
    assert!(one.len() > 100_000 && one.windows(2).all(|w| w[0] < w[1]));
    assert!(one == with_threads(2, find));
    assert!(one == with_threads(16, find));
}

/// Pairs of bodies whose boxes meet, but for balls that are apart in boxes that meet.
#[test]
fn pairs_of_random_bodies_are_those_that_meet() {
    let mut x = numbers(2);
    let count = 5000_u32;
    let mut radii = Vec::new();
    let scene = Scene::new((0..count).map(|k| {
        let radius = if k % 1000 == 11 { 9.0 } else { 0.3 + 0.4 * x() };
        let at = [18.0 * x(), 18.0 * x(), 18.0 * x()];
        radii.push(if k % 3 == 0 { f64::INFINITY } else { radius });
        if k % 3 == 0 {
            cube(at)
        } else {
            ball(at, radius)
        }
    }));
    let boxes: Vec<_> = (0..count).map(|k| scene.objects.bounds(BodyIndex(k))).collect();
    let (mut all, mut apart) = (Vec::new(), 0);
    for (i, j) in (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))) {
        let [a, b] = [i, j].map(|k| boxes[k as usize]);
        let touch = (a.center() - b.center()).norm() <= radii[i as usize] + radii[j as usize] + 2.0 * EPS;
        if a.meets(b) && touch {
            all.push([BodyIndex(i), BodyIndex(j)]);
        }
        apart += usize::from(a.meets(b) && !touch);
    }
    assert!(all.len() > 5000 && apart > 1000, "{} pairs, {apart} balls apart", all.len());
    assert!(BodyPairs::default().find(&scene.objects, &Exclusions::default()) == all);
}

/// One search that goes on from step to step finds what a new one finds, while bodies creep, race, come and go, and
/// pairs are excluded.
#[test]
fn pairs_of_moving_bodies_are_those_of_a_new_search() {
    let mut x = numbers(5);
    let count = 2500;
    let mut scene = Scene::new((0..count).map(|_| ball([15.0 * x(), 15.0 * x(), 15.0 * x()], 0.3 + 0.4 * x())));
    let velocity: Vec<Vec3> = (0..count).map(|_| Vec3::new(x() - 0.5, x() - 0.5, x() - 0.5)).collect();
    let mut excluded = Exclusions::default();
    let mut kept = BodyPairs::default();
    let mut met = std::collections::BTreeSet::new();
    for step in 0..120 {
        let speed = [1e-4, 0.003, 0.1, 0.0][step / 30];
        for (motion, v) in scene.motions.iter_mut().zip(&velocity) {
            motion.x += speed * v;
        }
        match step {
            20 => excluded = Exclusions::new(&[[1, 2], [3, 900]], &[]),
            40 => {
                let keep: Vec<bool> = (0..count).map(|k| k % 7 != 3).collect();
                scene.objects.retain(&keep);
                let mut kept = keep.iter();
                scene.motions.0.retain(|_| *kept.next().expect("a mark for each"));
            }
            50 => scene.objects.set_selfcontact(BodyIndex(17), true),
            70 => {
                scene.objects.insert(BodyId(4), false, false, &[ball([7.0; 3], 2.0)], EPS).expect("a new id");
                scene.motions.push(AT_REST);
            }
            _ => {}
        }
        scene.place();
        let pairs = kept.find(&scene.objects, &excluded);
        assert!(pairs == BodyPairs::default().find(&scene.objects, &excluded), "step {step}");
        met.insert(pairs.len());
    }
    assert!(met.len() > 30, "pairs come and go: {} numbers of pairs", met.len());
}

#[test]
fn boxes_within_and_beyond_twice_the_distance() {
    for axis in 0..3 {
        for (gap, pairs) in [(1.9, 1), (2.1, 0)] {
            let mut low = [0.25; 3];
            low[axis] = 1.0 + gap * EPS;
            let scene = Scene::new([cube([0.0; 3]), cube(low)]);
            let found = BodyPairs::default().find(&scene.objects, &Exclusions::default()).len();
            assert_eq!(found, pairs, "axis {axis}, {gap} epsilon");
        }
    }
}

#[test]
fn a_sphere_over_two_elements() {
    let strip = brick([0.0; 3], [2.0, 1.0, 1.0], [2, 1, 1], [0; 6]);
    for x in [0.9, 1.0, 1.1, 1.0 + 1e-9] {
        let scene = Scene::new([strip.clone(), ball([x, 0.5, 1.99], 1.0)]);
        let d = detect(&scene);
        assert_eq!(d.contacts.len(), 1, "at x = {x}");
        let c = &d.contacts[0];
        // the last place is within round-off of the edge, and its normal may be that of the edge
        assert!((c.base.column(2) - Vec3::z()).norm() < 2e-9);
        assert_near(c.gap, -0.01, 1e-12);
    }
}

#[test]
fn internal_edges_of_polyhedra_vanish_and_real_ones_stay() {
    // two polyhedra of one body are as good as two elements; without a neighbour the edge is real
    let polyhedron = |low: [f64; 3]| {
        let mut parts = cube(low);
        for a in &mut parts {
            if let ConvexPart::Solid(s) = a {
                s.mesh_nodes.clear();
            }
        }
        parts
    };
    let sphere = ball([0.9, 0.5, 1.99], 1.0);
    let mut scene = Scene::empty();
    scene.add(false, false, &[polyhedron([0.0; 3]), polyhedron([1.0, 0.0, 0.0])]);
    scene.add(false, false, std::slice::from_ref(&sphere));
    assert_eq!(detect(&scene.placed()).contacts.len(), 1);

    // the centre has come into the second: the face of the first is inside the body
    let mut deep = Scene::empty();
    deep.add(false, false, &[polyhedron([0.0; 3]), polyhedron([1.0, 0.0, 0.0])]);
    deep.add(false, false, &[ball([1.2, 0.5, 0.9], 0.5)]);
    let d = detect(&deep.placed());
    assert_eq!(d.contacts.len(), 1);
    assert_eq!(d.contacts[0].base.column(2), Vec3::z());
    assert_near(d.contacts[0].gap, -0.6, 1e-12);

    let alone = Scene::new([polyhedron([1.0, 0.0, 0.0]), sphere]);
    let d = detect(&alone);
    assert_eq!(d.contacts.len(), 1);
    assert_near(d.contacts[0].base.column(2).x, -0.1 / (0.01f64 + 0.99 * 0.99).sqrt(), 1e-12);
}

/// The elements around the middle one of 3×3×3 have faces towards it that are no part of the surface.
#[test]
fn faces_inside_a_mesh_push_nothing() {
    let block = brick([0.0; 3], [3.0; 3], [3, 3, 3], [0; 6]);
    for center in [[1.5; 3], [1.3, 1.4, 1.6]] {
        let scene = Scene::new([block.clone(), ball(center, 0.8)]);
        assert!(detect(&scene).contacts.is_empty(), "{center:?}");
    }
}

/// Blocks of several elements, or of several polyhedra, that are pressed into each other: the parts beside each other
/// meet at planes inside of both, which bear nothing.
#[test]
fn blocks_of_several_parts_are_borne_along_their_normal() {
    let polyhedra = |low: [f64; 3]| {
        let mut parts: Vec<ConvexPart> = (0..2)
            .flat_map(|i| {
                brick(
                    [low[0] + 0.5 * f64::from(i), 0.0, low[2]],
                    [low[0] + 0.5 + 0.5 * f64::from(i), 1.0, low[2] + 0.5],
                    [1, 1, 1],
                    [0; 6],
                )
            })
            .collect();
        for part in &mut parts {
            if let ConvexPart::Solid(s) = part {
                s.mesh_nodes.clear();
            }
        }
        parts
    };
    let mesh = |low: [f64; 3]| brick(low, [low[0] + 1.0, 1.0, low[2] + 0.5], [2, 2, 1], [0; 6]);
    let stands = |scene: &Scene, what: &str| {
        let contacts = Said::threshold(0.0).detect(scene, &[]).contacts;
        assert!(contacts.len() >= 2, "{what}");
        for c in &contacts {
            assert!(c.base[(2, 2)].abs() > 0.99, "{what}: {}", c.base.column(2));
        }
    };
    for depth in [0.0, 1e-7, 1e-5, 1e-3, 0.01, 0.1] {
        for aside in [0.0, 1e-5, -1e-3] {
            let meshes = Scene::new([mesh([0.0; 3]), mesh([aside, 0.0, 0.5 - depth])]);
            stands(&meshes, &format!("elements, {depth} deep, {aside} aside"));
            let several = Scene::new([polyhedra([0.0; 3]), polyhedra([aside, 0.0, 0.5 - depth])]);
            stands(&several, &format!("polyhedra, {depth} deep, {aside} aside"));
        }
    }
}

#[test]
fn a_ball_parted_from_a_cohesive_solid_is_pulled_the_shortest_way() {
    let mut scene = Scene::new([cube([0.0; 3]), ball([0.5, 0.5, 1.5], 0.5)]);
    let bonded = cohesive(true).detect(&scene, &[]).contacts;
    assert_eq!(bonded.len(), 1);
    scene.motions[1].x = Vec3::new(1.5, 0.0, 1.0);
    scene.place();
    let d = cohesive(false).detect(&scene, &bonded);
    let n = Vec3::new(1.0, 0.0, 1.5).normalize();
    assert!((d.contacts[0].base.column(2) - n).norm() < 1e-12);
}

#[test]
fn a_sphere_slides_over_elements() {
    let strip = brick([0.0; 3], [10.0, 1.0, 1.0], [10, 1, 1], [0; 6]);
    let mut scene = Scene::new([strip, ball([0.0; 3], 0.5)]);
    let force = Vec3::new(0.3, -0.2, 5.0);
    let mut detector = Detector::default();
    let mut previous: Vec<Contact> = Vec::new();
    let said = Said::default();
    for step in 0..=450 {
        scene.motions[1].x = Vec3::new(0.25 + 0.0211 * f64::from(step), 0.5, 1.499);
        scene.place();
        let mut d = detector.detect(&scene.objects, &scene.motions, &previous, &said.rules());
        assert_eq!(d.contacts.len(), 1, "step {step}");
        let c = &mut d.contacts[0];
        if step > 0 {
            assert!((c.base * c.r - force).norm() < 1e-12, "step {step} lost its reaction");
        }
        c.r = c.base.tr_mul(&force);
        c.id = 1;
        previous = d.contacts;
    }
    assert_eq!(previous[0].key.objects, [ObjectIndex(9), ObjectIndex(0)], "the ball has come to the last element");
}

#[test]
fn order_of_creation_swaps_master_and_slave() {
    let (a, b) = (cube([0.0; 3]), cube([0.3, 0.2, 0.95]));
    let one = detect(&Scene::new([a.clone(), b.clone()]));
    let two = detect(&Scene::new([b, a]));
    let (c, d) = (&one.contacts[0], &two.contacts[0]);
    assert_eq!((c.slave.body, c.master.body), (BodyIndex(0), BodyIndex(1)));
    assert_eq!((d.slave.body, d.master.body), (BodyIndex(0), BodyIndex(1)));
    assert!((c.base.column(2) + d.base.column(2)).norm() < 1e-12);
    assert!((c.master.point - d.master.point).norm() < 1e-12);
    assert_near(c.gap, d.gap, 1e-12);
    assert_near(c.area, d.area, 1e-12);
    assert_eq!([c.master.surf, c.slave.surf], [d.slave.surf, d.master.surf]);
}

#[test]
fn sparsification_of_stacked_plates() {
    for n in 1..=3 {
        let d = detect(&plates(n, n as f64, 0.0));
        assert_eq!(d.statistics.pairs_tested, (3 * n - 2) * (3 * n - 2));
        assert_eq!(d.contacts.len(), n * n);
        for c in &d.contacts {
            assert_near(c.area, 1.0, 1e-9);
        }
    }
}

#[test]
fn sparsification_with_threshold_zero() {
    let scene = plates(2, 2.0, 0.0);
    let d = Said::threshold(0.0).detect(&scene, &[]);
    assert_eq!(d.statistics.pairs_tested, 16);
    assert_eq!(d.contacts.len(), 4);
    // one each remains of the coincident pairs of edge contacts and of the four vertex contacts
    let original = Said { compat: true, ..Said::threshold(0.0) };
    let d = original.detect(&scene, &[]);
    assert_eq!(d.statistics.sparsified, 16 - 9);
    assert_eq!(d.contacts.len(), 4 + 4 + 1);
}

#[test]
fn sparsification_of_a_stack() {
    let mut scene = Scene::empty();
    scene.add(true, false, &[brick([0.0, 0.0, -1.0], [1.0, 1.0, 0.0], [1, 1, 1], [0; 6])]);
    for k in 0..5 {
        let z = f64::from(k);
        scene.add(false, false, &[brick([0.0, 0.0, z], [1.0, 1.0, z + 1.0], [2, 2, 2], [0; 6])]);
    }
    let d = detect(&scene.placed());
    assert_eq!(d.contacts.len(), 20);
    let lowest = d.contacts.iter().filter(|c| c.key.bodies == [BodyId(1), BodyId(2)]).count();
    assert_eq!(lowest, 4);
}

#[test]
fn sparsification_of_shifted_plates() {
    let scene = plates(2, 2.0, 0.3);
    let all = areas(&detect(&scene));
    let expected = [0.49, 0.49, 0.49, 0.49, 0.21, 0.21, 0.21, 0.21, 0.09];
    assert_eq!(all.len(), 9);
    for (a, e) in all.iter().zip(expected) {
        assert_near(*a, e, 1e-9);
    }
    let large = areas(&Said::threshold(0.5).detect(&scene, &[]));
    assert_eq!(large.len(), 4);
    assert_near(large[3], 0.49, 1e-9);
}

#[test]
fn sparsification_of_an_arch() {
    let scene = arch();
    let mut said = Said::threshold(0.005);
    said.settings.epsilon = 1e-4;
    said.settings.sparsify.mindist = 1e-4;
    let d = said.detect(&scene, &[]);
    assert_eq!(d.contacts.len(), 168);
    let a = areas(&d);
    assert_near(a[167] / a[0], 0.0263, 1e-4);
    said.settings.sparsify.threshold = 0.05;
    assert_eq!(said.detect(&scene, &[]).contacts.len(), 56);
}

#[test]
fn small_areas_are_dropped() {
    let mut said = Said::default();
    said.settings.sparsify.minarea = 0.3;
    assert_eq!(said.detect(&plates(2, 1.0, 0.0), &[]).contacts.len(), 0);
    said.settings.sparsify.minarea = 0.2;
    assert_eq!(said.detect(&plates(2, 1.0, 0.0), &[]).contacts.len(), 4);
}

#[test]
fn coincident_points_of_different_pairs_stay() {
    let scene = Scene::new([ball([0.0; 3], 1.0), ball([2.0, 0.0, 0.0], 1.0), ball([2.0, 0.0, 0.0], 1.0)]);
    let said = Said { excluded: Exclusions::new(&[[3, 2]], &[]), ..Said::default() };
    let d = said.detect(&scene, &[]);
    assert_eq!(d.contacts.len(), 2);
    assert!((d.contacts[0].master.point - d.contacts[1].master.point).norm() < EPS);
}

/// The times are those of benches/broad.rs.
#[test]
fn sparsification_of_large_plates() {
    let d = detect(&plates(100, 100.0, 0.0));
    assert_eq!(d.statistics.pairs_tested, 298 * 298);
    assert_eq!(d.contacts.len(), 10_000);
}

fn material(surf: [i32; 2], friction: f64) -> SurfaceMaterial {
    SurfaceMaterial { surf, friction, ..SurfaceMaterial::default() }
}

#[test]
fn surface_pair_by_surface_and_default() {
    let block = |z: f64, id: i32| brick([0.0, 0.0, z], [1.0, 1.0, z + 1.0], [1, 1, 1], [id; 6]);
    let scene = Scene::new([block(0.0, 0), block(1.0, 2), block(2.0, 60)]);
    let (any, sixty) = (material([ANY, ANY], 0.5), material([60, ANY], 0.0));
    for materials in [vec![any.clone(), sixty.clone()], vec![sixty, any]] {
        let said = Said { materials, ..Said::default() };
        let d = said.detect(&scene, &[]);
        let frictions: Vec<f64> = d.contacts.iter().map(|c| said.materials[c.material as usize].friction).collect();
        assert_eq!(frictions, [0.5, 0.0]);
        assert!(d.ambiguous.is_empty());
    }
}

#[test]
fn precedence_of_surface_pairs() {
    let table = [material([ANY, ANY], 0.0), material([1, 2], 0.12), material([1, ANY], 0.1), material([2, ANY], 0.2)];
    let row = |p, q| solfec::material::lookup(&table, p, q).0;
    assert_eq!([row(2, 1), row(1, 3), row(3, 2), row(3, 4)], [1, 2, 3, 0]);
}

#[test]
fn surface_pair_of_two_single_entries() {
    let said = Said {
        materials: vec![material([ANY, ANY], 0.0), material([1, ANY], 0.1), material([2, ANY], 0.2)],
        ..Said::default()
    };
    let block = |z: f64, id: i32| brick([0.0, 0.0, z], [1.0, 1.0, z + 1.0], [1, 1, 1], [id; 6]);
    for ids in [[1, 2], [2, 1]] {
        let scene = Scene::new([block(0.0, ids[0]), block(1.0, ids[1])]);
        let d = said.detect(&scene, &[]);
        assert_eq!(d.contacts[0].material, 1);
        assert_eq!(d.ambiguous, [[1, 2]]);
    }
}

fn cohesive(bonding: bool) -> Said {
    Said {
        materials: vec![SurfaceMaterial { cohesion: 5e5, ..SurfaceMaterial::default() }],
        bonding,
        ..Said::default()
    }
}

#[test]
fn only_contacts_of_time_zero_bond() {
    let scene = Scene::new([cube([0.0; 3]), cube([0.0, 0.0, 1.0])]);
    let strength = |bonding| cohesive(bonding).detect(&scene, &[]).contacts[0].cohesion;
    assert_near(strength(true), 5e5, 1e-3);
    assert_eq!(strength(false), 0.0);
}

/// A contact names the row of its material, so a change in place acts at once.
#[test]
fn contacts_name_the_row_of_their_material() {
    let scene = Scene::new([cube([0.0; 3]), cube([0.0, 0.0, 1.0])]);
    let mut said = Said { materials: vec![material([ANY, ANY], 0.5)], ..Said::default() };
    let first = said.detect(&scene, &[]).contacts;
    said.materials[0].friction = 0.25;
    let next = said.detect(&scene, &first).contacts;
    assert_eq!(said.materials[next[0].material as usize].friction, 0.25);
}

fn overlapping() -> Scene {
    Scene::new([cube([0.0; 3]), cube([0.0, 0.0, 0.9])])
}

#[test]
fn the_deepest_contact_is_told_from_the_allowed_depth_on() {
    let mut said = Said::default();
    said.settings.penetration_depth = 0.05;
    let broken = said.detect(&overlapping(), &[]).penetration.expect("too deep");
    assert_eq!(broken.key.bodies, [BodyId(1), BodyId(2)]);
    assert_near(broken.gap, -0.1, 1e-12);
    said.settings.penetration_depth = 0.2;
    assert_eq!(said.detect(&overlapping(), &[]).penetration, None);
}

#[test]
fn excluded_surfaces_are_never_too_deep() {
    let mut said = Said { excluded: Exclusions::new(&[], &[[6, 1]]), ..Said::default() };
    said.settings.penetration_depth = 0.05;
    let d = said.detect(&overlapping(), &[]);
    assert_eq!(d.penetration, None);
    assert!(d.contacts.is_empty());
}

#[test]
fn exclusions_end_contacts() {
    let scene = overlapping();
    let before = detect(&scene).contacts;
    assert_eq!(before.len(), 1);
    for excluded in [Exclusions::new(&[[2, 1]], &[]), Exclusions::new(&[], &[[1, 6]])] {
        let said = Said { excluded, ..Said::default() };
        assert!(said.detect(&scene, &before).contacts.is_empty());
    }
}

/// Of two beams of two elements each, one on the other, one pair of elements is excluded: its contact ends, also a
/// cohesive one, and that of the other pair stays. The order in which a pair is named does not matter.
#[test]
fn excluded_objects_do_not_touch() {
    let beam = |z: f64| brick([0.0, 0.0, z], [2.0, 1.0, z + 1.0], [2, 1, 1], [1; 6]);
    let scene = Scene::new([beam(0.0), beam(1.0)]);
    let pairs = |contacts: &[Contact]| contacts.iter().map(|c| c.key.objects.map(|o| o.0)).collect::<Vec<_>>();
    for (points, bond) in [(1, false), (4, false), (1, true)] {
        let mut said = if bond { cohesive(true) } else { Said::default() };
        said.settings.sparsify.threshold = 0.0;
        said.settings.contact_points = points;
        let before = said.detect(&scene, &[]).contacts;
        assert!(pairs(&before).contains(&[1, 1]), "{:?}", pairs(&before));
        said.bonding = false;
        for pair in [[1, 1, 2, 1], [2, 1, 1, 1]] {
            said.excluded = Exclusions::default().with_parts(&[pair, [1, 7, 2, 9]]);
            for previous in [&before[..], &[]] {
                let left = pairs(&said.detect(&scene, previous).contacts);
                assert!(!left.contains(&[1, 1]) && left.contains(&[0, 0]), "{left:?}");
            }
        }
    }
}

#[test]
fn cohesive_contacts_stay_when_their_surfaces_part() {
    let mut scene = Scene::new([cube([0.0; 3]), cube([0.0, 0.0, 1.0])]);
    let mut bonded = cohesive(true).detect(&scene, &[]).contacts;
    bonded[0].id = 7;
    bonded[0].r = Vec3::new(1.0, 2.0, -3.0);
    // the pair turns by a right angle about x while it parts
    let turn = rotation([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_2);
    for (m, z) in scene.motions.iter_mut().zip([0.0, 3.0]) {
        m.f = turn;
        m.x = turn * Vec3::new(0.0, 0.0, z);
    }
    scene.place();
    let d = cohesive(false).detect(&scene, &bonded);
    let c = &d.contacts[0];
    assert_eq!((c.id, c.cohesion), (7, bonded[0].cohesion));
    assert!((c.base.column(2) - turn * Vec3::z()).norm() < 1e-12);
    assert_near(c.gap, 3.0, 1e-12);
    assert!((c.master.reference - bonded[0].master.reference).norm() < 1e-12);
    assert!((c.base * c.r - bonded[0].base * bonded[0].r).norm() < 1e-12);
    // and an ordinary one ends
    let mut plain = bonded.clone();
    plain[0].cohesion = 0.0;
    assert!(cohesive(false).detect(&scene, &plain).contacts.is_empty());
}

#[test]
fn existing_contacts_are_exempt_from_sparsification_but_suppress() {
    let (before, after) = (plates(2, 2.0, 0.3), Said::threshold(0.5));
    let old = detect(&before).contacts;
    assert_eq!(after.detect(&before, &old).contacts.len(), 9);
    let largest: Vec<Contact> = old.into_iter().filter(|c| c.area > 0.4).collect();
    assert_eq!(after.detect(&before, &largest[..1]).contacts.len(), 4);
}

#[test]
fn a_kept_contact_keeps_its_reaction_in_space_when_the_base_turns() {
    let mut scene = overlapping();
    let mut old = detect(&scene).contacts;
    old[0].r = Vec3::new(1.0, 2.0, 3.0);
    let turn = rotation([0.3, 1.0, 0.2], 0.4);
    scene.motions.iter_mut().for_each(|m| m.f = turn);
    scene.place();
    let new = detect_from(&scene, &old);
    assert!((new[0].base * new[0].r - old[0].base * old[0].r).norm() < 1e-12);
    assert!((new[0].base - old[0].base).norm() > 0.1);
}

fn detect_from(scene: &Scene, previous: &[Contact]) -> Vec<Contact> {
    Said::default().detect(scene, previous).contacts
}

#[test]
fn a_change_of_surfaces_looks_the_material_up_again() {
    let said = Said { materials: vec![material([ANY, ANY], 0.0), material([4, ANY], 0.4)], ..Said::default() };
    // a ball rolls over the edge from the top (6) to the side x = 1 (4)
    let mut scene = Scene::new([cube([0.0; 3]), ball([0.0; 3], 0.5)]);
    scene.motions[1].x = Vec3::new(0.5, 0.5, 1.499);
    scene.place();
    let top = said.detect(&scene, &[]).contacts;
    assert_eq!((top[0].slave.surf, top[0].material), (6, 0));
    scene.motions[1].x = Vec3::new(1.499, 0.5, 0.5);
    scene.place();
    let side = said.detect(&scene, &top).contacts;
    assert_eq!((side[0].slave.surf, side[0].material), (4, 1));
}

#[test]
fn references_are_the_points_that_move_to_the_contact() {
    let scene = heap(3, 60);
    let d = detect(&scene);
    assert!(d.contacts.len() > 50);
    for side in d.contacts.iter().flat_map(|c| [&c.master, &c.slave]) {
        let moved = scene.motions[side.body.index()].point(&side.reference);
        assert!((moved - side.point).norm() < 1e-12);
    }
}

#[test]
fn pseudo_rigid_bodies_carry_normals_by_the_cofactor() {
    let mut scene = overlapping();
    let f = Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 1.0);
    scene.motions.iter_mut().for_each(|m| m.f = f);
    scene.place();
    let c = detect(&scene).contacts[0];
    // planes z = z0 shear to z = z0 + x/2
    let n = Vec3::new(-0.5, 0.0, 1.0).normalize();
    assert!((c.base.column(2) - n).norm() < 1e-9, "{}", c.base.column(2));
}

#[test]
fn the_shortcut_changes_no_bit() {
    let mut scenes: Vec<Scene> = (0..8).map(|k| heap(k, 80)).collect();
    scenes.extend([arch(), plates(7, 7.0, 0.3), plates(5, 5.0, 0.0)]);
    for (threshold, minarea) in [(0.0, 0.0), (0.01, 0.0), (0.3, 0.0), (1.0, 0.0), (0.01, 0.02), (0.0, 0.3)] {
        let mut said = Said::threshold(threshold);
        said.settings.sparsify.minarea = minarea;
        let full = || {
            let mut detector = Detector::default();
            detector.shortcut = false;
            detector
        };
        let mut spared = 0;
        for scene in &scenes {
            let exact = full().detect(&scene.objects, &scene.motions, &[], &said.rules());
            let quick = Detector::default().detect(&scene.objects, &scene.motions, &[], &said.rules());
            assert!(exact.contacts == quick.contacts);
            // a part of the contacts exists already
            let old: Vec<Contact> = exact.contacts.iter().step_by(3).copied().collect();
            let exact = full().detect(&scene.objects, &scene.motions, &old, &said.rules());
            let quick = Detector::default().detect(&scene.objects, &scene.motions, &old, &said.rules());
            assert!(exact.contacts == quick.contacts);
            assert_eq!(exact.statistics.spared, 0);
            spared += quick.statistics.spared;
        }
        assert!(spared > 100, "threshold {threshold}: only {spared} pairs were spared");
    }
}

#[test]
fn threads_change_no_bit() {
    let said = Said::default();
    let (before, after) = (heap(11, 300), heap(12, 300));
    let run = || {
        let mut detector = Detector::default();
        let first = detector.detect(&before.objects, &before.motions, &[], &said.rules());
        let second = detector.detect(&after.objects, &after.motions, &first.contacts, &said.rules());
        (first, second)
    };
    let one = with_threads(1, run);
    assert!(one == with_threads(2, run));
    assert!(one == with_threads(7, run));
    assert!(one.0.contacts.windows(2).all(|w| w[0].key < w[1].key));
}

#[test]
fn removed_bodies_take_their_contacts_along() {
    let mut scene = Scene::new((0..4).map(|k| cube([0.0, 0.0, f64::from(k)])));
    let mut before = detect(&scene).contacts;
    assert_eq!(before.len(), 3);
    before.iter_mut().for_each(|c| c.r = Vec3::z());
    scene.objects.retain(&[false, true, true, true]);
    scene.motions.remove(0);
    scene.place();
    let after = detect_from(&scene, &before);
    let fresh = detect(&scene).contacts;
    assert_eq!(after.len(), 2);
    for (a, f) in after.iter().zip(&fresh) {
        assert_eq!(a.r, Vec3::z());
        assert_eq!((a.key, a.master, a.slave, a.gap), (f.key, f.master, f.slave, f.gap));
    }
}

/// One heap twice, its bodies created in opposite orders. Sparsification is off, since its ties are decided by key.
#[test]
fn the_order_of_creation_only_swaps_master_and_slave() {
    let forth = heap(21, 120);
    let count = forth.objects.bodies();
    let mut back = heap_reversed(21, 120);
    back.place();
    let mut said = Said::threshold(0.0);
    said.settings.sparsify.mindist = 0.0;
    let (one, two) = (said.detect(&forth, &[]), said.detect(&back, &[]));
    assert!(one.contacts.len() > 300);
    assert_eq!(one.contacts.len(), two.contacts.len());
    let mirrored = |body: BodyIndex| BodyIndex(count as u32 - 1 - body.0);
    for c in &one.contacts {
        let ends = |c: &Contact| [(c.master.body, c.master.object), (c.slave.body, c.slave.object)];
        let there = ends(c).map(|(body, object)| (mirrored(body), object));
        let twin = |d: &&Contact| ends(d) == there || ends(d) == [there[1], there[0]];
        let d = two.contacts.iter().find(twin).expect("the same pair touches");
        let flipped = ends(d) != there;
        assert_eq!(flipped, scene_solids(&forth, c), "polyhedra take the lower id, others are fixed by kind and place");
        let sign = if flipped { -1.0 } else { 1.0 };
        assert!((c.base.column(2) - sign * d.base.column(2)).norm() < 1e-9);
        assert_near(c.gap, d.gap, 1e-9);
        assert_near(c.area, d.area, 1e-9);
        let twin_of_master = if flipped { d.slave.point } else { d.master.point };
        assert!((c.master.point - twin_of_master).norm() < 1e-9);
    }
}

/// One heap twice with the same ids, its bodies in the opposite order of rows: neither keys nor bits differ.
#[test]
fn the_order_of_rows_does_not_matter() {
    let (shapes, motions) = heap_parts(21, 120);
    let forth = heap(21, 120);
    let mut back = Scene::empty();
    for (k, (parts, motion)) in shapes.into_iter().zip(motions).enumerate().rev() {
        back.objects.insert(BodyId(k as u64 + 1), k == 0, false, &[parts], EPS).expect("ids differ");
        back.motions.push(motion);
    }
    back.place();
    let said = Said::threshold(0.01);
    let (one, mut two) = (said.detect(&forth, &[]), said.detect(&back, &[]));
    assert!(one.contacts.len() > 100);
    let mirrored = |body: BodyIndex| BodyIndex(back.objects.bodies() as u32 - 1 - body.0);
    for c in &mut two.contacts {
        (c.master.body, c.slave.body) = (mirrored(c.master.body), mirrored(c.slave.body));
    }
    assert_eq!(one.contacts, two.contacts);
    let again = said.detect(&back, &said.detect(&back, &[]).contacts);
    assert_eq!(again.contacts.len(), one.contacts.len());
    assert!(again.contacts.iter().zip(&one.contacts).all(|(a, b)| (a.key, a.gap) == (b.key, b.gap)));
}

/// The bodies of `heap` inserted from the last to the first.
fn heap_reversed(seed: u64, bodies: usize) -> Scene {
    let (shapes, motions) = heap_parts(seed, bodies);
    let mut scene = Scene::empty();
    for (k, (parts, motion)) in shapes.into_iter().zip(motions).enumerate().rev() {
        scene.add(k == 0, false, &[parts]);
        if let Some(m) = scene.motions.last_mut() {
            *m = motion;
        }
    }
    scene
}

fn scene_solids(scene: &Scene, c: &Contact) -> bool {
    let solid = |s: &solfec::contact::Side| scene.objects.kind(s.body, s.object) != PartKind::Ball;
    solid(&c.master) && solid(&c.slave)
}

/// A row of three elements slides by more than one under a cube; the reaction moves on to the next element, once, and
/// not farther than half the diagonal of the smaller box.
#[test]
fn an_ended_contact_leaves_its_reaction_to_the_nearest_new_one() {
    let strip = brick([0.0; 3], [3.0, 1.0, 1.0], [3, 1, 1], [0; 6]);
    let mut scene = Scene::new([strip, brick([0.0, 0.0, 1.0], [1.0, 1.0, 2.0], [1, 1, 1], [0; 6])]);
    let mut old = detect(&scene).contacts;
    assert_eq!(old.len(), 1);
    old[0].r = Vec3::new(0.1, 0.2, 3.0);
    // two new contacts, at distances 1.15 and 1.65; half the diagonal of a cube is 0.866
    scene.motions[1].x = Vec3::new(1.3, 0.0, 0.0);
    scene.place();
    let far = detect_from(&scene, &old);
    assert_eq!(far.len(), 2);
    assert!(far.iter().all(|c| c.r == Vec3::zeros()));
    // the same contacts, at distances 0.35 and 0.85: the nearer one inherits
    old[0].master.point.x += 0.8;
    let near = detect_from(&scene, &old);
    assert!((near[0].base * near[0].r - old[0].base * old[0].r).norm() < 1e-12);
    assert_eq!(near[1].r, Vec3::zeros());
}

#[test]
fn a_body_is_outside_the_extents_when_its_box_is_strictly_beyond() {
    let extents = [-20.0, -20.0, -10.0, 20.0, 20.0, 20.0];
    for (z, out) in [(-11.0 - 10.9 * EPS, false), (-11.0 - 11.1 * EPS, true), (-10.5, false), (0.0, false)] {
        let scene = Scene::new([ball([0.0, 0.0, z], 1.0)]);
        assert_eq!(scene.objects.outside(BodyIndex(0), &extents, EPS), out, "z = {z}");
    }
}

#[test]
fn a_body_turned_inside_out_is_an_error() {
    let mut scene = Scene::new([cube([0.0; 3])]);
    scene.motions[0].f[(0, 0)] = -1.0;
    let error = scene.objects.place(&scene.motions, EPS);
    assert!(error.is_err_and(|e| e.to_string().contains("body 1")));
}
