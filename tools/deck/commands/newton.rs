//! NEWTON_SOLVER and TEST_SOLVER (docs/solvers.md 7).

use solfec::model::{Delta, LinearVariant, Newton, SolverSettings};

use super::solver_members::{
    count_member, real_member, switch_member, word, word_member, ERROR, ITERS, ITERSHIST, MERHIST, MVHIST,
};
use super::solver_objects::{add, solver, CALLBACK, DATA, FAILURE, FAILURE_MEMBER};
use crate::deck::args::Args;
use crate::deck::fault::Fault;
use crate::deck::objects::Objects;
use crate::deck::session::Session;
use crate::deck::table::{Arg, Chapter, Class, Command, Default, Kind, Member, Modes, Range};
use crate::deck::value::{Handle, Value};

pub const COMMANDS: &[&Command] = &[&NEWTON_SOLVER, &TEST_SOLVER];
pub const CLASSES: &[&Class] = &[&NEWTON];

const LINEAR: Kind = Kind::Choice(&["GMRES", "DIAG"]);
const LINEAR_NAMES: &[(&str, LinearVariant)] = &[("GMRES", LinearVariant::Gmres), ("DIAG", LinearVariant::Diag)];

const RELATIVE: Kind = Kind::Choice(&["OFF", "avgWii", "minWii", "maxWii"]);
const RELATIVE_NAMES: &[(&str, Delta)] =
    &[("OFF", Delta::Absolute), ("avgWii", Delta::Average), ("minWii", Delta::Least), ("maxWii", Delta::Largest)];

const THETA: Kind = Kind::Number(Range { min: 0.0, max: 1.0, above: true });

const MERITVAL: Arg = Arg::new("meritval", Kind::POSITIVE, "merit at which to stop").or(Default::Number(1e-8));
const MAXITER: Arg = Arg::new("maxiter", Kind::COUNT, "largest number of iterations").or(Default::Number(1e3));
const LINMAXITER: Arg =
    Arg::new("linmaxiter", Kind::COUNT, "largest number of GMRES iterations per step").or(Default::Number(10.0));
const MAXMATVEC: Arg = Arg::new("maxmatvec", Kind::COUNT, "largest number of products with W").or(Default::Number(1e4));
const EPSILON: Arg = Arg::new("epsilon", Kind::POSITIVE, "relative accuracy of GMRES").or(Default::Number(0.25));
const DELTA: Arg =
    Arg::new("delta", Kind::NOT_NEGATIVE, "added to the diagonal of the linear system").or(Default::Number(0.0));
const OMEGA: Arg = Arg::new("omega", Kind::PositiveOrAuto, "smoothing; 'AUTO': from the velocities of the problem")
    .unit("m/s")
    .or(Default::Number(1e-10));

static NEWTON_SOLVER: Command = Command {
    name: "NEWTON_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        MERITVAL,
        MAXITER,
        Arg::new("locdyn", Kind::Switch, "'ON': W is assembled; 'OFF': products go through the bodies")
            .or(Default::Text("ON")),
        Arg::new("linver", LINEAR, "linear solver: 'GMRES' (PQN1) or 'DIAG' (PQN2)").or(Default::Text("GMRES")),
        LINMAXITER,
        MAXMATVEC,
        EPSILON,
        DELTA,
        Arg::new("theta", THETA, "relaxation of 'DIAG'").or(Default::Number(0.25)),
        OMEGA,
        Arg::new("gsflag", Kind::Switch, "'ON': a failed solve is repeated by Gauss-Seidel").or(Default::Text("ON")),
        Arg::new("reldelta", RELATIVE, "delta is relative to the mean, least or largest diagonal entry of W, or 'OFF'")
            .or(Default::Text("OFF")),
        FAILURE,
        DATA,
        CALLBACK,
    ],
    returns: "a NEWTON_SOLVER",
    modes: Modes::Both,
    doc: "Projected quasi-Newton method.",
    run: newton,
};

static TEST_SOLVER: Command = Command {
    name: "TEST_SOLVER",
    chapter: Chapter::Solvers,
    args: &[
        MERITVAL,
        MAXITER,
        MAXMATVEC.or(Default::Number(1e3)),
        LINMAXITER,
        EPSILON,
        DELTA.or(Default::Number(0.51e-7)),
        OMEGA.or(Default::Number(1e-9)),
    ],
    returns: "a NEWTON_SOLVER",
    modes: Modes::Both,
    doc: "An experimental solver of Solfec 1.0: replaced by NEWTON_SOLVER, with a warning.",
    run: |session, args| {
        session.warn("ignored", "was an experiment of Solfec 1.0; NEWTON_SOLVER takes its place");
        newton(session, args)
    },
};

static NEWTON: Class = Class {
    name: "NEWTON_SOLVER",
    chapter: Chapter::Solvers,
    doc: "Projected quasi-Newton method. A RUN takes the values of its own moment.",
    members: &[
        real_member!(settings, meritval, Kind::POSITIVE, "merit at which to stop"),
        count_member!(settings, maxiter, "largest number of iterations"),
        switch_member!(settings, locdyn, "'ON': W is assembled"),
        word_member!(settings, linver, LINEAR, "linear solver", LINEAR_NAMES),
        count_member!(settings, linmaxiter, "largest number of GMRES iterations per step"),
        count_member!(settings, maxmatvec, "largest number of products with W"),
        real_member!(settings, epsilon, Kind::POSITIVE, "relative accuracy of GMRES"),
        real_member!(settings, delta, Kind::NOT_NEGATIVE, "added to the diagonal of the linear system"),
        real_member!(settings, theta, THETA, "relaxation of 'DIAG'"),
        Member {
            name: "omega",
            unit: "m/s",
            doc: "smoothing, or 'AUTO'",
            get: |session, object| {
                Ok(settings(session, object)?.omega.map_or_else(|| Value::Text("AUTO".into()), Value::Real))
            },
            set: Some((Kind::PositiveOrAuto, |session, object, value| {
                settings(session, object)?.omega = smoothing(value);
                Ok(())
            })),
        },
        switch_member!(settings, gsflag, "'ON': a failed solve is repeated by Gauss-Seidel"),
        word_member!(settings, reldelta, RELATIVE, "quantity to which delta is relative", RELATIVE_NAMES),
        FAILURE_MEMBER,
        ERROR,
        ITERS,
        MERHIST,
        MVHIST,
        ITERSHIST,
    ],
    methods: &[],
};

fn settings(objects: &mut Objects, object: Handle) -> Result<&mut Newton, Fault> {
    match &mut solver(objects, object)?.settings {
        SolverSettings::Newton(settings) => Ok(settings),
        other => Err(Fault::wrong_type(format!("is a {}", other.name()))),
    }
}

/// A number, or none for 'AUTO'.
fn smoothing(value: &Value) -> Option<f64> {
    match value {
        Value::Real(x) => Some(*x),
        _ => None,
    }
}

fn newton(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let plain = Newton::default();
    let settings = Newton {
        meritval: args.real("meritval")?,
        maxiter: args.count("maxiter")?,
        maxmatvec: args.count("maxmatvec")?,
        linmaxiter: args.count("linmaxiter")?,
        epsilon: args.real("epsilon")?,
        delta: args.real("delta")?,
        omega: smoothing(args.get("omega")),
        theta: args.maybe_real("theta").unwrap_or(plain.theta),
        locdyn: args.maybe_on("locdyn").unwrap_or(plain.locdyn),
        gsflag: args.maybe_on("gsflag").unwrap_or(plain.gsflag),
        linver: args.maybe_text("linver").map_or(plain.linver, |text| word(LINEAR_NAMES, text)),
        reldelta: args.maybe_text("reldelta").map_or(plain.reldelta, |text| word(RELATIVE_NAMES, text)),
    };
    add(session, args, SolverSettings::Newton(settings))
}
