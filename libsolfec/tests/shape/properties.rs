//! Properties that hold for all shapes.

use super::*;
use proptest::prelude::*;

fn point(range: f64) -> impl Strategy<Value = Vec3> {
    [-range..range, -range..range, -range..range].prop_map(|[x, y, z]| v(x, y, z))
}

fn axis() -> impl Strategy<Value = Vec3> {
    point(1.0).prop_filter("an axis has a length", |a| a.norm() > 0.1)
}

/// A block whose corners are shaken, divided at random.
fn shaken() -> impl Strategy<Value = Mesh> {
    let corners = proptest::collection::vec(point(0.15), 8);
    (corners, [1_usize..4, 1..4, 1..4]).prop_map(|(shakes, counts)| {
        let c = cube();
        let corners: [Vec3; 8] = std::array::from_fn(|i| c[i] + shakes[i]);
        Mesh::hex(&corners, counts, 1, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap()
    })
}

/// Points of a small integer grid: coplanar, collinear and equal ones abound.
fn grid_points() -> impl Strategy<Value = Vec<Vec3>> {
    let one = [0_i8..4, 0..4, 0..4].prop_map(|x| Vec3::from(x.map(f64::from)));
    proptest::collection::vec(one, 4..40)
}

/// Closed, planar, convex, free of needless vertices, and around all `points`.
fn check_hull(hull: &Convex, points: &[Vec3], tolerance: f64) -> Solid {
    let (again, warnings) = Convex::new(hull.vertices.clone(), hull.faces.clone(), 0, tolerance).unwrap();
    assert!(warnings.is_empty());
    let parts = Geometry::Convex(again).parts();
    let s = solid(&parts[0]);
    let (n, t) = (s.normals.len(), &s.topology);
    assert_eq!(hull.vertices.len() + n, t.edges.len() + 2);
    for f in 0..n {
        let origin = s.vertices[t.face(f)[0] as usize];
        assert!(points.iter().all(|x| s.normals[f].dot(&(x - origin)) <= tolerance));
    }
    let mut faces_at = vec![0; hull.vertices.len()];
    hull.faces.iter().flat_map(|f| &f.nodes).for_each(|&v| faces_at[v as usize] += 1);
    assert!(faces_at.iter().all(|&n| n >= 3));
    let mut rest = points.iter();
    assert!(hull.vertices.iter().all(|x| rest.any(|p| p == x)), "not in input order");
    s.clone()
}

proptest! {
    #[test]
    fn integrals_follow_a_rigid_motion(mesh in shaken(), p in point(5.), a in axis(), angle in -360.0..360.0, shift in point(10.)) {
        let hull = Convex::hull(&mesh.nodes, 0, 0).unwrap();
        for geometry in [Geometry::Mesh(mesh), Geometry::Convex(hull)] {
            let own = geometry.integrals();
            let mut shape = Shape::new(geometry);
            shape.rotate(&p, &a, angle).unwrap();
            shape.translate(&shift);
            let r = shape.rotation;
            assert_close(&(r * r.transpose()), &Mat3::identity(), 1e-14);
            let moved = shape.integrals();
            assert!((moved.center - (r * own.center + shape.shift)).norm() < 1e-13);
            shape.scale(&v(1., 1., 1.)).unwrap();
            let baked = shape.integrals();
            assert!((moved.volume - baked.volume).abs() < 1e-13 * own.volume);
            assert!((moved.center - baked.center).norm() < 1e-13);
            assert_close(&moved.euler, &baked.euler, 1e-13);
            assert_close(&baked.euler, &(r * own.euler * r.transpose()), 1e-13);
        }
    }

    #[test]
    fn integrals_add_up_over_elements(mesh in shaken()) {
        let whole = Geometry::Mesh(mesh.clone()).integrals();
        let one = |e: &Element| Geometry::Mesh(Mesh::new(mesh.nodes.clone(), vec![*e], 0, &[]).unwrap().0).integrals();
        let parts: Vec<Integrals> = mesh.elements.iter().map(one).collect();
        let sum = Integrals::together(&parts);
        assert!((whole.volume - sum.volume).abs() < 1e-14);
        assert!((whole.center - sum.center).norm() < 1e-14);
        assert_close(&whole.euler, &sum.euler, 1e-14);
    }

    #[test]
    fn dividing_a_warped_block_keeps_its_integrals(mesh in shaken(), widths in [0.2..3.0, 0.2..3.0, 0.2..3.0]) {
        let last = mesh.nodes.len() - 1;
        let whole = Geometry::Mesh(mesh.clone()).integrals();
        prop_assert!(whole.volume > 0.0 && last >= 7);
        let corner = corners_of(&mesh);
        let fine = Mesh::hex(&corner, [3, 2, 1], 0, &[0; 6], [Some(&widths), Some(&widths), None]).unwrap();
        let again = Geometry::Mesh(fine).integrals();
        assert!((whole.volume - again.volume).abs() < 1e-14);
        assert!((whole.center - again.center).norm() < 1e-14);
        assert_close(&whole.euler, &again.euler, 1e-14);
    }

    #[test]
    fn elements_are_convex_around_their_nodes(mesh in shaken()) {
        let faces = mesh.boundary.len();
        let parts = Geometry::Mesh(mesh).parts();
        assert!(parts.iter().all(|a| bulge(solid(a)) < 1e-8));
        let skin: usize = parts.iter().map(|a| solid(a).topology.skin).sum();
        assert!((faces..=2 * faces).contains(&skin));
    }

    #[test]
    fn hull_of_grid_points(points in grid_points(), a in axis(), angle in 0.0..360.0, shift in point(100.)) {
        let Ok(hull) = Convex::hull(&points, 0, 0) else { return Ok(()) };
        let mut distinct = points.clone();
        distinct.sort_by(|p, q| p.iter().partial_cmp(q.iter()).unwrap());
        distinct.dedup();
        let s = check_hull(&Convex::hull(&distinct, 0, 0).unwrap(), &distinct, 1e-12);
        let normals = |e: &Edge| e.faces.map(|f| s.normals[f as usize]);
        let folded = |[n, m]: [Vec3; 2]| n.dot(&m) < 1.0 - 1e-3;
        prop_assert!(s.topology.edges.iter().all(|e| folded(normals(e))), "coplanar faces were not merged");
        // Round-off of a motion must not change what the hull looks like.
        let turn = rotation_about(&a, angle).unwrap();
        let moved: Vec<Vec3> = points.iter().map(|x| turn * x + shift).collect();
        let far = Convex::hull(&moved, 0, 0).unwrap();
        prop_assert_eq!(far.vertices.len(), hull.vertices.len());
        let sizes = |c: &Convex| {
            let mut sizes: Vec<usize> = c.faces.iter().map(|f| f.nodes.len()).collect();
            sizes.sort_unstable();
            sizes
        };
        prop_assert_eq!(sizes(&far), sizes(&hull));
    }

    #[test]
    fn hull_of_random_points(points in proptest::collection::vec(point(1.), 4..200)) {
        let Ok(hull) = Convex::hull(&points, 0, 0) else { return Ok(()) };
        check_hull(&hull, &points, 1e-8);
        let again = Convex::hull(&hull.vertices, 0, 0).unwrap();
        prop_assert_eq!(again, hull);
    }
}

fn corners_of(mesh: &Mesh) -> [Vec3; 8] {
    // Corner nodes of a block: exactly three of the six surfaces meet there.
    let on = |id: i32| mesh.nodes_on_surface(id);
    let sides: Vec<Vec<u32>> = (1..=6).map(on).collect();
    let at = |x: usize, y: usize, z: usize| {
        let all = |n: &&u32| [x, y, z].iter().all(|&s| sides[s].contains(n));
        mesh.nodes[*sides[x].iter().find(all).unwrap() as usize]
    };
    let (bottom, left, back, right, front, top) = (0, 1, 2, 3, 4, 5);
    [
        at(left, front, bottom),
        at(right, front, bottom),
        at(right, back, bottom),
        at(left, back, bottom),
        at(left, front, top),
        at(right, front, top),
        at(right, back, top),
        at(left, back, top),
    ]
}

/// Files hold the half axes; the points follow from them to the last bit.
#[test]
fn half_axes_give_an_ellipsoid_back() {
    let mut random = noise(3);
    for _ in 0..2000 {
        let mut three = |size: f64| Vec3::from_fn(|_, _| (random() - 0.5) * size);
        let (center, radii, axis) = (three(2.0), three(1.0).map(|r| r.abs() + 1e-3), three(1.0));
        let mut shape = Shape::new(Geometry::from(Ellipsoid::new(center, radii, 1, 2).unwrap()));
        shape.rotate(&Vec3::zeros(), &axis, 100.0 * axis.x).unwrap();
        shape.scale(&Vec3::new(1.1, -0.7, 1.3)).unwrap();
        let made = [Ellipsoid::new(center, radii, 1, 2).unwrap(), shape.geometry.ellipsoid().unwrap().clone()];
        for made in made {
            assert_eq!(Ellipsoid::with_axes(made.center(), &made.half_axes(), 1, 2).unwrap(), made);
        }
    }
}
