//! Puts bodies into the model of a deck, when all that they are made of is there.

use solfec::body::{check_finite_body_in_making, name_of, NewBody};

use super::fault::Fault;
use super::sampling::{Making, Sampling};
use super::session::Session;
use super::value::{Handle, Value};

/// Inserts a body whose row is whole, and empties what it was made of.
///
/// # Errors
/// A base that does not fit the body.
pub fn insert(session: &mut Session, making: Making) -> Result<Value, Fault> {
    let Making { solfec, row, shapes, emptied, place } = making;
    let domain = session.domain(solfec)?;
    if row.reduced().is_some() {
        let bulk = &domain.in_force.bulk;
        check_finite_body_in_making(&NewBody { name: &name_of(&row), row: &row, bulk, shapes: &shapes })?;
    }
    let id = row.id;
    domain.apply(domain.model.new_body(row, shapes))?;
    session.shapes.empty(&emptied, &place)?;
    Ok(Value::Handle(Handle { class: "BODY", key: [solfec.key[0], id] }))
}

/// The same of a body whose material has been sampled.
///
/// # Errors
/// Samples that no body can have, and those of [`insert`].
pub fn insert_sampled(session: &mut Session, sampling: Sampling) -> Result<Value, Fault> {
    let bulk = &session.domain(sampling.solfec())?.in_force.bulk;
    let varies = bulk.get(sampling.material() as usize).is_some_and(|of| of.varying.density.is_some());
    insert(session, sampling.finish(varies)?)
}
