use super::*;
use solfec::load::Reading;
use solfec::math::Vec3;
use solfec::model::{LoadKind, LoadRow};

/// A rigid cube `a`, an obstacle `o`, a pseudo-rigid cube `q`, a ball `b`, and a series `t`.
fn start() -> String {
    format!(
        "{START}a = BODY(s, 'RIGID', HEX({CUBE},1,1,1,1,[1,2,3,4,5,6]), m)\no = BODY(s, 'OBSTACLE', SPHERE((0,0,-9),1,0,0), m)\n\
         q = BODY(s, 'PSEUDO_RIGID', HEX({CUBE},1,1,1,1,[1]*6), m)\nb = BODY(s, 'RIGID', SPHERE((9,0,0),1,0,0), m)\n\
         t = TIME_SERIES([0,0, 1,2], 'ramp')\n"
    )
}

fn fault(line: &str, message: &str) {
    let (code, errors) = fails(&format!("{}{line}\n", start()));
    assert_eq!((code, errors.as_str()), (3, format!("sf-build: error: deck.py:8: {message}\n").as_str()));
}

#[test]
fn become_rows_of_the_model() {
    let model = model(&format!(
        "{}GRAVITY(s, (0, 0, -10)); GRAVITY(solfec=s, vector=[t, 0, t])\nFORCE(a, 'SPATIAL', (0,0,1), (0,0,2), 5)\n\
         FORCE(body=q, kind='CONVECTED', point=(0,0,0), direction=(3,4,0), value=t)\nTORQUE(a, 'CONVECTED', (0,1,0), -1)\n\
         PRESSURE(a, 3, t); PRESSURE(a, surfid=6.0, value=2)\n",
        start()
    ));
    let p = Vec3::new;
    let row = |kind, body, line| LoadRow { kind, body, line };
    let force = |convected, point, direction, value| LoadKind::Force { convected, point, direction, value };
    let expected = [
        row(force(false, p(0., 0., 1.), p(0., 0., 1.), 3), 1, 9),
        row(force(true, p(0., 0., 0.), p(0.6, 0.8, 0.), 2), 3, 10),
        row(LoadKind::Torque { convected: true, direction: p(0., 1., 0.), value: 4 }, 1, 11),
        row(LoadKind::Pressure { surface: 3, value: 2, follower: false }, 1, 12),
        row(LoadKind::Pressure { surface: 6, value: 5, follower: false }, 1, 12),
    ];
    assert_eq!(model.loads, expected);
    let at: Vec<f64> = model.series.iter().map(|s| s.at(0.5)).collect();
    assert_eq!(at, [0.0, -10.0, 1.0, 5.0, -1.0, 2.0]);
    assert_eq!(model.settings.gravity, Some([2, 0, 2]));
    assert_eq!(model.series[2].label, "ramp");
}

#[test]
fn refuse_what_makes_no_sense() {
    let obstacle = "body: is an OBSTACLE, which takes no loads; give another body";
    fault("FORCE(o, 'SPATIAL', (0,0,0), (1,0,0), 1)", &format!("FORCE: {obstacle}"));
    fault("PRESSURE(o, 1, 1)", &format!("PRESSURE: {obstacle}"));
    fault("FORCE(a, 'SPATIAL', (0,0,0), (0,0,0), 1)", "FORCE: direction: is (0, 0, 0); give a vector that is not zero");
    fault(
        "FORCE(a, 'REFERENTIAL', (0,0,0), (1,0,0), 1)",
        "FORCE: kind: is 'REFERENTIAL'; give one of 'SPATIAL', 'CONVECTED'",
    );
    fault(
        "FORCE(a, 'SPATIAL', (0,0,0), (1,0,0), 'x')",
        "FORCE: value: is 'x'; give a number, a TIME_SERIES or a function",
    );
    fault("TORQUE(q, 'SPATIAL', (1,0,0), 1)", "TORQUE: body: is not RIGID; use FORCE for other kinds");
    fault("TORQUE(o, 'SPATIAL', (1,0,0), 1)", "TORQUE: body: is not RIGID; use FORCE for other kinds");
    fault("TORQUE(a, 'SPATIAL', (1,0,0), print)", "TORQUE: value: is a function; give a number or a TIME_SERIES");
    fault("PRESSURE(b, 1, 1)", "PRESSURE: body: is not a single MESH; pressure acts on such bodies only");
    fault("PRESSURE(a, 7, 1)", "PRESSURE: surfid: no face has the id 7; its ids are 1, 2, 3, 4, 5, 6");
    fault("GRAVITY(s, (0, 0))", "GRAVITY: vector: has 2 items; give three numbers or TIME_SERIES");
    fault("GRAVITY(s, (0, 0, None))", "GRAVITY: vector: item 2 is None; give a number or a TIME_SERIES");
    fault("GRAVITY(s, (0, 0, float('nan')))", "GRAVITY: vector: item 2 is nan; give a number or a TIME_SERIES");
}

#[test]
fn series_of_lists() {
    let out = prints(
        "for p in ([0,0, 1,1, 2,5], [[0,0], (1,1), [2,5]], ((0,0),(1,1),(2,5)), (x for x in (0,0,1,1,2,5))):\n  t = TIME_SERIES(p); print(t.times, t.values)\n\
         d = TIME_SERIES([0,1, 1,3, 2,3]).derivative; i = TIME_SERIES([0,1, 1,3, 2,3]).integral\n\
         print(d.values, i.times, i.values, TIME_SERIES(points=[0,1, 1,3], label='x', cache=100).integral.values)\n\
         print(i.derivative.values, TIME_SERIES([[0, 1], [1, 2]]).values)",
    );
    let one = "[0.0, 1.0, 2.0] [0.0, 1.0, 5.0]\n";
    let expected = format!(
        "{}[2.0, 2.0, 0.0, 0.0] [0.0, 1.0, 2.0] [0.0, 2.0, 5.0] [0.0, 2.0]\n[1.0, 3.0, 3.0] [1.0, 2.0]\n",
        one.repeat(4)
    );
    assert_eq!(out, expected);
}

#[test]
fn series_of_files() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("sub")).unwrap();
    folder.write("sub/pulse.txt", "# time value\n0 0\n\n  # more\n1.5, 2\n2\t-3e0\n");
    folder.write("sub/back.txt", "0 0\n1 1\n1 2\n");
    folder.write("sub/text.txt", "0 0\none two\n");
    folder.write(
        "sub/deck.py",
        "import pathlib\ns = SOLFEC('DYNAMIC', 1, 'out/a')\nt = TIME_SERIES('pulse.txt', label='pulse'); print(t.times, t.values)\n\
         print(TIME_SERIES(points=pathlib.Path('pulse.txt'), cache=2).times)\nGRAVITY(s, (0, t, t.derivative))\n\
         for name in ('none.txt', 'back.txt', 'text.txt', ''):\n  try: TIME_SERIES(name)\n  except (ValueError, RuntimeError) as e: print(type(e).__name__, str(e).split(': ', 1)[1])\n",
    );
    let out = folder.build(&["-o", "m.h5", "--root", "sub", "--deps", "m.d", "sub/deck.py"]);
    let expected = "[0.0, 1.5, 2.0] [0.0, 2.0, -3.0]\n[0.0, 1.5, 2.0]\n\
         ValueError TIME_SERIES: cannot open file 'none.txt': no such file or directory\n\
         RuntimeError TIME_SERIES: back.txt: time 1 of line 3 does not come after 1; times must increase\n\
         RuntimeError TIME_SERIES: text.txt: line 2 is 'one two'; give two numbers, the time and the value\n\
         ValueError TIME_SERIES: cannot open file '': no such file or directory\n";
    assert_eq!(text(&out.stdout), expected, "{}", text(&out.stderr));
    let file = read_file(&folder.path("m.h5")).unwrap();
    let series = &file.domains[0].series;
    assert_eq!((series[1].label.as_str(), series[2].reading()), ("pulse", Reading::Derivative));
    assert!(folder.read("m.d").contains("pulse.txt"), "files that commands read are inputs");
    assert!(file.provenance.inputs.iter().any(|input| input.path.ends_with("pulse.txt") && input.size == 41));
}

#[test]
fn series_refuse_what_makes_no_sense() {
    let fault = |deck: &str, message: &str| {
        let (code, errors) = fails(deck);
        assert_eq!((code, errors), (3, format!("sf-build: error: deck.py:1: TIME_SERIES: {message}\n")));
    };
    fault("TIME_SERIES([0,0, 1,1, 1,2])\n", "points: time 1 of point 2 does not come after 1; times must increase");
    fault("TIME_SERIES([0,0, 1])\n", "points: has 3 numbers; give pairs of time and value");
    fault("TIME_SERIES([0,0])\n", "points: has 1 points; give at least two");
    fault("TIME_SERIES([[0,0,1], [1,2,3]])\n", "points: item 0 has 3 numbers; give pairs of time and value");
    fault("TIME_SERIES([0,0, 1,'x'])\n", "points: item 3 is 'x'; give a number");
    fault("TIME_SERIES([0,0, 1,float('nan')])\n", "points: number 3 is nan; give finite numbers");
    fault("TIME_SERIES(7)\n", "points: is 7; give [t0, v0, t1, v1, ...], [[t0, v0], ...] or the path of a file");
    fault("TIME_SERIES([0,0, 1,1], cache=-1)\n", "cache: is -1; give an integer >= 0");
    fault(
        "TIME_SERIES([0,0, 1,1], 'a'); TIME_SERIES([0,0, 1,1], label='a')\n",
        "label: another series has the label 'a'; choose another label",
    );
}

/// Sequences of any kind, arrays of numpy among them, where commands take several values.
#[test]
fn sequences_of_any_kind() {
    let model = model(&format!(
        "{}import array\nGRAVITY(s, array.array('d', [1, 2, 3]))\nGRAVITY(s, range(3))\nSET_VELOCITY3(a, [0,0,0], array.array('d', [1,0,0,0,1,0,0,0,1]), iter([t,t,t]))\n\
         TIME_SERIES(array.array('d', [0,0,1,1]))\nPUT_SPRING(a, iter((0,0,0)), q, [0,0,0], [1, True], [-1, 1.0])\n",
        start()
    ));
    assert_eq!(model.constraints.len(), 2);
    assert_eq!(
        model.settings.gravity.map(|rows| rows.map(|row| model.series[row as usize].at(0.0))),
        Some([0.0, 1.0, 2.0])
    );
}

/// A point that acts on finite elements from outside of their mesh is told, with its distance; a thousandth of the size
/// of the body does not matter, and points of rigid bodies may be anywhere.
#[test]
fn points_outside_of_finite_elements_are_told() {
    let deck = format!(
        "{START}f = BODY(s, 'FINITE_ELEMENT', HEX({CUBE},2,2,2,1,[1]*6), m, label='F')\n\
         r = BODY(s, 'RIGID', HEX({CUBE},1,1,1,1,[1]*6), m)\n\
         FORCE(f, 'SPATIAL', (1.0009, .5, .5), (0,0,1), 1); FORCE(r, 'SPATIAL', (9, .5, .5), (0,0,1), 1)\n\
         FORCE(f, 'SPATIAL', (2.5, .5, .5), (0,0,1), 1)\nFIX_POINT(f, (1, 1.25, .5))\n\
         PUT_RIGID_LINK(r, f, (9, 9, 9), (.5, .5, -3))\n"
    );
    let folder = Folder::new();
    folder.write("deck.py", &deck);
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let told = |line: u32, command: &str, point: &str, far: &str| {
        format!(
            "sf-build: warning: deck.py:{line}: {command}: the point {point} is {far} m outside of the mesh of body 1 'F' \
             (deck line 3) and carried by its nearest element, as far as that goes on; give a point of the reference \
             configuration in the mesh\n"
        )
    };
    let expected = [
        told(6, "FORCE", "(2.5, 0.5, 0.5)", "1.5"),
        told(7, "FIX_POINT", "(1, 1.25, 0.5)", "0.25"),
        told(8, "PUT_RIGID_LINK", "(0.5, 0.5, -3)", "3"),
    ];
    assert_eq!(text(&out.stderr), expected.concat());
}

/// The same in a background mesh, whose elements without any part of the shape are left out.
#[test]
fn points_outside_of_background_meshes_are_told() {
    let faces = "[4,0,3,2,1,1, 4,1,2,6,5,2, 4,2,3,7,6,2, 4,3,0,4,7,2, 4,0,1,5,4,2, 4,4,5,6,7,2]";
    let deck = format!(
        "{START}f = BODY(s, 'FINITE_ELEMENT', CONVEX([x*.8+.1 for x in {CUBE}], {faces}, 0), m,\n\
         mesh=SCALE(HEX({CUBE},5,3,4,0,[0]*6), (3,1,1)))\n\
         FORCE(f, 'SPATIAL', (.95, .5, .5), (0,0,1), 1)\nFORCE(f, 'SPATIAL', (2.9, .5, .5), (0,0,1), 1)\n"
    );
    let folder = Folder::new();
    folder.write("deck.py", &deck);
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    let told = text(&out.stderr);
    assert!(out.status.success() && told.lines().count() == 1, "{told}");
    assert!(told.contains("deck.py:6: FORCE: the point (2.9, 0.5, 0.5) is 1.7 m outside of the mesh of"), "{told}");
}
