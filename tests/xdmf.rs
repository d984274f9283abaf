//! sf-xdmf: every markup is parsed, every reference followed into the HDF5, every number checked.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use tools_testing::markup::*;
use tools_testing::process::*;
use tools_testing::scratch::Scratch;
use tools_testing::synthetic::*;

/// Accuracy of values that went through one rotation.
const ROUND_OFF: f64 = 1e-13;

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
        let body = &grid.array("BID").data.values;
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
    assert_eq!(of("BID"), [1.0, 5.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 4.0, 4.0]);
    assert_eq!(of("kind"), [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 2.0]);
    assert_eq!(of("surfid"), [3.0, 3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 3.0, 3.0]);
    assert_eq!(of("volid"), [7.0, 7.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 7.0, 7.0]);
}

/// The first triangle of a wedge looks away from the second, as VTK up to 9.2 (ParaView 5.11) wants it.
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
    assert_eq!(last.array("BID").data.values, [3.0]);
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
    assert_eq!(std::fs::read_dir(&viz).unwrap().count(), 3, "nothing but the table of labels is left");
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

/// The readers of ParaView return cells, points and arrays of every step as they were written.
#[test]
fn paraview_reads_all_files() {
    let (_scratch, viz) = export(&["--attr", ALL]);
    paraview_reads(&["bodies", "points", "contacts"].map(|family| viz.join(format!("synthetic_{family}.xmf"))));
}

const ALL: &str = "DISP,VELO,STRESS,REAC,RELV,GAP,ENERGY,MISES";

/// Both formats, read by the vtk wheel, hold the same numbers.
#[test]
fn vtk_reads_both_formats() {
    let (scratch, viz) = export(&["--attr", ALL]);
    let results = scratch.path("synthetic");
    let vtkhdf = ["--format", "vtkhdf", "--attr", ALL];
    let output = tool("sf-xdmf", &[&[results.to_str().unwrap(), "-o", viz.to_str().unwrap()], &vtkhdf[..]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    for family in ["bodies", "points", "contacts"] {
        let file = |ending: &str| viz.join(format!("synthetic_{family}.{ending}"));
        vtk_reads(&file("xmf"), &[file("xmf"), file("vtkhdf")]);
    }
}

/// The pseudo-rigid body is stretched by F = diag(1 + t, 1, 1); rigid bodies have no stress.
#[test]
fn stress_and_energies() {
    let (_scratch, viz) = export(&["--attr", "STRESS,MISES,ENERGY", "--time", "last"]);
    let grid = &one(&viz.join("synthetic_bodies.xmf"))[0];
    let stress = grid.array("stress");
    assert_eq!((stress.kind.as_str(), stress.center.as_str()), ("Tensor6", "Cell"));
    // E_xx = ((1+t)² - 1) / 2, S = λ E_xx I + 2 μ E_xx e_x e_x, σ = F S Fᵀ / J, with E = 1e9, ν = 1/4: λ = μ = 4e8.
    let f: f64 = 1.0 + 4.0 * INTERVAL;
    let e = 0.5 * (f * f - 1.0);
    let (xx, yy) = (f * 3.0 * 4e8 * e, 4e8 * e / f);
    for (i, &id) in grid.array("BID").data.values.iter().enumerate() {
        let wanted = if id == 4.0 { [xx, 0.0, 0.0, yy, 0.0, yy] } else { [0.0; 6] };
        let got = &stress.data.values[6 * i..6 * i + 6];
        assert!(got.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 1e-14 * xx), "{got:?} {wanted:?}");
        let mises = if id == 4.0 { xx - yy } else { 0.0 };
        assert!((grid.array("mises").data.values[i] - mises).abs() <= 1e-14 * xx);
        let internal = if id == 4.0 { 7.0 } else { 0.0 };
        assert_eq!(grid.array("energy_internal").data.values[i], internal);
    }
}

#[test]
fn labels_are_numbers_of_a_table() {
    let (_scratch, viz) = export(&["--time", "first"]);
    let table = std::fs::read_to_string(viz.join("synthetic_labels.csv")).unwrap();
    assert_eq!(table, "number,label\n0,\n1,FLOOR\n2,BOX\n3,BALL\n4,SOFT\n5,WEDGE\n6,LATE\n");
    let points = &one(&viz.join("synthetic_points.xmf"))[0];
    assert_eq!(points.array("label").data.values, [3.0]);
}

/// The rules of subsets (F.1, G.5): what they name in a model of which every body is one cell family.
#[test]
fn rules_of_subsets() {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    let named = |rules: &[&str]| -> Result<Vec<f64>, String> {
        let viz = Scratch::new();
        let mut args = vec![results.to_str().unwrap(), "-o", viz.to_str().unwrap(), "--time", "last"];
        rules.iter().for_each(|rule| args.extend(["--subset", rule]));
        let output = tool("sf-xdmf", &args);
        if !output.status.success() {
            return Err(stderr(&output));
        }
        let mut ids: Vec<f64> = Vec::new();
        for family in ["bodies", "points"] {
            let path = viz.path(&format!("synthetic_{family}.xmf"));
            if path.exists() {
                ids.extend(&one(&path)[0].array("BID").data.values);
            }
        }
        ids.sort_by(f64::total_cmp);
        ids.dedup();
        Ok(ids)
    };
    for (rules, wanted) in [
        (&["BO*"][..], &[2.0][..]),
        (&["re:[BW]"], &[2.0, 3.0, 5.0]),
        (&["*L*"], &[1.0, 3.0, 6.0]),
        (&["?A*"], &[3.0, 6.0]),
        (&["glob:B*"], &[2.0, 3.0]),
        (&["re:^(BOX|SOFT)$"], &[2.0, 4.0]),
        (&["label:BALL", "id:1-2"], &[1.0, 2.0, 3.0]),
        (&["box:2.9,-0.1,1.9,3.1,0.1,2.1"], &[3.0]),
        (&["kind:PSEUDO_RIGID"], &[4.0]),
        (&["material:stone"], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        (&["surf:5"], &[2.0, 3.0, 6.0]),
    ] {
        assert_eq!(named(rules).unwrap(), wanted, "{rules:?}");
    }
    let nothing = named(&["NOBODY"]).unwrap_err();
    assert!(nothing.contains("'NOBODY' names no body of 'synthetic'"), "{nothing}");
    for rule in ["re:a(", "box:1,2", "surf:top", "kind:SOFT"] {
        assert!(named(&[rule]).unwrap_err().starts_with("sf-xdmf: error: "), "{rule}");
    }
}

/// What cannot be written is said with its name, and nothing is left behind.
#[test]
fn files_that_cannot_be_written() {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    let blocked = scratch.path("blocked");
    std::fs::write(&blocked, "a file").unwrap();
    let run = |out: &Path, more: &[&str]| {
        let output = tool("sf-xdmf", &[&[results.to_str().unwrap(), "-o", out.to_str().unwrap()], more].concat());
        (output.status.code().unwrap(), stderr(&output))
    };
    for format in ["xdmf", "vtkhdf"] {
        let (code, told) = run(&blocked, &["--format", format]);
        assert!(code == 4 && told.contains("is not a folder"), "{told}");
    }
    let viz = scratch.path("viz");
    assert_eq!(run(&viz, &["--format", "vtkhdf"]).0, 0);
    let (code, told) = run(&viz, &["--format", "vtkhdf"]);
    assert!(code == 4 && told.contains("exists; use --force"), "{told}");
    assert_eq!(run(&viz, &["--format", "vtkhdf", "--force"]).0, 0);
    assert_eq!(run(&viz, &["--format", "vtkhdf", "--single"]).0, 2);
    assert!(std::fs::read_dir(&viz).unwrap().all(|e| !e.unwrap().path().to_string_lossy().ends_with(".part")));
}

/// The ending of `-o` determines the format; impossible combinations are refused.
#[test]
fn the_command_line_is_taken_at_its_word() {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    let model_file = scratch.path("m.sfm.h5");
    let file = solfec_formats::model::ModelFile { domains: vec![model()], ..Default::default() };
    solfec_formats::model::write_file(&model_file, &file).unwrap();
    let at = |name: &str| scratch.path(name).to_str().unwrap().to_string();
    let run = |args: &[&str]| {
        let output = tool("sf-xdmf", args);
        (output.status.code().unwrap(), stderr(&output))
    };
    assert_eq!(run(&[&at("synthetic"), "-o", &at("q/a.vtkhdf")]).0, 0);
    assert!(scratch.path("q/a_bodies.vtkhdf").is_file() && !scratch.path("q/a.vtkhdf").exists());
    assert_eq!(run(&["--initial", &at("m.sfm.h5"), "-o", &at("r"), "--time", "0"]).0, 2);
    assert_eq!(run(&["--initial", &at("m.sfm.h5"), "-o", &at("r"), "--every", "2"]).0, 2);
    for held in ["synthetic", "synthetic/synthetic.sfr.h5"] {
        let (code, told) = run(&["--initial", &at(held), "-o", &at("r")]);
        assert!(code == 2 && told.contains("holds results; give a model file, or leave out --initial"), "{told}");
    }
    assert!(!scratch.path("r").exists());
}

/// `--follow` may be there before the results are.
#[test]
fn a_follower_waits_for_results() {
    let scratch = Scratch::new();
    let (results, viz) = (scratch.path("synthetic"), scratch.path("viz"));
    let mut follower = std::process::Command::new(binary("sf-xdmf"));
    follower.args([results.to_str().unwrap(), "-o", viz.to_str().unwrap(), "--follow"]);
    let mut follower = spawn(follower.stderr(std::process::Stdio::piped()));
    let mut told = BufReader::new(follower.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.any(|line| line.contains("waiting for results in")));
    assert!(follower.try_wait().unwrap().is_none(), "it waits");
    write_results(&results);
    let rest: Vec<String> = told.collect();
    assert!(follower.wait().unwrap().success(), "{rest:?}");
    assert_eq!(one(&viz.join("synthetic_bodies.xmf")).len(), FRAMES);
}
