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
    let expected =
        "12 (1.0, 1.0, 1.0) [8, 9, 10, 11] None\n(1.0, 0.0, 0.0) (1.0, 0.0, -1.0) (1.0, 0.0, -1.0) 4\nTrue 4\n\
         8 (1.0, 1.0, 1.0)\n4\n(2.0, 4.0, 6.0) 8.0 (2.0, 4.0, 6.0)\n(2.0, 4.0, 6.0) (1.0, 2.0, 3.0) (0.0, 1.0, 0.0)\n\
         <class 'list'> <class 'list'> False True True\n";
    assert_eq!(out, expected);
}

#[test]
fn of_ellipsoids() {
    let out = prints(
        "e = ELLIP((0, 0, 0), (1, 2, 3), 4, 5); ROTATE(e, (0, 0, 0), (0, 0, 1), 90); print(e.rot)\nSCALE(e, (2, 1, 1))\n\
         TRANSLATE(e, (1, 0, 0)); print(e.center, tuple(round(r, 12) for r in e.radii), MASS_CENTER(e), isinstance(e, ELLIP))",
    );
    let expected = "(0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0)\n\
                    (1.0, 0.0, 0.0) (1.0, 4.0, 3.0) (1.0, 0.0, 0.0) True\n";
    assert_eq!(out, expected);
    let (code, errors) = fails("ELLIP((0, 0, 0), (1, -2, 3), 4, 5)\nELLIP((0, 0, 0), (1, 2, 3), 4, 5)\n");
    assert!(code == 3 && errors.contains("deck.py:1: ELLIP: radii of the ellipsoid are (1, -2, 3)"), "{errors}");
}

#[test]
fn of_pipes_and_bends() {
    let out = prints(
        "p = PIPE((0,0,0), (0,0,2), 0.5, 1, ndri=1, nrad=8, nthi=1, volid=1, surids=[1, 2, 3, 4])\n\
         print(p.nnod, [round(x, 6) for x in p.node(2)], len(p.inter_element_faces()), p.nodes_on_surface(1)[:3])\n\
         b = HEX([0,0,1, 1,0,1, 1,.1,1, 0,.1,1, 0,0,1.2, 1,0,1.2, 1,.1,1.2, 0,.1,1.2], 4, 1, 2, 1, [1]*6)\n\
         print(len(b.inter_element_faces()), b.inter_element_faces_on_plane((0,0,1.1), (0,0,2)))\n\
         print(BEND(b, (0,0,0), (0,1,0), 30) is b, [round(x, 6) for x in b.node(4)])",
    );
    let expected = "32 [-0.353553, 0.353553, 0.0] 8 [0, 1, 2]\n\
                    10 [[10, 11, 16, 15], [11, 12, 17, 16], [12, 13, 18, 17], [13, 14, 19, 18]]\n\
                    True [0.912576, 0.0, 0.627825]\n";
    assert_eq!(out, expected);
    let (code, errors) = fails("PIPE((0,0,0), (0,0,2), 0.5, 1, 1, 2, 1, 1, [1]*4)\nx = SPHERE((0,0,0), 1, 1, 1)\n");
    assert!(
        code == 3 && errors.contains("deck.py:1: PIPE: the pipe has 1 elements along its axis, 2 around"),
        "{errors}"
    );
}

/// A list, a bare shape or nothing; what was not chosen is gone.
#[test]
fn shapes_that_overlap_are_chosen() {
    let out = prints(&format!(
        "cube = HEX({CUBE}, 1, 1, 1, 1, [1]*6)\n\
         balls = lambda: [SPHERE((0.5, 0.5, z), 0.5, 1, 1) for z in (1.5, 1.49, 1.6)]\n\
         old = balls(); print([b.center[2] for b in OVERLAPPING(cube, old)])\n\
         try: old[0].center\nexcept TypeError as e: print('given away' in str(e))\n\
         print(OVERLAPPING(cube, balls(), gap=-0.005).center[2], OVERLAPPING(cube, balls(), 'NOT').center[2])\n\
         print(OVERLAPPING(cube, SPHERE((5, 5, 5), 1, 1, 1)), cube.nnod)\n\
         try: OVERLAPPING(cube, balls(), gap=1)\nexcept ValueError as e: print(e)"
    ));
    assert_eq!(
        out,
        "[1.5, 1.49]\nTrue\n1.49 1.6\nNone 8\ndeck.py:8: OVERLAPPING: gap: is 1; give a number that is not positive\n"
    );
}

/// A mesh with an element in the middle that is not on the boundary, or without one, and what lies there.
#[test]
fn shapes_inside_of_others_overlap_them() {
    let out = prints(&format!(
        "def big(n): h = HEX({CUBE}, n, n, n, 1, [1]*6); SCALE(h, (3, 3, 3)); return h\n\
         def small(): h = HEX({CUBE}, 1, 1, 1, 1, [1]*6); SCALE(h, (.2,)*3); return TRANSLATE(h, (1.4,)*3)\n\
         ball = lambda: SPHERE((1.5, 1.5, 1.5), .1, 1, 1)\n\
         ellip = lambda: ELLIP((1.5, 1.5, 1.5), (.1, .2, .3), 1, 1)\n\
         hull = lambda: MESH2CONVEX(small())\n\
         for n in (1, 3):\n  \
           for shape in (ball, ellip, hull, small):\n    \
             all = [OVERLAPPING(big(n), shape()), OVERLAPPING(shape(), big(n)), OVERLAPPING(big(n), shape(), gap=-1)]\n    \
             print(*[x is not None for x in all + [OVERLAPPING(MESH2CONVEX(big(n)), shape())]], end=' ')"
    ));
    assert_eq!(out, "True ".repeat(32));
}

/// Places in the reference configuration and where the body is now.
#[test]
fn of_meshes_of_bodies() {
    let out = prints(&format!(
        "{START}h = HEX({CUBE}, 1, 1, 2, 5, [1,2,3,4,5,6])\n\
         print(len(h.surface_integration_points()), len(h.surface_integration_points(2147483647)), len(h.volume_integration_points(5)))\n\
         print(h.volume_integration_points(4), [[round(c, 7) for c in x] for x in h.surface_integration_points(1)])\n\
         b = BODY(s, 'RIGID', h, m); b.conf = (1,0,0, 0,1,0, 0,0,1, 7,.5,.5); v = b.mesh\n\
         print(v.node(0), [round(c, 7) for c in v.volume_integration_points()[0]], len(v.inter_element_faces()))\n\
         p = (0, 0, .5); n = (0, 0, 2); print(v.inter_element_faces_on_plane(p, n), v.inter_element_faces_on_plane((6.5, 0, 0), (1, 0, 0)))\n\
         b.conf = (1,0,0, 0,1,0, 0,0,1, .5,.5,8); v = b.mesh\n\
         print(v.inter_element_faces_on_plane(p, n, ref=False), v.inter_element_faces_on_plane((0, 0, 8), n, False), MASS_CENTER(v))"
    ));
    let low = "0.2113249";
    let high = "0.7886751";
    let expected = format!(
        "40 40 16\n[] [[{low}, {low}, 0.0], [{low}, {high}, 0.0], [{high}, {high}, 0.0], [{high}, {low}, 0.0]]\n\
         (6.5, 0.0, 0.0) [{low}, {low}, 0.1056624] 1\n[[4, 5, 7, 6]] []\n[] [[4, 5, 7, 6]] (0.5, 0.5, 8.0)\n"
    );
    assert_eq!(out, expected);
}

/// Lists of elements and faces in the order of Solfec 1.0: the inner element first in `get_data`, faces backwards.
#[test]
fn of_meshes_in_the_original_order() {
    let deck = format!(
        "h = HEX({CUBE}, 1, 1, 1, 1, [1,2,3,4,5,6])\nprint([round(x[2], 9) for x in h.surface_integration_points()[:5]])\n\
         b = HEX({CUBE}, 3, 3, 3, 1, [1,2,3,4,5,6])\n(nodes, elements, faces) = b.get_data()\n\
         print(elements[1:9], MESH(*b.get_data()).get_data() == b.get_data(), len(elements) // 10)\n\
         print(faces[:7], b.inter_element_faces()[0], [round(x, 2) for x in b.volume_integration_points()[26 * 8]])\n\
         ids = dict((tuple(sorted(faces[k:k+4])), faces[k+4]) for k in range(2, len(faces), 6)); print(len(ids))\n\
         print(all(ids[tuple(sorted(b.get_data()[2][k:k+4]))] == b.get_data()[2][k+4] for k in range(2, len(faces), 6)))\n\
         SOLFEC('DYNAMIC', 1, 'out/order')\n"
    );
    let folder = Folder::new();
    folder.write("deck.py", &deck);
    let run = |args: &[&str]| {
        let out = folder.build(args);
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let original = run(&["--check", "--compat", "mesh_order", "deck.py"]);
    assert_eq!(
        original,
        "[1.0, 1.0, 1.0, 1.0, 0.211324865]\n[21, 22, 26, 25, 37, 38, 42, 41] True 27\n\
         [0, 4, 58, 59, 63, 62, 6] [1, 5, 21, 17] [0.4, 0.4, 0.4]\n54\nTrue\n"
    );
    let ours = run(&["--check", "deck.py"]);
    assert!(ours.starts_with("[0.0, 0.0, 0.0, 0.0, 0.211324865]\n[0, 1, 5, 4, 16, 17, 21, 20] True 27\n"), "{ours}");
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
    assert!(
        out.starts_with(expected)
            && out.contains("GAUSS_SEIDEL_SOLVER.failure: is read-only; those that can be assigned are "),
        "{out}"
    );
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
