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
        ("1E-3, 'out", "10, 'out", "sf-run -q -w deck.py", "duration 0.3 s is less than the step of SOLFEC, 10 s"),
        (run, run, "sf-run -q -w --set firction=0.5 deck.py", "--set firction: the deck does not mention 'firction'"),
        (run, run, "sf-build -f --set nn=5 deck.py -o m.h5", "--set nn: the deck does not mention 'nn'"),
        (
            run,
            run,
            "sf-build -q -f deck.py -o m.h5; sf-run -c m.h5 -o none",
            "none: holds no results to go on with; the run begins",
        ),
        ("SURFACE_MATERIAL(solfec, friction=0.3)", "", "sf-run -q -w deck.py", "no surface material is defined"),
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
