//! Loads that cannot be: each message names the command, the deck line and what is wrong.

use super::*;

/// What is said of a load on the body that `make` adds to a world.
fn refusal(make: impl FnOnce(&mut World) -> u64, kind: LoadKind) -> String {
    let mut world = World::new(1e-3);
    world.series(Series::constant(1.0));
    let body = make(&mut world);
    world.model.loads.push(LoadRow { kind, body, line: 9 });
    match Simulation::new(&world.model) {
        Ok(_) => panic!("{kind:?} was taken"),
        Err(error) => error.to_string(),
    }
}

fn rigid(world: &mut World) -> u64 {
    world.rigid(cube(), 1.0)
}

const PUSH: LoadKind = LoadKind::Force {
    convected: false,
    point: Vec3::new(0.0, 0.0, 0.0),
    direction: Vec3::new(1.0, 0.0, 0.0),
    value: 0,
};

fn directed(x: f64, y: f64) -> LoadKind {
    LoadKind::Force { convected: true, point: Vec3::zeros(), direction: Vec3::new(x, y, 0.0), value: 0 }
}

#[test]
fn bodies_that_take_no_loads() {
    let text = refusal(|world| world.obstacle(cube()), PUSH);
    assert_eq!(text, "FORCE (deck line 9): body 1 is an obstacle, which takes no loads");
    assert_eq!(refusal(|_| 7, PUSH), "FORCE (deck line 9): body 7 does not exist (any more)");
    let torque = LoadKind::Torque { convected: false, direction: Vec3::x(), value: 0 };
    let text = refusal(|world| world.body(BodyKind::PseudoRigid, &[cube()], 1.0), torque);
    assert_eq!(text, "TORQUE (deck line 9): body 1 is not rigid; use FORCE");
}

#[test]
fn directions_points_and_rows() {
    for kind in [directed(0.0, 0.0), directed(f64::NAN, 1.0), directed(f64::INFINITY, 1.0)] {
        assert!(refusal(rigid, kind).contains("it must be finite and not zero"), "{kind:?}");
    }
    let torque = LoadKind::Torque { convected: true, direction: Vec3::zeros(), value: 0 };
    assert!(refusal(rigid, torque).starts_with("TORQUE (deck line 9): direction is (0, 0, 0)"));
    let point = Vec3::new(0.0, f64::NAN, 0.0);
    let lost = LoadKind::Force { convected: false, point, direction: Vec3::x(), value: 0 };
    assert!(refusal(rigid, lost).contains("is not finite"));
    let nowhere = LoadKind::Pressure { surface: 1, value: 3, follower: false };
    assert!(refusal(rigid, nowhere).contains("row 3 of the time series, of which there are 1"));
    assert!(refusal(rigid, LoadKind::Function { function: 2 }).contains("function 2 is not among those"));
}

/// A tiny or huge direction has a direction.
#[test]
fn directions_of_any_length_are_normalised() {
    for (x, y) in [(3e-320, 4e-320), (3e200, 4e200), (3.0, 4.0)] {
        let mut world = World::new(1.0);
        let id = world.rigid(cube(), 1.0);
        world.force(id, false, [0.0; 3], [x, y, 0.0], 5.0);
        let mut simulation = world.simulation();
        go(&mut simulation, 1);
        assert_close(linear(&simulation, id), Vec3::new(3.0, 4.0, 0.0), 2e-3, "velocity");
    }
}

#[test]
fn surfaces_under_pressure() {
    let pressure = LoadKind::Pressure { surface: 7, value: 0, follower: false };
    let text = refusal(rigid, pressure);
    assert_eq!(
        text,
        "PRESSURE (deck line 9): body 1 has no face with surface id 7; its surface ids are 1, 2, 3, 4, 5, 6"
    );
    let ball = refusal(|world| world.rigid(solfec_testing::run::ball([0.0; 3], 1.0), 1.0), pressure);
    assert!(ball.contains("body 1 is not a MESH"), "{ball}");
    let pair = |world: &mut World| world.body(BodyKind::Rigid, &[cube(), block([2.0; 3], [3.0; 3], [1; 3])], 1.0);
    assert!(refusal(pair, pressure).contains("body 1 is made of 2 shapes"));
}
