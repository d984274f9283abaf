//! The Model: what the user described, as tables that only grow, and a program of operations on their rows.
//!
//! One `Model` is one SOLFEC object of a deck. Rows of the tables that no `INSERT_BODIES` of the program names exist
//! from the start, together with the [`Settings`]; everything after the first RUN is an operation of the program.
//! [`Model::apply`] is the one way in: it folds an [`Op`] into tables while nothing has run, and also appends it to the
//! program afterwards.

mod apply;
mod background;
mod base;
mod brought;
mod build;
mod constraint;
mod description;
mod fold;
mod groups;
mod history;
mod library;
mod mass;
mod names;
mod op;
mod solvers;
mod volumes;

use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

pub use background::{cut_of, outline, pruned};
pub use base::Base;
pub use brought::Brought;
pub use constraint::{
    constraint_kind, ConstraintRow, FunctionKind, FunctionRow, Joint, LoadKind, LoadRow, Prescribed, SpringAxis,
    SpringLaw,
};
pub(crate) use fold::put;
pub use fold::{fold, Changed, Conditions, InForce};
pub(crate) use groups::{changes_conditions, fills_tables, only_acts};
pub use mass::{characteristics, characteristics_of, BodyKind, Characteristics, Formulation};
pub use names::title;
pub use op::{ByRow, Definition, Form, Insertion, NewBody, Op, Rows, StoredOp, Whole};
pub use solvers::{
    Admm, Auto, BlockSolver, CorrectedSweeps, Delta, Failure, GaussSeidel, InteriorPoint, LinearVariant, Newton,
    Penalty, PenaltyVariant, ProximalNewton, Siconos, Solver, SolverSettings, Variant,
};
pub use volumes::characteristics_by_volume;

use crate::domain::Balance;
use crate::load::Series;
use crate::material::{BulkMaterial, Field, Samples, SurfaceMaterial};
use crate::math::{Mat3, Vec3};
use crate::shape::{Geometry, Shape};

/// Default of GEOMETRIC_EPSILON [m]: separation under which points count as the same point.
pub const GEOMETRIC_EPSILON: f64 = 1e-6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Analysis {
    Dynamic,
    QuasiStatic,
}

/// Time integration schemes. `Default` is RIG_NEG for rigid and DEF_EXP for deformable bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Scheme {
    Default = 0,
    RigPos = 1,
    RigNeg = 2,
    RigImp = 3,
    DefExp = 4,
    DefLim = 5,
}

/// An instance of a library geometry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShapeRow {
    /// Row of [`Model::library`].
    pub geometry: u32,
    pub rotation: Mat3,
    pub shift: Vec3,
}

/// A body as it was described.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BodyRow {
    /// From 1, in order of creation.
    pub id: u64,
    /// Empty if none.
    pub label: String,
    pub kind: BodyKind,
    /// Of finite elements; others ignore it.
    pub form: Formulation,
    /// Base of a reduced formulation; others ignore it.
    pub base: Option<Arc<Base>>,
    /// Hexahedra of finite elements have enhanced strains.
    pub enhanced: bool,
    /// The mesh is that of tetrahedra of second order ([`crate::meshdata::second_order`]).
    pub quadratic: bool,
    /// Of finite elements of a material that varies, the values of time 0.
    pub samples: Option<Arc<Samples>>,
    pub scheme: Scheme,
    /// Row of [`Model::bulk`].
    pub material: u32,
    /// Volume ids whose parts have a bulk material of their own, and its row; ids ascend.
    pub volumes: Vec<(i32, u32)>,
    /// Rows of [`Model::shapes`]. Of finite elements one mesh; or polyhedra and then the background mesh in which they
    /// lie, whose nodes carry them.
    pub shapes: Range<u32>,
    pub chars: Characteristics,
    /// Stiffness-proportional damping η [s] ≥ 0.
    pub damping: f64,
    pub selfcontact: bool,
    pub disable_rotation: bool,
    /// Initial configuration in the layout of docs/conventions.md 5; empty: undeformed at the reference place.
    pub conf: Vec<f64>,
    /// Initial velocity in the layout of docs/conventions.md 5; empty: at rest.
    pub velo: Vec<f64>,
    /// Line of the deck that made the body; 0 unknown.
    pub line: u32,
}

/// A named point that a body carries, for people to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DisplayPoint {
    /// Id of the body.
    pub body: u64,
    /// In the reference configuration.
    pub point: Vec3,
    /// Empty if none.
    pub label: String,
}

/// Most contact points of a pair of faces that can be asked for: four bear any moment, and more would be redundant.
pub const CONTACT_POINTS: u32 = 4;

/// Settings of CONTACT_SPARSIFY.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sparsify {
    /// Fraction of a neighbour's area under which a contact is dropped, in [0, 1].
    pub threshold: f64,
    /// Least area [m²] of a contact.
    pub minarea: f64,
    /// Least distance [m] of contact points of one body pair.
    pub mindist: f64,
    /// Which area contacts have: that of the overlap's projection along the normal instead of half its surface.
    pub projected: bool,
}

/// What holds from the start of the simulation, until an operation changes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub epsilon: f64,
    /// Rows of [`Model::series`] for the three components of gravity [m/s²].
    pub gravity: Option<[u32; 3]>,
    /// Bodies wholly outside are removed: xmin ymin zmin xmax ymax zmax.
    pub extents: Option<[f64; 6]>,
    /// A gap of less than minus this stops the run; infinite: never.
    pub penetration_depth: f64,
    pub sparsify: Sparsify,
    /// Most contact points of a pair of faces, 1 to [`CONTACT_POINTS`].
    pub contact_points: u32,
    /// Whether a step lowered for stability may grow back to the one asked for.
    pub step_recovery: bool,
    /// On several ranks: when bodies are dealt out anew.
    pub balance: Balance,
    /// Pairs of body ids that never touch.
    pub excluded_bodies: Vec<[u64; 2]>,
    /// Pairs of surface ids that never touch.
    pub excluded_surfaces: Vec<[i32; 2]>,
    /// Pairs of convex parts that never touch: body id and object index of one and of the other.
    pub excluded_objects: Vec<[u64; 4]>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            epsilon: GEOMETRIC_EPSILON,
            gravity: None,
            extents: None,
            penetration_depth: f64::INFINITY,
            sparsify: Sparsify { threshold: 0.01, minarea: 0.0, mindist: GEOMETRIC_EPSILON, projected: false },
            contact_points: 1,
            step_recovery: false,
            balance: Balance::default(),
            excluded_bodies: Vec::new(),
            excluded_surfaces: Vec::new(),
            excluded_objects: Vec::new(),
        }
    }
}

/// One SOLFEC object. What is sent to other ranks is its head, without program and rows of bodies, constraints and
/// loads: these are dealt out ([`crate::simulation::Simulation::on_rank`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Name of the results: last component of `output_path`.
    pub name: String,
    pub analysis: Analysis,
    /// Time step [s] asked for.
    pub step: f64,
    /// Directory of the results as the deck named it.
    pub output_path: String,
    /// 'ON', 'OFF', '%' or '%\n' of the deck.
    pub verbose: String,
    pub settings: Settings,
    pub series: Vec<Series>,
    /// Fields by which bulk materials vary.
    pub fields: Vec<Field>,
    pub bulk: Vec<BulkMaterial>,
    /// Row 0 is the pair (any, any).
    pub surface: Vec<SurfaceMaterial>,
    /// Geometries, each stored once.
    #[serde(skip)]
    pub library: Vec<Arc<Geometry>>,
    #[serde(skip)]
    pub shapes: Vec<ShapeRow>,
    /// Bases of reduced bodies, each stored once.
    #[serde(skip)]
    pub bases: Vec<Arc<Base>>,
    /// In order of id.
    #[serde(skip)]
    pub bodies: Vec<BodyRow>,
    /// User constraints in order of creation.
    #[serde(skip)]
    pub constraints: Vec<ConstraintRow>,
    /// Loads in order of creation; gravity is a setting.
    #[serde(skip)]
    pub loads: Vec<LoadRow>,
    /// Functions of the deck that a run must call.
    pub functions: Vec<FunctionRow>,
    #[serde(skip)]
    pub program: Vec<StoredOp>,
    /// In order of creation; no run looks at them.
    #[serde(skip)]
    pub display_points: Vec<DisplayPoint>,
    /// Legacy switches in force (`--compat`).
    pub compat: Vec<String>,
    #[serde(skip)]
    history: history::History,
    #[serde(skip)]
    geometries: library::Library,
}

impl Model {
    /// An empty model with the 'DEFAULT' surface material.
    pub fn new(analysis: Analysis, step: f64, output_path: impl Into<String>) -> Self {
        let output_path = output_path.into();
        let name = output_path.trim_end_matches('/').rsplit('/').next().unwrap_or("out").to_string();
        Model {
            name,
            analysis,
            step,
            output_path,
            verbose: "ON".into(),
            settings: Settings::default(),
            series: Vec::new(),
            fields: Vec::new(),
            bulk: Vec::new(),
            surface: vec![SurfaceMaterial::default()],
            library: Vec::new(),
            shapes: Vec::new(),
            bases: Vec::new(),
            bodies: Vec::new(),
            constraints: Vec::new(),
            loads: Vec::new(),
            functions: Vec::new(),
            program: Vec::new(),
            display_points: Vec::new(),
            compat: Vec::new(),
            history: Default::default(),
            geometries: Default::default(),
        }
    }

    /// Whether a RUN has been recorded: from then on operations go to the program.
    pub fn started(&self) -> bool {
        self.history.started(&self.program)
    }

    /// The shape of row `row` with its shared geometry.
    pub fn shape(&self, row: u32) -> Shape {
        let s = &self.shapes[row as usize];
        Shape { geometry: Arc::clone(&self.library[s.geometry as usize]), rotation: s.rotation, shift: s.shift }
    }

    /// Shapes of a body in order, without its background mesh.
    pub fn shapes_of<'a>(&'a self, body: &BodyRow) -> impl Iterator<Item = Shape> + 'a {
        let Range { start, end } = body.shapes;
        (start..if self.has_background(body) { end - 1 } else { end }).map(|row| self.shape(row))
    }

    /// Shapes of a body in order, and its background mesh if it has one.
    pub fn all_shapes_of<'a>(&'a self, body: &BodyRow) -> impl Iterator<Item = Shape> + 'a {
        body.shapes.clone().map(|row| self.shape(row))
    }

    /// The shapes of a body whose nodes carry it: its background mesh, or all.
    pub fn carriers_of<'a>(&'a self, body: &BodyRow) -> impl Iterator<Item = Shape> + 'a {
        let Range { start, end } = body.shapes;
        (if self.has_background(body) { end - 1 } else { start }..end).map(|row| self.shape(row))
    }

    fn has_background(&self, body: &BodyRow) -> bool {
        let last = || &self.library[self.shapes[body.shapes.end as usize - 1].geometry as usize];
        body.shapes.len() > 1 && body.kind == BodyKind::FiniteElement && last().mesh().is_some()
    }

    /// Row of the body with this id.
    pub fn body_row(&self, id: u64) -> Option<usize> {
        self.bodies.binary_search_by_key(&id, |b| b.id).ok()
    }

    /// Body rows that an operation of the program brings in: all from the least of them on, because rows are in order
    /// of creation.
    pub fn inserted_later(&self) -> Range<usize> {
        later(self.program.iter().find_map(StoredOp::bodies), self.bodies.len())
    }

    /// The same of constraints.
    pub fn constraints_later(&self) -> Range<usize> {
        later(self.program.iter().find_map(StoredOp::constraints), self.constraints.len())
    }

    /// The same of loads.
    pub fn loads_later(&self) -> Range<usize> {
        later(self.program.iter().find_map(StoredOp::loads), self.loads.len())
    }

    /// Whether running the model calls functions of its deck.
    pub fn requires_live(&self) -> bool {
        !self.functions.is_empty()
    }
}

/// From the first row that is inserted to the end of a table.
fn later(first: Option<Range<u32>>, rows: usize) -> Range<usize> {
    first.map_or(rows, |first| first.start as usize)..rows
}
