use crate::models::{changes, joints, swollen, Scene};
use crate::same::{program, started};
use solfec::body::GeneralBody;
use solfec::model::*;
use solfec::simulation::{Run, Simulation, State};

fn taken(scene: &Scene) -> (State, Vec<StoredOp>) {
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-4, 100));
    let (_, stops, _) = started(scene, &solver, 16, &[14]);
    (stops[0].state.clone(), program(scene, &stops[0]))
}

fn refused(scene: &Scene, program: &[StoredOp], change: impl FnOnce(&mut State), state: &State, text: &str) {
    let mut other = state.clone();
    change(&mut other);
    let message = Simulation::restore(&scene.model, program, &other).err().expect("refused").to_string();
    assert!(message.contains(text), "{message}");
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    let scene = changes(&[]);
    let (state, program) = taken(&scene);
    assert!(!state.contacts.id.is_empty() && state.callback.is_some());
    let no = |change: fn(&mut State), text: &str| refused(&scene, &program, change, &state, text);
    no(|s| s.rigid.id[3] = 99, "body 99 is not in the model at that time");
    no(|s| s.rigid.x.truncate(2), "columns of rigid bodies differ in length");
    no(|s| s.contacts.gap.clear(), "columns of contacts differ in length");
    no(
        |s| {
            s.contacts.bodies.swap(0, 1);
            s.contacts.objects.swap(0, 1);
        },
        "order of their keys",
    );
    no(|s| s.contacts.material[0] = 7, "no surface material of row 7");
    no(|s| s.contacts.bodies.last_mut().unwrap()[1] = 1000, "body 1000 is not there");
    no(|s| s.contacts.objects.last_mut().unwrap()[1] = 1000, "has no object 1000");
    no(|s| s.callback = None, "its CALLBACK is not that of the program");
    no(
        |s| {
            let columns = &mut s.rigid;
            s.pseudo.id.push(columns.id.remove(4));
            s.pseudo.x.push(columns.x.remove(4));
            s.pseudo.v.push(columns.v.remove(4));
            s.pseudo.f.push(columns.rot.remove(4));
            s.pseudo.fdot.push([0.0; 9]);
            s.pseudo.work.push(columns.work.remove(4));
            columns.omega.remove(4);
        },
        "is of another kind than in the model",
    );
    // Without the operations the bodies that came later are not there.
    refused(&scene, &[], |_| {}, &state, "is not in the model at that time");
}

#[test]
fn constraints_that_do_not_fit_are_refused() {
    let scene = joints(Analysis::Dynamic, &[]);
    let (state, program) = taken(&scene);
    let no = |change: fn(&mut State), text: &str| refused(&scene, &program, change, &state, text);
    no(|s| s.constraints.row[2] = 77, "constraint row 77 is not in the model at that time");
    no(|s| s.constraints.kind[0] = 6, "constraint row 0 is of another kind");
    no(|s| s.constraints.base.clear(), "columns of user constraints differ in length");
}

/// Checkpoints of earlier versions do not have the strain of elements in the last step: that of their places, half a
/// step later, stands for it.
#[test]
fn a_state_without_strain_has_that_of_its_places() {
    let scene = swollen();
    let (state, program) = taken(&scene);
    let mut old = State { general: Default::default(), ..state.clone() };
    for body in state.general.iter() {
        old.general.push(GeneralBody { unknowns: &body.unknowns[..body.velocities.len()], ..body });
    }
    let [now, then] = [&state, &old].map(|state| {
        let simulation = Simulation::restore(&scene.model, &program, state).expect("the state fits");
        simulation.bodies().critical_step().expect("explicit bodies").0
    });
    assert!(then != now && (then / now - 1.0).abs() < 0.1 && now < 0.99 * 5e-3, "{then} in place of {now}");
}

#[test]
fn a_run_rests_when_nothing_is_due() {
    let scene = changes(&[]);
    let solver = SolverSettings::GaussSeidel(GaussSeidel::new(1e-4, 100));
    let mut simulation = Simulation::new(&scene.model).expect("a simulation");
    let mut run = Run::new(&mut simulation, solver.clone(), 1.0);
    assert!(!run.at_rest(), "frame 0 is due");
    run.next(&mut simulation).expect("a frame");
    assert!(run.at_rest());
    run.next(&mut simulation).expect("a step");
    assert!(!run.at_rest(), "a frame is due after each step");
    let mut resumed = Run::resume(solver, 1.0);
    assert!(resumed.at_rest() && resumed.end() == 1.0);
    simulation.apply(&Op::UnphysicalPenetration { depth: 1e-12 }).expect("a setting");
    resumed.next(&mut simulation).expect_err("bodies overlap");
    assert!(!resumed.at_rest(), "it failed");
}

/// What became of local dynamics cannot be had after a restart, and is said so.
#[test]
fn local_dynamics_need_a_step() {
    let scene = changes(&[]);
    let (state, program) = taken(&scene);
    let simulation = Simulation::restore(&scene.model, &program, &state).expect("the state fits");
    let message = simulation.local_dynamics().expect_err("none").to_string();
    assert!(message.contains("restart"), "{message}");
}
