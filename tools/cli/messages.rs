//! Lines for people, on standard error: `tool: error: ...`, `tool: warning: ...`.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::harmless;

/// Warnings of one kind that are shown before they are only counted.
pub const SHOWN_OF_EACH_KIND: usize = 3;

static NEVER_COLOR: AtomicBool = AtomicBool::new(false);

/// Obeys `--color never`.
pub(super) fn forbid_color() {
    NEVER_COLOR.store(true, Ordering::Relaxed);
}

/// Whether messages may be coloured: a terminal, no `NO_COLOR`, no `--color never`.
pub fn color_on_stderr() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    !refused && !NEVER_COLOR.load(Ordering::Relaxed) && std::io::stderr().is_terminal()
}

/// Prints an error line; an empty text prints nothing. A closed standard error is nobody's loss.
pub fn print_error(tool: &str, text: &str) {
    if !text.is_empty() {
        print_line(&line(tool, "error", "31", text, color_on_stderr()));
    }
}

/// Prints a line that says what the tool does; `--quiet` is up to the caller.
pub fn print_note(tool: &str, text: &str) {
    print_line(&format!("{tool}: note: {}", harmless(text.trim_end())));
}

fn print_line(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn line(tool: &str, level: &str, color: &str, text: &str, colored: bool) -> String {
    let text = text.trim_end().replace('\n', " ");
    let text = harmless(&text);
    if colored {
        format!("{tool}: \x1b[1;{color}m{level}:\x1b[0m {text}")
    } else {
        format!("{tool}: {level}: {text}")
    }
}

/// Warnings of a tool: each kind is shown three times, then counted; [`Warnings::summary`] tells the counts.
#[derive(Debug, Clone)]
pub struct Warnings {
    tool: &'static str,
    seen: BTreeMap<&'static str, Seen>,
}

/// Warnings of one kind.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    count: usize,
    shown: usize,
}

impl Warnings {
    pub fn new(tool: &'static str) -> Self {
        Warnings { tool, seen: BTreeMap::new() }
    }

    /// Reports a warning of this kind (a short stable name such as `point-outside`).
    pub fn warn(&mut self, kind: &'static str, text: &str) {
        let seen = self.seen.entry(kind).or_default();
        seen.count += 1;
        if seen.shown < SHOWN_OF_EACH_KIND {
            seen.shown += 1;
            print_line(&line(self.tool, "warning", "33", text, color_on_stderr()));
        }
    }

    /// Counts warnings of this kind that are like one reported before.
    pub fn repeat(&mut self, kind: &'static str, count: usize) {
        self.seen.entry(kind).or_default().count += count;
    }

    /// How often each kind was reported.
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.seen.iter().map(|(kind, seen)| (*kind, seen.count)).collect()
    }

    /// Prints, once at the end, how many warnings of each kind were held back.
    pub fn summary(&self) {
        if let Some(text) = self.held_back() {
            print_line(&line(self.tool, "warning", "33", &text, color_on_stderr()));
        }
    }

    fn held_back(&self) -> Option<String> {
        let parts: Vec<String> = self
            .seen
            .iter()
            .filter(|(_, seen)| seen.count > seen.shown)
            .map(|(kind, seen)| format!("{} more of '{kind}'", seen.count - seen.shown))
            .collect();
        (!parts.is_empty()).then(|| format!("not shown: {}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_are_shown_the_rest_is_counted() {
        let mut warnings = Warnings::new("sf-test");
        for _ in 0..5 {
            warnings.warn("point-outside", "a point");
        }
        warnings.warn("other", "b");
        assert_eq!(warnings.counts()["point-outside"], 5);
        assert_eq!(warnings.held_back().as_deref(), Some("not shown: 2 more of 'point-outside'"));
    }

    #[test]
    fn what_repeats_is_only_counted() {
        let mut warnings = Warnings::new("sf-test");
        warnings.warn("overlap", "two bodies");
        assert_eq!(warnings.held_back(), None);
        warnings.repeat("overlap", 7);
        assert_eq!(warnings.held_back().as_deref(), Some("not shown: 7 more of 'overlap'"));
    }

    #[test]
    fn messages_are_one_line() {
        assert_eq!(line("sf-x", "error", "31", "a: b\nc\n", false), "sf-x: error: a: b c");
        assert_eq!(line("sf-x", "error", "31", "'\x1b[2J'", false), "sf-x: error: '\\u{1b}[2J'");
    }
}
