use super::*;

/// docs/commands.md is what the table says. `SF_UPDATE_DOCS=1` writes it anew.
#[test]
fn is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let made = solfec_tools::deck::reference::markdown(&solfec_tools::deck::Language::standard());
    if std::env::var_os("SF_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "docs/commands.md is stale; run SF_UPDATE_DOCS=1 cargo test --test deck reference");
}
