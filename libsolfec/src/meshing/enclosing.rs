//! A block of hexahedra around convex polyhedra, along their axes of inertia.

use crate::math::{Mat3, Vec3};
use crate::shape::{Integrals, Mesh, Shape};
use crate::{Error, Result};

/// The ids of the block: none of its own.
const ANY: i32 = i32::MAX;
/// Margin on each side, in multiples of epsilon and of the size of what is inside.
const MARGIN: f64 = 10.0;
const RELATIVE_MARGIN: f64 = 1e-6;
/// Moments closer than this, relative to the greatest, are equal: their axes are chosen near the coordinate axes.
const EQUAL: f64 = 1e-9;

/// A block of `counts` hexahedra that contains the vertices of all `shapes`, with a margin. Its x, y and z are the axes of
/// inertia from the least second moment to the greatest. Ids are 2147483647 (any). `spacing` gives relative widths.
///
/// # Errors
/// No shapes, no volume; what [`Mesh::hex`] refuses.
pub fn enclosing_block(
    shapes: &[Shape],
    counts: [usize; 3],
    spacing: [Option<&[f64]>; 3],
    epsilon: f64,
) -> Result<Mesh> {
    let parts: Vec<Integrals> = shapes.iter().map(Shape::integrals).collect();
    let whole = Integrals::together(&parts);
    if !(whole.volume > 0.0 && whole.euler.iter().all(|x| x.is_finite())) {
        return Err(Error::input("the shapes to be enclosed have no volume: give at least one polyhedron"));
    }
    let axes = principal_axes(&whole.euler);
    let points = || shapes.iter().flat_map(Shape::vertices).map(|x| axes.tr_mul(&(x - whole.center)));
    let low = points().fold(Vec3::repeat(f64::INFINITY), |low, x| low.inf(&x));
    let high = points().fold(Vec3::repeat(f64::NEG_INFINITY), |high, x| high.sup(&x));
    let margin = (MARGIN * epsilon).max(RELATIVE_MARGIN * (high - low).norm());
    let (low, high) = (low.add_scalar(-margin), high.add_scalar(margin));
    let corner = |x: f64, y: f64, z: f64| whole.center + axes * Vec3::new(x, y, z);
    let quad = |z: f64| {
        [corner(low.x, low.y, z), corner(high.x, low.y, z), corner(high.x, high.y, z), corner(low.x, high.y, z)]
    };
    let ([a, b, c, d], [e, f, g, h]) = (quad(low.z), quad(high.z));
    Mesh::hex(&[a, b, c, d, e, f, g, h], counts, ANY, &[ANY; 6], spacing)
}

/// Right-handed eigenvectors of a symmetric tensor, eigenvalues ascending. Where they are equal the axes are the
/// coordinate axes that are nearest to their space, and all point along the coordinate axis that they are nearest to.
fn principal_axes(tensor: &Mat3) -> Mat3 {
    let eigen = tensor.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let value = |k: usize| eigen.eigenvalues[order[k]];
    let mut axes = Mat3::zeros();
    let mut first = 0;
    while first < 3 {
        let equal = |k: &usize| value(*k) - value(first) <= EQUAL * value(2);
        let last = (first..3).take_while(equal).last().unwrap_or(first);
        let vector = |k: usize| eigen.eigenvectors.column(order[k]);
        let mut space: Mat3 = (first..=last).map(|k| vector(k) * vector(k).transpose()).sum();
        for k in first..=last {
            let reach = |i: usize| space.column(i).norm();
            let nearest = (0..3).fold(0, |best, i| if reach(i) > reach(best) + EQUAL { i } else { best });
            let axis = space.column(nearest).normalize();
            space -= axis * axis.transpose();
            axes.set_column(k, &axis);
        }
        first = last + 1;
    }
    if axes.determinant() < 0.0 {
        let last = -axes.column(2);
        axes.set_column(2, &last);
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{rotation_about, Convex};

    fn brick(sides: [f64; 3]) -> Shape {
        let corner = |k: u32| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { sides[i] } else { 0.0 });
        let corners: Vec<Vec3> = (0..8).map(corner).collect();
        Shape::new(Convex::hull(&corners, 1, 1).unwrap())
    }

    #[test]
    fn a_block_around_a_brick_has_its_volume_and_its_axes() {
        let mut shape = brick([1.0, 3.0, 2.0]);
        shape.rotate(&Vec3::zeros(), &Vec3::new(1.0, 2.0, 0.5), 33.0).unwrap();
        let mesh = enclosing_block(&[shape], [2, 3, 4], [None; 3], 1e-6).unwrap();
        let volume = mesh.integrals().volume;
        assert!((6.0..=6.0 * (1.0 + 1e-4)).contains(&volume), "{volume}");
        assert_eq!((mesh.elements.len(), mesh.nodes.len()), (24, 60));
        let side = |to: usize| (mesh.nodes[to] - mesh.nodes[0]).norm();
        for (node, length) in [(2, 1.0), (9, 2.0), (48, 3.0)] {
            assert!((side(node) - length).abs() < 1e-4, "{node}: {}", side(node));
        }
    }

    #[test]
    fn equal_moments_take_the_coordinate_axes() {
        for sides in [[2.0, 2.0, 2.0], [1.0, 1.0, 4.0]] {
            let mesh = enclosing_block(&[brick(sides)], [1; 3], [None; 3], 1e-6).unwrap();
            let extent = mesh.nodes[7] - mesh.nodes[0];
            assert!((extent - Vec3::from(sides)).norm() < 1e-4, "{extent}");
        }
    }

    #[test]
    fn axes_are_right_handed_eigenvectors() {
        let turn = rotation_about(&Vec3::new(0.3, -1.0, 2.0), 71.0).unwrap();
        let tensor = turn * Mat3::from_diagonal(&Vec3::new(3.0, 1.0, 2.0)) * turn.transpose();
        let axes = principal_axes(&tensor);
        assert!((axes.determinant() - 1.0).abs() < 1e-14);
        let found = axes.transpose() * tensor * axes;
        assert!((found - Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 3.0))).norm() < 1e-14, "{found}");
    }
}
