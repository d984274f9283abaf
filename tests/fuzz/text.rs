//! Changes of texts: words, numbers, lines.

use std::path::Path;

use super::bytes;
use super::random::Random;

/// What numbers become.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1e300",
    "-1e300",
    "nan",
    "inf",
    "1e-300",
    "99999999999999999999",
    "'a'",
    "None",
    "[]",
    "(1, 2)",
    "",
    "1.5",
];
/// What is put between characters.
const PIECES: [&str; 12] = ["(", ")", "[", "]", ",", "\"", "'", "\n", "\t", "\u{1b}[2J", "\u{e9}\u{4e2d}", "@*:="];

/// Changes the text of a file; what was done.
pub fn change(path: &Path, random: &mut Random) -> String {
    if random.once_in(5) {
        return bytes::change(path, random);
    }
    let text = std::fs::read_to_string(path).expect("the file is a text");
    let (changed, told) = match random.below(5) {
        0 | 1 => number(&text, random),
        2 => piece(&text, random),
        3 => line(&text, random),
        _ => word(&text, random),
    };
    std::fs::write(path, changed).expect("the file is written");
    told
}

/// Another number in place of one.
fn number(text: &str, random: &mut Random) -> (String, String) {
    let in_number = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let by = *random.pick(&NUMBERS);
    replaced(text, in_number, by, random)
}

/// Another word of the text in place of one.
fn word(text: &str, random: &mut Random) -> (String, String) {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let found = runs(text, in_word);
    let (start, end) = found[random.below(found.len())];
    replaced(text, in_word, &text[start..end], random)
}

fn replaced(text: &str, part: impl Fn(char) -> bool, by: &str, random: &mut Random) -> (String, String) {
    let found = runs(text, part);
    let (start, end) = found[random.below(found.len())];
    (format!("{}{by}{}", &text[..start], &text[end..]), format!("'{}' became '{by}'", &text[start..end]))
}

/// The places of the longest pieces whose characters all are `part`.
fn runs(text: &str, part: impl Fn(char) -> bool) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, c) in text.char_indices().filter(|&(_, c)| part(c)) {
        match found.last_mut() {
            Some((_, end)) if *end == at => *end = at + c.len_utf8(),
            _ => found.push((at, at + c.len_utf8())),
        }
    }
    if found.is_empty() {
        found.push((0, 0));
    }
    found
}

fn piece(text: &str, random: &mut Random) -> (String, String) {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let at = places.get(random.below(places.len())).copied().unwrap_or(0);
    let piece = random.pick(&PIECES);
    (format!("{}{piece}{}", &text[..at], &text[at..]), format!("{piece:?} put at {at}"))
}

/// A line less, twice, or before the first.
fn line(text: &str, random: &mut Random) -> (String, String) {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = random.below(lines.len());
    let told = match random.below(3) {
        0 => {
            lines.remove(at);
            "removed"
        }
        1 => {
            lines.insert(at, lines[at]);
            "doubled"
        }
        _ => {
            lines.swap(0, at);
            "swapped with the first"
        }
    };
    (lines.join("\n") + "\n", format!("line {} {told}", at + 1))
}
