//! Loads on running simulations and the series of time that drive them (docs/conventions.md 6, docs/theory.md 12).

mod forces;
mod functions;
mod messages;
mod pressure;
mod series;
mod works;

use solfec::ids::BodyId;
use solfec::load::{Call, Series, UserFunctions};
use solfec::math::{exp_map, Mat3, Vec3};
use solfec::model::{BodyKind, LoadKind, LoadRow, Op, Rows};
use solfec::simulation::{Outside, Simulation};
use solfec::solver::{External, NoExternal};
use solfec::Result;
use solfec_testing::named::near as assert_near;
use solfec_testing::run::{center, gauss_seidel};
use solfec_testing::world::{block, World};

/// The functions of a deck in one closure, which sees every call.
struct Deck<F>(F, NoExternal);

fn deck<F: FnMut(&Call) -> Vec<f64>>(function: F) -> Deck<F> {
    Deck(function, NoExternal)
}

impl<F: FnMut(&Call) -> Vec<f64>> UserFunctions for Deck<F> {
    fn values(&mut self, calls: &[Call]) -> Result<Vec<Vec<f64>>> {
        Ok(calls.iter().map(|call| (self.0)(call)).collect())
    }
}

impl<F: FnMut(&Call) -> Vec<f64>> Outside for Deck<F> {
    fn external(&mut self) -> &mut dyn External {
        &mut self.1
    }
}

/// Makes steps without contacts.
fn go(simulation: &mut Simulation, steps: usize) {
    solfec_testing::run::steps(simulation, &gauss_seidel(1e-10), steps, |_, _| {});
}

fn velo(simulation: &Simulation, body: u64) -> Vec<f64> {
    simulation.bodies().velocity(simulation.bodies().index(BodyId(body)).expect("the body exists"))
}

fn conf(simulation: &Simulation, body: u64) -> Vec<f64> {
    simulation.bodies().configuration(simulation.bodies().index(BodyId(body)).expect("the body exists"))
}

/// Linear velocity of any body.
fn linear(simulation: &Simulation, body: u64) -> Vec3 {
    let velo = velo(simulation, body);
    Vec3::from_column_slice(&velo[velo.len() - 3..])
}

/// Referential spin of a rigid body.
fn spin(simulation: &Simulation, body: u64) -> Vec3 {
    Vec3::from_column_slice(&velo(simulation, body)[..3])
}

fn assert_close(value: Vec3, exact: Vec3, tolerance: f64, what: &str) {
    assert!((value - exact).amax() <= tolerance, "{what}: {value:?} instead of {exact:?} within {tolerance:e}");
}

/// A quarter turn about z.
fn quarter_turn() -> Mat3 {
    exp_map(&(Vec3::z() * std::f64::consts::FRAC_PI_2))
}

/// The unit cube about the origin.
fn cube() -> solfec::shape::Shape {
    block([-0.5; 3], [0.5; 3], [1, 1, 1])
}
