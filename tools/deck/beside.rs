//! Keeps the deck's Python and the thread that waits for it on one core, while functions of springs are called step by
//! step. Only one of the two works at a time, so nothing is lost; on two cores every answer would wait for an idle core
//! to wake up, which takes longer than the functions (docs/benchmarks.md). A choice of the scheduler, without effect on
//! results. Where it is refused, or not on Linux, nothing happens.

use std::time::{Duration, Instant};

/// Short exchanges in a row before the first that is made on one core.
const SHORT_ONES: u32 = 64;
/// A function that works as long as this gains nothing, and may want other cores for threads of its own.
const LONG: Duration = Duration::from_millis(1);
/// Exchanges between two looks at the number of threads of Python.
const LOOK: u32 = 1024;

/// The process of a deck, and where it may run.
#[derive(Debug)]
pub struct Beside {
    process: u32,
    /// Short exchanges since the last long one.
    short: u32,
    /// While it is confined.
    confined: Option<Confined>,
    /// It starts threads, which would be confined with it: no more of this.
    threads: bool,
}

#[derive(Debug)]
struct Confined {
    /// Where Python and the waiting thread could run.
    before: affinity::Mask,
    waiting: affinity::Mask,
    threads: u64,
}

impl Beside {
    /// Of the Python with this number.
    pub fn new(process: u32) -> Self {
        Beside { process, short: 0, confined: None, threads: false }
    }

    /// An exchange with functions of the deck begins now.
    pub fn begin(&mut self) -> Instant {
        if !self.threads && self.short >= SHORT_ONES {
            self.come();
        }
        Instant::now()
    }

    /// It has ended.
    pub fn end(&mut self, start: Instant) {
        if start.elapsed() < LONG {
            self.short = self.short.wrapping_add(1).max(1);
        } else {
            self.short = 0;
            self.leave();
        }
    }

    /// Both may run wherever they could before. To be called on the thread that waits.
    pub fn leave(&mut self) {
        if let Some(Confined { before, waiting, .. }) = self.confined.take() {
            affinity::set_all(self.process, &before);
            affinity::release(&waiting);
        }
    }

    fn come(&mut self) {
        match &self.confined {
            Some(confined) => {
                if self.short.is_multiple_of(LOOK) && affinity::threads(self.process) > confined.threads {
                    self.threads = true;
                    self.leave();
                }
            }
            None => {
                let threads = affinity::threads(self.process);
                let masks = affinity::confine_with_this_thread(self.process);
                self.confined = masks.map(|[before, waiting]| Confined { before, waiting, threads });
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod affinity {
    use rustix::process::Pid;
    use rustix::thread::{sched_getaffinity, sched_getcpu, sched_setaffinity, CpuSet};

    pub type Mask = CpuSet;

    /// Confines the first thread of a process and this thread to the core of the latter, which else would wake up on
    /// another one; returns where they could run before.
    pub fn confine_with_this_thread(process: u32) -> Option<[Mask; 2]> {
        let thread = pid(process)?;
        let before = [sched_getaffinity(Some(thread)).ok()?, sched_getaffinity(None).ok()?];
        let core = sched_getcpu();
        let mut one = CpuSet::new();
        (core < CpuSet::MAX_CPU).then(|| one.set(core))?;
        sched_setaffinity(Some(thread), &one).ok()?;
        sched_setaffinity(None, &one).ok()?;
        Some(before)
    }

    /// This thread may run there.
    pub fn release(mask: &Mask) {
        let _ = sched_setaffinity(None, mask);
    }

    /// All threads of a process may run there.
    pub fn set_all(process: u32, mask: &Mask) {
        let tasks = std::fs::read_dir(tasks(process)).into_iter().flatten().flatten();
        let threads = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
        for thread in threads.chain([process]).filter_map(pid) {
            // One that has ended meanwhile needs nothing.
            let _ = sched_setaffinity(Some(thread), mask);
        }
    }

    /// Number of threads of a process, 0 where that cannot be known.
    pub fn threads(process: u32) -> u64 {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(tasks(process)).map_or(0, |folder| folder.nlink())
    }

    fn tasks(process: u32) -> String {
        format!("/proc/{process}/task")
    }

    fn pid(id: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(id).ok()?)
    }
}

#[cfg(not(target_os = "linux"))]
mod affinity {
    #[derive(Debug)]
    pub struct Mask;

    pub fn confine_with_this_thread(_process: u32) -> Option<[Mask; 2]> {
        None
    }

    pub fn release(_mask: &Mask) {}

    pub fn set_all(_process: u32, _mask: &Mask) {}

    pub fn threads(_process: u32) -> u64 {
        0
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::process::Pid;
    use rustix::thread::sched_getaffinity;
    use std::process::{Command, Stdio};

    /// On how many cores the first thread of a process may run.
    fn cores(process: u32) -> u32 {
        sched_getaffinity(Pid::from_raw(process as i32)).expect("an affinity").count()
    }

    #[test]
    fn a_process_is_confined_while_exchanges_are_short_and_set_free_again() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().expect("a process that waits");
        let (before, mut beside) = (cores(child.id()), Beside::new(child.id()));
        for _ in 0..SHORT_ONES {
            let start = beside.begin();
            assert_eq!(cores(child.id()), before);
            beside.end(start);
        }
        // A busy machine may make any exchange long.
        let confined = (0..100_000).any(|_| {
            let start = beside.begin();
            let confined = cores(child.id()) == 1;
            beside.end(start);
            confined
        });
        assert!(confined);
        beside.end(Instant::now() - 2 * LONG);
        assert_eq!(cores(child.id()), before, "a long exchange sets it free");
        child.kill().and_then(|()| child.wait()).expect("its end");
    }
}
