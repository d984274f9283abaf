//! The bodies of a simulation: insertion, removal, ids and indices.

use super::retain;
use super::set::{BodySet, Kind, NewBody};
use crate::ids::{BodyId, BodyIndex, CatalogueRow};
use crate::material::BulkMaterial;
use crate::model::{BodyKind, BodyRow};
use crate::shape::Shape;
use crate::stepping::Stepping;
use crate::{Error, Result};

/// Where the columns of a body are.
#[derive(Debug, Clone, Copy)]
struct Seat {
    set: u32,
    row: u32,
}

/// All bodies of a process. The order of dense indices means nothing; whatever must be ordered goes by id.
pub struct Bodies {
    pub(super) sets: Vec<Box<dyn BodySet>>,
    /// The kind of each set.
    kinds: Vec<Box<dyn Kind>>,
    name: Vec<String>,
    id: Vec<BodyId>,
    row: Vec<CatalogueRow>,
    /// Whether it is a copy of a body of another process.
    copy: Vec<bool>,
    seat: Vec<Seat>,
    /// Ascending.
    by_id: Vec<(BodyId, BodyIndex)>,
}

impl Bodies {
    /// No bodies yet, of the standard kinds.
    pub fn new(stepping: Stepping) -> Self {
        Self::with_kinds(stepping, super::kinds())
    }

    /// No bodies yet, of these kinds.
    pub fn with_kinds(stepping: Stepping, kinds: Vec<Box<dyn Kind>>) -> Self {
        Bodies {
            sets: kinds.iter().map(|kind| kind.empty(stepping)).collect(),
            kinds,
            name: Vec::new(),
            id: Vec::new(),
            row: Vec::new(),
            copy: Vec::new(),
            seat: Vec::new(),
            by_id: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.id.len()
    }

    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// All dense indices.
    pub fn indices(&self) -> impl Iterator<Item = BodyIndex> {
        (0..self.id.len() as u32).map(BodyIndex)
    }

    /// Ids and dense indices, ascending by id.
    pub fn by_id(&self) -> &[(BodyId, BodyIndex)] {
        &self.by_id
    }

    /// Whether a body is a copy of one of another process, which counts its energies and shows it.
    pub fn is_copy(&self, i: BodyIndex) -> bool {
        self.copy[i.index()]
    }

    pub(crate) fn set_copy(&mut self, i: BodyIndex, copy: bool) {
        self.copy[i.index()] = copy;
    }

    /// Ids and dense indices of the bodies that are no copies, ascending by id.
    pub fn own(&self) -> impl Iterator<Item = (BodyId, BodyIndex)> + '_ {
        self.by_id.iter().copied().filter(|(_, i)| !self.is_copy(*i))
    }

    /// Id of a body.
    pub fn id(&self, i: BodyIndex) -> BodyId {
        self.id[i.index()]
    }

    /// Dense index of the body with this id.
    pub fn index(&self, id: BodyId) -> Option<BodyIndex> {
        let k = self.by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.by_id[k].1)
    }

    /// How messages call a body: "body 3 'label'".
    pub fn name(&self, i: BodyIndex) -> &str {
        &self.name[i.index()]
    }

    /// Row of a body in the catalogue.
    pub fn row(&self, i: BodyIndex) -> CatalogueRow {
        self.row[i.index()]
    }

    /// Adds a body in its initial state; `row` is its place in the model's table.
    ///
    /// # Errors
    /// They name the body: mass or tensor not positive, a material that does not exist, a scheme of another kind, a
    /// state of wrong length or value, a kind that is not among those of [`Bodies::with_kinds`], an id that is
    /// there already.
    pub fn insert(
        &mut self,
        row: CatalogueRow,
        body: &BodyRow,
        bulk: &[BulkMaterial],
        shapes: &[Shape],
    ) -> Result<BodyIndex> {
        let name = name_of(body);
        let id = BodyId(body.id);
        let Err(place) = self.by_id.binary_search_by_key(&id, |(id, _)| *id) else {
            return Err(Error::input(format!("{name}: there is a body of this id already")));
        };
        let Some(set) = self.kinds.iter().position(|kind| kind.holds(body.kind)) else {
            let text = format!("{name}: {} bodies are not available; use RIGID or PSEUDO_RIGID", kind_name(body.kind));
            return Err(Error::input(text));
        };
        let i = BodyIndex(self.len() as u32);
        let new = NewBody { name: &name, row: body, bulk, shapes };
        self.sets[set].insert(i, &new)?;
        self.seat.push(Seat { set: set as u32, row: self.sets[set].bodies().len() as u32 - 1 });
        self.name.push(name);
        self.id.push(id);
        self.row.push(row);
        self.copy.push(false);
        self.by_id.insert(place, (id, i));
        let outcome = self.initial_state(i, body);
        if let Err(error) = outcome {
            let keep: Vec<bool> = self.indices().map(|k| k != i).collect();
            self.remove(&keep);
            return Err(error);
        }
        Ok(i)
    }

    fn initial_state(&mut self, i: BodyIndex, body: &BodyRow) -> Result<()> {
        self.set_scheme(i, body.scheme)?;
        self.set_damping(i, body.damping)?;
        if !body.conf.is_empty() {
            self.set_configuration(i, &body.conf)?;
        }
        if !body.velo.is_empty() {
            self.set_velocity(i, &body.velo)?;
        }
        self.disable_rotation(i, body.disable_rotation);
        Ok(())
    }

    /// Keeps the bodies `i` with `keep[i]`, and says which dense index each of the old ones has now.
    pub fn remove(&mut self, keep: &[bool]) -> Vec<Option<BodyIndex>> {
        let mut next = 0;
        let mut place = Vec::with_capacity(keep.len());
        for &kept in keep {
            place.push(kept.then_some(BodyIndex(next)));
            next += u32::from(kept);
        }
        retain(&mut self.name, keep);
        retain(&mut self.id, keep);
        retain(&mut self.row, keep);
        retain(&mut self.copy, keep);
        retain(&mut self.seat, keep);
        self.by_id.retain_mut(|(_, i)| match place[i.index()] {
            Some(new) => {
                *i = new;
                true
            }
            None => false,
        });
        for (number, set) in (0..).zip(&mut self.sets) {
            set.retain(&place);
            for (row, body) in (0..).zip(set.bodies()) {
                self.seat[body.index()] = Seat { set: number, row };
            }
        }
        place
    }

    /// The set of a body and its row there.
    pub(super) fn at(&self, i: BodyIndex) -> (&dyn BodySet, usize) {
        let Seat { set, row } = self.seat[i.index()];
        (&*self.sets[set as usize], row as usize)
    }

    /// The same to change, with the name of the body.
    pub(super) fn at_mut(&mut self, i: BodyIndex) -> (&mut dyn BodySet, usize, &str) {
        let Seat { set, row } = self.seat[i.index()];
        (&mut *self.sets[set as usize], row as usize, &self.name[i.index()])
    }

    /// The bodies of each set as (row, dense index), ascending by id, without copies.
    pub(super) fn rows_by_set(&self) -> Vec<Vec<(usize, BodyIndex)>> {
        let mut rows = vec![Vec::new(); self.sets.len()];
        for (_, i) in self.own() {
            let Seat { set, row } = self.seat[i.index()];
            rows[set as usize].push((row as usize, i));
        }
        rows
    }
}

/// How messages call a body: "body 3 'label'".
pub fn name_of(body: &BodyRow) -> String {
    if body.label.is_empty() {
        return format!("body {}", body.id);
    }
    format!("body {} '{}'", body.id, body.label)
}

fn kind_name(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Obstacle => "obstacle",
        BodyKind::Rigid => "rigid",
        BodyKind::PseudoRigid => "pseudo-rigid",
        BodyKind::FiniteElement => "finite-element",
    }
}
