//! SPLIT and MESH_SPLIT.

use super::*;

#[test]
fn a_block_is_split_by_a_plane() {
    let out = prints(&format!(
        "h = HEX({CUBE}, 2, 2, 2, 1, [1,1,1,1,1,1])\n\
         try: SPLIT(h, (0,0,.4), (0,0,1), remesh='OFF')\nexcept ValueError as e: print(e)\n\
         print(h.nnod)\n\
         (a, b) = SPLIT(h, (0,0,.5), (0,0,1), (2, 3), 'OFF', 'OFF')\n\
         print(a.nnod, b.nnod, MASS_CENTER(a), MASS_CENTER(b), a.nodes_on_surface(2), b.nodes_on_surface(3), a.nodes_on_surface(3))\n\
         try: h.nnod\nexcept TypeError as e: print(e)\n\
         print(SPLIT(a, (0,0,9), (0,0,1))[1], len(SPLIT(b, (.3,.3,.6), (1,1,.5))))"
    ));
    let expected = "deck.py:2: SPLIT: the plane cuts element 0 of the mesh: let remesh be 'ON', or move the plane to faces of \
                    elements\n27\n18 18 (0.5, 0.5, 0.25) (0.5, 0.5, 0.75) [9, 10, 11, 12, 13, 14, 15, 16, 17] \
                    [0, 1, 2, 3, 4, 5, 6, 7, 8] None\n\
                    deck.py:7: MESH.nnod: shape was given away at deck.py:5 and is empty; pass a COPY if you need it twice\nNone 2\n";
    assert_eq!(out, expected);
}

#[test]
fn polyhedra_and_balls_are_split() {
    let out = prints(&format!(
        "c = HULL({CUBE}, 1, 7); TRANSLATE(c, (1, 0, 0))\n(a, b) = SPLIT(c, (1.5, 0, 0), (2, 0, 0), (2, 3))\n\
         print(a.nver, b.nver, MASS_CENTER(a), MASS_CENTER(b))\n\
         row = HULL({CUBE}, 1, 7, TRANSLATE(HULL({CUBE}, 1, 7), (3, 0, 0)))\n\
         (a, b) = SPLIT(row, (0, 0, .5), (0, 0, 1))\nprint(len(a), len(b), [MASS_CENTER(x) for x in a])\n\
         (a, b) = SPLIT(SPHERE((0,0,3), 1, 1, 1), (0,0,1), (0,0,1))\nprint(a, b.radius)\n\
         (a, b) = SPLIT(ELLIP((0,0,0), (1,2,3), 1, 1), (0,0,0), (0,1,0))\n\
         print(isinstance(a, CONVEX), [round(x, 9) for x in MASS_CENTER([a, b])])\n\
         (a, b) = SPLIT([SPHERE((0,0,-2), 1, 1, 1), HEX({CUBE}, 1, 1, 1, 1, [1]*6)], (0,0,-.5), (0,0,1))\n\
         print(type(a).__name__, type(b).__name__)"
    ));
    let expected = "8 8 (1.25, 0.5, 0.5) (1.75, 0.5, 0.5)\n2 2 [(0.5, 0.5, 0.25), (3.5, 0.5, 0.25)]\nNone 1.0\n\
                    True [0.0, 0.0, 0.0]\nSPHERE MESH\n";
    assert_eq!(out.replace("-0.0", "0.0"), expected);
}

#[test]
fn a_ring_is_opened_near_a_point() {
    let out = prints(
        "p = PIPE((0,0,0), (0,0,2), .5, 1, 1, 8, 1, 1, [1,1,1,1])\n\
         (a, b) = SPLIT(COPY(p), (1,0,0), (0,1,0), (2,3), 'ON')\nprint(a.nnod, b, len(a.nodes_on_surface(2)))\n\
         (a, b) = SPLIT(COPY(p), (1,0,0), (0,1,0), (2,3))\nprint(a.nnod, b.nnod)\n\
         try: SPLIT(p, (1,0,9), (0,1,0), topoadj='ON')\nexcept ValueError as e: print(e)\n\
         try: SPLIT(p, (1,0,0), (0,0,0))\nexcept ValueError as e: print(e)\n\
         try: SPLIT(p, (1,0,0), (0,1,0), 5)\nexcept ValueError as e: print(e)\nprint(p.nnod)",
    );
    let expected = "36 None 4\n20 20\ndeck.py:6: SPLIT: point (1, 0, 9) is farther from the cut than 10 times epsilon = 1e-6: \
                    give a point of the cut, or let topoadj be 'OFF'\n\
                    deck.py:8: SPLIT: normal of the plane is (0, 0, 0): give a finite point and a normal that is not zero\n\
                    deck.py:10: SPLIT: surfid: has 1 numbers; give two surface ids\n32\n";
    assert_eq!(out, expected);
}

#[test]
fn meshes_are_split_along_faces() {
    let out = prints(
        "p = PIPE((0,0,0), (0,0,2), .5, 1, 1, 8, 1, 1, [1,1,1,1])\nTRANSLATE(p, (1, 0, 0))\n\
         a = MESH_SPLIT(p, faceset=[[0,1,17,16]], surfid1=5, surfid2=6)\n\
         print([x.nnod for x in a], a[0].node(32) == p.node(0), a[0].nodes_on_surface(5), a[0].nodes_on_surface(6))\n\
         print([x.nnod for x in MESH_SPLIT(p, [0, 1, 2], ([0,1,17,16], (8,9,25,24)))])\n\
         print([x.nodes_on_surface(5) for x in MESH_SPLIT(p, [0,1,16,17,8,9,24,25], surfid1=5)])\n\
         print(MESH_SPLIT(p, nodeset=[0, 1, 2]), MESH_SPLIT(p, faceset=[[0, 1, 3, 2]]), p.nnod)\n\
         for bad in [dict(faceset=[[0,1]]), dict(faceset=[[0,1,99]]), dict(faceset=[[0,1,1]]), dict(nodeset=[-1]), {}, dict(faceset=3)]:\n  \
         try: MESH_SPLIT(p, **bad)\n  except (ValueError, TypeError) as e: print(e)",
    );
    let expected = "[36] True [0, 1, 16, 17] [32, 33, 34, 35]\n[20, 20]\n\
                    [[0, 1, 8, 9, 10, 11, 18, 19], [12, 13, 14, 15, 16, 17, 18, 19]]\nNone None 32\n\
                    deck.py:9: MESH_SPLIT: faceset: face 0: has nodes [0, 1]; give 3 or 4 different ones\n\
                    deck.py:9: MESH_SPLIT: faceset: face 0: node 99 does not exist; there are 0 to 31\n\
                    deck.py:9: MESH_SPLIT: faceset: face 0: has nodes [0, 1, 1]; give 3 or 4 different ones\n\
                    deck.py:9: MESH_SPLIT: nodeset: node -1 does not exist; there are 0 to 31\n\
                    deck.py:9: MESH_SPLIT: give a nodeset or a faceset\n\
                    deck.py:9: MESH_SPLIT: faceset: is 3; give a sequence of faces\n";
    assert_eq!(out, expected);
}

/// Of a list, shapes that the point is not on stay as they are, below; it has to be on the cut of one.
#[test]
fn shapes_without_the_point_stay_whole() {
    let out = prints(&format!(
        "def two(): return HULL({CUBE}, 1, 7, TRANSLATE(HULL({CUBE}, 1, 7), (0, 0, 1)))\n\
         def block(x): return TRANSLATE(HEX({CUBE}, 1, 1, 2, 1, [1]*6), (x, 0, 0))\n\
         def show(*args):\n  try: parts = SPLIT(*args, topoadj='ON')\n  except ValueError as e: return str(e).split(': ')[-2]\n  \
         of = lambda x: x if isinstance(x, list) else [] if x is None else [x]\n  \
         return [[tuple(round(q, 9) + 0.0 for q in MASS_CENTER(s)) for s in of(part)] for part in parts]\n\
         print(show([block(0), block(3)], (.5, .5, .5), (0, 0, 1)))\n\
         print(show([block(0), block(3)], (2, .5, .5), (0, 0, 1)))\n\
         print(show([two(), TRANSLATE(two(), (3, 0, 0))], (3.5, .5, 1), (0, 0, 1)))\n\
         print(show([two(), TRANSLATE(two(), (0, 0, 9))], (3.5, .5, 1), (0, 0, 1)))\n\
         print(show([SPHERE((0,0,0), 1, 1, 1), SPHERE((5,0,0), 1, 1, 1)], (5, 0, 0), (0, 0, 1)))\n\
         print(show([block(0), block(3)], (2, .5, 5), (0, 0, 1)))"
    ));
    let far = "farther from the cut than 10 times epsilon = 1e-6";
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "[[(0.5, 0.5, 0.25), (3.5, 0.5, 0.5)], [(0.5, 0.5, 0.75)]]");
    assert!(lines[1].contains(far), "{}", lines[1]);
    assert_eq!(lines[2], "[[(0.5, 0.5, 1.0), (3.5, 0.5, 0.5)], [(3.5, 0.5, 1.5)]]");
    assert!(lines[3].contains(far), "{}", lines[3]);
    assert!(lines[4].starts_with("[[(0.0, 0.0, 0.0), (5.0, 0.0, -0."), "{}", lines[4]);
    assert_eq!(lines[5], "[[(0.5, 0.5, 0.5), (3.5, 0.5, 0.5)], []]");
}
