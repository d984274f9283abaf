//! The scaled Jacobian of elements: the least over the corners of the triple product of the unit edges there, divided
//! by that of the ideal element (Knupp 2003: 1 for a cube and for regular tetrahedra, pyramids, wedges, 0 for flat
//! elements, negative for inverted ones).

use super::edit::in_range;
use crate::math::Vec3;
use crate::shape::{ElementKind, RawElement};

/// Classes of the histogram, of equal width over [0, 1].
pub const CLASSES: usize = 10;

/// The triple product of the unit edges at a corner of the ideal element.
fn ideal(kind: ElementKind) -> f64 {
    match kind {
        ElementKind::Tet | ElementKind::Pyramid => std::f64::consts::FRAC_1_SQRT_2,
        ElementKind::Wedge => 0.75_f64.sqrt(),
        ElementKind::Hex => 1.0,
    }
}

/// The quality of an element, at most about 1; `None` if it is of no kind or names nodes that are not there.
pub fn scaled_jacobian(element: &RawElement, nodes: &[Vec3]) -> Option<f64> {
    let kind = ElementKind::from_count(element.nodes().len())?;
    if !in_range(element, nodes.len()) {
        return None;
    }
    let x = |i: u8| nodes[element.nodes()[usize::from(i)] as usize];
    let corner = |&[at, a, b, c]: &[u8; 4]| {
        let arm = |i: u8| x(i) - x(at);
        let (a, b, c) = (arm(a), arm(b), arm(c));
        let lengths = a.norm() * b.norm() * c.norm();
        if lengths > 0.0 {
            a.dot(&b.cross(&c)) / lengths
        } else {
            0.0
        }
    };
    Some(kind.corners().iter().map(corner).fold(f64::INFINITY, f64::min) / ideal(kind))
}

/// How many elements have which quality.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Histogram {
    pub least: f64,
    pub mean: f64,
    /// Elements of quality 0 or less.
    pub inverted: usize,
    /// Elements by their quality in (0, 1], in classes of a tenth.
    pub classes: [usize; CLASSES],
}

impl Histogram {
    /// Of the qualities of elements; `None` without any.
    pub fn of(qualities: impl Iterator<Item = f64>) -> Option<Histogram> {
        let mut all = Histogram { least: f64::INFINITY, mean: 0.0, inverted: 0, classes: [0; CLASSES] };
        let mut count = 0;
        for quality in qualities {
            count += 1;
            all.least = all.least.min(quality);
            all.mean += quality;
            if quality > 0.0 {
                let class = (quality * CLASSES as f64).ceil() as usize;
                all.classes[class.clamp(1, CLASSES) - 1] += 1;
            } else {
                all.inverted += 1;
            }
        }
        all.mean /= count as f64;
        (count > 0).then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regular elements of edge 1.
    fn ideals() -> [Vec<[f64; 3]>; 4] {
        let (h, r) = (0.75_f64.sqrt(), 0.5_f64.sqrt());
        [
            vec![[0., 0., 0.], [1., 0., 0.], [0.5, h, 0.], [0.5, h / 3., (2_f64 / 3.).sqrt()]],
            vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, r]],
            vec![[0., 0., 0.], [1., 0., 0.], [0.5, h, 0.], [0., 0., 1.], [1., 0., 1.], [0.5, h, 1.]],
            vec![
                [0., 0., 0.],
                [1., 0., 0.],
                [1., 1., 0.],
                [0., 1., 0.],
                [0., 0., 1.],
                [1., 0., 1.],
                [1., 1., 1.],
                [0., 1., 1.],
            ],
        ]
    }

    #[test]
    fn regular_elements_have_quality_one_and_mirrored_ones_minus_one() {
        for nodes in ideals() {
            let numbers: Vec<u32> = (0..nodes.len() as u32).collect();
            let element = RawElement::new(&numbers, 0).unwrap();
            let quality = |sign: f64| {
                let nodes: Vec<Vec3> = nodes.iter().map(|x| Vec3::new(x[0], x[1], sign * x[2])).collect();
                scaled_jacobian(&element, &nodes).unwrap()
            };
            assert!((quality(1.0) - 1.0).abs() < 1e-14 && quality(-1.0) < 0.0, "{}", nodes.len());
        }
    }

    /// The corner of a cube, and a needle, from whichever corner they are read.
    #[test]
    fn the_worst_corner_of_a_tetrahedron_counts() {
        let nodes = |long: f64| [Vec3::zeros(), Vec3::x(), Vec3::y(), long * Vec3::z()];
        let needle = 2_f64.sqrt() / (1.0 + 1e8);
        for (long, wanted) in [(1.0, 0.5_f64.sqrt()), (1e4, needle)] {
            for order in [[0, 1, 2, 3], [1, 2, 0, 3], [3, 2, 1, 0], [2, 3, 0, 1]] {
                let quality = scaled_jacobian(&RawElement::new(&order, 0).unwrap(), &nodes(long)).unwrap();
                assert!((quality - wanted).abs() < 1e-14, "{order:?}: {quality} {wanted}");
            }
        }
    }

    #[test]
    fn qualities_fall_into_classes() {
        let all = Histogram::of([1.0, 0.95, 0.1, -0.5, 0.0].into_iter()).unwrap();
        assert_eq!((all.inverted, all.classes[0], all.classes[9]), (2, 1, 2));
        assert_eq!(all.least, -0.5);
        assert!(Histogram::of(std::iter::empty()).is_none());
    }
}
