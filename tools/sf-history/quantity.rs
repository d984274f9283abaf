//! One quantity as text: `NAME[options]@TARGET`, where TARGET is bodies or a point of a body.

use super::item::{Quantity, Who};
use super::names::{is_point_item, quantity, Target};
use crate::cli::BodyRule;

/// `NAME[options]@TARGET`.
pub fn quantity_text(text: &str) -> Result<Quantity, String> {
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

pub fn numbers<T: std::str::FromStr, const N: usize>(text: &str) -> Option<[T; N]> {
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
