//! `sf-locdyn-compare solve` on generated and on real problems.

use serde_json::Value;
use solfec_formats::fclib::{Raw, Source};

use super::cli::{dump, stderr, stdout, tool};
use super::real::{files, reference, stem};
use super::sample::chain;
use tools_testing::scratch::Scratch;

/// The document of a solve, and its exit code.
fn solve(args: &[&str]) -> (Value, Option<i32>) {
    let output = tool(&[&["solve"], args, &["--json"]].concat());
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{args:?}: {e}: {}{}", stdout(&output), stderr(&output)));
    assert_eq!(document["schema"], "sf-locdyn-compare-solve/1");
    (document, output.status.code())
}

#[test]
fn generated_problems_are_solved() {
    let scratch = Scratch::new();
    for joints in [false, true] {
        let path = dump(&scratch, &format!("{joints}.h5"), &chain(9, joints));
        for solver in ["gauss_seidel", "GAUSS_SEIDEL_SOLVER", "Newton", "AUTO_SOLVER"] {
            let (document, code) = solve(&[&path, "--solver", solver, "--tol", "1e-8"]);
            assert_eq!(code, Some(0), "{document}");
            assert_eq!(document["converged"], true);
            assert!(document["err_siconos"].as_f64().unwrap() <= 1e-8, "{document}");
            assert!(document["iterations"].as_u64().unwrap() > 0 && document["time_s"].as_f64().unwrap() >= 0.0);
            assert_eq!(document["contacts"], 8);
            assert_eq!(document["prescribed"], if joints { 3 } else { 0 });
            for key in ["file", "solver", "method", "err_over_q", "merit", "tol", "measure"] {
                assert!(!document[key].is_null(), "{key}");
            }
        }
        let merit = solve(&[&path, "--measure", "merit", "--tol", "1e-12", "--solver", "GAUSS_SEIDEL"]);
        assert_eq!(merit.1, Some(0));
        assert!(merit.0["merit"].as_f64().unwrap() <= 1e-12);
    }
}

#[test]
fn settings_are_json_as_in_model_files() {
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(9, false));
    let settings = r#"{"kind": "GAUSS_SEIDEL", "epsilon": 1e-3, "maxiter": 3, "diagsolver": "ENUMERATIVE"}"#;
    let (document, code) = solve(&[&path, "--solver", settings, "--tol", "1e-12"]);
    assert_eq!((code, &document["converged"]), (Some(6), &Value::from(false)));
    assert!(document["iterations"].as_u64().unwrap() <= 3);
    let refused = tool(&["solve", &path, "--solver", "PENALTY"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("needs springs and gaps"), "{}", stderr(&refused));
}

#[test]
fn a_failure_is_printed_written_and_exit_6() {
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(12, false));
    let out = scratch.path("out.h5");
    let out = out.to_str().unwrap();
    let output = tool(&["solve", &path, "--solver", "GAUSS_SEIDEL", "--maxiter", "2", "--tol", "1e-14", "-o", out]);
    assert_eq!(output.status.code(), Some(6));
    assert!(stdout(&output).contains("converged    no"), "{}", stdout(&output));
    assert!(stderr(&output).contains("not converged: err_siconos is"), "{}", stderr(&output));
    let raw = Raw::read(out.as_ref()).unwrap();
    assert!(Source::open(out.as_ref()).unwrap().solution(&raw).unwrap().is_some());
}

#[test]
fn solutions_are_written_into_a_new_file() {
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(9, true));
    let before = std::fs::read(&path).unwrap();
    let out = scratch.path("out.h5");
    let out = out.to_str().unwrap();
    let args = [path.as_str(), "--tol", "1e-9", "-o", out];
    let (document, code) = solve(&args);
    assert_eq!(code, Some(0), "{document}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let source = Source::open(out.as_ref()).unwrap();
    let raw = source.raw().unwrap();
    let solution = source.solution(&raw).unwrap().unwrap();
    // The error that was printed is that of what was written.
    assert_eq!(raw.residual(&solution.r, &solution.l).err_siconos, document["err_siconos"].as_f64().unwrap());
    assert!(source.step().unwrap().is_some(), "all else is kept");
    let refused = tool(&["solve", &path, "-o", out]);
    assert_eq!(refused.status.code(), Some(4));
    assert!(stderr(&refused).contains("--force"));
    let itself = tool(&["solve", &path, "-o", &path]);
    assert_eq!(itself.status.code(), Some(4));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert!(tool(&["solve", &path, "-o", &path, "--force"]).status.success());
    assert_ne!(std::fs::read(&path).unwrap(), before);
}

/// A good and a bad solution of one dump, told apart; two good ones are the same.
#[test]
fn solutions_of_a_dump_are_told_apart() {
    let scratch = Scratch::new();
    let path = dump(&scratch, "a.h5", &chain(9, true));
    let solved = |name: &str, solver: &str, tolerance: &str| {
        let out = scratch.path(name).to_str().unwrap().to_owned();
        let args = [&path, "--solver", solver, "--measure", "merit", "--tol", tolerance, "-o", &out];
        assert_eq!(solve(&args).1, Some(0));
        out
    };
    let good = solved("newton.h5", "NEWTON", "1e-20");
    let again = solved("sweeps.h5", "GAUSS_SEIDEL", "1e-20");
    let bad = solved("bad.h5", "GAUSS_SEIDEL", "1e-1");
    let same = tool(&[&good, &again]);
    assert!(same.status.success(), "{}", stdout(&same));
    let different = tool(&[&good, &bad]);
    assert_eq!(different.status.code(), Some(1), "{}", stdout(&different));
    assert!(tool(&["--verify", &good, &again]).status.success());
}

/// What Gauss-Seidel must solve of the real set, and to which velocities.
#[test]
fn real_problems_by_gauss_seidel() {
    const NAMES: [&str; 12] = [
        "SlidingCube",
        "Column",
        "Wedge",
        "Balls-condensed",
        "Capsules-i100-889",
        "Capsules-i125-1213",
        "Confeti-ex13-4contact-Fc3D-SBM",
        "CubeH8-condensed",
        "NESpheres_30_1",
        "LMGC_GlobalFrictionContactProblem00046-condensed",
        "Rover9770",
        "Rover4613",
    ];
    let scratch = Scratch::new();
    for path in files("local").iter().filter(|p| NAMES.contains(&stem(p).as_str())) {
        let name = stem(path);
        let out = scratch.path(&format!("{name}.h5"));
        let out = out.to_str().unwrap();
        let path = path.to_str().unwrap();
        let args = [path, "--solver", "GAUSS_SEIDEL", "--tol", "1e-10", "--maxiter", "50000", "-o", out];
        let (document, code) = solve(&args);
        assert_eq!(code, Some(0), "{document}");
        let source = Source::open(out.as_ref()).unwrap();
        let raw = source.raw().unwrap();
        let solution = source.solution(&raw).unwrap().unwrap();
        let (_, u, _) = reference(&name).unwrap();
        let scale = raw.q.iter().chain(&u).fold(0.0, |max: f64, x| max.max(x.abs()));
        let miss = solution.u.iter().zip(&u).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(miss <= 1e-6 * scale, "{name}: {miss:e} of {scale:e}");
    }
}

/// A global problem: condensed, solved, written as the local one.
#[test]
fn global_problems_are_solved() {
    let scratch = Scratch::new();
    for path in files("global").iter().filter(|p| ["Balls", "Stack", "CubeH8"].contains(&stem(p).as_str())) {
        let out = scratch.path(&format!("{}.h5", stem(path)));
        let out = out.to_str().unwrap();
        let (document, code) = solve(&[path.to_str().unwrap(), "--tol", "1e-10", "-o", out]);
        assert_eq!(code, Some(0), "{document}");
        let (written, global) = (Raw::read(out.as_ref()).unwrap(), Raw::read(path).unwrap());
        assert_eq!((written.w, written.q, written.mu), (global.w, global.q, global.mu));
    }
}
