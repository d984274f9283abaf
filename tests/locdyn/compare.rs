//! Dumps compared: same, told otherwise, different, not comparable.

use serde_json::Value;
use solfec::math::Vec3;
use solfec::solver::LocalDynamics;
use solfec_formats::fclib::{export, write_problem};

use super::cli::{dump, stderr, stdout, tool};
use super::sample::{chain, retold, text};
use tools_testing::data::sets;
use tools_testing::scratch::Scratch;

fn code(args: &[&str]) -> Option<i32> {
    let output = tool(args);
    assert!(output.stderr.is_empty(), "{}", stderr(&output));
    output.status.code()
}

fn report(args: &[&str]) -> Value {
    let output = tool(&[args, &["--json"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["schema"], "sf-locdyn-compare/1");
    assert_eq!(report["same"].as_bool().unwrap(), output.status.success());
    report
}

fn text_file(scratch: &Scratch, name: &str, step: &LocalDynamics) -> String {
    let path = scratch.path(name);
    std::fs::write(&path, text(step)).unwrap();
    path.to_str().unwrap().into()
}

#[test]
fn a_step_told_otherwise_is_the_same() {
    let scratch = Scratch::new();
    let step = chain(9, true);
    let a = dump(&scratch, "a.h5", &step);
    // Another order, contacts with master and slave exchanged, tangents turned.
    let b = dump(&scratch, "b.h5", &retold(&step, 0.7));
    assert_eq!(code(&[&a, &a]), Some(0));
    let report = report(&["--rtol", "1e-12", "--atol", "1e-14", &a, &b]);
    let found = &report["comparisons"][0];
    assert_eq!(found["matched"], step.rows.len());
    assert_eq!(found["swapped"], 4, "every second of 8 contacts");
    assert_eq!(found["quantities"].as_array().unwrap().len(), 7);
    assert_eq!(report["same"], true, "{report}");
    // Six digits, and several files against the first.
    let (c, d) = (text_file(&scratch, "c.txt", &step), text_file(&scratch, "d.txt", &retold(&step, 0.7)));
    assert_eq!(code(&[&a, &b, &c, &d]), Some(0));
    assert_eq!(code(&[&c, &d]), Some(0));
}

#[test]
fn every_quantity_counts() {
    let scratch = Scratch::new();
    let step = chain(9, true);
    let a = dump(&scratch, "a.h5", &step);
    type Change = fn(&mut LocalDynamics);
    let changes: [(&str, Change); 6] = [
        ("B", |s| s.free[3].y += 1e-4),
        ("V", |s| s.previous[3].y += 1e-4),
        ("U", |s| s.u[3].y += 1e-4),
        ("R", |s| s.r[3].y += 1e-4),
        ("W", |s| s.w.block[5] *= 1.0 + 1e-4),
        ("base", |s| {
            let turn = solfec::math::exp_map(&Vec3::new(1e-4, 0.0, 0.0));
            s.rows.iter_mut().for_each(|row| row.base = turn * row.base);
        }),
    ];
    for (name, change) in changes {
        let mut other = step.clone();
        change(&mut other);
        let b = dump(&scratch, &format!("{name}.h5"), &retold(&other, 0.3));
        assert_eq!(code(&[&a, &b]), Some(1), "{name}");
        assert_eq!(code(&["--quantities", name, &a, &b]), Some(1), "{name}");
        assert_eq!(code(&["--rtol", "1e-2", &a, &b]), Some(0), "{name}");
        if name != "base" {
            let rest: Vec<&str> = ["W", "B", "V", "U", "R", "base"].into_iter().filter(|q| *q != name).collect();
            assert_eq!(code(&["--quantities", &rest.join(","), &a, &b]), Some(0), "{name}");
        }
        let report = report(&["--quantities", name, &a, &b]);
        let quantity = &report["comparisons"][0]["quantities"][0];
        assert_eq!((&quantity["name"], &quantity["same"]), (&Value::from(name), &Value::from(false)));
        assert!(quantity["max"].as_f64().unwrap() > 0.0 && quantity["worst"][0]["row"]["kind"].is_string());
    }
}

/// The comparison fails (exit 1) on different R, unlike the script of Solfec-1.0.
#[test]
fn text_dumps_with_different_reactions_differ() {
    let scratch = Scratch::new();
    let step = chain(6, false);
    let a = text_file(&scratch, "a.txt", &step);
    let mut other = step;
    other.r[2].x += 1e-3;
    let b = text_file(&scratch, "b.txt", &other);
    let output = tool(&[&a, &b]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("DIFFERENT"), "{}", stdout(&output));
}

#[test]
fn what_cannot_be_compared_is_never_the_same() {
    let scratch = Scratch::new();
    let step = chain(9, false);
    let a = dump(&scratch, "a.h5", &step);
    let shorter = dump(&scratch, "shorter.h5", &chain(8, false));
    let mut far = step.clone();
    far.rows.iter_mut().for_each(|row| row.point.x += 1.0);
    let far = dump(&scratch, "far.h5", &far);
    let mut strange = step.clone();
    strange.rows.iter_mut().for_each(|row| row.master += 100);
    let strange = dump(&scratch, "strange.h5", &strange);
    let empty = dump(&scratch, "empty.h5", &chain(1, false));
    let empty_text = scratch.path("empty.txt");
    std::fs::write(&empty_text, "").unwrap();
    let empty_text = empty_text.to_str().unwrap();
    let (raw, solution) = export(&step).unwrap();
    let plain = scratch.path("plain.h5");
    write_problem(&plain, &raw, &solution).unwrap();
    let plain = plain.to_str().unwrap();
    let text = text_file(&scratch, "a.txt", &step);
    let cases: [(&str, &str); 10] = [
        (&a, &shorter),
        (&shorter, &a),
        (&a, &far),
        (&a, &strange),
        (&a, &empty),
        (&empty, &empty),
        (empty_text, empty_text),
        (&text, plain),
        (plain, &shorter),
        (&a, empty_text),
    ];
    for (first, second) in cases {
        let output = tool(&[first, second]);
        assert_eq!(output.status.code(), Some(1), "{first} {second}: {}{}", stdout(&output), stderr(&output));
    }
    // One is the same, the next is not.
    assert_eq!(code(&[&a, &a, &far]), Some(1));
    // As FCLIB problems, by their order; V and bases are in neither, or asked for in vain.
    assert_eq!(code(&[&a, plain]), Some(0));
    assert_eq!(code(&[plain, plain]), Some(0));
    assert_eq!(code(&["--quantities", "W,V", &a, plain]), Some(1));
    assert_eq!(code(&["--quantities", "base", plain, plain]), Some(1));
    assert_eq!(code(&["--quantities", "mu", &a, &a]), Some(0));
}

#[test]
fn contacts_at_one_place_are_told_by_their_normals() {
    let scratch = Scratch::new();
    let mut step = chain(2, false);
    let mut twin = step.clone();
    twin.rows[0].base = solfec::math::local_base(&Vec3::x());
    twin.rows[0].id = 9;
    step.rows.extend(twin.rows);
    for (to, from) in [(&mut step.free, twin.free), (&mut step.u, twin.u), (&mut step.previous, twin.previous)] {
        to.extend(from.iter().map(|x| x * 2.0));
    }
    step.r.extend(twin.r);
    step.merit.push(0.0);
    let block = step.w.block[0];
    step.w = solfec::dynamics::BlockSparse { row_offset: vec![0, 1, 2], column: vec![0, 1], block: vec![block, block] };
    let a = dump(&scratch, "a.h5", &step);
    let b = dump(&scratch, "b.h5", &retold(&step, 0.0));
    assert_eq!(code(&[&a, &b]), Some(0));
}

/// Text dumps in the form of Solfec-1.0, some of them its own: each is the same as itself, with its lines in any order,
/// and differs from the others.
#[test]
fn dumps_of_the_original_are_read() {
    let scratch = Scratch::new();
    let mut files = Vec::new();
    for entry in sets("reference").iter().flat_map(|set| std::fs::read_dir(set).unwrap()) {
        let entry = entry.unwrap().path();
        if entry.is_dir() {
            let inside = std::fs::read_dir(entry).unwrap().map(|e| e.unwrap().path());
            files.extend(inside.filter(|p| p.to_string_lossy().contains("-locdyn-")));
        }
    }
    files.sort();
    assert!(!files.is_empty());
    for (k, path) in files.iter().enumerate() {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.reverse();
        let shuffled = scratch.path(&format!("{k}.txt"));
        std::fs::write(&shuffled, lines.join("\n")).unwrap();
        let name = path.to_str().unwrap();
        let report = report(&[name, shuffled.to_str().unwrap()]);
        assert_eq!(report["same"], true, "{name}: {report}");
        assert_eq!(report["comparisons"][0]["matched"], lines.len());
        let other = files[(k + 1) % files.len()].to_str().unwrap();
        assert_eq!(code(&[name, other]), Some(1), "{name} {other}");
    }
}
