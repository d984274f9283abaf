//! Changes of raw meshes: moved, mirrored, joined, parts of them taken out.

use super::weld::renumber;
use crate::math::Vec3;
use crate::shape::{Element, ElementKind, RawElement, RawMesh};

/// Which rows of a mesh are left in an extract, in their old numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    pub nodes: Vec<u32>,
    pub elements: Vec<u32>,
    pub faces: Vec<u32>,
}

/// Moves every node to `place(node)`; if `mirrors`, elements and polygons are turned so that they stay positive.
pub fn move_nodes(mesh: &mut RawMesh, place: impl Fn(&Vec3) -> Vec3, mirrors: bool) {
    mesh.nodes.iter_mut().for_each(|x| *x = place(x));
    if mirrors {
        mirror(mesh);
    }
}

/// Renumbers elements and polygons as those of the mirror image.
pub fn mirror(mesh: &mut RawMesh) {
    for element in &mut mesh.elements {
        *element = turned(element);
    }
    mesh.faces.iter_mut().for_each(|(nodes, _)| nodes.reverse());
}

/// The element with the node order of its mirror image; elements of no kind stay as they are.
fn turned(element: &RawElement) -> RawElement {
    let Some(kind) = ElementKind::from_count(element.nodes().len()) else { return *element };
    let nodes: Vec<u32> = kind.mirrored().iter().map(|&from| element.nodes()[from]).collect();
    RawElement::new(&nodes, element.volid).unwrap_or(*element)
}

/// The element with positive volume: itself, or turned if it is inverted.
pub fn positive(element: &RawElement, nodes: &[Vec3]) -> RawElement {
    match Element::new(element.nodes(), element.volid) {
        Ok(first_order) if in_range(element, nodes.len()) && first_order.volume(nodes) < 0.0 => turned(element),
        Ok(_) | Err(_) => *element,
    }
}

pub(super) fn in_range(element: &RawElement, nodes: usize) -> bool {
    element.nodes().iter().all(|&n| (n as usize) < nodes)
}

/// One mesh of all nodes, elements and faces, those of the second after those of the first.
pub fn join(mesh: &mut RawMesh, other: &RawMesh) {
    let first = mesh.nodes.len() as u32;
    let moved: Vec<u32> = (0..other.nodes.len() as u32).map(|n| n + first).collect();
    let mut other = other.clone();
    renumber(&mut other, &moved);
    mesh.nodes.extend(other.nodes);
    mesh.elements.extend(other.elements);
    mesh.faces.extend(other.faces);
}

/// The elements that `keep` says (by row), the faces that `keep_face` says, and the nodes of either.
pub fn extract(
    mesh: &RawMesh,
    keep: impl Fn(usize, &RawElement) -> bool,
    keep_face: impl Fn(usize, &[u32], i32) -> bool,
) -> (RawMesh, Kept) {
    let mut kept = Kept::default();
    let rows = |range: std::ops::Range<usize>, keep: &dyn Fn(usize) -> bool| -> Vec<u32> {
        range.filter(|&row| keep(row)).map(|row| row as u32).collect()
    };
    kept.elements = rows(0..mesh.elements.len(), &|e| keep(e, &mesh.elements[e]));
    kept.faces = rows(0..mesh.faces.len(), &|f| keep_face(f, &mesh.faces[f].0, mesh.faces[f].1));
    let mut part = RawMesh {
        nodes: mesh.nodes.clone(),
        elements: kept.elements.iter().map(|&e| mesh.elements[e as usize]).collect(),
        surfid: mesh.surfid,
        faces: kept.faces.iter().map(|&f| mesh.faces[f as usize].clone()).collect(),
    };
    kept.nodes = compact(&mut part);
    (part, kept)
}

/// Drops nodes of no element and no face. Returns the old numbers of those that stay.
pub fn compact(mesh: &mut RawMesh) -> Vec<u32> {
    let mut used = vec![false; mesh.nodes.len()];
    let of_elements = mesh.elements.iter().flat_map(RawElement::nodes);
    for &n in of_elements.chain(mesh.faces.iter().flat_map(|(nodes, _)| nodes)) {
        if let Some(used) = used.get_mut(n as usize) {
            *used = true;
        }
    }
    let stay: Vec<u32> = (0..).zip(&used).filter(|(_, &used)| used).map(|(n, _)| n).collect();
    let mut numbers = vec![u32::MAX; mesh.nodes.len()];
    for (new, &old) in (0..).zip(&stay) {
        numbers[old as usize] = new;
    }
    mesh.nodes = stay.iter().map(|&n| mesh.nodes[n as usize]).collect();
    renumber(mesh, &numbers);
    stay
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Mesh;

    fn block() -> RawMesh {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        RawMesh::from(&Mesh::hex(&corners, [2, 1, 1], 4, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap())
    }

    #[test]
    fn a_mirror_image_is_a_mesh_again() {
        let mut mesh = block();
        move_nodes(&mut mesh, |x| Vec3::new(-x.x, x.y, x.z), true);
        let (mesh, _) = mesh.mesh().unwrap();
        assert_eq!(mesh.boundary.iter().filter(|face| face.surfid == 2).count(), 1);
    }

    #[test]
    fn an_extract_has_its_own_nodes() {
        let (part, kept) = extract(&block(), |e, _| e == 1, |_, _, surfid| surfid == 4);
        assert_eq!((part.nodes.len(), part.elements.len(), part.faces.len()), (8, 1, 1));
        assert_eq!((kept.elements, kept.nodes.len()), (vec![1], 8));
        assert!(part.mesh().is_ok());
    }

    #[test]
    fn joined_meshes_stand_side_by_side() {
        let mut mesh = block();
        let mut other = block();
        move_nodes(&mut other, |x| x + Vec3::x(), false);
        join(&mut mesh, &other);
        assert_eq!((mesh.nodes.len(), mesh.elements.len()), (24, 4));
        let named = mesh.faces.len();
        let gone = super::super::weld(&mut mesh, 1e-9).gone;
        assert_eq!((gone, named - mesh.faces.len()), (4, 2), "two faces have met");
        assert_eq!((gone, mesh.mesh().unwrap().0.boundary.len()), (4, 18));
    }

    #[test]
    fn an_inverted_element_is_turned() {
        let mesh = block();
        let inverted = turned(&mesh.elements[0]);
        assert_eq!(positive(&inverted, &mesh.nodes), mesh.elements[0]);
        assert_eq!(positive(&mesh.elements[0], &mesh.nodes), mesh.elements[0]);
    }
}
