//! Bad files give the file, the line or byte, and what was expected; and no wrong count asks for memory.

use std::process::Command;

use solfec_formats::meshes::{read_bytes, write, Encoding, Format, MeshFile, Style};
use tools_testing::process::{bin, output, stderr};
use tools_testing::scratch::Scratch;

use crate::sample::{mixed, surface};

fn told(name: &str, bytes: &[u8]) -> String {
    let format = Format::named(name).unwrap();
    read_bytes(bytes, &format!("bad.{name}"), Some(format)).unwrap_err().to_string()
}

#[test]
fn errors_name_the_line_and_what_was_expected() {
    let node = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n";
    let msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n";
    let cases: &[(&str, String, &str)] = &[
        ("inp", format!("{node}*ELEMENT, TYPE=B31\n1, 1, 2\n"), "bad.inp:6: unknown element type B31; known are C3D4"),
        ("inp", format!("{node}*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n"), "bad.inp:7: element 1 has too few nodes"),
        ("inp", format!("{node}*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 9\n"), "element 1 names node 9, which is not there"),
        ("inp", format!("*PART, NAME=A\n{node}"), "bad.inp:6: the file ends within *PART, but *END PART should follow"),
        (
            "inp",
            "*NODE\n1, 0, nan, 0\n".into(),
            "bad.inp:2: 'nan' stands for a coordinate; a finite number is expected",
        ),
        ("inp", format!("{node}1, 5, 5, 5\n*ELEMENT, TYPE=C3D4\n1,1,2,3,4\n"), "node 1 is defined twice"),
        ("inp", "*INCLUDE, INPUT=a.inp\n".into(), "bad.inp:1: *INCLUDE is not read"),
        ("msh", "$MeshFormat\n4.0 0 8\n".into(), "bad.msh:2: version '4.0' is not read; save as version 2.2 or 4.1"),
        ("msh", format!("{msh}$Elements\n1\n1 99 0 1\n"), "bad.msh:10: unknown element type 99"),
        ("msh", format!("{msh}$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n"), "names node 2, which is not there"),
        ("msh", format!("{msh}$Elements\n1000000000\n"), "says that 1000000000 elements follow, but only 0 bytes do"),
        ("vtk", "# vtk DataFile Version 4.2\nx\nASCII\nDATASET STRUCTURED_GRID\n".into(), "bad.vtk:4: dataset"),
        (
            "vtk",
            "# vtk DataFile Version 4.2\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1\n".into(),
            "the file ends here",
        ),
        (
            "ply",
            "ply\nformat ascii 1.0\nelement vertex 9\nproperty flot x\n".into(),
            "bad.ply:4: 'flot' is no type of numbers",
        ),
        ("obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n".into(), "a face names vertex 3, but there are 2"),
        ("obj", "v 0 0\n".into(), "bad.obj:1: '' stands for a coordinate"),
        ("stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n".into(), "bad.stl:4: 'x' stands for z"),
        (
            "vol",
            "mesh3d\npoints\n2\n0 0 0\n".into(),
            "bad.vol:3: says that 2 points follow, but only 6 bytes do; correct the count",
        ),
        ("vol", "mesh3d\nvolumeelements\n1\n1 7 1 2 3 4 5 6 7\n".into(), "bad.vol:4: a volume element of 7 nodes"),
        ("mesh", "MeshVersionFormatted 1\n".into(), "is a mesh of Medit, which is not read"),
        (
            "poly",
            "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n1 0\n1 1\n3 1 2 3\n1 0.3 0.3 0\n".into(),
            "bad.poly:7: facet 0 has holes, and a polygon here has none; TETRAHEDRALIZE takes",
        ),
        (
            "vtu",
            "<VTKFile type=\"PolyData\">".into(),
            "bad.vtu:1: type PolyData is not read; an UnstructuredGrid is expected",
        ),
        ("vtu", "<a><b".into(), "bad.vtu"),
    ];
    for (name, text, expected) in cases {
        let error = told(name, text.as_bytes());
        assert!(error.starts_with(&format!("bad.{name}")) && error.contains(expected), "{error}\nnot: {expected}");
    }
}

/// A coordinate of each format and encoding becomes not-a-number; the message has the line, the byte, the node or the
/// dataset.
#[test]
fn numbers_that_are_none_are_refused_where_they_stand() {
    let styles =
        [(Encoding::Ascii, false), (Encoding::Base64, false), (Encoding::Binary, false), (Encoding::Binary, true)];
    for (name, (encoding, zlib)) in Format::names().into_iter().flat_map(|name| styles.map(|style| (name, style))) {
        let format = Format::named(name).unwrap();
        let mut sample = match name {
            "ele" => continue,
            "stl" | "obj" | "ply" | "poly" | "smesh" => surface(),
            _ => mixed(),
        };
        sample.nodes[3].y = f64::NAN;
        let file = write(&MeshFile::one(sample), format, Style { encoding, zlib }).unwrap();
        let error = told(name, &file.bytes);
        let place = error.strip_prefix(&format!("bad.{name}")).unwrap();
        let places = [": byte ", ": /nodes", ": node "];
        let numbered = place.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        assert!(numbered || places.iter().any(|p| place.starts_with(p)), "{name} {encoding:?}: {error}");
        assert!(["finite", "not a number", "NaN", "nan"].iter().any(|word| place.contains(word)), "{name}: {error}");
    }
}

#[test]
fn files_of_stl_tell_that_they_may_be_cut_off() {
    let whole =
        write(&MeshFile::one(surface()), Format::Stl, Style { encoding: Encoding::Ascii, zlib: false }).unwrap();
    let read = |bytes: &[u8]| read_bytes(bytes, "a.stl", Some(Format::Stl)).unwrap().1;
    assert!(read(&whole.bytes).is_empty());
    let end = whole.bytes.len() - "endsolid \n".len();
    assert_eq!(read(&whole.bytes[..end]), ["the file does not end with endsolid: it may be cut off"]);
}

#[test]
fn binary_garbage_and_empty_files_are_refused() {
    let garbage: Vec<u8> = (0..2000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for name in Format::names() {
        told(name, b"");
        told(name, &garbage);
    }
    let error = read_bytes(&garbage, "x", None).unwrap_err().to_string();
    assert!(error.contains("neither its ending nor its beginning tells its format"), "{error}");
}

/// A file cut off anywhere is an error, or a smaller mesh where the format cannot know; it is never a panic.
#[test]
fn files_that_are_cut_off_are_refused() {
    for name in Format::names().into_iter().filter(|name| *name != "ele") {
        let format = Format::named(name).unwrap();
        let sample = if ["stl", "obj", "ply", "poly", "smesh"].contains(&name) { surface() } else { mixed() };
        let whole = write(&MeshFile::one(sample), format, Style::default()).unwrap().bytes;
        let step = if name == "h5" { 997 } else { 37 };
        let mut accepted = 0;
        for end in (0..whole.len() - 12).step_by(step) {
            accepted += usize::from(read_bytes(&whole[..end], "cut", Some(format)).is_ok());
        }
        // Lists without counts end anywhere.
        let may = ["inp", "obj", "mesh", "vtk"].contains(&name);
        assert!(may || accepted == 0, "{name}: {accepted} of {} cuts are accepted", whole.len() / step);
    }
}

/// The process may not have the memory that the counts ask for.
#[test]
fn counts_that_are_wrong_ask_for_no_memory() {
    let folder = Scratch::new();
    let huge = "4000000000";
    let cases = [
        ("a.msh", format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{huge}\n1 0 0 0\n")),
        ("b.msh", format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n{huge} {huge} 1 {huge}\n2 1 0 {huge}\n1\n")),
        ("a.vtk", format!("# vtk DataFile Version 4.2\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {huge} double\nabc")),
        ("a.ply", format!("ply\nformat binary_little_endian 1.0\nelement vertex {huge}\nproperty float x\nend_header\n")),
        ("a.vol", format!("mesh3d\npoints\n{huge}\n0 0 0\n")),
        ("a.mesh", format!("{huge}\n0 0 0\n")),
        ("a.poly", format!("{huge} 3 0 0\n1 0 0 0\n")),
        ("a.vtu", format!("<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"{huge}\" NumberOfCells=\"{huge}\">")),
        ("a.stl", format!("{}\u{7f}\u{7f}\u{7f}\u{7f}{}", " ".repeat(80), " ".repeat(200))),
    ];
    for (name, text) in cases {
        folder.write(name, &text);
        let mut command = Command::new("bash");
        let tool = bin().join("sf-mesh");
        command.args(["-c", &format!("ulimit -v 600000; exec {} -j1 info {name}", tool.display())]);
        let output = output(command.current_dir(folder.path("")));
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{name}: {text}");
        assert!(text.contains(name) && !text.contains("internal error"), "{text}");
    }
}
