//! Polygons into a z-buffer, with two lights and dark edges.

use solfec::math::Vec3;

use super::camera::Camera;
use super::{pale, PAPER};

/// Directions of the lights to the right, upwards and towards the eye, and their strengths; the rest is light from
/// everywhere.
const LIGHTS: [([f64; 3], f64); 2] = [([-0.5, 0.7, 0.6], 0.5), ([0.8, 0.1, 0.5], 0.25)];
const AMBIENT: f64 = 0.42;
/// Half the width of an edge [samples], and how dark it is.
const EDGE: f64 = 1.6;
const DARK: f64 = 0.25;
/// Edges of polygons that are smaller than this fade [samples].
const SMALL: f64 = 24.0;

/// Colours and depths of samples.
pub struct Canvas {
    size: [usize; 2],
    colors: Vec<[u8; 3]>,
    depths: Vec<f64>,
}

/// A triangle in the picture, with the sides that are edges of its polygon.
struct Triangle {
    corners: [[f64; 3]; 3],
    edges: [bool; 3],
}

impl Canvas {
    pub fn new(size: [usize; 2]) -> Canvas {
        let count = size[0] * size[1];
        Canvas { size, colors: vec![PAPER; count], depths: vec![f64::NEG_INFINITY; count] }
    }

    /// Draws a polygon of one colour, seen from either side.
    pub fn polygon(&mut self, camera: &Camera, corners: &[Vec3], color: [u8; 3], edges: bool) {
        let normal: Vec3 =
            (1..corners.len() - 1).map(|i| (corners[i] - corners[0]).cross(&(corners[i + 1] - corners[0]))).sum();
        let Some(normal) = normal.try_normalize(0.0) else { return };
        let normal = if normal.dot(&camera.towards_eye(&corners[0])) < 0.0 { -normal } else { normal };
        let lit = shade(camera, &normal, color);
        let places: Vec<[f64; 3]> = corners.iter().map(|x| camera.place(x)).collect();
        let strength = if edges { edge_strength(&places) } else { 0.0 };
        let last = places.len() - 1;
        for i in 1..last {
            let edges = [i == 1, true, i + 1 == last];
            self.triangle(&Triangle { corners: [places[0], places[i], places[i + 1]], edges }, lit, strength);
        }
    }

    fn triangle(&mut self, t: &Triangle, color: [f64; 3], strength: f64) {
        let [a, b, c] = t.corners;
        let cross = |p: [f64; 3], q: [f64; 3], x: f64, y: f64| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        let area = cross(a, b, c[0], c[1]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let bound = |i: usize, limit: usize| {
            let low = a[i].min(b[i]).min(c[i]).floor().max(0.0) as usize;
            let high = a[i].max(b[i]).max(c[i]).ceil().clamp(0.0, limit as f64) as usize;
            low..high
        };
        let length = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]).hypot(q[1] - p[1]).max(f64::MIN_POSITIVE);
        // Distance of a sample from a side, for a weight of 1 of the corner opposite to it.
        let heights = [(a, b), (b, c), (c, a)].map(|(p, q)| area.abs() / length(p, q));
        for y in bound(1, self.size[1]) {
            for x in bound(0, self.size[0]) {
                let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
                let w = [cross(a, b, px, py) / area, cross(b, c, px, py) / area, cross(c, a, px, py) / area];
                if w.iter().any(|&w| w < 0.0) {
                    continue;
                }
                let depth = w[1] * a[2] + w[2] * b[2] + w[0] * c[2];
                let at = y * self.size[0] + x;
                if depth <= self.depths[at] {
                    continue;
                }
                self.depths[at] = depth;
                let on_edge = (0..3).any(|i| t.edges[i] && w[i] * heights[i] < EDGE);
                let keep = if on_edge { 1.0 - strength * (1.0 - DARK) } else { 1.0 };
                self.colors[at] = color.map(|c| (c * keep).round().clamp(0.0, 255.0) as u8);
            }
        }
    }

    /// All samples, RGB, row by row.
    pub fn pixels(self) -> Vec<u8> {
        self.colors.concat()
    }
}

fn shade(camera: &Camera, normal: &Vec3, color: [u8; 3]) -> [f64; 3] {
    let mut light = AMBIENT;
    for (direction, strength) in LIGHTS {
        let to: Vec3 = camera.axes.iter().zip(direction).map(|(axis, part)| axis * part).sum();
        light += strength * normal.dot(&to.normalize()).max(0.0);
    }
    pale(color).map(|c| c * light.min(1.0))
}

/// Edges of small polygons would make everything dark: they fade with the size of the polygon in the picture.
fn edge_strength(places: &[[f64; 3]]) -> f64 {
    let area: f64 = (1..places.len() - 1)
        .map(|i| {
            let (p, q) = (places[i], places[i + 1]);
            let o = places[0];
            0.5 * ((p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]))
        })
        .sum();
    (area.abs().sqrt() / SMALL).clamp(0.0, 1.0)
}
