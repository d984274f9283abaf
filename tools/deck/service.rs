//! Performs the calls of a deck that need no answer of its functions, and remembers what the deck has been told.

use serde_json::{json, Value as Json};

use super::deferred::WITHIN;
use super::dispatch::dispatch;
use super::fault::{Fault, FaultKind};
use super::session::Session;
use super::table::Language;
use super::value::Value;

/// What the deck has been told, and what it is still to be told.
#[derive(Default)]
pub struct Told {
    /// The error of a call that was put off. The deck is told with its next call; until then nothing is performed.
    pub late: Option<Json>,
    /// What the deck believes that the next objects will be called.
    pub numbers: Vec<(Option<usize>, u64)>,
}

/// Whom calls of a deck go to.
pub struct Service<'a, 's> {
    pub language: &'a Language,
    pub session: &'a mut Session<'s>,
    pub hear: &'a mut dyn FnMut(&str, &str),
    pub told: &'a mut Told,
}

impl Service<'_, '_> {
    /// Performs a call, and what the engine has left to do.
    ///
    /// # Errors
    /// The fault of the call.
    pub fn perform(&mut self, json: &Json, raw: &[u8]) -> Result<Value, Fault> {
        let answer = dispatch(self.language, self.session, json, raw);
        self.pass_remarks();
        let answer = answer?;
        self.session.perform()?;
        Ok(answer)
    }

    /// Performs a call for which the deck does not wait; the last entry of it is what the deck calls the object it
    /// makes.
    pub fn call_later(&mut self, json: &Json, raw: &[u8]) {
        if let Some([class, first, second]) = json.get(6).and_then(Json::as_array).map(Vec::as_slice) {
            let (first, second) = (first.as_u64().unwrap_or(0), second.as_u64().unwrap_or(0));
            let within = class.as_str().is_some_and(|class| WITHIN.contains(&class));
            let (place, number) = if within { (Some(first as usize), second) } else { (None, first) };
            if let Some(known) = self.told.numbers.iter_mut().rev().find(|known| known.0 == place) {
                known.1 = number + 1;
            }
        }
        if self.told.late.is_some() {
            return;
        }
        let answer = self.perform(json, raw).and_then(|answer| match (answer, json.get(6)) {
            (Value::Handle(made), Some(believed @ Json::Array(_)))
                if json!([made.class, made.key[0], made.key[1]]) != *believed =>
            {
                Err(Fault::runtime(format!(
                    "made {made:?} instead of {believed}: a bug of this program; run it with sf-build, then its model \
                     with sf-run"
                )))
            }
            _ => Ok(()),
        });
        self.told.late = answer.err().map(|fault| error(self.session, &fault));
    }

    /// Passes remarks on.
    pub fn pass_remarks(&mut self) {
        for remark in self.session.remarks.drain(..) {
            (self.hear)(remark.kind, &remark.text);
        }
    }
}

/// A fault of the command at work as the deck is told.
pub fn error(session: &mut Session, fault: &Fault) -> Json {
    let text = format!("{}: {}: {}", session.place, session.command, fault.text);
    if fault.kind == FaultKind::Live {
        session.needs_live.get_or_insert(text.clone());
    }
    json!({"type": fault.kind.exception(), "text": text})
}
