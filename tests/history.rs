//! sf-history on results whose every value is known.

mod synthetic;

use synthetic::*;

/// Accuracy of values that went through one rotation or a few additions.
const ROUND_OFF: f64 = 1e-13;

/// Columns of a CSV by name.
fn columns(csv: &str) -> std::collections::BTreeMap<String, Vec<f64>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let mut columns: std::collections::BTreeMap<String, Vec<f64>> =
        names.iter().map(|n| (n.clone(), Vec::new())).collect();
    for record in reader.records() {
        for (name, cell) in names.iter().zip(&record.unwrap()) {
            columns.get_mut(name).unwrap().push(cell.parse().unwrap());
        }
    }
    columns
}

fn history(args: &[&str]) -> (Scratch, std::process::Output) {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    let mut all = vec![results.to_str().unwrap()];
    all.extend(args);
    let output = tool("sf-history", &all);
    (scratch, output)
}

fn sampled(args: &[&str]) -> std::collections::BTreeMap<String, Vec<f64>> {
    let (_scratch, output) = history(args);
    assert!(output.status.success(), "{}", stderr(&output));
    columns(&stdout(&output))
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < ROUND_OFF || x.is_nan() && y.is_nan(), "{a:?} {b:?}");
    }
}

fn times() -> Vec<f64> {
    (0..FRAMES).map(|k| k as f64 * INTERVAL).collect()
}

#[test]
fn a_falling_ball() {
    let c = sampled(&["z=CZ@label:BALL(3,0,2)", "DZ@id:3(3,0,2)", "VZ@BALL(3.5,0,2)", "KINETIC@BALL"]);
    let t = times();
    assert_eq!(c["time"], t, "times are exact");
    let fall: Vec<f64> = t.iter().map(|t| -0.5 * GRAVITY * t * t).collect();
    close(&c["z"], &fall.iter().map(|d| HEIGHT + d).collect::<Vec<_>>());
    close(&c["DZ@id:3(3,0,2)"], &fall);
    close(&c["VZ@BALL(3.5,0,2)"], &t.iter().map(|t| -GRAVITY * t).collect::<Vec<_>>());
    close(&c["KINETIC@BALL"], &t.iter().map(|t| 2.0 * t).collect::<Vec<_>>());
}

#[test]
fn points_of_turning_and_stretching_bodies() {
    let c = sampled(&["x=CX@BOX(1.5,0.5,0)", "v=VY@BOX(1.5,0.5,0)", "s=DX@SOFT(8,0,0)", "sv=VX@SOFT(8,0,0)"]);
    let t = times();
    close(&c["x"], &t.iter().map(|t| 0.5 + t.cos()).collect::<Vec<_>>());
    close(&c["v"], &t.iter().map(|t| t.cos()).collect::<Vec<_>>());
    close(&c["s"], &t.iter().map(|t| 2.0 * t).collect::<Vec<_>>());
    close(&c["sv"], &[2.0; FRAMES]);
}

#[test]
fn energies_are_sums() {
    let c = sampled(&["KINETIC", "INTERNAL", "EXTERNAL@kind:RIGID", "CONTACT@id:2-3", "DISSIPATED", "FRICTION@B*"]);
    let t = times();
    let late = |k: usize| if k < BIRTH { 0.0 } else { 5.0 };
    let each = |f: &dyn Fn(usize) -> f64| (0..FRAMES).map(f).collect::<Vec<_>>();
    close(&c["KINETIC"], &each(&|k| (7.0 + late(k)) * t[k]));
    close(&c["INTERNAL"], &[7.0; FRAMES]);
    close(&c["EXTERNAL@kind:RIGID"], &each(&|k| 10.0 * (7.0 + late(k))));
    close(&c["CONTACT@id:2-3"], &[-3.0; FRAMES]);
    close(&c["DISSIPATED"], &[0.25; FRAMES]);
    close(&c["FRICTION@B*"], &[1.5; FRAMES]);
}

#[test]
fn counts_and_statistics() {
    let c = sampled(&["BODS", "CONS", "NEWBODS", "DELBODS", "STEP", "ITERS", "MERIT", "TIMINT", "LOCDYN"]);
    assert_eq!(c["BODS"], [5.0, 5.0, 6.0, 6.0, 6.0]);
    assert_eq!(c["CONS"], [0.0, 1.0, 2.0, 0.0, 4.0]);
    assert_eq!(c["NEWBODS"], [0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(c["DELBODS"], [0.0; FRAMES]);
    assert_eq!(c["STEP"], [STEP; FRAMES]);
    close(&c["ITERS"], &[f64::NAN, 11.0, 12.0, 13.0, 14.0]);
    close(&c["MERIT"], &[f64::NAN, 1e-6, 1e-6, 1e-6, 1e-6]);
    close(&c["TIMINT"], &[0.0, 0.01, 0.01, 0.01, 0.01]);
    assert_eq!(c["LOCDYN"], [0.0; FRAMES], "a timer that was never used shows 0");
}

#[test]
fn the_step_log() {
    let c = sampled(&["STEP", "ITERS", "CONS", "TIMINT", "--per-step", "--time", "0.11:0.2"]);
    assert_eq!(c["time"].len(), 10);
    assert_eq!(c["ITERS"], (1..=10).map(f64::from).collect::<Vec<_>>());
    assert_eq!(c["CONS"], [2.0; 10]);
    close(&c["TIMINT"], &[0.001; 10]);
    let (_s, refused) = history(&["KINETIC", "--per-step"]);
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn frames_are_selected() {
    assert_eq!(sampled(&["BODS", "--time", "0.1:0.3"])["time"].len(), 3);
    assert_eq!(sampled(&["BODS", "--time", "last"])["time"], [4.0 * INTERVAL]);
    assert_eq!(sampled(&["BODS", "--every", "2"])["time"].len(), 3);
    assert_eq!(sampled(&["BODS", "--time", "0.14"])["time"], [INTERVAL]);
    let c = sampled(&["BODS", "--all-domains"]);
    assert_eq!(c["domain"], [0.0; FRAMES]);
    assert_eq!(c["run"], [0.0, 0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn json_has_units_statistics_and_data() {
    let (_scratch, output) = history(&["tip=DZ@BALL(3,0,2)", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["schema"], "sf-history/1");
    assert_eq!(json["columns"][1], serde_json::json!({"name": "tip", "unit": "m"}));
    assert_eq!(json["rows"], FRAMES);
    assert_eq!(json["stats"]["tip"]["t_min"], 4.0 * INTERVAL);
    assert_eq!(json["stats"]["tip"]["max"], 0.0);
    assert_eq!(json["data"].as_array().unwrap().len(), FRAMES);
}

#[test]
fn list_names_bodies_and_items() {
    let (_scratch, output) = history(&["--list"]);
    let text = stdout(&output);
    for part in ["5 frames, time 0 to 0.4 s", "id:3 Rigid label:BALL", "DX DY DZ"] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    let (_scratch, output) = history(&["--list", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["domains"][0]["bodies"][5]["label"], "LATE");
}

#[test]
fn plots_are_written() {
    let scratch = Scratch::new();
    let results = scratch.path("synthetic");
    write_results(&results);
    for (name, start) in [("h.svg", &b"<svg"[..]), ("h.png", b"\x89PNG")] {
        let file = scratch.path(name);
        let output =
            tool("sf-history", &[results.to_str().unwrap(), "KINETIC", "CONS", "--plot", file.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(std::fs::read(&file).unwrap().starts_with(start));
        assert!(stdout(&output).starts_with("time,KINETIC,CONS\n"));
    }
    let refused = tool("sf-history", &[results.to_str().unwrap(), "CONS", "--plot", "x.gif"]);
    assert_eq!(refused.status.code(), Some(2));
}

mod commands {
    use super::*;

    /// The part of ACC-4 that concerns histories: single-frame results have one sample.
    #[test]
    fn acc_4_single_frame() {
        let scratch = Scratch::new();
        let dir = scratch.path("single");
        let model = model();
        let file = solfec_formats::model::ModelFile { domains: vec![model.clone()], ..Default::default() };
        let mut writer = solfec_formats::results::Writer::create(&dir, &file, Default::default()).unwrap();
        writer.append(0, frame(&model, 0)).unwrap();
        writer.flush().unwrap();
        drop(writer);
        let output = tool("sf-history", &[dir.to_str().unwrap(), "KINETIC", "--time", "3:4"]);
        assert_eq!(stdout(&output), "time,KINETIC\n0,0\n");
    }

    /// ACC-6, histories: NaN before birth, values after it, births counted.
    #[test]
    fn acc_6_late_bodies() {
        let c = sampled(&["x=CX@label:LATE(-5.5,0.5,0.5)", "NEWBODS"]);
        close(&c["x"], &[f64::NAN, f64::NAN, -5.5, -5.5, -5.5]);
        assert_eq!(c["NEWBODS"].iter().sum::<f64>(), 1.0);
    }

    /// ACC-8, what histories of this scope can miss: an iteration count that no solver has.
    #[test]
    fn acc_8_missing_statistics() {
        let c = sampled(&["NTITERS", "GSITERS"]);
        assert!(c["NTITERS"].iter().all(|x| x.is_nan()));
        assert!(c["GSITERS"][1..].iter().all(|x| x.is_finite()));
    }
}
