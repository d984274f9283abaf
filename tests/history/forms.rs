//! What decks and command lines may ask for in more than one way: gaps along a direction.

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
