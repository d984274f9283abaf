//! The real problems of ../shared/data/fclib.

use std::io::Write;
use std::path::PathBuf;

use solfec_formats::fclib::{Problem, Raw};

/// The folder of the real problems; its absence skips a test.
pub fn shared() -> Option<PathBuf> {
    shared_folder("fclib")
}

/// A folder of ../shared/data.
pub fn shared_folder(name: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let _ = writeln!(std::io::stderr(), "skipped: {} is absent", folder.display());
    None
}

/// Files of a subfolder, by name.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let Some(shared) = shared() else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(shared.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

pub fn stem(path: &std::path::Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// `r` and `u` of the tight solution of a problem, in the order of the file.
pub fn reference(name: &str) -> Option<(Vec<f64>, Vec<f64>, f64)> {
    let path = shared()?.join("reference_solutions.hdf5");
    let file = solfec_formats::open_options().open(path).unwrap();
    let group = file.group(name).ok()?;
    let get = |n: &str| group.dataset(n).unwrap().read_raw::<f64>().unwrap();
    Some((get("r"), get("u"), group.attr("err_siconos").unwrap().read_scalar().unwrap()))
}

#[test]
fn all_real_problems_are_read() {
    let files = files("local");
    assert!(files.is_empty() || files.len() == 47);
    for path in files {
        let raw = Raw::read(&path).unwrap();
        let problem = Problem::new(&raw, None);
        assert_eq!(problem.operator().unwrap().matrix().rows(), raw.contacts(), "{}", path.display());
        assert!(raw.equality.is_none());
    }
}

/// Our measure of the reference solutions is the one they were published with.
#[test]
fn reference_solutions_have_the_error_they_claim() {
    for path in files("local") {
        let raw = Raw::read(&path).unwrap();
        let Some((r, u, error)) = reference(&stem(&path)) else { continue };
        let found = raw.residual(&r, &[]).err_siconos;
        assert!((found - error).abs() <= 1e-3 * error + 1e-15, "{}: {found:e} {error:e}", path.display());
        // Some u are zero to roundoff: the scale is that of their parts.
        let scale = raw.q.iter().chain(&u).fold(0.0, |a: f64, x| a.max(x.abs()));
        let miss = raw.velocity(&r, &[]).iter().zip(&u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(miss <= 1e-9 * scale, "{}: {miss:e} of {scale:e}", path.display());
    }
}

/// Global problems condense to the local ones beside them, condensed by others.
#[test]
fn global_problems_condense() {
    let Some(shared) = shared() else { return };
    for path in files("global") {
        let raw = Raw::read(&path).unwrap();
        let same = Raw::read(&shared.join(format!("local/{}-condensed.hdf5", stem(&path)))).unwrap();
        assert_eq!(raw.mu, same.mu);
        let scale = same.w.value.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let mut entries: Vec<(usize, usize, f64)> = raw.w.entries().collect();
        entries.extend(same.w.entries().map(|(i, j, x)| (i, j, -x)));
        let difference = solfec_formats::fclib::Sparse::new(raw.w.rows, raw.w.columns, entries);
        let miss = difference.value.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        assert!(miss <= 1e-12 * scale, "{}: {miss:e} of {scale:e}", path.display());
        let q = raw.q.iter().zip(&same.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let scale = same.q.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        assert!(q <= 1e-12 * scale, "{}: q {q:e} of {scale:e}", path.display());
    }
}
