//! Whether a point lies below faces.

use super::loops::{area_vector, middle};
use crate::math::Vec3;

/// Whether `x` lies below the planes of all faces, loops counter-clockwise from outside; a face of four nodes that are not
/// in a plane counts with its mean plane.
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
    use crate::shape::{Geometry, Mesh, Shape, Sphere};

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
