//! Live decks: what a run leaves behind when something interferes, and that it equals the recorded run.

use super::common::*;

/// A ball in flight, with OUTPUT every 50 ms.
const FLIGHT: &str = "
solfec = SOLFEC('DYNAMIC', 1E-2, 'out/flight')
bulk = BULK_MATERIAL(solfec, density=1E3)
ball = BODY(solfec, 'RIGID', SPHERE((0, 0, 0), 0.5, 1, 1), bulk, label='BALL')
GRAVITY(solfec, (0, 0, -10))
OUTPUT(solfec, 0.05)
solver = GAUSS_SEIDEL_SOLVER(1E-6, 100)
";

/// The state at the end of the last RUN is stored as it was then, in live runs as in recorded ones.
#[test]
fn the_last_frame_is_that_of_the_last_run() {
    let folder = Scratch::new();
    let after = "RUN(solfec, solver, 0.12)\nINITIAL_VELOCITY(ball, (0, 0, 7), (0, 0, 0))\n";
    folder.write("deck.py", &format!("{FLIGHT}{after}"));
    done(&folder, "sf-run -q deck.py && sf-build deck.py | sf-run -q -o recorded -");
    let live = done(&folder, "sf-history out/flight 'v=VZ@label:BALL(0,0,0)'");
    assert_eq!(live, done(&folder, "sf-history recorded 'v=VZ@label:BALL(0,0,0)'"));
    let table = Table::parse(&live);
    assert_eq!(table.column("time").last(), Some(&0.12));
    assert!((table.column("v").last().unwrap() + 1.2).abs() < 1e-12);
}

/// The model beside the results has every RUN of the deck, with anything between them or nothing.
#[test]
fn the_model_of_the_results_runs_as_the_deck_did() {
    for between in ["", "INITIAL_VELOCITY(ball, (0, 0, 7), (0, 0, 0))\n"] {
        let folder = Scratch::new();
        let runs = format!("RUN(solfec, solver, 0.1)\n{between}RUN(solfec, solver, 0.05)\n");
        folder.write("deck.py", &format!("{FLIGHT}{runs}"));
        done(&folder, "sf-run -q deck.py && sf-run -q -o again out/flight/flight.sfm.h5");
        let live = done(&folder, "sf-history out/flight 'v=VZ@label:BALL(0,0,0)'");
        assert_eq!(live, done(&folder, "sf-history again 'v=VZ@label:BALL(0,0,0)'"));
        assert_eq!(Table::parse(&live).column("time").last().map(|t| (t * 1e9).round() / 1e9), Some(0.15));
    }
}

/// A deck may catch what its callback raised, and go on; nothing that was computed is lost.
#[test]
fn a_caught_exception_ends_the_run_only() {
    let folder = Scratch::new();
    let rest = "
def callback():
    if solfec.time > 0.025: raise ValueError('enough')
CALLBACK(solfec, 0.01, (), callback)
try:
    RUN(solfec, solver, 1)
except ValueError as error:
    print(error, round(solfec.time, 9))
CALLBACK(solfec, 0.01, (), lambda: 1)
RUN(solfec, solver, 0.03)
print(round(solfec.time, 9))
";
    folder.write("deck.py", &format!("{FLIGHT}{rest}"));
    assert_eq!(done(&folder, "sf-run -q deck.py"), "enough 0.03\n0.06\n");
    let table = Table::parse(&done(&folder, "sf-history out/flight KINETIC"));
    let times: Vec<f64> = table.column("time").iter().map(|t| (t * 1e9).round() / 1e9).collect();
    assert_eq!(times, [0.0, 0.03, 0.05, 0.06]);
}

/// The local dynamics of a step are those before its links broke.
#[test]
fn a_breaking_link_is_dumped() {
    let folder = Scratch::new();
    let rest = "
FIX_POINT(ball, (0, 0, 0), strength=1)
RUN(solfec, solver, 0.05)
";
    folder.write("deck.py", &format!("{FLIGHT}{rest}"));
    done(&folder, "sf-run -q --dump-locdyn 1:one.hdf5 deck.py && sf-locdyn-compare one.hdf5 one.hdf5");
}

/// Functions that give values to a step cannot change the model, and say where that can be done.
#[test]
fn a_step_is_not_interfered_with() {
    let folder = Scratch::new();
    let rest = "
def force(q, u, time, step):
    FIX_POINT(ball, (0, 0, 0))
    return (0,) * 9
FORCE(ball, 'SPATIAL', (0, 0, 0), (0, 0, 0), force)
RUN(solfec, solver, 0.05)
";
    folder.write("deck.py", &format!("{FLIGHT}{rest}"));
    let told = fails(&folder, "sf-run -q deck.py", 3);
    assert!(told.contains("FIX_POINT: a step is being made; call this in a CALLBACK instead"), "{told}");
}

/// ENERGY has the names of the manual's order; histories of NEWTON_SOLVER are there; legacy series on request.
#[test]
fn small_facts() {
    let folder = Scratch::new();
    let rest = "
FIX_POINT(ball, (0, 0, 0))
newton = NEWTON_SOLVER()
RUN(solfec, newton, 0.05)
energy = ENERGY(solfec)
print(len(energy), energy.kinetic == energy[0], energy.friction == energy[4], energy.dissipated)
print(len(newton.merhist) == newton.iters, len(newton.mvhist) == newton.iters)
print(TIME_SERIES([0, 1, 1, 3]).integral.values)
";
    folder.write("deck.py", &format!("{FLIGHT}{rest}"));
    let told = done(&folder, "sf-run -q deck.py");
    assert!(told.starts_with("5 True True 0.0\nTrue True\n"), "{told}");
    done(&folder, "sf-run -q -w --compat prescribed,constraint_drift deck.py");
}

/// SOLFEC() makes its directory, so that a deck can write there before RUN, and where its results go elsewhere; what
/// stays empty goes again.
#[test]
fn the_directory_of_a_deck_is_there_before_the_first_run() {
    let folder = Scratch::new();
    let note = "open(solfec.outpath + '/notes.txt', 'w').write('x')\n";
    folder.write("deck.py", &format!("{FLIGHT}{note}RUN(solfec, solver, 0.05)\n"));
    done(&folder, "sf-run -q deck.py && sf-history out/flight KINETIC");
    assert!(folder.path("out/flight/notes.txt").exists());
    // -w replaces results, and leaves what the deck has written there.
    done(&folder, "sf-run -q -w deck.py && sf-history out/flight KINETIC");
    assert!(folder.path("out/flight/notes.txt").exists());
    std::fs::remove_dir_all(folder.path("out")).expect("a directory");
    done(&folder, "sf-run -q -o elsewhere deck.py && sf-history elsewhere KINETIC && sf-run -q -o elsewhere deck.py");
    assert!(folder.path("out/flight/notes.txt").exists());
    std::fs::remove_dir_all(folder.path("out")).expect("a directory");
    done(&folder, "sf-build -q -o m.sfm.h5 deck.py");
    assert!(folder.path("out/flight/notes.txt").exists());
    std::fs::remove_dir_all(folder.path("out")).expect("a directory");
    folder.write("silent.py", &format!("{FLIGHT}RUN(solfec, solver, 0.05)\n"));
    done(&folder, "sf-build -q -f -o m.sfm.h5 silent.py && sf-run -q -w -o elsewhere silent.py");
    assert!(!folder.path("out").exists());
}

/// What this version does not have is said alike by all tools.
#[test]
fn absent_commands_are_not_sent_elsewhere() {
    let folder = Scratch::new();
    folder.write("deck.py", &format!("{FLIGHT}HYBRID_SOLVER('a.py', 1E-4, {{}}, solver)\n"));
    for tool in ["sf-run -q deck.py", "sf-build -q --check deck.py"] {
        let told = fails(&folder, tool, 3);
        assert!(told.contains("HYBRID_SOLVER: is a command of Solfec 1.0 that this version does not have"), "{told}");
    }
}
