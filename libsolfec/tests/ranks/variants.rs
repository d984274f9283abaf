//! How ranks sweep bodies that they share: numbers of small columns, and what each variant promises.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::distributed::{distributed, on_ranks, sweeps};
use super::{largest, system};
use solfec::comm::{Communicator, InProcess};
use solfec::dynamics::{Copies, Delassus, RankOperator, Row};
use solfec::ids::BodyId;
use solfec::math::{Mat3, Vec3};
use solfec::model::{GaussSeidel, Variant};
use solfec::solver::{gauss_seidel, Law, Report, Status, Unknowns, Workspace};
use solfec_testing::arch::arch;
use solfec_testing::bricks::bricks;
use solfec_testing::near::near;
use solfec_testing::problems::{body, coulomb, particle, row, STEP};
use solfec_testing::world::World;

const ALL: [Variant; 4] = [Variant::Full, Variant::MiddleJacobi, Variant::BoundaryJacobi, Variant::MassSplitting];

/// What ranks send with the tag of increments.
const INCREMENTS: u32 = 24;

/// A rank that counts the messages of one tag that it sends, and their bytes.
struct Counting {
    inner: InProcess,
    tag: u32,
    sent: Arc<[AtomicU64; 2]>,
}

impl Communicator for Counting {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn send(&self, to: usize, tag: u32, bytes: &[u8]) {
        if tag == self.tag {
            self.sent[0].fetch_add(1, Ordering::Relaxed);
            self.sent[1].fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
        self.inner.send(to, tag, bytes);
    }

    fn receive(&self, from: usize, tag: u32, message: &mut Vec<u8>) {
        self.inner.receive(from, tag, message);
    }
}

/// Unit masses that fall with 10 m/s in a step of 1 s, and contacts between them and with the ground: upper and lower
/// mass, counted from 1, 0 is the ground. Rank `k` has the contacts `of[k]`; a mass belongs to the rank of the first
/// contact that names it.
fn column(comm: Arc<dyn Communicator>, masses: u32, of: &[&[(u32, u32)]]) -> RankOperator {
    let rank = comm.rank();
    let home = |mass: u32| of.iter().position(|own| own.iter().any(|(a, b)| *a == mass || *b == mass)).unwrap_or(0);
    let base = Mat3::from_columns(&[-Vec3::y(), -Vec3::x(), Vec3::z()]);
    let end = |mass: u32| body(mass - 1, Vec3::zeros());
    let contact = |&(upper, lower): &(u32, u32)| {
        row((lower.into(), upper.into()), base, end(upper), (lower > 0).then(|| end(lower)))
    };
    let rows: Vec<Row> = of[rank].iter().map(contact).collect();
    let homes: Vec<u32> = (1..=masses).map(|mass| home(mass) as u32).collect();
    let ids: Vec<BodyId> = (1..=masses).map(|mass| BodyId(mass.into())).collect();
    let partners: Vec<usize> = (0..of.len()).filter(|other| *other != rank).collect();
    let mut op = RankOperator::new(comm);
    let bodies = (0..masses).map(|_| particle(1.0, Vec3::new(0.0, 0.0, -10.0)));
    let copies = Copies { homes: &homes, ids: &ids, partners: &partners };
    op.fill(1.0, bodies, &rows, &copies);
    op
}

fn settings(variant: Variant, sweeps: u32) -> GaussSeidel {
    // Relaxed sweeps are not accelerated.
    GaussSeidel { variant, relaxation: 1.0 + 1e-15, ..GaussSeidel::new(1e-15, sweeps) }
}

fn solve(op: &mut RankOperator, laws: &[Law], settings: &GaussSeidel) -> (Vec<Vec3>, Vec<Vec3>, Report) {
    let n = op.len();
    let (mut r, mut u, mut merit) = (vec![Vec3::zeros(); n], vec![Vec3::zeros(); n], vec![0.0; n]);
    let unknowns = Unknowns { r: &mut r, u: &mut u, merit: &mut merit };
    let report = gauss_seidel(&mut Workspace::new(), op, laws, settings, STEP, unknowns);
    (r, u, report)
}

/// Normal reactions after some sweeps, in the order of ranks and their contacts.
fn reactions(masses: u32, of: &'static [&'static [(u32, u32)]], settings: GaussSeidel) -> Vec<f64> {
    let heard = on_ranks(of.len(), move |comm| {
        let mut op = column(Arc::new(comm), masses, of);
        let laws = vec![coulomb(0.5); op.len()];
        solve(&mut op, &laws, &settings).0.iter().map(|r| r.z).collect::<Vec<f64>>()
    });
    heard.concat()
}

#[test]
fn a_column_on_two_ranks_has_the_iterates_of_each_variant() {
    let expected: [(Variant, [[f64; 2]; 3]); 4] = [
        (Variant::Full, [[10.0, 5.0], [15.0, 7.5], [17.5, 8.75]]),
        (Variant::MiddleJacobi, [[10.0, 5.0], [15.0, 7.5], [17.5, 8.75]]),
        (Variant::BoundaryJacobi, [[10.0, 0.0], [10.0, 5.0], [15.0, 5.0]]),
        (Variant::MassSplitting, [[5.0, 0.0], [7.5, 5.0 / 3.0], [115.0 / 12.0, 55.0 / 18.0]]),
    ];
    for (variant, iterates) in expected {
        for (sweeps, iterate) in (1..).zip(iterates) {
            let found = reactions(2, &[&[(1, 0)], &[(2, 1)]], settings(variant, sweeps));
            near(found[0], iterate[0], 1e-12);
            near(found[1], iterate[1], 1e-12);
        }
    }
    // The error of shares of masses shrinks by 5/6 a sweep.
    let error = |sweeps| 20.0 - reactions(2, &[&[(1, 0)], &[(2, 1)]], settings(Variant::MassSplitting, sweeps))[0];
    near(error(61) / error(60), 5.0 / 6.0, 1e-9);
}

/// Two masses on a third: of three ranks that share it one is between the others.
#[test]
fn only_rows_between_earlier_and_later_ranks_wait_a_sweep() {
    const THREE: &[&[(u32, u32)]] = &[&[(1, 0)], &[(2, 1)], &[(3, 1)]];
    let check = |variant, sweeps, expected: [f64; 3]| {
        let found = reactions(3, THREE, settings(variant, sweeps));
        found.iter().zip(expected).for_each(|(found, expected)| near(*found, expected, 1e-9));
    };
    check(Variant::Full, 1, [10.0, 5.0, 2.5]);
    check(Variant::MiddleJacobi, 1, [10.0, 0.0, 5.0]);
    check(Variant::MiddleJacobi, 2, [17.5, 2.5, 7.5]);
    for variant in [Variant::Full, Variant::MiddleJacobi, Variant::MassSplitting] {
        check(variant, 400, [30.0, 10.0, 10.0]);
    }
}

#[test]
fn inner_loops_sweep_more_often_between_exchanges() {
    const SPLIT: &[&[(u32, u32)]] = &[&[(1, 0), (2, 1)], &[(3, 2)]];
    let with =
        |variant, innerloops, sweeps| reactions(3, SPLIT, GaussSeidel { innerloops, ..settings(variant, sweeps) });
    for (innerloops, expected) in [(1, [10.0, 0.0, 0.0]), (2, [15.0, 5.0, 0.0])] {
        let found = with(Variant::BoundaryJacobi, innerloops, 1);
        found.iter().zip(expected).for_each(|(found, expected)| near(*found, expected, 1e-12));
    }
    for variant in [Variant::Full, Variant::MassSplitting] {
        let error = |innerloops| (with(variant, innerloops, 30)[0] - 30.0).abs();
        assert!(variant == Variant::Full || error(3) < 0.5 * error(1), "{variant:?}: {} {}", error(3), error(1));
        near(with(variant, 3, 400)[0], 30.0, 1e-9);
    }
}

/// The change that stops a solve is that of all inner loops.
#[test]
fn inner_loops_do_not_hide_what_is_still_changing() {
    let stopped = on_ranks(2, |comm| {
        let mut op = column(Arc::new(comm), 2, &[&[(1, 0)], &[(2, 1)]]);
        let settings = GaussSeidel { innerloops: 4, epsilon: 1e-9, ..settings(Variant::MassSplitting, 1000) };
        let (r, _, report) = solve(&mut op, &[coulomb(0.5)], &settings);
        assert_eq!(report.status, Status::Converged);
        r[0].z
    });
    near(stopped[0], 20.0, 1e-6);
    near(stopped[1], 10.0, 1e-6);
}

/// A system of random bodies of which each rank has those of its number, and the rows of the first body of each pair.
fn scattered(comm: Arc<dyn Communicator>, seed: u64) -> (RankOperator, Vec<usize>) {
    let (bodies, rows) = system(seed);
    let (rank, ranks) = (comm.rank(), comm.size());
    let ids: Vec<BodyId> = (0..bodies.len() as u64).map(BodyId).collect();
    let homes: Vec<u32> = ids.iter().map(|id| (id.0 % ranks as u64) as u32).collect();
    let own: Vec<usize> = (0..rows.len()).filter(|&i| (rows[i].pair[0].0 % ranks as u64) as usize == rank).collect();
    let of_rank: Vec<Row> = own.iter().map(|&i| rows[i]).collect();
    let partners: Vec<usize> = (0..ranks).filter(|other| *other != rank).collect();
    let mut op = RankOperator::new(comm);
    let copies = Copies { homes: &homes, ids: &ids, partners: &partners };
    op.fill(1.0, bodies.iter().map(|body| body.inertia()), &of_rank, &copies);
    (op, own)
}

/// `½ Rᵀ W R + Bᵀ R` after each of some sweeps of contacts without friction and points that are held.
fn objectives(ranks: usize, seed: u64, variant: Variant) -> Vec<f64> {
    let heard = on_ranks(ranks, move |comm| {
        let (mut op, own) = scattered(Arc::new(comm), seed);
        let laws: Vec<Law> = own
            .iter()
            .map(|i| if i % 5 == 0 { Law::Velocity3 { target: Vec3::zeros() } } else { coulomb(0.0) })
            .collect();
        (0..12)
            .map(|sweeps| {
                let (r, ..) = solve(&mut op, &laws, &settings(variant, sweeps));
                let mut u = vec![Vec3::zeros(); r.len()];
                op.apply(&r, &mut u);
                let free = op.free().to_vec();
                let [sum] = op.sum(|i| [0.5 * r[i].dot(&(u[i] + free[i]))]);
                sum
            })
            .collect::<Vec<f64>>()
    });
    assert!(heard.iter().all(|found| *found == heard[0]), "ranks differ");
    heard[0].clone()
}

#[test]
fn shares_of_masses_never_raise_the_energy_of_contacts_without_friction() {
    for (ranks, seed) in [(2, 3), (3, 4), (5, 5), (8, 6)] {
        for variant in [Variant::MassSplitting, Variant::Full] {
            let found = objectives(ranks, seed, variant);
            let rises = found.windows(2).filter(|pair| pair[1] > pair[0] + 1e-12 * pair[0].abs()).count();
            assert_eq!(rises, 0, "{variant:?} on {ranks} ranks: {found:?}");
        }
    }
}

/// A mass that each of three ranks supports: with its whole mass each stops it alone, and they push it up together.
#[test]
fn shares_of_a_mass_stop_it_and_whole_masses_overshoot() {
    const SUPPORTS: &[&[(u32, u32)]] = &[&[(1, 0)], &[(1, 0)], &[(1, 0)]];
    let total = |variant| reactions(1, SUPPORTS, settings(variant, 1)).iter().sum::<f64>();
    near(total(Variant::BoundaryJacobi), 30.0, 1e-12);
    near(total(Variant::MassSplitting), 10.0, 1e-12);
    near(total(Variant::Full), 10.0, 1e-12);
}

#[test]
fn solutions_of_variants_that_converge_are_the_same() {
    for (ranks, seed) in [(2, 7), (3, 8), (7, 9)] {
        let solved = |variant: Variant, innerloops: u32| {
            let heard = on_ranks(ranks, move |comm| {
                let (mut op, own) = scattered(Arc::new(comm), seed);
                let laws: Vec<Law> = own.iter().map(|_| coulomb(0.3)).collect();
                let settings = GaussSeidel { innerloops, ..settings(variant, 20_000) };
                let (_, u, report) = solve(&mut op, &laws, &GaussSeidel { epsilon: 1e-13, ..settings });
                assert_eq!(report.status, Status::Converged, "{variant:?}");
                own.into_iter().zip(u).collect::<Vec<(usize, Vec3)>>()
            });
            let mut all = heard.concat();
            all.sort_by_key(|(i, _)| *i);
            all.into_iter().map(|(_, u)| u).collect::<Vec<Vec3>>()
        };
        let exact = solved(Variant::Full, 1);
        for (variant, innerloops) in [(Variant::Full, 3), (Variant::MassSplitting, 1), (Variant::MassSplitting, 4)] {
            let found = solved(variant, innerloops);
            let far = exact.iter().zip(&found).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(far <= 1e-8 * largest(&exact), "{variant:?}, {innerloops} loops on {ranks} ranks: {far:e}");
        }
    }
}

/// Each neighbour gets one message a sweep, of the velocities of what both share.
#[test]
fn a_sweep_at_once_sends_one_message_to_each_neighbour() {
    let sent = |variant: Variant, sweeps: u32| {
        on_ranks(3, move |inner| {
            let sent: Arc<[AtomicU64; 2]> = Arc::default();
            let comm = Counting { inner, tag: INCREMENTS, sent: Arc::clone(&sent) };
            // Ranks 0 and 1 share one mass, 1 and 2 two.
            let of: &[&[(u32, u32)]] = &[&[(1, 0)], &[(2, 1), (2, 3), (2, 4)], &[(3, 0), (4, 0)]];
            let mut op = column(Arc::new(comm), 4, of);
            let laws = vec![coulomb(0.0); op.len()];
            solve(&mut op, &laws, &settings(variant, sweeps));
            [&sent[0], &sent[1]].map(|number| number.load(Ordering::Relaxed))
        })
    };
    let body = 6 * 8;
    for variant in [Variant::MassSplitting, Variant::BoundaryJacobi] {
        assert_eq!(sent(variant, 4), [[4, 4 * body], [8, 4 * 3 * body], [4, 4 * 2 * body]], "{variant:?}");
    }
    assert_eq!(sent(Variant::MiddleJacobi, 4), [[12, 12 * body], [24, 12 * 3 * body], [12, 12 * 2 * body]]);
    assert_eq!(sent(Variant::Full, 4), [[0, 0]; 3]);
}

/// One rank has nothing to exchange.
#[test]
fn all_variants_are_the_same_on_one_rank() {
    let found = ALL.map(|variant| reactions(2, &[&[(1, 0), (2, 1)]], settings(variant, 3)));
    assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    near(found[0][0], 17.5, 1e-12);
    near(found[0][1], 8.75, 1e-12);
}

/// Another order of rows costs no more than a third of the sweeps.
#[test]
fn sweeps_to_the_same_merit_are_nearly_those_of_one_rank() {
    let sweeps = |world: &World, ranks: usize| -> u32 {
        let (model, solver) = (world.model.clone(), sweeps(1e-4));
        let steps = on_ranks(ranks, move |comm| {
            let mut simulation = distributed(&World { model: model.clone() }, comm);
            (0..2).map(|_| simulation.step(&solver).expect("a step").solver.iterations).sum()
        });
        steps[0]
    };
    for (name, world) in [("arch", arch(0.12, 27)), ("bricks", bricks([6, 6, 6]))] {
        let [one, eight] = [1, 8].map(|ranks| sweeps(&world, ranks));
        println!("{name}: {one} sweeps, {eight} on eight ranks");
        assert!(one > 20 && f64::from(eight) <= 1.3 * f64::from(one), "{name}: {one} sweeps, {eight} on eight ranks");
    }
}
