//! Problems of FCLIB, and our own in the same form.

use std::path::PathBuf;

use tools_testing::data::sets;

use solfec_formats::fclib::{Problem, Raw};

/// Files of a subfolder, by name.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let sets = sets(&format!("fclib/{folder}"));
    let mut files: Vec<PathBuf> =
        sets.iter().flat_map(|set| std::fs::read_dir(set).unwrap()).map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

pub fn stem(path: &std::path::Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// `r` and `u` of the tight solution of a problem, in the order of the file.
pub fn reference(name: &str) -> Option<(Vec<f64>, Vec<f64>, f64)> {
    let open = |path: &PathBuf| solfec_formats::open_options().open(path).unwrap().group(name).ok();
    let group = sets("fclib/reference_solutions.hdf5").iter().find_map(open)?;
    let get = |n: &str| group.dataset(n).unwrap().read_raw::<f64>().unwrap();
    Some((get("r"), get("u"), group.attr("err_siconos").unwrap().read_scalar().unwrap()))
}

#[test]
fn all_real_problems_are_read() {
    let (ours, theirs) = (6, 47);
    let files = files("local");
    assert!(files.len() == ours || files.len() == ours + theirs, "{} problems", files.len());
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
    for path in files("global") {
        let raw = Raw::read(&path).unwrap();
        let condensed = format!("../local/{}-condensed.hdf5", stem(&path));
        let same = Raw::read(&path.parent().unwrap().join(condensed)).unwrap();
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
