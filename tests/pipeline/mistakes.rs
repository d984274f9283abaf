//! Mistakes of a second day: each is answered with what to do instead, or told at all.

use super::common::*;
use super::BALL;

/// A deck with a mistake, and what is said of it on standard error.
fn told_of(folder: &Scratch, from: &str, to: &str, line: &str) -> String {
    assert!(BALL.contains(from), "{from}");
    folder.write("deck.py", &BALL.replacen(from, to, 1));
    String::from_utf8_lossy(&shell(folder, line).stderr).into_owned()
}

#[test]
fn decks_that_do_less_than_they_seem_to_are_told() {
    let folder = Scratch::new();
    let run = "RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.3)";
    for (from, to, line, says) in [
        (run, "", "sf-run -w deck.py", "note: the deck has no RUN: nothing was computed"),
        (run, "", "sf-build -q -f deck.py -o m.h5; sf-run -w m.h5 -o r", "the model has no RUN: nothing is computed"),
        (
            run,
            run,
            "sf-build -q -f deck.py -o m.h5; sf-run -w --set friction=0.5 m.h5 -o r",
            "--set is for decks, and m.h5 is a model",
        ),
        (
            run,
            run,
            "echo 'print(1)' > d.py; sf-run d.py",
            "note: the deck makes no SOLFEC object: nothing was computed",
        ),
        (run, run, "sed -i 's/^RUN/solfec.vebose = 1; RUN/' deck.py; sf-run -w deck.py", "did you mean verbose?"),
        (
            "1E-3, 'out",
            "10, 'out",
            "sf-run -q -w deck.py",
            "less than the step of SOLFEC, 10 s: one step is made at most, unless it is lowered",
        ),
        (run, run, "sf-run -q -w --set firction=0.5 deck.py", "--set firction: the deck does not mention 'firction'"),
        (run, run, "sf-build -f --set nn=5 deck.py -o m.h5", "--set nn: the deck does not mention 'nn'"),
        (
            run,
            run,
            "sf-build -q -f deck.py -o m.h5; sf-run -c m.h5 -o none",
            "none: holds no results to go on with; the run begins",
        ),
        ("SURFACE_MATERIAL(solfec, friction=0.3)", "", "sf-run -q -w deck.py", "all contacts are without friction"),
    ] {
        let told = told_of(&folder, from, to, line);
        assert!(told.contains(says), "{line}: {told}");
    }
    // What the deck mentions, and a deck that reads, say nothing of the kind.
    folder.write("deck.py", &BALL.replace("friction=0.3", "friction=mu"));
    let told = shell(&folder, "sf-run -w --set mu=0.5 deck.py; sf-run deck.py --set mu=0.5").stderr;
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(!told.contains("mention") && !told.contains("no RUN"), "{told}");
}

#[test]
fn members_that_cannot_be_assigned_name_those_that_can() {
    let folder = Scratch::new();
    let told = told_of(&folder, "OUTPUT(", "solfec.nbod = 3\nOUTPUT(", "sf-run -q -w deck.py");
    assert!(told.contains("SOLFEC.nbod: is read-only; those that can be assigned are step, step_recovery, "), "{told}");
}

/// Command lines with a mistake, the code they end with and the remedy they tell.
#[test]
fn command_lines_are_answered_with_a_remedy() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build -q ball.py -o m.h5; sf-run -q m.h5 -o r; touch file");
    for (line, code, says) in [
        (
            "sf-run -w m.h5 other.h5 -o s",
            2,
            "'other.h5' found; one model or deck is run at a time; arguments of a deck",
        ),
        ("sf-run -w ball.py mu=0.5", 2, "variables of a deck are given as --set mu=0.5, its arguments after --"),
        ("sf-build ball.py n.h5", 2, "name the model with -o n.h5; arguments of the deck come after --"),
        (
            "sf-run m.h5 -o file",
            4,
            "file: cannot make the directory: file exists; a file is in the way, give another name",
        ),
        ("sf-run --threads many m.h5", 2, "for '--threads <N>': give a whole number >= 0"),
        ("sf-run --pack m.h5 p.h5", 3, "m.h5: is a model, which holds no results; sf-run makes them"),
        ("sf-run r/r.sfr.h5 -o s", 3, "r.sfr.h5: holds results of sf-run; a file of format 'solfec-model' is wanted"),
        ("sf-history m.h5 KINETIC", 3, "m.h5: is a model, which holds no results"),
        ("sf-history r", 2, "name what to show, such as KINETIC or CZ@LABEL; --list tells what there is"),
        ("sf-history KINETIC r", 2, "the results come first: sf-history r KINETIC ..."),
        ("sf-history r KINETIC,CONTACT", 2, "character 8: items are not joined by commas; write A B"),
        ("sf-history r 'KINETIC CONTACT'", 2, "character 9: two items are two arguments"),
        ("sf-history r KINETIC -o k.xlsx", 2, "-o k.xlsx: tables are csv, tsv, json, npz or h5"),
        ("sf-history r KINETIC -o k.png", 2, "pictures are drawn with --plot"),
        ("sf-xdmf r", 2, "say where the files go: -o DIR"),
        ("sf-xdmf r -o x.vtk", 2, "-o x.vtk: no such files are written; give a directory, FILE.xmf or FILE.vtkhdf"),
    ] {
        let told = fails(&folder, line, code);
        assert!(told.contains(says) && told.lines().count() == 1, "{line}: {told}");
    }
    done(&folder, "sf-history r KINETIC -o k.json; sf-history r KINETIC -o k.tsv; sf-history r KINETIC -o k.txt");
    assert!(folder.read("k.json").starts_with('{') && folder.read("k.tsv").starts_with("time\tKINETIC\n"));
    assert!(folder.read("k.txt").starts_with("time,KINETIC\n"));
}

/// A function that does not take what it is called with is named with its own line, not that of RUN.
#[test]
fn functions_with_other_arguments_are_named_with_their_line() {
    let folder = Scratch::new();
    let run = "RUN(";
    for (given, says) in [
        (
            "def note(solfec, more):\n    return 1\nCALLBACK(solfec, 0.1, solfec, note)\nRUN(",
            "deck.py:10: TypeError: note() missing 1 required positional argument: 'more'",
        ),
        (
            "ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 9), 0.5, 1, 1), bulk)\n\
             FORCE(ball, 'SPATIAL', (0, 0, 9), (0, 0, 1),\n      lambda t: 0)\nRUN(",
            "deck.py:12: TypeError: <lambda>() takes 1 positional argument but 4 were given",
        ),
    ] {
        let told = told_of(&folder, run, given, "sf-run -q -w deck.py");
        assert!(told.contains(says), "{told}");
    }
}

#[test]
fn items_that_divide_by_zero_are_told() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-run -q ball.py");
    let told = shell(&folder, "sf-history out/ball A=KINETIC/FRICTION");
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(told.contains("warning: A: ") && told.contains(" values are infinite: a division by zero"), "{told}");
    assert!(done(&folder, "sf-history out/ball A=KINETIC/2 2>&1").starts_with("time,A\n"));
}

#[test]
fn shared_labels_are_told_by_check() {
    let folder = Scratch::new();
    let twin = "BODY(solfec, 'RIGID', SPHERE((9, 0, 0), 0.1, 1, 1), bulk, label='BALL')\nRUN(";
    let told = told_of(&folder, "RUN(", twin, "sf-build --check deck.py");
    assert!(told.contains("2 bodies have the label 'BALL': an item with it shows the latest of them"), "{told}");
}
