//! The recipes of the format pages, run by a Python that knows nothing of this project.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::sample;
use solfec::model::BodyKind;
use solfec_formats::model::{read_file, write_file};
use solfec_formats::results::{Options, Writer};
use tools_testing::python::python_with;

pub fn run(python: &Path, script: &str, dir: &Path) -> String {
    let done = Command::new(python).arg("-c").arg(script).current_dir(dir).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// The recipe under this heading of a page.
pub fn recipe(page: &str, heading: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/formats").join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let section = &text[text.find(heading).unwrap()..];
    let code = &section[section.find("```python\n").unwrap() + 10..];
    code[..code.find("```").unwrap()].to_string()
}

#[test]
fn a_model_written_by_h5py_alone_is_read() {
    let Some(python) = python_with("h5py") else { return };
    let dir = sample::folder("stranger-model");
    run(&python, &recipe("model.md", "## Write one with h5py"), &dir);
    let file = read_file(&dir.join("ball.sfm.h5")).unwrap();
    let m = &file.domains[0];
    assert_eq!(m.name, "ball");
    assert_eq!(m.bodies[1].kind, BodyKind::Rigid);
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.25f64.powi(3);
    assert!((m.bodies[1].chars.volume - ball).abs() < 1e-15);
    assert!((m.bodies[0].chars.mass - 4000.0).abs() < 1e-9);
    assert_eq!(m.program.len(), 2);
    let again = dir.join("again.sfm.h5");
    write_file(&again, &file).unwrap();
    assert_eq!(read_file(&again).unwrap(), file);
    let shown = run(&python, &recipe("model.md", "## Read one with h5py"), &dir);
    assert!(shown.contains("2 bodies") && shown.contains("['OUTPUT', 'RUN']"), "{shown}");
}

#[test]
fn results_are_read_by_h5py_alone() {
    let Some(python) = python_with("h5py") else { return };
    let dir = sample::folder("ball");
    let mut w = Writer::create(&dir, &sample::file(), Options::default()).unwrap();
    for k in 0..8 {
        w.append(0, sample::frame(k)).unwrap();
        if k % 3 == 0 {
            w.flush().unwrap();
        }
    }
    w.flush().unwrap();
    let parent = dir.parent().unwrap();
    let recipe = recipe("results.md", "## Read with h5py");
    let last = sample::frame(7);
    let row = last.rigid.body.iter().position(|&b| b == 1).unwrap();
    let check =
        format!("{recipe}\nassert abs(z[-1] - {:?}) < 1e-12 and len(z) == 8 and b - a == 3\n", last.rigid.x[row][2]);
    run(&python, &check, parent);
    w.end_run(0, "done").unwrap();
    run(&python, &check, parent);
}

/// Every dataset of master, segments and model is defined: no dataset without units and description.
#[test]
fn every_dataset_says_what_it_is() {
    let Some(python) = python_with("h5py") else { return };
    let dir = sample::folder("described");
    let mut w = Writer::create(&dir, &sample::file(), Options::default()).unwrap();
    w.append(0, sample::frame(7)).unwrap();
    w.flush().unwrap();
    let script = r#"
import h5py, pathlib
count = 0
def look(name, o):
    global count
    if isinstance(o, h5py.Dataset):
        count += 1
        assert o.attrs["units"] and o.attrs["description"], name
for path in pathlib.Path(".").rglob("*.h5"):
    with h5py.File(path) as f:
        f.visititems(look)
assert count > 200, count
"#;
    run(&python, script, &dir);
}

#[test]
fn a_checkpoint_is_read_by_h5py_alone() {
    let Some(python) = python_with("h5py") else { return };
    let dir = sample::folder("ball-checkpoint").join("ball");
    super::checkpoint::stored(&dir);
    let shown = run(&python, &recipe("checkpoint.md", "## Read with h5py"), dir.parent().unwrap());
    assert!(shown.starts_with("t = 0.7 s, 3 rigid bodies, 5 contacts"), "{shown}");
    // The datasets and the seal are those of the page.
    let script = r#"
import h5py, hashlib, re
page = open(PAGE).read()
paths = set(re.findall(r"^\| `(\w+/\w+)` \|", page, re.M))
found = set()
with h5py.File("ball/checkpoints/c000420.h5") as f:
    f.visititems(lambda name, what: found.add(name) if isinstance(what, h5py.Dataset) else None)
assert found == paths, found ^ paths
whole = open("ball/checkpoints/c000420.h5", "rb").read()
assert whole[-72:].decode() == f"sha256 {hashlib.sha256(whole[:-72]).hexdigest()}\n"
"#;
    let page = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/formats/checkpoint.md");
    run(&python, &format!("PAGE = {page:?}\n{script}"), dir.parent().unwrap());
}
