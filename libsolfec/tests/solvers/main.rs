//! Acceptance cases of constraints-solvers-parallel.md: local dynamics, block solvers, Gauss–Seidel, merit; penalty.

mod external;
mod map;
mod penalty;
#[path = "../support/mod.rs"]
mod support;

mod solvers {
    use crate::support::*;

    use solfec::body::Resultant;
    use solfec::dynamics::{
        Assembled, BlockSparse, BodyOperator, Colouring, Delassus, End, Kinetics, Pair, Row, NO_SLOT,
    };
    use solfec::math::{local_base, skew, Mat3, Vec3};
    use solfec::model::{BlockSolver, GaussSeidel};
    use solfec::solver::{merit, velocity_map, Conditions, Law, Status};

    fn dense(w: &BlockSparse) -> nalgebra::DMatrix<f64> {
        let n = w.rows();
        let mut full = nalgebra::DMatrix::zeros(3 * n, 3 * n);
        for i in 0..n {
            for (j, block) in w.row(i) {
                full.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(block);
            }
        }
        full
    }

    #[test]
    fn acc_3_1() {
        let (m1, m2, h) = (2.0, 3.0, STEP.h);
        let base = local_base(&Vec3::new(1.0, 2.0, 3.0).normalize());
        let mut op = BodyOperator::new();
        let bodies = [particle(m1, Vec3::x()), particle(m2, Vec3::zeros())];
        let rows = [
            row((1, 2), base, body(0, Vec3::zeros()), Some(body(1, Vec3::zeros()))),
            row((1, 3), base, body(0, Vec3::zeros()), Some(End::Fixed)),
        ];
        op.fill(h, bodies, &rows);
        let identity = Mat3::identity();
        assert!((op.diagonal()[0] - identity * (h * (1.0 / m1 + 1.0 / m2))).amax() < 1e-17);
        assert!((op.diagonal()[1] - identity * (h / m1)).amax() < 1e-17);
        close(&op.free()[1], &base.tr_mul(&Vec3::x()), 1e-16);
        assert_eq!(op.assemblies(), 0);
        op.assemble();
        assert_eq!(op.assemblies(), 1);
    }

    fn body_at_rest(m: f64, inv_inertia: Mat3) -> Kinetics<'static> {
        Kinetics::Rigid {
            inv_mass: 1.0 / m,
            inv_inertia,
            free: translation(Vec3::zeros()),
            previous: translation(Vec3::zeros()),
        }
    }

    #[test]
    fn acc_3_2() {
        let (m, h, l, theta) = (3.0, STEP.h, 0.7, 0.4_f64);
        let d = Vec3::new(theta.cos(), 0.0, theta.sin());
        let rod = body_at_rest(m, (Mat3::identity() - d * d.transpose()) * (3.0 / (m * l * l)));
        let base = Mat3::identity();
        let mut op = BodyOperator::new();
        op.fill(h, [rod], &[row((1, 2), base, body(0, l * d), Some(End::Fixed))]);
        let w = op.diagonal()[0];
        let (c, s) = (theta.cos(), theta.sin());
        near(w.m33, h / m * (1.0 + 3.0 * c * c), 1e-16);
        near(w.m11, h / m * (1.0 + 3.0 * s * s), 1e-16);
        near(w.m13, -h / m * 3.0 * s * c, 1e-16);

        let random = &mut Random(1);
        let a = random.matrix();
        let inverse = a * a.transpose();
        let r = random.vector();
        let end = body(0, r);
        op.fill(h, [body_at_rest(m, inverse)], &[row((1, 2), base, end, Some(End::Fixed))]);
        let expected = base * (h / m) + h * skew(&r).transpose() * inverse * skew(&r);
        assert!((op.diagonal()[0] - expected).amax() < 1e-16);
    }

    #[test]
    fn acc_3_3() {
        let (bodies, rows) = random_system(50, 105, 7);
        assert!(rows.len() >= 190, "{} constraints", rows.len());
        let mut op = filled(&bodies, &rows);
        let sparse = op.assemble();
        let w = dense(&sparse);
        assert!(w == w.transpose(), "W is not symmetric bit for bit");
        let size = w.norm();
        let least = w.clone().symmetric_eigen().eigenvalues.min();
        assert!(least >= -1e-12 * size, "least eigenvalue {least}, norm {size}");

        let n = rows.len();
        let random = &mut Random(8);
        let r: Vec<Vec3> = (0..n).map(|_| random.vector()).collect();
        let mut u = vec![Vec3::zeros(); n];
        op.apply(&r, &mut u);
        let scale = u.iter().map(Vec3::norm).fold(0.0, f64::max);
        for (i, u) in u.iter().enumerate() {
            let assembled = op.free()[i] + sparse.row_product(i, &r);
            assert!((assembled - u).norm() <= 1e-13 * scale);
            assert_eq!(sparse.get(i, i), Some(&op.diagonal()[i]));
        }

        let reversed: Vec<Body> = bodies.iter().rev().cloned().collect();
        let last = bodies.len() as u32 - 1;
        let renumber = |end: End| match end {
            End::Body { slot, arm } => body(last - slot, arm),
            End::Fixed => End::Fixed,
        };
        let permute = |row: &Row| Row { master: renumber(row.master), slave: row.slave.map(renumber), ..*row };
        let permuted: Vec<Row> = rows.iter().map(permute).collect();
        let other = filled(&reversed, &permuted).assemble();
        assert!((dense(&other) - w).norm() <= 1e-14 * size);
    }

    /// Power of reactions on the free velocities: by constraints and by resultants on bodies.
    #[test]
    fn resultants_are_conjugate_to_velocities() {
        let (bodies, rows) = random_system(20, 40, 3);
        let op = filled(&bodies, &rows);
        let random = &mut Random(4);
        let r: Vec<Vec3> = rows.iter().map(|_| random.vector()).collect();
        let mut sums = Vec::new();
        op.resultants(&r, &mut sums);
        let rows_power: f64 = (0..rows.len()).map(|i| (op.free()[i] - rows[i].drift).dot(&r[i])).sum();
        let power = |(body, sum): (&Body, &Resultant)| match body {
            Body::Rigid(_, _, [free, _]) => free.linear.dot(&sum.force) + free.angular.dot(&sum.torque),
            Body::Pseudo(_, _, _, [free, _]) => free.linear.dot(&sum.force) + free.gradient.dot(&sum.moment),
        };
        near(rows_power, bodies.iter().zip(&sums).map(power).sum(), 1e-12);
    }

    #[test]
    fn acc_3_4() {
        let n = 10_000;
        let random = &mut Random(5);
        let bodies: Vec<Kinetics> = (0..n).map(|_| particle(1.0, Vec3::zeros())).collect();
        let mut contact = |i: u64| {
            let base = local_base(&random.vector().normalize());
            row((0, i + 1), base, body(i as u32, random.vector()), Some(End::Fixed))
        };
        let rows: Vec<Row> = (0..n).map(&mut contact).collect();
        let mut op = BodyOperator::new();
        op.fill(STEP.h, bodies, &rows);
        assert_eq!(op.assemble().block.len() as u64, n);
        assert_eq!(op.colours(), 1);
    }

    #[test]
    fn acc_4_1() {
        for solver in SOLVERS {
            let (r, u) = one(example(), Vec3::new(0.1, 0.05, -2.0), coulomb(0.8), solver);
            close(&r, &Vec3::new(-0.621820809249, -0.078757225434, 2.318786127168), 1e-11);
            close(&u, &Vec3::zeros(), 1e-14);
            near(r.xy().norm() / (0.8 * r.z), 0.337886, 1e-6);
        }
    }

    /// The sliding problem of all solvers.
    const SLIDING: Vec3 = Vec3::new(1.0, 0.5, -2.0);

    #[test]
    fn acc_4_2() {
        for solver in SOLVERS {
            let (r, u) = one(example(), SLIDING, coulomb(0.3), solver);
            close(&r, &sliding_reaction(), 1e-11);
            close(&u, &Vec3::new(0.778258641686, 0.217888670299, 0.0), 1e-11);
            near(r.xy().norm(), 0.3 * r.z, 1e-12);
            near(-u.x / r.x, 1.1415148665, 1e-10);
            near(-u.y / r.y, 1.1415148665, 1e-10);
        }
    }

    #[test]
    fn acc_4_3() {
        for solver in SOLVERS {
            let b = Vec3::new(1.0, 0.5, 0.25);
            assert_eq!(one(example(), b, coulomb(0.3), solver), (Vec3::zeros(), b));
        }
    }

    /// A semismooth iteration that fails hands over to the exact solver, which counts as a retry.
    #[test]
    fn a_failed_block_is_retried() {
        let hurried = GaussSeidel { diagmaxiter: 1, ..GaussSeidel::new(1e-12, 1) };
        let solution = solve(&mut single(example(), SLIDING), &[coulomb(0.3)], &hurried);
        assert_eq!((solution.report.retries, solution.report.failed_blocks), (1, 0));
        close(&solution.r[0], &sliding_reaction(), 1e-11);
    }

    #[test]
    fn acc_4_6() {
        let w = Mat3::new(3.4, 0.0, -1.2, 0.0, 1.0, 0.0, -1.2, 0.0, 1.6);
        for solver in SOLVERS {
            let check = |b: f64, mu: f64, r: Vec3, u: f64| {
                let (found, velocity) = one(w, Vec3::new(b, 0.0, -0.5), coulomb(mu), solver);
                close(&found, &r, 1e-12);
                close(&velocity, &Vec3::new(u, 0.0, 0.0), 1e-12);
            };
            check(-1.0, 1.0, Vec3::new(0.55, 0.0, 0.725), 0.0);
            check(-10.0, 1.0, Vec3::new(1.25, 0.0, 1.25), -7.25);
            check(-10.0, 2.0, Vec3::new(4.15, 0.0, 3.425), 0.0);
        }
    }

    #[test]
    fn acc_4_7() {
        for solver in SOLVERS {
            let (r, u) = one(example(), Vec3::zeros(), coulomb(0.5), solver);
            assert_eq!((r, u), (Vec3::zeros(), Vec3::zeros()));
            let (r, _) = one(example(), Vec3::new(0.3, 0.2, -1.5), coulomb(0.0), solver);
            close(&r, &Vec3::new(0.0, 0.0, 1.5), 1e-15);
            let (r, _) = one(example(), Vec3::new(0.3, 0.2, 1.5), coulomb(0.0), solver);
            assert_eq!(r, Vec3::zeros());
            let (r, _) = one(example(), -Vec3::z(), coulomb(0.01), solver);
            assert!(r.iter().all(|x| x.is_finite()) && r.z > 0.0);
        }
    }

    #[test]
    fn acc_4_8() {
        let law = Law::Coulomb { friction: 0.3, restitution: 0.5, cohesion: 0.0, closing: 0.0 };
        for solver in SOLVERS {
            let approach = Vec3::new(0.0, 0.0, -2.0);
            let mut op = single_with(Mat3::identity(), approach, approach);
            let solution = solve(&mut op, &[law], &settings(1e-12, 20, solver));
            close(&solution.r[0], &Vec3::new(0.0, 0.0, 3.0), 1e-14);
            near(solution.u[0].z, 1.0, 1e-14);
            assert!(solution.report.merit < 1e-24);
        }
    }

    /// Both block solvers satisfy the velocity map on random problems, and agree where the solution is unique.
    #[test]
    fn block_solvers_agree() {
        let random = &mut Random(11);
        let mut sliding = 0;
        for k in 0..2000 {
            let a = random.matrix();
            let w = a * a.transpose() + Mat3::from_diagonal_element(0.05);
            let b = random.vector();
            let mu = [0.1, 0.3, 0.8, 1.5][k % 4];
            let [newton, exact] = SOLVERS.map(|solver| {
                let solution = solve(&mut single(w, b), &[coulomb(mu)], &settings(1e-12, 50, solver));
                assert_eq!(solution.report.failed_blocks, 0);
                let merit = solution.report.merit;
                assert!(merit < 1e-20, "{solver:?}: merit {merit} at {k}");
                solution.r[0]
            });
            sliding += usize::from(exact.z > 0.0 && exact.xy().norm() > 0.999999 * mu * exact.z);
            let coupling = (w.m13 * w.m13 + w.m23 * w.m23).sqrt();
            if mu * coupling < 0.5 * w.m33 {
                close(&newton, &exact, 1e-9 * exact.norm().max(1.0));
            }
        }
        assert!(sliding > 200, "only {sliding} sliding contacts");
    }

    #[test]
    fn block_solvers_do_not_depend_on_units() {
        for solver in SOLVERS {
            let (r, _) = one(example(), SLIDING, coulomb(0.3), solver);
            let (scaled, _) = one(example() * 1e-6, SLIDING, coulomb(0.3), solver);
            close(&(scaled * 1e-6), &r, 1e-11);
        }
    }

    #[test]
    fn acc_5_1() {
        let law = [coulomb(0.3)];
        for solver in SOLVERS {
            let mut op = single(example(), SLIDING);
            let first = solve(&mut op, &law, &settings(1e-3, 100, solver));
            assert_eq!(first.report.iterations, 2);
            assert_eq!(first.error_history[0], 1.0);
            assert!(first.error_history[1] <= 1e-12);
            assert_eq!(first.report.status, Status::Converged);
            let warm = solve_from(&mut op, &law, &settings(1e-3, 100, solver), &first.r);
            assert_eq!(warm.report.iterations, 1);
        }
    }

    #[test]
    fn acc_5_2() {
        let laws = [coulomb(0.0); 2];
        for k in 1..=10 {
            let solution = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, k));
            let left = 0.5_f64.powi(k as i32);
            near(solution.r[0].z, 20.0 * (1.0 - left), 1e-12);
            near(solution.r[1].z, 10.0 * (1.0 - left), 1e-12);
            near(solution.report.error, 1.0 / (1.0 / left - 1.0), 1e-12);
        }
        let report = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, 100)).report;
        assert_eq!((report.iterations, report.status), (10, Status::Converged));
        near(report.error, 9.775171e-4, 1e-9);

        let missing = |k| 100.0 - solve(&mut column(9.0, 1.0), &laws, &GaussSeidel::new(1e-12, k)).r[0].z;
        near(missing(20) / missing(19), 0.9, 1e-12);
    }

    /// The sliding block of 5.3 on bodies and assembled: T = +x, T2 = +y, N = +z, front contact first.
    fn sliding_block() -> (BodyOperator, Assembled) {
        let (m, j, h) = (1.0, 1.0 / 6.0, STEP.h);
        let block = Kinetics::Rigid {
            inv_mass: 1.0 / m,
            inv_inertia: Mat3::from_diagonal(&Vec3::new(0.0, 1.0 / j, 0.0)),
            free: translation(Vec3::new(1.0, 0.0, -10.0 * h)),
            previous: translation(Vec3::x()),
        };
        let end = |x| body(0, Vec3::new(x, 0.0, -0.5));
        let rows = [0.5, -0.5].map(|x| row((1, 2), Mat3::identity(), end(x), Some(End::Fixed)));
        let mut op = BodyOperator::new();
        op.fill(h, [block], &rows);
        let (w, free, previous) = (op.assemble(), op.free().to_vec(), op.previous().to_vec());
        (op, Assembled::new(w, free, previous).unwrap())
    }

    #[test]
    fn acc_5_3() {
        let (mut bodies, mut assembled) = sliding_block();
        let block = |i, j| {
            let w = assembled.matrix().get(i, j).unwrap();
            [w.m11, w.m13, w.m31, w.m33]
        };
        for (found, expected) in
            [(block(0, 0), [0.025, 0.015, 0.015, 0.025]), (block(0, 1), [0.025, -0.015, 0.015, -0.005])]
        {
            found.iter().zip(expected).for_each(|(a, b)| near(*a, b, 1e-16));
        }
        close(&assembled.free()[1], &Vec3::new(1.0, 0.0, -0.1), 1e-16);
        let laws = [coulomb(0.5); 2];
        let fine = |maxiter| settings(1e-8, maxiter, BlockSolver::SemismoothNewton);
        let first = solve(&mut assembled, &laws, &fine(1));
        close(&first.r[0], &Vec3::new(-2.857142857, 0.0, 5.714285714), 1e-9);
        close(&first.r[1], &Vec3::new(-1.318681319, 0.0, 2.637362637), 1e-9);
        let forward = solve(&mut assembled, &laws, &fine(100));
        assert_eq!(forward.report.iterations, 8);
        let reverse = GaussSeidel { reverse: true, ..fine(100) };
        let alternating = solve(&mut assembled, &laws, &reverse);
        assert_eq!(alternating.report.iterations, 13);
        let matrix_free = solve(&mut bodies, &laws, &fine(100));
        assert_eq!(matrix_free.report.iterations, 8);
        for solution in [forward, alternating, matrix_free] {
            close(&solution.r[0], &Vec3::new(-3.75, 0.0, 7.5), 1e-6);
            close(&solution.r[1], &Vec3::new(-1.25, 0.0, 2.5), 1e-6);
        }
    }

    #[test]
    fn acc_5_4() {
        let laws = [coulomb(0.0); 2];
        let by_merit = GaussSeidel { meritval: 1e-10, ..GaussSeidel::new(1.0, 1000) };
        let solution = solve(&mut column(1.0, 1.0), &laws, &by_merit);
        let report = solution.report;
        // g = 4^-k: the first k with 4^-k ≤ 1e-10 is 17.
        assert_eq!((report.iterations, report.status), (17, Status::Converged));
        assert_eq!(solution.merit_history.len(), 17);
        let short = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, 1));
        assert_eq!(short.report.status, Status::IterationLimit);
        near(short.r[0].z, 10.0, 1e-13);
        near(short.r[1].z, 5.0, 1e-13);
        // The last permitted sweep may be the one that converges.
        let last = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-3, 10));
        assert_eq!(last.report.status, Status::Converged);
    }

    #[test]
    fn no_constraints_no_iterations() {
        let mut op = Assembled::new(BlockSparse::from_upper(&[]), vec![], vec![]).unwrap();
        let report = solve(&mut op, &[], &GaussSeidel::new(1e-3, 10)).report;
        assert_eq!((report.iterations, report.status), (0, Status::Converged));
        assert!(report.worst.is_none());
    }

    #[test]
    fn not_finite_is_reported_and_the_guess_made_admissible() {
        let mut op = single(example(), Vec3::new(f64::NAN, 0.0, -1.0));
        let start = [Vec3::new(5.0, 0.0, 1.0)];
        let solution = solve_from(&mut op, &[coulomb(0.5)], &GaussSeidel::new(1e-3, 10), &start);
        assert_eq!(solution.report.status, Status::NotFinite);
        let r = solution.r[0];
        assert!(r.z >= 0.0 && r.xy().norm() <= 0.5 * r.z * (1.0 + 1e-15), "{r:?}");
    }

    #[test]
    fn inconsistent_local_dynamics_are_refused() {
        let matrix = BlockSparse::from_upper(&[vec![(0, example())]]);
        let error = Assembled::new(matrix, vec![], vec![]).unwrap_err().to_string();
        assert!(error.contains("1 block rows") && error.contains("B has 0"), "{error}");
        let bare = BlockSparse { row_offset: vec![0, 0], ..BlockSparse::default() };
        let error = Assembled::new(bare, vec![Vec3::zeros()], vec![Vec3::zeros()]).unwrap_err();
        assert!(error.to_string().contains("no diagonal block"), "{error}");
    }

    fn merit_without_reaction(b: Vec3, mu: f64) -> f64 {
        let op = single(example(), b);
        merit(&op, &[coulomb(mu)], STEP, &[Vec3::zeros()], &[b], &mut [0.0]).value
    }

    #[test]
    fn acc_6_1() {
        let adhering = Vec3::new(0.1, 0.05, -2.0);
        near(merit_without_reaction(Vec3::new(0.0, 0.0, -2.0), 0.3), 1.0, 1e-15);
        near(merit_without_reaction(SLIDING, 0.3), 0.708049938777, 1e-12);
        near(merit_without_reaction(adhering, 0.8), 0.913761150573, 1e-12);
        assert_eq!(merit_without_reaction(Vec3::new(1.0, 0.5, 0.25), 0.3), 0.0);
        let c = velocity_map(&SLIDING, &Vec3::zeros(), 0.3, 1.0);
        close(&c, &Vec3::new(0.492345242752, 0.246172621376, -1.834862385321), 1e-12);
        near(velocity_map(&adhering, &Vec3::zeros(), 0.8, 1.0).z, -1.9105572809, 1e-10);
    }

    #[test]
    fn acc_6_2() {
        let laws = [coulomb(0.0); 2];
        for k in 1..=12 {
            let solution = solve(&mut column(1.0, 1.0), &laws, &GaussSeidel::new(1e-12, k));
            let g = 0.25_f64.powi(k as i32);
            near(solution.report.merit, g, 1e-10 * g);
            near(solution.parts.iter().sum::<f64>(), solution.report.merit, 1e-14 * g);
            assert_eq!(solution.report.worst, Some(0));
            near(solution.report.residual, -solution.u[0].z, 1e-16);
        }
        for (b, mu) in [(SLIDING, 0.3), (Vec3::new(0.1, 0.05, -2.0), 0.8)] {
            for solver in SOLVERS {
                let exact = solve(&mut single(example(), b), &[coulomb(mu)], &settings(1e-14, 10, solver));
                assert!(exact.report.merit < 1e-24, "{}", exact.report.merit);
            }
        }
    }

    /// The units of 6.3; its threads are `acc_10_5_threads`.
    #[test]
    fn acc_6_3() {
        let random = &mut Random(21);
        let (bodies, rows) = random_system(20, 60, 22);
        let op = filled(&bodies, &rows);
        let laws: Vec<Law> = rows.iter().map(|_| coulomb(0.2 + 0.2 * random.number().abs())).collect();
        let sparse = op.assemble();
        let merit_in = |length: f64, force: f64| {
            let mut w = sparse.clone();
            w.block.iter_mut().for_each(|block| *block *= length / force);
            let free = op.free().iter().map(|b| b * length).collect();
            let previous = op.previous().iter().map(|v| v * length).collect();
            let mut op = Assembled::new(w, free, previous).unwrap();
            solve(&mut op, &laws, &settings(1e-12, 3, BlockSolver::Enumerative)).report.merit
        };
        let si = merit_in(1.0, 1.0);
        assert!(si > 1e-6 && si < 1.0, "{si}");
        // Millimetre, tonne, second: the force unit stays the newton. Then also in kilonewtons.
        near(merit_in(1e3, 1.0), si, 1e-12);
        near(merit_in(1e3, 1e-3), si, 1e-12);
    }

    /// The guard of the free energy: without free velocities nothing is divided by zero.
    #[test]
    fn merit_is_finite_without_free_energy() {
        let op = single(example(), Vec3::zeros());
        let r = [Vec3::new(0.0, 0.0, 1e-9)];
        let u = [example() * r[0]];
        let moving = Conditions { kinetic: 1.0, ..STEP };
        let found = merit(&op, &[coulomb(0.3)], moving, &r, &u, &mut [0.0]);
        assert!(found.finite && found.value > 0.0 && found.value < 1.0, "{found:?}");
    }

    fn colours(pairs: &[(u64, u64)], dynamic: impl Fn(u64) -> bool) -> usize {
        let slot = |id: u64| if dynamic(id) { id as u32 } else { NO_SLOT };
        let pair = |&(a, b): &(u64, u64)| Pair { key: (a, b), slots: [slot(a), slot(b)] };
        let pairs: Vec<Pair> = pairs.iter().map(pair).collect();
        let mut colouring = Colouring::default();
        let colours = colouring.colour(&pairs, 100);
        for (i, p) in pairs.iter().enumerate() {
            for (j, q) in pairs.iter().enumerate().skip(i + 1) {
                let shared = p.slots.iter().any(|s| *s != NO_SLOT && q.slots.contains(s));
                assert!(!shared || colours[i] != colours[j]);
            }
        }
        colours.iter().max().map_or(0, |&c| c as usize + 1)
    }

    #[test]
    fn acc_10_9() {
        let chain: Vec<_> = (0..9).map(|i| (i, i + 1)).collect();
        assert!((2..=3).contains(&colours(&chain, |_| true)));
        let star: Vec<_> = (1..=6).map(|i| (0, i)).collect();
        assert_eq!(colours(&star, |_| true), 6);
        assert_eq!(colours(&star, |id| id != 0), 1);
    }

    /// A dynamic body with more neighbours than colours: the rest goes to the serial tail.
    #[test]
    fn a_hub_of_many_neighbours_is_solved() {
        let n = 100;
        let mut bodies = vec![particle(1000.0, Vec3::zeros())];
        bodies.extend((0..n).map(|_| particle(1.0, Vec3::new(0.0, 0.0, -0.1))));
        let rows: Vec<Row> = (1..=n)
            .map(|i| {
                let master = body(i as u32, Vec3::zeros());
                row((1, 1 + i), local_base(&Vec3::z()), master, Some(body(0, Vec3::zeros())))
            })
            .collect();
        let mut op = BodyOperator::new();
        op.fill(STEP.h, bodies, &rows);
        assert_eq!(op.colours(), 64);
        let laws = vec![coulomb(0.3); n as usize];
        let solution = solve(&mut op, &laws, &settings(1e-12, 1000, BlockSolver::SemismoothNewton));
        assert_eq!(solution.report.status, Status::Converged);
        // All move together: 100 kg at -0.1 m/s push 1000 kg.
        let common = -0.1 * 100.0 / 1100.0;
        solution.r.iter().for_each(|r| near(r.z, (common + 0.1) / STEP.h, 1e-8));
        assert_eq!(op.assemblies(), 0);
    }

    /// Bitwise equal results for 1, 2 and 4 threads (10.6 R1).
    #[test]
    fn acc_10_5_threads() {
        let (bodies, rows) = random_system(3000, 7000, 31);
        let random = &mut Random(32);
        let laws: Vec<Law> = rows.iter().map(|_| coulomb(0.5 * random.number().abs())).collect();
        let run = |threads| {
            with_threads(threads, || {
                let mut op = filled(&bodies, &rows);
                let alternating = GaussSeidel { reverse: true, meritval: 1e-12, ..GaussSeidel::new(1e-6, 12) };
                let solution = solve(&mut op, &laws, &alternating);
                let mut sums = Vec::new();
                op.resultants(&solution.r, &mut sums);
                (solution.r, solution.u, solution.parts, solution.report, sums)
            })
        };
        let one = run(1);
        assert!(one.3.error.is_finite() && one.3.merit < 1e-1, "{:?}", one.3);
        for threads in [2, 4] {
            assert!(one == run(threads), "{threads} threads differ from one");
        }
    }

    /// Matrix-free and assembled solves of one problem find the same velocities.
    #[test]
    fn operators_agree_on_solutions() {
        let (bodies, rows) = random_system(30, 40, 41);
        let mut op = filled(&bodies, &rows);
        let laws = vec![coulomb(0.2); rows.len()];
        let mut assembled = Assembled::new(op.assemble(), op.free().to_vec(), op.previous().to_vec()).unwrap();
        let fine = settings(1e-12, 100_000, BlockSolver::Enumerative);
        let (a, b) = (solve(&mut op, &laws, &fine), solve(&mut assembled, &laws, &fine));
        for report in [&a.report, &b.report] {
            assert_eq!(report.status, Status::Converged);
            assert!(report.merit < 1e-16, "{}", report.merit);
        }
        a.u.iter().zip(&b.u).for_each(|(a, b)| close(a, b, 1e-8));
    }
}
