//! Old decks as they are used: Python 2 decks of every pattern of commands-and-results.md B.2 and B.3, through `sf-run`.

use std::path::Path;

use super::common::*;

/// Runs a deck of tests/decks/patterns in `folder`; what it prints.
fn run(folder: &Folder, call: &str) -> String {
    let decks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decks/patterns");
    let launcher = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/launcher");
    done(
        folder,
        &format!("PATH={}:$PATH; D={}; {call}", launcher.display(), decks.display()),
    )
}
