//! What the process that runs a deck or plays a model tells the others to do with their parts of it, and how all of them
//! learn that one has failed. With one process nothing is sent.

use std::path::PathBuf;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use solfec::model::{Brought, Model, Op, StoredOp};
use solfec_formats::model::{ModelFile, Provenance};

use super::ranks::Ranks;
use crate::cli::{print_error, CliError, Exit};
use crate::deck::query::Query;

/// How long a process that has failed waits for the others to say the same, before it ends all.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What is done by all processes, each with its part. `domain` is the number of a SOLFEC object; stored operations are
/// JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Order {
    /// A recorded model is played; its results go on if they are to, from the checkpoint of this number if there is one.
    Play {
        directory: PathBuf,
        heads: Vec<Head>,
        goes_on: bool,
        from: Option<u64>,
    },
    /// An object has been made; its results go on if they are to, as those of a model.
    Open {
        domain: usize,
        name: String,
        directory: PathBuf,
        goes_on: bool,
        from: Option<u64>,
    },
    /// Its first RUN is about to begin.
    Start {
        domain: usize,
        heads: Vec<Head>,
    },
    /// The state of the checkpoint comes back, to go on, or to store what is missing of it.
    Restore {
        domain: usize,
        heads: Vec<Head>,
        program: String,
        done: Restored,
    },
    Apply {
        domain: usize,
        op: Sent,
    },
    Begin {
        domain: usize,
        run: String,
        resume: bool,
        grow: bool,
    },
    /// Steps are made; nodes of some bodies are looked at meanwhile.
    Advance {
        domain: usize,
        looks: Vec<u64>,
    },
    Stop {
        domain: usize,
    },
    GoOn {
        domain: usize,
    },
    Abandon {
        domain: usize,
    },
    Ask {
        domain: usize,
        query: Query,
    },
    /// Results are completed; the code with which the job ends.
    Complete {
        domain: usize,
        exit: Exit,
    },
    Release {
        domain: usize,
    },
    /// The deck has ended, or the model has been played.
    Leave {
        exit: Exit,
    },
}

/// What of restored results is still to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Restored {
    /// The deck goes on.
    GoesOn,
    /// Nothing but the end; whether the last state is to be stored.
    Ends { last: bool },
}

/// An operation under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// JSON of its stored form, which definitions do not have.
    stored: Option<String>,
    brought: Brought,
}

impl Sent {
    pub fn of(op: &Op) -> Result<Sent, CliError> {
        let stored = op.stored().map(|stored| text(&stored)).transpose()?;
        Ok(Sent { stored, brought: op.brought() })
    }

    pub fn op(self) -> Result<Op, CliError> {
        let stored = self.stored.as_deref().map(parsed::<StoredOp>).transpose()?;
        Ok(Op::of_parts(stored, self.brought)?)
    }
}

/// JSON of operations.
pub fn text(ops: &(impl Serialize + ?Sized)) -> Result<String, CliError> {
    serde_json::to_string(ops).map_err(|error| garbled(&error))
}

/// What [`text`] has written.
pub fn parsed<T: for<'de> Deserialize<'de>>(text: &str) -> Result<T, CliError> {
    serde_json::from_str(text).map_err(|error| garbled(&error))
}

/// A model under way: all but its rows, which simulations deal out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// [`Model`] without its program.
    model: Vec<u8>,
    program: String,
}

/// The heads of all models of a file.
pub fn heads_of(file: &ModelFile) -> Result<Vec<Head>, CliError> {
    let head = |model: &Model| {
        let program = text(&model.program)?;
        Ok(Head { model: postcard::to_stdvec(model).map_err(|error| garbled(&error))?, program })
    };
    file.domains.iter().map(head).collect()
}

/// The models of these heads. The first process alone tells where they come from.
pub fn models_of(heads: Vec<Head>) -> Result<ModelFile, CliError> {
    let model = |head: Head| {
        let mut model: Model = postcard::from_bytes(&head.model).map_err(|error| garbled(&error))?;
        model.program = parsed(&head.program)?;
        Ok(model)
    };
    let domains = heads.into_iter().map(model).collect::<Result<_, CliError>>()?;
    Ok(ModelFile { domains, provenance: Provenance::default() })
}

fn garbled(error: &dyn std::fmt::Display) -> CliError {
    let text = format!("a message between processes is garbled ({error}); do all run the same version?");
    CliError::new(Exit::Internal, text)
}

/// An error of one process as the others are told it.
#[derive(Debug, Serialize, Deserialize)]
struct Failed {
    code: Exit,
    text: String,
}

impl Failed {
    fn of(error: &CliError) -> Failed {
        Failed { code: error.code, text: error.text.clone() }
    }

    fn error(self) -> CliError {
        CliError::new(self.code, self.text)
    }
}

/// The way from the first process to the others.
#[derive(Clone)]
pub struct Orders(Ranks);

impl Orders {
    pub fn new(ranks: &Ranks) -> Orders {
        Orders(ranks.clone())
    }

    /// Whether there is nobody to tell.
    pub fn alone(&self) -> bool {
        self.0.count() == 1
    }

    /// Tells the others.
    pub fn give(&self, order: impl FnOnce() -> Result<Order, CliError>) -> Result<(), CliError> {
        if self.alone() {
            return Ok(());
        }
        let bytes = postcard::to_stdvec(&order()?).map_err(|error| garbled(&error))?;
        self.0.send_to_others(&bytes);
        Ok(())
    }

    /// The next order of the first process.
    pub fn next(&self) -> Result<Order, CliError> {
        postcard::from_bytes(&self.0.from_first()).map_err(|error| garbled(&error))
    }

    /// The first process makes a value and a message; the others make theirs from the message. An error of the first is
    /// one of all.
    pub fn first_then_others<T>(
        &self,
        first: impl FnOnce() -> Result<(T, Vec<u8>), CliError>,
        others: impl FnOnce(Vec<u8>) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        if !self.0.first() {
            let told: Result<Vec<u8>, Failed> =
                postcard::from_bytes(&self.0.from_first()).map_err(|error| garbled(&error))?;
            return told.map_err(Failed::error).and_then(others);
        }
        let (made, told) = match first() {
            Ok((made, told)) => (Ok(made), Ok(told)),
            Err(error) => (Err(error.clone()), Err(Failed::of(&error))),
        };
        if !self.alone() {
            self.0.send_to_others(&postcard::to_stdvec(&told).map_err(|error| garbled(&error))?);
        }
        made
    }

    /// What has come of an order: on the first process an error of any of them. A process that alone has an error ends all
    /// of them, because the others wait for it in the middle of something.
    pub fn outcome<T>(&self, own: Result<T, CliError>) -> Result<T, CliError> {
        if self.alone() {
            return own;
        }
        let patience = own.as_ref().err().map(Patience::begin);
        let failed = own.as_ref().err().map(Failed::of);
        let bytes = postcard::to_stdvec(&failed).map_err(|error| garbled(&error))?;
        let mut others: Vec<Failed> = Vec::new();
        for bytes in self.0.to_first_and_back(&bytes) {
            others.extend(postcard::from_bytes::<Option<Failed>>(&bytes).map_err(|error| garbled(&error))?);
        }
        drop(patience);
        let other = others.into_iter().next().map(Failed::error);
        own.and_then(|own| other.map_or(Ok(own), Err))
    }
}

/// A process that has failed waits for the others. When this is not dropped in time, it tells the error and ends.
struct Patience {
    _kept: Sender<()>,
}

impl Patience {
    fn begin(error: &CliError) -> Patience {
        let (kept, over) = channel();
        let error = error.clone();
        std::thread::spawn(move || {
            if over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                print_error("sf-run", &error.text);
                std::process::exit(error.code.code().into());
            }
        });
        Patience { _kept: kept }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use solfec::comm::InProcess;
    use solfec::load::Series;
    use solfec::model::{Analysis, Definition, Insertion, LoadKind, LoadRow};

    use super::*;

    /// What each process of a world comes to.
    fn on_all<T: Send>(size: usize, process: impl Fn(Orders, usize) -> T + Sync) -> Vec<T> {
        std::thread::scope(|scope| {
            let start = |(rank, comm): (usize, InProcess)| {
                let process = &process;
                scope.spawn(move || process(Orders::new(&Ranks::new(Arc::new(comm))), rank))
            };
            let threads: Vec<_> = InProcess::world(size).into_iter().enumerate().map(start).collect();
            threads.into_iter().map(|thread| thread.join().expect("a process ends")).collect()
        })
    }

    #[test]
    fn operations_reach_the_other_processes_as_they_are() {
        let load = LoadRow { kind: LoadKind::Function { function: 3 }, body: 7, line: 9 };
        let series = Series::new("s", vec![0.0, 0.1], vec![1.0 / 3.0, f64::MIN_POSITIVE]).expect("a series");
        let ops = [
            Op::InsertLoads(Insertion::one(4, load)),
            Op::Define(Definition::Series { row: 2, series }),
            Op::UnphysicalPenetration { depth: f64::INFINITY },
            Op::InitialVelocity { body: 3, linear: [0.1, 1.0 / 3.0, -0.0], angular: [1e-300, 2.0, 3.0] },
        ];
        let heard = on_all(3, |orders, rank| {
            let hear = |op: &Op| {
                if rank == 0 {
                    orders.give(|| Ok(Order::Apply { domain: 1, op: Sent::of(op)? })).map(|()| op.clone())
                } else if let Order::Apply { domain: 1, op } = orders.next()? {
                    op.op()
                } else {
                    Err(CliError::bad_input("another order"))
                }
            };
            ops.iter().map(hear).collect::<Result<Vec<Op>, CliError>>()
        });
        assert!(heard.iter().all(|heard| heard.as_deref() == Ok(&ops[..])), "{heard:?}");
    }

    #[test]
    fn an_error_of_any_process_is_one_of_the_first() {
        let full = || CliError::new(Exit::Io, "the disk of process 2 is full");
        let came = on_all(4, |orders, rank| orders.outcome(if rank == 2 { Err(full()) } else { Ok(rank) }));
        assert_eq!(came, [Err(full()), Ok(1), Err(full()), Ok(3)]);
        let own = on_all(3, |orders, rank| {
            orders.outcome(if rank == 1 { Ok(()) } else { Err(CliError::bad_input(format!("{rank}"))) })
        });
        assert_eq!(own[0], Err(CliError::bad_input("0")), "its own comes first");
    }

    #[test]
    fn models_arrive_without_their_rows() {
        let mut model = Model::new(Analysis::QuasiStatic, 1e-3, "out/a");
        (model.settings.gravity, model.compat) = (Some([0, 0, 0]), vec!["sparsify".into()]);
        model.series.push(Series::constant(-9.81));
        model.program.push(Op::Output { interval: f64::INFINITY, compress: 1, single: false });
        let head = model.clone();
        let kind = LoadKind::Function { function: 0 };
        model.loads.push(LoadRow { kind, body: 1, line: 0 });
        let file =
            ModelFile { domains: vec![model], provenance: Provenance { deck: "a".into(), ..Provenance::default() } };
        let arrived = heads_of(&file).and_then(models_of);
        assert_eq!(arrived, Ok(ModelFile { domains: vec![head], provenance: Provenance::default() }));
    }

    #[test]
    fn an_error_of_the_first_process_comes_to_those_that_wait_for_what_it_makes() {
        let full = || CliError::new(Exit::Io, "the disk is full");
        for fails in [false, true] {
            let first = || if fails { Err(full()) } else { Ok((7, vec![1, 2])) };
            let came = on_all(3, |orders, _| orders.first_then_others(first, |told| Ok(told.len())));
            assert_eq!(came, if fails { vec![Err(full()); 3] } else { vec![Ok(7), Ok(2), Ok(2)] });
        }
    }
}
