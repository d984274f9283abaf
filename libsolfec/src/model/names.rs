//! How decks and messages call what a model holds.

use super::BodyRow;

impl BodyRow {
    /// `body 12 'BRICK' (deck line 41)`, for messages.
    pub fn title(&self) -> String {
        title(self.id, &self.label, self.line)
    }
}

/// The title of a body; a label that is empty and line 0 are left out.
pub fn title(id: u64, label: &str, line: u32) -> String {
    let label = if label.is_empty() { String::new() } else { format!(" '{label}'") };
    let line = if line > 0 { format!(" (deck line {line})") } else { String::new() };
    format!("body {id}{label}{line}")
}
