//! What a mesher of tetrahedra is given and gives back: a closed surface of triangles with markers, and tetrahedra with
//! markers on their outer faces.

use crate::math::Vec3;
use crate::meshdata::{cavities, triangulate, Cavity};
use crate::shape::{area_vector, Mesh, RawElement, RawMesh};
use crate::Result;

/// A surface of triangles that look outwards. Markers of triangles count from 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skin {
    /// [m]
    pub points: Vec<Vec3>,
    pub triangles: Vec<([u32; 3], u32)>,
    /// The surface id of each marker.
    pub surfids: Vec<i32>,
}

/// A mesh of tetrahedra as a mesher gives it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tetrahedra {
    /// [m]
    pub nodes: Vec<Vec3>,
    pub elements: Vec<[u32; 4]>,
    /// Faces with surface ids.
    pub faces: Vec<([u32; 3], i32)>,
    /// The number of the region of each element; none if the mesher knows of no regions.
    pub regions: Vec<i32>,
}

impl Skin {
    /// The boundary of a mesh. A quadrilateral becomes two triangles that make a ridge.
    pub fn of(mesh: &Mesh) -> Skin {
        const NONE: u32 = u32::MAX;
        let mut surfids: Vec<i32> = mesh.boundary.iter().map(|face| face.surfid).collect();
        surfids.sort_unstable();
        surfids.dedup();
        let mut skin = Skin { surfids, ..Skin::default() };
        let mut number = vec![NONE; mesh.nodes.len()];
        for face in &mesh.boundary {
            let nodes: Vec<u32> = mesh.elements[face.element as usize].face(face.local.into()).collect();
            for n in &nodes {
                if number[*n as usize] == NONE {
                    number[*n as usize] = skin.points.len() as u32;
                    skin.points.push(mesh.nodes[*n as usize]);
                }
            }
            let marker = skin.surfids.partition_point(|id| *id < face.surfid) as u32 + 1;
            let points: Vec<u32> = nodes.iter().map(|n| number[*n as usize]).collect();
            let triangles = ridge(&points, &skin.points);
            skin.triangles.extend(triangles.into_iter().map(|corners| (corners, marker)));
        }
        skin
    }

    /// The polygons of a surface as triangles.
    pub fn of_surface(surface: &RawMesh) -> Skin {
        let mut surfids: Vec<i32> = surface.faces.iter().map(|face| face.1).collect();
        surfids.sort_unstable();
        surfids.dedup();
        let mut skin = Skin { points: surface.nodes.clone(), surfids, ..Skin::default() };
        for (nodes, surfid) in &surface.faces {
            let marker = skin.surfids.partition_point(|id| id < surfid) as u32 + 1;
            let triangles = triangulate(nodes, &surface.nodes);
            skin.triangles.extend(triangles.into_iter().map(|corners| (corners, marker)));
        }
        skin
    }

    /// Its cavities; their walls are rows of the triangles.
    pub fn cavities(&self) -> Vec<Cavity> {
        let triangles: Vec<[u32; 3]> = self.triangles.iter().map(|(corners, _)| *corners).collect();
        cavities(&self.points, &triangles)
    }

    /// The volume that it encloses [m³].
    pub fn volume(&self) -> f64 {
        let apex = self.points.first().copied().unwrap_or_else(Vec3::zeros);
        let part = |([a, b, c], _): &([u32; 3], u32)| {
            let [a, b, c] = [a, b, c].map(|n| self.points[*n as usize] - apex);
            a.dot(&b.cross(&c)) / 6.0
        };
        self.triangles.iter().map(part).sum()
    }
}

fn ridge(face: &[u32], points: &[Vec3]) -> Vec<[u32; 3]> {
    let &[a, b, c, d] = face else {
        return face.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect();
    };
    let at = |n: u32| points[n as usize];
    let up = area_vector([at(a), at(b), at(c)].into_iter());
    if up.dot(&(at(d) - at(a))) <= 0.0 {
        vec![[a, b, c], [a, c, d]]
    } else {
        vec![[a, b, d], [b, c, d]]
    }
}

impl Tetrahedra {
    /// The checked mesh. Elements have the volume id that the element of `within` has that their centre lies in;
    /// without `within`, the number of their region, or `volid` if they have none. Faces without a surface id get
    /// `surfid`.
    ///
    /// # Errors
    /// Tables that are no mesh.
    pub fn mesh(self, within: Option<&Mesh>, volid: i32, surfid: i32) -> Result<Mesh> {
        let mut elements = Vec::with_capacity(self.elements.len());
        for (e, four) in self.elements.iter().enumerate() {
            let four = upright(*four, &self.nodes);
            let volid = match within {
                Some(mesh) => volume_at(mesh, &self.nodes, &four),
                None => self.regions.get(e).copied().unwrap_or(volid),
            };
            elements.push(RawElement::new(&four, volid)?);
        }
        let faces = self.faces.into_iter().map(|(nodes, id)| (nodes.to_vec(), id)).collect();
        Ok(RawMesh { nodes: self.nodes, elements, surfid, faces }.mesh()?.0)
    }
}

/// The order of corners of positive volume. Numbers out of range are left for the mesh to refuse.
fn upright([a, b, c, d]: [u32; 4], nodes: &[Vec3]) -> [u32; 4] {
    let at = |n: u32| nodes.get(n as usize).copied().unwrap_or_else(Vec3::zeros);
    let volume = (at(b) - at(a)).cross(&(at(c) - at(a))).dot(&(at(d) - at(a)));
    if volume < 0.0 {
        [a, c, b, d]
    } else {
        [a, b, c, d]
    }
}

/// The volume id of the element at, or nearest to, the centre of a tetrahedron.
fn volume_at(mesh: &Mesh, nodes: &[Vec3], four: &[u32; 4]) -> i32 {
    let first = mesh.elements.first().map_or(0, |element| element.volid);
    if mesh.elements.iter().all(|element| element.volid == first) {
        return first;
    }
    let center = four.iter().filter_map(|n| nodes.get(*n as usize)).sum::<Vec3>() / 4.0;
    let found = mesh.locate(|n| mesh.nodes[n as usize], &center);
    found.map_or(first, |(e, _)| mesh.elements[e as usize].volid)
}
