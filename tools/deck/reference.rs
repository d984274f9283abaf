//! The command reference as Markdown, made from the table.

use super::differences::difference;
use super::table::{describe, signature, Arg, Chapter, Class, Language, Modes};

const HEAD: &str = "\
# Commands of the deck language

Generated from the table in tools/deck; a test fails when this page is stale. In `NAME (a, b | c=1)` arguments after the bar
are optional. Every command takes its arguments by position or by name. Points and lists may be any sequence, numpy arrays
included; integers may be floats without a fraction; 'ON' and 'OFF' may be True and False. Wrong input raises TypeError,
ValueError or RuntimeError with the place in the deck, the command and a remedy. docs/decks.md explains how decks run. Units
are SI, angles of ROTATE are degrees; quantities without a unit are dimensionless. \"Solfec 1.0:\" marks how a command differs
from the original.
";

/// docs/commands.md.
pub fn markdown(language: &Language) -> String {
    let mut text = HEAD.to_string();
    for chapter in Chapter::ALL {
        text += &format!("\n## {}\n", chapter.title());
        for command in language.commands.iter().filter(|c| c.chapter == chapter) {
            text += &format!("\n### {}\n\n`{}`\n\n", command.name, signature(command.name, command.args));
            text += &format!("{} Returns {}.", command.doc, command.returns);
            if command.modes == Modes::WriteOnly {
                text += " Does nothing in READ mode.";
            }
            text.push('\n');
            text += &arguments(command.args);
            if let Some(told) = difference(command.name) {
                text += &format!("\nSolfec 1.0: {told}\n");
            }
            if let Some(class) = language.class(command.name) {
                text += &members(class);
            }
        }
        let alone = |class: &&&Class| class.chapter == chapter && language.command(class.name).is_none();
        for class in language.classes.iter().filter(alone) {
            text += &format!("\n### Members of {}\n\n{}\n", class.name, class.doc);
            text += &members(class);
        }
    }
    text += "\n## Not in this version\n\nThese commands of Solfec 1.0 are not available and raise an error:\n\n";
    for absent in language.absent {
        let line = format!("* `{} {}`: {} Subject: {}.\n", absent.name, absent.signature, absent.doc, absent.with);
        text += &line;
    }
    text
}

fn arguments(args: &[Arg]) -> String {
    if args.is_empty() {
        return String::new();
    }
    let lines = args.iter().map(|a| format!("* `{}`: {}\n", a.name, describe(a)));
    format!("\n{}", lines.collect::<String>())
}

fn members(class: &Class) -> String {
    let mut text = String::new();
    for member in class.members {
        let unit = if member.unit.is_empty() { String::new() } else { format!(" [{}]", member.unit) };
        let assigned = match &member.set {
            Some((kind, _)) => format!("; assign {}", kind.describe()),
            None => String::new(),
        };
        text += &format!("* `.{}`: {}{unit}{assigned}\n", member.name, member.doc);
    }
    for method in class.methods {
        text += &format!("* `.{}`: {} Returns {}.\n", signature(method.name, method.args), method.doc, method.returns);
    }
    if text.is_empty() {
        return text;
    }
    format!("\nMembers:\n\n{text}")
}
