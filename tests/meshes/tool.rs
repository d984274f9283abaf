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
    // The faces that meet are inside.
    assert_eq!(
        joined["parts"][0]["surfaces"].as_array().unwrap().iter().map(|s| s["area"].as_f64().unwrap()).sum::<f64>(),
        10.0
    );
    assert_eq!(shell(&folder, "sf-mesh merge a.h5 b.vtu --weld 1e-9 | sf-mesh check").status.code(), Some(0));
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
    // What lies in the middle of a mesh, in an element that is not on the boundary.
    let inside = format!(
        "sf-mesh hex --box 0 0 0 3 3 3 -n 3 3 3 -o big.h5 && {CUBE} | sf-mesh scale .2 .2 .2 | \\
         sf-mesh translate 1.4 1.4 1.4 -o small.h5 && sf-mesh overlap small.h5 --obstacles big.h5 -o a.h5 && \\
         sf-mesh overlap big.h5 --obstacles small.h5 -o b.h5"
    );
    told(&folder, &inside);
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

/// Four sectors of a ring have a quarter more than the ring; a body of them has the mass, the centre and the inertia of
/// the ring, also after sf-mesh and the deck have moved it. π R²-like sums of 16 chords: V = 8 sin(π/8) (R² − r²) L.
#[test]
fn pieces_have_the_mass_of_their_solid() {
    let folder = Scratch::new();
    let line = "sf-mesh pipe --length 0 0 1 --inner .6 --wall .4 -n 1 16 1 | sf-mesh extract --surface | \
         sf-mesh decompose --volume .5 --distance 1 | sf-mesh scale 1 2 1 | sf-mesh translate 5 0 0 | \
         sf-mesh rotate --axis 0 0 1 --angle 90 -o pieces.h5";
    told(&folder, line);
    folder.write(
        "deck.py",
        "s = SOLFEC('DYNAMIC', 1E-3, 'out/a')\nm = BULK_MATERIAL(s, density=2)\nc = CONVEX_FILE('pieces.h5')\n\
         SCALE(c, (1, 1, 3))\nTRANSLATE(c, (0, -5, 0))\nd = ROTATE(COPY(c), (0, 0, 0), (0, 0, 1), 90)\n\
         b, e = BODY(s, 'RIGID', c, m), BODY(s, 'RIGID', d, m)\n\
         print(b.mass, *b.center, *b.tensor[::4], e.mass, *e.center, *e.tensor[::4])\n",
    );
    let text =
        told(&folder, &format!("SF_PYTHON={} sf-run -q deck.py", tools_testing::python::interpreter().display()));
    let found: Vec<f64> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let chords = 8.0 * (std::f64::consts::PI / 8.0).sin();
    // Of the ring of height 1: area, second moments about the axis in its plane; then stretched along y, turned, and z
    // by 3.
    let (area, ring) =
        (chords * 0.64, chords * (1.0 - 0.6_f64.powi(4)) * (2.0 + (std::f64::consts::PI / 8.0).cos()) / 12.0);
    let (mass, xx, yy, zz) = (12.0 * area, 12.0 * 4.0 * ring, 12.0 * ring, 12.0 * area * 9.0 / 12.0);
    let wanted = [mass, 0.0, 0.0, 1.5, yy + zz, xx + zz, xx + yy, mass, 0.0, 0.0, 1.5, xx + zz, yy + zz, xx + yy];
    for (a, b) in found.iter().zip(wanted) {
        assert!((a - b).abs() < 1e-9 * mass, "{found:?} {wanted:?}");
    }
    assert_eq!(found.len(), 14);
    let lost = shell(&folder, "sf-mesh convert pieces.h5 -o pieces.stl");
    assert!(stderr(&lost).contains("the mass of the solid that the parts stand for is left out"), "{}", stderr(&lost));
}

/// A ball and a cube fall freely: places in a frame are those of the start less g t (t + h) / 2, volumes those of the
/// shapes.
#[test]
fn bodies_of_models_and_results_are_meshes() {
    let folder = Scratch::new();
    folder.write(
        "deck.py",
        "s = SOLFEC('DYNAMIC', 1E-3, 'out')\nm = BULK_MATERIAL(s)\nGRAVITY(s, (0, 0, -10))\n\
         n = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]\n\
         BODY(s, 'RIGID', HEX(n, 1, 1, 1, 3, [1]*6), m, label='CUBE')\nBODY(s, 'RIGID', SPHERE((5, 0, 0), .5, 1, 2), m)\n\
         BODY(s, 'OBSTACLE', HULL([9,0,0, 10,0,0, 9,1,0, 9,0,1], 1, 1), m)\nOUTPUT(s, .1)\n\
         RUN(s, GAUSS_SEIDEL_SOLVER(1E-6, 100), .4)\n",
    );
    let python = tools_testing::python::interpreter();
    told(
        &folder,
        &format!("SF_PYTHON={} sf-build -q deck.py -o m.sfm.h5 && sf-run -q m.sfm.h5 -o out", python.display()),
    );
    let height = |from: &str, part: usize| {
        let json = info(&folder, &format!("sf-mesh convert {from} |"));
        let names: Vec<&str> = json["parts"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["CUBE", "BODY-2", "BODY-3"]);
        close(&json["parts"][1]["volume"], std::f64::consts::PI / 6.0);
        close(&json["parts"][2]["volume"], 1.0 / 6.0);
        json["parts"][part]["center"][2].as_f64().unwrap()
    };
    for (from, time) in [("m.sfm.h5", 0.0), ("out --time 0.21", 0.2), ("out", 0.4)] {
        for (part, start) in [(0, 0.5), (1, 0.0)] {
            let wanted = start - 5.0 * time * time;
            assert!((height(from, part) - wanted).abs() < 5.1e-3 * time + 1e-12, "{from} {}", height(from, part));
        }
        assert!((height(from, 2) - 0.25).abs() < 1e-12);
    }
    told(&folder, "sf-mesh view out --by part --size 300 200 -o bodies.png");
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
    assert_eq!(code("sf-mesh view a.h5 -o a.jpg"), 2);
}

/// The volume of a part, by its name.
fn volume(json: &Value, name: &str) -> f64 {
    let part = json["parts"].as_array().unwrap().iter().find(|part| part["name"] == name);
    part.unwrap_or_else(|| panic!("no part {name}: {json}"))["volume"].as_f64().unwrap()
}

/// A slanted plane takes from the unit cube the tetrahedron x + y + z ≤ 1/2 of volume 1/48, which is cut out of
/// elements; a plane between elements cuts none.
#[test]
fn a_cut_has_the_volumes_of_its_closed_form() {
    let folder = Scratch::new();
    let json = info(&folder, &format!("{CUBE} | sf-mesh split --plane .5 0 0 1 1 1 --surfids 8 9 |"));
    let (below, above) = (volume(&json, "BELOW"), volume(&json, "ABOVE"));
    assert!((below - 1.0 / 48.0).abs() < 1e-14 && (above - 47.0 / 48.0).abs() < 1e-13, "{below} {above}");
    let area = |part: usize, id: i32| {
        let surfaces = json["parts"][part]["surfaces"].as_array().unwrap();
        surfaces.iter().find(|s| s["surfid"] == id).unwrap()["area"].as_f64().unwrap()
    };
    let cut = 3.0_f64.sqrt() / 8.0;
    assert!((area(0, 8) - cut).abs() < 1e-14 && (area(1, 9) - cut).abs() < 1e-14);
    let json = info(&folder, &format!("{CUBE} | sf-mesh split --plane 0 0 .5 0 0 1 --no-remesh |"));
    assert!((volume(&json, "BELOW") - 0.5).abs() < 1e-15 && json["elements"] == 8, "{json}");
    assert_eq!(json["parts"][0]["kinds"], serde_json::json!({"hexahedron": 4}));
    let refused = shell(&folder, &format!("{CUBE} | sf-mesh split --plane 0 0 .4 0 0 1 --no-remesh"));
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
}

/// Along the faces of a plane a block falls in two; along part of them it stays one, with doubled nodes behind the
/// front.
#[test]
fn a_mesh_is_opened_along_faces() {
    let folder = Scratch::new();
    told(&folder, &format!("{CUBE} -o a.h5 && sf-mesh faces-on-plane --plane 0 0 .5 0 0 1 a.h5 > faces.txt"));
    let json = info(&folder, "sf-mesh split a.h5 --faces faces.txt --surfids 8 9 |");
    let half = |name: &str| (volume(&json, name) - 0.5).abs() < 1e-15;
    assert!(half("PIECE-1") && half("PIECE-2") && json["nodes"] == 36, "{json}");
    let json = info(&folder, "head -1 faces.txt > one.txt; sf-mesh split a.h5 --faces one.txt |");
    // Of its four nodes only the one on the edge of the block is doubled; elements still meet around the others.
    assert!((volume(&json, "PIECE") - 1.0).abs() < 1e-15 && json["nodes"] == 28, "{json}");
    for (text, expected) in [
        ("0 1\n", "faces.txt:1: 2 nodes; a face has 3 or 4 different ones"),
        ("\n# 1\n0 1 99\n", "faces.txt:3: '99' is no node; there are 0 to 26"),
        ("0 1 4 3\n", "none of the faces in faces.txt lies between two elements"),
    ] {
        folder.write("faces.txt", text);
        let output = shell(&folder, "sf-mesh split a.h5 --faces faces.txt");
        assert!(output.status.code() == Some(3) && stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let usage = |line: &str| shell(&folder, line).status.code();
    assert_eq!(
        (usage("sf-mesh split a.h5"), usage("sf-mesh split a.h5 --faces f --plane 0 0 0 0 0 1")),
        (Some(2), Some(2))
    );
}

/// A mesh with named sets of elements, nodes and faces, one of each.
const NAMED: &str =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,0,0,2\n10,1,0,2\n\
                     11,1,1,2\n12,0,1,2\n*ELEMENT, TYPE=C3D8\n1,1,2,3,4,5,6,7,8\n2,5,6,7,8,9,10,11,12\n\
                     *ELSET, ELSET=upper\n2\n*NSET, NSET=rim\n5,6,9\n*SURFACE, NAME=front, TYPE=ELEMENT\n1,S3\n2,S3\n";

/// Sets follow their elements, nodes and faces when a mesh is opened: the two nodes on both sides of the opening are in
/// the set on both sides. Verbs that make other elements tell what they leave out.
#[test]
fn named_sets_are_kept_or_told_of() {
    let folder = Scratch::new();
    folder.write("a.inp", NAMED);
    folder.write("faces.txt", "4 5 6 7\n");
    told(&folder, "sf-mesh split a.inp --faces faces.txt -o b.h5");
    let sets = |json: &Value, part: usize| {
        let list = json["parts"][part]["sets"].as_array().unwrap();
        list.iter().map(|set| format!("{} {}", set["name"].as_str().unwrap(), set["count"])).collect::<Vec<String>>()
    };
    let json = info(&folder, "cat b.h5 |");
    assert_eq!(sets(&json, 0), ["rim 2", "front 1"], "{json}");
    assert_eq!(sets(&json, 1), ["upper 1", "rim 3", "front 1"], "{json}");
    // A face inside that is opened is in both pieces.
    folder.write("inner.inp", &format!("{NAMED}*SURFACE, NAME=inner, TYPE=ELEMENT\n1,S2\n"));
    let output = shell(&folder, "sf-mesh split inner.inp --faces faces.txt -o e.h5");
    assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));
    let json = info(&folder, "cat e.h5 |");
    assert_eq!(sets(&json, 1), ["upper 1", "rim 3", "front 1", "inner 1"], "{json}");
    for verb in ["split --plane 0 0 .5 0 0 1", "extract --surface", "convex"] {
        let output = shell(&folder, &format!("sf-mesh {verb} a.inp -o c.h5 -f"));
        let text = stderr(&output);
        assert!(
            output.status.success() && text.contains("named sets are left out: front, rim, upper"),
            "{verb}: {text}"
        );
    }
    // A face without elements in no set comes through in silence.
    assert_eq!(stderr(&shell(&folder, "sf-mesh extract --volid 0 a.inp -o d.h5")), "");
}

/// The mesh of an ellipsoid lies inside of it, and comes to its volume 4/3 π abc as the error bound is lowered, from
/// whose size the difference follows: with a sagitta s everywhere it is at most area times s.
#[test]
fn an_ellipsoid_comes_to_its_volume() {
    let folder = Scratch::new();
    let exact = 4.0 / 3.0 * std::f64::consts::PI * 1.0 * 2.0 * 3.0;
    // Area of the ellipsoid of half axes 1, 2, 3.
    let area = 48.882;
    let mut last = f64::INFINITY;
    for error in [0.2, 0.05, 0.0125] {
        let json = info(&folder, &format!("sf-mesh ellip --center 1 2 3 --radii 1 2 3 --error {error} |"));
        let less = exact - json["volume"].as_f64().unwrap();
        assert!(less > 0.0 && less < area * error && less < 0.6 * last, "{error}: {less}");
        last = less;
        for (i, x) in [1.0, 2.0, 3.0].into_iter().enumerate() {
            assert!((json["center"][i].as_f64().unwrap() - x).abs() < 0.1 * error);
        }
    }
    assert_eq!(shell(&folder, "sf-mesh ellip --radii 1 1 0 --error .1").status.code(), Some(3));
}

/// A turned box 1 × 2 × 3 is enclosed by a block along its axes that is hardly larger; a surface does as well as a
/// mesh.
#[test]
fn a_block_encloses_a_turned_box() {
    let folder = Scratch::new();
    told(&folder, "sf-mesh hex --box 0 0 0 1 2 3 -n 1 2 2 | sf-mesh rotate --axis 1 2 .5 --angle 33 -o box.h5");
    for from in ["sf-mesh convert box.h5", "sf-mesh extract box.h5 --surface | sf-mesh hull"] {
        let json = info(&folder, &format!("{from} | sf-mesh rough-hex -n 2 3 4 --dx 1,3 |"));
        let volume = json["volume"].as_f64().unwrap();
        assert!((6.0..=6.0 * (1.0 + 1e-4)).contains(&volume), "{volume}");
        assert_eq!((&json["elements"], &json["parts"][0]["volumes"][0]["volid"]), (&24.into(), &i32::MAX.into()));
    }
}

/// The convex parts of a pipe of eight chords have its volume, touch no other part of their body, and are what
/// MESH2CONVEX makes.
#[test]
fn elements_become_convex_surfaces() {
    let folder = Scratch::new();
    told(
        &folder,
        "sf-mesh pipe --length 0 0 2 --inner .5 --wall 1 -n 1 8 1 -o pipe.h5 && sf-mesh convex pipe.h5 -o parts.h5",
    );
    let json = info(&folder, "cat parts.h5 |");
    close(&json["volume"], 4.0 * 0.5_f64.sqrt() * 2.0 * 2.0);
    assert_eq!(json["parts"].as_array().unwrap().len(), 8);
    folder.write(
        "deck.py",
        "s = SOLFEC('DYNAMIC', 1E-3, 'out/a')\nm = BULK_MATERIAL(s)\n\
         for shape in (CONVEX_FILE('parts.h5'), MESH2CONVEX(MESH_FILE('pipe.h5'))):\n  BODY(s, 'RIGID', shape, m)\n\
         a, b = s.bodies\nprint(abs(a.mass - b.mass) < 1e-9 * a.mass)\nRUN(s, GAUSS_SEIDEL_SOLVER(1E-6, 100), 1E-3)\n\
         print(set(tuple(sorted(c.spair)) for c in s.constraints))\n",
    );
    let text =
        told(&folder, &format!("SF_PYTHON={} sf-run -q deck.py", tools_testing::python::interpreter().display()));
    assert!(text.starts_with("True\n{(") && !text.contains("-2147483647"), "{text}");
}

/// Tetrahedra fill a box and a closed surface exactly, keep ids, and their volumes are under the bound.
#[test]
fn surfaces_are_filled_with_tetrahedra() {
    let folder = Scratch::new();
    let json =
        info(&folder, "sf-mesh hex --box 0 0 0 1 2 3 -n 1 1 1 --volid 5 | sf-mesh tet --volume .1 --quality 1.8 |");
    close(&json["volume"], 6.0);
    let part = &json["parts"][0];
    assert!(part["volumes"][0]["volid"] == 5 && json["elements"].as_u64().unwrap() >= 60, "{part}");
    for (id, area) in [(1, 2.0), (2, 6.0), (3, 3.0), (4, 6.0), (5, 3.0), (6, 2.0)] {
        let found = part["surfaces"].as_array().unwrap().iter().find(|s| s["surfid"] == id).unwrap();
        close(&found["area"], area);
    }
    told(&folder, "sf-mesh pipe --length 0 0 2 --inner .5 --wall 1 -n 1 8 1 | sf-mesh extract --surface -o pipe.stl");
    let json = info(&folder, "sf-mesh tet pipe.stl --volid 7 |");
    assert!((json["volume"].as_f64().unwrap() - 11.313_708_499).abs() < 1e-5);
    assert_eq!(json["parts"][0]["volumes"][0]["volid"], 7);
    assert_eq!(told(&folder, "sf-mesh tet pipe.stl | sf-mesh check && echo ok"), "ok\n");
    let open = format!("{CUBE} | sf-mesh extract --surface --surfid 6 | sf-mesh tet");
    let output = shell(&folder, &open);
    assert!(output.status.code() == Some(3) && stderr(&output).contains("not sound"), "{}", stderr(&output));
    assert_eq!(shell(&folder, "sf-mesh tet pipe.stl --quality 1").status.code(), Some(2));
}

/// A block of 5 × 5 × 5 cubes with a cavity of 3 × 3 × 3, in which a cube stands; two cavities that share an edge.
#[test]
fn cavities_stay_empty() {
    let folder = Scratch::new();
    let hollow = "sf-mesh hex --box 0 0 0 5 5 5 -n 5 5 5 --volid 1 | sf-mesh set --volid 2 --box 1 1 1 4 4 4 | \
                  sf-mesh set --volid 1 --box 2 2 2 3 3 3 | sf-mesh extract --volid 1 -o hollow.h5";
    told(&folder, hollow);
    for file in ["hollow.poly", "hollow.smesh", "hollow.stl"] {
        told(&folder, &format!("sf-mesh convert hollow.h5 -o {file}"));
        let read: Value = serde_json::from_str(&told(&folder, &format!("sf-mesh info --json {file}"))).unwrap();
        close(&read["volume"], 99.0);
        let filled = info(&folder, &format!("sf-mesh tet {file} |"));
        assert!((filled["volume"].as_f64().unwrap() - 99.0).abs() < 1e-5, "{file}: {filled}");
    }
    close(&info(&folder, "sf-mesh tet hollow.h5 |")["volume"], 99.0);
    let beside = "sf-mesh hex --box 0 0 0 5 5 5 -n 5 5 5 --volid 1 | sf-mesh set --volid 2 --box 1 1 1 2 2 2 | \
                  sf-mesh set --volid 2 --box 2 2 1 3 3 2 | sf-mesh extract --volid 1 | sf-mesh tet |";
    close(&info(&folder, beside)["volume"], 123.0);
}

/// Gauss points of the unit cube.
#[test]
fn integration_points_are_listed() {
    let folder = Scratch::new();
    told(&folder, "sf-mesh hex --box 0 0 0 1 1 1 -n 1 1 1 -o a.h5");
    let text = told(&folder, "sf-mesh integration-points a.h5");
    let first: Vec<f64> = text.lines().next().unwrap().split(' ').map(|x| x.parse().unwrap()).collect();
    assert!(text.lines().count() == 8 && first.iter().all(|x| (x - 0.211_324_865_405_187).abs() < 1e-15), "{text}");
    assert_eq!(told(&folder, "sf-mesh integration-points a.h5 --surface").lines().count(), 24);
    let bottom = told(&folder, "sf-mesh integration-points a.h5 --surface --surfid 1");
    assert!(bottom.lines().count() == 4 && bottom.lines().all(|line| line.ends_with(" 0.0")), "{bottom}");
    assert_eq!(told(&folder, "sf-mesh integration-points a.h5 --volid 3"), "");
}
