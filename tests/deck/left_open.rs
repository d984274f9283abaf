//! Files that a deck leaves open at its end: written, as Python does.

use super::*;

/// A function of the deck refers to all that the deck holds, so that nothing of it goes by itself.
const OPEN: &str = "\
import gzip, sys
g = open('text', 'w')
z = gzip.open('packed', 'wt')
def f(): g.write('a line\\n'); z.write('a line\\n')
f()
";

/// Runs the deck by a tool; its exit code and what it told.
fn end(folder: &Folder, tool: &str, deck: &str) -> (i32, String) {
    let _ = (std::fs::remove_file(folder.path("text")), std::fs::remove_file(folder.path("packed")));
    folder.write("deck.py", deck);
    let out = if tool == "sf-run" {
        folder.sf_run(&["-q", "-w", "deck.py"])
    } else {
        folder.build(&["-q", "-f", "-o", "m.h5", "deck.py"])
    };
    (out.status.code().unwrap(), text(&out.stderr))
}

fn is_written(folder: &Folder, what: &str) {
    let held = std::fs::read_to_string(folder.path("text")).unwrap();
    assert_eq!(held, "a line\n", "{what}");
    let unpacked =
        Command::new("gzip").args(["-dc"]).stdin(std::fs::File::open(folder.path("packed")).unwrap()).output();
    assert_eq!(text(&unpacked.unwrap().stdout), "a line\n", "{what}");
}

#[test]
fn is_written_however_the_deck_ends() {
    let folder = Folder::new();
    for tool in ["sf-build", "sf-run"] {
        for (last, code) in [("", 0), ("raise ValueError('no')\n", 3), ("sys.exit(5)\n", 5)] {
            let deck = format!("{OPEN}{START}BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\n{last}");
            let (ended, told) = end(&folder, tool, &deck);
            assert_eq!(ended, code, "{tool} {last}: {told}");
            is_written(&folder, &format!("{tool} {last}"));
        }
    }
}

/// Functions that were handed over are known to the prelude until the end.
#[test]
fn is_written_after_functions_were_handed_over() {
    let folder = Folder::new();
    let rest = "BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\nCALLBACK(s, 1, (), lambda: bool(f))\n\
                FIELD(s, lambda x, y, z, t: 1.0, label='f')\nSURFACE_MATERIAL(s)\n\
                sv = GAUSS_SEIDEL_SOLVER(1e-3, 10, failure='CALLBACK', callback=lambda x: f())\nRUN(s, sv, 0.002)\n";
    assert_eq!(end(&folder, "sf-run", &format!("{OPEN}{START}{rest}")), (0, String::new()));
    is_written(&folder, "sf-run");
}

#[test]
fn streams_without_a_file_are_no_error() {
    let folder = Folder::new();
    let odd = "import io, weakref\nclass Own(io.RawIOBase):\n  def writable(self): return self.absent\n\
               own = Own(); proxy = weakref.proxy(own); away = open('text', 'w'); away.detach()\n";
    assert_eq!(end(&folder, "sf-build", &format!("{START}{odd}")), (0, String::new()));
}

#[test]
fn a_full_disk_is_told() {
    let folder = Folder::new();
    let deck = format!("{START}g = open('/dev/full', 'w')\ng.write('a line')\n");
    let (code, told) = end(&folder, "sf-build", &deck);
    assert_eq!(code, 4, "{told}");
    assert_eq!(told, "sf-build: error: /dev/full: [Errno 28] No space left on device\n");
    let (code, told) = end(&folder, "sf-build", &format!("{deck}raise ValueError('first')\n"));
    assert!(code == 3 && told.contains("/dev/full: [Errno 28]"), "{told}");
}
