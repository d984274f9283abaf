//! What a history can show: `[name=]ITEM` of the command line (commands-and-results.md D.1, G.4).

use crate::cli::BodyRule;

/// Part of a point's motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Coordinate,
    Displacement,
    Velocity,
}

/// A quantity that has one value in each frame.
#[derive(Debug, Clone)]
pub enum Quantity {
    /// Column of the energies, summed over the bodies a rule names, all without one.
    Energy {
        column: usize,
        bodies: Option<(String, BodyRule)>,
    },
    Point {
        field: Field,
        axis: usize,
        body: (String, BodyRule),
        reference: [f64; 3],
    },
    Bodies,
    Constraints,
    Step,
    Iterations,
    Merit,
    /// Relative change of reactions in the last iteration.
    SolverError,
    /// Bodies born, or gone, since the previous frame.
    Births,
    Deaths,
    /// Seconds spent in a phase since the previous frame.
    Timer(String),
    /// Known, but no solver of these results has it: NaN.
    Absent,
}

/// A column of a history.
#[derive(Debug, Clone)]
pub struct Item {
    pub title: String,
    pub quantity: Quantity,
}

/// In the order of the files.
pub const ENERGIES: [&str; 6] = ["KINETIC", "INTERNAL", "EXTERNAL", "CONTACT", "FRICTION", "DISSIPATED"];
pub const TIMERS: [&str; 5] = ["TIMINT", "CONUPD", "CONDET", "LOCDYN", "CONSOL"];
const AXES: [&str; 3] = ["X", "Y", "Z"];
/// Statistics of solvers that are not Gauss-Seidel.
const OTHER_SOLVERS: [&str; 1] = ["NTITERS"];

/// All names with their meaning, for `--list` and error texts.
pub const CATALOGUE: [(&str, &str); 9] = [
    ("KINETIC INTERNAL EXTERNAL CONTACT FRICTION DISSIPATED", "energies [J] of all bodies, or KINETIC@BODIES of some"),
    ("CX CY CZ", "current coordinate [m] of a body point: CX@label:BOX(x,y,z), CX@id:12(x,y,z)"),
    ("DX DY DZ", "displacement [m] of a body point"),
    ("VX VY VZ", "velocity [m/s] of a body point"),
    ("BODS CONS NEWBODS DELBODS", "numbers of bodies, constraints; bodies born and gone since the last frame"),
    ("STEP", "time step [s]"),
    ("ITERS GSITERS NTITERS", "iterations of the last solve"),
    ("MERIT ERROR", "merit function and relative change of reactions of the last solve"),
    ("TIMINT CONUPD CONDET LOCDYN CONSOL", "seconds spent in a phase since the last frame"),
];

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
        Ok(Item { title: title.into(), quantity: parse_quantity(body)? })
    }
}

/// `name=ITEM`; an `=` after `@` belongs to the body.
fn split_title(text: &str) -> (&str, &str) {
    match text.find(['=', '@']) {
        Some(at) if text.as_bytes()[at] == b'=' => (&text[..at], &text[at + 1..]),
        _ => (text, text),
    }
}

fn parse_quantity(text: &str) -> Result<Quantity, String> {
    let (name, target) = match text.split_once('@') {
        Some((name, target)) => (name, Some(target)),
        None => (text, None),
    };
    if let Some(column) = ENERGIES.iter().position(|&e| e == name) {
        let bodies = target.map(parse_bodies).transpose()?;
        return Ok(Quantity::Energy { column, bodies });
    }
    if let Some((field, axis)) = parse_field(name) {
        let target = target.ok_or_else(|| format!("{name}: of which point? write {name}@label:BOX(x,y,z)"))?;
        let (body, reference) = parse_point(target)?;
        return Ok(Quantity::Point { field, axis, body, reference });
    }
    let quantity = match name {
        "BODS" => Quantity::Bodies,
        "CONS" => Quantity::Constraints,
        "STEP" => Quantity::Step,
        "ITERS" | "GSITERS" => Quantity::Iterations,
        "MERIT" => Quantity::Merit,
        "ERROR" => Quantity::SolverError,
        "NEWBODS" => Quantity::Births,
        "DELBODS" => Quantity::Deaths,
        _ if TIMERS.contains(&name) => Quantity::Timer(name.into()),
        _ if OTHER_SOLVERS.contains(&name) => Quantity::Absent,
        _ => return Err(format!("{name}: no such item; see sf-history --help, or --list for those of the results")),
    };
    match target {
        None => Ok(quantity),
        Some(_) => Err(format!("{text}: {name} belongs to the whole simulation; leave out the '@'")),
    }
}

fn parse_bodies(text: &str) -> Result<(String, BodyRule), String> {
    Ok((text.into(), text.parse()?))
}

fn parse_field(name: &str) -> Option<(Field, usize)> {
    let field = match name.get(..1)? {
        "C" => Field::Coordinate,
        "D" => Field::Displacement,
        "V" => Field::Velocity,
        _ => return None,
    };
    let axis = AXES.iter().position(|&a| a == &name[1..])?;
    Some((field, axis))
}

/// `label:BOX(x,y,z)`, `id:12(x,y,z)`, `BOX(x,y,z)`.
fn parse_point(text: &str) -> Result<((String, BodyRule), [f64; 3]), String> {
    let wrong = || format!("'{text}' is not a point of a body; write label:BOX(x,y,z) or id:12(x,y,z)");
    let open = text.rfind('(').ok_or_else(wrong)?;
    let inside = text[open + 1..].strip_suffix(')').ok_or_else(wrong)?;
    let numbers: Result<Vec<f64>, _> = inside.split(',').map(|x| x.trim().parse()).collect();
    let reference: [f64; 3] = numbers.ok().and_then(|n| n.try_into().ok()).ok_or_else(wrong)?;
    if !reference.iter().all(|x| x.is_finite()) {
        return Err(wrong());
    }
    Ok((parse_bodies(&text[..open])?, reference))
}

impl Item {
    /// SI unit, `1` for numbers.
    pub fn unit(&self) -> &'static str {
        match &self.quantity {
            Quantity::Energy { .. } => "J",
            Quantity::Point { field: Field::Velocity, .. } => "m/s",
            Quantity::Point { .. } => "m",
            Quantity::Step | Quantity::Timer(_) => "s",
            _ => "1",
        }
    }

    /// What an axis that shows it is called; items with the same name and unit share an axis.
    pub fn axis_name(&self) -> &'static str {
        match &self.quantity {
            Quantity::Energy { .. } => "energy",
            Quantity::Point { field, .. } => match field {
                Field::Coordinate => "coordinate",
                Field::Displacement => "displacement",
                Field::Velocity => "velocity",
            },
            Quantity::Bodies | Quantity::Births | Quantity::Deaths => "bodies",
            Quantity::Constraints => "constraints",
            Quantity::Step => "time step",
            Quantity::Iterations | Quantity::Absent => "iterations",
            Quantity::Merit => "merit",
            Quantity::SolverError => "relative change",
            Quantity::Timer(_) => "time spent",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read() {
        let item: Item = "tip=DZ@label:BEAM (A)(0,-1e-3,1)".parse().unwrap();
        assert_eq!((item.title.as_str(), item.unit()), ("tip", "m"));
        let Quantity::Point { field, axis, body, reference } = item.quantity else {
            panic!("not a point");
        };
        assert_eq!((field, axis, reference), (Field::Displacement, 2, [0.0, -1e-3, 1.0]));
        assert_eq!(body.0, "label:BEAM (A)");
    }

    #[test]
    fn titles_default_to_the_item() {
        let item: Item = "KINETIC@label:a=b".parse().unwrap();
        assert_eq!(item.title, "KINETIC@label:a=b");
        assert!(matches!(item.quantity, Quantity::Energy { column: 0, bodies: Some(_) }));
    }

    #[test]
    fn wrong_items_say_what_to_write() {
        for (text, remedy) in [
            ("CX", "write CX@label:BOX(x,y,z)"),
            ("DZ@BOX", "write label:BOX(x,y,z)"),
            ("DZ@BOX(1,2)", "write label:BOX(x,y,z)"),
            ("DZ@BOX(1,2,inf)", "write label:BOX(x,y,z)"),
            ("KINETIK", "--list"),
            ("BODS@id:1", "leave out the '@'"),
            ("=BODS", "empty column name"),
            ("", "an item is empty"),
            ("tip=", "no item after '='"),
            ("D\u{e9}", "--list"),
        ] {
            let error = text.parse::<Item>().unwrap_err();
            assert!(error.contains(remedy), "{text}: {error}");
        }
    }
}
