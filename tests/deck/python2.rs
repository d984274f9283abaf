use super::*;

/// The deck prints what Python 2.7 printed.
fn same(name: &str) {
    let folder = Folder::new();
    let deck = decks().join("python2").join(format!("{name}.py"));
    let expected = std::fs::read_to_string(deck.with_extension("out")).unwrap();
    let deck = deck.to_string_lossy().into_owned();
    let out = folder.build_with(&["-q", "--check", &deck], "line\n7\n");
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(text(&out.stdout), expected);
    // and so does the deck that is converted once and for all
    for helper in ["executed.py", "helper2.py"] {
        std::fs::copy(decks().join("python2").join(helper), folder.path(helper)).unwrap();
    }
    let converted = folder.build(&["--convert-deck", &deck]).stdout;
    folder.write("converted.py", &text(&converted));
    let out = folder.build_with(&["--check", "--python2", "never", "converted.py"], "line\n7\n");
    if name != "running" {
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert_eq!(text(&out.stdout), expected, "{}", text(&converted));
    }
}

#[test]
fn print_statements() {
    same("printing");
}

#[test]
fn division_lists_and_literals() {
    same("meaning");
}

#[test]
fn tabs_and_exceptions() {
    same("tabs");
}

#[test]
fn exec_execfile_modules_and_input() {
    same("running");
}

#[test]
fn random_streams() {
    same("random_streams");
}

#[test]
fn the_note_and_the_switch() {
    let folder = Folder::new();
    folder.write("two.py", "print 1 / 2\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
    folder.write("three.py", "print(1 / 2)\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
    folder.write("declared.py", "# solfec: python3\nprint(1 / 2)\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
    let run = |args: &[&str]| {
        let out = folder.build(args);
        (out.status.code().unwrap(), text(&out.stdout), text(&out.stderr))
    };
    let (code, out, errors) = run(&["--check", "two.py"]);
    assert_eq!((code, out.as_str()), (0, "0\n"));
    assert_eq!(errors.lines().count(), 1);
    assert!(errors.starts_with("sf-build: note: two.py: Python 2 deck"), "{errors}");
    assert_eq!(run(&["--check", "-q", "two.py"]).2, "");
    let (code, _, errors) = run(&["--check", "--python2", "never", "two.py"]);
    assert_eq!(code, 3);
    assert!(errors.contains("two.py:1: SyntaxError"), "{errors}");
    assert_eq!(run(&["--check", "three.py"]), (0, "0.5\n".into(), String::new()));
    assert_eq!(run(&["--check", "-q", "--python2", "always", "three.py"]).1, "0\n");
    assert_eq!(run(&["--check", "declared.py"]).1, "0.5\n");
}

#[test]
fn errors_name_the_lines_of_the_original() {
    let folder = Folder::new();
    folder.write("deck.py", "if 1:\n\tprint \"a\", \\\n\t\t\"b\"\n        x = 7 / 2\nprint \"\"\"one\ntwo\"\"\"\nSPHERE ((0,0,0), -1, 1, 1)\n");
    let errors = text(&folder.build(&["-q", "-o", "m.h5", "deck.py"]).stderr);
    assert!(errors.contains("sf-build: error: deck.py:7: SPHERE: radius"), "{errors}");
}

#[test]
fn helper_modules_alone_may_be_python2() {
    let folder = Folder::new();
    folder.write("old.py", "print \"old\", 3 / 2\n");
    folder.write("deck.py", "import old\nprint(3 / 2)\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
    assert_eq!(text(&folder.build(&["--check", "deck.py"]).stdout), "old 1\n1.5\n");
}
