//! What a file of a stranger may not decide alone: that its Python runs, and that results go outside this folder. A deck
//! that is named on the command line needs no consent; one that a model or a results directory contains needs
//! `--python`, and a place outside needs `-o`.

use std::path::{Component, Path};

use crate::cli::{harmless, print_note, CliError, Exit};

/// Lines of a deck that are shown before anybody agrees to run it, and characters of each.
const SHOWN_LINES: usize = 8;
const SHOWN_WIDTH: usize = 110;

/// Shows the beginning of the deck that `what` contains, and refuses to run it. `otherwise`: what to do instead of
/// trusting it, for people.
pub fn refuse_deck(what: &str, text: &str, otherwise: &str) -> CliError {
    let size = text.lines().count();
    print_note("sf-run", &format!("{what}: contains this deck of {size} line{}:", if size == 1 { "" } else { "s" }));
    eprint(&beginning(text));
    let command = with_python(std::env::args());
    let text = format!(
        "{what}: has to run the deck it contains, Python code that can do whatever you can do; if you trust all of \
         it, type: {command}{otherwise}"
    );
    CliError::new(Exit::NeedsLive, text).named("E_NEEDS_CONSENT")
}

/// The first lines, indented, with nothing in them that acts on a terminal.
fn beginning(text: &str) -> String {
    let mut shown: String = text.lines().take(SHOWN_LINES).map(|line| format!("    | {}\n", cut(line))).collect();
    let more = text.lines().count().saturating_sub(SHOWN_LINES);
    if more > 0 {
        shown += &format!("    | ... and {more} more\n");
    }
    shown
}

fn cut(line: &str) -> String {
    let line = harmless(line);
    if line.chars().count() <= SHOWN_WIDTH {
        return line.into_owned();
    }
    line.chars().take(SHOWN_WIDTH).chain(" ...".chars()).collect()
}

fn eprint(text: &str) {
    use std::io::Write;
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The command line of this process with `--python`.
fn with_python(mut args: impl Iterator<Item = String>) -> String {
    args.next();
    let words = args.map(|word| format!(" {}", quoted(&word)));
    format!("sf-run --python{}", words.collect::<String>())
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Refuses a place for results that a model names outside the current folder.
pub fn refuse_outside(wanted: &str) -> Result<(), CliError> {
    if !leaves(Path::new(wanted)) {
        return Ok(());
    }
    let text = format!(
        "the model wants its results in {}, outside this folder; type -o {} to store them there, or -o DIR for another \
         place",
        wanted,
        quoted(wanted)
    );
    Err(CliError::usage(text))
}

/// Whether a path leads out of the current folder, by its text.
fn leaves(path: &Path) -> bool {
    let mut depth = 0_i32;
    path.components().any(|part| {
        match part {
            Component::Prefix(_) | Component::RootDir => depth = -1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::Normal(_) => depth += 1,
        }
        depth < 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder() {
        for path in ["/tmp/x", "..", "../x", "a/../../x", "./../x"] {
            assert!(leaves(Path::new(path)), "{path}");
        }
        for path in ["", "x", "./x", "a/../x", "out/a/..", "..x/y"] {
            assert!(!leaves(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn the_beginning_of_a_deck_is_harmless() {
        let deck = format!("print('\x1b[2J')\n{}\n{}", "x".repeat(200), "pass\n".repeat(9));
        let shown = beginning(&deck);
        assert!(shown.starts_with("    | print('\\u{1b}[2J')\n"), "{shown}");
        assert!(shown.ends_with("    | pass\n    | ... and 3 more\n"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() < 125));
    }

    #[test]
    fn the_command_can_be_typed() {
        let args = ["/usr/bin/sf-run", "-w", "my model.sfm.h5", "--", "it's"];
        let typed = with_python(args.into_iter().map(String::from));
        assert_eq!(typed, "sf-run --python -w 'my model.sfm.h5' -- 'it'\\''s'");
    }
}
