//! Exit codes and the names that `--json` gives to errors.

use super::common::*;
use super::BALL;

/// Exit code, and the name of the error of `--json` on standard output.
fn named(folder: &Scratch, line: &str) -> (i32, String) {
    let output = shell(folder, line);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{line}: {e}: {text}"));
    let name = json["error"]["code"].as_str().unwrap_or_default().to_string();
    (output.status.code().unwrap_or(-1), name)
}

#[test]
fn errors_have_names() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    folder.write("type.py", "SPHERE('a', 1, 1, 1)\n");
    folder.write("value.py", "raise ValueError('no')\n");
    folder.write("other.py", "raise KeyError('no')\n");
    folder.write("exit.py", &BALL.replace("100)", "1, failure='EXIT')").replace("1E-6", "1E-14"));
    folder.write(
        "deep.py",
        &BALL.replace("0.6), 0.5", "0.3), 0.5").replace("OUTPUT", "UNPHYSICAL_PENETRATION(solfec, 0.1)\nOUTPUT"),
    );
    done(&folder, "sf-build ball.py -o m.h5; sf-run -q m.h5 -o r --steps 3; sf-build deep.py -o deep.h5");
    for (line, code, name) in [
        ("sf-run --json --nonsense", 2, "E_USAGE"),
        ("sf-run --json nothing.h5", 4, "E_IO"),
        ("sf-run --json m.h5 -o r", 4, "E_IO_EXISTS"),
        ("sf-build --json ball.py -o m.h5", 4, "E_IO_EXISTS"),
        ("sf-run --json type.py", 3, "E_DECK_TYPE"),
        ("sf-run --json value.py", 3, "E_DECK_VALUE"),
        ("sf-run --json other.py", 3, "E_DECK"),
        ("sf-run --json -w exit.py", 6, "E_SOLVER_DIVERGED"),
        ("sf-run --json -w deep.py", 6, "E_PENETRATION"),
        ("sf-run --json -w deep.h5 -o deep", 6, "E_PENETRATION"),
        ("sf-run --json --no-python ball.py", 2, "E_USAGE"),
        ("sf-history --json nothing KINETIC", 4, "E_IO"),
    ] {
        assert_eq!(named(&folder, line), (code, name.into()), "{line}");
    }
}

/// Deck input on existing results reads them; model input refuses; damaged results are never replaced without -w.
#[test]
fn existing_results() {
    let folder = Scratch::new();
    folder.write("ball.py", &format!("{BALL}print(solfec.mode)\n"));
    assert_eq!(done(&folder, "sf-run -q ball.py; sf-run -q ball.py"), "WRITE\nREAD\n");
    assert_eq!(done(&folder, "sf-run -q --python out/ball"), "READ\n");
    assert_eq!(done(&folder, "sf-run -q --read ball.py"), "READ\n");
    assert_eq!(done(&folder, "sf-run -q --python -w out/ball"), "WRITE\n");
    assert!(fails(&folder, "sf-run -q --read ball.py -o nowhere", 4).contains("no results to read"));
    done(&folder, "head -c 100 out/ball/ball.sfr.h5 > cut; cp cut out/ball/ball.sfr.h5");
    assert!(fails(&folder, "sf-run -q ball.py", 4).contains("; -w replaces these results"));
    fails(&folder, "sf-run -q -c ball.py", 4);
    assert_eq!(done(&folder, "sf-run -q -w ball.py"), "WRITE\n");
}

/// Several SOLFEC objects and -o: the first goes to DIR, the others to DIR/NAME.
#[test]
fn several_objects_and_o() {
    let folder = Scratch::new();
    folder.write("two.py", &format!("{BALL}{}", BALL.replace("out/ball", "out/other")));
    done(&folder, "sf-run -q two.py -o here; sf-history here KINETIC; sf-history here/other KINETIC");
}
