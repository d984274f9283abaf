//! READ mode: what a deck sees of stored results, and the check that they belong to it.

use super::common::*;

/// Bricks on a floor, a fixed ball, a driven one, a link and a spring.
const SCENE: &str = "
s = SOLFEC('DYNAMIC', 1E-3, 'out/scene')
m = BULK_MATERIAL(s, young=1E6, poisson=0.3, density=1E3, label='STONE')
SURFACE_MATERIAL(s, friction=0.5)
SURFACE_MATERIAL(s, 1, 2, friction=0.1, label='SLIDE')
GRAVITY(s, (0, 0, -10))
nodes = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
cube = HEX(nodes, 1, 1, 1, 1, [1, 1, 1, 1, 1, 1])
floor = HEX(nodes, 1, 1, 1, 1, [2, 2, 2, 2, 2, 2])
BODY(s, 'OBSTACLE', TRANSLATE(SCALE(floor, (9, 9, 1)), (0, 0, -1)), m, label='FLOOR')
brick = BODY(s, 'RIGID', TRANSLATE(COPY(cube), (1, 1, 0)), m, label='BRICK')
soft = BODY(s, 'PSEUDO_RIGID', TRANSLATE(COPY(cube), (1, 1, 1)), m, label='SOFT')
INITIAL_VELOCITY(brick, (0.5, 0, 0), (0, 0, 0))
balls = [BODY(s, 'RIGID', SPHERE((5 + i, 5, 5), 0.3, 3, 3), m, label='BALL%d' % i) for i in range(4)]
fixed = FIX_POINT(balls[0], (5, 5, 5.2))
link = PUT_RIGID_LINK(balls[0], balls[1], (5, 5, 5), (6, 5, 5))
drive = SET_VELOCITY(balls[2], (7, 5, 5), (1, 0, 0), 0.2)
spring = PUT_SPRING(balls[2], (7, 5, 5), balls[3], (8, 5, 5), (1E3, 10), (-1, 1))
solver = GAUSS_SEIDEL_SOLVER(1E-6, 1000)
OUTPUT(s, 0.005)
def show():
    print(round(s.time, 9), s.nbod, s.ncon, ENERGY(s), ENERGY(s, brick), ENERGY(s, [brick, soft]).dissipated)
    for b in s.bodies:
        print(b.label, b.kind, b.material, b.mass, b.conf, b.velo, [c for c in b.constraints], b.ncon)
        print(DISPLACEMENT(b, (1, 2, 3)), VELOCITY(b, (1, 2, 3)), STRESS(b, (1, 2, 3)), MASS_CENTER(b))
    for c in s.constraints:
        print(c, c.kind, c.R, c.U, c.V, c.base, c.point, c.gap, c.area, c.merit, c.adjbod, c.matlab, c.spair)
    print([c in s.constraints for c in (fixed, link, drive, spring)], brick.mesh.node(3), BYLABEL(s, 'BODY', 'SOFT') == soft)
";

/// The last frame in READ mode shows exactly what the running simulation showed.
#[test]
fn stored_and_live_states_are_the_same() {
    let folder = Scratch::new();
    let rest = "
RUN(s, solver, 0.02)
if s.mode == 'READ': SEEK(s, 1)
show()
";
    folder.write("deck.py", &format!("{SCENE}{rest}"));
    let live = done(&folder, "sf-run -q deck.py");
    for word in ["CONTACT", "FIXPNT", "RIGLNK", "VELODIR", "SPRING", "SLIDE", "[True, True, True, True]"] {
        assert!(live.contains(word), "{word} is not in\n{live}");
    }
    assert!(live.lines().last().unwrap().ends_with("True"), "{live}");
    assert_eq!(done(&folder, "sf-run -q deck.py"), live);
}

/// Before the first reading command there is the model of the deck; the first one only loads a frame.
#[test]
fn the_model_is_shown_before_the_first_frame() {
    let folder = Scratch::new();
    let rest = "
RUN(s, solver, 0.02)
if s.mode == 'READ':
    print(s.time, s.nbod, s.ncon, fixed.kind, fixed.R, brick.velo, DISPLACEMENT(brick, (1, 1, 0)), TIMING(s, 'CONSOL'))
    BACKWARD(s, 5); print(s.time, s.ncon, fixed.kind)
    FORWARD(s, 1); print(s.time, s.ncon > 4, TIMING(s, 'CONSOL') > 0, TIMING(s, 'PARBAL'))
    try: TIMING(s, 'LUNCH')
    except ValueError: print('no lunch')
    print(DELETE(s, brick), OUTPUT(s, 1), s.nbod, NCPU(s), VIEWER(), LOCDYN_DUMP(s, 'no'))
    INITIAL_VELOCITY(brick, (7, 7, 7), (0, 0, 0)); brick.damping = 1
    print(brick.velo[3] < 1)
";
    folder.write("deck.py", &format!("{SCENE}{rest}"));
    done(&folder, "sf-run -q deck.py");
    let expected = "0.0 7 4 FIXPNT (0.0, 0.0, 0.0) (0.0, 0.0, 0.0, 0.5, 0.0, 0.0) (0.0, 0.0, 0.0) 0.0
0.0 4 FIXPNT
0.005 True True 0.0
no lunch
None None 7 1 False None
True
";
    assert_eq!(done(&folder, "sf-run -q deck.py"), expected);
    assert!(!folder.path("no").exists());
}

/// Bodies that callbacks insert and delete come and go with the frames (I.2.6), with the ids they had.
const GROWTH: &str = "
s = SOLFEC('DYNAMIC', 0.01, 'out/growth')
m = BULK_MATERIAL(s, density=1)
made = []
def insert(x, label):
    made.append(BODY(s, 'RIGID', SPHERE((x, 0, 0), 1, 1, 1), m, label=label))
    FIX_POINT(made[-1], (x, 0, 0))
insert(0, 'FIRST')
def grow():
    if len(made) == 1 and s.time > 0.105: insert(10, 'SECOND')
    elif len(made) == 2 and s.time > 0.155: insert(15, 'THIRD')
    return 1
OUTPUT(s, 0.05)
CALLBACK(s, 0.05, (), grow)
RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.25)
";

#[test]
fn growth() {
    let folder = Scratch::new();
    let rest = "
last = BODY(s, 'RIGID', SPHERE((50, 0, 0), 1, 1, 1), m, label='LAST')
RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.05)
DELETE(s, made[0])
RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.05)
print(last.id)
if s.mode == 'READ':
    SEEK(s, 0)
    for k in range(8):
        third = BYLABEL(s, 'BODY', 'THIRD')
        print(round(s.time, 9), s.nbod, [b.id for b in s.bodies], [c.adjbod.id for c in s.constraints],
              third and DISPLACEMENT(third, (15, 0, 0)), last.velo[5], last.label, last.ncon, ENERGY(s, last)[0],
              [c.kind for c in made[0].constraints])
        FORWARD(s, 1)
    SEEK(s, 0.2); third = BYLABEL(s, 'BODY', 'THIRD'); link = third.constraints[0]; print(third.mass > 4, link.kind)
    SEEK(s, 0); print(third.label, third.conf, third.velo, STRESS(third, (0, 0, 0)), link.kind, link.R)
";
    folder.write("deck.py", &format!("{GROWTH}{rest}"));
    assert_eq!(done(&folder, "sf-run -q --compat schedule deck.py"), "4\n");
    let read = done(&folder, "sf-run -q --compat schedule deck.py");
    let lines: Vec<&str> = read.lines().collect();
    assert_eq!(lines[0], "4");
    let starts = [
        "0.0 1 [1] [1] None nan",
        "0.05 1 [1] [1] None nan",
        "0.11 1 [1] [1] None nan",
        "0.16 2 [2, 1] [2, 1] None nan",
        "0.2 3 [3, 2, 1] [3, 2, 1] (0.0, 0.0, 0.0) nan",
    ];
    for (line, start) in lines[1..].iter().zip(starts) {
        assert!(line.starts_with(start), "{line}\nis not\n{start}\n{read}");
    }
    assert!(lines[1].ends_with("LAST 0 0.0 ['FIXPNT']"), "{}", lines[1]);
    assert!(
        lines[8].contains(" 3 [4, 3, 2] [3, 2] (0.0, 0.0, 0.0) 0.0 LAST 0") && lines[8].ends_with("[]"),
        "{}",
        lines[8]
    );
    assert_eq!(lines[9], "True FIXPNT");
    let nan = |n: usize| format!("({})", vec!["nan"; n].join(", "));
    assert_eq!(lines[10], format!("THIRD {} {} {} None None", nan(12), nan(6), nan(7)));
}

/// For a deck that has changed, the first body that differs is reported; a RUN reports what is missing.
#[test]
fn changed_decks() {
    let folder = Scratch::new();
    let deck = "
s = SOLFEC('DYNAMIC', 0.01, 'out/changed')
m = BULK_MATERIAL(s, density=1)
for i in range(3): BODY(s, 'RIGID', SPHERE((3 * i, 0, 0), 1, 1, 1), m, label='B%d' % i)
f = FIX_POINT(s.bodies[0], (0, 0, 0))
RUN(s, GAUSS_SEIDEL_SOLVER(1E-3, 10), 0.05)
SEEK(s, 1)
print(s.mode, s.nbod)
";
    folder.write("deck.py", deck);
    done(&folder, "sf-run -q deck.py");
    assert_eq!(done(&folder, "sf-run -q deck.py"), "READ 3\n");
    let told = |from: &str, to: &str| {
        folder.write("deck.py", &deck.replace(from, to));
        fails(&folder, "sf-run -q deck.py", 4)
    };
    let head =
        "sf-run: error: deck.py:6: RUN: the deck does not make the model of the results in out/changed: at RUN 1: ";
    let tail = "; run with -w to replace the results, or read them all the same with --force-read\n";
    let cases = [
        ("density=1", "density=2", "body 1 'B0' (deck line 4) has mass "),
        ("'B%d'", "'C%d'", "body 1 'C0' (deck line 4) has another label, stored is 'B0'"),
        ("3 * i", "3 * i + i", "body 2 'B1' (deck line 4) has centre (4, 0, 0), stored is (3, 0, 0)"),
        ("'RIGID'", "'OBSTACLE'", "body 1 'B0' (deck line 4) is OBSTACLE, stored is RIGID"),
        ("range(3)", "range(2)", "body 3 'B2' (deck line 4) is stored and has not been made"),
        ("range(3)", "range(4)", "body 4 'B3' (deck line 4) is not among the 3 stored bodies"),
        (
            "FIX_POINT(s.bodies[0]",
            "FIX_POINT(s.bodies[1]",
            "user constraint 1 (deck line 5) is on body 2, the stored one on body 3",
        ),
    ];
    for (from, to, what) in cases {
        let text = told(from, to);
        assert!(text.starts_with(&format!("{head}{what}")) && text.ends_with(tail), "{text}");
    }
    folder.write("deck.py", &deck.replace("density=1", "density=2"));
    let forced = shell(&folder, "sf-run -q --force-read deck.py");
    let warning = String::from_utf8_lossy(&forced.stderr).into_owned();
    assert!(warning.starts_with("sf-run: warning: deck.py:6: RUN: the deck does not make"), "{warning}");
    assert_eq!(String::from_utf8_lossy(&forced.stdout), "READ 3\n");
}

/// A deck of Python 2 that uses the mode twice: the first run computes, the second reads.
#[test]
fn a_python_2_deck_that_asks_for_the_mode() {
    let folder = Scratch::new();
    let deck = "
s = SOLFEC ('DYNAMIC', 1E-2, 'out/mode')
m = BULK_MATERIAL (s)
b = BODY (s, 'RIGID', SPHERE ((0, 0, 0), 1, 1, 1), m)
GRAVITY (s, (0, 0, -10))
if s.mode == 'WRITE': OUTPUT (s, 0.1)
RUN (s, GAUSS_SEIDEL_SOLVER (1E-3, 10), 1 / 2 + 0.5)
if not VIEWER() and s.mode == 'READ':
\tdur = DURATION (s)
\tt = dur [0]
\twhile t < dur [1]:
\t\tprint '%.3f' % DISPLACEMENT (b, (0, 0, 0)) [2],
\t\tFORWARD (s, 1)
\t\tt = s.time
\tprint
";
    folder.write("deck.py", deck);
    assert_eq!(done(&folder, "sf-run -q deck.py"), "");
    assert_eq!(done(&folder, "sf-run -q deck.py"), "0.000 -0.050 -0.200 -0.450 -0.800\n");
}

/// Arguments in the wrong order are reported by name.
#[test]
fn the_solfec_object_comes_first() {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("{SCENE}ENERGY(brick)\n"));
    let told = fails(&folder, "sf-run -q deck.py", 3);
    assert!(told.contains("ENERGY: solfec: is a BODY; name its SOLFEC object first: ENERGY (solfec, body)"), "{told}");
}

/// The objects of a deck and the module tell whether results go on; here they do not.
#[test]
fn restarted() {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("{SCENE}import solfec\nprint(s.restarted, solfec.restarted)\n"));
    assert_eq!(done(&folder, "sf-run -q deck.py"), "False False\n");
}

/// Everything that a deck states is compared with what was run; the member that differs is named.
#[test]
fn stated_values_are_compared() {
    let folder = Scratch::new();
    let deck = format!(
        "{SCENE}
FORCE(brick, 'SPATIAL', (1.5, 1.5, 0.5), (1, 0, 0), 5)
FORCE(brick, 'SPATIAL', (1.5, 1.5, 0.5), (0, 1, 0), TIME_SERIES([0, 0, 1, 7]))
CONTACT_POINTS(s, 4)
RUN(s, solver, 0.01)
if s.mode == 'READ':
    SEEK(s, 1)
    print(s.nbod)
"
    );
    folder.write("deck.py", &deck);
    done(&folder, "sf-run -q deck.py");
    assert_eq!(done(&folder, "sf-run -q deck.py"), "7\n");
    let differences = [
        ("1E-3, 'out", "2E-3, 'out", "SOLFEC: the step is 0.002, stored is 0.001"),
        ("'DYNAMIC'", "'QUASI_STATIC'", "SOLFEC: analysis is QuasiStatic, stored is Dynamic"),
        ("0, 0, -10)", "0, 0, -9)", "GRAVITY: z is -9, stored is -10"),
        ("young=1E6", "young=2E6", "BULK_MATERIAL 'STONE': young is 2000000, stored is 1000000"),
        ("friction=0.5", "friction=0", "'DEFAULT' of all other surfaces: friction is 0.0, stored is 0.5"),
        ("(s, friction=0.5", "(s", "'DEFAULT' of all other surfaces: friction is 0.0, stored is 0.5"),
        ("friction=0.5", "friction=0.7", "'DEFAULT' of all other surfaces: friction is 0.7, stored is 0.5"),
        (
            "2, friction=0.1",
            "2, friction=0.1, restitution=1",
            "'SLIDE' of surfaces 1 and 2: restitution is 1.0, stored is 0.0",
        ),
        ("1, 2, friction", "1, 3, friction", "SURFACE_MATERIAL 'SLIDE' of surfaces 1 and 3 is not stored"),
        ("(0.5, 0, 0), (0", "(0.6, 0, 0), (0", "its velocity is (0, 0, 0, 0.6, 0, 0), stored is (0, 0, 0, 0.5, 0, 0)"),
        ("(1, 0, 0), 5)", "(1, 0, 0), 6)", "load 1 (deck line 30) has value 6, stored is 5"),
        ("(1, 0, 0), 5)", "(0, 0, 1), 5)", "load 1 (deck line 30) acts in another place or direction"),
        ("[0, 0, 1, 7]", "[0, 0, 1, 8]", "load 2 (deck line 31) has value a series of 2 points"),
        ("(5, 5, 5.2)", "(5, 5, 5.1)", "user constraint 1 (deck line 15) has point (5, 5, 5.1), stored is (5, 5, 5.2)"),
        ("(1, 0, 0), 0.2)", "(1, 0, 0), 0.3)", "user constraint 3 (deck line 17) has value 0.3, stored is 0.2"),
        ("(1E3, 10)", "(2E3, 10)", "user constraint 4 (deck line 18) has the spring (2000, 10), stored is (1000, 10)"),
        ("(s, 4)", "(s, 3)", "CONTACT_POINTS has other values"),
    ];
    for (from, to, what) in differences {
        assert!(deck.contains(from), "{from}");
        folder.write("deck.py", &deck.replacen(from, to, 1));
        let told = fails(&folder, "sf-run -q deck.py", 4);
        assert!(told.contains(what) && told.contains("; run with -w to replace the results, or"), "{from}: {told}");
    }
    let forced = shell(&folder, "sf-run -q --force-read deck.py");
    assert_eq!((forced.status.code(), &forced.stdout[..]), (Some(0), &b"7\n"[..]));
}

/// A deck that reads may leave out what only a run needs, and change what comes after RUN.
#[test]
fn a_deck_that_reads_may_state_less() {
    let folder = Scratch::new();
    let deck = format!("{SCENE}FORCE(brick, 'SPATIAL', (1.5, 1.5, 0.5), (1, 0, 0), 5)\nRUN(s, solver, 0.01)\n");
    folder.write("deck.py", &deck);
    done(&folder, "sf-run -q deck.py");
    let starts = ["SURFACE_MATERIAL", "GRAVITY", "INITIAL_VELOCITY", "OUTPUT", "FORCE", "spring ="];
    let less: Vec<&str> = deck.lines().filter(|l| !starts.iter().any(|start| l.starts_with(start))).collect();
    let less = less.join("\n").replace(", spring)", ")");
    folder.write("deck.py", &format!("{less}\nSEEK(s, 1)\nprint(round(s.time, 6))\n"));
    let read = shell(&folder, "sf-run -q deck.py");
    assert_eq!(String::from_utf8_lossy(&read.stderr), "");
    assert_eq!(String::from_utf8_lossy(&read.stdout), "0.01\n");
}

/// Results that are read are announced with their age; another solver, OUTPUT or duration is a warning.
#[test]
fn reading_is_announced() {
    let folder = Scratch::new();
    let deck = format!("{SCENE}RUN(s, solver, 0.01)\n");
    folder.write("deck.py", &deck);
    done(&folder, "sf-run -q deck.py");
    let told = |line: &str| String::from_utf8_lossy(&shell(&folder, line).stderr).into_owned();
    let text = told("sf-run deck.py");
    assert!(text.starts_with("sf-run: note: out/scene: reading results of ") && text.contains(" s ago, "), "{text}");
    assert!(text.ends_with("nothing is computed; the deck has not changed since; -w runs again\n"), "{text}");
    assert_eq!(told("sf-run -q deck.py"), "");
    assert_eq!(told("sf-run --read deck.py"), "");
    let text = told("sf-run --read --dump-locdyn 1:step.h5 deck.py");
    assert_eq!(text, "sf-run: warning: --dump-locdyn: no step is made where results are read; -w runs again\n");
    for (from, to, what) in [
        ("1E-6, 1000)", "1E-4, 1000)", "RUN 1 uses GAUSS_SEIDEL_SOLVER with other members: diagepsilon is "),
        (
            "GAUSS_SEIDEL_SOLVER(1E-6, 1000)",
            "NEWTON_SOLVER()",
            "RUN 1 uses NEWTON_SOLVER, stored is GAUSS_SEIDEL_SOLVER",
        ),
        ("solver, 0.01)", "solver, 0.02)", "RUN 1 lasts 0.02 s, stored is 0.01 s"),
        ("OUTPUT(s, 0.005)", "OUTPUT(s, 0.002)", "OUTPUT before RUN 1 has interval 0.002 s, stored is 0.005 s"),
    ] {
        folder.write("deck.py", &deck.replace(from, to));
        let text = told("sf-run deck.py");
        assert!(text.contains("the text of the deck has changed since"), "{text}");
        assert!(
            text.contains(&format!("warning: deck.py:29: RUN: {what}")) && text.contains(": the stored run is read"),
            "{what}: {text}"
        );
        if !to.ends_with("0.02)") {
            let refused = fails(&folder, "sf-run -q -c deck.py", 3);
            assert!(refused.contains(what) && refused.contains("run with -w instead of -c"), "{refused}");
        }
    }
    folder.write("deck.py", &deck.replace("solver, 0.01)", "solver, 0.005)"));
    assert!(fails(&folder, "sf-run -q -c deck.py", 3).contains("RUN 1 lasts 0.005 s, stored is 0.01 s"));
}
