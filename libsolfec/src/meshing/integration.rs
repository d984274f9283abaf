//! Integration points of meshes, in the order of elements and faces.
//!
//! Triangles have one point, quadrilaterals 2×2 Gauss points; tetrahedra 4, pyramids 8, wedges 6, hexahedra 8 (Zienkiewicz
//! and Taylor 2000, tables 9.2 and 9.3; Hammer, Marlowe and Stroud 1956).

use crate::math::Vec3;
use crate::shape::{interpolate, ElementKind, Mesh};

/// Gauss points of two on [−1, 1].
const GAUSS: f64 = 0.577_350_269_189_625_8;
/// Of four points in a tetrahedron: three coordinates of each are the first, one is the second.
const TET: [f64; 2] = [0.138_196_601_125_010_5, 0.585_410_196_624_968_5];
/// Half widths of the two squares of points in a pyramid, and their heights.
const PYRAMID: [[f64; 2]; 2] =
    [[0.263_184_055_569_713_6, 0.544_151_844_011_225_3], [0.506_616_303_349_787_4, 0.122_514_822_655_441_4]];
/// Signs of the corners of a square row by row.
const ROWS: [[f64; 2]; 4] = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]];

/// Points of the boundary faces [m], of one surface id or of all.
pub fn surface_points(mesh: &Mesh, surfid: Option<i32>) -> Vec<Vec3> {
    let mut points = Vec::new();
    for face in mesh.boundary.iter().filter(|face| surfid.is_none_or(|id| id == face.surfid)) {
        let nodes = mesh.elements[face.element as usize].face(face.local.into());
        let x: Vec<Vec3> = nodes.map(|n| mesh.nodes[n as usize]).collect();
        match x.len() {
            3 => points.push((x[0] + x[1] + x[2]) / 3.0),
            _ => points.extend(ROWS.map(|[r, s]| {
                let weight = |[a, b]: [f64; 2]| 0.25 * (1.0 + a * r * GAUSS) * (1.0 + b * s * GAUSS);
                ROWS.into_iter().zip(&x).map(|(corner, x)| x * weight(corner)).sum::<Vec3>()
            })),
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
        points.extend(natural_points(element.kind).into_iter().map(place));
    }
    points
}

/// Natural coordinates of the points in an element.
fn natural_points(kind: ElementKind) -> Vec<Vec3> {
    let square = |half: f64, z: f64| ROWS.map(|[r, s]| Vec3::new(half * r, half * s, z));
    match kind {
        ElementKind::Tet => {
            let [a, b] = TET;
            vec![Vec3::repeat(a), Vec3::new(a, a, b), Vec3::new(a, b, a), Vec3::new(b, a, a)]
        }
        ElementKind::Pyramid => PYRAMID.into_iter().flat_map(|[half, z]| square(half, z)).collect(),
        ElementKind::Wedge => {
            let triangle = [[4.0, 1.0], [1.0, 4.0], [1.0, 1.0]];
            let at = |z: f64| triangle.map(|[r, s]| Vec3::new(r / 6.0, s / 6.0, z));
            [at(-GAUSS), at(GAUSS)].concat()
        }
        ElementKind::Hex => [-GAUSS, GAUSS].into_iter().flat_map(|z| square(GAUSS, z)).collect(),
    }
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
