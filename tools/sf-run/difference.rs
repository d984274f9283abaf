//! Whether a model is another one, grown (architecture.md: tables only grow): results can go on with it then.

use crate::deck::model_difference;
use solfec::model::Model;

/// The first thing in which `new` is not `old` with rows added; `None`: it is.
pub fn difference(old: &Model, new: &Model) -> Option<String> {
    let plain = [
        ("name of the results", old.name != new.name),
        ("analysis", old.analysis != new.analysis),
        ("time step", old.step.to_bits() != new.step.to_bits()),
        ("legacy switches (--compat)", old.compat != new.compat),
    ];
    if let Some((name, _)) = plain.into_iter().find(|(_, differs)| *differs) {
        return Some(format!("{name} differ"));
    }
    if let Some(text) = model_difference(new, old) {
        return Some(text);
    }
    if old.settings != new.settings {
        return Some("settings differ".into());
    }
    rows("time series", &old.series, &new.series)
        .or_else(|| rows("bulk material", &old.bulk, &new.bulk))
        .or_else(|| rows("surface material", &old.surface, &new.surface))
        .or_else(|| rows("geometry", &old.library, &new.library))
        .or_else(|| rows("shape", &old.shapes, &new.shapes))
        .or_else(|| bodies(old, new))
        .or_else(|| rows("constraint", &old.constraints, &new.constraints))
        .or_else(|| rows("load", &old.loads, &new.loads))
        .or_else(|| rows("function", &old.functions, &new.functions))
        .or_else(|| rows("operation", &old.program, &new.program))
}

/// The same, where nothing may have been added either.
pub fn any_difference(old: &Model, new: &Model) -> Option<String> {
    difference(old, new).or_else(|| difference(new, old))
}

fn rows<T: PartialEq>(name: &str, old: &[T], new: &[T]) -> Option<String> {
    if let Some(k) = old.iter().zip(new).position(|(a, b)| a != b) {
        return Some(format!("{name} {k} differs"));
    }
    (new.len() < old.len()).then(|| format!("{} rows of {name} instead of {}", new.len(), old.len()))
}

fn bodies(old: &Model, new: &Model) -> Option<String> {
    let differs = old.bodies.iter().zip(&new.bodies).find(|(a, b)| a != b);
    let Some((body, _)) = differs else { return rows("body", &old.bodies, &new.bodies) };
    Some(format!("body {} '{}' (deck line {}) differs", body.id, body.label, body.line))
}
