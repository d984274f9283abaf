//! sf-history on results whose every value is known.

mod cost;
mod decks;
mod files;
mod follow;
mod forms;
mod items;
mod mechanics;

use tools_testing::process::*;
use tools_testing::scratch::Scratch;
use tools_testing::synthetic::*;

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

/// Frames that are not shown count with the row after them.
#[test]
fn skipped_frames_are_summed() {
    let c = sampled(&["NEWBODS", "TIMINT", "--every", "3"]);
    assert_eq!(c["time"], [0.0, 3.0 * INTERVAL]);
    assert_eq!(c["NEWBODS"], [0.0, 1.0]);
    close(&c["TIMINT"], &[0.0, 0.03]);
    let c = sampled(&["NEWBODS", "TIMINT", "--time", "0.3:0.4"]);
    assert_eq!(c["NEWBODS"], [0.0, 0.0]);
    close(&c["TIMINT"], &[0.01, 0.01]);
}

#[test]
fn wrong_items_read_well() {
    for (item, says) in [
        ("GAP@BOX[pair=1,2]", "options stand before '@'; write GAP[pair=1,2]@BODIES"),
        ("sum()", "sum(): sum of what?"),
        ("R[dir=1e300,0,0]@BOX", "direction (1e300, 0, 0) has no length"),
    ] {
        let (_scratch, output) = history(&[item]);
        assert_eq!(output.status.code(), Some(2), "{item}");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
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
    let (_scratch, output) = history(&[" tip =DZ@BALL(3,0,2)", "--json", "--precision", "1", "--time", "0.3"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["columns"][1]["name"], "tip");
    assert_eq!(json["stats"]["tip"]["last"], json["data"][0][1], "statistics are rounded as the data are");
    let (_s, output) = history(&["tip=DZ@BALL(3,0,2)", "--stats-only"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json["stats"]["tip"]["max"] == 0.0 && json["data"].is_null(), "{json}");
    let (_s, output) = history(&["KINETIC", "--stats-only", "--format", "csv"]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("statistics are JSON"), "{}", stderr(&output));
}

#[test]
fn list_names_bodies_and_items() {
    let (_scratch, output) = history(&["--list"]);
    let text = stdout(&output);
    for part in ["5 frames, time 0 to 0.4 s", "id:3 RIGID label:BALL", "DX DY DZ"] {
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
    for (name, start) in [("h.svg", &b"<svg"[..]), ("h.pdf", b"%PDF"), ("h.png", b"\x89PNG")] {
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

#[test]
fn stresses_at_points() {
    let c = sampled(&["x=SX@SOFT(8,0,0)", "y=SY@SOFT", "m=MISES@SOFT", "r=MISES@BOX", "f=SXY@label:FLOOR(0,0,0)"]);
    // F = diag(1 + t, 1, 1): P = F S, σ = P Fᵀ / J.
    let (young, poisson) = (1e9, 0.25);
    let (lambda, mu) = (young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)), young / (2.0 * (1.0 + poisson)));
    for (k, t) in times().into_iter().enumerate() {
        let strain = 0.5 * ((1.0 + t) * (1.0 + t) - 1.0);
        let (xx, yy) = ((1.0 + t) * (lambda + 2.0 * mu) * strain, lambda * strain / (1.0 + t));
        for (name, value) in [("x", xx), ("y", yy), ("m", (xx - yy).abs())] {
            assert!((c[name][k] - value).abs() <= 1e-12 * xx.abs(), "{name} {k}: {} {value}", c[name][k]);
        }
    }
    assert_eq!((&c["r"], &c["f"]), (&vec![0.0; FRAMES], &vec![0.0; FRAMES]), "rigid bodies have no stress");
}

/// Contacts of the box (master) on the floor: R = (1, 2, 3 + i), U = (0.1, 0.2, 0), t1 = −y, t2 = −x, n = z.
#[test]
fn sums_over_contacts() {
    let c = sampled(&[
        "GAP",
        "R",
        "CR@BOX",
        "RX",
        "RY@all",
        "RZ@FLOOR",
        "R[dir=0,0,-2]",
        "R[pair=3,1]",
        "R[pair=1,4]",
        "GAP[pair=1,4]",
        "R[on=bodies]@FLOOR",
        "R[on=bodies]@BOX,FLOOR",
        "U",
        "UX@BOX",
        "CUY[pair=1,3;on=bodies]@FLOOR",
        "R@BALL",
        "GAP@BALL",
        "a=sum(RX,abs(RY),R)",
        "d=diff(CONS)",
        "c=cumsum(ITERS)",
        "NEWCONS",
        "GSRUN",
        "BSITERS",
        "GSCOLORS",
    ]);
    let n = [0, 1, 2, 0, 4].map(|n| n as f64);
    let none = |value: &dyn Fn(f64) -> f64| n.map(|n| if n == 0.0 { f64::NAN } else { value(n) });
    let normal = n.map(|n| 3.0 * n + n * (n - 1.0) / 2.0);
    let nan = [f64::NAN; FRAMES];
    close(&c["GAP"], &none(&|n| -1e-5 * n));
    for name in ["R", "CR@BOX", "RZ@FLOOR", "R[pair=3,1]"] {
        close(&c[name], &normal);
    }
    close(&c["RX"], &n.map(|n| -2.0 * n));
    close(&c["RY@all"], &n.map(|n| -n));
    close(&c["R[dir=0,0,-2]"], &normal.map(|r| -r));
    close(&c["R[on=bodies]@FLOOR"], &normal.map(|r| -r));
    for name in ["R[pair=1,4]", "R[on=bodies]@BOX,FLOOR", "R@BALL", "GSRUN"] {
        close(&c[name], &[0.0; FRAMES]);
    }
    for name in ["GAP[pair=1,4]", "GAP@BALL", "NEWCONS", "BSITERS", "GSCOLORS"] {
        close(&c[name], &nan);
    }
    close(&c["U"], &none(&|_| 0.0));
    close(&c["UX@BOX"], &none(&|_| -0.2));
    close(&c["CUY[pair=1,3;on=bodies]@FLOOR"], &none(&|_| 0.1));
    close(&c["a"], &std::array::from_fn::<f64, FRAMES, _>(|k| normal[k] - n[k]));
    close(&c["d"], &[f64::NAN, 1.0, 1.0, -2.0, 4.0]);
    close(&c["c"], &[f64::NAN, 11.0, 23.0, 36.0, 50.0]);
}

#[test]
fn mass_centres_and_clocks() {
    let c = sampled(&["CX@BOX", "VX@label:SOFT", "CZ@id:3", "WALL"]);
    close(&c["CX@BOX"], &[0.5; FRAMES]);
    close(&c["VX@label:SOFT"], &[0.0; FRAMES]);
    close(&c["CZ@id:3"], &times().iter().map(|t| HEIGHT - 0.5 * GRAVITY * t * t).collect::<Vec<_>>());
    assert!(c["WALL"][0] == 0.0 && c["WALL"].windows(2).all(|w| w[0] <= w[1]));
    let steps = sampled(&["WALL", "cumsum(ITERS)", "GSITERS", "NTITERS", "--per-step", "--all-domains"]);
    assert!(steps["WALL"].windows(2).all(|w| w[0] <= w[1]));
    assert_eq!(
        (steps["cumsum(ITERS)"].last(), steps["GSITERS"][3], steps["run"][9], steps["run"][10]),
        (Some(&220.0), 4.0, 0.0, 1.0)
    );
    assert!(steps["NTITERS"].iter().all(|x| x.is_nan()));
}

#[test]
fn doubts_are_told() {
    let (_s, output) = history(&["KINETIC@label:NOBODY,BALL", "R[dir=0,0,2]"]);
    assert!(output.status.success());
    assert_eq!(stdout(&output).lines().nth(1), Some("0,0,0"));
    let told = stderr(&output);
    for part in ["sf-history: warning: 'label:NOBODY' names no body", "direction of length 2"] {
        assert!(told.contains(part), "no '{part}' in {told}");
    }
    let (_s, strict) = history(&["R[dir=0,0,2]", "--strict"]);
    assert_eq!(strict.status.code(), Some(3));
    assert!(strict.stdout.is_empty() && stderr(&strict).starts_with("sf-history: error: a direction of length 2"));
}

#[test]
fn frames_apart() {
    assert_eq!(sampled(&["BODS", "--dt", "0.2"])["time"], [0.0, 0.2, 0.4]);
    assert_eq!(sampled(&["BODS", "--dt", "0.2", "--time", "0.1:0.4"])["time"].len(), 2);
    let (_s, refused) = history(&["BODS", "--dt", "0"]);
    assert_eq!(refused.status.code(), Some(2));
}
