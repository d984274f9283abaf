//! The command line of the original, through tools/launcher/solfec.

use std::path::Path;

use super::common::*;
use super::BALL;

fn solfec() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/launcher/solfec").display().to_string()
}

#[test]
fn the_original_command_line() {
    let folder = Scratch::new();
    folder
        .write("ball.py", &format!("# solfec: python3\n{BALL}print(solfec.mode, NON_SOLFEC_ARGV(), solfec.outpath)\n"));
    folder.write("data file", "");
    let solfec = solfec();
    let first = done(&folder, &format!("{solfec} -i 2 -percent ball.py 'data file' 10"));
    assert_eq!(first, "WRITE ['-percent', 'data file', '10'] out/ball\n");
    assert_eq!(done(&folder, &format!("{solfec} ball.py")), "READ None out/ball\n");
    assert_eq!(done(&folder, &format!("{solfec} -w -s sub ball.py")), "WRITE None out/ball/sub\n");
    // The deck inside a directory runs only by the word of sf-run, and as it ran.
    assert!(fails(&folder, &format!("{solfec} out/ball"), 7).contains("type: sf-run --python out/ball"));
    assert_eq!(done(&folder, "sf-run -q --python out/ball"), first.replace("WRITE", "READ"));
    let output = shell(&folder, &format!("{solfec}-mpi -v -g 800x600 -w ball.py"));
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("use sf-xdmf and ParaView"));
    // Decks are Python 2, unless they say otherwise.
    folder.write(
        "draw.py",
        "import random\nrandom.seed(7)\nprint(7 / 2, random.randint(0, 10**9))\nSOLFEC('DYNAMIC', 1, 'o')\n",
    );
    assert_eq!(done(&folder, &format!("{solfec} draw.py")), "(3, 323832765)\n");
    folder.write("new.py", "# solfec: python3\nprint(7 / 2)\nSOLFEC('DYNAMIC', 1, 'o')\n");
    assert_eq!(done(&folder, &format!("{solfec} new.py")), "3.5\n");
    // No input: version and synopsis, exit status 0.
    let told = done(&folder, &format!("{solfec} nothing.py"));
    assert!(told.starts_with("sf-run ") && told.contains("SYNOPSIS"), "{told}");
}
