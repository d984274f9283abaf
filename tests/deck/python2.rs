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
fn tables_of_numbers_keep_the_meaning_of_each() {
    let folder = Folder::new();
    let deck = "x = [1, 2, 010, 4L, -5,\n .5, 1e3,\n\n 0x1F, 7.,\n 2 -1, 3, 4]\nprint sum(x), len(x)\nprint 1, 2, 3,\nprint 4\n";
    folder.write("table.py", &format!("{deck}SOLFEC('DYNAMIC', 1, 'out/a')\n"));
    let out = folder.build(&["-q", "--check", "table.py"]);
    assert_eq!(text(&out.stdout), "1056.5 12\n1 2 3 4\n", "{}", text(&out.stderr));
}

#[test]
fn what_is_chained() {
    same("chained");
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
    let (code, out, errors) = run(&["--check", "three.py"]);
    assert_eq!((code, out.as_str()), (0, "0.5\n"));
    assert!(errors.contains("three.py:1: the quotient of two integers is floored in Python 2"), "{errors}");
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

/// What compiles as both is Python 3, unless it has what only Python 2 means.
#[test]
fn a_deck_that_compiles_as_both_is_python2_by_its_names() {
    let folder = Folder::new();
    let signs = [
        ("import sys\nprint >> sys.stdout, 7 / 2\n", "'print >>' in line 2"),
        ("for i in xrange(1): print(7 / 2)\n", "'xrange' in line 1"),
        ("d = {1: 2}\nif d.has_key(1): print(7 / 2)\n", "'.has_key' in line 2"),
        ("import cPickle\nprint(7 / 2)\n", "'cPickle' in line 1"),
        ("print (7 / 2), ''\n", "'print' in line 1"),
        ("import sys\nx = sys.maxint\nprint(7 / 2)\n", "'sys.maxint' in line 2"),
    ];
    for (deck, sign) in signs {
        folder.write("deck.py", &format!("{deck}SOLFEC('DYNAMIC', 1, 'out/a')\n"));
        let out = folder.build(&["--check", "deck.py"]);
        assert_eq!(text(&out.stdout).trim(), "3", "{deck}");
        let told = text(&out.stderr);
        assert!(told.contains(&format!("note: deck.py: Python 2 deck (by {sign})")), "{told}");
    }
    // Names that the deck makes itself, what it only tries, and decks for both.
    let others = [
        "def xrange(n): return range(n)\nfor i in xrange(1): print(7 / 2.0)\n",
        "try: import cPickle as pickle\nexcept ImportError: import pickle\nprint(7 / 2.0)\n",
        "import sys\nprint(7 / 2.0 if sys.version_info > (3,) else len(unicode(1)))\n",
    ];
    for deck in others {
        folder.write("deck.py", &format!("{deck}SOLFEC('DYNAMIC', 1, 'out/a')\n"));
        let out = folder.build(&["--check", "deck.py"]);
        assert_eq!((text(&out.stdout).as_str(), text(&out.stderr).as_str()), ("3.5\n", ""), "{deck}");
    }
}

/// One warning names the lines at which Python 2 would have meant something else, and how to choose.
#[test]
fn what_python2_would_mean_otherwise_is_told_once() {
    let folder = Folder::new();
    let told = |deck: &str, args: &[&str]| {
        folder.write("deck.py", &format!("{deck}SOLFEC('DYNAMIC', 1, 'out/a')\n"));
        let args: Vec<&str> = [&["--check"], args, &["deck.py"]].concat();
        let out = folder.build(&args);
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stderr)
    };
    let deck = "n = 7\ndef half(w): return w / 2\nimport random\nrandom.seed(1)\nk = random.randint(0, 9)\n\
                d = {}\nv = d.keys()\nl = len(map(abs, [n])) if k > 9 else n / 3\n";
    let warning = told(deck, &[]);
    assert_eq!(warning.lines().count(), 1, "{warning}");
    for part in [
        "deck.py:2: the quotient of two integers is floored in Python 2",
        "line 5: random.randint draws other numbers in Python 2 after the same seed",
        "line 8: map gives a list in Python 2",
        "# solfec: python3",
        "--python2 always",
    ] {
        assert!(warning.contains(part), "'{part}' is missing: {warning}");
    }
    assert_eq!(told(&format!("# solfec: python3\n{deck}"), &[]), "");
    assert_eq!(told(deck, &["--python2", "never"]), "");
    assert_eq!(told(deck, &["-q", "--python2", "always"]), "");
    assert_eq!(told(&format!("from __future__ import division\n{deck}"), &[]).matches("floored").count(), 0);
    // What means the same in both is not told.
    let same =
        "import math, random\nn = 8\nh = 1.0 / n\nw = h / 2\nx = math.sqrt(n) / 2\nfor i in range(n): w += i / 2.0\n\
                k = list(map(abs, [n]))[0]\nr = random.random()\nfor key in {}.keys(): pass\nprint('%d' % n)\n";
    assert_eq!(told(same, &[]), "");
    // Nor what Python 2 would not compile.
    assert_eq!(told("n = 7\ns = f'{n / 2}'\n", &[]), "");
}

/// In a package of Python 2 a bare name is first a module of the package.
#[test]
fn modules_of_a_package_come_first() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("p")).unwrap();
    folder.write("p/__init__.py", "from helper import *\nimport other\nimport math\nname = math.floor(other.value)\n");
    folder.write("p/helper.py", "value = 3\n");
    folder.write("p/other.py", "from helper import value\nprint value\n");
    folder.write("helper.py", "value = 'outside'\n");
    let last = "SOLFEC('DYNAMIC', 1, 'out/a')\n";
    folder.write("two.py", &format!("import p\nprint p.value, p.name\n{last}"));
    assert_eq!(text(&folder.build(&["-q", "--check", "two.py"]).stdout), "3\n3 3\n");
    // The package is Python 2 by its imports where its deck is not.
    std::fs::remove_file(folder.path("helper.py")).unwrap();
    folder.write("three.py", &format!("import p\nprint(p.value, p.name, 1 / 2.0)\n{last}"));
    let out = folder.build(&["-q", "--check", "three.py"]);
    assert_eq!(text(&out.stdout), "3\n3 3 0.5\n", "{}", text(&out.stderr));
}
