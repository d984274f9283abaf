//! Tetrahedra of second order beside other elements: bending, Cook's membrane, files of ten-node tetrahedra.

use tools_testing::scratch::Scratch;

use super::{history, told};

/// What a deck defines before: a mesh from eight corners in `n` cells, of hexahedra or of six tetrahedra in each, and how
/// bodies are made of it.
const MESHES: &str = "
def hexahedra(corners, cells): return HEX(corners, *cells, 1, [1] * 6)

def tetrahedra(corners, cells):
    nodes, hexes, surfaces = hexahedra(corners, cells).get_data()
    tets = []
    for k in range(0, len(hexes), 10):
        of = hexes[k + 1:k + 9]
        for a, b in ((1, 2), (2, 3), (3, 7), (7, 4), (4, 5), (5, 1)):
            tets += [4, of[0], of[a], of[b], of[6], 1]
    return MESH(nodes, tets, 1)

KINDS = {'HEX': (hexahedra, {}), 'ENHANCED': (hexahedra, {'enhanced': 'ON'}), 'TET': (tetrahedra, {}),
         'SECOND': (tetrahedra, {'order': 2})}

def loaded(body, end, force):
    'Spreads a force over the nodes of an end as a uniform traction on the cells between them.'
    nodes = body.mesh.get_data()[0]
    places = [tuple(nodes[k:k + 3]) for k in range(0, len(nodes), 3)]
    for p in places:
        if abs(p[0]) < 1E-9: FIX_POINT(body, p)
    on = [p for p in places if abs(p[0] - end) < 1E-9]
    def shares(axis):
        all = sorted({round(p[axis], 9) for p in on})
        ends = [all[0]] + [(a + b) / 2 for a, b in zip(all, all[1:])] + [all[-1]]
        return {x: (b - a) / (all[-1] - all[0]) for x, a, b in zip(all, ends, ends[1:])}
    y, z = shares(1), shares(2)
    for p in on:
        part = y[round(p[1], 9)] * z[round(p[2], 9)]
        FORCE(body, 'SPATIAL', p, force, part * sum(x * x for x in force) ** 0.5)
";

/// Cook's membrane (Cook 1974): a tapered panel, clamped on the left, sheared by 1 N on the right, 1 m thick. The
/// displacement of the middle of its right side approaches 23.96 / E in plane stress with ν = 1/3.
const COOK: &str = "
solfec = SOLFEC('QUASI_STATIC', 1000, 'out')
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=1/3, density=1E3)
corners = [0,0,0, 48,44,0, 48,60,0, 0,44,0, 0,0,1, 48,44,1, 48,60,1, 0,44,1]
make, how = KINDS[kind]
body = BODY(solfec, 'FINITE_ELEMENT', make(corners, (n, n, 1)), bulk, label='COOK', form=form, **how)
loaded(body, 48, (0, 1, 0))
OUTPUT(solfec, 1000)
RUN(solfec, NEWTON_SOLVER(1E-20, 1000), 5000)
";

/// A cantilever of 10 × 1 × 1 m bent by 1 N at its end.
const BEAM: &str = "
solfec = SOLFEC('QUASI_STATIC', 1000, 'out')
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0, density=1E3)
make, how = KINDS[kind]
corners = [0,0,0, 10,0,0, 10,1,0, 0,1,0, 0,0,1, 10,0,1, 10,1,1, 0,1,1]
body = BODY(solfec, 'FINITE_ELEMENT', make(corners, (n, 1, 1)), bulk, label='BEAM', form=form, **how)
loaded(body, 10, (0, 0, 1))
OUTPUT(solfec, 1000)
RUN(solfec, NEWTON_SOLVER(1E-20, 1000), 5000)
";

fn run(constants: &str, deck: &str) -> Scratch {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("# solfec: python3\n{constants}\n{MESHES}\n{deck}"));
    told(&folder, "sf-build -q -f -o model.h5 deck.py && sf-run -q -f -o out model.h5");
    folder
}

/// Of a kind of element, the displacement as a part of the known one.
fn displaced(deck: &str, item: &str, known: f64, kind: &str, n: usize, form: &str) -> f64 {
    let folder = run(&format!("n, kind, form = {n}, '{kind}', '{form}'"), deck);
    history(&folder, "out", &[item.into()])[0] / known
}

/// The table of docs/practice.md.
#[test]
fn cooks_membrane_is_found_with_few_elements_of_second_order() {
    let of = |kind: &str, n: usize| displaced(COOK, "DY@COOK(48,52,0.5)", 23.96e-6, kind, n, "BC");
    let table = ["HEX", "ENHANCED", "TET", "SECOND"].map(|kind| [2, 4, 8].map(|n| of(kind, n)));
    println!("Cook: {table:?}");
    let [hex, enhanced, tet, second] = table;
    assert!((second[2] - 1.0).abs() < 0.01 && (second[1] - 1.0).abs() < 0.04, "{second:?}");
    assert!(tet[2] < 0.9 && hex[2] < 0.95 && (enhanced[2] - 1.0).abs() < 0.03, "{tet:?} {hex:?} {enhanced:?}");
    // Small displacements are those of the total Lagrangian formulation.
    let large = displaced(COOK, "DY@COOK(48,52,0.5)", 23.96e-6, "SECOND", 4, "TL");
    assert!((large / second[1] - 1.0).abs() < 1e-5, "{large} {}", second[1]);
}

/// Deflection of Timoshenko's beam, `P L³/3EI + P L/κGA` with κ = 5/6.
#[test]
fn a_beam_of_one_layer_of_second_order_bends_as_a_beam() {
    let known = (4.0 * 1000.0 + 10.0 * 2.0 * 1.2) * 1e-6;
    let of = |kind: &str, n: usize| displaced(BEAM, "DZ@BEAM(10,0.5,0.5)", known, kind, n, "BC");
    let table = ["HEX", "ENHANCED", "TET", "SECOND"].map(|kind| [5, 10, 20].map(|n| of(kind, n)));
    println!("beam: {table:?}");
    let [hex, enhanced, tet, second] = table;
    assert!((second[1] - 1.0).abs() < 0.01 && (second[2] - 1.0).abs() < 0.005, "{second:?}");
    assert!((enhanced[2] - 1.0).abs() < 0.01 && hex[1] < 0.7 && tet[2] < 0.5, "{enhanced:?} {hex:?} {tet:?}");
}

/// The same beam of a material that nearly keeps its volume, ν = 0.4999: the table of docs/practice.md.
#[test]
fn a_beam_that_keeps_its_volume_does_not_lock_where_elements_are_rich() {
    let known = (4.0 * 1000.0 + 10.0 * 2.0 * 1.4999 * 1.2) * 1e-6;
    let deck = BEAM.replace("poisson=0,", "poisson=0.4999,");
    let of = |kind: &str, n: usize| displaced(&deck, "DZ@BEAM(10,0.5,0.5)", known, kind, n, "BC");
    let table = ["HEX", "ENHANCED", "TET", "SECOND"].map(|kind| [10, 20].map(|n| of(kind, n)));
    println!("nearly incompressible beam: {table:?}");
    let [hex, enhanced, tet, second] = table;
    assert!((enhanced[1] - 1.0).abs() < 0.03 && (second[1] - 1.0).abs() < 0.1, "{enhanced:?} {second:?}");
    assert!(hex[1] < 0.5 && tet[1] < 0.2, "{hex:?} {tet:?}");
}

/// Two tetrahedra of ten nodes in each format, with straight edges and with a curved one: they are read as their corners,
/// which is told, and order=2 gives the middles back.
#[test]
fn tetrahedra_of_ten_nodes_are_read_from_files() {
    let make = "# solfec: python3
import sys
P = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
tets = [(0, 1, 2, 3), (1, 2, 3, 4)]
edges = {'vtk': ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)), 'gmsh': ((0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3))}
def ten(order, curved):
    points, mids, cells = list(P), {}, []
    for tet in tets:
        own = list(tet)
        for a, b in edges[order]:
            key = tuple(sorted((tet[a], tet[b])))
            if key not in mids:
                mids[key] = len(points)
                points.append([(x + y) / 2 for x, y in zip(P[key[0]], P[key[1]])])
            own.append(mids[key])
        cells.append(own)
    if curved: points[mids[(0, 1)]][2] = -0.01
    return points, cells
for curved in (False, True):
    name = 'curved' if curved else 'straight'
    points, cells = ten('vtk', curved)
    with open(name + '.inp', 'w') as f:
        f.write('*NODE\\n' + ''.join('%d, %g, %g, %g\\n' % (k + 1, *x) for k, x in enumerate(points)))
        f.write('*ELEMENT, TYPE=C3D10\\n' + ''.join(', '.join(str(n) for n in [k + 1] + [n + 1 for n in c]) + '\\n'
                                                     for k, c in enumerate(cells)))
    with open(name + '.vtu', 'w') as f:
        f.write('<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\"><UnstructuredGrid>'
                '<Piece NumberOfPoints=\"%d\" NumberOfCells=\"2\"><Points><DataArray type=\"Float64\" '
                'NumberOfComponents=\"3\" format=\"ascii\">' % len(points)
                + ' '.join('%g %g %g' % tuple(x) for x in points) + '</DataArray></Points><Cells>'
                '<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">'
                + ' '.join(str(n) for c in cells for n in c)
                + '</DataArray><DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">10 20</DataArray>'
                '<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">24 24</DataArray></Cells></Piece>'
                '</UnstructuredGrid></VTKFile>')
    points, cells = ten('gmsh', curved)
    with open(name + '.msh', 'w') as f:
        f.write('$MeshFormat\\n2.2 0 8\\n$EndMeshFormat\\n$Nodes\\n%d\\n' % len(points)
                + ''.join('%d %g %g %g\\n' % (k + 1, *x) for k, x in enumerate(points)) + '$EndNodes\\n$Elements\\n2\\n'
                + ''.join('%d 11 2 1 1 ' % (k + 1) + ' '.join(str(n + 1) for n in c) + '\\n' for k, c in enumerate(cells))
                + '$EndElements\\n')
";
    let folder = Scratch::new();
    folder.write("make.py", make);
    told(&folder, "${SF_PYTHON:-python3} make.py");
    for format in ["inp", "vtu", "msh"] {
        for (name, curved) in [("straight", false), ("curved", true)] {
            let deck = format!(
                "# solfec: python3\nsolfec = SOLFEC('DYNAMIC', 1E-3, 'out')\nbulk = BULK_MATERIAL(solfec)\n\
                 mesh = MESH_FILE('{name}.{format}')\nprint(mesh.nnod)\n\
                 body = BODY(solfec, 'FINITE_ELEMENT', mesh, bulk, order=2)\nprint(body.mesh.nnod, round(body.volume, 9))\n"
            );
            folder.write("deck.py", &deck);
            let text = told(&folder, "sf-build -q -f -o m.h5 deck.py 2>&1");
            assert!(text.contains("2 cells of second order are read as their corners"), "{format}: {text}");
            let remark = "1 tetrahedra of ten nodes have curved edges, which become straight";
            assert_eq!(text.contains(remark), curved, "{name}.{format}: {text}");
            assert!(text.contains("\n5\n14 0.5\n") || text.ends_with("5\n14 0.5\n"), "{name}.{format}: {text}");
        }
    }
}

/// A body of second order goes the whole way: modes, a reduced body, run, export, histories of stress.
#[test]
fn bodies_of_second_order_go_the_whole_way() {
    let deck = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out')
bulk = BULK_MATERIAL(solfec, young=1E6, poisson=0.3, density=1E3)
make, how = KINDS['SECOND']
def bar(z): return make([0,0,z, 2,0,z, 2,.5,z, 0,.5,z, 0,0,z+.5, 2,0,z+.5, 2,.5,z+.5, 0,.5,z+.5], (3, 1, 1))
whole = BODY(solfec, 'FINITE_ELEMENT', bar(0), bulk, label='WHOLE', form='BC', **how)
whole.scheme = 'DEF_LIM'
base = MODAL_ANALYSIS(whole, 60)
few = BODY(solfec, 'FINITE_ELEMENT', bar(2), bulk, label='FEW', form='BC-MODAL', base=base, **how)
BODY(solfec, 'FINITE_ELEMENT', bar(4), bulk, label='TL', **how)
for z, body in ((0, whole), (2, few)):
    FORCE(body, 'SPATIAL', (2, .25, z + .25), (0, 0, 1), TIME_SERIES([0, 0, 0.2, 10]))
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-8, 100), 0.2)
";
    let folder = run("", deck);
    let items = ["DZ@WHOLE(0,.25,.25)", "DZ@FEW(0,.25,2.25)", "SX@WHOLE(1,.25,.5)", "SX@FEW(1,.25,2.5)"];
    let found = history(&folder, "out", &items.map(String::from));
    assert!((found[0] / found[1] - 1.0).abs() < 0.02, "{found:?}");
    assert!((found[2] / found[3] - 1.0).abs() < 0.05 && found[2].abs() > 10.0, "{found:?}");
    told(
        &folder,
        "sf-xdmf -q out -o viz --attr DISP,STRESS,ERROR && sf-info -q out && sf-mm-export --body TL -K K.mtx model.h5",
    );
    told(&folder, "sf-run -q --pack out packed.h5 && sf-history -q packed.h5 'SX@WHOLE(1,.25,.5)' --recovered > p.csv");
    assert_eq!(told(&folder, "sf-history -q out 'SX@WHOLE(1,.25,.5)' --recovered"), folder.read("p.csv"));
}

/// What order=2 is not for.
#[test]
fn meshes_of_other_elements_are_refused() {
    let folder = Scratch::new();
    let head = "# solfec: python3\nsolfec = SOLFEC('DYNAMIC', 1E-3, 'out')\nbulk = BULK_MATERIAL(solfec)\n\
                box = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]\n";
    for (line, expected) in [
        (
            "BODY(solfec, 'FINITE_ELEMENT', HEX(box, 1, 1, 1, 1, [1]*6), bulk, order=2)",
            "order: element 0 is a hexahedron, but order 2 is for meshes of tetrahedra",
        ),
        (
            "BODY(solfec, 'FINITE_ELEMENT', HULL(box, 1, 1), bulk, mesh=HEX(box, 1, 1, 1, 1, [1]*6), order=2)",
            "order: 2 is for bodies whose shape is one MESH of tetrahedra",
        ),
        (
            "BODY(solfec, 'FINITE_ELEMENT', HEX(box, 1, 1, 1, 1, [1]*6), bulk, order=3)",
            "order: is 3; give an integer from 1 to 2",
        ),
    ] {
        folder.write("deck.py", &format!("{head}{line}\n"));
        let told = told(&folder, "sf-build -q -f -o m.h5 deck.py 2>&1; true");
        assert!(told.contains(expected), "{line}: {told}");
    }
}
