//! Exported files as strangers see them: every markup is parsed and every reference followed into the HDF5; and the
//! readers of the vtk wheel.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hdf5::types::{FloatSize, IntSize, TypeDescriptor};
use quick_xml::events::{BytesStart, Event};
use quick_xml::Reader;

use crate::python::python_with;
use crate::skip::not_here;

/// A dataset as the markup refers to it, with what is in it.
#[derive(Debug, Clone, Default)]
pub struct Item {
    pub dims: Vec<usize>,
    pub values: Vec<f64>,
    /// In single precision.
    pub single: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Array {
    pub name: String,
    pub kind: String,
    pub center: String,
    pub data: Item,
}

/// A uniform grid of a temporal collection.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    pub time: f64,
    pub topology: String,
    pub cells: usize,
    pub connectivity: Item,
    pub points: Item,
    pub arrays: Vec<Array>,
}

impl Grid {
    pub fn array(&self, name: &str) -> &Array {
        self.arrays.iter().find(|a| a.name == name).unwrap_or_else(|| panic!("no array {name}"))
    }

    pub fn count(&self) -> usize {
        self.points.dims[0]
    }
}

fn attribute(tag: &BytesStart, name: &str) -> String {
    let value = tag.try_get_attribute(name).unwrap();
    let value = value.unwrap_or_else(|| panic!("no {name} in {tag:?}"));
    value.value.into_owned()
}

/// Reads `file.h5:/path` beside the markup and checks shape and type against what the markup says of it.
fn follow(folder: &Path, dims: Vec<usize>, number: (&str, &str), reference: &str) -> Item {
    let (file, path) = reference.trim().split_once(":").unwrap();
    assert!(!file.contains('/'), "the heavy file lies beside the markup: {file}");
    let set = hdf5::File::open(folder.join(file)).unwrap().dataset(path).unwrap();
    assert_eq!(set.shape(), dims, "{path}");
    assert!(!set.is_resizable(), "{path} has fixed extents");
    let stored = set.dtype().unwrap().to_descriptor().unwrap();
    let said = match number {
        ("Float", "4") => TypeDescriptor::Float(FloatSize::U4),
        ("Float", "8") => TypeDescriptor::Float(FloatSize::U8),
        ("Int", "4") => TypeDescriptor::Integer(IntSize::U4),
        ("Int", "8") => TypeDescriptor::Integer(IntSize::U8),
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!(stored, said, "{path}");
    let values: Vec<f64> = set.read_raw().unwrap();
    assert!(values.iter().all(|x| x.is_finite()), "{path} is finite");
    Item { dims, values, single: number.1 == "4" && number.0 == "Float" }
}

/// All temporal collections of a file: name and grids.
pub fn parse(path: &Path) -> Vec<(String, Vec<Grid>)> {
    let text = std::fs::read_to_string(path).unwrap();
    let folder = path.parent().unwrap();
    let mut reader = Reader::from_str(&text);
    let mut collections: Vec<(String, Vec<Grid>)> = Vec::new();
    let mut place: Vec<String> = Vec::new();
    let (mut dims, mut number) = (Vec::new(), (String::new(), String::new()));
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Empty(tag) => {
                assert_eq!(tag.name().as_ref(), "Time", "{tag:?}");
                let (_, grids) = collections.last_mut().unwrap();
                grids.last_mut().unwrap().time = attribute(&tag, "Value").parse().unwrap();
            }
            Event::Start(tag) => {
                let name = tag.name().as_ref().to_string();
                match name.as_str() {
                    "Grid" if attribute(&tag, "GridType") == "Collection" => {
                        assert_eq!(attribute(&tag, "CollectionType"), "Temporal");
                        collections.push((attribute(&tag, "Name"), Vec::new()));
                    }
                    "Grid" => {
                        assert_eq!(attribute(&tag, "GridType"), "Uniform");
                        collections.last_mut().unwrap().1.push(Grid::default());
                    }
                    "Topology" => {
                        let grid = collections.last_mut().unwrap().1.last_mut().unwrap();
                        grid.topology = attribute(&tag, "TopologyType");
                        grid.cells = attribute(&tag, "NumberOfElements").parse().unwrap();
                        match grid.topology.as_str() {
                            "Polyvertex" => assert_eq!(attribute(&tag, "NodesPerElement"), "1"),
                            "Polyline" => assert_eq!(attribute(&tag, "NodesPerElement"), "2"),
                            other => assert_eq!(other, "Mixed"),
                        }
                    }
                    "Geometry" => assert_eq!(attribute(&tag, "GeometryType"), "XYZ"),
                    "Attribute" => {
                        let grid = collections.last_mut().unwrap().1.last_mut().unwrap();
                        grid.arrays.push(Array {
                            name: attribute(&tag, "Name"),
                            kind: attribute(&tag, "AttributeType"),
                            center: attribute(&tag, "Center"),
                            data: Item::default(),
                        });
                    }
                    "DataItem" => {
                        assert_eq!(attribute(&tag, "Format"), "HDF");
                        let all = attribute(&tag, "Dimensions");
                        dims = all.split(' ').map(|d| d.parse().unwrap()).collect();
                        number = (attribute(&tag, "NumberType"), attribute(&tag, "Precision"));
                    }
                    "Xdmf" | "Domain" => {}
                    other => panic!("element {other} is not of the subset all readers know"),
                }
                place.push(name);
            }
            Event::End(_) => {
                place.pop();
            }
            Event::Text(text) if place.last().is_some_and(|p| p == "DataItem") => {
                let reference = text.xml10_content().into_owned();
                let item = follow(folder, dims.clone(), (&number.0, &number.1), &reference);
                let grid = collections.last_mut().unwrap().1.last_mut().unwrap();
                match place[place.len() - 2].as_str() {
                    "Topology" => grid.connectivity = item,
                    "Geometry" => grid.points = item,
                    "Attribute" => grid.arrays.last_mut().unwrap().data = item,
                    other => panic!("data in {other}"),
                }
            }
            _ => {}
        }
    }
    collections
}

/// Nodes of each cell, after checks of codes, counts and ranges.
pub fn cells(grid: &Grid) -> Vec<(usize, Vec<usize>)> {
    let numbers: Vec<usize> = grid.connectivity.values.iter().map(|&x| x as usize).collect();
    let mut cells = Vec::new();
    let mut at = 0;
    while at < numbers.len() {
        let (code, count) = match (grid.topology.as_str(), numbers[at]) {
            ("Polyvertex", _) => (1, 1),
            ("Polyline", _) => (2, 2),
            (_, 3) => {
                at += 1;
                (3, numbers[at])
            }
            (_, code @ 6..=9) => (code, [4, 5, 6, 8][code - 6]),
            other => panic!("cell {other:?}"),
        };
        if grid.topology == "Mixed" {
            at += 1;
        }
        let nodes = numbers[at..at + count].to_vec();
        assert!(nodes.iter().all(|&n| n < grid.count()), "{nodes:?}");
        cells.push((code, nodes));
        at += count;
    }
    assert_eq!(cells.len(), grid.cells);
    cells
}

/// What holds of every file.
pub fn check(path: &Path) -> Vec<(String, Vec<Grid>)> {
    let collections = parse(path);
    for (name, grids) in &collections {
        assert!(!grids.is_empty());
        assert!(grids.windows(2).all(|g| g[0].time < g[1].time), "times of {name} ascend");
        for grid in grids {
            assert_eq!(grid.points.dims, [grid.count(), 3]);
            cells(grid);
            for a in &grid.arrays {
                let rows = match a.center.as_str() {
                    "Node" => grid.count(),
                    "Cell" => grid.cells,
                    other => panic!("{other}"),
                };
                match a.kind.as_str() {
                    "Scalar" => assert_eq!(a.data.dims, [rows], "{name}: {}", a.name),
                    "Vector" => assert_eq!(a.data.dims, [rows, 3], "{name}: {}", a.name),
                    "Tensor6" => assert_eq!(a.data.dims, [rows, 6], "{name}: {}", a.name),
                    other => panic!("{other}"),
                }
            }
            let names: Vec<&str> = grid.arrays.iter().map(|a| a.name.as_str()).collect();
            let first: Vec<&str> = grids[0].arrays.iter().map(|a| a.name.as_str()).collect();
            assert_eq!(names, first, "the same arrays in all steps of {name}");
        }
    }
    collections
}

pub fn one(path: &Path) -> Vec<Grid> {
    let mut collections = check(path);
    assert_eq!(collections.len(), 1);
    collections.remove(0).1
}

/// Numbers of the cells of the markup as VTK has them.
fn vtk_number(code: usize) -> usize {
    match code {
        1 => 1,
        2 => 3,
        3 => 7,
        6 => 10,
        7 => 14,
        8 => 13,
        9 => 12,
        other => panic!("cell {other}"),
    }
}

/// The vtk wheel reads `files` (XDMF or VTKHDF), all of which must show exactly what is in the markup `truth`.
pub fn vtk_reads(truth: &Path, files: &[PathBuf]) {
    let Some(python) = python_with("vtk") else { return };
    let step = |grid: &Grid| {
        let cells: Vec<Vec<usize>> =
            cells(grid).into_iter().map(|(code, nodes)| [vec![vtk_number(code)], nodes].concat()).collect();
        let arrays: serde_json::Map<String, serde_json::Value> =
            grid.arrays.iter().map(|a| (a.name.clone(), a.data.values.clone().into())).collect();
        let points = if grid.points.single { "float32" } else { "float64" };
        serde_json::json!({"time": grid.time, "type": points, "points": grid.points.values, "cells": cells, "arrays": arrays})
    };
    let steps: Vec<_> = one(truth).iter().map(step).collect();
    let expected = truth.with_extension("json");
    std::fs::write(&expected, serde_json::json!({"files": files, "steps": steps}).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../paraview/readers.py");
    let done = Command::new(&python).arg(script).arg(&expected).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{said}");
}

/// The readers of a real ParaView, if there is one, see cells, points and arrays of every step as the files say.
pub fn paraview_reads(files: &[PathBuf]) {
    let found = |program: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    };
    if !found("pvbatch") || !found("Xvfb") {
        not_here("no pvbatch; 'make deps-paraview' installs it");
        return;
    }
    let entry = |path: &PathBuf| {
        let step = |g: &Grid| {
            let sum = |a: &Array| a.data.values.iter().sum::<f64>();
            let arrays: serde_json::Map<String, serde_json::Value> =
                g.arrays.iter().map(|a| (a.name.clone(), sum(a).into())).collect();
            serde_json::json!({"time": g.time, "cells": g.cells, "points": g.count(), "arrays": arrays})
        };
        let steps: Vec<_> = one(path).iter().map(step).collect();
        serde_json::json!({"file": path, "steps": steps})
    };
    let expected: Vec<_> = files.iter().map(entry).collect();
    let wanted = files[0].with_file_name("expected.json");
    std::fs::write(&wanted, serde_json::to_vec(&expected).unwrap()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../paraview/check.py");
    // Xvfb tells its number once it answers; a display that is not up yet would make pvbatch abort.
    let mut display = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "640x480x24"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut number = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(display.stdout.take().unwrap()), &mut number).unwrap();
    let mut pvbatch = Command::new("pvbatch");
    let output = pvbatch.env("DISPLAY", format!(":{}", number.trim())).arg(&script).arg(&wanted).output().unwrap();
    display.kill().unwrap();
    display.wait().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    println!("{said}");
}
