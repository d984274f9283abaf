//! SICONOS_SOLVER: the real Siconos, loaded at run time from the system's libsiconos_numerics.
//!
//! The library keeps global state, prints, and may end its process. So a child process runs it: [`Siconos`] is the
//! parent's side, [`child`] the other, `wire` what they say, `loader` the library. See docs/siconos.md.

mod child;
mod loader;
mod wire;

use std::io::{self, BufReader};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use solfec::dynamics::BlockSparse;
use solfec::math::Vec3;
use solfec::model::{self, SolverSettings};
use solfec::solver::{ContactProblem, ContactSolution, External};

pub use child::or_tool;
pub use wire::{Problem, Settings};

use crate::cli::{CliError, Exit};
use wire::{receive_reply, send_request, Reply};

/// Nonlinear Gauss–Seidel, what SICONOS_SOLVER uses.
pub const NSGS: u32 = 500;

impl Default for Settings {
    fn default() -> Self {
        Settings::from(&model::Siconos::default())
    }
}

impl From<&model::Siconos> for Settings {
    fn from(deck: &model::Siconos) -> Self {
        let model::Siconos { epsilon, maxiter, verbose } = *deck;
        Settings { solver: NSGS, tolerance: epsilon, max_iterations: maxiter, verbose }
    }
}

/// A running Siconos. It takes any number of problems one after another and ends with its value.
pub struct Siconos {
    child: Child,
    socket: UnixStream,
}

impl Siconos {
    /// Starts it.
    ///
    /// # Errors
    /// [`Exit::Io`] with the name of the package when the library is missing or cannot be used.
    pub fn start() -> Result<Self, CliError> {
        let tool = std::env::current_exe().map_err(|error| failed(&format!("cannot find this program: {error}")))?;
        Self::start_in(&tool)
    }

    /// Starts it in a process of `tool`, any of the Solfec tools.
    ///
    /// # Errors
    /// As [`Siconos::start`].
    pub fn start_in(tool: &Path) -> Result<Self, CliError> {
        let cannot = |error: io::Error| failed(&format!("cannot start its process: {error}"));
        let (socket, theirs) = UnixStream::pair().map_err(cannot)?;
        let talk = io::stderr().as_fd().try_clone_to_owned().map_or_else(|_| Stdio::null(), Stdio::from);
        let child = Command::new(tool)
            .arg(child::ARGUMENT)
            .stdin(OwnedFd::from(theirs))
            .stdout(talk)
            .env("OPENBLAS_NUM_THREADS", "1")
            .process_group(0) // an interrupt from the terminal is for the parent, which ends in order
            .spawn()
            .map_err(cannot)?;
        let mut siconos = Siconos { child, socket };
        match siconos.reply()? {
            Reply::Ready => Ok(siconos),
            Reply::Refused(text) => Err(CliError::new(Exit::Io, format!("SICONOS_SOLVER: {text}"))),
            Reply::Solved(_) => Err(failed("its process is out of step")),
        }
    }

    /// Process number of the child.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Solves one problem from its guess, as it is.
    ///
    /// # Errors
    /// When Siconos takes no such problem, or when its process ends: the text says how.
    pub fn solve(&mut self, problem: &ContactProblem, settings: &Settings) -> Result<ContactSolution, CliError> {
        if problem.q.is_empty() {
            return Ok(ContactSolution { converged: true, ..ContactSolution::default() });
        }
        if send_request(&mut &self.socket, &export(problem), settings).is_err() {
            return Err(self.death());
        }
        match self.reply()? {
            Reply::Solved(solved) => Ok(ContactSolution {
                r: solved.r.chunks_exact(3).map(|r| Vec3::new(r[2], r[1], r[0])).collect(),
                converged: solved.info == 0,
                iterations: u32::try_from(solved.iterations).unwrap_or(u32::MAX),
                error: solved.error,
            }),
            Reply::Refused(text) => Err(failed(&text)),
            Reply::Ready => Err(failed("its process is out of step")),
        }
    }

    /// The same in a scale of its own: reactions are multiplied by the typical size of `W`, rounded to a power of two.
    /// The error of Siconos adds reactions to velocities; so it means the same in all units, and large reactions do not
    /// hide errors of velocities.
    ///
    /// # Errors
    /// As [`Siconos::solve`].
    pub fn solve_scaled(&mut self, problem: &ContactProblem, settings: &Settings) -> Result<ContactSolution, CliError> {
        let scale = typical_size(&problem.w);
        let mut scaled = problem.clone();
        scaled.w.block.iter_mut().for_each(|w| *w /= scale);
        scaled.r.iter_mut().for_each(|r| *r *= scale);
        let mut solution = self.solve(&scaled, settings)?;
        solution.r.iter_mut().for_each(|r| *r /= scale);
        Ok(solution)
    }

    fn reply(&mut self) -> Result<Reply, CliError> {
        receive_reply(&mut BufReader::new(&self.socket)).map_err(|_| self.death())
    }

    /// Why the child does not answer.
    fn death(&mut self) -> CliError {
        let _ = self.child.kill();
        match self.child.wait() {
            Ok(status) => failed(&format!(
                "the process of libsiconos_numerics ended ({status}); what it said, if anything, stands above"
            )),
            Err(error) => failed(&format!("the process of libsiconos_numerics is lost: {error}")),
        }
    }
}

impl Drop for Siconos {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Siconos for a run: started when it is first wanted, and again after it died.
#[derive(Default)]
pub struct OnDemand {
    siconos: Option<Siconos>,
    as_it_is: bool,
}

impl OnDemand {
    /// Passes problems on without scaling, so that the error is that of the very numbers given.
    pub fn as_it_is() -> Self {
        OnDemand { siconos: None, as_it_is: true }
    }

    /// Starts Siconos if this solver needs it, so that a missing library is told before the first step.
    ///
    /// # Errors
    /// As [`Siconos::start`].
    pub fn prepare(&mut self, solver: &SolverSettings) -> Result<(), CliError> {
        if matches!(solver, SolverSettings::Siconos(_)) {
            self.running()?;
        }
        Ok(())
    }

    fn running(&mut self) -> Result<&mut Siconos, CliError> {
        match &mut self.siconos {
            Some(siconos) => Ok(siconos),
            none => Ok(none.insert(Siconos::start()?)),
        }
    }
}

impl External for OnDemand {
    fn solve(&mut self, problem: &ContactProblem, settings: &model::Siconos) -> solfec::Result<ContactSolution> {
        let settings = settings.into();
        let as_it_is = self.as_it_is;
        let solved = self.running().and_then(|siconos| {
            if as_it_is {
                siconos.solve(problem, &settings)
            } else {
                siconos.solve_scaled(problem, &settings)
            }
        });
        solved.map_err(|error| {
            self.siconos = None;
            solfec::Error::Solver(error.text)
        })
    }
}

fn failed(text: &str) -> CliError {
    CliError::new(Exit::Numerical, format!("SICONOS_SOLVER: {text}"))
}

/// The problem in the order of Siconos: each triple, each block's rows and columns reversed (N, T2, T1).
pub fn export(problem: &ContactProblem) -> Problem {
    let reversed = |x: &[Vec3]| x.iter().flat_map(|x| [x.z, x.y, x.x]).collect();
    let w = &problem.w;
    Problem {
        row_offset: w.row_offset.iter().map(|&k| k as u64).collect(),
        column: w.column.iter().map(|&j| j.into()).collect(),
        block: w.block.iter().flat_map(|w| (0..9).map(|k| w[(2 - k / 3, 2 - k % 3)])).collect(),
        q: reversed(&problem.q),
        friction: problem.friction.clone(),
        r: reversed(&problem.r),
    }
}

/// The power of two nearest to the mean of the diagonal of `w`; 1 where there is none.
fn typical_size(w: &BlockSparse) -> f64 {
    let trace: f64 = (0..w.rows()).filter_map(|i| w.get(i, i)).map(|w| w.trace()).sum();
    let size = (trace / (3.0 * w.rows() as f64)).log2().round().exp2();
    if size.is_finite() && size > 0.0 {
        size
    } else {
        1.0
    }
}
