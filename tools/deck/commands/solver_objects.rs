//! Solver objects: how they are made and found, and the arguments and the member that they have in common, which say
//! what a RUN does after a solve that did not converge.

use solfec::model::{Failure, FunctionKind, Solver, SolverSettings};

use super::functions;
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::objects::Objects;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Default, Kind, Member};
use crate::deck::value::{Handle, Value};

pub const FAILURE: Arg =
    Arg::new("failure", Kind::Choice(&["CONTINUE", "EXIT", "CALLBACK"]), "action when it does not converge")
        .or(Default::Text("CONTINUE"));

pub const DATA: Arg =
    Arg::new("data", Kind::Data { last: true }, "further arguments of the callback").or(Default::Absent("none"));

pub const CALLBACK: Arg = Arg::new(
    "callback",
    Kind::Function,
    "called with the solver when it fails; if it returns 0, the run ends with SolverError",
)
.or(Default::Absent("none"));

pub const FAILURE_MEMBER: Member = Member {
    name: "failure",
    unit: "",
    doc: "action when it does not converge",
    get: |session, object| {
        let name = match solver(session, object)?.failure {
            Failure::Continue => "CONTINUE",
            Failure::Exit => "EXIT",
            Failure::Callback => "CALLBACK",
        };
        Ok(Value::Text(name.into()))
    },
    set: None,
};

/// What RUN takes.
pub fn solver(objects: &mut Objects, object: Handle) -> Result<&mut Solver, Fault> {
    let solver = objects.solvers.get_mut(object.key[0] as usize);
    solver.ok_or_else(|| Fault::wrong_type("solver does not exist"))
}

/// A new solver object, with the failure action among the arguments.
pub fn add(session: &mut Session, args: &Args, settings: SolverSettings) -> Result<Value, Fault> {
    let class = settings.name();
    let solver = with_action(session, args, settings)?;
    session.solvers.push(solver);
    Ok(Value::Handle(Handle { class, key: [session.solvers.len() as u64 - 1, 0] }))
}

/// A solver with the action that the arguments ask for.
///
/// # Errors
/// 'CALLBACK' without a function, or with one in a model that is to run without its deck.
fn with_action(session: &mut Session, args: &Args, settings: SolverSettings) -> Result<Solver, Fault> {
    let plain = Solver::from(settings);
    match args.maybe_text("failure") {
        Some("CALLBACK") if !args.given("callback") => {
            Err(Fault::value("failure: 'CALLBACK' needs the argument callback; give a function"))
        }
        Some("CALLBACK") if functions::dropped(session, args.get("callback")) => Ok(plain),
        Some("CALLBACK") => {
            let function = functions::take(session, args.get("callback"), FunctionKind::Failure)?;
            Ok(Solver { failure: Failure::Callback, callback: Some(function), ..plain })
        }
        Some("EXIT") => Ok(Solver { failure: Failure::Exit, ..plain }),
        _ => Ok(plain),
    }
}
