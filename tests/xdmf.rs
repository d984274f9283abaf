//! sf-xdmf: every markup is parsed, every reference followed into the HDF5, every number checked.

mod synthetic;

use std::io::Write;
use std::path::{Path, PathBuf};

use hdf5::types::{FloatSize, IntSize, TypeDescriptor};
use quick_xml::events::{BytesStart, Event};
use quick_xml::Reader;
use synthetic::*;

/// Accuracy of values that went through one rotation.
const ROUND_OFF: f64 = 1e-13;

/// A dataset as the markup refers to it, with what is in it.
#[derive(Debug, Clone, Default)]
struct Item {
    dims: Vec<usize>,
    values: Vec<f64>,
}

#[derive(Debug, Clone, Default)]
struct Array {
    name: String,
    kind: String,
    center: String,
    data: Item,
}

/// A uniform grid of a temporal collection.
#[derive(Debug, Clone, Default)]
struct Grid {
    time: f64,
    topology: String,
    cells: usize,
    connectivity: Item,
    points: Item,
    arrays: Vec<Array>,
}

impl Grid {
    fn array(&self, name: &str) -> &Array {
        self.arrays.iter().find(|a| a.name == name).unwrap_or_else(|| panic!("no array {name}"))
    }

    fn count(&self) -> usize {
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
        ("Float", "8") => TypeDescriptor::Float(FloatSize::U8),
        ("Int", "4") => TypeDescriptor::Integer(IntSize::U4),
        ("Int", "8") => TypeDescriptor::Integer(IntSize::U8),
        other => panic!("{path}: {other:?}"),
    };
    assert_eq!(stored, said, "{path}");
    let values: Vec<f64> = set.read_raw().unwrap();
    assert!(values.iter().all(|x| x.is_finite()), "{path} is finite");
    Item { dims, values }
}

/// All temporal collections of a file: name and grids.
fn parse(path: &Path) -> Vec<(String, Vec<Grid>)> {
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
                        if grid.topology == "Polyvertex" {
                            assert_eq!(attribute(&tag, "NodesPerElement"), "1");
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
fn cells(grid: &Grid) -> Vec<(usize, Vec<usize>)> {
    let numbers: Vec<usize> = grid.connectivity.values.iter().map(|&x| x as usize).collect();
    let mut cells = Vec::new();
    let mut at = 0;
    while at < numbers.len() {
        let (code, count) = match (grid.topology.as_str(), numbers[at]) {
            ("Polyvertex", _) => (1, 1),
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
fn check(path: &Path) -> Vec<(String, Vec<Grid>)> {
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

fn one(path: &Path) -> Vec<Grid> {
    let mut collections = check(path);
    assert_eq!(collections.len(), 1);
    collections.remove(0).1
}

fn export(args: &[&str]) -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    let viz = scratch.path("viz");
    let mut all = vec![results.to_str().unwrap(), "-o", viz.to_str().unwrap()];
    all.extend(args);
    let output = tool("sf-xdmf", &all);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(output.stdout.is_empty() || args.contains(&"--json"));
    (scratch, viz)
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < ROUND_OFF), "{a:?} {b:?}");
}

#[test]
fn bodies_are_one_grid_that_moves() {
    let (_scratch, viz) = export(&[]);
    let grids = one(&viz.join("synthetic_bodies.xmf"));
    assert_eq!(grids.len(), FRAMES);
    for (k, grid) in grids.iter().enumerate() {
        let t = k as f64 * INTERVAL;
        assert_eq!(grid.time, t, "times are exact");
        // hexahedron, six faces of each cube, wedge, tetrahedron, pyramid
        let cubes = if k < BIRTH { 1 } else { 2 };
        assert_eq!(grid.cells, 4 + 6 * cubes);
        let mut codes: Vec<usize> = cells(grid).iter().map(|c| c.0).filter(|&c| c != 3).collect();
        codes.sort_unstable();
        assert_eq!(codes, [6, 7, 8, 9]);
        // Point (1,0,0) of the BOX turns about the axis through (½,½).
        let body = &grid.array("body").data.values;
        let of_box = |id: f64| {
            cells(grid).iter().zip(body).filter(|(_, &b)| b == id).flat_map(|(c, _)| c.1.clone()).collect::<Vec<_>>()
        };
        let nodes = of_box(2.0);
        let disp = &grid.array("displacement").data.values;
        let velo = &grid.array("velocity").data.values;
        let x = &grid.points.values;
        let corner = *nodes
            .iter()
            .find(|&&n| {
                let reference: Vec<f64> = (0..3).map(|i| x[3 * n + i] - disp[3 * n + i]).collect();
                (reference[0] - 1.0).abs() + reference[1].abs() + reference[2].abs() < ROUND_OFF
            })
            .unwrap();
        let (s, c) = t.sin_cos();
        close(&x[3 * corner..3 * corner + 3], &[0.5 + 0.5 * (c + s), 0.5 + 0.5 * (s - c), 0.0]);
        close(&velo[3 * corner..3 * corner + 3], &[0.5 * (c - s), 0.5 * (c + s), 0.0]);
    }
    let g = &grids[0];
    let of = |name: &str| g.array(name).data.values.clone();
    assert_eq!(g.array("surfid").center, "Cell");
    assert_eq!(of("body"), [1.0, 5.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 4.0, 4.0]);
    assert_eq!(of("kind"), [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0]);
    assert_eq!(of("surfid"), [3.0, 3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 3.0, 3.0]);
    assert_eq!(of("volid"), [7.0, 7.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 7.0, 7.0]);
}

#[test]
fn wedges_look_as_vtk_wants_them() {
    let (_scratch, viz) = export(&[]);
    let grid = &one(&viz.join("synthetic_bodies.xmf"))[0];
    let (_, n) = cells(grid).into_iter().find(|c| c.0 == 8).unwrap();
    let x = |i: usize| solfec::math::Vec3::from_column_slice(&grid.points.values[3 * n[i]..3 * n[i] + 3]);
    let normal = (x(1) - x(0)).cross(&(x(2) - x(0)));
    assert!(normal.dot(&(x(3) - x(0))) < 0.0, "the first triangle looks away from the second");
}

#[test]
fn spheres_are_points_with_a_radius() {
    let (_scratch, viz) = export(&[]);
    let grids = one(&viz.join("synthetic_points.xmf"));
    assert_eq!(grids.len(), FRAMES);
    let last = &grids[4];
    let t = 4.0 * INTERVAL;
    let fall = -0.5 * GRAVITY * t * t;
    close(&last.points.values, &[3.0, 0.0, HEIGHT + fall]);
    close(&last.array("displacement").data.values, &[0.0, 0.0, fall]);
    close(&last.array("velocity").data.values, &[0.0, 0.0, -GRAVITY * t]);
    assert_eq!(last.array("radius").data.values, [0.5]);
    assert_eq!(last.array("body").data.values, [3.0]);
}

/// A frame without contacts has one point without force: no reader need be trusted with a grid of no points, and none
/// shows the reactions of another step.
#[test]
fn contacts_are_links_into_the_results() {
    let (scratch, viz) = export(&[]);
    let grids = one(&viz.join("synthetic_contacts.xmf"));
    let counts: Vec<usize> = grids.iter().map(Grid::count).collect();
    assert_eq!(counts, [1, 1, 2, 1, 4]);
    for nothing in [&grids[0], &grids[3]] {
        assert_eq!(nothing.array("id").data.values, [0.0]);
        assert_eq!(nothing.array("force").data.values, [0.0; 3]);
    }
    let last = &grids[4];
    assert_eq!(last.time, 4.0 * INTERVAL);
    close(&last.points.values[..6], &[0.0, 0.5, 0.0, 1.0, 0.5, 0.0]);
    close(&last.array("force").data.values[9..], &[-2.0, -1.0, 6.0]);
    close(&last.array("gap").data.values, &[-1e-5, -2e-5, -3e-5, -4e-5]);
    close(&last.array("area").data.values, &[0.25; 4]);
    close(&last.array("normal").data.values[..3], &[0.0, 0.0, 1.0]);
    // t1 U1 + t2 U2 + n U3
    close(&last.array("relative_velocity").data.values[..3], &[-0.2, -0.1, 0.0]);
    assert_eq!(last.array("id").data.values, [40.0, 41.0, 42.0, 43.0]);
    assert_eq!(last.array("master").data.values, [2.0; 4]);
    assert_eq!(last.array("slave").data.values, [1.0; 4]);
    let heavy = hdf5::File::open(viz.join("synthetic_contacts.xmf.h5")).unwrap();
    let force = heavy.dataset("/contacts/frame000004/force").unwrap();
    assert!(force.layout() == hdf5::dataset::Layout::Virtual, "linked, not copied");
    drop((heavy, force));
    // The tree that holds both can be moved.
    let moved = Scratch::new();
    std::fs::rename(scratch.path("synthetic"), moved.path("synthetic")).unwrap();
    std::fs::rename(&viz, moved.path("viz")).unwrap();
    let again = one(&moved.path("viz").join("synthetic_contacts.xmf"));
    close(&again[4].array("gap").data.values, &[-1e-5, -2e-5, -3e-5, -4e-5]);
}

#[test]
fn copies_stand_alone() {
    let (scratch, viz) = export(&["--copy"]);
    std::fs::remove_dir_all(scratch.path("synthetic")).unwrap();
    let grids = one(&viz.join("synthetic_contacts.xmf"));
    close(&grids[2].array("gap").data.values, &[-1e-5, -2e-5]);
}

#[test]
fn subsets_frames_and_arrays() {
    let (_scratch, viz) = export(&["--subset", "BOX", "--subset", "id:5", "--time", "0.1:0.3", "--attr", "DISP"]);
    let grids = one(&viz.join("synthetic_bodies.xmf"));
    assert_eq!(grids.len(), 3);
    assert_eq!(grids[0].cells, 7);
    assert!(grids[0].arrays.iter().all(|a| a.name != "velocity"));
    assert!(!viz.join("synthetic_contacts.xmf").exists(), "the floor is not in the subset");
    assert!(!viz.join("synthetic_points.xmf").exists());
    assert_eq!(std::fs::read_dir(&viz).unwrap().count(), 2, "nothing else is left");
    let (_scratch, viz) = export(&["--subset", "BOX", "--subset", "FLOOR", "--time", "last"]);
    assert_eq!(one(&viz.join("synthetic_contacts.xmf"))[0].count(), 4);
}

#[test]
fn one_file_for_all() {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    let file = scratch.path("all.xmf");
    let output = tool("sf-xdmf", &[results.to_str().unwrap(), "-o", file.to_str().unwrap(), "--single", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["files"][0]["steps"], serde_json::json!([5, 5, 5]));
    let names: Vec<String> = check(&file).into_iter().map(|c| c.0).collect();
    assert_eq!(names, ["bodies", "points", "contacts"]);
}

#[test]
fn a_model_is_shown_without_running() {
    let scratch = Scratch::new();
    let path = scratch.path("m.sfm.h5");
    let file = solfec_formats::model::ModelFile { domains: vec![model()], ..Default::default() };
    solfec_formats::model::write_file(&path, &file).unwrap();
    let viz = scratch.path("viz");
    let output = tool("sf-xdmf", &["--initial", path.to_str().unwrap(), "-o", viz.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    let grids = one(&viz.join("synthetic_bodies.xmf"));
    assert_eq!((grids.len(), grids[0].cells), (1, 10), "the late body is not there yet");
    assert!(grids[0].array("displacement").data.values.iter().all(|&d| d == 0.0));
    assert_eq!(one(&viz.join("synthetic_points.xmf"))[0].count(), 1);
}

/// ACC-14, the readers of ParaView: cells, points and arrays of every step as the files say.
#[test]
fn paraview_reads_all_files() {
    let found = |program: &str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    };
    if !found("pvbatch") || !found("Xvfb") {
        let _ = writeln!(std::io::stderr(), "skipped: no pvbatch; 'make deps-paraview' installs it");
        return;
    }
    let (_scratch, viz) = export(&[]);
    let mut expected = Vec::new();
    for family in ["bodies", "points", "contacts"] {
        let path = viz.join(format!("synthetic_{family}.xmf"));
        let steps: Vec<_> = one(&path)
            .iter()
            .map(|g| {
                let sum = |a: &Array| a.data.values.iter().sum::<f64>();
                let arrays: serde_json::Map<String, serde_json::Value> =
                    g.arrays.iter().map(|a| (a.name.clone(), sum(a).into())).collect();
                serde_json::json!({"time": g.time, "cells": g.cells, "points": g.count(), "arrays": arrays})
            })
            .collect();
        expected.push(serde_json::json!({"file": path, "steps": steps}));
    }
    let wanted = viz.join("expected.json");
    std::fs::write(&wanted, serde_json::to_vec(&expected).unwrap()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/paraview/check.py");
    // Xvfb tells its number once it answers; a display that is not up yet would make pvbatch abort.
    let mut display = std::process::Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "640x480x24"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut number = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(display.stdout.take().unwrap()), &mut number).unwrap();
    let mut pvbatch = std::process::Command::new("pvbatch");
    let output = output(pvbatch.env("DISPLAY", format!(":{}", number.trim())).arg(&script).arg(&wanted));
    display.kill().unwrap();
    display.wait().unwrap();
    let said = format!("{}{}", stdout(&output), stderr(&output));
    assert!(output.status.success(), "{said}");
    println!("{said}");
}
