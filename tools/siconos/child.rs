//! The process that runs libsiconos_numerics: the tool again, started by [`super::Siconos`] with a hidden argument.
//!
//! Its standard input is a socket to the parent; its standard output is the parent's standard error, for Siconos
//! prints.

use std::io::BufReader;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;

use super::loader::Library;
use super::wire::{receive_request, send_reply, Reply};

/// First argument of the child.
pub const ARGUMENT: &str = "--siconos-child";

/// Runs `tool`, unless this process is the child of one, which serves problems until its parent hangs up.
pub fn or_tool(tool: impl FnOnce() -> ExitCode) -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT) {
        return serve();
    }
    tool()
}

fn serve() -> ExitCode {
    // Ctrl-C in a terminal reaches this process too; the parent decides.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::default());
    let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned() else { return ExitCode::FAILURE };
    let mut socket = UnixStream::from(socket);
    let Ok(reader) = socket.try_clone() else { return ExitCode::FAILURE };
    let mut reader = BufReader::new(reader);
    // A solve cannot notice that the parent has gone: the system ends this process then.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    let library = match Library::open() {
        Ok(library) => library,
        Err(text) => {
            let _ = send_reply(&mut socket, &Reply::Refused(text));
            return ExitCode::FAILURE;
        }
    };
    let mut reply = Reply::Ready;
    while send_reply(&mut socket, &reply).is_ok() {
        let Ok((problem, settings)) = receive_request(&mut reader) else { break };
        reply = library.solve(&problem, &settings).map_or_else(Reply::Refused, Reply::Solved);
    }
    ExitCode::SUCCESS
}
