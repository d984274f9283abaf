//! Histories of decks that run: exact motions, the command HISTORY, scripts.

use std::collections::BTreeMap;
use std::process::{Command, Output};

use super::*;

/// A folder in which decks run.
pub struct Decks(Scratch);

impl Decks {
    pub fn new() -> Self {
        Decks(Scratch::new())
    }

    pub fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path(name)
    }

    pub fn command(&self, tool: &str) -> Command {
        let mut command = Command::new(binary(tool));
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            command.env("SF_PYTHON", python);
        }
        command.current_dir(&self.0).stdin(std::process::Stdio::null());
        command
    }

    /// Runs a deck that must end well; what it prints.
    pub fn run(&self, deck: &str, options: &[&str]) -> String {
        std::fs::write(self.path("deck.py"), deck).unwrap();
        let done = output(self.command("sf-run").args(["-q"]).args(options).arg("deck.py"));
        assert!(done.status.success(), "{}{}", stdout(&done), stderr(&done));
        stdout(&done)
    }

    pub fn tool(&self, name: &str, args: &[&str]) -> Output {
        output(self.command(name).args(args))
    }

    /// Columns that sf-history shows.
    pub fn history(&self, results: &str, items: &[&str]) -> BTreeMap<String, Vec<f64>> {
        let done = self.tool("sf-history", &[&[results], items].concat());
        assert!(done.status.success(), "{}", stderr(&done));
        columns(&stdout(&done))
    }
}

/// A ball falls freely.
pub const FALL: &str = "
from math import pi
solfec = SOLFEC('DYNAMIC', 0.01, 'out/fall')
bulk = BULK_MATERIAL(solfec, density=3 / (4 * pi))
ball = BODY(solfec, 'RIGID', SPHERE((1, 2, 3), 1, 0, 0), bulk, label='BALL')
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, 0.1)
RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.5)
";

#[test]
fn a_free_fall() {
    let folder = Decks::new();
    folder.run(FALL, &[]);
    let c = folder.history(
        "out/fall",
        &["DZ@BALL(1,2,4)", "VZ@BALL", "KINETIC", "EXTERNAL@label:BALL", "e=sum(KINETIC,abs(EXTERNAL))"],
    );
    let t: Vec<f64> = (0..6).map(|k| 0.1 * k as f64).collect();
    let near = |a: &[f64], f: &dyn Fn(f64) -> f64| {
        let worst = a.iter().zip(&t).map(|(a, t)| (a - f(*t)).abs()).fold(0.0, f64::max);
        assert!(a.len() == t.len() && worst < 1e-12, "{a:?}");
    };
    near(&c["time"], &|t| t);
    near(&c["DZ@BALL(1,2,4)"], &|t| -5.0 * t * t);
    near(&c["VZ@BALL"], &|t| -10.0 * t);
    near(&c["KINETIC"], &|t| 50.0 * t * t);
    near(&c["EXTERNAL@label:BALL"], &|t| 50.0 * t * t);
    near(&c["e"], &|t| 100.0 * t * t);
}

/// A block of mass 1 slides on a floor with 1 m/s, μ = 0.5, g = 10: it stops at 0.2 s after 0.1 m.
pub const SLIDE: &str = "
cube = lambda a, b, c: HULL([x for k in range(8) for x in (a*(k & 1), b*(k >> 1 & 1), c*(k >> 2))], 1, 1)
solfec = SOLFEC('DYNAMIC', 0.001, 'out/slide')
SURFACE_MATERIAL(solfec, model='SIGNORINI_COULOMB', friction=0.5)
bulk = BULK_MATERIAL(solfec, density=2)
BODY(solfec, 'OBSTACLE', TRANSLATE(cube(9, 9, 1), (-4, -4, -1)), bulk, label='FLOOR')
block = BODY(solfec, 'RIGID', cube(1, 1, 0.5), bulk, label='BLOCK')
INITIAL_VELOCITY(block, (1, 0, 0), (0, 0, 0))
block.disable_rotation = 'ON'
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, 0.05)
RUN(solfec, NEWTON_SOLVER(1E-20, 1000), 0.3)
if solfec.mode == 'READ':
    t, dx, friction, normal, tangent, gap, u = HISTORY(solfec, [(block, (0, 0, 0), 'DX'), (solfec, 'FRICTION'), (block, 'CR'),
        (block, (1, 0, 0), None, 'R'), ([block], 'GAP'), (block, (2, 0, 0), (1, 1), 'CU')], 0, 0.3, skip=2)
    print([round(x, 9) for x in t])
    print([round(x, 6) for x in dx])
    print([round(x, 6) for x in friction], [round(x, 6) for x in normal[1:]], [round(x, 6) for x in tangent[1:]])
    print(HISTORY(solfec, ('BLOCK', (0, 0, 0), 'DX'), 0.3, 0.3), HISTORY(solfec, (block, 'KINETIC'), 5, 9)[0])
    print(HISTORY(solfec, 'NTITERS', 0, 0.1)[1][1] >= 0, HISTORY(solfec, ['GSITERS'], 0, 0.1)[1], len(HISTORY(solfec, [], 0, 1)))
    for wrong in [(block, 'DX1'), (block, (0, 0), 'DX'), (solfec, (0, 0, 0), 'KINETIC'), 3, [(block, (0, 0, 0), (1, 2, 3), 'R')]]:
        try: HISTORY(solfec, wrong, 0, 1)
        except ValueError as error: print(error)
    print(solfec.time)
else:
    print(HISTORY(solfec, [(solfec, 'KINETIC')], 0, 1))
";

#[test]
fn a_sliding_block() {
    let folder = Decks::new();
    assert_eq!(folder.run(SLIDE, &[]), "None\n", "WRITE mode");
    let c = folder.history(
        "out/slide",
        &["DX@BLOCK", "FRICTION", "R", "RX", "CRZ[on=bodies]@BLOCK", "UX", "GAP", "--time", "0.1,0.3"],
    );
    let near = |item: &str, wanted: [f64; 2], tolerance: f64| {
        assert!(
            (c[item][0] - wanted[0]).abs() < tolerance && (c[item][1] - wanted[1]).abs() < tolerance,
            "{item} {:?}",
            c[item]
        );
    };
    near("DX@BLOCK", [0.075, 0.1], 1e-5);
    near("FRICTION", [-0.375, -0.5], 1e-5);
    near("R", [10.0, 10.0], 1e-6);
    near("CRZ[on=bodies]@BLOCK", [10.0, 10.0], 1e-6);
    near("RX", [-5.0, 0.0], 1e-6);
    near("UX", [0.5, 0.0], 1e-6);
    near("GAP", [0.0, 0.0], 1e-6);
    let read = folder.run(SLIDE, &[]);
    let lines: Vec<&str> = read.lines().collect();
    assert_eq!(lines[0], "[0.0, 0.1, 0.2, 0.3]");
    assert_eq!(lines[1], "[0.0, 0.075, 0.1, 0.1]");
    assert_eq!(lines[2], "[0.0, -0.375, -0.5, -0.5] [10.0, 10.0, 10.0] [-5.0, -5.0, 0.0]");
    assert!(lines[3].starts_with("([0.3") && lines[3].ends_with("[0.3]"), "{read}");
    assert_eq!(lines[4], "True [nan, nan, nan] 1");
    assert!(lines[5].contains("DX1: no such item"), "{read}");
    assert!(lines[6].contains("point: is a sequence of 2"), "{read}");
    assert!(lines[7].contains("KINETIC: has no point"), "{read}");
    assert!(lines[8].contains("list: is 3"), "{read}");
    assert!(lines[9].contains("item 0: surfaces: is a sequence of 3"), "{read}");
    assert_eq!(lines[10], "0.0", "the first reading command shows the first frame");
}

/// A script reads without the deck; SOLFEC in it reads the same results.
#[test]
fn a_script() {
    let folder = Decks::new();
    folder.run(FALL, &[]);
    let script = "import sys\nt, z = HISTORY(solfec, ('BALL', (1, 2, 3), 'DZ'), 0, 1)\nprint(sys.argv[1:], len(t), '%.6f' % z[-1])\n\
                  other = SOLFEC('DYNAMIC', 1, 'anything')\nprint(other.mode, HISTORY(other, 'BODS', 0, 0))\n";
    std::fs::write(folder.path("post.py"), script).unwrap();
    let done = folder.tool("sf-history", &["out/fall", "--script", "post.py", "--", "a", "-b"]);
    assert_eq!(stdout(&done), "['a', '-b'] 6 -1.250000\nREAD ([0.0], [1.0])\n", "{}", stderr(&done));
    std::fs::write(folder.path("packed.h5"), folder.tool("sf-run", &["--pack", "out/fall"]).stdout).unwrap();
    let mut piped = folder.command("sf-history");
    piped.args(["-", "--script", "post.py", "--", "a", "-b"]);
    piped.stdin(std::fs::File::open(folder.path("packed.h5")).unwrap());
    let piped = output(&mut piped);
    assert_eq!(stdout(&piped), stdout(&done), "{}", stderr(&piped));
    std::fs::write(folder.path("many.py"), "for i in range(100000): print(i)\n").unwrap();
    let mut many = folder.command("sf-history");
    many.args(["out/fall", "--script", "many.py"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut many = many.spawn().unwrap();
    drop(many.stdout.take());
    let many = many.wait_with_output().unwrap();
    assert_eq!((many.status.code(), stderr(&many).as_str()), (Some(0), ""), "a reader that leaves is no error");
    std::fs::write(folder.path("runs.py"), "RUN(solfec, GAUSS_SEIDEL_SOLVER(1E-3, 10), 1)\n").unwrap();
    let runs = folder.tool("sf-history", &["out/fall", "--script", "runs.py"]);
    assert!(stderr(&runs).contains("results are read and nothing runs; use sf-run"), "{}", stderr(&runs));
    std::fs::write(folder.path("exit.py"), "import sys\nsys.exit(9)\n").unwrap();
    assert_eq!(folder.tool("sf-history", &["out/fall", "--script", "exit.py"]).status.code(), Some(9));
    std::fs::write(folder.path("wrong.py"), "HISTORY(solfec, 'NOTHING', 0, 1)\n").unwrap();
    let wrong = folder.tool("sf-history", &["out/fall", "--script", "wrong.py"]);
    assert_eq!(wrong.status.code(), Some(3));
    assert!(stderr(&wrong).contains("wrong.py:1: HISTORY: list: NOTHING: no such item"), "{}", stderr(&wrong));
}

/// Two bodies move along x with 1 m/s. BODY_CHARS between the RUNs moves their mass centres, not their points.
const RECENTRED: &str = "
s = SOLFEC('DYNAMIC', 0.01, 'out/recentred')
m = BULK_MATERIAL(s, young=1e3, density=1000)
box = lambda x: HEX([x,0,0, x+1,0,0, x+1,1,0, x,1,0, x,0,1, x+1,0,1, x+1,1,1, x,1,1], 1, 1, 1, 0, [1, 2, 3, 4, 5, 6])
bodies = [BODY(s, kind, box(3 * k), m, label=kind) for k, kind in enumerate(('RIGID', 'PSEUDO_RIGID'))]
for b in bodies: INITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 0))
near = lambda x, y: max(abs(a - b) for a, b in zip(x, y)) < 1e-12
def show():
    for b in bodies:
        x, t = b.center, s.time
        print(near(DISPLACEMENT(b, (3.2, .3, .9)), (t, 0, 0)), near(VELOCITY(b, (3.2, .3, .9)), (1, 0, 0)),
              near(b.conf[9:], (x[0] + t, x[1], x[2])), near(MASS_CENTER(b), b.conf[9:]), round(b.mass, 6))
OUTPUT(s, 0.1)
RUN(s, GAUSS_SEIDEL_SOLVER(1e-3, 10), 0.2)
show()
for b in bodies: BODY_CHARS(b, 5, 1, (b.center[0] + .1, .7, .4), (2, 0, 0, 0, 3, 0, 0, 0, 4))
show()
RUN(s, GAUSS_SEIDEL_SOLVER(1e-3, 10), 0.2)
show()
if s.mode == 'READ':
    SEEK(s, 0.4)
    show()
";

#[test]
fn points_stay_where_they_are_when_the_mass_centre_is_moved() {
    let folder = Decks::new();
    let shown = |mass: &str| format!("True True True True {mass}\n").repeat(2);
    let live = folder.run(RECENTRED, &[]);
    assert_eq!(live, shown("1000.0") + &shown("5.0") + &shown("5.0"));
    let items = ["DX@RIGID", "DX@RIGID(9,9,9)", "VX@PSEUDO_RIGID", "CY@PSEUDO_RIGID(3.2,.3,.9)", "PX"];
    for args in [&["all.h5"][..], &["one.h5", "--subset", "RIGID"]] {
        let packed = output(folder.command("sf-run").args(["-q", "--pack", "out/recentred"]).args(args));
        assert!(packed.status.success(), "{}", stderr(&packed));
    }
    let t = [0.0, 0.1, 0.2, 0.3, 0.4];
    let near = |a: &[f64], wanted: [f64; 5]| {
        let worst = a.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(a.len() == 5 && worst < 1e-9, "{a:?}, not {wanted:?}");
    };
    for results in ["out/recentred", "all.h5"] {
        let c = folder.history(results, &items);
        near(&c["DX@RIGID"], t);
        near(&c["DX@RIGID(9,9,9)"], t);
        near(&c["VX@PSEUDO_RIGID"], [1.0; 5]);
        near(&c["CY@PSEUDO_RIGID(3.2,.3,.9)"], [0.3; 5]);
        near(&c["PX"], [2000.0, 2000.0, 2000.0, 10.0, 10.0]);
    }
    near(&folder.history("one.h5", &["DX@RIGID"])["DX@RIGID"], t);
    let read = folder.run(RECENTRED, &[]);
    assert!(read.ends_with(&shown("5.0")), "{read}");
}
