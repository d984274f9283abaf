//! A deck that does again what stored results hold: in READ mode, and up to the checkpoint of results that go on.

use solfec::model::{Op, Solver, StoredOp};

use super::deferred::WITHIN;
use super::domain::{Deleted, Mode};
use super::fault::{Fault, FaultKind};
use super::known_functions;
use super::matching::{self, Rows};
use super::objects::Objects;
use super::session::{Replayed, Session};
use super::stored::Stored;
use super::value::Handle;
use super::values::{solver_difference, Comparison};

impl Session<'_> {
    /// A RUN in READ mode: the tables of the deck move to its end.
    pub(super) fn read_run(&mut self, handle: Handle, solver: Solver, duration: f64) -> Result<(), Fault> {
        self.compare(handle, true)?;
        if let Some(text) = self.run_difference(handle, Op::Run { duration, solver })? {
            let own = self.split().0.domains.get(handle.key[0] as usize).is_some_and(|domain| match &domain.mode {
                Mode::Reads { stored, .. } => stored.of_this_deck,
                Mode::Records | Mode::Runs { .. } | Mode::Continues { .. } => false,
            });
            let remedy = if own { "for a run of its own give it another path" } else { "-w runs again" };
            self.warn("read", &format!("{text}: the stored run is read; {remedy}"));
        }
        let Objects { domains, series, .. } = self.split().0;
        let Some(domain) = domains.get_mut(handle.key[0] as usize) else { return Ok(()) };
        let Mode::Reads { stored, matched } = &mut domain.mode else { return Ok(()) };
        matched.runs += 1;
        let model = matching::prefix(&domain.model, stored, stored.run_end(matched.runs))?;
        domain.become_model(model, series)?;
        // who is there is what the frame says
        domain.deleted = Deleted::default();
        Ok(())
    }

    /// A RUN of results that go on.
    pub(super) fn replay_run(&mut self, handle: Handle, run: Op, duration: f64) -> Result<Replayed, Fault> {
        let k = handle.key[0] as usize;
        let domain = self.domain(handle)?;
        let Mode::Continues { from, .. } = &domain.mode else { return Ok(Replayed::New) };
        if from.runs == 0 {
            // no checkpoint: everything begins again
            domain.mode = Mode::Runs { restarted: false };
            domain.apply(run)?;
            return Ok(Replayed::New);
        }
        let asked = run.stored().ok_or_else(|| Fault::runtime("RUN is not stored"))?;
        domain.apply(run)?;
        let Mode::Continues { from, matched } = &mut domain.mode else { return Ok(Replayed::New) };
        let number = matched.runs + 1;
        known_functions::pair_functions(&domain.model, &from.stored, matched, number);
        self.compare(handle, true)?;
        if let Some(text) = self.run_difference(handle, asked)? {
            let text = format!("{text}; results go on as they began: run with -w instead of -c to begin again");
            return Err(Fault::value(text));
        }
        let Objects { domains, series, .. } = self.split().0;
        let Some(domain) = domains.get_mut(k) else { return Ok(Replayed::New) };
        let Mode::Continues { from, matched } = &mut domain.mode else { return Ok(Replayed::New) };
        matched.runs = number;
        let last = number == from.runs;
        let resumed = last && (!from.done || longer(duration, &from.stored, number));
        let end = if last { from.program } else { from.stored.run_end(number) };
        let mut model = matching::prefix(&domain.model, &from.stored, end)?;
        let mut program: Vec<StoredOp> = from.stored.program[..end].iter().map(|(op, _)| op.clone()).collect();
        known_functions::rename(&mut model, &mut program, &domain.model.functions, matched)?;
        if resumed {
            // The deck may ask for a longer RUN than the one that is stored.
            let run = model.program.iter_mut().rev().find(|op| matches!(op, Op::Run { .. }));
            if let Some(Op::Run { duration: stored, .. }) = run {
                *stored = duration;
            }
        }
        if last {
            from.renamed = program;
        }
        if let Some(frame) = from.stored.last_of_run(number) {
            from.stored.show(frame)?;
        }
        domain.become_model(model, series)?;
        if !resumed {
            return Ok(Replayed::Skipped);
        }
        self.restore(k)?;
        Ok(Replayed::Resumed)
    }

    /// Whether all that was done at the checkpoint has been done again, and was over.
    fn over(&self, k: usize) -> bool {
        if let Some(Mode::Continues { from, matched }) = self.domains.get(k).map(|domain| &domain.mode) {
            return from.done && matched.runs == from.runs;
        }
        false
    }

    /// The state of the checkpoint comes back.
    fn restore(&mut self, k: usize) -> Result<(), Fault> {
        let (objects, engine) = self.split();
        let (Some(domain), Some(engine)) = (objects.domains.get_mut(k), engine) else { return Ok(()) };
        let restarted = Mode::Runs { restarted: domain.restarted() };
        let Mode::Continues { from, .. } = std::mem::replace(&mut domain.mode, restarted) else { return Ok(()) };
        engine.restore(k, &domain.model, &from.renamed)
    }

    /// The state of the checkpoint comes back once the deck does more than what was over by then.
    pub(super) fn awaken(&mut self, of: Handle) -> Result<(), Fault> {
        let k = of.key[0] as usize;
        if WITHIN.contains(&of.class) && self.over(k) {
            return self.restore(k);
        }
        Ok(())
    }

    /// The same of all SOLFEC objects.
    pub fn awaken_all(&mut self) -> Result<(), Fault> {
        let all: Vec<usize> = (0..self.domains.len()).filter(|k| self.over(*k)).collect();
        all.into_iter().try_for_each(|k| self.restore(k))
    }

    /// Compares what the deck has made since the last time with what is stored; at a RUN their numbers too.
    pub(super) fn compare(&mut self, of: Handle, at_run: bool) -> Result<(), Fault> {
        let force = self.environment.force_read;
        // The SOLFEC objects of a script stand for the results whatever they are made with.
        let script = self.reader.is_some();
        let domain = self.domain(of)?;
        let strictly = domain.continuation().is_some();
        let states_default = domain.states_default;
        let (stored, matched): (&Stored, _) = match &mut domain.mode {
            Mode::Reads { stored, matched } => (stored, matched),
            Mode::Continues { from, matched } => (&from.stored, matched),
            Mode::Records | Mode::Runs { .. } => return Ok(()),
        };
        let run = matched.runs + 1;
        let wanted = stored.run_op(run).filter(|_| at_run).map(|at| Rows::after(stored, at));
        let (from, model) = (matched.rows, &domain.model);
        let (start, states) = (matched.runs == 0 && !script, !matched.states_elsewhere);
        let values = Comparison { deck: model, stored: &stored.model, from, start, states, states_default, strictly };
        let found = matching::difference(model, &stored.model, from, wanted, strictly).or_else(|| values.difference());
        let (directory, of_this_deck) = (stored.results.dir().display().to_string(), stored.of_this_deck);
        matched.rows = Rows::of(&domain.model);
        let Some(text) = found else { return Ok(()) };
        let place = if at_run { format!("at RUN {run}: ") } else { String::new() };
        let text = format!("the deck does not make the model of the results in {directory}: {place}{text}");
        if force && !strictly {
            self.warn("read", &text);
            return Ok(());
        }
        if strictly {
            return Err(Fault::value(format!("{text}; run with -w instead of -c to begin again")));
        }
        let remedy = if of_this_deck {
            "another SOLFEC object of this deck has written them: give each a path of its own"
        } else {
            "run with -w to replace the results, or read them all the same with --force-read"
        };
        Err(Fault::new(FaultKind::System, format!("{text}; {remedy}")))
    }

    /// How the next RUN, and the OUTPUT that the deck has given for it, differ from the stored ones.
    fn run_difference(&mut self, of: Handle, asked: StoredOp) -> Result<Option<String>, Fault> {
        let (objects, engine) = self.split();
        let (Some(domain), Some(engine)) = (objects.domains.get(of.key[0] as usize), engine) else { return Ok(None) };
        let (stored, matched, last): (&Stored, _, _) = match &domain.mode {
            Mode::Reads { stored, matched } => (stored, matched, None),
            Mode::Continues { from, matched } => (&from.stored, matched, Some(from.runs)),
            Mode::Records | Mode::Runs { .. } => return Ok(None),
        };
        let number = matched.runs + 1;
        let Some(at) = stored.run_op(number) else {
            let all = stored.program.iter().filter(|(op, _)| matches!(op, Op::Run { .. })).count();
            return Ok(Some(format!("RUN {number} is not among the {all} stored ones")));
        };
        let longer = last == Some(number);
        if let Some(text) = differs(&engine.as_stored(asked)?, &stored.program[at].0, longer) {
            return Ok(Some(format!("RUN {number} {text}")));
        }
        let made = domain.model.program.get(matched.program..).unwrap_or_default();
        let output = made.iter().rev().find(|op| matches!(op, Op::Output { .. }));
        let before = stored.program[..at].iter().map(|(op, _)| op).rev().find(|op| matches!(op, Op::Output { .. }));
        let (Some(output), Some(before)) = (output, before) else { return Ok(None) };
        let text = differs(&engine.as_stored(output.clone())?, before, false);
        Ok(text.map(|text| format!("OUTPUT before RUN {number} {text}")))
    }
}

/// How an operation differs from the stored one; `longer`: it may last longer.
fn differs(asked: &StoredOp, stored: &StoredOp, longer: bool) -> Option<String> {
    match (asked, stored) {
        (Op::Run { duration: ours, solver: a }, Op::Run { duration: theirs, solver: b }) => {
            let other = if longer { ours < theirs } else { ours != theirs };
            let duration = other.then(|| format!("lasts {ours} s, stored is {theirs} s"));
            duration.or_else(|| solver_difference(a, b))
        }
        (Op::Output { interval: ours, .. }, Op::Output { interval: theirs, .. }) => {
            (ours != theirs).then(|| format!("has interval {ours} s, stored is {theirs} s"))
        }
        _ => None,
    }
}

/// Whether a RUN is longer than the stored one.
fn longer(duration: f64, stored: &Stored, number: u32) -> bool {
    let known = stored.run_op(number).map(|at| &stored.program[at].0);
    matches!(known, Some(Op::Run { duration: then, .. }) if duration > *then)
}
