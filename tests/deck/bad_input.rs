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
fn finite_elements_without_a_mesh() {
    let start = "s = SOLFEC('DYNAMIC', 1, 'out/a')\nm = BULK_MATERIAL(s)\n";
    let message = "which a body of finite elements needs; give one, or mesh=MESH around CONVEX";
    for shape in ["SPHERE((0, 0, 0), 1, 1, 1)", "HULL([0,0,0, 1,0,0, 0,1,0, 0,0,1], 1, 1)"] {
        let deck = format!("{start}BODY(s, 'FINITE_ELEMENT', {shape}, m)\n");
        check(&deck, 3, 3, &format!("BODY: shape: is not a MESH, {message}"));
    }
}

/// An incompressible material is for bodies that do not deform.
#[test]
fn incompressible_materials() {
    let deck = format!(
        "s = SOLFEC('DYNAMIC', 1E-3, 'out/a')\nm = BULK_MATERIAL(s, poisson=0.5)\n\
                        a = BODY(s, 'RIGID', HEX({CUBE}, 1, 1, 1, 1, [1]*6), m)\n\
                        o = BODY(s, 'OBSTACLE', HEX({CUBE}, 1, 1, 1, 1, [1]*6), m)\n"
    );
    assert_eq!(model(&deck).bulk[0].poisson, 0.5);
    let soft = "b = BODY(s, 'PSEUDO_RIGID', HEX(CUBE, 1, 1, 1, 1, [1]*6), m)\n".replace("CUBE", CUBE);
    let expected = "has Poisson's ratio 0.5, which leaves its stiffness without bound; give less than 0.5 (0.49)";
    for more in [soft.clone(), format!("m.poisson = 0.3\n{soft}m.poisson = 0.5\n")] {
        let (code, told) = fails(&format!("{deck}{more}"));
        assert!(code == 3 && told.contains(expected), "{code} {told}");
    }
    let (code, told) = fails("s = SOLFEC('DYNAMIC', 1E-3, 'out/a')\nBULK_MATERIAL(s, poisson=0.51)\n");
    assert!(code == 3 && told.contains("poisson: is 0.51; give a number in [0, 0.5]"), "{told}");
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
        "{START}x = SPHERE((0,0,0),1,0,0)\ntry: BODY(s, 'RIGID', x, 'steel'); s.nbod\nexcept TypeError: pass\nBODY(s, 'RIGID', x, m)\n"
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
    let (code, errors) = fails("HYBRID_SOLVER()\n");
    assert_eq!(code, 3);
    assert!(errors.contains("deck.py:1: HYBRID_SOLVER: is a command of Solfec 1.0"), "{errors}");
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
