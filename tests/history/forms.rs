//! What decks and command lines may ask for in more than one way: gaps along a direction, spans from their end, points
//! beside their body.

use super::decks::Decks;
use super::*;

/// Runs a deck; what it prints and what it is told.
fn told(folder: &Decks, deck: &str) -> (String, String) {
    std::fs::write(folder.path("deck.py"), deck).unwrap();
    let done = output(folder.command("sf-run").args(["-q", "deck.py"]));
    assert!(done.status.success(), "{}", stderr(&done));
    (stdout(&done), stderr(&done))
}

/// A ball of surface 2 falls from 0.02 m onto a plate of surface 1.
const DROP: &str = "
s = SOLFEC('DYNAMIC', 0.01, 'out/drop')
m = BULK_MATERIAL(s)
BODY(s, 'OBSTACLE', BOX((-2, -2, -1), (2, 2, 0), 1, 1), m)
b = BODY(s, 'RIGID', SPHERE((0, 0, 1.02), 1, 0, 2), m, label='BALL')
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0.01)
RUN(s, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
";

#[test]
fn a_gap_is_the_same_in_any_direction() {
    let folder = Decks::new();
    told(&folder, DROP);
    let read = "forms = [(b, 'GAP'), (b, None, None, 'GAP'), (b, None, (1, 2), 'GAP'), (b, (0, 0, 1), (1, 2), 'GAP'),
         ([b], (0, 3, 0), (2, 1), 'GAP'), (s, (0, 0, 0), None, 'GAP')]
for on in 'master', 'bodies':
    t, g, *others = HISTORY(s, forms, 0, 0.1, on=on)
    print(g[-1] < 0, g[0] != g[0], set(map(repr, others)) == {repr(g)})
print(HISTORY(s, [(b, (0, 0, 1), (1, 7), 'GAP')], 0.1, 0.1)[1])\n";
    let (printed, warnings) = told(&folder, &format!("{DROP}{read}"));
    assert_eq!(printed, "True True True\nTrue True True\n[nan]\n");
    assert_eq!(warnings, "");
    let c = folder.history("out/drop", &["GAP@BALL", "GAP[dir=0,3,0;pair=1,2]@BALL", "GAP[dir=0,0,0;on=bodies]"]);
    let text = |name: &str| format!("{:?}", c[name]);
    assert_eq!(text("GAP@BALL"), text("GAP[dir=0,3,0;pair=1,2]@BALL"));
    assert_eq!(text("GAP@BALL"), text("GAP[dir=0,0,0;on=bodies]"));
}

/// A span may be given from its end; who does so is told.
#[test]
fn a_span_that_ends_before_it_begins_is_turned() {
    let folder = Decks::new();
    told(&folder, DROP);
    let read = "print(HISTORY(s, 'STEP', 0.07, 0.03)[0])
print(HISTORY(s, 'STEP', 0.07, 0.03) == HISTORY(s, 'STEP', 0.03, 0.07), HISTORY(s, 'STEP', 0.05, 0.05)[0])
XDMF_EXPORT(s, (0.07, 0.03), 'viz')\n";
    let (printed, warnings) = told(&folder, &format!("{DROP}{read}"));
    assert_eq!(printed, "[0.03, 0.04, 0.05, 0.06, 0.07]\nTrue [0.05]\n");
    let turned = "the span from 0.07 to 0.03 s ends before it begins: taken as that from 0.03 to 0.07 s";
    assert_eq!(warnings.matches(turned).count(), 3, "{warnings}");
    assert!(warnings.contains(&format!("deck.py:9: HISTORY: {turned}")), "{warnings}");
    assert!(warnings.contains(&format!("deck.py:11: XDMF_EXPORT: {turned}")), "{warnings}");
    let exported = std::fs::read_to_string(folder.path("viz/viz_bodies.xmf")).unwrap();
    assert_eq!(exported.matches("<Time").count(), 5);

    let span =
        |time: &str, more: &[&str]| folder.tool("sf-history", &[&["out/drop", "STEP", "--time", time], more].concat());
    for more in [&[][..], &["--per-step"]] {
        let done = span("0.07:0.03", more);
        assert_eq!(stdout(&done), stdout(&span("0.03:0.07", more)));
        assert_eq!(stderr(&done), format!("sf-history: warning: --time: {turned}\n"));
        assert_eq!(span("0.07:0.03", &[more, &["--strict"]].concat()).status.code(), Some(3));
    }
    assert_eq!(stderr(&span("0.03:0.07", &[])), "");
    let packed = folder.tool("sf-run", &["-q", "--pack", "out/drop", "--time", "0.07:0.03"]);
    assert_eq!(stderr(&packed), format!("sf-run: warning: --time: {turned}\n"));
    std::fs::write(folder.path("packed.h5"), packed.stdout).unwrap();
    let c = folder.history("packed.h5", &["STEP"]);
    assert_eq!(c["time"], [0.03, 0.04, 0.05, 0.06, 0.07]);
}

/// A unit cube of finite elements and a ball, which fall by 5 t².
const CUBE: &str = "
s = SOLFEC('DYNAMIC', 0.001, 'out/cube')
m = BULK_MATERIAL(s, young=1E6)
cube = HEX([0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1], 2, 2, 2, 1, [1]*6)
b = BODY(s, 'FINITE_ELEMENT', cube, m, label='CUBE')
r = BODY(s, 'RIGID', SPHERE((5, 5, 5), 1, 0, 0), m, label='BALL')
b.scheme = 'DEF_LIM'
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0.01)
def fall(body, point):
    d, v, e = DISPLACEMENT(body, point), VELOCITY(body, point), STRESS(body, point)
    return [round(d[2], 6) + 0, round(v[2], 6) + 0, round(e[6], 3)]
def show():
    # inside, on the surface but for round-off and for the digits of a text, outside
    for x in 0.5, 1, 1 + 1E-7, 1.0004, 1.01, 5:
        print(fall(b, (x, 0.5, 0.5)))
    print(fall(r, (5, 9, 5)))
show()
";

/// The motion of finite elements ends at their mesh: a point beside it has no values. A rigid body moves any point.
#[test]
fn a_point_beside_finite_elements_has_no_values() {
    let folder = Decks::new();
    let run = "RUN(s, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)\nif s.mode == 'WRITE': show()\n";
    let (printed, warnings) = told(&folder, &format!("{CUBE}{run}"));
    let (at_rest, fallen, nothing) = ("[0.0, 0.0, 0.0]\n", "[-0.05, -1.0, 0.0]\n", "[nan, nan, nan]\n");
    let shown = |moved: &str| moved.repeat(4) + &nothing.repeat(2) + moved;
    assert_eq!(printed, shown(at_rest) + &shown(fallen));
    let outside =
        |x: &str| format!("the point ({x}, 0.5, 0.5) is outside body 1 'CUBE' (deck line 5); its values are NaN");
    let one = format!("sf-run: warning: deck.py:11: DISPLACEMENT: {}\n", outside("1.01"));
    assert_eq!(warnings, one, "one warning for the body");

    let read = "SEEK(s, 0.1)
show()
t, *z = HISTORY(s, [(b, (x, 0.5, 0.5), 'DZ') for x in (0.5, 1 + 1E-7, 1.0004, 5)] + [(b, (5, 0.5, 0.5), 'MISES'),
    ('CUBE', (5, 0.5, 0.5), 'VX'), (r, (5, 9, 5), 'DZ')], 0.1, 0.1)
print([round(x[0], 6) for x in z])\n";
    let (printed, warnings) = told(&folder, &format!("{CUBE}{run}{read}"));
    let last = "[-0.05, -0.05, -0.05, nan, nan, nan, -0.05]\n";
    assert_eq!(printed, shown(at_rest) + &shown(fallen) + last);
    assert_eq!(warnings.matches(&outside("5")).count(), 1, "one warning for the point: {warnings}");
    assert_eq!(warnings.matches("body 2 'BALL' (deck line 6); it is moved with the body").count(), 1, "{warnings}");
    assert_eq!(warnings.lines().count(), 3, "{warnings}");

    let items = ["DZ@CUBE(0.5,0.5,0.5)", "a=DZ@CUBE(5,.5,.5)", "b=SX@CUBE(5,.5,.5)", "max(DZ@CUBE(5,.5,.5),2)"];
    let done = folder.tool("sf-history", &[&["out/cube"], &items[..], &["--recovered"]].concat());
    assert_eq!(stderr(&done), format!("sf-history: warning: {}\n", outside("5")));
    let c = columns(&stdout(&done));
    assert!(c["a"].iter().chain(&c["b"]).all(|x| x.is_nan()) && c["a"].len() == 11);
    assert!(c[items[0]].iter().all(|x| x.is_finite()));
    assert_eq!(c[items[3]], [2.0; 11]);
    let strict = folder.tool("sf-history", &["out/cube", items[1], "--strict"]);
    assert_eq!(strict.status.code(), Some(3));
}
