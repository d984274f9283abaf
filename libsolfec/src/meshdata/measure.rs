//! Volumes, centres, inertia and areas of raw meshes and surfaces.

use super::edit::in_range;
use super::triangulate::triangulate;
use crate::math::Vec3;
use crate::shape::{area_vector, Element, Geometry, Integrals, Mesh, RawMesh};

/// Integrals over all elements that can be integrated: those of the first order whose nodes are there. `None` if there
/// are none.
pub fn element_integrals(mesh: &RawMesh) -> Option<Integrals> {
    let whole = mesh.elements.iter().filter(|element| in_range(element, mesh.nodes.len()));
    let elements: Vec<Element> = whole.filter_map(|e| Element::new(e.nodes(), e.volid).ok()).collect();
    if elements.is_empty() {
        return None;
    }
    let mesh = Mesh { nodes: mesh.nodes.clone(), elements, boundary: Vec::new() };
    Some(Geometry::from(mesh).integrals())
}

/// Integrals over the solid that the polygons of a surface enclose; `None` if they enclose no volume.
pub fn surface_integrals(mesh: &RawMesh) -> Option<Integrals> {
    let triangles = || mesh.faces.iter().flat_map(|(nodes, _)| triangles(nodes));
    let corner = |n: u32| mesh.nodes.get(n as usize);
    let placed = triangles().filter_map(|[a, b, c]| Some([corner(a)?, corner(b)?, corner(c)?]));
    let integrals = Integrals::enclosed(placed);
    (integrals.volume != 0.0 && integrals.center.iter().all(|x| x.is_finite())).then_some(integrals)
}

/// The triangles of a polygon that fan out from its first corner.
pub(super) fn triangles(nodes: &[u32]) -> impl Iterator<Item = [u32; 3]> + Clone + '_ {
    let first = nodes.first().copied().unwrap_or(0);
    nodes.get(1..).unwrap_or_default().windows(2).map(move |pair| [first, pair[0], pair[1]])
}

/// Area of a polygon [m²]: of a warped one, that of its triangles.
pub fn area(polygon: &[u32], nodes: &[Vec3]) -> f64 {
    let corner = |n: u32| nodes.get(n as usize).copied();
    let of = |[a, b, c]: [u32; 3]| Some(area_vector([corner(a)?, corner(b)?, corner(c)?].into_iter()).norm());
    triangulate(polygon, nodes).into_iter().filter_map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshdata::outer_faces;

    #[test]
    fn a_block_measures_the_same_as_elements_and_as_a_surface() {
        let corners = [[0, 0, 0], [2, 0, 0], [2, 3, 0], [0, 3, 0], [0, 0, 5], [2, 0, 5], [2, 3, 5], [0, 3, 5]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let block = RawMesh::from(&Mesh::hex(&corners, [2, 1, 3], 4, &[1; 6], [None; 3]).unwrap());
        let solid = element_integrals(&block).unwrap();
        let faces = outer_faces(&block).into_iter().map(|face| (face.nodes, 1)).collect();
        let surface = RawMesh { nodes: block.nodes.clone(), faces, ..RawMesh::default() };
        let enclosed = surface_integrals(&surface).unwrap();
        // V = abc, Ixx = V (b² + c²) / 12
        for integrals in [solid, enclosed] {
            assert!((integrals.volume - 30.0).abs() < 1e-13 * 30.0);
            assert!((integrals.center - Vec3::new(1.0, 1.5, 2.5)).norm() < 1e-13);
            let inertia = integrals.inertia();
            assert!((inertia[(0, 0)] - 30.0 * (9.0 + 25.0) / 12.0).abs() < 1e-12 * 85.0);
            assert!((inertia[(2, 2)] - 30.0 * (4.0 + 9.0) / 12.0).abs() < 1e-12 * 85.0);
        }
        let total: f64 = surface.faces.iter().map(|(nodes, _)| area(nodes, &surface.nodes)).sum();
        assert!((total - 62.0).abs() < 1e-12);
    }
}
