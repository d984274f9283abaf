//! MESH_FILE and CONVEX_FILE of decks.

use std::process::Stdio;

use solfec_formats::meshes::{write, Format, MeshFile, Style};
use tools_testing::process::*;
use tools_testing::scratch::Scratch;

use crate::sample::{mixed, part, surface};

fn run(folder: &Scratch, tool: &str, args: &[&str]) -> std::process::Output {
    let mut command = std::process::Command::new(bin().join(tool));
    command.args(args).current_dir(folder.path("")).stdin(Stdio::null());
    command.env("SF_PYTHON", tools_testing::python::interpreter());
    output(&mut command)
}

fn folder() -> Scratch {
    let folder = Scratch::new();
    let other = solfec_formats::meshes::Part { name: "OTHER".into(), mesh: mixed(), sets: vec![] };
    let two = MeshFile::of(vec![part(), other]);
    std::fs::create_dir(folder.path("deck")).unwrap();
    std::fs::write(folder.path("deck/two.inp"), write(&two, Format::Abaqus, Style::default()).unwrap().bytes).unwrap();
    let hull = MeshFile::one(surface());
    std::fs::write(folder.path("deck/hull.ply"), write(&hull, Format::Ply, Style::default()).unwrap().bytes).unwrap();
    folder
}

const BEGIN: &str = "
s = SOLFEC('DYNAMIC', 1E-3, 'out/a')
m = BULK_MATERIAL(s, density=2)
";

#[test]
fn a_mesh_file_beside_the_deck_is_a_mesh() {
    let folder = folder();
    let deck = format!(
        "{BEGIN}mesh = MESH_FILE('two.inp', 'STEM', volid=3, surfid=9, scale=3)
data = mesh.get_data()
print(mesh.nnod, len(mesh.nodes_on_surface(9)) > 0, MESH(*data).nnod)
body = BODY(s, 'RIGID', mesh, m)
print(round(body.mass, 12))
c = CONVEX_FILE('hull.ply', volid=1, surfid=4)
BODY(s, 'RIGID', TRANSLATE(c, (9, 0, 0)), m)
for wrong in ('two.inp', 'STEN'), ('gone.inp',), ('hull.ply',):
    try: MESH_FILE(*wrong)
    except (ValueError, OSError) as error: print(type(error).__name__, error)
"
    );
    folder.write("deck/deck.py", &deck);
    let output = run(&folder, "sf-build", &["deck/deck.py", "-o", "m.h5", "--deps", "m.d"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output) + &stderr(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "16 True 16", "{text}");
    // Two cubes of edge 1; a pyramid of base 1 and height 0.5; a wedge of section 1/2; a tetrahedron.
    let tetrahedron = 1.0 / 6.0 * (0.5 * 0.4 + 0.5 * 0.5);
    let mass: f64 = lines[1].parse().unwrap();
    assert!((mass - 2.0 * (2.0 + 1.0 / 6.0 + 0.5 + tetrahedron)).abs() < 1e-11, "{text}");
    assert!(text.contains("ValueError") && text.contains("has no part 'STEN' (did you mean STEM?)"), "{text}");
    assert!(text.contains("OSError") && text.contains("gone.inp: cannot read"), "{text}");
    assert!(text.contains("has surfaces only; make convex parts of them by 'sf-mesh decompose'"), "{text}");
    let rule = std::fs::read_to_string(folder.path("m.d")).unwrap();
    assert!(rule.contains("deck/two.inp") && rule.contains("deck/hull.ply"), "{rule}");
    let run = run(&folder, "sf-info", &["m.h5"]);
    assert!(stdout(&run).contains("check: ok"), "{}", stdout(&run));
}

#[test]
fn a_damaged_mesh_file_ends_the_deck_with_its_line() {
    let folder = folder();
    folder.write("deck/bad.inp", "*NODE\n1, 0, 0, x\n");
    folder.write("deck/deck.py", &format!("{BEGIN}MESH_FILE('bad.inp')\n"));
    let output = run(&folder, "sf-build", &["deck/deck.py", "-o", "m.h5"]);
    assert_eq!(output.status.code(), Some(3));
    let text = stderr(&output);
    assert!(text.contains("deck/bad.inp:2: 'x' stands for a coordinate; a finite number is expected"), "{text}");
}
