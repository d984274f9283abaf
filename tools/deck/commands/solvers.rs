//! GAUSS_SEIDEL_SOLVER and PENALTY_SOLVER with their members (commands-and-results.md A.7).

use solfec::model::{BlockSolver, Failure, GaussSeidel, Penalty, PenaltyVariant, SolverSettings};

use crate::deck::bind::Args;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Default, Kind, Member, Modes};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&GAUSS_SEIDEL_SOLVER, &PENALTY_SOLVER];
pub const CLASSES: &[&Class] = &[&GAUSS_SEIDEL, &PENALTY];

/// Names of classes of solvers.
pub const SOLVERS: &[&str] = &["GAUSS_SEIDEL_SOLVER", "PENALTY_SOLVER"];

const BLOCKS: Kind =
    Kind::Choice(&["SEMISMOOTH_NEWTON", "ENUMERATIVE", "PROJECTED_GRADIENT", "DE_SAXCE_FENG", "PROJECTED_NEWTON"]);

const VARIANTS: Kind = Kind::Choice(&["FULL", "MIDDLE_JACOBI", "BOUNDARY_JACOBI"]);

static GAUSS_SEIDEL_SOLVER: Command = Command {
    name: "GAUSS_SEIDEL_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        Arg::new("epsilon", Kind::POSITIVE, "relative change of reactions at which to stop"),
        Arg::new("maxiter", Kind::COUNT, "largest number of sweeps"),
        Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1.0)),
        Arg::new("failure", Kind::Choice(&["CONTINUE", "EXIT", "CALLBACK"]), "what to do when it does not converge")
            .or(Default::Text("CONTINUE")),
        Arg::new("diagepsilon", Kind::POSITIVE, "accuracy of one contact")
            .or(Default::Absent("0.01 min(epsilon, meritval, 1e-4)")),
        Arg::new("diagmaxiter", Kind::COUNT, "iterations of one contact").or(Default::Absent("max(100, maxiter/100)")),
        Arg::new("diagsolver", BLOCKS, "how one contact is solved").or(Default::Text("SEMISMOOTH_NEWTON")),
        Arg::new("data", Kind::Anything, "arguments of the callback").or(Default::Absent("none")),
        Arg::new("callback", Kind::Anything, "called on failure").or(Default::Absent("none")),
    ],
    returns: "a GAUSS_SEIDEL_SOLVER",
    modes: Modes::Both,
    doc: "Block Gauss-Seidel. Stops when both the relative change and the merit are small enough.",
    run: gauss_seidel,
};

static PENALTY_SOLVER: Command = Command {
    name: "PENALTY_SOLVER",
    chapter: Chapter::Solvers,
    args: &[Arg::new("variant", Kind::Choice(&["IMPLICIT", "EXPLICIT"]), "implicit or explicit contact force")
        .or(Default::Text("IMPLICIT"))],
    returns: "a PENALTY_SOLVER",
    modes: Modes::Both,
    doc: "Spring-dashpot contact, solved contact by contact.",
    run: penalty,
};

static GAUSS_SEIDEL: Class = Class {
    name: "GAUSS_SEIDEL_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Block Gauss-Seidel. A RUN takes the values of its own moment.",
    members: &[
        Member {
            name: "failure",
            unit: "",
            doc: "what to do when it does not converge",
            get: |session, object| {
                let name = match settings(session, object)?.failure {
                    Failure::Continue => "CONTINUE",
                    Failure::Exit => "EXIT",
                    Failure::Callback => "CALLBACK",
                };
                Ok(Value::Text(name.into()))
            },
            set: None,
        },
        Member {
            name: "epsilon",
            unit: "",
            doc: "relative change of reactions at which to stop",
            get: |session, object| Ok(Value::Real(settings(session, object)?.epsilon)),
            set: Some((Kind::POSITIVE, |session, object, value| {
                change(session, object, |s| assign(&mut s.epsilon, value))
            })),
        },
        Member {
            name: "maxiter",
            unit: "",
            doc: "largest number of sweeps",
            get: |session, object| Ok(Value::Int(settings(session, object)?.maxiter.into())),
            set: Some((Kind::COUNT, |session, object, value| {
                change(session, object, |s| assign_count(&mut s.maxiter, value))
            })),
        },
        Member {
            name: "meritval",
            unit: "",
            doc: "merit at which to stop",
            get: |session, object| Ok(Value::Real(settings(session, object)?.meritval)),
            set: Some((Kind::POSITIVE, |session, object, value| {
                change(session, object, |s| assign(&mut s.meritval, value))
            })),
        },
        Member {
            name: "diagepsilon",
            unit: "",
            doc: "accuracy of one contact",
            get: |session, object| Ok(Value::Real(settings(session, object)?.diagepsilon)),
            set: Some((Kind::POSITIVE, |session, object, value| {
                change(session, object, |s| assign(&mut s.diagepsilon, value))
            })),
        },
        Member {
            name: "diagmaxiter",
            unit: "",
            doc: "iterations of one contact",
            get: |session, object| Ok(Value::Int(settings(session, object)?.diagmaxiter.into())),
            set: Some((Kind::COUNT, |session, object, value| {
                change(session, object, |s| assign_count(&mut s.diagmaxiter, value))
            })),
        },
        Member {
            name: "diagsolver",
            unit: "",
            doc: "how one contact is solved",
            get: |session, object| {
                let name = match settings(session, object)?.diagsolver {
                    BlockSolver::SemismoothNewton => "SEMISMOOTH_NEWTON",
                    BlockSolver::Enumerative => "ENUMERATIVE",
                    BlockSolver::ProjectedGradient => "PROJECTED_GRADIENT",
                    BlockSolver::DeSaxceFeng => "DE_SAXCE_FENG",
                    BlockSolver::ProjectedNewton => "PROJECTED_NEWTON",
                };
                Ok(Value::Text(name.into()))
            },
            set: Some((BLOCKS, |session, object, value| {
                let Value::Text(name) = value else { return Ok(()) };
                let block = block_solver(name)?;
                change(session, object, |s| s.diagsolver = block)
            })),
        },
        Member {
            name: "reverse",
            unit: "",
            doc: "'ON': sweeps run forwards and backwards in turn",
            get: |session, object| Ok(Value::on_off(settings(session, object)?.reverse)),
            set: Some((Kind::Switch, |session, object, value| {
                change(session, object, |s| s.reverse = *value == Value::Bool(true))
            })),
        },
        Member {
            name: "variant",
            unit: "",
            doc: "'FULL'; the other variants of parallel runs, 'MIDDLE_JACOBI' and 'BOUNDARY_JACOBI', are ignored",
            get: |_, _| Ok(Value::Text("FULL".into())),
            set: Some((VARIANTS, |session, _, value| {
                if *value != Value::Text("FULL".into()) {
                    session.warn("ignored", "variants of parallel runs are not in this version; 'FULL' is used");
                }
                Ok(())
            })),
        },
        Member {
            name: "innerloops",
            unit: "",
            doc: "1; another number of inner sweeps of parallel runs is ignored",
            get: |_, _| Ok(Value::Int(1)),
            set: Some((Kind::COUNT, |session, _, value| {
                if *value != Value::Int(1) {
                    session.warn("ignored", "inner sweeps of parallel runs are not in this version; 1 is used");
                }
                Ok(())
            })),
        },
        Member {
            name: "error",
            unit: "",
            doc: "'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED'",
            get: |session, _| outcome(session, Value::Text("OK".into())),
            set: None,
        },
        Member {
            name: "iters",
            unit: "",
            doc: "sweeps of the last solve",
            get: |session, _| outcome(session, Value::Int(0)),
            set: None,
        },
        Member {
            name: "rerhist",
            unit: "",
            doc: "relative changes of the last solve",
            get: |session, _| outcome(session, Value::List(Vec::new())),
            set: None,
        },
        Member {
            name: "merhist",
            unit: "",
            doc: "merits of the last solve",
            get: |session, _| outcome(session, Value::List(Vec::new())),
            set: None,
        },
        Member {
            name: "itershist",
            unit: "",
            doc: "'ON' starts to record the sweeps of every solve; None when nothing was recorded",
            get: |_, _| Ok(Value::None),
            set: Some((Kind::Switch, |_, _, value| match value {
                Value::Bool(true) => Err(Fault::live("recording iterations needs live execution")),
                _ => Ok(()),
            })),
        },
    ],
    methods: &[],
};

static PENALTY: Class = Class {
    name: "PENALTY_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Spring-dashpot contact.",
    members: &[],
    methods: &[],
};

fn assign(to: &mut f64, value: &Value) {
    if let Value::Real(x) = value {
        *to = *x;
    }
}

fn assign_count(to: &mut u32, value: &Value) {
    if let Value::Int(n) = value {
        *to = u32::try_from(*n).unwrap_or(u32::MAX);
    }
}

/// What a solve left behind: nothing before a RUN, unknown after.
fn outcome(session: &mut Session, before: Value) -> Result<Value, Fault> {
    if session.domains.iter().any(|d| d.has_run()) {
        return Err(Fault::live("the outcome of a solve needs live execution"));
    }
    Ok(before)
}

/// The settings that RUN takes.
pub fn solver(session: &mut Session, object: Handle) -> Result<&mut SolverSettings, Fault> {
    let solver = session.solvers.get_mut(object.key[0] as usize);
    solver.ok_or_else(|| Fault::wrong_type("solver does not exist"))
}

fn settings(session: &mut Session, object: Handle) -> Result<&mut GaussSeidel, Fault> {
    match solver(session, object)? {
        SolverSettings::GaussSeidel(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

fn change(session: &mut Session, object: Handle, change: impl FnOnce(&mut GaussSeidel)) -> Result<(), Fault> {
    change(settings(session, object)?);
    Ok(())
}

fn block_solver(name: &str) -> Result<BlockSolver, Fault> {
    match name {
        "SEMISMOOTH_NEWTON" => Ok(BlockSolver::SemismoothNewton),
        "ENUMERATIVE" => Ok(BlockSolver::Enumerative),
        other => {
            Err(Fault::runtime(format!("'{other}' is not in this version; use 'SEMISMOOTH_NEWTON' or 'ENUMERATIVE'")))
        }
    }
}

fn add(session: &mut Session, class: &'static str, settings: SolverSettings) -> Value {
    session.solvers.push(settings);
    Value::Handle(Handle { class, key: [session.solvers.len() as u64 - 1, 0] })
}

fn gauss_seidel(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let failure = match args.text("failure")? {
        "CALLBACK" if args.given("callback") => {
            return Err(Fault::live("a failure callback needs live execution"));
        }
        "CALLBACK" => return Err(Fault::value("failure: 'CALLBACK' needs the argument callback; give a function")),
        "EXIT" => Failure::Exit,
        _ => Failure::Continue,
    };
    let (epsilon, maxiter, meritval) = (args.real("epsilon")?, args.count("maxiter")?, args.real("meritval")?);
    let auto_epsilon = GaussSeidel::default_diagepsilon(epsilon, meritval);
    let diagmaxiter = match args.given("diagmaxiter") {
        true => args.count("diagmaxiter")?,
        false => GaussSeidel::default_diagmaxiter(maxiter),
    };
    let settings = GaussSeidel {
        meritval,
        failure,
        diagsolver: block_solver(args.text("diagsolver")?)?,
        diagepsilon: args.maybe_real("diagepsilon").unwrap_or(auto_epsilon),
        diagmaxiter,
        ..GaussSeidel::new(epsilon, maxiter)
    };
    Ok(add(session, "GAUSS_SEIDEL_SOLVER", SolverSettings::GaussSeidel(settings)))
}

fn penalty(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let variant = match args.text("variant")? {
        "EXPLICIT" => PenaltyVariant::Explicit,
        _ => PenaltyVariant::Implicit,
    };
    Ok(add(session, "PENALTY_SOLVER", SolverSettings::Penalty(Penalty { variant })))
}
