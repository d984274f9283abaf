//! All bodies of finite elements. Phases go through the bodies side by side; no result depends on that.

use rayon::prelude::*;

use super::body::{FiniteBody, State, DENSE_NODES};
use super::reduced::Reduced;
use super::twist::mean_twist;
use crate::body::checks::given_rotation;
use crate::body::kirchhoff::Kirchhoff;
use crate::body::{
    check_numbers, of_works, renumber, works, wrong_scheme, Attachment, BodyColumns, BodySet, Energies, Forces,
    GeneralBody, Inertia, MaterialPoint, NewBody, Twist, Warning, CONTACT, FRICTION, KINETIC, NO_ELEMENT, NO_NODE,
};
use crate::frame::Frame;
use crate::ids::{BodyId, BodyIndex, CatalogueRow, ObjectIndex};
use crate::load::SurfaceLoad;
use crate::material::BulkMaterial;
use crate::math::{Mat3, Vec3};
use crate::model::{Characteristics, Scheme};
use crate::stepping::Stepping;
use crate::{Error, Result};

pub struct FiniteSet {
    stepping: Stepping,
    body: Vec<BodyIndex>,
    bodies: Vec<FiniteBody>,
    /// Most nodes in contact of a body between which its inverse is dense.
    dense_nodes: usize,
}

impl FiniteSet {
    pub fn new(stepping: Stepping) -> FiniteSet {
        FiniteSet { stepping, body: Vec::new(), bodies: Vec::new(), dense_nodes: DENSE_NODES }
    }

    /// A point that is known by its reference place only.
    fn point_at(&self, row: usize, reference: Vec3) -> MaterialPoint {
        MaterialPoint { body: self.body[row], object: ObjectIndex::NONE, element: NO_ELEMENT, reference }
    }
}

fn flat(field: impl Iterator<Item = Vec3>) -> Vec<f64> {
    field.flat_map(|x| [x.x, x.y, x.z]).collect()
}

fn vectors(flat: &[f64]) -> Vec<Vec3> {
    flat.chunks_exact(3).map(Vec3::from_column_slice).collect()
}

impl BodySet for FiniteSet {
    fn bodies(&self) -> &[BodyIndex] {
        &self.body
    }

    fn insert(&mut self, body: BodyIndex, new: &NewBody<'_>) -> Result<()> {
        let mut of = FiniteBody::new(new, self.stepping)?;
        of.dense_nodes = self.dense_nodes;
        self.bodies.push(of);
        self.body.push(body);
        Ok(())
    }

    fn retain(&mut self, place: &[Option<BodyIndex>]) {
        let mut keep = renumber(&mut self.body, place).into_iter();
        self.bodies.retain(|_| keep.next().unwrap_or(true));
    }

    fn mass(&self, row: usize) -> f64 {
        self.bodies[row].mass.iter().sum()
    }

    fn center(&self, row: usize) -> Vec3 {
        self.bodies[row].middle
    }

    /// Masses of nodes follow from the mesh and the density; what is given is told by the model only.
    fn set_characteristics(&mut self, _row: usize, _name: &str, _chars: &Characteristics) -> Result<()> {
        Ok(())
    }

    /// Displacements of the nodes; reduced coordinates and rotation.
    fn configuration(&self, row: usize) -> Vec<f64> {
        let body = &self.bodies[row];
        if let Some(numbers) = body.reduced_configuration() {
            return numbers;
        }
        flat(body.state.x.iter().zip(&body.grid.mesh.nodes).map(|(x, reference)| x - reference))
    }

    fn set_configuration(&mut self, row: usize, name: &str, conf: &[f64]) -> Result<()> {
        let body = &mut self.bodies[row];
        if let Some(reduced) = &body.reduced {
            let n = reduced.count();
            check_numbers(name, "conf", conf, n + 9)?;
            let rotation = given_rotation(name, &Mat3::from_column_slice(&conf[n..]))?;
            body.set_reduced_configuration(&conf[..n], &rotation);
            return Ok(());
        }
        check_numbers(name, "conf", conf, 3 * body.grid.nodes())?;
        let nodes = body.grid.mesh.nodes.iter();
        let places = nodes.zip(vectors(conf)).map(|(reference, u)| reference + u).collect();
        body.set_places(places);
        Ok(())
    }

    fn velocity(&self, row: usize) -> Vec<f64> {
        let body = &self.bodies[row];
        body.reduced_velocity().unwrap_or_else(|| flat(body.state.v.iter().copied()))
    }

    /// Velocities of the nodes or reduced ones, or the six numbers of a rigid motion about the mass centre: angular,
    /// linear. Of a body whose base has six vectors they are reduced ones.
    fn set_velocity(&mut self, row: usize, name: &str, velo: &[f64]) -> Result<()> {
        let body = &mut self.bodies[row];
        if body.reduced.as_ref().is_some_and(|reduced| reduced.count() == velo.len()) {
            check_numbers(name, "velo", velo, velo.len())?;
            body.set_reduced_velocity(velo);
            return Ok(());
        }
        if let [a, b, c, d, e, f] = *velo {
            check_numbers(name, "velo", velo, 6)?;
            self.set_rigid_velocity(row, &Twist { angular: Vec3::new(a, b, c), linear: Vec3::new(d, e, f) });
            return Ok(());
        }
        let body = &mut self.bodies[row];
        let numbers = body.reduced.as_ref().map_or(3 * body.grid.nodes(), Reduced::count);
        check_numbers(name, "velo", velo, numbers)?;
        body.state.v = vectors(velo);
        Ok(())
    }

    fn set_rigid_velocity(&mut self, row: usize, twist: &Twist) {
        let center = self.bodies[row].center();
        let State { x, v } = &mut self.bodies[row].state;
        v.iter_mut().zip(x).for_each(|(v, x)| *v = twist.linear + twist.angular.cross(&(*x - center)));
        self.bodies[row].project_velocities();
    }

    fn set_scheme(&mut self, row: usize, name: &str, scheme: Scheme) -> Result<()> {
        let reduced = self.bodies[row].reduced.is_some();
        match scheme {
            Scheme::DefExp if reduced => {
                let text = "scheme DEF_EXP is not for reduced bodies; leave it DEF_LIM";
                Err(Error::input(format!("{name}: {text}")))
            }
            Scheme::DefLim => self.bodies[row].set_implicit(true),
            Scheme::Default | Scheme::DefExp => self.bodies[row].set_implicit(!self.stepping.inertial),
            Scheme::RigPos | Scheme::RigNeg | Scheme::RigImp => Err(wrong_scheme(name, scheme, "DEF_EXP or DEF_LIM")),
        }
    }

    fn set_damping(&mut self, row: usize, damping: f64) {
        self.bodies[row].set_damping(damping);
    }

    fn set_material(&mut self, material: u32, of: &BulkMaterial) -> Result<()> {
        let uniform = |body: &&mut FiniteBody| body.sampled.is_none() && body.materials.contains(&material);
        for body in self.bodies.iter_mut().filter(uniform) {
            of.check_stiffness().map_err(|e| Error::input(format!("{}: {e}", body.name)))?;
            body.set_law(material, Kirchhoff::of(of));
        }
        Ok(())
    }

    fn set_dense_nodes(&mut self, most: usize) {
        self.dense_nodes = most;
        self.bodies.iter_mut().for_each(|body| body.dense_nodes = most);
    }

    fn sites(&self, row: usize) -> Option<(u32, &[Vec3])> {
        let body = &self.bodies[row];
        Some((*body.materials.first()?, &body.sampled.as_ref()?.places))
    }

    fn sample(&mut self, row: usize, young: Option<&[f64]>, poisson: Option<&[f64]>) {
        self.bodies[row].sample(young, poisson);
    }

    fn check_place(&self, row: usize) -> Result<(), String> {
        if self.is_finite(row) {
            return Ok(());
        }
        Err("its configuration is not finite: the step is too long or the mesh has turned inside out".into())
    }

    fn place(&self, row: usize, reference: &[Vec3], nodes: &[u32], out: &mut [Vec3]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = match nodes[k] {
                NO_NODE => self.bodies[row].vertex(&reference[k]),
                node => self.bodies[row].state.x[node as usize],
            };
        }
    }

    fn turn_normals(&self, _row: usize, _reference: &[Vec3], _out: &mut [Vec3]) -> bool {
        false
    }

    fn locate(&self, row: usize, reference: &Vec3) -> (ObjectIndex, u32) {
        let point = self.point_at(row, *reference);
        (point.object, self.bodies[row].grid.element_of(&point))
    }

    fn point(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        let body = &self.bodies[row];
        body.grid.weights(point).of(&body.state.x)
    }

    fn reference(&self, row: usize, _object: ObjectIndex, element: u32, here: &Vec3) -> Option<Vec3> {
        let FiniteBody { grid, state, .. } = &self.bodies[row];
        let now = |node: u32| state.x[node as usize];
        let (element, natural) = if element == NO_ELEMENT {
            grid.mesh.locate(now, here)?
        } else {
            let of = &grid.mesh.elements[element as usize];
            (element, of.kind.natural(&of.gather(now), here)?)
        };
        Some(grid.place(element, &natural, |node| grid.mesh.nodes[node as usize]))
    }

    fn carry(&self, row: usize, point: &MaterialPoint, direction: &Vec3) -> Vec3 {
        let body = &self.bodies[row];
        body.grid.deformation(point, &body.state.x) * direction
    }

    fn mean_twist(&self, row: usize) -> Twist {
        let FiniteBody { mass, state, .. } = &self.bodies[row];
        mean_twist(mass, &state.x, &state.v)
    }

    fn velocity_at(&self, row: usize, point: &MaterialPoint) -> Vec3 {
        let body = &self.bodies[row];
        body.grid.weights(point).of(&body.state.v)
    }

    fn speed_bound(&self, row: usize, point: &MaterialPoint, _here: &Vec3) -> f64 {
        self.velocity_at(row, point).norm()
    }

    fn stress(&self, row: usize, point: &MaterialPoint) -> [f64; 6] {
        self.bodies[row].stress(point)
    }

    fn critical_step(&self) -> Option<(f64, BodyIndex)> {
        let steps = self.bodies.iter().zip(&self.body).map(|(of, body)| (of.critical_step(), *body));
        steps.filter(|(step, _)| step.is_finite()).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn begin(&mut self, h: f64) {
        self.bodies.par_iter_mut().for_each(|body| body.begin(h));
    }

    fn look_at_present(&mut self) {
        self.bodies.par_iter_mut().for_each(FiniteBody::look_at_present);
    }

    fn revert(&mut self) {
        self.bodies.iter_mut().for_each(|body| std::mem::swap(&mut body.state, &mut body.start));
    }

    fn add_force(&mut self, row: usize, point: &MaterialPoint, force: &Vec3) {
        let body = &mut self.bodies[row];
        body.grid.weights(point).add(&mut body.force, force);
    }

    fn add_pressure(&mut self, row: usize, surface: &SurfaceLoad, pressure: f64) {
        self.bodies[row].add_pressure(surface, pressure);
    }

    fn generalised_forces(&self, row: usize) -> (usize, &'static str) {
        if let Some(reduced) = &self.bodies[row].reduced {
            return (reduced.count(), "a force for each vector of its base");
        }
        (3 * self.bodies[row].grid.nodes(), "a spatial force for each node of its mesh")
    }

    fn add_generalised(&mut self, row: usize, forces: &[f64]) {
        if let Some(reduced) = &mut self.bodies[row].reduced {
            reduced.force.resize(forces.len(), 0.0);
            reduced.force.iter_mut().zip(forces).for_each(|(sum, force)| *sum += force);
            return;
        }
        let force = &mut self.bodies[row].force;
        force.iter_mut().zip(vectors(forces)).for_each(|(sum, force)| *sum += force);
    }

    fn free_velocity(&mut self, h: f64, gravity: &Vec3) {
        self.bodies.par_iter_mut().for_each(|body| body.free_velocity(h, gravity));
    }

    fn inertia(&self, row: usize) -> Inertia<'_> {
        Inertia::Condensed(&self.bodies[row])
    }

    fn attach(&self, row: usize, point: &MaterialPoint, _here: &Vec3) -> Attachment {
        Attachment::Point(MaterialPoint { element: self.bodies[row].grid.element_of(point), ..*point })
    }

    fn finish(&mut self, h: f64, reactions: &dyn Forces) {
        self.bodies.par_iter_mut().zip(&self.body).for_each(|(of, &body)| of.finish(h, body, reactions));
    }

    fn apply_impulses(&mut self, impulses: &dyn Forces) {
        for (of, &body) in self.bodies.iter_mut().zip(&self.body) {
            if of.gather(body, impulses) {
                of.apply_impulses();
            }
        }
    }

    fn energies(&self, row: usize) -> Energies {
        self.bodies[row].energies()
    }

    fn kinetic(&self, row: usize) -> f64 {
        self.bodies[row].energies_of_motion()[KINETIC]
    }

    fn energies_of_motion(&self, row: usize) -> Energies {
        self.bodies[row].energies_of_motion()
    }

    fn add_contact_work(&mut self, row: usize, normal: f64, friction: f64) {
        self.bodies[row].work[CONTACT] += normal;
        self.bodies[row].work[FRICTION] += friction;
    }

    fn set_works(&mut self, row: usize, energies: &Energies) {
        self.bodies[row].work = *energies;
    }

    fn warnings(&self, out: &mut Vec<(BodyIndex, Warning)>) {
        for (of, &body) in self.bodies.iter().zip(&self.body) {
            let indefinite = of.remarks.indefinite.then_some(Warning::IndefiniteStiffness);
            let crushed = of.remarks.crushed.then_some(Warning::Crushed);
            out.extend([indefinite, crushed].into_iter().flatten().map(|warning| (body, warning)));
        }
    }

    fn is_finite(&self, row: usize) -> bool {
        let State { x, v } = &self.bodies[row].state;
        x.iter().chain(v).all(|vector| vector.iter().all(|x| x.is_finite()))
    }

    fn is_inverted(&self, row: usize) -> bool {
        let FiniteBody { grid, state, .. } = &self.bodies[row];
        grid.mesh.elements.iter().any(|element| {
            let corners = element.gather(|node| state.x[node as usize]);
            element.kind.jacobian(&corners, &element.kind.center()).determinant() <= 0.0
        })
    }

    fn show(&self, rows: &[(usize, CatalogueRow)], frame: &mut Frame) {
        for &(row, body) in rows {
            let State { x, v } = &self.bodies[row].state;
            frame.nodal.body.push(body.0);
            frame.nodal.nodes.push(x.len() as u32);
            frame.nodal.energy.push(self.energies(row));
            frame.nodes.x.extend(x.iter().map(|x| <[f64; 3]>::from(*x)));
            frame.nodes.v.extend(v.iter().map(|v| <[f64; 3]>::from(*v)));
            for [young, poisson] in self.bodies[row].means() {
                frame.laws.body.push(body.0);
                frame.laws.young.push(young);
                frame.laws.poisson.push(poisson);
            }
        }
    }

    fn store(&self, rows: &[(usize, BodyId)], columns: &mut BodyColumns) {
        for &(row, id) in rows {
            let FiniteBody { state, strain, sampled, work, .. } = &self.bodies[row];
            let (mut unknowns, velocities) = (flat(state.x.iter().copied()), flat(state.v.iter().copied()));
            // Then the strain that bounds the next step, and the values that a material has taken since time 0.
            unknowns.push(*strain);
            if let Some(sampled) = sampled.as_ref().filter(|sampled| sampled.changed) {
                unknowns.extend(sampled.young.iter().chain(&sampled.poisson));
            }
            let (unknowns, velocities, work) = (&unknowns[..], &velocities[..], works(work));
            columns.general.push(GeneralBody { id: id.0, unknowns, velocities, work });
        }
    }

    fn restore(&mut self, row: usize, id: BodyId, columns: &BodyColumns) -> bool {
        let Some(found) = columns.general.iter().find(|body| body.id == id.0) else { return false };
        let body = &mut self.bodies[row];
        let numbers = 3 * body.grid.nodes();
        let points = body.sampled.as_ref().map_or(0, |sampled| sampled.places.len());
        let Some((places, rest)) = found.unknowns.split_at_checked(numbers) else { return false };
        // Samples come in pairs. Checkpoints of earlier versions have no strain.
        let (strain, samples) = rest.split_at(rest.len() % 2);
        if found.velocities.len() != numbers || !(samples.is_empty() || samples.len() == 2 * points) {
            return false;
        }
        if !samples.is_empty() {
            let (young, poisson) = samples.split_at(points);
            body.sample(Some(young), Some(poisson));
        }
        body.state = State { x: vectors(places), v: vectors(found.velocities) };
        body.strain = strain.first().copied().unwrap_or_else(|| body.present_strain());
        body.work = of_works(found.work);
        true
    }
}
