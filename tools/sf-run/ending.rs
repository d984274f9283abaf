//! How a live deck ends: results are completed, and the exit code is found.

use solfec::model::StoredOp;
use solfec_formats::model::Provenance;
use solfec_formats::results::{condition_of, Condition, Results};

use super::adapt::check_found;
use super::live::Live;
use super::object::{Domain, Started};
use super::orders::{Order, Restored};
use crate::cli::{CliError, Exit};

impl Live {
    /// The last frame, the record of the run, segments merged, on all processes.
    pub(super) fn complete(&mut self, domain: usize, exit: Exit) -> Result<(), CliError> {
        if self.started(domain).is_none() {
            return Ok(());
        }
        self.orders.give(|| Ok(Order::Complete { domain, exit }))?;
        let completed = self.complete_here(domain, exit);
        self.orders.outcome(completed)
    }

    pub(super) fn complete_here(&mut self, k: usize, exit: Exit) -> Result<(), CliError> {
        let no_error = exit == Exit::Success && self.failure.is_none();
        let Some(Started { job, running, last, unmerged, .. }) = &mut self.domains[k].started else { return Ok(()) };
        job.missed_dumps(&running.simulation, &mut self.process.warnings);
        let provenance = Provenance { deck: self.deck.clone(), ..Provenance::default() };
        let ended = (|| {
            if let Some(frame) = last.take().filter(|_| !self.options.no_final_frame) {
                job.append(0, frame)?;
            }
            let reason = match unmerged.as_deref().unwrap_or("done") {
                "failed" if no_error => "ended in a callback",
                reason => reason,
            };
            job.end_last_run(0, reason)
        })();
        let exit = ended.as_ref().map_or_else(|e: &CliError| e.code, |()| exit);
        ended.and(job.finish(provenance, &self.record, exit, &mut self.process.warnings))
    }

    /// Results whose last RUN was over, but which miss the state at its end, or were not merged.
    pub(super) fn complete_restored(&mut self, k: usize) -> Result<(), CliError> {
        let Domain { directory, from: Some(from), started: None, settled: false, .. } = &self.domains[k] else {
            return Ok(());
        };
        if !from.done || self.options.no_final_frame {
            return Ok(());
        }
        let reader = Results::open_partial(directory)?;
        let shown = reader.frames(0)?.step_count.last() == Some(&from.state.steps);
        if shown && condition_of(directory)? == Condition::Finished {
            return Ok(());
        }
        let file = reader.model()?;
        let program: Vec<StoredOp> = reader.program(0)?.into_iter().take(from.program).map(|(op, _)| op).collect();
        drop(reader);
        self.restore_all(k, file, &program, Restored::Ends { last: !shown })
    }

    /// `--until` and `--duration` cut the RUNs of a deck, but do not extend them: says when the deck ended before.
    pub(super) fn tell_of_the_end(&self) {
        for Domain { directory, started, from, .. } in &self.domains {
            let (time, until) = match (started, from) {
                (Some(started), _) if started.cut => continue,
                (Some(started), _) => (started.running.simulation.time(), started.running.until),
                (None, Some(from)) => (from.state.clock.now, self.options.until_from(from.state.clock.now)),
                (None, None) => continue,
            };
            // Times are sums of steps (docs/conventions.md 10).
            if let Some(until) = until.filter(|until| *until > time + 1e-9 * until.abs()) {
                self.process.note(&format!(
                    "{}: the RUNs of the deck end at t={time:.6}, before the t={until:.6} that was asked for; a deck is \
                     not extended, give its RUN another duration",
                    directory.display()
                ));
            }
        }
    }

    /// How the job ended, when the deck ended with `exit`.
    pub(super) fn verdict(&mut self, exit: Exit) -> Result<(), CliError> {
        if exit != Exit::Success {
            let error = self.error.take().unwrap_or_else(|| CliError::quiet(exit));
            let failure = self.failure.take().filter(|failure| failure.code == exit);
            return Err(failure.map_or(error.clone(), |failure| error.named(failure.name)));
        }
        if let Some(ending) = self.process.supervisor.ending.get() {
            return Err(CliError::quiet(ending.exit()));
        }
        if self.strictly_stopped {
            return Err(CliError::quiet(Exit::Stopped));
        }
        if self.runs == 0 {
            if self.domains.is_empty() {
                self.process.note("the deck makes no SOLFEC object: nothing was computed");
            } else if self.domains.iter().all(|domain| !(domain.reads || domain.goes_on)) {
                self.process.note("the deck has no RUN: nothing was computed");
            }
            return Ok(());
        }
        check_found(&self.options, &self.found)
    }
}
