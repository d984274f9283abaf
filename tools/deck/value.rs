//! Values that travel between a deck and a command, and their form in a frame: JSON with references into raw numbers.

use serde_json::{json, Value as Json};

/// An object of the session as the deck holds it: its class and numbers that find it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle {
    pub class: &'static str,
    pub key: [u64; 2],
}

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    List(Vec<Value>),
    Tuple(Vec<Value>),
    /// A tuple whose items have these names; what is more than the tuple is an attribute.
    Named {
        names: &'static [&'static str],
        items: Vec<f64>,
        more: (&'static str, f64),
    },
    Reals(Vec<f64>),
    Ints(Vec<i64>),
    Handle(Handle),
    /// A function of the deck by its number among all that the deck handed over, from 0.
    Function {
        index: u32,
        name: String,
    },
    /// A text file that the deck named, or why it cannot be read.
    File {
        path: String,
        text: Result<String, String>,
    },
    /// Something commands cannot use, by the name of its Python type.
    Other(String),
}

impl Value {
    /// What the value is, for messages.
    pub fn describe(&self) -> String {
        match self {
            Value::None => "None".into(),
            Value::Bool(b) => if *b { "True" } else { "False" }.into(),
            Value::Int(i) => i.to_string(),
            Value::Real(x) => real_text(*x),
            Value::Text(t) => format!("'{t}'"),
            Value::List(v) | Value::Tuple(v) => format!("a sequence of {}", v.len()),
            Value::Named { items, .. } => format!("a sequence of {}", items.len()),
            Value::Reals(v) => format!("a sequence of {} numbers", v.len()),
            Value::Ints(v) => format!("a sequence of {} numbers", v.len()),
            Value::Handle(h) => format!("a {}", h.class),
            Value::Function { name, .. } => format!("the function '{name}'"),
            Value::File { path, .. } => format!("'{path}'"),
            Value::Other(kind) => format!("a {kind}"),
        }
    }

    /// A tuple of numbers.
    pub fn tuple(numbers: impl IntoIterator<Item = f64>) -> Value {
        Value::Tuple(numbers.into_iter().map(Value::Real).collect())
    }

    /// The deck's word for a switch.
    pub fn on_off(on: bool) -> Value {
        Value::Text(if on { "ON" } else { "OFF" }.into())
    }
}

/// A number as Python prints it.
pub fn real_text(x: f64) -> String {
    if x.is_finite() {
        let text = format!("{x:?}");
        text.strip_suffix(".0").map_or(text.clone(), str::to_string)
    } else if x.is_nan() {
        "nan".into()
    } else if x > 0.0 {
        "inf".into()
    } else {
        "-inf".into()
    }
}

/// The value of a JSON text with its raw numbers; `class` interns names of classes. `None`: not of the protocol.
pub fn decode(json: &Json, raw: &[u8], class: &dyn Fn(&str) -> Option<&'static str>) -> Option<Value> {
    Some(match json {
        Json::Null => Value::None,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => n.as_i64().map_or(Value::Real(n.as_f64().unwrap_or(f64::NAN)), Value::Int),
        Json::String(t) => Value::Text(t.clone()),
        Json::Array(items) => Value::List(items.iter().map(|item| decode(item, raw, class)).collect::<Option<_>>()?),
        Json::Object(map) => {
            if let Some(key) = map.get("h") {
                Value::Handle(Handle {
                    class: class(key.get(0)?.as_str()?)?,
                    key: [key.get(1)?.as_u64()?, key.get(2)?.as_u64()?],
                })
            } else if let Some(index) = map.get("fn") {
                Value::Function {
                    index: index.as_u64().and_then(|i| u32::try_from(i).ok())?,
                    name: map.get("name")?.as_str()?.into(),
                }
            } else if let Some(path) = map.get("file") {
                let text = |key| Some(map.get(key)?.as_str()?.to_string());
                Value::File { path: path.as_str()?.into(), text: text("text").ok_or(text("error").unwrap_or_default()) }
            } else if let Some(items) = map.get("t") {
                Value::Tuple(items.as_array()?.iter().map(|item| decode(item, raw, class)).collect::<Option<_>>()?)
            } else if let Some(kind) = map.get("x") {
                Value::Other(kind.as_str()?.into())
            } else if let Some(code) = map.get("a") {
                let start = usize::try_from(map.get("o")?.as_u64()?).ok()?;
                let bytes = usize::try_from(map.get("n")?.as_u64()?).ok()?.checked_mul(8)?;
                let words = raw.get(start..start.checked_add(bytes)?)?.chunks_exact(8);
                let words = words.map(|w| w.try_into().unwrap_or([0; 8]));
                match code.as_str()? {
                    "d" => Value::Reals(words.map(f64::from_le_bytes).collect()),
                    "q" => Value::Ints(words.map(i64::from_le_bytes).collect()),
                    _ => return None,
                }
            } else {
                Value::Real(match map.get("f")?.as_str()? {
                    "inf" => f64::INFINITY,
                    "-inf" => f64::NEG_INFINITY,
                    _ => f64::NAN,
                })
            }
        }
    })
}

/// The JSON of a value; long columns of numbers are appended to `raw`.
pub fn encode(value: &Value, raw: &mut Vec<u8>) -> Json {
    match value {
        Value::None | Value::Function { .. } | Value::File { .. } | Value::Other(_) => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(i) => json!(i),
        Value::Real(x) if x.is_finite() => json!(x),
        Value::Real(x) => json!({ "f": real_text(*x) }),
        Value::Text(t) => json!(t),
        Value::List(items) => Json::Array(items.iter().map(|item| encode(item, raw)).collect()),
        Value::Tuple(items) => {
            json!({"t": items.iter().map(|item| encode(item, raw)).collect::<Vec<_>>()})
        }
        Value::Named { names, items, more: (name, value) } => {
            let number = |x: &f64| encode(&Value::Real(*x), &mut Vec::new());
            json!({"names": names, "t": items.iter().map(number).collect::<Vec<_>>(), "more": [name, number(value)]})
        }
        Value::Reals(numbers) => {
            let start = raw.len();
            raw.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
            json!({"a": "d", "n": numbers.len(), "o": start})
        }
        Value::Ints(numbers) => {
            let start = raw.len();
            raw.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
            json!({"a": "q", "n": numbers.len(), "o": start})
        }
        Value::Handle(h) => json!({"h": [h.class, h.key[0], h.key[1]]}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_a_round_trip() {
        let value = Value::List(vec![
            Value::None,
            Value::Bool(true),
            Value::Int(-3),
            Value::Real(0.1),
            Value::Real(f64::INFINITY),
            Value::Text("é\"".into()),
            Value::Reals(vec![1.0, f64::NEG_INFINITY]),
            Value::Ints(vec![i64::MIN, 7]),
            Value::Handle(Handle { class: "BODY", key: [0, 4] }),
        ]);
        let mut raw = Vec::new();
        let json = encode(&value, &mut raw);
        let class = |name: &str| (name == "BODY").then_some("BODY");
        assert_eq!(decode(&json, &raw, &class), Some(value));
        assert_eq!(decode(&json!({"a": "d", "n": 9, "o": 0}), &raw, &class), None);
        assert_eq!(decode(&json!({"h": ["GHOST", 0, 0]}), &raw, &class), None);
        let function = Value::Function { index: 3, name: "f".into() };
        assert_eq!(decode(&json!({"fn": 3, "name": "f"}), &raw, &class), Some(function));
        assert_eq!(decode(&json!({"fn": -1, "name": "f"}), &raw, &class), None);
    }

    #[test]
    fn numbers_are_printed_as_in_python() {
        assert_eq!(real_text(0.5), "0.5");
        assert_eq!(real_text(-3.0), "-3");
        assert_eq!(real_text(f64::NEG_INFINITY), "-inf");
    }
}
