use super::*;

#[test]
fn a_deck_sees_what_the_manual_says() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.write("sub/part.py", "from solfec import *\nimport solfec as again\nsame = again.SPHERE is SPHERE\n");
    folder.write(
        "sub/deck.py",
        "import sys, os, part\nprint(__name__, __file__, sys.argv, os.path.basename(os.getcwd()) == 'sub', '' in sys.path)\n\
         print(part.same, sys.path[-1].endswith('sub'), NON_SOLFEC_ARGV(), SUBDIR(), VIEWER(), RANK(), NCPU(), BARRIER())\n\
         s = SOLFEC('DYNAMIC', 1, 'out/a/')\nprint(s.outpath, s.mode, HERE(s, None), friction, name, NCPU(s))\n\
         print(IMBALANCE_TOLERANCE(s, 1.2), 'solfec.python2' in sys.modules, input())\n",
    );
    let args = ["--check", "-s", "S", "--set", "friction=0.5", "--set", "name=x y", "sub/deck.py", "--", "one", "-two"];
    let out = folder.build_with(&args, "typed\n");
    let expected = "__main__ sub/deck.py ['sub/deck.py', 'one', '-two'] False False\n\
         True True ['one', '-two'] S False 0 1 True\nout/a/S WRITE True 0.5 x y 1\nTrue True typed\n";
    assert_eq!(text(&out.stdout), expected, "{}", text(&out.stderr));
    let rooted = folder.build(&["--check", "--root", "sub", "sub/deck.py"]);
    assert!(text(&rooted.stdout).contains(" True False\n"), "cwd is the root: {}", text(&rooted.stdout));
}

/// Files beside the user, and beside the deck, are no modules of Python.
#[test]
fn a_file_with_the_name_of_a_module_is_no_module() {
    let folder = Folder::new();
    for name in ["re", "json", "socket", "types", "random"] {
        folder.write(&format!("{name}.py"), "raise SystemExit('not this one')\n");
    }
    folder.write("deck.py", "import random\nprint(random.randint(1, 1))\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success() && text(&out.stdout).starts_with("1\n"), "{}", text(&out.stderr));
}

#[test]
fn what_the_deck_prints_stays_out_of_the_model() {
    let folder = Folder::new();
    folder.write("deck.py", "print('hello')\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
    let out = folder.build(&["deck.py"]);
    assert!(out.stdout.starts_with(b"\x89HDF"));
    assert_eq!(text(&out.stderr), "hello\n");
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert_eq!(text(&out.stdout), "hello\n");
}

#[test]
fn equal_decks_give_equal_files() {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{START}BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\n"));
    let one = folder.build(&["--no-provenance", "deck.py"]).stdout;
    assert_eq!(one, folder.build(&["--no-provenance", "deck.py"]).stdout);
    assert!(folder.build(&["-o", "m.h5", "deck.py"]).status.success());
    let provenance = read_file(&folder.path("m.h5")).unwrap().provenance;
    assert_eq!(provenance.deck, folder.read("deck.py"));
    assert_eq!(provenance.runs.len(), 1);
}

#[test]
fn dependencies_are_a_makefile_rule() {
    let folder = Folder::new();
    folder.write("points.txt", "1 2 3\n");
    folder.write("part.py", "r = 1\n");
    folder.write(
        "deck.py",
        "import part, json\nc = [float(x) for x in open('points.txt').read().split()]\nopen('log', 'w').close()\n\
         SOLFEC('DYNAMIC', 1, 'out/a')\n",
    );
    assert!(folder.build(&["-o", "m.h5", "--deps", "m.d", "deck.py"]).status.success());
    let rule = folder.read("m.d");
    assert!(rule.starts_with("m.h5: deck.py "), "{rule}");
    assert!(rule.contains("points.txt") && rule.contains("part.py"), "{rule}");
    assert!(!rule.contains("json") && !rule.contains("log"), "{rule}");
    let inputs = read_file(&folder.path("m.h5")).unwrap().provenance.inputs;
    assert!(inputs.iter().any(|i| i.path == "points.txt" && i.size == 6 && i.sha256.len() == 64));
}

#[test]
fn list_and_json() {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{START}BODY(s, 'RIGID', SPHERE((0,0,0),1,0,4), m)\nSURFACE_MATERIAL(s, 4, 4)\n"));
    let out = text(&folder.build(&["--list", "deck.py"]).stdout);
    assert!(out.contains("dofs: 6") && out.contains("unmatched: none"), "{out}");
    let out = folder.build(&["--json", "-o", "m.h5", "deck.py"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(json["schema"], "sf-build/1");
    assert_eq!(json["domains"][0]["bodies"]["rigid"], 1);
    assert!(folder.path("m.h5").exists());
}

#[test]
fn help_describes_every_argument() {
    let out = prints("print(HEX.__doc__)\nprint(MESH.node.__doc__)\nprint(type(BODY.mass.__doc__) is str)");
    assert!(out.starts_with("HEX (nodes, i, j, k, volid, surfids | dx, dy, dz)\n"), "{out}");
    assert!(out.contains("surfids: surface ids of the sides bottom, x-, y+, x+, y-, top"));
    assert!(out.contains("node (n | x, y, z)") && out.ends_with("True\n"));
}
