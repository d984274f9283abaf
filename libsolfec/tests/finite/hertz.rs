//! A ball pressed into an elastic block.

use solfec::load::Series;
use solfec::model::{ConstraintRow, Joint, Prescribed, ProximalNewton, SolverSettings};
use solfec_testing::run::ball;

use super::*;

fn env(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

#[test]
fn experiment() {
    let n = env("N", 2.0);
    let mut widths = vec![1.0 / n; 3 * n as usize / 2];
    while widths.iter().sum::<f64>() < env("SIDE", 20.0) {
        widths.push(widths[widths.len() - 1] * 1.5f64.powf(4.0 / n));
    }
    let side: f64 = widths.iter().sum();
    let across: Vec<f64> = widths.iter().rev().chain(&widths).copied().collect();
    let deep: Vec<f64> = widths.iter().rev().copied().collect();
    let count = widths.len();
    let corners = corners([-side, -side, -side], [side, side, 0.0]);
    let curved = env("CURVED", 0.0) > 0.0;
    let radius = env("R", 20.0);
    let mut mesh = Mesh::hex(&corners, [2 * count, 2 * count, count], 1, &[1; 6], [Some(&across), Some(&across), Some(&deep)])
        .expect("a block");
    if curved {
        for x in &mut mesh.nodes {
            x.z -= (x.x * x.x + x.y * x.y).min(9.0) / (2.0 * radius) * (1.0 + x.z / side);
        }
    }
    let mut world = world(1.0, 1e6, 0.3);
    quasi_static(&mut world);
    if env("EPS", 0.0) > 0.0 {
        world.model.settings.epsilon = env("EPS", 0.0);
    }
    let density = 1e6 / (6.0 * side).powi(2);
    world.model.bulk[0].density = density;
    let id = world.body(BodyKind::FiniteElement, &[Shape::new(mesh)], density);
    let row = &mut world.model.bodies[id as usize - 1];
    row.form = if env("TL", 0.0) > 0.0 { Formulation::TotalLagrangian } else { Formulation::Corotational };
    row.scheme = Scheme::DefLim;
    for x in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        for y in [-1.0, -0.5, 0.0, 0.5, 1.0] {
            let joint = Joint::FixPoint { strength: f64::INFINITY };
            let points = [Vec3::new(x * side, y * side, -side); 2];
            world.model.constraints.push(ConstraintRow { joint, master: id, slave: None, points, line: 0 });
        }
    }
    let steps_ = env("STEPS", 20.0);
    let depth = env("DEPTH", 1.0 / radius);
    let at = Vec3::new(0.0, 0.0, if curved { 0.5 } else { radius });
    let punch = if curved { world.obstacle(block([-3.0, -3.0, 0.0], [3.0, 3.0, 1.0], [1; 3])) } else { world.obstacle(ball([0.0, 0.0, radius], radius)) };
    world.model.series.push(Series::new("", vec![0.0, steps_], vec![0.0, -depth]).expect("a series"));
    let joint = Joint::Drive { what: Prescribed::Displacement, direction: Vec3::z(), series: 0 };
    world.model.constraints.push(ConstraintRow { joint, master: punch, slave: None, points: [at; 2], line: 0 });
    let mut simulation = world.simulation();
    let solver = SolverSettings::ProximalNewton(ProximalNewton::default());
    let mut k = 0.0;
    let start = std::time::Instant::now();
    steps(&mut simulation, &solver, steps_ as usize, |s, report| {
        k += 1.0;
        let contacts = s.contacts();
        let forces: Vec<(f64, f64)> = contacts.iter().map(|c| ((c.base * c.r).z.abs(), c.master.point.x.powi(2) + c.master.point.y.powi(2))).collect();
        let force: f64 = forces.iter().map(|f| f.0).sum();
        let moment: f64 = forces.iter().map(|f| f.0 * f.1).sum::<f64>() / force;
        let d = depth * k / steps_;
        let modulus = 1e6 / (1.0 - 0.09);
        let known = 4.0 / 3.0 * modulus * (radius * d.powi(3)).sqrt();
        let a = (0.75 * force * radius / modulus).cbrt();
        let gap = contacts.iter().map(|c| c.gap).fold(0.0, f64::min);
        let open = contacts.iter().map(|c| c.gap).fold(0.0, f64::max);
        let bearing = contacts.iter().filter(|c| c.r.z > 1e-9 * force).count();
        if env("SHOW", 0.0) > 0.0 && k >= env("FROM", 16.0) && k <= env("TO", 18.0) {
            for c in contacts {
                let n = c.base.column(2);
                println!("   {:?} at {:.3} {:.3} {:.4} n {:.3} {:.3} {:.3} gap {:.4} R {:.4} Rt {:.2e} U {:.2e} {:.2e} {:.2e} area {:.3} el {} {}", c.key.objects.map(|o| o.0), c.slave.point.x, c.slave.point.y, c.slave.point.z, n[0], n[1], n[2], c.gap / d, c.r.z / force, c.r.xy().norm(), c.u.x/d, c.u.y/d, c.u.z / d, c.area, c.slave.element, c.master.element);
            }
        }
        println!("{k:3} contacts {} bearing {bearing} F {:.4} a {:.4} (a {:.3}) gap {:.3} open {:.4} {:?} {}", contacts.len(), force / known, (2.5 * moment).sqrt() / a, a, gap / d, open / d, report.solver.status, report.solver.iterations);
    });
    println!("{:?}", start.elapsed());
}
