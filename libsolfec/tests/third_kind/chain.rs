//! A third formulation of bodies, in one file: point masses at the nodes of a mesh of hexahedra, joined by linear
//! springs along the edges and diagonals of each hexahedron.
//!
//! The equations of motion are `M v̇ + η K v + K u = f`, with `u` the displacements of the nodes. A step of length h
//! takes displacement and velocity of springs at the fractions that the stepping scheme says, from the configuration of
//! detection:
//!
//! ```text
//! A v¹ = A v⁰ + h (f − K u − η K v⁰ + Hᵀ R),   A = M + (d h² + w h η) K
//! ```
//!
//! with d = ¼ and w = ½ in dynamics, which is the midpoint rule and keeps the energy of the free system exactly, and d
//! = w = 1 in quasi-statics, where v⁰ is zero.

use std::sync::Arc;

use solfec::body::{
    check_numbers, wrong_scheme, Attachment, BodyColumns, BodySet, Condensed, Energies, Entry, Forces, GeneralBody,
    Inertia, Kind, MaterialPoint, NewBody, PointForce, SparseInertia, Twist, Warning, CONTACT, DISSIPATED, EXTERNAL,
    FRICTION, INTERNAL, KINETIC, NO_ELEMENT, NO_NODE,
};
use solfec::frame::Frame;
use solfec::ids::{BodyId, BodyIndex, CatalogueRow, ObjectIndex};
use solfec::load::SurfaceLoad;
use solfec::material::BulkMaterial;
use solfec::math::{Mat3, Vec3};
use solfec::model::{BodyKind, Characteristics, Scheme};
use solfec::shape::{interpolate, Element, ElementKind, Geometry, Mesh};
use solfec::stepping::Stepping;
use solfec::{Error, Result};

/// The formulations of the library and this one, which comes first: it takes the place of finite elements.
pub fn kinds() -> Vec<Box<dyn Kind>> {
    let mut kinds = solfec::body::kinds();
    kinds.insert(0, Box::new(Chains { shows_matrices: true }));
    kinds
}

/// Chains of point masses, which take the place of finite elements.
pub struct Chains {
    /// Whether the operator sees `A` and `H`.
    pub shows_matrices: bool,
}

impl Kind for Chains {
    fn holds(&self, kind: BodyKind) -> bool {
        kind == BodyKind::FiniteElement
    }

    fn empty(&self, stepping: Stepping) -> Box<dyn BodySet> {
        Box::new(ChainSet { stepping, shows_matrices: self.shows_matrices, body: Vec::new(), chains: Vec::new() })
    }
}

struct ChainSet {
    stepping: Stepping,
    shows_matrices: bool,
    body: Vec<BodyIndex>,
    chains: Vec<Chain>,
}

/// One body.
struct Chain {
    /// In the reference configuration.
    mesh: Mesh,
    chars: Characteristics,
    material: u32,
    /// η [s]
    damping: f64,
    /// Of each node [kg].
    mass: Vec<f64>,
    springs: Vec<Spring>,
    state: State,
    /// The state at the start of the step.
    start: State,
    work: Energies,
    /// Forces on the nodes in this step, loads and then gravity too [N].
    force: Vec<Vec3>,
    /// Velocities of t+h without reactions.
    free: Vec<Vec3>,
    /// Whether velocities persist.
    inertial: bool,
    shows_matrices: bool,
    /// `A` by blocks and its factor, and the step for which they were made.
    matrix: Arc<[Entry]>,
    factor: Option<(f64, Factor)>,
}

#[derive(Clone, PartialEq)]
struct State {
    x: Vec<Vec3>,
    v: Vec<Vec3>,
}

/// A linear spring between two nodes, along the unit vector from the first to the second.
struct Spring {
    ends: [usize; 2],
    axis: Vec3,
    /// Edge of a cube with the volume of its hexahedron [m]; the stiffness is Young's modulus times this.
    length: f64,
    stiffness: f64,
}

/// Nodes and weights of a point.
struct Weights {
    nodes: [u32; 8],
    weights: [f64; 8],
}

impl Weights {
    fn entries(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let used = self.nodes.iter().zip(&self.weights).filter(|(_, weight)| **weight != 0.0);
        used.map(|(&node, &weight)| (node as usize, weight))
    }

    fn of(&self, field: &[Vec3]) -> Vec3 {
        self.entries().map(|(node, weight)| field[node] * weight).sum()
    }

    fn add(&self, to: &mut [Vec3], force: &Vec3) {
        self.entries().for_each(|(node, weight)| to[node] += force * weight);
    }
}

impl Chain {
    fn new(new: &NewBody<'_>, inertial: bool, shows_matrices: bool) -> Result<Chain> {
        let wrong = |what: &str| Error::input(format!("{}: a chain needs {what}", new.name));
        let [shape] = new.shapes else { return Err(wrong("one mesh")) };
        let Geometry::Mesh(mesh) = &*shape.geometry else { return Err(wrong("a mesh")) };
        if mesh.elements.iter().any(|element| element.kind != ElementKind::Hex) {
            return Err(wrong("hexahedra"));
        }
        let material = new.material().ok_or_else(|| wrong("a material"))?;
        let mesh = Mesh { nodes: shape.vertices(), ..mesh.clone() };
        let chars = new.row.chars;
        let count = mesh.nodes.len();
        let mut mass = vec![0.0; count];
        let mut springs = Vec::new();
        for element in &mesh.elements {
            let volume = lump(&mesh, element, chars.mass / chars.volume, &mut mass);
            springs.extend(brace(&mesh, element, volume.cbrt(), material.young));
        }
        if mass.iter().any(|mass| *mass <= 0.0) {
            return Err(wrong("mass at each node"));
        }
        let state = State { x: mesh.nodes.clone(), v: vec![Vec3::zeros(); count] };
        Ok(Chain {
            mesh,
            chars,
            material: new.row.material,
            damping: 0.0,
            mass,
            springs,
            start: state.clone(),
            state,
            work: [0.0; 6],
            force: vec![Vec3::zeros(); count],
            free: vec![Vec3::zeros(); count],
            inertial,
            shows_matrices,
            matrix: Arc::new([]),
            factor: None,
        })
    }

    fn corners(&self, element: u32, field: &[Vec3]) -> [Vec3; 8] {
        self.mesh.elements[element as usize].gather(|node| field[node as usize])
    }

    fn element_of(&self, point: &MaterialPoint) -> u32 {
        if point.element != NO_ELEMENT {
            return point.element;
        }
        let own = |node: u32| self.mesh.nodes[node as usize];
        self.mesh.locate(own, &point.reference).map_or(0, |(element, _)| element)
    }

    /// Natural coordinates of a point.
    fn natural(&self, element: u32, reference: &Vec3) -> Vec3 {
        let corners = self.corners(element, &self.mesh.nodes);
        ElementKind::Hex.natural(&corners, reference).unwrap_or(Vec3::repeat(f64::NAN))
    }

    fn weights(&self, point: &MaterialPoint) -> Weights {
        let element = self.element_of(point);
        let weights = ElementKind::Hex.shape_functions(&self.natural(element, &point.reference));
        Weights { nodes: self.mesh.elements[element as usize].nodes, weights }
    }

    /// Deformation gradient at a point.
    fn gradient(&self, point: &MaterialPoint) -> Mat3 {
        let element = self.element_of(point);
        let natural = self.natural(element, &point.reference);
        let now = ElementKind::Hex.jacobian(&self.corners(element, &self.state.x), &natural);
        let then = ElementKind::Hex.jacobian(&self.corners(element, &self.mesh.nodes), &natural);
        now * then.try_inverse().unwrap_or(Mat3::repeat(f64::NAN))
    }

    /// `K u`.
    fn stiffness(&self, u: impl Fn(usize) -> Vec3) -> Vec<Vec3> {
        let mut force = vec![Vec3::zeros(); self.mass.len()];
        for Spring { ends: [a, b], axis, stiffness, .. } in &self.springs {
            let pull = axis * (axis.dot(&(u(*b) - u(*a))) * stiffness);
            force[*a] -= pull;
            force[*b] += pull;
        }
        force
    }

    fn displacement(&self, node: usize) -> Vec3 {
        self.state.x[node] - self.mesh.nodes[node]
    }

    /// The matrix `A` of a step.
    fn prepare(&mut self, h: f64, stepping: &Stepping) {
        if self.factor.as_ref().is_some_and(|(made, _)| *made == h) {
            return;
        }
        let scale = stepping.mean_displacement * h * h + stepping.mean_velocity * h * self.damping;
        let mut entries: Vec<Entry> = Vec::new();
        for (k, mass) in (0..).zip(&self.mass) {
            entries.push((k, k, Mat3::from_diagonal_element(*mass)));
        }
        for Spring { ends: [p, q], axis, stiffness, .. } in &self.springs {
            let block = axis * axis.transpose() * (stiffness * scale);
            let (p, q) = (*p as u32, *q as u32);
            entries.extend([(p, p, block), (q, q, block), (p, q, -block), (q, p, -block)]);
        }
        let n = 3 * self.mass.len();
        let mut a = vec![0.0; n * n];
        for (row, column, block) in &entries {
            for i in 0..3 {
                for j in 0..3 {
                    a[(3 * *row as usize + i) * n + 3 * *column as usize + j] += block[(i, j)];
                }
            }
        }
        self.matrix = entries.into();
        self.factor = Some((h, Factor::new(a, n)));
    }

    /// `A⁻¹ f`, with the matrix of the step.
    fn solve(&self, force: &[Vec3]) -> Vec<Vec3> {
        let (_, factor) = self.factor.as_ref().expect("a step has begun");
        let flat = factor.solve(force.iter().flat_map(|f| [f.x, f.y, f.z]).collect());
        flat.chunks_exact(3).map(Vec3::from_column_slice).collect()
    }

    fn previous(&self, node: usize) -> Vec3 {
        if self.inertial {
            self.state.v[node]
        } else {
            Vec3::zeros()
        }
    }

    fn free_velocity(&mut self, h: f64, stepping: &Stepping, gravity: &Vec3) {
        self.prepare(h, stepping);
        self.force.iter_mut().zip(&self.mass).for_each(|(force, mass)| *force += gravity * *mass);
        let elastic = self.stiffness(|node| self.displacement(node) + self.previous(node) * self.damping);
        let force: Vec<Vec3> = self.force.iter().zip(elastic).map(|(f, k)| (f - k) * h).collect();
        let change = self.solve(&force);
        self.free = change.iter().enumerate().map(|(node, change)| self.previous(node) + change).collect();
    }

    /// Forces on the nodes.
    fn gather(&self, body: BodyIndex, forces: &dyn Forces) -> Vec<Vec3> {
        let mut nodal = vec![Vec3::zeros(); self.mass.len()];
        forces.on(body, &mut |PointForce { at, force }| match at {
            Attachment::Point(point) => self.weights(point).add(&mut nodal, force),
            Attachment::Arm(_) | Attachment::Driven { .. } => unreachable!("a chain is held at its own points"),
        });
        nodal
    }

    fn finish(&mut self, h: f64, stepping: &Stepping, reactions: &[Vec3]) {
        let impulse: Vec<Vec3> = reactions.iter().map(|force| force * h).collect();
        let change = self.solve(&impulse);
        let v: Vec<Vec3> = self.free.iter().zip(change).map(|(free, change)| free + change).collect();
        if stepping.inertial {
            let middle: Vec<Vec3> = self.state.v.iter().zip(&v).map(|(old, new)| (old + new) * 0.5).collect();
            let power = |force: &[Vec3]| force.iter().zip(&middle).map(|(f, v)| f.dot(v)).sum::<f64>();
            self.work[EXTERNAL] += h * (power(&self.force) + power(reactions));
            self.work[DISSIPATED] += h * self.damping * power(&self.stiffness(|node| middle[node]));
        }
        self.state.x.iter_mut().zip(&v).for_each(|(x, v)| *x += v * (stepping.after * h));
        self.state.v = v;
    }

    fn kinetic(&self) -> f64 {
        self.mass.iter().zip(&self.state.v).map(|(mass, v)| 0.5 * mass * v.norm_squared()).sum()
    }

    fn internal(&self) -> f64 {
        let force = self.stiffness(|node| self.displacement(node));
        force.iter().enumerate().map(|(node, f)| 0.5 * f.dot(&self.displacement(node))).sum()
    }

    /// Mass centre now.
    fn center(&self) -> Vec3 {
        let total: f64 = self.mass.iter().sum();
        self.mass.iter().zip(&self.state.x).map(|(mass, x)| x * *mass).sum::<Vec3>() / total
    }
}

/// Adds the mass of an element to its nodes, and returns its volume.
fn lump(mesh: &Mesh, element: &Element, density: f64, mass: &mut [f64]) -> f64 {
    let corners = element.gather(|node| mesh.nodes[node as usize]);
    let gauss = 1.0 / 3f64.sqrt();
    let mut volume = 0.0;
    for k in 0..8 {
        let p = Vec3::new(sign(k & 1), sign(k & 2), sign(k & 4)) * gauss;
        let part = element.kind.jacobian(&corners, &p).determinant();
        volume += part;
        for (node, share) in element.nodes().iter().zip(element.kind.shape_functions(&p)) {
            mass[*node as usize] += density * part * share;
        }
    }
    volume
}

fn sign(bit: usize) -> f64 {
    if bit == 0 {
        -1.0
    } else {
        1.0
    }
}

/// Springs between all pairs of nodes of an element.
fn brace(mesh: &Mesh, element: &Element, length: f64, young: f64) -> Vec<Spring> {
    let nodes = element.nodes();
    let mut springs = Vec::new();
    for (k, &a) in nodes.iter().enumerate() {
        for &b in &nodes[k + 1..] {
            let axis = (mesh.nodes[b as usize] - mesh.nodes[a as usize]).normalize();
            springs.push(Spring { ends: [a as usize, b as usize], axis, length, stiffness: young * length });
        }
    }
    springs
}

/// Cholesky factor of a dense symmetric positive definite matrix, by rows.
struct Factor {
    n: usize,
    l: Vec<f64>,
}

impl Factor {
    fn new(mut l: Vec<f64>, n: usize) -> Factor {
        for j in 0..n {
            for i in j..n {
                let dot: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
                let entry = l[i * n + j] - dot;
                l[i * n + j] = if i == j { entry.sqrt() } else { entry / l[j * n + j] };
            }
        }
        Factor { n, l }
    }

    fn solve(&self, mut x: Vec<f64>) -> Vec<f64> {
        let (n, l) = (self.n, &self.l);
        for i in 0..n {
            let dot: f64 = (0..i).map(|k| l[i * n + k] * x[k]).sum();
            x[i] = (x[i] - dot) / l[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|k| l[k * n + i] * x[k]).sum();
            x[i] = (x[i] - dot) / l[i * n + i];
        }
        x
    }
}

impl Condensed for Chain {
    fn free(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        out.iter_mut().zip(points).for_each(|(out, point)| *out = self.weights(point).of(&self.free));
    }

    fn previous(&self, points: &[MaterialPoint], out: &mut [Vec3]) {
        let previous: Vec<Vec3> = (0..self.mass.len()).map(|node| self.previous(node)).collect();
        out.iter_mut().zip(points).for_each(|(out, point)| *out = self.weights(point).of(&previous));
    }

    fn compliance(&self, points: &[MaterialPoint], out: &mut [Mat3]) {
        let n = points.len();
        let weights: Vec<Weights> = points.iter().map(|point| self.weights(point)).collect();
        for j in 0..n {
            let columns = [0, 1, 2].map(|axis| {
                let mut unit = vec![Vec3::zeros(); self.mass.len()];
                weights[j].add(&mut unit, &Vec3::ith(axis, 1.0));
                self.solve(&unit)
            });
            for i in 0..=j {
                let block = Mat3::from_columns(&[0, 1, 2].map(|axis| weights[i].of(&columns[axis])));
                let block = if i == j { (block + block.transpose()) * 0.5 } else { block };
                out[i * n + j] = block;
                out[j * n + i] = block.transpose();
            }
        }
    }

    fn sparse(&self, points: &[MaterialPoint]) -> Option<SparseInertia> {
        let mut gather: Vec<Entry> = Vec::new();
        for (row, point) in (0..).zip(points) {
            let blocks = |(node, weight)| (row, node as u32, Mat3::from_diagonal_element(weight));
            gather.extend(self.weights(point).entries().map(blocks));
        }
        let velocities = self.mass.len() as u32;
        self.shows_matrices.then(|| SparseInertia { velocities, mass: self.matrix.clone(), gather })
    }
}

fn flat(field: &[Vec3]) -> Vec<f64> {
    field.iter().flat_map(|x| [x.x, x.y, x.z]).collect()
}

fn vectors(flat: &[f64]) -> Vec<Vec3> {
    flat.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

impl BodySet for ChainSet {
    fn bodies(&self) -> &[BodyIndex] {
        &self.body
    }

    fn insert(&mut self, body: BodyIndex, new: &NewBody<'_>) -> Result<()> {
        self.chains.push(Chain::new(new, self.stepping.inertial, self.shows_matrices)?);
        self.body.push(body);
        Ok(())
    }

    fn retain(&mut self, place: &[Option<BodyIndex>]) {
        let chains = std::mem::take(&mut self.chains);
        let old = std::mem::take(&mut self.body);
        for (chain, body) in chains.into_iter().zip(old) {
            if let Some(body) = place[body.index()] {
                self.chains.push(chain);
                self.body.push(body);
            }
        }
    }

    fn mass(&self, row: usize) -> f64 {
        self.chains[row].mass.iter().sum()
    }

    fn center(&self, row: usize) -> Vec3 {
        self.chains[row].chars.center
    }

    fn set_characteristics(&mut self, _row: usize, name: &str, _chars: &Characteristics) -> Result<()> {
        Err(Error::input(format!("{name}: the masses of a chain follow from its mesh")))
    }

    fn configuration(&self, row: usize) -> Vec<f64> {
        flat(&self.chains[row].state.x)
    }

    fn set_configuration(&mut self, row: usize, name: &str, conf: &[f64]) -> Result<()> {
        let chain = &mut self.chains[row];
        check_numbers(name, "conf", conf, 3 * chain.mass.len())?;
        chain.state.x = vectors(conf);
        Ok(())
    }

    fn velocity(&self, row: usize) -> Vec<f64> {
        flat(&self.chains[row].state.v)
    }

    fn set_velocity(&mut self, row: usize, name: &str, velo: &[f64]) -> Result<()> {
        let chain = &mut self.chains[row];
        check_numbers(name, "velo", velo, 3 * chain.mass.len())?;
        chain.state.v = vectors(velo);
        Ok(())
    }

    fn set_rigid_velocity(&mut self, row: usize, twist: &Twist) {
        let chain = &mut self.chains[row];
        let center = chain.center();
        let State { x, v } = &mut chain.state;
        v.iter_mut().zip(x).for_each(|(v, x)| *v = twist.linear + twist.angular.cross(&(*x - center)));
    }

    fn set_scheme(&mut self, _row: usize, name: &str, scheme: Scheme) -> Result<()> {
        match scheme {
            Scheme::Default | Scheme::DefLim => Ok(()),
            Scheme::RigPos | Scheme::RigNeg | Scheme::RigImp | Scheme::DefExp => {
                Err(wrong_scheme(name, scheme, "DEFAULT or DEF_LIM"))
            }
        }
    }

    fn set_damping(&mut self, row: usize, damping: f64) {
        let chain = &mut self.chains[row];
        (chain.damping, chain.factor) = (damping, None);
    }

    fn set_material(&mut self, material: u32, of: &BulkMaterial) -> Result<()> {
        for chain in self.chains.iter_mut().filter(|chain| chain.material == material) {
            chain.springs.iter_mut().for_each(|spring| spring.stiffness = of.young * spring.length);
            chain.factor = None;
        }
        Ok(())
    }

    fn check_place(&self, row: usize) -> std::result::Result<(), String> {
        if self.is_finite(row) {
            return Ok(());
        }
        Err("its configuration is not finite".into())
    }

    fn place(&self, row: usize, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = match nodes[k] {
                NO_NODE => self.point(row, &self.own_point(row, reference[k])),
                node => self.chains[row].state.x[node as usize],
            };
        }
    }

    fn turn_normals(&self, _row: usize, _reference: &[Vec3], _out: &mut [Vec3]) -> bool {
        false
    }

    fn locate(&self, row: usize, reference: &Vec3) -> (ObjectIndex, u32) {
        let point = self.own_point(row, *reference);
        (point.object, self.chains[row].element_of(&point))
    }

    fn point(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        self.chains[row].weights(point).of(&self.chains[row].state.x)
    }

    fn reference(&self, row: usize, _object: ObjectIndex, element: u32, here: &Vec3) -> Option<Vec3> {
        let chain = &self.chains[row];
        let (element, natural) = if element == NO_ELEMENT {
            chain.mesh.locate(|node| chain.state.x[node as usize], here)?
        } else {
            (element, ElementKind::Hex.natural(&chain.corners(element, &chain.state.x), here)?)
        };
        let weights = ElementKind::Hex.shape_functions(&natural);
        Some(interpolate(&weights, &chain.corners(element, &chain.mesh.nodes)))
    }

    fn carry(&self, row: usize, point: &MaterialPoint, direction: &Vec3) -> Vec3 {
        self.chains[row].gradient(point) * direction
    }

    fn velocity_at(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        self.chains[row].weights(point).of(&self.chains[row].state.v)
    }

    fn speed_bound(&self, row: usize, point: &MaterialPoint, _here: &Vec3) -> f64 {
        self.velocity_at(row, point).norm()
    }

    fn begin(&mut self, h: f64) {
        let before = self.stepping.before * h;
        for chain in &mut self.chains {
            std::mem::swap(&mut chain.state, &mut chain.start);
            chain.state.clone_from(&chain.start);
            let State { x, v } = &mut chain.state;
            x.iter_mut().zip(v).for_each(|(x, v)| *x += *v * before);
            chain.force.fill(Vec3::zeros());
        }
    }

    fn revert(&mut self) {
        self.chains.iter_mut().for_each(|chain| std::mem::swap(&mut chain.state, &mut chain.start));
    }

    fn add_force(&mut self, row: usize, point: &MaterialPoint, force: &Vec3) {
        let weights = self.chains[row].weights(point);
        weights.add(&mut self.chains[row].force, force);
    }

    /// A face hands its force to its nodes in equal parts.
    fn add_pressure(&mut self, row: usize, surface: &SurfaceLoad, pressure: f64) {
        let chain = &mut self.chains[row];
        for face in &surface.faces {
            let corner = |k: usize| chain.state.x[face.nodes[k] as usize];
            let area = (corner(2) - corner(0)).cross(&(corner(3) - corner(1))) * 0.5;
            face.nodes.iter().for_each(|&node| chain.force[node as usize] += area * (pressure / 4.0));
        }
    }

    fn generalised_forces(&self, row: usize) -> (usize, &'static str) {
        (3 * self.chains[row].mass.len(), "one for each of its velocities")
    }

    fn add_generalised(&mut self, row: usize, forces: &[f64]) {
        let force = &mut self.chains[row].force;
        force.iter_mut().zip(vectors(forces)).for_each(|(sum, force)| *sum += force);
    }

    fn free_velocity(&mut self, h: f64, gravity: &Vec3) {
        let stepping = self.stepping;
        self.chains.iter_mut().for_each(|chain| chain.free_velocity(h, &stepping, gravity));
    }

    fn inertia(&self, row: usize) -> Inertia<'_> {
        Inertia::Condensed(&self.chains[row])
    }

    fn attach(&self, row: usize, point: &MaterialPoint, _here: &Vec3) -> Attachment {
        Attachment::Point(MaterialPoint { element: self.chains[row].element_of(point), ..*point })
    }

    fn finish(&mut self, h: f64, reactions: &dyn Forces) {
        let stepping = self.stepping;
        for (chain, &body) in self.chains.iter_mut().zip(&self.body) {
            let nodal = chain.gather(body, reactions);
            chain.finish(h, &stepping, &nodal);
        }
    }

    fn apply_impulses(&mut self, impulses: &dyn Forces) {
        for (chain, &body) in self.chains.iter_mut().zip(&self.body) {
            let nodal = chain.gather(body, impulses);
            if nodal.iter().all(|impulse| *impulse == Vec3::zeros()) {
                continue;
            }
            let before = chain.kinetic();
            let change = chain.solve(&nodal);
            chain.state.v.iter_mut().zip(change).for_each(|(v, change)| *v += change);
            chain.work[EXTERNAL] += chain.kinetic() - before;
        }
    }

    fn energies(&self, row: usize) -> Energies {
        let chain = &self.chains[row];
        let mut energies = chain.work;
        energies[KINETIC] = if self.stepping.inertial { chain.kinetic() } else { 0.0 };
        energies[INTERNAL] = chain.internal();
        energies
    }

    fn add_contact_work(&mut self, row: usize, normal: f64, friction: f64) {
        self.chains[row].work[CONTACT] += normal;
        self.chains[row].work[FRICTION] += friction;
    }

    fn set_works(&mut self, row: usize, energies: &Energies) {
        self.chains[row].work = *energies;
    }

    fn warnings(&self, _out: &mut Vec<(BodyIndex, Warning)>) {}

    fn is_finite(&self, row: usize) -> bool {
        let State { x, v } = &self.chains[row].state;
        x.iter().chain(v).all(|vector| vector.iter().all(|x| x.is_finite()))
    }

    fn is_inverted(&self, row: usize) -> bool {
        let chain = &self.chains[row];
        let turned = |element| {
            let corners = chain.corners(element, &chain.state.x);
            ElementKind::Hex.jacobian(&corners, &Vec3::zeros()).determinant() <= 0.0
        };
        (0..chain.mesh.elements.len() as u32).any(turned)
    }

    fn show(&self, rows: &[(usize, CatalogueRow)], frame: &mut Frame) {
        for &(row, body) in rows {
            let State { x, v } = &self.chains[row].state;
            frame.nodal.body.push(body.0);
            frame.nodal.nodes.push(x.len() as u32);
            frame.nodal.energy.push(self.energies(row));
            frame.nodes.x.extend(x.iter().map(|x| <[f64; 3]>::from(*x)));
            frame.nodes.v.extend(v.iter().map(|v| <[f64; 3]>::from(*v)));
        }
    }

    fn store(&self, rows: &[(usize, BodyId)], columns: &mut BodyColumns) {
        for &(row, id) in rows {
            let State { x, v } = &self.chains[row].state;
            let work = solfec::body::works(&self.chains[row].work);
            columns.general.push(GeneralBody { id: id.0, unknowns: &flat(x), velocities: &flat(v), work });
        }
    }

    fn restore(&mut self, row: usize, id: BodyId, columns: &BodyColumns) -> bool {
        let Some(found) = columns.general.iter().find(|body| body.id == id.0) else { return false };
        let chain = &mut self.chains[row];
        if found.unknowns.len() != 3 * chain.mass.len() || found.velocities.len() != found.unknowns.len() {
            return false;
        }
        chain.state = State { x: vectors(found.unknowns), v: vectors(found.velocities) };
        chain.work = solfec::body::of_works(found.work);
        true
    }
}

impl ChainSet {
    /// A point that is known by its reference place only.
    fn own_point(&self, row: usize, reference: Vec3) -> MaterialPoint {
        MaterialPoint { body: self.body[row], object: ObjectIndex(u32::MAX), element: NO_ELEMENT, reference }
    }
}
