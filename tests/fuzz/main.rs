//! Damaged input: whatever stands in a file, no tool panics, hangs, dies by a signal, or fails without a word.
//!
//! Files of every kind that the tools read are made once ([`seeds`]) and then changed, a third in their bytes
//! ([`bytes`]), the others in their structure ([`structure`]: HDF5 objects of a wrong shape, type or value; [`text`]:
//! words and numbers of decks and tables). All tools that read such a file are given it ([`readers`]). An input is known
//! by its number alone, so that a failure can be made again: `SF_FUZZ=N` makes input N only and keeps its folder,
//! `SF_FUZZ=A-B` those from A to B.
//!
//! The HDF5 library itself crashes on some files, or does not end. Where a tool is killed so, [`library`] reads the
//! file with the library alone; if that is killed as well, the input is counted and listed, and only `sf-info` and
//! `sf-run --check-file` must survive it.

mod bytes;
mod campaign;
mod known;
mod library;
mod random;
mod readers;
mod seeds;
mod structure;
mod text;

use tools_testing::size::large;

/// Inputs of the ordinary test, and with `SF_LARGE=1`.
const FEW: u64 = 60;
const MANY: u64 = 20_000;

#[test]
fn no_input_breaks_a_tool() {
    let count = if large() { MANY } else { FEW };
    let (inputs, keep) = match std::env::var("SF_FUZZ") {
        Ok(text) => {
            let number = |text: &str| text.parse::<u64>().expect("SF_FUZZ is N or A-B");
            let ends = text.split_once('-').map(|(first, last)| (number(first), number(last)));
            let (first, last) = ends.unwrap_or_else(|| (number(&text), number(&text)));
            (first..last + 1, first == last)
        }
        Err(_) => (0..count, false),
    };
    let report = campaign::run(inputs, keep);
    println!("{report}");
    assert!(report.broken.is_empty(), "{} runs broke a tool:\n{}", report.broken.len(), report.broken.join("\n"));
}

/// What the changes begin with is sound, and of kinds that the tools read.
#[test]
fn unchanged_input_is_read() {
    for (reader, ended, told) in campaign::unchanged() {
        // Of another step, and of another solver.
        let differs = ["other.hdf5", "ld.hdf5 solved"].map(|files| format!("sf-locdyn-compare {files}"));
        let differs = differs.iter().any(|begin| reader.starts_with(begin));
        assert!(
            ended == readers::Ended::Success || differs && ended == readers::Ended::No,
            "{reader}: {ended:?}: {told}"
        );
    }
}
