//! A part of a mesh: extract.

use clap::Args;
use solfec::meshdata::{compact, extract, Kept};
use solfec_formats::meshes::{Part, Set, SetKind};

use super::files::{tell_lost_sets, Input, Output};
use super::verb::Verb;
use crate::cli::{did_you_mean, CliError, Common};

#[derive(Debug, Args)]
pub struct Extract {
    #[command(flatten)]
    input: Input,
    /// Elements with one of these volume ids, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', allow_negative_numbers = true)]
    volid: Vec<i32>,
    /// Elements of this named set
    #[arg(long, value_name = "NAME")]
    set: Option<String>,
    /// The boundary as a surface; with --surfid the faces with these surface ids only
    #[arg(long)]
    surface: bool,
    /// Surface ids, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', requires = "surface", allow_negative_numbers = true)]
    surfid: Vec<i32>,
    #[command(flatten)]
    output: Output,
}

impl Verb for Extract {
    const NAME: &'static str = "extract";
    const ABOUT: &'static str = "Take out a part, elements by volume id or set, or the boundary as a surface";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let mut file = self.input.read(common)?;
        if let Some(name) = &self.set {
            let sets = || file.parts.iter().flat_map(|part| &part.sets).filter(|set| set.kind == SetKind::Elements);
            if !sets().any(|set| set.name == *name) {
                let near = did_you_mean(name, sets().map(|set| set.name.as_str()));
                return Err(CliError::bad_input(format!("no set of elements '{name}'{near}")));
            }
        }
        for part in &mut file.parts {
            if !self.volid.is_empty() || self.set.is_some() {
                *part = self.elements(part);
            }
        }
        if self.surface {
            tell_lost_sets(file.parts.iter().flat_map(|part| &part.sets));
            file.parts.iter_mut().for_each(|part| *part = self.boundary(part));
        }
        file.parts.retain(|part| !part.mesh.elements.is_empty() || !part.mesh.faces.is_empty());
        match file.parts.is_empty() {
            true => Err(CliError::bad_input("nothing is left: no element or face has these ids")),
            false => self.output.write(&file, common),
        }
    }
}

impl Extract {
    fn elements(&self, part: &Part) -> Part {
        let part = part.explicit();
        let rows = self.set.as_ref().map(|name| {
            let found = part.sets.iter().find(|set| set.kind == SetKind::Elements && set.name == *name);
            found.map_or(Vec::new(), |set| set.rows.clone())
        });
        let keep = |row: usize, volid: i32| {
            (self.volid.is_empty() || self.volid.contains(&volid))
                && rows.as_ref().is_none_or(|rows| rows.binary_search(&(row as u32)).is_ok())
        };
        let mut left = vec![false; part.mesh.nodes.len()];
        let kept = part.mesh.elements.iter().enumerate().filter(|(row, e)| keep(*row, e.volid));
        for &n in kept.flat_map(|(_, element)| element.nodes()) {
            if let Some(left) = left.get_mut(n as usize) {
                *left = true;
            }
        }
        let on = |nodes: &[u32]| nodes.iter().all(|&n| left.get(n as usize).copied().unwrap_or(false));
        let (mesh, kept) = extract(&part.mesh, |row, e| keep(row, e.volid), |_, nodes, _| on(nodes));
        Part { name: part.name.clone(), sets: sets(&part, &kept), mesh }
    }

    fn boundary(&self, part: &Part) -> Part {
        let wanted = |surfid: i32| self.surfid.is_empty() || self.surfid.contains(&surfid);
        let mut mesh = part.surface();
        mesh.faces.retain(|face| wanted(face.1));
        compact(&mut mesh);
        Part { name: part.name.clone(), mesh, sets: Vec::new() }
    }
}

/// Sets of an extract in its own rows.
fn sets(part: &Part, kept: &Kept) -> Vec<Set> {
    let of = |set: &Set| {
        let kept = match set.kind {
            SetKind::Nodes => &kept.nodes,
            SetKind::Elements => &kept.elements,
            SetKind::Faces => &kept.faces,
        };
        let rows = set.rows.iter().filter_map(|row| kept.binary_search(row).ok()).map(|row| row as u32).collect();
        Set { rows, ..set.clone() }
    };
    part.sets.iter().map(of).filter(|set| !set.rows.is_empty()).collect()
}
