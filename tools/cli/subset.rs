//! Rules that name bodies: `glob:BOX*`, `label:NAME`, `re:^FB1`, `id:1-10`, `box:x0,y0,z0,x1,y1,z1` (overlaps the
//! body's bounds in the reference configuration), `kind:RIGID`, `material:stone`, `surf:3`, `all`. What has no such
//! beginning is a glob on command lines, and a POSIX basic regular expression in the subsets of decks.

use regex::Regex;
use solfec::model::{BodyKind, BodyRow, Model};
use solfec::shape::Bounds;

use super::bre::basic_regex;
use super::suggest::did_you_mean;

/// One rule.
#[derive(Debug, Clone)]
pub enum BodyRule {
    All,
    Label(String),
    /// With a label that is not empty.
    Glob(Regex),
    Regex(Regex),
    /// First and last id.
    Ids(u64, u64),
    Bounds([f64; 6]),
    Kind(BodyKind),
    /// Label of the bulk material.
    Material(String),
    /// Id of a surface that the body has.
    Surface(i32),
}

impl std::str::FromStr for BodyRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(BodyRule::All);
        }
        BodyRule::prefixed(text).unwrap_or_else(|| glob(text))
    }
}

impl BodyRule {
    /// The rule of a subset in decks.
    pub fn subset(text: &str) -> Result<Self, String> {
        BodyRule::prefixed(text).unwrap_or_else(|| basic_regex(text).map(BodyRule::Regex))
    }

    /// Rules that begin with their name.
    fn prefixed(text: &str) -> Option<Result<Self, String>> {
        let (name, rest) = text.split_once(':')?;
        Some(match name {
            "label" => Ok(BodyRule::Label(rest.into())),
            "glob" => glob(rest),
            "re" => Regex::new(rest)
                .map(BodyRule::Regex)
                .map_err(|e| format!("re:{rest}: not a regular expression: {}", last_line(&e.to_string()))),
            "id" => parse_ids(rest),
            "box" => parse_bounds(rest),
            "kind" => parse_kind(rest),
            "material" => Ok(BodyRule::Material(rest.into())),
            "surf" => rest
                .trim()
                .parse()
                .map(BodyRule::Surface)
                .map_err(|_| format!("surf:{rest}: not a surface id; write surf:3")),
            _ => return None,
        })
    }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or(text)
}

fn parse_ids(text: &str) -> Result<BodyRule, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok(BodyRule::Ids(first, last)),
        _ => Err(format!("id:{text}: not a body id or a range of ids; write id:7 or id:1-10")),
    }
}

fn parse_bounds(text: &str) -> Result<BodyRule, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|x| x.trim().parse()).collect();
    match numbers.ok().and_then(|n| <[f64; 6]>::try_from(n).ok()) {
        Some(b) if (0..3).all(|i| b[i] <= b[i + 3]) => Ok(BodyRule::Bounds(b)),
        _ => Err(format!("box:{text}: not six ascending bounds; write box:x0,y0,z0,x1,y1,z1")),
    }
}

fn parse_kind(text: &str) -> Result<BodyRule, String> {
    let named = |kind: &BodyKind| kind.name().eq_ignore_ascii_case(text);
    let wrong = || format!("kind:{text}: no kind of body; use OBSTACLE, RIGID, PSEUDO_RIGID or FINITE_ELEMENT");
    BodyKind::ALL.into_iter().find(named).map(BodyRule::Kind).ok_or_else(wrong)
}

impl BodyRule {
    fn matches(&self, model: &Model, body: &BodyRow) -> bool {
        match self {
            BodyRule::All => true,
            BodyRule::Label(label) => body.label == *label,
            BodyRule::Glob(pattern) => !body.label.is_empty() && pattern.is_match(&body.label),
            BodyRule::Regex(pattern) => pattern.is_match(&body.label),
            BodyRule::Ids(first, last) => (*first..=*last).contains(&body.id),
            BodyRule::Bounds(bounds) => overlaps(bounds, model, body),
            BodyRule::Kind(kind) => body.kind == *kind,
            BodyRule::Material(label) => model.bulk.get(body.material as usize).is_some_and(|m| m.label == *label),
            BodyRule::Surface(id) => model.shapes_of(body).any(|shape| shape.geometry.surfaces().contains(id)),
        }
    }
}

/// For each body of the model whether some rule names it. The error names a rule that matches nothing.
pub fn select_bodies(model: &Model, rules: &[(String, BodyRule)]) -> Result<Vec<bool>, String> {
    let mut chosen = vec![false; model.bodies.len()];
    for (text, rule) in rules {
        let mut found = false;
        for (row, body) in model.bodies.iter().enumerate() {
            if rule.matches(model, body) {
                chosen[row] = true;
                found = true;
            }
        }
        if !found {
            let near = match rule {
                BodyRule::Label(label) => near(label, model),
                BodyRule::Glob(_) => near(text.strip_prefix("glob:").unwrap_or(text), model),
                BodyRule::All
                | BodyRule::Regex(_)
                | BodyRule::Ids(..)
                | BodyRule::Bounds(_)
                | BodyRule::Kind(_)
                | BodyRule::Material(_)
                | BodyRule::Surface(_) => String::new(),
            };
            return Err(format!("'{text}' names no body of '{}'{near}; see sf-history --list", model.name));
        }
    }
    Ok(chosen)
}

/// The body that may be meant by something that is no label: by its id, or by a label that is nearly the same.
fn near(label: &str, model: &Model) -> String {
    match label.parse::<u64>() {
        Ok(id) if model.bodies.iter().any(|body| body.id == id) => format!(" (did you mean id:{id}?)"),
        _ => did_you_mean(label, model.bodies.iter().map(|body| body.label.as_str())),
    }
}

/// Shell pattern: `*` any run, `?` any one character.
fn glob(pattern: &str) -> Result<BodyRule, String> {
    let part = |c: char| match c {
        '*' => ".*".into(),
        '?' => ".".into(),
        c => regex::escape(&c.to_string()),
    };
    let whole = format!("(?s)^{}$", pattern.chars().map(part).collect::<String>());
    Regex::new(&whole).map(BodyRule::Glob).map_err(|e| format!("{pattern}: {}", last_line(&e.to_string())))
}

fn overlaps(bounds: &[f64; 6], model: &Model, body: &BodyRow) -> bool {
    let around = model.shapes_of(body).fold(Bounds::default(), |all, shape| all.union(&shape.bounds()));
    (0..3).all(|i| around.low[i] <= bounds[i + 3] && around.high[i] >= bounds[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let matches = |pattern: &str, label: &str| match glob(pattern) {
            Ok(BodyRule::Glob(pattern)) => pattern.is_match(label),
            other => panic!("{other:?}"),
        };
        assert!(matches("BOX*", "BOX12"));
        assert!(matches("*", ""));
        assert!(matches("B?X", "BÖX"));
        assert!(matches("*A*B", "xAyAzB"));
        assert!(!matches("BOX", "BOX1"));
        assert!(!matches("BOX", "xBOX"));
        assert!(!matches("?", ""));
        assert!(!matches("B.X", "BOX"));
        assert!(!matches(&"*a".repeat(40), &"a".repeat(39)));
    }

    #[test]
    fn wrong_rules_say_what_to_write() {
        for (rule, remedy) in [
            ("id:x", "write id:7"),
            ("id:5-2", "write id:7"),
            ("box:1,2,3", "write box:"),
            ("kind:SOFT", "use OBSTACLE"),
            ("re:(", "not a regular expression"),
            ("surf:top", "write surf:3"),
        ] {
            let error = rule.parse::<BodyRule>().unwrap_err();
            assert!(error.contains(remedy), "{error}");
        }
    }
}
