//! The bodies of a simulation: insertion, removal, and what can be asked of or set on one of them.

use super::set::{BodySet, Kind, NewBody};
use super::{check_numbers, retain, Energies, MaterialPoint, Twist};
use crate::ids::{BodyId, BodyIndex, CatalogueRow, ObjectIndex};
use crate::material::BulkMaterial;
use crate::math::Vec3;
use crate::model::{BodyKind, BodyRow, Characteristics, Scheme};
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
    /// They name the body: mass or tensor not positive, a material that does not exist, a scheme of another kind, a state of
    /// wrong length or value, a kind that is not among those of [`Bodies::with_kinds`], an id that is there already.
    pub fn insert(
        &mut self,
        row: CatalogueRow,
        body: &BodyRow,
        material: Option<&BulkMaterial>,
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
        let new = NewBody { name: &name, row: body, material, shapes };
        self.sets[set].insert(i, &new)?;
        self.seat.push(Seat { set: set as u32, row: self.sets[set].bodies().len() as u32 - 1 });
        self.name.push(name);
        self.id.push(id);
        self.row.push(row);
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

    /// The bodies of each set as (row, dense index), ascending by id.
    pub(super) fn rows_by_set(&self) -> Vec<Vec<(usize, BodyIndex)>> {
        let mut rows = vec![Vec::new(); self.sets.len()];
        for &(_, i) in &self.by_id {
            let Seat { set, row } = self.seat[i.index()];
            rows[set as usize].push((row as usize, i));
        }
        rows
    }

    /// Whether forces move the body.
    pub fn moves(&self, i: BodyIndex) -> bool {
        let (set, row) = self.at(i);
        set.moves(row)
    }

    /// Whether the body is an obstacle: it moves as prescribed, whatever acts on it.
    pub fn is_obstacle(&self, i: BodyIndex) -> bool {
        !self.moves(i)
    }

    /// [kg]
    pub fn mass(&self, i: BodyIndex) -> f64 {
        let (set, row) = self.at(i);
        set.mass(row)
    }

    /// Mass centre in the reference configuration [m].
    pub fn center(&self, i: BodyIndex) -> Vec3 {
        let (set, row) = self.at(i);
        set.center(row)
    }

    /// Overwrites reference characteristics; the body keeps its motion about the new mass centre.
    ///
    /// # Errors
    /// Mass, volume or tensor not positive.
    pub fn set_characteristics(&mut self, i: BodyIndex, chars: &Characteristics) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_characteristics(row, name, chars)
    }

    /// Unknowns of the configuration. Rigid: rotation by columns, mass centre. Pseudo-rigid: `F` by rows, mass centre.
    pub fn configuration(&self, i: BodyIndex) -> Vec<f64> {
        let (set, row) = self.at(i);
        set.configuration(row)
    }

    /// Overwrites the configuration.
    ///
    /// # Errors
    /// Wrong length, not finite, not a rotation, `det F ≤ 0`.
    pub fn set_configuration(&mut self, i: BodyIndex, conf: &[f64]) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_configuration(row, name, conf)
    }

    /// Unknowns of the velocity. Rigid: referential angular, then spatial linear velocity. Pseudo-rigid: `Ḟ` by rows, then linear
    /// velocity.
    pub fn velocity(&self, i: BodyIndex) -> Vec<f64> {
        let (set, row) = self.at(i);
        set.velocity(row)
    }

    /// Overwrites the velocity.
    ///
    /// # Errors
    /// Wrong length, not finite.
    pub fn set_velocity(&mut self, i: BodyIndex, velo: &[f64]) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_velocity(row, name, velo)
    }

    /// A rigid velocity field about the current mass centre, both arguments spatial (INITIAL_VELOCITY).
    ///
    /// # Errors
    /// Not finite.
    pub fn set_initial_velocity(&mut self, i: BodyIndex, linear: &Vec3, angular: &Vec3) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        check_numbers(name, "linear velocity", linear.as_slice(), 3)?;
        check_numbers(name, "angular velocity", angular.as_slice(), 3)?;
        set.set_rigid_velocity(row, &Twist { linear: *linear, angular: *angular });
        Ok(())
    }

    /// Sets the integration scheme; `Default` is that of the kind.
    ///
    /// # Errors
    /// A scheme of another kind of body.
    pub fn set_scheme(&mut self, i: BodyIndex, scheme: Scheme) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        set.set_scheme(row, name, scheme)
    }

    /// Damping η ≥ 0 [s] of deformable bodies; rigid bodies accept and ignore it.
    ///
    /// # Errors
    /// A negative number, or none.
    pub fn set_damping(&mut self, i: BodyIndex, damping: f64) -> Result<()> {
        let (set, row, name) = self.at_mut(i);
        if !(damping >= 0.0 && damping.is_finite()) {
            return Err(Error::input(format!("{name}: damping is {damping}, it must be a number ≥ 0")));
        }
        set.set_damping(row, damping);
        Ok(())
    }

    /// Freezes or frees the rotation of a rigid body; ignored by other kinds and by obstacles.
    pub fn disable_rotation(&mut self, i: BodyIndex, on: bool) {
        let (set, row, _) = self.at_mut(i);
        set.disable_rotation(row, on);
    }

    /// The stiffness of bulk material `row` is from now on that of `material`; density and inertia stay.
    ///
    /// # Errors
    /// A body cannot be made of it.
    pub fn set_material(&mut self, row: u32, material: &BulkMaterial) -> Result<()> {
        self.sets.iter_mut().try_for_each(|set| set.set_material(row, material))
    }

    /// What is wrong with the configuration when shapes cannot be placed: "its configuration is not finite …".
    ///
    /// # Errors
    /// The text.
    pub fn check_place(&self, i: BodyIndex) -> Result<(), String> {
        let (set, row) = self.at(i);
        set.check_place(row)
    }

    /// Present places of vertices of the body's shapes; `nodes` are their nodes in the mesh of the body or
    /// [`NO_NODE`](super::NO_NODE).
    pub fn place(&self, i: BodyIndex, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]) {
        let (set, row) = self.at(i);
        set.place(row, reference, nodes, out);
    }

    /// Present unit normals of plane faces; false if the body deforms so that they must be computed from placed vertices.
    pub fn turn_normals(&self, i: BodyIndex, reference: &[Vec3], out: &mut [Vec3]) -> bool {
        let (set, row) = self.at(i);
        set.turn_normals(row, reference, out)
    }

    /// Whether the shape of the body does not stay affine, so that contact follows the nodes of its meshes.
    pub fn deforms(&self, i: BodyIndex) -> bool {
        !self.turn_normals(i, &[], &mut [])
    }

    /// The material point at a reference place, found by the place alone.
    pub fn locate(&self, i: BodyIndex, reference: &Vec3) -> MaterialPoint {
        let (set, row) = self.at(i);
        let (object, element) = set.locate(row, reference);
        MaterialPoint { body: i, object, element, reference: *reference }
    }

    /// Present place of a point [m]; between `begin` and `finish` that of the configuration of detection.
    pub fn point(&self, point: &MaterialPoint) -> Vec3 {
        let (set, row) = self.at(point.body);
        set.point(row, point)
    }

    /// Reference place of the point of an object and element that is `here` now; `None` if there is none.
    pub fn reference(&self, i: BodyIndex, object: ObjectIndex, element: u32, here: &Vec3) -> Option<Vec3> {
        let (set, row) = self.at(i);
        set.reference(row, object, element, here)
    }

    /// The image `F d` of a direction at a point, not normalised.
    pub fn carry(&self, point: &MaterialPoint, direction: &Vec3) -> Vec3 {
        let (set, row) = self.at(point.body);
        set.carry(row, point, direction)
    }

    /// Present velocity of a point [m/s].
    pub fn velocity_at(&self, point: &MaterialPoint) -> Vec3 {
        let (set, row) = self.at(point.body);
        set.velocity_at(row, point)
    }

    /// Cauchy stress at a point [Pa] in the order xx yy zz xy xz yz; zero in bodies that do not deform.
    pub fn stress(&self, point: &MaterialPoint) -> [f64; 6] {
        let (set, row) = self.at(point.body);
        set.stress(row, point)
    }

    /// Energies of a body [J].
    pub fn energies(&self, i: BodyIndex) -> Energies {
        let (set, row) = self.at(i);
        set.energies(row)
    }

    /// Overwrites accumulated works (a stored state); kinetic and internal entries are ignored.
    pub fn set_works(&mut self, i: BodyIndex, energies: &Energies) {
        let (set, row, _) = self.at_mut(i);
        set.set_works(row, energies);
    }
}

/// How messages call a body.
fn name_of(body: &BodyRow) -> String {
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
