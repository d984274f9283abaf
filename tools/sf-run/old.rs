//! What is said of results that were there and are read: that nothing is computed, how old they are, and whether the
//! deck is the one that made them.

use std::time::{Duration, SystemTime};

use solfec_formats::model::Provenance;
use solfec_formats::results::Results;

use crate::cli::Record;

/// The line about `results` for a deck that holds `deck`; nothing if that was asked for and is no surprise.
pub fn told(results: &Results, deck: &str, asked_for: bool) -> Option<String> {
    let provenance = results.provenance().unwrap_or_default();
    let changed = changed(&provenance, deck);
    if asked_for && changed != Some(true) {
        return None;
    }
    let age = provenance.runs.last().and_then(|run| Record::end(run)).map_or(String::new(), |end| {
        let age = SystemTime::now().duration_since(end).unwrap_or_default();
        format!(" of {} ago", in_words(age))
    });
    let text = match changed {
        Some(true) => "; the text of the deck has changed since",
        Some(false) => "; the deck has not changed since",
        None => "",
    };
    Some(format!("reading results{age}, nothing is computed{text}; -w runs again"))
}

/// Whether the deck has another text than the one that was run; unknown if none is stored.
fn changed(provenance: &Provenance, deck: &str) -> Option<bool> {
    (!provenance.deck.is_empty()).then(|| provenance.deck != deck)
}

/// The largest unit of which there are two or more.
fn in_words(age: Duration) -> String {
    let seconds = age.as_secs();
    let units = [(86_400, "days"), (3600, "hours"), (60, "minutes")];
    match units.into_iter().find(|(unit, _)| seconds >= 2 * unit) {
        Some((unit, name)) => format!("{} {name}", seconds / unit),
        None => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_rounded() {
        let words = |seconds| in_words(Duration::from_secs(seconds));
        assert_eq!(
            [0, 119, 120, 7199, 7200, 200_000].map(words),
            ["0 s", "119 s", "2 minutes", "119 minutes", "2 hours", "2 days"]
        );
    }

    #[test]
    fn a_deck_without_a_stored_text_is_not_compared() {
        let stored = Provenance { deck: "a".into(), ..Provenance::default() };
        assert_eq!([changed(&stored, "a"), changed(&stored, "b")], [Some(false), Some(true)]);
        assert_eq!(changed(&Provenance::default(), "a"), None);
    }
}
