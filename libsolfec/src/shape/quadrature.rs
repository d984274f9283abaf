//! Integration points of first-order elements (Zienkiewicz and Taylor 2000, tables 9.2 and 9.3; Hammer, Marlowe and Stroud
//! 1956): tetrahedra 4, pyramids 8, wedges 6, hexahedra 8.

use super::ElementKind;
use crate::math::Vec3;

/// Gauss points of two on [−1, 1].
const GAUSS: f64 = 0.577_350_269_189_625_8;
/// Of four points in a tetrahedron: three coordinates of each are the first, one is the second.
const TET: [f64; 2] = [0.138_196_601_125_010_5, 0.585_410_196_624_968_5];
/// Half widths of the two squares of points in a pyramid, their heights and weights.
const PYRAMID: [[f64; 3]; 2] = [
    [0.263_184_055_569_713_6, 0.544_151_844_011_225_3, 0.100_785_882_079_825],
    [0.506_616_303_349_787_4, 0.122_514_822_655_441_4, 0.232_547_451_253_508],
];
/// Signs of the corners of a square row by row.
const ROWS: [[f64; 2]; 4] = [[-1., -1.], [1., -1.], [1., 1.], [-1., 1.]];

/// An integration point: natural coordinates and weight, the weights of an element adding up to its natural volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    pub natural: Vec3,
    pub weight: f64,
}

impl ElementKind {
    /// Integration points, which integrate the stiffness of a straight element exactly.
    pub fn quadrature(self) -> Vec<Node> {
        let square = |half: f64, z: f64, weight: f64| {
            ROWS.map(|[r, s]| Node { natural: Vec3::new(half * r, half * s, z), weight })
        };
        match self {
            ElementKind::Tet => {
                let [a, b] = TET;
                let places = [Vec3::repeat(a), Vec3::new(a, a, b), Vec3::new(a, b, a), Vec3::new(b, a, a)];
                places.map(|natural| Node { natural, weight: 1.0 / 24.0 }).to_vec()
            }
            ElementKind::Pyramid => PYRAMID.into_iter().flat_map(|[half, z, weight]| square(half, z, weight)).collect(),
            ElementKind::Wedge => {
                let triangle = [[4.0, 1.0], [1.0, 4.0], [1.0, 1.0]];
                let at =
                    |z: f64| triangle.map(|[r, s]| Node { natural: Vec3::new(r / 6.0, s / 6.0, z), weight: 1.0 / 6.0 });
                [at(-GAUSS), at(GAUSS)].concat()
            }
            ElementKind::Hex => [-GAUSS, GAUSS].into_iter().flat_map(|z| square(GAUSS, z, 1.0)).collect(),
        }
    }
}

/// Values of the bilinear functions of a quadrilateral face at its 2×2 integration points, of weight 1 each.
pub fn square_points() -> [[f64; 4]; 4] {
    ROWS.map(|[r, s]| ROWS.map(|[a, b]| 0.25 * (1.0 + a * r * GAUSS) * (1.0 + b * s * GAUSS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights add up to the natural volume, and first moments to those of the centre.
    #[test]
    fn constants_and_coordinates_are_integrated_exactly() {
        for (kind, volume) in [
            (ElementKind::Tet, 1.0 / 6.0),
            (ElementKind::Pyramid, 4.0 / 3.0),
            (ElementKind::Wedge, 1.0),
            (ElementKind::Hex, 8.0),
        ] {
            let points = kind.quadrature();
            let sum: f64 = points.iter().map(|point| point.weight).sum();
            assert!((sum - volume).abs() < 1e-12, "{kind:?}: {sum}");
            let moment: Vec3 = points.iter().map(|point| point.natural * point.weight).sum();
            assert!((moment - kind.center() * volume).norm() < 1e-12, "{kind:?}: {moment}");
        }
    }
}
