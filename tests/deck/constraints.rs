use super::*;
use solfec::math::{Mat3, Vec3};
use solfec::model::{Joint, Prescribed, SpringAxis, SpringLaw};

/// Two rigid spheres `a`, `b`, an obstacle `o`, and a series `t`.
fn start() -> String {
    format!(
        "{START}a = BODY(s, 'RIGID', SPHERE((0,0,0),1,0,0), m)\nb = BODY(s, 'RIGID', SPHERE((3,0,0),1,0,0), m)\n\
         o = BODY(s, 'OBSTACLE', SPHERE((0,0,-9),1,0,0), m)\nt = TIME_SERIES([0,0, 1,2])\n"
    )
}

/// Line of what follows `start()`.
const NEXT: u32 = 7;

fn fault(line: &str, message: &str) {
    let (code, errors) = fails(&format!("{}{line}\n", start()));
    assert_eq!((code, errors.as_str()), (3, format!("sf-build: error: deck.py:{NEXT}: {message}\n").as_str()));
}

#[test]
fn become_rows_of_the_model() {
    let model = model(&format!(
        "{}FIX_POINT(a, (0,0,1))\nFIX_POINT(body=a, point=[0,0,1], strength=5)\nFIX_DIRECTION(a, (0,0,1), (0,0,2))\n\
         FIX_DIRECTION(a, (0,0,1), (3,4,0), b, (3,0,1))\nSET_DISPLACEMENT(a, (0,0,0), (1,0,0), t)\n\
         SET_VELOCITY(a, (0,0,0), (1,0,0), 7)\nSET_VELOCITY(a, (0,0,0), direction=(1,0,0), value=t)\n\
         SET_ACCELERATION(a, (0,0,0), (0,-1,0), tms=t)\nSET_VELOCITY3(a, (0,0,0), (0,1,0, -1,0,0, 0,0,1), (t,t,t))\n\
         SET_DISPLACEMENT3(o, (0,0,0), base=[1,0,0,0,1,0,0,0,1], tms=[t,t,t])\nSET_ACCELERATION3(o, (0,0,0), (1,0,0,0,1,0,0,0,1), (t,t,t))\n\
         PUT_RIGID_LINK(a, b, (0,0,0), (3,0,0))\nPUT_RIGID_LINK(None, b, (0,0,5), (3,0,0), strength=2)\n\
         PUT_RIGID_LINK(a, None, (0,0,0), (0,0,5))\nPUT_RIGID_LINK(a, b, (1,0,0), (1,0,5e-7), 9)\n\
         PUT_RIGID_LINK(a, None, (1,0,0), (1,0,0))\n\
         PUT_SPRING(a, (0,0,0), b, (3,0,0), (100, 2), (-1, 2))\nPUT_SPRING(a, (0,0,0), o, (0,0,-9), t, (-float('inf'), 0), (0,0,-3))\n\
         PUT_SPRING(a, (0,0,0), b, (3,0,0), (1, 0), (0, 0), (2,0,0), 'CONV1')\n\
         PUT_SPRING(a, (0,0,0), b, (3,0,0), (1, 0), (0, 0), (2,0,0), update='CONV2')\n",
        start()
    ));
    let p = Vec3::new;
    let drive = |what, direction, series| Joint::Drive { what, direction, series };
    let spring = |law, axis, limits| Joint::Spring { law, axis, limits };
    let turn = Mat3::new(0., -1., 0., 1., 0., 0., 0., 0., 1.);
    let drive3 = |what, base| Joint::Drive3 { what, base, series: [0; 3] };
    let soft = SpringLaw::Linear { stiffness: 1.0, damping: 0.0 };
    let inf = f64::INFINITY;
    let expected = [
        (Joint::FixPoint { strength: inf }, 1, None, p(0., 0., 1.), p(0., 0., 1.)),
        (Joint::FixPoint { strength: 5.0 }, 1, None, p(0., 0., 1.), p(0., 0., 1.)),
        (Joint::FixDirection { direction: p(0., 0., 1.) }, 1, None, p(0., 0., 1.), p(0., 0., 1.)),
        (Joint::FixDirection { direction: p(0.6, 0.8, 0.) }, 1, Some(2), p(0., 0., 1.), p(3., 0., 1.)),
        (drive(Prescribed::Displacement, p(1., 0., 0.), 0), 1, None, p(0., 0., 0.), p(0., 0., 0.)),
        (drive(Prescribed::Velocity, p(1., 0., 0.), 1), 1, None, p(0., 0., 0.), p(0., 0., 0.)),
        (drive(Prescribed::Velocity, p(1., 0., 0.), 0), 1, None, p(0., 0., 0.), p(0., 0., 0.)),
        (drive(Prescribed::Acceleration, p(0., -1., 0.), 0), 1, None, p(0., 0., 0.), p(0., 0., 0.)),
        (drive3(Prescribed::Velocity, turn), 1, None, p(0., 0., 0.), p(0., 0., 0.)),
        (drive3(Prescribed::Displacement, Mat3::identity()), 3, None, p(0., 0., 0.), p(0., 0., 0.)),
        (drive3(Prescribed::Acceleration, Mat3::identity()), 3, None, p(0., 0., 0.), p(0., 0., 0.)),
        (Joint::RigidLink { strength: inf }, 1, Some(2), p(0., 0., 0.), p(3., 0., 0.)),
        (Joint::RigidLink { strength: 2.0 }, 2, None, p(3., 0., 0.), p(0., 0., 5.)),
        (Joint::RigidLink { strength: inf }, 1, None, p(0., 0., 0.), p(0., 0., 5.)),
        (Joint::FixPoint { strength: 9.0 }, 1, Some(2), p(1., 0., 0.), p(1., 0., 5e-7)),
        (Joint::FixPoint { strength: inf }, 1, None, p(1., 0., 0.), p(1., 0., 0.)),
        (
            spring(SpringLaw::Linear { stiffness: 100.0, damping: 2.0 }, SpringAxis::Follow, [-1.0, 2.0]),
            1,
            Some(2),
            p(0., 0., 0.),
            p(3., 0., 0.),
        ),
        (
            spring(SpringLaw::Table { series: 0 }, SpringAxis::Fixed(p(0., 0., -1.)), [-inf, 0.0]),
            1,
            Some(3),
            p(0., 0., 0.),
            p(0., 0., -9.),
        ),
        (spring(soft, SpringAxis::Master(p(1., 0., 0.)), [0.0; 2]), 1, Some(2), p(0., 0., 0.), p(3., 0., 0.)),
        (spring(soft, SpringAxis::Slave(p(1., 0., 0.)), [0.0; 2]), 1, Some(2), p(0., 0., 0.), p(3., 0., 0.)),
    ];
    assert_eq!(model.constraints.len(), expected.len());
    for (row, (joint, master, slave, first, second)) in model.constraints.iter().zip(expected) {
        let line = row.line;
        assert_eq!(
            (row.joint, row.master, row.slave, row.points),
            (joint, master, slave, [first, second]),
            "line {line}"
        );
    }
    assert_eq!(model.constraints[0].line, NEXT);
    assert_eq!(model.constraints[13].line, NEXT + 13);
    assert_eq!(model.series.len(), 2, "one row for a series, however often it is used");
    assert!(model.program.is_empty());
}

#[test]
fn refuse_what_makes_no_sense() {
    let zero = "direction: is (0, 0, 0); give a vector that is not zero";
    fault("FIX_DIRECTION(a, (0,0,0), (0,0,0))", &format!("FIX_DIRECTION: {zero}"));
    fault("SET_VELOCITY(a, (0,0,0), (0,0,0), 1)", &format!("SET_VELOCITY: {zero}"));
    fault("PUT_SPRING(a, (0,0,0), b, (3,0,0), (1,0), (0,0), (0,0,0))", &format!("PUT_SPRING: {zero}"));
    fault("FIX_POINT(a, (0,0,0), -1)", "FIX_POINT: strength: is -1; give a number >= 0");
    fault("FIX_POINT(a, (0,0))", "FIX_POINT: point: has 2 numbers; give 3");
    fault("FIX_POINT(a, (0,0,float('nan')))", "FIX_POINT: point: number 2 is nan; give finite numbers");
    fault("FIX_POINT(None, (0,0,0))", "FIX_POINT: body: is None; give a BODY");
    fault(
        "FIX_DIRECTION(a, (0,0,0), (1,0,0), b)",
        "FIX_DIRECTION: body2 and point2 belong together; give both or none",
    );
    fault(
        "PUT_RIGID_LINK(a, a, (0,0,0), (1,0,0))",
        "PUT_RIGID_LINK: body2: is the same body as body1; give two different bodies",
    );
    fault(
        "PUT_RIGID_LINK(None, None, (0,0,0), (1,0,0))",
        "PUT_RIGID_LINK: body1 and body2 are both None; give at least one body",
    );
    fault(
        "p = BODY(s, 'OBSTACLE', SPHERE((0,0,9),1,0,0), m); PUT_RIGID_LINK(o, p, (0,0,0), (1,0,0))",
        "PUT_RIGID_LINK: body1 and body2 are both OBSTACLE; one must be able to yield",
    );
    fault(
        "z = SOLFEC('DYNAMIC', 1, 'out/z'); c = BODY(z, 'RIGID', SPHERE((0,0,0),1,0,0), BULK_MATERIAL(z)); PUT_RIGID_LINK(a, c, (0,0,0), (1,0,0))",
        "PUT_RIGID_LINK: body2: belongs to another SOLFEC object; give two bodies of one object",
    );
    fault("SET_DISPLACEMENT(a, (0,0,0), (1,0,0), 1)", "SET_DISPLACEMENT: tms: is 1; give a TIME_SERIES");
    fault("SET_ACCELERATION(a, (0,0,0), (1,0,0), 1.5)", "SET_ACCELERATION: tms: is 1.5; give a TIME_SERIES");
    fault(
        "SET_VELOCITY(a, (0,0,0), (1,0,0), 'fast')",
        "SET_VELOCITY: value: is 'fast'; give a number or a TIME_SERIES",
    );
    fault(
        "SET_VELOCITY(a, (0,0,0), (1,0,0), float('inf'))",
        "SET_VELOCITY: value: is inf; give a number or a TIME_SERIES",
    );
    fault(
        "SET_VELOCITY3(a, (0,0,0), (1,0,0, 0,1,0, 0,1,1), (t,t,t))",
        "SET_VELOCITY3: base: |EᵀE - I| is 1.0e0; give three orthogonal unit vectors",
    );
    fault(
        "SET_VELOCITY3(a, (0,0,0), (1,0,0, 0,1,0, 0,0,1), (t,t))",
        "SET_VELOCITY3: tms: has 2 items; give three TIME_SERIES",
    );
    fault(
        "SET_VELOCITY3(a, (0,0,0), (1,0,0, 0,1,0, 0,0,1), (t,1,t))",
        "SET_VELOCITY3: tms: item 1 is 1; give a TIME_SERIES",
    );
    let spring = |rest: &str| format!("PUT_SPRING(a, (0,0,0), b, (3,0,0), {rest})");
    fault(&spring("(1,0), (0.5, 1)"), "PUT_SPRING: limits: is (0.5, 1); give (smin, smax) with smin <= 0 <= smax");
    fault(&spring("(1,0), (-1, -0.5)"), "PUT_SPRING: limits: is (-1, -0.5); give (smin, smax) with smin <= 0 <= smax");
    fault(&spring("(-1,0), (0, 0)"), "PUT_SPRING: function: stiffness and damping are not both >= 0");
    fault(
        &spring("7, (0, 0)"),
        "PUT_SPRING: function: is 7; give a function, a TIME_SERIES of force over stroke, or (stiffness, damping)",
    );
    fault(&spring("(1,0), (0,0), update='CONV1'"), "PUT_SPRING: update: needs a direction; give both or none");
    fault(
        &spring("(1,0), (0,0), (1,0,0), 'FOLLOW'"),
        "PUT_SPRING: update: is 'FOLLOW'; give one of 'FIXED', 'CONV1', 'CONV2'",
    );
}

#[test]
fn obstacles_of_a_quasi_static_analysis_are_not_driven() {
    let deck = |command: &str| {
        format!(
            "s = SOLFEC('QUASI_STATIC', 1, 'out/a')\nm = BULK_MATERIAL(s)\no = BODY(s, 'OBSTACLE', SPHERE((0,0,0),1,0,0), m)\n\
             t = TIME_SERIES([0,0, 1,2])\n{command}(o, (0,0,0), (0,0,1), t)\n"
        )
    };
    for command in ["SET_VELOCITY", "SET_ACCELERATION"] {
        let (code, errors) = fails(&deck(command));
        let expected = format!(
            "sf-build: error: deck.py:5: {command}: body: is an OBSTACLE of a quasi-static analysis; use a RIGID body, or SET_DISPLACEMENT\n"
        );
        assert_eq!((code, errors), (3, expected));
    }
    assert_eq!(model(&deck("SET_DISPLACEMENT")).constraints.len(), 1);
}

#[test]
fn bases_are_made_orthonormal() {
    let deck = format!("{}SET_VELOCITY3(a, (0,0,0), (1+1e-7,0,0, 1e-7,1,0, 0,0,1), (t,t,t))\n", start());
    let Joint::Drive3 { base, .. } = model(&deck).constraints[0].joint else { panic!("no base") };
    assert!((base.transpose() * base - Mat3::identity()).amax() < 1e-15, "{base}");
}

/// Members of constraints before a RUN.
#[test]
fn have_members() {
    let out = prints(&format!(
        "{}SET_VELOCITY(a, (0,0,0), (0,0,1), 0)\nc = FIX_POINT(a, (0,0,1)); d = FIX_DIRECTION(a, (0,0,0), (0,0,2), b, (3,0,0))\n\
         l = PUT_RIGID_LINK(a, b, (0,0,0), (3,0,0)); p = PUT_SPRING(b, (3,0,0), o, (3,0,-9), (1,0), (0,0))\n\
         z = SET_VELOCITY3(a, (0,0,0), (0,1,0, -1,0,0, 0,0,1), (t,t,t))\n\
         print(c.kind, d.kind, l.kind, p.kind, z.kind, SET_ACCELERATION(o, (0,0,0), (0,1,0), t).kind)\n\
         print(c.R, c.U, c.V, c.area, c.gap, c.merit, c.matlab, c.spair, c.point, c.base)\n\
         print(l.point, [int(x) for x in l.base], [int(x) for x in d.base], [int(x) for x in p.base[6:]], z.base[:3])\n\
         print(c.adjbod == a, d.adjbod == (a, b), p.adjbod == (b, o))\n\
         print([x.kind for x in s.constraints], s.ncon, [x.kind for x in b.constraints], b.ncon, s.constraints[1] == z)\n\
         b.conf = (0,1,0, -1,0,0, 0,0,1, 5,0,0); print(l.point, SET_VELOCITY(b, (4,0,0), (1,0,0), 1).point)",
        start()
    ));
    let expected = "FIXPNT FIXDIR RIGLNK SPRING VELODIR3 VELODIR\n\
         (0.0, 0.0, 0.0) (0.0, 0.0, 0.0) (0.0, 0.0, 0.0) 0.0 0.0 0.0 None None (0.0, 0.0, 1.0) (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)\n\
         (0.0, 0.0, 0.0, 3.0, 0.0, 0.0) [0, 0, 1, 0, -1, 0, -1, 0, 0] [0, -1, 0, -1, 0, 0, 0, 0, 1] [0, 0, 1] (0.0, 1.0, 0.0)\n\
         True True True\n\
         ['VELODIR', 'VELODIR3', 'SPRING', 'RIGLNK', 'FIXDIR', 'FIXPNT', 'VELODIR'] 7 ['SPRING', 'RIGLNK', 'FIXDIR'] 3 True\n\
         (0.0, 0.0, 0.0, 5.0, 0.0, 0.0) (5.0, 1.0, 0.0)\n";
    assert_eq!(out, expected);
    let (_, errors) = fails(&format!("{}FIX_POINT(a, (0,0,0)).R = 1\n", start()));
    assert!(errors.contains("CONSTRAINT.R: is read-only"), "{errors}");
    let (_, errors) = fails("CONSTRAINT()\n");
    assert!(errors.contains("CONSTRAINT: made by the program, not by a deck"), "{errors}");
}

#[test]
fn after_a_run_their_members_need_live_execution() {
    let (code, errors) = fails(&format!("{}c = FIX_POINT(a, (0,0,0))\nRUN(s, 'AUTO', 1)\nc.R\n", start()));
    assert_eq!(code, 7);
    assert_eq!(
        errors,
        "sf-build: error: deck.py:9: CONSTRAINT.R: a constraint after RUN needs live execution; use: sf-run deck.py\n"
    );
}

#[test]
fn are_deleted() {
    let deck = format!(
        "{}c = FIX_POINT(a, (0,0,0)); d = FIX_POINT(b, (3,0,0)); e = PUT_RIGID_LINK(a, b, (0,0,0), (3,0,0))\n\
         DELETE(s, c); print(c.kind, c.R, s.ncon, [x == d for x in a.constraints])\n\
         DELETE(s, object=b); print(d.kind, e.kind, s.ncon, s.nbod, [x == o for x in s.bodies], BYLABEL(s, 'BODY', ''))\n",
        start()
    );
    let out = prints(&deck);
    assert!(out.starts_with("None None 2 [False]\nNone None 0 2 [True, False] <BODY"), "{out}");
    let model = model(&deck);
    assert_eq!(model.program, [Op::DeleteConstraint { row: 0 }, Op::DeleteBody { body: 2 }]);
    assert_eq!((model.bodies.len(), model.constraints.len()), (3, 3), "rows stay");
    for again in
        ["b.mass", "b.velo = (0,)*6", "FIX_POINT(b, (0,0,0))", "DELETE(s, b)", "INITIAL_VELOCITY(b, (0,0,0), (0,0,0))"]
    {
        let (code, errors) = fails(&format!("{}DELETE(s, b); {again}\n", start()));
        assert_eq!(code, 3);
        assert!(errors.contains("deck.py:7: ") && errors.ends_with(": body was recently deleted\n"), "{errors}");
    }
    fault(
        "c = FIX_POINT(a, (0,0,0)); DELETE(s, c); DELETE(s, c)",
        "DELETE: object: the constraint was recently deleted",
    );
    fault("DELETE(SOLFEC('DYNAMIC', 1, 'out/z'), a)", "DELETE: object: belongs to another SOLFEC object; name its own");
    fault("DELETE(s, m)", "DELETE: object: is a BULK_MATERIAL; give a BODY or CONSTRAINT");
}

#[test]
fn are_operations_after_a_run() {
    let deck = format!(
        "{}c = FIX_POINT(a, (0,0,0))\nRUN(s, 'AUTO', 1)\nFIX_POINT(b, (3,0,0)); FIX_POINT(b, (3,0,1)); FORCE(b, 'SPATIAL', (0,0,0), (1,0,0), 1)\n\
         DELETE(s, c)\nRUN(s, 'AUTO', 1)\n",
        start()
    );
    let model = model(&deck);
    let after = [
        Op::InsertConstraints(Rows { rows: [1, 3] }),
        Op::InsertLoads(Rows { rows: [0, 1] }),
        Op::DeleteConstraint { row: 0 },
    ];
    assert_eq!(model.program[1..4], after);
    assert_eq!((model.constraints_later(), model.loads_later()), (1..3, 0..1));
}
