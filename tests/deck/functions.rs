//! Functions of decks: recorded with --allow-live, and called by sf-run.

use super::*;
use solfec::model::{FunctionKind, FunctionRow, Joint, LoadKind, SpringLaw};

impl Folder {
    /// Runs a deck live.
    pub(super) fn run(&self, deck: &str) -> Output {
        self.write("deck.py", deck);
        let mut command = Command::new(env!("CARGO_BIN_EXE_sf-run"));
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            command.env("SF_PYTHON", python);
        }
        command.args(["-q", "deck.py"]).current_dir(&self.0).output().unwrap()
    }
}

/// What a deck prints that runs.
fn runs(deck: &str) -> String {
    let out = Folder::new().run(deck);
    assert!(out.status.success(), "{}{}", text(&out.stdout), text(&out.stderr));
    text(&out.stdout)
}

/// A ball of mass 1 with nothing around it, and steps of 0.125 s.
const BALL: &str = "from math import pi\ns = SOLFEC('DYNAMIC', 0.125, 'out/test')\ns.verbose = 'OFF'\nm = BULK_MATERIAL(s, density=3/(4*pi))\n\
                    b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\n";

#[test]
fn become_rows_of_the_model() {
    let folder = Folder::new();
    let deck = format!(
        "{BALL}def force(q, u, time, step): return (0,)*9\nclass Law:\n  def law(self, stroke, velocity): return -stroke\n\
         def failed(solver): return 1\no = BODY(s, 'OBSTACLE', SPHERE((0,0,-9),1,0,0), m)\nFORCE(b, 'SPATIAL', (0,0,0), (0,0,0), force)\n\
         PUT_SPRING(b, (0,0,0), o, (0,0,-9), Law().law, (-1, 1))\nCALLBACK(s, 0.25, None, lambda x: 1)\n\
         g = GAUSS_SEIDEL_SOLVER(1e-3, 10, failure='CALLBACK', callback=failed)\nRUN(s, g, 1)\n"
    );
    folder.write("deck.py", &deck);
    assert_eq!(folder.build(&["-o", "m.h5", "deck.py"]).status.code(), Some(7));
    let out = folder.build(&["-o", "m.h5", "--allow-live", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let file = read_file(&folder.path("m.h5")).unwrap();
    assert!(file.provenance.requires_live);
    let model = &file.domains[0];
    let row = |function, name: &str, kind, line| FunctionRow { function, name: name.into(), kind, line };
    let expected = [
        row(0, "force", FunctionKind::Force, 11),
        row(1, "Law.law", FunctionKind::Spring, 12),
        row(2, "<lambda>", FunctionKind::Callback, 13),
        row(3, "failed", FunctionKind::Failure, 14),
    ];
    assert_eq!(model.functions, expected);
    assert_eq!(model.loads[0].kind, LoadKind::Function { function: 0 });
    let Joint::Spring { law, .. } = model.constraints[0].joint else { panic!("no spring") };
    assert_eq!(law, SpringLaw::Function { function: 1 });
    assert_eq!(model.program[0], Op::Callback { interval: 0.25, function: Some(2) });
    let Op::Run { solver, .. } = &model.program[1] else { panic!("no run") };
    assert_eq!(solver.callback, Some(3));
    let again = folder.build(&["--no-provenance", "--allow-live", "deck.py"]).stdout;
    assert_eq!(
        again,
        folder.build(&["--no-provenance", "--allow-live", "deck.py"]).stdout,
        "equal decks give equal files"
    );
}

#[test]
fn need_live_execution() {
    for (line, message) in [
        ("CALLBACK(s, 1, None, print)", "CALLBACK: the function 'print' needs live execution"),
        ("FORCE(b, 'SPATIAL', (0,0,0), (1,0,0), print)", "FORCE: the function 'print' needs live execution"),
        (
            "GAUSS_SEIDEL_SOLVER(1, 1, failure='CALLBACK', callback=print)",
            "GAUSS_SEIDEL_SOLVER: the function 'print' needs live execution",
        ),
    ] {
        let (code, errors) = fails(&format!("{BALL}{line}\n"));
        assert_eq!((code, errors), (7, format!("sf-build: error: deck.py:6: {message}; use: sf-run deck.py\n")));
    }
}

/// FORCE: arguments, time levels (q at t+h/2, u at t), data.
#[test]
fn of_forces() {
    let out = runs(&format!(
        "{BALL}calls = []\ndef force(*args):\n  calls.append(args)\n  return [0, 0, 8, 0, 0, 0, 0, 0, 0]\n\
         FORCE(b, 'SPATIAL', (0,0,0), (0,0,0), force)\nRUN(s, 'AUTO', 0.25)\n\
         for q, u, time, step in calls: print(type(q).__name__, len(q), round(q[11], 12), type(u).__name__, len(u), round(u[5], 12), time, step)\n\
         print(round(b.velo[5], 12), round(b.conf[11], 12))\n"
    ));
    // a = 8: v = 0, 1, 2; at mid-step the place of the free flight
    let expected = "tuple 12 0.0 tuple 6 0.0 0.0625 0.125\ntuple 12 0.125 tuple 6 1.0 0.1875 0.125\n2.0 0.25\n";
    assert_eq!(out, expected);
    let out = runs(&format!(
        "{BALL}def force(*args):\n  print(len(args), args[:-4])\n  return (0.0,)*9\n\
         for data in ((1, 2), [1, 2], 'x', (), None, b): FORCE(b, 'SPATIAL', (0,0,0), (0,0,0), force, data)\n\
         FORCE(b, 'SPATIAL', (0,0,0), (0,0,0), data=(3,), value=force)\nRUN(s, 'AUTO', 0.125)\n"
    ));
    // the latest created first
    let expected = "5 (3,)\n5 (<BODY 0 1>,)\n4 ()\n4 ()\n5 ('x',)\n5 ([1, 2],)\n6 (1, 2)\n";
    assert_eq!(out, expected);
}

/// What a function raises, RUN raises: the very exception, with its traceback.
#[test]
fn that_raise() {
    let deck = format!(
        "{BALL}class Mine(Exception): pass\ndef force(q, u, time, step):\n  if time > 0.2: raise Mine('at %g' % time)\n  return (0,)*9\n\
         FORCE(b, 'SPATIAL', (0,0,0), (0,0,0), force)\n"
    );
    let out = runs(&format!("{deck}try: RUN(s, 'AUTO', 1)\nexcept Mine as e: print(e, s.time)\n"));
    assert_eq!(out, "at 0.3125 0.25\n");
    let out = Folder::new().run(&format!("{deck}RUN(s, 'AUTO', 1)\n"));
    let errors = text(&out.stderr);
    assert_eq!(out.status.code(), Some(3), "{errors}");
    assert!(
        errors.starts_with(
            "Traceback (most recent call last):\n  File \"deck.py\", line 11, in <module>\n    RUN(s, 'AUTO', 1)\n"
        ),
        "{errors}"
    );
    assert!(errors.contains("  File \"deck.py\", line 8, in force\n") && !errors.contains("sf-prelude"), "{errors}");
    assert!(errors.ends_with("sf-run: error: deck.py:8: Mine: at 0.3125\n"), "{errors}");
    for (function, status) in
        [("lambda *a: exit(9)", 9), ("lambda *a: 1/0", 3), ("lambda: 0", 3), ("lambda *a: open('/none')", 4)]
    {
        let out = Folder::new().run(&format!("{BALL}CALLBACK(s, 1, (), {function})\nRUN(s, 'AUTO', 1)\n"));
        let expected = if function == "lambda: 0" { 0 } else { status };
        assert_eq!(out.status.code(), Some(expected), "{function}: {}", text(&out.stderr));
    }
}

#[test]
fn that_return_nonsense() {
    for (result, wanted) in [
        ("'x'", "function force of FORCE returned 'x'; return a tuple of numbers"),
        ("None", "function force of FORCE returned None; return a tuple of numbers"),
        (
            "(1, 2, 3)",
            "function 'force' returned 3 numbers; it must return 9: spatial force, spatial torque, referential torque",
        ),
        ("(1, 'x')*5", "function force of FORCE returned a sequence of 10; return a tuple of numbers"),
        ("(float('nan'),)*9", "number 0 that function 'force' returned at time 6.250000e-2 s is NaN"),
    ] {
        let deck = format!(
            "{BALL}def force(q, u, time, step): return {result}\nFORCE(b, 'SPATIAL', (0,0,0), (0,0,0), force)\nRUN(s, 'AUTO', 1)\n"
        );
        let out = Folder::new().run(&deck);
        let errors = text(&out.stderr);
        assert_eq!(out.status.code(), Some(3), "{errors}");
        assert!(errors.starts_with("sf-run: error: deck.py:8: RUN: ") && errors.contains(wanted), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}

/// CALLBACK: when it is called, its data, what its result means.
#[test]
fn called_back() {
    let out = runs(&format!(
        "{BALL}def f(*data):\n  print(data, s.time)\n  return result\nfor data in ((), (1, 2), None, 7, [1]):\n  CALLBACK(s, 0.25, data, f)\n\
         {INDENT}result = None; RUN(s, 'AUTO', 0.125)\n",
        INDENT = "  "
    ));
    let expected = "() 0.125\n(1, 2) 0.25\n(None,) 0.375\n(7,) 0.5\n([1],) 0.625\n";
    assert_eq!(out, expected);
    let out = runs(&format!(
        "{BALL}CALLBACK(s, 0.25, (), lambda: {{0.125: None, 0.25: 'x', 0.5: 5, 0.75: 0}}[s.time])\nRUN(s, 'AUTO', 2); print(s.time)\nRUN(s, 'AUTO', 0.125); print(s.time)\n"
    ));
    assert_eq!(out, "0.75\n0.875\n");
}

/// A callback lowers the friction under a block on a slope of 0.4 from 0.5 to 0.1: it slides with 4 - 0.1 * 10 m/s2.
#[test]
fn change_friction_of_standing_contacts() {
    let out = runs(
        "s = SOLFEC('DYNAMIC', 1/128, 'out/slide'); s.verbose = 'OFF'\nm = BULK_MATERIAL(s, density=1)\n\
         surface = SURFACE_MATERIAL(s, friction=0.5)\nGRAVITY(s, (4, 0, -10))\n\
         BODY(s, 'OBSTACLE', BOX((-9, -9, -1), (9, 9, 0), 1, 1), m)\n\
         b = BODY(s, 'RIGID', BOX((0, 0, 0), (1, 1, 0.1), 1, 1, i=2, j=2), m)\n\
         def loosen():\n  if s.time == 0.25: surface.friction = 0.1\n  print(s.time, s.ncon, abs(b.velo[3] - max(0, s.time - 0.25) * 3) < 1e-6)\n\
         CALLBACK(s, 0.125, (), loosen)\nRUN(s, GAUSS_SEIDEL_SOLVER(1e-12, 1000), 0.5)\n",
    );
    assert_eq!(out, "0.0078125 4 True\n0.125 4 True\n0.25 4 True\n0.375 4 True\n0.5 4 True\n");
}

/// Whoever waits serves what arrives: commands inside functions, runs inside callbacks.
#[test]
fn that_use_commands() {
    let out = runs(&format!(
        "{BALL}r = SOLFEC('DYNAMIC', 0.5, 'out/other'); r.verbose = 'OFF'\nBODY(r, 'RIGID', SPHERE((0,0,0),1,0,0), BULK_MATERIAL(r))\n\
         def f(body):\n  INITIAL_VELOCITY(body, (0, 0, s.time), (0, 0, 0)); FORCE(body, 'SPATIAL', (0,0,0), (1,0,0), 1)\n  RUN(r, 'AUTO', 0.5)\n\
         {INDENT}BODY(s, 'RIGID', SPHERE((0,0,9 + s.time*100),1,0,0), m)\n\
         CALLBACK(s, 0.25, b, f)\nRUN(s, 'AUTO', 0.5); print(r.time, b.velo[5], s.nbod)\n\
         def g():\n  try: RUN(s, 'AUTO', 1)\n  except RuntimeError as e: print(str(e).split(': ', 2)[2])\nCALLBACK(s, 1, (), g); RUN(s, 'AUTO', 0.125)\n",
        INDENT = "  "
    ));
    let expected = "1.5 0.5 4\nthis SOLFEC object runs already; RUN cannot be called from its own callback\n";
    assert_eq!(out, expected);
}

#[test]
fn of_springs() {
    // 1 kg at 3 m: k = 100, stroke 0 at the start, pulled by a velocity
    let out = runs(&format!(
        "{BALL}s.step = 1/128\no = BODY(s, 'OBSTACLE', SPHERE((3,0,0),1,0,0), m)\nstrokes = []\ndef law(stroke, velocity):\n  strokes.append(stroke)\n  return -100*stroke\n\
         c = PUT_SPRING(o, (3,0,0), b, (0,0,0), law, (-1, 1), (-1,0,0))\nb.velo = (0,0,0, 1,0,0)\nRUN(s, 'AUTO', 1/16)\n\
         print(min(strokes) < -0.04, max(strokes) <= 0, c.kind, c.R[2] > 4, c.gap < -0.04, len(c.point), ENERGY(s)[0] < 0.5)\n"
    ));
    assert_eq!(out, "True True SPRING True True 3 True\n");
}

/// A constraint of a running simulation (docs/theory.md 8).
#[test]
fn members_of_constraints_in_a_run() {
    let out = runs(&format!(
        "{BALL}GRAVITY(s, (0,0,-8))\nc = FIX_POINT(b, (0,0,0)); d = FIX_POINT(b, (0,0,0)) if 0 else None\nprint(s.ncon, c.R)\nRUN(s, 'AUTO', 0.25)\n\
         print(s.ncon, s.constraints == [c], b.constraints == [c], c.kind, [round(x, 9) for x in c.R], c.point, c.adjbod == b, c.matlab)\n\
         DELETE(s, c); RUN(s, 'AUTO', 0.125); print(s.ncon, c.R, c.kind, b.velo[5])\n"
    ));
    let expected =
        "1 (0.0, 0.0, 0.0)\n1 True True FIXPNT [0.0, 0.0, 8.0] (0.0, 0.0, 0.0) True None\n0 None None -1.0\n";
    assert_eq!(out, expected);
}

/// A contact of a running simulation.
#[test]
fn members_of_contacts_in_a_run() {
    let out = runs(&format!(
        "{BALL}SURFACE_MATERIAL(s, 1, 2, label='soft')\nGRAVITY(s, (0,0,-8))\nDELETE(s, b); b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,2), m)\n\
         o = BODY(s, 'OBSTACLE', SPHERE((0,0,-2),1,0,1), m)\ng = GAUSS_SEIDEL_SOLVER(1e-9, 100); g.itershist = 'ON'\nRUN(s, g, 0.25)\n\
         c = s.constraints[0]; print(s.ncon, s.nbod, c.kind, round(c.R[2], 6), c.matlab, c.spair, len(c.adjbod), c in b.constraints)\n\
         print(g.error, g.iters > 0, len(g.itershist), len(g.rerhist) == g.iters)\n\
         try: DELETE(s, c)\nexcept ValueError as e: print(str(e).split('; ')[1])\n"
    ));
    let expected =
        "1 2 CONTACT 8.0 soft (2, 1) 2 True\nOK True 2 True\nuse CONTACT_EXCLUDE_BODIES or CONTACT_EXCLUDE_SURFACES\n";
    let swapped = expected.replace("(2, 1)", "(1, 2)");
    assert!(out == expected || out == swapped, "{out}");
}

#[test]
fn local_dynamics_of_a_run_are_written() {
    let folder = Folder::new();
    let out = folder.run(&format!(
        "{BALL}GRAVITY(s, (0,0,-8)); FIX_POINT(b, (0,0,0))\ntry: LOCDYN_DUMP(s, 'early.h5')\nexcept RuntimeError as e: print(e)\n\
         RUN(s, 'AUTO', 0.25); LOCDYN_DUMP(s, path='local.h5')\ntry: LOCDYN_DUMP(s, 'none/local.h5')\nexcept OSError: print('OSError')\n"
    ));
    let expected = "deck.py:7: LOCDYN_DUMP: there are no local dynamics before the first RUN\nOSError\n";
    assert_eq!(text(&out.stdout), expected, "{}", text(&out.stderr));
    let problem = solfec_formats::fclib::read(&folder.path("local.h5")).unwrap();
    assert_eq!(problem.laws().len(), 1);
    assert_eq!(fails(&format!("{BALL}LOCDYN_DUMP(s, 'x')\n")).0, 7);
}

/// GAUSS_SEIDEL_SOLVER(failure='CALLBACK'): the solver, then the data; 0 raises SolverError.
#[test]
fn of_failing_solvers() {
    let deck = format!(
        "{BALL}GRAVITY(s, (0,0,-8))\na = BODY(s, 'RIGID', SPHERE((0,0,2),1,0,1), m); o = BODY(s, 'OBSTACLE', SPHERE((0,0,-2),1,0,1), m)\n\
         def f(*args):\n  print(args[0] == g, args[0].error, args[1:])\n  return result\n\
         g = GAUSS_SEIDEL_SOLVER(1e-12, 1, 1.0, 'CALLBACK', data=(1, 2), callback=f)\n"
    );
    let out = runs(&format!("{deck}result = 1; RUN(s, g, 0.25); print(s.time)\n"));
    assert!(out.starts_with("True DIVERGED (1, 2)\n") && out.ends_with("0.25\n"), "{out}");
    let out = Folder::new()
        .run(&format!("{deck}result = 0\ntry: RUN(s, g, 0.25)\nexcept RuntimeError as e: print(type(e).__name__)\n"));
    assert!(text(&out.stdout).ends_with("SolverError\n"), "{}{}", text(&out.stdout), text(&out.stderr));
}

/// Two blocks that slide, and solvers that are asked for more than they can do in the iterations that they get.
#[test]
fn of_every_solver_that_fails() {
    let scene = "s = SOLFEC('DYNAMIC', 1e-3, 'out/test')\ns.verbose = 'OFF'\nm = BULK_MATERIAL(s, density=1)\nSURFACE_MATERIAL(s, friction=0.3)\n\
        def block(x, y, z, a, b, c): return HULL([x,y,z, a,y,z, a,b,z, x,b,z, x,y,c, a,y,c, a,b,c, x,b,c], 1, 1)\nGRAVITY(s, (0,0,-10))\n\
        BODY(s, 'OBSTACLE', block(-2,-2,-1, 2,2,0), m)\nBODY(s, 'RIGID', block(-.5,-.5,0, .5,.5,1), m)\n\
        b = BODY(s, 'RIGID', block(-.5,-.5,1, .5,.5,2), m); INITIAL_VELOCITY(b, (1,.3,0), (.1,.2,.3))\n";
    for solver in [
        "GAUSS_SEIDEL_SOLVER(1e-12, 1",
        "NEWTON_SOLVER(1e-300, 1, gsflag='OFF'",
        "INTERIOR_POINT_SOLVER(1e-300, 1",
        "PROXIMAL_NEWTON_SOLVER(1e-300, 1",
        "CORRECTED_SWEEPS_SOLVER(1e-300, 1",
        "ADMM_SOLVER(1e-300, 1",
        "AUTO_SOLVER(1e-300",
    ] {
        // The second answer is no; then the action is EXIT.
        let deck = format!(
            "{scene}answers = [1, 0]\ndef ask(*args):\n  print(args[0] == g, args[0].error, args[1:])\n  return answers.pop(0)\n\
             g = {solver}, failure='CALLBACK', data=(1, 2), callback=ask)\nprint(g.failure)\n\
             try: RUN(s, g, 0.02)\nexcept RuntimeError as e: print(type(e).__name__)\n\
             try: RUN(s, {solver}, failure='EXIT'), 0.02)\nexcept RuntimeError as e: print(type(e).__name__)\n"
        );
        let out = Folder::new().run(&deck);
        let expected = "CALLBACK\nTrue DIVERGED (1, 2)\nTrue DIVERGED (1, 2)\nSolverError\nSolverError\n";
        assert_eq!(text(&out.stdout), expected, "{solver}: {}", text(&out.stderr));
    }
    // It never fails; the arguments are taken all the same.
    let out = runs(&format!("{scene}RUN(s, PENALTY_SOLVER(failure='EXIT'), 0.01); print(s.time)\n"));
    assert_eq!(out, "0.01\n");
}

#[test]
fn of_python2_decks() {
    let out = runs(
        "from math import pi\ns = SOLFEC('DYNAMIC', 0.125, 'out/test')\ns.verbose = 'OFF'\nm = BULK_MATERIAL(s, density=3/(4*pi))\n\
         b = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\ndef f(x, q, u, time, step):\n\tprint x / 2, '%g' % time\n\treturn (0, 0, 1 / 2, 0, 0, 0, 0, 0, 0)\n\
         FORCE(b, 'SPATIAL', (0,0,0), (0,0,0), f, 7)\ndef g(): print 'called'\nCALLBACK(s, 1, (), g)\nRUN(s, PENALTY_SOLVER(), 0.125)\nprint b.velo[5]\n",
    );
    assert_eq!(out, "3 0.0625\ncalled\n0.0\n");
}

/// A model with everything that needs no function runs as its deck does.
#[test]
fn a_recorded_deck_and_a_live_one_give_the_same() {
    let folder = Folder::new();
    let deck = format!(
        "{BALL}t = TIME_SERIES([0,0, 1,2]); o = BODY(s, 'OBSTACLE', SPHERE((0,0,-9),1,0,0), m)\n\
         def ball(x, y): return BODY(s, 'RIGID', SPHERE((x,y,0),1,0,0), m, 'ball %g %g' % (x, y))\n\
         c = [ball(5*k, 9) for k in range(8)]\nGRAVITY(s, (0, t, -10)); FORCE(b, 'SPATIAL', (0,0,1), (1,0,0), t); TORQUE(b, 'CONVECTED', (1,1,0), 2)\n\
         FIX_POINT(c[0], (0,9,1)); FIX_DIRECTION(c[1], (5,9,0), (1,0,1)); FIX_DIRECTION(c[1], (5,9,0), (0,1,0), c[2], (5,9,0))\n\
         SET_DISPLACEMENT(c[3], (15,9,0), (0,0,1), t.integral); SET_VELOCITY(c[3], (15,9,0), (1,0,0), 1)\n\
         PUT_RIGID_LINK(c[4], c[5], (20,9,0), (25,9,0)); PUT_RIGID_LINK(None, c[5], (25,9,9), (25,9,0))\n\
         PUT_SPRING(c[6], (30,9,0), c[7], (35,9,0), (100, 1), (-1, 1)); d = PUT_SPRING(b, (0,0,0), o, (0,0,-9), (10, 0), (-1, 1))\n\
         g = GAUSS_SEIDEL_SOLVER(1e-9, 1000, 1e-12)\nRUN(s, g, 0.5)\nDELETE(s, d); DELETE(s, c[7]); FIX_POINT(b, (0,0,0)); RUN(s, g, 0.5)\n"
    );
    let live = folder.run(&deck);
    assert!(live.status.success(), "{}", text(&live.stderr));
    assert!(folder.build(&["-o", "m.h5", "deck.py"]).status.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_sf-run"));
    let recorded = command.args(["-q", "m.h5", "-o", "recorded"]).current_dir(&folder.0).output().unwrap();
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let items = ["KINETIC", "EXTERNAL", "BODS", "CONS", "DX@ball 20 9(20,9,0)", "DZ@ball 15 9(15,9,0)"];
    let history = |results: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sf-history"));
        let out = command.arg(results).args(items).current_dir(&folder.0).output().unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let table = history("out/test");
    assert_eq!(table, history("recorded"));
    assert_eq!(table.lines().count(), 10, "{table}");
}

/// Writing what was read gives the same file.
#[test]
fn models_with_everything_survive_the_file() {
    let folder = Folder::new();
    folder.write(
        "deck.py",
        &format!(
            "{BALL}def f(*x): return 0\no = BODY(s, 'OBSTACLE', SPHERE((0,0,-9),1,0,0), m); t = TIME_SERIES([0,0.1, 1,1/3.], 'x')\n\
             FORCE(b, 'SPATIAL', (0,0,0), (1,2,3), t); FORCE(b, 'CONVECTED', (0,0,1/3.), (1,2,3), f); GRAVITY(s, (t, t.integral, t.derivative))\n\
             PUT_SPRING(b, (0,0,0), o, (0,0,-9), f, (-1, float('inf')), (1,2,3), 'CONV2'); CALLBACK(s, 1, (), f)\n\
             RUN(s, GAUSS_SEIDEL_SOLVER(1, 1, failure='CALLBACK', callback=f), 1); FIX_POINT(b, (0.1,0.2,0.3)); DELETE(s, b); RUN(s, NEWTON_SOLVER(omega='AUTO'), 1)\n"
        ),
    );
    let bytes = folder.build(&["--no-provenance", "--allow-live", "deck.py"]).stdout;
    let file = solfec_formats::model::from_bytes(bytes.clone(), "pipe").unwrap();
    assert_eq!(file.domains[0].functions.len(), 4);
    assert_eq!(file.domains[0].series.len(), 3);
    assert_eq!(solfec_formats::model::to_bytes(&file).unwrap(), bytes);
}

/// Functions stay where they are: a deck may use the same one for several purposes.
#[test]
fn registration_is_not_needed() {
    let out = runs(&format!(
        "{BALL}def f(*x): print('f', x)\nREGISTER_CALLBACK(f)\nREGISTER_CALLBACK(f, (1, 2))\nREGISTER_CALLBACK(callback=f, data=None)\n\
         CALLBACK(s, 1, 1, f)\nRUN(s, 'AUTO', 0.125)\n"
    ));
    assert_eq!(out, "f (1,)\n");
}
