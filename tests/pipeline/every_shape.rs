//! A table of shapes goes the whole way: model, pipe, run, kill and continuation, reading, histories, meshes of frames,
//! files for ParaView, packing, verification.

use solfec_testing::skip::skipped;
use tools_testing::markup::{paraview_reads, vtk_reads};

use super::common::*;
use super::pieces::killed_in_the_middle;

/// Names, what makes the shape, its volume, and how far the volume may be off. Shapes stand on z = 0 and between x = -1
/// and x = 3.
const SHAPES: [(&str, &str, f64, f64); 20] = [
    ("BOX", "BOX((0, 0, 0), (1, 1, .5), 1, 1, 2)", 0.5, 1e-14),
    ("HEX", "HEX(UNIT, 2, 2, 1, 1, [1, 2, 3, 4, 5, 6])", 1.0, 1e-14),
    ("BALL", "SPHERE((0, 0, .5), .5, 1, 1)", 0.5235987755982988, 1e-14),
    ("EGG", "ELLIP((0, 0, .3), (.5, .4, .3), 1, 1)", 0.25132741228718347, 1e-14),
    ("PIPE", "PIPE((0, 0, 0), (0, 0, .5), .25, .25, 1, 12, 1, 1, [1, 2, 3, 4])", 0.28125, 1e-14),
    // Chords of 16 elements: ½ (1.2² − 1) · 0.1 · 16 sin(π/32).
    ("BEND", "BEND(HEX(BAR, 16, 1, 1, 1, [1]*6), (0, 0, 0), (0, 1, 0), 90)", 0.034_502_03, 1e-6),
    ("HULL", "HULL(UNIT + [.5, .5, 2], 1, 1)", 4.0 / 3.0, 1e-14),
    ("ROW", "HULL(UNIT, 1, 1, TRANSLATE(HULL(UNIT, 1, 1), (1, 0, 0)))", 2.0, 1e-14),
    ("BLOCK", "ROUGH_HEX(HULL(UNIT, 1, 1), 2, 2, 2)", 1.0, 1e-4),
    ("ELEMENTS", "MESH(UNIT + [.5,.5,2, 2,0,0, 2,0,1, 1.5,0,2], CELLS, 1)", 2.0, 1e-14),
    ("PIECES", "MESH2CONVEX(HEX(UNIT, 2, 2, 2, 1, [1]*6))", 1.0, 1e-14),
    ("MESHED", "ELLIP_MESH((0, 0, .3), (.5, .4, .3), .02, 1, 1)", 0.25132741228718347, 0.08),
    ("CUT", "SPLIT(HEX(UNIT, 2, 2, 2, 1, [1]*6), (.5, .5, .5), (1, 2, -.4), (2, 3))[0]", 0.5, 1e-13),
    ("DOME", "SPLIT(SPHERE((0, 0, 0), .5, 1, 1), (0, 0, 0), (0, 0, 1))[1]", 0.2617993877991494, 1e-12),
    ("ARC", "MESH_SPLIT(RING, faceset=[[0, 1, 17, 16], [8, 9, 25, 24]])[0]", 0.53033008588991, 1e-12),
    ("NOTCH", "SPLIT(RING, (.75, 0, .25), (0, 1, 0), (2, 3), 'ON')[0]", 1.06066017177982, 1e-12),
    ("STONES", "CONVEX_FILE('angle.h5')", 3.0, 1e-12),
    ("FILE", "MESH_FILE('block.inp', surfid=4)", 6.0, 1e-12),
    (
        "GROUP",
        "[SPHERE((0, 0, .25), .25, 1, 1), ELLIP((1, 0, .2), (.3, .2, .2), 1, 1), BOX((2, 0, 0), (3, 1, 1), 1, 1)]",
        1.115_715_1,
        1e-6,
    ),
    ("FILLED", "TETRAHEDRALIZE(HEX(UNIT, 1, 1, 1, 1, [1]*6), 'kept.h5', .05, 1.8)", 1.0, 1e-13),
];

/// The bodies fall by 1 cm. When results are read, volumes and heights are printed.
const DECK: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/shapes')
bulk = BULK_MATERIAL(solfec, young=1E8, density=1000)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
BODY(solfec, 'OBSTACLE', BOX((-5, -5, -1), (100, 5, 0), 1, 1), bulk, label='FLOOR')
UNIT = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
BAR = [0,0,1, 1.5707963267948966,0,1, 1.5707963267948966,.1,1, 0,.1,1,
       0,0,1.2, 1.5707963267948966,0,1.2, 1.5707963267948966,.1,1.2, 0,.1,1.2]
CELLS = [8,0,1,2,3,4,5,6,7,1, 5,4,5,6,7,8,2, 6,1,9,2,5,10,6,3, 4,5,6,8,11,4]
RING = PIPE((0, 0, 0), (0, 0, .5), .5, .5, 1, 8, 1, 1, [1]*4)
bodies = []
def fall(label, shape):
    kind = 'PSEUDO_RIGID' if label in ('EGG', 'PIPE', 'ELEMENTS', 'STONES', 'NOTCH') else 'RIGID'
    bodies.append(BODY(solfec, kind, TRANSLATE(shape, (4*len(bodies) + 1, 0, 0.01)), bulk, label=label))
SHAPES
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.1)
if solfec.mode == 'READ':
    SEEK(solfec, 0.1)
    for body in bodies: print(body.label, repr(body.volume), repr(MASS_CENTER(body)[2]))
";

/// The surface of an angle of 2 × 2 × 1 without a quarter, in polygons.
fn angle() -> String {
    let ring = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let corners = [0, 1].iter().flat_map(|z| ring.map(|[x, y]| format!("v {x} {y} {z}\n"))).collect::<String>();
    let sides = (0..6).map(|k| format!("f {} {} {} {}\n", k + 1, (k + 1) % 6 + 1, (k + 1) % 6 + 7, k + 7));
    format!("{corners}f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n{}", sides.collect::<String>())
}

#[test]
fn every_shape_goes_the_whole_way() {
    let folder = Scratch::new();
    folder.write("angle.obj", &angle());
    done(
        &folder,
        "sf-mesh decompose -q angle.obj -o angle.h5 && sf-mesh hex -q --box 0 0 0 1 2 3 -n 1 2 1 -o block.inp",
    );
    let tetgen = std::process::Command::new("tetgen").arg("-h").output().is_ok();
    if !tetgen {
        skipped("no tetgen; install the package tetgen");
    }
    let shapes = &SHAPES[..SHAPES.len() - usize::from(!tetgen)];
    let calls: String = shapes.iter().map(|(label, call, ..)| format!("fall('{label}', {call})\n")).collect();
    folder.write("deck.py", &DECK.replace("SHAPES\n", &calls));
    // The model is the same after it was written and read.
    done(&folder, "sf-build -q --check deck.py");
    done(&folder, "sf-build -q deck.py | sf-run -q -o whole - && sf-build -q -o shapes.sfm.h5 deck.py");
    killed_in_the_middle(&folder, "shapes.sfm.h5");

    let read = done(&folder, "sf-run -q --read -o whole deck.py");
    assert_eq!(read.lines().count(), shapes.len());
    let meshes = done(&folder, "sf-mesh info --json whole");
    let meshes: serde_json::Value = serde_json::from_str(&meshes).expect("JSON");
    let items: Vec<String> = shapes.iter().map(|(label, ..)| format!("'{label}=CZ@label:{label}'")).collect();
    let heights = Table::parse(&done(&folder, &format!("sf-history whole {}", items.join(" "))));
    for ((label, _, volume, tolerance), line) in shapes.iter().zip(read.lines()) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |k: usize| words[k].parse::<f64>().expect("a number");
        assert_eq!(words[0], *label);
        assert!((number(1) / volume - 1.0).abs() < *tolerance, "{label}: {line}, not {volume}");
        let column = heights.column(label);
        let fallen = column[0] - column[column.len() - 1];
        assert!((2e-3..5e-2).contains(&fallen), "{label}: fallen by {fallen}");
        assert_eq!(number(2), column[column.len() - 1], "{label}: CZ and MASS_CENTER");
        // A part for each polyhedron.
        let parts = meshes["parts"].as_array().expect("parts").iter().filter(|part| part["name"] == *label);
        let moments = parts.map(|part| {
            let volume = part["volume"].as_f64().expect("a volume");
            [volume, volume * part["center"][2].as_f64().expect("a centre")]
        });
        let [volume, moment] = moments.fold([0.0; 2], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
        let center = moment / volume;
        assert!((center - number(2)).abs() < 1e-9, "{label}: {center}, {}", number(2));
    }
    let contacts = Table::parse(&done(&folder, "sf-history whole CONS")).column("CONS").to_vec();
    assert!(contacts[contacts.len() - 1] >= shapes.len() as f64, "{contacts:?}");

    done(&folder, "sf-run -q --pack whole packed.h5");
    done(&folder, "sf-history packed.h5 KINETIC CONS > p.csv && sf-history whole KINETIC CONS | diff - p.csv");
    for (file, title) in [("shapes.sfm.h5", "model"), ("whole", "results"), ("packed.h5", "packed results")] {
        let told = done(&folder, &format!("sf-info {file}"));
        assert!(told.contains(&format!("{title}, {} bodies", shapes.len() + 1)), "{told}");
    }
    for format in ["xdmf", "vtkhdf"] {
        done(&folder, &format!("sf-xdmf -q whole -o viz --format {format}"));
    }
    let file = |ending: &str| folder.path(&format!("viz/shapes_bodies.{ending}"));
    vtk_reads(&file("xmf"), &[file("xmf"), file("vtkhdf")]);
    paraview_reads(&[file("xmf")]);
}
