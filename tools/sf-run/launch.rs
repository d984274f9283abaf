//! Several processes, started by the launcher of the MPI library because `-np N` says so, or by one that has started
//! this process as one of them. They are those of a second binary, so that this one runs on machines without MPI.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use rustix::process::{kill_process, Pid, Signal};
use signal_hook::consts::{SIGINT, SIGKILL, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use super::signals::END;
use super::TOOL;
use crate::cli::{print_note, CliError, Exit};

/// The second binary, beside this one.
const BINARY: &str = "sf-run-mpi";
/// Launchers, in order of preference, and how they are told the number of processes.
const LAUNCHERS: [(&str, &str); 3] = [("mpirun", "-np"), ("mpiexec", "-np"), ("srun", "-n")];
/// Where launchers tell a process how many there are: Open MPI, MPICH and its kin, srun.
const COUNTS: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];
/// Set for processes that a launcher lets find one another.
const MEETINGS: [&str; 4] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_FD"];
/// What to install.
const INSTALL: &str = "on Debian: apt install openmpi-bin libopenmpi-dev libclang-dev, then make build";

/// The number of processes that `-np N` asks for.
pub fn asked() -> Result<Option<usize>, CliError> {
    let mut given = std::env::args().skip(1).take_while(|word| word != "--").skip_while(|word| word != "-np");
    if given.next().is_none() {
        return Ok(None);
    }
    let number = given.next().unwrap_or_default();
    match number.parse() {
        Ok(processes) if processes > 0 => Ok(Some(processes)),
        _ => Err(CliError::usage(format!("-np: '{number}' is not a number of processes; give -np N, N from 1"))),
    }
}

/// Number of processes of the launcher that has started this one, if they are several.
pub fn joined() -> Option<usize> {
    let count = |name: &&str| std::env::var(name).ok()?.parse().ok();
    COUNTS.iter().find_map(count).filter(|processes| *processes > 1)
}

/// Becomes one of the processes of a launcher. Returns only if it cannot.
pub fn join() -> Result<(), CliError> {
    let Some(binary) = beside() else {
        let text = format!("started by mpirun or srun, but {BINARY} is not installed beside sf-run; {INSTALL}");
        return Err(CliError::usage(text));
    };
    let first = std::env::var("SLURM_PROCID").is_ok_and(|number| number == "0");
    if first && !MEETINGS.iter().any(|name| std::env::var_os(name).is_some()) {
        let text = "srun has not told its processes how to find one another; if MPI does not start: srun --mpi=pmix \
                    sf-run ..., and srun --mpi=list names other ways";
        print_note(TOOL, text);
    }
    let error = Command::new(&binary).args(others()).exec();
    Err(CliError::file(&binary, "run", &error))
}

/// Runs the launcher, which gets the signals of this process, and ends as it ends.
pub fn run(processes: usize) -> Result<(), CliError> {
    let Some(binary) = beside() else {
        return Err(CliError::usage(format!("-np: {BINARY} is not installed beside sf-run; {INSTALL}")));
    };
    let Some((launcher, number)) = LAUNCHERS.iter().find_map(|(name, number)| Some((in_path(name)?, number))) else {
        return Err(CliError::usage(format!("-np: there is no mpirun, mpiexec or srun in PATH; {INSTALL}")));
    };
    let mut command = Command::new(&launcher);
    command.args([*number, &processes.to_string()]);
    // Open MPI and its runtime read these; others do not know them.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if processes > cores {
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1").env("OMPI_MCA_mpi_yield_when_idle", "1");
        command.env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    }
    if rustix::process::geteuid().is_root() {
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    // What happened is told here, by the first process and below.
    command.env("OMPI_MCA_orte_execute_quiet", "1");
    // Ctrl-C comes to this process only; a launcher in the background cannot read the terminal.
    command.process_group(0);
    if std::io::stdin().is_terminal() {
        command.stdin(Stdio::null());
    }
    let failed = |error: std::io::Error| CliError::file(&launcher, "run", &error);
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGUSR1, SIGUSR2]).map_err(failed)?;
    let mut child = command.arg(binary).args(others()).spawn().map_err(failed)?;
    let launched = Pid::from_child(&child);
    std::thread::spawn(move || {
        let mut interrupts = 0;
        for signal in signals.forever() {
            interrupts += usize::from(signal == SIGINT);
            // Launchers take SIGTERM and SIGINT as an order to kill; this one they pass on.
            let passed_on = match signal {
                SIGINT if interrupts > 1 => SIGTERM,
                SIGINT | SIGTERM => END,
                other => other,
            };
            if let Some(signal) = Signal::from_named_raw(passed_on) {
                let _ = kill_process(launched, signal);
            }
        }
    });
    ended(child.wait().map_err(failed)?)
}

/// The end of the launcher as that of this process.
fn ended(status: ExitStatus) -> Result<(), CliError> {
    let code = status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1).clamp(0, 255) as u8;
    match (code, i32::from(code) - 128) {
        (0, _) => Ok(()),
        (_, signal) if signal > 0 && ![SIGTERM, SIGINT].contains(&signal) => {
            let how = if signal == SIGKILL { "killed".into() } else { format!("ended by signal {signal}") };
            let text = format!(
                "a process was {how}, and the others ended with it; results stored so far are whole: sf-run -c goes on"
            );
            Err(CliError::new(Exit::Signal(code - 128), text))
        }
        // They have said why.
        _ => Err(CliError::quiet(Exit::Passed(code))),
    }
}

/// All arguments but `-np N`. Each process has one thread unless told otherwise.
fn others() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(at) = words.iter().position(|word| word == "-np") {
        words.drain(at..(at + 2).min(words.len()));
    }
    let says = |word: &OsString| ["--threads", "-j"].iter().any(|name| word.to_string_lossy().starts_with(name));
    let told = words.iter().take_while(|word| *word != "--").any(says);
    if !told {
        words.splice(0..0, ["--threads".into(), "1".into()]);
    }
    words
}

fn beside() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.with_file_name(BINARY)).filter(|path| path.is_file())
}

fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(Path::new(name))).find(|path| path.is_file())
}
