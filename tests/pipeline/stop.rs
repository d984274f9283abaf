//! The file STOP, `--max-wall`, `--strict-stop`, and the files that tell how far a run is.

use super::common::*;
use super::{BALL, LONG};

/// STOP ends a recorded run after the step, is consumed, and the run can go on.
#[test]
fn stop_ends_a_recorded_run() {
    let folder = Scratch::new();
    folder.write("long.py", LONG);
    done(&folder, "sf-build long.py -o m.h5; mkdir out; touch out/STOP");
    let told = fails(&folder, "sf-run m.h5 -o out", 5);
    assert!(told.contains("stopped by STOP") && told.contains("-c"), "{told}");
    assert!(!folder.path("out/STOP").exists() && folder.path("out/STOP.done").exists());
    assert_eq!(state_text(&folder, "out", "/status"), "stopped");
    assert!(std::fs::read_to_string(folder.path("out/STATE")).expect("STATE").contains("CONSTRAINTS: "));
    // It stays consumed.
    done(&folder, "sf-run -q m.h5 -c -o out --steps 3");
    assert_eq!(state(&folder, "out", "/t"), 0.003);
}

/// A deck goes on after the RUN that STOP ended; further RUNs make no step.
#[test]
fn a_deck_goes_on_after_stop() {
    let folder = Scratch::new();
    let rest = "
print(round(solfec.time, 9))
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-6, 100), 0.3)
print(round(solfec.time, 9))
";
    folder.write("ball.py", &format!("{BALL}{rest}"));
    done(&folder, "mkdir -p out/ball; touch out/ball/STOP");
    let output = shell(&folder, "sf-run -q ball.py");
    assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let times: Vec<&str> = told.lines().collect();
    assert_eq!(times.len(), 2);
    assert_eq!(times[0], times[1], "the second RUN made steps");
    assert!(times[0].parse::<f64>().expect("a time") < 0.01);
}

/// `--max-wall` ends with a checkpoint and code 5, and no code of the deck is run any more.
#[test]
fn a_time_limit() {
    let folder = Scratch::new();
    folder.write("long.py", &format!("{LONG}\nprint('after')\n"));
    let output = shell(&folder, "sf-run -q --max-wall 0.5s long.py");
    assert_eq!(output.status.code(), Some(5));
    assert!(output.stdout.is_empty());
    assert!(std::fs::read_dir(folder.path("out/long/checkpoints")).expect("checkpoints").count() > 0);
    fails(&folder, "sf-run --max-wall tomorrow long.py", 2);
}

/// A callback that says 0 ends its RUN, which `--strict-stop` counts.
#[test]
fn strict_stop() {
    let folder = Scratch::new();
    folder.write("ball.py", &BALL.replace("RUN(", "CALLBACK(solfec, 0.01, (), lambda: 0)\nRUN("));
    done(&folder, "sf-run -q ball.py");
    fails(&folder, "sf-run -q -w --strict-stop ball.py", 5);
}

/// What is reported during a run: state.json, the trace, percentages, JSON lines.
#[test]
fn progress_is_told() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py -o m.h5; sf-run -q m.h5 -o out --trace-steps steps.csv -i 0");
    assert_eq!(state_text(&folder, "out", "/status"), "done");
    assert_eq!(state(&folder, "out", "/percent"), 100.0);
    assert_eq!(state(&folder, "out", "/frames"), 31.0);
    assert_eq!(state(&folder, "out", "/counts/bodies/sum"), 2.0);
    let parts: f64 = ["TIMINT", "CONDET", "LOCDYN", "CONSOL"]
        .iter()
        .map(|n| state(&folder, "out", &format!("/phase_percent/{n}")))
        .sum();
    assert!((parts - 100.0).abs() < 1e-6, "{parts}");
    let trace = Table::parse(&std::fs::read_to_string(folder.path("steps.csv")).expect("the trace"));
    assert_eq!(trace.rows.len(), 300);
    assert_eq!(trace.column("step")[299], 300.0);
    // The percentage of the original, and silence.
    folder.write("percent.py", &BALL.replace("RUN(", "solfec.verbose = '%\\n'\nRUN("));
    let told = shell(&folder, "sf-run -w percent.py").stderr;
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(told.starts_with("  0%\x08\x08\x08\x08") && told.ends_with("100%\n"), "{told:?}");
    let lines = shell(&folder, "sf-run -w --progress json m.h5 -o out").stderr;
    let lines = String::from_utf8_lossy(&lines).into_owned();
    let last: serde_json::Value = serde_json::from_str(lines.lines().last().expect("lines")).expect("JSON");
    assert_eq!(
        (last["ev"].as_str(), last["status"].as_str(), last["exit"].as_u64()),
        (Some("end"), Some("ok"), Some(0))
    );
}

/// `--set-param` reaches the solvers that have the name.
#[test]
fn parameters_of_solvers() {
    let folder = Scratch::new();
    folder.write("ball.py", BALL);
    done(&folder, "sf-build ball.py -o m.h5");
    for input in ["m.h5 -o out", "ball.py"] {
        done(&folder, &format!("sf-run -q -w --set-param maxiter=7 --set-param epsilon=1e-9 {input}"));
        assert!(fails(&folder, &format!("sf-run -q -w --set-param delta=1 {input}"), 2).contains("no solver of a RUN"));
        assert!(fails(
            &folder,
            &format!("sf-run -q -w --set-param epsilon=-1 {input}"),
            if input == "ball.py" { 3 } else { 2 }
        )
        .contains("GAUSS_SEIDEL_SOLVER"));
    }
}
