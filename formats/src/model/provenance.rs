//! `/provenance`: where a file comes from. In model files and in results.

use super::{Input, Provenance};
use crate::error::{Error, Result};
use crate::store::{In, Out};

/// `/provenance`, in model files and in results.
pub(crate) fn write(out: &mut Out, p: &Provenance) -> Result<()> {
    out.put_text("", "provenance/deck", &[&p.deck])?;
    out.put_text("", "provenance/runs", &p.runs)?;
    let of = |f: fn(&Input) -> &str| p.inputs.iter().map(f).collect::<Vec<_>>();
    out.put_text("", "provenance/inputs/path", &of(|i| &i.path))?;
    let sizes: Vec<u64> = p.inputs.iter().map(|i| i.size).collect();
    out.put("", "provenance/inputs/size", &sizes)?;
    out.put_text("", "provenance/inputs/sha256", &of(|i| &i.sha256))
}

/// `/provenance`, of model files and of results.
pub(crate) fn read(from: &In) -> Result<Provenance> {
    let texts = |path| Ok::<_, Error>(from.text_if("", path)?.unwrap_or_default());
    let paths = texts("provenance/inputs/path")?;
    let sizes = from.get_if::<u64>("", "provenance/inputs/size")?.unwrap_or_default();
    let hashes = texts("provenance/inputs/sha256")?;
    if paths.len() != sizes.len() || paths.len() != hashes.len() {
        let place = from.at("", "provenance/inputs");
        return Err(Error::format(&place, "columns path, size and sha256 differ in length"));
    }
    let inputs = paths.into_iter().zip(sizes).zip(hashes);
    Ok(Provenance {
        deck: texts("provenance/deck")?.concat(),
        inputs: inputs.map(|((path, size), sha256)| Input { path, size, sha256 }).collect(),
        runs: texts("provenance/runs")?,
        requires_live: from.numbers::<1>("", "requires_live")?.is_some_and(|[x]| x != 0.0),
    })
}
