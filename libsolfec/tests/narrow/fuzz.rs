//! Every kernel on random solids, balls and ellipsoids of all sizes: tiny, huge, thin, far away, and on what is no solid
//! at all.

use super::cases::hull;
use super::make::{cuboid, mapped, rotate, translate};
use solfec::contact::narrow::{bound, collide, first_is_slave, way, Ball, CurvedView, Object, Support, Workspace};
use solfec::contact::ManifoldPoint;
use solfec::math::Vec3;
use solfec::shape::{ConvexPart, Curved, Ellipsoid, Geometry, Solid};

const EPS: f64 = 1e-6;

struct Random(u64);

impl Random {
    /// In [-1, 1).
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.number())
    }

    fn direction(&mut self) -> Vec3 {
        std::iter::repeat_with(|| self.vector()).find(|v| v.norm() > 0.1).map(|v| v.normalize()).expect("endless")
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.number() + 1.0) * 0.5 * n as f64) as usize
    }

    /// Of unit size, then pressed by `thin` along one axis, turned and scaled.
    fn part(&mut self, size: f64, thin: f64) -> ConvexPart {
        let press = Vec3::new(1.0, 1.0, thin);
        let (axis, angle) = (self.direction(), 3.0 * self.number());
        let turned = |s: Solid| mapped(&rotate(&s, &axis, angle), |v| v * size);
        match self.below(4) {
            0 => ConvexPart::Ball { center: Vec3::zeros(), radius: size, surfid: 1 },
            1 => {
                let radii = Vec3::from_fn(|_, _| 0.6 + 0.4 * self.number()).component_mul(&press) * size;
                let made = Ellipsoid::new(Vec3::zeros(), radii, 1, 1).expect("an ellipsoid");
                let Some(ConvexPart::Curved(mut egg)) = Geometry::from(made).parts().pop() else { unreachable!() };
                let turn = nalgebra::Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(axis), angle);
                egg.points.iter_mut().for_each(|x| *x = turn * *x);
                ConvexPart::Curved(egg)
            }
            2 => ConvexPart::Solid(turned(mapped(&cuboid([-0.6; 3], [0.5; 3]), |v| v.component_mul(&press)))),
            _ => {
                let points: Vec<Vec3> = (0..7).map(|_| self.direction()).collect();
                ConvexPart::Solid(turned(mapped(&hull(&points), |v| v.component_mul(&press))))
            }
        }
    }
}

fn moved(part: &ConvexPart, by: &Vec3) -> ConvexPart {
    match part {
        ConvexPart::Solid(s) => ConvexPart::Solid(translate(s, by)),
        ConvexPart::Ball { center, radius, surfid } => {
            ConvexPart::Ball { center: center + by, radius: *radius, surfid: *surfid }
        }
        ConvexPart::Curved(c) => {
            let points = c.points.iter().map(|x| x + by).collect();
            ConvexPart::Curved(Curved { form: c.form.clone(), points })
        }
    }
}

fn object(part: &ConvexPart) -> Object<'_> {
    match part {
        ConvexPart::Solid(s) => Object::Solid(s.view()),
        ConvexPart::Ball { center, radius, surfid } => {
            Object::Ball(Ball { center: *center, radius: *radius, surfid: *surfid })
        }
        ConvexPart::Curved(c) => Object::Curved(CurvedView { form: &*c.form, points: &c.points }),
    }
}

/// Distance of the supporting planes across `n`; positive: they separate.
fn separation(a: &Object, b: &Object, n: &Vec3) -> f64 {
    n.dot(&(b.support(&-n) - a.support(n)))
}

fn is_finite(h: &ManifoldPoint) -> bool {
    let lengths = Vec3::new(h.gap, h.area, h.projected);
    [h.slave_point, h.master_point, h.normal, lengths].iter().all(|v| v.iter().all(|x| x.is_finite()))
}

#[test]
fn contacts_of_all_shapes_and_sizes_are_finite_and_where_they_should_be() {
    let mut random = Random(1);
    let mut ws = Workspace::default();
    let (mut found, mut apart) = (0, 0);
    for case in 0..4000 {
        let size = 10_f64.powi(random.below(13) as i32 - 6);
        let ratio = [1.0, 1.0, 0.1, 1e-3][random.below(4)];
        let [p, q] = [size, size * ratio].map(|size| {
            let thin = [1.0, 1.0, 0.03, 1e-3][random.below(4)];
            random.part(size, thin)
        });
        // Along a random line from deep inside to apart.
        let line = random.direction();
        let (a, b) = (object(&p), object(&q));
        let touching = -separation(&a, &b, &line);
        let place = [1.0, 0.999, 0.9, 0.5, 0.1, 1.0 + 1e-9, 1.1][random.below(7)];
        let far = if random.below(3) == 0 { random.vector() * (1e3 * size) } else { Vec3::zeros() };
        let (p, q) = (moved(&p, &far), moved(&q, &(far + line * (touching * place))));
        let (a, b) = (object(&p), object(&q));
        let (a, b) = if first_is_slave(&a, &b) { (a, b) } else { (b, a) };
        let tiny = 1e-9 * size + 1e-13 * far.amax();
        let name = format!("case {case}: {p:?} and {q:?}");
        let hit = collide(&a, &b, EPS, &mut ws).unwrap_or_else(|e| panic!("{e} of {name}"));
        assert!(!bound(&a, &b, EPS).is_nan(), "{name}");
        if let Some((h, _)) = hit {
            found += 1;
            assert!(is_finite(&h), "{h:?} of {name}");
            assert!((h.normal.norm() - 1.0).abs() < 1e-9 && h.gap <= 0.0, "{h:?} of {name}");
            let own = separation(&a, &b, &h.normal);
            assert!(own <= EPS + tiny, "{h:?}, but its normal parts them by {own}: {name}");
            // The least shift where one is smooth; there the expanding polytope may end a little above it.
            let is_smooth = matches!(a, Object::Ball(_) | Object::Curved(_)) || matches!(b, Object::Curved(_));
            assert!(!is_smooth || (h.gap - own.min(0.0)).abs() <= tiny, "{h:?}, not {own}: {name}");
            let most = if is_smooth { own } else { EPS };
            for _ in 0..40 {
                let n = random.direction();
                let s = separation(&a, &b, &n);
                assert!(s <= most + tiny + 1e-6 * size, "{h:?}, {own}, but a plane parts them by {s}: {name}");
            }
        } else {
            apart += 1;
            let n = way(&a, &b).unwrap_or_else(|| panic!("no contact, but they touch: {name}"));
            assert!(separation(&a, &b, &n) > -tiny, "no contact, but no plane parts them: {name}");
        }
    }
    assert!(found > 1500 && apart > 1500, "{found} found, {apart} apart");
}

/// Flat, doubled, shrunk to a point, infinite, not a number: an error, no contact, or a contact of finite numbers.
#[test]
fn what_is_no_solid_gives_no_numbers_that_are_none() {
    let mut random = Random(2);
    let mut ws = Workspace::default();
    let mut errors = 0;
    for case in 0..3000 {
        let mut parts: Vec<ConvexPart> = (0..2)
            .map(|_| {
                let part = random.part(1.0, 1.0);
                moved(&part, &(random.vector() * 1.5))
            })
            .collect();
        let wrong = [0.0, f64::NAN, f64::INFINITY, 1e300, -1e160, 5e-324][random.below(6)];
        let which = random.below(2);
        match &mut parts[which] {
            ConvexPart::Solid(s) => match random.below(4) {
                0 => *s = mapped(s, |v| v.component_mul(&Vec3::new(1.0, 1.0, 0.0))),
                1 => *s = mapped(s, |v| v * wrong),
                2 => {
                    let k = random.below(s.vertices.len());
                    s.vertices[k][random.below(3)] = wrong;
                    *s = mapped(s, |v| *v);
                }
                _ => {
                    let (k, l) = (random.below(s.vertices.len()), random.below(s.vertices.len()));
                    s.vertices[k] = s.vertices[l];
                    *s = mapped(s, |v| *v);
                }
            },
            ConvexPart::Ball { center, radius, .. } => match random.below(2) {
                0 => *radius = wrong,
                _ => center[random.below(3)] = wrong,
            },
            ConvexPart::Curved(egg) => {
                let k = random.below(egg.points.len());
                match random.below(2) {
                    0 => egg.points[k] = egg.points[0],
                    _ => egg.points[k][random.below(3)] = wrong,
                }
            }
        }
        let (a, b) = (object(&parts[0]), object(&parts[1]));
        let (a, b) = if first_is_slave(&a, &b) { (a, b) } else { (b, a) };
        match collide(&a, &b, EPS, &mut ws) {
            Ok(Some((h, _))) => assert!(is_finite(&h), "case {case}: {h:?} of {parts:?}"),
            Ok(None) => {}
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 100, "{errors}");
}
