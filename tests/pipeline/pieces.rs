//! Shapes made from shapes go the whole way: deck, pipe, run, kill, continuation, reading, histories, export, packing.

use solfec_testing::skip::skipped;

use super::common::*;

/// Bodies that fall by 1 cm on their flat sides, a body for each way to make a shape.
const DECK: &str = "
import os
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/pieces')
bulk = BULK_MATERIAL(solfec, density=1000)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
floor = HULL([-3,-3,-1, 40,-3,-1, 40,3,-1, -3,3,-1, -3,-3,0, 40,-3,0, 40,3,0, -3,3,0], 1, 1)
BODY(solfec, 'OBSTACLE', floor, bulk)
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
def fall(shape, x, label):
    return BODY(solfec, 'RIGID', TRANSLATE(shape, (x, 0, 0.01)), bulk, label=label)
below, above = SPLIT(HEX(unit, 2, 2, 2, 1, [1]*6), (.5, .5, .5), (1, 2, -.4), (2, 3))
fall(below, 0, 'CUT')
below, above = SPLIT(SPHERE((0, 0, 0), .5, 1, 1), (0, 0, 0), (0, 0, 1), (2, 3))
fall(above, 3, 'DOME')
below, above = SPLIT(HULL(unit, 1, 1, TRANSLATE(HULL(unit, 1, 1), (1, 0, 0))), (0, 0, .4), (.1, 0, 1), (2, 3))
fall(below, 6, 'ROW')
ring = PIPE((0, 0, 0), (0, 0, .5), .5, .5, 1, 8, 1, 1, [1]*4)
first, second = MESH_SPLIT(ring, faceset=[[0, 1, 17, 16], [8, 9, 25, 24]])
fall(first, 10, 'ARC')
notched = SPLIT(COPY(ring), (.75, 0, .25), (0, 1, 0), (2, 3), 'ON')[0]
fall(notched, 13, 'NOTCHED')
fall(MESH2CONVEX(HEX(unit, 2, 2, 2, 1, [1]*6)), 16, 'PIECES')
fall(ROUGH_HEX(HULL(unit, 1, 1), 2, 2, 2), 19, 'BLOCK')
nodes = unit + [.5,.5,2, 2,0,0, 2,0,1, 1.5,0,2]
cells = [8,0,1,2,3,4,5,6,7,1, 5,4,5,6,7,8,2, 6,1,9,2,5,10,6,3, 4,5,6,8,11,4]
fall(MESH(nodes, cells, 1), 22, 'MIXED')
egg = ELLIP_MESH((0, 0, .3), (.5, .4, .3), .02, 1, 1)
fall(egg, 26, 'EGG')
TETRAHEDRA
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 500), 0.12)
if solfec.mode == 'READ':
    SEEK(solfec, 0.12)
    body = BYLABEL(solfec, 'BODY', 'CUT')
    print(round(DURATION(solfec)[1], 9), round(DISPLACEMENT(body, (0.3, 0.2, 0.1))[2], 3), body.mesh.nnod > 27)
";

/// Bricks of a wall and of an arch, balls and stones fall on a box.
const HEAP: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/heap')
bulk = BULK_MATERIAL(solfec, young=1E7, density=2000)
SURFACE_MATERIAL(solfec, friction=0.5)
GRAVITY(solfec, (0, 0, -10))
BODY(solfec, 'OBSTACLE', BOX((-1, -3, -1), (9, 3, 0), 1, 1), bulk)
for brick in BRICK_WALL((0, 0, 0), (.3, .2, .1), 2, 2, 1, 1): BODY(solfec, 'RIGID', brick, bulk)
for brick in BRICK_ARCH((2, 0, 0), .5, .2, .3, 5, 1, 1): BODY(solfec, 'PSEUDO_RIGID', brick, bulk)
for ball in PACKING(8, (.1, .15), (4, 0, 0), (5, 1, 1), 1, 1): BODY(solfec, 'RIGID', ball, bulk)
for stone in PACKING(6, (.1, .15), (6, 0, 0), (7, 1, 1), 1, 1, 'CYLINDER', 'HULL', gap=.01): BODY(solfec, 'RIGID', stone, bulk)
OUTPUT(solfec, 0.02)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-4, 100), 0.1)
if solfec.mode == 'READ': print(round(DURATION(solfec)[1], 3), solfec.nbod)
";

#[test]
fn walls_arches_and_packings_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", HEAP);
    done(&folder, "sf-build deck.py | sf-run -q -o whole - && sf-build -q -o heap.sfm.h5 deck.py");
    killed_in_the_middle(&folder, "heap.sfm.h5");
    assert_eq!(done(&folder, "sf-run -q --read -o whole deck.py"), "0.1 25\n");
    let table = Table::parse(&done(&folder, "sf-history whole KINETIC BALANCE CONS"));
    assert!(table.column("CONS").last().is_some_and(|n| *n >= 10.0));
    done(
        &folder,
        "sf-info whole && sf-xdmf whole -o viz && sf-run -q --pack whole packed.h5 && sf-history packed.h5 CONS",
    );
}

/// A run that is killed and continued gives the numbers of `whole`.
pub fn killed_in_the_middle(folder: &Scratch, model: &str) {
    let mut child = start(folder, "sf-run", &["-q", "--checkpoint-every", "0.02", "-o", "killed", model]);
    wait_until("checkpoint", || std::fs::read_dir(folder.path("killed/checkpoints")).is_ok_and(|d| d.count() > 0));
    child.kill().expect("a child to kill");
    child.wait().expect("its end");
    done(folder, &format!("sf-run -q -c -o killed {model}"));
    same(folder, "whole", "killed");
}

#[test]
fn shapes_made_from_shapes_go_the_whole_way() {
    let folder = Scratch::new();
    let tetgen = std::process::Command::new("tetgen").arg("-h").output().is_ok();
    if !tetgen {
        skipped("no tetgen; install the package tetgen");
    }
    let filled = "fall(TETRAHEDRALIZE(HEX(unit, 1, 1, 1, 1, [1]*6), 'out/kept.h5', .05, 1.8), 29, 'FILLED')";
    folder.write("deck.py", &DECK.replace("TETRAHEDRA", if tetgen { filled } else { "" }));
    done(&folder, "sf-build deck.py | sf-run -q -o whole - && sf-build -q -o pieces.sfm.h5 deck.py");
    let info = done(&folder, "sf-info pieces.sfm.h5 && sf-info whole");
    assert!(info.contains("NOTCHED") || info.contains("bodies"), "{info}");

    killed_in_the_middle(&folder, "pieces.sfm.h5");

    // All have fallen by 1 cm without turning, and sunk by less than a step at the speed of impact.
    let mut places = vec![("CUT", 0), ("DOME", 3), ("ROW", 6), ("ARC", 10), ("NOTCHED", 13), ("PIECES", 16)];
    places.extend([("BLOCK", 19), ("MIXED", 22)]);
    places.extend(tetgen.then_some(("FILLED", 29)));
    let item = |(label, x): &(&str, i32)| format!("'{label}=DZ@label:{label}({x}.1,0.1,0.15)'");
    let items: Vec<String> = places.iter().map(item).collect();
    let table = Table::parse(&done(&folder, &format!("sf-history whole {}", items.join(" "))));
    for (label, _) in places {
        let fallen = *table.column(label).last().expect("frames");
        assert!((fallen + 0.01).abs() < 1e-3, "{label}: {fallen}");
    }
    let read = done(&folder, "sf-run -q --read -o whole deck.py");
    assert_eq!(read, "0.12 -0.01 True\n");
    done(&folder, "sf-xdmf whole -o viz && test -s viz/pieces_bodies.xmf");
    let packed = "sf-run -q --pack whole packed.h5 && sf-history packed.h5 KINETIC CONS > packed.csv && \
                  sf-history whole KINETIC CONS | diff - packed.csv";
    done(&folder, packed);
}
