//! Decks from end to end: the real sf-build and a real Python ($SF_TEST_PYTHON, else python3).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use solfec::model::{Model, Op};
use solfec_formats::model::read_file;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("sf-deck-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs sf-build here.
    fn build(&self, args: &[&str]) -> Output {
        self.build_with(args, "")
    }

    fn build_with(&self, args: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sf-build"));
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            command.env("SF_PYTHON", python);
        }
        command.args(args).current_dir(&self.0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Models of a deck that must build.
    fn models(&self, deck: &str) -> Vec<Model> {
        self.write("deck.py", deck);
        let out = self.build(&["-f", "-o", "m.h5", "deck.py"]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        read_file(&self.path("m.h5")).unwrap().domains
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn model(deck: &str) -> Model {
    Folder::new().models(deck).remove(0)
}

/// What a deck prints.
fn prints(deck: &str) -> String {
    let folder = Folder::new();
    folder.write("deck.py", &format!("{deck}\nSOLFEC('DYNAMIC', 1, 'out/printed')\n"));
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    text(&out.stdout)
}

/// Exit code and error lines of a deck that must fail.
fn fails(deck: &str) -> (i32, String) {
    let folder = Folder::new();
    folder.write("deck.py", deck);
    let out = folder.build(&["-o", "m.h5", "deck.py"]);
    assert!(!folder.path("m.h5").exists(), "a failed deck writes nothing");
    assert!(!folder.path("m.h5.part").exists());
    (out.status.code().unwrap(), text(&out.stderr))
}

const START: &str = "s = SOLFEC('DYNAMIC', 1e-3, 'out/test')\nm = BULK_MATERIAL(s, density=1000)\n";
const CUBE: &str = "[0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]";

fn decks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decks")
}

mod model_of_a_deck {
    use super::*;

    #[test]
    fn tutorial_with_three_kinds_of_shapes() {
        let model = model(&std::fs::read_to_string(decks().join("three_basic.py")).unwrap());
        let masses: Vec<f64> = model.bodies.iter().map(|b| b.chars.mass).collect();
        let ball = 2000.0 * 4.0 / 3.0 * std::f64::consts::PI;
        // the block is 2 x 2 with height 2 at y=-1 and 1 at y=+1: 6 m³
        let expected = [2000.0 * 100.0, 2000.0 * 4.0, 2000.0 * 6.0, ball];
        for (mass, expected) in masses.iter().zip(expected) {
            assert!((mass - expected).abs() < 1e-9 * expected, "{masses:?}");
        }
        assert_eq!(model.bodies[3].velo, [0.0, 0.0, 0.0, 0.0, 0.0, -10.0]);
        assert_eq!(model.name, "three-basic");
        assert_eq!(model.library.len(), 4, "four bricks share one geometry");
        assert_eq!(model.shapes.len(), 7);
        assert_eq!(model.bodies[3].label, "ball");
        assert_eq!(model.bodies[3].line, 23);
        assert_eq!(model.surface[0].friction, 0.5);
        assert!(matches!(model.program[..], [Op::Output { .. }, Op::Run { .. }]));
    }

    #[test]
    fn equal_geometries_are_stored_once_without_copy() {
        let deck =
            format!("{START}for i in range(5): BODY(s, 'RIGID', TRANSLATE(HEX({CUBE},1,1,1,1,[1]*6), (i,0,0)), m)");
        let model = model(&deck);
        assert_eq!((model.library.len(), model.shapes.len()), (1, 5));
        assert_eq!(model.shapes[4].shift.x, 4.0);
    }

    #[test]
    fn changes_after_run_are_operations() {
        let deck = format!(
            "{START}b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\ngs = GAUSS_SEIDEL_SOLVER(1e-3, 100)\nGRAVITY(s, (0,0,-10))\n\
             RUN(s, gs, 1)\nGRAVITY(s, (0,0,-5))\ns.step = 0.5\nm.young = 7\nSURFACE_MATERIAL(s, 1, 2, friction=0.1)\n\
             for i in range(3): BODY(s, 'RIGID', SPHERE((i,0,9),1,0,0), m)\nb.velo = (1,2,3,4,5,6)\ngs.epsilon = 1e-9\nRUN(s, gs, 2)\n"
        );
        let model = model(&deck);
        assert_eq!(model.step, 1e-3);
        assert_eq!(model.surface.len(), 1);
        assert_eq!(model.bulk[0].young, 1e9);
        let names: Vec<String> =
            model.program.iter().map(|op| serde_json::to_value(op).unwrap()["op"].as_str().unwrap().into()).collect();
        let expected = "RUN GRAVITY STEP BULK_MATERIAL SURFACE_MATERIAL INSERT_BODIES SET_VELOCITY RUN";
        assert_eq!(names.join(" "), expected);
        assert!(model.program.contains(&Op::InsertBodies { rows: [1, 4] }));
        let text = serde_json::to_string(&model.program).unwrap();
        assert!(
            text.contains("\"epsilon\":0.001") && text.contains("\"epsilon\":1e-9"),
            "a RUN keeps its solver: {text}"
        );
    }

    #[test]
    fn settings_before_run_are_folded() {
        let deck = format!(
            "GEOMETRIC_EPSILON(1e-4)\n{START}a = BODY(s, 'OBSTACLE', SPHERE((0,0,0),1,0,3), m)\n\
             b = BODY(s, 'PSEUDO_RIGID', HEX({CUBE},1,1,1,1,[1]*6), m)\nCONTACT_SPARSIFY(s, 0.5)\nEXTENTS(s, (-1,-1,-1,1,1,1))\n\
             UNPHYSICAL_PENETRATION(s, 0.25)\nCONTACT_EXCLUDE_BODIES(b, a)\nCONTACT_EXCLUDE_SURFACES(s, 3, 1)\n\
             b.scheme = 'DEF_LIM'\nb.damping = 0.125\nINITIAL_VELOCITY(b, (1,2,3), (0,0,5))\nRUN(s, PENALTY_SOLVER(), 1)\n"
        );
        let model = model(&deck);
        let settings = &model.settings;
        assert_eq!((settings.epsilon, settings.sparsify.mindist, settings.sparsify.threshold), (1e-4, 1e-4, 0.5));
        assert_eq!(settings.extents, Some([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]));
        assert_eq!(settings.penetration_depth, 0.25);
        assert_eq!((settings.excluded_bodies[0], settings.excluded_surfaces[0]), ([1, 2], [3, 1]));
        assert_eq!(model.bodies[1].damping, 0.125);
        assert_eq!(model.bodies[1].velo, [0., -5., 0., 5., 0., 0., 0., 0., 0., 1., 2., 3.]);
        assert_eq!(model.program.len(), 1);
    }

    #[test]
    fn sequences_of_any_kind() {
        let deck = format!(
            "{START}import array, collections\nclass Array:\n    dtype = 'f8'\n    def __init__(self, v): self.v = v\n    \
             def tolist(self): return self.v\n\
             c = [[0,0,0], (1,0,0), [1.0,1,0], [0,1,0], (x for x in (0,0,1)), range(1,2) and (1,0,1), [1,1,1], [0,1,1]]\n\
             BODY(s, 'RIGID', HEX(c, 1.0, True, 1, 1, (1,1,1,1,1,1)), m)\n\
             BODY(s, 'RIGID', HEX(array.array('d', {CUBE}), 1, 1, 1, 1, array.array('i', [1]*6)), m)\n\
             BODY(s, 'RIGID', HEX(Array({CUBE}), 1, 1, 1, 1, collections.deque([1]*6)), m)\n\
             BODY(s, 'RIGID', {{'a': SPHERE([0,0,0], 1, 0, 0)}}.values(), m)\n"
        );
        let model = model(&deck);
        assert_eq!(model.bodies.len(), 4);
        assert_eq!(model.library.len(), 2);
    }

    #[test]
    fn area_of_contacts() {
        let deck = |more: &str| {
            format!("GEOMETRIC_EPSILON(1e-4)\n{START}CONTACT_SPARSIFY(s, {more})\nGEOMETRIC_EPSILON(1e-3)\n")
        };
        let sparsify = model(&deck("0.5, area='PROJECTED'")).settings.sparsify;
        assert_eq!(
            (sparsify.threshold, sparsify.minarea, sparsify.mindist, sparsify.projected),
            (0.5, 0.0, 1e-4, true)
        );
        assert!(!model(&deck("0.5, 0, 0, 'HALF_SURFACE'")).settings.sparsify.projected);
    }

    /// Whatever is a number, a text or a sequence by Python's rules.
    #[test]
    fn values_of_odd_types() {
        let out = prints(
            "import enum, fractions\nclass N(enum.IntEnum):\n  ONE = 1\nclass T(str): pass\nclass F(float): pass\n\
             s = SOLFEC(T('DYNAMIC'), N.ONE, 'out/odd'); m = BULK_MATERIAL(s, density=fractions.Fraction(1, 2), tensile=float('inf'))\n\
             b = SPHERE(iter((F(1), 2, True)), N.ONE, 1.0, N.ONE)\n\
             print(s.step, m.density, b.center, b.radius)\n\
             for wrong in (len, {}, b'ab', object(), 1 << 80, float('nan')):\n  try: SPHERE((0, 0, 0), 1, wrong, 1)\n  except TypeError as e: print(str(e).split('volid: ')[1])",
        );
        let expected = "1.0 0.5 (1.0, 2.0, 1.0) 1.0\nis a function; give an integer\nis a dict; give an integer\nis a bytes; give an integer\n\
             is a object; give an integer\nis 1.2089258196146292e24; give an integer\nis nan; give an integer\n";
        assert_eq!(out, expected);
        let out = prints("try: SOLFEC('DYNAMIC', 1, 'out/\\udc80')\nexcept TypeError as e: print(e)");
        assert_eq!(out, "deck.py:1: SOLFEC: output: is a text that is not Unicode; give a text\n");
    }

    #[test]
    fn arrays_of_numpy() {
        let deck = format!(
            "{START}try:\n    import numpy as np\nexcept ImportError:\n    import sys; print('skipped: no numpy'); sys.exit(0)\n\
             BODY(s, 'RIGID', HEX(np.array({CUBE}, float).reshape(8,3), np.int64(1), np.float64(1), 1, 1, np.ones(6, int)), m)\n\
             BODY(s, 'RIGID', SPHERE(np.zeros(3, np.float32), np.float32(1), 0, 0), m)\n"
        );
        let folder = Folder::new();
        folder.write("deck.py", &deck);
        let out = folder.build(&["--check", "deck.py"]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        if text(&out.stdout).contains("skipped") {
            let _ = writeln!(std::io::stderr(), "skipped: the Python of the tests has no numpy");
            assert!(std::env::var("SF_STRICT").map_or(true, |v| v != "1"), "no numpy");
        }
    }

    #[test]
    fn several_objects_and_one_of_them() {
        let folder = Folder::new();
        folder.write("deck.py", "for i in range(3): SOLFEC('DYNAMIC', 1, 'out/m%d' % i)\n");
        assert!(folder.build(&["-o", "all.h5", "deck.py"]).status.success());
        assert_eq!(read_file(&folder.path("all.h5")).unwrap().domains.len(), 3);
        assert!(folder.build(&["-o", "one.h5", "--domain", "m1", "deck.py"]).status.success());
        assert_eq!(read_file(&folder.path("one.h5")).unwrap().domains[0].name, "m1");
        assert_eq!(folder.build(&["-o", "no.h5", "--domain", "m7", "deck.py"]).status.code(), Some(2));
    }
}

mod environment {
    use super::*;

    #[test]
    fn a_deck_sees_what_the_manual_says() {
        let folder = Folder::new();
        std::fs::create_dir(folder.path("sub")).unwrap();
        folder.write("sub/part.py", "from solfec import *\nimport solfec as again\nsame = again.SPHERE is SPHERE\n");
        folder.write(
            "sub/deck.py",
            "import sys, os, part\nprint(__name__, __file__, sys.argv, os.path.basename(os.getcwd()) == 'sub', '' in sys.path)\n\
             print(part.same, sys.path[-1].endswith('sub'), NON_SOLFEC_ARGV(), SUBDIR(), VIEWER(), RANK(), NCPU(), BARRIER())\n\
             s = SOLFEC('DYNAMIC', 1, 'out/a/')\nprint(s.outpath, s.mode, HERE(s, None), friction, name, NCPU(s))\n\
             print(IMBALANCE_TOLERANCE(s, 1.2), 'solfec.python2' in sys.modules, input())\n",
        );
        let args =
            ["--check", "-s", "S", "--set", "friction=0.5", "--set", "name=x y", "sub/deck.py", "--", "one", "-two"];
        let out = folder.build_with(&args, "typed\n");
        let expected = "__main__ sub/deck.py ['sub/deck.py', 'one', '-two'] False False\n\
             True True ['one', '-two'] S False 0 1 True\nout/a/S WRITE True 0.5 x y 1\nTrue True typed\n";
        assert_eq!(text(&out.stdout), expected, "{}", text(&out.stderr));
        let rooted = folder.build(&["--check", "--root", "sub", "sub/deck.py"]);
        assert!(text(&rooted.stdout).contains(" True False\n"), "cwd is the root: {}", text(&rooted.stdout));
    }

    #[test]
    fn what_the_deck_prints_stays_out_of_the_model() {
        let folder = Folder::new();
        folder.write("deck.py", "print('hello')\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
        let out = folder.build(&["deck.py"]);
        assert!(out.stdout.starts_with(b"\x89HDF"));
        assert_eq!(text(&out.stderr), "hello\n");
        let out = folder.build(&["-o", "m.h5", "deck.py"]);
        assert_eq!(text(&out.stdout), "hello\n");
    }

    #[test]
    fn equal_decks_give_equal_files() {
        let folder = Folder::new();
        folder.write("deck.py", &format!("{START}BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\n"));
        let one = folder.build(&["--no-provenance", "deck.py"]).stdout;
        assert_eq!(one, folder.build(&["--no-provenance", "deck.py"]).stdout);
        assert!(folder.build(&["-o", "m.h5", "deck.py"]).status.success());
        let provenance = read_file(&folder.path("m.h5")).unwrap().provenance;
        assert_eq!(provenance.deck, folder.read("deck.py"));
        assert_eq!(provenance.runs.len(), 1);
    }

    #[test]
    fn dependencies_are_a_makefile_rule() {
        let folder = Folder::new();
        folder.write("points.txt", "1 2 3\n");
        folder.write("part.py", "r = 1\n");
        folder.write(
            "deck.py",
            "import part, json\nc = [float(x) for x in open('points.txt').read().split()]\nopen('log', 'w').close()\n\
             SOLFEC('DYNAMIC', 1, 'out/a')\n",
        );
        assert!(folder.build(&["-o", "m.h5", "--deps", "m.d", "deck.py"]).status.success());
        let rule = folder.read("m.d");
        assert!(rule.starts_with("m.h5: deck.py "), "{rule}");
        assert!(rule.contains("points.txt") && rule.contains("part.py"), "{rule}");
        assert!(!rule.contains("json") && !rule.contains("log"), "{rule}");
        let inputs = read_file(&folder.path("m.h5")).unwrap().provenance.inputs;
        assert!(inputs.iter().any(|i| i.path == "points.txt" && i.size == 6 && i.sha256.len() == 64));
    }

    #[test]
    fn list_and_json() {
        let folder = Folder::new();
        folder.write(
            "deck.py",
            &format!("{START}BODY(s, 'RIGID', SPHERE((0,0,0),1,0,4), m)\nSURFACE_MATERIAL(s, 4, 4)\n"),
        );
        let out = text(&folder.build(&["--list", "deck.py"]).stdout);
        assert!(out.contains("dofs: 6") && out.contains("unmatched: none"), "{out}");
        let out = folder.build(&["--json", "-o", "m.h5", "deck.py"]).stdout;
        let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(json["schema"], "sf-build/1");
        assert_eq!(json["domains"][0]["bodies"]["rigid"], 1);
        assert!(folder.path("m.h5").exists());
    }

    #[test]
    fn help_describes_every_argument() {
        let out = prints("print(HEX.__doc__)\nprint(MESH.node.__doc__)\nprint(type(BODY.mass.__doc__) is str)");
        assert!(out.starts_with("HEX (nodes, i, j, k, volid, surfids | dx, dy, dz)\n"), "{out}");
        assert!(out.contains("surfids: surface ids of the sides bottom, x-, y+, x+, y-, top"));
        assert!(out.contains("node (n | x, y, z)") && out.ends_with("True\n"));
    }
}

mod members {
    use super::*;

    #[test]
    fn of_shapes() {
        let out = prints(&format!(
            "x = HEX({CUBE}, 1, 1, 2, 1, [1,2,3,4,5,6])\nprint(x.nnod, x.node(11), x.nodes_on_surface(6), x.nodes_on_surface(9))\n\
             TRANSLATE(x, (1,0,0)); print(x.node(0), x.node(0, z=-1), x.node(0), x.set_volid(4))\n\
             print(MESH(*x.get_data()).get_data() == x.get_data(), x.get_data()[1][9])\n\
             c = HULL({CUBE}, 1, 2); print(c.nver, c.vertex(6))\nc = HULL([0,0,0, 1,0,0, 0,1,0, 0,0,1], 1, 2, c); print(c.nver)\n\
             b = SPHERE((1,2,3), 4, 0, 0); SCALE(b, (2,2,2)); print(b.center, b.radius, MASS_CENTER(b))\n\
             print(SCALE((1,2,3), (2,2,2)), TRANSLATE((0,0,0), (1,2,3)), ROTATE((1,0,0), (0,0,0), (0,0,1), 90))\n\
             y = COPY(x); print(type(COPY([x])), type(COPY((x, y))), x == y, x == x, isinstance(x, MESH))"
        ));
        let expected = "12 (1.0, 1.0, 1.0) [8, 9, 10, 11] None\n(1.0, 0.0, 0.0) (1.0, 0.0, -1.0) (1.0, 0.0, -1.0) 4\nTrue 4\n\
             8 (1.0, 1.0, 1.0)\n4\n(2.0, 4.0, 6.0) 8.0 (2.0, 4.0, 6.0)\n(2.0, 4.0, 6.0) (1.0, 2.0, 3.0) (0.0, 1.0, 0.0)\n\
             <class 'list'> <class 'list'> False True True\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn of_bodies_and_materials() {
        let out = prints(&format!(
            "{START}b = BODY(s, 'RIGID', HEX({CUBE},1,1,1,1,[1]*6), 'BULK_MATERIAL_0')\nd = BODY(s, 'OBSTACLE', SPHERE((0,0,0),1,0,0), m, 'ball')\n\
             print(b.id, b.kind, repr(b.label), round(b.mass, 9), round(b.volume, 9), b.center, b.material, b.conf, b.velo, b.constraints, b.ncon)\n\
             print(s.bodies == [d, b], s.nbod, s.time, s.ncon, s.constraints, b.selfcontact, b.scheme, b.damping, b.display_points)\n\
             b.conf = (0,1,0, -1,0,0, 0,0,1, 5,0,0); print(MASS_CENTER(b), b.mesh.node(0), d.mesh, b.disable_rotation)\n\
             b.disable_rotation = True; print(b.disable_rotation, BYLABEL(s, 'BODY', 'ball') == d, BYLABEL(s, 'BODY', 'x'))\n\
             q = SURFACE_MATERIAL(s, 2, 1, friction=0.5); r = SURFACE_MATERIAL(s, 1, 2, restitution=1)\n\
             print(q == r, q.surf1, q.surf2, q.label, q.friction, q.restitution, SURFACE_MATERIAL(s, surf2=3).surf2)\n\
             e = SURFACE_MATERIAL(s, friction=0.25); print(e.label, BYLABEL(s, 'SURFACE_MATERIAL', 'DEFAULT').friction)\n\
             print([abs(round(x, 9)) for x in b.tensor[::4]])"
        ));
        let expected = "1 RIGID '' 1000.0 1.0 (0.5, 0.5, 0.5) BULK_MATERIAL_0 (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5) \
             (0.0, 0.0, 0.0, 0.0, 0.0, 0.0) [] 0\nTrue 2 0.0 0 [] OFF DEFAULT 0.0 []\n(5.0, 0.0, 0.0) (5.5, -0.5, -0.5) None OFF\n\
             ON True None\nTrue 1 2 SURFACE_MATERIAL_1 0.0 1.0 None\nDEFAULT 0.25\n[166.666666667, 166.666666667, 166.666666667]\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn of_solvers() {
        let out = prints(&format!(
            "{START}g = GAUSS_SEIDEL_SOLVER(1e-3, 1000, failure='EXIT')\n\
             print(g.failure, g.error, g.iters, g.rerhist, g.merhist, g.epsilon, g.maxiter, g.meritval, round(g.diagepsilon, 12), g.diagmaxiter)\n\
             g.variant = 'FULL'; g.innerloops = 1; g.reverse = True; g.meritval = 2; g.diagmaxiter = 3.0\n\
             print(g.variant, g.innerloops, g.reverse, g.meritval, g.diagmaxiter, g.diagsolver)\n\
             RUN(s, g, 1); print(g.itershist)\n\
             try: g.failure = 'EXIT'\nexcept ValueError as e: print(e)"
        ));
        let expected = "EXIT OK 0 [] [] 0.001 1000 1.0 1e-06 100\nFULL 1 ON 2.0 3 SEMISMOOTH_NEWTON\nNone\n";
        assert!(out.starts_with(expected) && out.ends_with("GAUSS_SEIDEL_SOLVER.failure: is read-only\n"), "{out}");
    }

    #[test]
    fn of_solfec() {
        let out = prints(&format!(
            "{START}print(s.analysis, s.time, s.mode, s.step, s.step_recovery, s.verbose, s.cleanup)\n\
             s.step_recovery = True; s.verbose = False; s.cleanup = 'ON'; s.step = 1\n\
             print(s.step_recovery, s.verbose, s.cleanup, s.step)\n\
             try: s.verbose = 'x'\nexcept ValueError as e: print(str(e).count('\\n'))\n\
             print(SURFACE_MATERIAL(s, label='all').label, BYLABEL(s, 'SURFACE_MATERIAL', 'all').surf1)"
        ));
        let (first, rest) = out.split_once('\n').unwrap();
        assert!(first.starts_with("DYNAMIC 0.0 WRITE ") && first.ends_with(" OFF ON OFF"), "{first}");
        assert_eq!(rest, "ON OFF ON 1.0\n0\nall None\n");
    }
}

mod one_registration {
    use super::*;
    use solfec_tools::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
    use solfec_tools::deck::{self, Deck, Environment, Language, Python2, Session, Value};

    static DUMMY: Command = Command {
        name: "DUMMY",
        chapter: Chapter::Environment,
        args: &[
            Arg::new("factor", Kind::POSITIVE, "a factor"),
            Arg::new("what", Kind::Text, "a text").or(Default::Text("x")).alias(&["waht"]),
        ],
        returns: "the text, repeated",
        modes: Modes::Both,
        doc: "Repeats a text.",
        run: |_, args| {
            let count = args.real("factor")? as usize;
            Ok(Value::Text(args.text("what")?.repeat(count)))
        },
    };

    #[test]
    fn adds_a_command() {
        let folder = Folder::new();
        folder.write(
            "deck.py",
            "r = [DUMMY(2), DUMMY(2, 'a'), DUMMY(factor=3, what='b'), DUMMY(1.0, waht='c'), DUMMY.__doc__[:26]]\n\
             from solfec import DUMMY as D\ntry: D(-1)\nexcept ValueError as e: r.append(str(e).split(': ', 1)[1])\n\
             import os; open(os.path.join(os.path.dirname(__file__), 'seen'), 'w').write(' '.join(r))\n",
        );
        let deck = Deck {
            path: folder.path("deck.py"),
            root: None,
            python2: Python2::Never,
            set: Vec::new(),
            stdout_taken: false,
        };
        let language = Language::standard().with(&DUMMY);
        let mut session = Session::new(Environment::default());
        deck::run(&deck, &language, &mut session, &mut |_, _| ()).unwrap();
        let expected = "xx aa bbb c DUMMY (factor | what='x')\n DUMMY: factor: is -1; give a number > 0";
        assert_eq!(folder.read("seen"), expected);
        assert!(deck::reference::markdown(&language).contains("### DUMMY"));
    }
}

mod bad_input {
    use super::*;

    /// The deck ends with this code and, after its place, this message; no backtrace.
    fn check(deck: &str, code: i32, line: u32, message: &str) {
        let (status, errors) = fails(deck);
        let expected = format!("sf-build: error: deck.py:{line}: {message}\n");
        assert_eq!((status, errors.as_str()), (code, expected.as_str()));
    }

    fn starts(deck: &str, code: i32, line: u32, message: &str) {
        let (status, errors) = fails(deck);
        let expected = format!("sf-build: error: deck.py:{line}: {message}");
        assert!(errors.starts_with(&expected), "{errors}");
        assert_eq!((status, errors.lines().count()), (code, 1));
    }

    #[test]
    fn nan_coordinates() {
        let deck = "x = float('nan')\nHULL([0,0,0, 1,0,0, 0,x,0, 0,0,1], 1, 1)\n";
        check(deck, 3, 2, "HULL: points: number 7 is nan; give finite numbers");
        let deck = "SPHERE((0, 0, float('inf')), 1, 1, 1)\n";
        check(deck, 3, 1, "SPHERE: center: number 2 is inf; give finite numbers");
    }

    #[test]
    fn ragged_nodes() {
        let message = "MESH: nodes: has 23 numbers, not a multiple of 3; give x, y, z of every point";
        check("MESH([1]*23, [], 0)\n", 3, 1, message);
    }

    #[test]
    fn inverted_hexahedron() {
        let deck = format!("nodes = {CUBE}\nMESH(nodes, [8, 4,5,6,7, 0,1,2,3, 1], 0)\n");
        starts(&deck, 3, 2, "MESH: element 0 ");
    }

    #[test]
    fn open_polyhedron() {
        let deck = format!("CONVEX({CUBE}, [4,0,3,2,1,1, 4,1,2,6,5,1, 4,2,3,7,6,1, 4,3,0,4,7,1, 4,0,1,5,4,1], 1)\n");
        starts(&deck, 3, 1, "CONVEX: ");
    }

    #[test]
    fn truncated_faces() {
        let deck = format!("CONVEX({CUBE}, [4, 0, 3, 2], 1)\n");
        check(&deck, 3, 1, "CONVEX: faces: face 0: is cut off; give 4 indices and an id");
    }

    #[test]
    fn zero_density() {
        let deck = "s = SOLFEC('DYNAMIC', 1, 'out/a')\nBULK_MATERIAL(s, density=0)\n";
        check(deck, 3, 2, "BULK_MATERIAL: density: is 0; give a number > 0");
    }

    #[test]
    fn missing_material() {
        let deck = format!("{START}BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), 'steel')\n");
        check(&deck, 3, 3, "BODY: material 'steel' not found; create it before the body");
    }

    #[test]
    fn emptied_shape_used_twice() {
        let deck = format!("{START}x = SPHERE((0,0,0),1,0,0)\nBODY(s, 'RIGID', x, m)\nBODY(s, 'RIGID', x, m)\n");
        check(&deck, 3, 5, "BODY: shape was given away at deck.py:4 and is empty; pass a COPY if you need it twice");
        let deck = format!("{START}x = SPHERE((0,0,0),1,0,0)\nBODY(s, 'RIGID', [x, x], m)\n");
        check(&deck, 3, 4, "BODY: shape 1 of the list is there twice; pass a COPY if you need it twice");
    }

    #[test]
    fn what_is_no_shape_is_named() {
        let deck = format!("{START}BODY(s, 'RIGID', [SPHERE((0,0,0),1,0,0), 3], m)\n");
        check(&deck, 3, 3, "BODY: shape: item 1 is 3; give a shape or a sequence of shapes");
        check(
            "TRANSLATE(None, (0, 0, 1))\n",
            3,
            1,
            "TRANSLATE: shape: is None; give a shape, a sequence of shapes, or a point",
        );
    }

    #[test]
    fn a_failing_body_does_not_empty_its_shape() {
        let deck = format!(
            "{START}x = SPHERE((0,0,0),1,0,0)\ntry: BODY(s, 'RIGID', x, 'steel')\nexcept TypeError: pass\nBODY(s, 'RIGID', x, m)\n"
        );
        assert_eq!(model(&deck).bodies.len(), 1);
    }

    #[test]
    fn unknown_keyword_and_wrong_counts() {
        let message = "SPHERE: unknown argument 'colour'; arguments are center, radius, volid, surfid";
        check("SPHERE((0,0,0), 1, 1, 1, colour=2)\n", 3, 1, message);
        check("SPHERE((0,0,0), 1, 1)\n", 3, 1, "SPHERE: argument 'surfid' is missing; give an integer");
        check("SPHERE((0,0,0), 1, 1, 1, radius=1)\n", 3, 1, "SPHERE: argument 'radius' given twice");
        let message = "RANK: 1 arguments given, at most 0 taken: none";
        check("RANK(1)\n", 3, 1, message);
    }

    #[test]
    fn negative_step() {
        check("SOLFEC('DYNAMIC', -1e-3, 'out/a')\n", 3, 1, "SOLFEC: step: is -0.001; give a number > 0");
        check("s = SOLFEC('DYNAMIC', 1, 'out/a')\ns.step = 0\n", 3, 2, "SOLFEC.step: value: is 0; give a number > 0");
    }

    #[test]
    fn wrong_words_and_types() {
        let message = "SOLFEC: analysis: is 'dynamic'; give one of 'DYNAMIC', 'QUASI_STATIC'";
        check("SOLFEC('dynamic', 1, 'out/a')\n", 3, 1, message);
        check("WARNINGS('YES')\n", 3, 1, "WARNINGS: state: is 'YES'; give 'ON' or 'OFF'");
        check("SPHERE((0,0), 1, 1, 1)\n", 3, 1, "SPHERE: center: has 2 numbers; give 3");
        check("SPHERE((0,0,0), 1, 1.5, 1)\n", 3, 1, "SPHERE: volid: is 1.5; give an integer");
        check(
            "ROTATE((1,0,0), (0,0,0), (0,0,0), 90)\n",
            3,
            1,
            "ROTATE: rotation axis is (0, 0, 0): give a vector of positive, finite length",
        );
        let deck = format!("{START}BODY(s, 'RIGID', [], m)\n");
        check(&deck, 3, 3, "BODY: shape: is an empty list; give at least one shape");
        let deck = format!("{START}RUN(s, GAUSS_SEIDEL_SOLVER(1, 1), 0)\n");
        check(&deck, 3, 3, "RUN: duration: is 0; give a number > 0");
        let deck = format!("{START}BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m).scheme = 'DEF_EXP'\n");
        starts(&deck, 3, 3, "BODY.scheme: 'DEF_EXP' is for deformable bodies");
        check("SPHERE(b'abc', 1, 1, 1)\n", 3, 1, "SPHERE: center: item 0 is a bytes; give a number");
    }

    #[test]
    fn hull_of_a_plane_is_a_runtime_error() {
        let out =
            prints("try: HULL([0,0,0, 1,0,0, 0,1,0, 1,1,0], 1, 1)\nexcept RuntimeError as e: print(type(e).__name__)");
        assert_eq!(out, "RuntimeError\n");
    }

    #[test]
    fn a_node_moved_through_its_element() {
        let deck = format!("{START}x = HEX({CUBE},1,1,1,1,[1]*6)\nx.node(6, -3, -3, -3)\nBODY(s, 'RIGID', x, m)\n");
        starts(&deck, 3, 5, "BODY: element 0 ");
    }

    #[test]
    fn commands_of_later_versions() {
        let (code, errors) = fails("TETRAHEDRALIZE()\n");
        assert_eq!(code, 3);
        assert!(errors.contains("deck.py:1: TETRAHEDRALIZE: is a command of Solfec 1.0"), "{errors}");
    }

    #[test]
    fn unreadable_deck() {
        let folder = Folder::new();
        let out = folder.build(&["-o", "m.h5", "none.py"]);
        assert_eq!(out.status.code(), Some(4));
        assert_eq!(text(&out.stderr), "sf-build: error: none.py: cannot read: no such file or directory\n");
        std::fs::create_dir(folder.path("dir.py")).unwrap();
        assert_eq!(folder.build(&["-o", "m.h5", "dir.py"]).status.code(), Some(4));
    }
}

mod exceptions {
    use super::*;

    #[test]
    fn the_decks_own_show_their_traceback_without_ours() {
        let (code, errors) = fails("def f(x):\n    return 1 / x\n\nf(0)\n");
        assert_eq!(code, 3);
        let expected = "Traceback (most recent call last):\n  File \"deck.py\", line 4, in <module>\n    f(0)\n  \
             File \"deck.py\", line 2, in f\n    return 1 / x\nZeroDivisionError: division by zero\n\
             sf-build: error: deck.py:2: ZeroDivisionError: division by zero\n";
        assert_eq!(errors.replace("           ~~^~~\n", ""), expected);
    }

    #[test]
    fn name_the_line_of_a_helper_module() {
        let folder = Folder::new();
        folder.write("part.py", "from solfec import *\n\ndef ball():\n    return SPHERE((0,0,0), -1, 0, 0)\n");
        folder.write("deck.py", "import part\npart.ball()\n");
        let errors = text(&folder.build(&["-o", "m.h5", "deck.py"]).stderr);
        assert!(errors.contains("part.py:4: SPHERE: radius: is -1; give a number > 0"), "{errors}");
    }

    #[test]
    fn syntax_errors_name_their_line() {
        let (code, errors) = fails("x = 1\nif x\n    pass\n");
        assert_eq!(code, 3);
        assert!(errors.starts_with("sf-build: error: deck.py:2: SyntaxError: "), "{errors}");
    }

    #[test]
    fn a_dead_python_is_a_message() {
        let (code, errors) = fails("SOLFEC('DYNAMIC', 1, 'out/a')\nimport os\nos._exit(7)\n");
        assert_eq!(
            (code, errors.as_str()),
            (3, "sf-build: error: the deck's Python ended with status 7 after deck.py:1\n")
        );
        let (_, errors) = fails("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n");
        assert_eq!(errors, "sf-build: error: the deck's Python ended by signal 9 before its first command\n");
    }

    #[test]
    fn a_missing_python_is_a_message() {
        let folder = Folder::new();
        folder.write("deck.py", "");
        let out = Command::new(env!("CARGO_BIN_EXE_sf-build"))
            .args(["-o", "m.h5", "deck.py"])
            .env("SF_PYTHON", "/nonexistent/python3")
            .current_dir(&folder.0)
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(4));
        assert!(text(&out.stderr).contains("install Python 3.8 or later, or set SF_PYTHON"));
    }
}

mod live {
    use super::*;

    fn needs_live(deck: &str, line: u32, command: &str) {
        let (code, errors) = fails(deck);
        assert_eq!(code, 7, "{errors}");
        let place = format!("sf-build: error: deck.py:{line}: {command}: ");
        assert!(errors.starts_with(&place) && errors.ends_with("; use: sf-run deck.py\n"), "{errors}");
        assert_eq!(errors.lines().count(), 1);
    }

    #[test]
    fn constructs_that_cannot_be_recorded() {
        let run = format!(
            "{START}b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\ng = GAUSS_SEIDEL_SOLVER(1e-3, 10)\nRUN(s, g, 1)\n"
        );
        needs_live(&format!("{START}CALLBACK(s, 1, None, print)\n"), 3, "CALLBACK");
        needs_live(&format!("{run}HISTORY(s, (s, 'KINETIC'), 0, 1)\n"), 6, "HISTORY");
        needs_live(&format!("{run}s.time\n"), 6, "SOLFEC.time");
        needs_live(&format!("{run}b.conf\n"), 6, "BODY.conf");
        needs_live(&format!("{run}g.iters\n"), 6, "GAUSS_SEIDEL_SOLVER.iters");
        needs_live(&format!("{START}GAUSS_SEIDEL_SOLVER(1, 1).itershist = 'ON'\n"), 3, "GAUSS_SEIDEL_SOLVER.itershist");
        needs_live(&format!("{run}MASS_CENTER(b)\n"), 6, "MASS_CENTER");
        needs_live(&format!("{run}SOLFEC('DYNAMIC', 1, 'out/test')\n"), 6, "SOLFEC");
        needs_live(&format!("{run}SOLFEC('DYNAMIC', 1, './out//test')\n"), 6, "SOLFEC");
        needs_live(&format!("{run}s.step\n"), 6, "SOLFEC.step");
        needs_live(&format!("{run}DURATION(s)\n"), 6, "DURATION");
    }

    #[test]
    fn a_deck_cannot_swallow_it() {
        needs_live(&format!("{START}try: CALLBACK(s, 1, None, print)\nexcept Exception: pass\n"), 3, "CALLBACK");
        needs_live(&format!("{START}try: CALLBACK(s, 1, None, print)\nexcept: pass\n"), 3, "CALLBACK");
    }

    #[test]
    fn reading_code_behind_the_mode_is_not_reached() {
        let deck = format!("{START}RUN(s, PENALTY_SOLVER(), 1)\nSEEK(s, 1); FORWARD(s, 2)\nif s.mode == 'READ': HISTORY(s, [], 0, 1)\n");
        assert_eq!(model(&deck).program.len(), 1);
    }
}

mod python2 {
    use super::*;

    /// The deck prints what Python 2.7 printed.
    fn same(name: &str) {
        let folder = Folder::new();
        let deck = decks().join("python2").join(format!("{name}.py"));
        let expected = std::fs::read_to_string(deck.with_extension("out")).unwrap();
        let deck = deck.to_string_lossy().into_owned();
        let out = folder.build_with(&["-q", "--check", &deck], "line\n7\n");
        assert!(out.status.success(), "{}", text(&out.stderr));
        assert_eq!(text(&out.stdout), expected);
        // and so does the deck that is converted once and for all
        for helper in ["executed.py", "helper2.py"] {
            std::fs::copy(decks().join("python2").join(helper), folder.path(helper)).unwrap();
        }
        let converted = folder.build(&["--convert-deck", &deck]).stdout;
        folder.write("converted.py", &text(&converted));
        let out = folder.build_with(&["--check", "--python2", "never", "converted.py"], "line\n7\n");
        if name != "running" {
            assert!(out.status.success(), "{}", text(&out.stderr));
            assert_eq!(text(&out.stdout), expected, "{}", text(&converted));
        }
    }

    #[test]
    fn print_statements() {
        same("printing");
    }

    #[test]
    fn division_lists_and_literals() {
        same("meaning");
    }

    #[test]
    fn tabs_and_exceptions() {
        same("tabs");
    }

    #[test]
    fn exec_execfile_modules_and_input() {
        same("running");
    }

    #[test]
    fn random_streams() {
        same("random_streams");
    }

    #[test]
    fn the_note_and_the_switch() {
        let folder = Folder::new();
        folder.write("two.py", "print 1 / 2\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
        folder.write("three.py", "print(1 / 2)\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
        folder.write("declared.py", "# solfec: python3\nprint(1 / 2)\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
        let run = |args: &[&str]| {
            let out = folder.build(args);
            (out.status.code().unwrap(), text(&out.stdout), text(&out.stderr))
        };
        let (code, out, errors) = run(&["--check", "two.py"]);
        assert_eq!((code, out.as_str()), (0, "0\n"));
        assert_eq!(errors.lines().count(), 1);
        assert!(errors.starts_with("sf-build: note: two.py: Python 2 deck"), "{errors}");
        assert_eq!(run(&["--check", "-q", "two.py"]).2, "");
        let (code, _, errors) = run(&["--check", "--python2", "never", "two.py"]);
        assert_eq!(code, 3);
        assert!(errors.contains("two.py:1: SyntaxError"), "{errors}");
        assert_eq!(run(&["--check", "three.py"]), (0, "0.5\n".into(), String::new()));
        assert_eq!(run(&["--check", "-q", "--python2", "always", "three.py"]).1, "0\n");
        assert_eq!(run(&["--check", "declared.py"]).1, "0.5\n");
    }

    #[test]
    fn errors_name_the_lines_of_the_original() {
        let folder = Folder::new();
        folder.write("deck.py", "if 1:\n\tprint \"a\", \\\n\t\t\"b\"\n        x = 7 / 2\nprint \"\"\"one\ntwo\"\"\"\nSPHERE ((0,0,0), -1, 1, 1)\n");
        let errors = text(&folder.build(&["-q", "-o", "m.h5", "deck.py"]).stderr);
        assert!(errors.contains("sf-build: error: deck.py:7: SPHERE: radius"), "{errors}");
    }

    #[test]
    fn helper_modules_alone_may_be_python2() {
        let folder = Folder::new();
        folder.write("old.py", "print \"old\", 3 / 2\n");
        folder.write("deck.py", "import old\nprint(3 / 2)\nSOLFEC('DYNAMIC', 1, 'out/a')\n");
        assert_eq!(text(&folder.build(&["--check", "deck.py"]).stdout), "old 1\n1.5\n");
    }
}

mod tool {
    use super::*;

    #[test]
    fn refuses_to_overwrite() {
        let folder = Folder::new();
        folder.write("deck.py", "SOLFEC('DYNAMIC', 1, 'out/a')\n");
        folder.write("m.h5", "precious");
        let out = folder.build(&["-o", "m.h5", "deck.py"]);
        assert_eq!(out.status.code(), Some(4));
        assert_eq!(text(&out.stderr), "sf-build: error: m.h5: exists; use --force to overwrite it\n");
        assert_eq!(folder.read("m.h5"), "precious");
        assert!(folder.build(&["-f", "-o", "m.h5", "deck.py"]).status.success());
        assert_eq!(read_file(&folder.path("m.h5")).unwrap().domains.len(), 1);
    }

    #[test]
    fn usage_errors_are_2() {
        let folder = Folder::new();
        for args in [&["--nonsense"][..], &[], &["--set", "1x=2", "d.py"], &["--python2", "maybe", "d.py"]] {
            assert_eq!(folder.build(args).status.code(), Some(2), "{args:?}");
        }
        let help = folder.build(&["--help"]);
        assert!(help.status.success());
        assert!(text(&help.stdout).contains("Examples:") && text(&help.stdout).contains("Exit codes:"));
    }

    #[test]
    fn a_deck_without_objects_is_bad_input() {
        let (code, errors) = fails("x = 1\n");
        assert_eq!(
            (code, errors.as_str()),
            (3, "sf-build: error: deck.py: makes no SOLFEC object; there is nothing to build\n")
        );
    }

    #[test]
    fn full_disk() {
        if !Path::new("/dev/full").exists() {
            let _ = writeln!(std::io::stderr(), "skipped: no /dev/full");
            return;
        }
        let folder = Folder::new();
        folder.write("deck.py", "SOLFEC('DYNAMIC', 1, 'out/a')\n");
        let out = Command::new(env!("CARGO_BIN_EXE_sf-build"))
            .arg("deck.py")
            .current_dir(&folder.0)
            .stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(4));
        assert_eq!(text(&out.stderr), "sf-build: error: standard output: cannot write: no space left on device\n");
    }
}

/// Numbered cases of commands-and-results.md I.2 and I.3, as far as they concern decks that are recorded.
mod commands {
    use super::*;

    #[test]
    fn acc_i_2_1() {
        // every command takes its arguments by name and by position, in the order and with the defaults of the table
        use solfec_tools::deck::{table::signature, Language};
        let expected = [
            "CONVEX (vertices, faces, volid | convex)",
            "HULL (points, volid, surfid | convex)",
            "MESH (nodes, elements, surfids)",
            "HEX (nodes, i, j, k, volid, surfids | dx, dy, dz)",
            "SPHERE (center, radius, volid, surfid)",
            "COPY (shape)",
            "TRANSLATE (shape, vector)",
            "ROTATE (shape, point, vector, angle)",
            "SCALE (shape, coefs)",
            "SOLFEC (analysis, step, output)",
            "BULK_MATERIAL (solfec | model='KIRCHHOFF', label, young=1000000000, poisson=0.25, density=1000, tensile=inf, fields, fracene=inf)",
            "SURFACE_MATERIAL (solfec | surf1, surf2, model='SIGNORINI_COULOMB', label, friction=0, cohesion=0, restitution=0, spring=0, dashpot=0, hpow=1)",
            "BODY (solfec, kind, shape, material | label, form='TL', mesh, base)",
            "INITIAL_VELOCITY (body, linear, angular)",
            "GRAVITY (solfec, vector)",
            "GAUSS_SEIDEL_SOLVER (epsilon, maxiter | meritval=1, failure='CONTINUE', diagepsilon, diagmaxiter, diagsolver='SEMISMOOTH_NEWTON', data, callback)",
            "PENALTY_SOLVER (| variant='IMPLICIT')",
            "RUN (solfec, solver, duration)",
            "OUTPUT (solfec, interval | compression='OFF')",
            "EXTENTS (solfec, extents)",
            "UNPHYSICAL_PENETRATION (solfec, depth)",
            "GEOMETRIC_EPSILON (epsilon)",
            "CONTACT_SPARSIFY (solfec | threshold=0.01, minarea=0, mindist, area='HALF_SURFACE')",
            "CONTACT_EXCLUDE_BODIES (body1, body2)",
            "CONTACT_EXCLUDE_SURFACES (solfec, surf1, surf2)",
            "BYLABEL (solfec, kind, label)",
            "NCPU (| solfec)",
        ];
        let language = Language::standard();
        for line in expected {
            let name = line.split(' ').next().unwrap();
            let command = language.command(name).unwrap();
            assert_eq!(signature(name, command.args), line);
        }
        let out = prints(&format!(
            "a = HEX({CUBE}, 1, 1, 1, 1, surids=[1]*6, dy=[1]); b = HEX(nodes={CUBE}, i=1, j=1, k=1, volid=1, surfids=[1]*6)\n\
             print(a.get_data() == b.get_data())"
        ));
        assert_eq!(out, "True\n");
    }

    #[test]
    fn acc_i_2_9() {
        // exit codes, as far as sf-build gives them
        assert_eq!(fails("raise KeyError('x')\n").0, 3);
        assert_eq!(fails("import sys; sys.exit(3)\n").0, 3);
        assert_eq!(fails("import sys; sys.exit(42)\n").0, 42);
        assert_eq!(fails("import sys; sys.exit('text')\n"), (1, "text\n".into()));
        assert_eq!(fails("open('/nonexistent/file')\n").0, 4);
        assert_eq!(fails("from solfec import SolverError\nraise SolverError('x')\n").0, 6);
        assert_eq!(fails(&format!("{START}CALLBACK(s, 1, None, print)\n")).0, 7);
        let folder = Folder::new();
        folder.write("deck.py", "import sys\nSOLFEC('DYNAMIC', 1, 'out/a')\nsys.exit()\n");
        assert!(folder.build(&["-o", "m.h5", "deck.py"]).status.success());
    }

    #[test]
    fn acc_i_3_17() {
        let out = prints(&format!(
            "{START}print(NON_SOLFEC_ARGV(), IMBALANCE_TOLERANCE(s, 1), BARRIER())\nx = HEX({CUBE}, 1,1,1,1,[1]*6)\n\
             print(x.nodes_on_surface(2), repr(BODY(s, 'RIGID', x, m).label))\ns.verbose = '%\\n'; print(s.verbose)\n\
             print(m.label, SURFACE_MATERIAL(s, 1, 2).label, BYLABEL(s, 'SURFACE_MATERIAL', 'DEFAULT').label)\n\
             print(SURFACE_MATERIAL(s, 2, 1) == SURFACE_MATERIAL(s, 1, 2))\nOUTPUT(s, 0)\n\
             try: RUN(s, PENALTY_SOLVER(), 0)\nexcept ValueError: print('refused')"
        ));
        let expected = "None True True\nNone ''\n%\nBULK_MATERIAL_0 SURFACE_MATERIAL_1 DEFAULT\nTrue\nrefused\n";
        assert_eq!(out, expected);
    }
}

mod reference {
    use super::*;

    /// docs/commands.md is what the table says. `SF_UPDATE_DOCS=1` writes it anew.
    #[test]
    fn is_not_stale() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
        let made = solfec_tools::deck::reference::markdown(&solfec_tools::deck::Language::standard());
        if std::env::var_os("SF_UPDATE_DOCS").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == made, "docs/commands.md is stale; run SF_UPDATE_DOCS=1 cargo test --test deck reference");
    }
}
