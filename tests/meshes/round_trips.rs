//! What a format can carry comes back from it, bit for bit.

use solfec::math::Vec3;
use solfec::meshdata::{faults, surface_integrals};
use solfec::shape::{Mesh, RawElement, RawMesh};
use solfec_formats::meshes::{read, read_bytes, write, Encoding, Format, MeshFile, Part, Set, SetKind, Style};
use tools_testing::scratch::Scratch;

use crate::sample::{assert_same, file, ids, mixed, part, surface, tetrahedra};

/// All ways to write numbers.
fn styles() -> Vec<Style> {
    let style = |encoding, zlib| Style { encoding, zlib };
    vec![
        style(Encoding::Ascii, false),
        style(Encoding::Base64, false),
        style(Encoding::Base64, true),
        style(Encoding::Binary, false),
        style(Encoding::Binary, true),
    ]
}

fn through(wanted: &MeshFile, format: Format, style: Style) -> MeshFile {
    let written = write(wanted, format, style).unwrap();
    let (found, remarks) = read_bytes(&written.bytes, "bytes", Some(format)).unwrap();
    assert_eq!(remarks, Vec::<String>::new(), "{}", format.name());
    found
}

#[test]
fn meshes_of_all_elements_come_back_from_every_format_of_elements() {
    let formats = ["h5", "inp", "msh", "msh2", "vtu", "vtk", "vol", "mesh"].map(|name| Format::named(name).unwrap());
    mixed().mesh().unwrap();
    for format in formats {
        for style in styles() {
            let found = through(&MeshFile::one(mixed()), format, style);
            assert_eq!(found.parts.len(), 1);
            assert_same(&found.parts[0].mesh, &mixed(), &format!("{} {style:?}", format.name()));
        }
    }
}

#[test]
fn parts_and_sets_come_back_from_the_formats_that_have_them() {
    let mut other = part();
    other.name = "LEAF".into();
    other.sets.pop();
    let two = MeshFile::of(vec![part(), other]);
    for format in [Format::Hdf5, Format::Abaqus] {
        let found = through(&two, format, Style::default());
        for (found, wanted) in found.parts.iter().zip(&two.parts) {
            assert_eq!(found.name, wanted.name);
            assert_same(&found.mesh, &wanted.mesh, format.name());
            let rows = |part: &Part, kind: SetKind| {
                let set = part.sets.iter().find(|set| set.kind == kind);
                set.map(|set| (set.name.clone(), set.rows.clone()))
            };
            for kind in [SetKind::Nodes, SetKind::Elements] {
                assert_eq!(rows(found, kind), rows(wanted, kind), "{}", format.name());
            }
            let faces = |part: &Part| rows(part, SetKind::Faces).map(|(name, rows)| (name, rows.len()));
            assert_eq!(faces(found), faces(wanted), "{}", format.name());
        }
    }
    for format in [Format::Vtu, Format::Vtk] {
        let found = through(&file(part()), format, Style::default());
        assert_eq!(found.parts[0].sets, part().sets, "{}", format.name());
    }
    // One part of both, told so.
    let written = write(&two, Format::Vtu, Style::default()).unwrap();
    assert_eq!(written.remarks, ["vtu has no parts: the 2 parts are written as one"]);
}

/// Surface and volume ids, 0 among them, come back whatever sets are called; sets with names of ids are left out, told
/// so.
#[test]
fn ids_come_back_from_abaqus_beside_sets_of_any_name() {
    let set = |kind, name: &str, rows: &[u32]| Set { kind, name: name.into(), rows: rows.to_vec() };
    let mut wanted = part();
    wanted.mesh.elements[1].volid = 0;
    wanted.mesh.faces[2].1 = 0;
    wanted.sets.push(set(SetKind::Nodes, "SURF77", &(0..wanted.mesh.nodes.len() as u32).collect::<Vec<u32>>()));
    let found = through(&file(wanted.clone()), Format::Abaqus, Style::default());
    assert_eq!(ids(&found.parts[0].mesh), ids(&wanted.mesh));
    assert_eq!(found.parts[0].mesh.elements[1].volid, 0);
    // Again, with the set of faces that the set of nodes is as well.
    let again = through(&found, Format::Abaqus, Style::default());
    assert_eq!((ids(&again.parts[0].mesh), &again.parts[0].sets), (ids(&wanted.mesh), &found.parts[0].sets));
    wanted.sets.push(set(SetKind::Elements, "VOLUME_9", &[0, 1]));
    wanted.sets.push(set(SetKind::Faces, "SURFACE_9", &[0, 2]));
    wanted.sets.push(set(SetKind::Elements, "nothing", &[]));
    let written = write(&file(wanted.clone()), Format::Abaqus, Style::default()).unwrap();
    assert_eq!(
        written.remarks,
        [
            "inp takes sets of these names for volume and surface ids: VOLUME_9, SURFACE_9 left out; give them other names",
            "inp has no empty sets: nothing left out"
        ]
    );
    let (found, _) = read_bytes(&written.bytes, "bytes", Some(Format::Abaqus)).unwrap();
    assert_eq!(ids(&found.parts[0].mesh), ids(&wanted.mesh));
    let volids = |mesh: &RawMesh| mesh.elements.iter().map(|e| e.volid).collect::<Vec<i32>>();
    assert_eq!(volids(&found.parts[0].mesh), volids(&wanted.mesh));
    for format in [Format::Vtu, Format::Vtk] {
        let written = write(&file(wanted.clone()), format, Style::default()).unwrap();
        let told = format!("{} has no empty sets: nothing left out", format.name());
        assert!(written.remarks.contains(&told), "{:?}", written.remarks);
    }
}

#[test]
fn surfaces_come_back_from_every_format_of_polygons() {
    let whole = surface_integrals(&surface()).unwrap();
    for name in ["h5", "vtu", "vtk", "obj", "ply", "poly", "smesh"] {
        for style in styles() {
            let found = through(&MeshFile::one(surface()), Format::named(name).unwrap(), style);
            let mesh = &found.parts[0].mesh;
            assert_eq!((&mesh.nodes, &mesh.faces), (&surface().nodes, &surface().faces), "{name}");
        }
    }
    // Triangles, without ids.
    for name in ["stl", "msh", "msh2", "vol", "mesh"] {
        for style in styles() {
            let found = through(&MeshFile::one(surface()), Format::named(name).unwrap(), style);
            let mesh = &found.parts[0].mesh;
            let (count, triangles) = (mesh.nodes.len(), mesh.faces.len());
            assert_eq!(count, 11, "{name}");
            assert_eq!(triangles, if name == "stl" { 18 } else { 13 }, "{name}");
            assert_eq!(faults(mesh), [], "{name}");
            let volume = surface_integrals(mesh).unwrap().volume;
            assert!((volume - whole.volume).abs() < 1e-6 * whole.volume, "{name}: {volume}");
        }
    }
}

/// A box of 3 × 3 × 3 with a hole of 1 × 1 × 1, as the manual of TetGen writes it; a hole elsewhere is refused.
#[test]
fn holes_of_tetgen_are_cavities() {
    let mut text = String::from("16 3 0 0\n");
    for (k, [low, high]) in [[0, 3], [1, 2]].into_iter().enumerate() {
        for corner in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|i| if corner >> i & 1 == 1 { high } else { low });
            text += &format!("{} {x} {y} {z}\n", 8 * k + corner + 1);
        }
    }
    text += "12 1\n";
    for first in [1, 9] {
        for face in [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]] {
            let list = face.map(|n: i32| (n + first).to_string()).join(" ");
            text += &format!("1 0 {first}\n4 {list}\n");
        }
    }
    let read = |rest: &str| {
        solfec_formats::meshes::read_bytes(format!("{text}{rest}").as_bytes(), "a.poly", Some(Format::TetgenPoly))
    };
    let volume = |file: &MeshFile| solfec::meshdata::surface_integrals(&file.parts[0].mesh).unwrap().volume;
    let (whole, remarks) = read("1\n1 1.5 1.5 1.5\n1\n1 0.5 0.5 0.5 7 0.1\n").unwrap();
    assert!((volume(&whole) - 26.0).abs() < 1e-12 && remarks[0].contains("1 regions are left out"), "{remarks:?}");
    assert_eq!(solfec::meshdata::faults(&whole.parts[0].mesh), []);
    assert!((volume(&read("0\n").unwrap().0) - 28.0).abs() < 1e-12);
    let error = read("1\n1 0.5 0.5 0.5\n").unwrap_err().to_string();
    assert!(error.contains("the point of hole 1 lies in no closed shell inside another one"), "{error}");
}

/// A block of 5 × 5 × 5 cubes with a cavity of 3 × 3 × 3, in which a cube stands, and two parts that touch, half of a
/// cavity in each: facets have no outside, so points of holes tell where the cavities are.
#[test]
fn cavities_come_back_as_holes_of_tetgen() {
    let depth = |x: f64| (x - 2.5).abs() as usize;
    let nested = hollow_block(|x| x.iter().map(|&x| depth(x)).max() == Some(1));
    let low = hollow_block(|x| x.x > 2.0 || (x - Vec3::new(1.5, 2.5, 2.5)).norm() < 0.1);
    let high = hollow_block(|x| x.x < 2.0 || (x - Vec3::new(2.5, 2.5, 2.5)).norm() < 0.1);
    let halves = MeshFile::of([low, high].map(|mesh| Part { mesh, ..Part::default() }).into());
    for (file, volume, holes) in [(MeshFile::one(nested), 99.0, 1), (halves, 123.0, 1)] {
        for format in [Format::TetgenPoly, Format::TetgenSmesh] {
            let written = write(&file, format, Style::default()).unwrap();
            let (found, _) = read_bytes(&written.bytes, "bytes", Some(format)).unwrap();
            let enclosed = surface_integrals(&found.parts[0].mesh).unwrap().volume;
            assert!((enclosed - volume).abs() < 1e-11, "{}: {enclosed}", format.name());
            let text = String::from_utf8(written.bytes).unwrap();
            let end: Vec<&str> = text.lines().rev().take(holes + 2).collect();
            assert_eq!((end[0], end[holes + 1]), ("0", "1"), "{end:?}");
        }
    }
}

/// Unit cubes in a block of 5 × 5 × 5, without those at whose centres `is_left_out` says so.
fn hollow_block(is_left_out: impl Fn(&Vec3) -> bool) -> RawMesh {
    let corners = [[0, 0, 0], [5, 0, 0], [5, 5, 0], [0, 5, 0], [0, 0, 5], [5, 0, 5], [5, 5, 5], [0, 5, 5]];
    let corners = corners.map(|x: [i32; 3]| Vec3::from(x.map(f64::from)));
    let mut mesh = RawMesh::from(&Mesh::hex(&corners, [5; 3], 1, &[1; 6], [None; 3]).unwrap());
    let nodes = mesh.nodes.clone();
    let center = |e: &RawElement| e.nodes().iter().map(|&n| nodes[n as usize]).sum::<Vec3>() / 8.0;
    mesh.elements.retain(|element| !is_left_out(&center(element)));
    mesh
}

#[test]
fn the_boundary_of_a_mesh_goes_into_formats_of_surfaces() {
    for name in ["stl", "obj", "ply", "poly", "smesh"] {
        let written = write(&MeshFile::one(mixed()), Format::named(name).unwrap(), Style::default()).unwrap();
        assert!(written.remarks[0].contains("the boundary of 5 elements is written"), "{:?}", written.remarks);
        let (found, _) = read_bytes(&written.bytes, "bytes", Format::named(name)).unwrap();
        assert!(faults(&found.parts[0].mesh).is_empty(), "{name}");
        let (solid, enclosed) = (
            solfec::meshdata::element_integrals(&mixed()).unwrap().volume,
            surface_integrals(&found.parts[0].mesh).unwrap().volume,
        );
        assert!((solid - enclosed).abs() < 1e-6 * solid, "{name}: {solid} {enclosed}");
    }
}

#[test]
fn tetgen_files_lie_beside_each_other() {
    let folder = Scratch::new();
    let written = write(&MeshFile::one(tetrahedra()), Format::Tetgen, Style::default()).unwrap();
    std::fs::write(folder.path("a.ele"), &written.bytes).unwrap();
    for (ending, bytes) in &written.beside {
        std::fs::write(folder.path(&format!("a.{ending}")), bytes).unwrap();
    }
    for name in ["a.ele", "a.node"] {
        let (found, _) = read(&folder.path(name), None).unwrap();
        assert_same(&found.parts[0].mesh, &tetrahedra(), name);
    }
    let error = read_bytes(&written.bytes, "standard input", Some(Format::Tetgen)).unwrap_err();
    assert!(error.to_string().contains("cannot come through a pipe"), "{error}");
    let error = write(&MeshFile::one(mixed()), Format::Tetgen, Style::default()).unwrap_err();
    assert!(error.to_string().contains("tetrahedra only"), "{error}");
}

#[test]
fn a_surface_id_of_all_faces_is_written_for_each() {
    let mut mesh = mixed();
    mesh.surfid = 8;
    for name in ["inp", "msh", "vtu", "vol"] {
        let found = through(&MeshFile::one(mesh.clone()), Format::named(name).unwrap(), Style::default());
        let found: &RawMesh = &found.parts[0].mesh;
        assert_eq!(ids(found), ids(&mesh), "{name}");
        assert!(ids(found).values().all(|&id| id != 0));
    }
}

#[test]
fn every_format_is_known_by_its_ending_and_most_by_their_first_bytes() {
    for name in Format::names() {
        let format = Format::named(name).unwrap();
        assert_eq!(format.name(), name);
        assert_eq!(Format::of_path(std::path::Path::new(&format!("a.{name}"))), Some(format));
        let sample = if name == "ele" { tetrahedra() } else { mixed() };
        let written = write(&MeshFile::one(sample), format, Style::default()).unwrap();
        let by_bytes = Format::of_bytes(&written.bytes);
        match name {
            "ele" | "mesh" | "poly" | "smesh" => assert_eq!(by_bytes, None),
            "msh2" => assert_eq!(by_bytes, Some(Format::Gmsh)),
            _ => assert_eq!(by_bytes, Some(format), "{name}"),
        }
    }
}
