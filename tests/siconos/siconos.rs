//! Small problems with known solutions, solved by Siconos.

use super::*;

use solfec_tools::siconos::export;

#[test]
fn a_problem_in_the_order_of_siconos() {
    let problem = slip();
    let out = export(&problem);
    assert_eq!(out.block, [1.0, 0.1, 0.5, 0.1, 2.0, 0.2, 0.5, 0.2, 2.0]);
    assert_eq!(out.q, [-2.0, 0.5, 1.0]);
    let Some(mut siconos) = start(tight()) else { return };
    let solution = siconos.solve(&problem).expect("solved");
    assert!(solution.converged && solution.error <= 1e-10, "{solution:?}");
    let of_export = Vec3::new(2.359976203502, -0.190876769720, -0.681777053061);
    let r = solution.r[0];
    close(&Vec3::new(r.z, r.y, r.x), &of_export, 1e-6);

    // started at its solution it stays there
    let again = siconos.solve(&ContactProblem { r: vec![r], ..problem }).expect("solved");
    assert!(again.converged && (again.r[0] - r).amax() <= 1e-9, "{again:?}");
}

/// Round trip: what goes out comes back bit for bit. With `q_N > 0` and no guess the answer of Siconos is r = 0, u = q.
#[test]
fn a_problem_goes_round_bit_for_bit() {
    let third = 1.0 / 3.0;
    let w = Mat3::from_fn(|i, j| third / (1 + i + 2 * j) as f64);
    let matrix = BlockSparse { row_offset: vec![0, 1], column: vec![0], block: vec![w] };
    let problem = ContactProblem { w: matrix, q: vec![Vec3::new(0.1, 0.2, third)], ..slip() };
    let out = export(&problem);
    assert_eq!(solfec_formats::fclib::triples(&out.q), problem.q);
    for (k, x) in out.block.iter().rev().enumerate() {
        assert_eq!(x.to_bits(), w[(k / 3, k % 3)].to_bits());
    }
    let Some(mut siconos) = start(tight()) else { return };
    let solution = siconos.solve(&problem).expect("solved");
    assert_eq!((solution.r[0], solution.iterations, solution.error), (Vec3::zeros(), 0, 0.0));
}

#[test]
fn a_slipping_contact_as_a_step() {
    let Some(mut siconos) = start(tight()) else { return };
    let matrix = BlockSparse::from_upper(&[vec![(0, example())]]);
    let mut op = Assembled::new(matrix, slip().q, vec![Vec3::zeros()]).expect("a good problem");
    let (r, u, report) = solve(&mut op, &[coulomb(0.3)], &mut siconos);
    close(&r[0], &Vec3::new(-0.681777053061, -0.190876769720, 2.359976203502), 1e-9);
    close(&u[0], &Vec3::new(0.778258641686, 0.217888670299, 0.0), 1e-9);
    assert!(report.merit <= 1e-18 && report.iterations >= 1, "{report:?}");
}

#[test]
fn the_column() {
    let Some(mut siconos) = start(tight()) else { return };
    let (r, _, report) = solve(&mut column(), &[coulomb(0.0); 2], &mut siconos);
    close(&r[0], &Vec3::new(0.0, 0.0, 20.0), 1e-6);
    close(&r[1], &Vec3::new(0.0, 0.0, 10.0), 1e-6);
    assert!(report.merit <= 1e-15 && report.error <= 1e-10, "{report:?}");
}

#[test]
fn the_sliding_block() {
    let Some(mut siconos) = start(tight()) else { return };
    let (r, _, report) = solve(&mut sliding_block(), &[coulomb(0.5); 2], &mut siconos);
    close(&r[0], &Vec3::new(-3.75, 0.0, 7.5), 1e-6);
    close(&r[1], &Vec3::new(-1.25, 0.0, 2.5), 1e-6);
    assert!(report.merit <= 1e-15 && report.error <= 1e-10, "{report:?}");
}

/// A thousand times lighter and a thousand times slower, the same solve: neither units nor sizes decide.
#[test]
fn units_do_not_matter() {
    let Some(mut siconos) = start(Settings { tolerance: 1e-6, ..tight() }) else { return };
    let block = sliding_block();
    let (factor, slow) = (1024.0_f64.powi(3), 1.0 / 1024.0);
    let mut matrix = block.matrix().clone();
    matrix.block.iter_mut().for_each(|w| *w *= factor);
    let free = block.free().iter().map(|b| b * slow).collect();
    let mut other = Assembled::new(matrix, free, vec![Vec3::zeros(); 2]).expect("a good problem");
    let laws = [coulomb(0.5); 2];
    let (r, _, report) = solve(&mut block.clone(), &laws, &mut siconos);
    let (s, _, other) = solve(&mut other, &laws, &mut siconos);
    assert_eq!(report.iterations, other.iterations);
    for (r, s) in r.iter().zip(&s) {
        close(&(s * (factor / slow)), r, 1e-12 * r.norm());
    }
}

/// Other solvers of Siconos find the same velocities.
#[test]
fn other_numbers() {
    let Some(mut siconos) = start(tight()) else { return };
    for solver in [500, 504, 523] {
        siconos.settings.solver = solver;
        let solution = siconos.solve(&slip()).expect("solved");
        assert!(solution.converged, "{solver}: {solution:?}");
        close(&solution.r[0], &Vec3::new(-0.681777053061, -0.190876769720, 2.359976203502), 1e-8);
    }
}

#[test]
fn an_iteration_that_ends_early_says_so() {
    let Some(mut siconos) = start(Settings { max_iterations: 1, ..tight() }) else { return };
    let (r, _, report) = solve(&mut column(), &[coulomb(0.0); 2], &mut siconos);
    assert_eq!((report.status, report.iterations), (solfec::solver::Status::IterationLimit, 1));
    close(&r[0], &Vec3::new(0.0, 0.0, 10.0), 1e-9);
    close(&r[1], &Vec3::new(0.0, 0.0, 5.0), 1e-9);
    assert!(report.error > 0.01 && report.merit > 0.01, "{report:?}");
}
