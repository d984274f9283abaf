//! Solvers and simulations that are distributed over ranks: every decision is the same on all ranks, one of which has
//! nothing; sweeps give the bits of a serial run.

mod balance;
mod dealing;
mod distributed;
mod finite;
mod functions;
mod messages;
mod operator;
mod reproducible;
mod restart;
mod simulation;
mod spread;
mod variants;
mod whole;

use std::sync::mpsc;
use std::time::Duration;

use operator::Ranked;
use solfec::comm::{Communicator, InProcess};
use solfec::dynamics::{Assembled, WholeMatrix};
use solfec::math::Vec3;
use solfec::model::{
    Admm, Auto, CorrectedSweeps, GaussSeidel, InteriorPoint, LinearVariant, Newton, Penalty, PenaltyVariant,
    ProximalNewton, Siconos, SolverSettings,
};
use solfec::solver::{
    self, gauss_seidel, Compliance, ContactProblem, ContactSolution, External, Law, Report, Status, Unknowns, Workspace,
};
use solfec_testing::problems::{coulomb, filled, random_system, Random, STEP};

/// After this time a solve on ranks counts as a deadlock; it takes milliseconds.
const DEADLOCK: Duration = Duration::from_secs(120);

/// What a solve leaves behind: on ranks, of the constraints of all of them.
#[derive(Debug, Clone, PartialEq)]
struct Solution {
    r: Vec<Vec3>,
    u: Vec<Vec3>,
    parts: Vec<f64>,
    decisions: Decisions,
}

/// What must be equal on all ranks.
#[derive(Debug, Clone, PartialEq)]
struct Decisions {
    report: Report,
    /// Bits, as merits that were not evaluated are NaN.
    errors: Vec<u64>,
    merits: Vec<u64>,
    products: Vec<u32>,
}

/// A solver outside the library, the same on all ranks.
struct Outside;

impl External for Outside {
    fn solve(&mut self, problem: &ContactProblem, settings: &Siconos) -> solfec::Result<ContactSolution> {
        let n = problem.q.len();
        let mut op = Assembled::new(problem.w.clone(), problem.q.clone(), vec![Vec3::zeros(); n])?;
        let laws: Vec<Law> = problem.friction.iter().map(|&friction| coulomb(friction)).collect();
        let (mut r, mut u, mut merit) = (problem.r.clone(), vec![Vec3::zeros(); n], vec![0.0; n]);
        let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut merit };
        let sweeps = GaussSeidel::new(settings.epsilon, settings.maxiter);
        let report = gauss_seidel(&mut Workspace::new(), &mut op, &laws, &sweeps, STEP, unknowns);
        let converged = report.status == Status::Converged;
        Ok(ContactSolution { r, iterations: report.iterations, error: report.error, converged })
    }
}

fn solve<D: WholeMatrix>(op: &mut D, laws: &[Law], settings: &SolverSettings) -> Solution {
    let n = op.len();
    let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
    let mut work = Workspace::new();
    let report =
        solver::solve(&mut work, op, laws, settings, STEP, unknowns, &mut Outside).expect("a solvable problem");
    let vectors = |own: &[Vec3]| op.gather(|i| own[i].into()).into_iter().map(Vec3::from).collect();
    let decisions = Decisions {
        report: Report { worst: None, ..report },
        errors: work.error_history().iter().map(|x| x.to_bits()).collect(),
        merits: work.merit_history().iter().map(|x| x.to_bits()).collect(),
        products: work.product_history().to_vec(),
    };
    Solution { r: vectors(&r), u: vectors(&u), parts: op.gather(|i| [parts[i]]).concat(), decisions }
}

/// Who owns a constraint: nobody on the middle one of three ranks, or all on the second of two.
fn owners(ranks: usize, rows: usize) -> Vec<usize> {
    match ranks {
        1 => vec![0; rows],
        2 => vec![1; rows],
        _ => (0..rows).map(|i| if (i / 3).is_multiple_of(2) { 0 } else { 2 }).collect(),
    }
}

/// Solves on a world of ranks; fails when they do not end or differ.
fn on_ranks(ranks: usize, seed: u64, laws: &[Law], settings: &SolverSettings) -> Solution {
    let (send, receive) = mpsc::channel();
    for comm in InProcess::world(ranks) {
        let (send, settings, laws) = (send.clone(), settings.clone(), laws.to_vec());
        std::thread::spawn(move || {
            let (bodies, rows) = system(seed);
            let (rank, owner) = (comm.rank(), owners(ranks, rows.len()));
            let own: Vec<Law> = laws.iter().zip(&owner).filter(|(_, &o)| o == rank).map(|(law, _)| *law).collect();
            let mut op = Ranked::new(filled(&bodies, &rows), comm, owner);
            // The other end is closed only when the test has failed already.
            let _ = send.send(solve(&mut op, &own, &settings));
        });
    }
    drop(send);
    let next = |_| receive.recv_timeout(DEADLOCK).expect("no rank waits for ever or panics");
    let solutions: Vec<Solution> = (0..ranks).map(next).collect();
    assert!(solutions.iter().all(|solution| *solution == solutions[0]), "ranks differ: {settings:?}");
    solutions.into_iter().next().expect("at least one rank")
}

/// Few enough contacts a body that W is regular.
fn system(seed: u64) -> (Vec<solfec_testing::problems::Body>, Vec<solfec::dynamics::Row>) {
    random_system(40, 25, seed)
}

/// Contacts with friction, restitution and cohesion, and prescribed velocities.
fn laws(seed: u64) -> Vec<Law> {
    let random = &mut Random(seed + 1);
    let law = |i: usize| match i % 7 {
        5 => Law::Velocity3 { target: 0.1 * random.vector() },
        6 => Law::Velocity { target: 0.1 * random.number() },
        2 => Law::Coulomb { friction: 0.4, restitution: 0.5, cohesion: 0.0, closing: 0.0 },
        3 => Law::Coulomb { friction: 0.6, restitution: 0.0, cohesion: 0.3, closing: 0.0 },
        _ => coulomb(0.5 * random.number().abs()),
    };
    (0..system(seed).1.len()).map(law).collect()
}

fn serial(seed: u64, laws: &[Law], settings: &SolverSettings) -> Solution {
    let (bodies, rows) = system(seed);
    solve(&mut filled(&bodies, &rows), laws, settings)
}

fn newton(linver: LinearVariant, gsflag: bool, maxiter: u32) -> SolverSettings {
    SolverSettings::Newton(Newton { linver, gsflag, maxiter, locdyn: false, meritval: 1e-12, ..Newton::default() })
}

#[test]
fn sweeps_give_the_bits_of_a_serial_run() {
    let sweeps = GaussSeidel { meritval: 1e-10, ..GaussSeidel::new(1e-6, 200) };
    let relaxed = GaussSeidel { relaxation: 1.3, ..GaussSeidel::new(1e-6, 50) };
    let all = [
        SolverSettings::GaussSeidel(sweeps),
        SolverSettings::GaussSeidel(relaxed),
        newton(LinearVariant::Gmres, false, 100),
        newton(LinearVariant::Diag, true, 20),
    ];
    for seed in [3, 4] {
        let laws = laws(seed);
        for settings in &all {
            let exact = serial(seed, &laws, settings);
            assert!(exact.r.iter().any(|r| r.norm() > 0.0));
            for ranks in 1..=3 {
                assert!(exact == on_ranks(ranks, seed, &laws, settings), "{ranks} ranks: {settings:?}");
            }
        }
    }
}

#[test]
fn penalty_gives_the_bits_of_a_serial_run() {
    let compliance = Compliance { gap: -1e-3, spring: 1e4, dashpot: 10.0, hpow: 1.0, friction: 0.3, cohesion: 0.0 };
    let of_contact = |law: &Law| if law.contact() { Law::SpringDashpot(compliance) } else { *law };
    let mixed: Vec<Law> = laws(5).iter().map(of_contact).collect();
    // All joints on the last rank, so that one rank sees contacts only.
    let contacts = vec![Law::SpringDashpot(compliance); mixed.len()];
    for laws in [mixed, contacts] {
        for variant in [PenaltyVariant::Implicit, PenaltyVariant::Explicit] {
            let settings = SolverSettings::Penalty(Penalty { variant });
            let exact = serial(5, &laws, &settings);
            for ranks in 1..=3 {
                assert!(exact == on_ranks(ranks, 5, &laws, &settings), "{ranks} ranks: {settings:?}");
            }
        }
    }
}

#[test]
fn methods_that_factorise_agree_with_a_serial_run() {
    let meritval = 1e-20;
    let all = [
        SolverSettings::InteriorPoint(InteriorPoint { meritval, ..InteriorPoint::default() }),
        SolverSettings::ProximalNewton(ProximalNewton { meritval, ..ProximalNewton::default() }),
        SolverSettings::CorrectedSweeps(CorrectedSweeps { meritval, ..CorrectedSweeps::default() }),
        SolverSettings::Admm(Admm { meritval, ..Admm::default() }),
        SolverSettings::Auto(Auto { meritval }),
        SolverSettings::Siconos(Siconos { epsilon: 1e-12, ..Siconos::default() }),
    ];
    for seed in [6, 7] {
        let laws = laws(seed);
        for settings in &all {
            let exact = serial(seed, &laws, settings);
            assert_eq!(exact.decisions.report.status, Status::Converged, "{settings:?}");
            let (force, speed) = (largest(&exact.r), largest(&exact.u));
            for ranks in 1..=3 {
                let found = on_ranks(ranks, seed, &laws, settings);
                assert_eq!(found.decisions.report.status, Status::Converged, "{ranks} ranks: {settings:?}");
                let far = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
                assert!(far(&found.u, &exact.u) <= 1e-10 * speed, "{ranks} ranks: {settings:?}");
                assert!(far(&found.r, &exact.r) <= 1e-10 * force, "{ranks} ranks: {settings:?}");
            }
        }
    }
}

fn largest(x: &[Vec3]) -> f64 {
    x.iter().map(Vec3::norm).fold(f64::MIN_POSITIVE, f64::max)
}

/// A law that a solver outside does not take is refused on all ranks, also on those that do not have it.
#[test]
fn refusals_reach_all_ranks() {
    let (bodies, rows) = system(8);
    let mut laws = vec![coulomb(0.3); rows.len()];
    laws[0] = Law::Spring(solver::Elastic {
        force: 0.0,
        slope: -1.0,
        at: 0.0,
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
    });
    let (send, receive) = mpsc::channel();
    for comm in InProcess::world(3) {
        let (send, laws, bodies, rows) = (send.clone(), laws.clone(), bodies.clone(), rows.clone());
        std::thread::spawn(move || {
            let (rank, owner) = (comm.rank(), owners(3, rows.len()));
            let own: Vec<Law> = laws.iter().zip(&owner).filter(|(_, &o)| o == rank).map(|(law, _)| *law).collect();
            let mut op = Ranked::new(filled(&bodies, &rows), comm, owner);
            let n = own.len();
            let (mut r, mut u, mut parts) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
            let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut parts };
            let settings = SolverSettings::Siconos(Siconos::default());
            let result = solver::solve(&mut Workspace::new(), &mut op, &own, &settings, STEP, unknowns, &mut Outside);
            let _ = send.send(result.map_err(|error| error.to_string()));
        });
    }
    drop(send);
    for _ in 0..3 {
        let error = receive.recv_timeout(DEADLOCK).expect("no rank waits for ever").expect_err("refused");
        assert!(error.contains("springs"), "{error}");
    }
}
