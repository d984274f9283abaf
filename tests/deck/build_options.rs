//! Options of sf-build beside writing a model.

use super::*;
use serde_json::Value as Json;
use solfec::model::{Failure, Joint, SpringLaw};

fn succeeds(folder: &Folder, args: &[&str]) -> (String, String) {
    let out = folder.build(args);
    assert!(out.status.success(), "{args:?}: {}", text(&out.stderr));
    (text(&out.stdout), text(&out.stderr))
}

const PAIR: &str = "a = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,1), m)\nb = BODY(s, 'RIGID', SPHERE((0,0,1.9),1,0,2), m)\n";

#[test]
fn callbacks_are_dropped() {
    let folder = Folder::new();
    let deck = format!(
        "{START}{PAIR}CALLBACK(s, 1, None, print)\ng = GAUSS_SEIDEL_SOLVER(1e-3, 10, failure='CALLBACK', callback=print)\nRUN(s, g, 1)\n"
    );
    folder.write("deck.py", &deck);
    let (_, told) = succeeds(&folder, &["-o", "m.h5", "--drop-callbacks", "deck.py"]);
    assert_eq!(told.matches("is left out of the model").count(), 2, "{told}");
    let model = read_file(&folder.path("m.h5")).unwrap().domains.remove(0);
    assert_eq!(model.functions, []);
    let [Op::Run { solver, .. }] = &model.program[..] else { panic!("{:?}", model.program) };
    assert_eq!((solver.failure, solver.callback), (Failure::Continue, None));
    folder.write("deck.py", &format!("{START}{PAIR}FORCE(a, 'SPATIAL', (0,0,0), (0,0,1), print)\n"));
    assert_eq!(folder.build(&["-o", "n.h5", "--drop-callbacks", "deck.py"]).status.code(), Some(7));
}

#[test]
fn springs_are_tabulated() {
    let spring = |function: &str, limits: &str| {
        format!("{START}{PAIR}PUT_SPRING(a, (0,0,0), b, (0,0,1.9), {function}, {limits})\n")
    };
    let folder = Folder::new();
    folder.write("deck.py", &spring("lambda s, v: -8*s**3", "(-1, 0.5)"));
    assert_eq!(folder.build(&["-o", "m.h5", "deck.py"]).status.code(), Some(7));
    succeeds(&folder, &["-o", "m.h5", "--tabulate-springs", "4", "deck.py"]);
    let model = read_file(&folder.path("m.h5")).unwrap().domains.remove(0);
    let Joint::Spring { law: SpringLaw::Table { series }, limits, .. } = model.constraints[0].joint else {
        panic!("{:?}", model.constraints)
    };
    let series = &model.series[series as usize];
    assert_eq!((series.times(), series.values()), (&[-1.0, -0.5, 0.0, 0.5][..], &[8.0, 1.0, 0.0, -1.0][..]));
    assert_eq!((limits, model.requires_live()), ([-1.0, 0.5], false));
    for (function, limits, code, says) in [
        ("lambda s, v: -s", "(-1, float('inf'))", 7, "finite"),
        ("lambda s, v: -s - v", "(-1, 1)", 7, "depends on the velocity"),
        ("lambda s, v: 'far'", "(-1, 1)", 3, "return a number"),
        ("lambda s, v: 1/0", "(-1, 1)", 3, "ZeroDivisionError"),
    ] {
        folder.write("deck.py", &spring(function, limits));
        let out = folder.build(&["-o", "n.h5", "--tabulate-springs", "4", "deck.py"]);
        assert_eq!(out.status.code(), Some(code), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains(says), "{}", text(&out.stderr));
    }
}

#[test]
fn the_first_instant_is_listed() {
    let folder = Folder::new();
    let soft = "BULK_MATERIAL(s, label='soft', young=1e6, density=1000)\n\
                BODY(s, 'PSEUDO_RIGID', SPHERE((9,0,0),1,0,1), 'soft')\nSURFACE_MATERIAL(s, 1, 2, friction=0.5)\n";
    let far = "BODY(s, 'RIGID', SPHERE((0,0,3.88),1,0,2), m)\n";
    folder.write("deck.py", &format!("{START}{PAIR}{far}{soft}RUN(s, GAUSS_SEIDEL_SOLVER(1e-3, 10), 1)\n"));
    let (out, _) = succeeds(&folder, &["--list", "--json", "deck.py"]);
    let facts: Json = serde_json::from_str(&out).unwrap();
    let d = &facts["domains"][0];
    assert_eq!(d["bodies"]["rigid"], 3);
    assert_eq!(d["dofs"], 30);
    assert_eq!(d["overlaps"]["count"], 2);
    assert_eq!(d["overlaps"]["bodies"], serde_json::json!([[1, 2], [2, 3]]));
    assert!((d["overlaps"]["deepest"].as_f64().unwrap() - 0.1).abs() < 1e-9, "{out}");
    assert_eq!(d["contacts"], 2);
    assert_eq!(d["unmatched"], serde_json::json!([[1, 1], [2, 2]]));
    let critical = &d["critical_step"]["PseudoRigid"];
    assert!(critical["step"].as_f64().unwrap() > 0.0 && critical["body"] == 4, "{out}");
    assert!(d["memory_bytes"].as_u64().unwrap() > 1000);
    let (plain, _) = succeeds(&folder, &["--list", "deck.py"]);
    assert!(
        plain.contains("overlaps: 2 pairs of bodies, at most 0.1")
            && plain.contains("s for bodies of kind PseudoRigid (body 4)"),
        "{plain}"
    );
}

/// Eight elements with 27 nodes, a rigid body that comes later, and an obstacle.
#[test]
fn bodies_of_finite_elements_are_counted() {
    let folder = Folder::new();
    let elements = format!("HEX({CUBE}, 2, 2, 2, 1, [1]*6)");
    let deck = format!(
        "{START}BODY(s, 'FINITE_ELEMENT', {elements}, m)\nRUN(s, 'AUTO', 0.01)\n\
         BODY(s, 'RIGID', SPHERE((9,0,0),1,0,1), m)\nBODY(s, 'OBSTACLE', SPHERE((0,9,0),1,0,1), m)\n"
    );
    folder.write("deck.py", &deck);
    let (out, _) = succeeds(&folder, &["--list", "--json", "deck.py"]);
    let facts: Json = serde_json::from_str(&out).unwrap();
    let d = &facts["domains"][0];
    let bodies = serde_json::json!({"finite-element": 1, "obstacles": 1, "pseudo-rigid": 0, "rigid": 1});
    assert_eq!((&d["bodies"], &d["dofs"], &d["elements"]), (&bodies, &87.into(), &8.into()));
    let (plain, _) = succeeds(&folder, &["--list", "deck.py"]);
    assert!(plain.contains("bodies: 1 finite-element, 1 obstacles, 0 pseudo-rigid, 1 rigid\n"), "{plain}");
    assert!(plain.contains("dofs: 87\n"), "{plain}");
}

#[test]
fn checks_and_dry_runs_write_nothing() {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{START}{PAIR}"));
    let (_, told) = succeeds(&folder, &["--check", "deck.py"]);
    assert!(told.contains("overlap by 1.000e-1 m at the start; move them apart"), "{told}");
    let (out, told) = succeeds(&folder, &["--dry-run", "-o", "m.h5", "deck.py"]);
    assert!(out.is_empty() && told.contains("m.h5: ") && told.contains("not written"), "{told}");
    assert!(!folder.path("m.h5").exists());
    folder.write("deck.py", &format!("{START}{PAIR}UNPHYSICAL_PENETRATION(s, 0.05)\n"));
    let out = folder.build(&["--check", "deck.py"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("bodies 1 and 2 overlap by 1.000e-1 m"), "{}", text(&out.stderr));
}

/// Two bricks, one on the other: each rests on one point, unless CONTACT_POINTS gives it more, a joint holds it, or
/// nothing pulls it.
#[test]
fn bodies_that_rest_on_one_point_are_named() {
    let folder = Folder::new();
    let bricks = format!(
        "GRAVITY(s, (0, 0, -10))\nh = HULL({CUBE}, 1, 1)\nBODY(s, 'OBSTACLE', COPY(h), m)\n\
         b = BODY(s, 'RIGID', TRANSLATE(COPY(h), (0, 0, 1)), m, label='B')\n\
         BODY(s, 'RIGID', TRANSLATE(h, (0, 0, 2)), m)\n"
    );
    let told = |more: &str| {
        folder.write("deck.py", &format!("{START}{bricks}{more}"));
        let (_, told) = succeeds(&folder, &["--check", "deck.py"]);
        let (out, _) = succeeds(&folder, &["--list", "--json", "deck.py"]);
        let named = serde_json::from_str::<Json>(&out).unwrap()["domains"][0]["one_point"].as_array().unwrap().len();
        assert_eq!(told.matches("rests on one contact point: it can tip").count(), named, "{told}");
        (named, told)
    };
    let (count, text) = told("");
    assert_eq!(count, 2);
    assert!(text.contains("body 2 'B'") && text.contains("use CONTACT_POINTS(solfec, 4)"), "{text}");
    assert_eq!(told("CONTACT_POINTS(s, 4)\n").0, 0);
    assert_eq!(told("FIX_POINT(b, (0, 0, 1))\n").0, 1);
    assert_eq!(told("GRAVITY(s, (0, 0, 0))\n").0, 0);
    folder.write("deck.py", &format!("{START}{bricks}CONTACT_POINTS(s, 5)\n"));
    let out = folder.build(&["--check", "deck.py"]);
    assert!(
        self::text(&out.stderr).contains("number: is 5; give an integer from 1 to 4"),
        "{}",
        self::text(&out.stderr)
    );
}

#[test]
fn a_model_is_exported_as_json() {
    let folder = Folder::new();
    folder.write(
        "deck.py",
        &format!(
            "{START}{PAIR}FIX_POINT(a, (0,0,0))\nIMBALANCE_TOLERANCE(s, 1.3, 0.5, 7)\n\
         RUN(s, GAUSS_SEIDEL_SOLVER(1e-3, 10), 1)\n"
        ),
    );
    let (out, _) = succeeds(&folder, &["--export", "json", "deck.py"]);
    let document: Json = serde_json::from_str(&out).unwrap();
    let d = &document["domains"][0];
    assert_eq!(d["bodies"][1]["center"], serde_json::json!([0.0, 0.0, 1.9]));
    assert_eq!(d["constraints"][0]["joint"]["strength"], "inf");
    let balance = serde_json::json!({"tolerance": 1.3, "weightfactor": 0.5, "updatefreq": 7});
    assert_eq!(d["settings"]["balance"], balance);
    assert_eq!(d["program"][0]["op"], "RUN");
}

/// One body has surfaces 1 and 2, another 3: the first two never meet. All pairs are there in JSON, people see some.
#[test]
fn unmatched_surfaces_are_all_listed() {
    let folder = Folder::new();
    let two = "BODY(s, 'RIGID', [SPHERE((0,0,0),1,0,1), SPHERE((9,0,0),1,0,2)], m)\n";
    let list = |deck: &str| {
        folder.write("deck.py", &format!("{START}{deck}"));
        let (out, _) = succeeds(&folder, &["--list", "--json", "deck.py"]);
        serde_json::from_str::<Json>(&out).unwrap()["domains"][0]["unmatched"].clone()
    };
    let one = "BODY(s, 'RIGID', SPHERE((0,9,0),1,0,3), m)\n";
    assert_eq!(list(&format!("{two}{one}")), serde_json::json!([[1, 3], [2, 3]]));
    let many = "for i in range(8): BODY(s, 'RIGID', SPHERE((9*i,0,0),1,0,i), m)\n";
    assert_eq!(list(many).as_array().unwrap().len(), 28);
    let (plain, _) = succeeds(&folder, &["--list", "deck.py"]);
    assert!(plain.contains("(0, 1), ") && plain.contains(" and 8 more\n"), "{plain}");
    assert!(plain.contains("  overlaps: none\n") && plain.contains("  critical step: none\n"), "{plain}");
}

#[test]
fn a_failed_check_is_one_document() {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{START}{PAIR}UNPHYSICAL_PENETRATION(s, 0.05)\n"));
    let out = folder.build(&["--check", "--json", "deck.py"]);
    assert_eq!(out.status.code(), Some(1));
    let report: Json = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!((&report["schema"], &report["exit"]), (&"sf-build/1".into(), &1.into()));
    assert!(report["problems"][0].as_str().unwrap().contains("bodies 1 and 2 overlap"), "{report}");
    let told = text(&out.stderr);
    let error = told.lines().find(|line| !line.starts_with("sf-build: warning: "));
    assert!(error.is_some_and(|line| line.starts_with("sf-build: error: deck.py: ")) && !told.contains('{'), "{told}");
}

#[test]
fn rules_are_for_make_here() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.write("sub/data.txt", "1\n");
    folder.write("deck.py", &format!("open('data.txt').read()\n{START}{PAIR}"));
    succeeds(&folder, &["-o", "m.h5", "--root", "sub", "--deps", "m.d", "deck.py"]);
    assert_eq!(folder.read("m.d"), "m.h5: deck.py sub/data.txt\n");
    let out = folder.build(&["-o", "-", "--deps", "n.d", "deck.py"]);
    assert_eq!((out.status.code(), folder.path("n.d").exists()), (Some(2), false));
}

/// The reader of what the deck prints leaves: no error, and no half of a model.
#[test]
fn a_reader_that_leaves() {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{START}{PAIR}for i in range(100000): print(i)\n"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_sf-build"));
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    command.args(["-o", "m.h5", "deck.py"]).current_dir(&folder.0);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert_eq!((out.status.code(), text(&out.stderr).as_str()), (Some(0), ""));
    assert!(!folder.path("m.h5").exists());
}
