//! Helpers that Solfec 1.0 does not have.

use super::*;

/// Of bodies of every kind.
#[test]
fn mass_centers_of_bodies_are_points() {
    let out = prints(
        "s = SOLFEC('DYNAMIC', 1e-3, 'out'); m = BULK_MATERIAL(s, density=1000.); GRAVITY(s, (0, 0, -10))\n\
         for kind in ('RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'):\n  \
           b = BODY(s, kind, BOX((0, 0, 0), (1, 2, 4), 1, 1), m); print([round(x, 9) for x in MASS_CENTER(b)])\n",
    );
    assert_eq!(out, "[0.5, 1.0, 2.0]\n".repeat(3));
}

#[test]
fn boxes_walls_and_arches() {
    let out = prints(
        "b = BOX((1, 1, 1), (0, 0, -1), 3, 4, k=2); print(b.nnod, [round(x, 9) + 0 for x in MASS_CENTER(b)], len(b.nodes_on_surface(4)))\n\
         w = BRICK_WALL((0, 0, 0), (.25, .125, .0625), 4, 3, 1, [1, 2, 3, 4, 5, 6])\n\
         print(len(w), [round(x, 12) for x in MASS_CENTER(w)], w[4].node(0), w[0].nodes_on_surface(6))\n\
         print(len(BRICK_WALL((0, 0, 0), (.25, .125, .0625), 4, 3, 1, 1, 'STACK', .01)))\n\
         a = BRICK_ARCH((0, 0, 0), 2, .5, 1, 7, 1, 5); c = MASS_CENTER(a); print(len(a), abs(c[0]) < 1e-12, round(c[1], 12), c[2] > 1)\n\
         try: BOX((0, 0, 0), (1, 1, 0), 1, 1)\nexcept ValueError as e: print(e)\n\
         try: BRICK_ARCH((0, 0, 0), 2, .5, 1, 7, 1, [1, 2])\nexcept ValueError as e: print(e)",
    );
    let expected =
        "12 [0.5, 0.5, 0.0] 12\n13 [0.5, 0.0625, 0.09375] (0.0, 0.0, 0.0625) [4, 5, 6, 7]\n12\n7 True 0.5 True\n\
                    deck.py:6: BOX: sides of the box are (1, 1, 0): give corners that differ in x, y and z\n\
                    deck.py:8: BRICK_ARCH: surfids: has 2 ids; give one or six\n";
    assert_eq!(out, expected);
}

#[test]
fn packings_are_lists_of_shapes() {
    let out = prints(
        "p = PACKING(50, (.05, .08), (0, 0, 0), (1, 1, 1), 1, 2, 'CYLINDER', seed=3)\n\
         q = PACKING(50, (.05, .08), (1, 1, 1), (0, 0, 0), 1, 2, 'CYLINDER', seed=3)\n\
         print(len(p), [s.center for s in p] == [s.center for s in q], p[0].radius >= p[-1].radius)\n\
         h = PACKING(20, (.1, .1), (0, 0, 0), (1, 1, 1), 1, 2, shape='HULL', points=20, gap=.01)\nprint(len(h), isinstance(h[0], CONVEX))\n\
         print(OVERLAPPING(h[:10], h[10:]))\n\
         try: PACKING(220, (.1, .1), (0, 0, 0), (1, 1, 1), 1, 2)\nexcept ValueError as e: print('found a place' in str(e))",
    );
    assert_eq!(out, "50 True True\n20 True\nNone\nTrue\n");
}

/// A constant acceleration of 0.1 g for a second moves an obstacle by ½ a t².
#[test]
fn records_drive_the_ground() {
    let folder = Folder::new();
    let title = "PEER\nrecord\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  3, DT= 0.5 SEC\n";
    folder.write("quake.AT2", &format!("{title} .1 .1 .1\n"));
    folder.write("quake.txt", "time acceleration\n0 1\n1 1\n");
    folder.write(
        "deck.py",
        "s = SOLFEC('DYNAMIC', 0.01, 'out/quake')\na = ACCELEROGRAM('quake.AT2', 2, label='x')\n\
         print(a.times, [round(v, 9) for v in a.values])\nb = ACCELEROGRAM('quake.txt'); print(b.times, b.values)\n\
         g = BODY(s, 'OBSTACLE', BOX((0, 0, 0), (1, 1, 1), 1, 1), BULK_MATERIAL(s))\n\
         SET_ACCELERATION(g, (.5, .5, .5), (1, 0, 0), a)\n\
         try: ACCELEROGRAM('none.AT2')\nexcept OSError as e: print(e)\n",
    );
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let expected = "[0.0, 0.5, 1.0] [1.96133, 1.96133, 1.96133]\n[0.0, 1.0] [1.0, 1.0]\n\
                    deck.py:7: ACCELEROGRAM: none.AT2: cannot read: no such file or directory\n";
    assert_eq!(text(&out.stdout), expected);
}

/// What a helper is given by mistake, and what its message tells.
#[test]
fn mistakes_with_helpers_are_answered() {
    let cases = [
        ("BOX((0,0,0), (1,1), 1, 1)", "corner2: has 2 numbers; give 3"),
        ("BOX((0,0,0), (1,1,0), 1, 1)", "give corners that differ in x, y and z"),
        ("BOX((0,0,0), (1,1,1), 1, [1,2,3])", "surfids: has 3 ids; give one or six"),
        ("BRICK_WALL((0,0,0), (.2,.1,.1), 8.5, 2, 1, 1)", "bricks: is 8.5; give a positive integer"),
        ("BRICK_WALL((0,0,0), (.2,.1,.1), 8, 2, 1, 1, joint=.3)", "give a length from 0 to less than a brick"),
        ("BRICK_WALL((0,0,0), (.2,.1,.1), 8, 2, 1, 1, bond='FLEMISH')", "give one of 'RUNNING', 'STACK'"),
        ("BRICK_ARCH((0,0,0), 2, .3, .5, 1, 1, 1)", "give at most 10000000, each under 180 degrees"),
        ("BRICK_ARCH((0,0,0), 2, .3, .5, 9, 1, 1, angle1=90, angle2=20)", "the second is greater, by 360 at most"),
        ("PACKING(5, .1, (0,0,0), (1,1,1), 1, 1)", "radii: has 1 number; give 2"),
        ("PACKING(5, (.2,.1), (0,0,0), (1,1,1), 1, 1)", "give a least and a greatest one"),
        ("PACKING(1, (.1,.1), (0,0,0), (1,1,0), 1, 1)", "sides of the box are (1, 1, 0): too small for a grain"),
        ("PACKING(900, (.1,.1), (0,0,0), (1,1,1), 1, 1)", "have more volume than the box"),
        ("PACKING(5, (.1,.1), (0,0,0), (1,1,1), 1, 1, shape='HULL', points=3)", "give an integer from 4 to 1000"),
        ("ACCELEROGRAM('none.at2')", "none.at2: cannot read: no such file"),
        ("ACCELEROGRAM('one.txt')", "give at least two"),
        ("MESH_FILE('none.inp')", "none.inp: cannot read: no such file"),
        ("MESH_FILE('deck.py')", "neither its ending nor its beginning tells its format"),
        ("MESH_FILE('tri.stl')", "has surfaces only; make convex parts of them by 'sf-mesh decompose'"),
        ("CONVEX_FILE('tri.stl')", "tri.stl: polyhedron has 3 vertices: give at least 4"),
        ("MASS_CENTER(MESH(4 * [0, 0, 0], [4, 0, 1, 2, 3, 1], 1))", "element 0 (tetrahedron) has volume 0"),
    ];
    let folder = Folder::new();
    folder.write("one.txt", "0 1\n");
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    folder.write("tri.stl", &format!("solid\n{facet}endsolid\n"));
    for (call, word) in cases {
        folder.write("deck.py", &format!("SOLFEC('DYNAMIC', 1, 'out/x')\n{call}\nprint('not refused')\n"));
        let out = folder.build(&["--check", "deck.py"]);
        let told = text(&out.stderr);
        assert!(!out.status.success() && told.contains("deck.py:2: ") && told.contains(word), "{call}: {told}");
    }
}
