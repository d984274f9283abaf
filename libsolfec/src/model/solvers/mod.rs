//! Settings of the solvers, one file each. The solvers themselves are in [`crate::solver`].

mod admm;
mod auto;
mod corrected_sweeps;
mod gauss_seidel;
mod interior_point;
mod newton;
mod penalty;
mod proximal_newton;
mod siconos;
mod validate;

use serde::{Deserialize, Serialize};

pub use admm::Admm;
pub use auto::Auto;
pub use corrected_sweeps::CorrectedSweeps;
pub use gauss_seidel::{BlockSolver, GaussSeidel, Variant};
pub use interior_point::InteriorPoint;
pub use newton::{Delta, LinearVariant, Newton};
pub use penalty::{Penalty, PenaltyVariant};
pub use proximal_newton::ProximalNewton;
pub use siconos::Siconos;

/// The solver of a RUN, and what to do when it does not converge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Solver {
    #[serde(flatten)]
    pub settings: SolverSettings,
    #[serde(default)]
    pub failure: Failure,
    /// User function asked when a solve fails and `failure` is CALLBACK.
    #[serde(default)]
    pub callback: Option<u32>,
}

impl From<SolverSettings> for Solver {
    fn from(settings: SolverSettings) -> Self {
        Solver { settings, failure: Failure::Continue, callback: None }
    }
}

/// What to do when a solve does not converge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Failure {
    #[default]
    Continue,
    Exit,
    Callback,
}

/// Settings of a solver, complete: a model file does not change its meaning when defaults change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SolverSettings {
    GaussSeidel(GaussSeidel),
    Penalty(Penalty),
    Newton(Newton),
    Siconos(Siconos),
    InteriorPoint(InteriorPoint),
    ProximalNewton(ProximalNewton),
    CorrectedSweeps(CorrectedSweeps),
    #[serde(rename = "ADMM")]
    Admm(Admm),
    Auto(Auto),
}

impl SolverSettings {
    /// Whether the solver may factorise matrices of all constraints.
    pub fn factorises(&self) -> bool {
        match self {
            SolverSettings::GaussSeidel(_)
            | SolverSettings::Penalty(_)
            | SolverSettings::Newton(_)
            | SolverSettings::Siconos(_) => false,
            SolverSettings::InteriorPoint(_)
            | SolverSettings::ProximalNewton(_)
            | SolverSettings::CorrectedSweeps(_)
            | SolverSettings::Admm(_)
            | SolverSettings::Auto(_) => true,
        }
    }

    /// The command that makes it, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            SolverSettings::GaussSeidel(_) => "GAUSS_SEIDEL_SOLVER",
            SolverSettings::Penalty(_) => "PENALTY_SOLVER",
            SolverSettings::Newton(_) => "NEWTON_SOLVER",
            SolverSettings::Siconos(_) => "SICONOS_SOLVER",
            SolverSettings::InteriorPoint(_) => "INTERIOR_POINT_SOLVER",
            SolverSettings::ProximalNewton(_) => "PROXIMAL_NEWTON_SOLVER",
            SolverSettings::CorrectedSweeps(_) => "CORRECTED_SWEEPS_SOLVER",
            SolverSettings::Admm(_) => "ADMM_SOLVER",
            SolverSettings::Auto(_) => "AUTO_SOLVER",
        }
    }
}
