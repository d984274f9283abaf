//! sf-locdyn-compare solve --solver SICONOS.

use std::path::PathBuf;
use std::process::{Command, Output};

use super::*;

use solfec_formats::fclib::{write_problem, Raw, Solution, Sparse};
use tools_testing::scratch::Scratch;

fn compare(file: &Path, library: Option<&str>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sf-locdyn-compare"));
    if let Some(library) = library {
        command.env("SF_SICONOS_LIBRARY", library);
    }
    command.args(["solve", "--solver", "SICONOS", "--tol", "1e-10", "--json"]).arg(file).output().expect("it runs")
}

/// A sliding contact as a file, normal first.
fn file(folder: &Scratch) -> PathBuf {
    let entries = solfec_tools::siconos::export(&slip());
    let entries = (0..9).map(|k| (k / 3, k % 3, entries.block[k])).collect();
    let raw = Raw {
        title: "sliding contact".into(),
        w: Sparse::new(3, 3, entries),
        q: vec![-2.0, 0.5, 1.0],
        mu: vec![0.3],
        ..Raw::default()
    };
    let path = folder.path("slip.hdf5");
    write_problem(&path, &raw, &Solution { r: vec![0.0; 3], u: vec![0.0; 3], l: Vec::new() }).expect("written");
    path
}

#[test]
fn a_file_is_solved() {
    let Some(_) = start(tight()) else { return };
    let folder = Scratch::new();
    let output = compare(&file(&folder), None);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one document");
    assert_eq!((document["solver"].as_str(), document["converged"].as_bool()), (Some("SICONOS_SOLVER"), Some(true)));
    assert!(document["err_siconos"].as_f64().is_some_and(|error| error <= 1e-10), "{document}");
    assert_eq!(document["iterations"], 1);
}

#[test]
fn a_missing_library_is_told() {
    let folder = Scratch::new();
    let output = compare(&file(&folder), Some("/nonexistent"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{told}");
    assert!(told.contains("apt install libsiconos-numerics7"), "{told}");
}
