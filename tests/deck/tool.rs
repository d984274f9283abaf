use super::*;

#[test]
fn refuses_to_overwrite() {
    let folder = Folder::new();
    folder.write("deck.py", "SOLFEC('DYNAMIC', 1, 'out/a')\n");
    folder.write("m.h5", "precious");
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert_eq!(out.status.code(), Some(4));
    assert_eq!(text(&out.stderr), "sf-build: error: m.h5: exists; use --force to overwrite it\n");
    assert_eq!(folder.read("m.h5"), "precious");
    assert!(folder.build(&["-f", "-o", "m.h5", "deck.py"]).status.success());
    assert_eq!(read_file(&folder.path("m.h5")).unwrap().domains.len(), 1);
}

#[test]
fn usage_errors_are_2() {
    let folder = Folder::new();
    for args in [&["--nonsense"][..], &[], &["--set", "1x=2", "d.py"], &["--python2", "maybe", "d.py"]] {
        assert_eq!(folder.build(args).status.code(), Some(2), "{args:?}");
    }
    let help = folder.build(&["--help"]);
    assert!(help.status.success());
    assert!(text(&help.stdout).contains("Examples:") && text(&help.stdout).contains("Exit codes:"));
}

#[test]
fn a_deck_without_objects_is_bad_input() {
    let (code, errors) = fails("x = 1\n");
    assert_eq!(
        (code, errors.as_str()),
        (3, "sf-build: error: deck.py: makes no SOLFEC object; there is nothing to build\n")
    );
}

#[test]
fn full_disk() {
    if !Path::new("/dev/full").exists() {
        tools_testing::skip::skipped("no /dev/full");
        return;
    }
    let folder = Folder::new();
    folder.write("deck.py", "SOLFEC('DYNAMIC', 1, 'out/a')\n");
    let out = Command::new(env!("CARGO_BIN_EXE_sf-build"))
        .arg("deck.py")
        .current_dir(&folder.0)
        .stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(4));
    assert_eq!(text(&out.stderr), "sf-build: error: standard output: cannot write: no space left on device\n");
}
