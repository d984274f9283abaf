//! Manual pages: what clap knows of a tool, then the prose of docs/man/NAME.md.

use clap::Command;
use clap_mangen::Man;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use roff::{bold, roman, Inline, Roff};

/// A tool and the prose of its page.
pub struct Page {
    pub command: Command,
    prose: &'static str,
}

/// All tools.
pub fn pages() -> Vec<Page> {
    let page = |command: Command, prose| Page { command, prose };
    vec![
        page(solfec_tools::build::command(), include_str!("../../docs/man/sf-build.md")),
        page(solfec_tools::run::command(), include_str!("../../docs/man/sf-run.md")),
        page(solfec_tools::history::command(), include_str!("../../docs/man/sf-history.md")),
        page(solfec_tools::xdmf::command(), include_str!("../../docs/man/sf-xdmf.md")),
        page(solfec_tools::info::command(), include_str!("../../docs/man/sf-info.md")),
        page(solfec_tools::mesh::command(), include_str!("../../docs/man/sf-mesh.md")),
        page(solfec_tools::modal::command(), include_str!("../../docs/man/sf-modal.md")),
        page(solfec_tools::matrices::command(), include_str!("../../docs/man/sf-mm-export.md")),
        page(solfec_tools::locdyn::command(), include_str!("../../docs/man/sf-locdyn-compare.md")),
    ]
}

impl Page {
    pub fn name(&self) -> &str {
        self.command.get_name()
    }

    /// The page in roff.
    pub fn roff(&self) -> std::io::Result<Vec<u8>> {
        // The version of the page is that of the suite, not of the machine it was made on.
        let command = self.command.clone().version(env!("CARGO_PKG_VERSION")).after_long_help("");
        let subcommands: Vec<Command> =
            command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect();
        let date = concat!("version ", env!("CARGO_PKG_VERSION"));
        let man =
            Man::new(command.disable_help_subcommand(true)).date(date).source("Solfec tools").manual("Solfec tools");
        let mut text = Vec::new();
        man.render_title(&mut text)?;
        man.render_name_section(&mut text)?;
        man.render_synopsis_section(&mut text)?;
        man.render_options_section(&mut text)?;
        for sub in subcommands {
            let title = format!("OPTIONS OF {}", sub.get_name().to_uppercase());
            let mut options = Vec::new();
            Man::new(sub).render_options_section(&mut options)?;
            text.extend(String::from_utf8_lossy(&options).replacen("OPTIONS", &format!("\"{title}\""), 1).bytes());
        }
        prose(self.prose).to_writer(&mut text)?;
        Ok(text)
    }
}

/// The sections of a page in Markdown; its title and synopsis stand in what clap tells.
fn prose(markdown: &str) -> Roff {
    let mut writer = Writer::default();
    let from = markdown.find("\n## ").unwrap_or(0);
    for event in Parser::new_ext(&markdown[from..], Options::ENABLE_TABLES) {
        writer.take(event);
    }
    writer.roff
}

#[derive(Default)]
struct Writer {
    roff: Roff,
    /// Of the paragraph, heading or cell at hand.
    line: Vec<Inline>,
    /// Of the table row at hand.
    cells: Vec<Vec<Inline>>,
    bold: bool,
    code: bool,
}

impl Writer {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(Tag::Strong | Tag::Emphasis) => self.bold = true,
            Event::End(TagEnd::Strong | TagEnd::Emphasis) => self.bold = false,
            Event::Start(Tag::CodeBlock(_)) => {
                self.code = true;
                self.roff.control("PP", []).control("RS", ["4"]).control("nf", []);
            }
            Event::End(TagEnd::CodeBlock) => {
                self.code = false;
                self.roff.control("fi", []).control("RE", []);
            }
            Event::Start(Tag::Item) => {
                self.roff.control("IP", ["\\(bu", "2"]);
            }
            Event::Start(Tag::Paragraph) => {
                self.roff.control("PP", []);
            }
            Event::End(TagEnd::Heading(_)) => {
                let title: String = self.line.drain(..).map(text_of).collect();
                self.roff.control("SH", [title.to_uppercase().as_str()]);
            }
            Event::End(TagEnd::Paragraph | TagEnd::Item) => self.flush(),
            Event::End(TagEnd::TableCell) => self.cells.push(std::mem::take(&mut self.line)),
            Event::End(TagEnd::TableHead) => self.cells.clear(),
            Event::End(TagEnd::TableRow) => self.row(),
            Event::Text(text) if self.code => {
                for line in text.lines() {
                    self.roff.text([roman(line)]);
                }
            }
            Event::Text(text) => self.line.push(if self.bold { bold(&*text) } else { roman(&*text) }),
            Event::Code(text) => self.line.push(bold(&*text)),
            Event::SoftBreak | Event::HardBreak => self.line.push(roman(" ")),
            _ => {}
        }
    }

    fn flush(&mut self) {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.roff.text(line);
        }
    }

    /// The first cell is what the others tell about.
    fn row(&mut self) {
        let mut cells = std::mem::take(&mut self.cells).into_iter();
        self.roff.control("TP", []);
        if let Some(head) = cells.next() {
            self.roff.text(head);
        }
        let rest: Vec<Vec<Inline>> = cells.filter(|cell| !cell.is_empty()).collect();
        self.roff.text(rest.join(&roman("; ")));
    }
}

fn text_of(inline: Inline) -> String {
    match inline {
        Inline::Roman(text) | Inline::Italic(text) | Inline::Bold(text) => text,
        Inline::LineBreak => " ".into(),
    }
}
