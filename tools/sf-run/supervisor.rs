//! Asked once a step: whether steps go on, or something is to be done before.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::cli::{CliError, Exit};
use signal_hook::consts::SIGINT;

use super::options::Options;
use super::ranks::Ranks;
use super::signals::Signals;

/// The file STOP is looked for this often.
const LOOK: Duration = Duration::from_secs(1);
/// Automatic checkpoints: at least this long after the last …
const SHORTEST: Duration = Duration::from_secs(2);
/// … this part of the elapsed time …
const PART: f64 = 0.05;
/// … and so many times what the last one cost; but at the latest after this.
const COST: u32 = 50;
const LONGEST: Duration = Duration::from_secs(600);

/// Why a job ends before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A file STOP.
    Stop,
    /// `--max-wall`.
    MaxWall,
    Signal(u8),
    /// A signal, with `--requeue`.
    Requeue,
}

impl Ending {
    /// What a signal asks for.
    pub fn of_signal(signal: i32, requeue: bool) -> Ending {
        if requeue && signal != SIGINT {
            Ending::Requeue
        } else {
            Ending::Signal(signal as u8)
        }
    }

    pub fn exit(self) -> Exit {
        match self {
            Ending::Stop | Ending::MaxWall => Exit::Stopped,
            Ending::Signal(signal) => Exit::Signal(signal),
            Ending::Requeue => Exit::Requeue,
        }
    }

    /// For people and for `runs/reason` of the results.
    pub fn reason(self) -> String {
        match self {
            Ending::Stop => "STOP".into(),
            Ending::MaxWall => "--max-wall".into(),
            Ending::Signal(signal) => format!("signal {signal}"),
            Ending::Requeue => "--requeue".into(),
        }
    }

    /// Whether code of a deck may go on after the RUN.
    pub fn spares_the_deck(self) -> bool {
        self == Ending::Stop
    }
}

/// What is to be done before the next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    GoOn,
    Frame,
    Checkpoint,
    /// A checkpoint, and no further step.
    End(Ending),
}

/// One for the whole process.
pub struct Supervisor {
    pub signals: Signals,
    started: Instant,
    max_wall: Option<Duration>,
    requeue: bool,
    /// Time between checkpoints that was asked for.
    every: Option<Duration>,
    saved: Instant,
    cost: Duration,
    looked: Option<Instant>,
    /// This process does what another one tells it, which looks after the signals.
    follows: bool,
    /// Why the job ends; once there it stays.
    pub ending: Rc<Cell<Option<Ending>>>,
}

impl Supervisor {
    pub fn new(options: &Options, signals: Signals) -> Supervisor {
        let now = Instant::now();
        Supervisor {
            signals,
            started: now,
            max_wall: options.max_wall,
            requeue: options.requeue,
            every: options.checkpoint_every,
            saved: now,
            cost: Duration::ZERO,
            looked: None,
            follows: false,
            ending: Rc::default(),
        }
    }

    /// From now on signals to this process end nothing: another one tells it what to do.
    pub fn follow(&mut self) {
        self.follows = true;
        self.signals.busy(true);
    }

    /// Steps are made from now on, or no longer. False: a signal came that no run will see any more.
    pub fn at_work(&mut self, at_work: bool) {
        if self.follows {
            return;
        }
        self.signals.busy(at_work);
        if at_work {
            self.looked = None;
        } else if let (None, Some(signal)) = (self.ending.get(), self.signals.end()) {
            self.ending.set(Some(Ending::of_signal(signal, self.requeue)));
        }
    }

    /// What comes before the next step of the job in this directory, `now`.
    /// The first of several processes asks, for all.
    pub fn order(&mut self, directory: &Path, now: Instant, ranks: &Ranks) -> Result<Order, CliError> {
        let own = if ranks.first() { self.own_order(directory, now)? } else { Order::GoOn };
        let order = decoded(ranks.of_first(code(own)));
        if let Order::End(ending) = order {
            self.ending.set(Some(ending));
        }
        Ok(order)
    }

    fn own_order(&mut self, directory: &Path, now: Instant) -> Result<Order, CliError> {
        if let Some(ending) = self.ending.get() {
            return Ok(Order::End(ending));
        }
        if let Some(signal) = self.signals.end() {
            return Ok(self.end(Ending::of_signal(signal, self.requeue)));
        }
        if self.looked.is_none_or(|looked| now - looked >= LOOK) {
            self.looked = Some(now);
            let stop = directory.join("STOP");
            if stop.exists() {
                std::fs::rename(&stop, directory.join("STOP.done")).map_err(|e| CliError::file(&stop, "rename", &e))?;
                return Ok(self.end(Ending::Stop));
            }
        }
        if self.max_wall.is_some_and(|wall| now - self.started >= wall) {
            return Ok(self.end(Ending::MaxWall));
        }
        if self.signals.frame() {
            return Ok(Order::Frame);
        }
        if self.signals.checkpoint() || now - self.saved >= self.interval(now) {
            return Ok(Order::Checkpoint);
        }
        Ok(Order::GoOn)
    }

    fn end(&self, ending: Ending) -> Order {
        self.ending.set(Some(ending));
        Order::End(ending)
    }

    /// Time between checkpoints.
    fn interval(&self, now: Instant) -> Duration {
        let elapsed = now - self.started;
        self.every.unwrap_or_else(|| SHORTEST.max(elapsed.mul_f64(PART)).max(self.cost * COST).min(LONGEST))
    }

    /// A checkpoint has been written.
    pub fn saved(&mut self, cost: Duration) {
        (self.saved, self.cost) = (Instant::now(), cost);
    }
}

/// Codes of signals begin here.
const SIGNALS: u32 = 16;

/// An order as the number that the first process tells the others.
fn code(order: Order) -> u32 {
    match order {
        Order::GoOn => 0,
        Order::Frame => 1,
        Order::Checkpoint => 2,
        Order::End(Ending::Stop) => 3,
        Order::End(Ending::MaxWall) => 4,
        Order::End(Ending::Requeue) => 5,
        Order::End(Ending::Signal(signal)) => SIGNALS + u32::from(signal),
    }
}

/// The order of this number.
fn decoded(code: u32) -> Order {
    match code {
        1 => Order::Frame,
        2 => Order::Checkpoint,
        3 => Order::End(Ending::Stop),
        4 => Order::End(Ending::MaxWall),
        5 => Order::End(Ending::Requeue),
        signal if signal >= SIGNALS => Order::End(Ending::Signal((signal - SIGNALS) as u8)),
        _ => Order::GoOn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_survive_as_numbers() {
        let endings = [Ending::Stop, Ending::MaxWall, Ending::Requeue, Ending::Signal(2), Ending::Signal(15)];
        let orders = endings.map(Order::End).into_iter().chain([Order::GoOn, Order::Frame, Order::Checkpoint]);
        orders.for_each(|own| assert_eq!(decoded(code(own)), own));
    }
}
