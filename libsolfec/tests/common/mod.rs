//! Ten-line models for tests: shapes in, a running simulation out.

use std::sync::Arc;

use solfec::load::Series;
use solfec::material::{BulkMaterial, SurfaceMaterial};
use solfec::math::Vec3;
use solfec::model::{Analysis, BodyKind, BodyRow, GaussSeidel, Model, Op, Scheme, ShapeRow, SolverSettings};
use solfec::shape::{characteristics, Geometry, Mesh, Shape, Sphere};
use solfec::simulation::{Moment, Run, Simulation, StepReport};

/// A model under construction.
pub struct World {
    pub model: Model,
}

/// Corners of the box `[low, high]` in the order of HEX.
pub fn corners(low: [f64; 3], high: [f64; 3]) -> [Vec3; 8] {
    let [x, y, z] = low;
    let [a, b, c] = high;
    [
        Vec3::new(x, y, z),
        Vec3::new(a, y, z),
        Vec3::new(a, b, z),
        Vec3::new(x, b, z),
        Vec3::new(x, y, c),
        Vec3::new(a, y, c),
        Vec3::new(a, b, c),
        Vec3::new(x, b, c),
    ]
}

/// A box meshed `counts`, surface ids 1..6 in the order of HEX.
pub fn block(low: [f64; 3], high: [f64; 3], counts: [usize; 3]) -> Shape {
    let mesh = Mesh::hex(&corners(low, high), counts, 1, &[1, 2, 3, 4, 5, 6], [None; 3]).expect("a box");
    Shape::new(Geometry::Mesh(mesh))
}

/// A ball with surface id 1.
pub fn ball(center: [f64; 3], radius: f64) -> Shape {
    Shape::new(Geometry::Sphere(Sphere::new(Vec3::from(center), radius, 1, 1).expect("a ball")))
}

impl World {
    /// Step `h`, one bulk material of density 1, no gravity.
    pub fn new(h: f64) -> Self {
        let mut model = Model::new(Analysis::Dynamic, h, "out/test");
        model.bulk.push(BulkMaterial {
            label: "BULK_MATERIAL_0".into(),
            young: 1e9,
            poisson: 0.25,
            density: 1.0,
            tensile: f64::INFINITY,
            fracene: f64::INFINITY,
        });
        World { model }
    }

    pub fn gravity(mut self, g: [f64; 3]) -> Self {
        let row = self.model.series.len() as u32;
        self.model.series.extend(g.map(Series::constant));
        self.model.settings.gravity = Some([row, row + 1, row + 2]);
        self
    }

    /// The 'DEFAULT' surface material.
    pub fn surface(mut self, change: impl FnOnce(&mut SurfaceMaterial)) -> Self {
        change(&mut self.model.surface[0]);
        self
    }

    /// A body of density `density`; returns its id.
    pub fn body(&mut self, kind: BodyKind, shapes: &[Shape], density: f64) -> u64 {
        let first = self.model.shapes.len() as u32;
        for shape in shapes {
            let geometry = self.model.library.len() as u32;
            self.model.library.push(Arc::clone(&shape.geometry));
            self.model.shapes.push(ShapeRow { geometry, rotation: shape.rotation, shift: shape.shift });
        }
        let id = self.model.bodies.len() as u64 + 1;
        self.model.bodies.push(BodyRow {
            id,
            label: String::new(),
            kind,
            scheme: Scheme::Default,
            material: 0,
            shapes: first..self.model.shapes.len() as u32,
            chars: characteristics(shapes, density, kind).expect("a solid body"),
            damping: 0.0,
            selfcontact: false,
            disable_rotation: false,
            conf: Vec::new(),
            velo: Vec::new(),
            line: 0,
        });
        id
    }

    pub fn rigid(&mut self, shape: Shape, density: f64) -> u64 {
        self.body(BodyKind::Rigid, &[shape], density)
    }

    pub fn obstacle(&mut self, shape: Shape) -> u64 {
        self.body(BodyKind::Obstacle, &[shape], 1.0)
    }

    pub fn simulation(&self) -> Simulation {
        Simulation::new(&self.model).expect("the model can be simulated")
    }
}

/// Gauss-Seidel to `epsilon`.
pub fn gauss_seidel(epsilon: f64) -> SolverSettings {
    SolverSettings::GaussSeidel(GaussSeidel::new(epsilon, 10_000))
}

/// Makes `steps` steps and shows each report.
pub fn steps(simulation: &mut Simulation, solver: &SolverSettings, steps: usize, mut each: impl FnMut(&Simulation, &StepReport)) {
    for _ in 0..steps {
        let report = simulation.step(solver).expect("a step");
        each(simulation, &report);
    }
}

/// Runs for `duration` and returns the times of the frames.
pub fn run(simulation: &mut Simulation, solver: &SolverSettings, duration: f64) -> Vec<f64> {
    let mut run = Run::new(simulation, solver.clone(), duration);
    let mut frames = Vec::new();
    loop {
        match run.next(simulation).expect("a run") {
            Moment::Stepped(_) => {}
            Moment::Frame => frames.push(simulation.take_frame().time),
            Moment::Done => return frames,
        }
    }
}

/// Sets an initial velocity.
pub fn launch(simulation: &mut Simulation, model: &Model, body: u64, linear: [f64; 3], angular: [f64; 3]) {
    simulation.apply(model, &Op::InitialVelocity { body, linear, angular }).expect("the body exists");
}

/// Mass centre of a body.
pub fn center(simulation: &Simulation, body: u64) -> Vec3 {
    let index = simulation.bodies().index(body).expect("the body exists");
    let conf = simulation.bodies().configuration(index);
    Vec3::new(conf[9], conf[10], conf[11])
}

/// Velocity of the mass centre of a rigid body.
pub fn velocity(simulation: &Simulation, body: u64) -> Vec3 {
    let index = simulation.bodies().index(body).expect("the body exists");
    let velo = simulation.bodies().velocity(index);
    Vec3::new(velo[3], velo[4], velo[5])
}
