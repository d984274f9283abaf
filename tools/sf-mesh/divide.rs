//! Meshes in parts: split, by a plane or along faces.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use solfec::meshdata::{face_key, FaceKey};
use solfec::meshing::{separate, split_mesh, Halves, Opening, Plane, Split};
use solfec::shape::{Mesh, RawMesh};
use solfec_formats::meshes::{MeshFile, Part, Set, SetKind};

use super::files::{checked, named, tell_lost_sets, Input, Output};
use super::generate::points;
use super::verb::Verb;
use crate::cli::{non_negative, CliError, Common};

#[derive(Debug, Args)]
pub struct Halve {
    #[command(flatten)]
    input: Input,
    /// Point of the plane and its normal: six numbers
    #[arg(
        long,
        value_name = "X",
        num_args = 6,
        allow_negative_numbers = true,
        required_unless_present = "faces",
        conflicts_with = "faces"
    )]
    plane: Vec<f64>,
    /// Text file with faces between elements, 3 or 4 node numbers from 0 in a line, as faces-on-plane lists them: the
    /// mesh is opened along them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["topoadj", "no_remesh"])]
    faces: Option<PathBuf>,
    /// Surface ids of the new faces that look along the normal (of the plane; of the face, counter-clockwise), and
    /// against it
    #[arg(long, value_names = ["A", "B"], num_args = 2, default_values_t = [0, 0], allow_negative_numbers = true)]
    surfids: Vec<i32>,
    /// Open only the connected part of the cut that the point is on
    #[arg(long)]
    topoadj: bool,
    /// Refuse a plane that does not follow the faces of elements
    #[arg(long)]
    no_remesh: bool,
    /// Points nearer to the plane than this are on it [m]
    #[arg(long, value_name = "D", default_value_t = solfec::model::GEOMETRIC_EPSILON, value_parser = non_negative)]
    epsilon: f64,
    #[command(flatten)]
    output: Output,
}

impl Verb for Halve {
    const NAME: &'static str = "split";
    const ABOUT: &'static str =
        "Split meshes by a plane into parts BELOW and ABOVE, or open them along faces between elements";

    fn run(self, common: &Common) -> Result<(), CliError> {
        let file = self.input.read(common)?;
        let parts = match &self.faces {
            Some(path) => self.opened(&file, path)?,
            None => self.halved(&file)?,
        };
        self.output.write(&MeshFile::of(parts), common)
    }
}

impl Halve {
    fn halved(&self, file: &MeshFile) -> Result<Vec<Part>, CliError> {
        let given = points(&self.plane);
        let split = Split {
            plane: Plane::new(given[0], given[1])?,
            surfids: [self.surfids[0], self.surfids[1]],
            epsilon: self.epsilon,
            near: self.topoadj.then_some(given[0]),
            remesh: !self.no_remesh,
        };
        let mut parts = Vec::new();
        let (mut far, mut cut) = (false, false);
        for part in &file.parts {
            let mesh = checked(part)?;
            let found = split_mesh(&mesh, &split)?;
            far |= found.is_none();
            // Parts without the point stay whole.
            let halves = found.unwrap_or_else(|| Halves { below: vec![mesh], above: Vec::new(), cut: false });
            cut |= halves.cut;
            parts.extend(numbered(part, "BELOW", &halves.below));
            parts.extend(numbered(part, "ABOVE", &halves.above));
        }
        if far && !cut {
            return Err(split.far().into());
        }
        tell_lost_sets(file.parts.iter().flat_map(|part| &part.sets));
        Ok(parts)
    }

    fn opened(&self, file: &MeshFile, path: &Path) -> Result<Vec<Part>, CliError> {
        let surfids = [self.surfids[0], self.surfids[1]];
        let mut parts = Vec::new();
        for part in &file.parts {
            let mesh = checked(part)?;
            let faces: Vec<Opening> =
                faces(path, mesh.nodes.len())?.into_iter().map(|nodes| Opening { nodes, surfids }).collect();
            let pieces = separate(&marked(&mesh), &faces)?;
            if pieces.is_empty() {
                let text = format!("none of the faces in {} lies between two elements", path.display());
                return Err(CliError::bad_input(named(part, &text)));
            }
            let (origins, pieces): (Vec<Vec<u32>>, Vec<Mesh>) = pieces.into_iter().map(|p| unmarked(&mesh, p)).unzip();
            let mut found = numbered(part, "PIECE", &pieces);
            let of_piece = found.iter_mut().zip(&origins);
            of_piece.for_each(|(piece, origin)| piece.sets = sets_of(part, origin, &piece.mesh));
            let is_there =
                |set: &Set| found.iter().flat_map(|p| &p.sets).any(|s| (s.kind, &s.name) == (set.kind, &set.name));
            tell_lost_sets(part.sets.iter().filter(|set| !is_there(set)));
            parts.extend(found);
        }
        Ok(parts)
    }
}

/// A mesh whose volume ids are the numbers of its elements.
fn marked(mesh: &Mesh) -> Mesh {
    let mut marked = mesh.clone();
    (0..).zip(&mut marked.elements).for_each(|(e, element)| element.volid = e);
    marked
}

/// A piece of a marked mesh with the volume ids of the mesh again, and which element each of its elements was.
fn unmarked(mesh: &Mesh, mut piece: Mesh) -> (Vec<u32>, Mesh) {
    let origin: Vec<u32> = piece.elements.iter().map(|element| element.volid as u32).collect();
    let back = piece.elements.iter_mut().zip(&origin);
    back.for_each(|(element, e)| element.volid = mesh.elements[*e as usize].volid);
    (origin, piece)
}

/// The sets of a part in the rows of a piece of it, whose elements were these of the part. All copies of a node, and
/// both sides of a face, belong to the sets that they were in.
fn sets_of(part: &Part, origin: &[u32], piece: &RawMesh) -> Vec<Set> {
    let mut node = vec![0; piece.nodes.len()];
    for (element, e) in piece.elements.iter().zip(origin) {
        let old = part.mesh.elements[*e as usize].nodes();
        element.nodes().iter().zip(old).for_each(|(new, old)| node[*new as usize] = *old);
    }
    let old_key = |nodes: &[u32]| face_key(&nodes.iter().map(|n| node[*n as usize]).collect::<Vec<u32>>());
    let among = |rows: &[u32], row: u32| rows.binary_search(&row).is_ok();
    let of = |set: &Set| {
        let rows = match set.kind {
            SetKind::Nodes => chosen(&node, |old| among(&set.rows, *old)),
            SetKind::Elements => chosen(origin, |old| among(&set.rows, *old)),
            SetKind::Faces => {
                let faces = set.rows.iter().filter_map(|row| part.mesh.faces.get(*row as usize));
                let keys: HashSet<FaceKey> = faces.filter_map(|(nodes, _)| face_key(nodes)).collect();
                chosen(&piece.faces, |(nodes, _)| old_key(nodes).is_some_and(|key| keys.contains(&key)))
            }
        };
        Set { rows, ..set.clone() }
    };
    part.sets.iter().map(of).filter(|set| !set.rows.is_empty()).collect()
}

fn chosen<T>(of: &[T], is_wanted: impl Fn(&T) -> bool) -> Vec<u32> {
    (0..).zip(of).filter(|(_, x)| is_wanted(x)).map(|(row, _)| row).collect()
}

/// Meshes as parts that have the name of the part they are from, `what`, and a number if there are several.
fn numbered(part: &Part, what: &str, meshes: &[Mesh]) -> Vec<Part> {
    let prefix = if part.name.is_empty() { String::new() } else { format!("{}-", part.name) };
    let one = |(k, mesh): (usize, &Mesh)| {
        let number = if meshes.len() > 1 { format!("-{}", k + 1) } else { String::new() };
        Part { name: format!("{prefix}{what}{number}"), mesh: RawMesh::from(mesh), sets: Vec::new() }
    };
    meshes.iter().enumerate().map(one).collect()
}

/// The faces of a text file: a line each; what follows a # is passed over.
fn faces(path: &Path, count: usize) -> Result<Vec<Vec<u32>>, CliError> {
    let text = std::fs::read_to_string(path).map_err(|e| CliError::file(path, "read", &e))?;
    let mut faces = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let place = format!("{}:{line}", path.display());
        let wrong = |text: String| CliError::bad_input(format!("{place}: {text}"));
        let words = content.split('#').next().unwrap_or_default().split_whitespace();
        let node = |word: &str| {
            let found = word.parse::<u32>().ok().filter(|&n| (n as usize) < count);
            found.ok_or_else(|| wrong(format!("'{word}' is no node; there are 0 to {}", count.saturating_sub(1))))
        };
        let face = words.map(node).collect::<Result<Vec<u32>, CliError>>()?;
        let repeated = face.iter().enumerate().any(|(i, n)| face[..i].contains(n));
        match face.len() {
            0 => {}
            3 | 4 if !repeated => faces.push(face),
            n => return Err(wrong(format!("{n} nodes; a face has 3 or 4 different ones"))),
        }
    }
    Ok(faces)
}
