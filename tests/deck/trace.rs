//! SF_TRACE=1 writes every command.

use super::*;

fn traced(tool: &str, args: &[&str], switch: &str, deck: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.write("deck.py", deck);
    let mut command = Command::new(tool);
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    let out = command.args(args).arg("deck.py").env("SF_TRACE", switch).current_dir(&folder.0).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    text(&out.stderr).lines().map(str::to_string).collect()
}

/// Without the time at the end, which is there.
fn told(line: &str) -> &str {
    let (told, time) = line.rsplit_once("  ").unwrap();
    let (number, unit) = time.split_once(' ').unwrap();
    assert!(number.parse::<f64>().is_ok() && ["us", "ms", "s"].contains(&unit), "{line}");
    told
}

#[test]
fn commands_members_and_errors() {
    let deck = format!("{START}b = BODY(s, 'RIGID', SPHERE((0, 0, 0), 1, 0, surfid=2), m)\nb.scheme = 'RIG_POS'; b.id\nHEX({CUBE}, 1, 1, 1, 1, [1]*6)\ntry: SPHERE((0,0,0), -1, 0, 0)\nexcept ValueError: pass\nt = TIME_SERIES(list(range(1000)))\nBODY.__doc__\n");
    let lines = traced(env!("CARGO_BIN_EXE_sf-build"), &["-o", "m.h5"], "1", &deck);
    let expected = [
        "deck.py:1 SOLFEC('DYNAMIC', 0.001, 'out/test') -> <SOLFEC 0 0>",
        "deck.py:2 BULK_MATERIAL(<SOLFEC 0 0>, density=1000) -> <BULK_MATERIAL 0 0>",
        "deck.py:3 SPHERE((0, 0, 0), 1, 0, surfid=2) -> <SPHERE 0 0>",
        "deck.py:3 BODY(<SOLFEC 0 0>, 'RIGID', <SPHERE 0 0>, <BULK_MATERIAL 0 0>) -> <BODY 0 1>",
        "deck.py:4 <BODY 0 1>.scheme = 'RIG_POS' -> None",
        "deck.py:4 <BODY 0 1>.id -> 1",
        "deck.py:5 HEX([0, 0, 0, 1, 0, 0, 1, 1, ...], 1, 1, 1, 1, [1, 1, 1, 1, 1, 1]) -> <MESH 1 0>",
        "deck.py:6 SPHERE((0, 0, 0), -1, 0, 0) -> ValueError: deck.py:6: SPHERE: radius: is -1; give a number > 0",
        "deck.py:8 TIME_SERIES([0, 1, 2, 3, 4, 5, 6, 7, ...]) -> <TIME_SERIES 0 0>",
    ];
    assert_eq!(lines.iter().map(|line| told(line)).collect::<Vec<_>>(), expected);
    assert_eq!(traced(env!("CARGO_BIN_EXE_sf-build"), &["-o", "m.h5"], "0", &deck.replace("-1", "1")), [""; 0]);
}

#[test]
fn callbacks() {
    let deck = format!(
        "{START}s.verbose = 'OFF'\nb = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\ndef f(x): return s.nbod\nCALLBACK(s, 1, 'x', f)\nRUN(s, 'AUTO', 0.001)\n"
    );
    let lines = traced(env!("CARGO_BIN_EXE_sf-run"), &["-q"], "1", &deck);
    let tail: Vec<&str> = lines[lines.len() - 3..].iter().map(|line| told(line)).collect();
    let expected = [
        "deck.py:5 <SOLFEC 0 0>.nbod -> 1",
        "deck.py:7 callback f() -> 1",
        "deck.py:7 RUN(<SOLFEC 0 0>, 'AUTO', 0.001) -> None",
    ];
    assert_eq!(tail, expected);
}
