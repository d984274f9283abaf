//! The way into a tool and the one place where its errors are printed.

use std::ffi::OsString;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser};

use serde_json::json;
use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;

use super::hangup;
use super::memory::name_tool;
use super::messages::print_error;
use super::output::{stdout_used, write_stdout};
use super::processor;
use super::{CliError, Common, Exit, Record};

/// Runs the body of a tool and turns its result into an exit code: prints `tool: error: ...` as one line, with `--json`
/// one JSON object as well, and catches panics (code 70, "internal error").
pub fn main_with(tool: &'static str, body: impl FnOnce() -> Result<(), CliError>) -> ExitCode {
    name_tool(tool);
    if let Some(why) = processor::unfit() {
        print_error(tool, why);
        return ExitCode::from(Exit::Usage.code());
    }
    hangup::listen(tool);
    // A write beyond the limit for the size of files is an error like any other, not the end without a word.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let place = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&place);
    panic::set_hook(Box::new(move |info| {
        if let Ok(mut text) = seen.lock() {
            *text = panic_text(info);
        }
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        let what = place.lock().map(|t| t.clone()).unwrap_or_default();
        Err(CliError::new(
            Exit::Internal,
            format!("internal error: {what}: a bug of this program; files that it has written are whole"),
        ))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(tool, &error.text);
            if !error.text.is_empty() && wants_json() {
                tell_json(tool, &error);
            }
            ExitCode::from(error.code.code())
        }
    }
}

/// Known from the bare arguments, because usage errors come before they are understood.
fn wants_json() -> bool {
    std::env::args_os().take_while(|a| a != "--").any(|a| a == "--json")
}

/// On standard output, unless something else is there already.
fn tell_json(tool: &str, error: &CliError) {
    let (code, exit) = (error.name, error.code.code());
    let document =
        json!({"schema": "sf-error/1", "tool": tool, "error": {"code": code, "exit": exit, "text": error.text}});
    if stdout_used() || write_stdout(format!("{document}\n").as_bytes()).is_err() {
        let _ = writeln!(std::io::stderr(), "{document}");
    }
}

fn panic_text(info: &panic::PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload
        .downcast_ref::<&str>()
        .map(|s| s.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic".into());
    match info.location() {
        Some(at) => format!("{text} ({}:{})", at.file(), at.line()),
        None => text,
    }
}

/// Command line of the process as `A`. Help and version are printed here and come back as a quiet success; usage
/// errors as one line with code 2.
pub fn parse<A: Parser>(tool: &str) -> Result<A, CliError> {
    let given = subcommand_first(&A::command(), arguments(std::env::args_os()).collect());
    A::try_parse_from(given).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp => printed(error.render().to_string()),
        ErrorKind::DisplayVersion if std::env::args().any(|a| a == "--verbose" || a == "-v") => {
            printed(Record::build_facts(tool))
        }
        ErrorKind::DisplayVersion => printed(error.render().to_string()),
        _ if asks_for_processes(&error) => CliError::usage("-np: only sf-run runs in several processes"),
        _ => CliError::usage(usage_text(tool, &error.render().to_string(), &remedy(tool, &error))),
    })
}

/// Negative numbers are written in full up to `--`: the library takes `-.5` and `-1e-3` for options.
fn arguments(given: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut ours = true;
    given.map(move |argument| {
        ours &= argument != "--";
        match argument.to_str() {
            Some(text) if ours && text.starts_with('-') => negative_number(text).map_or(argument, OsString::from),
            Some(_) | None => argument,
        }
    })
}

fn negative_number(text: &str) -> Option<String> {
    let digits = text[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let finite = digits.then(|| text.parse().ok()).flatten().filter(|x: &f64| x.is_finite());
    // Whole numbers stay as they are: ids have more digits than a f64.
    finite.filter(|_| text.contains(['.', 'e', 'E'])).map(|x| x.to_string())
}

/// The name of a subcommand before the options that every tool has; the library would take it for a file after them.
fn subcommand_first(command: &clap::Command, mut given: Vec<OsString>) -> Vec<OsString> {
    if !command.is_args_conflicts_with_subcommands_set() {
        return given;
    }
    let mut at = 1;
    while let Some(count) = given.get(at).and_then(|text| common_option(text.to_str()?)) {
        at += count;
    }
    let named = |text: &OsString| command.get_subcommands().any(|sub| text == sub.get_name());
    if given.get(at).is_some_and(named) {
        given[1..=at].rotate_right(1);
    }
    given
}

/// How many arguments a common option takes up, itself included; `None` if it is no such option.
fn common_option(text: &str) -> Option<usize> {
    let common = Common::augment_args(clap::Command::new(""));
    let of = |option: Option<&clap::Arg>| option.map(|option| option.get_action().takes_values());
    if let Some(long) = text.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, false), |(name, _)| (name, true));
        let takes = of(common.get_arguments().find(|option| option.get_long() == Some(name)))?;
        return Some(if takes && !value { 2 } else { 1 });
    }
    let letters = text.strip_prefix('-').filter(|letters| !letters.is_empty())?;
    for (at, letter) in letters.char_indices() {
        if of(common.get_arguments().find(|option| option.get_short() == Some(letter)))? {
            return Some(if at + letter.len_utf8() == letters.len() { 2 } else { 1 });
        }
    }
    Some(1)
}

fn asks_for_processes(error: &clap::Error) -> bool {
    let unknown = error.kind() == ErrorKind::UnknownArgument && given(error) == "-n";
    unknown || std::env::args().skip(1).take_while(|a| a != "--").any(|a| a == "-np")
}

/// The argument that an error is about.
fn given(error: &clap::Error) -> String {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(" "),
        _ => String::new(),
    }
}

fn printed(text: String) -> CliError {
    match write_stdout(text.as_bytes()) {
        Ok(()) => CliError::quiet(Exit::Success),
        Err(error) => error,
    }
}

/// Clap's message, without its usage block, on one line.
fn usage_text(tool: &str, rendered: &str, remedy: &str) -> String {
    let message = rendered.split("\n\nUsage:").next().unwrap_or(rendered);
    let message = message.split("\n\nFor more").next().unwrap_or(message);
    // The second tip is about values that look like options, which nobody means.
    let message = message.split("\n  tip: to pass").next().unwrap_or(message);
    let message = message.replace("\n\n  tip: ", "; ").replace("\n  tip: ", "; ");
    let words: Vec<&str> = message.split_whitespace().collect();
    let line = words.join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    format!("{line}{remedy}; see '{tool} --help'")
}

/// What may have been meant, where the message of the library cannot know.
fn remedy(tool: &str, error: &clap::Error) -> String {
    let given = given(error);
    let text = match (error.kind(), tool) {
        (ErrorKind::UnknownArgument, _) if given.starts_with('-') => return String::new(),
        (ErrorKind::UnknownArgument, "sf-run" | "sf-build") if given.contains('=') => {
            format!("variables of a deck are given as --set {given}, its arguments after --")
        }
        (ErrorKind::UnknownArgument, "sf-run") => {
            "one model or deck is run at a time; arguments of a deck come after --, its variables as --set NAME=VALUE"
                .into()
        }
        (ErrorKind::UnknownArgument, "sf-build") => {
            format!("name the model with -o {given}; arguments of the deck come after --")
        }
        (ErrorKind::MissingRequiredArgument, "sf-history") if given.contains("ITEM") => {
            "name what to show, such as KINETIC or CZ@LABEL; --list tells what there is".into()
        }
        (ErrorKind::MissingRequiredArgument, "sf-xdmf") if given.contains("output") => {
            "say where the files go: -o DIR".into()
        }
        _ => return String::new(),
    };
    format!("; {text}")
}

#[cfg(test)]
mod tests {
    use super::{common_option, negative_number, usage_text};

    #[test]
    fn common_options_are_known_with_their_values() {
        let known = [("-q", 1), ("-qv", 1), ("-j", 2), ("-qj", 2), ("-j4", 1), ("--threads", 2), ("--threads=4", 1)];
        for (text, count) in known.into_iter().chain([("--json", 1), ("--color", 2)]) {
            assert_eq!(common_option(text), Some(count), "{text}");
        }
        for text in ["-", "--", "-n", "-qn", "--number", "pod", ""] {
            assert_eq!(common_option(text), None, "{text}");
        }
    }

    #[test]
    fn negative_numbers_are_written_in_full() {
        for (given, full) in [("-.5", "-0.5"), ("-1e-3", "-0.001"), ("-2E3", "-2000"), ("-0.0", "-0")] {
            assert_eq!(negative_number(given).as_deref(), Some(full));
        }
        for other in ["-7", "-j", "-inf", "-e", "-1x", "-", "-1e999", "--"] {
            assert_eq!(negative_number(other), None, "{other}");
        }
    }

    #[test]
    fn usage_errors_are_one_line() {
        let clap = "error: unexpected argument '--tine' found\n\n  tip: a similar argument exists: '--time'\n\n\
                    Usage: sf-x [OPTIONS]\n\nFor more information, try '--help'.\n";
        assert_eq!(
            usage_text("sf-x", clap, ""),
            "unexpected argument '--tine' found; a similar argument exists: '--time'; see 'sf-x --help'"
        );
        let clap = "error: unexpected argument '--ouput' found\n\n  tip: a similar argument exists: '--output'\n  \
                    tip: to pass '--ouput' as a value, use '-- --ouput'\n\nUsage: sf-x [OPTIONS]\n";
        assert_eq!(
            usage_text("sf-x", clap, ""),
            "unexpected argument '--ouput' found; a similar argument exists: '--output'; see 'sf-x --help'"
        );
    }
}
