//! Operations: everything a deck does to a model that has run, and what starts it. As JSON they are the rows of
//! `program/steps` of the model file (commands-and-results.md E.6); the field order is the key order of the file.

use serde::{Deserialize, Serialize};

use super::precise::{Admm, InteriorPoint, ProximalNewton};
use super::Scheme;
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

/// What to do when a solve does not converge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Failure {
    Continue,
    Exit,
    Callback,
}

/// How one contact is solved inside a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BlockSolver {
    SemismoothNewton,
    ProjectedGradient,
    DeSaxceFeng,
    ProjectedNewton,
    Enumerative,
}

/// How the boundary between ranks is swept; without effect on one rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Variant {
    #[default]
    Full,
    MiddleJacobi,
    BoundaryJacobi,
}

/// GAUSS_SEIDEL_SOLVER with all defaults resolved (constraints-solvers-parallel.md 5.1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GaussSeidel {
    #[serde(with = "real")]
    pub epsilon: f64,
    pub maxiter: u32,
    #[serde(with = "real")]
    pub meritval: f64,
    pub failure: Failure,
    pub diagsolver: BlockSolver,
    #[serde(with = "real")]
    pub diagepsilon: f64,
    pub diagmaxiter: u32,
    pub reverse: bool,
    /// Over-relaxation in (0, 2): `R ← R_old + w (R_new − R_old)`, then clipped to the law.
    #[serde(with = "real", default = "one")]
    pub relaxation: f64,
    /// User function asked when a solve fails and `failure` is CALLBACK.
    #[serde(default)]
    pub callback: Option<u32>,
    /// On several ranks: how their boundary is swept, and how often each set is.
    #[serde(default)]
    pub variant: Variant,
    #[serde(default = "once")]
    pub innerloops: u32,
}

fn one() -> f64 {
    1.0
}

fn once() -> u32 {
    1
}

impl GaussSeidel {
    /// Defaults beside the two required numbers.
    pub fn new(epsilon: f64, maxiter: u32) -> Self {
        GaussSeidel {
            epsilon,
            maxiter,
            meritval: 1.0,
            failure: Failure::Continue,
            diagsolver: BlockSolver::SemismoothNewton,
            diagepsilon: Self::default_diagepsilon(epsilon, 1.0),
            diagmaxiter: Self::default_diagmaxiter(maxiter),
            reverse: false,
            relaxation: 1.0,
            callback: None,
            variant: Variant::Full,
            innerloops: 1,
        }
    }

    pub fn default_diagepsilon(epsilon: f64, meritval: f64) -> f64 {
        (0.01 * epsilon.min(meritval).min(1e-4)).max(2.2e-16)
    }

    pub fn default_diagmaxiter(maxiter: u32) -> u32 {
        (maxiter / 100).max(100)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PenaltyVariant {
    Implicit,
    Explicit,
}

/// PENALTY_SOLVER (constraints-solvers-parallel.md 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Penalty {
    pub variant: PenaltyVariant,
}

/// The linear solver of NEWTON_SOLVER.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LinearVariant {
    /// PQN1.
    Gmres,
    /// PQN2.
    Diag,
}

/// What `delta` of NEWTON_SOLVER is relative to: 1, or a statistic of the diagonal entries of W.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Delta {
    #[serde(rename = "OFF")]
    Absolute,
    #[serde(rename = "avgWii")]
    Average,
    #[serde(rename = "minWii")]
    Least,
    #[serde(rename = "maxWii")]
    Largest,
}

/// NEWTON_SOLVER (constraints-solvers-parallel.md 8.1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newton {
    #[serde(with = "real")]
    pub meritval: f64,
    pub maxiter: u32,
    /// Whether W is assembled; else products go through the bodies.
    pub locdyn: bool,
    pub linver: LinearVariant,
    pub linmaxiter: u32,
    pub maxmatvec: u32,
    #[serde(with = "real")]
    pub epsilon: f64,
    #[serde(with = "real")]
    pub delta: f64,
    #[serde(with = "real")]
    pub theta: f64,
    /// Smoothing velocity [m/s]; `None`: 'AUTO', `0.01 √meritval` of the root mean square of the free velocities.
    pub omega: Option<f64>,
    /// Fall back on Gauss–Seidel when it fails.
    pub gsflag: bool,
    pub reldelta: Delta,
}

impl Default for Newton {
    fn default() -> Self {
        Newton {
            meritval: 1e-8,
            maxiter: 1000,
            locdyn: true,
            linver: LinearVariant::Gmres,
            linmaxiter: 10,
            maxmatvec: 10000,
            epsilon: 0.25,
            delta: 0.0,
            theta: 0.25,
            omega: Some(1e-10),
            gsflag: true,
            reldelta: Delta::Absolute,
        }
    }
}

/// SICONOS_SOLVER (constraints-solvers-parallel.md 9).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Siconos {
    #[serde(with = "real")]
    pub epsilon: f64,
    pub maxiter: u32,
    pub verbose: bool,
}

impl Default for Siconos {
    fn default() -> Self {
        Siconos { epsilon: 1e-4, maxiter: 1000, verbose: false }
    }
}

/// AUTO_SOLVER: the method is chosen by what the problem turns out to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auto {
    #[serde(with = "real")]
    pub meritval: f64,
}

impl Default for Auto {
    fn default() -> Self {
        Auto { meritval: 1e-8 }
    }
}

/// The solver of a RUN, complete: a model file does not change its meaning when defaults change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SolverSettings {
    GaussSeidel(GaussSeidel),
    Penalty(Penalty),
    Newton(Newton),
    Siconos(Siconos),
    InteriorPoint(InteriorPoint),
    ProximalNewton(ProximalNewton),
    #[serde(rename = "ADMM")]
    Admm(Admm),
    Auto(Auto),
}

impl SolverSettings {
    /// The command that makes it, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            SolverSettings::GaussSeidel(_) => "GAUSS_SEIDEL_SOLVER",
            SolverSettings::Penalty(_) => "PENALTY_SOLVER",
            SolverSettings::Newton(_) => "NEWTON_SOLVER",
            SolverSettings::Siconos(_) => "SICONOS_SOLVER",
            SolverSettings::InteriorPoint(_) => "INTERIOR_POINT_SOLVER",
            SolverSettings::ProximalNewton(_) => "PROXIMAL_NEWTON_SOLVER",
            SolverSettings::Admm(_) => "ADMM_SOLVER",
            SolverSettings::Auto(_) => "AUTO_SOLVER",
        }
    }
}

/// Numbers in JSON: ±inf and NaN are the strings "inf", "-inf", "nan". Use as `#[serde(with = "real")]`.
pub mod real {
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        if x.is_finite() {
            s.serialize_f64(*x)
        } else if x.is_nan() {
            s.serialize_str("nan")
        } else if *x > 0.0 {
            s.serialize_str("inf")
        } else {
            s.serialize_str("-inf")
        }
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Real {
        Number(f64),
        Text(String),
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        match Real::deserialize(d)? {
            Real::Number(x) => Ok(x),
            Real::Text(t) => match t.as_str() {
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                "nan" => Ok(f64::NAN),
                other => Err(D::Error::custom(format!("'{other}' is not a number"))),
            },
        }
    }
}

/// Arrays of such numbers.
pub mod reals {
    use serde::{de::Error, Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Item(#[serde(with = "super::real")] f64);

    pub fn serialize<S: Serializer, const N: usize>(x: &[f64; N], s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(x.iter().map(|&v| Item(v)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(d: D) -> Result<[f64; N], D::Error> {
        let items = Vec::<Item>::deserialize(d)?;
        let n = items.len();
        let values: Vec<f64> = items.into_iter().map(|i| i.0).collect();
        values.try_into().map_err(|_| D::Error::custom(format!("{N} numbers are wanted, not {n}")))
    }
}
