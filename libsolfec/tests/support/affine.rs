//! The motion of rigid and pseudo-rigid bodies.

use solfec::body::{Bodies, Motion};
use solfec::ids::BodyIndex;
use solfec::math::{Mat3, Vec3};

/// Present motion of a body.
pub fn motion(bodies: &Bodies, i: BodyIndex) -> Motion {
    let conf = bodies.configuration(i);
    let f = match bodies.velocity(i).len() {
        6 => Mat3::from_column_slice(&conf[..9]),
        _ => Mat3::from_row_slice(&conf[..9]),
    };
    Motion { f, x: Vec3::from_column_slice(&conf[9..]), x0: bodies.center(i) }
}
