//! Texts of strangers where they could do something: on terminals, where control characters could move the cursor,
//! colour or hide what follows, and in spreadsheets.

use std::borrow::Cow;

/// Whether a terminal shows more, or less, than the character. Line ends and tabs are harmless.
fn acts(c: char) -> bool {
    let control = c.is_control() && c != '\n' && c != '\t';
    // marks that change the direction of writing
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    control || turns
}

/// The text with an escape, such as `\u{1b}`, in place of each character that would act on a terminal.
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| if acts(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(shown).collect())
}

/// The text as a cell of a CSV file: one that a spreadsheet would take for a formula begins with an apostrophe.
pub fn cell(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, harmless};

    #[test]
    fn what_acts_on_a_terminal_is_escaped() {
        assert_eq!(harmless("a\tb\n\u{e9}"), "a\tb\n\u{e9}");
        assert_eq!(harmless("\x1b[2J\x07\r\u{9b}\u{202e}"), "\\u{1b}[2J\\u{7}\\u{d}\\u{9b}\\u{202e}");
    }

    #[test]
    fn cells_are_no_formulas() {
        assert_eq!(cell("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")");
        assert_eq!((cell("@SUM"), cell("BOX=1")), ("'@SUM".into(), "BOX=1".into()));
    }
}
