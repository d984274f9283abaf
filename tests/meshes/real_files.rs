//! Mesh files that decks of Solfec-1.0 use, with the counts and volumes that are known of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use solfec::meshdata::{element_integrals, faults, seen_faces, surface_integrals};
use solfec_formats::meshes::{read, MeshFile};
use tools_testing::skip::not_here;

/// A file of the reference data, which may be absent.
fn reference(path: &str) -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data/decks").join(path);
    let found = Some(beside).filter(|path| path.exists());
    if found.is_none() {
        not_here(&format!("no {path} beside the checkout"));
    }
    found
}

fn file(path: &str) -> Option<MeshFile> {
    Some(read(&reference(path)?, None).unwrap().0)
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-8 * wanted, "{found} {wanted}");
}

#[test]
fn files_of_solfec_1_0_have_their_counts_and_volumes() {
    let Some(foot) = file("inp/mesh/foot.poly") else { return };
    let foot = &foot.parts[0].mesh;
    assert_eq!((foot.nodes.len(), foot.faces.len(), faults(foot)), (16, 10, vec![]));
    // section 4·7 + 4·3 + 2·2, length 4
    close(surface_integrals(foot).unwrap().volume, 176.0);
    let Some(hinge) = file("inp/mesh/hinge.stl") else { return };
    let hinge = &hinge.parts[0].mesh;
    assert_eq!((hinge.nodes.len(), hinge.faces.len(), faults(hinge)), (223, 450, vec![]));
    close(surface_integrals(hinge).unwrap().volume, 309.178575);
    let Some(part0) = file("inp/mesh/part0.mesh") else { return };
    let part0 = &part0.parts[0].mesh;
    assert_eq!((part0.nodes.len(), part0.elements.len(), part0.faces.len(), faults(part0)), (83, 199, 152, vec![]));
    close(element_integrals(part0).unwrap().volume, 10.3725737);
}

/// Elements of second order keep their corners only; node sets SURF<k> are surface ids; an instance is moved.
#[test]
fn surface_ids_of_abaqus_node_sets() {
    let Some(model) = file("scripts/abaqusreader/tests/MODEL08.inp") else { return };
    let names: Vec<&str> = model.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["CUBE-1", "CUTOUTCUBE-1"]);
    for part in &model.parts {
        assert_eq!((part.mesh.nodes.len(), part.mesh.elements.len()), (108, 51));
        let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
        seen_faces(&part.mesh).iter().for_each(|face| *counts.entry(face.1).or_default() += 1);
        assert_eq!(counts, BTreeMap::from([(0, 29), (1, 12), (2, 17), (3, 18), (4, 12)]));
    }
    let moved = model.parts[1].mesh.nodes[0] - model.parts[0].mesh.nodes[0];
    assert_eq!(moved.as_slice(), [38.5, 0.0, 0.0]);
}
