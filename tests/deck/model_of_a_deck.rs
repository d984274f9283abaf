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
    let deck = format!("{START}for i in range(5): BODY(s, 'RIGID', TRANSLATE(HEX({CUBE},1,1,1,1,[1]*6), (i,0,0)), m)");
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
    assert!(model.program.contains(&Op::InsertBodies(Rows { rows: [1, 4] })));
    let text = serde_json::to_string(&model.program).unwrap();
    assert!(text.contains("\"epsilon\":0.001") && text.contains("\"epsilon\":1e-9"), "a RUN keeps its solver: {text}");
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
    let deck =
        |more: &str| format!("GEOMETRIC_EPSILON(1e-4)\n{START}CONTACT_SPARSIFY(s, {more})\nGEOMETRIC_EPSILON(1e-3)\n");
    let sparsify = model(&deck("0.5, area='PROJECTED'")).settings.sparsify;
    assert_eq!((sparsify.threshold, sparsify.minarea, sparsify.mindist, sparsify.projected), (0.5, 0.0, 1e-4, true));
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
         for wrong in (len, {}, b'ab', object(), 1 << 80, float('nan')):\n  try: SPHERE((0, 0, 0), 1, wrong, 1); s.nbod\n  except TypeError as e: print(str(e).split('volid: ')[1])",
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
        tools_testing::skip::skipped("the Python of the tests has no numpy");
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
