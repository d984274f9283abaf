//! Results made without a simulation: equal spheres that move, many bodies or many frames.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use solfec::frame::{Frame, RigidRows, SolverStatistics};
use solfec::math::{Mat3, Vec3};
use solfec::model::{Analysis, BodyKind, BodyRow, Characteristics, Formulation, Model, Scheme, ShapeRow};
use solfec::shape::{Geometry, Sphere};
use solfec_formats::model::ModelFile;
use solfec_formats::results::{Options, Writer};
use solfec_formats::Result;

/// Interval of frames [s].
pub const INTERVAL: f64 = 1e-3;

fn model(bodies: usize) -> Model {
    let mut model = Model::new(Analysis::Dynamic, INTERVAL, "out/made");
    let sphere = Sphere { center: Vec3::zeros(), radius: 0.5, volid: 0, surfid: 0 };
    model.library.push(Arc::new(Geometry::Sphere(sphere)));
    for row in 0..bodies {
        let center = Vec3::new(row as f64, 0.0, 0.0);
        model.shapes.push(ShapeRow { geometry: 0, rotation: Mat3::identity(), shift: center });
        model.bodies.push(BodyRow {
            id: row as u64 + 1,
            label: format!("BALL{row}"),
            kind: BodyKind::Rigid,
            form: Formulation::TotalLagrangian,
            base: None,
            enhanced: false,
            quadratic: false,
            samples: None,
            scheme: Scheme::Default,
            material: 0,
            volumes: Vec::new(),
            shapes: row as u32..row as u32 + 1,
            chars: Characteristics { mass: 1.0, volume: 1.0, center, tensor: Mat3::identity() },
            damping: 0.0,
            selfcontact: false,
            disable_rotation: false,
            conf: Vec::new(),
            velo: Vec::new(),
            line: 0,
        });
    }
    model
}

/// Writes `frames` frames of `bodies` bodies into `directory`; body `b` rises by `(b + 1) t`.
pub fn write(directory: &Path, bodies: usize, frames: usize) -> Result<()> {
    let model = model(bodies);
    let file = ModelFile { domains: vec![model.clone()], ..ModelFile::default() };
    let mut writer = Writer::create(directory, &file, Options { overwrite: true, ..Options::default() })?;
    for k in 0..frames {
        let time = k as f64 * INTERVAL;
        let rigid = RigidRows {
            body: (0..bodies as u32).collect(),
            x: (0..bodies).map(|b| [b as f64, 0.0, (b + 1) as f64 * time]).collect(),
            rot: vec![[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]; bodies],
            v: (0..bodies).map(|b| [0.0, 0.0, (b + 1) as f64]).collect(),
            omega: vec![[0.0; 3]; bodies],
            energy: vec![[1.0; 6]; bodies],
        };
        let statistics = SolverStatistics { iterations: 1.0, merit: 0.0, error: 0.0 };
        let frame = Frame {
            index: k as u64,
            time,
            step_count: k as u64,
            h: INTERVAL,
            statistics,
            run: 0,
            rigid,
            pseudo: Default::default(),
            nodal: Default::default(),
            nodes: Default::default(),
            laws: Default::default(),
            chars: Default::default(),
            constraints: Default::default(),
            events: Vec::new(),
        };
        writer.append(0, frame)?;
        writer.tick(Instant::now())?;
    }
    writer.end_run(0, "done")
}
