//! Local dynamics of a run: dumped, compared between threads, solved again.

use super::common::*;

/// Two blocks on a floor, the upper one on a link to the air: contacts, and a constraint that FCLIB can hold.
const DECK: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/blocks')
SURFACE_MATERIAL(solfec, friction=0.4, restitution=0.2)
bulk = BULK_MATERIAL(solfec, density=1E3)

def block(low, high):
    x, y, z = low
    X, Y, Z = high
    return HEX([x, y, z, X, y, z, X, Y, z, x, Y, z, x, y, Z, X, y, Z, X, Y, Z, x, Y, Z], 2, 2, 1, 1, [1]*6)

BODY(solfec, 'OBSTACLE', block((-2, -2, -1), (2, 2, 0)), bulk)
BODY(solfec, 'RIGID', block((-0.5, -0.5, 0), (0.5, 0.5, 1)), bulk)
upper = BODY(solfec, 'RIGID', block((-0.5, -0.5, 1), (0.5, 0.5, 2)), bulk)
FIX_DIRECTION(upper, (0, 0, 1.5), (1, 0, 0))
GRAVITY(solfec, (1, 0, -10))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-10, 1000), 0.005)
";

#[test]
fn local_dynamics_of_a_step() {
    let folder = Scratch::new();
    folder.write("deck.py", DECK);
    let told =
        shell(&folder, "sf-build deck.py | sf-run -j 1 --dump-locdyn 3:one.hdf5 --dump-locdyn 9:late.hdf5 -o a -");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    assert!(String::from_utf8_lossy(&told.stderr).contains("--dump-locdyn 9:late.hdf5: the run ended after step 5"));
    done(&folder, "sf-run -q -j 2 --dump-locdyn 3:two.hdf5 deck.py");
    assert!(done(&folder, "sf-locdyn-compare one.hdf5 two.hdf5").contains("same"));
    folder.write("pushed.py", &DECK.replace("(1, 0, -10)", "(2, 0, -10)"));
    fails(&folder, "sf-run -q -w --dump-locdyn 3:pushed.hdf5 pushed.py && sf-locdyn-compare one.hdf5 pushed.hdf5", 1);
    let solved = done(&folder, "sf-locdyn-compare solve one.hdf5 --solver AUTO --tol 1e-10 --measure merit --json");
    let solved: serde_json::Value = serde_json::from_str(&solved).expect("one document");
    assert_eq!((&solved["converged"], &solved["contacts"]), (&true.into(), &8.into()), "{solved}");
    fails(&folder, "sf-run --dump-locdyn three:x.hdf5 deck.py", 2);
}

/// LOCDYN_DUMP of a live deck gives what `--dump-locdyn` gives.
#[test]
fn local_dynamics_by_command() {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("{DECK}LOCDYN_DUMP(solfec, 'command.hdf5')\n"));
    done(&folder, "sf-run -q --dump-locdyn 5:option.hdf5 deck.py && sf-locdyn-compare command.hdf5 option.hdf5");
    folder.write("early.py", &DECK.replace("RUN(", "LOCDYN_DUMP(solfec, 'x.hdf5')\nRUN("));
    assert!(fails(&folder, "sf-run -q -w early.py", 3).contains("before the first RUN"));
}
