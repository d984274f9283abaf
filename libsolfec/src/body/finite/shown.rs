//! Energies and stress of a body: what is shown of it, and does not move it.

use super::body::FiniteBody;
use super::enhanced::element_stress;
use super::kernels;
use super::quadratic::quadratic_stress;
use crate::body::kirchhoff::pushed_forward;
use crate::body::{Energies, MaterialPoint, INTERNAL, KINETIC};
use crate::math::Vec3;

impl FiniteBody {
    pub fn kinetic(&self) -> f64 {
        self.mass.iter().zip(&self.state.v).map(|(mass, v)| 0.5 * mass * v.norm_squared()).sum()
    }

    fn internal(&self) -> f64 {
        let Some(linear) = &self.linear else { return kernels::energy(&self.grid, &self.laws, &self.state.x) };
        let Some(rotation) = linear.corotation.rotation(&self.state.x) else { return f64::NAN };
        let u: Vec<Vec3> = linear.corotation.displacements(&self.grid.mesh.nodes, &self.state.x, &rotation).collect();
        let mut force = vec![Vec3::zeros(); u.len()];
        linear.stiffness.add_product(&u, 1.0, &mut force);
        0.5 * u.iter().zip(force).map(|(u, force)| u.dot(&force)).sum::<f64>()
    }

    pub fn energies(&self) -> Energies {
        let mut energies = self.energies_of_motion();
        energies[INTERNAL] = self.internal();
        energies
    }

    /// Energies without the internal one.
    pub fn energies_of_motion(&self) -> Energies {
        let mut energies = self.work;
        energies[KINETIC] = if self.stepping.inertial { self.kinetic() } else { 0.0 };
        energies
    }

    /// Cauchy stress at a point [Pa].
    pub fn stress(&self, point: &MaterialPoint) -> [f64; 6] {
        let element = self.grid.element_of(point);
        let (owner, part) = self.grid.owner(element);
        let (natural, law) = (self.grid.natural(element, &point.reference), &self.laws.elements()[owner]);
        if let Some(group) = self.grid.groups().get(owner) {
            let [then, now] = [&self.grid.mesh.nodes, &self.state.x].map(|x| group.map(|node| x[node as usize]));
            let (f, stress) = quadratic_stress(law, &then, &now, part, &natural);
            return pushed_forward(&stress, &f);
        }
        let of = &self.grid.mesh.elements[element as usize];
        let then = of.gather(|node| self.grid.mesh.nodes[node as usize]);
        let now = of.gather(|node| self.state.x[node as usize]);
        let found = element_stress(law, (of.kind, self.grid.is_enhanced()), &then, &now, &natural);
        found.map_or([f64::NAN; 6], |(f, stress)| pushed_forward(&stress, &f))
    }
}
