//! Items as text: `[name=]ITEM`, where ITEM is an expression of `NAME[options]@TARGET`.
//!
//! ```text
//! KINETIC   KINETIC@BOX*   tip=DZ@label:BEAM(0,0,1)   CX@id:12   R[dir=0,0,1;pair=1,2]@BOX1,BOX2   sum(abs(DX@A),diff(STEP))
//! ```

use super::item::{Expr, Item, Quantity, Who};
use super::names::{is_point_item, quantity, Target};
use super::parse::expression;
use crate::cli::BodyRule;

impl std::str::FromStr for Item {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("an item is empty; see sf-history --help for what there is".into());
        }
        let (title, body) = split_title(text);
        if title.is_empty() {
            return Err(format!("{text}: empty column name before '='"));
        }
        if body.is_empty() {
            return Err(format!("{text}: no item after '='; see sf-history --help for what there is"));
        }
        Item::titled(title, expression(body)?)
    }
}

impl Item {
    /// An item with its title.
    ///
    /// # Errors
    /// Terms of a sum have different units.
    pub fn titled(title: &str, expr: Expr) -> Result<Item, String> {
        expr.unit().map_err(|wrong| format!("{title}: {wrong}"))?;
        Ok(Item { title: title.into(), expr })
    }
}

/// `name=ITEM`; an `=` after `@`, `[` or `(` belongs to the item.
fn split_title(text: &str) -> (&str, &str) {
    match text.find(['=', '@', '[', '(']) {
        Some(at) if text.as_bytes()[at] == b'=' => (text[..at].trim(), text[at + 1..].trim()),
        _ => (text.trim(), text.trim()),
    }
}

/// `NAME[options]@TARGET`.
pub(super) fn quantity_text(text: &str) -> Result<Quantity, String> {
    let end = text.find(['@', '[']).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let mut target = Target::default();
    if let Some(options) = rest.strip_prefix('[') {
        let (options, after) = options.split_once(']').ok_or_else(|| format!("{text}: '[' is not closed by ']'"))?;
        set_options(&mut target, options).map_err(|e| format!("{text}: {e}"))?;
        rest = after;
    }
    if let Some(of) = rest.strip_prefix('@') {
        let inside = of.split_once('[').map_or("", |(_, inside)| inside);
        if ["dir=", "pair=", "on="].iter().any(|option| inside.contains(option)) {
            return Err(format!("{text}: options stand before '@'; write {name}[pair=1,2]@BODIES"));
        }
        if is_point_item(name) {
            let (body, reference) = point(of)?;
            target.reference = reference;
            target.bodies = Some(one(body)?);
        } else {
            target.bodies = Some(who(of)?);
        }
    } else if !rest.is_empty() {
        return Err(format!("{text}: '{rest}' is not understood; write {name}@BODIES"));
    }
    quantity(name.trim(), target)
}

fn set_options(target: &mut Target, text: &str) -> Result<(), String> {
    for option in text.split(';').filter(|o| !o.trim().is_empty()) {
        let wrong = || format!("'{option}' is no option; write dir=x,y,z or pair=s1,s2 or on=bodies");
        let (key, value) = option.split_once('=').ok_or_else(wrong)?;
        match (key.trim(), value.trim()) {
            ("dir", value) => target.direction = Some(numbers(value).ok_or_else(wrong)?),
            ("pair", value) => target.pair = Some(numbers(value).ok_or_else(wrong)?),
            ("on", "bodies") => target.on_bodies = true,
            ("on", "master") => target.on_bodies = false,
            _ => return Err(wrong()),
        }
    }
    Ok(())
}

pub(super) fn numbers<T: std::str::FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
    let items: Result<Vec<T>, _> = text.split(',').map(|x| x.trim().parse()).collect();
    items.ok()?.try_into().ok()
}

/// `BOX1,BOX2`, `label:A`, `id:1-3`, `re:.*` (to the end), `box:` with its six numbers.
fn who(text: &str) -> Result<Who, String> {
    if text == "all" {
        return Ok(Who::All);
    }
    let mut rules = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut commas = rest.match_indices(',').map(|(at, _)| at);
        let end = match () {
            () if rest.starts_with("re:") => rest.len(),
            () if rest.starts_with("box:") => commas.nth(5).unwrap_or(rest.len()),
            () => commas.next().unwrap_or(rest.len()),
        };
        let rule = rest[..end].trim();
        rules.push((rule.to_string(), rule.parse::<BodyRule>()?));
        rest = rest[end..].trim_start_matches(',');
    }
    if rules.is_empty() {
        return Err("no bodies after '@'; write @BOX* or @label:BOX or @id:12".into());
    }
    Ok(Who::Rules(rules))
}

/// The one body of a point: its label may hold commas.
fn one(text: &str) -> Result<Who, String> {
    let rule = text.trim();
    match rule {
        "all" => Ok(Who::All),
        "" => who(rule),
        _ => Ok(Who::Rules(vec![(rule.to_string(), rule.parse()?)])),
    }
}

/// `label:BOX(x,y,z)`: bodies and the point; without a point the mass centre is meant.
fn point(text: &str) -> Result<(&str, Option<[f64; 3]>), String> {
    let wrong = || format!("'{text}' is not a point of a body; write label:BOX(x,y,z) or id:12(x,y,z)");
    let Some(open) = text.rfind('(') else { return Ok((text, None)) };
    let inside = text[open + 1..].strip_suffix(')').ok_or_else(wrong)?;
    let coordinates: Vec<&str> = inside.split(',').collect();
    if coordinates.len() == 1 {
        // brackets of a label
        return Ok((text, None));
    }
    let reference: [f64; 3] = numbers(inside).ok_or_else(wrong)?;
    if reference.iter().all(|x| x.is_finite()) {
        Ok((&text[..open], Some(reference)))
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::item::{Field, Measure};

    fn item(text: &str) -> Item {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn texts(who: &Who) -> Vec<&str> {
        match who {
            Who::All => vec!["all"],
            Who::Rules(rules) => rules.iter().map(|(text, _)| text.as_str()).collect(),
        }
    }

    #[test]
    fn points_are_read() {
        let tip = item("tip=DZ@label:BEAM (A)(0,-1e-3,1)");
        assert_eq!((tip.title.as_str(), tip.unit().to_string().as_str()), ("tip", "m"));
        let Expr::Of(Quantity::Point { field, body, reference }) = &tip.expr else { panic!("not a point") };
        assert_eq!((*field, *reference), (Field::Displacement(2), Some([0.0, -1e-3, 1.0])));
        assert_eq!(texts(body), ["label:BEAM (A)"]);
        let center = item("SXY@label:BEAM (A)");
        let Expr::Of(Quantity::Point { field, body, reference }) = &center.expr else { panic!("not a point") };
        assert_eq!((*field, *reference, texts(body)), (Field::Stress(3), None, vec!["label:BEAM (A)"]));
    }

    #[test]
    fn labels_of_points_may_hold_anything() {
        for (text, label, at) in [
            ("CX@label:A,B(1,2,3)", "label:A,B", Some([1.0, 2.0, 3.0])),
            ("CX@label:BOX(12)", "label:BOX(12)", None),
            ("CX@label:BOX(12)(1,2,3)", "label:BOX(12)", Some([1.0, 2.0, 3.0])),
        ] {
            let Expr::Of(Quantity::Point { body, reference, .. }) = item(text).expr else { panic!("{text}") };
            assert_eq!((texts(&body), reference), (vec![label], at), "{text}");
        }
    }

    #[test]
    fn constraints_are_read() {
        let up = item("R[dir=0,0,2;pair=1,2;on=bodies]@BOX1,BOX2");
        assert_eq!(up.title, "R[dir=0,0,2;pair=1,2;on=bodies]@BOX1,BOX2");
        let Expr::Of(Quantity::AtConstraints(at)) = &up.expr else { panic!("not at constraints") };
        assert_eq!((at.direction, at.pair), (Some(([0.0, 0.0, 1.0], 2.0)), Some([1, 2])));
        assert!(at.on_bodies && !at.contacts_only);
        assert_eq!(texts(&at.bodies), ["BOX1", "BOX2"]);
        let Expr::Of(Quantity::AtConstraints(at)) = &item("CUY").expr else { panic!("not at constraints") };
        assert_eq!((at.direction, at.measure), (Some(([0.0, 1.0, 0.0], 1.0)), Measure::Velocity));
        assert!(at.contacts_only && matches!(at.bodies, Who::All));
        let lists = item("GAP@box:0,0,0,1,1,1,re:^A,B$");
        let Expr::Of(Quantity::AtConstraints(at)) = &lists.expr else { panic!("not at constraints") };
        assert_eq!(texts(&at.bodies), ["box:0,0,0,1,1,1", "re:^A,B$"]);
    }

    #[test]
    fn functions_are_read() {
        let Expr::Sum(terms) = &item("all=sum(DX@A(0,0,1),abs(DY@B), CX@C)").expr else { panic!("not a sum") };
        assert_eq!(terms.len(), 3);
        assert!(matches!(terms[1], Expr::Abs(_)));
        let Expr::Sum(terms) = &item("sum(KINETIC@BOX1,BOX2,INTERNAL)").expr else { panic!("not a sum") };
        let Expr::Of(Quantity::Energy { bodies, .. }) = &terms[0] else { panic!("not an energy") };
        assert_eq!((terms.len(), texts(bodies)), (2, vec!["BOX1", "BOX2"]));
        assert!(matches!(item("diff(cumsum(CONS))").expr, Expr::Diff(_)));
    }

    #[test]
    fn titles_default_to_the_item() {
        assert_eq!(item("KINETIC@label:a=b").title, "KINETIC@label:a=b");
        assert_eq!(item("e=KINETIC@label:a=b").title, "e");
        assert_eq!(item("RZ[on=master]").title, "RZ[on=master]");
    }

    #[test]
    fn wrong_items_say_what_to_write() {
        for (text, expected) in [
            ("", "is empty"),
            ("KINETIK", "no such item"),
            ("=KINETIC", "empty column name"),
            ("a=", "no item after"),
            ("DZ", "of which point"),
            ("DZ@BOX(1,2)", "not a point of a body"),
            ("DZ@BOX(1,2,x)", "not a point of a body"),
            ("DZ@BOX(1,2,inf)", "not a point of a body"),
            ("STEP@BOX", "leave out the bodies"),
            ("KINETIC@id:x", "write id:7"),
            ("KINETIC@", "no bodies after"),
            ("KINETIC[dir=0,0,1]", "takes no direction"),
            ("GAP[dir=0,0,1]", "has no direction"),
            ("RX[dir=0,0,1]", "has a direction already"),
            ("R[dir=0,0,0]", "has no length"),
            ("R[dir=0,0]", "no option"),
            ("R[dir=0,0,1", "not closed"),
            ("R[up]", "no option"),
            ("sum(KINETIC,STEP)", "combine quantities of one unit"),
            ("abs(STEP,CONS)", "takes one item"),
            ("cumsum(KINETIK)", "no such item"),
        ] {
            let error = text.parse::<Item>().expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
