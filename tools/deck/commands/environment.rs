//! What a deck may ask about its surroundings. One deck runs, on rank 0.

use solfec::model::Op;

use super::domain::SOLFEC_ARG;
use crate::deck::table::{Arg, Chapter, Command, Default, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] =
    &[&VIEWER, &NON_SOLFEC_ARGV, &SUBDIR, &RANK, &NCPU, &HERE, &BARRIER, &IMBALANCE_TOLERANCE];

static VIEWER: Command = Command {
    name: "VIEWER",
    chapter: Chapter::Environment,
    args: &[],
    returns: "False: there is no viewer",
    modes: Modes::Both,
    doc: "True if the deck runs in a viewer.",
    run: |_, _| Ok(Value::Bool(false)),
};

static NON_SOLFEC_ARGV: Command = Command {
    name: "NON_SOLFEC_ARGV",
    chapter: Chapter::Environment,
    args: &[],
    returns: "a list of texts, None if there are none",
    modes: Modes::Both,
    doc: "Arguments after -- on the command line; also in sys.argv[1:].",
    run: |session, _| {
        let args = &session.environment.args;
        if args.is_empty() {
            return Ok(Value::None);
        }
        Ok(Value::List(args.iter().cloned().map(Value::Text).collect()))
    },
};

static SUBDIR: Command = Command {
    name: "SUBDIR",
    chapter: Chapter::Environment,
    args: &[],
    returns: "a text, None if there is none",
    modes: Modes::Both,
    doc: "Sub-directory of the outputs, given by -s on the command line.",
    run: |session, _| Ok(session.environment.subdir.clone().map_or(Value::None, Value::Text)),
};

static RANK: Command = Command {
    name: "RANK",
    chapter: Chapter::Environment,
    args: &[],
    returns: "0",
    modes: Modes::Both,
    doc: "Rank of the process that runs the deck.",
    run: |_, _| Ok(Value::Int(0)),
};

static NCPU: Command = Command {
    name: "NCPU",
    chapter: Chapter::Environment,
    args: &[Arg { default: Default::Absent("none"), ..SOLFEC_ARG }],
    returns: "1 while a model is recorded",
    modes: Modes::Both,
    doc: "Number of processes that run the deck: N of sf-run -np N.",
    run: |session, _| Ok(Value::Int(session.environment.processes.unwrap_or(1) as i64)),
};

static HERE: Command = Command {
    name: "HERE",
    chapter: Chapter::Environment,
    args: &[SOLFEC_ARG, Arg::new("object", Kind::Anything, "body or constraint")],
    returns: "True",
    modes: Modes::Both,
    doc: "True if an object can be used on this rank: always.",
    run: |_, _| Ok(Value::Bool(true)),
};

static BARRIER: Command = Command {
    name: "BARRIER",
    chapter: Chapter::Environment,
    args: &[],
    returns: "True",
    modes: Modes::Both,
    doc: "Does nothing: one process runs the deck.",
    run: |_, _| Ok(Value::Bool(true)),
};

static IMBALANCE_TOLERANCE: Command = Command {
    name: "IMBALANCE_TOLERANCE",
    chapter: Chapter::Environment,
    args: &[
        SOLFEC_ARG,
        Arg::new("tolerance", Kind::POSITIVE, "largest weight of a rank over the mean at which to deal out bodies"),
        Arg::new("weightfactor", Kind::FRACTION, "share of what couples constraints in their weight")
            .or(Default::Number(1.0)),
        Arg::new("updatefreq", Kind::COUNT, "steps between two looks at the weights").or(Default::Number(10.0)),
    ],
    returns: "True",
    modes: Modes::Both,
    doc:
        "When bodies are dealt out anew among ranks: the largest weight over the mean is above the tolerance. One rank \
          has nothing to balance.",
    run: |session, args| {
        let (tolerance, weightfactor) = (args.real("tolerance")?, args.real("weightfactor")?);
        let updatefreq = args.count("updatefreq")?;
        let balance = Op::ImbalanceTolerance { tolerance, weightfactor, updatefreq };
        session.domain(args.handle("solfec")?)?.apply(balance)?;
        Ok(Value::Bool(true))
    },
};
