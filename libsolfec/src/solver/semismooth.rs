//! Semismooth Newton iteration for one contact, or for four side by side (docs/theory.md, (10.1) to (10.3)).

use super::cone;
use super::contact::{BlockError, Contact, Found, Method};
use crate::math::{MatOf, Number, Vec3, VecOf, Wide, WideVec};

/// Growth of ρ after each tenth of the iterations, and its bound relative to the start.
const GROWTH: f64 = 10.0;
const GROWTH_LIMIT: f64 = 1e6;

/// Iterations after which the velocity map must fall with every step.
const PATIENCE: u32 = 20;

/// The reaction of `contact` from `start`. Ends when `|ΔR| ≤ epsilon max(|R|, ρ|b|)`.
///
/// # Errors
/// A singular or not finite step; the limit, or after [`PATIENCE`] iterations one that does not come nearer.
pub fn solve(contact: &Contact, start: &Vec3, method: &Method) -> Result<Found, BlockError> {
    let (w, b, rho) = (contact.w, &contact.b, contact.rho);
    let problem = Problem { w: &MatOf::from(w), b: VecOf::from(b), friction: contact.friction, rho };
    let (mut at, mut residual) = (Iterate::new(&problem, VecOf::from(start)), f64::INFINITY);
    for iterations in 1..=method.limit {
        let Step { finite, short } = at.step(&problem, true, method.epsilon);
        if !finite {
            return Err(BlockError::Failed);
        }
        let reaction = Vec3::from(at.r);
        if short {
            return Ok(Found { reaction, iterations });
        }
        if iterations > PATIENCE {
            let map = cone::velocity_map(&(b + w * reaction), &reaction, contact.friction, 1.0 / rho).norm();
            if map >= residual {
                return Err(BlockError::Diverged);
            }
            residual = map;
        }
        at.grow(&problem, iterations, method.limit);
    }
    Err(BlockError::Diverged)
}

/// [`solve`] of those of four contacts that are in `wanted`, with the same bits, as far as they take no more than
/// [`PATIENCE`] iterations: the reactions, and which have been found.
pub fn solve_four(problem: &Problem<Wide>, start: WideVec, wanted: Wide, method: &Method) -> (WideVec, Wide) {
    let mut at = Iterate::new(problem, start);
    let (mut left, mut found) = (wanted, Wide::ZERO);
    for iterations in 1..=method.limit.min(PATIENCE) {
        let Step { finite, short } = at.step(problem, left, method.epsilon);
        found |= left & finite & short;
        left = left & finite & !short;
        if !Wide::any(left) {
            break;
        }
        at.grow(problem, iterations, method.limit);
    }
    (at.r, found)
}

/// What there is to solve of each item.
pub struct Problem<'a, T> {
    pub w: &'a MatOf<T>,
    pub b: VecOf<T>,
    pub friction: T,
    /// That of the blocks.
    pub rho: T,
}

struct Iterate<T> {
    r: VecOf<T>,
    rho: T,
    /// Square of what counts as no reaction.
    floor: T,
}

/// Where a step is finite, and where it is short enough to end the iteration.
struct Step<M> {
    finite: M,
    short: M,
}

impl<T: Number> Iterate<T> {
    #[inline(always)]
    fn new(problem: &Problem<T>, start: VecOf<T>) -> Self {
        let rho = problem.rho;
        Iterate { r: start, rho, floor: rho * rho * problem.b.norm_squared() }
    }

    /// A Newton step of `which`; those that are not finite are not made.
    #[inline(always)]
    fn step(&mut self, problem: &Problem<T>, which: T::Mask, epsilon: f64) -> Step<T::Mask> {
        let u = problem.b + problem.w * self.r;
        let step = self.direction(problem, &u, which);
        let finite = step.is_finite();
        self.r = VecOf::select(which & finite, &(self.r + step), &self.r);
        let short = step.norm_squared().at_most(T::splat(epsilon * epsilon) * self.r.norm_squared().larger(self.floor));
        Step { finite, short }
    }

    #[inline(always)]
    fn grow(&mut self, problem: &Problem<T>, iterations: u32, limit: u32) {
        if iterations.is_multiple_of(limit.div_ceil(10).max(1)) {
            let (grown, most) = (T::splat(GROWTH) * self.rho, T::splat(GROWTH_LIMIT) * problem.rho);
            self.rho = T::select(grown.below(most), grown, most);
        }
    }

    /// The Newton step of `which` at consistent `u = b + W r`; not finite where it is singular.
    #[inline(always)]
    fn direction(&self, problem: &Problem<T>, u: &VecOf<T>, which: T::Mask) -> VecOf<T> {
        let Iterate { r, rho, .. } = *self;
        let (zero, one) = (T::splat(0.0), T::splat(1.0));
        let d = r - *u * rho;
        let open = d.z.below(zero);
        let bound = problem.friction * d.z;
        let size = (d.x * d.x + d.y * d.y).sqrt();
        let sticks = size.below(bound) & !open & which;
        let slips = !(open | sticks | bound.at_most(zero)) & which;

        let rows = [0, 1, 2].map(|k| problem.w.row(k));
        let mut first = (VecOf::new(one, zero, zero), -r.x);
        let mut second = (VecOf::new(zero, one, zero), -r.y);
        if T::any(sticks) {
            let part = one / d.z;
            let scale = one + rho * u.z * part;
            let row = |k: usize, u: T| (VecOf::new(rows[k].x, rows[k].y, rows[k].z + u * part), -(u * scale));
            (first, second) = (select(sticks, row(0, u.x), first), select(sticks, row(1, u.y), second));
        }
        if T::any(slips) {
            let part = one / size;
            let (t_x, t_y, scale) = (d.x * part, d.y * part, bound * part);
            let part = one / bound.larger((r.x * r.x + r.y * r.y).sqrt());
            let alignment = r.x * t_x + r.y * t_y;
            // α δ of the damping β; α has the factor 1/|R_T|, which cancels unless δ is cut at 1.
            let damped = one / (one - alignment * part);
            let beta = T::select(zero.at_most(alignment), one, damped);
            let row = |own: (T, T), r_k: T, t_k: T| {
                let r_k_part = r_k * part;
                let (m_x, m_y) = ((own.0 - r_k_part * t_x) * scale, (own.1 - r_k_part * t_y) * scale);
                let top = (rows[0] * m_x + rows[1] * m_y) * rho;
                let (x, y) = (top.x + (own.0 - beta * m_x), top.y + (own.1 - beta * m_y));
                (VecOf::new(x, y, top.z - problem.friction * t_k), t_k * (problem.friction * r.z) - r_k)
            };
            (first, second) =
                (select(slips, row((one, zero), r.x, t_x), first), select(slips, row((zero, one), r.y, t_y), second));
        }
        let solution = solve3([&first.0, &second.0, &rows[2]], &VecOf::new(first.1, second.1, -u.z));
        VecOf::select(open, &-r, &solution)
    }
}

/// A row of the system and its right side.
type Row<T> = (VecOf<T>, T);

#[inline(always)]
fn select<T: Number>(mask: T::Mask, yes: Row<T>, no: Row<T>) -> Row<T> {
    (VecOf::select(mask, &yes.0, &no.0), T::select(mask, yes.1, no.1))
}

/// Cramer's rule; not finite where the matrix with these rows is singular.
#[inline(always)]
fn solve3<T: Number>([r1, r2, r3]: [&VecOf<T>; 3], f: &VecOf<T>) -> VecOf<T> {
    let (c1, c2, c3) = (r2.cross(r3), r3.cross(r1), r1.cross(r2));
    (c1 * f.x + c2 * f.y + c3 * f.z) * (T::splat(1.0) / r1.dot(&c1))
}
