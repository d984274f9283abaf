//! Ten-line models for tests: shapes in, a running simulation out.

use std::sync::Arc;

use solfec::load::Series;
use solfec::material::{BulkMaterial, SurfaceMaterial};
use solfec::math::Vec3;
use solfec::model::{characteristics, Analysis, BodyKind, BodyRow, Formulation, Model, Scheme, ShapeRow};
use solfec::shape::{Geometry, Mesh, Shape};
use solfec::simulation::Simulation;

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
            varying: Default::default(),
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
            form: Formulation::TotalLagrangian,
            base: None,
            enhanced: false,
            quadratic: false,
            samples: None,
            scheme: Scheme::Default,
            material: 0,
            volumes: Vec::new(),
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
