//! Running simulations in tests: steps, launches, and where bodies are.

use solfec::ids::BodyId;
use solfec::math::Vec3;
use solfec::model::{GaussSeidel, Op, SolverSettings};
use solfec::shape::{Geometry, Shape, Sphere};
use solfec::simulation::{Simulation, StepReport};

/// A ball with surface id 1.
pub fn ball(center: [f64; 3], radius: f64) -> Shape {
    Shape::new(Geometry::Sphere(Sphere::new(Vec3::from(center), radius, 1, 1).expect("a ball")))
}

/// Gauss-Seidel to `epsilon`.
pub fn gauss_seidel(epsilon: f64) -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(epsilon, 10_000))
}

/// Makes `steps` steps and shows each report.
pub fn steps(
    simulation: &mut Simulation,
    solver: &SolverSettings,
    steps: usize,
    mut each: impl FnMut(&Simulation, &StepReport),
) {
    for _ in 0..steps {
        let report = simulation.step(solver).expect("a step");
        each(simulation, &report);
    }
}

/// Sets an initial velocity.
pub fn launch(simulation: &mut Simulation, body: u64, linear: [f64; 3], angular: [f64; 3]) {
    simulation.apply(&Op::InitialVelocity { body, linear, angular }).expect("the body exists");
}

/// Mass centre of a body.
pub fn center(simulation: &Simulation, body: u64) -> Vec3 {
    let index = simulation.bodies().index(BodyId(body)).expect("the body exists");
    let conf = simulation.bodies().configuration(index);
    Vec3::new(conf[9], conf[10], conf[11])
}

/// Velocity of the mass centre of a rigid body.
pub fn velocity(simulation: &Simulation, body: u64) -> Vec3 {
    let index = simulation.bodies().index(BodyId(body)).expect("the body exists");
    let velo = simulation.bodies().velocity(index);
    Vec3::new(velo[3], velo[4], velo[5])
}
