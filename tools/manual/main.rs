//! Writes manual pages or completions: `cargo run --example manual -- man DIR`, `... -- completions DIR`.

mod pages;

use std::io::Error;
use std::path::Path;

use clap_complete::{generate_to, Shell};

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, folder] = &arguments[..] else {
        return Err(Error::other("give man DIR or completions DIR"));
    };
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    for mut page in pages::pages() {
        let name = page.name().to_string();
        if what == "man" {
            std::fs::write(folder.join(format!("{name}.1")), page.roff()?)?;
            continue;
        }
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            generate_to(shell, &mut page.command, &name, folder)?;
        }
    }
    Ok(())
}
