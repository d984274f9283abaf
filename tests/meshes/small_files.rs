//! Small files of the kinds that decks of Solfec-1.0 use, written by hand.

use std::collections::BTreeMap;

use solfec::meshdata::{element_integrals, faults, outer_faces, seen_faces, surface_integrals};
use solfec::shape::RawMesh;
use solfec_formats::meshes::{read_bytes, Format, Part};

fn mesh(name: &str, text: &str) -> RawMesh {
    let (mut file, _) = read_bytes(text.as_bytes(), name, Format::of_path(name.as_ref())).unwrap();
    assert_eq!(file.parts.len(), 1);
    let mesh = file.parts.remove(0).mesh;
    assert_eq!(faults(&mesh), []);
    mesh
}

fn corner(k: usize) -> [usize; 3] {
    [k & 1, k >> 1 & 1, k >> 2]
}

/// Numbers of a unit cube's corners in the order of a hexahedron, when corner (x, y, z) has the number x + 2 y + 4 z.
const CUBE: [usize; 8] = [0, 1, 3, 2, 4, 5, 7, 6];

/// Faces of the cube by those numbers, counter-clockwise from outside.
const SIDES: [[usize; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];

/// Netgen lists the nodes of a tetrahedron the other way round: six tetrahedra of negative volume about the diagonal of
/// a cube, in the neutral form with sections.
#[test]
fn tetrahedra_of_netgen_are_turned() {
    let mut text = String::from("mesh3d\ndimension\n3\n\n# domain np nodes\nvolumeelements\n6\n");
    let ring = [1, 3, 2, 6, 4, 5];
    for k in 0..6 {
        text += &format!(" 2 4 1 8 {} {}\n", ring[(k + 1) % 6] + 1, ring[k] + 1);
    }
    text += "\nsurfaceelements\n12\n";
    for [a, b, c, d] in SIDES.map(|side| side.map(|n| n + 1)) {
        // The diagonal of a side begins at the corner 1 or 8.
        let [a, b, c, d] = if [a, c].iter().any(|n| [1, 8].contains(n)) { [a, b, c, d] } else { [b, c, d, a] };
        text += &format!(" 1 1 1 0 3 {a} {b} {c}\n 1 1 1 0 3 {a} {c} {d}\n");
    }
    text += "\npoints\n8\n";
    for [x, y, z] in (0..8).map(corner) {
        text += &format!(" {x} {y} {z}\n");
    }
    let mesh = mesh("cube.mesh", &text);
    assert_eq!((mesh.nodes.len(), mesh.elements.len(), mesh.faces.len()), (8, 6, 12));
    for element in &mesh.elements {
        let one = RawMesh { nodes: mesh.nodes.clone(), elements: vec![*element], ..RawMesh::default() };
        assert!((element_integrals(&one).unwrap().volume - 1.0 / 6.0).abs() < 1e-15);
        assert_eq!(element.volid, 2);
    }
    let sorted = |mut nodes: Vec<u32>| {
        nodes.sort_unstable();
        nodes
    };
    let mut listed: Vec<Vec<u32>> = mesh.faces.iter().map(|face| sorted(face.0.clone())).collect();
    let mut outer: Vec<Vec<u32>> = outer_faces(&mesh).into_iter().map(|face| sorted(face.nodes)).collect();
    listed.sort();
    outer.sort();
    assert_eq!(listed, outer);
}

/// The triangles of a cube in STL: 36 corners are welded to 8 vertices.
#[test]
fn triangles_of_stl_share_vertices() {
    let mut text = String::from("solid cube\n");
    for [a, b, c, d] in SIDES {
        for three in [[a, b, c], [a, c, d]] {
            text += "facet normal 0 0 0\nouter loop\n";
            for [x, y, z] in three.map(corner) {
                text += &format!("vertex {x}.0e0 {y} {z}\n");
            }
            text += "endloop\nendfacet\n";
        }
    }
    let mesh = mesh("cube.stl", &(text + "endsolid cube\n"));
    assert_eq!((mesh.nodes.len(), mesh.faces.len()), (8, 12));
    assert!((surface_integrals(&mesh).unwrap().volume - 1.0).abs() < 1e-15);
}

/// Twenty nodes become eight, and those in the middle of edges are gone.
#[test]
fn elements_of_second_order_keep_their_corners() {
    let mut text = String::from("*HEADING\nbrick\n*PART, NAME=BRICK\n*NODE\n");
    let edges = [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4], [0, 4], [1, 5], [2, 6], [3, 7]];
    let corners: Vec<[usize; 3]> = CUBE.map(corner).to_vec();
    for (k, [x, y, z]) in corners.iter().enumerate() {
        text += &format!("{}, {x}., {y}., {z}.\n", k + 1);
    }
    for (k, [a, b]) in edges.into_iter().enumerate() {
        let middle = [0, 1, 2].map(|i| 0.5 * (corners[a][i] + corners[b][i]) as f64);
        text += &format!("{}, {}, {}, {}\n", k + 9, middle[0], middle[1], middle[2]);
    }
    text += "*ELEMENT, TYPE=C3D20R, ELSET=ALL\n7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,\n";
    text += "16, 17, 18, 19, 20\n*END PART\n";
    let mesh = mesh("brick.inp", &text);
    assert_eq!((mesh.nodes.len(), mesh.elements.len()), (8, 1));
    assert_eq!(mesh.elements[0].nodes(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!((element_integrals(&mesh).unwrap().volume - 1.0).abs() < 1e-15);
}

/// Node sets SURF<k> are surface ids of the boundary faces whose nodes are all in the set: four faces of a block of
/// 2 × 2 × 2; of a tetrahedron with all its nodes in a set, no face inside the mesh.
#[test]
fn node_sets_are_surface_ids_of_boundary_faces() {
    let number = |x: usize, y: usize, z: usize| 1 + x + 3 * y + 9 * z;
    let mut text = String::from("*HEADING\nblock\n*PART, NAME=BLOCK\n*NODE\n");
    for k in 0..27 {
        text += &format!("{}, {}, {}, {}\n", k + 1, k % 3, k / 3 % 3, k / 9);
    }
    text += "*ELEMENT, TYPE=C3D8R\n";
    for k in 0..8 {
        let [x, y, z] = corner(k);
        let list = CUBE.map(corner).map(|[i, j, k]| number(x + i, y + j, z + k).to_string());
        text += &format!("{}, {}\n", k + 1, list.join(", "));
    }
    text += "*NSET, NSET=SURF3, GENERATE\n19, 27, 1\n*END PART\n";
    let block = mesh("block.inp", &text);
    let on: Vec<Vec<u32>> = seen_faces(&block).into_iter().filter(|face| face.1 == 3).map(|face| face.0).collect();
    assert_eq!((on.len(), seen_faces(&block).len()), (4, 24));
    assert!(on.iter().flatten().all(|&n| block.nodes[n as usize].z == 2.0));

    let two = "*HEADING\ntwo\n*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, 0, 0, -1\n\
               *ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n2, 1, 3, 2, 5\n*NSET, NSET=SURF2\n1, 2, 3, 4\n";
    let two = mesh("two.inp", two);
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    seen_faces(&two).iter().for_each(|face| *counts.entry(face.1).or_default() += 1);
    assert_eq!(counts, BTreeMap::from([(0, 3), (2, 3)]));
}

/// Sets of the assembly, of an instance or of several parts of its set, give ids as those of a part do.
#[test]
fn sets_of_the_assembly_give_ids() {
    let part = "*HEADING\n*PART, NAME=P\n*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT, TYPE=C3D4\n7,1,2,3,4\n";
    let instances =
        "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n*END INSTANCE\n*INSTANCE, NAME=J, PART=P\n\
                     5., 0., 0.\n*END INSTANCE\n";
    let volume = "*ELSET, ELSET=VOLUME_33, INSTANCE=I\n7\n*ELSET, ELSET=core, INSTANCE=I\n7\n";
    let surface = "*NSET, NSET=SURF6, INSTANCE=I\n1,2,3\n";
    let own = "*NSET, NSET=SURF6\n1,2,3\n*ELSET, ELSET=VOLUME_33\n7\n";
    let both = "*NSET, NSET=VOLUME_2\n1\n";
    let read = |text: &str| read_bytes(text.as_bytes(), "a.inp", Some(Format::Abaqus)).unwrap();
    let (in_assembly, remarks) = read(&format!("{part}{both}{instances}{volume}{surface}*END ASSEMBLY\n"));
    assert!(remarks.is_empty());
    let (in_part, _) = read(&format!("{part}{own}{both}{instances}*END ASSEMBLY\n"));
    let ids = |part: &Part| {
        let listed = part.mesh.faces.iter().map(|(_, surfid)| *surfid);
        (part.mesh.elements[0].volid, listed.collect::<Vec<i32>>())
    };
    assert_eq!(in_assembly.parts.iter().map(ids).collect::<Vec<_>>(), [(33, vec![6]), (0, vec![])]);
    assert_eq!(in_part.parts.iter().map(ids).collect::<Vec<_>>(), [(33, vec![6]), (33, vec![6])]);
    let names = |part: &Part| part.sets.iter().map(|set| set.name.clone()).collect::<Vec<String>>();
    assert_eq!(names(&in_assembly.parts[0]), ["VOLUME_2", "core", "SURF6", "SURF6"]);
    assert_eq!(names(&in_assembly.parts[1]), ["VOLUME_2"]);
}
