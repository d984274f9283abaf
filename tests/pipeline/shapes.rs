//! Shapes, and what excludes their parts from contact, go the whole way: deck, pipe, run, interruption, reading, histories, export.

use super::common::*;

/// An ellipsoid and a pipe fall on a bent bar and on a block.
const DECK: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/shapes')
bulk = BULK_MATERIAL(solfec, density=1000)
SURFACE_MATERIAL(solfec, friction=0.3)
GRAVITY(solfec, (0, 0, -10))
block = HULL([-3,-3,-1, 3,-3,-1, 3,3,-1, -3,3,-1, -3,-3,0, 3,-3,0, 3,3,0, -3,3,0], 1, 1)
BODY(solfec, 'OBSTACLE', block, bulk)
egg = ROTATE(ELLIP((0, 0, 0.5), (0.5, 0.4, 0.3), 1, 2), (0, 0, 0.5), (0, 0, 1), 30)
BODY(solfec, 'RIGID', egg, bulk, label='EGG')
BODY(solfec, 'RIGID', PIPE((2, 0, 0.1), (0, 0, 0.5), 0.1, 0.1, 2, 12, 1, 1, [1, 2, 3, 4]), bulk, label='PIPE')
bar = HEX([-2,0,1, -1,0,1, -1,.1,1, -2,.1,1, -2,0,1.2, -1,0,1.2, -1,.1,1.2, -2,.1,1.2], 8, 1, 1, 1, [1]*6)
BODY(solfec, 'PSEUDO_RIGID', BEND(bar, (-2, 0, 0), (0, 1, 0), 40), bulk, label='BAR')
OUTPUT(solfec, 0.05)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 200), 0.6)
";

#[test]
fn ellipsoids_pipes_and_bends_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", DECK);
    done(&folder, "sf-build deck.py | sf-run -q -o whole -");
    done(
        &folder,
        "sf-build deck.py -o shapes.sfm.h5 && sf-run -q --steps 250 -o parts shapes.sfm.h5; sf-run -q -c -o parts shapes.sfm.h5",
    );
    let history = |results: &str| {
        let items = "KINETIC 'egg=CZ@label:EGG(0,0,0.5)' 'pipe=CZ@label:PIPE(2,0,0.6)' CONS";
        done(&folder, &format!("sf-history {results} {items}"))
    };
    let whole = history("whole");
    assert_eq!(whole, history("parts"), "a run in two parts");
    let table = Table::parse(&whole);
    // Fallen by 0.2 m the ellipsoid rests at its least half axis. A mesh is a step late: it sinks by less than h v.
    let last = |name: &str| *table.column(name).last().expect("frames");
    assert!((last("egg") - 0.3).abs() < 3e-3, "{}", last("egg"));
    assert!((last("pipe") - 0.5).abs() < 3e-3, "{}", last("pipe"));
    done(&folder, "sf-xdmf whole -o viz");
    let points = done(&folder, "grep -c Polygon viz/shapes_bodies.xmf || true");
    assert!(!points.trim().is_empty());
    done(&folder, "sf-run -q --pack whole packed.h5 && sf-history packed.h5 KINETIC > packed.csv");
}

/// Two dumbbells on a floor: of one the left ball is excluded from contact after a RUN, of the other the right ball from
/// the beginning.
const DUMBBELLS: &str = "
import sys
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/balls')
bulk = BULK_MATERIAL(solfec, density=1000)
GRAVITY(solfec, (0, 0, -10))
block = HULL([-3,-3,-1, 3,-3,-1, 3,3,-1, -3,3,-1, -3,-3,0, 3,-3,0, 3,3,0, -3,3,0], 1, 1)
floor = BODY(solfec, 'OBSTACLE', block, bulk)
pair = [BODY(solfec, 'RIGID', [SPHERE((x, y, 0.5), 0.5, 1, 2) for x in (-1, 1)], bulk) for y in (-2, 2)]
CONTACT_EXCLUDE_OBJECTS(pair[1], 1, floor, 0)
OUTPUT(solfec, 0.01)
solver = GAUSS_SEIDEL_SOLVER(1E-6, 200)
RUN(solfec, solver, 0.05)
CONTACT_EXCLUDE_OBJECTS(floor, 0, pair[0], 0)
RUN(solfec, solver, 0.05)
if solfec.mode == 'READ': print([len([SEEK(solfec, t), solfec.constraints][1]) for t in (0.02, 0.09)])
for call in ('(floor, 1, pair[0], 0)', '(floor, 0, pair[0], -1)', '(floor, 0, floor, 0)', '(floor, 0, pair[0], 2)'):
  try: eval('CONTACT_EXCLUDE_OBJECTS' + call)
  except ValueError as error: print(error, file=sys.stderr)
";

#[test]
fn excluded_objects_go_the_whole_way() {
    let folder = Scratch::new();
    folder.write("deck.py", DUMBBELLS);
    done(&folder, "sf-build -q deck.py -o m.sfm.h5 && sf-build -q deck.py | sf-run -q -o piped -");
    done(&folder, "sf-run -q -o parts --steps 70 m.sfm.h5; sf-run -q -c -o parts m.sfm.h5");
    let told = done(&folder, "sf-run -q deck.py 2>&1");
    for text in [
        "object1: is 1, but body 1 has the objects 0 to 0",
        "object2: is -1, but body 2 has the objects 0 to 1",
        "object2: is object1 of the same body",
        "object2: is 2",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    let counts =
        |results: &str| Table::parse(&done(&folder, &format!("sf-history {results} CONS"))).column("CONS").to_vec();
    for results in ["piped", "parts", "out/balls"] {
        let found = counts(results);
        assert!(found[1..5].iter().all(|n| *n == 3.0) && found[7..].iter().all(|n| *n == 2.0), "{results}: {found:?}");
    }
    // Read again, the deck must exclude the same.
    assert_eq!(done(&folder, "sf-run -q deck.py 2> told"), "[3, 2]\n");
    folder.write("other.py", &DUMBBELLS.replace("pair[1], 1, floor", "pair[1], 0, floor"));
    let differs = fails(&folder, "sf-run -q other.py", 4);
    assert!(differs.contains("CONTACT_EXCLUDE_OBJECTS"), "{differs}");
}
