//! Commands of decks that are recorded: results, errors and cost.

use super::*;
use solfec_tools::deck::Language;
use tools_testing::size::large;

#[test]
fn every_command_has_its_names_and_defaults() {
    // every command takes its arguments by name and by position, in the order and with the defaults of the table
    use solfec_tools::deck::table::signature;
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
        "FIELD (solfec, field | label, data, x, y, z, t, steady='OFF')",
        "BULK_MATERIAL (solfec | model='KIRCHHOFF', label, young=1000000000, poisson=0.25, density=1000, tensile=inf, fields, fracene=inf)",
        "SURFACE_MATERIAL (solfec | surf1, surf2, model='SIGNORINI_COULOMB', label, friction=0, cohesion=0, restitution=0, spring=0, dashpot=0, hpow=1)",
        "BODY (solfec, kind, shape, material | label, form='TL', mesh, base, enhanced='OFF', order=1)",
        "INITIAL_VELOCITY (body, linear, angular)",
        "GRAVITY (solfec, vector)",
        "GAUSS_SEIDEL_SOLVER (epsilon, maxiter | meritval=1, failure='CONTINUE', diagepsilon, diagmaxiter, diagsolver='SEMISMOOTH_NEWTON', data, callback)",
        "PENALTY_SOLVER (| variant='IMPLICIT', failure='CONTINUE', data, callback)",
        "TIME_SERIES (points | label, cache=0)",
        "FIX_POINT (body, point | strength=inf)",
        "FIX_DIRECTION (body, point, direction | body2, point2)",
        "SET_DISPLACEMENT (body, point, direction, tms)",
        "SET_VELOCITY (body, point, direction, value)",
        "SET_ACCELERATION (body, point, direction, tms)",
        "SET_DISPLACEMENT3 (body, point, base, tms)",
        "SET_VELOCITY3 (body, point, base, tms)",
        "SET_ACCELERATION3 (body, point, base, tms)",
        "PUT_RIGID_LINK (body1, body2, point1, point2 | strength=inf)",
        "PUT_SPRING (body1, point1, body2, point2, function, limits | direction, update)",
        "FORCE (body, kind, point, direction, value | data)",
        "TORQUE (body, kind, direction, value)",
        "PRESSURE (body, surfid, value | follower='OFF')",
        "DELETE (solfec, object)",
        "NEWTON_SOLVER (| meritval=1e-8, maxiter=1000, locdyn='ON', linver='GMRES', linmaxiter=10, maxmatvec=10000, epsilon=0.25, delta=0, theta=0.25, omega=1e-10, gsflag='ON', reldelta='OFF', failure='CONTINUE', data, callback)",
        "SICONOS_SOLVER (| epsilon=0.0001, maxiter=1000, verbose='OFF', failure='CONTINUE', data, callback)",
        "TEST_SOLVER (| meritval=1e-8, maxiter=1000, maxmatvec=1000, linmaxiter=10, epsilon=0.25, delta=5.1e-8, omega=1e-9)",
        "AUTO_SOLVER (| meritval=1e-8, failure='CONTINUE', data, callback)",
        "CALLBACK (solfec, interval, data, callback)",
        "REGISTER_CALLBACK (callback | data)",
        "RUN (solfec, solver, duration)",
        "OUTPUT (solfec, interval | compression='OFF', precision='DOUBLE')",
        "EXTENTS (solfec, extents)",
        "UNPHYSICAL_PENETRATION (solfec, depth)",
        "GEOMETRIC_EPSILON (epsilon)",
        "CONTACT_POINTS (solfec, number)",
        "CONTACT_SPARSIFY (solfec | threshold=0.01, minarea=0, mindist, area='HALF_SURFACE')",
        "CONTACT_EXCLUDE_BODIES (body1, body2)",
        "CONTACT_EXCLUDE_SURFACES (solfec, surf1, surf2)",
        "CONTACT_EXCLUDE_OBJECTS (body1, object1, body2, object2)",
        "BYLABEL (solfec, kind, label)",
        "NCPU (| solfec)",
        "MASS_CENTER (shape)",
        "PIPE (pnt, dir, rin, thi, ndir, nrad, nthi, volid, surfids)",
        "ELLIP (center, radii, volid, surfid)",
        "BEND (shape, point, direction, angle)",
        "OVERLAPPING (obstacles, shapes | not, gap=0)",
        "MESH_FILE (path | part, volid, surfid=0, scale=1)",
        "CONVEX_FILE (path | part, volid, surfid, scale=1)",
        "BOX (corner1, corner2, volid, surfids | i=1, j=1, k=1)",
        "BRICK_WALL (corner, brick, bricks, courses, volid, surfids | bond='RUNNING', joint=0, i=1, j=1, k=1)",
        "BRICK_ARCH (center, radius, thickness, depth, count, volid, surfids | angle1=0, angle2=180, i=1, j=1, k=1)",
        "PACKING (count, radii, corner1, corner2, volid, surfid | region='BOX', shape='SPHERE', points=12, gap=0, seed=1)",
        "ACCELEROGRAM (path | scale=1, label)",
        "ROUGH_HEX (shape, i, j, k | dx, dy, dz)",
        "ELLIP_MESH (center, radii, error, volid, surfid)",
        "MESH2CONVEX (mesh)",
        "TETRAHEDRALIZE (shape, path | volume, quality, volid, surfid, min_angle, max_angle, ref_length)",
        "SPLIT (shape, point, normal | surfid, topoadj='OFF', remesh='ON')",
        "MESH_SPLIT (mesh | nodeset, faceset, surfid1=0, surfid2=0)",
        "APPLY_BULKMAT (solfec, body, volid, material)",
        "BODY_CHARS (body, mass, volume, center, tensor)",
        "DISPLAY_POINT (body, point | label)",
        "WARNINGS (state)",
        "SEEK (solfec, time | mode='nearest')",
        "FORWARD (solfec, steps | corotated_displacements='FALSE')",
        "BACKWARD (solfec, steps)",
        "DURATION (solfec)",
        "DISPLACEMENT (body, point)",
        "VELOCITY (body, point)",
        "STRESS (body, point)",
        "ENERGY (solfec | object)",
        "TIMING (solfec, kind)",
        "HISTORY (solfec, list, t0, t1 | skip=1, progress='OFF', on='master')",
        "LOCDYN_DUMP (solfec, path)",
        "XDMF_EXPORT (solfec, time, path | subset, attributes)",
        "SOLFEC_EXPORT (solfec, time, path | subset)",
        "MBFCP_EXPORT (solfec, path)",
        "INITIALIZE_STATE (solfec, path, time | subset)",
        "RIGID_TO_FEM (path, time, solfec | subset)",
        "RENDER (solfec | object)",
        "VIEWER ()",
        "NON_SOLFEC_ARGV ()",
        "SUBDIR ()",
        "RANK ()",
        "HERE (solfec, object)",
        "BARRIER ()",
        "IMBALANCE_TOLERANCE (solfec, tolerance | weightfactor=1, updatefreq=10)",
        "INTERIOR_POINT_SOLVER (| meritval=1e-16, maxiter=200, failure='CONTINUE', data, callback)",
        "PROXIMAL_NEWTON_SOLVER (| meritval=1e-16, maxiter=500, alpha=0.01, failure='CONTINUE', data, callback)",
        "CORRECTED_SWEEPS_SOLVER (| meritval=1e-8, maxiter=200, sweeps=8, failure='CONTINUE', data, callback)",
        "ADMM_SOLVER (| meritval=1e-8, maxiter=5000, rho=0.05, relaxation=1.6, failure='CONTINUE', data, callback)",
        "REGISTER_BASE (solfec, base, label)",
        "MODAL_ANALYSIS (| body, num=0, path, abstol=1e-11, maxiter=100, verbose='OFF')",
        "BODY_MM_EXPORT (body, pathM, pathK | spdM='ON', spdK='ON')",
        "RIGID_DISPLACEMENTS (body)",
        "COROTATED_DISPLACEMENTS (solfec | subset, sampling)",
    ];
    let language = Language::standard();
    for line in expected {
        let name = line.split(' ').next().unwrap();
        let command = language.command(name).unwrap();
        assert_eq!(signature(name, command.args), line);
    }
    // Nothing that exists is missing above.
    let listed: Vec<&str> = expected.iter().map(|line| line.split(' ').next().unwrap()).collect();
    let missing: Vec<&str> = language.commands.iter().map(|c| c.name).filter(|name| !listed.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    others_are_refused();
    let out = prints(&format!(
        "a = HEX({CUBE}, 1, 1, 1, 1, surids=[1]*6, dy=[1]); b = HEX(nodes={CUBE}, i=1, j=1, k=1, volid=1, surfids=[1]*6)\n\
         print(a.get_data() == b.get_data())"
    ));
    assert_eq!(out, "True\n");
}

/// Every other command of Solfec-1.0 is there, and says why it is refused.
fn others_are_refused() {
    let absent: Vec<&str> = Language::standard().absent.iter().map(|absent| absent.name).collect();
    assert!(absent.contains(&"HYBRID_SOLVER"));
    let out =
        prints(&format!("for name in {absent:?}:\n  try: globals()[name](1, 2)\n  except RuntimeError as e: print(e)"));
    let expected = |name: &str| format!("{name}: is a command of Solfec 1.0 that this version does not have");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), absent.len(), "{out}");
    for (line, name) in lines.iter().zip(&absent) {
        assert!(line.contains(&expected(name)), "{line}");
    }
}

#[test]
fn exit_codes_of_decks() {
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
fn facts_of_commands_without_a_run() {
    let out = prints(&format!(
        "{START}print(NON_SOLFEC_ARGV(), IMBALANCE_TOLERANCE(s, 1), BARRIER())\nx = HEX({CUBE}, 1,1,1,1,[1]*6)\n\
         print(x.nodes_on_surface(2), repr(BODY(s, 'RIGID', x, m).label))\ns.verbose = '%\\n'; print(s.verbose)\n\
         print(m.label, SURFACE_MATERIAL(s, 1, 2).label, BYLABEL(s, 'SURFACE_MATERIAL', 'DEFAULT').label)\n\
         print(SURFACE_MATERIAL(s, 2, 1) == SURFACE_MATERIAL(s, 1, 2))\nOUTPUT(s, 0)\n\
         a = BYLABEL(s, 'BODY', ''); t = TIME_SERIES([0,0, 1,1])\nSET_VELOCITY(a, (0,0,0), (1,0,0), 1); SET_VELOCITY(a, (0,0,0), (1,0,0), t)\n\
         try: SET_DISPLACEMENT(a, (0,0,0), (1,0,0), 1)\nexcept TypeError: print('refused')\n\
         try: CALLBACK(s, 0, None, print)\nexcept ValueError: print('refused')\n\
         try: RUN(s, PENALTY_SOLVER(), 0)\nexcept ValueError: print('refused')"
    ));
    let expected =
        "None True True\nNone ''\n%\nBULK_MATERIAL_0 SURFACE_MATERIAL_1 DEFAULT\nTrue\nrefused\nrefused\nrefused\n";
    assert_eq!(out, expected);
}

/// Runs a program in `folder` and returns the processor seconds it took and the peak of its resident memory [bytes].
fn measured(folder: &Folder, python: &str, program: &[&str]) -> (f64, u64) {
    const MEASURE: &str = "import subprocess, resource, sys\ns = subprocess.call(sys.argv[1:])\n\
                           u = resource.getrusage(resource.RUSAGE_CHILDREN)\n\
                           print(u.ru_utime + u.ru_stime, u.ru_maxrss * 1024); sys.exit(s)";
    let mut command = Command::new(python);
    let out =
        command.args(["-c", MEASURE]).args(program).env("SF_PYTHON", python).current_dir(&folder.0).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let printed = text(&out.stdout);
    let (seconds, bytes) = printed.trim().split_once(' ').unwrap();
    (seconds.parse().unwrap(), bytes.parse().unwrap())
}

/// Seconds that a processor has spent on this thread: what others do at the same time does not count.
fn processor_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// A model of 1e6 spheres: building, file, memory, a frame. A tenth of it here; `SF_LARGE=1` for all.
#[test]
fn a_million_spheres() {
    let large = large();
    let share = if large { 1.0 } else { 0.1 };
    let count = (share * 1e6) as usize;
    let folder = Folder::new();
    let deck = format!(
        "import random, resource\nrandom.seed(1)\ns = SOLFEC('DYNAMIC', 1e-3, 'out/many')\nm = BULK_MATERIAL(s, density=1000)\nx = random.random\n\
         for i in range({count}): BODY(s, 'RIGID', SPHERE((3*i + x(), x(), x()), 0.5 + x()/2, 1, 1), m)\n\
         with open('python.txt', 'w') as f: print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, file=f)\n"
    );
    folder.write("deck.py", &deck);
    let python = std::env::var("SF_TEST_PYTHON").unwrap_or("python3".into());
    let (seconds, memory) = measured(&folder, &python, &[env!("CARGO_BIN_EXE_sf-build"), "-o", "m.h5", "deck.py"]);
    let memory = memory + folder.read("python.txt").trim().parse::<u64>().unwrap();
    let size = std::fs::metadata(folder.path("m.h5")).unwrap().len();
    println!(
        "{count} spheres: {seconds:.1} s, {:.1} MB of file, {:.0} MB of memory",
        size as f64 / 1e6,
        memory as f64 / 1e6
    );
    assert!(!large || seconds < 60.0, "{seconds} s");
    assert!((size as f64) < 300e6 * share, "{size} bytes");
    assert!((memory as f64) < 3e9 * share, "{memory} bytes");

    let file = read_file(&folder.path("m.h5")).unwrap();
    assert_eq!(file.domains[0].bodies.len(), count);
    let frame = solfec::simulation::Simulation::new(&file.domains[0]).unwrap().view();
    let mut writer =
        solfec_formats::results::Writer::create(&folder.path("results"), &file, Default::default()).unwrap();
    let start = processor_seconds();
    writer.append(0, frame).unwrap();
    writer.flush().unwrap();
    let seconds = processor_seconds() - start;
    let frame = std::fs::metadata(folder.path("results/segments/s00000.r0000.h5")).unwrap().len();
    println!("a frame: {seconds:.2} s, {frame} bytes");
    assert!(frame < 300 * count as u64 + (1 << 20), "a frame takes {frame} bytes");
    assert!(!large || seconds < 2.0, "a frame took {seconds} s");
}
