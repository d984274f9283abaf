use super::*;

#[test]
fn the_decks_own_show_their_traceback_without_ours() {
    let (code, errors) = fails("def f(x):\n    return 1.0 / x\n\nf(0)\n");
    assert_eq!(code, 3);
    let expected = "Traceback (most recent call last):\n  File \"deck.py\", line 4, in <module>\n    f(0)\n  \
         File \"deck.py\", line 2, in f\n    return 1.0 / x\nZeroDivisionError: float division by zero\n\
         sf-build: error: deck.py:2: ZeroDivisionError: float division by zero\n";
    assert_eq!(errors.replace("           ~~~~^~~\n", ""), expected);
}

#[test]
fn name_the_line_of_a_helper_module() {
    let folder = Folder::new();
    folder.write("part.py", "from solfec import *\n\ndef ball():\n    return SPHERE((0,0,0), -1, 0, 0)\n");
    folder.write("deck.py", "import part\npart.ball()\n");
    let errors = text(&folder.build(&["-o", "m.h5", "deck.py"]).stderr);
    assert!(errors.contains("part.py:4: SPHERE: radius: is -1; give a number > 0"), "{errors}");
}

#[test]
fn syntax_errors_name_their_line() {
    let (code, errors) = fails("x = 1\nif x\n    pass\n");
    assert_eq!(code, 3);
    assert!(errors.starts_with("sf-build: error: deck.py:2: SyntaxError: "), "{errors}");
}

#[test]
fn a_dead_python_is_a_message() {
    let (code, errors) = fails("SOLFEC('DYNAMIC', 1, 'out/a')\nimport os\nos._exit(7)\n");
    assert_eq!(
        (code, errors.as_str()),
        (3, "sf-build: error: the deck's Python ended with status 7 after deck.py:1\n")
    );
    let (_, errors) = fails("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n");
    assert_eq!(errors, "sf-build: error: the deck's Python ended by signal 9 before its first command\n");
}

#[test]
fn a_missing_python_is_a_message() {
    let folder = Folder::new();
    folder.write("deck.py", "");
    let out = Command::new(env!("CARGO_BIN_EXE_sf-build"))
        .args(["-o", "m.h5", "deck.py"])
        .env("SF_PYTHON", "/nonexistent/python3")
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(4));
    assert!(text(&out.stderr).contains("install Python 3.8 or later, or set SF_PYTHON"));
}

/// Exceptions of Python about names of ours end with what helps.
#[test]
fn misspelled_names_are_guessed() {
    let last = |deck: &str| fails(deck).1.lines().last().unwrap_or_default().to_string();
    let told = last("s = SOLFEC('DYNAMIC', 1, 'out/a')\nGRAVITI(s, (0, 0, -10))\n");
    assert_eq!(told, "sf-build: error: deck.py:2: NameError: name 'GRAVITI' is not defined; did you mean GRAVITY?");
    let told = last("hull(1)\n");
    assert_eq!(told, "sf-build: error: deck.py:1: NameError: name 'hull' is not defined; did you mean HULL?");
    let told = last("s = SOLFEC('DYNAMIC', 1, 'out/a')\nprint(s.tme)\n");
    assert!(
        told.contains("'SOLFEC' object has no attribute 'tme'; did you mean time?; members of SOLFEC are "),
        "{told}"
    );
    let told = last("print(zzz)\n");
    assert_eq!(told, "sf-build: error: deck.py:1: NameError: name 'zzz' is not defined");
}
