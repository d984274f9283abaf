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
    let told = done(&folder, "sf-run -q m.h5 -o from-model");
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
    let told = fails(&folder, "sf-run -q m.h5 -o r", 3);
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
    done(&folder, "sf-build -q --allow-live ball.py -o m.h5; sf-run -q m.h5 -o r; echo 0.7 > height.txt");
    let told = fails(&folder, "sf-run -q -w m.h5 -o r", 3);
    assert!(told.contains("geometry 1 differs") && told.contains("height.txt has changed"), "{told}");
}
