//! Runs with Siconos: the same motion as with Gauss–Seidel; what sf-run says without the library.

use std::process::{Command, Output};

use super::*;

use solfec::load::{Call, NoFunctions, UserFunctions};
use solfec::model::{GaussSeidel, Op, SolverSettings};
use solfec::simulation::{Moment, Outside, Run, Simulation, WarningKind};
use solfec::solver::Status;
use solfec_formats::model::{read_file, write_file, ModelFile};
use tools_testing::scratch::Scratch;

/// Two bricks slide and rub on a floor, one on the other; a ball bounces beside them.
const DECK: &str = "
s = SOLFEC('DYNAMIC', 1e-3, 'out')
m = BULK_MATERIAL(s, density=1000)
SURFACE_MATERIAL(s, friction=0.3, restitution=0.0)
SURFACE_MATERIAL(s, 7, 1, friction=0.1, restitution=0.5)
brick = lambda x, y, z, z1: HULL([x, y, z, x+1, y, z, x+1, y+1, z, x, y+1, z, x, y, z1, x+1, y, z1, x+1, y+1, z1, x, y+1, z1], 1, 1)
floor = HULL([-9, -9, -1, 9, -9, -1, 9, 9, -1, -9, 9, -1, -9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0], 1, 1)
BODY(s, 'OBSTACLE', floor, m)
a = BODY(s, 'RIGID', brick(0, 0, 0, 1), m)
b = BODY(s, 'RIGID', brick(0.2, 0.1, 1, 1.5), m)
c = BODY(s, 'RIGID', SPHERE((4, 0, 0.505), 0.5, 7, 7), m)
INITIAL_VELOCITY(a, (1, 0, 0), (0, 0, 0))
INITIAL_VELOCITY(b, (0, 1, 0), (0, 0, 0))
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0.05)
RUN(s, GAUSS_SEIDEL_SOLVER(1e-9, 1000), 0.1)
";

/// Two bars, one hung from a point and the other glued to it, swing on a floor; a slider falls along an axis.
const MECHANISM: &str = "
s = SOLFEC('DYNAMIC', 1e-3, 'out')
m = BULK_MATERIAL(s, density=1000)
SURFACE_MATERIAL(s, friction=0.3, restitution=0.0)
box = lambda x, y, z, a, b, c: HULL([x, y, z, a, y, z, a, b, z, x, b, z, x, y, c, a, y, c, a, b, c, x, b, c], 1, 1)
BODY(s, 'OBSTACLE', box(-9, -9, 0, 9, 9, 0.94), m)
a = BODY(s, 'RIGID', box(-1, -0.05, 0.95, 0, 0.05, 1.05), m)
b = BODY(s, 'RIGID', box(-2, -0.05, 0.95, -1, 0.05, 1.05), m)
c = BODY(s, 'RIGID', box(2, 0, 2, 3, 1, 3), m)
CONTACT_EXCLUDE_BODIES(a, b)
FIX_POINT(a, (0, 0, 1))
PUT_RIGID_LINK(a, b, (-1, 0, 1), (-1, 0, 1))
FIX_DIRECTION(c, (2.5, 0.5, 2.5), (1, 0, 0))
FIX_DIRECTION(c, (2.5, 0.5, 2.5), (0, 1, 0))
INITIAL_VELOCITY(b, (0, 0, 0), (0, 0, 1))
INITIAL_VELOCITY(c, (0, 0, 1), (0, 0, 2))
GRAVITY(s, (0, 0, -10))
OUTPUT(s, 0.05)
RUN(s, GAUSS_SEIDEL_SOLVER(1e-9, 1000), 0.1)
";

/// The recorded model of a deck, run by Siconos.
fn model(folder: &Scratch, deck: &str) -> ModelFile {
    std::fs::write(folder.path("deck.py"), deck).expect("written");
    let mut build = Command::new(env!("CARGO_BIN_EXE_sf-build"));
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        build.env("SF_PYTHON", python);
    }
    let built = build.args(["-o", "m.h5", "deck.py"]).current_dir(folder).output().expect("sf-build runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut file = read_file(&folder.path("m.h5")).expect("a model");
    for op in &mut file.domains[0].program {
        if let Op::Run { solver, .. } = op {
            solver.settings = SolverSettings::Siconos(model::Siconos { epsilon: 1e-11, ..model::Siconos::default() });
        }
    }
    write_file(&folder.path("siconos.h5"), &file).expect("written");
    file
}

fn run(folder: &Scratch, file: &str, library: Option<&str>) -> Output {
    let mut run = Command::new(tool());
    if let Some(library) = library {
        run.env("SF_SICONOS_LIBRARY", library);
    }
    run.args(["-w", "-o", "out", file]).current_dir(folder).output().expect("sf-run runs")
}

impl UserFunctions for Running {
    fn values(&mut self, calls: &[Call]) -> solfec::Result<Vec<Vec<f64>>> {
        NoFunctions.values(calls)
    }
}

impl Outside for Running {
    fn external(&mut self) -> &mut dyn External {
        self
    }
}

/// Configurations and velocities of all bodies at the end, and the largest merit on the way; joints hold at mid-steps,
/// without a warning.
fn end(file: &ModelFile, solver: &SolverSettings, outside: &mut Running) -> (Vec<f64>, f64) {
    let mut simulation = Simulation::new(&file.domains[0]).expect("a good model");
    let mut run = Run::new(&mut simulation, solver.clone(), 0.1);
    let mut merit: f64 = 0.0;
    loop {
        match run.advance(&mut simulation, outside).expect("a step") {
            Moment::Done => break,
            Moment::Stepped(report) => {
                assert_eq!(report.solver.status, Status::Converged, "at {}", report.time);
                merit = merit.max(report.solver.merit);
                assert!(
                    report.warnings.iter().all(|told| told.kind == WarningKind::Velocities),
                    "{:?}",
                    report.warnings
                );
                let holding = simulation.constraints().iter().filter(|joint| !joint.scalar());
                let held = holding.map(|joint| joint.moved.norm()).fold(0.0, f64::max);
                assert!(report.step == 1 || held < 1e-8, "{held:e} at {}", report.time);
            }
            _ => {}
        }
    }
    let bodies = simulation.bodies();
    let numbers = bodies.indices().flat_map(|i| [bodies.configuration(i), bodies.velocity(i)]);
    (numbers.flatten().collect(), merit)
}

#[test]
fn the_same_motion_as_with_gauss_seidel() {
    let Some(mut siconos) = start(Settings { tolerance: 1e-11, max_iterations: 10000, ..Settings::default() }) else {
        return;
    };
    let folder = Scratch::new();
    let file = model(&folder, DECK);
    let ours = SolverSettings::GaussSeidel(GaussSeidel::new(1e-12, 10000));
    let (expected, _) = end(&file, &ours, &mut siconos);
    let (found, merit) = end(&file, &SolverSettings::Siconos(model::Siconos::default()), &mut siconos);
    assert!(merit < 1e-12, "{merit:e}");
    assert!(expected.iter().any(|x| (x.abs() - 0.7).abs() < 0.01), "the upper brick was slowed down by 0.3 m/s");
    for (x, y) in found.iter().zip(&expected) {
        assert!((x - y).abs() <= 1e-6, "{x} is not {y}");
    }
}

#[test]
fn joints_move_as_with_gauss_seidel() {
    let Some(mut siconos) = start(Settings { tolerance: 1e-11, max_iterations: 10000, ..Settings::default() }) else {
        return;
    };
    let folder = Scratch::new();
    let file = model(&folder, MECHANISM);
    let ours = SolverSettings::GaussSeidel(GaussSeidel::new(1e-12, 10000));
    let (expected, _) = end(&file, &ours, &mut siconos);
    let (found, merit) = end(&file, &SolverSettings::Siconos(model::Siconos::default()), &mut siconos);
    assert!(merit < 1e-12, "{merit:e}");
    for (x, y) in found.iter().zip(&expected) {
        assert!((x - y).abs() <= 1e-6, "{x} is not {y}");
    }
}

#[test]
fn by_the_tool() {
    let Some(_) = start(tight()) else { return };
    let folder = Scratch::new();
    model(&folder, DECK);
    let output = run(&folder, "siconos.h5", None);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("missed the tolerance"), "{told}");
}

/// A solve that Siconos does not finish ends the run where the deck says so.
#[test]
fn the_failure_action_of_the_deck_decides() {
    let Some(_) = start(tight()) else { return };
    let solver = "SICONOS_SOLVER(1e-15, 1, failure='EXIT')";
    let folder = Scratch::new();
    model(&folder, &DECK.replace("GAUSS_SEIDEL_SOLVER(1e-9, 1000)", solver));
    let output = run(&folder, "m.h5", None);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{told}");
    assert!(told.contains("SICONOS_SOLVER: did not converge"), "{told}");
}

#[test]
fn the_tool_without_the_library() {
    let folder = Scratch::new();
    model(&folder, DECK);
    let output = run(&folder, "siconos.h5", Some("/nonexistent"));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{told}");
    let line = "sf-run: error: SICONOS_SOLVER: libsiconos_numerics is not installed; apt install libsiconos-numerics7";
    assert!(told.starts_with(line), "{told}");
}
