//! Meshes before they are checked, as generators, files and decks give them.

use super::{Element, Mesh};
use crate::math::Vec3;
use crate::{Error, Result};

/// The most nodes of an element (the second-order tetrahedron).
const MOST_NODES: usize = 10;

/// Nodes, mixed elements, and faces with surface ids; nothing is known about them yet. [`RawMesh::mesh`] checks them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RawMesh {
    /// [m]
    pub nodes: Vec<Vec3>,
    pub elements: Vec<RawElement>,
    /// Surface id of boundary faces that `faces` does not name.
    pub surfid: i32,
    /// Node numbers in any order, and the surface id of the face that has them.
    pub faces: Vec<(Vec<u32>, i32)>,
}

/// An element of any kind, in the node order of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawElement {
    count: u8,
    nodes: [u32; MOST_NODES],
    pub volid: i32,
}

impl RawElement {
    /// # Errors
    /// More than ten nodes.
    pub fn new(nodes: &[u32], volid: i32) -> Result<RawElement> {
        let mut all = [0; MOST_NODES];
        let Some(to) = all.get_mut(..nodes.len()) else { return Err(Element::wrong_count(nodes.len())) };
        to.copy_from_slice(nodes);
        Ok(RawElement { count: nodes.len() as u8, nodes: all, volid })
    }

    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..usize::from(self.count)]
    }
}

impl From<Element> for RawElement {
    fn from(element: Element) -> Self {
        let mut nodes = [0; MOST_NODES];
        nodes[..element.nodes.len()].copy_from_slice(&element.nodes);
        RawElement { count: element.kind.count() as u8, nodes, volid: element.volid }
    }
}

impl RawMesh {
    /// The checked mesh of first-order elements: a boundary face gets the surface id of the first entry of `faces` with
    /// the same nodes, else `surfid`. The second value holds warnings.
    ///
    /// # Errors
    /// Coordinates not finite, elements of another number of nodes than 4, 5, 6 or 8, node numbers out of range or
    /// repeated, inverted, empty or equal elements, a face of three elements.
    pub fn mesh(self) -> Result<(Mesh, Vec<String>)> {
        let first_order = |(e, element): (usize, &RawElement)| {
            Element::new(element.nodes(), element.volid).map_err(|error| Error::input(format!("element {e}: {error}")))
        };
        let elements = self.elements.iter().enumerate().map(first_order).collect::<Result<Vec<Element>>>()?;
        Mesh::new(self.nodes, elements, self.surfid, &self.faces)
    }
}

impl From<&Mesh> for RawMesh {
    /// The tables that give the same mesh again.
    fn from(mesh: &Mesh) -> Self {
        let face = |face: &super::BoundaryFace| {
            (mesh.elements[face.element as usize].face(face.local as usize).collect(), face.surfid)
        };
        RawMesh {
            nodes: mesh.nodes.clone(),
            elements: mesh.elements.iter().map(|&element| element.into()).collect(),
            surfid: 0,
            faces: mesh.boundary.iter().map(face).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_comes_back_from_its_tables() {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
        let mesh = Mesh::hex(&corners, [2, 1, 3], 4, &[1, 2, 3, 4, 5, 6], [None; 3]).unwrap();
        let (again, warnings) = RawMesh::from(&mesh).mesh().unwrap();
        assert_eq!((again, warnings.len()), (mesh, 0));
    }

    #[test]
    fn elements_of_ten_nodes_are_held_but_not_meshed() {
        let nodes: Vec<u32> = (0..10).collect();
        let element = RawElement::new(&nodes, 1).unwrap();
        assert_eq!(element.nodes(), &nodes[..]);
        assert!(RawElement::new(&[0; 11], 1).is_err());
        let raw = RawMesh { nodes: vec![Vec3::zeros(); 10], elements: vec![element], ..RawMesh::default() };
        assert!(raw.mesh().is_err_and(|e| e.to_string().starts_with("element 0: element has 10 nodes")));
    }
}
