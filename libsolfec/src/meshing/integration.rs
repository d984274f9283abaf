//! Integration points of meshes, in the order of elements and faces. Triangles have one point, quadrilaterals 2×2 Gauss
//! points; for elements see [`ElementKind::quadrature`](crate::shape::ElementKind::quadrature).

use crate::math::Vec3;
use crate::shape::{interpolate, square_points, Mesh};

/// Points of the boundary faces [m], of one surface id or of all.
pub fn surface_points(mesh: &Mesh, surfid: Option<i32>) -> Vec<Vec3> {
    let mut points = Vec::new();
    for face in mesh.boundary.iter().filter(|face| surfid.is_none_or(|id| id == face.surfid)) {
        let nodes = mesh.elements[face.element as usize].face(face.local.into());
        let x: Vec<Vec3> = nodes.map(|n| mesh.nodes[n as usize]).collect();
        match x.len() {
            3 => points.push((x[0] + x[1] + x[2]) / 3.0),
            _ => points.extend(square_points().map(|n| n.iter().zip(&x).map(|(n, x)| x * *n).sum::<Vec3>())),
        }
    }
    points
}

/// Points of the elements [m], of one volume id or of all.
pub fn volume_points(mesh: &Mesh, volid: Option<i32>) -> Vec<Vec3> {
    let chosen = mesh.elements.iter().filter(|element| volid.is_none_or(|id| id == element.volid));
    let mut points = Vec::new();
    for element in chosen {
        let corners = element.gather(|n| mesh.nodes[n as usize]);
        let place = |p: Vec3| interpolate(&element.kind.shape_functions(&p), &corners);
        points.extend(element.kind.quadrature().iter().map(|point| place(point.natural)));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Element;

    const LOW: f64 = 0.211_324_865_405_187_1;

    fn cube() -> Mesh {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        Mesh::hex(&corners, [1; 3], 1, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap()
    }

    #[test]
    fn points_of_a_cube_are_gauss_points() {
        let mesh = cube();
        assert_eq!(surface_points(&mesh, None).len(), 24);
        let bottom = surface_points(&mesh, Some(1));
        assert_eq!(bottom.len(), 4);
        for x in &bottom {
            let off = |c: f64| (c - LOW).abs().min((c - 1.0 + LOW).abs());
            assert!(x.z == 0.0 && off(x.x) < 1e-15 && off(x.y) < 1e-15, "{x}");
        }
        assert_eq!(surface_points(&mesh, Some(7)).len(), 0);
        let inside = volume_points(&mesh, None);
        assert_eq!((inside.len(), volume_points(&mesh, Some(2)).len()), (8, 0));
        assert!((inside[0] - Vec3::repeat(LOW)).norm() < 1e-15);
        assert!((inside[6] - Vec3::repeat(1.0 - LOW)).norm() < 1e-15);
    }

    /// The points of each kind lie inside and have their centre where the element has it.
    #[test]
    fn points_of_every_kind_have_the_centre_of_the_element() {
        let apex = [[0., 0., 0.], [2., 0., 0.], [2., 2., 0.], [0., 2., 0.], [1., 1., 1.]].map(Vec3::from);
        let wedge =
            [[0., 0., 0.], [3., 0., 0.], [0., 3., 0.], [0., 0., 1.], [3., 0., 1.], [0., 3., 1.]].map(Vec3::from);
        let tet = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]].map(Vec3::from);
        for (nodes, count, center) in
            [(tet.to_vec(), 4, Vec3::repeat(1.0)), (wedge.to_vec(), 6, Vec3::new(1.0, 1.0, 0.5))]
        {
            let numbers: Vec<u32> = (0..nodes.len() as u32).collect();
            let mesh = Mesh::new(nodes, vec![Element::new(&numbers, 1).unwrap()], 1, &[]).unwrap().0;
            let points = volume_points(&mesh, None);
            assert_eq!(points.len(), count);
            assert!((points.iter().sum::<Vec3>() / count as f64 - center).norm() < 1e-14);
        }
        let mesh = Mesh::new(apex.to_vec(), vec![Element::new(&[0, 1, 2, 3, 4], 1).unwrap()], 1, &[]).unwrap().0;
        let points = volume_points(&mesh, None);
        assert_eq!((points.len(), surface_points(&mesh, None).len()), (8, 8));
        assert!(points.iter().all(|x| x.z > 0.0 && x.z < 1.0));
        assert!((points[0] - Vec3::new(0.736_815_944, 0.736_815_944, 0.544_151_844)).norm() < 1e-8);
    }
}
