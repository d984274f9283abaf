//! What we write, read by a Python that knows nothing of this project.

use std::path::{Path, PathBuf};
use std::process::Command;

use solfec_formats::fclib::{export, write};

use super::files::solved;
use super::sample::chain;
use tools_testing::python::python_with;
use tools_testing::scratch::Scratch;

fn run(python: &Path, script: &str, dir: &Path) -> String {
    let done = Command::new(python).arg("-c").arg(script).current_dir(dir).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// The Python pieces of the page.
fn recipes() -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/formats/fclib.md");
    let text = std::fs::read_to_string(path).unwrap();
    text.split("```python\n").skip(1).map(|part| part.split("```").next().unwrap().to_string()).collect()
}

#[test]
fn h5py_reads_what_we_write() {
    let Some(python) = python_with("h5py") else { return };
    for joints in [false, true] {
        let scratch = Scratch::new();
        let step = solved(chain(9, joints));
        write(&scratch.path("step.h5"), &step, &["{}".into()]).unwrap();
        let recipes = recipes();
        let shown = run(&python, &recipes[0], &scratch);
        let error: f64 = shown.split_whitespace().last().unwrap().parse().unwrap();
        assert!(shown.starts_with("8 contacts, err_siconos") && error < 1e-11, "{shown}");
        // The same measure by two programs, away from the solution.
        let mut away = step.clone();
        away.r[0].z *= 1.1;
        away.r[5].x += 0.2;
        let (raw, solution) = export(&away).unwrap();
        write(&scratch.path("step.h5"), &away, &[]).unwrap();
        let shown = run(&python, &recipes[0], &scratch);
        let error: f64 = shown.split_whitespace().last().unwrap().parse().unwrap();
        let ours = raw.residual(&solution.r, &solution.l).err_siconos;
        // The page leaves the miss of the equality part out.
        if !joints {
            assert!((error - ours).abs() < 1e-12, "{error:e} {ours:e}");
        }
        assert!(error <= ours + 1e-12 && error > 1e-4, "{error:e} {ours:e}");
        let shown = run(&python, &recipes[1], &scratch);
        assert_eq!(shown.lines().count(), step.rows.len());
        assert!(shown.contains("BODY2 (deck.py:1)"), "{shown}");
    }
}

/// No dataset without units and description; texts as C readers of FCLIB want them.
#[test]
fn every_dataset_says_what_it_is() {
    let Some(python) = python_with("h5py") else { return };
    let scratch = Scratch::new();
    write(&scratch.path("step.h5"), &chain(9, true), &["{}".into()]).unwrap();
    let script = r#"
import h5py
count = 0
def look(name, o):
    global count
    if isinstance(o, h5py.Dataset):
        count += 1
        assert o.attrs["units"] and o.attrs["description"], name
with h5py.File("step.h5") as f:
    f.visititems(look)
    title = f["fclib_local/info/title"]
    assert title.shape == () and title.dtype.kind == "S" and title[()].startswith(b"local dynamics"), title
    assert f["fclib_local/W/i"].dtype == "<i4" and f["fclib_local/spacedim"].shape == (1,)
    assert f.attrs["format"] == "solfec-locdyn"
assert count > 45, count
"#;
    run(&python, script, &scratch);
}
