//! Signals: a thread notes what was asked for, the loop of a run looks at the notes.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering::SeqCst};
use std::sync::Arc;

use rustix::process::{kill_process, Pid, Signal};
use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator;
use signal_hook::low_level;

use crate::cli::ignored;

/// What a launcher of several processes gets for SIGTERM and SIGINT, and passes on.
pub const END: i32 = SIGALRM;

/// What asks a deck's Python for the end (`END` of the prelude). It passes over what a terminal or a batch system sends
/// to all processes of a group: only this process knows whether a run is at work.
const END_OF_DECK: Signal = Signal::VTALARM;

/// What signals have asked for.
#[derive(Debug, Default)]
struct Notes {
    /// The signal that asked for the end, 0: none.
    end: AtomicI32,
    checkpoint: AtomicBool,
    frame: AtomicBool,
    /// A run looks at the notes, or results are being completed.
    busy: AtomicBool,
    /// The Python of a deck, 0: none.
    child: Arc<AtomicU32>,
}

/// The notes of this process.
#[derive(Debug, Clone)]
pub struct Signals(Arc<Notes>);

impl Signals {
    /// Begins to listen. `child` is the process of a deck's Python. With `requeue` SIGUSR1 asks for the end too.
    pub fn listen(child: Arc<AtomicU32>, requeue: bool) -> io::Result<Signals> {
        let notes = Arc::new(Notes { child, ..Notes::default() });
        let mut signals = iterator::Signals::new([SIGINT, SIGTERM, SIGUSR1, SIGUSR2, END])?;
        if !ignored(SIGHUP) {
            signals.add_signal(SIGHUP)?;
        }
        let shared = Arc::clone(&notes);
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                match signal {
                    SIGUSR1 if !requeue => shared.checkpoint.store(true, SeqCst),
                    END => shared.end(SIGTERM),
                    SIGUSR2 => shared.frame.store(true, SeqCst),
                    signal => shared.end(signal),
                }
            }
        })?;
        Ok(Signals(notes))
    }

    /// Says whether a run looks at the notes.
    pub fn busy(&self, busy: bool) {
        self.0.busy.store(busy, SeqCst);
    }

    /// The signal that asked for the end.
    pub fn end(&self) -> Option<i32> {
        Some(self.0.end.load(SeqCst)).filter(|&signal| signal != 0)
    }

    /// Whether a checkpoint was asked for since the last question.
    pub fn checkpoint(&self) -> bool {
        self.0.checkpoint.load(SeqCst) && self.0.checkpoint.swap(false, SeqCst)
    }

    /// Whether a frame was asked for since the last question.
    pub fn frame(&self) -> bool {
        self.0.frame.load(SeqCst) && self.0.frame.swap(false, SeqCst)
    }
}

impl Notes {
    /// The end is asked for: a run will see it; between runs the deck's Python is told. A second SIGINT ends at once.
    fn end(&self, signal: i32) {
        let before = self.end.swap(signal, SeqCst);
        if before != 0 && signal != SIGINT {
            self.end.store(before, SeqCst);
            return;
        }
        let abort = before != 0;
        if abort || !self.busy.load(SeqCst) {
            let child = self.child.load(SeqCst);
            if let Some(child) = i32::try_from(child).ok().and_then(Pid::from_raw) {
                let _ = kill_process(child, if abort { Signal::KILL } else { END_OF_DECK });
            }
            if abort || child == 0 {
                low_level::exit(128 + signal);
            }
        }
    }
}
