//! Models, pipes and threads leave no trace in the results.

use super::*;
use tools_testing::same::same_results;

/// Standard output and error, and the exit code, of a line of bash in a folder with the tools on the path.
fn bash(folder: &Folder, line: &str) -> (Option<i32>, String, String) {
    let bin = Path::new(env!("CARGO_BIN_EXE_sf-run")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", line]).current_dir(&folder.0).env("PATH", path).stdin(Stdio::null());
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    let out = command.output().unwrap();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

fn done(folder: &Folder, line: &str) -> String {
    let (code, out, errors) = bash(folder, line);
    assert_eq!(code, Some(0), "{line}\n{errors}");
    out
}

/// The master of results in a folder.
fn master(folder: &Folder, name: &str) -> PathBuf {
    folder.path(&format!("{name}/{name}.sfr.h5"))
}

/// Decks of ours that run and need no functions.
fn static_decks() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut decks = vec![root.join("tests/decks/three_basic.py")];
    for (folder, file) in [("tests/decks/mechanisms", None), ("workflows", Some("deck.py"))] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            decks.push(file.map_or(path.clone(), |file| path.join(file)));
        }
    }
    decks.retain(|path| path.extension().is_some_and(|e| e == "py") && path.exists());
    decks.retain(|path| std::fs::read_to_string(path).unwrap().contains("RUN("));
    decks.sort();
    assert!(decks.len() > 10, "{decks:?}");
    decks
}

/// Arguments without which a deck does not run.
fn arguments(deck: &Path) -> &'static str {
    match deck.file_stem().and_then(|stem| stem.to_str()) {
        Some("heavy_symmetrical_top") => "-- RIG_NEG 0.001",
        _ => "",
    }
}

/// Built and run equals run: every dataset of the first twenty steps. Equal decks give equal hashes.
#[test]
fn built_and_run_equals_run() {
    let mut compared = 0;
    for deck in static_decks() {
        let folder = Folder::new();
        let (deck_path, args) = (deck.display(), arguments(&deck));
        let (code, _, errors) = bash(&folder, &format!("sf-build -q -o m.sfm.h5 '{deck_path}' {args}"));
        if code == Some(7) {
            continue;
        }
        assert_eq!(code, Some(0), "{deck_path}: {errors}");
        done(&folder, "mkdir model deck && cd model && sf-run -q --steps 20 ../m.sfm.h5");
        done(&folder, &format!("cd deck && sf-run -q --steps 20 '{deck_path}' {args}"));
        let found = done(&folder, "cd model && find . -name '*.sfr.h5' | sort");
        assert_eq!(found, done(&folder, "cd deck && find . -name '*.sfr.h5' | sort"));
        assert!(!found.is_empty());
        for name in found.lines() {
            let side = |side: &str| folder.path(&format!("{side}/{name}"));
            assert_eq!(same_results(&side("model"), &side("deck")), None, "{deck_path}: {name}");
        }
        done(&folder, &format!("sf-build -q -o again.sfm.h5 '{deck_path}' {args}"));
        let content = |name: &str| tools_testing::same::content(&folder.path(name));
        let (one, other) = (content("m.sfm.h5"), content("again.sfm.h5"));
        assert_eq!(one["/@content_hash"], other["/@content_hash"], "{deck_path}");
        compared += 1;
    }
    assert!(compared >= 10, "{compared} decks are static");
    prints(
        "m = HEX([0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1], 2, 3, 1, 4, [1,2,3,4,5,6])\n\
         n = MESH(*m.get_data())\nassert n.get_data() == m.get_data()\nassert MESH(*n.get_data()).get_data() == m.get_data()",
    );
}

/// Any number of threads gives the same canonical results.
#[test]
fn threads_give_the_same_canonical_results() {
    let folder = Folder::new();
    let deck = Path::new(env!("CARGO_MANIFEST_DIR")).join("workflows/masonry-arch/deck.py");
    done(&folder, &format!("sf-build -q -o m.sfm.h5 '{}'", deck.display()));
    for threads in [1, 2, 4] {
        done(&folder, &format!("sf-run -q --threads {threads} --steps 30 -o t{threads} m.sfm.h5"));
        done(&folder, &format!("sf-run -q --pack t{threads} p{threads}.h5"));
        done(&folder, &format!("sf-run -q --check-file p{threads}.h5"));
        let difference = same_results(&folder.path("p1.h5"), &folder.path(&format!("p{threads}.h5")));
        assert_eq!(difference, None, "{threads} threads");
    }
}

#[test]
fn pipes_of_models_and_results() {
    let folder = Folder::new();
    let deck = Path::new(env!("CARGO_MANIFEST_DIR")).join("workflows/ball-impact/deck.py");
    std::fs::copy(deck, folder.path("d.py")).unwrap();
    done(&folder, "sf-build -q d.py | tee m.h5 | sf-run -q --steps 30 -o piped -");
    done(&folder, "sf-run -q --steps 30 -o filed m.h5");
    assert_eq!(same_results(&master(&folder, "piped"), &master(&folder, "filed")), None);
    // Packed results on standard output, with the messages of the run elsewhere.
    let whole = "sf-build -q d.py | tee m.h5 | sf-run -q --steps 30 -o - > o.h5; sf-run -q --pack filed f.h5";
    done(&folder, whole);
    assert_eq!(same_results(&folder.path("o.h5"), &folder.path("f.h5")), None);
    let piped = done(&folder, "sf-build -q d.py | sf-run -q --steps 30 -o - | sf-history -q - KINETIC");
    assert_eq!(piped, done(&folder, "sf-history -q filed KINETIC"));
    let (code, out, errors) = bash(&folder, "head -c 3000 m.h5 | sf-run -q -o -");
    assert!(code == Some(3) && out.is_empty() && errors.contains("cut short"), "{code:?} {errors}");
    let (code, _, errors) = bash(&folder, "head -c 3000 m.h5 | sf-run -q -o cut -");
    assert_eq!(code, Some(3), "{errors}");
    assert!(errors.contains("standard input") && errors.contains("cut short"), "{errors}");
    folder.write("bad.py", "raise ValueError('no such thing')\n");
    let (code, _, errors) = bash(&folder, "sf-build -q bad.py | sf-run -q -o none -");
    assert_ne!(code, Some(0));
    assert!(errors.contains("no such thing") && errors.contains("pipefail"), "{errors}");
    let piped = done(&folder, "sf-run -q --pack filed | sf-history -q - KINETIC");
    assert_eq!(piped, done(&folder, "sf-history -q filed KINETIC"));
    assert!(piped.lines().count() > 2, "{piped}");
    let (code, _, errors) = bash(&folder, "sf-run -q --max-stdout 1K --pack filed | cat");
    assert_eq!(code, Some(4), "{errors}");
}
