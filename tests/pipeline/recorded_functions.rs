//! Models that need functions of their deck: the deck they hold is recorded again, compared, and runs live.

use super::common::*;
use super::BALL;

const CALLBACK: &str = "
import sys
def callback():
    print(sys.argv[1], friction, '%.3f' % solfec.time, __file__)
    return 1
print('built')
CALLBACK(solfec, 0.1, (), callback)
RUN(";

#[test]
fn functions_are_called() {
    let folder = Scratch::new();
    folder.write("ball.py", &BALL.replace("RUN(", CALLBACK));
    done(&folder, "sf-build -q --allow-live --set friction=0.4 ball.py -o m.h5 -- fine; mv ball.py gone.py");
    let told = done(&folder, "sf-run -q --python m.h5 -o from-model");
    assert_eq!(told.lines().filter(|l| *l == "built").count(), 1, "recording again is muted:\n{told}");
    assert!(told.contains("fine 0.4 0.001 ball.py\n"), "{told}");
    done(&folder, "mv gone.py ball.py; sf-run -q --set friction=0.4 ball.py -o from-deck -- fine");
    let history = |results: &str| done(&folder, &format!("sf-history {results} KINETIC"));
    assert_eq!(history("from-model"), history("from-deck"));
    assert_eq!(shell(&folder, "sf-run --no-python m.h5 -o x").status.code(), Some(7));
}

/// An exception names the line of the original path, and Python shows the text the model holds.
#[test]
fn lines_are_those_of_the_deck() {
    let folder = Scratch::new();
    folder.write("ball.py", &BALL.replace("RUN(", "CALLBACK(solfec, 0.1, (), lambda: 1 / 0)\nRUN("));
    done(&folder, "sf-build -q --allow-live ball.py -o m.h5; echo '# nothing' > ball.py");
    let told = fails(&folder, "sf-run -q --python m.h5 -o r", 3);
    assert!(told.contains("sf-run: error: ball.py:10: ZeroDivisionError"), "{told}");
    assert!(told.contains("lambda: 1 / 0"), "{told}");
}

/// A deck that makes another model by now: code 3, and the input that has changed is named.
#[test]
fn a_changed_input_is_named() {
    let folder = Scratch::new();
    folder.write("height.txt", "0.6");
    let deck = BALL
        .replace("0.6)", "float(open('height.txt').read()))")
        .replace("RUN(", "CALLBACK(solfec, 1, (), lambda: 1)\nRUN(");
    folder.write("ball.py", &deck);
    done(&folder, "sf-build -q --allow-live ball.py -o m.h5; sf-run -q --python m.h5 -o r; echo 0.7 > height.txt");
    let told = fails(&folder, "sf-run -q -w --python m.h5 -o r", 3);
    assert!(
        told.contains("body 2 'BALL' (deck line 8) has centre (0, 0, 0.7), stored is (0, 0, 0.6)")
            && told.contains("height.txt has changed"),
        "{told}"
    );
}

/// A deck that writes a file when it runs, with text that would clear a terminal.
fn trap() -> String {
    let mark = "open('ran', 'w').write('yes')  # \x1b[2J\n";
    format!("{mark}{}", BALL.replace("RUN(", "CALLBACK(solfec, 0.1, (), lambda: 1)\nRUN("))
}

/// The deck that a model contains runs only with --python: from a file, through a pipe, and from a results directory.
#[test]
fn no_python_without_consent() {
    let folder = Scratch::new();
    folder.write("ball.py", &trap());
    done(&folder, "sf-build -q --allow-live ball.py -o 'my model.h5'; sf-run -q ball.py; mv ball.py own.py; rm ran");
    for (line, typed) in [
        ("sf-run -w 'my model.h5' -o out/ball", "sf-run --python -w 'my model.h5' -o out/ball"),
        ("sf-run -w -o out/ball < 'my model.h5'", "sf-run --python -w -o out/ball"),
        ("sf-run -c out/ball", "sf-run --python -c out/ball"),
        ("sf-run -q -w out/ball", "sf-run --python -q -w out/ball"),
        ("sf-run out/ball", "sf-run --python out/ball"),
    ] {
        let told = fails(&folder, line, 7);
        assert!(told.contains("    | open('ran', 'w').write('yes')  # \\u{1b}[2J\n"), "{line}: {told}");
        assert!(told.contains(" more\n") && !told.contains('\x1b'), "{line}: {told}");
        assert!(told.contains(&format!("type: {typed}; or ")), "{line}: {told}");
        assert!(!folder.path("ran").exists(), "{line} ran the deck");
    }
    // What else to type does what was asked for: reading, going on, replacing.
    for (line, typed) in [
        ("sf-run out/ball", "sf-run -o out/ball DECK.py"),
        ("sf-run -c out/ball", "sf-run -c -o out/ball DECK.py"),
        ("sf-run -w -s ball out", "sf-run -w -o out/ball DECK.py"),
    ] {
        let told = fails(&folder, line, 7);
        assert!(told.contains(&format!("; or name your own deck: {typed}\n")), "{line}: {told}");
    }
    // A deck that is named needs no consent, and goes on with results that hold the same text.
    assert_eq!(done(&folder, "sf-run -q -c own.py && cat ran && rm ran"), "yes");
    assert_eq!(done(&folder, "sf-run -q -w --python 'my model.h5' && cat ran"), "yes");
    assert!(fails(&folder, "sf-run --python --no-python out/ball", 2).contains("cannot be used with"));
    assert!(fails(&folder, "sf-run --no-python out/ball", 2).contains("refuses decks"));
}

/// The deck in a results directory runs with the dialect, arguments, variables, sub-directory and legacy switches of
/// its run, unless the command line gives others.
#[test]
fn a_kept_deck_runs_as_it_did() {
    let folder = Scratch::new();
    let shows = "print('%s %s %s %s %s' % (7/2, NON_SOLFEC_ARGV(), left, right, SUBDIR()))\nRUN(";
    folder.write("ball.py", &BALL.replace("RUN(", shows).replace("0.3)", "0.02)"));
    let given = "--python2 always --compat prescribed --set left=1 --set right=2";
    let then = done(&folder, &format!("sf-run -q -o out -s sub {given} ball.py --steps 10 -- A1"));
    assert_eq!(then, "3 ['A1'] 1 2 sub\n");
    for line in ["sf-run -q --python out/sub", "sf-run -q --python -c out/sub", "sf-run -q --python -w -s sub out"] {
        assert_eq!(done(&folder, line), then, "{line}");
    }
    let others = "sf-run -q --python --python2 never --set left=5 out/sub -- B1 B2";
    assert_eq!(done(&folder, others), "3.5 ['B1', 'B2'] 5 2 sub\n");
}

/// A model does not choose a place outside the folder for its results; -o does.
#[test]
fn a_model_does_not_write_outside() {
    let folder = Scratch::new();
    folder.write("ball.py", &BALL.replace("0.3)", "0.01)"));
    let line = "mkdir in && cd in && sed s,out/ball,../above, ../ball.py > up.py && sf-build up.py -o up.h5";
    done(&folder, line);
    let told = fails(&folder, "cd in && sf-run -q up.h5", 2);
    assert!(told.contains("wants its results in ../above, outside this folder; type -o ../above"), "{told}");
    assert!(!folder.path("above").exists());
    done(&folder, "cd in && sf-run -q up.h5 -o ../above && sf-run -q up.py -w");
    assert!(folder.path("above/above.sfr.h5").exists());
    let line = "sed s,out/ball,$PWD/full, ball.py > full.py && sf-build full.py | sf-run -q";
    assert!(fails(&folder, line, 2).contains("outside this folder"));
}
