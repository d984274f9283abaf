//! Loads on the bodies of a test.

use solfec::load::Series;
use solfec::math::{Mat3, Vec3};
use solfec::model::{BodyKind, FunctionKind, FunctionRow, LoadKind, LoadRow};

use crate::world::World;

impl World {
    /// Row of a new series.
    pub fn series(&mut self, series: Series) -> u32 {
        self.model.series.push(series);
        self.model.series.len() as u32 - 1
    }

    /// A load on a body.
    pub fn load(&mut self, body: u64, kind: LoadKind) {
        self.model.loads.push(LoadRow { kind, body, line: 0 });
    }

    /// A constant force at a point, fixed in space or `convected` with the body.
    pub fn force(&mut self, body: u64, convected: bool, point: [f64; 3], direction: [f64; 3], value: f64) {
        let value = self.series(Series::constant(value));
        let (point, direction) = (Vec3::from(point), Vec3::from(direction));
        self.load(body, LoadKind::Force { convected, point, direction, value });
    }

    /// A constant torque.
    pub fn torque(&mut self, body: u64, convected: bool, direction: [f64; 3], value: f64) {
        let value = self.series(Series::constant(value));
        self.load(body, LoadKind::Torque { convected, direction: Vec3::from(direction), value });
    }

    /// A constant pressure on the faces of a surface.
    pub fn pressure(&mut self, body: u64, surface: i32, value: f64) {
        let value = self.series(Series::constant(value));
        self.load(body, LoadKind::Pressure { surface, value, follower: false });
    }

    /// FORCE by the user function with this number.
    pub fn force_function(&mut self, body: u64, function: u32) {
        let name = format!("push_{function}");
        self.model.functions.push(FunctionRow { function, name, kind: FunctionKind::Force, line: 0 });
        self.load(body, LoadKind::Function { function });
    }

    /// Turns a body about its reference mass centre, and stretches it if it is pseudo-rigid.
    pub fn place(&mut self, body: u64, f: &Mat3) {
        let row = &mut self.model.bodies[body as usize - 1];
        let matrix = if row.kind == BodyKind::PseudoRigid { f.transpose() } else { *f };
        row.conf = matrix.iter().chain(&row.chars.center).copied().collect();
    }
}
