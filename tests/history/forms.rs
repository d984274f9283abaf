//! What decks and command lines may ask for in more than one way: gaps along a direction, spans from their end.

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
