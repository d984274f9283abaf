//! The verbs of sf-mesh, as users type them.

use std::process::{Output, Stdio};

use serde_json::Value;
use tools_testing::process::*;
use tools_testing::scratch::Scratch;

/// Runs a line of the shell in a folder with the tools on its path.
fn shell(folder: &Scratch, line: &str) -> Output {
    let path = format!("{}:{}", bin().display(), std::env::var("PATH").unwrap_or_default());
    let mut command = std::process::Command::new("bash");
    command.args(["-o", "pipefail", "-c", line]).current_dir(folder.path("")).env("PATH", path).stdin(Stdio::null());
    output(&mut command)
}

fn told(folder: &Scratch, line: &str) -> String {
    let output = shell(folder, line);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    stdout(&output)
}

fn info(folder: &Scratch, line: &str) -> Value {
    serde_json::from_str(&told(folder, &format!("{line} sf-mesh info --json"))).unwrap()
}

fn close(found: &Value, wanted: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - wanted).abs() < 1e-11 * wanted.abs().max(1.0), "{found} {wanted}");
}

const CUBE: &str = "sf-mesh hex --box 0 0 0 1 1 1 -n 2 2 2";

#[test]
fn verbs_chain_by_pipes() {
    let folder = Scratch::new();
    let json =
        info(&folder, &format!("{CUBE} | sf-mesh scale 2 3 4 | sf-mesh translate 1 0 -1 | sf-mesh set --volid 7 |"));
    close(&json["volume"], 24.0);
    close(&json["center"][0], 2.0);
    close(&json["center"][2], 1.0);
    assert_eq!(json["parts"][0]["volumes"], serde_json::json!([{"volid": 7, "elements": 8}]));
    close(&json["parts"][0]["surfaces"][0]["area"], 6.0);
    let turned = info(&folder, &format!("{CUBE} | sf-mesh rotate --axis 0 0 1 --angle 90 |"));
    close(&turned["center"][0], -0.5);
    let mirrored = told(&folder, &format!("{CUBE} | sf-mesh scale -1 1 1 | sf-mesh check && echo ok"));
    assert_eq!(mirrored, "ok\n");
}

/// V = abc, Ixx = V (b² + c²) / 12; a pipe of chords: V = n/2 sin(2π/n) (R² − r²) L.
#[test]
fn volumes_and_inertia_are_those_of_closed_forms() {
    let folder = Scratch::new();
    let json = info(&folder, "sf-mesh hex --box 0 0 0 2 3 5 -n 3 2 4 |");
    close(&json["volume"], 30.0);
    for (i, wanted) in [30.0 * 34.0 / 12.0, 30.0 * 29.0 / 12.0, 30.0 * 13.0 / 12.0].into_iter().enumerate() {
        close(&json["inertia"][i][i], wanted);
    }
    let json = info(&folder, "sf-mesh pipe --length 0 0 2 --inner 0.5 --wall 0.25 -n 3 24 2 |");
    let section = 12.0 * (std::f64::consts::TAU / 24.0).sin() * (0.75_f64.powi(2) - 0.25);
    close(&json["volume"], 2.0 * section);
    close(&json["center"][2], 1.0);
    let surface =
        info(&folder, "sf-mesh pipe --length 0 0 2 --inner 0.5 --wall 0.25 -n 3 24 2 | sf-mesh extract --surface |");
    close(&surface["volume"], 2.0 * section);
    close(&surface["inertia"][2][2], json["inertia"][2][2].as_f64().unwrap());
}

#[test]
fn merged_blocks_are_welded() {
    let folder = Scratch::new();
    told(&folder, &format!("{CUBE} -o a.h5 && sf-mesh translate 1 0 0 -i a.h5 -o b.vtu"));
    let apart = info(&folder, "sf-mesh merge a.h5 b.vtu |");
    assert_eq!((apart["parts"].as_array().unwrap().len(), &apart["nodes"]), (2, &Value::from(54)));
    let joined = info(&folder, "sf-mesh merge a.h5 b.vtu --weld 1e-9 |");
    assert_eq!((joined["parts"].as_array().unwrap().len(), &joined["nodes"]), (1, &Value::from(45)));
    close(&joined["volume"], 2.0);
    assert_eq!(shell(&folder, "sf-mesh merge a.h5 b.vtu --weld 1e-9 | sf-mesh check").status.code(), Some(1));
}

#[test]
fn ids_are_set_where_they_are_wanted_and_taken_out_again() {
    let folder = Scratch::new();
    told(&folder, &format!("{CUBE} -o a.h5"));
    let json =
        info(&folder, "sf-mesh set a.h5 --surfid 9 --plane 0 0 1 0 0 2 | sf-mesh set --volid 8 --box 0 0 0 1 1 .5 |");
    let part = &json["parts"][0];
    assert_eq!(part["volumes"], serde_json::json!([{"volid": 1, "elements": 4}, {"volid": 8, "elements": 4}]));
    let nine = part["surfaces"].as_array().unwrap().iter().find(|s| s["surfid"] == 9).unwrap();
    close(&nine["area"], 1.0);
    let lower = info(&folder, "sf-mesh set a.h5 --volid 8 --box 0 0 0 1 1 .5 | sf-mesh extract --volid 8 |");
    close(&lower["volume"], 0.5);
    let top = info(&folder, "sf-mesh extract a.h5 --surface --surfid 6 |");
    assert_eq!((&top["nodes"], &top["elements"]), (&Value::from(9), &Value::from(0)));
    assert_eq!(told(&folder, "sf-mesh nodes-on-surface 6 a.h5").lines().count(), 9);
    assert_eq!(told(&folder, "sf-mesh faces-on-plane --plane 0 0 .5 0 0 1 a.h5").lines().count(), 4);
    assert_eq!(shell(&folder, "sf-mesh set a.h5 --volid 1 --box 5 5 5 6 6 6").status.code(), Some(3));
}

#[test]
fn overlapping_parts_are_chosen() {
    let folder = Scratch::new();
    let line = format!(
        "{CUBE} -o o.h5 && sf-mesh translate 0 0 .9 -i o.h5 | sf-mesh set --name NEAR -o n.h5 && \
         sf-mesh translate 0 0 2 -i o.h5 | sf-mesh set --name FAR -o f.h5 && sf-mesh merge n.h5 f.h5 -o both.h5"
    );
    told(&folder, &line);
    let name = |options: &str| {
        info(&folder, &format!("sf-mesh overlap both.h5 --obstacles o.h5 {options} |"))["parts"][0]["name"].clone()
    };
    assert_eq!((name(""), name("--not")), ("NEAR".into(), "FAR".into()));
    assert_eq!(shell(&folder, "sf-mesh overlap f.h5 --obstacles o.h5").status.code(), Some(1));
}

#[test]
fn a_hull_is_a_closed_surface_and_a_bent_bar_keeps_its_elements() {
    let folder = Scratch::new();
    let json = info(&folder, &format!("{CUBE} | sf-mesh hull |"));
    assert_eq!((&json["nodes"], json["parts"][0]["surfaces"][0]["faces"].as_u64()), (&Value::from(8), Some(6)));
    close(&json["volume"], 1.0);
    // Pappus: a quarter of a ring of section 0.1 × 0.2 between the radii 1 and 1.2, in 40 chords
    let bar = "sf-mesh hex --box 0 0 1 1.5707963267948966 .1 1.2 -n 40 1 1 | sf-mesh bend --axis 0 1 0 --angle 90";
    let json = info(&folder, &format!("{bar} |"));
    let ring = 0.1 * 0.5 * (1.2_f64.powi(2) - 1.0) * 0.5 * std::f64::consts::PI;
    let volume = json["volume"].as_f64().unwrap();
    assert!((volume / ring - 1.0).abs() < 3e-4, "{volume} {ring}");
    assert_eq!(told(&folder, &format!("{bar} | sf-mesh check && echo ok")), "ok\n");
}

#[test]
fn check_tells_faults_and_exits_with_one() {
    let folder = Scratch::new();
    folder.write(
        "bad.inp",
        "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,9,9,9\n*ELEMENT, TYPE=C3D4\n1,1,3,2,4\n2,2,1,3,4\n",
    );
    let output = shell(&folder, "sf-mesh check bad.inp");
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    for fault in ["inverted: 2 elements", "duplicate: 1 elements", "dangling: 1 nodes"] {
        assert!(text.contains(fault), "{text}");
    }
    let output = shell(&folder, "sf-mesh check --json bad.inp");
    let json: Value = serde_json::from_str(stdout(&output).lines().next().unwrap()).unwrap();
    assert_eq!((&json["sound"], &json["faults"][0]["rows"]), (&Value::from(false), &serde_json::json!([0, 1])));
    let output = shell(&folder, "sf-mesh convert --validate bad.inp -o bad.vtu");
    assert_eq!(output.status.code(), Some(3));
    assert!(!folder.path("bad.vtu").exists());
}

#[test]
fn the_command_line_has_the_manners_of_all_tools() {
    let folder = Scratch::new();
    told(&folder, &format!("{CUBE} -o a.h5"));
    let code = |line: &str| shell(&folder, line).status.code().unwrap();
    assert_eq!((code("sf-mesh --help"), code("sf-mesh info --help")), (0, 0));
    assert_eq!((code("sf-mesh"), code("sf-mesh inof a.h5"), code("sf-mesh info --bla a.h5")), (2, 2, 2));
    let output = shell(&folder, "sf-mesh info gone.vtu");
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("gone.vtu: cannot read"), "{}", stderr(&output));
    folder.write("a.py", "x = 1\n");
    assert_eq!(code("sf-mesh info a.py"), 3);
    assert_eq!(code("sf-mesh convert a.h5 -o a.h5"), 4);
    assert_eq!(code("sf-mesh convert a.h5 -o a.xyz"), 2);
    assert_eq!(code("sf-mesh convert a.h5 --format vtu > /dev/full"), 4);
    assert_eq!(code("set +o pipefail; sf-mesh convert a.h5 --format inp | head -1"), 0);
    assert_eq!(code("sf-mesh info < /dev/null"), 3);
    assert_eq!(code("sf-mesh convert a.h5 --part NO"), 3);
    assert_eq!(told(&folder, "sf-mesh convert - < a.h5 | cmp - a.h5 && echo same"), "same\n");
}

/// An angle of three boxes is cut into them exactly; a deck takes the pieces as one shape with their mass.
#[test]
fn pieces_of_a_surface_are_one_shape_of_a_deck() {
    let folder = Scratch::new();
    let angle = "sf-mesh hex --box 0 0 0 2 2 1 -n 2 2 1 | sf-mesh set --volid 9 --box 1 1 0 2 2 1 | sf-mesh extract --volid 1 | \
         sf-mesh extract --surface -o angle.stl && sf-mesh decompose angle.stl -o pieces.h5";
    let output = shell(&folder, angle);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("note: 2 pieces; volume 0.0000 % more"), "{}", stderr(&output));
    let json = info(&folder, "cat pieces.h5 |");
    close(&json["volume"], 3.0);
    folder.write(
        "deck.py",
        "s = SOLFEC('DYNAMIC', 1E-3, 'out/a')\nm = BULK_MATERIAL(s, density=2)\n\
         n = [-3,-3,-1, 3,-3,-1, 3,3,-1, -3,3,-1, -3,-3,0, 3,-3,0, 3,3,0, -3,3,0]\n\
         BODY(s, 'OBSTACLE', HEX(n, 2, 2, 1, 1, [1]*6), m)\nb = BODY(s, 'RIGID', CONVEX_FILE('pieces.h5'), m)\n\
         CONTACT_POINTS(s, 4)\nGRAVITY(s, (0, 0, -10))\nOUTPUT(s, 0.02)\n\
         RUN(s, GAUSS_SEIDEL_SOLVER(1E-6, 1000), 0.02)\n\
         print(b.mass, max(abs(x) for x in b.velo) < 1e-6, set(c.spair for c in s.constraints if c.adjbod[0] == c.adjbod[1]))\n",
    );
    let mut command = std::process::Command::new(bin().join("sf-run"));
    command.args(["-q", "deck.py"]).current_dir(folder.path("")).stdin(Stdio::null());
    command.env("SF_PYTHON", tools_testing::python::interpreter());
    let output = tools_testing::process::output(&mut command);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let mass: f64 = text.split(' ').next().unwrap().parse().unwrap();
    assert!((mass - 6.0).abs() < 1e-6, "{text}");
    assert!(text.contains("True set()"), "{text}");
}

#[test]
fn a_picture_is_a_png_of_the_size_that_was_asked_for() {
    let folder = Scratch::new();
    told(&folder, &format!("{CUBE} -o a.h5 && sf-mesh view a.h5 -o a.png --size 300 200 --orthographic"));
    let bytes = std::fs::read(folder.path("a.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes[16..24] == [0, 0, 1, 44, 0, 0, 0, 200]);
    let again = told(&folder, "sf-mesh view a.h5 -o - -j1 --size 300 200 --orthographic | cmp - a.png && echo same");
    assert_eq!(again, "same\n");
    let code = |line: &str| shell(&folder, line).status.code().unwrap();
    assert_eq!((code("sf-mesh view a.h5 -o a.png"), code("sf-mesh view a.h5 --size 1 1 -o b.png")), (4, 2));
}
