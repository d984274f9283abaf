//! The manual pages are those that the tools and docs/man/*.md make today; man reads them without a complaint.

#[path = "../tools/manual/pages.rs"]
mod pages;

use std::path::Path;
use std::process::Command;

use clap_complete::{Generator, Shell};

/// `SF_UPDATE_DOCS=1` writes them.
#[test]
fn pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/man");
    for page in pages::pages() {
        let path = folder.join(format!("{}.1", page.name()));
        let made = page.roff().expect("memory takes a page");
        if std::env::var_os("SF_UPDATE_DOCS").is_some() {
            std::fs::write(&path, &made).expect("docs/man can be written");
        }
        let there = std::fs::read(&path).unwrap_or_default();
        assert!(there == made, "{} is stale; run 'make man'", path.display());
    }
}

/// `make install` installs them as they are, so that nothing has to be compiled for three text files.
#[test]
fn completions_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/completions");
    for mut page in pages::pages() {
        let name = page.name().to_string();
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut made = Vec::new();
            clap_complete::generate(shell, &mut page.command, &name, &mut made);
            let path = folder.join(shell.file_name(&name));
            if std::env::var_os("SF_UPDATE_DOCS").is_some() {
                std::fs::create_dir_all(&folder).expect("docs can be written");
                std::fs::write(&path, &made).expect("docs/completions can be written");
            }
            let there = std::fs::read(&path).unwrap_or_default();
            assert!(there == made, "{} is stale; run 'make completions'", path.display());
        }
    }
}

/// What make installs: every tool, stripped, with its page and its completions.
#[test]
fn every_tool_is_installed() {
    let makefile = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Makefile")).expect("a Makefile");
    let tools = makefile.lines().find_map(|line| line.strip_prefix("TOOLS    := ")).expect("a list of tools");
    let mut listed: Vec<&str> = tools.split(' ').collect();
    let pages = pages::pages();
    let mut made: Vec<&str> = pages.iter().map(pages::Page::name).collect();
    listed.sort_unstable();
    made.sort_unstable();
    assert_eq!(listed, made);
    assert!(makefile.contains("install -s $(TOOLS:%=$(RELEASE)/%)"));
}

/// Every option of a tool stands in its page, and the prose does too.
#[test]
fn pages_hold_options_and_prose() {
    for page in pages::pages() {
        let text = String::from_utf8(page.roff().expect("memory takes a page")).expect("pages are text");
        let plain = text.replace("\\-", "-");
        for option in page.command.get_arguments().filter(|a| !a.is_hide_set()).filter_map(|a| a.get_long()) {
            assert!(plain.contains(&format!("--{option}")), "{}: --{option}", page.name());
        }
        let about = page.command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(!about.is_empty() && !about.contains('#'), "{}: {about}", page.name());
        for section in ["NAME", "SYNOPSIS", "OPTIONS", "DESCRIPTION", "EXAMPLES", "\"EXIT CODES\"", "\"SEE ALSO\""] {
            assert!(plain.contains(&format!(".SH {section}")), "{}: no section {section}", page.name());
        }
    }
}

#[test]
fn man_reads_them() {
    if Command::new("groff").arg("--version").output().is_err() {
        tools_testing::skip::skipped("groff is not installed");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/man");
    for page in pages::pages() {
        let path = folder.join(format!("{}.1", page.name()));
        let output = Command::new("groff").args(["-Kutf8", "-Tutf8", "-man", "-ww", "-z"]).arg(&path).output();
        let output = output.expect("groff runs");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && told.is_empty(), "{}: {told}", path.display());
    }
}
