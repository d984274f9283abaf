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
    let halves = split_convexes(&[cube([0.0; 3], 7)], &split).unwrap().unwrap();
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
        let halves = split_convexes(&[cube([0.0; 3], 7)], &split).unwrap().unwrap();
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
    let halves = split_convexes(&[cube([0.0; 3], 7)], &split([0.0, 0.0, 1.5e-6], [0.0, 0.0, 1.0])).unwrap().unwrap();
    assert_eq!((halves.below.len(), halves.above.len()), (0, 1));
    assert_eq!(halves.above[0], [cube([0.0; 3], 7)]);
}

/// A row of three cubes and one far away: parts that do not touch are collections of their own.
#[test]
fn parts_of_a_collection_are_those_that_touch() {
    let row = [cube([0.0; 3], 1), cube([1.0, 0.0, 0.0], 1), cube([2.0, 0.0, 0.0], 1), cube([9.0, 0.0, 0.0], 1)];
    let halves = split_convexes(&row, &split([1.5, 0.0, 0.0], [1.0, 0.0, 0.0])).unwrap().unwrap();
    let counts = |groups: &[Vec<Convex>]| groups.iter().map(Vec::len).collect::<Vec<usize>>();
    assert_eq!((counts(&halves.below), counts(&halves.above)), (vec![2], vec![2, 1]));
    // Near a point of the far one only that is cut, and nothing is put above.
    let near = Split { near: Some(Vec3::new(9.5, 0.5, 0.3)), ..split([0.0, 0.0, 0.3], [0.0, 0.0, 1.0]) };
    let halves = split_convexes(&row, &near).unwrap().unwrap();
    assert_eq!((counts(&halves.below), counts(&halves.above)), (vec![3, 1, 1], vec![]));
    let lost = Split { near: Some(Vec3::new(5.0, 0.5, 0.3)), ..near };
    assert_eq!(split_convexes(&row, &lost).unwrap(), None);
    assert!(lost.far().to_string().contains("point (5, 0.5, 0.3) is farther from the cut than 10 times epsilon"));
}

fn brick(low: [f64; 3], size: [f64; 3]) -> Convex {
    let corner = |k: u32| Vec3::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from)).component_mul(&Vec3::from(size));
    let corners: Vec<Vec3> = (0..8).map(|k| Vec3::from(low) + corner(k)).collect();
    Convex::hull(&corners, 4, 1).unwrap()
}

/// Two towers on one base; the plane is at an interface of both, of one, of none of them, or at the top of the base.
/// The cut at the tower of the point is opened, whether it runs along faces of polyhedra or through them.
#[test]
fn cuts_along_interfaces_are_opened_near_a_point() {
    let base = brick([0.0; 3], [5.0, 1.0, 1.0]);
    let stacked = |x: f64| vec![brick([x, 0.0, 1.0], [1.0; 3]), brick([x, 0.0, 2.0], [1.0; 3])];
    let single = |x: f64| vec![brick([x, 0.0, 1.0], [1.0, 1.0, 2.0])];
    let centers = |groups: &[Vec<Convex>]| {
        let center = |group: &Vec<Convex>| {
            let sum: Vec3 = group.iter().map(|c| c.integrals().center * c.integrals().volume).sum();
            sum / total(std::slice::from_ref(group))
        };
        groups.iter().map(center).collect::<Vec<Vec3>>()
    };
    let towers: [[Vec<Convex>; 2]; 4] = [
        [stacked(0.0), stacked(4.0)],
        [single(0.0), stacked(4.0)],
        [stacked(0.0), single(4.0)],
        [single(0.0), single(4.0)],
    ];
    for (case, two) in towers.iter().enumerate() {
        let all = [vec![base.clone()], two.concat()].concat();
        for height in [2.0, 1.0] {
            for x in [0.0, 4.0] {
                let at = |x: f64| Split {
                    near: Some(Vec3::new(x, 0.5, height)),
                    ..split([x, 0.5, height], [0.0, 0.0, 1.0])
                };
                let halves = split_convexes(&all, &at(x + 0.5)).unwrap().unwrap();
                assert!(halves.above.is_empty() && halves.below.len() == 2, "{case} {height} {x}");
                let top = centers(&halves.below)[1] - Vec3::new(x + 0.5, 0.5, 0.5 * (3.0 + height));
                assert!(top.norm() < TOLERANCE, "{case} {height} {x}: {top}");
                assert!((total(&halves.below) - 9.0).abs() < TOLERANCE);
                assert_eq!(split_convexes(&all, &at(100.0)).unwrap(), None);
                assert_eq!(split_convexes(&all, &at(2.5)).unwrap(), None);
            }
        }
        // One tower: the whole cut.
        let alone = [vec![base.clone()], two[0].clone()].concat();
        let near = Split { near: Some(Vec3::new(0.5, 0.5, 2.0)), ..split([0.5, 0.5, 2.0], [0.0, 0.0, 1.0]) };
        let whole = Split { near: None, ..near };
        assert_eq!(split_convexes(&alone, &near).unwrap(), split_convexes(&alone, &whole).unwrap());
    }
}

/// A bridge over two towers hangs on the second when it is cut off the first.
#[test]
fn a_notch_leaves_one_collection() {
    let arch =
        [brick([0.0, 0.0, 0.0], [1.0; 3]), brick([4.0, 0.0, 0.0], [1.0; 3]), brick([0.0, 0.0, 1.0], [5.0, 1.0, 1.0])];
    for height in [1.0, 0.4] {
        let split = Split { near: Some(Vec3::new(0.5, 0.5, height)), ..split([0.5, 0.5, height], [0.0, 0.0, 1.0]) };
        let halves = split_convexes(&arch, &split).unwrap().unwrap();
        let counts: Vec<usize> = halves.below.iter().map(Vec::len).collect();
        let wanted = if height == 1.0 { vec![1, 2] } else { vec![1, 3] };
        assert_eq!((counts, halves.above.len()), (wanted, 0), "{height}");
    }
}

/// A polyhedron takes the place of an ellipsoid: same volume, same centre, near its surface; the caps of a ball have
/// the volumes π h² (3 r − h) / 3 to the accuracy of 320 triangles.
#[test]
fn a_ball_is_cut_as_a_polyhedron() {
    let exact = |h: f64| std::f64::consts::PI * h * h * (3.0 - h) / 3.0;
    let ball = Ellipsoid::new(Vec3::zeros(), Vec3::repeat(1.0), 1, 2).unwrap();
    let stone = ball.polyhedron().unwrap();
    assert!((stone.integrals().volume / exact(2.0) - 1.0).abs() < TOLERANCE);
    assert!(stone.vertices.iter().all(|x| (1.0..1.02).contains(&x.norm())));
    let halves = split_convexes(&[stone], &split([0.0, 0.0, 0.4], [0.0, 0.0, 1.0])).unwrap().unwrap();
    let (below, above) = (total(&halves.below), total(&halves.above));
    assert!((below + above - exact(2.0)).abs() < 1e-13);
    assert!((above / exact(0.6) - 1.0).abs() < 0.02, "{above} {}", exact(0.6));
}
