//! Operations: everything a deck does to a model that has run, and what starts it. As JSON they are the rows of
//! `program/steps` of the model file (commands-and-results.md E.6); the field order is the key order of the file.

use serde::{Deserialize, Serialize};

use super::{Scheme, SolverSettings};
use crate::json::{real, reals};
use crate::material::SurfaceMaterial;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Op {
    /// Advance by `duration` seconds with this solver.
    Run {
        #[serde(with = "real")]
        duration: f64,
        solver: SolverSettings,
    },
    /// Write a frame every `interval` seconds from now on (0: every step); `compress` is a gzip level, 0 for none.
    Output {
        #[serde(with = "real")]
        interval: f64,
        compress: u8,
    },
    /// The body rows `rows[0] .. rows[1]` (half-open) come into being.
    InsertBodies {
        rows: [u32; 2],
    },
    /// The constraint rows `rows[0] .. rows[1]` (half-open) come into being.
    InsertConstraints {
        rows: [u32; 2],
    },
    /// The load rows `rows[0] .. rows[1]` (half-open) come into being.
    InsertLoads {
        rows: [u32; 2],
    },
    /// A body goes, with its constraints and loads.
    DeleteBody {
        body: u64,
    },
    /// A user constraint goes; row of the constraint table.
    DeleteConstraint {
        row: u32,
    },
    /// A user function is called every `interval` seconds from now on; `None`: no more.
    Callback {
        #[serde(with = "real")]
        interval: f64,
        function: Option<u32>,
    },
    /// Spatial linear [m/s] and angular [rad/s] velocity of a body about its current mass centre.
    InitialVelocity {
        body: u64,
        linear: [f64; 3],
        angular: [f64; 3],
    },
    /// Overwrites the velocity in its own layout (conventions.md 6).
    SetVelocity {
        body: u64,
        velo: Vec<f64>,
    },
    /// Overwrites the configuration in its own layout.
    SetConfiguration {
        body: u64,
        conf: Vec<f64>,
    },
    /// Works that a stored state brings with it, in the order of conventions.md 7 [J]; kinetic and internal energy follow
    /// from the state.
    SetEnergies {
        body: u64,
        #[serde(with = "reals")]
        energies: [f64; 6],
    },
    /// BODY_CHARS: reference characteristics; the tensor column-wise.
    BodyChars {
        body: u64,
        #[serde(with = "real")]
        mass: f64,
        #[serde(with = "real")]
        volume: f64,
        #[serde(with = "reals")]
        center: [f64; 3],
        #[serde(with = "reals")]
        tensor: [f64; 9],
    },
    SetScheme {
        body: u64,
        scheme: Scheme,
    },
    SetDamping {
        body: u64,
        #[serde(with = "real")]
        damping: f64,
    },
    DisableRotation {
        body: u64,
        on: bool,
    },
    /// Rows of the series table, one for each component.
    Gravity {
        series: [u32; 3],
    },
    GeometricEpsilon {
        #[serde(with = "real")]
        value: f64,
    },
    ContactSparsify {
        #[serde(with = "real")]
        threshold: f64,
        #[serde(with = "real")]
        minarea: f64,
        #[serde(with = "real")]
        mindist: f64,
        /// The area of contacts is projected instead of half the surface.
        #[serde(default)]
        projected: bool,
    },
    ContactExcludeBodies {
        bodies: [u64; 2],
    },
    ContactExcludeSurfaces {
        surfaces: [i32; 2],
    },
    Extents {
        #[serde(with = "reals")]
        bounds: [f64; 6],
    },
    UnphysicalPenetration {
        #[serde(with = "real")]
        depth: f64,
    },
    /// Row `row` of the surface materials is from now on this.
    SurfaceMaterial {
        row: u32,
        material: SurfaceMaterial,
    },
    /// Stiffness of a bulk material changes (density and inertia do not).
    BulkMaterial {
        row: u32,
        #[serde(with = "real")]
        young: f64,
        #[serde(with = "real")]
        poisson: f64,
    },
    /// Whether a lowered step may grow back.
    StepRecovery {
        on: bool,
    },
    /// The time step asked for [s].
    Step {
        #[serde(with = "real")]
        value: f64,
    },
}
