//! Polyhedra and curved shapes split by planes.

use solfec::meshing::split_convexes;
use solfec::shape::{Convex, Ellipsoid};

use crate::*;

const TOLERANCE: f64 = 1e-14;

fn cube(low: [f64; 3], surfid: i32) -> Convex {
    let corner = |k: u32| Vec3::from(low) + Vec3::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    let corners: Vec<Vec3> = (0..8).map(corner).collect();
    Convex::hull(&corners, 4, surfid).unwrap()
}

fn total(groups: &[Vec<Convex>]) -> f64 {
    groups.iter().flatten().map(|convex| convex.integrals().volume).sum()
}

/// Faces with a surface id, and whether all of them lie on a plane.
fn cut(convex: &Convex, surfid: i32, split: &Split) -> usize {
    let faces = convex.faces.iter().filter(|face| face.surfid == surfid);
    let on = |face: &solfec::shape::Face| {
        face.nodes.iter().all(|v| split.plane.height(&convex.vertices[*v as usize]).abs() <= split.epsilon)
    };
    faces.inspect(|face| assert!(on(face))).count()
}

#[test]
fn a_cube_is_halved() {
    let split = split([0.0, 0.0, 0.5], [0.0, 0.0, 1.0]);
    let halves = split_convexes(&[cube([0.0; 3], 7)], &split).unwrap();
    let (below, above) = (&halves.below[0][0], &halves.above[0][0]);
    for (part, id) in [(below, 20), (above, 30)] {
        assert!((part.integrals().volume - 0.5).abs() < TOLERANCE);
        assert_eq!((part.faces.len(), part.vertices.len(), part.volid, cut(part, id, &split)), (6, 8, 4, 1));
        assert_eq!(part.faces.iter().filter(|face| face.surfid == 7).count(), 5);
    }
    assert!(below.vertices.iter().all(|x| x.z <= 0.5) && above.vertices.iter().all(|x| x.z >= 0.5));
}

/// Planes through faces, edges and corners, and anywhere.
#[test]
fn parts_of_a_cube_have_its_volume() {
    for k in 0..200 {
        let angle = |a: f64| (f64::from(k) * a).sin();
        let normal = if k < 20 {
            [[1., 1., 0.], [1., 1., 1.], [0., 1., 0.], [1., 0., 1.]][k as usize % 4]
        } else {
            [angle(0.7), angle(1.1), angle(1.7)]
        };
        let point = if k < 20 {
            [[0.5; 3], [1.0, 0.0, 0.0], [1.0; 3]][k as usize % 3]
        } else {
            [0.5 + 0.5 * angle(2.3), 0.5 + 0.5 * angle(3.1), 0.5]
        };
        let split = split(point, normal);
        let halves = split_convexes(&[cube([0.0; 3], 7)], &split).unwrap();
        assert!((total(&halves.below) + total(&halves.above) - 1.0).abs() < TOLERANCE, "plane {k}");
        for (parts, id) in [(&halves.below, 20), (&halves.above, 30)] {
            for part in parts.iter().flatten() {
                Convex::new(part.vertices.clone(), part.faces.clone(), 0, 1e-6).unwrap();
                let whole = halves.below.is_empty() || halves.above.is_empty();
                assert_eq!(cut(part, id, &split), usize::from(!whole), "plane {k}");
            }
        }
    }
}

#[test]
fn thin_slices_go_with_the_rest() {
    let halves = split_convexes(&[cube([0.0; 3], 7)], &split([0.0, 0.0, 1.5e-6], [0.0, 0.0, 1.0])).unwrap();
    assert_eq!((halves.below.len(), halves.above.len()), (0, 1));
    assert_eq!(halves.above[0], [cube([0.0; 3], 7)]);
}

/// A row of three cubes and one far away: parts that do not touch are collections of their own.
#[test]
fn parts_of_a_collection_are_those_that_touch() {
    let row = [cube([0.0; 3], 1), cube([1.0, 0.0, 0.0], 1), cube([2.0, 0.0, 0.0], 1), cube([9.0, 0.0, 0.0], 1)];
    let halves = split_convexes(&row, &split([1.5, 0.0, 0.0], [1.0, 0.0, 0.0])).unwrap();
    let counts = |groups: &[Vec<Convex>]| groups.iter().map(Vec::len).collect::<Vec<usize>>();
    assert_eq!((counts(&halves.below), counts(&halves.above)), (vec![2], vec![2, 1]));
    // Near a point of the far one only that is cut, and nothing is put above.
    let near = Split { near: Some(Vec3::new(9.5, 0.5, 0.3)), ..split([0.0, 0.0, 0.3], [0.0, 0.0, 1.0]) };
    let halves = split_convexes(&row, &near).unwrap();
    assert_eq!((counts(&halves.below), counts(&halves.above)), (vec![3, 2], vec![]));
    let lost = Split { near: Some(Vec3::new(5.0, 0.5, 0.3)), ..near };
    assert!(split_convexes(&row, &lost)
        .unwrap_err()
        .to_string()
        .contains("is farther from the cut than 10 times epsilon"));
}

/// A polyhedron takes the place of an ellipsoid: same volume, same centre, near its surface; the caps of a ball have the
/// volumes π h² (3 r − h) / 3 to the accuracy of 320 triangles.
#[test]
fn a_ball_is_cut_as_a_polyhedron() {
    let exact = |h: f64| std::f64::consts::PI * h * h * (3.0 - h) / 3.0;
    let ball = Ellipsoid::new(Vec3::zeros(), Vec3::repeat(1.0), 1, 2).unwrap();
    let stone = ball.polyhedron().unwrap();
    assert!((stone.integrals().volume / exact(2.0) - 1.0).abs() < TOLERANCE);
    assert!(stone.vertices.iter().all(|x| (1.0..1.02).contains(&x.norm())));
    let halves = split_convexes(&[stone], &split([0.0, 0.0, 0.4], [0.0, 0.0, 1.0])).unwrap();
    let (below, above) = (total(&halves.below), total(&halves.above));
    assert!((below + above - exact(2.0)).abs() < 1e-13);
    assert!((above / exact(0.6) - 1.0).abs() < 0.02, "{above} {}", exact(0.6));
}
