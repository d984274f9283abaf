//! Loads on running simulations and the series of time that drive them (docs/conventions.md 6, docs/theory.md 12).

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../tests/support/data.rs"]
mod data;
mod forces;
mod functions;
mod messages;
mod pressure;
#[path = "../common/run.rs"]
mod run;
mod series;
#[path = "../../../tests/support/skip.rs"]
mod skip;
#[path = "../support/tables.rs"]
mod tables;
mod works;

use common::{block, World};
use run::{assert_near, center, gauss_seidel};
use solfec::ids::BodyId;
use solfec::load::{Call, Series, UserFunctions};
use solfec::math::{exp_map, Mat3, Vec3};
use solfec::model::{BodyKind, FunctionKind, FunctionRow, LoadKind, LoadRow, Op, Rows};
use solfec::simulation::{Outside, Simulation};
use solfec::solver::{External, NoExternal};
use solfec::Result;

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

impl World {
    /// Row of a new series.
    fn series(&mut self, series: Series) -> u32 {
        self.model.series.push(series);
        self.model.series.len() as u32 - 1
    }

    fn load(&mut self, body: u64, kind: LoadKind) {
        self.model.loads.push(LoadRow { kind, body, line: 0 });
    }

    fn force(&mut self, body: u64, convected: bool, point: [f64; 3], direction: [f64; 3], value: f64) {
        let value = self.series(Series::constant(value));
        let (point, direction) = (Vec3::from(point), Vec3::from(direction));
        self.load(body, LoadKind::Force { convected, point, direction, value });
    }

    fn torque(&mut self, body: u64, convected: bool, direction: [f64; 3], value: f64) {
        let value = self.series(Series::constant(value));
        self.load(body, LoadKind::Torque { convected, direction: Vec3::from(direction), value });
    }

    fn pressure(&mut self, body: u64, surface: i32, value: f64) {
        let value = self.series(Series::constant(value));
        self.load(body, LoadKind::Pressure { surface, value });
    }

    /// FORCE by the user function with this number.
    fn force_function(&mut self, body: u64, function: u32) {
        let name = format!("push_{function}");
        self.model.functions.push(FunctionRow { function, name, kind: FunctionKind::Force, line: 0 });
        self.load(body, LoadKind::Function { function });
    }

    /// Turns a body about its reference mass centre, and stretches it if it is pseudo-rigid.
    fn place(&mut self, body: u64, f: &Mat3) {
        let row = &mut self.model.bodies[body as usize - 1];
        let matrix = if row.kind == BodyKind::PseudoRigid { f.transpose() } else { *f };
        row.conf = matrix.iter().chain(&row.chars.center).copied().collect();
    }
}

/// Makes steps without contacts.
fn go(simulation: &mut Simulation, steps: usize) {
    run::steps(simulation, &gauss_seidel(1e-10), steps, |_, _| {});
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
