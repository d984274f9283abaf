//! Abaqus input files, read line by line ("Abaqus Keywords Reference Guide"): *NODE, *ELEMENT, *NSET, *ELSET, *SURFACE,
//! *SOLID SECTION, *PART, *INSTANCE. Other keywords are passed over, but for those that would make or change a mesh:
//! these are errors. [`abaqus_deck`](super::abaqus_deck) makes meshes of what is found here.

use std::path::Path;

use solfec::math::Vec3;

use super::abaqus_deck::{Deck, Entry, Instance, RawCell, RawPart, RawSet, RawSurface, Scope};
use super::text::{shown, Text};
use super::{MeshFile, SecondOrder, SetKind};
use crate::error::Result;

/// Keywords that make or change nodes and elements, and are not read.
const REFUSED: &[&str] = &["INCLUDE", "NGEN", "NFILL", "NCOPY", "ELGEN", "ELCOPY", "NMAP", "SYSTEM", "IMPORT"];

/// A keyword line: `*ELEMENT, TYPE=C3D8`.
struct Keyword {
    name: String,
    parameters: Vec<(String, String)>,
}

impl Keyword {
    fn parse(line: &str) -> Keyword {
        let mut words = line.trim_start_matches('*').split(',');
        let name = words.next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
        let parameter = |word: &str| {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            (key.trim().to_uppercase(), value.trim().trim_matches('"').to_string())
        };
        Keyword { name, parameters: words.map(parameter).filter(|(key, _)| !key.is_empty()).collect() }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.parameters.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn wanted(&self, key: &str, text: &Text) -> Result<String> {
        self.get(key)
            .filter(|value| !value.is_empty())
            .map(str::to_string)
            .ok_or_else(|| text.fail(format!("*{}: the parameter {key} is missing", self.name)))
    }
}

/// What the data lines that follow belong to.
enum Open {
    Skip,
    Nodes { set: Option<String> },
    Elements { corners: usize, nodes: usize, face: bool, set: Option<String> },
    Set { at: usize, generate: bool },
    Surface { at: usize, of_nodes: bool },
    Instance,
}

pub(super) fn read(bytes: &[u8], name: &str, _: &Path) -> Result<(MeshFile, Vec<String>)> {
    let mut text = Text::new(bytes, name);
    let mut reader =
        Reader { deck: Deck::default(), part: None, instance: None, second_order: SecondOrder::default(), block: None };
    let mut open = Open::Skip;
    // Numbers of the element that continues on the next line.
    let mut pending: Vec<i64> = Vec::new();
    while let Some(line) = text.line() {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"**") {
            continue;
        }
        if line.starts_with(b"*") {
            unfinished(&pending, &text)?;
            let mut words = utf8(line, &text)?.to_string();
            while words.ends_with(',') {
                words += utf8(text.wanted_line("the rest of the keyword line")?, &text)?.trim();
            }
            open = reader.keyword(&Keyword::parse(&words), &text)?;
            continue;
        }
        match &open {
            Open::Skip => {}
            Open::Elements { corners, nodes, face, set } => {
                for word in fields(line) {
                    pending.push(text.integer(word, "a label of an element or node")?);
                }
                if pending.len() > *nodes {
                    if pending.len() > nodes + 1 {
                        let n = pending.len() - 1;
                        return Err(text.fail(format!("the element has {n} nodes, but its type has {nodes}")));
                    }
                    reader.element(&pending, *corners, *face, set.as_deref(), &text)?;
                    pending.clear();
                }
            }
            other => reader.data(other, line, &text)?,
        }
    }
    unfinished(&pending, &text)?;
    if let Some(block) = reader.block {
        return Err(text.fail(format!("the file ends within *{block}, but *END {block} should follow; it is cut off")));
    }
    if reader.deck.parts.iter().all(|part| part.nodes.is_empty()) && reader.deck.instances.is_empty() {
        return Err(text.fail("no *NODE in the whole file; an Abaqus input file with a mesh is expected"));
    }
    let Reader { deck, mut second_order, .. } = reader;
    second_order.curved = deck.parts.iter().map(RawPart::curved).sum();
    let (mut file, mut remarks) = deck.meshes(&text)?;
    remarks.extend(super::corners_only(&mut file, second_order));
    Ok((file, remarks))
}

fn unfinished(pending: &[i64], text: &Text) -> Result<()> {
    match pending.first() {
        Some(label) => Err(text.fail(format!("element {label} has too few nodes; its list is cut off"))),
        None => Ok(()),
    }
}

fn utf8<'a>(line: &'a [u8], text: &Text) -> Result<&'a str> {
    std::str::from_utf8(line)
        .map_err(|_| text.fail(format!("{} is not text; an Abaqus input file is expected", shown(line))))
}

/// Fields between commas; the last may be missing.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&b| b == b',').map(<[u8]>::trim_ascii).filter(|field| !field.is_empty())
}

struct Reader {
    deck: Deck,
    /// The part whose lines these are.
    part: Option<usize>,
    instance: Option<usize>,
    second_order: SecondOrder,
    /// PART or ASSEMBLY, if the lines are in one.
    block: Option<&'static str>,
}

impl Reader {
    /// The part at hand; one without a name if there is none.
    fn part(&mut self) -> &mut RawPart {
        let parts = &mut self.deck.parts;
        let at = *self.part.get_or_insert_with(|| {
            parts.push(RawPart::default());
            parts.len() - 1
        });
        &mut parts[at]
    }

    /// Where sets and surfaces belong: the assembly has its own.
    fn scope(&mut self) -> &mut Scope {
        match self.part.is_none() && self.deck.in_assembly {
            true => &mut self.deck.assembly,
            false => &mut self.part().scope,
        }
    }

    fn keyword(&mut self, key: &Keyword, text: &Text) -> Result<Open> {
        let name = key.name.as_str();
        if REFUSED.contains(&name) {
            return Err(text.fail(format!("*{name} is not read; write the nodes and elements out, in one file")));
        }
        Ok(match name {
            "PART" => {
                self.deck.parts.push(RawPart { name: key.wanted("NAME", text)?, ..RawPart::default() });
                (self.part, self.block) = (Some(self.deck.parts.len() - 1), Some("PART"));
                Open::Skip
            }
            "END PART" => {
                (self.part, self.block) = (None, None);
                Open::Skip
            }
            "ASSEMBLY" => {
                (self.part, self.deck.in_assembly, self.block) = (None, true, Some("ASSEMBLY"));
                Open::Skip
            }
            "END ASSEMBLY" => {
                self.block = None;
                Open::Skip
            }
            "INSTANCE" => {
                let (name, part) = (key.wanted("NAME", text)?, key.wanted("PART", text)?);
                self.deck.instances.push(Instance { name, part, numbers: Vec::new() });
                self.instance = Some(self.deck.instances.len() - 1);
                Open::Instance
            }
            "END INSTANCE" => {
                self.instance = None;
                Open::Skip
            }
            "NODE" | "ELEMENT" if self.instance.is_some() || (self.deck.in_assembly && self.part.is_none()) => {
                return Err(text.fail(format!("*{name} outside of a part is not read; put it into a *PART")));
            }
            "NODE" => match key.get("SYSTEM") {
                None | Some("R" | "r" | "") => Open::Nodes { set: key.get("NSET").map(str::to_string) },
                Some(other) => {
                    return Err(text.fail(format!("*NODE: SYSTEM={other} is not read; use rectangular ones")))
                }
            },
            "ELEMENT" => {
                let kind = key.wanted("TYPE", text)?.to_uppercase();
                let Some((corners, nodes, face)) = element_type(&kind) else {
                    return Err(text.fail(format!(
                        "unknown element type {kind}; known are C3D4, C3D5, C3D6, C3D8, C3D10, C3D15, C3D20 and triangles \
                         and quadrilaterals such as S3 and S4"
                    )));
                };
                Open::Elements { corners, nodes, face, set: key.get("ELSET").map(str::to_string) }
            }
            "NSET" | "ELSET" => {
                let kind = if name == "NSET" { SetKind::Nodes } else { SetKind::Elements };
                let instance = key.get("INSTANCE").map(str::to_string);
                let set = RawSet { kind, name: key.wanted(name, text)?, instance, entries: Vec::new() };
                let sets = &mut self.scope().sets;
                sets.push(set);
                Open::Set { at: sets.len() - 1, generate: key.get("GENERATE").is_some() }
            }
            "SURFACE" => {
                let kind = key.get("TYPE").unwrap_or("ELEMENT").to_uppercase();
                let of_nodes = match kind.as_str() {
                    "ELEMENT" => false,
                    "NODE" => true,
                    _ => return Ok(Open::Skip),
                };
                let surface = RawSurface { name: key.wanted("NAME", text)?, entries: Vec::new(), of_nodes };
                let surfaces = &mut self.scope().surfaces;
                surfaces.push(surface);
                Open::Surface { at: surfaces.len() - 1, of_nodes }
            }
            "SOLID SECTION" => {
                let set = key.wanted("ELSET", text)?;
                self.scope().sections.push(set);
                Open::Skip
            }
            _ => Open::Skip,
        })
    }

    fn data(&mut self, open: &Open, line: &[u8], text: &Text) -> Result<()> {
        match open {
            Open::Nodes { set } => {
                let mut words = line.split(|&b| b == b',').map(<[u8]>::trim_ascii);
                let label = text.integer(words.next().unwrap_or_default(), "the label of a node")?;
                let mut x = Vec3::zeros();
                for (x, word) in x.iter_mut().zip(words).filter(|(_, word)| !word.is_empty()) {
                    *x = text.real(word, "a coordinate")?;
                }
                let part = self.part();
                part.labels.push(label);
                part.nodes.push(x);
                if let Some(set) = set {
                    part.scope.add(SetKind::Nodes, set, Entry::Label(label));
                }
            }
            Open::Set { at, generate } => {
                let entries: Vec<Entry> = match generate {
                    true => vec![generated(line, text)?],
                    false => fields(line).map(|word| entry(word, text)).collect::<Result<_>>()?,
                };
                self.scope().sets[*at].entries.extend(entries);
            }
            Open::Surface { at, of_nodes } => {
                let mut words = fields(line);
                let what = entry(words.next().unwrap_or_default(), text)?;
                let face = match (of_nodes, words.next()) {
                    (true, _) => None,
                    (false, Some(word)) => Some(face_number(word, text)?),
                    (false, None) => None,
                };
                self.scope().surfaces[*at].entries.push((what, face));
            }
            Open::Instance => {
                let numbers: Vec<f64> =
                    fields(line).map(|word| text.real(word, "a number of *INSTANCE")).collect::<Result<_>>()?;
                if let Some(instance) = self.instance {
                    self.deck.instances[instance].numbers.push(numbers);
                }
            }
            Open::Skip | Open::Elements { .. } => {}
        }
        Ok(())
    }

    fn element(&mut self, numbers: &[i64], corners: usize, face: bool, set: Option<&str>, text: &Text) -> Result<()> {
        self.second_order.cells += usize::from(numbers.len() - 1 > corners);
        if let (4, Some(ten)) = (corners, numbers[1..].first_chunk::<10>()) {
            self.part().tens.push(*ten);
        }
        let mut nodes = [0; 8];
        nodes[..corners].copy_from_slice(&numbers[1..=corners]);
        let label = numbers[0];
        if nodes[..corners].iter().any(|&n| n <= 0) {
            return Err(text.fail(format!("element {label} names a node that is not positive")));
        }
        let part = self.part();
        part.cells.push(RawCell { label, corners: corners as u8, face, nodes });
        if let Some(set) = set {
            part.scope.add(SetKind::Elements, set, Entry::Label(label));
        }
        Ok(())
    }
}

/// A label, the name of another set, or either within an instance: `BRICK-1.17`.
fn entry(word: &[u8], text: &Text) -> Result<Entry> {
    let word = utf8(word, text)?.trim_matches('"');
    if word.is_empty() {
        return Err(text.fail("a label or the name of a set is expected"));
    }
    Ok(word.parse().map_or_else(|_| Entry::Name(word.into()), Entry::Label))
}

fn generated(line: &[u8], text: &Text) -> Result<Entry> {
    let numbers: Vec<i64> =
        fields(line).map(|word| text.integer(word, "a bound of GENERATE")).collect::<Result<_>>()?;
    match numbers[..] {
        [first, last] if first <= last => Ok(Entry::Range(first, last, 1)),
        [first, last, step] if first <= last && step > 0 => Ok(Entry::Range(first, last, step)),
        _ => Err(text.fail("GENERATE: first, last and a positive step are expected")),
    }
}

/// `S3` or `SPOS`, `SNEG` of shells.
fn face_number(word: &[u8], text: &Text) -> Result<usize> {
    let name = utf8(word, text)?.to_uppercase();
    match name.strip_prefix('S').map(str::parse::<usize>) {
        Some(Ok(number @ 1..=6)) => Ok(number - 1),
        _ if name == "SPOS" || name == "SNEG" => Ok(0),
        _ => Err(text.fail(format!("'{name}' is no face; S1 to S6 are expected"))),
    }
}

/// Corners, nodes, and whether it is a face, by the name of a type.
fn element_type(kind: &str) -> Option<(usize, usize, bool)> {
    let digits = |rest: &str| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<usize>().ok();
    if let Some(at) = kind.find("C3D") {
        let nodes = digits(&kind[at + 3..])?;
        let corners = match nodes {
            4 | 10 => 4,
            5 | 13 => 5,
            6 | 15 => 6,
            8 | 20 | 27 => 8,
            _ => return None,
        };
        return Some((corners, nodes, false));
    }
    let prefixes = ["STRI", "SFM3D", "R3D", "M3D", "S"];
    let nodes = prefixes.iter().find_map(|prefix| kind.strip_prefix(prefix).and_then(digits))?;
    match nodes {
        3 | 6 => Some((3, nodes, true)),
        4 | 8 => Some((4, nodes, true)),
        _ => None,
    }
}
