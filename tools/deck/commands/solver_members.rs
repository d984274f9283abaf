//! Members of solver objects: settings that RUN takes, and what solves left behind.

use solfec::solver::Status;

use crate::deck::engine::Outcome;
use crate::deck::fault::Fault;
use crate::deck::session::Session;
use crate::deck::table::{Kind, Member};
use crate::deck::value::{Handle, Value};

/// A number among the settings that the function `$of` gives.
macro_rules! real_member {
    ($of:ident, $name:ident, $kind:expr, $doc:expr) => {
        Member {
            name: stringify!($name),
            unit: "",
            doc: $doc,
            get: |session, object| Ok(Value::Real($of(session, object)?.$name)),
            set: Some(($kind, |session, object, value| {
                if let Value::Real(x) = *value {
                    $of(session, object)?.$name = x;
                }
                Ok(())
            })),
        }
    };
}

/// The same of a count.
macro_rules! count_member {
    ($of:ident, $name:ident, $doc:expr) => {
        Member {
            name: stringify!($name),
            unit: "",
            doc: $doc,
            get: |session, object| Ok(Value::Int($of(session, object)?.$name.into())),
            set: Some((Kind::COUNT, |session, object, value| {
                if let Value::Int(n) = *value {
                    $of(session, object)?.$name = u32::try_from(n).unwrap_or(u32::MAX);
                }
                Ok(())
            })),
        }
    };
}

/// The same of a switch.
macro_rules! switch_member {
    ($of:ident, $name:ident, $doc:expr) => {
        Member {
            name: stringify!($name),
            unit: "",
            doc: $doc,
            get: |session, object| Ok(Value::on_off($of(session, object)?.$name)),
            set: Some((Kind::Switch, |session, object, value| {
                $of(session, object)?.$name = *value == Value::Bool(true);
                Ok(())
            })),
        }
    };
}

/// The same of one of some words; `$names` pairs them with what they mean.
macro_rules! word_member {
    ($of:ident, $name:ident, $kind:expr, $doc:expr, $names:expr) => {
        Member {
            name: stringify!($name),
            unit: "",
            doc: $doc,
            get: |session, object| {
                let meaning = $of(session, object)?.$name;
                let pair = $names.iter().find(|(_, found)| *found == meaning);
                Ok(pair.map_or(Value::None, |(word, _)| Value::Text((*word).into())))
            },
            set: Some(($kind, |session, object, value| {
                if let Value::Text(text) = value {
                    $of(session, object)?.$name = $crate::deck::commands::solver_members::word($names, text);
                }
                Ok(())
            })),
        }
    };
}

pub(super) use {count_member, real_member, switch_member, word_member};

/// Meaning of a word that has been checked; of another the first one's.
pub fn word<T: Copy>(names: &[(&str, T)], text: &str) -> T {
    names.iter().find(|(word, _)| *word == text).unwrap_or(&names[0]).1
}

pub const ERROR: Member = Member {
    name: "error",
    unit: "",
    doc: "'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED'",
    get: |session, object| {
        outcome(session, object, |outcome| {
            let name = match outcome.report.status {
                Status::Converged => "OK",
                Status::Springs
                | Status::IterationLimit
                | Status::ProductLimit
                | Status::Stagnation
                | Status::LineSearch
                | Status::NoFactors => "DIVERGED",
                Status::BlockDivergence => "DIAGONAL_DIVERGED",
                Status::BlockFailure | Status::NotFinite => "DIAGONAL_FAILED",
            };
            Value::Text(name.into())
        })
    },
    set: None,
};

pub const ITERS: Member = Member {
    name: "iters",
    unit: "",
    doc: "iterations of the last solve",
    get: |session, object| outcome(session, object, |outcome| Value::Int(outcome.report.iterations.into())),
    set: None,
};

pub const RERHIST: Member = Member {
    name: "rerhist",
    unit: "",
    doc: "relative changes of the last solve",
    get: |session, object| outcome(session, object, |outcome| Value::Reals(outcome.errors.clone())),
    set: None,
};

pub const MERHIST: Member = Member {
    name: "merhist",
    unit: "",
    doc: "merits of the last solve",
    get: |session, object| outcome(session, object, |outcome| Value::Reals(outcome.merits.clone())),
    set: None,
};

pub const MVHIST: Member = Member {
    name: "mvhist",
    unit: "",
    doc: "products with W up to each iteration of the last solve",
    get: |session, object| outcome(session, object, |outcome| counts(&outcome.products)),
    set: None,
};

pub const ITERSHIST: Member = Member {
    name: "itershist",
    unit: "",
    doc: "iterations of every solve, None if not recorded; assigning 'ON' starts recording",
    get: |session, object| {
        if !session.is_live() {
            return Ok(Value::None);
        }
        outcome(session, object, |outcome| outcome.iterations.as_deref().map_or(Value::None, counts))
    },
    set: Some((Kind::Switch, |session, object, value| {
        if *value != Value::Bool(true) {
            return Ok(());
        }
        if !session.is_live() {
            return Err(Fault::live("recording iterations needs live execution"));
        }
        session.record_iterations(object)
    })),
};

fn counts(counts: &[u32]) -> Value {
    Value::Ints(counts.iter().map(|n| (*n).into()).collect())
}

/// Of what a solve left behind; before the first one nothing has happened.
fn outcome(session: &mut Session, object: Handle, of: impl Fn(&Outcome) -> Value) -> Result<Value, Fault> {
    Ok(of(&session.outcome(object)?.unwrap_or_default()))
}
