//! One body of finite elements: its state and its time step.
//!
//! From the configuration of detection q, a step of length h goes by
//!
//! ```text
//! A v¹ = A v⁰ + h (f − f_int(q) − η K v⁰ + Hᵀ R)
//! ```
//!
//! with `A = M` (DEF_EXP) or `A = M + (d h² + w h η) K` (DEF_LIM), d = ¼ and w = ½ in dynamics, d = 1 and v⁰ = 0 in
//! quasi-statics. In the co-rotational formulation `f_int = R K u` and the inverse of A is `R A₀⁻¹ Rᵀ`, where K and A₀
//! are those of the reference configuration, u the displacements in the turned frame and R the mean rotation. A reduced
//! body is a co-rotational one whose inverse of A is that of its base ([`Reduced`]).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::bound::FrequencyBound;
use super::corotation::Corotation;
use super::elastic::Elastic;
use super::factor::Factor;
use super::grid::Grid;
use super::implicit::Implicit;
use super::kernels::{self, Geometric};
use super::laws::Laws;
use super::matter::{anchors, bits, check_materials, grid_of, matter, Matter};
use super::nodal::Nodal;
use super::pencil::Pencil;
use super::reduced::{with_materials, Reduced};
use super::sampled::Sampled;
use super::stiffness::{Pattern, Stiffness};
use super::twist::mean;
use super::weights::Weights;
use crate::body::kirchhoff::Kirchhoff;
use crate::body::{Attachment, Energies, Entry, Forces, NewBody, PointForce, DISSIPATED, EXTERNAL};
use crate::ids::BodyIndex;
use crate::math::{Mat3, Vec3};
use crate::model::Formulation;
use crate::stepping::Stepping;
use crate::{Error, Result};

/// Nodes in contact up to which the inverse between them is a dense matrix, of 72 bytes for each pair.
pub const DENSE_NODES: usize = 3000;

/// A principal stretch that is not safe for the material law, and the size of its strain, `½ (1 − 0.65²)`.
const LEAST_STRETCH: f64 = 0.65;
const CRUSHED: f64 = 0.288_75;

/// Places [m] and velocities [m/s] of the nodes.
#[derive(Clone, PartialEq)]
pub struct State {
    pub x: Vec<Vec3>,
    pub v: Vec<Vec3>,
}

/// What a step has shown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Remarks {
    pub indefinite: bool,
    pub crushed: bool,
}

/// The linear elasticity of the co-rotational formulation.
pub struct Linear {
    pub corotation: Corotation,
    pub stiffness: Stiffness,
    pub rotation: Mat3,
}

pub struct FiniteBody {
    pub name: String,
    pub grid: Grid,
    /// Of the vertices of polyhedra in a background mesh, by the bits of their reference place.
    anchors: HashMap<[u64; 3], Weights>,
    /// Mass centre in the reference configuration [m].
    pub middle: Vec3,
    /// Row of the bulk material, law and density [kg/m³] of each element.
    pub materials: Vec<u32>,
    pub laws: Laws,
    /// Of a material that varies.
    pub sampled: Option<Sampled>,
    density: Vec<f64>,
    /// Of each node [kg]; zero of those that belong to no element.
    pub mass: Vec<f64>,
    /// The same in the equations of motion, where all nodes have inertia: no force acts on those without an element.
    pub inertia: Vec<f64>,
    /// η [s]
    damping: f64,
    pub stepping: Stepping,
    /// Forces of the total Lagrangian formulation, linear elasticity of the co-rotational one.
    elastic: Option<Elastic>,
    pub linear: Option<Linear>,
    implicit: Option<Implicit>,
    /// In place of the matrix of the implicit scheme.
    pub reduced: Option<Reduced>,
    bound: FrequencyBound,
    pub state: State,
    /// The state at the start of the step.
    pub start: State,
    pub work: Energies,
    /// Forces on the nodes in this step: loads, then gravity too [N].
    pub force: Vec<Vec3>,
    /// Their symmetric derivative by the places of the nodes, lower triangle, as far as the implicit scheme needs it:
    /// larger node, smaller node and block [N/m].
    pub load_stiffness: Vec<(u32, u32, Mat3)>,
    /// Velocities of t+h without reactions [m/s].
    pub free: Vec<Vec3>,
    /// Room for forces and changes of velocity.
    scratch: Vec<Vec3>,
    /// Room for displacements or velocities in the turned frame, and for forces there.
    turned: [Vec<Vec3>; 2],
    /// Room for the forces of damping.
    spare: Vec<Vec3>,
    /// Largest strain of the last evaluation of forces, or of places that were given since.
    pub strain: f64,
    pub remarks: Remarks,
    /// Most nodes in contact between which the inverse is dense.
    pub dense_nodes: usize,
}

impl Linear {
    /// Adds `factor R K u` to forces, for `u` in the turned frame; `room` for forces there.
    fn turn_product(&self, u: &[Vec3], factor: f64, room: &mut Vec<Vec3>, force: &mut [Vec3]) {
        room.clear();
        room.resize(u.len(), Vec3::zeros());
        self.stiffness.add_product(u, factor, room);
        force.iter_mut().zip(room).for_each(|(force, turned)| *force += self.rotation * *turned);
    }
}

impl FiniteBody {
    /// # Errors
    /// A shape that is not one mesh, a mesh or a material of which no body can be made.
    pub fn new(new: &NewBody<'_>, stepping: Stepping) -> Result<FiniteBody> {
        let mut body = FiniteBody::elastic(new, stepping)?;
        if new.row.form.is_reduced() {
            let missing = || Error::input(format!("{}: form '{}' needs a base", new.name, new.row.form.name()));
            let base = new.row.base.as_ref().ok_or_else(missing)?;
            let pencil = body.pencil(body.grid.mesh.nodes.clone());
            let reduced = Reduced::new(new.row.form, base, &pencil);
            body.reduced = Some(reduced.map_err(|error| with_materials(new, error))?);
        }
        Ok(body)
    }

    /// The body with all unknowns of its mesh, whether it is reduced or not.
    ///
    /// # Errors
    /// As [`FiniteBody::new`].
    pub fn elastic(new: &NewBody<'_>, stepping: Stepping) -> Result<FiniteBody> {
        let name = new.name;
        check_materials(new)?;
        let grid = grid_of(new)?;
        let anchors = anchors(new, &grid);
        let Matter { materials, laws, density } = matter(new, &grid)?;
        let mass = grid.lumped(name, |e| density[e])?;
        let bound = FrequencyBound::new(&grid, &laws, |e| density[e]);
        let nodes = grid.nodes();
        let state = State { x: grid.mesh.nodes.clone(), v: vec![Vec3::zeros(); nodes] };
        let linear = match new.row.form {
            Formulation::TotalLagrangian => None,
            Formulation::Corotational | Formulation::Modal | Formulation::Reduced => Some(Linear {
                corotation: Corotation::new(&grid),
                stiffness: reference_stiffness(&grid, &laws),
                rotation: Mat3::identity(),
            }),
        };
        let sampled = new.row.samples.as_ref().map(|samples| Sampled {
            places: grid.places(),
            young: samples.young.clone(),
            poisson: samples.poisson.clone(),
            changed: false,
        });
        let elastic = linear.is_none().then(|| Elastic::new(&grid, &laws));
        Ok(FiniteBody {
            name: name.into(),
            middle: new.row.chars.center,
            materials,
            laws,
            sampled,
            density,
            inertia: mass.iter().map(|mass| if *mass > 0.0 { *mass } else { 1.0 }).collect(),
            mass,
            damping: 0.0,
            stepping,
            elastic,
            linear,
            implicit: None,
            reduced: None,
            bound,
            start: state.clone(),
            state,
            work: [0.0; 6],
            force: vec![Vec3::zeros(); nodes],
            load_stiffness: Vec::new(),
            free: vec![Vec3::zeros(); nodes],
            scratch: vec![Vec3::zeros(); nodes],
            turned: Default::default(),
            spare: Vec::new(),
            strain: 0.0,
            remarks: Remarks::default(),
            dense_nodes: DENSE_NODES,
            grid,
            anchors,
        })
    }

    /// Mass and tangent stiffness when the nodes are at these places [m].
    pub fn pencil(&self, places: Vec<Vec3>) -> Pencil {
        let mut stiffness = Stiffness::new(&self.grid);
        stiffness.assemble(&self.grid, &self.laws, &places, Geometric::WHOLE);
        Pencil {
            name: self.name.clone(),
            reference: self.grid.mesh.nodes.clone(),
            places,
            mass: self.mass.clone(),
            inertia: self.inertia.clone(),
            stiffness,
            corotation: Corotation::new(&self.grid),
        }
    }

    /// Whether the scheme is DEF_LIM.
    pub fn set_implicit(&mut self, implicit: bool) -> Result<()> {
        if implicit == self.implicit.is_some() || self.reduced.is_some() {
            return Ok(());
        }
        self.implicit = None;
        if !implicit && self.sampled.is_some() {
            self.bound = FrequencyBound::new(&self.grid, &self.laws, |e| self.density[e]);
        }
        if implicit {
            let stiffness = match &self.linear {
                Some(linear) => linear.stiffness.clone(),
                None => Stiffness::new(&self.grid),
            };
            self.implicit = Some(Implicit::new(&self.name, stiffness, &self.grid.mesh.nodes)?);
        }
        Ok(())
    }

    /// η [s]
    pub fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    /// The stiffness of a material of its elements has changed.
    pub fn set_law(&mut self, material: u32, law: Kirchhoff) {
        let made_of_it = self.laws.elements_mut().iter_mut().zip(&self.materials).filter(|(_, of)| **of == material);
        made_of_it.for_each(|(old, _)| *old = law);
        self.bound = FrequencyBound::new(&self.grid, &self.laws, |e| self.density[e]);
        self.laws_changed();
    }

    /// Gives a material that varies new values at the points of integration; `None`: they stay.
    pub fn sample(&mut self, young: Option<&[f64]>, poisson: Option<&[f64]>) {
        let Some(sampled) = &mut self.sampled else { return };
        let mut differ = false;
        for (to, from) in [(&mut sampled.young, young), (&mut sampled.poisson, poisson)] {
            if let Some(from) = from.filter(|from| from != to) {
                differ = true;
                to.clear();
                to.extend_from_slice(from);
            }
        }
        sampled.changed = true;
        if !differ {
            return;
        }
        self.laws = Laws::sampled(&self.grid, &sampled.young, &sampled.poisson);
        // Others have no critical step.
        if self.implicit.is_none() && self.reduced.is_none() {
            self.bound = FrequencyBound::new(&self.grid, &self.laws, |e| self.density[e]);
        }
        self.laws_changed();
    }

    /// Means over the elements of Young's modulus [Pa] and Poisson's ratio, where these have changed since time 0.
    pub fn means(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let changed = self.sampled.iter().filter(|sampled| sampled.changed);
        changed
            .flat_map(|of| (0..self.grid.count()).map(|e| [&of.young, &of.poisson].map(|all| self.grid.mean(e, all))))
    }

    /// Brings what depends on the laws of the elements up to date.
    fn laws_changed(&mut self) {
        if let Some(elastic) = &mut self.elastic {
            elastic.set_laws(&self.laws);
        }
        if let Some(linear) = &mut self.linear {
            linear.stiffness.assemble(&self.grid, &self.laws, &self.grid.mesh.nodes, Geometric::WHOLE);
        }
        if let Some(implicit) = &mut self.implicit {
            implicit.forget();
            if let Some(linear) = &self.linear {
                implicit.stiffness = linear.stiffness.clone();
            }
        }
        if let Some(mut reduced) = self.reduced.take() {
            reduced.set_stiffness(&self.pencil(self.grid.mesh.nodes.clone()));
            self.reduced = Some(reduced);
        }
    }

    /// Critical step of the explicit scheme [s].
    pub fn critical_step(&self) -> f64 {
        if self.implicit.is_some() || self.reduced.is_some() || !self.stepping.inertial {
            return f64::INFINITY;
        }
        let omega = self.bound.at(if self.linear.is_some() { 0.0 } else { self.strain });
        let ratio = 0.5 * self.damping * omega;
        2.0 / omega * ((1.0 + ratio * ratio).sqrt() - ratio)
    }

    /// Its nodes are at other places [m], whose strain bounds the next step.
    pub fn set_places(&mut self, x: Vec<Vec3>) {
        self.state.x = x;
        self.strain = self.present_strain();
    }

    /// Largest strain of the present places.
    pub fn present_strain(&mut self) -> f64 {
        let Some(elastic) = &mut self.elastic else { return 0.0 };
        // The forces are of no interest.
        elastic.add_forces(&self.grid, &self.laws, &self.state.x, 0.0, &mut self.scratch)
    }

    /// Velocity of t of a node, zero where velocities do not persist.
    pub fn previous(&self, node: usize) -> Vec3 {
        if self.stepping.inertial {
            self.state.v[node]
        } else {
            Vec3::zeros()
        }
    }

    pub fn begin(&mut self, h: f64) {
        let before = self.stepping.before * h;
        std::mem::swap(&mut self.state, &mut self.start);
        self.state.clone_from(&self.start);
        let State { x, v } = &mut self.state;
        x.iter_mut().zip(v).for_each(|(x, v)| *x += *v * before);
        self.remarks = Remarks::default();
        self.look_at_present();
    }

    /// The frame is that of the present configuration, and there are no loads.
    pub fn look_at_present(&mut self) {
        self.force.fill(Vec3::zeros());
        self.load_stiffness.clear();
        if let Some(linear) = &mut self.linear {
            linear.rotation = linear.corotation.rotation(&self.state.x).unwrap_or(Mat3::repeat(f64::NAN));
        }
        if let Some(reduced) = &mut self.reduced {
            reduced.force.clear();
        }
    }

    /// Mean rotation of the co-rotational formulation, else none.
    pub fn rotation(&self) -> Mat3 {
        self.linear.as_ref().map_or(Mat3::identity(), |linear| linear.rotation)
    }

    /// That of the co-rotational formulation.
    pub fn corotation(&self) -> Option<&Corotation> {
        self.linear.as_ref().map(|linear| &linear.corotation)
    }

    pub fn free_velocity(&mut self, h: f64, gravity: &Vec3) {
        self.force.iter_mut().zip(&self.mass).for_each(|(force, mass)| *force += gravity * *mass);
        self.add_reduced_forces();
        self.scratch.clone_from(&self.force);
        self.strain = self.add_internal();
        self.remarks.crushed = self.strain > CRUSHED && kernels::is_crushed(&self.grid, &self.state.x, LEAST_STRETCH);
        if self.stepping.inertial && self.damping > 0.0 {
            self.free.clone_from(&self.state.v);
            let v = std::mem::take(&mut self.free);
            // The implicit scheme makes of these the strain rates of the mean velocity at mid-step; the explicit one
            // takes them where the velocity is known, so that what turns without strain is not damped.
            let back = if self.implicit.is_some() || self.reduced.is_some() { 0.0 } else { self.stepping.before * h };
            self.add_viscous(&v, back, -self.damping);
            self.free = v;
        }
        self.prepare(h);
        let mut change = std::mem::take(&mut self.scratch);
        change.iter_mut().for_each(|force| *force *= h);
        self.accelerate(&mut change);
        let mut free = std::mem::take(&mut self.free);
        free.clone_from(&self.state.v);
        if self.stepping.inertial {
            self.reflect(&mut free);
            free.iter_mut().zip(&change).for_each(|(free, change)| *free += change);
        } else {
            free.clone_from(&change);
        }
        (self.free, self.scratch) = (free, change);
    }

    /// Subtracts elastic forces from the scratch; returns the largest strain.
    fn add_internal(&mut self) -> f64 {
        if let Some(elastic) = &mut self.elastic {
            return elastic.add_forces(&self.grid, &self.laws, &self.state.x, -1.0, &mut self.scratch);
        }
        let Some(linear) = &self.linear else { return 0.0 };
        let [u, force] = &mut self.turned;
        u.clear();
        u.extend(linear.corotation.displacements(&self.grid.mesh.nodes, &self.state.x, &linear.rotation));
        linear.turn_product(u, -1.0, force, &mut self.scratch);
        0.0
    }

    /// Adds `factor` times the forces of the strain rates of velocities `v`, of the time `back` before that of the
    /// present places, to the scratch.
    fn add_viscous(&mut self, v: &[Vec3], back: f64, factor: f64) {
        let Some(linear) = &self.linear else {
            kernels::add_viscous(&self.grid, &self.laws, &self.state.x, (v, back), factor, &mut self.scratch);
            return;
        };
        let then = if back == 0.0 { None } else { linear.corotation.rotation(&self.start.x) };
        let rotation = then.unwrap_or(linear.rotation);
        let [turned, force] = &mut self.turned;
        turned.clear();
        turned.extend(v.iter().map(|v| rotation.tr_mul(v)));
        linear.turn_product(turned, factor, force, &mut self.scratch);
    }

    /// The multiple of K in `A`.
    fn scale(&self, h: f64) -> f64 {
        let viscous = if self.stepping.inertial { self.stepping.mean_velocity * h * self.damping } else { 0.0 };
        self.stepping.mean_displacement * h * h + viscous
    }

    /// The factor of `A` for a step of length `h`.
    fn prepare(&mut self, h: f64) {
        let scale = self.scale(h);
        if let Some(reduced) = &mut self.reduced {
            reduced.prepare(scale);
        }
        let Some(implicit) = &mut self.implicit else { return };
        if self.linear.is_some() {
            if !implicit.is_made_of(scale) {
                implicit.factorise(&self.inertia, scale);
            }
            return;
        }
        // Stresses and loads have no part in the damping.
        let share = self.stepping.mean_displacement * h * h / scale;
        let geometric = Geometric { share, positive: false };
        match &self.elastic {
            Some(elastic) => {
                elastic.assemble(&self.grid, &self.laws, &self.state.x, geometric, &mut implicit.stiffness)
            }
            None => implicit.stiffness.assemble(&self.grid, &self.laws, &self.state.x, geometric),
        }
        for (row, column, block) in &self.load_stiffness {
            implicit.stiffness.add(*row, *column, &(block * -share));
        }
        if !implicit.factorise(&self.inertia, scale) {
            self.remarks.indefinite = true;
            implicit.stiffness.assemble(&self.grid, &self.laws, &self.state.x, Geometric { share, positive: true });
            implicit.factorise(&self.inertia, scale);
        }
    }

    /// Replaces impulses [N s] by the changes of velocity that they bring [m/s].
    pub fn accelerate(&mut self, impulse: &mut [Vec3]) {
        if let (Some(reduced), Some(linear)) = (&self.reduced, &self.linear) {
            impulse.iter_mut().for_each(|x| *x = linear.rotation.tr_mul(x));
            reduced.accelerate(impulse);
            impulse.iter_mut().for_each(|x| *x = linear.rotation * *x);
            return;
        }
        let Some(implicit) = &mut self.implicit else {
            impulse.iter_mut().zip(&self.inertia).for_each(|(impulse, mass)| *impulse /= *mass);
            return;
        };
        match &self.linear {
            None => implicit.solve(impulse),
            Some(linear) => {
                impulse.iter_mut().for_each(|x| *x = linear.rotation.tr_mul(x));
                implicit.solve(impulse);
                impulse.iter_mut().for_each(|x| *x = linear.rotation * *x);
            }
        }
    }

    /// The factor of the implicit scheme, and what contacts have asked of it.
    pub fn factor(&self) -> Option<(&Arc<Factor>, &Mutex<Nodal>)> {
        self.implicit.as_ref().map(Implicit::factor)
    }

    /// The pattern of the matrix of the implicit scheme.
    pub fn pattern(&self) -> Option<&Arc<Pattern>> {
        self.implicit.as_ref().map(|implicit| &implicit.stiffness.pattern)
    }

    /// `A` by blocks, in the frame of [`rotation`](Self::rotation).
    pub fn entries(&self) -> Arc<[Entry]> {
        let mass = || (0..).zip(&self.inertia).map(|(k, mass)| (k, k, Mat3::from_diagonal_element(*mass)));
        match &self.implicit {
            None => mass().collect(),
            Some(implicit) => implicit.entries(&self.inertia),
        }
    }

    /// Forces at points, as forces on the nodes in the scratch; whether there are any.
    pub fn gather(&mut self, body: BodyIndex, forces: &dyn Forces) -> bool {
        let (grid, nodal) = (&self.grid, &mut self.scratch);
        nodal.fill(Vec3::zeros());
        let mut any = false;
        forces.on(body, &mut |PointForce { at, force }| {
            any = true;
            match at {
                Attachment::Point(point) => grid.weights(point).add(nodal, force),
                // Such an attachment is not given by this kind.
                Attachment::Arm(_) | Attachment::Driven { .. } => {}
            }
        });
        any
    }

    pub fn finish(&mut self, h: f64, body: BodyIndex, reactions: &dyn Forces) {
        let pushed = self.gather(body, reactions);
        let mut change = std::mem::take(&mut self.scratch);
        let mut total = std::mem::take(&mut self.force);
        if pushed {
            total.iter_mut().zip(&change).for_each(|(force, reaction)| *force += reaction);
            change.iter_mut().for_each(|force| *force *= h);
            self.accelerate(&mut change);
        }
        // Velocities of t+h.
        change.iter_mut().zip(&self.free).for_each(|(change, free)| *change += free);
        if self.stepping.inertial {
            let middle = |k: usize| (self.state.v[k] + change[k]) * 0.5;
            let power: f64 = total.iter().enumerate().map(|(k, force)| force.dot(&middle(k))).sum();
            self.work[EXTERNAL] += h * power;
            if self.damping > 0.0 {
                // The free velocities are of no use any more.
                let mut room = std::mem::take(&mut self.free);
                room.iter_mut().enumerate().for_each(|(k, v)| *v = middle(k));
                self.scratch = std::mem::take(&mut self.spare);
                self.scratch.clear();
                self.scratch.resize(room.len(), Vec3::zeros());
                self.add_viscous(&room, 0.0, self.damping);
                let lost: f64 = self.scratch.iter().zip(&room).map(|(force, v)| force.dot(v)).sum();
                self.work[DISSIPATED] += h * lost;
                self.spare = std::mem::take(&mut self.scratch);
                self.free = room;
            }
        }
        let after = self.stepping.after * h;
        self.state.x.iter_mut().zip(&change).for_each(|(x, v)| *x += v * after);
        self.scratch = std::mem::replace(&mut self.state.v, change);
        self.force = total;
        self.stay_reduced(after);
    }

    /// Velocities after impulses in the scratch [N s]; the kinetic energy that they bring is external work.
    pub fn apply_impulses(&mut self) {
        let before = self.kinetic();
        let mut change = std::mem::take(&mut self.scratch);
        self.accelerate(&mut change);
        self.state.v.iter_mut().zip(&change).for_each(|(v, change)| *v += change);
        self.scratch = change;
        self.work[EXTERNAL] += self.kinetic() - before;
    }

    /// Present place of a vertex of its shape.
    pub fn vertex(&self, reference: &Vec3) -> Vec3 {
        let known = self.anchors.get(&bits(reference)).copied();
        let found = || self.grid.locate(reference).map(|(element, p)| Weights::new(&self.grid, element, &p));
        known.or_else(found).map_or(Vec3::repeat(f64::NAN), |weights| weights.of(&self.state.x))
    }

    /// Mass centre now [m].
    pub fn center(&self) -> Vec3 {
        mean(&self.mass, &self.state.x)
    }
}

fn reference_stiffness(grid: &Grid, laws: &Laws) -> Stiffness {
    let mut stiffness = Stiffness::new(grid);
    stiffness.assemble(grid, laws, &grid.mesh.nodes, Geometric::WHOLE);
    stiffness
}
