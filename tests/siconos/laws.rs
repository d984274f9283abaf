//! Restitution and cohesion through `q`; laws that cannot be passed on.

use super::*;

use solfec::solver::Compliance;

fn single(w: Mat3, b: Vec3, v: Vec3) -> Assembled {
    Assembled::new(BlockSparse::from_upper(&[vec![(0, w)]]), vec![b], vec![v]).expect("a good problem")
}

#[test]
fn restitution_as_a_shift() {
    let Some(mut siconos) = start(tight()) else { return };
    let b = Vec3::new(0.0, 0.0, -2.0);
    let law = Law::Coulomb { friction: 0.3, restitution: 0.5, cohesion: 0.0, closing: 0.0 };
    let (r, u, report) = solve(&mut single(Mat3::identity(), b, b), &[law], &mut siconos);
    close(&r[0], &Vec3::new(0.0, 0.0, 3.0), 1e-9);
    close(&u[0], &Vec3::new(0.0, 0.0, 1.0), 1e-9);
    assert!(report.merit <= 1e-18, "{report:?}");
}

/// A hanging block: m = 1, g = 10, h = 0.01.
#[test]
fn cohesion_holds_and_breaks() {
    let Some(mut siconos) = start(tight()) else { return };
    let (w, b) = (Mat3::from_diagonal_element(STEP.h), Vec3::new(0.0, 0.0, 10.0 * STEP.h));
    for (cohesion, r_n, u_n) in [(11.0, -10.0, 0.0), (9.0, -9.0, STEP.h)] {
        let law = Law::Coulomb { friction: 0.5, restitution: 0.0, cohesion, closing: 0.0 };
        let (r, u, report) = solve(&mut single(w, b, Vec3::zeros()), &[law], &mut siconos);
        close(&r[0], &Vec3::new(0.0, 0.0, r_n), 1e-7);
        close(&u[0], &Vec3::new(0.0, 0.0, u_n), 1e-9);
        assert!(report.merit <= 1e-15, "{report:?}");
    }
}

#[test]
fn compliant_contacts_are_refused() {
    struct Nobody;
    impl External for Nobody {
        fn solve(&mut self, _: &ContactProblem, _: &model::Siconos) -> solfec::Result<ContactSolution> {
            panic!("nobody is asked")
        }
    }
    let soft = Compliance { gap: -1e-3, spring: 1e4, dashpot: 0.0, hpow: 1.0, friction: 0.0, cohesion: 0.0 };
    let law = Law::SpringDashpot(soft);
    let (mut r, mut u, mut merit) = ([Vec3::zeros()], [Vec3::zeros()], [0.0]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut merit };
    let (mut op, deck) = (single(example(), Vec3::zeros(), Vec3::zeros()), model::Siconos::default());
    let error =
        external(&mut Workspace::new(), &mut op, &[law], &deck, STEP, unknowns, &mut Nobody).expect_err("refused");
    assert!(error.to_string().contains("SPRING_DASHPOT"), "{error}");
}
