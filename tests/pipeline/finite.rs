//! Bodies of finite elements go the whole way: deck, pipe, run, kill, continuation, reading, histories, export, packing.

use super::common::*;
use super::pieces::killed_in_the_middle;

/// A bar that hangs and is pulled, a block that falls on another, both formulations and schemes.
const DECK: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/finite')
bulk = BULK_MATERIAL(solfec, 'KIRCHHOFF', young=1E6, poisson=0.25, density=1000)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
BODY(solfec, 'OBSTACLE', TRANSLATE(HEX(unit, 1, 1, 1, 1, [1]*6), (0, 0, -1)), bulk)
low = BODY(solfec, 'FINITE_ELEMENT', HEX(unit, 2, 2, 1, 1, [1]*6), bulk, label='LOW')
top = BODY(solfec, 'FINITE_ELEMENT', SCALE(TRANSLATE(HEX(unit, 1, 1, 1, 1, [1]*6), (.5, .5, 2.02)), (.5, .5, .5)), bulk,
           label='TOP', form='BC')
top.scheme = 'DEF_LIM'
bar = BODY(solfec, 'FINITE_ELEMENT', SCALE(TRANSLATE(HEX(unit, 4, 1, 1, 1, [1, 2, 3, 4, 5, 6]), (3, 0, 5)), (1, .2, .2)),
           bulk, label='BAR')
bar.scheme, bar.damping = 'DEF_LIM', 1E-3
FIX_POINT(bar, (3, .1, 1.1))
PRESSURE(bar, 4, 1E3)
FORCE(bar, 'SPATIAL', (4, .1, 1.1), (0, 0, 1), 50)
low.selfcontact = 'OFF'
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.1)
if solfec.mode == 'READ':
    SEEK(solfec, 0.1)
    u = DISPLACEMENT(bar, (3, .1, 1.1))
    print(bar.kind, len(bar.conf), len(bar.velo), max(map(abs, u)) < 1E-4, STRESS(low, (.5, .5, .5))[2] < 0)
";

#[test]
fn bodies_of_finite_elements_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", DECK);
    done(&folder, "sf-build deck.py | sf-run -q -o whole - && sf-build -q -o finite.sfm.h5 deck.py");
    killed_in_the_middle(&folder, "finite.sfm.h5");
    assert_eq!(done(&folder, "sf-run -q --read -o whole deck.py"), "FINITE_ELEMENT 60 60 True True\n");
    let items = "'sz=SZ@label:LOW(.5,.5,.5)' 'top=DZ@label:TOP(.5,.5,1.26)' 'bar=DX@label:BAR(4,.1,1.1)' CONS BALANCE";
    let table = Table::parse(&done(&folder, &format!("sf-history whole {items}")));
    let last = |name: &str| *table.column(name).last().expect("frames");
    assert!(last("sz") < 0.0 && last("CONS") > 2.0);
    assert!(last("top") < -0.009 && last("top") > -0.03, "{}", last("top"));
    assert!(last("bar").abs() < 0.05);
    done(&folder, "sf-info whole && sf-xdmf whole -o viz && sf-xdmf whole -o viz.vtkhdf");
    done(
        &folder,
        "sf-run -q --pack whole packed.h5 && sf-history packed.h5 KINETIC CONS > packed.csv && \
                   sf-history whole KINETIC CONS | diff - packed.csv",
    );
}

/// Reduced bodies that fall on a block, of both formulations; their base is shared.
const REDUCED: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/finite')
bulk = BULK_MATERIAL(solfec, 'KIRCHHOFF', young=1E6, poisson=0.25, density=1000)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
BODY(solfec, 'OBSTACLE', SCALE(TRANSLATE(HEX(unit, 1, 1, 1, 1, [1]*6), (0, 0, -1)), (9, 9, 1)), bulk)
made = BODY(solfec, 'FINITE_ELEMENT', HEX(unit, 2, 2, 1, 1, [1]*6), bulk)
REGISTER_BASE(solfec, MODAL_ANALYSIS(made, 14), 'CUBE')
DELETE(solfec, made)
low = BODY(solfec, 'FINITE_ELEMENT', TRANSLATE(HEX(unit, 2, 2, 1, 1, [1]*6), (1, 1, .02)), bulk, label='LOW',
           form='BC-MODAL', base='CUBE')
top = BODY(solfec, 'FINITE_ELEMENT', TRANSLATE(HEX(unit, 2, 2, 1, 1, [1]*6), (1.2, 1.2, 1.05)), bulk, label='TOP',
           form='BC-RO', base='CUBE')
INITIAL_VELOCITY(top, (0, 0, 0), (1, 0, 2))
low.damping = 1E-3
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.1)
if solfec.mode == 'READ':
    SEEK(solfec, 0.1)
    print(len(low.conf), len(top.velo), low.scheme)
";

#[test]
fn reduced_bodies_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", REDUCED);
    done(&folder, "sf-build deck.py | sf-run -q -o whole - && sf-build -q -o finite.sfm.h5 deck.py");
    killed_in_the_middle(&folder, "finite.sfm.h5");
    assert_eq!(done(&folder, "sf-run -q --read -o whole deck.py"), "23 14 DEF_LIM\n");
    let table = Table::parse(&done(&folder, "sf-history whole 'z=CZ@label:LOW' CONS BALANCE"));
    let last = |name: &str| *table.column(name).last().expect("frames");
    assert!(last("CONS") > 2.0 && last("z") < 0.52 && last("z") > 0.45, "{}", last("z"));
    done(&folder, "sf-info whole && sf-info finite.sfm.h5 && sf-xdmf whole -o viz");
    let same = "sf-history packed.h5 KINETIC CONS > packed.csv && sf-history whole KINETIC CONS | diff - packed.csv";
    done(&folder, &format!("sf-run -q --pack whole packed.h5 && {same}"));
}

/// A function of the deck gives forces on reduced coordinates. A force g on the first of them, the translation along x of
/// the M-orthonormal mode 1/√m, makes a body of mass m as fast as g t / √m.
#[test]
fn functions_give_reduced_forces() {
    let folder = Scratch::new();
    let deck = REDUCED.split("GRAVITY").next().expect("the beginning").to_string()
        + "
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
made = BODY(solfec, 'FINITE_ELEMENT', HEX(unit, 1, 1, 1, 1, [1]*6), bulk)
data = MODAL_ANALYSIS(made, 12)
DELETE(solfec, made)
def force(q, u, time, step):
    assert len(q) == 21 and len(u) == 12
    return [3] + [0]*11
for k, form in enumerate(('BC-MODAL', 'BC-RO')):
    body = BODY(solfec, 'FINITE_ELEMENT', TRANSLATE(HEX(unit, 1, 1, 1, 1, [1]*6), (0, 9 * k, 0)), bulk, form=form, base=data)
    FORCE(body, 'SPATIAL', (0, 0, 0), (0, 0, 1), force)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.1)
if solfec.mode == 'WRITE':
    for body in solfec.bodies: print('%.9f' % (VELOCITY(body, body.center)[0] * 1000**.5))
";
    folder.write("deck.py", &deck);
    assert_eq!(done(&folder, "sf-run -q -w deck.py"), "0.300000000\n0.300000000\n");
}

/// What cannot be a body is refused with the line of the deck and a remedy.
#[test]
fn bodies_that_cannot_be_made_are_told() {
    let folder = Scratch::new();
    for (body, says) in [
        ("SPHERE((0, 0, 0), 1, 1, 1), bulk", "shape: is not a MESH"),
        ("HEX(unit, 1, 1, 1, 1, [1]*6), soft", "Poisson's ratio 0.5"),
        ("HEX(unit, 1, 1, 1, 1, [1]*6), bulk, form='BC-MODAL'", "form 'BC-MODAL' needs (values, vectors)"),
        ("HEX(unit, 1, 1, 1, 1, [1]*6), bulk, form='BC-RO', base=([0]*6, [0.0]*162)", "its mesh has 8 nodes"),
        ("MESH(unit[:12] + unit[:12], [8, 0,1,2,3,4,5,6,7, 1], 1), bulk", "inverted or flat"),
        ("MESH(unit[12:] + unit[:12], [8, 0,1,2,3,4,5,6,7, 1], 1), bulk", "inverted"),
    ] {
        let deck = DECK.replace(
            "top = BODY(",
            &format!(
                "soft = BULK_MATERIAL(solfec, young=1E6, poisson=0.5)\n\
                 BODY(solfec, 'FINITE_ELEMENT', {body})\ntop = BODY("
            ),
        );
        folder.write("deck.py", &deck);
        let told = fails(&folder, "sf-run -q -w deck.py", 3);
        assert!(told.contains(says), "{body}: {told}");
    }
}

/// A cube of eight polyhedra in a mesh of three elements a side, of which the cube fills eight, falls on an obstacle.
const BACKGROUND: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/background')
bulk = BULK_MATERIAL(solfec, 'KIRCHHOFF', young=1E6, poisson=0.25, density=1000)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
def box(x, y, z):
    return HULL([c for a in (0, .5) for b in (0, .5) for d in (0, .5) for c in (x + a, y + b, z + d)], 1, 1)
BODY(solfec, 'OBSTACLE', TRANSLATE(HEX(unit, 1, 1, 1, 1, [1]*6), (0, 0, -1.001)), bulk)
mesh = SCALE(TRANSLATE(HEX(unit, 3, 3, 3, 1, [1]*6), (-.05, -.05, -.05)), (2, 2, 2))
cubes = [box(x, y, z) for x in (0, .5) for y in (0, .5) for z in (0, .5)]
cube = BODY(solfec, 'FINITE_ELEMENT', cubes, bulk, mesh=mesh, label='CUBE')
cube.scheme, cube.damping = 'DEF_LIM', 1E-2
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.2)
if solfec.mode == 'READ':
    SEEK(solfec, 0.2)
    print(cube.mass, cube.mesh.nnod, len(cube.conf), -1E4 < STRESS(cube, (.5, .5, .5))[2] < -3E3)
";

#[test]
fn polyhedra_in_a_background_mesh_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", BACKGROUND);
    done(&folder, "sf-build deck.py | sf-run -q -o whole - && sf-build -q -o finite.sfm.h5 deck.py");
    killed_in_the_middle(&folder, "finite.sfm.h5");
    assert_eq!(done(&folder, "sf-run -q --read -o whole deck.py"), "1000.0 27 81 True\n");
    let table = Table::parse(&done(&folder, "sf-history whole 'low=DZ@label:CUBE(0,0,0)' CONS"));
    let low = table.column("low").last().copied().expect("frames");
    assert!((-5e-3..-5e-4).contains(&low), "{low}");
    done(&folder, "sf-info whole && sf-xdmf whole -o viz && sf-xdmf whole -o viz.vtkhdf");
}

/// Meshes that are no background of the shape are refused with a remedy.
#[test]
fn background_meshes_that_cannot_be_are_told() {
    let folder = Scratch::new();
    for (old, new, says) in [
        ("(2, 2, 2)", "(.8, 2, 2)", "mesh: its background mesh covers 0.7600 of the volume"),
        ("cubes = [", "cubes = [SPHERE((0, 0, 0), 1, 1, 1)] + [", "CONVEX objects only in a background mesh"),
        (", mesh=mesh", "", "shape: is not a MESH"),
    ] {
        folder.write("deck.py", &BACKGROUND.replace(old, new));
        let told = fails(&folder, "sf-run -q -w deck.py", 3);
        assert!(told.contains(says), "{new}: {told}");
    }
}

/// A bar whose far half is of another material.
const PARTS: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/parts')
soft = BULK_MATERIAL(solfec, young=1E6, poisson=0.25, density=1000, label='SOFT')
hard = BULK_MATERIAL(solfec, young=4E6, poisson=0, density=3000, label='HARD')
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1, 2,0,0, 2,1,0, 2,0,1, 2,1,1]
mesh = MESH(nodes, [8, 0,1,2,3,4,5,6,7, 1, 8, 1,8,9,2,5,10,11,6, 7], 1)
bar = BODY(solfec, 'FINITE_ELEMENT', mesh, soft, label='BAR')
bar.scheme = 'DEF_LIM'
APPLY_BULKMAT(solfec, bar, 7, 'HARD')
for point in [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)]: FIX_POINT(bar, point)
FORCE(bar, 'SPATIAL', (2, .5, .5), (1, 0, 0), 50)
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.1)
hard.young = 8E6
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.1)
if solfec.mode == 'READ': print(round(bar.mass, 6), bar.center)
";

#[test]
fn parts_of_another_material_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", PARTS);
    done(&folder, "sf-build deck.py | sf-run -q -o whole - && sf-build -q -o parts.sfm.h5 deck.py");
    killed_in_the_middle(&folder, "parts.sfm.h5");
    assert_eq!(done(&folder, "sf-run -q --read -o whole deck.py"), "4000.0 (1.25, 0.5, 0.5)\n");
    let table = done(&folder, "sf-history whole 'hard=SY@label:BAR(1.5,.5,.5)' 'soft=SY@label:BAR(.5,.5,.5)'");
    assert!(!table.contains("NaN"), "{table}");
    folder.write("late.py", &PARTS.replace("hard.young = 8E6", "APPLY_BULKMAT(solfec, bar, 7, soft)"));
    folder.write("none.py", &PARTS.replace("bar, 7,", "bar, 3,"));
    for (deck, text) in [
        ("late.py", "the analysis has begun; give volumes their material before the first RUN"),
        ("none.py", "no part of its shape has volume id 3; it has 1, 7"),
    ] {
        let message = fails(&folder, &format!("sf-build -q -o wrong.sfm.h5 {deck}"), 3);
        assert!(message.contains(text), "{message}");
    }
}
