//! What an Abaqus input file describes, and the meshes of its parts and instances.
//!
//! Volume ids: the number in the name of an element set `VOLUME_<n>` of the part or the assembly, else the place of the
//! *SOLID SECTION of the element in the file, from 1, else 0. Surface ids: the number in the name of a surface
//! `SURFACE_<n>`, or of a surface or node set `SURF<n>`, of the part or the assembly; other surfaces get the next free
//! numbers from 1 in the order of the file.

use std::collections::{BTreeSet, HashMap};

use solfec::math::Vec3;
use solfec::meshdata::second_order::EDGES;
use solfec::meshdata::{self, FaceKey};
use solfec::shape::{rotation_about, RawElement, RawMesh};

use super::labels::Labels;
use super::text::Text;
use super::{is_curved, MeshFile, Part, SetKind};
use crate::error::Result;

/// Rows of our face table for Abaqus' faces S1, S2, ... of a hexahedron; other kinds have them in our order.
const HEX_FACES: [usize; 6] = [0, 5, 1, 2, 3, 4];

#[derive(Debug, Default)]
pub(super) struct Deck {
    pub parts: Vec<RawPart>,
    pub instances: Vec<Instance>,
    pub assembly: Scope,
    pub in_assembly: bool,
}

#[derive(Debug, Default)]
pub(super) struct RawPart {
    pub name: String,
    pub labels: Vec<i64>,
    /// Nodes of the tetrahedra of ten.
    pub tens: Vec<[i64; 10]>,
    pub nodes: Vec<Vec3>,
    pub cells: Vec<RawCell>,
    pub scope: Scope,
}

impl RawPart {
    /// How many of its tetrahedra of ten nodes have curved edges.
    pub fn curved(&self) -> usize {
        if self.tens.is_empty() {
            return 0;
        }
        let place: HashMap<i64, Vec3> = self.labels.iter().copied().zip(self.nodes.iter().copied()).collect();
        let of = |ten: &&[i64; 10]| {
            let nodes = ten.map(|label| place.get(&label).copied().unwrap_or(Vec3::repeat(f64::NAN)));
            is_curved(&nodes, &EDGES)
        };
        self.tens.iter().filter(of).count()
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RawCell {
    pub label: i64,
    pub corners: u8,
    pub face: bool,
    pub nodes: [i64; 8],
}

/// Sets, surfaces and sections of a part or of the assembly.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub sets: Vec<RawSet>,
    pub surfaces: Vec<RawSurface>,
    /// Element sets of *SOLID SECTION.
    pub sections: Vec<String>,
}

#[derive(Debug)]
pub(super) struct RawSet {
    pub kind: SetKind,
    pub name: String,
    pub instance: Option<String>,
    pub entries: Vec<Entry>,
}

#[derive(Debug)]
pub(super) struct RawSurface {
    pub name: String,
    pub of_nodes: bool,
    /// Elements or sets of elements and a face, or nodes.
    pub entries: Vec<(Entry, Option<usize>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Label(i64),
    Range(i64, i64, i64),
    Name(String),
}

/// A placed part, with the numbers of its data lines.
#[derive(Debug)]
pub(super) struct Instance {
    pub name: String,
    pub part: String,
    pub numbers: Vec<Vec<f64>>,
}

impl Scope {
    pub fn add(&mut self, kind: SetKind, name: &str, entry: Entry) {
        // Elements of one *ELEMENT follow one another: its set is the last of this name.
        let found = self.sets.iter().rposition(|set| set.kind == kind && set.name == name && set.instance.is_none());
        let at = found.unwrap_or_else(|| {
            self.sets.push(RawSet { kind, name: name.into(), instance: None, entries: Vec::new() });
            self.sets.len() - 1
        });
        self.sets[at].entries.push(entry);
    }
}

/// Names are the same whatever their case.
fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// `7` of `SURFACE_7` for the prefix `SURFACE_`.
fn number_behind(prefix: &str, name: &str) -> Option<i32> {
    let (head, tail) = name.split_at_checked(prefix.len())?;
    same(head, prefix).then(|| tail.parse().ok()).flatten()
}

/// The volume id, or surface id, of elements, or faces, in sets of this name: these are no sets but ids.
pub(super) fn id_of_set(kind: SetKind, name: &str) -> Option<i32> {
    match kind {
        SetKind::Nodes => None,
        SetKind::Elements => number_behind("VOLUME_", name),
        SetKind::Faces => number_behind("SURFACE_", name),
    }
}

/// The surface id that a surface or a set of nodes gives by its name.
pub(super) fn surface_number(name: &str) -> Option<i32> {
    number_behind("SURFACE_", name).or_else(|| number_behind("SURF", name))
}

impl Deck {
    /// A part for each instance, or for each part if there are none.
    pub fn meshes(&self, text: &Text) -> Result<(MeshFile, Vec<String>)> {
        let mut file = MeshFile::default();
        let mut remarks = Vec::new();
        for (p, part) in self.parts.iter().enumerate().filter(|_| self.instances.is_empty()) {
            file.parts.push(self.mesh(p, part, None, text)?);
        }
        for instance in &self.instances {
            let found = self.parts.iter().enumerate().find(|(_, part)| same(&part.name, &instance.part));
            let Some((p, part)) = found else {
                let text =
                    text.fail(format!("instance {} is of part {}, which is not there", instance.name, instance.part));
                return Err(text);
            };
            let mut mesh = self.mesh(p, part, Some(instance), text)?;
            mesh.name.clone_from(&instance.name);
            place(&mut mesh.mesh, instance, text)?;
            file.parts.push(mesh);
        }
        let lost = |part: &&RawPart| !self.instances.iter().any(|instance| same(&instance.part, &part.name));
        if !self.instances.is_empty() {
            remarks
                .extend(self.parts.iter().filter(lost).map(|p| format!("part {} has no instance: left out", p.name)));
        }
        Ok((file, remarks))
    }

    fn mesh(&self, number: usize, raw: &RawPart, instance: Option<&Instance>, text: &Text) -> Result<Part> {
        let mut part = Part { name: raw.name.clone(), ..Part::default() };
        let about = |what: String| match raw.name.is_empty() {
            true => text.fail(what),
            false => text.fail(format!("part {}: {what}", raw.name)),
        };
        let nodes = Labels::new(&raw.labels, text, "node")?;
        part.mesh.nodes.clone_from(&raw.nodes);
        let solid: Vec<&RawCell> = raw.cells.iter().filter(|cell| !cell.face).collect();
        let labels: Vec<i64> = solid.iter().map(|cell| cell.label).collect();
        let elements = Labels::new(&labels, text, "element")?;
        let shell: Vec<&RawCell> = raw.cells.iter().filter(|cell| cell.face).collect();
        for cell in raw.cells.iter() {
            let corners = &cell.nodes[..usize::from(cell.corners)];
            let mut rows = [0; 8];
            for (row, &label) in rows.iter_mut().zip(corners) {
                let found = nodes.row(label);
                *row = found
                    .ok_or_else(|| about(format!("element {} names node {label}, which is not there", cell.label)))?;
            }
            let rows = &rows[..corners.len()];
            if cell.face {
                part.mesh.faces.push((rows.to_vec(), 0));
            } else if let Ok(element) = RawElement::new(rows, 0) {
                part.mesh.elements.push(element);
            }
        }
        let shells = Labels::new(&shell.iter().map(|cell| cell.label).collect::<Vec<_>>(), text, "element")?;
        let rows = Rows { nodes, elements, shells, scopes: [&raw.scope, &self.assembly], instance };
        self.sets(&mut part, &rows);
        self.volumes(&mut part, number, &rows);
        surfaces(&mut part, &rows);
        Ok(part)
    }

    fn sets(&self, part: &mut Part, rows: &Rows) {
        for (set, assembly) in rows.sets() {
            let found = rows.of_set(set, assembly, &mut Seen::new());
            if id_of_set(set.kind, &set.name).is_none() && !found.is_empty() {
                part.add_to_set(set.kind, &set.name, found.into_iter());
            }
        }
    }

    fn volumes(&self, part: &mut Part, number: usize, rows: &Rows) {
        let earlier: usize = self.parts[..number].iter().map(|part| part.scope.sections.len()).sum();
        for (k, section) in self.parts[number].scope.sections.iter().enumerate() {
            for row in rows.named(SetKind::Elements, section, false, &mut Seen::new()) {
                part.mesh.elements[row as usize].volid = (earlier + k + 1) as i32;
            }
        }
        for (set, assembly) in rows.sets() {
            if let Some(volid) = id_of_set(set.kind, &set.name) {
                for row in rows.of_set(set, assembly, &mut Seen::new()) {
                    part.mesh.elements[row as usize].volid = volid;
                }
            }
        }
    }
}

/// Rows of the labels of a part, and the sets that name them.
struct Rows<'a> {
    nodes: Labels,
    elements: Labels,
    shells: Labels,
    scopes: [&'a Scope; 2],
    instance: Option<&'a Instance>,
}

/// Names of sets that a search has come through: each counts once, so that sets may name one another.
type Seen = BTreeSet<(SetKind, bool, String)>;

impl<'a> Rows<'a> {
    /// Sets of the part and of the assembly that name rows of this part, and whether they are of the assembly.
    fn sets(&self) -> impl Iterator<Item = (&'a RawSet, bool)> + use<'_, 'a> {
        let scopes = self.scopes.into_iter().zip([false, true]);
        let all = scopes.flat_map(|(scope, assembly)| scope.sets.iter().map(move |set| (set, assembly)));
        all.filter(|(set, assembly)| self.concerns(set, *assembly))
    }

    /// Whether a set of the part, or of the assembly, names rows of this part.
    fn concerns(&self, set: &RawSet, assembly: bool) -> bool {
        match (&set.instance, self.instance) {
            (Some(name), Some(instance)) => same(name, &instance.name),
            (Some(_), None) => false,
            (None, _) => !assembly || set.entries.iter().any(|entry| matches!(entry, Entry::Name(_))),
        }
    }

    fn of_set(&self, set: &RawSet, assembly: bool, seen: &mut Seen) -> Vec<u32> {
        let whole = !assembly || set.instance.is_some();
        let mut rows = Vec::new();
        for entry in &set.entries {
            rows.extend(self.of_entry(set.kind, entry, whole, assembly, seen));
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Rows of an entry; bare labels count where `whole`.
    fn of_entry(&self, kind: SetKind, entry: &Entry, whole: bool, assembly: bool, seen: &mut Seen) -> Vec<u32> {
        let labels = match kind {
            SetKind::Nodes => &self.nodes,
            SetKind::Elements | SetKind::Faces => &self.elements,
        };
        match entry {
            Entry::Label(label) if whole => labels.row(*label).into_iter().collect(),
            Entry::Range(first, last, step) if whole => labels.range(*first, *last, *step),
            Entry::Label(_) | Entry::Range(..) => Vec::new(),
            Entry::Name(name) => {
                if let (Some((of, label)), Some(instance)) = (name.rsplit_once('.'), self.instance) {
                    if same(of, &instance.name) {
                        return match label.parse() {
                            Ok(label) => labels.row(label).into_iter().collect(),
                            Err(_) => self.named(kind, label, false, seen),
                        };
                    }
                }
                self.named(kind, name, assembly, seen)
            }
        }
    }

    /// Rows of all sets of this name.
    fn named(&self, kind: SetKind, name: &str, assembly: bool, seen: &mut Seen) -> Vec<u32> {
        if !seen.insert((kind, assembly, name.to_uppercase())) {
            return Vec::new();
        }
        let scope = self.scopes[usize::from(assembly)];
        let of_name = scope.sets.iter().filter(|set| set.kind == kind && same(&set.name, name));
        let mut rows = Vec::new();
        for set in of_name.filter(|set| self.concerns(set, assembly)) {
            rows.extend(self.of_set(set, assembly, seen));
        }
        rows
    }
}

/// Faces with surface ids, and their sets.
fn surfaces(part: &mut Part, rows: &Rows) {
    let outer = meshdata::outer_faces(&part.mesh);
    let mut known: HashMap<FaceKey, u32> = HashMap::new();
    for (row, (nodes, _)) in (0..).zip(&part.mesh.faces) {
        known.extend(meshdata::face_key(nodes).map(|key| (key, row)));
    }
    let mut found: Vec<(String, Option<i32>, Vec<Vec<u32>>)> = Vec::new();
    let mut shell_rows: Vec<(usize, Vec<u32>)> = Vec::new();
    for (scope, assembly) in rows.scopes.iter().zip([false, true]) {
        for surface in &scope.surfaces {
            let mut faces = Vec::new();
            let mut shells = Vec::new();
            for (entry, face) in &surface.entries {
                if surface.of_nodes {
                    let nodes = rows.of_entry(SetKind::Nodes, entry, !assembly, assembly, &mut Seen::new());
                    faces.extend(faces_of_nodes(&outer, &nodes, part.mesh.nodes.len()));
                    continue;
                }
                let elements = rows.of_entry(SetKind::Elements, entry, !assembly, assembly, &mut Seen::new());
                faces.extend(elements.iter().filter_map(|&e| element_face(&part.mesh, e, (*face)?)));
                if let Entry::Label(label) = entry {
                    shells.extend(rows.shells.row(*label));
                }
            }
            shell_rows.push((found.len(), shells));
            found.push((surface.name.clone(), surface_number(&surface.name), faces));
        }
    }
    for (set, assembly) in rows.sets().filter(|(set, _)| set.kind == SetKind::Nodes) {
        if let Some(number) = number_behind("SURF", &set.name) {
            let nodes = rows.of_set(set, assembly, &mut Seen::new());
            found.push((set.name.clone(), Some(number), faces_of_nodes(&outer, &nodes, part.mesh.nodes.len())));
        }
    }
    let taken: Vec<i32> = found.iter().filter_map(|(_, number, _)| *number).collect();
    let mut free = (1..).filter(|number| !taken.contains(number));
    // Named numbers go before those that are only counted; of equals the first.
    let mut given: HashMap<u32, bool> = HashMap::new();
    for (at, (name, number, faces)) in found.iter().enumerate() {
        let id = number.or_else(|| free.next()).unwrap_or(0);
        let mut members: Vec<u32> =
            shell_rows.iter().filter(|(s, _)| *s == at).flat_map(|(_, rows)| rows.clone()).collect();
        for nodes in faces {
            let Some(key) = meshdata::face_key(nodes) else { continue };
            let row = *known.entry(key).or_insert_with(|| {
                part.mesh.faces.push((nodes.clone(), 0));
                part.mesh.faces.len() as u32 - 1
            });
            members.push(row);
        }
        for &row in &members {
            let before = given.get(&row);
            if before.is_none() || (before == Some(&false) && number.is_some()) {
                given.insert(row, number.is_some());
                part.mesh.faces[row as usize].1 = id;
            }
        }
        if id_of_set(SetKind::Faces, name).is_none() && !members.is_empty() {
            part.add_to_set(SetKind::Faces, name, members.into_iter());
        }
    }
}

/// Outer faces all of whose corners are among these nodes.
fn faces_of_nodes(outer: &[meshdata::OuterFace], nodes: &[u32], count: usize) -> Vec<Vec<u32>> {
    let mut among = vec![false; count];
    nodes.iter().for_each(|&n| among[n as usize] = true);
    let all = |face: &&meshdata::OuterFace| face.nodes.iter().all(|&n| among[n as usize]);
    outer.iter().filter(all).map(|face| face.nodes.clone()).collect()
}

/// Corners of Abaqus' face of an element.
fn element_face(mesh: &RawMesh, element: u32, face: usize) -> Option<Vec<u32>> {
    let element = &mesh.elements[element as usize];
    let local = if element.nodes().len() == 8 { *HEX_FACES.get(face)? } else { face };
    let table = meshdata::face_table(element).get(local)?;
    Some(table.iter().map(|&i| element.nodes()[usize::from(i)]).collect())
}

/// Abaqus' name of a row of our face table.
pub(super) fn face_name(element: &RawElement, local: u8) -> usize {
    let local = usize::from(local);
    match element.nodes().len() {
        8 => HEX_FACES.iter().position(|&row| row == local).unwrap_or(local) + 1,
        _ => local + 1,
    }
}

/// Translates, then rotates about the axis through two points, as the data lines of *INSTANCE say.
fn place(mesh: &mut RawMesh, instance: &Instance, text: &Text) -> Result<()> {
    let wrong = |what: &str| text.fail(format!("instance {}: {what}", instance.name));
    let Some(shift) = instance.numbers.first() else { return Ok(()) };
    if shift.len() > 3 {
        return Err(wrong("its translation has more than three numbers"));
    }
    let mut by = Vec3::zeros();
    by.iter_mut().zip(shift).for_each(|(x, given)| *x = *given);
    meshdata::move_nodes(mesh, |x| x + by, false);
    let Some(turn) = instance.numbers.get(1) else { return Ok(()) };
    let [ax, ay, az, bx, by, bz, angle] = turn[..] else {
        return Err(wrong("its rotation needs seven numbers: two points of the axis and degrees"));
    };
    let (a, b) = (Vec3::new(ax, ay, az), Vec3::new(bx, by, bz));
    let rotation = rotation_about(&(b - a), angle).map_err(|e| wrong(&e.to_string()))?;
    meshdata::move_nodes(mesh, |x| a + rotation * (x - a), false);
    Ok(())
}
