//! Where points of space are in the picture.

use solfec::math::Vec3;

use super::View;

/// Distance of the eye from the middle of the scene, in multiples of half its diagonal: a mild perspective.
const DISTANCE: f64 = 5.0;

/// Parts of the picture that stay free: left, right, top, bottom [samples].
pub type Room = [f64; 4];

#[derive(Debug, Clone, Copy)]
pub struct Camera {
    middle: Vec3,
    /// Unit vectors to the right, upwards and towards the eye.
    pub axes: [Vec3; 3],
    /// Distance of the eye; infinite for parallel rays.
    distance: f64,
    /// Samples for a length in the plane through the middle, and where the middle is.
    scale: f64,
    center: [f64; 2],
}

impl Camera {
    /// A camera that shows all `points` of a box in the free part of a picture of this size.
    pub fn new(
        view: &View,
        size: [usize; 2],
        room: Room,
        (low, high): (Vec3, Vec3),
        points: impl Iterator<Item = Vec3>,
    ) -> Camera {
        let (azimuth, elevation) = (view.azimuth.to_radians(), view.elevation.to_radians());
        let back = Vec3::new(elevation.cos() * azimuth.cos(), elevation.cos() * azimuth.sin(), elevation.sin());
        let right = Vec3::new(-azimuth.sin(), azimuth.cos(), 0.0);
        let half = 0.5 * (high - low).norm();
        let distance = if view.orthographic { f64::INFINITY } else { DISTANCE * half.max(f64::MIN_POSITIVE) };
        let axes = [right, back.cross(&right), back];
        let mut camera = Camera { middle: 0.5 * (low + high), axes, distance, scale: 1.0, center: [0.0; 2] };
        let corners = (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 0 { low[i] } else { high[i] }));
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let shown: Vec<Vec3> = if view.axes { corners.collect() } else { points.collect() };
        for x in shown {
            let at = camera.place(&x);
            for i in 0..2 {
                least[i] = least[i].min(at[i]);
                most[i] = most[i].max(at[i]);
            }
        }
        let free = [size[0] as f64 - room[0] - room[1], size[1] as f64 - room[2] - room[3]];
        let scale = (0..2).map(|i| free[i].max(1.0) / (most[i] - least[i]).max(f64::MIN_POSITIVE));
        camera.scale = scale.fold(f64::INFINITY, f64::min).min(f64::MAX);
        let from = [room[0], room[2]];
        for i in 0..2 {
            camera.center[i] = from[i] + 0.5 * free[i] - 0.5 * camera.scale * (least[i] + most[i]);
        }
        camera
    }

    /// Samples to the right and downwards, and a depth that grows towards the eye and is linear on planes.
    pub fn place(&self, x: &Vec3) -> [f64; 3] {
        let arm = x - self.middle;
        let [s, t, depth] = self.axes.map(|axis| axis.dot(&arm));
        let (shrink, depth) = match self.distance.is_finite() {
            true => (self.distance / (self.distance - depth), 1.0 / (self.distance - depth)),
            false => (1.0, depth),
        };
        [self.center[0] + self.scale * shrink * s, self.center[1] - self.scale * shrink * t, depth]
    }

    /// From a point to the eye, not of unit length.
    pub fn towards_eye(&self, x: &Vec3) -> Vec3 {
        match self.distance.is_finite() {
            true => self.middle + self.distance * self.axes[2] - x,
            false => self.axes[2],
        }
    }
}
