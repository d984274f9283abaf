//! sf-modal and sf-mm-export: tables, files, mode shapes, bases, and SciPy as an independent solver.

use std::process::Stdio;

use tools_testing::markup::{one, Grid};
use tools_testing::process::*;
use tools_testing::python::python_with;
use tools_testing::scratch::Scratch;

const BAR: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/bar')
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0.25, density=1E3)
nodes = [0,0,0, 1,0,0, 1,.1,0, 0,.1,0, 0,0,.1, 1,0,.1, 1,.1,.1, 0,.1,.1]
bar = BODY(solfec, 'FINITE_ELEMENT', HEX(nodes, 10, 2, 1, 1, [1]*6), bulk, label='BAR')
ball = BODY(solfec, 'RIGID', SPHERE((5, 0, 0), 1, 1, 1), bulk, label='BALL')
FIX_POINT(bar, (0, 0, 0))
GRAVITY(solfec, (0, 0, -1))
OUTPUT(solfec, 0.05)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 100), 1)
";

/// Runs a line of the shell in a folder with the tools on its path.
fn shell(folder: &Scratch, line: &str) -> std::process::Output {
    let path = format!("{}:{}", bin().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = std::process::Command::new("bash");
    command.args(["-c", line]).current_dir(folder.path("")).env("PATH", path).stdin(Stdio::null());
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    output(&mut command)
}

fn told(folder: &Scratch, line: &str) -> String {
    let output = shell(folder, line);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    stdout(&output)
}

fn made() -> Scratch {
    let folder = Scratch::new();
    folder.write("bar.py", BAR);
    told(&folder, "sf-build -q -o bar.sfm.h5 bar.py");
    folder
}

/// Columns of the CSV table.
fn table(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().expect("a number")).collect()).collect()
}

/// SciPy reads the matrices, as text and as archives, and finds the eigenvalues of sf-modal.
#[test]
fn scipy_finds_the_same_eigenvalues() {
    let Some(python) = python_with("scipy") else { return };
    let folder = made();
    told(&folder, "sf-mm-export bar.sfm.h5 -M M.mtx -K K.mtx && sf-mm-export bar.sfm.h5 -M M.npz -K K.npz");
    told(&folder, "sf-mm-export bar.sfm.h5 --general -K G.mtx && sf-mm-export bar.sfm.h5 -K - | cmp - K.mtx");
    let values: Vec<f64> = table(&told(&folder, "sf-modal -n 20 --csv bar.sfm.h5")).iter().map(|row| row[2]).collect();
    folder.write(
        "eigen.py",
        "import scipy.io, scipy.sparse, scipy.sparse.linalg\n\
         K, M = scipy.io.mmread('K.mtx').tocsc(), scipy.io.mmread('M.mtx').tocsc()\n\
         assert abs(K - scipy.sparse.load_npz('K.npz')).max() == 0 == abs(M - scipy.sparse.load_npz('M.npz')).max()\n\
         assert abs(K - scipy.io.mmread('G.mtx')).max() == 0 == abs(K - K.T).max()\n\
         x, y = scipy.sparse.linalg.eigsh(K, 20, M, sigma=-100, tol=1e-14)\n\
         print(*(float(x) for x in x))\n",
    );
    let python = python.display();
    let scipy: Vec<f64> =
        told(&folder, &format!("{python} eigen.py")).split_whitespace().map(|x| x.parse().unwrap()).collect();
    assert_eq!(scipy.len(), values.len());
    for (k, (found, expected)) in values.iter().zip(&scipy).enumerate() {
        assert!((found - expected).abs() < 1e-8 * expected.max(scipy[6]), "mode {}: {found}, not {expected}", k + 1);
    }
}

/// Frequencies follow from eigenvalues; the effective masses of rigid modes are all of the mass; files of modes are told
/// apart by their hashes.
#[test]
fn modes_are_printed_and_kept() {
    let folder = made();
    let text = told(&folder, "sf-modal -n 8 bar.sfm.h5 -o bar.modal.h5");
    assert!(
        text.starts_with("body 1 'BAR' (deck line 5): 66 nodes, mass 10.000000 kg (shape: 10.000000 kg)\n"),
        "{text}"
    );
    let rows = table(&told(&folder, "sf-modal -n 8 --csv --body BAR bar.sfm.h5"));
    assert_eq!(rows.len(), 8);
    for row in &rows {
        let frequency = row[2].sqrt() / std::f64::consts::TAU;
        assert!((row[3] - frequency).abs() <= 1e-12 * frequency && row[4] < 1e-9, "{row:?}");
    }
    for axis in 5..8 {
        let rigid: f64 = rows[..6].iter().map(|row| row[axis]).sum();
        assert!((rigid - 10.0).abs() < 1e-9 && rows[6..].iter().all(|row| row[axis] < 1e-9), "{rigid}");
    }
    told(&folder, "sf-modal --check bar.modal.h5 bar.sfm.h5 && sf-info bar.modal.h5 | grep -q 'modes, 8 vectors'");
    folder.write("bar.py", &BAR.replace("young=1E6", "young=2E6"));
    told(&folder, "sf-build -q -o other.sfm.h5 bar.py");
    folder.write("bar.py", &BAR.replace("10, 2, 1", "10, 1, 1"));
    told(&folder, "sf-build -q -o third.sfm.h5 bar.py");
    for (line, code, says) in [
        ("sf-modal --check bar.modal.h5 other.sfm.h5", 1, "another material"),
        ("sf-modal --check bar.modal.h5 third.sfm.h5", 1, "another mesh"),
        ("sf-modal --body BALL bar.sfm.h5", 3, "is not of finite elements"),
        ("sf-modal --body BAT bar.sfm.h5", 3, "no body has this label or id"),
        ("sf-modal -n 500 bar.sfm.h5", 3, "give a number from 1 to 198"),
        ("sf-modal bar.sfm.h5 -o bar.modal.h5", 4, "exists"),
        ("sf-mm-export bar.sfm.h5", 2, "required"),
        ("sf-mm-export -M - -K - bar.sfm.h5", 2, "takes one matrix"),
    ] {
        let output = shell(&folder, line);
        let text = stderr(&output);
        assert!(output.status.code() == Some(code) && text.contains(says), "{line}: {:?} {text}", output.status);
    }
}

/// Each mode is a step of the export: the displacement is the mode, as large as was asked for.
#[test]
fn mode_shapes_are_shown() {
    let folder = made();
    told(&folder, "sf-modal -n 8 bar.sfm.h5 --xdmf shapes --scale 0.2");
    let grids: Vec<Grid> = one(&folder.path("shapes/modes_bodies.xmf"));
    assert_eq!(grids.len(), 8);
    for (k, grid) in grids.iter().enumerate() {
        assert_eq!(grid.time, (k + 1) as f64);
        let moved = &grid.array("displacement").data.values;
        let largest = moved.chunks(3).map(|u| u.iter().map(|x| x * x).sum::<f64>().sqrt()).fold(0.0, f64::max);
        let size = (1.0_f64 + 0.01 + 0.01).sqrt();
        assert!((largest - 0.2 * size).abs() < 1e-12, "mode {}: {largest}", k + 1);
    }
}

/// Displacements of a bar that swings make a base; the bar confined to it swings alike.
#[test]
fn a_base_of_snapshots_carries_the_motion() {
    let folder = made();
    told(&folder, "sf-run -q -o whole bar.sfm.h5 && sf-modal pod --from whole -n 10 -o bar.pod.h5");
    told(&folder, "sf-modal register bar.sfm.h5 bar.pod.h5 --label POD --body BAR --form BC-RO -o reduced.sfm.h5");
    told(&folder, "sf-run -q -o reduced reduced.sfm.h5");
    let tip = |results: &str| {
        let text = told(&folder, &format!("sf-history {results} 'DZ@label:BAR(1,.05,.05)'"));
        table(&text).iter().map(|row| row[1]).collect::<Vec<f64>>()
    };
    let (whole, reduced) = (tip("whole"), tip("reduced"));
    let largest = whole.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let apart = whole.iter().zip(&reduced).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(largest > 0.1 && apart < 0.02 * largest, "{apart} of {largest}");
    let text = told(&folder, "sf-modal --at-frame whole:0.5 -n 8 bar.sfm.h5");
    assert!(text.contains("body 1 'BAR'"), "{text}");
}
