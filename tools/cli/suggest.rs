//! What a name that does not exist may have been meant to be.

/// ` (did you mean KINETIC?)`, or nothing when no name is like the one given. Case does not matter; otherwise one letter
/// in three may differ.
pub fn did_you_mean<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    let lower = given.to_lowercase();
    let far = |name: &str| strsim::osa_distance(&lower, &name.to_lowercase());
    let best = names.filter(|name| !name.is_empty()).map(|name| (far(name), name)).min_by_key(|(far, _)| *far);
    match best {
        Some((far, name)) if far <= lower.chars().count().div_ceil(3) => format!(" (did you mean {name}?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn names_that_are_near() {
        let near = |given| did_you_mean(given, ["KINETIC", "CZ", "BALL", ""].into_iter());
        assert_eq!(near("KINETICS"), " (did you mean KINETIC?)");
        assert_eq!(near("kinetic"), " (did you mean KINETIC?)");
        assert_eq!(near("cz"), " (did you mean CZ?)");
        assert_eq!(near("BAL"), " (did you mean BALL?)");
        assert_eq!(near("SOMETHING"), "");
    }
}
