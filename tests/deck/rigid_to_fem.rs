//! States put into bodies of finite elements: RIGID_TO_FEM, INITIALIZE_STATE.

use solfec::frame::Frame;
use solfec::ids::CatalogueRow;
use solfec::math::Vec3;
use solfec::model::BodyKind;
use solfec::query::{Point, ShownBodies};
use solfec_formats::results::{Reader, Results};

use super::*;

/// Tolerance of places [m] and velocities [m/s].
const ROUND_OFF: f64 = 1e-12;
/// The same of stress [Pa], with a modulus of 1e9 Pa: the round-off of places of 30 m in elements of 0.35 m.
const STRESS: f64 = 1e-4;

/// Bodies A, B, D of kind KIND; a body C comes with the decks.
const BODIES: &str = "
m = BULK_MATERIAL(s, young=1e9, poisson=0.25, density=1000)
unit = [0,0,0, 1,0,0, 1,1,0, 0,1,0, 0,0,1, 1,0,1, 1,1,1, 0,1,1]
block = lambda x: TRANSLATE(SCALE(HEX(unit, 2, 3, 2, 1, [1]*6), (1, 1.5, 0.7)), (x, 0, 0))
a = BODY(s, KIND, block(0), m, label='A')
b = BODY(s, KIND, block(9), m, label='B', **FORM)
d = BODY(s, 'PSEUDO_RIGID', block(18), m, label='D')
INITIAL_VELOCITY(d, (0, 1, 0), (0, 1, 2))
";

fn done(folder: &Folder, deck: &str, text: &str) {
    folder.write(deck, text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sf-run"));
    if let Ok(python) = std::env::var("SF_TEST_PYTHON") {
        command.env("SF_PYTHON", python);
    }
    let out = command.args(["-q", "-w", deck]).current_dir(&folder.0).output().unwrap();
    assert!(out.status.success(), "{deck}: {}", super::text(&out.stderr));
}

fn frame(folder: &Folder, results: &str, last: bool) -> Frame {
    let results = Results::open(&folder.path(results)).unwrap();
    let k = if last { results.frames(0).unwrap().len() - 1 } else { 0 };
    results.read_frame(0, k).unwrap()
}

fn model(folder: &Folder, results: &str) -> Model {
    Reader::open(&folder.path(results)).unwrap().model().unwrap().domains.swap_remove(0)
}

fn row(model: &Model, label: &str) -> CatalogueRow {
    CatalogueRow(model.bodies.iter().position(|body| body.label == label).expect("the body") as u32)
}

/// Rigid bodies that spin for a second go on with finite elements, of both formulations and reduced.
#[test]
fn rigid_bodies_go_on_as_finite_elements() {
    let folder = Folder::new();
    let rigid = BODIES.replace("KIND", "'RIGID'").replace("**FORM", "");
    done(
        &folder,
        "first.py",
        &format!(
            "s = SOLFEC('DYNAMIC', 2**-8, 'out/first')\n{rigid}\
             c = BODY(s, 'RIGID', block(27), m, label='C')\n\
             for k in (a, b, c): INITIAL_VELOCITY(k, (1, 2, 3), (3, -2, 1))\n\
             GRAVITY(s, (0, 0, -9.81))\nRUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 1.0)\n"
        ),
    );
    let elements = BODIES.replace("KIND", "'FINITE_ELEMENT'").replace("**FORM", "form='BC'");
    done(
        &folder,
        "second.py",
        &format!(
            "s = SOLFEC('DYNAMIC', 2**-14, 'out/second')\n{elements}\
             made = BODY(s, 'FINITE_ELEMENT', block(0), m)\n\
             REGISTER_BASE(s, MODAL_ANALYSIS(made, 14), 'BLOCK')\n\
             DELETE(s, made)\n\
             c = BODY(s, 'FINITE_ELEMENT', block(27), m, label='C', form='BC-RO', base='BLOCK')\n\
             RIGID_TO_FEM('out/first', 1, s)\nRIGID_TO_FEM('out/first', 1, s, '^C$')\n\
             RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), 2**-13)\n"
        ),
    );
    let (before, after) = (frame(&folder, "out/first", true), frame(&folder, "out/second", false));
    let models = (model(&folder, "out/first"), model(&folder, "out/second"));
    let (first, second) = (ShownBodies::of(&models.0, &before), ShownBodies::of(&models.1, &after));
    for label in ["A", "B", "C"] {
        let solid = first.find(row(&models.0, label)).expect("the rigid body");
        let mesh = second.find(row(&models.1, label)).expect("the mesh");
        assert_eq!((solid.body().kind, mesh.body().kind), (BodyKind::Rigid, BodyKind::FiniteElement));
        let nodes: Vec<Vec3> = models.1.carriers_of(mesh.body()).flat_map(|shape| shape.vertices()).collect();
        assert_eq!(nodes.len(), 36);
        for x in nodes.into_iter().chain([mesh.body().chars.center + Vec3::new(0.1, -0.2, 0.03)]) {
            let point = Point::new(x);
            let place = (solid.place(&point) - mesh.place(&point)).norm();
            let velocity = (solid.velocity(&point) - mesh.velocity(&point)).norm();
            assert!(place < ROUND_OFF && velocity < ROUND_OFF, "{label} {x:?}: {place:e} {velocity:e}");
            let stress = mesh.stress(&point, &models.1.bulk).expect("a material");
            assert!(stress.iter().all(|s| s.abs() < STRESS), "{label} {x:?}: {stress:?}");
        }
        assert!((solid.displacement(&Point::new(Vec3::zeros()))).norm() > 1.0);
    }
    // Others come as they are.
    assert_eq!(before.pseudo, after.pseudo);
}

/// Free bodies of finite elements that spin: the state is put, the run goes on. Nodes that have moved by
/// less than half their coordinates have the same places bit for bit.
#[test]
fn finite_elements_go_on_from_a_put_state() {
    let folder = Folder::new();
    let elements = BODIES.replace("KIND", "'FINITE_ELEMENT'").replace("**FORM", "form='BC'");
    let begin = "b.scheme = 'DEF_LIM'\nGRAVITY(s, (0, 0, -8))\nOUTPUT(s, 2**-6)\n";
    let start = "for k in (a, b): INITIAL_VELOCITY(k, (1, 2, 3), (3, -2, 1))\n";
    let run = |name: &str, commands: &str, time: &str| {
        let head = format!("s = SOLFEC('DYNAMIC', 2**-13, 'out/{name}')\n{elements}{begin}");
        let end = format!("RUN(s, GAUSS_SEIDEL_SOLVER(1e-6, 100), {time})\n");
        done(&folder, &format!("{name}.py"), &format!("{head}{commands}{end}"));
        frame(&folder, &format!("out/{name}"), true)
    };
    let whole = run("whole", start, "2**-5");
    run("half", start, "2**-6");
    let next = run("next", "INITIALIZE_STATE(s, 'out/half', 2**-6)\n", "2**-6");
    assert_eq!((&whole.nodal.body, &whole.nodal.nodes), (&next.nodal.body, &next.nodal.nodes));
    let nodes = whole.nodal.nodes[0] as usize;
    let far = |a: &[[f64; 3]], b: &[[f64; 3]]| {
        a.iter().flatten().zip(b.iter().flatten()).fold(0.0, |far: f64, (a, b)| far.max((a - b).abs()))
    };
    let (x, v) = (far(&whole.nodes.x, &next.nodes.x), far(&whole.nodes.v, &next.nodes.v));
    assert!(x < 1e-10 && v < 1e-10, "{x:e} {v:e}");
    assert_eq!(whole.nodes.x[..nodes], next.nodes.x[..nodes]);
    assert_eq!(whole.nodes.v[..nodes], next.nodes.v[..nodes]);
    assert_eq!(whole.nodal.energy[0], next.nodal.energy[0]);
}
