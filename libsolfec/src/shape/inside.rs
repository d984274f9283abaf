//! Whether a point lies below faces.

use super::loops::{area_vector, middle};
use crate::math::Vec3;

/// Whether `x` lies below the planes of all faces, loops counter-clockwise from outside; a face of four nodes that are
/// not in a plane counts with its mean plane.
pub fn below_all<L>(faces: impl Iterator<Item = L>, x: &Vec3, tolerance: f64) -> bool
where
    L: ExactSizeIterator<Item = Vec3> + Clone,
{
    let mut faces = faces;
    faces.all(|corners| {
        let area = area_vector(corners.clone());
        area.dot(&(x - middle(corners))) <= tolerance * area.norm()
    })
}

#[cfg(test)]
mod tests {
    use crate::math::Vec3;
    use crate::shape::{Element, ElementKind, Geometry, Mesh, Shape, Sphere};

    /// A hexahedron with a lifted corner: its nodes, and points of its bilinear faces on either side of the mean plane,
    /// belong to it; points beyond do not.
    #[test]
    fn points_on_warped_faces_belong_to_the_body() {
        let nodes = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.1], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [1., 1., 1.]];
        let nodes: Vec<Vec3> = nodes.into_iter().chain([[0., 1., 1.]]).map(Vec3::from).collect();
        let element = Element { kind: ElementKind::Hex, nodes: [0, 1, 2, 3, 4, 5, 6, 7], volid: 1 };
        let shape = Shape::new(Geometry::Mesh(Mesh::new(nodes.clone(), vec![element], 1, &[]).unwrap().0));
        for node in &nodes {
            assert!(shape.contains(node, 0.0), "{node}");
        }
        for (r, s) in [(0.1, 0.2), (0.5, 0.5), (0.9, 0.8), (0.0, 0.7), (1.0, 0.3)] {
            let bottom = Vec3::new(r, s, 0.1 * r * s);
            assert!(shape.contains(&bottom, 1e-12), "{bottom}");
        }
        for beyond in [[1.0, 1.0, 0.04], [0.5, 0.5, -0.01], [1.01, 0.5, 0.5]] {
            assert!(!shape.contains(&Vec3::from(beyond), 1e-6), "{beyond:?}");
        }
    }

    #[test]
    fn points_of_meshes_and_balls() {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mesh = Mesh::hex(&corners, [3; 3], 1, &[1; 6], [None; 3]).unwrap();
        let mut cube = Shape::new(Geometry::Mesh(mesh));
        cube.rotate(&Vec3::zeros(), &Vec3::z(), 90.0).unwrap();
        cube.translate(&Vec3::new(5.0, 0.0, 0.0));
        for (point, inside) in [([4.5, 0.5, 0.5], true), ([4.0, 1.0, 1.0], true), ([5.1, 0.5, 0.5], false)] {
            assert_eq!(cube.contains(&Vec3::from(point), 1e-9), inside, "{point:?}");
        }
        let ball = Shape::new(Geometry::Sphere(Sphere { center: Vec3::x(), radius: 1.0, volid: 0, surfid: 0 }));
        assert!(ball.contains(&Vec3::zeros(), 1e-9) && !ball.contains(&-Vec3::x(), 1e-9));
    }
}
