//! Texts of files, as labels, where they could do something: on terminals and in spreadsheets.

use std::borrow::Cow;

/// The text with control characters, and those that turn the direction of writing, escaped: a terminal shows them
/// instead of obeying.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let acts = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.contains(acts) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if acts(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out.into()
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
    use super::*;

    #[test]
    fn texts_of_files_do_nothing() {
        assert_eq!(harmless("BEAM (Ä)"), "BEAM (Ä)");
        assert_eq!(harmless("a\x1b[2J\x07\u{9b}b\u{202e}"), "a\\u{1b}[2J\\u{7}\\u{9b}b\\u{202e}");
        assert_eq!(cell("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")");
        assert_eq!((cell("@SUM"), cell("BOX=1")), ("'@SUM".into(), "BOX=1".into()));
    }
}
