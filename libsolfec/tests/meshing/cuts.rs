//! Meshes split by planes.

use solfec::meshing::{separate, split_mesh, Halves, Opening};
use solfec::shape::{Element, ElementKind, RawMesh};

use crate::*;

const TOLERANCE: f64 = 1e-14;

/// Parts that are valid meshes, on their sides of the plane, with the volume of the whole and equal cuts.
fn check(mesh: &Mesh, split: &Split, halves: &Halves<Mesh>) -> f64 {
    let off = |mesh: &Mesh, sign: f64| {
        let heights =
            mesh.elements.iter().flat_map(|e| e.nodes()).map(|n| split.plane.height(&mesh.nodes[*n as usize]));
        heights.fold(f64::NEG_INFINITY, |most, h| most.max(sign * h))
    };
    for part in halves.below.iter().chain(&halves.above) {
        RawMesh::from(part).mesh().unwrap();
    }
    assert!(halves.below.iter().all(|m| off(m, 1.0) <= split.epsilon));
    assert!(halves.above.iter().all(|m| off(m, -1.0) <= split.epsilon));
    let whole = volume(mesh);
    assert!((volumes(&halves.below) + volumes(&halves.above) - whole).abs() < TOLERANCE * whole);
    let cut = |meshes: &[Mesh], id: i32| meshes.iter().map(|m| area(m, id)).sum::<f64>();
    let (low, high) = (cut(&halves.below, 20), cut(&halves.above, 30));
    assert!((low - high).abs() < 1e-12, "{low} {high}");
    low
}

#[test]
fn a_plane_along_faces_keeps_the_elements() {
    let mesh = block([2, 2, 2]);
    let split = Split { remesh: false, ..split([0.0, 0.0, 0.5], [0.0, 0.0, 3.0]) };
    let halves = split_mesh(&mesh, &split).unwrap().unwrap();
    assert!((check(&mesh, &split, &halves) - 1.0).abs() < TOLERANCE);
    for (part, id) in [(&halves.below, 20), (&halves.above, 30)] {
        let [one] = &part[..] else { panic!("{} parts", part.len()) };
        assert!(one.elements.len() == 4 && one.elements.iter().all(|e| e.kind == ElementKind::Hex));
        assert_eq!(one.boundary.iter().filter(|face| face.surfid == id).count(), 4);
        assert!(one.nodes_on_surface(id).iter().all(|n| one.nodes[*n as usize].z == 0.5));
    }
    assert!(halves.below[0].nodes.iter().all(|x| x.z <= 0.5), "below is against the normal");
}

#[test]
fn elements_are_cut_only_if_they_may_be() {
    let mesh = block([2, 2, 2]);
    let split = Split { remesh: false, ..split([0.0, 0.0, 0.4], [0.0, 0.0, 1.0]) };
    let message = split_mesh(&mesh, &split).unwrap_err().to_string();
    assert!(message.contains("the plane cuts element 0"), "{message}");
}

#[test]
fn a_cut_across_the_edges_of_hexahedra_leaves_hexahedra() {
    let mesh = block([3, 2, 4]);
    let split = split([0.5; 3], [1.0, 0.1, -0.2]);
    let halves = split_mesh(&mesh, &split).unwrap().unwrap();
    let exact = 1.05f64.sqrt(); // the normal over its x component
    assert!((check(&mesh, &split, &halves) - exact).abs() < 1e-13);
    let all = || halves.below.iter().chain(&halves.above).flat_map(|m| &m.elements);
    assert!(all().all(|e| e.kind == ElementKind::Hex));
    assert_eq!(all().count(), 24 + 8);
}

/// Planes in all directions: volumes, areas of the cut (a section of the cube) and of the six sides add up.
#[test]
fn any_plane_divides_volume_and_surfaces() {
    let mesh = block([2, 3, 2]);
    for (normal, point) in [
        ([1.0, 1.0, 1.0], [0.5, 0.5, 0.5]),
        ([1.0, -2.0, 0.3], [0.2, 0.4, 0.6]),
        ([0.0, 1.0, 1.0], [0.5, 0.5, 0.5]),
        ([0.2, 0.1, -1.0], [0.3, 0.3, 0.9]),
    ] {
        let split = split(point, normal);
        let halves = split_mesh(&mesh, &split).unwrap().unwrap();
        check(&mesh, &split, &halves);
        for side in 1..=6 {
            let parts = halves.below.iter().chain(&halves.above);
            let sum: f64 = parts.map(|m| area(m, side)).sum();
            assert!((sum - 1.0).abs() < 1e-13, "side {side}: {sum}");
        }
    }
    // Through the centre across the diagonal the section is a regular hexagon of side 1/√2.
    let diagonal = split([0.5; 3], [1.0; 3]);
    let halves = split_mesh(&mesh, &diagonal).unwrap().unwrap();
    let hexagon = 1.5 * 3f64.sqrt() * 0.5;
    assert!((check(&mesh, &diagonal, &halves) - hexagon).abs() < 1e-13);
    assert!((volumes(&halves.below) - 0.5).abs() < TOLERANCE);
}

/// Elements of all kinds, cut in many directions, stay conforming: no face of the parts that was inside becomes outer.
#[test]
fn mixed_meshes_stay_conforming() {
    // A hexahedron, a pyramid on it, and a wedge beside it; a tetrahedron on the pyramid.
    let nodes = [
        [0., 0., 0.],
        [1., 0., 0.],
        [1., 1., 0.],
        [0., 1., 0.],
        [0., 0., 1.],
        [1., 0., 1.],
        [1., 1., 1.],
        [0., 1., 1.],
        [0.5, 0.5, 2.],
        [2., 0., 0.],
        [2., 0., 1.],
        [1.5, 0.0, 2.0],
    ];
    let elements: [(&[u32], i32); 4] =
        [(&[0, 1, 2, 3, 4, 5, 6, 7], 1), (&[4, 5, 6, 7, 8], 2), (&[1, 9, 2, 5, 10, 6], 3), (&[5, 6, 8, 11], 4)];
    let elements = elements.map(|(nodes, volid)| Element::new(nodes, volid).unwrap());
    let (mesh, warnings) = Mesh::new(nodes.map(Vec3::from).to_vec(), elements.to_vec(), 9, &[]).unwrap();
    assert!(warnings.is_empty());
    let skin = |mesh: &Mesh| area(mesh, 9);
    for k in 0..40 {
        let angle = |a: f64| (f64::from(k) * a).sin();
        let split =
            split([0.6 + 0.3 * angle(1.3), 0.5, 0.8 + 0.4 * angle(2.1)], [angle(0.7), angle(1.1), angle(1.7) + 1.2]);
        let halves = split_mesh(&mesh, &split).unwrap().unwrap();
        check(&mesh, &split, &halves);
        let parts = || halves.below.iter().chain(&halves.above);
        let sum: f64 = parts().map(skin).sum();
        assert!((sum - skin(&mesh)).abs() < 1e-12, "plane {k}: {sum} {}", skin(&mesh));
        for volid in 1..=4 {
            let of = |m: &Mesh| {
                let keep: Vec<Element> = m.elements.iter().copied().filter(|e| e.volid == volid).collect();
                if keep.is_empty() {
                    0.0
                } else {
                    volume(&Mesh { elements: keep, ..m.clone() })
                }
            };
            let sum: f64 = parts().map(of).sum();
            assert!((sum - of(&mesh)).abs() < TOLERANCE, "plane {k}, volume {volid}: {sum}");
        }
    }
}

/// Blocks with moved nodes, in random planes: the parts are valid, and lose no more volume than the warped faces hold.
#[test]
fn warped_meshes_are_cut() {
    let mut state = 1_u64;
    let mut noise = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    for case in 0..30 {
        let mut mesh = block([3, 3, 3]);
        mesh.nodes.iter_mut().for_each(|x| *x += Vec3::new(noise(), noise(), noise()) * 0.12);
        let split = split([0.5 + noise(), 0.5 + noise(), 0.5 + noise()], [noise(), noise(), noise()]);
        let halves = split_mesh(&mesh, &split).unwrap().unwrap();
        for part in halves.below.iter().chain(&halves.above) {
            RawMesh::from(part).mesh().unwrap();
        }
        let sum = volumes(&halves.below) + volumes(&halves.above);
        assert!((sum / volume(&mesh) - 1.0).abs() < 0.01, "case {case}: {sum} {}", volume(&mesh));
        let cut = |meshes: &[Mesh], id: i32| meshes.iter().map(|m| area(m, id)).sum::<f64>();
        assert!((cut(&halves.below, 20) - cut(&halves.above, 30)).abs() < 1e-12, "case {case}");
    }
}

#[test]
fn a_plane_beside_a_mesh_leaves_it_whole() {
    let mesh = block([2, 1, 1]);
    let halves = split_mesh(&mesh, &split([2.0, 0.0, 0.0], [1.0, 0.0, 0.0])).unwrap().unwrap();
    assert_eq!((halves.below, halves.above), (vec![mesh.clone()], vec![]));
    let touching = split_mesh(&mesh, &split([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])).unwrap().unwrap();
    assert_eq!((touching.below, touching.above), (vec![], vec![mesh]));
}

/// A plane through the axis of a ring makes two pieces; near a point it opens one of two radial faces only.
#[test]
fn only_the_part_of_the_cut_near_a_point_is_opened() {
    let mesh = ring();
    let whole = split([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let halves = split_mesh(&mesh, &whole).unwrap().unwrap();
    assert_eq!((halves.below.len(), halves.above.len()), (1, 1));
    let notch = Split { near: Some(Vec3::new(1.0, 0.0, 0.0)), ..whole };
    let halves = split_mesh(&mesh, &notch).unwrap().unwrap();
    let [one] = &halves.below[..] else { panic!("{} parts", halves.below.len()) };
    assert!(halves.above.is_empty());
    assert_eq!((one.nodes.len(), one.elements.len()), (36, 8));
    let at = |id: i32| one.nodes_on_surface(id).iter().all(|n| one.nodes[*n as usize].x > 0.4);
    assert!(one.nodes_on_surface(20).len() == 4 && at(20) && one.nodes_on_surface(30).len() == 4 && at(30));
    let far = Split { near: Some(Vec3::new(1.0, 0.1, 0.0)), ..whole };
    assert_eq!(split_mesh(&mesh, &far).unwrap(), None);
    let message = far.far().to_string();
    assert!(message.contains("point (1, 0.1, 0) is farther from the cut than 10 times epsilon"), "{message}");
    // Cutting through elements as well.
    let tilted = Split { near: Some(Vec3::new(1.0, 0.0, 0.5)), ..split([1.0, 0.0, 0.5], [0.1, 1.0, 0.0]) };
    let halves = split_mesh(&mesh, &tilted).unwrap().unwrap();
    assert_eq!((halves.below.len(), halves.above.len()), (1, 0));
    assert!((volumes(&halves.below) - volume(&mesh)).abs() < 1e-13);
    assert!(area(&halves.below[0], 20) > 1.9 && area(&halves.below[0], 30) > 1.9);
}

/// A block with a crack of 2 x 2 faces inside, cut obliquely: faces of the crack have three nodes at its front and one
/// that is doubled, and stay open.
#[test]
fn cracks_inside_stay_open() {
    let mut mesh = block([4, 4, 2]);
    mesh.nodes.iter_mut().for_each(|x| x.component_mul_assign(&Vec3::new(4.0, 4.0, 2.0)));
    let within = |face: &[u32], low: f64| {
        let in_square = |x: &Vec3| [x.x, x.y].iter().all(|t| (low..=low + 2.0).contains(t));
        face.iter().map(|n| &mesh.nodes[*n as usize]).all(|x| x.z == 1.0 && in_square(x))
    };
    for low in [0.0, 1.0, 2.0] {
        let faces = mesh.inner_faces().into_iter().filter(|face| within(face, low));
        let faces: Vec<Opening> = faces.map(|nodes| Opening { nodes, surfids: [21, 22] }).collect();
        let cracked = &separate(&mesh, &faces).unwrap()[..];
        let [cracked] = cracked else { panic!("{} meshes", cracked.len()) };
        assert_eq!((faces.len(), area(cracked, 21), area(cracked, 22)), (4, 4.0, 4.0));
        for (point, normal) in [
            ([2.5, 2.4, 1.0], [1.0, 0.9, 0.3]),
            ([2.2, 0.0, 0.0], [1.0, 0.05, 0.0]),
            ([1.5, 1.5, 0.0], [1.0, 1.0, 0.2]),
            ([1.5, 1.5, 1.0], [1.0, 1.0, 1.0]),
            ([1.3, 2.6, 1.0], [-1.0, 1.1, 0.7]),
            ([2.7, 1.4, 1.0], [1.0, -0.8, -0.4]),
        ] {
            let split = split(point, normal);
            let halves = split_mesh(cracked, &split).unwrap().unwrap();
            check(cracked, &split, &halves);
            for side in [21, 22] {
                let sum: f64 = halves.below.iter().chain(&halves.above).map(|m| area(m, side)).sum();
                assert!((sum - 4.0).abs() < 1e-12, "crack at {low}, plane {point:?}, side {side}: {sum}");
            }
        }
    }
}

/// A fork: above the plane there are two prongs.
#[test]
fn a_side_in_several_pieces_gives_several_meshes() {
    let mesh = block([3, 1, 2]);
    let keep: Vec<Element> = mesh.elements.iter().enumerate().filter(|(e, _)| *e != 4).map(|(_, e)| *e).collect();
    let faces: Vec<(Vec<u32>, i32)> = RawMesh::from(&mesh).faces;
    let (fork, _) = Mesh::new(mesh.nodes.clone(), keep, 8, &faces).unwrap();
    let halves = split_mesh(&fork, &split([0.0, 0.0, 0.7], [0.0, 0.0, 1.0])).unwrap().unwrap();
    assert_eq!((halves.below.len(), halves.above.len()), (1, 2));
    assert!(halves
        .above
        .iter()
        .all(|m| (volume(m) - 0.1).abs() < TOLERANCE && (area(m, 30) - 1.0 / 3.0).abs() < 1e-13));
}
