//! meshio (PyPI) as an independent reader and writer: it reads what is written here, and what it writes is read here.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use solfec::shape::RawMesh;
use solfec_formats::meshes::{read, write, Encoding, Format, MeshFile, Style};
use tools_testing::process::{output, stderr, stdout};
use tools_testing::python::python_with;
use tools_testing::scratch::Scratch;

use crate::sample::{mixed, surface, tetrahedra};

/// Prints points and cells of files as JSON.
const READ: &str = "
import json, sys, meshio
found = {}
for name in sys.argv[1:]:
    mesh = meshio.read(name)
    cells = [[block.type, block.data.tolist()] for block in mesh.cells]
    found[name] = {'points': mesh.points.tolist(), 'cells': cells}
print(json.dumps(found))
";

/// Writes a mesh in formats of meshio: `file format options`.
const WRITE: &str = "
import json, sys, meshio
mesh = meshio.read(sys.argv[1])
mesh = meshio.Mesh(mesh.points, [c for c in mesh.cells])
for name, how, options in json.loads(sys.argv[2]):
    meshio.write(name, mesh, file_format=how, **options)
";

fn python(folder: &Scratch, script: &str, args: &[&str]) -> Option<String> {
    let python = python_with("meshio")?;
    let mut command = Command::new(python);
    command.arg("-c").arg(script).args(args).current_dir(folder.path(""));
    let output = output(&mut command);
    assert!(output.status.success(), "{}", stderr(&output));
    Some(stdout(&output))
}

/// Cells by meshio's names: nodes, ascending lists of each kind in the order of the file.
fn cells(found: &Value, kind: &str) -> Vec<Vec<u32>> {
    let blocks = found["cells"].as_array().unwrap().iter().filter(|block| block[0] == kind);
    let lists = blocks.flat_map(|block| block[1].as_array().unwrap().clone());
    lists.map(|list| list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u32).collect()).collect()
}

fn elements(mesh: &RawMesh, nodes: usize) -> Vec<Vec<u32>> {
    mesh.elements.iter().filter(|e| e.nodes().len() == nodes).map(|e| e.nodes().to_vec()).collect()
}

const KINDS: [(&str, usize); 4] = [("tetra", 4), ("pyramid", 5), ("wedge", 6), ("hexahedron", 8)];

fn put(folder: &Scratch, name: &str, mesh: &RawMesh, format: Format, style: Style) {
    let written = write(&MeshFile::one(mesh.clone()), format, style).unwrap();
    std::fs::write(folder.path(name), &written.bytes).unwrap();
    for (ending, bytes) in &written.beside {
        std::fs::write(folder.path(Path::new(name).with_extension(ending).to_str().unwrap()), bytes).unwrap();
    }
}

/// meshio knows no pyramids of Abaqus.
fn sample(name: &str) -> RawMesh {
    let mut mesh = mixed();
    if name.ends_with("inp") {
        mesh.elements.retain(|element| element.nodes().len() != 5);
        mesh.faces.clear();
    }
    mesh
}

#[test]
fn meshio_reads_every_format_that_both_know() {
    let folder = Scratch::new();
    let style = |encoding, zlib| Style { encoding, zlib };
    let (ascii, binary) = (style(Encoding::Ascii, false), style(Encoding::Binary, false));
    let solids = [
        ("a.inp", Format::Abaqus, binary),
        ("a.msh", Format::Gmsh, binary),
        ("b.msh", Format::Gmsh, ascii),
        ("c.msh", Format::Gmsh2, binary),
        ("d.msh", Format::Gmsh2, ascii),
        ("a.vtu", Format::Vtu, binary),
        ("b.vtu", Format::Vtu, ascii),
        ("c.vtu", Format::Vtu, style(Encoding::Base64, false)),
        ("d.vtu", Format::Vtu, style(Encoding::Base64, true)),
        ("e.vtu", Format::Vtu, style(Encoding::Binary, true)),
        ("a.vtk", Format::Vtk, binary),
        ("b.vtk", Format::Vtk, ascii),
        ("a.vol", Format::NetgenVol, binary),
    ];
    let polygons = [
        ("s.stl", Format::Stl, binary),
        ("t.stl", Format::Stl, ascii),
        ("s.ply", Format::Ply, binary),
        ("t.ply", Format::Ply, ascii),
    ];
    for (name, format, style) in solids {
        put(&folder, name, &sample(name), format, style);
    }
    put(&folder, "t.ele", &tetrahedra(), Format::Tetgen, binary);
    // meshio fails on ids of faces of several kinds.
    let plain = RawMesh { faces: surface().faces.into_iter().map(|(nodes, _)| (nodes, 0)).collect(), ..surface() };
    for (name, format, style) in polygons {
        put(&folder, name, &plain, format, style);
    }
    let names = solids.iter().map(|s| s.0).chain(polygons.iter().map(|p| p.0)).chain(["t.ele"]);
    let Some(text) = python(&folder, READ, &names.collect::<Vec<_>>()) else { return };
    let found: Value = serde_json::from_str(&text).unwrap();
    for (name, _, _) in solids {
        let points: Vec<Vec<f64>> = serde_json::from_value(found[name]["points"].clone()).unwrap();
        let wanted: Vec<Vec<f64>> = sample(name).nodes.iter().map(|x| x.as_slice().to_vec()).collect();
        assert_eq!(points, wanted, "{name}");
        for (kind, nodes) in KINDS {
            assert_eq!(cells(&found[name], kind), elements(&sample(name), nodes), "{name}: {kind}");
        }
    }
    assert_eq!(cells(&found["t.ele"], "tetra"), elements(&tetrahedra(), 4));
    for (name, _, _) in polygons {
        let count = |kind| cells(&found[name], kind).len();
        let wanted = if name.ends_with("stl") { (18, 0, 0) } else { (5, 5, 1) };
        assert_eq!((count("triangle"), count("quad"), count("polygon")), wanted, "{name}");
    }
}

#[test]
fn what_meshio_writes_is_read() {
    let folder = Scratch::new();
    let plain = RawMesh { faces: Vec::new(), ..mixed() };
    put(&folder, "from.vtu", &plain, Format::Vtu, Style::default());
    let three = "[[\"c.msh\", \"gmsh22\", {}], [\"d.msh\", \"gmsh22\", {\"binary\": false}],
        [\"a.vtu\", \"vtu\", {}], [\"b.vtu\", \"vtu\", {\"binary\": false}], [\"c.vtu\", \"vtu\", {\"compression\": null}],
        [\"a.vtk\", \"vtk\", {}], [\"b.vtk\", \"vtk\", {\"binary\": false}], [\"c.vtk\", \"vtk42\", {}],
        [\"a.vol\", \"netgen\", {}]]";
    if python(&folder, WRITE, &["from.vtu", three]).is_none() {
        return;
    }
    put(&folder, "some.vtu", &sample("inp"), Format::Vtu, Style::default());
    python(&folder, WRITE, &["some.vtu", "[[\"a.inp\", \"abaqus\", {}]]"]);
    let names = ["a.inp", "c.msh", "d.msh", "a.vtu", "b.vtu", "c.vtu", "a.vtk", "b.vtk", "c.vtk", "a.vol"];
    for name in names {
        let (file, _) = read(&folder.path(name), None).unwrap_or_else(|error| panic!("{error}"));
        let mesh = &file.parts[0].mesh;
        assert!(mesh.nodes.iter().zip(&plain.nodes).all(|(x, y)| (x - y).norm() < 1e-10), "{name}");
        for (kind, nodes) in KINDS {
            let wanted = if name == "a.inp" { sample(name) } else { plain.clone() };
            assert_eq!(elements(mesh, nodes), elements(&wanted, nodes), "{name}: {kind}");
        }
    }

    let triangles = tetrahedra();
    put(&folder, "tet.vtu", &RawMesh { faces: Vec::new(), ..triangles.clone() }, Format::Vtu, Style::default());
    // meshio writes MSH 4.1 for one kind of elements only.
    let four = "[[\"t.ele\", \"tetgen\", {}], [\"a.msh\", \"gmsh\", {}], [\"b.msh\", \"gmsh\", {\"binary\": false}]]";
    python(&folder, WRITE, &["tet.vtu", four]);
    for name in ["t.ele", "a.msh", "b.msh"] {
        let (file, _) = read(&folder.path(name), None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(elements(&file.parts[0].mesh, 4), elements(&triangles, 4), "{name}");
    }

    let skin = RawMesh { elements: Vec::new(), ..triangles };
    put(&folder, "skin.vtu", &skin, Format::Vtu, Style::default());
    let two = "[[\"s.stl\", \"stl\", {}], [\"t.stl\", \"stl\", {\"binary\": true}], [\"s.ply\", \"ply\", {}],
        [\"t.ply\", \"ply\", {\"binary\": false}], [\"s.obj\", \"obj\", {}]]";
    python(&folder, WRITE, &["skin.vtu", two]);
    for name in ["s.stl", "t.stl", "s.ply", "t.ply", "s.obj"] {
        let (file, _) = read(&folder.path(name), None).unwrap_or_else(|error| panic!("{error}"));
        let mesh = &file.parts[0].mesh;
        assert_eq!((mesh.nodes.len(), mesh.faces.len()), (12, 20), "{name}");
        assert_eq!(solfec::meshdata::faults(mesh), [], "{name}");
    }
}

/// What VTK itself writes: compressed, raw appended, with two kinds of headers.
#[test]
fn what_vtk_writes_is_read_and_vtk_reads_what_is_written() {
    let folder = Scratch::new();
    put(&folder, "ours.vtu", &mixed(), Format::Vtu, Style { encoding: Encoding::Binary, zlib: true });
    put(&folder, "ours.vtk", &mixed(), Format::Vtk, Style::default());
    let script = "
import vtk
def count(reader, name):
    reader.SetFileName(name)
    reader.Update()
    return reader.GetOutput()
grid = count(vtk.vtkXMLUnstructuredGridReader(), 'ours.vtu')
legacy = count(vtk.vtkUnstructuredGridReader(), 'ours.vtk')
print(grid.GetNumberOfPoints(), grid.GetNumberOfCells(), legacy.GetNumberOfPoints(), legacy.GetNumberOfCells())
print(grid.GetCellData().GetArray('volid').GetValue(3), legacy.GetCellData().GetArray('volid').GetValue(3))
for name, mode, zlib, wide in (('a', 'Appended', 1, 0), ('b', 'Appended', 0, 1), ('c', 'Binary', 1, 1), ('d', 'Ascii', 0, 0)):
    for encode in (0, 1):
        writer = vtk.vtkXMLUnstructuredGridWriter()
        writer.SetFileName(name + str(encode) + '.vtu')
        writer.SetInputData(grid)
        getattr(writer, 'SetDataModeTo' + mode)()
        writer.SetCompressorTypeToZLib() if zlib else writer.SetCompressorTypeToNone()
        writer.SetHeaderTypeToUInt64() if wide else writer.SetHeaderTypeToUInt32()
        writer.SetEncodeAppendedData(encode)
        writer.Write()
for name, binary in (('e.vtk', 1), ('f.vtk', 0)):
    writer = vtk.vtkUnstructuredGridWriter()
    writer.SetFileName(name)
    writer.SetInputData(grid)
    writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
    writer.Write()
";
    if python_with("vtk").is_none() {
        return;
    }
    let Some(text) = python(&folder, script, &[]) else { return };
    let cells = mixed().elements.len() + mixed().faces.len();
    assert_eq!(text, format!("16 {cells} 16 {cells}\n7 7\n"));
    let names = ["a0.vtu", "a1.vtu", "b0.vtu", "b1.vtu", "c0.vtu", "c1.vtu", "d0.vtu", "d1.vtu", "e.vtk", "f.vtk"];
    for name in names {
        let (file, _) = read(&folder.path(name), None).unwrap_or_else(|error| panic!("{error}"));
        let mesh = &file.parts[0].mesh;
        assert_eq!((mesh.elements.len(), mesh.faces.len()), (5, mixed().faces.len()), "{name}");
        assert!(mesh.elements.iter().zip(&mixed().elements).all(|(a, b)| a.volid == b.volid), "{name}");
    }
}
