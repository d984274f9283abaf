//! POSIX basic regular expressions, the language of label patterns in decks.

use regex::Regex;

/// The expression of a POSIX basic regular expression, with GNU's `\+`, `\?`, `\|`. The error says what is wrong; there
/// are no back references.
pub fn basic_regex(pattern: &str) -> Result<Regex, String> {
    let wrong = |text: String| format!("'{pattern}' is not a basic regular expression: {text}");
    let translated = translate(pattern).map_err(wrong)?;
    let reason = |e: regex::Error| e.to_string().lines().last().unwrap_or_default().to_string();
    Regex::new(&translated).map_err(|e| wrong(reason(e)))
}

/// The same expression in the syntax of the crate `regex`.
fn translate(pattern: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = pattern.chars().peekable();
    // At the start of an expression `*` is a character and `^` an anchor.
    let mut start = true;
    while let Some(c) = rest.next() {
        let began = std::mem::replace(&mut start, false);
        match c {
            '\\' => match rest.next() {
                Some(c @ ('(' | '|')) => {
                    out.push(c);
                    start = true;
                }
                Some(c @ (')' | '{' | '}' | '+' | '?')) => out.push(c),
                Some(c) if c.is_ascii_digit() => return Err(format!("there are no back references (\\{c})")),
                Some(c) => out += &regex::escape(&c.to_string()),
                None => return Err("ends with a backslash".into()),
            },
            '*' if began => out += r"\*",
            '*' | '.' => out.push(c),
            '^' if began => {
                out.push('^');
                start = true;
            }
            '$' if ends(&rest.clone().take(2).collect::<String>()) => out.push('$'),
            '[' => out += &bracket(&mut rest)?,
            c => out += &regex::escape(&c.to_string()),
        }
    }
    Ok(out)
}

/// Whether an expression ends before `rest`: there `$` is an anchor.
fn ends(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(r"\)") || rest.starts_with(r"\|")
}

/// What follows `[`: a backslash is a character, a `]` in the first place too.
fn bracket(rest: &mut std::iter::Peekable<std::str::Chars>) -> Result<String, String> {
    let mut out = String::from("[");
    if rest.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    let mut first = true;
    loop {
        match rest.next().ok_or("a bracket is not closed")? {
            ']' if !first => return Ok(out + "]"),
            '[' if rest.next_if_eq(&':').is_some() => {
                let name: String = std::iter::from_fn(|| rest.next_if(|&c| c != ':')).collect();
                if rest.next() != Some(':') || rest.next() != Some(']') {
                    return Err("a class of characters is not closed; write [[:digit:]]".into());
                }
                out += &format!("[:{name}:]");
            }
            '-' => out.push('-'),
            c => out += &regex::escape(&c.to_string()),
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basic_expressions_mean_what_posix_says() {
        for (pattern, label, found) in [
            ("Domino[2,3]", "Domino3", true),
            ("Domino[2,3]", "Domino1", false),
            ("PAR", "a PART", true),
            ("BOX*", "BOLT", true),
            ("*", "a*b", true),
            ("*", "ab", false),
            ("a(b)", "a(b)", true),
            (r"^\(ab\)*$", "abab", true),
            (r"^\(ab\)*$", "aba", false),
            ("a+", "aa", false),
            (r"^a\+$", "aa", true),
            (r"x\{2\}", "axxb", true),
            ("a$b", "a$b", true),
            ("a^b", "a^b", true),
            (r"[]\]", r"\", true),
            ("^[^[:digit:]]$", "7", false),
            ("[a-c]x", "bx", true),
            ("|", "a|b", true),
            (r"a\|b", "b", true),
            ("", "anything", true),
        ] {
            assert_eq!(basic_regex(pattern).unwrap().is_match(label), found, "{pattern} in {label}");
        }
        for pattern in ["[a", r"a\", r"\(a\)\1", r"\(a"] {
            let error = basic_regex(pattern).unwrap_err();
            assert!(error.contains("is not a basic regular expression"), "{error}");
        }
    }
}
