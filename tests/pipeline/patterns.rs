//! Old decks as they were used: Python 2 decks of every common pattern, run twice, because the second run reads what
//! the first has written. The decks lie in tests/decks/patterns.

use std::path::Path;

use super::common::*;

/// What a deck prints the first and the second time.
fn twice(name: &str) -> [String; 2] {
    let folder = Scratch::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let deck = root.join(format!("tests/decks/patterns/{name}.py"));
    let line = format!("PATH={}:$PATH sf-run -q {}", root.join("tools/launcher").display(), deck.display());
    [done(&folder, &line), done(&folder, &line)]
}

/// A function that builds and runs is called twice: it computes, then it reads.
#[test]
fn compute_then_read() {
    let read = "READ 0.0 True\nfrom 0 to 0.25\n0.500000 0.000000 -0.312500\n4 6 2.0\ndrop -0.3125 exact -0.3125\n\
                time after the history 0.25\n";
    // The second time the first call reads too.
    assert_eq!(twice("twice"), [format!("WRITE 0.0\n{read}"), format!("READ 0.0\n{read}")]);
}

/// Objects in a loop, whose directories are removed before.
#[test]
fn a_study_in_a_loop() {
    let told = "12 out/loop/g_2_3 -0.3\n0 1 WRITE -0.100 5 3 WRITE -0.300 10 2 WRITE -0.200\ng_0_1\n";
    assert_eq!(twice("loop"), [told, told]);
}

#[test]
fn run_insert_run_delete_run() {
    let written = "0.20 2 1 1.0000\n0.40 3 2 1.0000\n0.60 4 3 1.0000\n3 ['ball2', 'ball0', 'FLOOR']\n";
    let read = "0:2 0.1:2 0.2:2 0.3:3 0.4:3 0.5:4 0.6:4 0.7:3\n['ball2', 'ball0', 'FLOOR']\n";
    assert_eq!(twice("drum"), [written, read]);
}

#[test]
fn callbacks_that_insert() {
    let read = "0:1 0.05:1 0.1:1 0.15:1 0.2:2 0.25:3\nnan nan nan nan nan 10 0.0\n";
    assert_eq!(twice("growth"), ["[2, 3] 3\n", read]);
}

#[test]
fn decks_in_one_namespace() {
    let told = "one WRITE\ntwo True QUASI_STATIC\n2 22\n";
    assert_eq!(twice("suite"), [told, told]);
}

#[test]
fn files_of_all_kinds() {
    let inputs = "[0.0, 0.01, 0.02] True [7, 8, 9] [1.0, 2.5] 102 shell 3 True True\n";
    assert_eq!(twice("inputs"), [format!("{inputs}True 101 True\n"), inputs.into()]);
}

#[test]
fn functions_with_data() {
    assert_eq!(twice("functions"), ["True True 0.050\nTrue 1 SPRING\n", ""]);
}

#[test]
fn arguments_and_exit() {
    assert_eq!(twice("argv"), ["5 RG\n", "5 RIGID -0.1000\n"]);
}

/// Decks that call `solfec`, by the launcher.
#[test]
fn decks_that_call_solfec() {
    let three = "3 RG\n0\n3 RIGID -0.1000\n0\n";
    let rest = "0\n['argv_RG_3', 'argv_RG_5']\n";
    assert_eq!(twice("shell"), [format!("{three}5 RG\n{rest}"), format!("{three}5 RIGID -0.1000\n{rest}")]);
}
