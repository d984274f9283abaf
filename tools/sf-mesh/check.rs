//! What is wrong with meshes: check.

use clap::Args;
use serde_json::json;
use solfec::meshdata::{faults, Fault};
use solfec_formats::meshes::Part;

use super::files::Input;
use super::verb::Verb;
use crate::cli::{harmless, write_stdout, CliError, Common, Exit};

/// Rows of a fault that are named.
const SHOWN: usize = 10;

#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    input: Input,
}

impl Verb for Check {
    const NAME: &'static str = "check";
    const ABOUT: &'static str =
        "Find inverted, flat, duplicate, non-manifold and dangling things; exit code 1 if there are any";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let file = self.input.read(common)?;
        let found: Vec<(&Part, Vec<Fault>)> = file.parts.iter().map(|part| (part, faults(&part.mesh))).collect();
        let count: usize = found.iter().map(|(_, faults)| faults.len()).sum();
        let mut text = String::new();
        if common.json {
            let fault = |part: &Part, fault: &Fault| {
                let kind = fault.text.split(' ').next().unwrap_or_default();
                json!({"part": part.name, "fault": fault.name, "of": kind, "text": fault.text, "count": fault.rows.len(),
                       "rows": fault.rows})
            };
            let all: Vec<_> = found.iter().flat_map(|(part, faults)| faults.iter().map(|f| fault(part, f))).collect();
            text += &format!("{}\n", json!({"schema": "sf-mesh-check/1", "sound": count == 0, "faults": all}));
        } else {
            for (part, faults) in &found {
                let name = if part.name.is_empty() { String::new() } else { format!("{}: ", part.name) };
                faults.iter().for_each(|fault| text += &format!("{name}{}\n", line(fault)));
            }
        }
        write_stdout(harmless(&text).as_bytes())?;
        match count {
            0 => Ok(()),
            1 => Err(CliError::new(Exit::No, "the mesh has a fault")),
            n => Err(CliError::new(Exit::No, format!("the mesh has faults of {n} kinds"))),
        }
    }
}

/// `inverted: 3 elements that are inverted ...: 4, 5, 7`.
fn line(fault: &Fault) -> String {
    let rows: Vec<String> = fault.rows.iter().take(SHOWN).map(u32::to_string).collect();
    let dots = if fault.rows.len() > SHOWN { ", ..." } else { "" };
    format!("{}: {} {}: {}{dots}", fault.name, fault.rows.len(), fault.text, rows.join(", "))
}
