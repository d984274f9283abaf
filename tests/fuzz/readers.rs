//! Which tools read a kind of file, and how a run of one ended.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tools_testing::process::bin;
use tools_testing::python::interpreter;

/// A tool may compute this long [s], and have so much memory [kB]. A loaded machine makes nothing slower by this clock.
const CPU: u64 = 10;
const MEMORY: u64 = 4 << 20;
/// By the clock on the wall, for a tool that sleeps.
const PATIENCE: Duration = Duration::from_secs(150);
/// What `ulimit -t` sends.
const SIGXCPU: i32 = 24;
const SIGKILL: i32 = 9;

/// A kind of input: what is copied, which of it is changed, and who reads it.
pub struct Kind {
    pub name: &'static str,
    /// How often among all inputs.
    pub weight: usize,
    pub copied: &'static [&'static str],
    /// One of these is changed; in a directory one of its HDF5 files.
    pub changed: &'static [&'static str],
    pub text: bool,
    pub readers: &'static [&'static str],
}

pub const KINDS: [Kind; 10] = [
    Kind {
        name: "model",
        weight: 25,
        copied: &["m.sfm.h5"],
        changed: &["m.sfm.h5"],
        text: false,
        readers: &[
            "sf-run m.sfm.h5 -q -o new --steps 3",
            "sf-run --check-file m.sfm.h5",
            "sf-info m.sfm.h5",
            "sf-xdmf --initial m.sfm.h5 -o viz",
        ],
    },
    Kind {
        name: "results",
        weight: 15,
        copied: &["out"],
        changed: &["out"],
        text: false,
        readers: &[
            "sf-history out KINETIC GAP CX@BALL R@BRICK,BALL SX@SOFT ITERS",
            "sf-history out --list",
            "sf-xdmf out -o viz",
            "sf-run --pack out -o new.h5",
            "sf-run --check-file out",
            "sf-info out",
        ],
    },
    Kind {
        name: "cut results",
        weight: 10,
        copied: &["cut", "m.sfm.h5"],
        changed: &["cut"],
        text: false,
        readers: &["sf-run --check-file cut", "sf-info cut", "sf-run -q -c -o cut m.sfm.h5 --steps 60"],
    },
    Kind {
        name: "packed results",
        weight: 8,
        copied: &["packed.h5"],
        changed: &["packed.h5"],
        text: false,
        readers: &[
            "sf-history packed.h5 TOTAL CONS DZ@BALL MISES@SOFT",
            "sf-xdmf packed.h5 -o viz --format vtkhdf",
            "sf-run --check-file packed.h5",
            "sf-info packed.h5",
        ],
    },
    Kind {
        name: "checkpoint",
        weight: 12,
        copied: &["cut", "m.sfm.h5"],
        changed: &["cut/checkpoints"],
        text: false,
        readers: &[
            "sf-info cut/checkpoints/c000030.h5",
            "sf-run --check-file cut/checkpoints/c000030.h5",
            "sf-run -q -c -o cut m.sfm.h5 --steps 60",
        ],
    },
    Kind {
        name: "local dynamics",
        weight: 18,
        copied: &["ld.hdf5", "solved.hdf5", "other.hdf5"],
        changed: &["ld.hdf5", "solved.hdf5"],
        text: false,
        readers: &[
            "sf-locdyn-compare solve ld.hdf5 --maxiter 50",
            "sf-locdyn-compare solve solved.hdf5 --maxiter 50 --solver NEWTON",
            "sf-locdyn-compare ld.hdf5 solved.hdf5",
            "sf-locdyn-compare other.hdf5 ld.hdf5",
            "sf-run --check-file ld.hdf5",
            "sf-info ld.hdf5",
            "sf-info solved.hdf5",
        ],
    },
    Kind {
        name: "mesh",
        weight: 10,
        copied: &["mesh.h5", "kept.h5", "cube.py"],
        changed: &["mesh.h5", "kept.h5"],
        text: false,
        readers: &[
            "sf-mesh info mesh.h5 -j1",
            "sf-mesh check kept.h5 -j1",
            "sf-mesh convert mesh.h5 -o mesh.vtu -j1",
            "sf-mesh convert kept.h5 -o kept.msh -j1",
            "sf-build -q cube.py -o new.h5",
            "sf-run --check-file mesh.h5",
            "sf-info mesh.h5",
            "sf-info kept.h5",
        ],
    },
    Kind {
        name: "deck",
        weight: 8,
        copied: &["deck.py", "series.txt"],
        changed: &["deck.py"],
        text: true,
        readers: &["sf-build -q deck.py -o new.h5", "sf-run -q deck.py -o new --steps 3"],
    },
    Kind {
        name: "series",
        weight: 4,
        copied: &["deck.py", "series.txt"],
        changed: &["series.txt"],
        text: true,
        readers: &["sf-build -q deck.py -o new.h5"],
    },
    Kind {
        name: "tables",
        weight: 6,
        copied: &["out", "requests.toml", "against.csv", "dump.txt"],
        changed: &["requests.toml", "against.csv", "dump.txt"],
        text: true,
        readers: &[
            "sf-history out -r requests.toml",
            "sf-history out KINETIC --plot p.svg --against against.csv",
            "sf-locdyn-compare dump.txt dump.txt",
        ],
    },
];

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ended {
    Success,
    /// Code 1: a check or comparison failed.
    No,
    /// An error with a message.
    Told(i32),
    /// A panic, a code that the manual does not know, an error without a word, the error stack of a library.
    Wrong,
    Signal(i32),
    Hangs,
}

/// Runs a reader in `folder`; how it ended and what it said.
pub fn run(reader: &str, folder: &Path) -> (Ended, String) {
    let mut words = reader.split(' ');
    let mut command = Command::new(bin().join(words.next().unwrap_or_default()));
    command.args(words).current_dir(folder).env("SF_PYTHON", interpreter()).env("SF_THREADS", "1");
    limited(&mut command)
}

/// Runs a command within the limits.
pub fn limited(command: &mut Command) -> (Ended, String) {
    let mut shell = Command::new("bash");
    shell.args(["-c", &format!("ulimit -v {MEMORY} -t {CPU} -c 0; exec \"$@\""), "bash"]);
    shell.arg(command.get_program()).args(command.get_args());
    shell.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    shell.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut child = shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("bash runs");
    let mut pipe = child.stderr.take().expect("a pipe");
    let told = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().expect("the state of a child") {
            break Some(status);
        }
        if began.elapsed() > PATIENCE {
            child.kill().and_then(|()| child.wait()).expect("a child ends when killed");
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let told = told.join().expect("a thread that reads");
    (status.map_or(Ended::Hangs, |status| class(status, &told)), told)
}

fn class(status: ExitStatus, told: &str) -> Ended {
    let foreign = ["panicked", "internal error", "HDF5-DIAG", "RUST_BACKTRACE", "18446744073709551615"];
    match (status.code(), status.signal()) {
        (_, Some(SIGXCPU | SIGKILL)) => Ended::Hangs,
        (_, Some(signal)) => Ended::Signal(signal),
        _ if foreign.iter().any(|word| told.contains(word)) => Ended::Wrong,
        (Some(0), _) => Ended::Success,
        // A comparison answers on standard output.
        (Some(1), _) => Ended::No,
        (Some(2..=7), _) if !told.contains("error: ") => Ended::Wrong,
        (Some(code @ 2..=7), _) => Ended::Told(code),
        _ => Ended::Wrong,
    }
}
