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

/// Frequencies follow from eigenvalues; the effective masses of rigid modes are all of the mass; files of modes are
/// told apart by their hashes.
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
    told(&folder, "sf-run -q bar.sfm.h5 -o ran --steps 1; sf-modal --check bar.modal.h5 ran");
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
        (
            "sf-modal -n 500 --rigid none bar.sfm.h5",
            3,
            "500 modes beside 6 rigid ones are wanted; give a number from 1 to 192",
        ),
        (
            "sf-modal -n 193 --rigid none bar.sfm.h5",
            3,
            "193 modes beside 6 rigid ones are wanted; give a number from 1 to 192",
        ),
        ("sf-modal --max-iter 0 bar.sfm.h5", 2, "--max-iter"),
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

/// A body that a base of six modes confines begins with the velocity that the model gives it.
#[test]
fn a_registered_body_keeps_its_initial_velocity() {
    let folder = Scratch::new();
    let free = BAR.replace("FIX_POINT(bar, (0, 0, 0))", "INITIAL_VELOCITY(bar, (1, 2, 3), (0.1, 0.2, 0.3))");
    folder.write("bar.py", &free);
    told(&folder, "sf-build -q -o bar.sfm.h5 bar.py && sf-modal -q -n 6 -o six.modal.h5 bar.sfm.h5");
    told(&folder, "sf-modal register bar.sfm.h5 six.modal.h5 --label SIX --body BAR --form BC-MODAL -o six.sfm.h5");
    told(&folder, "sf-run -q -o whole --steps 1 bar.sfm.h5 && sf-run -q -o six --steps 1 six.sfm.h5");
    for item in ["VX@label:BAR(1,.05,.05)", "VY@label:BAR(1,.05,.05)", "VZ@label:BAR(1,.05,.05)"] {
        let [whole, six] = ["whole", "six"].map(|of| table(&told(&folder, &format!("sf-history {of} '{item}'")))[0][1]);
        assert!(whole > 0.5 && (whole - six).abs() < 1e-9, "{item}: {whole} and {six}");
    }
}

/// Displacements of a bar that swings make a base; the bar confined to it swings alike.
#[test]
fn a_base_of_snapshots_carries_the_motion() {
    let folder = made();
    told(&folder, "sf-run -q -o whole bar.sfm.h5 && sf-modal -q -j1 pod --from whole -n 10 -o bar.pod.h5");
    assert!(told(&folder, "sf-modal -j1 register --help").contains("--label"));
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
    let output = shell(&folder, "sf-modal --at-frame whole:99 -n 8 bar.sfm.h5");
    assert!(stderr(&output).contains("--at-frame whole:99: the nearest frame is at"), "{}", stderr(&output));
    for (other, what) in
        [(BAR.replace("young=1E6", "young=2E6"), "material"), (BAR.replace("10, 2, 1", "5, 5, 1"), "mesh")]
    {
        folder.write("other.py", &other);
        told(&folder, "sf-build -q -f -o other.sfm.h5 other.py");
        for line in
            ["sf-modal --at-frame whole:0.5 other.sfm.h5", "sf-mm-export --at-frame whole:0.5 other.sfm.h5 -K -"]
        {
            let (output, says) =
                (shell(&folder, line), format!("'BAR' (deck line 5) has another {what} in these results"));
            let text = stderr(&output);
            assert!(output.status.code() == Some(3) && text.contains(&says), "{line}: {text}");
        }
    }
    for time in ["nan", "inf", "soon", ""] {
        let line = format!("sf-modal --at-frame whole:{time} bar.sfm.h5");
        assert_eq!(shell(&folder, &line).status.code(), Some(2), "{line}");
    }
}

/// Without rigid modes the table and the file begin with the first elastic one; a mesh in two pieces has twelve of
/// them.
#[test]
fn rigid_modes_are_left_out_where_that_is_asked_for() {
    let folder = made();
    let all = table(&told(&folder, "sf-modal -n 10 --csv --body BAR bar.sfm.h5"));
    let elastic = table(&told(&folder, "sf-modal -n 4 --rigid none --csv --body BAR bar.sfm.h5 -o few.h5"));
    assert_eq!(elastic.len(), 4);
    for (found, known) in elastic.iter().zip(&all[6..]) {
        assert!((found[2] / known[2] - 1.0).abs() < 1e-9, "{found:?}, not {known:?}");
    }
    assert!(told(&folder, "sf-info few.h5").contains("4 vectors"));
    let two = "nodes = [0,0,0, 1,0,0, 1,.1,0, 0,.1,0, 0,0,.1, 1,0,.1, 1,.1,.1, 0,.1,.1]";
    let pieces = BAR.replace(
        "bar = BODY(solfec, 'FINITE_ELEMENT', HEX(nodes, 10, 2, 1, 1, [1]*6), bulk, label='BAR')",
        "a = list(nodes)\nb = [x + 2 * (k % 3 == 1) for k, x in enumerate(nodes)]\n\
         cells = [8, 0,1,2,3,4,5,6,7, 1, 8, 8,9,10,11,12,13,14,15, 1]\n\
         bar = BODY(solfec, 'FINITE_ELEMENT', MESH(a + b, cells, 1), bulk, label='BAR')",
    );
    assert!(pieces.contains(two) && pieces.contains("MESH(a + b"));
    folder.write("bar.py", &pieces);
    told(&folder, "sf-build -q -f -o two.sfm.h5 bar.py");
    let rows = table(&told(&folder, "sf-modal -n 3 --rigid none --csv --body BAR two.sfm.h5"));
    assert!(rows.len() == 3 && rows.iter().all(|row| row[2] > 1.0), "{rows:?}");
    let output = shell(&folder, "sf-modal -n 37 --rigid none --body BAR two.sfm.h5");
    assert!(stderr(&output).contains("37 modes beside 12 rigid ones"), "{}", stderr(&output));
}

/// A body whose shape fills its background mesh has the matrices and the modes of the body whose shape is that mesh;
/// one that fills a part of it is lighter. Shapes are shown, and frames taken, of both.
#[test]
fn bodies_in_a_background_mesh_have_modes() {
    let folder = Scratch::new();
    let deck = "
solfec = SOLFEC('DYNAMIC', 1E-4, 'out/bars')
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0.25, density=1E3)
def hull(y, a):
    points = [(x, y + s, z) for x in (a, 1 - a) for s in (a, .1 - a) for z in (a, .1 - a)]
    return HULL([c for point in points for c in point], 1, 1)
def box(y):
    return BOX((0, y, 0), (1, y + .1, .1), 1, 1, i=10, j=2, k=2)
own = BODY(solfec, 'FINITE_ELEMENT', box(0), bulk, label='OWN', form='TL')
full = BODY(solfec, 'FINITE_ELEMENT', hull(0, 0), bulk, label='FULL', form='TL', mesh=box(0))
part = BODY(solfec, 'FINITE_ELEMENT', hull(0, .02), bulk, label='PART', form='TL', mesh=box(0))
made = [MODAL_ANALYSIS(body, 12)[0][6] for body in (own, full, part)]
assert abs(made[0] - made[1]) < 1E-6 * made[0] and made[2] > 1.0
BODY_MM_EXPORT(part, 'M.mtx', 'K.mtx')
INITIAL_VELOCITY(part, (1, 0, 0), (0, 0, 0))
OUTPUT(solfec, 1E-3)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 100), 1E-3)
";
    folder.write("bars.py", deck);
    told(&folder, "sf-build -q -o bars.sfm.h5 bars.py && sf-run -q -o out bars.sfm.h5");
    let of = |more: &str| table(&told(&folder, &format!("sf-modal -n 20 --csv bars.sfm.h5 {more}")));
    let (own, full) = (of("--body OWN"), of("--body FULL"));
    for (own, full) in own.iter().zip(&full) {
        assert!((own[2] - full[2]).abs() <= 1e-6 * own[2].abs(), "{full:?}, not {own:?}");
    }
    let part = of("--body PART --xdmf shapes -o part.h5");
    let mass: f64 = part[..6].iter().map(|row| row[5]).sum();
    assert!((mass - 1e3 * 0.96 * 0.06 * 0.06).abs() < 1e-6, "{mass}");
    told(
        &folder,
        "sf-modal --check part.h5 bars.sfm.h5 --body PART && sf-mm-export bars.sfm.h5 --body PART -M - > M2.mtx",
    );
    told(&folder, "cmp M.mtx M2.mtx");
    let moved = of("--body PART --at-frame out:1e-3");
    assert!((moved[8][2] / part[8][2] - 1.0).abs() < 1e-3, "{moved:?}, not {part:?}");
}

/// HDF5 files of matrices hold the entries of the MatrixMarket files; a body of two materials has the stiffness of two
/// springs in series.
#[test]
fn matrices_go_to_hdf5() {
    let Some(python) = python_with("h5py") else { return };
    let folder = Scratch::new();
    let deck = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/two')
soft = BULK_MATERIAL(solfec, young=1E6, poisson=0, density=1E3)
hard = BULK_MATERIAL(solfec, label='HARD', young=3E6, poisson=0, density=2E3)
nodes = [x for k in range(3) for y, z in ((0, 0), (1, 0), (1, 1), (0, 1)) for x in (k, y, z)]
bar = BODY(solfec, 'FINITE_ELEMENT', MESH(nodes, [8, 0,1,2,3,4,5,6,7, 1, 8, 4,5,6,7,8,9,10,11, 2], 1), soft, label='BAR')
APPLY_BULKMAT(solfec, bar, 2, hard)
";
    folder.write("two.py", deck);
    told(&folder, "sf-build -q -o two.sfm.h5 two.py && sf-mm-export two.sfm.h5 -M M.h5 -K K.mtx --general");
    told(&folder, "sf-mm-export two.sfm.h5 -K K.h5 && sf-mm-export two.sfm.h5 --h5 -M mass");
    folder.write(
        "read.py",
        "import h5py\n\
         def read(name):\n\
         \x20   with h5py.File(name) as f:\n\
         \x20       assert f.attrs['format'] == 'solfec-matrix' and list(f.attrs['shape']) == [36, 36]\n\
         \x20       return dict(zip(zip(f['row'][:].tolist(), f['col'][:].tolist()), f['data'][:].tolist()))\n\
         K, M = read('K.h5'), read('M.h5')\n\
         assert M == read('mass')\n\
         text = [line.split() for line in open('K.mtx') if not line.startswith('%')][1:]\n\
         assert K == {(int(i) - 1, int(j) - 1): float(x) for i, j, x in text}\n\
         # Planes moved along x by 0, 1 and 1 + 1/3: forces of both springs are equal, and E A.\n\
         u = [(0, 1, 1 + 1 / 3)[n // 4] for n in range(12)]\n\
         def plane(k): return sum(K.get((3 * a, 3 * b), 0) * u[b] for a in range(4 * k, 4 * k + 4) for b in range(12))\n\
         print(plane(0), plane(1), plane(2), sum(M.values()) / 3)\n",
    );
    let printed = told(&folder, &format!("{} read.py", python.display()));
    let found: Vec<f64> = printed.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    for (found, known) in found.iter().zip([-1e6, 0.0, 1e6, 3000.0]) {
        assert!((found - known).abs() < 1e-6, "{printed}");
    }
    let refused = shell(&folder, "sf-mm-export two.sfm.h5 --h5 -K -");
    assert!(refused.status.code() == Some(2) && stderr(&refused).contains("name a file"), "{}", stderr(&refused));
}
