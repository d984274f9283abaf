//! Warnings of numbers that cannot be right, and of motion that a step cannot follow: bodies that are put into others,
//! that are hardly larger than the geometric tolerance, that pass through each other or turn far in a step; contacts
//! without a material.

use super::finite::{length, Fastest};
use super::warnings::Warnings;
use super::{Simulation, WarningKind};
use crate::contact::Contact;
use crate::dynamics::Delassus;
use crate::ids::BodyIndex;
use crate::math::Vec3;

/// Overlap at the start that is told, as a part of the least extent of the smaller body: more than models are rounded
/// by.
const DEEP: f64 = 1e-3;
/// Rotation in a step that is told [rad]: the error of the second-order update is about a hundredth of it there.
const LARGE_TURN: f64 = 0.5;
/// Product of step and frequency from which on motion across a link or spring grows.
const SWING: f64 = 2.0;
/// Least extent of a body in geometric epsilons below which gaps are not resolved.
const SMALL: f64 = 100.0;
/// Pairs of bodies that are looked at in a step for one that passes through another; there are more only where many are
/// fast.
const LOOKS: usize = 1_000_000;

impl Simulation {
    /// Looks at the step of length `h` [s] that has begun, after detection.
    pub(super) fn doubt(&mut self, h: f64, warnings: &mut Warnings) {
        if !self.work.newcomers.is_empty() {
            self.work.newcomers.sort_unstable();
            if self.doubt_overlaps(h, warnings) {
                self.work.overlapped = Some(self.steps);
            }
            self.doubt_sizes(warnings);
        }
        if !self.contacts.is_empty() && self.surface.iter().all(|material| material.is_the_default()) {
            warnings.once(WarningKind::NoSurfaceMaterial, || {
                "all contacts are without friction, as no SURFACE_MATERIAL says otherwise".into()
            });
        }
        self.work.fastest = self.doubt_motion(h, warnings);
    }

    /// Looks at links and springs after the solve of a step of length `h` [s]. One of length L under a tension T swings
    /// across its axis. T has the direction of the mid-step, so that this stiffness is explicit: a body between two such
    /// links, with the compliance w = W_TT/h, has ω² = 2 T w/L, and its motion grows without bound from hω = 2 on. The
    /// same holds of the fastest motion of a long chain.
    pub(super) fn doubt_tensions(&self, h: f64, warnings: &mut Warnings) {
        if !self.stepping.inertial {
            return;
        }
        let diagonal = self.work.operator.diagonal();
        for (row, &k) in (self.contacts.len()..).zip(&self.work.active) {
            let constraint = &self.constraints[k as usize];
            let Some(span) = constraint.span().filter(|span| *span > 0.0) else { continue };
            let across = diagonal[row].m11.max(diagonal[row].m22);
            let turn = (-2.0 * h * constraint.r.z * across / span).max(0.0).sqrt();
            if turn > SWING {
                warnings.note(WarningKind::Taut, constraint.id, turn, || {
                    let (name, tension) = (self.name_of_constraint(constraint), -constraint.r.z);
                    let stable = h * SWING / turn;
                    format!(
                        "{name}: under its tension of {tension:.3e} N it may swing faster than steps of {h:.2e} s can \
                         follow, and ever further; take steps below {stable:.2e} s"
                    )
                });
            }
        }
    }

    /// The least extent of the box of a body [m]; infinite without a shape.
    fn extent(&self, body: BodyIndex) -> f64 {
        let bounds = self.objects.bounds(body);
        let extent = (bounds.high - bounds.low).min() - 2.0 * self.settings.epsilon;
        if extent.is_finite() {
            extent
        } else {
            f64::INFINITY
        }
    }

    /// How deep the bodies of a contact overlapped at least when the step of length `h` [s] began [m].
    fn depth_before(&self, c: &Contact, h: f64) -> f64 {
        let [a, b] =
            [c.master.body, c.slave.body].map(|body| (self.bodies.mean_twist(body), self.objects.bounds(body)));
        let turned = [&a, &b].map(|(twist, bounds)| twist.angular.norm() * bounds.diagonal());
        let moved = (a.0.linear - b.0.linear).norm() + turned[0] + turned[1];
        -c.gap - self.stepping.before * h * moved
    }

    /// Whether a body has not made a step since it was put where it is.
    fn is_new(&self, body: BodyIndex) -> bool {
        self.work.newcomers.binary_search(&self.bodies.id(body)).is_ok()
    }

    /// Whether there are bodies that were put into others by more than round-off of a model.
    fn doubt_overlaps(&self, h: f64, warnings: &mut Warnings) -> bool {
        let mut deepest: Option<([BodyIndex; 2], f64)> = None;
        let (mut pairs, mut last) = (0, None);
        for c in &self.contacts {
            let bodies = [c.master.body, c.slave.body];
            if !bodies.iter().any(|body| self.is_new(*body)) {
                continue;
            }
            let depth = self.depth_before(c, h);
            if depth <= DEEP * self.extent(bodies[0]).min(self.extent(bodies[1])) {
                continue;
            }
            // Contacts of a pair of bodies are neighbours.
            pairs += usize::from(last.replace(c.key.bodies) != Some(c.key.bodies));
            if deepest.is_none_or(|(_, most)| depth > most) {
                deepest = Some((bodies, depth));
            }
        }
        let Some(([a, b], depth)) = deepest else { return false };
        warnings.note(WarningKind::Overlap, 0, depth, || {
            let (a, b) = (self.name(a), self.name(b));
            let more = if pairs > 1 { format!(", the deepest of {pairs} pairs") } else { String::new() };
            let when =
                if self.steps == 0 { String::new() } else { format!(" of the step from {:.6e} s", self.clock.now()) };
            format!("{a} and {b} overlap by {depth:.3e} m at the start{when}{more}; move them apart")
        });
        true
    }

    fn doubt_sizes(&self, warnings: &mut Warnings) {
        let epsilon = self.settings.epsilon;
        let new = self.bodies.by_id().iter().map(|&(_, body)| body).filter(|body| self.is_new(*body));
        let sized = new.map(|body| (body, self.extent(body)));
        let Some((body, extent)) = sized.min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        if extent < SMALL * epsilon {
            warnings.note(WarningKind::Size, 0, epsilon / extent.max(f64::MIN_POSITIVE), || {
                let name = self.name(body);
                format!(
                    "{name} measures {extent:.3e} m across, near the geometric tolerance of {epsilon:.3e} m: its contacts are \
                     not reliable; lower GEOMETRIC_EPSILON, or choose other units"
                )
            });
        }
    }

    /// Bodies that turn far, and that move further than they or their neighbours are thick; the fastest of all.
    fn doubt_motion(&self, h: f64, warnings: &mut Warnings) -> Option<Fastest> {
        let mut fastest: Option<Fastest> = None;
        let least = self.bodies.indices().map(|body| self.extent(body)).fold(f64::INFINITY, f64::min);
        let mut looks = LOOKS;
        for &(_, body) in self.bodies.by_id() {
            let twist = self.bodies.mean_twist(body);
            let turn = h * twist.angular.norm();
            if turn > LARGE_TURN {
                warnings.note(WarningKind::Turn, 0, turn, || {
                    format!("{} turns by {turn:.3} rad in a step; try a smaller step", self.name(body))
                });
            }
            let speed = length(&twist.linear);
            if fastest.is_none_or(|known| speed > known.speed) {
                fastest = Some(Fastest { body, speed });
            }
            let path = h * speed;
            if path <= least || looks < self.bodies.len() {
                continue;
            }
            looks -= self.bodies.len();
            if let Some((other, path)) = self.passed(body, &twist.linear, h) {
                warnings.note(WarningKind::Fast, 0, path, || {
                    let (name, other) = (self.name(body), self.name(other));
                    format!("{name} moves by {path:.3e} m in a step and may pass through {other}; try a smaller step")
                });
            }
        }
        fastest
    }

    /// A body that this one with velocity `v` [m/s] may pass through in the time `h` [s], and how far it moves towards
    /// it [m].
    fn passed(&self, body: BodyIndex, v: &Vec3, h: f64) -> Option<(BodyIndex, f64)> {
        let (bounds, extent) = (self.objects.bounds(body), self.extent(body));
        let far = |other: &BodyIndex| {
            let path = h * (v - self.bodies.mean_twist(*other).linear).norm();
            let near = bounds.enlarged(path).meets(self.objects.bounds(*other));
            (near && path > extent.min(self.extent(*other))).then_some((*other, path))
        };
        let apart = |other: &BodyIndex| *other != body && !(self.fixed(body) && self.fixed(*other));
        let all = self.bodies.by_id().iter().map(|&(_, other)| other).filter(apart);
        all.filter_map(|other| far(&other)).find(|(other, _)| !self.joined(body, *other))
    }

    fn fixed(&self, body: BodyIndex) -> bool {
        self.bodies.is_obstacle(body)
    }

    /// Whether a user constraint holds two bodies together.
    fn joined(&self, a: BodyIndex, b: BodyIndex) -> bool {
        self.constraints.iter().any(|constraint| constraint.on(a) && constraint.on(b))
    }
}
