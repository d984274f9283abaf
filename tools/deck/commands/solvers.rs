//! GAUSS_SEIDEL_SOLVER and PENALTY_SOLVER with their members.

use solfec::model::{BlockSolver, GaussSeidel, Penalty, PenaltyVariant, SolverSettings, Variant};

use super::solver_members::{
    count_member, real_member, switch_member, word, word_member, ERROR, ITERS, ITERSHIST, MERHIST, RERHIST,
};
use super::solver_objects::{add, solver, CALLBACK, DATA, FAILURE, FAILURE_MEMBER};
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::objects::Objects;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Default, Kind, Member, Modes, Range};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&GAUSS_SEIDEL_SOLVER, &PENALTY_SOLVER];
pub const CLASSES: &[&Class] = &[&GAUSS_SEIDEL, &PENALTY];

const BLOCKS: Kind =
    Kind::Choice(&["SEMISMOOTH_NEWTON", "ENUMERATIVE", "PROJECTED_GRADIENT", "DE_SAXCE_FENG", "PROJECTED_NEWTON"]);

const VARIANTS: Kind = Kind::Choice(&["FULL", "MIDDLE_JACOBI", "BOUNDARY_JACOBI", "MASS_SPLITTING"]);

/// More than 0 and less than 2.
const RELAXATION: Kind = Kind::Number(Range { min: 0.0, max: 2.0 - f64::EPSILON, above: true });

static GAUSS_SEIDEL_SOLVER: Command = Command {
    name: "GAUSS_SEIDEL_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("epsilon", Kind::POSITIVE, "relative change of reactions at which to stop"),
        Arg::new("maxiter", Kind::COUNT, "largest number of sweeps"),
        Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1.0)),
        FAILURE,
        Arg::new("diagepsilon", Kind::POSITIVE, "accuracy of one contact")
            .or(Default::Absent("0.01 min(epsilon, meritval, 1e-4)")),
        Arg::new("diagmaxiter", Kind::COUNT, "iterations of one contact").or(Default::Absent("max(100, maxiter/100)")),
        Arg::new("diagsolver", BLOCKS, "how one contact is solved").or(Default::Text("SEMISMOOTH_NEWTON")),
        DATA,
        CALLBACK,
    ],
    returns: "a GAUSS_SEIDEL_SOLVER",
    modes: Modes::Both,
    doc: "Block Gauss-Seidel. Stops when the relative change and the merit are both small enough.",
    run: gauss_seidel,
};

static PENALTY_SOLVER: Command = Command {
    name: "PENALTY_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("variant", Kind::Choice(&["IMPLICIT", "EXPLICIT"]), "implicit or explicit contact law")
            .or(Default::Text("IMPLICIT")),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a PENALTY_SOLVER",
    modes: Modes::Both,
    doc: "Spring-dashpot contact, one contact at a time.",
    run: penalty,
};

static GAUSS_SEIDEL: Class = Class {
    name: "GAUSS_SEIDEL_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Block Gauss-Seidel. A RUN takes the values of its own moment.",
    members: &[
        FAILURE_MEMBER,
        real_member!(settings, epsilon, Kind::POSITIVE, "relative change of reactions at which to stop"),
        count_member!(settings, maxiter, "largest number of sweeps"),
        real_member!(settings, meritval, Kind::POSITIVE, "merit at which to stop"),
        real_member!(settings, diagepsilon, Kind::POSITIVE, "accuracy of one contact"),
        count_member!(settings, diagmaxiter, "iterations of one contact"),
        word_member!(settings, diagsolver, BLOCKS, "how one contact is solved", BLOCK_NAMES),
        switch_member!(
            settings,
            reverse,
            "kept for Solfec-1.0 decks; sweeps always go forward, which needs fewer of them"
        ),
        word_member!(
            settings,
            variant,
            VARIANTS,
            "how ranks sweep bodies that they share; has no effect on one rank",
            VARIANT_NAMES
        ),
        count_member!(settings, innerloops, "sweeps between two exchanges of ranks; has no effect on one rank"),
        real_member!(settings, relaxation, RELAXATION, "over-relaxation; 1: none"),
        ERROR,
        ITERS,
        RERHIST,
        MERHIST,
        ITERSHIST,
    ],
    methods: &[],
};

static PENALTY: Class = Class {
    name: "PENALTY_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Spring-dashpot contact.",
    members: &[FAILURE_MEMBER, ERROR],
    methods: &[],
};

fn settings(objects: &mut Objects, object: Handle) -> Result<&mut GaussSeidel, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::GaussSeidel(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

const BLOCK_NAMES: &[(&str, BlockSolver)] = &[
    ("SEMISMOOTH_NEWTON", BlockSolver::SemismoothNewton),
    ("ENUMERATIVE", BlockSolver::Enumerative),
    ("PROJECTED_GRADIENT", BlockSolver::ProjectedGradient),
    ("DE_SAXCE_FENG", BlockSolver::DeSaxceFeng),
    ("PROJECTED_NEWTON", BlockSolver::ProjectedNewton),
];

const VARIANT_NAMES: &[(&str, Variant)] = &[
    ("FULL", Variant::Full),
    ("MIDDLE_JACOBI", Variant::MiddleJacobi),
    ("BOUNDARY_JACOBI", Variant::BoundaryJacobi),
    ("MASS_SPLITTING", Variant::MassSplitting),
];

fn gauss_seidel(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let (epsilon, maxiter, meritval) = (args.real("epsilon")?, args.count("maxiter")?, args.real("meritval")?);
    let auto_epsilon = GaussSeidel::default_diagepsilon(epsilon, meritval);
    let diagmaxiter =
        if args.given("diagmaxiter") { args.count("diagmaxiter")? } else { GaussSeidel::default_diagmaxiter(maxiter) };
    let settings = GaussSeidel {
        meritval,
        diagsolver: word(BLOCK_NAMES, args.text("diagsolver")?),
        diagepsilon: args.maybe_real("diagepsilon").unwrap_or(auto_epsilon),
        diagmaxiter,
        ..GaussSeidel::new(epsilon, maxiter)
    };
    add(session, args, SolverSettings::GaussSeidel(settings))
}

fn penalty(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let variant = match args.text("variant")? {
        "EXPLICIT" => PenaltyVariant::Explicit,
        _ => PenaltyVariant::Implicit,
    };
    add(session, args, SolverSettings::Penalty(Penalty { variant }))
}
