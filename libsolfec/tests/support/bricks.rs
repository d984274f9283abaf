//! Blocks of bricks.

use crate::world::{block, World};
use solfec::math::Vec3;
use solfec::model::BodyKind;

/// Bricks in running bond on a floor, so many along each axis.
pub fn bricks([along, across, courses]: [usize; 3]) -> World {
    let mut world = World::new(1e-3).gravity([0.0, 0.0, -9.81]).surface(|s| s.friction = 0.5);
    world.model.settings.contact_points = 4;
    let size = [1.0, 0.5, 0.4];
    world.obstacle(block([-1.0, -1.0, -1.0], [along as f64 + 1.0, 0.5 * across as f64 + 1.0, 0.0], [1, 1, 1]));
    let brick = block([0.0; 3], size, [1, 1, 1]);
    for z in 0..courses {
        for y in 0..across {
            for x in 0..along {
                let shift = 0.25 * (z % 2) as f64;
                let mut shape = brick.clone();
                shape.translate(&Vec3::new(x as f64 + shift, size[1] * y as f64, size[2] * z as f64));
                world.body(BodyKind::Rigid, &[shape], 2000.0);
            }
        }
    }
    world
}
