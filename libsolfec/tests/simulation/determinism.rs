//! The same bytes on any number of threads.

use super::*;

/// The bytes of the state of a thousand balls are the same on up to sixteen threads and on a second run.
#[test]
fn threads_do_not_change_a_bit() {
    let state = |threads: usize| -> Vec<u64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool");
        pool.install(|| {
            let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.3);
            world.obstacle(block([-1.0, -1.0, -1.0], [11.0, 11.0, 0.0], [1, 1, 1]));
            for i in 0..1000 {
                let at = [(i % 10) as f64 + 0.07 * (i / 100) as f64, (i / 10 % 10) as f64, 0.5 + (i / 100) as f64];
                world.body(BodyKind::Rigid, &[ball(at, 0.5)], 1000.0);
            }
            let mut simulation = world.simulation();
            steps(&mut simulation, &gauss_seidel(1e-3), 100, |_, _| {});
            let bodies = simulation.bodies();
            let numbers = bodies.indices().flat_map(|i| [bodies.configuration(i), bodies.velocity(i)].concat());
            numbers.map(f64::to_bits).collect()
        })
    };
    let one = state(1);
    for threads in [1, 2, 3, 4, 8, 16] {
        assert!(state(threads) == one, "{threads} threads give another result");
    }
}
