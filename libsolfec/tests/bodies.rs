//! Known motions of single bodies: acceptance cases of bodies.md that need neither contact search nor a solver, and the
//! reference runs beside the repository. Reactions of a single constraint are solved here by hand.

use std::f64::consts::{FRAC_PI_2, PI};

use solfec::body::{
    mises, stress, Bodies, Environment, Kinetics, Kirchhoff, Load, Resultant, Twist, Warning, CONTACT, DISSIPATED,
    EXTERNAL, FRICTION, INTERNAL, KINETIC,
};
use solfec::material::BulkMaterial;
use solfec::math::{exp_map, orthogonality_defect, skew, Mat3, Mat9, Vec3};
use solfec::model::{Analysis, BodyKind, BodyRow, Characteristics, Model, Scheme};

const RIGID_SCHEMES: [Scheme; 3] = [Scheme::RigPos, Scheme::RigNeg, Scheme::RigImp];

fn diagonal(a: f64, b: f64, c: f64) -> Mat3 {
    Mat3::from_diagonal(&Vec3::new(a, b, c))
}

fn body(kind: BodyKind, mass: f64, volume: f64, tensor: Mat3) -> BodyRow {
    BodyRow {
        id: 1,
        label: String::new(),
        kind,
        scheme: Scheme::Default,
        material: 0,
        shapes: 0..0,
        chars: Characteristics {
            mass,
            volume,
            center: Vec3::zeros(),
            tensor,
        },
        damping: 0.0,
        selfcontact: false,
        disable_rotation: false,
        conf: Vec::new(),
        velo: Vec::new(),
        line: 0,
    }
}

fn rigid(mass: f64, inertia: Mat3) -> BodyRow {
    body(BodyKind::Rigid, mass, 1.0, inertia)
}

/// A pseudo-rigid box with density 1000.
fn soft_box(a: f64, b: f64, c: f64) -> BodyRow {
    let mass = 1e3 * a * b * c;
    let euler = diagonal(a * a, b * b, c * c) * (mass / 12.0);
    body(BodyKind::PseudoRigid, mass, a * b * c, euler)
}

fn material(young: f64, poisson: f64) -> BulkMaterial {
    BulkMaterial {
        label: "soft".into(),
        young,
        poisson,
        density: 1e3,
        tensile: f64::INFINITY,
        fracene: f64::INFINITY,
    }
}

fn model(rows: Vec<BodyRow>, bulk: BulkMaterial) -> Model {
    let mut model = Model::new(Analysis::Dynamic, 1e-3, "out/test");
    model.bulk.push(bulk);
    model.bodies = rows;
    for (i, row) in model.bodies.iter_mut().enumerate() {
        row.id = 1 + i as u64;
    }
    model
}

fn insert(model: &Model, analysis: Analysis) -> Bodies {
    let mut bodies = Bodies::new(analysis);
    for row in 0..model.bodies.len() {
        bodies.insert(model, row).unwrap();
    }
    bodies
}

fn one_of(row: BodyRow, bulk: BulkMaterial) -> Bodies {
    insert(&model(vec![row], bulk), Analysis::Dynamic)
}

fn one(row: BodyRow) -> Bodies {
    one_of(row, material(1e6, 0.0))
}

/// `conf` of a rigid body turned about its centre at the origin.
fn turned(rotation: &Mat3) -> Vec<f64> {
    rotation.iter().copied().chain([0.0; 3]).collect()
}

/// `conf` or `velo` of a pseudo-rigid body with its centre at the origin.
fn affine(f: &Mat3) -> Vec<f64> {
    turned(&f.transpose())
}

/// A body at a rotation with a referential spin.
fn spinning(inertia: Mat3, scheme: Scheme, rotation: &Mat3, omega: Vec3) -> Bodies {
    let mut row = rigid(1.0, inertia);
    row.scheme = scheme;
    row.conf = turned(rotation);
    row.velo = vec![omega.x, omega.y, omega.z, 0.0, 0.0, 0.0];
    one(row)
}

/// One step of one body; loads and reactions see the mid-step configuration and the velocity of t.
fn step_with(
    bodies: &mut Bodies,
    h: f64,
    gravity: Vec3,
    load: impl Fn(&Bodies) -> Load,
    reaction: impl Fn(&Bodies) -> Resultant,
) {
    bodies.drift(h);
    let loads = [load(bodies)];
    let environment = Environment {
        gravity,
        loads: Some(&loads),
    };
    bodies.free_velocity(h, &environment);
    let reaction = reaction(bodies);
    bodies.finish(h, &[reaction]);
}

fn step(bodies: &mut Bodies, h: f64, gravity: Vec3, load: impl Fn(&Bodies) -> Load) {
    step_with(bodies, h, gravity, load, |_| Resultant::zero());
}

fn no_load(_: &Bodies) -> Load {
    Load::zero()
}

fn steps(bodies: &mut Bodies, h: f64, count: usize) {
    for _ in 0..count {
        step(bodies, h, Vec3::zeros(), no_load);
    }
}

fn omega(bodies: &Bodies) -> Vec3 {
    Vec3::from_column_slice(&bodies.velocity(0)[..3])
}

fn kinetic(bodies: &Bodies) -> f64 {
    bodies.energies(0)[KINETIC]
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: found {found:.12e}, expected {expected:.12e} ± {tolerance:.1e}"
    );
}

/// A value that the document gives with so many significant digits.
fn printed(found: f64, expected: f64, digits: i32, what: &str) {
    let unit = 10f64.powi(expected.abs().log10().floor() as i32 + 1 - digits);
    near(found, expected, 0.5001 * unit, what);
}

/// The weight 20 at unit distance along the body axis of a top that turns about its tip.
fn top_load(bodies: &Bodies) -> Load {
    let axis = bodies.motion(0).f * Vec3::z();
    Load {
        torque: axis.cross(&Vec3::z()) * -20.0,
        ..Load::zero()
    }
}

/// A heavy symmetrical top and its total energy.
const TOP: [f64; 3] = [5.0, 5.0, 1.0];

fn top(scheme: Scheme) -> Bodies {
    let rotation = exp_map(&Vec3::new(0.05, 0.0, 0.0));
    spinning(diagonal(TOP[0], TOP[1], TOP[2]), scheme, &rotation, Vec3::z() * 50.0)
}

fn top_energy(bodies: &Bodies) -> f64 {
    kinetic(bodies) + 20.0 * bodies.motion(0).f[(2, 2)]
}

/// Mass 0.45359237 thrown with drag −m v, as in the reference run.
fn projectile() -> Bodies {
    let mut row = rigid(0.45359237, Mat3::identity());
    row.velo = vec![0.0, 0.0, 0.0, 2.54, 0.0, 12.7];
    one(row)
}

fn drag(bodies: &Bodies) -> Load {
    Load {
        force: Vec3::from_column_slice(&bodies.velocity(0)[3..]) * -bodies.mass(0),
        ..Load::zero()
    }
}

const PROJECTILE_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81456);

/// Inverse inertia and twists (free, previous) of the only body, a rigid one.
fn rigid_kinetics(bodies: &Bodies) -> (f64, Mat3, Twist, Twist) {
    match bodies.kinetics(0) {
        Kinetics::Rigid {
            inverse_mass,
            inverse_inertia,
            free,
            previous,
        } => (inverse_mass, inverse_inertia, free, previous),
        other => panic!("expected a rigid body, found {other:?}"),
    }
}

/// Diagonal Delassus block of a rigid body at an arm, global axes.
fn rigid_block(bodies: &Bodies, arm: &Vec3, h: f64) -> Mat3 {
    let (inverse_mass, inverse_inertia, ..) = rigid_kinetics(bodies);
    (Mat3::identity() * inverse_mass + skew(arm).transpose() * inverse_inertia * skew(arm)) * h
}

/// A force at an arm from the mass centre of a rigid body.
fn force_at(arm: &Vec3, force: Vec3) -> Resultant {
    Resultant {
        force,
        torque: arm.cross(&force),
        moment: Mat3::zeros(),
    }
}

mod bodies {
    use super::*;

    #[test]
    fn acc_1_1() {
        for (h, count) in [(1e-3, 1000), (0.01, 100), (0.5, 2), (1.0, 1)] {
            let mut row = rigid(2.0, Mat3::identity());
            row.velo = vec![0.0, 0.0, 0.0, 1.0, 0.0, 3.0];
            let mut b = one(row);
            near(kinetic(&b), 10.0, 1e-14, "kinetic at the start");
            for _ in 0..count {
                step(&mut b, h, Vec3::z() * -10.0, no_load);
            }
            assert!((b.motion(0).x - Vec3::new(1.0, 0.0, -2.0)).norm() < 1e-12, "h = {h}");
            near(b.energies(0)[KINETIC], 50.0, 1e-10, "kinetic");
            near(b.energies(0)[EXTERNAL], 40.0, 1e-10, "external");
        }
    }

    #[test]
    fn acc_1_2() {
        let run = |count: i32| {
            let h = 1.976 / f64::from(count);
            let mut b = projectile();
            for n in 1..=count {
                step(&mut b, h, PROJECTILE_GRAVITY, drag);
                near(b.velocity(0)[3], 2.54 * (1.0 - h).powi(n), 1e-12, "velocity");
            }
            b.motion(0).x.x
        };
        let exact = 2.54 * (1.0 - (-1.976f64).exp());
        printed(exact, 2.1879, 5, "exact place");
        printed(exact / 0.0254, 86.138, 5, "exact place in inches");
        let (coarse, fine) = (run(1024), run(2048));
        near(2.0 * fine - coarse, exact, 1e-6, "place as h goes to 0");
    }

    /// Free symmetric top: precession of the spin in the body frame.
    #[test]
    fn acc_1_3() {
        let exact = Vec3::new(0.1 * 10f64.cos(), 0.1 * 10f64.sin(), 1.0);
        let error = |scheme, h: f64| {
            let inertia = diagonal(1.0, 1.0, 2.0);
            let mut b = spinning(inertia, scheme, &Mat3::identity(), Vec3::new(0.1, 0.0, 1.0));
            steps(&mut b, h, (10.0 / h).round() as usize);
            (omega(&b) - exact).norm()
        };
        for (scheme, expected) in RIGID_SCHEMES.into_iter().zip([7.28e-4, 6.26e-4, 6.26e-4]) {
            let coarse = error(scheme, 0.05);
            printed(coarse, expected, 3, "error at h = 0.05");
            near(coarse / error(scheme, 0.025), 4.0, 0.01, "second order");
        }
    }

    /// Free asymmetric top: signs of energy drift and exact spatial momentum.
    #[test]
    fn acc_1_4() {
        let inertia = diagonal(1.0, 2.0, 3.0);
        let start = |scheme| spinning(inertia, scheme, &Mat3::identity(), Vec3::new(1.0, 1.0, 1.0));
        let exact = Vec3::new(-0.60347042, -1.27899314, 0.88772679);
        for (scheme, bound) in RIGID_SCHEMES.into_iter().zip([1.4e-3, 3.1e-3, 3.6e-3]) {
            let mut b = start(scheme);
            steps(&mut b, 0.025, 400);
            let error = (omega(&b) - exact).norm();
            assert!(error <= bound, "{scheme:?}: error {error:.3e}, bound {bound:.1e}");
        }
        let run = |scheme, h: f64| {
            let mut b = start(scheme);
            let mut largest: f64 = 0.0;
            for _ in 0..(100.0 / h).round() as usize {
                steps(&mut b, h, 1);
                largest = largest.max((kinetic(&b) / 3.0 - 1.0).abs());
            }
            let momentum = b.motion(0).f * inertia * omega(&b) - Vec3::new(1.0, 2.0, 3.0);
            (kinetic(&b) / 3.0 - 1.0, largest, momentum.norm())
        };
        for (h, grows, decays, bounded) in [(0.1, 3.54e-2, -3.41e-2, 4.2e-4), (0.05, 4.25e-3, -4.21e-3, 1.1e-4)] {
            let [positive, negative, implicit] = RIGID_SCHEMES.map(|scheme| run(scheme, h));
            printed(positive.0, grows, 3, "energy of RIG_POS");
            printed(negative.0, decays, 3, "energy of RIG_NEG");
            assert!(implicit.1 < bounded, "energy of RIG_IMP deviates by {:.3e}", implicit.1);
            assert!(negative.2 < 1e-11 && implicit.2 < 1e-11, "spatial momentum");
            if h == 0.1 {
                printed(positive.2, 5.7e-2, 2, "momentum of RIG_POS");
            }
        }
    }

    /// Heavy symmetrical top: drift of total energy over ten seconds.
    #[test]
    fn acc_1_5() {
        let inertia = diagonal(TOP[0], TOP[1], TOP[2]);
        let vertical = |b: &Bodies| (b.motion(0).f * inertia * omega(b)).z;
        let run = |scheme, h: f64| {
            let mut b = top(scheme);
            let start = top_energy(&b);
            printed(start, 1269.975005208, 13, "energy at the start");
            printed(vertical(&b), 49.9375130, 9, "momentum at the start");
            let (mut low, mut high) = (f64::INFINITY, 0f64);
            for _ in 0..(10.0 / h).round() as usize {
                step(&mut b, h, Vec3::zeros(), top_load);
                let height = b.motion(0).f[(2, 2)];
                (low, high) = (low.min(height), high.max(height));
            }
            if scheme != Scheme::RigPos {
                near(vertical(&b), 49.9375130, 1e-7, "vertical momentum is conserved");
            }
            near(omega(&b).z, 50.0, 1e-4, "spin about the axis");
            (top_energy(&b) - start, low, high)
        };
        for (h, drifts) in [(9e-3, [7.4e-4, -9.3e-4, -1.5e-4]), (1e-3, [2.0e-6, -2.8e-6, -1.7e-6])] {
            for (scheme, expected) in RIGID_SCHEMES.into_iter().zip(drifts) {
                let (drift, low, high) = run(scheme, h);
                printed(drift, expected, 2, &format!("energy drift of {scheme:?}, h = {h}"));
                if h == 1e-3 {
                    near(low, 0.9985124255, 1e-6, "lowest axis");
                    near(high, 0.9987502604, 1e-6, "highest axis");
                }
            }
        }
    }

    /// Steady precession of the same top.
    #[test]
    fn acc_1_6() {
        let theta = 0.5f64;
        let rate = (50.0 - (2500.0 - 400.0 * theta.cos()).sqrt()) / (10.0 * theta.cos());
        printed(rate, 0.41512314, 8, "rate of precession");
        for scheme in RIGID_SCHEMES {
            let rotation = exp_map(&(Vec3::x() * theta));
            let spin = Vec3::new(0.0, rate * theta.sin(), 50.0);
            let mut b = spinning(diagonal(TOP[0], TOP[1], TOP[2]), scheme, &rotation, spin);
            let azimuth = |b: &Bodies| {
                let axis = b.motion(0).f * Vec3::z();
                axis.x.atan2(-axis.y)
            };
            near(azimuth(&b), 0.0, 1e-15, "azimuth at the start");
            for _ in 0..5000 {
                step(&mut b, 1e-3, Vec3::zeros(), top_load);
                near(b.motion(0).f[(2, 2)], theta.cos(), 6e-6, "inclination");
            }
            near(azimuth(&b), 2.0756, 4e-4, "azimuth");
        }
    }

    /// Point mass on a rigid link: the reaction along the link makes its length 1 at t+h.
    #[test]
    fn acc_1_7() {
        let h = 1e-3;
        let link = |b: &Bodies| {
            let (inverse_mass, _, free, _) = rigid_kinetics(b);
            let (x, n) = (b.motion(0).x, b.motion(0).x.normalize());
            let end = x + free.linear * (0.5 * h);
            // |end + s n| = 1 with s = h²/(2m) r
            let along = end.dot(&n);
            let s = (along * along - end.norm_squared() + 1.0).sqrt() - along;
            force_at(&Vec3::zeros(), n * (2.0 * s / (h * h * inverse_mass)))
        };
        for scheme in RIGID_SCHEMES {
            let mut row = rigid(1.0, Mat3::identity());
            row.scheme = scheme;
            row.chars.center = Vec3::x();
            let mut b = one(row);
            let mut crossings = Vec::new();
            let mut before = b.motion(0).x.x;
            for n in 1..3000 {
                step_with(&mut b, h, Vec3::z() * (-PI * PI), no_load, link);
                let x = b.motion(0).x;
                near(x.norm(), 1.0, 1e-12, "length of the link");
                if before * x.x < 0.0 {
                    crossings.push(h * (f64::from(n) - 1.0 + before / (before - x.x)));
                }
                before = x.x;
            }
            near(2.0 * (crossings[1] - crossings[0]), 2.3606812, 1e-3, "period");
        }
    }

    /// Bar on a pin: the velocity of the pinned point averages to zero over each step.
    #[test]
    fn acc_1_8() {
        let h = 1e-3;
        let anchor = Vec3::z() * 0.25;
        let pin = |b: &Bodies| {
            let (_, _, free, previous) = rigid_kinetics(b);
            let motion = b.motion(0);
            let arm = motion.point(&anchor) - motion.x;
            let twice = free.linear + previous.linear + (free.angular + previous.angular).cross(&arm);
            let inverse = rigid_block(b, &arm, h).try_inverse().unwrap();
            force_at(&arm, -(inverse * twice))
        };
        let angle = |b: &Bodies| {
            let axis = b.motion(0).f * Vec3::z();
            axis.x.atan2(axis.z)
        };
        let exact = (2.0 * 9.8 * 0.25 * (1.0 - 30f64.to_radians().cos()) / (1.01 / 12.0 + 1.0 / 16.0)).sqrt();
        printed(exact, 2.11565, 6, "exact rate");
        for scheme in RIGID_SCHEMES {
            let mut row = rigid(1.0, diagonal(1.01, 1.01, 0.02) * (1.0 / 12.0));
            row.scheme = scheme;
            row.conf = turned(&exp_map(&(Vec3::y() * 30f64.to_radians())));
            let mut b = one(row);
            let place = b.motion(0).point(&anchor);
            let (mut before, mut speed) = (angle(&b), 0.0);
            let at_bottom = loop {
                step_with(&mut b, h, Vec3::z() * -9.8, no_load, pin);
                let (after, rate) = (angle(&b), omega(&b).y.abs());
                if after <= 0.0 {
                    break speed + (rate - speed) * before / (before - after);
                }
                (before, speed) = (after, rate);
            };
            near(at_bottom, exact, 1e-4, "rate at the bottom");
            assert!((b.motion(0).point(&anchor) - place).norm() < 1e-5, "the pin holds");
        }
    }

    #[test]
    fn acc_1_9() {
        let (mass, radius, h) = (3.0, 0.7, 1e-2);
        let mut row = rigid(mass, Mat3::identity() * (0.4 * mass * radius * radius));
        row.conf = turned(&exp_map(&Vec3::new(0.3, -1.0, 2.0)));
        let mut b = one(row);
        step(&mut b, h, Vec3::zeros(), no_load);
        let w = rigid_block(&b, &(Vec3::z() * -radius), h);
        assert!((w - diagonal(3.5, 3.5, 1.0) * (h / mass)).amax() < 1e-16);
    }

    #[test]
    fn acc_1_10() {
        let torque = |_: &Bodies| Load {
            torque: Vec3::x(),
            convected_torque: Vec3::y(),
            ..Load::zero()
        };
        let push = |_: &Bodies| Resultant {
            torque: Vec3::z(),
            ..Resultant::zero()
        };
        for scheme in RIGID_SCHEMES {
            let mut row = rigid(2.0, Mat3::identity());
            row.scheme = scheme;
            row.disable_rotation = true;
            row.velo = vec![1.0, 2.0, 3.0, 0.0, 0.0, 0.0];
            let mut b = one(row);
            for _ in 0..10 {
                step_with(&mut b, 0.01, Vec3::zeros(), torque, push);
                assert_eq!((b.motion(0).f, omega(&b)), (Mat3::identity(), Vec3::zeros()));
                assert_eq!(b.energies(0), [0.0; 6]);
            }
            let w = rigid_block(&b, &(Vec3::z() * -0.7), 0.01);
            assert!((w - Mat3::identity() * (0.01 / 2.0)).amax() < 1e-18);
            b.set_velocity(0, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
            assert_eq!(omega(&b), Vec3::zeros());
            b.disable_rotation(0, false);
            step(&mut b, 0.01, Vec3::zeros(), torque);
            assert!(omega(&b).norm() > 0.0);
        }
    }

    /// A unit cube, stretched by `amplitude` along x and released.
    fn stretched(scheme: Scheme, young: f64, damping: f64, amplitude: f64) -> Bodies {
        let mut row = soft_box(1.0, 1.0, 1.0);
        row.scheme = scheme;
        row.damping = damping;
        row.conf = affine(&diagonal(1.0 + amplitude, 1.0, 1.0));
        one_of(row, material(young, 0.0))
    }

    /// Extension and its rate.
    fn mode(b: &Bodies) -> (f64, f64) {
        (b.configuration(0)[0] - 1.0, b.velocity(0)[0])
    }

    /// ω² of the uniaxial mode of the unit cube with E = 1e6.
    const SQUARE: f64 = 12.0 * 1e6 / 1e3;

    #[test]
    fn acc_2_1() {
        let frequency = SQUARE.sqrt();
        printed(frequency, 109.5445, 7, "frequency");
        printed(2.0 * PI / frequency, 0.0573574, 6, "period");
        for (h, explicit, implicit) in [(1e-3, 0.05732867, 0.05741468), (5e-3, 0.05662455, 0.05876370)] {
            for (scheme, expected) in [(Scheme::DefExp, explicit), (Scheme::DefLim, implicit)] {
                // The discrete motion is a cosine: q_{n+1} + q_{n−1} = 2 cos(ω_h h) q_n. The quadratic part of the law
                // cancels between amplitudes of both signs.
                let (mut above, mut below) = (0.0, 0.0);
                for amplitude in [1e-5, -1e-5] {
                    let mut b = stretched(scheme, 1e6, 0.0, amplitude);
                    let mut q = vec![mode(&b).0];
                    for _ in 0..40 {
                        steps(&mut b, h, 1);
                        q.push(mode(&b).0);
                    }
                    for w in q.windows(3) {
                        above += w[1] * (w[0] + w[2]);
                        below += 2.0 * w[1] * w[1];
                    }
                }
                let period = 2.0 * PI * h / (above / below).acos();
                printed(period, expected, 7, "discrete period");
            }
        }
        let (reported, who) = stretched(Scheme::DefExp, 1e6, 0.0, 0.0).critical_step().unwrap();
        printed(reported, 0.00912871, 6, "reported step");
        near(reported, 1.0 / frequency, 1e-15, "reported step");
        assert_eq!(who, 0);
        assert_eq!(stretched(Scheme::DefLim, 1e6, 0.0, 0.0).critical_step(), None);
    }

    #[test]
    fn acc_2_2() {
        let (young, poisson, side, density) = (1e6, 0.3, 2.0, 1e3);
        let volume = side * side * side;
        let stiffness: Mat9 = Kirchhoff::new(young, poisson).tangent(&Mat3::identity(), &Mat3::zeros()) * volume;
        let euler = density * volume * side * side / 12.0;
        let mut found: Vec<f64> = (stiffness / euler).symmetric_eigenvalues().iter().copied().collect();
        found.sort_by(f64::total_cmp);
        let scale = 12.0 * young / (density * side * side);
        let (volumetric, deviatoric) = (scale / (1.0 - 2.0 * poisson), scale / (1.0 + poisson));
        let expected = [[0.0; 3].as_slice(), &[deviatoric; 5], &[volumetric]].concat();
        for (found, expected) in found.iter().zip(expected) {
            near(*found, expected, 1e-12 * volumetric, "eigenvalue");
        }
    }

    #[test]
    fn acc_2_3() {
        let h = 1e-3;
        for (scheme, factor) in [(Scheme::DefExp, 1.0 - h * h * SQUARE / 4.0), (Scheme::DefLim, 1.0)] {
            let quadratic = |b: &Bodies| {
                let (q, u) = mode(b);
                SQUARE * q * q + factor * u * u
            };
            // The law is linear to 3/2 of the amplitude; round-off of F is 1e-16 of 1.
            let amplitude = 1e-7;
            let mut b = stretched(scheme, 1e6, 0.0, amplitude);
            let start = quadratic(&b);
            for _ in 0..200 {
                steps(&mut b, h, 1);
                near(quadratic(&b) / start, 1.0, 10.0 * amplitude, "conserved quadratic");
            }
        }
    }

    /// Implicit midpoint of `q̈ + η ω² q̇ + ω² q = 0`, step by step.
    #[test]
    fn acc_2_4() {
        let (h, eta, amplitude) = (2e-3, 1e-3, 1e-7);
        let mut b = stretched(Scheme::DefLim, 1e6, eta, amplitude);
        for _ in 0..20 {
            let (q, u) = mode(&b);
            steps(&mut b, h, 1);
            let (q1, u1) = mode(&b);
            // u1 − u = −h ω² (q̄ + η ū), q1 − q = h ū, bars are means
            let mean = 0.5 * h * SQUARE * (eta + 0.5 * h);
            let expected = (u * (1.0 - mean) - h * SQUARE * q) / (1.0 + mean);
            near(u1, expected, 10.0 * amplitude * amplitude * SQUARE.sqrt(), "rate");
            near(
                q1,
                q + 0.5 * h * (u + expected),
                10.0 * amplitude * amplitude,
                "extension",
            );
        }
    }

    #[test]
    fn acc_2_5() {
        let (h, side) = (1e-3, 1.5);
        let row = soft_box(side, side, side);
        let mass = row.chars.mass;
        let mut b = one(row);
        steps(&mut b, h, 1);
        let Kinetics::PseudoRigid {
            inverse_mass, inverse, ..
        } = b.kinetics(0)
        else {
            panic!("a pseudo-rigid body")
        };
        let arm = Vec3::y() * (0.5 * side);
        for k in 0..3 {
            let force = Vec3::ith(k, 1.0);
            let velocity = (inverse.apply(&(force * arm.transpose())) * arm + force * inverse_mass) * h;
            assert!((velocity - force * (4.0 * h / mass)).amax() < 1e-15 * h);
        }
        let spin = 3.0;
        b.set_initial_velocity(0, &Vec3::zeros(), &(Vec3::z() * spin)).unwrap();
        near(
            kinetic(&b),
            0.5 * spin * spin * mass * side * side / 6.0,
            1e-10,
            "kinetic energy of a spin",
        );
    }

    #[test]
    fn acc_2_6() {
        let u = Mat3::new(1.05, 0.02, 0.0, 0.02, 0.97, -0.01, 0.0, -0.01, 1.01);
        let rate = Mat3::new(0.3, 1.0, -0.5, -2.0, 0.1, 0.4, 0.2, -0.7, 0.6);
        let q = exp_map(&Vec3::new(0.7, -1.3, 2.1));
        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            let run = |q: &Mat3| {
                let mut row = soft_box(1.0, 2.0, 1.5);
                row.scheme = scheme;
                row.damping = 1e-4;
                row.conf = affine(&(q * u));
                row.velo = affine(&(q * rate));
                let mut b = one_of(row, material(1e6, 0.3));
                steps(&mut b, 1e-3, 100);
                b.motion(0).f
            };
            let difference = run(&q) - q * run(&Mat3::identity());
            assert!(difference.amax() < 1e-12, "{scheme:?}: {:.2e}", difference.amax());
        }
    }

    #[test]
    fn acc_4_1() {
        let law = Kirchhoff::new(2e6, 0.3);
        let (lambda, mu, gamma) = (law.lambda, law.mu, 0.4);
        let mut f = Mat3::identity();
        f[(0, 1)] = gamma;
        let mut expected = diagonal(lambda, lambda + 2.0 * mu, lambda) * (0.5 * gamma * gamma);
        (expected[(0, 1)], expected[(1, 0)]) = (mu * gamma, mu * gamma);
        assert!((law.second_stress(&f) - expected).amax() < 1e-15 * lambda);
        assert!((law.first_stress(&f) - f * expected).amax() < 1e-15 * lambda);
    }

    #[test]
    fn acc_4_2() {
        let law = Kirchhoff::new(1.0, 0.3);
        let f = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2);
        let (p, tangent) = (law.first_stress(&f), law.tangent(&f, &law.second_stress(&f)));
        let d = 1e-6;
        assert!((tangent - tangent.transpose()).amax() < 1e-14 * tangent.amax());
        for k in 0..9 {
            let mut e = Mat3::zeros();
            e[(k / 3, k % 3)] = d;
            let slope = (law.energy(&(f + e)) - law.energy(&(f - e))) / (2.0 * d);
            near(
                slope,
                p[(k / 3, k % 3)],
                1e-8 * p.amax(),
                "P is the slope of the energy",
            );
            let column = (law.first_stress(&(f + e)) - law.first_stress(&(f - e))) / (2.0 * d);
            let action = law.tangent_action(&f, &(e / d));
            for r in 0..9 {
                near(
                    tangent[(r, k)],
                    column[(r / 3, r % 3)],
                    1e-7 * tangent.amax(),
                    "tangent",
                );
                near(tangent[(r, k)], action[(r / 3, r % 3)], 1e-14, "tangent and its action");
            }
        }
    }

    #[test]
    fn acc_4_3() {
        let f = diagonal(0.57735, 1.0, 1.0);
        let law = Kirchhoff::new(1.0, 0.0);
        near(
            law.tangent(&f, &law.second_stress(&f))[(0, 0)],
            0.0,
            1e-5,
            "uniaxial tangent",
        );
    }

    /// Stiffness-proportional damping: ω = 100, η = 1e-3, hence ξ = 0.05.
    #[test]
    fn acc_4_5() {
        let young = 1e4 * 1e3 / 12.0;
        let mut b = stretched(Scheme::DefLim, young, 1e-3, 1e-7);
        let mut maxima = Vec::new();
        let mut last = mode(&b);
        for _ in 0..20_000 {
            steps(&mut b, 1e-5, 1);
            let now = mode(&b);
            if last.1 > 0.0 && now.1 <= 0.0 {
                maxima.push(last.0.max(now.0));
            }
            last = now;
        }
        assert!(maxima.len() >= 3);
        for pair in maxima.windows(2) {
            printed((pair[0] / pair[1]).ln(), 0.31455, 4, "logarithmic decrement");
        }
    }

    #[test]
    fn acc_5_1() {
        let f = diagonal(1.01, 1.0, 1.0);
        near(Kirchhoff::new(1e6, 0.0).second_stress(&f)[(0, 0)], 10050.0, 1e-8, "S");
        let s = stress(&f, 1e6, 0.0);
        near(s[0], 10150.5, 1e-8, "σxx");
        assert_eq!(s[1..], [0.0; 5]);
        near(mises(&s), 10150.5, 1e-8, "Mises");
    }

    #[test]
    fn acc_5_2() {
        let f = diagonal(1.01, 1.0, 1.0);
        for axis in [Vec3::z() * FRAC_PI_2, Vec3::new(0.3, -2.0, 1.1)] {
            let q = exp_map(&axis);
            let s = stress(&(q * f), 1e6, 0.0);
            let expected = q * diagonal(10150.5, 0.0, 0.0) * q.transpose();
            for (found, place) in s.iter().zip([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]) {
                near(*found, expected[place], 1e-8, "rotated stress");
            }
            near(mises(&s), 10150.5, 1e-8, "Mises");
        }
        let quarter = exp_map(&(Vec3::z() * FRAC_PI_2));
        near(
            stress(&(quarter * f), 1e6, 0.0)[1],
            10150.5,
            1e-8,
            "σyy after a quarter turn",
        );
    }

    #[test]
    fn acc_5_3() {
        let f = Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.01, 0.0, 0.01, 1.0);
        near(f.determinant(), 0.9999, 1e-15, "J");
        let s = stress(&f, 1e6, 0.0);
        printed(s[5], 10003.0, 6, "σyz");
        printed(s[1], 250.03, 5, "σyy");
        printed(s[2], 250.03, 5, "σzz");
        printed(mises(&s), 17327.5, 6, "Mises");
    }

    #[test]
    fn acc_6_1() {
        let mut row = rigid(2.0, Mat3::identity());
        row.velo = vec![0.0, 0.0, 0.0, 1.0, 0.0, 3.0];
        let mut b = one(row);
        for _ in 0..100 {
            step(&mut b, 0.01, Vec3::z() * -10.0, no_load);
        }
        near(b.energy_total()[EXTERNAL], 40.0, 1e-11, "external work");
    }

    /// Energy balance of DEF_LIM under arbitrary loads and reactions. The law is linear to the strain ε; the scheme feels
    /// that as ε (ωh)³ of the energy in a step, and round-off of F as 1e-16/ε: small steps show the balance to 1e-12,
    /// steps with ωh ≈ 1 that it does not depend on h.
    #[test]
    fn acc_6_2() {
        for (h, strain, eta) in [
            (1e-6, 1e-3, 0.0),
            (1e-6, 1e-3, 1e-3),
            (5e-3, 1e-8, 0.0),
            (5e-3, 1e-8, 1e-3),
        ] {
            let tolerance = if h == 1e-6 { 1e-12 } else { 10.0 * strain };
            let mut row = soft_box(1.0, 2.0, 1.5);
            row.scheme = Scheme::DefLim;
            row.damping = eta;
            row.conf = affine(&(Mat3::identity() + diagonal(1.0, -1.0, 0.5) * strain));
            row.velo = affine(&(Mat3::new(1.0, 0.5, 0.2, 0.5, -2.0, 0.3, 0.1, 0.3, 0.7) * (100.0 * strain)));
            let mut b = one_of(row, material(1e6, 0.3));
            let moment = Mat3::new(1.0, 0.5, 0.0, 0.5, -2.0, 0.3, 0.0, 0.3, 0.7) * (1e6 * strain);
            for n in 0..50 {
                let phase = f64::from(n);
                let load = |_: &Bodies| Load {
                    force: Vec3::new(1.0, -0.5, phase.sin()) * (1e6 * strain),
                    moment: moment * phase.cos(),
                    ..Load::zero()
                };
                let push = |_: &Bodies| Resultant {
                    force: Vec3::new(0.0, phase.cos(), 2.0) * (1e6 * strain),
                    torque: Vec3::zeros(),
                    moment: moment * (0.3 * phase).sin(),
                };
                let before = b.energies(0);
                step_with(&mut b, h, Vec3::zeros(), load, push);
                let after = b.energies(0);
                let change = |k: usize| after[k] - before[k];
                let residual = change(KINETIC) + change(INTERNAL) - change(EXTERNAL) + change(DISSIPATED);
                let energy = after[KINETIC] + after[INTERNAL];
                near(residual / energy, 0.0, tolerance, "balance of a step");
            }
        }
    }

    #[test]
    fn acc_12_1() {
        let cube = one(soft_box(1.0, 1.0, 1.0));
        printed(cube.critical_step().unwrap().0, 0.00912871, 6, "cube");
        let slab = one_of(soft_box(1.0, 2.0, 4.0), material(1e6, 0.3));
        printed(slab.critical_step().unwrap().0, 0.0076042, 5, "box");
    }

    /// The stiffest body sets the step and is named; without it the next one does.
    #[test]
    fn acc_12_5() {
        let rows = vec![
            rigid(1.0, Mat3::identity()),
            soft_box(1.0, 1.0, 1.0),
            soft_box(0.1, 0.1, 0.1),
        ];
        let mut b = insert(&model(rows, material(1e6, 0.0)), Analysis::Dynamic);
        let (h, who) = b.critical_step().unwrap();
        printed(h, 0.000912871, 6, "small cube");
        assert_eq!(b.id(who), 3);
        b.remove(&[true, true, false]);
        let (h, who) = b.critical_step().unwrap();
        printed(h, 0.00912871, 6, "large cube");
        assert_eq!(b.id(who), 2);
        b.remove(&[true, false]);
        assert_eq!(b.critical_step(), None);
    }
}

/// What bodies.md demands beside its numbered cases.
mod behaviour {
    use super::*;

    /// Six tonnes spinning fast: the original's absolute tolerance aborted here.
    #[test]
    fn implicit_rotation_does_not_depend_on_units() {
        for scale in [1e-12, 1.0, 1e9] {
            let inertia = diagonal(6500.0, 5000.0, 2500.0) * scale;
            let mut b = spinning(inertia, Scheme::RigImp, &Mat3::identity(), Vec3::new(10.0, 20.0, 30.0));
            let momentum = inertia * omega(&b);
            for _ in 0..1000 {
                steps(&mut b, 1e-3, 1);
                assert_eq!(b.warnings().next(), None);
            }
            let error = b.motion(0).f * inertia * omega(&b) - momentum;
            assert!(error.norm() < 1e-12 * momentum.norm());
        }
    }

    /// A step of several turns has no implicit solution near: RIG_NEG takes over and says so.
    #[test]
    fn implicit_rotation_falls_back() {
        let spin = Vec3::new(100.0, 300.0, -200.0);
        let start = |scheme| spinning(diagonal(1.0, 20.0, 300.0), scheme, &Mat3::identity(), spin);
        let (mut implicit, mut negative) = (start(Scheme::RigImp), start(Scheme::RigNeg));
        let mut fallbacks = 0;
        for _ in 0..20 {
            let state = (implicit.configuration(0), implicit.velocity(0));
            negative.set_configuration(0, &state.0).unwrap();
            negative.set_velocity(0, &state.1).unwrap();
            steps(&mut implicit, 0.1, 1);
            steps(&mut negative, 0.1, 1);
            if implicit.warnings().any(|w| w == (0, Warning::RotationFallback)) {
                fallbacks += 1;
                assert_eq!(implicit.velocity(0), negative.velocity(0));
            }
        }
        assert!(fallbacks > 0);
        assert_eq!(implicit.first_not_finite(), None);
    }

    #[test]
    fn rotations_stay_rotations() {
        let mut b = spinning(
            diagonal(1.0, 2.0, 3.0),
            Scheme::RigNeg,
            &Mat3::identity(),
            Vec3::new(3.0, 1.0, 2.0),
        );
        for _ in 0..100_000 {
            steps(&mut b, 0.01, 1);
        }
        assert!(orthogonality_defect(&b.motion(0).f) < 1.1e-12);
    }

    /// An obstacle moves as prescribed, takes no load and keeps no energy; contacts see its twist.
    #[test]
    fn obstacles_drag_but_feel_nothing() {
        let mut row = body(BodyKind::Obstacle, 2.0, 1.0, Mat3::identity());
        row.velo = vec![0.0, 0.0, 2.0, 1.0, 0.0, 0.0];
        let mut b = one(row);
        let load = |_: &Bodies| Load {
            force: Vec3::x(),
            torque: Vec3::y(),
            ..Load::zero()
        };
        for _ in 0..100 {
            step(&mut b, 0.01, Vec3::z() * -10.0, load);
        }
        assert!((b.motion(0).x - Vec3::x()).norm() < 1e-13);
        assert!((b.motion(0).f - exp_map(&(Vec3::z() * 2.0))).amax() < 1e-13);
        b.book_contact_work(0, 1.0, 1.0);
        assert_eq!(b.energies(0), [0.0; 6]);
        let Kinetics::Obstacle { free, previous } = b.kinetics(0) else {
            panic!("an obstacle")
        };
        assert!((free.angular - Vec3::z() * 2.0).norm() < 1e-13 && (free.linear - Vec3::x()).norm() < 1e-13);
        assert!((previous.angular - free.angular).norm() < 1e-13);
    }

    /// U = B + W R: the velocity of t+h is the free one plus the response to reactions, for each kind.
    #[test]
    fn kinetics_predict_the_velocity_of_finish() {
        let (h, arm) = (1e-2, Vec3::new(0.3, -0.2, 0.5));
        let force = Vec3::new(1.0, 2.0, -3.0);
        let mut row = rigid(2.0, diagonal(1.0, 2.0, 2.5));
        row.scheme = Scheme::RigPos;
        row.velo = vec![1.0, -0.5, 0.3, 0.0, 0.0, 1.0];
        let mut b = one(row);
        b.drift(h);
        b.free_velocity(
            h,
            &Environment {
                gravity: Vec3::z(),
                loads: None,
            },
        );
        let (inverse_mass, inverse_inertia, free, _) = rigid_kinetics(&b);
        let (rotation, reaction) = (b.motion(0).f, force_at(&arm, force));
        b.finish(h, &[reaction]);
        let linear = free.linear + force * (h * inverse_mass);
        let angular = free.angular + inverse_inertia * reaction.torque * h;
        assert!((Vec3::from_column_slice(&b.velocity(0)[3..]) - linear).norm() < 1e-14);
        assert!((rotation * omega(&b) - angular).norm() < 1e-14);

        for scheme in [Scheme::DefExp, Scheme::DefLim] {
            let mut row = soft_box(1.0, 1.2, 0.8);
            row.scheme = scheme;
            row.conf = affine(&Mat3::new(1.02, 0.1, 0.0, -0.1, 0.99, 0.0, 0.05, 0.0, 1.0));
            let mut b = one(row);
            b.drift(h);
            b.free_velocity(
                h,
                &Environment {
                    gravity: Vec3::z(),
                    loads: None,
                },
            );
            let Kinetics::PseudoRigid { inverse, free, .. } = b.kinetics(0) else {
                panic!("a pseudo-rigid body")
            };
            let moment = force * arm.transpose() * 1e3;
            let expected = free.fdot + inverse.apply(&moment) * h;
            let reaction = Resultant {
                force,
                moment,
                torque: Vec3::zeros(),
            };
            b.finish(h, &[reaction]);
            let found = Mat3::from_row_slice(&b.velocity(0)[..9]);
            assert!((found - expected).amax() < 1e-12);
        }
    }

    /// Strong compression makes the implicit operator indefinite; the body survives and says so.
    #[test]
    fn indefinite_operator_is_repaired_and_told() {
        let mut row = soft_box(1.0, 1.0, 1.0);
        row.scheme = Scheme::DefLim;
        row.conf = affine(&diagonal(0.4, 1.0, 1.0));
        let mut b = one(row);
        steps(&mut b, 0.1, 1);
        let warnings: Vec<_> = b.warnings().collect();
        assert!(warnings.contains(&(0, Warning::IndefiniteStiffness)), "{warnings:?}");
        assert_eq!(b.first_not_finite(), None);
    }

    #[test]
    fn crushing_is_told_once() {
        let mut row = soft_box(1.0, 1.0, 1.0);
        row.conf = affine(&diagonal(1.0, 0.6, 1.0));
        let mut b = one(row);
        steps(&mut b, 1e-5, 1);
        assert_eq!(b.warnings().collect::<Vec<_>>(), [(0, Warning::Crushed)]);
        steps(&mut b, 1e-5, 1);
        assert_eq!(b.warnings().next(), None);
        assert_eq!(b.first_inverted(), None);
    }

    /// The explicit limit with damping: stable just below twice the reported step, unstable just above.
    #[test]
    fn damped_critical_step_is_sharp() {
        for eta in [0.0, 1e-2] {
            let amplitude = 1e-9;
            let extension = |h_factor: f64| {
                let mut row = soft_box(1.0, 1.0, 1.0);
                row.damping = eta;
                row.velo = affine(&diagonal(amplitude, 0.0, 0.0));
                let mut b = one(row);
                let h = 2.0 * h_factor * b.critical_step().unwrap().0;
                steps(&mut b, h, 500);
                (b.configuration(0)[0] - 1.0).abs()
            };
            assert!(extension(0.98) < amplitude);
            let grown = extension(1.02);
            assert!(grown > 1e3 * amplitude || grown.is_nan(), "damping {eta}: {grown:.1e}");
        }
    }

    /// Rigid: creep of h² f/m a step. Pseudo-rigid: fixed point in equilibrium. Loads act at full steps.
    #[test]
    fn quasi_static_steps_are_pseudo_time() {
        let pull = 2e4;
        let mut rows = vec![rigid(2.0, Mat3::identity()), soft_box(1.0, 1.0, 1.0)];
        rows[0].velo = vec![1.0; 6];
        let mut b = insert(&model(rows, material(1e6, 0.0)), Analysis::QuasiStatic);
        assert_eq!(b.critical_step(), None);
        let loads = [
            Load {
                force: Vec3::z() * -20.0,
                torque: Vec3::x(),
                ..Load::zero()
            },
            Load {
                moment: diagonal(pull, 0.0, 0.0),
                ..Load::zero()
            },
        ];
        let h = 0.1;
        for _ in 0..5 {
            b.drift(h);
            b.free_velocity(
                h,
                &Environment {
                    gravity: Vec3::zeros(),
                    loads: Some(&loads),
                },
            );
            let (_, _, _, previous) = rigid_kinetics(&b);
            assert_eq!((previous.linear, previous.angular), (Vec3::zeros(), Vec3::zeros()));
            b.finish(h, &[Resultant::zero(); 2]);
        }
        near(b.motion(0).x.z, -0.5, 1e-15, "creep");
        assert!((b.motion(0).f - exp_map(&(Vec3::x() * (5.0 * h * h)))).amax() < 1e-15);
        for _ in 0..200 {
            b.drift(h);
            b.free_velocity(
                h,
                &Environment {
                    gravity: Vec3::zeros(),
                    loads: Some(&loads),
                },
            );
            b.finish(h, &[Resultant::zero(); 2]);
        }
        let stretch = b.configuration(1)[0];
        near(
            0.5 * 1e6 * stretch * (stretch * stretch - 1.0),
            pull,
            1e-6 * pull,
            "nominal stress",
        );
        let energies = b.energies(1);
        assert_eq!([energies[KINETIC], energies[EXTERNAL]], [0.0; 2]);
    }

    #[test]
    fn contact_work_is_part_of_the_record() {
        let mut b = one(rigid(1.0, Mat3::identity()));
        b.book_contact_work(0, -2.0, -0.5);
        b.book_contact_work(0, -1.0, -0.25);
        assert_eq!((b.energy_total()[CONTACT], b.energy_total()[FRICTION]), (-3.0, -0.75));
    }

    /// Insertion, removal and setters keep the columns together and the layouts of the document.
    #[test]
    fn rows_and_layouts() {
        let mut rows = vec![
            rigid(1.0, Mat3::identity()),
            soft_box(1.0, 1.0, 1.0),
            body(BodyKind::Obstacle, 3.0, 1.0, Mat3::identity()),
            soft_box(2.0, 1.0, 1.0),
            rigid(5.0, Mat3::identity()),
        ];
        for (i, row) in rows.iter_mut().enumerate() {
            row.chars.center = Vec3::x() * i as f64;
        }
        let mut b = insert(&model(rows, material(1e6, 0.25)), Analysis::Dynamic);
        b.remove(&[false, true, true, false, true]);
        assert_eq!((0..3).map(|i| b.id(i)).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!((0..3).map(|i| b.row(i)).collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!((0..3).map(|i| b.motion(i).x.x).collect::<Vec<_>>(), [1.0, 2.0, 4.0]);
        assert_eq!(
            b.rigid_states().map(|(i, s)| (i, s.x.x)).collect::<Vec<_>>(),
            [(1, 2.0), (2, 4.0)]
        );
        assert_eq!(b.pseudo_states().map(|(i, _)| i).collect::<Vec<_>>(), [0]);
        assert_eq!((b.index(5), b.index(1)), (Some(2), None));

        let rotation = exp_map(&Vec3::new(0.2, 0.5, -0.4));
        let conf: Vec<f64> = rotation.iter().copied().chain([7.0, 8.0, 9.0]).collect();
        b.set_configuration(2, &conf).unwrap();
        assert_eq!(b.configuration(2), conf);
        b.set_initial_velocity(2, &Vec3::x(), &Vec3::y()).unwrap();
        let spin = rotation.transpose() * Vec3::y();
        assert!((Vec3::from_column_slice(&b.velocity(2)[..3]) - spin).norm() < 1e-16);
        let point = Vec3::new(4.0, 0.5, 0.25);
        let arm = b.motion(2).point(&point) - b.motion(2).x;
        assert!((b.point_velocity(2, &point) - (Vec3::x() + Vec3::y().cross(&arm))).norm() < 1e-15);
        assert!((b.motion(2).reference(&b.motion(2).point(&point)).unwrap() - point).norm() < 1e-14);

        let f: Vec<f64> = (0..12)
            .map(|k| if k % 4 == 0 { 2.0 } else { 0.1 * f64::from(k) })
            .collect();
        b.set_configuration(0, &f).unwrap();
        assert_eq!(b.motion(0).f[(0, 1)], 0.1);
        b.set_initial_velocity(0, &Vec3::zeros(), &Vec3::z()).unwrap();
        let arm = b.motion(0).point(&point) - b.motion(0).x;
        assert!((b.point_velocity(0, &point) - Vec3::z().cross(&arm)).norm() < 1e-14);
    }

    #[test]
    fn a_changed_material_acts_at_once() {
        let mut b = one(soft_box(1.0, 1.0, 1.0));
        let h = b.critical_step().unwrap().0;
        b.set_material(0, &material(4e6, 0.0));
        near(b.critical_step().unwrap().0, 0.5 * h, 1e-15, "step of the stiffer cube");
        b.set_material(1, &material(1e6, 0.0));
        near(b.critical_step().unwrap().0, 0.5 * h, 1e-15, "another material");
    }

    #[test]
    fn bad_bodies_are_refused_by_name() {
        let refuse = |change: &dyn Fn(&mut BodyRow), expected: &str| {
            let mut row = soft_box(1.0, 1.0, 1.0);
            row.label = "brick".into();
            change(&mut row);
            let model = model(vec![row], material(1e6, 0.0));
            let mut bodies = Bodies::new(Analysis::Dynamic);
            let message = bodies.insert(&model, 0).unwrap_err().to_string();
            assert!(
                message.starts_with("body 1 'brick': ") && message.contains(expected),
                "{message}"
            );
            assert!(bodies.is_empty() && bodies.pseudo_states().next().is_none());
        };
        refuse(&|r| r.chars.mass = 0.0, "mass is 0");
        refuse(&|r| r.chars.mass = f64::NAN, "mass is NaN");
        refuse(&|r| r.chars.volume = -1.0, "volume is -1");
        refuse(
            &|r| r.chars.tensor[(0, 0)] = -1.0,
            "not symmetric and positive definite",
        );
        refuse(&|r| r.chars.tensor[(0, 1)] = 1.0, "not symmetric and positive definite");
        refuse(&|r| r.chars.center.x = f64::INFINITY, "mass centre is not finite");
        refuse(&|r| r.material = 3, "material row 3");
        refuse(&|r| r.scheme = Scheme::RigImp, "scheme RIG_IMP");
        refuse(&|r| r.damping = -1.0, "damping is -1");
        refuse(&|r| r.conf = vec![1.0; 11], "conf has 11 numbers, it needs 12");
        refuse(&|r| r.conf = vec![f64::NAN; 12], "number 0 of conf is NaN");
        refuse(&|r| r.conf = vec![0.0; 12], "det F");
        refuse(&|r| r.velo = vec![0.0; 6], "velo has 6 numbers, it needs 12");
        refuse(&|r| r.kind = BodyKind::FiniteElement, "finite-element");
        let turn = |r: &mut BodyRow| (r.kind, r.conf) = (BodyKind::Rigid, vec![1.0; 12]);
        refuse(&turn, "no rotation");
        let scheme = |r: &mut BodyRow| (r.kind, r.scheme) = (BodyKind::Rigid, Scheme::DefLim);
        refuse(&scheme, "use DEFAULT, RIG_POS, RIG_NEG or RIG_IMP");
    }

    #[test]
    fn not_finite_states_are_found() {
        let rows = vec![
            soft_box(1.0, 1.0, 1.0),
            rigid(1.0, Mat3::identity()),
            soft_box(1.0, 1.0, 1.0),
        ];
        let mut b = insert(&model(rows, material(1e6, 0.0)), Analysis::Dynamic);
        assert_eq!(b.first_not_finite(), None);
        b.drift(0.1);
        b.free_velocity(
            0.1,
            &Environment {
                gravity: Vec3::zeros(),
                loads: None,
            },
        );
        let mut reactions = [Resultant::zero(); 3];
        reactions[1].force.x = f64::NAN;
        reactions[2].force.x = f64::INFINITY;
        b.finish(0.1, &reactions);
        assert_eq!(b.first_not_finite(), Some(1));
    }

    /// The same bits for any number of threads.
    #[test]
    fn threads_do_not_matter() {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let rows = (0..600)
                    .map(|i| {
                        let x = f64::from(i);
                        if i % 3 == 0 {
                            let mut row = soft_box(1.0, 1.0 + 0.01 * x, 1.0);
                            row.velo = affine(&(Mat3::new(1.0, 0.2, 0.0, x.sin(), 0.0, 0.0, 0.1, 0.0, 1.0) * 0.1));
                            row
                        } else {
                            let mut row = rigid(1.0, diagonal(1.0, 2.0, 2.5));
                            row.velo = vec![x.sin(), x.cos(), 1.0, 0.0, x, 0.0];
                            row
                        }
                    })
                    .collect();
                let mut b = insert(&model(rows, material(1e6, 0.2)), Analysis::Dynamic);
                let reactions = vec![Resultant::zero(); b.len()];
                for _ in 0..10 {
                    let h = b.critical_step().unwrap().0;
                    b.drift(h);
                    b.free_velocity(
                        h,
                        &Environment {
                            gravity: Vec3::z(),
                            loads: None,
                        },
                    );
                    b.finish(h, &reactions);
                }
                let states: Vec<f64> = (0..b.len()).flat_map(|i| b.configuration(i)).collect();
                (states, b.energy_total())
            })
        };
        let one = run(1);
        assert!(one == run(2) && one == run(4));
    }
}

/// Runs of the original that lie beside the repository (`shared/data/reference`, see its README).
mod reference {
    use std::path::PathBuf;

    use super::*;

    /// Rows of numbers of a reference table, without its head; `None` if it is absent.
    fn table(name: &str) -> Option<Vec<Vec<f64>>> {
        let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let found = here
            .ancestors()
            .map(|a| a.join("shared/data/reference").join(name))
            .find(|p| p.is_file());
        let Some(path) = found else {
            println!("skipped: shared/data/reference/{name} is not beside the repository");
            return None;
        };
        let text = std::fs::read_to_string(path).unwrap();
        let number = |cell: &str| cell.parse().unwrap_or(f64::NAN);
        Some(
            text.lines()
                .skip(1)
                .map(|line| line.split(',').map(number).collect())
                .collect(),
        )
    }

    /// Rotation, spin and total energy of the original after ten seconds, to round-off of its own sums.
    #[test]
    fn heavy_symmetrical_top() {
        for (scheme, name) in RIGID_SCHEMES.into_iter().zip(["pos", "neg", "imp"]) {
            for h in [0.001, 0.003, 0.009] {
                let Some(rows) = table(&format!(
                    "heavy-symmetrical-top/heavy-symmetrical-top-rig_{name}-{h}-final.csv"
                )) else {
                    return;
                };
                let last = &rows[0];
                let mut b = top(scheme);
                for _ in 0..(last[0] / h).round() as usize {
                    step(&mut b, h, Vec3::zeros(), top_load);
                }
                for (found, expected) in b.configuration(0).iter().zip(&last[3..15]) {
                    near(*found, *expected, 1e-9, "configuration");
                }
                for (found, expected) in b.velocity(0).iter().zip(&last[15..21]) {
                    near(*found, *expected, 1e-9, "velocity");
                }
            }
        }
    }

    #[test]
    fn projectile_with_drag() {
        let (Some(rows), Some(history)) = (
            table("projectile/projectile-bodies.csv"),
            table("projectile/projectile.csv"),
        ) else {
            return;
        };
        let h = 1.976 / 1024.0;
        let mut b = projectile();
        for (row, energies) in rows[1..].iter().zip(&history) {
            step(&mut b, h, PROJECTILE_GRAVITY, drag);
            for (found, expected) in b.configuration(0)[9..].iter().zip(&row[12..15]) {
                near(*found, *expected, 1e-12, "place");
            }
            for (found, expected) in b.velocity(0)[3..].iter().zip(&row[18..21]) {
                near(*found, *expected, 1e-12, "velocity");
            }
            near(b.energies(0)[KINETIC], energies[1], 1e-11, "kinetic");
            near(b.energies(0)[EXTERNAL], energies[2], 1e-11, "external");
        }
    }
}
