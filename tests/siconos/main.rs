//! Siconos in its child process: known solutions, errors, laws beyond plain contacts.

mod compare;
mod fclib;
mod laws;
mod process;
mod run;
mod siconos;

use std::path::Path;

use solfec::dynamics::{Assembled, BlockSparse, Delassus, WholeMatrix};
use solfec::math::{Mat3, Vec3};
use solfec::model::{self, Analysis};
use solfec::solver::{
    external, Conditions, ContactProblem, ContactSolution, External, Law, Report, Unknowns, Workspace,
};
use solfec_testing::near::near as close;
use solfec_tools::cli::CliError;
use solfec_tools::siconos::{Settings, Siconos};

/// A tool with the child inside.
fn tool() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_sf-run"))
}

/// A running Siconos with settings of its own.
struct Running {
    siconos: Siconos,
    settings: Settings,
}

impl Running {
    fn solve(&mut self, problem: &ContactProblem) -> Result<ContactSolution, CliError> {
        self.siconos.solve(problem, &self.settings)
    }

    fn process(&self) -> u32 {
        self.siconos.process()
    }
}

impl External for Running {
    fn solve(&mut self, problem: &ContactProblem, _: &model::Siconos) -> solfec::Result<ContactSolution> {
        self.siconos.solve_scaled(problem, &self.settings).map_err(|error| solfec::Error::Solver(error.text))
    }
}

/// A running Siconos; `None` and a loud line when the library is not installed.
fn start(settings: Settings) -> Option<Running> {
    match Siconos::start_in(tool()) {
        Ok(siconos) => Some(Running { siconos, settings }),
        Err(error) => {
            tools_testing::skip::skipped(&error.text);
            None
        }
    }
}

fn tight() -> Settings {
    Settings { tolerance: 1e-10, ..Settings::default() }
}

const STEP: Conditions = Conditions { h: 0.01, analysis: Analysis::Dynamic, energy: 0.0 };

fn coulomb(friction: f64) -> Law {
    Law::Coulomb { friction, restitution: 0.0, cohesion: 0.0, closing: 0.0 }
}

/// Reactions, velocities and report of a solve from zero.
fn solve<D: WholeMatrix>(op: &mut D, laws: &[Law], solver: &mut dyn External) -> (Vec<Vec3>, Vec<Vec3>, Report) {
    let n = op.len();
    let (mut r, mut u, mut merit) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut merit };
    let report =
        external(&mut Workspace::new(), op, laws, &model::Siconos::default(), STEP, unknowns, solver).expect("solved");
    (r, u, report)
}

/// The matrix of the problems with one contact.
fn example() -> Mat3 {
    Mat3::new(2.0, 0.2, 0.5, 0.2, 2.0, 0.1, 0.5, 0.1, 1.0)
}

/// A sliding contact.
fn slip() -> ContactProblem {
    ContactProblem {
        w: BlockSparse::from_upper(&[vec![(0, example())]]),
        q: vec![Vec3::new(1.0, 0.5, -2.0)],
        friction: vec![0.3],
        r: vec![Vec3::zeros()],
    }
}

/// A column of two masses: contact A below one mass, contact B between it and the other, h = 0.01.
fn column() -> Assembled {
    let scaled = |x: f64| Mat3::from_diagonal_element(STEP.h * x);
    let matrix = BlockSparse::from_upper(&[vec![(0, scaled(1.0)), (1, scaled(-1.0))], vec![(1, scaled(2.0))]]);
    let free = vec![Vec3::new(0.0, 0.0, -STEP.h * 10.0), Vec3::zeros()];
    Assembled::new(matrix, free, vec![Vec3::zeros(); 2]).expect("a good problem")
}

/// A block that slides on two contacts, front contact first.
fn sliding_block() -> Assembled {
    let block = |tt, tn, nt, nn, t2| Mat3::new(tt, 0.0, tn, 0.0, t2, 0.0, nt, 0.0, nn);
    let matrix = BlockSparse::from_upper(&[
        vec![(0, block(0.025, 0.015, 0.015, 0.025, 0.025)), (1, block(0.025, -0.015, 0.015, -0.005, -0.005))],
        vec![(1, block(0.025, -0.015, -0.015, 0.025, 0.025))],
    ]);
    let free = vec![Vec3::new(1.0, 0.0, -0.1); 2];
    Assembled::new(matrix, free, vec![Vec3::x(); 2]).expect("a good problem")
}
