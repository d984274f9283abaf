//! Faces of elements as isoparametric surfaces `x = Σ N_b x_b`: `∫ Nₐ n dA` with `n dA = ∂x/∂r × ∂x/∂s dr ds`, and its
//! derivative by the places of the nodes, `∫ Nₐ (∂N_b/∂s [∂x/∂r]× − ∂N_b/∂r [∂x/∂s]×) dr ds` (Hibbitt 1979).
//!
//! The rules are exact, so that over a closed surface force and moment are zero wherever the nodes are.

use super::grid::Grid;
use crate::math::{skew, Mat3, Vec3};
use crate::meshdata::second_order::{barycentric, shape_functions, shape_gradients, OF_FACES};
use crate::shape::square_points;

/// Nodes of a face of second order.
const SIX: usize = 6;

/// Barycentric coordinates of points in a triangle: each with two equal ones and its part of the area. They integrate
/// functions of degree 4 exactly (Cowper 1973).
const RULE: [(f64, f64); 2] =
    [(0.445_948_490_915_964_9, 0.223_381_589_678_011_47), (0.091_576_213_509_770_74, 0.109_951_743_655_321_87)];

/// Shape functions at a point of integration of a face, times its weight, and their slopes.
pub struct Shapes<const N: usize> {
    values: [f64; N],
    slope_r: [f64; N],
    slope_s: [f64; N],
}

impl<const N: usize> Shapes<N> {
    /// `∂x/∂r` and `∂x/∂s`.
    fn tangents(&self, x: &[Vec3; N]) -> [Vec3; 2] {
        [&self.slope_r, &self.slope_s].map(|slope| x.iter().zip(slope).map(|(x, slope)| x * *slope).sum())
    }
}

/// Of a bilinear face: two Gauss points in each direction.
pub fn bilinear() -> [Shapes<4>; 4] {
    let gauss = 1.0 / 3f64.sqrt();
    let places = [[-gauss, -gauss], [gauss, -gauss], [gauss, gauss], [-gauss, gauss]];
    let values = square_points();
    std::array::from_fn(|k| {
        let [r, s] = places[k];
        let slope_r = [s - 1.0, 1.0 - s, 1.0 + s, -1.0 - s].map(|x| 0.25 * x);
        let slope_s = [r - 1.0, -1.0 - r, 1.0 + r, 1.0 - r].map(|x| 0.25 * x);
        Shapes { values: values[k], slope_r, slope_s }
    })
}

impl Grid {
    /// Of one of the four triangles of a face of second order, and the six nodes of that face; `None` if the triangle
    /// of an element of the mesh is no such one.
    pub fn curved(&self, element: u32, triangle: &[u32; 3]) -> Option<([u32; SIX], [Shapes<SIX>; SIX])> {
        let group = self.groups().get(self.owner(element).0)?;
        let place = |node: u32| group.iter().position(|of| *of == node);
        let corners = [place(triangle[0])?, place(triangle[1])?, place(triangle[2])?].map(barycentric);
        let opposite = (0..4).find(|k| corners.iter().all(|l| l[*k] == 0.0))?;
        let on_face = &OF_FACES[opposite];
        Some((on_face.map(|place| group[place]), shapes(&corners, on_face)))
    }
}

/// Of a triangle whose corners have these barycentric coordinates in an element of second order.
fn shapes(corners: &[[f64; 4]; 3], on_face: &[usize; SIX]) -> [Shapes<SIX>; SIX] {
    let along = std::array::from_fn(|k| {
        let [a, b, c] = corners.map(|l| l[k]);
        Vec3::new(b - a, c - a, 0.0)
    });
    std::array::from_fn(|q| {
        let (equal, part) = RULE[q / 3];
        let share = |corner: usize| if corner == q % 3 { 1.0 - 2.0 * equal } else { equal };
        let l = std::array::from_fn(|k| (0..3).map(|corner| share(corner) * corners[corner][k]).sum());
        let (values, slopes) = (shape_functions(&l), shape_gradients(&l, &along));
        // The triangle of r and s has the area 1/2.
        Shapes {
            values: on_face.map(|place| 0.5 * part * values[place]),
            slope_r: on_face.map(|place| slopes[place].x),
            slope_s: on_face.map(|place| slopes[place].y),
        }
    })
}

/// `∫ Nₐ n dA` of a face whose nodes are at x.
pub fn nodal_areas<const N: usize>(x: &[Vec3; N], points: &[Shapes<N>]) -> [Vec3; N] {
    let mut areas = [Vec3::zeros(); N];
    for point in points {
        let [along_r, along_s] = point.tangents(x);
        let normal = along_r.cross(&along_s);
        areas.iter_mut().zip(point.values).for_each(|(area, value)| *area += normal * value);
    }
    areas
}

/// Derivatives of the nodal areas, the block of nodes a and b in row a and column b.
pub fn derivatives<const N: usize>(x: &[Vec3; N], points: &[Shapes<N>]) -> [[Mat3; N]; N] {
    let mut blocks = [[Mat3::zeros(); N]; N];
    for point in points {
        let [across_r, across_s] = point.tangents(x).map(|along| skew(&along));
        for (a, row) in blocks.iter_mut().enumerate() {
            for (b, block) in row.iter_mut().enumerate() {
                *block += (across_r * point.slope_s[b] - across_s * point.slope_r[b]) * point.values[a];
            }
        }
    }
    blocks
}

/// Vector area of a triangle.
pub fn area(corners: &[Vec3; 3]) -> Vec3 {
    let [a, b, c] = corners;
    (b - a).cross(&(c - a)) * 0.5
}

/// Derivatives of the areas of the nodes of a flat triangle that take these parts of its area.
pub fn triangle_derivatives(corners: &[Vec3; 3], weights: &[f64; 3]) -> [[Mat3; 3]; 3] {
    let of = |b: usize| skew(&(corners[(b + 2) % 3] - corners[(b + 1) % 3])) * 0.5;
    weights.map(|weight| [of(0) * weight, of(1) * weight, of(2) * weight])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshdata::second_order::second_order;
    use crate::shape::{Element, Mesh};

    const FACE: [[f64; 3]; 4] = [[0.0, 0.1, 0.0], [1.0, -0.1, 0.2], [1.2, 0.9, -0.1], [0.1, 1.1, 0.3]];

    /// Central differences with this step.
    const STEP: f64 = 1e-6;

    /// Compares derivatives of areas with their differences.
    fn differences<const N: usize>(x: [Vec3; N], of: impl Fn(&[Vec3; N]) -> [Vec3; N], found: [[Mat3; N]; N]) {
        for b in 0..N {
            for axis in 0..3 {
                let moved = |step: f64| {
                    let mut x = x;
                    x[b][axis] += step;
                    of(&x)
                };
                let (up, down) = (moved(STEP), moved(-STEP));
                for a in 0..N {
                    let expected = (up[a] - down[a]) / (2.0 * STEP);
                    assert!((found[a][b].column(axis) - expected).norm() < 1e-9, "node {a} by node {b}, axis {axis}");
                }
            }
        }
    }

    #[test]
    fn derivatives_of_nodal_areas_are_those_of_differences() {
        let x = FACE.map(Vec3::from);
        differences(x, |x| nodal_areas(x, &bilinear()), derivatives(&x, &bilinear()));
        let (x, weights) = ([x[0], x[1], x[2]], [0.5, 0.5, 0.0]);
        differences(x, |x| weights.map(|w| area(x) * w), triangle_derivatives(&x, &weights));
    }

    /// A parallelogram: its area in equal parts.
    #[test]
    fn parallelograms_give_equal_parts() {
        let (a, b) = (Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.5, 3.0, 0.0));
        for part in nodal_areas(&[Vec3::zeros(), a, a + b, b], &bilinear()) {
            assert!((part - Vec3::new(0.0, 0.0, 1.5)).norm() < 1e-14);
        }
    }

    /// A tetrahedron of second order.
    fn grid() -> Grid {
        let corners = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let (mesh, _) = Mesh::new(corners, vec![Element::new(&[0, 1, 2, 3], 0).unwrap()], 0, &[]).unwrap();
        Grid::second_order("body", second_order(&mesh).unwrap()).unwrap()
    }

    /// The places of the nodes with numbers in [−0.1, 0.1] added.
    fn noisy(grid: &Grid) -> Vec<Vec3> {
        let noise = |i: usize, axis: usize| 0.1 * ((3 * i + axis) as f64 * 12.9898).sin();
        let nodes = grid.mesh.nodes.iter().enumerate();
        nodes.map(|(i, x)| x + Vec3::new(noise(i, 0), noise(i, 1), noise(i, 2))).collect()
    }

    /// Nodes and points of all triangles of the boundary.
    fn triangles(grid: &Grid) -> Vec<([u32; SIX], [Shapes<SIX>; SIX])> {
        let nodes = |element: u32, local: u8| -> Vec<u32> {
            grid.mesh.elements[element as usize].face(local as usize).collect()
        };
        let boundary = grid.mesh.boundary.iter().map(|face| (face.element, nodes(face.element, face.local)));
        boundary.map(|(element, nodes)| grid.curved(element, &[nodes[0], nodes[1], nodes[2]]).unwrap()).collect()
    }

    #[test]
    fn closed_surfaces_of_second_order_have_neither_force_nor_moment() {
        let grid = grid();
        let x = noisy(&grid);
        let (mut force, mut moment, mut volume) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        for (nodes, points) in triangles(&grid) {
            let x = nodes.map(|node| x[node as usize]);
            for (x, area) in x.iter().zip(nodal_areas(&x, &points)) {
                force += area;
                moment += x.cross(&area);
                volume += x.dot(&area) / 3.0;
            }
        }
        assert!(volume > 0.1, "{volume}");
        assert!(force.norm() < 1e-15 && moment.norm() < 1e-15, "{force:?} {moment:?}");
    }

    /// On a flat face a third of the area belongs to each of the middles, and nothing to the corners.
    #[test]
    fn flat_faces_of_second_order_give_their_area_to_the_middles() {
        let grid = grid();
        let mut areas = vec![Vec3::zeros(); grid.nodes()];
        for (nodes, points) in triangles(&grid).into_iter().filter(|(nodes, _)| nodes.contains(&0)) {
            let x = nodes.map(|node| grid.mesh.nodes[node as usize]);
            nodes.iter().zip(nodal_areas(&x, &points)).for_each(|(node, area)| areas[*node as usize] += area);
        }
        let third = 1.0 / 6.0;
        let middles = [(Vec3::new(0.5, 0.5, 0.0), Vec3::new(0.0, 0.0, -third)), (Vec3::zeros(), Vec3::zeros())];
        for (place, wanted) in middles {
            let node = grid.mesh.nodes.iter().position(|x| (x - place).norm() < 1e-12).unwrap();
            assert!((areas[node] - wanted).norm() < 1e-15, "{place:?}: {:?}", areas[node]);
        }
    }

    /// Central differences with a step of 1e-6, to 1e-9.
    #[test]
    fn derivatives_of_areas_of_second_order_are_those_of_differences() {
        let grid = grid();
        let x = noisy(&grid);
        for (nodes, points) in triangles(&grid) {
            let x = nodes.map(|node| x[node as usize]);
            differences(x, |x| nodal_areas(x, &points), derivatives(&x, &points));
        }
    }
}
