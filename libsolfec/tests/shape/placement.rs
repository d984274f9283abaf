//! Moving, turning, scaling.

use super::*;
use std::sync::Arc;

#[test]
fn moving_shares_the_geometry() {
    let first = Shape::new(Geometry::Mesh(block(1, 1, 1)));
    let mut second = first.clone();
    second.translate(&v(1., 2., 3.));
    assert!(Arc::ptr_eq(&first.geometry, &second.geometry));
    assert_eq!(second.vertices()[7], v(2., 3., 4.));
    second.rotate(&v(1., 2., 3.), &Vec3::z(), 90.0).unwrap();
    assert!(Arc::ptr_eq(&first.geometry, &second.geometry));
    assert_eq!(second.vertices()[7], v(0., 3., 4.));
}

#[test]
fn scale_bakes_and_mirrors() {
    let mut nodes = cube().to_vec();
    nodes.extend([v(0.5, 0.5, 2.), v(2., 0., 0.), v(2., 0., 1.)]);
    let elements: [&[u32]; 4] = [&[0, 1, 2, 3, 4, 5, 6, 7], &[4, 5, 6, 7, 8], &[1, 9, 2, 5, 10, 6], &[5, 6, 8, 10]];
    let elements = elements.map(|n| Element::new(n, 0).unwrap()).to_vec();
    let faces = [(vec![0, 1, 2, 3], 1), (vec![4, 5, 8], 2), (vec![1, 2, 9], 3), (vec![5, 8, 10], 4)];
    let (mesh, _) = Mesh::new(nodes, elements.clone(), 0, &faces).unwrap_or_else(|e| panic!("{e}"));
    let hull = Convex::hull(&mesh.nodes, 0, 0).unwrap();
    for (geometry, factors) in [
        (Geometry::Mesh(mesh.clone()), v(-1., 2., 3.)),
        (Geometry::Mesh(mesh.clone()), v(-1., -2., -3.)),
        (Geometry::Convex(hull), v(2., 1., -0.5)),
    ] {
        let mut shape = Shape::new(geometry);
        shape.rotate(&v(1., 0., 0.), &v(1., 1., 1.), 120.0).unwrap();
        let before = shape.integrals();
        let expected: Vec<Vec3> = shape.vertices().iter().map(|x| x.component_mul(&factors)).collect();
        shape.scale(&factors).unwrap();
        assert_eq!((shape.rotation, shape.shift), (Mat3::identity(), Vec3::zeros()));
        assert_eq!(shape.vertices(), expected);
        let after = shape.integrals();
        let stretch = Mat3::from_diagonal(&factors);
        let ratio = stretch.determinant().abs();
        assert!((after.volume - ratio * before.volume).abs() < 1e-14 * after.volume);
        assert!((after.center - stretch * before.center).norm() < 1e-14);
        assert_close(&after.euler, &(ratio * stretch * before.euler * stretch), 1e-13);
        for part in shape.geometry.parts() {
            assert!(bulge(solid(&part)) < 1e-14);
        }
        if let Geometry::Mesh(m) = &*shape.geometry {
            let (again, _) = Mesh::new(m.nodes.clone(), m.elements.clone(), 0, &faces).unwrap();
            assert_eq!(&again, m);
        }
    }
}

#[test]
fn scale_of_a_sphere_moves_its_center() {
    let mut ball = Shape::new(Geometry::Sphere(Sphere::new(v(1., 2., 3.), 2.0, 5, 6).unwrap()));
    ball.translate(&v(1., 0., 0.));
    ball.scale(&v(-2., -2., -2.)).unwrap();
    let expected = Sphere::new(v(-4., -4., -6.), 4.0, 5, 6).unwrap();
    assert_eq!(*ball.geometry, Geometry::Sphere(expected));
}
