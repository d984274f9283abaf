//! Motions of single bodies with known solutions.

use super::*;

#[test]
fn a_projectile_is_exact() {
    for (h, count) in [(1e-3, 1000), (0.01, 100), (0.5, 2), (1.0, 1)] {
        let mut row = rigid(2.0, Mat3::identity());
        row.velo = vec![0.0, 0.0, 0.0, 1.0, 0.0, 3.0];
        let mut b = one(row);
        near(kinetic(&b), 10.0, 1e-14, "kinetic at the start");
        for _ in 0..count {
            step(&mut b, h, Vec3::z() * -10.0, no_load);
        }
        assert!((motion(&b, at(0)).x - Vec3::new(1.0, 0.0, -2.0)).norm() < 1e-12, "h = {h}");
        near(b.energies(at(0))[KINETIC], 50.0, 1e-10, "kinetic");
        near(b.energies(at(0))[EXTERNAL], 40.0, 1e-10, "external");
    }
}

#[test]
fn linear_drag() {
    let run = |count: i32| {
        let h = 1.976 / f64::from(count);
        let mut b = projectile();
        for n in 1..=count {
            step(&mut b, h, PROJECTILE_GRAVITY, drag);
            near(b.velocity(at(0))[3], 2.54 * (1.0 - h).powi(n), 1e-12, "velocity");
        }
        motion(&b, at(0)).x.x
    };
    let exact = 2.54 * (1.0 - (-1.976f64).exp());
    printed(exact, 2.1879, 5, "exact place");
    printed(exact / 0.0254, 86.138, 5, "exact place in inches");
    let (coarse, fine) = (run(1024), run(2048));
    near(2.0 * fine - coarse, exact, 1e-6, "place as h goes to 0");
}

/// Free symmetric top: precession of the spin in the body frame.
#[test]
fn a_free_symmetric_top() {
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
fn a_free_asymmetric_top() {
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
        let momentum = motion(&b, at(0)).f * inertia * omega(&b) - Vec3::new(1.0, 2.0, 3.0);
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
fn energy_of_a_heavy_top() {
    let inertia = diagonal(TOP[0], TOP[1], TOP[2]);
    let vertical = |b: &Bodies| (motion(b, at(0)).f * inertia * omega(b)).z;
    let run = |scheme, h: f64| {
        let mut b = top(scheme);
        let start = top_energy(&b);
        printed(start, 1269.975005208, 13, "energy at the start");
        printed(vertical(&b), 49.9375130, 9, "momentum at the start");
        let (mut low, mut high) = (f64::INFINITY, 0f64);
        for _ in 0..(10.0 / h).round() as usize {
            step(&mut b, h, Vec3::zeros(), top_load);
            let height = motion(&b, at(0)).f[(2, 2)];
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
fn steady_precession_of_a_heavy_top() {
    let theta = 0.5f64;
    let rate = (50.0 - (2500.0 - 400.0 * theta.cos()).sqrt()) / (10.0 * theta.cos());
    printed(rate, 0.41512314, 8, "rate of precession");
    for scheme in RIGID_SCHEMES {
        let rotation = exp_map(&(Vec3::x() * theta));
        let spin = Vec3::new(0.0, rate * theta.sin(), 50.0);
        let mut b = spinning(diagonal(TOP[0], TOP[1], TOP[2]), scheme, &rotation, spin);
        let azimuth = |b: &Bodies| {
            let axis = motion(b, at(0)).f * Vec3::z();
            axis.x.atan2(-axis.y)
        };
        near(azimuth(&b), 0.0, 1e-15, "azimuth at the start");
        for _ in 0..5000 {
            step(&mut b, 1e-3, Vec3::zeros(), top_load);
            near(motion(&b, at(0)).f[(2, 2)], theta.cos(), 6e-6, "inclination");
        }
        near(azimuth(&b), 2.0756, 4e-4, "azimuth");
    }
}

/// Point mass on a rigid link: the reaction along the link makes its length 1 at t+h.
#[test]
fn a_point_mass_on_a_link() {
    let h = 1e-3;
    let link = |b: &Bodies| {
        let (inverse_mass, _, free, _) = rigid_kinetics(b);
        let (x, n) = (motion(b, at(0)).x, motion(b, at(0)).x.normalize());
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
        let mut before = motion(&b, at(0)).x.x;
        for n in 1..3000 {
            step_with(&mut b, h, Vec3::z() * (-PI * PI), no_load, link);
            let x = motion(&b, at(0)).x;
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
fn a_bar_on_a_pin() {
    let h = 1e-3;
    let anchor = Vec3::z() * 0.25;
    let pin = |b: &Bodies| {
        let (_, _, free, previous) = rigid_kinetics(b);
        let motion = motion(b, at(0));
        let arm = motion.point(&anchor) - motion.x;
        let twice = free.linear + previous.linear + (free.angular + previous.angular).cross(&arm);
        let inverse = rigid_block(b, &arm, h).try_inverse().unwrap();
        force_at(&arm, -(inverse * twice))
    };
    let angle = |b: &Bodies| {
        let axis = motion(b, at(0)).f * Vec3::z();
        axis.x.atan2(axis.z)
    };
    let exact = (2.0 * 9.8 * 0.25 * (1.0 - 30f64.to_radians().cos()) / (1.01 / 12.0 + 1.0 / 16.0)).sqrt();
    printed(exact, 2.11565, 6, "exact rate");
    for scheme in RIGID_SCHEMES {
        let mut row = rigid(1.0, diagonal(1.01, 1.01, 0.02) * (1.0 / 12.0));
        row.scheme = scheme;
        row.conf = turned(&exp_map(&(Vec3::y() * 30f64.to_radians())));
        let mut b = one(row);
        let place = motion(&b, at(0)).point(&anchor);
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
        assert!((motion(&b, at(0)).point(&anchor) - place).norm() < 1e-5, "the pin holds");
    }
}

#[test]
fn w_of_a_sphere() {
    let (mass, radius, h) = (3.0, 0.7, 1e-2);
    let mut row = rigid(mass, Mat3::identity() * (0.4 * mass * radius * radius));
    row.conf = turned(&exp_map(&Vec3::new(0.3, -1.0, 2.0)));
    let mut b = one(row);
    step(&mut b, h, Vec3::zeros(), no_load);
    let w = rigid_block(&b, &(Vec3::z() * -radius), h);
    assert!((w - diagonal(3.5, 3.5, 1.0) * (h / mass)).amax() < 1e-16);
}

#[test]
fn a_body_without_rotation_does_not_turn() {
    let torque = |_: &Bodies| Load { torque: Vec3::x(), convected_torque: Vec3::y(), ..Load::zero() };
    let push = |_: &Bodies| Resultant { torque: Vec3::z(), ..Resultant::zero() };
    for scheme in RIGID_SCHEMES {
        let mut row = rigid(2.0, Mat3::identity());
        row.scheme = scheme;
        row.disable_rotation = true;
        row.velo = vec![1.0, 2.0, 3.0, 0.0, 0.0, 0.0];
        let mut b = one(row);
        for _ in 0..10 {
            step_with(&mut b, 0.01, Vec3::zeros(), torque, push);
            assert_eq!((motion(&b, at(0)).f, omega(&b)), (Mat3::identity(), Vec3::zeros()));
            assert_eq!(b.energies(at(0)), [0.0; 6]);
        }
        let w = rigid_block(&b, &(Vec3::z() * -0.7), 0.01);
        assert!((w - Mat3::identity() * (0.01 / 2.0)).amax() < 1e-18);
        b.set_velocity(at(0), &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
        assert_eq!(omega(&b), Vec3::zeros());
        b.disable_rotation(at(0), false);
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
    (b.configuration(at(0))[0] - 1.0, b.velocity(at(0))[0])
}

/// ω² of the uniaxial mode of the unit cube with E = 1e6.
const SQUARE: f64 = 12.0 * 1e6 / 1e3;

#[test]
fn period_of_the_uniaxial_mode() {
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
    assert_eq!(who, at(0));
    assert_eq!(stretched(Scheme::DefLim, 1e6, 0.0, 0.0).critical_step(), None);
}

#[test]
fn frequencies_of_a_cube() {
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
fn conserved_quadratics() {
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
fn damping_of_the_implicit_scheme() {
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
        near(q1, q + 0.5 * h * (u + expected), 10.0 * amplitude * amplitude, "extension");
    }
}

#[test]
fn w_and_energy_of_a_cube() {
    let (h, side) = (1e-3, 1.5);
    let row = soft_box(side, side, side);
    let mass = row.chars.mass;
    let mut b = one(row);
    steps(&mut b, h, 1);
    let Inertia::Affine { inverse_mass, inverse, .. } = b.inertia(at(0)) else { panic!("a pseudo-rigid body") };
    let arm = Vec3::y() * (0.5 * side);
    for k in 0..3 {
        let force = Vec3::ith(k, 1.0);
        let velocity = (inverse.apply(&(force * arm.transpose())) * arm + force * inverse_mass) * h;
        assert!((velocity - force * (4.0 * h / mass)).amax() < 1e-15 * h);
    }
    let spin = 3.0;
    b.set_initial_velocity(at(0), &Vec3::zeros(), &(Vec3::z() * spin)).unwrap();
    near(kinetic(&b), 0.5 * spin * spin * mass * side * side / 6.0, 1e-10, "kinetic energy of a spin");
}

#[test]
fn frame_indifference() {
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
            motion(&b, at(0)).f
        };
        let difference = run(&q) - q * run(&Mat3::identity());
        assert!(difference.amax() < 1e-12, "{scheme:?}: {:.2e}", difference.amax());
    }
}

#[test]
fn stress_of_simple_shear() {
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
fn stress_is_the_derivative_of_energy() {
    let law = Kirchhoff::new(1.0, 0.3);
    let f = Mat3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2);
    let (p, tangent) = (law.first_stress(&f), law.tangent(&f, &law.second_stress(&f)));
    let d = 1e-6;
    assert!((tangent - tangent.transpose()).amax() < 1e-14 * tangent.amax());
    for k in 0..9 {
        let mut e = Mat3::zeros();
        e[(k / 3, k % 3)] = d;
        let slope = (law.energy(&(f + e)) - law.energy(&(f - e))) / (2.0 * d);
        near(slope, p[(k / 3, k % 3)], 1e-8 * p.amax(), "P is the slope of the energy");
        let column = (law.first_stress(&(f + e)) - law.first_stress(&(f - e))) / (2.0 * d);
        let action = e / d * law.second_stress(&f) + f * law.stress_rate(&f, &(e / d));
        for r in 0..9 {
            near(tangent[(r, k)], column[(r / 3, r % 3)], 1e-7 * tangent.amax(), "tangent");
            near(tangent[(r, k)], action[(r / 3, r % 3)], 1e-14, "tangent and its action");
        }
    }
}

#[test]
fn tangent_at_the_limit_point() {
    let f = diagonal(0.57735, 1.0, 1.0);
    let law = Kirchhoff::new(1.0, 0.0);
    near(law.tangent(&f, &law.second_stress(&f))[(0, 0)], 0.0, 1e-5, "uniaxial tangent");
}

/// Stiffness-proportional damping: ω = 100, η = 1e-3, hence ξ = 0.05.
#[test]
fn stiffness_proportional_damping() {
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
fn stress_of_uniaxial_stretch() {
    let f = diagonal(1.01, 1.0, 1.0);
    near(Kirchhoff::new(1e6, 0.0).second_stress(&f)[(0, 0)], 10050.0, 1e-8, "S");
    let s = stress(&f, 1e6, 0.0);
    near(s[0], 10150.5, 1e-8, "σxx");
    assert_eq!(s[1..], [0.0; 5]);
    near(mises(&s), 10150.5, 1e-8, "Mises");
}

#[test]
fn stress_turns_with_the_body() {
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
    near(stress(&(quarter * f), 1e6, 0.0)[1], 10150.5, 1e-8, "σyy after a quarter turn");
}

#[test]
fn stress_of_small_shear() {
    let f = Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.01, 0.0, 0.01, 1.0);
    near(f.determinant(), 0.9999, 1e-15, "J");
    let s = stress(&f, 1e6, 0.0);
    printed(s[5], 10003.0, 6, "σyz");
    printed(s[1], 250.03, 5, "σyy");
    printed(s[2], 250.03, 5, "σzz");
    printed(mises(&s), 17327.5, 6, "Mises");
}

#[test]
fn external_energy_of_a_projectile() {
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
fn energy_balance_of_the_implicit_scheme() {
    for (h, strain, eta) in [(1e-6, 1e-3, 0.0), (1e-6, 1e-3, 1e-3), (5e-3, 1e-8, 0.0), (5e-3, 1e-8, 1e-3)] {
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
            let before = b.energies(at(0));
            step_with(&mut b, h, Vec3::zeros(), load, push);
            let after = b.energies(at(0));
            let change = |k: usize| after[k] - before[k];
            let residual = change(KINETIC) + change(INTERNAL) - change(EXTERNAL) + change(DISSIPATED);
            let energy = after[KINETIC] + after[INTERNAL];
            near(residual / energy, 0.0, tolerance, "balance of a step");
        }
    }
}

#[test]
fn critical_step_of_pseudo_rigid_bodies() {
    let cube = one(soft_box(1.0, 1.0, 1.0));
    printed(cube.critical_step().unwrap().0, 0.00912871, 6, "cube");
    let slab = one_of(soft_box(1.0, 2.0, 4.0), material(1e6, 0.3));
    printed(slab.critical_step().unwrap().0, 0.0076042, 5, "box");
}

/// The stiffest body sets the step and is named; without it the next one does.
#[test]
fn the_stiffest_body_sets_the_step() {
    let rows = vec![rigid(1.0, Mat3::identity()), soft_box(1.0, 1.0, 1.0), soft_box(0.1, 0.1, 0.1)];
    let mut b = insert(&model(rows, material(1e6, 0.0)), Analysis::Dynamic);
    let (h, who) = b.critical_step().unwrap();
    printed(h, 0.000912871, 6, "small cube");
    assert_eq!(b.id(who), BodyId(3));
    b.remove(&[true, true, false]);
    let (h, who) = b.critical_step().unwrap();
    printed(h, 0.00912871, 6, "large cube");
    assert_eq!(b.id(who), BodyId(2));
    b.remove(&[true, false]);
    assert_eq!(b.critical_step(), None);
}
