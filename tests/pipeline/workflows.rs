//! The workflows that have an exact solution, or a law of their own, keep to it.

use super::common::*;
use super::mechanisms::{at, exact, last, near, workflow};

/// A workflow's deck with arguments, run; the table of these items.
fn history(folder: &Scratch, name: &str, arguments: &str, items: &str) -> Table {
    done(folder, &format!("sf-build {}/{name} -- {arguments} | sf-run -q -w -o out -", workflow("")));
    Table::parse(&done(folder, &format!("sf-history out {items}")))
}

/// Friction stops a block for good. With steps of 0.01 s the last one stops it from r = 0.01 m/s, which makes the way
/// longer by h r / 2 - r^2 / (2 mu g): 0.1667000 m; the solver is precise to 1e-10.
#[test]
fn sliding_block() {
    let folder = Scratch::new();
    let items = "'x=CX@label:BLOCK(0,0,0.05)' 'v=VX@label:BLOCK(0,0,0.05)' 'z=CZ@label:BLOCK(0,0,0.05)'";
    let table = history(&folder, "sliding-block/deck.py", "", items);
    near("way", last(&table.column("x")), 0.1667, 1e-8);
    near("velocity at the end", last(&table.column("v")), 0.0, 1e-8);
    assert!(table.column("v").iter().all(|&v| v > -1e-8), "it never turns back");
    near("height", last(&table.column("z")), 0.05, 1e-8);
}

/// On a slope friction 0.6 holds a block and friction 0.4 lets one slide, exactly, since its acceleration is constant.
#[test]
fn incline() {
    let folder = Scratch::new();
    let items =
        "'rough=DX@label:ROUGH(0,0.25,0.05)' 'smooth=DX@label:SMOOTH(0,-0.25,0.05)' 'v=VX@label:SMOOTH(0,-0.25,0.05)'";
    let table = history(&folder, "incline/deck.py", "", items);
    assert!(table.column("rough").iter().all(|x| x.abs() < 1e-12), "friction 0.6 holds");
    near("travel", last(&table.column("smooth")), 1.0 / 5f64.sqrt(), 1e-7);
    near("velocity", last(&table.column("v")), 2.0 / 5f64.sqrt(), 1e-7);
}

/// Point of the balls of the cradle: the first is raised by 45 degrees.
fn balls(gap: f64, item: &str, title: &str) -> String {
    let (sine, raised) = (0.25 * 0.5f64.sqrt(), 0.25 * (1.0 - 0.5f64.sqrt()));
    let point = |k: usize| match k {
        0 => format!("{},0,{raised}", -sine),
        _ => format!("{},0,0", k as f64 * (0.04 + gap)),
    };
    (0..5).map(|k| format!("'{title}{}={item}@label:BALL{}({})' ", k + 1, k + 1, point(k))).collect()
}

/// Balls 1 mm apart exchange their velocities, as impacts of two balls do; four impacts take 4 mm, in which ball 1
/// moves on by 1 mm. An impact happens up to a step late, at 1.2 m/s: 1.2e-4 m each, of which four follow each other.
#[test]
fn newtons_cradle() {
    let folder = Scratch::new();
    let items = format!("{} KINETIC", balls(0.001, "CX", "ball_"));
    let table = history(&folder, "newtons-cradle/deck.py", "0.001", &items);
    let exact = exact(&folder, "newtons-cradle", "0.001");
    let (times, t) = (exact.column("time"), table.column("time"));
    for name in ["ball_1", "ball_2", "ball_3", "ball_4", "ball_5"] {
        let wanted = exact.column(name);
        for (&t, x) in t.iter().zip(table.column(name)).filter(|(&t, _)| t < 0.75) {
            near(&format!("{name} at {t}"), x, at(&times, &wanted, t), 5e-4);
        }
    }
}

/// Balls that touch are struck at one instant: by Newton's law of each contact the first returns with 0.6 of its
/// velocity and the others leave with 0.4; momentum and energy are kept. Links turn velocities by 4e-3 in the 4 ms
/// until they are measured.
#[test]
fn newtons_cradle_of_touching_balls() {
    let folder = Scratch::new();
    let table = history(&folder, "newtons-cradle/deck.py", "0", &balls(0.0, "VX", "v"));
    let speed = (2.0 * 9.81 * 0.25 * (1.0 - 0.5f64.sqrt())).sqrt();
    let struck = table.column("v5").iter().position(|&v| v > 0.1 * speed).expect("the last ball leaves");
    for (name, ratio) in [("v1", -0.6), ("v2", 0.4), ("v3", 0.4), ("v4", 0.4), ("v5", 0.4)] {
        near(name, table.column(name)[struck + 1] / speed, ratio, 2e-3);
    }
}

/// The whole row falls, in order; nothing moves before it is touched; at the end everything lies at rest. With four
/// contact points a face, and with strips of elements of one point each the wave runs as fast.
#[test]
fn dominoes() {
    let speeds = [4, 1].map(fall_of_dominoes);
    near("speed with strips over that with points", speeds[1] / speeds[0], 1.0, 0.1);
}

/// Speed of the wave [dominoes/s].
fn fall_of_dominoes(points: u32) -> f64 {
    let folder = Scratch::new();
    let deck = format!("dominoes/deck.py --set points={points}");
    let top = |k: usize| format!("'top{k}=DX@label:D{k:02}({},0,0.048)' ", 0.02 * (k - 1) as f64 + 0.004);
    let items: String = (1..=12).map(top).collect();
    let table = history(&folder, &deck, "", &format!("{items} KINETIC"));
    let (mut before, mut third) = (0.0, 0.0);
    for k in 1..=12 {
        let moved = table.column(&format!("top{k}"));
        let fell = moved.iter().position(|&x| x > 0.012).unwrap_or_else(|| panic!("domino {k} stands"));
        let when = table.column("time")[fell];
        assert!(when > before, "domino {k} falls at {when} s, the one before at {before} s");
        third = if k == 3 { when } else { third };
        before = when;
    }
    assert!(last(&table.column("KINETIC")) < 1e-8, "at rest");
    9.0 / (before - third)
}

/// A block of 64 cubes rests, on one contact point a face by symmetry, on four whatever comes.
#[test]
fn block_stack() {
    let folder = Scratch::new();
    for (points, contacts) in [(4, 640), (1, 160)] {
        let deck = format!("block-stack/deck.py --set points={points}");
        let table = history(&folder, &deck, "", "'top=DZ@label:C003(0.5,0.5,4)' KINETIC CONS");
        assert_eq!(last(&table.column("CONS")), f64::from(contacts), "{points} points");
        assert!(table.column("top").iter().all(|z| z.abs() < 1e-7), "{points} points: the top stays where it is");
        assert!(last(&table.column("KINETIC")) < 1e-9, "{points} points: nothing moves");
    }
}

/// With contact at the rims the arch stands at 0.1069 and falls at 0.1065; limit analysis says 0.10672.
#[test]
fn masonry_arch() {
    let folder = Scratch::new();
    let energy = |ratio: &str| last(&history(&folder, "masonry-arch/deck.py", ratio, "KINETIC").column("KINETIC"));
    let (stands, falls) = (energy("0.1069"), energy("0.1065"));
    assert!(stands < 1e-4 && falls > 1e-2, "kinetic energies {stands:e} J and {falls:e} J at the end");
}

/// Recovered stresses of the ring are those of Lame, also at its surfaces.
#[test]
fn pressurised_ring() {
    let ring = "'at_1=SY@RING(1,0,0.05)' 'at_1.5=SY@RING(1.5,0,0.05)' 'at_2=SY@RING(2,0,0.05)' --recovered";
    let folder = Scratch::new();
    let table = history(&folder, "pressurised-ring/deck.py", "", ring);
    for (name, r) in [("at_1", 1.0), ("at_1.5", 1.5), ("at_2", 2.0)] {
        let known = 1e6 / 3.0 * (1.0 + 4.0 / (r * r));
        near(name, last(&table.column(name)) / known, 1.0, 0.02);
    }
}
