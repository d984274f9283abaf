//! Sums and counts over the bodies of a frame.

use crate::body::Energies;
use crate::frame::Frame;
use crate::math::tree_sum;

/// Sum of the energies [J] of the bodies for which `wanted` holds (rows of the catalogue). Bodies that the frame does not
/// hold add nothing.
pub fn energy(frame: &Frame, wanted: impl Fn(u32) -> bool + Sync) -> Energies {
    let sum = |body: &[u32], energy: &[Energies]| {
        tree_sum(body.len(), |i| if wanted(body[i]) { energy[i] } else { [0.0; 6] })
    };
    let rigid = sum(&frame.rigid.body, &frame.rigid.energy);
    let pseudo = sum(&frame.pseudo.body, &frame.pseudo.energy);
    std::array::from_fn(|k| rigid[k] + pseudo[k])
}

/// Numbers of bodies and of constraints.
pub fn count(frame: &Frame) -> (usize, usize) {
    (frame.rigid.body.len() + frame.pseudo.body.len(), frame.constraints.id.len())
}
