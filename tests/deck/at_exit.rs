//! Commands that a deck calls when Python comes to its end.

use super::*;

/// Code, standard output and standard error of `sf-run -q` on a deck.
fn end(folder: &Folder, rest: &str) -> (i32, String, String) {
    folder.write("deck.py", &format!("import atexit, sys\n{START}{rest}"));
    let out = folder.sf_run(&["-q", "-w", "deck.py"]);
    (out.status.code().unwrap(), text(&out.stdout), text(&out.stderr))
}

const BODY_AND_RUN: &str = "BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 0, 0), m)\nsv = GAUSS_SEIDEL_SOLVER(1e-3, 10)\n\
                            RUN(s, sv, 0.002)\n";

#[test]
fn functions_registered_with_atexit_are_served() {
    let folder = Folder::new();
    let register = "atexit.register(lambda: print('at', s.time))\n";
    for (last, code) in [("", 0), ("sys.exit(5)\n", 5), ("raise ValueError('no')\n", 3)] {
        let (ended, out, told) = end(&folder, &format!("{register}{BODY_AND_RUN}{last}"));
        assert_eq!((ended, out.as_str()), (code, "at 0.002\n"), "{last}: {told}");
    }
}

/// A thread that outlives the deck finds nobody to serve it, and does not wait for that.
#[test]
fn later_calls_raise() {
    let folder = Folder::new();
    for call in ["s.time", "SPHERE((0, 0, 0), 1, 0, 0)"] {
        let thread = format!(
            "import threading\ndef late():\n  threading.main_thread().join()\n  {call}\n\
             threading.Thread(target=late).start()\n"
        );
        let (code, _, told) = end(&folder, &format!("{BODY_AND_RUN}{thread}"));
        assert_eq!(code, 0, "{told}");
        assert!(told.contains("the deck has ended: its commands are no longer served"), "{told}");
    }
}
