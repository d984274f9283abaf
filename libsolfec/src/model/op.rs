//! Operations: all that changes a model or a simulation. An [`Op`] carries what it inserts and defines, large data
//! shared, so that it acts on its own and can be sent. A [`StoredOp`] names rows of the tables of its model instead:
//! these are the operations of a program. As JSON they are the rows of `program/steps` of the model file; the field
//! order is the key order of the file.

use std::convert::Infallible;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Base, BodyRow, ConstraintRow, DisplayPoint, FunctionRow, LoadRow, Scheme, Solver};
use crate::json::{real, reals};
use crate::load::Series;
use crate::material::{BulkMaterial, Field, SurfaceMaterial};
use crate::shape::Shape;

/// How an operation gives what it inserts.
pub trait Form {
    type Bodies: Debug + Clone + PartialEq;
    type Constraints: Debug + Clone + PartialEq;
    type Loads: Debug + Clone + PartialEq;
    type Definition: Debug + Clone + PartialEq;
}

/// The rows themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {}

/// Numbers of rows in the tables of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByRow {}

impl Form for Whole {
    type Bodies = Insertion<NewBody>;
    type Constraints = Insertion<ConstraintRow>;
    type Loads = Insertion<LoadRow>;
    type Definition = Definition;
}

impl Form for ByRow {
    type Bodies = Rows;
    type Constraints = Rows;
    type Loads = Rows;
    /// What is defined stands in the tables; no program holds it.
    type Definition = Infallible;
}

/// An operation of a program.
pub type StoredOp = Op<ByRow>;

/// Rows `rows[0] .. rows[1]` (half-open) of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {
    pub rows: [u32; 2],
}

/// Rows to come into being. `first` is the number of the first of them in the table: rows come in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Insertion<T> {
    pub first: u32,
    pub rows: Arc<[T]>,
}

/// A body and its shapes, whose rows in the table are `body.shapes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewBody {
    pub body: BodyRow,
    pub shapes: Vec<Shape>,
}

/// A row of what bodies, constraints, loads and runs refer to. A row that is there is overwritten; the row after the
/// last is new.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Definition {
    Series {
        row: u32,
        series: Series,
    },
    Field {
        row: u32,
        field: Field,
    },
    /// Overwriting a row is for models that have not run: afterwards only the stiffness changes, by
    /// [`Op::BulkMaterial`].
    Bulk {
        row: u32,
        material: BulkMaterial,
    },
    /// A function of the deck, by its number.
    Function(FunctionRow),
    DisplayPoint(DisplayPoint),
    /// A base for reduced bodies to come.
    Base(Arc<Base>),
    /// How a run reports, as [`super::Model::verbose`].
    Verbose(String),
}

/// An operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[serde(bound(
    serialize = "F::Bodies: Serialize, F::Constraints: Serialize, F::Loads: Serialize",
    deserialize = "F::Bodies: Deserialize<'de>, F::Constraints: Deserialize<'de>, F::Loads: Deserialize<'de>"
))]
pub enum Op<F: Form = Whole> {
    /// Fills a table to which others refer.
    #[serde(skip)]
    Define(F::Definition),
    /// Advance by `duration` seconds with this solver.
    Run {
        #[serde(with = "real")]
        duration: f64,
        solver: Solver,
    },
    /// Write a frame every `interval` seconds from now on (0: every step); `compress` is a gzip level, 0 for none;
    /// `single`: numbers of bodies and constraints in single precision.
    Output {
        #[serde(with = "real")]
        interval: f64,
        compress: u8,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        single: bool,
    },
    /// Bodies come into being.
    InsertBodies(F::Bodies),
    /// User constraints come into being.
    InsertConstraints(F::Constraints),
    /// Loads come into being.
    InsertLoads(F::Loads),
    /// A body goes, with its constraints and loads, and its fragments come into being.
    Split {
        body: u64,
        fragments: F::Bodies,
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
    /// Overwrites the velocity in its own layout (docs/conventions.md 5).
    SetVelocity {
        body: u64,
        velo: Vec<f64>,
    },
    /// Overwrites the configuration in its own layout.
    SetConfiguration {
        body: u64,
        conf: Vec<f64>,
    },
    /// Works that a stored state brings with it, in the order of docs/conventions.md 6 [J]; kinetic and internal
    /// energy follow from the state.
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
    /// Whether a body of finite elements touches itself.
    SelfContact {
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
    /// Most contact points of a pair of faces.
    ContactPoints {
        number: u32,
    },
    ContactExcludeBodies {
        bodies: [u64; 2],
    },
    ContactExcludeSurfaces {
        surfaces: [i32; 2],
    },
    /// Convex parts of two bodies, or of one.
    ContactExcludeObjects {
        bodies: [u64; 2],
        objects: [u32; 2],
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
    /// On several ranks: when bodies are dealt out anew, as [`crate::domain::Balance`].
    ImbalanceTolerance {
        #[serde(with = "real")]
        tolerance: f64,
        #[serde(with = "real")]
        weightfactor: f64,
        updatefreq: u32,
    },
    /// The time step asked for [s].
    Step {
        #[serde(with = "real")]
        value: f64,
    },
}

impl<T: Clone> Insertion<T> {
    /// One row, number `first` of its table.
    pub fn one(first: usize, row: T) -> Self {
        Insertion { first: first as u32, rows: Arc::from([row]) }
    }

    /// The numbers of the rows.
    pub fn numbers(&self) -> Rows {
        Rows { rows: [self.first, self.first + self.rows.len() as u32] }
    }

    /// The rows with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &T)> {
        (self.first..).zip(self.rows.iter())
    }
}

impl<F: Form> Op<F> {
    /// The operation in another form.
    pub(super) fn try_map<G: Form, E>(
        self,
        definition: impl FnOnce(F::Definition) -> Result<G::Definition, E>,
        bodies: impl FnOnce(F::Bodies) -> Result<G::Bodies, E>,
        constraints: impl FnOnce(F::Constraints) -> Result<G::Constraints, E>,
        loads: impl FnOnce(F::Loads) -> Result<G::Loads, E>,
    ) -> Result<Op<G>, E> {
        Ok(match self {
            Op::Define(of) => Op::Define(definition(of)?),
            Op::Run { duration, solver } => Op::Run { duration, solver },
            Op::Output { interval, compress, single } => Op::Output { interval, compress, single },
            Op::InsertBodies(rows) => Op::InsertBodies(bodies(rows)?),
            Op::InsertConstraints(rows) => Op::InsertConstraints(constraints(rows)?),
            Op::InsertLoads(rows) => Op::InsertLoads(loads(rows)?),
            Op::Split { body, fragments } => Op::Split { body, fragments: bodies(fragments)? },
            Op::DeleteBody { body } => Op::DeleteBody { body },
            Op::DeleteConstraint { row } => Op::DeleteConstraint { row },
            Op::Callback { interval, function } => Op::Callback { interval, function },
            Op::InitialVelocity { body, linear, angular } => Op::InitialVelocity { body, linear, angular },
            Op::SetVelocity { body, velo } => Op::SetVelocity { body, velo },
            Op::SetConfiguration { body, conf } => Op::SetConfiguration { body, conf },
            Op::SetEnergies { body, energies } => Op::SetEnergies { body, energies },
            Op::BodyChars { body, mass, volume, center, tensor } => {
                Op::BodyChars { body, mass, volume, center, tensor }
            }
            Op::SetScheme { body, scheme } => Op::SetScheme { body, scheme },
            Op::SetDamping { body, damping } => Op::SetDamping { body, damping },
            Op::DisableRotation { body, on } => Op::DisableRotation { body, on },
            Op::SelfContact { body, on } => Op::SelfContact { body, on },
            Op::Gravity { series } => Op::Gravity { series },
            Op::GeometricEpsilon { value } => Op::GeometricEpsilon { value },
            Op::ContactPoints { number } => Op::ContactPoints { number },
            Op::ContactSparsify { threshold, minarea, mindist, projected } => {
                Op::ContactSparsify { threshold, minarea, mindist, projected }
            }
            Op::ContactExcludeBodies { bodies } => Op::ContactExcludeBodies { bodies },
            Op::ContactExcludeSurfaces { surfaces } => Op::ContactExcludeSurfaces { surfaces },
            Op::ContactExcludeObjects { bodies, objects } => Op::ContactExcludeObjects { bodies, objects },
            Op::Extents { bounds } => Op::Extents { bounds },
            Op::UnphysicalPenetration { depth } => Op::UnphysicalPenetration { depth },
            Op::SurfaceMaterial { row, material } => Op::SurfaceMaterial { row, material },
            Op::BulkMaterial { row, young, poisson } => Op::BulkMaterial { row, young, poisson },
            Op::StepRecovery { on } => Op::StepRecovery { on },
            Op::ImbalanceTolerance { tolerance, weightfactor, updatefreq } => {
                Op::ImbalanceTolerance { tolerance, weightfactor, updatefreq }
            }
            Op::Step { value } => Op::Step { value },
        })
    }
}

impl StoredOp {
    /// Rows of bodies that it inserts.
    pub fn bodies(&self) -> Option<Range<u32>> {
        if let Op::InsertBodies(rows) | Op::Split { fragments: rows, .. } = self {
            return Some(rows.range());
        }
        None
    }

    /// Rows of user constraints that it inserts.
    pub fn constraints(&self) -> Option<Range<u32>> {
        if let Op::InsertConstraints(rows) = self {
            return Some(rows.range());
        }
        None
    }

    /// Rows of loads that it inserts.
    pub fn loads(&self) -> Option<Range<u32>> {
        if let Op::InsertLoads(rows) = self {
            return Some(rows.range());
        }
        None
    }

    /// Whether it inserts rows of tables.
    pub fn inserts(&self) -> bool {
        self.bodies().or(self.constraints()).or(self.loads()).is_some()
    }
}

impl Rows {
    pub fn range(self) -> Range<u32> {
        self.rows[0]..self.rows[1]
    }
}

impl From<Range<u32>> for Rows {
    fn from(rows: Range<u32>) -> Rows {
        Rows { rows: [rows.start, rows.end] }
    }
}

impl Op {
    /// The operation as a program holds it; `None` for definitions, which stand in the tables alone.
    pub fn stored(&self) -> Option<StoredOp> {
        self.clone().try_map(|_| Err(()), |b| Ok(b.numbers()), |c| Ok(c.numbers()), |l| Ok(l.numbers())).ok()
    }
}
