//! The masonry arch of the reference data: a semicircular ring of voussoirs of radius 10 m on two obstacles.

use std::f64::consts::PI;

use solfec::math::Vec3;
use solfec::model::Sparsify;
use solfec::shape::{Geometry, Mesh, Shape};

use crate::world::World;

/// The arch of `n` voussoirs whose thickness is `ratio` times the radius.
pub fn arch(ratio: f64, n: usize) -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.model.settings.epsilon = 1e-4;
    world.model.settings.sparsify = Sparsify { threshold: 0.005, minarea: 0.0, mindist: 1e-4, projected: false };
    let angle = PI / n as f64;
    world.obstacle(voussoir(ratio, PI, PI + angle, [1, 1, 1], None));
    world.obstacle(voussoir(ratio, -angle, 0.0, [1, 1, 1], None));
    for k in (0..n).rev() {
        let shape = voussoir(ratio, k as f64 * angle, (k + 1) as f64 * angle, [3, 2, 1], Some(&[0.05, 1.9, 0.05]));
        world.rigid(shape, 1.0);
    }
    world
}

fn voussoir(ratio: f64, first: f64, last: f64, counts: [usize; 3], dx: Option<&[f64]>) -> Shape {
    let (radius, half) = (10.0, 2.5);
    let (inner, outer) = (radius * (1.0 - ratio / 2.0), radius * (1.0 + ratio / 2.0));
    let ring = |a: f64| {
        [(inner, -half), (outer, -half), (outer, half), (inner, half)]
            .map(|(r, y)| Vec3::new(r * a.cos(), y, r * a.sin()))
    };
    let (bottom, top) = (ring(first), ring(last));
    let corners = std::array::from_fn(|i| if i < 4 { bottom[i] } else { top[i - 4] });
    let mesh = Mesh::hex(&corners, counts, 1, &[1, 2, 3, 4, 5, 6], [dx, None, None]).expect("a voussoir");
    Shape::new(Geometry::Mesh(mesh))
}
