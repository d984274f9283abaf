//! GRAVITY (commands-and-results.md A.6).

use solfec::load::Series;
use solfec::model::Op;

use super::domain::SOLFEC_ARG;
use crate::deck::bind::Args;
use crate::deck::fault::Fault;
use crate::deck::session::{Domain, Session};
use crate::deck::table::{Arg, Chapter, Command, Kind, Modes};
use crate::deck::value::Value;

pub const COMMANDS: &[&Command] = &[&GRAVITY];

static GRAVITY: Command = Command {
    name: "GRAVITY",
    chapter: Chapter::Loads,
    args: &[SOLFEC_ARG, Arg::new("vector", Kind::Vector(3), "acceleration of gravity").unit("m/s2")],
    returns: "None",
    modes: Modes::Both,
    doc: "Gravity of all bodies but obstacles; may be called again.",
    run: gravity,
};

fn gravity(session: &mut Session, args: &Args) -> Result<Value, Fault> {
    let domain = session.domain(args.handle("solfec")?)?;
    let series = args.array::<3>("vector")?.map(|g| constant_row(domain, g));
    domain.apply(Op::Gravity { series })?;
    Ok(Value::None)
}

/// Row of the constant series of this value.
fn constant_row(domain: &mut Domain, value: f64) -> u32 {
    let series = Series::constant(value);
    let table = &mut domain.model.series;
    let known = table.iter().position(|s| *s == series);
    known.unwrap_or_else(|| {
        table.push(series);
        table.len() - 1
    }) as u32
}
