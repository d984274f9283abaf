//! The front-end: what commands, callbacks and large models cost (docs/benchmarks.md).
//!
//!     cargo bench --bench frontend              # all
//!     cargo bench --bench frontend -- commands  # one: commands, callbacks, spheres

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use tools_testing::scratch::Scratch;

const START: &str = "import random\nx = random.random\ns = SOLFEC('DYNAMIC', 1e-3, 'out/s')\ns.verbose = 'OFF'\nm = BULK_MATERIAL(s, density=1000)\n";
const BALLS: &str = "for i in range(N): BODY(s, 'RIGID', SPHERE((3*i + x(), x(), x()), 0.5 + x()/2, 1, 1), m)\n";
const STEPS: &str = "BODY(s, 'RIGID', SPHERE((0,0,0), 1, 1, 1), m)\nOUTPUT(s, 100)\nif N: CALLBACK(s, 1e-3, (), lambda: 1)\nRUN(s, 'AUTO', 20)\n";
const MEMBERS: &str = "b = BODY(s, 'RIGID', SPHERE((0,0,0), 1, 1, 1), m)\nfor i in range(N): b.id\n";

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| c == name);
    let folder = Scratch::new();
    let build = |deck: &str, n: usize| seconds(&folder, env!("CARGO_BIN_EXE_sf-build"), &["-f", "-o", "m.h5"], deck, n);
    let run = |deck: &str, n: usize| seconds(&folder, env!("CARGO_BIN_EXE_sf-run"), &["-q", "-w"], deck, n);
    if wanted("commands") {
        let nothing = build(BALLS, 1);
        println!("start and end            {nothing:8.3} s");
        println!("1e5 commands             {:8.3} s", build(BALLS, 50_000));
        println!("1e5 members read         {:8.3} s", build(MEMBERS, 100_000));
    }
    if wanted("callbacks") {
        let [without, with] = [0, 1].map(|n| run(STEPS, n));
        println!("callback                 {:8.1} us each", (with - without) / 20_000.0 * 1e6);
    }
    if wanted("spheres") {
        println!("1e6 spheres              {:8.1} s", build(BALLS, 1_000_000));
        let size = std::fs::metadata(folder.path("m.h5")).map_or(0, |m| m.len());
        println!("their file               {:8.1} MB", size as f64 / 1e6);
    }
}

/// How long a tool takes with a deck.
fn seconds(folder: &Path, tool: &str, args: &[&str], deck: &str, n: usize) -> f64 {
    std::fs::write(folder.join("deck.py"), format!("{START}{deck}")).expect("the deck can be written");
    let start = Instant::now();
    let status =
        Command::new(tool).args(args).args(["--set", &format!("N={n}"), "deck.py"]).current_dir(folder).status();
    assert!(status.is_ok_and(|s| s.success()), "{tool} failed");
    start.elapsed().as_secs_f64()
}
