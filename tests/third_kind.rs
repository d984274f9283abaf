//! A body whose formulation no tool knows is stored, checkpointed, drawn and exported like any other: it shows its
//! nodes.

#[path = "../libsolfec/tests/third_kind/chain.rs"]
mod chain;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use solfec::frame::{Frame, StepRow};
use solfec::ids::CatalogueRow;
use solfec::math::Vec3;
use solfec::model::{BodyKind, GaussSeidel, Model, Op, SolverSettings};
use solfec::query::{Point, ShownBodies};
use solfec::simulation::Simulation;
use solfec_formats::checkpoint::Checkpoint;
use solfec_formats::model::{ModelFile, Provenance};
use solfec_formats::results::{Options, Reader, Writer};
use solfec_testing::world::{block, World};
use tools_testing::markup::one;
use tools_testing::process::{stderr, stdout, tool, WRITING};
use tools_testing::reads::whole_history;
use tools_testing::scratch::Scratch;

const STEPS_OF_A_FRAME: usize = 10;
const FRAMES: usize = 6;

/// A column that falls on a floor, with a rigid block beside it.
fn world() -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -10.0]).surface(|s| s.friction = 0.3);
    world.model.bulk[0].young = 1e6;
    world.obstacle(block([-1.0, -1.0, -0.5], [3.0, 2.0, 0.0], [1, 1, 1]));
    world.body(BodyKind::FiniteElement, &[block([0.0, 0.0, 0.001], [0.5, 0.5, 1.001], [1, 1, 2])], 1000.0);
    world.rigid(block([1.0, 0.0, 0.0], [1.5, 0.5, 0.5], [1, 1, 1]), 1000.0);
    world.model.bodies[1].label = "COLUMN".into();
    world.model.bodies[1].velo = [0.2, 0.1, -0.5].repeat(12);
    world
}

fn solver() -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(1e-8, 10_000))
}

/// Runs the model and stores it; the frames, and the simulation at the end.
fn run(world: &World, dir: &Path) -> (Vec<Frame>, Simulation) {
    let _nobody_starts = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let model = &world.model;
    let mut simulation = Simulation::with_kinds(model, chain::kinds()).unwrap();
    let file = ModelFile { domains: vec![model.clone()], ..ModelFile::default() };
    let mut writer = Writer::create(dir, &file, Options { compress: 1, ..Options::default() }).unwrap();
    let duration = (STEPS_OF_A_FRAME * (FRAMES - 1)) as f64 * model.step;
    writer.record(0, &Op::Run { duration, solver: solver().into() }, 0).unwrap();
    let mut frames = Vec::new();
    for k in 0..FRAMES {
        for _ in 0..if k == 0 { 0 } else { STEPS_OF_A_FRAME } {
            let report = simulation.step(&solver()).unwrap();
            let row = StepRow {
                colours: f64::NAN,
                bottom: f64::NAN,
                middle: f64::NAN,
                top: f64::NAN,
                inner: f64::NAN,
                time: simulation.time(),
                h: report.h,
                constraints: report.contacts as u64,
                bodies: 3,
                iterations: 1,
                merit: 0.0,
                error: 0.0,
            };
            writer.step(0, row, &[], Instant::now()).unwrap();
        }
        let frame = simulation.take_frame();
        writer.append(0, frame.clone()).unwrap();
        frames.push(frame);
        if k == 2 {
            writer.flush().unwrap();
        }
    }
    writer.end_run(0, "done").unwrap();
    writer.finish(Provenance::default()).unwrap();
    (frames, simulation)
}

fn checkpoint(simulation: &Simulation, dir: &Path) -> PathBuf {
    let checkpoint = Checkpoint {
        domain: 0,
        runs: 1,
        run_end: 1.0,
        done: false,
        program: 1,
        frames: vec![FRAMES as u64],
        steps: vec![simulation.steps()],
        state: simulation.state(),
    };
    solfec_formats::checkpoint::write(dir, &checkpoint, 1).unwrap()
}

/// Place and velocity of a reference point of the column.
fn asked(model: &Model, frame: &Frame, reference: [f64; 3]) -> (Vec3, Vec3) {
    let body = ShownBodies::of(model, frame).find(CatalogueRow(1)).expect("the frame shows the column");
    let point = Point::new(reference.into());
    (body.place(&point), body.velocity(&point))
}

#[test]
fn stored_frames_are_read_as_they_were_written() {
    let scratch = Scratch::new();
    let dir = scratch.path("column");
    let world = world();
    let (frames, _) = run(&world, &dir);
    let results = Reader::open(&dir).unwrap();
    for (k, frame) in frames.iter().enumerate() {
        let read = results.read_frame(0, k).unwrap();
        assert_eq!((&read.nodal, &read.nodes), (&frame.nodal, &frame.nodes), "frame {k}");
        assert_eq!(read.rigid.x, frame.rigid.x);
    }
    let history = whole_history(&results, 1);
    assert_eq!(history.frames, (0..FRAMES).collect::<Vec<_>>());
    let point = Point::new(Vec3::new(0.2, 0.3, 0.8));
    for ((_, row), frame) in history.shown(&world.model).rows().zip(&frames) {
        let body = history.shown(&world.model).view(CatalogueRow(1), row).unwrap();
        let (place, velocity) = asked(&world.model, frame, [0.2, 0.3, 0.8]);
        assert_eq!((body.place(&point), body.velocity(&point)), (place, velocity));
    }
    let energies = results.energies(0, Some(&[1])).unwrap();
    assert_eq!(energies, frames.iter().map(|f| f.nodal.energy[0]).collect::<Vec<_>>());
}

#[test]
fn histories_show_its_points_and_energies() {
    let scratch = Scratch::new();
    let dir = scratch.path("column");
    let world = world();
    let (frames, _) = run(&world, &dir);
    let items =
        ["CZ@COLUMN(0.2,0.3,0.8)", "DZ@COLUMN(0.2,0.3,0.8)", "VX@COLUMN(0.2,0.3,0.8)", "KINETIC@COLUMN", "BODS"];
    let out = tool("sf-history", &[&[dir.to_str().unwrap()], &items[..]].concat());
    assert!(out.status.success(), "{}", stderr(&out));
    let text = stdout(&out);
    let rows: Vec<Vec<f64>> =
        text.lines().filter_map(|line| line.split(',').map(|x| x.parse().ok()).collect::<Option<Vec<f64>>>()).collect();
    assert_eq!(rows.len(), FRAMES, "{text}");
    for (row, frame) in rows.iter().zip(&frames) {
        let (x, v) = asked(&world.model, frame, [0.2, 0.3, 0.8]);
        let exact = [frame.time, x.z, x.z - 0.8, v.x, frame.nodal.energy[0][0], 3.0];
        for (value, exact) in row.iter().zip(exact) {
            assert!((value - exact).abs() <= 1e-12 * exact.abs().max(1.0), "{value} instead of {exact}");
        }
    }
}

#[test]
fn its_grid_is_where_its_nodes_are() {
    let scratch = Scratch::new();
    let (dir, viz) = (scratch.path("column"), scratch.path("viz"));
    let world = world();
    let (frames, _) = run(&world, &dir);
    let attributes = ["--attr", "DISP,VELO,STRESS,ENERGY"];
    let out = tool("sf-xdmf", &[&[dir.to_str().unwrap(), "-o", viz.to_str().unwrap()], &attributes[..]].concat());
    assert!(out.status.success(), "{}", stderr(&out));
    let grids = one(&viz.join("test_bodies.xmf"));
    assert_eq!(grids.len(), FRAMES);
    for (grid, frame) in grids.iter().zip(&frames) {
        let column: Vec<usize> = (0..grid.count()).collect();
        // Nodes of the bodies follow each other: floor, block, column.
        let first = column.len() - 12;
        let vector = |values: &[f64], n: usize| [values[3 * n], values[3 * n + 1], values[3 * n + 2]];
        for node in 0..12 {
            assert_eq!(vector(&grid.points.values, first + node), frame.nodes.x[node]);
            assert_eq!(vector(&grid.array("velocity").data.values, first + node), frame.nodes.v[node]);
        }
        let cells = grid.array("BID").data.values.clone();
        assert_eq!(cells, [1.0, 3.0, 2.0, 2.0]);
        let energy = &grid.array("energy_kinetic").data.values;
        assert_eq!(energy[2..], [frame.nodal.energy[0][0]; 2]);
    }
    // Stress varies from cell to cell once the column has met the floor.
    let stress = &grids[FRAMES - 1].array("stress").data.values;
    assert!(stress[..12].iter().all(|s| *s == 0.0), "rigid bodies have none");
    assert!(stress[12..18] != stress[18..24], "{stress:?}");
}

#[test]
fn a_checkpoint_continues_it_bit_for_bit() {
    let scratch = Scratch::new();
    let dir = scratch.path("column");
    let world = world();
    let (_, mut simulation) = run(&world, &dir);
    let path = checkpoint(&simulation, &dir);
    let stored = solfec_formats::checkpoint::read(&path).unwrap();
    let state = simulation.state();
    assert_eq!(stored.state, state);
    let mut again =
        Simulation::restore_on_rank(&world.model, &[], &stored.state, chain::kinds(), Arc::new(solfec::comm::Alone))
            .unwrap();
    for _ in 0..20 {
        simulation.step(&solver()).unwrap();
        again.step(&solver()).unwrap();
    }
    assert_eq!(again.state(), simulation.state());
}
