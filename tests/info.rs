//! sf-info: what files are and hold, whether they are whole, and how far a run has come.

use std::process::Stdio;

use solfec::math::Vec3;
use solfec::meshing::Tetrahedra;
use tools_testing::process::*;
use tools_testing::scratch::Scratch;

const BALL: &str = "
solfec = SOLFEC('DYNAMIC', 1E-3, 'out/ball')
SURFACE_MATERIAL(solfec, friction=0.3)
bulk = BULK_MATERIAL(solfec, density=1E3, label='STONE')
ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0.52), 0.5, 1, 1), bulk, label='BALL')
nodes = [-1,-1,-1, 1,-1,-1, 1,1,-1, -1,1,-1, -1,-1,0, 1,-1,0, 1,1,0, -1,1,0]
BODY(solfec, 'OBSTACLE', HEX(nodes, 1, 1, 1, 2, [2]*6), bulk)
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, 0.01)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.1)
";

/// Runs a line of the shell in a folder with the tools on its path.
fn shell(folder: &Scratch, line: &str) -> std::process::Output {
    let path = format!("{}:{}", bin().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = std::process::Command::new("bash");
    command.args(["-c", line]).current_dir(folder.path("")).env("PATH", path).stdin(Stdio::null());
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    output(&mut command)
}

fn told(folder: &Scratch, line: &str) -> String {
    let output = shell(folder, line);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    stdout(&output)
}

fn made() -> Scratch {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    told(&folder, "sf-build -q ball.py -o m.h5 && sf-run -q m.h5 --dump-locdyn 80:ld.hdf5 --checkpoint-every 1h");
    folder
}

#[test]
fn every_kind_of_file_is_named() {
    let folder = made();
    told(&folder, "sf-run -q --pack out/ball packed.h5 && sf-xdmf -q out/ball -o viz --single");
    let cases = [
        ("m.h5", "m.h5: model, 2 bodies"),
        ("out/ball", "out/ball: results, 2 bodies, 11 frames"),
        ("out/ball/ball.sfr.h5", "results, 2 bodies, 11 frames"),
        ("packed.h5", "packed results, 2 bodies, 11 frames"),
        ("out/ball/segments/*.h5", "segment of results, 11 frames"),
        ("out/ball/checkpoints/*", "checkpoint of domain 0, t=0.1"),
        ("ld.hdf5", "local dynamics (FCLIB), 1 contact"),
        ("viz/*.xmf", "XDMF, 11 times"),
    ];
    for (file, title) in cases {
        let text = told(&folder, &format!("sf-info {file}"));
        assert!(text.lines().next().unwrap().contains(title), "{file}: {text}");
        assert!(file.starts_with("viz") || text.contains("check: ok"), "{file}: {text}");
    }
}

/// Meshes are told by their parts, those that TETRAHEDRALIZE keeps by their ids; a changed number is found, by every
/// tool that reads it.
#[test]
fn meshes_are_named_and_verified() {
    let folder = Scratch::new();
    told(&folder, "sf-mesh hex --box 0 0 0 1 1 1 -n 2 2 1 | sf-mesh set --name BLOCK -o mesh.h5");
    let text = told(&folder, "sf-info mesh.h5");
    assert!(text.starts_with("mesh.h5: mesh, 1 part\n") && text.contains("check: ok"), "{text}");
    assert!(text.contains("BLOCK") && text.contains("elements 4") && text.contains("nodes 18"), "{text}");
    let nodes = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.3]].map(Vec3::from).to_vec();
    let mesh = Tetrahedra {
        nodes,
        elements: vec![[0, 1, 2, 3]],
        faces: vec![([0, 2, 1], 3), ([0, 1, 3], 4)],
        regions: vec![1],
    };
    solfec_formats::mesh_cache::write(&folder.path("kept.h5"), "0123abcd", &mesh).unwrap();
    let text = told(&folder, "sf-info kept.h5");
    for line in ["mesh of TETRAHEDRALIZE, 1 tetrahedron", "surfids: 3, 4", "regions: 1", "key: 0123abcd", "check: ok"] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(told(&folder, "sf-mesh info --json kept.h5 | grep -c '\"volume\":0.2166'"), "1\n");
    let mut bytes = std::fs::read(folder.path("kept.h5")).unwrap();
    let at = bytes.windows(8).position(|x| x == 1.3_f64.to_le_bytes()).unwrap();
    bytes[at] ^= 1;
    std::fs::write(folder.path("kept.h5"), bytes).unwrap();
    for (line, code) in [("sf-info kept.h5", 1), ("sf-mesh info kept.h5", 3)] {
        let output = shell(&folder, line);
        let text = stderr(&output);
        assert!(output.status.code() == Some(code) && text.contains("checksum"), "{line}: {text}");
    }
}

#[test]
fn facts_of_a_model_and_of_its_results() {
    let folder = made();
    let model = told(&folder, "sf-info m.h5");
    for fact in [
        "deck: 10 lines, not needed to run",
        "made by: sf-build 0",
        "bodies: OBSTACLE 1, RIGID 1",
        "bulk materials: STONE",
        "'DEFAULT' (friction 0.3, restitution 0)",
        "runs: 0.1 s with GAUSS_SEIDEL_SOLVER",
        "output: out/ball",
    ] {
        assert!(model.contains(fact), "{fact} is not in\n{model}");
    }
    let results = told(&folder, "sf-info out/ball");
    for fact in ["condition: complete", "times: 0.0, 0.1", "steps: 100", "runs: done", "worst merit: "] {
        assert!(results.contains(fact), "{fact} is not in\n{results}");
    }
    let json: serde_json::Value = serde_json::from_str(&told(&folder, "sf-info --json out/ball")).unwrap();
    assert_eq!(json["schema"], "sf-info/1");
    assert_eq!(json["check"], "ok");
    assert_eq!(json["domains"][0]["bodies"], serde_json::json!({"OBSTACLE": 1, "RIGID": 1}));
    assert!(json["domains"][0]["iterations"]["mean"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_condition_of_a_run_is_told() {
    let folder = made();
    told(&folder, "sf-run -q m.h5 -o cut --steps 30; true");
    assert!(told(&folder, "sf-info cut").contains("condition: stopped (cut short); sf-run -c goes on"));
    // A process that is no more cannot be running.
    let state = folder.read("cut/state.json").replace("\"done\"", "\"running\"");
    let dead = state.lines().map(|line| match line.contains("\"pid\"") {
        true => "  \"pid\": 4194999,".to_string(),
        false => line.to_string(),
    });
    folder.write("cut/state.json", &dead.collect::<Vec<_>>().join("\n"));
    let text = told(&folder, "sf-info cut");
    assert!(!text.contains("running"), "{text}");
}

/// A domain that is never run, as decks have for modes of a body, does not make a run that is over an interrupted one.
#[test]
fn domains_without_a_run_do_not_matter_for_the_condition() {
    let folder = made();
    let deck = format!("{}\nSOLFEC('DYNAMIC', 1e-3, 'out/other')\n", folder.read("ball.py"));
    folder.write("two.py", &deck);
    told(&folder, "sf-build two.py -o two.h5");
    told(&folder, "sf-run -q two.h5 -o both");
    let text = told(&folder, "sf-info both");
    assert!(text.contains("condition: complete") && text.contains("runs: none"), "{text}");
}

#[test]
fn what_is_damaged_or_foreign_is_told() {
    let folder = made();
    told(&folder, "rm out/ball/segments/*");
    hdf5::File::create(folder.path("foreign.h5")).unwrap().create_group("other").unwrap();
    let cases = [
        ("sf-info ball.py", 3, "is a deck"),
        ("sf-info nothing", 4, "cannot read"),
        ("mkdir empty; sf-info empty", 3, "directory without results"),
        ("echo text > t.h5; sf-info t.h5", 3, "is not an HDF5 file"),
        ("head -c 3000 m.h5 > cut.h5; sf-info cut.h5", 3, "cut.h5"),
        ("sf-info foreign.h5", 3, "an HDF5 file of another program"),
    ];
    for (line, code, says) in cases {
        let output = shell(&folder, line);
        assert_eq!(output.status.code(), Some(code), "{line}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{line}: {}", stderr(&output));
    }
    let checked = told(&folder, "sf-run --check-file m.h5");
    assert_eq!(checked, "m.h5: ok: model, 2 bodies\n");
}
