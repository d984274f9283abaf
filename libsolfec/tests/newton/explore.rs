use super::*;
use crate::support::*;
use solfec::model::GaussSeidel;
use std::time::Instant;
#[test]
fn explore() {
    for (nb, np, seed) in [(10, 15, 3), (10, 60, 15), (40, 30, 5), (40, 60, 7), (40, 120, 8), (300, 500, 9)] {
        let (bodies, rows) = random_system(nb, np, seed);
        let mut op = filled(&bodies, &rows);
        for mu in [0.0, 0.3, 0.9] {
            let laws = vec![coulomb(mu); rows.len()];
            print!("bodies {nb} rows {} mu {mu}: ", rows.len());
            let g =
                crate::support::solve(&mut op, &laws, &GaussSeidel { meritval: 1e-8, ..GaussSeidel::new(1.0, 3000) });
            print!("GS {} {:.0e};", g.report.iterations, g.report.merit);
            for (name, s) in [
                ("PQN1", Newton { gsflag: false, maxiter: 300, ..Newton::default() }),
                ("PQN1x", Newton { gsflag: false, maxiter: 300, linmaxiter: 50, epsilon: 0.01, ..Newton::default() }),
                (
                    "PQN1d",
                    Newton {
                        gsflag: false,
                        maxiter: 300,
                        delta: 0.01,
                        reldelta: solfec::model::Delta::Average,
                        ..Newton::default()
                    },
                ),
                ("PQN2", Newton { maxiter: 1000, ..diagonal(1e-8, 0.25) }),
            ] {
                let t = Instant::now();
                let n = super::solve(&mut op, &laws, &s);
                print!(
                    " {name} it {} mv {} {:.0e} {:.0}ms;",
                    n.report.iterations,
                    n.products.last().unwrap_or(&0),
                    n.report.merit,
                    t.elapsed().as_secs_f64() * 1e3
                );
            }
            println!();
        }
    }
    for ratio in [1.0, 1000.0] {
        let mut m = vec![1.0; 20];
        m[19] = ratio;
        let (mut op, laws) = chain(&m);
        for s in
            [Newton::default(), Newton { linmaxiter: 20, ..Newton::default() }, exact(1e-20, 0.0), diagonal(1e-8, 0.25)]
        {
            let n = super::solve(&mut op, &laws, &Newton { gsflag: false, ..s });
            println!(
                "chain {ratio} it {} mv {} {:.1e} {:?}",
                n.report.iterations,
                n.products.last().unwrap_or(&0),
                n.report.merit,
                n.report.status
            );
        }
    }
}
