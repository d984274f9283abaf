//! What a history can show: quantities with one value in each frame, and what is made of them.

use super::unit::Unit;
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
    /// Component of the angular velocity of the body.
    Spin(usize),
    /// Component of its rotation vector.
    Turn(usize),
}

/// Energies that the files do not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derived {
    /// Of gravity.
    Potential,
    /// Held by springs.
    Spring,
    /// Kinetic, internal, potential and of springs.
    Total,
    /// The total without the work of contacts, with what was dissipated.
    Balance,
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
    Derived {
        what: Derived,
        bodies: Who,
    },
    /// Component of the momentum of bodies, or of the angular momentum about the origin.
    Momentum {
        axis: usize,
        angular: bool,
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
    /// Of the sweep of several ranks: which of [`SETS`].
    OfSweep(usize),
    /// Known, but never stored.
    Absent,
}

/// What two expressions are made into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

/// What a column shows.
#[derive(Debug, Clone)]
pub enum Expr {
    Of(Quantity),
    Number(f64),
    Sum(Vec<Expr>),
    /// Root of the sum of squares.
    Norm(Vec<Expr>),
    /// Extremes of several expressions, and of one expression for each of the bodies that it names.
    Largest(Vec<Expr>),
    Least(Vec<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Negative(Box<Expr>),
    Abs(Box<Expr>),
    /// Running sum of what is not NaN.
    Cumsum(Box<Expr>),
    /// Change since the row before.
    Diff(Box<Expr>),
}

impl Expr {
    /// Sums of reactions and means of velocities are those on the bodies named, wherever they stand in it.
    pub fn on_bodies(&mut self) {
        match self {
            Expr::Of(Quantity::AtConstraints(at)) => at.on_bodies |= at.measure != Measure::Gap,
            Expr::Of(_) | Expr::Number(_) => {}
            Expr::Sum(all) | Expr::Norm(all) | Expr::Largest(all) | Expr::Least(all) => {
                all.iter_mut().for_each(Expr::on_bodies);
            }
            Expr::Binary(_, a, b) => [a, b].into_iter().for_each(|of| of.on_bodies()),
            Expr::Negative(of) | Expr::Abs(of) | Expr::Cumsum(of) | Expr::Diff(of) => of.on_bodies(),
        }
    }
}

/// A column of a history.
#[derive(Debug, Clone)]
pub struct Item {
    pub title: String,
    pub expr: Expr,
}

/// In the order of the files.
pub const ENERGIES: [&str; 6] = ["KINETIC", "INTERNAL", "EXTERNAL", "CONTACT", "FRICTION", "DISSIPATED"];
/// Phases of a step and what of them goes to the sweep of several ranks; then those of the original's solvers, which
/// are never stored.
pub const TIMERS: [&str; 16] = [
    "TIMINT", "CONUPD", "CONDET", "LOCDYN", "CONSOL", "PARBAL", "GSINIT", "GSRUN", "GSCOM", "GSMCOM", "LININIT",
    "LINUPD", "LINMV", "LINPRE", "LINRUN", "LINCOM",
];
/// Accepted, and never stored.
pub const ABSENT: [&str; 2] = ["NEWCONS", "BSITERS"];
/// Colours of ranks in the sweep, and numbers of constraints by where the ranks that share their bodies stand.
pub const SETS: [&str; 5] = ["GSCOLORS", "GSBOT", "GSMID", "GSTOP", "GSINN"];
pub const STRESSES: [&str; 6] = ["SX", "SY", "SZ", "SXY", "SXZ", "SYZ"];

/// All names with their meaning, for `--list`, error texts and the command HISTORY.
pub const CATALOGUE: [(&str, &str); 17] = [
    ("KINETIC INTERNAL EXTERNAL CONTACT FRICTION DISSIPATED", "energies [J] of all bodies, or KINETIC@BODIES of some"),
    (
        "POTENTIAL SPRING TOTAL BALANCE",
        "energy [J] in gravity, in springs; total; total corrected by contact and damping",
    ),
    ("PX PY PZ LX LY LZ", "momentum [kg m/s] of all bodies or of some; angular momentum [kg m2/s] about the origin"),
    ("OMEGAX OMEGAY OMEGAZ", "angular velocity [rad/s] of a body: OMEGAZ@BOX"),
    ("ROTX ROTY ROTZ", "rotation vector [rad] of a body"),
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

impl Field {
    fn unit(self) -> Unit {
        match self {
            Field::Coordinate(_) | Field::Displacement(_) => Unit::METRE,
            Field::Velocity(_) => Unit::SPEED,
            Field::Stress(_) | Field::Mises => Unit::PASCAL,
            Field::Spin(_) => Unit::SPIN,
            Field::Turn(_) => Unit::RADIAN,
        }
    }

    fn axis_name(self) -> &'static str {
        match self {
            Field::Coordinate(_) => "coordinate",
            Field::Displacement(_) => "displacement",
            Field::Velocity(_) => "velocity",
            Field::Stress(_) | Field::Mises => "stress",
            Field::Spin(_) => "angular velocity",
            Field::Turn(_) => "rotation",
        }
    }
}

impl Quantity {
    fn unit(&self) -> Unit {
        match self {
            Quantity::Energy { .. } | Quantity::Derived { .. } => Unit::JOULE,
            Quantity::Momentum { angular: false, .. } => Unit::MOMENTUM,
            Quantity::Momentum { angular: true, .. } => Unit::ANGULAR_MOMENTUM,
            Quantity::Point { field, .. } => field.unit(),
            Quantity::AtConstraints(at) => match at.measure {
                Measure::Gap => Unit::METRE,
                Measure::Reaction => Unit::NEWTON,
                Measure::Velocity => Unit::SPEED,
            },
            Quantity::Step | Quantity::Timer(_) | Quantity::Wall => Unit::SECOND,
            Quantity::Bodies
            | Quantity::Constraints
            | Quantity::Iterations(_)
            | Quantity::Merit
            | Quantity::SolverError
            | Quantity::Births
            | Quantity::Deaths
            | Quantity::OfSweep(_)
            | Quantity::Absent => Unit::ONE,
        }
    }

    fn axis_name(&self) -> &'static str {
        match self {
            Quantity::Energy { .. } | Quantity::Derived { .. } => "energy",
            Quantity::Momentum { angular: false, .. } => "momentum",
            Quantity::Momentum { angular: true, .. } => "angular momentum",
            Quantity::Point { field, .. } => field.axis_name(),
            Quantity::AtConstraints(at) => match at.measure {
                Measure::Gap => "gap",
                Measure::Reaction => "reaction",
                Measure::Velocity => "relative velocity",
            },
            Quantity::Bodies | Quantity::Births | Quantity::Deaths => "bodies",
            Quantity::Constraints => "constraints",
            Quantity::OfSweep(0) => "colours",
            Quantity::OfSweep(_) => "constraints",
            Quantity::Step => "time step",
            Quantity::Iterations(_) | Quantity::Absent => "iterations",
            Quantity::Merit => "merit",
            Quantity::SolverError => "relative change",
            Quantity::Timer(_) | Quantity::Wall => "time spent",
        }
    }

    /// The bodies it is of.
    pub fn bodies(&self) -> Option<&Who> {
        match self {
            Quantity::Energy { bodies, .. }
            | Quantity::Derived { bodies, .. }
            | Quantity::Momentum { bodies, .. }
            | Quantity::Point { body: bodies, .. } => Some(bodies),
            Quantity::AtConstraints(at) => Some(&at.bodies),
            Quantity::Bodies
            | Quantity::Constraints
            | Quantity::Iterations(_)
            | Quantity::Merit
            | Quantity::SolverError
            | Quantity::Births
            | Quantity::Deaths
            | Quantity::OfSweep(_)
            | Quantity::Absent
            | Quantity::Step
            | Quantity::Timer(_)
            | Quantity::Wall => None,
        }
    }

    fn needs_model(&self) -> bool {
        let whatever = matches!(self, Quantity::Point { .. } | Quantity::Derived { .. } | Quantity::Momentum { .. });
        whatever || matches!(self.bodies(), Some(Who::Rules(_)))
    }
}

impl Expr {
    /// The expressions it is made of.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Of(_) | Expr::Number(_) => Vec::new(),
            Expr::Sum(terms) | Expr::Norm(terms) | Expr::Largest(terms) | Expr::Least(terms) => terms.iter().collect(),
            Expr::Binary(_, left, right) => vec![left, right],
            Expr::Negative(of) | Expr::Abs(of) | Expr::Cumsum(of) | Expr::Diff(of) => vec![of],
        }
    }

    /// The quantities in it.
    pub fn quantities(&self) -> Vec<&Quantity> {
        match self {
            Expr::Of(quantity) => vec![quantity],
            _ => self.parts().into_iter().flat_map(Expr::quantities).collect(),
        }
    }

    /// SI unit; `None` for numbers, which can be added to anything.
    ///
    /// # Errors
    /// Terms of different units.
    pub fn unit(&self) -> Result<Option<Unit>, String> {
        match self {
            Expr::Of(quantity) => Ok(Some(quantity.unit())),
            Expr::Number(_) => Ok(None),
            Expr::Binary(Operator::Times, left, right) => Ok(product(left.unit()?, right.unit()?)),
            Expr::Binary(Operator::Over, left, right) => Ok(product(left.unit()?, right.unit()?.map(|u| -u))),
            Expr::Binary(Operator::Plus | Operator::Minus, ..)
            | Expr::Sum(_)
            | Expr::Norm(_)
            | Expr::Largest(_)
            | Expr::Least(_)
            | Expr::Negative(_)
            | Expr::Abs(_)
            | Expr::Cumsum(_)
            | Expr::Diff(_) => common(&self.parts()),
        }
    }

    /// What an axis that shows it is called; columns with the same name and unit share an axis.
    pub fn axis_name(&self) -> &'static str {
        match self {
            Expr::Of(quantity) => quantity.axis_name(),
            Expr::Number(_) => "value",
            Expr::Binary(Operator::Times | Operator::Over, left, right) => match (&**left, &**right) {
                (Expr::Number(_), of) | (of, Expr::Number(_)) => of.axis_name(),
                _ => "value",
            },
            _ => {
                let parts = self.parts();
                parts.iter().find(|p| !matches!(p, Expr::Number(_))).map_or("value", |p| p.axis_name())
            }
        }
    }

    /// Whether its values are counts.
    pub fn counts(&self) -> bool {
        matches!(
            self,
            Expr::Of(
                Quantity::Bodies
                    | Quantity::Constraints
                    | Quantity::Births
                    | Quantity::Deaths
                    | Quantity::Iterations(_)
            )
        )
    }
}

fn product(left: Option<Unit>, right: Option<Unit>) -> Option<Unit> {
    match (left, right) {
        (Some(a), Some(b)) => Some(a + b),
        (one, other) => one.or(other),
    }
}

/// The unit that terms have in common.
fn common(terms: &[&Expr]) -> Result<Option<Unit>, String> {
    let mut all: Option<Unit> = None;
    for term in terms {
        let Some(unit) = term.unit()? else { continue };
        match all {
            Some(first) if !first.same(unit) => {
                return Err(format!("adds or compares [{first}] and [{unit}]; combine quantities of one unit"))
            }
            Some(_) => {}
            None => all = Some(unit),
        }
    }
    Ok(all)
}

impl Item {
    /// Whether the model is needed: for bodies by label, kind or place, or for what the frames do not hold.
    pub fn needs_model(&self) -> bool {
        self.expr.quantities().iter().any(|q| q.needs_model())
    }

    /// SI unit, `1` for numbers.
    pub fn unit(&self) -> Unit {
        self.expr.unit().ok().flatten().unwrap_or(Unit::ONE)
    }
}
