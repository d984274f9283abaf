//! What a history can show: quantities with one value in each frame, and what is made of them.

use crate::cli::BodyRule;

/// Something at a point of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Coordinate(usize),
    Displacement(usize),
    Velocity(usize),
    /// xx yy zz xy xz yz
    Stress(usize),
    Mises,
}

/// Bodies: all, or those some rules name, with the rules as text.
#[derive(Debug, Clone)]
pub enum Who {
    All,
    Rules(Vec<(String, BodyRule)>),
}

/// A number of constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Least gap of contacts.
    Gap,
    /// Sum of reactions.
    Reaction,
    /// Mean of relative velocities.
    Velocity,
}

/// What is taken of the constraints at some bodies.
#[derive(Debug, Clone)]
pub struct AtConstraints {
    pub measure: Measure,
    pub bodies: Who,
    pub contacts_only: bool,
    /// Of unit length, and the length it was given with; without it the normal component of each constraint counts.
    pub direction: Option<([f64; 3], f64)>,
    /// Only contacts between these surfaces, in whatever order, beside constraints that are no contacts.
    pub pair: Option<[i32; 2]>,
    /// What acts on the bodies named, and not what acts on the masters.
    pub on_bodies: bool,
}

/// Whose iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    Any,
    GaussSeidel,
    Newton,
}

/// A quantity that has one value in each frame.
#[derive(Debug, Clone)]
pub enum Quantity {
    /// Column of the energies, summed over bodies.
    Energy {
        column: usize,
        bodies: Who,
    },
    /// At a reference point, the mass centre without one.
    Point {
        field: Field,
        body: Who,
        reference: Option<[f64; 3]>,
    },
    AtConstraints(AtConstraints),
    Bodies,
    Constraints,
    Step,
    Iterations(Solver),
    Merit,
    /// Relative change of reactions in the last iteration.
    SolverError,
    /// Bodies born, or gone, since the previous frame.
    Births,
    Deaths,
    /// Seconds spent in a phase since the previous frame.
    Timer(String),
    /// Clock time since the start of the run.
    Wall,
    /// Known, but never stored.
    Absent,
}

/// What a column shows.
#[derive(Debug, Clone)]
pub enum Expr {
    Of(Quantity),
    Sum(Vec<Expr>),
    Abs(Box<Expr>),
    /// Running sum of what is not NaN.
    Cumsum(Box<Expr>),
    /// Change since the row before.
    Diff(Box<Expr>),
}

/// A column of a history.
#[derive(Debug, Clone)]
pub struct Item {
    pub title: String,
    pub expr: Expr,
}

/// In the order of the files.
pub const ENERGIES: [&str; 6] = ["KINETIC", "INTERNAL", "EXTERNAL", "CONTACT", "FRICTION", "DISSIPATED"];
/// Phases of a step; then those of the original's solvers, which are never stored.
pub const TIMERS: [&str; 16] = [
    "TIMINT", "CONUPD", "CONDET", "LOCDYN", "CONSOL", "PARBAL", "GSINIT", "GSRUN", "GSCOM", "GSMCOM", "LININIT",
    "LINUPD", "LINMV", "LINPRE", "LINRUN", "LINCOM",
];
/// Accepted, and never stored.
pub const ABSENT: [&str; 7] = ["GSCOLORS", "GSBOT", "GSMID", "GSTOP", "GSINN", "NEWCONS", "BSITERS"];
pub const STRESSES: [&str; 6] = ["SX", "SY", "SZ", "SXY", "SXZ", "SYZ"];

/// All names with their meaning, for `--list`, error texts and the command HISTORY.
pub const CATALOGUE: [(&str, &str); 13] = [
    ("KINETIC INTERNAL EXTERNAL CONTACT FRICTION DISSIPATED", "energies [J] of all bodies, or KINETIC@BODIES of some"),
    ("CX CY CZ", "current coordinate [m] of a body point: CX@label:BOX(x,y,z), of the mass centre: CX@id:12"),
    ("DX DY DZ", "displacement [m] of a body point"),
    ("VX VY VZ", "velocity [m/s] of a body point"),
    ("SX SY SZ SXY SXZ SYZ MISES", "Cauchy stress [Pa] at a body point, von Mises' measure of it"),
    ("GAP", "least gap [m] of the contacts at all bodies, or GAP@BODIES of some; GAP[pair=1,2] between two surfaces"),
    (
        "R RX RY RZ CR CRX CRY CRZ",
        "sum of reactions [N] at bodies, CR of contacts alone: R[dir=0,0,1;pair=1,2;on=bodies]@BOX",
    ),
    ("U UX UY UZ CU CUX CUY CUZ", "mean relative velocity [m/s] at constraints, CU at contacts alone; options as of R"),
    ("BODS CONS NEWBODS DELBODS", "numbers of bodies, constraints; bodies born and gone since the last frame"),
    ("STEP WALL", "time step [s]; clock time [s] since the start of the run"),
    ("ITERS GSITERS NTITERS", "iterations of the last solve: of any solver, Gauss-Seidel, Newton"),
    ("MERIT ERROR", "merit function and relative change of reactions of the last solve"),
    ("TIMINT CONUPD CONDET LOCDYN CONSOL PARBAL", "seconds spent in a phase since the last frame"),
];

impl Quantity {
    /// SI unit, `1` for numbers.
    fn unit(&self) -> &'static str {
        match self {
            Quantity::Energy { .. } => "J",
            Quantity::Point { field, .. } => match field {
                Field::Velocity(_) => "m/s",
                Field::Stress(_) | Field::Mises => "Pa",
                Field::Coordinate(_) | Field::Displacement(_) => "m",
            },
            Quantity::AtConstraints(at) => match at.measure {
                Measure::Gap => "m",
                Measure::Reaction => "N",
                Measure::Velocity => "m/s",
            },
            Quantity::Step | Quantity::Timer(_) | Quantity::Wall => "s",
            Quantity::Bodies
            | Quantity::Constraints
            | Quantity::Iterations(_)
            | Quantity::Merit
            | Quantity::SolverError
            | Quantity::Births
            | Quantity::Deaths
            | Quantity::Absent => "1",
        }
    }

    fn axis_name(&self) -> &'static str {
        match self {
            Quantity::Energy { .. } => "energy",
            Quantity::Point { field, .. } => match field {
                Field::Coordinate(_) => "coordinate",
                Field::Displacement(_) => "displacement",
                Field::Velocity(_) => "velocity",
                Field::Stress(_) | Field::Mises => "stress",
            },
            Quantity::AtConstraints(at) => match at.measure {
                Measure::Gap => "gap",
                Measure::Reaction => "reaction",
                Measure::Velocity => "relative velocity",
            },
            Quantity::Bodies | Quantity::Births | Quantity::Deaths => "bodies",
            Quantity::Constraints => "constraints",
            Quantity::Step => "time step",
            Quantity::Iterations(_) | Quantity::Absent => "iterations",
            Quantity::Merit => "merit",
            Quantity::SolverError => "relative change",
            Quantity::Timer(_) | Quantity::Wall => "time spent",
        }
    }
}

impl Expr {
    /// The quantities in it.
    pub fn quantities(&self) -> Vec<&Quantity> {
        match self {
            Expr::Of(quantity) => vec![quantity],
            Expr::Sum(terms) => terms.iter().flat_map(Expr::quantities).collect(),
            Expr::Abs(of) | Expr::Cumsum(of) | Expr::Diff(of) => of.quantities(),
        }
    }

    /// SI unit, `1` for numbers; all terms of a sum have the same.
    pub fn unit(&self) -> &'static str {
        self.quantities().first().map_or("1", |q| q.unit())
    }

    /// What an axis that shows it is called; columns with the same name and unit share an axis.
    pub fn axis_name(&self) -> &'static str {
        self.quantities().first().map_or("value", |q| q.axis_name())
    }
}

impl Item {
    /// Whether bodies must be known by label, kind or place.
    pub fn names_bodies(&self) -> bool {
        self.expr.quantities().iter().any(|q| match q {
            Quantity::Point { .. } => true,
            Quantity::Energy { bodies, .. } => matches!(bodies, Who::Rules(_)),
            Quantity::AtConstraints(at) => matches!(at.bodies, Who::Rules(_)),
            Quantity::Bodies
            | Quantity::Constraints
            | Quantity::Iterations(_)
            | Quantity::Merit
            | Quantity::SolverError
            | Quantity::Births
            | Quantity::Deaths
            | Quantity::Absent
            | Quantity::Step
            | Quantity::Timer(_)
            | Quantity::Wall => false,
        })
    }
}
