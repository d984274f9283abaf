//! Behaviour of bodies beyond the closed forms.

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
            assert_eq!(b.warnings(), []);
        }
        let error = motion(&b, at(0)).f * inertia * omega(&b) - momentum;
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
        let state = (implicit.configuration(at(0)), implicit.velocity(at(0)));
        negative.set_configuration(at(0), &state.0).unwrap();
        negative.set_velocity(at(0), &state.1).unwrap();
        steps(&mut implicit, 0.1, 1);
        steps(&mut negative, 0.1, 1);
        if implicit.warnings().contains(&(at(0), Warning::RotationFallback)) {
            fallbacks += 1;
            assert_eq!(implicit.velocity(at(0)), negative.velocity(at(0)));
        }
    }
    assert!(fallbacks > 0);
    assert_eq!(implicit.first_not_finite(), None);
}

#[test]
fn rotations_stay_rotations() {
    let mut b = spinning(diagonal(1.0, 2.0, 3.0), Scheme::RigNeg, &Mat3::identity(), Vec3::new(3.0, 1.0, 2.0));
    for _ in 0..100_000 {
        steps(&mut b, 0.01, 1);
    }
    assert!(orthogonality_defect(&motion(&b, at(0)).f) < 1.1e-12);
}

/// An obstacle moves as prescribed, takes no load and keeps no energy; contacts see its twist.
#[test]
fn obstacles_drag_but_feel_nothing() {
    let mut row = body(BodyKind::Obstacle, 2.0, 1.0, Mat3::identity());
    row.velo = vec![0.0, 0.0, 2.0, 1.0, 0.0, 0.0];
    let mut b = one(row);
    let load = |_: &Bodies| Load { force: Vec3::x(), torque: Vec3::y(), ..Load::zero() };
    for _ in 0..100 {
        step(&mut b, 0.01, Vec3::z() * -10.0, load);
    }
    assert!((motion(&b, at(0)).x - Vec3::x()).norm() < 1e-13);
    assert!((motion(&b, at(0)).f - exp_map(&(Vec3::z() * 2.0))).amax() < 1e-13);
    b.add_contact_work(at(0), 1.0, 1.0);
    assert_eq!(b.energies(at(0)), [0.0; 6]);
    let Inertia::Rigid { free, previous, .. } = b.inertia(at(0)) else { panic!("an obstacle") };
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
    b.begin(h);
    b.free_velocity(h, &Vec3::z());
    let (inverse_mass, inverse_inertia, free, _) = rigid_kinetics(&b);
    let (rotation, reaction) = (motion(&b, at(0)).f, force_at(&arm, force));
    b.finish(h, &Reactions(vec![reaction]));
    let linear = free.linear + force * (h * inverse_mass);
    let angular = free.angular + inverse_inertia * reaction.torque * h;
    assert!((Vec3::from_column_slice(&b.velocity(at(0))[3..]) - linear).norm() < 1e-14);
    assert!((rotation * omega(&b) - angular).norm() < 1e-14);

    for scheme in [Scheme::DefExp, Scheme::DefLim] {
        let mut row = soft_box(1.0, 1.2, 0.8);
        row.scheme = scheme;
        row.conf = affine(&Mat3::new(1.02, 0.1, 0.0, -0.1, 0.99, 0.0, 0.05, 0.0, 1.0));
        let mut b = one(row);
        b.begin(h);
        b.free_velocity(h, &Vec3::z());
        let Inertia::Affine { inverse, free, .. } = b.inertia(at(0)) else { panic!("a pseudo-rigid body") };
        let moment = force * arm.transpose() * 1e3;
        let expected = free.fdot + inverse.apply(&moment) * h;
        let reaction = Resultant { force, moment, torque: Vec3::zeros() };
        b.finish(h, &Reactions(vec![reaction]));
        let found = Mat3::from_row_slice(&b.velocity(at(0))[..9]);
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
    let warnings = b.warnings();
    assert!(warnings.contains(&(at(0), Warning::IndefiniteStiffness)), "{warnings:?}");
    assert_eq!(b.first_not_finite(), None);
}

#[test]
fn crushing_is_told_in_each_step() {
    for (stretch, told) in [(0.6, vec![(at(0), Warning::Crushed)]), (0.7, vec![])] {
        let mut row = soft_box(1.0, 1.0, 1.0);
        row.conf = affine(&diagonal(1.0, stretch, 1.0));
        let mut b = one(row);
        for _ in 0..2 {
            steps(&mut b, 1e-5, 1);
            assert_eq!(b.warnings(), told);
        }
        assert_eq!(b.first_inverted(), None);
    }
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
            (b.configuration(at(0))[0] - 1.0).abs()
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
        Load { force: Vec3::z() * -20.0, torque: Vec3::x(), ..Load::zero() },
        Load { moment: diagonal(pull, 0.0, 0.0), ..Load::zero() },
    ];
    let h = 0.1;
    for _ in 0..5 {
        b.begin(h);
        add_loads(&mut b, &loads);
        b.free_velocity(h, &Vec3::zeros());
        let (_, _, _, previous) = rigid_kinetics(&b);
        assert_eq!((previous.linear, previous.angular), (Vec3::zeros(), Vec3::zeros()));
        b.finish(h, &NoForces);
    }
    near(motion(&b, at(0)).x.z, -0.5, 1e-15, "creep");
    assert!((motion(&b, at(0)).f - exp_map(&(Vec3::x() * (5.0 * h * h)))).amax() < 1e-15);
    for _ in 0..200 {
        b.begin(h);
        add_loads(&mut b, &loads);
        b.free_velocity(h, &Vec3::zeros());
        b.finish(h, &NoForces);
    }
    let stretch = b.configuration(at(1))[0];
    near(0.5 * 1e6 * stretch * (stretch * stretch - 1.0), pull, 1e-6 * pull, "nominal stress");
    let energies = b.energies(at(1));
    assert_eq!([energies[KINETIC], energies[EXTERNAL]], [0.0; 2]);
}

#[test]
fn contact_work_is_part_of_the_record() {
    let mut b = one(rigid(1.0, Mat3::identity()));
    b.add_contact_work(at(0), -2.0, -0.5);
    b.add_contact_work(at(0), -1.0, -0.25);
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
    assert_eq!((0..3).map(|i| b.id(at(i)).0).collect::<Vec<_>>(), [2, 3, 5]);
    assert_eq!((0..3).map(|i| b.row(at(i)).0).collect::<Vec<_>>(), [1, 2, 4]);
    assert_eq!((0..3).map(|i| motion(&b, at(i)).x.x).collect::<Vec<_>>(), [1.0, 2.0, 4.0]);
    let columns = b.columns();
    assert_eq!((columns.rigid.id, columns.pseudo.id), (vec![3, 5], vec![2]));
    assert_eq!(columns.rigid.x.iter().map(|x| x[0]).collect::<Vec<_>>(), [2.0, 4.0]);
    assert_eq!((b.index(BodyId(5)), b.index(BodyId(1))), (Some(at(2)), None));

    let rotation = exp_map(&Vec3::new(0.2, 0.5, -0.4));
    let conf: Vec<f64> = rotation.iter().copied().chain([7.0, 8.0, 9.0]).collect();
    b.set_configuration(at(2), &conf).unwrap();
    assert_eq!(b.configuration(at(2)), conf);
    b.set_initial_velocity(at(2), &Vec3::x(), &Vec3::y()).unwrap();
    let spin = rotation.transpose() * Vec3::y();
    assert!((Vec3::from_column_slice(&b.velocity(at(2))[..3]) - spin).norm() < 1e-16);
    let point = Vec3::new(4.0, 0.5, 0.25);
    let arm = motion(&b, at(2)).point(&point) - motion(&b, at(2)).x;
    let carried = Vec3::x() + motion(&b, at(2)).f * spin.cross(&(point - motion(&b, at(2)).x0));
    assert!((carried - (Vec3::x() + Vec3::y().cross(&arm))).norm() < 1e-15);
    assert!((motion(&b, at(2)).reference(&motion(&b, at(2)).point(&point)).unwrap() - point).norm() < 1e-14);

    let f: Vec<f64> = (0..12).map(|k| if k % 4 == 0 { 2.0 } else { 0.1 * f64::from(k) }).collect();
    b.set_configuration(at(0), &f).unwrap();
    assert_eq!(motion(&b, at(0)).f[(0, 1)], 0.1);
    b.set_initial_velocity(at(0), &Vec3::zeros(), &Vec3::z()).unwrap();
    let arm = motion(&b, at(0)).point(&point) - motion(&b, at(0)).x;
    let rate = Mat3::from_row_slice(&b.velocity(at(0))[..9]);
    assert!((rate * (point - motion(&b, at(0)).x0) - Vec3::z().cross(&arm)).norm() < 1e-14);
}

#[test]
fn a_changed_material_acts_at_once() {
    let mut b = one(soft_box(1.0, 1.0, 1.0));
    let h = b.critical_step().unwrap().0;
    b.set_material(0, &material(4e6, 0.0)).unwrap();
    near(b.critical_step().unwrap().0, 0.5 * h, 1e-15, "step of the stiffer cube");
    b.set_material(1, &material(1e6, 0.0)).unwrap();
    near(b.critical_step().unwrap().0, 0.5 * h, 1e-15, "another material");
}

#[test]
fn bad_bodies_are_refused_by_name() {
    let refuse = |change: &dyn Fn(&mut BodyRow), expected: &str| {
        let mut row = soft_box(1.0, 1.0, 1.0);
        row.label = "brick".into();
        change(&mut row);
        let model = model(vec![row], material(1e6, 0.0));
        let mut bodies = Bodies::new(Stepping::DYNAMIC);
        let message = add(&mut bodies, &model, 0).unwrap_err().to_string();
        assert!(message.starts_with("body 1 'brick': ") && message.contains(expected), "{message}");
        assert!(bodies.is_empty() && bodies.columns() == BodyColumns::default());
    };
    refuse(&|r| r.chars.mass = 0.0, "mass is 0");
    refuse(&|r| r.chars.mass = f64::NAN, "mass is NaN");
    refuse(&|r| r.chars.volume = -1.0, "volume is -1");
    refuse(&|r| r.chars.tensor[(0, 0)] = -1.0, "not symmetric and positive definite");
    refuse(&|r| r.chars.tensor[(0, 1)] = 1.0, "not symmetric and positive definite");
    refuse(&|r| r.chars.center.x = f64::INFINITY, "mass centre is not finite");
    refuse(&|r| r.material = 3, "material row 3");
    refuse(&|r| r.scheme = Scheme::RigImp, "scheme RIG_IMP");
    refuse(&|r| r.damping = -1.0, "damping is -1");
    refuse(&|r| r.conf = vec![1.0; 11], "conf has 11 numbers, it needs 12");
    refuse(&|r| r.conf = vec![f64::NAN; 12], "number 0 of conf is NaN");
    refuse(&|r| r.conf = vec![0.0; 12], "det F");
    refuse(&|r| r.velo = vec![0.0; 6], "velo has 6 numbers, it needs 12");
    refuse(&|r| r.kind = BodyKind::FiniteElement, "exactly one MESH");
    let turn = |r: &mut BodyRow| (r.kind, r.conf) = (BodyKind::Rigid, vec![1.0; 12]);
    refuse(&turn, "no rotation");
    let scheme = |r: &mut BodyRow| (r.kind, r.scheme) = (BodyKind::Rigid, Scheme::DefLim);
    refuse(&scheme, "use DEFAULT, RIG_POS, RIG_NEG or RIG_IMP");
}

#[test]
fn not_finite_states_are_found() {
    let rows = vec![soft_box(1.0, 1.0, 1.0), rigid(1.0, Mat3::identity()), soft_box(1.0, 1.0, 1.0)];
    let mut b = insert(&model(rows, material(1e6, 0.0)), Analysis::Dynamic);
    assert_eq!(b.first_not_finite(), None);
    b.begin(0.1);
    b.free_velocity(0.1, &Vec3::zeros());
    let mut reactions = [Resultant::zero(); 3];
    reactions[1].force.x = f64::NAN;
    reactions[2].force.x = f64::INFINITY;
    b.finish(0.1, &Reactions(reactions.to_vec()));
    assert_eq!(b.first_not_finite(), Some(at(1)));
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
            for _ in 0..10 {
                let h = b.critical_step().unwrap().0;
                b.begin(h);
                b.free_velocity(h, &Vec3::z());
                b.finish(h, &NoForces);
            }
            let states: Vec<f64> = (0..b.len()).flat_map(|i| b.configuration(at(i))).collect();
            (states, b.energy_total())
        })
    };
    let one = run(1);
    assert!(one == run(2) && one == run(4));
}

/// A stored state goes on bit for bit.
#[test]
fn a_restored_state_goes_on() {
    let rows = vec![rigid(1.0, diagonal(1.0, 2.0, 2.5)), soft_box(1.0, 1.1, 0.9)];
    let model = model(rows, material(1e6, 0.2));
    let mut b = insert(&model, Analysis::Dynamic);
    b.set_initial_velocity(at(0), &Vec3::x(), &Vec3::new(3.0, -1.0, 2.0)).unwrap();
    b.set_initial_velocity(at(1), &Vec3::y(), &Vec3::new(1.0, 0.5, 2.0)).unwrap();
    let run = |b: &mut Bodies| {
        for _ in 0..500 {
            b.begin(1e-3);
            b.free_velocity(1e-3, &Vec3::z());
            b.finish(1e-3, &NoForces);
        }
    };
    run(&mut b);
    let mut restored = insert(&model, Analysis::Dynamic);
    for i in 0..2 {
        restored.set_configuration(at(i), &b.configuration(at(i))).unwrap();
        restored.set_velocity(at(i), &b.velocity(at(i))).unwrap();
        restored.set_works(at(i), &b.energies(at(i)));
    }
    run(&mut b);
    run(&mut restored);
    for i in 0..2 {
        assert_eq!(b.configuration(at(i)), restored.configuration(at(i)));
        assert_eq!(b.velocity(at(i)), restored.velocity(at(i)));
        assert_eq!(b.energies(at(i)), restored.energies(at(i)));
    }
}

/// A reaction that turns a pseudo-rigid body inside out is noticed.
#[test]
fn inversion_is_found() {
    let mut b = one(soft_box(1.0, 1.0, 1.0));
    b.set_velocity(at(0), &[-30.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    b.begin(0.1);
    assert_eq!(b.first_inverted(), Some(at(0)));
}
