//! The problem as the precise methods see it: cohesion and restitution are shifted out.

use crate::dynamics::Delassus;
use crate::math::{Mat3, Vec3};
use crate::solver::compliant::BlockState;
use crate::solver::law::ResidualForm;
use crate::solver::newton::rows::linearise;
use crate::solver::{cone, Block, Conditions, Law};

/// What one row asks of `u = q + W r`.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// `r ∈ K`, `û ∈ K*`, `r·û = 0` with `û = u + μ|u_T| e_N`.
    Contact { friction: f64 },
    /// An equation between `r` and `u`; `v` is the normal velocity at the start of the step.
    Equation { form: ResidualForm, v: f64 },
}

/// A row linearised: its residual `f` [force] and `∂f/∂u`, `∂f/∂r`.
#[derive(Debug, Clone, Copy)]
pub struct Linear {
    pub f: Vec3,
    pub x: Mat3,
    pub y: Mat3,
}

/// Find `r` and `u = q + W r` that satisfy all rows. `r` contains the cohesion, `u` the bounce.
#[derive(Debug)]
pub struct Local {
    pub q: Vec<Vec3>,
    pub kind: Vec<Kind>,
    /// Largest eigenvalue of the diagonal blocks [m/s/N]: the scale between `u` and `r` of a row.
    pub scale: Vec<f64>,
    pub cohesion: Vec<f64>,
    pub bounce: Vec<f64>,
    diagonal: Vec<Mat3>,
    conditions: Conditions,
}

impl Local {
    pub fn new<D: Delassus>(op: &mut D, laws: &[Law], blocks: &[Block], conditions: Conditions) -> Self {
        let mut local = Local {
            q: op.free().to_vec(),
            kind: Vec::with_capacity(laws.len()),
            scale: scales(op, blocks),
            cohesion: vec![0.0; laws.len()],
            bounce: vec![0.0; laws.len()],
            diagonal: op.diagonal().to_vec(),
            conditions,
        };
        for (i, law) in laws.iter().enumerate() {
            let v = op.previous()[i].z;
            local.kind.push(match law.form_at(&op.diagonal()[i], &blocks[i], v) {
                ResidualForm::Cone { friction, bounce, cohesion } => {
                    local.cohesion[i] = cohesion;
                    local.bounce[i] = bounce;
                    Kind::Contact { friction }
                }
                form @ (ResidualForm::Compliant(_)
                | ResidualForm::Velocity3(_)
                | ResidualForm::Velocity(_)
                | ResidualForm::Link(_)
                | ResidualForm::Spring(_)
                | ResidualForm::Null) => Kind::Equation { form, v },
            });
        }
        let shift: Vec<Vec3> = local.cohesion.iter().map(|&c| Vec3::new(0.0, 0.0, c)).collect();
        let mut of_cohesion = vec![Vec3::zeros(); local.len()];
        op.product(&shift, &mut of_cohesion);
        for (i, of_cohesion) in of_cohesion.iter().enumerate() {
            local.q[i] -= of_cohesion;
            local.q[i].z += local.bounce[i];
        }
        local
    }

    /// A finite guess that the laws admit, from reactions `r` of the operator.
    pub fn guess(&self, laws: &[Law], r: &[Vec3]) -> Vec<Vec3> {
        let admit = |i: usize| laws[i].clip(&r[i]) + Vec3::new(0.0, 0.0, self.cohesion[i]);
        (0..r.len()).map(admit).collect()
    }

    /// Reactions of the operator, of unknowns `found`.
    pub fn restore(&self, found: &[Vec3], r: &mut [Vec3]) {
        for (i, r) in r.iter_mut().enumerate() {
            *r = found[i] - Vec3::new(0.0, 0.0, self.cohesion[i]);
        }
    }

    pub fn len(&self) -> usize {
        self.q.len()
    }

    /// `u = q + W r`. Collective.
    pub fn velocities<D: Delassus>(&self, op: &mut D, r: &[Vec3], u: &mut [Vec3]) {
        op.product(r, u);
        u.iter_mut().zip(&self.q).for_each(|(u, q)| *u += q);
    }

    /// Energy norm over rows: of a force `f` it is `√Σ scale |f|²`. Collective.
    pub fn force_norm<D: Delassus>(&self, op: &D, f: &[Vec3]) -> f64 {
        let own = f.iter().zip(&self.scale).map(|(f, s)| s * f.norm_squared()).sum();
        let [sum] = op.total([own]);
        sum.sqrt()
    }

    /// Residual of row `i` [force] at `u`, `r`; `rho` is the force per velocity of the contact map.
    pub fn residual(&self, i: usize, u: &Vec3, r: &Vec3, rho: f64) -> Vec3 {
        match self.kind[i] {
            Kind::Contact { friction } => alart_curnier(u, r, friction, rho),
            Kind::Equation { form, v } => self.equation(i, form, v, u, r).f,
        }
    }

    /// The same with its derivatives.
    pub fn linearise(&self, i: usize, u: &Vec3, r: &Vec3, rho: f64) -> Linear {
        match self.kind[i] {
            Kind::Contact { friction } => alart_curnier_linear(u, r, friction, rho),
            Kind::Equation { form, v } => self.equation(i, form, v, u, r),
        }
    }

    fn equation(&self, i: usize, form: ResidualForm, v: f64, u: &Vec3, r: &Vec3) -> Linear {
        let w = &self.diagonal[i];
        let at = BlockState { conditions: self.conditions, w, b: u - w * r, v };
        let (f, x, y) = linearise(form, &at, self.scale[i], r, 0.0);
        Linear { f, x, y }
    }
}

/// `1/ρ` of the blocks; blocks of nothing get the largest one.
fn scales<D: Delassus>(op: &D, blocks: &[Block]) -> Vec<f64> {
    let scale: Vec<f64> = blocks.iter().map(|block| 1.0 / block.rho).collect();
    let largest = op.greatest(scale.iter().copied().filter(|s| s.is_finite()).fold(0.0, f64::max));
    let largest = if largest > 0.0 { largest } else { 1.0 };
    scale.into_iter().map(|s| if s.is_finite() && s > 1e-14 * largest { s } else { largest }).collect()
}

/// `(r_T − P_D(r_T − ρu_T), r_N − max(0, r_N − ρu_N))`, where `D` is the disc of radius `μ max(0, r_N − ρu_N)`.
fn alart_curnier(u: &Vec3, r: &Vec3, friction: f64, rho: f64) -> Vec3 {
    let d = r - rho * u;
    if d.z <= 0.0 {
        return *r;
    }
    let (bound, size) = (friction * d.z, cone::tangential(&d));
    if size <= bound {
        return rho * u;
    }
    let scale = bound / size;
    Vec3::new(r.x - scale * d.x, r.y - scale * d.y, rho * u.z)
}

fn alart_curnier_linear(u: &Vec3, r: &Vec3, friction: f64, rho: f64) -> Linear {
    let d = r - rho * u;
    if d.z <= 0.0 {
        return Linear { f: *r, x: Mat3::zeros(), y: Mat3::identity() };
    }
    let (bound, size) = (friction * d.z, cone::tangential(&d));
    if size <= bound {
        return Linear { f: rho * u, x: Mat3::from_diagonal_element(rho), y: Mat3::zeros() };
    }
    let (t, scale) = (d.xy() / size, bound / size);
    // Derivative of the projection with respect to d.
    let turn = Mat3::new(
        scale * (1.0 - t.x * t.x),
        -scale * t.x * t.y,
        friction * t.x,
        -scale * t.x * t.y,
        scale * (1.0 - t.y * t.y),
        friction * t.y,
        0.0,
        0.0,
        1.0,
    );
    let f = Vec3::new(r.x - scale * d.x, r.y - scale * d.y, rho * u.z);
    Linear { f, x: rho * turn, y: Mat3::identity() - turn }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The derivatives of the contact map against differences: open, sticking, sliding.
    #[test]
    fn derivatives_of_the_contact_map() {
        let states = [
            (Vec3::new(0.1, -0.2, 3.0), Vec3::new(0.2, 0.1, 1.0)),
            (Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.2, 0.1, 2.0)),
            (Vec3::new(1.1, -0.7, 0.3), Vec3::new(-0.9, 0.4, 2.0)),
        ];
        let step = 1e-6;
        for (u, r) in states {
            let exact = alart_curnier_linear(&u, &r, 0.4, 0.7);
            assert_eq!(exact.f, alart_curnier(&u, &r, 0.4, 0.7));
            for k in 0..3 {
                let e = Vec3::ith(k, step);
                let slope = |plus: Vec3, minus: Vec3| (plus - minus) / (2.0 * step);
                let by_u = slope(alart_curnier(&(u + e), &r, 0.4, 0.7), alart_curnier(&(u - e), &r, 0.4, 0.7));
                let by_r = slope(alart_curnier(&u, &(r + e), 0.4, 0.7), alart_curnier(&u, &(r - e), 0.4, 0.7));
                assert!((exact.x.column(k) - by_u).amax() < 1e-8 && (exact.y.column(k) - by_r).amax() < 1e-8);
            }
        }
    }
}
