//! Modes, matrices and reduced bodies in decks.

use solfec::model::{Formulation, Scheme};

use super::*;

/// The bar whose modes have closed forms.
const BAR: &str = "s = SOLFEC('DYNAMIC', 1e-3, 'out/test')\n\
    m = BULK_MATERIAL(s, young=1e6, poisson=0, density=1e3)\n\
    def mesh(): return SCALE(HEX([0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1], 10, 1, 1, 1, [1]*6), (1, .1, .1))\n\
    b = BODY(s, 'FINITE_ELEMENT', mesh(), m)\n";

/// Eigenvalues as the closed forms say, six zeros first, M-orthonormal vectors; a mode that is asked for again is read.
#[test]
fn modes_of_a_bar_are_kept() {
    let folder = Folder::new();
    folder.write(
        "deck.py",
        &format!(
            "{BAR}val, vec = MODAL_ANALYSIS(b, 14, 'kept/bar', verbose='OFF')\n\
             print(val[:6], ['%.3f' % x for x in val[6:]], len(vec) == 14 * 3 * 44)\n\
             import os; before = os.stat('kept/bar.h5').st_mtime_ns\n\
             print(MODAL_ANALYSIS(b, 14, 'kept/bar') == (val, vec), MODAL_ANALYSIS(path='kept/bar') == (val, vec))\n\
             print(MODAL_ANALYSIS(b, 8, 'kept/bar')[0] == val[:8], os.stat('kept/bar.h5').st_mtime_ns == before)\n\
             print(MODAL_ANALYSIS(b, 7)[0] == val[:6] + [MODAL_ANALYSIS(b, 7)[0][6]])\n\
             other = BODY(s, 'FINITE_ELEMENT', TRANSLATE(mesh(), (0, 5, 0)), m, form='BC')\n\
             print('%.3f' % MODAL_ANALYSIS(other, 7, 'kept/bar')[0][6], os.stat('kept/bar.h5').st_mtime_ns == before)\n"
        ),
    );
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let expected = "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0] ['518.798', '518.798', '1631.449', '3274.274', '3274.274', \
                    '6366.100', '9788.697', '10340.633'] True\nTrue True\nTrue True\nTrue\n518.798 False\n";
    assert_eq!(text(&out.stdout), expected);
    assert!(text(&out.stderr).contains("kept/bar.h5: was made from another mesh or material: made again"));
}

/// Masses of nodes sum to the mass; rows of the stiffness sum to zero; triangles are symmetric.
#[test]
fn matrices_of_a_cube() {
    let folder = Folder::new();
    folder.write(
        "deck.py",
        &format!(
            "{START}b = BODY(s, 'FINITE_ELEMENT', HEX({CUBE}, 1, 1, 1, 1, [1]*6), m)\n\
             BODY_MM_EXPORT(b, 'mm/M.mtx', 'mm/K.mtx'); BODY_MM_EXPORT(b, 'mm/M2.mtx', 'mm/K2.mtx', 'OFF', 'OFF')\n\
             print([sum(x * x for x in field) for field in RIGID_DISPLACEMENTS(b)])\n"
        ),
    );
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let numbers = |name: &str| {
        let text = folder.read(name);
        let head = text.lines().next().expect("a header").to_string();
        let rows = text.lines().skip(2).map(|line| line.split(' ').map(|x| x.parse().expect("a number")).collect());
        (head, rows.collect::<Vec<Vec<f64>>>())
    };
    let (head, mass) = numbers("mm/M.mtx");
    assert_eq!(head, "%%MatrixMarket matrix coordinate real symmetric");
    let trace: f64 = mass.iter().map(|row| row[2]).sum();
    assert!((trace / 3.0 - 1000.0).abs() < 1e-9 && mass.len() == 24, "{trace}");
    let (_, lower) = numbers("mm/K.mtx");
    assert!(lower.iter().all(|row| row[0] >= row[1]));
    let (head, whole) = numbers("mm/K2.mtx");
    assert_eq!(head, "%%MatrixMarket matrix coordinate real general");
    let mut sums = [0.0; 24 * 3];
    for row in &whole {
        sums[3 * (row[0] as usize - 1) + (row[1] as usize - 1) % 3] += row[2];
    }
    // Entries are of the size 1e8.
    assert!(sums.iter().all(|sum| sum.abs() < 1e-6), "{sums:?}");
    assert_eq!(2 * lower.len(), whole.len() + 24);
    let norms = text(&out.stdout);
    assert!(norms.matches("1.0").count() + norms.matches("0.99999").count() == 6, "{norms}");
    folder.build(&["--check", "--compat", "mm_header", "deck.py"]);
    assert_eq!(numbers("mm/K.mtx").0, "%%MatrixMarket matrix coordinate real general");
}

/// Displacements of a turning bar without its rotation: a body that moves rigidly has none, and results that are read
/// give those of their frames.
#[test]
fn samples_are_free_of_rigid_motion() {
    let folder = Folder::new();
    folder.write(
        "deck.py",
        &format!(
            "{BAR}b.scheme = 'DEF_LIM'\nINITIAL_VELOCITY(b, (1, 0, 0), (0, 0, 3))\nOUTPUT(s, 0.01)\n\
             soft = COROTATED_DISPLACEMENTS(s, sampling=[0, 0.0195, 0.0205])\n\
             frames = COROTATED_DISPLACEMENTS(s, 1)\nsteps = COROTATED_DISPLACEMENTS(s, [b], 0)\n\
             try: COROTATED_DISPLACEMENTS(s, 'ROD')\nexcept ValueError as e: print('subset' in str(e))\n\
             RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 10), 0.05)\n\
             if s.mode == 'READ':\n  FORWARD(s, 1, 'TRUE'); FORWARD(s, 1); FORWARD(s, 99, 'TRUE')\n\
             print(s.mode, len(soft), len(frames), len(steps), len(soft[0]), max(map(abs, soft[0])) < 1e-12)\n"
        ),
    );
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sf-run"));
        if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
            command.env("SF_PYTHON", python);
        }
        let out = command.args(["-q", "deck.py"]).current_dir(folder.path("")).output().expect("sf-run runs");
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let written = run();
    assert_eq!(written, "True\nWRITE 3 5 50 132 True\n");
    let read = run();
    assert_eq!(read, "True\nREAD 5 5 5 132 True\n");
    let (code, told) = fails(&format!("{BAR}COROTATED_DISPLACEMENTS(s)\n"));
    assert!(code == 7 && told.contains("samples are taken by a run"), "{code} {told}");
}

/// Bodies share a base by its label or its numbers; what is wrong with a base is told with the line of the body.
#[test]
fn reduced_bodies_share_bases() {
    let deck = format!(
        "{BAR}data = MODAL_ANALYSIS(b, 12); DELETE(s, b)\nREGISTER_BASE(s, data, 'BAR')\n\
         a = BODY(s, 'FINITE_ELEMENT', mesh(), m, form='BC-MODAL', base='BAR')\n\
         BODY(s, 'FINITE_ELEMENT', TRANSLATE(mesh(), (0, 1, 0)), m, form='BC-RO', base=data)\n\
         BODY(s, 'FINITE_ELEMENT', TRANSLATE(mesh(), (0, 2, 0)), m, form='RO', modal=data)\n\
         print(len(a.conf), len(a.velo), a.scheme)\n"
    );
    let folder = Folder::new();
    let models = folder.models(&deck);
    let model = &models[0];
    assert_eq!((model.bases.len(), model.bases[0].label.as_str(), model.bases[0].count()), (1, "BAR", 12));
    let forms: Vec<Formulation> = model.bodies[1..].iter().map(|body| body.form).collect();
    assert_eq!(forms, [Formulation::Modal, Formulation::Reduced, Formulation::Reduced]);
    assert!(model.bodies[1..].iter().all(|body| body.reduced() == Some(12) && body.scheme == Scheme::DefLim));
    assert_eq!(prints(&deck), "21 12 DEF_LIM\n");
    for (line, says) in [
        ("BODY(s, 'FINITE_ELEMENT', mesh(), m, form='BC-RO')", "base: is missing; form 'BC-RO' needs"),
        ("BODY(s, 'FINITE_ELEMENT', mesh(), m, form='BC-MODAL', base='BEAM')", "'BEAM' is no registered base"),
        ("BODY(s, 'FINITE_ELEMENT', mesh(), m, form='BC-MODAL', base=([0]*2, [1]*12))", "vectors of 6 numbers"),
        ("BODY(s, 'FINITE_ELEMENT', mesh(), m, form='BC-RO', base=([0]*2, [1]*13))", "2 values and 13 numbers"),
        ("BODY(s, 'FINITE_ELEMENT', mesh(), m, form='BC-RO', base=3)", "give (values, vectors) or a label"),
        ("REGISTER_BASE(s, data, 'BAR')", "'BAR' is taken"),
        ("a.scheme = 'DEF_EXP'", "'DEF_EXP' is not for reduced bodies"),
        ("a.conf = [0]*12", "has 12 numbers; give 21"),
        ("MODAL_ANALYSIS(path='none')", "'none.h5' does not exist"),
        ("MODAL_ANALYSIS()", "neither a body nor the path of a file"),
        ("MODAL_ANALYSIS(a)", "num: is 0"),
        ("MODAL_ANALYSIS(a, 500)", "give a number from 1 to 132"),
        ("MODAL_ANALYSIS(BODY(s, 'RIGID', mesh(), m), 9)", "is not of finite elements"),
    ] {
        let (code, told) = fails(&format!("{deck}{line}\n"));
        assert!(code == 3 && told.contains(says), "{line}: {code} {told}");
    }
}

/// Two cubes on one another, with a volume id each.
const TWO: &str = "s = SOLFEC('DYNAMIC', 1e-3, 'out/test')\n\
    m = BULK_MATERIAL(s, young=1e6, poisson=.3, density=1e3)\n\
    n = BULK_MATERIAL(s, young=5e6, poisson=.3, density=3e3, label='other')\n\
    def mesh(x): return TRANSLATE(MESH([0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1, \
    0,0,2, 1,0,2, 1,1,2, 0,1,2], \
    [8,0,1,2,3,4,5,6,7,1, 8,4,5,6,7,8,9,10,11,2], 0), (x, 0, 0))\n\
    a = BODY(s, 'FINITE_ELEMENT', mesh(0), m, form='BC')\n";

/// Modes of a body of two materials are for another such body, which has its materials after its base; the same base is
/// refused where the materials are not those of the modes, when the body is complete.
#[test]
fn modes_of_two_materials_are_for_bodies_of_both() {
    let apply = "APPLY_BULKMAT(s, %, 2, n)\n";
    let deck = |before: bool, after: bool| {
        let of = |body: &str, wanted: bool| if wanted { apply.replace('%', body) } else { String::new() };
        format!(
            "{TWO}{}base = MODAL_ANALYSIS(a, 20)\nDELETE(s, a)\n\
             b = BODY(s, 'FINITE_ELEMENT', mesh(9), m, label='B', form='BC-MODAL', base=base)\n{}\
             INITIAL_VELOCITY(b, (0,0,0), (1,2,3))\nRUN(s, 'AUTO', 0.01)\nprint('%.3g' % ENERGY(s, b)[0])\n",
            of("a", before),
            of("b", after)
        )
    };
    let out = Folder::new().run(&deck(true, true));
    assert!(out.status.success() && text(&out.stdout).lines().count() > 0, "{}", text(&out.stderr));
    let out = Folder::new().run(&deck(false, false));
    assert!(out.status.success(), "{}", text(&out.stderr));
    for (before, after, line) in [(true, false, 9), (false, true, 8)] {
        let out = Folder::new().run(&deck(before, after));
        let told = text(&out.stderr);
        assert_eq!(out.status.code(), Some(3), "{told}");
        for says in ["RUN: body 2 'B': ", "of its base are not", &format!("(deck line {line})"), "APPLY_BULKMAT"] {
            assert!(told.contains(says), "{says}: {told}");
        }
    }
    // What no material can mend is told at once.
    let (code, told) =
        fails(&format!("{TWO}BODY(s, 'FINITE_ELEMENT', mesh(9), m, form='BC-MODAL', base=([0, 1], [1]*72))\n"));
    assert!(code == 3 && told.contains("deck.py:6: BODY: body 2: the vectors of its base are dependent"), "{told}");
}
