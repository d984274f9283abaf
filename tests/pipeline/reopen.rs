//! Results that the same process opens again, objects that are given back, directories that stay empty.

use super::common::*;

const F: &str = "
import os, shutil
def f(run=True):
    s = SOLFEC('DYNAMIC', 1E-2, 'out/f')
    m = BULK_MATERIAL(s)
    BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), m)
    if run: RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.05)
    return s
";

/// A deck that removes the results computes them again; the first object may still be alive.
#[test]
fn removed_results_are_written_again() {
    let folder = Scratch::new();
    let rest = "
a = f(); b = f()
shutil.rmtree('out')
c = f(); d = f()
print(a.mode, b.mode, c.mode, d.mode, a.time, DURATION(d), os.path.exists('out/f'))
";
    folder.write("deck.py", &format!("{F}{rest}"));
    let expected = "WRITE READ WRITE READ 0.05 (0.0, 0.05) True\n";
    assert_eq!(done(&folder, "sf-run -q deck.py"), expected);
    done(&folder, "sf-history out/f KINETIC");
    // The directory that the deck names is there for its own files, and gone in the end if it has none.
    assert_eq!(done(&folder, "rm -r out; sf-run -q -w -o other deck.py").split(' ').next_back(), Some("True\n"));
    assert!(!folder.path("out/f").exists(), "an empty directory stayed");
}

/// Results that were opened again are complete: the first object cannot write there any more.
#[test]
fn what_was_opened_again_is_not_written_to() {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("{F}a = f(); b = f()\nRUN(a, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.05)\n"));
    let told = fails(&folder, "sf-run -q deck.py", 3);
    assert!(told.contains("its results were completed when the same path was opened again"), "{told}");
    folder.write("deck.py", &format!("{F}a = f(False); b = f()\nRUN(a, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.05)\n"));
    let told = fails(&folder, "sf-run -q -w deck.py", 4);
    assert!(
        told.contains("another SOLFEC object of this deck has written here; give each a path of its own"),
        "{told}"
    );
}

/// -w is for earlier runs: what helps objects that differ is a path for each.
#[test]
fn objects_on_one_path_that_differ_are_told_of_each_other() {
    let folder = Scratch::new();
    let other = F.replace("def f", "def g");
    folder.write("deck.py", &format!("{F}{}f(); g()\n", other.replace("(0, 0, 0), 1", "(0, 0, 0), 2")));
    let told = fails(&folder, "sf-run -q -w deck.py", 4);
    assert!(
        told.contains("another SOLFEC object of this deck has written them: give each a path of its own"),
        "{told}"
    );
    folder.write("deck.py", &format!("{F}{}f(); g()\n", other.replace("(1E-3, 10)", "(1E-3, 20)")));
    let told = shell(&folder, "sf-run -q -w deck.py").stderr;
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("the stored run is read; for a run of its own give it another path"), "{told}");
}

/// A frame that is only due at the end of the last RUN is there when the results are read by the same process.
#[test]
fn the_last_state_is_read_too() {
    let folder = Scratch::new();
    let deck = F.replace("if run:", "OUTPUT(s, 1)\n    if run:");
    folder.write("deck.py", &format!("{deck}f(); b = f()\nprint(DURATION(b))\n"));
    assert_eq!(done(&folder, "sf-run -q deck.py"), "(0.0, 0.05)\n");
}

/// cleanup='ON' removes a directory that nothing was written to, and no other.
#[test]
fn cleanup() {
    let folder = Scratch::new();
    let rest = "
s = f(len(NON_SOLFEC_ARGV()) > 1)
s.cleanup = 'ON'
os.makedirs('out/f', exist_ok=True)
if 'mark' in NON_SOLFEC_ARGV(): open('out/f/mark', 'w')
";
    folder.write("deck.py", &format!("{F}{rest}"));
    done(&folder, "sf-run -q deck.py -- nothing && test ! -e out/f");
    done(&folder, "sf-run -q deck.py -- mark && test -e out/f/mark && rm -r out");
    done(&folder, "sf-run -q deck.py -- run it && test -e out/f/segments");
}
