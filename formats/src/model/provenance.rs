//! `/provenance`: where a file comes from. In model files and in results.

use super::checked::Table;
use super::{Input, Provenance};
use crate::error::Result;
use crate::store::{In, Out};

solfec::table! {
    /// The deck.
    pub(crate) struct DeckRows("decks", "1") {
        text: String = "provenance/deck", "1", "text of the deck" .optional();
    }
}

solfec::table! {
    /// Files that the deck opened.
    pub(crate) struct InputRows("inputs", "f") row InputRow {
        path: String = "provenance/inputs/path", "1", "file that the deck opened" .optional();
        size: u64 = "provenance/inputs/size", "B", "its size" .optional();
        sha256: String = "provenance/inputs/sha256", "1", "its SHA-256" .optional();
    }
}

solfec::table! {
    /// Tools that touched the file.
    pub(crate) struct ToolRows("tools", "p") {
        run: String = "provenance/runs", "1", "one JSON object for each tool that touched the file" .optional();
    }
}

/// `/provenance`, in model files and in results.
pub(crate) fn write(out: &mut Out, p: &Provenance) -> Result<()> {
    out.put_table("", &DeckRows { text: vec![p.deck.clone()] })?;
    out.put_table("", &ToolRows { run: p.runs.clone() })?;
    let mut inputs = InputRows::default();
    for input in &p.inputs {
        let Input { path, size, sha256 } = input.clone();
        inputs.push(InputRow { path, size, sha256 });
    }
    out.put_table("", &inputs)
}

/// `/provenance`, of model files and of results.
pub(crate) fn read(from: &In) -> Result<Provenance> {
    let of_file = Table { from, base: String::new() };
    let inputs: InputRows = of_file.table(|_| {})?;
    let input = |i: usize| {
        let InputRow { path, size, sha256 } = inputs.row(i);
        Input { path, size, sha256 }
    };
    Ok(Provenance {
        deck: of_file.table::<DeckRows>(|_| {})?.text.concat(),
        inputs: (0..inputs.path.len()).map(input).collect(),
        runs: of_file.table::<ToolRows>(|_| {})?.run,
        requires_live: from.numbers::<1>("", "requires_live")?.is_some_and(|[x]| x != 0.0),
    })
}
