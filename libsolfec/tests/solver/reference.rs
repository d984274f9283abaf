//! The reference solver on problems whose solution is known otherwise.

use crate::problems::{all, chain, rotor};
use solfec_testing::ball::Ball;
use solfec_testing::near::near;
use solfec_testing::near::near as close;
use solfec_testing::problems::*;

use solfec::math::{Mat3, Vec3};
use solfec::solver::{reference, Law};

#[test]
fn reference_is_exact() {
    let linked = rotor();
    near(reference(&linked.op, &linked.laws, 1e-14).unwrap().r[0].z, -1.9999000075, 1e-9);
    for ratio in [1.0, 1000.0] {
        let hanging = chain(ratio);
        let found = reference(&hanging.op, &hanging.laws, 1e-13).unwrap();
        for (k, r) in found.r.iter().enumerate() {
            let below = 10.0 * (ratio + (19 - k) as f64);
            near(-r.z, below, 1e-9 * below);
        }
    }
    let found = reference(&single(example(), SLIDING), &[coulomb(0.3)], 1e-14).unwrap();
    close(&found.r[0], &sliding_reaction(), 1e-11);
    let block = reference(&sliding_block().1, &[coulomb(0.5); 2], 1e-14).unwrap();
    close(&block.r[0], &Vec3::new(-3.75, 0.0, 7.5), 1e-11);
    close(&block.r[1], &Vec3::new(-1.25, 0.0, 2.5), 1e-11);
}

#[test]
fn reference_solves_all_problems() {
    for problem in all() {
        let start = std::time::Instant::now();
        let found = reference(&problem.op, &problem.laws, 1e-13);
        println!("{}: {:?} {:?}", problem.name, found.as_ref().map(|f| f.residual), start.elapsed());
        assert!(found.is_ok(), "{}", problem.name);
    }
}

#[test]
fn reference_refuses_what_it_does_not_know() {
    let spring = Law::SpringDashpot(Ball::new(0.01).compliance(0.0));
    let error = reference(&single(Mat3::identity(), -Vec3::z()), &[spring], 1e-13).unwrap_err();
    assert!(error.to_string().contains("spring-dashpot"), "{error}");
}
