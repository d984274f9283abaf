//! SOLFEC_EXPORT and MBFCP_EXPORT.

use super::*;
use solfec_formats::results::Results;

const BALLS: &str = "\
m = BULK_MATERIAL(s, density=1000)
for i in range(3): BODY(s, 'RIGID', SPHERE((4*i, 0, 1), 1, 0, 7), m, label='BALL%d' % i)
BODY(s, 'OBSTACLE', HEX([-5,-5,-1, 15,-5,-1, 15,5,-1, -5,5,-1, -5,-5,0, 15,-5,0, 15,5,0, -5,5,0], 1, 1, 1, 1, [1,1,1,1,1,1]), m, label='FLOOR')
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0.1)
";

fn run(folder: &Folder, deck: &str, args: &[&str]) -> Output {
    folder.write("deck.py", &format!("s = SOLFEC('DYNAMIC', 0.01, 'out/run')\n{BALLS}{deck}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_sf-run"));
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    command.args(["-q"]).args(args).arg("deck.py").current_dir(&folder.0).output().unwrap()
}

fn done(folder: &Folder, deck: &str, args: &[&str]) {
    let out = run(folder, deck, args);
    assert!(out.status.success(), "{}", text(&out.stderr));
}

const RUN: &str = "RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 0.5)\n";

#[test]
fn stored_frames_become_results() {
    let folder = Folder::new();
    done(&folder, RUN, &[]);
    done(&folder, "SOLFEC_EXPORT(s, [0.1, 0.3], 'out/some', ['BALL[01]', 'FLOOR'])\n", &[]);
    let (all, some) =
        (Results::open(&folder.path("out/run")).unwrap(), Results::open(&folder.path("out/some")).unwrap());
    assert_eq!(some.frame_times(0).unwrap(), [all.frame_times(0).unwrap()[1], all.frame_times(0).unwrap()[3]]);
    assert_eq!(some.frames(0).unwrap().bodies(0), 3);
    let (a, b) = (all.read_frame(0, 3).unwrap(), some.read_frame(0, 1).unwrap());
    assert_eq!((a.constraints.id.len(), b.constraints.id.len()), (3, 2));
    assert_eq!(a.constraints.r[..2], b.constraints.r[..]);
    assert_eq!(folder.read("out/some/some.py"), folder.read("deck.py"));
    // The export is results like any other, and is replaced by another one.
    done(&folder, "assert s.mode == 'READ'\nSOLFEC_EXPORT(s, (0.1, 0.4), 'out/some')\n", &[]);
    assert_eq!(Results::open(&folder.path("out/some")).unwrap().frame_times(0).unwrap().len(), 4);
    done(&folder, "assert s.mode == 'READ'\n", &["-o", "out/some"]);
}

#[test]
fn the_present_state_is_added() {
    let folder = Folder::new();
    let deck = format!("SOLFEC_EXPORT(s, 0, 'out/now', 'BALL')\n{RUN}SOLFEC_EXPORT(s, 0, 'out/now', 'BALL')\n{RUN}");
    let deck = format!("{deck}SOLFEC_EXPORT(s, 0, 'out/now', 'BALL1')\n");
    done(&folder, &deck, &[]);
    let now = Results::open(&folder.path("out/now")).unwrap();
    let times = now.frame_times(0).unwrap();
    assert_eq!(times.len(), 3);
    assert!(times[0] == 0.0 && (times[1] - 0.5).abs() < 1e-9 && (times[2] - 1.0).abs() < 1e-9, "{times:?}");
    let bodies: Vec<u64> = (0..3).map(|k| now.frames(0).unwrap().bodies(k)).collect();
    assert_eq!(bodies, [3, 3, 1]);
    // Written again, they are replaced and not continued.
    done(&folder, &deck, &["-w"]);
    assert_eq!(Results::open(&folder.path("out/now")).unwrap().frame_times(0).unwrap().len(), 3);
}

#[test]
fn wrong_exports_are_refused() {
    let folder = Folder::new();
    done(&folder, RUN, &[]);
    for (call, says) in [
        ("SOLFEC_EXPORT(s, [0.3, 0.1], 'out/some')", "goes back in time"),
        ("SOLFEC_EXPORT(s, 0.1, 'out/run')", "holds results of a run"),
        ("SOLFEC_EXPORT(s, 0.1, 'out/some', 'CUBE')", "'CUBE' names no body"),
    ] {
        let out = run(&folder, &format!("{call}\n"), &[]);
        assert_eq!(out.status.code(), Some(3), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains(says), "{}", text(&out.stderr));
    }
    assert!(!folder.path("out/some").exists());
    assert_eq!(Results::open(&folder.path("out/run")).unwrap().frame_times(0).unwrap().len(), 6);
}

#[test]
fn mbfcp_text() {
    let folder = Folder::new();
    let deck = "s = SOLFEC('DYNAMIC', 0.1, 'out/a')\nm = BULK_MATERIAL(s, label='stone', young=0.1, density=1/3)\n\
                SURFACE_MATERIAL(s, 3, 1, friction=0.3)\nSURFACE_MATERIAL(s, 2, model='SPRING_DASHPOT', spring=1e6, dashpot=5)\n\
                GRAVITY(s, (0, TIME_SERIES([0, 1, 2, 3]), -9.81))\n\
                a = BODY(s, 'RIGID', TRANSLATE(CONVEX([0,0,0, 1,0,0, 0,1,0, 0,0,1], [3,0,2,1,4, 3,0,1,3,4, 3,1,2,3,4, 3,0,3,2,5], 6), (1,0,0)), m)\n\
                b = BODY(s, 'OBSTACLE', SPHERE((0,0,-3), 1, 0, 9), m, label='B')\nFORCE(a, 'SPATIAL', (0,0,0), (0,0,2), 7)\n\
                FIX_POINT(a, (1,0,0))\nPUT_SPRING(a, (1,0,0), b, (0,0,-3), (100, 0.5), (-1, 1))\nMBFCP_EXPORT(s, 'a.txt')\n";
    folder.write("deck.py", deck);
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let found = folder.read("a.txt");
    for part in [
        "SURFACE_MATERIALS:\t3\nSURF1:\tANY\nSURF2:\tANY\nMODEL:\tSIGNORINI_COULOMB\nFRICTION:\t0\nCOHESION:\t0\nRESTITUTION:\t0\nSURF1:\t1\nSURF2:\t3\n",
        "SURF1:\t2\nSURF2:\tANY\nMODEL:\tSPRING_DASHPOT\nFRICTION:\t0\nCOHESION:\t0\nSPRING:\t1000000\nDASHPOT:\t5\n",
        "BULK_MATERIALS:\t1\nLABEL:\tstone\nMODEL:\tKIRCHHOFF\nYOUNG:\t0.1\nPOISSON:\t0.25\nDENSITY:\t0.3333333333333333\n",
        "GRAVITY:\t\nCONSTANT:\t0\nTIME_SERIES:\t2\n0\t1\n2\t3\nCONSTANT:\t-9.81\n",
        "BODIES:\t2\nID:\t1\nLABEL:\t(null)\nKINEMATICS:\tRIGID\nBULK_MATERIAL:\tstone\nSHAPES:\t1\nCONVEXES:\t1\nVERTEXES:\t4\n1\t0\t0\n2\t0\t0\n",
        "FACES:\t4\n3\t0\t2\t1\t4\n",
        "VELOCITY:\t0\t0\t0\t0\t0\t0\nFORCES:\t1\nKIND:\tSPATIAL\nPOINT:\t0\t0\t0\nDIRECTION:\t0\t0\t1\nCONSTANT:\t7\n",
        "SPHERES:\t1\nCENTER:\t0\t0\t-3\nRADIUS:\t1\nSURFID:\t9\n",
        "CONSTRAINTS:\t2\nID:\t1\nKIND:\tFIXPNT\nBODY1:\t1\nBODY2:\tNONE\nPOINT1:\t1\t0\t0\n",
        "LIMITS:\t-1\t1\nSTIFFNESS:\t100\nDAMPING:\t0.5\n",
    ] {
        assert!(found.contains(part), "{part}\n is not in\n{found}");
    }
    let out = folder.build(&["-f", "-o", "b.txt", "--export", "mbfcp", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(folder.read("b.txt"), found);
    // Bodies made between RUNs begin as the deck says, too.
    let late = "RUN(s, 'AUTO', 1)\nc = BODY(s, 'RIGID', SPHERE((9,0,0), 1, 0, 9), m)\n\
                INITIAL_VELOCITY(c, (1, 2, 3), (0, 0, 4))\nMBFCP_EXPORT";
    folder.write("deck.py", &deck.replace("MBFCP_EXPORT", late));
    let out = folder.build(&["--check", "deck.py"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(folder.read("a.txt").contains("VELOCITY:\t0\t0\t4\t1\t2\t3\n"), "{}", folder.read("a.txt"));
    folder.write("deck.py", &deck.replace("(0,0,2), 7)", "(0,0,2), lambda q, u, t, h: 9*[0])"));
    let out = folder.build(&["--allow-live", "--check", "deck.py"]);
    assert_eq!(out.status.code(), Some(3));
    assert!(text(&out.stderr).contains("body 1: a FORCE is a function (line 8)"), "{}", text(&out.stderr));
}
