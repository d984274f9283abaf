//! CalculiX (Debian: calculix-ccx) as an independent solver: the same meshes and loads, written by `sf-mesh convert`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::{Command, Stdio};

use tools_testing::scratch::Scratch;

use super::{history, solved, told};

/// Young's modulus [Pa], Poisson's ratio, density [kg/m³].
const MATERIAL: [f64; 3] = [1e7, 0.3, 1e3];

/// Whether CalculiX can be had; says so if not, and fails where nothing may be skipped.
pub fn installed() -> bool {
    let found = Command::new("ccx").arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        println!("skipped: no ccx (Debian: apt-get install calculix-ccx)");
        assert!(std::env::var_os("SF_STRICT").is_none(), "skipped with SF_STRICT");
    }
    found
}

/// What a deck defines as its mesh: a beam of 8×2×2 m of 4n×n×n hexahedra, or of six tetrahedra in each.
fn mesh(n: usize, tetrahedra: bool) -> String {
    let hexahedra = format!(
        "
n = {n}
mesh = HEX([0,0,0, 8,0,0, 8,2,0, 0,2,0, 0,0,2, 8,0,2, 8,2,2, 0,2,2], 4 * n, n, n, 1, [1, 2, 3, 4, 5, 6])
"
    );
    let split = "
nodes, hexes, surfaces = mesh.get_data()
tets = []
for k in range(0, len(hexes), 10):
    of = hexes[k + 1:k + 9]
    for a, b in ((1, 2), (2, 3), (3, 7), (7, 4), (4, 5), (5, 1)):
        tets += [4, of[0], of[a], of[b], of[6], 1]
mesh = MESH(nodes, tets, 1)
";
    if tetrahedra {
        hexahedra + split
    } else {
        hexahedra
    }
}

/// The beam, clamped at x = 0, its end pulled aside by `force` [N], which grows for 10 of 60 steps.
fn pulled(mesh: &str, body: &str, force: f64) -> String {
    let [young, poisson, density] = MATERIAL;
    format!(
        "
solfec = SOLFEC('QUASI_STATIC', 0.2, 'out/beam')
bulk = BULK_MATERIAL(solfec, young={young}, poisson={poisson}, density={density})
{mesh}
body = BODY(solfec, 'FINITE_ELEMENT', COPY(mesh), bulk, label='BEAM', {body})
nodes = mesh.get_data()[0]
places = [tuple(nodes[k:k + 3]) for k in range(0, len(nodes), 3)]
end = [p for p in places if p[0] == 8]
for p in places:
    if p[0] == 0:
        FIX_POINT(body, p)
for p in end:
    FORCE(body, 'SPATIAL', p, (0, 0, 1), TIME_SERIES([0, 0, 10, {force} / len(end), 1000, {force} / len(end)]))
OUTPUT(solfec, 60)
RUN(solfec, NEWTON_SOLVER(1E-20, 1000), 60)
"
    )
}

/// Nodes and elements of an Abaqus file of one part.
struct Abaqus {
    text: String,
    nodes: BTreeMap<usize, [f64; 3]>,
    elements: BTreeMap<usize, Vec<usize>>,
}

fn abaqus(folder: &Scratch, model: &str) -> Abaqus {
    told(folder, &format!("sf-mesh convert -q -f {model} -o mesh.inp"));
    let mut read = Abaqus { text: folder.read("mesh.inp"), nodes: BTreeMap::default(), elements: BTreeMap::default() };
    let mut section = String::new();
    for line in read.text.lines() {
        if let Some(card) = line.strip_prefix('*') {
            section = card.split(',').next().unwrap_or("").to_string();
            continue;
        }
        let words: Vec<f64> = line.split(',').filter_map(|word| word.trim().parse().ok()).collect();
        match section.as_str() {
            "NODE" => drop(read.nodes.insert(words[0] as usize, [words[1], words[2], words[3]])),
            "ELEMENT" => {
                drop(read.elements.insert(words[0] as usize, words[1..].iter().map(|word| *word as usize).collect()))
            }
            _ => {}
        }
    }
    read
}

impl Abaqus {
    fn set(&self, name: &str, of: impl Fn(&[f64; 3]) -> bool) -> String {
        let mut text = format!("*NSET,NSET={name}\n");
        self.nodes.iter().filter(|(_, x)| of(x)).for_each(|(k, _)| writeln!(text, "{k},").unwrap());
        text
    }

    /// Runs CalculiX with this type of element and these steps; returns its table of results.
    fn run(&self, folder: &Scratch, element: &str, steps: &str) -> String {
        let [young, poisson, density] = MATERIAL;
        let mesh = self.text.replace("TYPE=C3D8", &format!("TYPE={element}"));
        let sets = self.set("FIX", |x| x[0] == 0.0) + &self.set("END", |x| x[0] == 8.0) + &self.set("NALL", |_| true);
        let material = format!("*MATERIAL,NAME=M\n*ELASTIC\n{young},{poisson}\n*DENSITY\n{density}\n");
        let section = "*SOLID SECTION,ELSET=VOLUME_1,MATERIAL=M\n";
        folder.write("job.inp", &format!("{mesh}{sets}{material}{section}{steps}"));
        told(folder, "ccx job > ccx.log 2>&1");
        folder.read("job.dat")
    }

    /// The end pulled aside; `nonlinear`: large displacements.
    fn pulled(&self, folder: &Scratch, element: &str, force: f64, nonlinear: bool) -> String {
        let end = self.nodes.values().filter(|x| x[0] == 8.0).count() as f64;
        let (kind, increment) = if nonlinear { (",NLGEOM", "0.1,1.") } else { ("", "1.,1.") };
        let print = "*NODE PRINT,NSET=NALL,FREQUENCY=1000\nU\n*EL PRINT,ELSET=VOLUME_1,FREQUENCY=1000\nS\n";
        let load = format!("*CLOAD\nEND,3,{}\n", force / end);
        let steps = format!("*BOUNDARY\nFIX,1,3\n*STEP{kind}\n*STATIC\n{increment}\n{load}{print}*END STEP\n");
        self.run(folder, element, &steps)
    }
}

/// Lines of numbers, of `columns` each.
pub fn numbers(table: &str, columns: usize) -> impl Iterator<Item = Vec<f64>> + '_ {
    let line = |line: &str| line.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>().ok();
    table.lines().filter_map(line).filter(move |row| row.len() == columns)
}

/// Largest difference of the displacements of all nodes, as a part of the largest.
fn difference(folder: &Scratch, abaqus: &Abaqus, table: &str) -> f64 {
    let place = |x: &[f64; 3]| format!("BEAM({},{},{})", x[0], x[1], x[2]);
    let items: Vec<String> =
        abaqus.nodes.values().flat_map(|x| ["DX", "DY", "DZ"].map(|d| format!("{d}@{}", place(x)))).collect();
    let ours = history(folder, "out", &items);
    let theirs: BTreeMap<usize, Vec<f64>> = numbers(table, 4).map(|row| (row[0] as usize, row[1..].to_vec())).collect();
    assert_eq!(theirs.len(), abaqus.nodes.len());
    let theirs: Vec<f64> = theirs.into_values().flatten().collect();
    let largest = theirs.iter().fold(0.0f64, |most, u| most.max(u.abs()));
    ours.iter().zip(&theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
}

/// A beam that bends by 7 % of its length: displacements of all nodes, and stresses as means over the integration points
/// of hexahedra. CalculiX prints seven digits.
#[test]
fn large_bending_has_the_displacements_and_stresses_of_calculix() {
    if !installed() {
        return;
    }
    for (tetrahedra, element) in [(false, "C3D8"), (true, "C3D4")] {
        let folder = Scratch::new();
        let force = if tetrahedra { 1e5 } else { 5e4 };
        solved(&folder, &pulled(&mesh(2, tetrahedra), "form='TL'", force));
        let mesh = abaqus(&folder, "model.h5");
        let table = mesh.pulled(&folder, element, force, true);
        let off = difference(&folder, &mesh, &table);
        assert!(off < 1e-6, "{element}: displacements differ by {off:e}");
        if tetrahedra {
            continue;
        }
        // Points of the 2×2×2 rule in two elements: boxes of 1 m.
        for element in [1, 30] {
            let corner = mesh.elements[&element].iter().map(|node| mesh.nodes[node]);
            let low = corner.fold([f64::MAX; 3], |low, x| [0, 1, 2].map(|k| low[k].min(x[k])));
            let place = |k: usize| low[k % 3] + 0.5 + if k >= 3 { 0.5 } else { -0.5 } / 3f64.sqrt();
            let mut mean = [0.0; 6];
            for corner in 0..8 {
                let [x, y, z] = [0, 1, 2].map(|k| place(k + 3 * (corner >> k & 1)));
                let items = ["SX", "SY", "SZ", "SXY", "SXZ", "SYZ"].map(|s| format!("{s}@BEAM({x},{y},{z})"));
                mean.iter_mut().zip(history(&folder, "out", &items)).for_each(|(mean, s)| *mean += s / 8.0);
            }
            let points: Vec<Vec<f64>> = numbers(&table, 8).filter(|row| row[0] as usize == element).collect();
            assert_eq!(points.len(), 8);
            let theirs: Vec<f64> = (2..8).map(|k| points.iter().map(|row| row[k] / 8.0).sum()).collect();
            let largest = theirs.iter().fold(0.0f64, |most, s| most.max(s.abs()));
            for (ours, theirs) in mean.iter().zip(&theirs) {
                assert!((ours - theirs).abs() < 2e-6 * largest, "stresses {mean:?} and {theirs:?}");
            }
        }
    }
}

/// The beam, clamped at x = 0, under a pressure on its upper side that stays across it [Pa].
fn pressed(mesh: &str, pressure: f64) -> String {
    let [young, poisson, density] = MATERIAL;
    format!(
        "
solfec = SOLFEC('QUASI_STATIC', 0.2, 'out/beam')
bulk = BULK_MATERIAL(solfec, young={young}, poisson={poisson}, density={density})
{mesh}
body = BODY(solfec, 'FINITE_ELEMENT', COPY(mesh), bulk, label='BEAM', form='TL')
nodes = mesh.get_data()[0]
for k in range(0, len(nodes), 3):
    if nodes[k] == 0:
        FIX_POINT(body, tuple(nodes[k:k + 3]))
PRESSURE(body, 6, TIME_SERIES([0, 0, 4, -{pressure}, 1000, -{pressure}]), follower='ON')
OUTPUT(solfec, 20)
RUN(solfec, NEWTON_SOLVER(1E-20, 1000), 20)
"
    )
}

/// A beam whose end sinks by a third of its length and turns by more than 20 degrees under a pressure that follows its upper
/// side: displacements of all nodes.
#[test]
fn pressure_follows_a_beam_as_in_calculix() {
    if !installed() {
        return;
    }
    let (folder, pressure) = (Scratch::new(), 5e4);
    solved(&folder, &pressed(&mesh(2, false), pressure));
    let mesh = abaqus(&folder, "model.h5");
    // The faces of C3D8 as CalculiX numbers them.
    let faces = [[0, 1, 2, 3], [4, 7, 6, 5], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]];
    let mut load = String::from("*DLOAD\n");
    for (k, nodes) in &mesh.elements {
        let above = |face: &[usize; 4]| face.iter().all(|&of| mesh.nodes[&nodes[of]][2] == 2.0);
        if let Some(face) = faces.iter().position(above) {
            writeln!(load, "{k},P{},{pressure}", face + 1).unwrap();
        }
    }
    let print = "*NODE PRINT,NSET=NALL,FREQUENCY=1000\nU\n";
    // To 1e-8 of the forces: by default it stops at 5e-3, where displacements are 1e-4 away.
    let exact = "*CONTROLS,PARAMETERS=FIELD\n1e-8,1e-8\n";
    let steps = format!("*BOUNDARY\nFIX,1,3\n*STEP,NLGEOM,INC=200\n*STATIC\n0.1,1.\n{exact}{load}{print}*END STEP\n");
    let table = mesh.run(&folder, "C3D8", &steps);
    let off = difference(&folder, &mesh, &table);
    let end = history(&folder, "out", &["DZ@BEAM(8,1,1)".to_string()]);
    assert!(end[0] < -8.0 / 3.0, "the end sinks by {}", -end[0]);
    assert!(off < 1e-5, "displacements differ by {off:e}");
}

/// Small displacements in the co-rotational formulation are those of linear elasticity; enhanced hexahedra and those of
/// incompatible modes (C3D8I) bend alike.
#[test]
fn small_bending_has_the_displacements_of_linear_elasticity() {
    if !installed() {
        return;
    }
    for (body, element, least) in [("form='BC'", "C3D8", 1e-5), ("form='TL', enhanced='ON'", "C3D8I", 5e-3)] {
        let folder = Scratch::new();
        solved(&folder, &pulled(&mesh(2, false), body, 5.0));
        let mesh = abaqus(&folder, "model.h5");
        let off = difference(&folder, &mesh, &mesh.pulled(&folder, element, 5.0, false));
        assert!(off < least, "{body}: displacements differ by {off:e}");
    }
}

/// The lowest frequencies of a free beam, with a lumped mass here and a consistent one there:
/// their difference falls with the square of the size of the elements.
#[test]
fn frequencies_approach_those_of_calculix() {
    if !installed() {
        return;
    }
    let differences = [2, 4, 8].map(|n| {
        let folder = Scratch::new();
        let [young, poisson, density] = MATERIAL;
        let material = format!("young={young}, poisson={poisson}, density={density}");
        folder.write(
            "deck.py",
            &format!(
                "solfec = SOLFEC('DYNAMIC', 1, 'out')\nbulk = BULK_MATERIAL(solfec, {material})\n{}\n\
                 BODY(solfec, 'FINITE_ELEMENT', mesh, bulk, label='BEAM')\n",
                mesh(n, false)
            ),
        );
        told(&folder, "sf-build -q -f -o model.h5 deck.py");
        let modes = told(&folder, "sf-modal -q -n 12 --csv model.h5");
        let frequency = |line: &str| line.split(',').nth(3).and_then(|word| word.parse().ok());
        let ours: Vec<f64> = modes.lines().skip(1).filter_map(frequency).collect();
        let steps = "*STEP\n*FREQUENCY\n12\n*END STEP\n";
        let table = abaqus(&folder, "model.h5").run(&folder, "C3D8", steps);
        let theirs: Vec<f64> = numbers(&table, 5).map(|row| row[3]).collect();
        assert!(ours.len() >= 12 && theirs.len() >= 12, "{modes}\n{table}");
        (6..10).map(|k| (ours[k] / theirs[k] - 1.0).abs()).fold(0.0, f64::max)
    });
    assert!(differences[2] < 0.02, "{differences:?}");
    for pair in differences.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.35, "order {order} of {differences:?}");
    }
}

/// Tetrahedra of second order: of each eight elements of the mesh one of ten nodes (C3D10), whose nodes are the corners
/// and then the middles. Small and large bending, and frequencies: masses are lumped here and consistent there.
#[test]
fn tetrahedra_of_second_order_are_those_of_calculix() {
    if !installed() {
        return;
    }
    for (body, force, nonlinear, least) in [("form='BC'", 5.0, false, 1e-5), ("form='TL'", 5e4, true, 2e-6)] {
        let folder = Scratch::new();
        let n = if nonlinear { 1 } else { 2 };
        let deck = pulled(&mesh(n, true), &format!("{body}, order=2"), force);
        solved(&folder, &deck.replace("nodes = mesh.get_data()[0]", "nodes = body.mesh.get_data()[0]"));
        let mesh = of_second_order(abaqus(&folder, "model.h5"));
        let off = difference(&folder, &mesh, &mesh.pulled(&folder, "C3D10", force, nonlinear));
        assert!(off < least, "{body}: displacements differ by {off:e}");
        if nonlinear {
            continue;
        }
        let modes = told(&folder, "sf-modal -q -n 10 --csv model.h5");
        let frequency = |line: &str| line.split(',').nth(3).and_then(|word| word.parse().ok());
        let ours: Vec<f64> = modes.lines().skip(1).filter_map(frequency).collect();
        let table = mesh.run(&folder, "C3D10", "*STEP\n*FREQUENCY\n10\n*END STEP\n");
        let theirs: Vec<f64> = numbers(&table, 5).map(|row| row[3]).collect();
        for k in 6..8 {
            assert!((ours[k] / theirs[k] - 1.0).abs() < 0.05, "mode {k}: {} Hz, {} Hz", ours[k], theirs[k]);
        }
    }
}

/// The mesh with an element of ten nodes in place of each eight of four.
fn of_second_order(fine: Abaqus) -> Abaqus {
    let parts: Vec<&Vec<usize>> = fine.elements.values().collect();
    let ten = |eight: &[&Vec<usize>]| {
        let places = [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)];
        places.map(|(part, node): (usize, usize)| eight[part][node]).to_vec()
    };
    let elements: BTreeMap<usize, Vec<usize>> = (1..).zip(parts.chunks_exact(8).map(ten)).collect();
    let mut text = "*NODE,NSET=NALLNODES\n".to_string();
    fine.nodes.iter().for_each(|(k, x)| writeln!(text, "{k},{},{},{}", x[0], x[1], x[2]).unwrap());
    text += "*ELEMENT,TYPE=C3D8,ELSET=VOLUME_1\n";
    for (k, nodes) in &elements {
        let nodes: Vec<String> = nodes.iter().map(usize::to_string).collect();
        writeln!(text, "{k},{}", nodes.join(",")).unwrap();
    }
    Abaqus { text, nodes: fine.nodes, elements }
}
