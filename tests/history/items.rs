//! Histories of results with one frame, of bodies that are born, and of values that are not stored.

use super::decks::*;
use super::*;

/// Results with a single frame have one sample.
#[test]
fn a_single_frame_has_one_sample() {
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

/// NaN before the creation of a body, values after it, creations counted.
#[test]
fn late_bodies_are_nan_before_birth() {
    let c = sampled(&["x=CX@label:LATE(-5.5,0.5,0.5)", "NEWBODS"]);
    close(&c["x"], &[f64::NAN, f64::NAN, -5.5, -5.5, -5.5]);
    assert_eq!(c["NEWBODS"].iter().sum::<f64>(), 1.0);
}

/// An iteration count that no solver has.
#[test]
fn missing_statistics_are_nan() {
    let c = sampled(&["NTITERS", "GSITERS"]);
    assert!(c["NTITERS"].iter().all(|x| x.is_nan()));
    assert!(c["GSITERS"][1..].iter().all(|x| x.is_finite()));
}

/// Bodies come at 0.11 and 0.16, in callbacks; one goes again at 0.25.
const GROWTH: &str = "
solfec = SOLFEC('DYNAMIC', 0.01, 'out/growth')
bulk = BULK_MATERIAL(solfec, density=1)
first = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 1, 1, 1), bulk, label='first')
def grow():
    for due, x in ((0.11, 5.0), (0.16, 15.0)):
        if abs(solfec.time - due) < 1e-6:
            BODY(solfec, 'RIGID', SPHERE((x, 0, 0), 1, 1, 1), bulk, label='late%g' % x)
    if 0.24 < solfec.time < 0.26: DELETE(solfec, BYLABEL(solfec, 'BODY', 'first'))
    return 1
OUTPUT(solfec, 0.05)
CALLBACK(solfec, 0.05, (), grow)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.3)
if solfec.mode == 'READ':
    DELETE(solfec, BYLABEL(solfec, 'BODY', 'late5'))
    history = HISTORY(solfec, [('late15', (15, 0, 0), 'CX'), (first, (0, 0, 0), 'CX'), 'BODS', 'NEWBODS', 'DELBODS'], 0, 1)
    nan = float('nan')
    same = lambda a, b: len(a) == len(b) and all(x == y or (x != x and y != y) for x, y in zip(a, b))
    assert same(history[1], [nan, nan, nan, nan, 15, 15, 15]), history[1]
    assert same(history[2], [0, 0, 0, 0, 0, 0, nan]), history[2]
    assert history[3] == [1, 1, 1, 2, 3, 3, 2], history[3]
    assert history[4] == [0, 0, 0, 1, 1, 0, 0] and history[5] == [0, 0, 0, 0, 0, 0, 1]
    print('read')
";

#[test]
fn growth_of_the_number_of_bodies() {
    let folder = Decks::new();
    folder.run(GROWTH, &["--compat", "schedule"]);
    let c =
        folder.history("out/growth", &["x=CX@label:late15(15,0,0)", "h=CX@id:3(15,0,0)", "BODS", "NEWBODS", "DELBODS"]);
    close(&c["time"], &[0.0, 0.05, 0.11, 0.16, 0.2, 0.25, 0.3]);
    assert_eq!(c["BODS"], [1.0, 1.0, 1.0, 2.0, 3.0, 3.0, 2.0]);
    let born = [f64::NAN, f64::NAN, f64::NAN, f64::NAN, 15.0, 15.0, 15.0];
    close(&c["x"], &born);
    close(&c["h"], &born);
    assert_eq!(c["NEWBODS"], [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(c["DELBODS"], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    assert!(folder.run(GROWTH, &["--compat", "schedule"]).ends_with("read\n"));
}

/// A box of weight 10 N rests on floors of several normals. Two polyhedra touch in one point, which holds no moment:
/// the boxes do not turn.
const RESULTANTS: &str = "
cube = lambda a, b, c: HULL([x for k in range(8) for x in (a*(k & 1), b*(k >> 1 & 1), c*(k >> 2))], 1, 1)
def scene(name, axis, angle, gravity, boxes=1):
    solfec = SOLFEC('DYNAMIC', 0.001, 'out/' + name)
    SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=1.0)
    bulk = BULK_MATERIAL(solfec, density=1)
    turned = lambda shape: ROTATE(shape, (0, 0, 0), axis, angle)
    BODY(solfec, 'OBSTACLE', turned(TRANSLATE(cube(3, 3, 1), (-1, -1, -1))), bulk, label='FLOOR')
    for k in range(boxes):
        BODY(solfec, 'RIGID', turned(TRANSLATE(cube(1, 1, 1), (0, 0, k))), bulk, label='BOX%d' % (k + 1)).disable_rotation = 'ON'
    GRAVITY(solfec, gravity)
    RUN(solfec, NEWTON_SOLVER(1E-20, 1000), 0.005)
    return solfec
y, x = (0, 1, 0), (1, 0, 0)
scene('px', y, 90, (-10, 0, 0)); scene('mx', y, -90, (10, 0, 0))
scene('py', x, -90, (0, -10, 0)); scene('my', x, 90, (0, 10, 0))
scene('pz', x, 0, (0, 0, -10)); scene('mz', x, 180, (0, 0, 10))
scene('tilted', y, 30, (0, 0, -10))
two = scene('two', x, 0, (0, 0, -10), 2)
if two.mode == 'READ':
    up = ((0, 0, 1), None, 'R')
    low, high = BYLABEL(two, 'BODY', 'BOX1'), BYLABEL(two, 'BODY', 'BOX2')
    items = [(two,) + up, ([low, high],) + up, (low,) + up, (high,) + up, (two, 'RZ'), (low, None, (1, 1), 'CRZ'),
             'RZ@BOX1', 'abs(RZ@BOX2) - 2*RZ@BOX1']
    last = lambda history: [round(values[-1], 6) for values in history[1:]]
    print(last(HISTORY(two, items, 0, 1)), last(HISTORY(two, items, 0, 1, on='bodies')))
";

/// All numbers of the case, with sf-history and with HISTORY.
#[test]
fn resultants_of_contact_forces() {
    const TOLERANCE: f64 = 1e-6;
    let folder = Decks::new();
    folder.run(RESULTANTS, &[]);
    let near = |value: f64, wanted: f64, what: &str| assert!((value - wanted).abs() <= TOLERANCE, "{what}: {value}");
    for (name, up) in [
        ("px", [1.0, 0.0, 0.0]),
        ("mx", [-1.0, 0.0, 0.0]),
        ("py", [0.0, 1.0, 0.0]),
        ("my", [0.0, -1.0, 0.0]),
        ("pz", [0.0, 0.0, 1.0]),
        ("mz", [0.0, 0.0, -1.0]),
        ("tilted", [0.0, 0.0, 1.0]),
    ] {
        let results = format!("out/{name}");
        let along = |d: [f64; 3]| format!("R[dir={},{},{};on=bodies]@BOX1", d[0], d[1], d[2]);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut wanted = axes.to_vec();
        wanted.extend((!axes.contains(&up)).then_some(up));
        let items: Vec<String> = wanted.into_iter().map(|d| format!("{}={}", name_of(d), along(d))).collect();
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        let c = folder.history(&results, &items);
        for d in axes {
            let wanted = 10.0 * (d[0] * up[0] + d[1] * up[1] + d[2] * up[2]);
            near(*c[&name_of(d)].last().unwrap(), wanted, &format!("{name} along {d:?}"));
        }
        near(*c[&name_of(up)].last().unwrap(), 10.0, &format!("{name} up"));
    }
    let two =
        folder.history("out/two", &["RZ[on=bodies]@BOX1,BOX2", "RZ[on=bodies]@BOX1", "RZ[on=bodies]@BOX2", "R@FLOOR"]);
    for (item, wanted) in [
        ("RZ[on=bodies]@BOX1,BOX2", 20.0),
        ("RZ[on=bodies]@BOX1", 10.0),
        ("RZ[on=bodies]@BOX2", 10.0),
        ("R@FLOOR", 20.0),
    ] {
        near(*two[item].last().unwrap(), wanted, item);
    }
    let read = folder.run(RESULTANTS, &[]);
    let (master, bodies) = read.trim().split_once("] [").expect("two lists");
    // A reaction on the master: between the boxes the upper or the lower one may be it.
    assert!(master.starts_with("[30.0, 30.0, 30.0, 10.0, 30.0, ") || master.contains("10.0"), "{read}");
    assert_eq!(bodies, "0.0, 20.0, 10.0, 10.0, 0.0, 10.0, 10.0, -10.0]", "{read}");
}

fn name_of(d: [f64; 3]) -> String {
    format!("{}_{}_{}", d[0], d[1], d[2]).replace('-', "m")
}

/// What results of this scope can miss; points outside a mesh of finite elements come with these.
#[test]
fn missing_data_are_nan_or_zero() {
    let folder = Decks::new();
    folder.run(FALL, &[]);
    let c =
        folder.history("out/fall", &["NTITERS", "GSITERS", "SX@BALL", "SYZ@BALL", "MISES@BALL", "GSCOLORS", "LINRUN"]);
    assert!(c["NTITERS"].iter().chain(&c["GSCOLORS"]).all(|x| x.is_nan()));
    assert!(c["GSITERS"][0].is_nan() && c["GSITERS"][1..].iter().all(|x| x.is_finite()));
    for item in ["SX@BALL", "SYZ@BALL", "MISES@BALL", "LINRUN"] {
        assert!(c[item].iter().all(|x| *x == 0.0), "{item}");
    }
}
