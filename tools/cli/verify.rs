//! Whether a file of ours is whole. Every tool that verifies calls this one function.

use std::path::Path;

use serde_json::Value;

use super::child::{read_in_child, Outcome};
use super::{require_exists, CliError, Exit};

/// What a check has found.
#[derive(Debug, Default)]
pub struct Checked {
    /// What the file is, if it is whole: `model, 2 bodies`.
    pub is: Option<String>,
    pub problems: Vec<String>,
}

/// What is wrong with a model, results, checkpoint or FCLIB file, as `sf-run --check-file` finds it in a process of its
/// own, which damaged files may crash; that a file does so is a problem too.
///
/// # Errors
/// It is missing, cannot be read, or is none of these.
pub fn verify(path: &Path) -> Result<Checked, CliError> {
    require_exists(path)?;
    match read_in_child("sf-run", &["--json", "--check-file"], path)? {
        Outcome::Killed(text) => Ok(Checked { is: None, problems: vec![text] }),
        Outcome::Ended { code, stdout, stderr } => {
            let document = serde_json::from_slice(&stdout).unwrap_or_default();
            answer(code, &document, &String::from_utf8_lossy(&stderr))
        }
    }
}

fn answer(code: i32, document: &Value, told: &str) -> Result<Checked, CliError> {
    if let Some(problems) = document["problems"].as_array() {
        let problems = problems.iter().filter_map(|p| Some(p.as_str()?.to_string())).collect();
        return Ok(Checked { is: document["is"].as_str().map(String::from), problems });
    }
    let exit = match code {
        3 => Exit::BadInput,
        4 => Exit::Io,
        71 => Exit::Memory,
        _ => Exit::Internal,
    };
    let told = told.trim().rsplit_once("error: ").map_or("the process that checks gave no answer", |(_, text)| text);
    Err(CliError::new(exit, document["error"]["text"].as_str().unwrap_or(told)))
}

/// `--verify`: refuses a file that is not what was written.
///
/// # Errors
/// As of [`verify`]; the file is damaged (3).
pub fn require_sound(path: &Path) -> Result<(), CliError> {
    if path == Path::new("-") {
        return Err(CliError::usage("--verify: standard input has no second reading; give a file"));
    }
    let problems = verify(path)?.problems;
    let Some(first) = problems.first() else { return Ok(()) };
    let more = match problems.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    let text = format!("{first}{more}; 'sf-run --check-file {}' lists what is wrong", path.display());
    Err(CliError::bad_input(text).named("E_DAMAGED"))
}
