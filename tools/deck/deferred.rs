//! Commands for which a deck does not wait: what they give is known beforehand, and they fail only for mistakes that a
//! deck does not provoke on purpose. The deck goes on at once; an error comes with the next answer (docs/decks.md).
//! Decks try HULL and catch its error: it waits where a function under way catches anything.

use serde_json::{json, Value as Json};

/// What a command gives when it succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gives {
    None,
    /// Its first argument, if that is an object.
    Argument,
    /// A new shape of this class.
    Shape(&'static str),
    /// A new body of the SOLFEC object that is the first argument.
    Body,
}

const DEFERRED: &[(&str, Gives)] = &[
    ("CONVEX", Gives::Shape("CONVEX")),
    ("HULL", Gives::Shape("CONVEX")),
    ("MESH", Gives::Shape("MESH")),
    ("HEX", Gives::Shape("MESH")),
    ("SPHERE", Gives::Shape("SPHERE")),
    ("ELLIP", Gives::Shape("ELLIP")),
    ("PIPE", Gives::Shape("MESH")),
    ("TRANSLATE", Gives::Argument),
    ("BEND", Gives::Argument),
    ("ROTATE", Gives::Argument),
    ("SCALE", Gives::Argument),
    ("BODY", Gives::Body),
    ("BODY_CHARS", Gives::None),
    ("INITIAL_VELOCITY", Gives::None),
    ("GRAVITY", Gives::None),
    ("FORCE", Gives::None),
    ("TORQUE", Gives::None),
    ("CONTACT_EXCLUDE_BODIES", Gives::None),
    ("CONTACT_EXCLUDE_SURFACES", Gives::None),
];

/// Commands that decks try.
const TRIED: [&str; 1] = ["HULL"];

/// What the prelude has to know of a command in order not to wait for it: `gives` is nothing, argument or object; an
/// object has this class and is numbered among shapes, or `of_first` among the bodies of the first argument. One that
/// is `tried` waits where its error may be caught.
pub fn json(command: &str) -> Option<Json> {
    let (_, gives) = DEFERRED.iter().find(|(name, _)| *name == command)?;
    let mut later = match gives {
        Gives::None => json!({"gives": "nothing", "of_first": false}),
        Gives::Argument => json!({"gives": "argument", "of_first": true}),
        Gives::Shape(class) => json!({"gives": "object", "class": class, "of_first": false}),
        Gives::Body => json!({"gives": "object", "class": "BODY", "of_first": true}),
    };
    later["tried"] = TRIED.contains(&command).into();
    Some(later)
}

/// Classes whose objects belong to a SOLFEC object, which their first number names.
pub const WITHIN: &[&str] = &["SOLFEC", "BODY", "CONSTRAINT", "BULK_MATERIAL", "SURFACE_MATERIAL", "FIELD"];
